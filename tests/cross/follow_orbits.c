// follow_orbits.c -- points of branches are the orbits that `orbit` and `sweep` find, and as stable
// as said: twenty random models, points drawn at random.
//   Oscillators with one and two stops, a mass on a moving belt, a beam with friction at its tip.
//   `orbit` from the state of a point has its period, events, measure and multipliers. The
//   reference integrator, started beside it, comes back to a stable one and leaves an unstable one.
//   `sweep` of the same model, started there, settles to the stable ones.
#include <math.h>

#include "draws.h"
#include "follow_case.h"
#include "follow_reference.h"
#include "sweep_case.h"

enum { MODELS = 20, EACH = 6, KINDS = 4 };

typedef struct tally {
    int points, events, stable, unstable, returned, left, swept;
    double multiplier, measure;
} tally;

// What is compared of a point, when its branch is gone.
typedef struct sample {
    jd_branch_point point;
    double state[2];
} sample;

typedef struct drawn_model {
    int kind; // one stop, two stops, belt, beam
    double ratio, size, law, from, to, phase;
} drawn_model;

static drawn_model draw_model(int i) {
    drawn_model d = {.kind = i % KINDS};
    d.ratio = mixed(0.01, 0.1);
    d.phase = mixed(0, 6.28);
    d.size = d.kind == 2 ? mixed(0.4, 1) : decades(-1.5, 0);
    d.law = d.kind == 2 ? mixed(-0.2, 0.1) : mixed(0.2, 0.9);
    d.from = d.kind == 3 ? mixed(0.9, 1.5) : d.kind == 2 ? mixed(0.5, 1.5) : mixed(1, 2.5);
    d.to = d.from * (pick(2) ? mixed(1.3, 2) : mixed(0.5, 0.8));
    return d;
}

static const char *path_of(const drawn_model *d) {
    return d->kind == 3 ? "drives.force.frequency.times" : "drives.force.frequency";
}

// at: of the parameter; from there on with this start and section.
static void write_it(char *out, size_t room, const drawn_model *d, double at, const char *start,
                     const char *section) {
    int n;
    if (d->kind == 3)
        n = snprintf(out, room,
                     "judder: 1\nstructure: {type: fe-beam, length: 2.47, bending_stiffness: "
                     "1.09e4, mass_per_length: 35.4, elements: 3, supports: {left: clamped, right: "
                     "free}, points: {m: 2.47}, damping: {type: ratio, value: %.17g}}\n"
                     "contacts: {c: {at: m, against: ground, law: {type: coulomb, limit: %.17g}}}\n"
                     "drives: {force: {at: m, type: harmonic, amplitude: 2.4, phase: %.17g, "
                     "frequency: {times: %.17g, mode: 1}}}\n",
                     d->ratio, d->size, d->phase, at);
    else
        n = snprintf(
            out, room,
            "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: "
            "{type: ratio, value: %.17g}, supports: {left: fixed, right: free}, points: "
            "{m: {node: 1}}}\ndrives: {force: {at: m, type: harmonic, amplitude: 1, "
            "frequency: %.17g, phase: %.17g}}\ncontacts: {c: {at: m, against: ",
            d->ratio, at, d->phase);
    if (d->kind == 2)
        n += snprintf(out + n, room - (size_t)n,
                      "{velocity: 0.6}, law: {type: affine, limit: %.17g, slope: %.17g}}}\n",
                      d->size, d->law);
    if (d->kind < 2)
        n += snprintf(out + n, room - (size_t)n,
                      "ground, law: {type: stop, gap: %.17g, restitution: %.17g%s}}}\n", d->size,
                      d->law, d->kind ? ", sides: both" : "");
    snprintf(out + n, room - (size_t)n, "%s%s", start, section);
}

// `orbit` from the state of the point finds the same.
static void check_orbit(model_case *m, const jd_follow_view *v, const jd_branch_point *p,
                        const double *state, tally *sum) {
    reference *r = follow_ref(m->problem, p, state, 0);
    char phase[REF_M + 1] = {0};
    for (int j = 0; j < r->m; j++) phase[j] = strchr("ul", r->mark[j]) ? '|' : r->mark[j];
    ref_free_all(r);
    jd_orbit_options options = jd_default_orbit_options();
    options.state = state;
    options.phase = phase;
    options.settle = 0;
    options.periods = (int)lround(p->period / jd_problem_period(m->problem));
    options.attempts = 1;
    jd_orbit *orbit;
    assert_int_equal(jd_orbit_create(m->context, m->problem, &options, &orbit), JD_OK);
    const jd_orbit_view *w = jd_orbit_look(orbit);
    if (!w->found) fail_msg("no orbit at %.12g: %s", p->parameter, w->search.why);
    double size = fmax(1, hypot(p->multiplier[0], p->multiplier[1])),
           off = hypot(p->multiplier[0] - w->stability.multiplier[0],
                       fabs(p->multiplier[1]) - fabs(w->stability.multiplier[1]));
    assert_relative(w->period, p->period, 1e-12);
    if (!strchr(v->phases[p->phases], '|')) assert_int_equal(w->n_event, p->n_event);
    if (!(off < 1e-8 * size * size)) // a slow impact moves them by the square of their size
        fail_msg("%.12g (%s): multiplier %.12g %.12g, orbit %.12g %.12g", p->parameter,
                 v->phases[p->phases], p->multiplier[0], p->multiplier[1],
                 w->stability.multiplier[0], w->stability.multiplier[1]);
    if (!p->undecided && !w->stability.marginal) assert_int_equal(w->stability.stable, p->stable);
    jd_run *run;
    jd_step step;
    jd_contact_ranges ranges;
    assert_int_equal(jd_orbit_run(orbit, &run), JD_OK);
    assert_int_equal(jd_run_track(run), JD_OK);
    do {
        assert_int_equal(jd_run_advance(run, w->period, &step), JD_OK);
    } while (step == JD_STEP_EVENT);
    assert_int_equal(jd_run_ranges(run, &ranges), JD_OK);
    assert_near(ranges.displacement.max, p->amplitude, 1e-9 * size * fabs(p->amplitude));
    jd_run_free(run);
    sum->multiplier = fmax(sum->multiplier, off / (size * size));
    sum->measure = fmax(sum->measure, fabs(ranges.displacement.max / p->amplitude - 1) / size);
    sum->events += w->n_event;
    sum->points++;
    jd_orbit_free(orbit);
}

// A motion that begins beside the point comes back, or leaves.
static void check_verdict(model_case *m, const jd_branch_point *p, const double *state,
                          tally *sum) {
    double size = hypot(p->multiplier[0], p->multiplier[1]);
    sum->stable += p->stable;
    sum->unstable += !p->stable && !p->undecided;
    if (p->undecided || size < 1e-6 || (p->stable ? size > 0.9 : size < 1.1)) return;
    int periods = (int)ceil(fabs(log(p->stable ? 1e-2 : 1e3) / log(size))) + 1;
    reference *r = follow_ref(m->problem, p, state, 1e-7L);
    if (r->now) {
        double before = follow_distance(r, state), after = 0;
        for (int k = 1; k <= periods; k++) {
            r->n_event = 0;
            ref_run(r, k * p->period);
            after = fmax(p->stable ? 0 : after, follow_distance(r, state));
        }
        if (p->stable && !(after < 0.3 * before + 1e-9))
            fail_msg("stable at %.12g, %.3g away after %d periods", p->parameter, after, periods);
        if (!p->stable && !(after > 3 * before))
            fail_msg("unstable at %.12g, but does not leave (%.3g)", p->parameter, after / before);
        sum->returned += p->stable;
        sum->left += !p->stable;
    }
    ref_free_all(r);
}

// A sweep of one mass that starts from a stable point has it as its first one.
static void check_sweep(model_case *m, const drawn_model *d, const sample *s, tally *sum) {
    const jd_branch_point *p = &s->point;
    double size = hypot(p->multiplier[0], p->multiplier[1]);
    if (d->kind == 3 || !p->stable || size > 0.9) return;
    char text[2000], start[200], section[200];
    snprintf(start, sizeof start,
             "start: {type: state, displacement: [%.17g], velocity: [%.17g]}\n", s->state[0],
             s->state[1]);
    snprintf(section, sizeof section,
             "sweep: {parameters: %s, from: %.17g, to: %.17g, points: 2, measure: "
             "c.displacement.max}\n",
             path_of(d), p->parameter, p->parameter * (1 + 1e-6));
    write_it(text, sizeof text, d, p->parameter, start, section);
    jd_sweep *sweep = sweep_of(m, text);
    sweep_compute(m, sweep, 1);
    const jd_sweep_point *q = jd_sweep_look(sweep)->point;
    assert_near(q->amplitude, p->amplitude, 1e-8 * fabs(p->amplitude));
    if (isfinite(q->multiplier)) assert_near(q->multiplier, size, 1e-6);
    sum->swept++;
    jd_sweep_free(sweep);
}

static void check_branch(model_case *m, const drawn_model *d, tally *sum) {
    char text[2000], section[200];
    sample kept[EACH];
    int n = 0;
    snprintf(section, sizeof section,
             "orbit: {settle: 200 periods}\nfollow: {parameter: %s, from: %.17g, to: %.17g, "
             "measure: c.displacement.max, points: 600}\n",
             path_of(d), d->from, d->to);
    write_it(text, sizeof text, d, d->from, "start: rest\n", section);
    jd_follow *f = follows(m, text, NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    for (int k = 0; k < EACH && v->n_point > 1; k++) {
        int i = 1 + pick(v->n_point - 1);
        const jd_branch_point *p = &v->point[i];
        const double *state = v->state + (size_t)i * (size_t)v->n;
        if (hypot(p->multiplier[0], p->multiplier[1]) > 1e4) continue;
        assert_int_equal(jd_problem_set(m->problem, v->parameter, p->parameter, NULL), JD_OK);
        assert_int_equal(jd_problem_build(m->problem), JD_OK);
        check_orbit(m, v, p, state, sum);
        check_verdict(m, p, state, sum);
        kept[n] = (sample){.point = *p, .state = {state[0], state[1]}};
        n++;
    }
    jd_follow_free(f);
    for (int k = 0; k < n && k < 2; k++) check_sweep(m, d, &kept[k], sum);
}

static void twenty_random_branches_agree_with_orbit_and_sweep(void **state) {
    tally sum = {0};
    seed = 71;
    for (int i = 0; i < MODELS; i++) {
        drawn_model d = draw_model(i);
        check_branch(*state, &d, &sum);
    }
    print_message("   %d points (%d stable, %d unstable), %d events; multipliers %.1e, measures "
                  "%.1e; %d came back, %d left, %d swept\n",
                  sum.points, sum.stable, sum.unstable, sum.events, sum.multiplier, sum.measure,
                  sum.returned, sum.left, sum.swept);
    assert_true(sum.points > 3 * MODELS && sum.returned > MODELS && sum.left > 3 && sum.swept > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(twenty_random_branches_agree_with_orbit_and_sweep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

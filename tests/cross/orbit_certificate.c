// orbit_certificate.c -- every orbit reported is one: random driven models, an independent check.
//   From the state of the orbit the reference integrator (reference_events.h) runs one period: it
//   comes back, and meets the events of the orbit and no others, so that nothing is passed through
//   between them. Stable: a start beside the orbit comes nearer; unstable: it leaves.
#include "event_lists.h"
#include "random_case.h"
#include "reference_events.h"

static int count = 100;
static unsigned long long first = 20001;

typedef struct tally {
    long models, found, events, stable, unstable, returned, left, doubtful;
    double worst;
} tally;

static tally sum;
static event_match match;

// The reference in the state of the orbit at its t = 0.
static reference *ref_on(jd_problem *problem, const jd_orbit_view *v, const double *state,
                         real beside) {
    reference *r = ref_open(problem, v->period, 5900, 0);
    for (int k = 0; k < 2 * r->n; k++) r->z[k] = state[k] * (1 + beside * (k % 3 ? 1 : -0.8L));
    ref_refresh(r);
    for (int j = 0; j < r->m; j++) {
        char c = v->phase[j];
        r->mark[j] = c != '|' ? c : r->c[j].both && ref_place(r, j) < 0 ? 'l' : 'u';
    }
    r->now = ref_find(r, r->mark);
    if (!r->now) {
        ref_free_all(r);
        return NULL;
    }
    ref_ladder(r, r->now);
    ref_settle(r, -1);
    r->doubtful = HUGE_VALL;                    // a state in double is at rest to rounding only
    for (int i = 0; i < r->now->n_guard; i++) { // a guard may be at zero to the rounding of doubles
        real g = ref_guard_at(r, i, r->z), noise = ref_noise(r, i);
        r->low[i] = g < 1e4L * noise ? fminl(0, g) - 1e4L * noise : -noise;
    }
    return r;
}

// Distance in the energy norm, relative to the size of the orbit's state where that is not rest.
static double distance(const reference *r, const double *state) {
    real d = 0, s = 0;
    for (int k = 0; k < r->n; k++) {
        real q = state[k], v = state[r->n + k];
        d += r->w2[k] * (r->z[k] - q) * (r->z[k] - q) + (r->z[r->n + k] - v) * (r->z[r->n + k] - v);
        s += r->w2[k] * q * q + v * v;
    }
    return (double)sqrtl(s > 0 ? d / s : d);
}

static void blame(const random_model *m, const char *what, const jd_orbit_view *v, double x) {
    random_text *w = calloc(1, sizeof *w);
    random_write(m, w);
    fprintf(stderr, "seed %llu: %s (%.3g); period %.12g, |mu| %.6g, phase %s, %d events\n%s",
            m->seed, what, x, v->period, v->stability.largest, v->phase, v->n_event, w->text);
    random_clean(m);
    free(w);
    fail();
}

// One period of the reference: back where it was, by the same events. A twin that starts beside it
// tells what rounding may do on the way.
static void check_return(const random_model *m, jd_problem *problem, const jd_orbit_view *v,
                         const double *state) {
    reference *r = ref_on(problem, v, state, 0), *twin = ref_on(problem, v, state, 1e-11L);
    if (r && twin) {
        ref_run(r, v->period);
        ref_run(twin, v->period);
        double off = distance(r, state), allowed = 1e-9 + 0.01 * distance(twin, state);
        event_list mine = {v->n_event, v->event, NULL}, a = {r->n_event, r->event, NULL};
        event_list b = {twin->n_event, twin->event, NULL};
        match.until = v->period * (1 - 1e-6), match.tolerance = 1e-6 * v->period;
        event_compare(&match, &a, &b, r->m);
        bool doubt = (double)r->doubtful < v->period || r->end != REF_TIME || match.off < HUGE_VAL;
        sum.doubtful += doubt;
        if (!doubt) {
            match.tolerance = fmax(1e-9 * v->period, match.worst);
            event_compare(&match, &mine, &a, r->m);
            if (match.off < HUGE_VAL) blame(m, "other events at", v, match.off);
            sum.worst = fmax(sum.worst, off);
            if (!(off <= allowed)) blame(m, "does not return", v, off);
            sum.events += v->n_event;
        }
    }
    ref_free_all(r);
    ref_free_all(twin);
}

// Starts beside the orbit: nearer after so many periods, or farther.
static void check_stability(const random_model *m, jd_problem *problem, const jd_orbit_view *v,
                            const double *state) {
    bool judged = !v->stability.marginal && !v->stability.soft && v->stability.neutral == 0 &&
                  (v->stability.stable ? v->stability.largest < 0.9 : v->stability.largest > 1.1);
    int periods =
        (int)ceil(fabs(log(v->stability.stable ? 1e-2 : 1e3) / log(v->stability.largest))) + 1;
    if (!judged || strpbrk(v->phase, "H|") || periods > 60) return;
    reference *r = ref_on(problem, v, state, 1e-7L);
    if (!r) return;
    double before = distance(r, state), after = 0;
    for (int k = 1; k <= periods; k++) {
        r->n_event = 0;
        ref_run(r, k * v->period);
        after = fmax(v->stability.stable ? 0 : after, distance(r, state));
    }
    if (v->stability.stable) sum.returned++;
    if (!v->stability.stable) sum.left++;
    if (v->stability.stable && !(after < 0.3 * before + 1e-9))
        blame(m, "stable, does not come back", v, after);
    if (!v->stability.stable && !(after > 3 * before))
        blame(m, "unstable, does not leave", v, after / before);
    ref_free_all(r);
}

static void check(const random_model *m, random_run *r) {
    jd_orbit *orbit = NULL;
    double state[2 * RANDOM_MODES];
    if (jd_orbit_create(r->context, r->problem, NULL, &orbit) != JD_OK) {
        fprintf(stderr, "%s", r->text.text);
        fail_msg("seed %llu: %s", m->seed, jd_context_error(r->context)->message);
    }
    const jd_orbit_view *v = jd_orbit_look(orbit);
    sum.models++;
    if (v->found && !v->simulated && v->undecided == 0) {
        jd_run *run = NULL;
        assert_int_equal(jd_orbit_run(orbit, &run), JD_OK);
        assert_int_equal(jd_run_modal_size(run), 2 * m->modes);
        jd_run_modal_state(run, state);
        jd_run_free(run);
        sum.found++, sum.stable += v->stability.stable, sum.unstable += !v->stability.stable;
        check_return(m, r->problem, v, state);
        check_stability(m, r->problem, v, state);
    }
    jd_orbit_free(orbit);
}

static void orbits_return_are_admissible_and_as_stable_as_said(void **unused) {
    (void)unused;
    random_run *r = calloc(1, sizeof *r);
    for (int i = 0; i < count; i++) {
        random_model m = random_draw(first + (unsigned long long)i, false);
        snprintf(m.tag, sizeof m.tag, "orbit-%d", (int)getpid());
        if (!random_driven(&m)) continue;
        random_clear_stops(&m);
        if (random_read(r, &m) && random_independence(r->problem) > 1e-9) check(&m, r);
        random_close(r);
    }
    free(r);
    print_message("   %ld models, %ld orbits (%ld stable, %ld not), %ld events; returns within "
                  "%.1e; %ld came back, %ld left, %ld meet a tie\n",
                  sum.models, sum.found, sum.stable, sum.unstable, sum.events, sum.worst,
                  sum.returned, sum.left, sum.doubtful);
    assert_true(sum.found > sum.models / 3 && sum.returned > 5);
}

// The orbits that random starts lead to, likewise; all of them are said to attract.
static void attractors_of_random_starts_are_such_orbits(void **unused) {
    (void)unused;
    random_run *r = calloc(1, sizeof *r);
    long models = 0, orbits = 0;
    memset(&sum, 0, sizeof sum);
    for (int i = 0; i < count / 5; i++) {
        random_model m = random_draw(first + 5000 + (unsigned long long)i, false);
        jd_attractors *a = NULL;
        snprintf(m.tag, sizeof m.tag, "starts-%d", (int)getpid());
        if (!random_driven(&m)) continue;
        random_clear_stops(&m);
        if (random_read(r, &m) && random_independence(r->problem) > 1e-9) {
            if (jd_attractors_create(r->context, r->problem, NULL, 4, 5, &a) != JD_OK)
                fail_msg("seed %llu: %s", m.seed, jd_context_error(r->context)->message);
            models++;
            for (int k = 0; k < jd_attractors_count(a); k++) {
                const jd_attractor *one = jd_attractor_look(a, k);
                if (one->rest) continue;
                assert_true(one->orbit->found && one->orbit->stability.stable &&
                            !one->orbit->stability.marginal);
                if (one->orbit->undecided > 0 || one->orbit->n != 2 * m.modes) continue;
                check_return(&m, r->problem, one->orbit, one->orbit->state);
                check_stability(&m, r->problem, one->orbit, one->orbit->state);
                orbits++;
            }
            jd_attractors_free(a);
        }
        random_close(r);
    }
    free(r);
    print_message("   %ld models, %ld attractors, %ld events; returns within %.1e; %ld came back\n",
                  models, orbits, sum.events, sum.worst, sum.returned);
    assert_true(orbits >= models / 2 && sum.returned > 0);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbits_return_are_admissible_and_as_stable_as_said),
        cmocka_unit_test(attractors_of_random_starts_are_such_orbits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

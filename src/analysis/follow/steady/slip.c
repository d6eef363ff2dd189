// slip.c -- the steady slip of a closure model, or of contacts with springs and normal forces on
// belts, along one number, and where it starts to oscillate.
//   f(x, p) = 0 by Newton's method at evenly spaced p; stable while max Re(eigenvalue) < 0; where
//   it vanishes with an imaginary part left, a Hopf point.     tested: closure_hopf_by_following
//   With springs the equilibrium and its complex modes are those of problem/contacts/sliding.h: the
//   flutter threshold is where the growth becomes positive, by bisection; without damping the
//   growth is 0 below it, which counts as stable.  tested: flutter_begins_at_its_closed_form
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "base/constants.h"
#include "judder/closure.h"
#include "problem/contacts/rest.h"
#include "problem/contacts/sliding.h"

typedef struct slip {
    jd_follow *f;
    jd_contact_state side;
    bool sprung;         // contacts with springs or normal forces
    const char *letters; // states of all of them
} slip;

// The sliding state of contacts with springs; the measured contact in out->contact.
static jd_status sprung_at(slip *s, jd_problem *p, jd_steady *out) {
    jd_follow *f = s->f;
    jd_sliding state;
    int j = f->curve.seen.measure->contact;
    JD_TRY(jd_problem_build(p));
    jd_arena *arena = jd_arena_create(f->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = jd_problem_sliding(arena, p, &state);
    if (status == JD_OK) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        double belt = c->against.kind == JD_MOVING ? c->against.velocity : 0;
        *out = (jd_steady){.found = true,
                           .here = true,
                           .growth = state.growth,
                           .omega = state.omega,
                           .contact = {state.u[j], -belt, state.force[j]}};
        if (!s->letters) s->letters = jd_arena_text(f->arena, state.letter);
    }
    jd_arena_free(arena);
    return status;
}

// A number that is there already is not set again: the run of the curve, where there is one, has
// structures that would be built anew.
static jd_status steady_at(slip *s, double value, jd_steady *out) {
    jd_problem *p = s->f->curve.problem;
    double is;
    JD_TRY(jd_problem_get(p, s->f->curve.parameter.path, &is));
    if (is != value) JD_TRY(jd_problem_set(p, s->f->curve.parameter.path, value, NULL));
    if (s->sprung) return sprung_at(s, p, out);
    return jd_closure_steady(s->f->context, p, s->side, out);
}

// The side the model starts on; from the surface itself the one that has a steady state.
static jd_status choose_side(slip *s) {
    jd_run *run;
    jd_steady steady;
    JD_TRY(jd_run_create(s->f->context, s->f->curve.problem, &run));
    s->side = jd_run_contacts(run).of[0];
    jd_run_free(run);
    if (jd_contact_sign(s->side) != 0) return JD_OK;
    s->side = JD_CONTACT_SLIDING_MINUS;
    JD_TRY(steady_at(s, s->f->options.from, &steady));
    if (!steady.found || !steady.here) s->side = JD_CONTACT_SLIDING_PLUS;
    return JD_OK;
}

static bool is_stable(const slip *s, const jd_steady *steady) {
    return steady->growth < 0 || (s->sprung && steady->growth == 0);
}

static void judge(const slip *s, double value, const jd_steady *steady, jd_branch_point *p) {
    const jd_measure *m = s->f->curve.seen.measure;
    double period = steady->omega > 0 ? JD_TWO_PI / steady->omega : 0;
    *p = (jd_branch_point){.parameter = value,
                           .amplitude =
                               m->kind == JD_MEASURE_AMPLITUDE ? 0 : steady->contact[m->quantity],
                           .period = period,
                           .stable = is_stable(s, steady),
                           .multiplier = {exp(steady->growth * (period > 0 ? period : 1)), 0}};
    for (int i = 0; i < steady->n; i++) p->n_unstable += steady->eigen[i][0] > 0;
}

// Where the verdict changes between two values, to the last digits.
static jd_status bisect(slip *s, double from, double to, double *value, jd_steady *out) {
    jd_steady at;
    JD_TRY(steady_at(s, from, &at));
    bool before = is_stable(s, &at);
    for (int i = 0; i < 200; i++) {
        double middle = from + (to - from) / 2;
        if (middle == from || middle == to) break;
        JD_TRY(steady_at(s, middle, &at));
        *(is_stable(s, &at) == before ? &from : &to) = middle;
    }
    *value = before ? to : from; // where it grows
    return steady_at(s, *value, out);
}

static jd_status add_change(slip *s, const jd_branch_point *a, const jd_branch_point *b) {
    jd_follow *f = s->f;
    jd_steady steady;
    jd_branch_point at;
    double value;
    if (s->sprung)
        JD_TRY(bisect(s, a->parameter, b->parameter, &value, &steady));
    else
        JD_TRY(jd_closure_hopf(f->context, f->curve.problem, s->side, f->curve.parameter.path,
                               a->parameter, b->parameter, &value, &steady));
    judge(s, value, &steady, &at);
    f->list.special[f->view.n_special++] =
        (jd_special){.error = (double)NAN, // not estimated
                     .kind = steady.omega > 0 ? JD_SPECIAL_HOPF : JD_SPECIAL_BRANCH,
                     .parameter = value,
                     .amplitude = at.amplitude,
                     .period = at.period,
                     .stable_before = a->stable,
                     .stable_after = b->stable,
                     .multiplier = {1, 0},
                     .point = f->view.n_point};
    return JD_OK;
}

static jd_status add_point(slip *s, double value, const jd_steady *steady) {
    jd_follow *f = s->f;
    int n = f->view.n_point;
    jd_branch_point *p = &f->list.point[n];
    judge(s, value, steady, p);
    if (n > 0 && p[-1].stable != p->stable && f->options.special) JD_TRY(add_change(s, p - 1, p));
    memcpy(f->list.state + n * steady->n, steady->x, (size_t)steady->n * sizeof *f->list.state);
    jd_branch_count_point(f);
    return JD_OK;
}

// Between two values of the parameter the equilibrium is lost: up to where it is there, and why not
// beyond.
static jd_status lose(slip *s, double from, double to) {
    jd_follow *f = s->f;
    jd_steady at;
    f->view.end = JD_END_LOST;
    f->view.why = jd_arena_text(f->arena, jd_context_error(f->context)->message);
    jd_context_clear_error(f->context);
    for (int i = 0; i < 200; i++) {
        double middle = from + (to - from) / 2;
        if (middle == from || middle == to) break;
        jd_status status = steady_at(s, middle, &at);
        if (status != JD_OK && status != JD_NOT_SUPPORTED) return status;
        if (status != JD_OK) jd_context_clear_error(f->context);
        *(status == JD_OK ? &from : &to) = middle;
    }
    f->view.end_parameter = from;
    return jd_arena_status(f->arena);
}

static jd_status march(slip *s, int n) {
    jd_follow *f = s->f;
    jd_steady steady;
    f->view.end = JD_END_TO;
    for (int i = 0; i < n; i++) {
        double value = f->options.from + (f->options.to - f->options.from) * i / (n - 1);
        f->view.end_parameter = value;
        if (jd_stop_wanted(f->context)) return f->view.end = JD_END_STOPPED, JD_OK;
        jd_status status = steady_at(s, value, &steady);
        if (status == JD_NOT_SUPPORTED && s->sprung && i > 0)
            return lose(s, f->list.point[i - 1].parameter, value);
        JD_TRY(status);
        if (!steady.found || !steady.here) {
            f->view.end = i ? JD_END_LOST : JD_END_NO_ORBIT;
            f->view.why = steady.found ? "the steady state lies on the other side of the surface"
                                       : "no steady state was found";
            return JD_OK;
        }
        f->curve.n = steady.n;
        JD_TRY(add_point(s, value, &steady));
    }
    return JD_OK;
}

static jd_status refuse(jd_follow *f, const char *where, const char *why) {
    jd_fail(f->context, JD_NOT_SUPPORTED, "a steady slip %s", why);
    jd_fail_where(f->context, "follow.%s", where);
    return JD_NOT_SUPPORTED;
}

bool jd_steady_applies(const jd_follow *f) {
    return f->options.of == JD_FOLLOW_STEADY && !f->options.hopf;
}

static bool is_sprung(const jd_problem *p) { return jd_rest_needed(p) && jd_problem_slides(p); }

static jd_status sprung_state(jd_follow *f, double *s, jd_phase *phase, double *omega) {
    curve *c = &f->curve;
    jd_sliding at;
    jd_arena *arena = jd_arena_create(f->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = jd_problem_sliding(arena, c->problem, &at);
    int modes = jd_problem_system(c->problem)->modal.n;
    for (int k = 0; k < modes && status == JD_OK; k++) s[k] = at.q[k];
    if (status == JD_OK) {
        *phase = jd_phase_of_text(at.letter);
        *omega = at.omega;
    }
    jd_arena_free(arena);
    return status;
}

jd_status jd_steady_state(jd_follow *f, double *s, jd_phase *phase, double *omega) {
    slip at = {.f = f};
    jd_steady steady;
    memset(s, 0, (size_t)f->curve.n * sizeof *s);
    if (is_sprung(f->curve.problem)) return sprung_state(f, s, phase, omega);
    JD_TRY(choose_side(&at));
    JD_TRY(steady_at(&at, f->options.from, &steady));
    *omega = steady.found && steady.here ? steady.omega : 0;
    for (int i = 0; i < f->curve.n && i < steady.n; i++) s[i] = steady.x[i];
    *phase = (jd_phase){.n = jd_problem_contacts(f->curve.problem)};
    phase->of[0] = at.side;
    return JD_OK;
}

jd_status jd_steady_follow(jd_follow *f) {
    enum { MOST_STATES = 64 };
    slip s = {.f = f};
    if (jd_problem_contacts(f->curve.problem) == 0)
        return refuse(f, "of", "needs a contact or a switching surface, and the model has none");
    if (f->curve.seen.measure->contact < 0 || f->curve.seen.measure->quantity > JD_MEASURE_FORCE ||
        f->curve.seen.measure->kind > JD_MEASURE_AMPLITUDE)
        return refuse(f, "measure", "is measured at its contact: displacement, velocity or force");
    int n = (int)fmin(fmax(2, ceil(1 / f->options.step) + 1), f->options.points);
    if (n < 2) n = 2;
    f->list.point = JD_TAKE(f->arena, jd_branch_point, n);
    f->list.special = JD_TAKE(f->arena, jd_special, n);
    f->list.state = JD_TAKE(f->arena, double, n *MOST_STATES);
    f->list.phases = JD_TAKE(f->arena, const char *, 1);
    JD_TRY(jd_arena_status(f->arena));
    s.sprung = is_sprung(f->curve.problem);
    if (!s.sprung) JD_TRY(choose_side(&s));
    f->list.phases[0] = s.side == JD_CONTACT_SLIDING_PLUS ? "+" : "-";
    f->view.n_phases = 1;
    f->view.of = JD_FOLLOW_STEADY;
    JD_TRY(march(&s, n));
    if (s.letters) f->list.phases[0] = s.letters;
    f->curve.count.orbits = f->view.n_point;
    return JD_OK;
}

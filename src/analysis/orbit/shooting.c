// shooting.c -- s -> P(s) over one period with its derivative, and Newton's method for P(s) = s.
//   forced:      (M - I) d = s - P(s)
//   autonomous:  [M - I  f(P)] [d ]   [s - P(s)]
//                [f(s)'   0  ] [dT] = [0       ]      no drift along the orbit
//   in coordinates scaled so that sizes are roots of energies (M then has entries of order 1).
#include "analysis/orbit/shooting.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"

static const double singular = 1e-12; // reciprocal condition

jd_status jd_shooting_create(jd_run *run, jd_arena *arena, jd_shooting **out) {
    const jd_engine_map *map = &run->class->map;
    if (!map->coordinates) {
        jd_fail(run->context, JD_NOT_SUPPORTED,
                "engine `%s` has no map of a period, which this is computed with",
                run->class->info.name);
        jd_fail_where(run->context, "simulate.engine");
        jd_fail_hint(run->context,
                     "`judder run` computes the motion; of engine wave `judder orbit` "
                     "finds what it settles to, and `judder sweep` with `measure: "
                     "POINT.displacement.set`; where friction along spans has a `stiffness`, "
                     "`simulate.engine: series` has orbits and branches of rods by their modes");
        return JD_NOT_SUPPORTED;
    }
    if (map->coordinates(run) == 0 && jd_system_has_cells(jd_problem_system(run->problem))) {
        jd_fail(
            run->context, JD_NOT_SUPPORTED,
            "engine `%s` offers orbits of contacts along spans or at several points where their "
            "laws have a `stiffness`",
            run->class->info.name);
        jd_fail_hint(run->context,
                     "give the contact a `stiffness`; rigid contacts written one by one have "
                     "orbits, up to %d of them; of rods `simulate.engine: wave` finds what the "
                     "motion settles to",
                     JD_PHASE_CONTACTS);
        return JD_NOT_SUPPORTED;
    }
    if (map->coordinates(run) == 0) {
        jd_fail(run->context, JD_NOT_SUPPORTED,
                "the memory of this structure is kept as waves under way (delays), which are no "
                "finite state: engine `%s` offers no shooting for them",
                run->class->info.name);
        jd_fail_hint(run->context,
                     "`simulate.memory: exponentials`, more damping, or finitely "
                     "many modes; `judder orbit` and `follow` close such orbits otherwise");
        return JD_NOT_SUPPORTED;
    }
    if (jd_problem_contacts(run->problem) > JD_PHASE_CONTACTS) {
        jd_fail(run->context, JD_NOT_SUPPORTED, "orbits of %d contacts are not offered, at most %d",
                jd_problem_contacts(run->problem), JD_PHASE_CONTACTS);
        jd_fail_hint(run->context, "`judder run` computes the motion until it repeats itself");
        return JD_NOT_SUPPORTED;
    }
    jd_shooting *sh = JD_TAKE(arena, jd_shooting, 1);
    int n = map->coordinates(run), m = jd_problem_contacts(run->problem);
    JD_TRY(jd_arena_status(arena));
    *sh = (jd_shooting){.run = run, .arena = arena, .n = n, .limit.most_events = JD_SHOOT_EVENTS};
    double **vectors[] = {&sh->scale, &sh->s, &sh->s1, &sh->rate};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(arena, double, n);
    sh->turns = 1;
    sh->origin = JD_TAKE(arena, double, JD_SHOOT_TURNS *n);
    sh->M = JD_TAKE(arena, double, n *n);
    sh->newton.A = JD_TAKE(arena, double, (n + 1) * (n + 1));
    sh->newton.b = JD_TAKE(arena, double, n + 1);
    sh->newton.work = JD_TAKE(arena, double, 5 * (n + 1));
    sh->newton.step = JD_TAKE(arena, double, n + 1);
    sh->newton.base = JD_TAKE(arena, double, n);
    sh->newton.pivot = JD_TAKE(arena, int, n + 1);
    sh->last.event = JD_TAKE_RAW(arena, jd_event, JD_SHOOT_EVENTS);
    sh->last.n_margin = m + 1;
    sh->last.margin = JD_TAKE_RAW(arena, double, (JD_SHOOT_EVENTS + 1) * (m + 1));
    JD_TRY(jd_arena_status(arena));
    map->scales(run, sh->scale);
    *out = sh;
    return JD_OK;
}

// The phase cut by the end of the period goes on at its start.
static jd_status close_margins(jd_shooting *sh) {
    int n = sh->last.n_margin;
    double *rest = sh->last.margin + JD_SHOOT_EVENTS * n, *first = sh->last.margin;
    JD_TRY(sh->run->class->map.margins(sh->run, true, rest));
    for (int j = 0; j + 1 < n; j++)
        if (sh->last.n_event) first[j] = fmin(first[j], rest[j]);
    return JD_OK;
}

// To t_stop, taking down the events on the way. JD_STEP_EVENT: there are too many.
static jd_status advance(jd_shooting *sh, double t_stop, bool watch, jd_step *step) {
    jd_run *run = sh->run;
    for (;;) {
        JD_TRY(jd_run_advance(run, t_stop, step));
        if (*step != JD_STEP_EVENT) return JD_OK;
        if (watch && sh->last.n_event < JD_SHOOT_EVENTS)
            JD_TRY(run->class->map.margins(run, false,
                                           sh->last.margin + sh->last.n_event * sh->last.n_margin));
        if (sh->last.n_event < JD_SHOOT_EVENTS) sh->last.event[sh->last.n_event++] = run->event;
        sh->limit.all_events++;
        if (++sh->last.events > sh->limit.most_events) return JD_OK;
    }
}

// States at t = 0 and whole periods of the drive later, k of `turns`; of mirrored motion those in
// the second half are the images of those in the first, h of twice as many, an odd number of them.
static jd_status visit_origins(jd_shooting *sh, bool watch, jd_step *step) {
    int turns = sh->turns, fine = sh->mirrored ? 2 : 1;
    double end = sh->start + sh->period / fine;
    for (int h = 1; h <= 2 * fine * turns; h++) {
        double t = sh->period * h / (fine * turns);
        if (t <= sh->start || t > end) continue;
        JD_TRY(advance(sh, t, watch, step));
        if (*step != JD_STEP_TIME) return JD_OK;
        bool image = fine == 2 && h % 2;
        double *at = sh->origin + (image ? h + turns : h) / fine % turns * sh->n;
        sh->run->class->map.state(sh->run, at);
        for (int i = 0; i < sh->n && image; i++) at[i] = -at[i];
    }
    return JD_OK;
}

static bool is_finite(int n, const double *x) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

// The state and the derivative at hand, turned round.
static void take_mirrored(jd_shooting *sh, bool tangent) {
    const jd_engine_map *map = &sh->run->class->map;
    map->state(sh->run, sh->s1);
    for (int i = 0; i < sh->n; i++) sh->s1[i] = -sh->s1[i];
    if (tangent) map->tangent(sh->run, sh->M);
    for (int i = 0; tangent && i < sh->n * sh->n; i++) sh->M[i] = -sh->M[i];
}

// To the end, by way of half a period where that is wanted; looking does not move the motion.
static jd_status advance_to_end(jd_shooting *sh, bool tangent, bool watch, jd_step *step) {
    if (sh->mirrored) {
        JD_TRY(advance(sh, sh->start + sh->period / 2, watch, step));
        if (*step != JD_STEP_TIME) return JD_OK;
        take_mirrored(sh, tangent);
    }
    return advance(sh, sh->start + sh->period, watch, step);
}

// Panels since `before`. A derivative takes them for n numbers at once, 16 for the price of one.
// Other engines have none: what they count as evaluations costs a thousandth of a panel.
static void count_work(jd_shooting *sh, const jd_report *before, bool tangent) {
    jd_report after;
    if (sh->run->class != &jd_engine_memory) return;
    jd_run_report(sh->run, &after);
    double panels = (double)(after.certificate.evaluations - before->certificate.evaluations);
    sh->limit.work += panels * (tangent ? 1 + sh->n / 16.0 : 1);
}

jd_status jd_shooting_round(jd_shooting *sh, bool tangent, bool *lost) {
    jd_run *run = sh->run;
    *lost = sh->limit.most_time > 0 && sh->period > sh->limit.most_time;
    if (*lost) return JD_OK;
    const jd_engine_map *map = &run->class->map;
    jd_step step = JD_STEP_TIME;
    jd_report before, after;
    sh->last.n_event = 0;
    sh->last.events = 0;
    sh->last.grazes = false;
    sh->limit.spent += sh->period;
    JD_TRY(map->restart(run, sh->start, sh->s, &sh->phase));
    if (tangent) JD_TRY(map->tangent_start(run));
    if (tangent && sh->last.ranges) JD_TRY(jd_run_track(run));
    bool watch = sh->last.watch && map->margins;
    if (watch) JD_TRY(map->margin_start(run));
    jd_run_report(run, &before);
    if (tangent) JD_TRY(visit_origins(sh, watch, &step));
    if (step == JD_STEP_TIME) JD_TRY(advance_to_end(sh, tangent, watch, &step));
    count_work(sh, &before, tangent);
    *lost = step != JD_STEP_TIME;
    if (*lost) return JD_OK;
    if (watch) JD_TRY(close_margins(sh));
    if (sh->mirrored) {
        map->state(run, sh->newton.work);
        double size = fmax(jd_shooting_size(sh, sh->s), jd_shooting_size(sh, sh->newton.work));
        sh->unclosed = size > 0 ? jd_shooting_distance(sh, sh->s, sh->newton.work) / size : 0;
    } else
        map->state(run, sh->s1);
    if (tangent && sh->last.ranges) JD_TRY(jd_run_ranges(run, sh->last.ranges));
    if (tangent && !sh->mirrored) map->tangent(run, sh->M);
    *lost = sh->last.grazes = tangent && !is_finite(sh->n * sh->n, sh->M);
    map->rate(run, sh->rate);
    sh->phase1 = jd_run_contacts(run);
    jd_run_report(run, &after);
    sh->last.undecided = after.certificate.undecided - before.certificate.undecided;
    sh->tolerance = after.certificate.tolerance;
    sh->proves =
        sh->tolerance == 0 && after.certificate.chatter_speed == 0 && after.certificate.error == 0;
    sh->last.certified = sh->proves && sh->last.undecided == 0;
    return JD_OK;
}

double jd_shooting_size(const jd_shooting *sh, const double *s) {
    double total = 0;
    for (int i = 0; i < sh->n; i++) total += sh->scale[i] * sh->scale[i] * s[i] * s[i];
    return sqrt(total);
}

double jd_shooting_distance(const jd_shooting *sh, const double *a, const double *b) {
    double total = 0;
    for (int i = 0; i < sh->n; i++) {
        double d = sh->scale[i] * (a[i] - b[i]);
        total += d * d;
    }
    return sqrt(total);
}

double jd_shooting_residual(const jd_shooting *sh) {
    double whole = fmax(jd_shooting_size(sh, sh->s), jd_shooting_size(sh, sh->s1));
    return whole > 0 ? jd_shooting_distance(sh, sh->s, sh->s1) / whole : 0;
}

double jd_shooting_floor(const jd_shooting *sh) { return fmax(1e-9, 0.1 * sh->tolerance); }

static double largest_column(int n, const double *A) {
    double norm = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(A[i * n + j]);
        norm = fmax(norm, sum);
    }
    return norm;
}

int jd_shooting_assemble(jd_shooting *sh) {
    int n = sh->n, N = sh->forced ? n : n + 1;
    const double *d = sh->scale;
    double speed = jd_shooting_size(sh, sh->rate); // the last row is made as large as the others
    double size = fmax(jd_shooting_size(sh, sh->s), jd_shooting_size(sh, sh->s1));
    sh->newton.unit =
        size > 0 && isfinite(size) ? ldexp(1, ilogb(size)) : 1; // and so is the last column
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            sh->newton.A[i * N + j] = d[i] * sh->M[i * n + j] / d[j] - (i == j);
        sh->newton.b[i] = d[i] * (sh->s[i] - sh->s1[i]);
        if (sh->forced) continue;
        sh->newton.A[i * N + n] = d[i] * sh->rate[i] * sh->period / sh->newton.unit; // of unit dT/T
        sh->newton.A[n * N + i] = speed > 0 ? d[i] * sh->rate[i] / speed : 0;
    }
    if (!sh->forced) sh->newton.A[n * N + n] = sh->newton.b[n] = 0;
    return N;
}

// Singular systems belong to families of orbits (a contact stuck all along may rest elsewhere): the
// shortest step leads to the member of the family that is nearest.
double jd_shooting_step(jd_shooting *sh, double factor) {
    int n = sh->n, N = jd_shooting_assemble(sh);
    double norm =
        largest_column(N, sh->newton.A); // measured against the identity: M = I is singular
    sh->newton.condition = fmin(1, norm) * jd_solve_general(N, sh->newton.A, sh->newton.b,
                                                            sh->newton.pivot, sh->newton.work);
    if (sh->newton.condition < singular) {
        jd_shooting_assemble(sh);
        if (norm < singular ||
            jd_solve_shortest(N, sh->newton.A, sh->newton.b, singular, sh->newton.pivot) < 1)
            return 0;
    }
    for (int i = 0; i < n; i++) sh->s[i] += factor * sh->newton.b[i] / sh->scale[i];
    if (!sh->forced)
        sh->period *= 1 + fmax(-0.5, fmin(0.5, factor * sh->newton.b[n] / sh->newton.unit));
    return fmax(sh->newton.condition, 1e-300);
}

static bool is_spent(const jd_shooting *sh) {
    return (sh->limit.most_spent > 0 && sh->limit.spent > sh->limit.most_spent) ||
           (sh->limit.most_work > 0 && sh->limit.work > sh->limit.most_work);
}

// Tries the step at full length and halved until the residual falls. False: it never does.
// A full step ends at P(s) + M d, which belongs to the contact states at the end of the round.
static jd_status search(jd_shooting *sh, double residual, double period, bool *better) {
    bool lost;
    double *step = sh->newton.step;
    memcpy(step, sh->newton.b, (size_t)(sh->n + 1) * sizeof *step);
    sh->newton.base_phase = sh->phase;
    sh->phase = sh->phase1;
    *better = false;
    for (double factor = 1; factor > 1e-3 && !*better && !is_spent(sh); factor /= 2) {
        for (int i = 0; i < sh->n; i++)
            sh->s[i] = sh->newton.base[i] + factor * step[i] / sh->scale[i];
        if (!sh->forced)
            sh->period =
                period * (1 + fmax(-0.5, fmin(0.5, factor * step[sh->n] / sh->newton.unit)));
        bool whole = factor >= 1; // the derivative of a step that fails is not wanted
        JD_TRY(jd_shooting_round(sh, whole, &lost));
        *better = !lost && jd_shooting_residual(sh) < residual;
        if (*better && !whole) JD_TRY(jd_shooting_round(sh, true, &lost));
        *better = *better && !lost;
    }
    return JD_OK;
}

// Back to where the last step began.
static jd_status retreat(jd_shooting *sh, double period) {
    bool lost;
    memcpy(sh->s, sh->newton.base, (size_t)sh->n * sizeof *sh->s);
    sh->phase = sh->newton.base_phase;
    sh->period = period;
    return jd_shooting_round(sh, true, &lost);
}

static bool ends(jd_shooting *sh, jd_orbit_reason reason, const char *text, const char **why) {
    sh->newton.reason = reason;
    *why = text ? text : reason == JD_ORBIT_FOUND ? NULL : jd_orbit_reason_text(reason);
    return reason == JD_ORBIT_FOUND;
}

// A step to a state so large that any residual is small beside it: resonance without damping.
static bool is_endless(const jd_shooting *sh) {
    double size = fmax(jd_shooting_size(sh, sh->newton.base), jd_shooting_size(sh, sh->s1));
    return !(jd_shooting_size(sh, sh->s) < 1e8 * size);
}

static jd_status iterate(jd_shooting *sh, int iterations, double tolerance, double *history,
                         int *n_step, bool *found, const char **why) {
    for (bool better;; (*n_step)++) {
        double residual = history[*n_step] = jd_shooting_residual(sh), period = sh->period;
        *found = residual <= tolerance && ends(sh, JD_ORBIT_FOUND, NULL, why);
        if (*found) break;
        ends(sh, JD_ORBIT_NO_CONVERGENCE, "Newton's method used up its steps", why);
        if (*n_step == iterations) break;
        memcpy(sh->newton.base, sh->s, (size_t)sh->n * sizeof *sh->newton.base);
        ends(sh, JD_ORBIT_NOT_ISOLATED, NULL, why);
        if (jd_shooting_step(sh, 1) == 0 || is_endless(sh)) break;
        JD_TRY(search(sh, residual, period, &better));
        if (better) continue;
        JD_TRY(retreat(sh, period)); // at rounding level neither of the two is better
        *found = residual <= jd_shooting_floor(sh) && ends(sh, JD_ORBIT_FOUND, NULL, why);
        if (!*found)
            ends(sh,
                 sh->newton.condition < singular ? JD_ORBIT_NOT_ISOLATED : JD_ORBIT_NO_CONVERGENCE,
                 sh->newton.condition < singular
                     ? NULL
                     : "no Newton step brings the end of the period closer to its start",
                 why);
        break;
    }
    return JD_OK;
}

jd_status jd_shooting_solve(jd_shooting *sh, int iterations, double tolerance, double *history,
                            int *n_step, bool *found, const char **why) {
    bool lost;
    *n_step = 0;
    *found = false;
    history[0] = (double)NAN;
    JD_TRY(jd_shooting_round(sh, true, &lost));
    if (!lost) return iterate(sh, iterations, tolerance, history, n_step, found, why);
    bool storm = sh->last.events > sh->limit.most_events;
    ends(sh,
         storm             ? JD_ORBIT_TOO_MANY_EVENTS
         : sh->last.grazes ? JD_ORBIT_NO_CONVERGENCE
                           : JD_ORBIT_STOPPED,
         storm             ? NULL
         : sh->last.grazes ? "a contact is only grazed: the period map has no derivative there"
                           : "the motion did not complete a period",
         why);
    return JD_OK;
}

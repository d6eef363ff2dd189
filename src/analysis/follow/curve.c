// curve.c -- residual, derivative and Newton's method on the curve of orbits.
//   Newton: [F_y; w'] d = -[F; 0] keeps the iterates in the plane w'(y - start) = 0.
//   d/dlambda by differences of P to one side, h = 3e-8, error about 1e-8 (both sides where it
//   decides a fold, 1e-10): it moves the tangent, never the points.
//   Broyden's updates of the factors of the point before; new derivatives where they converge
//   slowly. The round that ends it brings the derivative of the converged point.
#include "analysis/follow/curve.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"

static const double small_state = 1e-2; // of S: smaller states are as good as zero for residuals
static const double difference = 3e-6;  // of L or |lambda|, to both sides
static const double narrow = 3e-8;      // to one side
static const double steep = 30;         // of M: an impact may graze
static const double no_digits = 1e-11;  // differences that leave too few across the impact's doing
static const double digits = 1e-15;     // of F: its rounding
static const double hardly = 0.05;      // change of the slowest impact's speed that is allowed
enum { SHORTER = 12 };
static const double beyond = 1e-4; // of L or |lambda|: as far as steps may lead out

static jd_status open_run(curve *c) {
    c->run_arena = jd_arena_create(c->context);
    if (!c->run_arena) return JD_OUT_OF_MEMORY;
    JD_TRY(jd_run_create(c->context, c->problem, &c->run));
    jd_run_for_analysis(c->run);
    bool ranged = jd_measuring_ranged(&c->seen.measures, &c->run->ranges);
    if (c->seen.all_ranges) c->run->ranges = 0;
    JD_TRY(jd_measuring_probe(&c->seen.measures, c->run, c->run_arena));
    JD_TRY(jd_shooting_create(c->run, c->run_arena, &c->sh));
    c->sh->forced = c->forced;
    if (c->seen.all_ranges || ranged) c->sh->last.ranges = c->seen.ranges;
    return JD_OK;
}

static void close_run(curve *c) {
    jd_run_free(c->run);
    jd_arena_free(c->run_arena);
    c->run = NULL;
    c->run_arena = NULL;
}

jd_status jd_curve_open(curve *c) {
    int m = jd_problem_contacts(c->problem);
    c->seen.ranges = JD_TAKE(c->arena, jd_contact_ranges, m + 1);
    c->seen.touching = JD_TAKE(c->arena, jd_contact_ranges, m + 1);
    c->seen.look = JD_TAKE(c->arena, double, 9 * m + 1);
    JD_TRY(jd_arena_status(c->arena));
    JD_TRY(open_run(c));
    int n = c->n = c->sh->n, N = c->N = n + (c->forced ? 1 : 2);
    c->newton.J = JD_TAKE(c->arena, double, N *N);
    c->newton.lu = JD_TAKE(c->arena, double, N *N);
    c->newton.pivot = JD_TAKE(c->arena, int, N);
    double **vectors[] = {&c->newton.F,    &c->newton.rate0, &c->newton.step,    &c->newton.trial,
                          &c->newton.kept, &c->newton.chord, &c->newton.through, &c->newton.along};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(c->arena, double, N);
    c->newton.steep = JD_TAKE(c->arena, double, 3 * n);
    c->events.listed = JD_TAKE(c->arena, int, JD_SHOOT_EVENTS);
    c->events.dropped = JD_TAKE(c->arena, bool, JD_SHOOT_EVENTS);
    c->events.row = JD_TAKE(c->arena, impact_row, m + 1);
    c->events.speed = JD_TAKE(c->arena, double, JD_SHOOT_EVENTS);
    c->events.begin = JD_TAKE(c->arena, double, JD_SHOOT_EVENTS);
    c->newton.past = JD_TAKE(c->arena, double, (MOST_STEPS + 1) * N);
    JD_TRY(jd_arena_status(c->arena));
    return jd_member_open(c);
}

void jd_curve_close(curve *c) { close_run(c); }

double jd_curve_parameter(const curve *c, const double *y) { return y[c->N - 1] * c->parameter.L; }

void jd_curve_pack(const curve *c, const double *s, double period, double lambda, double *y) {
    for (int i = 0; i < c->n; i++) y[i] = c->sh->scale[i] * s[i] / c->S;
    if (!c->forced) y[c->n] = log(period);
    y[c->N - 1] = lambda / c->parameter.L;
}

// No orbit there: the parameter is out of its range, or the model cannot be built with it.
static void refuse(curve *c) {
    c->parameter.bound = true;
    jd_context_clear_error(c->context);
}

// One number into the problem, built with it; false (c->parameter.bound): it has no such value.
static jd_status set_one(curve *c, const char *path, double value, double *is,
                         jd_rebuild *rebuild) {
    if (value == *is) return JD_OK;
    if (jd_problem_set(c->problem, path, value, rebuild) != JD_OK) return refuse(c), JD_OK;
    jd_status status = jd_problem_build(c->problem);
    if (status == JD_OUT_OF_MEMORY) return status;
    if (status != JD_OK) {
        jd_problem_set(c->problem, path, *is, NULL);
        refuse(c);
        return jd_problem_build(c->problem);
    }
    *is = value;
    return JD_OK;
}

// The parameters into the problem, the problem into the run.
static jd_status set_parameter(curve *c, double lambda) {
    bool first = lambda != c->parameter.lambda,
         second = c->parameter.second && c->parameter.mu_wanted != c->parameter.mu;
    c->parameter.bound = false;
    if (first)
        JD_TRY(set_one(c, c->parameter.path, lambda, &c->parameter.lambda, &c->parameter.rebuild));
    if (second && !c->parameter.bound)
        JD_TRY(set_one(c, c->parameter.second, c->parameter.mu_wanted, &c->parameter.mu,
                       &c->parameter.second_rebuild));
    if ((!first && !second) || (c->parameter.bound && !second)) return JD_OK;
    if ((!first || c->parameter.rebuild <= JD_REBUILD_LAWS) &&
        (!second || c->parameter.second_rebuild <= JD_REBUILD_LAWS))
        return c->run->class->map.replan(c->run);
    close_run(c);
    JD_TRY(open_run(c));
    if (c->sh->n == c->n) return JD_OK;
    return jd_fail(c->context, JD_NOT_SUPPORTED, "`%s` changes the number of modes from %d to %d",
                   first && c->parameter.rebuild > JD_REBUILD_LAWS ? c->parameter.path
                                                                   : c->parameter.second,
                   c->n / 2, c->sh->n / 2);
}

jd_status jd_curve_set(curve *c, const double *y, bool *set) {
    *set = false;
    for (int i = 0; i < c->N; i++)
        if (!isfinite(y[i])) return JD_OK;
    double lambda = jd_curve_parameter(c, y), slack = beyond * fmax(c->parameter.L, fabs(lambda));
    if (lambda < c->parameter.low - slack || lambda > c->parameter.high + slack) return JD_OK;
    JD_TRY(set_parameter(c, lambda));
    if (c->parameter.bound) return JD_OK;
    jd_shooting *sh = c->sh;
    for (int i = 0; i < c->n; i++) sh->s[i] = y[i] * c->S / sh->scale[i];
    sh->period = c->forced ? c->periods * jd_problem_period(c->problem) : exp(y[c->n]);
    if (c->forced && !jd_problem_repeats(c->problem, sh->period)) return JD_OK; // no such orbits
    sh->start = c->anchor * sh->period;
    sh->mirrored = c->mirrored;
    sh->turns = c->forced && c->periods <= JD_SHOOT_TURNS ? c->periods : 1;
    if (c->finer < 1) c->run->class->map.refine(c->run, c->finer);
    *set = true;
    return JD_OK;
}

jd_status jd_curve_round(curve *c, const double *y, bool derivative, bool *lost) {
    bool set;
    JD_TRY(jd_curve_set(c, y, &set));
    *lost = !set;
    if (*lost) return JD_OK;
    jd_shooting *sh = c->sh;
    sh->phase = c->phase;
    sh->last.watch = derivative || c->watch;
    JD_TRY(jd_shooting_round(sh, derivative, lost));
    c->count.rounds++;
    c->count.derivatives += derivative;
    if (*lost) return JD_OK;
    jd_chatter_list(c);
    JD_TRY(jd_member_take(c, derivative, lost));
    if (*lost) return JD_OK;
    double total = 0, size = 0;
    for (int i = 0; i < c->n; i++) c->newton.F[i] = sh->scale[i] * (sh->s1[i] - sh->s[i]) / c->S;
    jd_member_add(c, c->newton.F);
    for (int i = 0; i < c->n; i++) {
        total += c->newton.F[i] * c->newton.F[i];
        size += y[i] * y[i];
    }
    c->residual = sqrt(total) / fmax(sqrt(size), small_state);
    return JD_OK;
}

bool jd_curve_factor(curve *c, const double *border) {
    memcpy(c->newton.lu, c->newton.J, (size_t)(c->N * (c->N - 1)) * sizeof *c->newton.lu);
    memcpy(c->newton.lu + c->N * (c->N - 1), border, (size_t)c->N * sizeof *c->newton.lu);
    return jd_lu_factor(c->N, c->newton.lu, c->newton.pivot);
}

// F at lambda + h into `side`; same: with as many events.
static jd_status look_aside(curve *c, const double *y, double h, long events, double *side,
                            bool *good, bool *same) {
    bool lost;
    memcpy(c->newton.trial, y, (size_t)c->N * sizeof *c->newton.trial);
    c->newton.trial[c->N - 1] += h;
    JD_TRY(jd_curve_round(c, c->newton.trial, false, &lost));
    *good = !lost;
    *same = !lost && c->events.counted == events;
    memcpy(side, c->newton.F, (size_t)c->n * sizeof *side);
    return JD_OK;
}

static double aside(const curve *c, const double *y, double share) {
    share = fmax(share, 0.1 * sqrt(c->sh->tolerance)); // P is as smooth as the engine is accurate
    return share * fmax(1, fabs(y[c->N - 1]));
}

// Column d F/d lambda from one side, that of `h`, F at y in c->newton.kept; false: there is no such
// orbit there.
static jd_status one_sided(curve *c, const double *y, double h, long events, bool *done) {
    bool good;
    double *side = c->newton.lu;
    JD_TRY(look_aside(c, y, h, events, side, &good, done));
    for (int i = 0; *done && i < c->n; i++)
        c->newton.J[i * c->N + c->N - 1] = (side[i] - c->newton.kept[i]) / h;
    return JD_OK;
}

// The same from both sides; from one where the other is out of range, lost or has other events.
static jd_status two_sided(curve *c, const double *y, double share, long events) {
    int N = c->N, n = c->n;
    double h = aside(c, y, share), *side = c->newton.lu;
    bool good[2], same[2];
    for (int k = 0; k < 2; k++)
        JD_TRY(look_aside(c, y, k ? -h : h, events, side + k * n, &good[k], &same[k]));
    bool both = good[0] && good[1] && same[0] == same[1];
    bool upper = both || same[0] || (good[0] && !same[1]), lower = both || !upper;
    const double *up = upper ? side : c->newton.kept, *down = lower ? side + n : c->newton.kept;
    double width = both ? 2 * h : h;
    for (int i = 0; i < n; i++) c->newton.J[i * N + N - 1] = (up[i] - down[i]) / width;
    return JD_OK;
}

// Speeds of the impacts of the last round.
static void note_speeds(curve *c) {
    c->events.n_speed = 0;
    for (int i = 0; i < c->events.n_listed; i++) {
        const jd_event *e = &c->sh->last.event[c->events.listed[i]];
        if (jd_event_is_impact(e)) c->events.speed[c->events.n_speed++] = fabs(e->speed);
    }
}

// Largest relative change of a speed since they were noted; 1: other impacts.
static double speeds_changed(const curve *c) {
    double largest = 0;
    int n = 0;
    for (int i = 0; i < c->events.n_listed; i++) {
        const jd_event *e = &c->sh->last.event[c->events.listed[i]];
        if (!jd_event_is_impact(e)) continue;
        if (n == c->events.n_speed) return 1;
        largest = fmax(largest, fabs(fabs(e->speed) / c->events.speed[n++] - 1));
    }
    return n == c->events.n_speed ? largest : 1;
}

// Unit vector along the largest column of the n x n matrix A, turned towards its largest left
// singular vector; the size of that column.
static double dominant(int n, const double *A, double *u) {
    double largest = 0;
    int at = 0;
    for (int j = 0; j < n; j++) {
        double size = 0;
        for (int i = 0; i < n; i++) size += A[i * n + j] * A[i * n + j];
        if (size > largest) at = j;
        largest = fmax(largest, size);
    }
    for (int i = 0; i < n; i++) u[i] = A[i * n + at];
    for (int turn = 0; turn < 3; turn++) {
        double size = 0, *next = u + n;
        memset(next, 0, (size_t)n * sizeof *next);
        for (int j = 0; j < n; j++) {
            double along = 0;
            for (int i = 0; i < n; i++) along += A[i * n + j] * u[i];
            for (int i = 0; i < n; i++) next[i] += A[i * n + j] * along;
        }
        for (int i = 0; i < n; i++) size += next[i] * next[i];
        for (int i = 0; i < n && size > 0; i++) u[i] = next[i] / sqrt(size);
    }
    return sqrt(largest);
}

// The column of J from `close` along the directions in which M is large, as it is across them.
static void mix(curve *c, const double *close) {
    int n = c->n, N = c->N;
    double *A = c->newton.lu, *u = c->newton.steep;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = c->newton.J[i * N + j] + (i == j);
    for (int k = 0; k < n && dominant(n, A, u) > steep; k++) {
        double more = 0;
        for (int i = 0; i < n; i++) more += u[i] * (close[i] - c->newton.J[i * N + N - 1]);
        for (int i = 0; i < n; i++) c->newton.J[i * N + N - 1] += more * u[i];
        for (int j = 0; j < n; j++) {
            double along = 0;
            for (int i = 0; i < n; i++) along += u[i] * A[i * n + j];
            for (int i = 0; i < n; i++) A[i * n + j] -= along * u[i];
        }
    }
}

// Largest relative change of an impact's speed at lambda + h, h by `share`; 1: other events.
static jd_status look_change(curve *c, const double *y, double share, long events, double *change) {
    bool good, same;
    JD_TRY(look_aside(c, y, aside(c, y, share), events, c->newton.lu, &good, &same));
    *change = same ? fmin(1, speeds_changed(c)) : 1;
    return JD_OK;
}

static double slowest(const curve *c) {
    double v = HUGE_VAL;
    for (int i = 0; i < c->events.n_speed; i++) v = fmin(v, c->events.speed[i]);
    return v;
}

// The difference across the impact's doing. Where the speed v changes by the share q, something of
// it, v q^2/|M|, shows across as well, for the directions of M are known to 1/|M|; rounding is as
// large for q^2 = rounding |M|/v. share: where q is `hardly`.
static double wider(const curve *c, double share, double largest) {
    double q = sqrt(digits * largest * c->S / slowest(c));
    return q < 1 ? share * fmax(1, q / hardly) : narrow;
}

// Near a grazing of speed v, P_lambda grows like 1/v and its derivative like 1/v^3, but only along
// what the impact changes, where M is large: there from both sides, so close by that v hardly
// changes. What of it lies along the small singular values of M - I decides the tangent, and
// needs a wider difference for its digits where v is very small.
static jd_status steep_column(curve *c, const double *y, double largest, long events) {
    double share = difference, change, *close = c->newton.steep + 2 * c->n;
    while (share > narrow) { // what rounding leaves of P, amplified, weighs less in a wide one
        JD_TRY(look_change(c, y, share, events, &change));
        if (change <= 0.1 * hardly) break;
        share = fmax(narrow, 0.1 * share);
    }
    for (int i = 0; share <= narrow && i < SHORTER && c->events.n_speed > 0; i++) {
        JD_TRY(look_change(c, y, share, events, &change));
        if (change <= hardly) break;
        share *= fmax(0.5 * hardly / change, 1e-2);
    }
    JD_TRY(two_sided(c, y, share, events));
    if (share == narrow) return JD_OK;
    int last = c->N - 1;
    for (int i = 0; i < c->n; i++) close[i] = c->newton.J[i * c->N + last];
    JD_TRY(two_sided(c, y, share / 2, events)); // both together: right to the fourth order
    for (int i = 0; i < c->n; i++) close[i] = (4 * c->newton.J[i * c->N + last] - close[i]) / 3;
    if (share < no_digits) JD_TRY(two_sided(c, y, wider(c, share, largest), events));
    if (share < no_digits)
        mix(c, close);
    else
        for (int i = 0; i < c->n; i++) c->newton.J[i * c->N + last] = close[i];
    return JD_OK;
}

static jd_status difference_column(curve *c, const double *y) {
    bool done = false;
    long events = c->events.counted;
    double largest = 0;
    note_speeds(c);
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++) largest = fmax(largest, fabs(c->newton.J[i * c->N + j]));
    if (c->forced && largest > steep) return steep_column(c, y, largest, events);
    if (c->forced && !c->newton.central)
        JD_TRY(one_sided(c, y, aside(c, y, narrow), events, &done));
    return done ? JD_OK : two_sided(c, y, difference, events);
}

void jd_curve_slope(curve *c) {
    int n = c->n;
    const jd_shooting *sh = c->sh;
    const double *d = sh->scale;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c->newton.J[i * c->N + j] = d[i] * sh->M[i * n + j] / d[j] - (i == j);
    jd_member_slope(c, c->newton.J);
}

jd_status jd_curve_linearise(curve *c, const double *y, const double *border, bool *lost) {
    int n = c->n, N = c->N;
    const jd_shooting *sh = c->sh;
    jd_curve_slope(c);
    for (int i = 0; i < n && !c->forced; i++)
        c->newton.J[i * N + n] = sh->scale[i] * sh->rate[i] * sh->period / c->S;
    if (!c->forced) {
        memset(c->newton.J + n * N, 0, (size_t)N * sizeof *c->newton.J);
        memcpy(c->newton.J + n * N, c->newton.rate0, (size_t)n * sizeof *c->newton.J);
    }
    double residual = c->residual;
    memcpy(c->newton.kept, c->newton.F, (size_t)n * sizeof *c->newton.F);
    JD_TRY(difference_column(c, y));
    memcpy(c->newton.F, c->newton.kept, (size_t)n * sizeof *c->newton.F);
    c->residual = residual;
    *lost = border && !jd_curve_factor(c, border);
    return JD_OK;
}

jd_status jd_curve_derivative(curve *c, const double *y, const double *border, bool *lost) {
    JD_TRY(jd_curve_round(c, y, true, lost));
    if (*lost) return JD_OK;
    return jd_curve_linearise(c, y, border, lost);
}

static const double slow = 0.1;       // steps that gain less get new derivatives
static const double own_share = 0.2;  // points of a branch are meant to be better than asked for
static const double rounding = 3e-15; // of |y|
static const double floor_at = 1e-10; // rounding may keep the residual from falling below this

// Broyden's step from the last round: z = -B0^-1 F, corrected by the steps since B0 was factored,
//   z += s_j+1 (s_j'z)/|s_j|^2,  s_k+1 = z/(1 - s_k'z/|s_k|^2).
// False: singular or far too long.
static bool broyden_step(curve *c, double *y) {
    int N = c->N, k = c->newton.n_past;
    double *z = c->newton.step, size = 0;
    for (int i = 0; i < N; i++) z[i] = i < c->n ? -c->newton.F[i] : 0;
    jd_lu_solve(N, c->newton.lu, c->newton.pivot, z);
    for (int j = 0; j < k; j++) {
        const double *s = c->newton.past + j * N, *next = s + N;
        double along = 0;
        for (int i = 0; i < N; i++) along += s[i] * z[i];
        along /= c->newton.past_size[j];
        for (int i = 0; j + 1 < k && i < N; i++) z[i] += next[i] * along;
        for (int i = 0; j + 1 == k && along < 0.5 && i < N; i++) z[i] /= 1 - along;
    }
    for (int i = 0; i < N; i++) {
        y[i] += z[i];
        size += z[i] * z[i];
    }
    if (!(size < 1)) return false; // NaN too
    if (size > 0 && k < MOST_STEPS) {
        memcpy(c->newton.past + k * N, z, (size_t)N * sizeof *z);
        c->newton.past_size[k] = size;
        c->newton.n_past++;
    }
    return true;
}

// What rounding of y leaves of F: beside a grazing, where M is large, more than the tolerance.
static double rounding_of(const curve *c) {
    double largest = 0;
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++) largest = fmax(largest, fabs(c->newton.J[i * c->N + j]));
    return isfinite(largest) ? rounding * largest : 0;
}

jd_status jd_curve_correct(curve *c, double *y, const double *border, bool own, bool *found) {
    double last = HUGE_VAL, first = HUGE_VAL, expected = HUGE_VAL, noise = rounding_of(c),
           goal = fmax(noise, own ? own_share * c->tolerance : c->tolerance);
    bool lost, renewed = false;
    *found = c->newton.fresh = false;
    c->newton.n_past = 0;
    for (int it = 0; it < MOST_STEPS; it++) {
        bool final = expected <= goal;
        c->watch = final;
        jd_status status = jd_curve_round(c, y, own && final, &lost);
        c->watch = false;
        JD_TRY(status);
        if (lost) return JD_OK;
        double residual = c->residual;
        bool start_kept = jd_phase_same(&c->sh->phase1, &c->phase);
        if (it == 0) first = residual;
        c->newton.fresh = own && final;
        double floor_here =
            fmax(fmax(floor_at, 10 * noise), c->sh->tolerance); // or its choice of steps
        bool stalled = renewed && residual < floor_here && residual > last / 2;
        if (start_kept && (residual <= goal || stalled)) break;
        if (it == MOST_STEPS - 1 || residual > 1e3 * first + 1e-6) return JD_OK;
        if (!start_kept && residual < 0.1) c->phase = c->sh->phase1;
        renewed = (it > 0 && residual > slow * last) || !start_kept ||
                  c->member.n != c->member.sloped; // contacts began or ceased to slide
        if (renewed) {
            JD_TRY(jd_curve_derivative(c, y, border, &lost));
            if (lost) return JD_OK;
            c->newton.n_past = 0;
        }
        if (!broyden_step(c, y)) return JD_OK;
        expected = it > 0 ? residual * residual / last : residual * residual;
        last = residual;
    }
    c->count.orbits++;
    *found = true;
    return JD_OK;
}

bool jd_curve_tangent(curve *c, const double *old, double *tangent) {
    return jd_curve_factor(c, old) && jd_lu_tangent(c->N, c->newton.lu, c->newton.pivot, tangent);
}

jd_status jd_curve_multipliers(curve *c, double *multiplier) {
    int n = c->n, N = c->N;
    const double *d = c->sh->scale;
    double *A = c->newton.lu;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = c->member.sloped ? d[i] * c->sh->M[i * n + j] / d[j]
                                            : c->newton.J[i * N + j] + (i == j);
    JD_TRY(jd_eigen_low_rank(c->run_arena, n, A, multiplier));
    jd_member_forget(c, multiplier);
    return JD_OK;
}

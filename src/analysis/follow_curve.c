// follow_curve.c -- residual, derivative and Newton's method on the curve of orbits.
//   Newton: [F_y; w'] d = -[F; 0] keeps the iterates in the plane w'(y - start) = 0.
//   d/dlambda by central differences of P, h = 3e-6: error h^2 + eps/h, about 1e-10; it moves the
//   tangent, never the points.
//   Chords first (factors of the point before), Newton with new derivatives when they converge
//   slowly and for the last step.
#include "analysis/follow_curve.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"

static const double small_state = 1e-2; // of S: smaller states are as good as zero for residuals
static const double difference = 3e-6;  // of L or |lambda|

static jd_status open_run(curve *c) {
    c->run_arena = jd_arena_create(c->context);
    if (!c->run_arena) return JD_OUT_OF_MEMORY;
    JD_TRY(jd_run_create(c->context, c->problem, &c->run));
    c->run->no_ledger = true;
    if (c->measure.contact < 0 && c->measure.point)
        JD_TRY(jd_run_probe(c->run, c->measure.point, &c->measure.probe));
    JD_TRY(jd_shooting_create(c->run, c->run_arena, &c->sh));
    c->sh->forced = c->forced;
    return JD_OK;
}

static void close_run(curve *c) {
    jd_run_free(c->run);
    jd_arena_free(c->run_arena);
    c->run = NULL;
    c->run_arena = NULL;
}

jd_status curve_open(curve *c) {
    JD_TRY(open_run(c));
    int n = c->n = c->sh->n, N = c->N = n + (c->forced ? 1 : 2);
    int m = jd_problem_contacts(c->problem);
    c->J = JD_TAKE(c->arena, double, N *N);
    c->lu = JD_TAKE(c->arena, double, N *N);
    c->pivot = JD_TAKE(c->arena, int, N);
    double **vectors[] = {&c->F, &c->rate0, &c->step, &c->trial, &c->kept, &c->chord};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(c->arena, double, N);
    c->ranges = JD_TAKE(c->arena, jd_contact_ranges, m + 1);
    c->phase = JD_TAKE(c->arena, char, m + 1);
    return jd_arena_status(c->arena);
}

void curve_close(curve *c) { close_run(c); }

double curve_parameter(const curve *c, const double *y) { return y[c->N - 1] * c->L; }

void curve_pack(const curve *c, const double *s, double period, double lambda, double *y) {
    for (int i = 0; i < c->n; i++) y[i] = c->sh->scale[i] * s[i] / c->S;
    if (!c->forced) y[c->n] = log(period);
    y[c->N - 1] = lambda / c->L;
}

// No orbit there: the parameter is out of its range, or the model cannot be built with it.
static void refuse(curve *c, bool restore) {
    c->bound = true;
    if (restore) jd_problem_set(c->problem, c->path, c->lambda, NULL);
    jd_context_clear_error(c->context);
}

// The parameter into the problem, the problem into the run.
static jd_status set_parameter(curve *c, double lambda) {
    c->bound = false;
    if (lambda == c->lambda) return JD_OK;
    if (jd_problem_set(c->problem, c->path, lambda, &c->rebuild) != JD_OK)
        return refuse(c, false), JD_OK;
    jd_status status = jd_problem_build(c->problem);
    if (status == JD_OUT_OF_MEMORY) return status;
    if (status != JD_OK) {
        refuse(c, true);
        return jd_problem_build(c->problem);
    }
    c->lambda = lambda;
    if (c->rebuild <= JD_REBUILD_LAWS) return c->run->class->map.replan(c->run);
    close_run(c);
    JD_TRY(open_run(c));
    if (c->sh->n == c->n) return JD_OK;
    return jd_fail(c->context, JD_NOT_SUPPORTED, "`%s` changes the number of modes from %d to %d",
                   c->path, c->n / 2, c->sh->n / 2);
}

jd_status curve_round(curve *c, const double *y, bool derivative, bool *lost) {
    *lost = true;
    for (int i = 0; i < c->N; i++)
        if (!isfinite(y[i])) return JD_OK;
    JD_TRY(set_parameter(c, curve_parameter(c, y)));
    if (c->bound) return JD_OK;
    jd_shooting *sh = c->sh;
    for (int i = 0; i < c->n; i++) sh->s[i] = y[i] * c->S / sh->scale[i];
    sh->period = c->forced ? c->periods * jd_problem_period(c->problem) : exp(y[c->n]);
    strcpy(sh->phase, c->phase);
    JD_TRY(jd_shooting_round(sh, derivative, lost));
    c->rounds++;
    c->derivatives += derivative;
    if (*lost) return JD_OK;
    double total = 0, size = 0;
    for (int i = 0; i < c->n; i++) {
        c->F[i] = sh->scale[i] * (sh->s1[i] - sh->s[i]) / c->S;
        total += c->F[i] * c->F[i];
        size += y[i] * y[i];
    }
    c->residual = sqrt(total) / fmax(sqrt(size), small_state);
    return JD_OK;
}

bool curve_factor(curve *c, const double *border) {
    memcpy(c->lu, c->J, (size_t)(c->N * (c->N - 1)) * sizeof *c->lu);
    memcpy(c->lu + c->N * (c->N - 1), border, (size_t)c->N * sizeof *c->lu);
    return jd_lu_factor(c->N, c->lu, c->pivot);
}

// Column d P/d lambda; one-sided where a side is out of range, lost or has other events.
static jd_status difference_column(curve *c, const double *y) {
    int N = c->N, n = c->n;
    double h = difference * fmax(1, fabs(y[N - 1])), *base = c->step, *side = c->lu;
    long events = c->sh->events;
    bool good[2], same[2];
    memcpy(base, c->sh->s1, (size_t)n * sizeof *base);
    memcpy(c->trial, y, (size_t)N * sizeof *c->trial);
    for (int k = 0; k < 2; k++) {
        bool lost;
        c->trial[N - 1] = y[N - 1] + (k ? -h : h);
        JD_TRY(curve_round(c, c->trial, false, &lost));
        good[k] = !lost;
        same[k] = !lost && c->sh->events == events;
        memcpy(side + k * n, c->sh->s1, (size_t)n * sizeof *side);
    }
    bool both = good[0] && good[1] && same[0] == same[1];
    bool upper = both || same[0] || (good[0] && !same[1]), lower = both || !upper;
    const double *up = upper ? side : base, *down = lower ? side + n : base;
    double width = both ? 2 * h : h;
    for (int i = 0; i < n; i++)
        c->J[i * N + N - 1] = c->sh->scale[i] * (up[i] - down[i]) / (c->S * width);
    return JD_OK;
}

jd_status curve_derivative(curve *c, const double *y, const double *border, bool *lost) {
    int n = c->n, N = c->N;
    JD_TRY(curve_round(c, y, true, lost));
    if (*lost) return JD_OK;
    const jd_shooting *sh = c->sh;
    const double *d = sh->scale;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) c->J[i * N + j] = d[i] * sh->M[i * n + j] / d[j] - (i == j);
        if (!c->forced) c->J[i * N + n] = d[i] * sh->rate[i] * sh->period / c->S;
    }
    if (!c->forced) {
        memset(c->J + n * N, 0, (size_t)N * sizeof *c->J);
        memcpy(c->J + n * N, c->rate0, (size_t)n * sizeof *c->J);
    }
    double residual = c->residual;
    memcpy(c->kept, c->F, (size_t)n * sizeof *c->F);
    JD_TRY(difference_column(c, y));
    memcpy(c->F, c->kept, (size_t)n * sizeof *c->F);
    c->residual = residual;
    c->fresh = true;
    *lost = !curve_factor(c, border);
    return JD_OK;
}

static const int most_steps = 14;
static const double late = 1e-8;      // residual below which derivatives count as the point's own
static const double slow = 0.1;       // chords that gain less get new derivatives
static const double floor_at = 1e-10; // rounding may keep the residual from falling below this

// One step from the last round; false: singular or far too long.
static bool newton_step(curve *c, double *y) {
    double size = 0;
    for (int i = 0; i < c->N; i++) c->step[i] = i < c->n ? -c->F[i] : 0;
    jd_lu_solve(c->N, c->lu, c->pivot, c->step);
    for (int i = 0; i < c->N; i++) {
        y[i] += c->step[i];
        size += c->step[i] * c->step[i];
    }
    return size < 1; // NaN: false
}

jd_status curve_correct(curve *c, double *y, const double *border, bool *found) {
    double last = HUGE_VAL, first = HUGE_VAL;
    bool lost, own = false, renewed = false;
    *found = c->fresh = false;
    for (int it = 0; it < most_steps; it++) {
        JD_TRY(curve_round(c, y, false, &lost));
        if (lost) return JD_OK;
        double residual = c->residual;
        bool start_kept = !strcmp(c->sh->phase1, c->phase);
        if (it == 0) first = residual;
        if (start_kept &&
            (residual <= c->tolerance || (residual < floor_at && residual > last / 2)))
            break;
        if (it == most_steps - 1 || residual > 1e3 * first + 1e-6) return JD_OK;
        if (!start_kept && residual < 0.1) strcpy(c->phase, c->sh->phase1);
        bool now_late = residual < late && !own;
        if (now_late || residual > slow * last || !start_kept) {
            JD_TRY(curve_derivative(c, y, border, &lost));
            if (lost) return JD_OK;
            own = residual < late;
            renewed = true;
        }
        if (!newton_step(c, y)) return JD_OK;
        last = residual;
    }
    c->fresh = own && renewed;
    c->orbits++;
    *found = true;
    return JD_OK;
}

bool curve_tangent(curve *c, const double *old, double *tangent) {
    if (!curve_factor(c, old)) return false;
    memset(tangent, 0, (size_t)c->N * sizeof *tangent);
    tangent[c->N - 1] = 1;
    jd_lu_solve(c->N, c->lu, c->pivot, tangent);
    double size = 0;
    for (int i = 0; i < c->N; i++) size += tangent[i] * tangent[i];
    if (!(size > 0) || !isfinite(size)) return false;
    for (int i = 0; i < c->N; i++) tangent[i] /= sqrt(size);
    return true;
}

jd_status curve_multipliers(curve *c, double *multiplier) {
    int n = c->n, N = c->N;
    double *A = c->lu;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = c->J[i * N + j] + (i == j);
    return jd_eigen_low_rank(c->run_arena, n, A, multiplier);
}

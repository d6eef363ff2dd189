// multiple.c -- multiple shooting: the orbit is cut between its events into K segments with starts
//   x_k; segment k leads from x_k to e_k(x_k), M_k = de_k/dx_k, events inside it included (their
//   times are eliminated exactly by the jumps of the tangent). Newton:
//     M_k d_k - d_k+1 = x_k+1 - e_k,   k = 0..K-1, d_K = d_0
//   Growth from segment to segment is never multiplied up, so orbits with multipliers far beyond
//   1/rounding are found, from guesses that single shooting throws away. Starts are numbered
//   0, K-1, 1, K-2, ...: the cyclic system has a band of three blocks, solved by LU with pivoting.
//   Without a drive each block gets the relative change of the period, tau_k - tau_k+1 = 0, and
//   the last of these is replaced by no drift along the orbit, x_0'.d_0 = 0.
#include "analysis/orbit/multiple.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"

jd_status jd_multiple_create(jd_shooting *sh, int segments, jd_multiple *u) {
    int n = sh->n, K = segments, w = sh->forced ? n : n + 1, N = K * w;
    *u = (jd_multiple){.sh = sh, .K = K, .n = n, .w = w};
    jd_arena *a = sh->arena;
    double **states[] = {&u->x, &u->end, &u->rate, &u->base};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        *states[i] = JD_TAKE(a, double, K *n);
    u->t = JD_TAKE(a, double, K + 1);
    u->rate0 = JD_TAKE(a, double, n);
    u->M = JD_TAKE(a, double, K *n *n);
    u->phase = JD_TAKE(a, jd_phase, K);
    u->phase1 = JD_TAKE(a, jd_phase, K);
    u->base_phase = JD_TAKE(a, jd_phase, K);
    u->band = JD_TAKE(a, double, N *jd_band_rows(3 * w - 1));
    u->b = JD_TAKE(a, double, N);
    u->pivot = JD_TAKE(a, int, N);
    return jd_arena_status(a);
}

// From x_k to the start of the next; events are added to the list of the shooting.
static jd_status segment(jd_multiple *u, int k, bool tangent, bool *lost) {
    jd_shooting *sh = u->sh;
    jd_run *run = sh->run;
    const jd_engine_map *map = &run->class->map;
    jd_step step = JD_STEP_EVENT;
    double T = sh->period;
    long events = 0;
    JD_TRY(map->restart(run, u->t[k] * T, u->x + k * u->n, &u->phase[k]));
    if (tangent) JD_TRY(map->tangent_start(run));
    while (step == JD_STEP_EVENT) {
        JD_TRY(jd_run_advance(run, u->t[k + 1] * T, &step));
        if (step != JD_STEP_EVENT) break;
        if (u->events < JD_SHOOT_EVENTS) sh->last.event[u->events++] = run->event;
        if (++events > sh->limit.most_events) break;
    }
    *lost = step != JD_STEP_TIME;
    if (*lost) return JD_OK;
    map->state(run, u->end + k * u->n);
    if (tangent) map->tangent(run, u->M + k * u->n * u->n);
    map->rate(run, u->rate + k * u->n);
    u->phase1[k] = jd_run_contacts(run);
    return JD_OK;
}

static jd_status all(jd_multiple *u, bool tangent, bool *lost) {
    u->events = 0;
    *lost = false;
    for (int k = 0; k < u->K; k++) {
        JD_TRY(segment(u, k, tangent, lost));
        if (*lost) return JD_OK;
    }
    u->sh->last.n_event = u->events;
    u->sh->last.events = u->events;
    return JD_OK;
}

// Times half-way between events, no two closer than a thousandth of their usual distance.
static int cuts(const jd_shooting *sh, int most, double *t) {
    int K = 1, n = sh->last.n_event;
    double T = sh->period, usual = 1.0 / (n + 1);
    t[0] = 0;
    for (int i = 0; i + 1 < n && K < most; i++) {
        double middle = (sh->last.event[i].t + sh->last.event[i + 1].t) / (2 * T);
        bool room = sh->last.event[i + 1].t - sh->last.event[i].t > 1e-3 * usual * T;
        if (room && middle > t[K - 1] + 1e-3 * usual && middle < 1) t[K++] = middle;
    }
    for (; K < 2; K++) t[K] = 0.5; // one event or none
    t[K] = 1;
    return K;
}

jd_status jd_multiple_guess(jd_multiple *u, bool *lost) {
    jd_shooting *sh = u->sh;
    JD_TRY(jd_shooting_round(sh, false, lost));
    if (*lost) return JD_OK;
    u->K = cuts(sh, u->K, u->t);
    memcpy(u->x, sh->s, (size_t)u->n * sizeof *u->x);
    u->phase[0] = sh->phase;
    u->events = 0;
    for (int k = 0; k < u->K; k++) {
        JD_TRY(segment(u, k, false, lost));
        if (*lost || k + 1 == u->K) break;
        memcpy(u->x + (k + 1) * u->n, u->end + k * u->n, (size_t)u->n * sizeof *u->x);
        u->phase[k + 1] = u->phase1[k];
    }
    return JD_OK;
}

// |ends - next starts|/|starts| of the last round.
static double residual_of(const jd_multiple *u) {
    double gap = 0, size = 0;
    for (int k = 0; k < u->K; k++) {
        const double *next = u->x + (k + 1) % u->K * u->n;
        double d = jd_shooting_distance(u->sh, u->end + k * u->n, next),
               s = jd_shooting_size(u->sh, next);
        gap += d * d;
        size += s * s;
    }
    return size > 0 ? sqrt(gap / size) : 0;
}

static int place_of(const jd_multiple *u, int k) {
    return k < (u->K + 1) / 2 ? 2 * k : 2 * (u->K - 1 - k) + 1;
}

typedef struct band {
    double *a;
    int width, rows; // kl = ku; numbers in a column
} band;

static void put(const band *B, int row, int column, double value) {
    B->a[(size_t)column * (size_t)B->rows + (size_t)(2 * B->width + row - column)] += value;
}

// Period: columns and rows of tau.
static void put_period(const jd_multiple *u, const band *B, int k, int row, int column, int next) {
    const double *d = u->sh->scale, *f = u->rate + k * u->n;
    double part = (u->t[k + 1] - u->t[k]) * u->sh->period, speed = 0;
    int n = u->n;
    for (int i = 0; i < n; i++) put(B, row + i, column + n, d[i] * f[i] * part);
    if (k + 1 < u->K) {
        put(B, row + n, column + n, 1);
        put(B, row + n, next + n, -1);
        return;
    }
    for (int i = 0; i < n; i++) speed = fmax(speed, fabs(d[i] * u->rate0[i]));
    for (int i = 0; i < n; i++)
        put(B, row + n, next + i, speed > 0 ? d[i] * u->rate0[i] / speed : 0);
}

static void assemble(jd_multiple *u) {
    int n = u->n, w = u->w, N = u->K * w;
    band B = {u->band, 3 * w - 1, jd_band_rows(3 * w - 1)};
    const double *d = u->sh->scale;
    memset(u->band, 0, (size_t)N * (size_t)B.rows * sizeof *u->band);
    memset(u->b, 0, (size_t)N * sizeof *u->b);
    memcpy(u->rate0, u->rate + (u->K - 1) * n, (size_t)n * sizeof *u->rate0);
    for (int k = 0; k < u->K; k++) {
        int after = (k + 1) % u->K, row = place_of(u, k) * w, next = place_of(u, after) * w;
        const double *M = u->M + k * n * n, *x = u->x + after * n, *e = u->end + k * n;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) put(&B, row + i, row + j, d[i] * M[i * n + j] / d[j]);
            put(&B, row + i, next + i, -1);
            u->b[row + i] = d[i] * (x[i] - e[i]);
        }
        if (w > n) put_period(u, &B, k, row, row, next);
    }
}

// Starts moved by `factor` of the step, from `base`.
static void move(jd_multiple *u, double factor, double period) {
    for (int k = 0; k < u->K; k++) {
        const double *step = u->b + place_of(u, k) * u->w;
        for (int i = 0; i < u->n; i++)
            u->x[k * u->n + i] = u->base[k * u->n + i] + factor * step[i] / u->sh->scale[i];
    }
    if (u->w > u->n) u->sh->period = period * (1 + fmax(-0.5, fmin(0.5, factor * u->b[u->n])));
}

// A full step ends at e_k + M_k d_k, which belongs to the contact states at the end of segment k.
static void pass_phases(jd_multiple *u) {
    for (int k = 0; k < u->K; k++) u->phase[(k + 1) % u->K] = u->phase1[k];
}

static jd_status improve(jd_multiple *u, double residual, bool *better) {
    int n = u->n, w = u->w;
    double period = u->sh->period;
    bool lost = false;
    *better = false;
    assemble(u);
    if (!jd_solve_band(u->K * w, 3 * w - 1, u->band, u->pivot, u->b)) return JD_OK;
    memcpy(u->base, u->x, (size_t)u->K * (size_t)n * sizeof *u->x);
    memcpy(u->base_phase, u->phase, (size_t)u->K * sizeof *u->phase);
    pass_phases(u);
    for (double factor = 1; factor > 1e-4 && !*better; factor /= 2) {
        move(u, factor, period);
        JD_TRY(all(u, true, &lost));
        *better = !lost && residual_of(u) < residual;
    }
    if (*better) return JD_OK;
    memcpy(u->x, u->base, (size_t)u->K * (size_t)n * sizeof *u->x);
    memcpy(u->phase, u->base_phase, (size_t)u->K * sizeof *u->phase);
    u->sh->period = period;
    return all(u, true, &lost);
}

jd_status jd_multiple_solve(jd_multiple *u, int iterations, double tolerance, double *history,
                            int *n_step, bool *found, const char **why) {
    bool lost, better = true;
    *n_step = 0;
    *found = false;
    history[0] = (double)NAN;
    u->sh->newton.reason = JD_ORBIT_NO_CONVERGENCE;
    *why = "multiple shooting: the motion of a segment does not complete";
    JD_TRY(all(u, true, &lost));
    if (lost) return JD_OK;
    for (;; (*n_step)++) {
        double residual = history[*n_step] = residual_of(u);
        *found = residual <= tolerance;
        if (*found || *n_step == iterations) break;
        JD_TRY(improve(u, residual, &better));
        if (better) continue;
        *found = residual <= 1e-10; // as good as rounding allows
        break;
    }
    *why = *found ? NULL : "multiple shooting: no Newton step closes the gaps between segments";
    if (*found) u->sh->newton.reason = JD_ORBIT_FOUND;
    return JD_OK;
}

// M = M_K-1 ... M_0 into the shooting.
static void multiply(jd_multiple *u) {
    int n = u->n;
    double *P = u->sh->M, *Q = u->sh->newton.A;
    memcpy(P, u->M, (size_t)(n * n) * sizeof *P);
    for (int k = 1; k < u->K; k++) {
        const double *M = u->M + k * n * n;
        memset(Q, 0, (size_t)(n * n) * sizeof *Q);
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++)
                for (int j = 0; j < n; j++) Q[i * n + j] += M[i * n + l] * P[l * n + j];
        memcpy(P, Q, (size_t)(n * n) * sizeof *P);
    }
}

jd_status jd_multiple_round(jd_multiple *u, bool tangent, bool *lost) {
    jd_shooting *sh = u->sh;
    JD_TRY(all(u, tangent, lost));
    if (*lost) return JD_OK;
    int last = u->K - 1;
    memcpy(sh->s, u->x, (size_t)u->n * sizeof *sh->s);
    memcpy(sh->s1, u->end + last * u->n, (size_t)u->n * sizeof *sh->s1);
    memcpy(sh->rate, u->rate + last * u->n, (size_t)u->n * sizeof *sh->rate);
    sh->phase = u->phase[0];
    sh->phase1 = u->phase1[last];
    if (tangent) multiply(u);
    return JD_OK;
}

static void widen(jd_range *a, const jd_range *b) {
    if (!(b->min >= a->min)) a->min = b->min;
    if (!(b->max <= a->max)) a->max = b->max;
    a->final = b->final;
}

jd_status jd_multiple_ranges(jd_multiple *u, jd_contact_ranges *out) {
    jd_run *run = u->sh->run;
    int m = jd_problem_contacts(run->problem);
    jd_contact_ranges *one = JD_TAKE(u->sh->arena, jd_contact_ranges, m + 1);
    JD_TRY(jd_arena_status(u->sh->arena));
    for (int k = 0; k < u->K; k++) {
        jd_step step = JD_STEP_EVENT;
        double T = u->sh->period;
        JD_TRY(run->class->map.restart(run, u->t[k] * T, u->x + k * u->n, &u->phase[k]));
        JD_TRY(jd_run_track(run));
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, u->t[k + 1] * T, &step));
        JD_TRY(jd_run_ranges(run, k ? one : out));
        for (int j = 0; k && j < m; j++) {
            widen(&out[j].displacement, &one[j].displacement);
            widen(&out[j].velocity, &one[j].velocity);
            widen(&out[j].force, &one[j].force);
            out[j].certified &= one[j].certified;
        }
    }
    return JD_OK;
}

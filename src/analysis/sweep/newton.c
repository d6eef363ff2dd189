// newton.c -- orbits on which some contacts are stuck all the time, and multipliers without them.
//   A contact stuck for the whole period keeps its place: a rigid one its displacement B_j q, one
//   with a spring that of its slider, B_j q - T/k. The map then has left eigenvectors l for the
//   multiplier 1, l'M = l', M - I is singular and orbits form a family. With
//   (M - I + sum_j l_j l_j') d = s - P(s),   l_j orthonormal in scaled coordinates,
//   and l_j'(s - P(s)) = 0 follows l_j'd = 0: the member of the family with the places at hand.
#include <math.h>

#include "analysis/sweep/parts.h"
#include "linalg/general.h"

static const double converged = 1e-13; // residual that needs no further step
static const double rounded = 1e-10;   // residual that is accepted where steps gain no more
static const double no_slope = 1e-9;   // of M - I: there is none
static const double same_pace = 0.25;  // two steps that gain alike: convergence is but linear
enum { STEPS = 15, SEEN = 3 };

// Places that contact j kept in the last round from start to end, at most: a closed elastic stop
// has none.
static int held(const jd_shooting *sh, int j) {
    if (sh->last.events > sh->last.n_event) return 0;
    if (sh->phase.of[j] == JD_CONTACT_CELLS && sh->run->class->held.sliders)
        return sh->run->class->held.sliders(sh->run, j, sh->last.n_event, sh->last.event);
    if (!jd_contact_at_rest(sh->phase.of[j])) return 0;
    for (int i = 0; i < sh->last.n_event; i++)
        if (sh->last.event[i].contact == j) return 0;
    return 1;
}

static int count_held(const jd_shooting *sh) {
    int n = 0;
    for (int j = 0; j < jd_problem_contacts(sh->run->problem); j++) n += held(sh, j);
    return n < sh->n ? n : sh->n;
}

// M - I in scaled coordinates.
static void slope(const jd_shooting *sh, double *restrict A) {
    int n = sh->n;
    double *restrict unit = sh->newton.step; // 1/scale
    for (int j = 0; j < n; j++) unit[j] = 1 / sh->scale[j];
    for (int i = 0; i < n; i++) {
        const double *restrict row = sh->M + (ptrdiff_t)i * n;
        for (int j = 0; j < n; j++) A[i * n + j] = sh->scale[i] * row[j] * unit[j];
        A[i * n + i] -= 1;
    }
}

jd_status jd_sweep_kept(jd_shooting *sh, jd_arena *arena, jd_kept *out) {
    int n = sh->n, most = count_held(sh), rank;
    *out = (jd_kept){0};
    if (most == 0) return JD_OK;
    double *A = JD_TAKE(arena, double, n *n);
    JD_TRY(jd_arena_status(arena));
    slope(sh, A);
    JD_TRY(jd_null_rows(arena, n, A, no_slope, &rank));
    out->n = n - rank < most ? n - rank : most;
    out->row = A + (ptrdiff_t)(n - out->n) * n;
    return JD_OK;
}

static jd_status step(jd_shooting *sh, bool *good) {
    int n = sh->n;
    double *A = sh->newton.A;
    jd_arena_mark mark = jd_arena_here(sh->arena);
    jd_kept kept;
    JD_TRY(jd_sweep_kept(sh, sh->arena, &kept));
    slope(sh, A);
    for (int l = 0; l < kept.n; l++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * n + j] += kept.row[l * n + i] * kept.row[l * n + j];
    jd_arena_back(sh->arena, mark);
    for (int i = 0; i < n; i++) sh->newton.b[i] = sh->scale[i] * (sh->s[i] - sh->s1[i]);
    *good = jd_lu_factor(n, A, sh->newton.pivot);
    if (!*good) return JD_OK;
    jd_lu_solve(n, A, sh->newton.pivot, sh->newton.b);
    for (int i = 0; i < n; i++) sh->s[i] += sh->newton.b[i] / sh->scale[i];
    return JD_OK;
}

// Convergence that is but linear comes to nothing in the steps left: the derivative jumps where the
// orbit is. `pace` is by what the residual fell, step by step, alike SEEN times.
static bool too_slow(double residual, double last, double *pace, int *alike, int left) {
    double now = residual / last;
    *alike = fabs(now - *pace) < same_pace * *pace ? *alike + 1 : 0;
    *pace = now;
    return *alike >= SEEN && residual * pow(now, left) > converged;
}

// Full steps only: where they do not converge at once the motion is not close to an orbit yet.
jd_status jd_sweep_newton(jd_shooting *sh, bool *found) {
    double last = (double)INFINITY, pace = 0;
    int alike = 0;
    bool lost, good;
    *found = false;
    for (int i = 0, worse = 0; i <= STEPS && worse < 2; i++) {
        JD_TRY(jd_shooting_round(sh, true, &lost));
        if (lost) return JD_OK;
        double residual = jd_shooting_residual(sh);
        bool same = jd_phase_same(&sh->phase, &sh->phase1);
        *found = same && (residual <= converged || (residual <= rounded && residual > last / 4));
        if (*found) return JD_OK;
        worse = residual > last / 2 ? worse + 1 : 0;
        if (too_slow(residual, last, &pace, &alike, STEPS - i)) return JD_OK;
        last = residual;
        JD_TRY(step(sh, &good));
        if (!good) return JD_OK;
    }
    return JD_OK;
}

jd_status jd_sweep_multiplier(jd_shooting *sh, jd_arena *arena, double *out) {
    int n = sh->n, neutral = count_held(sh);
    jd_arena_mark mark = jd_arena_here(arena);
    double *value = JD_TAKE(arena, double, 2 * n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sh->newton.A[i * n + j] = sh->scale[i] * sh->M[i * n + j] / sh->scale[j];
    JD_TRY(jd_eigen_low_rank(arena, n, sh->newton.A, value));
    *out = 0;
    for (int i = 0; i < n && (value[2 * i] != 0 || value[2 * i + 1] != 0); i++) { // by size
        bool one = hypot(value[2 * i] - 1, value[2 * i + 1]) < 1e-8;
        if (one && neutral-- > 0) continue;
        *out = fmax(*out, hypot(value[2 * i], value[2 * i + 1]));
    }
    jd_arena_back(arena, mark);
    return JD_OK;
}

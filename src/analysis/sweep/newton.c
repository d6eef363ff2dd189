// newton.c -- orbits on which some contacts are stuck all the time, and multipliers without them.
//   A contact stuck for the whole period keeps its displacement y_j = B_j q: the map has the left
//   eigenvector B_j for the multiplier 1, M - I is singular and orbits form a family. With
//   (M - I + sum_j c_j c_j') d = s - P(s),   c_j = B_j in scaled coordinates, |c_j| = 1,
//   and B_j (s - P(s)) = 0 follows c_j'd = 0: the member of the family with the y_j at hand.
#include <math.h>
#include <string.h>

#include "analysis/sweep/parts.h"
#include "linalg/general.h"

static const double converged = 1e-13; // residual that needs no further step
static const double rounded = 1e-10;   // residual that is accepted where steps gain no more
enum { STEPS = 15 };

// Held in the last round from start to end.
static bool held(const jd_shooting *sh, int j) {
    if (!jd_contact_at_rest(sh->phase.of[j])) return false;
    if (sh->last.events > sh->last.n_event) return false;
    for (int i = 0; i < sh->last.n_event; i++)
        if (sh->last.event[i].contact == j) return false;
    return true;
}

static int count_held(const jd_shooting *sh) {
    int n = 0;
    for (int j = 0; j < jd_problem_contacts(sh->run->problem); j++) n += held(sh, j);
    return n;
}

// A += c c' of every stuck contact; c' d leaves its displacement alone.
static void pin(jd_shooting *sh) {
    const jd_system *system = jd_problem_system(sh->run->problem);
    int n = sh->n, modes = system->modal.n;
    for (int j = 0; j < system->n_contact; j++) {
        if (!held(sh, j)) continue;
        double *c = sh->newton.step, size = 0;
        for (int k = 0; k < modes; k++) {
            c[k] = system->contact[j][k].hi / sh->scale[k];
            size += c[k] * c[k];
        }
        for (int i = 0; i < modes; i++)
            for (int k = 0; k < modes; k++) sh->newton.A[i * n + k] += c[i] * c[k] / size;
    }
}

static bool step(jd_shooting *sh) {
    int n = sh->n;
    const double *d = sh->scale;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            sh->newton.A[i * n + j] = d[i] * sh->M[i * n + j] / d[j] - (i == j);
        sh->newton.b[i] = d[i] * (sh->s[i] - sh->s1[i]);
    }
    pin(sh);
    if (jd_solve_general(n, sh->newton.A, sh->newton.b, sh->newton.pivot, sh->newton.work) == 0)
        return false;
    for (int i = 0; i < n; i++) sh->s[i] += sh->newton.b[i] / d[i];
    return true;
}

// Full steps only: where they do not converge at once the motion is not close to an orbit yet.
jd_status jd_sweep_newton(jd_shooting *sh, bool *found) {
    double last = (double)INFINITY;
    bool lost;
    *found = false;
    for (int i = 0, worse = 0; i <= STEPS && worse < 2; i++) {
        JD_TRY(jd_shooting_round(sh, true, &lost));
        if (lost) return JD_OK;
        double residual = jd_shooting_residual(sh);
        bool same = jd_phase_same(&sh->phase, &sh->phase1);
        *found = same && (residual <= converged || (residual <= rounded && residual > last / 4));
        if (*found) return JD_OK;
        worse = residual > last / 2 ? worse + 1 : 0;
        last = residual;
        if (!step(sh)) return JD_OK;
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
    JD_TRY(jd_eigen_general(arena, n, sh->newton.A, value));
    *out = 0;
    for (int i = 0; i < n; i++) {
        bool one = hypot(value[2 * i] - 1, value[2 * i + 1]) < 1e-8;
        if (one && neutral-- > 0) continue;
        *out = fmax(*out, hypot(value[2 * i], value[2 * i + 1]));
    }
    jd_arena_back(arena, mark);
    return JD_OK;
}

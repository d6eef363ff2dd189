// usual.c -- the usual panel: one contact on a string or rod with all its modes, four nodes, no
// drive.
//   stuck:    F = B^-1 (belt - known), B^-1 is kept with the coefficients
//   sliding:  F_i + s f(s v_i) = 0,  v_i = known_i - belt + sum_k B_ik F_k,  s the direction.
//     Newton's method: (1 + f'_i B) dF = F + s f. The friction of all nodes comes at once, and the
//     matrix is near 1 (before a wave comes back B is gamma, and gamma (-f') < 1): no rows are
//     exchanged; where a pivot is small the general method (panel.c) is asked.
#include <math.h>

#include "engine/memory/memory.h"

enum { N = USUAL_NODES };

static const double least_pivot = 0.01;
enum { MOST = 10 }; // iterations: where friction falls steeply beyond rest there may be no solution

// A x = b in place without exchanging rows; false: a pivot is small.
static bool solve(double A[N][N], double *b) {
    double pivot[N];
    for (int c = 0; c < N; c++) {
        if (!(fabs(A[c][c]) > least_pivot)) return false;
        pivot[c] = 1 / A[c][c];
        for (int r = c + 1; r < N; r++) {
            double f = A[r][c] * pivot[c];
            for (int k = c + 1; k < N; k++) A[r][k] -= f * A[c][k];
            b[r] -= f * b[c];
        }
    }
    for (int r = N - 1; r >= 0; r--) {
        for (int k = r + 1; k < N; k++) b[r] -= A[r][k] * b[k];
        b[r] *= pivot[r];
    }
    return true;
}

bool jd_usual_serves(const memory_plan *plan) {
    return plan->m == 1 && plan->rows == 1 && plan->nodes.s == N && plan->jumps &&
           plan->n_drive == 0 && !plan->stop[0].is;
}

static double row(const double *B, const double *F) {
    return (B[0] * F[0] + B[1] * F[1]) + (B[2] * F[2] + B[3] * F[3]);
}

static solution slide(const memory *e, const double *B, double *F) {
    double sign = slide_sign(e->state.contact[0]), scale = e->state.f_scale[0];
    for (int i = 0; i < N; i++) F[i] = e->state.force[0];
    for (int it = 0; it < MOST; it++) {
        double u[N], f[N], rate[N], A[N][N];
        for (int i = 0; i < N; i++)
            u[i] = sign * (e->panel.known[i] - e->plan->belt[0] + row(B + N * i, F));
        jd_friction_four(e->plan->law, u, f, rate);
        for (int i = 0; i < N; i++) {
            f[i] = F[i] + sign * f[i];
            for (int k = 0; k < N; k++) A[i][k] = rate[i] * B[N * i + k] + (i == k);
        }
        if (!solve(A, f)) return ASK_GENERAL;
        bool done = true;
        for (int i = 0; i < N; i++) {
            F[i] -= f[i];
            done = done && fabs(f[i]) <= e->plan->enough * (scale + fabs(F[i]));
        }
        if (done) return SOLVED; // quadratic: what is left is far below
    }
    return UNSOLVED;
}

static void stick(const memory *e, const double *inverse, double *F) {
    double rise[N];
    for (int i = 0; i < N; i++) rise[i] = e->plan->belt[0] - e->panel.known[i];
    for (int i = 0; i < N; i++) F[i] = row(inverse + N * i, rise);
}

solution jd_usual_solve(memory *e, const coefficients *t) {
    double *F = e->panel.force, *v = e->panel.velocity;
    bool stuck = e->state.contact[0] == STUCK;
    solution found = SOLVED;
    if (stuck && !t->inverse) return ASK_GENERAL;
    if (stuck)
        stick(e, t->inverse, F);
    else
        found = slide(e, t->B, F);
    if (found != SOLVED) return found;
    for (int i = 0; i < N; i++)
        v[i] = stuck ? e->plan->belt[0] : e->panel.known[i] + row(t->B + N * i, F);
    v[N] = e->panel.known[N] + row(t->B + N * N, F);
    return SOLVED;
}

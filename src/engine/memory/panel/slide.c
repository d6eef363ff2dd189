// slide.c -- forces of one contact that slides, at the usual four nodes.
//   F_i + s f(s v_i) = 0,  v_i = known_i - belt + sum_k B_ik F_k,  s the direction of sliding.
//   Newton's method: (1 + f'_i B) dF = F + s f. The friction of all nodes comes at once, and the
//   matrix is near 1 (before a wave comes back B is gamma, and gamma (-f') < 1): no rows are
//   exchanged; where a pivot is small the general method (panel.c) is asked.
#include <math.h>

#include "engine/memory/memory.h"

enum { N = USUAL_NODES };

static const double least_pivot = 0.01;

// A x = b in place without exchanging rows; false: a pivot is small.
static bool solve(double A[N][N], double *b) {
    double pivot[N];
    for (int c = 0; c < N; c++) {
        if (!(A[c][c] > least_pivot)) return false;
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

bool jd_slide_solve(const memory *e, const coefficients *t, double *F) {
    const jd_friction *law = e->plan->law;
    int rows = e->plan->rows;
    double sign = slide_sign(e->state.contact[0]), scale = e->state.f_scale[0];
    for (int i = 0; i < N; i++) F[i] = e->state.force[0];
    for (int it = 0; it < 25; it++) {
        double u[N], f[N], rate[N], A[N][N];
        for (int i = 0; i < N; i++) {
            const double *B = t->B + i * rows * N;
            double v = e->panel.known[i * rows] - e->plan->belt[0];
            u[i] = sign * (v + ((B[0] * F[0] + B[1] * F[1]) + (B[2] * F[2] + B[3] * F[3])));
        }
        jd_friction_four(law, u, f, rate);
        for (int i = 0; i < N; i++) {
            const double *B = t->B + i * rows * N;
            f[i] = F[i] + sign * f[i];
            for (int k = 0; k < N; k++) A[i][k] = rate[i] * B[k] + (i == k);
        }
        if (!solve(A, f)) return false;
        bool done = true;
        for (int i = 0; i < N; i++) {
            F[i] -= f[i];
            done = done && fabs(f[i]) <= e->plan->enough * (scale + fabs(F[i]));
        }
        if (done) return true; // quadratic: what is left is far below
    }
    return false;
}

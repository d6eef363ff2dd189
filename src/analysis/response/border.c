// border.c -- the derivative of p - sum k^2 q_k^2 when every mode is eliminated.
//   dq = -(theta dx + gamma g), dx the start of the element, g = b dp + b_omega domega; so
//   K = I + sum 2 k^2 q (theta X + gamma) b,  X: what forces anywhere do to dx, 2 n x (M + 1),
//   carried from element to element; its first value closes the half period with the other sign.
#include <string.h>

#include "analysis/response/response.h"
#include "linalg/general.h"

enum { S = STAGES };

static response_cell *cells(const response *r, int block) {
    return r->modes.cell + (size_t)block * (RESPONSE_ELEMENTS + 1);
}

static void times(const v4 *a, const v4 *b, v4 *out) {
    out[0] = a[0] * b[0] + a[1] * b[2];
    out[1] = a[0] * b[1] + a[1] * b[3];
    out[2] = a[2] * b[0] + a[3] * b[2];
    out[3] = a[2] * b[1] + a[3] * b[3];
}

// X at theta = 0: -(I + phi)^-1 phi_n ... phi_(e+1) psi_e
static void first_start(response *r, int block, int n) {
    const response_cell *cell = cells(r, block);
    int N = S * n + 1, modes = r->string.n - LANES * block;
    v4 all[4] = {{0}}, next[4];
    all[0] += 1;
    all[3] += 1;
    for (int e = 0; e < n; e++) {
        times(cell[e].phi, all, next);
        memcpy(all, next, sizeof all);
    }
    v4 det = (1 + all[0]) * (1 + all[3]) - all[1] * all[2];
    v4 T[4] = {-(1 + all[3]) / det, all[1] / det, all[2] / det, -(1 + all[0]) / det};
    v4 last[2] = {{0}};
    for (int e = n - 1; e >= 0; e--) {
        for (int j = 0; j < S; j++)
            for (int i = 0; i < 2; i++) {
                v4 t = T[2 * i] * cell[e].psi[0][j] + T[2 * i + 1] * cell[e].psi[1][j],
                   x = t * cell[e].by_p[j];
                last[i] += t * cell[e].by_omega[j];
                for (int l = 0; l < LANES && l < modes; l++)
                    r->newton.X[(2 * (block * LANES + l) + i) * N + e * S + j] = x[l];
            }
        times(T, cell[e].phi, next);
        memcpy(T, next, sizeof T);
    }
    for (int i = 0; i < 2; i++)
        for (int l = 0; l < LANES && l < modes; l++)
            r->newton.X[(2 * (block * LANES + l) + i) * N + N - 1] = last[i][l];
}

// The rows of an element from its own forces; W for what its start brings.
static void own_rows(response *r, int block, int e, int N) {
    const response_cell *c = cells(r, block) + e;
    int modes = r->string.n - LANES * block, n2 = 2 * r->string.n;
    for (int i = 0; i < S; i++) {
        v4 weight = 2 * r->modes.square[block] * c->q[i], sum = {0}, t[2];
        double *row = r->newton.border + (e * S + i) * N;
        for (int j = 0; j < S; j++) {
            v4 g = weight * c->gamma[i][j], x = g * c->by_p[j];
            sum += g * c->by_omega[j];
            for (int l = 0; l < LANES; l++) row[e * S + j] += x[l];
        }
        for (int l = 0; l < LANES; l++) row[N - 1] += sum[l];
        t[0] = weight * c->theta[0][i];
        t[1] = weight * c->theta[1][i];
        for (int l = 0; l < LANES && l < modes; l++) {
            r->newton.W[i * n2 + 2 * (block * LANES + l)] = t[0][l];
            r->newton.W[i * n2 + 2 * (block * LANES + l) + 1] = t[1][l];
        }
    }
}

// X at the end of the element.
static void carry(response *r, int block, int e, int N) {
    const response_cell *c = cells(r, block) + e;
    for (int l = 0; l < LANES && block * LANES + l < r->string.n; l++) {
        double *restrict x = r->newton.X + 2 * (block * LANES + l) * N, *restrict y = x + N;
        double a = c->phi[0][l], b = c->phi[1][l], g = c->phi[2][l], d = c->phi[3][l];
        for (int j = 0; j < N; j++) {
            double u = a * x[j] + b * y[j];
            y[j] = g * x[j] + d * y[j];
            x[j] = u;
        }
        for (int j = 0; j < S; j++) {
            x[e * S + j] += c->psi[0][j][l] * c->by_p[j][l];
            y[e * S + j] += c->psi[1][j][l] * c->by_p[j][l];
            x[N - 1] += c->psi[0][j][l] * c->by_omega[j][l];
            y[N - 1] += c->psi[1][j][l] * c->by_omega[j][l];
        }
    }
}

bool jd_response_derivative(response *r, response_point *at, bool fixed) {
    int n = jd_response_elements(at), M = S * n, N = M + 1, n2 = 2 * r->string.n;
    r->newton.ready = -1;
    if (!jd_response_solve(r, at, true)) return false;
    memset(r->newton.border, 0, (size_t)(N * N) * sizeof *r->newton.border);
    for (int i = 0; i < M; i++) r->newton.border[i * N + i] = 1;
    for (int block = 0; block < r->modes.n_block; block++) first_start(r, block, n);
    for (int e = 0; e < n; e++) {
        for (int block = 0; block < r->modes.n_block; block++) own_rows(r, block, e, N);
        jd_multiply_add(S, N, n2, r->newton.W, r->newton.X, r->newton.border + e * S * N);
        for (int block = 0; block < r->modes.n_block; block++) carry(r, block, e, N);
    }
    for (int i = 0; i < M; i++) {
        if (fixed) r->newton.border[i * N + M] = 0;
        r->newton.border[M * N + i] = fixed ? 0 : at->tp[i] * r->rule.b[i % S] / n;
    }
    r->newton.border[M * N + M] = fixed ? 1 : at->t_omega;
    if (!jd_lu_factor(N, r->newton.border, r->newton.pivot)) return false;
    r->newton.ready = at->size;
    return true;
}

// modes.c -- every mode of a stretched string for a given stretch and frequency.
//   w^2 q'' + 2 beta a s w q' + a^2 s^2 q = f,  q(pi) = -q(0),  a = k pi c, s^2 = 1 + g p
//     f_k = 2 S_k F sin(theta), f_1 += (tail F sin(theta) + E)/S_1
//     E: what the modes left out answer, memory.c
//   On an element of length h, with Gauss's A: q' = q0' + h A q'', q = q0 + h c q0' + h^2 A^2 q'',
//     (w^2 + 2 beta a w h s A + a^2 h^2 s^2 A^2) q'' = f - 2 beta a w s q0' - a^2 s^2 (q0 + h c
//     q0')
//   by reflections, LANES modes at a time; elements are joined by 2 x 2 matrices.
#include <math.h>
#include <string.h>

#include "analysis/response/response.h"
#include "base/clones.h"
#include "base/constants.h"

#define CLONES JD_CLONES("avx2")

enum { S = STAGES, COLUMNS = 2 * S + 3 };
typedef v4 slab[S][COLUMNS]; // the matrix, f, the answers to q0 and q0', the inverse

static bool stretch(response *r, const response_point *at) {
    int M = S * jd_response_elements(at);
    for (int i = 0; i < M; i++) {
        double s2 = 1 + r->string.g * at->p[i];
        if (!(s2 > 0.05 && s2 < 1e8)) return false;
        r->points.s[i] = sqrt(s2);
    }
    return true;
}

// What the first mode gets besides 2 S_1 F sin(theta), and its derivatives in p and omega.
static void forces(response *r, const response_point *at) {
    const jd_stretched *m = &r->string;
    int n = jd_response_elements(at);
    double h = JD_PI / n, share = r->force / m->S[0], E[3];
    for (int i = 0; i < S * n; i++) {
        int e = i / S;
        double theta = h * (e + r->rule.c[i % S]);
        r->points.sine[i] = sin(theta);
        jd_response_wave(
            r, &(response_place){r->points.s[i], at->omega, r->points.sine[i], cos(theta)}, E);
        r->points.f[i] = share * (m->tail * r->points.sine[i] + E[0]);
        r->points.f_p[i] = share * E[1] * m->g / (2 * r->points.s[i]);
        r->points.f_omega[i] = share * E[2];
    }
}

CLONES static void fill(const response *r, int block, int element, double h, double w, bool full,
                        slab x) {
    const gauss_rule *g = &r->rule;
    v4 a = r->modes.speed[block], a2 = a * a;
    for (int i = 0; i < S; i++) {
        double s = r->points.s[element * S + i];
        v4 damp = a * (2 * r->string.beta * w * s), stiff = a2 * (s * s);
        for (int j = 0; j < S; j++)
            x[i][j] = damp * (h * g->A[i][j]) + stiff * (h * h * g->A2[i][j]);
        x[i][i] += w * w;
        x[i][S] = r->modes.share[block] * (r->force * r->points.sine[element * S + i]);
        if (block == 0) x[i][S][0] += r->points.f[element * S + i];
        x[i][S + 1] = -stiff;
        x[i][S + 2] = -(damp + stiff * (h * g->c[i]));
        for (int j = 0; full && j < S; j++) x[i][S + 3 + j] = (v4){0} + (i == j);
    }
}

// The columns from S on are multiplied by the inverse of the first S.
CLONES static void eliminate(slab x, int columns) {
    v4 inverse[S];
    for (int c = 0; c < S; c++) {
        v4 norm = {0}, alpha, head, scale;
        for (int i = c; i < S; i++) norm += x[i][c] * x[i][c];
        for (int l = 0; l < LANES; l++) alpha[l] = -copysign(sqrt(norm[l]), x[c][c][l]);
        head = x[c][c] - alpha;
        scale = -1 / (alpha * head);
        inverse[c] = 1 / alpha;
        for (int j = c + 1; j < columns; j++) {
            v4 t = head * x[c][j];
            for (int i = c + 1; i < S; i++) t += x[i][c] * x[i][j];
            t *= scale;
            x[c][j] -= t * head;
            for (int i = c + 1; i < S; i++) x[i][j] -= t * x[i][c];
        }
    }
    for (int j = S; j < columns; j++)
        for (int i = S - 1; i >= 0; i--) {
            v4 t = x[i][j];
            for (int c = i + 1; c < S; c++) t -= x[i][c] * x[c][j];
            x[i][j] = t * inverse[i];
        }
}

CLONES static void read_cell(const gauss_rule *g, double h, bool full, slab x,
                             response_cell *cell) {
    v4 end[3][2] = {{{0}}};
    for (int j = 0; j < S; j++)
        for (int k = 0; k < 3; k++) {
            cell->free[k][j] = x[j][S + k];
            end[k][0] += h * h * g->bA[j] * x[j][S + k];
            end[k][1] += h * g->b[j] * x[j][S + k];
        }
    memcpy(cell->push, end[0], sizeof end[0]);
    cell->phi[0] = 1 + end[1][0];
    cell->phi[1] = h + end[2][0];
    cell->phi[2] = end[1][1];
    cell->phi[3] = 1 + end[2][1];
    if (!full) return;
    for (int j = 0; j < S; j++) {
        v4 e0 = {0}, e1 = {0};
        for (int i = 0; i < S; i++) {
            v4 sum = {0};
            for (int k = 0; k < S; k++) sum += h * h * g->A2[i][k] * x[k][S + 3 + j];
            cell->gamma[i][j] = sum;
            e0 += h * h * g->bA[i] * x[i][S + 3 + j];
            e1 += h * g->b[i] * x[i][S + 3 + j];
        }
        cell->psi[0][j] = e0;
        cell->psi[1][j] = e1;
    }
    for (int i = 0; i < S; i++) {
        v4 t0 = {0}, t1 = {0};
        for (int k = 0; k < S; k++) {
            t0 += h * h * g->A2[i][k] * cell->free[1][k];
            t1 += h * h * g->A2[i][k] * cell->free[2][k];
        }
        cell->theta[0][i] = 1 + t0;
        cell->theta[1][i] = h * g->c[i] + t1;
    }
}

// (q, q') at theta = 0: x0 = -(I + phi)^-1 push over all elements.
static void close_loop(response_cell *cell, int n) {
    v4 a = {0}, b = {0}, c = {0}, d = {0}, u = {0}, v = {0};
    a += 1;
    d += 1;
    for (int e = 0; e < n; e++) {
        const v4 *p = cell[e].phi;
        v4 na = p[0] * a + p[1] * c, nb = p[0] * b + p[1] * d, nu = p[0] * u + p[1] * v;
        c = p[2] * a + p[3] * c;
        d = p[2] * b + p[3] * d;
        v = p[2] * u + p[3] * v + cell[e].push[1];
        a = na;
        b = nb;
        u = nu + cell[e].push[0];
    }
    v4 det = (1 + a) * (1 + d) - b * c;
    cell->start[0] = -((1 + d) * u - b * v) / det;
    cell->start[1] = -((1 + a) * v - c * u) / det;
}

// The motion on an element from its start; p loses its part.
CLONES static void unfold(const gauss_rule *g, double h, const v4 *square, response_cell *cell,
                          double *R) {
    v4 q0 = cell->start[0], v0 = cell->start[1];
    for (int j = 0; j < S; j++)
        cell->bend[j] = cell->free[0][j] + cell->free[1][j] * q0 + cell->free[2][j] * v0;
    for (int i = 0; i < S; i++) {
        v4 q = {0}, v = {0};
        for (int j = 0; j < S; j++) {
            q += g->A2[i][j] * cell->bend[j];
            v += g->A[i][j] * cell->bend[j];
        }
        cell->slope[i] = v0 + h * v;
        cell->q[i] = q0 + h * g->c[i] * v0 + h * h * q;
        v4 part = *square * cell->q[i] * cell->q[i];
        for (int l = 0; l < LANES; l++) R[i] -= part[l];
    }
    cell[1].start[0] = cell->phi[0] * q0 + cell->phi[1] * v0 + cell->push[0];
    cell[1].start[1] = cell->phi[2] * q0 + cell->phi[3] * v0 + cell->push[1];
}

// b = dA/dp q - df/dp and the same for omega, at the points of an element.
CLONES static void loads(const response *r, int block, int element, double w, response_cell *cell) {
    const jd_stretched *m = &r->string;
    v4 a = r->modes.speed[block];
    for (int i = 0; i < S; i++) {
        int at = element * S + i;
        double s = r->points.s[at];
        cell->by_p[i] = a * (m->beta * w * m->g / s) * cell->slope[i] + a * a * m->g * cell->q[i];
        cell->by_omega[i] = 2 * w * cell->bend[i] + a * (2 * m->beta * s) * cell->slope[i];
        if (block) continue;
        cell->by_p[i][0] -= r->points.f_p[at];
        cell->by_omega[i][0] -= r->points.f_omega[at];
    }
}

bool jd_response_solve(response *r, response_point *at, bool full) {
    int n = jd_response_elements(at);
    double h = JD_PI / n, w = at->omega;
    slab x;
    if (!stretch(r, at)) return false;
    forces(r, at);
    memcpy(r->points.R, at->p, (size_t)(S * n) * sizeof *r->points.R);
    for (int block = 0; block < r->modes.n_block; block++) {
        response_cell *cell = r->modes.cell + (size_t)block * (RESPONSE_ELEMENTS + 1);
        for (int e = 0; e < n; e++) {
            fill(r, block, e, h, w, full, x);
            eliminate(x, full ? COLUMNS : S + 3);
            read_cell(&r->rule, h, full, x, cell + e);
        }
        close_loop(cell, n);
        for (int e = 0; e < n; e++) {
            unfold(&r->rule, h, r->modes.square + block, cell + e, r->points.R + e * S);
            if (full) loads(r, block, e, w, cell + e);
        }
    }
    at->stamp = ++r->stamp;
    return true;
}

// problems.c -- friction beam and impact chain: matrices, free and held modes, in quad precision.
//   K phi = omega^2 M phi by Cholesky M = L L^T and cyclic Jacobi on L^-1 K L^-T.
//   Beam element (Hermite cubic, consistent mass), length h, dofs w1 theta1 w2 theta2.
#include "problems.h"

#include <string.h>

enum { MAX = BENCH_MAX };

typedef quad matrix[MAX][MAX];

typedef struct bench_matrices {
    int n, contact, drive; // dofs of contact and drive; drive < 0: none
    quad alpha, beta;
    matrix m, k;
} bench_matrices;

void bench_note(bench_events *events, double t, char from, char to, double speed) {
    if (events->n == BENCH_EVENTS) {
        events->overflow = true;
        return;
    }
    events->list[events->n++] = (bench_event){t, speed, from, to};
}

static void cholesky(int n, matrix m, matrix l) {
    memset(l, 0, sizeof(matrix));
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            quad s = m[i][j];
            for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrtq(s) : s / l[j][j];
        }
}

// a <- L^-1 a, column by column.
static void forward(int n, matrix l, matrix a) {
    for (int c = 0; c < n; c++)
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) a[i][c] -= l[i][k] * a[k][c];
            a[i][c] /= l[i][i];
        }
}

static void transpose(int n, matrix a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            quad x = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = x;
        }
}

static void rotate(int n, matrix a, matrix v, int p, int q) {
    if (a[p][q] == 0) return;
    quad theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    quad t = 1 / (fabsq(theta) + sqrtq(theta * theta + 1));
    if (theta < 0) t = -t;
    quad c = 1 / sqrtq(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        quad x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        quad x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y;
        v[k][q] = s * x + c * y;
    }
}

// Modes of (m, k): omega ascending, shapes in the columns of v, mass-normalised.
static void modes(int n, matrix m, matrix k, quad *omega, matrix v) {
    static _Thread_local matrix l, a;
    cholesky(n, m, l);
    memcpy(a, k, sizeof a);
    forward(n, l, a);
    transpose(n, a);
    forward(n, l, a);
    memset(v, 0, sizeof(matrix));
    for (int i = 0; i < n; i++) v[i][i] = 1;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) rotate(n, a, v, p, q);
    for (int i = 0; i < n; i++) omega[i] = sqrtq(a[i][i]);
    for (int i = 0; i < n; i++) // sort
        for (int j = i + 1; j < n; j++)
            if (omega[j] < omega[i]) {
                quad x = omega[i];
                omega[i] = omega[j], omega[j] = x;
                for (int r = 0; r < n; r++) x = v[r][i], v[r][i] = v[r][j], v[r][j] = x;
            }
    for (int c = 0; c < n; c++) // L^-T
        for (int i = n - 1; i >= 0; i--) {
            for (int r = i + 1; r < n; r++) v[i][c] -= l[r][i] * v[r][c];
            v[i][c] /= l[i][i];
        }
}

// s with K s = k_s e_y, s_y = 1, by Gaussian elimination without pivoting (K is positive).
static void static_shape(const bench_matrices *b, quad *s, quad *stiffness) {
    static _Thread_local matrix a;
    int n = b->n;
    memcpy(a, b->k, sizeof a);
    for (int i = 0; i < n; i++) s[i] = i == b->contact;
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++) {
            quad f = a[i][j] / a[j][j];
            for (int k = j; k < n; k++) a[i][k] -= f * a[j][k];
            s[i] -= f * s[j];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) s[i] -= a[i][k] * s[k];
        s[i] /= a[i][i];
    }
    quad compliance = s[b->contact];
    for (int i = 0; i < n; i++) s[i] /= compliance;
    *stiffness = 1 / compliance;
}

static void fill_basis(const bench_matrices *b, int n, matrix shape, bench_basis_quad *basis) {
    basis->n = n;
    for (int k = 0; k < n; k++) {
        basis->damping[k] = b->alpha + b->beta * basis->omega[k] * basis->omega[k];
        basis->at_contact[k] = shape[b->contact][k];
        basis->at_drive[k] = b->drive < 0 ? 0 : shape[b->drive][k];
    }
}

// Matrices without the contact's row and column; shapes come back with that row zero.
static void held_modes(const bench_matrices *b, quad *omega, matrix psi) {
    static _Thread_local matrix m, k, v;
    int n = b->n, y = b->contact;
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++) {
            m[i][j] = b->m[i + (i >= y)][j + (j >= y)];
            k[i][j] = b->k[i + (i >= y)][j + (j >= y)];
        }
    modes(n - 1, m, k, omega, v);
    memset(psi, 0, sizeof(matrix));
    for (int i = 0; i < n - 1; i++) memcpy(psi[i + (i >= y)], v[i], sizeof v[i]);
}

static quad row_times(const bench_matrices *b, const matrix a, matrix shape, int k) {
    quad s = 0;
    for (int i = 0; i < b->n; i++) s += a[b->contact][i] * shape[i][k];
    return s;
}

static void fill_held(const bench_matrices *b, bench_problem *p, matrix psi) {
    p->q_held_drive = 0;
    for (int k = 0; k < b->n - 1; k++) { // g_k = (K psi_k)_y - omega^2 (M psi_k)_y
        quad w = p->q_held.omega[k], m = row_times(b, b->m, psi, k);
        p->q_held.at_contact[k] = row_times(b, b->k, psi, k) - w * w * m;
        p->q_held_drive += m * p->q_held.at_drive[k];
    }
}

// A = Psi^T M Phi and d = Phi^T M s.
static void fill_change(const bench_matrices *b, bench_problem *p, matrix phi, matrix psi,
                        const quad *s) {
    static _Thread_local matrix mphi;
    int n = b->n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            mphi[i][k] = 0;
            for (int j = 0; j < n; j++) mphi[i][k] += b->m[i][j] * phi[j][k];
        }
    for (int k = 0; k < n; k++) {
        p->q_static_shape[k] = 0;
        for (int i = 0; i < n; i++) p->q_static_shape[k] += s[i] * mphi[i][k];
        for (int r = 0; r < n - 1; r++) {
            p->q_to_held[r][k] = 0;
            for (int i = 0; i < n; i++) p->q_to_held[r][k] += psi[i][r] * mphi[i][k];
        }
    }
}

// Modal start q = Phi^T M x.
static void fill_start(const bench_matrices *b, bench_problem *p, matrix phi, const quad *x,
                       const quad *v) {
    for (int k = 0; k < b->n; k++) {
        p->q_q0[k] = p->q_v0[k] = 0;
        for (int i = 0; i < b->n; i++)
            for (int j = 0; j < b->n; j++) {
                p->q_q0[k] += phi[i][k] * b->m[i][j] * x[j];
                p->q_v0[k] += phi[i][k] * b->m[i][j] * v[j];
            }
    }
}

static void round_basis(const bench_basis_quad *from, bench_basis *to) {
    to->n = from->n;
    for (int k = 0; k < from->n; k++) {
        to->omega[k] = (double)from->omega[k];
        to->damping[k] = (double)from->damping[k];
        to->at_contact[k] = (double)from->at_contact[k];
        to->at_drive[k] = (double)from->at_drive[k];
    }
}

static void round_all(bench_problem *p) {
    round_basis(&p->q_free, &p->free);
    round_basis(&p->q_held, &p->held);
    p->limit = (double)p->q_limit, p->restitution = (double)p->q_restitution;
    p->gap = (double)p->q_gap, p->force = (double)p->q_force, p->drive = (double)p->q_drive;
    p->beta = (double)p->q_beta, p->t_end = (double)p->q_t_end;
    p->held_stiffness = (double)p->q_held_stiffness;
    p->held_drive = (double)p->q_held_drive;
    for (int i = 0; i < MAX; i++) {
        p->static_shape[i] = (double)p->q_static_shape[i];
        p->q0[i] = (double)p->q_q0[i], p->v0[i] = (double)p->q_v0[i];
        for (int j = 0; j < MAX; j++) p->to_held[i][j] = (double)p->q_to_held[i][j];
    }
}

static void complete(const bench_matrices *b, bench_problem *p, const quad *x, const quad *v) {
    static _Thread_local matrix phi, psi, m, k;
    quad s[MAX] = {0};
    memcpy(m, b->m, sizeof m), memcpy(k, b->k, sizeof k);
    modes(b->n, m, k, p->q_free.omega, phi);
    fill_basis(b, b->n, phi, &p->q_free);
    held_modes(b, p->q_held.omega, psi);
    fill_basis(b, b->n - 1, psi, &p->q_held);
    fill_held(b, p, psi);
    static_shape(b, s, &p->q_held_stiffness);
    fill_change(b, p, phi, psi, s);
    fill_start(b, p, phi, x, v);
    p->q_beta = b->beta;
}

// Adds one element matrix; its first node is node `e` of which node 0 is clamped.
static void add_element(matrix a, int e, quad element[4][4]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int r = 2 * (e - 1) + i, c = 2 * (e - 1) + j;
            if (r >= 0 && c >= 0) a[r][c] += element[i][j];
        }
}

void bench_beam(bench_problem *p, const char *name, bool damped, int periods) {
    static _Thread_local bench_matrices b;
    memset(&b, 0, sizeof b), memset(p, 0, sizeof *p);
    const int n = 10;
    quad h = (quad)247 / 100 / n, stiffness = 10900 / (h * h * h);
    quad mass = (quad)354 / 10 * h / 420;
    quad ke[4][4] = {{12, 6 * h, -12, 6 * h},
                     {6 * h, 4 * h * h, -6 * h, 2 * h * h},
                     {-12, -6 * h, 12, -6 * h},
                     {6 * h, 2 * h * h, -6 * h, 4 * h * h}};
    quad me[4][4] = {{156, 22 * h, 54, -13 * h},
                     {22 * h, 4 * h * h, 13 * h, -3 * h * h},
                     {54, 13 * h, 156, -22 * h},
                     {-13 * h, -3 * h * h, -22 * h, 4 * h * h}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) ke[i][j] *= stiffness, me[i][j] *= mass;
    for (int e = 0; e < n; e++) add_element(b.k, e, ke), add_element(b.m, e, me);
    b.n = 2 * n, b.contact = 2 * n - 2, b.drive = n - 2; // tip and middle
    if (damped) b.alpha = (quad)25 / 1000, b.beta = (quad)55 / 1000000;
    quad rest[MAX] = {0};
    complete(&b, p, rest, rest);
    p->name = name, p->kind = BENCH_FRICTION, p->periods = periods;
    p->text = damped ? "friction beam, Rayleigh damping" : "friction beam, undamped";
    p->q_force = (quad)24 / 10, p->q_limit = p->q_force * 275 / 1000;
    p->q_drive = p->q_free.omega[0] * 11 / 10;
    p->q_t_end = 8 * periods * atanq(1) / p->q_drive;
    p->window = 1e-3;
    round_all(p);
    p->t_judge = p->t_end;
}

void bench_chain(bench_problem *p, const char *name, int e_tenths, int moved, double shift) {
    static _Thread_local bench_matrices b;
    memset(&b, 0, sizeof b), memset(p, 0, sizeof *p);
    const int n = 5;
    quad x[MAX] = {0}, v[MAX] = {0};
    for (int i = 0; i < n; i++) {
        b.m[i][i] = (quad)1 / n;
        b.k[i][i] = i < n - 1 ? 2 * n : n;
        if (i > 0) b.k[i][i - 1] = b.k[i - 1][i] = -n;
        x[i] = (quad)9 * (i + 1) / (10 * n);
    }
    x[moved] += (quad)shift, v[n - 1] = 2;
    b.n = n, b.contact = n - 1, b.drive = -1;
    complete(&b, p, x, v);
    p->name = name, p->kind = BENCH_STOP;
    p->text = e_tenths == 10 ? "impact chain, e = 1" : "impact chain, e = 0.8";
    p->q_gap = 1, p->q_restitution = (quad)e_tenths / 10, p->q_t_end = 1000;
    p->window = 0.05;
    round_all(p);
    p->t_judge = e_tenths == 10 ? 100 : p->t_end; // e = 1 is chaotic
}

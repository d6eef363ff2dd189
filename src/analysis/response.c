// response.c -- the equations of a stretched string at the places of collocation.
//   A_k(p) q_k = f_k(p),  p = sum k^2 q_k^2
//     A_k = w^2 D2 + diag(2 beta a s w) D + diag(a^2 s^2),  a = k pi c, s^2 = 1 + g p
//     f_k = 2 S_k F sin(theta), f_1 += (tail F sin(theta) + E)/S_1
//     E: what the modes left out answer, response_memory.c
//   Newton's steps couple the modes through dp alone: with dq_k eliminated,
//     (I + sum 2 k^2 diag(q_k) A_k^-1 diag(b_k)) dp + ... = ...,  b_k = dA_k/dp q_k - df_k/dp
#include "analysis/response.h"

#include <math.h>
#include <string.h>

#include "linalg/eigen.h"
#include "linalg/general.h"

static const double pi = 3.14159265358979323846;
static const int sizes[RESPONSE_SIZES] = {8, 12, 16, 24, 32, 48, 64, 96, 128};

jd_status response_open(jd_arena *arena, response *r) {
    size_t M = RESPONSE_MOST, n = (size_t)r->string.n, N = 2 * n;
    r->arena = arena;
    r->ready = -1;
    jd_blas_one_thread();
    double **vectors[] = {&r->R, &r->s, &r->f, &r->Kw};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(arena, double, M + 1);
    double **squares[] = {&r->K, &r->inverse, &r->border};
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        *squares[i] = JD_TAKE(arena, double, (M + 1) * (M + 1));
    double **modes[] = {&r->B, &r->co, &r->residual, &r->d1, &r->d2};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        *modes[i] = JD_TAKE(arena, double, n *M);
    r->pivot = JD_TAKE(arena, int, n *M);
    r->border_pivot = JD_TAKE(arena, int, M + 1);
    r->work = JD_TAKE(arena, double, 8 * M + 16 * N);
    r->multiplier = JD_TAKE(arena, double, 2 * N);
    r->P = JD_TAKE(arena, double, N *N);
    r->P1 = JD_TAKE(arena, double, N *N);
    r->row = JD_TAKE(arena, double, N);
    r->kick = JD_TAKE(arena, double, N);
    return jd_arena_status(arena);
}

const collocation *response_grid(response *r, int size) {
    collocation *c = &r->grid[size];
    if (c->M) return c;
    size_t M = (size_t)sizes[size];
    r->lu[size] = JD_TAKE(r->arena, double, (size_t)r->string.n *M *M);
    collocation_create(r->arena, sizes[size], c);
    return c;
}

void response_copy(const response *r, const response_point *from, response_point *to) {
    size_t M = (size_t)sizes[from->size], n = (size_t)r->string.n;
    response_point keep = *to;
    *to = *from;
    to->p = keep.p;
    to->q = keep.q;
    to->tp = keep.tp;
    to->tq = keep.tq;
    memcpy(to->p, from->p, M * sizeof *to->p);
    memcpy(to->tp, from->tp, M * sizeof *to->p);
    memcpy(to->q, from->q, n * M * sizeof *to->p);
    memcpy(to->tq, from->tq, n * M * sizeof *to->p);
}

// Odd data through its coefficients.
static void resample_odd(const collocation *from, const collocation *to, const double *value,
                         double *out) {
    double a[RESPONSE_MOST], b[RESPONSE_MOST], v[3];
    collocation_transform(from, value, a, b);
    for (int i = 0; i < to->M; i++) {
        collocation_look(from, a, b, to->theta[i], v);
        out[i] = v[0];
    }
}

void response_resize(response *r, response_point *at, int size) {
    double fresh[RESPONSE_MOST];
    const collocation *from = response_grid(r, at->size), *to = response_grid(r, size);
    int m = from->M, n = to->M;
    double *even[] = {at->p, at->tp}, *odd[] = {at->q, at->tq};
    for (int i = 0; i < 2; i++) {
        collocation_resample(m, even[i], n, fresh);
        memcpy(even[i], fresh, (size_t)n * sizeof *fresh);
        for (int j = 0; j < r->string.n; j++) { // rows move: from the end when they grow
            int k = n > m ? r->string.n - 1 - j : j;
            resample_odd(from, to, odd[i] + k * m, fresh);
            memcpy(odd[i] + k * n, fresh, (size_t)n * sizeof *fresh);
        }
    }
    at->size = size;
}

// f_k at the places; for k = 1 also -df/dp and -df/domega (0 for the others).
static void forces(response *r, const collocation *c, int k, double w, double *B, double *co) {
    const jd_stretched *m = &r->string;
    double share = r->force / m->S[0], E[3];
    for (int i = 0; i < c->M; i++) {
        double si = c->sine[i], cs = c->cosine[i];
        r->f[i] = 2 * m->S[k - 1] * r->force * si;
        if (B) B[i] = co[i] = 0;
        if (k > 1) continue;
        response_wave(r, &(response_place){r->s[i], w, si, cs}, E);
        r->f[i] += share * (m->tail * si + E[0]);
        if (!B) continue;
        B[i] = -share * E[1] * m->g / (2 * r->s[i]);
        co[i] = -share * E[2];
    }
}

static bool stretch(response *r, const response_point *at) {
    int M = r->grid[at->size].M;
    for (int i = 0; i < M; i++) {
        double s2 = 1 + r->string.g * at->p[i];
        if (!(s2 > 0.05 && s2 < 1e8)) return false;
        r->s[i] = sqrt(s2);
    }
    return true;
}

// D q and D2 q of every mode
static void derivatives(response *r, const collocation *c, const response_point *at) {
    jd_multiply_rows(r->string.n, c->M, at->q, c->D, r->d1);
    jd_multiply_rows(r->string.n, c->M, at->q, c->D2, r->d2);
}

bool response_residual(response *r, const response_point *at) {
    const collocation *c = response_grid(r, at->size);
    const jd_stretched *m = &r->string;
    int M = c->M;
    double w = at->omega;
    if (!stretch(r, at)) return false;
    derivatives(r, c, at);
    memcpy(r->R, at->p, (size_t)M * sizeof *r->R);
    for (int k = 1; k <= m->n; k++) {
        const double *q = at->q + (k - 1) * M, *d1 = r->d1 + (k - 1) * M, *d2 = r->d2 + (k - 1) * M;
        double a = k * pi * m->c, *out = r->residual + (k - 1) * M;
        forces(r, c, k, w, NULL, NULL);
        for (int i = 0; i < M; i++) {
            out[i] = w * w * d2[i] + 2 * m->beta * a * w * r->s[i] * d1[i] +
                     a * a * r->s[i] * r->s[i] * q[i] - r->f[i];
            r->R[i] -= (double)k * k * q[i] * q[i];
        }
    }
    return true;
}

// Factors of A_k, b_k and co_k at the point.
static bool factor(response *r, const collocation *c, const response_point *at, int k) {
    const jd_stretched *m = &r->string;
    int M = c->M;
    const double *q = at->q + (k - 1) * M, *d1 = r->d1 + (k - 1) * M, *d2 = r->d2 + (k - 1) * M;
    double a = k * pi * m->c, w = at->omega, *A = r->lu[at->size] + (k - 1) * M * M,
           *B = r->B + (k - 1) * M, *co = r->co + (k - 1) * M;
    forces(r, c, k, w, B, co);
    for (int i = 0; i < M; i++) {
        double damp = 2 * m->beta * a * w * r->s[i];
        for (int j = 0; j < M; j++)
            A[i * M + j] = w * w * c->D2[i * M + j] + damp * c->D[i * M + j];
        A[i * M + i] += a * a * r->s[i] * r->s[i];
        B[i] += m->beta * a * w * m->g / r->s[i] * d1[i] + a * a * m->g * q[i];
        co[i] += 2 * w * d2[i] + 2 * m->beta * a * r->s[i] * d1[i];
    }
    return jd_lu_factor(M, A, r->pivot + (k - 1) * M);
}

// K dp + Kw domega: what is left when every dq_k = -A_k^-1 (r_k + b_k dp + co_k domega).
static void reduce(response *r, const collocation *c, const response_point *at, int k) {
    int M = c->M;
    const double *A = r->lu[at->size] + (k - 1) * M * M, *B = r->B + (k - 1) * M;
    const int *pivot = r->pivot + (k - 1) * M;
    double *v = r->work;
    jd_lu_inverse(M, A, pivot, r->inverse);
    memcpy(v, r->co + (k - 1) * M, (size_t)M * sizeof *v);
    jd_lu_solve(M, A, pivot, v);
    for (int i = 0; i < M; i++) {
        double weight = 2.0 * k * k * at->q[(k - 1) * M + i];
        for (int j = 0; j < M; j++) r->K[i * M + j] += weight * r->inverse[i * M + j] * B[j];
        r->Kw[i] += weight * v[i];
    }
}

bool response_derivative(response *r, const response_point *at, bool fixed) {
    const collocation *c = response_grid(r, at->size);
    int M = c->M, N = M + 1;
    r->ready = -1;
    if (!stretch(r, at)) return false;
    derivatives(r, c, at);
    memset(r->K, 0, (size_t)(M * M) * sizeof *r->K);
    memset(r->Kw, 0, (size_t)M * sizeof *r->Kw);
    for (int i = 0; i < M; i++) r->K[i * M + i] = 1;
    for (int k = 1; k <= r->string.n; k++) {
        if (!factor(r, c, at, k)) return false;
        reduce(r, c, at, k);
    }
    for (int i = 0; i < M; i++) {
        memcpy(r->border + i * N, r->K + i * M, (size_t)M * sizeof *r->K);
        r->border[i * N + M] = fixed ? 0 : r->Kw[i];
        r->border[M * N + i] = fixed ? 0 : at->tp[i] / M;
    }
    r->border[M * N + M] = fixed ? 1 : at->t_omega;
    if (!jd_lu_factor(N, r->border, r->border_pivot)) return false;
    r->ready = at->size;
    return true;
}

// (dp, domega) in r->f; adds the step to the point. Returns its size.
static double newton(response *r, response_point *at) {
    int M = r->grid[at->size].M, n = r->string.n;
    double *step = r->f, size = 0, scale = 1;
    for (int i = 0; i < M; i++) step[i] = -r->R[i];
    step[M] = 0;
    for (int k = 1; k <= n; k++) { // r_k becomes A_k^-1 r_k
        double *v = r->residual + (k - 1) * M;
        jd_lu_solve(M, r->lu[at->size] + (k - 1) * M * M, r->pivot + (k - 1) * M, v);
        for (int i = 0; i < M; i++) step[i] -= 2.0 * k * k * at->q[(k - 1) * M + i] * v[i];
    }
    jd_lu_solve(M + 1, r->border, r->border_pivot, step);
    for (int k = 1; k <= n; k++) {
        double *v = r->work, *q = at->q + (k - 1) * M;
        for (int i = 0; i < M; i++)
            v[i] = r->B[(k - 1) * M + i] * step[i] + r->co[(k - 1) * M + i] * step[M];
        jd_lu_solve(M, r->lu[at->size] + (k - 1) * M * M, r->pivot + (k - 1) * M, v);
        for (int i = 0; i < M; i++) q[i] -= r->residual[(k - 1) * M + i] + v[i];
    }
    for (int i = 0; i < M; i++) {
        at->p[i] += step[i];
        size = fmax(size, fabs(step[i]));
        scale = fmax(scale, fabs(at->p[i]));
    }
    at->omega += step[M];
    return fmax(size, fabs(step[M])) / scale;
}

// Chords with the factors at hand, new ones when they gain too little.
bool response_correct(response *r, response_point *at, bool fixed, double force) {
    double last = HUGE_VAL;
    bool ready = !fixed && r->ready == at->size;
    if (force > 0) r->force = force;
    response_grid(r, at->size);
    for (int it = 0; it < 16; it++) {
        if (!ready && !response_derivative(r, at, fixed)) return false;
        if (!response_residual(r, at)) return false;
        double size = newton(r, at);
        ready = true;
        if (!isfinite(size) || size > 1e3) return false;
        if (size < 1e-12 || (size < 1e-10 && size > 0.5 * last)) {
            if (fixed) r->ready = -1;
            return true;
        }
        if (size > 0.1 * last) ready = false;
        last = size;
    }
    return false;
}

bool response_tangent(response *r, response_point *at) {
    if (!response_derivative(r, at, false)) return false;
    int M = r->grid[at->size].M;
    double *t = r->f, *v = r->work, norm = 0;
    memset(t, 0, (size_t)M * sizeof *t);
    t[M] = 1;
    jd_lu_solve(M + 1, r->border, r->border_pivot, t);
    for (int i = 0; i < M; i++) norm += t[i] * t[i] / M;
    norm = sqrt(norm + t[M] * t[M]);
    for (int i = 0; i <= M; i++) t[i] /= norm;
    for (int k = 1; k <= r->string.n; k++) {
        for (int i = 0; i < M; i++)
            v[i] = r->B[(k - 1) * M + i] * t[i] + r->co[(k - 1) * M + i] * t[M];
        jd_lu_solve(M, r->lu[at->size] + (k - 1) * M * M, r->pivot + (k - 1) * M, v);
        for (int i = 0; i < M; i++) at->tq[(k - 1) * M + i] = -v[i];
    }
    memcpy(at->tp, t, (size_t)M * sizeof *t);
    at->t_omega = t[M];
    return isfinite(norm);
}

static void measured(response *r, const response_point *at, double *a, double *b) {
    const collocation *c = &r->grid[at->size];
    double value[RESPONSE_MOST] = {0};
    for (int k = 0; k < r->string.n; k++)
        for (int i = 0; i < c->M; i++) value[i] += r->weight[k] * at->q[k * c->M + i];
    collocation_transform(c, value, a, b);
    for (int k = 0; r->velocity && k < c->M / 2; k++) {
        double w = at->omega * (2 * k + 1), keep = a[k];
        a[k] = w * b[k];
        b[k] = -w * keep;
    }
}

double response_amplitude(response *r, const response_point *at) {
    const collocation *c = &r->grid[at->size];
    double a[RESPONSE_MOST], b[RESPONSE_MOST], best = 0, where = 0, v[3];
    int places = 4 * c->M;
    measured(r, at, a, b);
    for (int i = 0; i < places; i++) {
        collocation_look(c, a, b, pi * i / places, v);
        if (fabs(v[0]) <= best) continue;
        best = fabs(v[0]);
        where = pi * i / places;
    }
    for (int i = 0; i < 20; i++) {
        collocation_look(c, a, b, where, v);
        double step = v[1] / v[2];
        if (!(fabs(step) < pi / places)) break;
        where -= step;
        if (fabs(step) < 1e-12) break;
    }
    collocation_look(c, a, b, where, v);
    return fmax(best, fabs(v[0]));
}

double response_decay(response *r, const response_point *at) {
    const collocation *c = &r->grid[at->size];
    double a[RESPONSE_MOST], b[RESPONSE_MOST], top = 0, all = 1e-300;
    measured(r, at, a, b);
    for (int k = 0; k < c->M / 2; k++) {
        double size = hypot(a[k], b[k]);
        all = fmax(all, size);
        if (k >= c->M / 2 - 2) top = fmax(top, size);
    }
    return top / all;
}

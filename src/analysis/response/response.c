// response.c -- the equation of a stretched string's forced motion: p = sum k^2 q_k(p, omega)^2.
//   p at the points of collocation and omega are all there is to solve for, whatever the number of
//   modes: each mode is a linear oscillator once p is given (modes.c), and Newton's steps
//   have M + 1 unknowns (border.c).
#include "analysis/response/response.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "linalg/eigen.h"
#include "linalg/general.h"

static const double pi = JD_PI;
enum { S = STAGES };
static const int sizes[RESPONSE_SIZES] = {1, 2, 3, 4, 6, 8, 10, 14, RESPONSE_ELEMENTS};

int jd_response_elements(const response_point *at) { return sizes[at->size]; }

static void number_modes(response *r) {
    for (int block = 0; block < r->modes.n_block; block++)
        for (int l = 0; l < LANES; l++) {
            int k = block * LANES + l + 1;
            bool there = k <= r->string.n; // an empty lane: a mode without force
            r->modes.speed[block][l] = (there ? k : 1) * pi * r->string.c;
            r->modes.square[block][l] = there ? (double)k * k : 0;
            r->modes.share[block][l] = there ? 2 * r->string.S[k - 1] : 0;
        }
}

jd_status jd_response_open(jd_arena *arena, response *r) {
    size_t M = RESPONSE_MOST, n = (size_t)r->string.n, N = 2 * n;
    r->arena = arena;
    r->newton.ready = -1;
    r->modes.n_block = (r->string.n + LANES - 1) / LANES;
    JD_TRY(jd_lapack_ready(jd_arena_context(arena)));
    jd_gauss_create(&r->rule);
    for (int i = 0; i <= PLACES; i++)
        jd_gauss_look(&r->rule, (double)i / PLACES, &r->measure.place[i]);
    double **vectors[] = {&r->points.s,   &r->points.R,       &r->points.sine, &r->points.f,
                          &r->points.f_p, &r->points.f_omega, &r->newton.step};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(arena, double, M + 1);
    v4 **lanes[] = {&r->modes.square, &r->modes.speed, &r->modes.share};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        *lanes[i] = JD_TAKE(arena, v4, r->modes.n_block);
    r->modes.cell = JD_TAKE_RAW(arena, response_cell, r->modes.n_block * (RESPONSE_ELEMENTS + 1));
    r->newton.X = JD_TAKE_RAW(arena, double, N *(M + 1));
    r->newton.W = JD_TAKE(arena, double, N *S);
    r->newton.border = JD_TAKE_RAW(arena, double, (M + 1) * (M + 1));
    r->newton.pivot = JD_TAKE(arena, int, M + 1);
    r->floquet.work = JD_TAKE(arena, double, 16 * N);
    r->floquet.multiplier = JD_TAKE(arena, double, 2 * N);
    r->floquet.P = JD_TAKE_RAW(arena, double, N *N);
    r->floquet.P1 = JD_TAKE_RAW(arena, double, N *N);
    r->floquet.row = JD_TAKE(arena, double, N);
    r->floquet.kick = JD_TAKE(arena, double, N);
    JD_TRY(jd_arena_status(arena));
    number_modes(r);
    return JD_OK;
}

void jd_response_copy(const response_point *from, response_point *to) {
    size_t bytes = (size_t)(S * jd_response_elements(from)) * sizeof *to->p;
    double *p = to->p, *tp = to->tp;
    *to = *from;
    to->p = p;
    to->tp = tp;
    memcpy(p, from->p, bytes);
    memcpy(tp, from->tp, bytes);
}

void jd_response_resize(const response *r, response_point *at, int size) {
    double fresh[2][RESPONSE_MOST];
    int from = jd_response_elements(at), to = sizes[size];
    for (int i = 0; i < S * to; i++) {
        int own = i / S;
        double where = (own + r->rule.c[i % S]) * from / to;
        int e = (int)where;
        gauss_basis basis;
        jd_gauss_look(&r->rule, where - e, &basis);
        fresh[0][i] = fresh[1][i] = 0;
        for (int j = 0; j < S; j++) {
            fresh[0][i] += basis.value[j] * at->p[e * S + j];
            fresh[1][i] += basis.value[j] * at->tp[e * S + j];
        }
    }
    memcpy(at->p, fresh[0], (size_t)(S * to) * sizeof *at->p);
    memcpy(at->tp, fresh[1], (size_t)(S * to) * sizeof *at->p);
    at->size = size;
    at->stamp = 0;
}

// One step with the factors at hand; returns its size.
static double newton(response *r, response_point *at) {
    int M = S * jd_response_elements(at);
    double *step = r->newton.step, size = 0, scale = 1;
    for (int i = 0; i < M; i++) step[i] = -r->points.R[i];
    step[M] = 0;
    jd_lu_solve(M + 1, r->newton.border, r->newton.pivot, step);
    for (int i = 0; i < M; i++) {
        at->p[i] += step[i];
        size = fmax(size, fabs(step[i]));
        scale = fmax(scale, fabs(at->p[i]));
    }
    at->omega += step[M];
    at->stamp = 0;
    return fmax(size, fabs(step[M])) / scale;
}

// Chords with the factors at hand, new ones when they gain too little.
bool jd_response_correct(response *r, response_point *at, bool fixed, double force) {
    double last = HUGE_VAL;
    bool ready = !fixed && r->newton.ready == at->size;
    if (force > 0) r->force = force;
    for (int it = 0; it < 24; it++) {
        if (ready ? !jd_response_solve(r, at, false) : !jd_response_derivative(r, at, fixed))
            return false;
        double size = newton(r, at), gain = it ? size / last : 1;
        if (!isfinite(size) || size > 1e3) return false;
        if (size < 1e-12 || size * gain < 1e-13 || (size < 1e-10 && gain > 0.5)) {
            if (fixed) r->newton.ready = -1;
            return true;
        }
        ready = it == 0 || gain < 0.2;
        last = size;
    }
    return false;
}

bool jd_response_tangent(response *r, response_point *at, bool fresh) {
    if (fresh && !jd_response_derivative(r, at, false)) return false;
    int n = jd_response_elements(at), M = S * n;
    double *t = r->newton.step, norm = 0;
    memset(t, 0, (size_t)M * sizeof *t);
    t[M] = 1;
    jd_lu_solve(M + 1, r->newton.border, r->newton.pivot, t);
    for (int i = 0; i < M; i++) norm += t[i] * t[i] * r->rule.b[i % S] / n;
    norm = sqrt(norm + t[M] * t[M]);
    for (int i = 0; i < M; i++) at->tp[i] = t[i] / norm;
    at->t_omega = t[M] / norm;
    return isfinite(norm);
}

double jd_response_decay(const response *r, const response_point *at) {
    double top = 0, all = 1e-300;
    for (int e = 0; e < jd_response_elements(at); e++) {
        top = fmax(top, jd_gauss_tail(&r->rule, at->p + e * S));
        for (int i = 0; i < S; i++) all = fmax(all, fabs(at->p[e * S + i]));
    }
    return top / all;
}

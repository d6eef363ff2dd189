// refine.c -- Rayleigh-quotient iteration on K x = lambda M x in double-double.
//   (K - sigma M) y = M x,   lambda = sigma + y'Mx/y'My      (no cancellation in lambda - sigma)
//   Two steps with the first shift, then sigma := lambda every time, until the residual
//   r = K x - lambda M x stagnates. An eigenvalue lies within sqrt(r' M^-1 r) of lambda
//   (Weinstein); the rounding of r adds at most c eps_dd |x|'|K||x|.
#include "linalg/band/refine.h"

#include <string.h>

enum { MOST_STEPS = 40, ROUNDINGS = 16 };

jd_status jd_refine_take(jd_arena *arena, const jd_band *K, const jd_band *M, int n_mode,
                         jd_dd *lambda, jd_dd *vector, jd_refine *out) {
    jd_refine s = {.K = K, .M = M, .n = K->n, .lambda = lambda, .vector = vector};
    jd_ldl_take(arena, K->n, K->width, &s.shifted);
    jd_ldl_take(arena, M->n, M->width, &s.mass);
    s.radius = JD_TAKE(arena, double, n_mode);
    s.Mx = JD_TAKE(arena, jd_dd, s.n);
    s.y = JD_TAKE(arena, jd_dd, s.n);
    s.r = JD_TAKE(arena, jd_dd, s.n);
    s.kept = JD_TAKE(arena, jd_dd, s.n);
    JD_TRY(jd_arena_status(arena));
    jd_ldl_factor(&s.mass, M, M, dd(0));
    *out = s;
    if (s.mass.negative)
        return jd_fail(jd_arena_context(arena), JD_NOT_DEFINITE, "the mass matrix is not positive");
    return JD_OK;
}

int jd_refine_count(jd_refine *s, jd_dd sigma) {
    jd_ldl_factor(&s->shifted, s->K, s->M, sigma);
    return s->shifted.negative;
}

static jd_dd *row(const jd_refine *s, int k) { return s->vector + (size_t)k * (size_t)s->n; }

JD_DD_CLONES
static void add_scaled(int n, jd_dd *y, jd_dd a, const jd_dd *x) {
    for (int i = 0; i < n; i++) y[i] = dd_add_fast(y[i], dd_mul(a, x[i]));
}

JD_DD_CLONES
static void scale(int n, const jd_dd *x, jd_dd a, jd_dd *y) {
    for (int i = 0; i < n; i++) y[i] = dd_mul(x[i], a);
}

// y -= x_j (x_j' M y) for vectors found with an eigenvalue close to sigma: inverse iteration
// alone would not separate them.
static void keep_apart(jd_refine *s, jd_dd *y, int first, int k, double sigma) {
    for (int j = first; j < k; j++) {
        if (fabs(s->lambda[j].hi - sigma) > 1e-6 * fabs(sigma)) continue;
        jd_band_multiply(s->M, y, s->r);
        add_scaled(s->n, y, dd_neg(jd_dot(s->n, row(s, j), s->r)), row(s, j));
    }
}

// x := x/sqrt(x'Mx), Mx along with it.
static void normalise(jd_refine *s, jd_dd *x) {
    jd_band_multiply(s->M, x, s->Mx);
    jd_dd a = dd_div(dd(1), dd_sqrt(jd_dot(s->n, x, s->Mx)));
    scale(s->n, x, a, x);
    scale(s->n, s->Mx, a, s->Mx);
}

// One inverse iteration on x (and Mx) with the factors of K - sigma M; returns lambda. The residual
// of the new pair follows from the angle it turned by: |r| = |lambda - sigma| sin(angle).
static jd_dd step(jd_refine *s, jd_dd *x, jd_dd sigma, int first, int k, double *rest) {
    memcpy(s->y, s->Mx, (size_t)s->n * sizeof *s->y);
    jd_ldl_solve(&s->shifted, s->y);
    keep_apart(s, s->y, first, k, sigma.hi);
    jd_dd along = jd_dot(s->n, s->y, s->Mx);
    jd_band_multiply(s->M, s->y, s->Mx);
    jd_dd square = jd_dot(s->n, s->y, s->Mx), a = dd_div(dd(1), dd_sqrt(square));
    scale(s->n, s->y, a, x);
    scale(s->n, s->Mx, a, s->Mx);
    jd_dd change = dd_div(along, square);
    double sin2 = dd_sub(dd(1), dd_mul(along, change)).hi;
    *rest = a.hi * sqrt(fmax(sin2, JD_EPS_DD));
    return dd_add(sigma, change);
}

// sqrt(r' M^-1 r) of the pair (lambda, x).
static double residual(jd_refine *s, const jd_dd *x, jd_dd lambda) {
    jd_band_multiply(s->K, x, s->r);
    add_scaled(s->n, s->r, dd_neg(lambda), s->Mx);
    memcpy(s->y, s->r, (size_t)s->n * sizeof *s->y);
    jd_ldl_solve(&s->mass, s->y);
    return sqrt(fabs(jd_dot(s->n, s->y, s->r).hi));
}

// The factors of an indefinite K - sigma M may have lost digits by growth; then inverse iteration
// stops at |E|, their backward error. Steps dx = -(K - sigma M)^-1 r with an exact r gain the
// factor |E|/|lambda - sigma| + |lambda - sigma|/gap each: sigma is moved off lambda to make it
// small.
static void correct(jd_refine *s, int k, double noise) {
    jd_dd *x = row(s, k), lambda = s->lambda[k], *kept = s->kept;
    double r = s->radius[k] - noise, offset = sqrt(s->radius[k] * 1e-3 * fabs(lambda.hi));
    if (!(offset < 1e-3 * fabs(lambda.hi))) return;
    jd_dd sigma = dd_sub(lambda, dd(offset));
    jd_ldl_factor(&s->shifted, s->K, s->M, sigma);
    for (int i = 0; i < MOST_STEPS && r > noise; i++) {
        memcpy(kept, x, (size_t)s->n * sizeof *x);
        jd_ldl_solve(&s->shifted, s->r); // s->r holds the residual of (lambda, x)
        add_scaled(s->n, x, dd(-1), s->r);
        normalise(s, x);
        jd_band_multiply(s->K, x, s->r);
        lambda = jd_dot(s->n, x, s->r);
        double now = residual(s, x, lambda);
        if (!(now < r / 2)) { // stagnated: the pair before stands
            memcpy(x, kept, (size_t)s->n * sizeof *x);
            return;
        }
        r = now;
        s->lambda[k] = lambda;
        s->radius[k] = r + noise;
    }
}

bool jd_refine_accepts(jd_refine *s, int k) {
    const jd_dd *x = row(s, k);
    jd_band_multiply(s->M, x, s->Mx);
    double r = residual(s, x, s->lambda[k]), noise = ROUNDINGS * JD_EPS_DD * jd_band_form(s->K, x);
    s->radius[k] = r + noise;
    return r <= noise;
}

void jd_refine_pair(jd_refine *s, int k, jd_dd sigma, int first) {
    jd_dd *x = row(s, k);
    keep_apart(s, x, first, k, sigma.hi);
    normalise(s, x);
    double best = HUGE_VAL, rest;
    for (int i = 0; i < MOST_STEPS; i++) {
        if (i != 1) jd_ldl_factor(&s->shifted, s->K, s->M, sigma); // the first shift serves twice
        jd_dd lambda = step(s, x, sigma, first, k, &rest);
        if (i != 0) sigma = lambda;
        double noise = ROUNDINGS * JD_EPS_DD * jd_band_form(s->K, x);
        if (rest > noise && i < MOST_STEPS - 1) continue;
        double r = residual(s, x, lambda);
        s->lambda[k] = lambda;
        s->radius[k] = r + noise;
        if (r > best / 2) correct(s, k, noise);
        if (r <= noise || r > best / 2) return; // nothing left to gain
        best = r;
    }
}

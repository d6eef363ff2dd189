// radau.c -- collocation at the Radau IIA points, s = 7.
//   p(0) = x0, p'(c_i) = h f(t + c_i h, p(c_i)), i = 1..s, c_s = 1;  Z_i = p(c_i) - x0
//   Z = h (A (x) I) f(x0 + Z) by simplified Newton with J at the start of the step
//   error at the end O(h^13), inside the step O(h^8); L-stable: sigma and 1/e may be large
//   dZ = (I - h A (x) J_i)^-1 h (A (x) J_i) dx0                    tested: closure_radau_*
//   c_i: zeros of P_(s-1)(x) - P_s(x), x = 2c - 1; A by Gauss's rule, exact for these degrees.
#include "engine/closure/radau.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "linalg/eigen.h"
#include "linalg/general.h"

enum { S = RADAU_STAGES, GAUSS = 5, NEWTON = 12 };
static const double pi = JD_PI;

// Legendre polynomial and its derivative, |x| < 1.
static double legendre(int n, double x, double *slope) {
    double p0 = 1, p1 = x;
    if (n == 0) return *slope = 0, 1;
    for (int k = 2; k <= n; k++) {
        double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
    }
    *slope = n * (x * p1 - p0) / (x * x - 1);
    return p1;
}

static void find_nodes(double *c) {
    c[0] = 0;
    c[S] = 1;
    for (int i = 1; i < S; i++) { // zeros of P_(s-1) - P_s inside (-1, 1), ascending
        double x = -cos(pi * (4 * i - 1.0) / (4 * S)), d0, d1;
        for (int k = 0; k < 60; k++) {
            double f = legendre(S - 1, x, &d0);
            f -= legendre(S, x, &d1);
            double dx = f / (d0 - d1);
            x -= dx;
            if (fabs(dx) < 1e-17) break;
        }
        c[i] = (1 + x) / 2;
    }
}

// l_j(x) of the s nodes c_1 ... c_s
static double lagrange(const double *c, int j, double x) {
    double p = 1;
    for (int k = 1; k <= S; k++)
        if (k != j) p *= (x - c[k]) / (c[j] - c[k]);
    return p;
}

static void find_matrix(radau *r) {
    double x[GAUSS], w[GAUSS], d; // exact to degree 9 >= s - 1
    for (int i = 0; i < GAUSS; i++) {
        x[i] = -cos(pi * (i + 0.75) / (GAUSS + 0.5));
        for (int k = 0; k < 30; k++) x[i] -= legendre(GAUSS, x[i], &d) / d;
        legendre(GAUSS, x[i], &d);
        w[i] = 2 / ((1 - x[i] * x[i]) * d * d);
    }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            double sum = 0, half = r->c[i + 1] / 2;
            for (int g = 0; g < GAUSS; g++) sum += w[g] * lagrange(r->c, j + 1, half * (1 + x[g]));
            r->A[i * S + j] = half * sum;
        }
}

static void find_weights(radau *r) {
    double total = 0;
    for (int i = 0; i < RADAU_NODES; i++) {
        double p = 1;
        for (int k = 0; k < RADAU_NODES; k++)
            if (k != i) p *= r->c[i] - r->c[k];
        r->weight[i] = 1 / p;
    }
    for (int i = 1; i < RADAU_NODES; i++) {
        r->slope[i] = r->weight[i] / r->weight[0] / (r->c[0] - r->c[i]);
        total += r->slope[i];
    }
    r->slope[0] = -total;
}

jd_status jd_radau_create(jd_arena *arena, int room, radau *r) {
    JD_TRY(jd_lapack_ready(jd_arena_context(arena)));
    *r = (radau){.room = room};
    find_nodes(r->c);
    find_matrix(r);
    find_weights(r);
    size_t n = (size_t)room, big = S * n;
    r->J = JD_TAKE(arena, double, n *n);
    r->lu = JD_TAKE(arena, double, big *big);
    r->G = JD_TAKE(arena, double, big);
    r->up = JD_TAKE(arena, double, big);
    r->down = JD_TAKE(arena, double, n);
    r->work = JD_TAKE(arena, double, 4 * n);
    r->stage = JD_TAKE(arena, double, S *n *n);
    r->pivot = JD_TAKE(arena, int, big);
    return jd_arena_status(arena);
}

jd_status jd_radau_take_step(jd_arena *arena, int room, radau_step *step) {
    *step = (radau_step){.x = JD_TAKE(arena, double, RADAU_NODES *room)};
    return jd_arena_status(arena);
}

// (f(-2d) - 8 f(-d) + 8 f(d) - f(2d))/(12 d)
bool jd_radau_jacobian(const radau_field *f, int n, double t, const double *x, double *J,
                       double *work) {
    static const double at[] = {-2, -1, 1, 2}, factor[] = {1, -8, 8, -1};
    double *y = work, *value = work + n, *sum = work + 2 * n;
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int j = 0; j < n; j++) {
        double d = 1e-4 * fmax(fabs(x[j]), 0.1);
        memset(sum, 0, (size_t)n * sizeof *sum);
        for (int k = 0; k < 4; k++) {
            y[j] = x[j] + at[k] * d;
            if (!f->rate(f->user, t, y, value)) return false;
            for (int i = 0; i < n; i++) sum[i] += factor[k] * value[i];
        }
        y[j] = x[j];
        for (int i = 0; i < n; i++) J[i * n + j] = sum[i] / (12 * d);
    }
    return true;
}

static bool factor(radau *r, int n, double h) {
    int big = S * n;
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            for (int a = 0; a < n; a++) {
                double *row = r->lu + (size_t)(i * n + a) * (size_t)big + j * n;
                for (int b = 0; b < n; b++)
                    row[b] = (i == j && a == b) - h * r->A[i * S + j] * r->J[a * n + b];
            }
    r->lu_n = n;
    r->lu_h = h;
    return jd_lu_factor(big, r->lu, r->pivot);
}

// p of `guess` beyond its end, else the constant x0.
static void begin(const radau *r, radau_step *step, const radau_step *guess) {
    int n = step->n;
    for (int i = 1; i <= S; i++) {
        double *to = step->x + i * n;
        if (guess && guess->n == n)
            jd_radau_look(r, guess, (step->t + r->c[i] * step->h - guess->t) / guess->h, to);
        else
            memcpy(to, step->x, (size_t)n * sizeof *to);
    }
}

// G = x0 + h A f(x) - x, rows of stages
static bool residual(radau *r, const radau_field *f, const radau_step *step) {
    int n = step->n;
    double *rate = r->up;
    for (int j = 0; j < S; j++)
        if (!f->rate(f->user, step->t + r->c[j + 1] * step->h, step->x + (j + 1) * n, rate + j * n))
            return false;
    for (int i = 0; i < S; i++)
        for (int a = 0; a < n; a++) {
            double sum = 0;
            for (int j = 0; j < S; j++) sum += r->A[i * S + j] * rate[j * n + a];
            r->G[i * n + a] = step->x[a] + step->h * sum - step->x[(i + 1) * n + a];
        }
    return true;
}

radau_end jd_radau_solve(radau *r, const radau_field *f, radau_step *step, const radau_step *guess,
                         const double *scale) {
    int n = step->n;
    double last = HUGE_VAL;
    if (!(r->same_J && r->lu_n == n)) {
        if (!jd_radau_jacobian(f, n, step->t, step->x, r->J, r->work)) return RADAU_NOT_FINITE;
        r->lu_n = 0;
    }
    if ((r->lu_n != n || r->lu_h != step->h) && !factor(r, n, step->h)) {
        r->lu_n = 0;
        return RADAU_SLOW;
    }
    begin(r, step, guess);
    for (int it = 0; it < NEWTON; it++) {
        if (!residual(r, f, step)) return RADAU_NOT_FINITE;
        jd_lu_solve(S * n, r->lu, r->pivot, r->G);
        double size = 0;
        for (int i = 0; i < S * n; i++) {
            step->x[n + i] += r->G[i];
            size = fmax(size, fabs(r->G[i]) / scale[i % n]);
        }
        if (!isfinite(size)) return RADAU_NOT_FINITE;
        double ratio = fmin(size / last, 0.9);
        r->left = fmax(0, size * ratio / (1 - ratio));
        if (size < 1e-15 || (size < 1e-12 && size > 0.2 * last)) return RADAU_DONE;
        if (it > 2 && size > 0.7 * last) return RADAU_SLOW;
        last = size;
    }
    return RADAU_SLOW;
}

double jd_radau_error(radau *r, const radau_field *f, const radau_step *step, const double *scale) {
    int n = step->n;
    double worst = 0;
    if (!f->rate(f->user, step->t, step->x, r->down)) return HUGE_VAL;
    for (int a = 0; a < n; a++) {
        double slope = 0;
        for (int i = 0; i < RADAU_NODES; i++)
            slope += r->slope[i] * (step->x[i * n + a] - step->x[a]);
        worst = fmax(worst, fabs(slope - step->h * r->down[a]) / scale[a]);
    }
    return 0.02 * worst;
}

void jd_radau_look(const radau *r, const radau_step *step, double theta, double *out) {
    int n = step->n;
    double share[RADAU_NODES], total = 0;
    for (int i = 0; i < RADAU_NODES; i++) {
        if (theta == r->c[i]) {
            memcpy(out, step->x + i * n, (size_t)n * sizeof *out);
            return;
        }
        share[i] = r->weight[i] / (theta - r->c[i]);
        total += share[i];
    }
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < RADAU_NODES; i++)
        for (int a = 0; a < n; a++) out[a] += share[i] / total * step->x[i * n + a];
}

jd_status jd_radau_carry(radau *r, const radau_field *f, const radau_step *step, int m, double *P,
                         double *rhs) {
    int n = step->n, big = S * n;
    for (int i = 0; i < S; i++)
        jd_radau_jacobian(f, n, step->t + r->c[i + 1] * step->h, step->x + (i + 1) * n,
                          r->stage + i * n * n, r->work);
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    r->lu[(size_t)(i * n + a) * (size_t)big + (size_t)(j * n + b)] =
                        (i == j && a == b) -
                        step->h * r->A[i * S + j] * r->stage[(j * n + a) * n + b];
    r->lu_n = 0;
    jd_lu_factor(big, r->lu, r->pivot);
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < S; i++) // dx_i = dx0 + h sum A_ij J_j dx_j
            for (int a = 0; a < n; a++) rhs[i * n + a] = P[a * m + k];
        jd_lu_solve(big, r->lu, r->pivot, rhs);
        for (int a = 0; a < n; a++) P[a * m + k] = rhs[(S - 1) * n + a];
    }
    return JD_OK;
}

bool jd_radau_linear(radau *r, const radau_field *f, const radau_step *step) {
    int n = step->n;
    double *middle = r->G; // free here
    jd_radau_look(r, step, 0.5, middle);
    r->lu_n = 0;
    if (!jd_radau_jacobian(f, n, step->t + step->h / 2, middle, r->J, r->work)) return false;
    bool regular = factor(r, n, step->h);
    r->lu_n = 0; // not those of a step to be solved
    return regular;
}

void jd_radau_apply(radau *r, int n, int m, double *P, double *rhs) {
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < S; i++)
            for (int a = 0; a < n; a++) rhs[i * n + a] = P[a * m + k];
        jd_lu_solve(S * n, r->lu, r->pivot, rhs);
        for (int a = 0; a < n; a++) P[a * m + k] = rhs[(S - 1) * n + a];
    }
}

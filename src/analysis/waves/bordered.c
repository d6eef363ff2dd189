// bordered.c -- GMRES: the x in the span of b, A b, A^2 b, ... that leaves least.
//   A v_k = sum_i h_ik v_i; rotations keep H triangular, and what is left is known at every step.
//   Changes die out but in few directions: I - M is close to I, and few steps do.
//   Displacements ride along in the numbers beyond `own`: of changes that forces cause they follow
//   from the others.
#include "analysis/waves/bordered.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

enum { MOST = 160 };

double jd_wave_dot(int own, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < own; i++) sum += a[i] * b[i];
    return sum;
}

double jd_wave_size(int own, const double *a) { return sqrt(jd_wave_dot(own, a, a)); }

typedef struct basis {
    const jd_bordered *s;
    int k;                    // columns so far
    size_t all;               // n + borders
    double *v;                // (MOST + 1) all
    double *H, *c, *d, *left; // (MOST + 1) x MOST, rotated; rotations; right side, rotated
} basis;

static double *vector(const basis *a, int k) { return a->v + (size_t)k * a->all; }

static double dot(const basis *a, const double *x, const double *y) {
    const jd_bordered *s = a->s;
    return jd_wave_dot(s->own, x, y) + jd_wave_dot(s->borders, x + s->n, y + s->n);
}

static jd_status apply(const jd_bordered *s, const double *x, double *y) {
    JD_TRY(s->run->class->map.replay_apply(s->run, x, y));
    for (int i = 0; i < s->n; i++) {
        y[i] = x[i] - y[i];
        for (int k = 0; k < s->borders; k++) y[i] -= x[s->n + k] * s->column[k][i];
    }
    for (int k = 0; k < s->borders; k++)
        y[s->n + k] =
            jd_wave_dot(s->own, s->row[k], x) + jd_wave_dot(s->borders, s->row[k] + s->n, x + s->n);
    return JD_OK;
}

// One more column: orthogonal to the others, in two rounds.
static jd_status extend(basis *a, bool *whole) {
    int k = a->k++;
    double *x = vector(a, k + 1), *h = a->H + k;
    JD_TRY(apply(a->s, vector(a, k), x));
    double before = sqrt(dot(a, x, x));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i <= k; i++) {
            double c = dot(a, vector(a, i), x);
            h[i * MOST] += c;
            for (size_t j = 0; j < a->all; j++) x[j] -= c * vector(a, i)[j];
        }
    double size = sqrt(dot(a, x, x));
    *whole = !(size > 1e-14 * before);
    for (size_t j = 0; !*whole && j < a->all; j++) x[j] /= size;
    for (int i = 0; i < k; i++) {
        double p = h[i * MOST], q = h[(i + 1) * MOST];
        h[i * MOST] = a->c[i] * p + a->d[i] * q;
        h[(i + 1) * MOST] = -a->d[i] * p + a->c[i] * q;
    }
    double p = h[k * MOST], r = hypot(p, size);
    a->c[k] = r > 0 ? p / r : 1;
    a->d[k] = r > 0 ? size / r : 0;
    h[k * MOST] = r;
    a->left[k + 1] = -a->d[k] * a->left[k];
    a->left[k] *= a->c[k];
    return JD_OK;
}

static jd_status begin(basis *a, const jd_bordered *s, const double *b) {
    *a = (basis){.s = s, .all = (size_t)(s->n + s->borders)};
    a->v = JD_TAKE(s->arena, double, (MOST + 1) * a->all);
    a->H = JD_TAKE(s->arena, double, (MOST + 1) * MOST);
    a->c = JD_TAKE(s->arena, double, MOST);
    a->d = JD_TAKE(s->arena, double, MOST);
    a->left = JD_TAKE(s->arena, double, MOST + 1);
    JD_TRY(jd_arena_status(s->arena));
    a->left[0] = sqrt(dot(a, b, b));
    for (size_t i = 0; a->left[0] > 0 && i < a->all; i++) a->v[i] = b[i] / a->left[0];
    return JD_OK;
}

jd_status jd_bordered_solve(const jd_bordered *s, const double *b, double share, double *x,
                            double *left, int *rounds) {
    jd_arena_mark mark = jd_arena_here(s->arena);
    basis a;
    bool whole = false;
    memset(x, 0, (size_t)(s->n + s->borders) * sizeof *x);
    *left = 0;
    JD_TRY(begin(&a, s, b));
    double size = a.left[0];
    while (size > 0 && !whole && a.k < MOST && fabs(a.left[a.k]) > share * size &&
           !jd_stop_wanted(s->run->context))
        JD_TRY(extend(&a, &whole));
    for (int i = a.k - 1; i >= 0; i--) {
        for (int j = i + 1; j < a.k; j++) a.left[i] -= a.H[i * MOST + j] * a.left[j];
        a.left[i] /= a.H[i * MOST + i];
        for (size_t j = 0; j < a.all; j++) x[j] += a.left[i] * vector(&a, i)[j];
    }
    *left = size > 0 ? fabs(a.left[a.k]) / size : 0;
    *rounds += a.k;
    jd_arena_back(s->arena, mark);
    return JD_OK;
}

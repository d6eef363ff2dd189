// quadratic_newton.c -- Newton's step for all poles of a quadratic eigenproblem at once.
//   With u'(2 s + C) u = 1 the poles and their vectors make up the inverse,
//     (s^2 + s C + Omega^2)^-1 = sum_p u_p u_p'/(s - s_p)     over all 2n poles, hence for
//     residuals r_i = (s_i^2 + s_i C + Omega^2) u_i: ds_i = -u_i'r_i,   du_i = -sum_{p != i} u_p
//     (u_p'r_i)/(s_i - s_p)    (and any share of u_i)
//   Products of matrices: n^3 for all poles, where a bordered matrix for each takes n^4. r is
//   summed up in double-double.
#include "linalg/quadratic_newton.h"

#include <math.h>
#include <string.h>

#include "base/dd.h"
#include "linalg/eigen.h"
#include "linalg/general.h"

enum { LEAST_ROUNDS = 2, ROUNDS = 4 };
static const double near_enough = 1e-6; // of s and u
static const double rounding = 2e-15;   // a step that is nothing but that
// |u|^2 times the largest pole: what the terms of the inverse are over their sum. Each round leaves
// this much rounding of its step in components far smaller than u (poles near 0, nearly defective).
static const double cancelling = 1e6;

typedef struct rounds {
    jd_pole_list *list;
    const double *omega2;
    double *CT;                                // n x n: C transposed
    double *sum_re, *sum_im, *low_re, *low_im; // n: C u, in double-double
    double *r_re, *r_im;                       // n x count: residuals
    double *product[4];                        // count x count: U_re r_re, U_im r_im, U_re r_im, ..
    double *du_re, *du_im;                     // count x n
    double *ds_re, *ds_im, *last;              // count: steps, the size of the step before
    double fastest;                            // largest |s|
    int round;
} rounds;

static jd_status take(jd_arena *arena, const double *C, rounds *w) {
    size_t n = (size_t)w->list->n, h = (size_t)w->list->count;
    w->CT = JD_TAKE(arena, double, n *n);
    double **of_n[] = {&w->sum_re, &w->sum_im, &w->low_re, &w->low_im};
    double **of_h[] = {&w->ds_re, &w->ds_im, &w->last};
    double **of_both[] = {&w->r_re, &w->r_im, &w->du_re, &w->du_im};
    for (int i = 0; i < 4; i++) *of_n[i] = JD_TAKE(arena, double, n);
    for (int i = 0; i < 3; i++) *of_h[i] = JD_TAKE(arena, double, h);
    for (int i = 0; i < 4; i++) *of_both[i] = JD_TAKE(arena, double, h *n);
    for (int i = 0; i < 4; i++) w->product[i] = JD_TAKE(arena, double, h *h);
    JD_TRY(jd_arena_status(arena));
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++) w->CT[j * n + k] = C[k * n + j];
    for (size_t i = 0; i < h; i++) {
        w->last[i] = HUGE_VAL;
        w->fastest = fmax(w->fastest, hypot(w->list->re[i], w->list->im[i]));
    }
    return JD_OK;
}

// hi + lo += x c, the products and sums without error, their errors in lo (Ogita, Rump, Oishi:
// Dot2).
JD_DD_INLINE void add_scaled(size_t n, double x, const double *restrict c, double *restrict hi,
                             double *restrict lo) {
    for (size_t k = 0; k < n; k++) {
        jd_dd term = dd_two_prod(c[k], x), sum = dd_two_sum(hi[k], term.hi);
        hi[k] = sum.hi;
        lo[k] += sum.lo + term.lo;
    }
}

JD_DD_CLONES
static void damped(size_t n, const double *CT, const double *x, double *hi, double *lo) {
    memset(hi, 0, n * sizeof *hi);
    memset(lo, 0, n * sizeof *lo);
    for (size_t j = 0; j < n; j++) add_scaled(n, x[j], CT + j * n, hi, lo);
}

// Brings u'(2 s + C) u to 1. False: terms of the inverse are too large.
static bool scale(rounds *w, int i) {
    jd_pole_list *l = w->list;
    size_t n = (size_t)l->n;
    double *a = l->u_re + (size_t)i * n, *b = l->u_im + (size_t)i * n;
    double re = 0, im = 0, size = 0, s = l->re[i], o = l->im[i];
    for (size_t k = 0; k < n; k++) {
        double x = 0, y = 0;
        for (size_t j = 0; j < n; j++) x += w->CT[k * n + j] * a[j], y += w->CT[k * n + j] * b[j];
        x += 2 * (s * a[k] - o * b[k]), y += 2 * (s * b[k] + o * a[k]);
        re += a[k] * x - b[k] * y, im += a[k] * y + b[k] * x;
        size += a[k] * a[k] + b[k] * b[k];
    }
    double whole = hypot(re, im);
    if (!(whole * cancelling > size * w->fastest)) return false;
    // 1/sqrt(re + i im)
    double root = sqrt((whole + fabs(re)) / 2), other = im / (2 * root);
    double c = re > 0 ? root / whole : fabs(other) / whole,
           d = re > 0 ? -other / whole : -copysign(root, im) / whole;
    for (size_t k = 0; k < n; k++) {
        double x = a[k];
        a[k] = x * c - b[k] * d;
        b[k] = x * d + b[k] * c;
    }
    return true;
}

JD_DD_CLONES
static void residual(rounds *w, int i) {
    const jd_pole_list *l = w->list;
    size_t n = (size_t)l->n, h = (size_t)l->count;
    const double *ur = l->u_re + (size_t)i * n, *ui = l->u_im + (size_t)i * n;
    jd_dd a = dd(l->re[i]), b = dd(l->im[i]);
    jd_dd s2_re = dd_sub(dd_mul(a, a), dd_mul(b, b)), s2_im = dd_scale(dd_mul(a, b), 2);
    damped(n, w->CT, ur, w->sum_re, w->low_re);
    damped(n, w->CT, ui, w->sum_im, w->low_im);
    for (size_t k = 0; k < n; k++) {
        jd_dd x = dd_two_sum(w->sum_re[k], w->low_re[k]),
              y = dd_two_sum(w->sum_im[k], w->low_im[k]);
        jd_dd d = dd_add(s2_re, dd(w->omega2[k]));
        jd_dd re = dd_sub(dd_scale(d, ur[k]), dd_scale(s2_im, ui[k]));
        jd_dd im = dd_add(dd_scale(d, ui[k]), dd_scale(s2_im, ur[k]));
        re = dd_add(re, dd_sub(dd_mul(a, x), dd_mul(b, y)));
        im = dd_add(im, dd_add(dd_mul(a, y), dd_mul(b, x)));
        w->r_re[k * h + (size_t)i] = dd_value(re);
        w->r_im[k * h + (size_t)i] = dd_value(im);
    }
}

// Sums u_p'r_i become the factors of u_p (own + mirrored, own - mirrored) in du_i, in the same
// places, transposed.
static void weigh(rounds *w) {
    const jd_pole_list *l = w->list;
    size_t h = (size_t)l->count;
    double *rr = w->product[0], *ii = w->product[1], *ri = w->product[2], *ir = w->product[3];
    for (size_t p = 0; p < h; p++)
        for (size_t i = 0; i < h; i++) {
            size_t at = p * h + i;
            double re = rr[at] - ii[at], im = ri[at] + ir[at];   // u_p'r_i
            double mre = rr[at] + ii[at], mim = ri[at] - ir[at]; // conj(u_p)'r_i
            double x = l->re[i] - l->re[p], y = l->im[i] - l->im[p], z = l->im[i] + l->im[p];
            double own = p == i ? 0 : 1 / (x * x + y * y),
                   other = l->im[p] == 0 ? 0 : 1 / (x * x + z * z);
            if (p == i) w->ds_re[i] = -re, w->ds_im[i] = -im;
            double a = (re * x + im * y) * own, b = (im * x - re * y) * own;
            double c = (mre * x + mim * z) * other, d = (mim * x - mre * z) * other;
            rr[at] = -(a + c), ii[at] = b - d, ri[at] = -(b + d), ir[at] = -(a - c);
        }
}

static void transpose(size_t h, double *A) {
    for (size_t i = 0; i < h; i++)
        for (size_t j = 0; j < i; j++) {
            double x = A[i * h + j];
            A[i * h + j] = A[j * h + i];
            A[j * h + i] = x;
        }
}

static void steps(rounds *w) {
    const jd_pole_list *l = w->list;
    int n = l->n, h = l->count;
    size_t square = (size_t)h * (size_t)h, wide = (size_t)h * (size_t)n;
    for (int i = 0; i < 4; i++) memset(w->product[i], 0, square * sizeof(double));
    memset(w->du_re, 0, wide * sizeof(double));
    memset(w->du_im, 0, wide * sizeof(double));
    jd_multiply_add(h, h, n, l->u_re, w->r_re, w->product[0]);
    jd_multiply_add(h, h, n, l->u_im, w->r_im, w->product[1]);
    jd_multiply_add(h, h, n, l->u_re, w->r_im, w->product[2]);
    jd_multiply_add(h, h, n, l->u_im, w->r_re, w->product[3]);
    weigh(w);
    for (int i = 0; i < 4; i++) transpose((size_t)h, w->product[i]);
    jd_multiply_add(h, n, h, w->product[0], l->u_re, w->du_re);
    jd_multiply_add(h, n, h, w->product[1], l->u_im, w->du_re);
    jd_multiply_add(h, n, h, w->product[2], l->u_re, w->du_im);
    jd_multiply_add(h, n, h, w->product[3], l->u_im, w->du_im);
}

// Of pole i: the step over s and over u.
static double size_of_step(const rounds *w, int i) {
    const jd_pole_list *l = w->list;
    size_t n = (size_t)l->n, from = (size_t)i * n;
    double size = 0, change = 0;
    for (size_t k = from; k < from + n; k++) {
        size += l->u_re[k] * l->u_re[k] + l->u_im[k] * l->u_im[k];
        change += w->du_re[k] * w->du_re[k] + w->du_im[k] * w->du_im[k];
    }
    double pole = hypot(w->ds_re[i], w->ds_im[i]) / hypot(l->re[i], l->im[i]);
    return fmax(sqrt(change / size), pole);
}

// Takes the step of pole i unless it is no rounding and not smaller than half of the last. True:
// one more may be smaller still.
static bool step(rounds *w, int i) {
    jd_pole_list *l = w->list;
    size_t n = (size_t)l->n, from = (size_t)i * n;
    double by = size_of_step(w, i);
    bool small = by < rounding;
    l->settled[i] = small && w->round + 1 >= LEAST_ROUNDS;
    if (!small && !(by < w->last[i] / 2)) return false;
    for (size_t k = from; k < from + n; k++) l->u_re[k] += w->du_re[k], l->u_im[k] += w->du_im[k];
    l->re[i] += w->ds_re[i];
    if (l->im[i] != 0) l->im[i] += w->ds_im[i];
    w->last[i] = by;
    return !l->settled[i];
}

// Is the inverse known well enough? One pole that is not nearly right spoils the steps of all.
static bool all_near(const rounds *w) {
    for (int i = 0; i < w->list->count; i++)
        if (!(size_of_step(w, i) < near_enough)) return false;
    return true;
}

// One round; true: another may improve something.
static bool improve(rounds *w) {
    bool again = false;
    for (int i = 0; i < w->list->count; i++) {
        if (!scale(w, i)) return false;
        residual(w, i);
    }
    steps(w);
    if (w->round == 0 && !all_near(w)) return false;
    for (int i = 0; i < w->list->count; i++) again |= step(w, i);
    return again;
}

jd_status jd_quadratic_newton(jd_arena *arena, const double *omega2, const double *C,
                              jd_pole_list *list) {
    jd_arena_mark here = jd_arena_here(arena);
    rounds w = {.list = list, .omega2 = omega2};
    JD_TRY(take(arena, C, &w));
    while (w.round < ROUNDS && improve(&w)) w.round++;
    jd_arena_back(arena, here);
    return JD_OK;
}

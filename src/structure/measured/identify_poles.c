// identify_poles.c -- poles that all measured pairs have in common: vector fitting.
//   [sum r_p/(s - a_p) + d + e s] = Y (1 + sum t_p/(s - a_p)) is linear in r, d, e (of each pair)
//   and t (the same for all). The zeros of 1 + sum t/(s - a) are better poles: the eigenvalues of
//   diag(a) - 1 t'. Repeated until they stay (Gustavsen and Semlyen 1999). Poles in the right
//   half-plane are mirrored, real ones become pairs again.
#include <math.h>

#include "linalg/general.h"
#include "linalg/least_squares.h"
#include "structure/measured/frf.h"

enum { ROUNDS = 25, MOST_FUNCTIONS = 4 };

static double square(const jd_frf *f, int k) { // of all pairs
    double sum = 0;
    for (int p = 0; p < f->n_pair; p++) {
        double re = f->re[p * f->n + k], im = f->im[p * f->n + k];
        sum += re * re + im * im;
    }
    return sum;
}

double jd_frf_weight(const jd_frf *f, int k) {
    enum { LOOKS = 200 };
    double all = 0;
    for (int i = 0; i < LOOKS; i++) all += square(f, (int)((double)i * f->n / LOOKS)) / LOOKS;
    return 1 / sqrt(square(f, k) + 1e-4 * all + 1e-300);
}

typedef struct work {
    const jd_frf *frf;
    int K, functions, rows, columns;
    double unit;          // [rad/s] scale of s
    double *weight;       // n
    double *value;        // functions x n x 2: combinations of pairs
    double *A, *B, *next; // least squares; eigenvalues
} work;

// 1/(s - a) + 1/(s - a*) and i/(s - a) - i/(s - a*) at s = i w
static void basis(double a, double b, double w, double one[2], double two[2]) {
    double up = w - b, down = w + b, nu = a * a + up * up, nd = a * a + down * down;
    one[0] = -a / nu - a / nd, one[1] = -up / nu - down / nd;
    two[0] = up / nu - down / nd, two[1] = -a / nu + a / nd;
}

// Few pairs as they are, many as a few combinations: they share all poles.
static void combine(work *w) {
    const jd_frf *f = w->frf;
    for (int q = 0; q < w->functions; q++)
        for (int k = 0; k < f->n; k++) {
            double *to = w->value + 2 * (q * f->n + k);
            to[0] = to[1] = 0;
            for (int p = 0; p < f->n_pair; p++) {
                double c = f->n_pair <= MOST_FUNCTIONS ? p == q : cos(2.39996 * p * (q + 1) + q);
                to[0] += c * f->re[p * f->n + k];
                to[1] += c * f->im[p * f->n + k];
            }
        }
}

static void fill(work *w, const double *pole) {
    const jd_frf *f = w->frf;
    int own = 2 * w->K + 2;
    size_t rows = (size_t)w->rows;
    for (size_t i = 0; i < rows * (size_t)w->columns; i++) w->A[i] = 0;
    for (int q = 0; q < w->functions; q++)
        for (int k = 0; k < f->n; k++) {
            double s = f->omega[k] / w->unit, g = w->weight[k], e[2][2];
            const double *y = w->value + 2 * (q * f->n + k);
            size_t row = 2 * ((size_t)q * (size_t)f->n + (size_t)k);
            double *A = w->A + row;
            for (int p = 0; p < w->K; p++) {
                basis(pole[2 * p], pole[2 * p + 1], s, e[0], e[1]);
                for (int c = 0; c < 2; c++) {
                    double *left = A + (size_t)(q * own + 2 * p + c) * rows;
                    double *right = A + (size_t)(w->functions * own + 2 * p + c) * rows;
                    left[0] = g * e[c][0], left[1] = g * e[c][1];
                    right[0] = -g * (e[c][0] * y[0] - e[c][1] * y[1]);
                    right[1] = -g * (e[c][0] * y[1] + e[c][1] * y[0]);
                }
            }
            A[(size_t)(q * own + 2 * w->K) * rows] = g;
            A[(size_t)(q * own + 2 * w->K + 1) * rows + 1] = g * s;
            w->B[row] = g * y[0], w->B[row + 1] = g * y[1];
        }
}

// Zeros of 1 + sum t/(s - a) as poles with Im > 0, Re < 0; the largest change.
static jd_status relocate(jd_arena *arena, work *w, double *pole, double *change) {
    int n = 2 * w->K, at = 0;
    const double *t = w->B + w->functions * (n + 2);
    double *A = w->A;
    for (int p = 0; p < w->K; p++)
        for (int q = 0; q < w->K; q++) {
            double a = p == q ? pole[2 * p] : 0, b = p == q ? pole[2 * p + 1] : 0;
            A[2 * p * n + 2 * q] = a - 2 * t[2 * q];
            A[2 * p * n + 2 * q + 1] = b - 2 * t[2 * q + 1];
            A[(2 * p + 1) * n + 2 * q] = -b;
            A[(2 * p + 1) * n + 2 * q + 1] = a;
        }
    JD_TRY(jd_eigen_general(arena, n, A, w->next));
    *change = 0;
    for (int i = 0; i < n && at < w->K; i++) {
        double a = -fabs(w->next[2 * i]), b = w->next[2 * i + 1];
        if (b < 0) continue;
        if (b == 0) { // two real ones become a pair
            if (i + 1 < n && w->next[2 * i + 3] == 0) i++;
            b = 0.3 * fabs(a) + 1e-3;
        }
        if (a > -1e-9 * b) a = -1e-9 * b;
        double least = HUGE_VAL;
        for (int p = 0; p < w->K; p++)
            least = fmin(least, hypot(pole[2 * p] - a, pole[2 * p + 1] - b));
        *change = fmax(*change, least / hypot(a, b));
        w->next[2 * at] = a;
        w->next[2 * at + 1] = b;
        at++;
    }
    for (int p = 0; p < at; p++) {
        pole[2 * p] = w->next[2 * p];
        pole[2 * p + 1] = w->next[2 * p + 1];
    }
    return JD_OK;
}

jd_status jd_frf_poles(jd_arena *arena, const jd_frf *f, int K, double *pole) {
    jd_arena_mark mark = jd_arena_here(arena);
    work w = {.frf = f,
              .K = K,
              .functions = f->n_pair < MOST_FUNCTIONS ? f->n_pair : MOST_FUNCTIONS,
              .unit = f->omega[f->n - 1]};
    double low = f->omega[0] / w.unit, change = 1;
    w.rows = 2 * w.functions * f->n;
    w.columns = w.functions * (2 * K + 2) + 2 * K;
    w.weight = JD_TAKE(arena, double, f->n);
    w.value = JD_TAKE(arena, double, 2 * w.functions * f->n);
    w.A = JD_TAKE(arena, double, (size_t)w.rows *(size_t)w.columns);
    w.B = JD_TAKE(arena, double, w.rows);
    w.next = JD_TAKE(arena, double, 4 * K);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < f->n; k++) w.weight[k] = jd_frf_weight(f, k);
    combine(&w);
    for (int p = 0; p < K; p++) {
        pole[2 * p + 1] = low + (1 - low) * (p + 0.5) / K;
        pole[2 * p] = -0.01 * pole[2 * p + 1];
    }
    for (int i = 0; i < ROUNDS && change > 1e-10; i++) {
        fill(&w, pole);
        JD_TRY(jd_least_squares(arena, w.rows, w.columns, 1, w.A, w.B, 1e-14));
        JD_TRY(relocate(arena, &w, pole, &change));
    }
    for (int p = 0; p < 2 * K; p++) pole[p] *= w.unit;
    jd_arena_back(arena, mark);
    return JD_OK;
}

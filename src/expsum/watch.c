// watch.c -- weights over a basis: tables for derivatives and their bounds.
//   simple pole: W_m = w lambda^m/m!,  A_m = |W_m| e^{max(0, Re lambda) T}, T = longest step
//   pair block:  f = u p + v q;  (u, v)_{m+1} = (u mu + v delta2, u + v mu)_m/(m+1)
//     A_m of p: |u_m| sup|C| + |v_m delta2| sup|S|,  of q: |u_m| sup|S| + |v_m| sup|C|
#include <math.h>

#include "expsum/sum.h"

// Rounding of the tables themselves: bounds are a little larger than computed.
#define WIDEN (1 + 1e-13)

static void put_order(const jd_expbasis *b, double *row, int m, double complex w) {
    if (m >= b->order) return; // lower orders know nothing of higher derivatives
    row[m] = creal(w);
    row[8 + m] = cimag(w);
}

static void put_bound(const jd_expbasis *b, double *row, int m, double bound) {
    if (m < 3) row[16 + m] = bound * WIDEN;
    if (m == b->order) row[19] = bound * WIDEN;
}

static void simple_row(jd_watch *watch, int pole, jd_complex weight) {
    const jd_expbasis *b = watch->basis;
    int j = b->slot[pole];
    double *row = watch->row + (size_t)j * JD_ROW;
    double complex lambda = jd_cmplx(b->re[j], b->im[j]), w = jd_cmplx(weight.re, weight.im);
    double growth = b->re[j] > 0 ? exp(b->re[j] * b->ladder.longest) : 1;
    for (int m = 0; m <= JD_TAYLOR; m++) {
        put_order(b, row, m, w);
        put_bound(b, row, m, cabs(w) * growth);
        w = w * lambda / (m + 1);
    }
}

static void pair_rows(jd_watch *watch, const jd_complex *p, const jd_complex *q) {
    const jd_expbasis *b = watch->basis;
    for (int k = 0; k < b->n_pair; k++) {
        int j = b->pair_slot[k];
        double *row = watch->row + (size_t)j * JD_ROW, c = b->pair_c[k], s = b->pair_s[k];
        double complex mu = jd_cmplx(b->re[j], b->im[j]);
        double complex delta2 = jd_cmplx(b->pair[k].delta2.re, b->pair[k].delta2.im);
        double complex u = jd_cmplx(p[k].re, p[k].im), v = jd_cmplx(q[k].re, q[k].im);
        for (int m = 0; m <= JD_TAYLOR; m++) {
            put_order(b, row, m, u);
            put_order(b, row + JD_ROW, m, v);
            put_bound(b, row, m, cabs(u) * c + cabs(v * delta2) * s);
            put_bound(b, row + JD_ROW, m, cabs(u) * s + cabs(v) * c);
            double complex next = (u * mu + v * delta2) / (m + 1);
            v = (u + v * mu) / (m + 1);
            u = next;
        }
    }
}

jd_status jd_watch_create(jd_expbasis *basis, const jd_watch_def *def, jd_watch **out) {
    *out = NULL;
    jd_watch *watch = JD_TAKE(basis->arena, jd_watch, 1);
    double *row = JD_TAKE(basis->arena, double, basis->n_slot *JD_ROW);
    JD_TRY(jd_arena_status(basis->arena));
    watch->basis = basis;
    watch->row = row;
    for (int i = 0; i < basis->n_pole; i++) simple_row(watch, i, def->weight[i]);
    pair_rows(watch, def->pair_p, def->pair_q);
    *out = watch;
    return JD_OK;
}

void jd_watch_move(jd_watch *watch, int pole, jd_complex weight) {
    simple_row(watch, pole, weight);
}

void jd_watch_taylor(const jd_watch *watch, const double *re, const double *im,
                     double taylor[JD_TAYLOR]) {
    for (int m = 0; m < JD_TAYLOR; m++) taylor[m] = 0;
    for (int j = 0; j < watch->basis->n_used; j++) {
        const double *row = watch->row + (size_t)j * JD_ROW;
        for (int m = 0; m < JD_TAYLOR; m++) taylor[m] += row[m] * re[j] - row[8 + m] * im[j];
    }
}

double jd_watch_value(const jd_watch *watch, const double *re, const double *im) {
    double sum = 0;
    for (int j = 0; j < watch->basis->n_used; j++) {
        const double *row = watch->row + (size_t)j * JD_ROW;
        sum += row[0] * re[j] - row[8] * im[j];
    }
    return sum;
}

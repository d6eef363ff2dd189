// derivative.c -- the watch of f' from the watch of f.
//   simple pole: w -> w lambda;   pair block: (u, v) -> (u mu + v delta2, u + v mu)
#include "expsum/sum.h"

static jd_complex weight_of(const jd_watch *w, int slot) {
    const double *row = w->row + (size_t)slot * JD_ROW;
    return (jd_complex){row[0], row[8]};
}

static jd_complex product(jd_complex a, jd_complex b) {
    return (jd_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static jd_complex sum(jd_complex a, jd_complex b) { return (jd_complex){a.re + b.re, a.im + b.im}; }

jd_status jd_watch_derivative(jd_expbasis *basis, const jd_watch *watch, jd_watch **out) {
    *out = NULL;
    jd_complex *weight = JD_TAKE(basis->arena, jd_complex, basis->n_pole);
    jd_complex *p = JD_TAKE(basis->arena, jd_complex, basis->n_pair);
    jd_complex *q = JD_TAKE(basis->arena, jd_complex, basis->n_pair);
    JD_TRY(jd_arena_status(basis->arena));
    for (int i = 0; i < basis->n_pole; i++) {
        int j = basis->slot[i];
        weight[i] = product(weight_of(watch, j), (jd_complex){basis->re[j], basis->im[j]});
    }
    for (int k = 0; k < basis->n_pair; k++) {
        int j = basis->pair_slot[k];
        jd_complex u = weight_of(watch, j), v = weight_of(watch, j + 1),
                   mu = {basis->re[j], basis->im[j]};
        p[k] = sum(product(u, mu), product(v, basis->pair[k].delta2));
        q[k] = sum(u, product(v, mu));
    }
    const jd_watch_def def = {.weight = weight, .pair_p = p, .pair_q = q};
    return jd_watch_create(basis, &def, out);
}

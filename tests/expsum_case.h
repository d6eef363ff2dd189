// expsum_case.h -- a sum, its basis and its watch, for tests of searches.
#ifndef JD_TESTS_EXPSUM_CASE_H
#define JD_TESTS_EXPSUM_CASE_H

#include <stdlib.h>
#include <string.h>

#include "expsum/sum.h"
#include "near.h"

enum { SLOTS_MAX = 64 };

// A sum f(t) = Re sum c_p e^{lambda_p t} with its basis, one watch of weights 1.
typedef struct sum {
    jd_context *context;
    jd_expbasis *basis;
    jd_watch *watch;
    double re[SLOTS_MAX], im[SLOTS_MAX];
} sum;

static inline sum make(int n, const jd_complex *pole, const jd_complex *amplitude, double longest) {
    sum s = {.context = jd_context_create(NULL)};
    jd_expbasis_def def = jd_default_expbasis_def();
    jd_complex one[SLOTS_MAX];
    for (int i = 0; i < n; i++) one[i] = (jd_complex){1, 0};
    def.n_pole = n;
    def.pole = pole;
    def.longest_step = longest;
    assert_int_equal(jd_expbasis_create(s.context, &def, &s.basis), JD_OK);
    assert_int_equal(jd_watch_create(s.basis, &(jd_watch_def){.weight = one}, &s.watch), JD_OK);
    for (int i = 0; i < n; i++) {
        s.re[jd_expbasis_slot(s.basis, i)] = amplitude[i].re;
        s.im[jd_expbasis_slot(s.basis, i)] = amplitude[i].im;
    }
    return s;
}

static inline void drop(sum *s) {
    jd_expbasis_free(s->basis);
    jd_context_free(s->context);
}

static inline jd_search_result find(sum *s, const jd_guard *guard, double t_max) {
    jd_search_result r;
    double re[SLOTS_MAX], im[SLOTS_MAX];
    jd_first_zero(s->basis, s->re, s->im, 1, guard, t_max, NULL, &r, re, im);
    return r;
}

static inline jd_guard above(const sum *s, double lower) {
    jd_guard g = jd_default_guard(s->watch);
    g.lower = lower;
    return g;
}

static inline jd_guard below(const sum *s, double upper) {
    jd_guard g = jd_default_guard(s->watch);
    g.upper = upper;
    return g;
}

#endif

// search.c -- the face of the search: its defaults, and the call into the inner loops of the
// processor.
#include <math.h>

#include "expsum/sum.h"

jd_search_options jd_default_search_options(void) {
    return (jd_search_options){
        .max_evaluations = 1000000, .split = -1, .bound_factor = 1, .rounding = 1};
}

jd_guard jd_default_guard(const jd_watch *watch) {
    return (jd_guard){.watch = watch, .lower = -HUGE_VAL, .upper = HUGE_VAL, .degree = -1};
}

void jd_first_zero(jd_expbasis *basis, const double *re, const double *im, int n_guard,
                   const jd_guard *guard, double t_max, const jd_search_options *options,
                   jd_search_result *result, double *out_re, double *out_im) {
    basis->simd->first_zero(basis, re, im, n_guard, guard, t_max, options, result, out_re, out_im);
}

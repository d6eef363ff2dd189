// profile.c -- a factor that varies along a span: piecewise linear, constant outside its places.
#include <math.h>

#include "base/fail.h"
#include "base/param_tools.h"

jd_status jd_profile_check(jd_context *context, const jd_profile *p) {
    if (p->at.n != p->factor.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`at` has %d values and `factor` has %d, but must have as many", p->at.n,
                       p->factor.n);
    for (int i = 1; i < p->at.n; i++)
        if (!(p->at.value[i] > p->at.value[i - 1]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`at` must ascend, but value %d is %.10g after %.10g", i + 1,
                           p->at.value[i], p->at.value[i - 1]);
    return JD_OK;
}

jd_status jd_profile_within(jd_context *context, const jd_profile *p, double length) {
    double last = p->at.n > 0 ? p->at.value[p->at.n - 1] : 0;
    if (last <= length * (1 + 1e-9)) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE, "`profile.at` goes up to %.10g, but the span is %.10g long",
            last, length);
    jd_fail_hint(context, "places of a profile are counted from the beginning of its span");
    return JD_OUT_OF_RANGE;
}

double jd_profile_at(const jd_profile *p, double x) {
    int n = p->at.n;
    if (n == 0) return 1;
    const double *at = p->at.value, *value = p->factor.value;
    if (x <= at[0]) return value[0];
    for (int i = 1; i < n; i++)
        if (x <= at[i])
            return value[i - 1] + (value[i] - value[i - 1]) * (x - at[i - 1]) / (at[i] - at[i - 1]);
    return value[n - 1];
}

// Trapezoids between its places are exact.
double jd_profile_between(const jd_profile *p, double a, double b) {
    double sum = 0, x = a, fx = jd_profile_at(p, a);
    for (int i = 0; i < p->at.n && x < b; i++) {
        double next = fmin(p->at.value[i], b);
        if (next <= x) continue;
        double value = jd_profile_at(p, next);
        sum += 0.5 * (fx + value) * (next - x);
        x = next;
        fx = value;
    }
    return x < b ? sum + 0.5 * (fx + jd_profile_at(p, b)) * (b - x) : sum;
}

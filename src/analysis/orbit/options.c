// options.c -- what a search for an orbit is told: defaults, and numbers that mean nothing.
#include <math.h>

#include "analysis/orbit/seek.h"
#include "base/fail.h"

jd_orbit_options jd_default_orbit_options(void) {
    return (jd_orbit_options){.settle = -1, .iterations = 30, .tolerance = 1e-13, .attempts = 8};
}

jd_status jd_orbit_check_options(jd_context *context, const jd_orbit_options *o) {
    const char *wrong = NULL;
    if (o->iterations < 1)
        wrong = "`iterations` is below 1";
    else if (!(o->tolerance > 0))
        wrong = "`tolerance` is not above 0";
    else if (o->attempts < 1)
        wrong = "`attempts` is below 1";
    else if (isnan(o->settle) || isinf(o->settle))
        wrong = "`settle` is no finite time";
    else if (!(o->period >= 0) || isinf(o->period))
        wrong = "`period` is no finite time";
    else if (!(o->most >= 0))
        wrong = "`most` is below 0";
    else if (o->threads < 0)
        wrong = "`threads` is below 0";
    else if (o->state && !o->phase)
        wrong = "`state` is given without `phase`";
    if (!wrong) return JD_OK;
    jd_fail(context, JD_BAD_ARGUMENT, "options of an orbit: %s", wrong);
    jd_fail_hint(context, "begin with `jd_default_orbit_options`");
    return JD_BAD_ARGUMENT;
}

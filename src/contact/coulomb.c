// coulomb.c -- dry friction: force -limit sgn v while sliding, |force| <= static_limit while stuck.
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const jd_param params[] = {
    {.key = "limit",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_coulomb_def, limit),
     .unit = "N|N/m|N m",
     .required = true,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "friction force while sliding; per length on a span"},
    {.key = "static_limit",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_coulomb_def, static_limit),
     .unit = "N|N/m|N m",
     .preset = (double)NAN,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "largest force while stuck; the same as limit when left out"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_coulomb_def *d = def;
    if (isnan(d->static_limit) || d->static_limit >= d->limit) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE,
            "`static_limit` is %.10g, but must be at least `limit`, which is %.10g",
            d->static_limit, d->limit);
    jd_fail_hint(context, "leave `static_limit` out to make both the same");
    return JD_OUT_OF_RANGE;
}

const jd_type jd_law_coulomb = {.name = "coulomb",
                                .doc = "dry friction with a constant limit",
                                .def_size = sizeof(jd_coulomb_def),
                                .params = params,
                                .check = check};

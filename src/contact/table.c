// table.c -- measured friction: resistance against relative speed, odd in the velocity.
//   The first entry, at speed 0, is the limit while stuck.
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const jd_param params[] = {
    {JD_KEY(jd_friction_table_def, velocity, REALS), .unit = "m/s|rad/s", .required = true,
     .low = 0, .high = HUGE_VAL, .doc = "relative speeds, ascending from 0"},
    {JD_KEY(jd_friction_table_def, force, REALS), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "resistance at each speed"},
    {JD_KEY(jd_friction_table_def, ambiguity, CHOICE), .unit = "", .choices = jd_law_ambiguities,
     .doc = "where several forces fit one history (steep fall, infinitely many modes): refuse, or "
            "keep the present branch until it ends"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_friction_table_def *d = def;
    if (d->velocity.n != d->force.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`velocity` has %d values and `force` has %d, but there must be as many",
                       d->velocity.n, d->force.n);
    if (d->velocity.n < 2)
        return jd_fail(context, JD_SIZE_MISMATCH, "`velocity` must have at least 2 values");
    if (d->velocity.value[0] != 0)
        return jd_fail(context, JD_OUT_OF_RANGE, "`velocity` must begin with 0, not %.10g",
                       d->velocity.value[0]);
    for (int i = 1; i < d->velocity.n; i++)
        if (!(d->velocity.value[i] > d->velocity.value[i - 1]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`velocity` must ascend, but value %d is %.10g after %.10g", i + 1,
                           d->velocity.value[i], d->velocity.value[i - 1]);
    return JD_OK;
}

const jd_type jd_law_table = {.name = "table",
                              .doc = "measured friction force against relative speed",
                              .def_size = sizeof(jd_friction_table_def),
                              .params = params,
                              .check = check};

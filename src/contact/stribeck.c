// stribeck.c -- friction that falls with speed: force -sgn v (limit - drop + drop exp(-decay |v|)),
// limit and drop multiplied by `times`.
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const jd_param params[] = {
    {JD_KEY(jd_stribeck_def, limit, REAL), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "friction force at vanishing speed, and the limit while stuck"},
    {JD_KEY(jd_stribeck_def, drop, REAL), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "how much the force falls from rest to high speed, at most limit"},
    {JD_KEY(jd_stribeck_def, decay, REAL), .unit = "s/m|s", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "how fast it falls with speed"},
    {JD_KEY(jd_stribeck_def, ambiguity, CHOICE), .unit = "", .choices = jd_law_ambiguities,
     .doc = "where several forces fit one history (steep fall, infinitely many modes): refuse, or "
            "keep the present branch until it ends"},
    {JD_KEY(jd_stribeck_def, times, REAL), .unit = "", .preset = 1, .low = 0, .high = HUGE_VAL,
     .doc = "factor of limit and drop, as a force that presses the bodies together has"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_stribeck_def *d = def;
    if (d->drop <= d->limit) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE,
                   "`drop` is %.10g, but must be at most `limit`, which is %.10g", d->drop,
                   d->limit);
}

const jd_type jd_law_stribeck = {.name = "stribeck",
                                 .doc = "friction that falls exponentially with speed",
                                 .def_size = sizeof(jd_stribeck_def),
                                 .params = params,
                                 .check = check};

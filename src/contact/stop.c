// stop.c -- unilateral stop with Newton restitution: u <= gap, u'+ = -e u'-.
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const char *const sides[] = {"one", "both", NULL};

static const jd_param params[] = {
    {JD_KEY(jd_stop_def, gap, REAL), .unit = "m|rad", .required = true,
     .doc =
         "free path to the stop along the contact's direction; negative is preloaded (begin with "
         "`start: static`)"},
    {JD_KEY(jd_stop_def, restitution, REAL), .unit = "", .required = true, .low = 0, .high = 1,
     .doc = "velocity after an impact over velocity before, 0 plastic to 1 elastic"},
    {JD_KEY(jd_stop_def, sides, CHOICE), .unit = "", .choices = sides,
     .doc = "stop on one side (u <= gap) or on both (|u| <= gap)"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_stop_def *d = def;
    if (d->sides == 0 || d->gap > 0) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE,
                   "`gap` is %.10g, but must be above 0 for a stop on both sides", d->gap);
}

static unsigned traits(const void *def) {
    (void)def;
    return JD_LAW_STOP;
}

static const jd_stop_def *stop(const void *def) { return def; }

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_stop_def *d = def;
    (void)arena;
    *out = (jd_element){.normal = true,
                        .gap = d->gap,
                        .restitution = d->restitution,
                        .both = d->sides == JD_BOTH_SIDES};
    return JD_OK;
}

const jd_law_class jd_law_stop = {
    .type = {.name = "stop",
             .doc = "a stop with restitution: impacts",
             .def_size = sizeof(jd_stop_def),
             .params = params,
             .check = check},
    .noun = "stop",
    .traits = traits,
    .stop = stop,
    .element = element,
};

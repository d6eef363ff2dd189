// cubic_viscous.c -- dry friction plus a resistance that grows with the cube of the speed:
//   f(u) = limit + cubic u^3.   A made-up law: the worked example of docs/architecture.md.
#include <math.h>

#include "contact/law.h"

typedef struct cubic_viscous_def {
    double limit; // [N]
    double cubic; // [N s^3/m^3]
} cubic_viscous_def;

static const jd_param params[] = {
    {JD_KEY(cubic_viscous_def, limit, REAL), .unit = "N", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "friction force at vanishing speed, and the limit while stuck"},
    {JD_KEY(cubic_viscous_def, cubic, REAL), .unit = "N s^3/m^3", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "factor of the cube of the speed"},
    {0}};

static unsigned traits(const void *def) {
    (void)def;
    return JD_LAW_FRICTION | JD_LAW_CURVE;
}

static double curve(const jd_friction *f, double u, double *rate) {
    *rate = 3 * f->number[0] * u * u;
    return f->limit + f->number[0] * u * u * u;
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const cubic_viscous_def *d = def;
    (void)arena;
    *out = (jd_friction){.limit = d->limit, .hold = d->limit, .curve = curve, .number = {d->cubic}};
    return JD_OK;
}

const jd_law_class jd_law_cubic_viscous = {
    .type = {.name = "cubic_viscous",
             .doc = "dry friction plus a resistance that grows with the cube of the speed",
             .def_size = sizeof(cubic_viscous_def),
             .params = params},
    .noun = "friction contact",
    .short_noun = "friction",
    .title = "cubic viscous",
    .traits = traits,
    .friction = friction};

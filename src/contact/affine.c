// affine.c -- friction that grows or falls linearly with speed: force -(R0 sgn v + d v).
#include <math.h>

#include "contact/law.h"

static const jd_param params[] = {
    {JD_KEY(jd_affine_def, limit, REAL), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "friction force at vanishing speed, and the limit while stuck"},
    {JD_KEY(jd_affine_def, slope, REAL), .unit = "N s/m|N s/m^2|N m s", .preset = 0,
     .doc = "change of the friction force with speed; negative: it falls, and may add energy to "
            "the motion"},
    {0}};

static unsigned traits(const void *def) {
    (void)def;
    return JD_LAW_FRICTION | JD_LAW_SLOPE;
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const jd_affine_def *d = def;
    (void)arena;
    *out = (jd_friction){
        .limit = d->limit, .hold = d->limit, .slope = d->slope, .steepest = fmax(0, -d->slope)};
    return JD_OK;
}

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_affine_def *d = def;
    double *number = JD_TAKE(arena, double, 2);
    if (!number) return JD_OUT_OF_MEMORY;
    number[0] = d->limit;
    *out = (jd_element){
        .sliders = 1, .limit = number, .hold = number, .stiffness = number + 1, .slope = d->slope};
    return JD_OK;
}

const jd_law_class jd_law_affine = {
    .type = {.name = "affine",
             .doc = "dry friction plus a linear term in the velocity",
             .def_size = sizeof(jd_affine_def),
             .params = params},
    .noun = "friction contact",
    .short_noun = "friction",
    .title = "affine",
    .traits = traits,
    .friction = friction,
    .element = element,
};

// cubic.c -- a nonlinear spring without friction or gap: force -(stiffness u + cubic u^3) on the
//   structure, u the displacement of its point from that of the counterpart; stores
//   stiffness u^2/2 + cubic u^4/4 and loses nothing. cubic > 0 hardens, cubic < 0 softens (and
//   pushes away beyond u^2 = -stiffness/cubic).
#include <math.h>

#include "contact/law.h"

static const jd_param params[] = {
    {JD_KEY(jd_cubic_def, stiffness, REAL), .unit = "N/m|N m", .low = -HUGE_VAL, .high = HUGE_VAL,
     .doc = "force per displacement; negative: it pushes away from the middle"},
    {JD_KEY(jd_cubic_def, cubic, REAL), .unit = "N/m^3|N m", .required = true, .low = -HUGE_VAL,
     .high = HUGE_VAL,
     .doc = "force per third power of the displacement; negative: the spring softens"},
    {0}};

static unsigned traits(const void *def) {
    (void)def;
    return JD_LAW_SMOOTH;
}

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_cubic_def *d = def;
    (void)arena;
    *out = (jd_element){.smooth = true, .linear = d->stiffness, .cubic = d->cubic};
    return JD_OK;
}

const jd_law_class jd_law_cubic = {
    .type = {.name = "cubic",
             .doc = "a nonlinear spring: a linear and a cubic part, no friction, no gap",
             .def_size = sizeof(jd_cubic_def),
             .params = params},
    .noun = "nonlinear spring",
    .title = "cubic",
    .traits = traits,
    .element = element,
};

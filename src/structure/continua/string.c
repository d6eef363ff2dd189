// string.c -- a taut string: rho y_tt = T y_xx, modes in closed form (wave_modes.c).
#include "structure/classes.h"
#include "structure/continua/supports.h"
#include "structure/continua/wave_modes.h"

static const jd_param params[] = {JD_PARAM_POSITIVE(jd_string_def, tension, "N", "tension T"),
                                  JD_CONTINUUM_PARAMS(jd_string_def, jd_supports_fixed_fixed)};

static jd_status build(jd_structure *structure, const void *def) {
    const jd_string_def *d = def;
    jd_continuum c = {.length = d->length,
                      .mass_per_length = d->mass_per_length,
                      .stiffness = d->tension,
                      .stiffness_key = "tension",
                      .modes = d->modes,
                      .points = &d->points,
                      .damping = &d->damping};
    return jd_wave_build(structure, c, &d->supports);
}

const jd_structure_class jd_string_class = {
    .type = {"string", "a taut string with analytic modes", sizeof(jd_string_def), params, NULL},
    .capabilities = JD_CAN_MODAL | JD_CAN_INFINITE | JD_CAN_WAVE,
    .build = build};

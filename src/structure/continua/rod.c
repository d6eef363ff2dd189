// rod.c -- a rod in tension and compression: rho A u_tt = EA u_xx, modes in closed form
// (wave_modes.c).
#include "structure/classes.h"
#include "structure/continua/supports.h"
#include "structure/continua/wave_modes.h"

static const jd_param params[] = {
    JD_PARAM_POSITIVE(jd_rod_def, axial_stiffness, "N", "axial stiffness EA"),
    JD_CONTINUUM_PARAMS(jd_rod_def, jd_supports_fixed_free)};

static jd_status build(jd_structure *structure, const void *def) {
    const jd_rod_def *d = def;
    jd_continuum c = {.length = d->length,
                      .mass_per_length = d->mass_per_length,
                      .stiffness = d->axial_stiffness,
                      .stiffness_key = "axial_stiffness",
                      .modes = d->modes,
                      .points = &d->points,
                      .damping = &d->damping};
    return jd_wave_build(structure, c, &d->supports);
}

const jd_structure_class jd_rod_class = {
    .type = {"rod", "a rod that stretches along its axis, with analytic modes", sizeof(jd_rod_def),
             params, NULL},
    .capabilities = JD_CAN_MODAL | JD_CAN_INFINITE | JD_CAN_WAVE,
    .build = build};

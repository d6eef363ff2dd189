// continuum.h -- what strings, rods and beams share: modes by number, points by position.
#ifndef JD_STRUCTURE_CONTINUUM_H
#define JD_STRUCTURE_CONTINUUM_H

#include "structure/params.h"

// The closed form of a family of modes; `x` [m] from the left end, `k` from 0.
typedef struct jd_continuum {
    double length, mass_per_length; // [m], [kg/m]
    double stiffness;               // tension, EA [N] or EI [N m^2]
    const char *stiffness_key;      // for messages
    int modes;                      // as in the definition
    const jd_points *points;
    const jd_object *damping;
    int components; // 1: deflection; 2: deflection and slope
    const void *data;
    jd_dd (*omega2)(const struct jd_continuum *c, int k);
    // Mass-normalised: integral of mass_per_length phi_k^2 dx = 1; component 2 is d/dx.
    jd_dd (*shape)(const struct jd_continuum *c, int k, double x, int component);
    // integral of mass_per_length phi_k dx [sqrt(kg)]
    jd_dd (*base)(const struct jd_continuum *c, int k);
    double error; // relative error bound of omega_k
} jd_continuum;

// Fills modal form, points and rows of the structure.
jd_status jd_continuum_build(jd_structure *structure, const jd_continuum *continuum);

// Keys that every continuum has, after its stiffness; the end of its table.
// clang-format off
#define JD_CONTINUUM_PARAMS(def, supports_types)                                                   \
    JD_PARAM_POSITIVE(def, length, "m", "length"),                                                 \
    JD_PARAM_POSITIVE(def, mass_per_length, "kg/m", "mass per length"),                            \
    {JD_KEY(def, modes, COUNT), .unit = "", .preset = JD_CONTINUUM_MODES, .low = 1,                \
     .high = JD_CONTINUUM_MOST, .doc = "number of modes kept, or `infinite`"},                     \
    JD_PARAM_SUPPORTS(def, supports_types),                                                        \
    JD_PARAM_POINTS(def, "named points, each by its distance from the left end"),                  \
    JD_PARAM_DAMPING(def), {.key = NULL}
// clang-format on

enum { JD_CONTINUUM_MODES = 20, JD_CONTINUUM_MOST = 100000 };

#endif

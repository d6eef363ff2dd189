// params.h -- keys that structures have in common, and their checks.
#ifndef JD_STRUCTURE_PARAMS_H
#define JD_STRUCTURE_PARAMS_H

#include "structure/modal.h"

// JD_OUT_OF_RANGE unless value is finite and above 0.
jd_status jd_need_positive(jd_context *context, const char *key, double value);

// Entries that structures have in common.
#define JD_PARAM_POSITIVE(def, member, unit_text, text)                                            \
    {                                                                                              \
        .key = #member, .kind = JD_KIND_REAL, .offset = offsetof(def, member), .unit = unit_text,  \
        .required = true, .low = 0, .high = 1e300, .above = true, .doc = text                      \
    }
#define JD_PARAM_ELEMENTS(def)                                                                     \
    {                                                                                              \
        .key = "elements", .kind = JD_KIND_INTEGER, .offset = offsetof(def, elements), .unit = "", \
        .required = true, .low = 1, .high = JD_FE_MOST_ELEMENTS, .doc = "number of equal elements" \
    }
#define JD_PARAM_MODES(def)                                                                        \
    {                                                                                              \
        .key = "modes", .kind = JD_KIND_COUNT, .offset = offsetof(def, modes), .unit = "",         \
        .preset = JD_ALL, .low = 1, .high = 1e6,                                                   \
        .doc = "lowest modes kept; default: all up to 1000 dof, above that the lowest 50"          \
    }
#define JD_PARAM_SUPPORTS(def, list)                                                               \
    {                                                                                              \
        .key = "supports", .kind = JD_KIND_GROUP, .offset = offsetof(def, supports), .unit = "",   \
        .types = list, .doc = "how the ends are held"                                              \
    }
#define JD_PARAM_POINTS(def, text)                                                                 \
    {                                                                                              \
        .key = "points", .kind = JD_KIND_POINTS, .offset = offsetof(def, points), .unit = "m",     \
        .doc = text                                                                                \
    }
#define JD_PARAM_DAMPING(def)                                                                      \
    {                                                                                              \
        .key = "damping", .kind = JD_KIND_OBJECT, .offset = offsetof(def, damping), .unit = "",    \
        .preset_text = "none", .types = jd_damping_types, .doc = "viscous damping"                 \
    }

#endif

// params.h -- keys that structures have in common, and their checks.
#ifndef JD_STRUCTURE_PARAMS_H
#define JD_STRUCTURE_PARAMS_H

#include "structure/modal.h"

// JD_OUT_OF_RANGE unless value is finite and above 0.
jd_status jd_need_positive(jd_context *context, const char *key, double value);

// Entries that structures have in common, laid out as in a table.
// clang-format off
#define JD_PARAM_POSITIVE(def, member, unit_text, text)                                            \
    {JD_KEY(def, member, REAL), .unit = unit_text, .required = true, .low = 0, .high = 1e300,      \
     .above = true, .doc = text}
#define JD_PARAM_ELEMENTS(def)                                                                     \
    {JD_KEY(def, elements, INTEGER), .unit = "", .required = true, .low = 1,                       \
     .high = JD_FE_MOST_ELEMENTS, .doc = "number of equal elements"}
#define JD_PARAM_MODES(def)                                                                        \
    {JD_KEY(def, modes, COUNT), .unit = "", .preset = JD_AUTO, .low = 1, .high = 1e6,               \
     .doc = "lowest modes kept; auto: all up to 1000 dof, above that the lowest 50"}
#define JD_PARAM_SUPPORTS(def, list)                                                               \
    {JD_KEY(def, supports, GROUP), .unit = "", .types = list, .doc = "how the ends are held"}
#define JD_PARAM_POINTS(def, text) {JD_KEY(def, points, POINTS), .unit = "m", .doc = text}
// Of structures without lengths: a bare number is a node.
#define JD_PARAM_NODES(def, text) {JD_KEY(def, points, POINTS), .unit = "", .doc = text}
#define JD_PARAM_DAMPING(def)                                                                      \
    {JD_KEY(def, damping, OBJECT), .unit = "", .preset_text = "none", .types = jd_damping_types,   \
     .doc = "viscous damping"}
// clang-format on

#endif

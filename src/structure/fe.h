// fe.h -- what discrete structures share: a band pencil in units of its own, points as stencils.
#ifndef JD_STRUCTURE_FE_H
#define JD_STRUCTURE_FE_H

#include "linalg/eigen.h"
#include "structure/modal.h"

enum { JD_FE_MOST_ELEMENTS = 200000, JD_FE_ALL_LIMIT = 1000, JD_FE_DEFAULT_MODES = 50 };

// A point as a combination of at most four degrees of freedom.
typedef struct jd_stencil {
    int n, dof[4];
    jd_dd weight[4];
} jd_stencil;

// K x = mu M x with K, M as small numbers (integers where elements are alike), so that assembly
// rounds nothing: omega^2 = mu omega2_unit, physical shapes = x/sqrt(mass_unit).
typedef struct jd_fe {
    jd_band K, M;
    int n_rigid;
    jd_dd *rigid;      // n_rigid rows: null space of K
    jd_dd omega2_unit; // [rad^2/s^2]
    jd_dd mass_unit;   // [kg]
    jd_dd *dof_unit;   // physical dof = x * dof_unit (1 for deflections, 1/h for rotations)
    int modes;         // as in the definition
    const jd_points *points;
    const jd_object *damping;
    const void *def;
    // Finds a point; fails with its name, its value and what is allowed.
    jd_status (*find)(jd_context *context, const struct jd_fe *fe, const jd_point *point,
                      jd_stencil *out);
} jd_fe;

jd_status jd_fe_build(jd_structure *structure, const jd_fe *fe);

// Empty n x n band, and the entry (i, j) of its lower part added to; dofs below 0 are held.
void jd_band_take(jd_arena *arena, int n, int width, jd_band *out);
void jd_band_add(jd_band *A, int i, int j, jd_dd value);

// JD_OUT_OF_RANGE unless value is finite and above 0.
jd_status jd_need_positive(jd_context *context, const char *key, double value);
// Place x in units of elements, in [0, elements], of a point given by position or node.
jd_status jd_fe_locate(jd_context *context, const jd_point *point, double length, int elements,
                       jd_dd *x);

extern const jd_structure_class jd_fe_beam_class, jd_fe_rod_class, jd_chain_class;

// Entries of the tables that discrete structures have in common.
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

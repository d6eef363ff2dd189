// fe.h -- what discrete structures share: a band pencil in units of its own, points as stencils.
#ifndef JD_STRUCTURE_FE_H
#define JD_STRUCTURE_FE_H

#include "linalg/eigen.h"
#include "structure/classes.h"
#include "structure/params.h"

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
    jd_dd *moved;      // M 1: mass that a unit translation of everything, supports too, sets in
                       // motion per dof [mass_unit]
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

// How many modes to keep of n_dof when the definition asks for `asked`.
jd_status jd_fe_choose_modes(jd_context *context, int asked, int n_dof, int *n);
// Place x in units of elements, in [0, elements], of a point given by position or node.
jd_status jd_fe_locate(jd_context *context, const jd_point *point, double length, int elements,
                       jd_dd *x);

#endif

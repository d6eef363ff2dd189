// modal.h -- the modal form inside the library: what every engine computes with.
//   q_k'' + sum_l C_kl q_l' + omega2_k q_k = f_k,  C diagonal unless `C` is given.
//   Kept in double-double where the structure was assembled by Judder, so that stuck bases,
//   which come from omega2 and rows alone, are good to the last digits of a double too.
#ifndef JD_STRUCTURE_MODAL_H
#define JD_STRUCTURE_MODAL_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/dd.h"
#include "judder/structure.h"

// How modal damping follows from frequencies when the basis changes.
typedef enum jd_damping_law {
    JD_DAMPING_NONE,     // c_k = 0
    JD_DAMPING_RAYLEIGH, // c_k = alpha + beta omega_k^2: holds in every stuck basis too
    JD_DAMPING_MODAL,    // c_k given per free mode: couples when a contact sticks
    JD_DAMPING_FULL      // matrix C couples already in the free basis
} jd_damping_law;

typedef struct jd_modal {
    int n;         // modes
    int n_static;  // the last of them are static shapes, which complete the modes left out
    jd_dd *omega2; // [rad^2/s^2], ascending; exactly 0 for rigid-body modes
    double *error; // relative error bound of omega_k, as a number of this form
    double *off;   // what a reduction adds to it; NaN: not known; NULL: nothing
    jd_damping_law law;
    double alpha, beta; // JD_DAMPING_RAYLEIGH [1/s], [s]
    double *c;          // c_k [1/s] (diagonal of C when FULL)
    double *C;          // n x n row-major, JD_DAMPING_FULL only; else NULL
} jd_modal;

struct jd_structure_class;
struct jd_pws;
struct jd_mesh;
struct jd_dof_map;

struct jd_structure {
    const struct jd_structure_class *class;
    jd_arena *arena;
    atomic_int references;
    int n_dof;     // 0: continuum
    bool infinite; // `modes: infinite`: n modes are kept for tables only
    jd_modal modal;
    int n_point;
    const char **point_name;
    jd_dd *row;    // n_point x n: participations of the named points
    jd_dd *base;   // n: phi_k' M 1, for supports that shake [sqrt(kg)]; NULL: not known
    jd_mode *list; // n: the free modes as people read them
    // Mass-normalised mode shapes at every degree of freedom, n rows of n_dof; NULL for a
    // continuum, for large matrices and where only rows are known.
    jd_dd *shape;
    double *from_dofs; // n x n_dof: q = from_dofs u; NULL: no values per dof
    // Strings and rods: velocity by a unit step of force before any wave returns, and displacement
    // by a lasting unit force without rigid-body motion, per point [m/(s N)], [m/N]; NULL: unknown.
    double *jump, *compliance;
    // Of points that are not of the interface of a reduction: part of the static flexibility that
    // the modes have, 0 to 1; NaN: not known or told already; NULL: no reduction.
    double *outside;
    // Time after which a model that depends on time by itself repeats [s]; 0: it does not depend on
    // time; NaN: it does, and nothing says after what time it repeats.
    double period;
    // Structures from matrices: nodes with coordinates, and what each row is; NULL: not known. Not
    // there where modes were kept in a file.
    const struct jd_mesh *mesh;
    const struct jd_dof_map *rows;
    const char *origin; // where its modes come from and what they are worth; NULL: nothing to say
    void *data;         // the class's own
};

typedef struct jd_structure_class {
    jd_type type; // first: the public face
    unsigned capabilities;
    // Fills modal, points and rows of an empty structure whose arena exists.
    jd_status (*build)(jd_structure *structure, const void *def);
    // JD_CAN_PWS only. Opens the model for one run; `point` is where a contact or drive acts, -1:
    // nowhere. Whether a definition switches by itself: the problem then gets the contact
    // `surface`.
    jd_status (*open)(const jd_structure *structure, int point, jd_arena *arena,
                      struct jd_pws *out);
    bool (*switches)(const void *def);
} jd_structure_class;

// The class of a type, NULL: no structure.
const jd_structure_class *jd_structure_class_of(const jd_type *type);

// Index of a named point, or -1.
int jd_structure_point(const jd_structure *structure, const char *name);

// Mass-normalised mode shapes at n places along a structure.
typedef struct jd_line {
    int n, n_mode;
    bool nodes;       // places are masses by number, not positions
    double *position; // n, [m]
    double *value;    // n_mode x n [1/sqrt(kg)]
} jd_line;
bool jd_structure_has_line(const jd_type *type);
// The first `modes` of them, in the arena. JD_NOT_SUPPORTED where there is no line.
jd_status jd_structure_line(jd_arena *arena, const jd_type *type, const void *def, int modes,
                            jd_line *out);

// Copies the points' names into the structure and makes room for their rows.
jd_status jd_structure_take_points(jd_structure *structure, const jd_points *points);

// Sets modal->law, alpha, beta, c from a damping definition of type none, ratio, rayleigh or table.
jd_status jd_damping_apply(jd_arena *arena, const jd_object *damping, jd_modal *modal);
// Damping ratio of a table at a frequency [rad/s].
double jd_damping_table_at(const jd_damping_table_def *table, double omega);
extern const jd_type jd_damping_none, jd_damping_ratio, jd_damping_rayleigh, jd_damping_table,
    jd_damping_matrix;
extern const jd_type *const jd_damping_types[]; // none ratio rayleigh table, ends with NULL

// Poles of one decoupled mode: s^2 + c s + omega2 = 0, without cancellation.
void jd_mode_poles(double omega2, double c, double pole[2][2]);
// Turns n modes of a modal form into the list people read (complex modes when law is FULL).
jd_status jd_modal_list(jd_context *context, const jd_modal *modal, jd_mode *out);

#endif

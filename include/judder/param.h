// param.h -- tables that describe plain definition structs, key by key.
//   A table drives the model reader, paths (`contacts.tip.law.limit`), `judder list`, the
//   generated reference and the attributes of result files. One table per type of thing.
//   A definition struct is filled by jd_default_def, then by hand, by the reader or by path.
#ifndef JUDDER_PARAM_H
#define JUDDER_PARAM_H

#include <stdint.h>

#include "judder/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// A type of thing that a model can name; below.
typedef struct jd_type jd_type;

// What a key holds, and the C type of the member it fills.
typedef enum jd_kind {
    JD_KIND_REAL,      // double; with `types` a map of that table may stand for it, whose members
                       // are of the same definition
    JD_KIND_INTEGER,   // int
    JD_KIND_BOOLEAN,   // bool
    JD_KIND_CHOICE,    // int, index into `choices`
    JD_KIND_TEXT,      // const char *
    JD_KIND_FILE,      // const char *, a path; relative ones start at the model file's folder
    JD_KIND_REALS,     // jd_reals; a scalar is a list of one
    JD_KIND_TEXTS,     // jd_texts; a scalar is a list of one
    JD_KIND_COUNT,     // int >= 1, or JD_INFINITE, JD_ALL, JD_AUTO: the words infinite, all, auto
    JD_KIND_FREQUENCY, // jd_frequency
    JD_KIND_DURATION,  // jd_duration
    JD_KIND_OBJECT,    // jd_object, its type one of `types`; a scalar names the type
    JD_KIND_GROUP,     // nested struct with the one table types[0]
    JD_KIND_POINTS,    // jd_points: name -> place on a structure
    JD_KIND_SHAPES,    // jd_shapes: name -> list of mode shape values
    JD_KIND_FORMULAS,  // jd_formulas: name -> formula
    JD_KIND_DRAWS,     // jd_draws: problem path -> distribution
    JD_KIND_PLACE,     // jd_place: a named point or a span of a body
    JD_KIND_COUNTER,   // jd_counter: ground, a moving body, or another place
    JD_KIND_MATRIX     // jd_matrix: in a file, a path as JD_KIND_FILE; from C also in memory
} jd_kind;

enum { JD_INFINITE = -1, JD_ALL = 0, JD_AUTO = -2 };

// A list of numbers.
typedef struct jd_reals {
    int n;
    const double *value;
} jd_reals;

// A list of texts.
typedef struct jd_texts {
    int n;
    const char *const *text;
} jd_texts;

// An angular frequency [rad/s]: `value`, or `times` x omega of mode number `mode` when mode > 0.
typedef struct jd_frequency {
    double value, times;
    int mode;
} jd_frequency;

// A time [s], or a number of drive periods.
typedef struct jd_duration {
    double value;
    bool periods;
} jd_duration;

// A thing of one of several types: `def` points to the definition struct of `type`.
typedef struct jd_object {
    const char *name;    // key in the model file; "" where the place alone identifies it
    const jd_type *type; // NULL: not there
    void *def;
} jd_object;

// A named point of a structure. `node` counts from 1; label, dof, near and set are for FE matrices.
typedef struct jd_point {
    const char *name;
    double position;   // [m] from the left end; NaN where a node is given
    int node;          // from 1; 0: not given
    const char *label; // node label of a matrix model, NULL: not given
    int dof;           // component: 1 deflection (default), 2 rotation; label's dof in matrices:
                       // 1, 2, 3 along x, y, z, 4, 5, 6 rotations about them
    jd_reals near;     // x, y, z: the node of a matrix model that is nearest to it; none: not given
    const char *set;   // set of nodes of a matrix model that the node is of; NULL: any
} jd_point;

// The named points of a structure.
typedef struct jd_points {
    int n;
    const jd_point *point;
} jd_points;

// The values of all modes at one named point.
typedef struct jd_shape {
    const char *name;
    jd_reals value; // one per mode, mass-normalised [1/sqrt(kg)]
} jd_shape;

// The shapes of a structure given by its modes.
typedef struct jd_shapes {
    int n;
    const jd_shape *shape;
} jd_shapes;

// A formula with a name.
typedef struct jd_formula {
    const char *name, *text;
} jd_formula;

// Named formulas, in the order they are written.
typedef struct jd_formulas {
    int n;
    const jd_formula *formula;
} jd_formulas;

// How an uncertain number is distributed.
typedef enum jd_distribution {
    JD_UNIFORM,  // between a and b
    JD_NORMAL,   // mean a, standard deviation b > 0
    JD_LOGNORMAL // median a > 0; b > 0: standard deviation of the natural logarithm
} jd_distribution;

// A number of the model that is drawn at random.
typedef struct jd_draw {
    const char *path;
    int distribution; // jd_distribution
    double a, b;      // in the unit of the number, but for b of JD_LOGNORMAL [-]
} jd_draw;

// The numbers that are drawn, in the order they are written.
typedef struct jd_draws {
    int n;
    const jd_draw *draw;
} jd_draws;

// A point ("tip", "pile.head"), a span [from, to] of a body, or several points.
typedef struct jd_place {
    const char *body;   // NULL: the only body
    const char *point;  // NULL: a span; a direction over points of one node is a text "0.6 tip_x +
                        // 0.8 tip_y"
    double from, to;    // [m], span only; 0, 0 without a point: no place given
    const char *normal; // of a contact with two directions: the point (direction) of its normal
                        // motion, `point` that of its tangential one; NULL: one direction
    const char *points; // several points, "a, b, c", each a cell of the contact; NULL: none. With
                        // two directions `normal` names as many
    jd_reals share;     // of each of them in the numbers of the law: parts of their sum [-] > 0;
                        // none: all the same
} jd_place;

// How a number varies along a span: piecewise linear, constant before the first place and after the
// last. None given: 1 everywhere.
typedef struct jd_profile {
    jd_reals at;     // distance from the beginning of the span [m] >= 0, ascending
    jd_reals factor; // as many: the number there is the given one times this; of limits >= 0
} jd_profile;

// What a contact may work against.
typedef enum jd_counter_kind { JD_GROUND, JD_MOVING, JD_PLACE } jd_counter_kind;

// What a contact works against.
typedef struct jd_counter {
    jd_counter_kind kind;
    double velocity; // [m/s], JD_MOVING
    jd_place place;  // JD_PLACE
} jd_counter;

// How the entries of a sparse matrix lie in memory.
typedef enum jd_matrix_layout {
    JD_MATRIX_ROWS,   // compressed rows (CSR): `start` by row, `index` of columns
    JD_MATRIX_COLUMNS // compressed columns (CSC): `start` by column, `index` of rows
} jd_matrix_layout;

// A symmetric matrix: a file, or arrays of the caller in the form of scipy.sparse, Eigen, CSparse.
// Made by the functions below. Entries need not be sorted; an entry given twice is refused by name,
// as are sizes that do not agree, indices outside the matrix, numbers that are not finite, and
// a_ij != a_ji by more than 1e-12 of |a_ij| + |a_ji| + sqrt|a_ii a_jj| (below that: their mean).
typedef struct jd_matrix {
    const char *file;      // Matrix Market, or lines `node,dof,node,dof,value`; NULL: in memory
    int64_t rows, columns; // must be equal, 1 to 20 million
    int layout;            // jd_matrix_layout
    bool wide;             // `start` and `index` are int64_t, else int32_t
    const void *start;     // rows (columns) + 1: from 0, where each row (column) begins; NULL: none
    const void *index;     // from 0, the columns (rows) of the entries
    const double *value;   // the entries
    bool triangle; // one triangle stands for both; default false: both are there. Set it by hand
    bool borrowed; // arrays are not copied, and must stay unchanged as long as the problem and its
                   // copies; default false: copied when the structure is added. Set it by hand
    const char *name; // of the matrix within a file that holds several; NULL: the only one
} jd_matrix;

// A matrix in a file. Relative paths start at the working folder.
jd_matrix jd_matrix_from_file(const char *path);
// A matrix in compressed rows, with indices of 64 bits.
jd_matrix jd_matrix_from_rows(int64_t rows, int64_t columns, const int64_t *start,
                              const int64_t *index, const double *value);
// A matrix in compressed rows, with indices of 32 bits.
jd_matrix jd_matrix_from_rows32(int64_t rows, int64_t columns, const int32_t *start,
                                const int32_t *index, const double *value);
// A matrix in compressed columns, with indices of 64 bits.
jd_matrix jd_matrix_from_columns(int64_t rows, int64_t columns, const int64_t *start,
                                 const int64_t *index, const double *value);
// A matrix in compressed columns, with indices of 32 bits.
jd_matrix jd_matrix_from_columns32(int64_t rows, int64_t columns, const int32_t *start,
                                   const int32_t *index, const double *value);

// ---- Values of definitions, made in C.

// A point of a structure by its distance from the left end [m].
jd_point jd_point_at(const char *name, double position);
// A point by its node, from 1. dof: 1 deflection, 2 rotation of a beam; of matrices in a list of an
// FE program that of the node; 1 where there is but one.
jd_point jd_point_at_node(const char *name, int node, int dof);
// A named point as a place: of the only body.
jd_place jd_at(const char *point);
// A named point as a place: of one of several bodies.
jd_place jd_at_body(const char *body, const char *point);
// Two named points of one body, the normal and the tangential direction of a contact; NULL: the
// only body.
jd_place jd_at_directions(const char *body, const char *normal, const char *tangential);
// The span from `from` to `to` [m] of a body; NULL: the only one.
jd_place jd_along(const char *body, double from, double to);
// Several named points, "a, b, c", as one place; NULL: of the only body, or named "pile.a".
jd_place jd_at_points(const char *body, const char *points);
// The ground as counterpart of a contact: the default.
jd_counter jd_ground(void);
// A counterpart that moves with a velocity [m/s]: a belt, a bow.
jd_counter jd_moving(double velocity);
// A place of a body as counterpart.
jd_counter jd_place_of(jd_place place);
// An angular frequency [rad/s].
jd_frequency jd_omega(double omega);
// A frequency as `times` the natural frequency of mode number `mode`, from 1.
jd_frequency jd_times_mode(double times, int mode);
// A time in seconds.
jd_duration jd_seconds(double time);
// A time in periods of the slowest harmonic drive.
jd_duration jd_periods(double number);

// What has to be computed again when the key changes.
typedef enum jd_rebuild {
    JD_REBUILD_NOTHING,
    JD_REBUILD_LAWS,
    JD_REBUILD_ROWS,
    JD_REBUILD_MODES
} jd_rebuild;

// One key of a table.
typedef struct jd_param {
    const char *key;
    jd_kind kind;
    size_t offset;               // of the member in the definition struct
    const char *unit;            // SI unit, "" dimensionless; alternatives "N|N/m"; "*" that of
                                 // the number the section's path names
    bool required;               // no default
    const char *unless;          // required numbers: this key may be given instead; never both
    double preset;               // default of numbers, index of choices
    double low, high;            // allowed range of numbers; 0, 0: any finite number;
                                 // high <= low or >= 1e300: no upper end
    bool above;                  // low itself is not allowed
    const char *preset_text;     // default of texts, type name of objects; NULL: absent
    const char *const *choices;  // JD_KIND_CHOICE, ends with NULL
    const jd_type *const *types; // JD_KIND_OBJECT / GROUP, ends with NULL
    const char *doc;             // one line
} jd_param;

// The first three members of an entry whose key is the name of the member it fills:
//   {JD_KEY(jd_ramp_def, rate, REAL), .unit = "N/s", .required = true, .doc = "..."}
#define JD_KEY(def, member, what)                                                                  \
    .key = #member, .kind = JD_KIND_##what, .offset = offsetof(def, member)

// A type of thing that a model can name.
struct jd_type {
    const char *name;       // as in the model file: "fe-beam"
    const char *doc;        // one line
    size_t def_size;        // bytes of the definition struct
    const jd_param *params; // ends with key == NULL
    // Rules between keys (`drop` <= `limit`), after every range holds. NULL: none.
    jd_status (*check)(jd_context *context, const void *def);
};

// Fills `def` (def_size bytes) with the defaults of its table. Objects with a default type get
// no def: jd_problem and the reader make them.
void jd_type_defaults(const jd_type *type, void *def);
// The entry for a key, or NULL.
const jd_param *jd_type_param(const jd_type *type, const char *key);
// The type of that name in a list that ends with NULL, or NULL.
const jd_type *jd_type_find(const jd_type *const *types, const char *name);

#ifdef __cplusplus
}
#endif

#endif

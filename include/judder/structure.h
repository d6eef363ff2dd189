// structure.h -- structures: made from a definition, used in the form of poles and mode shapes.
//   Modal form, mass-normalised: q_k'' + c_k q_k' + omega_k^2 q_k = n_k F,   y = sum_k n_k q_k
//   with n_k the participation of a point. Structures are immutable and may be shared.
#ifndef JUDDER_STRUCTURE_H
#define JUDDER_STRUCTURE_H

#include "judder/context.h"
#include "judder/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the memory engine keeps infinitely many modes.
typedef enum jd_memory_form {
    JD_MEMORY_AUTO,         // delays with little damping or none, else exponentials
    JD_MEMORY_EXPONENTIALS, // a fitted sum of exponentials
    JD_MEMORY_DELAYS        // waves that come back: strings and rods
} jd_memory_form;

// A vibrating structure; never changes once created, and may be shared.
typedef struct jd_structure jd_structure;

// What a structure provides for engines; bits.
typedef enum jd_capability {
    JD_CAN_MODAL = 1,    // poles, shapes, stuck bases
    JD_CAN_INFINITE = 2, // closed-form kernel of infinitely many modes
    JD_CAN_WAVE = 4,     // uniform sections with one wave speed
    JD_CAN_PWS = 8       // a piecewise-smooth model of the closure engine
} jd_capability;

// How an end is held. Strings, rods and chains take free and fixed ends, beams all.
typedef enum jd_support {
    JD_FREE,    // not held
    JD_FIXED,   // no displacement; of a beam: neither displacement nor rotation (clamped)
    JD_CLAMPED, // neither displacement nor rotation
    JD_PINNED,  // no displacement
    JD_GUIDED   // no rotation
} jd_support;

// How both ends are held.
typedef struct jd_supports {
    int left, right; // jd_support
} jd_supports;

// A problem in memory (problem.h), which structures are added to.
typedef struct jd_problem jd_problem;

// ---- Damping: viscous, of the modes. A definition becomes the member `damping` of a structure by
// the function behind it, and is copied when the structure is added.

// No damping: the default.
jd_object jd_no_damping(void);

// Damping `ratio`: every mode has its damping ratio.
typedef struct jd_damping_ratio_def {
    jd_reals value; // D_k >= 0 [-], one per mode, or one that holds for all; required
} jd_damping_ratio_def;
// No values yet.
jd_damping_ratio_def jd_default_damping_ratio(void);
// As a structure's `damping`; `def` must live until the structure is added.
jd_object jd_ratio_damping(const jd_damping_ratio_def *def);

// Damping `rayleigh`: C = mass M + stiffness K.
typedef struct jd_damping_rayleigh_def {
    double mass;      // [1/s] >= 0, default 0: damps slow modes most, D = mass/(2 omega)
    double stiffness; // [s] >= 0, default 0: damps fast modes most, D = stiffness omega/2
} jd_damping_rayleigh_def;
// Both 0.
jd_damping_rayleigh_def jd_default_damping_rayleigh(void);
// As a structure's `damping`; `def` must live until the structure is added.
jd_object jd_rayleigh_damping(const jd_damping_rayleigh_def *def);

// Damping `table`: damping ratio over frequency, straight between the points, constant beyond them.
typedef struct jd_damping_table_def {
    jd_reals frequency; // ascending [rad/s]; required
    jd_reals ratio;     // D >= 0 at each of them [-]; required
} jd_damping_table_def;
// No values yet.
jd_damping_table_def jd_default_damping_table(void);
// As a structure's `damping`; `def` must live until the structure is added.
jd_object jd_table_damping(const jd_damping_table_def *def);

// Damping `matrix`: a full viscous matrix C, for structures `matrices` only. It may couple the
// modes: these are complex then, and cost more.
typedef struct jd_damping_matrix_def {
    jd_matrix matrix; // C [kg/s], symmetric, of the size of M and K; required
} jd_damping_matrix_def;
// No matrix yet.
jd_damping_matrix_def jd_default_damping_matrix(void);
// As a structure's `damping`; `def` must live until the structure is added.
jd_object jd_matrix_damping(const jd_damping_matrix_def *def);

// ---- Structures: a definition with defaults, a function that gives these, and one that adds the
// structure to a problem (by copy; `name` is "" for the only body of a problem, else new and
// without a dot). Numbers that are required are NaN or 0 in the defaults; one that is left so is
// reported by its path. `modes` costs memory and time in proportion in most engines, more in phases
// with many contacts stuck.

// Structure `string`: taut, moves across; modes in closed form.
typedef struct jd_string_def {
    double length;          // [m] > 0; required
    double tension;         // [N] > 0; required
    double mass_per_length; // [kg/m] > 0; required
    int modes;              // lowest modes kept, 1 to 100000, or JD_INFINITE; default 20
    jd_supports supports;   // default: both fixed
    jd_points points;       // named points by their distance from the left end [m]; default: none
    jd_object damping;      // none, ratio, rayleigh or table; default: none
} jd_string_def;
// The defaults.
jd_string_def jd_default_string(void);
// Adds such a string.
jd_status jd_problem_add_string(jd_problem *problem, const char *name, const jd_string_def *def);

// Structure `rod`: moves along its axis; modes in closed form.
typedef struct jd_rod_def {
    double length;          // [m] > 0; required
    double axial_stiffness; // EA [N] > 0; required
    double mass_per_length; // [kg/m] > 0; required
    int modes;              // lowest modes kept, 1 to 100000, or JD_INFINITE; default 20
    jd_supports supports;   // default: left end fixed, right end free
    jd_points points;       // named points by their distance from the left end [m]; default: none
    jd_object damping;      // none, ratio, rayleigh or table; default: none
} jd_rod_def;
// The defaults.
jd_rod_def jd_default_rod(void);
// Adds such a rod.
jd_status jd_problem_add_rod(jd_problem *problem, const char *name, const jd_rod_def *def);

// Structure `stepped-rod`: a rod of sections, each even: another area, modulus or density from each
// step on. Modes from the closed forms of its sections.
typedef struct jd_stepped_rod_def {
    double length;            // [m] > 0; required
    jd_reals steps;           // where a section ends and the next begins, ascending [m]; required
    jd_reals axial_stiffness; // EA [N] > 0 of each section, one more than steps; required
    jd_reals mass_per_length; // [kg/m] > 0 of each section; required
    int modes;                // lowest modes kept, 1 to 100000; default 20
    jd_supports supports;     // default: left end fixed, right end free
    jd_points points;         // named points by their distance from the left end [m]; default: none
    jd_object damping;        // none, ratio, rayleigh or table; default: none
} jd_stepped_rod_def;
// The defaults.
jd_stepped_rod_def jd_default_stepped_rod(void);
// Adds such a rod.
jd_status jd_problem_add_stepped_rod(jd_problem *problem, const char *name,
                                     const jd_stepped_rod_def *def);

// Structure `beam` (Euler-Bernoulli), with analytic modes.
typedef struct jd_beam_def {
    double length;            // [m] > 0; required
    double bending_stiffness; // EI [N m^2] > 0; required
    double mass_per_length;   // [kg/m] > 0; required
    int modes;                // lowest modes kept, 1 to 100000, or JD_INFINITE; default 20
    jd_supports supports;     // default: left end clamped, right end free
    jd_points points;         // by distance from the left end [m]; dof 2: rotation; default: none
    jd_object damping;        // none, ratio, rayleigh or table; default: none
} jd_beam_def;
// The defaults.
jd_beam_def jd_default_beam(void);
// Adds such a beam.
jd_status jd_problem_add_beam(jd_problem *problem, const char *name, const jd_beam_def *def);

// Structure `fe-beam`: Euler-Bernoulli beam of equal elements with consistent mass.
typedef struct jd_fe_beam_def {
    double length;            // [m] > 0; required
    double bending_stiffness; // EI [N m^2] > 0; required
    double mass_per_length;   // [kg/m] > 0; required
    int elements;         // equal elements, 1 to 200000; required. Frequencies err by elements^-4
    int modes;            // lowest modes kept; default JD_AUTO: all up to 1000 dof, else 50
    jd_supports supports; // default: left end clamped, right end free
    jd_points points;     // by position [m] or node (from 1, left); dof 2: rotation; default: none
    jd_object damping;    // none, ratio, rayleigh or table; default: none
} jd_fe_beam_def;
// The defaults.
jd_fe_beam_def jd_default_fe_beam(void);
// Adds such a beam.
jd_status jd_problem_add_fe_beam(jd_problem *problem, const char *name, const jd_fe_beam_def *def);

// How the mass of an element is distributed to its nodes.
typedef enum jd_mass_matrix {
    JD_MASS_CONSISTENT, // by the element's shape functions: frequencies are too high
    JD_MASS_LUMPED      // half at each node: frequencies are too low
} jd_mass_matrix;

// Structure `fe-rod`: rod of equal linear elements.
typedef struct jd_fe_rod_def {
    double length;          // [m] > 0; required
    double axial_stiffness; // EA [N] > 0; required
    double mass_per_length; // [kg/m] > 0; required
    int elements;           // equal elements, 1 to 200000; required. Frequencies err by elements^-2
    int modes;              // lowest modes kept; default JD_AUTO: all up to 1000 dof, else 50
    int mass_matrix;        // jd_mass_matrix; default consistent
    jd_supports supports;   // default: left end fixed, right end free
    jd_points points;       // by position [m] or node (from 1, left); default: none
    jd_object damping;      // none, ratio, rayleigh or table; default: none
} jd_fe_rod_def;
// The defaults.
jd_fe_rod_def jd_default_fe_rod(void);
// Adds such a rod.
jd_status jd_problem_add_fe_rod(jd_problem *problem, const char *name, const jd_fe_rod_def *def);

// Structure `chain`: masses in a row joined by springs.
typedef struct jd_chain_def {
    int count;            // masses, 1 to 200000; required
    int modes;            // lowest modes kept; default JD_AUTO: all up to 1000 masses, else 50
    jd_reals mass;        // [kg] > 0: one value for all, or `count`; required
    jd_reals stiffness;   // [N/m] > 0: one for all, or one per spring from the left: count - 1, and
                          // one for each fixed end; needed where there are springs
    jd_supports supports; // default: left end fixed (a spring to the ground), right end free
    jd_points points;     // by node: masses count from 1 at the left; default: none
    jd_object damping;    // none, ratio, rayleigh or table; default: none
} jd_chain_def;
// The defaults.
jd_chain_def jd_default_chain(void);
// Adds such a chain.
jd_status jd_problem_add_chain(jd_problem *problem, const char *name, const jd_chain_def *def);

// How few modes stand for all those of a structure `matrices`.
typedef enum jd_reduction {
    JD_FREE_INTERFACE, // the lowest modes and a static shape for each point of the interface
    JD_CRAIG_BAMPTON,  // modes with the interface held, and a constraint mode for each point of it
    JD_NO_REDUCTION    // the lowest modes alone: too stiff at points
} jd_reduction;

// Structure `matrices`: any linear structure by its mass and stiffness matrices.
typedef struct jd_matrices_def {
    jd_matrix mass;      // M, symmetric, positive definite; required
    jd_matrix stiffness; // K, symmetric, positive semidefinite, of the same size; required
    int modes;         // lowest modes kept; default JD_AUTO: all up to 1000 dof, else 50. Above 600
                       // dof a third of them at most without a dense matrix; time grows with each
    jd_points points;  // by node: the row, from 1 (in lists of FE programs node and dof)
    jd_object damping; // none, ratio, rayleigh or matrix; default: none
    int reduction;     // jd_reduction; default JD_FREE_INTERFACE. Matters where modes are left out
    jd_texts interface;  // names of the points where forces act; none (default): all points
    const char *dofs;    // file: a line `node dof` for every row; NULL: as the matrices' files say
    const char *mesh;    // file with the coordinates of nodes, for `near` and sets; NULL: none
    const char *vectors; // CSV file: node, dof and a column for each vector of forces, named in its
                         // first line (without names of rows: row and columns). Vectors are used
                         // like points; one called `base` is the force by a unit acceleration of
                         // the supports. NULL (default): none
    jd_reals base;       // x, y, z: direction in which the supports are driven; every dof 1, 2, 3
                         // moves along with it. None (default): they are not
} jd_matrices_def;
// The defaults.
jd_matrices_def jd_default_matrices(void);
// Adds such a structure. Symmetry, duplicates and definiteness are checked by jd_problem_build.
jd_status jd_problem_add_matrices(jd_problem *problem, const char *name,
                                  const jd_matrices_def *def);

// Structure `modes`: given frequencies, ratios and shapes.
typedef struct jd_modes_def {
    jd_reals omega;    // undamped natural frequencies [rad/s] >= 0, in any order; required unless
                       // there is a file
    jd_reals ratio;    // damping ratios [-], 0 to 1e6; one holds for all; none (default): undamped
    jd_shapes shapes;  // named points, each with its shape value in every mode; default: none
    jd_object damping; // none, ratio, rayleigh or table, in place of `ratio`; default: none
    jd_reals damping_matrix; // C of the modes [1/s], row by row, in place of both; default: none
    jd_reals base;           // phi_k' M r [sqrt(kg)]: share of every mode in a unit motion r of the
                             // supports; none (default): `of: base` is refused
    jd_reals error;          // relative error bound of every omega; from 1 on: not known; none
                             // (default): as good as its digits
    int static_shapes;       // the highest of them are static shapes of a reduction; default 0
    const char *file; // universal file with modes (dataset 55) in place of omega and shapes, and
                      // of ratio where none is given; default NULL
    jd_points points; // of a file, by node and dof (1, 2, 3 along x, y, z); default: none
} jd_modes_def;
// The defaults.
jd_modes_def jd_default_modes(void);
// Adds such a structure.
jd_status jd_problem_add_modes(jd_problem *problem, const char *name, const jd_modes_def *def);

// What a frequency response function gives per force.
typedef enum jd_frf_quantity { JD_RECEPTANCE, JD_MOBILITY, JD_ACCELERANCE } jd_frf_quantity;
// Unit of the frequencies of a file.
typedef enum jd_frequency_unit { JD_HERTZ, JD_RAD_PER_S } jd_frequency_unit;

// Structure `measured`: modes identified from measured frequency response functions.
typedef struct jd_measured_def {
    const char *file; // CSV: frequency, then re and im of each pair of points; or a universal file
                      // (dataset 58), points are then named by node and direction, `n12z`; required
    int quantity;     // jd_frf_quantity of the file; default accelerance
    int frequency;    // jd_frequency_unit of the file; default Hz
    double error; // misfit accepted [-], 1e-12 to 1: rms misfit over rms of the mobility; default
                  // 0.02. Smaller needs more modes, and better data
    int modes;    // in the band, at most 60; 0 (default): as many as `error` needs
} jd_measured_def;
// The defaults.
jd_measured_def jd_default_measured(void);
// Adds such a structure.
jd_status jd_problem_add_measured(jd_problem *problem, const char *name,
                                  const jd_measured_def *def);

// Structure `friction-oscillator`: one mode of a bowed string with a wave term for its higher
// modes; a piecewise-smooth model of the closure engine (closure.h). All numbers are dimensionless.
typedef struct jd_friction_oscillator_def {
    double alpha;     // slope of the friction force over the sliding speed; default 0.5
    double beta;      // damping ratio >= 0; default 0.03
    double wave_term; // L+ >= 0: jump of the velocity by a unit jump of the force; 0: Filippov;
                      // default 0.05
    double sigma;     // decay rate of that jump >= 0; default 50. Larger is stiffer: shorter steps
    double static_gain; // Linf >= 0: acceleration by a unit force; default 1
} jd_friction_oscillator_def;
// The defaults.
jd_friction_oscillator_def jd_default_friction_oscillator(void);
// Adds such an oscillator, and its contact `surface`.
jd_status jd_problem_add_friction_oscillator(jd_problem *problem, const char *name,
                                             const jd_friction_oscillator_def *def);

// How the modes that a nonlinear string leaves out are represented.
typedef enum jd_string_wave_term {
    JD_WAVE_EXACT,    // their exact jump of the velocity, which decays with rate sigma
    JD_WAVE_PAPER,    // as published
    JD_WAVE_NONE,     // their static deflection only
    JD_WAVE_GALERKIN, // not at all
    JD_WAVE_FULL      // their whole memory kernel; costs most
} jd_string_wave_term;

// Structure `nonlinear-string`: a string of unit length whose tension grows as it stretches.
typedef struct jd_nonlinear_string_def {
    int modes;         // resolved, 1 to 1000; default 1. Cost of a step grows with them
    double stretching; // EL/T0 >= 0: growth of the tension with the length; 0: linear; default 2
    double wave_speed; // lengths per time at rest > 0; default 1
    int wave_term;     // jd_string_wave_term; default exact
    double sigma;      // decay rate of the wave term >= 0; NaN (default):
                       // (modes + 1) pi wave_speed
    jd_points points;  // by position, as parts of the length; default: none
    jd_object damping; // none or ratio (one value for all modes); default: none
} jd_nonlinear_string_def;
// The defaults.
jd_nonlinear_string_def jd_default_nonlinear_string(void);
// Adds such a string.
jd_status jd_problem_add_nonlinear_string(jd_problem *problem, const char *name,
                                          const jd_nonlinear_string_def *def);

// Structure `piecewise`: a piecewise-smooth model of the closure engine by formulas in t, y1 ... yn
// and named parameters. By functions of one's own: closure.h, which is faster.
typedef struct jd_piecewise_def {
    jd_texts r;               // n rates without contact force; required
    jd_texts linf;            // n rates by a unit force; required
    jd_texts lplus;           // n jumps by a unit jump of the force; none (default): Filippov
    const char *h;            // 0 on the switching surface; NULL (default): nothing switches
    const char *lambda_plus;  // contact force where h > 0
    const char *lambda_minus; // contact force where h < 0
    double sigma;             // decay rate of the jump [1/s] >= 0; default 0: it does not decay
    jd_texts names;           // of parameters
    jd_reals values;          // of these
    const char
        *period; // [s] formula of the parameters: r repeats after it; NULL (default): not said
} jd_piecewise_def;
// The defaults.
jd_piecewise_def jd_default_piecewise(void);
// Adds such a model, and its contact `surface` where it switches.
jd_status jd_problem_add_piecewise(jd_problem *problem, const char *name,
                                   const jd_piecewise_def *def);

// Structure `two-fold`: the normal form of a two-fold singularity. All numbers are dimensionless.
typedef struct jd_two_fold_def {
    double v_minus, v_plus; // V- and V+ of the normal form; defaults -2, -1.1
    double wave_term;       // L+ >= 0 of the first equation; 0: Filippov; default 0.05
    double sigma;           // decay rate of the jump >= 0; default 10
} jd_two_fold_def;
// The defaults.
jd_two_fold_def jd_default_two_fold(void);
// Adds such a model, and its contact `surface`.
jd_status jd_problem_add_two_fold(jd_problem *problem, const char *name,
                                  const jd_two_fold_def *def);

// ---- Structures by their tables, for readers and bindings.

// All structure types, ends with NULL; `type->name` is what a model file calls them.
const jd_type *const *jd_structure_types(void);

// Creates the structure of `type` from its definition. On failure *out is NULL.
jd_status jd_structure_create(jd_context *context, const jd_type *type, const void *def,
                              jd_structure **out);
void jd_structure_free(jd_structure *structure); // counts references
// One more reference to the same structure.
jd_structure *jd_structure_share(jd_structure *structure);

// What it was created from.
const jd_type *jd_structure_type(const jd_structure *structure);
// Bits of jd_capability.
unsigned jd_structure_capabilities(const jd_structure *structure);
int jd_structure_dofs(const jd_structure *structure);  // 0 for a continuum
int jd_structure_modes(const jd_structure *structure); // modes kept

// Participation of a named point in every mode kept: out[0 .. modes-1].
jd_status jd_structure_participation(const jd_structure *structure, const char *point, double *out);

// Modal coordinates q = Phi' M u of values u at every degree of freedom: out[0 .. modes-1].
jd_status jd_structure_coordinates(const jd_structure *structure, const double *u, double *out);

// One natural mode.
typedef struct jd_mode {
    double omega;         // undamped natural frequency [rad/s]; 0 for a rigid-body mode
    double frequency_hz;  // omega/(2 pi)
    double damping_ratio; // -Re(pole)/|pole|; > 1 for an overdamped pair
    double pole[2][2];    // the two poles {re, im}: a conjugate pair, or two real ones [1/s]
    double error;         // relative error bound of omega; >= 1: no digit is right; NaN: not known
    bool static_shape;    // no mode of the structure: completes the static deflection of those kept
} jd_mode;

// Free modes: writes jd_structure_modes entries, ascending in omega.
void jd_structure_mode_list(const jd_structure *structure, jd_mode *out);

#ifdef __cplusplus
}
#endif

#endif

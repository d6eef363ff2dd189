// structure.h -- what vibrates: made from a definition, seen as poles and shapes.
//   Modal form, mass-normalised: q_k'' + c_k q_k' + omega_k^2 q_k = n_k F,   y = sum_k n_k q_k
//   with n_k the participation of a point. Structures are immutable and may be shared.
#ifndef JUDDER_STRUCTURE_H
#define JUDDER_STRUCTURE_H

#include "judder/context.h"
#include "judder/param.h"

// How the memory engine keeps infinitely many modes.
typedef enum jd_memory_form {
    JD_MEMORY_AUTO,         // delays with little damping or none, else exponentials
    JD_MEMORY_EXPONENTIALS, // a fitted sum of exponentials
    JD_MEMORY_DELAYS        // waves that come back: strings and rods
} jd_memory_form;

// Something that vibrates; never changes once created, and is shared.
typedef struct jd_structure jd_structure;

// What an engine may ask of a structure; bits.
typedef enum jd_capability {
    JD_CAN_MODAL = 1,    // poles, shapes, stuck bases
    JD_CAN_INFINITE = 2, // closed-form kernel of infinitely many modes
    JD_CAN_WAVE = 4,     // uniform sections with one wave speed
    JD_CAN_PWS = 8       // a piecewise-smooth model of the closure engine
} jd_capability;

// How an end is held.
typedef enum jd_support { JD_FREE, JD_FIXED, JD_CLAMPED, JD_PINNED, JD_GUIDED } jd_support;

// How both ends are held.
typedef struct jd_supports {
    int left, right; // jd_support; which ones a structure takes is in its table
} jd_supports;

// Damping: a jd_object with one of these definitions.
typedef struct jd_damping_ratio_def {
    jd_reals value; // D_k; one value holds for all modes
} jd_damping_ratio_def;
// Damping `rayleigh`: C = mass M + stiffness K.
typedef struct jd_damping_rayleigh_def {
    double mass, stiffness; // C = mass M + stiffness K   [1/s], [s]
} jd_damping_rayleigh_def;
// Damping `table`: damping ratio over frequency, straight between the points, constant beyond them.
typedef struct jd_damping_table_def {
    jd_reals frequency; // ascending [rad/s]
    jd_reals ratio;     // as many
} jd_damping_table_def;
// Damping `matrix`: C from a file.
typedef struct jd_damping_matrix_def {
    const char *file; // viscous matrix C, in the format of the other matrices
} jd_damping_matrix_def;

// Structure `string`, with modes in closed form.
typedef struct jd_string_def {
    double length, tension, mass_per_length; // [m] [N] [kg/m]
    int modes;
    jd_supports supports;
    jd_points points;
    jd_object damping;
} jd_string_def;

// Structure `rod`, with modes in closed form.
typedef struct jd_rod_def {
    double length, axial_stiffness, mass_per_length; // [m] [N] (EA) [kg/m]
    int modes;
    jd_supports supports;
    jd_points points;
    jd_object damping;
} jd_rod_def;

// Structure `beam` (Euler-Bernoulli), with analytic modes.
typedef struct jd_beam_def {
    double length, bending_stiffness, mass_per_length; // [m] [N m^2] [kg/m]
    int modes;
    jd_supports supports;
    jd_points points;
    jd_object damping;
} jd_beam_def;

// Structure `fe-beam`: equal elements with consistent mass.
typedef struct jd_fe_beam_def {
    double length, bending_stiffness, mass_per_length; // [m] [N m^2] [kg/m]
    int elements, modes;
    jd_supports supports;
    jd_points points;
    jd_object damping;
} jd_fe_beam_def;

// Structure `fe-rod`: equal elements.
typedef struct jd_fe_rod_def {
    double length, axial_stiffness, mass_per_length; // [m] [N] [kg/m]
    int elements, modes;
    int mass_matrix; // 0 consistent, 1 lumped
    jd_supports supports;
    jd_points points;
    jd_object damping;
} jd_fe_rod_def;

// Structure `chain`: masses and springs.
typedef struct jd_chain_def {
    int count, modes;
    jd_reals mass, stiffness; // one value for all, or one each; springs: count - 1 + fixed ends
    jd_supports supports;
    jd_points points;
    jd_object damping;
} jd_chain_def;

// Structure `matrices`: read from files.
typedef struct jd_matrices_def {
    const char *mass, *stiffness; // Matrix Market, or lines `node,dof,node,dof,value`
    int modes;
    jd_points points;
    jd_object damping;
} jd_matrices_def;

// Structure `modes`: given frequencies, ratios and shapes.
typedef struct jd_modes_def {
    jd_reals omega; // [rad/s]
    jd_reals ratio; // damping ratios; one holds for all; none: undamped
    jd_shapes shapes;
} jd_modes_def;

// Structure `measured`: modes that explain measured frequency responses.
typedef struct jd_measured_def {
    const char *file; // CSV: frequency, then re and im of each pair of points
    int quantity;     // 0 receptance, 1 mobility, 2 accelerance (default)
    int frequency;    // unit of the file's frequencies: 0 Hz (default), 1 rad/s
    double error;     // accepted misfit, rms of the mobility over its own; default 0.02
    int modes;        // in the band, at most 60; 0 (default): as many as `error` asks for
} jd_measured_def;

// Piecewise-smooth models of the closure engine (closure.h).
typedef struct jd_friction_oscillator_def {
    double alpha, beta, wave_term, sigma, static_gain;
} jd_friction_oscillator_def;

// Structure `nonlinear-string`: a string that stretches.
typedef struct jd_nonlinear_string_def {
    int modes;
    double stretching, wave_speed;
    int wave_term; // 0 exact, 1 paper, 2 none, 3 galerkin
    double sigma;  // NaN: (modes + 1) pi wave_speed
    jd_points points;
    jd_object damping;
} jd_nonlinear_string_def;

typedef struct jd_piecewise_def { // expressions in t, y1 ... yn and the parameters
    jd_texts r, linf, lplus;      // n each; lplus none: Filippov
    const char *h, *lambda_plus, *lambda_minus;
    double sigma;
    jd_texts names; // of parameters
    jd_reals values;
    const char *period; // [s] formula of the parameters: r repeats after it; NULL: not told
} jd_piecewise_def;

// Structure `two-fold`.
typedef struct jd_two_fold_def {
    double v_minus, v_plus, wave_term, sigma;
} jd_two_fold_def;

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

// One natural mode as people read it.
typedef struct jd_mode {
    double omega;         // undamped natural frequency [rad/s]; 0 for a rigid-body mode
    double frequency_hz;  // omega/(2 pi)
    double damping_ratio; // -Re(pole)/|pole|; > 1 for an overdamped pair
    double pole[2][2];    // the two poles {re, im}: a conjugate pair, or two real ones [1/s]
    double error;         // relative error bound of omega; >= 1: no digit is right
} jd_mode;

// Free modes: writes jd_structure_modes entries, ascending in omega.
void jd_structure_mode_list(const jd_structure *structure, jd_mode *out);

#endif

// problem.h -- a whole problem in memory: bodies, contacts, drives, start, and what to compute.
//   Read from a model file (model.h) or put together in C. Every number has a path,
//   `contacts.tip.law.limit`; a change says what it makes necessary to rebuild.
#ifndef JUDDER_PROBLEM_H
#define JUDDER_PROBLEM_H

#include "judder/contact.h"
#include "judder/context.h"
#include "judder/drive.h"
#include "judder/structure.h"

// A whole problem in memory.
typedef struct jd_problem jd_problem;

// How it starts: a jd_object with one of these.
typedef struct jd_start_rest_def {
    char none; // nothing to set
} jd_start_rest_def;
// Start `static`.
typedef struct jd_start_static_def {
    char none; // equilibrium under the constant loads
} jd_start_static_def;
typedef struct jd_start_state_def { // per dof of a chain or FE model, or per mode
    jd_reals displacement, velocity;
    int of; // 0 nodes, 1 modes
} jd_start_state_def;
typedef struct jd_start_lift_def { // one mode alone, scaled to give a point this motion
    int mode;
    const char *point;
    double displacement, velocity;
} jd_start_lift_def;
// Start `shape`: a string, rod or beam held at points, and let go.
typedef struct jd_start_shape_def {
    const char *body;                // "": the only one
    jd_reals position;               // [m] rising
    jd_reals displacement, velocity; // one value per position each [m], [m/s]; none: 0
} jd_start_shape_def;
typedef struct jd_start_values_def { // of a piecewise-smooth model
    jd_reals y;
    double kappa, lambda; // NaN: kappa = lambda; lambda as the model has it
} jd_start_values_def;
// Start `restart`: the end of an earlier run.
typedef struct jd_start_restart_def {
    const char *file; // result file whose last state is taken up
} jd_start_restart_def;
typedef struct jd_start_nsm_def { // periodic orbit against the elastic stop, without losses
    double omega;                 // [rad/s]
    jd_reals times, impulses;     // of its impacts [s], [m/s]; none: one impact per period
    double contact;               // rests on the stop so long in each period instead [s]; 0: no
} jd_start_nsm_def;

// How the engine wave applies friction.
typedef enum jd_friction_rule {
    JD_FRICTION_CENTRED,    // never feeds energy in
    JD_FRICTION_TRAPEZOIDAL // sharper at fronts; what it feeds in is reported
} jd_friction_rule;

// Section `simulate`.
typedef struct jd_simulate_def {
    const char *engine; // "auto" or a name from jd_engine list
    jd_duration until;
    int event_budget;    // stop reason when reached
    int nodes;           // wave and taylor engines
    int friction_rule;   // jd_friction_rule, of the wave engine
    bool error_estimate; // the wave engine also marches on a coarser grid
    bool ledger;         // energies are summed up
    double tolerance;    // relative error in a step of engines memory and closure; NaN: their own
    int modes;           // closure engine: modes kept of a structure
    int wave_term;       // closure engine: 0 from the structure, 1 none
    int memory;          // jd_memory_form
    double step;         // convolution engine [s]
} jd_simulate_def;

// Section `orbit`.
typedef struct jd_orbit_def {
    int periods;        // period of the orbit in drive periods
    jd_duration settle; // simulated before shooting
} jd_orbit_def;

// Special points whose curve in a second parameter is wanted.
typedef enum jd_curve_kind {
    JD_CURVE_NONE,
    JD_CURVE_FOLD,
    JD_CURVE_FLIP,
    JD_CURVE_GRAZING
} jd_curve_kind;

// Section `follow`.
typedef struct jd_follow_def {
    const char *parameter; // problem path
    double from, to;
    const char *measure; // "tip.displacement.max"
    int of;              // jd_followed
    int flip;            // switch to the doubled branch at this flip; 0: do not
    double step;         // longest step, as a share of |to - from|
    int points;          // at most
    int curve;           // jd_curve_kind: the first such point is followed in two parameters
    const char *second;  // problem path of the other
    double second_from, second_to;
} jd_follow_def;

// Section `kernel`.
typedef struct jd_kernel_def {
    jd_duration until; // longest tau; 0: a few periods of the lowest mode
    int points;        // number of tau
    jd_reals modes;    // modes of W, one per contact, from 1; none: chosen
    jd_reals resolved; // numbers of lowest modes to leave out, one contact
} jd_kernel_def;

// Section `nsm`.
// Whether the stability of nonsmooth modes is judged.
typedef enum jd_judging {
    JD_JUDGING_AUTO, // up to 100 modes: with more it takes longer than all else
    JD_JUDGING_YES,
    JD_JUDGING_NO
} jd_judging;

// Nonsmooth modes: what is listed.
typedef struct jd_nsm_def {
    jd_reals omega; // window [rad/s]
    int impacts;
    bool phantoms;  // also list what the equations give beyond the ends, through the stop
    bool sustained; // also look for orbits that rest on the stop
    int stability;  // jd_judging
} jd_nsm_def;

// How a sweep begins at a point: as the model starts, or with the motion of the point before.
typedef enum jd_sweep_direction {
    JD_SWEEP_NONE, // every point from the model's start
    JD_SWEEP_UP,   // carried along the first parameter from `from` to `to`
    JD_SWEEP_DOWN, // from `to` to `from`
    JD_SWEEP_BOTH  // up, and down again from where that ended
} jd_sweep_direction;

// Section `sweep`.
typedef struct jd_sweep_def {
    jd_texts parameters;
    jd_reals from, to, points;
    jd_texts spacing;    // of the values of each: linear, log; none: linear
    int direction;       // jd_sweep_direction
    const char *measure; // "tip.displacement.max"; NULL: that of the first contact
    jd_duration settle;  // simulated at most at one point; 0: 2000 drive periods
    double tolerance;    // recurrence that counts as settled where shooting does not help
    int samples;         // states at drive phase 0 kept of each point
    int starts, seed;    // starts tried at each point: the model's own, then random ones
    jd_formulas beside;  // curves drawn beside the points
    jd_formulas classes; // of motions: a point is of the first that holds
} jd_sweep_def;

typedef struct jd_field_def { // fields along bodies and contacts, into the result file
    jd_duration every;        // 0: none
} jd_field_def;

// Section `output`.
typedef struct jd_output_def {
    jd_duration every; // sampling interval; 0: none
    int per_period;    // samples per drive period; 0: none
    jd_texts points;   // "tip" or "pile.head"; none: every contact and drive point
    jd_field_def field;
} jd_output_def;

// What can be computed of a problem: sections of the model file.
typedef enum jd_section {
    JD_SIMULATE,
    JD_ORBIT,
    JD_FOLLOW,
    JD_NSM,
    JD_KERNEL,
    JD_SWEEP,
    JD_OUTPUT,
    JD_SECTION_COUNT
} jd_section;

extern const jd_type jd_section_types[JD_SECTION_COUNT]; // tables; name is the section's key
// All types of starts, ends with NULL.
const jd_type *const *jd_start_types(void);

// A problem without parts, which starts at rest.
jd_status jd_problem_create(jd_context *context, jd_problem **out);
// NULL is allowed. Runs and analyses of the problem have to be freed before.
void jd_problem_free(jd_problem *problem);
// A problem of its own with the same parts, for another thread and its context. Structures that are
// built are shared (they never change) until a change asks for new ones; `from` must not be changed
// or built meanwhile, and its context must outlive the copy.
jd_status jd_problem_copy(jd_context *context, const jd_problem *from, jd_problem **out);

// Parts. Definitions are copied (nested lists and texts too) and checked against their tables.
// A NULL def stands for the defaults. Names must be new and have no dot; the body of a model's
// `structure` section is named "".
jd_status jd_problem_set_title(jd_problem *problem, const char *title);
// A structure; `def` is the definition that belongs to `type`.
jd_status jd_problem_add_body(jd_problem *problem, const char *name, const jd_type *type,
                              const void *def);
// A contact; its law is an object in the definition.
jd_status jd_problem_add_contact(jd_problem *problem, const char *name, const jd_contact_def *def);
// A load; `def` is the definition that belongs to `type`.
jd_status jd_problem_add_drive(jd_problem *problem, const char *name, const jd_type *type,
                               const void *def);
// How the motion starts, one of jd_start_types.
jd_status jd_problem_set_start(jd_problem *problem, const jd_type *type, const void *def);
// What is to be computed; `def` is the definition that belongs to the section.
jd_status jd_problem_set_section(jd_problem *problem, jd_section section, const void *def);

const char *jd_problem_title(const jd_problem *problem); // "" when it has none
// How many bodies there are.
int jd_problem_bodies(const jd_problem *problem);
// How many contacts there are.
int jd_problem_contacts(const jd_problem *problem);
// How many drives there are.
int jd_problem_drives(const jd_problem *problem);
// Body number i; its definition is that of its type.
const jd_object *jd_problem_body(const jd_problem *problem, int i);
const jd_object *jd_problem_contact(const jd_problem *problem, int i); // def: jd_contact_def
// Drive number i; its definition is that of its type.
const jd_object *jd_problem_drive(const jd_problem *problem, int i);
// The start; its definition is that of its type.
const jd_object *jd_problem_start(const jd_problem *problem);
// The section's definition: as given, or its defaults. `given` (may be NULL) tells which.
const void *jd_problem_section(const jd_problem *problem, jd_section section, bool *given);

// Numbers by path, in SI or the model's own consistent units. Unknown paths get a suggestion.
//   structure.length (or bodies.pile.length), structure.mass.2 (lists count from 1),
//   structure.points.tip, structure.damping.mass, contacts.tip.law.limit,
//   contacts.bow.against.velocity, contacts.shaft.at.span.1, drives.shaker.frequency.times
// A drive's frequency given as {times, mode} is NaN until the problem is built (again); setting
// drives.shaker.frequency replaces it by a plain number. A duration keeps its unit (s or periods).
// A value that was left out (static_limit) is NaN; `all` and `infinite` read as JD_ALL and
// JD_INFINITE, and only counts from 1 can be set. Setting checks ranges and rules between keys and
// changes nothing when it fails; what has to be computed again waits for jd_problem_build.
jd_status jd_problem_get(const jd_problem *problem, const char *path, double *value);
// Sets the number at a path; `rebuild` (may be NULL) tells what has to be computed again.
jd_status jd_problem_set(jd_problem *problem, const char *path, double value, jd_rebuild *rebuild);
// Every numeric path, in model order; NULL when i is past the last. Valid until the next change.
const char *jd_problem_path(jd_problem *problem, int i);
// SI unit of the number at a path, as "rad/s" or "N/m"; "" when it has none, "periods" for a
// duration so given. False (and "") when there is no such number.
bool jd_problem_unit(const jd_problem *problem, const char *path, size_t size, char *out);

// True when the numbers are SI (the model carried units), false for a consistent system.
bool jd_problem_is_si(const jd_problem *problem);
// Says which of the two they are.
void jd_problem_set_si(jd_problem *problem, bool si);

// Builds what is missing of structures, rows and frequencies; cheap when nothing changed.
jd_status jd_problem_build(jd_problem *problem);
const jd_structure *jd_problem_structure(const jd_problem *problem, int body); // after build
// Angular frequency of a drive with {times, mode} resolved [rad/s]; after build.
double jd_problem_drive_frequency(const jd_problem *problem, int drive);
// Drive period 2 pi/omega of the slowest harmonic drive [s]; 0 when there is none. After build.
double jd_problem_period(const jd_problem *problem);
// A duration in seconds (periods resolved). After build.
jd_status jd_problem_duration(const jd_problem *problem, const jd_duration *duration,
                              double *seconds);

// Natural modes with contact `contact` stuck: count first (out == NULL), then the list.
jd_status jd_problem_stuck_modes(const jd_problem *problem, int contact, int *n, jd_mode *out);

#endif

// problem.h -- a complete problem in memory: bodies, contacts, drives, start, and what to compute.
//   Read from a model file (model.h) or put together in C. Every number has a path,
//   `contacts.tip.law.limit`; a change reports what has to be computed again.
#ifndef JUDDER_PROBLEM_H
#define JUDDER_PROBLEM_H

#include "judder/contact.h"
#include "judder/context.h"
#include "judder/drive.h"
#include "judder/structure.h"

#ifdef __cplusplus
extern "C" {
#endif

// A complete problem in memory.
typedef struct jd_problem jd_problem;

// ---- Starts: a definition with defaults, a function that gives these, and one that sets it. The
// last one set holds; a problem without one starts at rest.

// At rest, undeformed.
typedef struct jd_start_rest_def {
    char none; // nothing to set
} jd_start_rest_def;
// Start `rest`: all displacements and velocities 0.
jd_status jd_problem_set_start_rest(jd_problem *problem);

// In equilibrium under the constant loads.
typedef struct jd_start_static_def {
    char none; // nothing to set
} jd_start_static_def;
// Start `static`: equilibrium under the loads at t = 0, closed stops included.
jd_status jd_problem_set_start_static(jd_problem *problem);

// ---- Connections: linear springs and dashpots between two points, or a point and the ground. The
// bodies then have common modes.

// Connection `spring`: force stiffness (u_at - u_against) that pulls both points together.
typedef struct jd_spring_def {
    jd_place at;        // jd_at, jd_at_body; required
    jd_counter against; // jd_ground (default) or jd_place_of a point
    double stiffness;   // [N/m] >= 0; required
} jd_spring_def;
// The defaults.
jd_spring_def jd_default_spring(void);
// Adds it; names are unique among connections.
jd_status jd_problem_add_spring(jd_problem *problem, const char *name, const jd_spring_def *def);

// Connection `dashpot`: force damping (v_at - v_against) that slows the relative motion.
typedef struct jd_dashpot_def {
    jd_place at;        // jd_at, jd_at_body; required
    jd_counter against; // jd_ground (default) or jd_place_of a point
    double damping;     // [N s/m] >= 0; required
} jd_dashpot_def;
// The defaults.
jd_dashpot_def jd_default_dashpot(void);
// Adds it; names are unique among connections.
jd_status jd_problem_add_dashpot(jd_problem *problem, const char *name, const jd_dashpot_def *def);

const jd_type *const *jd_connection_types(void); // ends with NULL

// What the values of a start belong to.
typedef enum jd_state_of { JD_STATE_OF_NODES, JD_STATE_OF_MODES } jd_state_of;
// Start `state`: given displacements and velocities.
typedef struct jd_start_state_def {
    jd_reals displacement; // per dof of all bodies [m], or per mode; none (default): 0
    jd_reals velocity;     // likewise [m/s]; none (default): 0
    int of;                // jd_state_of; default nodes (chains, FE models, small matrices)
    jd_shapes force; // contact -> force of its slider springs on the structure, one per slider [N];
                     // none (default): 0
} jd_start_state_def;
// The defaults.
jd_start_state_def jd_default_start_state(void);
// Sets such a start.
jd_status jd_problem_set_start_state(jd_problem *problem, const jd_start_state_def *def);

// Start `lift`: one mode alone, scaled to give a point this motion.
typedef struct jd_start_lift_def {
    int mode;            // from 1; default 1
    const char *point;   // whose motion is given; required
    double displacement; // of that point [m]; default 0
    double velocity;     // of that point [m/s]; default 0
} jd_start_lift_def;
// The defaults.
jd_start_lift_def jd_default_start_lift(void);
// Sets such a start.
jd_status jd_problem_set_start_lift(jd_problem *problem, const jd_start_lift_def *def);

// Start `shape`: a string, rod or beam is held at points and released.
typedef struct jd_start_shape_def {
    const char *body;      // NULL or "" (default): the only one
    jd_reals position;     // [m] rising; required
    jd_reals displacement; // at each position [m]; none (default): 0
    jd_reals velocity;     // at each position [m/s]; none (default): 0
} jd_start_shape_def;
// The defaults.
jd_start_shape_def jd_default_start_shape(void);
// Sets such a start.
jd_status jd_problem_set_start_shape(jd_problem *problem, const jd_start_shape_def *def);

// Start `values`: numbers of a piecewise-smooth model.
typedef struct jd_start_values_def {
    jd_reals y;    // the model's state, in its order; none (default): as the model starts
    double kappa;  // memory of the contact force; NaN (default): equal to it
    double lambda; // contact force on the switching surface; NaN (default): as the model has it
} jd_start_values_def;
// The defaults.
jd_start_values_def jd_default_start_values(void);
// Sets such a start.
jd_status jd_problem_set_start_values(jd_problem *problem, const jd_start_values_def *def);

// Start `restart`: the end of an earlier run. From C the state is given to the run
// (jd_run_state_load).
typedef struct jd_start_restart_def {
    const char *file; // result file whose last state is the start; required
} jd_start_restart_def;
// The defaults.
jd_start_restart_def jd_default_start_restart(void);
// Sets such a start.
jd_status jd_problem_set_start_restart(jd_problem *problem, const jd_start_restart_def *def);

// Start `nsm`: on a nonsmooth mode, a periodic orbit against the elastic stop, without losses.
typedef struct jd_start_nsm_def {
    double omega;      // of the orbit [rad/s] > 0; required
    jd_reals times;    // of its impacts, rising from 0 [s]; none (default): one impact per period
    jd_reals impulses; // velocity of the contact just after each of these [m/s]
    double contact;    // duration of sustained contact in each period [s] >= 0; 0 (default): none
} jd_start_nsm_def;
// The defaults.
jd_start_nsm_def jd_default_start_nsm(void);
// Sets such a start.
jd_status jd_problem_set_start_nsm(jd_problem *problem, const jd_start_nsm_def *def);

// ---- What to compute: one definition per section of a model file, with defaults, a function that
// gives these and one that sets it.

// How the engine wave applies friction.
typedef enum jd_friction_rule {
    JD_FRICTION_CENTRED,    // never adds energy to the motion
    JD_FRICTION_TRAPEZOIDAL // sharper at fronts; the energy it adds is reported
} jd_friction_rule;

// How the closure engine represents the modes it leaves out.
typedef enum jd_wave_term { JD_WAVE_TERM_AUTO, JD_WAVE_TERM_NONE } jd_wave_term;

// Section `simulate`.
typedef struct jd_simulate_def {
    const char *engine; // "auto" (default), or the name of an engine (jd_engine)
    jd_duration until;  // jd_seconds or jd_periods, >= 0; required. Cost is in proportion
    int event_budget;   // events >= 1 after which the run stops with its reason; default 10 million
    int nodes; // grid points of the first body >= 2, engines wave, taylor and mode-matching;
               // default 304. Cost grows with nodes^2
    int friction_rule;   // jd_friction_rule of the engine wave; default centred
    bool error_estimate; // the wave engine also computes on a coarser grid; default false. Costs up
                         // to a quarter of the run
    bool ledger;         // energies are summed up; default true. A run is somewhat faster without
    double tolerance;    // relative error in a step [-], 1e-13 to 0.1; NaN (default): that of the
                         // engine, 1e-6 of memory, 1e-12 of closure. Smaller costs shorter steps
    int modes;           // closure engine: modes kept of a structure >= 0; 0 (default): all it has
    int wave_term;       // jd_wave_term of the closure engine; default from the structure
    int memory;          // jd_memory_form of the engine memory; default chosen
    double step;         // convolution engine [s] >= 0; 0 (default): 1/4000 of the slowest period.
                         // Cost grows with up to step^-2
} jd_simulate_def;
// The defaults.
jd_simulate_def jd_default_simulate(void);
// Sets what a run computes.
jd_status jd_problem_set_simulate(jd_problem *problem, const jd_simulate_def *def);

// Section `orbit`.
typedef struct jd_orbit_def {
    int periods;        // period of the orbit in drive periods; 0 (default): found, up to 64
    jd_duration settle; // simulated before shooting, >= 0; default 0 s. Cost is in proportion
    int work;           // engine memory: panels that may be solved after `settle`, >= 1; default
                        // 500 000
} jd_orbit_def;
// The defaults.
jd_orbit_def jd_default_orbit(void);
// Sets how an orbit is searched (jd_orbit_create).
jd_status jd_problem_set_orbit(jd_problem *problem, const jd_orbit_def *def);

// Special points whose curve in a second parameter is wanted.
// X(symbol, name in models and results)
#define JD_CURVE_LIST(X)                                                                           \
    X(JD_CURVE_NONE, "none")                                                                       \
    X(JD_CURVE_FOLD, "fold")                                                                       \
    X(JD_CURVE_FLIP, "flip")                                                                       \
    X(JD_CURVE_GRAZING, "grazing")                                                                 \
    X(JD_CURVE_NEIMARK_SACKER, "neimark-sacker")                                                   \
    X(JD_CURVE_BRANCH, "branch-point")                                                             \
    X(JD_CURVE_STICK, "stick")             /* stick-appears and stick-vanishes */                  \
    X(JD_CURVE_SLIP, "slip")               /* slip-appears and slip-vanishes */                    \
    X(JD_CURVE_SLIP_BEGINS, "slip-begins") /* and slip-ends */                                     \
    X(JD_CURVE_FUNCTION, "function")
#define JD_CURVE_SYMBOL(symbol, name) symbol,
// The kinds of that list.
typedef enum jd_curve_kind { JD_CURVE_LIST(JD_CURVE_SYMBOL) JD_CURVE_COUNT } jd_curve_kind;

// Section `follow`.
typedef struct jd_follow_def {
    const char *parameter; // problem path of the number that is varied, or ...
    jd_shapes parameters;  // ... paths and a factor each: numbers that are varied together;
                           // one of both is required
    double from, to;       // its values at both ends, in its unit; required, different
    const char
        *measure;  // what is recorded, "tip.displacement.max"; NULL (default): of the first contact
    jd_texts also; // measures recorded beside it; default: none
    jd_shapes family;      // one problem path and its values: a branch for each; default: none
    jd_formulas functions; // names and formulas of measures; their zeros are special points;
                           // default: none
    jd_shapes stop;        // a measure or function and the value at which the branch ends; default:
                           // none
    int of;                // jd_followed: orbits (default), or steady slip of a closure model
    int member;         // jd_member: of orbits whose contacts are stuck all along; default centred
    int flip;           // go on along the doubled branch at this flip; 0 (default): do not
    double step;        // longest step as a share of |to - from|, 1e-6 to 1; default 0.005. Points,
                        // and the cost with them, grow as it falls
    int points;         // at most, 1 to 1e9; default 20000
    int curve;          // jd_curve_kind: the first such point is followed in two parameters;
                        // default none
    const char *second; // with `curve`: problem path of the other parameter
    double second_from; // its value on the branch, where the curve begins; default 0
    double second_to;   // where the curve ends; default 0
} jd_follow_def;
// The defaults.
jd_follow_def jd_default_follow(void);
// Sets what is followed (jd_follow_create).
jd_status jd_problem_set_follow(jd_problem *problem, const jd_follow_def *def);

// Section `kernel`.
typedef struct jd_kernel_def {
    jd_duration until; // longest tau, >= 0; 0 (default): three periods of the lowest mode
    int points;        // number of tau, 2 to 1e6; default 1201. Cost is in proportion
    jd_reals modes;    // modes of W, one per contact, from 1; none (default): chosen
    jd_reals resolved; // numbers of lowest modes to leave out, one contact; none (default)
} jd_kernel_def;
// The defaults.
jd_kernel_def jd_default_kernel(void);
// Sets which memory kernels are computed (jd_kernel_create).
jd_status jd_problem_set_kernel(jd_problem *problem, const jd_kernel_def *def);

// Whether the stability of nonsmooth modes is computed.
typedef enum jd_judging {
    JD_JUDGING_AUTO, // up to 100 modes: with more it would take most of the time
    JD_JUDGING_YES,
    JD_JUDGING_NO
} jd_judging;

// Section `nsm`: nonsmooth modes, and which are listed.
typedef struct jd_nsm_def {
    jd_reals omega; // window [lowest, highest] in which branches start [rad/s] > 0; required.
                    // The number of branches grows without bound as the lowest approaches 0
    int impacts;    // most impacts per period of the families >= 1; default 1. Each further impact
                    // costs much more
    bool phantoms;  // also list solutions that pass through the stop; default false
    bool sustained; // also find orbits with sustained contact; default false. Costs a search
    int stability;  // jd_judging; default auto
} jd_nsm_def;
// The defaults.
jd_nsm_def jd_default_nsm(void);
// Sets which nonsmooth modes are searched (jd_nsm_create).
jd_status jd_problem_set_nsm(jd_problem *problem, const jd_nsm_def *def);

// How a sweep begins at a point: as the model starts, or with the motion of the point before.
typedef enum jd_sweep_direction {
    JD_SWEEP_NONE, // every point from the model's start
    JD_SWEEP_UP,   // carried along the first parameter from `from` to `to`
    JD_SWEEP_DOWN, // from `to` to `from`
    JD_SWEEP_BOTH  // up, and down again from where that ended
} jd_sweep_direction;

// How random numbers are spread.
typedef enum jd_sample_method {
    JD_SAMPLE_SOBOL,  // a Sobol sequence with a random shift: most even
    JD_SAMPLE_LATIN,  // Latin hypercube: each number alone is spread evenly
    JD_SAMPLE_RANDOM, // independent draws
} jd_sample_method;

// Numbers of the model that are drawn at random, in section `sweep`.
typedef struct jd_sample_def {
    int method;          // jd_sample_method; default Sobol
    int points;          // draws, 1 to 1e6; 0 (default): nothing is drawn. Cost is in proportion
    int seed;            // 0 to 1e9; default 1
    jd_draws parameters; // at most 21 by Sobol
} jd_sample_def;

// Section `sweep`: one or two parameters, each with its entry in the lists.
typedef struct jd_sweep_def {
    jd_texts parameters; // problem paths; required unless numbers are drawn, then one at most
    jd_reals from, to;   // first and last values, in the parameter's unit; one of each for each
    jd_reals points;  // number of values, 1 to 1e9; likewise. Cost is in proportion to all points
    jd_texts spacing; // "linear" or "log" of the values; none (default): linear
    int direction;    // jd_sweep_direction; default none
    const char *measure; // "tip.displacement.max"; NULL (default): that of the first contact
    jd_duration settle;  // simulated at most at one point; 0 (default): 2000 drive periods
    double tolerance; // relative change of the state that counts as settled where shooting finds no
                      // orbit [-], 1e-13 to 0.01; default 1e-9
    int samples;      // states at drive phase 0 kept of each point, 1 to 100000; default 16
    int starts;       // starts tried at each point, 1 to 1000: the model's own, then random ones;
                      // default 1. Cost is in proportion
    int seed;         // of the random starts, 0 to 1e9; default 1
    int member; // of orbits whose contacts are stuck all along: 0 (default) the one the motion
                // settled to, 1 the centred one (jd_member)
    jd_formulas beside;   // curves drawn beside the points; default: none
    jd_formulas classes;  // of motions: a point is of the first that holds; default: none
    jd_sample_def sample; // numbers that are drawn at random; default: none
} jd_sweep_def;
// The defaults.
jd_sweep_def jd_default_sweep(void);
// Sets what is swept (jd_sweep_create).
jd_status jd_problem_set_sweep(jd_problem *problem, const jd_sweep_def *def);

// Section `fit`: least squares of numbers of the model to measured displacements.
typedef struct jd_fit_def {
    jd_texts parameters; // problem paths of the numbers that are fitted; required
    const char *data;    // CSV file with a line of names: `t` and places, or the path of a number
                         // and places (amplitudes over it); required
    double noise;   // standard deviation of the data [m] >= 0; 0 (default): from what is left over
    int iterations; // of the optimiser at most, 1 to 10000; default 100
    double tolerance; // relative change that ends it, 1e-15 to 0.1; default 1e-8
} jd_fit_def;
// The defaults.
jd_fit_def jd_default_fit(void);
// Sets what is fitted (jd_fitting_create).
jd_status jd_problem_set_fit(jd_problem *problem, const jd_fit_def *def);

// Section `backbone`: frequency and damping of a mode over its amplitude.
typedef struct jd_backbone_def {
    int mode;        // of the structure with its contacts stuck, from 1; default 1
    const char *at;  // contact or point whose amplitude counts; NULL (default): first contact
    double from, to; // least and greatest amplitude there [m] > 0; required, different
    int points;      // of the curve, 2 to 100000; default 60
    int spacing;     // 0 (default): equal factors, 1: equal steps
} jd_backbone_def;
// The defaults.
jd_backbone_def jd_default_backbone(void);
// Sets which backbone is computed (jd_backbone_create).
jd_status jd_problem_set_backbone(jd_problem *problem, const jd_backbone_def *def);

// Fields along bodies and contacts, into the result file.
typedef struct jd_field_def {
    jd_duration every; // between fields, >= 0; 0 (default): none. The file grows with each
} jd_field_def;

// Section `output`: what the command samples.
typedef struct jd_output_def {
    jd_duration every;  // between samples, >= 0; 0 (default): see per_period
    int per_period;     // samples per drive period >= 0; 0 (default): none
    jd_texts points;    // "tip" or "pile.head"; none (default): every contact and drive point
    jd_field_def field; // default: none
} jd_output_def;
// The defaults.
jd_output_def jd_default_output(void);
// Sets what is sampled.
jd_status jd_problem_set_output(jd_problem *problem, const jd_output_def *def);

// What can be computed of a problem: sections of the model file.
typedef enum jd_section {
    JD_SIMULATE,
    JD_ORBIT,
    JD_FOLLOW,
    JD_NSM,
    JD_KERNEL,
    JD_SWEEP,
    JD_FIT,
    JD_BACKBONE,
    JD_OUTPUT,
    JD_SECTION_COUNT
} jd_section;

extern const jd_type jd_section_types[JD_SECTION_COUNT]; // tables; name is the section's key
// All types of starts, ends with NULL.
const jd_type *const *jd_start_types(void);

// An empty problem, which starts at rest.
jd_status jd_problem_create(jd_context *context, jd_problem **out);
// NULL is allowed. Runs and analyses of the problem have to be freed before.
void jd_problem_free(jd_problem *problem);
// A problem of its own with the same parts, for another thread and its context. Structures that are
// built are shared (they never change) until a change asks for new ones; `from` must not be changed
// or built meanwhile, and its context must outlive the copy.
jd_status jd_problem_copy(jd_context *context, const jd_problem *from, jd_problem **out);

// Parts. Definitions are copied (nested lists and texts too) and checked against their tables.
// A NULL def stands for the defaults. Names must be new and have no dot; the body of a model's
// `structure` section is named "". In C every kind has functions of its own: jd_problem_add_string
// and so on in structure.h, closure.h and drive.h, jd_problem_set_start_... and
// jd_problem_set_simulate ... above. Those here with a jd_type take any kind by its table, for
// readers and bindings.
jd_status jd_problem_set_title(jd_problem *problem, const char *title);
// A structure; `def` is the definition that belongs to `type`.
jd_status jd_problem_add_body(jd_problem *problem, const char *name, const jd_type *type,
                              const void *def);
// A contact; its law is made by jd_coulomb_law and the like (contact.h).
jd_status jd_problem_add_contact(jd_problem *problem, const char *name, const jd_contact_def *def);
// A connection, one of jd_connection_types; `def` is the definition that belongs to `type`.
jd_status jd_problem_add_connection(jd_problem *problem, const char *name, const jd_type *type,
                                    const void *def);
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
// How many connections there are.
int jd_problem_connections(const jd_problem *problem);
// Body number i; its definition is that of its type.
const jd_object *jd_problem_body(const jd_problem *problem, int i);
const jd_object *jd_problem_contact(const jd_problem *problem, int i); // def: jd_contact_def
// Drive number i; its definition is that of its type.
const jd_object *jd_problem_drive(const jd_problem *problem, int i);
// Connection number i; its definition is that of its type.
const jd_object *jd_problem_connection(const jd_problem *problem, int i);
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
// A value that was left out (static_limit) is NaN; `all`, `auto` and `infinite` read as JD_ALL,
// JD_AUTO and JD_INFINITE, and only counts from 1 can be set. Setting checks ranges and rules
// between keys and changes nothing when it fails; what has to be computed again waits for
// jd_problem_build.
// Numbers that change together have one path, "contacts.a.law.limit & 2*contacts.b.law.limit": x,
// where the first is x and the second 2 x; all have the same unit.
jd_status jd_problem_get(const jd_problem *problem, const char *path, double *value);
// Sets the number at a path; `rebuild` (may be NULL) tells what has to be computed again.
jd_status jd_problem_set(jd_problem *problem, const char *path, double value, jd_rebuild *rebuild);
// Every numeric path, in model order; NULL when i is past the last. Valid until the next change.
const char *jd_problem_path(jd_problem *problem, int i);
// SI unit of the number at a path, as "rad/s" or "N/m"; "" when it has none, "periods" for a
// duration so given. False (and "") when there is no such number.
bool jd_problem_unit(const jd_problem *problem, const char *path, size_t size, char *out);

// Results give the number at `path` in `unit`, which has `size` SI units: Hz, 2 pi rad/s. The
// reader of models says so where the range of a sweep or a branch is written in another unit of
// frequency than rad/s.
jd_status jd_problem_show_unit(jd_problem *problem, const char *path, const char *unit,
                               double size);
// Size of that unit and its name; 1 and NULL: SI.
double jd_problem_shown_unit(const jd_problem *problem, const char *path, const char **unit);

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

// Natural modes with contact `contact` stuck: its point held where it is rigid, else with the
// springs of its sliders and of its normal part. Count first (out == NULL), then the list.
jd_status jd_problem_stuck_modes(const jd_problem *problem, int contact, int *n, jd_mode *out);

#ifdef __cplusplus
}
#endif

#endif

// result.h -- what a computation came to, as plain structs and arrays; written to files and read
// back.
//   A result has one content, in memory, in an HDF5 file and as JSON. Reading a file gives the
//   structs that were written. Numbers are in SI units where the model has units (`head.si`).
#ifndef JUDDER_RESULT_H
#define JUDDER_RESULT_H
#include <stddef.h>

#include "judder/backbone.h"
#include "judder/batch.h"
#include "judder/columns.h"
#include "judder/converge.h"
#include "judder/fit.h"
#include "judder/follow.h"
#include "judder/gradient.h"
#include "judder/kernel.h"
#include "judder/modes.h"
#include "judder/nsm.h"
#include "judder/orbit.h"
#include "judder/run.h"
#include "judder/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

// A result of one of the kinds below.
typedef struct jd_result jd_result;

// Kinds of results: X(symbol, name, text). The name is `kind` in JSON and in files.
#define JD_RESULT_LIST(X)                                                                          \
    X(JD_RESULT_RUN, "run", "motion in time")                                                      \
    X(JD_RESULT_ORBIT, "orbit", "a periodic orbit")                                                \
    X(JD_RESULT_ATTRACTORS, "attractors", "the orbits random starts lead to")                      \
    X(JD_RESULT_FOLLOW, "follow", "a branch of orbits along one number of the model")              \
    X(JD_RESULT_SWEEP, "sweep", "settled motion on a grid")                                        \
    X(JD_RESULT_CONVERGENCE, "convergence", "how a measure settles as nodes or modes are added")   \
    X(JD_RESULT_BATCH, "batch", "runs of many variants")                                           \
    X(JD_RESULT_FIT, "fit", "numbers of the model from measured displacements")                    \
    X(JD_RESULT_BACKBONE, "backbone", "frequency and damping of a mode over its amplitude")        \
    X(JD_RESULT_KERNEL, "kernel", "memory kernels of contact points")                              \
    X(JD_RESULT_MODES, "modes", "natural modes, free and with each contact stuck")                 \
    X(JD_RESULT_NSM, "nsm", "families of nonsmooth modes")                                         \
    X(JD_RESULT_NSM_ORBITS, "nsm-orbits", "orbits of nonsmooth modes in full")

// The kinds of that list.
typedef enum jd_result_kind { JD_RESULT_LIST(JD_SYMBOL) JD_RESULT_KIND_COUNT } jd_result_kind;

// Where a result comes from.
typedef struct jd_result_head {
    jd_result_kind kind;
    const char *title;         // of the model
    bool si;                   // the model has units
    int n_unit;                // numbers of the model that were varied ...
    const jd_named_text *unit; // ... path and unit of each, "" without one; none without units
    const char *command;       // that made the file; "" of a result that was not read
    const char *model;         // text of the model file
    const char *version;       // of Judder
} jd_result_head;

// Numbers of events of each kind.
typedef struct jd_event_counts {
    long total, slip, stick, reversal, impact, close, open;
} jd_event_counts;

// One contact of a run or an orbit.
typedef struct jd_contact_result {
    const char *name;
    const char *at, *body;          // point and body; NULL: along a span, a single structure
    double against_velocity;        // of a moving counterpart [m/s]; NaN: it does not move
    const char *law;                // type
    int n_number;                   // numbers of the law
    const jd_named_real *number;    // by key
    double limit, static_limit;     // of friction while sliding and stuck [N]; NaN: none
    double gap;                     // of a stop [m]; NaN: not one
    bool both;                      // the stop has two sides
    bool known;                     // the ranges are
    jd_contact_ranges range;        // extremes
    jd_event_counts count;          // runs
    double friction, impacts, belt; // runs: energy lost, lost, supplied [J]
    double wear; // runs: of friction, what sliding took, the integral of |T ds| [J]
    double stuck_time, stuck_share; // orbits: time it sticks in a period [s], share of it
} jd_contact_result;

// Time spent in one phase.
typedef struct jd_phase_result {
    const char *phase; // letters of all contacts; "other" for what is not told apart
    long visits;
    double time; // [s]
} jd_phase_result;

// A contact along a span at the end of a run.
typedef struct jd_interface_result {
    const char *name;
    int n; // cells
    long slip, stick, reversal;
    double sliding; // share of its length that slides
    const double *position, *displacement, *force, *loss;
} jd_interface_result;

// A series of blows by one drive, or the one of a hammer that is a body: for each point the set of
// each blow and the depth before it.
typedef struct jd_blows_result {
    const char *drive; // its name; of a hammer that of the contact by which it strikes
    jd_columns table;  // t, <point>.set, <point>.depth
} jd_blows_result;

// A recorded point at the end of a run.
typedef struct jd_point_result {
    const char *name;
    double displacement, velocity; // [m], [m/s]
    double position;               // along its body [m]; NaN: not asked for
} jd_point_result;

// A point, or a contact, over a stretch of time.
typedef struct jd_history_point {
    const char *name;
    const double *u, *v; // displacement, velocity
} jd_history_point;
// A contact over a stretch of time.
typedef struct jd_history_contact {
    const char *name;
    const double *u, *v, *force; // displacement, relative velocity, force on the structure
    const char *phase;           // letters: H + - o |
    double limit, static_limit, gap;
    bool both, span; // as in jd_contact_result; along a length: means over it, no phases
} jd_history_contact;
// What the energy has become until each time; stored + damping + friction + impacts = supplied.
typedef struct jd_history_energy {
    const double *stored, *damping, *friction, *impacts, *supplied;
} jd_history_energy;
// A stretch of motion as plain arrays: what a picture shows. Times ascend; an event has two, just
// before it and at it, so that jumps are vertical.
typedef struct jd_history {
    const char *title, *subtitle; // of the model; what is shown
    bool si;
    double period; // of the drive or of the orbit [s]; 0 or NaN: none
    int n;
    const double *t;
    int n_point, n_contact, n_event, n_slip;
    const jd_history_point *point;
    const jd_history_contact *contact;
    const jd_event *event;           // within the stretch
    int n_name;                      // contacts ...
    const char *const *contact_name; // ... as events count them
    const jd_history_energy *energy; // NULL: not known
    const double *growth;            // of a change of the start, natural logarithm; NULL: unknown
    const jd_history_point *slip;    // points along a contact: sliding velocity as v; u is NULL
} jd_history;
// Motion along a body and along the contact that acts on it.
typedef struct jd_field_map {
    const char *body, *contact;
    int n, n_node, n_cell;
    const double *t, *node, *cell;          // times [s]; places of nodes and of cells [m]
    const double *u;                        // n x n_node: displacement [m]
    const double *velocity, *state, *force; // n x n_cell: sliding [m/s]; 0, 1, -1; [N]
} jd_field_map;
// The stretch a picture was drawn of, kept with the result so that it can be drawn again.
typedef struct jd_shown {
    int picture;     // jd_picture_kind
    double from, to; // the window asked for; NaN: chosen
    jd_history history;
    jd_field_map field; // pictures along a contact; no times: another picture
} jd_shown;

// What a run kept on its way.
typedef struct jd_run_lists {
    int n_event;
    const jd_event *event;
    bool truncated; // there were more events
    jd_columns samples;
    bool samples_truncated;
    jd_columns energies; // at the times of the samples; no columns: not known
    jd_columns field;    // along bodies and contacts; no columns: not asked for
} jd_run_lists;
// Where a run ended.
typedef struct jd_run_final {
    const char *phase; // letters of all contacts
    int n_mode;        // 0: the engine has none
    const double *q, *rate;
    int n_point;
    const jd_point_result *point;
} jd_run_final;
// Motion in time.
typedef struct jd_run_result {
    const char *engine, *engine_why; // why `auto` did not take its first choice; NULL: it did
    double t_start, t_end;           // [s]
    jd_stop stop;
    const char *note, *critical; // as in jd_report
    jd_event_counts count;
    int n_contact, n_drive, n_phase, n_interface, n_grid;
    const jd_contact_result *contact;
    const char *const *contact_name; // n_name: of events
    int n_name;
    jd_certificate certificate;
    jd_horizon horizon;
    jd_grid_report grid;
    jd_ledger ledger;           // but for its lists: those are in `contact` and `drive`
    bool has_ledger;            // the engine keeps one
    const char *no_energy;      // why not; NULL: it does
    const jd_named_real *drive; // work of each [J]
    const jd_phase_result *phase;
    const jd_interface_result *interface;
    const jd_blows_result *blows;    // NULL: there is no series of blows
    const jd_named_reals *positions; // n_grid: nodes of each body [m], where fields are kept
    jd_run_final final;
    jd_run_lists lists;
    const jd_shown *shown; // NULL: no picture was drawn
} jd_run_result;

// A periodic orbit. The arrays of the view are here.
typedef struct jd_orbit_result {
    jd_orbit_view view;
    int n_contact, n_name;
    const jd_contact_result *contact;
    const char *const *contact_name; // n_name: of events
    int n_multiplier;                // 0: there are none
    const double *multiplier;        // re, im of each, by falling size
    const double *log_multiplier;    // -INFINITY: 0, or cannot be told from it
    int n_history, n_state, n_set;
    const double *history, *state, *set;
    int n_gradient;
    const jd_gradient_key *gradient; // derivatives, by key
    jd_columns samples, energies;    // one period
    const jd_shown *shown;           // NULL: no picture was drawn
    // Of one that random starts lead to.
    int starts;
    double share;
    bool rest, family;
    int mirror_of; // -1: none
} jd_orbit_result;

// The orbits random starts lead to, by falling share.
typedef struct jd_attractors_result {
    int starts, lost, longest; // drive periods looked for; 0: not forced
    long seed;
    int n;
    const jd_orbit_result *orbit; // without samples
} jd_attractors_result;

// Refinement of one number of the model.
typedef struct jd_study_result {
    const char *parameter;
    double within; // first value from which on all are within one percent of the last
    int n;
    const jd_converge_point *point;
} jd_study_result;
// Convergence studies.
typedef struct jd_convergence_result {
    const char *measure;
    int n;
    const jd_study_result *study;
} jd_convergence_result;

// Runs of many variants.
typedef struct jd_batch_result {
    bool complete; // every case was begun and ended
    int n, n_parameter, failed;
    const jd_batch_column *parameter;
    const jd_batch_case *item;
    jd_columns contacts; // <contact>.displacement.min, .max, .velocity..., .force..., .friction,
                         // .impacts of each case; NaN: it did not run
} jd_batch_result;

// A branch of nonsmooth modes with orbits along it.
typedef struct jd_nsm_line {
    jd_nsm_branch branch;
    int n;
    const double *omega, *energy, *speed; // n, omega rising
    const bool *stable;                   // n; NULL: not judged
} jd_nsm_line;
// A family of orbits with several impacts.
typedef struct jd_nsm_family_result {
    jd_nsm_family family;
    int mode, divisor; // of its branch
} jd_nsm_family_result;
// Nonsmooth modes.
typedef struct jd_nsm_result {
    int poles;
    bool certified; // all branches
    int n_line, n_family, n_phantom, n_sustained;
    const jd_nsm_line *line;
    const jd_nsm_family_result *family;
    const jd_nsm_phantom *phantom;
    const jd_nsm_sustained *sustained;
    jd_nsm_search search;
    jd_nsm_graph graph;
} jd_nsm_result;

// One orbit of a nonsmooth mode in full.
typedef struct jd_nsm_orbit_result {
    const char *name;
    double omega, period, energy; // [rad/s], [s], [J]
    int mode, divisor;            // of its branch; 0: it rests on the stop
    double speed;                 // just after the impact [m/s]; NaN
    int stable;                   // 1, 0, -1: not judged
    double flight, contact;       // durations where it rests on the stop [s]; NaN
    int n;
    const double *t;
    const double *motion;     // (n_point + 1) x 2 x n: u, v of the stop's point, then of the others
    const double *force;      // n: of the stop where the orbit rests there; impacts do not count
    const double *multiplier; // n_multiplier pairs of the list; NULL: none
} jd_nsm_orbit_result;
// The linear mode that a branch starts from, up to its grazing: the stop's point moves by the gap,
// the first of the other points by `ratio` times as much; NaN: not of one branch.
typedef struct jd_nsm_linear {
    double gap, omega, ratio; // [m], [rad/s], -
} jd_nsm_linear;
// Orbits of nonsmooth modes in full.
typedef struct jd_nsm_orbits_result {
    const char *what;  // in words
    int mode, divisor; // of the first orbit's branch; 0: it rests
    const char *start; // section that begins a run on the first
    const char *contact;
    int n_point, n, n_multiplier;
    const char *const *point; // names of the other points
    const jd_nsm_orbit_result *orbit;
    jd_nsm_linear linear;
} jd_nsm_orbits_result;

// What kind of result it is and where it comes from.
const jd_result_head *jd_result_look(const jd_result *result);
const char *jd_result_kind_name(jd_result_kind kind); // "run", as in files
// The content; NULL: the result is of another kind.
const jd_run_result *jd_result_run(const jd_result *result);
const jd_orbit_result *jd_result_orbit(const jd_result *result);             // likewise
const jd_attractors_result *jd_result_attractors(const jd_result *result);   // likewise
const jd_follow_view *jd_result_follow(const jd_result *result);             // likewise
const jd_sweep_view *jd_result_sweep(const jd_result *result);               // likewise
const jd_convergence_result *jd_result_convergence(const jd_result *result); // likewise
const jd_batch_result *jd_result_batch(const jd_result *result);             // likewise
const jd_fit_view *jd_result_fit(const jd_result *result);                   // likewise
const jd_backbone_view *jd_result_backbone(const jd_result *result);         // likewise
const jd_kernel_view *jd_result_kernel(const jd_result *result);             // likewise
const jd_modes_result *jd_result_modes(const jd_result *result);             // likewise
const jd_nsm_result *jd_result_nsm(const jd_result *result);                 // likewise
const jd_nsm_orbits_result *jd_result_nsm_orbits(const jd_result *result);   // likewise

// Computes the problem's run as the sections `simulate` and `output` say and keeps all of it: every
// event, sample, energy and field. The result points into the problem: free it first.
jd_status jd_result_of_run(jd_context *context, jd_problem *problem, jd_result **out);
// What a run computes and writes beside its result; all of it may be left out.
typedef struct jd_record_options {
    bool horizon;       // also the growth of a small perturbation (jd_run_horizon); default false
    const char *file;   // HDF5, written as the run goes, with the state at its end, from which the
                        // start `restart` goes on; NULL (default): none
    const char *events; // the events as comma-separated values; NULL (default): none
    const char *wav;    // a signal as sound; NULL (default): none. The run is then sampled at the
                        // rate of the sound, whatever `output` says
    const char *signal; // column of the samples that is heard; NULL (default): the velocity of the
                        // first point
    int rate;           // of the sound [1/s]; 0 (default): 44100
} jd_record_options;
// As jd_result_of_run; options may be NULL.
jd_status jd_result_of_run_with(jd_context *context, jd_problem *problem,
                                const jd_record_options *options, jd_result **out);
// Results of what was computed. They point into it: free them first.
jd_status jd_result_of_orbit(jd_context *context, const jd_problem *problem, const jd_orbit *orbit,
                             jd_result **out);
// Fitted numbers with their data.
jd_status jd_result_of_fit(jd_context *context, const jd_problem *problem, const jd_fitting *fit,
                           jd_result **out);
// Frequency and damping over the amplitude.
jd_status jd_result_of_backbone(jd_context *context, const jd_problem *problem,
                                const jd_backbone *backbone, jd_result **out);
// Puts derivatives into the result of their orbit; it points into them.
jd_status jd_result_add_gradient(jd_result *result, const jd_gradient *gradient);
// The orbits of random starts; as many and of the same seed as they were made with.
jd_status jd_result_of_attractors(jd_context *context, const jd_problem *problem,
                                  const jd_attractors *attractors, int starts, uint64_t seed,
                                  jd_result **out);
// A branch, with those beside it.
jd_status jd_result_of_follow(jd_context *context, const jd_problem *problem,
                              const jd_follow_view *view, jd_result **out);
// A sweep, as far as it is done.
jd_status jd_result_of_sweep(jd_context *context, const jd_problem *problem, const jd_sweep *sweep,
                             jd_result **out);
// n studies with their points.
jd_status jd_result_of_convergence(jd_context *context, const jd_problem *problem, int n,
                                   const jd_converge_def *def, jd_converge_point *const *point,
                                   jd_result **out);
// Runs every case of a batch of the model, on several threads. A case that fails is noted and does
// not stop the others; the context's stop leaves the rest undone. The result stands alone.
jd_status jd_result_of_batch(jd_context *context, const jd_model_def *model,
                             const jd_batch_def *cases, jd_result **out);
// The same in pieces, for journals and for several processes that know the same batch: create it,
// run cases here or take up those that ran elsewhere. Model and cases must outlive it.
typedef struct jd_batch_work jd_batch_work;
// Plans the batch; no case is run yet.
jd_status jd_batch_work_create(jd_context *context, const jd_model_def *model,
                               const jd_batch_def *cases, jd_batch_work **out);
// NULL is allowed.
void jd_batch_work_free(jd_batch_work *work);
// Which cases are run.
typedef struct jd_batch_options {
    int first, n; // `n` cases from number `first` >= 0 on; 0, 0 (default): all of them
    // Called once for each case as it is finished, in any order but never by two threads at once. A
    // failure ends it. NULL (default): none is called.
    jd_status (*finished)(void *user, const jd_batch_work *work, int number);
    void *user; // given to `finished`
} jd_batch_options;
// Runs those that are not done yet; options may be NULL. *complete is false when the context's stop
// hook ended it early.
jd_status jd_batch_work_run(jd_batch_work *work, const jd_batch_options *options, bool *complete);
// Has this case, from 0 on, been run or refused?
bool jd_batch_work_is_done(const jd_batch_work *work, int number);
// A checksum of model, changes, cases and version: equal for equal batches.
unsigned long long jd_batch_work_identity(const jd_batch_work *work);
// A finished case as bytes, and back.
size_t jd_batch_work_packed_size(const jd_batch_work *work);
// Writes these jd_batch_work_packed_size bytes.
void jd_batch_work_pack(const jd_batch_work *work, int number, unsigned char *out);
// Takes case number `number` from bytes that jd_batch_work_pack wrote.
jd_status jd_batch_work_restore(jd_batch_work *work, int number, const unsigned char *bytes);
// Hands over the result, as far as it is done; the work is to be freed then. It stands alone.
jd_status jd_batch_work_result(jd_batch_work *work, jd_result **out);
// Memory kernels.
jd_status jd_result_of_kernel(jd_context *context, const jd_problem *problem,
                              const jd_kernel *kernel, jd_result **out);
// Natural modes of a problem that has been built: at most `count` in each list, 0: all.
jd_status jd_result_of_modes(jd_context *context, const jd_problem *problem, int count, bool shapes,
                             jd_result **out);
// Adds the complex modes of the steadily sliding state (contacts with a belt slide with it) to such
// a result: at most `count`, 0: all.
jd_status jd_result_add_sliding(jd_result *result, const jd_problem *problem, int count);
enum { JD_NSM_POINTS = 400 }; // orbits along a branch at most
// Nonsmooth modes, with `points` orbits along each branch (2 .. JD_NSM_POINTS; 0: none).
jd_status jd_result_of_nsm(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                           int points, jd_result **out);
// Orbits of them in full, with `samples` over the period.
jd_status jd_result_of_nsm_orbits(jd_context *context, const jd_problem *problem, jd_nsm *nsm,
                                  int n_orbit, const jd_nsm_pick *pick, int samples,
                                  jd_result **out);
// NULL is allowed.
void jd_result_free(jd_result *result);

// Writes a result into a file: HDF5, or JSON where its name ends in .json, CSV where it ends in
// .csv (the rows of the kind, docs/guide/results.md), MATLAB (version 5, every array) where it ends
// in .mat, the samples of a run or an orbit as a universal file (dataset 58) where it ends in .uff
// or .unv. The file appears whole or not at all.
jd_status jd_result_write(jd_context *context, const jd_result *result, const char *path);
// Reads a file that jd_result_write or the command wrote as HDF5. JD_BAD_RESULT_FILE,
// JD_CANNOT_READ or JD_WRONG_VERSION.
jd_status jd_result_read(jd_context *context, const char *path, jd_result **out);

// Loads the state that a result file of a run ends with into a run that was just made of a problem
// with the start `restart`; as jd_run_state_load. The file is one that the command or
// jd_result_of_run_with wrote.
jd_status jd_run_resume(jd_context *context, jd_run *run, const char *file);

// Elements of an array.
typedef enum jd_array_type {
    JD_ARRAY_DOUBLE, // double
    JD_ARRAY_INT,    // int; jd_contact_state, too
    JD_ARRAY_LONG,   // long
    JD_ARRAY_BOOL,   // bool
    JD_ARRAY_TEXT    // const char *; NULL: none
} jd_array_type;

// An array of a result where it lies in memory: element (i, j, ...) is at `data` + i stride[0] +
// j stride[1] + ... bytes. It holds as long as the result.
typedef struct jd_array {
    const char *path; // as in the file: "samples/tip.u", "branch/parameter"
    const char *unit; // SI; "" of a plain number; NULL: what is no number, or of a model's own unit
    const char *doc;  // what it is
    jd_array_type type;
    int rank;
    size_t size[4], stride[4];
    const void *data;
} jd_array;

// How many arrays a result has. Not by two threads at once.
int jd_result_arrays(const jd_result *result);
// Array number i.
const jd_array *jd_result_array(const jd_result *result, int i);
// The array of a path; NULL: there is none.
const jd_array *jd_result_find(const jd_result *result, const char *path);

#ifdef __cplusplus
}
#endif

#endif

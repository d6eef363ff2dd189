// run.h -- motion in time: a problem, an engine, events, samples, an energy ledger, a certificate.
//   create (allocates, finds modes) -> advance until a time -> report -> free.
//   Sampling does not change a run: samples are exact values of the closed-form motion.
#ifndef JUDDER_RUN_H
#define JUDDER_RUN_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// A motion in time, computed by one engine.
typedef struct jd_run jd_run;

// One change of the state of one contact; an impact is from open to open.
typedef struct jd_event {
    double t;                  // [s]
    int contact;               // index in the problem
    jd_contact_state from, to; // read from a file, a closed stop is closed above
    double speed;              // impacts: approach speed [m/s]; else 0
    double impulse;            // impacts: impulse on the structure [N s]; else 0
    int cell;                  // of a contact along a span, from 0; 0 at a point
} jd_event;

// Where an advance ended.
typedef enum jd_step {
    JD_STEP_EVENT,  // at an event; more may follow at the same time
    JD_STEP_TIME,   // reached the time asked for
    JD_STEP_STOPPED // ended for the reason in the report
} jd_step;

// Why a run ended: X(symbol, name, text). Only the first two are not numerical reasons.
#define JD_STOP_LIST(X)                                                                            \
    X(JD_STOP_NONE, "running", "not ended")                                                        \
    X(JD_STOP_END, "end", "the end time was reached")                                              \
    X(JD_STOP_INTERRUPTED, "interrupted", "stopped by Ctrl-C, or by the calling program")          \
    X(JD_STOP_EVENT_BUDGET, "event-budget", "the number of events allowed was reached")            \
    X(JD_STOP_UNBOUNDED, "unbounded", "the motion grows without bound")                            \
    X(JD_STOP_STORM, "event-storm", "too many events occur at one instant")                        \
    X(JD_STOP_STALLED, "stalled", "the tolerance cannot be reached: steps became too short")       \
    X(JD_STOP_NOT_UNIQUE, "not-unique", "the model allows more than one motion from here")         \
    X(JD_STOP_SINGULAR, "singular", "the model's equations cannot be solved for the motion here")  \
    X(JD_STOP_NOT_FINITE, "not-finite", "a formula of the model gives no finite number here")      \
    X(JD_STOP_NO_CONVERGENCE, "no-convergence", "the equations of the next step were not solved")  \
    X(JD_STOP_BEYOND_ENGINE, "beyond-engine", "the motion has left the range of this engine")      \
    X(JD_STOP_PAINLEVE, "painleve", "a rigid contact slides with no force, or with several")

// The reasons of that list.
typedef enum jd_stop { JD_STOP_LIST(JD_SYMBOL) JD_STOP_COUNT } jd_stop;

// Name of a reason, as in result files: "event-budget".
const char *jd_stop_name(jd_stop stop);
// The reason in a sentence without a full stop.
const char *jd_stop_text(jd_stop stop);

// Energy since the start [J]: stored = start + drives + belts - damping - contacts - impacts +
// residual.
typedef struct jd_ledger {
    double start, kinetic, strain; // stored energy at the start, and now
    double damping;                // lost in the structure's damping
    const double *drive;           // work of each drive
    const double *contact;         // lost in friction at each contact
    const double *impact;          // lost in impacts at each contact
    const double *belt;            // work of each contact's moving counterpart
    const double *wear;            // of `contact`, what sliding took: int |T ds|; NULL: not told
    double work;                   // sum of the magnitudes of all terms: the scale of the residual
    double residual; // balance error, relative to `work` (where only rounding moves the structure:
                     // relative to 1e-20 of the energy the loads would store)
} jd_ledger;

// What is proved about the events of a run.
typedef struct jd_certificate {
    bool certified;     // proved: no event was missed
    long undecided;     // zeros that rounding does not allow to decide
    double margin;      // smallest relative distance by which an event did not occur
    const char *method; // name of the bound
    double tolerance;   // of a numerical method without proof; 0: not such a method
    double error;       // estimated error of the motion so far, relative to its largest
                        // values; INFINITY: as large as the motion; 0: none is given. Engine exact:
    // where parts of the motion that nearly cancel cost more than 1e-10; then not
    // certified
    long events, evaluations; // evaluations: guards with all derivatives at one time
    long split_not_unique;    // phases whose contact forces are not unique (one solution is taken)
    double chatter_error;     // largest time error committed by completing chatter [s]
    double chatter_speed;     // largest speed left out by completing chatter where contacts beside
                          // it are at rest or slide as slowly [m/s]; 0: none, else not certified
    double chatter_motion; // bound of what completing chatter left out of the motion behind it: of
                           // places and velocities together, as sqrt(2 energy) over that of the
                           // motion when it was completed, summed up; INFINITY: there is none
    double proved_until;   // [s] up to here every event is proved: the end of a certified run, else
                           // the last event before what takes the certificate away
} jd_certificate;

// Prediction horizon: how a small perturbation of the start grows along the run, by its size
// sqrt(2 energy).
typedef struct jd_horizon {
    bool known;          // asked for with jd_run_horizon
    double log_growth;   // natural logarithm of its growth up to the last event
    double largest;      // largest log_growth since the start
    double rate;         // log_growth per time [1/s]: > 0 in the long run means chaos
    double digits_until; // [s] time after which fewer than six digits can be right; INFINITY: none
} jd_horizon;

// Engines on grids.
typedef struct jd_grid_report {
    bool known;
    int nodes;        // of the first body
    double time_step; // [s]
    long steps;
    const char *friction_rule;
    double energy_fed; // energy that the friction rule added to the motion [J]; 0 with the centred
                       // rule
    bool estimated;    // `error_estimate` was asked for
    int coarse_nodes;
    double error; // of displacements at the samples, at least if it is of order 1/2 in the step [m]
} jd_grid_report;

// Present state of a run: time, energies, certificate.
typedef struct jd_report {
    const char *engine;
    double t;
    jd_stop stop;
    jd_ledger ledger;
    jd_certificate certificate;
    jd_horizon horizon;
    jd_grid_report grid;
    const char *note;      // details of the reason to stop, NULL: none
    const char *no_energy; // why the ledger has no numbers (its lists are NULL); NULL: it has
    const char *critical; // engine closure with a wave term: kind of its critical manifold where it
                          // is now (node focus saddle); NULL: none
} jd_report;

// Names of engines and whether they can do a problem; `why` gets the reason when they cannot.
typedef struct jd_engine_info {
    const char *name, *doc;
    const jd_param *params; // its own keys of the section `simulate`, ends with key == NULL; NULL:
                            // it has none
} jd_engine_info;
// How many engines there are.
int jd_engine_count(void);
// Engine number i.
const jd_engine_info *jd_engine(int i);
// The engine `simulate.engine` stands for ("auto" resolved), after jd_problem_build. *why: the
// reason when there is none; else why `auto` did not take its first choice, NULL when it did.
jd_status jd_engine_choose(const jd_problem *problem, const jd_engine_info **out, const char **why);

// A run of the problem by the engine its `simulate` section names; builds the problem if needed.
jd_status jd_run_create(jd_context *context, jd_problem *problem, jd_run **out);
// NULL is allowed.
void jd_run_free(jd_run *run);

// Probes: points to be observed; register them before the first advance. *index counts from 0.
jd_status jd_run_probe(jd_run *run, const char *point, int *index);

// Also computes the growth of a small perturbation, for the prediction horizon; before the first
// advance. Doubles the cost of the run.
jd_status jd_run_horizon(jd_run *run);

// Extremes of a contact since jd_run_track, and the present value. Impulses are no forces here.
typedef struct jd_range {
    double min, max, final;
} jd_range;
// Extremes of one contact.
typedef struct jd_contact_ranges {
    jd_range displacement, velocity, force; // relative, as jd_run_observe_contacts gives them
    bool certified; // proved: no value lies outside by more than 1e-12 of the largest
} jd_contact_ranges;
// Also keep the extremes from now on; before the first advance. Costs a few times the run.
jd_status jd_run_track(jd_run *run);
bool jd_run_can_track(const jd_run *run); // engines that keep no extremes say false
jd_status jd_run_ranges(jd_run *run, jd_contact_ranges *out); // one per contact

// Goes on until the next event, or t_stop, whichever is first.
jd_status jd_run_advance(jd_run *run, double t_stop, jd_step *step);
// The event advance just stopped at.
const jd_event *jd_run_event(const jd_run *run);
// The phase: one letter per contact (jd_event), ended by 0; `~` for a contact along a span, whose
// cells are a field, and for one of several sliders (iwan).
const char *jd_run_phase(const jd_run *run);
// At a time within the present phase (since the last event, up to the time advance reached):
// displacement and velocity of every probe; relative displacement, velocity and force of every
// contact.
void jd_run_observe(jd_run *run, double t, double *u, double *v);
// Relative displacement and velocity and force of every contact, likewise.
void jd_run_observe_contacts(jd_run *run, double t, double *u, double *v, double *force);

// Penetration [m] and force >= 0 [N] of every contact's normal part, likewise: p is negative where
// it is open, NaN where it has none; N is that of another contact where its friction takes it from
// there, NaN where limits are given. False: the engine has no normal parts.
bool jd_run_observe_normals(jd_run *run, double t, double *p, double *N);

// A contact along a span, cell by cell, at the time advance reached. The arrays belong to the run
// and hold until the next advance.
typedef struct jd_interface_field {
    int n;                                 // cells
    const double *position, *length;       // on the structure [m]
    const double *displacement, *velocity; // structure minus counterpart [m], [m/s]
    const double *force;                   // of the cell, on the structure [N]
    const double *state;                   // 0 stuck, 1 and -1 sliding: the sign of the velocity; 2
                                           // open
    const double *loss;                    // energy lost in the cell so far [J]
    const double *impulse;                 // time integral of the force so far [N s]; may be NULL
    long slip, stick, reversal;            // changes of all cells so far
} jd_interface_field;
// A body's displacement at its nodes at the time advance reached.
typedef struct jd_body_field {
    int n;
    const double *position, *displacement, *velocity; // [m], [m], [m/s]
    const double *mass;                               // of each node [kg]
} jd_body_field;
// False where the engine has no such field: contacts at points, bodies in modes.
bool jd_run_interface(jd_run *run, int contact, jd_interface_field *out);
// Displacement and velocity of a body at its nodes, likewise.
bool jd_run_body(jd_run *run, int body, jd_body_field *out);

// The state as one flat block of bytes without pointers, to go on from later, bit for bit. A run of
// a problem with `start: restart` waits for jd_run_state_load, before its first advance; until then
// it cannot advance. JD_BAD_RESULT_FILE when the block is damaged or of another problem; limits,
// loads and structure must be the same, end time and samples need not be.
size_t jd_run_state_size(const jd_run *run); // 0: the engine's states cannot be saved
// Writes the state into a block of jd_run_state_size bytes.
jd_status jd_run_state_save(jd_run *run, void *block, size_t size);
// Goes on from a block that jd_run_state_save wrote.
jd_status jd_run_state_load(jd_run *run, const void *block, size_t size);
// The present state to be read: displacements of the mass-normalised modes of all bodies, in the
// order of `judder modes`, then their velocities.
int jd_run_modal_size(const jd_run *run); // twice the number of modes; 0: the engine has none
// Writes these jd_run_modal_size numbers.
void jd_run_modal_state(jd_run *run, double *out);

// Where the run stands: time, energies, certificate. Its pointers hold until the next advance.
void jd_run_report(jd_run *run, jd_report *report);

#ifdef __cplusplus
}
#endif

#endif

// run.h -- runs a problem and keeps what comes out: events and samples stream into sinks as they
//   happen, the rest is one document.
//   A sample at a time t shows the state that arrives at t: an event at the same time comes after.
#ifndef JD_RESULT_RUN_H
#define JD_RESULT_RUN_H

#include "base/arena.h"
#include "judder/result.h"
#include "result/file/document.h"

// What the streams are about: known before the first row.
typedef struct jd_stream_head {
    const jd_problem *problem;
    int n_column;              // t, then u and v of every point, then the force of every contact
    const char *const *column; // "t", "tip.u", "tip.v", ..., "tip.force"
} jd_stream_head;

// Where rows go. A sink that fails ends the run; its status is passed on.
typedef struct jd_sink {
    void *user;
    jd_status (*sample)(void *user, const double *row); // n_column values
    jd_status (*event)(void *user, const jd_event *event);
    jd_status (*field)(void *user, double t); // bodies and contacts of the run as they are at t
} jd_sink;

enum { JD_PHASE_WORDS = 64 }; // discrete states told apart; the rest are counted together

typedef struct jd_phase_share {
    char *word;  // letters of all contacts; NULL: the others
    long visits; // phases that began in it
    double time; // [s] spent in it
} jd_phase_share;

// One run, from jd_recording_create to jd_recording_free; the fields are its results so far.
typedef struct jd_recording {
    jd_context *context;
    jd_arena *arena;
    jd_problem *problem;
    jd_run *run;
    double start, until, every; // [s]; every 0: no samples
    jd_stream_head head;
    int n_sink;
    jd_sink sink[8];
    long n_sample;
    jd_event_counts *count; // of every contact, then of all
    int n_share;
    jd_phase_share *share;
    double t_phase;         // since when the present discrete state holds
    char *word;             // scratch: letters before an event
    double *row;            // scratch: one sample
    int n_point;            // probes
    double *u, *v;          // scratch: probes
    double *contact;        // scratch: displacements, velocities, forces of all contacts
    int shown;              // progress already reported [1/200]
    double field_every;     // [s]; 0: no fields
    double next_field;      // number of the next one
    struct jd_blows *blows; // NULL: no series of blows
    double *place;          // of each probe: number of its body (-1: none), position there [m]
    double *final;          // displacements of the probes at the end
    struct jd_kept *kept;   // what a result in memory keeps; NULL: nothing
} jd_recording;

// Displacements at the start of every blow, and at the end: the set of each.
typedef struct jd_blows {
    const char *name;    // of the drive, or of the contact by which a hammer strikes
    double first, every; // [s]
    int n, most;         // seen so far, of those there will be
    double *u;           // most + 1 rows of one value per probe [m]
    double *number;      // most rows of JD_BLOW_NUMBERS; NULL: the engine has none
} jd_blows;
enum { JD_BLOW_NUMBERS = 7 }; // energy delivered, forces, friction: blows.c
jd_status jd_blows_create(jd_recording *follow);
double jd_blows_next(const jd_recording *follow); // time of the next one; infinity: none
void jd_blows_take(jd_recording *follow, const double *u);
// Times, sets and depths so far, in the arena.
jd_status jd_blows_result_of(const jd_recording *follow, jd_arena *arena,
                             const jd_blows_result **out);

// Reads `simulate` and `output`, makes the run and its probes. Sinks are added before the run.
jd_status jd_recording_create(jd_context *context, jd_problem *problem, jd_recording **out);
void jd_recording_add(jd_recording *follow, jd_sink sink);
// Until the end or until the engine stops by itself.
jd_status jd_recording_run(jd_recording *follow);
void jd_recording_free(jd_recording *follow);

// What became of the energy until now: stored, lost and supplied; stored = kinetic + strain.
enum {
    JD_ENERGY_KINETIC,
    JD_ENERGY_STRAIN,
    JD_ENERGY_DAMPING,
    JD_ENERGY_FRICTION,
    JD_ENERGY_IMPACTS,
    JD_ENERGY_SUPPLIED, // at the start, by drives and by moving counterparts
    JD_ENERGY_COUNT
};
typedef struct jd_energies {
    bool known;                    // the engine keeps a ledger, and of all of it
    double value[JD_ENERGY_COUNT]; // [J]
    bool horizon;                  // log_growth is known
    double log_growth;             // of a change of the start, natural logarithm
} jd_energies;
const char *jd_energy_name(int i);
void jd_run_energies(jd_run *run, const jd_problem *problem, jd_energies *out);

// Columns of the tables beside the samples, and their rows. None where nothing is known.
jd_status jd_energies_head(jd_recording *follow, jd_columns *head);
void jd_energies_row(jd_recording *follow, double t, double *row);
// t, then u of every body, velocity, state and force of every contact along a span. The cells of a
// row belong to the run and hold until it advances; cell 0 is `t`.
jd_status jd_field_head(jd_recording *follow, jd_columns *head);
void jd_field_row(jd_recording *follow, const double *t, const double **cell);

// What a result keeps of the way.
typedef struct jd_keep {
    bool lists;                     // events and samples at all
    bool tables;                    // energies and fields, too
    long most_events, most_numbers; // of events, and of the samples; 0: all
} jd_keep;
// The result of a run: begun before it, ended after it. It points into the problem only.
jd_status jd_recording_begin(jd_recording *follow, jd_keep keep, jd_result **out);
jd_status jd_recording_end(jd_recording *follow, jd_result *result);

// The stretch of motion pictures show, by running again. What is wanted beside the motion of points
// and contacts:
enum {
    JD_WANT_ENERGY = 1,
    JD_WANT_HORIZON = 2,
    JD_WANT_SLIP = 4,
    JD_WANT_LONG = 8,
    JD_WANT_ALL = 16,
    JD_WANT_KNOWN = 32 // with JD_WANT_ENERGY: where the engine tells none, none is no failure
};
typedef struct jd_history_def {
    double from, to; // [s]; NaN: chosen. Of an orbit it is always one period
    unsigned wants;
    int samples; // evenly spaced; 0: as pictures need
    // Called at every sample, in their order, with the run at its time; NULL: nobody
    void (*visit)(void *user, jd_run *run, const jd_history *history, int sample);
    void *user;
    // The same problem with the first of infinitely many modes, which the run follows where it can
    // (jd_run_follow); NULL: none. Outlives the call
    const jd_problem *finite;
} jd_history_def;
// Between `from` and `to` (NaN: chosen).
jd_status jd_history_of_run(jd_arena *arena, jd_problem *problem, double from, double to,
                            unsigned wants, jd_history *out);
// The same, and where the run stands at the end of the stretch; without the lists of its ledger.
jd_status jd_history_report_run(jd_arena *arena, jd_problem *problem, const jd_history_def *def,
                                jd_history *out, jd_report *report);
// One period of an orbit.
jd_status jd_history_of_orbit(jd_arena *arena, jd_problem *problem, const jd_orbit *orbit,
                              const jd_history_def *def, jd_history *out);
// Does a contact act along a span?
bool jd_has_span(const jd_problem *problem);
// The cell next to a place on the contact's body.
int jd_slip_cell(int n, const double *position, double at);
// Puts what a picture shows into a result, so that the picture is drawn of it, now and from its
// file. `picture` is the number of its kind, `field`: it shows motion along a body.
jd_status jd_result_show_run(jd_result *result, jd_problem *problem, jd_shown shown, bool field,
                             unsigned wants);
jd_status jd_result_show_orbit(jd_result *result, jd_problem *problem, const jd_orbit *orbit,
                               int picture, unsigned wants);

// Files to be written; NULL: not asked for.
typedef struct jd_run_targets {
    const char *hdf5;
    const char *csv;                  // samples
    const char *events;               // events as CSV
    FILE *csv_stream, *events_stream; // the same into open streams, instead of files
} jd_run_targets;
typedef struct jd_run_files jd_run_files; // memory of the follow
jd_status jd_run_files_open(jd_recording *follow, const jd_run_targets *targets,
                            jd_run_files **out);
// The result and the state at the end go into the HDF5 file; then all files get their names.
jd_status jd_run_files_commit(jd_run_files *files, const jd_result *result);
void jd_run_files_abandon(jd_run_files *files); // NULL and twice are fine

// Loads the state a result file ends with.
#define JD_STATE_NAME "state"
jd_status jd_run_restart(jd_run *run, jd_arena *arena, const char *path);

#endif

// engine.h -- what an engine is to the rest of the library: one class, one line in engine.c.
#ifndef JD_ENGINE_ENGINE_H
#define JD_ENGINE_ENGINE_H

#include "base/arena.h"
#include "contact/state.h"
#include "judder/run.h"
#include "problem/sections/simulate.h"
#include "problem/system.h"

// When a force had its least and its greatest value: t [s]; edge: 1 a phase begins there, -1 one
// ends there, 0 neither.
typedef struct jd_force_extreme {
    double t[2];
    int edge[2];
} jd_force_extreme;

// An engine as a map of states, for orbits; all NULL where it is not offered.
typedef struct jd_engine_map {
    int (*coordinates)(const jd_run *run);          // numbers in a state; 0: not for this problem
    void (*scales)(const jd_run *run, double *out); // factors that make sizes comparable
    jd_status (*restart)(jd_run *run, double t, const double *state, const jd_phase *phase);
    void (*state)(jd_run *run, double *out);   // at the present time
    void (*rate)(jd_run *run, double *out);    // its time derivative
    jd_status (*tangent_start)(jd_run *run);   // derivative with respect to the present state
    void (*tangent)(jd_run *run, double *out); // row-major; ends it
    // Numbers of laws and drives have changed (JD_REBUILD_LAWS or less): read them again. The run
    // needs a restart after it.
    jd_status (*replan)(jd_run *run);
    // Margins from here on: how close each contact came to an event it did not have. Taken after
    // each event: one per contact since the last call (HUGE_VAL: it never turned back), then that
    // of the event itself. partial: up to the present time.
    jd_status (*margin_start)(jd_run *run);
    jd_status (*margins)(jd_run *run, bool partial, double *out);
    // From the present time on the motion passes through these stops (bit j: contact j) as if they
    // were not there.
    jd_status (*unwatch)(jd_run *run, unsigned long long stops);
    // The (q, q') of all modes in a state that may hold more (forces of springs in contacts), or
    // none of them: returns how many numbers. out NULL: these are only counted. NULL: a state is
    // nothing else
    int (*modes)(const jd_run *run, double *out);
    // Steps to this share of the tolerance the model asks for, from the next restart on; states
    // stay what they are. Returns what the motion misses besides: the error of the memory's fit, of
    // the largest transfer. NULL: steps have no tolerance, or cannot be made finer.
    double (*refine)(jd_run *run, double share);
    // States that are no numbers: one period of a motion is taken down, between two events; then
    // small changes of it (n numbers each) are taken over that period. `why`: what stands in the
    // way. Engines without coordinates; all NULL where it is not offered.
    jd_status (*replay_begin)(jd_run *run);
    jd_status (*replay_end)(jd_run *run, int *n, const char **why);
    jd_status (*replay_excite)(jd_run *run, unsigned seed, double *out); // any of them
    jd_status (*replay_apply)(jd_run *run, const double *x, double *y);
    double (*replay_forces)(jd_run *run, const double *x);  // size of its forces
    double (*replay_size)(jd_run *run, const double *head); // of what a head does to the motion
    // Newton's method on them (engine/memory/observers/replay_newton.c): why there is none (NULL:
    // there is); numbers of a head; what the period misses; its rate, and itself; by a parameter;
    // the motion corrected, which then stands where the period began.
    const char *(*replay_uncorrected)(jd_run *run);
    int (*replay_head)(jd_run *run);
    jd_status (*replay_carry)(jd_run *run, double *out, double *sum);
    jd_status (*replay_rate)(jd_run *run, double *out);
    void (*replay_motion)(jd_run *run, double *out);
    jd_status (*replay_other)(jd_run *run);
    jd_status (*replay_lean)(jd_run *run, double by, double *out);
    jd_status (*replay_hold)(jd_run *run, int slot); // a state put aside (0 .. 2), copied, taken up
    jd_status (*replay_keep)(jd_run *run, int to, int from);
    jd_status (*replay_return)(jd_run *run, int slot);
    jd_status (*replay_correct)(jd_run *run, const double *head, const double *rate, double longer);
} jd_engine_map;

enum { JD_STENCIL = 9, JD_STENCIL_COLUMNS = 2 };

// The problem with one of its numbers at other values theta + node h, as runs of the same engine:
//   dx/dtheta = sum_k weight[0][k] x_k + O(h^8),  weight[1] one order or two lower, for its error.
typedef struct jd_stencil {
    int n;
    jd_run *run[JD_STENCIL];
    const double *sign[JD_STENCIL]; // +-1 per mode: eigenvectors may come out turned round
    double weight[JD_STENCIL_COLUMNS][JD_STENCIL];
} jd_stencil;

// Derivative of the motion by a number of the model, through events (saltation). NULL: not offered.
typedef struct jd_engine_parameter {
    // From the present state on, whose own derivative is `start` (coordinates). The stencil must
    // outlive it; a restart ends it.
    jd_status (*begin)(jd_run *run, const jd_stencil *stencil, const double *start);
    // At the present time: JD_STENCIL_COLUMNS x coordinates.
    jd_status (*look)(jd_run *run, double *out);
    // Why it is not the derivative; NULL: it is.
    const char *(*broken)(const jd_run *run);
} jd_engine_parameter;

// One of the sliders of a contact.
typedef struct jd_held_slider {
    int at;           // where the state has its force T = -force; -1: it is rigid; -2: not offered
    double stiffness; // [N/m]
    int slides;       // now: 1, -1, or 0
    int cell;         // as events count it: cells of a span, or sliders in parallel
} jd_held_slider;

// How far a slider with the force f stayed from sliding while it was stuck [N].
typedef struct jd_held_room {
    double room[2]; // min (f + limit) >= 0, max (f - limit) <= 0
    double t[2];    // when [s]
    double size;    // about the largest limit
} jd_held_room;

// What `follow` asks of contacts that are stuck all along; NULL where it is not offered.
typedef struct jd_engine_held {
    // Of the i-th slider of a contact since jd_run_track, and the derivative of room[k] by the
    // state where the tangent started, which has come to the present time; false: it is not stuck
    // now. NULL: `force` instead, and limits that stay as they are.
    void (*room)(const jd_run *run, int contact, int i, jd_held_room *out);
    bool (*room_slope)(jd_run *run, int contact, int i, int k, double *row);
    // Force of a contact that is stuck: when it was least and greatest since jd_run_track, and
    // its derivative by the present state. Either may be NULL; false: it is not stuck now.
    bool (*force)(jd_run *run, int contact, jd_force_extreme *when, double *gradient);
    // Derivative of the time of the last event by the state where the tangent started. NULL: forces
    // of stuck contacts are smooth.
    void (*event_shift)(jd_run *run, double *out);
    // The i-th slider of a contact, false: there are fewer. NULL: all are rigid, one each.
    bool (*slider)(const jd_run *run, int contact, int i, jd_held_slider *out);
    // How many of several sliders of a contact are stuck now and not in the list of n events. NULL:
    // contacts have one each.
    int (*sliders)(const jd_run *run, int contact, int n, const jd_event *event);
} jd_engine_held;

static inline bool jd_engine_holds(const jd_engine_held *held) { return held->room || held->force; }

// Modes of a problem that keeps finitely many, followed by the forces of a run that keeps
// infinitely many: the motion between contact points.
typedef struct jd_engine_follow {
    jd_status (*begin)(jd_run *run, const jd_problem *finite, const double *from);
    int (*modes)(jd_run *run, double *out); // as jd_run_modes; 0: not begun
    jd_status (*round)(jd_run *run, double period, double *out);
} jd_engine_follow;

typedef struct jd_engine_class {
    jd_engine_info info; // first: the public face
    unsigned only_for;   // `auto` takes it for bodies with this capability only; 0: for all
    // NULL when the engine can compute the problem, else the reason in words.
    const char *(*refuses)(const jd_problem *problem);
    // Why `auto` should rather take the next engine that can, in words; NULL: it should not.
    const char *(*yields)(const jd_problem *problem);
    jd_status (*create)(jd_run *run);
    void (*free)(jd_run *run);
    jd_status (*probe)(jd_run *run, const jd_dd *row, int *index);
    // Engines on grids take probes by place instead of by modal row.
    jd_status (*probe_at)(jd_run *run, int body, double position, int *index);
    bool (*interface)(jd_run *run, int contact, jd_interface_field *out); // NULL: no fields
    const jd_engine_follow *endless; // may keep infinitely many modes; NULL: not
    bool apart; // computes with each body's own modes: not where connections give common ones
    bool (*body)(jd_run *run, int body, jd_body_field *out);
    // Instead of rows over modes: point `point` of body `body`. NULL: rows.
    jd_status (*probe_point)(jd_run *run, int body, int point, int *index);
    jd_status (*horizon)(jd_run *run); // NULL: not offered
    jd_engine_map map;
    jd_engine_held held;
    jd_engine_parameter parameter;
    jd_status (*track)(jd_run *run);         // NULL: not offered
    const struct jd_engine_driving *driving; // engine/driving.h; NULL: not offered
    jd_status (*ranges)(jd_run *run, jd_contact_ranges *out);
    size_t (*state_size)(const jd_run *run); // bytes of the engine's state; NULL: cannot be saved
    bool state_varies;                       // its size depends on what happened so far
    jd_status (*save)(jd_run *run, char *to);
    // The seal of the bytes is right, which says nothing about their values: each is checked.
    jd_status (*load)(jd_run *run, const char *from, size_t size);
    jd_status (*shift)(jd_run *run, double by); // moves a loaded state in time; NULL: cannot
    jd_status (*advance)(jd_run *run, double t_stop, jd_step *step);
    void (*observe)(jd_run *run, double t, double *u, double *v);
    void (*observe_contacts)(jd_run *run, double t, double *u, double *v, double *force);
    void (*observe_normals)(jd_run *run, double t, double *p, double *N); // NULL: not offered
    void (*report)(jd_run *run, jd_report *report);
} jd_engine_class;

enum { JD_RUN_NOTE = 600 };

struct jd_run {
    const jd_engine_class *class;
    jd_context *context;
    jd_problem *problem; // the caller's; must outlive the run
    jd_arena *arena;
    void *state; // the engine's own
    double t;
    jd_stop stop;
    jd_event event;            // the last one
    jd_contact_state *contact; // JD_CONTACT_STATE_COUNT: not known yet
    char *phase;               // room for their letters
    bool no_ledger;            // shooting asks for none
    bool repeats;              // a motion that repeats itself does so to rounding, for analyses
    int ranges;                // wanted: 0 all, 1 displacements only, 2 velocities and forces only
    bool waiting;              // for the state it goes on from (start: restart)
    double begun;              // when it began, or was loaded
    bool lends;                // another run is made like it
    const jd_run *lender;      // lives at least as long; NULL: none
    char why[JD_RUN_NOTE];     // words of the error that ended it; empty: none
};

// jd_run_create for one of many runs: what is the same as in the one before (NULL: none), which may
// be of other numbers, is not computed again. The bits are those of jd_run_create.
jd_status jd_run_create_like(jd_context *context, jd_problem *problem, const jd_run *before,
                             jd_run **out);

// An analysis, not the user, asks for the motion: no ledger, and nothing that is only as good as
// the tolerance and differs from one period to the next.
static inline void jd_run_for_analysis(jd_run *run) { run->no_ledger = run->repeats = true; }

// An engine tells of its contacts by their states. Events without an impact happen at t in a cell
// (0 at a point).
void jd_run_set_state(jd_run *run, int contact, jd_contact_state state);
// Displacements, then velocities of all modes at the present time: how many numbers; 0: the engine
// has none. More engines know them than have states of them alone (jd_run_modal_size).
int jd_run_modes(jd_run *run, double *out); // out NULL: these are only counted
// From here on the modes of `finite`, the same problem with finitely many (jd_problem_finite), are
// followed: jd_run_modes gives them. `from`: coordinates and velocities they have now; NULL: those
// of the start. Saved states hold them, too. JD_NOT_SUPPORTED where it is not offered.
jd_status jd_run_follow(jd_run *run, const jd_problem *finite, const double *from);
// Followed from rest (from: zeros) through one period of an orbit: what they have at its beginning.
jd_status jd_run_follow_round(jd_run *run, double period, double *out);
jd_phase jd_run_contacts(const jd_run *run); // of engines that are maps: at most JD_PHASE_CONTACTS
void jd_run_set_event(jd_run *run, double t, int contact, int cell, jd_contact_state from,
                      jd_contact_state to);

// How `advance` of an engine returns: with the next event of its queue, which happened at t (false:
// the queue is empty), stopped at t for the reason in the run, or at the time asked for.
bool jd_run_next_event(jd_run *run, double t, const jd_event *queue, int *n, int *next,
                       jd_step *step);
jd_status jd_run_stopped(jd_run *run, double t, jd_step *step);
jd_status jd_run_reached(jd_run *run, double t_stop, jd_step *step);
// An error (status) met by `advance` after t was reached: handed back. jd_run_advance makes a stop
// of it where it is a numerical outcome and some of the motion was computed.
jd_status jd_run_failed(jd_run *run, double t, jd_status status);
// What a saved state may hold, and the words for one that does not. Times of an engine lie between
// 0 and the run's; counts leave room to count on.
bool jd_state_finite(size_t n, const double *x);
bool jd_state_count(long long n);
jd_status jd_state_refuse(jd_run *run, const char *what);
// Refuses a start at u, more than `slack` beyond the stop of contact j at gap (both: or -gap).
jd_status jd_run_inside_stop(jd_run *run, int j, double u, double gap, bool both, double slack);

extern const jd_engine_class jd_engine_exact, jd_engine_memory, jd_engine_convolution,
    jd_engine_wave, jd_engine_series, jd_engine_taylor, jd_engine_mode_matching, jd_engine_closure;

#endif

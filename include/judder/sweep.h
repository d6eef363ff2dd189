// sweep.h -- settled motion on a grid of one or two parameters: maps, bifurcation diagrams.
//   The motion at each point is simulated from drive period to drive period until it has settled:
//   its state repeats after n = 1..64 periods. As soon as the motion approaches a stable orbit
//   found by shooting as the orbit's derivative predicts, that orbit is taken, so slow decay costs
//   little. A motion that does not settle is marked and sampled. Points are distributed over
//   threads; the results do not depend on their number, to the last bit.
#ifndef JUDDER_SWEEP_H
#define JUDDER_SWEEP_H

#include "judder/run.h"

#ifdef __cplusplus
extern "C" {
#endif

// A sweep: its grid, and the points computed so far.
typedef struct jd_sweep jd_sweep;

// How the wait for a settled motion ended: X(symbol, name, settled, text).
#define JD_SETTLE_LIST(X)                                                                          \
    X(JD_SETTLE_SHOOTING, "shooting", true, "a stable orbit that the motion approaches")           \
    X(JD_SETTLE_RECURRENCE, "recurrence", true, "the state repeats; no orbit was found nearby")    \
    X(JD_SETTLE_LIMIT, "limit", false, "still changing at the end of the time allowed")            \
    X(JD_SETTLE_STOPPED, "stopped", false, "the motion ended for a numerical reason")

// The ways of that list.
typedef enum jd_settle { JD_SETTLE_LIST(JD_SYMBOL) JD_SETTLE_COUNT } jd_settle;

// Name, as in result files: "recurrence".
const char *jd_settle_name(jd_settle settle);
// What it means, in a few words.
const char *jd_settle_text(jd_settle settle);

// What a motion is, as far as was shown: X(symbol, name, text).
#define JD_MOTION_LIST(X)                                                                          \
    X(JD_MOTION_UNSETTLED, "unsettled", "still changing, and nothing more was shown")              \
    X(JD_MOTION_PERIODIC, "periodic", "it settled on an orbit, or repeats")                        \
    X(JD_MOTION_QUASI_PERIODIC, "quasi-periodic",                                                  \
      "largest exponent 0 within its error, winding number known to 1e-4")                         \
    X(JD_MOTION_CHAOTIC, "chaotic", "the largest exponent exceeds its error")                      \
    X(JD_MOTION_CHATTERING, "chattering",                                                          \
      "complete chatter forgets where it came from: no exponent, and no return that is certain")

// The kinds of that list.
typedef enum jd_motion { JD_MOTION_LIST(JD_SYMBOL) JD_MOTION_COUNT } jd_motion;

// Name, as in result files: "quasi-periodic".
const char *jd_motion_name(jd_motion motion);
// What was shown, in a few words.
const char *jd_motion_text(jd_motion motion);

enum { JD_SWEEP_TEXT = 128 }; // characters kept of a phase sequence, with the 0 at its end

// The settled motion at one point of the grid.
typedef struct jd_sweep_point {
    bool done;       // computed, or restored
    double value[2]; // of the parameters; with a sample the first is the number of the draw, from 1
    int direction;   // +1 carried up, -1 carried down, 0 from the model's start
    int start;       // 0 the model's own, 1... random ones
    bool settled;
    jd_settle how;
    jd_motion motion;
    // Where it did not settle under a drive, over 600 further periods; NaN: not computed.
    double exponent;       // largest exponent [1/drive period]
    double exponent_error; // of it, an estimate
    double winding;        // turns about the mean of the samples in a drive period, -1/2 to 1/2
    double winding_error;  // of it, an estimate
    jd_stop stop;          // JD_SETTLE_STOPPED: why
    int periods;           // period of the motion in drive periods; 0: not settled
    double period;         // [s]; NaN: not settled
    double amplitude;      // the measure, over one period; not settled: over the samples
    double min, max;       // extremes of the measured quantity
    double multiplier;     // largest |Floquet multiplier|; NaN: not known. The multipliers 1 of
                           // contacts that are stuck all the time are not counted
    long events;           // in one period; not settled: over the samples
    long slips;            // times the measured contact begins to slide, in the same time
    int class_number;      // of the model's `classes`; -1: of none
    int attractor;         // number of the motion it settles to, from 1; 0: not told
    long undecided;        // events that rounding does not allow to decide
    double residual;       // relative change of the state over the period
    double waited;         // drive periods simulated until it was settled
    char phases[JD_SWEEP_TEXT]; // phase sequence of the period; ends with ... when cut
    const double *sample;       // displacement, velocity of the measured contact at drive phase 0
    const double *state;        // what the next point starts from; NULL: not carried
    const double *beside;       // values of the model's curves there, n_curve; NULL: not computed
} jd_sweep_point;

// A curve the model draws beside the points, by a formula.
typedef struct jd_sweep_curve {
    const char *name, *formula;
    int axis;                 // parameter it runs along
    int n;                    // places
    const double *at, *value; // of that parameter; of the other one, or of the measure where there
                              // is only one
} jd_sweep_curve;

// What is found over all draws of a sample, at one value of the parameter that is swept beside.
typedef struct jd_sweep_statistics {
    double value;       // of that parameter; NaN: none is swept
    int points;         // done
    int settled;        // of them
    int stable;         // settled, with every multiplier known and inside the unit circle
    double mean;        // of the measure over settled points; NaN: there is none
    double deviation;   // standard deviation (n - 1); NaN: of fewer than two
    double quantile[5]; // 5, 25, 50, 75 and 95 %, interpolated between neighbours
} jd_sweep_statistics;

// How often settled motions of a sample have this phase sequence.
typedef struct jd_sweep_sequence {
    const char *phases;
    int count;
    double share; // of all points that are done
} jd_sweep_sequence;

// The grid and its points.
typedef struct jd_sweep_view {
    int n_parameter, n_point, n_sample, n_state;
    const char *parameter[2];
    int count[2];            // values of each; 1 for a second one that is not there
    const double *values[2]; // of each parameter
    bool log[2];             // spaced by factors
    jd_sweep_direction direction;
    int starts;        // of each point
    int shard, shards; // the share that is computed, 1 to shards; 0, 0: all of it
    int n_curve;
    const jd_sweep_curve *curve; // beside the points
    int n_class;
    const char *const *class_name;
    const char *measure;         // as "tip.displacement.max"
    const jd_sweep_point *point; // n_point: starts fastest, then first parameter, up/down, second
    int n_draw;                  // numbers drawn at random; 0: no sample
    const char *const *draw;     // their paths
    const double *drawn;         // count[0] x n_draw: their values in each draw
    int n_statistics;            // of a sample in a result: one for each value swept beside
    const jd_sweep_statistics *statistics;
    int n_sequence; // of a sample in a result, by falling share
    const jd_sweep_sequence *sequence;
    int n_attractor; // in a result over numbers of the start: motions told apart
} jd_sweep_view;

// How it is computed.
typedef struct jd_sweep_options {
    int threads; // 0 (default): as many as there are processors. Each takes its memory by malloc;
                 // the results do not depend on their number.
    int first, lines; // computes only `lines` lines from number `first` >= 0 on; 0, 0 (default):
                      // all of them
    // Called once for each point as it is finished, in any order but never by two threads at once.
    // A failure ends the sweep. NULL (default): none is called.
    jd_status (*finished)(void *user, const jd_sweep *sweep, int index);
    void *user; // given to `finished`
} jd_sweep_options;

// As many threads as there are processors, no `finished`.
jd_sweep_options jd_default_sweep_options(void);

// Plans the sweep of the problem's `sweep` section; every value of the grid is checked. The
// problem must not be changed meanwhile and must outlive the sweep.
jd_status jd_sweep_create(jd_context *context, jd_problem *problem, jd_sweep **out);
// NULL is allowed.
void jd_sweep_free(jd_sweep *sweep);
// Lines of the sweep: the chains of points that carry the motion on; where none does, each point is
// one. A line is computed by one thread, from its first point on.
int jd_sweep_lines(const jd_sweep *sweep);
// Points of a line: those of line k are k * jd_sweep_line_points ... in the order of the view.
int jd_sweep_line_points(const jd_sweep *sweep);
// From now on only shard `number`, 1 to `of`, is computed: every `of`-th line, beginning with line
// number - 1. All of them together are the sweep, in the same bits (jd_merge_add).
jd_status jd_sweep_take_shard(jd_sweep *sweep, int number, int of);
// Computes the points not done yet, those of the shard where one was taken. *complete is false when
// the context's stop hook ended it early.
jd_status jd_sweep_run(jd_sweep *sweep, const jd_sweep_options *options, bool *complete);
// The grid and its points; they belong to the sweep and live as long.
const jd_sweep_view *jd_sweep_look(const jd_sweep *sweep);

// Value of a curve at a point's parameters. Not by two threads at once.
double jd_sweep_beside(const jd_sweep *sweep, int curve, const jd_sweep_point *point);

// A checksum of model, structure, definition and version: equal for equal sweeps.
unsigned long long jd_sweep_identity(const jd_sweep *sweep);
// A finished point as bytes, and back; restored points are not computed again.
size_t jd_sweep_packed_size(const jd_sweep *sweep);
// Writes these jd_sweep_packed_size bytes.
void jd_sweep_pack(const jd_sweep *sweep, int index, unsigned char *out);
// Takes point number `index` from bytes that jd_sweep_pack wrote.
jd_status jd_sweep_restore(jd_sweep *sweep, int index, const unsigned char *bytes);

#ifdef __cplusplus
}
#endif

#endif

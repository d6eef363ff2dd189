// follow.h -- periodic orbits along one number of the problem: a branch, its stability and its
// special points.
//   P(s, lambda) - s = 0 is followed by pseudo-arclength continuation, through folds and through
//   sequence changes (where the phase sequence changes: P is continuous but has a corner).
#ifndef JUDDER_FOLLOW_H
#define JUDDER_FOLLOW_H

#include "judder/orbit.h"

#ifdef __cplusplus
extern "C" {
#endif

// A branch of periodic orbits.
typedef struct jd_follow jd_follow;

// What is followed: periodic orbits, or the steady slip of a model the closure engine computes (its
// stability by eigenvalues: `multiplier` is the growth over one turn, `period` the turn).
typedef enum jd_followed { JD_FOLLOW_ORBITS, JD_FOLLOW_STEADY } jd_followed;

// Which orbit is taken where contacts are stuck all along and may rest elsewhere.
typedef enum jd_member {
    JD_MEMBER_CENTRED, // the largest force of each is as small as can be
    JD_MEMBER_HELD     // they rest where they did at the beginning, moved only where they have to
} jd_member;

// One orbit of a branch.
typedef struct jd_branch_point {
    double parameter;
    double amplitude; // the measure
    double period;    // [s]
    bool stable;      // all multipliers inside the unit circle by more than their error
    bool undecided;   // the largest lies on it within that error: neither stable nor unstable
    int n_unstable;   // number of multipliers outside the unit circle
    double multiplier_error; // of those of half the largest size and more, by the engine's
                             // tolerance (estimated); 0: it has none, INFINITY: not known
    double multiplier[2];    // the largest: re, im
    int phases;              // index of its phase sequence
    int n_event;             // events in one period; bounces that chatter sums up are one
    int resting; // contacts stuck all along, which may rest elsewhere: the multiplier 1 of each is
                 // left out
    double residual; // |P(s) - s|/|s|
    bool certified;  // proved: no stop is penetrated, no limit exceeded between its events
    int start;       // index of its phase at t = 0
} jd_branch_point;

// How a branch is followed.
typedef struct jd_follow_options {
    const char *parameter; // problem path; NULL (default): as the problem's `follow` section says
    double from, to;       // with `parameter`: both ends, in its unit
    const char *measure;   // "tip.displacement.max"; NULL (default): as the section says
    jd_texts also;         // measures recorded beside it; none (default): as the section says
    jd_shapes family;      // a path and its values; none (default): as the section says
    jd_formulas functions; // names and formulas of measures, whose zeros are special points; none
                           // (default): as the section says
    jd_shapes stop;        // a measure or function and a value; none (default): as the section says
    int points;            // at most this many on the branch; 0 (default): as the section says
    double step;           // longest step, as a share of |to - from|; 0 (default): as the section
                           // says. Points, and the cost with them, grow as it falls
    double tolerance;      // of |P(s) - s|/|s|, > 0; default 1e-12
    double locate;         // accuracy of special points, as a share of |to - from|; default 1e-11
    bool special;          // special points are located; default true. Costs some orbits for each
    int step_orbits;     // most orbits computed for the sequence changes of one step, 0 (default):
                         // 1000; if more were needed the branch ends with `too-many-changes`
    jd_curve_kind curve; // the first such point on the branch is followed in two parameters, ...
    const char *second;  // ... of which this is the other; NULL (default): as the section says
    double second_from, second_to; // its values at both ends of the curve
    jd_followed of;                // orbits (default): as the section says
    jd_member member;              // centred (default): as the section says
    double sense; // of the parameter at the first orbit: 1 it grows, -1 it falls; 0 (default): to
                  // `to`
    int branch;   // at this branch point go on along the branch that crosses it, ...
    int arm;      // ... in this of its two senses, 1 or -1; 0 (default): do not
    bool hopf;    // `from` is a Hopf point of the steady slip: its cycles are followed from there;
                  // default false
    int flip;     // at this flip go on along the branch of doubled period, which then is
                  // the branch; 0 (default): as the section says
    jd_orbit_options orbit; // how the first orbit is searched; default: jd_default_orbit_options
    // Called when an orbit was added to the branch as its number `index` from 0; NULL (default):
    // not called. A number that was there before replaces that orbit and those behind it. The
    // branch is the one jd_follow_look gives at the end: its last orbits may be taken back without
    // a call.
    void (*listed)(void *user, const jd_follow *follow, int index, const jd_branch_point *point);
    void *user; // handed to `listed`
} jd_follow_options;

// All as the section `follow` of the problem says; special points are located.
jd_follow_options jd_default_follow_options(void);

// A special point on its curve in two parameters.
typedef struct jd_curve_point {
    double parameter, second;
    double amplitude; // the measure
    double period;    // [s]
    double residual;  // |P(s) - s|/|s|
} jd_curve_point;

// A point on such a curve where a second condition holds: of codimension 2.
typedef struct jd_curve_special {
    const char *name; // cusp, 1:1, 1:2, 1:3, 1:4, fold-flip, grazing-fold, ...
    double parameter, second;
    double amplitude; // the measure
    double error;     // of `second`: what its condition leaves open, no bound
    int point;        // it lies between points `point` - 1 and `point` of the curve
} jd_curve_special;

// Name of a kind of curve, as in models: "slip-begins".
const char *jd_curve_name(jd_curve_kind kind);

// What a special point is: X(symbol, name, text).
#define JD_SPECIAL_LIST(X)                                                                         \
    X(JD_SPECIAL_FOLD, "fold", "the parameter turns back")                                         \
    X(JD_SPECIAL_FLIP, "flip", "a Floquet multiplier passes -1: the period doubles")               \
    X(JD_SPECIAL_NEIMARK_SACKER, "neimark-sacker", "a complex pair leaves the unit circle")        \
    X(JD_SPECIAL_BRANCH, "branch-point", "a Floquet multiplier passes 1 without a fold")           \
    X(JD_SPECIAL_GRAZING, "grazing", "an impact appears or vanishes at zero speed")                \
    X(JD_SPECIAL_STICK_APPEARS, "stick-appears", "a stuck phase of zero length appears")           \
    X(JD_SPECIAL_STICK_VANISHES, "stick-vanishes", "a stuck phase shrinks to zero length")         \
    X(JD_SPECIAL_SLIP_APPEARS, "slip-appears", "a sliding phase of zero length appears")           \
    X(JD_SPECIAL_SLIP_VANISHES, "slip-vanishes", "a sliding phase shrinks to zero length")         \
    X(JD_SPECIAL_OPEN_APPEARS, "open-appears", "a phase of zero length with a contact open")       \
    X(JD_SPECIAL_OPEN_VANISHES, "open-vanishes", "a phase with a contact open shrinks to nothing") \
    X(JD_SPECIAL_SLIP_BEGINS, "slip-begins", "a contact that is stuck all along begins to slide")  \
    X(JD_SPECIAL_SLIP_ENDS, "slip-ends", "a contact slides no more: it is stuck all along")        \
    X(JD_SPECIAL_TURN, "turn", "the parameter turns back, but no orbit changes its stability")     \
    X(JD_SPECIAL_HELD_FOLD, "held-fold",                                                           \
      "a multiplier passes 1 while stuck contacts are held in their places")                       \
    X(JD_SPECIAL_PHASES, "phases", "the phase sequence changes")                                   \
    X(JD_SPECIAL_HOPF, "hopf", "an oscillation about the steady slip begins or ends")              \
    X(JD_SPECIAL_CHATTER, "chatter", "chatter appears or vanishes: impacts accumulate")            \
    X(JD_SPECIAL_UNPROVED, "unproved", "rounding leaves open what happens: no points for a while") \
    X(JD_SPECIAL_FUNCTION, "function", "a function of `follow.functions` passes 0")

// The kinds of that list.
typedef enum jd_special_kind { JD_SPECIAL_LIST(JD_SYMBOL) JD_SPECIAL_COUNT } jd_special_kind;

// A special point of a branch.
typedef struct jd_special {
    jd_special_kind kind;
    double parameter, amplitude, period;
    double error; // of the parameter: an estimate, no bound; NAN: none (strings, steady slips);
                  // half the length of a stretch that is unproved
    int before, after; // indices of phase sequences; equal where it does not change
    bool turns;        // the parameter turns back here: folds, and sequence changes that are folds
    bool stable_before, stable_after;
    bool undecided_before, undecided_after; // neither stable nor unstable
    double multiplier[2];                   // the one on the unit circle; 0, 0 where there is none
    int point;                              // it lies between branch points `point` - 1 and `point`
    int start;                              // index of its phase at t = 0
    const char *name;    // of the function that passes 0; "": of another kind; NULL: there are none
    const double *state; // at t = 0 of the orbit, or one beside it; NULL: not known, or from a file
} jd_special;

// The largest value of the measure on the branch of one member of a family.
typedef struct jd_peak {
    double value;                // of the number that makes the family
    double parameter, amplitude; // where, and how large
    bool inside;                 // a maximum of a smooth part, located; else the largest point
} jd_peak;

// Branches for several values of a number, and the least of their peaks.
typedef struct jd_family {
    const char *path; // of the number
    int n;
    const jd_peak *peak; // in the order of the values given
    bool optimal;        // the least peak lies between two values, and was located: ...
    jd_peak optimum;     // ... here
    double error;        // of its value, an estimate
    const char *why;     // when it was not: the reason, in words; else ""
} jd_family;

// Why a branch ends: X(symbol, name, text).
#define JD_END_LIST(X)                                                                             \
    X(JD_END_TO, "to", "the end of the window was reached")                                        \
    X(JD_END_BACK, "back", "the branch left the window at the end where it began")                 \
    X(JD_END_SIDE, "side", "the curve left the window of the first parameter")                     \
    X(JD_END_NO_POINT, "no-point", "there is no such point on the branch")                         \
    X(JD_END_STOP, "stop", "the measure reached the value of `stop`")                              \
    X(JD_END_RESONANCE, "resonance", "the pair on the unit circle met at 1 or -1")                 \
    X(JD_END_MEETS, "meets", "the phase sequence changes: the curve meets another one")            \
    X(JD_END_BOUND, "bound", "the parameter reached the smallest or largest value allowed")        \
    X(JD_END_GRAZING, "grazing", "an impact grazes, and no orbit was found beyond it")             \
    X(JD_END_LOST, "lost", "no orbit was found beyond this point")                                 \
    X(JD_END_CHANGES, "too-many-changes", "the phase sequence changes too often to be followed")   \
    X(JD_END_UNBOUNDED, "unbounded", "the orbit grows without bound")                              \
    X(JD_END_FAMILY, "family", "the orbits form a family: a Floquet multiplier stays at 1")        \
    X(JD_END_CLOSED, "closed", "the branch came back to its beginning")                            \
    X(JD_END_RETRACED, "retraced", "the branch would run back along itself")                       \
    X(JD_END_ROUNDING, "rounding", "the orbit amplifies rounding too much to be followed")         \
    X(JD_END_POINTS, "points", "the number of points allowed was reached")                         \
    X(JD_END_STOPPED, "interrupted", "stopped by Ctrl-C, or by the calling program")               \
    X(JD_END_NO_ORBIT, "no-orbit", "there is no orbit to begin with")

// The ends of that list.
typedef enum jd_end_kind { JD_END_LIST(JD_SYMBOL) JD_END_COUNT } jd_end_kind;

// Name of a special point, as in result files: "fold".
const char *jd_special_name(jd_special_kind kind);
// What happens there, in a few words.
const char *jd_special_text(jd_special_kind kind);
// Name of an end, as in result files: "grazing".
const char *jd_end_name(jd_end_kind kind);
// Why the branch ends, in a sentence without a full stop.
const char *jd_end_text(jd_end_kind kind);

// SI unit of a measure, by its text: "N" of "tip.force.max"; "" of a formula.
const char *jd_measure_unit(const char *measure);

// Another branch, to be shown with one.
typedef struct jd_beside {
    const char *name;
    const struct jd_follow_view *view;
} jd_beside;

// What is kept of a branch beside its points and special points.
typedef struct jd_branch_kept {
    int n_also; // measures recorded beside the first, then functions, ...
    const char *const *also;
    const double *also_value; // ... n_point x n_also
    int n_spectrum;           // multipliers kept of each point: all, or 0 where they are too many
    const double *spectrum;   // n_point x n_spectrum x (re, im), sorted by falling size
    const double *special_state; // n_special x n: the orbit at its t = 0, or one beside it
    int n_start;
    const char *const *start;              // phases at t = 0
    int n_curve_special;                   // of the curve in two parameters:
    const jd_curve_special *curve_special; // its points of codimension 2
} jd_branch_kept;

// A branch of orbits.
typedef struct jd_follow_view {
    const char *parameter, *measure;
    jd_followed of;
    double from, to;
    int n_point;
    const jd_branch_point *point;
    int n_uncertified;   // number of points that are not certified
    int n;               // numbers in a state
    const double *state; // n_point x n: each orbit at its t = 0
    int n_special;
    const jd_special *special;
    int n_phases;
    const char *const *phases; // phase sequences, see docs/theory/continuation.md
    jd_curve_kind curve;       // of special points in two parameters ...
    const char *second;        // ... this is the other
    double second_from, second_to;
    int n_curve;
    const jd_curve_point *curve_point;
    jd_end_kind end; // of the curve where there is one, else of the branch
    double end_parameter;
    const char *why; // the reason in more detail, or ""
    long orbits;     // converged orbits, those of the search for special points included
    long rounds;     // periods computed, and of these with derivatives
    long derivatives;
    jd_branch_kept kept;     // beside points and special points
    const jd_family *family; // NULL: none is asked for; its other branches are those beside
    int n_beside;            // none but in a copy of the view where they are put
    const jd_beside *beside;
} jd_follow_view;

// Follows the orbit found at `from` towards `to`. JD_OK says that the attempt could be made; `end`
// says why the branch ends. The problem is left with the parameter at its last value.
jd_status jd_follow_create(jd_context *context, jd_problem *problem,
                           const jd_follow_options *options, jd_follow **out);
// NULL is allowed.
void jd_follow_free(jd_follow *follow);
// What was found; it belongs to the branch and lives as long.
const jd_follow_view *jd_follow_look(const jd_follow *follow);

#ifdef __cplusplus
}
#endif

#endif

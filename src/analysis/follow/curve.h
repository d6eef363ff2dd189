// curve.h -- the curve of orbits in the space of states and one parameter.
//   Coordinates y = (scaled state/S, [log period], lambda/L): states by the root of energy, S the
//   size of the first orbit, L the length of the window. A point of the curve has
//     F(y) = (P(s, lambda) - s)/S = 0,    [f(s0)'(s - s0) = 0 when the period is free]
#ifndef JD_ANALYSIS_FOLLOW_CURVE_H
#define JD_ANALYSIS_FOLLOW_CURVE_H

#include "analysis/measure/measure.h"
#include "analysis/orbit/shooting.h"
#include "engine/event.h"
#include "judder/follow.h"
#include "structure/piecewise/expression.h"

enum {
    MOST_EVENTS = 512, // of one orbit; more are not told apart
    MOST_STEPS = 14    // of one correction
};

// The impacts of a contact in a row, read backwards (special/chatter.c).
typedef struct impact_row {
    int landing;  // event it ends with; -1: the contact does not land after it
    double speed; // of the impact that comes next [m/s]
} impact_row;

// The parameter that changes along the curve, and a second one.
typedef struct curve_parameter {
    const char *path;
    jd_rebuild rebuild;
    double lambda;      // as it is in the problem
    double L;           // length of the window
    double low, high;   // window: from `to` to its length behind `from`
    const char *second; // the other parameter of a curve of special points; NULL: none
    jd_rebuild second_rebuild;
    double mu, mu_wanted, L2; // its value in the problem, that of the next round; its window
    bool mirrors; // a curve in two parameters is one of orbits that are their own mirror image
    bool bound;   // the parameter could not be set
} curve_parameter;

// Newton's and Broyden's method for F = 0.
typedef struct curve_newton {
    double *F;  // n: residual of the last round
    double *J;  // N x N row-major: derivative, last row free for a border
    double *lu; // its factors
    int *pivot;
    double *rate0; // n: d/dt at the start of the last accepted point, scaled (free period)
    double *step, *trial, *kept, *chord; // N
    double *through, *along;      // N: d F/d lambda and tangent of orbits through a stop (graze.c)
    double *steep;                // 3 n: where M is large
    double *past;                 // MOST_STEPS steps since the factors were made ...
    double past_size[MOST_STEPS]; // ... and their squares
    int n_past;
    bool fresh;   // the last round had derivatives and is that of the last point
    bool central; // differences to both sides
} curve_newton;

// Events of the last round, bounces of chatter told apart (special/chatter.c).
typedef struct curve_events {
    int *listed, n_listed; // events but for the bounces of chatter, ...
    bool *dropped;         // ... which are these
    impact_row *row;       // per contact
    double *begin;         // [s] when an event began: a landing with its first bounce
    long counted;          // listed ones; all of them, when there were too many to be kept
    double *speed;         // of impacts, before a look aside [m/s]
    int n_speed;
} curve_events;

// What is observed of an orbit.
typedef struct curve_seen {
    jd_measuring measures;       // the one drawn first, then those recorded beside it, then others
    const jd_measure *measure;   // the first
    int n_also, n_function;      // recorded: measures beside the first, functions of measures
    jd_formulas functions;       // names and formulas ...
    jd_expression **formula;     // ... read; behind them that of `stop`, where it is one
    bool stop_formula;           // it is
    int stop_measure;            // measure of `stop`; -1: it is a function
    int stop;                    // of the value of `stop` in `value`; -1: there is none
    int n_value;                 // numbers kept of each orbit beside the first measure
    double *value;               // these: measures, functions, what `stop` needs
    double lambda, period;       // variables of functions
    bool all_ranges;             // displacements, velocities and forces
    jd_contact_ranges *ranges;   // per contact
    jd_contact_ranges *touching; // of a part of the period (special/graze.c)
    double *look;                // 9 per contact
} curve_seen;

// A slider of a contact that did not slide both ways in the last round (member.c).
typedef struct member {
    int contact, slider;
    jd_held_slider held; // where the state has its force
    int slides;          // bits 1 +, 2 -
    double tau;          // how far its force is from where it shall be [N]
    jd_held_room room;   // how far it stayed from sliding
    int edge[2];         // of room.t: jd_force_extreme
} member;

typedef struct curve_member {
    bool held; // the rest is kept, else centred
    int n;     // of them in the last round; 0 where orbits are sought as their own mirror image
    int stuck; // sliders that did not slide at all: as many multipliers are 1
    int sloped, resting; // n and stuck of the round J was made from
    member *of;
    jd_contact_ranges *range; // per contact
    int *first;               // per contact: of its sliders in `rest`
    double *rest;             // per slider: B_j s where the branch began [m]
    double *shape;            // n per member: c_j
    double *row;              // n per member: d tau/d s
    double *gradient, *flow;  // n, n x n: of one force, to the time of it
} curve_member;

// Work so far.
typedef struct curve_count {
    long rounds, derivatives, orbits;
} curve_count;

typedef struct curve {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena; // of the whole branch
    jd_run *run;
    jd_arena *run_arena; // of what goes with the run
    jd_shooting *sh;
    curve_parameter parameter;
    int n, N; // numbers in a state; unknowns
    double S; // length of the first state
    int periods;
    bool forced;
    bool mirrored;    // orbits are their own mirror image half a period later (mirror.c): s +
                      // s(T/2) = 0
    double anchor;    // where rounds of a forced motion begin [periods of the orbit]
    jd_phase phase;   // at the anchor
    double residual;  // relative, of the last round
    double tolerance; // of it
    double finer;     // share of the engine's tolerance rounds are computed to
    bool watch;       // rounds without derivatives take margins, too
    curve_newton newton;
    curve_events events;
    curve_seen seen;
    curve_member member;
    curve_count count;
} curve;

// When the events of an orbit happen, in periods, from the first word of its phase string on.
typedef struct rhythm {
    int n, repeat; // events; the string repeats itself after so many
    int start;     // event of the round that comes first
    double *time;  // MOST_EVENTS, since the anchor, when it begins ...
    double *end;   // ... and ends
} rhythm;

// One converged orbit.
typedef struct place {
    rhythm rhythm;
    double *y, *tangent; // N
    double *multiplier;  // 2 n
    double *also;        // measures recorded beside the first
    double *origin;      // turns x n: state at t = 0 and whole periods of the drive later
    double anchor;       // where y and phase belong to [periods]
    jd_phase phase;      // there
    jd_branch_point point;
    double slowest_impact;     // [m/s]; INFINITY: none
    double fastest_impact;     // bounces of chatter among them
    int n_impact;              // without the bounces of chatter
    int n_landing;             // of contacts that come to rest at their stops
    double rest;               // the shortest of these rests [periods]; INFINITY: none
    jd_contact_state shortest; // of the shortest phase; JD_CONTACT_STATE_COUNT: none
    double *margin;            // (contacts + 1) per event in the order of the string (engine.h) ...
    int n_margin;              // ... so many numbers; 0: not taken
    double shortest_length;    // [s]
    int resting;               // contacts that are stuck all along (member.c)
    double slack;              // of the one of them that is closest to sliding [N]; HUGE_VAL: none
    int members;               // ... and what they add to F: det F_y is not that of M - I then, and
    bool odd;                  // ... it has another sign than where all multipliers are small
    bool loose; // a contact has begun to slide, and hardly forgets where it rests: its
                // multiplier is next to 1, and rounding decides the tangent's sense
} place;

jd_status jd_curve_open(curve *c);
void jd_curve_close(curve *c);
// y from a state, and back into the shooting.
void jd_curve_pack(const curve *c, const double *s, double period, double lambda, double *y);
// Parameters, period, anchor and state into problem, run and shooting; *set: they could be.
jd_status jd_curve_set(curve *c, const double *y, bool *set);
// One round at y. *lost: the motion did not complete it, or the parameter has no such value.
jd_status jd_curve_round(curve *c, const double *y, bool derivative, bool *lost);
// J at y (with d/dlambda by differences), `border` as its last row, factored. The same after a
// round with derivatives at y; border NULL: not factored. Afterwards the events are those of a
// neighbour.
jd_status jd_curve_derivative(curve *c, const double *y, const double *border, bool *lost);
jd_status jd_curve_linearise(curve *c, const double *y, const double *border, bool *lost);
// The part of J by the state, from the last round with derivatives.
void jd_curve_slope(curve *c);
bool jd_curve_factor(curve *c, const double *border);
// Broyden's method from y in the plane border'(y - start) = 0 with the factors at hand. own: the
// last round brings derivatives when it can (c->fresh).
jd_status jd_curve_correct(curve *c, double *y, const double *border, bool own, bool *found);
// Tangent at the point J belongs to, turned so that old'tangent > 0.
bool jd_curve_tangent(curve *c, const double *old, double *tangent);
jd_status jd_curve_multipliers(curve *c, double *multiplier);
double jd_curve_parameter(const curve *c, const double *y);
// Where the map ends [periods after the anchor].
static inline double jd_curve_end(const curve *c) { return c->mirrored ? 0.5 : 1; }
// mirror.c: is the orbit at y its own mirror image half a period later, and does the model allow
// it? Then it is sought as one from now on, and closed as one once more.
jd_status jd_curve_mirror(curve *c, double *y, const double *border);
// The same for a symmetric orbit close to y, which need not be one.
jd_status jd_curve_mirror_near(curve *c, double *y, const double *border);
// Distance of the orbit at y from its mirror image half a period later, over S; HUGE_VAL: the
// model tells them apart, or the orbit is sought as its own image anyway.
jd_status jd_curve_image_gap(curve *c, const double *y, double *gap);

// member.c: after a round, what its contacts that do not slide both ways add to F and, with
// `derivative`, to J.
jd_status jd_member_open(curve *c);
void jd_member_rest(curve *c, const double *s); // where contacts rest that are held
jd_status jd_member_take(curve *c, bool derivative, bool *lost);
void jd_member_add(const curve *c, double *F);
void jd_member_slope(curve *c, double *J);
// Newton's method for the member wanted, from a y that may be far from it; found: it converged, and
// *y and the letters of the curve are its.
jd_status jd_member_begin(curve *c, double *y, const double *border, bool *found);
// The least of the slacks below.
double jd_member_least_slack(const curve *c);
// How far each contact that was stuck all along in the last round is from sliding, wherever it
// rests: half of what its force may be shifted by [N]; HUGE_VAL: of others.
jd_status jd_member_slack(curve *c, double *slack);
// Has det F_y, of the J made last, another sign than where all multipliers are small?
bool jd_member_odd(curve *c);
// Multipliers of the orbit whose J was made last: the 1 of each contact that is stuck all along
// becomes the 0 of one that slides, and goes to the end of the list.
void jd_member_forget(const curve *c, double *multiplier);

// special/chatter.c: which events of the last round count.
void jd_chatter_list(curve *c);
// special/phases.c: the phase string of the last round, in a form that does not depend on where the
// period starts. out has room for `size` bytes. r may be NULL.
void jd_phase_string(const curve *c, char *out, size_t size, rhythm *r);
// Largest shift of an event between two orbits of one string, in periods, beyond what the rates
// [periods per arclength] of the step before lead to expect.
double jd_sequence_surprise(const rhythm *a, const rhythm *b, const double *rate, double length);
void jd_sequence_rate(const rhythm *a, const rhythm *b, double length, double *rate);
// Largest difference between an event's shifts from a to m and from m to b; in which half it moved
// more.
double jd_sequence_kink(const rhythm *a, const rhythm *m, const rhythm *b, bool *first);
// State in the shortest phase of a contact that sticks or slides; its length [s].
jd_contact_state jd_shortest_phase(const curve *c, double *length);
// recorded.c: what is recorded of each orbit: the measure (NULL: of the first contact, or where the
// first drive acts), those beside it, that of `stop`.
jd_status jd_curve_record(curve *c, const jd_follow_options *o);
// After a round with derivatives at a converged orbit: values of all of them.
jd_status jd_curve_measure(curve *c, double *first);
void jd_curve_record_close(curve *c);

#endif

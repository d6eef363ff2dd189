// branch.h -- the branch being built: its points, special points, phase strings.
#ifndef JD_ANALYSIS_FOLLOW_BRANCH_H
#define JD_ANALYSIS_FOLLOW_BRANCH_H

#include "analysis/follow/curve.h"

enum { STRING_SIZE = 4 * MOST_EVENTS, GRAZES = 6, NESTED = 4, TREND = 4, DIG = 8 };

// A multiplier this close to 1 at four points in a row: a family of orbits.
#define BRANCH_AT_ONE 3e-6

// A part of the period during which the motion passes through a stop (special/graze.c).
enum { GRAZE_PARTS = 8 };
typedef struct graze_part {
    int contact, side; // 1: upper, -1: lower
    double from, to;   // since the anchor [periods]
    double at;         // of the slow impact
} graze_part;

// All of them, and the orbit that just touches.
typedef struct graze {
    graze_part part[GRAZE_PARTS];
    int n;
    int hit; // the first of them: there the orbits with the impact have it, in others they turn
             // back
    double path[GRAZE_PARTS]; // free path left in each, negative beyond the stop [m]
    double left;              // the least of them
    double rise;              // its derivative by lambda over the window
    double lambda, error;     // of the grazing
} graze;

// How orbits with the impact leave a grazing (special/enter.c): along y + h w, h the arclength.
typedef struct entrance {
    graze g;                  // parts of the period that graze
    double *y;                // N: the orbit that just touches
    double *w;                // N: unit direction
    double rate[GRAZE_PARTS]; // speed of the impact in part k over h [m/s]
    double pull[GRAZE_PARTS]; // acceleration away from the stop where part k touches [m/s^2]
    double across[GRAZE_PARTS][GRAZE_PARTS]; // what an impact of unit speed adds to other paths [s]
    double *gradient;                        // parts x N: of the free paths [m]
    double *kick;                            // parts x n: what an impact of unit speed adds to F
    double *A, *b, *base;                    // equations for w, and F beside the grazing
    int *pivot;
} entrance;

// Where a branch turns and goes on along orbits it has had: at one of half the period, or at one
// that is its own mirror image (special/retrace.c).
typedef enum meeting { MEETS_NONE, MEETS_HALF, MEETS_IMAGE } meeting;

// A branch that belongs to a family (family.c).
typedef struct branch_family {
    double value;       // of the number that makes it
    int n;              // of the first: members ...
    jd_follow **member; // ... of which it is one
} branch_family;

// What the branch consists of so far.
typedef struct branch_lists {
    jd_branch_point *point;
    double *state;      // of each point
    double *also;       // measures recorded beside the first, of each point
    double *spectrum;   // multipliers of each point; NULL: too many
    const char **start; // phases at t = 0
    int start_room, also_room, spectrum_room;
    jd_special *special;
    const char **phases;
    jd_curve_point *curve_point;
    jd_curve_special *curve_special;
    int point_room, special_room, phases_room, curve_room, curve_special_room;
    bool mark_first;     // the orbit where the curve begins lies before the special point
    int marked_function; // ... that is a zero of this function
    int mark_special;    // which special point it belongs to
    char *string;        // STRING_SIZE
    int n_flip, n_cross; // flips and branch points so far
    int looked;          // special points known when gathering grazings were looked for last
    int unrested;        // points known when an orbit that does not rest any more was sought last
} branch_lists;

// Orbits beside the last one.
typedef struct branch_places {
    place here, there;                       // last point and the next
    place left, right, middle, old, before;  // for special points
    place near[NESTED + 1], far[NESTED + 1]; // both sides of a change
    place inside[NESTED];                    // between changes that undo each other
    place prior, dig[DIG];                   // the point before, for margins; halves looked at
    place trend[2 * TREND];                  // towards a change
    place flip;                              // the last flip
    place touch;                             // orbits close to a grazing, with its impact
    place cross;                             // the last branch point
    place peak;                              // the orbit with the largest measure, of a family
    bool peaked;
    place mark; // where the curve in two parameters begins
    bool marked;
} branch_places;

// The present step, and what the last ones tell of the next.
// Where the slack of a stuck contact is 0 (change.c).
typedef struct slip_onset {
    double parameter, error; // HUGE_VAL: not known
} slip_onset;

typedef struct branch_walk {
    double bend;            // share of the usual angles between neighbours allowed
    double step, direction; // arclength; sign of to - from
    double gone;            // arclength of the last step
    double *drift;          // how fast each event moved along the last step [periods per arclength]
    int at_one, crawling;   // points in a row with a multiplier at 1; with hardly any progress
    long orbits_before;     // the present step
    bool crowded;           // its changes took more orbits than are allowed
    bool torn;              // orbits on both sides of a change stay apart: no step, but a jump
    bool walks;             // a step of the walk, which can be taken back
    bool change_listed;     // the last change of the string is a special point
    slip_onset onset;       // of the last change
    int retried;            // times the present step was changed to find one that is listed
    int again;              // points in a row that were there before
    meeting met;            // what the branch would run back from
    bool shifted;           // the anchor was moved at the last point, where no step succeeds
    bool cornered;          // the last point lies beyond a corner
    bool smooth;            // nothing happened between the two: both serve to extrapolate
} branch_walk;

// Impacts that get slower, and the grazing they lead to.
typedef struct branch_grazing {
    double recent[GRAZES][3]; // last points with impacts: speed, parameter, amplitude
    int n_recent;
    double slow_before; // slowest impact of the point before the last [m/s]
    double fastest;     // impact met [m/s]
    double refused;     // parameter of a grazing beside which no orbit with the impact was found
    double refused_error;
    double ahead; // arclength from `here` to a grazing; HUGE_VAL: none; < 0: not known
    bool beside;  // orbits are looked at that lead up to a grazing, or away from it
    entrance entrance;
} branch_grazing;

// Derivatives kept beside those of the curve.
typedef struct branch_kept {
    double *J;      // that belongs to `here`
    double *J_past; // ... and to the point before it
    double *J_kept; // while finer orbits are sought (doubt.c), ...
    double *finer;  // ... with these multipliers
    double *y_past, *tangent_past;
    jd_phase phase_past;
} branch_kept;

// Orbits that are proved, and stretches of those that are not (proof.c).
typedef struct branch_proof {
    bool proves;         // the engine proves its events
    bool listed;         // the last point is in the list: its orbit closes and is admissible
    int unlisted;        // orbits that are not
    jd_special *stretch; // of orbits that are not listed
    int n_stretch, stretch_room;
    bool open; // the last stretch goes on
} branch_proof;

struct jd_follow {
    jd_context *context;
    jd_arena *arena;
    jd_follow_options options;
    jd_follow_view view;
    jd_orbit *first;
    curve curve;
    branch_lists list;
    branch_places at;
    branch_walk walk;
    branch_grazing grazing;
    branch_kept kept;
    branch_proof proof;
    branch_family *family;   // NULL: it belongs to none
    jd_follow_options asked; // as the section completed them
    double *slip;            // the steady slip whose cycles are followed; NULL: none
    const char *begins;      // where the branch begins, in words; NULL: nothing to say
};

// ready.c: parameter, window and measure as section and options say.
jd_status jd_follow_ready(jd_follow *f);
// begin.c: the first orbit and its tangent, into f->at.here.
jd_status jd_branch_begin(jd_follow *f, bool *found);
// branch.c
// Multipliers that count: those of a place are sorted by falling size, but the one that is 1 along
// an orbit of free period stands behind them all.
static inline int branch_counted(const curve *c) { return c->forced ? c->n : c->n - 1; }
jd_status jd_branch_open(jd_follow *f);
// The multiplier of the whole period that belongs to one of the map followed.
void jd_whole_multiplier(const curve *c, const double *m, double *out);
void jd_place_copy(const curve *c, const place *from, place *to);
// Fills the place after a successful correction at p->y: phase string, stability, tangent (turned
// along `old`), measure. full: with multipliers, tangent and measure; else the string only.
jd_status jd_branch_judge(jd_follow *f, place *p, const double *old, bool full, bool *good);
// `stable` and `undecided` from its multipliers and their error.
void jd_branch_verdict(const curve *c, place *p);
// doubt.c: what the tolerance of the engine leaves unknown of the multipliers of p, whose
// derivative is c->J; then its verdict.
jd_status jd_branch_doubt(jd_follow *f, place *p);
// Margins of the last round in the order of the phase string, which p->rhythm has.
void jd_branch_margins(const curve *c, place *p);
// Index of the phase string of the last round, which joins the list when it is new; when its
// events happen, where r is not NULL.
jd_status jd_branch_string(jd_follow *f, rhythm *r, int *index);
// Doubles a list in the arena when it is full.
void *jd_branch_grow(jd_arena *arena, void *list, int n, int *room, size_t size);
// Counts the point that was put at the end of the list, and tells whoever wants to know.
void jd_branch_count_point(jd_follow *f);
jd_status jd_branch_add_point(jd_follow *f, const place *p);
// proof.c: p into the list of points, or into a stretch that is unproved.
jd_status jd_branch_list(jd_follow *f, const place *p);
// An engine that proves its orbits left this one open, or it does not close.
bool jd_branch_unproved(const jd_follow *f, const place *p);
// The stretches among the special points.
jd_status jd_branch_list_unproved(jd_follow *f);
jd_status jd_branch_add_special(jd_follow *f, jd_special_kind kind, const place *before,
                                const place *after, double error, bool turns,
                                const double *multiplier);
// The states of the special points, in their order, into the view.
jd_status jd_branch_special_states(jd_follow *f);
// The last special point became one with the change behind it, between these two: the curve begins
// beside both.
void jd_branch_mark_again(jd_follow *f, const place *before, const place *after);
// The orbit in the plane through y with normal `border`, near y, by the derivative at hand, with
// the contact states of `near`. own: its own derivatives are wanted next.
jd_status jd_branch_solve(jd_follow *f, place *p, const place *near, const double *border, bool own,
                          bool *found);
// follow.c: special points between `here` and `there`, which becomes `here`; corner: there are
// none.
jd_status jd_branch_accept(jd_follow *f, bool corner);
// anchor.c: y, an orbit at t = 0, to a first anchor away from its events.
jd_status jd_anchor_first(jd_follow *f, double *y);
// False: between a and b, of one string, an event came close to the anchor or passed it.
bool jd_anchor_kept(const place *a, const place *b);
// Moves the anchor away from the events of `here` where they have come close.
jd_status jd_anchor_renew(jd_follow *f);
// Moves it elsewhere, once at each point: the motion is to touch a stop, and may do so just there.
jd_status jd_anchor_shift(jd_follow *f, bool *moved);
// special/change.c: f->left and f->right, of different strings, moved to a change between them.
jd_status jd_branch_close_in(jd_follow *f);
// The orbit near p->y with its string and margins only, to that residual.
jd_status jd_branch_look(jd_follow *f, place *p, const double *border, double residual,
                         bool *found);
// Likewise, but to full accuracy where not `resting` contacts are stuck all along: beside
// the onset of sliding a residual makes contacts slide that do not.
jd_status jd_branch_look_sharp(jd_follow *f, place *p, const double *border, double residual,
                               int resting, bool *found);
// special/hidden.c: changes that undo each other between a and b, which have the same string;
// hidden: f->middle has another one.
jd_status jd_branch_hidden(jd_follow *f, const place *a, const place *b, bool *hidden);
void jd_branch_note_margins(jd_follow *f, const place *a, const place *b, bool plain);
// special/special.c: special points between two neighbours.
jd_status jd_branch_special(jd_follow *f, const place *a, place *b);
// The parameter turns between a and b, of one string, though no multiplier has passed 1.
bool jd_branch_misturned(const curve *c, const place *a, const place *b);
// special/cross.c: zero of a test function between a and b, of one string, into f->middle: the
// multiplier k on the unit circle, k < 0: the parameter turns. error: of its parameter.
jd_status jd_branch_cross(jd_follow *f, const place *a, const place *b, int k, double *error,
                          bool *found);
// The same where M - I is singular, too: a branch point.
jd_status jd_branch_cross_through(jd_follow *f, const place *a, const place *b, int k,
                                  double *error, bool *found);
// The orbit at the share `theta` of the chord from a to b.
jd_status jd_branch_between(jd_follow *f, const place *a, const place *b, double theta, place *out,
                            bool *found);
// special/retrace.c: does the branch meet itself at f->middle, between a and b where the parameter
// turns? Then its place, into f->middle.
jd_status jd_branch_meets(jd_follow *f, const place *a, const place *b, meeting *kind);
jd_status jd_branch_meet(jd_follow *f, const place *a, const place *b, double *error);
// The last orbit, which repeats itself within its period, is followed over the shorter one.
jd_status jd_branch_shorten(jd_follow *f);
// Is it back at its beginning? What was passed twice is dropped.
bool jd_branch_closes(jd_follow *f);
extern const char jd_meets_image[]; // why a branch ends at an orbit that is its own image
// Does the last orbit amplify rounding so much that neighbours cannot be told apart?
bool jd_branch_amplifies(const jd_follow *f);
// The last points were there before: they are dropped, and the branch ends.
bool jd_branch_retraces(jd_follow *f);
// What its residual allows the parameter of a point to be wrong by, from the derivative at hand.
double jd_branch_blur(jd_follow *f, const place *p);
// JD_SPECIAL_COUNT: nothing happens, bounces of chatter changed places.
jd_special_kind jd_branch_change_kind(const place *a, const place *b);
// True once a step has used up its orbits: what it holds is not sought any further.
bool jd_branch_spent(jd_follow *f);
// recorded.c: index of the phase of the last round at t = 0.
jd_status jd_branch_start_phase(jd_follow *f, int *index);
// Zeros of functions between a and b, of one string, among the special points.
jd_status jd_branch_functions(jd_follow *f, const place *a, const place *b);
// The value of `stop` passed between the last two points: *ends, and the last of them is where.
jd_status jd_branch_stop(jd_follow *f, bool *ends);
// Words for a value that was never reached.
jd_status jd_branch_not_stopped(jd_follow *f);
// family.c: the value of a member into the problem; the orbit with the largest measure; the other
// members, their peaks and the least of them.
jd_status jd_family_set(jd_follow *f);
void jd_family_note(jd_follow *f, const place *p);
jd_status jd_family_follow(jd_follow *f);
void jd_family_free(jd_follow *f);
// switch.c: is the flip, or the branch point, met at which the branch is to be left? Then from it
// onto the branch of doubled period, or the one that crosses; found: `here` is on it.
bool jd_branch_leaves(const jd_follow *f);
jd_status jd_branch_leave(jd_follow *f, bool *found);
// special/corner.c: no point could be found after `here`: a corner to go around (here gets the new
// tangent), or an end (f->view.end).
jd_status jd_branch_corner(jd_follow *f, bool *goes_on);
// special/graze_end.c: impacts of the last round without the bounces of chatter; those of p noted.
int jd_branch_count_impacts(const curve *c);
void jd_branch_note_impacts(jd_follow *f, const place *p);
// True when the impacts of the last points get slower and are below `share` of the fastest met.
bool jd_branch_near_grazing(const jd_follow *f, double share);
// Arclength over which the slowest impact loses 0.4 of its speed; INFINITY away from grazing.
double jd_branch_graze_step(const jd_follow *f);
// grazes: the speed goes to 0 near by, and the point was added; goes_on: `there` is the orbit
// beside it that does without the impact, else the branch ends. close: a speed that goes to 0 will
// do, even if the orbit that just touches is not found.
jd_status jd_branch_graze_end(jd_follow *f, bool close, bool *grazes, bool *goes_on);
// After a step that failed: enters: a grazing lies within it, and was added with orbits beyond it.
jd_status jd_branch_enter(jd_follow *f, bool *enters);
// lambda, where an impact appears beside `few`, which has one less, and its error: made better
// when the grazing is within `near` (of the window).
jd_status jd_branch_touch(jd_follow *f, const place *few, double near, double *lambda,
                          double *error);
// Is the number of real multipliers beyond 1 odd?
bool jd_branch_odd(const curve *c, const place *p);
// special/land.c: where bounces begin (grazings gather ahead) or cease to come to rest; goes_on:
// the point was added with the orbit beyond it.
jd_status jd_land_enter(jd_follow *f, bool *goes_on);
// The same where the next grazing lies ahead, but no orbit beyond it is found.
jd_status jd_land_pass(jd_follow *f, bool *goes_on);
jd_status jd_land_leave(jd_follow *f, bool *goes_on);
// Special points too close to a landing on the side of the bounces, out of the list.
void jd_land_leave_out(jd_follow *f);
// special/graze.c: the part of the period in which the slowest impact of the last round falls, or,
// after a round at sh->s, in which a stop is approached most closely without being hit.
bool jd_graze_of_impact(const curve *c, graze *g);
jd_status jd_graze_of_turn(curve *c, graze *g, const double *y, bool *found);
// The parts half a period later on the other side, too.
void jd_graze_add_images(const curve *c, graze *g);
// Parts in which the orbit turns back as closely, where it has a shorter period, `turns` of the
// drive's, once its impact is gone; false: it is hit there.
bool jd_graze_add_turns(const curve *c, graze *g, int turns);
// From a guess of the orbit through the stop to the one that just touches it; then to the side
// where it stays before the stop, `by` of the window away.
jd_status jd_graze_locate(curve *c, graze *g, double *y, bool *found);
jd_status jd_graze_beside(curve *c, graze *g, double by, double *y, bool *found);
// The period from y, through the stops while they are left out: F, M, events and the free paths.
jd_status jd_graze_through(curve *c, graze *g, const double *y, bool *lost);
// special/enter.c: how orbits with the impact leave the grazing of f->entrance.g and .y; known:
// there is one such direction.
jd_status jd_enter_open(jd_follow *f);
jd_status jd_enter_prepare(jd_follow *f, bool *known);
// The orbit with the impact at arclength h from the grazing, its tangent along `old`; old NULL:
// away from the grazing.
jd_status jd_enter_at(jd_follow *f, double h, const double *old, place *out, bool *found);
// Its largest multiplier goes like a power of h: nothing happens between it and the grazing.
bool jd_enter_is_close(const jd_follow *f, const place *p, double h, double *product);
// steady/slip.c: the branch of a steady slip, where it is asked for.
bool jd_steady_applies(const jd_follow *f);
jd_status jd_steady_follow(jd_follow *f);
// The steady slip at `from` as a state of the map, but for forces of sliding contacts with springs,
// which follow from it; omega: of the motion that neither grows nor
// decays about it, 0: none.
jd_status jd_steady_state(jd_follow *f, double *s, jd_phase *phase, double *omega);
// steady/hopf.c: the first cycle beside the Hopf point at `from`, into f->at.here.y.
jd_status jd_hopf_first(jd_follow *f, bool *found);
// Unit vector away from the steady slip, at the cycle y: in the state, or in the parameter where
// `sense` says so.
void jd_hopf_outwards(const jd_follow *f, const double *y, double *border);
// two/pair_walk.c: the curve in two parameters from f->mark.
jd_status jd_branch_pair(jd_follow *f);

#endif

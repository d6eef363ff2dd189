// nsm.h -- nonsmooth modes: families of periodic orbits of a structure without losses that hits
// one elastic stop, once per period.
//   With a_j the share of mode j in the motion of the stop's point (sum a_j = 1) and
//   b_j = a_j/omega_j, every orbit of period T has a closed form; families start at the linear
//   grazing orbits T = k T_j and exist for shorter T down to where they graze again or their energy
//   grows without bound.
#ifndef JUDDER_NSM_H
#define JUDDER_NSM_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// Nonsmooth modes of a problem.
typedef struct jd_nsm jd_nsm;

// How a branch ends.
typedef enum jd_nsm_end {
    JD_NSM_GRAZE,    // the orbit touches the stop a second time
    JD_NSM_UNBOUNDED // the energy grows without bound
} jd_nsm_end;

// What happens where stability changes.
typedef enum jd_nsm_change {
    JD_NSM_START,
    JD_NSM_FOLD,
    JD_NSM_FLIP,
    JD_NSM_KREIN,
    JD_NSM_END
} jd_nsm_change;

// An interval of a branch on which all orbits are stable, or all are unstable.
typedef struct jd_nsm_interval {
    double from, to; // angular frequency [rad/s], from < to
    bool stable;
    jd_nsm_change starts_with, ends_with;
    bool proved; // everywhere but within `resolution` of its ends; false: inside it, too, there are
                 // intervals without proof, none wider than `resolution`
    double resolution; // width of the widest interval without proof [rad/s]
} jd_nsm_interval;

// A family of orbits with one impact per period.
typedef struct jd_nsm_branch {
    int mode, divisor; // starts at omega_mode/divisor; mode counts from 1
    int resonant;      // number of other modes with a subharmonic at the same frequency;
                       // the branch then starts with a motion of all of them
    double omega_start, omega_end; // [rad/s]
    jd_nsm_end end;
    double energy_start, energy_end; // [J]; energy_end is INFINITY when unbounded
    double graze_time;               // [s] after the impact, JD_NSM_GRAZE
    bool certified;                  // proved: no second contact anywhere on the branch
    int n_interval;                  // 0: stability was not computed
    const jd_nsm_interval *interval;
} jd_nsm_branch;

// Families with more impacts per period that meet at the grazing end of a one-impact branch, where
// the orbit touches the stop a second time, t_g after its impact.
typedef enum jd_nsm_kind {
    JD_NSM_BRIDGE,   // impacts at 0 and t_g that share the impulse, p1 + p2 = v; constant omega
    JD_NSM_PAIR,     // two equal impulses; crosses the bridge in its middle
    JD_NSM_SYMMETRIC // impacts at 0 and in pairs -t, t: three, and more where that one grazes again
} jd_nsm_kind;

// How a family ends.
typedef enum jd_nsm_stop {
    JD_NSM_STOP_GRAZE,     // touches the stop once more
    JD_NSM_STOP_FADES,     // the impulse of one impact falls to 0: an orbit with fewer impacts that
                           // grazes
    JD_NSM_STOP_LINEAR,    // the impulses of all impacts fall to 0: a linear mode that grazes
    JD_NSM_STOP_MERGE,     // two impacts come together in time
    JD_NSM_STOP_HALVED,    // the impacts become evenly spaced: an orbit of a shorter period
    JD_NSM_STOP_UNBOUNDED, // the energy grows without bound
    JD_NSM_STOP_CLOSED,    // the family is a closed curve: it came back to its start
    JD_NSM_STOP_BUDGET     // the work allowed was used up
} jd_nsm_stop;

// Where omega turns back along a family.
typedef struct jd_nsm_turn {
    double omega, energy;
} jd_nsm_turn;

// A family of orbits with several impacts per period.
typedef struct jd_nsm_family {
    jd_nsm_kind kind;
    int branch;  // whose grazing end it belongs to
    int parent;  // symmetric with more than three impacts: the family it continues; else -1
    int impacts; // per period
    int way;     // pairs: -1 to longer, +1 to shorter periods at first; else 0
    int n;       // orbits along it
    const double *omega, *energy; // n
    const double *time, *impulse; // n x impacts: after the first [s]; half the jump [m/s]
    const double *growth; // n: largest |Floquet multiplier| of each orbit; NULL: not computed
    const bool *stable;   // n: all multipliers lie on the unit circle, to rounding
                          // (docs/theory/nonsmooth-modes.md)
    int n_turn;
    const jd_nsm_turn *turn;
    double omega_end; // [rad/s] of the last orbit; JD_NSM_STOP_UNBOUNDED: where the energy has no
                      // bound
    jd_nsm_stop stop;
    double graze_time; // [s] JD_NSM_STOP_GRAZE
    bool certified;    // every orbit listed is proved free of other contacts
} jd_nsm_family;

// What happens at a node of the graph of branches and families (jd_nsm_graph).
typedef enum jd_nsm_meeting {
    JD_NSM_AT_LINEAR,   // a linear mode that just touches the stop
    JD_NSM_AT_GRAZE,    // an orbit that touches it once more
    JD_NSM_AT_FOLD,     // energy (one impact) or omega (more impacts) turns back
    JD_NSM_AT_MIDDLE,   // equal impulses: a bridge crosses its pair
    JD_NSM_AT_FLIP,     // a pair becomes one impact of half its period
    JD_NSM_AT_LOOSE_END // where the work allowed was used up
} jd_nsm_meeting;

// Where branches and families meet.
typedef struct jd_nsm_node {
    jd_nsm_meeting kind;
    double omega, energy;
} jd_nsm_node;

// A branch or family between two nodes.
typedef struct jd_nsm_edge {
    int branch, family; // one of them; the other is -1
    int from, to;       // nodes; to is -1 where the energy grows without bound
} jd_nsm_edge;

// How branches and families are connected: the part of one between two nodes is an edge.
typedef struct jd_nsm_graph {
    int n_node, n_edge;
    const jd_nsm_node *node;
    const jd_nsm_edge *edge;
} jd_nsm_graph;

// An orbit with sustained contact: in each period the point stays on the stop for some time. It
// reaches the stop with speed 0 and acceleration 0, the structure presses it on, and it leaves when
// the contact force has fallen to 0. Such orbits are isolated: they form no families. Flight and
// contact are both even in time about their middles.
typedef struct jd_nsm_sustained {
    double omega, energy;   // [rad/s], [J]
    double flight, contact; // duration of each [s]
    double force;           // of the stop in the middle of the contact [N]
    bool certified; // proved: away from the stop in flight, contact force < 0 all through the
                    // contact
} jd_nsm_sustained;

// What the search for orbits with sustained contact has covered.
typedef struct jd_nsm_search {
    bool asked;
    bool complete;   // proved, up to rounding: there are no others in the window
    bool given_up;   // the work allowed was used up: searched only down to `down_to`
    double down_to;  // [rad/s] searched from above down to here
    long long looks; // rectangles of (flight, contact) examined
    int solutions;   // of the equations, including those that pass through the stop or need a stop
                     // that pulls
    int undecided;   // rectangles too small to be divided further that may hold another orbit
} jd_nsm_search;

// What is sought; jd_nsm_options_of fills it from the section `nsm`, whose defaults are given here.
typedef struct jd_nsm_options {
    double omega_low, omega_high; // branches that start in this window [rad/s], which may begin
                                  // below the lowest mode; omega_low 0: at the lowest mode
    bool stability;               // is computed; default: up to 100 modes
    bool thorough; // stability is proved down to 1e-9 of each branch, without a limit of work;
                   // false: after some work wider intervals stay without proof, see `resolution`
    bool family_stability; // of each orbit of the families: 8 n^3 operations and more for n modes
    int impacts;    // most impacts per period of the families, >= 1; default 1. Each further impact
                    // costs much more
    bool phantoms;  // solutions that pass through the stop are listed, too; default false
    bool sustained; // orbits with sustained contact, of a frequency in the window; default false.
                    // Costs a separate search
} jd_nsm_options;

// A phantom: frequencies at which the equations of one impact have a solution that passes through
// the stop between its impacts, so no orbit: from the grazing end of a branch, or from the pole
// where there is no branch, up to where its energy grows without bound.
typedef struct jd_nsm_phantom {
    int mode, divisor;
    double from, to; // [rad/s]
} jd_nsm_phantom;

// Options from the `nsm` section of a problem that has been built. Stability is computed by
// default up to 100 modes, thoroughly up to 40: with more it would take most of the time.
jd_status jd_nsm_options_of(const jd_problem *problem, jd_nsm_options *out);

// All families in the window of the options. JD_NOT_SUPPORTED unless the problem has one elastic
// stop and no losses. The problem must not change while the result is used.
jd_status jd_nsm_create(jd_context *context, jd_problem *problem, const jd_nsm_options *options,
                        jd_nsm **out);
// NULL is allowed.
void jd_nsm_free(jd_nsm *nsm);

int jd_nsm_poles(const jd_nsm *nsm);    // linear grazing orbits in the window
int jd_nsm_branches(const jd_nsm *nsm); // those that a branch starts from
const jd_nsm_branch *jd_nsm_branch_at(const jd_nsm *nsm, int i); // by falling omega_start
// Name of a change of stability: "fold".
const char *jd_nsm_change_name(jd_nsm_change change);
// Families with more than one impact, by branch; none when the options ask for one impact.
int jd_nsm_families(const jd_nsm *nsm);
// Number i of them; it belongs to the result.
const jd_nsm_family *jd_nsm_family_at(const jd_nsm *nsm, int i);
int jd_nsm_phantoms(const jd_nsm *nsm); // 0 unless the options ask for them
// Number i of them; it belongs to the result.
const jd_nsm_phantom *jd_nsm_phantom_at(const jd_nsm *nsm, int i);
// Orbits with sustained contact; 0 unless the options ask for them.
int jd_nsm_sustained_count(const jd_nsm *nsm);
// Number i of them, by falling omega; it belongs to the result.
const jd_nsm_sustained *jd_nsm_sustained_at(const jd_nsm *nsm, int i);
// What the search for them covered.
jd_nsm_search jd_nsm_search_of(const jd_nsm *nsm);
// How branches and families meet at their ends.
const jd_nsm_graph *jd_nsm_graph_of(const jd_nsm *nsm);
// Name of a kind of node: "graze".
const char *jd_nsm_meeting_name(jd_nsm_meeting kind);
// Name of a kind of family: "bridge".
const char *jd_nsm_kind_name(jd_nsm_kind kind);
// Name of the way a family ends: "merge".
const char *jd_nsm_stop_name(jd_nsm_stop stop);

// Energy [J] of the orbit of angular frequency omega, and its speed just after the impact [m/s] (<
// 0: away from the stop). Valid on a branch.
double jd_nsm_energy(const jd_nsm *nsm, double omega);
// Velocity of that orbit just after its impact [m/s].
double jd_nsm_speed(const jd_nsm *nsm, double omega);
// n orbits spread along a branch so that its energy is well resolved, by rising omega.
void jd_nsm_points(const jd_nsm *nsm, int branch, int n, double *omega);
// Whether the orbit of that frequency is stable; false: stability was not computed.
bool jd_nsm_stable(const jd_nsm *nsm, int branch, double omega, bool *stable);
// State just after the impact in modal coordinates of the problem (q, then q').
void jd_nsm_state(const jd_nsm *nsm, double omega, double *q, double *rate);
// State of orbit `at` of a family just after its first impact, likewise.
void jd_nsm_family_state(const jd_nsm *nsm, const jd_nsm_family *family, int at, double *q,
                         double *rate);
// State of an orbit with sustained contact in the middle of its flight: all velocities are 0.
jd_status jd_nsm_sustained_state(const jd_nsm *nsm, int i, double *q);
// Motion of a point over one period of that orbit from the middle of its flight, and the force of
// the stop (may be NULL); arguments as below.
jd_status jd_nsm_sustained_trace(const jd_nsm *nsm, int i, const char *point, int n, double *u,
                                 double *v, double *force);
// Motion of a point ("tip", "body.tip"; NULL: the stop's) over one period of the orbit of frequency
// omega, from just after the impact to just before the next: n samples at t = i T/(n - 1).
jd_status jd_nsm_trace(const jd_nsm *nsm, double omega, const char *point, int n, double *u,
                       double *v);

// One orbit of the result: of a branch, or one with sustained contact.
typedef struct jd_nsm_pick {
    int branch;    // -1: not of a branch
    double omega;  // [rad/s] on that branch
    int sustained; // number of the orbit with sustained contact; used when branch < 0
} jd_nsm_pick;

// Its angular frequency [rad/s].
double jd_nsm_pick_omega(const jd_nsm *nsm, jd_nsm_pick pick);
// Its energy [J].
double jd_nsm_pick_energy(const jd_nsm *nsm, jd_nsm_pick pick);
// "orbit of ω = 1.5 on branch ω1/1", "orbit s1, ..." in `text` of `size` bytes.
void jd_nsm_pick_name(const jd_nsm *nsm, jd_nsm_pick pick, char *text, int size);
// Motion of a point as above, over a period from the impact, or from the middle of the flight.
// force: of the stop during sustained contact, may be NULL; impulses of impacts are not in it.
jd_status jd_nsm_pick_trace(const jd_nsm *nsm, jd_nsm_pick pick, const char *point, int n,
                            double *u, double *v, double *force);

// Floquet multipliers of the orbit of frequency omega on a branch, re and im of each, in pairs
// lambda, 1/lambda: 2 m numbers of them, m the modes that move the stop; the last pair is 1, 1
// (along the orbit and along the branch).
int jd_nsm_modes(const jd_nsm *nsm);                                    // m
jd_status jd_nsm_multipliers(jd_nsm *nsm, double omega, double *value); // 4 m

#ifdef __cplusplus
}
#endif

#endif

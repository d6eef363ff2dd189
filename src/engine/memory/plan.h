// plan.h -- the plan of the memory engine: everything that stays as it is from one panel to the
// next. Made by `create` and changed by `replan` and `refine` alone; all else reads it.
//   plan.c      contacts, tolerances, scales of speed and force
//   poles/      poles and weights of the structure, drives
//   delays/     waves that come back, in the place of most poles
//   panel/      nodes of a panel
#ifndef JD_ENGINE_MEMORY_PLAN_H
#define JD_ENGINE_MEMORY_PLAN_H

#include "contact/law.h"
#include "engine/engine.h"
#include "engine/memory/panel/nodes.h"
#include "expsum/sum.h"

// Poles lambda_p of the structure and how forces enter and velocities follow.
typedef struct poles {
    int n, used;                 // padded to a multiple of 4; padding has pole -1 and no weights
    double *re, *im;             // poles, |lambda| ascending
    double *inv_re, *inv_im;     // 1/lambda
    double *in_re, *in_im;       // m x n: force of a contact
    bool plain;                  // one contact whose force enters every pole as it is: in = 1
    bool real;                   // some poles are real
    double *out_re, *out_im;     // rows x n: contacts, then (exact) the places of the drives
    double *place_re, *place_im; // m x n: out/lambda, displacements
    double *gamma;               // m x m
    double *start;               // m x m: G'(0+) = Re sum out in
    double soft;                 // poles below this are rigid-body modes [rad/s]; 0: none
    double error;                // of the fit, of the largest transfer; 0: exact
    int kept;                    // modal poles among them
    bool exact;                  // finitely many modes: poles are those of the modes
    // exact: what turns pole states into modal coordinates, q = Re(share z), q' = Re(share lambda
    // z)
    int *mode;                   // used: mode of a pole
    const double *right;         // coupled damping: used rows of n_mode complex numbers u_p, then
                                 // in = row u, q = Re sum share u z; else NULL
    double *share_re, *share_im; // n
} poles;

static inline bool is_soft(const poles *c, int p) {
    return c->re[p] * c->re[p] + c->im[p] * c->im[p] < c->soft * c->soft;
}

// A drive: how its force enters the poles and what it does to rows in closed form (drives.c).
typedef struct drive_part {
    const jd_object *object;
    double omega;                       // its one angular frequency [rad/s]; 0: none
    double *in_re, *in_im;              // n
    double *wave_re, *wave_im;          // rows: velocity per amplitude of e^{i omega t}
    double *jump, *level, *slope, *sag; // rows: gamma; Re sum out in/lambda^k for k = 1, 2, 3
    double *rigid; // rows: Re out in of rigid-body modes, which levels and slopes accelerate,
    double *creep; // and Re out in/lambda of those that damping by mass holds back
    double *shift; // rows: the jump, or with echoes, which carry it, the level: in displacements
} drive_part;

// A stop in the place of friction: u <= gap, or |u| <= gap.
typedef struct stop {
    bool is, both;
    double gap, restitution; // [m], 0 to 1
} stop;

// Displacements of waves that come back, without a sum of all errors (displacement.c).
enum { FILTER_POLES = 8 };
typedef struct displacement_filter {
    double a[FILTER_POLES];       // [1/s]
    double by_rate[FILTER_POLES]; // of the filtered rates
    double *by_force;             // m x places x FILTER_POLES: of the filtered forces
    int n_slow, *slow;            // poles of the structure that are as slow as the filter
    double *by_slow;              // m x n_slow: of their states
} displacement_filter;

// Waves that come back: what does not depend on the motion.
typedef struct echo_plan {
    bool sharp;                  // no damping: echoes are not smeared
    double *gain;                // m x places: velocity by a constant force through the poles alone
    const double *jump;          // n_drive x m: what drives do to velocities at once
    displacement_filter *filter; // NULL: displacements are sums of velocities
} echo_plan;

// How well a panel is solved.
typedef struct panel_accuracy {
    double v_share, F_share; // errors of its velocities and forces, of the tolerance in use
    bool loose;              // a coarse tolerance: for speed
    double enough;           // last change of a force in Newton's method, over its size
} panel_accuracy;

typedef struct memory_plan {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    const jd_simd *lanes;               // exponentials four at a time
    int m, n_drive, n_mode, n_stop;     // contacts; drives; modes of the problem; stops
    int rows;                           // velocities that are followed, contacts first
    bool jumps;                         // gamma > 0: forces are continuous, velocities follow them
    nodes nodes;                        // of a panel
    poles poles;                        // of the structure
    echo_plan *echo;                    // waves that come back; NULL: poles alone
    jd_friction *law;                   // m: friction laws
    stop *stop;                         // m: stops
    double *belt;                       // m: velocities of the counterparts [m/s]
    drive_part *drive;                  // n_drive, and one more for a start
    const double *drive_jump;           // n_drive x rows, NULL: none
    double asked, tolerance;            // of the model; in use
    panel_accuracy accuracy;            // of one panel
    bool usual;                         // panels are those of panel/usual.c
    double largest_step, smallest_step; // [s]
    long budget;                        // most events
    double *mobility;                   // m: velocity per force [m/(s N)]
    double *v_scale, *f_scale;          // m: speeds, forces that count as large at the start
    int *coordinate, n_coordinate;      // of a state of the map, for each pole; -1: none (map.c)
} memory_plan;

// plan.c
// Contacts as the problem has them now; does every motion have one force only?
jd_status jd_plan_read_contacts(memory_plan *plan);
jd_status jd_plan_refuse_ambiguous(memory_plan *plan);
// What the poles are chosen by: tolerance, nodes, contacts, drives; once they are there: does every
// history have one motion?
jd_status jd_plan_begin(memory_plan *plan);
jd_status jd_plan_check(memory_plan *plan);
// Longest and shortest steps, mobilities; and speeds and forces that friction can cause. room:
// longest panel whose echoes are all history [s].
void jd_plan_scales(memory_plan *plan, double room, double *v_scale, double *f_scale);
// Tolerance in use: `share` of the one asked for.
void jd_plan_refine(memory_plan *plan, double share);
// Coordinates of the map's states.
jd_status jd_plan_coordinates(memory_plan *plan);

#endif

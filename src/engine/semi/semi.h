// semi.h -- a rod on a grid that rubs along a length against a body in modes, or against ground.
//   Rod, n nodes, half masses at its ends:   m_i u_i'' = -(K u)_i + p_i + f_i
//   Counter body, n_mode modes:              eta'' + Omega^2 eta = q - Psi' f
//   Psi: mode shapes averaged over the cells; g = u' - Psi eta' - v0 is the velocity between them.
//   Damped (C = alpha M + beta K):           - C u' on the right, and - c eta' of each mode
//   Sliding cells s = sgn g:  f = -s limit.   Stuck cells S: u_S'' = Psi_S eta'', hence
//     (I + Psi_S' m_S Psi_S) eta'' = -Omega^2 eta + q + Psi' s limit + Psi_S' (p - K u)_S
//     f_S = m_S Psi_S eta'' + (K u)_S - p_S,    |f_S| <= static limit     [mode matching, 11-16]
#ifndef JD_ENGINE_SEMI_SEMI_H
#define JD_ENGINE_SEMI_SEMI_H

#include "base/arena.h"
#include "contact/friction.h"
#include "drive/segment.h"
#include "judder/run.h"

enum { JD_SEMI_LANES = 4 }; // rows are padded to whole vectors

// A force p(t) spread over two neighbouring nodes, or over the modes of the counter body.
typedef struct jd_semi_drive {
    const jd_object *object;
    double omega;     // resolved [rad/s]
    int node;         // first of the two nodes; -1: acts on the counter body
    double weight[2]; // shares of the two nodes
    double *modal;    // participation of the modes, stride entries; NULL on the rod
} jd_semi_drive;

// A footprint that moves: a cell lies at left + way .. right + way of the span's own axis, where
// the way is its relative displacement; what it has of the friction is that of its part of the
// span.
typedef struct jd_semi_footprint {
    bool moves;
    double *left, *right;       // n_cell: their parts of the span at the start, on the rod [m]
    double from, shift;         // start of the span on the rod; place on the counter body minus it
    double *low, *high;         // of the whole cells, n_cell, on the rod [m]
    double *way;                // n_cell: where the cells were put last [m]
    double limit, static_ratio; // per length [N/m]; static limit divided by it
    const jd_profile *profile;
} jd_semi_footprint;

// C = alpha M + beta K of the rod [1/s], [s]; of each mode of the counter body [1/s], stride.
typedef struct jd_semi_damping {
    bool acts;
    double alpha, beta;
    double *mode;
} jd_semi_damping;

typedef struct jd_semi {
    int n;                        // nodes of the rod
    int n_cell, first;            // cell j is node first + j
    int n_mode, stride;           // modes of the counter body; padded
    int cell_stride;              // cells, padded
    bool fixed[2];                // ends of the rod that are fixed
    double step;                  // h [m]
    double rate;                  // c/h [1/s]
    double spring;                // EA/h [N/m]
    double fastest;               // bound on every rate of the motion, whatever sticks [rad/s]
    double velocity;              // v0 of a moving counterpart [m/s]
    double *mass;                 // n [kg]
    double *omega2;               // stride [rad^2/s^2]
    double *shape;                // n_cell rows of stride: Psi
    double *shape_t;              // n_mode rows of cell_stride: Psi'
    double *limit, *static_limit; // n_cell [N]
    double *stiffness;            // n_cell [N/m]: of the contact while stuck
    bool elastic;                 // it has one
    jd_semi_damping damping;
    jd_semi_footprint footprint;
    int n_drive;
    jd_semi_drive *drive;
    int body[2];               // of a problem: the rod's, the counter body's (-1: ground)
    const jd_rod_def *counter; // NULL: ground
} jd_semi;

// Plain numbers the arrays are made from.
typedef struct jd_semi_def {
    int nodes;
    double length, axial_stiffness, mass_per_length;
    jd_supports supports;
    int n_cell, first;
    const double *left, *right;         // the cells' parts of the span, on the rod [m]
    const double *limit, *static_limit; // of each cell [N]
    const double *stiffness;            // of each cell [N/m]; NULL: rigid
    double damping[2][2];               // alpha, beta of the rod and of the counter body
    double velocity;                    // of a moving counterpart
    int modes;                          // of the counter body; 0: ground
    const jd_rod_def *counter;          // modes > 0
    double shift;                       // position on the counter body minus that on the rod
    int drives;
} jd_semi_def;

// Everything but the drives, which get room. Memory is the arena's.
jd_status jd_semi_create(jd_arena *arena, const jd_semi_def *def, jd_semi *out);

// A place of the rod as two neighbouring nodes and their shares, as a lever would share a force.
void jd_semi_place(const jd_semi *semi, double position, int *node, double weight[2]);
// Mode shapes of the counter body at a place of it: n_mode entries.
void jd_semi_shape(const jd_semi *semi, double position, double *out);

// The rods, the contact along a span and the drives of a problem. `refuses` says in words what
// stands against it, or NULL; `finds_more`: the engine computes damping, springs of the contact and
// moving footprints.
const char *jd_semi_refuses(const jd_problem *problem, bool finds_more);
jd_status jd_semi_of_problem(jd_arena *arena, const jd_problem *problem, jd_semi *out);

// Puts a cell where its relative displacement has brought it: its limits, and its mode shapes.
// False: it lies beyond the end of the counter body; nothing is changed.
bool jd_semi_put(const jd_semi *semi, int cell, double way);

// The work of a run so far [J], kept by the engine: per drive, in the contact, by a moving
// counterpart; in damping; stored in the springs of the contact.
typedef struct jd_semi_work {
    double *drive, contact, belt, damping, spring, zero; // zero: of impacts, which there are none
} jd_semi_work;

// The ledger of that work and of the energy stored in this motion.
jd_ledger jd_semi_ledger(const jd_semi *semi, const jd_semi_work *work, const double *u,
                         const double *v, const double *eta, const double *eta_v);

// The cells of the contact at one time, in arrays that the engine fills.
typedef struct jd_semi_cells {
    jd_interface_field face; // points into the arrays below
    double *position, *length, *displacement, *velocity, *force, *state, *loss;
} jd_semi_cells;

jd_status jd_semi_cells_create(jd_arena *arena, const jd_semi *semi, jd_semi_cells *out);
// Mean displacement and velocity over the length, and the sum of the forces.
void jd_semi_cells_mean(const jd_semi_cells *c, double *displacement, double *velocity,
                        double *force);

// Places that are looked at: on the grid between two nodes, or on the counter body by its modes.
typedef struct jd_semi_probe {
    int node; // first of two; -1: on the counter body
    double weight[2];
    double *modal;
} jd_semi_probe;

typedef struct jd_semi_probes {
    int n;
    jd_semi_probe *at;
} jd_semi_probes;

// Adds a place; *index is its number.
jd_status jd_semi_probe_at(jd_arena *arena, const jd_semi *semi, int body, double position,
                           jd_semi_probes *probes, int *index);

#endif

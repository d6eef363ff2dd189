// memory.h -- the memory engine inside: contact points with memory instead of modes.
//   y'_i = drive_i(t) + sum_j gamma_ij F_j + Re sum_p out_ip z_p,   z_p' = lambda_p z_p + in_p F
//   Poles lambda_p are those of the modes (finitely many: exact) or of a rational fit (infinitely
//   many). Time is cut into panels; in each the unknown forces F_j are polynomials through s Radau
//   nodes (discontinuous between panels), everything else is exact:
//     y'(t0 + c_i h) = known_i + sum_k B_ik F_k,   B_ik = gamma + Re sum out int e^{lambda .} L_k
//     in
//   with v_rel = y' - belt = 0 (stuck) or F = -sign f(sign v_rel) (sliding) at every node.
// Parts of the engine:
//   plan.h       constant: structure, laws, tolerances       plan.c
//   state.h      what is saved                               snapshot.c, map.c
//   panel/       the present panel, from plan and state      poles/, contacts/, delays/
//   memory.h     arrays that hold nothing between two calls
//   observers/   energy ledger, ranges, tangent, replay
#ifndef JD_ENGINE_MEMORY_MEMORY_H
#define JD_ENGINE_MEMORY_MEMORY_H

#include "engine/memory/contacts/contacts.h"
#include "engine/memory/delays/delays.h"
#include "engine/memory/observers/observers.h"

// Arrays that a function fills and its caller reads, and that hold nothing from then on.
typedef struct memory_scratch {
    double *z_re, *z_im;           // n: pole states inside a panel
    double *factor_re, *factor_im; // n: of pole states over a time x: e^{lambda x}, or less 1
    double *moment_re, *moment_im; // s x n: M_r of coefficients.c
    double *share_re, *share_im;   // n: the drives' share of pole states
    float *rough_re, *rough_im;    // n: states of the poles in single precision; NULL: not needed
    double *modal;                 // n_mode: C q + q'
    double *coordinates;           // n_coordinate: a state of the map
    double *matrix, *right_side;   // (s m)^2, s m: a linear system; its solution
    double *displacement, *velocity, *acceleration; // m: of contacts
    double *force;                                  // m: of contacts
    double *approach;                               // m: relative velocities before an impact
    double *box_matrix,
        *box_free; // m x m, m: box problem of contacts (forces.h); motion without forces
    double *box_low, *box_high, *box_force, *box_left, *box_inside;
} memory_scratch;

// A point that is looked at: a contact's, or weights over the poles.
typedef struct probe {
    int contact; // >= 0: moves as that contact does
    double *out_re, *out_im;
    drive_part *drive; // what the drives do to it (rows = 1)
} probe;

// Events of one instant that are still to be handed out.
typedef struct event_queue {
    jd_event *event;
    int n, next;
} event_queue;

struct memory {
    jd_run *run;
    jd_arena *arena;
    const memory_plan *plan;
    memory_plan *replan; // the plan, for create, replan and refine alone
    memory_state state;
    memory_panel panel;
    coefficients_cache cache;
    memory_scratch scratch;
    memory_observers observers;
    event_queue queue;
    struct {
        double t;
        long evaluations;
    } stretch; // where the present stretch of time began: how much work has it cost?
    int n_probe;
    probe *probe;
};

// memory.c
jd_status jd_memory_plan(memory *e); // plan, and the state at t = 0
void jd_memory_set_phase(memory *e); // contact states into the run

// map.c
int jd_memory_coordinates(const jd_run *run);
int jd_memory_modes(const jd_run *run, double *out);
void jd_memory_scales(const jd_run *run, double *out);
jd_status jd_memory_restart(jd_run *run, double t, const double *state, const jd_phase *phase);
void jd_memory_state(jd_run *run, double *out);
void jd_memory_rate(jd_run *run, double *out);
jd_status jd_memory_tangent_start(jd_run *run);
void jd_memory_tangent(jd_run *run, double *out);
jd_status jd_memory_replan(jd_run *run);
double jd_memory_refine(jd_run *run, double share);

// snapshot.c
size_t jd_memory_state_size(const jd_run *run);
jd_status jd_memory_save(jd_run *run, char *to);
jd_status jd_memory_load(jd_run *run, const char *from, size_t size);
jd_status jd_memory_shift(jd_run *run, double by);
// The state, whose past was made anew, is that at t (waves that come back).
void jd_memory_put_back(jd_run *run, double t);

#endif

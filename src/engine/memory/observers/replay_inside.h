// replay_inside.h -- one period of a motion, taken down panel by panel, and a change of it under
// way.
#ifndef JD_ENGINE_MEMORY_OBSERVERS_REPLAY_INSIDE_H
#define JD_ENGINE_MEMORY_OBSERVERS_REPLAY_INSIDE_H

#include "engine/memory/memory.h"
#include "engine/memory/observers/replay.h"

// By what the end of a panel moves, where a force jumps there.
typedef enum replay_mover {
    MOVES_NOT,      // no force jumps: it need not be known
    MOVES_BY_FORCE, // a contact lets go: its force reaches a limit
    MOVES_BY_PLACE, // a stop is reached
    MOVES_BY_EDGE,  // a sliding branch ends (replay_edge.c)
    MOVES_AFTER     // likewise, less than the shortest step behind the panel
} replay_mover;

typedef struct replay_panel {
    double t, h; // since the start of the period
    const coefficients *coefficients;
    coefficients *own;         // of a length that is not kept
    double *inverse, *gain;    // (s m)^2, s m: dF = inverse gain dv, dv without these forces
    jd_contact_state *contact; // m
    double *velocity;          // s m: of the motion
    double *F, *w;             // polynomials of the motion: places s, m (s + 1)
    replay_mover mover;
    int contact_at_end; // the one whose event ends it; -1: none
    double rate;        // of what decides about the end: dF/dt, speed, rate of the guard
    double *jump;       // m: jumps of the forces at its end
    double *stretch;    // s m: velocities by its length (edges)
    double *slope;      // s m: theta dF/dtheta / h of the motion (edges)
} replay_panel;

// A state that was put aside.
typedef struct replay_held {
    delay_line *line; // NULL: none yet
    double t, step, *z_re, *z_im, *moved, *filtered, *force;
    jd_contact_state *contact;
    stop_side *side;
} replay_held;

// The change that is computed at present.
typedef struct replay_change {
    double *z_re, *z_im, *weight; // pole states, and their scale
    double *moved;                // m: displacements by echoes
    double *F, *w, *known, *past, *first, *nodal, *push;
    double *whole;           // block: numbers of a panel
    double *square, *column; // (s m + 1)^2, s m + 1: of a system
} replay_change;

struct replay {
    bool on;
    int n, room, taken, periods; // panels of a period; ...; with arrays; periods kept of the past
    int block;                   // numbers of a panel: m s of dF, m (s + 1) of dw
    double since, length;        // [s]
    const char *why;             // there are no changes; NULL: there are
    replay_panel *panel;
    delay_line *line, *before; // changes under way; the past at the start of the period
    double *start_re, *start_im, *start_moved; // pole states and displacements there
    replay_change change;
    double pulse[2][STAGES + 1]; // polynomials that act as a pulse at the end of a panel
    replay_held held[JD_REPLAY_HELD];
    jd_friction *law; // m: laws and belts of another value of a parameter
    double *belt;
};

// Numbers of one period in a change, and behind them pole states and displacements.
static inline size_t replay_one(const replay *r) { return (size_t)r->n * (size_t)r->block; }
static inline int replay_tail(const memory *e) { return 2 * e->plan->poles.n + e->plan->m; }
// Size of a panel's numbers in a change: of their share of the period.
static inline double replay_share(const replay *r, const replay_panel *p) {
    return sqrt(p->h / (r->length * r->block));
}

// replay_round.c
// What a round is driven by besides the past: forces and velocities at the nodes.
typedef struct replay_force {
    unsigned *seed; // forces that differ from panel to panel; NULL: none
    bool other;     // laws and belts of the other value; `by`: its distance
    double by;
    delay_line *less; // a past that is taken off; NULL: none
} replay_force;

jd_status jd_replay_load(memory *e, const double *x); // past and pole states of x
void jd_replay_pack_tail(const memory *e, double *out);
// One period from what was loaded, from time `start` on; panels into out.
jd_status jd_replay_round(memory *e, const replay_force *by, double start, double *out);
void jd_replay_pack(const memory *e, const replay_panel *p, const double *F, const double *w,
                    double *out);
void jd_replay_unpack(const memory *e, const replay_panel *p, const double *x, double *F,
                      double *w);

// What the other laws and belts add at a node: to the force of a contact that slides, to the
// velocity of one that is stuck.
double jd_replay_other_at(const memory *e, const replay_panel *p, int at);

// replay_edge.c
jd_status jd_replay_edge_note(memory *e, replay_panel *p); // of the panel about to be accepted
// dF into nodal, for velocities b that the past brings; dh.
double jd_replay_edge_solve(memory *e, const replay_panel *p, const replay_force *by,
                            const double *b);
// An edge at once behind a panel: notes it, if it is one; by what it moves.
void jd_replay_edge_after(memory *e, replay_panel *p);
double jd_replay_edge_moves(const memory *e, const replay_panel *p, const replay_force *by);

#endif

// state.h -- the state of the memory engine at the beginning of a panel: all that the motion from
// there on depends on, and all that is saved. snapshot.c walks over it once.
#ifndef JD_ENGINE_MEMORY_STATE_H
#define JD_ENGINE_MEMORY_STATE_H

#include "contact/state.h"
#include "engine/memory/delays/delay.h"
#include "problem/shape.h"

// Where a stop is touched.
typedef struct stop_side {
    int touch;    // +1, -1: touches above or below; 0: not
    int left;     // the side it left with speed at the panel's beginning; 0: none
    double stamp; // time written into events (chatter ends later than its first bounce) [s]
} stop_side;

// Waves under way, and how the panel before ended.
typedef struct echo_state {
    delay_line *line;
    double *moved;          // m: displacement by forces so far
    double *filtered;       // (m + places) x FILTER_POLES: rates, forces; NULL: no filter
    bool pending;           // an echo arrived at this time: it may be a kink
    double h;               // length of the panel before [s]
    double *v_end, *v_rate; // m: velocity by echoes at its end, and its rate
    double *F_end, *F_rate; // m: force at its end, and its rate
} echo_state;

// How a run with infinitely many modes began: the poles of its free motion depend on it.
typedef struct run_start {
    bool *moving;           // n_mode: modes that moved
    jd_start_forces forces; // that held the structure
    double *place;          // m: displacements that the waves start from; NULL: none. Not saved
} run_start;

// Panels of the last period: where they began, how long they could have been (foresight.c).
typedef struct foresight {
    int first, end;   // in use; the first is the one a period ago
    double *t, *step; // [s]
} foresight;

typedef struct memory_state {
    run_start start;
    foresight foresight;
    double t;                         // beginning of the present panel [s]
    double step;                      // length wanted of it [s]
    double *z_re, *z_im;              // n: states of the poles without the drives' share
    jd_contact_state *contact;        // m
    bool *fresh;                      // m: its state began here: its guard may start at the edge
    stop_side *side;                  // m
    double *force;                    // m: forces of the contacts [N]
    double *v_scale, *f_scale;        // m: speeds [m/s], forces [N] that count as large
    echo_state *echo;                 // waves that come back; NULL: poles alone
    double chatter_error;             // [s]
    long events, evaluations, panels; // so far: events handed out, panels solved, panels accepted
    long storm, rejected;             // panels without time passing; panels that were too long
} memory_state;

#endif

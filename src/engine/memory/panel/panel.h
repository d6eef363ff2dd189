// panel.h -- one panel: from the state at its beginning to the forces at its nodes.
//   nodes.c   Radau nodes and polynomials through them
//   panel.c   forces at the nodes by Newton's method, error, length; accepting it
//   usual.c   likewise of one contact, at four nodes
//   guards.c  guards as polynomials over the panel: where the first event lies
//   foresight.c  how long a panel may be, from those one period ago
//   trim.c    a panel cut off at an event instead of being solved again
// A panel follows from plan and state alone: it is not saved.
#ifndef JD_ENGINE_MEMORY_PANEL_PANEL_H
#define JD_ENGINE_MEMORY_PANEL_PANEL_H

#include "drive/segment.h"
#include "engine/memory/poles/coefficients.h"
#include "engine/memory/snapshot.h"

// A panel that was cut off at an event, for coarse tolerances.
typedef struct trim {
    double h, *force, *velocity; // the panel as it was solved: length and polynomials (s + 1 each)
    double *end_u, *end_v, *end_F; // contacts at the cut
    double *z_re, *z_im;           // pole states there
} trim;

// Waves that come back, over the panel.
typedef struct echo_panel {
    double *past,
        *past0;        // (s + 1) m: velocity by echoes at the points of the panel; m: at its start
    double at, *now;   // smeared: m: delayed velocities at the time `at`, the last panel's end
    double *force, *w; // polynomials: forces, places s; forced velocities, m (s + 1)
    double *rate;      // m (s + 1): velocity that the poles' displacements leave out
} echo_panel;

typedef struct memory_panel {
    bool solved;
    int ends_at;                      // contact whose guard ends it; -1: none
    double h, t_end;                  // length, end [s]
    double t_break;                   // next break of a drive, or echo [s]
    double next_step;                 // length wanted of the panel after it [s]
    double could_be;                  // by its error: how long it could have been [s]
    long evaluations;                 // panels solved for it
    const coefficients *coefficients; // of its length; NULL: it was cut off
    jd_drive_segment *segment;        // n_drive: what the drives do in it
    double *force;                    // s m, (node, contact) [N]
    double *velocity, *known;   // (s + 1) rows, (node, row): velocities; without contact forces
    double *first_velocity;     // m: at its beginning [m/s]
    bool weighed;               // between two panels: by_poles are those of the state
    double *by_poles;           // m: velocities by the poles alone [m/s]
    double *first_displacement; // m: there, the counterpart's taken off a stop's; with stops only
    double *slack;              // m: how far beyond its gap rounding has a stop there [m]
    trim *trim;                 // NULL: panels are solved anew until they end at the event
    echo_panel *echo;           // waves that come back; NULL: poles alone
} memory_panel;

typedef struct memory memory;

// panel.c
void jd_panel_begin(memory *e); // velocities at the beginning
jd_status
jd_panel_next(memory *e); // solves a panel that ends at an event, a break, or by its error
jd_status jd_panel_accept(memory *e); // the state goes to its end
void jd_panel_drop(memory *e);        // the panel will be solved anew
// Displacement, velocity and force of every contact at t in the panel.
void jd_panel_observe(memory *e, double t, double *u, double *v, double *force);
bool jd_eliminate(int n, double *A, double *b); // A x = b in place; false: singular

// usual.c: forces and velocities from what is known.
typedef enum solution { SOLVED, UNSOLVED, ASK_GENERAL } solution;
bool jd_usual_serves(const memory_plan *plan);
solution jd_usual_solve(memory *e, const coefficients *t);

// guards.c
typedef struct crossing {
    int contact, side; // side where there are two
    double theta;      // of the panel; 2: none
} crossing;

crossing jd_guards_first(const memory *e); // first guard that falls below 0
// Guard of a contact at the end of the panel; what counts as large there; its rate.
double jd_guards_end(memory *e, crossing c);
double jd_guards_scale(const memory *e, crossing c);
double jd_guards_rate(const memory *e, crossing c);

// foresight.c
jd_status jd_foresight_create(memory *e);
void jd_foresight_clear(memory *e); // the motion does not go on from where it was
void jd_foresight_shift(memory *e, double by);
double jd_foresight_step(memory *e, double wanted); // length of the next panel that is worth a try
void jd_foresight_note(memory *e);                  // the panel that is accepted
void jd_foresight_visit(memory *e, snapshot *s);

// trim.c
jd_status jd_trim_create(memory *e);
// Ends the solved panel near theta, where the guard of a contact is 0; sign 0: it is stuck. False:
// cannot, the panel has to be solved again.
bool jd_trim_at(memory *e, int contact, int sign, double theta);
void jd_trim_accept(memory *e); // the pole states go to its end

#endif

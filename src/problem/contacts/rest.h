// rest.h -- equilibrium with springs, sliders and normal forces, reached along a path of loads.
//   Omega^2 q = load - sum (w_n' N + w_t' T): linear in each state of the contacts, so along a
//   straight path of loads everything is straight between events: a contact closes (p = 0), opens
//   (N = 0), a slider lets go (|T| = hold N) or stops (rate of its slip 0).
//   Static: all constant loads and preloads grow together from 0, sliders are relaxed before.
#ifndef JD_PROBLEM_REST_H
#define JD_PROBLEM_REST_H

#include "contact/element.h"
#include "problem/parts.h"

// A normal part: one side of a stop or of a dry contact.
typedef struct jd_rest_normal {
    int contact, cell, row;
    double side;       // 1 above, -1 below
    double gap, kn;    // kn 0: rigid
    bool closed, edge; // edge: p = 0 or N = 0, so that either state may follow
    double p, N, p_rate, N_rate;
} jd_rest_normal;

enum { JD_REST_FREE = 2 }; // state of a slider without normal force; 0 stuck, 1 and -1 slides

// A slider: T = kt (u - s), |T| <= hold N while stuck, T = state limit N + excess while it slides.
typedef struct jd_rest_slider {
    int contact, cell, row;
    int pressed; // normal part whose force scales the limits; -1: given
    double limit, hold, kt;
    int state;
    bool edge[2]; // |T| = hold N on the side +, -
    double T, T_rate, slip_rate;
    double excess; // what is left of hold N - limit N after it let go
    int belt;      // it slides to this side for good, with a belt; 0: it may stick
} jd_rest_slider;

typedef struct jd_rest {
    jd_context *context;
    const jd_problem *problem;
    int n, n_row, n_normal, n_slider, n_rigid;
    jd_rest_normal *normal;
    jd_rest_slider *slider;
    bool *tangential;  // row carries sliders; else a normal part
    int *unknown;      // of each row: its force of sliders among the unknowns; -1: a normal row
    const jd_dd **row; // n_row rows over the modes
    double *C;         // n_row x n_row: compliance of the elastic modes
    double *rigid;     // n_row x n_rigid: rows of the rigid-body modes
    int *rigid_mode;
    double *load;       // n: present load
    double *r;          // n_rigid: coordinates of rigid-body modes
    double preload;     // present share of the preloads
    double *u, *u_rate; // n_row
    // Scratch: one linear system of n_unknown: normal parts, tangential rows, rigid-body modes.
    double *A, *x, *work, *step_u, *step_r, *left;
    int *pivot;
    int n_unknown, events;
    bool smooth; // rates without the friction of sliders that slide under a normal force
} jd_rest;

// Does any contact need the path: springs, normal forces, several sliders?
bool jd_rest_needed(const jd_problem *problem);
jd_status jd_rest_create(jd_arena *arena, const jd_problem *problem, jd_rest **out);
// Sliders against a belt slide with it from now on, whatever the loads: before the first load.
void jd_rest_slide(jd_rest *rest);
// Goes straight from the present loads to `load` (n modal forces) and all of the preloads.
// JD_NOT_SUPPORTED, named: nothing holds a rigid-body mode, or a contact is wedged.
jd_status jd_rest_go(jd_rest *rest, const double *load);
// Modal coordinates of the present equilibrium.
void jd_rest_coordinates(const jd_rest *rest, double *q);
// rates.c: rates per unit of the segment for the present states: `left` is what remains of the
// load (n), `preload` that of the preloads, NULL: excess of sliders is given up instead. Returns
// the sign of the determinant, 0: singular.
int jd_rest_rates(jd_rest *rest, const double *left, double preload);

#endif

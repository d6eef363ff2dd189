// parts.h -- a sweep inside: its grid, and what one thread needs to compute points.
//   sweep.c (grid, threads), settle.c and settling.h (one point until it has settled), simulated.c
//   (engines without shooting), driving.c (engines on grids), newton.c (its orbit), measure.c,
//   formulas.c (curves and classes), starts.c (random states), carry.c
//   (states as starts), draws.c (random numbers of the
//   model), pack.c (points as bytes).
#ifndef JD_ANALYSIS_SWEEP_PARTS_H
#define JD_ANALYSIS_SWEEP_PARTS_H

#include "analysis/measure/measure.h"
#include "analysis/orbit/shooting.h"
#include "judder/sweep.h"

typedef struct sweep_formulas sweep_formulas;

struct jd_sweep {
    jd_context *context;
    jd_problem *problem;
    jd_arena *arena;
    const jd_sweep_def *def;
    jd_measure measure; // what the amplitude is
    sweep_formulas *formulas;
    int n_mode, n_state; // modes; numbers of a state: of modes and sliders with springs
    int chain; // points of one chain: each begins with what the one before ended with; 1: none
    jd_sweep_view view;
    jd_sweep_point *point;
    double *sample, *state;
};

// What belongs to one thread.
typedef struct sweep_worker {
    jd_context *context;
    jd_problem *problem;
    bool own_start;  // the problem starts as the model says
    jd_arena *arena; // a state drawn at random
    jd_run *last;    // of the point before, where the next one can use what it knows; NULL: none
} sweep_worker;

// measure.c: what the section records, into sweep and view.
jd_status jd_sweep_measure_read(jd_sweep *sweep);
// settle.c: the settled motion of the worker's problem as it stands, into the point.
jd_status jd_sweep_settle(const jd_sweep *sweep, sweep_worker *worker, int index);
// carry.c: numbers of a state of modes and sliders with springs; such a state as start of a
// problem.
jd_status jd_sweep_state_size(jd_problem *problem, jd_arena *arena, int *modes, int *out);
jd_status jd_sweep_start_at(jd_problem *problem, jd_arena *arena, int modes, const double *state,
                            int n_state);
// starts.c: a state drawn at random for start number `start` of the point, n_state numbers.
jd_status jd_sweep_draw(const jd_sweep *sweep, sweep_worker *worker, int index, jd_reals *state);
// Numbers that look random: splitmix64 [Steele, Lea, Flood 2014].
uint64_t jd_sweep_random(uint64_t *state);
// draws.c: draws the numbers of the section's sample, as first parameter of the grid; each is set
// on the copy, so that what is out of range is found.
jd_status jd_sweep_sample(jd_sweep *sweep, jd_problem *copy);
// formulas.c
jd_status jd_sweep_formulas_read(jd_sweep *sweep); // once the grid is there
void jd_sweep_formulas_free(sweep_formulas *formulas);
void jd_sweep_classify(const jd_sweep *sweep, jd_sweep_point *point); // not by two threads at once
// newton.c
// What no period changes, as contacts are stuck all the time: row'(scale * state), n of them.
typedef struct jd_kept {
    int n;
    const double *row; // each as long as a state, orthonormal
} jd_kept;
// Of the last round, which was computed with its tangent.
jd_status jd_sweep_kept(jd_shooting *sh, jd_arena *arena, jd_kept *out);
// Newton's method for an orbit of sh->period from sh->s, sh->phase; contacts that are stuck
// all the time keep their places (each is a family of orbits, and the system singular).
jd_status jd_sweep_newton(jd_shooting *sh, bool *found);
// Largest |Floquet multiplier| of the last orbit computed with its tangent, without those of stuck
// contacts.
jd_status jd_sweep_multiplier(jd_shooting *sh, jd_arena *arena, double *out);

#endif

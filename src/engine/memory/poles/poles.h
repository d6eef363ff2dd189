// poles.h -- the structure as poles: z_p' = lambda_p z_p + in_p F, velocities Re sum_p out_p z_p.
//   modal.c         finitely many modes: their poles, exactly
//   fitted.c        infinitely many: the poles of a rational fit, or waves that come back
//   coefficients.c  what a panel of one length does to the states of the poles
//   rough.c         likewise, in single precision
//   drives.c        what drives do to them, in closed form
#ifndef JD_ENGINE_MEMORY_POLES_POLES_H
#define JD_ENGINE_MEMORY_POLES_POLES_H

#include "engine/memory/panel/panel.h"
#include "engine/memory/state.h"

// modal.c: finitely many modes; fitted.c: infinitely many. Poles, weights and the states of t = 0.
jd_status jd_poles_take(memory_plan *plan, memory_state *state, int used);
void jd_poles_finish(memory_plan *plan);
jd_status jd_poles_modal(memory_plan *plan, memory_state *state);
jd_status jd_poles_fitted(memory_plan *plan, memory_state *state);
// Weights of the velocity of a place given by its modal row, and of the force there (in may be
// NULL).
void jd_poles_row(const memory_plan *plan, const double *row, double *out_re, double *out_im,
                  double *in_re, double *in_im);
// Modal coordinates and velocities of the pole states z (exact poles).
void jd_poles_modes(const memory_plan *plan, const double *z_re, const double *z_im, double *q,
                    double *p);
// Pole states of modal coordinates and velocities (exact poles). g: scratch of one per mode.
void jd_poles_of_modes(const memory_plan *plan, const double *q, const double *rate, double *g,
                       double *z_re, double *z_im);

// coefficients.c
// out_r = Re sum_p w_rp z_p for rows r.
void jd_weigh_rows(int rows, int n, const double *w_re, const double *w_im, const double *z_re,
                   const double *z_im, double *out);
// Pole states taken over a panel with the forces F at its nodes.
void jd_poles_step(const memory_plan *plan, const coefficients *t, const double *F, double *z_re,
                   double *z_im);
// The state's, over the panel that was solved; with the velocities of the contacts by them.
void jd_poles_advance(memory *e);
// Pole states of the motion a time x into the panel, into scratch.z_re, z_im; likewise, less those
// at its beginning.
void jd_poles_inside(memory *e, double x);
void jd_poles_rise(memory *e, double x);
// Any pole states z taken a time x into the panel with the forces F at its nodes; into the same.
void jd_poles_move(memory *e, double x, const double *z_re, const double *z_im, const double *F);
// Derivative of the pole states a time x into the panel, by x times dx and by the length of the
// panel (which stretches the forces) times dh; into the same.
void jd_poles_stretch(memory *e, double x, double dx, double dh);
// Forces at `places` as powers of the time in a panel, and room: e (n), m (s x n).
typedef struct pole_forces {
    int places, s, stride;
    const double *power; // places x stride, s of them: F = sum_r power_r (t/h)^r
    double *e_re, *e_im, *m_re, *m_im;
} pole_forces;
// States z of any poles (re, im, inv, in are read) taken a time x into a panel of length h by them;
// e holds e^{lambda x} then.
void jd_poles_carry(const jd_simd *lanes, const poles *c, const pole_forces *by, double x, double h,
                    double *z_re, double *z_im);
// An impulse P on contact j: z += in P.
void jd_poles_push(memory *e, int j, double P);

// rough.c: known parts by single precision, where the tolerance is coarse.
jd_status jd_rough_create(memory *e);
jd_status jd_rough_weights(const memory_plan *plan, coefficients *t);
void jd_rough_begin(memory *e);                        // of a panel: takes the states of the poles
bool jd_rough_known(memory *e, const coefficients *t); // false: not coarse, nothing was done

// drives.c
jd_status jd_drives_plan(memory_plan *plan);          // objects and frequencies
jd_status jd_drives_follow(memory_plan *plan);        // their rows, once the poles are there
jd_status jd_drives_replan(memory_plan *plan, int i); // frequency of a drive read again
jd_status jd_drives_row(const memory_plan *plan, int n_row, const double *out_re,
                        const double *out_im, const double *jump, drive_part *d,
                        const drive_part *from);
void jd_drives_break(memory *e, double t, bool first); // takes the segments that hold after t
void jd_drives_resume(memory *e, double t);            // where the state has their share already
// What the drives do to a place; `weights` are those of its rows.
void jd_drives_motion(const memory *e, const drive_part *weights, int row, double t, double *u,
                      double *v, double *a);
// Adds the drives' share of the pole states at t to an array of them.
void jd_drives_share(const memory *e, double t, double *z_re, double *z_im);
// Rise of the velocity of a row from t to t + x by the drives, without the cancellation; of its
// displacement.
double jd_drives_rise(const memory *e, int row, double t, double x);
double jd_drives_shift(const memory *e, int row, double t, double x);
double jd_drives_value(const memory *e, int drive, double t);
jd_complex jd_drives_turn(const memory *e, int drive, double t); // a e^{iWt} of its harmonic part
double jd_drives_next(const memory *e);                          // time of the next break
double jd_drives_jerk(const memory *e, int row, double t); // second derivative of their velocity

#endif

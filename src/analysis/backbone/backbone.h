// backbone.h -- one periodic motion with negative damping, and the curve of them.
#ifndef JD_ANALYSIS_BACKBONE_H
#define JD_ANALYSIS_BACKBONE_H

#include "analysis/follow/curve.h"
#include "analysis/gradient/gradient.h"
#include "judder/backbone.h"

enum { BACKBONE_MOST = 20000 }; // points of a curve

// Unknowns of a motion that starts where the place passes 0 upwards: state, period, rate.
typedef struct backbone_motion {
    double *s;     // n
    double period; // [s]
    double rate;   // xi [1/s]
    double speed;  // of the place at the start [m/s], which may be given
    jd_phase phase;
} backbone_motion;

struct jd_backbone {
    jd_context *context;
    jd_arena *arena;
    jd_problem *problem; // a copy: engine series, drives silent
    const jd_backbone_def *def;
    int place; // contact, or contacts + 0: a point
    bool symmetric;
    int n, modes;
    double *row;     // modes: of the place
    jd_arena *round; // memory of one round
    jd_run *run;
    jd_shooting *sh;
    double *A, *b, *P; // Newton's system of n + 2; P: JD_STENCIL_COLUMNS x n
    int *pivot;
    curve rests;                  // of it run, sh and member: contacts that do not slide both ways
    double *border;               // n + 2: across the curve, see walk.c
    backbone_motion guessed;      // through which the plane across it goes ...
    const backbone_motion *guess; // ... that motion; NULL: the speed is given
    double residual;
    int events;
    jd_backbone_view view;
};

// motion.c: Newton's method from a guess; *found.
jd_status jd_backbone_solve(jd_backbone *k, backbone_motion *m, bool *found);
// Newton's system at m, factored; the unit vector along the curve by the factors of the last
// system, false: there is none.
jd_status jd_backbone_look_there(jd_backbone *k, backbone_motion *m, bool *lost);
bool jd_backbone_tangent(jd_backbone *k, double *out);
// Does the motion solved last amplify rounding beyond what steps can tell apart?
bool jd_backbone_amplifies(const jd_backbone *k);
// Half of the range of the place over the motion that was solved last.
jd_status jd_backbone_amplitude(jd_backbone *k, const backbone_motion *m, double *out);
void jd_backbone_close_round(jd_backbone *k);
// begin.c: the first motion at an amplitude; where the mode is no good guess there, from further
// out. point: room for what lies between.
jd_status jd_backbone_begin(jd_backbone *k, double amplitude, bool stuck, backbone_motion *m,
                            jd_backbone_point *point, bool *found);
// ... below which, and below *amplitude, no one-sided stop is touched; *amplitude: that one.
jd_status jd_backbone_begin_open(jd_backbone *k, double *amplitude, backbone_motion *m,
                                 jd_backbone_point *point, bool *found);
// ... at about *amplitude, from the motion without stops; *amplitude: that one.
jd_status jd_backbone_begin_apart(jd_backbone *k, double *amplitude, backbone_motion *m,
                                  jd_backbone_point *point, bool *found);
// Distance of two motions in units of the curve.
double jd_backbone_apart(jd_backbone *k, const backbone_motion *a, const backbone_motion *b);
// Speed of the place at the start [m/s].
double jd_backbone_speed(const jd_backbone *k, const backbone_motion *m);
void jd_backbone_copy(const jd_backbone *k, backbone_motion *to, const backbone_motion *from);
// walk.c: an empty motion; the curve from a first motion, about of the amplitude `from`, to
// another.
jd_status jd_backbone_motion_new(jd_backbone *k, backbone_motion *m);
jd_status jd_backbone_walk(jd_backbone *k, double from, double to, backbone_motion *at,
                           jd_backbone_point *point);
// guess.c: the mode at an amplitude, with contacts stuck (springs) or sliding.
jd_status jd_backbone_guess(jd_backbone *k, double amplitude, bool stuck, backbone_motion *out);

#endif

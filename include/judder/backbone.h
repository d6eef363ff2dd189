// backbone.h -- frequency and damping of a mode over its amplitude, of a structure with friction.
//   Extended periodic motion: q'' + (C - xi I) q' + Omega^2 q = contact forces has a periodic
//   motion where xi feeds in what contacts and structure lose; omega = 2 pi/T, damping ratio xi/(2
//   omega).
#ifndef JUDDER_BACKBONE_H
#define JUDDER_BACKBONE_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// A backbone.
typedef struct jd_backbone jd_backbone;

// How the curve ended: X(symbol, name, text).
#define JD_BACKBONE_END_LIST(X)                                                                    \
    X(JD_BACKBONE_COMPLETE, "complete", "both amplitudes were reached")                            \
    X(JD_BACKBONE_LOST, "lost", "Newton's method found no next point, with any step")              \
    X(JD_BACKBONE_BACK, "back", "the curve turned back to the amplitude it began with")            \
    X(JD_BACKBONE_POINTS, "points", "it took more than ten times the steps that were asked for")   \
    X(JD_BACKBONE_ROUNDING, "rounding",                                                            \
      "the motion is fed so fast that rounding, grown within a period, decides it")                \
    X(JD_BACKBONE_INTERRUPTED, "interrupted", "stopped by Ctrl-C, or by the calling program")

// The ends of that list.
typedef enum jd_backbone_end {
    JD_BACKBONE_END_LIST(JD_SYMBOL) JD_BACKBONE_END_COUNT
} jd_backbone_end;
// Name of an end, as in result files, and the end in a sentence without a full stop.
const char *jd_backbone_end_name(jd_backbone_end end);
const char *jd_backbone_end_text(jd_backbone_end end); // likewise

// One motion of the curve.
typedef struct jd_backbone_point {
    double amplitude; // half of the range of the displacement at the place [m]
    double omega;     // 2 pi over the period [rad/s]
    double damping;   // ratio xi/(2 omega)
    double rate;      // xi [1/s]
    double residual;  // of the period, relative to the state
    int events;       // of a period
} jd_backbone_point;

// The curve, from the end with the smaller amplitude on; amplitudes may turn back.
typedef struct jd_backbone_view {
    jd_backbone_end end;
    int mode;
    const char *at;     // place of the amplitude
    bool symmetric;     // the second half of each motion mirrors the first
    double stuck, free; // [rad/s] of the mode with contacts stuck (springs) and without contacts
    int n_point;
    const jd_backbone_point *point;
    long orbits; // rounds of Newton's method
} jd_backbone_view;

// Computes the backbone that the section `backbone` asks for. Harmonic drives are left out.
jd_status jd_backbone_create(jd_context *context, jd_problem *problem, jd_backbone **out);
// NULL is allowed.
void jd_backbone_free(jd_backbone *backbone);
// What was found; it belongs to the backbone and lives as long.
const jd_backbone_view *jd_backbone_look(const jd_backbone *backbone);

#ifdef __cplusplus
}
#endif

#endif

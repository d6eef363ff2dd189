// driving.h -- what pile drivers ask of a run: energy, forces along rods, friction. A part of the
//   engine class (jd_engine_class.driving), for results; NULL where an engine has none.
#ifndef JD_ENGINE_DRIVING_H
#define JD_ENGINE_DRIVING_H

#include "engine/engine.h"

// Since the start, or since they were last begun anew.
typedef struct jd_driving {
    double delivered;            // largest work of all blows [J]: ENTHRU
    double tension, compression; // largest axial forces in any rod [N], >= 0
    double mobilised;            // largest force of all contacts together [N], >= 0
    double resistance;           // what friction and soil can hold at the present place [N]
    double embedded;             // longest contact along a span, now [m]
    double stuck;                // share of the friction that is stuck, mean over time
} jd_driving;

// Each returns false where there is no such number: the run is not tracked (jd_run_track), or the
// body or contact has none.
typedef struct jd_engine_driving {
    bool (*numbers)(jd_run *run, bool anew, jd_driving *out);
    // Largest axial forces at the nodes of a body since the start [N], >= 0.
    bool (*extremes)(jd_run *run, int body, int *n, const double **tension,
                     const double **compression);
    // Axial force [N], tension positive, at a place of a body at the present time, and its
    // impedance sqrt(EA rho A) [N s/m].
    bool (*axial)(jd_run *run, int body, double position, double *force, double *impedance);
    // Of a contact along a span at the present time: shares of its friction that are stuck and
    // mobilised; false: it has no cells. The one that engine series has of these.
    bool (*mobilised)(jd_run *run, int contact, double *stuck, double *mobilised);
    // The contact by which a single mass strikes a rod; -1: none.
    int (*hammer)(jd_run *run);
} jd_engine_driving;

static inline bool jd_run_driving(jd_run *run, bool anew, jd_driving *out) {
    const jd_engine_driving *d = run->class->driving;
    return d && d->numbers && d->numbers(run, anew, out);
}
static inline bool jd_run_extremes(jd_run *run, int body, int *n, const double **tension,
                                   const double **compression) {
    const jd_engine_driving *d = run->class->driving;
    return d && d->extremes && d->extremes(run, body, n, tension, compression);
}
static inline bool jd_run_axial(jd_run *run, int body, double position, double *force,
                                double *impedance) {
    const jd_engine_driving *d = run->class->driving;
    return d && d->axial && d->axial(run, body, position, force, impedance);
}
static inline bool jd_run_mobilised(jd_run *run, int contact, double *stuck, double *mobilised) {
    const jd_engine_driving *d = run->class->driving;
    return d && d->mobilised(run, contact, stuck, mobilised);
}
static inline int jd_run_hammer(jd_run *run) {
    const jd_engine_driving *d = run->class->driving;
    return d && d->hammer ? d->hammer(run) : -1;
}

#endif

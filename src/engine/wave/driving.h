// driving.h -- what pile drivers ask of a run of the wave engine: energy, forces, friction.
//   For results; runs of other engines have none. Extremes need a run that tracks (jd_run_track).
#ifndef JD_ENGINE_WAVE_DRIVING_H
#define JD_ENGINE_WAVE_DRIVING_H

#include "engine/engine.h"

// Since the start, or since they were last begun anew.
typedef struct jd_driving {
    double delivered;            // largest work of all drives [J]: ENTHRU
    double tension, compression; // largest axial forces in any rod [N], >= 0
    double mobilised;            // largest force of all contacts together [N], >= 0
    double resistance;           // what friction and soil can hold at the present place [N]
    double embedded;             // longest contact along a span, now [m]
    double stuck;                // share of the friction that is stuck, mean over time
} jd_driving;
bool jd_wave_driving(jd_run *run, bool anew, jd_driving *out);

// Largest axial forces at the nodes of a body since the start [N], >= 0.
bool jd_wave_extremes(jd_run *run, int body, int *n, const double **tension,
                      const double **compression);
// Axial force [N], tension positive, at a place of a body, and its impedance sqrt(EA rho A) [N
// s/m].
bool jd_wave_axial(jd_run *run, int body, double position, double *force, double *impedance);
// Of a contact along a span now: share of its friction that is stuck, and share that is mobilised.
bool jd_wave_mobilised(jd_run *run, int contact, double *stuck, double *mobilised);

#endif

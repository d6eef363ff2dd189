// drive.h -- what pushes: forces at a place, or motion of the ground.
#ifndef JUDDER_DRIVE_H
#define JUDDER_DRIVE_H

#include "judder/param.h"

// What the amplitude of a drive is.
typedef enum jd_drive_of {
    JD_DRIVE_FORCE, // force on the place [N]
    JD_DRIVE_BASE   // acceleration of the supports, seen from them: -a(t) on every mass [m/s^2]
} jd_drive_of;

typedef struct jd_harmonic_def { // amplitude sin(omega t + phase)
    jd_place at;
    int of;
    double amplitude;
    jd_frequency frequency;
    double phase; // [rad]
} jd_harmonic_def;

// Drive `constant`.
typedef struct jd_constant_def {
    jd_place at;
    int of;
    double value;
} jd_constant_def;

typedef struct jd_pulse_def { // amplitude x shape on [start, start + duration], again and again
    jd_place at;
    int of, shape; // 0 rectangle, 1 half-sine
    double amplitude, start, duration;
    int repeat;   // number of blows
    double every; // [s] from the start of one blow to that of the next; 0: only one
} jd_pulse_def;

typedef struct jd_ramp_def { // 0 before start, then linear up to amplitude, then held
    jd_place at;
    int of;
    double amplitude, start, duration;
} jd_ramp_def;

typedef struct jd_drive_table_def { // piecewise linear; held at its last value
    jd_place at;
    int of;
    const char *file; // CSV of two columns; or the lists below
    jd_reals time, value;
} jd_drive_table_def;

const jd_type *const *jd_drive_types(void); // ends with NULL

#endif

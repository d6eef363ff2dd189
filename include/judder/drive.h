// drive.h -- drives: forces at a place, or motion of the supports.
#ifndef JUDDER_DRIVE_H
#define JUDDER_DRIVE_H

#include "judder/param.h"

#ifdef __cplusplus
extern "C" {
#endif

// A problem in memory (problem.h), which drives are added to.
typedef struct jd_problem jd_problem;

// What the amplitude of a drive is.
typedef enum jd_drive_of {
    JD_DRIVE_FORCE, // force on the place [N]
    JD_DRIVE_BASE   // acceleration a(t) of the supports [m/s^2]; displacements are relative to them
} jd_drive_of;

// ---- Drives: a definition with defaults, a function that gives these, and one that adds the drive
// to a problem, by copy; names are new and have no dot. Required numbers are NaN in the defaults;
// one that is still NaN is reported by its path.

// Drive `harmonic`: amplitude sin(omega t + phase).
typedef struct jd_harmonic_def {
    jd_place at;            // where it acts: jd_at, ...; required unless `of` is JD_DRIVE_BASE
    int of;                 // jd_drive_of; default force
    jd_profile profile;     // of the load along a span; default: none, it is even
    double amplitude;       // [N], [m/s^2]; required
    jd_frequency frequency; // jd_omega [rad/s] > 0, or jd_times_mode; required
    double phase;           // [rad] at time 0; default 0: a sine
} jd_harmonic_def;
// The defaults.
jd_harmonic_def jd_default_harmonic(void);
// Adds such a drive.
jd_status jd_problem_add_harmonic(jd_problem *problem, const char *name,
                                  const jd_harmonic_def *def);

// Drive `constant`.
typedef struct jd_constant_def {
    jd_place at;        // as above
    int of;             // as above
    jd_profile profile; // as above
    double value;       // [N], [m/s^2]; required
} jd_constant_def;
// The defaults.
jd_constant_def jd_default_constant(void);
// Adds such a drive.
jd_status jd_problem_add_constant(jd_problem *problem, const char *name,
                                  const jd_constant_def *def);

// Course of a pulse.
typedef enum jd_pulse_shape { JD_PULSE_RECTANGLE, JD_PULSE_HALF_SINE } jd_pulse_shape;

// Drive `pulse`: amplitude times shape on [start, start + duration], again and again.
typedef struct jd_pulse_def {
    jd_place at;        // as above
    int of;             // as above
    jd_profile profile; // as above
    int shape;          // jd_pulse_shape; default rectangle
    double amplitude;   // largest value [N], [m/s^2]; required
    double start;       // [s] >= 0; default 0
    double duration;    // [s] > 0; required
    int repeat;         // number of blows, 0 to 1e9; 0 and 1 (default): one
    double every; // [s] from the start of one blow to that of the next, >= duration; default 0
} jd_pulse_def;
// The defaults.
jd_pulse_def jd_default_pulse(void);
// Adds such a drive.
jd_status jd_problem_add_pulse(jd_problem *problem, const char *name, const jd_pulse_def *def);

// Drive `ramp`: 0 before the start, then linear up to the amplitude, then held.
typedef struct jd_ramp_def {
    jd_place at;        // as above
    int of;             // as above
    jd_profile profile; // as above
    double amplitude;   // value reached and held [N], [m/s^2]; required
    double start;       // [s] >= 0; default 0
    double duration;    // of the rise [s] > 0; required
} jd_ramp_def;
// The defaults.
jd_ramp_def jd_default_ramp(void);
// Adds such a drive.
jd_status jd_problem_add_ramp(jd_problem *problem, const char *name, const jd_ramp_def *def);

// Drive `table`: piecewise linear; 0 before the first time, held at the last value. Every time is a
// breakpoint at which a run stops and goes on.
typedef struct jd_drive_table_def {
    jd_place at;        // as above
    int of;             // as above
    jd_profile profile; // as above
    const char *file;   // CSV of two columns, time and value; NULL (default): the lists below
    jd_reals time;      // ascending [s] >= 0
    jd_reals value;     // as many [N], [m/s^2]
    double scale;       // factor of every value, not 0; default 1
} jd_drive_table_def;
// The defaults.
jd_drive_table_def jd_default_drive_table(void);
// Adds such a drive. A file is read now.
jd_status jd_problem_add_drive_table(jd_problem *problem, const char *name,
                                     const jd_drive_table_def *def);

// Drive `travelling`: a force pattern that turns past points, as engine orders excite blades. At
// point j acts amplitude sin(omega t + phase - order angle_j).
typedef struct jd_travelling_def {
    jd_place at;            // not used: `points` say where it acts
    int of;                 // force only
    jd_profile profile;     // not used
    jd_texts points;        // names, in the order in which the pattern passes them; required
    double amplitude;       // at each of them [N]; required
    jd_frequency frequency; // of the force at each point, order times the speed of rotation;
                            // required
    double phase;           // [rad] at time 0 and angle 0; default 0: a sine
    int order;              // engine order: waves of the pattern around the circle; < 0: it turns
                            // the other way; 0: all points in phase; default 1
    jd_reals angles;        // [rad] of each point; none (default): evenly around the circle
} jd_travelling_def;
// The defaults.
jd_travelling_def jd_default_travelling(void);
// Adds such a drive, and one called NAME-quadrature with its cosine part: both have the numbers of
// this one.
jd_status jd_problem_add_travelling(jd_problem *problem, const char *name,
                                    const jd_travelling_def *def);

// ---- Drives by their tables, for readers and bindings.

const jd_type *const *jd_drive_types(void); // ends with NULL

#ifdef __cplusplus
}
#endif

#endif

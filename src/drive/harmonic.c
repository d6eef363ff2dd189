// harmonic.c -- amplitude sin(omega t + phase).
#include <math.h>

#include "drive/kind.h"

static const jd_param params[] = {
    JD_DRIVE_PLACE_PARAMS(jd_harmonic_def),
    {JD_KEY(jd_harmonic_def, amplitude, REAL), .unit = JD_DRIVE_UNIT, .required = true,
     .doc = "largest value"},
    {JD_KEY(jd_harmonic_def, frequency, FREQUENCY), .unit = "rad/s", .required = true, .low = 0,
     .high = HUGE_VAL, .above = true,
     .doc = "angular frequency, or {times, mode} of a natural frequency"},
    {JD_KEY(jd_harmonic_def, phase, REAL), .unit = "rad", .doc = "angle at time 0; 0 is a sine"},
    {0}};

const jd_type jd_drive_harmonic = {.name = "harmonic",
                                   .doc = "a sine",
                                   .def_size = sizeof(jd_harmonic_def),
                                   .params = params,
                                   .check = jd_drive_check_place};

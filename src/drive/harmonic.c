// harmonic.c -- amplitude sin(omega t + phase).
#include <math.h>

#include "drive/kind.h"

static const jd_param params[] = {
    JD_DRIVE_PLACE_PARAMS(jd_harmonic_def),
    {.key = "amplitude",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_harmonic_def, amplitude),
     .unit = JD_DRIVE_UNIT,
     .required = true,
     .doc = "largest value"},
    {.key = "frequency",
     .kind = JD_KIND_FREQUENCY,
     .offset = offsetof(jd_harmonic_def, frequency),
     .unit = "rad/s",
     .required = true,
     .low = 0,
     .high = HUGE_VAL,
     .above = true,
     .doc = "angular frequency, or {times, mode} of a natural frequency"},
    {.key = "phase",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_harmonic_def, phase),
     .unit = "rad",
     .doc = "angle at time 0; 0 is a sine"},
    {0}};

const jd_type jd_drive_harmonic = {.name = "harmonic",
                                   .doc = "a sine",
                                   .def_size = sizeof(jd_harmonic_def),
                                   .params = params,
                                   .check = jd_drive_check_place};

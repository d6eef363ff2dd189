// pulse.c -- amplitude on [start, start + duration], 0 outside; a rectangle or half a sine.
#include "drive/kind.h"

static const char *const shapes[] = {"rectangle", "half-sine", NULL};

static const jd_param params[] = {JD_DRIVE_PLACE_PARAMS(jd_pulse_def),
                                  {.key = "shape",
                                   .kind = JD_KIND_CHOICE,
                                   .offset = offsetof(jd_pulse_def, shape),
                                   .unit = "",
                                   .choices = shapes,
                                   .doc = "rectangle, or half-sine that begins and ends at 0"},
                                  {.key = "amplitude",
                                   .kind = JD_KIND_REAL,
                                   .offset = offsetof(jd_pulse_def, amplitude),
                                   .unit = JD_DRIVE_UNIT,
                                   .required = true,
                                   .doc = "largest value"},
                                  JD_DRIVE_TIME_PARAMS(jd_pulse_def, "how long it lasts"),
                                  {0}};

const jd_type jd_drive_pulse = {.name = "pulse",
                                .doc = "one blow: a rectangle or half a sine",
                                .def_size = sizeof(jd_pulse_def),
                                .params = params,
                                .check = jd_drive_check_place};

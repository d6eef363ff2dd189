// ramp.c -- 0 before start, linear up to amplitude during duration, then held.
#include <math.h>

#include "drive/kind.h"

static const jd_param params[] = {JD_DRIVE_PLACE_PARAMS(jd_ramp_def),
                                  {.key = "amplitude",
                                   .kind = JD_KIND_REAL,
                                   .offset = offsetof(jd_ramp_def, amplitude),
                                   .unit = JD_DRIVE_UNIT,
                                   .required = true,
                                   .doc = "value reached and held"},
                                  {.key = "start",
                                   .kind = JD_KIND_REAL,
                                   .offset = offsetof(jd_ramp_def, start),
                                   .unit = "s",
                                   .low = 0,
                                   .high = HUGE_VAL,
                                   .doc = "when it begins"},
                                  {.key = "duration",
                                   .kind = JD_KIND_REAL,
                                   .offset = offsetof(jd_ramp_def, duration),
                                   .unit = "s",
                                   .required = true,
                                   .low = 0,
                                   .high = HUGE_VAL,
                                   .above = true,
                                   .doc = "how long it rises"},
                                  {0}};

const jd_type jd_drive_ramp = {.name = "ramp",
                               .doc = "rises linearly, then stays",
                               .def_size = sizeof(jd_ramp_def),
                               .params = params,
                               .check = jd_drive_check_place};

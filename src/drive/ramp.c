// ramp.c -- 0 before start, linear up to amplitude during duration, then constant.
#include "drive/kind.h"

static const jd_param params[] = {JD_DRIVE_PLACE_PARAMS(jd_ramp_def),
                                  {JD_KEY(jd_ramp_def, amplitude, REAL), .unit = JD_DRIVE_UNIT,
                                   .required = true, .doc = "value reached, constant afterwards"},
                                  JD_DRIVE_TIME_PARAMS(jd_ramp_def, "how long it rises"),
                                  {0}};

const jd_type jd_drive_ramp = {.name = "ramp",
                               .doc = "rises linearly, then stays constant",
                               .def_size = sizeof(jd_ramp_def),
                               .params = params,
                               .check = jd_drive_check_place};

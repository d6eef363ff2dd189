// constant.c -- a constant load, from time 0 on.
#include "drive/kind.h"

static const jd_param params[] = {JD_DRIVE_PLACE_PARAMS(jd_constant_def),
                                  {JD_KEY(jd_constant_def, value, REAL), .unit = JD_DRIVE_UNIT,
                                   .required = true, .doc = "the load"},
                                  {0}};

const jd_type jd_drive_constant = {.name = "constant",
                                   .doc = "a constant load",
                                   .def_size = sizeof(jd_constant_def),
                                   .params = params,
                                   .check = jd_drive_check_place};

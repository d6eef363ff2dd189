// start.c -- tables of how a motion starts.
#include "base/fail.h"
#include "problem/parts.h"

static const char *const of_choices[] = {"nodes", "modes", NULL};

static const jd_param nothing[] = {{0}};

static const jd_param state[] = {
    {.key = "displacement",
     .kind = JD_KIND_REALS,
     .offset = offsetof(jd_start_state_def, displacement),
     .unit = "m|rad",
     .doc = "one value per degree of freedom or per mode; 0 when left out"},
    {.key = "velocity",
     .kind = JD_KIND_REALS,
     .offset = offsetof(jd_start_state_def, velocity),
     .unit = "m/s|rad/s",
     .doc = "one value per degree of freedom or per mode; 0 when left out"},
    {.key = "of",
     .kind = JD_KIND_CHOICE,
     .offset = offsetof(jd_start_state_def, of),
     .unit = "",
     .choices = of_choices,
     .doc = "whether the values belong to nodes or to modes"},
    {0}};

static const jd_param lift[] = {{.key = "mode",
                                 .kind = JD_KIND_INTEGER,
                                 .offset = offsetof(jd_start_lift_def, mode),
                                 .unit = "",
                                 .preset = 1,
                                 .low = 1,
                                 .high = 0,
                                 .doc = "the mode that moves alone"},
                                {.key = "point",
                                 .kind = JD_KIND_TEXT,
                                 .offset = offsetof(jd_start_lift_def, point),
                                 .unit = "",
                                 .required = true,
                                 .doc = "the point whose motion is given"},
                                {.key = "displacement",
                                 .kind = JD_KIND_REAL,
                                 .offset = offsetof(jd_start_lift_def, displacement),
                                 .unit = "m|rad",
                                 .doc = "displacement of the point"},
                                {.key = "velocity",
                                 .kind = JD_KIND_REAL,
                                 .offset = offsetof(jd_start_lift_def, velocity),
                                 .unit = "m/s|rad/s",
                                 .doc = "velocity of the point"},
                                {0}};

static const jd_param restart[] = {{.key = "file",
                                    .kind = JD_KIND_FILE,
                                    .offset = offsetof(jd_start_restart_def, file),
                                    .unit = "",
                                    .required = true,
                                    .doc = "result file whose last state is taken up"},
                                   {0}};

const jd_type jd_start_rest = {.name = "rest",
                               .doc = "at rest, undeformed",
                               .def_size = sizeof(jd_start_rest_def),
                               .params = nothing};
const jd_type jd_start_static = {.name = "static",
                                 .doc = "in equilibrium under the constant loads",
                                 .def_size = sizeof(jd_start_static_def),
                                 .params = nothing};
const jd_type jd_start_state = {.name = "state",
                                .doc = "given displacements and velocities",
                                .def_size = sizeof(jd_start_state_def),
                                .params = state};
const jd_type jd_start_lift = {.name = "lift",
                               .doc = "one mode alone, scaled by a point's motion",
                               .def_size = sizeof(jd_start_lift_def),
                               .params = lift};
const jd_type jd_start_restart = {.name = "restart",
                                  .doc = "from the end of an earlier result",
                                  .def_size = sizeof(jd_start_restart_def),
                                  .params = restart};

static const jd_type *const starts[] = {&jd_start_rest, &jd_start_static,  &jd_start_state,
                                        &jd_start_lift, &jd_start_restart, NULL};

const jd_type *const *jd_start_types(void) { return starts; }

// soil.c -- resistance below a tip: elastic up to a quake, then plastic, with Smith's damping.
//   R(e) = limit min(e/quake, 1), e = u - set > 0;   R = 0, e <= 0;   force = -R (1 + damping v)
//   The set grows by what R = limit cannot hold, so the tip meets the soil again where it left it.
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const jd_param params[] = {
    {JD_KEY(jd_soil_def, limit, REAL), .unit = "N", .required = true, .low = 0, .high = HUGE_VAL,
     .doc = "largest static resistance"},
    {JD_KEY(jd_soil_def, quake, REAL), .unit = "m", .required = true, .low = 0, .high = HUGE_VAL,
     .above = true, .doc = "displacement at which the soil yields"},
    {JD_KEY(jd_soil_def, damping, REAL), .unit = "s/m", .low = 0, .high = HUGE_VAL,
     .doc = "Smith's factor J: the resistance is 1 + J v times the static one"},
    {0}};

static unsigned traits(const void *def) {
    (void)def;
    return JD_LAW_SOIL;
}

static const jd_soil_def *soil(const void *def) { return def; }

const jd_law_class jd_law_soil = {
    .type = {.name = "soil",
             .doc = "soil below the toe of a pile: elastic up to the quake, then plastic",
             .def_size = sizeof(jd_soil_def),
             .params = params},
    .noun = "toe",
    .title = "soil",
    .traits = traits,
    .soil = soil,
};

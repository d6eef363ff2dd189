// travelling.c -- a force pattern that turns past points: engine orders.
//   F_j = A sin(omega t + phase - order angle_j)
//       = A sin(omega t + phase) cos(order angle_j) - A cos(omega t + phase) sin(order angle_j)
//   Two drives of one definition: the sine acts with the shares cos(order angle_j), the other one,
//   in quadrature (a quarter of a period ahead), with -sin(order angle_j).
#include <math.h>

#include "base/constants.h"
#include "base/fail.h"
#include "drive/kind.h"

static const jd_param params[] = {
    {JD_KEY(jd_travelling_def, points, TEXTS), .unit = "", .required = true,
     .doc = "names of the points it acts on, in the order in which it passes them"},
    {JD_KEY(jd_travelling_def, amplitude, REAL), .unit = "N|N m", .required = true,
     .doc = "largest force at each of them"},
    {JD_KEY(jd_travelling_def, frequency, FREQUENCY), .unit = "rad/s", .required = true, .low = 0,
     .high = HUGE_VAL, .above = true,
     .doc =
         "angular frequency of the forces: `order` times the speed of rotation; or {times, mode}"},
    {JD_KEY(jd_travelling_def, phase, REAL), .unit = "rad", .doc = "angle at time 0; 0 is a sine"},
    {JD_KEY(jd_travelling_def, order, INTEGER), .unit = "", .preset = 1, .low = -100000,
     .high = 100000, .doc = "engine order: waves around the circle; negative: turns backwards"},
    {JD_KEY(jd_travelling_def, angles, REALS), .unit = "rad",
     .doc = "angle of each point around the circle; default: evenly, the first at 0"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_travelling_def *d = def;
    if (d->points.n == 0)
        return jd_fail(context, JD_MISSING_KEY, "a travelling drive needs `points` to act on");
    if (d->angles.n == 0 || d->angles.n == d->points.n) return JD_OK;
    return jd_fail(context, JD_SIZE_MISMATCH, "`angles` has %d values, but there are %d points",
                   d->angles.n, d->points.n);
}

static const jd_param none[] = {{0}};

const jd_type jd_drive_travelling = {.name = "travelling",
                                     .doc = "a force pattern that turns past points (engine order)",
                                     .def_size = sizeof(jd_travelling_def),
                                     .params = params,
                                     .check = check};
const jd_type jd_drive_quadrature = {.name = "quadrature",
                                     .doc = "second part of a travelling drive",
                                     .def_size = sizeof(jd_travelling_def),
                                     .params = none};

double jd_drive_travelling_share(const jd_type *type, const jd_travelling_def *d, int j) {
    // Whole turns first: order j/n waves, of which the part behind the point counts.
    double turns = d->angles.n ? d->order * d->angles.value[j] / JD_TWO_PI
                               : (double)((long)d->order * j % d->points.n) / d->points.n;
    double angle = JD_TWO_PI * (turns - floor(turns));
    return type == &jd_drive_travelling ? cos(angle) : -sin(angle);
}

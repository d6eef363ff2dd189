// start.c -- tables of how a motion starts.
#include <math.h>

#include "base/constants.h"
#include "base/fail.h"
#include "problem/parts.h"

static const char *const of_choices[] = {"nodes", "modes", NULL};

static const jd_param nothing[] = {{0}};

static const jd_param state[] = {
    {JD_KEY(jd_start_state_def, displacement, REALS), .unit = "m|rad",
     .doc = "one value per degree of freedom or per mode; 0 when left out"},
    {JD_KEY(jd_start_state_def, velocity, REALS), .unit = "m/s|rad/s",
     .doc = "one value per degree of freedom or per mode; 0 when left out"},
    {JD_KEY(jd_start_state_def, of, CHOICE), .unit = "", .choices = of_choices,
     .doc = "whether the values belong to nodes or to modes"},
    {JD_KEY(jd_start_state_def, force, SHAPES), .unit = "N",
     .doc = "contact -> force of its slider springs on the structure, one per slider; 0 when left "
            "out"},
    {0}};

static const jd_param lift[] = {{JD_KEY(jd_start_lift_def, mode, INTEGER), .unit = "", .preset = 1,
                                 .low = 1, .high = 0, .doc = "the mode that moves alone"},
                                {JD_KEY(jd_start_lift_def, point, TEXT), .unit = "",
                                 .required = true, .doc = "the point whose motion is given"},
                                {JD_KEY(jd_start_lift_def, displacement, REAL), .unit = "m|rad",
                                 .doc = "displacement of the point"},
                                {JD_KEY(jd_start_lift_def, velocity, REAL), .unit = "m/s|rad/s",
                                 .doc = "velocity of the point"},
                                {0}};

static const jd_param shape[] = {
    {JD_KEY(jd_start_shape_def, position, REALS), .unit = "m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "where the shape is given, rising from the left end"},
    {JD_KEY(jd_start_shape_def, displacement, REALS), .unit = "m",
     .doc = "one value per position; 0 when left out"},
    {JD_KEY(jd_start_shape_def, velocity, REALS), .unit = "m/s",
     .doc = "one value per position; 0 when left out"},
    {JD_KEY(jd_start_shape_def, body, TEXT), .unit = "",
     .doc = "the body, where there are several; all others are at rest"},
    {0}};

static jd_status check_shape(jd_context *context, const void *def) {
    const jd_start_shape_def *d = def;
    const jd_reals *lists[] = {&d->displacement, &d->velocity};
    const double *x = d->position.value;
    if (d->position.n < 1)
        return jd_fail(context, JD_SIZE_MISMATCH, "`position` must have at least one value");
    for (int i = 1; i < d->position.n; i++)
        if (!(x[i] > x[i - 1]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`position` must rise, but number %d is %.9g after %.9g", i + 1, x[i],
                           x[i - 1]);
    for (int i = 0; i < 2; i++)
        if (lists[i]->n != 0 && lists[i]->n != d->position.n)
            return jd_fail(context, JD_SIZE_MISMATCH,
                           "`position` has %d values and `%s` %d: one of each per point",
                           d->position.n, i ? "velocity" : "displacement", lists[i]->n);
    return JD_OK;
}

static const jd_param values[] = {
    {JD_KEY(jd_start_values_def, y, REALS), .unit = "",
     .doc = "numbers of the model's state, in its order; 0 when left out"},
    {JD_KEY(jd_start_values_def, kappa, REAL), .unit = "", .preset = (double)NAN,
     .doc = "memory of the contact force; equal to it when left out"},
    {JD_KEY(jd_start_values_def, lambda, REAL), .unit = "", .preset = (double)NAN,
     .doc = "contact force on the switching surface; the critical one when left out"},
    {0}};

static const jd_param restart[] = {{JD_KEY(jd_start_restart_def, file, FILE), .unit = "",
                                    .required = true,
                                    .doc = "result file whose last state is the start"},
                                   {0}};

static const jd_param nsm[] = {
    {JD_KEY(jd_start_nsm_def, omega, REAL), .unit = "rad/s", .required = true, .low = 0,
     .high = HUGE_VAL, .above = true, .doc = "angular frequency of the orbit"},
    {JD_KEY(jd_start_nsm_def, times, REALS), .unit = "s", .low = 0, .high = HUGE_VAL,
     .doc = "of its impacts, rising from 0; one impact per period when left out"},
    {JD_KEY(jd_start_nsm_def, impulses, REALS), .unit = "m/s",
     .doc = "velocity of the contact just after each of these impacts"},
    {JD_KEY(jd_start_nsm_def, contact, REAL), .unit = "s", .low = 0, .high = HUGE_VAL,
     .doc = "instead of impacts: duration of sustained contact in each period"},
    {0}};

static jd_status check_nsm(jd_context *context, const void *def) {
    const jd_start_nsm_def *d = def;
    if (d->times.n != d->impulses.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`times` has %d values and `impulses` %d: one of each per impact",
                       d->times.n, d->impulses.n);
    if (d->contact > 0 && d->times.n > 0)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`times` (impacts) and `contact` (sustained contact) are both given, but "
                       "only one is possible");
    if (!(d->contact < JD_TWO_PI / d->omega))
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`contact` is %.9g, but must be shorter than the period, %.9g", d->contact,
                       JD_TWO_PI / d->omega);
    for (int i = 0; i < d->times.n; i++) {
        bool rising = i > 0 ? d->times.value[i] > d->times.value[i - 1] : d->times.value[0] == 0;
        if (!rising || !(d->times.value[i] < JD_TWO_PI / d->omega))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`times` must rise from 0 and stay below the period, but number %d is "
                           "%.9g",
                           i + 1, d->times.value[i]);
    }
    return JD_OK;
}

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
const jd_type jd_start_nsm = {.name = "nsm",
                              .doc = "on a nonsmooth mode: the periodic orbit of that frequency "
                                     "against the stop, between two impacts (contacts)",
                              .def_size = sizeof(jd_start_nsm_def),
                              .params = nsm,
                              .check = check_nsm};

const jd_type jd_start_values = {.name = "values",
                                 .doc = "given numbers of a piecewise-smooth model",
                                 .def_size = sizeof(jd_start_values_def),
                                 .params = values};

const jd_type jd_start_shape = {
    .name = "shape",
    .doc = "plucked or struck: a string or rod straight between the given points, a beam in the "
           "shape it has when held there",
    .def_size = sizeof(jd_start_shape_def),
    .params = shape,
    .check = check_shape};

static const jd_type *const starts[] = {&jd_start_rest, &jd_start_static, &jd_start_state,
                                        &jd_start_lift, &jd_start_shape,  &jd_start_restart,
                                        &jd_start_nsm,  &jd_start_values, NULL};

const jd_type *const *jd_start_types(void) { return starts; }

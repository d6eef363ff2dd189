// kinds.c -- tables of the connections.
#include <math.h>
#include <stddef.h>

#include "base/fail.h"
#include "problem/connections/connections.h"

#define AT                                                                                         \
    { JD_KEY(jd_connection_def, at, PLACE), .unit = "m", .required = true, .doc = "a point" }
#define AGAINST                                                                                    \
    { JD_KEY(jd_connection_def, against, COUNTER), .unit = "m", .doc = "ground, or another point" }

static const jd_param spring[] = {AT,
                                  AGAINST,
                                  {.key = "stiffness",
                                   .kind = JD_KIND_REAL,
                                   .offset = offsetof(jd_connection_def, number),
                                   .unit = "N/m|N m/rad",
                                   .required = true,
                                   .low = 0,
                                   .high = HUGE_VAL,
                                   .doc = "force per relative displacement of the two points"},
                                  {0}};

static const jd_param dashpot[] = {AT,
                                   AGAINST,
                                   {.key = "damping",
                                    .kind = JD_KIND_REAL,
                                    .offset = offsetof(jd_connection_def, number),
                                    .unit = "N s/m|N m s/rad",
                                    .required = true,
                                    .low = 0,
                                    .high = HUGE_VAL,
                                    .doc = "force per relative velocity of the two points"},
                                   {0}};

_Static_assert(sizeof(jd_spring_def) == sizeof(jd_connection_def), "one layout");
_Static_assert(sizeof(jd_dashpot_def) == sizeof(jd_connection_def), "one layout");

static jd_status refuse(jd_context *context, const char *message, const char *hint) {
    jd_fail(context, JD_WRONG_TYPE, "%s", message);
    jd_fail_hint(context, "%s", hint);
    return JD_WRONG_TYPE;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_connection_def *d = def;
    bool pair = d->against.kind == JD_PLACE;
    if (jd_place_is_span(&d->at) || (pair && jd_place_is_span(&d->against.place)))
        return refuse(context, "a connection acts at points, but `span` is given",
                      "name a point of the structure");
    if (d->at.normal || (pair && d->against.place.normal))
        return refuse(context, "a connection has one direction, but `normal` is given",
                      "make a connection for each direction");
    if (d->against.kind == JD_MOVING)
        return refuse(context,
                      "a connection works against the ground or a point, not against a "
                      "body with a `velocity`",
                      "write `against: ground`, or name a point");
    return JD_OK;
}

const jd_type jd_connection_spring = {.name = "spring",
                                      .doc = "a linear spring between two points, or to the ground",
                                      .def_size = sizeof(jd_spring_def),
                                      .params = spring,
                                      .check = check};
const jd_type jd_connection_dashpot = {.name = "dashpot",
                                       .doc =
                                           "a linear damper between two points, or to the ground",
                                       .def_size = sizeof(jd_dashpot_def),
                                       .params = dashpot,
                                       .check = check};

static const jd_type *const kinds[] = {&jd_connection_spring, &jd_connection_dashpot, NULL};

const jd_type *const *jd_connection_types(void) { return kinds; }

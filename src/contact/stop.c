// stop.c -- unilateral stop: rigid with Newton restitution, u <= gap, u'+ = -e u'-, or elastic,
//   N = stiffness (u - gap) + damping u' while that is above 0, never a pull
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const char *const sides[] = {"one", "both", NULL};

static const jd_param params[] = {
    {JD_KEY(jd_stop_def, gap, REAL), .unit = "m|rad", .required = true, .unless = "preload",
     .preset = (double)NAN,
     .doc =
         "free path to the stop along the contact's direction; negative is preloaded (begin with "
         "`start: static`)"},
    {JD_KEY(jd_stop_def, restitution, REAL), .unit = "", .required = true, .unless = "stiffness",
     .preset = (double)NAN, .low = 0, .high = 1,
     .doc = "velocity after an impact over velocity before, 0 plastic to 1 elastic"},
    {JD_KEY(jd_stop_def, sides, CHOICE), .unit = "", .choices = sides,
     .doc = "stop on one side (u <= gap) or on both (|u| <= gap)"},
    {JD_KEY(jd_stop_def, stiffness, REAL), .unit = "N/m|N/m^2|N m/rad", .preset = (double)NAN,
     .low = 0, .high = HUGE_VAL,
     .doc = "of an elastic stop, instead of restitution; per length on a span"},
    {JD_KEY(jd_stop_def, damping, REAL), .unit = "N s/m|N s/m^2|N m s/rad", .low = 0,
     .high = HUGE_VAL, .doc = "of an elastic stop; the stop never pulls"},
    {JD_KEY(jd_stop_def, cushion, REAL), .unit = "", .low = 0, .high = 1,
     .doc =
         "restitution of an elastic stop that is a cushion: it gives back its square of the work "
         "done on it; 0 and 1: all of it"},
    {JD_KEY(jd_stop_def, preload, REAL), .unit = "N|N/m|N m", .preset = (double)NAN, .low = 0,
     .high = HUGE_VAL,
     .doc =
         "force of an elastic stop at displacement 0 (gap = -preload/stiffness); for a free path "
         "give a gap"},
    {0}};

static bool is_elastic(const jd_stop_def *d) { return d->stiffness > 0; }

static double gap_of(const jd_stop_def *d) {
    return isnan(d->gap) ? -d->preload / d->stiffness : d->gap;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_stop_def *d = def;
    if (isnan(d->restitution) && !is_elastic(d))
        return jd_law_broken(context, "for a rigid stop give `restitution`",
                             "`stiffness` is 0, but must be above 0 for an elastic stop");
    if (d->damping > 0 && !is_elastic(d))
        return jd_law_broken(context, "a rigid stop has a `restitution` instead",
                             "`damping` is given, but the stop has no `stiffness`");
    if (isnan(d->gap) && !is_elastic(d))
        return jd_law_broken(
            context, "give the stop a `stiffness`, or a `gap` (negative: preloaded)",
            "`preload` is given, but the stop has no `stiffness`: a rigid stop has no force at "
            "displacement 0");
    if (d->cushion > 0 && !is_elastic(d))
        return jd_law_broken(context, "give the stop a `stiffness`, or a `restitution` alone",
                             "`cushion` is given, but the stop has no `stiffness`");
    if (d->sides == JD_ONE_SIDE || d->gap > 0) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE,
                   "`gap` is %.10g, but must be above 0 for a stop on both sides", gap_of(d));
}

static bool is_cushion(const jd_stop_def *d) {
    return is_elastic(d) && d->cushion > 0 && d->cushion < 1;
}

static unsigned traits(const void *def) {
    if (is_cushion(def)) return JD_LAW_ELASTIC | JD_LAW_CUSHION;
    return is_elastic(def) ? (unsigned)JD_LAW_ELASTIC : (unsigned)JD_LAW_STOP;
}

static const jd_stop_def *stop(const void *def) { return is_elastic(def) ? NULL : def; }

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_stop_def *d = def;
    (void)arena;
    bool elastic = is_elastic(d);
    *out = (jd_element){.normal = true,
                        .gap = gap_of(d),
                        .kn = elastic ? d->stiffness : 0,
                        .cn = elastic ? d->damping : 0,
                        .restitution = !elastic        ? d->restitution
                                       : is_cushion(d) ? d->cushion
                                                       : 0,
                        .both = d->sides == JD_BOTH_SIDES};
    return JD_OK;
}

const jd_law_class jd_law_stop = {
    .type = {.name = "stop",
             .doc = "a stop: rigid with restitution (impacts), or elastic with a stiffness",
             .def_size = sizeof(jd_stop_def),
             .params = params,
             .check = check},
    .noun = "stop",
    .traits = traits,
    .stop = stop,
    .element = element,
};

// coulomb.c -- dry friction: force -limit sgn v while sliding, |force| <= static_limit while stuck.
//   With a stiffness (Jenkins) the contact is a spring while stuck. Along a span limit and
//   stiffness are per length, and a profile scales both limits.
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static jd_status check_profile(jd_context *context, const void *def) {
    const jd_profile *d = def;
    if (d->at.n != d->factor.n)
        return jd_fail(context, JD_SIZE_MISMATCH,
                       "`at` has %d values and `factor` has %d, but must have as many", d->at.n,
                       d->factor.n);
    for (int i = 1; i < d->at.n; i++)
        if (!(d->at.value[i] > d->at.value[i - 1]))
            return jd_fail(context, JD_OUT_OF_RANGE,
                           "`at` must ascend, but value %d is %.10g after %.10g", i + 1,
                           d->at.value[i], d->at.value[i - 1]);
    return JD_OK;
}

static const jd_param profile_params[] = {
    {JD_KEY(jd_profile, at, REALS), .unit = "m", .low = 0, .high = HUGE_VAL,
     .doc = "distances from the beginning of the span"},
    {JD_KEY(jd_profile, factor, REALS), .unit = "", .low = 0, .high = HUGE_VAL,
     .doc = "the limit there is `limit` times this"},
    {0}};
static const jd_type profile_type = {.name = "profile",
                                     .doc = "how a limit varies along a span, piecewise linear",
                                     .def_size = sizeof(jd_profile),
                                     .params = profile_params,
                                     .check = check_profile};
static const jd_type *const profile_types[] = {&profile_type, NULL};

static const jd_param params[] = {
    {JD_KEY(jd_coulomb_def, limit, REAL), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "friction force while sliding; per length on a span"},
    {JD_KEY(jd_coulomb_def, static_limit, REAL), .unit = "N|N/m|N m", .preset = (double)NAN,
     .low = 0, .high = HUGE_VAL,
     .doc = "largest force while stuck; the same as limit when left out"},
    {JD_KEY(jd_coulomb_def, stiffness, REAL), .unit = "N/m|N/m^2|N m", .low = 0, .high = HUGE_VAL,
     .doc = "of the contact while stuck (Jenkins), per length on a span; 0: rigid"},
    {JD_KEY(jd_coulomb_def, profile, GROUP), .unit = "", .types = profile_types,
     .doc = "how the limits vary along a span"},
    {0}};

static jd_status check(jd_context *context, const void *def) {
    const jd_coulomb_def *d = def;
    if (isnan(d->static_limit) || d->static_limit >= d->limit) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE,
            "`static_limit` is %.10g, but must be at least `limit`, which is %.10g",
            d->static_limit, d->limit);
    jd_fail_hint(context, "leave `static_limit` out to make both the same");
    return JD_OUT_OF_RANGE;
}

static double held(const jd_coulomb_def *d) {
    return isnan(d->static_limit) ? d->limit : d->static_limit;
}

static unsigned traits(const void *def) {
    const jd_coulomb_def *d = def;
    return (unsigned)JD_LAW_FRICTION | (held(d) != d->limit ? (unsigned)JD_LAW_STATIC : 0) |
           (d->stiffness > 0 ? (unsigned)JD_LAW_SPRING : 0);
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const jd_coulomb_def *d = def;
    (void)arena;
    *out = (jd_friction){
        .limit = d->limit, .hold = held(d), .stiffness = d->stiffness, .profile = &d->profile};
    return JD_OK;
}

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_coulomb_def *d = def;
    double *number = JD_TAKE(arena, double, 3);
    if (!number) return JD_OUT_OF_MEMORY;
    number[0] = d->limit;
    number[1] = held(d);
    number[2] = d->stiffness;
    *out = (jd_element){.sliders = 1, .limit = number, .hold = number + 1, .stiffness = number + 2};
    return JD_OK;
}

const jd_law_class jd_law_coulomb = {
    .type = {.name = "coulomb",
             .doc = "dry friction with a constant limit",
             .def_size = sizeof(jd_coulomb_def),
             .params = params,
             .check = check},
    .noun = "friction contact",
    .short_noun = "friction",
    .title = "Coulomb",
    .traits = traits,
    .friction = friction,
    .element = element,
};

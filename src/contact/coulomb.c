// coulomb.c -- dry friction: force -limit sgn v while sliding, |force| <= static_limit while stuck.
//   With a stiffness (Jenkins) the contact is a spring while stuck. Along a span limit and
//   stiffness are per length, and a profile scales both limits. At a point the limits may swing,
//     limit(t) = mean + amplitude cos(frequency t + phase)        (static_limit by the same factor)
//   or be shares of the normal force N of another contact: coefficient N, static_coefficient N.
#include <math.h>
#include <stddef.h>

#include "base/fail.h"
#include "base/param_tools.h"
#include "contact/law.h"

static jd_status check_profile(jd_context *context, const void *def) {
    return jd_profile_check(context, def);
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

static const jd_param swing_params[] = {
    {.key = "mean",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_coulomb_def, limit),
     .unit = "N|N/m|N m",
     .required = true,
     .low = 0,
     .high = HUGE_VAL,
     .doc = "mean of the limit"},
    {.key = "amplitude",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_coulomb_def, limit_amplitude),
     .unit = "N|N/m|N m",
     .low = 0,
     .high = HUGE_VAL,
     .doc = "how far it swings to each side of the mean"},
    {.key = "frequency",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_coulomb_def, limit_frequency),
     .unit = "rad/s",
     .low = 0,
     .high = HUGE_VAL,
     .doc = "angular frequency of the swing"},
    {.key = "phase",
     .kind = JD_KIND_REAL,
     .offset = offsetof(jd_coulomb_def, limit_phase),
     .unit = "rad",
     .doc = "phase: the limit is mean + amplitude cos(frequency t + phase)"},
    {0}};
static const jd_type swing_type = {.name = "limit in time",
                                   .doc = "a limit that swings about a mean",
                                   .def_size = sizeof(jd_coulomb_def),
                                   .params = swing_params};
static const jd_type *const swing_types[] = {&swing_type, NULL};

static const jd_param params[] = {
    {JD_KEY(jd_coulomb_def, limit, REAL), .unit = "N|N/m|N m", .required = true,
     .unless = "coefficient", .preset = (double)NAN, .low = 0, .high = HUGE_VAL,
     .types = swing_types,
     .doc = "friction force while sliding; per length on a span; or a map: a limit that swings"},
    {JD_KEY(jd_coulomb_def, static_limit, REAL), .unit = "N|N/m|N m", .preset = (double)NAN,
     .low = 0, .high = HUGE_VAL,
     .doc = "largest force while stuck; the same as limit when left out; of a limit that swings "
            "at its mean, and it swings by the same factor"},
    {JD_KEY(jd_coulomb_def, coefficient, REAL), .unit = "", .preset = (double)NAN, .low = 0,
     .high = HUGE_VAL,
     .doc = "instead of a limit: friction force while sliding over the normal force of `normal`"},
    {JD_KEY(jd_coulomb_def, static_coefficient, REAL), .unit = "", .preset = (double)NAN, .low = 0,
     .high = HUGE_VAL,
     .doc = "largest force while stuck over the normal force; as coefficient when left out"},
    {JD_KEY(jd_coulomb_def, normal, TEXT), .unit = "",
     .doc = "name of the contact whose normal force presses: a stop on one side, or a dry-contact"},
    {JD_KEY(jd_coulomb_def, stiffness, REAL), .unit = "N/m|N/m^2|N m", .low = 0, .high = HUGE_VAL,
     .doc = "of the contact while stuck (Jenkins), per length on a span; 0: rigid"},
    {JD_KEY(jd_coulomb_def, with, TEXT), .unit = "",
     .doc = "name of the coulomb contact of the other direction of a plane: both share one limit, "
            "an ellipse with these half-axes, and friction opposes the velocity vector"},
    {JD_KEY(jd_coulomb_def, profile, GROUP), .unit = "", .types = profile_types,
     .doc = "how the limits vary along a span"},
    {0}};

// The limit is a share of another contact's normal force.
static bool is_share(const jd_coulomb_def *d) { return isnan(d->limit); }

static double sliding(const jd_coulomb_def *d) { return is_share(d) ? d->coefficient : d->limit; }

static double held(const jd_coulomb_def *d) {
    double more = is_share(d) ? d->static_coefficient : d->static_limit;
    return isnan(more) ? sliding(d) : more;
}

// A coefficient needs a normal force, and only a coefficient has use for one.
static jd_status check_normal(jd_context *context, const jd_coulomb_def *d) {
    const char *hint = "write {limit: ...}, or {coefficient: ..., normal: NAME}";
    bool share = is_share(d);
    if (share && !d->normal)
        return jd_law_broken(
            context, "name the contact that presses: `normal: NAME`, or give a `limit`",
            "`coefficient` is given without `normal`, the contact whose normal force it "
            "is a share of");
    if (!share && d->normal)
        return jd_law_broken(context, hint,
                             "`limit` and `normal` are both given: a given limit does not "
                             "depend on a normal force");
    if (!share && d->static_coefficient > 0)
        return jd_law_broken(context, "write `static_limit`",
                             "`static_coefficient` is given, but no `coefficient`");
    if (share && d->static_limit > 0)
        return jd_law_broken(context, "write `static_coefficient`",
                             "`static_limit` is given, but no `limit`");
    return JD_OK;
}

static jd_status check_swing(jd_context *context, const jd_coulomb_def *d) {
    if (d->limit_amplitude == 0) return JD_OK;
    if (is_share(d) || !(d->limit > 0))
        return jd_law_broken(context, "the limit is mean + amplitude cos(frequency t + phase)",
                             "`limit` has an `amplitude`, but its `mean` is not above 0");
    if (!(d->limit_frequency > 0))
        return jd_law_broken(context, "give `frequency`, an angular frequency",
                             "`limit` has an `amplitude`, but its `frequency` is not above 0");
    if (d->limit_amplitude <= d->limit || d->stiffness > 0) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE,
            "the `amplitude` of `limit`, %.10g, is above its `mean`, %.10g: the contact would be "
            "open part of the time",
            d->limit_amplitude, d->limit);
    jd_fail_hint(context, "that is possible with a `stiffness` only");
    return JD_OUT_OF_RANGE;
}

// In a plane.
static jd_status check_with(jd_context *context, const jd_coulomb_def *d) {
    if (!d->with) return JD_OK;
    if (held(d) != sliding(d) || !(sliding(d) > 0))
        return jd_law_broken(
            context, "write {limit: ..., stiffness: ..., with: NAME}",
            "`with` needs a `limit` or a `coefficient` above 0 that holds no more while stuck");
    if (d->limit_amplitude >= d->limit && d->limit_amplitude > 0)
        return jd_law_broken(context, "give `limit` an `amplitude` below its `mean`",
                             "`with` needs a `limit` that stays above 0 as it swings");
    if (!(d->stiffness > 0))
        return jd_law_broken(context, "give both directions a `stiffness`",
                             "`with` needs a `stiffness`: friction in a plane that is rigid while "
                             "stuck is not computed");
    return JD_OK;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_coulomb_def *d = def;
    JD_TRY(check_with(context, d));
    JD_TRY(check_normal(context, d));
    JD_TRY(check_swing(context, d));
    return jd_law_check_static(context, held(d), is_share(d) ? "coefficient" : "limit", sliding(d));
}

static unsigned traits(const void *def) {
    const jd_coulomb_def *d = def;
    return (unsigned)JD_LAW_FRICTION | (held(d) != sliding(d) ? (unsigned)JD_LAW_STATIC : 0) |
           (d->stiffness > 0 ? (unsigned)JD_LAW_SPRING : 0) |
           (is_share(d) ? (unsigned)JD_LAW_NORMAL : 0) |
           (d->limit_amplitude > 0 ? (unsigned)JD_LAW_SWING : 0) |
           (d->with ? (unsigned)JD_LAW_PLANE : 0);
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const jd_coulomb_def *d = def;
    (void)arena;
    *out = (jd_friction){.limit = d->limit,
                         .hold = is_share(d) ? (double)NAN : held(d),
                         .stiffness = d->stiffness,
                         .profile = &d->profile};
    return JD_OK;
}

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_coulomb_def *d = def;
    double *number = JD_TAKE(arena, double, 3);
    if (!number) return JD_OUT_OF_MEMORY;
    number[0] = sliding(d);
    number[1] = held(d);
    number[2] = d->stiffness;
    *out = (jd_element){.sliders = number[0] > 0 || number[1] > 0,
                        .limit = number,
                        .hold = number + 1,
                        .stiffness = number + 2,
                        .source = is_share(d) ? JD_NORMAL_OTHER : JD_NORMAL_GIVEN,
                        .other = is_share(d) ? d->normal : NULL,
                        .with = d->with};
    if (!(d->limit_amplitude > 0)) return JD_OK;
    out->swing = d->limit_amplitude / d->limit;
    out->swing_omega = d->limit_frequency;
    out->swing_phase = d->limit_phase;
    return JD_OK;
}

const jd_law_class jd_law_coulomb = {
    .type = {.name = "coulomb",
             .doc = "dry friction, rigid or elastic while stuck: a given limit, or a share of a "
                    "normal force",
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

// stribeck.c -- friction that falls with speed: force -sgn v (limit - drop + drop exp(-decay |v|)),
// |force| <= static_limit while stuck; limit, drop and static_limit multiplied by `times`.
#include <math.h>

#include "base/clones.h"
#include "base/exponential.h"
#include "base/fail.h"
#include "contact/law.h"

static const jd_param params[] = {
    {JD_KEY(jd_stribeck_def, limit, REAL), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "friction force at vanishing speed"},
    {JD_KEY(jd_stribeck_def, static_limit, REAL), .unit = "N|N/m|N m", .preset = (double)NAN,
     .low = 0, .high = HUGE_VAL,
     .doc = "largest force while stuck; the same as limit when left out"},
    {JD_KEY(jd_stribeck_def, drop, REAL), .unit = "N|N/m|N m", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "how much the force falls from rest to high speed, at most limit"},
    {JD_KEY(jd_stribeck_def, decay, REAL), .unit = "s/m|s", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "how fast it falls with speed"},
    {JD_KEY(jd_stribeck_def, ambiguity, CHOICE), .unit = "", .choices = jd_law_ambiguities,
     .doc = "where several forces fit one history (steep fall, infinitely many modes): refuse, or "
            "keep the present solution until it ends"},
    {JD_KEY(jd_stribeck_def, times, REAL), .unit = "", .preset = 1, .low = 0, .high = HUGE_VAL,
     .doc = "factor of limit, static_limit and drop, such as the normal force"},
    {0}};

static double held(const jd_stribeck_def *d) {
    return isnan(d->static_limit) ? d->limit : d->static_limit;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_stribeck_def *d = def;
    JD_TRY(jd_law_check_static(context, held(d), "limit", d->limit));
    if (d->drop <= d->limit) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE,
                   "`drop` is %.10g, but must be at most `limit`, which is %.10g", d->drop,
                   d->limit);
}

static unsigned traits(const void *def) {
    const jd_stribeck_def *d = def;
    return (unsigned)JD_LAW_FRICTION | (unsigned)JD_LAW_CURVE |
           (held(d) > d->limit ? (unsigned)JD_LAW_STATIC : 0);
}

// limit - drop + drop exp(-decay u); far below 0 straight on, where it would run away.
static double curve(const jd_friction *f, double u, double *rate) {
    double drop = f->number[0], decay = f->number[1], past = fmin(u + f->number[2], 0);
    double e = drop * exp(-decay * (u - past));
    *rate = -decay * e;
    return f->limit - drop + e + *rate * past;
}

JD_CLONES("avx2")
static void curve_four(const jd_friction *f, const double u[4], double *value, double *rate) {
    double drop = f->number[0], decay = f->number[1];
    v4 past = LOAD(u) + ALL(f->number[2]);
    past = (v4)((i4)past & (i4)(past < ALL(0.0)));
    v4 x = ALL(-decay) * (LOAD(u) - past);
    i4 far = (i4)(x < ALL(-700.0)); // e^-700 is 0 beside any limit
    v4 e = (v4)(((i4)x & ~far) | ((i4)ALL(-700.0) & far));
    jd_exponential(false, &e);
    e *= ALL(drop);
    v4 slope = ALL(-decay) * e;
    STORE(rate, slope);
    STORE(value, ALL(f->limit - drop) + e + slope * past);
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const jd_stribeck_def *d = def;
    (void)arena;
    *out = (jd_friction){
        .limit = d->times * d->limit,
        .hold = d->times * held(d),
        .steepest = d->times * d->drop * d->decay,
        .curve = curve,
        .curve_four = curve_four,
        .number = {d->times * d->drop, d->decay, d->decay > 0 ? 1 / d->decay : HUGE_VAL},
        .top = 50 / d->decay,
        .pieces = 4096,
        .hysteresis = d->ambiguity == 1};
    return JD_OK;
}

const jd_law_class jd_law_stribeck = {
    .type = {.name = "stribeck",
             .doc = "friction that falls exponentially with speed",
             .def_size = sizeof(jd_stribeck_def),
             .params = params,
             .check = check},
    .noun = "friction contact",
    .short_noun = "friction",
    .title = "Stribeck",
    .traits = traits,
    .friction = friction,
};

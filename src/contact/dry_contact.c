// dry_contact.c -- one contact with a normal and a tangential direction: lift-off, stick and slip.
//   N = normal_stiffness (u_n - gap) + normal_damping u_n' while closed, or rigid with restitution
//   |T| <= static_coefficient N while stuck, T = coefficient N sgn while it slides; while stuck a
//   spring (tangential_stiffness) or rigid
#include <math.h>

#include "base/fail.h"
#include "contact/law.h"

static const char *const impacts[] = {"poisson", "newton", NULL};

static const jd_param params[] = {
    {JD_KEY(jd_dry_contact_def, coefficient, REAL), .unit = "", .required = true, .low = 0,
     .high = HUGE_VAL, .doc = "friction force while sliding over the normal force"},
    {JD_KEY(jd_dry_contact_def, static_coefficient, REAL), .unit = "", .preset = (double)NAN,
     .low = 0, .high = HUGE_VAL,
     .doc = "largest force while stuck over the normal force; as coefficient when left out"},
    {JD_KEY(jd_dry_contact_def, tangential_stiffness, REAL), .unit = "N/m", .low = 0,
     .high = HUGE_VAL, .doc = "of the contact while stuck; 0: rigid"},
    {JD_KEY(jd_dry_contact_def, normal_stiffness, REAL), .unit = "N/m", .low = 0, .high = HUGE_VAL,
     .doc = "of the contact while closed; 0: rigid, with `restitution`"},
    {JD_KEY(jd_dry_contact_def, normal_damping, REAL), .unit = "N s/m", .low = 0, .high = HUGE_VAL,
     .doc = "while closed, beside normal_stiffness; the contact never pulls"},
    {JD_KEY(jd_dry_contact_def, gap, REAL), .unit = "m", .required = true, .unless = "preload",
     .preset = (double)NAN, .doc = "free path in the normal direction until it closes"},
    {JD_KEY(jd_dry_contact_def, preload, REAL), .unit = "N", .preset = (double)NAN, .low = 0,
     .high = HUGE_VAL,
     .doc = "normal force at displacement 0, needs normal_stiffness; for a free path give a gap"},
    {JD_KEY(jd_dry_contact_def, restitution, REAL), .unit = "", .preset = (double)NAN, .low = 0,
     .high = 1, .doc = "of a rigid normal part: normal velocity after an impact over that before"},
    {JD_KEY(jd_dry_contact_def, impact, CHOICE), .unit = "", .choices = impacts,
     .doc = "friction at impacts of a rigid normal part: poisson never adds energy, newton may"},
    {0}};

static double held(const jd_dry_contact_def *d) {
    return isnan(d->static_coefficient) ? d->coefficient : d->static_coefficient;
}

static bool is_elastic(const jd_dry_contact_def *d) { return d->normal_stiffness > 0; }

static jd_status check_normal(jd_context *context, const jd_dry_contact_def *d) {
    bool bounces = !isnan(d->restitution);
    if (is_elastic(d) && bounces)
        return jd_law_broken(context,
                             "leave out one: a spring has no restitution, use "
                             "`normal_damping` for losses",
                             "`restitution` and `normal_stiffness` are both given, but only one is "
                             "possible");
    if (!is_elastic(d) && !bounces)
        return jd_law_broken(context, "give `restitution` (0 to 1), or a `normal_stiffness`",
                             "the normal part is rigid (`normal_stiffness` 0) and has no "
                             "`restitution`");
    if (is_elastic(d) && d->impact != JD_FRICTION_POISSON)
        return jd_law_broken(context, "leave out one: an elastic normal part has no impacts",
                             "`impact` and `normal_stiffness` are both given, but only one is "
                             "possible");
    if (!is_elastic(d) && d->normal_damping > 0)
        return jd_law_broken(context, "a rigid normal part has a `restitution` instead",
                             "`normal_damping` is given, but no `normal_stiffness`");
    if (!is_elastic(d) && isnan(d->gap))
        return jd_law_broken(context, "give a `normal_stiffness`, or a `gap` (negative: preloaded)",
                             "`preload` is given, but the normal part is rigid "
                             "(`normal_stiffness` 0) and has no force at displacement 0");
    return JD_OK;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_dry_contact_def *d = def;
    JD_TRY(check_normal(context, d));
    if (held(d) >= d->coefficient) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE,
            "`static_coefficient` is %.10g, but must be at least `coefficient`, which is %.10g",
            held(d), d->coefficient);
    jd_fail_hint(context, "leave `static_coefficient` out to make both the same");
    return JD_OUT_OF_RANGE;
}

static unsigned traits(const void *def) {
    const jd_dry_contact_def *d = def;
    unsigned normal = is_elastic(d) ? JD_LAW_ELASTIC : JD_LAW_STOP;
    return normal | (unsigned)JD_LAW_FRICTION | (unsigned)JD_LAW_NORMAL |
           (held(d) != d->coefficient ? (unsigned)JD_LAW_STATIC : 0) |
           (d->tangential_stiffness > 0 ? (unsigned)JD_LAW_SPRING : 0);
}

static jd_status friction(jd_arena *arena, const void *def, jd_friction *out) {
    const jd_dry_contact_def *d = def;
    (void)arena;
    *out = (jd_friction){.limit = (double)NAN, // a share of the normal force
                         .hold = (double)NAN,
                         .stiffness = d->tangential_stiffness};
    return JD_OK;
}

static jd_status element(jd_arena *arena, const void *def, jd_element *out) {
    const jd_dry_contact_def *d = def;
    double *number = JD_TAKE(arena, double, 3);
    if (!number) return JD_OUT_OF_MEMORY;
    number[0] = d->coefficient;
    number[1] = held(d);
    number[2] = d->tangential_stiffness;
    *out = (jd_element){.sliders = number[1] > 0,
                        .limit = number,
                        .hold = number + 1,
                        .stiffness = number + 2,
                        .source = JD_NORMAL_OWN,
                        .normal = true,
                        .gap = isnan(d->gap) ? -d->preload / d->normal_stiffness : d->gap,
                        .kn = d->normal_stiffness,
                        .cn = d->normal_damping,
                        .restitution = is_elastic(d) ? 0 : d->restitution,
                        .impact = d->impact};
    return JD_OK;
}

const jd_law_class jd_law_dry_contact = {
    .type = {.name = "dry-contact",
             .doc = "a contact that closes, sticks, slides and lifts off: friction under its own "
                    "normal force",
             .def_size = sizeof(jd_dry_contact_def),
             .params = params,
             .check = check},
    .noun = "dry contact",
    .title = "dry contact",
    .traits = traits,
    .friction = friction,
    .element = element,
};

// law.c -- the list of contact laws, what they ask of an engine in words, and the table of a
// contact.
#include "contact/law.h"

#include <stddef.h>

#include "base/fail.h"

#define TYPE(name) &jd_law_##name.type,
static const jd_type *const laws[] = {JD_LAWS(TYPE) NULL};

// What an engine says it lacks for a trait; the first one missing is told.
static const struct {
    unsigned trait;
    const char *words;
} lacks[] = {
    {JD_LAW_PLANE, "two contacts are friction in a plane (`with`)"},
    {JD_LAW_SMOOTH, "a contact is a nonlinear spring (`cubic`)"},
    {JD_LAW_SURFACE, "a contact is the switching surface of a piecewise-smooth model"},
    {JD_LAW_STOP, "a contact is a stop"},
    {JD_LAW_SOIL, "a contact is soil"},
    {JD_LAW_FRICTION, "a contact has friction"},
    {JD_LAW_NORMAL, "the friction of a contact depends on a normal force (`coefficient`)"},
    {JD_LAW_PARALLEL, "a contact has several sliders side by side"},
    {JD_LAW_SPRING, "a contact is a spring while stuck (`stiffness`)"},
    {JD_LAW_CURVE, "the friction of a contact is a curve over the speed"},
    {JD_LAW_SLOPE, "the friction of a contact changes with the speed"},
    {JD_LAW_STATIC,
     "a contact holds more while stuck than it resists while sliding (`static_limit`)"},
    {JD_LAW_CUSHION, "a contact is a cushion (`cushion` of a stop)"},
    {JD_LAW_ELASTIC, "a contact is elastic when closed (`stiffness` of a stop)"},
    {JD_LAW_SWING, "the limit of a contact changes with time"},
};

const char *const jd_law_ambiguities[] = {"refuse", "hysteresis", NULL};

const jd_type *const *jd_law_types(void) { return laws; }

// Every law is the first member of its class.
const jd_law_class *jd_law_of(const jd_object *law) { return (const jd_law_class *)law->type; }

unsigned jd_law_traits(const jd_object *law) { return jd_law_of(law)->traits(law->def); }

const char *jd_law_refuses(const jd_object *law, unsigned computed) {
    unsigned missing = jd_law_traits(law) & ~computed;
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (missing & lacks[i].trait) return lacks[i].words;
    return NULL;
}

jd_status jd_law_friction_of(jd_arena *arena, const jd_object *law, jd_friction *out) {
    *out = (jd_friction){0};
    const jd_law_class *class = jd_law_of(law);
    return class->friction ? class->friction(arena, law->def, out) : JD_OK;
}

const jd_stop_def *jd_law_stop_of(const jd_object *law) {
    const jd_law_class *class = jd_law_of(law);
    return class->stop ? class->stop(law->def) : NULL;
}

const jd_soil_def *jd_law_soil_of(const jd_object *law) {
    const jd_law_class *class = jd_law_of(law);
    return class->soil ? class->soil(law->def) : NULL;
}

jd_status jd_law_element_of(jd_arena *arena, const jd_object *law, jd_element *out) {
    *out = (jd_element){0};
    const jd_law_class *class = jd_law_of(law);
    return class->element ? class->element(arena, law->def, out) : JD_OK;
}

jd_status jd_law_broken(jd_context *context, const char *hint, const char *message) {
    jd_fail(context, JD_OUT_OF_RANGE, "%s", message);
    jd_fail_hint(context, "%s", hint);
    return JD_OUT_OF_RANGE;
}

jd_status jd_law_check_static(jd_context *context, double held, const char *word, double sliding) {
    if (!(held < sliding)) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE,
            "`static_%s` is %.10g, but must be at least `%s`, which is %.10g", word, held, word,
            sliding);
    jd_fail_hint(context, "leave `static_%s` out to make both the same", word);
    return JD_OUT_OF_RANGE;
}

static const char *const footprints[] = {"fixed", "moving", NULL};

static const jd_param params[] = {
    {JD_KEY(jd_contact_def, at, PLACE), .unit = "m", .required = true,
     .doc =
         "the structure's point, a span {body, span: [from, to]}, several points {points: [a, b]}, "
         "or two directions {normal, tangential}"},
    {JD_KEY(jd_contact_def, against, COUNTER), .unit = "m",
     .doc = "ground, {velocity: v} of a moving body, or another point, span or {normal, "
            "tangential}"},
    {JD_KEY(jd_contact_def, law, OBJECT), .unit = "", .required = true, .types = laws,
     .doc = "contact law: friction or a stop"},
    {JD_KEY(jd_contact_def, footprint, CHOICE), .unit = "", .choices = footprints,
     .doc =
         "on a span: which material touches stays as it was at the start, or the structure moves "
         "through the span"},
    {JD_KEY(jd_contact_def, cells, INTEGER), .unit = "", .low = 0, .high = 10000,
     .doc = "on a span: contacts at points that it becomes in engine series, each with its share; "
            "0: chosen; "
            "engines on grids have cells of their own"},
    {0}};

const jd_type jd_contact_type = {.name = "contact",
                                 .doc =
                                     "a contact: dry friction or a stop at a place of a structure",
                                 .def_size = sizeof(jd_contact_def),
                                 .params = params};

// law.c -- the list of contact laws, and the table of a contact.
#include "contact/law.h"

static const jd_type *const laws[] = {
    &jd_law_coulomb, &jd_law_affine, &jd_law_stop, &jd_law_stribeck,
    &jd_law_table,   &jd_law_soil,   NULL};

const char *const jd_law_ambiguities[] = {"refuse", "hysteresis", NULL};

const jd_type *const *jd_law_types(void) { return laws; }

bool jd_law_is_friction(const jd_type *law) { return law != &jd_law_stop && law != &jd_law_soil; }

static const char *const footprints[] = {"fixed", "moving", NULL};

static const jd_param params[] = {
    {JD_KEY(jd_contact_def, at, PLACE), .unit = "m", .required = true,
     .doc = "the structure's point, or a span {body, span: [from, to]}"},
    {JD_KEY(jd_contact_def, against, COUNTER), .unit = "m",
     .doc = "ground, {velocity: v} of a moving body, or another point or span"},
    {JD_KEY(jd_contact_def, law, OBJECT), .unit = "", .required = true, .types = laws,
     .doc = "how it resists: friction or a stop"},
    {JD_KEY(jd_contact_def, footprint, CHOICE), .unit = "", .choices = footprints,
     .doc =
         "on a span: which material touches stays as it was at the start, or the structure moves "
         "through the span"},
    {0}};

const jd_type jd_contact_type = {.name = "contact",
                                 .doc = "a place that rubs or knocks",
                                 .def_size = sizeof(jd_contact_def),
                                 .params = params};

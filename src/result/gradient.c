// gradient.c -- derivatives of an orbit by numbers of the model, as part of its result.
#include "judder/gradient.h"
#include "result/result.h"

#define PLACE(member, name, text)                                                                  \
    { JD_REAL(jd_gradient_place, member, name, NULL, text) }

static const jd_field place_field[] = {PLACE(least, "least", "displacement over a period"),
                                       PLACE(most, "most", "displacement over a period"),
                                       PLACE(amplitude, "amplitude", "half of the difference"),
                                       PLACE(d_least, "d_least", "derivative of it"),
                                       PLACE(d_most, "d_most", "derivative of it"),
                                       PLACE(d_amplitude, "d_amplitude", "derivative of it"),
                                       JD_END_OF_FIELDS};
static const jd_record place_record = {.size = sizeof(jd_gradient_place), .field = place_field};

static const char *method_name(int i) { return jd_gradient_method_name((jd_gradient_method)i); }

// What was read: sizes of arrays that are there.
static jd_status check(jd_arena *arena, void *object) {
    jd_gradient_key *k = object;
    (void)arena;
    if (!k->state) k->n = 0;
    if (!k->multiplier) k->n_multiplier = 0;
    return JD_OK;
}

static const jd_field key_field[] = {
    {JD_REAL(jd_gradient_key, value, "value", NULL, "of the number")},
    {JD_WORD_OF(jd_gradient_key, method, "method", method_name, JD_GRADIENT_METHOD_COUNT,
                "of state, period and displacements")},
    {JD_REAL(jd_gradient_key, error, "error", "", "of the state's derivative, relative, at most")},
    {JD_REAL(jd_gradient_key, period, "period", NULL, "derivative of the period")},
    {JD_ARRAY(REALS, jd_gradient_key, state, "state", NULL, "derivative of the state at the start"),
     .size = {JD_OWN(jd_gradient_key, n)}, .optional = true},
    {JD_MAP_OF(jd_gradient_key, place, "places", &place_record, n_place, "extreme displacements")},
    {JD_ARRAY(REALS, jd_gradient_key, multiplier, "multipliers", NULL,
              "derivatives (re, im), by differences"),
     .size = {JD_OWN(jd_gradient_key, n_multiplier), JD_FIXED(2)}, .optional = true},
    {JD_REAL(jd_gradient_key, multiplier_error, "multiplier_error", NULL, "of these, at most")},
    JD_END_OF_FIELDS};
const jd_record jd_record_gradient = {
    .size = sizeof(jd_gradient_key), .field = key_field, .check = check};

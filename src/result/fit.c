// fit.c -- numbers of a model fitted to measured displacements, with the data beside the model.
#include "judder/fit.h"
#include "result/result.h"

static const char *end_name(int i) { return jd_fitting_end_name((jd_fit_end)i); }

static const jd_field parameter_field[] = {
    {JD_REAL(jd_fit_parameter, start, "start", NULL, "value in the model")},
    {JD_REAL(jd_fit_parameter, value, "value", NULL, "fitted")},
    {JD_REAL(jd_fit_parameter, deviation, "deviation", NULL, "standard deviation of it")},
    JD_END_OF_FIELDS};
static const jd_record parameter_record = {.size = sizeof(jd_fit_parameter),
                                           .field = parameter_field};

static const jd_field datum_field[] = {
    {JD_REAL(jd_fit_datum, x, "x", NULL, "time, or value of the number measured over")},
    {JD_TEXT(jd_fit_datum, place, "place", "contact or point")},
    {JD_REAL(jd_fit_datum, measured, "measured", "m", "displacement or amplitude")},
    {JD_REAL(jd_fit_datum, model, "model", "m", "the same of the fitted model")},
    {JD_SCALAR(BOOL, jd_fit_datum, other, "other", "`orbit` finds another orbit there")},
    JD_END_OF_FIELDS};
static const jd_record datum_record = {.size = sizeof(jd_fit_datum), .field = datum_field};

static const jd_field fit_field[] = {
    {JD_WORD_OF(jd_fit_view, end, "end", end_name, JD_FIT_END_COUNT, "how it ended")},
    {JD_SCALAR(BOOL, jd_fit_view, samples, "samples", "data are over time, else amplitudes")},
    {JD_TEXT(jd_fit_view, over, "over", "t, or path of the number measured over")},
    {JD_MAP_OF(jd_fit_view, parameter, "parameters", &parameter_record, n_parameter, "by path")},
    {JD_ARRAY(REALS, jd_fit_view, correlation, "correlation", "", "of the parameters"),
     .size = {JD_OWN(jd_fit_view, n_parameter), JD_OWN(jd_fit_view, n_parameter)}},
    {JD_REAL(jd_fit_view, noise, "noise", "m", "standard deviation of the data")},
    {JD_SCALAR(BOOL, jd_fit_view, estimated, "noise_estimated", "from what is left over")},
    {JD_REAL(jd_fit_view, rms, "rms", "m", "of what is left over")},
    {JD_SCALAR(INT, jd_fit_view, iterations, "iterations", "of the optimiser")},
    {JD_SCALAR(LONG, jd_fit_view, orbits, "orbits", "that were computed")},
    {JD_SCALAR(LONG, jd_fit_view, differences, "orbits_by_differences",
               "that derivatives by differences would have taken")},
    {JD_SCALAR(INT, jd_fit_view, others, "others",
               "values of x at which `orbit` finds another orbit than the one followed, or none")},
    {JD_LIST_OF(jd_fit_view, datum, "data", &datum_record, n_datum, "measured and model")},
    JD_END_OF_FIELDS};
const jd_record jd_record_fit = {.size = sizeof(jd_fit_view), .field = fit_field, .root = true};

jd_status jd_result_of_fit(jd_context *context, const jd_problem *problem, const jd_fitting *fit,
                           jd_result **out) {
    const jd_fit_view *v = jd_fitting_look(fit);
    JD_TRY(jd_result_create(context, problem, JD_RESULT_FIT, out));
    *(jd_fit_view *)(*out)->content = *v;
    jd_status s = JD_OK;
    for (int i = 0; s == JD_OK && i < v->n_parameter; i++)
        s = jd_result_note_unit(*out, problem, v->parameter[i].key);
    if (s == JD_OK && !v->samples) s = jd_result_note_unit(*out, problem, v->over);
    return jd_result_end(s, out);
}

json_t *jd_rows_fit(const json_t *document) {
    return json_deep_copy(json_object_get(document, "data"));
}

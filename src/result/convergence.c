// convergence.c -- convergence studies: one table per number of the model varied.
#include "result/result.h"

static const jd_field point_field[] = {
    {JD_REAL(jd_converge_point, value, "value", NULL, "of the number that is refined")},
    {JD_REAL(jd_converge_point, measure, "measure", NULL, "of the run")},
    {JD_REAL(jd_converge_point, ratio, "ratio", "", "of the measure to the last one")},
    {JD_REAL(jd_converge_point, order, "order", "", "observed; NaN where there is none")},
    {JD_SCALAR(LONG, jd_converge_point, events, "events", "of the run")},
    {JD_REAL(jd_converge_point, seconds, "cpu_seconds", "s", "processor time")},
    JD_END_OF_FIELDS};
static const jd_record point_record = {.size = sizeof(jd_converge_point), .field = point_field};

static const jd_field study_field[] = {
    {JD_TEXT(jd_study_result, parameter, "parameter", "path of the number that is refined")},
    {JD_REAL(jd_study_result, within, "within_1_percent_from", NULL,
             "first value from which on all are within 1 % of the last")},
    {JD_LIST_OF(jd_study_result, point, "points", &point_record, n, "a run each")},
    JD_END_OF_FIELDS};
static const jd_record study_record = {.size = sizeof(jd_study_result), .field = study_field};

static jd_status check(jd_arena *arena, void *object) {
    const jd_convergence_result *c = object;
    for (int i = 0; i < c->n; i++)
        if (c->study[i].n == 0)
            return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                           "the file holds no `points` of study %d", i + 1);
    if (c->n > 0) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE, "the file holds no `studies`");
}

static const jd_field convergence_field[] = {
    {JD_TEXT(jd_convergence_result, measure, "measure", "what is compared")},
    {JD_LIST_OF(jd_convergence_result, study, "studies", &study_record, n, "one per number")},
    JD_END_OF_FIELDS};
const jd_record jd_record_convergence = {
    .size = sizeof(jd_convergence_result), .field = convergence_field, .check = check};

jd_status jd_result_of_convergence(jd_context *context, const jd_problem *problem, int n,
                                   const jd_converge_def *def, jd_converge_point *const *point,
                                   jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_CONVERGENCE, out));
    jd_study_result *study = JD_TAKE((*out)->arena, jd_study_result, n);
    jd_convergence_result *c = (*out)->content;
    jd_status s = jd_arena_status((*out)->arena);
    for (int i = 0; s == JD_OK && i < n; i++) {
        int from = jd_converge_from(def[i].n, point[i], 0.01);
        double within = from < def[i].n ? point[i][from].value : (double)NAN; // none is so close
        study[i] = (jd_study_result){def[i].parameter, within, def[i].n, point[i]};
        s = jd_result_note_unit(*out, problem, def[i].parameter);
    }
    *c = (jd_convergence_result){def[0].measure, n, study};
    return jd_result_end(s, out);
}

json_t *jd_rows_convergence(const json_t *document) {
    json_t *rows = json_array(), *study, *point;
    size_t i, k;
    json_array_foreach(json_object_get(document, "studies"), i, study) {
        json_array_foreach(json_object_get(study, "points"), k, point) {
            json_t *row = json_object();
            json_object_set(row, "parameter", json_object_get(study, "parameter"));
            json_object_update(row, point);
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

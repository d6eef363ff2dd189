// converge_result.c -- convergence studies as a document: one table per number of the model varied.
#include "result/converge.h"

static json_t *point_json(const jd_converge_point *p) {
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o}", "value", jd_json_real(p->value), "measure",
                     jd_json_real(p->measure), "ratio", jd_json_real(p->ratio), "order",
                     jd_json_real(p->order), "events", (json_int_t)p->events, "cpu_seconds",
                     jd_json_real(p->seconds));
}

static json_t *study_json(const jd_converge_def *d, const jd_converge_point *p) {
    json_t *points = json_array();
    for (int i = 0; i < d->n; i++) json_array_append_new(points, point_json(&p[i]));
    int from = jd_converge_from(d->n, p, 0.01);
    return json_pack("{s:s, s:o, s:o}", "parameter", d->parameter, "within_1_percent_from",
                     jd_json_real(p[from].value), "points", points);
}

json_t *jd_document_converge(const jd_problem *problem, int n, const jd_converge_def *def,
                             jd_converge_point *const *point) {
    json_t *studies = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(studies, study_json(&def[i], point[i]));
    json_t *out = json_pack("{s:s, s:o, s:s, s:s, s:o}", "kind", "convergence", "title",
                            jd_json_text(jd_problem_title(problem)), "units",
                            jd_problem_is_si(problem) ? "SI" : "consistent", "measure",
                            def[0].measure, "studies", studies);
    for (int i = 0; i < n; i++) jd_document_note_unit(out, problem, def[i].parameter);
    return out;
}

json_t *jd_document_converge_rows(const json_t *document) {
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

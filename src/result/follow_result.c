// follow_result.c -- a branch of orbits as a document: points, special points, how it ended.
#include "result/follow_result.h"

#include "base/fail.h"

static json_t *pair(const double *z) {
    return json_pack("[o,o]", jd_json_real(z[0]), jd_json_real(z[1]));
}

static json_t *verdict(bool stable, bool undecided) {
    return undecided ? json_null() : json_boolean(stable);
}

static json_t *point_json(const jd_follow_view *v, const jd_branch_point *p) {
    json_t *out = json_object();
    json_object_set_new(out, "parameter", jd_json_real(p->parameter));
    json_object_set_new(out, "amplitude", jd_json_real(p->amplitude));
    json_object_set_new(out, "stable", verdict(p->stable, p->undecided));
    json_object_set_new(out, "unstable", json_integer(p->n_unstable));
    json_object_set_new(out, "multiplier", pair(p->multiplier));
    json_object_set_new(out, "multiplier_error", jd_json_real(p->multiplier_error));
    json_object_set_new(out, "period", jd_json_real(p->period));
    json_object_set_new(out, "phases", json_string(v->phases[p->phases]));
    json_object_set_new(out, "events", json_integer(p->n_event));
    json_object_set_new(out, "residual", jd_json_real(p->residual));
    json_object_set_new(out, "certified", json_boolean(p->certified));
    return out;
}

static json_t *special_json(const jd_follow_view *v, const jd_special *s) {
    json_t *out = json_object();
    json_object_set_new(out, "kind", json_string(jd_special_name(s->kind)));
    json_object_set_new(out, "parameter", jd_json_real(s->parameter));
    json_object_set_new(out, "error", jd_json_real(s->error));
    json_object_set_new(out, "amplitude", jd_json_real(s->amplitude));
    json_object_set_new(out, "period", jd_json_real(s->period));
    json_object_set_new(out, "before", json_string(v->phases[s->before]));
    json_object_set_new(out, "after", json_string(v->phases[s->after]));
    json_object_set_new(out, "turns", json_boolean(s->turns));
    json_object_set_new(out, "stable_before", verdict(s->stable_before, s->undecided_before));
    json_object_set_new(out, "stable_after", verdict(s->stable_after, s->undecided_after));
    json_object_set_new(out, "multiplier", pair(s->multiplier));
    json_object_set_new(out, "point", json_integer(s->point));
    return out;
}

// The curve of special points in two parameters.
static json_t *curve_json(const jd_follow_view *v) {
    static const char *const kinds[] = {"none", "fold", "flip", "grazing"};
    json_t *out = json_object(), *points = json_array();
    json_object_set_new(out, "kind", json_string(kinds[v->curve]));
    json_object_set_new(out, "second", jd_json_text(v->second));
    json_object_set_new(out, "second_from", jd_json_real(v->second_from));
    json_object_set_new(out, "second_to", jd_json_real(v->second_to));
    for (int i = 0; i < v->n_curve; i++) {
        const jd_curve_point *p = &v->curve_point[i];
        json_array_append_new(
            points,
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "parameter", jd_json_real(p->parameter),
                      "second", jd_json_real(p->second), "amplitude", jd_json_real(p->amplitude),
                      "period", jd_json_real(p->period), "residual", jd_json_real(p->residual)));
    }
    json_object_set_new(out, "points", points);
    return out;
}

static json_t *end_json(const jd_follow_view *v) {
    return json_pack("{s:s, s:o, s:s, s:o}", "kind", jd_end_name(v->end), "parameter",
                     jd_json_real(v->end_parameter), "text", jd_end_text(v->end), "why",
                     jd_json_text(v->why));
}

static json_t *beside_json(const jd_follow_view *v) {
    json_t *all = json_object();
    for (int i = 0; i < v->n_beside; i++) {
        const jd_follow_view *b = v->beside[i].view;
        json_t *branch = json_array(), *special = json_array();
        for (int k = 0; k < b->n_point; k++)
            json_array_append_new(branch, point_json(b, &b->point[k]));
        for (int k = 0; k < b->n_special; k++)
            json_array_append_new(special, special_json(b, &b->special[k]));
        json_object_set_new(
            all, v->beside[i].name,
            json_pack("{s:o, s:o, s:o}", "branch", branch, "special", special, "end", end_json(b)));
    }
    return all;
}

jd_status jd_document_follow(jd_context *context, const jd_problem *problem,
                             const jd_follow_view *v, json_t **out) {
    json_t *d = json_object(), *branch = json_array(), *special = json_array();
    json_object_set_new(d, "kind", json_string("follow"));
    json_object_set_new(d, "title", jd_json_text(jd_problem_title(problem)));
    json_object_set_new(d, "units", json_string(jd_problem_is_si(problem) ? "SI" : "consistent"));
    json_object_set_new(d, "of", json_string(v->of == JD_FOLLOW_STEADY ? "steady" : "orbits"));
    json_object_set_new(d, "parameter", jd_json_text(v->parameter));
    json_object_set_new(d, "measure", jd_json_text(v->measure));
    json_object_set_new(d, "from", jd_json_real(v->from));
    json_object_set_new(d, "to", jd_json_real(v->to));
    for (int i = 0; i < v->n_point; i++) json_array_append_new(branch, point_json(v, &v->point[i]));
    for (int i = 0; i < v->n_special; i++)
        json_array_append_new(special, special_json(v, &v->special[i]));
    json_object_set_new(d, "branch", branch);
    json_object_set_new(d, "special", special);
    jd_document_note_unit(d, problem, v->parameter);
    if (v->curve != JD_CURVE_NONE) {
        json_object_set_new(d, "curve", curve_json(v));
        jd_document_note_unit(d, problem, v->second);
    }
    json_object_set_new(d, "uncertified", json_integer(v->n_uncertified));
    json_object_set_new(d, "end", end_json(v));
    json_object_set_new(d, "orbits", json_integer(v->orbits));
    json_object_set_new(d, "rounds", json_integer(v->rounds));
    json_object_set_new(d, "derivatives", json_integer(v->derivatives));
    if (v->n_beside) json_object_set_new(d, "beside", beside_json(v));
    *out = d;
    if (d && branch && special) return JD_OK;
    json_decref(d);
    *out = NULL;
    return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
}

json_t *jd_document_follow_rows(const json_t *document) {
    json_t *rows = json_array(), *point, *value;
    const char *key;
    size_t i;
    const json_t *curve = json_object_get(document, "curve");
    json_array_foreach(
        curve ? json_object_get(curve, "points") : json_object_get(document, "branch"), i, point) {
        json_t *row = json_object();
        json_object_foreach(point, key, value) {
            if (!json_is_array(value)) {
                json_object_set(row, key, value);
                continue;
            }
            json_object_set(row, "multiplier_re", json_array_get(value, 0));
            json_object_set(row, "multiplier_im", json_array_get(value, 1));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

// sweep_result.c -- a sweep as a document: the grid, and one flat object per point.
#include "result/sweep.h"

#include <stdio.h>

#include "base/fail.h"

static json_t *samples_json(const jd_sweep_view *v, const jd_sweep_point *p) {
    json_t *out = json_array();
    for (int i = 0; i < v->n_sample; i++)
        json_array_append_new(out, json_pack("[o,o]", jd_json_real(p->sample[2 * i]),
                                             jd_json_real(p->sample[2 * i + 1])));
    return out;
}

static json_t *point_json(const jd_sweep *sweep, const jd_sweep_point *p) {
    const jd_sweep_view *v = jd_sweep_look(sweep);
    json_t *out = json_object();
    for (int k = 0; k < v->n_parameter; k++)
        json_object_set_new(out, v->parameter[k], jd_json_real(p->value[k]));
    if (v->direction != JD_SWEEP_NONE)
        json_object_set_new(out, "direction", json_string(p->direction > 0 ? "up" : "down"));
    if (v->starts > 1) json_object_set_new(out, "start", json_integer(p->start));
    json_object_set_new(out, "amplitude", jd_json_real(p->amplitude));
    json_object_set_new(out, "min", jd_json_real(p->min));
    json_object_set_new(out, "max", jd_json_real(p->max));
    json_object_set_new(out, "phases", json_string(p->phases));
    json_object_set_new(out, "events", json_integer(p->events));
    json_object_set_new(out, "slips", json_integer(p->slips));
    if (v->n_class)
        json_object_set_new(out, "class",
                            json_string(p->class_number < 0 ? "" : v->class_name[p->class_number]));
    json_object_set_new(out, "undecided", json_integer(p->undecided));
    json_object_set_new(out, "period", jd_json_real(p->period));
    json_object_set_new(out, "periods", json_integer(p->periods));
    json_object_set_new(out, "settled", json_boolean(p->settled));
    json_object_set_new(out, "settled_by", json_string(jd_settle_name(p->how)));
    json_object_set_new(out, "stop",
                        json_string(p->how == JD_SETTLE_STOPPED ? jd_stop_name(p->stop) : ""));
    json_object_set_new(out, "multiplier", jd_json_real(p->multiplier));
    json_object_set_new(out, "residual", jd_json_real(p->residual));
    json_object_set_new(out, "waited", jd_json_real(p->waited));
    for (int k = 0; k < v->n_curve; k++) {
        char key[200];
        snprintf(key, sizeof key, "beside.%s", v->curve[k].name);
        json_object_set_new(out, key, jd_json_real(jd_sweep_beside(sweep, k, p)));
    }
    json_object_set_new(out, "samples", samples_json(v, p));
    return out;
}

static json_t *grid_json(const jd_sweep_view *v) {
    json_t *out = json_object();
    for (int k = 0; k < v->n_parameter; k++) {
        json_t *values = json_array();
        for (int i = 0; i < v->count[k]; i++)
            json_array_append_new(values, jd_json_real(v->values[k][i]));
        json_object_set_new(out, v->parameter[k], values);
    }
    return out;
}

static json_t *reals_json(int n, const double *value) {
    json_t *out = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(out, jd_json_real(value[i]));
    return out;
}

// What the model's formulas add: names of classes, curves, spacing of the grid.
static void add_formulas(json_t *document, const jd_sweep_view *v) {
    json_t *classes = json_array(), *curves = json_object(), *spacing = json_array();
    for (int k = 0; k < v->n_class; k++)
        json_array_append_new(classes, json_string(v->class_name[k]));
    for (int k = 0; k < v->n_curve; k++) {
        const jd_sweep_curve *c = &v->curve[k];
        json_object_set_new(curves, c->name,
                            json_pack("{s:s,s:s,s:o,s:o}", "formula", c->formula, "over",
                                      v->parameter[c->axis], "at", reals_json(c->n, c->at), "value",
                                      reals_json(c->n, c->value)));
    }
    for (int k = 0; k < v->n_parameter; k++)
        json_array_append_new(spacing, json_string(v->log[k] ? "log" : "linear"));
    json_object_set_new(document, "spacing", spacing);
    if (v->n_class) json_object_set(document, "classes", classes);
    if (v->n_curve) json_object_set(document, "beside", curves);
    json_decref(classes);
    json_decref(curves);
}

static void add_points(json_t *document, const jd_sweep *sweep) {
    const jd_sweep_view *v = jd_sweep_look(sweep);
    json_t *points = json_array();
    long done = 0, settled = 0;
    for (int i = 0; i < v->n_point; i++) {
        if (!v->point[i].done) continue;
        done++;
        settled += v->point[i].settled;
        json_array_append_new(points, point_json(sweep, &v->point[i]));
    }
    json_object_set_new(document, "complete", json_boolean(done == v->n_point));
    json_object_set_new(document, "settled", json_integer(settled));
    json_object_set_new(document, "unsettled", json_integer(done - settled));
    json_object_set_new(document, "points", points);
}

jd_status jd_document_sweep(jd_context *context, const jd_problem *problem, const jd_sweep *sweep,
                            json_t **out) {
    static const char *const directions[] = {"none", "up", "down", "both"};
    const jd_sweep_view *v = jd_sweep_look(sweep);
    json_t *names = json_array();
    for (int k = 0; k < v->n_parameter; k++)
        json_array_append_new(names, json_string(v->parameter[k]));
    json_t *document = json_object();
    json_object_set_new(document, "kind", json_string("sweep"));
    json_object_set_new(document, "title", jd_json_text(jd_problem_title(problem)));
    json_object_set_new(document, "units",
                        json_string(jd_problem_is_si(problem) ? "SI" : "consistent"));
    json_object_set_new(document, "parameters", names);
    json_object_set_new(document, "grid", grid_json(v));
    json_object_set_new(document, "measure", json_string(v->measure));
    json_object_set_new(document, "direction", json_string(directions[v->direction]));
    for (int k = 0; k < v->n_parameter; k++)
        jd_document_note_unit(document, problem, v->parameter[k]);
    if (document) add_formulas(document, v);
    if (document) add_points(document, sweep);
    *out = document;
    if (json_object_get(document, "points")) return JD_OK;
    json_decref(document);
    *out = NULL;
    return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result of the sweep");
}

json_t *jd_document_sweep_rows(const json_t *document) {
    json_t *rows = json_array(), *point;
    size_t i;
    json_array_foreach(json_object_get(document, "points"), i, point) {
        json_t *row = json_copy(point);
        json_object_del(row, "samples");
        json_array_append_new(rows, row);
    }
    return rows;
}

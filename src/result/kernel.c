// kernel.c -- memory kernels as a document.
#include "result/kernel.h"

#include <stdio.h>

#include "base/fail.h"

// Element (i, j) of an array over n_t times.
static json_t *course(int n, int i, int j, int n_t, const double *value) {
    json_t *list = json_array();
    for (int t = 0; t < n_t; t++)
        json_array_append_new(
            list, jd_json_real(value[((size_t)t * (size_t)n + (size_t)i) * (size_t)n + (size_t)j]));
    return list;
}

// n x n matrix; of one contact the number itself. n_t > 0: each element is a course.
static json_t *matrix(int n, int n_t, const double *value) {
    if (n == 1) return n_t ? course(1, 0, 0, n_t, value) : jd_json_real(value[0]);
    json_t *rows = json_array();
    for (int i = 0; i < n; i++) {
        json_t *row = json_array();
        for (int j = 0; j < n; j++)
            json_array_append_new(row, n_t ? course(n, i, j, n_t, value)
                                           : jd_json_real(value[i * n + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static void put_kernels(const jd_kernel_view *v, json_t *out) {
    json_t *tau = json_array(), *names = json_array(), *modes = json_array();
    for (int t = 0; t < v->n_tau; t++) json_array_append_new(tau, jd_json_real(v->tau[t]));
    for (int i = 0; i < v->n; i++) {
        json_array_append_new(names, jd_json_text(v->contact[i]));
        json_array_append_new(modes, json_integer(v->mode[i]));
    }
    json_object_set_new(out, "contacts", names);
    json_object_set_new(
        out, "W", json_pack("{s:o, s:o}", "modes", modes, "condition", jd_json_real(v->condition)));
    json_object_set_new(out, "jump", matrix(v->n, 0, v->jump));
    json_object_set_new(out, "static", matrix(v->n, 0, v->statics));
    json_object_set_new(out, "A", matrix(2 * v->n, 0, v->A));
    json_object_set_new(out, "L_infinity", matrix(v->n, 0, v->L_infinity));
    if (v->memory) json_object_set_new(out, "memory", jd_json_text(v->memory));
    json_object_set_new(out, "tau", tau);
    json_object_set_new(out, "G", matrix(v->n, v->n_tau, v->G));
    json_object_set_new(out, "L", matrix(v->n, v->n_tau, v->L));
    json_object_set_new(out, "L0", matrix(v->n, v->n_tau, v->L0));
    json_object_set_new(out, "L1", matrix(v->n, v->n_tau, v->L1));
}

static json_t *resolved(const jd_kernel_view *v) {
    json_t *list = json_array();
    for (int i = 0; i < v->n_resolved; i++) {
        const jd_kernel_resolved *r = &v->resolved[i];
        json_array_append_new(list, json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "modes", r->modes,
                                              "L_infinity", jd_json_real(r->L_infinity), "sigma",
                                              jd_json_real(r->sigma), "memory",
                                              course(1, 0, 0, v->n_tau, r->memory), "fading",
                                              course(1, 0, 0, v->n_tau, r->fading), "velocity",
                                              course(1, 0, 0, v->n_tau, r->velocity)));
    }
    return list;
}

jd_status jd_document_kernel(jd_context *context, const jd_problem *problem,
                             const jd_kernel *kernel, json_t **out) {
    const jd_kernel_view *v = jd_kernel_look(kernel);
    *out = json_pack("{s:s, s:o, s:s, s:b}", "kind", "kernel", "title",
                     jd_json_text(jd_problem_title(problem)), "units",
                     jd_problem_is_si(problem) ? "SI" : "consistent", "infinite", v->infinite);
    if (!*out) return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
    json_object_set_new(*out, "regularity",
                        json_pack("{s:s, s:f, s:i, s:o, s:s}", "kind",
                                  jd_kernel_start_name(v->start), "exponent", v->exponent, "case",
                                  v->paper_case, "coefficient", matrix(v->n, 0, v->first),
                                  "meaning", jd_kernel_start_means(v->start)));
    put_kernels(v, *out);
    if (v->n_resolved) json_object_set_new(*out, "resolved", resolved(v));
    return JD_OK;
}

json_t *jd_document_kernel_rows(const jd_kernel *kernel) {
    static const char *const name[] = {"G", "L", "L0", "L1"};
    const jd_kernel_view *v = jd_kernel_look(kernel);
    const double *value[] = {v->G, v->L, v->L0, v->L1};
    size_t n = (size_t)v->n;
    json_t *rows = json_array();
    for (int t = 0; t < v->n_tau; t++) {
        json_t *row = json_pack("{s:f}", "tau", v->tau[t]);
        for (int q = 0; q < 4; q++)
            for (size_t p = 0; p < n * n; p++) {
                char key[600];
                if (n == 1)
                    snprintf(key, sizeof key, "%s", name[q]);
                else
                    snprintf(key, sizeof key, "%s.%s.%s", name[q], v->contact[p / n],
                             v->contact[p % n]);
                json_object_set_new(row, key, jd_json_real(value[q][(size_t)t * n * n + p]));
            }
        json_array_append_new(rows, row);
    }
    return rows;
}

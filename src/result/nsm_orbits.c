// nsm_orbits.c -- orbits of one branch in full: shapes, and samples of the manifold they form.
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "result/nsm.h"

enum { MOST_POINTS = 16 };

// Motion of one point over a period, as <name>.u and <name>.v.
static jd_status add_point(const jd_nsm *nsm, jd_arena *arena, double omega, const char *name,
                           const char *point, int n, json_t *orbit) {
    double *u = JD_TAKE(arena, double, n), *v = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_nsm_trace(nsm, omega, point, n, u, v));
    const double *value[] = {u, v};
    for (int i = 0; i < 2; i++) {
        json_t *list = json_array();
        for (int k = 0; k < n; k++) json_array_append_new(list, jd_json_real(value[i][k]));
        const char *key = jd_arena_format(arena, "%s.%c", name, i ? 'v' : 'u');
        JD_TRY(jd_arena_status(arena));
        json_object_set_new(orbit, key, list);
    }
    return JD_OK;
}

static jd_status add_orbit(const jd_problem *problem, const jd_nsm *nsm, jd_arena *arena,
                           int branch, double omega, int n, json_t *orbits) {
    const jd_output_def *output = jd_problem_section(problem, JD_OUTPUT, NULL);
    double T = 6.283185307179586 / omega;
    bool stable;
    json_t *orbit = json_pack("{s:o, s:o, s:o, s:o}", "omega", jd_json_real(omega), "period",
                              jd_json_real(T), "energy", jd_json_real(jd_nsm_energy(nsm, omega)),
                              "speed", jd_json_real(jd_nsm_speed(nsm, omega)));
    json_array_append_new(orbits, orbit);
    if (jd_nsm_stable(nsm, branch, omega, &stable))
        json_object_set_new(orbit, "stable", json_boolean(stable));
    json_t *t = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(t, jd_json_real(T * i / (n - 1)));
    json_object_set_new(orbit, "t", t);
    JD_TRY(add_point(nsm, arena, omega, jd_problem_contact(problem, 0)->name, NULL, n, orbit));
    for (int i = 0; i < output->points.n && i < MOST_POINTS; i++)
        JD_TRY(
            add_point(nsm, arena, omega, output->points.text[i], output->points.text[i], n, orbit));
    return JD_OK;
}

// Names of the other points that are sampled.
static json_t *points_json(const jd_problem *problem) {
    const jd_output_def *output = jd_problem_section(problem, JD_OUTPUT, NULL);
    json_t *out = json_array();
    for (int i = 0; i < output->points.n && i < MOST_POINTS; i++)
        json_array_append_new(out, jd_json_text(output->points.text[i]));
    return out;
}

jd_status jd_document_nsm_orbits(jd_context *context, const jd_problem *problem, const jd_nsm *nsm,
                                 int branch, int n_orbit, const double *omega, int samples,
                                 json_t **out) {
    const jd_nsm_branch *b = jd_nsm_branch_at(nsm, branch);
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    json_t *orbits = json_array();
    jd_status status = JD_OK;
    for (int i = 0; status == JD_OK && i < n_orbit; i++)
        status = add_orbit(problem, nsm, arena, branch, omega[i], samples, orbits);
    const char *start = jd_arena_format(arena, "{type: nsm, omega: %.17g%s}", omega[0],
                                        jd_problem_is_si(problem) ? " rad/s" : "");
    if (status == JD_OK) status = jd_arena_status(arena);
    *out = json_pack("{s:s, s:o, s:s, s:i, s:i, s:s, s:s, s:o, s:o}", "kind", "nsm-orbits", "title",
                     jd_json_text(jd_problem_title(problem)), "units",
                     jd_problem_is_si(problem) ? "SI" : "consistent", "mode", b->mode, "divisor",
                     b->divisor, "start", start ? start : "", "contact",
                     jd_problem_contact(problem, 0)->name, "points", points_json(problem), "orbits",
                     orbits);
    jd_arena_free(arena);
    if (status == JD_OK && !*out)
        status = jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
    return status;
}

json_t *jd_document_nsm_orbit_rows(const json_t *document) {
    json_t *rows = json_array(), *orbit;
    size_t i;
    json_array_foreach(json_object_get(document, "orbits"), i, orbit) {
        size_t n = json_array_size(json_object_get(orbit, "t"));
        for (size_t k = 0; k < n; k++) {
            json_t *row = json_object(), *value;
            const char *key;
            json_object_set(row, "omega", json_object_get(orbit, "omega"));
            json_object_foreach(orbit, key, value) {
                if (json_is_array(value)) json_object_set(row, key, json_array_get(value, k));
            }
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

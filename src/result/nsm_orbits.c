// nsm_orbits.c -- orbits of one branch in full: shapes, and samples of the manifold they form.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "result/nsm.h"

enum { MOST_POINTS = 16 };

static void add_list(json_t *orbit, const char *key, int n, const double *value) {
    json_t *list = json_array();
    for (int k = 0; k < n; k++) json_array_append_new(list, jd_json_real(value[k]));
    json_object_set_new(orbit, key, list);
}

// Motion of one point over a period, as <name>.u and <name>.v; of the stop's own (NULL) also the
// force, where it rests there.
static jd_status add_point(const jd_nsm *nsm, jd_arena *arena, jd_nsm_pick pick, const char *name,
                           const char *point, int n, json_t *orbit) {
    double *value[3];
    for (int i = 0; i < 3; i++) value[i] = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_nsm_pick_trace(nsm, pick, point, n, value[0], value[1], value[2]));
    for (int i = 0; i < (point ? 2 : 3); i++) {
        const char *key = jd_arena_format(arena, "%s.%s", name,
                                          i == 0   ? "u"
                                          : i == 1 ? "v"
                                                   : "force");
        JD_TRY(jd_arena_status(arena));
        add_list(orbit, key, n, value[i]);
    }
    return JD_OK;
}

// Every orbit has the same keys; null where one does not belong to it.
static json_t *head_json(const jd_nsm *nsm, jd_nsm_pick pick) {
    double omega = jd_nsm_pick_omega(nsm, pick);
    bool rests = pick.branch < 0, stable, judged;
    const jd_nsm_branch *b = rests ? NULL : jd_nsm_branch_at(nsm, pick.branch);
    const jd_nsm_sustained *o = rests ? jd_nsm_sustained_at(nsm, pick.sustained) : NULL;
    char name[120];
    jd_nsm_pick_name(nsm, pick, name, sizeof name);
    judged = b && jd_nsm_stable(nsm, pick.branch, omega, &stable);
    json_t *orbit =
        json_pack("{s:o, s:o, s:o, s:o, s:i, s:i}", "name", jd_json_text(name), "omega",
                  jd_json_real(omega), "period", jd_json_real(6.283185307179586 / omega), "energy",
                  jd_json_real(jd_nsm_pick_energy(nsm, pick)), "mode", b ? b->mode : 0, "divisor",
                  b ? b->divisor : 0);
    json_object_set_new(orbit, "speed", jd_json_real(b ? jd_nsm_speed(nsm, omega) : (double)NAN));
    if (judged || !b) json_object_set_new(orbit, "stable", b ? json_boolean(stable) : json_null());
    json_object_set_new(orbit, "flight", jd_json_real(o ? o->flight : (double)NAN));
    json_object_set_new(orbit, "contact", jd_json_real(o ? o->contact : (double)NAN));
    return orbit;
}

// Pairs (re, im), where all orbits have them.
static jd_status add_multipliers(jd_nsm *nsm, jd_arena *arena, int n, const jd_nsm_pick *pick,
                                 const json_t *orbits) {
    int m = 2 * jd_nsm_modes(nsm);
    double *value = JD_TAKE(arena, double, 2 * m);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++)
        if (pick[i].branch < 0) return JD_OK;
    for (int i = 0; i < n; i++) {
        json_t *list = json_array();
        JD_TRY(jd_nsm_multipliers(nsm, pick[i].omega, value));
        for (int k = 0; k < m; k++)
            json_array_append_new(list, json_pack("[o, o]", jd_json_real(value[2 * k]),
                                                  jd_json_real(value[2 * k + 1])));
        json_object_set_new(json_array_get(orbits, (size_t)i), "multipliers", list);
    }
    return JD_OK;
}

static jd_status add_orbit(const jd_problem *problem, const jd_nsm *nsm, jd_arena *arena,
                           jd_nsm_pick pick, int n, json_t *orbits) {
    const jd_output_def *output = jd_problem_section(problem, JD_OUTPUT, NULL);
    double T = 6.283185307179586 / jd_nsm_pick_omega(nsm, pick);
    json_t *orbit = head_json(nsm, pick), *t = json_array();
    json_array_append_new(orbits, orbit);
    for (int i = 0; i < n; i++) json_array_append_new(t, jd_json_real(T * i / (n - 1)));
    json_object_set_new(orbit, "t", t);
    JD_TRY(add_point(nsm, arena, pick, jd_problem_contact(problem, 0)->name, NULL, n, orbit));
    for (int i = 0; i < output->points.n && i < MOST_POINTS; i++)
        JD_TRY(
            add_point(nsm, arena, pick, output->points.text[i], output->points.text[i], n, orbit));
    return JD_OK;
}

// The section that begins on this orbit.
static const char *start_of(jd_arena *arena, const jd_nsm *nsm, bool si, jd_nsm_pick pick) {
    double omega = jd_nsm_pick_omega(nsm, pick);
    if (pick.branch >= 0)
        return jd_arena_format(arena, "{type: nsm, omega: %.17g%s}", omega, si ? " rad/s" : "");
    return jd_arena_format(arena, "{type: nsm, omega: %.17g%s, contact: %.17g%s}", omega,
                           si ? " rad/s" : "", jd_nsm_sustained_at(nsm, pick.sustained)->contact,
                           si ? " s" : "");
}

// Names of the other points that are sampled.
static json_t *points_json(const jd_problem *problem) {
    const jd_output_def *output = jd_problem_section(problem, JD_OUTPUT, NULL);
    json_t *out = json_array();
    for (int i = 0; i < output->points.n && i < MOST_POINTS; i++)
        json_array_append_new(out, jd_json_text(output->points.text[i]));
    return out;
}

// What the orbits are, in words.
static const char *words(jd_arena *arena, const jd_nsm *nsm, int n, const jd_nsm_pick *pick) {
    char name[120];
    bool together = true; // along one branch
    for (int i = 0; i < n; i++)
        together = together && pick[i].branch >= 0 && pick[i].branch == pick[0].branch;
    jd_nsm_pick_name(nsm, pick[0], name, sizeof name);
    if (n == 1)
        return jd_arena_format(arena, "%s, E = %.6g", name, jd_nsm_pick_energy(nsm, pick[0]));
    if (!together) return jd_arena_format(arena, "%d orbits", n);
    const jd_nsm_branch *b = jd_nsm_branch_at(nsm, pick[0].branch);
    return jd_arena_format(arena, "%d orbits of branch ω%d/%d, ω = %.6g to %.6g", n, b->mode,
                           b->divisor, pick[0].omega, pick[n - 1].omega);
}

jd_status jd_document_nsm_orbits(jd_context *context, const jd_problem *problem, jd_nsm *nsm,
                                 int n_orbit, const jd_nsm_pick *pick, int samples, json_t **out) {
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    json_t *orbits = json_array();
    jd_status status = JD_OK;
    for (int i = 0; status == JD_OK && i < n_orbit; i++)
        status = add_orbit(problem, nsm, arena, pick[i], samples, orbits);
    if (status == JD_OK) status = add_multipliers(nsm, arena, n_orbit, pick, orbits);
    const jd_nsm_branch *b = pick[0].branch < 0 ? NULL : jd_nsm_branch_at(nsm, pick[0].branch);
    const char *start = start_of(arena, nsm, jd_problem_is_si(problem), pick[0]),
               *what = words(arena, nsm, n_orbit, pick);
    if (status == JD_OK) status = jd_arena_status(arena);
    *out = json_pack("{s:s, s:o, s:s, s:s, s:i, s:i, s:s, s:s, s:o, s:o}", "kind", "nsm-orbits",
                     "title", jd_json_text(jd_problem_title(problem)), "units",
                     jd_problem_is_si(problem) ? "SI" : "consistent", "what", what ? what : "",
                     "mode", b ? b->mode : 0, "divisor", b ? b->divisor : 0, "start",
                     start ? start : "", "contact", jd_problem_contact(problem, 0)->name, "points",
                     points_json(problem), "orbits", orbits);
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
                bool sampled = json_is_array(value) && strcmp(key, "multipliers") != 0;
                if (sampled) json_object_set(row, key, json_array_get(value, k));
            }
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

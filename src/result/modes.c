// modes.c -- natural modes of a problem as a document: free, and with each contact stuck.
#include <string.h>

#include "result/document.h"

#include "base/arena.h"
#include "structure/modal.h"

static json_t *mode_json(const jd_mode *m, int number, const char *body) {
    json_t *pole =
        json_pack("[[o,o],[o,o]]", jd_json_real(m->pole[0][0]), jd_json_real(m->pole[0][1]),
                  jd_json_real(m->pole[1][0]), jd_json_real(m->pole[1][1]));
    json_t *out = json_object();
    if (body) json_object_set_new(out, "body", json_string(body));
    json_object_set_new(out, "mode", json_integer(number));
    json_object_set_new(out, "omega", jd_json_real(m->omega));
    json_object_set_new(out, "frequency_hz", jd_json_real(m->frequency_hz));
    json_object_set_new(out, "damping_ratio", jd_json_real(m->damping_ratio));
    json_object_set_new(out, "error", jd_json_real(m->error));
    json_object_set_new(out, "digits", json_integer(jd_digits(m->error)));
    json_object_set_new(out, "pole", pole);
    return out;
}

static void append(json_t *list, int n, const jd_mode *mode, int count, const char *body) {
    for (int k = 0; k < n && (count == 0 || k < count); k++) {
        json_array_append_new(list, mode_json(&mode[k], k + 1, body));
    }
}

// Modes of every body; the body is named when there are several.
static jd_status free_modes(jd_arena *arena, const jd_problem *problem, int count, json_t *list) {
    int n_body = jd_problem_bodies(problem);
    for (int b = 0; b < n_body; b++) {
        const jd_structure *s = jd_problem_structure(problem, b);
        int n = jd_structure_modes(s);
        jd_mode *mode = JD_TAKE(arena, jd_mode, n);
        if (!mode) return jd_arena_status(arena);
        jd_structure_mode_list(s, mode);
        append(list, n, mode, count, n_body > 1 ? jd_problem_body(problem, b)->name : NULL);
    }
    return JD_OK;
}

// An interface over a span has no single stuck basis here: it is left out.
static bool is_point(const jd_contact_def *contact) {
    return contact->at.point != NULL &&
           (contact->against.kind != JD_PLACE || contact->against.place.point != NULL);
}

static jd_status stuck_modes(jd_arena *arena, const jd_problem *problem, int count, json_t *stuck) {
    for (int j = 0; j < jd_problem_contacts(problem); j++) {
        const jd_object *contact = jd_problem_contact(problem, j);
        if (!is_point(contact->def)) continue;
        int n = 0;
        JD_TRY(jd_problem_stuck_modes(problem, j, &n, NULL));
        jd_mode *mode = JD_TAKE(arena, jd_mode, n);
        if (!mode) return jd_arena_status(arena);
        JD_TRY(jd_problem_stuck_modes(problem, j, &n, mode));
        json_t *list = json_array();
        append(list, n, mode, count, NULL);
        json_object_set_new(stuck, contact->name, list);
    }
    return JD_OK;
}

// Fewer modes are kept than the structure has: stuck modes are those of the modes kept, and
// their error bounds do not count what the others would change.
static bool truncated(const jd_problem *problem) {
    for (int b = 0; b < jd_problem_bodies(problem); b++) {
        const jd_structure *s = jd_problem_structure(problem, b);
        if (jd_structure_modes(s) != jd_structure_dofs(s)) return true;
    }
    return false;
}

static json_t *head(const jd_problem *problem) {
    json_t *out = json_pack("{s:s, s:s, s:s}", "kind", "modes", "title", jd_problem_title(problem),
                            "units", jd_problem_is_si(problem) ? "SI" : "consistent");
    json_object_set_new(out, "truncated", json_boolean(truncated(problem)));
    if (jd_problem_bodies(problem) < 2) return out;
    json_t *names = json_array();
    for (int b = 0; b < jd_problem_bodies(problem); b++) {
        json_array_append_new(names, json_string(jd_problem_body(problem, b)->name));
    }
    json_object_set_new(out, "bodies", names);
    return out;
}

jd_status jd_document_modes(jd_context *context, const jd_problem *problem, int count,
                            json_t **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    json_t *document = head(problem), *modes = json_array(), *stuck = json_object();
    json_object_set_new(document, "modes", modes);
    json_object_set_new(document, "stuck", stuck);
    jd_status s = document && modes && stuck
                      ? free_modes(arena, problem, count, modes)
                      : jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for the result");
    if (s == JD_OK) s = stuck_modes(arena, problem, count, stuck);
    jd_arena_free(arena);
    if (s == JD_OK) {
        *out = document;
    } else {
        json_decref(document);
    }
    return s;
}

static void add_rows(json_t *rows, const json_t *list, const char *stuck) {
    static const char *const plain[] = {"mode",          "omega", "frequency_hz",
                                        "damping_ratio", "error", "digits"};
    static const char *const pole[2][2] = {{"pole_1_re", "pole_1_im"}, {"pole_2_re", "pole_2_im"}};
    size_t k;
    json_t *mode;
    json_array_foreach(list, k, mode) {
        json_t *row = json_object(), *body = json_object_get(mode, "body");
        json_object_set_new(row, "body", body ? json_incref(body) : json_string(""));
        json_object_set_new(row, "stuck", json_string(stuck));
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
            json_object_set(row, plain[i], json_object_get(mode, plain[i]));
        }
        for (size_t i = 0; i < 4; i++) {
            json_t *pair = json_array_get(json_object_get(mode, "pole"), i / 2);
            json_object_set(row, pole[i / 2][i % 2], json_array_get(pair, i % 2));
        }
        json_array_append_new(rows, row);
    }
}

json_t *jd_document_mode_rows(const json_t *document) {
    json_t *rows = json_array(), *list;
    const char *contact;
    add_rows(rows, json_object_get(document, "modes"), "");
    json_object_foreach(json_object_get(document, "stuck"), contact, list) {
        add_rows(rows, list, contact);
    }
    return rows;
}

static json_t *reals_json(int n, const double *value) {
    json_t *out = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(out, jd_json_real(value[i]));
    return out;
}

jd_status jd_document_add_shapes(jd_context *context, const jd_problem *problem, json_t *document) {
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    json_t *shapes = json_object();
    jd_status s = JD_OK;
    for (int b = 0; s == JD_OK && b < jd_problem_bodies(problem); b++) {
        const jd_object *body = jd_problem_body(problem, b);
        jd_line line;
        if (!jd_structure_has_line(body->type)) continue;
        s = jd_structure_line(arena, body->type, body->def, JD_SHAPES_MOST, &line);
        if (s != JD_OK) break;
        json_t *value = json_array();
        for (int k = 0; k < line.n_mode; k++)
            json_array_append_new(value, reals_json(line.n, line.value + k * line.n));
        json_object_set_new(shapes, body->name[0] ? body->name : "structure",
                            json_pack("{s:b, s:o, s:o}", "nodes", line.nodes, "position",
                                      reals_json(line.n, line.position), "value", value));
    }
    if (json_object_size(shapes) > 0) json_object_set(document, "shapes", shapes);
    json_decref(shapes);
    jd_arena_free(arena);
    return s;
}

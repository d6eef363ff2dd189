// of_file_field.c -- motion along a body and its contact from a result file: the table `field`,
// with the places in `grids` and `interfaces`.
#include <math.h>
#include <string.h>

#include "picture/of_file.h"

bool jd_file_has_field(const json_t *document) { return json_object_get(document, "field"); }

static jd_status no_field(jd_arena *arena) {
    jd_context *context = jd_arena_context(arena);
    jd_fail(context, JD_BAD_USAGE, "the file keeps no field along a body and its contact");
    jd_fail_hint(context, "`output: {field: {every: 5 ms}}` in the model keeps it, of contacts "
                          "that act along a span");
    return JD_BAD_USAGE;
}

// The first contact that acts along a span.
static const char *contact_of(const json_t *document) {
    const char *name =
        json_object_iter_key(json_object_iter(json_object_get((json_t *)document, "interfaces")));
    return name ? name : "";
}

static const char *body_of(const json_t *document, const char *contact) {
    return jd_read_text(json_object_get(json_object_get(document, "contacts"), contact), "body");
}

// A table of the field: n_t rows of `width` numbers.
static jd_status rows(jd_arena *arena, const json_t *document, const char *name, const char *what,
                      int n_t, int width, double **out) {
    const char *key = jd_arena_format(arena, "%s.%s", name[0] ? name : "structure", what);
    int all;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_read_size(arena, n_t, width, &all));
    return jd_read_reals(arena, json_object_get(document, "field"), key, &all, out);
}

// Times of the field within the window: the first, and how many.
static jd_status window(jd_arena *arena, const double *t, int n, double from, double to, int *first,
                        int *many) {
    int last = n;
    for (*first = 0; *first < n && t[*first] < from;) ++*first;
    while (last > *first && t[last - 1] > to) last--;
    *many = last - *first;
    if (*many > 1) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_OUT_OF_RANGE,
                   "the file has fewer than two fields in the window to draw");
}

jd_status jd_field_of_file(jd_arena *arena, const json_t *document, const jd_picture_def *def,
                           jd_field_view *v) {
    const char *contact = contact_of(document), *body = body_of(document, contact);
    const json_t *cells = json_object_get(json_object_get(document, "interfaces"), contact);
    double *t, *node, *cell, *u, *state, *force, *velocity;
    int n = -1, first, many;
    if (!jd_file_has_field(document) || !cells) return no_field(arena);
    *v = (jd_field_view){.title = jd_read_text(document, "title"),
                         .body = body,
                         .contact = contact,
                         .si = strcmp(jd_read_text(document, "units"), "SI") == 0,
                         .n_node = -1,
                         .n_cell = -1};
    JD_TRY(jd_read_reals(arena, json_object_get(document, "field"), "t", &n, &t));
    JD_TRY(jd_read_reals(arena, json_object_get(document, "grids"), body[0] ? body : "structure",
                         &v->n_node, &node));
    JD_TRY(jd_read_reals(arena, cells, "position", &v->n_cell, &cell));
    if (v->n_cell < 1 || v->n_node < 1) return no_field(arena);
    JD_TRY(rows(arena, document, body, "u", n, v->n_node, &u));
    JD_TRY(rows(arena, document, contact, "state", n, v->n_cell, &state));
    JD_TRY(rows(arena, document, contact, "force", n, v->n_cell, &force));
    JD_TRY(rows(arena, document, contact, "velocity", n, v->n_cell, &velocity));
    JD_TRY(window(arena, t, n, def->from, def->to, &first, &many));
    JD_TRY(jd_field_take(arena, v, many, t + first, node, cell));
    for (int i = 0; i < many; i++) {
        size_t row = ((size_t)first + (size_t)i);
        size_t at = row * (size_t)v->n_cell;
        const jd_interface_field column = {
            .velocity = velocity + at, .state = state + at, .force = force + at};
        jd_field_put(v, i, u + row * (size_t)v->n_node, &column);
    }
    return JD_OK;
}

// Sliding velocity at the recorded points that lie on the contact, at the times of the field.
jd_status jd_slip_of_file(jd_arena *arena, const json_t *document, const jd_picture_def *def,
                          jd_history *h) {
    const char *contact = contact_of(document), *body = body_of(document, contact), *name;
    const json_t *cells = json_object_get(json_object_get(document, "interfaces"), contact);
    const json_t *points = json_object_get(json_object_get(document, "final_state"), "points");
    double *t, *cell, *v;
    json_t *point;
    int n = -1, n_cell = -1, first;
    if (!jd_file_has_field(document) || !cells) return no_field(arena);
    JD_TRY(jd_read_reals(arena, json_object_get(document, "field"), "t", &n, &t));
    JD_TRY(jd_read_reals(arena, cells, "position", &n_cell, &cell));
    if (n_cell < 1) return no_field(arena);
    JD_TRY(rows(arena, document, contact, "velocity", n, n_cell, &v));
    JD_TRY(window(arena, t, n, def->from, def->to, &first, &h->n));
    h->t = t + first;
    h->subtitle =
        jd_arena_format(arena, "from %.6g to %.6g%s", h->t[0], h->t[h->n - 1], h->si ? " s" : "");
    h->n_contact = h->n_event = h->n_slip = 0;
    h->slip = JD_TAKE(arena, jd_history_point, (int)json_object_size(points));
    JD_TRY(jd_arena_status(arena));
    json_object_foreach((json_t *)points, name, point) {
        double at = jd_read_real(point, "position");
        size_t length = strlen(body);
        bool on = length == 0 || (strncmp(name, body, length) == 0 && name[length] == '.');
        if (!on || !(at >= cell[0] && at <= cell[n_cell - 1])) continue;
        int c = jd_slip_cell(n_cell, cell, at);
        double *column = JD_TAKE(arena, double, h->n);
        JD_TRY(jd_arena_status(arena));
        for (int i = 0; i < h->n; i++)
            column[i] = v[((size_t)first + (size_t)i) * (size_t)n_cell + (size_t)c];
        h->slip[h->n_slip++] = (jd_history_point){name, NULL, column};
    }
    return h->n_slip ? JD_OK : no_field(arena);
}

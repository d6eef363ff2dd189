// of_file_modes.c -- natural modes and their shapes from a result file.
#include <string.h>

#include "picture/of_file.h"

static jd_status read_list(jd_arena *arena, const json_t *table, const char *name,
                           jd_mode_list *out) {
    double *omega, *ratio;
    *out = (jd_mode_list){.name = name, .n = -1};
    JD_TRY(jd_read_reals(arena, table, "omega", &out->n, &omega));
    JD_TRY(jd_read_reals(arena, table, "damping_ratio", &out->n, &ratio));
    out->omega = omega;
    out->ratio = ratio;
    return JD_OK;
}

// The rows of one body of a table with several, as a list of its own.
static jd_status read_body(jd_arena *arena, const json_t *table, int all, int first, int n,
                           jd_mode_list *out) {
    double *omega, *ratio;
    JD_TRY(jd_read_reals(arena, table, "omega", &all, &omega));
    JD_TRY(jd_read_reals(arena, table, "damping_ratio", &all, &ratio));
    *out = (jd_mode_list){jd_read_word(table, "body", first), n, omega + first, ratio + first};
    return JD_OK;
}

// Free modes: one list, or one of every body.
static jd_status read_free(jd_arena *arena, const json_t *table, jd_mode_list *list, int *n) {
    if (!json_object_get(table, "body")) return read_list(arena, table, "free", &list[(*n)++]);
    int rows = (int)json_array_size(json_object_get(table, "body"));
    for (int first = 0, last; first < rows; first = last) {
        const char *body = jd_read_word(table, "body", first);
        for (last = first; last < rows && strcmp(jd_read_word(table, "body", last), body) == 0;)
            last++;
        JD_TRY(read_body(arena, table, rows, first, last - first, &list[(*n)++]));
    }
    return JD_OK;
}

static jd_status read_shapes(jd_arena *arena, const json_t *bodies, jd_modes_view *v) {
    const char *name;
    json_t *body;
    jd_mode_shapes *shapes = JD_TAKE(arena, jd_mode_shapes, (int)json_object_size(bodies));
    JD_TRY(jd_arena_status(arena));
    json_object_foreach((json_t *)bodies, name, body) {
        double *position, *value;
        int n = -1, all = -1;
        JD_TRY(jd_read_reals(arena, body, "position", &n, &position));
        JD_TRY(jd_read_reals(arena, body, "value", &all, &value));
        shapes[v->n_shapes++] = (jd_mode_shapes){.body = name,
                                                 .nodes = jd_read_real(body, "nodes") > 0,
                                                 .n = n,
                                                 .n_mode = n ? all / n : 0,
                                                 .position = position,
                                                 .value = value};
    }
    v->shapes = shapes;
    return JD_OK;
}

jd_status jd_modes_of_file(jd_arena *arena, const json_t *document, jd_modes_view *out) {
    const json_t *stuck = json_object_get(document, "stuck");
    json_t *table;
    const json_t *modes = json_object_get(document, "modes");
    const char *contact;
    *out = (jd_modes_view){0};
    int room =
        (int)json_object_size(stuck) + (int)json_array_size(json_object_get(modes, "body")) + 1;
    jd_mode_list *list = JD_TAKE(arena, jd_mode_list, room);
    JD_TRY(jd_arena_status(arena));
    if (json_object_size(modes) > 0) JD_TRY(read_free(arena, modes, list, &out->n_list));
    json_object_foreach((json_t *)stuck, contact, table) {
        if (json_object_size(table) == 0) continue; // nothing is left to move
        const char *name = jd_arena_format(arena, "%s stuck", contact);
        JD_TRY(jd_arena_status(arena));
        JD_TRY(read_list(arena, table, name, &list[out->n_list++]));
    }
    out->list = list;
    if (out->n_list == 0)
        return jd_fail(jd_arena_context(arena), JD_BAD_USAGE, "there are no modes to draw");
    return read_shapes(arena, json_object_get(document, "shapes"), out);
}

// of_file_sweep.c -- the points of a sweep from its result file.
//   Points are kept in the order of the sweep, those not done left out: each is put back at its
//   place in the grid, starts fastest, then the first parameter, up and down, the second one.
#include <math.h>
#include <string.h>

#include "picture/of_file.h"

typedef struct reader {
    jd_arena *arena;
    const json_t *table; // columns
    jd_sweep_view *v;
    int n;            // rows
    double *value[2]; // of the parameters
    double *amplitude, *settled, *events, *periods, *start, *sample;
} reader;

static jd_status read_grid(reader *r, const json_t *document) {
    jd_sweep_view *v = r->v;
    const json_t *grid = json_object_get(document, "grid");
    v->n_parameter = (int)json_array_size(json_object_get(document, "parameters"));
    v->count[0] = v->count[1] = 1;
    if (v->n_parameter < 1 || v->n_parameter > 2)
        return jd_fail(jd_arena_context(r->arena), JD_BAD_RESULT_FILE,
                       "the file names %d parameters of the sweep, not 1 or 2", v->n_parameter);
    for (int k = 0; k < v->n_parameter; k++) {
        double *values;
        v->parameter[k] = jd_read_word(document, "parameters", k);
        v->count[k] = -1;
        JD_TRY(jd_read_reals(r->arena, grid, v->parameter[k], &v->count[k], &values));
        v->values[k] = values;
    }
    return JD_OK;
}

static int axis_of(const jd_sweep_view *v, const char *parameter) {
    return v->n_parameter > 1 && strcmp(parameter, v->parameter[1]) == 0;
}

static bool is_positive(const jd_sweep_view *v, int k) {
    const double *x = v->values[k];
    return x && v->count[k] > 0 && x[0] > 0 && x[v->count[k] - 1] > 0;
}

// Spacing, curves and classes; files of before have none.
static jd_status read_formulas(reader *r, const json_t *document) {
    jd_sweep_view *v = r->v;
    json_t *curves = json_object_get(document, "beside"), *one;
    const char *key, **name;
    for (int k = 0; k < v->n_parameter; k++)
        v->log[k] = !strcmp(jd_read_word(document, "spacing", k), "log") && is_positive(v, k);
    v->n_class = (int)json_array_size(json_object_get(document, "classes"));
    name = JD_TAKE(r->arena, const char *, v->n_class);
    jd_sweep_curve *curve = JD_TAKE(r->arena, jd_sweep_curve, json_object_size(curves));
    JD_TRY(jd_arena_status(r->arena));
    for (int k = 0; k < v->n_class; k++) name[k] = jd_read_word(document, "classes", k);
    v->class_name = name;
    v->curve = curve;
    json_object_foreach(curves, key, one) {
        int n = -1;
        double *at, *value;
        JD_TRY(jd_read_reals(r->arena, one, "at", &n, &at));
        JD_TRY(jd_read_reals(r->arena, one, "value", &n, &value));
        curve[v->n_curve++] = (jd_sweep_curve){.name = key,
                                               .formula = jd_read_text(one, "formula"),
                                               .axis = axis_of(v, jd_read_text(one, "over")),
                                               .n = n,
                                               .at = at,
                                               .value = value};
    }
    return JD_OK;
}

static int class_of(const reader *r, int row) {
    const char *word = jd_read_word(r->table, "class", row);
    for (int k = 0; k < r->v->n_class; k++)
        if (!strcmp(word, r->v->class_name[k])) return k;
    return -1;
}

static jd_sweep_direction direction_of(const char *word) {
    return strcmp(word, "up") == 0     ? JD_SWEEP_UP
           : strcmp(word, "down") == 0 ? JD_SWEEP_DOWN
           : strcmp(word, "both") == 0 ? JD_SWEEP_BOTH
                                       : JD_SWEEP_NONE;
}

static jd_status read_columns(reader *r) {
    jd_sweep_view *v = r->v;
    int samples = -1;
    r->n = -1;
    JD_TRY(jd_read_reals(r->arena, r->table, "amplitude", &r->n, &r->amplitude));
    for (int k = 0; k < v->n_parameter; k++)
        JD_TRY(jd_read_reals(r->arena, r->table, v->parameter[k], &r->n, &r->value[k]));
    JD_TRY(jd_read_reals(r->arena, r->table, "settled", &r->n, &r->settled));
    JD_TRY(jd_read_reals(r->arena, r->table, "events", &r->n, &r->events));
    JD_TRY(jd_read_reals(r->arena, r->table, "periods", &r->n, &r->periods));
    if (json_object_get(r->table, "start"))
        JD_TRY(jd_read_reals(r->arena, r->table, "start", &r->n, &r->start));
    JD_TRY(jd_read_reals(r->arena, r->table, "samples", &samples, &r->sample));
    v->n_sample = r->n ? samples / (2 * r->n) : 0;
    v->starts = 1;
    for (int i = 0; r->start && i < r->n; i++)
        v->starts = (int)fmax(v->starts, 1 + fmin(fmax(r->start[i], 0), r->n)); // at most one a row
    return JD_OK;
}

static int place_in(const double *values, int n, double value) {
    for (int i = 0; i < n; i++)
        if (values[i] == value) return i;
    return -1;
}

static int place_of(const reader *r, int row, int direction) {
    const jd_sweep_view *v = r->v;
    int i = place_in(v->values[0], v->count[0], r->value[0][row]);
    int j = v->n_parameter > 1 ? place_in(v->values[1], v->count[1], r->value[1][row]) : 0;
    int start = r->start ? jd_read_whole(r->start[row]) : 0;
    if (i < 0 || j < 0 || start < 0 || start >= v->starts) return -1;
    if (direction < 0) i = v->count[0] - 1 - i;
    int line = v->direction == JD_SWEEP_BOTH ? 2 * j + (direction < 0) : j;
    return (line * v->count[0] + i) * v->starts + start;
}

static jd_status put_points(reader *r) {
    jd_sweep_view *v = r->v;
    JD_TRY(jd_read_size(r->arena, v->count[0], v->count[1], &v->n_point));
    JD_TRY(jd_read_size(r->arena, v->n_point, v->starts, &v->n_point));
    if (v->direction == JD_SWEEP_BOTH) JD_TRY(jd_read_size(r->arena, v->n_point, 2, &v->n_point));
    jd_sweep_point *point = JD_TAKE(r->arena, jd_sweep_point, v->n_point);
    JD_TRY(jd_arena_status(r->arena));
    for (int row = 0; row < r->n; row++) {
        const char *word = jd_read_word(r->table, "direction", row);
        int direction = strcmp(word, "up") == 0 ? 1 : strcmp(word, "down") == 0 ? -1 : 0;
        int at = place_of(r, row, direction);
        if (at < 0 || at >= v->n_point)
            return jd_fail(jd_arena_context(r->arena), JD_BAD_RESULT_FILE,
                           "point %d of the sweep is not on its grid", row + 1);
        point[at] =
            (jd_sweep_point){.done = true,
                             .value = {r->value[0][row], r->value[1] ? r->value[1][row] : 0},
                             .direction = direction,
                             .start = r->start ? jd_read_whole(r->start[row]) : 0,
                             .settled = r->settled[row] > 0,
                             .periods = jd_read_whole(r->periods[row]),
                             .amplitude = r->amplitude[row],
                             .events = jd_read_whole(r->events[row]),
                             .class_number = class_of(r, row),
                             .sample = r->sample + 2 * (size_t)v->n_sample * (size_t)row};
    }
    v->point = point;
    return JD_OK;
}

jd_status jd_sweep_of_file(jd_arena *arena, const json_t *document, jd_sweep_view *out) {
    reader r = {.arena = arena, .table = json_object_get(document, "points"), .v = out};
    *out = (jd_sweep_view){.measure = jd_read_text(document, "measure"),
                           .direction = direction_of(jd_read_text(document, "direction"))};
    JD_TRY(read_grid(&r, document));
    JD_TRY(read_formulas(&r, document));
    JD_TRY(read_columns(&r));
    return put_points(&r);
}

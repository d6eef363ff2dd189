// sweep.c -- a sweep: the grid, and what was found at each of its points.
//   A file keeps the points that are done, in the order of the sweep. Read back, each is put at its
//   place in the grid: starts fastest, then the first parameter, up and down, the second one.
#include <stdio.h>
#include <string.h>

#include "result/sweep/content.h"

enum { MOST = 50000000 }; // points of a grid

static const char *settle_name(int i) { return jd_settle_name((jd_settle)i); }
static const char *direction_name(int i) {
    static const char *const name[] = {"none", "up", "down", "both"};
    return name[i];
}

static const char *motion_name(int i) { return jd_motion_name((jd_motion)i); }

static bool write_parameters(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_sweep_point *p = object;
    const jd_sweep_view *v = root;
    bool fine = true;
    (void)f;
    for (int k = 0; k < v->n_parameter; k++)
        fine = fine && json_object_set_new(out, v->parameter[k], jd_json_real(p->value[k])) == 0;
    for (int k = 0; fine && k < v->n_draw; k++) {
        double value = v->drawn[((ptrdiff_t)p->value[0] - 1) * v->n_draw + k];
        fine = json_object_set_new(out, v->draw[k], jd_json_real(value)) == 0;
    }
    if (fine && v->direction != JD_SWEEP_NONE)
        fine = json_object_set_new(out, "direction",
                                   json_string(p->direction > 0 ? "up" : "down")) == 0;
    if (fine && v->starts > 1)
        fine = json_object_set_new(out, "start", json_integer(p->start)) == 0;
    return fine;
}

static jd_status read_parameters(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                                 void *root) {
    jd_sweep_point *p = object;
    const jd_sweep_view *v = root;
    const char *way = json_string_value(json_object_get(in, "direction"));
    (void)arena;
    (void)f;
    for (int k = 0; k < v->n_parameter; k++)
        p->value[k] = jd_read_real(json_object_get(in, v->parameter[k]), (double)NAN);
    p->direction = !way ? 0 : strcmp(way, "up") == 0 ? 1 : strcmp(way, "down") == 0 ? -1 : 0;
    p->start = jd_read_whole(jd_read_real(json_object_get(in, "start"), 0));
    p->done = true;
    return JD_OK;
}

// Why the motion ended, where it did not settle.
static bool write_stop(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_sweep_point *p = object;
    (void)root;
    const char *name = p->how == JD_SETTLE_STOPPED ? jd_stop_name(p->stop) : "";
    return json_object_set_new(out, f->key, json_string(name)) == 0;
}

static jd_status read_stop(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                           void *root) {
    const char *name = json_string_value(json_object_get(in, f->key));
    (void)arena;
    (void)root;
    for (int i = 0; name && i < JD_STOP_COUNT; i++)
        if (strcmp(name, jd_stop_name((jd_stop)i)) == 0)
            ((jd_sweep_point *)object)->stop = (jd_stop)i;
    return JD_OK;
}

// Values of the model's curves at the point's parameters, under `beside.NAME`.
static const char *beside_key(const jd_sweep_view *v, int k, char *key, size_t size) {
    snprintf(key, size, "beside.%s", v->curve[k].name);
    return key;
}

static bool write_beside(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_sweep_point *p = object;
    const jd_sweep_view *v = root;
    char key[200];
    (void)f;
    for (int k = 0; p->beside && k < v->n_curve; k++)
        if (json_object_set_new(out, beside_key(v, k, key, sizeof key),
                                jd_json_real(p->beside[k])) != 0)
            return false;
    return true;
}

static jd_status read_beside(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                             void *root) {
    const jd_sweep_view *v = root;
    char key[200];
    (void)f;
    if (v->n_curve == 0) return JD_OK;
    double *value = JD_TAKE(arena, double, v->n_curve);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < v->n_curve; k++)
        value[k] =
            jd_read_real(json_object_get(in, beside_key(v, k, key, sizeof key)), (double)NAN);
    ((jd_sweep_point *)object)->beside = value;
    return JD_OK;
}

static bool has_class(const void *object, const void *root) {
    (void)object;
    return ((const jd_sweep_view *)root)->n_class > 0;
}

static bool has_attractors(const void *object, const void *root) {
    (void)object;
    return ((const jd_sweep_view *)root)->n_attractor > 0;
}

static const jd_field point_field[] = {
    {.kind = JD_FIELD_OTHER, .write = write_parameters, .read = read_parameters},
    {JD_REAL(jd_sweep_point, amplitude, "amplitude", NULL, "the measure")},
    {JD_REAL(jd_sweep_point, min, "min", NULL, "of the measured quantity")},
    {JD_REAL(jd_sweep_point, max, "max", NULL, "of the measured quantity")},
    {JD_TEXT(jd_sweep_point, phases, "phases", "phase sequence of the period"), .inside = true,
     .size = {JD_FIXED(JD_SWEEP_TEXT)}},
    {JD_SCALAR(LONG, jd_sweep_point, events, "events", "in a period")},
    {JD_SCALAR(LONG, jd_sweep_point, slips, "slips", "of the measured contact")},
    {JD_INDEX_IN(jd_sweep_point, class_number, "class", jd_sweep_view, class_name, n_class,
                 "kind of motion"),
     .has = has_class},
    {JD_SCALAR(INT, jd_sweep_point, attractor, "attractor",
               "motion it settles to, from 1; 0: none"),
     .has = has_attractors},
    {JD_SCALAR(LONG, jd_sweep_point, undecided, "undecided", "events rounding cannot decide")},
    {JD_REAL(jd_sweep_point, period, "period", "s", "of the motion")},
    {JD_SCALAR(INT, jd_sweep_point, periods, "periods", "of the drive in one of the motion")},
    {JD_SCALAR(BOOL, jd_sweep_point, settled, "settled", "the motion is periodic")},
    {JD_WORD_OF(jd_sweep_point, how, "settled_by", settle_name, JD_SETTLE_COUNT, "how it settled")},
    {JD_WORD_OF(jd_sweep_point, motion, "motion", motion_name, JD_MOTION_COUNT, "what it is"),
     .optional = true},
    {JD_REAL(jd_sweep_point, exponent, "exponent", "", "largest, per drive period"),
     .optional = true},
    {JD_REAL(jd_sweep_point, exponent_error, "exponent_error", "", "of it, an estimate"),
     .optional = true},
    {JD_REAL(jd_sweep_point, winding, "winding", "", "turns of the samples per drive period"),
     .optional = true},
    {JD_REAL(jd_sweep_point, winding_error, "winding_error", "", "of it, an estimate"),
     .optional = true},
    {.key = "stop", .kind = JD_FIELD_OTHER, .write = write_stop, .read = read_stop},
    {JD_REAL(jd_sweep_point, multiplier, "multiplier", "", "largest |multiplier|")},
    {JD_REAL(jd_sweep_point, residual, "residual", "", "change of the state over the period")},
    {JD_REAL(jd_sweep_point, waited, "waited", "", "drive periods before it settled")},
    {.kind = JD_FIELD_OTHER, .write = write_beside, .read = read_beside},
    {JD_ARRAY(REALS, jd_sweep_point, sample, "samples", NULL,
              "displacement, velocity at drive phase 0"),
     .size = {JD_ROOT(jd_sweep_view, n_sample), JD_FIXED(2)}},
    JD_END_OF_FIELDS};
static const jd_record point_record = {.size = sizeof(jd_sweep_point), .field = point_field};

static bool write_grid(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_sweep_view *v = object;
    json_t *grid = json_object(), *names = json_array();
    (void)root;
    for (int k = 0; k < v->n_parameter; k++) {
        json_array_append_new(names, json_string(v->parameter[k]));
        json_object_set_new(grid, v->parameter[k], jd_json_reals(v->count[k], v->values[k]));
    }
    bool whole = json_array_size(names) == (size_t)v->n_parameter &&
                 json_object_size(grid) == (size_t)v->n_parameter;
    return json_object_set_new(out, "parameters", names) == 0 &&
           json_object_set_new(out, f->key, grid) == 0 && whole;
}

static jd_status read_grid(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                           void *root) {
    jd_sweep_view *v = object;
    const json_t *names = json_object_get(in, "parameters"), *grid = json_object_get(in, f->key);
    (void)root;
    v->n_parameter = (int)json_array_size(names);
    v->count[0] = v->count[1] = 1;
    if (v->n_parameter < 1 || v->n_parameter > 2)
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                       "the file names %d parameters of the sweep, not 1 or 2", v->n_parameter);
    for (int k = 0; k < v->n_parameter; k++) {
        double *values;
        v->parameter[k] = jd_read_text(arena, json_array_get(names, (size_t)k));
        v->count[k] = -1;
        if (k > 0 && strcmp(v->parameter[k], v->parameter[0]) == 0)
            return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                           "the file names the parameter `%s` of the sweep twice", v->parameter[k]);
        JD_TRY(jd_read_reals(arena, json_object_get(grid, v->parameter[k]), v->parameter[k],
                             (double)NAN, &v->count[k], &values));
        v->values[k] = values;
    }
    return JD_OK;
}

static bool is_positive(const jd_sweep_view *v, int k) {
    const double *x = v->values[k];
    return x && v->count[k] > 0 && x[0] > 0 && x[v->count[k] - 1] > 0;
}

static bool write_spacing(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_sweep_view *v = object;
    json_t *list = json_array();
    (void)root;
    for (int k = 0; k < v->n_parameter; k++)
        json_array_append_new(list, json_string(v->log[k] ? "log" : "linear"));
    return json_object_set_new(out, f->key, list) == 0;
}

static jd_status read_spacing(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                              void *root) {
    jd_sweep_view *v = object;
    const json_t *list = json_object_get(in, f->key);
    (void)arena;
    (void)root;
    for (int k = 0; k < v->n_parameter; k++) {
        const char *word = json_string_value(json_array_get(list, (size_t)k));
        v->log[k] = word && strcmp(word, "log") == 0 && is_positive(v, k);
    }
    return JD_OK;
}

// The parameter a curve runs along, by its path.
static bool write_axis(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_sweep_view *v = root;
    int axis = ((const jd_sweep_curve *)object)->axis;
    return json_object_set_new(out, f->key, json_string(v->parameter[axis])) == 0;
}

static jd_status read_axis(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                           void *root) {
    const jd_sweep_view *v = root;
    const char *path = json_string_value(json_object_get(in, f->key));
    (void)arena;
    ((jd_sweep_curve *)object)->axis =
        v->n_parameter > 1 && path && strcmp(path, v->parameter[1]) == 0;
    return JD_OK;
}

static const jd_field curve_field[] = {
    {JD_TEXT(jd_sweep_curve, formula, "formula", "of the curve")},
    {.key = "over", .kind = JD_FIELD_OTHER, .write = write_axis, .read = read_axis},
    {JD_ARRAY(REALS, jd_sweep_curve, at, "at", NULL, "places"),
     .size = {JD_OWN(jd_sweep_curve, n)}},
    {JD_ARRAY(REALS, jd_sweep_curve, value, "value", NULL, "of the curve there"),
     .size = {JD_OWN(jd_sweep_curve, n)}},
    JD_END_OF_FIELDS};
static const jd_record curve_record = {.size = sizeof(jd_sweep_curve), .field = curve_field};

// The share of the sweep that this is, and what tells whether two shares belong together.
static bool is_shard(const void *object, const void *root) {
    (void)root;
    return ((const jd_sweep_view *)object)->shards > 0;
}
static const jd_field shard_field[] = {
    {JD_SCALAR(INT, sweep_content, view.shard, "number", "of this shard, from 1")},
    {JD_SCALAR(INT, sweep_content, view.shards, "of", "number of shards")},
    {JD_SCALAR(INT, sweep_content, view.starts, "starts", "of each point")},
    {JD_TEXT(sweep_content, identity, "identity", "of the sweep: checksum of model and version")},
    JD_END_OF_FIELDS};
static const jd_record shard_record = {.size = sizeof(sweep_content), .field = shard_field};

// Numbers that are drawn.
static bool has_draws(const void *object, const void *root) {
    (void)root;
    return ((const jd_sweep_view *)object)->n_draw > 0;
}
static bool has_sequences(const void *object, const void *root) {
    (void)root;
    return ((const jd_sweep_view *)object)->n_sequence > 0;
}
static bool has_starts(const void *object, const void *root) {
    (void)root;
    return ((const jd_sweep_view *)object)->n_attractor > 0;
}

static json_t *complete(const void *object, const void *root) {
    const sweep_content *c = object;
    (void)root;
    return json_boolean(c->n_row == c->view.n_point);
}

static json_t *count_settled(const sweep_content *c, bool settled) {
    int n = 0;
    for (int i = 0; i < c->n_row; i++) n += c->row[i].settled == settled;
    return json_integer(n);
}
static json_t *settled(const void *object, const void *root) {
    (void)root;
    return count_settled(object, true);
}
static json_t *unsettled(const void *object, const void *root) {
    (void)root;
    return count_settled(object, false);
}

static bool has_classes(const void *object, const void *root) {
    (void)root;
    return ((const jd_sweep_view *)object)->n_class > 0;
}
static bool has_curves(const void *object, const void *root) {
    (void)root;
    return ((const jd_sweep_view *)object)->n_curve > 0;
}

static int place_in(const double *values, int n, double value) {
    for (int i = 0; i < n; i++)
        if (values[i] == value) return i;
    return -1;
}

static long place_of(const jd_sweep_view *v, const jd_sweep_point *p) {
    int i = place_in(v->values[0], v->count[0], p->value[0]);
    int j = v->n_parameter > 1 ? place_in(v->values[1], v->count[1], p->value[1]) : 0;
    if (i < 0 || j < 0 || p->start < 0 || p->start >= v->starts) return -1;
    if (p->direction < 0) i = v->count[0] - 1 - i;
    long line = v->direction == JD_SWEEP_BOTH ? 2L * j + (p->direction < 0) : j;
    return (line * v->count[0] + i) * v->starts + p->start;
}

// Puts the points at their places in the grid.
static jd_status check(jd_arena *arena, void *object) {
    sweep_content *c = object;
    jd_sweep_view *v = &c->view;
    if (v->starts < 1) v->starts = 1;
    if (v->shards < 1) v->shard = v->shards = 0; // missing numbers are -1
    if (v->n_attractor < 1 || v->n_attractor > c->n_row) v->n_attractor = 0;
    for (int i = 0; i < c->n_row; i++) // at most one a row
        if (c->row[i].start >= v->starts && c->row[i].start < c->n_row)
            v->starts = c->row[i].start + 1;
    double all = (double)v->count[0] * v->count[1] * v->starts;
    if (v->direction == JD_SWEEP_BOTH) all *= 2;
    if (all > MOST)
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                       "the file says its grid has %g points", all);
    if (v->n_draw > 0) JD_TRY(jd_sweep_check_sample(jd_arena_context(arena), c));
    v->n_point = (int)all;
    jd_sweep_point *point = JD_TAKE(arena, jd_sweep_point, v->n_point);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < c->n_row; i++) {
        long at = place_of(v, &c->row[i]);
        if (at < 0 || at >= v->n_point)
            return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                           "point %d of the sweep is not on its grid", i + 1);
        if (c->row[i].attractor < 0 || c->row[i].attractor > c->n_row)
            return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                           "point %d of the sweep is of attractor %d", i + 1, c->row[i].attractor);
        point[at] = c->row[i];
    }
    v->point = point;
    return JD_OK;
}

static const jd_field sweep_field[] = {
    {.key = "grid", .kind = JD_FIELD_OTHER, .write = write_grid, .read = read_grid},
    {JD_TEXT(jd_sweep_view, measure, "measure", "what `amplitude` is")},
    {JD_WORD_OF(jd_sweep_view, direction, "direction", direction_name, 4, "of the carried state")},
    {.key = "spacing", .kind = JD_FIELD_OTHER, .write = write_spacing, .read = read_spacing},
    {JD_ARRAY(TEXTS, jd_sweep_view, class_name, "classes", NULL, "kinds of motion"),
     .size = {JD_OWN(jd_sweep_view, n_class)}, .has = has_classes},
    {JD_MAP_OF(jd_sweep_view, curve, "beside", &curve_record, n_curve, "curves of the model"),
     .has = has_curves},
    {JD_GROUP_OF("shard", &shard_record, "the share of the sweep that this is"), .optional = true,
     .has = is_shard},
    {JD_TOLD_BY("complete", complete, "every point is there")},
    {JD_TOLD_BY("settled", settled, "points that settled")},
    {JD_TOLD_BY("unsettled", unsettled, "points that did not")},
    {JD_GROUP_OF("sample", &jd_record_sample, "numbers that are drawn"), .optional = true,
     .has = has_draws},
    {JD_LIST_OF(jd_sweep_view, statistics, "statistics", &jd_record_statistics, n_statistics,
                "over all draws"),
     .optional = true, .has = has_draws},
    {JD_LIST_OF(jd_sweep_view, sequence, "sequences", &jd_record_sequence, n_sequence,
                "phase sequences by falling share"),
     .optional = true, .has = has_sequences},
    {JD_SCALAR(INT, jd_sweep_view, n_attractor, "attractors", "motions told apart"),
     .optional = true, .has = has_starts},
    {.key = "points",
     .kind = JD_FIELD_LIST,
     JD_AT(sweep_content, row),
     .record = &point_record,
     .size = {JD_OWN(sweep_content, n_row)},
     .left_out = JD_BY_COLUMN,
     .doc = "in the order of the sweep"},
    JD_END_OF_FIELDS};
const jd_record jd_record_sweep = {
    .size = sizeof(sweep_content), .field = sweep_field, .root = true, .check = check};

static double *scaled(jd_arena *arena, int n, const double *x, double size) {
    double *out = JD_TAKE(arena, double, n);
    for (int i = 0; out && i < n; i++) out[i] = x[i] / size;
    return out;
}

// The grid with its parameters in the units that results give them in, of these sizes.
static void show(jd_arena *arena, sweep_content *c, const double size[2]) {
    jd_sweep_view *v = &c->view;
    jd_sweep_point *point = JD_TAKE(arena, jd_sweep_point, v->n_point);
    jd_sweep_curve *curve = JD_TAKE(arena, jd_sweep_curve, v->n_curve);
    if (jd_arena_status(arena) != JD_OK) return;
    for (int k = 0; k < v->n_parameter && k < 2; k++)
        v->values[k] = scaled(arena, v->count[k], v->values[k], size[k]);
    for (int i = 0; i < v->n_point; i++) {
        point[i] = v->point[i];
        for (int k = 0; k < 2; k++) point[i].value[k] /= size[k];
    }
    for (int i = 0; i < v->n_curve; i++) {
        curve[i] = v->curve[i];
        curve[i].at = scaled(arena, curve[i].n, curve[i].at, size[curve[i].axis]);
        if (v->n_parameter > 1)
            curve[i].value = scaled(arena, curve[i].n, curve[i].value, size[1 - curve[i].axis]);
    }
    v->point = point;
    v->curve = curve;
}

// A curve gives the other parameter, or with one parameter the measure.
static double beside_value(const jd_sweep *sweep, const double size[2], int k,
                           const jd_sweep_point *p) {
    const jd_sweep_view *v = jd_sweep_look(sweep);
    double value = jd_sweep_beside(sweep, k, p);
    return v->n_parameter > 1 ? value / size[1 - v->curve[k].axis] : value;
}

// Copies of the points with the values of the curves there, where there are curves: as files have
// them.
static jd_status put_beside(jd_arena *arena, jd_sweep_view *v, const jd_sweep *sweep,
                            const double size[2]) {
    const jd_sweep_view *own = jd_sweep_look(sweep);
    if (v->n_curve == 0) return JD_OK;
    jd_sweep_point *point = JD_TAKE(arena, jd_sweep_point, v->n_point);
    double *beside = jd_arena_take(arena, (size_t)v->n_point * (size_t)v->n_curve, sizeof *beside);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < v->n_point; i++) {
        double *at = beside + (ptrdiff_t)i * v->n_curve;
        point[i] = v->point[i];
        if (!point[i].done) continue;
        for (int k = 0; k < v->n_curve; k++) at[k] = beside_value(sweep, size, k, &own->point[i]);
        point[i].beside = at;
    }
    v->point = point;
    return JD_OK;
}

// The points that are done.
static jd_status list_rows(jd_arena *arena, sweep_content *c) {
    const jd_sweep_view *v = &c->view;
    size_t done = 0;
    for (int i = 0; i < v->n_point; i++) done += v->point[i].done;
    c->row = v->point; // as they are
    c->n_row = (int)done;
    if (done == (size_t)v->n_point) return JD_OK;
    jd_sweep_point *row = jd_arena_take(arena, done, sizeof *row);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0, n = 0; i < v->n_point; i++)
        if (v->point[i].done) row[n++] = v->point[i];
    c->row = row;
    return JD_OK;
}

jd_status jd_result_of_sweep(jd_context *context, const jd_problem *problem, const jd_sweep *sweep,
                             jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_SWEEP, out));
    sweep_content *c = (*out)->content;
    double size[2] = {1, 1}; // units of the parameters, in SI units
    c->view = *jd_sweep_look(sweep);
    c->n_drawn = c->view.count[0];
    if (c->view.shards > 0)
        c->identity = jd_arena_format((*out)->arena, "%016llx", jd_sweep_identity(sweep));
    jd_status s = JD_OK;
    for (int k = 0; s == JD_OK && k < c->view.n_parameter; k++)
        s = jd_result_show_unit(*out, problem, c->view.parameter[k], &size[k]);
    for (int k = 0; s == JD_OK && k < c->view.n_draw; k++)
        s = jd_result_note_unit(*out, problem, c->view.draw[k]);
    if (s == JD_OK && (size[0] != 1 || size[1] != 1)) show((*out)->arena, c, size);
    if (s == JD_OK) s = jd_arena_status((*out)->arena);
    if (s == JD_OK) s = jd_sweep_summary((*out)->arena, &c->view);
    if (s == JD_OK) s = put_beside((*out)->arena, &c->view, sweep, size);
    if (s == JD_OK) s = list_rows((*out)->arena, c);
    return jd_result_end(s, out);
}

json_t *jd_rows_sweep(const json_t *document) {
    json_t *rows = json_array(), *point;
    size_t i;
    json_array_foreach(json_object_get(document, "points"), i, point) {
        json_t *row = json_copy(point);
        json_object_del(row, "samples");
        json_array_append_new(rows, row);
    }
    return rows;
}

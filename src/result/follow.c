// follow.c -- a branch of orbits: points, special points, curves in two parameters, how it ended.
#include <string.h>

#include "result/result.h"

static const char *special_name(int i) { return jd_special_name((jd_special_kind)i); }
static const char *end_name(int i) { return jd_end_name((jd_end_kind)i); }
static const char *of_name(int i) { return i == JD_FOLLOW_STEADY ? "steady" : "orbits"; }
static const char *curve_name(int i) { return jd_curve_name((jd_curve_kind)i); }

// Steady slips and waves have no state to start from.
static bool has_start(const void *object, const void *root) {
    (void)object;
    return ((const jd_follow_view *)root)->kept.n_start > 0;
}

static const jd_field point_field[] = {
    {JD_REAL(jd_branch_point, parameter, "parameter", NULL, "number of the model followed")},
    {JD_REAL(jd_branch_point, amplitude, "amplitude", NULL, "the measure")},
    {JD_VERDICT(jd_branch_point, stable, undecided, "stable",
                "multipliers are in the unit circle")},
    {JD_SCALAR(INT, jd_branch_point, n_unstable, "unstable", "multipliers that are not")},
    {JD_ARRAY(REALS, jd_branch_point, multiplier, "multiplier", "", "largest: re, im"),
     .inside = true, .size = {JD_FIXED(2)}},
    {.key = "multiplier_error",
     .kind = JD_FIELD_REAL,
     JD_AT(jd_branch_point, multiplier_error),
     .unit = "",
     .doc = "by the tolerance",
     .none = (double)INFINITY},
    {JD_REAL(jd_branch_point, period, "period", "s", "of the orbit")},
    {JD_INDEX_IN(jd_branch_point, phases, "phases", jd_follow_view, phases, n_phases, "sequence")},
    {JD_SCALAR(INT, jd_branch_point, n_event, "events", "in a period")},
    {JD_SCALAR(INT, jd_branch_point, resting, "resting", "contacts stuck all along")},
    {JD_REAL(jd_branch_point, residual, "residual", "", "of the return")},
    {JD_SCALAR(BOOL, jd_branch_point, certified, "certified", "events are proved to be all")},
    {JD_INDEX_IN(jd_branch_point, start, "start", jd_follow_view, kept.start, kept.n_start,
                 "phase at t = 0"),
     .left_out = JD_NOT_IN_JSON, .optional = true, .has = has_start},
    JD_END_OF_FIELDS};
static const jd_record point_record = {.size = sizeof(jd_branch_point), .field = point_field};

static bool has_name(const void *object, const void *root) {
    (void)root;
    return ((const jd_special *)object)->name != NULL;
}

static const jd_field special_field[] = {
    {JD_WORD_OF(jd_special, kind, "kind", special_name, JD_SPECIAL_COUNT, "what happens")},
    {JD_REAL(jd_special, parameter, "parameter", NULL, "number of the model followed")},
    {JD_REAL(jd_special, error, "error", NULL, "of the parameter, an estimate")},
    {JD_REAL(jd_special, amplitude, "amplitude", NULL, "the measure")},
    {JD_REAL(jd_special, period, "period", "s", "of the orbit")},
    {JD_INDEX_IN(jd_special, before, "before", jd_follow_view, phases, n_phases, "sequence")},
    {JD_INDEX_IN(jd_special, after, "after", jd_follow_view, phases, n_phases, "sequence")},
    {JD_SCALAR(BOOL, jd_special, turns, "turns", "the parameter turns here")},
    {JD_VERDICT(jd_special, stable_before, undecided_before, "stable_before", "stable before")},
    {JD_VERDICT(jd_special, stable_after, undecided_after, "stable_after", "stable after")},
    {JD_ARRAY(REALS, jd_special, multiplier, "multiplier", "", "on the unit circle: re, im"),
     .inside = true, .size = {JD_FIXED(2)}},
    {JD_SCALAR(INT, jd_special, point, "point", "number of the branch point behind it")},
    {JD_TEXT(jd_special, name, "name", "of the function that passes 0"), .has = has_name,
     .optional = true},
    {JD_INDEX_IN(jd_special, start, "start", jd_follow_view, kept.start, kept.n_start,
                 "phase at t = 0"),
     .left_out = JD_NOT_IN_JSON, .optional = true, .has = has_start},
    JD_END_OF_FIELDS};
static const jd_record special_record = {.size = sizeof(jd_special), .field = special_field};

static const jd_field curve_point_field[] = {
    {JD_REAL(jd_curve_point, parameter, "parameter", NULL, "the first number")},
    {JD_REAL(jd_curve_point, second, "second", NULL, "the second number")},
    {JD_REAL(jd_curve_point, amplitude, "amplitude", NULL, "the measure")},
    {JD_REAL(jd_curve_point, period, "period", "s", "of the orbit")},
    {JD_REAL(jd_curve_point, residual, "residual", "", "of the return")},
    JD_END_OF_FIELDS};
static const jd_record curve_point = {.size = sizeof(jd_curve_point), .field = curve_point_field};

static const jd_field curve_special_field[] = {
    {JD_TEXT(jd_curve_special, name, "name", "what holds beside")},
    {JD_REAL(jd_curve_special, parameter, "parameter", NULL, "the first number")},
    {JD_REAL(jd_curve_special, second, "second", NULL, "the second number")},
    {JD_REAL(jd_curve_special, amplitude, "amplitude", NULL, "the measure")},
    {JD_REAL(jd_curve_special, error, "error", NULL, "of the second number, an estimate")},
    {JD_SCALAR(INT, jd_curve_special, point, "point", "number of the point behind it")},
    JD_END_OF_FIELDS};
static const jd_record curve_special = {.size = sizeof(jd_curve_special),
                                        .field = curve_special_field};

static bool has_curve(const void *object, const void *root) {
    (void)root;
    return ((const jd_follow_view *)object)->curve != JD_CURVE_NONE;
}

static const jd_field curve_field[] = {
    {JD_WORD_OF(jd_follow_view, curve, "kind", curve_name, JD_CURVE_COUNT,
                "of its special points")},
    {JD_TEXT(jd_follow_view, second, "second", "path of the second number")},
    {JD_REAL(jd_follow_view, second_from, "second_from", NULL, "window")},
    {JD_REAL(jd_follow_view, second_to, "second_to", NULL, "window")},
    {JD_LIST_OF(jd_follow_view, curve_point, "points", &curve_point, n_curve, "in order")},
    {JD_LIST_OF(jd_follow_view, kept.curve_special, "special", &curve_special, kept.n_curve_special,
                "points of codimension 2"),
     .has = has_curve}, // files of earlier versions may lack it
    JD_END_OF_FIELDS};
static const jd_record curve_record = {.field = curve_field};

static json_t *end_text(const void *object, const void *root) {
    (void)root;
    return json_string(jd_end_text(((const jd_follow_view *)object)->end));
}

static const jd_field end_field[] = {
    {JD_WORD_OF(jd_follow_view, end, "kind", end_name, JD_END_COUNT, "why it ends")},
    {JD_REAL(jd_follow_view, end_parameter, "parameter", NULL, "where")},
    {JD_TOLD_BY("text", end_text, "in words")},
    {JD_TEXT(jd_follow_view, why, "why", "more words")},
    JD_END_OF_FIELDS};
static const jd_record end_record = {.field = end_field};

// What branches beside the first have, too.
#define BRANCH_FIELDS                                                                              \
    {JD_LIST_OF(jd_follow_view, point, "branch", &point_record, n_point, "orbits in order")}, {    \
        JD_LIST_OF(jd_follow_view, special, "special", &special_record, n_special, "points")       \
    }
#define END_FIELD                                                                                  \
    { JD_GROUP_OF("end", &end_record, "how it ended") }

static const jd_field beside_view_field[] = {BRANCH_FIELDS, END_FIELD, JD_END_OF_FIELDS};
static const jd_record beside_view = {
    .size = sizeof(jd_follow_view), .field = beside_view_field, .root = true};
static const jd_field beside_field[] = {
    {JD_INNER(PART, jd_beside, view, NULL, &beside_view, "another branch")}, JD_END_OF_FIELDS};
static const jd_record beside_record = {.size = sizeof(jd_beside), .field = beside_field};

static bool has_beside(const void *object, const void *root) {
    (void)root;
    return ((const jd_follow_view *)object)->n_beside > 0;
}

static bool has_family(const void *object, const void *root) {
    (void)root;
    return ((const jd_follow_view *)object)->family != NULL;
}

static bool has_states(const void *object, const void *root) {
    (void)root;
    const jd_follow_view *v = object;
    return v->kept.n_start > 0 && v->state && v->n > 0;
}

static bool has_special(const void *object, const void *root) {
    (void)root;
    return ((const jd_follow_view *)object)->n_special > 0;
}

static const jd_field kept_field[] = {
    {JD_SCALAR(INT, jd_follow_view, n, "n", "numbers in a state")},
    {JD_SCALAR(INT, jd_follow_view, kept.n_spectrum, "n_spectrum", "multipliers of each point")},
    {JD_ARRAY(REALS, jd_follow_view, state, "states", NULL, "of each point at t = 0"),
     .size = {JD_OWN(jd_follow_view, n_point), JD_OWN(jd_follow_view, n)}},
    {JD_ARRAY(REALS, jd_follow_view, kept.special_state, "special_states", NULL,
              "of each special point at t = 0"),
     .size = {JD_OWN(jd_follow_view, n_special), JD_OWN(jd_follow_view, n)}, .has = has_special,
     .optional = true},
    {JD_ARRAY(REALS, jd_follow_view, kept.spectrum, "multipliers", "", "re, im"),
     .size = {JD_OWN(jd_follow_view, n_point), JD_OWN(jd_follow_view, kept.n_spectrum),
              JD_FIXED(2)}},
    JD_END_OF_FIELDS};
static const jd_record kept_record = {.field = kept_field};

// Measures beside the first: a list for each, by its name.
static bool write_also(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_follow_view *v = object;
    const jd_branch_kept *k = &v->kept;
    (void)root;
    if (k->n_also == 0 || v->n_point == 0) return true;
    json_t *map = json_object();
    for (int i = 0; i < k->n_also; i++) {
        json_t *list = json_array();
        for (int p = 0; p < v->n_point; p++)
            json_array_append_new(list, jd_json_real(k->also_value[p * k->n_also + i]));
        json_object_set_new(map, k->also[i], list);
    }
    return json_object_set_new(out, f->key, map) == 0;
}

static jd_status read_also(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                           void *root) {
    jd_follow_view *v = object;
    json_t *map = json_object_get(in, f->key), *list;
    const char *name;
    (void)root;
    v->kept.n_also = 0;
    if (!map) return JD_OK;
    int n = (int)json_object_size(map), i = 0;
    const char **names = JD_TAKE(arena, const char *, n);
    size_t step = (size_t)n;
    double *value = jd_arena_take(arena, step * (size_t)v->n_point, sizeof *value), *one;
    JD_TRY(jd_arena_status(arena));
    json_object_foreach(map, name, list) {
        int points = v->n_point;
        JD_TRY(jd_read_reals(arena, list, name, (double)NAN, &points, &one));
        for (int p = 0; p < points; p++) value[(size_t)p * step + (size_t)i] = one[p];
        names[i++] = jd_arena_text(arena, name);
    }
    v->kept.n_also = n;
    v->kept.also = names;
    v->kept.also_value = value;
    return jd_arena_status(arena);
}

static const jd_field peak_field[] = {
    {JD_REAL(jd_peak, value, "value", NULL, "of the number that makes the family")},
    {JD_REAL(jd_peak, parameter, "parameter", NULL, "where the measure is largest")},
    {JD_REAL(jd_peak, amplitude, "amplitude", NULL, "the measure there")},
    {JD_SCALAR(BOOL, jd_peak, inside, "inside", "a maximum, located; else the largest point")},
    JD_END_OF_FIELDS};
static const jd_record peak_record = {.size = sizeof(jd_peak), .field = peak_field};

static bool has_optimum(const void *object, const void *root) {
    (void)root;
    return ((const jd_family *)object)->optimal;
}

static const jd_field family_field[] = {
    {JD_TEXT(jd_family, path, "path", "of the number that makes the family")},
    {JD_LIST_OF(jd_family, peak, "peaks", &peak_record, n, "of its branches, in order")},
    {JD_SCALAR(BOOL, jd_family, optimal, "optimal", "the least peak was located")},
    {JD_REAL(jd_family, optimum.value, "value", NULL, "of the least peak"), .has = has_optimum,
     .optional = true},
    {JD_REAL(jd_family, error, "error", NULL, "of that value, an estimate"), .has = has_optimum,
     .optional = true},
    {JD_REAL(jd_family, optimum.parameter, "parameter", NULL, "of the least peak"),
     .has = has_optimum, .optional = true},
    {JD_REAL(jd_family, optimum.amplitude, "amplitude", NULL, "of the least peak"),
     .has = has_optimum, .optional = true},
    {JD_TEXT(jd_family, why, "why", "it was not located")},
    JD_END_OF_FIELDS};
static const jd_record family_record = {.size = sizeof(jd_family), .field = family_field};

static const jd_field follow_field[] = {
    {JD_WORD_OF(jd_follow_view, of, "of", of_name, 2, "orbits, or steady slip")},
    {JD_TEXT(jd_follow_view, parameter, "parameter", "path of the number followed")},
    {JD_TEXT(jd_follow_view, measure, "measure", "what `amplitude` is")},
    {JD_REAL(jd_follow_view, from, "from", NULL, "window of the parameter")},
    {JD_REAL(jd_follow_view, to, "to", NULL, "window of the parameter")},
    BRANCH_FIELDS,
    {JD_GROUP_OF("curve", &curve_record, "of special points in two parameters"), .has = has_curve},
    {JD_SCALAR(INT, jd_follow_view, n_uncertified, "uncertified", "points that are not proved")},
    END_FIELD,
    {JD_SCALAR(LONG, jd_follow_view, orbits, "orbits", "converged")},
    {JD_SCALAR(LONG, jd_follow_view, rounds, "rounds", "periods computed")},
    {JD_SCALAR(LONG, jd_follow_view, derivatives, "derivatives", "of these with derivatives")},
    {JD_GROUP_OF("kept", &kept_record, "states and multipliers"), .has = has_states,
     .left_out = JD_NOT_IN_JSON, .optional = true},
    {.key = "also",
     .kind = JD_FIELD_OTHER,
     .write = write_also,
     .read = read_also,
     .optional = true},
    {JD_INNER(PART, jd_follow_view, family, "family", &family_record, "branches and their peaks"),
     .has = has_family, .optional = true},
    {JD_MAP_OF(jd_follow_view, beside, "beside", &beside_record, n_beside, "other branches"),
     .has = has_beside},
    JD_END_OF_FIELDS};
const jd_record jd_record_follow = {
    .size = sizeof(jd_follow_view), .field = follow_field, .root = true};

// Units of the two parameters in SI units.
typedef struct sizes {
    double first, second;
} sizes;

static void *copy(jd_arena *arena, const void *list, int n, size_t size) {
    void *out = jd_arena_take(arena, (size_t)n, size);
    if (out && n) memcpy(out, list, (size_t)n * size);
    return out;
}

static void show_family(jd_arena *arena, jd_follow_view *v, sizes s) {
    jd_family *family = copy(arena, v->family, 1, sizeof *family);
    jd_peak *peak = copy(arena, v->family->peak, v->family->n, sizeof *peak);
    if (!family || !peak) return;
    for (int i = 0; i < family->n; i++) peak[i].parameter /= s.first;
    family->optimum.parameter /= s.first;
    family->peak = peak;
    v->family = family;
}

// The branch with its parameters in the units that results give them in.
static void show(jd_arena *arena, jd_follow_view *v, sizes s) {
    jd_branch_point *point = copy(arena, v->point, v->n_point, sizeof *point);
    jd_special *special = copy(arena, v->special, v->n_special, sizeof *special);
    jd_curve_point *curve = copy(arena, v->curve_point, v->n_curve, sizeof *curve);
    jd_curve_special *twice =
        copy(arena, v->kept.curve_special, v->kept.n_curve_special, sizeof *twice);
    if (jd_arena_status(arena) != JD_OK) return;
    for (int i = 0; i < v->n_point; i++) point[i].parameter /= s.first;
    for (int i = 0; i < v->n_special; i++) {
        special[i].parameter /= s.first;
        special[i].error /= s.first;
    }
    for (int i = 0; i < v->n_curve; i++) {
        curve[i].parameter /= s.first;
        curve[i].second /= s.second;
    }
    for (int i = 0; i < v->kept.n_curve_special; i++) {
        twice[i].parameter /= s.first;
        twice[i].second /= s.second;
        twice[i].error /= s.second;
    }
    if (v->family) show_family(arena, v, s);
    v->point = point;
    v->special = special;
    v->curve_point = curve;
    v->kept.curve_special = twice;
    v->from /= s.first;
    v->to /= s.first;
    v->second_from /= s.second;
    v->second_to /= s.second;
    v->end_parameter /= s.first;
}

static void show_besides(jd_arena *arena, jd_follow_view *v, sizes s) {
    jd_beside *beside = copy(arena, v->beside, v->n_beside, sizeof *beside);
    for (int i = 0; beside && i < v->n_beside; i++) {
        jd_follow_view *view = copy(arena, v->beside[i].view, 1, sizeof *view);
        if (!view) return;
        show(arena, view, s);
        beside[i].view = view;
    }
    v->beside = beside;
}

jd_status jd_result_of_follow(jd_context *context, const jd_problem *problem,
                              const jd_follow_view *view, jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_FOLLOW, out));
    jd_follow_view *own = (*out)->content;
    sizes unit = {1, 1};
    *own = *view;
    jd_status s = jd_result_show_unit(*out, problem, view->parameter, &unit.first);
    if (s == JD_OK && view->curve != JD_CURVE_NONE)
        s = jd_result_show_unit(*out, problem, view->second, &unit.second);
    if (s == JD_OK && view->family) s = jd_result_note_unit(*out, problem, view->family->path);
    if (s == JD_OK && (unit.first != 1 || unit.second != 1)) {
        show((*out)->arena, own, unit);
        show_besides((*out)->arena, own, unit);
    }
    return jd_result_end(s, out);
}

// Columns of a point: its numbers, of lists the two parts of the multiplier.
static json_t *row_of(json_t *point) {
    json_t *row = json_object(), *value;
    const char *key;
    json_object_foreach(point, key, value) {
        if (!json_is_array(value)) {
            json_object_set(row, key, value);
            continue;
        }
        json_object_set(row, "multiplier_re", json_array_get(value, 0));
        json_object_set(row, "multiplier_im", json_array_get(value, 1));
    }
    return row;
}

// A row for each point of the curve, or of the branch with its measures and functions beside.
json_t *jd_rows_follow(const json_t *document) {
    json_t *rows = json_array(), *point, *list, *also = json_object_get(document, "also");
    const char *name;
    size_t i;
    const json_t *curve = json_object_get(document, "curve");
    json_array_foreach(
        curve ? json_object_get(curve, "points") : json_object_get(document, "branch"), i, point) {
        json_t *row = row_of(point);
        json_object_foreach(curve ? NULL : also, name, list)
            json_object_set(row, name, json_array_get(list, i));
        json_array_append_new(rows, row);
    }
    return rows;
}

// of_file_follow.c -- a branch of orbits, and the multipliers of one, from result files.
#include <math.h>
#include <string.h>

#include "picture/of_file.h"

typedef struct columns {
    double *parameter, *amplitude, *stable, *multiplier, *point;
} columns;

static jd_status read_points(jd_arena *arena, const json_t *table, jd_follow_view *v) {
    int n = -1, pairs;
    columns c;
    JD_TRY(jd_read_reals(arena, table, "parameter", &n, &c.parameter));
    pairs = 2 * n;
    JD_TRY(jd_read_reals(arena, table, "amplitude", &n, &c.amplitude));
    JD_TRY(jd_read_reals(arena, table, "stable", &n, &c.stable));
    JD_TRY(jd_read_reals(arena, table, "multiplier", &pairs, &c.multiplier));
    jd_branch_point *point = JD_TAKE(arena, jd_branch_point, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++)
        point[i] = (jd_branch_point){.parameter = c.parameter[i],
                                     .amplitude = c.amplitude[i],
                                     .stable = c.stable[i] > 0,
                                     .undecided = isnan(c.stable[i]),
                                     .multiplier = {c.multiplier[2 * i], c.multiplier[2 * i + 1]}};
    v->n_point = n;
    v->point = point;
    return JD_OK;
}

static jd_special_kind special_of(const char *name) {
    for (int k = 0; k < JD_SPECIAL_COUNT; k++)
        if (strcmp(name, jd_special_name((jd_special_kind)k)) == 0) return (jd_special_kind)k;
    return JD_SPECIAL_PHASES;
}

static jd_status read_specials(jd_arena *arena, const json_t *table, jd_follow_view *v) {
    int n = (int)json_array_size(json_object_get(table, "kind"));
    columns c;
    double *before, *after;
    if (n == 0) return JD_OK;
    JD_TRY(jd_read_reals(arena, table, "parameter", &n, &c.parameter));
    JD_TRY(jd_read_reals(arena, table, "amplitude", &n, &c.amplitude));
    JD_TRY(jd_read_reals(arena, table, "point", &n, &c.point));
    JD_TRY(jd_read_reals(arena, table, "stable_before", &n, &before));
    JD_TRY(jd_read_reals(arena, table, "stable_after", &n, &after));
    jd_special *special = JD_TAKE(arena, jd_special, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++)
        special[i] = (jd_special){.kind = special_of(jd_read_word(table, "kind", i)),
                                  .parameter = c.parameter[i],
                                  .amplitude = c.amplitude[i],
                                  .stable_before = before[i] > 0,
                                  .stable_after = after[i] > 0,
                                  .point = jd_read_whole(c.point[i])};
    v->n_special = n;
    v->special = special;
    return JD_OK;
}

// The curve in two parameters, where there is one.
static jd_status read_curve(jd_arena *arena, const json_t *object, jd_follow_view *v) {
    static const char *const kinds[] = {"none", "fold", "flip", "grazing"};
    const json_t *table = json_object_get(object, "points");
    double *parameter, *second, *amplitude;
    int n = -1;
    if (!table || json_array_size(json_object_get(table, "parameter")) == 0) return JD_OK;
    JD_TRY(jd_read_reals(arena, table, "parameter", &n, &parameter));
    JD_TRY(jd_read_reals(arena, table, "second", &n, &second));
    JD_TRY(jd_read_reals(arena, table, "amplitude", &n, &amplitude));
    jd_curve_point *point = JD_TAKE(arena, jd_curve_point, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++)
        point[i] = (jd_curve_point){
            .parameter = parameter[i], .second = second[i], .amplitude = amplitude[i]};
    for (int k = 0; k < 4; k++)
        if (strcmp(jd_read_text(object, "kind"), kinds[k]) == 0) v->curve = (jd_curve_kind)k;
    v->second = jd_read_text(object, "second");
    v->n_curve = n;
    v->curve_point = point;
    return JD_OK;
}

static jd_end_kind end_of(const char *name) {
    for (int k = 0; k < JD_END_COUNT; k++)
        if (strcmp(name, jd_end_name((jd_end_kind)k)) == 0) return (jd_end_kind)k;
    return JD_END_TO;
}

static jd_status read_one(jd_arena *arena, const json_t *document, jd_follow_view *out) {
    out->end = end_of(jd_read_text(json_object_get(document, "end"), "kind"));
    JD_TRY(read_points(arena, json_object_get(document, "branch"), out));
    return read_specials(arena, json_object_get(document, "special"), out);
}

static jd_status read_beside(jd_arena *arena, const json_t *all, jd_follow_view *out) {
    size_t n = json_object_size(all);
    jd_beside *list = JD_TAKE(arena, jd_beside, n);
    jd_follow_view *view = JD_TAKE(arena, jd_follow_view, n);
    JD_TRY(jd_arena_status(arena));
    for (void *i = json_object_iter((json_t *)all); i;
         i = json_object_iter_next((json_t *)all, i)) {
        JD_TRY(read_one(arena, json_object_iter_value(i), view));
        list[out->n_beside++] = (jd_beside){json_object_iter_key(i), view++};
    }
    out->beside = list;
    return JD_OK;
}

jd_status jd_follow_of_file(jd_arena *arena, const json_t *document, jd_follow_view *out) {
    *out = (jd_follow_view){.parameter = jd_read_text(document, "parameter"),
                            .measure = jd_read_text(document, "measure"),
                            .of = strcmp(jd_read_text(document, "of"), "steady") == 0
                                      ? JD_FOLLOW_STEADY
                                      : JD_FOLLOW_ORBITS,
                            .from = jd_read_real(document, "from"),
                            .to = jd_read_real(document, "to")};
    JD_TRY(read_one(arena, document, out));
    JD_TRY(read_beside(arena, json_object_get(document, "beside"), out));
    return read_curve(arena, json_object_get(document, "curve"), out);
}

jd_status jd_multipliers_of_file(jd_arena *arena, const json_t *document, jd_multipliers *out) {
    double *value, *magnitude;
    int pairs = -1;
    JD_TRY(jd_read_reals(arena, document, "multipliers", &pairs, &value));
    int n = pairs / 2;
    JD_TRY(jd_read_reals(arena, document, "log_abs_multipliers", &n, &magnitude));
    *out = (jd_multipliers){.n = n,
                            .value = value,
                            .magnitude = magnitude,
                            .stable = jd_read_real(document, "stable") > 0,
                            .marginal = jd_read_real(document, "marginal") > 0,
                            .period = jd_read_real(document, "period")};
    return JD_OK;
}

// of_file_converge.c -- convergence studies from their result file.
#include "picture/of_file.h"

static jd_status read_study(jd_arena *arena, const json_t *table, jd_converge_def *def,
                            jd_converge_point **out) {
    double *value, *ratio;
    def->n = -1;
    JD_TRY(jd_read_reals(arena, table, "value", &def->n, &value));
    JD_TRY(jd_read_reals(arena, table, "ratio", &def->n, &ratio));
    jd_converge_point *point = *out = JD_TAKE(arena, jd_converge_point, def->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < def->n; i++)
        point[i] = (jd_converge_point){.value = value[i], .ratio = ratio[i]};
    return JD_OK;
}

jd_status jd_converge_of_file(jd_arena *arena, const json_t *document, int *n,
                              jd_converge_def **def, jd_converge_point ***point) {
    const json_t *studies = json_object_get(document, "studies");
    *n = (int)json_array_size(json_object_get(studies, "parameter"));
    if (*n == 0)
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE, "the file holds no `studies`");
    *def = JD_TAKE(arena, jd_converge_def, *n);
    *point = JD_TAKE(arena, jd_converge_point *, *n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < *n; i++) {
        (*def)[i].parameter = jd_read_word(studies, "parameter", i);
        (*def)[i].measure = jd_read_text(document, "measure");
        JD_TRY(read_study(arena, jd_read_member(json_object_get(studies, "points"), i), &(*def)[i],
                          &(*point)[i]));
    }
    return JD_OK;
}

// sample.c -- tables of a sample: what is drawn, and what is found over all draws.
//   Draws are counted on their own: the grid, which is read before, has to have as many.
#include "result/sweep/content.h"

static const jd_field sample_field[] = {
    {JD_ARRAY(TEXTS, jd_sweep_view, draw, "parameters", NULL, "paths of the numbers drawn"),
     .size = {JD_OWN(jd_sweep_view, n_draw)}},
    {JD_ARRAY(REALS, jd_sweep_view, drawn, "values", NULL, "of each draw"),
     .size = {JD_OWN(sweep_content, n_drawn), JD_OWN(jd_sweep_view, n_draw)}},
    JD_END_OF_FIELDS};
const jd_record jd_record_sample = {.size = sizeof(sweep_content), .field = sample_field};

// The parameter that is swept beside the draws, by its path.
static bool write_swept(const jd_field *f, const void *object, const void *root, json_t *out) {
    const jd_sweep_view *v = root;
    const jd_sweep_statistics *s = object;
    (void)f;
    return v->n_parameter < 2 ||
           json_object_set_new(out, v->parameter[1], jd_json_real(s->value)) == 0;
}
static jd_status read_swept(jd_arena *arena, const jd_field *f, const json_t *in, void *object,
                            void *root) {
    const jd_sweep_view *v = root;
    (void)arena, (void)f;
    ((jd_sweep_statistics *)object)->value =
        v->n_parameter < 2 ? (double)NAN
                           : jd_read_real(json_object_get(in, v->parameter[1]), (double)NAN);
    return JD_OK;
}
static const jd_field statistics_field[] = {
    {.kind = JD_FIELD_OTHER, .write = write_swept, .read = read_swept},
    {JD_SCALAR(INT, jd_sweep_statistics, points, "points", "that are done")},
    {JD_SCALAR(INT, jd_sweep_statistics, settled, "settled", "of them")},
    {JD_SCALAR(INT, jd_sweep_statistics, stable, "stable", "settled, multipliers known and < 1")},
    {JD_REAL(jd_sweep_statistics, mean, "mean", NULL, "of the measure")},
    {JD_REAL(jd_sweep_statistics, deviation, "deviation", NULL, "standard deviation")},
    {JD_REAL(jd_sweep_statistics, quantile[0], "q05", NULL, "5 % are below")},
    {JD_REAL(jd_sweep_statistics, quantile[1], "q25", NULL, "25 % are below")},
    {JD_REAL(jd_sweep_statistics, quantile[2], "median", NULL, "half are below")},
    {JD_REAL(jd_sweep_statistics, quantile[3], "q75", NULL, "75 % are below")},
    {JD_REAL(jd_sweep_statistics, quantile[4], "q95", NULL, "95 % are below")},
    JD_END_OF_FIELDS};
const jd_record jd_record_statistics = {.size = sizeof(jd_sweep_statistics),
                                        .field = statistics_field};
static const jd_field sequence_field[] = {
    {JD_TEXT(jd_sweep_sequence, phases, "phases", "phase sequence")},
    {JD_SCALAR(INT, jd_sweep_sequence, count, "count", "settled points with it")},
    {JD_REAL(jd_sweep_sequence, share, "share", "", "of all points")},
    JD_END_OF_FIELDS};
const jd_record jd_record_sequence = {.size = sizeof(jd_sweep_sequence), .field = sequence_field};

// Of all draws some are done, of these some settled, of these some stable.
static bool is_counted(const jd_sweep_statistics *s, int draws) {
    return s->points >= 0 && s->points <= draws && s->settled >= 0 && s->settled <= s->points &&
           s->stable >= 0 && s->stable <= s->settled;
}

jd_status jd_sweep_check_sample(jd_context *context, const sweep_content *c) {
    const jd_sweep_view *v = &c->view;
    int rows = v->n_parameter > 1 ? v->count[1] : 1;
    if (c->n_drawn != v->count[0])
        return jd_fail(context, JD_BAD_RESULT_FILE,
                       "the file holds values of %d draws, but its grid has %d", c->n_drawn,
                       v->count[0]);
    if (v->n_statistics != rows)
        return jd_fail(context, JD_BAD_RESULT_FILE,
                       "the file holds %d statistics of its sample, not %d", v->n_statistics, rows);
    for (int i = 0; i < rows; i++)
        if (!is_counted(&v->statistics[i], v->count[0]))
            return jd_fail(context, JD_BAD_RESULT_FILE,
                           "statistics %d of the sample count other than its draws", i + 1);
    for (int i = 0; i < v->count[0]; i++)
        if (v->values[0][i] != i + 1)
            return jd_fail(context, JD_BAD_RESULT_FILE,
                           "the draws of the sample are not numbered from 1 on");
    return JD_OK;
}

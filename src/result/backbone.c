// backbone.c -- frequency and damping of a mode over its amplitude.
#include "judder/backbone.h"
#include "result/result.h"

static const char *end_name(int i) { return jd_backbone_end_name((jd_backbone_end)i); }

static const jd_field point_field[] = {
    {JD_REAL(jd_backbone_point, amplitude, "amplitude", "m", "half of the range at the place")},
    {JD_REAL(jd_backbone_point, omega, "omega", "rad/s", "2 pi over the period")},
    {JD_REAL(jd_backbone_point, damping, "damping", "", "ratio: rate over twice omega")},
    {JD_REAL(jd_backbone_point, rate, "rate", "1/s", "negative damping that feeds the losses in")},
    {JD_REAL(jd_backbone_point, residual, "residual", "", "of the period")},
    {JD_SCALAR(INT, jd_backbone_point, events, "events", "of a period")},
    JD_END_OF_FIELDS};
static const jd_record point_record = {.size = sizeof(jd_backbone_point), .field = point_field};

static const jd_field backbone_field[] = {
    {JD_WORD_OF(jd_backbone_view, end, "end", end_name, JD_BACKBONE_END_COUNT, "how it ended")},
    {JD_SCALAR(INT, jd_backbone_view, mode, "mode", "from 1")},
    {JD_TEXT(jd_backbone_view, at, "at", "contact or point of the amplitude")},
    {JD_SCALAR(BOOL, jd_backbone_view, symmetric, "symmetric", "half a period mirrors the other")},
    {JD_REAL(jd_backbone_view, stuck, "omega_stuck", "rad/s", "of the mode with springs stuck")},
    {JD_REAL(jd_backbone_view, free, "omega_free", "rad/s", "of the mode without contacts")},
    {JD_SCALAR(LONG, jd_backbone_view, orbits, "orbits", "rounds of Newton's method")},
    {JD_LIST_OF(jd_backbone_view, point, "points", &point_record, n_point, "by amplitude")},
    JD_END_OF_FIELDS};
const jd_record jd_record_backbone = {
    .size = sizeof(jd_backbone_view), .field = backbone_field, .root = true};

jd_status jd_result_of_backbone(jd_context *context, const jd_problem *problem,
                                const jd_backbone *backbone, jd_result **out) {
    JD_TRY(jd_result_create(context, problem, JD_RESULT_BACKBONE, out));
    *(jd_backbone_view *)(*out)->content = *jd_backbone_look(backbone);
    return jd_result_end(JD_OK, out);
}

json_t *jd_rows_backbone(const json_t *document) {
    return json_deep_copy(json_object_get(document, "points"));
}

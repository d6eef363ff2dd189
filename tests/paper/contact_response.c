// contact_response.c -- frequency response of NLvib's two masses with a unilateral spring.
//   Touching, folds, flips and Neimark-Sacker points of one branch beside 50 digits
//   (tests/reference/contact.json, R2); folds that lie 1e-8 to 1e-10 behind the first touch for
//   stiffer springs (R8).
#include "spring_case.h"

static spring_model model;
static spring_run *r;

// The branch of the model whose spring has this stiffness.
static jd_follow *response(real kn) {
    jd_follow *f = NULL;
    json_t *all = spring_reference();
    spring_read(&model, json_object_get(json_object_get(all, "R2_unilateral_spring"), "model"));
    json_decref(all);
    model.drive[0].omega = 0.5L, model.c[0].kn = kn, model.until = 100;
    if (!spring_open(r, &model,
                     "orbit: {periods: 1}\n"
                     "follow: {parameter: drives.d0_0.frequency, from: 0.5, to: 1}\n") ||
        jd_follow_create(r->context, r->problem, NULL, &f) != JD_OK)
        fail_msg("%s %s", r->refused, jd_context_error(r->context)->message);
    return f;
}

static jd_special_kind kind_of(const char *name) {
    return strcmp(name, "fold") == 0             ? JD_SPECIAL_FOLD
           : strcmp(name, "flip") == 0           ? JD_SPECIAL_FLIP
           : strcmp(name, "neimark-sacker") == 0 ? JD_SPECIAL_NEIMARK_SACKER
                                                 : JD_SPECIAL_PHASES; // the spring is touched
}

// Distance to the nearest special point of this kind.
static double nearest(const jd_follow_view *v, jd_special_kind kind, double omega) {
    double best = HUGE_VAL;
    for (int i = 0; i < v->n_special; i++)
        if (v->special[i].kind == kind) best = fmin(best, fabs(v->special[i].parameter - omega));
    return best;
}

static void special_points_of_a_unilateral_spring(void **state) {
    (void)state;
    r = calloc(1, sizeof *r);
    jd_follow *f = response(100);
    const jd_follow_view *v = jd_follow_look(f);
    json_t *all = spring_reference();
    const json_t *list = json_object_get(json_object_get(all, "R2_unilateral_spring"), "special");
    double worst = 0;
    assert_int_equal(v->end, JD_END_TO);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *s = json_array_get(list, i);
        const char *kind = json_string_value(json_object_get(s, "kind"));
        double off = nearest(v, kind_of(kind), json_number_value(json_object_get(s, "omega")));
        if (!(off < 1e-10)) fail_msg("no %s: nearest %.2e", kind, off);
        worst = fmax(worst, off);
    }
    print_message("   %zu special points within %.1e\n", json_array_size(list), worst);
    assert_int_equal(json_array_size(list), 8);
    assert_int_equal(v->n_special, 8);
    json_decref(all);
    jd_follow_free(f);
    spring_end(r);
    free(r);
}

static void folds_close_behind_the_first_touch(void **state) {
    (void)state;
    r = calloc(1, sizeof *r);
    json_t *all = spring_reference();
    json_t *list = json_object_get(json_object_get(json_object_get(all, "R8_limits"), //
                                                   "fold_behind_grazing"),
                                   "fold");
    const char *stiffness;
    json_t *fold;
    json_object_foreach(list, stiffness, fold) {
        jd_follow *f = response(strtold(stiffness, NULL));
        double off = nearest(jd_follow_look(f), JD_SPECIAL_FOLD, json_number_value(fold));
        if (!(off < 1e-11)) fail_msg("kn = %s: nearest fold %.2e off", stiffness, off);
        jd_follow_free(f);
        spring_end(r);
    }
    assert_int_equal(json_object_size(list), 4);
    json_decref(all);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(special_points_of_a_unilateral_spring),
                                       cmocka_unit_test(folds_close_behind_the_first_touch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

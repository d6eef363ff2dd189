// response_steps.c -- changes along the beam's response do not depend on the step; label: slow
#include "judder/follow.h"
#include "judder/model.h"
#include "near.h"

static jd_follow *respond(jd_context *context, jd_problem **problem, double step) {
    jd_follow *f;
    jd_follow_options options = jd_default_follow_options();
    options.step = step;
    options.points = 100000;
    const char *path = JD_SOURCE_DIR "/gallery/friction-beam/response.yaml";
    assert_int_equal(jd_model_read(context, path, 0, NULL, problem), JD_OK);
    assert_int_equal(jd_follow_create(context, *problem, &options, &f), JD_OK);
    assert_int_equal(jd_follow_look(f)->end, JD_END_TO);
    return f;
}

static void the_same_changes_at_a_tenth_of_the_step(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_problem *one, *ten;
    jd_follow *a = respond(context, &one, 0.005), *b = respond(context, &ten, 0.0005);
    const jd_follow_view *v = jd_follow_look(a), *w = jd_follow_look(b);
    assert_true(w->n_point > 8 * v->n_point); // measured 2576 and 27615
    assert_int_equal(v->n_special, w->n_special);
    assert_int_equal(v->n_special, 167); // computed here, at both steps
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i], *t = &w->special[i];
        assert_int_equal(s->kind, t->kind);
        assert_near(s->parameter, t->parameter, 1e-8);
        assert_string_equal(v->phases[s->before], w->phases[t->before]);
        assert_string_equal(v->phases[s->after], w->phases[t->after]);
    }
    jd_follow_free(a);
    jd_follow_free(b);
    jd_problem_free(one);
    jd_problem_free(ten);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_changes_at_a_tenth_of_the_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

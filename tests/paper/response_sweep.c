// response_sweep.c -- the frequency response of the beam, Fig. 6(c): continuation against settled
// motions from rest, which have nothing in common but the engine.
#include <stdlib.h>

#include "judder/follow.h"
#include "judder/model.h"
#include "judder/sweep.h"
#include "near.h"

static const char path[] = JD_SOURCE_DIR "/gallery/friction-beam/response.yaml";
static const char parameter[] = "drives.shaker.frequency.times";
enum { EVERY = 20 };

// Settled from rest at one value of the parameter.
static void settle(jd_context *context, jd_problem *problem, double value, jd_sweep **out) {
    const char *const name = parameter;
    const double one = 1;
    jd_sweep_def def;
    bool complete = false;
    jd_type_defaults(&jd_section_types[JD_SWEEP], &def);
    def.parameters = (jd_texts){1, &name};
    def.from = def.to = (jd_reals){1, &value};
    def.points = (jd_reals){1, &one};
    def.measure = "tip.displacement.max";
    assert_int_equal(jd_problem_set_section(problem, JD_SWEEP, &def), JD_OK);
    assert_int_equal(jd_sweep_create(context, problem, out), JD_OK);
    assert_int_equal(jd_sweep_run(*out, NULL, &complete), JD_OK);
    assert_true(complete);
}

static void branch_and_settled_motions_agree(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_follow *follow = NULL;
    jd_follow_options options = jd_default_follow_options();
    options.special = false;
    assert_int_equal(jd_model_read(context, path, 0, NULL, &problem), JD_OK);
    assert_int_equal(jd_follow_create(context, problem, &options, &follow), JD_OK);
    const jd_follow_view *v = jd_follow_look(follow);
    double worst = 0;
    assert_true(v->n_point > 20 * EVERY);
    for (int i = 0; i < v->n_point; i += EVERY) {
        const jd_branch_point *b = &v->point[i];
        jd_sweep *sweep;
        settle(context, problem, b->parameter, &sweep);
        const jd_sweep_point *p = jd_sweep_look(sweep)->point;
        assert_true(b->stable && p->settled && p->periods == 1);
        assert_relative(p->period, b->period, 1e-14);
        assert_int_equal(p->events, b->n_event);
        assert_near(p->multiplier, hypot(b->multiplier[0], b->multiplier[1]), 1e-4); // 4e-5
        assert_relative(p->amplitude, b->amplitude, 1e-10); // measured 2e-12
        worst = fmax(worst, fabs(p->amplitude / b->amplitude - 1));
        jd_sweep_free(sweep);
    }
    print_message("amplitudes agree to %.1e\n", worst);
    jd_follow_free(follow);
    jd_problem_free(problem);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(branch_and_settled_motions_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

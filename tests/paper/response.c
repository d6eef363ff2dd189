// response.c -- frequency response of the beam with a friction device, Fig. 6(c), in one branch.
#include <stdlib.h>

#include "judder/follow.h"
#include "judder/model.h"
#include "near.h"

static const double y_sg = 5 * 2.4 * 2.47 * 2.47 * 2.47 / (48 * 1.09e4); // static tip deflection

typedef struct response {
    jd_context *context;
    jd_problem *problem;
    jd_follow *follow;
} response;

static int setup(void **state) {
    response *r = calloc(1, sizeof *r);
    r->context = jd_context_create(NULL);
    const char *path = JD_SOURCE_DIR "/gallery/friction-beam/response.yaml";
    if (jd_model_read(r->context, path, 0, NULL, &r->problem) != JD_OK ||
        jd_follow_create(r->context, r->problem, NULL, &r->follow) != JD_OK) {
        print_error("%s\n", jd_context_error(r->context)->message);
        return -1;
    }
    *state = r;
    return 0;
}

static int teardown(void **state) {
    response *r = *state;
    jd_follow_free(r->follow);
    jd_problem_free(r->problem);
    jd_context_free(r->context);
    free(r);
    return 0;
}

static void one_branch_spans_half_to_three_times_the_first_frequency(void **state) {
    const response *r = *state;
    const jd_follow_view *v = jd_follow_look(r->follow);
    assert_int_equal(v->end, JD_END_TO);
    assert_near(v->point[0].parameter, 0.5, 0);
    assert_near(v->point[v->n_point - 1].parameter, 3, 0);
    for (int i = 0; i < v->n_point; i++) {
        assert_true(v->point[i].stable);
        assert_true(v->point[i].residual < 1e-10); // tolerance 1e-12 but where rounding forbids
        if (i > 0) assert_true(v->point[i].parameter - v->point[i - 1].parameter < 0.0151);
    }
}

// Between two neighbours the string changes exactly as listed.
static void every_change_of_the_phases_is_listed(void **state) {
    const response *r = *state;
    const jd_follow_view *v = jd_follow_look(r->follow);
    int at = 0;
    for (int i = 1; i < v->n_point; i++) {
        int now = v->point[i - 1].phases;
        for (; at < v->n_special && v->special[at].point == i; at++) {
            const jd_special *s = &v->special[at];
            assert_int_equal(s->before, now);
            assert_true(s->parameter >= v->point[i - 1].parameter - 1e-9 &&
                        s->parameter <= v->point[i].parameter + 1e-9);
            now = s->after;
        }
        assert_int_equal(now, v->point[i].phases);
    }
    assert_int_equal(at, v->n_special);
    assert_int_equal(v->n_special, 167); // the same at a tenth of the step: response_steps.c
}

// Largest displacement over one period after `periods` of simulation from rest.
static double settled(const response *r, double times, double periods) {
    jd_run *run;
    jd_step step;
    jd_contact_ranges ranges;
    assert_int_equal(jd_problem_set(r->problem, "drives.shaker.frequency.times", times, NULL),
                     JD_OK);
    assert_int_equal(jd_run_create(r->context, r->problem, &run), JD_OK);
    double T = jd_problem_period(r->problem);
    do {
        assert_int_equal(jd_run_advance(run, periods * T, &step), JD_OK);
    } while (step == JD_STEP_EVENT);
    assert_int_equal(jd_run_track(run), JD_OK);
    do {
        assert_int_equal(jd_run_advance(run, (periods + 1) * T, &step), JD_OK);
    } while (step == JD_STEP_EVENT);
    assert_int_equal(jd_run_ranges(run, &ranges), JD_OK);
    jd_run_free(run);
    return ranges.displacement.max;
}

// Twelve points spread over the branch whose transients die out within 400 periods.
static void branch_agrees_with_settled_simulation(void **state) {
    const response *r = *state;
    const jd_follow_view *v = jd_follow_look(r->follow);
    int compared = 0;
    for (int i = 40; i < v->n_point; i += v->n_point / 16) {
        const jd_branch_point *p = &v->point[i];
        if (hypot(p->multiplier[0], p->multiplier[1]) > 0.93) continue;
        assert_relative(settled(r, p->parameter, 400), p->amplitude, 1e-8);
        compared++;
    }
    assert_true(compared >= 8);
}

// Multipliers of the branch are those of the converged orbits: `orbit` at the same parameter
// agrees.
static void multipliers_along_the_branch_are_those_of_the_orbits(void **state) {
    const response *r = *state;
    const jd_follow_view *v = jd_follow_look(r->follow);
    for (int i = 7; i < v->n_point; i += v->n_point / 60) {
        const jd_branch_point *p = &v->point[i];
        jd_orbit *o;
        assert_int_equal(
            jd_problem_set(r->problem, "drives.shaker.frequency.times", p->parameter, NULL), JD_OK);
        assert_int_equal(jd_orbit_create(r->context, r->problem, NULL, &o), JD_OK);
        const jd_orbit_view *w = jd_orbit_look(o);
        assert_true(w->found);
        assert_int_equal(w->n_event, p->n_event);
        assert_near(p->multiplier[0], w->stability.multiplier[0], 1e-8); // measured 4e-12
        assert_near(fabs(p->multiplier[1]), fabs(w->stability.multiplier[1]), 1e-8);
        assert_true(w->stability.stable == p->stable);
        jd_orbit_free(o);
    }
}

// Computed with 25 digits: max y/y_sg = 0.18463314241836 at Omega = 1.1 omega_g1.
static void orbit_of_the_paper_lies_on_the_branch(void **state) {
    const response *r = *state;
    jd_follow_options options = jd_default_follow_options();
    options.parameter = "drives.shaker.frequency.times";
    options.from = 1.1;
    options.to = 1.11;
    options.points = 3;
    jd_follow *f;
    assert_int_equal(jd_follow_create(r->context, r->problem, &options, &f), JD_OK);
    const jd_branch_point *p = jd_follow_look(f)->point;
    assert_relative(p->amplitude / y_sg, 0.18463314241836, 1e-11);
    assert_near(p->period, 0.56483077066311, 1e-13);
    assert_near(p->multiplier[0], -0.1907377751, 1e-8);
    assert_near(fabs(p->multiplier[1]), 0.5156227711, 1e-8);
    assert_int_equal(p->n_event, 12);
    jd_follow_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_branch_spans_half_to_three_times_the_first_frequency),
        cmocka_unit_test(every_change_of_the_phases_is_listed),
        cmocka_unit_test(branch_agrees_with_settled_simulation),
        cmocka_unit_test(multipliers_along_the_branch_are_those_of_the_orbits),
        cmocka_unit_test(orbit_of_the_paper_lies_on_the_branch),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

// memory_follow.c -- branches of the memory engine: the special points of the exact engine, where
// both can, and of closed forms; branches with infinitely many modes.
#include <math.h>
#include <stdio.h>

#include "follow_case.h"
#include "near.h"

enum { MEMORY, EXACT };
static const char *const engine[] = {"simulate={engine: memory, until: 1, tolerance: 1e-9}",
                                     "simulate={engine: exact, until: 1}"};

static const jd_special *find(const jd_follow_view *v, jd_special_kind kind) {
    for (int i = 0; i < v->n_special; i++)
        if (v->special[i].kind == kind) return &v->special[i];
    fail_msg("no %s on the branch", jd_special_name(kind));
    return NULL;
}

static void the_impact_branch_turns_and_grazes_where_the_closed_form_says(void **state) {
    model_case *m = *state;
    jd_follow *f = follows(m,
                           FOLLOW_KNOCKER "follow: {parameter: drives.force.frequency, from: 1.5, "
                                          "to: 2, measure: stop.impact.max}\n",
                           engine[MEMORY], NULL);
    const jd_follow_view *v = jd_follow_look(f);
    const jd_special *fold = find(v, JD_SPECIAL_FOLD), *graze = find(v, JD_SPECIAL_GRAZING);
    assert_near(fold->parameter, 1.731665477010, 1e-9);
    assert_near(fold->amplitude, 4.194307064859, 1e-6);
    assert_near(graze->parameter, sqrt(1.5), 1e-8);
    assert_true(fold->turns && fold->stable_before && !fold->stable_after);
    jd_follow_free(f);
}

// All special points of one engine are those of the other, in their order and within what both say.
static void compare(int least, const char *text) {
    model_case m[2];
    jd_follow *f[2];
    const jd_follow_view *v[2];
    for (int i = 0; i < 2; i++) {
        m[i] = (model_case){.context = jd_context_create(NULL)};
        f[i] = follows(&m[i], text, engine[i], NULL);
        v[i] = jd_follow_look(f[i]);
    }
    print_message("   %d special points, %d and %d orbits\n", v[EXACT]->n_special,
                  v[MEMORY]->n_point, v[EXACT]->n_point);
    assert_int_equal(v[MEMORY]->n_special, v[EXACT]->n_special);
    assert_true(v[EXACT]->n_special >= least);
    for (int i = 0; i < v[EXACT]->n_special; i++) {
        const jd_special *a = &v[MEMORY]->special[i], *b = &v[EXACT]->special[i];
        assert_int_equal(a->kind, b->kind);
        assert_near(a->parameter, b->parameter, a->error + b->error + 1e-11);
        assert_near(a->parameter, b->parameter, 2e-6 * fabs(b->parameter));
        assert_string_equal(v[MEMORY]->phases[a->after], v[EXACT]->phases[b->after]);
    }
    const jd_branch_point *a = &v[MEMORY]->point[v[MEMORY]->n_point - 1],
                          *b = &v[EXACT]->point[v[EXACT]->n_point - 1];
    assert_int_equal(v[MEMORY]->end, v[EXACT]->end);
    assert_near(a->amplitude, b->amplitude, 1e-4 * fabs(b->amplitude)); // extremes on a grid
    for (int i = 0; i < 2; i++) {
        jd_follow_free(f[i]);
        model_case_drop(&m[i]);
        jd_context_free(m[i].context);
    }
}

static void sticks_appear_and_vanish_where_they_do_for_the_exact_engine(void **state) {
    (void)state;
    compare(2, "judder: 1\n"
               "structure: {type: chain, count: 1, mass: 1, stiffness: 1,\n"
               "  supports: {left: fixed, right: free}, points: {m: {node: 1}}}\n"
               "contacts: {rub: {at: m, against: ground, law: {type: coulomb, limit: 0.82}}}\n"
               "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 1.5}}\n"
               "orbit: {periods: 1, settle: 100 periods}\n"
               "follow: {parameter: drives.force.frequency, from: 2, to: 0.1,\n"
               "  measure: rub.displacement.max}\n");
}

static void a_chain_on_a_belt_has_the_branch_of_the_exact_engine(void **state) {
    (void)state;
    compare(0, "judder: 1\n"
               "structure: {type: chain, count: 3, mass: 1, stiffness: 1,\n"
               "  damping: {type: ratio, value: 0.05},\n"
               "  supports: {left: fixed, right: free}, points: {m: {node: 3}}}\n"
               "contacts: {rub: {at: m, against: {velocity: 0.4},\n"
               "  law: {type: coulomb, limit: 1, static_limit: 1.6}}}\n"
               "orbit: {settle: 400}\n"
               "follow: {parameter: contacts.rub.against.velocity, from: 0.4, to: 0.28,\n"
               "  measure: rub.displacement.max}\n");
}

static void two_rubbing_points_have_the_branch_of_the_exact_engine(void **state) {
    (void)state;
    compare(2, "judder: 1\n"
               "structure: {type: chain, count: 4, mass: 1, stiffness: 4,\n"
               "  damping: {type: ratio, value: 0.05},\n"
               "  supports: {left: fixed, right: free}, points: {a: {node: 2}, b: {node: 4}}}\n"
               "contacts: {one: {at: a, against: ground, law: {type: coulomb, limit: 0.4}},\n"
               "  two: {at: b, against: ground, law: {type: affine, limit: 0.3, slope: 0.05}}}\n"
               "drives: {force: {at: b, type: harmonic, amplitude: 1, frequency: 1.5}}\n"
               "orbit: {periods: 1, settle: 100 periods}\n"
               "follow: {parameter: drives.force.frequency, from: 1.5, to: 0.9,\n"
               "  measure: two.displacement.max}\n");
}

// The period map jumps by up to the tolerance where another step is chosen: corrections end there.
static void a_string_with_all_its_modes_is_followed_at_a_coarse_tolerance(void **state) {
    jd_follow *f = follows(
        *state,
        "judder: 1\n"
        "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: infinite,\n"
        "  points: {bow: 0.12}, damping: {type: ratio, value: 0.02}}\n"
        "contacts: {bow: {at: bow, against: {velocity: 0.1}, law: {type: stribeck, limit: 0.8,\n"
        "  drop: 0.5, decay: 20, times: 2, ambiguity: hysteresis}}}\n"
        "start: {type: lift, mode: 1, point: bow, displacement: 0.05, velocity: 0.1}\n"
        "simulate: {engine: memory, tolerance: 1e-4, until: 40}\n"
        "orbit: {settle: 60}\n"
        "follow: {parameter: contacts.bow.law.times, from: 2, to: 2.1, step: 0.25,\n"
        "  measure: bow.displacement.max}\n",
        NULL, NULL);
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_int_equal(v->n_special, 0);
    for (int i = 0; i < v->n_point; i++) {
        assert_true(v->point[i].stable);
        assert_true(v->point[i].residual < 1e-4);
        assert_int_equal(v->point[i].n_event, 2);
    }
    jd_follow_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(the_impact_branch_turns_and_grazes_where_the_closed_form_says),
        cmocka_unit_test(sticks_appear_and_vanish_where_they_do_for_the_exact_engine),
        cmocka_unit_test(a_chain_on_a_belt_has_the_branch_of_the_exact_engine),
        cmocka_unit_test(two_rubbing_points_have_the_branch_of_the_exact_engine),
        MODEL_TEST(a_string_with_all_its_modes_is_followed_at_a_coarse_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// follow_sliding.c -- branches through discontinuous folds: a slide touches the belt's speed.
//   Beside it two orbits exist, one that sticks there and one that does not, and no orbit beyond:
//   the branch turns in a corner. Whatever the phase of the drive, the same closed branch with the
//   same special points; never a jump onto another orbit beside it.
#include <math.h>

#include "draws.h"
#include "follow_case.h"

static jd_follow *follow_belt(model_case *m, const double law[3], double phase) {
    char text[1000];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
             "damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
             "contacts: {belt: {at: m, against: {velocity: 1}, law: {type: affine, limit: 1, "
             "slope: %.17g}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: 0.5, frequency: %.17g, phase: "
             "%.17g}}\nstart: rest\norbit: {settle: 200 periods}\n"
             "follow: {parameter: drives.force.amplitude, from: 0.5, to: 2.5, measure: "
             "belt.displacement.max}\n",
             law[0], law[1], law[2], phase);
    return follows(m, text, NULL, NULL);
}

// Turns of the branch where its phases change.
static int corners(const jd_follow_view *v) {
    int n = 0;
    for (int i = 0; i < v->n_special; i++)
        n += v->special[i].turns && v->special[i].before != v->special[i].after;
    return n;
}

// Neighbours on a branch are neighbours: no step is longer than the steps allowed.
static void no_jump(const jd_follow_view *v) {
    for (int i = 0; i + 1 < v->n_point; i++) {
        const jd_branch_point *a = &v->point[i], *b = a + 1;
        assert_true(a->residual < 1e-9);
        assert_true(fabs(a->amplitude - b->amplitude) < 0.1);
        assert_true(fabs(a->parameter - b->parameter) < 0.05);
    }
}

static void same_points(const jd_follow_view *a, const jd_follow_view *b) {
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->n_special, b->n_special);
    for (int i = 0; i < a->n_special; i++) {
        const jd_special *s = &a->special[i], *t = &b->special[i];
        assert_int_equal(s->kind, t->kind);
        assert_near(s->parameter, t->parameter, s->error + t->error);
    }
}

static void branches_turn_at_discontinuous_folds_whatever_the_phase(void **state) {
    int compared = 0, turned = 0;
    for (int i = 0; i < 8; i++) {
        double law[3] = {0.05, -0.3, 1.3};
        if (i > 1) {
            law[0] = uniform(0.045, 0.055);
            law[1] = uniform(-0.32, -0.28);
            law[2] = uniform(1.29, 1.31);
        }
        double at = uniform(0, 6.28);
        jd_follow *f = follow_belt(*state, law, at), *g;
        const jd_follow_view *a = jd_follow_look(f), *b;
        no_jump(a);
        turned += corners(a);
        for (int k = 1; k < 4; k++) { // phases beside it, as long as they settle to the same orbit
            g = follow_belt(*state, law, at + 0.02 * k);
            b = jd_follow_look(g);
            no_jump(b);
            if (fabs(a->point[0].amplitude - b->point[0].amplitude) < 1e-6)
                same_points(a, b), compared++;
            jd_follow_free(g);
        }
        jd_follow_free(f);
    }
    print_message("%d corners, %d branches compared\n", turned, compared);
    assert_true(turned > 4 && compared > 12);
}

int main(void) {
    seed = 11;
    const struct CMUnitTest tests[] = {
        MODEL_TEST(branches_turn_at_discontinuous_folds_whatever_the_phase)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

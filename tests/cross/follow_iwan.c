// follow_iwan.c -- responses of Jenkins elements in parallel (iwan), from all of them stuck through
// one after the other sliding and back, in one branch, whichever way it is followed.
//   All stuck, the chain is linear with K + sum kt at the contact: its displacement has the
//   amplitude |x_c|, and the first element slides where that is its R/kt, the smallest. Beyond,
//   element i begins and ceases to slide where the amplitude of the displacement is R_i/kt_i,
//   whatever the others do and whatever constant load there is: it only moves the sliders.
#include <complex.h>
#include <math.h>

#include "draws.h"
#include "follow_case.h"

enum { ELEMENTS = 4, MOST = 40 };

typedef struct model {
    int elements;
    double limit[ELEMENTS], stiffness[ELEMENTS];
    double damping, force, load;
} model;

static model draw(void) {
    model m = {.elements = 2 + pick(ELEMENTS - 1),
               .damping = mixed(0.05, 0.15),
               .force = mixed(0.2, 0.5),
               .load = mixed(-0.3, 0.3)};
    double reach = mixed(0.1, 0.3); // R/kt, each larger than the one before
    for (int i = 0; i < m.elements; i++, reach *= mixed(1.5, 3)) {
        m.stiffness[i] = mixed(0.3, 1.5);
        m.limit[i] = reach * m.stiffness[i];
    }
    return m;
}

static void list(const double *x, int n, char *out, size_t room) {
    for (int i = 0; i < n; i++) {
        size_t used = strlen(out);
        snprintf(out + used, room - used, "%s%.17g", i ? ", " : "", x[i]);
    }
}

static jd_follow *respond(model_case *m, const model *a, double load, double from, double to,
                          const char *member) {
    char text[2000], limit[200] = "", stiffness[200] = "";
    list(a->limit, a->elements, limit, sizeof limit);
    list(a->stiffness, a->elements, stiffness, sizeof stiffness);
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 2, mass: 1, stiffness: 1, supports: {left: fixed, "
             "right: free}, points: {c: {node: 1}, d: {node: 2}}, damping: {type: rayleigh, mass: "
             "%.17g, stiffness: 0}}\n"
             "contacts: {joint: {at: c, law: {type: iwan, limit: [%s], stiffness: [%s]}}}\n"
             "drives: {force: {at: d, type: harmonic, amplitude: %.17g, frequency: 1}, load: {at: "
             "d, type: constant, value: %.17g}}\n"
             "start: rest\n"
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, member: %s, "
             "measure: joint.displacement.amplitude}\n",
             a->damping, limit, stiffness, a->force, load, from, to, member);
    return follows(m, text, NULL, NULL);
}

// |x_c| while all are stuck.
static double stuck(const model *a, double w) {
    double kt = 0;
    for (int i = 0; i < a->elements; i++) kt += a->stiffness[i];
    double complex p = 2 + kt - w * w, q = 1 - w * w;
    ((double *)&p)[1] = ((double *)&q)[1] = w * a->damping;
    return a->force / cabs(p * q - 1);
}

static bool is_onset(const jd_special *s) {
    return s->kind == JD_SPECIAL_SLIP_BEGINS || s->kind == JD_SPECIAL_SLIP_ENDS;
}

// Every onset at the reach of an element, the first and the last of the stuck parts at the closed
// form; no folds. Where the displacement turns within a period phases may come and go.
static int judge(const model *a, const jd_follow_view *v, double *at) {
    int n = 0;
    assert_int_equal(v->end, JD_END_TO);
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i];
        bool begins = s->kind == JD_SPECIAL_SLIP_BEGINS, known = false;
        assert_false(s->turns);
        if (!is_onset(s)) continue;
        assert_true(n < MOST);
        at[n++] = s->parameter;
        for (int k = 0; k < a->elements; k++)
            known |= fabs(s->amplitude - a->limit[k] / a->stiffness[k]) < 1e-8;
        if (!known) fail_msg("slides at amplitude %.12g", s->amplitude);
        bool all = !strcmp(v->phases[begins ? s->before : s->after], "~");
        if (all) assert_near(stuck(a, s->parameter), a->limit[0] / a->stiffness[0], 1e-8);
    }
    return n;
}

static void responses_pass_through_all_elements_both_ways(void **state) {
    int onsets = 0, draws = 4;
    for (int k = 0; k < draws; k++) {
        model a = draw();
        double at[3][MOST];
        int n[3];
        for (int i = 0; i < 3; i++) { // up, down, up without the load
            jd_follow *f = respond(*state, &a, i < 2 ? a.load : 0, i == 1 ? 2.4 : 0.3,
                                   i == 1 ? 0.3 : 2.4, "centred");
            n[i] = judge(&a, jd_follow_look(f), at[i]);
            jd_follow_free(f);
        }
        print_message("%d elements, load %.2f: %d onsets\n", a.elements, a.load, n[0]);
        assert_int_equal(n[0], n[1]);
        assert_int_equal(n[0], n[2]);
        for (int i = 0; i < n[0]; i++) {
            assert_near(at[0][i], at[1][n[1] - 1 - i], 1e-8);
            assert_near(at[0][i], at[2][i], 1e-8);
        }
        onsets += n[0];
    }
    assert_true(onsets >= 2 * draws);
}

// Held sliders rest where they did; amplitudes are the same, as the load only moves them.
static void held_elements_have_the_same_amplitudes(void **state) {
    model a = {.elements = 3,
               .limit = {0.2, 0.5, 1},
               .stiffness = {1, 1, 1},
               .damping = 0.1,
               .force = 0.3,
               .load = 0.15};
    jd_follow *f = respond(*state, &a, a.load, 0.3, 2.5, "held");
    double at[MOST];
    assert_int_equal(judge(&a, jd_follow_look(f), at), 6);
    jd_follow_free(f);
}

// One that has to move stays clear of its limit: no slips of rounding, and none of one way.
static void a_held_element_slides_both_ways_or_not_at_all(void **state) {
    model a = {.elements = 1, .limit = {0.2}, .stiffness = {3}, .damping = 0.1, .force = 0.3};
    for (int i = 0; i < 3; i++) {
        double at[MOST];
        jd_follow *f = respond(*state, &a, 0.15 * (i - 1), 0.3, 2.5, "held");
        const jd_follow_view *v = jd_follow_look(f);
        assert_int_equal(judge(&a, v, at), 3);
        for (int k = 0; k < 3; k++) assert_near(stuck(&a, at[k]), 0.2 / 3, 1e-8);
        for (int k = 0; k < v->n_point; k++) {
            const char *phases = v->phases[v->point[k].phases];
            assert_true(!strchr(phases, '+') == !strchr(phases, '-'));
        }
        jd_follow_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(responses_pass_through_all_elements_both_ways),
        MODEL_TEST(held_elements_have_the_same_amplitudes),
        MODEL_TEST(a_held_element_slides_both_ways_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

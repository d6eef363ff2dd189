// follow_phases.c -- oscillators with one and two stops: the same branch whatever the phase of the
// drive, and an end that says why.
//   Gaps 0 (one stop) and 0.3 to 1, restitution 0.3 to 1, damping ratios 0.01 to 0.2. Where the
//   drive begins decides which orbit a run settles to: branches that begin with the same orbit are
//   compared, special points one by one, and their ends.
#include <math.h>
#include <stdlib.h>

#include "draws.h"
#include "follow_case.h"

enum { PHASES = 5, MOST = 4096 };

typedef struct oscillator {
    double gap, restitution, ratio, to;
    bool both;
} oscillator;

static oscillator draw_one(int which) {
    oscillator o = {.both = which % 2};
    o.gap = uniform(0, 1) < 0.25 && !o.both ? 0 : uniform(0.3, 1);
    o.restitution = uniform(0, 1) < 0.1 ? 1 : uniform(0.3, 1);
    o.ratio = uniform(0.01, 0.2);
    o.to = which % 4 < 2 ? uniform(3, 5) : uniform(1, 1.5);
    return o;
}

static jd_follow *follow_one(model_case *m, const oscillator *o, double phase) {
    char text[1000];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
             "damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
             "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: %.17g, restitution: "
             "%.17g%s}}}\n"
             "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 2, phase: %.17g}}\n"
             "start: {type: state, displacement: [%g], velocity: [0]}\norbit: {settle: 300 "
             "periods}\nfollow: {parameter: drives.force.frequency, from: 2, to: %.17g, measure: "
             "stop.velocity.amplitude}\n",
             o->ratio, o->gap, o->restitution, o->both ? ", sides: both" : "", phase,
             o->gap > 0 ? 0 : -0.4, o->to);
    return follows(m, text, NULL, NULL);
}

static bool same_start(const jd_follow_view *a, const jd_follow_view *b) {
    return a->n_point > 0 && b->n_point > 0 &&
           fabs(a->point[0].amplitude / b->point[0].amplitude - 1) < 1e-9 &&
           a->point[0].period == b->point[0].period &&
           fabs(a->point[0].multiplier[0] - b->point[0].multiplier[0]) < 1e-7;
}

// Special points of b in the order of a; those within the errors stated may change places.
static void same_branch(const jd_follow_view *first, const jd_follow_view *second, int model) {
    static jd_special room[2][MOST];
    const jd_follow_view only[2] = {located(first, room[0], MOST), located(second, room[1], MOST)},
                         *a = &only[0], *b = &only[1];
    if (a->end != b->end || a->n_special != b->n_special)
        fail_msg("model %d: ends %s at %.10g and %s at %.10g with %d and %d special points", model,
                 jd_end_name(a->end), a->end_parameter, jd_end_name(b->end), b->end_parameter,
                 a->n_special, b->n_special);
    for (int i = 0; i < a->n_special; i++) {
        const jd_special *s = &a->special[i];
        bool found = false;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < b->n_special; j++) {
            const jd_special *t = &b->special[j];
            found |= t->kind == s->kind && t->turns == s->turns &&
                     fabs(t->parameter - s->parameter) < 1e-9 + s->error + t->error;
        }
        if (!found)
            fail_msg("model %d: %s at %.12g has no counterpart (%s at %.12g)", model,
                     jd_special_name(s->kind), s->parameter, jd_special_name(b->special[i].kind),
                     b->special[i].parameter);
    }
}

// JD_MODELS=n takes n models instead of these.
static void branches_do_not_depend_on_the_phase(void **state) {
    const char *more = getenv("JD_MODELS");
    int models = more ? atoi(more) : 60, compared = 0, lost = 0, special = 0;
    for (int i = 0; i < models; i++) {
        seed = (unsigned long long)i * 104729 + 5;
        for (int k = 0; k < 8; k++) uniform(0, 1);
        oscillator o = draw_one(i);
        jd_follow *f[PHASES];
        for (int k = 0; k < PHASES; k++) {
            f[k] = follow_one(*state, &o, 1.3 * k);
            lost += jd_follow_look(f[k])->end == JD_END_LOST;
            int l = 0;
            while (l < k && !same_start(jd_follow_look(f[l]), jd_follow_look(f[k]))) l++;
            if (l == k) continue;
            same_branch(jd_follow_look(f[l]), jd_follow_look(f[k]), i);
            compared++;
            special += jd_follow_look(f[k])->n_special;
        }
        for (int k = 0; k < PHASES; k++) jd_follow_free(f[k]);
    }
    print_message("   %d branches compared, %d special points; %d of %d lost\n", compared, special,
                  lost, models * PHASES);
    assert_true(compared > 2 * models && special > models);
    assert_int_equal(lost, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(branches_do_not_depend_on_the_phase)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

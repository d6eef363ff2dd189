// follow_phases.c -- oscillators with one and two stops: the same branch whatever the phase of the
// drive, and an end that says why.
//   Gaps 0 (one stop) and 0.3 to 1, restitution 0.3 to 1, damping ratios 0.01 to 0.2; and wider:
//   all gaps from 0 over 0.001 to 1.5, restitution 0.05 to 1, damping ratios 0.002 to 0.3,
//   frequencies 0.1 to 10. Where the drive begins decides which orbit a run settles to: branches
//   that begin with the same orbit are compared, special points one by one, and their ends.
#include <math.h>
#include <stdlib.h>

#include "draws.h"
#include "follow_case.h"

enum { PHASES = 5, MOST = 4096 };

typedef struct oscillator {
    double gap, restitution, ratio, from, to;
    bool both;
} oscillator;

static oscillator draw_one(int which) {
    oscillator o = {.both = which % 2, .from = 2};
    o.gap = uniform(0, 1) < 0.25 && !o.both ? 0 : uniform(0.3, 1);
    o.restitution = uniform(0, 1) < 0.1 ? 1 : uniform(0.3, 1);
    o.ratio = uniform(0.01, 0.2);
    o.to = which % 4 < 2 ? uniform(3, 5) : uniform(1, 1.5);
    return o;
}

static oscillator draw_wide(int which) {
    oscillator o = {.both = which % 2};
    double kind = mixed(0, 1);
    o.gap = kind < 0.15 && !o.both ? 0 : kind < 0.6 ? decades(-3, 0.176) : mixed(1e-3, 1.5);
    o.restitution = mixed(0, 1) < 0.1 ? 1 : mixed(0.05, 1);
    o.ratio = decades(-2.7, -0.52);
    o.from = decades(-0.5, 0.6);
    o.to = o.from * (which % 4 < 2 ? mixed(1.2, 2.5) : mixed(0.3, 0.8));
    return o;
}

static jd_follow *follow_one(model_case *m, const oscillator *o, double phase) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "judder: 1\n"
        "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}}, "
        "damping: {type: ratio, value: %.17g}, supports: {left: fixed, right: free}}\n"
        "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: %.17g, restitution: "
        "%.17g%s}}}\n"
        "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: %.17g, phase: "
        "%.17g}}\n"
        "start: {type: state, displacement: [%g], velocity: [0]}\norbit: {settle: 300 "
        "periods}\nfollow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, measure: "
        "stop.velocity.amplitude}\n",
        o->ratio, o->gap, o->restitution, o->both ? ", sides: both" : "", o->from, phase,
        o->gap > 0 ? 0 : -0.4, o->from, o->to);
    return follows(m, text, NULL, NULL);
}

static bool same_start(const jd_follow_view *a, const jd_follow_view *b) {
    return a->n_point > 0 && b->n_point > 0 &&
           fabs(a->point[0].amplitude / b->point[0].amplitude - 1) < 1e-9 &&
           a->point[0].period == b->point[0].period &&
           fabs(a->point[0].multiplier[0] - b->point[0].multiplier[0]) < 1e-7;
}

// Ends that say by name why a branch could not be followed any further: as far as both go.
static bool breaks_off(const jd_follow_view *v) {
    return v->end == JD_END_ROUNDING || v->end == JD_END_LOST || v->end == JD_END_CHANGES ||
           v->end == JD_END_GRAZING;
}

// Special points of b in the order of a; those within the errors stated may change places. whole:
// the ends, too.
static void same_branch(const jd_follow_view *first, const jd_follow_view *second, bool whole,
                        int model) {
    static jd_special room[2][MOST];
    const jd_follow_view only[2] = {located(first, room[0], MOST), located(second, room[1], MOST)},
                         *a = &only[0], *b = &only[1];
    int n = a->n_special < b->n_special ? a->n_special : b->n_special;
    if (whole && (a->end != b->end || a->n_special != b->n_special))
        fail_msg("model %d: ends %s at %.10g and %s at %.10g with %d and %d special points", model,
                 jd_end_name(a->end), a->end_parameter, jd_end_name(b->end), b->end_parameter,
                 a->n_special, b->n_special);
    for (int i = 0; i < n; i++) {
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
            same_branch(jd_follow_look(f[l]), jd_follow_look(f[k]), true, i);
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

// A branch runs back only where it has turned, or at a point that is named.
static void turns_before_it_retraces(const jd_follow_view *v, int model) {
    bool turns = v->end != JD_END_RETRACED;
    for (int i = 0; i < v->n_special; i++)
        turns |= v->special[i].turns || v->special[i].kind == JD_SPECIAL_CHATTER ||
                 v->special[i].kind == JD_SPECIAL_GRAZING;
    if (!turns) fail_msg("model %d: retraced at %.10g without a turn", model, v->end_parameter);
}

// JD_MODELS=n takes n models instead of these, JD_FIRST=i begins with another one.
static void branches_of_all_gaps_do_not_depend_on_the_phase(void **state) {
    const char *more = getenv("JD_MODELS"), *begin = getenv("JD_FIRST");
    int models = more ? atoi(more) : 40, first = begin ? atoi(begin) : 0;
    int compared = 0, special = 0, lost = 0, broken = 0;
    for (int i = first; i < first + models; i++) {
        seed = (unsigned long long)i * 7877 + 3;
        oscillator o = draw_wide(i);
        jd_follow *f = follow_one(*state, &o, 0), *g = follow_one(*state, &o, 2.6);
        const jd_follow_view *a = jd_follow_look(f), *b = jd_follow_look(g);
        turns_before_it_retraces(a, i);
        turns_before_it_retraces(b, i);
        if (same_start(a, b)) {
            same_branch(a, b, !breaks_off(a) && !breaks_off(b), i);
            compared++;
            special += b->n_special;
        }
        lost += (a->end == JD_END_LOST) + (b->end == JD_END_LOST);
        broken += breaks_off(a) + breaks_off(b);
        jd_follow_free(f);
        jd_follow_free(g);
    }
    print_message("   %d branches compared, %d special points; of %d %d break off, %d lost\n",
                  compared, special, 2 * models, broken, lost);
    assert_true(4 * compared > models && special > models);
    assert_true(25 * lost <= 2 * models && 8 * broken <= 2 * models);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(branches_do_not_depend_on_the_phase),
                                       MODEL_TEST(branches_of_all_gaps_do_not_depend_on_the_phase)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

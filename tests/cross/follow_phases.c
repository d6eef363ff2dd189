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
#include "how_many.h"

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

static void branches_do_not_depend_on_the_phase(void **state) {
    int models = how_many(60, 5), compared = 0, lost = 0, special = 0;
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

// JD_FIRST=i begins with another model.
static void branches_of_all_gaps_do_not_depend_on_the_phase(void **state) {
    const char *begin = getenv("JD_FIRST");
    int models = how_many(40, 5), first = begin ? atoi(begin) : 0;
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

// Branches that were lost, and what they have.
static void branches_go_on_where_they_were_lost(void **state) {
    static const struct {
        oscillator o;
        jd_end_kind end;
    } known[] = {
        // a grazing 5e-9 beyond a fold
        {{0.81486359803340369, 0.26438531943343146, 0.0067749852186847056, 0.7627785433507166,
          0.24089824116385503, false},
         JD_END_TO},
        // a grazing of an impact that comes once in four periods, of an orbit of two periods
        {{0.052942361957759421, 0.4432887825038464, 0.0026771354759152705, 3.1428815430138966,
          1.5713169075735716, false},
         JD_END_BACK},
        // just beyond a grazing the multiplier is -3000, and the tangent blurred
        {{0.0093119068702868096, 1, 0.13206672439580108, 0.56777517129549204, 0.18469792773256083,
          false},
         JD_END_TO},
        // a fold between the last point and the orbits beside a grazing
        {{0.0086410324118368527, 0.64637952197458137, 0.050383325651899756, 0.38976723525116275,
          0.9514248848862219, false},
         JD_END_TO},
        // the limit of grazings is recognised sooner or later
        {{0.27256015639263004, 0.2347975228325232, 0.20662537799235497, 2.6591837128486988,
          0.81938301580611939, false},
         JD_END_TO},
        // two stops: speeds that are blurred lead to no grazing
        {{0.021870569358012848, 0.54942614813614188, 0.014160912461205525, 2, 3.1307763430326156,
          true},
         JD_END_TO},
        {{0.015624859537290252, 0.64124519295133819, 0.0088221804508155054, 2, 4.7836793363628551,
          true},
         JD_END_TO}};
    for (int i = 0; i < (int)(sizeof known / sizeof *known); i++) {
        jd_follow *f = follow_one(*state, &known[i].o, 0),
                  *g = follow_one(*state, &known[i].o, 2.6);
        const jd_follow_view *a = jd_follow_look(f), *b = jd_follow_look(g);
        if (a->end != known[i].end)
            fail_msg("branch %d: %s at %.10g", i, jd_end_name(a->end), a->end_parameter);
        assert_true(same_start(a, b));
        same_branch(a, b, true, i);
        jd_follow_free(f);
        jd_follow_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(branches_go_on_where_they_were_lost),
                                       MODEL_TEST(branches_do_not_depend_on_the_phase),
                                       MODEL_TEST(branches_of_all_gaps_do_not_depend_on_the_phase)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

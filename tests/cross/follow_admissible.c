// follow_admissible.c -- every point of a branch is an orbit: random models, an independent check.
//   From the state of a point the reference integrator (reference_events.h) runs one period: it
//   comes back, and meets as many events as the point has and no others, so that no stop is
//   penetrated and no limit exceeded between them. Every point but the first is certified and
//   closes: what is not is a stretch that is `unproved`.
#include "follow_drawn.h"
#include "follow_reference.h"
#include "how_many.h"

enum { EACH = 25 }; // points of a branch that are looked at

typedef struct tally {
    long points, counted, events, uncertified, unclear, stretches;
} tally;

// A grazing close by, or a rest that chatter leads to: how many impacts there are is not the
// question, that it comes back is.
static void check(jd_problem *problem, const jd_follow_view *v, int i, int model, tally *sum) {
    const jd_branch_point *p = &v->point[i];
    const double *state = v->state + (size_t)i * (size_t)v->n;
    double growth = fmax(1, hypot(p->multiplier[0], p->multiplier[1]));
    assert_int_equal(jd_problem_set(problem, v->parameter, p->parameter, NULL), JD_OK);
    assert_int_equal(jd_problem_build(problem), JD_OK);
    reference *r = follow_ref(problem, p, state, 0);
    if (r->now) ref_run(r, p->period);
    bool clear = r->now && r->end == REF_TIME && r->doubtful > p->period, rests = false;
    for (int k = 0; k < r->n_event; k++) rests |= jd_contact_letter(r->event[k].to) == '|';
    double away = follow_distance(r, state);
    if (clear && !(away < 1e-9 * growth))
        fail_msg("model %d, %.12g (%s): back within %.2g only, multiplier %.3g", model,
                 p->parameter, v->phases[p->phases], away, growth);
    // where the orbit amplifies rounding of its state much, an impact that grazes may be missed
    bool counts = clear && !rests && growth < 1e3;
    if (counts && r->n_event != p->n_event)
        fail_msg("model %d, %.12g: %d events, not those of %s", model, p->parameter, r->n_event,
                 v->phases[p->phases]);
    sum->points += clear;
    sum->counted += counts;
    sum->unclear += !clear;
    sum->events += r->n_event;
    ref_free_all(r);
}

static void points_penetrate_no_stop_and_break_no_limit(void **state) {
    model_case *m = *state;
    tally sum = {0};
    int models = how_many(40, 5);
    for (int i = 0; i < models; i++) {
        static const viewpoint plain = {0, 1, 1, 1, false};
        drawn d = draw((unsigned long long)i);
        char text[2000];
        write_model(text, sizeof text, &d, &plain);
        jd_follow *f = follows(m, text, NULL, NULL);
        const jd_follow_view *v = jd_follow_look(f);
        int not_proved = 0;
        for (int k = 0; k < v->n_point; k++) not_proved += !v->point[k].certified;
        assert_int_equal(not_proved, v->n_uncertified);
        assert_true(not_proved <= (v->n_point > 0 && !v->point[0].certified));
        for (int k = 1; k < v->n_point; k++) assert_true(v->point[k].residual <= 1e-9);
        for (int k = 0; k < v->n_special; k++)
            sum.stretches += v->special[k].kind == JD_SPECIAL_UNPROVED;
        sum.uncertified += not_proved;
        for (int k = 0; k < EACH && k < v->n_point; k++)
            check(m->problem, v, (int)((long)k * v->n_point / EACH) % v->n_point, i, &sum);
        jd_follow_free(f);
    }
    print_message(
        "   %ld points, %ld events; %ld unclear, %ld points not certified, %ld stretches\n",
        sum.points, sum.events, sum.unclear, sum.uncertified, sum.stretches);
    assert_true(2 * sum.points > 25 * models && sum.counted > sum.points / 2 &&
                sum.unclear < sum.points / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(points_penetrate_no_stop_and_break_no_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

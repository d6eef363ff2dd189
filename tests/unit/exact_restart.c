// exact_restart.c -- a run that was saved and goes on has the counters of one that never stopped.
//   Four kinds of models, numbers drawn at random, each of which makes one counter move: loads that
//   just touch a static limit (undecided), two contacts on one mass (split not unique), bounces
//   that end (chatter error), bounces that a stuck contact feels (chatter speed). Saved at random
//   times and at the end. And a motion that was put into the engine leaves nothing to the next.
#include "engine/engine.h"
#include "scene.h"

enum { CASES = 12 };

static const double pi = 3.14159265358979323846;
static unsigned long long seed;

static double draw(double low, double high) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

// F sin(w t + a) on a mass that a limit of F holds: a grazing every half period. A table of zeros
// begins new phases on the way: what is counted in the present one is counted again.
static void touching(scene *s) {
    double F = draw(1, 5), time[8], zero[8] = {0};
    for (int i = 0; i < 8; i++) time[i] = 4 * i + draw(0, 1);
    scene_mass(s, draw(1, 3), draw(2, 9), draw(0, 0.3));
    scene_friction(s, "pad", "m1", F, NAN);
    scene_harmonic(s, "shaker", "m1", F, draw(1, 4), draw(0, 1));
    scene_table(s, "nothing", "m1", 8, time, zero);
}

static void twice_held(scene *s) {
    double F = draw(1, 2);
    scene_mass(s, draw(1, 3), draw(2, 9), draw(0, 0.3));
    scene_friction(s, "pad", "m1", F, NAN);
    scene_friction(s, "other", "m1", draw(0.2, 0.8) * F, NAN);
    scene_harmonic(s, "shaker", "m1", draw(2, 4) * F, draw(0.5, 2), draw(0, 1));
}

static void bouncing(scene *s) {
    scene_mass(s, draw(1, 3), draw(2, 9), draw(0, 0.3));
    scene_stop(s, "stop", "m1", draw(0.01, 0.1), draw(0.2, 0.7), 0);
    scene_harmonic(s, "shaker", "m1", draw(3, 6), draw(0.3, 1), draw(0, 6));
}

// m1 bounces on m2, which a pad holds: every bounce kicks it.
static void kicking(scene *s) {
    scene_chain(s, "", 2, draw(1, 3), draw(2, 5), JD_FIXED, JD_FREE, NULL);
    s->against = (jd_counter){.kind = JD_PLACE, .place = {.point = "m2"}};
    scene_stop(s, "stop", "m1", draw(0.01, 0.1), draw(0.2, 0.7), 0);
    s->against = (jd_counter){.kind = JD_GROUND};
    scene_friction(s, "pad", "m2", draw(2, 4), NAN);
    scene_harmonic(s, "shaker", "m1", draw(3, 6), draw(0.3, 1), draw(0, 6));
}

typedef void build(scene *s);

static scene make(build *how, unsigned long long from) {
    scene s = scene_open();
    seed = from;
    for (int i = 0; i < 5; i++) draw(0, 1);
    how(&s);
    return s;
}

// Another run goes on from where `s` is.
static scene go_on(scene *s, build *how, unsigned long long from) {
    scene next = make(how, from);
    size_t size = jd_run_state_size(s->r);
    char *block = malloc(size);
    jd_start_restart_def start = {.file = "elsewhere"};
    must(s, jd_run_state_save(s->r, block, size));
    must(&next, jd_problem_set_start(next.p, jd_type_find(jd_start_types(), "restart"), &start));
    must(&next, jd_run_create(next.c, next.p, &next.r));
    must(&next, jd_run_state_load(next.r, block, size));
    free(block);
    return next;
}

static void assert_counters(const jd_report *a, const jd_report *b) {
    const jd_certificate *x = &a->certificate, *y = &b->certificate;
    assert_true(a->t == b->t);
    assert_int_equal(x->certified, y->certified);
    assert_int_equal(x->undecided, y->undecided);
    assert_int_equal(x->events, y->events);
    assert_int_equal(x->evaluations, y->evaluations);
    assert_int_equal(x->split_not_unique, y->split_not_unique);
    assert_true(x->margin == y->margin);
    assert_true(x->chatter_error == y->chatter_error);
    assert_true(x->chatter_speed == y->chatter_speed);
    assert_true(x->chatter_motion == y->chatter_motion);
    assert_true(x->proved_until == y->proved_until);
    assert_near(a->ledger.work, b->ledger.work, 1e-12 * fabs(a->ledger.work));
    assert_near(b->ledger.residual, 0, 1e-12);
}

static double undecided(const jd_certificate *c) { return (double)c->undecided; }
static double not_unique(const jd_certificate *c) { return (double)c->split_not_unique; }
static double chatter_error(const jd_certificate *c) { return c->chatter_error; }
static double chatter_speed(const jd_certificate *c) { return c->chatter_speed; }

// Every case is saved once on the way, where the counter has often moved already, and at the end.
static void check(build *how, double counter(const jd_certificate *)) {
    int moved = 0;
    for (unsigned long long i = 1; i <= CASES; i++) {
        scene whole = make(how, 7919 * i), part = make(how, 7919 * i);
        double T = 10 * pi, t = draw(0.3, 0.95) * T;
        scene_run(&whole, T);
        scene_run(&part, t);
        jd_report a = scene_report(&whole), half = scene_report(&part);
        moved += counter(&half.certificate) > 0;
        scene rest = go_on(&part, how, 7919 * i), end = go_on(&whole, how, 7919 * i);
        scene_run(&rest, T);
        scene_run(&end, T);
        jd_report b = scene_report(&rest), c = scene_report(&end);
        assert_counters(&a, &b);
        assert_counters(&a, &c);
        assert_int_equal(part.n + rest.n, whole.n);
        scene *all[] = {&whole, &part, &rest, &end};
        for (int k = 0; k < 4; k++) scene_close(all[k]);
    }
    print_message("   moved before the pause in %d of %d\n", moved, CASES);
    assert_true(moved >= CASES / 4);
}

static void undecided_events_are_kept(void **state) {
    (void)state;
    check(touching, undecided);
}

static void splits_that_are_not_unique_are_kept(void **state) {
    (void)state;
    check(twice_held, not_unique);
}

static void errors_of_chatter_are_kept(void **state) {
    (void)state;
    check(bouncing, chatter_error);
}

static void speeds_left_out_by_chatter_are_kept(void **state) {
    (void)state;
    check(kicking, chatter_speed);
}

// Newton's method puts the engine into wild states; what comes of one must not end the next motion.
static void a_motion_without_bound_ends_no_other(void **state) {
    (void)state;
    static const double wild[] = {1, 1e3}, tame[] = {0.1, 0};
    for (int i = 0; i < CASES; i++) {
        seed = 100 + (unsigned long long)i;
        scene s = scene_open();
        jd_step step = JD_STEP_EVENT;
        scene_mass(&s, draw(1, 3), draw(2, 9), 0);
        scene_affine(&s, "pad", "m1", draw(0.5, 2), -draw(12, 20)); // grows without a zero
        must(&s, jd_run_create(s.c, s.p, &s.r));
        const jd_engine_map *map = &s.r->class->map;
        must(&s, map->restart(s.r, 0, wild, &(jd_phase){1, {JD_CONTACT_SLIDING_PLUS}}));
        while (step == JD_STEP_EVENT) must(&s, jd_run_advance(s.r, 1e6, &step));
        assert_int_equal(step, JD_STEP_STOPPED);
        assert_int_equal(s.r->stop, JD_STOP_UNBOUNDED);
        must(&s, map->restart(s.r, 0, tame, &(jd_phase){1, {JD_CONTACT_SLIDING_PLUS}}));
        do must(&s, jd_run_advance(s.r, 0.01, &step));
        while (step == JD_STEP_EVENT);
        assert_int_equal(step, JD_STEP_TIME);
        scene_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undecided_events_are_kept),
        cmocka_unit_test(splits_that_are_not_unique_are_kept),
        cmocka_unit_test(errors_of_chatter_are_kept),
        cmocka_unit_test(speeds_left_out_by_chatter_are_kept),
        cmocka_unit_test(a_motion_without_bound_ends_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

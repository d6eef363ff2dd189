// exact_beam.c -- the beam with a friction device by the exact engine, against 40-digit numbers.
#include "scene.h"
#include "structure.h"

static const double beam_force = 2.4, beam_limit = 0.275 * 2.4;

static scene beam(int elements, bool damped) {
    scene s = scene_open();
    jd_fe_beam_def d = friction_beam(elements);
    if (!damped) d.damping = (jd_object){NULL, NULL, NULL};
    scene_body(&s, "", "fe-beam", &d);
    scene_friction(&s, "tip", "tip", beam_limit, NAN);
    jd_harmonic_def shaker = {
        .at = {.point = "mid"}, .amplitude = beam_force, .frequency = {0, 1.1, 1}};
    must(&s, jd_problem_add_drive(s.p, "shaker", &jd_drive_harmonic, &shaker));
    must(&s, jd_problem_build(s.p));
    return s;
}

// Zero state, N = 10, Rayleigh, Omega = 1.1 omega_g1; computed with 40 digits.
static const struct {
    double t;
    char from, to;
} SWITCHES[24] = {
    {0.07589284804005256159, 'H', '+'}, {0.24138067330766906821, '+', 'H'},
    {0.3392002807095091777, 'H', '-'},  {0.5469227439005012632, '-', 'H'},
    {0.60863854585559702645, 'H', '+'}, {0.812509386113410158, '+', 'H'},
    {0.82444350376389146713, 'H', '+'}, {0.83690357932035189567, '+', 'H'},
    {0.87528183068405213138, 'H', '-'}, {0.95718719750589261693, '-', 'H'},
    {0.9649918639036027149, 'H', '-'},  {1.1212436982243727585, '-', 'H'},
    {1.1448508243222973581, 'H', '+'},  {1.2324891376865271135, '+', 'H'},
    {1.2443178200261601216, 'H', '+'},  {1.4028341440597702307, '+', 'H'},
    {1.4520494734136369303, 'H', '-'},  {1.5190692274710631446, '-', 'H'},
    {1.5255368071103488609, 'H', '-'},  {1.6864355090470871776, '-', 'H'},
    {1.7337961832841174973, 'H', '+'},  {1.9663016157955629696, '+', 'H'},
    {2.0082714901730467746, 'H', '-'},  {2.0830821404510828364, '-', 'H'},
};

static void first_24_switching_times_agree_to_1e_13_s(void **state) {
    (void)state;
    scene s = beam(10, true);
    scene_run(&s, 2.09);
    assert_true(s.n >= 24);
    for (int i = 0; i < 24; i++) // measured: at most 1.3e-15 s
        assert_event(&s.event[i], SWITCHES[i].t, 1e-14, 0, SWITCHES[i].from, SWITCHES[i].to);
    assert_true(scene_report(&s).certificate.certified);
    scene_close(&s);
}

// The sequence of one settled period, from its first stick: computed with 40 digits.
static void settles_on_twelve_switchings(int elements, bool damped, double T) {
    scene s = beam(elements, damped);
    scene_run(&s, 80 * T);
    for (int period = 81; period <= 100; period++) {
        int before = s.n;
        scene_run(&s, period * T);
        assert_int_equal(s.n - before, 12);
        for (int i = before; i + 6 < s.n; i++) { // half-period symmetry
            assert_near(s.event[i + 6].t - s.event[i].t, T / 2, 1e-9);
        }
    }
    assert_near(jd_problem_period(s.p), T, 1e-15);
    scene_close(&s);
}

static void each_settled_period_of_fig_6a_has_12_switchings(void **state) {
    (void)state;
    settles_on_twelve_switchings(2, false, 0.56455832506985882234);
}

static void each_settled_period_of_fig_6c_has_12_switchings(void **state) {
    (void)state;
    settles_on_twelve_switchings(10, true, 0.56483077066311471085);
}

static void energy_adds_up_to_1e_11_of_the_work_over_100_periods(void **state) {
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        scene s = beam(10, damped);
        scene_run(&s, 100 * jd_problem_period(s.p));
        jd_report r = scene_report(&s);
        assert_true(r.ledger.drive[0] > 0.01);
        assert_near(r.ledger.residual, 0, 1e-12); // measured 2e-14 damped
        assert_true(r.certificate.certified);
        scene_close(&s);
    }
}

static void the_beam_needs_at_most_ten_evaluations_per_event(void **state) {
    (void)state;
    scene s = beam(10, true);
    scene_run(&s, 100 * jd_problem_period(s.p));
    jd_certificate k = scene_report(&s).certificate;
    print_message("beam: %.3f\n", (double)k.evaluations / (double)k.events);
    assert_true(k.events > 1000);
    assert_true((double)k.evaluations / (double)k.events <= 10);
    scene_close(&s);
}

// The modes of the beam and `extra` fast ones that take part by 1e-9 of the slow ones.
static double evaluations_with(int extra) {
    scene s = scene_open();
    int n = 20 + extra;
    double *omega = calloc((size_t)n, sizeof *omega), *tip = calloc((size_t)n, sizeof *tip),
           *mid = calloc((size_t)n, sizeof *mid);
    scene f = beam(10, true);
    const jd_structure *b = jd_problem_structure(f.p, 0);
    jd_mode mode[20];
    jd_structure_mode_list(b, mode);
    must(&f, jd_structure_participation(b, "tip", tip));
    must(&f, jd_structure_participation(b, "mid", mid));
    for (int k = 0; k < n; k++) {
        omega[k] = k < 20 ? mode[k].omega : 2e4 + 200.0 * (k - 20);
        if (k >= 20) tip[k] = mid[k] = 1e-9;
    }
    jd_shape shape[] = {{"tip", {n, tip}}, {"mid", {n, mid}}};
    jd_modes_def d = {.omega = {n, omega}, .shapes = {2, shape}};
    scene_body(&s, "", "modes", &d);
    scene_friction(&s, "tip", "tip", beam_limit, NAN);
    scene_harmonic(&s, "shaker", "mid", beam_force, 11.124, 0);
    scene_run(&s, 1);
    jd_certificate k = scene_report(&s).certificate;
    print_message("%d extra modes: %ld events, %.3f evaluations each\n", extra, k.events,
                  (double)k.evaluations / (double)k.events);
    scene_close(&s);
    scene_close(&f);
    free(omega), free(tip), free(mid);
    return (double)k.evaluations / (double)k.events;
}

static void evaluations_stay_flat_when_1000_fast_modes_are_added(void **state) {
    (void)state;
    double few = evaluations_with(0), many = evaluations_with(1000);
    assert_true(many <= 1.2 * few);
}

// 734 events and 0.68 us: the same beam in quadruple precision (bench/reference.c).
static void the_undamped_beam_loses_no_phase_shorter_than_a_microsecond(void **state) {
    (void)state;
    scene s = beam(10, false);
    scene_run(&s, 20 * jd_problem_period(s.p));
    double shortest = 1;
    int tiny = 0;
    for (int i = 1; i < s.n; i++) {
        double length = s.event[i].t - s.event[i - 1].t;
        assert_true(length > 0);
        assert_int_equal(jd_contact_letter(s.event[i].from), jd_contact_letter(s.event[i - 1].to));
        if (jd_contact_letter(s.event[i].from) == 'H' && length < shortest) shortest = length;
        tiny += length < 1e-6;
    }
    print_message("%d events, shortest stick %.6g, %d below 1 us\n", s.n, shortest, tiny);
    assert_int_equal(s.n, 734);
    assert_near(shortest, 0.68e-6, 0.005e-6);
    assert_true(tiny >= 1);
    assert_true(scene_report(&s).certificate.certified);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_24_switching_times_agree_to_1e_13_s),
        cmocka_unit_test(each_settled_period_of_fig_6a_has_12_switchings),
        cmocka_unit_test(each_settled_period_of_fig_6c_has_12_switchings),
        cmocka_unit_test(energy_adds_up_to_1e_11_of_the_work_over_100_periods),
        cmocka_unit_test(the_beam_needs_at_most_ten_evaluations_per_event),
        cmocka_unit_test(evaluations_stay_flat_when_1000_fast_modes_are_added),
        cmocka_unit_test(the_undamped_beam_loses_no_phase_shorter_than_a_microsecond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

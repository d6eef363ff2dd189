// exact_quad.c -- every switching time of the undamped friction beam against quadruple precision.
//   The reference (bench/reference.c) has closed forms in 113 bits and no code in common with the
//   engine. Ten periods: 342 events, one phase of 0.68 microseconds.
#include "../bench/reference.h"

#include "shaken_beam.h"

// This slide ends with 0.29 mm/s^2 instead of the usual 1 m/s^2: rounding of the velocity alone
// moves its end by 5e-13 s (what the search itself says).
static const int nearly_grazing = 303;

static void the_undamped_beam_switches_when_quadruple_precision_says(void **state) {
    (void)state;
    static bench_problem p;
    static bench_events events;
    static bench_reference details;
    bench_beam(&p, "P1u", false, 10);
    bench_reference_run(&p, -1, &events, &details);

    scene s = shaken_beam(false);
    scene_run(&s, 10 * jd_problem_period(s.p));

    double worst = 0, grazing = 0;
    assert_int_equal(s.n, events.n);
    for (int i = 0; i < s.n; i++) {
        assert_int_equal(jd_contact_letter(s.event[i].from), events.list[i].from);
        assert_int_equal(jd_contact_letter(s.event[i].to), events.list[i].to);
        double error = fabs((double)((quad)s.event[i].t - details.time[i]));
        if (i == nearly_grazing)
            grazing = error;
        else
            worst = fmax(worst, error);
    }
    print_message("%d events, largest error %.2g s, nearly grazing %.2g s, shortest phase %.2g s\n",
                  s.n, worst, grazing, (double)details.shortest);
    assert_true(s.n > 300);
    assert_near(worst, 0, 1.5e-13);   // measured 5e-14 to 7e-14 s
    assert_near(grazing, 0, 1.5e-12); // measured 1e-13 to 8.5e-13 s
    assert_true(scene_report(&s).certificate.certified);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_undamped_beam_switches_when_quadruple_precision_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// long_records.c -- measured records as drives: exact on every segment, cost in proportion to their
// length. JD_SAMPLES=1000000 runs one of that length and prints its time.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "draws.h"
#include "folder_case.h"
#include "judder/judder.h"
#include "near.h"

static const double step = 1e-3; // [s] between samples

// A clamped beam of 20 modes that rubs at its tip, driven by a record at its middle.
static jd_problem *beam(int n, const double *time, const double *value) {
    jd_problem *p;
    jd_beam_def d = jd_default_beam();
    jd_damping_ratio_def damping = {{1, &(double){0.01}}};
    jd_point point[2] = {jd_point_at("tip", 1), jd_point_at("mid", 0.5)};
    d.length = d.mass_per_length = 1;
    d.bending_stiffness = 100;
    d.modes = 20;
    d.points = (jd_points){2, point};
    d.damping = jd_ratio_damping(&damping);
    jd_contact_def contact = jd_default_contact();
    jd_coulomb_def law = jd_default_coulomb();
    law.limit = 0.5;
    contact.law = jd_coulomb_law(&law);
    contact.at = jd_at("tip");
    jd_drive_table_def drive = jd_default_drive_table();
    drive.at = jd_at("mid");
    drive.time = (jd_reals){n, time};
    drive.value = (jd_reals){n, value};
    assert_int_equal(jd_problem_create(context, &p), JD_OK);
    assert_int_equal(jd_problem_add_beam(p, "", &d), JD_OK);
    assert_int_equal(jd_problem_add_contact(p, "c", &contact), JD_OK);
    assert_int_equal(jd_problem_add_drive_table(p, "d", &drive), JD_OK);
    return p;
}

typedef struct outcome {
    int events;
    double seconds, residual, last, q[40];
} outcome;

static outcome run(jd_problem *p, double until) {
    outcome o = {0};
    jd_run *r;
    jd_report report;
    jd_step s = JD_STEP_EVENT;
    assert_int_equal(jd_run_create(context, p, &r), JD_OK);
    clock_t begin = clock();
    while (s == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(r, until, &s), JD_OK);
        if (s == JD_STEP_EVENT) o.events++, o.last = jd_run_event(r)->t;
    }
    o.seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    jd_run_report(r, &report);
    assert_int_equal(s, JD_STEP_TIME);
    assert_true(report.certificate.certified);
    o.residual = report.ledger.residual;
    jd_run_modal_state(r, o.q);
    jd_run_free(r);
    jd_problem_free(p);
    return o;
}

static outcome run_record(int n) {
    double *time = calloc((size_t)n, sizeof *time), *value = calloc((size_t)n, sizeof *value);
    seed = 7;
    for (int i = 0; i < n; i++) {
        time[i] = step * i;
        value[i] = (i ? 0.97 * value[i - 1] : 0) + mixed(-1.7, 1.7);
    }
    outcome o = run(beam(n, time, value), step * (n - 1));
    free(time);
    free(value);
    return o;
}

// Four times the samples cost four times the time, not sixteen times.
static void the_cost_is_proportional_to_the_length(void **state) {
    (void)state;
    const char *asked = getenv("JD_SAMPLES");
    if (asked) {
        outcome o = run_record(atoi(asked));
        print_message("%s samples: %.2f s, %d events, residual %.1e\n", asked, o.seconds, o.events,
                      o.residual);
    }
    outcome few = run_record(10000), many = run_record(40000);
    print_message("10 000 samples: %.3f s, 40 000: %.3f s, %d events, residual %.1e\n", few.seconds,
                  many.seconds, many.events, many.residual);
    assert_true(many.events > 1000);
    assert_true(many.seconds < 8 * few.seconds);
    assert_near(many.residual, 0, 1e-10);
}

// A triangle wave as 8 samples and with 2500 samples between each two of them is one motion.
static void samples_on_straight_lines_change_nothing(void **state) {
    (void)state;
    enum { CORNERS = 8, BETWEEN = 2500, N = (CORNERS - 1) * BETWEEN + 1 };
    double corner[CORNERS], height[CORNERS];
    static double time[N], value[N];
    for (int i = 0; i < CORNERS; i++) {
        corner[i] = 0.5 * i;
        height[i] = i % 2 ? 4 : -3 + 0.5 * i;
    }
    for (int i = 0; i < N; i++) {
        int a = i / BETWEEN, b = a + 1 < CORNERS ? a + 1 : a;
        double x = (double)(i % BETWEEN) / BETWEEN;
        time[i] = corner[a] + x * 0.5;
        value[i] = height[a] + x * (height[b] - height[a]);
    }
    outcome few = run(beam(CORNERS, corner, height), 3.5), many = run(beam(N, time, value), 3.5);
    assert_true(few.events > 20);
    assert_int_equal(few.events, many.events);
    assert_near(few.last, many.last, 1e-10); // measured 1e-13
    for (int k = 0; k < 40; k++) assert_near(few.q[k], many.q[k], 1e-9);
    print_message("last event of %d: %.1e s apart\n", few.events, fabs(few.last - many.last));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_cost_is_proportional_to_the_length),
                                       cmocka_unit_test(samples_on_straight_lines_change_nothing)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}

// cost.c -- no parameter value costs ten times its neighbours: 200 values each of several models.
//   Cost of a run: watched functions evaluated, and processor time, the least of three runs, which
//   also counts the energy ledger and the making of bases. Each value is compared with the median
//   of the ten values around it. Numbers of elements 20 to 60: all within a factor 3 per size.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judder/judder.h"
#include "near.h"

enum { VALUES = 200, AROUND = 5, REPEATS = 3 };

typedef struct cost {
    double evaluations, seconds;
    int closings, impacts; // of stops
} cost;

static double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cost run_once(const char *text, double until) {
    jd_context *c = jd_context_create(NULL);
    jd_problem *p = NULL;
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    double start = processor_time();
    if (jd_model_parse(c, "cost.yaml", ".", text, strlen(text), 0, NULL, &p) != JD_OK ||
        jd_run_create(c, p, &run) != JD_OK)
        fail_msg("%s", jd_context_error(c)->message);
    cost x = {0};
    while (assert_int_equal(jd_run_advance(run, until, &step), JD_OK), step == JD_STEP_EVENT) {
        const jd_event *e = jd_run_event(run);
        x.closings += jd_contact_letter(e->to) == '|';
        x.impacts += jd_contact_letter(e->from) == 'o' && jd_contact_letter(e->to) == 'o';
    }
    jd_run_report(run, &report);
    x.seconds = processor_time() - start;
    x.evaluations = (double)report.certificate.evaluations;
    assert_true(report.stop == JD_STOP_NONE && fabs(report.ledger.residual) < 1e-9);
    jd_run_free(run);
    jd_problem_free(p);
    jd_context_free(c);
    return x;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_around(const double *x, int i) {
    double near[2 * AROUND];
    int n = 0;
    for (int k = i - AROUND; n < 2 * AROUND; k++)
        if (k != i) near[n++] = x[(k + VALUES) % VALUES];
    qsort(near, (size_t)n, sizeof *near, by_size);
    return near[n / 2];
}

// `format` holds the value once; it goes from `from` to `to`. What all runs have together.
static cost scan(const char *name, const char *format, double from, double to, double until) {
    static double evaluations[VALUES], seconds[VALUES];
    double worst = 0, worst_time = 0;
    cost all = {0};
    for (int i = 0; i < VALUES; i++) {
        char text[4096];
        double value = from + (to - from) * i / (VALUES - 1);
        snprintf(text, sizeof text, format, value);
        seconds[i] = HUGE_VAL;
        for (int k = 0; k < REPEATS; k++) {
            cost x = run_once(text, until);
            evaluations[i] = x.evaluations + 10; // a handful more is no cliff
            seconds[i] = fmin(seconds[i], x.seconds);
            all.closings += x.closings, all.impacts += x.impacts;
        }
    }
    for (int i = AROUND; i < VALUES - AROUND; i++) {
        double a = evaluations[i] / median_around(evaluations, i);
        double b = seconds[i] / median_around(seconds, i);
        worst = fmax(worst, a), worst_time = fmax(worst_time, b);
        if (a > 10 || b > 10)
            fail_msg("%s = %.17g costs %.1f times the evaluations and %.1f times the time of its "
                     "neighbours",
                     name, from + (to - from) * i / (VALUES - 1), a, b);
    }
    print_message("   %s: at most %.1f times the evaluations, %.1f times the time\n", name, worst,
                  worst_time);
    return all;
}

#define BEAM(elements, damping, limit, frequency)                                                  \
    "judder: 1\nstructure: {type: fe-beam, length: 2.47, bending_stiffness: 1.09e4, "              \
    "mass_per_length: 35.4, elements: " elements ",\n  supports: {left: clamped, right: free}, "   \
    "points: {mid: 1.235, tip: 2.47}, damping: " damping "}\n"                                     \
    "contacts: {tip: {at: tip, law: {type: coulomb, limit: " limit "}}}\n"                         \
    "drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4, frequency: {times: " frequency     \
    ", mode: 1}}}\nsimulate: {until: 5}\n"
#define RAYLEIGH "{type: rayleigh, mass: 0.025, stiffness: 5.5e-5}"

#define CHAIN(ratio, frequency, contacts)                                                          \
    "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 1, "                        \
    "damping: {type: ratio, value: " ratio "}, points: {first: {node: 1}, last: {node: 2}}}\n"     \
    "contacts: {" contacts "}\n"                                                                   \
    "drives: {force: {at: last, type: harmonic, amplitude: 0.5, frequency: " frequency "}}\n"      \
    "simulate: {until: 40}\n"
#define STOP(at, gap, restitution)                                                                 \
    "stop-" at ": {at: " at ", law: {type: stop, gap: " gap ", restitution: " restitution "}}"
#define RUBS(at, limit) "rub-" at ": {at: " at ", law: {type: coulomb, limit: " limit "}}"
#define KNOCKER(ratio, frequency, gap) CHAIN(ratio, frequency, STOP("last", gap, "0.7"))

static void damping_of_the_beam_through_critical(void **state) {
    (void)state;
    scan("rayleigh stiffness",
         BEAM("6", "{type: rayleigh, mass: 0.025, stiffness: %.17g}", "0.66", "1.1"), 2e-5, 8e-4,
         1);
}

static void frequency_through_resonance(void **state) {
    (void)state;
    scan("frequency over the first", BEAM("4", RAYLEIGH, "0.66", "%.17g"), 0.9, 1.1, 1);
    scan("frequency", KNOCKER("0", "%.17g", "0.6"), 0.5, 1.7, 20);
}

static void limits_and_gaps(void **state) {
    (void)state;
    scan("limit", BEAM("4", RAYLEIGH, "%.17g", "1.1"), 0.01, 3, 1);
    scan("gap", KNOCKER("0.05", "1.1", "%.17g"), 0, 2, 20);
}

static void damping_ratio_through_one(void **state) {
    (void)state;
    scan("damping ratio", KNOCKER("%.17g", "1.1", "0.1"), 0.9, 1.1, 20);
}

// An elastic stop never chatters: every event is an impact. Some 10 in each run.
static void impacts_without_chatter(void **state) {
    (void)state;
    cost a = scan("gap of an elastic stop", CHAIN("0.05", "1.1", STOP("last", "%.17g", "1")), 0.05,
                  0.6, 30);
    cost b = scan("frequency, elastic stop", CHAIN("0.02", "%.17g", STOP("last", "0.2", "1")), 0.3,
                  2, 30);
    assert_int_equal(a.closings + b.closings, 0);
    assert_true(a.impacts > 5 * VALUES * REPEATS && b.impacts > 5 * VALUES * REPEATS);
}

static void two_contacts(void **state) {
    (void)state;
    scan("limit of two", CHAIN("0.02", "0.7", RUBS("first", "0.1") ", " RUBS("last", "%.17g")), 0,
         0.5, 30);
    scan("limit beside a stop",
         CHAIN("0.02", "0.7", RUBS("first", "%.17g") ", " STOP("last", "0.2", "0.9")), 0, 0.5, 30);
    cost x = scan("gap of one of two stops",
                  CHAIN("0.05", "0.7", STOP("first", "%.17g", "0.8") ", " STOP("last", "0.2", "1")),
                  0, 0.4, 30);
    assert_true(x.impacts > 5 * VALUES * REPEATS);
}

// Cost over the square of the number of elements (modes and stuck modes in double-double take most
// of it): the dearest of all sizes and the cheapest.
static void numbers_of_elements(void **state) {
    (void)state;
    double least = HUGE_VAL, most = 0, fewest = HUGE_VAL, evaluations = 0;
    int dear = 0;
    for (int n = 20; n <= 60; n++) {
        char text[4096];
        double seconds = HUGE_VAL;
        snprintf(text, sizeof text, BEAM("%d", RAYLEIGH, "0.66", "1.1"), n);
        for (int k = 0; k < REPEATS; k++) {
            cost x = run_once(text, 0.5);
            seconds = fmin(seconds, x.seconds);
            fewest = fmin(fewest, x.evaluations), evaluations = fmax(evaluations, x.evaluations);
        }
        double size = seconds / (n * n);
        if (size > most) most = size, dear = n;
        least = fmin(least, size);
    }
    print_message("   20 to 60 elements: within %.2f per size (dearest: %d), evaluations %.2f\n",
                  most / least, dear, evaluations / fewest);
    assert_true(most < 3 * least);
    assert_true(evaluations < 3 * fewest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damping_of_the_beam_through_critical),
        cmocka_unit_test(frequency_through_resonance),
        cmocka_unit_test(limits_and_gaps),
        cmocka_unit_test(damping_ratio_through_one),
        cmocka_unit_test(impacts_without_chatter),
        cmocka_unit_test(two_contacts),
        cmocka_unit_test(numbers_of_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

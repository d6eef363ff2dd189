// models.c -- models built in C are those of the gallery: every number, every event, bit for bit.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"

// The example programs, each under names of its own.
#define build build_friction_beam
#define print_events print_friction_beam
#define main main_friction_beam
int main(void);
#include "../docs/example/friction_beam.c" // NOLINT(bugprone-suspicious-include)
#undef build
#undef print_events
#undef main
#define build build_bowed_string
#define print_events print_bowed_string
#define main main_bowed_string
int main(void);
#include "../docs/example/bowed_string.c" // NOLINT(bugprone-suspicious-include)
#undef build
#undef print_events
#undef main
#define build build_two_rods
#define main main_two_rods
int main(void);
#include "../docs/example/two_rods.c" // NOLINT(bugprone-suspicious-include)
#undef build
#undef main
#define build build_impact_chain
#define main main_impact_chain
int main(void);
#include "../docs/example/impact_chain.c" // NOLINT(bugprone-suspicious-include)
#undef build
#undef main

static bool same_bits(double a, double b) {
    uint64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y || (isnan(a) && isnan(b));
}

// Sections the example leaves out.
static bool left_out(const char *path) {
    return !strncmp(path, "output.", 7) || !strncmp(path, "orbit.", 6) ||
           !strncmp(path, "kernel.", 7);
}

static void same_numbers(jd_problem *file, jd_problem *made) {
    const char *path;
    int n = 0;
    for (int i = 0; (path = jd_problem_path(file, i)); i++) {
        double a = 1, b = 2;
        if (left_out(path)) continue;
        assert_int_equal(jd_problem_get(file, path, &a), JD_OK);
        if (jd_problem_get(made, path, &b) != JD_OK) fail_msg("C has no %s", path);
        if (!same_bits(a, b)) fail_msg("%s is %.17g in the file, %.17g in C", path, a, b);
        n++;
    }
    for (int i = 0; (path = jd_problem_path(made, i)); i++) {
        double a;
        if (jd_problem_get(file, path, &a) != JD_OK) fail_msg("the file has no %s", path);
    }
    assert_true(n > 10);
}

static bool same_event(const jd_event *a, const jd_event *b) {
    return same_bits(a->t, b->t) && same_bits(a->speed, b->speed) &&
           same_bits(a->impulse, b->impulse) && a->contact == b->contact &&
           jd_contact_letter(a->from) == jd_contact_letter(b->from) &&
           jd_contact_letter(a->to) == jd_contact_letter(b->to) && a->cell == b->cell;
}

// The first contact, cell by cell, where it is one along a span.
static void same_fields(jd_run *a, jd_run *b) {
    jd_interface_field f, g;
    bool span = jd_run_interface(a, 0, &f);
    assert_true(span == jd_run_interface(b, 0, &g));
    for (int i = 0; span && i < f.n; i++)
        assert_true(same_bits(f.displacement[i], g.displacement[i]) &&
                    same_bits(f.velocity[i], g.velocity[i]) && same_bits(f.loss[i], g.loss[i]));
    if (span) assert_true(f.n == g.n && f.n > 100 && f.stick == g.stick && f.stick > 1000);
}

// Both to the end, side by side; what is left of their energies too.
static int same_motion(jd_context *context, jd_problem *file, jd_problem *made) {
    const jd_simulate_def *simulate = jd_problem_section(made, JD_SIMULATE, NULL);
    jd_run *a, *b;
    jd_step x = JD_STEP_EVENT, y = JD_STEP_EVENT;
    double end;
    int n = 0;
    assert_int_equal(jd_run_create(context, file, &a), JD_OK);
    assert_int_equal(jd_run_create(context, made, &b), JD_OK);
    assert_int_equal(jd_problem_duration(made, &simulate->until, &end), JD_OK);
    while (x == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(a, end, &x), JD_OK);
        assert_int_equal(jd_run_advance(b, end, &y), JD_OK);
        assert_int_equal(x, y);
        if (x != JD_STEP_EVENT) break;
        if (!same_event(jd_run_event(a), jd_run_event(b))) fail_msg("event %d differs", n);
        n++;
    }
    same_fields(a, b);
    jd_report p, q;
    jd_run_report(a, &p);
    jd_run_report(b, &q);
    assert_true(same_bits(p.t, q.t) && same_bits(p.ledger.strain, q.ledger.strain));
    jd_run_free(a);
    jd_run_free(b);
    return n;
}

static int compare(const char *model, jd_status (*build)(jd_problem *)) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *file, *made;
    char path[500];
    snprintf(path, sizeof path, "%s/gallery/%s.yaml", JD_SOURCE_DIR, model);
    assert_int_equal(jd_model_read(context, path, 0, NULL, &file), JD_OK);
    assert_int_equal(jd_problem_create(context, &made), JD_OK);
    if (build(made) != JD_OK) fail_msg("%s", jd_context_error(context)->message);
    assert_int_equal(jd_problem_build(made), JD_OK);
    same_numbers(file, made);
    int n = same_motion(context, file, made);
    jd_problem_free(made);
    jd_problem_free(file);
    jd_context_free(context);
    return n;
}

static void friction_beam(void **state) {
    (void)state;
    assert_true(compare("friction-beam/rayleigh", build_friction_beam) > 300);
}
static void bowed_string(void **state) {
    (void)state;
    assert_true(compare("bowed-string/string", build_bowed_string) > 0);
}
static void two_rods(void **state) { // a span has fields, no events
    (void)state;
    compare("two-rods/harmonic20", build_two_rods);
}
static void impact_chain(void **state) {
    (void)state;
    assert_true(compare("impact-chain/n5", build_impact_chain) > 100);
}

static void programs_end_well(void **state) {
    (void)state;
    assert_int_equal(main_friction_beam(), 0);
    assert_int_equal(main_bowed_string(), 0);
    assert_int_equal(main_two_rods(), 0);
    assert_int_equal(main_impact_chain(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_beam), cmocka_unit_test(bowed_string), cmocka_unit_test(two_rods),
        cmocka_unit_test(impact_chain), cmocka_unit_test(programs_end_well)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

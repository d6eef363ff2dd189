// friction_table.c -- friction by a table: through its values, and between two of them never
// outside.
#include <math.h>

#include "contact/law.h"
#include "near.h"

enum { KNOTS = 7 };
static const double speed[KNOTS] = {0, 0.5, 0.6, 2, 3, 3.5, 6};

// Tables with steep steps beside flat parts, turns and straight lines.
static const double table[][KNOTS] = {{4, 3.9, 1, 0.9, 2, 2, 1.9},
                                      {1, 1, 5, 5.1, 5.1, 0, 3},
                                      {7, 6.5, 6.4, 5, 4, 3.5, 1},
                                      {2, 2.001, 9, 9.001, 1, 0.999, 0}};

static jd_friction read(jd_arena *arena, const double *force) {
    jd_friction_table_def def = {.velocity = {KNOTS, speed}, .force = {KNOTS, force}};
    jd_friction law;
    assert_int_equal(jd_law_friction_of(arena, &(jd_object){"", &jd_law_table.type, &def}, &law),
                     JD_OK);
    return law;
}

static void check(const double *force, const jd_friction *law) {
    double rate, most = 0;
    for (int i = 0; i < KNOTS; i++)
        assert_near(jd_friction_at(law, speed[i], &rate), force[i], 1e-14);
    for (int i = 0; i + 1 < KNOTS; i++)
        for (int k = 1; k < 200; k++) {
            double u = speed[i] + k * (speed[i + 1] - speed[i]) / 200, d = 1e-6, r;
            double f = jd_friction_at(law, u, &rate);
            assert_true(f >= fmin(force[i], force[i + 1]) - 1e-14);
            assert_true(f <= fmax(force[i], force[i + 1]) + 1e-14);
            double slope =
                (jd_friction_at(law, u + d, &r) - jd_friction_at(law, u - d, &r)) / (2 * d);
            assert_near(rate, slope, 1e-6 * (1 + fabs(rate)));
            most = fmax(most, -rate);
        }
    assert_true(law->steepest >= most && law->steepest <= most * 1.01 + 1e-12);
}

static void a_table_is_monotone_between_its_values(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        jd_friction law = read(arena, table[i]);
        check(table[i], &law);
    }
    jd_arena_free(arena);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_table_is_monotone_between_its_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

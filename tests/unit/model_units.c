// model_units.c -- numbers as people write them, units to SI.
#include <stdlib.h>
#include <string.h>

#include "model/number.h"
#include "near.h"

#define PI 3.14159265358979323846

typedef struct fixture {
    jd_context *context;
    jd_arena *arena;
    jd_units *units;
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->context = jd_context_create(NULL);
    f->arena = jd_arena_create(f->context);
    f->units = jd_units_create(f->arena);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    jd_units_close(f->units);
    jd_arena_free(f->arena);
    jd_context_free(f->context);
    free(f);
    return 0;
}

static jd_status number(fixture *f, const char *text, const char *wanted, double *out) {
    jd_node node = {.kind = JD_NODE_SCALAR, .text = text, .source = "m", .line = 1, .column = 1};
    jd_number split;
    jd_status status = jd_number_split(f->arena, &node, "a number", &split);
    if (status != JD_OK) return status;
    *out = split.value;
    int chosen = -1;
    return *split.unit ? jd_units_convert(f->units, split.unit, wanted, out, &chosen) : JD_OK;
}

// Bounds: exact where the factor is 1 or a whole number, else two roundings, 3e-16.
static void units_become_si(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text, *wanted;
        double value, bound;
    } list[] = {
        {"1.09e4 N m^2", "N m^2", 1.09e4, 0},
        {"5 kN", "N", 5000, 0},
        {"1e6 kN", "N", 1e9, 0},
        {"1 t/m", "kg/m", 1000, 0},
        {"16.67 m", "m", 16.67, 0},
        {"2.47 mm", "m", 0.00247, 3e-16},
        {"2.47mm", "m", 0.00247, 3e-16},
        {"-3", "m", -3, 0},
        {"+.5e1", "m", 5, 0},
        {"5.", "m", 5, 0},
        {"0.025 1/s", "1/s", 0.025, 0},
        {"5.5e-5 s", "s", 5.5e-5, 0},
        {"2 Hz", "rad/s", 4 * PI, 3e-16},
        {"2 kHz", "rad/s", 4000 * PI, 3e-16},
        {"2 Hz", "1/s", 2, 0},
        {"3000 rpm", "rad/s", 100 * PI, 3e-16},
        {"7 rad/s", "rad/s", 7, 0},
        {"7 1/s", "rad/s", 7, 0},
        {"45 deg", "rad", PI / 4, 3e-16},
        {"2 %", "", 0.02, 0},
        {"200 GPa", "Pa", 2e11, 0},
        {"0.6 kN/m", "N|N/m", 600, 3e-16},
        {"3 N.m", "N|N/m|N m", 3, 0},
        {"3 N·m²", "N m^2", 3, 0},
        {"4 µs", "s", 4e-6, 3e-16},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        double value = (double)NAN;
        if (number(f, list[i].text, list[i].wanted, &value) != JD_OK)
            fail_msg("%s: %s", list[i].text, jd_context_error(f->context)->message);
        assert_relative(value, list[i].value, list[i].bound);
    }
}

static void alternatives_say_which_one_fits(void **state) {
    fixture *f = *state;
    double value = 2;
    int chosen = -1;
    assert_int_equal(jd_units_convert(f->units, "kN/m", "N|N/m|N m", &value, &chosen), JD_OK);
    assert_int_equal(chosen, 1);
}

static void refuses(fixture *f, const char *text, const char *wanted, jd_status status,
                    const char *part) {
    double value;
    assert_int_equal(number(f, text, wanted, &value), status);
    const jd_error *e = jd_context_error(f->context);
    if (!strstr(e->message, part) && !strstr(e->hint, part))
        fail_msg("`%s` (%s) does not say `%s`", e->message, e->hint, part);
}

// udunits would take s for 1/s by its reciprocal; `s` for a rate is an error here.
static void wrong_dimensions_are_refused(void **state) {
    fixture *f = *state;
    refuses(f, "5 kg", "N", JD_WRONG_UNIT, "`kg` has the wrong dimension; expected N");
    refuses(f, "5 s", "1/s", JD_WRONG_UNIT, "wrong dimension");
    refuses(f, "5 s", "rad/s", JD_WRONG_UNIT, "wrong dimension");
    refuses(f, "5 m", "N|N/m", JD_WRONG_UNIT, "expected N or N/m");
    refuses(f, "5 m", "", JD_WRONG_UNIT, "expected no unit");
    refuses(f, "5 degC", "m", JD_WRONG_UNIT, "wrong dimension");
}

static void unknown_units_are_refused(void **state) {
    fixture *f = *state;
    refuses(f, "5 parsnips", "m", JD_WRONG_UNIT, "`parsnips` is not known");
    refuses(f, "5 s since 1990-1-1", "s", JD_WRONG_UNIT, "not known");
    refuses(f, "5 m 3", "m", JD_WRONG_UNIT, "not known");
    refuses(f, "5 m/3", "m", JD_WRONG_UNIT, "not known");
    refuses(f, "5 lg(re 1 m)", "m", JD_WRONG_UNIT, "not known");
    refuses(f, "5 m@2", "m", JD_WRONG_UNIT, "not known");
}

static void odd_numbers_are_refused_with_a_reason(void **state) {
    fixture *f = *state;
    static const char *const not_finite[] = {"nan",  ".nan",  ".NaN",     "inf",  "-inf",
                                             ".inf", "-.Inf", "Infinity", "1e999"};
    for (int i = 0; i < 9; i++) refuses(f, not_finite[i], "", JD_OUT_OF_RANGE, "not a finite");
    refuses(f, "0x10", "", JD_WRONG_TYPE, "decimal");
    refuses(f, "1_000", "", JD_WRONG_TYPE, "without `_`");
    refuses(f, "1,5", "", JD_WRONG_TYPE, "decimal mark");
    refuses(f, "1.2.3", "", JD_WRONG_TYPE, "followed by a unit");
    refuses(f, "1 2", "", JD_WRONG_TYPE, "followed by a unit");
    refuses(f, "", "", JD_WRONG_TYPE, "found nothing");
    refuses(f, "abc", "", JD_WRONG_TYPE, "found `abc`");
    refuses(f, "--5", "", JD_WRONG_TYPE, "found `--5`");
    refuses(f, ".", "", JD_WRONG_TYPE, "found `.`");
    char digits[400];
    memset(digits, '1', 399);
    digits[399] = '\0';
    refuses(f, digits, "", JD_WRONG_TYPE, "17 digits");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(units_become_si),
        TEST(alternatives_say_which_one_fits),
        TEST(wrong_dimensions_are_refused),
        TEST(unknown_units_are_refused),
        TEST(odd_numbers_are_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// si_units.c -- the short list of units says the same as the database of udunits2.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/units/si_units.h"

static const char *const names[] = {"kg", "m",  "s",   "rad", "g",   "t",  "km",  "cm", "mm", "um",
                                    "nm", "ms", "us",  "min", "h",   "Hz", "kHz", "N",  "mN", "kN",
                                    "MN", "Pa", "kPa", "MPa", "GPa", "J",  "kJ",  "W"};
enum { NAMES = sizeof names / sizeof *names, DRAWS = 2000 };

// The unit in SI base units as a number; 0: its dimensions are not those of `wanted`.
static double factor(ut_system *s, const char *unit, const char *wanted) {
    ut_unit *a = ut_parse(s, unit, UT_UTF8), *b = ut_parse(s, wanted, UT_UTF8);
    assert_non_null(a);
    assert_non_null(b);
    double value = 0;
    if (ut_are_convertible(a, b)) {
        cv_converter *c = ut_get_converter(a, b);
        value = cv_convert_double(c, 1);
        cv_free(c);
    }
    ut_free(a);
    ut_free(b);
    return value;
}

static unsigned long long state = 20261117;
static unsigned draw(unsigned n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 40) % n;
}

// One to three names with exponents, multiplied or divided.
static void draw_unit(char *text, size_t size) {
    static const char *const power[] = {"", "2", "^2", "^-1", "3"};
    static const char *const by[] = {" ", "/", "*", "."};
    text[0] = '\0';
    for (unsigned k = 0, n = 1 + draw(3); k < n; k++) {
        char part[32];
        snprintf(part, sizeof part, "%s%s%s", k ? by[draw(4)] : "", names[draw(NAMES)],
                 power[draw(5)]);
        strncat(text, part, size - strlen(text) - 1);
    }
}

static void the_short_list_of_units_agrees_with_the_database(void **unused) {
    (void)unused;
    ut_set_error_message_handler(ut_ignore);
    ut_system *few = jd_si_system(), *all = ut_read_xml(NULL);
    assert_non_null(few);
    assert_non_null(all);
    int compared = 0;
    for (int i = 0; i < DRAWS + NAMES; i++) {
        char unit[100], wanted[100];
        if (i < NAMES)
            snprintf(unit, sizeof unit, "%s", names[i]);
        else
            draw_unit(unit, sizeof unit);
        draw_unit(wanted, sizeof wanted);
        assert_true(jd_si_knows(unit));
        double a = factor(few, unit, "1"), b = factor(all, unit, "1");
        if (a != b) fail_msg("%s in 1: %.17g, %.17g", unit, a, b);
        a = factor(few, unit, wanted), b = factor(all, unit, wanted);
        if (a != b) fail_msg("%s in %s: %.17g, %.17g", unit, wanted, a, b);
        static const char *const base[] = {"kg", "m", "s", "N", "rad", "J", "Pa", "1/s", "W"};
        for (size_t k = 0; k < sizeof base / sizeof *base; k++) {
            a = factor(few, unit, base[k]), b = factor(all, unit, base[k]);
            if (a != b) fail_msg("%s in %s: %.17g, %.17g", unit, base[k], a, b);
            compared += a != 0;
        }
    }
    assert_in_range(compared, NAMES, INT32_MAX);
    ut_free_system(few);
    ut_free_system(all);
}

static void other_names_are_left_to_the_database(void **unused) {
    (void)unused;
    static const char *const other[] = {"ft",  "lbf", "meter", "deg", "rpm", "mm/ft",
                                        "kgf", "M",   "%",     "µm",  "'",   "dm"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) assert_false(jd_si_knows(other[i]));
    assert_true(jd_si_knows("kg m^2/s2"));
    assert_true(jd_si_knows("1/s"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_short_list_of_units_agrees_with_the_database),
        cmocka_unit_test(other_names_are_left_to_the_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// dd.c -- double-double arithmetic: identities that 32 digits must satisfy.
#include "base/dd.h"
#include "near.h"

static const double EPS2 = 1.2326e-32; // 2^-106

static void assert_dd(jd_dd value, jd_dd expected, double bound) {
    double off = fabs(dd_sub(value, expected).hi);
    if (!(off <= bound * fabs(expected.hi))) {
        print_error("%.17g + %.3g, off by %.3g\n", value.hi, value.lo, off / fabs(expected.hi));
        fail();
    }
}

static void products_and_quotients_undo_each_other(void **state) {
    (void)state;
    double x = 0.7;
    for (int i = 0; i < 1000; i++) {
        jd_dd a = dd_two_prod(x, 1 + x), b = dd_add(dd(3 - x), dd(x * 1e-18));
        assert_dd(dd_mul(dd_div(a, b), b), a, 24 * EPS2);
        assert_dd(dd_mul(dd_inverse(b), b), dd(1), 24 * EPS2);
        jd_dd r = dd_sqrt(a);
        assert_dd(dd_mul(r, r), a, 24 * EPS2);
        x = 4 * x * (1 - x) * 0.999;
    }
}

static void sums_keep_what_cancellation_leaves(void **state) {
    (void)state;
    jd_dd a = dd_add(dd(1), dd(1e-20)), tiny = dd_sub(a, dd(1));
    assert_relative(tiny.hi, 1e-20, 1e-11); // 32 digits of 1 leave 12 of 1e-20
    jd_dd third = dd_div(dd(1), dd(3));
    assert_dd(dd_add(dd_add(third, third), third), dd(1), 8 * EPS2);
    assert_dd(dd_add_fast(third, dd_scale(third, 2)), dd(1), 8 * EPS2);
}

static void square_root_of_two_has_32_digits(void **state) {
    (void)state;
    jd_dd r = dd_sqrt(dd(2)); // 1.41421356237309504880168872420969807856967...
    assert_true(r.hi == 0x1.6a09e667f3bcdp0);
    assert_relative(r.lo, -9.667293313452913e-17, 1e-15);
    assert_true(dd_value(dd_sqrt(dd(0))) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_and_quotients_undo_each_other),
        cmocka_unit_test(sums_keep_what_cancellation_leaves),
        cmocka_unit_test(square_root_of_two_has_32_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// orbit_options.c -- options of a search for an orbit that mean nothing have their names told.
#include "orbit_case.h"

static void options_are(orbit_case *c, const jd_orbit_options *options, const char *named) {
    assert_int_equal(jd_orbit_create(c->context, c->problem, options, &c->orbit), JD_BAD_ARGUMENT);
    assert_non_null(strstr(jd_context_error(c->context)->message, named));
    assert_null(c->orbit);
    jd_context_clear_error(c->context);
}

static void options_that_mean_nothing_are_refused_by_name(void **state) {
    (void)state;
    const jd_orbit_options fine = jd_default_orbit_options();
    static const double at[100];
    orbit_case c;
    orbit_read(&c, "friction-beam/rayleigh.yaml", 0, NULL);
    jd_orbit_options o = fine;
    o.iterations = 0;
    options_are(&c, &o, "`iterations`");
    o = fine, o.tolerance = (double)NAN;
    options_are(&c, &o, "`tolerance`");
    o = fine, o.attempts = -1;
    options_are(&c, &o, "`attempts`");
    o = fine, o.settle = (double)NAN;
    options_are(&c, &o, "`settle`");
    o = fine, o.period = -1;
    options_are(&c, &o, "`period`");
    o = fine, o.most = -1;
    options_are(&c, &o, "`most`");
    o = fine, o.threads = -1;
    options_are(&c, &o, "`threads`");
    o = fine, o.state = at;
    options_are(&c, &o, "without `phase`");
    static const char *const wrong[] = {"", "?", "HH", "H+-"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o.phase = wrong[i];
        options_are(&c, &o, "`phase` is");
    }
    jd_attractors *a;
    o = fine, o.attempts = 0;
    assert_int_equal(jd_attractors_create(c.context, c.problem, &o, 2, 1, &a), JD_BAD_ARGUMENT);
    orbit_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_mean_nothing_are_refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

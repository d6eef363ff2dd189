// closure_error.c -- the error the closure engine states, on random models beside an integrator of
// another kind; and every contact law, computed and right, or refused by name.
#include "closure_reference.h"
#include "draws.h"
#include "how_many.h"
#include "orbit_case.h"

static void fold_r(const real *p, real t, const real *y, real *out) {
    (void)t;
    out[0] = y[2] - y[1];
    out[1] = 1 + p[0];
    out[2] = 1 + p[1];
}
static void fold_linf(const real *p, const real *y, real *out) {
    out[0] = y[2] + y[1];
    out[1] = p[0] - 1;
    out[2] = 1 - p[1];
}
// y1' = y2, y2' = -y1 - p0 y1^3 - p1 y2 + p2 sin(p3 t)
static void mass_r(const real *p, real t, const real *y, real *out) {
    out[0] = y[1];
    out[1] = -y[0] - p[0] * y[0] * y[0] * y[0] - p[1] * y[1] + p[2] * sinl(p[3] * t);
}
static void mass_linf(const real *p, const real *y, real *out) {
    (void)y;
    out[0] = 0;
    out[1] = p[4];
}

typedef struct compared {
    int runs, lost, events;
    double worst; // largest true error over the stated one
} compared;

// The engine's motion beside the reference's, event by event, as far as the stated error allows.
static void compare(orbit_case *c, ref *o, double until, compared *all) {
    jd_run *run;
    jd_step step = JD_STEP_EVENT;
    jd_report report;
    int n = o->m.n, probe, matched = 0;
    double u[REF_X], v[REF_X];
    if (jd_run_create(c->context, c->problem, &run) != JD_OK)
        fail_msg("%s", jd_context_error(c->context)->message);
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "y%d", i + 1);
        assert_int_equal(jd_run_probe(run, name, &probe), JD_OK);
    }
    assert_int_equal(jd_run_probe(run, "kappa", &probe), JD_OK);
    jd_event event[REF_EVENTS];
    while (step == JD_STEP_EVENT && matched < REF_EVENTS) {
        assert_int_equal(jd_run_advance(run, until, &step), JD_OK);
        if (step == JD_STEP_EVENT) event[matched++] = *jd_run_event(run);
    }
    jd_run_report(run, &report);
    assert_int_equal(step, JD_STEP_TIME);
    all->runs++;
    all->events += matched;
    assert_true(report.certificate.tolerance > 0 && report.certificate.error > 0);
    if (!(report.certificate.error < 1e-3)) {
        all->lost++;
    } else {
        real largest = 0;
        assert_int_equal(matched, o->n_event);
        for (int i = 0; i < matched; i++)
            assert_int_equal(jd_contact_letter(event[i].to) == '+'   ? 1
                             : jd_contact_letter(event[i].to) == '-' ? -1
                                                                     : 0,
                             o->to[i]);
        jd_run_observe(run, until, u, v);
        for (int i = 0; i < n; i++) largest = fmaxl(largest, o->largest[i]);
        for (int i = 0; i <= n; i++) {
            double scale = (double)fmaxl(o->largest[i], 1e-3L * fmaxl(largest, 1)),
                   off = fabs(u[i] - (double)o->x[i]) / scale;
            all->worst = fmax(all->worst, off / report.certificate.error);
        }
    }
    jd_run_free(run);
}

static const char *const tolerances[] = {"1e-12", "1e-10", "1e-8", "1e-6", "1e-4"};

static void two_fold(int i, compared *all) {
    char text[500];
    orbit_case c;
    ref o = {.m = {.n = 3, .a = {1}, .limit = 1, .r = fold_r, .linf = fold_linf}};
    double V[] = {mixed(-3, 0.5), mixed(-3, 0.5)}, L = mixed(0.05, 0.5), sigma = mixed(1, 12),
           y[] = {mixed(0.2, 1), mixed(-1, 1.5), mixed(-1, 1.5)}, until = mixed(2, 6);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: two-fold, v_minus: %.17g, v_plus: %.17g, wave_term: "
             "%.17g, sigma: %.17g}\nstart: {type: values, y: [%.17g, %.17g, %.17g], kappa: -1}\n"
             "simulate: {until: 10, tolerance: %s}\n",
             V[0], V[1], L, sigma, y[0], y[1], y[2], tolerances[i % 5]);
    real p[] = {V[0], V[1]};
    o.m.p = p;
    o.m.sigma = sigma;
    o.m.lplus[0] = L;
    o.phase = 1;
    for (int k = 0; k < 3; k++) o.largest[k] = fabsl(o.x[k] = y[k]);
    o.x[3] = -1;
    o.largest[3] = 1;
    ref_run(&o, until, 0.01L);
    orbit_parse(&c, text);
    compare(&c, &o, until, all);
    orbit_end(&c);
}

// A mass with a cubic spring on a belt, shaken through `t` in its formulas.
static void oscillator(int i, compared *all) {
    char text[900];
    orbit_case c;
    ref o = {.m = {.n = 2, .a = {0, 1}, .r = mass_r, .linf = mass_linf}};
    double q[] = {mixed(0, 0.5), mixed(0, 0.2), mixed(0, 2), mixed(0.5, 2.5), mixed(0.5, 2)},
           L = mixed(0.05, 0.4), sigma = mixed(1, 12), belt = mixed(0.2, 1.2),
           slope = mixed(-0.3, 0.5), limit = mixed(0.3, 1.5),
           y[] = {mixed(-1, 1), belt - mixed(0.1, 1)}, until = mixed(5, 25);
    snprintf(text, sizeof text,
             "judder: 1\nstructure:\n  type: piecewise\n"
             "  r: [y2, -y1 - %.17g*y1^3 - %.17g*y2 + %.17g*sin(%.17g*t)]\n"
             "  linf: [\"0\", \"%.17g\"]\n  lplus: [\"0\", \"%.17g\"]\n  sigma: %.17g\n"
             "  h: y2 - %.17g\n  lambda_plus: -%.17g + %.17g*(y2 - %.17g)\n"
             "  lambda_minus: %.17g + %.17g*(y2 - %.17g)\n"
             "start: {type: values, y: [%.17g, %.17g], kappa: 0}\n"
             "simulate: {until: 100, tolerance: %s}\n",
             q[0], q[1], q[2], q[3], q[4], L, sigma, belt, limit, slope, belt, limit, slope, belt,
             y[0], y[1], tolerances[i % 5]);
    real p[] = {q[0], q[1], q[2], q[3], q[4]};
    o.m.p = p;
    o.m.c = belt;
    o.m.limit = limit;
    o.m.slope = slope;
    o.m.sigma = sigma;
    o.m.lplus[1] = L;
    o.phase = -1;
    for (int k = 0; k < 2; k++) o.largest[k] = fabsl(o.x[k] = y[k]);
    ref_run(&o, until, 0.005L); // short slips of 0.013 occur
    orbit_parse(&c, text);
    compare(&c, &o, until, all);
    orbit_end(&c);
}

static void closure_error_of_two_folds_is_not_exceeded(void **state) {
    (void)state;
    compared all = {0};
    seed = 14;
    for (int i = 0; i < how_many(30, 5); i++) two_fold(i, &all);
    print_message("   %d two-folds, %d events, %d beyond their digits, true over stated %.2g\n",
                  all.runs, all.events, all.lost, all.worst);
    assert_true(all.worst <= 1 && all.lost < all.runs / 4);
}

static void closure_error_of_oscillators_is_not_exceeded(void **state) {
    (void)state;
    compared all = {0};
    seed = 15;
    for (int i = 0; i < how_many(30, 5); i++) oscillator(i, &all);
    print_message("   %d oscillators, %d events, %d beyond their digits, true over stated %.2g\n",
                  all.runs, all.events, all.lost, all.worst);
    assert_true(all.worst <= 1 && all.lost < all.runs / 4);
}

// A mass that slides for ever without damping: nothing forgets what a step adds, so the error grows
// with their number, y1 = cos t, y2 = -sin t.
static void the_errors_of_many_steps_add_up(void **state) {
    (void)state;
    static const char mass[] = "judder: 1\nstructure:\n  type: piecewise\n  r: [y2, -y1]\n"
                               "  linf: [\"0\", \"1\"]\n  lplus: [\"0\", \"0.1\"]\n  sigma: 1\n"
                               "  h: y2 - 9\n  lambda_plus: \"0\"\n  lambda_minus: \"0\"\n"
                               "start: {type: values, y: [1, 0], kappa: 0}\n"
                               "simulate: {until: 1e6, tolerance: %s}\n";
    for (int i = 3; i < 5; i++) {
        char text[600];
        orbit_case c;
        jd_run *run;
        jd_step step;
        jd_report report;
        int probe;
        double u, v, until = 10000;
        snprintf(text, sizeof text, mass, tolerances[i]);
        orbit_parse(&c, text);
        assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
        assert_int_equal(jd_run_probe(run, "y1", &probe), JD_OK);
        assert_int_equal(jd_run_advance(run, until, &step), JD_OK);
        assert_int_equal(step, JD_STEP_TIME);
        jd_run_observe(run, until, &u, &v);
        jd_run_report(run, &report);
        print_message("   tolerance %s: off by %.1e, stated %.1e\n", tolerances[i],
                      fabs(u - cos(until)), report.certificate.error);
        assert_near(u, cos(until), report.certificate.error);
        jd_run_free(run);
        orbit_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_error_of_two_folds_is_not_exceeded),
        cmocka_unit_test(closure_error_of_oscillators_is_not_exceeded),
        cmocka_unit_test(the_errors_of_many_steps_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// orbits.c -- periodic orbits of the beam with a friction device.       [vielsack1999]
//   References: Figs. 6(a) and 6(c) computed with 40 digits (multipliers with 16), Fig. 5 with 9.
#include "orbit_case.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const double y_static = 0.00034562438073394495413; // 5 F0 l^3/(48 EI) [m]

typedef struct reference {
    const char *file;
    double period, displacement, velocity; // [s], over y_static and v_static
    double v_static;                       // y_static omega_1 [m/s]
    double switches[12];                   // over the period
    double multiplier[7][2];
} reference;

static const reference FIGURE_6[] = {
    {"friction-beam/two-elements.yaml",
     0.56455832506985882234,
     0.1555950368662612606,
     0.35895139262451947037,
     0.0034968961727122111922,
     {0.05438440542245491467, 0.1723613784555237385, 0.17896597074498443966, 0.20964377841360104148,
      0.21705743972161893986, 0.47391060336940898498, 0.55438440542245491467, 0.6723613784555237385,
      0.67896597074498443966, 0.70964377841360104148, 0.71705743972161893986,
      0.97391060336940898498},
     {{-0.47348550646580345, 0.43971133749860564},
      {-0.47348550646580345, -0.43971133749860564},
      {0.4312833379956832, 0.0},
      {-0.4258522666253971, 0.06754796320273784},
      {-0.4258522666253971, -0.06754796320273784},
      {0.129146485218931, 0.0},
      {0.0002950937456436578, 0.0}}},
    {"friction-beam/rayleigh.yaml",
     0.56483077066311471085,
     0.18463314241835592953,
     0.40033098665659681034,
     0.0034952094481182052168,
     {0.03447632555176988684, 0.04342143161840799294, 0.06214152394928039461,
      0.18478396563691533329, 0.2076345738127497645, 0.48500473414381097528, 0.53447632555176988684,
      0.54342143161840799294, 0.56214152394928039462, 0.68478396563691533329, 0.7076345738127497645,
      0.98500473414381097528},
     {{-0.1907377751118962, 0.5156227711376026},
      {-0.1907377751118962, -0.5156227711376026},
      {-0.42775286515964805, 0.16685272157191086},
      {-0.42775286515964805, -0.16685272157191086},
      {0.17710282460216994, 0.0},
      {-0.01391190733968297, 0.04438010797016006},
      {-0.01391190733968297, -0.04438010797016006}}},
};

static void orbits_of_figure_6_agree_with_40_digits(void **state) {
    (void)state;
    for (size_t f = 0; f < COUNT(FIGURE_6); f++) {
        const reference *r = &FIGURE_6[f];
        orbit_case c;
        orbit_read(&c, r->file, 0, NULL);
        orbit_find(&c);
        const jd_orbit_view *v = c.view;
        assert_relative(v->period, r->period, 1e-15);
        assert_phases(v, "H + H + H + H - H - H -");
        assert_int_equal(v->n_event, 12);
        for (int i = 0; i < 12; i++) // measured 2e-15
            assert_near(v->event[i].t / v->period, r->switches[i], 1e-13);
        for (int i = 0; i < 7; i++) // measured 2e-13
            for (int k = 0; k < 2; k++)
                assert_near(v->stability.multiplier[2 * i + k], r->multiplier[i][k], 1e-11);
        assert_true(v->stability.stable && v->symmetric && v->stability.isolated &&
                    !v->stability.marginal);
        assert_int_equal(v->undecided, 0);
        assert_near(v->range[0].displacement.max / y_static, r->displacement, 1e-13);
        assert_near(v->range[0].displacement.min / y_static, -r->displacement, 1e-13);
        assert_near(v->range[0].velocity.max / r->v_static, r->velocity, 1e-13);
        assert_near(v->range[0].velocity.min / r->v_static, -r->velocity, 1e-13);
        assert_near(v->range[0].force.max, 0.66, 1e-12);
        assert_true(v->range[0].certified);
        orbit_end(&c);
    }
}

// Sliding only, where settling by simulation alone takes a million periods.
static void slowly_settling_orbit_of_figure_5_is_found_at_once(void **state) {
    (void)state;
    const char *set[] = {"contacts.tip.law.limit=0.4008 N", "drives.shaker.frequency.times=0.99"};
    orbit_case c;
    orbit_read(&c, "friction-beam/undamped.yaml", COUNT(set), set);
    orbit_find(&c);
    const jd_orbit_view *v = c.view;
    assert_phases(v, "+ -");
    assert_near(v->range[0].displacement.max / y_static, 41.6958514, 1e-7); // all digits known
    assert_near(exp(v->stability.log_multiplier[0]), 0.9999988, 5e-8);
    assert_true(v->stability.stable && v->symmetric);
    orbit_end(&c);
}

static void orbit_of_figure_5_with_rising_friction(void **state) {
    (void)state;
    const char *set[] = {"contacts.tip.law={type: affine, limit: 0.4008 N, slope: 30 N s/m}",
                         "drives.shaker.frequency.times=0.99"};
    orbit_case c;
    orbit_read(&c, "friction-beam/undamped.yaml", COUNT(set), set);
    orbit_find(&c);
    assert_phases(c.view, "+ H - H");
    assert_near(c.view->range[0].displacement.max / y_static, 2.92278953, 1e-8);
    assert_true(c.view->stability.stable && c.view->symmetric);
    orbit_end(&c);
}

static void newtons_method_converges_quadratically(void **state) {
    (void)state;
    const char *set[] = {"orbit.settle=12 periods"};
    orbit_case c;
    orbit_read(&c, "friction-beam/rayleigh.yaml", COUNT(set), set);
    orbit_find(&c);
    const double *h = c.view->search.history;
    int n = c.view->search.iterations;
    assert_true(n >= 3 && h[0] > 1e-5 && h[n] < 1e-13);
    for (int i = 1; i < n; i++) // measured: factor 8 at most
        if (h[i - 1] < 1e-2) assert_true(h[i] < fmax(100 * h[i - 1] * h[i - 1], 1e-13));
    orbit_end(&c);
}

static void falling(orbit_case *c, const char *limit) {
    char law[128];
    snprintf(law, sizeof law, "contacts.tip.law={type: affine, limit: %s, slope: -30 N s/m}",
             limit);
    const char *set[] = {law, "drives.shaker.frequency.times=2.45", "orbit.periods=0"};
    orbit_read(c, "friction-beam/two-elements.yaml", COUNT(set), set);
}

static void both_mirror_images_of_figure_4_are_found(void **state) {
    (void)state;
    orbit_case c;
    jd_attractors *a;
    falling(&c, "0.72 N");
    assert_int_equal(jd_attractors_create(c.context, c.problem, NULL, 12, 1, &a), JD_OK);
    assert_int_equal(jd_attractors_count(a), 2);
    assert_int_equal(jd_attractors_lost(a), 0);
    const jd_attractor *x = jd_attractor_look(a, 0), *y = jd_attractor_look(a, 1);
    assert_int_equal(x->starts + y->starts, 12);
    assert_int_equal(x->mirror_of, 1);
    assert_int_equal(y->mirror_of, 0);
    assert_false(x->orbit->symmetric || y->orbit->symmetric);
    const jd_range *u = &x->orbit->range[0].displacement, *w = &y->orbit->range[0].displacement;
    assert_relative(u->max, -w->min, 1e-12);
    assert_relative(u->min, -w->max, 1e-12);
    assert_true(fabs(u->max + u->min) > 0.1 * u->max);
    jd_attractors_free(a);
    orbit_end(&c);
}

static void period_two_of_figure_4_is_told_from_period_one(void **state) {
    (void)state;
    orbit_case c;
    falling(&c, "0.468 N");
    orbit_find(&c);
    assert_int_equal(c.view->periods, 2);
    assert_true(c.view->stability.stable);
    jd_orbit_options one = jd_default_orbit_options();
    one.periods = 1;
    orbit_case d;
    falling(&d, "0.468 N");
    orbit_seek(&d, &one);
    assert_true(d.view->found && !d.view->stability.stable); // period one is there too, unstable
    orbit_end(&d);
    orbit_end(&c);
}

// A drive near a frequency of the undamped beam: the engine's pair blocks.
static void energy_is_booked_where_the_drive_is_close_to_resonance(void **state) {
    (void)state;
    static const char *const at[] = {"0.985", "0.99", "1", "1.02"};
    for (size_t i = 0; i < COUNT(at); i++) {
        char frequency[64];
        snprintf(frequency, sizeof frequency, "drives.shaker.frequency.times=%s", at[i]);
        const char *set[] = {frequency, "contacts.tip.law.limit=0.4008 N"};
        orbit_case c;
        jd_run *run;
        jd_step step = JD_STEP_EVENT;
        jd_report report;
        orbit_read(&c, "friction-beam/undamped.yaml", COUNT(set), set);
        assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
        while (step == JD_STEP_EVENT) assert_int_equal(jd_run_advance(run, 12, &step), JD_OK);
        jd_run_report(run, &report);
        assert_near(report.ledger.residual, 0, 1e-10); // measured 8e-12
        assert_int_equal(report.certificate.undecided, 0);
        jd_run_free(run);
        orbit_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbits_of_figure_6_agree_with_40_digits),
        cmocka_unit_test(slowly_settling_orbit_of_figure_5_is_found_at_once),
        cmocka_unit_test(orbit_of_figure_5_with_rising_friction),
        cmocka_unit_test(newtons_method_converges_quadratically),
        cmocka_unit_test(both_mirror_images_of_figure_4_are_found),
        cmocka_unit_test(period_two_of_figure_4_is_told_from_period_one),
        cmocka_unit_test(energy_is_booked_where_the_drive_is_close_to_resonance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

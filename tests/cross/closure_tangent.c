// closure_tangent.c -- the closure engine's tangent against differences of runs, through events.
//   From one state two pairs of neighbours start, h and h/2 to both sides in each coordinate:
//     D(h) = (x(+h) - x(-h))/2h,  (4 D(h/2) - D(h))/3 = (d x(t)/d x(0)) d + O(h^4).
#include <string.h>

#include "engine/engine.h"
#include "orbit_case.h"

enum { MOST = 8 };

// A mass with a cubic spring on a belt, shaken; friction of limit 0.8 that rises with speed.
static const char mass[] =
    "judder: 1\nstructure:\n  type: piecewise\n"
    "  r: [y2, -y1 - 0.2*y1^3 - 0.1*y2 + 1.2*sin(1.3*t)]\n"
    "  linf: [\"0\", \"1\"]\n  lplus: [\"0\", \"0.2\"]\n  sigma: 3\n"
    "  h: y2 - 0.5\n  lambda_plus: -0.8 + 0.1*(y2 - 0.5)\n  lambda_minus: 0.8 + 0.1*(y2 - 0.5)\n"
    "start: {type: values, y: [0.3, -0.4], kappa: 0}\n"
    "simulate: {until: 100, tolerance: 1e-12}\n";

typedef struct course {
    int n; // coordinates
    int events;
    double end[MOST], tangent[MOST * MOST];
} course;

static void go(jd_run *run, double t, const double *x, course *out) {
    const jd_engine_map *map = &run->class->map;
    jd_step step = JD_STEP_EVENT;
    out->n = map->coordinates(run);
    out->events = 0;
    assert_true(out->n <= MOST);
    assert_int_equal(map->restart(run, 0, x, &(jd_phase){1, {JD_CONTACT_SLIDING_MINUS}}), JD_OK);
    assert_int_equal(map->tangent_start(run), JD_OK);
    while (step == JD_STEP_EVENT) {
        assert_int_equal(jd_run_advance(run, t, &step), JD_OK);
        out->events += step == JD_STEP_EVENT;
    }
    assert_int_equal(step, JD_STEP_TIME);
    map->state(run, out->end);
    map->tangent(run, out->tangent);
}

static void difference(jd_run *run, double t, const double *x, int k, double h, int events,
                       double *out) {
    course a, b;
    double y[MOST], z[MOST];
    int n = run->class->map.coordinates(run);
    memcpy(y, x, sizeof y);
    memcpy(z, x, sizeof z);
    y[k] += h, z[k] -= h;
    go(run, t, y, &a);
    go(run, t, z, &b);
    assert_true(a.events == events && b.events == events);
    for (int i = 0; i < n; i++) out[i] = (a.end[i] - b.end[i]) / (2 * h);
}

static void the_tangent_is_that_of_differences(void **state) {
    (void)state;
    orbit_case c;
    jd_run *run;
    course whole;
    double x[MOST] = {0.3, -0.4}, wide[MOST], narrow[MOST], worst = 0;
    const double times[] = {0.4, 2.1, 5.3, 9.7};
    int events = 0;
    orbit_parse(&c, mass);
    assert_int_equal(jd_run_create(c.context, c.problem, &run), JD_OK);
    for (int i = 0; i < 4; i++) {
        go(run, times[i], x, &whole);
        events = whole.events;
        for (int k = 0; k < whole.n; k++) {
            difference(run, times[i], x, k, 2e-3, events, wide);
            difference(run, times[i], x, k, 1e-3, events, narrow);
            for (int j = 0; j < whole.n; j++) {
                double slope = (4 * narrow[j] - wide[j]) / 3;
                worst = fmax(worst, fabs(whole.tangent[j * whole.n + k] - slope));
            }
        }
        print_message("   t = %g: %d events, apart %.1e\n", times[i], events, worst);
    }
    assert_true(events > 4);
    assert_near(worst, 0, 1e-6);
    jd_run_free(run);
    orbit_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tangent_is_that_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

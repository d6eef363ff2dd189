// orbit_piecewise.c -- orbits of models by formulas, found one by one and from random starts,
// beside an integration of their own.
//   x'' + c x' + x + k max(0, x - g) = F cos w t: an oscillator with a second spring behind a gap.
//   Runge and Kutta's method with 2000 steps a period, in long double, cut where the spring is met,
//   from the state of the orbit: it comes back. Beside a stable orbit it comes nearer, beside an
//   unstable one it leaves.
#include "orbit_case.h"

static int count = 8;
enum { STEPS = 2000, STARTS = 5 };
typedef long double real;

typedef struct spring {
    double c, k, g, F, w;
} spring;

static long checked, returned, left;

static real force(const spring *p, bool beyond, real t, real x, real v) {
    real back = beyond ? (real)p->k * (x - (real)p->g) : 0;
    return (real)p->F * cosl((real)p->w * t) - (real)p->c * v - x - back;
}

// One step with the second spring in touch, or not, all along.
static void step(const spring *p, bool beyond, real t, real h, real *x, real *v) {
    real x1 = *v, v1 = force(p, beyond, t, *x, *v);
    real x2 = *v + h / 2 * v1, v2 = force(p, beyond, t + h / 2, *x + h / 2 * x1, x2);
    real x3 = *v + h / 2 * v2, v3 = force(p, beyond, t + h / 2, *x + h / 2 * x2, x3);
    real x4 = *v + h * v3, v4 = force(p, beyond, t + h, *x + h * x3, x4);
    *x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
    *v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
}

// A step that is cut where x = g, by halving.
static void cut_step(const spring *p, bool *beyond, real t, real h, real *x, real *v) {
    real x1 = *x, v1 = *v, low = 0, high = h;
    step(p, *beyond, t, h, &x1, &v1);
    if ((x1 > (real)p->g) == *beyond) {
        *x = x1, *v = v1;
        return;
    }
    for (int i = 0; i < 60; i++) {
        real middle = (low + high) / 2, xm = *x, vm = *v;
        step(p, *beyond, t, middle, &xm, &vm);
        if ((xm > (real)p->g) == *beyond)
            low = middle;
        else
            high = middle;
    }
    step(p, *beyond, t, high, x, v);
    *beyond = !*beyond;
    step(p, *beyond, t + high, h - high, x, v);
}

// Distance from the orbit's state after so many of its periods, from a start beside it.
static double distance(const spring *p, const jd_orbit_view *o, double beside, int periods) {
    real x = (real)o->state[0] + (real)beside, v = (real)o->state[1] - (real)beside / 2;
    real h = (real)o->period / (STEPS * o->periods);
    bool beyond = x > (real)p->g;
    for (long i = 0; i < (long)periods * STEPS * o->periods; i++)
        cut_step(p, &beyond, h * (real)i, h, &x, &v);
    return (double)hypotl(x - (real)o->state[0], v - (real)o->state[1]);
}

static void is_as_said(const spring *p, const jd_orbit_view *o) {
    double size = 1 + hypot(o->state[0], o->state[1]), small = 1e-5 * size;
    int periods = (int)ceil(log(o->stability.stable ? 1e-3 : 1e3) / log(o->stability.largest)) + 1;
    assert_int_equal(o->n, 2);
    checked++;
    if (!(distance(p, o, 0, 1) < 1e-6 * size * fmax(1, o->stability.largest)))
        fail_msg("c %g k %g g %g F %g w %g: off by %.3g", p->c, p->k, p->g, p->F, p->w,
                 distance(p, o, 0, 1));
    if (o->stability.marginal || !(o->stability.largest > 0) || periods > 40) return;
    double after = distance(p, o, small, periods);
    if (o->stability.stable) {
        if (!(after < 0.5 * small))
            fail_msg("c %.17g k %.17g g %.17g F %.17g w %.17g: stable (%g), but %.3g becomes %.3g "
                     "after %d",
                     p->c, p->k, p->g, p->F, p->w, o->stability.largest, small, after, periods);
        returned++;
    } else {
        if (!(after > 2 * small)) fail_msg("unstable, but %.3g becomes %.3g", small, after);
        left++;
    }
}

static void orbits_of_formulas_return_and_are_as_stable_as_said(void **state) {
    unsigned long long seed = 77;
    int found = 0;
    (void)state;
    for (int i = 0; i < count; i++) {
        static const double range[5][2] = {{0.05, 0.3}, {0, 30}, {-0.3, 1}, {0.3, 2}, {0.8, 3}};
        double z[5];
        char text[700];
        orbit_case c;
        jd_attractors *a = NULL;
        for (int k = 0; k < 5; k++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            z[k] = range[k][0] + (range[k][1] - range[k][0]) * (double)(seed >> 11) * 0x1p-53;
        }
        spring p = {z[0], z[1], z[2], z[3], z[4]};
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: piecewise, r: [y2, -y1 - %.17g*y2 + "
                 "%.17g*cos(%.17g*t)], linf: [\"0\", \"1\"], h: \"y1 - %.17g\", lambda_plus: "
                 "\"-%.17g*(y1 - %.17g)\", lambda_minus: \"0\", period: \"%.17g\"}\n"
                 "start: {type: values, y: [0.1, 0]}\nsimulate: {until: 10}\norbit: {settle: 60}\n",
                 p.c, p.F, p.w, p.g, p.k, p.g, 2 * 3.14159265358979323846 / p.w);
        orbit_parse(&c, text);
        orbit_seek(&c, NULL);
        found += c.view->found;
        if (c.view->found) is_as_said(&p, c.view);
        assert_int_equal(jd_attractors_create(c.context, c.problem, NULL, STARTS, 3, &a), JD_OK);
        for (int k = 0; k < jd_attractors_count(a); k++) {
            const jd_attractor *one = jd_attractor_look(a, k);
            assert_true(one->rest || one->orbit->stability.stable);
            if (!one->rest) is_as_said(&p, one->orbit);
        }
        jd_attractors_free(a);
        orbit_end(&c);
    }
    print_message("   %d models, %d orbits; %ld checked, %ld come back, %ld leave\n", count, found,
                  checked, returned, left);
    assert_true(found > count / 2 && returned > count);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orbits_of_formulas_return_and_are_as_stable_as_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

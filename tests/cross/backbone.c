// backbone.c -- frequency and damping over the amplitude against exact piecewise solutions.
//   One mass, x'' + (c - xi) x' + w0^2 x = -(friction): between reversals at -a and a the motion is
//   one or two damped sines. Rigid friction, rho = R/k:
//     (a + rho) = (a - rho) exp(pi D),  D = (xi - c)/(2 w) = ln((a + rho)/(a - rho))/pi,
//     w = w0/sqrt(1 + D^2)
//   A friction spring: stuck from -a to -a + 2 R/kt, then sliding up to a; xi by bisection in long
//   double. Forced at w with F = m xi w a the motion has the amplitude a, but for its harmonics.
#include <math.h>
#include <string.h>

#include "backbone_case.h"

static void rigid_friction_has_its_closed_form(void **unused) {
    (void)unused;
    double worst = 0, pi = acos(-1.0);
    for (int damped = 0; damped < 2; damped++) {
        one o;
        char text[600];
        double m = 1.7, k = 40, R = 0.9, c = damped ? 0.35 : 0, w0 = sqrt(k / m), rho = R / k;
        snprintf(
            text, sizeof text,
            "judder: 1\nstructure: {type: chain, count: 1, mass: 1.7, stiffness: 40, supports: "
            "{left: fixed, right: free}, damping: {type: rayleigh, mass: %g, stiffness: 0}, "
            "points: {a: {node: 1}}}\ncontacts: {c: {at: a, law: {type: coulomb, limit: "
            "0.9}}}\nbackbone: {from: 0.04, to: 2, points: 30}\n",
            c);
        compute(&o, text);
        assert_true(o.view->n_point >= 30);
        for (int i = 0; i < o.view->n_point; i++) {
            const jd_backbone_point *p = &o.view->point[i];
            double a = p->amplitude, D = log((a + rho) / (a - rho)) / pi, w = w0 / sqrt(1 + D * D);
            worst = fmax(worst, fabs(p->omega / w - 1));
            worst = fmax(worst, fabs(p->damping - D - c / (2 * w)) / (D + c / (2 * w)));
            assert_relative(p->omega, w, 1e-12);
            assert_relative(p->damping, D + c / (2 * w), 1e-12);
        }
        end(&o);
    }
    print_message("rigid friction: largest relative error %.1e\n", worst);
}

typedef long double real;

// From -a to the next reversal with the rate xi: where it is, and how long it took.
static real reversal(real k, real kt, real m, real R, real a, real xi, real *time) {
    real g = xi / 2, w1 = sqrtl((k + kt) / m - g * g), x1 = (R - kt * a) / (k + kt);
    real end = -a + 2 * R / kt, low = 0, high = acosl(-1.0L) / w1, x = 0, v = 0;
    for (int i = 0; i < 80; i++) { // the stuck phase rises up to its own reversal
        real t = (low + high) / 2;
        x = x1 + (-a - x1) * expl(g * t) * (cosl(w1 * t) - g / w1 * sinl(w1 * t));
        if (x < end)
            low = t;
        else
            high = t;
    }
    real t1 = low;
    v = (a + x1) * expl(g * t1) * (w1 + g * g / w1) * sinl(w1 * t1);
    // sliding about -R/k: y = (A cos + B sin) e^(g t), v = 0 where tan(w t) = ...
    real w = sqrtl(k / m - g * g), A = end + R / k, B = (v - g * A) / w;
    real t2 = atan2l(w * B + g * A, w * A - g * B);
    if (t2 < 0) t2 += acosl(-1.0L);
    t2 /= w;
    *time = t1 + t2;
    return (A * cosl(w * t2) + B * sinl(w * t2)) * expl(g * t2) - R / k;
}

static void a_friction_spring_has_its_piecewise_solution(void **unused) {
    (void)unused;
    one o;
    real m = 1.3L, k = 25, kt = 12, R = 0.4L;
    double worst = 0;
    int slid = 0;
    compute(&o, "judder: 1\nstructure: {type: chain, count: 1, mass: 1.3, stiffness: 25, supports: "
                "{left: fixed, right: free}, points: {a: {node: 1}}}\ncontacts: {c: {at: a, law: "
                "{type: coulomb, limit: 0.4, stiffness: 12}}}\n"
                "backbone: {from: 0.01, to: 1, points: 40}\n");
    for (int i = 0; i < o.view->n_point; i++) {
        const jd_backbone_point *p = &o.view->point[i];
        real a = p->amplitude, low = 0, high = 3, time = 0;
        if (a <= R / kt) { // never slides: no loss
            assert_relative(p->omega, (double)sqrtl((k + kt) / m), 1e-12);
            assert_near(p->damping, 0, 1e-13);
            continue;
        }
        for (int j = 0; j < 90; j++) {
            real xi = (low + high) / 2;
            if (reversal(k, kt, m, R, a, xi, &time) < a)
                low = xi;
            else
                high = xi;
        }
        double w = (double)(acosl(-1.0L) / time), D = (double)(low / (2 * acosl(-1.0L) / time));
        slid++;
        worst = fmax(worst, fmax(fabs(p->omega / w - 1), fabs(p->damping - D)));
        assert_relative(p->omega, w, 1e-12);
        assert_near(p->damping, D, 1e-12);
    }
    assert_true(slid >= 20 && slid < o.view->n_point);
    print_message("friction spring: %d motions, largest error %.1e\n", slid, worst);
    end(&o);
}

// The motion under F sin(w t), F = m xi w a, beside the one without a drive.
static void forced_motion_at_resonance_has_the_amplitude_of_the_backbone(void **unused) {
    (void)unused;
    one o;
    double worst = 0, m = 1.3;
    static const char *const text =
        "judder: 1\nstructure: {type: chain, count: 1, mass: 1.3, stiffness: 25, supports: {left: "
        "fixed, right: free}, damping: {type: ratio, value: 0.01}, points: {a: {node: 1}}}\n"
        "contacts: {c: {at: a, law: {type: coulomb, limit: 0.4, stiffness: 12}}}\n"
        "drives: {f: {at: a, type: harmonic, amplitude: 1, frequency: 5}}\n"
        "orbit: {periods: 1, settle: 60 periods}\nbackbone: {from: 0.05, to: 1, points: 6}\n";
    compute(&o, text);
    for (int i = 1; i < o.view->n_point; i++) {
        const jd_backbone_point *p = &o.view->point[i];
        jd_orbit *orbit;
        assert_int_equal(jd_problem_set(o.problem, "drives.f.frequency", p->omega, NULL), JD_OK);
        assert_int_equal(jd_problem_set(o.problem, "drives.f.amplitude",
                                        m * p->rate * p->omega * p->amplitude, NULL),
                         JD_OK);
        assert_int_equal(jd_orbit_create(o.context, o.problem, NULL, &orbit), JD_OK);
        const jd_orbit_view *v = jd_orbit_look(orbit);
        assert_true(v->found);
        double a = (v->range[0].displacement.max - v->range[0].displacement.min) / 2;
        worst = fmax(worst, fabs(a / p->amplitude - 1));
        jd_orbit_free(orbit);
    }
    print_message("forced at resonance: amplitudes within %.1e\n", worst);
    assert_true(worst < 0.02);
    end(&o);
}

#define TWO(law, rest)                                                                             \
    "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 1, supports: {left: "       \
    "fixed, right: free}, damping: {type: ratio, value: 0.01}, points: {a: {node: 1}, b: {node: "  \
    "2}}}\ncontacts: {c: {at: a, law: {" law "}}}\n" rest

// Friction depends on differences of displacements: under a load the same motion around another
// place. It slides both ways, as far from the static deflection each way.
static void constant_loads_shift_the_motion(void **unused) {
    static const char *const law[] = {"limit: 0.3, type: coulomb, stiffness: 2",
                                      "limit: 0.3, type: coulomb"};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        one o[2];
        for (int i = 0; i < 2; i++) {
            char text[900];
            snprintf(text, sizeof text,
                     TWO("%s", "%sbackbone: {from: %g, to: 3, at: b, points: 20}\n"), law[k],
                     i ? "drives: {g: {at: b, type: constant, value: 1.7}}\n" : "", k ? 1 : 0.01);
            compute(&o[i], text);
        }
        assert_int_equal(o[0].view->n_point, o[1].view->n_point);
        for (int i = 0; i < o[0].view->n_point; i++) {
            assert_near(o[1].view->point[i].omega, o[0].view->point[i].omega, 1e-13);
            assert_near(o[1].view->point[i].damping, o[0].view->point[i].damping, 1e-13);
        }
        end(&o[0]);
        end(&o[1]);
    }
}

// Of a hardening spring the amplitude grows less than the speed: as many points as asked for.
static void points_are_as_many_as_asked_for(void **unused) {
    (void)unused;
    one o;
    compute(&o, TWO("type: cubic, stiffness: 0.1, cubic: 1",
                    "backbone: {from: 0.01, to: 3, at: b, points: 30}\n"));
    print_message("%d points\n", o.view->n_point);
    assert_true(o.view->n_point >= 27 && o.view->n_point <= 36);
    end(&o);
}

// Three masses on springs with rigid friction at one of them, amplitudes in multiples of the limit.
static void three_masses(one *o, int node, double limit, double from, double to, int points) {
    char text[600];
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: chain, count: 3, mass: 1, stiffness: 10, supports: "
             "{left: fixed, right: free}, points: {a: {node: %d}}}\ncontacts: {c: {at: a, law: "
             "{type: coulomb, limit: %.17g}}}\nbackbone: {from: %.17g, to: %.17g, points: %d}\n",
             node, limit, from * limit, to * limit, points);
    *o = (one){.context = jd_context_create(NULL)};
    assert_int_equal(
        jd_model_parse(o->context, "m.yaml", ".", text, strlen(text), 0, NULL, &o->problem), JD_OK);
    assert_int_equal(jd_backbone_create(o->context, o->problem, &o->backbone), JD_OK);
    o->view = jd_backbone_look(o->backbone);
    print_message("node %d, limit %g: %d points, %s\n", node, limit, o->view->n_point,
                  jd_backbone_end_text(o->view->end));
}

// Frequency and damping on the line between two points around this amplitude, the first from above.
static void at_amplitude(const jd_backbone_view *v, double amplitude, double *omega, double *zeta) {
    for (int i = v->n_point - 1; i > 0; i--) {
        const jd_backbone_point *p = &v->point[i - 1], *q = &v->point[i];
        if (!(p->amplitude <= amplitude && amplitude <= q->amplitude)) continue;
        double x = log(amplitude / p->amplitude) / log(q->amplitude / p->amplitude);
        *omega = p->omega + x * (q->omega - p->omega);
        *zeta = p->damping + x * (q->damping - p->damping);
        return;
    }
    fail_msg("amplitude %g is not on the curve", amplitude);
}

// Rigid friction has no scale but its limit: of every limit the curve is the same over amplitude by
// limit, and no step of it leads to another curve, wherever the friction is and however far apart
// the points are.
static void curves_of_rigid_friction_scale_with_the_limit(void **unused) {
    static const double limit[] = {0.05, 0.9, 300}, last[] = {0.12, 0.209, 0.31};
    (void)unused;
    for (int node = 1; node <= 3; node++) {
        double omega[3], zeta[3];
        for (int i = 0; i < 3; i++) {
            one o;
            three_masses(&o, node, limit[i], i == 0 ? 20 : 4, last[node - 1], i == 2 ? 40 : 12);
            assert_int_equal(o.view->end, JD_BACKBONE_COMPLETE);
            const jd_backbone_point *p = o.view->point;
            for (int k = 1; k < o.view->n_point; k++)
                assert_true(fabs(p[k].omega - p[k - 1].omega) < 0.25 * p[k].omega);
            assert_near(p[0].amplitude, last[node - 1] * limit[i], 2e-3 * p[0].amplitude);
            omega[i] = p[0].omega, zeta[i] = p[0].damping;
            double w = 0, z = 0;
            at_amplitude(o.view, 2 * limit[i], &w, &z);
            assert_near(w, 1.4, 0.05);
            end(&o);
        }
        print_message("omega %.9g %.9g %.9g, zeta %.9g %.9g %.9g\n", omega[0], omega[1], omega[2],
                      zeta[0], zeta[1], zeta[2]);
        for (int i = 1; i < 3; i++) { // at amplitudes that differ by 1e-4
            assert_near(omega[i], omega[0], 1e-3 * omega[0]);
            assert_near(zeta[i], zeta[0], 1e-3 * zeta[0]);
        }
    }
}

// Below the displacement that the limit holds at rest there is no such motion: whatever the limit,
// the curve ends after a number of points, with a reason, and never below it.
static void curves_of_rigid_friction_end_above_the_static_displacement(void **unused) {
    static const double limit[] = {0.05, 0.9};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        one o;
        three_masses(&o, 2, limit[i], 4, 1e-3, 5);
        assert_true(o.view->n_point <= 250);
        assert_true(o.view->end == JD_BACKBONE_POINTS || o.view->end == JD_BACKBONE_ROUNDING);
        for (int k = 0; k < o.view->n_point; k++) // 2/10 of the limit
            assert_true(o.view->point[k].amplitude > 0.2 * limit[i]);
        end(&o);
    }
}

static void refuse(const char *rest, jd_status status, const char *says) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem;
    jd_backbone *backbone;
    char text[600];
    snprintf(
        text, sizeof text,
        "judder: 1\nstructure: {type: chain, count: 2, mass: 1, stiffness: 2, supports: {left: "
        "fixed, right: free}, points: {a: {node: 1}}}\n%s",
        rest);
    assert_int_equal(jd_model_parse(context, "m.yaml", ".", text, strlen(text), 0, NULL, &problem),
                     JD_OK);
    assert_int_equal(jd_backbone_create(context, problem, &backbone), status);
    if (!strstr(jd_context_error(context)->message, says))
        fail_msg("%s", jd_context_error(context)->message);
    jd_problem_free(problem);
    jd_context_free(context);
}

static void what_has_no_backbone_is_refused_by_name(void **unused) {
    (void)unused;
    refuse("", JD_MISSING_KEY, "which backbone");
    refuse("backbone: {from: 1, to: 2}\n", JD_NOT_SUPPORTED, "no contact");
    refuse("backbone: {from: 1, to: 2, at: b}\n", JD_UNKNOWN_NAME, "b");
    refuse("backbone: {from: 1, to: 2, at: a, mode: 5}\n", JD_OUT_OF_RANGE, "mode 5 of 2");
    refuse("contacts: {s: {at: a, law: {type: cubic, stiffness: 1, cubic: 1}}}\n"
           "drives: {g: {at: a, type: constant, value: 1}}\nbackbone: {from: 1, to: 2}\n",
           JD_NOT_SUPPORTED, "a constant load beside");
    refuse("drives: {p: {at: a, type: pulse, amplitude: 1, start: 0, duration: 1}}\n"
           "backbone: {from: 1, to: 2, at: a}\n",
           JD_NOT_SUPPORTED, "drive");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_friction_has_its_closed_form),
        cmocka_unit_test(a_friction_spring_has_its_piecewise_solution),
        cmocka_unit_test(forced_motion_at_resonance_has_the_amplitude_of_the_backbone),
        cmocka_unit_test(constant_loads_shift_the_motion),
        cmocka_unit_test(curves_of_rigid_friction_scale_with_the_limit),
        cmocka_unit_test(curves_of_rigid_friction_end_above_the_static_displacement),
        cmocka_unit_test(points_are_as_many_as_asked_for),
        cmocka_unit_test(what_has_no_backbone_is_refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

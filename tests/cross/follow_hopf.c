// follow_hopf.c -- from the Hopf points of steady slips to their cycles, beside an integrator of
// its own (Runge-Kutta of fourth order, fixed steps, after the transient).
//   Brake (gallery/brake): N = max(0, 1 + 4/3 x2), damping 0.1,
//     x1'' = -0.1 x1' - 2 x1 - x2 + mu N,   x2'' = -0.1 x2' - x1 - 2/3 x2 + 1 - N,
//   threshold 3/4 (1 + 2 0.1^2) = 0.765. Van der Pol: y'' = (a - y^2) y' - y, threshold 0, cycles
//   of amplitude 2 sqrt(a) close to it.
#include <math.h>
#include <string.h>

#include "follow_case.h"

typedef void (*field)(double p, const double *z, double *out);

static void brake(double mu, const double *z, double *out) {
    double N = fmax(0, 1 + 4 * z[1] / 3);
    out[0] = z[2], out[1] = z[3];
    out[2] = -0.1 * z[2] - 2 * z[0] - z[1] + mu * N;
    out[3] = -0.1 * z[3] - z[0] - 2 * z[1] / 3 + 1 - N;
}

static void van_der_pol(double a, const double *z, double *out) {
    out[0] = z[1];
    out[1] = (a - z[0] * z[0]) * z[1] - z[0];
}

static void step(field f, int n, double p, double h, double *z) {
    double k[4][4], y[4];
    for (int s = 0; s < 4; s++) {
        double share = s == 0 ? 0 : s == 3 ? 1 : 0.5;
        for (int i = 0; i < n; i++) y[i] = z[i] + (s ? share * h * k[s - 1][i] : 0);
        f(p, y, k[s]);
    }
    for (int i = 0; i < n; i++) z[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// Shorter steps where the brake opens or closes: its forces have a corner there.
static void careful_step(field f, int n, double p, double h, double *z) {
    double y[4];
    memcpy(y, z, (size_t)n * sizeof *y);
    step(f, n, p, h, y);
    bool corner = f == brake && (1 + 4 * y[1] / 3 > 0) != (1 + 4 * z[1] / 3 > 0);
    for (int k = 0; k < 1000 && corner; k++) step(f, n, p, h / 1000, z);
    if (!corner) memcpy(z, y, (size_t)n * sizeof *z);
}

typedef struct seen {
    double most, period;
} seen;

// Largest value of z[which] and time between its maxima, when the motion has settled.
static seen settled(field f, int n, double p, double *z, int which, double until) {
    const double h = 1e-3;
    double before[2] = {z[which], z[which]}, last = 0;
    seen out = {0};
    for (int k = 0; k * h < until; k++) {
        careful_step(f, n, p, h, z);
        double a = before[0], b = before[1], c = z[which];
        if (b > a && b >= c) { // parabola
            double x = 0.5 * (a - c) / (a - 2 * b + c), t = (k + x) * h;
            out = (seen){b - 0.25 * (a - c) * x, t - last};
            last = t;
        }
        before[0] = b, before[1] = c;
    }
    return out;
}

static jd_follow *cycles(model_case *m, const char *text, const char *path, double from, double to,
                         const char *measure) {
    jd_follow_options o = jd_default_follow_options();
    o.hopf = true;
    o.parameter = path;
    o.from = from;
    o.to = to;
    o.measure = measure;
    jd_follow *f = follows(m, text, NULL, &o);
    const jd_follow_view *v = jd_follow_look(f);
    if (v->n_point < 10) fail_msg("%d points; %s: %s", v->n_point, jd_end_name(v->end), v->why);
    return f;
}

static void cycles_leave_the_threshold_of_the_brake(void **state) {
    jd_follow *f = cycles(
        *state,
        "judder: 1\n"
        "structure: {type: matrices, mass: gallery/brake/mass.mtx, stiffness: "
        "gallery/brake/stiffness.mtx, points: {along: {node: 1, dof: 1}, into: {node: 2, dof: 1}}, "
        "damping: {type: matrix, file: gallery/brake/damping.mtx}}\n"
        "contacts: {pad: {at: {normal: into, tangential: along}, against: {velocity: 0.5}, law: "
        "{type: dry-contact, coefficient: 1, tangential_stiffness: 20, normal_stiffness: "
        "1.3333333333333333, preload: 1}}}\n"
        "drives: {clamp: {type: constant, at: into, value: 1}}\n",
        "contacts.pad.law.coefficient", 0.765, 1.2, "pad.displacement.max");
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    says("why", v->why, "cycles of every amplitude");
    assert_true(v->point[0].parameter < 0.78);
    int compared = 0;
    for (int i = 0; i < v->n_point; i++) {
        const jd_branch_point *p = &v->point[i];
        if (p->parameter < 0.85 || compared > (p->parameter - 0.85) / 0.1) continue;
        double z[4] = {0.9, -0.2, 0, 0};
        seen s = settled(brake, 4, p->parameter, z, 0, 700);
        print_message("mu %.4f: most %.9f, off by %.1e; period %.9f, off by %.1e\n", p->parameter,
                      p->amplitude, p->amplitude - s.most, p->period, p->period - s.period);
        assert_near(p->amplitude, s.most, 1e-8);
        assert_near(p->period, s.period, 1e-7);
        compared++;
    }
    assert_true(compared >= 3);
    jd_follow_free(f);
}

// Slow belts and soft springs: the first to change is another, sticking or opening. The branch
// begins at the threshold all the same, and ends at the cycle that simulation from rest settles to.
static void cycles_begin_at_the_threshold_whatever_changes_first(void **state) {
    static const double speed[] = {0.5, 0.1, 0.02, 0.3};
    for (int k = 0; k < 4; k++) {
        char text[1200];
        model_case *m = *state;
        snprintf(text, sizeof text,
                 "judder: 1\n"
                 "structure: {type: matrices, mass: gallery/brake/mass.mtx, stiffness: "
                 "gallery/brake/stiffness.mtx, points: {along: {node: 1, dof: 1}, into: {node: 2, "
                 "dof: 1}}, damping: {type: matrix, file: gallery/brake/damping.mtx}}\n"
                 "contacts: {pad: {at: {normal: into, tangential: along}, against: {velocity: "
                 "%g}, law: {type: dry-contact, coefficient: 1, tangential_stiffness: 2, "
                 "normal_stiffness: 1.3333333333333333, preload: 1}}}\n"
                 "drives: {clamp: {type: constant, at: into, value: 1}}\n"
                 "start: {type: state, of: nodes, displacement: [0.5, -0.25]}\n"
                 "orbit: {settle: 300}\n",
                 speed[k]);
        jd_follow *f =
            cycles(m, text, "contacts.pad.law.coefficient", 0.765, 1.2, "pad.displacement.max");
        const jd_follow_view *v = jd_follow_look(f);
        print_message("belt %g: from %.6f %s to %s, %s\n", speed[k], v->point[0].parameter,
                      v->phases[v->point[0].phases], v->phases[v->point[v->n_point - 1].phases],
                      jd_end_name(v->end));
        assert_int_equal(v->end, JD_END_TO);
        assert_true(v->point[0].parameter < 0.78);
        says("why", v->why, "the branch begins there");
        double most = v->point[v->n_point - 1].amplitude, period = v->point[v->n_point - 1].period;
        jd_follow_free(f);
        jd_orbit *orbit;
        jd_problem_free(m->problem);
        m->problem = NULL;
        reads(m, text, "contacts.pad.law.coefficient=1.2");
        assert_int_equal(jd_orbit_create(m->context, m->problem, NULL, &orbit), JD_OK);
        assert_near(jd_orbit_look(orbit)->range[0].displacement.max, most, 1e-9);
        assert_near(jd_orbit_look(orbit)->period, period, 1e-9);
        jd_orbit_free(orbit);
    }
}

static void smooth_cycles_grow_from_nothing(void **state) {
    jd_follow *f =
        cycles(*state,
               "judder: 1\n"
               "structure: {type: piecewise, r: [y2, (a - y1^2)*y2 - y1], linf: [\"0\", \"1\"], h: "
               "y2 - 50, lambda_plus: \"0\", lambda_minus: \"0\", names: [a], values: [0.5]}\n"
               "start: {type: values, y: [0.1, 0]}\n"
               "simulate: {until: 40, tolerance: 1e-10}\n",
               "structure.values", 0, 1, "surface.displacement.max");
    const jd_follow_view *v = jd_follow_look(f);
    const jd_branch_point *first = &v->point[0];
    assert_int_equal(v->end, JD_END_TO);
    assert_true(first->parameter < 0.01);
    assert_relative(first->amplitude + 50, 2 * sqrt(first->parameter), 1e-3);
    assert_relative(first->period, 6.283185307179586, 1e-4);
    for (int k = 1; k <= 2; k++) {
        const jd_branch_point *p = &v->point[k * (v->n_point - 1) / 2];
        double z[2] = {2 * sqrt(p->parameter), 0};
        seen s = settled(van_der_pol, 2, p->parameter, z, 1, 200);
        print_message("a %.4f: off by %.1e, period %.1e\n", p->parameter,
                      p->amplitude + 50 - s.most, p->period - s.period);
        assert_near(p->amplitude + 50, s.most, 1e-6);
        assert_near(p->period, s.period, 1e-6);
    }
    jd_follow_free(f);
}

// Linear friction over the speed: cycles of every amplitude up to where the mass sticks.
static void sticking_cycles_leave_the_threshold_of_the_oscillator(void **state) {
    jd_follow *f = cycles(*state,
                          "judder: 1\n"
                          "structure: {type: friction-oscillator, alpha: 0.01, beta: 0.03, "
                          "wave_term: 0.05, sigma: 50, static_gain: 1}\n"
                          "start: {type: values, y: [0.6, 0.5]}\nsimulate: {until: 40}\n",
                          "structure.alpha", 0.0600600360964, 0.3, "surface.displacement.max");
    const jd_follow_view *v = jd_follow_look(f);
    assert_int_equal(v->end, JD_END_TO);
    assert_near(v->point[0].parameter, 0.0600600360964, 1e-3);
    assert_relative(v->point[0].period, 6.283185307179586, 2e-2);
    assert_string_equal(v->phases[v->point[0].phases], "-H");
    says("why", v->why, "cycles of every amplitude");
    jd_follow_free(f);
}

// The orbit is cut open where its start happened to be, beside an event or far from one: the branch
// is the same from every start, one change of phases and no end before the window's, and the cycles
// of steady slip that it comes from are a family without folds.
static void the_branch_of_the_oscillator_does_not_depend_on_its_start(void **state) {
    static const double settle[] = {0, 0, 0, 7.3, 55.5}, alpha[] = {0.061, 0.07, 0.24, 0.2, 0.09};
    static const char *const start[] = {"0.6, 0.5", "0.6, 0.5", "1, 0", "-1, 0.3", "0, 0.99"};
    double first = 0, at = 0;
    for (int k = 0; k < 5; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: friction-oscillator, alpha: %g, beta: 0.03, "
                 "wave_term: 0.05, sigma: 50, static_gain: 1}\nstart: {type: values, y: [%s]}\n"
                 "simulate: {until: 40}\n",
                 alpha[k], start[k]);
        if (settle[k] > 0) snprintf(text + strlen(text), 40, "orbit: {settle: %g}\n", settle[k]);
        jd_follow_options o = jd_default_follow_options();
        o.parameter = "structure.alpha";
        o.from = alpha[k];
        o.to = k == 2 ? 0.05 : 0.26;
        o.step = k < 2 ? 0.01 : 0.02;
        o.measure = "surface.displacement.max";
        jd_follow *f = follows(*state, text, NULL, &o);
        const jd_follow_view *v = jd_follow_look(f);
        print_message("from %g, start %s: %d points, %s at %.10g\n", alpha[k], start[k], v->n_point,
                      jd_end_name(v->end), v->end_parameter);
        assert_int_equal(v->n_special, 1);
        double value = v->point[v->n_point - 1].amplitude;
        if (k == 2) { // down to the steady slip
            assert_int_equal(v->end, JD_END_FAMILY);
            // measured 2.7e-12 with seven sets of OpenBLAS loops
            assert_near(v->end_parameter, 0.0600600360964, 1e-10);
            assert_near(v->end_parameter, v->special[0].parameter, 0);
            assert_near(v->end_parameter, 0.0600600360964, v->special[0].error);
        } else {
            assert_int_equal(v->end, JD_END_TO);
            if (k == 0) first = value, at = v->special[0].parameter;
            assert_near(value, first, 1e-9);
            assert_near(v->special[0].parameter, at, 1e-9);
        }
        jd_follow_free(f);
    }
}

static void a_slip_that_does_not_oscillate_has_no_cycles(void **state) {
    jd_follow_options o = jd_default_follow_options();
    o.hopf = true;
    o.parameter = "structure.values";
    o.from = 5; // two real poles
    o.to = 6;
    jd_follow *f = follows(*state,
                           "judder: 1\n"
                           "structure: {type: piecewise, r: [y2, a*y2 - y1], linf: [\"0\", \"1\"], "
                           "h: y2 - 50, lambda_plus: \"0\", lambda_minus: \"0\", names: [a], "
                           "values: [0.5]}\nstart: {type: values, y: [0.1, 0]}\n",
                           NULL, &o);
    assert_int_equal(jd_follow_look(f)->end, JD_END_NO_ORBIT);
    says("why", jd_follow_look(f)->why, "no oscillation that neither grows nor decays");
    jd_follow_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(cycles_leave_the_threshold_of_the_brake),
        MODEL_TEST(cycles_begin_at_the_threshold_whatever_changes_first),
        MODEL_TEST(smooth_cycles_grow_from_nothing),
        MODEL_TEST(sticking_cycles_leave_the_threshold_of_the_oscillator),
        MODEL_TEST(the_branch_of_the_oscillator_does_not_depend_on_its_start),
        MODEL_TEST(a_slip_that_does_not_oscillate_has_no_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

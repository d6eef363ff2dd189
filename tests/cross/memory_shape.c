// memory_shape.c -- plucked, struck and bent starts: closed forms, sums over modes, both forms of
// the memory, equilibria.
#include <math.h>

#include "memory_case.h"
#include "problem/initial.h"
#include "problem/system.h"

static const char plucked[] =
    "judder: 1\n"
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
    "            points: {bow: 0.4, push: 0.7}, damping: {type: ratio, value: 0.05}}\n"
    "contacts: {bow: {at: bow, against: ground, law: {type: coulomb, limit: 0.3}}}\n"
    "start: {type: shape, position: [0.25], displacement: [0.5]}\n"
    "simulate: {engine: memory, until: 2}\n";

// Modal coordinates of the start of a model; returns their number.
static int coordinates(const char *text, double *q, double *rate, int most) {
    motion *m = motion_open(text, 0, NULL);
    if (jd_problem_build(m->problem) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    int n = jd_problem_system(m->problem)->modal.n;
    assert_true(n <= most);
    assert_int_equal(jd_problem_initial(m->problem, q, rate), JD_OK);
    motion_close(m);
    return n;
}

enum { MODES = 4000, PLACES = 5 };

static double sum_at(int n, const double *q, double (*shape)(int, double), double x) {
    double sum = 0;
    for (int k = n - 1; k >= 0; k--) sum += q[k] * shape(k, x);
    return sum;
}

static const double pi = 3.14159265358979323846;

static double fixed_fixed(int k, double x) { return sqrt(2) * sin((k + 1) * pi * x); }
static double free_free(int k, double x) { return k ? sqrt(2) * cos(k * pi * x) : 1; }
static double fixed_free(int k, double x) { return sqrt(2) * sin((k + 0.5) * pi * x); }
static double pinned(int k, double x) { return fixed_fixed(k, x); }

// Sums over the modes give back what the file says at its points; q_k ~ 1/k^2 (strings, rods),
// 1/k^4 (beams).
static void a_shape_is_the_sum_of_its_modes(void **state) {
    (void)state; // measured 1.3e-4 at kinks, beams 2.6e-12
    static const struct {
        const char *body, *start;
        double (*shape)(int, double);
        int n;
        double x[PLACES], u[PLACES], most;
    } c[] = {{"string, tension: 3",
              "position: [0.25, 0.6], displacement: [0.5, -0.2]",
              fixed_fixed,
              4,
              {0.25, 0.6, 0.1, 0.8},
              {0.5, -0.2, 0.2, -0.1},
              3e-4},
             {"rod, axial_stiffness: 2",
              "position: [0.25, 0.5], displacement: [0.5, 1]",
              fixed_free,
              3,
              {0.25, 0.75, 1},
              {0.5, 1, 1},
              3e-4},
             {"rod, axial_stiffness: 2, supports: {left: free, right: free}",
              "position: [0.2, 0.6], displacement: [1, 3]",
              free_free,
              4,
              {0, 0.2, 0.4, 0.9},
              {1, 1, 2, 3},
              3e-4},
             {"beam, bending_stiffness: 2, supports: {left: pinned, right: pinned}",
              "position: [0.5], displacement: [1]",
              pinned,
              2,
              {0.5, 0.25},
              {1, 0.6875},
              1e-10}};
    static double q[MODES], rate[MODES];
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: %s, length: 1, mass_per_length: 1, modes: %d}\n"
                 "start: {type: shape, %s}\n",
                 c[i].body, MODES, c[i].start);
        int n = coordinates(text, q, rate, MODES);
        double worst = 0;
        for (int k = 0; k < c[i].n; k++)
            worst = fmax(worst, fabs(sum_at(n, q, c[i].shape, c[i].x[k]) - c[i].u[k]));
        print_message("   %s: %.1e\n", c[i].body, worst);
        assert_true(worst < c[i].most);
    }
}

// A beam held at its end is the one under the load that takes: 3 EI u/L^3. Free beams lie straight.
static void a_bent_beam_is_its_equilibrium(void **state) {
    (void)state; // measured 2e-14
    static const char beam[] =
        "judder: 1\nstructure: {type: beam, length: 2, bending_stiffness: 5, mass_per_length: 3,\n"
        "  modes: 60, supports: {left: %s, right: free}, points: {tip: 2}}\n%s\n";
    static double q[2][MODES], rate[MODES];
    char text[600];
    snprintf(text, sizeof text, beam, "clamped",
             "start: {type: shape, position: [2], displacement: [0.3]}");
    int n = coordinates(text, q[0], rate, MODES);
    snprintf(text, sizeof text, beam, "clamped",
             "drives: {load: {at: tip, type: constant, value: 0.5625}}\nstart: static");
    coordinates(text, q[1], rate, MODES);
    for (int k = 0; k < n; k++) assert_near(q[0][k], q[1][k], 1e-12);
    snprintf(text, sizeof text, beam, "free",
             "start: {type: shape, position: [0.4, 1.1], displacement: [0.2, 0.9]}");
    coordinates(text, q[0], rate, MODES); // u = x - 0.2: mean 0.8, slope 1
    assert_near(fabs(q[0][0]), 0.8 * sqrt(6), 1e-12);
    assert_near(fabs(q[0][1]), sqrt(6) / sqrt(3), 1e-12); // phi = sqrt 12 (xi - 1/2)
    for (int k = 2; k < n; k++) assert_near(q[0][k], 0, 1e-10);
}

// d'Alembert: with no contact force u = [f(x + ct) + f(x - ct)]/2, f the shape and its images.
static double image(double x) {
    double y = remainder(x, 2), a = fabs(y);
    double u = a < 0.25 ? 2 * a : 0.5 * (1 - a) / 0.75;
    return y < 0 ? -u : u;
}

static void an_undamped_pluck_is_two_waves(void **state) {
    (void)state; // measured 3.1e-13
    const char *open = "contacts.bow.law={type: stop, gap: 10, restitution: 0}";
    motion *m = motion_open(plucked, SETS("structure.damping=none", open, "simulate.until=50"));
    motion_start(m);
    double worst = 0;
    for (int i = 1; i <= 400; i++) {
        double t = 0.1237 * i, u, v, F;
        jd_step step;
        assert_int_equal(jd_run_advance(m->run, t, &step), JD_OK);
        motion_look(m, t, &u, &v, &F);
        worst = fmax(worst, fabs(u - (image(0.4 + t) + image(0.4 - t)) / 2));
    }
    print_message("   %.1e\n", worst);
    assert_true(worst < 1e-11);
    motion_close(m);
}

static const char *const shapes[] = {
    "start={type: shape, position: [0.25], displacement: [0.5]}",
    "start={type: shape, position: [0.1, 0.4, 0.9], displacement: [0.2, 0.6, -0.3]}",
    "start={type: shape, position: [0.4], displacement: [0.6]}"};

// Poles against waves: contact on a kink, between kinks.
static void both_forms_start_alike(void **state) {
    (void)state; // measured 2.8e-9
    static const char *const damping[] = {"structure.damping.value=0.05",
                                          "structure.damping.value=0.02"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            motion *a = motion_of(plucked, 2,
                                  SETS(shapes[i], damping[k], "simulate.tolerance=1e-8",
                                       "simulate.memory=exponentials"));
            motion *b = motion_of(
                plucked, 2,
                SETS(shapes[i], damping[k], "simulate.tolerance=1e-8", "simulate.memory=delays"));
            double u[2], v[2], F[2], worst = motion_apart(a, b);
            motion_look(a, 2, &u[0], &v[0], &F[0]);
            motion_look(b, 2, &u[1], &v[1], &F[1]);
            print_message("   %s: %d events, %.1e, %.1e\n", shapes[i], a->n, worst, u[0] - u[1]);
            assert_true(a->n >= 2);
            assert_true(worst < 5e-8);
            assert_near(u[0], u[1], 5e-8);
            motion_close(a);
            motion_close(b);
        }
}

// Events of N and 2 N modes, extrapolated with the order their errors have, against all modes.
static void modes_tend_to(const char *text, const char *few, const char *many, double order,
                          double most, int n_set, const char *const *set) {
    const char *sets[6];
    for (int i = 0; i < n_set; i++) sets[i] = set[i];
    motion *all = motion_of(text, 2, n_set, sets), *m[2];
    for (int i = 0; i < 2; i++) {
        sets[n_set] = i ? many : few;
        m[i] = motion_of(text, 2, n_set + 1, sets);
        assert_int_equal(m[i]->n, all->n);
    }
    double worst = 0, off = 0;
    for (int k = 0; k < all->n; k++) {
        double a = m[0]->event[k].t, b = m[1]->event[k].t;
        off = fmax(off, fabs(b - all->event[k].t));
        worst = fmax(worst, fabs(b + (b - a) / (pow(2, order) - 1) - all->event[k].t));
    }
    print_message("   %s: %d events, off by %.1e, extrapolated %.1e\n", set[0], all->n, off, worst);
    assert_true(all->n >= 2);
    assert_true(worst < most);
    for (int i = 0; i < 2; i++) motion_close(m[i]);
    motion_close(all);
}

static const char bent[] =
    "judder: 1\n"
    "structure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1, modes: "
    "infinite,\n"
    "  supports: {left: clamped, right: free}, points: {tip: 1, mid: 0.6},\n"
    "  damping: {type: ratio, value: 0.05}}\n"
    "contacts: {tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.3}}}\n"
    "simulate: {engine: memory, until: 2, tolerance: 1e-9}\n";

static void modes_tend_to_the_plucked_and_the_struck(void **state) {
    (void)state; // measured at most 7.2e-7 (1/N^2), beam 1.6e-9
    const char *digits = "simulate.tolerance=1e-9";
    modes_tend_to(plucked, "structure.modes=1000", "structure.modes=2000", 1, 3e-6,
                  SETS(shapes[0], digits));
    modes_tend_to(
        plucked, "structure.modes=1000", "structure.modes=2000", 1, 3e-6,
        SETS("start={type: shape, position: [0.1, 0.55, 0.9], displacement: [0.2, 0.6, -0.3]}",
             digits, "structure.damping.value=0.1"));
    modes_tend_to(plucked, "structure.modes=1000", "structure.modes=2000", 1, 3e-6,
                  SETS("start={type: shape, position: [0.2, 0.5, 0.8], velocity: [0, 2, -1]}",
                       digits, "structure.damping.value=0.1"));
    modes_tend_to(plucked, "structure.modes=1000", "structure.modes=2000", 1, 3e-6,
                  SETS("start={type: shape, position: [0.2, 0.8], displacement: [0.3, -0.1], "
                       "velocity: [1.5, -1]}",
                       digits, "structure.damping.value=0.1"));
    modes_tend_to(bent, "structure.modes=100", "structure.modes=200", 3, 1e-7,
                  SETS("start={type: shape, position: [0.5, 1], displacement: [0.1, 0.5], "
                       "velocity: [1, -0.3]}"));
}

// Loads that have always been there: nothing moves until a pulse comes.
static void an_equilibrium_is_known_with_all_modes(void **state) {
    (void)state;
    const char *loads = "drives={load: {at: push, type: constant, value: 2}, blow: {at: push, "
                        "type: pulse, amplitude: 3, start: 0.5, duration: 0.4}}";
    const char *static_start = "start=static";
    static const char *const damping[] = {
        "structure.damping.value=0.05", "structure.damping.value=0.001", "structure.damping=none"};
    for (int i = 0; i < 3; i++) {
        motion *m = motion_of(plucked, 0.45, SETS(static_start, loads, damping[i]));
        double u, v, F;
        motion_look(m, 0.45, &u, &v, &F);
        print_message("   %s: %.1e, %.1e\n", damping[i], u - 0.12, v);
        assert_near(u, 2 * 0.4 * 0.3 / 2, 2e-6); // x (1 - y) f/T
        assert_near(v, 0, 2e-6);
        motion_close(m);
    }
    modes_tend_to(plucked, "structure.modes=1000", "structure.modes=2000", 1, 3e-6,
                  SETS(static_start, loads, "simulate.tolerance=1e-9"));
}

static void what_cannot_be_a_shape_is_refused(void **state) {
    (void)state;
    motion_refused(plucked, "start", "velocities", "exponentials",
                   SETS("start={type: shape, position: [0.5], velocity: [1]}",
                        "structure.damping.value=1e-4"));
    motion_refused(
        plucked, "start", "velocities", "exponentials",
        SETS("start={type: shape, position: [0.5], velocity: [1]}", "structure.damping=none"));
    static const char *const bad[][2] = {
        {"start={type: shape, position: [0, 0.5], displacement: [1, 1]}", "supported"},
        {"start={type: shape, position: [0.5, 1.5], displacement: [1, 1]}", "outside"},
        {"start={type: shape, position: [0.5, 0.5], displacement: [1, 1]}", "rise"},
        {"start={type: shape, position: [0.5], displacement: [1, 1]}", "one of each"}};
    for (int i = 0; i < 4; i++) {
        jd_context *context = jd_context_create(NULL);
        jd_problem *problem = NULL;
        jd_status s = jd_model_parse(context, "m.yaml", JD_SOURCE_DIR, plucked, strlen(plucked), 1,
                                     &bad[i][0], &problem);
        if (s == JD_OK) s = jd_problem_build(problem);
        print_message("   %s\n", jd_context_error(context)->message);
        assert_int_not_equal(s, JD_OK);
        assert_non_null(strstr(jd_context_error(context)->message, bad[i][1]));
        jd_problem_free(problem);
        jd_context_free(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_is_the_sum_of_its_modes),
        cmocka_unit_test(a_bent_beam_is_its_equilibrium),
        cmocka_unit_test(an_undamped_pluck_is_two_waves),
        cmocka_unit_test(both_forms_start_alike),
        cmocka_unit_test(modes_tend_to_the_plucked_and_the_struck),
        cmocka_unit_test(an_equilibrium_is_known_with_all_modes),
        cmocka_unit_test(what_cannot_be_a_shape_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

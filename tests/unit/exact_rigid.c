// exact_rigid.c -- free bodies whose damping couples rigid-body motion with the elastic modes.
//   A dashpot is friction of limit 0 with a slope d. Between ground and one point of a free body:
//     sum m v + d u = const + int F        (the integral of the sum of all equations of motion)
//   and, all else having died away, u = P/d. Between two points of it, momentum is kept.
#include <unistd.h>

#include "judder/model.h"
#include "scene.h"

enum { N = 3 };
static const double mass = 0.7, stiffness = 11, d = 0.9;

// A free chain of three masses with a dashpot at the first; probes 0..2 are the masses.
static scene free_chain(bool inner) {
    scene s = scene_open();
    scene_chain(&s, "", N, mass, stiffness, JD_FREE, JD_FREE, NULL);
    if (inner) s.against = (jd_counter){.kind = JD_PLACE, .place = {.point = "m3"}};
    scene_affine(&s, "dashpot", "m1", 0, d);
    return s;
}

static void look(scene *s, double t, double *u, double *v) {
    if (!s->r) {
        int index;
        scene_start(s);
        for (int i = 0; i < N; i++) must(s, jd_run_probe(s->r, scene_masses[i].name, &index));
    }
    scene_run(s, t);
    jd_run_observe(s->r, t, u, v);
}

static void assert_balance(scene *s, double bound) {
    jd_report r = scene_report(s);
    print_message("   %d events, residual %.1e\n", s->n, r.ledger.residual);
    assert_near(r.ledger.residual, 0, bound);
    assert_true(r.certificate.certified);
}

static void a_free_body_creeps_to_where_its_momentum_is_used(void **state) {
    (void)state;
    const double u0[N] = {0.1, 0, -0.2}, v0[N] = {0.4, 2, 0.3};
    double u[N], v[N], P = mass * (0.4 + 2 + 0.3) + d * u0[0];
    scene s = free_chain(false);
    scene_state(&s, 0, N, u0, v0);
    for (double t = 0.5; t < 30; t *= 1.7) {
        look(&s, t, u, v);
        assert_near(mass * (v[0] + v[1] + v[2]) + d * u[0], P, 2e-14); // measured 3e-15
    }
    look(&s, 250, u, v);
    for (int i = 0; i < N; i++) assert_near(u[i], P / d, 2e-12); // measured 1e-13
    assert_balance(&s, 1e-14);
    scene_close(&s);
}

// Level 0.6 N from 2 s on, ramp 1.5 N in 3 s from 1 s on, a shaker at another mass.
static void loads_on_a_damped_free_body_change_its_momentum(void **state) {
    (void)state;
    double u[N], v[N];
    scene s = free_chain(false);
    scene_pulse(&s, "push", "m3", 0, 0.6, 2, 1e6);
    scene_ramp(&s, "ramp", "m2", 1.5, 1, 3);
    scene_harmonic(&s, "shaker", "m2", 2, 1.3, 0.2);
    const double v0[N] = {0.5, 0, 0};
    scene_state(&s, 0, N, NULL, v0);
    for (double t = 0.7; t < 40; t += 1.9) {
        double r = t < 1 ? 0 : t < 4 ? (t - 1) * (t - 1) / 4 : 2.25 + 1.5 * (t - 4);
        double impulse = 0.5 * mass + r + (t > 2 ? 0.6 * (t - 2) : 0) +
                         2 / 1.3 * (cos(0.2) - cos(1.3 * t + 0.2));
        look(&s, t, u, v);
        assert_near(mass * (v[0] + v[1] + v[2]) + d * u[0], impulse, 1e-12); // measured 6e-14
    }
    assert_balance(&s, 1e-13);
    scene_close(&s);
}

// Outer masses apart: y = u1 - u3 obeys m y'' + 2 d y' + k y = 0; the sum of all moves on freely.
static void a_dashpot_inside_a_free_body_leaves_its_flight_alone(void **state) {
    (void)state;
    const double u0[N] = {0.3, 0.1, -0.2}, v0[N] = {1, 0.5, 0.2};
    double u[N], v[N], a = d / mass,
                       w = sqrt(a * a > stiffness / mass ? 0 : stiffness / mass - a * a);
    scene s = free_chain(true);
    scene_state(&s, 0, N, u0, v0);
    for (double t = 0.4; t < 60; t *= 1.6) {
        double y0 = u0[0] - u0[2], w0 = v0[0] - v0[2],
               y = exp(-a * t) * (y0 * cos(w * t) + (w0 + a * y0) / w * sin(w * t));
        look(&s, t, u, v);
        assert_near(u[0] - u[2], y, 1e-13);
        assert_near(u[0] + u[1] + u[2], 0.2 + 1.7 * t, 4e-15 * (10 + t));
    }
    assert_balance(&s, 1e-14);
    scene_close(&s);
}

// A free beam flies and turns; the dashpot at one end brakes one combination of the two motions.
static void a_free_beam_turns_about_its_braked_end(void **state) {
    (void)state;
    const jd_point point[] = {{.name = "left", .position = 0},
                              {.name = "mid", .position = 1},
                              {.name = "right", .position = 2}};
    jd_fe_beam_def beam;
    jd_type_defaults(jd_type_find(jd_structure_types(), "fe-beam"), &beam);
    beam.length = 2, beam.bending_stiffness = 40, beam.mass_per_length = 1.5, beam.elements = 4;
    beam.supports = (jd_supports){JD_FREE, JD_FREE};
    beam.points = (jd_points){3, point};
    scene s = scene_open();
    scene_body(&s, "", "fe-beam", &beam);
    scene_affine(&s, "dashpot", "right", 0, d);
    const double still[10] = {0}, moving[10] = {0.5, 0.4}; // of the modes: two of a rigid body
    scene_state(&s, 1, 10, still, moving);
    scene_start(&s);
    int index;
    for (int i = 0; i < 3; i++) must(&s, jd_run_probe(s.r, point[i].name, &index));
    double u[3], v[3];
    scene_run(&s, 36);
    jd_run_observe(s.r, 36, u, v);
    // bending has died away: a line through the right end, which rests
    print_message("   end %.1e, bend %.1e m/s\n", v[2], v[1] - 0.5 * v[0]);
    assert_near(v[2], 0, 1e-10);
    assert_near(v[1], 0.5 * v[0], 1e-10);
    assert_true(fabs(v[0]) > 0.1);
    assert_balance(&s, 1e-13);
    scene_close(&s);
}

static void put(const char *folder, const char *name, const double A[N][N], char path[64]) {
    snprintf(path, 64, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("%%MatrixMarket matrix array real symmetric\n3 3\n", f);
    for (int j = 0; j < N; j++)
        for (int i = j; i < N; i++) fprintf(f, "%.17g\n", A[i][j]);
    fclose(f);
}

// Three free masses by their matrices, damping C, pushed with 0.6 N at the first one.
static scene by_matrices(const double C[N][N]) {
    static const double M[N][N] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 1.5}},
                        K[N][N] = {{5, -5, 0}, {-5, 12, -7}, {0, -7, 7}};
    char folder[] = "/tmp/judder-XXXXXX", m[64], k[64], c[64], text[1024];
    assert_non_null(mkdtemp(folder));
    put(folder, "M.mtx", M, m), put(folder, "K.mtx", K, k), put(folder, "C.mtx", C, c);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: matrices, mass: %s, stiffness: %s, modes: all,\n"
             "  points: {m1: {node: 1}, m2: {node: 2}, m3: {node: 3}},\n"
             "  damping: {type: matrix, file: %s}}\n"
             "drives: {push: {type: constant, at: m1, value: 0.6}}\nsimulate: {until: 30}\n",
             m, k, c);
    scene s = scene_open();
    jd_problem_free(s.p);
    must(&s, jd_model_parse(s.c, "rigid.yaml", folder, text, strlen(text), 0, NULL, &s.p));
    must(&s, jd_problem_build(s.p));
    unlink(m), unlink(k), unlink(c), rmdir(folder);
    return s;
}

static double momentum(const double *v) { return v[0] + 2 * v[1] + 1.5 * v[2]; }

static void damping_matrices_of_free_bodies_keep_its_momentum(void **state) {
    (void)state;
    static const double outer[N][N] = {{0, 0, 0}, {0, 0.4, 0}, {0, 0, 0.8}},
                        inner[N][N] = {{0.8, 0, -0.8}, {0, 0, 0}, {-0.8, 0, 0.8}};
    double u[N], v[N];
    scene s = by_matrices(outer), t = by_matrices(inner);
    for (double at = 0.5; at < 30; at *= 1.5) {
        look(&s, at, u, v); // two dashpots to the ground
        assert_near(momentum(v) + 0.4 * u[1] + 0.8 * u[2], 0.6 * at, 1e-13);
        look(&t, at, u, v); // one between masses: rigid-body motion knows nothing of it
        assert_near(momentum(v), 0.6 * at, 1e-13);
        assert_near(momentum(u), 0.3 * at * at, 1e-13 * (1 + at * at));
    }
    look(&s, 400, u, v); // the final speed: all push goes into the dashpots
    for (int i = 0; i < N; i++) assert_near(v[i], 0.6 / 1.2, 1e-13);
    assert_balance(&s, 1e-13);
    assert_balance(&t, 1e-13);
    scene_close(&s);
    scene_close(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_creeps_to_where_its_momentum_is_used),
        cmocka_unit_test(loads_on_a_damped_free_body_change_its_momentum),
        cmocka_unit_test(a_dashpot_inside_a_free_body_leaves_its_flight_alone),
        cmocka_unit_test(damping_matrices_of_free_bodies_keep_its_momentum),
        cmocka_unit_test(a_free_beam_turns_about_its_braked_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

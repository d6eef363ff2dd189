// kernel_poles.c -- responses as poles; coupled damping, several bodies, point against point; what
// W cannot tell apart.
#include <stdlib.h>
#include <unistd.h>

#include "judder/kernel.h"
#include "kernel/cartesian.h"
#include "kernel/family.h"
#include "kernel/reduced.h"
#include "model_case.h"
#include "problem/memory.h"

static const double tau[] = {0.02, 0.3, 1.1, 4.7};

typedef struct seen {
    jd_response *r;
    jd_arena *arena;
} seen;

static seen look(model_case *m, const char *text) {
    seen s = {0};
    reads(m, text, NULL);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    if (jd_problem_response(m->context, m->problem, &s.r) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    s.arena = jd_arena_create(m->context);
    return s;
}

static void forget(seen *s) {
    jd_response_free(s->r);
    jd_arena_free(s->arena);
}

// G and its integral from poles against what is evaluated; all pairs.
static void poles_give_back_G(const seen *s, int most, double bound) {
    jd_response_poles p;
    int n = jd_response_contacts(s->r), m = jd_response_places(s->r);
    assert_int_equal(jd_response_poles_of(s->r, most, s->arena, &p), JD_OK);
    for (int t = 0; t < 4; t++) {
        double G[16];
        assert_int_equal(jd_response_at(s->r, JD_RESPONSE_STEP, 1, &tau[t], G), JD_OK);
        for (int q = 0; q < n * m; q++) {
            double sum = 0;
            for (int k = 0; k < p.n; k++) {
                double complex r = cartesian(p.residue_re[q * p.n + k], p.residue_im[q * p.n + k]);
                assert_true(p.re[k] < 0 && p.im[k] >= 0);
                sum += creal(r * cexp(tau[t] * cartesian(p.re[k], p.im[k])));
            }
            assert_near(sum, G[q], bound); // measured 6e-17
        }
    }
}

#define TWO                                                                                        \
    "contacts:\n"                                                                                  \
    "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n"                              \
    "  b: {at: q, against: ground, law: {type: coulomb, limit: 1}}\n"

static void poles_sum_to_G_for_every_damping(void **state) {
    // underdamped, almost critical, overdamped
    seen s = look(*state, "judder: 1\nstructure: {type: string, length: 1, tension: 2, "
                          "mass_per_length: 2, modes: 4, points: {p: 0.4, q: 0.7}, "
                          "damping: {type: ratio, value: [0.1, 0.95, 1.5, 0.3]}}\n" TWO);
    jd_response_poles p;
    assert_int_equal(jd_response_poles_of(s.r, 10, s.arena, &p), JD_OK);
    assert_int_equal(p.n, 5); // the overdamped mode has two
    poles_give_back_G(&s, 10, 1e-14);
    forget(&s);
    // all modes of a beam: 300 are enough at these times
    s = look(*state, "judder: 1\nstructure: {type: beam, length: 1, bending_stiffness: 1, "
                     "mass_per_length: 1, modes: infinite, points: {p: 0.4, q: 1}, "
                     "supports: {left: clamped, right: free}, "
                     "damping: {type: ratio, value: 0.1}}\n" TWO);
    poles_give_back_G(&s, 300, 1e-13);
    forget(&s);
}

static void a_free_body_without_damping_has_no_poles(void **state) {
    model_case *m = *state;
    jd_response_poles p;
    seen s = look(m, "judder: 1\nstructure: {type: rod, length: 1, axial_stiffness: 2, "
                     "mass_per_length: 2, modes: 5, points: {p: 0.4, q: 0.7}, "
                     "supports: {left: free, right: free}}\n" TWO);
    assert_int_equal(jd_response_poles_of(s.r, 10, s.arena, &p), JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message, "rigid-body mode without damping");
    forget(&s);
}

// Three masses on springs, M = I, with a damping matrix that couples their modes.
static const double K3[3][3] = {{3, -1, 0}, {-1, 4, -2}, {0, -2, 5}};
static const double C3[3][3] = {{0.5, -0.2, 0}, {-0.2, 0.3, 0.1}, {0, 0.1, 4.5}};

static void put(const char *folder, const char *name, const double A[3][3], char *path,
                size_t size) {
    snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("%%MatrixMarket matrix array real symmetric\n3 3\n", f);
    for (int j = 0; j < 3; j++)
        for (int i = j; i < 3; i++) fprintf(f, "%g\n", A[i][j]);
    fclose(f);
}

static seen three_masses(model_case *m, const char *points, const char *contacts) {
    static const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    char folder[] = "/tmp/judder-XXXXXX", M[64], K[64], C[64], text[1024];
    assert_non_null(mkdtemp(folder));
    put(folder, "M.mtx", one, M, sizeof M);
    put(folder, "K.mtx", K3, K, sizeof K);
    put(folder, "C.mtx", C3, C, sizeof C);
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: matrices, mass: %s, stiffness: %s, modes: all,\n"
             "  points: %s, damping: {type: matrix, file: %s}}\n%s",
             M, K, points, C, contacts);
    seen s = look(m, text);
    unlink(M), unlink(K), unlink(C), rmdir(folder);
    return s;
}

static long double pull(int i, int l, long double q, long double v) {
    return (long double)K3[i][l] * q + (long double)C3[i][l] * v;
}

// q'' + C q' + K q = unit step at mass j, by Taylor series of 30 terms in steps of 1/50.
static void integrate(int j, double until, long double q[3], long double v[3]) {
    int steps = (int)ceil(until * 50);
    long double h = (long double)until / steps;
    for (int i = 0; i < 3; i++) q[i] = v[i] = 0;
    for (int n = 0; n < steps; n++) {
        long double Q[3], V[3], power = 1;
        for (int i = 0; i < 3; i++) Q[i] = q[i], V[i] = v[i];
        for (int k = 0; k < 30; k++) {
            long double a[3];
            power *= h;
            for (int i = 0; i < 3; i++) {
                a[i] = k == 0 && i == j;
                for (int l = 0; l < 3; l++) a[i] -= pull(i, l, Q[l], V[l]);
            }
            for (int i = 0; i < 3; i++) {
                Q[i] = V[i] / (k + 1), V[i] = a[i] / (k + 1);
                q[i] += power * Q[i], v[i] += power * V[i];
            }
        }
    }
}

static void coupled_damping_is_summed_over_complex_poles(void **state) {
    static const int mass[] = {0, 2};
    seen s = three_masses(*state, "{p: {node: 1}, q: {node: 3}}", TWO);
    poles_give_back_G(&s, 10, 1e-14);
    for (int t = 0; t < 4; t++) {
        double rate[4], G[4], U[4];
        assert_int_equal(jd_response_at(s.r, JD_RESPONSE_RATE, 1, &tau[t], rate), JD_OK);
        assert_int_equal(jd_response_at(s.r, JD_RESPONSE_STEP, 1, &tau[t], G), JD_OK);
        assert_int_equal(jd_response_at(s.r, JD_RESPONSE_INTEGRAL, 1, &tau[t], U), JD_OK);
        for (int j = 0; j < 2; j++) {
            long double q[3], v[3];
            integrate(mass[j], tau[t], q, v);
            for (int i = 0; i < 2; i++) {
                long double a = i == j;
                for (int l = 0; l < 3; l++) a -= pull(mass[i], l, q[l], v[l]);
                assert_near(G[2 * i + j], (double)v[mass[i]], 1e-13); // measured 2e-16
                assert_near(U[2 * i + j], (double)q[mass[i]], 1e-13);
                assert_near(rate[2 * i + j], (double)a, 1e-13);
            }
        }
    }
    forget(&s);
}

// A contact on every mass: nothing is eliminated, K and C come back, no memory is left. Measured
// 1e-15 throughout.
static void contacts_on_all_masses_leave_no_memory(void **state) {
    seen s = three_masses(*state, "{p: {node: 1}, q: {node: 3}, r: {node: 2}}",
                          TWO "  c: {at: r, against: ground, law: {type: coulomb, limit: 1}}\n");
    static const int mass[] = {0, 2, 1};
    double L[36], L0[36], L1[36], work[64];
    jd_reduced w;
    assert_int_equal(jd_reduced_make(s.arena, s.r, NULL, &w), JD_OK);
    assert_int_equal(jd_reduced_at(&w, 4, tau, L, L0, L1, work), JD_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            assert_near(w.K[3 * i + j], K3[mass[i]][mass[j]], 1e-13);
            assert_near(w.C[3 * i + j], C3[mass[i]][mass[j]], 1e-13);
            assert_near(w.L_infinity[3 * i + j], i == j, 1e-13);
            for (int t = 0; t < 4; t++) {
                assert_near(L[9 * t + 3 * i + j], i == j, 1e-13);
                assert_near(L0[9 * t + 3 * i + j], 0, 1e-13);
                assert_near(L1[9 * t + 3 * i + j], 0, 1e-13);
            }
        }
    forget(&s);
}

#define BOW_STRING                                                                                 \
    "{type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite, "                  \
    "points: {p: 0.4, q: 0.7}, damping: {type: ratio, value: 0.1}}\n"
#define BLADE                                                                                      \
    "{type: beam, length: 1.2, bending_stiffness: 3, mass_per_length: 0.7, modes: infinite, "      \
    "supports: {left: clamped, right: free}, points: {tip: 1.2}, "                                 \
    "damping: {type: ratio, value: 0.05}}\n"
#define FEW                                                                                        \
    "{type: rod, length: 2, axial_stiffness: 3, mass_per_length: 0.7, modes: 6, "                  \
    "points: {end: 1.1}, damping: {type: ratio, value: 0.05}}\n"
#define LAW "law: {type: coulomb, limit: 1}"

// Kernels of one contact between two bodies, less those of each body held against the ground.
static void add_up(void **state, const char *first, const char *at, const char *second,
                   const char *against, double bound) {
    char text[1500];
    double value[3][4][4], jump[3];
    for (int q = 0; q < 3; q++) {
        if (q == 0)
            snprintf(text, sizeof text,
                     "judder: 1\nbodies:\n  one: %s  two: %scontacts: {c: {at: {body: one, point: "
                     "%s}, against: {body: two, point: %s}, " LAW "}}\n",
                     first, second, at, against);
        else
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: %scontacts: {c: {at: %s, against: ground, " LAW "}}\n",
                     q == 1 ? first : second, q == 1 ? at : against);
        seen s = look(*state, text);
        for (int order = -1; order <= 2; order++)
            assert_int_equal(
                jd_response_at(s.r, (jd_response_order)order, 4, tau, value[q][order + 1]), JD_OK);
        jump[q] = jd_response_jump(s.r)[0];
        if (q == 0) assert_int_equal(jd_response_regularity(s.r), JD_START_JUMP);
        forget(&s);
    }
    assert_near(jump[0], jump[1] + jump[2], 1e-16);
    for (int order = 0; order < 4; order++)
        for (int t = 0; t < 4; t++)
            assert_near(value[0][order][t], value[1][order][t] + value[2][order][t], bound);
}

static void two_bodies_in_contact_add_their_kernels(void **state) {
    add_up(state, BOW_STRING, "p", BOW_STRING, "q", 1e-15);
    add_up(state, BOW_STRING, "p", FEW, "end", 1e-15); // the roughest decides how G starts
    add_up(state, BLADE, "tip", BOW_STRING, "q", 1e-15);
}

static void point_against_point_is_a_difference(void **state) {
    seen two = look(*state, "judder: 1\nstructure: " BOW_STRING TWO);
    seen one = look(*state, "judder: 1\nstructure: " BOW_STRING
                            "contacts: {c: {at: p, against: q, " LAW "}}\n");
    const double *j = jd_response_jump(two.r);
    assert_near(jd_response_jump(one.r)[0], j[0] - j[1] - j[2] + j[3], 1e-16);
    for (int order = -1; order <= 2; order++) {
        double a[4], b[4][4];
        jd_response_at(one.r, (jd_response_order)order, 4, tau, a);
        jd_response_at(two.r, (jd_response_order)order, 4, tau, b[0]);
        for (int t = 0; t < 4; t++) assert_near(a[t], b[t][0] - b[t][1] - b[t][2] + b[t][3], 1e-14);
    }
    forget(&one);
    forget(&two);
}

static void refuse(model_case *m, const char *text, const char *part, const char *more) {
    jd_kernel *k;
    jd_status s = model_parse(m, text, NULL);
    if (s == JD_OK) s = jd_problem_build(m->problem);
    if (s == JD_OK) s = jd_kernel_create(m->context, m->problem, &k);
    assert_int_not_equal(s, JD_OK);
    says("message", jd_context_error(m->context)->message, part);
    says("message", jd_context_error(m->context)->message, more);
}

static void a_contact_at_a_node_of_every_mode_is_refused(void **state) {
    static const char *const at[] = {"0", "1"};
    for (int q = 0; q < 2; q++) {
        char text[600];
        snprintf(text, sizeof text,
                 "judder: 1\nstructure: {type: string, length: 1, tension: 2, mass_per_length: 2, "
                 "modes: infinite, points: {p: %s}, damping: {type: ratio, value: 0.1}}\n"
                 "contacts: {c: {at: p, against: ground, " LAW "}}\n",
                 at[q]);
        refuse(*state, text, "`c`", "that no mode moves");
    }
    refuse(*state,
           "judder: 1\nstructure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: "
           "1, modes: infinite, supports: {left: clamped, right: free}, points: {p: 0}}\n"
           "contacts: {c: {at: p, against: ground, " LAW "}}\n",
           "`c`", "that no mode moves");
}

// The condition number grows as 1/distance: fine at 0.05, refused at 0.0002, with its value.
static void contacts_too_close_for_W_tell_its_condition(void **state) {
    static const char form[] =
        "judder: 1\nstructure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: "
        "infinite, points: {p: 0.4, q: %s}, damping: {type: ratio, value: 0.1}}\n" TWO
        "kernel: {modes: [1, 2], until: 1, points: 3}\n";
    char text[900];
    jd_kernel *k;
    model_case *m = *state;
    snprintf(text, sizeof text, form, "0.45");
    reads(m, text, NULL);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    assert_int_equal(jd_kernel_create(m->context, m->problem, &k), JD_OK);
    double condition = jd_kernel_look(k)->condition;
    assert_true(condition > 5 && condition < 50);
    jd_kernel_free(k);
    snprintf(text, sizeof text, form, "0.4002");
    refuse(m, text, "condition number", "e+03");
}

// u = int g by its power series in long double: g = t - c t^2/2 + ...
static void displacements_of_a_mode_are_right_at_short_times(void **state) {
    (void)state; // measured 4e-16
    for (int i = 0; i < 60; i++) {
        double w = 3, c = w * 0.033 * (i % 30), t = 0.9e-3 / w * (i < 30 ? 1 : 0.1), value[4];
        long double a = 0, b = 1, power = t, sum = 0;
        for (int k = 1; k < 20; k++) { // b = g^(k)(0), power = t^k/k!
            power *= (long double)t / (k + 1);
            sum += b * power;
            long double next = -c * b - (long double)w * w * a;
            a = b;
            b = next;
        }
        jd_mode_orders(w, c, t, value);
        assert_near(value[2] / (double)sum, 1, 2e-15);
    }
}

// A = s^2 + s C + K; its inverse by cofactors, both indices cyclic.
static double complex inverse(double complex s, int i, int j) {
    double complex A[3][3], det = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) A[a][b] = (a == b ? s * s : 0) + s * C3[a][b] + K3[a][b];
    for (int b = 0; b < 3; b++)
        det += A[0][b] *
               (A[1][(b + 1) % 3] * A[2][(b + 2) % 3] - A[1][(b + 2) % 3] * A[2][(b + 1) % 3]);
    int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
    return (A[a][c] * A[b][d] - A[a][d] * A[b][c]) / det;
}

static void coupled_damping_answers_as_its_matrices(void **state) {
    static const double at[][2] = {{0.3, 2}, {0, 1.7}, {1, -5}, {0, 40}, {0.01, 0.05}, {2, 0}};
    static const int mass[] = {0, 2};
    seen s = three_masses(*state, "{p: {node: 1}, q: {node: 3}}", TWO);
    for (int k = 0; k < 6; k++) {
        double out[8];
        double complex z = cartesian(at[k][0], at[k][1]);
        assert_int_equal(jd_response_transfer(s.r, at[k], out), JD_OK);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                double complex exact = z * inverse(z, mass[i], mass[j]);
                assert_near(out[2 * (2 * i + j)], creal(exact), 1e-13);
                assert_near(out[2 * (2 * i + j) + 1], cimag(exact), 1e-13);
            }
    }
    forget(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(poles_sum_to_G_for_every_damping),
        cmocka_unit_test(displacements_of_a_mode_are_right_at_short_times),
        MODEL_TEST(a_free_body_without_damping_has_no_poles),
        MODEL_TEST(coupled_damping_is_summed_over_complex_poles),
        MODEL_TEST(coupled_damping_answers_as_its_matrices),
        MODEL_TEST(contacts_on_all_masses_leave_no_memory),
        MODEL_TEST(two_bodies_in_contact_add_their_kernels),
        MODEL_TEST(point_against_point_is_a_difference),
        MODEL_TEST(a_contact_at_a_node_of_every_mode_is_refused),
        MODEL_TEST(contacts_too_close_for_W_tell_its_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

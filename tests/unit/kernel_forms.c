// kernel_forms.c -- kernels of every continuum against sums over many modes; W; what is refused.
#include "judder/kernel.h"
#include "kernel/reduced.h"
#include "model_case.h"
#include "problem/memory.h"

#define CONTACTS                                                                                   \
    "contacts:\n"                                                                                  \
    "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n"                              \
    "  b: {at: q, against: ground, law: {type: coulomb, limit: 1}}\n"
#define STRING                                                                                     \
    "judder: 1\nstructure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: 20, "  \
    "points: {p: 0.4, q: 0.7}, damping: {type: ratio, value: 0.1}}\n" CONTACTS

static jd_response *respond(model_case *m, const char *text, const char *set) {
    jd_response *r;
    reads(m, text, set);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    if (jd_problem_response(m->context, m->problem, &r) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return r;
}

// G', G, U and the second integral, all pairs, of the closed form and of many modes.
static void agree(void **state, const char *structure, int modes, double bound) {
    static const double tau[] = {0.03, 0.11, 0.4, 1.3, 5};
    char text[1000], few[100];
    double a[5][4], b[5][4];
    for (int order = -1; order <= 2; order++) {
        for (int q = 0; q < 2; q++) {
            snprintf(few, sizeof few, "%d", modes);
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {%s, mass_per_length: 1.7, length: 1.3, modes: %s}\n%s",
                     structure, q ? few : "infinite", CONTACTS);
            jd_response *r = respond(*state, text, NULL);
            jd_response_at(r, (jd_response_order)order, 5, tau, q ? b[0] : a[0]);
            jd_response_free(r);
        }
        for (int t = 0; t < 5; t++)
            for (int k = 0; k < 4; k++) // the second integral knows no rigid-body mode
                if (order < 2 || !isnan(b[t][k])) assert_near(a[t][k], b[t][k], bound);
    }
}

// Damping wipes out what 3000 modes leave out of G and G'; their share of U is 1/(pi^2 3000).
static void waves_agree_with_their_modes(void **state) {
    static const char *const ends[] = {"{left: fixed, right: fixed}", "{left: fixed, right: free}",
                                       "{left: free, right: fixed}", "{left: free, right: free}"};
    for (int k = 0; k < 4; k++) {
        char text[300]; // a free right end where there is one
        snprintf(text, sizeof text,
                 "type: rod, axial_stiffness: 2.3, supports: %s, points: {p: 0.3, q: %s}, "
                 "damping: {type: ratio, value: 0.2}",
                 ends[k], k % 2 ? "1.3" : "0.9");
        agree(state, text, 3000, 1e-4);
    }
    agree(state,
          "type: string, tension: 2, points: {p: 0.3, q: 0.9}, damping: {type: ratio, value: 1.4}",
          3000, 1e-4);
}

static void beams_agree_with_their_modes(void **state) {
    static const char *const ends[] = {
        "{left: clamped, right: free}", "{left: pinned, right: pinned}",
        "{left: clamped, right: pinned}", "{left: free, right: guided}"};
    for (int k = 0; k < 4; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "type: beam, bending_stiffness: 2.3, supports: %s, points: {p: 0.3, q: 0.9}, "
                 "damping: {type: ratio, value: 0.2}",
                 ends[k]);
        agree(state, text, 2000, 1e-9);
    }
}

// (III.29) with its second term integrated, summed over 20 modes.
static double corrected(double t, int N, double D) {
    const double pi = 3.14159265358979312;
    double sum = 0, r = sqrt(1 - D * D), w1 = pi;
    for (int k = 1; k <= N; k++) {
        double w = pi * k, n = sin(k * pi * 0.4), e = exp(-D * w * t), c = cos(r * w * t),
               s = sin(r * w * t);
        sum += n * n * e / (r * w * w * w) *
                   ((2 * w1 * w1 * D - 2 * D * w1 * w) * r * c +
                    (w1 * w1 * (2 * D * D - 1) + w * w - 2 * D * D * w1 * w) * s) +
               n * n * (2 * D * w1 / (w * w) - 2 * w1 * w1 * D / (w * w * w));
    }
    return sum;
}

#define BOW                                                                                        \
    "judder: 1\nstructure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: 20, "  \
    "points: {p: 0.4}, damping: {type: ratio, value: 0.1}}\n"                                      \
    "contacts: {bow: {at: p, against: ground, law: {type: coulomb, limit: 1}}}\n"                  \
    "kernel: {until: 3, points: 400}\n"

static jd_kernel *kernel_of(model_case *m, const char *text, const char *set) {
    jd_kernel *k;
    reads(m, text, set);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    if (jd_kernel_create(m->context, m->problem, &k) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return k;
}

static void finite_kernel_is_the_corrected_series(void **state) {
    jd_kernel *k = kernel_of(*state, BOW, NULL);
    const jd_kernel_view *v = jd_kernel_look(k);
    assert_int_equal(v->start, JD_KERNEL_SMOOTH);
    for (int t = 0; t < v->n_tau; t++)
        assert_near(v->L1[t], corrected(v->tau[t], 20, 0.1), 1e-13); // measured 2e-16
    jd_kernel_free(k);
}

// Truncation of the string's kernel on [0.02, 3], from the theory: 6.4e-2 ... 5.1e-3.
static void truncated_kernels_err_as_predicted(void **state) {
    static const double error[] = {6.4e-2, 3.0e-2, 1.3e-2, 5.1e-3};
    model_case *m = *state;
    jd_response *r = respond(m, BOW, "structure.modes=infinite");
    jd_arena *arena = jd_arena_create(m->context);
    jd_reduced w;
    assert_int_equal(jd_reduced_make(arena, r, NULL, &w), JD_OK);
    for (int q = 0; q < 4; q++) {
        double most = 0;
        for (int i = 0; i < 600; i++) {
            double t = 0.02 + i * (3 - 0.02) / 599, value, work[4];
            assert_int_equal(jd_reduced_at(&w, 1, &t, NULL, NULL, &value, work), JD_OK);
            most = fmax(most, fabs(corrected(t, 20 << q, 0.1) - value));
        }
        assert_relative(most, error[q], 0.02);
    }
    jd_arena_free(arena);
    jd_response_free(r);
}

// Moving in the modes of W alone, without forces, y'' = -K y - C y' holds exactly.
static void W_carries_its_own_modes(void **state) {
    static const int choice[][2] = {{1, 2}, {2, 3}};
    model_case *m = *state;
    for (int q = 0; q < 2; q++) {
        jd_response *r = respond(m, STRING, NULL);
        jd_arena *arena = jd_arena_create(m->context);
        jd_reduced w;
        jd_response_modes y;
        assert_int_equal(jd_reduced_make(arena, r, choice[q], &w), JD_OK);
        assert_int_equal(jd_response_modes_of(r, 20, arena, &y), JD_OK);
        double x[2] = {0.3, -0.8}, rate[2] = {1.1, 0.4}, u[2] = {0}, v[2] = {0}, a[2] = {0};
        for (int p = 0; p < 2; p++)
            for (int i = 0; i < 2; i++) {
                int k = choice[q][p] - 1;
                double n = y.row[i * y.n + k], omega = y.omega[k];
                u[i] += n * x[p];
                v[i] += n * rate[p];
                a[i] += n * (-omega * omega * x[p] - y.c[k] * rate[p]);
            }
        for (int i = 0; i < 2; i++) {
            double sum = 0;
            for (int j = 0; j < 2; j++)
                sum += w.A[(2 + i) * 4 + j] * u[j] + w.A[(2 + i) * 4 + 2 + j] * v[j];
            assert_near(sum, a[i], 1e-12);
        }
        jd_arena_free(arena);
        jd_response_free(r);
    }
}

// L1 is the integral of L0, L0 what is left of L; L(0) = sum n n'. Two contacts, two choices of W.
static void kernels_of_two_contacts_integrate_to_each_other(void **state) {
    static const char *const set[] = {"kernel={until: 2, points: 4001, modes: [1, 2]}",
                                      "kernel={until: 2, points: 4001, modes: [3, 2]}"};
    for (int q = 0; q < 2; q++) {
        jd_kernel *k = kernel_of(*state, STRING, set[q]);
        const jd_kernel_view *v = jd_kernel_look(k);
        double sum[4] = {0};
        for (int t = 0; t + 2 < v->n_tau; t += 2) // Simpson in x, tau = T x^2
            for (int p = 0; p < 4; p++) {
                double h = 1.0 / (v->n_tau - 1), x = t * h, T = v->tau[v->n_tau - 1];
                sum[p] += h / 3 * 2 * T *
                          (x * v->L0[4 * t + p] + 4 * (x + h) * v->L0[4 * (t + 1) + p] +
                           (x + 2 * h) * v->L0[4 * (t + 2) + p]);
            }
        for (int p = 0; p < 4; p++) {
            assert_near(sum[p], v->L1[4 * (v->n_tau - 1) + p], 1e-9); // measured 5e-11
            assert_near(v->L[p] - v->L_infinity[p], v->L0[p], 1e-14);
            assert_near(v->L[p], v->first[p], 1e-13);
        }
        assert_true(v->condition >= 1 && v->condition < 10);
        jd_kernel_free(k);
    }
}

static void bad_kernel(model_case *m, const char *text, const char *set, const char *message) {
    jd_kernel *k;
    jd_status s = model_parse(m, text, set);
    if (s == JD_OK) s = jd_problem_build(m->problem);
    if (s == JD_OK) {
        s = jd_kernel_create(m->context, m->problem, &k);
        assert_null(k);
    }
    assert_int_not_equal(s, JD_OK);
    says("message", jd_context_error(m->context)->message, message);
}

static void what_has_no_kernel_is_refused_by_name(void **state) {
    model_case *m = *state;
    bad_kernel(m, STRING, "structure.points={p: 0.4, q: 0.40001}", "condition number");
    bad_kernel(m, STRING, "structure.points={p: 0.4, q: 0.4}", "condition number infinite");
    bad_kernel(m, STRING, "structure.points={p: 0.4, q: 1}", "that no mode moves");
    bad_kernel(m, STRING, "kernel.modes=[1]", "one mode for each of 2 contacts, not 1");
    bad_kernel(m, STRING, "kernel.modes=[1, 90]", "mode 90 of W");
    bad_kernel(m, STRING, "kernel.modes=[1, 1]", "condition number infinite");
    bad_kernel(m, BOW, "kernel.modes=5", "condition number"); // x = 0.4 is a node of mode 5
    bad_kernel(m, STRING, "contacts={}", "a model without contacts has no kernels");
    bad_kernel(m,
               "judder: 1\nstructure: {type: string, length: 1, tension: 2, mass_per_length: 2, "
               "modes: infinite, points: {p: 0.4}, damping: {type: rayleigh, mass: 0.1}}\n"
               "contacts: {bow: {at: p, against: ground, law: {type: coulomb, limit: 1}}}\n",
               NULL, "damping by `mass` alone");
    bad_kernel(m,
               "judder: 1\nstructure: {type: fe-rod, length: 1, axial_stiffness: 2, "
               "mass_per_length: 2, elements: 5, modes: infinite, points: {p: 0.4}}\n"
               "contacts: {bow: {at: p, against: ground, law: {type: coulomb, limit: 1}}}\n",
               NULL, "infinite");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(waves_agree_with_their_modes),
        MODEL_TEST(beams_agree_with_their_modes),
        MODEL_TEST(finite_kernel_is_the_corrected_series),
        MODEL_TEST(truncated_kernels_err_as_predicted),
        MODEL_TEST(W_carries_its_own_modes),
        MODEL_TEST(kernels_of_two_contacts_integrate_to_each_other),
        MODEL_TEST(what_has_no_kernel_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

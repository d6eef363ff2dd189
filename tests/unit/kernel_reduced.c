// kernel_reduced.c -- the reduced equation of two contacts predicts what the modes do.
//   String of 20 modes, forces F_j = a_j sin(w_j t) at 0.4 and 0.7, three modes moving at the
//   start. Modal system: each mode in closed form, n_k = sin(k pi x), omega_k = k pi (rho L = 2).
//   Reduced:  y'' = -K y - C y' + L_infinity F + int_0^t L0(tau) F'(t - tau) dtau + r(t), F(0) = 0,
//             r = free'' + C free' + K free of the modes that W leaves out
//   solved by variation of constants; every integral by Gauss's ten nodes on panels of 1/20.
#include "kernel/cartesian.h"
#include "kernel/reduced.h"
#include "model_case.h"
#include "problem/memory.h"

#define STRING                                                                                     \
    "judder: 1\nstructure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: 20, "  \
    "points: {p: 0.4, q: 0.7}, damping: {type: ratio, value: 0.1}}\ncontacts:\n"                   \
    "  a: {at: p, against: ground, law: {type: coulomb, limit: 1}}\n"                              \
    "  b: {at: q, against: ground, law: {type: coulomb, limit: 1}}\n"

enum { N = 20, NODES = 10, STEPS = 24 };
static const double pi = 3.14159265358979312, D = 0.1, H = 0.05;
static const double place[] = {0.4, 0.7}, force[] = {1.3, -0.7}, pace[] = {5.1, 11.3};

static const double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                              0.8650633666889845, 0.9739065285171717};
static const double weight[] = {0.2955242247147529, 0.2692667193099964, 0.2190863625159820,
                                0.1494513491505806, 0.0666713443086881};

// Node i of 10 on [0, 1].
static double node_at(int i) { return (1 + (i < 5 ? -node[i] : node[i - 5])) / 2; }
static double weight_at(int i) { return weight[i % 5] / 2; }

// Displacement, velocity, acceleration of one mode from (x, v) under its share of the forces.
static void mode_motion(int k, double t, double x, double v, bool forced, double out[3]) {
    double w = k * pi, nu = w * sqrt(1 - D * D);
    double complex p = cartesian(-D * w, nu), amplitude;
    out[0] = out[1] = out[2] = 0;
    for (int j = 0; forced && j < 2; j++) {
        double a = force[j] * sin(k * pi * place[j]), f = pace[j];
        double complex steady = a / cartesian(w * w - f * f, 2 * D * w * f),
                       e = cexp(cartesian(0, f * t));
        out[0] += cimag(steady * e);
        out[1] += f * creal(steady * e);
        out[2] += cimag(-f * f * steady * e);
        x -= cimag(steady);
        v -= f * creal(steady);
    }
    // Re(z e^{pt}) with Re z = x, Re(p z) = v
    amplitude = cartesian(x, -(v + D * w * x) / nu);
    amplitude *= cexp(p * t);
    out[0] += creal(amplitude);
    out[1] += creal(p * amplitude);
    out[2] += creal(p * p * amplitude);
}

// Motion of the contacts, out[derivative][contact].
static void contacts_motion(double t, bool forced, double out[3][2]) {
    static const double x[] = {0.2, -0.1, 0.07}, v[] = {-0.5, 0.9, 0.4};
    memset(out, 0, 6 * sizeof(double));
    for (int k = 1; k <= N; k++) {
        double m[3];
        mode_motion(k, t, k <= 3 ? x[k - 1] : 0, k <= 3 ? v[k - 1] : 0, forced, m);
        for (int j = 0; j < 2; j++)
            for (int d = 0; d < 3; d++) out[d][j] += sin(k * pi * place[j]) * m[d];
    }
}

// What stands beside A y: L_infinity F, memory, and the free motion W does not carry.
static void beside(const jd_reduced *r, double t, double b[2]) {
    double free[3][2], work[64], L0[4];
    contacts_motion(t, false, free);
    for (int i = 0; i < 2; i++) {
        b[i] = free[2][i];
        for (int j = 0; j < 2; j++)
            b[i] += r->K[2 * i + j] * free[0][j] + r->C[2 * i + j] * free[1][j] +
                    r->L_infinity[2 * i + j] * force[j] * sin(pace[j] * t);
    }
    int panels = (int)ceil(t / H);
    for (int p = 0; p < panels; p++)
        for (int q = 0; q < NODES; q++) {
            double h = t / panels, tau = (p + node_at(q)) * h;
            assert_int_equal(jd_reduced_at(r, 1, &tau, NULL, L0, NULL, work), JD_OK);
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    b[i] += weight_at(q) * h * L0[2 * i + j] * force[j] * pace[j] *
                            cos(pace[j] * (t - tau));
        }
}

// y := e^{A h} y, by its series.
static void carry(const double *A, double h, double y[4]) {
    double term[4], next[4];
    memcpy(term, y, sizeof term);
    for (int n = 1; n < 40; n++) {
        for (int i = 0; i < 4; i++) {
            next[i] = 0;
            for (int j = 0; j < 4; j++) next[i] += A[4 * i + j] * term[j] * h / n;
        }
        memcpy(term, next, sizeof term);
        for (int i = 0; i < 4; i++) y[i] += term[i];
    }
}

static double predict(const jd_reduced *r) {
    double start[3][2], exact[3][2], y[4], most = 0;
    contacts_motion(0, true, start);
    for (int i = 0; i < 2; i++) y[i] = start[0][i], y[2 + i] = start[1][i];
    for (int n = 0; n < STEPS; n++) {
        double next[4];
        memcpy(next, y, sizeof next);
        carry(r->A, H, next);
        for (int q = 0; q < NODES; q++) {
            double z[4] = {0};
            beside(r, (n + node_at(q)) * H, z + 2);
            carry(r->A, (1 - node_at(q)) * H, z);
            for (int i = 0; i < 4; i++) next[i] += weight_at(q) * H * z[i];
        }
        memcpy(y, next, sizeof y);
        contacts_motion((n + 1) * H, true, exact);
        for (int i = 0; i < 2; i++) most = fmax(most, fabs(y[2 + i] - exact[1][i]));
    }
    return most;
}

static jd_response *respond(model_case *m) {
    jd_response *r;
    reads(m, STRING, NULL);
    assert_int_equal(jd_problem_build(m->problem), JD_OK);
    assert_int_equal(jd_problem_response(m->context, m->problem, &r), JD_OK);
    return r;
}

static void reduced_equation_predicts_contact_velocities(void **state) {
    static const int choice[][2] = {{1, 2}, {2, 3}, {7, 1}};
    model_case *m = *state;
    jd_response *r = respond(m);
    jd_arena *arena = jd_arena_create(m->context);
    for (int q = 0; q < 3; q++) {
        jd_reduced w;
        assert_int_equal(jd_reduced_make(arena, r, choice[q], &w), JD_OK);
        assert_near(predict(&w), 0, 1e-9); // measured 9e-14
    }
    jd_arena_free(arena);
    jd_response_free(r);
}

// The same without W: velocity = free + int G'(tau) F(t - tau) dtau.
static void velocity_form_predicts_contact_velocities(void **state) {
    jd_response *r = respond(*state);
    for (int n = 1; n <= STEPS; n++) {
        double t = n * H, free[3][2], exact[3][2], rate[4];
        contacts_motion(t, false, free);
        contacts_motion(t, true, exact);
        for (int p = 0; p < n; p++)
            for (int q = 0; q < NODES; q++) {
                double tau = (p + node_at(q)) * H;
                assert_int_equal(jd_response_at(r, JD_RESPONSE_RATE, 1, &tau, rate), JD_OK);
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++)
                        free[1][i] += weight_at(q) * H * rate[2 * i + j] * force[j] *
                                      sin(pace[j] * (t - tau));
            }
        for (int i = 0; i < 2; i++) assert_near(free[1][i], exact[1][i], 1e-12); // measured 1e-15
    }
    jd_response_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(reduced_equation_predicts_contact_velocities),
        MODEL_TEST(velocity_form_predicts_contact_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

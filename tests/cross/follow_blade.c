// follow_blade.c -- responses of beams whose contact is stuck far from resonance and slides near
// it: both ways the same branch, sliding begins and ends where the closed form says, nothing folds.
//   Rigid contact at dof c of a beam of 16 degrees of freedom (eight Hermite elements, Rayleigh
//   damping): stuck, x_c = 0 and the contact holds |(D x)_c|, D = K - w^2 M + i w C. A damper of
//   stiffness kt under a blade of four modes: its force is kt |x_c|,
//     x_c = F H_ct/(1 + kt H_cc),  H_ab = sum phi_k(a) phi_k(b)/(w_k^2 - w^2 + 2 i zeta w_k w).
//   Both are drawn around a known case: friction 7.5 times the force at the tip; a limit of 60 N.
#include <complex.h>
#include <math.h>

#include "draws.h"
#include "follow_case.h"

enum { DOF = 16, ELEMENTS = 8, MODES = 4 };

typedef double force_of(const void *beam, double w);

typedef struct fe_beam {
    int at; // node of the contact, 2 .. 8; the last is 9
    double damping, force, limit;
} fe_beam;

static double complex times_i(double x) {
    double complex z = 0;
    ((double *)&z)[1] = x; // C11 6.2.5: an array of re, im
    return z;
}

// K and M of a clamped beam, EI = m = L = 1.
static void matrices(double K[DOF][DOF], double M[DOF][DOF]) {
    const double l = 1.0 / ELEMENTS;
    const double k[4][4] = {{12, 6 * l, -12, 6 * l},
                            {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                            {-12, -6 * l, 12, -6 * l},
                            {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
    const double m[4][4] = {{156, 22 * l, 54, -13 * l},
                            {22 * l, 4 * l * l, 13 * l, -3 * l * l},
                            {54, 13 * l, 156, -22 * l},
                            {-13 * l, -3 * l * l, -22 * l, 4 * l * l}};
    memset(K, 0, sizeof(double[DOF][DOF]));
    memset(M, 0, sizeof(double[DOF][DOF]));
    for (int e = 0; e < ELEMENTS; e++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                int a = 2 * e + i - 2, b = 2 * e + j - 2; // the first node is clamped
                if (a < 0 || b < 0) continue;
                K[a][b] += k[i][j] / (l * l * l);
                M[a][b] += m[i][j] * l / 420;
            }
}

static double held_by_beam(const void *beam, double w) {
    static double K[DOF][DOF], M[DOF][DOF];
    const fe_beam *b = beam;
    double complex A[DOF][DOF + 1], D[DOF][DOF], x[DOF];
    int at = 2 * (b->at - 2), tip = DOF - 2;
    if (K[0][0] == 0) matrices(K, M);
    for (int i = 0; i < DOF; i++) {
        for (int j = 0; j < DOF; j++) {
            D[i][j] = K[i][j] - w * w * M[i][j] + times_i(w * b->damping * K[i][j]);
            A[i][j] = i == at || j == at ? i == j : D[i][j];
        }
        A[i][DOF] = i == tip ? b->force : 0;
    }
    for (int k = 0; k < DOF; k++)
        for (int i = k + 1; i < DOF; i++) {
            double complex f = A[i][k] / A[k][k];
            for (int j = k; j <= DOF; j++) A[i][j] -= f * A[k][j];
        }
    for (int i = DOF - 1; i >= 0; i--) {
        x[i] = A[i][DOF];
        for (int j = i + 1; j < DOF; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
    double complex force = 0;
    for (int j = 0; j < DOF; j++)
        if (j != at) force += D[at][j] * x[j];
    return cabs(force);
}

typedef struct blade {
    double platform, zeta, force, kt, limit;          // length 0.2 m
    double w[MODES], at_damper[MODES], at_tip[MODES]; // shapes, mass-normalised
} blade;

static void shapes(blade *b) {
    static const double root[MODES] = {1.87510406871196116645, 4.69409113297417457645,
                                       7.85475743823761256486, 10.9955407348754669907};
    const double L = 0.2, EI = 600, m = 1.2;
    for (int k = 0; k < MODES; k++) {
        double r = root[k], s = (cosh(r) + cos(r)) / (sinh(r) + sin(r)), a = r * b->platform / L;
        b->w[k] = r * r / (L * L) * sqrt(EI / m);
        b->at_damper[k] = (cosh(a) - cos(a) - s * (sinh(a) - sin(a))) / sqrt(m * L);
        b->at_tip[k] = (cosh(r) - cos(r) - s * (sinh(r) - sin(r))) / sqrt(m * L);
    }
}

static double held_by_damper(const void *of, double times) {
    const blade *b = of;
    double complex cc = 0, ct = 0;
    double w = times * b->w[0];
    for (int k = 0; k < MODES; k++) {
        double complex d = b->w[k] * b->w[k] - w * w + times_i(2 * b->zeta * b->w[k] * w);
        cc += b->at_damper[k] * b->at_damper[k] / d;
        ct += b->at_damper[k] * b->at_tip[k] / d;
    }
    return b->kt * cabs(b->force * ct / (1 + b->kt * cc));
}

// Special points where sliding begins or ends, which are where the force held passes the limit.
static int check_onsets(const jd_follow_view *v, force_of *held, const void *beam, double limit,
                        double low, double high) {
    int n = 0, known = 0;
    for (int i = 0; i < v->n_special; i++) {
        const jd_special *s = &v->special[i];
        assert_false(s->turns);
        if (s->kind != JD_SPECIAL_SLIP_BEGINS && s->kind != JD_SPECIAL_SLIP_ENDS) continue;
        n++;
        double h = 1e-6 * s->parameter, w = s->parameter,
               rate = (held(beam, w + h) - held(beam, w - h)) / (2 * h);
        assert_true(fabs((held(beam, w) - limit) / rate) < 1e-9 * w);
    }
    for (int i = 0; i < 4000; i++)
        known += (held(beam, low + (high - low) * i / 4000) < limit) !=
                 (held(beam, low + (high - low) * (i + 1) / 4000) < limit);
    assert_int_equal(n, known);
    return n;
}

static void same_both_ways(const jd_follow_view *up, const jd_follow_view *down) {
    assert_int_equal(up->end, JD_END_TO);
    assert_int_equal(down->end, JD_END_TO);
    assert_int_equal(up->n_special, down->n_special);
    for (int i = 0; i < up->n_special; i++) {
        const jd_special *a = &up->special[i], *b = &down->special[up->n_special - 1 - i];
        assert_near(a->parameter, b->parameter, 1e-9 * a->parameter);
        assert_near(a->amplitude, b->amplitude, 1e-8 * fabs(a->amplitude));
    }
}

static jd_follow *follow_beam(model_case *m, const fe_beam *b, double from, double to) {
    char text[1500];
    snprintf(text, sizeof text,
             "judder: 1\n"
             "structure: {type: fe-beam, length: 1, bending_stiffness: 1, mass_per_length: 1, "
             "elements: 8, supports: {left: clamped, right: free}, points: {c: {node: %d}, tip: "
             "{node: 9}}, damping: {type: rayleigh, mass: 0, stiffness: %.17g}}\n"
             "contacts: {rub: {at: c, law: {type: coulomb, limit: %.17g}}}\n"
             "drives: {force: {at: tip, type: harmonic, amplitude: %.17g, frequency: 1}}\n"
             "start: rest\norbit: {settle: 60 periods}\n"
             "follow: {parameter: drives.force.frequency, from: %.17g, to: %.17g, measure: "
             "tip.displacement.max}\n",
             b->at, b->damping, b->limit, b->force, from, to);
    return follows(m, text, NULL, NULL);
}

static void beams_pass_through_stick_both_ways(void **state) {
    void *other;
    int onsets = 0;
    model_case_begin(&other);
    seed = 19;
    for (int i = 0; i < 6; i++) {
        fe_beam b = {.at = i ? 3 + pick(3) : 4,
                     .damping = i ? mixed(0.001, 0.004) : 0.002,
                     .force = 0.2,
                     .limit = i ? mixed(0.8, 2) : 1.5};
        double top = 0, low, high;
        for (double w = 2; w < 30; w += 0.02) // the first resonance of the stuck beam
            if (held_by_beam(&b, w) > held_by_beam(&b, top > 0 ? top : 2))
                top = w;
            else if (top > 0 && w > 1.3 * top)
                break;
        low = 0.6 * top;
        high = 1.3 * top;
        jd_follow *up = follow_beam(*state, &b, low, high),
                  *down = follow_beam(other, &b, high, low);
        same_both_ways(jd_follow_look(up), jd_follow_look(down));
        int n = check_onsets(jd_follow_look(up), held_by_beam, &b, b.limit, low, high);
        onsets += n;
        jd_follow_free(up);
        jd_follow_free(down);
    }
    model_case_end(&other);
    print_message("%d onsets of six beams\n", onsets);
    assert_true(onsets >= 8);
}

static jd_follow *follow_blade(model_case *m, const blade *b, double from, double to) {
    char text[1500];
    snprintf(text, sizeof text,
             "judder: 1\nunits: SI\n"
             "structure: {type: beam, length: 0.2, bending_stiffness: 600, mass_per_length: 1.2, "
             "modes: 4, supports: {left: clamped, right: free}, points: {platform: %.17g, tip: "
             "0.2}, damping: {type: ratio, value: %.17g}}\n"
             "contacts: {damper: {at: platform, law: {type: coulomb, limit: %.17g, stiffness: "
             "%.17g}}}\n"
             "drives: {gas: {at: tip, type: harmonic, amplitude: %.17g, frequency: {times: 1, "
             "mode: 1}}}\n"
             "start: rest\norbit: {periods: 1, settle: 60 periods}\n"
             "follow: {parameter: drives.gas.frequency.times, from: %.17g, to: %.17g, measure: "
             "damper.displacement.max, step: 0.02}\n",
             b->platform, b->zeta, b->limit, b->kt, b->force, from, to);
    return follows(m, text, NULL, NULL);
}

static void blades_pass_through_stick_both_ways(void **state) {
    void *other;
    int onsets = 0;
    model_case_begin(&other);
    seed = 20;
    for (int i = 0; i < 3; i++) {
        blade b = {.platform = i ? mixed(0.05, 0.08) : 0.06,
                   .zeta = i ? mixed(0.002, 0.005) : 0.002,
                   .force = 10,
                   .kt = i ? mixed(3e5, 5e5) : 4e5,
                   .limit = i ? mixed(40, 90) : 60};
        shapes(&b);
        jd_follow *up = follow_blade(*state, &b, 0.96, 1.1),
                  *down = follow_blade(other, &b, 1.1, 0.96);
        same_both_ways(jd_follow_look(up), jd_follow_look(down));
        onsets += check_onsets(jd_follow_look(up), held_by_damper, &b, b.limit, 0.96, 1.1);
        jd_follow_free(up);
        jd_follow_free(down);
    }
    model_case_end(&other);
    print_message("%d onsets of three blades\n", onsets);
    assert_true(onsets >= 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {MODEL_TEST(beams_pass_through_stick_both_ways),
                                       MODEL_TEST(blades_pass_through_stick_both_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

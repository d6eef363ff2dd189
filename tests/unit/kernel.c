// kernel.c -- kernels of contact points: closed forms of infinitely many modes, sums of finite
// ones.
//   Values computed with 30 digits or more, from polylogarithms (string) and from Poisson's dual
//   series (cantilever); paper's normalisation: string with rho = T = 2, cantilever of units.
#include "kernel/continua/polylog.h"
#include "kernel/reduced.h"
#include "model_case.h"
#include "problem/memory.h"

#define STRING                                                                                     \
    "judder: 1\n"                                                                                  \
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"      \
    "  points: {bow: 0.4, other: 0.7}, damping: {type: ratio, value: 0.1}}\n"                      \
    "contacts: {bow: {at: bow, against: ground, law: {type: coulomb, limit: 1}}}\n"
#define TIP                                                                                        \
    "judder: 1\n"                                                                                  \
    "structure: {type: beam, length: 1, bending_stiffness: 1, mass_per_length: 1,\n"               \
    "  modes: infinite, supports: {left: clamped, right: free}, points: {tip: 1, mid: 0.6},\n"     \
    "  damping: {type: ratio, value: 0.02}}\n"                                                     \
    "contacts: {tip: {at: tip, against: ground, law: {type: coulomb, limit: 1}}}\n"

typedef struct bench {
    model_case *m;
    jd_arena *arena;
    jd_response *r;
    jd_reduced reduced;
} bench;

static bench open_bench(void **state, const char *text, const char *set, const int *mode) {
    bench b = {.m = *state};
    reads(b.m, text, set);
    assert_int_equal(jd_problem_build(b.m->problem), JD_OK);
    b.arena = jd_arena_create(b.m->context);
    if (jd_problem_response(b.m->context, b.m->problem, &b.r) != JD_OK)
        fail_msg("%s", jd_context_error(b.m->context)->message);
    if (jd_reduced_make(b.arena, b.r, mode, &b.reduced) != JD_OK)
        fail_msg("%s", jd_context_error(b.m->context)->message);
    return b;
}

static void close_bench(bench *b) {
    jd_response_free(b->r);
    jd_arena_free(b->arena);
}

static double L1(const bench *b, double tau) {
    double work[64], out[4];
    assert_int_equal(jd_reduced_at(&b->reduced, 1, &tau, NULL, NULL, out, work), JD_OK);
    return out[0];
}

static double at(const bench *b, int order, double tau) {
    double out[16];
    assert_int_equal(jd_response_at(b->r, (jd_response_order)order, 1, &tau, out), JD_OK);
    return out[0];
}

static const double tau_string[] = {0.001, 0.01, 0.05, 0.1, 0.3,  0.5, 0.79,
                                    0.81,  1.0,  1.19, 1.5, 1.99, 2.5, 3.0};

static void infinite_string_has_its_closed_form(void **state) {
    static const double l1[] = {
        0.2342015817969139,   0.2249845576120867,    0.18623464013990024,    0.1428739710597753,
        0.025211638052294864, -0.007533102368215657, -0.0003874448084832922, -0.009079693718429349,
        0.009410897036382945, 0.030881551373227647,  0.021710107313458057,   0.007058792128574701,
        0.010425195669587509, 0.011707907991190373};
    static const double g[] = {0.23523696971711805,  0.23523396702587465,  0.2351609098423592,
                               0.23492928259382348,  0.23209956679857002,  0.22339694934808718,
                               0.11992614400536741,  0.09931672729960848,  0.0014750989982595943,
                               -0.08509881904793626, -0.17107210033237644, -0.014857335485815885,
                               0.1288285076556517,   0.0044879171300892685};
    static const double rate[] = {
        -6.0651722457156795e-05, -0.0006066913707998631, -0.003054677823362849,
        -0.006244822104566996,   -0.02403475552437325,   -0.07378587599282672,
        -1.030166723940811,      -1.010742048261264,     -0.2922027503342077,
        -0.6666114416557977,     -0.001536301722788018,  0.7432006130994304,
        -0.06626405861892885,    -0.2980163103223625};
    bench b = open_bench(state, STRING, NULL, NULL);
    assert_near(jd_response_jump(b.r)[0], 0.235237000042935, 1e-15); // measured 3e-16
    assert_int_equal(b.reduced.mode[0], 1);
    assert_near(b.reduced.L_infinity[0], 1.184352528130723, 1e-14);
    for (int k = 0; k < 14; k++) {
        assert_near(at(&b, 0, tau_string[k]), g[k], 1e-14);     // measured 2e-16
        assert_near(at(&b, -1, tau_string[k]), rate[k], 1e-13); // measured 1e-15
        assert_near(L1(&b, tau_string[k]), l1[k], 1e-14);       // measured 2e-16
    }
    assert_near(L1(&b, 200), 0.012741719526145869, 1e-14); // its limit
    assert_int_equal(jd_response_regularity(b.r), JD_START_JUMP);
    close_bench(&b);
}

static void undamped_string_is_a_staircase(void **state) {
    static const double l1[] = {0.2488168811724194,
                                0.2382798447737064,
                                0.19386662496880427,
                                0.1439017526882894,
                                0.005727291073038373,
                                -0.03375112653131907,
                                0.0843140161167124,
                                -0.15001798689655824,
                                0,
                                0.15001798689655824,
                                0.03375112653131907,
                                -0.23827984477370637,
                                -0.03375112653131907,
                                0};
    static const double g[] = {0.25, 0.25, 0.25, 0.25,  0.25,  0.25, 0.25,
                               0,    0,    0,    -0.25, -0.25, 0.25, 0};
    bench b = open_bench(state, STRING, "structure.damping=none", NULL);
    assert_near(jd_response_jump(b.r)[0], 0.25, 1e-16);
    for (int k = 0; k < 14; k++) {
        assert_near(at(&b, 0, tau_string[k]), g[k], 1e-14); // measured 6e-17
        assert_near(L1(&b, tau_string[k]), l1[k], 1e-14);   // measured 8e-17
    }
    // d'Alembert: gamma, then -gamma from either end, then the period
    jd_response_delays d;
    assert_int_equal(jd_response_delays_of(b.r, 0, 0, 2.1, b.arena, &d), JD_OK);
    assert_int_equal(d.n, 4);
    static const double delay[] = {0, 0.8, 1.2, 2}, weight[] = {0.25, -0.25, -0.25, 0.5};
    for (int k = 0; k < 4; k++) {
        assert_near(d.delay[k], delay[k], 1e-15);
        assert_near(d.coefficient[k], weight[k], 1e-16);
    }
    close_bench(&b);
}

static void cantilever_tip_starts_as_a_square_root(void **state) {
    static const double tau[] = {1e-6,  1e-5,  1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2,
                                 0.299, 0.301, 0.5,  1.0,  1.5,  2.0,  3.0};
    static const double l1[] = {
        0.0015759262352063783, 0.004955343735997236,  0.015388537926546205,  0.04584946001301954,
        0.1166900976330256,    0.1566491506564302,    0.12110270624795208,   -0.17351023854466394,
        0.01424876484631934,   0.024481673682961638,  -0.16854521148337429,  -0.017205934230936946,
        0.08163389567456894,   0.0024134384967827945, -0.0036087011133117733};
    bench b = open_bench(state, TIP, NULL, NULL);
    assert_int_equal(jd_response_regularity(b.r), JD_START_HOELDER);
    assert_near(jd_response_exponent(b.r), 0.5, 0);
    double start = jd_response_start(b.r)[0];
    assert_near(start, sqrt(8 / (3.14159265358979312 * 1.02)), 1e-15);
    assert_near(b.reduced.L_infinity[0], 4.120787789442063, 1e-13);
    for (int k = 0; k < 15; k++) assert_near(L1(&b, tau[k]), l1[k], 1e-12); // measured 3e-14
    assert_relative(L1(&b, 1e-14), start * 1e-7, 1e-6);
    close_bench(&b);
}

// Values: 200 000 000 modes in long double, the phases exact in 128-bit integers, the first 25
// frequencies with 33 digits; what is left of the sum is below 4e-13.
static void undamped_cantilever_is_rough_but_known(void **state) {
    static const double tau[] = {1e-6, 1e-4, 0.01, 0.1, 0.299, 0.301, 0.7, 1.0, 3.0};
    static const double l1[] = {
        0.0015916470596423519, 0.015546290423340598,   0.1164233463362981,
        0.11251856419519862,   -0.0065369003523892905, 0.006594711701009239,
        0.055930118547617605,  -0.036784466894068772,  -0.020371469644588167};
    bench b = open_bench(state, TIP, "structure.damping=none", NULL);
    for (int k = 0; k < 9; k++) assert_near(L1(&b, tau[k]), l1[k], 1e-12); // measured 7e-14
    close_bench(&b);
}

// Velocity per force against its own sum over many modes, at s off and on the imaginary axis.
static void compare_with_modes(void **state, const char *text, const char *set, int n_mode,
                               double bound) {
    bench b = open_bench(state, text, set, NULL);
    jd_response_modes m;
    assert_int_equal(jd_response_modes_of(b.r, n_mode, b.arena, &m), JD_OK);
    static const double s[][2] = {{0.3, 2}, {0, 7.1}, {1, -20}, {0, 100}};
    for (int q = 0; q < 4; q++) {
        double re = 0, im = 0, out[8];
        for (int k = m.n - 1; k >= 0; k--) { // n^2 s/(s^2 + c s + w^2)
            double w = m.omega[k], n2 = m.row[k] * m.row[k], x = s[q][0], y = s[q][1];
            double a = x * x - y * y + m.c[k] * x + w * w, e = 2 * x * y + m.c[k] * y;
            re += n2 * (x * a + y * e) / (a * a + e * e);
            im += n2 * (y * a - x * e) / (a * a + e * e);
        }
        assert_int_equal(jd_response_transfer(b.r, s[q], out), JD_OK);
        double scale = bound * (1 + hypot(s[q][0], s[q][1]));
        assert_near(out[0], re, scale);
        assert_near(out[1], im, scale);
    }
    close_bench(&b);
}

static void beams_answer_as_their_modes(void **state) {
    compare_with_modes(state, TIP, NULL, 6000, 1e-12);
    compare_with_modes(state, TIP, "structure.supports={left: pinned, right: free}", 6000, 1e-12);
}

static void polylogarithms_agree_with_forty_digits(void **state) {
    (void)state;
    // Li_2 and Li_3 at e^{x + iy}, computed with 40 digits
    static const struct {
        double x, y, re[2], im[2];
    } v[] = {{-0.3,
              2,
              {-0.36141465336914550879, -0.34026711521038015791},
              {0.57027845804260559572, 0.62104401705070075843}},
             {-1.2,
              0.5,
              {0.27647230138281774122, 0.27044773943225834253},
              {0.16703993613842102307, 0.15508063511960171355}},
             {0,
              1,
              {0.32413774005332981724, 0.44857300728001739775},
              {1.0139591323607685043, 0.94286923678411146019}},
             {-0.001,
              3.1,
              {-0.82134186525290142345, -0.90012146580278507468},
              {0.028806041262696952559, 0.034173773877397490644}},
             {-0.9,
              -7,
              {0.30600426549412559479, 0.30747943082844287101},
              {-0.31441257431682193264, -0.28971440325463275726}}};
    for (size_t k = 0; k < sizeof v / sizeof v[0]; k++)
        for (int m = 2; m <= 3; m++) {
            double complex z = jd_polylog(m, cartesian(v[k].x, v[k].y));
            assert_near(creal(z), v[k].re[m - 2], 3e-15);
            assert_near(cimag(z), v[k].im[m - 2], 3e-15);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(infinite_string_has_its_closed_form),
        MODEL_TEST(undamped_string_is_a_staircase),
        MODEL_TEST(cantilever_tip_starts_as_a_square_root),
        MODEL_TEST(undamped_cantilever_is_rough_but_known),
        MODEL_TEST(beams_answer_as_their_modes),
        cmocka_unit_test(polylogarithms_agree_with_forty_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

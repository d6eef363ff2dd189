// beam_modes.c -- analytic beam: roots, shapes and ends for all sixteen pairs of supports.
#include "structure/continua/beam_modes.h"

#include "near.h"
#include "structure/continua/sine_cosine.h"

static const int support[4] = {JD_FREE, JD_CLAMPED, JD_PINNED, JD_GUIDED};
static const int rigid[4][4] = {{2, 0, 1, 1}, {0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 1}};

#define FOR_ALL_PAIRS                                                                              \
    for (int i = 0; i < 4; i++)                                                                    \
        for (int j = 0; j < 4; j++)

static double omega(const jd_beam_mode *m) {
    jd_dd beta = jd_beam_root(m);
    return dd_value(dd_mul(beta, beta));
}

// Roots of 1 + cos b cosh b = 0 computed with 60 digits; measured error: below half an ulp.
static void cantilever_frequencies_are_exact_to_mode_1000(void **state) {
    (void)state;
    static const struct {
        int k;
        double omega;
    } known[] = {{1, 3.516015268500151183426134},   {2, 22.03449156466676990548886},
                 {3, 61.69721441354910196646499},   {10, 890.7317971983015729320261},
                 {100, 97711.55097188492266611617}, {1000, 9859737.264089369532555311}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        jd_beam_mode m = jd_beam_mode_of(JD_CLAMPED, JD_FREE, known[i].k - 1);
        assert_relative(omega(&m), known[i].omega, 2.3e-16);
    }
}

static void cantilever_tip_moves_by_two_exactly(void **state) {
    (void)state;
    for (int k = 0; k < 1000; k++) {
        jd_beam_mode m = jd_beam_mode_of(JD_CLAMPED, JD_FREE, k);
        jd_dd tip = jd_beam_shape(&m, 1, 1, 1);
        assert_true(tip.hi == (k % 2 ? -2 : 2) && tip.lo == 0);
        // The closed form itself, just beside the end, says the same: d phi = phi' dx.
        double h = 0x1p-40;
        double beside = jd_beam_shape(&m, 1 - h, 1, 1).hi + h * jd_beam_shape(&m, 1, 1, 2).hi;
        assert_near(beside, tip.hi, 2e-15);
    }
}

// Values of cosh, sinh closed form with 3000 digits at x = 3/8; measured: 2 ulps.
static void cantilever_shapes_do_not_cancel(void **state) {
    (void)state;
    static const struct {
        int k;
        double phi, slope;
    } known[] = {{1, 0.40967580850986517509, 1.9613230567166724137},
                 {2, 1.308492346052255447, 2.6427592897241092405},
                 {10, -1.1758618252664339714, -23.44957999169059322},
                 {1000, 1.3870398453221474618, -866.33008135373512529}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        jd_beam_mode m = jd_beam_mode_of(JD_CLAMPED, JD_FREE, known[i].k - 1);
        assert_near(dd_value(jd_beam_shape(&m, 0.375, 1, 1)), known[i].phi, 4.5e-16);
        double beta = dd_value(jd_beam_root(&m));
        assert_near(dd_value(jd_beam_shape(&m, 0.375, 1, 2)), known[i].slope, 4.5e-16 * beta);
    }
}

// Derivative number d of cos, sin, e^{-b xi}, e^{-b(1 - xi)} at an end, divided by beta^d.
static void basis(double b, double xi, int d, double v[4]) {
    double c[4] = {cos(b * xi), -sin(b * xi), -cos(b * xi), sin(b * xi)};
    v[0] = c[d];
    v[1] = c[(d + 3) % 4];
    v[2] = (d % 2 ? -1 : 1) * exp(-b * xi);
    v[3] = exp(-b * (1 - xi));
}

// The two derivatives that vanish at an end.
static void vanishing(int end, int d[2]) {
    d[0] = end == JD_FREE ? 2 : end == JD_GUIDED ? 1 : 0;
    d[1] = end == JD_CLAMPED ? 1 : end == JD_PINNED ? 2 : 3;
}

static double determinant(double a[4][4]) {
    double det = 1;
    for (int c = 0; c < 4; c++) {
        int p = c;
        for (int r = c; r < 4; r++)
            if (fabs(a[r][c]) > fabs(a[p][c])) p = r;
        if (p != c) det = -det;
        for (int k = 0; k < 4; k++) {
            double t = a[p][k];
            a[p][k] = a[c][k], a[c][k] = t;
        }
        det *= a[c][c];
        for (int r = c + 1; r < 4; r++) {
            double f = a[c][c] != 0 ? a[r][c] / a[c][c] : 0;
            for (int k = c; k < 4; k++) a[r][k] -= f * a[c][k];
        }
    }
    return det;
}

// The characteristic function of a pair of ends, not written by hand: zero exactly at the roots.
static double characteristic(int left, int right, double b) {
    double a[4][4];
    int d[2];
    vanishing(left, d);
    for (int r = 0; r < 2; r++) basis(b, 0, d[r], a[r]);
    vanishing(right, d);
    for (int r = 0; r < 2; r++) basis(b, 1, d[r], a[2 + r]);
    return determinant(a);
}

static void every_root_changes_the_sign_and_none_is_missed(void **state) {
    (void)state;
    FOR_ALL_PAIRS {
        double left_of = 0.5;
        int n = rigid[i][j];
        for (int k = 0; k < n; k++)
            assert_true(omega(&(jd_beam_mode[]){jd_beam_mode_of(support[i], support[j], k)}[0]) ==
                        0);
        for (int k = n; k < n + 40; k++) {
            jd_beam_mode m = jd_beam_mode_of(support[i], support[j], k);
            double b = dd_value(jd_beam_root(&m)), h = 1e-14 * b;
            double below = characteristic(support[i], support[j], b - h);
            double above = characteristic(support[i], support[j], b + h);
            assert_true(below * above < 0);
            // Between two roots the sign stays: scanned in 64 steps.
            for (int s = 1; s < 64; s++) {
                double at = left_of + (b - left_of) * s / 64;
                assert_true(characteristic(support[i], support[j], at) * below > 0);
            }
            left_of = b + h;
        }
    }
}

static double derivative(const jd_beam_mode *m, double xi, int d) {
    double b = dd_value(jd_beam_root(m)), v[4];
    jd_sine_cosine t =
        jd_sine_cosine_of(dd(m->turns * (xi - m->centre)), m->delta * (xi - m->centre));
    basis(b, xi, d, v);
    double c[4] = {t.cos.hi, -t.sin.hi, -t.cos.hi, t.sin.hi};
    return m->A * c[d] + m->B * c[(d + 3) % 4] + m->P * v[2] + m->Q * v[3];
}

// Measured: 6e-16 for derivatives scaled by beta^-d, up to mode 1000.
static void shapes_satisfy_their_ends(void **state) {
    (void)state;
    static const int some[] = {0, 1, 2, 3, 4, 9, 10, 99, 100, 998, 999};
    FOR_ALL_PAIRS for (size_t s = 0; s < sizeof some / sizeof *some; s++) {
        jd_beam_mode m = jd_beam_mode_of(support[i], support[j], some[s] + rigid[i][j]);
        assert_int_equal(m.end[m.mirrored ? 1 : 0], support[i]);
        assert_int_equal(m.end[m.mirrored ? 0 : 1], support[j]);
        for (int e = 0; e < 2; e++) {
            int d[2];
            vanishing(m.end[e], d);
            for (int r = 0; r < 2; r++) assert_near(derivative(&m, e, d[r]), 0, 2e-15);
        }
    }
}

static void held_ends_rest_exactly(void **state) {
    (void)state;
    FOR_ALL_PAIRS for (int k = 0; k < 30; k++) for (int e = 0; e < 2; e++) {
        jd_beam_mode m = jd_beam_mode_of(support[i], support[j], k);
        int end = e ? support[j] : support[i];
        double length = 2.47, x = e ? length : 0;
        if (end == JD_CLAMPED || end == JD_PINNED)
            assert_true(jd_beam_shape(&m, x, length, 1).hi == 0);
        if (end == JD_CLAMPED || end == JD_GUIDED)
            assert_true(jd_beam_shape(&m, x, length, 2).hi == 0);
        if (end == JD_FREE && k >= rigid[i][j])
            assert_true(fabs(jd_beam_shape(&m, x, length, 1).hi) == 2);
    }
}

static void slope_is_the_derivative(void **state) {
    (void)state;
    const double h = 1e-4; // 4th order difference: h^4 beta^5/30 + eps/h
    FOR_ALL_PAIRS for (int k = 0; k < 6; k++) {
        jd_beam_mode m = jd_beam_mode_of(support[i], support[j], k);
        for (double x = 0.1; x < 0.95; x += 0.17) {
            double difference =
                (8 * (jd_beam_shape(&m, x + h, 1, 1).hi - jd_beam_shape(&m, x - h, 1, 1).hi) -
                 jd_beam_shape(&m, x + 2 * h, 1, 1).hi + jd_beam_shape(&m, x - 2 * h, 1, 1).hi) /
                (12 * h);
            assert_near(jd_beam_shape(&m, x, 1, 2).hi, difference, 1e-9);
        }
    }
}

// Gauss-Legendre with 5 points on 64 panels; measured 4e-15.
static void shapes_are_orthonormal(void **state) {
    (void)state;
    static const double node[5] = {0, -0.53846931010568309104, 0.53846931010568309104,
                                   -0.90617984593866399280, 0.90617984593866399280};
    static const double weight[5] = {0.56888888888888888889, 0.47862867049936646804,
                                     0.47862867049936646804, 0.23692688505618908751,
                                     0.23692688505618908751};
    enum { PANELS = 64, MODES = 10, N = 5 * PANELS };
    static double phi[MODES][N];
    FOR_ALL_PAIRS {
        for (int k = 0; k < MODES; k++) {
            jd_beam_mode m = jd_beam_mode_of(support[i], support[j], k);
            for (int p = 0; p < N; p++)
                phi[k][p] = jd_beam_shape(&m, (p / 5 + 0.5 + node[p % 5] / 2) / PANELS, 1, 1).hi;
        }
        for (int k = 0; k < MODES; k++)
            for (int l = 0; l <= k; l++) {
                double sum = 0;
                for (int p = 0; p < N; p++)
                    sum += weight[p % 5] / (2 * PANELS) * phi[k][p] * phi[l][p];
                assert_near(sum, k == l, 1e-13);
            }
    }
}

static void nodes_in_the_middle_are_exact_zeros(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 50; k++) {
            jd_beam_mode m = jd_beam_mode_of(support[i], support[i], k);
            double middle = jd_beam_shape(&m, 1.235, 2.47, 1).hi;
            if (k % 2)
                assert_true(middle == 0);
            else
                assert_true(fabs(middle) > 0.9);
        }
}

static void mirrored_supports_mirror_the_shapes(void **state) {
    (void)state;
    FOR_ALL_PAIRS for (int k = 0; k < 20; k++) {
        jd_beam_mode a = jd_beam_mode_of(support[i], support[j], k);
        jd_beam_mode b = jd_beam_mode_of(support[j], support[i], k);
        for (double x = 0; x <= 1; x += 0.125) {
            double u = jd_beam_shape(&a, x, 1, 1).hi, v = jd_beam_shape(&b, 1 - x, 1, 1).hi;
            assert_near(fabs(u), fabs(v), 2e-15);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever_frequencies_are_exact_to_mode_1000),
        cmocka_unit_test(cantilever_tip_moves_by_two_exactly),
        cmocka_unit_test(cantilever_shapes_do_not_cancel),
        cmocka_unit_test(every_root_changes_the_sign_and_none_is_missed),
        cmocka_unit_test(shapes_satisfy_their_ends),
        cmocka_unit_test(held_ends_rest_exactly),
        cmocka_unit_test(slope_is_the_derivative),
        cmocka_unit_test(shapes_are_orthonormal),
        cmocka_unit_test(nodes_in_the_middle_are_exact_zeros),
        cmocka_unit_test(mirrored_supports_mirror_the_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// echo_grid.c -- echoes from an even grid against the smear of the same history in closed form.
#include "engine/memory/delays/echo_grid.h"

#include <math.h>

#include "kernel/echoes/smear.h"
#include "model_case.h"

static const double pi = 3.14159265358979323846;

enum { DEGREE = 4, ECHOES = 3 };

// A history whose panels are random: cos(omega t), or the ramp max(t - kink, 0).
typedef struct history {
    double omega, kink;
} history;

static double value_of(const history *f, double t) {
    return f->omega > 0 ? cos(f->omega * t) : fmax(t - f->kink, 0);
}

// Taylor's polynomial about the beginning of the panel; a ramp is one already.
static void polynomial_of(const history *f, double t, double h, double *p) {
    double x = f->omega * h, c = cos(f->omega * t), s = sin(f->omega * t);
    const double cosine[] = {c, -s * x, -c * x * x / 2, s * x * x * x / 6, c * x * x * x * x / 24};
    for (int r = 0; r <= DEGREE; r++) p[r] = f->omega > 0 ? cosine[r] : 0;
    if (f->omega > 0) return;
    p[0] = value_of(f, t);
    p[1] = t >= f->kink ? h : 0;
}

// int N_w(x) max(u - x - kink, 0) dx by the trapezoidal rule in x = w sinh t.
static double smeared_ramp(const grid_echo *e, double from_kink) {
    double sum = 0, step = 4e-3, w = e->width;
    for (int k = -4500; k <= 4500; k++) {
        double x = w * sinh(k * step), size = x * x + w * w;
        if (fabs(x) > 9 * e->sigma) continue;
        double N = exp(-size / (2 * e->sigma * e->sigma)) * w / (pi * size);
        sum += N * fmax(from_kink - x, 0) * w * cosh(k * step) * step;
    }
    return sum;
}

static double expected(const history *f, const grid_echo *e, double u) {
    if (f->omega == 0) return smeared_ramp(e, u - f->kink);
    return creal(jd_smear(e->width, e->sigma, f->omega)) * cos(f->omega * u);
}

// Fills the grid up to `end`; panels end at the kink.
static void fill(echo_grid *g, const history *f, double from, double end, unsigned *seed) {
    static const int degree[] = {DEGREE};
    double p[DEGREE + 1];
    const double *value[] = {p};
    for (double t = from, h; t < end; t += h) {
        *seed = *seed * 1664525u + 1013904223u;
        h = 1e-4 + 0.004 * (*seed >> 8) / (1 << 24);
        if (t < f->kink && t + h > f->kink) h = f->kink - t;
        if (t + h > end) h = end - t;
        if (h < 1e-12) h = 1e-12;
        polynomial_of(f, t, h, p);
        jd_grid_keep(g, t, h, degree, value);
    }
}

// Largest error of all echoes, beside the kink or anywhere, the time being that by which they need
// it.
static double worst_of(const history *f, double spacing, unsigned seed) {
    static const grid_echo echo[ECHOES] = {
        {0, 0.4, 0.004, 0.04, 0.18}, {0, 0.6, 0.0006, 0.05, 0.22}, {0, 1, 0.00001, 0.06, 0.27}};
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    echo_grid *g;
    double worst = 0;
    assert_non_null(arena);
    assert_int_equal(jd_grid_create(arena, spacing, 1, ECHOES, echo, &g), JD_OK);
    double known = 0;
    double from = f->omega > 0 ? 2 : f->kink - 0.01, step = f->omega > 0 ? 0.00637 : 0.00017;
    for (double u = from; u < from + 80 * step; u += step)
        for (int i = 0; i < ECHOES; i++) {
            double wanted = u + 0.28 + GRID_BEYOND * spacing;
            if (known < wanted) fill(g, f, known, wanted, &seed), known = wanted;
            double t = u + echo[i].delay, off = -expected(f, &echo[i], u);
            jd_grid_add(g, i, 1, &t, 1, &off);
            worst = fmax(worst, fabs(off));
        }
    jd_arena_free(arena);
    jd_context_free(context);
    return worst;
}

// Smooth histories: the error falls with the fourth power of the spacing and is far below 1e-3.
static void waves_come_back_smeared(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 4; seed++) {
        double omega = 2 * seed * seed; // up to 32
        double coarse = worst_of(&(history){.omega = omega}, 0.001, seed);
        double fine = worst_of(&(history){.omega = omega}, 0.0005, seed);
        print_message("   omega %g: %.1e, half the spacing %.1e\n", omega, coarse, fine);
        assert_true(coarse < 4e-5);
        assert_true(fine < 6e-6);
    }
}

// A kink of slope 1 anywhere in a cell, and echoes sharper than it: measured 0.135 of the spacing.
static void kinks_come_back_within_a_seventh_of_the_spacing(void **state) {
    (void)state;
    double worst = 0;
    for (unsigned seed = 1; seed <= 6; seed++) {
        double spacing = seed % 2 ? 0.001 : 0.0004, kink = 2.2 + 0.00017 * seed;
        worst = fmax(worst, worst_of(&(history){.kink = kink}, spacing, seed) / spacing);
    }
    print_message("   %.3f of the spacing\n", worst);
    assert_true(worst < 1.0 / 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_come_back_smeared),
        cmocka_unit_test(kinks_come_back_within_a_seventh_of_the_spacing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

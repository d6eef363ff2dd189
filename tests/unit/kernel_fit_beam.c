// kernel_fit_beam.c -- poles for all modes of beams: the error they state is never exceeded,
// whatever the supports, places, damping ratio and tolerance.
//   kernel_fit_beam 500 tries as many random beams; without an argument a few.
#include <math.h>

#include "draws.h"
#include "kernel/cartesian.h"
#include "kernel/choice.h"
#include "kernel/continua/continua.h"
#include "kernel/continua/polylog.h"
#include "kernel/inside.h"
#include "kernel_case.h"

static int beams = 60;

// D < 0: Rayleigh damping instead.
static void write_beam(char *text, size_t size, double D) {
    static const char *const ends[] = {"pinned, right: pinned",  "clamped, right: free",
                                       "clamped, right: pinned", "clamped, right: clamped",
                                       "free, right: free",      "guided, right: pinned"};
    int n = 1 + (int)uniform(0, 1.99), at;
    double length = 0.2 * pow(25, uniform(0, 1)), place[2];
    const char *end = ends[(int)uniform(0, 5.99)];
    double stiffness = pow(100, uniform(-1, 1)), mass = pow(10, uniform(-2, 1));
    double omega = 10 * sqrt(stiffness / mass) / (length * length); // about the first
    char damping[128];
    if (D < 0)
        snprintf(damping, sizeof damping, "rayleigh, mass: %.17g, stiffness: %.17g",
                 omega * uniform(0, 0.1), pow(10, uniform(-4, -1)) / omega);
    else
        snprintf(damping, sizeof damping, "ratio, value: %.17g", D);
    at = snprintf(text, size,
                  "judder: 1\nstructure: {type: beam, length: %.17g, bending_stiffness: %.17g, "
                  "mass_per_length: %.17g, modes: infinite, supports: {left: %s}, damping: {type: "
                  "%s}, points: {",
                  length, stiffness, mass, end, damping);
    place[0] = uniform(0.08, 0.6);
    place[1] = place[0] + uniform(0.1, 0.3);
    if (strstr(end, "free") && uniform(0, 1) < 0.5) place[n - 1] = 1;
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, size - (size_t)at, "%sp%d: %.17g", i ? ", " : "", i,
                       place[i] == 1 ? length : length * place[i]);
    at += snprintf(text + at, size - (size_t)at, "}}\ncontacts:\n");
    for (int i = 0; i < n; i++)
        at += snprintf(text + at, size - (size_t)at,
                       "  c%d: {at: p%d, against: ground, law: {type: coulomb, limit: 1}}\n", i, i);
}

static double complex transfer(const jd_fit *f, int pair, double omega) {
    double complex sum = 0, s = cartesian(0, omega);
    for (int p = 0; p < f->n; p++) {
        double complex pole = cartesian(f->re[p], f->im[p]),
                       c = cartesian(f->residue_re[pair * f->n + p],
                                     f->residue_im[pair * f->n + p]);
        sum += f->im[p] > 0 ? (c / (s - pole) + conj(c) / (s - conj(pole))) / 2 : c / (s - pole);
    }
    return sum;
}

static double step_response(const jd_fit *f, int pair, double tau) {
    double sum = 0;
    for (int p = 0; p < f->n; p++) {
        double complex pole = cartesian(f->re[p], f->im[p]),
                       c = cartesian(f->residue_re[pair * f->n + p],
                                     f->residue_im[pair * f->n + p]);
        sum += creal(c * jd_cexpm1(pole * tau) / pole);
    }
    return sum;
}

// All modes of a beam: many, and a series for the mean of those beyond.
typedef struct many {
    int n, pairs;
    double *omega, *product; // n_ik n_jk, for each pair
    double mean[4], unit, end, D;
} many;

static many many_of(const body *b, int n) {
    const jd_response *r = b->response;
    const jd_family *f = &r->family[0];
    many m = {.n = n, .pairs = r->n_contact * r->n_place, .unit = jd_beam_unit(f), .D = f->ratio};
    m.omega = malloc((size_t)n * sizeof(double));
    m.product = malloc((size_t)(n * m.pairs) * sizeof(double));
    assert_non_null(m.omega);
    assert_non_null(m.product);
    for (int k = 0; k < n; k++) m.omega[k] = jd_beam_omega(f, k);
    for (int i = 0; i < m.pairs; i++) {
        m.mean[i] = jd_beam_average(f, i / r->n_place, i % r->n_place);
        for (int k = 0; k < n; k++)
            m.product[i * n + k] =
                jd_beam_row(f, k, i / r->n_place) * jd_beam_row(f, k, i % r->n_place);
    }
    m.end = sqrt(m.omega[n - 1] / m.unit) + acos(-1) / 2;
    return m;
}

// 1/(s^2 + 2 D w s + w^2) = sum_m U_m(-D) s^m/w^(m+2), Chebyshev's polynomials; |s| < w/10 there.
static double complex many_beyond(const many *m, double complex s) {
    double complex sum = 0, power = s;
    double U = 1, before = 0, x = m->end * m->end * m->unit;
    for (int k = 0; k < 16; k++, power *= s / x) {
        double next = -2 * m->D * U - before;
        sum += U * power * m->end / (acos(-1) * x * x * (2 * k + 3));
        before = U, U = next;
    }
    return sum;
}

static double complex many_transfer(const many *m, int pair, double omega) {
    double complex s = cartesian(0, omega), sum = m->mean[pair] * many_beyond(m, s);
    for (int k = m->n - 1; k >= 0; k--) {
        double w = m->omega[k];
        sum += m->product[pair * m->n + k] * s / (s * s + 2 * m->D * w * s + w * w);
    }
    return sum;
}

// At frequencies that were not looked at, anywhere and near poles: the largest error over the
// stated one; and at times, that of the step response.
static double largest_share(const body *b, const jd_fit *f, double D) {
    const jd_family *beam = &b->response->family[0];
    int elastic = 0, n = beam->n > 3 * f->kept ? beam->n : 3 * f->kept;
    many m = many_of(b, n);
    while (hypot(f->re[elastic], f->im[elastic]) < f->soft) elastic++;
    double first = 0.3 * hypot(f->re[elastic], f->im[elastic]), worst = 0, size = 0, most = 0;
    double top = fmin(30 * hypot(f->re[f->kept - 1], f->im[f->kept - 1]), 0.1 * m.omega[n - 1]);
    for (int k = 0; k < 96; k++) {
        double omega = first * pow(top / first, uniform(0, 1));
        int p = elastic + (int)uniform(0, f->kept - elastic - 0.01);
        if (k % 2) p = f->kept / 2 + (int)uniform(0, f->kept / 2 - 0.01);
        if (k >= 40) omega = hypot(f->re[p], f->im[p]) * (1 + D * uniform(-2, 2));
        if (k >= 88) omega = hypot(f->re[elastic + k - 88], f->im[elastic + k - 88]);
        for (int i = 0; i < m.pairs; i++) {
            double complex G = many_transfer(&m, i, omega);
            worst = fmax(worst, cabs(transfer(f, i, omega) - G));
            size = fmax(size, cabs(G));
        }
    }
    for (int k = 0; k < 6; k++) {
        double tau = pow(10, uniform(-3, 0)) / first, exact[4];
        assert_int_equal(jd_response_at(b->response, JD_RESPONSE_STEP, 1, &tau, exact), JD_OK);
        for (int i = 0; i < m.pairs; i++)
            most = fmax(most, fabs(step_response(f, i, tau) - exact[i]) / f->step_error);
    }
    free(m.omega);
    free(m.product);
    return fmax(most, worst / (f->error * size));
}

static void the_stated_error_of_beams_is_never_exceeded(void **state) {
    (void)state;
    double most = 0;
    int poles = 0, refused = 0;
    for (int i = 0; i < beams; i++) {
        char text[2048];
        double D = 1e-3 * pow(300, uniform(0, 1)), tolerance = pow(10, -floor(uniform(3, 10.99)));
        write_beam(text, sizeof text, D);
        body b = open_body(text, NULL);
        jd_memory_choice choice;
        if (jd_memory_choose(b.arena, b.response, tolerance, JD_MEMORY_AUTO, &choice) != JD_OK) {
            refused++;
        } else {
            const jd_fit *f = &choice.fit;
            double share = largest_share(&b, f, D);
            if (share > 0.9) print_message("%s   ", strchr(text, '\n') + 1);
            print_message("   D %.4f, %.0e: %d poles, error %.1e, %.3f of it\n", D, tolerance, f->n,
                          f->error, share);
            most = fmax(most, share);
            poles = f->n > poles ? f->n : poles;
        }
        close_body(&b);
    }
    print_message("   %d beams, %d refused, at most %d poles, %.3f of the stated error\n", beams,
                  refused, poles, most);
    assert_true(most <= 1);
}

// With Rayleigh damping, whose transfer function is in closed form.
static double share_with_rayleigh(const body *b, const jd_fit *f) {
    int pairs = b->response->n_contact * b->response->n_place, elastic = 0;
    while (hypot(f->re[elastic], f->im[elastic]) < f->soft) elastic++;
    double first = hypot(f->re[elastic], f->im[elastic]), worst = 0, size = 0, exact[8];
    const jd_family *beam = &b->response->family[0];
    double limit = 0.02 * beam->omega[beam->n - 1], top = 0; // of the table of modes
    for (int p = 0; p < f->kept; p++) top = fmax(top, 30 * hypot(f->re[p], f->im[p]));
    top = fmin(top, limit * fmax(1, beam->slope * limit));
    for (int k = 0; k < 60; k++) {
        double omega = 0.3 * first * pow(top / (0.3 * first), uniform(0, 1));
        if (k < 8) omega = fmax(hypot(f->re[elastic + k], f->im[elastic + k]), first);
        assert_int_equal(jd_response_transfer(b->response, (double[]){0, omega}, exact), JD_OK);
        for (int i = 0; i < pairs; i++) {
            double complex G = cartesian(exact[2 * i], exact[2 * i + 1]);
            worst = fmax(worst, cabs(transfer(f, i, omega) - G));
            size = fmax(size, cabs(G));
        }
    }
    return worst / (f->error * size);
}

static void the_stated_error_holds_with_rayleigh_damping(void **state) {
    (void)state;
    double most = 0;
    for (int i = 0; i < (beams + 3) / 4; i++) {
        char text[2048];
        jd_memory_choice choice;
        write_beam(text, sizeof text, -1);
        body b = open_body(text, NULL);
        double tolerance = pow(10, -floor(uniform(3, 8.99)));
        if (jd_memory_choose(b.arena, b.response, tolerance, JD_MEMORY_AUTO, &choice) != JD_OK)
            fail_msg("%s", jd_context_error(b.context)->message);
        double share = share_with_rayleigh(&b, &choice.fit);
        print_message("   %.0e: %d poles, error %.1e, %.3f of it\n", tolerance, choice.fit.n,
                      choice.fit.error, share);
        most = fmax(most, share);
        close_body(&b);
    }
    assert_true(most <= 1);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stated_error_of_beams_is_never_exceeded),
        cmocka_unit_test(the_stated_error_holds_with_rayleigh_damping),
    };
    if (argc > 1) beams = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// backbone_stops.c -- frequency and damping over the amplitude with friction beside a one-sided
// stop: motions without a mirror image.
//   One mass: x'' + (c - xi) x' + k x = -T - N, T of a slider with or without a spring kt,
//   N = kn (x - g) beyond g. Between two reversals the velocity keeps its sign, and T and N are
//   linear in x between -a + 2 R/kt and g: pieces of damped sines in long double, their ends by
//   bisection. The motion that repeats with the amplitude of a point has its rate and its period.
//   Chains: up to the touch the curve is that without the stop.
#include <math.h>
#include <string.h>

#include "backbone_case.h"
#include "draws.h"

typedef long double real;

typedef struct mass {
    real k, c, kt, R, gap, kn;
} mass;

// x and v after t of x'' - 2 g x' + K (x - x0) = 0.
static void glide(real K, real g, real x0, real x, real v, real t, real *out) {
    real w = sqrtl(K - g * g), y = x - x0, B = (v - g * y) / w, e = expl(g * t);
    out[0] = x0 + e * (y * cosl(w * t) + B * sinl(w * t));
    out[1] = e * ((g * y + w * B) * cosl(w * t) + (g * B - w * y) * sinl(w * t));
}

// Up to x = `last` or to v = 0, whichever comes first; the time, and true at v = 0.
static bool piece(real K, real g, real x0, real last, real *x, real *v, real *time) {
    real w = sqrtl(K - g * g), y = *x - x0, B = (*v - g * y) / w, pi = acosl(-1.0L), at[2];
    real turn = atan2l(g * y + w * B, w * y - g * B);
    while (turn <= 1e-17L) turn += pi;
    turn /= w;
    glide(K, g, x0, *x, *v, turn, at);
    bool turns = at[0] <= last;
    real low = 0, high = turn;
    for (int i = 0; i < 90 && !turns; i++) {
        real t = (low + high) / 2;
        glide(K, g, x0, *x, *v, t, at);
        *(at[0] < last ? &low : &high) = t;
    }
    *time += high;
    glide(K, g, x0, *x, *v, high, at);
    *x = at[0], *v = at[1];
    return turns;
}

// From the reversal at -a, T = -R, to the next, along s x with s = 1 (towards the stop) or -1.
static real swing(const mass *m, real xi, int s, real a, real *time) {
    real x = -a, v = 0, slides = m->kt > 0 ? -a + 2 * m->R / m->kt : -a, g = (xi - m->c) / 2;
    real stop = s * m->gap;
    for (bool turned = false; !turned;) {
        bool stuck = x<slides - 1e-15L, closed = s> 0 ? x >= stop - 1e-15L : x < stop - 1e-15L;
        // K x + constant = forces: T = -R + kt (x + a) or R, N = kn (x - s gap)
        real K = m->k + (stuck ? m->kt : 0) + (closed ? m->kn : 0),
             f = (stuck ? m->R - m->kt * a : -m->R) + (closed ? m->kn * stop : 0);
        real next = HUGE_VALL;
        if (stuck) next = slides;
        if (x < stop - 1e-15L && stop < next) next = stop;
        turned = piece(K, g, f / K, next, &x, &v, time);
        if (!turned) x = next;
    }
    return x;
}

// What is left open by the rate xi: the reversal after a whole swing, less a. The amplitude and the
// period beside it.
static real open_by(const mass *m, real xi, real a, real *amplitude, real *period) {
    *period = 0;
    real right = swing(m, xi, 1, a, period), left = swing(m, xi, -1, right, period);
    *amplitude = (a + right) / 2;
    return left - a;
}

// The rate with which the motion from -a repeats: by secants, which end at rounding.
static real repeats(const mass *m, real xi, real a, real *amplitude, real *period) {
    real x[2] = {xi, xi + 1e-4L}, f[2];
    for (int i = 0; i < 2; i++) f[i] = open_by(m, x[i], a, amplitude, period);
    for (int i = 0; i < 12 && f[1] != f[0] && fabsl(f[1]) > 1e-17L; i++) {
        real next = x[1] - f[1] * (x[1] - x[0]) / (f[1] - f[0]);
        x[0] = x[1], f[0] = f[1], x[1] = next;
        f[1] = open_by(m, next, a, amplitude, period);
    }
    assert_true(fabsl(f[1]) < 1e-14L);
    return x[1];
}

// ... of the amplitude wanted.
static real of_amplitude(const mass *m, real xi, real wanted, real *period) {
    real a[2] = {wanted, 1.0001L * wanted}, is, f[2];
    for (int i = 0; i < 2; i++) {
        xi = repeats(m, xi, a[i], &is, period);
        f[i] = is - wanted;
    }
    for (int i = 0; i < 14 && f[1] != f[0] && fabsl(f[1]) > 1e-16L; i++) {
        real next = a[1] - f[1] * (a[1] - a[0]) / (f[1] - f[0]);
        a[0] = a[1], f[0] = f[1], a[1] = next;
        xi = repeats(m, xi, next, &is, period);
        f[1] = is - wanted;
    }
    assert_true(fabsl(f[1]) < 1e-14L);
    return xi;
}

static double along_the_curve(const mass *m, const char *friction, double from) {
    one o;
    char text[700];
    double worst = 0;
    int touched = 0;
    snprintf(text, sizeof text,
             "judder: 1\nstructure: {type: chain, count: 1, mass: 1, stiffness: %.17Lg, supports: "
             "{left: fixed, right: free}, damping: {type: rayleigh, mass: %.17Lg, stiffness: 0}, "
             "points: {a: {node: 1}}}\ncontacts: {c: {at: a, law: {type: coulomb, %s}}, s: {at: a, "
             "law: {type: stop, gap: %.17Lg, stiffness: %.17Lg}}}\nbackbone: {from: %g, to: 6, "
             "points: 25}\n",
             m->k, m->c, friction, m->gap, m->kn, from);
    compute(&o, text);
    for (int i = 0; i < o.view->n_point; i++) {
        const jd_backbone_point *p = &o.view->point[i];
        real period, a = p->amplitude;
        if (m->kt > 0 && a < 1.02L * m->R / m->kt) continue; // stuck, or next to it
        touched += a > m->gap;
        real xi = of_amplitude(m, p->rate, a, &period);
        worst = fmax(worst, fabs((double)xi - p->rate) / p->omega);
        worst = fmax(worst, fabs((double)(2 * acosl(-1.0L) / period) / p->omega - 1));
    }
    assert_true(touched >= 5);
    end(&o);
    return worst;
}

static void one_mass_has_its_piecewise_solution(void **unused) {
    (void)unused;
    double worst = 0;
    seed = 3;
    for (int i = 0; i < 12; i++) {
        char friction[100];
        mass m = {.k = mixed(0.5, 2),
                  .c = i % 3 ? mixed(0, 0.05) : 0,
                  .R = mixed(0.1, 0.6),
                  .gap = mixed(0.5, 2),
                  .kn = mixed(0.5, 6)};
        if (i % 2) m.kt = mixed(0.3, 3);
        snprintf(friction, sizeof friction, "limit: %.17Lg, stiffness: %.17Lg", m.R, m.kt);
        double from = (double)(i % 2 ? 0.1L * m.R / m.kt : 2 * m.R / m.k);
        worst = fmax(worst, along_the_curve(&m, friction, from));
    }
    print_message("one mass: rates and frequencies within %.1e\n", worst);
    assert_true(worst < 1e-10);
}

// Distance of p from the polygon through the points of v, in log(amplitude), frequency and damping.
static double off_curve(const jd_backbone_point *p, const jd_backbone_view *v) {
    double least = HUGE_VAL;
    for (int i = 1; i < v->n_point; i++) {
        const jd_backbone_point *a = &v->point[i - 1], *b = &v->point[i];
        double d[3] = {log(b->amplitude / a->amplitude), b->omega - a->omega,
                       b->damping - a->damping},
               e[3] = {log(p->amplitude / a->amplitude), p->omega - a->omega,
                       p->damping - a->damping},
               dd = 0, de = 0, off = 0;
        for (int k = 0; k < 3; k++) dd += d[k] * d[k], de += d[k] * e[k];
        double x = fmin(1, fmax(0, de / dd));
        for (int k = 0; k < 3; k++) off += pow(e[k] - x * d[k], 2);
        least = fmin(least, sqrt(off));
    }
    return least;
}

// The same motions, found with and without a mirror image.
static void chains_have_the_curve_without_the_stop_up_to_the_touch(void **unused) {
    (void)unused;
    int same = 0, beyond = 0;
    double worst = 0;
    seed = 8;
    for (int i = 0; i < 10; i++) {
        one o[2];
        int n = 2 + pick(2), at = 1 + pick(n), to = 1 + pick(n);
        double R = mixed(0.2, 1), kt = mixed(0.3, 3), gap = mixed(0.5, 2), kn = mixed(0.5, 3);
        for (int k = 0; k < 2; k++) {
            char text[900], stop[100] = "";
            if (k == 0)
                snprintf(stop, sizeof stop,
                         ", s: {at: b, law: {type: stop, gap: %.17g, stiffness: %.17g}}", gap, kn);
            snprintf(text, sizeof text,
                     "judder: 1\nstructure: {type: chain, count: %d, mass: 1, stiffness: 1, "
                     "supports: {left: fixed, right: free}, damping: {type: ratio, value: 0.01}, "
                     "points: {a: {node: %d}, b: {node: %d}}}\ncontacts: {c: {at: a, law: {type: "
                     "coulomb, limit: %.17g, stiffness: %.17g}}%s}\nbackbone: {from: 0.02, to: "
                     "%.17g, at: b, points: %d}\n",
                     n, at, to, R, kt, stop, k ? gap : 2 * gap, k ? 400 : 25);
            compute(&o[k], text);
        }
        const jd_backbone_point *p = o[0].view->point;
        for (int k = 0; k < o[0].view->n_point; k++) beyond += p[k].amplitude > gap;
        for (int k = 0; p[k].amplitude < 0.99 * gap; k++, same++)
            worst = fmax(worst, off_curve(&p[k], o[1].view));
        end(&o[0]);
        end(&o[1]);
    }
    print_message("%d motions without a touch within %.1e, %d beyond\n", same, worst, beyond);
    assert_true(worst < 1e-3); // the curve bends between its points
    assert_true(same > 50 && beyond > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_mass_has_its_piecewise_solution),
        cmocka_unit_test(chains_have_the_curve_without_the_stop_up_to_the_touch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

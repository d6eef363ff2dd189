// string_memory.c -- equation (28) for a force given in advance.            [szalai, closure, 28]
//   The kernel, at the wave speed c s of the present moment, b = pi c s, q = -beta + i gamma:
//     k(tau) = sum_(k > N) 2 S_k^2 Re[c_k e^(k b q tau)],   k(0) includes the jump L+ delta(tau)
//     c_k = (1 - k^-2) + i beta/gamma (1 - 1/k)^2                                          (42)
//   Its answer to f is M = int_0^t k(tau) f'(t - tau) dtau. For f = Im[F e^(i omega t)] since ever
//     M = Im[G F e^(i omega t)],  rho = omega/b,
//     G = i rho sum_(k > N) 2 S_k^2 [i rho (1 - k^-2) + 2 beta (1 - 1/k)]/(k - k_1)(k - k_2)
//       = i rho sum_(k > N) 2 S_k^2 [A/k^2 + B/k + C_1/(k - k_1) + C_2/(k - k_2)],
//     k_1, k_2 = rho (-+gamma - i beta),  (k - k_1)(k - k_2) = k^2 - rho^2 + 2 i beta k rho
//   The sum over all k is one of Lerch's; above twice rho it is smooth: a Chebyshev series.
//   When f begins to change at t = 0, the poles add
//     sum_(k > N) 2 S_k^2 Re[c_k e^(k b q t) (P f' - omega^2 f)/(P^2 + omega^2)],  P = k b q,
//   whose first three orders in 1/k are polylogarithms.     tested: closure_full_memory_*
#include "kernel/continua/string_memory.h"

#include <math.h>

#include "base/constants.h"
#include "kernel/continua/polylog.h"

static const double pi = JD_PI;
static const int most_modes = 4000; // of an echo: the rest is below (omega/(b 4000))^3

static double complex i_times(double complex z) { return cartesian(-cimag(z), creal(z)); }

static double weight(const jd_stretched *m, int k) {
    double S = sin(k * pi * m->at);
    return 2 * S * S;
}

// sum_(k >= 1) 2 S_k^2/(k - a) - ln(infinity)
static double complex all_modes(const jd_stretched *m, double complex a) {
    double angle = 2 * pi * m->at;
    return jd_minus_digamma(1 - a) - jd_lerch(angle, 1, 1 - a);
}

// Mode k, and its derivative in rho.
static double complex one_mode(const jd_stretched *m, int k, double rho, double complex *slope) {
    double a = 1 - 1.0 / ((double)k * k), b = 2 * m->beta * (1 - 1.0 / k), w = weight(m, k);
    double complex under = cartesian((double)k * k - rho * rho, 2 * m->beta * k * rho),
                   value = cartesian(b, rho * a) / under;
    if (slope)
        *slope = w * (cartesian(0, a) - value * cartesian(-2 * rho, 2 * m->beta * k)) / under;
    return w * value;
}

// The modes above `last`.
static double complex higher(const jd_string_memory *memory, double rho) {
    const jd_stretched *m = memory->string;
    double gamma = sqrt(1 - m->beta * m->beta);
    double complex k[2] = {cartesian(-rho * gamma, -rho * m->beta),
                           cartesian(rho * gamma, -rho * m->beta)},
                   sum = cartesian(0, pi * pi * m->at * (1 - m->at) / rho), // A = i/rho
        B = 0;
    for (int j = 0; j < 2; j++) {
        double complex above = i_times(rho * (k[j] * k[j] - 1)) + 2 * m->beta * (k[j] - 1) * k[j],
                       C = above / (k[j] * k[j] * (k[j] - k[1 - j]));
        sum += C * all_modes(m, k[j]);
        B -= C;
    }
    sum += B * all_modes(m, 0);
    for (int j = 1; j <= memory->last; j++) sum -= one_mode(m, j, rho, NULL);
    return sum;
}

void jd_string_memory_reach(jd_string_memory *memory, double top) {
    enum { N = JD_MEMORY_ORDERS };
    double complex value[N];
    if (top <= memory->top) return;
    memory->top = fmax(1.5 * top, 2);
    memory->last = (int)fmax(memory->string->n, ceil(2 * memory->top));
    for (int i = 0; i < N; i++)
        value[i] = higher(memory, memory->top * (1 + cos(pi * (i + 0.5) / N)) / 2);
    for (int j = 0; j < N; j++) {
        memory->rest[j] = 0;
        for (int i = 0; i < N; i++)
            memory->rest[j] += (j ? 2.0 : 1.0) / N * cos(pi * j * (i + 0.5) / N) * value[i];
    }
}

// Clenshaw's sums of the series and of its derivative.
static double complex smooth(const jd_string_memory *memory, double rho, double complex *slope) {
    double x = 2 * rho / memory->top - 1;
    double complex b1 = 0, b2 = 0, d1 = 0, d2 = 0;
    for (int j = JD_MEMORY_ORDERS - 1; j >= 1; j--) {
        double complex b = 2 * x * b1 - b2 + memory->rest[j], d = 2 * x * d1 - d2 + 2 * b1;
        b2 = b1, b1 = b;
        d2 = d1, d1 = d;
    }
    *slope = (x * d1 - d2 + b1) * 2 / memory->top;
    return x * b1 - b2 + memory->rest[0];
}

double complex jd_string_memory_gain(const jd_string_memory *memory, double rho,
                                     double complex *slope) {
    double complex d = 0, rate, sum = smooth(memory, rho, &rate);
    for (int k = memory->string->n + 1; k <= memory->last; k++) {
        sum += one_mode(memory->string, k, rho, &d);
        rate += d;
    }
    if (slope) *slope = i_times(sum + rho * rate);
    return i_times(rho * sum);
}

// The first orders: d_1/k + d_2/k^2 + d_3/k^3 of c_k (h/k - u f/k^2)/(1 + u/k^2).
typedef struct orders {
    double complex c[3], d[4], h, u;
    double f;
} orders;

static orders first_orders(double beta, double b, double omega, double f, double df) {
    double gamma = sqrt(1 - beta * beta), r = beta / gamma;
    double complex q = cartesian(-beta, gamma), x = omega / (b * q);
    orders o = {.c = {cartesian(1, r), cartesian(0, -2 * r), cartesian(-1, r)},
                .h = df / (b * q),
                .u = x * x,
                .f = f};
    o.d[1] = o.h * o.c[0];
    o.d[2] = o.h * o.c[1] - o.u * f * o.c[0];
    o.d[3] = o.h * o.c[2] - o.u * f * o.c[1] - o.u * o.h * o.c[0];
    return o;
}

// Mode k less those orders, all of it where the mode is one of the resolved.
static double complex left(const orders *o, double k, bool resolved) {
    double over = 1 / k;
    double complex lead = over * (o->d[1] + over * (o->d[2] + over * o->d[3]));
    if (resolved) return -lead;
    return over * (o->h - over * o->u * o->f) / (1 + over * over * o->u) *
               (o->c[0] + over * (o->c[1] + over * o->c[2])) -
           lead;
}

double jd_string_memory_echo(const jd_string_memory *memory, double speed, double omega, double f,
                             double df, double t) {
    const jd_stretched *m = memory->string;
    double b = pi * speed, angle = 2 * pi * m->at, x = b * fmax(t, 1e-15), fade = m->beta * x;
    if (fade * (m->n + 1) > 40) return 0;
    orders o = first_orders(m->beta, b, omega, f, df);
    double complex mu = x * cartesian(-m->beta, sqrt(1 - m->beta * m->beta)), z = cexp(mu),
                   power = 1, sum = 0, turn = cartesian(0, angle), E = cexp(turn), circle = 1;
    for (int j = 1; j <= 3; j++)
        sum += o.d[j] *
               (jd_polylog(j, mu) - (jd_polylog(j, mu + turn) + jd_polylog(j, mu - turn)) / 2);
    int last = (int)fmin(40 / fade, most_modes);
    if (last < m->n) last = m->n;
    for (int k = 1; k <= last; k++) {
        power *= z;
        circle *= E;
        sum += (1 - creal(circle)) * power * left(&o, k, k <= m->n);
    }
    return creal(sum);
}

// modes.c -- kernels of finitely many modes.
//   g'' + c g' + w^2 g = 0, g(0) = 0, g'(0) = 1. Integrated once and twice:
//     u = int g = (1 - g' - c g)/w^2,   int (u - 1/w^2) = -(g + c u)/w^2
//   which holds for every damping; g = e^{-c t/2} sin(nu t)/nu, nu^2 = w^2 - c^2/4, of either sign.
//   Coupled by a damping matrix: G_ij = Re sum_p (n_i'u_p)(n_j'u_p) e^{s_p t} over poles s_p.
#include <math.h>

#include "kernel/family.h"

// sin(nu t)/nu and cos(nu t) times e^{-h t}, nu^2 = w^2 - h^2 of either sign, without overflow.
static void oscillation(double w, double h, double t, double *sine, double *cosine) {
    // (w - h)(w + h) keeps nu exact where the mode is almost critically damped
    double nu2 = (w - h) * (w + h), nu = sqrt(fabs(nu2)), x = nu * t;
    if (nu2 >= 0) {
        double e = exp(-h * t);
        *sine = x < 1e-8 ? e * t : e * sin(x) / nu;
        *cosine = e * cos(x);
        return;
    }
    double slow = exp(-w * w / (h + nu) * t), ratio = exp(-2 * x); // nu - h, of two large numbers
    *sine = x < 1e-8 ? slow * t : -slow * expm1(-2 * x) / (2 * nu);
    *cosine = slow * (1 + ratio) / 2;
}

// A rigid-body mode: g = (1 - e^{-c t})/c; its static displacement is not finite.
static void rigid(double c, double t, double value[4]) {
    double x = c * t;
    value[0] = exp(-x);
    value[1] = x < 1e-5 ? t * (1 - x / 2 + x * x / 6) : -expm1(-x) / c;
    value[2] = x < 1e-3 ? t * t * (0.5 - x / 6 + x * x / 24 - x * x * x / 120) : (t - value[1]) / c;
    value[3] = (double)NAN;
}

void jd_mode_orders(double w, double c, double t, double value[4]) {
    if (w == 0) {
        rigid(c, t, value);
        return;
    }
    double sine, cosine, h = c / 2, w2 = w * w, x = w * t;
    oscillation(w, h, t, &sine, &cosine);
    value[0] = cosine - h * sine;
    value[1] = sine;
    if (x < 1e-3 && c < w) { // Taylor of u, free of cancellation: g = t - c t^2/2 + ...
        double a2 = -c, a3 = c * c - w2, a4 = -c * a3 - w2 * a2;
        value[2] = t * t * (0.5 + t * (a2 / 6 + t * (a3 / 24 + t * a4 / 120)));
    } else
        value[2] = (1 - value[0] - c * sine) / w2;
    value[3] = -(sine + c * value[2]) / w2;
}

// Coupled modes: Re sum_p r_p s_p^{-order} e^{s_p t}, minus its value at 0 for integrals.
static double coupled(const jd_family *f, int order, double t, int i, int j) {
    const double *a = f->weight + 2 * (size_t)i * (size_t)f->n;
    const double *b = f->weight + 2 * (size_t)j * (size_t)f->n;
    double sum = 0;
    for (int p = 0; p < f->n; p++) {
        double complex s = cartesian(f->pole[2 * p], f->pole[2 * p + 1]);
        double complex r = cartesian(a[2 * p], a[2 * p + 1]) * cartesian(b[2 * p], b[2 * p + 1]);
        double complex e = cexp(s * t);
        double complex v = order == -1 ? s * e : order == 0 ? e : (e - 1) / s;
        if (order == 2) v = (e - 1) / (s * s);
        sum += creal(r * v);
    }
    return sum;
}

double jd_modes_value(const jd_family *f, int order, double t, int i, int j) {
    if (!f->place[i].row || !f->place[j].row) return 0;
    if (f->kind == JD_FAMILY_MATRIX) return coupled(f, order, t, i, j);
    const double *a = f->place[i].row, *b = f->place[j].row;
    double sum = 0, value[4];
    for (int k = 0; k < f->n; k++) {
        double n = a[k] * b[k];
        if (n == 0) continue;
        jd_mode_orders(f->omega[k], f->c[k], t, value);
        sum += n * value[order + 1];
    }
    return sum;
}

double jd_modes_static(const jd_family *f, int i, int j) {
    const double *a = f->place[i].row, *b = f->place[j].row;
    double sum = 0;
    if (!a || !b) return 0;
    if (f->kind == JD_FAMILY_MATRIX) { // U(infinity) = -Re sum r/s
        for (int p = 0; p < f->n; p++) {
            const double *u = f->weight + 2 * ((size_t)i * (size_t)f->n + (size_t)p);
            const double *v = f->weight + 2 * ((size_t)j * (size_t)f->n + (size_t)p);
            sum -= creal(cartesian(u[0], u[1]) * cartesian(v[0], v[1]) /
                         cartesian(f->pole[2 * p], f->pole[2 * p + 1]));
        }
        return sum;
    }
    for (int k = 0; k < f->n; k++) {
        double n = a[k] * b[k];
        if (n != 0) sum += n / (f->omega[k] * f->omega[k]);
    }
    return isfinite(sum) ? sum : (double)NAN;
}

double jd_modes_start(const jd_family *f, int i, int j) {
    return jd_modes_value(f, JD_RESPONSE_RATE, 0, i, j);
}

double complex jd_modes_transfer(const jd_family *f, double complex s, int i, int j) {
    if (!f->place[i].row || !f->place[j].row) return 0;
    double complex sum = 0;
    if (f->kind == JD_FAMILY_MATRIX) {
        for (int p = 0; p < f->n; p++) {
            const double *u = f->weight + 2 * ((size_t)i * (size_t)f->n + (size_t)p);
            const double *v = f->weight + 2 * ((size_t)j * (size_t)f->n + (size_t)p);
            double complex r = cartesian(u[0], u[1]) * cartesian(v[0], v[1]),
                           q = cartesian(f->pole[2 * p], f->pole[2 * p + 1]);
            sum += (r / (s - q) + conj(r) / (s - conj(q))) / 2;
        }
        return s * sum;
    }
    const double *a = f->place[i].row, *b = f->place[j].row;
    for (int k = 0; k < f->n; k++)
        if (a[k] * b[k] != 0) sum += a[k] * b[k] / (s * (s + f->c[k]) + f->omega[k] * f->omega[k]);
    return s * sum;
}

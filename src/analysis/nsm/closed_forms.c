// closed_forms.c -- the sums of the one-impact orbit and their derivatives.
#include <math.h>

#include "analysis/nsm/nsm.h"

double jd_nsm_w(const jd_nsm *s, double T, double *slope) {
    double w = 0, d = 0;
    for (int j = 0; j < s->modes.n; j++) {
        double sn, cs, x = s->modes.omega[j] * T / 2;
        sn = sin(x);
        cs = cos(x);
        w += s->modes.b[j] * cs / sn;
        d -= s->modes.a[j] / (2 * sn * sn);
    }
    *slope = d;
    return w;
}

// D and its derivatives; d/dT at fixed t: D_T = sum a_j sin^2(omega_j t/2)/sin^2(omega_j T/2).
void jd_nsm_D(const jd_nsm *s, double t, double T, double out[5]) {
    for (int i = 0; i < 5; i++) out[i] = 0;
    for (int j = 0; j < s->modes.n; j++) {
        double o = s->modes.omega[j], S = sin(o * T / 2), u = sin(o * t / 2), v = cos(o * t / 2);
        double beta = s->modes.b[j] / S, phase = o * (t - T / 2);
        out[0] += 2 * beta * u * sin(o * (T - t) / 2);
        out[1] -= beta * o * sin(phase);
        out[2] -= beta * o * o * cos(phase);
        out[3] += s->modes.a[j] * u * u / (S * S);
        out[4] += s->modes.a[j] * o * u * v / (S * S);
    }
}

double jd_nsm_energy_of(const jd_nsm *s, double T) {
    double slope, w = jd_nsm_w(s, T, &slope);
    return -s->mass * s->gap * s->gap * slope / (w * w);
}

// u = g cos(omega_j t): E = (g/row_j)^2 omega_j^2/2, and row_j^2 = a_j/m
double jd_nsm_mode_energy(const jd_nsm *s, int j) {
    return s->mass * s->gap * s->gap * s->modes.omega[j] * s->modes.omega[j] / (2 * s->modes.a[j]);
}

double jd_nsm_linear_energy(const jd_nsm *s, int i) {
    double sum = 0;
    for (int k = i; k <= i + s->poles.list[i].more; k++) {
        int j = s->poles.list[k].mode;
        sum += s->modes.a[j] / (s->modes.omega[j] * s->modes.omega[j]);
    }
    return s->mass * s->gap * s->gap / (2 * sum);
}

double jd_nsm_first_rise(const nsm_sum *f, double constant, int order, double span, bool *decided) {
    jd_guard guard = jd_default_guard(f->watch);
    jd_search_result found;
    guard.upper = 0;
    guard.start_side = 1;
    guard.start_order = order;
    guard.degree = 0;
    guard.polynomial[0] = constant;
    jd_first_zero(f->basis, f->re, f->im, 1, &guard, span, NULL, &found, f->re1, f->im1);
    if (found.undecided > 0 || found.outcome == JD_SEARCH_BUDGET ||
        found.outcome == JD_SEARCH_UNBOUNDED)
        *decided = false;
    return found.outcome == JD_SEARCH_FOUND || found.outcome == JD_SEARCH_OUTSIDE ? found.time : -1;
}

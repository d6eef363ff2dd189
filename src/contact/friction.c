// friction.c -- resistance against speed, and where its sliding branch ends.
#include "contact/friction.h"

#include <math.h>

static bool rises(const jd_friction *f, double gamma, double u) {
    double rate;
    jd_friction_at(f, u, &rate);
    return 1 + gamma * rate > 0;
}

bool jd_friction_edge(jd_friction *f, double gamma) {
    double low = -1, rate;
    int changes = 0;
    for (int i = 1; i <= f->pieces; i++) { // from rest upwards: falls, then rises for good
        double from = f->top * (i - 1) / f->pieces, to = f->top * i / f->pieces;
        if (rises(f, gamma, from) == rises(f, gamma, to)) continue;
        changes++;
        low = from;
    }
    if (changes != 1 || rises(f, gamma, 0)) return false;
    double high = low + f->top / f->pieces;
    for (int i = 0; i < 100 && high - low > 1e-16 * high; i++) {
        double middle = (low + high) / 2;
        *(rises(f, gamma, middle) ? &high : &low) = middle;
    }
    double force = jd_friction_at(f, high, &rate);
    f->edge = high;
    f->edge_force = force;
    f->edge_rate = -0.5 / gamma;
    return true;
}

double jd_friction_at(const jd_friction *f, double u, double *rate) {
    if (f->edge > 0 && u < f->edge) {
        *rate = f->edge_rate;
        return f->edge_force + f->edge_rate * (u - f->edge);
    }
    if (f->curve) return f->curve(f, u, rate);
    *rate = f->slope;
    return f->limit + f->slope * u;
}

void jd_friction_four(const jd_friction *f, const double u[4], double *value, double *rate) {
    if (f->curve_four && !(f->edge > 0)) {
        f->curve_four(f, u, value, rate);
        return;
    }
    for (int i = 0; i < 4; i++) value[i] = jd_friction_at(f, u[i], &rate[i]);
}

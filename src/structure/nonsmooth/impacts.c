// impacts.c -- flights between impacts of a periodic orbit, mode by mode.
#include "structure/nonsmooth/impacts.h"

#include <math.h>

static const double unmoved = 1e-28; // share m B_j^2 below which a mode does not move the stop

jd_impacts jd_impacts_of(int n, const jd_dd *omega2, const jd_dd *row) {
    double B2 = 0;
    for (int j = 0; j < n; j++) B2 += row[j].hi * row[j].hi;
    return (jd_impacts){n, omega2, row, 1 / B2};
}

double jd_impacts_one(const jd_impacts *x, double gap, double T) {
    double w = 0;
    for (int k = 0; k < x->n; k++) {
        double o = sqrt(x->omega2[k].hi), a = x->mass * x->row[k].hi * x->row[k].hi;
        if (a > unmoved) w += a / (o * tan(o * T / 2));
    }
    return gap / w;
}

void jd_impacts_flight(const jd_impacts *x, double T, int k, const double *time,
                       const double *impulse, double now, double *q, double *rate) {
    for (int j = 0; j < x->n; j++) {
        double o = sqrt(x->omega2[j].hi), share = x->mass * x->row[j].hi / sin(o * T / 2);
        if (x->mass * x->row[j].hi * x->row[j].hi < unmoved) continue;
        for (int l = 0; l < k; l++) {
            double angle = o * (now - time[l] + (l > 0 ? T : 0) - T / 2);
            q[j] += share * impulse[l] * cos(angle) / o;
            rate[j] -= share * impulse[l] * sin(angle);
        }
    }
}

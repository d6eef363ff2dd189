// load.c -- mean of a drive over a step: what a grid at CFL = 1 takes exactly.
//   F = amplitude sin(omega t + phase) + level + slope (t - start) between breakpoints; over [a,
//   b]: integral = amplitude sin(omega m + phase) sinc(omega r) 2 r + (level + slope (m - start)) 2
//   r, m = (a + b)/2, r = (b - a)/2, sinc x = sin(x)/x
#include <math.h>

#include "engine/wave/wave.h"

static double integral(push *p, double a, double b) {
    const jd_drive_segment *g = &p->segment;
    double m = 0.5 * (a + b), r = 0.5 * (b - a), sum = g->level;
    if (g->slope != 0) sum += g->slope * (m - g->start);
    if (g->amplitude != 0) {
        if (fabs(r - p->half) > 1e-15 * m) { // t - dt to t + dt, but for rounding, most of the time
            double x = g->omega * r;
            p->half = r;
            p->sinc = x != 0 ? sin(x) / x : 1;
        }
        sum += g->amplitude * sin(g->omega * m + g->phase) * p->sinc;
    }
    return sum * 2 * r;
}

// The ends of neighbouring steps are the same numbers: no impulse is lost between them.
double jd_push_mean(push *p, long step, double dt) {
    double a = fmax((double)(step - 1) * dt, 0), b = (double)(step + 1) * dt, sum = 0;
    jd_drive_segment *g = &p->segment;
    while (a < b) {
        if (!(g->start <= a && a < g->end)) {
            jd_drive_segment_at(p->object, p->omega, a, g);
            p->half = -1;
        }
        double end = fmin(g->end, b);
        sum += integral(p, a, end);
        a = end;
    }
    return sum / (2 * dt);
}

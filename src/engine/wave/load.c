// load.c -- mean of a drive over a step: what a grid at CFL = 1 takes exactly.
//   F = amplitude sin(omega t + phase) + level + slope (t - start) between breakpoints; over [a,
//   b]: integral = amplitude sin(omega m + phase) sinc(omega r) 2 r + (level + slope (m - start)) 2
//   r, m = (a + b)/2, r = (b - a)/2, sinc x = sin(x)/x
#include <math.h>

#include "engine/wave/wave.h"

static double integral(const jd_drive_segment *g, double a, double b) {
    double m = 0.5 * (a + b), r = 0.5 * (b - a), x = g->omega * r, sum = g->level;
    if (g->slope != 0) sum += g->slope * (m - g->start);
    if (g->amplitude != 0)
        sum += g->amplitude * sin(g->omega * m + g->phase) * (x != 0 ? sin(x) / x : 1);
    return sum * 2 * r;
}

double push_mean(push *p, double t, double dt) {
    double a = fmax(t - dt, 0), b = t + dt, sum = 0;
    jd_drive_segment *g = &p->segment;
    while (a < b) {
        if (!(g->start <= a && a < g->end)) jd_drive_segment_at(p->object, p->omega, a, g);
        double end = fmin(g->end, b);
        sum += integral(g, a, end);
        a = end;
    }
    return sum / (2 * dt);
}

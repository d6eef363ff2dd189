// load.c -- loads on a grid: how they share out over nodes, and their means over a step.
//   d'Alembert's solution takes the load b(z) g(t) of a node over the diamond
//     |z - z_i|/h + |tau - t|/dt <= 1
//   A force at a node: the mean of g over [t - dt, t + dt]. A load along a span that is straight
//   from z_i - h to z_i + h: share_i times the mean of g with the weight 1 - |tau - t|/dt, where
//     share_i = int b(z) max(0, 1 - |z - z_i|/h) dz                          [m]
//   (ends of the rod mirror the load as they do the motion). With g constant this holds for every
//   b, so that displacements at nodes are exact at rest; where b has a corner or a jump between two
//   nodes and g varies, what is left is of second order in dt. Means are integrals of
//   amplitude sin(omega t + phase) + level + slope (t - start) between breakpoints, with m the
//   middle and r half of the length of a stretch, y = omega r:
//     int sin = 2 r sin(omega m + phase) sinc y,   int (t - m) sin = 2 r^2 cos(omega m + phase) j y
//     sinc y = sin(y)/y,   j y = (sin y - y cos y)/y^2
#include <math.h>

#include "base/param_tools.h"
#include "engine/wave/wave.h"

// int of the profile times the hat 1 - |z - peak|/h over [a, b] within the span; no peak inside.
// Between two places of the profile it is a parabola: Simpson's rule is exact.
static double flank(const jd_drive_place *d, double peak, double h, double a, double b) {
    const jd_reals *places = &d->profile.at;
    double sum = 0;
    a = fmax(a, d->at.from), b = fmin(b, d->at.to);
    while (a < b) {
        double to = b, f[3];
        for (int i = 0; i < places->n; i++)
            if (d->at.from + places->value[i] > a) to = fmin(to, d->at.from + places->value[i]);
        for (int i = 0; i < 3; i++) {
            double z = a + 0.5 * i * (to - a);
            f[i] = jd_profile_at(&d->profile, z - d->at.from) * (1 - fabs(z - peak) / h);
        }
        sum += (to - a) / 6 * (f[0] + 4 * f[1] + f[2]);
        a = to;
    }
    return sum;
}

double jd_push_share(const jd_drive_place *d, const rod *a, int node) {
    double h = a->grid.step, z = jd_grid_at(&a->grid, node), l = a->grid.length;
    int n = a->grid.n;
    if (a->uneven) {
        double below = node > 0 ? z - a->grid.at[node - 1] : 0;
        double above = node < n - 1 ? a->grid.at[node + 1] - z : 0;
        return (below > 0 ? flank(d, z, below, z - below, z) : 0) +
               (above > 0 ? flank(d, z, above, z, z + above) : 0);
    }
    double sum = flank(d, z, h, fmax(z - h, 0), z) + flank(d, z, h, z, fmin(z + h, l));
    // an end between two nodes: the hat of the ghost node, half a step beyond
    if (node == 0 && a->mirror[0] == 0) sum += a->sign[0] * flank(d, -z, h, 0, h - z);
    if (node == n - 1 && a->mirror[1] == n - 1)
        sum += a->sign[1] * flank(d, 2 * l - z, h, 2 * l - z - h, l);
    return sum;
}

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

// (sin y - y cos y)/y^2, by its series where the difference cancels.
static double j_of(double y) {
    if (fabs(y) > 0.3) return (sin(y) - y * cos(y)) / (y * y);
    double z = y * y; // the next factor is 1 - z/130
    return y / 3 * (1 - z / 10 * (1 - z / 28 * (1 - z / 54 * (1 - z / 88))));
}

// int over [a, b] of the segment times 1 - |tau - t|/dt; t is not inside.
static double integral_of_hat(const push *p, double a, double b, double t, double dt) {
    const jd_drive_segment *g = &p->segment;
    double m = 0.5 * (a + b), r = 0.5 * (b - a), y = g->omega * r;
    double weight = 1 - fabs(m - t) / dt, rise = (m < t ? 1 : -1) / dt;
    double sum = weight * (g->level + g->slope * (m - g->start)) * 2 * r;
    sum += rise * g->slope * 2 * r * r * r / 3;
    if (g->amplitude == 0) return sum;
    sum += weight * g->amplitude * sin(g->omega * m + g->phase) * (y != 0 ? sin(y) / y : 1) * 2 * r;
    return sum + rise * g->amplitude * cos(g->omega * m + g->phase) * 2 * r * r * j_of(y);
}

// The ends of neighbouring steps are the same numbers: no impulse is lost between them.
double jd_push_mean(push *p, const march *m) {
    double dt = m->dt, t = m->origin + (double)m->step * dt;
    double a = m->origin + (double)(m->step - 1) * dt, b = m->origin + (double)(m->step + 1) * dt;
    double sum = 0;
    jd_drive_segment *g = &p->segment;
    if (!p->always && m->origin == 0) a = fmax(a, 0);
    while (a < b) {
        if (!(g->start <= a && a < g->end)) {
            jd_drive_segment_at(p->object, p->omega, a, g);
            p->half = -1;
        }
        double end = fmin(g->end, p->along && a < t ? t : b);
        sum += p->along ? integral_of_hat(p, a, end, t, dt) : integral(p, a, end);
        a = end;
    }
    return p->along ? sum / dt : sum / (2 * dt);
}

// driven_pile.h -- a pile of 2 m under a vibrator, so stiff that it moves as one mass.
#ifndef JD_TESTS_DRIVEN_PILE_H
#define JD_TESTS_DRIVEN_PILE_H

#include <math.h>

static const double mass = 200, limit = 900, weight = 300; // [kg], [N], [N]

// One mass with friction, by small steps of its own; the mean set of `count` periods after
// `before`.
static double rigid_set(double omega, double force, int before, int count) {
    double u = 0, v = 0, from = 0, period = 2 * acos(-1) / omega;
    int n = 20000;
    for (int k = 0; k < (before + count) * n; k++) {
        if (k == before * n) from = u;
        double t = (k + 0.5) * period / n, dt = period / n;
        double free = v + dt / mass * (weight + force * sin(omega * t)), most = dt * limit / mass;
        v = free > most ? free - most : free < -most ? free + most : 0;
        u += dt * v;
    }
    return (u - from) / count;
}

#endif

// rods_rk45.h -- the peer of the rods: the semi-discrete problem by a Runge-Kutta method of order 5
//   with event detection, at the step published for it.
//   Rod 1: n nodes, central differences, half masses at the ends. Rod 2: fixed-free modes, averaged
//   over the cells of rod 1. Units m, s, kN, t; the two rods of gallery/two-rods.
#ifndef BENCH_RODS_RK45_H
#define BENCH_RODS_RK45_H

#include <stdbool.h>

typedef struct rods_case {
    const char *name;
    int n, modes;    // 304, 20
    double omega;    // of the load 20 kN sin(omega t) [rad/s]; 0: 20 kN during `pulse`
    double pulse;    // [s]
    double friction; // [kN/m]
} rods_case;

typedef struct rods_outcome {
    double u[4];                // of rod 1 at 0, L/3, 2L/3, L at the end [m]
    long slip, stick, reversal; // events
    long steps;
    double cpu; // [s]
} rods_outcome;

// From rest to t_end with steps of delta h/c (paper: 0.02). False: out of memory.
bool rods_rk45(const rods_case *rods, double delta, double t_end, rods_outcome *out);

#endif

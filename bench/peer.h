// peer.h -- what every solver in the table is asked and answers.
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "problems.h"

typedef struct bench_outcome {
    bool available, finished;
    double seconds;          // processor time, best of several runs; negative: not timed
    long steps, evaluations; // of the right-hand side; -1: unknown
    char note[120];
} bench_outcome;

typedef struct bench_solver bench_solver;

typedef struct bench_tolerance {
    double relative, absolute; // absolute: of modal velocities [kg^1/2 m/s]
} bench_tolerance;

// Solves once from the problem to the list of events; fills everything but the time.
typedef void bench_solve(const bench_solver *solver, const bench_problem *p,
                         bench_tolerance tolerance, bench_events *events, bench_outcome *out);

struct bench_solver {
    const char *name;
    bench_solve *solve;
    int method, option; // what they mean is the solver's
};

typedef enum bench_newton { BENCH_FIXED_POINT, BENCH_DENSE, BENCH_BAND } bench_newton;

#ifdef __cplusplus
extern "C" {
#endif
bench_solve bench_judder;
bench_solve bench_arkode;   // method: Butcher table (ARKODE_ERKTableID)
bench_solve bench_cvode;    // method: CV_ADAMS or CV_BDF; option: bench_newton
bench_solve bench_smooth;   // friction smoothed by tanh, CVODE BDF; option: its speed [nm/s]
bench_solve bench_stepping; // Moreau and Jean; option: steps in a drive period
bench_solve bench_siconos;  // event-driven, LSODAR; stops only; absent without its headers
#ifdef __cplusplus
}
#endif

#endif

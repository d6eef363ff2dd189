// reference.h -- every event of a benchmark problem, from closed forms in quadruple precision.
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "problems.h"

typedef struct bench_reference {
    long evaluations;
    quad time[BENCH_EVENTS]; // of each event [s]
    quad shortest;           // phase [s]
} bench_reference;

// Runs the problem to t_end (or p->q_t_end when t_end < 0).
void bench_reference_run(const bench_problem *p, double t_end, bench_events *events,
                         bench_reference *out);

#endif

// compare.h -- a solver's events against the reference.
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "problems.h"

typedef struct bench_score {
    int lost;           // events of the reference that the solver does not have
    int extra;          // events of the solver that the reference does not have
    int first_lost;     // number of the first one lost, from 1; 0: none
    double worst;       // largest error of a time found [s]
    double worst_first; // the same over the first 24 events; NaN if one of them is lost
} bench_score;

// Up to p->t_judge. Same transition, no further apart than p->window, in order.
bench_score bench_compare(const bench_problem *p, const bench_events *reference,
                          const bench_events *events);

#endif

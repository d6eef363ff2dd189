// timer.h -- processor time of this thread [s]: insensitive to what else the machine does.
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

#include <time.h>

static inline double bench_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif

// waves.h -- multipliers of a motion that an engine settles to by simulation, where its state is
// waves under way.
#ifndef JD_ANALYSIS_WAVES_H
#define JD_ANALYSIS_WAVES_H

#include "analysis/orbit/settled.h"

typedef struct jd_waves {
    int n;           // multipliers that are known: the largest, by falling magnitude
    double *value;   // (re, im)
    double largest;  // greatest magnitude that counts for stability
    double error;    // of the multipliers of half the largest size and more
    const char *why; // there are none, and the reason; NULL: there are
} jd_waves;

// From a run that starts on the orbit (jd_settled_run).
jd_status jd_waves_find(jd_run *run, jd_arena *arena, const jd_settled *settled, jd_waves *out);

// Of the period taken down in a run, whose changes have n numbers: about `wanted` of them, each
// known to `same`. error: how far the multiplier along an autonomous orbit is from 1.
jd_status jd_waves_of_period(jd_run *run, jd_arena *arena, int n, double same, int wanted,
                             bool forced, jd_waves *out);

#endif

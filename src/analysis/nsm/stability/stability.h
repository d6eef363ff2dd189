// stability.h -- stability along a branch: ranges proved, and the changes between them.
#ifndef JD_ANALYSIS_NSM_STABILITY_H
#define JD_ANALYSIS_NSM_STABILITY_H

#include "analysis/nsm/stability/secular.h"

typedef enum nsm_verdict { NSM_UNDECIDED, NSM_STABLE, NSM_UNSTABLE } nsm_verdict;

// Periods from .. to with one verdict.
typedef struct nsm_proved_range {
    double from, to;
    nsm_verdict is;
} nsm_proved_range;

// What is known on the way along a branch.
typedef struct nsm_prover {
    jd_nsm *s;
    nsm_period place;
    bool tracked;            // a root off [-1, 1] is known:
    double z[2];             // it, at the period z_at
    double drift[2];         // d mu/dT
    double z_at, chosen_off; // distance from [-1, 1] when it was chosen
    bool apart;              // all roots were real:
    double *between;         // n - 2 places between neighbours, falling
    double *mu;              // 2 n
    double finest;           // [s] ranges narrower than this are left undecided
    bool passing;            // with many modes, no dense eigenproblem is solved
    int looks, failed;       // intervals tried; in a row without success
    int effort;              // looks after which wider ranges may stay undecided
    int n_range, room;
    nsm_proved_range *range; // by rising period, without gaps; neighbours differ
} nsm_prover;

// prove.c: all ranges from period `low` to the pole where the branch starts
jd_status jd_nsm_prove_ranges(nsm_prover *u, double low, double pole);
// change.c: where between two periods of different verdicts stability changes, and how
jd_status jd_nsm_find_change(nsm_prover *u, double a, double b, double *T, jd_nsm_change *kind);

#endif

// nsm.h -- nonsmooth modes: families of periodic orbits of a structure without losses that knocks
// against one elastic stop, once per period.
//   With a_j the share of mode j in the stop's point (sum a_j = 1), b_j = a_j/omega_j, every orbit
//   of period T is closed form; families start at the linear grazing orbits T = k T_j and exist for
//   shorter T down to where they graze again or their energy grows without bound.
#ifndef JUDDER_NSM_H
#define JUDDER_NSM_H

#include "judder/problem.h"

typedef struct jd_nsm jd_nsm;

typedef enum jd_nsm_end {
    JD_NSM_GRAZE,    // the orbit touches the stop a second time
    JD_NSM_UNBOUNDED // the energy grows without bound
} jd_nsm_end;

typedef enum jd_nsm_change {
    JD_NSM_START,
    JD_NSM_FOLD,
    JD_NSM_FLIP,
    JD_NSM_KREIN,
    JD_NSM_END
} jd_nsm_change;

// A stretch of a branch with one stability.
typedef struct jd_nsm_interval {
    double from, to; // angular frequency [rad/s], from < to
    bool stable;
    jd_nsm_change starts_with, ends_with;
} jd_nsm_interval;

typedef struct jd_nsm_branch {
    int mode, divisor;             // starts at omega_mode/divisor; mode counts from 1
    double omega_start, omega_end; // [rad/s]
    jd_nsm_end end;
    double energy_start, energy_end; // [J]; energy_end is INFINITY when unbounded
    double graze_time;               // [s] after the impact, JD_NSM_GRAZE
    bool certified;                  // proved free of a second contact all along
    int n_interval;                  // 0: stability was not asked for
    const jd_nsm_interval *interval;
} jd_nsm_branch;

typedef struct jd_nsm_options {
    double omega_low, omega_high; // branches that start in this window [rad/s]
    bool stability;
} jd_nsm_options;

// Options from the `nsm` section of a problem that has been built. Stability is judged by default
// up to 16 modes: with many it takes longer than all else.
jd_status jd_nsm_options_of(const jd_problem *problem, jd_nsm_options *out);

jd_status jd_nsm_create(jd_context *context, jd_problem *problem, const jd_nsm_options *options,
                        jd_nsm **out);
void jd_nsm_free(jd_nsm *nsm);

int jd_nsm_poles(const jd_nsm *nsm);    // linear grazing orbits in the window
int jd_nsm_branches(const jd_nsm *nsm); // those that a branch starts from
const jd_nsm_branch *jd_nsm_branch_at(const jd_nsm *nsm, int i); // by falling omega_start
const char *jd_nsm_change_name(jd_nsm_change change);

// Energy [J] of the orbit of angular frequency omega, and its speed just after the impact [m/s] (<
// 0: away from the stop). Valid on a branch.
double jd_nsm_energy(const jd_nsm *nsm, double omega);
double jd_nsm_speed(const jd_nsm *nsm, double omega);
// n orbits spread along a branch so that its energy is well resolved, by rising omega.
void jd_nsm_points(const jd_nsm *nsm, int branch, int n, double *omega);
// Whether the orbit of that frequency is stable; false: stability was not judged.
bool jd_nsm_stable(const jd_nsm *nsm, int branch, double omega, bool *stable);
// State just after the impact in modal coordinates of the problem (q, then q').
void jd_nsm_state(const jd_nsm *nsm, double omega, double *q, double *rate);

#endif

// nsm.h -- nonsmooth modes: the result and its parts, file by file.
//   nsm.c (poles, branches), branch.c, closed_forms.c, sample.c; families/ of more impacts per
//   period and how they are connected; stability/ of branches and families; sustained/ contact.
//   One-impact orbits, shared by all:
//   C(t;T) = sum b_j cos(omega_j (t - T/2))/sin(omega_j T/2),   w(T) = C(0;T) = sum b_j cot(omega_j
//   T/2) D(t;T) = C(t;T) - w(T) = 2 sum b_j sin(omega_j t/2) sin(omega_j (T-t)/2)/sin(omega_j T/2)
//   >= 0 v = g/w (< 0), u - g = v D;  E = m g^2 d(1/w)/dT,  m = 1/(B B')
#ifndef JD_ANALYSIS_NSM_H
#define JD_ANALYSIS_NSM_H

#include "base/arena.h"
#include "judder/expsum.h"
#include "judder/nsm.h"

typedef struct nsm_pole {
    double T;          // k T_j [s]
    int mode, divisor; // index in the list of modes that move the stop, k
    int more;          // entries after this one that are the same pole: internal resonance
} nsm_pole;

// Modes that move the stop; modes of one frequency count as one.
typedef struct nsm_modes {
    int n;
    int *mode;   // n: their numbers in the problem, from 0; the first of equal ones
    int *member; // per mode of the problem: index in this list, -1: does not move the stop
    double *omega, *a, *b; // n
    double *row;           // per mode of the problem: its share in the stop's motion
    double fastest;        // highest omega [rad/s]
} nsm_modes;

// Poles of w, by rising period.
typedef struct nsm_poles {
    int n, n_window; // up to the longest period, and those in the window of the options
    nsm_pole *list;
} nsm_poles;

// What the search has found so far: the result.
typedef struct nsm_found {
    int n_branch, n_phantom, n_family, n_sustained;
    int family_room;
    jd_nsm_branch *branch;   // poles.n_window
    jd_nsm_phantom *phantom; // poles.n_window
    jd_nsm_family *family;
    jd_nsm_sustained *sustained;
    jd_nsm_search search; // for sustained contact
    jd_nsm_graph graph;
} nsm_found;

// A sum of undamped oscillations at time 0, with room for its amplitudes at a zero.
typedef struct nsm_sum {
    jd_expbasis *basis;
    jd_watch *watch; // all weights 1
    double *re, *im, *re1, *im1;
} nsm_sum;

// sin and cos of omega_j T/2 at one period T (families/zero_of_w.c).
typedef struct nsm_reference {
    double T, *sine, *cosine; // n
} nsm_reference;

struct jd_nsm {
    jd_context *context;
    jd_arena *arena, *scratch_arena; // of what stays; of one family at a time
    jd_problem *problem;
    jd_nsm_options options;
    double gap, mass; // g [m], m [kg]; both positive: the direction points at the stop
    nsm_modes modes;
    nsm_poles poles;
    nsm_found found;
    nsm_sum flight; // poles i omega_j: orbits of every period are sums over it
    nsm_reference reference;
    double *scratch; // 11 n
};

// nsm.c: the basis of n oscillations, of angular frequency omega_j, and its arrays.
jd_status jd_nsm_sum_create(jd_context *context, jd_arena *arena, int n, const double *omega,
                            nsm_sum *out);
// closed_forms.c
// First time in (0, span] at which constant + sum, 0 at time 0 and then falling with its order-th
// derivative, is 0 again, certified; -1: none. `decided` is taken back where that is not proved.
double jd_nsm_first_rise(const nsm_sum *f, double constant, int order, double span, bool *decided);
double jd_nsm_w(const jd_nsm *s, double T, double *slope);         // w and dw/dT
void jd_nsm_D(const jd_nsm *s, double t, double T, double out[5]); // D, D_t, D_tt, D_T, D_tT
double jd_nsm_energy_of(const jd_nsm *s, double T);
// Energy of the linear motion that just grazes with the period of entry i: one mode, or all that
// share the pole with amplitudes a_j/omega_j^2: m g^2/(2 sum a_j/omega_j^2).
double jd_nsm_linear_energy(const jd_nsm *s, int i);
double jd_nsm_mode_energy(const jd_nsm *s, int j); // of mode j alone
// families/zero_of_w.c: the zero of w between poles `low` and `high` with weights alpha, beta
double jd_nsm_zero_of_w(jd_nsm *s, double low, double high, double alpha, double beta);
// branch.c: the branch below pole i of the list (the first of a common one), or none (false)
bool jd_nsm_find_branch(jd_nsm *s, int i, jd_nsm_branch *out);
// families/family.c: the families at the grazing ends of all branches
jd_status jd_nsm_find_families(jd_nsm *s);
// Whether a built problem has nonsmooth modes to look for: JD_OK, or what it lacks.
jd_status jd_nsm_check(jd_problem *problem);
// sustained/sustained.c: orbits with sustained contact
jd_status jd_nsm_find_sustained(jd_nsm *s);
// families/graph.c
jd_status jd_nsm_connect(jd_nsm *s);
// stability/stability.c: the intervals of stability of a branch
jd_status jd_nsm_prove_branch(jd_nsm *s, jd_nsm_branch *branch);
// stability/family_stability.c: the multipliers of each orbit of a family
jd_status jd_nsm_family_multipliers(jd_nsm *s, jd_nsm_family *family);

#endif

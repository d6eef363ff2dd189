// secular.h -- the scalar equation of the multipliers of one-impact orbits, at a period and all
// over an interval of periods.
//   lambda + 1/lambda = 2 mu,  F(mu; T) = A (H - kappa) + (mu^2 - 1) B^2 = 0,
//   A = sum b_j s_j/(mu - c_j), B = sum a_j/(mu - c_j), H = sum a_j omega_j s_j/(mu - c_j),
//   c_j = cos omega_j T, s_j = sin omega_j T, kappa = sum a_j omega_j cot(omega_j T/2).
//   P(mu) = F(mu) prod (mu - c_j)/(mu - 1) is a monic polynomial of degree n - 1: mu = 1 (shift
//   along the orbit) is divided out. Stable: all its roots are real and in [-1, 1].
#ifndef JD_ANALYSIS_NSM_SECULAR_H
#define JD_ANALYSIS_NSM_SECULAR_H

#include "analysis/nsm/nsm.h"
#include "analysis/nsm/taylor_model.h"

// A period with its sines, and the interval T - h .. T + h around it.
typedef struct nsm_period {
    const jd_nsm *s;
    double T, h;              // [s]
    double *S, *C;            // n: sin, cos of omega_j T/2
    double *c, *bs, *aos, *a; // n padded to a multiple of 4: c_j (2), b_j s_j, a_j omega_j s_j, a_j
                              // (0)
    nsm_model kappa;          // over the interval
} nsm_period;

// F and its derivatives at one mu (complex: re, im), without bounds.
typedef struct nsm_secular {
    double F[2], Fz[2], Fzz[2], FT[2]; // d/dmu, d2/dmu2, d/dT
    double log_slope[2];               // sum 1/(mu - c_j) - 1/(mu - 1): P'/P = F'/F + this
} nsm_secular;

jd_status jd_nsm_period_create(const jd_nsm *s, jd_arena *arena, nsm_period *out);
// Sines at T, and kappa over T - h .. T + h. jd_nsm_period_create takes its lists.
void jd_nsm_period_at(nsm_period *p, double T, double h);
// Signs of P at mu = 1 and of (-1)^(n-1) P at mu = -1 all over the interval; 0: not proved. Stable
// orbits have both positive; fold and flip are where they vanish.
int jd_nsm_sign_at_one(const nsm_period *p);
int jd_nsm_sign_at_minus_one(const nsm_period *p);
// Sign of P at a real mu = x < 1 all over the interval; 0: not proved.
int jd_nsm_sign_at(const nsm_period *p, double x);
// Is a root of P off [-1, 1] all over the interval? By the disc |mu - z| <= (n - 1)|P/P'| around z
// + drift d, which holds a root at each T + d.
bool jd_nsm_root_stays_off(const nsm_period *p, const double z[2], const double drift[2]);
void jd_nsm_secular_at(const nsm_period *p, const double z[2], nsm_secular *out);
// Newton's method for a root of P from z; false: no convergence.
bool jd_nsm_secular_root(const nsm_period *p, double z[2]);
// d mu/dT of the root z; false: it is double.
bool jd_nsm_secular_drift(const nsm_period *p, const double z[2], double drift[2]);
// Distance from [-1, 1].
double jd_nsm_off_segment(const double z[2]);
// The n - 1 roots at the place by a dense eigenproblem, re and im of each (room for n), in no
// order.
jd_status jd_nsm_secular_roots(jd_nsm *s, double T, double *mu);

#endif

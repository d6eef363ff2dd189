// driven.h -- the motion of an engine on a grid under a harmonic drive, period by period.
//   It does not come back: with every period the rods go down by a set. After n periods each it has
//   settled when all nodes go the same way d_k = u(kT) - u((k-n)T), and have the same velocities:
//     r_k = max(|d_k - d_(k-n)|, 0.1 |v_k - v_(k-n)| nT/(2 pi))/max(|d_k|, |swing|, |v_k| nT/(2
//     pi))
//   with |x|^2 = sum m x^2; velocities count less, as fronts lie one step off from period to
//   period. Orbits of several periods are told from fewer where these differ by 5 percent and more.
#ifndef JD_ANALYSIS_DRIVEN_H
#define JD_ANALYSIS_DRIVEN_H

#include "analysis/orbit/settled.h"

// The longest that is told apart, and periods in a row that must be alike.
// Where the steps of a grid do not meet the periods no motion repeats better than to about
// jd_driven_coarse.
static const double jd_driven_coarse = 5e-3;
enum { JD_DRIVEN_LONGEST = 8, JD_DRIVEN_QUIET = 4, JD_DRIVEN_RING = 2 * JD_DRIVEN_LONGEST + 1 };

typedef struct jd_driven {
    int n, bodies; // nodes of all bodies
    double drive;  // its period T [s]
    long first, k; // periods when it was opened, and now
    bool lost;     // the run stopped
    double swing;  // largest distance of the nodes, at quarters of the last period, from its start
    double *mass;  // n [kg]
    int *body;     // n: whose node
    double *u, *v; // JD_DRIVEN_RING rows of n: after the last periods
    int quiet[JD_DRIVEN_LONGEST + 1]; // periods in a row with r_k below the tolerance, by n
} jd_driven;

// From the run's present time on, which is the end of a period.
jd_status jd_driven_open(jd_run *run, jd_arena *arena, double drive, jd_driven *out);
jd_status jd_driven_period(jd_run *run, jd_driven *d); // one more
// r_k; infinite before there are enough of them, and of bodies that fall faster and faster.
double jd_driven_residual(const jd_driven *d, int n);
void jd_driven_set(const jd_driven *d, int n, double *set); // of each body in n periods [m]

// The settled motion as an orbit that goes on by a set; out->set has that of each body.
jd_status jd_driven_find(jd_context *context, jd_problem *problem, jd_arena *arena,
                         const jd_orbit_options *options, jd_settled *out);

#endif

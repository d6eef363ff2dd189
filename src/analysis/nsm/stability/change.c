// change.c -- where stability changes, to rounding: a fold, a flip, or two mu that collide.
//   Fold: P(1) = 0, flip: P(-1) = 0, by bisection. Collision: F = 0 and dF/dmu = 0; with mu kept at
//   the extremum, Newton's method for the period.
#include <math.h>

#include "analysis/nsm/stability/stability.h"

static double bisect(nsm_period *p, double a, double b, int (*sign)(const nsm_period *)) {
    jd_nsm_period_at(p, a, 0);
    int at_a = sign(p);
    while (fabs(b - a) > 2e-16 * fabs(a)) {
        double m = (a + b) / 2;
        if (m == a || m == b) break;
        jd_nsm_period_at(p, m, 0);
        int here = sign(p);
        if (here == 0) return m; // as near as rounding tells
        if (here == at_a)
            a = m;
        else
            b = m;
    }
    return (a + b) / 2;
}

static bool differs(nsm_period *p, double a, double b, int (*sign)(const nsm_period *)) {
    jd_nsm_period_at(p, a, 0);
    int at_a = sign(p);
    jd_nsm_period_at(p, b, 0);
    return at_a * sign(p) < 0;
}

// The middle of the two roots that are closest.
static jd_status closest(nsm_prover *u, double T, double *x) {
    double least = HUGE_VAL, *mu = u->mu;
    JD_TRY(jd_nsm_secular_roots(u->s, T, mu));
    for (int i = 0; i < u->s->modes.n - 1; i++)
        for (int k = 0; k < i; k++) {
            double off = hypot(mu[2 * i] - mu[2 * k], mu[2 * i + 1] - mu[2 * k + 1]);
            if (off >= least) continue;
            least = off;
            *x = (mu[2 * i] + mu[2 * k]) / 2;
        }
    return JD_OK;
}

static double collide(nsm_prover *u, double a, double b, double x) {
    double T = (a + b) / 2, far = fabs(b - a);
    for (int i = 0; i < 40; i++) {
        double z[2] = {x, 0}, step;
        nsm_secular f;
        jd_nsm_period_at(&u->place, T, 0);
        for (int k = 0; k < 4; k++) {
            jd_nsm_secular_at(&u->place, z, &f);
            z[0] -= f.Fz[0] / f.Fzz[0];
        }
        x = z[0];
        jd_nsm_secular_at(&u->place, z, &f);
        step = f.F[0] / f.FT[0];
        if (!(fabs(T - step - (a + b) / 2) <= far)) break;
        T -= step;
        if (fabs(step) <= 4e-16 * T) break;
    }
    return T;
}

jd_status jd_nsm_find_change(nsm_prover *u, double a, double b, double *T, jd_nsm_change *kind) {
    double x = 0;
    if (differs(&u->place, a, b, jd_nsm_sign_at_one)) {
        *kind = JD_NSM_FOLD;
        *T = bisect(&u->place, a, b, jd_nsm_sign_at_one);
        return JD_OK;
    }
    if (differs(&u->place, a, b, jd_nsm_sign_at_minus_one)) {
        *kind = JD_NSM_FLIP;
        *T = bisect(&u->place, a, b, jd_nsm_sign_at_minus_one);
        return JD_OK;
    }
    *kind = JD_NSM_KREIN;
    JD_TRY(closest(u, (a + b) / 2, &x));
    *T = collide(u, a, b, x);
    return JD_OK;
}

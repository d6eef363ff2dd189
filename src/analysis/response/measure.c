// measure.c -- values of a forced motion: the modes at any time, the largest value of the measure.
//   On an element q = q0 + h tau q0' + h^2 sum B_j(tau) q''_j, B the second integral of l_j.
#include <math.h>

#include "analysis/response/response.h"
#include "base/constants.h"

static const double pi = JD_PI;
enum { S = STAGES };

void jd_response_look(const response *r, const response_point *at, double theta, double *q,
                      double *slope) {
    int n = jd_response_elements(at), e;
    double h = pi / n, turns = floor(theta / pi), where = (theta - turns * pi) / h,
           sign = fmod(turns, 2) == 0 ? 1 : -1;
    gauss_basis basis;
    e = where < n ? (int)where : n - 1;
    jd_gauss_look(&r->rule, where - e, &basis);
    for (int block = 0; block < r->modes.n_block; block++) {
        const response_cell *c = r->modes.cell + (size_t)block * (RESPONSE_ELEMENTS + 1) + e;
        v4 u = c->start[0] + h * (where - e) * c->start[1], v = c->start[1];
        for (int j = 0; j < S; j++) {
            u += h * h * basis.twice[j] * c->bend[j];
            v += h * basis.integral[j] * c->bend[j];
        }
        for (int l = 0; l < LANES && block * LANES + l < r->string.n; l++) {
            q[block * LANES + l] = sign * u[l];
            slope[block * LANES + l] = sign * v[l];
        }
    }
}

// What the measure sees on one element: start, slope there, second derivative at the points.
typedef struct seen {
    double h, start[2], bend[S];
} seen;

static seen look_at(const response *r, const response_point *at, int e) {
    seen v = {.h = pi / jd_response_elements(at)};
    for (int k = 0; k < r->string.n; k++) {
        const response_cell *c = r->modes.cell + (size_t)(k / LANES) * (RESPONSE_ELEMENTS + 1) + e;
        int l = k % LANES;
        for (int i = 0; i < 2; i++) v.start[i] += r->measure.weight[k] * c->start[i][l];
        for (int j = 0; j < S; j++) v.bend[j] += r->measure.weight[k] * c->bend[j][l];
    }
    return v;
}

// Value and derivative of the measure, d/dtheta.
static void evaluate(const response *r, const seen *v, double omega, const gauss_basis *b,
                     double tau, double out[2]) {
    double u = v->start[0] + v->h * tau * v->start[1], du = v->start[1], ddu = 0;
    for (int j = 0; j < S; j++) {
        u += v->h * v->h * b->twice[j] * v->bend[j];
        du += v->h * b->integral[j] * v->bend[j];
        ddu += b->value[j] * v->bend[j];
    }
    out[0] = r->measure.velocity ? omega * du : u;
    out[1] = r->measure.velocity ? omega * ddu : du;
}

// The turn between two places of an element: secants, an end that stays halves its weight.
static double top_between(const response *r, const seen *v, double omega, const double tau[2],
                          const double slope[2]) {
    double x[2] = {tau[0], tau[1]}, f[2] = {slope[0], slope[1]}, at[2] = {0};
    int kept = -1;
    for (int i = 0; i < 40 && x[1] - x[0] > 1e-12; i++) {
        double m = (x[0] * f[1] - x[1] * f[0]) / (f[1] - f[0]);
        gauss_basis basis;
        jd_gauss_look(&r->rule, m, &basis);
        evaluate(r, v, omega, &basis, m, at);
        if (fabs(at[1]) < 1e-11 * fabs(at[0])) break; // the square of it is left
        int side = (at[1] > 0) == (f[1] > 0);
        x[side] = m;
        f[side] = at[1];
        if (kept == !side) f[!side] /= 2;
        kept = !side;
    }
    return fabs(at[0]);
}

double jd_response_amplitude(response *r, response_point *at) {
    double best = 0, tau[2], slope[2];
    for (int e = 0; e < jd_response_elements(at); e++) {
        seen v = look_at(r, at, e);
        for (int i = 0; i <= PLACES; i++) {
            double now[2];
            tau[1] = (double)i / PLACES;
            evaluate(r, &v, at->omega, &r->measure.place[i], tau[1], now);
            slope[1] = now[1];
            best = fmax(best, fabs(now[0]));
            if (i && slope[0] * slope[1] < 0)
                best = fmax(best, top_between(r, &v, at->omega, tau, slope));
            tau[0] = tau[1];
            slope[0] = slope[1];
        }
    }
    return best;
}

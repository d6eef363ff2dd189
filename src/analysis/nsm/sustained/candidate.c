// candidate.c -- whether a small rectangle of (flight, contact) may hold an orbit that is
// worth finding.
//   Let v be the unit vector that H at the middle makes shortest, and |H y| >= s2 |y| for all y
//   normal to v. Every z of length 1 with H z = 0 somewhere in the rectangle is a v + y with |y| <=
//   e = (span + |H v|)/s2. So a linear functional l of z has the sign of l(v), up to that of a,
//   when |l(v)| sqrt(1 - e^2) > |l| e + its change over the rectangle. An orbit has R > 0, a push >
//   0 in contact, u < g in flight; where two of these signs contradict, or where R is so small that
//   the energy is above NSM_ENERGY_MOST, there is nothing to find.
#include <math.h>
#include <string.h>

#include "analysis/nsm/sustained/sustained.h"

static const double largest = 0.4; // e up to which signs are asked for
static const double part[] = {0, 0.3, 0.55, 0.75, 0.9};
enum { PARTS = sizeof part / sizeof *part };

typedef struct candidate {
    sustained_search *u;
    const nsm_box *b;
    double e;      // |y|
    double change; // |dR/ds| for |z| = 1
} candidate;

// Sign of a functional with coefficients y (m) for all z with a > 0; 0: not the same for all.
static int sign_of(const candidate *x, double change) {
    double value = 0, size = 0;
    for (int k = 0; k < x->u->n_stuck; k++) {
        value += x->u->newton.y[k] * x->u->newton.z[k];
        size += x->u->newton.y[k] * x->u->newton.y[k];
    }
    bool sure = fabs(value) * sqrt(1 - x->e * x->e) > sqrt(size) * x->e + change;
    return !sure ? 0 : value > 0 ? 1 : -1;
}

// Coefficients of R at the middle.
static void hold(const candidate *x, double *out) {
    const jd_sustained *f = &x->u->x;
    for (int k = 0; k < x->u->n_stuck; k++)
        out[k] = -f->reaction[k] * cos(f->sigma[k] * x->b->s) / (f->sigma[k] * f->sigma[k]);
}

// Push at time tau from the middle of the contact: -R - sum r_k z_k/sigma_k^2 cos(sigma_k tau).
static int push_sign(const candidate *x, double tau) {
    const jd_sustained *f = &x->u->x;
    hold(x, x->u->newton.y);
    for (int k = 0; k < x->u->n_stuck; k++)
        x->u->newton.y[k] = -x->u->newton.y[k] -
                            f->reaction[k] * cos(f->sigma[k] * tau) / (f->sigma[k] * f->sigma[k]);
    return sign_of(x, x->change * x->b->ds);
}

// g - u at time t from the middle of the flight: c R - sum_j B_j cos(omega_j t)/omega_j^2 (Hh z)_j.
// Its slopes: by h -B cos(Omega t) H z, by s at most |B| steep/omega_1 more than that of c R.
static int clear_sign(const candidate *x, double t) {
    sustained_search *u = x->u;
    const jd_sustained *f = &u->x;
    double slow = HUGE_VAL, B = 1 / sqrt(f->mass), span = x->b->span;
    hold(x, u->newton.y);
    for (int k = 0; k < u->n_stuck; k++) u->newton.y[k] *= f->compliance;
    for (int j = 0; j < u->n; j++) {
        double o = f->omega[j], w = f->row[j] * cos(o * t) / (o * o);
        for (int k = 0; k < u->n_stuck; k++) u->newton.y[k] -= w * u->matrix.Hh[j * u->n_stuck + k];
        slow = fmin(slow, o);
    }
    return sign_of(x, 2 * B * span * nsm_box_dh(x->b) +
                          (B * f->steep / slow + f->compliance * x->change) * x->b->ds);
}

// Below the R of the greatest energy: 2 E >= (g/(c R))^2/sigma_max^2 for |z| = 1.
static bool too_much_energy(const candidate *x) {
    const sustained_search *u = x->u;
    double value = 0, size = 0, fast = 0;
    hold(x, u->newton.y);
    for (int k = 0; k < u->n_stuck; k++) {
        value += u->newton.y[k] * u->newton.z[k];
        size += u->newton.y[k] * u->newton.y[k];
        fast = fmax(fast, u->x.sigma[k]);
    }
    double most = fabs(value) + sqrt(size) * x->e + x->change * x->b->ds;
    return most * fast * sqrt(u->x.compliance * NSM_ENERGY_MOST) < 1;
}

// |y| of what H may still make 0 in the box; HUGE_VAL: too much to say anything.
static double spread(sustained_search *u, double span) {
    double short_of = span + jd_sustained_nearly_null(u), s2 = 0;
    memcpy(u->matrix.row, u->newton.z, (size_t)u->n_stuck * sizeof *u->matrix.row);
    if (u->n_stuck == 1) return 0;
    for (double d = short_of / largest; jd_sustained_clear(u, 1e3, d) && d < 1e3 * short_of; d *= 4)
        s2 = d;
    return s2 > 0 ? short_of / s2 : HUGE_VAL;
}

bool jd_sustained_excluded(sustained_search *u, const nsm_box *b) {
    candidate x = {.u = u, .b = b};
    double h = nsm_box_h(b), dh = nsm_box_dh(b);
    jd_sustained_look(&u->x, h, b->s, u->matrix.H, u->matrix.Hh, u->matrix.Hs);
    x.e = spread(u, b->span);
    if (!(x.e <= largest)) return false;
    for (int k = 0; k < u->n_stuck; k++) x.change += pow(u->x.reaction[k] / u->x.sigma[k], 2);
    x.change = sqrt(x.change);
    if (too_much_energy(&x)) return true;
    int signs[2] = {0, 0}; // how many want z, how many -z
    hold(&x, u->newton.y);
    int first = sign_of(&x, x.change * b->ds);
    if (first) signs[first < 0]++;
    for (int i = 0; i < PARTS; i++) {
        int push = b->s > b->ds ? push_sign(&x, part[i] * (b->s - b->ds)) : 0;
        int away = h > dh ? clear_sign(&x, part[i] * (h - dh)) : 0;
        if (push) signs[push < 0]++;
        if (away) signs[away < 0]++;
        if (signs[0] && signs[1]) return true;
    }
    return false;
}

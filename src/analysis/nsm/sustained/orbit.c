// orbit.c -- one orbit with sustained contact: found, proved the only one nearby, proved
// admissible.
//   Newton on H(h, s) z = 0, c'z = 1. With z of length 1 and H z = 0 at p = (h, s), and |H(p + d) -
//   H(p)| <= |d| = |dh| + steep |ds|: a second null vector within |d| needs, for its part y normal
//   to z, s2 |y| <= |d| (s2 the second singular value), and in the two directions that H leaves out
//   sJ |d|/sqrt 2 <= omega_n |d|^2/2 + |d| |y|/0.866 (sJ the least singular value of (Hh z, Hs
//   z/steep) there). So there is none with |d| < min(s2/2, (sJ/sqrt 2)/(omega_n/2 + 1.155/s2)).
#include <math.h>
#include <string.h>

#include "analysis/nsm/sustained/sustained.h"
#include "base/constants.h"
#include "linalg/general.h"

static const double shift = 1e-12; // of the trace: makes H'H definite for inverse iteration
static const int most_steps = 20;

// Cholesky of `factor`, m x m, lower part in place; false: not positive definite.
static bool cholesky(int m, double *L) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k <= i; k++) {
            double sum = L[i * m + k];
            for (int l = 0; l < k; l++) sum -= L[i * m + l] * L[k * m + l];
            if (i == k && !(sum > 0)) return false;
            L[i * m + k] = i == k ? sqrt(sum) : sum / L[k * m + k];
        }
    return true;
}

static void substitute(int m, const double *L, double *b) {
    for (int i = 0; i < m; i++) {
        for (int l = 0; l < i; l++) b[i] -= L[i * m + l] * b[l];
        b[i] /= L[i * m + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int l = i + 1; l < m; l++) b[i] -= L[l * m + i] * b[l];
        b[i] /= L[i * m + i];
    }
}

static void gram(sustained_search *u) {
    int n = u->n, m = u->n_stuck;
    memset(u->matrix.G, 0, (size_t)(m * m) * sizeof *u->matrix.G);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            for (int k = 0; k <= i; k++)
                u->matrix.G[i * m + k] += u->matrix.H[j * m + i] * u->matrix.H[j * m + k];
}

bool jd_sustained_clear(sustained_search *u, double weight, double limit) {
    int m = u->n_stuck;
    if (weight == 0) gram(u); // the same H is asked about with its row next
    for (int i = 0; i < m; i++)
        for (int k = 0; k <= i; k++)
            u->matrix.factor[i * m + k] = u->matrix.G[i * m + k] +
                                          weight * u->matrix.row[i] * u->matrix.row[k] -
                                          (i == k ? limit * limit : 0);
    return cholesky(m, u->matrix.factor);
}

static double length(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void normalise(int n, double *x) {
    double l = length(n, x);
    for (int i = 0; i < n; i++) x[i] /= l;
}

static double length_of_product(const sustained_search *u) {
    double sum = 0;
    for (int j = 0; j < u->n; j++) {
        double f = 0;
        for (int k = 0; k < u->n_stuck; k++) f += u->matrix.H[j * u->n_stuck + k] * u->newton.z[k];
        sum += f * f;
    }
    return sqrt(sum);
}

// By inverse iteration.
double jd_sustained_nearly_null(sustained_search *u) {
    int m = u->n_stuck;
    double trace = 0;
    gram(u);
    for (int i = 0; i < m; i++) trace += u->matrix.G[i * m + i];
    memcpy(u->matrix.factor, u->matrix.G, (size_t)(m * m) * sizeof *u->matrix.factor);
    for (int i = 0; i < m; i++) u->matrix.factor[i * m + i] += shift * trace;
    for (int i = 0; i < m; i++)
        u->newton.z[i] = 1 + 0.1 * i; // no symmetry of a structure is like this
    normalise(m, u->newton.z);
    bool good = cholesky(m, u->matrix.factor);
    for (int it = 0; good && it < 4; it++) {
        substitute(m, u->matrix.factor, u->newton.z);
        normalise(m, u->newton.z);
    }
    return length_of_product(u);
}

static void apply(const sustained_search *u, const double *A, const double *z, double *out) {
    for (int j = 0; j < u->n; j++) {
        out[j] = 0;
        for (int k = 0; k < u->n_stuck; k++) out[j] += A[j * u->n_stuck + k] * z[k];
    }
}

// One step for (z, h, s); the size of its change of (h, s), negative: singular.
static double newton_step(sustained_search *u, double *h, double *s) {
    int n = u->n, m = u->n_stuck, N = n + 1;
    jd_sustained_look(&u->x, *h, *s, u->matrix.H, u->matrix.Hh, u->matrix.Hs);
    apply(u, u->matrix.H, u->newton.z, u->newton.step);
    apply(u, u->matrix.Hh, u->newton.z, u->newton.side);
    apply(u, u->matrix.Hs, u->newton.z, u->newton.side + n);
    for (int j = 0; j < n; j++) {
        memcpy(u->newton.border + j * N, u->matrix.H + j * m, (size_t)m * sizeof *u->newton.border);
        u->newton.border[j * N + m] = u->newton.side[j];
        u->newton.border[j * N + m + 1] = u->newton.side[n + j];
        u->newton.step[j] = -u->newton.step[j];
    }
    memcpy(u->newton.border + n * N, u->newton.z, (size_t)m * sizeof *u->newton.border);
    u->newton.border[n * N + m] = u->newton.border[n * N + m + 1] = u->newton.step[n] = 0;
    if (!jd_lu_factor(N, u->newton.border, u->newton.pivot)) return -1;
    jd_lu_solve(N, u->newton.border, u->newton.pivot, u->newton.step);
    for (int k = 0; k < m; k++) u->newton.z[k] += u->newton.step[k];
    normalise(m, u->newton.z);
    *h += u->newton.step[m];
    *s += u->newton.step[m + 1];
    return fabs(u->newton.step[m]) + u->x.steep * fabs(u->newton.step[m + 1]);
}

bool jd_sustained_newton(sustained_search *u, double *h, double *s, double far) {
    double h0 = *h, s0 = *s, last = HUGE_VAL;
    jd_sustained_look(&u->x, *h, *s, u->matrix.H, NULL, NULL);
    jd_sustained_nearly_null(u);
    for (int it = 0; it < most_steps; it++) {
        double size = newton_step(u, h, s), small = 1e-15 * (*h + u->x.steep * *s);
        if (!(size >= 0) || !(fabs(*h - h0) + u->x.steep * fabs(*s - s0) <= far)) return false;
        if (size <= small || (size < 1e4 * small && size >= last / 2)) return true;
        last = size;
    }
    return false;
}

// Largest d with |H y| >= d |y| for all y normal to z (length 1), by halving.
static double second(sustained_search *u, double most) {
    double low = 0, high = most;
    memcpy(u->matrix.row, u->newton.z, (size_t)u->n_stuck * sizeof *u->matrix.row);
    for (int it = 0; it < 30; it++) {
        double d = (low + high) / 2;
        if (jd_sustained_clear(u, most * most, d))
            low = d;
        else
            high = d;
    }
    return low;
}

// What H y cannot reach of the vector b: b - H (H'H + z z')^-1 H'b; the factor is at hand.
static void left_out(sustained_search *u, double *b) {
    int n = u->n, m = u->n_stuck;
    for (int k = 0; k < m; k++) {
        u->newton.y[k] = 0;
        for (int j = 0; j < n; j++) u->newton.y[k] += u->matrix.H[j * m + k] * b[j];
    }
    substitute(m, u->matrix.factor, u->newton.y);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++) b[j] -= u->matrix.H[j * m + k] * u->newton.y[k];
}

double jd_sustained_alone(sustained_search *u, double h, double s) {
    int n = u->n;
    double *a = u->newton.side, *b = a + n, aa = 0, ab = 0, bb = 0, most = 2 * (h + u->x.steep * s);
    jd_sustained_look(&u->x, h, s, u->matrix.H, u->matrix.Hh, u->matrix.Hs);
    gram(u);
    double s2 = u->n_stuck > 1 ? second(u, most) : HUGE_VAL;
    memcpy(u->matrix.row, u->newton.z, (size_t)u->n_stuck * sizeof *u->matrix.row);
    if (!jd_sustained_clear(u, most * most, 0)) return 0;
    apply(u, u->matrix.Hh, u->newton.z, a);
    apply(u, u->matrix.Hs, u->newton.z, b);
    left_out(u, a);
    left_out(u, b);
    for (int j = 0; j < n; j++) {
        double d = b[j] / u->x.steep;
        aa += a[j] * a[j];
        ab += a[j] * d;
        bb += d * d;
    }
    double middle = (aa + bb) / 2, least = middle - hypot((aa - bb) / 2, ab);
    double sJ = sqrt(fmax(least, 0) / 2);
    return fmin(s2 / 2, sJ / (u->s->modes.fastest / 2 + 1.155 / s2));
}

// u_N < g from release to the middle of the flight: there u - g leaves 0 with its third derivative.
static bool away_in_flight(sustained_search *u, const double *A, double h, bool *sure) {
    jd_nsm *s = u->s;
    for (int j = 0; j < u->n; j++) {
        int slot = jd_expbasis_slot(s->flight.basis, j);
        double x = u->x.omega[j] * h, c = u->x.row[j] * A[j];
        s->flight.re[slot] = c * cos(x);
        s->flight.im[slot] = -c * sin(x);
    }
    return jd_nsm_first_rise(&s->flight, -s->gap, 3, h, sure) < 0;
}

// The stop pushes from touch-down to the middle of the contact: lambda = R + ... < 0, leaving 0
// with its first derivative.
static bool pushed_in_contact(sustained_search *u, double s, double R, bool *sure) {
    for (int k = 0; k < u->n_stuck; k++) {
        int slot = jd_expbasis_slot(u->push.basis, k);
        double p = u->x.sigma[k], c = u->x.reaction[k] * u->newton.z[k] / (p * p);
        u->push.re[slot] = c * cos(p * s);
        u->push.im[slot] = -c * sin(p * s);
    }
    return jd_nsm_first_rise(&u->push, R, 1, s, sure) < 0;
}

jd_status jd_sustained_orbit(sustained_search *u, double h, double s, jd_nsm_sustained *out,
                             bool *admissible) {
    const jd_sustained *x = &u->x;
    double residual, E = 0, R = u->s->gap / x->compliance, force = -R;
    JD_TRY(jd_sustained_solve(u->arena, x, h, s, u->s->gap, u->newton.z, &residual));
    double *A = u->newton.step;
    jd_sustained_flight(x, h, s, u->newton.z, A);
    for (int j = 0; j < u->n; j++) E += pow(x->omega[j] * A[j], 2) / 2;
    for (int k = 0; k < u->n_stuck; k++)
        force -= x->reaction[k] * u->newton.z[k] / (x->sigma[k] * x->sigma[k]);
    bool sure = true;
    double most = NSM_ENERGY_MOST * u->s->gap * u->s->gap / (2 * x->compliance);
    *admissible = E <= most && away_in_flight(u, A, h, &sure) && pushed_in_contact(u, s, R, &sure);
    *out = (jd_nsm_sustained){.omega = JD_PI / (h + s),
                              .flight = 2 * h,
                              .contact = 2 * s,
                              .energy = E,
                              .force = force,
                              .certified = sure};
    return JD_OK;
}

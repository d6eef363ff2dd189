// multi.c -- the equations of k impacts per period, their derivatives, and Newton's method.
//   For 0 < d < T: C_T = -sum a_j cos(omega_j d)/(2 sin^2(omega_j T/2)), C'_T = sum a_j omega_j
//   sin(omega_j d)/(2 sin^2(omega_j T/2)).
//   Energy: between impacts mode j turns with z_j = sum_l p_l e^{i omega_j (d_l - T/2)}/
//   sin(omega_j T/2), E = m/2 sum a_j |z_j|^2.
#include "analysis/nsm/families/multi.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"

static const int most_steps = 12;
static const double converged = 1e-14, floor_at = 1e-11; // steps in y; rounding may stop them

jd_status jd_nsm_curve_open(jd_nsm *s, int k, double period, double speed, nsm_curve *out) {
    int N = 2 * k;
    *out = (nsm_curve){.s = s, .k = k, .N = N, .period = period, .speed = fabs(speed)};
    out->J = JD_TAKE(s->scratch_arena, double, N *N);
    out->lu = JD_TAKE(s->scratch_arena, double, N *N);
    double **vectors[] = {&out->F, &out->step, &out->trial};
    for (int i = 0; i < 3; i++) *vectors[i] = JD_TAKE(s->scratch_arena, double, N);
    out->pivot = JD_TAKE(s->scratch_arena, int, N);
    return jd_arena_status(s->scratch_arena);
}

// C, C', C'', C_T, C'_T at 0 <= d < T.
static void kernel(const jd_nsm *s, double d, double T, double out[5]) {
    for (int i = 0; i < 5; i++) out[i] = 0;
    for (int j = 0; j < s->modes.n; j++) {
        double o = s->modes.omega[j], S = sin(o * T / 2), x = o * (d - T / 2);
        double cs = cos(x) / S, sn = sin(x) / S, half = s->modes.a[j] / (2 * S * S);
        out[0] += s->modes.b[j] * cs;
        out[1] -= s->modes.a[j] * sn;
        out[2] -= s->modes.a[j] * o * cs;
        out[3] -= half * cos(o * d);
        out[4] += half * o * sin(o * d);
    }
}

static int strongest(const nsm_curve *c, const double *y) {
    int best = 0;
    for (int i = 1; i < c->k; i++)
        if (fabs(curve_p(c, y, i)) > fabs(curve_p(c, y, best))) best = i;
    return best;
}

// The pair i, j in the gap equation (row `gap`) and the elastic one (row `rate`, -1: left out).
static void add_pair(nsm_curve *c, const double *y, int i, int j, const double C[5], int rate) {
    int N = c->N, k = c->k;
    double p = curve_p(c, y, j), sign = curve_t(c, y, i) > curve_t(c, y, j) ? 1 : -1;
    double g = 1 / c->s->gap, *row = c->J + i * N;
    c->F[i] += g * p * C[0];
    row[k - 1 + j] += g * c->speed * C[0];
    if (i > 0) row[i - 1] += g * c->period * p * sign * C[1];
    if (j > 0) row[j - 1] -= g * c->period * p * sign * C[1];
    row[N - 1] += g * c->period * p * C[3];
    if (rate < 0) return;
    double v = 1 / c->speed;
    row = c->J + rate * N;
    c->F[rate] += v * p * sign * C[1];
    row[k - 1 + j] += sign * C[1];
    if (i > 0) row[i - 1] += v * c->period * p * C[2];
    if (j > 0) row[j - 1] -= v * c->period * p * C[2];
    row[N - 1] += v * c->period * p * sign * C[4];
}

// F and J at y.
static void look(nsm_curve *c, const double *y) {
    int k = c->k, N = c->N, skip = strongest(c, y);
    double C[5], T = curve_T(c, y), g = 1 / c->s->gap;
    memset(c->F, 0, (size_t)N * sizeof *c->F);
    memset(c->J, 0, (size_t)(N * N) * sizeof *c->J);
    kernel(c->s, 0, T, C);
    for (int i = 0; i < k; i++) { // an impact with itself: C(0) = w, C' has mean 0
        c->F[i] += g * curve_p(c, y, i) * C[0] - 1;
        c->J[i * N + k - 1 + i] += g * c->speed * C[0];
        c->J[i * N + N - 1] += g * c->period * curve_p(c, y, i) * C[3];
    }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < i; j++) {
            kernel(c->s, fabs(curve_t(c, y, i) - curve_t(c, y, j)), T, C);
            add_pair(c, y, i, j, C, i == skip ? -1 : k + i - (i > skip));
            add_pair(c, y, j, i, C, j == skip ? -1 : k + j - (j > skip));
        }
}

static bool factor(nsm_curve *c, const double *border) {
    memcpy(c->J + c->N * (c->N - 1), border, (size_t)c->N * sizeof *c->J);
    memcpy(c->lu, c->J, (size_t)(c->N * c->N) * sizeof *c->lu);
    return jd_lu_factor(c->N, c->lu, c->pivot);
}

// Newton's method; `level` of the gap equations: 1, or 0 for a gap that is small against the
// motion.
static bool correct(nsm_curve *c, double *y, const double *border, double level) {
    double last = HUGE_VAL;
    for (int it = 0; it < most_steps; it++) {
        look(c, y);
        if (!factor(c, border)) return false;
        for (int i = 0; i < c->N; i++)
            c->step[i] = i < c->k ? level - 1 - c->F[i] : i < c->N - 1 ? -c->F[i] : 0;
        jd_lu_solve(c->N, c->lu, c->pivot, c->step);
        double size = 0;
        for (int i = 0; i < c->N; i++) size = fmax(size, fabs(c->step[i]));
        if (!(size < 0.3)) return false; // NaN too
        for (int i = 0; i < c->N; i++) y[i] += c->step[i];
        if (size < converged || (size < floor_at && size > last / 4)) return true;
        last = size;
    }
    return false;
}

bool jd_nsm_curve_correct(nsm_curve *c, double *y, const double *border) {
    return correct(c, y, border, 1);
}

bool jd_nsm_curve_limit(nsm_curve *c, double *y) {
    int strong = c->k - 1 + strongest(c, y);
    double unit = fabs(y[strong]);
    for (int i = c->k - 1; i < 2 * c->k - 1; i++) y[i] /= unit;
    memset(c->trial, 0, (size_t)c->N * sizeof *c->trial);
    c->trial[strong] = 1;
    return correct(c, y, c->trial, 0);
}

bool jd_nsm_curve_tangent(nsm_curve *c, const double *y, const double *old, double *tangent) {
    look(c, y);
    return factor(c, old) && jd_lu_tangent(c->N, c->lu, c->pivot, tangent);
}

// z_j just after time t.
static void turning(const nsm_curve *c, const double *y, double t, int j, double z[2]) {
    double T = curve_T(c, y), o = c->s->modes.omega[j], S = sin(o * T / 2);
    z[0] = z[1] = 0;
    for (int l = 0; l < c->k; l++) {
        double d = t - curve_t(c, y, l), p = curve_p(c, y, l) / S;
        double x = o * ((d < 0 ? d + T : d) - T / 2);
        z[0] += p * cos(x);
        z[1] += p * sin(x);
    }
}

double jd_nsm_curve_energy(const nsm_curve *c, const double *y) {
    double E = 0, z[2];
    for (int j = 0; j < c->s->modes.n; j++) {
        turning(c, y, 0, j, z);
        E += c->s->modes.a[j] * (z[0] * z[0] + z[1] * z[1]);
    }
    return c->s->mass * E / 2;
}

void jd_nsm_curve_motion(const nsm_curve *c, const double *y, double t, double out[3]) {
    double z[2];
    out[0] = -c->s->gap;
    out[1] = out[2] = 0;
    for (int j = 0; j < c->s->modes.n; j++) {
        turning(c, y, t, j, z);
        out[0] += c->s->modes.b[j] * z[0];
        out[1] -= c->s->modes.a[j] * z[1];
        out[2] -= c->s->modes.a[j] * c->s->modes.omega[j] * z[0];
    }
}

// First contact in the first half of a flight that begins at `t`, or, turned round, in the last
// half of one that ends there. Time since t, or -1.
static double first_contact(nsm_curve *c, const double *y, double t, bool backward, double span,
                            bool *decided) {
    jd_nsm *s = c->s;
    for (int j = 0; j < s->modes.n; j++) {
        int slot = jd_expbasis_slot(s->flight.basis, j);
        double z[2];
        turning(c, y, t, j, z);
        if (backward) { // just before t: u is continuous, the impulse there is taken back
            for (int l = 0; l < c->k; l++)
                if (curve_t(c, y, l) == t) z[1] += 2 * curve_p(c, y, l);
        }
        s->flight.re[slot] = s->modes.b[j] * z[0];
        s->flight.im[slot] = s->modes.b[j] * (backward ? -z[1] : z[1]);
    }
    return jd_nsm_first_rise(&s->flight, -s->gap, 1, span, decided);
}

bool jd_nsm_curve_admissible(nsm_curve *c, const double *y, double *at, bool *decided) {
    double T = curve_T(c, y);
    *decided = true;
    for (int i = 0; i < c->k; i++) {
        double from = curve_t(c, y, i), to = i + 1 < c->k ? curve_t(c, y, i + 1) : T;
        *at = -1 - i;
        if (!(curve_p(c, y, i) < 0) || !(to > from)) return false;
        double hit = first_contact(c, y, from, false, (to - from) / 2, decided);
        *at = from + hit;
        if (hit >= 0) return false;
        hit = first_contact(c, y, i + 1 < c->k ? to : 0, true, (to - from) / 2, decided);
        *at = to - hit;
        if (hit >= 0) return false;
    }
    return true;
}

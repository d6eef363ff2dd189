// responses.c -- how the coordinates of a basis answer to unit forces: harmonic, constant, ramp.
//   harmonic         x = Re(X z_d), X = (omega2 - Omega^2 + i Omega C)^-1 f: pole by pole;
//                    coordinates that nothing couples one by one
//   constant, ramp   polynomials in t, power by power
#include <math.h>
#include <string.h>

#include "engine/exact/bases/parts.h"
#include "engine/exact/exact.h"

static const double nothing = 2e-15; // of the terms of a sum

// The share of pair i of a coupled basis in it: right (i Omega - T)^-1 left f.
static void add_pair_response(const basis *b, int i, double Omega, const double *f, jd_complex *X) {
    const double *left = b->poles.pair_left + 2 * i * b->nf,
                 *right = b->poles.pair_right + 2 * i * b->nf;
    double p = jd_lanes_dot(b->nf, left, f), q = jd_lanes_dot(b->nf, left + b->nf, f),
           delta2 = b->poles.pair[i].delta2.re;
    jd_complex m = {-b->poles.pair[i].mu.re, Omega}, det = times(m, m);
    det.re -= delta2;
    jd_complex zp = over((jd_complex){m.re * p + q, m.im * p}, det),
               zq = over((jd_complex){delta2 * p + m.re * q, m.im * q}, det);
    for (int k = 0; k < b->nf; k++) {
        X[k].re += right[k] * zp.re + right[b->nf + k] * zq.re;
        X[k].im += right[k] * zp.im + right[b->nf + k] * zq.im;
    }
}

// That of a coordinate by itself. With a drive of its own block only the part at -i Omega: conj of
// (i f/2w)/(s + i Omega).
static jd_complex own_response(const exact *e, const basis *b, int k, double Omega, double f) {
    if (b->poles.kind[k] != RESONANT || e->plan.drive[b->poles.partner[k]].omega != Omega)
        return over((jd_complex){f, 0},
                    (jd_complex){b->omega2[k] - Omega * Omega, Omega * b->c[k]});
    double a = -b->c[k] / 2, w = sqrt(b->omega2[k] - a * a);
    jd_complex y = over((jd_complex){0, f / (2 * w)}, (jd_complex){a, w + Omega});
    return conjugate(y);
}

// Response x = Re(X z_d) of the coordinates to a unit harmonic force at i Omega.
void jd_basis_harmonic_response(const exact *e, basis *b, int d) {
    double Omega = e->plan.drive[d].omega;
    const double *f = b->response.force + (e->plan.m + d) * b->nf;
    jd_complex *X = b->response.X + d * b->nf;
    if (Omega == 0) return;
    for (int p = 0; b->C && p < b->poles.n_pole - e->plan.n_drive; p++) {
        jd_complex r = {0, 0};
        double half = b->poles.pole[p].im > 0 ? 0.5 : 1;
        if (b->drift.n && b->drift.slow[p]) continue;
        for (int k = 0; k < b->nf; k++) {
            r.re += half * b->poles.left[p * b->nf + k].re * f[k];
            r.im += half * b->poles.left[p * b->nf + k].im * f[k];
        }
        // u u'f/(i Omega - s) and, for a conjugate pair, the same with conjugates
        jd_complex s = b->poles.pole[p], g = {0, 0}, h = {0, 0};
        if (!jd_resonance_has(b, p, d)) g = over(r, (jd_complex){-s.re, Omega - s.im});
        if (s.im > 0) h = over((jd_complex){r.re, -r.im}, (jd_complex){-s.re, Omega + s.im});
        for (int k = 0; k < b->nf; k++) {
            jd_complex u = b->poles.right[p * b->nf + k], x = times(u, g),
                       y = times((jd_complex){u.re, -u.im}, h);
            X[k].re += x.re + y.re;
            X[k].im += x.im + y.im;
        }
    }
    if (b->C && b->drift.n) jd_drift_response(e, b, d, X);
    for (int i = 0; i < b->poles.n_own_pair; i++) add_pair_response(b, i, Omega, f, X);
    for (int k = 0; b->C && k < b->nf; k++)
        if (b->poles.kind[k] == RIGID) X[k].re = -f[k] / (Omega * Omega);
    for (int k = 0; k < b->nf; k++)
        if (!b->C || b->poles.kind[k] == RESONANT) X[k] = own_response(e, b, k, Omega, f[k]);
}

// sum_l C_kl v_l over the coordinates that are rigid-body ones or not.
static double drag(const basis *b, int k, const double *v, bool rigid) {
    double sum = 0;
    if (!b->C) return (b->omega2[k] == 0) == rigid ? b->c[k] * v[k] : 0;
    for (int l = 0; l < b->nf; l++)
        if ((b->omega2[l] == 0) == rigid) sum += b->C[k * b->nf + l] * v[l];
    return sum;
}

// Polynomial responses to a unit constant, c0 + c1 t + c2 t^2, and a unit ramp force on one source,
// r0 .. r3 t^3: x'' + C x' + omega2 x = f, power by power. Rigid-body coordinates (C diagonal among
// them) come first, where there is no damping two powers higher.
static void polynomial_response(basis *b, int source) {
    int nf = b->nf;
    const double *f = b->response.force + source * nf;
    double *c0 = b->response.to_constant + source * CONST_DEGREE * nf, *c1 = c0 + nf, *c2 = c1 + nf,
           *r0 = b->response.to_ramp + source * RAMP_DEGREE * nf, *r1 = r0 + nf, *r2 = r1 + nf;
    for (int k = 0; k < nf; k++) {
        if (b->omega2[k] > 0) continue;
        if (b->c[k] != 0) {
            c1[k] = f[k] / b->c[k];
            r2[k] = f[k] / (2 * b->c[k]);
        } else {
            c2[k] = f[k] / 2;
            r2[nf + k] = f[k] / 6;
        }
    }
    for (int k = 0; k < nf; k++) {
        if (b->omega2[k] == 0) continue;
        c0[k] = (f[k] - drag(b, k, c1, true)) / b->omega2[k];
        r1[k] = (f[k] - 2 * drag(b, k, r2, true)) / b->omega2[k];
    }
    for (int k = 0; k < nf; k++)
        if (b->omega2[k] == 0 && b->c[k] != 0)
            r1[k] = -(2 * r2[k] + drag(b, k, r1, false)) / b->c[k];
    for (int k = 0; k < nf; k++) // a ramp lags
        if (b->omega2[k] > 0)
            r0[k] = -(drag(b, k, r1, false) + drag(b, k, r1, true)) / b->omega2[k];
}

// Q' row. What is rounding of its sum is 0: a force at a held point does not move the rest.
static void project_row(const exact *e, const basis *b, const double *row, double *out) {
    for (int k = 0; k < b->nf; k++) {
        double size = 0,
               s = b->Q ? jd_dot_with_size(e->plan.n, b->QT + k * e->plan.n, row, &size) : row[k];
        out[k] = fabs(s) > nothing * size ? s : 0;
    }
}

// Motion of contact j in the static shape of the held contact i.
static double held_row(const exact *e, const basis *b, int j, int i) {
    double s = 0;
    for (int l = 0; l < e->plan.n; l++) s += e->plan.contact[j].row[l] * b->S[l * b->ms + i];
    return s;
}

// A held contact that moves bends its static shape along: its displacement pushes with shift Q'S,
// its velocity with -Q'C S (slopes of sliding contacts are part of C).
static void push_of_held(exact *e, basis *b, int i) {
    int nf = b->nf;
    double *f = b->response.force + (e->plan.m + e->plan.n_drive + 2 * i) * nf,
           *cs = e->scratch.vector;
    for (int k = 0; k < nf; k++) f[k] = b->shift * b->QtS[k * b->ms + i];
    if (!e->plan.belts) return; // none has a velocity
    for (int l = 0; l < e->plan.n; l++) {
        cs[l] = e->plan.C ? 0 : -e->plan.c[l] * b->S[l * b->ms + i];
        for (int r = 0; e->plan.C && r < e->plan.n; r++)
            cs[l] -= e->plan.C[l * e->plan.n + r] * b->S[r * b->ms + i];
    }
    project_row(e, b, cs, b->response.pull + i * nf);
    memcpy(f + nf, b->response.pull + i * nf, (size_t)nf * sizeof *f);
    for (int j = 0; j < e->plan.m; j++)
        if (b->key[j] == 'd')
            jd_add_row(nf, -e->plan.contact[j].slope * held_row(e, b, j, i),
                       b->response.force + j * nf, f + nf);
}

static bool is_zero(int n, const double *x) {
    for (int k = 0; k < n; k++)
        if (x[k] != 0) return false;
    return true;
}

// Forces of all sources in this basis. (That of a held contact moves nothing.)
jd_status jd_basis_responses(exact *e, basis *b) {
    int sources = e->plan.m + e->plan.n_drive + 2 * b->ms, nf = b->nf;
    b->response.force = JD_TAKE(e->arena, double, sources *nf);
    b->response.to_constant = JD_TAKE(e->arena, double, sources *CONST_DEGREE *nf);
    b->response.to_ramp = JD_TAKE(e->arena, double, sources *RAMP_DEGREE *nf);
    b->response.X = JD_TAKE(e->arena, jd_complex, e->plan.n_drive * nf);
    b->response.pull = JD_TAKE(e->arena, double, b->ms *nf + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int j = 0; j < e->plan.m; j++)
        if (b->key[j] != 'h') project_row(e, b, e->plan.contact[j].row, b->response.force + j * nf);
    for (int d = 0; d < e->plan.n_drive; d++)
        project_row(e, b, e->plan.drive[d].row, b->response.force + (e->plan.m + d) * nf);
    for (int i = 0; i < b->ms; i++) push_of_held(e, b, i);
    for (int s = 0; s < sources; s++)
        if (!is_zero(nf, b->response.force + s * nf)) polynomial_response(b, s);
    JD_TRY(jd_drift_create(e, b));
    b->resonances.weight = JD_TAKE(e->arena, jd_complex, nf);
    JD_TRY(jd_arena_status(e->arena));
    jd_resonance_forces(e, b);
    for (int d = 0; d < e->plan.n_drive; d++) jd_basis_harmonic_response(e, b, d);
    return JD_OK;
}

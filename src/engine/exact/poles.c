// poles.c -- the poles of a basis: of each coordinate alone, or of all together.
//   Decoupled: s^2 + c s + omega2 = 0. Coupled: (s^2 + s C + omega2) u = 0, u'(2s + C)u = 1.
#include <math.h>

#include "engine/exact/exact.h"
#include "linalg/eigen.h"

static const double near_critical =
    0.05; // |s1 - s2|/2|s|: closer poles form a pair block (1/near digits go)
static const double near_resonance = 0.02; // |s - i Omega|/Omega: closer, the drive joins the block

static double hypot2(double a, double b) { return sqrt(a * a + b * b); }

int basis_resonant_drive(const exact *e, double a, double w) {
    for (int d = 0; d < e->n_drive; d++) {
        double Omega = e->drive[d].omega;
        if (Omega > 0 && hypot2(a, w - Omega) < near_resonance * Omega) return d;
    }
    return -1;
}

// Sorts coordinate k into a kind of motion and books its poles.
static void classify(const exact *e, basis *b, int k) {
    double a = -b->c[k] / 2, w2 = b->omega2[k], d2 = a * a - w2;
    b->partner[k] = -1;
    if (w2 == 0 && a == 0) {
        b->kind[k] = RIGID;
        b->n_rigid++;
    } else if (fabs(d2) < near_critical * near_critical * (a * a + w2)) {
        b->kind[k] = PAIRED;
        b->first[k] = b->n_pair;
        b->pair[b->n_pair++] = (jd_pole_pair){{a, 0}, {d2, 0}};
    } else if (d2 > 0) {
        double r = a - copysign(sqrt(d2), -a); // the larger root; the other from the product w2
        b->kind[k] = OVERDAMPED;
        b->first[k] = b->n_pole;
        b->pole[b->n_pole++] = (jd_complex){w2 / r, 0};
        b->pole[b->n_pole++] = (jd_complex){r, 0};
    } else {
        double w = sqrt(-d2);
        int d = basis_resonant_drive(e, a, w);
        b->kind[k] = d >= 0 ? RESONANT : OSCILLATING;
        if (d < 0) {
            b->first[k] = b->n_pole;
            b->pole[b->n_pole++] = (jd_complex){a, w};
            return;
        }
        // mu = (s + i Omega)/2, delta = (s - i Omega)/2
        double dr = a / 2, di = (w - e->drive[d].omega) / 2;
        b->partner[k] = d;
        b->first[k] = b->n_pair;
        b->pair[b->n_pair++] =
            (jd_pole_pair){{a / 2, (w + e->drive[d].omega) / 2}, {dr * dr - di * di, 2 * dr * di}};
    }
}

jd_status basis_poles_decoupled(exact *e, basis *b) {
    b->pole = JD_TAKE(e->arena, jd_complex, 2 * b->nf + e->n_drive);
    b->pair = JD_TAKE(e->arena, jd_pole_pair, b->nf);
    b->kind = JD_TAKE(e->arena, motion, b->nf);
    b->first = JD_TAKE(e->arena, int, b->nf);
    b->partner = JD_TAKE(e->arena, int, b->nf);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < b->nf; k++) classify(e, b, k);
    return JD_OK;
}

// Vectors of pole i, right u with u' (2 s + C) u = 1. A conjugate pair is one pole with doubled
// left vector. Of two real poles one has an imaginary u = i v: then u u' = v (-v)', all real.
static void set_vectors(basis *b, int i, const double *u) {
    bool paired = b->pole[i].im > 0, turned = false;
    for (int k = 0; k < b->nf && !paired; k++)
        turned = turned || fabs(u[2 * k + 1]) > fabs(u[2 * k]);
    for (int k = 0; k < b->nf; k++) {
        jd_complex right = {u[2 * k], u[2 * k + 1]}, left = {2 * right.re, 2 * right.im};
        if (!paired) {
            right = (jd_complex){turned ? right.im : right.re, 0};
            left = (jd_complex){turned ? -right.re : right.re, 0};
        }
        b->right[i * b->nf + k] = right;
        b->left[i * b->nf + k] = left;
    }
}

// z = left' ((s + C) x + x').
jd_status basis_poles_coupled(exact *e, basis *b) {
    int nf = b->nf;
    double *pole = JD_TAKE(e->arena, double, 4 * nf),
           *right = JD_TAKE(e->arena, double, 4 * nf * nf);
    b->pole = JD_TAKE(e->arena, jd_complex, 2 * nf + e->n_drive);
    b->right = JD_TAKE(e->arena, jd_complex, 2 * nf * nf);
    b->left = JD_TAKE(e->arena, jd_complex, 2 * nf * nf);
    b->kind = JD_TAKE(e->arena, motion, nf);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < nf; k++)
        if (b->omega2[k] == 0)
            return jd_fail(e->run->context, JD_NOT_SUPPORTED,
                           "rigid-body motion with damping that couples modes is not computed by "
                           "the exact engine");
    JD_TRY(jd_eigen_quadratic(e->arena, nf, b->omega2, b->C, pole, right));
    for (int p = 0; p < 2 * nf; p++) {
        double im = pole[2 * p + 1];
        if (im < 0) continue;
        int i = b->n_pole++;
        b->pole[i] = (jd_complex){pole[2 * p], im};
        set_vectors(b, i, right + 2 * p * nf);
    }
    return JD_OK;
}

// poles.c -- the poles of a basis whose coordinates do not know each other: s^2 + c s + omega2 = 0.
//   Coupled ones: coupled.c.
#include <math.h>

#include "engine/exact/exact.h"

static const double near_critical =
    0.05; // |s1 - s2|/2|s|: closer poles form a pair block (1/near digits go)

static double hypot2(double a, double b) { return sqrt(a * a + b * b); }

int jd_basis_resonant_drive(const exact *e, double a, double w) {
    for (int d = 0; d < e->plan.n_drive; d++) {
        double Omega = e->plan.drive[d].omega;
        if (Omega > 0 && hypot2(a, w - Omega) < NEAR_RESONANCE * Omega) return d;
    }
    return -1;
}

bool jd_basis_several_drives(const exact *e, double a, double w) {
    int first = jd_basis_resonant_drive(e, a, w);
    for (int d = first + 1; first >= 0 && d < e->plan.n_drive; d++) {
        double Omega = e->plan.drive[d].omega;
        if (Omega > 0 && Omega != e->plan.drive[first].omega &&
            hypot2(a, w - Omega) < NEAR_RESONANCE * Omega)
            return true;
    }
    return false;
}

bool jd_basis_drives_beat(const exact *e) {
    for (int d = 0; d < e->plan.n_drive; d++)
        for (int o = 0; o < d; o++) {
            double a = e->plan.drive[d].omega, b = e->plan.drive[o].omega;
            if (a > 0 && b > 0 && a != b && fabs(a - b) < 3 * NEAR_RESONANCE * fmax(a, b))
                return true;
        }
    return false;
}

// mu = (s + i Omega)/2, delta = (s - i Omega)/2
jd_pole_pair jd_resonant_pair(const exact *e, double a, double w, int d) {
    double dr = a / 2, di = (w - e->plan.drive[d].omega) / 2;
    return (jd_pole_pair){{a / 2, (w + e->plan.drive[d].omega) / 2},
                          {dr * dr - di * di, 2 * dr * di}};
}

// Sorts coordinate k into a kind of motion and books its poles.
static void classify(const exact *e, basis *b, int k) {
    double a = -b->c[k] / 2, w2 = b->omega2[k], d2 = a * a - w2;
    b->poles.partner[k] = -1;
    if (w2 == 0 && a == 0) {
        b->poles.kind[k] = RIGID;
        b->poles.n_rigid++;
    } else if (fabs(d2) < near_critical * near_critical * (a * a + w2)) {
        b->poles.kind[k] = PAIRED;
        b->poles.first[k] = b->poles.n_pair;
        b->poles.pair[b->poles.n_pair++] = (jd_pole_pair){{a, 0}, {d2, 0}};
    } else if (d2 > 0) {
        double r = a - copysign(sqrt(d2), -a); // the larger root; the other from the product w2
        b->poles.kind[k] = OVERDAMPED;
        b->poles.first[k] = b->poles.n_pole;
        b->poles.pole[b->poles.n_pole++] = (jd_complex){w2 / r, 0};
        b->poles.pole[b->poles.n_pole++] = (jd_complex){r, 0};
    } else {
        double w = sqrt(-d2);
        int d = jd_basis_resonant_drive(e, a, w);
        b->poles.kind[k] = d >= 0 ? RESONANT : OSCILLATING;
        if (d < 0) {
            b->poles.first[k] = b->poles.n_pole;
            b->poles.pole[b->poles.n_pole++] = (jd_complex){a, w};
            return;
        }
        b->poles.partner[k] = d;
        b->poles.first[k] = b->poles.n_pair;
        b->poles.pair[b->poles.n_pair++] = jd_resonant_pair(e, a, w, d);
    }
}

jd_status jd_basis_poles_decoupled(exact *e, basis *b) {
    b->poles.pole = JD_TAKE(e->arena, jd_complex, 2 * b->nf + e->plan.n_drive);
    b->poles.pair = JD_TAKE(e->arena, jd_pole_pair, b->nf);
    b->poles.kind = JD_TAKE(e->arena, motion, b->nf);
    b->poles.first = JD_TAKE(e->arena, int, b->nf);
    b->poles.partner = JD_TAKE(e->arena, int, b->nf);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < b->nf; k++) classify(e, b, k);
    return JD_OK;
}

// resonance.c -- drives beside the poles of a coupled basis: forced motion from rest, as blocks.
//   A drive z, z' = i Omega z, beside a pole s moves z_s' = s z_s + g z, g = left'f/2. Response and
//   free motion are g/(i Omega - s) each, their sum grows from 0. So the forced part starts at rest
//   in every phase, as a pair block,
//     p' = s p + g z = mu p + q,   q' = delta^2 p + mu q,   mu = (s + i Omega)/2,
//     delta = (s - i Omega)/2,     p(t0) = 0,   q(t0) = g z(t0),
//   beside the pole itself, which has what the state has of it: x = Re(r (z_s + p)). Its part at
//   -i Omega is far away and stays in X. Several drives beside one pole are as many blocks.
//                        tested: drives_at_coupled_resonances_keep_digits, random_models
#include <math.h>

#include "engine/exact/bases/parts.h"
#include "engine/exact/exact.h"

static bool is_near(const exact *e, jd_complex s, int d) {
    double Omega = e->plan.drive[d].omega;
    return s.im > 0 && Omega > 0 && hypot(s.re, s.im - Omega) < NEAR_RESONANCE * Omega;
}

bool jd_resonance_has(const basis *b, int pole, int d) {
    for (int i = 0; i < b->resonances.n; i++)
        if (b->resonances.block[i].pole == pole && b->resonances.block[i].drive == d) return true;
    return false;
}

bool jd_resonance_near(const exact *e, const basis *b) {
    for (int p = 0; b->C && p < b->poles.n_pole - e->plan.n_drive; p++)
        for (int d = 0; d < e->plan.n_drive; d++)
            if (is_near(e, b->poles.pole[p], d)) return true;
    return false;
}

jd_status jd_resonance_create(exact *e, basis *b) {
    int room = resonance_room(b->nf);
    b->resonances.n = 0;
    b->resonances.block = JD_TAKE(e->arena, resonance, room);
    JD_TRY(jd_arena_status(e->arena));
    for (int p = 0; p < b->poles.n_pole; p++)
        for (int d = 0; d < e->plan.n_drive; d++) {
            jd_complex s = b->poles.pole[p];
            if (!is_near(e, s, d) || b->resonances.n == room) continue; // more: parts that cancel
            b->resonances.block[b->resonances.n++] =
                (resonance){.pole = p, .drive = d, .pair = b->poles.n_pair};
            b->poles.pair[b->poles.n_pair++] = jd_resonant_pair(e, s.re, s.im, d);
        }
    return JD_OK;
}

// g of all blocks, once the drives' forces on the coordinates are known.
void jd_resonance_forces(const exact *e, basis *b) {
    for (int i = 0; i < b->resonances.n; i++) {
        resonance *r = &b->resonances.block[i];
        const double *f = b->response.force + (e->plan.m + r->drive) * b->nf;
        r->g = (jd_complex){0, 0};
        for (int k = 0; k < b->nf; k++) {
            r->g.re += 0.5 * b->poles.left[r->pole * b->nf + k].re * f[k];
            r->g.im += 0.5 * b->poles.left[r->pole * b->nf + k].im * f[k];
        }
    }
}

void jd_resonance_start(exact *e) {
    const basis *b = e->phase.b;
    for (int i = 0; i < b->resonances.n; i++) {
        const resonance *r = &b->resonances.block[i];
        int slot = jd_expbasis_pair_slot(b->poles.exp, r->pair), at = b->poles.drive_slot[r->drive];
        jd_complex q = times(r->g, (jd_complex){e->phase.re[at], e->phase.im[at]});
        e->phase.re[slot] = e->phase.im[slot] = 0;
        e->phase.re[slot + 1] = q.re;
        e->phase.im[slot + 1] = q.im;
    }
}

void jd_resonance_state(const exact *e, double factor, const double *re, const double *im,
                        double *x, double *xd) {
    const basis *b = e->phase.b;
    for (int i = 0; i < b->resonances.n; i++) {
        const resonance *r = &b->resonances.block[i];
        int slot = jd_expbasis_pair_slot(b->poles.exp, r->pair);
        jd_complex p = {factor * re[slot], factor * im[slot]},
                   v = times(b->poles.pair[r->pair].mu, p);
        v.re += factor * re[slot + 1];
        v.im += factor * im[slot + 1];
        const jd_complex *right = b->poles.right + r->pole * b->nf;
        for (int k = 0; k < b->nf; k++) {
            x[k] += right[k].re * p.re - right[k].im * p.im;
            xd[k] += right[k].re * v.re - right[k].im * v.im;
        }
    }
}

void jd_resonance_weights(const basis *b, const functional *f, int i, jd_complex *p,
                          jd_complex *q) {
    const jd_complex *right = b->poles.right + b->resonances.block[i].pole * b->nf;
    jd_complex place = {0, 0}, speed = {0, 0}, mu = b->poles.pair[b->resonances.block[i].pair].mu;
    for (int k = 0; k < b->nf; k++) {
        place.re += f->a[k] * right[k].re;
        place.im += f->a[k] * right[k].im;
        speed.re += f->b[k] * right[k].re;
        speed.im += f->b[k] * right[k].im;
    }
    *q = speed;
    speed = times(speed, mu);
    *p = (jd_complex){place.re + speed.re, place.im + speed.im};
}

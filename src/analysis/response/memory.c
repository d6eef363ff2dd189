// memory.c -- what the modes left out answer to a harmonic force, in the steady motion.
//   short memory: E = gain/(c s) w^2 (w cos(theta) - sigma sin(theta))/(sigma^2 + w^2), kappa
//   eliminated;  full memory: E = Im[G(rho) e^(i theta)], rho = w/(pi c s)
#include <math.h>

#include "analysis/response/response.h"
#include "base/constants.h"

static void full(response *r, const response_place *at, double out[3]) {
    const jd_stretched *m = &r->string;
    double rho = at->omega / (JD_PI * m->c * at->s);
    double complex slope, gain;
    r->memory.string = m;
    jd_string_memory_reach(&r->memory, rho);
    gain = jd_string_memory_gain(&r->memory, rho, &slope);
    double rate = creal(slope) * at->sine + cimag(slope) * at->cosine;
    out[0] = creal(gain) * at->sine + cimag(gain) * at->cosine;
    out[1] = -rate * rho / at->s;
    out[2] = rate * rho / at->omega;
}

void jd_response_wave(response *r, const response_place *at, double out[3]) {
    const jd_stretched *m = &r->string;
    double w = at->omega, D = m->sigma * m->sigma + w * w, L = m->gain / (m->c * at->s);
    if (m->full) {
        full(r, at, out);
        return;
    }
    double e = w * w * (w * at->cosine - m->sigma * at->sine) / D;
    out[0] = L * e;
    out[1] = -L * e / at->s;
    out[2] = L * ((3 * w * w * at->cosine - 2 * m->sigma * w * at->sine) / D - e * 2 * w / D);
}

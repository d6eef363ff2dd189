// poles.c -- a response as modes, as poles with residues, and as delays.
//   underdamped:  g = Im(e^{p t})/nu = Re(-i e^{p t}/nu),  p = -c/2 + i nu
//   overdamped:   g = (e^{p t} - e^{q t})/(p - q)
//   rigid body:   g = t is sin(w t)/w with w = 1e-11 of the lowest frequency: off by (w t)^2/6,
//   less
//                 than 1e-9 after a million periods; velocity and displacement of such a pole are
//                 numbers of their own (Re and Im), so that nothing cancels
#include <math.h>
#include <stdlib.h>

#include "kernel/continua/continua.h"
#include "kernel/inside.h"

static bool endless(const jd_family *f) {
    return f->kind == JD_FAMILY_WAVE || f->kind == JD_FAMILY_BEAM;
}

static int kept(const jd_family *f, int most) {
    int n = f->kind == JD_FAMILY_MATRIX ? f->n_mode : f->n;
    return endless(f) || n > most ? most : n;
}

double jd_family_omega(const jd_family *f, int k) {
    return f->kind == JD_FAMILY_WAVE   ? jd_wave_omega(f, k)
           : f->kind == JD_FAMILY_BEAM ? jd_beam_omega(f, k)
                                       : f->omega[k];
}

double jd_family_row(const jd_family *f, int k, int place) {
    if (f->kind == JD_FAMILY_WAVE) return jd_wave_row(f, k, place);
    if (f->kind == JD_FAMILY_BEAM) return jd_beam_row(f, k, place);
    return f->place[place].row ? f->place[place].row[k] : 0;
}

double jd_family_damping(const jd_family *f, int k) {
    if (!endless(f)) return f->c[k];
    if (f->rayleigh) {
        double w = jd_family_omega(f, k);
        return f->mass + f->slope * w * w;
    }
    return 2 * (k < f->n_own ? f->own[k] : f->ratio) * jd_family_omega(f, k);
}

// c_kl of one body
static double damping_of(const jd_family *f, int k, int l) {
    if (f->kind == JD_FAMILY_MATRIX) return f->coupling[(size_t)k * (size_t)f->n_mode + (size_t)l];
    if (k != l) return 0;
    return jd_family_damping(f, k);
}

jd_status jd_response_shapes_of(const jd_response *r, int most, jd_arena *arena,
                                jd_response_modes *out) {
    *out = (jd_response_modes){0};
    for (int b = 0; b < r->n_body; b++) out->n += kept(&r->family[b], most);
    out->omega = JD_TAKE(arena, double, out->n);
    out->c = JD_TAKE(arena, double, out->n);
    out->row = JD_TAKE(arena, double, (size_t)out->n *(size_t)r->n_place);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0, at = 0; b < r->n_body; b++) {
        const jd_family *f = &r->family[b];
        for (int k = 0; k < kept(f, most); k++, at++) {
            out->omega[at] = jd_family_omega(f, k);
            out->c[at] = damping_of(f, k, k);
            for (int i = 0; i < r->n_place; i++)
                out->row[(size_t)i * (size_t)out->n + (size_t)at] = jd_family_row(f, k, i);
        }
    }
    return JD_OK;
}

double jd_response_coupling(const jd_response *r, int most, int k, int l) {
    for (int b = 0; b < r->n_body; b++) {
        int n = kept(&r->family[b], most);
        if (k >= 0 && l >= 0 && k < n && l < n) return damping_of(&r->family[b], k, l);
        k -= n;
        l -= n;
    }
    return 0;
}

jd_status jd_response_modes_of(const jd_response *r, int most, jd_arena *arena,
                               jd_response_modes *out) {
    *out = (jd_response_modes){0};
    for (int b = 0; b < r->n_body; b++)
        if (r->family[b].kind == JD_FAMILY_MATRIX)
            return jd_fail(r->context, JD_NOT_SUPPORTED,
                           "a damping matrix couples the modes: there are only poles");
    return jd_response_shapes_of(r, most, arena, out);
}

// Where poles go as they are found.
typedef struct sink {
    const jd_response *r;
    jd_response_poles *out;
    int at;
} sink;

static void put(sink *s, double complex pole, double complex factor, const jd_family *f, int k) {
    jd_response_poles *o = s->out;
    o->re[s->at] = creal(pole);
    o->im[s->at] = cimag(pole);
    for (int i = 0; i < s->r->n_contact; i++)
        for (int j = 0; j < s->r->n_place; j++) {
            size_t to = ((size_t)i * (size_t)s->r->n_place + (size_t)j) * (size_t)o->n;
            double complex n = jd_family_row(f, k, i) * jd_family_row(f, k, j) * factor;
            o->residue_re[to + (size_t)s->at] = creal(n);
            o->residue_im[to + (size_t)s->at] = cimag(n);
        }
    s->at++;
}

double jd_family_soft(const jd_family *f) {
    int k = 0;
    while (jd_family_omega(f, k) == 0) k++;
    return k ? 1e-11 * jd_family_omega(f, k) : 0;
}

// Frequency as a pole has it: a rigid-body mode of an infinite body is on a very soft spring.
static double pole_omega(const jd_family *f, int k) {
    double w = jd_family_omega(f, k);
    return w == 0 && endless(f) ? jd_family_soft(f) : w;
}

static void put_mode(sink *s, const jd_family *f, int k) {
    double w = pole_omega(f, k), c = jd_family_damping(f, k);
    double h = c / 2, nu2 = (w - h) * (w + h), nu = sqrt(fabs(nu2));
    if (nu2 > 0) {
        put(s, cartesian(-h, nu), cartesian(0, -1 / nu), f, k);
        return;
    }
    // two real poles; a double one is split by the square root of a rounding
    if (nu < 1e-8 * h) nu = 1e-8 * h;
    double fast = -(h + nu), slow = w == 0 ? 0 : w * w / fast;
    put(s, slow, 1 / (slow - fast), f, k);
    put(s, fast, -1 / (slow - fast), f, k);
}

static void put_coupled(sink *s, const jd_family *f) {
    jd_response_poles *o = s->out;
    for (int p = 0; p < f->n; p++, s->at++) {
        o->re[s->at] = f->pole[2 * p];
        o->im[s->at] = f->pole[2 * p + 1];
        for (int i = 0; i < s->r->n_contact; i++)
            for (int j = 0; j < s->r->n_place; j++) {
                size_t to = ((size_t)i * (size_t)s->r->n_place + (size_t)j) * (size_t)o->n;
                const double *u = f->weight + 2 * ((size_t)i * (size_t)f->n + (size_t)p);
                const double *v = f->weight + 2 * ((size_t)j * (size_t)f->n + (size_t)p);
                double complex n = cartesian(u[0], u[1]) * cartesian(v[0], v[1]);
                o->residue_re[to + (size_t)s->at] = creal(n);
                o->residue_im[to + (size_t)s->at] = cimag(n);
            }
    }
}

static int count_poles(const jd_family *f, int most) {
    if (f->kind == JD_FAMILY_MATRIX) return f->n;
    int n = 0;
    for (int k = 0; k < kept(f, most); k++) {
        double w = pole_omega(f, k), c = jd_family_damping(f, k);
        n += (w - c / 2) * (w + c / 2) > 0 ? 1 : 2;
    }
    return n;
}

// An undamped rigid-body mode moves as t: no sum of exponentials.
static bool drifts(const jd_family *f, int most) {
    if (f->kind == JD_FAMILY_MATRIX || endless(f)) return false;
    for (int k = 0; k < kept(f, most); k++)
        if (jd_family_omega(f, k) == 0 && f->c[k] == 0) return true;
    return false;
}

jd_status jd_response_poles_of(const jd_response *r, int most, jd_arena *arena,
                               jd_response_poles *out) {
    *out = (jd_response_poles){0};
    for (int b = 0; b < r->n_body; b++) {
        if (drifts(&r->family[b], most)) {
            jd_fail(r->context, JD_NOT_SUPPORTED,
                    "a rigid-body mode without damping has no pole of its own");
            jd_fail_hint(r->context, "support the structure, or damp it (`rayleigh`, `mass`)");
            return JD_NOT_SUPPORTED;
        }
        out->n += count_poles(&r->family[b], most);
    }
    size_t n = (size_t)out->n, pairs = (size_t)r->n_contact * (size_t)r->n_place;
    out->re = JD_TAKE(arena, double, n);
    out->im = JD_TAKE(arena, double, n);
    out->residue_re = JD_TAKE(arena, double, n *pairs);
    out->residue_im = JD_TAKE(arena, double, n *pairs);
    JD_TRY(jd_arena_status(arena));
    sink s = {r, out, 0};
    for (int b = 0; b < r->n_body; b++) {
        const jd_family *f = &r->family[b];
        if (f->kind == JD_FAMILY_MATRIX) put_coupled(&s, f);
        for (int k = 0; f->kind != JD_FAMILY_MATRIX && k < kept(f, most); k++) put_mode(&s, f, k);
    }
    return JD_OK;
}

// response.c -- velocity of contact points by forces on their structure: sums over bodies and
// modes.
//   A place is a point of one body or a difference of two; G_ij = sum over bodies of their parts.
#include "kernel/response.h"

#include <math.h>

#include "kernel/continua/continua.h"
#include "kernel/inside.h"

// What ratios of their own change: sums over the first modes, less the same with the common ratio.
static double own_value(const jd_family *f, int order, double tau, int i, int j) {
    double sum = 0, own[4], all[4];
    for (int k = 0; k < f->n_own; k++) {
        double n = jd_family_row(f, k, i) * jd_family_row(f, k, j), w = jd_family_omega(f, k);
        if (n == 0) continue;
        jd_mode_orders(w, jd_family_damping(f, k), tau, own);
        jd_mode_orders(w, 2 * f->ratio * w, tau, all);
        sum += n * (own[order + 1] - all[order + 1]);
    }
    return sum;
}

static double complex own_transfer(const jd_family *f, double complex s, int i, int j) {
    double complex sum = 0;
    for (int k = 0; k < f->n_own; k++) {
        double n = jd_family_row(f, k, i) * jd_family_row(f, k, j), w = jd_family_omega(f, k);
        if (n == 0) continue;
        double a = jd_family_damping(f, k), b = 2 * f->ratio * w;
        sum += n * (b - a) * s / ((s * (s + a) + w * w) * (s * (s + b) + w * w));
    }
    return s * sum;
}

static double value(const jd_family *f, int order, double tau, int i, int j) {
    if (f->rayleigh) return jd_rayleigh_value(f, order, tau, i, j);
    if (f->kind == JD_FAMILY_WAVE)
        return jd_wave_value(f, order, tau, i, j) + own_value(f, order, tau, i, j);
    if (f->kind == JD_FAMILY_BEAM)
        return jd_beam_value(f, order, tau, i, j) + own_value(f, order, tau, i, j);
    return jd_modes_value(f, order, tau, i, j);
}

// Exponent of the start in quarters: 0 jump, 2 square root, 4 smooth.
static int quarters(const jd_family *f) {
    if (f->kind == JD_FAMILY_WAVE) return f->rayleigh ? 2 : 0;
    return f->kind != JD_FAMILY_BEAM ? 4 : f->rayleigh ? 3 : 2;
}

static double start_of(const jd_family *f, int i, int j) {
    if (f->rayleigh) return jd_rayleigh_start(f, i, j);
    if (f->kind == JD_FAMILY_WAVE) return jd_wave_start(f, i, j);
    if (f->kind == JD_FAMILY_BEAM) return jd_beam_start(f, i, j);
    return jd_modes_start(f, i, j);
}

// Velocity by a unit force before waves come back, of all strings and rods; Rayleigh damping aside.
static double scale_of(const jd_response *r, int i, int j) {
    double sum = 0;
    for (int b = 0; b < r->n_body; b++)
        if (r->family[b].kind == JD_FAMILY_WAVE) sum += jd_wave_start(&r->family[b], i, j);
    return sum;
}

// The roughest body that a contact stands on decides.
void jd_response_set_start(jd_response *r) {
    int least = 4;
    for (int b = 0; b < r->n_body; b++)
        for (int i = 0; i < r->n_contact; i++)
            if (r->family[b].place[i].n && quarters(&r->family[b]) < least)
                least = quarters(&r->family[b]);
    r->regularity = least == 0 ? JD_START_JUMP : least < 4 ? JD_START_HOELDER : JD_START_SMOOTH;
    r->exponent = least / 4.0;
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) {
            double *start = &r->start[i * r->n_place + j];
            for (int b = 0; b < r->n_body; b++)
                if (quarters(&r->family[b]) == least) *start += start_of(&r->family[b], i, j);
            r->jump[i * r->n_place + j] = least == 0 ? *start : 0;
            r->scale[i * r->n_place + j] = scale_of(r, i, j);
        }
}

static jd_status make(jd_response *r, const jd_response_def *d) {
    r->family = JD_TAKE(r->arena, jd_family, d->n_body);
    r->start = JD_TAKE(r->arena, double, d->n_contact * d->n_place);
    r->jump = JD_TAKE(r->arena, double, d->n_contact * d->n_place);
    r->scale = JD_TAKE(r->arena, double, d->n_contact * d->n_place);
    JD_TRY(jd_arena_status(r->arena));
    r->n_body = d->n_body;
    r->n_contact = d->n_contact;
    r->n_place = d->n_place;
    for (int b = 0; b < d->n_body; b++) {
        r->infinite = r->infinite || d->body[b]->infinite;
        JD_TRY(jd_family_make(r->arena, d, b, &r->family[b]));
    }
    jd_response_set_start(r);
    return JD_OK;
}

jd_status jd_response_create(jd_context *context, const jd_response_def *def, jd_response **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_response *r = JD_TAKE(arena, jd_response, 1);
    jd_status s = r ? JD_OK : JD_OUT_OF_MEMORY;
    if (r) {
        r->context = context;
        r->arena = arena;
        s = make(r, def);
    }
    if (s != JD_OK)
        jd_arena_free(arena);
    else
        *out = r;
    return s;
}

void jd_response_free(jd_response *r) {
    if (r) jd_arena_free(r->arena);
}

int jd_response_contacts(const jd_response *r) { return r->n_contact; }
int jd_response_places(const jd_response *r) { return r->n_place; }
bool jd_response_infinite(const jd_response *r) { return r->infinite; }
jd_regularity jd_response_regularity(const jd_response *r) { return r->regularity; }
const double *jd_response_start(const jd_response *r) { return r->start; }
const double *jd_response_jump(const jd_response *r) { return r->jump; }

double jd_response_exponent(const jd_response *r) { return r->exponent; }

int jd_response_case(const jd_response *r) {
    return r->regularity == JD_START_SMOOTH ? 1 : r->regularity == JD_START_JUMP ? 2 : 3;
}

static double least_ratio(const jd_family *f) {
    double least = HUGE_VAL;
    if (f->rayleigh) return jd_rayleigh_ratio(f);
    if (f->kind == JD_FAMILY_WAVE || f->kind == JD_FAMILY_BEAM) return f->ratio;
    for (int p = 0; f->kind == JD_FAMILY_MATRIX && p < f->n; p++)
        least = fmin(least, -f->pole[2 * p] / hypot(f->pole[2 * p], f->pole[2 * p + 1]));
    for (int k = 0; f->kind == JD_FAMILY_MODES && k < f->n; k++)
        if (f->omega[k] > 0) least = fmin(least, f->c[k] / (2 * f->omega[k]));
    return least;
}

double jd_response_least_damping(const jd_response *r) {
    double least = HUGE_VAL;
    for (int b = 0; b < r->n_body; b++) least = fmin(least, least_ratio(&r->family[b]));
    return least;
}

jd_status jd_response_at(const jd_response *r, jd_response_order order, int n_tau,
                         const double *tau, double *out) {
    for (int t = 0; t < n_tau; t++) {
        if (!(tau[t] >= 0))
            return jd_fail(r->context, JD_OUT_OF_RANGE, "kernels begin at time 0, not at %g",
                           tau[t]);
        for (int i = 0; i < r->n_contact; i++)
            for (int j = 0; j < r->n_place; j++) {
                double sum = 0;
                for (int b = 0; b < r->n_body; b++)
                    sum += value(&r->family[b], (int)order, tau[t], i, j);
                *out++ = sum;
            }
    }
    return JD_OK;
}

jd_status jd_response_static(const jd_response *r, double *out) {
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) {
            double sum = 0;
            for (int b = 0; b < r->n_body; b++) {
                const jd_family *f = &r->family[b];
                sum += f->kind == JD_FAMILY_WAVE   ? jd_wave_static(f, i, j)
                       : f->kind == JD_FAMILY_BEAM ? jd_beam_static(f, i, j)
                                                   : jd_modes_static(f, i, j);
            }
            *out++ = sum;
        }
    return JD_OK;
}

jd_status jd_response_transfer(const jd_response *r, const double s[2], double *out) {
    double complex at = cartesian(s[0], s[1]);
    double *to = out;
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) {
            double complex sum = 0;
            const double *other = out + 2 * ((size_t)j * (size_t)r->n_place + (size_t)i);
            if (j < i) { // reciprocity
                *to++ = other[0];
                *to++ = other[1];
                continue;
            }
            for (int b = 0; b < r->n_body; b++) {
                const jd_family *f = &r->family[b];
                sum += f->rayleigh                 ? jd_rayleigh_transfer(f, at, i, j)
                       : f->kind == JD_FAMILY_WAVE ? jd_wave_transfer(f, at, i, j)
                       : f->kind == JD_FAMILY_BEAM ? jd_beam_transfer(f, at, i, j)
                                                   : jd_modes_transfer(f, at, i, j);
                if (f->n_own) sum += own_transfer(f, at, i, j);
            }
            *to++ = creal(sum);
            *to++ = cimag(sum);
        }
    return JD_OK;
}

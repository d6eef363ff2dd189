// echo_kernel.c -- poles of the echoes by Newton's method, residues, and the error on a grid of
// resonances.
#include "kernel/echoes/echo_kernel.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "kernel/continua/continua.h"
#include "kernel/echoes/smear.h"
#include "kernel/inside.h"

static const double pi = JD_PI;

enum { MOST_POLES = 4000, FEW_POLES = 100, TRIES = 8 };

typedef struct draft {
    jd_arena *arena;
    const jd_response *response;
    jd_echo_kernel *echoes;
    int m, places;
    jd_echo_taps *tap;     // m x places
    double complex *value; // likewise: of the poles, at one frequency
    double first;          // lowest frequency [rad/s]
} draft;

// Contacts stand on it, and it answers a force at once.
static bool is_wave(const jd_response *r, int body) {
    return r->family[body].kind == JD_FAMILY_WAVE &&
           jd_family_is_touched(&r->family[body], r->n_contact);
}

bool jd_echo_kernel_serves(const jd_response *r) {
    int waves = 0;
    bool damped = true;
    for (int b = 0; b < r->n_body; b++) {
        if (!is_wave(r, b)) continue;
        waves++;
        bool free = r->family[b].left == JD_FREE && r->family[b].right == JD_FREE;
        if (free && r->family[b].ratio > 0) return false; // its pole at 0 is none of the echoes'
        damped = damped && r->family[b].ratio < 1 && !r->family[b].rayleigh;
        for (int k = 0; k < r->family[b].n_own; k++) damped = damped && r->family[b].own[k] < 1;
    }
    return waves == 1 && damped;
}

jd_status jd_echo_kernel_body(jd_arena *arena, const jd_response *r, const jd_response **wave,
                              const jd_response **rest) {
    bool *take = JD_TAKE(arena, bool, r->n_body), *others = JD_TAKE(arena, bool, r->n_body);
    jd_response *part = JD_TAKE(arena, jd_response, 2);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < r->n_body; b++) {
        take[b] = is_wave(r, b);
        others[b] = !take[b] && jd_family_is_touched(&r->family[b], r->n_contact);
    }
    *wave = &part[0];
    *rest = &part[1];
    JD_TRY(jd_response_part(arena, r, take, &part[0]));
    return jd_response_part(arena, r, others, &part[1]);
}

static void measures(const jd_response *r, double *period, double *ratio, double *sign) {
    const jd_family *f = &r->family[0];
    *period = 2 * f->length / f->speed;
    *ratio = f->ratio;
    *sign = f->left == f->right ? 1 : -1;
}

// How far below the edge of its bell a pulse must be to be right to the tolerance.
static double depth(double tolerance) { return 0.6 * sqrt(-2 * log(tolerance)); }

// Bell of a pulse of width w after `delay`: not felt beyond the highest frequency, nor as late as
// the present.
static double bell_of(const jd_echo_kernel *c, double q, double w, double delay) {
    double sigma = (q + sqrt(q * q + 4 * c->highest * w)) / (2 * c->highest);
    return fmin(sigma, c->most * delay);
}

jd_status jd_echo_taps_of(const jd_response *r, const jd_echo_kernel *echoes, int i, int j,
                          jd_arena *arena, jd_echo_taps *out) {
    jd_response_delays g;
    double T, D, sign;
    measures(r, &T, &D, &sign);
    double root = sqrt((1 - D) * (1 + D)), close = 1e-12 * T;
    JD_TRY(jd_response_delays_of(r, i, j, T * (1 + 1e-9), arena, &g));
    *out = (jd_echo_taps){.delay = JD_TAKE(arena, double, g.n + 1),
                          .width = JD_TAKE(arena, double, g.n + 1),
                          .coefficient = JD_TAKE(arena, double, g.n + 1),
                          .sigma = JD_TAKE(arena, double, g.n + 1)};
    JD_TRY(jd_arena_status(arena));
    double last = -sign * r->jump[i * r->n_place + j];
    for (int k = 0; k <= g.n; k++) {
        double d = k < g.n ? g.delay[k] : T, a = k < g.n ? g.coefficient[k] / root : last;
        if (d <= close) continue;
        if (k < g.n && fabs(d - T) <= close) {
            last += a;
            continue;
        }
        if (a == 0) continue;
        out->delay[out->n] = root * d;
        out->width[out->n] = D * d;
        if (echoes && echoes->sigma > 0)
            out->sigma[out->n] = bell_of(echoes, echoes->depth, D * d, root * d);
        out->coefficient[out->n++] = a;
    }
    return JD_OK;
}

// sign Nhat e^{-s r T} and its derivative by s.
static double complex round_trip(const jd_echo_kernel *c, double complex s, double complex *rate) {
    double complex omega = cartesian(cimag(s), -creal(s)), slope; // -i s
    double complex N = jd_smear_rate(c->width, c->sigma, omega, &slope);
    double complex back = c->sign * cexp(-s * c->period);
    *rate = back * (cartesian(cimag(slope), -creal(slope)) - c->period * N);
    return back * N;
}

// gamma + sum a Nhat e^{-s r d}
static double complex source(const draft *w, int pair, double complex s) {
    const jd_echo_taps *t = &w->tap[pair];
    double complex omega = cartesian(cimag(s), -creal(s)), sum = w->response->jump[pair];
    for (int k = 0; k < t->n; k++)
        sum +=
            t->coefficient[k] * jd_smear(t->width[k], t->sigma[k], omega) * cexp(-s * t->delay[k]);
    return sum;
}

// The zero of 1 - round trip next to a mode; false: none was found.
static bool find_pole(const draft *w, double complex *s, double complex *rate) {
    for (int i = 0; i < 50; i++) {
        double complex step = (1 - round_trip(w->echoes, *s, rate)) / *rate;
        *s += step;
        if (cabs(step) < 1e-14 * (cabs(*s) + w->first)) break;
    }
    double complex left = 1 - round_trip(w->echoes, *s, rate);
    return cabs(left) < 1e-10 && creal(*s) < 0;
}

static void put(const draft *w, int at, double complex s, int pair, double complex c) {
    jd_fit *f = &w->echoes->fit;
    f->re[at] = creal(s);
    f->im[at] = cimag(s);
    f->residue_re[pair * f->n + at] = creal(c);
    f->residue_im[pair * f->n + at] = cimag(c);
}

// Takes the echoes' pole at about i omega off: minus its residue, doubled for a pair. It lies where
// |Nhat| e^{-Re s rT} = 1.
static bool take_off(const draft *w, int at, double omega, double share) {
    double N = creal(jd_smear(w->echoes->width, w->echoes->sigma, omega));
    double complex rate, s = cartesian(log(fmax(N, 1e-300)) / w->echoes->period, omega);
    if (!find_pole(w, &s, &rate)) return false;
    for (int i = 0; i < w->m * w->places; i++) put(w, at, s, i, share * source(w, i, s) / rate);
    return true;
}

// Values of the poles at s, for all pairs.
static void poles_at(const draft *w, double complex s, double complex *sum) {
    const jd_fit *f = &w->echoes->fit;
    int right = w->m * w->places;
    for (int i = 0; i < right; i++) sum[i] = 0;
    for (int p = 0; p < f->n; p++) {
        double complex pole = cartesian(f->re[p], f->im[p]), one = 1 / (s - pole), other = 0;
        if (f->im[p] != 0) one /= 2, other = 0.5 / (s - conj(pole));
        for (int i = 0; i < right; i++) {
            double re = f->residue_re[i * f->n + p], im = f->residue_im[i * f->n + p];
            sum[i] += cartesian(re, im) * one + cartesian(re, -im) * other;
        }
    }
}

// Ghat(0) = 0: a slow real pole takes what is left.
static void close_gap(const draft *w) {
    jd_fit *f = &w->echoes->fit;
    double complex rate;
    int right = w->m * w->places;
    for (int i = 0; i < right; i++) put(w, f->n - 1, -w->first, i, 0);
    poles_at(w, 0, w->value);
    for (int i = 0; i < right; i++) {
        double complex echoes = source(w, i, 0) / (1 - round_trip(w->echoes, 0, &rate));
        f->residue_re[i * f->n + f->n - 1] = -creal(echoes + w->value[i]) * w->first;
    }
}

// lambda_k, then mu_k, then mu_0 where the ends are alike, then the gap's.
static jd_status set_poles(draft *w, int K, bool *found) {
    jd_response_poles modal;
    jd_fit *f = &w->echoes->fit;
    int right = w->m * w->places, zero = w->echoes->sign > 0;
    JD_TRY(jd_response_poles_of(w->response, K, w->arena, &modal));
    *f = (jd_fit){.n = 2 * K + zero + 1, .kept = K};
    f->re = JD_TAKE(w->arena, double, f->n);
    f->im = JD_TAKE(w->arena, double, f->n);
    f->residue_re = JD_TAKE(w->arena, double, right * f->n);
    f->residue_im = JD_TAKE(w->arena, double, right * f->n);
    JD_TRY(jd_arena_status(w->arena));
    *found = true;
    for (int k = 0; k < K; k++) {
        double complex s = cartesian(modal.re[k], modal.im[k]);
        for (int i = 0; i < right; i++) // residues of G' are s times those of G
            put(w, k, s, i,
                s * cartesian(modal.residue_re[i * modal.n + k],
                              modal.residue_im[i * modal.n + k]));
        double near = w->echoes->period / hypot(w->echoes->width, w->echoes->period);
        near *= jd_wave_omega(&w->response->family[0], k); // the mode with the common ratio
        *found = take_off(w, K + k, near, 2) && *found;
    }
    if (zero) *found = take_off(w, 2 * K, 0, 1) && *found;
    close_gap(w);
    return JD_OK;
}

static jd_status judge_at(draft *w, double omega, double *one, double *own) {
    int right = w->m * w->places;
    const double s[2] = {0, omega};
    double complex at = cartesian(0, omega), rate, trip = round_trip(w->echoes, at, &rate);
    JD_TRY(jd_response_transfer(w->response, s, one));
    double size = 0, worst = 0;
    poles_at(w, at, w->value);
    for (int i = 0; i < right; i++) {
        double complex value = source(w, i, at) / (1 - trip) + w->value[i];
        own[2 * i] = creal(value), own[2 * i + 1] = cimag(value);
        worst = fmax(worst, hypot(own[2 * i] - one[2 * i], own[2 * i + 1] - one[2 * i + 1]));
        size = fmax(size, hypot(one[2 * i], one[2 * i + 1]) + fabs(w->response->jump[i]));
    }
    w->echoes->fit.error = fmax(w->echoes->fit.error, worst / size);
    return jd_fit_check_passive(jd_arena_context(w->arena), w->m, w->places, own, omega,
                                (2 * w->m * worst / size + 1e-12) * size);
}

// On and beside resonances: all up to K + 12, then ever farther.
static jd_status judge(draft *w, int K, bool passive) {
    int right = w->m * w->places;
    double *one = JD_TAKE(w->arena, double, 4 * right), *own = one + 2 * right;
    double T = hypot(w->echoes->width, w->echoes->period), D = w->echoes->width / T;
    JD_TRY(jd_arena_status(w->arena));
    w->echoes->fit.error = 0;
    for (int k = 0; k < 40 * K; k = k < K + 12 ? k + 1 : k + k / 3)
        for (int side = 0; side < 4; side++) {
            static const double beside[] = {0, 1, -3}; // widths of the resonance
            double omega = w->echoes->period / T * (w->first + k * 2 * pi / T);
            omega *= side < 3 ? 1 + beside[side] * D : 1;
            if (side == 3) omega += 0.4 * w->first;
            jd_status s = judge_at(w, omega, one, own);
            if (s != JD_OK && passive) return s;
        }
    return JD_OK;
}

static jd_status take_taps(draft *w, const jd_echo_kernel *echoes) {
    for (int i = 0; i < w->m; i++)
        for (int j = 0; j < w->places; j++) {
            jd_echo_taps *t = &w->tap[i * w->places + j];
            JD_TRY(jd_echo_taps_of(w->response, echoes, i, j, w->arena, t));
            for (int k = 0; k < t->n; k++) {
                w->echoes->shortest = fmin(w->echoes->shortest, t->delay[k]);
                if (echoes) w->echoes->narrow = fmin(w->echoes->narrow, t->sigma[k]);
            }
        }
    return JD_OK;
}

// Spacing of an even grid for histories: fine beside the sharpest echo, or below the tolerance, by
// which events may be off; and much shorter than the shortest delay. 0: tolerances are too tight
// for one, or it would take too many points.
static double even_spacing(const jd_echo_kernel *c, double D, double tolerance) {
    enum { MOST_POINTS = 6000, PER_DELAY = 200 };
    static const double coarse = 1e-4, sharp = 0.25, share = 0.5;
    double spacing = fmax(sharp * D * c->shortest, share * tolerance * c->period);
    spacing = fmin(spacing, c->shortest / PER_DELAY);
    return tolerance >= coarse && c->period <= MOST_POINTS * spacing ? spacing : 0;
}

// Bells: the shortest delay has the narrowest, which says how many poles there are.
static jd_status prepare(draft *w, double wanted, double share, double latest) {
    jd_echo_kernel *c = w->echoes;
    double T, D;
    measures(w->response, &T, &D, &c->sign);
    c->period = sqrt((1 - D) * (1 + D)) * T;
    c->width = D * T;
    c->shortest = c->period;
    w->first = jd_wave_omega(&w->response->family[0], 0);
    w->tap = JD_TAKE(w->arena, jd_echo_taps, w->m * w->places);
    w->value = JD_TAKE(w->arena, double complex, w->m * w->places);
    JD_TRY(jd_arena_status(w->arena));
    JD_TRY(take_taps(w, NULL));
    if (D == 0) return JD_OK;
    c->spacing = even_spacing(c, D, wanted);
    if (c->spacing > 0) share = fmax(share, 0.5);
    c->reach = sqrt(-2 * log(0.01 * wanted));
    c->depth = depth(wanted);
    c->most = latest / c->reach;
    // where the shortest delay would need many poles its bell is wider
    double few = c->reach * c->depth / (FEW_POLES * w->first * c->shortest);
    double sigma = fmin(fmax(share, few), latest) * c->shortest / c->reach;
    c->highest = (c->depth + D * c->shortest / sigma) / sigma;
    c->sigma = c->narrow = bell_of(c, c->depth, c->width, c->period);
    return take_taps(w, c);
}

// As many poles as are wanted, while more of them help.
static jd_status add_poles(draft *w, double wanted, bool *done) {
    double K = 4 + fmax(w->echoes->highest / w->first, w->response->family[0].n_own);
    double before = HUGE_VAL;
    *done = false;
    for (int i = 0; i < TRIES && K <= MOST_POLES; i++, K *= 1.2) {
        bool found;
        JD_TRY(set_poles(w, (int)K, &found));
        if (!found) continue;
        JD_TRY(judge(w, (int)K, false));
        *done = w->echoes->fit.error <= wanted;
        if (*done) return judge(w, (int)K, true);
        if (w->echoes->fit.error > 0.7 * before) return JD_OK;
        before = w->echoes->fit.error;
    }
    return JD_OK;
}

double jd_echo_kernel_first(const jd_response *r) {
    const jd_family *f = &r->family[0];
    return f->left == JD_FREE && f->right == JD_FREE ? 0 : jd_wave_omega(f, 0);
}

jd_status jd_echo_kernel_slow(jd_arena *arena, const jd_response *r, const jd_echo_kernel *echoes,
                              int n, const double *s, double *out) {
    jd_echo_kernel own = *echoes;
    draft w = {.arena = arena,
               .response = r,
               .echoes = &own,
               .m = jd_response_contacts(r),
               .places = jd_response_places(r)};
    int right = w.m * w.places;
    double complex rate;
    w.tap = JD_TAKE(arena, jd_echo_taps, right);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(take_taps(&w, &own));
    for (int i = 0; i < right; i++) {
        double zero = 0; // without damping: the limit
        if (own.sigma > 0) zero = creal(source(&w, i, 0) / (1 - round_trip(&own, 0, &rate)));
        for (int k = 0; k < n; k++)
            out[k * right + i] =
                creal(source(&w, i, s[k]) / (1 - round_trip(&own, s[k], &rate))) - zero;
    }
    return JD_OK;
}

jd_status jd_echo_kernel_create(jd_arena *arena, const jd_response *r, double tolerance,
                                double share, jd_echo_kernel *out) {
    static const double latest[] = {0.75, 0.5, 0.35}; // of a delay: how far its bell may reach
    draft w = {.arena = arena,
               .response = r,
               .echoes = out,
               .m = jd_response_contacts(r),
               .places = jd_response_places(r)};
    double wanted = fmin(fmax(tolerance, 1e-12), 0.01);
    double D = r->family[0].ratio;
    if (D > 0) wanted = fmax(wanted, 1e-15 / D); // rounding at the resonances
    for (int i = 0; i < 3; i++) {
        bool done;
        *out = (jd_echo_kernel){0};
        JD_TRY(prepare(&w, wanted, share, latest[i]));
        if (out->sigma == 0) return JD_OK;
        JD_TRY(add_poles(&w, wanted, &done));
        out->error = out->fit.error;
        if (done) return JD_OK;
    }
    jd_fail(r->context, JD_NOT_SUPPORTED,
            "the first echo comes back after %.3g s, too soon for a memory of delays to a "
            "tolerance of %.3g with a damping ratio of %.3g",
            out->shortest, wanted, D);
    jd_fail_hint(r->context, "write `simulate.memory: exponentials`, allow a larger tolerance, or "
                             "say how many modes to keep");
    return JD_NOT_SUPPORTED;
}

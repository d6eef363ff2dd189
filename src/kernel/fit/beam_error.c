// beam_error.c -- how far the poles of a beam are from all its modes.
//   Modes below K/2 are exact. With d_k what mode k has beyond its share in the fit (all of it from
//   K on) and M the mean of the participations,
//     Ghat - fit = sum_{K/2 <= k < N} d_k H_k + M sum_{k >= N} H_k - tail,   H = s/(s^2 + 2 D w s +
//     w^2)
//   N = 4 K, nothing cancels, and the sum over the mean is an integral in closed form. What swings
//   about the mean fades before N, as it does in the fit before K: what that is off by is far less.
//   Where modes stand apart the error has a peak at each of them, D w wide: of every few modes the
//   one that most is left out of is looked at, and the highest value is climbed. Elsewhere it is
//   smooth in ln w. A tenth and more is added for what lies between the samples.
#include <math.h>

#include "base/constants.h"
#include "kernel/continua/continua.h"
#include "kernel/fit/parts.h"

static const double pi = JD_PI;

enum { POINTS = 60, FIRST = 8, BINS = 40, CLIMB = 8, BEFORE = 12, BEHIND = 4 };

typedef struct beam_error {
    fit_draft w;
    const jd_family *beam;
    int pairs, from, to;  // modes whose resonances are looked at
    double *omega, *left; // of these modes; d, for each pair (NULL with Rayleigh damping)
    double *mean, *one;   // M; a sample
    double unit, end;     // [rad/s]; B
    double off, size, at; // largest error and |Ghat| found; where `off` is [rad/s]
} beam_error;

// Of all modes less the fit: what the poles are off by.
static void look_at_modes(beam_error *m, double omega) {
    const jd_fit *f = m->w.fit;
    double complex s = cartesian(0, omega), rest = jd_beam_beyond(m->beam, s, m->end);
    for (int i = 0; i < m->pairs; i++) m->one[2 * i] = m->one[2 * i + 1] = 0;
    for (int k = m->from; k < m->to; k++) {
        double w = m->omega[k - m->from], re = (w - omega) * (w + omega),
               im = 2 * m->beam->ratio * w * omega, size = re * re + im * im;
        double H_re = omega * im / size, H_im = omega * re / size;
        for (int i = 0; i < m->pairs; i++) {
            double d = m->left[i * (m->to - m->from) + k - m->from];
            m->one[2 * i] += d * H_re;
            m->one[2 * i + 1] += d * H_im;
        }
    }
    for (int i = 0; i < m->pairs; i++) {
        double re = m->one[2 * i] + m->mean[i] * creal(rest),
               im = m->one[2 * i + 1] + m->mean[i] * cimag(rest), by_re[2], by_im[2];
        for (int p = f->kept; p < f->n; p++) {
            double a = f->residue_re[i * f->n + p], b = f->residue_im[i * f->n + p];
            jd_fit_basis(f, p, omega, by_re, by_im);
            re -= a * by_re[0] + (f->im[p] > 0 ? b * by_im[0] : 0);
            im -= a * by_re[1] + (f->im[p] > 0 ? b * by_im[1] : 0);
        }
        double off = hypot(re, im);
        if (off > m->off) m->off = off, m->at = omega;
    }
}

// The same from sums over the table of modes.
static jd_status look(beam_error *m, double omega) {
    double own[2];
    if (m->left) {
        look_at_modes(m, omega);
        return JD_OK;
    }
    JD_TRY(jd_fit_sample(&m->w, omega, m->one));
    for (int i = 0; i < m->pairs; i++) {
        jd_fit_value(m->w.fit, i, omega, own);
        double off = hypot(own[0] - m->one[2 * i], own[1] - m->one[2 * i + 1]);
        if (off > m->off) m->off = off, m->at = omega;
    }
    return JD_OK;
}

static jd_status set_modes(beam_error *m, jd_arena *arena, int K) {
    const jd_response *r = m->w.response;
    const jd_family *f = m->beam;
    int last = 4 * K, n = last - K / 2;
    m->mean = JD_TAKE(arena, double, m->pairs);
    m->omega = JD_TAKE(arena, double, n);
    m->left = JD_TAKE(arena, double, (size_t)m->pairs *(size_t)n);
    JD_TRY(jd_arena_status(arena));
    m->from = K / 2;
    m->to = m->from + n;
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) m->mean[i * r->n_place + j] = jd_beam_average(f, i, j);
    double *row = JD_TAKE(arena, double, r->n_place);
    JD_TRY(jd_arena_status(arena));
    for (int k = m->from; k < m->to; k++) {
        m->omega[k - m->from] = jd_beam_omega(f, k);
        for (int j = 0; j < r->n_place; j++) row[j] = jd_beam_row(f, k, j);
        double share = k < K ? jd_tail_share(k, K) : 0,
               whole = k < K ? jd_tail_weight(K - 1 - k) : 0;
        for (int i = 0; i < r->n_contact; i++)
            for (int j = 0; j < r->n_place; j++) {
                double has = share * row[i] * row[j];
                if (!f->place[j].gentle)
                    has += (whole - share) * m->mean[i * r->n_place + j];
                else if (k < K)
                    has = row[i] * row[j];
                double all = row[i] * row[j], mean = m->mean[i * r->n_place + j];
                m->left[(i * r->n_place + j) * n + k - m->from] =
                    mean + jd_tail_share(k, last) * (all - mean) - has;
            }
    }
    m->end = sqrt(m->omega[n - 1] / m->unit) + pi / 2;
    return JD_OK;
}

// No step response is off by more: |g_k| <= 1/w_k, for every mode and pole by itself. This falls as
// 1/K only, since the swinging parts of neighbours cancel, which it does not know.
static double proved(const beam_error *m) {
    const jd_fit *f = m->w.fit;
    int n = m->to - m->from;
    double most = 0;
    for (int i = 0; i < m->pairs; i++) {
        double sum = 0, swing = 0;
        for (int k = 0; k < n; k++) {
            sum += fabs(m->left[i * n + k]) / m->omega[k];
            swing = fmax(swing, fabs(m->left[i * n + k]));
        }
        sum += (swing + 2 * fabs(m->mean[i])) / (pi * m->unit * m->end);
        for (int p = f->kept; p < f->n; p++)
            sum += 2 * hypot(f->residue_re[i * f->n + p], f->residue_im[i * f->n + p]) /
                   hypot(f->re[p], f->im[p]);
        most = fmax(most, sum);
    }
    return most;
}

// How high the error may stand at the resonance of mode k.
static double peak_of(const beam_error *m, int k) {
    const jd_response *r = m->w.response;
    double most = 0;
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) {
            double left = m->left ? m->left[(i * r->n_place + j) * (m->to - m->from) + k - m->from]
                                  : jd_family_row(m->beam, k, i) * jd_family_row(m->beam, k, j);
            most = fmax(most, fabs(left));
        }
    return most / jd_family_damping(m->beam, k);
}

static jd_status look_beside(beam_error *m, int k) {
    double w = jd_family_omega(m->beam, k),
           width = fmin(jd_family_damping(m->beam, k) / (2 * w), 0.5);
    for (int side = -1; side <= 1; side++) JD_TRY(look(m, w * (1 + side * width)));
    return JD_OK;
}

static jd_status look_at_resonances(beam_error *m) {
    for (int bin = 0; bin < BINS; bin++) {
        int n = m->to - m->from, a = m->from + (int)((double)n * bin / BINS),
            b = m->from + (int)((double)n * (bin + 1) / BINS), best = a;
        for (int k = a; k < b; k++)
            if (peak_of(m, k) > peak_of(m, best)) best = k;
        JD_TRY(look_beside(m, best));
    }
    return JD_OK;
}

// Where the sum ends and the integral begins: every mode, and between them.
static jd_status look_at_end(beam_error *m, int K) {
    for (int k = (int)fmax(K - BEFORE, 1); k < K + BEHIND; k++) {
        double w = jd_family_omega(m->beam, k), next = jd_family_omega(m->beam, k + 1);
        JD_TRY(look_beside(m, k));
        for (int part = 1; part < 4; part++) JD_TRY(look(m, w + (next - w) * part / 4));
    }
    return JD_OK;
}

// Ghat is largest at one of the first resonances, where the fit is right.
static void look_for_size(beam_error *m, int elastic) {
    const jd_fit *f = m->w.fit;
    double own[2];
    for (int p = elastic; p < f->kept && p < elastic + FIRST; p++)
        for (int i = 0; i < m->pairs; i++) {
            jd_fit_value(f, i, hypot(f->re[p], f->im[p]), own);
            m->size = fmax(m->size, hypot(own[0], own[1]));
        }
}

// Rayleigh damping: the fast pole of an overdamped mode is at slope omega^2.
static double fastest(const jd_family *f, double omega) {
    return omega * fmax(1, f->slope * omega);
}

jd_status jd_beam_measure(jd_arena *arena, const jd_response *response, int K, jd_fit *f) {
    beam_error m = {.w = {.arena = arena,
                          .response = response,
                          .m = jd_response_contacts(response),
                          .places = jd_response_places(response),
                          .fit = f},
                    .beam = &response->family[0]};
    jd_arena_mark mark = jd_arena_here(arena);
    m.pairs = m.w.m * m.w.places;
    m.unit = jd_beam_unit(m.beam);
    m.one = JD_TAKE(arena, double, 2 * m.pairs);
    JD_TRY(jd_arena_status(arena));
    int elastic = 0;
    while (hypot(f->re[elastic], f->im[elastic]) < f->soft) elastic++;
    double first = hypot(f->re[elastic], f->im[elastic]) / 3, top = jd_family_omega(m.beam, K);
    double width = jd_family_damping(m.beam, K) / (2 * top);
    double last = f->rest ? 30 * fastest(m.beam, top) : 1e4 * top;
    if (f->rest) last = fmin(last, fastest(m.beam, 0.02 * m.beam->omega[m.beam->n - 1]));
    m.from = K;
    m.to = (int)fmin(3 * K, m.beam->n);
    if (!f->rest) JD_TRY(set_modes(&m, arena, K));
    if (!f->rest) f->step_error = proved(&m);
    for (int k = 0; k < POINTS; k++)
        JD_TRY(look(&m, first * pow(last / first, (double)k / POINTS)));
    JD_TRY(look_at_resonances(&m));
    if (!f->rest) JD_TRY(look_at_end(&m, K));
    width = fmin(width, 0.2);
    for (int i = 0; i < CLIMB; i++, width /= 2) {
        double at = m.at;
        JD_TRY(look(&m, at * (1 - width)));
        JD_TRY(look(&m, at * (1 + width)));
    }
    look_for_size(&m, elastic);
    f->error = 1.3 * m.off / (m.size - m.off);
    f->worst_at = m.at;
    jd_arena_back(arena, mark);
    return JD_OK;
}

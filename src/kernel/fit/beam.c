// beam.c -- a beam as its lowest modes, and all others as an integral over them (fit/tail.c),
// or with Rayleigh damping as one that bends as they do. Passive as it stands.
#include <math.h>

#include "base/constants.h"
#include "kernel/continua/continua.h"
#include "kernel/fit/parts.h"

static const double pi = JD_PI;

// Residues of mode p of G', s_p times those of G.
static void keep_mode(jd_fit *f, const jd_response_poles *modal, int pairs, int p) {
    f->re[p] = modal->re[p];
    f->im[p] = modal->im[p];
    for (int i = 0; i < pairs; i++) {
        double a = modal->residue_re[i * modal->n + p], b = modal->residue_im[i * modal->n + p];
        f->residue_re[i * f->n + p] = a * f->re[p] - b * f->im[p];
        f->residue_im[i * f->n + p] = a * f->im[p] + b * f->re[p];
    }
}

// Deflection of modes from K on, of a beam that nothing holds: terms fall as k^-4.
static void elastic_rest(const jd_response *r, int K, double *rest) {
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) {
            double sum = 0;
            for (int b = 0; b < r->n_body; b++) {
                const jd_family *f = &r->family[b];
                for (int k = f->n - 1; k >= K; k--)
                    sum += jd_family_row(f, k, i) * jd_family_row(f, k, j) /
                           (f->omega[k] * f->omega[k]);
            }
            rest[i * r->n_place + j] = sum;
        }
}

static double ratio_of(const jd_family *f, int k) {
    return f->rayleigh ? jd_family_damping(f, k) / (2 * jd_family_omega(f, k)) : f->ratio;
}

// Static deflection by pole p: minus Re c/s^2.
static double deflection(const jd_fit *f, int pair, int p) {
    double a = f->re[p], b = f->im[p], size = a * a + b * b, re = a * a - b * b, im = 2 * a * b;
    double c_re = f->residue_re[pair * f->n + p], c_im = f->residue_im[pair * f->n + p];
    return -(c_re * re + c_im * im) / (size * size);
}

// A mode that bends by `rest` under a unit force: a pair, or two real poles; c = s n^2/(s - other),
// doubled for a pair: n^2 = rest omega^2.
static void set_mode(jd_fit *f, int pairs, int at, double omega, double D, const double *rest) {
    double root = sqrt(fabs((1 - D) * (1 + D))) * omega, *re = f->re, *im = f->im;
    if (D < 1) {
        re[at] = -D * omega;
        im[at] = root;
        for (int i = 0; i < pairs; i++) {
            f->residue_re[i * f->n + at] = rest[i] * omega * omega;
            f->residue_im[i * f->n + at] = -rest[i] * omega * omega * re[at] / root;
        }
        return;
    }
    re[at + 1] = -D * omega - root;
    re[at] = omega * omega / re[at + 1];
    for (int i = 0; i < pairs; i++)
        for (int p = 0; p < 2; p++)
            f->residue_re[i * f->n + at + p] =
                rest[i] * omega * omega * re[at + p] / (re[at + p] - re[at + 1 - p]);
}

static jd_status take_poles(jd_arena *arena, int n, int pairs, jd_fit *f) {
    f->n = n;
    f->re = JD_TAKE(arena, double, n);
    f->im = JD_TAKE(arena, double, n);
    f->residue_re = JD_TAKE(arena, double, pairs *n);
    f->residue_im = JD_TAKE(arena, double, pairs *n);
    return jd_arena_status(arena);
}

static jd_status fit_rest(jd_arena *arena, const jd_response *response, int K, jd_fit *out) {
    int pairs = jd_response_contacts(response) * jd_response_places(response);
    double D = 0.3, omega = 0; // of the one: it must not ring where many get out of step
    jd_response_poles modal;
    double *rest = JD_TAKE(arena, double, pairs);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_response_poles_of(response, K, arena, &modal));
    JD_TRY(jd_response_static(response, rest));
    for (int b = 0; b < response->n_body; b++) {
        const jd_family *f = &response->family[b];
        omega = fmax(omega, 5.0 / 3 * jd_family_omega(f, K - 1) * (1 + 1.0 / K));
        D = fmax(D, (f->mass / omega + f->slope * omega) / 2);
    }
    if (fabs(D - 1) < 1e-3) D = 1.001;
    out->kept = modal.n;
    out->rest = true;
    JD_TRY(take_poles(arena, modal.n + (D < 1 ? 1 : 2), pairs, out));
    for (int p = 0; p < modal.n; p++) {
        keep_mode(out, &modal, pairs, p);
        for (int i = 0; i < pairs; i++) rest[i] -= deflection(out, i, p);
    }
    if (out->soft > 0) elastic_rest(response, K, rest);
    set_mode(out, pairs, out->kept, omega, D, rest);
    return JD_OK;
}

// n_ik n_jk of mode k < K over omega^2: what swings about the mean fades, the mean ends where the
// tail begins.
static void set_shares(const jd_response *r, int k, int K, const double *mean, double *rest) {
    const jd_family *f = &r->family[0];
    double omega = jd_beam_omega(f, k), share = jd_tail_share(k, K);
    double whole = jd_tail_weight(K - 1 - k);
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) {
            int at = i * r->n_place + j;
            double n2 = jd_beam_row(f, k, i) * jd_beam_row(f, k, j);
            bool swings = !f->place[j].gentle; // else it falls by itself
            rest[at] = (swings ? share * n2 + (whole - share) * mean[at] : n2) / (omega * omega);
        }
}

static jd_status fit_tail(jd_arena *arena, const jd_response *r, int K, double tolerance,
                          jd_fit *out) {
    const jd_family *f = &r->family[0];
    int pairs = r->n_contact * r->n_place, half = K / 2;
    double *rest = JD_TAKE(arena, double, pairs), *mean = JD_TAKE(arena, double, pairs);
    double top = jd_beam_omega(f, K - 1), unit = jd_beam_unit(f);
    tail_plan plan = {.ratio = f->ratio, .from = sqrt(top / unit), .unit = unit};
    plan.step = fmin(0.6, 4.9 / -log(0.03 * sqrt(tolerance)));
    plan.end = fmax(30, sqrt(300 / tolerance) / plan.from);
    jd_response_poles modal;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_response_poles_of(r, half, arena, &modal));
    int each = plan.ratio < 1 ? 1 : 2, kept = modal.n + (K - half) * each;
    JD_TRY(take_poles(arena, kept + jd_tail_poles(&plan), pairs, out));
    out->kept = kept;
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++) mean[i * r->n_place + j] = jd_beam_average(f, i, j);
    for (int p = 0; p < modal.n; p++) keep_mode(out, &modal, pairs, p);
    for (int k = half; k < K; k++) {
        set_shares(r, k, K, mean, rest);
        set_mode(out, pairs, modal.n + (k - half) * each, jd_beam_omega(f, k), plan.ratio, rest);
    }
    jd_tail_put(&plan, out, kept, pairs, mean);
    return JD_OK;
}

jd_status jd_fit_beam(jd_arena *arena, const jd_response *response, int K, double tolerance,
                      jd_fit *out) {
    const jd_family *f = &response->family[0];
    K = (int)fmax(K, fmax(2 * f->n_own + 2, 16));
    *out = (jd_fit){.soft = 100 * jd_family_soft(f)};
    JD_TRY(f->rayleigh ? fit_rest(arena, response, K, out)
                       : fit_tail(arena, response, K, tolerance, out));
    return jd_beam_measure(arena, response, K, out);
}

// Measured against 2560 modes, a pinned beam and a cantilever, D = 0.1 to 0.001: with
// 150 (0.01/D)^0.6 modes, and all others as one, events are right to 3e-7, with twice as many to
// 6e-9. With Rayleigh damping D is that of the last mode kept.
static double modes_of_rest(double tolerance, const jd_family *beam) {
    double digits = fmax(1, pow(5e-6 / tolerance, 0.15)), wanted = 0;
    for (double K = 50;; K *= 1.1) {
        double D = ratio_of(beam, (int)K);
        wanted = fmax(50, 150 * pow(0.01 / D, 0.6)) * digits;
        if (wanted <= K * digits || K > 1e5) return wanted;
    }
}

// The shortest way, over the length, that a wave takes from a contact by an end to a place, or
// between two of them.
static double shortest_way(const jd_response *r) {
    const jd_family *f = &r->family[0];
    double least = 2, L = f->length;
    for (int i = 0; i < r->n_contact; i++)
        for (int j = 0; j < r->n_place; j++)
            for (int p = 0; p < f->place[i].n; p++)
                for (int q = 0; q < f->place[j].n; q++) {
                    double x = f->place[i].point[p].x / L, y = f->place[j].point[q].x / L;
                    double way[] = {fabs(x - y), x + y, 2 - x - y};
                    for (int k = 0; k < 3; k++)
                        if (way[k] > 1e-3) least = fmin(least, way[k]);
                }
    return least;
}

static const double least_digits = 5e-6; // else short sticking is missed

// What the modes beyond K do to a motion whose forces begin as square roots: 1/omega_K, times what
// is left of the echoes that are left out: those that damping has not taken, and those that the
// fading of the others makes; and of what the modes at the end of the sum, which are 2/(K h) of the
// width of a resonance apart, are off by (measured: events of a cantilever's tip).
double jd_fit_beam_modes(double tolerance, const jd_response *response) {
    const jd_family *f = &response->family[0];
    if (f->rayleigh) return modes_of_rest(tolerance, f);
    double way = shortest_way(response), h = f->ratio < 1 ? asin(f->ratio) : pi / 2, K = 16;
    tolerance = fmin(tolerance, least_digits);
    for (; K < 1e6; K *= 1.05) {
        double phase = way * pi * K, apart = 2 / (K * h);
        double echo = exp(-0.75 * phase * sin(h / 2)) + exp(-phase * phase / 1024);
        echo += 0.02 * apart / (1 + pow(1.5 * apart, -5));
        if (echo <= 0.05 * tolerance * pi * pi * K * K) break;
    }
    return K;
}

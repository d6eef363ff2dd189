// fit_beam.c -- a beam as its lowest modes, and all others as one that bends as they do.
//   Passive as it stands.
#include <math.h>

#include "kernel/fit_work.h"

// Largest error between the first pole and a quarter of the last, over the largest |Ghat|.
static jd_status measure(jd_arena *arena, const jd_response *response, jd_fit *f) {
    enum { POINTS = 60 };
    fit_work w = {.arena = arena,
                  .response = response,
                  .m = jd_response_contacts(response),
                  .places = jd_response_places(response),
                  .fit = f};
    double *one = JD_TAKE(arena, double, 2 * w.m * w.places), own[2], worst = 0, size = 0;
    int elastic = 0;
    while (hypot(f->re[elastic], f->im[elastic]) < f->soft) elastic++;
    double first = hypot(f->re[elastic], f->im[elastic]),
           last = hypot(f->re[f->n - 1], f->im[f->n - 1]) / 4;
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < POINTS; k++) {
        double omega = first * pow(last / first, (double)k / POINTS);
        JD_TRY(jd_fit_sample(&w, omega, one));
        for (int i = 0; i < w.m * w.places; i++) {
            jd_fit_value(f, i, omega, own);
            worst = fmax(worst, hypot(own[0] - one[2 * i], own[1] - one[2 * i + 1]));
            size = fmax(size, hypot(one[2 * i], one[2 * i + 1]));
        }
    }
    f->error = worst / size;
    return JD_OK;
}

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

// The mode that stands for all others: a pair, or two real poles; c = s n^2/(s - other), doubled
// for a pair: n^2 = rest omega^2.
static void set_rest(jd_fit *f, int pairs, double omega, double D, const double *rest) {
    double root = sqrt(fabs((1 - D) * (1 + D))) * omega, *re = f->re, *im = f->im;
    int at = f->kept;
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

jd_status jd_fit_beam(jd_arena *arena, const jd_response *response, int K, jd_fit *out) {
    for (int b = 0; b < response->n_body; b++) K = (int)fmax(K, response->family[b].n_own + 1);
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
        if (f->rayleigh) D = fmax(D, (f->mass / omega + f->slope * omega) / 2);
    }
    if (fabs(D - 1) < 1e-3) D = 1.001;
    *out = (jd_fit){.n = modal.n + (D < 1 ? 1 : 2), .kept = modal.n, .rest = true};
    for (int b = 0; b < response->n_body; b++)
        out->soft = fmax(out->soft, 100 * jd_family_soft(&response->family[b]));
    out->re = JD_TAKE(arena, double, out->n);
    out->im = JD_TAKE(arena, double, out->n);
    out->residue_re = JD_TAKE(arena, double, pairs * out->n);
    out->residue_im = JD_TAKE(arena, double, pairs * out->n);
    JD_TRY(jd_arena_status(arena));
    for (int p = 0; p < modal.n; p++) {
        keep_mode(out, &modal, pairs, p);
        for (int i = 0; i < pairs; i++) rest[i] -= deflection(out, i, p);
    }
    if (out->soft > 0) elastic_rest(response, K, rest);
    set_rest(out, pairs, omega, D, rest);
    return measure(arena, response, out);
}

// Measured against 2560 modes, a pinned beam and a cantilever, D = 0.1 to 0.001: with
// 150 (0.01/D)^0.6 modes, and all others as one, events are right to 3e-7, with twice as many to
// 6e-9. With Rayleigh damping D is that of the last mode kept.
double jd_fit_beam_modes(double tolerance, const jd_family *beam) {
    double digits = fmax(1, pow(5e-6 / tolerance, 0.15)), wanted = 0;
    for (double K = 50;; K *= 1.1) {
        double D = ratio_of(beam, (int)K);
        wanted = fmax(50, 150 * pow(0.01 / D, 0.6)) * digits;
        if (!beam->rayleigh || wanted <= K * digits || K > 1e5) return wanted;
    }
}

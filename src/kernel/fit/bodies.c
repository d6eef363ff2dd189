// bodies.c -- several bodies, each in the form that suits it, as one sum of exponentials.
//   Ghat = sum over bodies of Ghat_b: a string or rod is fitted by poles of its own, a beam keeps
//   its lowest modes and one for the rest, a body with finitely many modes keeps them all and is
//   exact. The poles stand side by side; what the parts are off by adds up. One fit of several
//   strings would give every contact the poles of all of them: residues a million times the sum,
//   which cancel but for rounding.              tested: bodies_are_fitted_one_by_one
//   The error of the whole is measured
//   against |Ghat| + gamma of the whole, which may be small where the bodies oppose each other: the
//   parts are then fitted anew, to less. With beams, whose G has no jump, it is the sum of the
//   errors of the parts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/fit/parts.h"

enum { AGAIN = 5, SPREAD = 240 };

bool jd_family_is_touched(const jd_family *f, int n_contact) {
    for (int i = 0; i < n_contact; i++)
        if (f->place[i].n || f->place[i].row) return true;
    return false;
}

jd_status jd_response_part(jd_arena *arena, const jd_response *r, const bool *take,
                           jd_response *out) {
    *out = (jd_response){
        .context = r->context, .arena = arena, .n_contact = r->n_contact, .n_place = r->n_place};
    out->family = JD_TAKE(arena, jd_family, r->n_body);
    out->start = JD_TAKE(arena, double, r->n_contact * r->n_place);
    out->jump = JD_TAKE(arena, double, r->n_contact * r->n_place);
    out->scale = JD_TAKE(arena, double, r->n_contact * r->n_place);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < r->n_body; b++) {
        if (!take[b]) continue;
        const jd_family *f = &r->family[b];
        out->family[out->n_body++] = *f;
        out->infinite = out->infinite || f->kind == JD_FAMILY_WAVE || f->kind == JD_FAMILY_BEAM;
    }
    jd_response_set_start(out);
    return JD_OK;
}

jd_status jd_fit_append(jd_arena *arena, int pairs, const jd_fit *from, jd_fit *to) {
    jd_fit was = *to;
    int n = to->n = was.n + from->n;
    double **part[] = {&to->re, &to->im, &to->residue_re, &to->residue_im};
    const double *head[] = {was.re, was.im, was.residue_re, was.residue_im};
    const double *tail[] = {from->re, from->im, from->residue_re, from->residue_im};
    for (int k = 0; k < 4; k++) {
        int rows = k < 2 ? 1 : pairs;
        *part[k] = JD_TAKE(arena, double, (size_t)rows *(size_t)n);
        JD_TRY(jd_arena_status(arena));
        for (int i = 0; i < rows; i++) {
            double *row = *part[k] + (size_t)i * (size_t)n;
            if (was.n)
                memcpy(row, head[k] + (size_t)i * (size_t)was.n, (size_t)was.n * sizeof *row);
            if (from->n)
                memcpy(row + was.n, tail[k] + (size_t)i * (size_t)from->n,
                       (size_t)from->n * sizeof *row);
        }
    }
    to->kept += from->kept;
    to->cut += from->cut;
    to->soft = fmax(to->soft, from->soft);
    to->rest = to->rest || from->rest;
    to->error += from->error;
    to->step_error += from->step_error;
    return JD_OK;
}

// All poles of bodies with finitely many modes; residues of G' are s times those of G.
static jd_status fit_exact(jd_arena *arena, const jd_response *r, jd_fit *out) {
    jd_response_poles p;
    int most = 1;
    for (int b = 0; b < r->n_body; b++) most = (int)fmax(most, r->family[b].n);
    JD_TRY(jd_response_poles_of(r, most, arena, &p));
    int pairs = r->n_contact * r->n_place;
    for (int i = 0; i < pairs * p.n; i++) {
        double a = p.residue_re[i], b = p.residue_im[i], re = p.re[i % p.n], im = p.im[i % p.n];
        p.residue_re[i] = a * re - b * im;
        p.residue_im[i] = a * im + b * re;
    }
    *out = (jd_fit){.n = p.n,
                    .kept = p.n,
                    .re = p.re,
                    .im = p.im,
                    .residue_re = p.residue_re,
                    .residue_im = p.residue_im};
    return JD_OK;
}

typedef enum part_kind { WAVES, BEAMS, EXACT, KINDS } part_kind;

static part_kind kind_of(const jd_family *f) {
    return f->kind == JD_FAMILY_WAVE ? WAVES : f->kind == JD_FAMILY_BEAM ? BEAMS : EXACT;
}

// The jump of the whole, where that of a fit is not that of its body (Rayleigh damping).
static jd_status add_jump(jd_arena *arena, const jd_response *r, const jd_response *part,
                          const double *own, jd_fit *out) {
    int pairs = r->n_contact * r->n_place;
    if (!own) return JD_OK;
    if (!out->jump) {
        out->jump = JD_TAKE(arena, double, pairs);
        JD_TRY(jd_arena_status(arena));
        memcpy(out->jump, jd_response_jump(r), (size_t)pairs * sizeof *own);
    }
    for (int i = 0; i < pairs; i++) out->jump[i] += own[i] - jd_response_jump(part)[i];
    return JD_OK;
}

// Bodies of one kind that contacts stand on: one, or all with finitely many modes.
static jd_status add_part(jd_arena *arena, const jd_response *r, const bool *take, part_kind kind,
                          double tolerance, jd_fit *out) {
    jd_response part;
    jd_fit own = {0};
    JD_TRY(jd_response_part(arena, r, take, &part));
    jd_status s = kind == EXACT ? fit_exact(arena, &part, &own)
                                : jd_fit_one_kind(arena, &part, tolerance, &own);
    out->refused = s == JD_NOT_SUPPORTED && own.refused;
    JD_TRY(s);
    JD_TRY(add_jump(arena, r, &part, own.jump, out));
    return jd_fit_append(arena, r->n_contact * r->n_place, &own, out);
}

static jd_status add_kind(jd_arena *arena, const jd_response *r, part_kind kind, double tolerance,
                          jd_fit *out) {
    bool *take = JD_TAKE(arena, bool, r->n_body), any = false;
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < r->n_body; b++) {
        const jd_family *f = &r->family[b];
        take[b] = kind_of(f) == kind && jd_family_is_touched(f, r->n_contact);
        any = any || take[b];
        if (!take[b] || kind == EXACT) continue;
        JD_TRY(add_part(arena, r, take, kind, tolerance, out));
        take[b] = any = false;
    }
    return any ? add_part(arena, r, take, kind, tolerance, out) : JD_OK;
}

static int rising(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Samples on and beside the poles, and far below and above them.
static jd_status set_samples(fit_draft *w) {
    const jd_fit *f = w->fit;
    double low = HUGE_VAL, high = 0;
    int n = 0;
    double *omega = JD_TAKE(w->arena, double, 3 * f->n + SPREAD);
    JD_TRY(jd_arena_status(w->arena));
    for (int p = 0; p < f->n; p++) {
        double size = hypot(f->re[p], f->im[p]);
        if (size < f->soft) continue;
        low = fmin(low, size);
        high = fmax(high, size);
        for (int side = -1; side <= 1 && f->im[p] > 0; side++)
            omega[n++] = fmax(f->im[p] + side * f->re[p], 1e-3 * size);
    }
    for (int i = 0; i < SPREAD; i++)
        omega[n++] = 1e-3 * low * pow(1e6 * high / low, (double)i / (SPREAD - 1));
    qsort(omega, (size_t)n, sizeof *omega, rising);
    w->n_omega = 0;
    for (int i = 0; i < n; i++)
        if (w->n_omega == 0 || omega[i] > omega[w->n_omega - 1] * (1 + 1e-9))
            omega[w->n_omega++] = omega[i];
    w->omega = omega;
    return JD_OK;
}

jd_status jd_fit_create(jd_arena *arena, const jd_response *r, double tolerance, jd_fit *out) {
    int n[KINDS] = {0};
    for (int b = 0; b < r->n_body; b++) n[kind_of(&r->family[b])]++;
    if (n[EXACT] == 0 && r->n_body == 1) return jd_fit_one_kind(arena, r, tolerance, out);
    double each = tolerance;
    for (int i = 0; i < AGAIN; i++) {
        *out = (jd_fit){0};
        for (int kind = 0; kind < KINDS; kind++)
            JD_TRY(add_kind(arena, r, (part_kind)kind, each, out));
        if (n[BEAMS] || n[WAVES] == 0) return JD_OK;
        fit_draft w = {
            .arena = arena, .response = r, .m = r->n_contact, .places = r->n_place, .fit = out};
        JD_TRY(set_samples(&w));
        JD_TRY(jd_fit_judge(&w));
        if (out->error <= tolerance) return JD_OK;
        each *= 0.5 * tolerance / out->error;
    }
    jd_fail(jd_arena_context(arena), JD_NOT_SUPPORTED,
            "the memory of all bodies together is off by %.1e at %.6g rad/s, and %.1e is wanted",
            out->error, out->worst_at, tolerance);
    jd_fail_hint(jd_arena_context(arena), "allow a larger tolerance, or give the bodies more "
                                          "damping");
    return JD_NOT_SUPPORTED;
}

// fit.c -- a fit that grows where its error is: least squares for the residues, then the error.
#include "kernel/fit/fit.h"

#include <math.h>

#include "base/fail.h"
#include "kernel/continua/continua.h"
#include "kernel/fit/parts.h"
#include "linalg/least_squares.h"

enum { MOST_POLES = 1000, MOST_BEAM = 8000, TRIES = 10 };

static const double cut_least = 4e-8; // error of a fit with Rayleigh damping

static int columns_of(const jd_fit *f) {
    int n = 0;
    for (int p = f->kept; p < f->n; p++) n += f->im[p] > 0 ? 2 : 1;
    return n;
}

// What units of the residues give at the samples; columns are scaled to length 1.
static void fill(const fit_draft *w, double *A, int rows, double *scale) {
    const jd_fit *f = w->fit;
    for (int p = f->kept, at = 0; p < f->n; p++) {
        int count = f->im[p] > 0 ? 2 : 1;
        double *re = A + (size_t)at * (size_t)rows, *im = re + rows;
        for (int k = 0; k < w->n_omega; k++) {
            double by_re[2], by_im[2];
            jd_fit_basis(f, p, w->omega[k], by_re, by_im);
            re[2 * k] = by_re[0], re[2 * k + 1] = by_re[1];
            if (count == 2) im[2 * k] = by_im[0], im[2 * k + 1] = by_im[1];
        }
        for (int end = at + count; at < end; at++) {
            double *column = A + (size_t)at * (size_t)rows, sum = 0;
            for (int r = 0; r < rows; r++) sum += column[r] * column[r];
            scale[at] = sum > 0 ? 1 / sqrt(sum) : 1;
            for (int r = 0; r < rows; r++) column[r] *= scale[at];
        }
    }
}

// Ghat less gamma and the modes that are kept.
static jd_status fill_right(const fit_draft *w, double *B, int rows, double *one) {
    int right = w->m * w->places;
    for (int k = 0; k < w->n_omega; k++) {
        JD_TRY(jd_fit_sample(w, w->omega[k], one));
        for (int i = 0; i < right; i++) {
            double modes[2];
            jd_fit_value(w->fit, i, w->omega[k], modes); // no residues but theirs
            B[(size_t)i * (size_t)rows + (size_t)(2 * k)] = one[2 * i] - modes[0];
            B[(size_t)i * (size_t)rows + (size_t)(2 * k + 1)] = one[2 * i + 1] - modes[1];
        }
    }
    return JD_OK;
}

// Ghat(0) = 0 exactly: the slowest real pole takes what is left, -c/s + ... = -gamma.
static void close_gap(const fit_draft *w, int pair) {
    jd_fit *f = w->fit;
    double *re = f->residue_re + pair * f->n, *im = f->residue_im + pair * f->n;
    double sum = jd_fit_jump(w)[pair];
    int slow = f->n - 1;
    for (int p = 0; p < f->n; p++)
        sum -= (re[p] * f->re[p] + im[p] * f->im[p]) / (f->re[p] * f->re[p] + f->im[p] * f->im[p]);
    while (slow > f->kept && f->im[slow - 1] == 0) slow--;
    re[slow] += sum * f->re[slow];
}

static jd_status solve(fit_draft *w) {
    jd_fit *f = w->fit;
    int columns = columns_of(f), rows = 2 * w->n_omega, right = w->m * w->places;
    jd_arena_mark mark = jd_arena_here(w->arena);
    double *A = JD_TAKE(w->arena, double, (size_t)rows *(size_t)columns);
    double *B = JD_TAKE(w->arena, double, (size_t)rows *(size_t)right);
    double *scale = JD_TAKE(w->arena, double, columns), *one = JD_TAKE(w->arena, double, 2 * right);
    JD_TRY(jd_arena_status(w->arena));
    fill(w, A, rows, scale);
    JD_TRY(fill_right(w, B, rows, one));
    JD_TRY(jd_least_squares(w->arena, rows, columns, right, A, B, f->cut ? w->limit : 0));
    for (int i = 0; i < right; i++) {
        const double *x = B + (size_t)i * (size_t)rows;
        for (int p = f->kept, at = 0; p < f->n; p++) {
            f->residue_re[i * f->n + p] = x[at] * scale[at];
            if (f->im[p] > 0) at++, f->residue_im[i * f->n + p] = x[at] * scale[at];
            at++;
        }
        close_gap(w, i);
    }
    jd_arena_back(w->arena, mark);
    return JD_OK;
}

static jd_status try_plan(fit_draft *w, const fit_plan *plan) {
    *w->fit = (jd_fit){0};
    w->limit = 1e-3 * plan->epsilon;
    JD_TRY(jd_fit_set_poles(w, plan));
    JD_TRY(jd_fit_set_grid(w));
    JD_TRY(solve(w));
    return jd_fit_judge(w);
}

// Beams are fitted alone, one by one.
static bool has_beam(const jd_response *r) {
    for (int b = 0; b < r->n_body; b++)
        if (r->family[b].kind == JD_FAMILY_BEAM) return true;
    return false;
}

// A beam's events multiply with its modes, but its answer to a force converges: say how fast.
static void hint_undamped_beam(jd_context *context, const jd_response *r) {
    enum { MODES = 1000 };
    double share = 0;
    for (int b = 0; b < r->n_body; b++)
        for (int i = 0; i < r->n_contact; i++)
            if (r->family[b].kind == JD_FAMILY_BEAM && r->family[b].place[i].n)
                share = fmax(share, jd_beam_left(&r->family[b], MODES, i));
    jd_fail_hint(context,
                 "give the beam some damping (a ratio of 1e-3 will do), or say how many modes to "
                 "keep: %d answer a step of force to within %.1e of the largest answer",
                 MODES, share);
}

static jd_status refuse(jd_context *context, const jd_response *r, double tolerance, jd_fit *out) {
    double D = jd_response_least_damping(r);
    *out = (jd_fit){.refused = D > 0};
    if (D <= 0 && has_beam(r)) {
        jd_fail(
            context, JD_NOT_SUPPORTED,
            "without damping the memory of a beam with all its modes never fades and is nowhere "
            "smooth: beside each event others multiply with the number of modes, and no list of "
            "events is the limit");
        hint_undamped_beam(context, r);
    } else if (D <= 0) {
        jd_fail(context, JD_NOT_SUPPORTED,
                "without damping the memory never fades: it is no sum of exponentials");
        jd_fail_hint(context, "give the structure some damping, or keep finitely many modes");
    } else {
        jd_fail(context, JD_NOT_SUPPORTED,
                "a damping ratio of %.3g is too small for infinitely many modes as exponentials "
                "with an error of %.1g of their largest answer",
                D, tolerance);
        jd_fail_hint(context, "allow a larger tolerance, or say how many modes to keep");
    }
    jd_fail_where(context, "structure.damping");
    return JD_NOT_SUPPORTED;
}

static bool has_cut(const jd_response *r) {
    for (int b = 0; b < r->n_body; b++)
        if (r->family[b].kind == JD_FAMILY_WAVE && r->family[b].rayleigh) return true;
    return false;
}

static jd_status refuse_cut(jd_context *context) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "infinitely many modes of a string or rod with Rayleigh damping are kept to tolerances "
            "of 1e-8 and more: its point has neither mass nor jump, and finer forces would be "
            "rounding");
    jd_fail_where(context, "simulate.tolerance");
    jd_fail_hint(context, "write `tolerance: 1e-8`, or say how many modes to keep");
    return JD_NOT_SUPPORTED;
}

static double wanted_of(double tolerance) { return fmin(fmax(tolerance, 1e-12), 0.1); }

static fit_plan first_plan(double wanted) {
    return (fit_plan){.epsilon = fmin(wanted, 0.03),
                      .reach = 1.2,
                      .extra = 4 + (int)(-log10(fmin(wanted, 1e-2)))};
}

double jd_fit_size(const jd_response *response, double tolerance) {
    fit_plan plan = first_plan(wanted_of(tolerance));
    for (int b = 0; b < response->n_body; b++)
        if (response->family[b].kind == JD_FAMILY_WAVE && !(response->family[b].ratio > 0) &&
            !response->family[b].rayleigh)
            return HUGE_VAL;
    return jd_fit_count(response, &plan);
}

jd_status jd_fit_one_kind(jd_arena *arena, const jd_response *r, double tolerance, jd_fit *out) {
    double D = jd_response_least_damping(r), wanted = wanted_of(tolerance);
    fit_draft w = {.arena = arena, .response = r, .fit = out};
    fit_plan plan = first_plan(wanted);
    if (D > 0 && has_beam(r)) {
        double modes = jd_fit_beam_modes(wanted, r);
        if (modes > MOST_BEAM) return refuse(jd_arena_context(arena), r, tolerance, out);
        return jd_fit_beam(arena, r, (int)modes, wanted, out);
    }
    if (has_cut(r) && wanted < cut_least) return refuse_cut(jd_arena_context(arena));
    w.m = jd_response_contacts(r);
    w.places = jd_response_places(r);
    for (int i = 0; i < TRIES && D > 0; i++) {
        jd_arena_mark mark = jd_arena_here(arena);
        if (jd_fit_count(r, &plan) > MOST_POLES) break;
        jd_status s = try_plan(&w, &plan);
        if (s == JD_OK && out->error <= wanted) return JD_OK;
        if (s != JD_OK && i + 1 == TRIES) return s;
        if (out->worst_at > 0.7 * w.top)
            plan.reach *= 1.2, plan.extra += 3;
        else
            plan.epsilon *= 0.2, plan.extra++;
        jd_arena_back(arena, mark);
    }
    return refuse(jd_arena_context(arena), r, tolerance, out);
}

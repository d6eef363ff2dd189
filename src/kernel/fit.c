// fit.c -- least squares for the residues, K from the damping, error on a grid between the samples.
//   Known to work (string, D the damping ratio): error ~ 10^(-0.4 - 1.14 D K)
#include "kernel/fit.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "linalg/least_squares.h"

enum { MOST_POLES = 700, TRIES = 6 };
static const double ray = 2.3;      // [rad] direction of the extra pairs
static const double first_at = 0.5; // of |s_K|: where extra poles begin
static const double spread = 2e3;   // and how far they reach, by factors
static const double pi = 3.14159265358979323846;

typedef struct work {
    jd_arena *arena;
    const jd_response *response;
    int m, places, n_real; // n_real: real poles at the end of the list
    jd_fit *fit;
    int n_omega;
    double *omega, *target; // samples; (re, im) of Ghat - gamma, places of one sample together
} work;

static int pairs(const work *w) { return w->fit->n - w->n_real; }

// Poles: the modal ones of the response, then pairs on a ray, then real ones.
static jd_status set_poles(work *w, int K, int extra) {
    jd_response_poles modal;
    jd_fit *f = w->fit;
    JD_TRY(jd_response_poles_of(w->response, K, w->arena, &modal));
    int kept = 0;
    for (int p = 0; p < modal.n; p++) kept += modal.im[p] > 0;
    f->kept = kept;
    f->n = kept + 2 * extra;
    w->n_real = extra;
    f->re = JD_TAKE(w->arena, double, f->n);
    f->im = JD_TAKE(w->arena, double, f->n);
    f->residue_re = JD_TAKE(w->arena, double, w->m * w->places * f->n);
    f->residue_im = JD_TAKE(w->arena, double, w->m * w->places * f->n);
    JD_TRY(jd_arena_status(w->arena));
    double last = 0;
    for (int p = 0, at = 0; p < modal.n; p++) {
        if (!(modal.im[p] > 0)) continue;
        f->re[at] = modal.re[p];
        f->im[at++] = modal.im[p];
        last = fmax(last, hypot(modal.re[p], modal.im[p]));
    }
    for (int i = 0; i < extra; i++) {
        double size = last * first_at * pow(spread, extra > 1 ? (double)i / (extra - 1) : 0);
        f->re[kept + i] = size * cos(ray);
        f->im[kept + i] = size * sin(ray);
        f->re[kept + extra + i] = -size;
    }
    return JD_OK;
}

static jd_status set_grid(work *w) {
    const jd_fit *f = w->fit;
    double first = HUGE_VAL, last = 0;
    for (int p = 0; p < f->kept; p++) {
        double size = hypot(f->re[p], f->im[p]);
        first = fmin(first, size);
        last = fmax(last, size);
    }
    int n = 3 * f->kept + 40 + 12 + 72;
    w->omega = JD_TAKE(w->arena, double, n);
    JD_TRY(jd_arena_status(w->arena));
    n = 0;
    for (int i = 0; i < 12; i++) w->omega[n++] = first * pow(10, -3 + 3.0 * i / 12);
    for (int p = 0; p < f->kept; p++) { // between neighbours of the same list
        double a = hypot(f->re[p], f->im[p]), b = 2 * a;
        if (p + 1 < f->kept) b = hypot(f->re[p + 1], f->im[p + 1]);
        if (b <= a || p + 1 == f->kept) b = a + last / f->kept;
        for (int i = 0; i < 3; i++) w->omega[n++] = a + (b - a) * i / 3;
    }
    for (int i = 1; i <= 40; i++) w->omega[n++] = last * (1 + i / 40.0);
    for (int i = 1; i <= 72; i++) w->omega[n++] = 2 * last * pow(10, 5.0 * i / 72);
    w->n_omega = n;
    return JD_OK;
}

static jd_status sample(work *w, double omega, double *out) {
    const double *gamma = jd_response_jump(w->response), s[2] = {0, omega};
    JD_TRY(jd_response_transfer(w->response, s, out));
    for (int i = 0; i < w->m * w->places; i++) out[2 * i] -= gamma[i];
    return JD_OK;
}

// Re and Im of what a unit of Re c and of Im c of pole p give at i omega.
static void basis(const work *w, int p, double omega, double by_re[2], double by_im[2]) {
    const jd_fit *f = w->fit;
    double a = f->re[p], b = f->im[p], up = omega - b, down = omega + b;
    double nu = a * a + up * up, nd = a * a + down * down; // 1/(i w - s) = (-a - i(w - b))/nu
    if (p >= pairs(w)) {
        by_re[0] = -a / nu, by_re[1] = -omega / nu;
        by_im[0] = by_im[1] = 0;
        return;
    }
    by_re[0] = -a / (2 * nu) - a / (2 * nd), by_re[1] = -up / (2 * nu) - down / (2 * nd);
    by_im[0] = up / (2 * nu) - down / (2 * nd), by_im[1] = -a / (2 * nu) + a / (2 * nd);
}

// Value of the fit without gamma.
static void value(const work *w, int pair, double omega, double out[2]) {
    const jd_fit *f = w->fit;
    out[0] = out[1] = 0;
    for (int p = 0; p < f->n; p++) {
        double r[2], i[2], a = f->residue_re[pair * f->n + p], b = f->residue_im[pair * f->n + p];
        basis(w, p, omega, r, i);
        out[0] += a * r[0] + b * i[0];
        out[1] += a * r[1] + b * i[1];
    }
}

static int columns_of(const work *w) { return 2 * pairs(w) + w->n_real; }

static void fill(const work *w, double *A, int rows, double *scale) {
    for (int p = 0; p < w->fit->n; p++) {
        bool real = p >= pairs(w);
        int at = real ? pairs(w) + p : 2 * p; // 2 pairs + (p - pairs)
        double *re = A + (size_t)at * (size_t)rows, *im = re + rows;
        for (int k = 0; k < w->n_omega; k++) {
            double by_re[2], by_im[2];
            basis(w, p, w->omega[k], by_re, by_im);
            re[2 * k] = by_re[0], re[2 * k + 1] = by_re[1];
            if (!real) im[2 * k] = by_im[0], im[2 * k + 1] = by_im[1];
        }
        for (int c = at; c <= at + !real; c++) {
            double *column = A + (size_t)c * (size_t)rows, sum = 0;
            for (int r = 0; r < rows; r++) sum += column[r] * column[r];
            scale[c] = sum > 0 ? 1 / sqrt(sum) : 1;
            for (int r = 0; r < rows; r++) column[r] *= scale[c];
        }
    }
}

// Ghat(0) = 0 exactly: the slowest real pole takes what is left, -c/s + ... = -gamma.
static void close_gap(const work *w, int pair) {
    jd_fit *f = w->fit;
    double *re = f->residue_re + pair * f->n, *im = f->residue_im + pair * f->n;
    double sum = jd_response_jump(w->response)[pair];
    for (int p = 0; p < f->n; p++)
        sum -= (re[p] * f->re[p] + im[p] * f->im[p]) / (f->re[p] * f->re[p] + f->im[p] * f->im[p]);
    re[pairs(w)] += sum * f->re[pairs(w)];
}

static jd_status solve(work *w) {
    int columns = columns_of(w), rows = 2 * w->n_omega, right = w->m * w->places;
    double *A = JD_TAKE(w->arena, double, (size_t)rows *(size_t)columns);
    double *B = JD_TAKE(w->arena, double, (size_t)rows *(size_t)right);
    double *scale = JD_TAKE(w->arena, double, columns), *one = JD_TAKE(w->arena, double, 2 * right);
    JD_TRY(jd_arena_status(w->arena));
    fill(w, A, rows, scale);
    for (int k = 0; k < w->n_omega; k++) {
        JD_TRY(sample(w, w->omega[k], one));
        for (int i = 0; i < right; i++) {
            B[(size_t)i * (size_t)rows + (size_t)(2 * k)] = one[2 * i];
            B[(size_t)i * (size_t)rows + (size_t)(2 * k + 1)] = one[2 * i + 1];
        }
    }
    // few extra poles: their columns are far from dependent
    JD_TRY(jd_least_squares(w->arena, rows, columns, right, A, B, w->n_real <= 4 ? 0 : 1e-14));
    jd_fit *f = w->fit;
    for (int i = 0; i < right; i++) {
        const double *x = B + (size_t)i * (size_t)rows;
        for (int p = 0; p < f->n; p++) {
            int at = p >= pairs(w) ? pairs(w) + p : 2 * p;
            f->residue_re[i * f->n + p] = x[at] * scale[at];
            f->residue_im[i * f->n + p] = p >= pairs(w) ? 0 : x[at + 1] * scale[at + 1];
        }
        close_gap(w, i);
    }
    return JD_OK;
}

// Positive semidefinite up to slack: Cholesky of H + slack exists.
static bool is_positive(int n, double *H, double slack) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double x = H[i * n + j];
            for (int k = 0; k < j; k++) x -= H[i * n + k] * H[j * n + k];
            H[i * n + j] = x / H[j * n + j];
        }
        double d = H[i * n + i] + slack;
        for (int k = 0; k < i; k++) d -= H[i * n + k] * H[i * n + k];
        if (!(d > 0)) return false;
        H[i * n + i] = sqrt(d);
    }
    return true;
}

jd_status jd_fit_check_passive(jd_context *context, int n, int n_place, const double *Ghat,
                               double omega, double slack) {
    enum { MOST = 64 };
    double H[MOST * MOST];
    if (n > MOST) return JD_OK;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            H[i * n + j] = (Ghat[2 * (i * n_place + j)] + Ghat[2 * (j * n_place + i)]) / 2;
    if (is_positive(n, H, slack)) return JD_OK;
    jd_fail(context, JD_NOT_SUPPORTED,
            "the memory is not passive: at %.6g rad/s (%.6g Hz) the structure would give energy",
            omega, omega / (2 * pi));
    jd_fail_hint(context,
                 "ask for a smaller tolerance; a structure takes energy at all frequencies");
    return JD_NOT_SUPPORTED;
}

// Error and passivity between the samples.
static jd_status judge(work *w) {
    int right = w->m * w->places;
    const double *gamma = jd_response_jump(w->response);
    double *one = JD_TAKE(w->arena, double, 4 * right), *own = one + 2 * right, worst = 0, size = 0;
    double *all = JD_TAKE(w->arena, double, (size_t)(2 * right) * (size_t)w->n_omega);
    JD_TRY(jd_arena_status(w->arena));
    for (int k = 0; k + 1 < w->n_omega; k++) {
        double omega = sqrt(w->omega[k] * w->omega[k + 1]);
        JD_TRY(sample(w, omega, one));
        for (int i = 0; i < right; i++) {
            value(w, i, omega, own + 2 * i);
            worst = fmax(worst, hypot(own[2 * i] - one[2 * i], own[2 * i + 1] - one[2 * i + 1]));
            size = fmax(size, hypot(one[2 * i] + gamma[i], one[2 * i + 1]));
            own[2 * i] += gamma[i];
        }
        memcpy(all + (size_t)k * 2 * (size_t)right, own, 2 * (size_t)right * sizeof *all);
    }
    w->fit->error = worst / size;
    double slack = (2 * w->m * w->fit->error + 1e-12) * size;
    for (int k = 0; k + 1 < w->n_omega; k++)
        JD_TRY(jd_fit_check_passive(jd_arena_context(w->arena), w->m, w->places,
                                    all + (size_t)k * 2 * (size_t)right,
                                    sqrt(w->omega[k] * w->omega[k + 1]), slack));
    return JD_OK;
}

jd_status jd_fit_with(jd_arena *arena, const jd_response *response, int K, int extra, jd_fit *out) {
    work w = {.arena = arena,
              .response = response,
              .m = jd_response_contacts(response),
              .places = jd_response_places(response),
              .fit = out};
    *out = (jd_fit){0};
    JD_TRY(set_poles(&w, K, extra));
    JD_TRY(set_grid(&w));
    JD_TRY(solve(&w));
    return judge(&w);
}

// Largest error between the first pole and a quarter of the last, over the largest |Ghat|.
static jd_status measure(jd_arena *arena, const jd_response *response, jd_fit *f) {
    enum { POINTS = 60 };
    work w = {.arena = arena,
              .response = response,
              .m = jd_response_contacts(response),
              .places = jd_response_places(response),
              .fit = f};
    double *one = JD_TAKE(arena, double, 2 * w.m * w.places), own[2], worst = 0, size = 0;
    double first = hypot(f->re[0], f->im[0]), last = hypot(f->re[f->n - 1], f->im[f->n - 1]) / 4;
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < POINTS; k++) {
        double omega = first * pow(last / first, (double)k / POINTS);
        JD_TRY(sample(&w, omega, one));
        for (int i = 0; i < w.m * w.places; i++) {
            value(&w, i, omega, own);
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

jd_status jd_fit_beam(jd_arena *arena, const jd_response *response, int K, jd_fit *out) {
    int pairs = jd_response_contacts(response) * jd_response_places(response);
    double D = 0.3, last = 0; // of the one: it must not ring where many get out of step
    jd_response_poles modal;
    double *rest = JD_TAKE(arena, double, pairs);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_response_poles_of(response, K, arena, &modal));
    JD_TRY(jd_response_static(response, rest));
    *out = (jd_fit){.n = modal.n + 1, .kept = modal.n};
    out->re = JD_TAKE(arena, double, out->n);
    out->im = JD_TAKE(arena, double, out->n);
    out->residue_re = JD_TAKE(arena, double, pairs * out->n);
    out->residue_im = JD_TAKE(arena, double, pairs * out->n);
    JD_TRY(jd_arena_status(arena));
    for (int p = 0; p < modal.n; p++) {
        double omega2 = modal.re[p] * modal.re[p] + modal.im[p] * modal.im[p];
        keep_mode(out, &modal, pairs, p);
        last = fmax(last, omega2);
        for (int i = 0; i < pairs; i++) // participations are the slope of G at 0
            rest[i] -= out->residue_re[i * out->n + p] / omega2;
    }
    double omega = 5.0 / 3 * sqrt(last) * (1 + 1.0 / K), *re = out->re, *im = out->im;
    re[modal.n] = -D * omega;
    im[modal.n] = sqrt((1 - D) * (1 + D)) * omega;
    for (int i = 0; i < pairs; i++) { // c = -i s n^2/Im s, n^2 = rest omega^2
        double n2 = rest[i] * omega * omega / im[modal.n];
        out->residue_re[i * out->n + modal.n] = n2 * im[modal.n];
        out->residue_im[i * out->n + modal.n] = -n2 * re[modal.n];
    }
    return measure(arena, response, out);
}

static jd_status refuse(jd_context *context, double D, double tolerance) {
    if (D <= 0) {
        jd_fail(context, JD_NOT_SUPPORTED,
                "without damping the memory never fades: it is no sum of exponentials");
        jd_fail_hint(context, "give the structure some damping, or keep finitely many modes");
    } else {
        jd_fail(context, JD_NOT_SUPPORTED,
                "a damping ratio of %.3g is too small for infinitely many modes to %.1g", D,
                tolerance);
        jd_fail_hint(context, "allow a larger tolerance, or say how many modes to keep");
    }
    jd_fail_where(context, "structure.damping");
    return JD_NOT_SUPPORTED;
}

// Measured on a bowed cantilever: 58 and 82 modes and the rest as one move events by 1e-7 and 2e-9
// of the unit time. Beyond 150 accelerations lose more digits than modes bring.
static int beam_modes(double tolerance) {
    double K = 50 * pow(75e-6 / fmax(tolerance, 1e-12), 0.17) + 8;
    return K < 150 ? (int)K : 150;
}

static double wanted_of(double tolerance) { return fmin(fmax(tolerance, 1e-12), 0.1); }

double jd_fit_modes(const jd_response *response, double tolerance) {
    double D = jd_response_least_damping(response);
    return D > 0 ? fmax((-log10(wanted_of(tolerance)) - 0.36) / (1.14 * D), 8) : HUGE_VAL;
}

jd_status jd_fit_create(jd_arena *arena, const jd_response *response, double tolerance,
                        jd_fit *out) {
    jd_context *context = jd_arena_context(arena);
    double D = jd_response_least_damping(response), wanted = wanted_of(tolerance);
    if (jd_response_regularity(response) == JD_START_HOELDER && D > 0)
        return jd_fit_beam(arena, response, beam_modes(tolerance), out);
    double K = jd_fit_modes(response, tolerance);
    int extra = jd_response_regularity(response) == JD_START_JUMP ? (wanted < 1e-6 ? 8 : 4) : 12;
    for (int i = 0; i < TRIES && K <= MOST_POLES; i++, K *= 1.12) {
        jd_arena_mark mark = jd_arena_here(arena);
        jd_status s = jd_fit_with(arena, response, (int)ceil(K), extra, out);
        if (s == JD_OK && out->error <= wanted) return JD_OK;
        if (i + 1 == TRIES || 1.12 * K > MOST_POLES) {
            if (s != JD_OK) return s;
            break;
        }
        jd_arena_back(arena, mark);
    }
    return refuse(context, D, tolerance);
}

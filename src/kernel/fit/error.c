// error.c -- how far a fit is off, and whether it is passive.
//   The modes that are kept are exact: what is left is smooth on the scale of the poles beyond
//   them. It is sampled four times as densely as they lie, and its largest values are climbed.
//   B = 1/pi int |Ghat - fit| domega/omega by the trapezoidal rule in ln omega; below and above the
//   samples the error falls as omega and 1/omega.
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/fail.h"
#include "kernel/fit/parts.h"

static const double pi = JD_PI;
enum { BETWEEN = 3, CLIMB = 8 }; // points for each sample; halvings of the step

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

// Largest |Ghat - fit| of all pairs at omega, and over |Ghat| + gamma (the one without Rayleigh
// damping); own: the fit there.
static jd_status off_at(const fit_draft *w, double omega, double *one, double *own, double *off,
                        double *part) {
    const double *gamma = jd_fit_jump(w), *scale = w->response->scale;
    double size = 0;
    *off = 0;
    JD_TRY(jd_fit_sample(w, omega, one));
    for (int i = 0; i < w->m * w->places; i++) {
        jd_fit_value(w->fit, i, omega, own + 2 * i);
        *off = fmax(*off, hypot(own[2 * i] - one[2 * i], own[2 * i + 1] - one[2 * i + 1]));
        own[2 * i] += gamma[i];
        size = fmax(size, hypot(one[2 * i] + gamma[i], one[2 * i + 1]) + fabs(scale[i]));
    }
    *part = *off / size;
    return JD_OK;
}

// The largest error near omega: steps of `width` (of omega), halved where they lead no higher.
static jd_status climb(const fit_draft *w, double *omega, double width, double *one, double *part) {
    double *own = one + 2 * w->m * w->places, off, next;
    for (int i = 0; i < CLIMB; i++, width /= 2)
        for (int side = -1; side <= 1; side += 2) {
            double at = *omega * (1 + side * width);
            JD_TRY(off_at(w, at, one, own, &off, &next));
            if (next > *part) *part = next, *omega = at;
        }
    return JD_OK;
}

jd_status jd_fit_judge(fit_draft *w) {
    jd_fit *f = w->fit;
    int right = w->m * w->places, n = BETWEEN * (w->n_omega - 1);
    double *one = JD_TAKE(w->arena, double, 4 * right), *own = one + 2 * right;
    double before = 0, off = 0, part, last = 0, width = 0;
    JD_TRY(jd_arena_status(w->arena));
    f->error = f->step_error = 0;
    for (int k = 0; k < n; k++) {
        double a = w->omega[k / BETWEEN], b = w->omega[k / BETWEEN + 1];
        double omega = a * pow(b / a, (k % BETWEEN + 0.5) / BETWEEN);
        JD_TRY(off_at(w, omega, one, own, &off, &part));
        f->step_error += k ? (off + before) / 2 * log(omega / last) : off;
        if (part > f->error) {
            f->error = part;
            f->worst_at = omega;
            width = (b / a - 1) / BETWEEN;
        }
        before = off;
        last = omega;
        double size = off / part; // passive up to what it is off by
        JD_TRY(jd_fit_check_passive(jd_arena_context(w->arena), w->m, w->places, own, omega,
                                    2 * w->m * off + 1e-12 * size));
    }
    f->step_error = 1.1 * (f->step_error + off) / pi;
    JD_TRY(climb(w, &f->worst_at, width, one, &f->error));
    f->error *= 1.05;
    return JD_OK;
}

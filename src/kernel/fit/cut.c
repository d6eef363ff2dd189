// cut.c -- what a contact on a string with Rayleigh damping feels before waves come back.
//   Far up Ghat is gamma_0/sqrt(1 + b s): a cut of the real axis from -1/b on, that no finite
//   number of poles ends. By the trapezoidal rule in y, with poles -(1 + e^{2y})/b and positive
//   weights,
//     1/sqrt(z) = 2/pi int e^y/(e^{2y} + z) dy ~ 2h/pi sum_k e^{y_k}/(e^{2 y_k} + z),  z = 1 + b s
//   which is right to 2 e^{-pi^2/(2h)} wherever Re s >= 0. Terms below y = -8 are one pole at -1/b.
//   Terms above y = ln(1/epsilon) answer at once for all times that matter: a jump,
//     2h/pi sum e^{-y_k} ~ epsilon gamma_0,   wrong beyond omega = epsilon^-2/b alone.
#include <math.h>

#include "base/constants.h"
#include "kernel/continua/continua.h"
#include "kernel/fit/parts.h"

static const double pi = JD_PI;
static const double below = 8; // -y of the first term

typedef struct rule {
    int n;       // poles: the one at -1/b first
    double h, y; // step; first term that stands alone
} rule;

static rule rule_of(const fit_plan *plan) {
    double far = -log(plan->epsilon);
    rule r = {.h = pi * pi / (2 * (far + log(4))), .y = -below};
    r.n = 2 + (int)((far + below) / r.h);
    return r;
}

int jd_fit_cut_poles(const jd_response *r, const fit_plan *plan) {
    int n = 0;
    for (int b = 0; b < r->n_body; b++)
        if (r->family[b].rayleigh && r->family[b].kind == JD_FAMILY_WAVE) n += rule_of(plan).n;
    return n;
}

const double *jd_fit_jump(const fit_draft *w) {
    return w->fit->jump ? w->fit->jump : jd_response_jump(w->response);
}

static void add_cut(fit_draft *w, const jd_family *f, const rule *r) {
    jd_fit *fit = w->fit;
    double unit = 2 * r->h / pi, rest = 1 / -expm1(-r->h); // 1 + e^-h + e^-2h + ...
    double last = r->y + r->h * (r->n - 2);
    for (int k = 0; k < r->n; k++) {
        double y = r->y + r->h * (k - 1); // k = 0: this and all below
        double weight = unit * exp(y) * (k ? 1 : rest), at = k ? exp(2 * y) : 0;
        fit->re[fit->kept + k] = -(1 + at) / f->slope;
        for (int i = 0; i < w->m; i++)
            for (int j = 0; j < w->places; j++)
                fit->residue_re[(i * w->places + j) * fit->n + fit->kept + k] =
                    weight / f->slope * jd_wave_start(f, i, j);
    }
    for (int i = 0; i < w->m; i++)
        for (int j = 0; j < w->places; j++)
            fit->jump[i * w->places + j] +=
                unit * exp(-last - r->h) * rest * jd_wave_start(f, i, j);
    fit->kept += r->n;
    fit->cut += r->n;
}

jd_status jd_fit_set_cut(fit_draft *w, const fit_plan *plan) {
    const jd_response *response = w->response;
    int pairs = w->m * w->places;
    rule r = rule_of(plan);
    if (jd_fit_cut_poles(response, plan) == 0) return JD_OK;
    w->fit->jump = JD_TAKE(w->arena, double, pairs);
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < pairs; i++) w->fit->jump[i] = jd_response_jump(response)[i];
    for (int b = 0; b < response->n_body; b++)
        if (response->family[b].rayleigh) add_cut(w, &response->family[b], &r);
    return JD_OK;
}

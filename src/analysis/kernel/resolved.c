// resolved.c -- kernels of one contact without its N lowest modes.
//   mode k: G_k = n_k^2 E S/w,  U_k = n_k^2/omega_k^2 (1 - H),  E = e^(-c t/2), H = E (C + c/(2 w)
//   S), w^2 = omega_k^2 - c^2/4;  with K, C of the mode that carries W, L1_N = L1 - sum_(k <= N)
//   G_k + C U_k + K int (U_k - U_k(infinity))
//        = L1 - sum n_k^2 [(1 - K/omega^2) E S/w + (C - K c/omega^2)(1 - H)/omega^2]
//   L_infinity_N = L_infinity + sum n_k^2 (1 - K/omega^2);  the mode of W itself adds nothing
//                                                       tested: kernel_without_resolved_modes
#include "analysis/kernel/resolved.h"

#include <math.h>

static jd_status check(jd_context *context, const jd_reduced *r, const jd_response_modes *m,
                       int N) {
    jd_status s = JD_NOT_SUPPORTED;
    if (r->n != 1)
        s = jd_fail(context, s, "modes are resolved beside one contact, and there are %d", r->n);
    else if (m->n < N)
        s = jd_fail(context, s, "%d resolved modes are more than the %d there are", N, m->n);
    else if (r->mode[0] > N)
        s = jd_fail(context, s, "mode %d carries W and is not among %d resolved modes", r->mode[0],
                    N);
    else
        s = JD_OK;
    for (int k = 0; s == JD_OK && k < N; k++)
        if (!(m->omega[k] > m->c[k] / 2))
            s = jd_fail(context, JD_NOT_SUPPORTED, "mode %d does not vibrate: no kernel without it",
                        k + 1);
    if (s != JD_OK) jd_fail_where(context, "kernel.resolved");
    return s;
}

// Takes mode k out of the memory and adds it to the velocity.
static void move(const jd_response_modes *m, int k, const jd_reduced *r, const jd_kernel_view *v,
                 double *memory, double *velocity) {
    double o2 = m->omega[k] * m->omega[k], c = m->c[k], w = sqrt(o2 - c * c / 4),
           share = m->row[k] * m->row[k], K = r->K[0], C = r->C[0];
    for (int t = 0; t < v->n_tau; t++) {
        double e = exp(-c / 2 * v->tau[t]), si = e * sin(w * v->tau[t]),
               held = e * cos(w * v->tau[t]) + c / (2 * w) * si;
        velocity[t] += share * si / w;
        memory[t] -= share * ((1 - K / o2) * si / w + (C - K * c / o2) * (1 - held) / o2);
    }
}

jd_status jd_resolve(jd_arena *arena, const jd_reduced *r, int N, const jd_kernel_view *v,
                     jd_kernel_resolved *out) {
    jd_response_modes m;
    JD_TRY(jd_response_modes_of(r->from, N + 1, arena, &m));
    JD_TRY(check(jd_arena_context(arena), r, &m, N));
    double *memory = JD_TAKE(arena, double, v->n_tau), *velocity = JD_TAKE(arena, double, v->n_tau),
           *fading = JD_TAKE(arena, double, v->n_tau);
    JD_TRY(jd_arena_status(arena));
    *out = (jd_kernel_resolved){.modes = N,
                                .L_infinity = r->L_infinity[0],
                                .sigma = m.n > N ? m.omega[N] : 0,
                                .memory = memory,
                                .velocity = velocity,
                                .fading = fading};
    for (int t = 0; t < v->n_tau; t++) {
        memory[t] = v->L1[t];
        fading[t] = v->jump[0] * exp(-out->sigma * v->tau[t]);
    }
    for (int k = 0; k < N; k++) {
        move(&m, k, r, v, memory, velocity);
        out->L_infinity += m.row[k] * m.row[k] * (1 - r->K[0] / (m.omega[k] * m.omega[k]));
    }
    return JD_OK;
}

// displacement.c -- displacements of waves that come back, without a sum of all errors.
//   Velocities of panels err by a little, and their sum over a long time by much. Of a body that is
//   held the slow part of a displacement follows from the forces, and the rest of it from the
//   velocities of the last few periods. R(s): rate (the velocity that the poles' displacements
//   leave out) by force, H = R/s, chi = prod a_k/(s + a_k) = sum chi_k/(s + a_k):
//     U = (1 - chi)/s rate + chi P F - sum_p place_p chi(lambda_p) z_p
//       = sum_k [ chi_k/a_k rate_k + chi_k H(-a_k) F_k ] - ...,   x_k' = -a_k x_k + x
//   P interpolates H at -a_k: H and P differ by (s/omega_1)^8 of H and less, chi falls as (a/s)^8,
//   so that what is left is chi(i omega_1), below a tenth of the tolerance. A constant error of the
//   rate moves U by sum 1/a_k of it, some 5 to 50 periods, for ever.
//   The last term: H has the pole of the echoes at about 0, which a pole of the structure takes
//   off; poles p that are as slow as the filter are taken with it.
//   At a stop the displacement that is read after a panel differs from the sum over it by what the
//   filter errs by; a stop that is left is left from where it is read (slack in stops.c).
//   Not for stops on undamped bodies, whose piecewise constant waves the sum has to rounding, and
//   for free bodies: there panels keep the mean of the waves (conserve in echoes.c).   tested:
//   displacements_of_waves_do_not_drift, stops_on_waves_do_not_drift
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"
#include "kernel/cartesian.h"

enum { MOST_TERMS = 18 }; // of the series of a moment: 2^18/18! is below rounding

// chi at a real or complex s.
static double complex low_pass(const double *a, double complex s) {
    double complex product = 1;
    for (int k = 0; k < FILTER_POLES; k++) product *= a[k] / (s + a[k]);
    return product;
}

// Residue of chi at -a_k.
static double residue(const double *a, int k) {
    double product = a[k];
    for (int j = 0; j < FILTER_POLES; j++)
        if (j != k) product *= a[j] / (a[j] - a[k]);
    return product;
}

static bool is_entered(const memory_plan *plan, int p) {
    const poles *c = &plan->poles;
    for (int j = 0; j < plan->m; j++)
        if (c->in_re[j * c->n + p] != 0) return true;
    for (int d = 0; d < plan->n_drive; d++)
        if (plan->drive[d].in_re[p] != 0) return true;
    return false;
}

// A real pole beside a pole of the filter.
static bool is_near(const memory_plan *plan, const double *a) {
    const poles *c = &plan->poles;
    for (int p = 0; p < c->used; p++)
        for (int k = 0; k < FILTER_POLES; k++)
            if (c->im[p] == 0 && fabs(c->re[p] + a[k]) < 0.05 * a[k] && is_entered(plan, p))
                return true;
    return false;
}

// Poles a quarter apart; as fast as the first mode allows.
static void set_poles(const memory_plan *plan, double first, double *a) {
    static const double ratio = 1.25, share = 0.1, back = 0.98;
    double wanted = share * plan->tolerance;
    for (int k = 0; k < FILTER_POLES; k++) a[k] = 0.1 * first * pow(ratio, k);
    double fast = 1;
    for (int i = 0; i < 60; i++) { // fast^8 of it, about
        double b[FILTER_POLES];
        for (int k = 0; k < FILTER_POLES; k++) b[k] = fast * a[k];
        fast *= pow(wanted / cabs(low_pass(b, cartesian(0, first))), 1.0 / FILTER_POLES);
    }
    for (int k = 0; k < FILTER_POLES; k++) a[k] *= fast;
    for (int i = 0; i < 100 && is_near(plan, a); i++)
        for (int k = 0; k < FILTER_POLES; k++) a[k] *= back;
}

static jd_status set_slow(memory_plan *plan, displacement_filter *f) {
    const poles *c = &plan->poles;
    f->slow = JD_TAKE(plan->arena, int, c->used + 1);
    f->by_slow = JD_TAKE(plan->arena, double, plan->m *(c->used + 1));
    JD_TRY(jd_arena_status(plan->arena));
    for (int p = 0; p < c->used; p++)
        if (c->im[p] == 0 && is_entered(plan, p)) f->slow[f->n_slow++] = p;
    for (int i = 0; i < plan->m; i++)
        for (int k = 0; k < f->n_slow; k++) {
            int p = f->slow[k];
            f->by_slow[i * f->n_slow + k] =
                -c->place_re[i * c->n + p] * creal(low_pass(f->a, c->re[p]));
        }
    return JD_OK;
}

jd_status jd_displacement_plan(memory_plan *plan, const jd_response *wave,
                               const jd_echo_kernel *kernel) {
    double first = jd_echo_kernel_first(wave), s[FILTER_POLES];
    int m = plan->m, places = m + plan->n_drive, right = m * places;
    bool exact = plan->n_stop > 0 && plan->echo->sharp;
    if (exact || first == 0 || plan->poles.soft > 0) return JD_OK;
    displacement_filter *f = JD_TAKE(plan->arena, displacement_filter, 1);
    JD_TRY(jd_arena_status(plan->arena));
    f->by_force = JD_TAKE(plan->arena, double, right *FILTER_POLES);
    double *slow = JD_TAKE(plan->arena, double, right *FILTER_POLES);
    JD_TRY(jd_arena_status(plan->arena));
    set_poles(plan, first, f->a);
    JD_TRY(set_slow(plan, f));
    for (int k = 0; k < FILTER_POLES; k++) s[k] = -f->a[k];
    JD_TRY(jd_echo_kernel_slow(plan->arena, wave, kernel, FILTER_POLES, s, slow));
    for (int k = 0; k < FILTER_POLES; k++) {
        double chi = residue(f->a, k);
        f->by_rate[k] = chi / f->a[k];
        for (int i = 0; i < right; i++)
            f->by_force[i * FILTER_POLES + k] = -chi * slow[k * right + i] / f->a[k];
    }
    plan->echo->filter = f;
    return JD_OK;
}

// Powers of y = a h <= 2 that the series of the last moment takes: below rounding from there on.
static int terms_of(double y) { return y < 0.02 ? 6 : y < 0.1 ? 8 : y < 0.4 ? 10 : MOST_TERMS; }

static const double over[] = {1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                              1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14,
                              1.0 / 15, 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21,
                              1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25};

// Four poles of the filter over a panel of length h.
typedef struct four_poles {
    v4 fade, M[STAGES + 1]; // e^{-a h}; h int_0^1 e^{-a h (1 - theta)} theta^r dtheta
} four_poles;

// M_r = (1 - y M_{r+1})/(r + 1), y = a h, from the series of the last.
static inline __attribute__((always_inline)) four_poles moments(const double *a, double h, int last,
                                                                int terms) {
    four_poles out;
    v4 y = LOAD(a) * ALL(h), M = ALL(0.0);
    for (int j = last + terms; j >= last; j--) M = (ALL(1.0) - y * M) * ALL(over[j]);
    for (int r = last; r > 0; r--) {
        out.M[r] = ALL(h) * M;
        M = (ALL(1.0) - y * M) * ALL(over[r - 1]);
    }
    out.M[0] = ALL(h) * M;
    out.fade = ALL(1.0) - y * M;
    return out;
}

// x' = -a x + sum_r p_r theta^r over the panel.
static inline __attribute__((always_inline)) void step(const four_poles *c, int degree,
                                                       const double *p, double *x) {
    v4 sum = LOAD(x) * c->fade;
    for (int r = 0; r <= degree; r++) sum += c->M[r] * ALL(p[r]);
    STORE(x, sum);
}

JD_CLONES("avx2")
static void step_all(const double *a, double h, int m, int places, int s, const double *F,
                     const double *rate, double *x) {
    int terms = terms_of(a[FILTER_POLES - 1] * h);
    for (int k = 0; k < FILTER_POLES; k += 4) {
        four_poles c = moments(a + k, h, s, terms);
        for (int i = 0; i < m; i++) step(&c, s, rate + i * (s + 1), x + i * FILTER_POLES + k);
        for (int j = 0; j < places; j++) step(&c, s - 1, F + j * s, x + (m + j) * FILTER_POLES + k);
    }
}

void jd_displacement_step(const memory *e, double h, const double *F, const double *rate,
                          double *x) {
    int m = e->plan->m;
    step_all(e->plan->echo->filter->a, h, m, m + e->plan->n_drive, e->plan->nodes.s, F, rate, x);
}

static double dot(const double *a, const double *b) {
    v4 sum = LOAD(a) * LOAD(b) + LOAD(a + 4) * LOAD(b + 4);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void jd_displacement_read(memory *e, double t) {
    const displacement_filter *f = e->plan->echo->filter;
    int m = e->plan->m, places = m + e->plan->n_drive, n = e->plan->poles.n;
    const double *x = e->state.echo->filtered, *z = e->state.z_re;
    if (e->plan->n_drive > 0) { // the drives' share of the states too
        memcpy(e->scratch.share_re, e->state.z_re, (size_t)n * sizeof *z);
        memset(e->scratch.share_im, 0, (size_t)n * sizeof *z);
        jd_drives_share(e, t, e->scratch.share_re, e->scratch.share_im);
        z = e->scratch.share_re;
    }
    for (int i = 0; i < m; i++) {
        double u = e->state.start.place ? e->state.start.place[i] : 0;
        u += dot(f->by_rate, x + i * FILTER_POLES);
        for (int j = 0; j < places; j++)
            u += dot(f->by_force + (i * places + j) * FILTER_POLES, x + (m + j) * FILTER_POLES);
        for (int k = 0; k < f->n_slow; k++) u += f->by_slow[i * f->n_slow + k] * z[f->slow[k]];
        e->state.echo->moved[i] = u;
    }
}

// x(0) = x(T), from x(T) that began at 0.
void jd_displacement_repeat(const memory *e, double period, double *x) {
    const displacement_filter *f = e->plan->echo->filter;
    int rows = 2 * e->plan->m + e->plan->n_drive;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < FILTER_POLES; k++) x[i * FILTER_POLES + k] /= -expm1(-f->a[k] * period);
}

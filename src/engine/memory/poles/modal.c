// modal.c -- finitely many modes as their poles, exactly.
//   q'' + c q' + omega^2 q = f, poles s: z' = s z + f, z = q' - s2 q with s2 the other pole,
//   q = Re(share z), q' = Re(share s z):  share = 2/(s - s2) for a pair, 1/(s - s2) for a real pole
//   Coupled damping: receptance sum_p u_p u_p'/(s - s_p):  z' = s z + u'f, z = u'(C q + q' + s q),
//   q = Re sum share u z, share = 2 for a pair and 1 for a real pole.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "engine/memory/poles/poles.h"
#include "linalg/eigen.h"
#include "problem/initial.h"

static const double critical = 1e-9; // a ratio this close to 1 is taken this far below it

jd_status jd_poles_take(memory_plan *plan, memory_state *state, int used) {
    poles *c = &plan->poles;
    int n = c->n = (used + 3) / 4 * 4;
    c->used = used;
    double **one[] = {&c->re,       &c->im,       &c->inv_re,   &c->inv_im,
                      &state->z_re, &state->z_im, &c->share_re, &c->share_im};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) // 4 more: rough.c takes eight at a time
        *one[i] = JD_TAKE(plan->arena, double, n + 4);
    c->in_re = JD_TAKE(plan->arena, double, plan->m *n);
    c->in_im = JD_TAKE(plan->arena, double, plan->m *n);
    c->out_re = JD_TAKE(plan->arena, double, plan->rows *n);
    c->out_im = JD_TAKE(plan->arena, double, plan->rows *n);
    c->place_re = JD_TAKE(plan->arena, double, plan->m *n);
    c->place_im = JD_TAKE(plan->arena, double, plan->m *n);
    c->gamma = JD_TAKE(plan->arena, double, plan->m * plan->m);
    c->start = JD_TAKE(plan->arena, double, plan->m * plan->m);
    c->mode = JD_TAKE(plan->arena, int, used);
    for (int i = 0; i < plan->n_drive; i++) {
        plan->drive[i].in_re = JD_TAKE(plan->arena, double, n);
        plan->drive[i].in_im = JD_TAKE(plan->arena, double, n);
    }
    JD_TRY(jd_arena_status(plan->arena));
    for (int p = used; p < n; p++) c->re[p] = -1;
    return JD_OK;
}

// G'(0+) and 1/lambda, once poles and weights are there.
void jd_poles_finish(memory_plan *plan) {
    poles *c = &plan->poles;
    int n = c->n;
    for (int p = 0; p < n; p++) {
        double size = c->re[p] * c->re[p] + c->im[p] * c->im[p];
        c->inv_re[p] = c->re[p] / size;
        c->inv_im[p] = -c->im[p] / size;
    }
    c->plain = plan->m == 1;
    for (int p = 0; p < c->used; p++) c->plain = c->plain && c->in_re[p] == 1 && c->in_im[p] == 0;
    for (int p = 0; p < c->used; p++) c->real = c->real || c->im[p] == 0;
    for (int j = 0; j < plan->m; j++)
        for (int p = 0; p < n; p++) {
            double a = c->out_re[j * n + p], b = c->out_im[j * n + p];
            c->place_re[j * n + p] = a * c->inv_re[p] - b * c->inv_im[p];
            c->place_im[j * n + p] = a * c->inv_im[p] + b * c->inv_re[p];
        }
    for (int i = 0; i < plan->m; i++)
        for (int j = 0; j < plan->m; j++)
            jd_weigh_rows(1, n, c->out_re + i * n, c->out_im + i * n, c->in_re + j * n,
                          c->in_im + j * n, c->start + i * plan->m + j);
}

typedef struct pole {
    double re, im, size, other_re; // other pole of a real pair
    int mode;
} pole;

static int by_size(const void *a, const void *b) {
    const pole *p = a, *q = b;
    if (p->size != q->size) return p->size < q->size ? -1 : 1;
    return p->mode - q->mode;
}

// Poles of s^2 + c s + omega2: one of a pair, or two real ones. Returns their number.
static int poles_of_mode(double omega2, double c, int mode, pole *out) {
    double omega = sqrt(omega2), a = c / 2;
    if (fabs(a / omega - 1) < critical) a = omega * (1 - critical);
    if (a < omega) {
        out[0] = (pole){-a, sqrt((omega - a) * (omega + a)), omega, 0, mode};
        return 1;
    }
    double fast = -a - sqrt((a - omega) * (a + omega)), slow = omega2 / fast;
    out[0] = (pole){slow, 0, -slow, fast, mode};
    out[1] = (pole){fast, 0, -fast, slow, mode};
    return 2;
}

static jd_status take_poles(memory_plan *plan, memory_state *state, const jd_modal *modal) {
    pole *list = JD_TAKE(plan->arena, pole, 2 * modal->n);
    int used = 0;
    JD_TRY(jd_arena_status(plan->arena));
    for (int k = 0; k < modal->n; k++)
        used += poles_of_mode(modal->omega2[k].hi, modal->law == JD_DAMPING_NONE ? 0 : modal->c[k],
                              k, list + used);
    qsort(list, (size_t)used, sizeof *list, by_size);
    poles *c = &plan->poles;
    JD_TRY(jd_poles_take(plan, state, used));
    for (int p = 0; p < used; p++) {
        c->re[p] = list[p].re;
        c->im[p] = list[p].im;
        c->mode[p] = list[p].mode;
        if (list[p].im > 0)
            c->share_im[p] = -1 / list[p].im; // 2/(2 i w)
        else
            c->share_re[p] = 1 / (list[p].re - list[p].other_re);
    }
    return JD_OK;
}

// Poles with Im >= 0 of a system with a damping matrix, and their vectors.
static jd_status take_coupled(memory_plan *plan, memory_state *state, const jd_modal *modal) {
    int n = modal->n, used = 0;
    double *omega2 = JD_TAKE(plan->arena, double, n), *s = JD_TAKE(plan->arena, double, 4 * n);
    double *u = JD_TAKE(plan->arena, double, (size_t)(4 * n) * (size_t)n);
    JD_TRY(jd_arena_status(plan->arena));
    for (int k = 0; k < n; k++) omega2[k] = modal->omega2[k].hi;
    JD_TRY(jd_eigen_quadratic(plan->arena, n, omega2, modal->C, s, u));
    size_t row = 2 * (size_t)n;
    for (int p = 0; p < 2 * n; p++) {
        if (s[2 * p + 1] < 0) continue;
        memmove(u + (size_t)used * row, u + (size_t)p * row, row * sizeof *u);
        s[2 * used] = s[2 * p];
        s[2 * used + 1] = s[2 * p + 1];
        used++;
    }
    poles *c = &plan->poles;
    JD_TRY(jd_poles_take(plan, state, used));
    for (int p = 0; p < used; p++) {
        c->re[p] = s[2 * p];
        c->im[p] = s[2 * p + 1];
        c->share_re[p] = c->im[p] > 0 ? 2 : 1;
    }
    c->right = u;
    return JD_OK;
}

// row u of a coupled pole.
static jd_complex along(const memory_plan *plan, int p, const double *row) {
    int n = jd_problem_system(plan->problem)->modal.n;
    const double *u = plan->poles.right + (size_t)p * 2 * (size_t)n;
    jd_complex sum = {0, 0};
    for (int k = 0; k < n; k++) {
        sum.re += row[k] * u[2 * k];
        sum.im += row[k] * u[2 * k + 1];
    }
    return sum;
}

void jd_poles_row(const memory_plan *plan, const double *row, double *out_re, double *out_im,
                  double *in_re, double *in_im) {
    const poles *c = &plan->poles;
    for (int p = 0; p < c->used; p++) {
        jd_complex in = {c->right ? 0 : row[c->mode[p]], 0};
        if (c->right) in = along(plan, p, row);
        double a = c->share_re[p] * c->re[p] - c->share_im[p] * c->im[p]; // share lambda
        double b = c->share_re[p] * c->im[p] + c->share_im[p] * c->re[p];
        out_re[p] = in.re * a - in.im * b;
        out_im[p] = in.re * b + in.im * a;
        if (!in_re) continue;
        in_re[p] = in.re;
        in_im[p] = in.im;
    }
}

void jd_poles_modes(const memory_plan *plan, const double *z_re, const double *z_im, double *q,
                    double *p) {
    const poles *c = &plan->poles;
    int n = jd_problem_system(plan->problem)->modal.n;
    memset(q, 0, (size_t)n * sizeof *q);
    memset(p, 0, (size_t)n * sizeof *p);
    for (int i = 0; i < c->used; i++) {
        double a = c->share_re[i] * z_re[i] - c->share_im[i] * z_im[i];
        double b = c->share_re[i] * z_im[i] + c->share_im[i] * z_re[i];
        double x = a * c->re[i] - b * c->im[i], y = a * c->im[i] + b * c->re[i];
        if (!c->right) {
            q[c->mode[i]] += a;
            p[c->mode[i]] += x;
            continue;
        }
        const double *u = c->right + (size_t)i * 2 * (size_t)n;
        for (int k = 0; k < n; k++) {
            q[k] += a * u[2 * k] - b * u[2 * k + 1];
            p[k] += x * u[2 * k] - y * u[2 * k + 1];
        }
    }
}

void jd_poles_of_modes(const memory_plan *plan, const double *q, const double *rate, double *g,
                       double *z_re, double *z_im) {
    const poles *c = &plan->poles;
    const jd_modal *modal = &jd_problem_system(plan->problem)->modal;
    int n = modal->n;
    for (int k = 0; c->right && k < n; k++) { // C q + q'
        g[k] = rate[k];
        for (int l = 0; l < n; l++) g[k] += modal->C[(size_t)k * (size_t)n + (size_t)l] * q[l];
    }
    for (int p = 0; p < c->used; p++) {
        if (c->right) {
            jd_complex a = along(plan, p, g), b = along(plan, p, q);
            z_re[p] = a.re + c->re[p] * b.re - c->im[p] * b.im;
            z_im[p] = a.im + c->re[p] * b.im + c->im[p] * b.re;
            continue;
        }
        int k = c->mode[p];
        double other = c->im[p] > 0 ? c->re[p] : c->re[p] - 1 / c->share_re[p];
        z_re[p] = rate[k] - other * q[k];
        z_im[p] = c->im[p] > 0 ? c->im[p] * q[k] : 0;
    }
}

static jd_status refuse_unstable(const memory_plan *plan) {
    const poles *c = &plan->poles;
    for (int p = 0; p < c->used; p++) {
        double size = hypot(c->re[p], c->im[p]);
        if (c->re[p] <= 1e-9 * size) continue;
        jd_fail(plan->context, JD_NOT_SUPPORTED,
                "the structure is unstable by itself: a motion at %.6g rad/s grows by %.3g 1/s",
                c->im[p], c->re[p]);
        jd_fail_where(plan->context, "structure.damping");
        jd_fail_hint(plan->context, "damping must take energy out; look at the damping matrix");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// Re Ghat_ii(i omega) = Re sum_p 1/2 [a_p/(i omega - s_p) + conj(a_p)/(i omega - conj(s_p))]
static double real_part(const poles *c, int i, double omega, double *size) {
    const double *o = c->out_re + i * c->n, *oi = c->out_im + i * c->n;
    const double *in = c->in_re + i * c->n, *ii = c->in_im + i * c->n;
    double sum = 0;
    *size = 0;
    for (int p = 0; p < c->used; p++) {
        double a = o[p] * in[p] - oi[p] * ii[p], b = o[p] * ii[p] + oi[p] * in[p];
        double up = omega - c->im[p], down = omega + c->im[p], r = -c->re[p];
        double term = (a * r + b * up) / (r * r + up * up) / 2 +
                      (a * r - b * down) / (r * r + down * down) / 2;
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

// A damping matrix need not be positive: then contacts could be given energy. Looked for at the
// frequencies of the poles and between them.
static jd_status refuse_active(const memory_plan *plan) {
    enum { BETWEEN = 16 };
    const poles *c = &plan->poles;
    for (int i = 0; c->right && i < plan->m; i++)
        for (int k = 0; k < BETWEEN * c->used; k++) {
            int at = k / BETWEEN, next = at + 1 < c->used ? at + 1 : at;
            double a = hypot(c->re[at], c->im[at]), b = hypot(c->re[next], c->im[next]), size;
            double omega = a + (b - a) * (k % BETWEEN) / BETWEEN;
            double sum = real_part(c, i, omega, &size);
            if (sum >= -1e-9 * size) continue;
            jd_fail(plan->context, JD_NOT_SUPPORTED,
                    "the memory of contact `%s` is not passive: at %.6g rad/s the structure gives "
                    "energy, Re G = %.3g",
                    jd_problem_contact(plan->problem, i)->name, omega, sum);
            jd_fail_where(plan->context, "structure.damping");
            jd_fail_hint(plan->context, "damping must take energy out; look at the damping matrix");
            return JD_NOT_SUPPORTED;
        }
    return JD_OK;
}

static jd_status set_rows(memory_plan *plan, const jd_system *system) {
    poles *c = &plan->poles;
    int n = system->modal.n, size = c->n;
    double *row = JD_TAKE(plan->arena, double, n);
    JD_TRY(jd_arena_status(plan->arena));
    for (int r = 0; r < plan->rows; r++) {
        const jd_dd *from = r < plan->m ? system->contact[r] : system->drive[r - plan->m];
        for (int k = 0; k < n; k++) row[k] = from[k].hi;
        double *in_re = r < plan->m ? c->in_re + r * size : plan->drive[r - plan->m].in_re;
        double *in_im = r < plan->m ? c->in_im + r * size : plan->drive[r - plan->m].in_im;
        jd_poles_row(plan, row, c->out_re + r * size, c->out_im + r * size, in_re, in_im);
    }
    return JD_OK;
}

jd_status jd_poles_modal(memory_plan *plan, memory_state *state) {
    const jd_system *system = jd_problem_system(plan->problem);
    const jd_modal *modal = &system->modal;
    int n = modal->n;
    double *q = JD_TAKE(plan->arena, double, n), *rate = JD_TAKE(plan->arena, double, n);
    double *g = JD_TAKE(plan->arena, double, n);
    JD_TRY(jd_arena_status(plan->arena));
    plan->rows = plan->m + plan->n_drive;
    plan->poles = (poles){.exact = true, .kept = n};
    JD_TRY(modal->law == JD_DAMPING_FULL ? take_coupled(plan, state, modal)
                                         : take_poles(plan, state, modal));
    JD_TRY(refuse_unstable(plan));
    JD_TRY(set_rows(plan, system));
    jd_poles_finish(plan);
    JD_TRY(refuse_active(plan));
    JD_TRY(jd_problem_initial(plan->problem, q, rate));
    jd_poles_of_modes(plan, q, rate, g, state->z_re, state->z_im);
    return JD_OK;
}

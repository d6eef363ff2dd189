// damping_form.c -- what damping takes of the motion by a panel's forces, in closed form; of that
// by drives see damping_driven.c.
//   A mode's c int q'^2 is what it stored, less what it stores, and what the forces gave it:
//     c int q'^2 = U(z) - U(z1) + int F q',   U = L |z|^2 - Re(K z^2),   q' = Re(l z),  l = share s
//     z1 = E z + sum_k in F_k phi_k,   K = c l^2/4s,   L = |l|^2/2,   c = -2 Re s,   E = e^{sh}
//   z1 is that of the panel's polynomials, whatever becomes of the state at its end. The last term:
//     of the state   Re(l z sum_k in F(1 - c_k) phi_k): phi_k is int e^{s(h-x)} L_k, e^{sx} turned
//                    round
//     of the forces  int_0^h sum Re(l in in e^{su}) P(u) du,  P(u) = int_0^{h-u} F(t + u) F(t) dt,
//                    a form Q of the forces at the nodes by the moments of the response,
//                    T_n = sum Re(l in in J_n),  J_n = int_0^h e^{su} (u/h)^n du,  n < 2 s
//     |s| h >= 2.5:  J_n = (E - n J_{n-1}/h)/s;    below: the last by its series, the others down
//   No coefficients but Q are kept with a length: a panel reads those it was computed with.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"
#include "engine/memory/poles/factorials.h"

#define CLONES JD_CLONES("avx2")
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 12")

enum { MOMENTS = 2 * STAGES, PAIRS = FORM_CONTACTS * (FORM_CONTACTS + 1) / 2, LONGEST = 26 };
static const double fast = 2.5; // |s| h from which the closed form of J is taken

// What of it does not depend on the length.
struct damping_parts {
    double *K_re, *K_im, *L, *l_re, *l_im;   // n: of the poles; 0 where nothing is taken
    double P[STAGES][STAGES][MOMENTS];       // of nodes k, i: coefficients of P(u) in u/h
    double turned[STAGES][STAGES];           // L_k(1 - c_i)
    double phi[STAGES][STAGES];              // L_k(1 - x) in powers of x
    double series[MOMENTS + 1][LONGEST + 1]; // of J_{n-1}/h: 1/(k! (k + n))
};

static double choose(int n, int k) {
    double c = 1;
    for (int i = 1; i <= k; i++) c = c * (n - k + i) / i;
    return c;
}

// p += scale int_0^{1-u} (t + u)^a t^b dt = sum_i choose(a, i) u^{a-i} (1 - u)^{i+b+1}/(i + b + 1)
static void add_overlap(int a, int b, double scale, double *p) {
    for (int i = 0; i <= a; i++) {
        int q = i + b + 1;
        double c = scale * choose(a, i) / q;
        for (int k = 0; k <= q; k++) p[a - i + k] += (k % 2 ? -c : c) * choose(q, k);
    }
}

static void set_turned(const nodes *n, damping_parts *d) {
    for (int k = 0; k < n->s; k++) {
        for (int i = 0; i < n->s; i++)
            d->turned[k][i] = jd_polynomial(n->s - 1, n->lagrange[k], 1 - n->c[i]);
        memcpy(d->phi[k], n->lagrange[k], (size_t)n->s * sizeof *d->phi[k]);
        jd_polynomial_part(n->s - 1, d->phi[k], 1, -1);
    }
}

static void set_overlaps(const nodes *n, damping_parts *d) {
    int s = n->s;
    double power[STAGES][STAGES][MOMENTS] = {{{0}}};
    for (int a = 0; a < s; a++)
        for (int b = 0; b < s; b++) add_overlap(a, b, 1, power[a][b]);
    for (int k = 0; k < s; k++)
        for (int i = 0; i < s; i++)
            for (int ab = 0; ab < s * s; ab++) {
                double c = n->lagrange[k][ab / s] * n->lagrange[i][ab % s];
                for (int r = 0; r < 2 * s; r++) d->P[k][i][r] += c * power[ab / s][ab % s][r];
            }
}

static void set_poles(const poles *c, damping_parts *d) {
    for (int p = 0; p < c->used; p++) {
        if (c->im[p] <= 0 || c->re[p] == 0) continue;
        double re = c->share_re[p] * c->re[p] - c->share_im[p] * c->im[p];
        double im = c->share_re[p] * c->im[p] + c->share_im[p] * c->re[p];
        double a = re * re - im * im, b = 2 * re * im, part = -c->re[p] / 2;
        d->l_re[p] = re;
        d->l_im[p] = im;
        d->K_re[p] = part * (a * c->inv_re[p] - b * c->inv_im[p]);
        d->K_im[p] = part * (a * c->inv_im[p] + b * c->inv_re[p]);
        d->L[p] = (re * re + im * im) / 2;
    }
}

static jd_status set_parts(memory *e) {
    const memory_plan *plan = e->plan;
    int n = plan->poles.n;
    damping_parts *d = JD_TAKE(e->arena, damping_parts, 1);
    double *all = JD_TAKE(e->arena, double, 5 * n);
    JD_TRY(jd_arena_status(e->arena));
    d->K_re = all;
    d->K_im = all + n;
    d->L = all + 2 * n;
    d->l_re = all + 3 * n;
    d->l_im = all + 4 * n;
    set_poles(&plan->poles, d);
    set_turned(&plan->nodes, d);
    set_overlaps(&plan->nodes, d);
    for (int k = 0, last = 2 * plan->nodes.s; k <= LONGEST; k++)
        d->series[last][k] = jd_one_over_factorial[k] / (k + last);
    e->observers.ledger->parts = d;
    return JD_OK;
}

// J_0..J_{last}/h of four poles, z = s h: from the last one down.
INLINE void moments_down(int last, const double *series, double size, const v4 *z, const v4 *E,
                         v4 *J_re, v4 *J_im) {
    v4 a = z[0], b = z[1], f, g = ALL(0.0), w;
    int terms = (int)fmin(11 + 6 * size, LONGEST);
    f = ALL(series[terms]);
    for (int k = terms - 1; k >= 0; k--) {
        w = ALL(series[k]) + (a * f - b * g);
        g = a * g + b * f;
        f = w;
    }
    J_re[last] = f;
    J_im[last] = g;
    UNROLL for (int n = last; n > 0; n--) {
        w = (E[0] - (a * f - b * g)) * ALL(1.0 / n);
        g = (E[1] - (a * g + b * f)) * ALL(1.0 / n);
        J_re[n - 1] = f = w;
        J_im[n - 1] = g;
    }
}

// Likewise from the first up, i = 1/z.
INLINE void moments_up(int last, const v4 *i, const v4 *E, v4 *J_re, v4 *J_im) {
    v4 f = E[0] - ALL(1.0), g = E[1], w;
    UNROLL for (int n = 0; n <= last; n++) {
        w = f * i[0] - g * i[1];
        g = f * i[1] + g * i[0];
        J_re[n] = w;
        J_im[n] = g;
        f = E[0] - ALL(n + 1.0) * w;
        g = E[1] - ALL(n + 1.0) * g;
    }
}

#define CHOOSE(first, a, b) ((v4)(((i4)(a) & (first)) | ((i4)(b) & ~(first))))

// J/h of the four poles from p on.
INLINE void four_moments(const poles *c, const damping_parts *d, int s, const coefficients *t,
                         int p, v4 *J_re, v4 *J_im) {
    int last = 2 * s - 1;
    v4 h = ALL(t->h), z[] = {LOAD(c->re + p) * h, LOAD(c->im + p) * h};
    v4 size = z[0] * z[0] + z[1] * z[1], E[] = {LOAD(t->e_re + p), LOAD(t->e_im + p)};
    v4 over = ALL(1 / t->h), i[] = {LOAD(c->inv_re + p) * over, LOAD(c->inv_im + p) * over};
    i4 slow = (i4)(size < ALL(fast * fast));
    bool some = slow[0] | slow[1] | slow[2] | slow[3];
    moments_up(last, i, E, J_re, J_im);
    if (!some) return;
    v4 K_re[MOMENTS], K_im[MOMENTS];
    double most = fmax(fmax(size[0], size[1]), fmax(size[2], size[3]));
    moments_down(last, d->series[last + 1], fmin(sqrt(most), fast), z, E, K_re, K_im);
    UNROLL for (int n = 0; n <= last; n++) {
        J_re[n] = CHOOSE(slow, K_re[n], J_re[n]);
        J_im[n] = CHOOSE(slow, K_im[n], J_im[n]);
    }
}

// What forces leave in the state: sum_r phi_kr J_r.
INLINE void four_phi(const damping_parts *d, int s, int n, int p, const v4 *J_re, const v4 *J_im,
                     coefficients *t) {
    for (int k = 0; k < s; k++) {
        v4 re = ALL(0.0), im = re, h = ALL(t->h);
        for (int r = 0; r < s; r++) {
            re += ALL(d->phi[k][r]) * J_re[r];
            im += ALL(d->phi[k][r]) * J_im[r];
        }
        STORE(t->phi_re + k * n + p, h * re);
        STORE(t->phi_im + k * n + p, h * im);
    }
}

// T/h of the pairs of contacts: PAIRS x MOMENTS; `own`: phi is not there yet.
INLINE void add_moments(const memory_plan *plan, const damping_parts *d, int s, coefficients *own,
                        const coefficients *t, v4 *T) {
    const poles *c = &plan->poles;
    v4 J_re[MOMENTS], J_im[MOMENTS];
    for (int p = 0; p < c->n; p += 4) {
        v4 l_re = LOAD(d->l_re + p), l_im = LOAD(d->l_im + p);
        four_moments(c, d, s, t, p, J_re, J_im);
        if (own) four_phi(d, s, c->n, p, J_re, J_im, own);
        UNROLL for (int n = 0; n < 2 * s; n++) J_re[n] = l_re * J_re[n] - l_im * J_im[n];
        for (int j = 0, pair = 0; j < plan->m; j++)
            for (int i = 0; i <= j; i++, pair++) {
                v4 in = LOAD(c->in_re + j * c->n + p) * LOAD(c->in_re + i * c->n + p);
                UNROLL for (int n = 0; n < 2 * s; n++) T[pair * MOMENTS + n] += in * J_re[n];
            }
    }
}

CLONES static void set_moments(const memory_plan *plan, const damping_parts *d, coefficients *own,
                               const coefficients *t, v4 *T) {
    if (plan->nodes.s == USUAL_NODES)
        add_moments(plan, d, USUAL_NODES, own, t, T);
    else
        add_moments(plan, d, plan->nodes.s, own, t, T);
}

// Q of the forces at the nodes, N x N: h sum_n P_n T_n.
static void set_form(const memory_plan *plan, const damping_parts *d, coefficients *own,
                     const coefficients *t, double *Q) {
    int s = plan->nodes.s, m = plan->m, N = s * m;
    v4 T[PAIRS * MOMENTS];
    for (int i = 0; i < m * (m + 1) / 2 * MOMENTS; i++) T[i] = ALL(0.0);
    set_moments(plan, d, own, t, T);
    for (int j = 0, pair = 0; j < m; j++)
        for (int i = 0; i <= j; i++, pair++) {
            double total[MOMENTS];
            for (int n = 0; n < 2 * s; n++) {
                v4 x = T[pair * MOMENTS + n];
                total[n] = t->h * t->h * ((x[0] + x[1]) + (x[2] + x[3]));
            }
            for (int k = 0; k < s; k++)
                for (int r = 0; r < s; r++) {
                    double sum = 0;
                    for (int n = 0; n < 2 * s; n++) sum += d->P[k][r][n] * total[n];
                    Q[(k * m + j) * N + r * m + i] = sum;
                    Q[(k * m + i) * N + r * m + j] = sum;
                }
        }
}

bool jd_damping_may_have_form(const memory_plan *plan) {
    const jd_modal *modal = &jd_problem_system(plan->problem)->modal;
    return plan->poles.exact && modal->law != JD_DAMPING_NONE && !plan->poles.right &&
           plan->m <= FORM_CONTACTS && plan->n_drive <= FORM_DRIVES;
}

// Of a panel with a length of its own: `once`. One cut at an event has no coefficients either.
static jd_status take_once(memory *e, coefficients **out) {
    coefficients *t = *out = JD_TAKE(e->arena, coefficients, 1);
    int n = e->plan->poles.n, s = e->plan->nodes.s, N = s * e->plan->m;
    JD_TRY(jd_arena_status(e->arena));
    t->e_re = JD_TAKE(e->arena, double, n);
    t->e_im = JD_TAKE(e->arena, double, n);
    t->phi_re = JD_TAKE(e->arena, double, s *n);
    t->phi_im = JD_TAKE(e->arena, double, s *n);
    t->form = JD_TAKE(e->arena, damping_form, 1);
    JD_TRY(jd_arena_status(e->arena));
    t->form->Q = JD_TAKE(e->arena, double, N *N);
    return jd_arena_status(e->arena);
}

// Coefficients of the panel, and Q of its length.
static jd_status form_of(memory *e, const coefficients **out, const double **Q) {
    energy_ledger *l = e->observers.ledger;
    const coefficients *t = *out = e->panel.coefficients;
    const poles *c = &e->plan->poles;
    int N = e->plan->nodes.s * e->plan->m;
    if (t && t->form) {
        if (!t->form->Q) {
            t->form->Q = JD_TAKE(e->arena, double, N *N);
            JD_TRY(jd_arena_status(e->arena));
            set_form(e->plan, l->parts, NULL, t, t->form->Q);
        }
        *Q = t->form->Q;
        return JD_OK;
    }
    if (!l->once) JD_TRY(take_once(e, &l->once));
    *Q = l->once->form->Q;
    if (!t) {
        l->once->h = e->panel.h;
        e->plan->lanes->exponentials(c->n, c->re, c->im, e->panel.h, l->once->e_re, l->once->e_im);
        *out = l->once;
    }
    set_form(e->plan, l->parts, t ? NULL : l->once, *out, l->once->form->Q);
    return JD_OK;
}

// Forces at the nodes, and at the nodes turned round: m x s each.
typedef struct pushed {
    double F[FORM_CONTACTS][STAGES], back[FORM_CONTACTS][STAGES];
} pushed;

// What the forces of one contact leave in the four poles from p on, and turned round.
INLINE void add_contact(int s, const coefficients *t, int n, int p, const double *F,
                        const double *back, const double *in, v4 *out) {
    v4 re = LOAD(t->phi_re + p), im = LOAD(t->phi_im + p);
    v4 a = ALL(F[0]) * re, b = ALL(F[0]) * im, f = ALL(back[0]) * re, g = ALL(back[0]) * im;
    UNROLL for (int k = 1; k < s; k++) {
        re = LOAD(t->phi_re + k * n + p);
        im = LOAD(t->phi_im + k * n + p);
        a += ALL(F[k]) * re;
        b += ALL(F[k]) * im;
        f += ALL(back[k]) * re;
        g += ALL(back[k]) * im;
    }
    out[0] += LOAD(in) * a;
    out[1] += LOAD(in) * b;
    out[2] += LOAD(in) * f;
    out[3] += LOAD(in) * g;
}

// U(z) - U(z1) + Re(l z sum in F(1 - c_k) phi_k), over the poles. end: gets z1; NULL: not asked for
INLINE double of_state(const memory *e, int s, int m, const coefficients *from, const pushed *u,
                       double *end_re, double *end_im) {
    const poles *c = &e->plan->poles;
    const damping_parts *d = e->observers.ledger->parts;
    const double *z_re = e->state.z_re, *z_im = e->state.z_im, *K_re = d->K_re, *K_im = d->K_im,
                 *L = d->L, *l_re = d->l_re, *l_im = d->l_im, *in = c->in_re;
    const coefficients t = *from; // nothing in it changes
    int n = c->n;
    v4 total = ALL(0.0);
    for (int p = 0; p < n; p += 4) {
        v4 left[4] = {ALL(0.0), ALL(0.0), ALL(0.0), ALL(0.0)};
        v4 x = LOAD(z_re + p), y = LOAD(z_im + p), E_re = LOAD(t.e_re + p), E_im = LOAD(t.e_im + p);
        for (int j = 0; j < m; j++)
            add_contact(s, &t, n, p, u->F[j], u->back[j], in + j * n + p, left);
        v4 v = (E_re * x - E_im * y) + left[0], w = (E_re * y + E_im * x) + left[1];
        if (end_re) {
            STORE(end_re + p, v);
            STORE(end_im + p, w);
        }
        v4 xx = x * x, yy = y * y, vv = v * v, ww = w * w, xy = v * w - x * y;
        total += LOAD(K_re + p) * ((vv - ww) - (xx - yy)) - LOAD(K_im + p) * (xy + xy) +
                 LOAD(L + p) * ((xx + yy) - (vv + ww)) +
                 (LOAD(l_re + p) * (x * left[2] - y * left[3]) -
                  LOAD(l_im + p) * (x * left[3] + y * left[2]));
    }
    return (total[0] + total[1]) + (total[2] + total[3]);
}

CLONES static double of_states(const memory *e, const coefficients *t, const pushed *u) {
    int s = e->plan->nodes.s, m = e->plan->m;
    double *end_re = NULL, *end_im = NULL;
    if (e->plan->n_drive > 0) jd_driven_ends(e, &end_re, &end_im);
    if (s == USUAL_NODES && m == 1) return of_state(e, USUAL_NODES, 1, t, u, end_re, end_im);
    return of_state(e, s, m, t, u, end_re, end_im);
}

static double by_form(const memory *e, const coefficients *t, const double *Q) {
    int s = e->plan->nodes.s, m = e->plan->m, N = s * m;
    const double *force = e->panel.force;
    double total = 0;
    pushed u;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < s; i++) {
            u.F[j][i] = force[i * m + j];
            u.back[j][i] = 0;
            for (int k = 0; k < s; k++)
                u.back[j][i] += e->observers.ledger->parts->turned[k][i] * force[k * m + j];
        }
    for (int k = 0; k < N; k++) {
        double sum = 0;
        for (int j = 0; j < N; j++) sum += Q[k * N + j] * force[j];
        total += sum * force[k];
    }
    return total + of_states(e, t, &u);
}

jd_status jd_damping_accept(memory *e) {
    energy_ledger *l = e->observers.ledger;
    const coefficients *t;
    const double *Q;
    if (e->run->no_ledger) return JD_OK;
    bool driven = e->plan->n_drive > 0;
    bool by = driven ? jd_driven_has_form(e) : jd_damping_may_have_form(e->plan);
    if (!by) {
        l->damping += jd_damping_panel(e, 1);
        return JD_OK;
    }
    if (!l->parts) JD_TRY(set_parts(e));
    JD_TRY(form_of(e, &t, &Q));
    l->damping += by_form(e, t, Q) + (driven ? jd_driven_panel(e) : jd_damping_real(e));
    return JD_OK;
}

// damping_form.c -- what damping takes in a panel, as a quadratic form that belongs to its length.
//   Without drives  q' = Re(l e^{sx} z) + sum_k F_k S_k(x),  l = share s,  S_k = Re(l in phi_k(x)):
//     c int q'^2 = Re(A z^2) + B |z|^2 + sum_k F_k Re(C_k z) + sum_kj F_k F_j Q_kj,   c = -2 Re s
//   C a row of weights per force, Q summed over the poles once and for all: a panel costs a few
//   rows of weights instead of integrals of its own. With E = e^{sh}
//     A = c l^2 int e^{2sx}/2 = K (E^2 - 1),  B = c |l|^2 int |e^{sx}|^2/2 = L (1 - |E|^2),
//     K = c l^2/4s,  L = |l|^2/2,  C_k = 2 c l int e^{sx} S_k,  Q_kj = c int S_k S_j
//   K and L are those of the poles: coefficients are read and written once per panel, their size
//   counts. S of a power (x/h)^r of the force is Re(l M_r), M_r as in coefficients.c. fast poles:
//   M_r = -b_0 e^{sx} + sum_i b_i (x/h)^i,  b_r = -1/s,  b_i = (i+1) b_{i+1}/(sh) slow ones:   M_r
//   by its series, integrals by Gauss' rule: 1e-12 with 6 points and |s| h < 1
//                (tolerances from 1e-8 on), 1e-13 with 7 and 1.4
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"
#include "engine/memory/poles/factorials.h"

#define CLONES JD_CLONES("avx2")
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 6")
#define RE(x, y) (x##_re * y##_re - x##_im * y##_im)
#define IM(x, y) (x##_re * y##_im + x##_im * y##_re)

enum { GAUSS = 7, TERMS = 20 };

static const double factorial[STAGES] = {1, 1, 2, 6, 24, 120};
// Gauss' rule of few points, and |s| h from which the closed form is taken.
typedef struct rule {
    int points, terms; // terms: of the series at s = 0
    double fast;
    double node[GAUSS], weight[GAUSS];
} rule;

static const rule coarse = {6,
                            7,
                            1,
                            {0.033765242898423986, 0.169395306766867743, 0.380690406958401545,
                             0.619309593041598454, 0.830604693233132256, 0.966234757101576013},
                            {0.085662246189585172, 0.180380786524069303, 0.233956967286345523,
                             0.233956967286345523, 0.180380786524069303, 0.085662246189585172}};
static const rule fine = {
    7,
    9,
    1.4,
    {0.025446043828620737, 0.129234407200302780, 0.297077424311301416, 0.500000000000000000,
     0.702922575688698583, 0.870765592799697219, 0.974553956171379262},
    {0.064742483084434846, 0.139852695744638333, 0.190915025252559472, 0.208979591836734693,
     0.190915025252559472, 0.139852695744638333, 0.064742483084434846}};

// Four poles: the form in powers of the force, times 1/c.
typedef struct four {
    v4 C_re[STAGES], C_im[STAGES], Q[STAGES][STAGES]; // Q: r <= j
} four;

typedef struct four_poles {
    v4 re, im, inv_re, inv_im, l_re, l_im, E_re, E_im; // s, 1/s, share s, e^{sh}
} four_poles;

INLINE void clear(int s, four *f) {
    UNROLL for (int r = 0; r < s; r++) {
        f->C_re[r] = f->C_im[r] = ALL(0.0);
        UNROLL for (int j = r; j < s; j++) f->Q[r][j] = ALL(0.0);
    }
}

// g = l e^{sx} (re, im) and S_r at one point of the rule.
INLINE void add_point(int s, const v4 *g, const v4 *S, double part, four *f) {
    v4 g_re = g[0], g_im = g[1], w = ALL(part), u = w * g_re, v = w * g_im;
    UNROLL for (int r = 0; r < s; r++) {
        f->C_re[r] += ALL(2.0) * u * S[r];
        f->C_im[r] += ALL(2.0) * v * S[r];
        v4 y = w * S[r];
        UNROLL for (int j = r; j < s; j++) f->Q[r][j] += y * S[j];
    }
}

// phi_k = 1/k! + sx phi_{k+1} at all points of Gauss' rule side by side: one by one each would wait
// for the last.
INLINE void next_phi(int points, double first, const v4 *a, const v4 *b, v4 *p, v4 *q) {
    for (int g = 0; g < points; g++) {
        v4 t = ALL(first) + (a[g] * p[g] - b[g] * q[g]);
        q[g] = a[g] * q[g] + b[g] * p[g];
        p[g] = t;
    }
}

// Slow poles, `size` the largest |s| h: phi_{r+1}(sx) by its series, M_r = x theta^r r! phi_{r+1}.
INLINE void slow_four(int s, const rule *R, double h, double size, const four_poles *c, four *f) {
    v4 a[GAUSS], b[GAUSS], p[GAUSS], q[GAUSS], S[GAUSS][STAGES];
    int last = s + R->terms + (int)(6 * size);
    for (int g = 0; g < R->points; g++) {
        a[g] = c->re * ALL(R->node[g] * h);
        b[g] = c->im * ALL(R->node[g] * h);
        p[g] = ALL(jd_one_over_factorial[last]);
        q[g] = ALL(0.0);
    }
    UNROLL for (int k = last - 1; k >= s; k--)
        next_phi(R->points, jd_one_over_factorial[k], a, b, p, q);
    UNROLL for (int r = s - 1; r >= 0; r--) { // p, q: phi_{r+1}
        for (int g = 0; g < R->points; g++) S[g][r] = c->l_re * p[g] - c->l_im * q[g];
        next_phi(R->points, jd_one_over_factorial[r], a, b, p, q);
    }
    clear(s, f);
    for (int g = 0; g < R->points; g++) { // p, q: e^{sx}
        double power = R->node[g] * h;
        UNROLL for (int r = 0; r < s; r++, power *= r * R->node[g]) S[g][r] *= ALL(power);
        v4 at[] = {c->l_re * p[g] - c->l_im * q[g], c->l_re * q[g] + c->l_im * p[g]};
        add_point(s, at, S[g], R->weight[g] * h, f);
    }
}

// The power r of the force: S_r = Re(D e^{sx}) + sum_i P_i (x/h)^i,  P_i = r!/i! Re(l b), b =
// -(sh)^{i-r}/s.
typedef struct answer {
    v4 D_re, D_im, P[STAGES];
} answer;

INLINE void answers(int s, double h, const four_poles *c, answer *out) {
    v4 b_re = -c->inv_re, b_im = -c->inv_im, t, P[STAGES];
    UNROLL for (int r = 0; r < s; r++) {
        P[r] = c->l_re * b_re - c->l_im * b_im;
        UNROLL for (int i = 0; i <= r; i++) out[r].P[i] =
            ALL(factorial[r] * jd_one_over_factorial[i]) * P[r - i];
        out[r].D_re = -out[r].P[0];
        out[r].D_im = ALL(-factorial[r]) * (c->l_re * b_im + c->l_im * b_re);
        t = ALL(1 / h) * (b_re * c->inv_re - b_im * c->inv_im);
        b_im = ALL(1 / h) * (b_re * c->inv_im + b_im * c->inv_re);
        b_re = t;
    }
}

// Fast poles. J_i = int e^{sx} (x/h)^i, W = int e^{2sx}, N = int |e^{sx}|^2.
INLINE void fast_four(int s, double h, const double *over, const four_poles *c, four *f) {
    v4 inv_re = c->inv_re, inv_im = c->inv_im, E_re = c->E_re, E_im = c->E_im, l_re = c->l_re,
       l_im = c->l_im, J_re[STAGES], J_im[STAGES];
    v4 t_re = E_re - ALL(1.0), t_im = E_im;
    answer u[STAGES];
    UNROLL for (int i = 0; i < s; i++) {
        J_re[i] = RE(t, inv);
        J_im[i] = IM(t, inv);
        t_re = E_re - ALL((i + 1) / h) * J_re[i];
        t_im = E_im - ALL((i + 1) / h) * J_im[i];
    }
    answers(s, h, c, u);
    t_re = ALL(0.5) * (RE(E, E) - ALL(1.0));
    t_im = ALL(0.5) * IM(E, E);
    v4 W_re = RE(t, inv), W_im = IM(t, inv);
    i4 damped = (i4)(c->re < ALL(0.0)); // N/0 is not asked for: the form is multiplied by c
    v4 twice = (v4)(((i4)(c->re + c->re) & damped) | ((i4)ALL(-1.0) & ~damped));
    v4 N = (E_re * E_re + E_im * E_im - ALL(1.0)) / twice;
    UNROLL for (int r = 0; r < s; r++) {
        v4 D_re = u[r].D_re, D_im = u[r].D_im, x_re = RE(D, W) + D_re * N,
           x_im = IM(D, W) - D_im * N, all[STAGES];
        v4 y_re = ALL(0.5) * x_re, y_im = ALL(0.5) * x_im;
        UNROLL for (int i = 0; i <= r; i++) {
            x_re += ALL(2.0) * u[r].P[i] * J_re[i];
            x_im += ALL(2.0) * u[r].P[i] * J_im[i];
        }
        f->C_re[r] = RE(l, x);
        f->C_im[r] = IM(l, x);
        UNROLL for (int i = 0; i <= r; i++) { // int S_r (x/h)^i
            all[i] = D_re * J_re[i] - D_im * J_im[i];
            UNROLL for (int k = 0; k <= r; k++) all[i] += ALL(over[i + k]) * u[r].P[k];
        }
        UNROLL for (int j = 0; j <= r; j++) {
            v4 sum = y_re * u[j].D_re - y_im * u[j].D_im;
            UNROLL for (int i = 0; i <= j; i++) sum += u[j].P[i] * all[i];
            UNROLL for (int i = 0; i <= r; i++) sum +=
                u[r].P[i] * (u[j].D_re * J_re[i] - u[j].D_im * J_im[i]);
            f->Q[j][r] = sum;
        }
    }
}

#define CHOOSE(first, a, b) ((v4)(((i4)(a) & (first)) | ((i4)(b) & ~(first))))

INLINE void merge(int s, const i4 *which, const four *a, four *b) {
    i4 slow = *which;
    UNROLL for (int r = 0; r < s; r++) {
        b->C_re[r] = CHOOSE(slow, a->C_re[r], b->C_re[r]);
        b->C_im[r] = CHOOSE(slow, a->C_im[r], b->C_im[r]);
        UNROLL for (int j = r; j < s; j++) b->Q[r][j] = CHOOSE(slow, a->Q[r][j], b->Q[r][j]);
    }
}

// From powers to nodes, times c and participations; Q is added up over the poles as it is.
INLINE void keep(const memory_plan *plan, int s, int p, const four *f, damping_form *to, v4 *Q) {
    const poles *ch = &plan->poles;
    int m = plan->m, n = ch->n;
    v4 c = ALL(-2.0) * LOAD(ch->re + p);
    UNROLL for (int j = 0; j < m; j++) {
        v4 in = c * LOAD(ch->in_re + j * n + p);
        UNROLL for (int k = 0; k < s; k++) {
            v4 re = ALL(0.0), im = re;
            UNROLL for (int r = 0; r < s; r++) {
                re += ALL(plan->nodes.lagrange[k][r]) * f->C_re[r];
                im += ALL(plan->nodes.lagrange[k][r]) * f->C_im[r];
            }
            STORE(to->C_re + (k * m + j) * n + p, in * re);
            STORE(to->C_im + (k * m + j) * n + p, in * im);
        }
        UNROLL for (int i = 0; i <= j; i++) {
            v4 both = in * LOAD(ch->in_re + i * n + p);
            UNROLL for (int r = 0; r < s; r++) UNROLL for (int k = r; k < s; k++)
                Q[((j * m + i) * STAGES + r) * STAGES + k] += both * f->Q[r][k];
        }
    }
}

INLINE void fill(const memory_plan *plan, int s, const rule *R, const coefficients *t,
                 damping_form *to, v4 *Q) {
    const poles *c = &plan->poles;
    double over[2 * STAGES]; // int (x/h)^i
    UNROLL for (int i = 0; i < 2 * STAGES; i++) over[i] = t->h / (i + 1);
    for (int p = 0; p < c->n; p += 4) {
        v4 re = LOAD(c->re + p), im = LOAD(c->im + p), size = re * re + im * im;
        v4 h_re = CHOOSE((i4)(im > ALL(0.0)), LOAD(c->share_re + p), ALL(0.0));
        v4 h_im = CHOOSE((i4)(im > ALL(0.0)), LOAD(c->share_im + p), ALL(0.0));
        four_poles x = {re,
                        im,
                        LOAD(c->inv_re + p),
                        LOAD(c->inv_im + p),
                        h_re * re - h_im * im,
                        h_re * im + h_im * re,
                        LOAD(t->e_re + p),
                        LOAD(t->e_im + p)};
        i4 slow = (i4)(size * ALL(t->h * t->h) < ALL(R->fast * R->fast));
        four a, b;
        double most = fmax(fmax(size[0], size[1]), fmax(size[2], size[3]));
        bool some = slow[0] | slow[1] | slow[2] | slow[3];
        if (some) slow_four(s, R, t->h, fmin(sqrt(most) * t->h, R->fast), &x, &a);
        if (some && (slow[0] & slow[1] & slow[2] & slow[3])) {
            keep(plan, s, p, &a, to, Q);
            continue;
        }
        fast_four(s, t->h, over, &x, &b);
        if (some) merge(s, &slow, &a, &b);
        keep(plan, s, p, &b, to, Q);
    }
}

CLONES static void fill_four(const memory_plan *plan, const coefficients *t, damping_form *to,
                             v4 *Q) {
    fill(plan, 4, &coarse, t, to, Q);
}

CLONES static void fill_five(const memory_plan *plan, const coefficients *t, damping_form *to,
                             v4 *Q) {
    fill(plan, 5, &fine, t, to, Q);
}

// Q_kj of the nodes from the powers' of contacts j >= i: lagrange Q lagrange'.
static void set_Q(const memory_plan *plan, int j, int i, const v4 *sums, damping_form *to) {
    int s = plan->nodes.s, m = plan->m, n = s * m;
    double half[STAGES][STAGES] = {{0}}, Q[STAGES][STAGES];
    for (int r = 0; r < s; r++)
        for (int q = r; q < s; q++) {
            v4 x = sums[((j * m + i) * STAGES + r) * STAGES + q];
            Q[r][q] = Q[q][r] = (x[0] + x[1]) + (x[2] + x[3]);
        }
    for (int k = 0; k < s; k++)
        for (int r = 0; r < s; r++)
            for (int q = 0; q < s; q++) half[k][q] += plan->nodes.lagrange[k][r] * Q[r][q];
    for (int k = 0; k < s; k++)
        for (int l = 0; l < s; l++) {
            double total = 0;
            for (int q = 0; q < s; q++) total += half[k][q] * plan->nodes.lagrange[l][q];
            to->Q[(k * m + j) * n + l * m + i] = total;
            to->Q[(l * m + i) * n + k * m + j] = total;
        }
}

static bool has_form(const memory_plan *plan) {
    const jd_modal *modal = &jd_problem_system(plan->problem)->modal;
    return plan->poles.exact && modal->law != JD_DAMPING_NONE && !plan->poles.right &&
           plan->n_drive == 0 && plan->m <= FORM_CONTACTS;
}

// K and L of the pairs; real poles have none.
static jd_status set_fade(memory *e) {
    const poles *c = &e->plan->poles;
    int n = c->n;
    double *K_re = e->observers.ledger->fade = JD_TAKE(e->arena, double, 3 * n), *K_im = K_re + n,
           *L = K_im + n;
    JD_TRY(jd_arena_status(e->arena));
    for (int p = 0; p < c->used; p++) {
        if (c->im[p] <= 0) continue;
        double re = c->share_re[p] * c->re[p] - c->share_im[p] * c->im[p]; // l
        double im = c->share_re[p] * c->im[p] + c->share_im[p] * c->re[p];
        double a = re * re - im * im, b = 2 * re * im, part = -c->re[p] / 2;
        K_re[p] = part * (a * c->inv_re[p] - b * c->inv_im[p]);
        K_im[p] = part * (a * c->inv_im[p] + b * c->inv_re[p]);
        L[p] = (re * re + im * im) / 2;
    }
    return JD_OK;
}

static jd_status take_form(memory *e, damping_form *f) {
    int n = e->plan->poles.n, N = e->plan->nodes.s * e->plan->m;
    double *all = JD_TAKE_RAW(e->arena, double, 2 * N * n + N * N);
    JD_TRY(jd_arena_status(e->arena));
    *f = (damping_form){all, all + N * n, all + 2 * N * n};
    return JD_OK;
}

static void set_form(const memory_plan *plan, const coefficients *t) {
    v4 sums[FORM_CONTACTS * FORM_CONTACTS * STAGES * STAGES];
    memset(sums, 0, sizeof sums);
    (plan->nodes.s == 4 ? fill_four : fill_five)(plan, t, t->form, sums);
    for (int j = 0; j < plan->m; j++)
        for (int i = 0; i <= j; i++) set_Q(plan, j, i, sums, t->form);
}

// A panel that ends at an event or a break: a form for it alone.
static jd_status form_once(memory *e) {
    coefficients *t = e->observers.ledger->once;
    int n = e->plan->poles.n;
    if (!t) {
        t = e->observers.ledger->once = JD_TAKE(e->arena, coefficients, 1);
        JD_TRY(jd_arena_status(e->arena));
        t->e_re = JD_TAKE(e->arena, double, n);
        t->e_im = JD_TAKE(e->arena, double, n);
        t->form = JD_TAKE(e->arena, damping_form, 1);
        JD_TRY(take_form(e, t->form));
    }
    t->h = e->panel.h;
    e->plan->lanes->exponentials(n, e->plan->poles.re, e->plan->poles.im, e->panel.h, t->e_re,
                                 t->e_im);
    set_form(e->plan, t);
    return JD_OK;
}

// sum Re(K ((Ez)^2 - z^2)) + L (|z|^2 - |Ez|^2)
CLONES static double of_state(int n, const double *fade, const coefficients *t, const double *z_re,
                              const double *z_im) {
    const double *K_re = fade, *K_im = fade + n, *L = fade + 2 * n;
    v4 sum = ALL(0.0);
    for (int p = 0; p < n; p += 4) {
        v4 x = LOAD(z_re + p), y = LOAD(z_im + p), E_re = LOAD(t->e_re + p),
           E_im = LOAD(t->e_im + p);
        v4 u = E_re * x - E_im * y, v = E_re * y + E_im * x, xx = x * x, yy = y * y, uu = u * u,
           vv = v * v, xy = u * v - x * y;
        sum += LOAD(K_re + p) * ((uu - vv) - (xx - yy)) - LOAD(K_im + p) * (xy + xy) +
               LOAD(L + p) * ((xx + yy) - (uu + vv));
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double by_form(const memory *e, const coefficients *t) {
    const poles *c = &e->plan->poles;
    const damping_form *f = t->form;
    int N = e->plan->nodes.s * e->plan->m;
    double row[STAGES * FORM_CONTACTS],
        total = of_state(c->n, e->observers.ledger->fade, t, e->state.z_re, e->state.z_im);
    jd_weigh_rows(N, c->n, f->C_re, f->C_im, e->state.z_re, e->state.z_im, row);
    for (int k = 0; k < N; k++) {
        double sum = row[k];
        for (int j = 0; j < N; j++) sum += f->Q[k * N + j] * e->panel.force[j];
        total += sum * e->panel.force[k];
    }
    return total;
}

jd_status jd_damping_accept(memory *e) {
    if (e->run->no_ledger) return JD_OK;
    if (!has_form(e->plan)) {
        e->observers.ledger->damping += jd_damping_panel(e, 1);
        return JD_OK;
    }
    const coefficients *t =
        e->panel.coefficients && e->panel.coefficients->form ? e->panel.coefficients : NULL;
    if (!e->observers.ledger->fade) JD_TRY(set_fade(e));
    if (!t) JD_TRY(form_once(e));
    if (t && !t->form->C_re) {
        JD_TRY(take_form(e, t->form));
        set_form(e->plan, t);
    }
    e->observers.ledger->damping +=
        by_form(e, t ? t : e->observers.ledger->once) + jd_damping_real(e);
    return JD_OK;
}

// damping_driven.c -- what damping takes beside harmonic drives, in closed form.
//   A mode's velocity is that of the panel's own motion (damping_form.c) and that by the drives,
//     q' = Re(l z) + sum_d Re(Q_d A_d),   A = a e^{iWt},  f = 2 Re A
//     Q = l in/(iW - s) + conj(l in/(-iW - s)),   z' = s z + sum_j in_j F_j
//   so that c int q'^2 has, beside c int Re(l z)^2:
//     crossed  Re([z (alpha A + beta conj A)] - sum_j int F_j in_j (alpha A + beta conj A)),
//              alpha = c l Q/(s + iW),  beta = c l conj(Q)/(s - iW)
//     alone    int sum_de Re(X_de A_d A_e + Y_de A_d conj A_e),
//              X = sum c Q_d Q_e/2,  Y = sum c Q_d conj(Q_e)/2
//   Only the ends of the crossed part are sums over the poles. Constant forces move nothing.
//   1/(s - iW) takes digits where a lightly damped mode is in resonance, as many in every
//   panel: that is left to damping.c.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"
#include "engine/memory/poles/factorials.h"
#include "expsum/complex.h"

#define CLONES JD_CLONES("avx2")

static const double fast = 2.5;        // W h from which moments are taken upwards
static const double far_enough = 1e-3; // |s - iW| over W
static const double never = -1;        // no frequency

typedef jd_complex cx;
static cx scaled(double f, cx a) { return (cx){f * a.re, f * a.im}; }
static void add(cx *sum, cx a) {
    sum->re += a.re;
    sum->im += a.im;
}

// Of one drive. alpha A + beta conj A = (by[0] Re A + by[1] Im A) + i (by[2] Re A + by[3] Im A)
typedef struct driven_one {
    double omega;         // the numbers below belong to it
    double closest;       // least |s - iW| of the damped poles
    double *Q_re, *Q_im;  // n
    double *by[4];        // n
    cx in[FORM_CONTACTS]; // sum of in_j (alpha + conj beta)/2: 2 int F_j A enters by it
} driven_one;

// A panel of a drive: A at its beginning, its middle and its end. What depends on its length alone
// is kept for the next one, which may be as long.
typedef struct turning {
    double theta; // W h; 0: none yet
    cx half;      // e^{i theta/2}
    cx J[STAGES]; // int_0^1 x^r e^{i theta x} dx
    cx from, middle, to;
} turning;

struct driven_damping {
    driven_one drive[FORM_DRIVES];
    cx X[FORM_DRIVES][FORM_DRIVES], Y[FORM_DRIVES][FORM_DRIVES];
    double *end_re, *end_im;      // n: states of the poles at the end of the panel
    bool has_form;                // the panel prepared last
    double t, h;                  // where it begins, its length [s]
    turning turning[FORM_DRIVES]; // of it
    bool held;                    // no damped mode goes on under a constant force
};

static bool is_damped(const poles *c, int p) { return c->im[p] > 0 && c->re[p] != 0; }

static void set_pole(const memory_plan *plan, const drive_part *from, int p, driven_one *d) {
    const poles *c = &plan->poles;
    double W = from->omega, taken = -2 * c->re[p];
    cx s = {c->re[p], c->im[p]}, l = times((cx){c->share_re[p], c->share_im[p]}, s);
    cx in = times(l, (cx){from->in_re[p], from->in_im[p]});
    cx Q = over(in, (cx){-s.re, W - s.im});
    add(&Q, conjugate(over(in, (cx){-s.re, -W - s.im})));
    cx alpha = over(times(scaled(taken, l), Q), (cx){s.re, s.im + W});
    cx beta = over(times(scaled(taken, l), conjugate(Q)), (cx){s.re, s.im - W});
    d->Q_re[p] = Q.re;
    d->Q_im[p] = Q.im;
    d->by[0][p] = alpha.re + beta.re;
    d->by[1][p] = beta.im - alpha.im;
    d->by[2][p] = alpha.im + beta.im;
    d->by[3][p] = alpha.re - beta.re;
    add(&alpha, conjugate(beta));
    for (int j = 0; j < plan->m; j++) add(&d->in[j], scaled(c->in_re[j * c->n + p] / 2, alpha));
    d->closest = fmin(d->closest, hypot(s.re, s.im - W));
}

static void set_drive(const memory_plan *plan, int i, driven_one *d) {
    d->omega = plan->drive[i].omega;
    d->closest = HUGE_VAL;
    memset(d->in, 0, sizeof d->in);
    memset(d->Q_re, 0, (size_t)plan->poles.n * sizeof *d->Q_re);
    memset(d->Q_im, 0, (size_t)plan->poles.n * sizeof *d->Q_im);
    for (int p = 0; d->omega > 0 && p < plan->poles.used; p++)
        if (is_damped(&plan->poles, p)) set_pole(plan, &plan->drive[i], p, d);
}

static void set_pair(const poles *c, driven_damping *g, int i, int k) {
    const driven_one *a = &g->drive[i], *b = &g->drive[k];
    cx X = {0, 0}, Y = {0, 0};
    for (int p = 0; p < c->used; p++) {
        cx x = scaled(-c->re[p], (cx){a->Q_re[p], a->Q_im[p]}), y = {b->Q_re[p], b->Q_im[p]};
        add(&X, times(x, y));
        add(&Y, times(x, conjugate(y)));
    }
    g->X[i][k] = X;
    g->Y[i][k] = Y;
}

static bool all_held(const poles *c) {
    for (int p = 0; p < c->used; p++)
        if (is_soft(c, p) && is_damped(c, p)) return false;
    return !c->real;
}

static jd_status take(memory *e, driven_damping **out) {
    int n = e->plan->poles.n;
    driven_damping *g = JD_TAKE(e->arena, driven_damping, 1);
    double *all = JD_TAKE(e->arena, double, (6 * e->plan->n_drive + 2) * n);
    JD_TRY(jd_arena_status(e->arena));
    g->end_re = all, all += n;
    g->end_im = all, all += n;
    for (int i = 0; i < e->plan->n_drive; i++) {
        g->drive[i].omega = never;
        g->drive[i].Q_re = all, all += n;
        g->drive[i].Q_im = all, all += n;
        for (int k = 0; k < 4; k++, all += n) g->drive[i].by[k] = all;
    }
    g->held = all_held(&e->plan->poles);
    *out = g;
    return JD_OK;
}

static void set_again(memory *e, driven_damping *g) {
    bool other = false;
    for (int i = 0; i < e->plan->n_drive; i++) {
        if (g->drive[i].omega == e->plan->drive[i].omega) continue;
        set_drive(e->plan, i, &g->drive[i]);
        other = true;
    }
    for (int i = 0; other && i < e->plan->n_drive; i++)
        for (int k = 0; k < e->plan->n_drive; k++) set_pair(&e->plan->poles, g, i, k);
}

// J_r up from the first, or below `fast` down from the last one's series; E = e^{i theta}.
static void set_moments(int s, double theta, cx E, cx *J) {
    if (theta >= fast) {
        cx f = {E.re - 1, E.im};
        for (int r = 0; r < s; r++) {
            J[r] = (cx){f.im / theta, -f.re / theta};
            f = (cx){E.re - (r + 1) * J[r].re, E.im - (r + 1) * J[r].im};
        }
        return;
    }
    cx sum = {0, 0};
    for (int k = (int)(11 + 6 * theta); k >= 0; k--)
        sum = (cx){jd_one_over_factorial[k] / (k + s) - theta * sum.im, theta * sum.re};
    J[s - 1] = sum;
    for (int r = s - 1; r > 0; r--)
        J[r - 1] = (cx){(E.re + theta * J[r].im) / r, (E.im - theta * J[r].re) / r};
}

static void set_turning(const memory *e, int i, turning *t) {
    double theta = e->observers.ledger->driven->drive[i].omega * e->panel.h;
    if (t->theta != theta) {
        t->theta = theta;
        t->half = (cx){cos(theta / 2), sin(theta / 2)};
        set_moments(e->plan->nodes.s, theta, times(t->half, t->half), t->J);
    }
    t->from = jd_drives_turn(e, i, e->state.t);
    t->middle = times(t->from, t->half);
    t->to = times(t->middle, t->half);
}

static bool is_plain(const memory *e, int i) {
    const jd_drive_segment *s = &e->panel.segment[i];
    double closest = e->observers.ledger->driven->drive[i].closest;
    return s->slope == 0 && (s->amplitude == 0 || closest >= far_enough * s->omega);
}

jd_status jd_driven_prepare(memory *e) {
    energy_ledger *l = e->observers.ledger;
    if (e->plan->n_drive == 0 || !jd_damping_may_have_form(e->plan)) return JD_OK;
    if (!l->driven) JD_TRY(take(e, &l->driven));
    set_again(e, l->driven);
    bool plain = l->driven->held;
    for (int i = 0; i < e->plan->n_drive; i++) plain = plain && is_plain(e, i);
    for (int i = 0; plain && i < e->plan->n_drive; i++)
        if (e->panel.segment[i].amplitude != 0) set_turning(e, i, &l->driven->turning[i]);
    l->driven->has_form = plain;
    l->driven->t = e->state.t;
    l->driven->h = e->panel.h;
    return JD_OK;
}

bool jd_driven_has_form(const memory *e) {
    const driven_damping *g = e->observers.ledger->driven;
    return g && g->has_form && g->t == e->state.t && g->h == e->panel.h;
}

void jd_driven_ends(const memory *e, double **re, double **im) {
    *re = e->observers.ledger->driven->end_re;
    *im = e->observers.ledger->driven->end_im;
}

// 2 int y A of the panel, y the polynomial through values at the nodes.
static cx with(const memory *e, const turning *t, const double *at, int stride) {
    double y[STAGES + 1];
    cx sum = {0, 0};
    jd_nodes_narrow(&e->plan->nodes, at, stride, y);
    for (int r = 0; r < e->plan->nodes.s; r++) add(&sum, scaled(y[r], t->J[r]));
    return scaled(2 * e->panel.h, times(t->from, sum));
}

double jd_driven_work(const memory *e, int i, const double *velocity, int stride) {
    const nodes *n = &e->plan->nodes;
    double way = 0;
    for (int k = 0; k < n->s; k++) way += n->weight[k] * velocity[k * stride];
    way *= e->panel.h * e->panel.segment[i].level;
    if (e->panel.segment[i].amplitude == 0) return way;
    return way + with(e, &e->observers.ledger->driven->turning[i], velocity, stride).re;
}

// Re(z (alpha A + beta conj A)) at the end, A = B there, less that at the beginning, over the
// poles.
CLONES static double at_ends(const memory *e, const driven_one *d, cx A, cx B) {
    const driven_damping *g = e->observers.ledger->driven;
    const double *x = e->state.z_re, *y = e->state.z_im, *v = g->end_re, *w = g->end_im;
    v4 from_re = ALL(0.0), from_im = from_re, to_re = from_re, to_im = from_re;
    for (int p = 0; p < e->plan->poles.n; p += 4) {
        v4 f = LOAD(d->by[0] + p), h = LOAD(d->by[1] + p), k = LOAD(d->by[2] + p),
           l = LOAD(d->by[3] + p);
        from_re += LOAD(x + p) * f - LOAD(y + p) * k;
        from_im += LOAD(x + p) * h - LOAD(y + p) * l;
        to_re += LOAD(v + p) * f - LOAD(w + p) * k;
        to_im += LOAD(v + p) * h - LOAD(w + p) * l;
    }
    v4 all = (ALL(B.re) * to_re + ALL(B.im) * to_im) - (ALL(A.re) * from_re + ALL(A.im) * from_im);
    return (all[0] + all[1]) + (all[2] + all[3]);
}

static double crossed(const memory *e, int i, const turning *t) {
    const driven_one *d = &e->observers.ledger->driven->drive[i];
    double sum = at_ends(e, d, t->from, t->to);
    for (int j = 0; j < e->plan->m; j++)
        sum -= times(d->in[j], with(e, t, e->panel.force + j, e->plan->m)).re;
    return sum;
}

static double sinc(double x) { return fabs(x) < 1e-4 ? 1 - x * x / 6 : sin(x) / x; }

// int A_d A_e = h A_d A_e sinc((W_d + W_e) h/2), the latter two in the middle.
static double alone(const memory *e, const turning *t) {
    const driven_damping *g = e->observers.ledger->driven;
    const jd_drive_segment *s = e->panel.segment;
    double sum = 0;
    for (int i = 0; i < e->plan->n_drive; i++)
        for (int k = 0; k <= i; k++) {
            if (s[i].amplitude == 0 || s[k].amplitude == 0) continue;
            double both = k < i ? 2 : 1;
            cx a = times(t[i].middle, t[k].middle), b = times(t[i].middle, conjugate(t[k].middle));
            sum += both * times(g->X[i][k], a).re * sinc((t[i].theta + t[k].theta) / 2);
            sum += both * times(g->Y[i][k], b).re * sinc((t[i].theta - t[k].theta) / 2);
        }
    return e->panel.h * sum;
}

double jd_driven_panel(const memory *e) {
    const turning *t = e->observers.ledger->driven->turning;
    double sum = alone(e, t);
    for (int i = 0; i < e->plan->n_drive; i++)
        if (e->panel.segment[i].amplitude != 0) sum += crossed(e, i, &t[i]);
    return sum;
}

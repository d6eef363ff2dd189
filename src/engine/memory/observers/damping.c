// damping.c -- what damping takes in a panel, mode by mode: c int q'^2, by itself and not as what
// is left of the others.
//   A pole w' = s w + f(x) with f a polynomial (contact forces; drives to degree 8) is
//     w = A e^{sx} + P(x),  b_r = ((r+1) b_{r+1}/h - f_r)/s,  A = w(0) - b_0      for |s| h >= 2
//     w = sum a_r (x/h)^r,  a_{r+1} = h (s a_r + f_r)/(r+1)                       below
//   q' = Re(share s w) = Re(alpha e^{sx}) + S(x):
//     int q'^2 = Re(alpha^2 [e^{2sx}])/4s + |alpha|^2 [e^{2ax}]/4a + 2 Re alpha sum S_r J_r
//                + h sum S_r S_t/(r+t+1),       J_r = int e^{sx} (x/h)^r, a = Re s
//   Slow ones, both poles of an overdamped mode, and modes coupled by a damping matrix by Gauss's
//   quadrature instead, pieces growing from the panel's beginning where a mode decays fast.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/constants.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"

#define CLONES JD_CLONES("avx2")

enum { GAUSS = 10, DRIVE = 9, POWERS = FORCE_POWERS, TAYLOR = 28, MOST_PIECES = 400 };

// Nodes and weights on [0, 1].
static const double node[GAUSS] = {0.013046735741414140, 0.067468316655507745, 0.16029521585048780,
                                   0.28330230293537640,  0.42556283050918440,  0.57443716949081560,
                                   0.71669769706462360,  0.83970478414951220,  0.93253168334449226,
                                   0.98695326425858586};
static const double weight[GAUSS] = {
    0.033335672154344069, 0.074725674575290296, 0.10954318125799102, 0.13463335965499817,
    0.14776211235737644,  0.14776211235737644,  0.13463335965499817, 0.10954318125799102,
    0.074725674575290296, 0.033335672154344069};
static const double fast = 2; // |s| h from which the closed form is taken

// Forces as polynomials in x/h, contacts first: n powers of each; what they act through.
typedef struct push {
    int n, places;
    double h;
    const double *f;           // places x POWERS
    const double *in[64 + 64]; // places: participations of the poles
} push;

#define RE(x, y) (x##_re * y##_re - x##_im * y##_im)
#define IM(x, y) (x##_re * y##_im + x##_im * y##_re)

// 2 |a| int q'^2 of the four poles from p on.
CLONES static void closed_form(const memory *e, const push *u, int p, const double *E0_re,
                               const double *E0_im, double out[4]) {
    const poles *c = &e->plan->poles;
    v4 inv_re = LOAD(c->inv_re + p), inv_im = LOAD(c->inv_im + p), b_re = ALL(0.0), b_im = b_re;
    v4 E_re = LOAD(E0_re + p), E_im = LOAD(E0_im + p), a = LOAD(c->re + p), w = LOAD(c->im + p);
    v4 h_re = LOAD(c->share_re + p), h_im = LOAD(c->share_im + p), S[POWERS], squares = ALL(0.0);
    v4 l_re = h_re * a - h_im * w, l_im = h_re * w + h_im * a; // share s: from w to q'
    for (int r = u->n - 1; r >= 0; r--) {
        v4 t_re = ALL((r + 1) / u->h) * b_re, t_im = ALL((r + 1) / u->h) * b_im;
        for (int j = 0; j < u->places; j++) t_re -= LOAD(u->in[j] + p) * ALL(u->f[j * POWERS + r]);
        b_re = RE(t, inv);
        b_im = IM(t, inv);
        S[r] = RE(l, b);
    }
    v4 d_re = LOAD(e->scratch.z_re + p) - b_re, d_im = LOAD(e->scratch.z_im + p) - b_im;
    v4 A_re = RE(l, d), A_im = IM(l, d), sum_re = ALL(0.0), sum_im = sum_re;
    v4 t_re = E_re - ALL(1.0), t_im = E_im, J_re = RE(t, inv), J_im = IM(t, inv);
    for (int r = 0; r < u->n; r++) {
        sum_re += S[r] * J_re;
        sum_im += S[r] * J_im;
        for (int k = 0; k < u->n; k++) squares += S[r] * S[k] * ALL(u->h / (r + k + 1));
        t_re = E_re - ALL((r + 1) / u->h) * J_re;
        t_im = E_im - ALL((r + 1) / u->h) * J_im;
        J_re = RE(t, inv);
        J_im = IM(t, inv);
    }
    v4 q_re = RE(A, A), q_im = IM(A, A), size = A_re * A_re + A_im * A_im;
    t_re = RE(E, E) - ALL(1.0);
    t_im = IM(E, E);
    v4 o_re = RE(q, t), o_im = IM(q, t);
    v4 own = RE(o, inv), fading = ALL(1.0) - (E_re * E_re + E_im * E_im);
    v4 total = ALL(0.25) * own + ALL(2.0) * RE(A, sum) + squares;
    STORE(out, ALL(0.5) * size * fading - ALL(2.0) * a * total);
}

// Taylor coefficients of q' in x/h for a pole, added to v.
static void taylor(const memory *e, const push *u, int p, double *v) {
    const poles *c = &e->plan->poles;
    double re = e->scratch.z_re[p], im = e->scratch.z_im[p];
    double sr = c->share_re[p] * c->re[p] - c->share_im[p] * c->im[p];
    double si = c->share_re[p] * c->im[p] + c->share_im[p] * c->re[p];
    for (int r = 0; r < TAYLOR; r++) {
        double f = 0;
        for (int j = 0; r < u->n && j < u->places; j++) f += u->in[j][p] * u->f[j * POWERS + r];
        v[r] += sr * re - si * im;
        double x = c->re[p] * re - c->im[p] * im + f, y = c->re[p] * im + c->im[p] * re;
        re = u->h * x / (r + 1);
        im = u->h * y / (r + 1);
    }
}

// 2 |a| int q'^2 of the four poles from p on by their Taylor series, `terms` of them.
CLONES static void series(const memory *e, const push *u, int p, int terms, double out[4]) {
    const poles *c = &e->plan->poles;
    v4 re = LOAD(e->scratch.z_re + p), im = LOAD(e->scratch.z_im + p), v[TAYLOR], total = ALL(0.0);
    v4 a = LOAD(c->re + p), w = LOAD(c->im + p), h_re = LOAD(c->share_re + p),
       h_im = LOAD(c->share_im + p), l_re = h_re * a - h_im * w, l_im = h_re * w + h_im * a;
    for (int r = 0; r < terms; r++) {
        v4 x = a * re - w * im, y = a * im + w * re, step = ALL(u->h / (r + 1));
        for (int j = 0; r < u->n && j < u->places; j++)
            x += LOAD(u->in[j] + p) * ALL(u->f[j * POWERS + r]);
        v[r] = l_re * re - l_im * im;
        re = step * x;
        im = step * y;
    }
    for (int g = 0; g < GAUSS; g++) {
        v4 y = v[terms - 1];
        for (int r = terms - 2; r >= 0; r--) y = y * ALL(node[g]) + v[r];
        total += ALL(weight[g] * u->h) * y * y;
    }
    STORE(out, ALL(-2.0) * a * total);
}

// q' of a real pole at x.
static double real_pole(const memory *e, const push *u, int p, double x) {
    const poles *c = &e->plan->poles;
    double s = c->re[p], share = c->share_re[p] * s, b = 0, sum = 0, theta = x / u->h;
    if (fabs(s) * u->h < fast) {
        double v[TAYLOR] = {0};
        taylor(e, u, p, v);
        return jd_polynomial(TAYLOR - 1, v, theta);
    }
    double coefficient[POWERS];
    for (int r = u->n - 1; r >= 0; r--) {
        double f = 0;
        for (int j = 0; j < u->places; j++) f += u->in[j][p] * u->f[j * POWERS + r];
        coefficient[r] = b = ((r + 1) / u->h * b - f) / s;
    }
    sum = jd_polynomial(u->n - 1, coefficient, theta);
    return share * ((e->scratch.z_re[p] - b) * exp(s * x) + sum);
}

// Both poles of an overdamped mode; pieces double in length from the beginning.
static double overdamped(const memory *e, const push *u, int p, int other) {
    double total = 0, from = 0,
           to = fmin(u->h, 2 / fmax(-e->plan->poles.re[p], -e->plan->poles.re[other]));
    while (from < u->h) {
        for (int g = 0; g < GAUSS; g++) {
            double x = from + node[g] * (to - from);
            double v = real_pole(e, u, p, x) + real_pole(e, u, other, x);
            total += weight[g] * (to - from) * v * v;
        }
        from = to;
        to = fmin(u->h, 2 * to);
    }
    return total;
}

// Modes that damping couples: q'C q' of all of them.
static double coupled(memory *e, const jd_modal *modal, double end) {
    int n = modal->n, pieces;
    double most = 0, total = 0;
    for (int p = 0; p < e->plan->poles.used; p++)
        most = fmax(most, hypot(e->plan->poles.re[p], e->plan->poles.im[p]));
    pieces = (int)fmin(1 + most * end / 4, MOST_PIECES);
    for (int i = 0; i < pieces * GAUSS; i++) {
        int piece = i / GAUSS;
        double x = (piece + node[i % GAUSS]) * end / pieces, *q = e->observers.ledger->q,
               *v = e->observers.ledger->rate;
        jd_poles_inside(e, x);
        jd_drives_share(e, e->state.t + x, e->scratch.z_re, e->scratch.z_im);
        jd_poles_modes(e->plan, e->scratch.z_re, e->scratch.z_im, q, v);
        for (int k = 0; k < n; k++)
            for (int l = 0; l < n; l++)
                total += weight[i % GAUSS] * end / pieces * v[k] * v[l] *
                         modal->C[(size_t)k * (size_t)n + (size_t)l];
    }
    return total;
}

// A drive's force by Newton's divided differences at DRIVE points.
static void interpolate(const memory *e, int d, double end, double *p) {
    double x[DRIVE], y[DRIVE];
    for (int i = 0; i < DRIVE; i++) {
        x[i] = 0.5 - 0.5 * cos(JD_PI * (i + 0.5) / DRIVE);
        y[i] = jd_drives_value(e, d, e->state.t + x[i] * end);
    }
    for (int k = 1; k < DRIVE; k++)
        for (int i = DRIVE - 1; i >= k; i--) y[i] = (y[i] - y[i - 1]) / (x[i] - x[i - k]);
    for (int i = DRIVE - 1; i >= 0; i--) {
        for (int r = DRIVE - 1; r >= 1; r--) p[r] = p[r - 1] - x[i] * p[r];
        p[0] = y[i] - x[i] * p[0];
    }
}

static push pushes(memory *e, double part) {
    push u = {.n = e->plan->n_drive ? DRIVE : e->plan->nodes.s,
              .places = e->plan->m + e->plan->n_drive,
              .h = part * e->panel.h,
              .f = e->observers.ledger->force_powers};
    memset(e->observers.ledger->force_powers, 0,
           (size_t)(u.places * POWERS) * sizeof *e->observers.ledger->force_powers);
    for (int j = 0; j < u.places; j++) {
        double *f = e->observers.ledger->force_powers + j * POWERS, power = 1;
        u.in[j] = j < e->plan->m ? e->plan->poles.in_re + j * e->plan->poles.n
                                 : e->plan->drive[j - e->plan->m].in_re;
        if (j >= e->plan->m) {
            interpolate(e, j - e->plan->m, u.h, f);
            continue;
        }
        jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, e->plan->m, f);
        for (int r = 0; r < e->plan->nodes.s; r++, power *= part) f[r] *= power;
    }
    return u;
}

static int twin_of(const poles *c, int p) {
    for (int o = 0; o < c->used; o++)
        if (o != p && c->mode[o] == c->mode[p]) return o;
    return p;
}

// Both poles of overdamped modes.
static double real_poles(const memory *e, const push *u) {
    const poles *c = &e->plan->poles;
    const double *taken = jd_problem_system(e->run->problem)->modal.c;
    double total = 0;
    for (int p = 0; p < c->used; p++) {
        if (c->im[p] > 0 || taken[c->mode[p]] == 0) continue;
        int other = twin_of(c, p);
        if (other > p) total += taken[c->mode[p]] * overdamped(e, u, p, other);
    }
    return total;
}

// Pairs among the four poles from p on.
static double pairs(const memory *e, const push *u, int p, const double *E_re, const double *E_im) {
    const poles *c = &e->plan->poles;
    double far[4] = {0}, near[4] = {0}, size[4], total = 0, most = 0;
    bool some = false;
    for (int i = 0; i < 4; i++) { // padding has no weights
        size[i] = sqrt(c->re[p + i] * c->re[p + i] + c->im[p + i] * c->im[p + i]) * u->h;
        if (size[i] < fast) most = fmax(most, size[i]);
        some = some || size[i] >= fast;
    }
    if (some) closed_form(e, u, p, E_re, E_im, far);
    if (most > 0) series(e, u, p, 10 + (int)(9 * most), near);
    for (int i = 0; i < 4 && p + i < c->used; i++)
        if (c->im[p + i] > 0) total += size[i] >= fast ? far[i] : near[i];
    return total;
}

double jd_damping_real(memory *e) {
    const poles *c = &e->plan->poles;
    if (!c->real) return 0;
    push u = pushes(e, 1);
    memcpy(e->scratch.z_re, e->state.z_re, (size_t)c->n * sizeof *e->scratch.z_re);
    return real_poles(e, &u);
}

double jd_damping_panel(memory *e, double part) {
    const jd_modal *modal = &jd_problem_system(e->run->problem)->modal;
    const poles *c = &e->plan->poles;
    double total = 0, *E_re = e->observers.ledger->exp_re, *E_im = e->observers.ledger->exp_im;
    if (!c->exact) return (double)NAN;
    if (modal->law == JD_DAMPING_NONE || !(part * e->panel.h > 0)) return 0;
    if (c->right) return coupled(e, modal, part * e->panel.h);
    push u = pushes(e, part);
    memcpy(e->scratch.z_re, e->state.z_re, (size_t)c->n * sizeof *e->scratch.z_re);
    memcpy(e->scratch.z_im, e->state.z_im, (size_t)c->n * sizeof *e->scratch.z_im);
    jd_drives_share(e, e->state.t, e->scratch.z_re, e->scratch.z_im);
    e->plan->lanes->exponentials(c->n, c->re, c->im, u.h, E_re, E_im);
    for (int p = 0; p < c->used; p += 4) total += pairs(e, &u, p, E_re, E_im);
    return total + real_poles(e, &u);
}

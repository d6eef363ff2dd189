// flow.c -- small changes of the state through a phase whose coordinates do not act on each other.
//   Each coordinate then has its own 2 x 2 matrix, (x, x')(t) = F (x, x')(0), and what a held
//   displacement y_i moves it by, h_i y_i. Both are the phase's own closed forms for unit changes,
//   whatever kind of motion a coordinate has; all columns go through them side by side.
//                                tested: the_tangent_is_the_limit_of_differences_of_runs
#include <math.h>

#include "engine/exact/bases/cauchy.h"
#include "engine/exact/exact.h"
#include "expsum/sum.h"

static const double dead = 1e-18; // of a coordinate's motion, in units of its rate: nothing is left
enum { FEW = 4 };                 // columns: the matrices cost as much as two to four of them

bool jd_flow_applies(const exact *e) {
    const basis *b = e->phase.b;
    return !b->C && b->drift.n == 0 && e->tangent.columns > FEW;
}

// Where all coordinates are at t, which began with x, x' and the held displacement y_i = 1 (-1:
// none). The exponentials of t are those at hand.
static void unit_motion(exact *l, double t, double x, double xd, int held, double *to) {
    jd_expbasis *exp = l->phase.b->poles.exp;
    int n = l->plan.n, nf = l->phase.b->nf;
    for (int k = 0; k < nf; k++) {
        l->phase.x[k] = x;
        l->phase.xd[k] = xd;
    }
    for (int i = 0; i < l->phase.b->ms; i++) l->phase.y[i] = i == held;
    jd_phase_unloaded(l);
    jd_expbasis_apply(exp, exp->scratch.e_re, exp->scratch.e_im, exp->scratch.e_pair, l->phase.re,
                      l->phase.im);
    jd_phase_state(l, t, l->phase.re, l->phase.im, to, to + n);
}

static void make_flow(exact *e, double t) {
    int n = e->plan.n;
    exact l = jd_tangent_copy(e, NULL, NULL);
    l.phase.drifts = false;
    unit_motion(&l, t, 1, 0, -1, e->tangent.flow);
    unit_motion(&l, t, 0, 1, -1, e->tangent.flow + (ptrdiff_t)2 * n);
    for (int i = 0; e->phase.b->shift != 0 && i < e->phase.b->ms; i++)
        unit_motion(&l, t, 0, 0, i, e->tangent.flow + (ptrdiff_t)(4 + 2 * i) * n);
}

// How many of the first coordinates to carry: of the others nothing is left at the end.
static int alive(const exact *e) {
    const basis *b = e->phase.b;
    int n = e->plan.n, k = b->nf;
    bool all = !b->Q || b->fast || (b->shift != 0 && b->ms > 0); // what is held stays
    for (; !all && k > 0; k--) {
        const double *F = e->tangent.flow + k - 1;
        double w2 = b->omega2[k - 1], most = fmax(fabs(F[0]), fabs(F[3 * n]));
        if (!(w2 > 0 && most < dead && fabs(F[n]) < dead * sqrt(w2) &&
              fabs(F[2 * n]) * sqrt(w2) < dead))
            break;
    }
    return k;
}

// A stretch of columns: rows of `stride` numbers outside, of FLOW_COLUMNS inside.
typedef struct stretch {
    int columns, stride, alive;
    double *q, *p;      // n rows
    double *x, *xd, *y; // alive rows each, ms rows
} stretch;

// x = Q'q, x' = Q'q' in linear time, column by column; and back.
static void rotate_fast(const exact *e, const stretch *s, bool back) {
    const basis *b = e->phase.b;
    double *q = e->tangent.lin_q, *p = e->tangent.lin_p, *x = e->tangent.lin_x,
           *xd = e->tangent.lin_xd;
    for (int c = 0; c < s->columns; c++) {
        for (int l = 0; !back && l < e->plan.n; l++) {
            q[l] = s->q[(ptrdiff_t)l * s->stride + c];
            p[l] = s->p[(ptrdiff_t)l * s->stride + c];
        }
        if (!back) jd_cauchy_into(b->fast, q, p, x, xd);
        for (int k = 0; k < b->nf; k++) {
            double *at = s->x + k * FLOW_COLUMNS + c, *rate = s->xd + k * FLOW_COLUMNS + c;
            *(back ? x + k : at) = *(back ? at : x + k);
            *(back ? xd + k : rate) = *(back ? rate : xd + k);
        }
        if (back) jd_cauchy_back(b->fast, x, xd, q, p);
        for (int l = 0; back && l < e->plan.n; l++) {
            s->q[(ptrdiff_t)l * s->stride + c] = q[l];
            s->p[(ptrdiff_t)l * s->stride + c] = p[l];
        }
    }
}

// y = B q of what is held, x = Q'(q - S y), x' = Q'q'.
static void enter(const exact *e, const stretch *s) {
    const basis *b = e->phase.b;
    int n = e->plan.n;
    for (int i = 0; i < b->ms; i++)
        jd_mix_columns(1, n, s->columns, e->plan.contact[b->held[i]].row, 1, s->q, s->stride,
                       s->y + i * FLOW_COLUMNS, FLOW_COLUMNS);
    if (b->fast) rotate_fast(e, s, false);
    if (!b->fast) {
        jd_mix_columns(s->alive, n, s->columns, b->Q, b->nf, s->q, s->stride, s->x, FLOW_COLUMNS);
        jd_mix_columns(s->alive, n, s->columns, b->Q, b->nf, s->p, s->stride, s->xd, FLOW_COLUMNS);
    }
    for (int k = 0; k < s->alive; k++)
        for (int i = 0; i < b->ms; i++)
            jd_add_row(s->columns, -b->QtS[k * b->ms + i], s->y + i * FLOW_COLUMNS,
                       s->x + k * FLOW_COLUMNS);
}

// q = Q x + S y, q' = Q x'.
static void leave(const exact *e, const stretch *s) {
    const basis *b = e->phase.b;
    int n = e->plan.n;
    if (b->fast) rotate_fast(e, s, true);
    if (!b->fast) {
        jd_mix_columns(n, s->alive, s->columns, b->QT, n, s->x, FLOW_COLUMNS, s->q, s->stride);
        jd_mix_columns(n, s->alive, s->columns, b->QT, n, s->xd, FLOW_COLUMNS, s->p, s->stride);
    }
    for (int l = 0; l < n; l++)
        for (int i = 0; i < b->ms; i++)
            jd_add_row(s->columns, b->S[l * b->ms + i], s->y + i * FLOW_COLUMNS,
                       s->q + (ptrdiff_t)l * s->stride);
}

// Each coordinate k by its own matrix, and by what is held.
static void travel(const exact *e, int k, const stretch *s, double *x, double *xd) {
    const double *F = e->tangent.flow + k;
    int n = e->plan.n;
    jd_flow(s->columns, (double[]){F[0], F[n], F[2 * n], F[3 * n]}, x, xd);
    for (int i = 0; e->phase.b->shift != 0 && i < e->phase.b->ms; i++) {
        jd_add_row(s->columns, F[(4 + 2 * i) * n], s->y + i * FLOW_COLUMNS, x);
        jd_add_row(s->columns, F[(5 + 2 * i) * n], s->y + i * FLOW_COLUMNS, xd);
    }
}

void jd_flow_phase(exact *e, double t) {
    const basis *b = e->phase.b;
    int n = e->plan.n, all = e->tangent.columns;
    stretch s = {.stride = all, .x = e->tangent.wide};
    s.xd = s.x + (ptrdiff_t)n * FLOW_COLUMNS;
    s.y = s.xd + (ptrdiff_t)n * FLOW_COLUMNS;
    make_flow(e, t);
    s.alive = alive(e);
    for (int c = 0; c < all; c += FLOW_COLUMNS) {
        s.columns = all - c < FLOW_COLUMNS ? all - c : FLOW_COLUMNS;
        s.q = e->tangent.q + c;
        s.p = e->tangent.p + c;
        if (b->Q) enter(e, &s);
        for (int k = 0; k < s.alive; k++) {
            double *x = b->Q ? s.x + k * FLOW_COLUMNS : s.q + (ptrdiff_t)k * all,
                   *xd = b->Q ? s.xd + k * FLOW_COLUMNS : s.p + (ptrdiff_t)k * all;
            travel(e, k, &s, x, xd);
        }
        if (b->Q) leave(e, &s);
    }
}

// flow.c -- small changes of the state through a phase whose coordinates do not act on each other.
//   Each coordinate then has its own 2 x 2 matrix, (x, x')(t) = F (x, x')(0), and what a held
//   displacement y_i moves it by, h_i y_i. Both are the phase's own closed forms for unit changes,
//   whatever kind of motion a coordinate has; all columns go through them.
//                                tested: the_tangent_is_the_limit_of_differences_of_runs
#include "engine/exact/bases/cauchy.h"
#include "engine/exact/exact.h"
#include "expsum/sum.h"

enum { FEW = 4 }; // columns: the matrices cost as much as two to four of them

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

// x = Q'(q - S y), x' = Q' q', and y.
static void enter(const exact *e, const double *q, const double *p, double *y, double *x,
                  double *xd) {
    const basis *b = e->phase.b;
    int n = e->plan.n;
    if (b->fast)
        jd_cauchy_into(b->fast, q, p, x, xd);
    else
        jd_rotate(b->nf, n, b->Q, q, p, x, xd);
    for (int i = 0; i < b->ms; i++) y[i] = jd_lanes_dot(n, e->plan.contact[b->held[i]].row, q);
    if (b->ms == 1)
        jd_add_row(b->nf, -y[0], b->QtS, x);
    else
        for (int k = 0; k < b->nf; k++)
            for (int i = 0; i < b->ms; i++) x[k] -= b->QtS[k * b->ms + i] * y[i];
}

// One column through the phase; its held displacements stay.
static void travel(const exact *e, double t, double *q, double *p) {
    const basis *b = e->phase.b;
    int n = e->plan.n;
    double *x = e->tangent.lin_x, *xd = e->tangent.lin_xd, *y = e->tangent.lin_y,
           *held = e->tangent.flow + (ptrdiff_t)4 * n;
    if (!b->Q) {
        jd_flow(n, n, e->tangent.flow, q, p);
        return;
    }
    enter(e, q, p, y, x, xd);
    jd_flow(b->nf, n, e->tangent.flow, x, xd);
    for (int i = 0; b->shift != 0 && i < b->ms; i++) {
        jd_add_row(b->nf, y[i], held + (ptrdiff_t)2 * i * n, x);
        jd_add_row(b->nf, y[i], held + (ptrdiff_t)(2 * i + 1) * n, xd);
    }
    jd_phase_full(e, t, x, xd, q, p);
}

void jd_flow_phase(exact *e, double t) {
    int n = e->plan.n;
    const basis *b = e->phase.b;
    exact l = jd_tangent_copy(e, NULL, NULL);
    l.phase.drifts = false;
    unit_motion(&l, t, 1, 0, -1, e->tangent.flow);
    unit_motion(&l, t, 0, 1, -1, e->tangent.flow + (ptrdiff_t)2 * n);
    for (int i = 0; b->shift != 0 && i < b->ms; i++)
        unit_motion(&l, t, 0, 0, i, e->tangent.flow + (ptrdiff_t)(4 + 2 * i) * n);
    for (int c = 0; c < e->tangent.columns; c++)
        travel(&l, t, e->tangent.q + (ptrdiff_t)c * n, e->tangent.p + (ptrdiff_t)c * n);
}

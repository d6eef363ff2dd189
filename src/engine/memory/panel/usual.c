// usual.c -- the usual panel: one contact on a string or rod with all its modes, four nodes, no
// drive.
//   stuck:    F = B^-1 (belt - known), B^-1 is kept with the coefficients
//   sliding:  F_i + s f(s v_i) = 0,  v_i = known_i - belt + sum_k B_ik F_k,  s the direction.
//     Newton's method, all four nodes at once: (1 + f' B) dF = F + s f. Before a wave comes back B
//     is little more than gamma on its diagonal d: with q = |f' (B - d)|/(1 + f' d) two terms of
//     dF = [1 - (1 + f' d)^-1 f' (B - d) + ...] (1 + f' d)^-1 (F + s f) leave q^2 of a step, which
//     is far below a coarse tolerance where q is small. Else the general method (panel.c) is asked,
//     and where the derivative of the motion is wanted. Friction goes on beyond rest, steeper than
//     gamma allows: there a panel may have no forces, and is solved again, shorter.
#include <math.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "engine/memory/memory.h"

enum { N = USUAL_NODES };

static const double least_pivot = 0.01, weak = 0.03; // of 1 + f' d; largest q
enum { MOST = 10 }; // iterations: where friction falls steeply beyond rest there may be no solution

bool jd_usual_serves(const memory_plan *plan) {
    return plan->m == 1 && plan->rows == 1 && plan->nodes.s == N && plan->jumps &&
           plan->n_drive == 0 && !plan->stop[0].is;
}

#define INLINE static inline __attribute__((always_inline))

// B F by the columns of B.
INLINE void product(const double *B, const v4 *F, v4 *out) {
    v4 f = *F;
    *out = (LOAD(B) * ALL(f[0]) + LOAD(B + N) * ALL(f[1])) +
           (LOAD(B + 2 * N) * ALL(f[2]) + LOAD(B + 3 * N) * ALL(f[3]));
}

INLINE void magnitude(v4 *x) {
    const i4 all = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    *x = (v4)((i4)*x & all);
}

INLINE bool is_below(const v4 *x, const v4 *y) { // all four
    i4 below = (i4)(*x <= *y);
    return (below[0] & below[1]) & (below[2] & below[3]);
}

// Sum of the magnitudes off the diagonal, row by row.
INLINE void off_diagonal(const double *B, v4 *out) {
    *out = ALL(0.0);
    for (int k = 0; k < N; k++) {
        v4 column = LOAD(B + k * N);
        column[k] = 0;
        magnitude(&column);
        *out += column;
    }
}

JD_CLONES("avx2")
static solution slide(const memory *e, const double *B, double *force, double *velocity) {
    const v4 sign = ALL((double)jd_contact_sign(e->state.contact[0])),
             scale = ALL(e->state.f_scale[0]), enough = ALL(e->plan->accuracy.enough),
             d = {B[0], B[N + 1], B[2 * N + 2], B[3 * N + 3]};
    v4 known = LOAD(e->panel.known), F = ALL(e->state.force[0]), v, off, most;
    off_diagonal(B, &off);
    for (int it = 0; it < MOST; it++) {
        double u[N], f[N], rate[N];
        product(B, &F, &v);
        STORE(u, sign * (known - ALL(e->plan->belt[0]) + v));
        jd_friction_four(e->plan->law, u, f, rate);
        v4 r = LOAD(rate), R = F + sign * LOAD(f), D = ALL(1.0) + r * d, size = D, x, y;
        magnitude(&size);
        magnitude(&r);
        v = ALL(least_pivot);
        if (!is_below(&v, &size)) return it ? UNSOLVED : ASK_GENERAL;
        v4 coupled = r * off, little = ALL(weak) * size;
        x = R / D;
        product(B, &x, &y);
        x = (R - LOAD(rate) * (y - d * x)) / D;
        F -= x;
        magnitude(&x);
        size = F;
        magnitude(&size);
        most = enough * (scale + size);
        if (!is_below(&x, &most)) continue;
        if (!is_below(&coupled, &little)) return ASK_GENERAL;
        product(B, &F, &v);
        STORE(force, F);
        STORE(velocity, known + v);
        return SOLVED;
    }
    return UNSOLVED;
}

static double row(const double *B, const double *F) {
    return (B[0] * F[0] + B[1] * F[1]) + (B[2] * F[2] + B[3] * F[3]);
}

static void stick(const memory *e, const double *inverse, double *F, double *v) {
    double rise[N];
    for (int i = 0; i < N; i++) {
        rise[i] = e->plan->belt[0] - e->panel.known[i];
        v[i] = e->plan->belt[0];
    }
    for (int i = 0; i < N; i++) F[i] = row(inverse + N * i, rise);
}

solution jd_usual_solve(memory *e, const coefficients *t) {
    double *F = e->panel.force, *v = e->panel.velocity;
    bool stuck = e->state.contact[0] == JD_CONTACT_STUCK;
    solution found = SOLVED;
    // at the edge of a branch (hysteresis) 1 + f' d is 0: Newton's method of panel.c comes up to it
    bool slides = e->panel.trim && !(e->plan->law->edge > 0);
    if (stuck ? !t->inverse : !slides) return ASK_GENERAL;
    if (stuck)
        stick(e, t->inverse, F, v);
    else
        found = slide(e, t->across, F, v);
    if (found == SOLVED) v[N] = e->panel.known[N] + row(t->B + N * N, F);
    // a long panel is better solved again, shorter; a short one is given all that can be done
    bool is_short = t->h < e->plan->largest_step / 64;
    return found == UNSOLVED && is_short ? ASK_GENERAL : found;
}

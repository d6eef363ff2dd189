// follow_reference.h -- the reference integrator in the state of a point of a branch.
#ifndef JD_TESTS_FOLLOW_REFERENCE_H
#define JD_TESTS_FOLLOW_REFERENCE_H

#include "judder/follow.h"
#include "reference_events.h"

// Letter of contact j at t = 0 of a state that is at rest to rounding only.
static inline char follow_letter(reference *r, int j) {
    const ref_contact *c = &r->c[j];
    real v = ref_dot(r->n, c->row, r->z + r->n) - c->belt, u = ref_dot(r->n, c->row, r->z);
    bool still = fabsl(v) < 1e-10L;
    if (!c->stop) return still ? 'H' : v > 0 ? '+' : '-';
    if (still && fabsl(u - c->gap) < 1e-10L) return 'u';
    return still && c->both && fabsl(u + c->gap) < 1e-10L ? 'l' : 'o';
}

// beside: share by which the state is changed; its letters are those of the point.
static inline reference *follow_ref(jd_problem *problem, const jd_branch_point *p,
                                    const double *state, real beside) {
    reference *r = ref_open(problem, p->period, 5900, 0);
    for (int k = 0; k < 2 * r->n; k++) r->z[k] = state[k];
    ref_refresh(r);
    for (int j = 0; j < r->m; j++) r->mark[j] = follow_letter(r, j);
    for (int k = 0; k < 2 * r->n; k++) r->z[k] *= 1 + beside * (k % 3 ? 1 : -0.8L);
    ref_refresh(r);
    r->now = ref_find(r, r->mark);
    if (!r->now) return r;
    ref_ladder(r, r->now);
    ref_settle(r, -1);
    r->doubtful = HUGE_VALL;
    for (int i = 0; i < r->now->n_guard; i++) { // a guard may be at zero to the rounding of doubles
        real g = ref_guard_at(r, i, r->z), noise = ref_noise(r, i);
        r->low[i] = g < 1e4L * noise ? fminl(0, g) - 1e4L * noise : -noise;
    }
    return r;
}

// From the state, in the energy norm and relative to it.
static inline double follow_distance(const reference *r, const double *state) {
    real d = 0, s = 0;
    for (int k = 0; k < 2 * r->n; k++) {
        real w2 = k < r->n ? r->w2[k] : 1, x = state[k];
        d += w2 * (r->z[k] - x) * (r->z[k] - x);
        s += w2 * x * x;
    }
    return (double)sqrtl(d / s);
}

#endif

// closure_reference.h -- a piecewise-smooth model with a wave term, integrated by extrapolation.
//   Equations (37), (49), (50) of docs/theory/closure.md in long double: the modified midpoint rule
//   with 2, 4, ... 16 steps, extrapolated to order 16, over fixed steps; events are signs that
//   change within a step, found by bisection. Shares nothing with the engine.
#ifndef JD_TESTS_CLOSURE_REFERENCE_H
#define JD_TESTS_CLOSURE_REFERENCE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { REF_N = 4, REF_X = REF_N + 2, REF_COLUMNS = 8, REF_EVENTS = 400 };
typedef long double real;

// y of n numbers; the switch is h = a.y - c; lambda+- = -+limit + slope h; all else by callback.
typedef struct ref_model {
    int n;
    real a[REF_N], c, limit, slope, sigma, lplus[REF_N];
    const real *p; // numbers of the callbacks
    void (*r)(const real *p, real t, const real *y, real *out);
    void (*linf)(const real *p, const real *y, real *out);
} ref_model;

// phase: 1, -1 outside, 0 on the surface; x = (y, kappa, lambda).
typedef struct ref {
    ref_model m;
    int phase;
    real t, x[REF_X], largest[REF_X];
    real when[REF_EVENTS];
    int to[REF_EVENTS], n_event;
} ref;

static inline real ref_h(const ref_model *m, const real *y) {
    real h = -m->c;
    for (int i = 0; i < m->n; i++) h += m->a[i] * y[i];
    return h;
}

static inline real ref_bound(const ref_model *m, int side, const real *y) {
    return -side * m->limit + m->slope * ref_h(m, y);
}

static inline void ref_rate(const ref *o, real t, const real *x, real *out) {
    const ref_model *m = &o->m;
    int n = m->n;
    real r[REF_N], linf[REF_N], F[REF_N], kappa = x[n], across = 0, normal = 0;
    real lambda = o->phase ? ref_bound(m, o->phase, x) : x[n + 1];
    m->r(m->p, t, x, r);
    m->linf(m->p, x, linf);
    for (int i = 0; i < n; i++) {
        F[i] = r[i] + linf[i] * lambda - m->sigma * m->lplus[i] * (lambda - kappa);
        across += m->a[i] * m->lplus[i];
        normal += m->a[i] * F[i];
    }
    real rate = o->phase ? m->slope * normal / (1 - m->slope * across) : -normal / across;
    for (int i = 0; i < n; i++) out[i] = F[i] + m->lplus[i] * rate;
    out[n] = m->sigma * (lambda - kappa);
    out[n + 1] = rate;
}

// One step of length H from x by extrapolation in the square of the inner step.
static inline void ref_step(const ref *o, real t, const real *x, real H, real *out) {
    real T[REF_COLUMNS][REF_X];
    int w = o->m.n + 2;
    for (int j = 0; j < REF_COLUMNS; j++) {
        int steps = 2 * (j + 1);
        real h = H / steps, a[REF_X], b[REF_X], f[REF_X], c[REF_X];
        memcpy(a, x, sizeof a);
        ref_rate(o, t, a, f);
        for (int i = 0; i < w; i++) b[i] = a[i] + h * f[i];
        for (int k = 1; k < steps; k++) {
            ref_rate(o, t + k * h, b, f);
            for (int i = 0; i < w; i++) c[i] = a[i] + 2 * h * f[i];
            memcpy(a, b, sizeof a);
            memcpy(b, c, sizeof b);
        }
        ref_rate(o, t + H, b, f);
        for (int i = 0; i < w; i++) T[j][i] = (a[i] + b[i] + h * f[i]) / 2;
        for (int k = j - 1; k >= 0; k--) {
            real ratio = (real)(j + 1) / (k + 1);
            for (int i = 0; i < w; i++)
                T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / (ratio * ratio - 1);
        }
    }
    memcpy(out, T[0], sizeof T[0]);
}

// > 0 while the phase lasts.
static inline real ref_guard(const ref *o, const real *x) {
    const ref_model *m = &o->m;
    if (o->phase) return o->phase * ref_h(m, x);
    real low = fminl(ref_bound(m, 1, x), ref_bound(m, -1, x)),
         high = fmaxl(ref_bound(m, 1, x), ref_bound(m, -1, x));
    return fminl(x[m->n + 1] - low, high - x[m->n + 1]);
}

static inline void ref_switch(ref *o) {
    const ref_model *m = &o->m;
    int n = m->n;
    if (o->phase) {
        o->x[n + 1] = ref_bound(m, o->phase, o->x);
        o->phase = 0;
    } else {
        real up = fabsl(o->x[n + 1] - ref_bound(m, 1, o->x)),
             down = fabsl(o->x[n + 1] - ref_bound(m, -1, o->x));
        o->phase = up < down ? 1 : -1;
    }
    o->when[o->n_event] = o->t;
    o->to[o->n_event++] = o->phase;
}

// Until time t, in steps of H; the first step after an event is short, so that what begins at a
// zero of its guard is seen to leave it.
static inline void ref_run(ref *o, real until, real H) {
    bool fresh = o->n_event > 0;
    while (o->t < until && o->n_event < REF_EVENTS) {
        real h = fminl(fresh ? H / 64 : H, until - o->t), x[REF_X];
        ref_step(o, o->t, o->x, h, x);
        if (ref_guard(o, x) < 0) {
            real a = 0, b = h;
            for (int i = 0; i < 70; i++) {
                ref_step(o, o->t, o->x, (a + b) / 2, x);
                if (ref_guard(o, x) < 0)
                    b = (a + b) / 2;
                else
                    a = (a + b) / 2;
            }
            ref_step(o, o->t, o->x, b, x);
            memcpy(o->x, x, sizeof x);
            o->t += b;
            ref_switch(o);
            fresh = true;
            continue;
        }
        memcpy(o->x, x, sizeof x);
        o->t += h;
        fresh = false;
        for (int i = 0; i < o->m.n + 2; i++) o->largest[i] = fmaxl(o->largest[i], fabsl(x[i]));
    }
}

#endif

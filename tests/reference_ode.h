// reference_ode.h -- an integrator that shares nothing with the engines but rows and frequencies.
//   x = (q, q') by Taylor series of order 24 in long double, steps of `h`; events are signs that
//   change between samples, found by bisection of the series; the new phase is found by trying all
//   combinations of states and keeping the one that is still admissible a moment later.
#ifndef JD_TESTS_REFERENCE_ODE_H
#define JD_TESTS_REFERENCE_ODE_H

#include "problem/initial.h"
#include "problem/system.h"
#include "scene.h"

enum { ODE_N = 24, ODE_M = 4, ODE_ORDER = 24, ODE_SAMPLES = 16 };
typedef long double real;

typedef struct ode {
    const jd_problem *p;
    int n, m, nd;
    real w2[ODE_N], C[ODE_N][ODE_N], row[ODE_M][ODE_N], drow[8][ODE_N];
    real limit[ODE_M], hold[ODE_M], slope[ODE_M], gap[ODE_M], e[ODE_M], belt[ODE_M];
    bool stop[ODE_M], both[ODE_M];
    real t, h, q[ODE_N], v[ODE_N];
    real bounce;          // [m/s] below which a stop holds what touches it
    bool fresh;           // an event was just resolved: guards may be zero
    real moment;          // [s] after which a new phase must still be admissible
    char mark[ODE_M + 1]; // H + - o, u closed above, l closed below
    real Q[ODE_ORDER + 2][ODE_N], V[ODE_ORDER + 2][ODE_N], L[ODE_ORDER + 1][ODE_M]; // series
    jd_event *event;
    int n_event;
} ode;

// Taylor coefficient k of drive d about t.
static inline real ode_drive(const ode *o, int d, real t, int k) {
    const jd_object *g = jd_problem_drive(o->p, d);
    if (g->type == &jd_drive_constant)
        return k == 0 ? (real)((const jd_constant_def *)g->def)->value : 0;
    assert_true(g->type == &jd_drive_harmonic);
    const jd_harmonic_def *h = g->def;
    real w = jd_problem_drive_frequency(o->p, d), c = h->amplitude;
    for (int i = 1; i <= k; i++) c *= w / i;
    return c * sinl(w * t + (real)h->phase + k * 1.57079632679489661923L);
}

static inline void ode_open(ode *o, scene *s, double h) {
    memset(o, 0, sizeof *o);
    o->moment = h * 1e-5L;
    o->bounce = h * 4e-5L;
    must(s, jd_problem_build(s->p));
    const jd_system *y = jd_problem_system(s->p);
    o->p = s->p, o->n = y->modal.n, o->m = y->n_contact, o->nd = y->n_drive, o->h = h;
    assert_true(o->n <= ODE_N && o->m <= ODE_M && o->nd <= 8);
    for (int k = 0; k < o->n; k++) {
        o->w2[k] = (real)y->modal.omega2[k].hi + y->modal.omega2[k].lo;
        if (y->modal.law != JD_DAMPING_NONE) o->C[k][k] = y->modal.c[k];
        for (int j = 0; j < o->m; j++)
            o->row[j][k] = (real)y->contact[j][k].hi + y->contact[j][k].lo;
        for (int d = 0; d < o->nd; d++) o->drow[d][k] = (real)y->drive[d][k].hi + y->drive[d][k].lo;
    }
    assert_true(y->modal.law != JD_DAMPING_FULL);
    for (int j = 0; j < o->m; j++) {
        const jd_contact_def *c = jd_problem_contact(s->p, j)->def;
        o->belt[j] = c->against.kind == JD_MOVING ? c->against.velocity : 0;
        if (c->law.type == &jd_law_stop.type) {
            const jd_stop_def *l = c->law.def;
            o->stop[j] = true, o->gap[j] = l->gap, o->e[j] = l->restitution, o->both[j] = l->sides;
        } else if (c->law.type == &jd_law_affine.type) {
            const jd_affine_def *l = c->law.def;
            o->limit[j] = o->hold[j] = l->limit, o->slope[j] = l->slope;
        } else {
            const jd_coulomb_def *l = c->law.def;
            o->limit[j] = l->limit,
            o->hold[j] = isnan(l->static_limit) ? l->limit : l->static_limit;
        }
    }
    double q[ODE_N], v[ODE_N];
    must(s, jd_problem_initial(s->p, q, v));
    for (int k = 0; k < o->n; k++) o->q[k] = q[k], o->v[k] = v[k];
    o->event = malloc(SCENE_EVENTS * sizeof *o->event);
}

static inline void ode_close(ode *o) { free(o->event); }

static inline real ode_dot(const ode *o, const real *a, const real *b) {
    real s = 0;
    for (int k = 0; k < o->n; k++) s += a[k] * b[k];
    return s;
}

static inline bool ode_held(const ode *o, int j) { return strchr("Hul", o->mark[j]) != NULL; }

// Solves A x = b, r unknowns, by elimination with pivoting.
static inline void ode_solve(int r, real A[ODE_M][ODE_M], real *b) {
    for (int i = 0; i < r; i++) {
        int p = i;
        for (int k = i + 1; k < r; k++)
            if (fabsl(A[k][i]) > fabsl(A[p][i])) p = k;
        for (int k = 0; k < r; k++) {
            real x = A[i][k];
            A[i][k] = A[p][k], A[p][k] = x;
        }
        real x = b[i];
        b[i] = b[p], b[p] = x;
        for (int k = i + 1; k < r; k++) {
            real f = A[k][i] / A[i][i];
            for (int l = i; l < r; l++) A[k][l] -= f * A[i][l];
            b[k] -= f * b[i];
        }
    }
    for (int i = r - 1; i >= 0; i--) {
        for (int k = i + 1; k < r; k++) b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
}

// Series of the phase with the present marks from the present state.
static inline void ode_series(ode *o) {
    memcpy(o->Q[0], o->q, sizeof o->q);
    memcpy(o->V[0], o->v, sizeof o->v);
    for (int k = 0; k <= ODE_ORDER; k++) {
        real a[ODE_N], A[ODE_M][ODE_M], b[ODE_M];
        int held[ODE_M], r = 0;
        for (int i = 0; i < o->n; i++) {
            a[i] = -o->w2[i] * o->Q[k][i];
            for (int l = 0; l < o->n; l++) a[i] -= o->C[i][l] * o->V[k][l];
        }
        for (int d = 0; d < o->nd; d++) {
            real F = ode_drive(o, d, o->t, k);
            for (int i = 0; i < o->n; i++) a[i] += F * o->drow[d][i];
        }
        for (int j = 0; j < o->m; j++) {
            if (ode_held(o, j)) held[r++] = j;
            if (o->mark[j] != '+' && o->mark[j] != '-') continue;
            real s = o->mark[j] == '+' ? 1 : -1,
                 f = -o->slope[j] * ode_dot(o, o->row[j], o->V[k]) +
                     (k == 0 ? -s * o->limit[j] + o->slope[j] * o->belt[j] : 0);
            for (int i = 0; i < o->n; i++) a[i] += f * o->row[j][i];
        }
        for (int i = 0; i < r; i++) {
            b[i] = -ode_dot(o, o->row[held[i]], a);
            for (int l = 0; l < r; l++) A[i][l] = ode_dot(o, o->row[held[i]], o->row[held[l]]);
        }
        ode_solve(r, A, b);
        for (int i = 0; i < r; i++) {
            o->L[k][held[i]] = b[i];
            for (int l = 0; l < o->n; l++) a[l] += b[i] * o->row[held[i]][l];
        }
        for (int i = 0; i < o->n; i++) {
            o->Q[k + 1][i] = o->V[k][i] / (k + 1);
            o->V[k + 1][i] = a[i] / (k + 1);
        }
    }
}

static inline void ode_at(const ode *o, real x, real *q, real *v) {
    for (int i = 0; i < o->n; i++) {
        q[i] = v[i] = 0;
        for (int k = ODE_ORDER; k >= 0; k--)
            q[i] = q[i] * x + o->Q[k][i], v[i] = v[i] * x + o->V[k][i];
    }
}

// Positive while contact j may stay as it is, x after the start of the series.
static inline real ode_guard(const ode *o, int j, real x) {
    real q[ODE_N], v[ODE_N], L = 0;
    ode_at(o, x, q, v);
    for (int k = ODE_ORDER; k >= 0; k--) L = L * x + o->L[k][j];
    real speed = ode_dot(o, o->row[j], v) - o->belt[j];
    real u = ode_dot(o, o->row[j], q) - (o->stop[j] ? o->belt[j] * (o->t + x) : 0);
    switch (o->mark[j]) {
    case '+':
        return speed;
    case '-':
        return -speed;
    case 'H':
        return o->hold[j] - fabsl(L);
    case 'u':
        return -L;
    case 'l':
        return L;
    default:
        return o->both[j] ? o->gap[j] - fabsl(u) : o->gap[j] - u;
    }
}

static inline char ode_letter(char m) { return m == 'u' || m == 'l' ? '|' : m; }

static inline void ode_record(ode *o, int j, char from, char to, real speed) {
    if (speed == 0 && ode_letter(from) == ode_letter(to)) return;
    assert_true(o->n_event < SCENE_EVENTS);
    o->event[o->n_event++] = (jd_event){(double)o->t,
                                        j,
                                        jd_contact_state_of(ode_letter(from)),
                                        jd_contact_state_of(ode_letter(to)),
                                        (double)speed,
                                        0,
                                        0};
}

// Tries all states of the contacts at rest; rest[j]: letters it may take, "" for not at rest.
static inline bool ode_try(ode *o, int j, const char *may[ODE_M]) {
    if (j == o->m) {
        ode_series(o);
        for (int i = 0; i < o->m; i++)
            if (ode_guard(o, i, o->moment) < (o->mark[i] == 'o' ? -1e-17L : 0)) return false;
        return true;
    }
    char own = o->mark[j];
    if (!may[j]) return ode_try(o, j + 1, may);
    for (const char *c = may[j]; *c; c++) {
        o->mark[j] = *c;
        if (ode_try(o, j + 1, may)) return true;
    }
    o->mark[j] = own;
    return false;
}

static inline real ode_speed(const ode *o, int j) {
    return ode_dot(o, o->row[j], o->v) - o->belt[j];
}

// Impact of one stop against free flight of the others (no closed stop beside it).
static inline bool ode_impact(ode *o, int j) {
    real u = ode_dot(o, o->row[j], o->q) - o->belt[j] * o->t, side = o->both[j] && u < 0 ? -1 : 1,
         v = ode_speed(o, j), W = ode_dot(o, o->row[j], o->row[j]);
    if (side * v <= 0) return false;
    for (int i = 0; i < o->m; i++) // no closed stop beside it that an impulse reaches
        assert_true(i == j || !strchr("ul", o->mark[i]) ||
                    fabsl(ode_dot(o, o->row[i], o->row[j])) < 1e-15L);
    ode_record(o, j, 'o', 'o', fabsl(v));
    real after = o->e[j] * fabsl(v) > o->bounce ? o->e[j] : 0;
    for (int k = 0; k < o->n; k++) o->v[k] -= (1 + after) * v / W * o->row[j][k];
    return after > 0;
}

static inline void ode_resolve(ode *o, const bool *hit) {
    const char *may[ODE_M] = {NULL};
    char was[ODE_M + 1];
    bool jumped = false;
    strcpy(was, o->mark);
    for (int j = 0; j < o->m; j++) {
        if (hit[j] && o->mark[j] == 'o') {
            real u = ode_dot(o, o->row[j], o->q) - o->belt[j] * o->t;
            if (!ode_impact(o, j)) may[j] = o->both[j] && u < 0 ? "lo" : "uo";
            jumped = true;
        }
        if (strchr("ul", o->mark[j])) may[j] = o->mark[j] == 'u' ? "uo" : "lo";
    }
    for (int j = 0; j < o->m; j++) {
        if (o->stop[j]) continue;
        if (jumped && fabsl(ode_speed(o, j)) > 1e-13L) {
            o->mark[j] = ode_speed(o, j) > 0 ? '+' : '-';
            continue;
        }
        if (hit[j] && o->mark[j] == 'H' && o->limit[j] < o->hold[j])
            may[j] = "+-";
        else if (hit[j] || o->mark[j] == 'H' || jumped)
            may[j] = "H+-";
    }
    assert_true(ode_try(o, 0, may));
    for (int j = 0; j < o->m; j++) ode_record(o, j, was[j], o->mark[j], 0);
}

static inline void ode_first(ode *o) {
    const char *may[ODE_M] = {NULL};
    char was[ODE_M + 1] = {0};
    for (int j = 0; j < o->m; j++) {
        real v = ode_speed(o, j);
        o->mark[j] = was[j] = o->stop[j] ? 'o' : fabsl(v) < 1e-15L ? 'H' : v > 0 ? '+' : '-';
        if (o->mark[j] == 'H') may[j] = "H+-";
    }
    assert_true(ode_try(o, 0, may));
    for (int j = 0; j < o->m; j++) ode_record(o, j, was[j], o->mark[j], 0);
}

static inline void ode_go(ode *o, real x) {
    real q[ODE_N] = {0}, v[ODE_N] = {0};
    ode_at(o, x, q, v);
    memcpy(o->q, q, sizeof q);
    memcpy(o->v, v, sizeof v);
    o->t += x;
}

// First sample at which a guard is broken, then bisection; h when there is none.
static inline real ode_next(const ode *o, real h, bool *hit) {
    for (int i = 1; i <= ODE_SAMPLES; i++) {
        real low = h * (i - 1) / ODE_SAMPLES, high = h * i / ODE_SAMPLES;
        if (i == 1 && o->fresh) low = fminl(o->moment, high);
        bool any = false;
        for (int j = 0; j < o->m; j++) any |= ode_guard(o, j, high) < 0;
        if (!any) continue;
        for (int k = 0; k < 80; k++) {
            real middle = (low + high) / 2;
            any = false;
            for (int j = 0; j < o->m; j++) any |= ode_guard(o, j, middle) < 0;
            if (any)
                high = middle;
            else
                low = middle;
        }
        for (int j = 0; j < o->m; j++) hit[j] = ode_guard(o, j, high) < 0;
        return high;
    }
    return h;
}

static inline void ode_run(ode *o, double t_end) {
    if (!o->mark[0]) ode_first(o), o->fresh = true;
    while (o->t < t_end) {
        bool hit[ODE_M] = {false}, any = false;
        ode_series(o);
        real x = ode_next(o, fminl(o->h, t_end - o->t), hit);
        ode_go(o, x);
        for (int j = 0; j < o->m; j++) any |= hit[j];
        if (any) ode_resolve(o, hit);
        o->fresh = any;
    }
}

#endif

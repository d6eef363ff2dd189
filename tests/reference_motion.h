// reference_motion.h -- an independent event-driven integrator in long double.
//   Between events the motion with its drives is linear, z' = A z, z = (q, q', F, F', 1, t), and
//   advances by exp(A h) - I for h = h0/2^k, built by doubling: X(2h) = 2 X(h) + X(h)^2. Guards are
//   rows over z; events are signs of guards at samples and at their interior minima, placed by
//   halving. Event rules: all combinations of contact states are tried in turn; one is taken when
//   the first derivative of each guard that does not vanish is positive. Shares nothing with the
//   exact engine but omega^2, damping and rows.
#ifndef JD_TESTS_REFERENCE_MOTION_H
#define JD_TESTS_REFERENCE_MOTION_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "judder/run.h"
#include "problem/initial.h"
#include "problem/system.h"
#include "reference_drive.h"

enum { REF_N = 8, REF_M = 4, REF_D = 3, REF_Z = 2 * REF_N + 2 * REF_D + 2 };
enum { REF_LEVELS = 48, REF_GRADES = 44, REF_GUARDS = 2 * REF_M, REF_EVENTS = 6000 };

typedef struct ref_guard {
    int contact;
    real row[REF_Z], rate[REF_Z]; // g = row z, g' = rate z
} ref_guard;

typedef struct ref_phase {
    char key[REF_M + 1];
    struct ref_phase *next;
    real A[REF_Z][REF_Z];
    int n_guard;
    ref_guard guard[REF_GUARDS];
    real force[REF_M][REF_Z]; // rows of the forces of contacts at rest
    bool ready;               // X is made
    real X[REF_LEVELS][REF_Z][REF_Z];
} ref_phase;

typedef struct ref_contact {
    bool stop, both;
    real row[REF_N], limit, hold, slope, gap, e, belt;
} ref_contact;

typedef enum ref_end { REF_TIME, REF_BUDGET, REF_NO_PHASE, REF_STALLED } ref_end;

typedef struct reference {
    int n, m, nd, N, one, time; // one, time: places of these in z
    real w2[REF_N], C[REF_N][REF_N], drow[REF_D][REF_N];
    ref_contact c[REF_M];
    ref_drive drive[REF_D];
    real h0, t, t_break, z[REF_Z];
    real top[REF_Z];      // largest |z| so far: what rounding is measured by
    real shake[REF_M];    // [m] that bounces are moved by, of a twin
    char mark[REF_M + 1]; // H + - o, u closed above, l closed below
    ref_phase *phases, *now;
    real low[REF_GUARDS]; // a guard below this is outside
    int n_event, budget;
    jd_event event[REF_EVENTS];
    real doubtful; // first time at which rounding or a near tie decided
    ref_end end;
    long samples;
} reference;

static inline real ref_dot(int n, const real *a, const real *b) {
    real s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
static inline real ref_size(int n, const real *a, const real *b) {
    real s = 0;
    for (int i = 0; i < n; i++) s += fabsl(a[i] * b[i]);
    return s;
}
static inline void ref_doubt(reference *r) {
    if (r->t < r->doubtful) r->doubtful = r->t;
}

// ---- linear algebra of the contacts at rest

// x = A^-1 b with pivoting over the diagonal; false: singular.
static inline bool ref_solve(int n, real A[REF_M][REF_M], real b[REF_M][REF_Z], int columns) {
    for (int i = 0; i < n; i++) {
        int p = i;
        for (int k = i + 1; k < n; k++)
            if (fabsl(A[k][i]) > fabsl(A[p][i])) p = k;
        real top = 0;
        for (int k = 0; k < n; k++) top = fmaxl(top, fabsl(A[i][k]));
        if (!(fabsl(A[p][i]) > 1e-14L * top)) return false;
        for (int k = 0; k < n; k++) {
            real x = A[i][k];
            A[i][k] = A[p][k], A[p][k] = x;
        }
        for (int k = 0; k < columns; k++) {
            real x = b[i][k];
            b[i][k] = b[p][k], b[p][k] = x;
        }
        for (int k = 0; k < n; k++) {
            if (k == i) continue;
            real f = A[k][i] / A[i][i];
            for (int l = i; l < n; l++) A[k][l] -= f * A[i][l];
            for (int l = 0; l < columns; l++) b[k][l] -= f * b[i][l];
        }
    }
    for (int i = 0; i < n; i++)
        for (int l = 0; l < columns; l++) b[i][l] /= A[i][i];
    return true;
}

static inline bool ref_rests(char mark) { return strchr("Hul", mark) != NULL; }

// Accelerations as rows over z, without the contacts at rest.
static inline void ref_free(const reference *r, ref_phase *p) {
    int n = r->n;
    memset(p->A, 0, sizeof p->A);
    for (int i = 0; i < n; i++) {
        p->A[i][n + i] = 1;
        p->A[n + i][i] = -r->w2[i];
        for (int k = 0; k < n; k++) p->A[n + i][n + k] -= r->C[i][k];
        for (int d = 0; d < r->nd; d++) p->A[n + i][2 * n + 2 * d] += r->drow[d][i];
    }
    for (int j = 0; j < r->m; j++) {
        const ref_contact *c = &r->c[j];
        if (p->key[j] != '+' && p->key[j] != '-') continue;
        real s = p->key[j] == '+' ? 1 : -1;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) p->A[n + i][n + k] -= c->slope * c->row[i] * c->row[k];
            p->A[n + i][r->one] += c->row[i] * (c->slope * c->belt - s * c->limit);
        }
    }
    for (int d = 0; d < r->nd; d++) {
        real w = r->drive[d].omega;
        int f = 2 * n + 2 * d;
        p->A[f][f + 1] = w > 0 ? w : 1;
        if (w > 0) p->A[f + 1][f] = -w;
    }
    p->A[r->time][r->one] = 1;
}

// Sums of the absolute terms that the forces of the contacts at rest consist of, |G^-1| |B| |A|.
static inline bool ref_force_sizes(const reference *r, const ref_phase *p, int h, const int *at,
                                   real G[REF_M][REF_M], real size[REF_M][REF_Z]) {
    real copy[REF_M][REF_M], inverse[REF_M][REF_Z] = {{0}};
    memcpy(copy, G, sizeof copy);
    for (int i = 0; i < h; i++) inverse[i][i] = 1;
    if (!ref_solve(h, copy, inverse, h)) return false;
    for (int i = 0; i < h; i++)
        for (int z = 0; z < r->N; z++) {
            size[i][z] = 0;
            for (int k = 0; k < h; k++)
                for (int l = 0; l < r->n; l++)
                    size[i][z] += fabsl(inverse[i][k] * r->c[at[k]].row[l] * p->A[r->n + l][z]);
        }
    return true;
}

// Forces of the contacts at rest keep their accelerations 0.
static inline bool ref_hold(const reference *r, ref_phase *p) {
    int at[REF_M], h = 0, n = r->n;
    real G[REF_M][REF_M], b[REF_M][REF_Z] = {{0}};
    for (int j = 0; j < r->m; j++)
        if (ref_rests(p->key[j])) at[h++] = j;
    for (int i = 0; i < h; i++) {
        for (int k = 0; k < h; k++) G[i][k] = ref_dot(n, r->c[at[i]].row, r->c[at[k]].row);
        for (int l = 0; l < n; l++)
            for (int z = 0; z < r->N; z++) b[i][z] -= r->c[at[i]].row[l] * p->A[n + l][z];
    }
    real terms[REF_M][REF_Z];
    if (!ref_force_sizes(r, p, h, at, G, terms) || !ref_solve(h, G, b, r->N)) return false;
    for (int i = 0; i < h; i++)
        for (int z = 0; z < r->N; z++) // what cancels is 0: a load that another contact takes up
            if (fabsl(b[i][z]) <= 1e-16L * terms[i][z]) b[i][z] = 0;
    for (int i = 0; i < h; i++) memcpy(p->force[at[i]], b[i], sizeof b[i]);
    for (int l = 0; l < n; l++)
        for (int z = 0; z < r->N; z++) { // what cancels is 0: a load that a contact takes up
            real *a = &p->A[n + l][z], size = fabsl(*a);
            for (int i = 0; i < h; i++) {
                real part = r->c[at[i]].row[l] * b[i][z];
                *a += part, size += fabsl(part);
            }
            if (fabsl(*a) <= 1e-17L * size) *a = 0;
        }
    return true;
}

static inline real *ref_new_guard(ref_phase *p, int contact) {
    ref_guard *g = &p->guard[p->n_guard++];
    memset(g, 0, sizeof *g);
    g->contact = contact;
    return g->row;
}

static inline void ref_guards(const reference *r, ref_phase *p) {
    p->n_guard = 0;
    for (int j = 0; j < r->m; j++) {
        const ref_contact *c = &r->c[j];
        char k = p->key[j];
        int sides = k == 'H' || (k == 'o' && c->both) ? 2 : 1;
        for (int side = 0; side < sides; side++) {
            real *g = ref_new_guard(p, j), s = side ? -1 : 1;
            if (k == '+' || k == '-') {
                s = k == '+' ? 1 : -1;
                for (int i = 0; i < r->n; i++) g[r->n + i] = s * c->row[i];
                g[r->one] = -s * c->belt;
            } else if (k == 'o') {
                for (int i = 0; i < r->n; i++) g[i] = -s * c->row[i];
                g[r->one] = c->gap, g[r->time] = s * c->belt;
            } else {
                if (k == 'l') s = -1;
                for (int z = 0; z < r->N; z++) g[z] = -s * p->force[j][z];
                if (k == 'H') g[r->one] += c->hold;
            }
        }
    }
    for (int i = 0; i < p->n_guard; i++)
        for (int k = 0; k < r->N; k++)
            for (int l = 0; l < r->N; l++) p->guard[i].rate[l] += p->guard[i].row[k] * p->A[k][l];
}

// The phase of these contact states; NULL: its forces are not unique.
static inline ref_phase *ref_find(reference *r, const char *key) {
    ref_phase *p = r->phases;
    while (p && strcmp(p->key, key)) p = p->next;
    if (p) return p;
    p = calloc(1, sizeof *p);
    if (!p) abort();
    snprintf(p->key, sizeof p->key, "%s", key);
    ref_free(r, p);
    if (!ref_hold(r, p)) {
        free(p);
        return NULL;
    }
    ref_guards(r, p);
    p->next = r->phases;
    return r->phases = p;
}

// X[k] = exp(A h0/2^k) - I, from four terms at the smallest step by doubling.
static inline void ref_ladder(const reference *r, ref_phase *p) {
    int N = r->N;
    real h = ldexpl(r->h0, 1 - REF_LEVELS), P[REF_Z][REF_Z], Q[REF_Z][REF_Z];
    real(*last)[REF_Z] = p->X[REF_LEVELS - 1];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) last[i][k] = P[i][k] = p->A[i][k] * h;
    for (int term = 2; term <= 4; term++) {
        memset(Q, 0, sizeof Q);
        for (int i = 0; i < N; i++)
            for (int l = 0; l < N; l++)
                if (P[i][l] != 0)
                    for (int k = 0; k < N; k++) Q[i][k] += P[i][l] * p->A[l][k] * h / term;
        memcpy(P, Q, sizeof P);
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++) last[i][k] += P[i][k];
    }
    for (int level = REF_LEVELS - 2; level >= 0; level--) {
        real(*X)[REF_Z] = p->X[level + 1], (*Y)[REF_Z] = p->X[level];
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < N; k++) Y[i][k] = 2 * X[i][k];
            for (int l = 0; l < N; l++)
                if (X[i][l] != 0)
                    for (int k = 0; k < N; k++) Y[i][k] += X[i][l] * X[l][k];
        }
    }
    p->ready = true;
}

// y = exp(A h0/2^level) z
static inline void ref_step(reference *r, int level, const real *z, real *y) {
    for (int i = 0; i < r->N; i++) y[i] = z[i] + ref_dot(r->N, r->now->X[level][i], z);
    r->samples++;
}

static inline real ref_guard_at(const reference *r, int i, const real *z) {
    return ref_dot(r->N, r->now->guard[i].row, z);
}
static inline real ref_noise(const reference *r, int i) {
    return REF_NOISE * ref_size(r->N, r->now->guard[i].row, r->top);
}

// ---- search

static inline bool ref_outside(const reference *r, const real *z) {
    for (int i = 0; i < r->now->n_guard; i++)
        if (ref_guard_at(r, i, z) < r->low[i]) return true;
    return false;
}

// From z, inside, to a state outside within h0/2^level: the last state inside that halving finds.
// Returns the time passed.
static inline real ref_halve(reference *r, int level, real *z) {
    real passed = 0, y[REF_Z];
    for (int k = level + 1; k < REF_LEVELS; k++) {
        ref_step(r, k, z, y);
        if (ref_outside(r, y)) continue;
        memcpy(z, y, sizeof y);
        passed += ldexpl(r->h0, -k);
    }
    return passed;
}

// On from the last state inside to the zero that is nearest, by two terms of the series.
static inline void ref_polish(reference *r) {
    real dt = ldexpl(r->h0, 3 - REF_LEVELS), w[REF_Z], x[REF_Z];
    bool any = false;
    for (int i = 0; i < r->now->n_guard; i++) {
        real g = ref_guard_at(r, i, r->z), rate = ref_dot(r->N, r->now->guard[i].rate, r->z);
        if (g >= -4 * ref_noise(r, i) && rate < 0 && g < -rate * dt) dt = -g / rate, any = true;
    }
    if (!any) return;
    for (int i = 0; i < r->N; i++) w[i] = ref_dot(r->N, r->now->A[i], r->z);
    for (int i = 0; i < r->N; i++) x[i] = ref_dot(r->N, r->now->A[i], w);
    for (int i = 0; i < r->N; i++) r->z[i] += dt * (w[i] + dt / 2 * x[i]);
    r->t += dt;
}

// Does a guard dip below zero inside a step that is inside at both ends? Then z goes to a state
// outside and *passed tells when.
static inline bool ref_dips(reference *r, int level, const real *z, const real *end, real *low,
                            real *passed) {
    for (int i = 0; i < r->now->n_guard; i++) {
        const ref_guard *g = &r->now->guard[i];
        if (!(ref_dot(r->N, g->rate, z) < 0 && ref_dot(r->N, g->rate, end) > 0)) continue;
        real y[REF_Z];
        memcpy(low, z, sizeof y);
        *passed = 0;
        for (int k = level + 1; k < REF_LEVELS && k < level + 40; k++) {
            ref_step(r, k, low, y);
            if (ref_dot(r->N, g->rate, y) > 0) continue;
            memcpy(low, y, sizeof y);
            *passed += ldexpl(r->h0, -k);
        }
        real value = ref_guard_at(r, i, low), size = ref_size(r->N, g->row, low);
        if (fabsl(value) < 1e-10L * size && *passed > 0) ref_doubt(r);
        if (value < r->low[i]) return true;
    }
    return false;
}

// First event within h0/2^level of r->z, which then moves there; true when there is one.
static inline bool ref_search(reference *r, int level) {
    real y[REF_Z], low[REF_Z], passed = 0;
    ref_step(r, level, r->z, y);
    if (ref_outside(r, y)) {
        r->t += ref_halve(r, level, r->z);
        ref_polish(r);
        return true;
    }
    if (ref_dips(r, level, r->z, y, low, &passed)) {
        // the first zero lies before the minimum: halve towards it, in steps of the same ladder
        real gone = 0;
        for (int k = level + 1; k < REF_LEVELS; k++) {
            real h = ldexpl(r->h0, -k);
            if (gone + h > passed) continue;
            ref_step(r, k, r->z, y);
            if (ref_outside(r, y)) continue;
            memcpy(r->z, y, sizeof y);
            gone += h;
        }
        r->t += gone;
        ref_polish(r);
        return true;
    }
    memcpy(r->z, y, sizeof y);
    for (int i = 0; i < r->N; i++) r->top[i] = fmaxl(r->top[i], fabsl(y[i]));
    r->t += ldexpl(r->h0, -level);
    return false;
}

#endif

// spring_motion.h -- an independent integrator of contacts with springs and friction, long double.
//   Between events z' = A z, z = (x, x', cos and sin of every frequency, 1, t, T of every contact),
//   advanced by exp(A h) - I for h = h0/2^k, built by doubling. Forces are rows over z: springs
//   directly, reactions of what is rigid from their constraints. Guards are rows; events are signs
//   of guards at samples and at their interior minima, placed by halving. Shares nothing with the
//   engines, not even modes: it reads the matrices of spring_model.h.
#ifndef JD_TESTS_SPRING_MOTION_H
#define JD_TESTS_SPRING_MOTION_H

#include "spring_model.h"

enum {
    SM_N = 8,
    SM_M = 8,
    SM_Z = 2 * SM_N + 2 * SPRING_OSC + 2 + SM_M,
    SM_U = 2 * SM_M,
    SM_GUARDS = 3 * SM_M,
    SM_LEVELS = 46,
    SM_EVENTS = 4000,
    SM_KEPT = 60
};

// A force: a row over z, and shares of reactions that are not known yet.
typedef struct sm_form {
    real z[SM_Z], u[SM_U];
} sm_form;

// What a guard watches: force while stuck, slider, normal force, gap, gap while a dashpot relaxes.
typedef enum sm_kind { SM_HOLD, SM_SLIDE, SM_PRESS, SM_GAP, SM_RELAX, SM_LEAVE } sm_kind;

typedef struct sm_guard {
    int contact, side;
    sm_kind kind;
    real row[SM_Z], rate[SM_Z]; // g = row z, g' = rate z
} sm_guard;

typedef struct sm_phase {
    char key[SM_M + 1];
    real A[SM_Z][SM_Z];
    real N[SM_M][SM_Z], T[SM_M][SM_Z], limit[SM_M][SM_Z]; // rows; limit: what slip resists
    int guards;
    sm_guard guard[SM_GUARDS];
    real (*X)[SM_Z][SM_Z]; // SM_LEVELS, made when first used
    struct sm_phase *next;
} sm_phase;

typedef struct sm_event {
    real t;
    int contact;
    char from, to;
    real speed, Pn, Pt; // of impacts
} sm_event;

typedef enum sm_end { SM_TIME, SM_FULL, SM_NO_PHASE, SM_STALLED, SM_CHATTER } sm_end;

typedef struct sm_run {
    const spring_model *s;
    int Z, one, time, force; // size of z; places of 1, t and the first T
    int oscillators;
    real omega[SPRING_OSC];
    real lift_n[SM_M][SM_N], lift_t[SM_M][SM_N]; // M^-1 w
    real Minv_K[SM_N][SM_N], Minv_C[SM_N][SM_N], Minv_F[SPRING_OSC][SM_N], Minv_f[SM_N];
    real h0, t, z[SM_Z], top[SM_Z];
    char mark[SM_M + 1]; // o open, O open with p > 0, c closed, H, +, -
    sm_phase *phases, *now;
    real low[SM_GUARDS];
    int n_event;
    sm_event event[SM_EVENTS];
    real doubtful; // first time at which rounding or a near tie decided
    sm_end end;
    int kept;
} sm_run;

static inline void sm_doubt(sm_run *r) { r->doubtful = fminl(r->doubtful, r->t); }
static inline bool sm_open(char k) { return k == 'o' || k == 'O'; }
static inline int sm_sign(char k) { return k == '+' ? 1 : k == '-' ? -1 : 0; }
static inline int sm_oscillator(const sm_run *r, int k) { return 2 * r->s->n + 2 * k; }

static inline real sm_size(int n, const real *a, const real *b) {
    real s = 0;
    for (int i = 0; i < n; i++) s += fabsl(a[i] * b[i]);
    return s;
}

// ---- forces of a phase

static inline void sm_add(const sm_run *r, real f, const sm_form *a, sm_form *to) {
    for (int i = 0; i < r->Z; i++) to->z[i] += f * a->z[i];
    for (int i = 0; i < SM_U; i++) to->u[i] += f * a->u[i];
}

static inline void sm_normal(const sm_run *r, const char *key, int j, sm_form *N) {
    const spring_contact *c = &r->s->c[j];
    int n = r->s->n;
    if (!c->normal || sm_open(key[j])) return;
    if (c->kn <= 0) {
        N->u[j] = 1;
        return;
    }
    for (int i = 0; i < n; i++) N->z[i] = c->kn * c->wn[i], N->z[n + i] = c->cn * c->wn[i];
    N->z[r->one] = -c->kn * c->gap;
}

// Which oscillator swings the limit of contact j.
static inline int sm_swing(const sm_run *r, int j) {
    int k = r->s->drives;
    for (int i = 0; i < j; i++) k += r->s->c[i].swing != 0;
    return sm_oscillator(r, k);
}

// What its limit is multiplied by: 1 with its variation, or a normal force.
static inline void sm_scale(const sm_run *r, const char *key, int j, sm_form *S) {
    const spring_contact *c = &r->s->c[j];
    if (c->source == SPRING_OWN) sm_normal(r, key, j, S);
    if (c->source == SPRING_OTHER) sm_normal(r, key, c->other, S);
    if (c->source != SPRING_GIVEN) return;
    S->z[r->one] = 1;
    if (c->swing != 0) S->z[sm_swing(r, j)] = c->swing;
}

static inline void sm_tangent(const sm_run *r, const char *key, int j, sm_form *T) {
    const spring_contact *c = &r->s->c[j];
    if (!c->friction || sm_open(key[j])) return;
    if (key[j] == 'H') {
        if (c->kt > 0)
            T->z[r->force + j] = 1;
        else
            T->u[SM_M + j] = 1;
        return;
    }
    sm_form S = {{0}, {0}};
    sm_scale(r, key, j, &S);
    sm_add(r, sm_sign(key[j]) * c->limit, &S, T);
}

// Accelerations as forms.
static inline void sm_accelerations(const sm_run *r, const char *key, sm_form *a) {
    const spring_model *s = r->s;
    for (int i = 0; i < s->n; i++) {
        memset(&a[i], 0, sizeof a[i]);
        for (int k = 0; k < s->n; k++)
            a[i].z[k] -= r->Minv_K[i][k], a[i].z[s->n + k] -= r->Minv_C[i][k];
        for (int d = 0; d < s->drives; d++) a[i].z[sm_oscillator(r, d)] += r->Minv_F[d][i];
        a[i].z[r->one] += r->Minv_f[i];
    }
    for (int j = 0; j < s->m; j++) {
        sm_form N = {{0}, {0}}, T = {{0}, {0}};
        sm_normal(r, key, j, &N);
        sm_tangent(r, key, j, &T);
        for (int i = 0; i < s->n; i++)
            sm_add(r, -r->lift_n[j][i], &N, &a[i]), sm_add(r, -r->lift_t[j][i], &T, &a[i]);
    }
}

// Reactions u = row z that keep w a = 0 where it is rigid; false: they are not unique.
static inline bool sm_reactions(const sm_run *r, const char *key, const sm_form *a,
                                real u[SM_U][SM_Z]) {
    const spring_model *s = r->s;
    int at[SM_U], h = 0;
    real E[SM_U][SM_U] = {{0}}, b[SM_U][SM_Z] = {{0}};
    memset(u, 0, sizeof(real) * SM_U * SM_Z);
    for (int j = 0; j < s->m; j++) {
        if (s->c[j].normal && s->c[j].kn <= 0 && !sm_open(key[j])) at[h++] = j;
        if (s->c[j].friction && s->c[j].kt <= 0 && key[j] == 'H') at[h++] = SM_M + j;
    }
    for (int i = 0; i < h; i++) {
        const spring_contact *c = &s->c[at[i] % SM_M];
        const real *w = at[i] < SM_M ? c->wn : c->wt;
        for (int l = 0; l < s->n; l++) {
            for (int k = 0; k < h; k++) E[i][k] += w[l] * a[l].u[at[k]];
            for (int z = 0; z < r->Z; z++) b[i][z] -= w[l] * a[l].z[z];
        }
    }
    if (h && !spring_solve(h, SM_U, E[0], r->Z, SM_Z, b[0])) return false;
    for (int i = 0; i < h; i++) memcpy(u[at[i]], b[i], sizeof b[i]);
    return true;
}

static inline void sm_row(const sm_run *r, const sm_form *f, real u[SM_U][SM_Z], real *row) {
    for (int z = 0; z < r->Z; z++) {
        row[z] = f->z[z];
        for (int i = 0; i < SM_U; i++) row[z] += f->u[i] * u[i][z];
    }
}

static inline bool sm_forces(const sm_run *r, sm_phase *p) {
    const spring_model *s = r->s;
    sm_form a[SM_N];
    real u[SM_U][SM_Z];
    int n = s->n;
    sm_accelerations(r, p->key, a);
    if (!sm_reactions(r, p->key, a, u)) return false;
    for (int i = 0; i < n; i++) {
        p->A[i][n + i] = 1;
        sm_row(r, &a[i], u, p->A[n + i]);
    }
    for (int k = 0; k < r->oscillators; k++) {
        int f = sm_oscillator(r, k);
        p->A[f][f + 1] = -r->omega[k], p->A[f + 1][f] = r->omega[k];
    }
    p->A[r->time][r->one] = 1;
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->c[j];
        sm_form N = {{0}, {0}}, T = {{0}, {0}}, S = {{0}, {0}};
        sm_normal(r, p->key, j, &N);
        sm_tangent(r, p->key, j, &T);
        sm_scale(r, p->key, j, &S);
        sm_row(r, &N, u, p->N[j]);
        sm_row(r, &T, u, p->T[j]);
        sm_row(r, &S, u, p->limit[j]);
        if (!c->friction || c->kt <= 0 || p->key[j] != 'H') continue;
        for (int i = 0; i < n; i++) p->A[r->force + j][n + i] = c->kt * c->wt[i];
        p->A[r->force + j][r->one] = -c->kt * c->belt;
    }
    return true;
}

static inline sm_guard *sm_new_guard(sm_phase *p, int contact, sm_kind kind, int side) {
    sm_guard *g = &p->guard[p->guards++];
    memset(g, 0, sizeof *g);
    g->contact = contact, g->kind = kind, g->side = side;
    return g;
}

static inline void sm_product(const sm_run *r, const real *row, real A[SM_Z][SM_Z], real *out) {
    memset(out, 0, sizeof(real) * SM_Z);
    for (int k = 0; k < r->Z; k++)
        for (int l = 0; row[k] != 0 && l < r->Z; l++) out[l] += row[k] * A[k][l];
}

// ---- guards of contact j

static inline void sm_guard_slide(const sm_run *r, sm_phase *p, int j) {
    const spring_contact *c = &r->s->c[j];
    int n = r->s->n, sign = sm_sign(p->key[j]);
    real *g = sm_new_guard(p, j, SM_SLIDE, sign)->row, change[SM_Z];
    for (int i = 0; i < n; i++) g[n + i] = sign * c->wt[i];
    g[r->one] = -sign * c->belt;
    if (c->kt <= 0) return;
    sm_product(r, p->limit[j], p->A, change); // the slider: s' = u' - sign limit'/kt
    for (int z = 0; z < r->Z; z++) g[z] -= c->limit * change[z] / c->kt;
}

static inline void sm_guard_gap(const sm_run *r, sm_phase *p, int j) {
    const spring_contact *c = &r->s->c[j];
    int n = r->s->n;
    real *g = sm_new_guard(p, j, p->key[j] == 'O' ? SM_RELAX : SM_GAP, 0)->row;
    real k = p->key[j] == 'O' ? c->kn : 1, d = p->key[j] == 'O' ? c->cn : 0;
    for (int i = 0; i < n; i++) g[i] = -k * c->wn[i], g[n + i] = -d * c->wn[i];
    g[r->one] = k * c->gap;
    if (p->key[j] != 'O') return;
    g = sm_new_guard(p, j, SM_LEAVE, 0)->row;
    for (int i = 0; i < n; i++) g[i] = c->wn[i];
    g[r->one] = -c->gap;
}

static inline void sm_guards(const sm_run *r, sm_phase *p) {
    p->guards = 0;
    for (int j = 0; j < r->s->m; j++) {
        const spring_contact *c = &r->s->c[j];
        if (c->normal && sm_open(p->key[j])) sm_guard_gap(r, p, j);
        if (sm_open(p->key[j])) continue;
        if (c->normal) memcpy(sm_new_guard(p, j, SM_PRESS, 0)->row, p->N[j], sizeof p->N[j]);
        if (!c->friction) continue;
        if (p->key[j] != 'H') {
            sm_guard_slide(r, p, j);
            continue;
        }
        for (int side = 1; side >= -1; side -= 2) {
            real *g = sm_new_guard(p, j, SM_HOLD, side)->row;
            for (int z = 0; z < r->Z; z++) g[z] = c->hold * p->limit[j][z] - side * p->T[j][z];
        }
    }
    for (int i = 0; i < p->guards; i++) sm_product(r, p->guard[i].row, p->A, p->guard[i].rate);
}

// The phase of these letters; NULL: its reactions are not unique.
static inline sm_phase *sm_find(sm_run *r, const char *key) {
    sm_phase *p = r->phases;
    while (p && strcmp(p->key, key) != 0) p = p->next;
    if (p) return p;
    p = calloc(1, sizeof *p);
    if (!p) abort();
    snprintf(p->key, sizeof p->key, "%s", key);
    if (!sm_forces(r, p)) {
        free(p);
        return NULL;
    }
    sm_guards(r, p);
    p->next = r->phases;
    return r->phases = p;
}

// ---- motion in a phase

// X[k] = exp(A h0/2^k) - I, from four terms at the smallest step by doubling.
static inline void sm_ladder(sm_run *r, sm_phase *p) {
    int Z = r->Z;
    real h = ldexpl(r->h0, 1 - SM_LEVELS), P[SM_Z][SM_Z], Q[SM_Z][SM_Z];
    if (r->kept++ > SM_KEPT) { // memory: the others are made again when they come back
        for (sm_phase *o = r->phases; o; o = o->next) free(o->X), o->X = NULL;
        r->kept = 1;
    }
    p->X = calloc(SM_LEVELS, sizeof *p->X);
    if (!p->X) abort();
    real(*last)[SM_Z] = p->X[SM_LEVELS - 1];
    for (int i = 0; i < Z; i++)
        for (int k = 0; k < Z; k++) last[i][k] = P[i][k] = p->A[i][k] * h;
    for (int term = 2; term <= 4; term++) {
        memset(Q, 0, sizeof Q);
        for (int i = 0; i < Z; i++)
            for (int l = 0; l < Z; l++)
                for (int k = 0; P[i][l] != 0 && k < Z; k++)
                    Q[i][k] += P[i][l] * p->A[l][k] * h / term;
        memcpy(P, Q, sizeof P);
        for (int i = 0; i < Z; i++)
            for (int k = 0; k < Z; k++) last[i][k] += P[i][k];
    }
    for (int level = SM_LEVELS - 2; level >= 0; level--) {
        real(*X)[SM_Z] = p->X[level + 1], (*Y)[SM_Z] = p->X[level];
        for (int i = 0; i < Z; i++) {
            for (int k = 0; k < Z; k++) Y[i][k] = 2 * X[i][k];
            for (int l = 0; l < Z; l++)
                for (int k = 0; X[i][l] != 0 && k < Z; k++) Y[i][k] += X[i][l] * X[l][k];
        }
    }
}

static inline void sm_step(sm_run *r, int level, const real *z, real *y) {
    if (!r->now->X) sm_ladder(r, r->now);
    for (int i = 0; i < r->Z; i++) y[i] = z[i] + spring_dot(r->Z, r->now->X[level][i], z);
}
static inline real sm_guard_at(const sm_run *r, int i, const real *z) {
    return spring_dot(r->Z, r->now->guard[i].row, z);
}
static inline real sm_noise(const sm_run *r, int i) {
    return 1e-17L * sm_size(r->Z, r->now->guard[i].row, r->top);
}
static inline bool sm_outside(const sm_run *r, const real *z) {
    for (int i = 0; i < r->now->guards; i++)
        if (sm_guard_at(r, i, z) < r->low[i]) return true;
    return false;
}

// On from the last state inside to the zero that is nearest, by two terms of the series.
static inline void sm_polish(sm_run *r) {
    real dt = ldexpl(r->h0, 3 - SM_LEVELS), w[SM_Z], x[SM_Z];
    bool any = false;
    for (int i = 0; i < r->now->guards; i++) {
        real g = sm_guard_at(r, i, r->z), rate = spring_dot(r->Z, r->now->guard[i].rate, r->z);
        if (g >= -8 * sm_noise(r, i) && rate < 0 && g < -rate * dt) dt = -g / rate, any = true;
    }
    if (!any) return;
    for (int i = 0; i < r->Z; i++) w[i] = spring_dot(r->Z, r->now->A[i], r->z);
    for (int i = 0; i < r->Z; i++) x[i] = spring_dot(r->Z, r->now->A[i], w);
    for (int i = 0; i < r->Z; i++) r->z[i] += dt * (w[i] + dt / 2 * x[i]);
    r->t += dt;
}

// From z, inside, towards a state outside within `room` of it: the last state inside.
static inline void sm_halve(sm_run *r, int level, real room) {
    real gone = 0, y[SM_Z];
    for (int k = level + 1; k < SM_LEVELS; k++) {
        real h = ldexpl(r->h0, -k);
        if (gone + h > room) continue;
        sm_step(r, k, r->z, y);
        if (sm_outside(r, y)) continue;
        memcpy(r->z, y, sizeof y);
        gone += h;
    }
    r->t += gone;
    sm_polish(r);
}

// When a guard dips below zero inside a step that is inside at both ends; 0: none does.
static inline real sm_dips(sm_run *r, int level, const real *end) {
    for (int i = 0; i < r->now->guards; i++) {
        const sm_guard *g = &r->now->guard[i];
        if (!(spring_dot(r->Z, g->rate, r->z) < 0 && spring_dot(r->Z, g->rate, end) > 0)) continue;
        real y[SM_Z], low[SM_Z], passed = 0;
        memcpy(low, r->z, sizeof low);
        for (int k = level + 1; k < SM_LEVELS; k++) {
            sm_step(r, k, low, y);
            if (spring_dot(r->Z, g->rate, y) > 0) continue;
            memcpy(low, y, sizeof y);
            passed += ldexpl(r->h0, -k);
        }
        real value = sm_guard_at(r, i, low), size = sm_size(r->Z, g->row, r->top);
        if (fabsl(value) < 1e-10L * size && passed > ldexpl(r->h0, -40)) sm_doubt(r);
        if (value < r->low[i]) return passed;
    }
    return 0;
}

// First event within h0/2^level of r->z, which then moves there; true when there is one.
static inline bool sm_search(sm_run *r, int level) {
    real y[SM_Z], h = ldexpl(r->h0, -level), dip;
    sm_step(r, level, r->z, y);
    if (sm_outside(r, y)) {
        sm_halve(r, level, h);
        return true;
    }
    if ((dip = sm_dips(r, level, y)) > 0) {
        sm_halve(r, level, dip);
        return true;
    }
    memcpy(r->z, y, sizeof y);
    for (int i = 0; i < r->Z; i++) r->top[i] = fmaxl(r->top[i], fabsl(y[i]));
    r->t += h;
    return false;
}

#endif

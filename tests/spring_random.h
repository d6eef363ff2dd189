// spring_random.h -- small structures with contacts of springs and friction, drawn from a seed.
//   Jenkins elements and several side by side, elastic stops on one or two sides with and without
//   dashpot, preloads, dry contacts with springs and rigid ones, friction that another contact
//   presses, limits that vary in time, belts, drives, constant loads, starts in motion.
#ifndef JD_TESTS_SPRING_RANDOM_H
#define JD_TESTS_SPRING_RANDOM_H

#include "spring_model.h"

typedef struct spring_draw {
    unsigned long long state;
} spring_draw;

static inline real sd(spring_draw *d, real low, real high) {
    d->state = d->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (real)(d->state >> 11) / 9007199254740992.0L;
}
static inline bool sd_chance(spring_draw *d, real p) { return sd(d, 0, 1) < p; }
static inline int sd_pick(spring_draw *d, int n) { return (int)sd(d, 0, n); }
// Evenly over the orders of magnitude; numbers that model files hold without rounding.
static inline real sd_log(spring_draw *d, real low, real high) {
    return (double)(low * powl(high / low, sd(d, 0, 1)));
}
static inline real sd_number(spring_draw *d, real low, real high) {
    return (double)sd(d, low, high);
}

// A chain, coupled by inertia in half of the cases; Rayleigh damping, or in some a matrix.
static inline void sd_structure(spring_draw *d, spring_model *s) {
    real alpha = sd_chance(d, 0.3L) ? 0 : sd_log(d, 1e-3L, 0.2L);
    real beta = sd_chance(d, 0.3L) ? 0 : sd_log(d, 1e-3L, 0.1L);
    bool coupled = sd_chance(d, 0.5L), full = sd_chance(d, 0.3L);
    s->n = 1 + sd_pick(d, 5);
    for (int i = 0; i < s->n; i++) {
        real k = sd_number(d, 0.5L, 4);
        s->M[i][i] = sd_number(d, 0.4L, 2);
        s->K[i][i] += k;
        if (i > 0) s->K[i - 1][i - 1] += k, s->K[i][i - 1] = s->K[i - 1][i] = -k;
        if (i > 0 && coupled) s->M[i][i - 1] = s->M[i - 1][i] = sd_number(d, -0.15L, 0.15L);
    }
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->n; k++)
            s->C[i][k] = (double)(alpha * s->M[i][k] + beta * s->K[i][k]);
    for (int i = 0; full && i < s->n; i++) s->C[i][i] += sd_number(d, 0, 0.1L);
}

// A dof; in tables of modes any direction would do, matrices have these.
static inline void sd_row(spring_draw *d, const spring_model *s, real *w, int not_this) {
    int at = sd_pick(d, s->n);
    if (at == not_this) at = (at + 1) % s->n;
    memset(w, 0, SPRING_N * sizeof *w);
    w[at] = 1;
}
static inline int sd_dof(const spring_model *s, const real *w) {
    for (int i = 0; i < s->n; i++)
        if (w[i] != 0) return i;
    return -1;
}

static inline void sd_limits(spring_draw *d, spring_contact *c, real low, real high) {
    c->limit = sd_log(d, low, high);
    c->hold = sd_chance(d, 0.3L) ? (double)(c->limit * sd(d, 1.05L, 1.6L)) : c->limit;
    if (sd_chance(d, 0.25L)) c->belt = sd_number(d, -0.6L, 0.6L);
}

static inline void sd_stop(spring_draw *d, const spring_model *s, spring_contact *c) {
    c->normal = true;
    sd_row(d, s, c->wn, -1);
    c->kn = sd_log(d, 1, 200);
    c->cn = sd_chance(d, 0.5L) ? 0 : sd_log(d, 0.02L, 3);
    c->gap = sd_chance(d, 0.25L) ? -sd_number(d, 0.01L, 0.3L) : sd_number(d, 0.02L, 0.6L);
}

static inline void sd_dry(spring_draw *d, const spring_model *s, spring_contact *c, bool rigid) {
    sd_stop(d, s, c);
    c->friction = true, c->source = SPRING_OWN;
    sd_row(d, s, c->wt, sd_dof(s, c->wn));
    sd_limits(d, c, 0.05L, 0.8L);
    c->kt = sd_chance(d, 0.3L) ? 0 : sd_log(d, 1, 100);
    if (!rigid) return;
    c->kn = c->cn = 0;
    c->kt = 0;
    c->gap = fabsl(c->gap);
    c->hold = c->limit;
    c->e = sd_chance(d, 0.4L) ? 0 : sd_number(d, 0.3L, 1);
    c->newton = sd_chance(d, 0.4L);
}

static inline void sd_friction(spring_draw *d, const spring_model *s, spring_contact *c) {
    c->friction = true;
    sd_row(d, s, c->wt, -1);
    sd_limits(d, c, 0.03L, 1);
    c->kt = sd_log(d, 1, 100);
    if (!sd_chance(d, 0.2L)) return;
    c->swing = sd_number(d, 0.1L, 0.8L), c->swing_omega = sd_number(d, 0.3L, 3);
    c->swing_phase = sd_number(d, 0, 6);
}

// One to three places, each with what stands there.
static inline void sd_place(spring_draw *d, spring_model *s) {
    spring_contact *c = &s->c[s->m];
    real kind = sd(d, 0, 1);
    int rigid = 0, room = 8 - s->m;
    for (int j = 0; j < s->m; j++) rigid += s->c[j].normal && s->c[j].kn <= 0;
    s->m++;
    if (kind < 0.25L || (s->n < 2 && kind > 0.55L)) {
        sd_friction(d, s, c);
    } else if (kind < 0.35L && room >= 4) { // several sliders side by side
        int many = 2 + sd_pick(d, 3);
        sd_friction(d, s, c);
        c->hold = c->limit, c->swing = 0;
        for (int i = 1; i < many; i++, s->m++) {
            c[i] = c[0];
            c[i].limit = c[i].hold = sd_log(d, 0.03L, 1), c[i].kt = sd_log(d, 1, 100);
            c[i].joined = true;
        }
    } else if (kind < 0.55L) {
        sd_stop(d, s, c);
        if (c->gap > 0 && sd_chance(d, 0.4L) && room >= 2) { // two sides
            c[1] = c[0], c[1].joined = true, s->m++;
            for (int i = 0; i < s->n; i++) c[1].wn[i] = -c[0].wn[i];
        } else if (room >= 2 && sd_chance(d, 0.4L)) { // friction that this one presses
            sd_friction(d, s, &c[1]);
            c[1].source = SPRING_OTHER, c[1].other = s->m - 1, c[1].swing = 0, s->m++;
        }
    } else {
        sd_dry(d, s, c, kind > 0.85L && rigid == 0);
    }
}

// Rigid rows that depend on each other leave the split of their forces open.
static inline bool sd_independent(const spring_model *s) {
    const real *row[2 * SPRING_M];
    int n = 0;
    for (int j = 0; j < s->m; j++) {
        if (s->c[j].normal && s->c[j].kn <= 0) row[n++] = s->c[j].wn;
        if (s->c[j].friction && s->c[j].kt <= 0) row[n++] = s->c[j].wt;
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            if (sd_dof(s, row[a]) == sd_dof(s, row[b])) return false;
    return true;
}

static inline bool sd_drawable(const spring_model *s) {
    if (!sd_independent(s)) return false;
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->c[j];
        if (!c->friction || !c->normal) continue;
        real nn = spring_coupling(s, c->wn, c->wn), nt = spring_coupling(s, c->wn, c->wt);
        if (c->limit * fabsl(nt) > 0.8L * nn) return false; // no paradox of rigid ones
    }
    return true;
}

// The same number in all models of this file: the seed says everything.
static inline spring_model spring_drawn(unsigned long long seed) {
    spring_model s;
    spring_draw d = {seed * 2862933555777941757ULL + 3037000493ULL};
    for (int i = 0; i < 8; i++) sd(&d, 0, 1);
    do {
        memset(&s, 0, sizeof s);
        sd_structure(&d, &s);
        int places = 1 + sd_pick(&d, 3);
        for (int i = 0; i < places && s.m < 5; i++) sd_place(&d, &s);
    } while (!sd_drawable(&s));
    s.drives = sd_chance(&d, 0.1L) ? 0 : 1 + sd_pick(&d, 2);
    for (int k = 0; k < s.drives; k++) {
        s.drive[k].vector[sd_pick(&d, s.n)] = sd_log(&d, 0.2L, 3) * (sd_chance(&d, 0.5L) ? 1 : -1);
        s.drive[k].omega = sd_number(&d, 0.3L, 4), s.drive[k].phase = sd_number(&d, 0, 6);
    }
    if (sd_chance(&d, 0.4L)) s.constant[sd_pick(&d, s.n)] = sd_number(&d, -1, 1);
    bool moves = s.drives == 0 || sd_chance(&d, 0.4L);
    for (int i = 0; i < s.n && moves; i++) {
        s.x[i] = sd_number(&d, -0.3L, 0.3L), s.v[i] = sd_number(&d, -1, 1);
    }
    for (int j = 0; j < s.m; j++) { // nothing starts inside a rigid stop
        spring_contact *c = &s.c[j];
        if (c->normal && c->kn <= 0) c->gap += fmaxl(0, spring_dot(s.n, c->wn, s.x));
    }
    s.until = sd_number(&d, 15, 30);
    return s;
}

// A twin whose stiffness, limits and loads differ by this share: how far digits reach.
static inline spring_model spring_nudged(const spring_model *s, real share) {
    spring_model t = *s;
    for (int i = 0; i < t.n; i++) t.K[i][i] *= 1 + share * (i % 2 ? 0.7L : -1);
    for (int j = 0; j < t.m; j++) {
        spring_contact *c = &t.c[j];
        bool joined = c->joined;
        real f = 1 + share * (0.3L + 0.4L * j);
        c->limit *= f, c->hold *= f, c->kt *= f, c->kn *= joined ? 1 : f;
        if (joined) c->kn = t.c[j - 1].kn;
    }
    for (int d = 0; d < t.drives; d++)
        for (int i = 0; i < t.n; i++) t.drive[d].vector[i] *= 1 + share * (0.9L - 1.3L * d);
    return t;
}

#endif

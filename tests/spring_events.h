// spring_events.h -- rules of contacts with springs and friction for spring_motion.h.
//   At an event every contact has letters it may take; all combinations are tried in turn and one
//   is taken when the first derivative of each guard that does not vanish is positive. Impacts of
//   rigid normal parts by poisson (Routh) or newton. What is too close to call sets `doubtful`.
#ifndef JD_TESTS_SPRING_EVENTS_H
#define JD_TESTS_SPRING_EVENTS_H

#include "spring_motion.h"

enum { SM_ORDERS = 7 };

typedef struct sm_choice {
    char may[SM_M][6]; // letters to be tried, in this order
} sm_choice;

static inline void sm_may(sm_choice *c, int j, const char *letters) {
    for (; *letters; letters++) {
        size_t n = strlen(c->may[j]);
        if (strchr(c->may[j], *letters) || n + 1 >= sizeof c->may[j]) continue;
        c->may[j][n] = *letters, c->may[j][n + 1] = 0;
    }
}

static inline void sm_record(sm_run *r, int j, char from, char to, real speed, const real *P) {
    if (from == 'O') from = 'o';
    if (to == 'O') to = 'o';
    if ((from == to && speed == 0) || r->n_event >= SM_EVENTS) return;
    r->event[r->n_event++] = (sm_event){r->t, j, from, to, speed, P ? P[0] : 0, P ? P[1] : 0};
}

// Relative velocity along the tangent; *rests: no more than rounding.
static inline real sm_slip(const sm_run *r, int j, bool *rests) {
    const spring_contact *c = &r->s->c[j];
    const real *v = r->z + r->s->n;
    real u = spring_dot(r->s->n, c->wt, v) - c->belt;
    *rests = fabsl(u) <= 1e-15L * (sm_size(r->s->n, c->wt, r->top + r->s->n) + fabsl(c->belt));
    return u;
}
static inline real sm_depth(const sm_run *r, int j) {
    return spring_dot(r->s->n, r->s->c[j].wn, r->z) - r->s->c[j].gap;
}
static inline real sm_approach(const sm_run *r, int j) {
    return spring_dot(r->s->n, r->s->c[j].wn, r->z + r->s->n);
}

// Do all guards of the phase go up from here?
static inline bool sm_admissible(sm_run *r, const sm_phase *p) {
    real d[SM_ORDERS][SM_Z], size[SM_ORDERS][SM_Z];
    for (int i = 0; i < r->Z; i++) d[0][i] = r->z[i], size[0][i] = r->top[i];
    for (int k = 1; k < SM_ORDERS; k++)
        for (int i = 0; i < r->Z; i++) {
            d[k][i] = spring_dot(r->Z, p->A[i], d[k - 1]);
            size[k][i] = sm_size(r->Z, p->A[i], size[k - 1]);
        }
    for (int g = 0; g < p->guards; g++) {
        const sm_guard *guard = &p->guard[g];
        int k = 0;
        for (; k < SM_ORDERS; k++) {
            real y = spring_dot(r->Z, guard->row, d[k]);
            real noise = 1e-16L * sm_size(r->Z, guard->row, size[k]);
            if (k > 0) noise *= 100;
            if (fabsl(y) <= noise) continue;
            if (fabsl(y) <= 1e4L * noise && k > 0) sm_doubt(r);
            if (y < 0) return false;
            break;
        }
        // a slider that rests as long as another contact holds it: stuck or sliding, no difference
        if (k == SM_ORDERS && guard->kind == SM_SLIDE) sm_doubt(r);
    }
    return true;
}

static inline bool sm_consistent(const spring_model *s, const char *key) {
    for (int j = 0; j < s->m; j++)
        if (s->c[j].friction && s->c[j].source == SPRING_OTHER &&
            sm_open(key[j]) != sm_open(key[s->c[j].other]))
            return false;
    return true;
}

// Takes the first combination that is admissible.
static inline bool sm_choose(sm_run *r, const sm_choice *c) {
    int m = r->s->m, at[SM_M] = {0};
    char key[SM_M + 1] = {0};
    for (;;) {
        for (int j = 0; j < m; j++) key[j] = c->may[j][at[j]];
        sm_phase *p = sm_consistent(r->s, key) ? sm_find(r, key) : NULL;
        if (p && sm_admissible(r, p)) {
            r->now = p;
            memcpy(r->mark, key, sizeof key);
            for (int g = 0; g < p->guards; g++)
                r->low[g] = fminl(0, sm_guard_at(r, g, r->z)) - 8 * sm_noise(r, g);
            return true;
        }
        int j = m - 1;
        while (j >= 0 && !c->may[j][++at[j]]) at[j--] = 0;
        if (j < 0) return false;
    }
}

// ---- impacts of one rigid normal part: G = (nn, nt; nt, tt), velocity (vn, vt)

static inline void sm_newton(const real *G, real e, real mu, real vn, real vt, real *P) {
    real det = G[0] * G[2] - G[1] * G[1], n = (1 + e) * vn;
    P[0] = (G[2] * n - G[1] * vt) / det, P[1] = (G[0] * vt - G[1] * n) / det;
    if (P[0] >= 0 && fabsl(P[1]) <= mu * P[0]) return;
    for (int sign = 1; sign >= -1; sign -= 2) {
        P[0] = n / (G[0] + sign * mu * G[1]), P[1] = sign * mu * P[0];
        if (P[0] > 0 && sign * (vt - G[1] * P[0] - G[2] * P[1]) >= 0) return;
    }
    P[0] = NAN;
}

// Along the normal impulse: dvn = -(nn + nt r) dP, dvt = -(nt + tt r) dP, r = dPt/dPn.
static inline void sm_poisson(const real *G, real e, real mu, real vn, real vt, real *P) {
    real end = HUGE_VALL, stick = -G[1] / G[2];
    P[0] = P[1] = 0;
    for (int piece = 0; piece < 8; piece++) {
        bool rests = fabsl(vt) <= 1e-17L * (fabsl(vn) + G[2] * P[0] + 1e-300L);
        real rate = !rests ? copysignl(mu, vt) : fabsl(stick) <= mu ? stick : copysignl(mu, stick);
        real a = G[0] + G[1] * rate, b = G[1] + G[2] * rate, dP = end - P[0];
        if (rests && fabsl(stick) <= mu) b = 0;
        bool turns = false, peak = false;
        if (b * vt > 0 && vt / b < dP) dP = vt / b, turns = true;
        if (vn > 0 && a > 0 && vn / a < dP) dP = vn / a, turns = false, peak = true;
        if (!(dP < HUGE_VALL)) {
            P[0] = NAN; // never comes to rest: jamming
            return;
        }
        P[0] += dP, P[1] += rate * dP;
        vn = peak ? 0 : vn - a * dP, vt = turns ? 0 : vt - b * dP;
        if (peak) end = (1 + e) * P[0];
        if (P[0] >= end) return;
    }
}

static inline bool sm_impact(sm_run *r, int j) {
    const spring_contact *c = &r->s->c[j];
    int n = r->s->n;
    bool rests, rough = c->friction && c->source == SPRING_OWN && c->limit > 0;
    real vn = sm_approach(r, j), vt = rough ? sm_slip(r, j, &rests) : 0, P[2] = {0, 0};
    real G[3] = {spring_dot(n, c->wn, r->lift_n[j]), spring_dot(n, c->wn, r->lift_t[j]),
                 spring_dot(n, c->wt, r->lift_t[j])};
    if (!rough)
        P[0] = (1 + c->e) * vn / G[0];
    else if (c->newton)
        sm_newton(G, c->e, c->limit, vn, vt, P);
    else
        sm_poisson(G, c->e, c->limit, vn, vt, P);
    if (isnan(P[0])) return false;
    for (int i = 0; i < n; i++) {
        r->z[n + i] -= r->lift_n[j][i] * P[0] + r->lift_t[j][i] * P[1];
        r->top[n + i] = fmaxl(r->top[n + i], fabsl(r->z[n + i]));
    }
    sm_record(r, j, 'o', 'o', vn, P);
    // Bounces that follow each other faster and faster: compared up to here.
    real speed = -sm_approach(r, j);
    if (c->e > 0 && c->e < 1 && speed < 1e-6L * sm_size(n, c->wn, r->top + n)) r->end = SM_CHATTER;
    return true;
}

// ---- what contacts may do

// Is the limit of contact j above its slider's force by more than rounding?
static inline bool sm_pressed(const sm_run *r, int j) {
    const spring_contact *k = &r->s->c[j];
    int at = k->source == SPRING_OTHER ? k->other : j;
    const spring_contact *p = &r->s->c[at];
    real N = k->swing != 0 ? 1 + k->swing * r->z[sm_swing(r, j)] : 1;
    if (k->source != SPRING_GIVEN) N = p->kn * sm_depth(r, at) + p->cn * sm_approach(r, at);
    real size = k->source == SPRING_GIVEN
                    ? 1
                    : p->kn * (sm_size(r->s->n, p->wn, r->top) + fabsl(p->gap)) +
                          p->cn * sm_size(r->s->n, p->wn, r->top + r->s->n);
    return k->hold * N - fabsl(r->z[r->force + j]) > 1e-13L * k->hold * size;
}

// Letters of a contact that is closed and whose tangential velocity is known.
static inline void sm_closed(const sm_run *r, int j, sm_choice *c) {
    const spring_contact *k = &r->s->c[j];
    bool rests = true;
    real u = k->friction ? sm_slip(r, j, &rests) : 0;
    if (!k->friction)
        sm_may(c, j, "c");
    else if (k->kt > 0 && sm_pressed(r, j)) // its spring has the force it has
        sm_may(c, j, "H");
    else if (k->kt > 0 || rests)
        sm_may(c, j, "H+-");
    else
        sm_may(c, j, u > 0 ? "+" : "-");
}

static inline const char *sm_opened(const sm_run *r, int j) {
    int k = r->s->c[j].source == SPRING_OTHER && r->s->c[j].friction ? r->s->c[j].other : j;
    return r->s->c[k].cn > 0 && sm_depth(r, k) > 0 ? "O" : "o";
}

// Has the normal force of contact j jumped? That of a dashpot does where velocities jump, that of a
// rigid part wherever forces do.
static inline bool sm_presses_again(const sm_run *r, int j, bool jumped) {
    const spring_contact *k = &r->s->c[j];
    const spring_contact *p = k->source == SPRING_OTHER ? &r->s->c[k->other] : k;
    return p->normal && (p->kn <= 0 || (jumped && p->cn > 0));
}

// Contacts that no guard of their own changes: reactions and velocities may have jumped.
static inline void sm_unhit(const sm_run *r, int j, bool jumped, sm_choice *c) {
    const spring_contact *k = &r->s->c[j];
    char own[2] = {r->mark[j], 0};
    bool rests = true;
    if (sm_open(own[0])) {
        int at = k->friction && k->source == SPRING_OTHER ? k->other : j;
        const spring_contact *p = &r->s->c[at];
        if (jumped && p->cn > 0 && sm_depth(r, at) > 0 &&
            p->kn * sm_depth(r, at) + p->cn * sm_approach(r, at) > 0)
            sm_closed(r, j, c); // thrown back onto its dashpot
        sm_may(c, j, own);
        return;
    }
    if (k->friction && k->kt <= 0 && (jumped || own[0] == 'H')) {
        real u = sm_slip(r, j, &rests);
        sm_may(c, j, rests ? "H+-" : u > 0 ? "+" : "-");
    } else {
        sm_may(c, j, own);
        if (k->friction && sm_sign(own[0]) && (jumped || k->kn > 0)) sm_may(c, j, "H");
        if (k->friction && own[0] == 'H' && sm_presses_again(r, j, jumped))
            sm_may(c, j, r->z[r->force + j] > 0 ? "+" : "-"); // its limit fell below its force
    }
    if (k->normal) sm_may(c, j, sm_opened(r, j));
}

static inline void sm_hit(sm_run *r, const sm_guard *g, sm_choice *c) {
    int j = g->contact;
    const spring_contact *k = &r->s->c[j];
    char own[2] = {r->mark[j], 0}, to[2] = {g->side > 0 ? '+' : '-', 0};
    switch (g->kind) {
    case SM_HOLD:
        if (k->hold > k->limit) { // the force drops
            r->z[r->force + j] = g->side * k->limit * spring_dot(r->Z, r->now->limit[j], r->z);
            sm_may(c, j, to);
            if (k->kt > 0) sm_may(c, j, "H");
        } else {
            sm_may(c, j, "H");
            sm_may(c, j, to);
        }
        break;
    case SM_SLIDE:
        sm_may(c, j, "H");
        sm_may(c, j, k->kt > 0 ? own : "+-");
        break;
    case SM_PRESS:
        sm_may(c, j, sm_opened(r, j));
        sm_may(c, j, own);
        break;
    case SM_LEAVE:
        sm_may(c, j, "o");
        break;
    default:
        sm_closed(r, j, c);
        sm_may(c, j, sm_opened(r, j));
    }
}

// Rigid normal parts that are touched: at most one at a time is computed.
static inline bool sm_impacts(sm_run *r, const bool *touch, bool *jumped) {
    int closed = 0, hits = 0;
    for (int j = 0; j < r->s->m; j++) {
        const spring_contact *c = &r->s->c[j];
        if (!c->normal || c->kn > 0) continue;
        hits += touch[j], closed += !sm_open(r->mark[j]);
    }
    if (hits > 1 || (hits && closed)) return false;
    for (int j = 0; j < r->s->m; j++) {
        if (!touch[j] || !(sm_approach(r, j) > 0)) continue;
        if (!sm_impact(r, j)) return false;
        *jumped = true;
    }
    return true;
}

// Contacts whose limit is another's normal force open and close with it.
static inline void sm_follow(const sm_run *r, sm_choice *c) {
    for (int j = 0; j < r->s->m; j++) {
        const spring_contact *k = &r->s->c[j];
        if (!k->friction || k->source != SPRING_OTHER) continue;
        if (strpbrk(c->may[k->other], "oO")) sm_may(c, j, sm_opened(r, j));
        if (sm_open(r->mark[j]) && strchr(c->may[k->other], 'c')) sm_closed(r, j, c);
    }
}

static inline void sm_set_force(sm_run *r) {
    for (int j = 0; j < r->s->m; j++) // of sliding contacts, in case they stop
        if (r->now && r->mark[j] != 'H') r->z[r->force + j] = spring_dot(r->Z, r->now->T[j], r->z);
}

static inline bool sm_resolve(sm_run *r, const sm_guard **hit, int hits) {
    sm_choice c = {{{0}}};
    bool touch[SM_M] = {false}, jumped = false;
    char was[SM_M + 1];
    memcpy(was, r->mark, sizeof was);
    sm_set_force(r);
    for (int i = 0; i < hits; i++) {
        const spring_contact *k = &r->s->c[hit[i]->contact];
        if (hit[i]->kind == SM_GAP && k->kn <= 0) touch[hit[i]->contact] = true;
    }
    if (!sm_impacts(r, touch, &jumped)) return false;
    for (int i = 0; i < hits; i++) {
        int j = hit[i]->contact;
        if (!touch[j]) {
            sm_hit(r, hit[i], &c);
            continue;
        }
        real vn = sm_approach(r, j);
        if (fabsl(vn) <= 1e-15L * sm_size(r->s->n, r->s->c[j].wn, r->top + r->s->n))
            sm_closed(r, j, &c); // no restitution, or it arrives without speed
        sm_may(&c, j, "o");
    }
    for (int j = 0; j < r->s->m; j++)
        if (!c.may[j][0]) sm_unhit(r, j, jumped, &c);
    sm_follow(r, &c);
    if (!sm_choose(r, &c)) return false;
    for (int j = 0; j < r->s->m; j++) {
        bool rests = false;
        if (sm_sign(r->mark[j]) && r->s->c[j].kt > 0) sm_slip(r, j, &rests);
        if (rests) sm_doubt(r); // held by another contact: stuck or sliding, no difference
        if (sm_open(r->mark[j])) r->z[r->force + j] = 0;
        sm_record(r, j, was[j], r->mark[j], 0, NULL);
    }
    return true;
}

// Guards at zero and falling.
static inline int sm_hits(sm_run *r, const sm_guard **hit) {
    int n = 0;
    for (int i = 0; i < r->now->guards; i++) {
        const sm_guard *g = &r->now->guard[i];
        real value = sm_guard_at(r, i, r->z), rate = spring_dot(r->Z, g->rate, r->z);
        real zero = 8 * sm_noise(r, i) + fabsl(rate) * ldexpl(r->h0, 4 - SM_LEVELS);
        if (value <= zero && rate <= 0)
            hit[n++] = g;
        else if (value > zero && value < 1e-12L * sm_size(r->Z, g->row, r->top) && rate < 0)
            sm_doubt(r);
    }
    return n;
}

// Letters at the start, from places, velocities and forces.
static inline bool sm_first(sm_run *r) {
    sm_choice c = {{{0}}};
    for (int j = 0; j < r->s->m; j++) {
        const spring_contact *k = &r->s->c[j];
        const spring_contact *p = k->source == SPRING_OTHER ? &r->s->c[k->other] : k;
        int at = (int)(p - r->s->c);
        real depth = p->normal ? sm_depth(r, at) : 1, speed = p->normal ? sm_approach(r, at) : 0;
        real small = 1e-15L * (sm_size(r->s->n, p->wn, r->top) + fabsl(p->gap));
        if (r->s->states[0]) // told
            sm_may(&c, j, (char[]){r->s->states[j], 0});
        else if (!p->normal)
            sm_closed(r, j, &c);
        else if (p->kn > 0 && depth > small)
            p->kn *depth + p->cn *speed > 0 ? sm_closed(r, j, &c) : sm_may(&c, j, "O");
        else if (fabsl(depth) <= small && speed >= 0)
            sm_closed(r, j, &c);
        if (!r->s->states[0] && p->normal) sm_may(&c, j, "o");
        r->mark[j] = c.may[j][0];
    }
    return sm_choose(r, &c);
}

// Goes on to t_end, an event at a time.
static inline void sm_go(sm_run *r, real t_end) {
    int level = SM_LEVELS - 4, stalled = 0;
    if (!r->now && !sm_first(r)) r->end = SM_NO_PHASE;
    while (r->end == SM_TIME && r->t < t_end) {
        const sm_guard *hit[SM_GUARDS];
        real before = r->t;
        while (level < SM_LEVELS && r->t + ldexpl(r->h0, -level) > t_end) level++;
        if (level >= SM_LEVELS) {
            r->t = t_end;
            return;
        }
        if (!sm_search(r, level)) {
            if (level > 0) level--;
            continue;
        }
        int hits = sm_hits(r, hit);
        if (!sm_resolve(r, hit, hits)) r->end = SM_NO_PHASE;
        level = SM_LEVELS - 4;
        stalled = r->t > before ? 0 : stalled + 1;
        if (stalled > 60) r->end = SM_STALLED;
        if (r->n_event >= SM_EVENTS - SM_M) r->end = SM_FULL;
    }
}

// ---- opening

static inline real sm_fastest(const sm_run *r) {
    const spring_model *s = r->s;
    real square = 0, rate = 0;
    for (int i = 0; i < s->n; i++) { // row sums bound the eigenvalues
        real k = 0, c = 0;
        for (int l = 0; l < s->n; l++) k += fabsl(r->Minv_K[i][l]), c += fabsl(r->Minv_C[i][l]);
        square = fmaxl(square, k), rate = fmaxl(rate, c);
    }
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->c[j];
        real n = spring_dot(s->n, c->wn, r->lift_n[j]), t = spring_dot(s->n, c->wt, r->lift_t[j]);
        square += c->kn * n + c->kt * t + c->limit * c->kn * sqrtl(n * t);
        rate += c->cn * n * (1 + c->limit);
    }
    real fast = fmaxl(sqrtl(square), rate);
    for (int k = 0; k < r->oscillators; k++) fast = fmaxl(fast, r->omega[k]);
    return fast;
}

static inline void sm_invert(sm_run *r) {
    const spring_model *s = r->s;
    for (int j = 0; j < s->m; j++) {
        spring_lift(s, s->c[j].wn, r->lift_n[j]);
        spring_lift(s, s->c[j].wt, r->lift_t[j]);
    }
    for (int d = 0; d < s->drives; d++) spring_lift(s, s->drive[d].vector, r->Minv_F[d]);
    spring_lift(s, s->constant, r->Minv_f);
    for (int k = 0; k < s->n; k++) {
        real column[SPRING_N], y[SPRING_N];
        for (int i = 0; i < s->n; i++) column[i] = s->K[i][k];
        spring_lift(s, column, y);
        for (int i = 0; i < s->n; i++) r->Minv_K[i][k] = y[i], column[i] = s->C[i][k];
        spring_lift(s, column, y);
        for (int i = 0; i < s->n; i++) r->Minv_C[i][k] = y[i];
    }
}

static inline sm_run *sm_open_run(const spring_model *s) {
    sm_run *r = calloc(1, sizeof *r);
    if (!r || s->n > SM_N || s->m > SM_M) abort();
    r->s = s, r->doubtful = HUGE_VALL;
    int k = 0;
    for (int d = 0; d < s->drives; d++) r->omega[k++] = s->drive[d].omega;
    for (int j = 0; j < s->m; j++)
        if (s->c[j].swing != 0) r->omega[k++] = s->c[j].swing_omega;
    r->oscillators = k;
    r->one = 2 * s->n + 2 * k, r->time = r->one + 1, r->force = r->time + 1;
    r->Z = r->force + s->m;
    sm_invert(r);
    for (int i = 0; i < s->n; i++) r->z[i] = s->x[i], r->z[s->n + i] = s->v[i];
    k = 0;
    for (int d = 0; d < s->drives; d++, k++) {
        r->z[sm_oscillator(r, k)] = cosl(s->drive[d].phase);
        r->z[sm_oscillator(r, k) + 1] = sinl(s->drive[d].phase);
    }
    for (int j = 0; j < s->m; j++) {
        r->z[r->force + j] = s->T[j];
        if (s->c[j].swing == 0) continue;
        r->z[sm_oscillator(r, k)] = cosl(s->c[j].swing_phase);
        r->z[sm_oscillator(r, k++) + 1] = sinl(s->c[j].swing_phase);
    }
    r->z[r->one] = 1;
    for (int i = 0; i < r->Z; i++) r->top[i] = fmaxl(fabsl(r->z[i]), 1e-6L);
    r->h0 = fminl(0.25L / fmaxl(sm_fastest(r), 1e-3L), s->until > 0 ? s->until / 16 : 1);
    return r;
}

static inline void sm_close(sm_run *r) {
    while (r && r->phases) {
        sm_phase *next = r->phases->next;
        free(r->phases->X);
        free(r->phases);
        r->phases = next;
    }
    free(r);
}

#endif

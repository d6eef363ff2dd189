// reference_events.h -- event rules of the independent integrator, by enumeration, and its run.
//   Impacts: of all sets of touching stops the one whose impulses obey Newton's law together.
//   Rest: of all combinations of contact states, those that hold most first, the one whose guards
//   have a positive first non-vanishing derivative. A static limit above the kinetic one allows
//   several: such a contact lets go only if nothing else is possible. Where one lets go and others
//   could do so instead or as well, no law says who slips: a time of doubt. Chatter ends
//   when what is left of it takes less than 1e-7 of the fastest oscillation; closing takes the
//   speeds of all that rests.
#ifndef JD_TESTS_REFERENCE_EVENTS_H
#define JD_TESTS_REFERENCE_EVENTS_H

#include "reference_motion.h"

static const real ref_chatter = 3e-7L; // of h0: shorter chatter is over; where others rest, too:
static const real ref_beside = 3e-8L;

static inline char ref_letter(char mark) { return mark == 'u' || mark == 'l' ? '|' : mark; }

static inline void ref_record(reference *r, int j, real t, char from, char to, real speed) {
    if (speed == 0 && ref_letter(from) == ref_letter(to)) return;
    if (r->n_event < REF_EVENTS)
        r->event[r->n_event++] = (jd_event){(double)t,
                                            j,
                                            jd_contact_state_of(ref_letter(from)),
                                            jd_contact_state_of(ref_letter(to)),
                                            (double)speed,
                                            0,
                                            0};
}

// An impulse at a stop that was open; 0: one that touched without speed is pushed by another.
static inline void ref_impact(reference *r, int j, real speed) {
    if (r->n_event < REF_EVENTS)
        r->event[r->n_event++] =
            (jd_event){(double)r->t, j, JD_CONTACT_OPEN, JD_CONTACT_OPEN, (double)speed, 0, 0};
}

static inline real ref_speed(reference *r, int j, bool *rests) {
    const real *v = r->z + r->n;
    real s = ref_dot(r->n, r->c[j].row, v) - r->c[j].belt;
    real size = ref_size(r->n, r->c[j].row, r->top + r->n) + fabsl(r->c[j].belt);
    *rests = fabsl(s) <= 1e-15L * size;
    if (!*rests && fabsl(s) <= 1e-12L * size) ref_doubt(r);
    return s;
}

static inline real ref_place(const reference *r, int j) {
    return ref_dot(r->n, r->c[j].row, r->z) - (r->c[j].stop ? r->c[j].belt * r->z[r->time] : 0);
}

// Do the guards of all candidates stay positive? By their derivatives along z' = A z.
static inline bool ref_admissible(reference *r, const ref_phase *p, const char *const *may) {
    real w[6][REF_Z], size[6][REF_Z], place[REF_Z];
    for (int i = 0; i < r->N; i++) w[0][i] = r->z[i], size[0][i] = r->top[i];
    for (int d = 1; d < 6; d++)
        for (int i = 0; i < r->N; i++) {
            w[d][i] = ref_dot(r->N, p->A[i], w[d - 1]);
            size[d][i] = ref_size(r->N, p->A[i], size[d - 1]);
        }
    for (int i = 0; i < r->N; i++) place[i] = ldexpl(r->h0, 3 - REF_LEVELS);
    for (int i = 0; i < p->n_guard; i++)
        for (int d = 0; d < 6 && may[p->guard[i].contact]; d++) {
            const real *row = p->guard[i].row;
            real g = ref_dot(r->N, row, w[d]), s = ref_size(r->N, row, size[d]);
            real zero = (d == 0 ? 1e-14L : 1e-15L) * s;
            if (d < 5) zero += ref_size(r->N, row, size[d + 1]) * place[0];
            if (fabsl(g) <= zero) continue;
            if (fabsl(g) < 1e4L * zero) ref_doubt(r);
            if (g < 0) return false;
            break;
        }
    return true;
}

// Assigns states to the candidates from j on; what does not rest costs, exactly `cost` together.
static inline bool ref_try(reference *r, int j, int cost, char *key, const char *const *may) {
    if (j == r->m) {
        if (cost) return false;
        ref_phase *p = ref_find(r, key);
        return p && ref_admissible(r, p, may);
    }
    if (!may[j]) return ref_try(r, j + 1, cost, key, may);
    int own = r->c[j].limit < r->c[j].hold ? REF_M + 1 : 1;
    for (const char *c = may[j]; *c; c++) {
        key[j] = *c;
        int rest = cost - (ref_rests(*c) ? 0 : own);
        if (rest >= 0 && ref_try(r, j + 1, rest, key, may)) return true;
    }
    return false;
}

// Relative velocities of all contacts at rest and of stop j are taken away together, and the drift
// of closed stops; j < 0: none besides.
static inline void ref_settle(reference *r, int j) {
    int at[REF_M], n = 0;
    bool rests;
    real G[REF_M][REF_M], b[REF_M][REF_Z];
    for (int i = 0; i < r->m; i++)
        if (i == j || ref_rests(r->mark[i])) at[n++] = i;
    for (int i = 0; i < n; i++) {
        char mark = r->mark[at[i]];
        real side = mark == 'u' ? 1 : mark == 'l' ? -1 : 0;
        for (int k = 0; k < n; k++) G[i][k] = ref_dot(r->n, r->c[at[i]].row, r->c[at[k]].row);
        b[i][0] = side == 0 ? 0 : ref_place(r, at[i]) - side * r->c[at[i]].gap;
        b[i][1] = ref_speed(r, at[i], &rests);
    }
    if (!ref_solve(n, G, b, 2)) return;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < r->n; k++) {
            r->z[k] -= b[i][0] * r->c[at[i]].row[k];
            r->z[r->n + k] -= b[i][1] * r->c[at[i]].row[k];
        }
}

// Contacts at rest with a higher static limit that do not stay so in `key`, as bits.
static inline int ref_released(const reference *r, const char *key, const char *const *may) {
    int out = 0;
    for (int j = 0; j < r->m; j++)
        if (may[j] && r->c[j].limit < r->c[j].hold && key[j] != 'H') out |= 1 << j;
    return out;
}

// Is there an admissible combination, of all from contact j on, in which others let go?
static inline bool ref_other(reference *r, int j, int released, char *key, const char *const *may) {
    if (j == r->m) {
        if (ref_released(r, key, may) == released) return false;
        ref_phase *p = ref_find(r, key);
        return p && ref_admissible(r, p, may);
    }
    if (!may[j]) return ref_other(r, j + 1, released, key, may);
    for (const char *c = may[j]; *c; c++) {
        key[j] = *c;
        if (ref_other(r, j + 1, released, key, may)) return true;
    }
    return false;
}

// A contact with a higher static limit lets go, and another could have done so: no law says which.
static inline void ref_doubt_release(reference *r, const char *chosen, const char *const *may) {
    char key[REF_M + 1];
    int released = ref_released(r, chosen, may);
    real doubtful = r->doubtful;
    if (!released) return;
    memcpy(key, chosen, sizeof key);
    bool other = ref_other(r, 0, released, key, may);
    r->doubtful = doubtful; // near ties of combinations that are not taken mean nothing
    if (other) ref_doubt(r);
}

static inline bool ref_choose(reference *r, const char *const *may) {
    for (int cost = 0; cost <= r->m * (REF_M + 1); cost++) {
        char key[REF_M + 1];
        memcpy(key, r->mark, sizeof key);
        if (!ref_try(r, 0, cost, key, may)) continue;
        ref_doubt_release(r, key, may);
        memcpy(r->mark, key, sizeof key);
        r->now = ref_find(r, key);
        if (!r->now->ready) ref_ladder(r, r->now);
        ref_settle(r, -1);
        for (int i = 0; i < r->now->n_guard; i++)
            r->low[i] = fminl(0, ref_guard_at(r, i, r->z)) - ref_noise(r, i);
        return true;
    }
    return false;
}

// Impulses P of the stops in `set`; false: they do not obey Newton's law.
static inline bool ref_newton(const reference *r, const int *touch, int set, const real *w,
                              real *P) {
    int at[REF_M], n = 0;
    real G[REF_M][REF_M], b[REF_M][REF_Z];
    for (int j = 0; j < r->m; j++) {
        P[j] = 0;
        if ((set >> j) & 1) at[n++] = j;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            G[i][k] = touch[at[i]] * touch[at[k]] * ref_dot(r->n, r->c[at[i]].row, r->c[at[k]].row);
        b[i][0] = (1 + r->c[at[i]].e) * w[at[i]];
    }
    if (!ref_solve(n, G, b, 1)) return false;
    for (int i = 0; i < n; i++) {
        if (b[i][0] < 0) return false;
        P[at[i]] = b[i][0];
    }
    for (int j = 0; j < r->m; j++) {
        if (!touch[j] || ((set >> j) & 1)) continue;
        real y = (1 + r->c[j].e) * w[j], size = fabsl(y);
        for (int i = 0; i < n; i++) {
            real g = touch[j] * touch[at[i]] * ref_dot(r->n, r->c[j].row, r->c[at[i]].row);
            y -= g * P[at[i]], size += fabsl(g * P[at[i]]);
        }
        if (y > 1e-16L * size) return false;
    }
    return true;
}

// What is left of the bounces of stop j, which it leaves at this speed, is too short to be seen.
static inline bool ref_ends(reference *r, int j, int side, real speed, real *left) {
    char key[REF_M + 1];
    if (r->c[j].e >= 1) return false;
    memcpy(key, r->mark, sizeof key);
    key[j] = 'o';
    const ref_phase *p = ref_find(r, key);
    if (!p) return false;
    real a = 0;
    for (int i = 0; i < r->n; i++) a += side * r->c[j].row[i] * ref_dot(r->N, p->A[r->n + i], r->z);
    if (!(a > 0)) return false;
    bool beside = false;
    for (int i = 0; i < r->m; i++) beside |= i != j && ref_rests(r->mark[i]);
    real noise = REF_NOISE * (ref_size(r->n, r->c[j].row, r->top) + r->c[j].gap);
    *left = 2 * speed / (a * (1 - r->c[j].e));
    if (speed * speed < 1000 * noise * a) return true; // no higher than rounding
    return *left < (beside ? ref_beside : ref_chatter) * r->h0;
}

// Rounding of the displacement of contact j in double: of the parts it consists of, static
// deflections among them.
static inline double ref_rounding_of_place(const reference *r, int j) {
    real size = r->c[j].gap + ref_size(r->n, r->c[j].row, r->top);
    for (int k = 0; k < r->n; k++) {
        real force = 0;
        for (int d = 0; d < r->nd; d++) force += fabsl(r->drow[d][k] * r->top[2 * r->n + 2 * d]);
        for (int i = 0; i < r->m; i++) force += fabsl(r->c[i].row[k] * r->c[i].limit);
        if (r->w2[k] > 0) size += fabsl(r->c[j].row[k]) * force / r->w2[k];
    }
    return (double)(1e-15L * size);
}

// A twin's bounce off stop j does not begin quite where it is: what rounding of places does.
static inline void ref_shake(reference *r, int j, int side) {
    real by = side * r->shake[j] * (r->n_event % 3) / ref_dot(r->n, r->c[j].row, r->c[j].row);
    for (int k = 0; k < r->n; k++) r->z[k] -= by * r->c[j].row[k];
}

// Impacts at the stops that touch; what stays there gets its letters. closes[j]: when, or 0.
static inline bool ref_impacts(reference *r, int *touch, const char **may, real *closes) {
    real w[REF_M] = {0}, P[REF_M] = {0};
    bool rests, arrives = false, any = false;
    for (int j = 0; j < r->m; j++) {
        if (!touch[j]) continue;
        w[j] = touch[j] * ref_speed(r, j, &rests);
        if (rests) w[j] = 0;
        arrives |= w[j] > 0;
    }
    for (int set = 1; arrives && !any && set < 1 << r->m; set++) {
        bool inside = true;
        for (int j = 0; j < r->m; j++) inside &= touch[j] || !((set >> j) & 1);
        any = inside && ref_newton(r, touch, set, w, P);
    }
    if (arrives && !any) ref_doubt(r);
    for (int j = 0; j < r->m; j++)
        for (int k = 0; k < r->n; k++) {
            real jump = P[j] * touch[j] * r->c[j].row[k];
            r->z[r->n + k] -= jump;
            r->top[r->n + k] = fmaxl(r->top[r->n + k], fabsl(jump)); // what may cancel
        }
    for (int j = 0; j < r->m; j++) {
        if (!touch[j]) continue;
        if (P[j] > 0 && r->mark[j] == 'o') ref_impact(r, j, w[j]);
        real after = touch[j] * ref_speed(r, j, &rests), left = 0;
        bool bounced = P[j] > 0 && r->mark[j] == 'o';
        if (rests || (bounced && after < 0 && ref_ends(r, j, touch[j], -after, &left))) {
            if (!rests) ref_settle(r, j), closes[j] = r->t + left;
            may[j] = touch[j] > 0 ? "uo" : "lo";
        } else {
            if (bounced && r->shake[j] > 0) ref_shake(r, j, touch[j]);
            ref_record(r, j, r->t, r->mark[j], 'o', 0);
            r->mark[j] = 'o';
        }
    }
    return any;
}

static inline void ref_refresh(reference *r) {
    r->t_break = HUGE_VALL;
    for (int d = 0; d < r->nd; d++) {
        ref_piece x = ref_drive_at(&r->drive[d], r->t);
        r->z[2 * r->n + 2 * d] = x.value;
        r->z[2 * r->n + 2 * d + 1] = x.rate;
        r->t_break = fminl(r->t_break, x.until);
    }
    r->z[r->one] = 1;
    r->z[r->time] = r->t;
    for (int i = 0; i < r->N; i++) r->top[i] = fmaxl(r->top[i], fabsl(r->z[i]));
}

// An open stop that rests on its stop without force takes part in what happens there.
static inline bool ref_touches(reference *r, int j) {
    const ref_contact *c = &r->c[j];
    bool rests;
    real u = ref_place(r, j), size = c->gap + ref_size(r->n, c->row, r->top);
    ref_speed(r, j, &rests);
    return c->stop && rests && c->gap - (c->both ? fabsl(u) : u) <= 1e-15L * size;
}

static inline bool ref_resolve(reference *r, const bool *hit) {
    const char *may[REF_M] = {NULL};
    char was[REF_M + 1];
    int touch[REF_M] = {0};
    real closes[REF_M] = {0};
    bool rests;
    ref_refresh(r);
    ref_settle(r, -1);
    for (int j = 0; j < r->m; j++) {
        if (r->mark[j] == 'u') touch[j] = 1;
        if (r->mark[j] == 'l') touch[j] = -1;
        if (r->mark[j] == 'o' && (hit[j] || ref_touches(r, j)))
            touch[j] = r->c[j].both && ref_place(r, j) < 0 ? -1 : 1;
    }
    bool jumped = ref_impacts(r, touch, may, closes);
    memcpy(was, r->mark, sizeof was);
    for (int j = 0; j < r->m; j++) {
        if (r->c[j].stop) continue;
        real s = ref_speed(r, j, &rests);
        if (jumped && !rests) {
            r->mark[j] = s > 0 ? '+' : '-';
            continue;
        }
        if (hit[j] && was[j] == 'H' && r->c[j].limit < r->c[j].hold)
            may[j] = "+-";
        else if (hit[j] || was[j] == 'H' || (jumped && rests))
            may[j] = "H+-";
    }
    if (!ref_choose(r, may)) return false;
    for (int j = 0; j < r->m; j++)
        ref_record(r, j, closes[j] > 0 ? closes[j] : r->t, was[j], r->mark[j], 0);
    return true;
}

// Contacts whose guard is at zero and falling.
static inline void ref_hits(reference *r, bool *hit) {
    for (int i = 0; i < r->now->n_guard; i++) {
        const ref_guard *g = &r->now->guard[i];
        real value = ref_guard_at(r, i, r->z), rate = ref_dot(r->N, g->rate, r->z);
        real zero = 4 * ref_noise(r, i) + fabsl(rate) * ldexpl(r->h0, 4 - REF_LEVELS);
        if (value > zero) {
            if (value < 1e-12L * ref_size(r->N, g->row, r->z) && rate < 0) ref_doubt(r);
            continue;
        }
        if (rate <= 0) hit[g->contact] = true;
    }
}

static inline bool ref_first(reference *r) {
    bool hit[REF_M] = {false}, rests;
    ref_refresh(r);
    for (int j = 0; j < r->m; j++) {
        real s = ref_speed(r, j, &rests);
        const ref_contact *c = &r->c[j];
        if (!c->stop) {
            r->mark[j] = rests ? 'H' : s > 0 ? '+' : '-';
            continue;
        }
        real u = ref_place(r, j), slack = 1e-12L * (c->gap + ref_size(r->n, c->row, r->z));
        int side = u >= c->gap - slack ? 1 : c->both && u <= slack - c->gap ? -1 : 0;
        r->mark[j] = 'o';
        hit[j] = side && (rests || side * s > 0);
    }
    return ref_resolve(r, hit);
}

// Goes on to t_end, an event at a time.
static inline void ref_run(reference *r, double t_end) {
    int level = REF_GRADES, stalled = 0;
    r->end = REF_TIME;
    if (!r->now && !ref_first(r)) r->end = REF_NO_PHASE;
    while (r->end == REF_TIME && r->t < t_end) {
        real stop = fminl(r->t_break, t_end), before = r->t;
        while (level < REF_LEVELS && r->t + ldexpl(r->h0, -level) > stop) level++;
        bool event = level < REF_LEVELS && ref_search(r, level), hit[REF_M] = {false};
        if (level >= REF_LEVELS) r->t = stop;
        bool breaks = r->t >= r->t_break;
        if (!event && !breaks) {
            if (level > 0) level--;
            continue;
        }
        if (event) ref_hits(r, hit);
        if (!ref_resolve(r, hit)) r->end = REF_NO_PHASE;
        level = REF_GRADES;
        stalled = r->t > before ? 0 : stalled + 1;
        if (stalled > 60) r->end = REF_STALLED;
        if (r->n_event >= r->budget) r->end = REF_BUDGET;
    }
}

static inline void ref_read_law(const jd_contact_def *d, ref_contact *c, real f) {
    c->belt = d->against.kind == JD_MOVING ? d->against.velocity : 0;
    if (d->law.type == &jd_law_stop.type) {
        const jd_stop_def *l = d->law.def;
        c->stop = true, c->both = l->sides == 1, c->gap = l->gap, c->e = l->restitution;
    } else if (d->law.type == &jd_law_affine.type) {
        const jd_affine_def *l = d->law.def;
        c->limit = c->hold = l->limit * f, c->slope = l->slope;
    } else {
        const jd_coulomb_def *l = d->law.def;
        c->limit = l->limit * f;
        c->hold = (isnan(l->static_limit) ? l->limit : l->static_limit) * f;
    }
}

// A built problem; `change`: relative change of stiffness, limits and drives, for a twin.
static inline reference *ref_open(jd_problem *problem, double t_end, int budget, real change) {
    reference *r = calloc(1, sizeof *r);
    const jd_system *y = jd_problem_system(problem);
    if (!r || y->modal.n > REF_N || y->n_contact > REF_M || y->n_drive > REF_D) abort();
    r->n = y->modal.n, r->m = y->n_contact, r->nd = y->n_drive, r->budget = budget;
    r->one = 2 * r->n + 2 * r->nd, r->time = r->one + 1, r->N = r->one + 2;
    real fast = 0;
    double q[REF_N], v[REF_N];
    for (int k = 0; k < r->n; k++) {
        real w2 = (real)y->modal.omega2[k].hi + y->modal.omega2[k].lo;
        r->w2[k] = w2 * (1 + change * (k % 2 ? 0.7L : -1));
        fast = fmaxl(fast, sqrtl(w2));
        if (y->modal.law == JD_DAMPING_FULL)
            for (int l = 0; l < r->n; l++) r->C[k][l] = y->modal.C[k * r->n + l];
        else if (y->modal.law != JD_DAMPING_NONE)
            r->C[k][k] = y->modal.c[k];
        for (int j = 0; j < r->m; j++)
            r->c[j].row[k] = (real)y->contact[j][k].hi + y->contact[j][k].lo;
        for (int d = 0; d < r->nd; d++) r->drow[d][k] = (real)y->drive[d][k].hi + y->drive[d][k].lo;
    }
    for (int j = 0; j < r->m; j++)
        ref_read_law(jd_problem_contact(problem, j)->def, &r->c[j], 1 + change * (0.3L + 0.4L * j));
    for (int d = 0; d < r->nd; d++) {
        r->drive[d] = ref_drive_open(problem, d, 1 + change * (0.9L - 1.3L * d));
        fast = fmaxl(fast, r->drive[d].omega);
    }
    if (jd_problem_initial(problem, q, v) != JD_OK) abort();
    for (int k = 0; k < r->n; k++) r->z[k] = q[k], r->z[r->n + k] = v[k];
    r->h0 = t_end / 200.0L;
    if (fast > 0) r->h0 = fminl(r->h0, 0.25L / fast);
    r->doubtful = HUGE_VALL;
    return r;
}

static inline void ref_free_all(reference *r) {
    while (r && r->phases) {
        ref_phase *next = r->phases->next;
        free(r->phases);
        r->phases = next;
    }
    free(r);
}

#endif

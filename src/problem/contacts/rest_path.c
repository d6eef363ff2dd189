// rest_path.c -- along the path of loads from event to event.
//   Where several states may follow (a guard is 0) all contacts whose guards fall are changed, and
//   after some passes the first one alone, until none falls: the least-index rule, which ends where
//   the rates are a P-matrix problem [murty1974]; friction beyond wedging is none, and is refused
//   by name.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "problem/contacts/rest.h"

static const double sliver = 1e-12; // of the largest rate: rounding

static double pressing(const jd_rest *s, const jd_rest_slider *d) {
    return d->pressed >= 0 ? s->normal[d->pressed].N : 1;
}

static double pressing_rate(const jd_rest *s, const jd_rest_slider *d) {
    return d->pressed >= 0 ? s->normal[d->pressed].N_rate : 0;
}

// Sliders that normal part `a` presses: with it closed they stick, relaxed; open they are free.
static void press(jd_rest *s, int a, bool closed) {
    for (int j = 0; j < s->n_slider; j++) {
        jd_rest_slider *d = &s->slider[j];
        if (d->pressed != a) continue;
        d->state = closed ? d->belt : JD_REST_FREE;
        d->edge[0] = d->edge[1] = closed && !d->belt;
        d->T = d->excess = 0;
    }
}

static void let_go(const jd_rest *s, jd_rest_slider *d, int side) {
    d->state = side;
    d->excess = side * (d->hold - d->limit) * pressing(s, d);
    d->edge[0] = d->edge[1] = false;
}

static void stop(const jd_rest *s, jd_rest_slider *d) {
    bool edge = d->hold == d->limit, none = d->pressed >= 0 && s->normal[d->pressed].edge;
    d->edge[0] = none || (edge && d->state > 0);
    d->edge[1] = none || (edge && d->state < 0);
    d->state = 0;
    d->excess = 0;
}

typedef struct scale {
    double motion, force;
} scale;

static scale scale_of(const jd_rest *s) {
    scale z = {0, 0};
    for (int b = 0; b < s->n_row; b++) z.motion = fmax(z.motion, fabs(s->u_rate[b]));
    for (int a = 0; a < s->n_normal; a++) {
        z.force = fmax(z.force, fabs(s->normal[a].N_rate));
        z.motion = fmax(z.motion, fabs(s->normal[a].p_rate));
    }
    for (int j = 0; j < s->n_slider; j++) z.force = fmax(z.force, fabs(s->slider[j].T_rate));
    z.motion *= sliver;
    z.force *= sliver;
    return z;
}

static double room_rate(const jd_rest *s, const jd_rest_slider *d, int side) {
    return d->hold * pressing_rate(s, d) - side * d->T_rate;
}

// Stuck sliders that cannot hold, the first or `all`: they let go on the side that fails.
static bool release(jd_rest *s, const scale *z, bool all) {
    bool changed = false;
    for (int j = 0; j < s->n_slider; j++) {
        jd_rest_slider *d = &s->slider[j];
        if (d->state != 0) continue;
        int side = room_rate(s, d, 1) < room_rate(s, d, -1) ? 1 : -1;
        if (!d->edge[side < 0]) side = -side;
        if (!d->edge[side < 0] || !(room_rate(s, d, side) < -z->force)) continue;
        let_go(s, d, side);
        changed = true;
        if (!all) break;
    }
    return changed;
}

static bool close_or_open(jd_rest *s, const scale *z, bool all) {
    bool changed = false;
    for (int a = 0; a < s->n_normal; a++) {
        jd_rest_normal *n = &s->normal[a];
        if (!n->edge) continue;
        if (n->closed ? !(n->N_rate < -z->force) : !(n->p_rate > z->motion)) continue;
        n->closed = !n->closed;
        press(s, a, n->closed);
        changed = true;
        if (!all) break;
    }
    return changed;
}

static bool stop_sliding(jd_rest *s, const scale *z, bool all) {
    bool changed = false;
    for (int j = 0; j < s->n_slider; j++) {
        jd_rest_slider *d = &s->slider[j];
        if (abs(d->state) != 1 || d->belt) continue;
        if (!(d->state * d->slip_rate < -z->motion)) continue;
        stop(s, d);
        changed = true;
        if (!all) break;
    }
    return changed;
}

// Changes contacts whose guard is 0 and falls, the first or all; false: there is none. Sliders that
// cannot hold first: whether a contact that just closed opens again depends on its friction.
static bool change(jd_rest *s, bool all) {
    scale z = scale_of(s);
    return release(s, &z, all) || close_or_open(s, &z, all) || stop_sliding(s, &z, all);
}

static const char *name_of(const jd_rest *s, int contact) {
    return jd_problem_contact(s->problem, contact)->name;
}

static jd_status no_equilibrium(const jd_rest *s, const char *hint) {
    jd_fail_where(s->context, "start");
    jd_fail_hint(s->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// While slider `j` slides to `side`, has the determinant another sign than without its friction?
static bool wedges(jd_rest *s, int j, int side, const double *left, double preload) {
    jd_rest_slider *d = &s->slider[j], keep = *d;
    d->state = side;
    int with = jd_rest_rates(s, left, preload);
    d->limit = 0;
    int without = jd_rest_rates(s, left, preload);
    *d = keep;
    return without != 0 && with != without;
}

// The equilibrium is lost: by wedging, which is named, or because nothing holds the structure.
static jd_status lost(jd_rest *s, const double *left, double preload) {
    int now = jd_rest_rates(s, left, preload);
    for (int j = 0; j < s->n_slider; j++) {
        const jd_rest_slider *d = &s->slider[j];
        if (d->pressed < 0 || !s->normal[d->pressed].closed) continue;
        if (!wedges(s, j, 1, left, preload) && !wedges(s, j, -1, left, preload)) continue;
        jd_fail(
            s->context, JD_NOT_SUPPORTED,
            "there is no equilibrium to start from: the contact `%s` is wedged, its coefficient "
            "%.6g is too large for its directions",
            name_of(s, d->contact), d->limit);
        return no_equilibrium(s, "lower the coefficient, soften the contact, or give the start by "
                                 "`start: state`");
    }
    if (now == 0 && s->n_rigid > 0) {
        jd_fail(s->context, JD_NOT_SUPPORTED,
                "there is no equilibrium to start from: no closed contact holds a rigid-body mode");
        return no_equilibrium(s, "support the structure, close a contact (gap 0 or a preload), or "
                                 "start from rest");
    }
    jd_fail(s->context, JD_NOT_SUPPORTED,
            "there is no equilibrium to start from: no state of the contacts fits the loads");
    return no_equilibrium(s, "give the start by `start: state`, or start from rest");
}

// Beyond wedging equilibria are not unique: the determinant has another sign than without friction.
static bool is_wedged(jd_rest *s, int sign, const double *left, double preload) {
    bool slides = false;
    for (int j = 0; j < s->n_slider; j++)
        slides |= s->slider[j].pressed >= 0 && abs(s->slider[j].state) == 1;
    if (!slides) return false;
    s->smooth = true;
    int without = jd_rest_rates(s, left, preload);
    s->smooth = false;
    jd_rest_rates(s, left, preload);
    return without != sign;
}

static bool has_excess(const jd_rest *s) {
    for (int j = 0; j < s->n_slider; j++)
        if (s->slider[j].excess != 0) return true;
    return false;
}

enum { TOGETHER = 20 }; // passes that change all contacts at once

static jd_status settle(jd_rest *s, const double *left, double preload) {
    int most = 50 * (s->n_normal + s->n_slider + 2);
    for (int i = 0; i < most; i++) {
        int sign = jd_rest_rates(s, left, preload);
        if (sign == 0) return lost(s, left, preload);
        bool changed = change(s, i < TOGETHER);
        if (left && has_excess(s)) return JD_OK; // to be given up before anything else
        if (changed) continue;
        return is_wedged(s, sign, left, preload) ? lost(s, left, preload) : JD_OK;
    }
    return lost(s, left, preload);
}

// How far until a guard that falls is 0; at most `most`.
static double room(const jd_rest *s, double most) {
    double h = most;
    scale z = scale_of(s);
    for (int a = 0; a < s->n_normal; a++) {
        const jd_rest_normal *n = &s->normal[a];
        if (n->edge) continue;
        if (!n->closed && n->p_rate > z.motion) h = fmin(h, -n->p / n->p_rate);
        if (n->closed && n->N_rate < -z.force) h = fmin(h, -n->N / n->N_rate);
    }
    for (int j = 0; j < s->n_slider; j++) {
        const jd_rest_slider *d = &s->slider[j];
        if (d->state != 0) continue;
        for (int side = 1; side >= -1; side -= 2) {
            double rate = room_rate(s, d, side);
            if (d->edge[side < 0] || !(rate < -z.force)) continue;
            h = fmin(h, (d->hold * pressing(s, d) - side * d->T) / -rate);
        }
    }
    return h > 0 ? h : 0;
}

// A guard that falls and is 0 here but for rounding.
static bool is_zero(double value, double rate, double h) { return value <= 1e-11 * fabs(rate) * h; }

static void move_normal(jd_rest_normal *n, double h, const scale *z) {
    bool leaves = n->closed ? n->N_rate > z->force : n->p_rate < -z->motion;
    n->N += h * n->N_rate;
    n->p += h * n->p_rate;
    if (n->edge && leaves && h > 0) n->edge = false;
    bool falls = n->closed ? n->N_rate < -z->force : n->p_rate > z->motion;
    double value = n->closed ? n->N : -n->p, rate = n->closed ? n->N_rate : n->p_rate;
    if (falls && is_zero(value, rate, h)) n->edge = true;
    if (n->edge && n->closed) n->N = 0;
    if (n->edge && !n->closed) n->p = 0;
}

static void move_slider(jd_rest *s, jd_rest_slider *d, double h, const scale *z) {
    d->T += h * d->T_rate;
    if (d->state == JD_REST_FREE) d->T = 0;
    if (d->state != 0) return;
    double hold = d->hold * pressing(s, d);
    for (int side = 1; side >= -1; side -= 2) {
        double rate = room_rate(s, d, side);
        bool *edge = &d->edge[side < 0];
        if (*edge && rate > z->force && h > 0) *edge = false;
        if (rate < -z->force && is_zero(hold - side * d->T, rate, h)) *edge = true;
        if (*edge) d->T = side * hold;
    }
}

static void move(jd_rest *s, double h) {
    scale z = scale_of(s);
    for (int b = 0; b < s->n_row; b++) s->u[b] += h * s->u_rate[b];
    for (int k = 0; k < s->n_rigid; k++) s->r[k] += h * s->step_r[k];
    for (int a = 0; a < s->n_normal; a++) move_normal(&s->normal[a], h, &z);
    for (int j = 0; j < s->n_slider; j++) move_slider(s, &s->slider[j], h, &z);
}

static jd_status count(jd_rest *s) {
    if (++s->events <= 1000 + 200 * (s->n_normal + s->n_slider)) return JD_OK;
    jd_fail(s->context, JD_NOT_SUPPORTED,
            "there is no equilibrium to start from: the contacts change without end while the "
            "loads grow");
    return no_equilibrium(s, "give the start by `start: state`, or start from rest");
}

// Sliders that let go give up what they held beyond the limit, at constant loads.
static jd_status give_up(jd_rest *s) {
    while (has_excess(s)) {
        JD_TRY(count(s));
        JD_TRY(settle(s, NULL, 0));
        double h = room(s, 1);
        move(s, h);
        for (int j = 0; j < s->n_slider; j++)
            s->slider[j].excess = h < 1 ? s->slider[j].excess * (1 - h) : 0;
    }
    return JD_OK;
}

jd_status jd_rest_go(jd_rest *s, const double *load) {
    double done = 0, grown = 1 - s->preload;
    double *left = s->work + 5 * s->n_unknown;
    s->events = 0;
    for (int k = 0; k < s->n; k++) left[k] = load[k] - s->load[k];
    while (done < 1) {
        JD_TRY(count(s));
        JD_TRY(give_up(s));
        JD_TRY(settle(s, left, grown));
        if (has_excess(s)) continue; // let go just now
        double h = room(s, 1 - done);
        move(s, h);
        done = h < 1 - done ? done + h : 1;
    }
    for (int k = 0; k < s->n; k++) s->load[k] = load[k];
    s->preload = 1;
    return JD_OK;
}

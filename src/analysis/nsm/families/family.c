// family.c -- the families that meet at the grazing end (t_g, T_B) of a one-impact branch.
//   bridge     T = T_B, impacts at 0 and t_g with (1 - x) v and x v: C(t_g) = C(0), C'(t_g) = 0
//   make
//              every x in [0, 1] a solution; u is a mean of two admissible motions: admissible.
//   pair       C'(tau; T) = 0, p_1 = p_2 = g/(C(0) + C(tau)): crosses the bridge at x = 1/2.
//   symmetric  impacts at 0, +-tau: leaves the grazing orbit with p_2 = p_3 = 0, tau = t_g. Where
//   it
//              grazes at +-t it goes on with two impacts more, and so on.
//   Pairs and symmetric families are followed by pseudo-arclength (walk.c).
#include <math.h>
#include <string.h>

#include "analysis/nsm/families/walk.h"
#include "base/constants.h"

enum { BRIDGE = 33 };

const char *jd_nsm_kind_name(jd_nsm_kind kind) {
    static const char *const names[] = {"bridge", "pair", "symmetric"};
    return names[kind];
}

const char *jd_nsm_stop_name(jd_nsm_stop stop) {
    static const char *const names[] = {"graze",  "fades",     "linear", "merge",
                                        "halved", "unbounded", "closed", "budget"};
    return names[stop];
}

int jd_nsm_families(const jd_nsm *s) { return s->found.n_family; }
const jd_nsm_family *jd_nsm_family_at(const jd_nsm *s, int i) {
    return i >= 0 && i < s->found.n_family ? &s->found.family[i] : NULL;
}

static const void *copy(jd_nsm *s, const void *from, size_t n, size_t size) {
    void *own = jd_arena_take(s->arena, n + 1, size);
    if (own && n > 0) memcpy(own, from, n * size);
    return own;
}

// Keeps a family, with copies of its lists.
static jd_status keep(jd_nsm *s, jd_nsm_family f) {
    if (s->found.n_family == s->found.family_room) {
        int room = s->found.family_room ? 2 * s->found.family_room : 16;
        jd_nsm_family *more = JD_TAKE(s->arena, jd_nsm_family, room);
        JD_TRY(jd_arena_status(s->arena));
        if (s->found.n_family)
            memcpy(more, s->found.family, (size_t)s->found.n_family * sizeof *more);
        s->found.family = more;
        s->found.family_room = room;
    }
    size_t n = (size_t)f.n, k = (size_t)f.impacts;
    f.omega = copy(s, f.omega, n, sizeof(double));
    f.energy = copy(s, f.energy, n, sizeof(double));
    f.time = copy(s, f.time, n * k, sizeof(double));
    f.impulse = copy(s, f.impulse, n * k, sizeof(double));
    f.turn = copy(s, f.turn, (size_t)f.n_turn, sizeof *f.turn);
    JD_TRY(jd_arena_status(s->arena));
    if (s->options.family_stability) JD_TRY(jd_nsm_family_multipliers(s, &f));
    s->found.family[s->found.n_family++] = f;
    return JD_OK;
}

// The grazing orbit with k - 1 impacts more, of which `x` of the impulse is at t_g.
typedef struct touch_point {
    double T, t, v; // period, grazing time, impulse
} touch_point;

static touch_point end_of(const jd_nsm *s, const jd_nsm_branch *b) {
    double slope, T = JD_TWO_PI / b->omega_end;
    return (touch_point){T, b->graze_time, s->gap / jd_nsm_w(s, T, &slope)};
}

static jd_status bridge(jd_nsm *s, int branch) {
    const jd_nsm_branch *b = &s->found.branch[branch];
    touch_point g = end_of(s, b);
    nsm_curve c;
    JD_TRY(jd_nsm_curve_open(s, 2, g.T, g.v, &c));
    double *list = JD_TAKE(s->scratch_arena, double, 6 * BRIDGE);
    JD_TRY(jd_arena_status(s->scratch_arena));
    double *omega = list, *energy = list + BRIDGE, *time = energy + BRIDGE,
           *impulse = time + 2 * BRIDGE;
    for (int i = 0; i < BRIDGE; i++) {
        double x = (double)i / (BRIDGE - 1), y[4] = {g.t / g.T, x - 1, -x, 1};
        omega[i] = b->omega_end;
        energy[i] = jd_nsm_curve_energy(&c, y);
        time[2 * i] = 0;
        time[2 * i + 1] = g.t;
        impulse[2 * i] = g.v * (1 - x);
        impulse[2 * i + 1] = g.v * x;
    }
    return keep(s, (jd_nsm_family){.kind = JD_NSM_BRIDGE,
                                   .branch = branch,
                                   .parent = -1,
                                   .impacts = 2,
                                   .n = BRIDGE,
                                   .omega = omega,
                                   .energy = energy,
                                   .time = time,
                                   .impulse = impulse,
                                   .omega_end = b->omega_end,
                                   .stop = JD_NSM_STOP_CLOSED,
                                   .certified = b->certified});
}

// From the middle of the bridge along C'(tau; T) = 0: d tau/d T = -C'_T/C''.
static jd_status pair(jd_nsm *s, int branch, int way) {
    touch_point g = end_of(s, &s->found.branch[branch]);
    nsm_walk w = {.kind = JD_NSM_PAIR};
    JD_TRY(jd_nsm_walk_open(s, 2, g.T, g.v, &w));
    double d[5], *y = w.y, *tangent = w.tangent;
    jd_nsm_D(s, g.t, g.T, d);
    double slope, dC = -d[4], p = g.v / 2; // C'_T = D_tT, C'' = D_tt
    jd_nsm_w(s, g.T, &slope);
    double C_T = slope + d[3]; // C = w + D
    y[0] = g.t / g.T;
    y[1] = y[2] = -0.5;
    y[3] = 1;
    tangent[0] = dC / d[2];
    tangent[3] = 1;
    // p (C(0) + C(tau)) = g
    tangent[1] = tangent[2] = -p * (slope + C_T) * g.T / (2 * s->gap / g.v) / fabs(g.v);
    jd_nsm_walk_aim(&w, way < 0 ? 1 : -1, 3);
    w.family = (jd_nsm_family){
        .kind = JD_NSM_PAIR, .branch = branch, .parent = -1, .impacts = 2, .way = way};
    JD_TRY(jd_nsm_walk_run(&w));
    return keep(s, w.family);
}

// Impacts of the parent (one, or a symmetric family at its grazing end) and two more at +-t.
static jd_status symmetric(jd_nsm *s, int branch, int parent) {
    touch_point g = end_of(s, &s->found.branch[branch]);
    int before = 1;
    double one_time = 0, one_impulse = g.v;
    const double *time = &one_time, *impulse = &one_impulse;
    if (parent >= 0) {
        const jd_nsm_family *f = &s->found.family[parent];
        before = f->impacts;
        time = f->time + (f->n - 1) * before;
        impulse = f->impulse + (f->n - 1) * before;
        g.t = fmin(f->graze_time, JD_TWO_PI / f->omega[f->n - 1] - f->graze_time);
        g.T = JD_TWO_PI / f->omega[f->n - 1];
    }
    int k = before + 2, first = 0;
    nsm_walk w = {.kind = JD_NSM_SYMMETRIC};
    JD_TRY(jd_nsm_walk_open(s, k, g.T, g.v, &w));
    while (first < before && time[first] < g.t) first++;
    for (int i = 0, l = 0; i < k; i++) { // t_g after `first` old ones, T - t_g mirrored
        bool added = i == first || i == k - first;
        double t = i == first ? g.t : i == k - first ? g.T - g.t : time[l];
        if (i > 0) w.y[i - 1] = t / g.T;
        w.y[k - 1 + i] = added ? 0 : impulse[l] / fabs(g.v);
        l += !added;
    }
    w.y[2 * k - 1] = 1;
    int fading = k - 1 + first;
    w.tangent[fading] = w.tangent[k - 1 + k - first] = -1; // the new impulses push away
    if (!jd_nsm_walk_straighten(&w, fading)) return JD_OK;
    w.family =
        (jd_nsm_family){.kind = JD_NSM_SYMMETRIC, .branch = branch, .parent = parent, .impacts = k};
    JD_TRY(jd_nsm_walk_run(&w));
    return keep(s, w.family);
}

// All families at one grazing end.
static jd_status meet(jd_nsm *s, int branch) {
    JD_TRY(bridge(s, branch));
    const jd_nsm_branch *b = &s->found.branch[branch];
    double half = JD_PI / b->omega_end;
    // a second touch in mid-flight: equal impulses half a period apart are one impact of half the
    // period, a branch of the list; and there is no mirror image to make three
    if (fabs(b->graze_time - half) < 1e-9 * half) return JD_OK;
    JD_TRY(pair(s, branch, -1));
    JD_TRY(pair(s, branch, 1));
    for (int k = 3, parent = -1; k <= s->options.impacts && k <= NSM_MOST; k += 2) {
        int had = s->found.n_family;
        JD_TRY(symmetric(s, branch, parent));
        if (s->found.n_family == had || s->found.family[had].stop != JD_NSM_STOP_GRAZE) break;
        parent = had;
    }
    return JD_OK;
}

jd_status jd_nsm_find_families(jd_nsm *s) {
    s->scratch_arena = jd_arena_create(s->context);
    if (!s->scratch_arena) return JD_OUT_OF_MEMORY;
    for (int i = 0; i < s->found.n_branch; i++) {
        if (s->found.branch[i].end != JD_NSM_GRAZE) continue;
        jd_arena_mark mark = jd_arena_here(s->scratch_arena);
        JD_TRY(meet(s, i));
        jd_arena_back(s->scratch_arena, mark);
        jd_progress(s->context, "families", (double)(i + 1) / s->found.n_branch);
    }
    return JD_OK;
}

// replay.c -- small changes of a periodic motion of waves that come back, over one period of it.
//   Forces and velocities of a string or rod are continuous at events (a force moves its contact at
//   once, gamma > 0). A small change of the motion, taken at a fixed time, is then continuous in
//   the size of the change, too, and events bring nothing of their own: with dv of the echoes and
//   the poles as in the motion itself,
//     stuck: dv = 0    sliding: dF = F'(v) dv    open: dF = 0
//   whatever the moved event times, which enter to second order; only a force that jumps as its
//   contact lets go (a higher static limit) leaves a pulse, by the time its event moved. Panels of
//   one period are taken down, with the inverse of these equations; the change is propagated over
//   them again and again. It is what the engine keeps of the past: polynomials of dF and dw over as
//   many whole periods as an echo needs, and the pole states,
//     x = (dF, dw of k n panels; dz),   x scaled to sizes of a velocity
//   The panels before the first are those of the period, moved back: the same panels before and
//   after, nothing is interpolated. Of all x only those are meant that forces can cause: the echoes
//   of a string know more (contacts that echo different strings; zeros of the echoes that poles
//   cancel). `jd_replay_excite` gives such changes, and periods lead to no others.
//                                       tested: changes_of_waves_agree_with_differences_of_runs
#include "engine/memory/observers/replay.h"

#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "linalg/general.h"

typedef struct replay_panel {
    double t, h; // since the start of the period
    const coefficients *coefficients;
    double *inverse, *gain; // (s m)^2, s m: dF = inverse gain dv, dv without these forces
    int lets_go;            // contact that does at its end, and its force jumps there; -1: none
    double rate, *jump;     // m: jumps of the forces; dF/dt of that contact before it
} replay_panel;

struct replay {
    bool on;
    int n, room, periods; // panels of a period; periods that are kept of the past
    int block;            // numbers of a panel: m s of dF, m (s + 1) of dw
    double since, length; // [s]
    const char *why;      // there are no changes; NULL: there are
    replay_panel *panel;
    delay_line *line;
    double *z_re, *z_im, *weight; // pole states, and their scale
    double *F, *w, *known, *past, *first, *nodal, *push;
    double pulse[2][STAGES + 1]; // polynomials that act as a pulse at the end of a panel
};

// int_0^1 p(x) x^k dx = 1 for k = 0 .. degree: for whatever is smooth, all of p is at 1.
static void set_pulse(int degree, double *p) {
    double A[(STAGES + 1) * (STAGES + 1)];
    int n = degree + 1, pivot[STAGES + 1];
    for (int k = 0; k < n; k++) {
        p[k] = 1;
        for (int r = 0; r < n; r++) A[k * n + r] = 1.0 / (k + r + 1);
    }
    if (jd_lu_factor(n, A, pivot)) jd_lu_solve(n, A, pivot, p);
}

static jd_status take_arrays(memory *e, replay *r) {
    int s = e->plan->nodes.s, m = e->plan->m, n = e->plan->poles.n;
    r->block = m * s + m * (s + 1);
    r->z_re = JD_TAKE(e->arena, double, n);
    r->z_im = JD_TAKE(e->arena, double, n);
    r->weight = JD_TAKE(e->arena, double, n);
    r->F = JD_TAKE(e->arena, double, (m + e->plan->n_drive) * s);
    r->w = JD_TAKE(e->arena, double, m *(s + 1));
    r->known = JD_TAKE(e->arena, double, (s + 1) * e->plan->rows);
    r->past = JD_TAKE(e->arena, double, (s + 1) * m);
    r->first = JD_TAKE(e->arena, double, m);
    r->nodal = JD_TAKE(e->arena, double, 2 * s * m);
    r->push = JD_TAKE(e->arena, double, s *m);
    JD_TRY(jd_arena_status(e->arena));
    set_pulse(s - 1, r->pulse[0]);
    set_pulse(s, r->pulse[1]);
    for (int p = 0; p < n; p++)
        for (int j = 0; j < m; j++)
            r->weight[p] = fmax(r->weight[p], hypot(e->plan->poles.out_re[j * n + p],
                                                    e->plan->poles.out_im[j * n + p]));
    return JD_OK;
}

// Forces that jump would leave pulses in the past, which panels do not hold.
static const char *refuses(const memory_plan *plan) {
    if (!plan->echo) return "the memory has no waves that come back";
    for (int j = 0; j < plan->m; j++) {
        if (plan->stop[j].is) return "the force of a stop jumps where it is reached";
        if (plan->law[j].edge > 0)
            return "a sliding branch ends, where its force has no derivative";
    }
    return NULL;
}

jd_status jd_replay_begin(jd_run *run) {
    memory *e = run->state;
    if (!e->observers.replay) {
        e->observers.replay = JD_TAKE(e->arena, replay, 1);
        JD_TRY(jd_arena_status(e->arena));
        JD_TRY(take_arrays(e, e->observers.replay));
    }
    replay *r = e->observers.replay;
    r->why = refuses(e->plan);
    r->on = !r->why;
    r->n = 0;
    r->since = e->state.t;
    e->panel.trim = NULL;    // its panels have no coefficients
    e->panel.solved = false; // anew
    return JD_OK;
}

static jd_status more_room(memory *e, replay *r) {
    if (r->n < r->room) return JD_OK;
    int room = 2 * r->room + 128;
    replay_panel *list = JD_TAKE(e->arena, replay_panel, room);
    JD_TRY(jd_arena_status(e->arena));
    if (r->n) memcpy(list, r->panel, (size_t)r->n * sizeof *list);
    r->panel = list;
    r->room = room;
    return JD_OK;
}

// The coefficients of the panel: kept ones stay, those of a length of its own are computed once
// more.
static jd_status own_coefficients(memory *e, replay_panel *p) {
    p->coefficients = e->panel.coefficients;
    if (e->panel.coefficients != &e->cache.single) return JD_OK;
    coefficients *own = JD_TAKE(e->arena, coefficients, 1);
    JD_TRY(jd_arena_status(e->arena));
    JD_TRY(jd_coefficients_take(e->plan, own));
    jd_coefficients_set(e->plan, &e->cache, own, e->panel.h);
    p->coefficients = own;
    return JD_OK;
}

// dF/dv at a node; -1: stuck.
static double gain_of(const memory *e, int i, int j) {
    int sign = slide_sign(e->state.contact[j]);
    double rate;
    if (e->state.contact[j] == OPEN) return 0;
    if (sign == 0) return -1;
    jd_friction_at(&e->plan->law[j],
                   sign * (e->panel.velocity[i * e->plan->rows + j] - e->plan->belt[j]), &rate);
    return -rate;
}

// stuck: B dF = -dv;  else dF - gain B dF = gain dv
static bool invert(memory *e, replay_panel *p) {
    int m = e->plan->m, n = e->plan->nodes.s * m, pivot[STAGES * JD_GUARD_LIMIT];
    double *A = e->scratch.matrix, *x = e->scratch.right_side;
    for (int at = 0; at < n; at++) {
        int i = at / m, j = at % m;
        const double *B = p->coefficients->B + (i * e->plan->rows + j) * n;
        p->gain[at] = gain_of(e, i, j);
        for (int k = 0; k < n; k++) A[at * n + k] = -p->gain[at] * B[k];
        if (!is_fixed(e->state.contact[j])) A[at * n + at] += 1;
    }
    if (!jd_lu_factor(n, A, pivot)) return false;
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < n; i++) x[i] = i == c;
        jd_lu_solve(n, A, pivot, x);
        for (int i = 0; i < n; i++) p->inverse[i * n + c] = x[i];
    }
    return true;
}

// Where the last panel ended with a contact that lets go: do forces jump to those of now?
static void note_jump(memory *e, replay *r) {
    replay_panel *p = r->n ? &r->panel[r->n - 1] : NULL;
    double most = 0;
    if (!p || p->lets_go < 0) return;
    for (int j = 0; j < e->plan->m; j++) { // it holds the forces before
        p->jump[j] = e->state.force[j] - p->jump[j];
        most = fmax(most, fabs(p->jump[j]) / e->state.f_scale[j]);
    }
    if (most <= 1e-3 * e->plan->tolerance) p->lets_go = -1;
}

static void note_end(const memory *e, replay_panel *p) {
    int j = e->panel.ends_at, s = e->plan->nodes.s;
    double F[STAGES] = {0};
    p->lets_go = j >= 0 && e->state.contact[j] == STUCK ? j : -1;
    if (p->lets_go < 0) return;
    memcpy(p->jump, e->panel.force + (s - 1) * e->plan->m, (size_t)e->plan->m * sizeof *p->jump);
    jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, e->plan->m, F);
    for (int r = 1; r < s; r++) p->rate += r * F[r] / e->panel.h;
}

jd_status jd_replay_panel(memory *e) {
    replay *r = e->observers.replay;
    int n = e->plan->nodes.s * e->plan->m;
    if (!r || !r->on || e->panel.h == 0) return JD_OK;
    note_jump(e, r);
    JD_TRY(more_room(e, r));
    replay_panel *p = &r->panel[r->n];
    *p = (replay_panel){.t = e->state.t - r->since, .h = e->panel.h};
    JD_TRY(own_coefficients(e, p));
    p->jump = JD_TAKE(e->arena, double, e->plan->m);
    p->inverse = JD_TAKE(e->arena, double, n *n);
    p->gain = JD_TAKE(e->arena, double, n);
    JD_TRY(jd_arena_status(e->arena));
    note_end(e, p);
    if (!invert(e, p)) r->why = "the forces of a panel have no derivative";
    r->n++;
    return JD_OK;
}

jd_status jd_replay_end(jd_run *run, int *n, const char **why) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    r->on = false;
    *n = 0;
    *why = r->why;
    if (r->why) return JD_OK;
    note_jump(e, r);
    r->length = e->state.t - r->since;
    double span = jd_delay_span(e->state.echo->line);
    *why = r->n == 0 || !(r->length > 1e-3 * span)
               ? "the period is far shorter than the time that waves are under way"
               : NULL;
    if (*why) return JD_OK;
    r->periods = (int)ceil(span / r->length + 1e-9);
    JD_TRY(jd_delay_clone(e->arena, e->state.echo->line, &r->line));
    *n = r->periods * r->n * r->block + 2 * e->plan->poles.n;
    return JD_OK;
}

// Size of a panel's numbers in x: of their share of the period.
static double share_of(const replay *r, const replay_panel *p) { return sqrt(p->h / r->length); }

// The past of x.
static jd_status load(memory *e, const double *x) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s, total = r->periods * r->n;
    jd_delay_clear(r->line);
    for (int b = 0; b < total; b++, x += r->block) {
        const replay_panel *p = &r->panel[b % r->n];
        int ago = r->periods - b / r->n; // periods
        double share = 1 / share_of(r, p), t = p->t - ago * r->length;
        for (int i = 0; i < m * s; i++)
            r->F[i] = x[i] * share / e->plan->poles.gamma[i / s * (m + 1)];
        for (int i = 0; i < m * (s + 1); i++) r->w[i] = x[m * s + i] * share;
        JD_TRY(jd_delay_keep(r->line, t, p->h, r->F, r->w));
    }
    for (int p = 0; p < e->plan->poles.n; p++) {
        double by = r->weight[p] > 0 ? 1 / r->weight[p] : 0;
        r->z_re[p] = x[p] * by;
        r->z_im[p] = x[e->plan->poles.n + p] * by;
    }
    return JD_OK;
}

// dF at the nodes of a panel: by the past, the pole states, and forces `push` from outside.
static void solve(memory *e, const replay_panel *p, const double *push) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s, n = s * m;
    double *b = r->nodal + n;
    jd_weigh_rows(s * e->plan->rows, e->plan->poles.n, p->coefficients->w_re, p->coefficients->w_im,
                  r->z_re, r->z_im, r->known);
    for (int at = 0; at < n; at++) {
        int i = at / m, j = at % m;
        const double *B = p->coefficients->B + (i * e->plan->rows + j) * n;
        r->past[at] = jd_delay_velocity(r->line, j, p->t + e->plan->nodes.c[i] * p->h, false);
        b[at] = r->known[i * e->plan->rows + j] + r->past[at];
        for (int k = 0; push && k < n; k++) b[at] += B[k] * push[k];
        b[at] *= p->gain[at];
    }
    for (int i = 0; i < n; i++) {
        r->nodal[i] = push ? push[i] : 0;
        for (int k = 0; k < n; k++) r->nodal[i] += p->inverse[i * n + k] * b[k];
    }
}

// Polynomials of dF and dw; dF where the panel begins is that of its nodes.
static void set_polynomials(memory *e, const replay_panel *p) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s;
    for (int j = 0; j < m; j++) r->first[j] = jd_delay_velocity(r->line, j, p->t, true);
    for (int j = 0; j < m; j++) {
        double w[STAGES], first = r->first[j];
        for (int k = 0; k < m; k++)
            for (int i = 0; i < s; i++)
                first +=
                    e->plan->poles.gamma[j * m + k] * e->plan->nodes.begin[i] * r->nodal[i * m + k];
        for (int i = 0; i < s; i++) {
            w[i] = r->past[i * m + j];
            for (int k = 0; k < m; k++)
                w[i] += e->plan->poles.gamma[j * m + k] * r->nodal[i * m + k];
        }
        jd_nodes_narrow(&e->plan->nodes, r->nodal + j, m, r->F + j * s);
        jd_nodes_wide(&e->plan->nodes, first, w, 1, r->w + j * (s + 1));
    }
}

// The contact lets go later by dt = -dF/(dF/dt); forces that jump by [F] there leave a pulse of
// -[F] dt, in the past and in the pole states.
static void add_pulse(memory *e, const replay_panel *p) {
    replay *r = e->observers.replay;
    const poles *c = &e->plan->poles;
    int m = e->plan->m, s = e->plan->nodes.s;
    if (p->lets_go < 0) return;
    double dt = -r->nodal[(s - 1) * m + p->lets_go] / p->rate;
    for (int k = 0; k < m; k++) {
        double P = -p->jump[k] * dt;
        for (int i = 0; i < s; i++) r->F[k * s + i] += P / p->h * r->pulse[0][i];
        for (int j = 0; j < m; j++)
            for (int i = 0; i <= s; i++)
                r->w[j * (s + 1) + i] += c->gamma[j * m + k] * P / p->h * r->pulse[1][i];
        for (int i = 0; i < c->used; i++) {
            r->z_re[i] += P * c->in_re[k * c->n + i];
            r->z_im[i] += P * c->in_im[k * c->n + i];
        }
    }
}

static unsigned next_random(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u; }

// One period from the past that was loaded; its panels into out, the pole states behind them.
static jd_status go_round(memory *e, unsigned *seed, double *out) {
    replay *r = e->observers.replay;
    int m = e->plan->m, s = e->plan->nodes.s, n = s * m;
    for (int at = 0; at < r->n; at++, out += r->block) {
        const replay_panel *p = &r->panel[at];
        for (int i = 0; seed && i < n; i++)
            r->push[i] = e->state.f_scale[i % m] * (next_random(seed) / 2147483648.0 - 1);
        solve(e, p, seed ? r->push : NULL);
        set_polynomials(e, p);
        jd_poles_step(e->plan, p->coefficients, r->nodal, r->z_re, r->z_im);
        add_pulse(e, p);
        JD_TRY(jd_delay_keep(r->line, p->t, p->h, r->F, r->w));
        double share = share_of(r, p);
        for (int i = 0; i < m * s; i++)
            out[i] = r->F[i] * share * e->plan->poles.gamma[i / s * (m + 1)];
        for (int i = 0; i < m * (s + 1); i++) out[m * s + i] = r->w[i] * share;
    }
    for (int p = 0; p < e->plan->poles.n; p++) {
        out[p] = r->z_re[p] * r->weight[p];
        out[e->plan->poles.n + p] = r->z_im[p] * r->weight[p];
    }
    return JD_OK;
}

static jd_status advance(memory *e, unsigned *seed, const double *x, double *y) {
    replay *r = e->observers.replay;
    size_t one = (size_t)r->n * (size_t)r->block, before = (size_t)(r->periods - 1) * one;
    JD_TRY(load(e, x));
    memmove(y, x + one, before * sizeof *y);
    return go_round(e, seed, y + before);
}

jd_status jd_replay_excite(jd_run *run, unsigned seed, double *x) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    size_t n = (size_t)(r->periods * r->n * r->block) + 2 * (size_t)e->plan->poles.n;
    memset(x, 0, n * sizeof *x);
    for (int i = 0; i < r->periods; i++) JD_TRY(advance(e, i ? NULL : &seed, x, x));
    return JD_OK;
}

jd_status jd_replay_apply(jd_run *run, const double *x, double *y) {
    return advance(run->state, NULL, x, y);
}

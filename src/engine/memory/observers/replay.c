// replay.c -- one period of a motion of waves that come back, taken down: its panels, the equations
// of small changes in them, and how their ends move where forces jump.
//   Forces and velocities of a string or rod are continuous at events (a force moves its contact at
//   once, gamma > 0). A small change of the motion, taken at a fixed time, is then continuous in
//   the size of the change, too, and events bring nothing of their own: with dv of the echoes and
//   the poles as in the motion itself,
//     stuck, closed: dv = 0    sliding: dF = F'(v) dv    open: dF = 0
//   whatever the moved event times, which enter to second order. Only a force that jumps, by [F],
//   leaves a pulse -[F] dt, by the time dt its event moved:
//     a contact lets go:     dt = -dF/(dF/dt)      (a higher static limit, hysteresis)
//     a stop is reached:     dt = -du/v
//     a sliding branch ends: replay_edge.c
//   replay_round.c takes changes over the period, replay_newton.c corrects the motion by them.
#include <math.h>
#include <string.h>

#include "engine/memory/observers/replay_inside.h"
#include "linalg/general.h"

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
    double **of_poles[] = {&r->change.z_re, &r->change.z_im, &r->change.weight, &r->start_re,
                           &r->start_im};
    for (int i = 0; i < 5; i++) *of_poles[i] = JD_TAKE(e->arena, double, n);
    double **one[] = {&r->change.moved, &r->change.first, &r->start_moved, &r->belt};
    for (int i = 0; i < 4; i++) *one[i] = JD_TAKE(e->arena, double, m);
    r->change.push = JD_TAKE(e->arena, double, s *m);
    r->change.whole = JD_TAKE(e->arena, double, r->block);
    r->change.square = JD_TAKE(e->arena, double, (s * m + 1) * (s * m + 1));
    r->change.column = JD_TAKE(e->arena, double, s *m + 1);
    r->change.F = JD_TAKE(e->arena, double, (m + e->plan->n_drive) * s);
    r->change.w = JD_TAKE(e->arena, double, m *(s + 1));
    r->change.known = JD_TAKE(e->arena, double, (s + 1) * e->plan->rows);
    r->change.past = JD_TAKE(e->arena, double, (s + 1) * m);
    r->change.nodal = JD_TAKE(e->arena, double, 2 * s * m + 1);
    r->law = JD_TAKE(e->arena, jd_friction, m);
    JD_TRY(jd_arena_status(e->arena));
    set_pulse(s - 1, r->pulse[0]);
    set_pulse(s, r->pulse[1]);
    for (int p = 0; p < n; p++)
        for (int j = 0; j < m; j++)
            r->change.weight[p] =
                fmax(r->change.weight[p],
                     hypot(e->plan->poles.out_re[j * n + p], e->plan->poles.out_im[j * n + p]));
    JD_TRY(jd_delay_clone(e->arena, e->state.echo->line, &r->line));
    return jd_delay_clone(e->arena, e->state.echo->line, &r->before);
}

static const char *refuses(const memory_plan *plan) {
    if (!plan->echo) return "the memory has no waves that come back";
    if (plan->n_stop > 0 && plan->n_stop < plan->m)
        return "there are stops beside contacts with friction";
    return NULL;
}

jd_status jd_replay_begin(jd_run *run) {
    memory *e = run->state;
    bool waves = e->plan->echo != NULL;
    if (!e->observers.replay) {
        e->observers.replay = JD_TAKE(e->arena, replay, 1);
        JD_TRY(jd_arena_status(e->arena));
        if (waves) JD_TRY(take_arrays(e, e->observers.replay));
    }
    replay *r = e->observers.replay;
    r->why = refuses(e->plan);
    r->on = !r->why;
    r->n = 0;
    r->since = run->t = e->state.t;
    e->panel.trim = NULL; // its panels have no coefficients
    jd_panel_drop(e);     // anew
    if (!waves) return JD_OK;
    JD_TRY(
        jd_delay_sum(e->state.echo->line)); // errors of its grid would change from round to round
    e->panel.echo->at = (double)NAN;
    jd_slide_forces(e); // laws may have changed
    jd_panel_begin(e);
    size_t size = (size_t)e->plan->poles.n * sizeof *r->start_re;
    memcpy(r->start_re, e->state.z_re, size);
    memcpy(r->start_im, e->state.z_im, size);
    memcpy(r->start_moved, e->state.echo->moved, (size_t)e->plan->m * sizeof *r->start_moved);
    return jd_delay_copy(r->before, e->state.echo->line, -e->state.t);
}

// Arrays of one more panel; those of an earlier period serve again.
static jd_status next_panel(memory *e, replay *r, replay_panel **out) {
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m;
    if (r->n == r->room) {
        int room = 2 * r->room + 128;
        replay_panel *list = JD_TAKE(e->arena, replay_panel, room);
        JD_TRY(jd_arena_status(e->arena));
        if (r->n) memcpy(list, r->panel, (size_t)r->n * sizeof *list);
        r->panel = list;
        r->room = room;
    }
    replay_panel *p = *out = &r->panel[r->n];
    if (r->n == r->taken) {
        *p = (replay_panel){0};
        p->jump = JD_TAKE(e->arena, double, m);
        p->inverse = JD_TAKE(e->arena, double, (n + 1) * (n + 1));
        p->gain = JD_TAKE(e->arena, double, n);
        p->velocity = JD_TAKE(e->arena, double, n);
        p->contact = JD_TAKE(e->arena, jd_contact_state, m);
        p->F = JD_TAKE(e->arena, double, (m + e->plan->n_drive) * s);
        p->w = JD_TAKE(e->arena, double, m *(s + 1));
        r->taken++;
    }
    r->n++;
    return jd_arena_status(e->arena);
}

// The coefficients of the panel: kept ones stay, those of a length of its own are computed once
// more.
static jd_status own_coefficients(memory *e, replay_panel *p) {
    p->coefficients = e->panel.coefficients;
    if (e->panel.coefficients != &e->cache.single) return JD_OK;
    if (!p->own) {
        p->own = JD_TAKE(e->arena, coefficients, 1);
        JD_TRY(jd_arena_status(e->arena));
        JD_TRY(jd_coefficients_take(e->plan, p->own));
    }
    jd_coefficients_set(e->plan, &e->cache, p->own, e->panel.h);
    p->coefficients = p->own;
    return JD_OK;
}

// dF/dv at a node; -1: stuck.
static double gain_of(const memory *e, int i, int j) {
    int sign = jd_contact_sign(e->state.contact[j]);
    double rate;
    if (e->state.contact[j] == JD_CONTACT_OPEN) return 0;
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
        if (!jd_contact_at_rest(e->state.contact[j])) A[at * n + at] += 1;
    }
    if (!jd_lu_factor(n, A, pivot)) return false;
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < n; i++) x[i] = i == c;
        jd_lu_solve(n, A, pivot, x);
        for (int i = 0; i < n; i++) p->inverse[i * n + c] = x[i];
    }
    return true;
}

// Where the last panel ended with an event: do forces jump to those of now?
static void note_jump(memory *e, replay *r) {
    replay_panel *p = r->n ? &r->panel[r->n - 1] : NULL;
    double most = 0;
    if (!p || p->mover == MOVES_NOT) return;
    for (int j = 0; j < e->plan->m; j++) { // it holds the forces before
        p->jump[j] = e->state.force[j] - p->jump[j];
        most = fmax(most, fabs(p->jump[j]) / e->state.f_scale[j]);
    }
    bool edge = p->mover == MOVES_BY_EDGE || p->mover == MOVES_AFTER;
    if (most <= 1e-3 * e->plan->tolerance && !edge) p->mover = MOVES_NOT;
}

// By what the end of the panel would move.
static jd_status note_end(memory *e, replay_panel *p) {
    int j = e->panel.ends_at, s = e->plan->nodes.s, m = e->plan->m;
    double F[STAGES] = {0};
    p->mover = MOVES_NOT;
    p->contact_at_end = j;
    if (j < 0) return JD_OK;
    jd_contact_state state = e->state.contact[j];
    if (state == JD_CONTACT_STUCK) p->mover = MOVES_BY_FORCE;
    if (state == JD_CONTACT_OPEN) p->mover = MOVES_BY_PLACE;
    if (jd_contact_sign(state) && e->plan->law[j].edge > 0) p->mover = MOVES_BY_EDGE;
    memcpy(p->jump, e->panel.force + (s - 1) * m, (size_t)m * sizeof *p->jump);
    p->rate = 0;
    if (p->mover == MOVES_BY_EDGE) return jd_replay_edge_note(e, p);
    if (p->mover == MOVES_BY_PLACE)
        p->rate = e->panel.velocity[(s - 1) * e->plan->rows + j] - e->plan->belt[j];
    if (p->mover != MOVES_BY_FORCE) return JD_OK;
    jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, m, F);
    for (int r = 1; r < s; r++) p->rate += r * F[r] / e->panel.h;
    return JD_OK;
}

// The motion itself in the panel.
static void note_motion(const memory *e, replay_panel *p) {
    int s = e->plan->nodes.s, m = e->plan->m;
    memcpy(p->contact, e->state.contact, (size_t)m * sizeof *p->contact);
    memcpy(p->F, e->panel.echo->force, (size_t)((m + e->plan->n_drive) * s) * sizeof *p->F);
    memcpy(p->w, e->panel.echo->w, (size_t)(m * (s + 1)) * sizeof *p->w);
    for (int at = 0; at < s * m; at++)
        p->velocity[at] = e->panel.velocity[at / m * e->plan->rows + at % m];
}

jd_status jd_replay_panel(memory *e) {
    replay *r = e->observers.replay;
    if (!r || !r->on) return JD_OK;
    if (e->panel.h == 0) {
        if (r->n) jd_replay_edge_after(e, &r->panel[r->n - 1]);
        return JD_OK;
    }
    note_jump(e, r);
    replay_panel *p;
    JD_TRY(next_panel(e, r, &p));
    p->t = e->state.t - r->since;
    p->h = e->panel.h;
    JD_TRY(own_coefficients(e, p));
    note_motion(e, p);
    JD_TRY(note_end(e, p));
    if (p->mover != MOVES_BY_EDGE && !invert(e, p))
        r->why = "the forces of a panel have no derivative";
    return JD_OK;
}

// The motion stands inside a panel: it is solved anew so that it ends here.
static jd_status end_here(jd_run *run) {
    memory *e = run->state;
    double until = run->t;
    jd_step step = JD_STEP_TIME;
    while (e->state.t < until - e->plan->smallest_step && step != JD_STEP_STOPPED) {
        jd_panel_drop(e);
        e->panel.t_break = fmin(e->panel.t_break, until);
        JD_TRY(jd_run_advance(run, until, &step));
    }
    return JD_OK;
}

jd_status jd_replay_end(jd_run *run, int *n, const char **why) {
    memory *e = run->state;
    replay *r = e->observers.replay;
    *n = 0;
    if (!r->why) JD_TRY(end_here(run));
    r->on = false;
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
    *n = r->periods * (int)replay_one(r) + replay_tail(e);
    return JD_OK;
}

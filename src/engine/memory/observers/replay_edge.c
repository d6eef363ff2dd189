// replay_edge.c -- the panel at whose end a sliding branch of friction ends (hysteresis).
//   There the force moves like a root of time, dF at a fixed time has no bound, and gamma F' = -1.
//   The panel is taken as tangent.c takes it: dF at nodes that move with its length h,
//     dF_i = F'(v_i) dv_i,   dv_i = known_i + sum_k B_ik dF_k + (dv_i/dh) dh
//     at the end: dF = 0 of the contact whose branch ends, d(v - gamma F) = 0
//   and then at fixed times, dF - (theta/h) F'(theta) dh, with a pulse -[F] dh at its end.
//   Where no panel is short enough to end there, the one before is as any other, and
//     dt = -d(v - gamma F)/(d(v - gamma F)/dt)
#include <math.h>
#include <string.h>

#include "engine/memory/observers/replay_inside.h"
#include "linalg/general.h"

static jd_status take(memory *e, replay_panel *p) {
    int n = e->plan->nodes.s * e->plan->m;
    if (p->stretch) return JD_OK;
    p->stretch = JD_TAKE(e->arena, double, n);
    p->slope = JD_TAKE(e->arena, double, n);
    return jd_arena_status(e->arena);
}

// theta dF/dtheta / h at the nodes, of a polynomial of degree d.
static double slope_at(int d, const double *p, double x, double h) {
    double sum = 0;
    for (int r = d; r >= 1; r--) sum = sum * x + r * p[r];
    return sum * x / h;
}

// Rate of the velocity that the past gives a contact at the end of the panel. Where a branch ends
// panels shrink with its root, to lengths over which rounding is more than what the past changes
// by: differences over a longer way back instead, (11 v0 - 18 v1 + 9 v2 - 2 v3)/6d.
static bool rate_behind(const memory *e, int j, double *rate) {
    static const double weight[] = {11, -18, 9, -2};
    double end = e->state.t + e->panel.h, d = 1e-6 * jd_delay_period(e->state.echo->line), sum = 0;
    if (e->panel.h > 10 * d) return false;
    for (int k = 0; k < 4; k++) sum += weight[k] * jd_echoes_past(e, j, end - k * d, false);
    *rate = sum / (6 * d);
    return true;
}

// dv/dh at the nodes with the forces there as they are: poles, drives, and echoes that are looked
// up later.
static void set_stretch(memory *e, replay_panel *p) {
    const poles *c = &e->plan->poles;
    int s = e->plan->nodes.s, m = e->plan->m;
    double rate[JD_GUARD_LIMIT], past[STAGES], q[STAGES + 1], F[STAGES];
    for (int i = 0; i < s; i++) {
        double part = e->plan->nodes.c[i];
        jd_poles_stretch(e, part * e->panel.h, part, 1);
        jd_weigh_rows(m, c->n, c->out_re, c->out_im, e->scratch.z_re, e->scratch.z_im, rate);
        for (int j = 0; j < m; j++) {
            double a = 0;
            jd_drives_motion(e, e->plan->drive, j, e->state.t + part * e->panel.h, NULL, NULL, &a);
            p->stretch[i * m + j] = rate[j] + part * a;
        }
    }
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < s; i++) past[i] = e->panel.echo->past[i * m + j];
        jd_nodes_wide(&e->plan->nodes, e->panel.echo->past0[j], past, 1, q);
        jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, m, F);
        double behind;
        bool brief = rate_behind(e, j, &behind);
        for (int i = 0; i < s; i++) {
            p->stretch[i * m + j] += brief ? e->plan->nodes.c[i] * behind
                                           : slope_at(s, q, e->plan->nodes.c[i], e->panel.h);
            p->slope[i * m + j] = slope_at(s - 1, F, e->plan->nodes.c[i], e->panel.h);
        }
    }
}

// Rows of the forces and of the guard; the inverse of the whole.
static bool invert(memory *e, replay_panel *p) {
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, all = n + 1, end = p->contact_at_end;
    int last = (s - 1) * m + end, pivot[STAGES * JD_GUARD_LIMIT + 1];
    double *A = p->inverse, *copy = e->observers.replay->change.square,
           *x = e->observers.replay->change.column;
    for (int at = 0; at < n; at++) {
        int i = at / m, j = at % m, sign = jd_contact_sign(e->state.contact[j]);
        const double *B = p->coefficients->B + (i * e->plan->rows + j) * n;
        double *row = copy + at * all, rate = 0;
        if (sign != 0)
            jd_friction_at(&e->plan->law[j],
                           sign * (e->panel.velocity[i * e->plan->rows + j] - e->plan->belt[j]),
                           &rate);
        p->gain[at] = e->state.contact[j] == JD_CONTACT_OPEN || at == last ? 0
                      : sign == 0                                          ? -1
                                                                           : -rate;
        for (int k = 0; k < n; k++) row[k] = -p->gain[at] * B[k];
        row[n] = -p->gain[at] * p->stretch[at];
        if (!jd_contact_at_rest(e->state.contact[j])) row[at] += 1;
    }
    double *guard = copy + n * all;
    memcpy(guard, p->coefficients->B + ((s - 1) * e->plan->rows + end) * n,
           (size_t)n * sizeof *guard);
    guard[last] -= e->plan->poles.gamma[end * m + end];
    guard[n] = p->stretch[last];
    if (!jd_lu_factor(all, copy, pivot)) return false;
    for (int c = 0; c < all; c++) {
        for (int i = 0; i < all; i++) x[i] = i == c;
        jd_lu_solve(all, copy, pivot, x);
        for (int i = 0; i < all; i++) A[i * all + c] = x[i];
    }
    return true;
}

jd_status jd_replay_edge_note(memory *e, replay_panel *p) {
    JD_TRY(take(e, p));
    set_stretch(e, p);
    if (!invert(e, p))
        e->observers.replay->why = "a sliding branch ends where its force has no derivative";
    return JD_OK;
}

// By what v - gamma F at the end of the branch is another with the other value of the parameter.
static double other_edge(const memory *e, const replay_panel *p) {
    const replay *r = e->observers.replay;
    int j = p->contact_at_end, sign = jd_contact_sign(p->contact[j]);
    const jd_friction *law = &e->plan->law[j], *other = &r->law[j];
    double gamma = e->plan->poles.gamma[j * (e->plan->m + 1)];
    return r->belt[j] - e->plan->belt[j] +
           sign * (other->edge - law->edge + gamma * (other->edge_force - law->edge_force));
}

// What another value of the parameter adds: forces on the branch, its end and where that lies.
static void add_other(const memory *e, const replay_panel *p, double by, double *right) {
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, j = p->contact_at_end;
    int last = (s - 1) * m + j, sign = jd_contact_sign(p->contact[j]);
    const jd_friction *law = &e->plan->law[j], *other = &e->observers.replay->law[j];
    double force = other->edge_force - law->edge_force;
    for (int at = 0; at < n; at++)
        if (at != last) right[at] += jd_replay_other_at(e, p, at) / by;
    right[last] -= sign * force / by;
    right[n] += other_edge(e, p) / by;
}

double jd_replay_edge_solve(memory *e, const replay_panel *p, const replay_force *by,
                            const double *b) {
    replay *r = e->observers.replay;
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, all = n + 1;
    double *right = r->change.column, dh = 0;
    right[n] = -b[(s - 1) * m + p->contact_at_end];
    for (int at = 0; at < n; at++) right[at] = p->gain[at] * b[at];
    if (by->other) add_other(e, p, by->by, right);
    for (int k = 0; k < all; k++) dh += p->inverse[n * all + k] * right[k];
    for (int i = 0; i < n; i++) {
        r->change.nodal[i] = -p->slope[i] * dh;
        for (int k = 0; k < all; k++) r->change.nodal[i] += p->inverse[i * all + k] * right[k];
    }
    return dh;
}

void jd_replay_edge_after(memory *e, replay_panel *p) {
    const poles *c = &e->plan->poles;
    int s = e->plan->nodes.s, m = e->plan->m, j = e->panel.ends_at;
    double rate[JD_GUARD_LIMIT], behind = 0, a = 0;
    if (j < 0 || p->mover != MOVES_NOT || !jd_contact_sign(e->state.contact[j]) ||
        !(e->plan->law[j].edge > 0))
        return;
    jd_poles_stretch(e, 0, 1, 0);
    jd_weigh_rows(m, c->n, c->out_re, c->out_im, e->scratch.z_re, e->scratch.z_im, rate);
    jd_drives_motion(e, e->plan->drive, j, e->state.t, NULL, NULL, &a);
    if (!rate_behind(e, j, &behind)) return;
    p->rate = rate[j] + a + behind;
    for (int k = 0; k < m; k++) // forces of the others move it at once
        if (k != j) p->rate += c->gamma[j * m + k] * slope_at(s - 1, p->F + k * s, 1, p->h);
    p->mover = MOVES_AFTER;
    p->contact_at_end = j;
    memcpy(p->jump, e->state.force, (size_t)m * sizeof *p->jump);
}

double jd_replay_edge_moves(const memory *e, const replay_panel *p, const replay_force *by) {
    const replay *r = e->observers.replay;
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, j = p->contact_at_end;
    int last = (s - 1) * m + j, row = (s - 1) * e->plan->rows + j;
    const double *B = p->coefficients->B + row * n;
    double v = r->change.known[row] + r->change.past[last];
    for (int k = 0; k < n; k++) v += B[k] * r->change.nodal[k];
    v -= e->plan->poles.gamma[j * (m + 1)] * r->change.nodal[last];
    return ((by->other ? other_edge(e, p) / by->by : 0) - v) / p->rate;
}

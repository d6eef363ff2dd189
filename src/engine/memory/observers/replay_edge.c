// replay_edge.c -- the panel at whose end a sliding branch of friction ends (hysteresis).
//   There the force moves like a root of time, dF at a fixed time has no bound, and gamma F' = -1.
//   The panel is taken as tangent.c takes it: dF at nodes that move with its length h,
//     dF_i = F'(v_i) dv_i,   dv_i = known_i + sum_k B_ik dF_k + (dv_i/dh) dh
//     at the end: dF = 0 of the contact whose branch ends, d(v - gamma F) = 0
//   and then at fixed times, dF - (theta/h) F'(theta) dh, with a pulse -[F] dh at its end.
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
        for (int i = 0; i < s; i++) {
            p->stretch[i * m + j] += slope_at(s, q, e->plan->nodes.c[i], e->panel.h);
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

// What another value of the parameter adds: forces on the branch, its end and where that lies.
static void add_other(const memory *e, const replay_panel *p, double by, double *right) {
    const replay *r = e->observers.replay;
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, j = p->contact_at_end;
    int last = (s - 1) * m + j, sign = jd_contact_sign(p->contact[j]);
    const jd_friction *law = &e->plan->law[j], *other = &r->law[j];
    double force = other->edge_force - law->edge_force, gamma = e->plan->poles.gamma[j * m + j];
    for (int at = 0; at < n; at++)
        if (at != last) right[at] += jd_replay_other_at(e, p, at) / by;
    right[last] -= sign * force / by;
    right[n] +=
        (r->belt[j] - e->plan->belt[j] + sign * (other->edge - law->edge + gamma * force)) / by;
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

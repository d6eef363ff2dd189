// tangent.c -- derivative of the motion by the state it started from: that of the panels
// themselves.
//   A panel takes z0, t0 to z1 = E z0 + in sum_k phi_k F_k, t1 = t0 + h, with forces F and length h
//     stuck:   v_i = belt           v_i = w_i z0 + sum_k B_ik F_k + drives(t0 + c_i h)
//     sliding: F_i = -s f(s v_i)    open: F_i = 0
//     h: kept, or the guard that ends the panel is 0 there
//   Hence for every column of the derivative (dz0, dt0) one linear system for (dF, dh),
//     [R_F  R_h] [dF]     [R_z dz0 + R_t dt0]
//     [g_F  g_h] [dh] = - [g_z dz0 + g_t dt0]
//   and dz1 = E dz0 + in sum_k phi_k dF_k + (dz1/dh) dh,  dt1 = dt0 + dh. Events move the time at
//   which the next panel begins; there is no other saltation: forces that jump, from one branch of
//   friction to another as well, are those of the next panel. At the end of a sliding branch R_F
//   is singular (its force moves like a square root), the whole system is not. Impulses at stops
//   are linear in the velocities, W dP = -(1 + e) dv.
//   Steps kept on the ladder do not depend on the state: within their choice the derivative is that
//   of the computed map, to rounding.        tested: derivative_of_the_map_agrees_with_differences
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"
#include "linalg/general.h"

jd_status jd_tangent_take(memory *e, int n) {
    tangent *d = e->observers.tangent;
    int s = e->plan->nodes.s, m = e->plan->m, all = s * m + 1, wide = e->plan->poles.n;
    if (d && d->n == n) return JD_OK;
    d = e->observers.tangent = JD_TAKE(e->arena, tangent, 1);
    JD_TRY(jd_arena_status(e->arena));
    d->z_re = JD_TAKE(e->arena, double, (size_t)n *(size_t)wide);
    d->z_im = JD_TAKE(e->arena, double, (size_t)n *(size_t)wide);
    d->t0 = JD_TAKE(e->arena, double, n);
    d->length = JD_TAKE(e->arena, double, n);
    d->A = JD_TAKE(e->arena, double, all *all);
    d->pivot = JD_TAKE(e->arena, int, all);
    d->drive = JD_TAKE(e->arena, double, (s + 1) * m);
    d->gain = JD_TAKE(e->arena, double, all);
    d->rate = JD_TAKE(e->arena, double, all);
    d->guard = JD_TAKE(e->arena, double, 2 * wide);
    d->end_re = JD_TAKE(e->arena, double, wide);
    d->end_im = JD_TAKE(e->arena, double, wide);
    d->bend_re = JD_TAKE(e->arena, double, wide);
    d->bend_im = JD_TAKE(e->arena, double, wide);
    d->weight_re = JD_TAKE(e->arena, double, wide);
    d->weight_im = JD_TAKE(e->arena, double, wide);
    d->impulse_matrix = JD_TAKE(e->arena, double, m *m);
    d->inverse = JD_TAKE(e->arena, double, all *all);
    d->solution = JD_TAKE(e->arena, double, all);
    d->right_side = JD_TAKE(e->arena, double, all);
    d->velocity = JD_TAKE(e->arena, double, (s + 1) * e->plan->rows);
    JD_TRY(jd_arena_status(e->arena));
    d->n = n;
    return JD_OK;
}

// Velocities at the nodes by the length of the panel, and the pole states at its end.
static void set_rates(memory *e) {
    tangent *d = e->observers.tangent;
    const poles *c = &e->plan->poles;
    size_t size = (size_t)c->n * sizeof *d->end_re;
    for (int i = 0; i < e->plan->nodes.s; i++) {
        double *rate = d->rate + i * e->plan->m, part = e->plan->nodes.c[i];
        jd_poles_stretch(e, part * e->panel.h, part, 1);
        jd_weigh_rows(e->plan->m, c->n, c->out_re, c->out_im, e->scratch.z_re, e->scratch.z_im,
                      rate);
        for (int j = 0; j < e->plan->m; j++) rate[j] += part * d->drive[i * e->plan->m + j];
    }
    memcpy(d->end_re, e->scratch.z_re, size); // the last node is the end
    memcpy(d->end_im, e->scratch.z_im, size);
}

// Slope dF/dv of a contact's force at a node. Where the panel ends at the end of a sliding branch,
// the guard keeps the force there and any slope that is not the branch's own gives it.
static double slope_of(const memory *e, int i, int j) {
    int sign = jd_contact_sign(e->state.contact[j]);
    const jd_friction *l = &e->plan->law[j];
    double rate;
    if (l->edge > 0 && e->panel.ends_at == j && i == e->plan->nodes.s - 1) return -l->edge_rate;
    jd_friction_at(l, sign * (e->panel.velocity[i * e->plan->rows + j] - e->plan->belt[j]), &rate);
    return -rate;
}

// Rows of the forces: stuck B dF + dv/dh dh = -dv, sliding dF - gain (B dF + dv/dh dh) = gain dv,
// open dF = 0, dv the velocity that z0 and t0 bring.
static void set_forces(memory *e) {
    tangent *d = e->observers.tangent;
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, all = n + 1;
    for (int at = 0; at < n; at++) {
        int i = at / m, j = at % m;
        const double *B = e->panel.coefficients->B + (i * e->plan->rows + j) * n;
        bool slides = jd_contact_sign(e->state.contact[j]) != 0,
             open = e->state.contact[j] == JD_CONTACT_OPEN;
        double *row = d->A + at * all;
        d->gain[at] = open ? 0 : slides ? slope_of(e, i, j) : -1;
        for (int k = 0; k < n; k++) row[k] = -d->gain[at] * B[k];
        row[n] = d->ends ? -d->gain[at] * d->rate[at] : 0;
        if (slides || open) row[at] += 1;
    }
}

// The guard of an open stop: its relative displacement at the end, place z1 + drives - belt t1.
static void set_gap(memory *e, int j, double *row) {
    tangent *d = e->observers.tangent;
    const poles *c = &e->plan->poles;
    int n = c->n, s = e->plan->nodes.s, m = e->plan->m;
    const double *re = c->place_re + j * n, *im = c->place_im + j * n;
    double own = -e->plan->belt[j];
    jd_drives_motion(e, e->plan->drive, j, e->state.t + e->panel.h, NULL, &own, NULL);
    d->guard_time = own;
    jd_weigh_rows(1, n, re, im, d->end_re, d->end_im, &row[s * m]);
    row[s * m] += own;
    for (int k = 0; k < m; k++) {
        for (int p = 0; p < n; p++) { // place in: weights of what forces leave in the pole states
            double x = c->plain ? 1 : c->in_re[k * n + p], y = c->plain ? 0 : c->in_im[k * n + p];
            d->weight_re[p] = re[p] * x - im[p] * y;
            d->weight_im[p] = re[p] * y + im[p] * x;
        }
        for (int i = 0; i < s; i++)
            jd_weigh_rows(1, n, e->panel.coefficients->phi_re + i * n,
                          e->panel.coefficients->phi_im + i * n, d->weight_re, d->weight_im,
                          &row[i * m + k]);
    }
    for (int p = 0; p < n; p++) { // place e^{lambda h}
        double x = e->panel.coefficients->e_re[p], y = e->panel.coefficients->e_im[p];
        d->guard[p] = re[p] * x - im[p] * y;
        d->guard[n + p] = re[p] * y + im[p] * x;
    }
}

// The last row: what decides about the length of the panel.
static void set_guard(memory *e) {
    tangent *d = e->observers.tangent;
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, all = n + 1, j = e->panel.ends_at,
        last = (s - 1) * m + j;
    double *row = d->A + n * all;
    memset(row, 0, (size_t)all * sizeof *row);
    d->guard_time = 0;
    if (j < 0) { // kept; or it ends at a break, whose time does not move
        row[n] = 1;
        d->guard_time = d->ends;
        return;
    }
    if (e->state.contact[j] == JD_CONTACT_OPEN) {
        set_gap(e, j, row);
        return;
    }
    if (jd_contact_sign(e->state.contact[j]) == 0) { // the force at the end is at its limit
        row[last] = 1;
        return;
    }
    memcpy(row, e->panel.coefficients->B + ((s - 1) * e->plan->rows + j) * n,
           (size_t)n * sizeof *row);
    row[n] = d->rate[last];
    if (e->plan->law[j].edge > 0) row[last] -= e->plan->poles.gamma[j * m + j];
}

// One small inverse serves all columns. A singular system has no derivative: its columns become
// NaN, and Newton's method stops.
static void invert(memory *e, int n) {
    tangent *d = e->observers.tangent;
    bool regular = jd_lu_factor(n, d->A, d->pivot);
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < n; i++) d->solution[i] = regular ? i == c : (double)NAN;
        if (regular) jd_lu_solve(n, d->A, d->pivot, d->solution);
        for (int i = 0; i < n; i++) d->inverse[i * n + c] = d->solution[i];
    }
}

// The system of the present panel, and its inverse.
static void prepare(memory *e) {
    tangent *d = e->observers.tangent;
    int s = e->plan->nodes.s, m = e->plan->m;
    for (int i = 0; i <= s; i++)
        for (int j = 0; j < m; j++) {
            double x = i < s ? e->plan->nodes.c[i] * e->panel.h : 0, *a = &d->drive[i * m + j];
            *a = 0;
            jd_drives_motion(e, e->plan->drive, j, e->state.t + x, NULL, NULL, a);
        }
    d->ends = e->panel.ends_at >= 0 || e->panel.t_end >= e->panel.t_break;
    if (d->ends) set_rates(e);
    set_forces(e);
    set_guard(e);
    invert(e, s * m + 1);
}

// Velocities at the nodes by column c of the state at t0, without the forces of the panel.
static void known_of(memory *e, int c, double *v) {
    const tangent *d = e->observers.tangent;
    const poles *ch = &e->plan->poles;
    int s = e->plan->nodes.s, m = e->plan->m;
    const double *re = d->z_re + (size_t)c * (size_t)ch->n,
                 *im = d->z_im + (size_t)c * (size_t)ch->n;
    double own[JD_GUARD_LIMIT];
    jd_weigh_rows(s * e->plan->rows, ch->n, e->panel.coefficients->w_re,
                  e->panel.coefficients->w_im, re, im, v);
    if (!e->plan->jumps) jd_weigh_rows(m, ch->n, ch->out_re, ch->out_im, re, im, own);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < m; j++) {
            double *at = &v[i * e->plan->rows + j];
            *at += d->drive[i * m + j] * d->t0[c];
            if (e->plan->jumps) continue;
            // the rise since t0; a stuck contact began with its counterpart's velocity
            *at +=
                jd_contact_at_rest(e->state.contact[j]) ? -d->drive[s * m + j] * d->t0[c] : own[j];
        }
}

// dF and dh of column c into x.
static void solve_column(memory *e, int c) {
    tangent *d = e->observers.tangent;
    int s = e->plan->nodes.s, m = e->plan->m, n = s * m, j = e->panel.ends_at,
        wide = e->plan->poles.n;
    double *x = d->solution, *b = d->right_side, *v = d->velocity, own;
    known_of(e, c, v);
    for (int at = 0; at < n; at++) b[at] = d->gain[at] * v[at / m * e->plan->rows + at % m];
    b[n] = -d->guard_time * d->t0[c];
    if (j >= 0 && jd_contact_sign(e->state.contact[j]) != 0) b[n] -= v[(s - 1) * e->plan->rows + j];
    if (j >= 0 && e->state.contact[j] == JD_CONTACT_OPEN) {
        jd_weigh_rows(1, wide, d->guard, d->guard + wide, d->z_re + (size_t)c * (size_t)wide,
                      d->z_im + (size_t)c * (size_t)wide, &own);
        b[n] -= own;
    }
    for (int i = 0; i <= n; i++) {
        x[i] = 0;
        for (int k = 0; k <= n; k++) x[i] += d->inverse[i * (n + 1) + k] * b[k];
    }
}

// An event at t0 itself, where the panel would be shorter than the least step: the same system with
// one node, v = free + gamma F, free the velocity without the forces of the contacts, which changes
// with `slope`. A stuck contact without a jump lets go at once only because of another event.
static void set_instant(memory *e, int j, const double *slope) {
    tangent *d = e->observers.tangent;
    int m = e->plan->m, all = m + 1;
    double *guard = d->A + m * all;
    memset(d->A, 0, (size_t)(all * all) * sizeof *d->A);
    for (int k = 0; k < m; k++) {
        int sign = jd_contact_sign(e->state.contact[k]);
        double rate = 0, *row = d->A + k * all;
        if (sign != 0 && e->plan->jumps)
            jd_friction_at(&e->plan->law[k], sign * (e->panel.first_velocity[k] - e->plan->belt[k]),
                           &rate);
        if (k == j && e->plan->law[k].edge > 0) rate = e->plan->law[k].edge_rate;
        d->gain[k] = jd_contact_at_rest(e->state.contact[k]) && e->plan->jumps ? -1 : -rate;
        for (int i = 0; i < m; i++) row[i] = -d->gain[k] * e->plan->poles.gamma[k * m + i];
        row[m] = -d->gain[k] * slope[k];
        if (d->gain[k] != -1) row[k] += 1;
    }
    if (jd_contact_sign(e->state.contact[j]) != 0) {
        memcpy(guard, e->plan->poles.gamma + j * m, (size_t)m * sizeof *guard);
        if (e->plan->law[j].edge > 0) guard[j] = 0;
        guard[m] = slope[j];
    } else if (e->state.contact[j] == JD_CONTACT_OPEN) {
        guard[m] = e->panel.first_velocity[j] - e->plan->belt[j];
    } else {
        guard[e->plan->jumps ? j : m] = 1;
    }
}

// What of the guard's change column c brings by itself.
static double instant_guard(memory *e, int c, int j, const double *free) {
    const tangent *d = e->observers.tangent;
    const poles *ch = &e->plan->poles;
    int wide = ch->n;
    double u, v = -e->plan->belt[j];
    if (jd_contact_sign(e->state.contact[j]) != 0) return free[j];
    if (e->state.contact[j] != JD_CONTACT_OPEN) return 0;
    jd_weigh_rows(1, wide, ch->place_re + j * wide, ch->place_im + j * wide,
                  d->z_re + (size_t)c * (size_t)wide, d->z_im + (size_t)c * (size_t)wide, &u);
    jd_drives_motion(e, e->plan->drive, j, e->state.t, NULL, &v, NULL);
    return u + v * d->t0[c];
}

// Is the guard of a contact below 0 at t0 already? Then the event comes at that time, whatever the
// state: because of the event before, or of a state it was put into.
static bool is_beyond(const memory *e, int j) {
    int sign = jd_contact_sign(e->state.contact[j]);
    const stop *c = &e->plan->stop[j];
    double F = e->state.force[j], v = e->panel.first_velocity[j] - e->plan->belt[j], most = 1e-6;
    if (e->state.contact[j] == JD_CONTACT_OPEN)
        return fabs(e->panel.first_displacement[j]) - c->gap >
               1e-9 * (fabs(c->gap) + fabs(e->panel.first_displacement[j]));
    if (e->state.contact[j] == JD_CONTACT_STUCK)
        return fabs(F) > e->plan->law[j].hold + most * e->state.f_scale[j];
    if (sign == 0)
        return (e->state.contact[j] == JD_CONTACT_CLOSED_ABOVE ? F : -F) >
               most * e->state.f_scale[j];
    if (e->plan->law[j].edge > 0)
        v -= e->plan->poles.gamma[j * e->plan->m + j] * (F + sign * e->plan->law[j].edge_force) +
             sign * e->plan->law[j].edge;
    return sign * v < -most * e->state.v_scale[j];
}

static void event_at_once(memory *e) {
    tangent *d = e->observers.tangent;
    const poles *ch = &e->plan->poles;
    int m = e->plan->m, j = e->panel.ends_at, wide = ch->n;
    double free[JD_GUARD_LIMIT], slope[JD_GUARD_LIMIT], a[JD_GUARD_LIMIT] = {0};
    if (j < 0 || e->state.t == d->t_event || is_beyond(e, j)) return;
    jd_poles_stretch(e, 0, 1, 0);
    memcpy(d->end_re, e->scratch.z_re, (size_t)wide * sizeof *d->end_re);
    memcpy(d->end_im, e->scratch.z_im, (size_t)wide * sizeof *d->end_im);
    jd_weigh_rows(m, wide, ch->out_re, ch->out_im, d->end_re, d->end_im, slope);
    for (int k = 0; k < m; k++) {
        jd_drives_motion(e, e->plan->drive, k, e->state.t, NULL, NULL, &a[k]);
        slope[k] += a[k];
    }
    set_instant(e, j, slope);
    invert(e, m + 1);
    for (int c = 0; c < d->n; c++) {
        double *re = d->z_re + (size_t)c * (size_t)wide, *im = d->z_im + (size_t)c * (size_t)wide;
        double dh = 0;
        jd_weigh_rows(m, wide, ch->out_re, ch->out_im, re, im, free);
        for (int k = 0; k < m; k++) free[k] += a[k] * d->t0[c];
        for (int k = 0; k < m; k++) dh += d->inverse[m * (m + 1) + k] * d->gain[k] * free[k];
        dh -= d->inverse[m * (m + 1) + m] * instant_guard(e, c, j, free);
        d->t0[c] += dh;
        for (int p = 0; p < wide; p++) {
            re[p] += d->end_re[p] * dh;
            im[p] += d->end_im[p] * dh;
        }
    }
}

void jd_tangent_panel(memory *e) {
    tangent *d = e->observers.tangent;
    int n = e->plan->nodes.s * e->plan->m, wide = e->plan->poles.n;
    if (!d || !d->on) return;
    if (e->panel.h == 0) event_at_once(e);
    if (e->panel.ends_at >= 0) d->t_event = e->panel.t_end;
    if (e->panel.h == 0) return;
    prepare(e);
    for (int c = 0; c < d->n; c++) {
        double *re = d->z_re + (size_t)c * (size_t)wide, *im = d->z_im + (size_t)c * (size_t)wide;
        solve_column(e, c);
        jd_poles_step(e->plan, e->panel.coefficients, d->solution, re, im);
        double dh = d->solution[n];
        d->t0[c] += dh;
        for (int p = 0; d->ends && p < wide; p++) {
            re[p] += d->end_re[p] * dh;
            im[p] += d->end_im[p] * dh;
        }
    }
}

void jd_tangent_push(memory *e, int n, const int *set, const double *part) {
    tangent *d = e->observers.tangent;
    const poles *ch = &e->plan->poles;
    int m = e->plan->m, wide = ch->n, pivot[JD_GUARD_LIMIT];
    double a[JD_GUARD_LIMIT] = {0}, v[JD_GUARD_LIMIT], P[JD_GUARD_LIMIT], *W;
    if (!d || !d->on || n == 0) return;
    W = d->impulse_matrix;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) W[i * n + k] = ch->start[set[i] * m + set[k]];
    if (!jd_lu_factor(n, W, pivot)) { // no derivative: as in `invert`
        for (int c = 0; c < d->n; c++) d->t0[c] = (double)NAN;
        return;
    }
    for (int j = 0; j < m; j++)
        jd_drives_motion(e, e->plan->drive, j, e->state.t, NULL, NULL, &a[j]);
    for (int c = 0; c < d->n; c++) {
        double *re = d->z_re + (size_t)c * (size_t)wide, *im = d->z_im + (size_t)c * (size_t)wide;
        jd_weigh_rows(m, wide, ch->out_re, ch->out_im, re, im, v);
        for (int i = 0; i < n; i++) P[i] = -part[i] * (v[set[i]] + a[set[i]] * d->t0[c]);
        jd_lu_solve(n, W, pivot, P);
        for (int i = 0; i < n; i++)
            for (int p = 0; p < ch->used; p++) {
                re[p] += P[i] * ch->in_re[set[i] * wide + p];
                im[p] += P[i] * ch->in_im[set[i] * wide + p];
            }
    }
}

// Pole states a time x into the present panel for a column and its forces: the panel's own formula.
static void move_column(memory *e, double x, double *re, double *im, const double *F) {
    size_t size = (size_t)e->plan->poles.n * sizeof *re;
    jd_poles_move(e, x, re, im, F);
    memcpy(re, e->scratch.z_re, size);
    memcpy(im, e->scratch.z_im, size);
}

// dz = e^{lambda x} dz0 + in sum_r dp_r M_r + dz/dh dh - z' dt0: x shrinks as t0 grows.
void jd_tangent_finish(memory *e, double x) {
    tangent *d = e->observers.tangent;
    int wide = e->plan->poles.n, n = e->plan->nodes.s * e->plan->m;
    bool inside = e->panel.solved && e->panel.h > 0 && x > 0;
    double *bend_re = d->bend_re, *bend_im = d->bend_im;
    if (inside) prepare(e);
    for (int c = 0; inside && c < d->n; c++) {
        double *re = d->z_re + (size_t)c * (size_t)wide, *im = d->z_im + (size_t)c * (size_t)wide;
        solve_column(e, c);
        move_column(e, x, re, im, d->solution);
        d->length[c] = d->ends ? d->solution[n] : 0;
    }
    jd_poles_stretch(e, x, 1, 0);
    memcpy(d->end_re, e->scratch.z_re, (size_t)wide * sizeof *d->end_re);
    memcpy(d->end_im, e->scratch.z_im, (size_t)wide * sizeof *d->end_im);
    if (inside) jd_poles_stretch(e, x, 0, 1);
    memcpy(bend_re, e->scratch.z_re, (size_t)wide * sizeof *bend_re);
    memcpy(bend_im, e->scratch.z_im, (size_t)wide * sizeof *bend_im);
    for (int c = 0; c < d->n; c++) {
        double *re = d->z_re + (size_t)c * (size_t)wide, *im = d->z_im + (size_t)c * (size_t)wide;
        double dh = inside ? d->length[c] : 0;
        for (int p = 0; p < wide; p++) {
            re[p] += bend_re[p] * dh - d->end_re[p] * d->t0[c];
            im[p] += bend_im[p] * dh - d->end_im[p] * d->t0[c];
        }
    }
    d->on = false;
}

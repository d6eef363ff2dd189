// echoes.c -- panels of an undamped wave body: known part, history, and which kinks go on.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

jd_status jd_echoes_create(memory *e) {
    int m = e->plan->m, s = e->plan->nodes.s, places = m + e->plan->n_drive;
    echo_state *state = e->state.echo;
    echo_panel *c = e->panel.echo = JD_TAKE(e->arena, echo_panel, 1);
    JD_TRY(jd_arena_status(e->arena));
    double **one[] = {&c->past0,      &c->now,       &state->moved, &state->v_end,
                      &state->v_rate, &state->F_end, &state->F_rate};
    for (int i = 0; i < 7; i++) *one[i] = JD_TAKE(e->arena, double, m);
    c->past = JD_TAKE(e->arena, double, (s + 1) * m);
    c->force = JD_TAKE(e->arena, double, places *s);
    c->w = JD_TAKE(e->arena, double, m *(s + 1));
    c->rate = JD_TAKE(e->arena, double, m *(s + 1));
    double *gain = e->plan->echo->gain = JD_TAKE(e->arena, double, m *places);
    JD_TRY(jd_arena_status(e->arena));
    if (e->plan->echo->filter)
        state->filtered = JD_TAKE(e->arena, double, (m + places) * FILTER_POLES);
    JD_TRY(jd_arena_status(e->arena));
    if (e->state.start.place)
        memcpy(state->moved, e->state.start.place, (size_t)m * sizeof *state->moved);
    c->at = (double)NAN;
    // int Re out z = Re (out/lambda) z + gain int F
    const poles *h = &e->plan->poles;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < places; j++, gain++) {
            const double *re = j < m ? h->in_re + j * h->n : e->plan->drive[j - m].in_re;
            const double *im = j < m ? h->in_im + j * h->n : e->plan->drive[j - m].in_im;
            jd_weigh_rows(1, h->n, h->place_re + i * h->n, h->place_im + i * h->n, re, im, gain);
            *gain = -*gain;
        }
    return JD_OK;
}

// What drives do to the velocity of contact i at once.
static double by_drives(const memory *e, int i, double t) {
    double v = 0;
    for (int d = 0; d < e->plan->n_drive; d++)
        v += e->plan->echo->jump[d * e->plan->m + i] * jd_drives_value(e, d, t);
    return v;
}

double jd_echoes_past(const memory *e, int i, double t, bool after) {
    const echo_panel *c = e->panel.echo;
    double v = t == c->at ? c->now[i] : jd_delay_velocity(e->state.echo->line, i, t, after);
    return v + by_drives(e, i, t);
}

void jd_echoes_add(memory *e, double h) {
    echo_panel *c = e->panel.echo;
    int s = e->plan->nodes.s, m = e->plan->m;
    double t[STAGES + 1], v[STAGES + 1];
    for (int i = 0; i <= s; i++) t[i] = e->state.t + e->plan->nodes.c[i] * h;
    if (h == e->panel.t_break - e->state.t) t[s - 1] = e->panel.t_break;
    for (int j = 0; j < m; j++) {
        jd_delay_velocities(e->state.echo->line, j, e->state.t, s + 1, t, v);
        for (int i = 0; i <= s; i++) {
            c->past[i * m + j] = v[i] + by_drives(e, j, t[i]);
            e->panel.known[i * e->plan->rows + j] += c->past[i * m + j];
        }
    }
}

// Forced velocity of contact i at a place of the panel: echoes and the jump.
static double forced(const memory_plan *plan, int i, const double *past, const double *F) {
    double w = past[i];
    for (int j = 0; j < plan->m; j++) w += plan->poles.gamma[i * plan->m + j] * F[j];
    return w;
}

static double integral(int degree, const double *p) {
    double sum = 0;
    for (int r = degree; r >= 0; r--) sum += p[r] / (r + 1);
    return sum;
}

// Without damping nothing takes an error of a forced velocity away, and its mean would move the
// body ever farther. So a panel moves its contact exactly as far as the forces that are kept do:
//   int w = sum_j gamma int F_j + int sign w(t - T) + sum a int F_j(t - d)
// by a bump of what its polynomial is off, 6 theta (1 - theta), which leaves its ends as they are.
// More than its error in a tiny panel is a front within rounding of its ends.
static const double short_panel = 1e-6; // of the period
static void conserve(const memory *e, int i) {
    echo_panel *c = e->panel.echo;
    int m = e->plan->m, s = e->plan->nodes.s;
    double *w = c->w + i * (s + 1), h = e->panel.h;
    double off = jd_delay_moved(e->state.echo->line, i, e->state.t, h) / h - integral(s, w);
    for (int j = 0; j < m; j++)
        off += e->plan->poles.gamma[i * m + j] * integral(s - 1, c->force + j * s);
    for (int d = 0; d < e->plan->n_drive; d++)
        off += e->plan->echo->jump[d * m + i] * integral(s - 1, c->force + (m + d) * s);
    bool tiny = h < short_panel * jd_delay_period(e->state.echo->line);
    if (tiny && !(fabs(off) <= e->plan->tolerance * e->state.v_scale[i])) return;
    w[1] += 6 * off;
    w[2] -= 6 * off;
}

// Polynomials of forces and forced velocities of the panel that was solved.
static void set_polynomials(memory *e) {
    echo_panel *c = e->panel.echo;
    int m = e->plan->m, s = e->plan->nodes.s, places = m + e->plan->n_drive;
    for (int d = 0; d < e->plan->n_drive; d++) {
        double f[STAGES];
        for (int i = 0; i < s; i++)
            f[i] = jd_drives_value(e, d, e->state.t + e->plan->nodes.c[i] * e->panel.h);
        jd_nodes_narrow(&e->plan->nodes, f, 1, c->force + (m + d) * s);
    }
    for (int j = 0; j < m; j++) {
        double w[STAGES], first;
        first = forced(e->plan, j, c->past0, e->state.force);
        for (int i = 0; i < s; i++)
            w[i] = forced(e->plan, j, c->past + i * m, e->panel.force + i * m);
        jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, m, c->force + j * s);
        jd_nodes_wide(&e->plan->nodes, first, w, 1, c->w + j * (s + 1));
    }
    for (int j = 0; j < m && e->plan->echo->sharp; j++) conserve(e, j);
    memcpy(c->rate, c->w, (size_t)(m * (s + 1)) * sizeof *c->rate);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < places; j++)
            for (int r = 0; r < s; r++)
                c->rate[i * (s + 1) + r] +=
                    e->plan->echo->gain[i * places + j] * c->force[j * s + r];
}

double jd_echoes_end(memory *e, int j) {
    const echo_panel *c = e->panel.echo;
    int s = e->plan->nodes.s;
    double u = e->state.echo->moved[j];
    set_polynomials(e);
    for (int r = 0; r <= s; r++) u += e->panel.h * c->rate[j * (s + 1) + r] / (r + 1);
    return u;
}

static double slope(int degree, const double *p, double x) {
    double sum = 0;
    for (int r = degree; r >= 1; r--) sum = sum * x + r * p[r];
    return sum;
}

// An echo that changes neither values nor slopes by more than the tolerance ends here; one that
// passes a contact and leaves its force as it was comes back with the velocity alone.
jd_status jd_echoes_solved(memory *e) {
    const echo_state *old = e->state.echo;
    echo_panel *c = e->panel.echo;
    int s = e->plan->nodes.s;
    set_polynomials(e);
    if (!old->pending) return JD_OK;
    double least = 0.1 * e->plan->tolerance, h = fmin(old->h, e->panel.h);
    for (int j = 0; j < e->plan->m; j++) {
        const double *F = c->force + j * s, *w = c->w + j * (s + 1);
        double by_v =
            fabs(w[0] - old->v_end[j]) + fabs(slope(s, w, 0) / e->panel.h - old->v_rate[j]) * h;
        double by_F = fabs(e->state.force[j] - old->F_end[j]) +
                      fabs(slope(s - 1, F, 0) / e->panel.h - old->F_rate[j]) * h;
        bool forced = by_F > least * e->state.f_scale[j];
        if (forced || by_v > least * e->state.v_scale[j])
            JD_TRY(jd_delay_kink(old->line, e->state.t, j, forced ? j + 1 : j));
    }
    return JD_OK;
}

// Smeared histories are continuous: what was looked up for the panel's end holds after it too.
static void note_end(memory *e) {
    echo_panel *c = e->panel.echo;
    const double *end = c->past + (e->plan->nodes.s - 1) * e->plan->m;
    if (e->plan->echo->sharp || e->plan->n_drive > 0 || e->panel.t_end != e->state.t + e->panel.h)
        return;
    c->at = e->panel.t_end;
    memcpy(c->now, end, (size_t)e->plan->m * sizeof *c->now);
}

jd_status jd_echoes_accept(memory *e, bool kink) {
    echo_state *end = e->state.echo;
    echo_panel *c = e->panel.echo;
    int s = e->plan->nodes.s;
    for (int j = 0; j < e->plan->m; j++) { // polynomials as jd_echoes_solved left them
        const double *F = c->force + j * s, *w = c->w + j * (s + 1);
        for (int r = 0; r <= s && !end->filtered; r++)
            end->moved[j] += e->panel.h * c->rate[j * (s + 1) + r] / (r + 1);
        end->v_end[j] = jd_polynomial(s, w, 1);
        end->v_rate[j] = slope(s, w, 1) / e->panel.h;
        end->F_end[j] = jd_polynomial(s - 1, F, 1);
        end->F_rate[j] = slope(s - 1, F, 1) / e->panel.h;
    }
    end->h = e->panel.h;
    if (end->filtered) jd_displacement_step(e, e->panel.h, c->force, c->rate, end->filtered);
    note_end(e);
    JD_TRY(jd_delay_keep(e->state.echo->line, e->state.t, e->panel.h, c->force, c->w));
    return kink ? jd_delay_kink(e->state.echo->line, e->panel.t_end, 0, e->plan->m) : JD_OK;
}

void jd_echoes_observe(memory *e, double x, double *u, double *v) {
    echo_panel *c = e->panel.echo;
    int s = e->plan->nodes.s;
    for (int j = 0; j < e->plan->m; j++) {
        const double *rate = c->rate + j * (s + 1);
        v[j] += jd_echoes_past(e, j, e->state.t + x, x <= 0);
        u[j] += e->state.echo->moved[j];
        double theta = e->panel.h > 0 ? x / e->panel.h : 0, power = x;
        for (int r = 0; r <= s; r++, power *= theta) u[j] += rate[r] * power / (r + 1);
    }
}

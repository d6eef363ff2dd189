// panel.c -- one panel: forces at the nodes by Newton's method, its error, its length.
//   error: the velocity at a point that is no node against the polynomial through the nodes, and
//   the force polynomial at the panel's beginning against the force the panel before ended with.
//   length: by the error; where a guard (guards.c) becomes negative the panel is shortened until it
//   ends there (Newton's method, bisection behind it).
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

enum { USUAL = USUAL_NODES };             // and one contact
static const double unsolved_error = 100; // of a panel whose forces are not found: a quarter of it

void jd_panel_begin(memory *e) {
    jd_hold_forces(e);
    jd_state_velocities(e, e->panel.first_velocity);
    e->panel.weighed = false; // from here on the state may be changed
    for (int i = 0; i < e->plan->m; i++) {
        for (int j = 0; j < e->plan->m; j++)
            e->panel.first_velocity[i] +=
                e->plan->poles.gamma[i * e->plan->m + j] * e->state.force[j];
        e->state.v_scale[i] =
            fmax(e->state.v_scale[i], fabs(e->panel.first_velocity[i] - e->plan->belt[i]));
        if (e->plan->stop[i].is) // the speed that its force takes away counts too
            e->state.v_scale[i] =
                fmax(e->state.v_scale[i],
                     e->plan->poles.gamma[i * e->plan->m + i] * fabs(e->state.force[i]));
        if (e->plan->stop[i].is)
            e->state.f_scale[i] =
                fmax(e->state.f_scale[i], e->state.v_scale[i] / e->plan->mobility[i]);
    }
    if (e->plan->n_stop) jd_stops_begin(e);
}

// Loops over few nodes are written for any number of them and unrolled for the usual one.
#define INLINE static inline __attribute__((always_inline))

INLINE bool eliminate(int n, double *A, double *b) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(A[r * n + c]) > fabs(A[best * n + c])) best = r;
        if (!(fabs(A[best * n + c]) > 0)) return false;
        for (int k = c; best != c && k < n; k++) {
            double x = A[c * n + k];
            A[c * n + k] = A[best * n + k], A[best * n + k] = x;
        }
        double y = b[c];
        b[c] = b[best], b[best] = y;
        for (int r = c + 1; r < n; r++) {
            double f = A[r * n + c] / A[c * n + c];
            if (f == 0) continue;
            for (int k = c + 1; k < n; k++) A[r * n + k] -= f * A[c * n + k];
            b[r] -= f * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) b[r] -= A[r * n + k] * b[k];
        b[r] /= A[r * n + r];
    }
    return true;
}

// A x = b, n x n row-major, in place; rows are exchanged. False when A is singular.
bool jd_eliminate(int n, double *A, double *b) {
    return n == USUAL ? eliminate(USUAL, A, b) : eliminate(n, A, b);
}

INLINE double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

// Velocity that `known` of a contact is measured from: a stuck contact's forces come from the small
// rise of its velocity over the panel, which must not be rounded as part of the belt's.
static double frame_of(const memory *e, int j) {
    return jd_contact_at_rest(e->state.contact[j]) && !e->plan->jumps ? e->plan->belt[j] : 0;
}

static void set_known(memory *e, const coefficients *t) {
    const poles *c = &e->plan->poles;
    int places = e->plan->nodes.s + 1, rows = e->plan->rows;
    if (!jd_rough_known(e, t))
        jd_weigh_rows(places * rows, c->n, t->w_re, t->w_im, e->state.z_re, e->state.z_im,
                      e->panel.known);
    if (e->plan->echo) jd_echoes_add(e, t->h);
    if (e->plan->jumps && e->plan->n_drive == 0) return;
    for (int i = 0; i < places; i++)
        for (int r = 0; r < rows; r++) {
            double x = e->plan->nodes.c[i] * t->h, *known = &e->panel.known[i * rows + r];
            if (r < e->plan->m && !e->plan->jumps)
                *known +=
                    (jd_contact_at_rest(e->state.contact[r]) ? 0 : e->panel.first_velocity[r]) +
                    jd_drives_rise(e, r, e->state.t, x);
            else
                jd_drives_motion(e, e->plan->drive, r, e->state.t + x, NULL, known, NULL);
        }
}

// One step of Newton's method; the largest change of a force over its size, or -1.
INLINE double newton_step(memory *e, const coefficients *t, int s, int m) {
    int n = s * m;
    double *J = e->scratch.matrix, *R = e->scratch.right_side, change = 0;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < m; j++) {
            const double *B = t->B + (i * e->plan->rows + j) * n;
            int at = i * m + j, sign = jd_contact_sign(e->state.contact[j]);
            double v = e->panel.known[i * e->plan->rows + j] + dot(n, B, e->panel.force), rate;
            v -= e->plan->belt[j] - frame_of(e, j);
            double *row = J + at * n;
            if (e->state.contact[j] == JD_CONTACT_OPEN) {
                memset(row, 0, (size_t)n * sizeof *row);
                row[at] = 1;
                R[at] = e->panel.force[at];
                continue;
            }
            if (sign == 0) {
                memcpy(row, B, (size_t)n * sizeof *row);
                R[at] = v;
                continue;
            }
            R[at] = e->panel.force[at] + sign * jd_friction_at(&e->plan->law[j], sign * v, &rate);
            for (int k = 0; k < n; k++) row[k] = rate * B[k];
            row[at] += 1;
        }
    if (!eliminate(n, J, R)) return -1;
    for (int at = 0; at < n; at++) {
        e->panel.force[at] -= R[at];
        change = fmax(change, fabs(R[at]) / (e->state.f_scale[at % m] + fabs(e->panel.force[at])));
    }
    return change;
}

// All contacts are stuck: linear, and the matrix is one of the coefficients.
INLINE bool solve_stuck(memory *e, const coefficients *t, int s, int m) {
    int n = s * m;
    for (int j = 0; j < m; j++)
        if (e->state.contact[j] != JD_CONTACT_STUCK) return false;
    for (int i = 0; i < n; i++) {
        int j = i % m;
        e->scratch.right_side[i] =
            e->plan->belt[j] - frame_of(e, j) - e->panel.known[i / m * e->plan->rows + j];
    }
    for (int i = 0; i < n; i++)
        e->panel.force[i] = dot(n, t->inverse + i * n, e->scratch.right_side);
    return true;
}

INLINE bool solve_forces(memory *e, const coefficients *t, int s, int m) {
    double change = m ? 1 : 0;
    if (t->inverse && solve_stuck(e, t, s, m)) return true;
    for (int i = 0; i < s; i++)
        memcpy(e->panel.force + i * m, e->state.force, (size_t)m * sizeof *e->panel.force);
    for (int it = 0; it < 25 && change > e->plan->accuracy.enough; it++) {
        change = newton_step(e, t, s, m);
        if (change < 0 || isnan(change)) return false;
    }
    return change <=
           e->plan->accuracy.enough; // converges quadratically: the last step is far below
}

INLINE bool solve_by(memory *e, const coefficients *t, int s, int m) {
    if (!solve_forces(e, t, s, m)) return false;
    for (int i = 0, at = 0; i <= s; i++)
        for (int r = 0; r < e->plan->rows; r++, at++) {
            double v = e->panel.known[at] + dot(s * m, t->B + at * s * m, e->panel.force);
            e->panel.velocity[at] = r < m ? v + frame_of(e, r) : v;
        }
    return true;
}

static bool solve(memory *e, const coefficients *t) {
    bool usual = e->plan->m == 1 && e->plan->nodes.s == USUAL;
    set_known(e, t);
    e->panel.evaluations++;
    e->panel.coefficients = t;
    e->panel.h = t->h;
    solution found = e->plan->usual ? jd_usual_solve(e, t) : ASK_GENERAL;
    if (found != ASK_GENERAL) return found == SOLVED;
    return usual ? solve_by(e, t, USUAL, 1) : solve_by(e, t, e->plan->nodes.s, e->plan->m);
}

INLINE double error_by(const memory *e, int s, int m) {
    const nodes *n = &e->plan->nodes;
    bool trims = e->panel.trim; // else the motion's derivative is wanted
    double to_v = (trims ? e->plan->accuracy.v_share : 1) * e->plan->tolerance;
    double to_F = (trims ? e->plan->accuracy.F_share : 1) * e->plan->tolerance, worst = 0;
    for (int j = 0; j < m; j++) {
        double v = e->panel.velocity[s * e->plan->rows + j], force = -e->state.force[j];
        double first = jd_contact_at_rest(e->state.contact[j]) && !e->plan->jumps
                           ? e->plan->belt[j]
                           : e->panel.first_velocity[j]; // as `known` is
        double off = v - n->check[0] * first;
        for (int k = 0; k < s; k++) {
            off -= n->check[k + 1] * e->panel.velocity[k * e->plan->rows + j];
            force += n->begin[k] * e->panel.force[k * m + j];
        }
        double size = e->state.f_scale[j] + fabs(e->state.force[j]);
        double by_v = fabs(off) / (to_v * e->state.v_scale[j]);
        double by_F = fabs(force) / (to_F * size);
        if (!(worst >= by_v)) worst = by_v;
        if (!(worst >= by_F)) worst = by_F;
    }
    return worst;
}

static double error_of(const memory *e) {
    bool usual = e->plan->m == 1 && e->plan->nodes.s == USUAL;
    return usual ? error_by(e, USUAL, 1) : error_by(e, e->plan->nodes.s, e->plan->m);
}

// Shortens the panel until it ends where the guard is 0. False: it never gets there.
static bool shorten(memory *e, crossing c) {
    int sign = jd_contact_sign(e->state.contact[c.contact]);
    double whole = e->panel.h, lo = 0, hi = whole, x = c.theta * whole,
           tiny = 4e-16 * (fabs(e->state.t) + e->panel.h);
    bool below = jd_guards_end(e, c) < 0, reached = false;
    double scale = jd_guards_scale(e, c);
    if (e->panel.trim && e->plan->law[c.contact].edge == 0 &&
        jd_trim_at(e, c.contact, sign, c.theta))
        return true;
    for (int it = 0; it < 100; it++) {
        if (x < e->plan->smallest_step) { // at once
            e->panel.h = 0;
            return true;
        }
        jd_coefficients_set(e->plan, &e->cache, &e->cache.single, x);
        if (!solve(e, &e->cache.single)) return false;
        double g = jd_guards_end(e, c), rate = jd_guards_rate(e, c);
        if (g < 0)
            hi = x, below = true;
        else
            lo = x;
        reached = fabs(g) <= 2e-16 * scale;
        double next = rate < 0 ? x - g / rate : 2 * hi;
        if (!below && next > hi) return false;
        if (!(next > lo && next < hi)) next = reached ? x : (lo + hi) / 2;
        if (reached || fabs(next - x) <= tiny || hi - lo <= tiny) return true;
        x = next;
    }
    return true;
}

// Where the panel has to end at the latest: the next break.
static jd_status choose_table(memory *e, double wanted, const coefficients **out, bool *at_break) {
    double room = e->panel.t_break - e->state.t;
    *at_break = wanted >= room;
    if (!*at_break) return jd_coefficients_at_most(e->plan, &e->cache, wanted, out);
    jd_coefficients_set(e->plan, &e->cache, &e->cache.single, room);
    *out = &e->cache.single;
    return JD_OK;
}

// Length of a panel whose error would be nearly as large as allowed.
static double could_be(const memory *e, double h, double error) {
    int s = e->plan->nodes.s;
    return h * 0.85 / (s == USUAL ? sqrt(sqrt(error)) : pow(error, 1.0 / s));
}

static double next_step(const memory *e, double h, double error) {
    return fmin(h * (e->panel.trim ? 2.5 : 4), fmax(0.1 * h, could_be(e, h, error)));
}

// What foresight.c keeps of it. Errors are not followed below 1e-3; a break, not the error, may
// have ended the panel.
static double foreseen(const memory *e, double h, double error, double cut_from) {
    return fmax(could_be(e, h, fmax(error, 1e-3)), cut_from);
}

static jd_status unsolved(const memory *e, double h) {
    jd_fail(e->run->context, JD_NO_CONVERGENCE,
            "the contact forces after t = %.10g were not found, not even over a panel of %.3g",
            e->state.t, h);
    jd_fail_hint(e->run->context,
                 "a friction law that falls steeply may have no force, or several, for a speed");
    return JD_NO_CONVERGENCE;
}

// Solves panels until one is good enough; its error says how long the next may be: no longer than
// this one where longer ones were tried in vain.
static jd_status solve_panel(memory *e, bool *at_break) {
    long rejected = e->state.rejected;
    double wanted = fmin(jd_foresight_step(e, e->state.step), e->plan->largest_step);
    jd_rough_begin(e);
    for (;;) {
        const coefficients *t;
        JD_TRY(choose_table(e, wanted, &t, at_break));
        bool solved = solve(e, t);
        double error = solved ? error_of(e) : unsolved_error, next = next_step(e, t->h, error);
        if (error <= 1 || t->h <= 4 * e->plan->smallest_step) {
            bool shorter = e->panel.trim && e->state.rejected > rejected;
            e->panel.next_step = shorter ? fmin(next, t->h) : next;
            e->panel.could_be = foreseen(e, t->h, error, *at_break ? wanted : 0);
            return solved ? JD_OK : unsolved(e, t->h);
        }
        e->state.rejected++;
        wanted = fmax(fmin(next, 0.84 * t->h), 2 * e->plan->smallest_step);
    }
}

jd_status jd_panel_next(memory *e) {
    bool at_break;
    JD_TRY(solve_panel(e, &at_break));
    e->panel.ends_at = -1;
    e->panel.t_end = at_break ? e->panel.t_break : e->state.t + e->panel.h;
    for (int round = 0; round < 2 * e->plan->m + 2; round++) {
        crossing c = jd_guards_first(e);
        if (c.theta > 1) break;
        if (e->panel.ends_at == c.contact && (!e->panel.coefficients || c.theta > 1 - 1e-6)) break;
        bool found = shorten(e, c);
        e->panel.ends_at = found ? c.contact : -1;
        e->panel.t_end = e->state.t + e->panel.h;
        if (e->panel.h == 0) break;
        if (found && e->plan->m == 1 && !e->panel.coefficients) break; // cut where its guard is 0
    }
    e->panel.solved = true;
    return e->plan->echo && e->panel.h > 0 ? jd_echoes_solved(e) : JD_OK;
}

jd_status jd_panel_accept(memory *e) {
    memory_state *state = &e->state;
    const memory_panel *panel = &e->panel;
    int m = e->plan->m;
    JD_TRY(jd_observers_panel(e));
    if (panel->h > 0) {
        jd_foresight_note(e);
        if (e->plan->echo) JD_TRY(jd_echoes_accept(e, panel->ends_at >= 0));
        if (panel->coefficients)
            jd_poles_advance(e);
        else
            jd_trim_accept(e);
        if (e->plan->echo && e->plan->echo->filter) jd_displacement_read(e, panel->t_end);
        memcpy(state->force, panel->force + (e->plan->nodes.s - 1) * m,
               (size_t)m * sizeof *state->force);
        memset(state->fresh, 0, (size_t)m * sizeof *state->fresh);
        for (int j = 0; j < m; j++) state->side[j].left = 0;
        state->panels++;
        state->storm = 0;
    } else {
        if (e->plan->echo) JD_TRY(jd_delay_kink(state->echo->line, state->t, 0, m));
        state->storm++;
    }
    state->t = panel->t_end;
    state->step = panel->next_step;
    state->evaluations += panel->evaluations;
    e->panel.evaluations = 0;
    e->panel.solved = false;
    return JD_OK;
}

void jd_panel_drop(memory *e) {
    if (e->panel.solved && e->panel.h > 0 && e->state.echo)
        e->state.echo->pending = false; // its kink is known
    e->state.evaluations += e->panel.evaluations;
    e->panel.evaluations = 0;
    e->panel.solved = false;
}

// Displacement, velocity and force of every contact at t in the present panel.
void jd_panel_observe(memory *e, double t, double *u, double *v, double *force) {
    const poles *c = &e->plan->poles;
    double x = e->panel.h > 0 ? fmin(fmax(t - e->state.t, 0), e->panel.h) : 0, p[STAGES + 1];
    jd_poles_inside(e, x);
    jd_weigh_rows(e->plan->m, c->n, c->out_re, c->out_im, e->scratch.z_re, e->scratch.z_im, v);
    jd_weigh_rows(e->plan->m, c->n, c->place_re, c->place_im, e->scratch.z_re, e->scratch.z_im, u);
    for (int j = 0; j < e->plan->m; j++) {
        jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, e->plan->m, p);
        force[j] =
            x > 0 ? jd_polynomial(e->plan->nodes.s - 1, p, x / e->panel.h) : e->state.force[j];
        jd_drives_motion(e, e->plan->drive, j, e->state.t + x, &u[j], &v[j], NULL);
    }
    for (int i = 0; i < e->plan->m; i++)
        for (int j = 0; j < e->plan->m; j++) v[i] += c->gamma[i * e->plan->m + j] * force[j];
    if (e->plan->echo) jd_echoes_observe(e, x, u, v);
    for (int j = 0; j < e->plan->m; j++) {
        v[j] = jd_contact_at_rest(e->state.contact[j]) ? 0 : v[j] - e->plan->belt[j];
        if (e->plan->stop[j].is) u[j] -= e->plan->belt[j] * (e->state.t + x);
    }
}

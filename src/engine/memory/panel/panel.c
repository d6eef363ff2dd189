// panel.c -- one panel: forces at the nodes by Newton's method, its error, its first switch.
//   error: the velocity at a point that is no node against the polynomial through the nodes, and
//   the force polynomial at the panel's beginning against the force the panel before ended with.
//   switches: |F| <= hold and sign v > 0 are bounded by Bernstein coefficients over the panel;
//   where one is crossed the panel is shortened until it ends there (Newton's method, bisection
//   behind it).
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

enum { USUAL = 4 }; // nodes of a panel, and one contact

static const double force_share = 1; // tolerance of forces over that of velocities

void jd_panel_begin(memory *e) {
    jd_hold_forces(e);
    jd_state_velocities(e, e->v0);
    for (int i = 0; i < e->m; i++) {
        for (int j = 0; j < e->m; j++) e->v0[i] += e->ch.gamma[i * e->m + j] * e->F0[j];
        e->v_scale[i] = fmax(e->v_scale[i], fabs(e->v0[i] - e->belt[i]));
        if (e->stop[i].is) e->f_scale[i] = fmax(e->f_scale[i], e->v_scale[i] / e->mobility[i]);
    }
    if (e->n_stop) jd_stops_begin(e);
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
    return is_fixed(e->marks[j]) && !e->jumps ? e->belt[j] : 0;
}

static void set_known(memory *e, const coefficients *t) {
    const poles *c = &e->ch;
    int places = e->nodes.s + 1, rows = e->rows;
    jd_weigh_rows(places * rows, c->n, t->w_re, t->w_im, c->z_re, c->z_im, e->known);
    if (e->echo) jd_echoes_add(e, t->h);
    for (int i = 0; i < places; i++)
        for (int r = 0; r < rows; r++) {
            double x = e->nodes.c[i] * t->h, *known = &e->known[i * rows + r];
            if (r < e->m && !e->jumps)
                *known += (is_fixed(e->marks[r]) ? 0 : e->v0[r]) + jd_drives_rise(e, r, e->t0, x);
            else
                jd_drives_motion(e, e->drive, r, e->t0 + x, NULL, known, NULL);
        }
}

// One step of Newton's method; the largest change of a force over its size, or -1.
INLINE double newton_step(memory *e, const coefficients *t, int s, int m) {
    int n = s * m;
    double *J = e->jacobian, *R = e->residual, change = 0;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < m; j++) {
            const double *B = t->B + (i * e->rows + j) * n;
            int at = i * m + j, sign = slide_sign(e->marks[j]);
            double v = e->known[i * e->rows + j] + dot(n, B, e->F), rate;
            v -= e->belt[j] - frame_of(e, j);
            double *row = J + at * n;
            if (e->marks[j] == OPEN) {
                memset(row, 0, (size_t)n * sizeof *row);
                row[at] = 1;
                R[at] = e->F[at];
                continue;
            }
            if (sign == 0) {
                memcpy(row, B, (size_t)n * sizeof *row);
                R[at] = v;
                continue;
            }
            R[at] = e->F[at] + sign * jd_friction_at(&e->law[j], sign * v, &rate);
            for (int k = 0; k < n; k++) row[k] = rate * B[k];
            row[at] += 1;
        }
    if (!eliminate(n, J, R)) return -1;
    for (int at = 0; at < n; at++) {
        e->F[at] -= R[at];
        change = fmax(change, fabs(R[at]) / (e->f_scale[at % m] + fabs(e->F[at])));
    }
    return change;
}

// All contacts are stuck: linear, and the matrix is one of the coefficients.
INLINE bool solve_stuck(memory *e, const coefficients *t, int s, int m) {
    int n = s * m;
    for (int j = 0; j < m; j++)
        if (e->marks[j] != STUCK) return false;
    for (int i = 0; i < n; i++) {
        int j = i % m;
        e->residual[i] = e->belt[j] - frame_of(e, j) - e->known[i / m * e->rows + j];
    }
    for (int i = 0; i < n; i++) e->F[i] = dot(n, t->inverse + i * n, e->residual);
    return true;
}

INLINE bool solve_forces(memory *e, const coefficients *t, int s, int m) {
    double change = m ? 1 : 0;
    if (t->inverse && solve_stuck(e, t, s, m)) return true;
    for (int i = 0; i < s; i++) memcpy(e->F + i * m, e->F0, (size_t)m * sizeof *e->F);
    for (int it = 0; it < 25 && change > e->enough; it++) {
        change = newton_step(e, t, s, m);
        if (change < 0 || isnan(change)) return false;
    }
    return change <= e->enough; // converges quadratically: the last step is far below
}

INLINE bool solve_by(memory *e, const coefficients *t, int s, int m) {
    if (!solve_forces(e, t, s, m)) return false;
    for (int r = 0; r < (s + 1) * e->rows; r++) {
        int j = r % e->rows;
        e->v[r] = e->known[r] + dot(s * m, t->B + r * s * m, e->F);
        if (j < m) e->v[r] += frame_of(e, j);
    }
    e->tab = t;
    e->h = t->h;
    return true;
}

static bool solve(memory *e, const coefficients *t) {
    set_known(e, t);
    e->evaluations++;
    bool usual = e->m == 1 && e->nodes.s == USUAL;
    return usual ? solve_by(e, t, USUAL, 1) : solve_by(e, t, e->nodes.s, e->m);
}

static double error_of(const memory *e) {
    const nodes *n = &e->nodes;
    double worst = 0;
    for (int j = 0; j < e->m; j++) {
        double v = e->v[n->s * e->rows + j], force = -e->F0[j];
        double first = is_fixed(e->marks[j]) && !e->jumps ? e->belt[j] : e->v0[j]; // as `known` is
        double off = v - n->check[0] * first;
        for (int k = 0; k < n->s; k++) {
            off -= n->check[k + 1] * e->v[k * e->rows + j];
            force += n->begin[k] * e->F[k * e->m + j];
        }
        double size = e->f_scale[j] + fabs(e->F0[j]);
        worst = fmax(worst, fabs(off) / (e->tolerance * e->v_scale[j]));
        worst = fmax(worst, fabs(force) / (force_share * e->tolerance * size));
    }
    return worst;
}

// Displacement to a stop on `side`, less the contact's: through the panel, and its degree. A
// contact that left that side at the beginning has a zero there, which is divided out.
static int gap_guard(const memory *e, int j, int side, double *p) {
    const stop *c = &e->stop[j];
    int s = e->nodes.s;
    double v[STAGES + 1];
    jd_nodes_wide(&e->nodes, e->v0[j], e->v + j, e->rows, v);
    v[0] -= e->belt[j];
    for (int r = 0; r <= s; r++) p[r + 1] = -side * e->h * v[r] / (r + 1);
    p[0] = c->gap + c->slack - side * e->place0[j];
    if (c->left != side) return s + 1;
    memmove(p, p + 1, (size_t)(s + 1) * sizeof *p);
    return s;
}

// Velocity without the contact's own force, less what it is where the sliding branch ends: there
// the speed itself moves like a square root, this does not.
static double above_edge(const memory *e, int j, int sign, double v, double F) {
    const jd_friction *l = &e->law[j];
    double gamma = e->ch.gamma[j * e->m + j];
    return sign * (v - gamma * F - e->belt[j]) - l->edge - gamma * l->edge_force;
}

static int branch_guard(const memory *e, int j, int sign, double *p) {
    double at[STAGES];
    int s = e->nodes.s;
    for (int k = 0; k < s; k++)
        at[k] = above_edge(e, j, sign, e->v[k * e->rows + j], e->F[k * e->m + j]);
    jd_nodes_wide(&e->nodes, above_edge(e, j, sign, e->v0[j], e->F0[j]), at, 1, p);
    return s;
}

// The guard of a contact as a polynomial that is positive inside; `side` where there are two.
// Returns its degree.
static int guard(const memory *e, int j, int side, double *p) {
    int s = e->nodes.s, sign = slide_sign(e->marks[j]);
    if (e->marks[j] == OPEN) return gap_guard(e, j, side, p);
    if (sign != 0 && e->law[j].edge > 0) return branch_guard(e, j, sign, p);
    if (sign != 0) {
        jd_nodes_wide(&e->nodes, e->v0[j], e->v + j, e->rows, p);
        p[0] -= e->belt[j];
        for (int r = 0; r <= s; r++) p[r] *= sign;
        return s;
    }
    jd_nodes_narrow(&e->nodes, e->F + j, e->m, p);
    if (e->marks[j] != STUCK) side = e->marks[j] == UPPER ? 1 : -1; // pushes, never pulls
    for (int r = 0; r < s; r++) p[r] *= -side;
    if (e->marks[j] == STUCK) p[0] += e->law[j].hold;
    return s - 1;
}

static double end_gap(memory *e, int j, int side) {
    int last = e->nodes.s - 1, sign = slide_sign(e->marks[j]);
    double F = e->F[last * e->m + j];
    if (e->marks[j] == OPEN && e->stop[j].left == side) return -side * jd_stops_rise(e, j);
    if (e->marks[j] == OPEN) return e->stop[j].gap + e->stop[j].slack - side * jd_stops_end(e, j);
    if (sign != 0 && e->law[j].edge > 0) return above_edge(e, j, sign, e->v[last * e->rows + j], F);
    if (sign != 0) return sign * (e->v[last * e->rows + j] - e->belt[j]);
    if (e->marks[j] != STUCK) return e->marks[j] == UPPER ? -F : F;
    return e->law[j].hold - side * F;
}

static double gap_scale(const memory *e, int j, int side) {
    if (e->marks[j] == OPEN && e->stop[j].left == side) return e->h * fabs(e->v0[j] - e->belt[j]);
    if (e->marks[j] == OPEN)
        return fabs(e->stop[j].gap) + fabs(e->place0[j]) + e->h * e->v_scale[j];
    return is_fixed(e->marks[j]) ? e->f_scale[j] : e->v_scale[j];
}

static bool has_sides(const memory *e, int j) {
    return e->marks[j] == STUCK || (e->marks[j] == OPEN && e->stop[j].both);
}

typedef struct crossing {
    int contact, side;
    double theta; // of the panel; 2: none
} crossing;

// The guards of a contact are positive all over the panel.
static bool is_clear(const memory *e, int j) {
    if (e->stop[j].is || e->law[j].edge > 0) return false; // looked at in full
    double margin = 1e-14 * gap_scale(e, j, 0), sign = slide_sign(e->marks[j]);
    if (sign != 0)
        return jd_nodes_least_wide(&e->nodes, sign, e->v0[j], e->v + j, e->rows) >=
               sign * e->belt[j] - margin;
    double hold = e->law[j].hold;
    return jd_nodes_least(&e->nodes, 1, e->F + j, e->m) >= -hold - margin &&
           jd_nodes_least(&e->nodes, -1, e->F + j, e->m) >= -hold - margin;
}

static crossing first_crossing(const memory *e) {
    crossing found = {-1, 0, 2};
    double p[STAGES + 1];
    for (int j = 0; j < e->m; j++) {
        if (is_clear(e, j)) continue;
        for (int side = 1; side >= -1; side -= 2) {
            if (side < 0 && !has_sides(e, j)) continue;
            int d = guard(e, j, side, p);
            double scale = gap_scale(e, j, side), from = 0;
            if (e->fresh[j] && p[0] < 1e-3 * scale && e->stop[j].left != side) from = e->nodes.c[0];
            double theta = jd_nodes_first_below(d, p, from, 1e-14 * scale);
            if (theta < found.theta) found = (crossing){j, side, theta};
        }
    }
    return found;
}

static double gap_rate(const memory *e, crossing c) {
    double p[STAGES + 1], sum = 0;
    if (e->marks[c.contact] == OPEN) {
        double v = e->v[(e->nodes.s - 1) * e->rows + c.contact] - e->belt[c.contact];
        return -c.side * v;
    }
    int d = guard(e, c.contact, c.side, p);
    for (int r = 1; r <= d; r++) sum += r * p[r];
    return sum / e->h;
}

// Shortens the panel until it ends where the guard is 0. False: it never gets there.
static bool shorten(memory *e, crossing c) {
    int sign = slide_sign(e->marks[c.contact]);
    double whole = e->h, lo = 0, hi = whole, x = c.theta * whole,
           tiny = 4e-16 * (fabs(e->t0) + e->h);
    bool below = end_gap(e, c.contact, c.side) < 0, reached = false;
    double scale = gap_scale(e, c.contact, c.side);
    if (e->trim && e->law[c.contact].edge == 0 && jd_trim_at(e, c.contact, sign, c.theta))
        return true;
    for (int it = 0; it < 100; it++) {
        if (x < e->smallest_step) { // at once
            e->h = 0;
            return true;
        }
        jd_coefficients_set(e, &e->odd, x);
        if (!solve(e, &e->odd)) return false;
        double g = end_gap(e, c.contact, c.side), rate = gap_rate(e, c);
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
    double room = e->t_break - e->t0;
    *at_break = wanted >= room;
    if (!*at_break) return jd_coefficients_at_most(e, wanted, out);
    jd_coefficients_set(e, &e->odd, room);
    *out = &e->odd;
    return JD_OK;
}

static double next_step(const memory *e, double h, double error) {
    double factor = error > 0 ? 0.85 * pow(error, -1.0 / e->nodes.s) : 4;
    return h * fmin(e->trim ? 2.5 : 4, fmax(0.1, factor));
}

static jd_status unsolved(const memory *e, double h) {
    jd_fail(e->run->context, JD_NO_CONVERGENCE,
            "the contact forces after t = %.10g were not found, not even over a panel of %.3g",
            e->t0, h);
    jd_fail_hint(e->run->context,
                 "a friction law that falls steeply may have no force, or several, for a speed");
    return JD_NO_CONVERGENCE;
}

// Panels that are solved well enough; e->step is what the next one would like.
static jd_status solve_panel(memory *e, bool *at_break) {
    double wanted = fmin(e->step, e->largest_step);
    for (;;) {
        const coefficients *t;
        JD_TRY(choose_table(e, wanted, &t, at_break));
        bool solved = solve(e, t);
        double error = solved ? error_of(e) : 1e9, next = next_step(e, t->h, error);
        if (error <= 1 || t->h <= 4 * e->smallest_step) {
            e->step = next;
            return solved ? JD_OK : unsolved(e, t->h);
        }
        e->rejected++;
        wanted = fmax(fmin(next, 0.84 * t->h), 2 * e->smallest_step);
    }
}

jd_status jd_panel_next(memory *e) {
    bool at_break;
    e->before.step = e->step;
    e->before.evaluations = e->evaluations;
    e->before.pending = e->echo && e->echo->pending;
    JD_TRY(solve_panel(e, &at_break));
    e->ends_at = -1;
    e->t_end = at_break ? e->t_break : e->t0 + e->h;
    for (int round = 0; round < 2 * e->m + 2; round++) {
        crossing c = first_crossing(e);
        if (c.theta > 1) break;
        if (e->ends_at == c.contact && (!e->tab || c.theta > 1 - 1e-6)) break;
        bool found = shorten(e, c);
        e->ends_at = found ? c.contact : -1;
        e->t_end = e->t0 + e->h;
        if (e->h == 0) break;
    }
    e->solved = true;
    return e->echo && e->h > 0 ? jd_echoes_solved(e) : JD_OK;
}

jd_status jd_panel_accept(memory *e) {
    jd_tangent_panel(e);
    JD_TRY(jd_replay_panel(e));
    if (e->h > 0) {
        jd_memory_ledger_panel(e, 1, e->sums, e->tracking ? e->range : NULL);
        JD_TRY(jd_damping_accept(e));
        if (e->echo) JD_TRY(jd_echoes_accept(e, e->ends_at >= 0));
        if (e->tab)
            jd_poles_end(e, e->tab, e->F);
        else
            jd_trim_accept(e);
        memcpy(e->F0, e->F + (e->nodes.s - 1) * e->m, (size_t)e->m * sizeof *e->F0);
        memset(e->fresh, 0, (size_t)e->m * sizeof *e->fresh);
        for (int j = 0; j < e->m; j++) e->stop[j].left = 0;
        e->panels++;
        e->storm = 0;
    } else {
        e->storm++;
    }
    e->t0 = e->t_end;
    e->solved = false;
    return JD_OK;
}

// Displacement, velocity and force of every contact at t in the present panel.
void jd_panel_observe(memory *e, double t, double *u, double *v, double *force) {
    const poles *c = &e->ch;
    double x = e->h > 0 ? fmin(fmax(t - e->t0, 0), e->h) : 0, p[STAGES + 1];
    jd_poles_inside(e, x);
    jd_weigh_rows(e->m, c->n, c->out_re, c->out_im, e->work_re, e->work_im, v);
    jd_weigh_rows(e->m, c->n, c->place_re, c->place_im, e->work_re, e->work_im, u);
    for (int j = 0; j < e->m; j++) {
        jd_nodes_narrow(&e->nodes, e->F + j, e->m, p);
        force[j] = x > 0 ? jd_polynomial(e->nodes.s - 1, p, x / e->h) : e->F0[j];
        jd_drives_motion(e, e->drive, j, e->t0 + x, &u[j], &v[j], NULL);
    }
    for (int i = 0; i < e->m; i++)
        for (int j = 0; j < e->m; j++) v[i] += c->gamma[i * e->m + j] * force[j];
    if (e->echo) jd_echoes_observe(e, x, u, v);
    for (int j = 0; j < e->m; j++) {
        v[j] = is_fixed(e->marks[j]) ? 0 : v[j] - e->belt[j];
        if (e->stop[j].is) u[j] -= e->belt[j] * (e->t0 + x);
    }
}

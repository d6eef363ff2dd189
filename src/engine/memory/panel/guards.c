// guards.c -- guards of the contacts over a panel: where the first event lies.
//   stuck: hold - |F|;  sliding: sign v;  open: gap - u;  closed: the force that pushes. A guard is
//   positive inside a phase; it is a polynomial over the panel, bounded by its Bernstein
//   coefficients.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

// Displacement to a stop on `side`, less the contact's: through the panel, and its degree. A
// contact that left that side at the beginning has a zero there, which is divided out.
static int gap_guard(const memory *e, int j, int side, double *p) {
    const stop *c = &e->plan->stop[j];
    int s = e->plan->nodes.s;
    double v[STAGES + 1];
    jd_nodes_wide(&e->plan->nodes, e->panel.first_velocity[j], e->panel.velocity + j, e->plan->rows,
                  v);
    v[0] -= e->plan->belt[j];
    for (int r = 0; r <= s; r++) p[r + 1] = -side * e->panel.h * v[r] / (r + 1);
    p[0] = c->gap + e->panel.slack[j] - side * e->panel.first_displacement[j];
    if (e->state.side[j].left != side) return s + 1;
    memmove(p, p + 1, (size_t)(s + 1) * sizeof *p);
    return s;
}

// Velocity without the contact's own force, less what it is where the sliding branch ends: there
// the speed itself moves like a square root, this does not.
static double above_edge(const memory_plan *plan, int j, int sign, double v, double F) {
    const jd_friction *l = &plan->law[j];
    double gamma = plan->poles.gamma[j * plan->m + j];
    return sign * (v - gamma * F - plan->belt[j]) - l->edge - gamma * l->edge_force;
}

static int branch_guard(const memory *e, int j, int sign, double *p) {
    double at[STAGES];
    int s = e->plan->nodes.s;
    for (int k = 0; k < s; k++)
        at[k] = above_edge(e->plan, j, sign, e->panel.velocity[k * e->plan->rows + j],
                           e->panel.force[k * e->plan->m + j]);
    jd_nodes_wide(&e->plan->nodes,
                  above_edge(e->plan, j, sign, e->panel.first_velocity[j], e->state.force[j]), at,
                  1, p);
    return s;
}

// The guard of a contact as a polynomial that is positive inside; `side` where there are two.
// Returns its degree.
static int guard(const memory *e, int j, int side, double *p) {
    int s = e->plan->nodes.s, sign = jd_contact_sign(e->state.contact[j]);
    if (e->state.contact[j] == JD_CONTACT_OPEN) return gap_guard(e, j, side, p);
    if (sign != 0 && e->plan->law[j].edge > 0) return branch_guard(e, j, sign, p);
    if (sign != 0) {
        jd_nodes_wide(&e->plan->nodes, e->panel.first_velocity[j], e->panel.velocity + j,
                      e->plan->rows, p);
        p[0] -= e->plan->belt[j];
        for (int r = 0; r <= s; r++) p[r] *= sign;
        return s;
    }
    jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, e->plan->m, p);
    if (e->state.contact[j] != JD_CONTACT_STUCK)
        side = e->state.contact[j] == JD_CONTACT_CLOSED_ABOVE ? 1 : -1; // pushes, never pulls
    for (int r = 0; r < s; r++) p[r] *= -side;
    if (e->state.contact[j] == JD_CONTACT_STUCK) p[0] += e->plan->law[j].hold;
    return s - 1;
}

double jd_guards_end(memory *e, crossing c) {
    int j = c.contact, side = c.side;
    int last = e->plan->nodes.s - 1, sign = jd_contact_sign(e->state.contact[j]);
    double F = e->panel.force[last * e->plan->m + j];
    if (e->state.contact[j] == JD_CONTACT_OPEN && e->state.side[j].left == side)
        return -side * jd_stops_rise(e, j);
    if (e->state.contact[j] == JD_CONTACT_OPEN)
        return e->plan->stop[j].gap + e->panel.slack[j] - side * jd_stops_end(e, j);
    if (sign != 0 && e->plan->law[j].edge > 0)
        return above_edge(e->plan, j, sign, e->panel.velocity[last * e->plan->rows + j], F);
    if (sign != 0) return sign * (e->panel.velocity[last * e->plan->rows + j] - e->plan->belt[j]);
    if (e->state.contact[j] != JD_CONTACT_STUCK)
        return e->state.contact[j] == JD_CONTACT_CLOSED_ABOVE ? -F : F;
    return e->plan->law[j].hold - side * F;
}

double jd_guards_scale(const memory *e, crossing c) {
    int j = c.contact, side = c.side;
    if (e->state.contact[j] == JD_CONTACT_OPEN && e->state.side[j].left == side)
        return e->panel.h * fabs(e->panel.first_velocity[j] - e->plan->belt[j]);
    if (e->state.contact[j] == JD_CONTACT_OPEN)
        return fabs(e->plan->stop[j].gap) + fabs(e->panel.first_displacement[j]) +
               e->panel.h * e->state.v_scale[j];
    return jd_contact_at_rest(e->state.contact[j]) ? e->state.f_scale[j] : e->state.v_scale[j];
}

static bool has_sides(const memory *e, int j) {
    return e->state.contact[j] == JD_CONTACT_STUCK ||
           (e->state.contact[j] == JD_CONTACT_OPEN && e->plan->stop[j].both);
}

// The guards of a contact are positive all over the panel.
static bool is_clear(const memory *e, int j) {
    if (e->plan->stop[j].is || e->plan->law[j].edge > 0) return false; // looked at in full
    double margin = 1e-14 * jd_guards_scale(e, (crossing){j, 0, 2}),
           sign = jd_contact_sign(e->state.contact[j]);
    if (sign != 0)
        return jd_nodes_least_wide(&e->plan->nodes, sign, e->panel.first_velocity[j],
                                   e->panel.velocity + j,
                                   e->plan->rows) >= sign * e->plan->belt[j] - margin;
    double most = e->plan->law[j].hold + margin, low, high;
    jd_nodes_range(&e->plan->nodes, e->panel.force + j, e->plan->m, &low, &high);
    return low >= -most && high <= most;
}

// How far below 0 a guard has to be: rounding; of a closed stop also what the panels' error pulls.
static double margin_of(const memory *e, int j, double scale) {
    bool closed = e->plan->stop[j].is && e->state.contact[j] != JD_CONTACT_OPEN;
    return fmax(1e-14 * scale, closed ? jd_stops_quiet(e, j) : 0);
}

crossing jd_guards_first(const memory *e) {
    crossing found = {-1, 0, 2};
    double p[STAGES + 1];
    for (int j = 0; j < e->plan->m; j++) {
        if (is_clear(e, j)) continue;
        for (int side = 1; side >= -1; side -= 2) {
            if (side < 0 && !has_sides(e, j)) continue;
            int d = guard(e, j, side, p);
            double scale = jd_guards_scale(e, (crossing){j, side, 2}), from = 0;
            if (e->state.fresh[j] && p[0] < 1e-3 * scale && e->state.side[j].left != side)
                from = e->plan->nodes.c[0];
            double theta = jd_nodes_first_below(d, p, from, margin_of(e, j, scale));
            if (theta < found.theta) found = (crossing){j, side, theta};
        }
    }
    return found;
}

double jd_guards_rate(const memory *e, crossing c) {
    double p[STAGES + 1], sum = 0;
    if (e->state.contact[c.contact] == JD_CONTACT_OPEN) {
        double v = e->panel.velocity[(e->plan->nodes.s - 1) * e->plan->rows + c.contact] -
                   e->plan->belt[c.contact];
        return -c.side * v;
    }
    int d = guard(e, c.contact, c.side, p);
    for (int r = 1; r <= d; r++) sum += r * p[r];
    return sum / e->panel.h;
}

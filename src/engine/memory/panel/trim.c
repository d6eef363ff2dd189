// trim.c -- a panel cut off at an event inside it: its polynomials stay, only its end moves.
//   F(theta) is the polynomial of the whole panel; where the guard of a stuck contact is 0 follows
//   from it alone. The velocity of one that slides is taken from the pole states, which integrate
//   that polynomial exactly: x is a zero of sign (y'(x) - belt), by the secant method from the zero
//   of the velocity's polynomial. One evaluation of the poles in place of a panel solved anew. Good
//   to the panel's own error: taken for coarse tolerances, and where no stop is among the contacts.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "engine/memory/memory.h"

static const double coarse = 1e-5; // from this tolerance on panels are trimmed
static const double share = 0.05;  // of a panel's error: speed that may be left at the cut

jd_status jd_trim_create(memory *e) {
    bool stops = false;
    for (int j = 0; j < e->plan->m; j++) {
        const jd_contact_def *d = jd_problem_contact(e->run->problem, j)->def;
        stops = stops || jd_law_stop_of(&d->law);
    }
    // where the memory starts as a root, the speed left at the cut would be a spike of force
    bool rough = !e->plan->poles.exact && !e->plan->jumps;
    if (e->plan->tolerance < coarse || stops || rough) return JD_OK;
    trim *c = e->panel.trim = JD_TAKE(e->arena, trim, 1);
    JD_TRY(jd_arena_status(e->arena));
    c->force = JD_TAKE(e->arena, double, e->plan->m *(e->plan->nodes.s + 1));
    c->velocity = JD_TAKE(e->arena, double, e->plan->rows *(e->plan->nodes.s + 1));
    c->end_u = JD_TAKE(e->arena, double, e->plan->m);
    c->end_v = JD_TAKE(e->arena, double, e->plan->m);
    c->end_F = JD_TAKE(e->arena, double, e->plan->m);
    c->z_re = JD_TAKE(e->arena, double, e->plan->poles.n);
    c->z_im = JD_TAKE(e->arena, double, e->plan->poles.n);
    return jd_arena_status(e->arena);
}

// Polynomials of the panel as it was solved. Rows beyond the contacts have no value at t0.
static void keep(memory *e) {
    trim *c = e->panel.trim;
    int s = e->plan->nodes.s;
    c->h = e->panel.h;
    for (int j = 0; j < e->plan->m; j++)
        jd_nodes_narrow(&e->plan->nodes, e->panel.force + j, e->plan->m, c->force + j * (s + 1));
    for (int r = 0; r < e->plan->rows; r++) {
        double *p = c->velocity + r * (s + 1);
        p[s] = 0;
        if (r < e->plan->m)
            jd_nodes_wide(&e->plan->nodes, e->panel.first_velocity[r], e->panel.velocity + r,
                          e->plan->rows, p);
        else
            jd_nodes_narrow(&e->plan->nodes, e->panel.velocity + r, e->plan->rows, p);
    }
}

// The panel's values as if it had ended at x; velocities of the contacts there exactly.
static void cut(memory *e, double x) {
    const trim *c = e->panel.trim;
    const nodes *n = &e->plan->nodes;
    int s = n->s, last = s - 1;
    for (int i = 0; i <= s; i++) {
        double theta = n->c[i] * x / c->h;
        for (int r = 0; r < e->plan->rows; r++)
            e->panel.velocity[i * e->plan->rows + r] =
                jd_polynomial(s, c->velocity + r * (s + 1), theta);
        for (int j = 0; i < s && j < e->plan->m; j++)
            e->panel.force[i * e->plan->m + j] =
                jd_polynomial(s - 1, c->force + j * (s + 1), theta);
    }
    e->panel.h = x;
    e->panel.coefficients = NULL;
    jd_panel_observe(e, e->state.t + x, c->end_u, c->end_v, c->end_F);
    for (int j = 0; j < e->plan->m; j++)
        e->panel.velocity[last * e->plan->rows + j] = c->end_v[j] + e->plan->belt[j];
}

// Echoes at the nodes of the shorter panel, and the pole states at its end.
static bool finish(memory *e) {
    size_t size = (size_t)e->plan->poles.n * sizeof *e->scratch.z_re;
    if (e->plan->echo) jd_echoes_add(e, e->panel.h);
    memcpy(e->panel.trim->z_re, e->scratch.z_re, size);
    memcpy(e->panel.trim->z_im, e->scratch.z_im, size);
    return true;
}

void jd_trim_accept(memory *e) {
    size_t size = (size_t)e->plan->poles.n * sizeof *e->state.z_re;
    memcpy(e->state.z_re, e->panel.trim->z_re, size);
    memcpy(e->state.z_im, e->panel.trim->z_im, size);
}

// Slope of the velocity's polynomial at x.
static double slope_at(const memory *e, int contact, double x) {
    const trim *c = e->panel.trim;
    const double *p = c->velocity + contact * (e->plan->nodes.s + 1);
    double rate = 0, at = x / c->h;
    for (int r = e->plan->nodes.s; r >= 1; r--) rate = rate * at + r * p[r];
    return rate / c->h;
}

// omega = theta prod_i (theta - c_i), the polynomial that is 0 where the velocity's is exact.
static double node_polynomial(const nodes *n, double theta, double *rate) {
    double value = theta;
    *rate = 1;
    for (int i = 0; i < n->s; i++) {
        *rate = *rate * (theta - n->c[i]) + value;
        value *= theta - n->c[i];
    }
    return value;
}

// The zero near theta of the velocity's polynomial with one more term, which takes it through the
// check point: v + off omega(theta)/omega(c_s), off: what the polynomial is off there.
static double zero_near(const memory *e, int contact, double theta) {
    const nodes *n = &e->plan->nodes;
    const double *p = e->panel.trim->velocity + contact * (n->s + 1);
    double rate, v = e->panel.velocity[n->s * e->plan->rows + contact], x = theta;
    double off = (v - jd_polynomial(n->s, p, n->c[n->s])) / node_polynomial(n, n->c[n->s], &rate);
    for (int it = 0; it < 3; it++) {
        double value = jd_polynomial(n->s, p, x) - e->plan->belt[contact], slope = 0;
        for (int r = n->s; r >= 1; r--) slope = slope * x + r * p[r];
        value += off * node_polynomial(n, x, &rate);
        slope += off * rate;
        x -= value / slope;
        if (!(fabs(x - theta) < 0.1)) return theta;
    }
    return x;
}

bool jd_trim_at(memory *e, int contact, int sign, double theta) {
    trim *c = e->panel.trim;
    keep(e);
    if (sign != 0 && !e->run->repeats) theta = zero_near(e, contact, theta);
    double x = theta * c->h, low = 0, high = 2 * c->h,
           enough = share * (e->run->repeats ? 1 : e->plan->accuracy.v_share) * e->plan->tolerance;
    double last_x = 0, last_g = 0;
    if (x < e->plan->smallest_step) return false;
    for (int it = 0; it < 20; it++) {
        cut(e, x);
        if (sign == 0) return finish(e); // the force is its polynomial
        double g = sign * c->end_v[contact];
        if (fabs(g) <= enough * e->state.v_scale[contact]) return finish(e);
        double rate = it ? (g - last_g) / (x - last_x) : sign * slope_at(e, contact, x);
        *(g < 0 ? &high : &low) = last_x = x;
        last_g = g;
        double next = rate < 0 ? x - g / rate : HUGE_VAL;
        if (!(next > low && next < high)) return false; // nearly a touch: solve it anew
        x = next;
        if (x > 1.1 * c->h) return false;
    }
    return false;
}

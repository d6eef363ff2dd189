// trim.c -- a panel cut off at an event inside it: its polynomials stay, only its end moves.
//   F(theta) is the polynomial of the whole panel; where the guard of a stuck contact is 0 follows
//   from it alone. The velocity of one that slides is taken from the pole states, which integrate
//   that polynomial exactly: x is a zero of sign (y'(x) - belt), by Newton's method from the zero
//   of the velocity's polynomial. One evaluation of the poles in place of a panel solved anew. Good
//   to the panel's own error: taken for coarse tolerances, and where no stop is among the contacts.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "engine/memory/memory.h"

static const double coarse = 1e-5; // from this tolerance on panels are trimmed

jd_status jd_trim_create(memory *e) {
    bool stops = false;
    for (int j = 0; j < e->m; j++) {
        const jd_contact_def *d = jd_problem_contact(e->run->problem, j)->def;
        stops = stops || jd_law_stop_of(&d->law);
    }
    // where the memory starts as a root, the speed left at the cut would be a spike of force
    bool rough = !e->ch.exact && !e->jumps;
    if (e->tolerance < coarse || stops || rough) return JD_OK;
    trim *c = e->trim = JD_TAKE(e->arena, trim, 1);
    JD_TRY(jd_arena_status(e->arena));
    c->F = JD_TAKE(e->arena, double, e->m *(e->nodes.s + 1));
    c->v = JD_TAKE(e->arena, double, e->rows *(e->nodes.s + 1));
    c->end_u = JD_TAKE(e->arena, double, e->m);
    c->end_v = JD_TAKE(e->arena, double, e->m);
    c->end_F = JD_TAKE(e->arena, double, e->m);
    c->z_re = JD_TAKE(e->arena, double, e->ch.n);
    c->z_im = JD_TAKE(e->arena, double, e->ch.n);
    return jd_arena_status(e->arena);
}

// Polynomials of the panel as it was solved. Rows beyond the contacts have no value at t0.
static void keep(memory *e) {
    trim *c = e->trim;
    int s = e->nodes.s;
    c->h = e->h;
    for (int j = 0; j < e->m; j++) jd_nodes_narrow(&e->nodes, e->F + j, e->m, c->F + j * (s + 1));
    for (int r = 0; r < e->rows; r++) {
        double *p = c->v + r * (s + 1);
        p[s] = 0;
        if (r < e->m)
            jd_nodes_wide(&e->nodes, e->v0[r], e->v + r, e->rows, p);
        else
            jd_nodes_narrow(&e->nodes, e->v + r, e->rows, p);
    }
}

// The panel's values as if it had ended at x; velocities of the contacts there exactly.
static void cut(memory *e, double x) {
    const trim *c = e->trim;
    const nodes *n = &e->nodes;
    int s = n->s, last = s - 1;
    for (int i = 0; i <= s; i++) {
        double theta = n->c[i] * x / c->h;
        for (int r = 0; r < e->rows; r++)
            e->v[i * e->rows + r] = jd_polynomial(s, c->v + r * (s + 1), theta);
        for (int j = 0; i < s && j < e->m; j++)
            e->F[i * e->m + j] = jd_polynomial(s - 1, c->F + j * (s + 1), theta);
    }
    e->h = x;
    e->tab = NULL;
    jd_panel_observe(e, e->t0 + x, c->end_u, c->end_v, c->end_F);
    for (int j = 0; j < e->m; j++) e->v[last * e->rows + j] = c->end_v[j] + e->belt[j];
}

// Echoes at the nodes of the shorter panel, and the pole states at its end.
static bool finish(memory *e) {
    size_t size = (size_t)e->ch.n * sizeof *e->work_re;
    if (e->echo) jd_echoes_add(e, e->h);
    memcpy(e->trim->z_re, e->work_re, size);
    memcpy(e->trim->z_im, e->work_im, size);
    return true;
}

void jd_trim_accept(memory *e) {
    size_t size = (size_t)e->ch.n * sizeof *e->ch.z_re;
    memcpy(e->ch.z_re, e->trim->z_re, size);
    memcpy(e->ch.z_im, e->trim->z_im, size);
}

bool jd_trim_at(memory *e, int contact, int sign, double theta) {
    trim *c = e->trim;
    keep(e);
    double x = theta * c->h, low = 0, high = 2 * c->h, enough = 1e-3 * e->tolerance;
    if (x < e->smallest_step) return false;
    for (int it = 0; it < 20; it++) {
        cut(e, x);
        if (sign == 0) return finish(e); // the force is its polynomial
        double g = sign * c->end_v[contact], rate = 0, at = x / c->h;
        const double *p = c->v + contact * (e->nodes.s + 1);
        for (int r = e->nodes.s; r >= 1; r--) rate = rate * at + r * p[r];
        rate *= sign / c->h;
        *(g < 0 ? &high : &low) = x;
        double step = rate < 0 ? -g / rate : HUGE_VAL;
        if (fabs(g) <= enough * e->v_scale[contact]) return finish(e);
        if (!(x + step > low && x + step < high)) return false; // nearly a touch: solve it anew
        x += step;
        if (x > 1.1 * c->h) return false;
    }
    return false;
}

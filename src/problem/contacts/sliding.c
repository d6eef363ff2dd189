// sliding.c -- complex modes about steady sliding: nonsymmetric stiffness, flutter.
//   Without damping the poles are s = +-sqrt(-kappa) of the eigenvalues kappa of K, so that a
//   motion that does not grow has growth 0; else the 2n eigenvalues of [0 1; -K -C].
//                                        tested: the_minimal_brake_flutters_from_three_quarters
#include "problem/contacts/sliding.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "contact/law.h"
#include "contact/state.h"
#include "kernel/cartesian.h"
#include "linalg/general.h"
#include "problem/contacts/cells.h"
#include "problem/contacts/rest.h"
#include "problem/initial.h"

typedef struct around {
    const jd_problem *problem;
    const jd_system *system;
    jd_rest *rest;
    int n;
    double *K, *C; // n x n
    double *load;
} around;

static const jd_contact_def *def_of(const jd_problem *p, int i) {
    return jd_problem_contact(p, i)->def;
}

static double belt_of(const jd_problem *p, int i) {
    const jd_contact_def *c = def_of(p, i);
    return c->against.kind == JD_MOVING ? c->against.velocity : 0;
}

bool jd_problem_slides(const jd_problem *p) {
    for (int i = 0; i < jd_problem_contacts(p); i++)
        if ((jd_law_traits(&def_of(p, i)->law) & JD_LAW_FRICTION) && belt_of(p, i) != 0)
            return true;
    return false;
}

// A += factor a'b.
static void add_product(double *A, int n, double factor, const jd_dd *a, const jd_dd *b) {
    for (int i = 0; factor != 0 && i < n; i++)
        for (int j = 0; j < n; j++)
            A[(size_t)i * (size_t)n + (size_t)j] += factor * a[i].hi * b[j].hi;
}

static jd_status rigid(const around *a, int contact, const char *what, const char *hint) {
    const char *name = jd_problem_contact(a->problem, contact)->name;
    jd_fail(a->problem->context, JD_NOT_SUPPORTED,
            "the contact `%s` is %s and rigid: complex modes of the sliding state need springs",
            name, what);
    jd_fail_where(a->problem->context, "contacts.%s", name);
    jd_fail_hint(a->problem->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// Friction that is a curve over the speed slides with f(|v|): a constant load, and its slope.
static jd_status add_curve(around *a, jd_arena *arena, int i) {
    const jd_contact_def *c = def_of(a->problem, i);
    const jd_dd *t = a->system->contact[i];
    double v = belt_of(a->problem, i), rate;
    if (!(jd_law_traits(&c->law) & JD_LAW_CURVE) || v == 0 || !t) return JD_OK;
    jd_friction f;
    JD_TRY(jd_law_friction_of(arena, &c->law, &f));
    double level = jd_friction_at(&f, fabs(v), &rate);
    for (int k = 0; k < a->n; k++) a->load[k] += (v > 0 ? level : -level) * t[k].hi;
    add_product(a->C, a->n, rate, t, t);
    return JD_OK;
}

static jd_status add_normal(around *a, jd_arena *arena, const jd_rest_normal *n) {
    if (!n->closed) return JD_OK;
    if (!(n->kn > 0))
        return rigid(a, n->contact, "closed", "give it a `stiffness` (`normal_stiffness`)");
    jd_element e;
    JD_TRY(jd_cell_element(a->problem, arena, n->contact, n->cell, &e));
    const jd_dd *w = a->rest->row[n->row];
    add_product(a->K, a->n, n->kn, w, w);
    add_product(a->C, a->n, e.cn, w, w);
    return JD_OK;
}

static jd_status add_slider(around *a, jd_arena *arena, const jd_rest_slider *d) {
    const jd_dd *t = a->rest->row[d->row];
    jd_element e;
    if (d->state == JD_REST_FREE) return JD_OK;
    if (d->state == 0 && !(d->kt > 0))
        return rigid(a, d->contact, "stuck", "give it a `stiffness`, or a belt to slide on");
    if (d->state == 0) {
        add_product(a->K, a->n, d->kt, t, t);
        return JD_OK;
    }
    JD_TRY(jd_cell_element(a->problem, arena, d->contact, d->cell, &e));
    add_product(a->C, a->n, e.slope, t, t);
    if (d->pressed < 0) return JD_OK;
    const jd_rest_normal *n = &a->rest->normal[d->pressed];
    jd_element pressing;
    JD_TRY(jd_cell_element(a->problem, arena, n->contact, n->cell, &pressing));
    const jd_dd *w = a->rest->row[n->row];
    add_product(a->K, a->n, d->state * d->limit * n->kn * n->side, t, w);
    add_product(a->C, a->n, d->state * d->limit * pressing.cn * n->side, t, w);
    return JD_OK;
}

static void add_structure(around *a) {
    const jd_modal *m = &a->system->modal;
    size_t n = (size_t)a->n;
    for (size_t i = 0; i < n; i++) {
        a->K[i * n + i] += dd_value(m->omega2[i]);
        if (!m->C) a->C[i * n + i] += m->c[i];
        for (size_t j = 0; m->C && j < n; j++) a->C[i * n + j] += m->C[i * n + j];
    }
}

static void put(jd_sliding *out, int *at, double complex s) {
    out->pole[*at][0] = creal(s);
    out->pole[(*at)++][1] = cimag(s);
}

// +-sqrt(-kappa); what is real but for rounding is taken for real.
static jd_status undamped(jd_arena *arena, around *a, jd_sliding *out) {
    double *kappa = JD_TAKE(arena, double, 2 * a->n), largest = 0;
    int at = 0;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_eigen_general(arena, a->n, a->K, kappa));
    for (int k = 0; k < a->n; k++) largest = fmax(largest, hypot(kappa[2 * k], kappa[2 * k + 1]));
    for (int k = 0; k < a->n; k++) {
        double re = kappa[2 * k], im = kappa[2 * k + 1];
        if (fabs(re) <= 1e-14 * largest) re = 0;
        if (fabs(im) <= 1e-13 * largest) im = 0;
        double complex s = csqrt(cartesian(-re, -im));
        if (im == 0 && re >= 0) s = cartesian(0, sqrt(re));
        put(out, &at, s);
        put(out, &at, -s);
    }
    return JD_OK;
}

static jd_status damped(jd_arena *arena, around *a, jd_sliding *out) {
    size_t n = (size_t)a->n, m = 2 * n;
    double *A = JD_TAKE(arena, double, m *m), *value = JD_TAKE(arena, double, 2 * m);
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < n; i++) {
        A[i * m + n + i] = 1;
        for (size_t j = 0; j < n; j++) {
            A[(n + i) * m + j] = -a->K[i * n + j];
            A[(n + i) * m + n + j] = -a->C[i * n + j];
        }
    }
    JD_TRY(jd_eigen_general(arena, (int)m, A, value));
    int at = 0;
    for (size_t k = 0; k < m; k++) put(out, &at, cartesian(value[2 * k], value[2 * k + 1]));
    return JD_OK;
}

static int by_size(const void *x, const void *y) {
    const double *a = x, *b = y;
    double p = hypot(a[0], a[1]), q = hypot(b[0], b[1]);
    if (fabs(p - q) > 1e-13 * (p + q)) return p < q ? -1 : 1;
    if (fabs(a[0] - b[0]) > 1e-13 * (p + q)) return a[0] > b[0] ? -1 : 1; // growing before
    return a[1] > b[1] ? -1 : a[1] < b[1];
}

static void judge(jd_sliding *out) {
    qsort(out->pole, (size_t)out->n, sizeof *out->pole, by_size);
    out->growth = -HUGE_VAL;
    for (int k = 0; k < out->n; k++)
        if (out->pole[k][0] > out->growth) {
            out->growth = out->pole[k][0];
            out->omega = fabs(out->pole[k][1]);
        }
    if (out->n == 0) out->growth = 0;
}

static void describe(const around *a, const double *q, jd_sliding *out) {
    const jd_system *y = a->system;
    for (int i = 0; i < y->n_contact; i++) {
        out->letter[i] = jd_contact_letter(JD_CONTACT_STUCK);
        out->normal[i] = (double)NAN;
        for (int k = 0; y->contact[i] && k < a->n; k++) out->u[i] += y->contact[i][k].hi * q[k];
    }
    for (int k = 0; k < a->rest->n_normal; k++) {
        const jd_rest_normal *n = &a->rest->normal[k];
        out->normal[n->contact] = n->cell > 0 ? out->normal[n->contact] + n->N : n->N;
        out->letter[n->contact] =
            jd_contact_letter(n->closed ? JD_CONTACT_CLOSED_ABOVE : JD_CONTACT_OPEN);
    }
    for (int j = 0; j < a->rest->n_slider; j++) {
        const jd_rest_slider *d = &a->rest->slider[j];
        out->force[d->contact] -= d->T;
        if (d->state != JD_REST_FREE)
            out->letter[d->contact] = jd_contact_letter(jd_contact_sliding(d->state));
    }
    for (int i = 0; i < y->n_contact; i++)
        if (y->cells[i].position) out->letter[i] = jd_contact_letter(JD_CONTACT_CELLS);
}

static jd_status equilibrium(jd_arena *arena, around *a, jd_sliding *out) {
    double *q = JD_TAKE(arena, double, a->n);
    JD_TRY(jd_arena_status(arena));
    jd_problem_constant_load(a->problem, a->load);
    JD_TRY(jd_rest_create(arena, a->problem, &a->rest));
    jd_rest_slide(a->rest);
    JD_TRY(jd_rest_go(a->rest, a->load));
    jd_rest_coordinates(a->rest, q);
    out->q = q;
    describe(a, q, out);
    return JD_OK;
}

static jd_status take(jd_arena *arena, around *a, jd_sliding *out) {
    size_t n = (size_t)a->n, m = (size_t)a->system->n_contact;
    a->K = JD_TAKE(arena, double, n *n + 1);
    a->C = JD_TAKE(arena, double, n *n + 1);
    a->load = JD_TAKE(arena, double, n + 1);
    *out = (jd_sliding){.n = 2 * a->n};
    out->pole = jd_arena_take(arena, 2 * n + 1, sizeof *out->pole);
    out->u = JD_TAKE(arena, double, m + 1);
    out->force = JD_TAKE(arena, double, m + 1);
    out->normal = JD_TAKE(arena, double, m + 1);
    out->letter = JD_TAKE(arena, char, m + 1);
    return jd_arena_status(arena);
}

jd_status jd_problem_sliding(jd_arena *arena, const jd_problem *p, jd_sliding *out) {
    around a = {.problem = p, .system = jd_problem_system(p)};
    a.n = a.system->modal.n;
    JD_TRY(take(arena, &a, out));
    if (!jd_problem_slides(p)) {
        jd_fail(p->context, JD_NOT_SUPPORTED,
                "there is no sliding state: no contact with friction works against a belt");
        jd_fail_hint(p->context, "give a contact `against: {velocity: ...}`");
        return JD_NOT_SUPPORTED;
    }
    for (int i = 0; i < a.system->n_contact; i++) JD_TRY(add_curve(&a, arena, i));
    JD_TRY(equilibrium(arena, &a, out));
    add_structure(&a);
    for (int k = 0; k < a.rest->n_normal; k++) JD_TRY(add_normal(&a, arena, &a.rest->normal[k]));
    for (int j = 0; j < a.rest->n_slider; j++) JD_TRY(add_slider(&a, arena, &a.rest->slider[j]));
    bool losses = false;
    for (size_t k = 0; k < (size_t)a.n * (size_t)a.n; k++) losses |= a.C[k] != 0;
    JD_TRY(losses ? damped(arena, &a, out) : undamped(arena, &a, out));
    judge(out);
    return JD_OK;
}

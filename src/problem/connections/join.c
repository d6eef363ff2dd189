// join.c -- common modes of bodies that springs and dashpots connect, in double-double.
//   Omega^2 + sum_i k_i b_i' b_i, one rank-one step per spring (structure/stuck/secular.h);
//   q = V eta, rows b V,   C = V' C V + sum_j d_j (b_j V)' (b_j V)
//   Damping alpha + beta omega^2 belongs to the bodies, not to the springs: with beta it couples.
#include <math.h>
#include <string.h>

#include "problem/connections/connections.h"
#include "structure/stuck/secular.h"

static const jd_connection_def *def_of(const jd_problem *p, int i) {
    return p->connections.part[i]->object.def;
}

static bool is_spring(const jd_problem *p, int i) {
    return p->connections.part[i]->object.type == &jd_connection_spring;
}

// out := b V, V n x n row-major.
JD_DD_CLONES
static void multiply_row(int n, const jd_dd *b, const jd_dd *V, jd_dd *out) {
    for (int c = 0; c < n; c++) out[c] = dd(0);
    for (int k = 0; k < n; k++) {
        if (b[k].hi == 0) continue;
        const jd_dd *row = V + (size_t)k * (size_t)n;
        for (int c = 0; c < n; c++) out[c] = dd_add(out[c], dd_mul(b[k], row[c]));
    }
}

jd_status jd_system_turn(const jd_problem *p, jd_dd *row) {
    const jd_system *y = &p->system;
    if (!y->turn) return JD_OK;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_dd *out = JD_TAKE(arena, jd_dd, y->modal.n);
    jd_status s = jd_arena_status(arena);
    if (s == JD_OK) {
        multiply_row(y->modal.n, row, y->turn, out);
        memcpy(row, out, (size_t)y->modal.n * sizeof *row);
    }
    jd_arena_free(arena);
    return s;
}

jd_status jd_system_coordinates(const jd_problem *p, double *q) {
    const jd_system *y = &p->system;
    int n = y->modal.n;
    if (!y->turn) return JD_OK;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_dd *sum = JD_TAKE(arena, jd_dd, n);
    jd_status s = jd_arena_status(arena);
    if (s == JD_OK) {
        for (int k = 0; k < n; k++) // V' q
            for (int c = 0; c < n; c++)
                sum[c] = dd_add(sum[c], dd_scale(y->turn[(size_t)k * (size_t)n + (size_t)c], q[k]));
        for (int c = 0; c < n; c++) q[c] = dd_value(sum[c]);
    }
    jd_arena_free(arena);
    return s;
}

static jd_status no_motion(jd_problem *p, const jd_object *o) {
    jd_fail(p->context, JD_NOT_SUPPORTED, "the connection `%s` is at a place that no mode moves",
            o->name);
    jd_fail_hint(p->context, "its points may be on supports, or move alike: name others, or keep "
                             "more modes");
    return JD_NOT_SUPPORTED;
}

// Row of a connection over the bodies' own modes.
static jd_status raw_row(jd_problem *p, int i, jd_dd *row) {
    const jd_connection_def *d = def_of(p, i);
    const jd_place *other = d->against.kind == JD_PLACE ? &d->against.place : NULL;
    for (int k = 0; k < p->system.modal.n; k++) row[k] = dd(0);
    JD_TRY(jd_problem_add_place(p, d->at.body, d->at.point, 1, row));
    if (other) JD_TRY(jd_problem_add_place(p, other->body, other->point, -1, row));
    if (!jd_problem_row_is_zero(p, row)) return JD_OK;
    return no_motion(p, &p->connections.part[i]->object);
}

// V := V step.
static void multiply(int n, jd_dd *V, const jd_dd *step, jd_dd *out) {
    for (int k = 0; k < n; k++)
        multiply_row(n, V + (size_t)k * (size_t)n, step, out + (size_t)k * (size_t)n);
    memcpy(V, out, (size_t)n * (size_t)n * sizeof *V);
}

typedef struct joiner {
    jd_dd *row, *turned, *root, *step, *product;
} joiner;

static jd_status take(jd_arena *arena, int n, joiner *j) {
    size_t size = (size_t)n * (size_t)n;
    j->row = JD_TAKE(arena, jd_dd, n);
    j->turned = JD_TAKE(arena, jd_dd, n);
    j->root = JD_TAKE(arena, jd_dd, n);
    j->step = JD_TAKE(arena, jd_dd, size);
    j->product = JD_TAKE(arena, jd_dd, size);
    return jd_arena_status(arena);
}

// A spring whose k |b|^2 is below the rounding of every omega^2 (double-double) changes nothing.
static bool is_nothing(const jd_modal *m, double k, const jd_dd *row) {
    double G = 0, top = 0;
    for (int i = 0; i < m->n; i++) {
        G += row[i].hi * row[i].hi;
        top = fmax(top, m->omega2[i].hi);
    }
    return k == 0 || k * G <= 1e-30 * top;
}

static jd_status add_spring(jd_arena *arena, jd_problem *p, int i, const joiner *j) {
    jd_system *y = &p->system;
    int n = y->modal.n;
    double k = def_of(p, i)->number;
    JD_TRY(raw_row(p, i, j->row));
    if (is_nothing(&y->modal, k, j->row)) return JD_OK;
    multiply_row(n, j->row, y->turn, j->turned);
    JD_TRY(jd_sprung(arena, n, y->modal.omega2, j->turned, k, j->root, j->step));
    multiply(n, y->turn, j->step, j->product);
    memcpy(y->modal.omega2, j->root, (size_t)n * sizeof *j->root);
    return JD_OK;
}

// Relative error of the common frequencies: sum_j V_jk^2 omega_j^2 error_j/omega_k^2.
static void spread_error(jd_modal *m, const jd_dd *V, const jd_dd *own, const double *error) {
    size_t n = (size_t)m->n;
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += V[j * n + k].hi * V[j * n + k].hi * own[j].hi * error[j];
        m->error[k] = m->omega2[k].hi > 0 ? sum / m->omega2[k].hi + 1e-16 : 0;
    }
}

// A body without some of its modes: how far that moves the common frequencies is not known. A
// motion without any energy is one of the whole bodies, too.
static jd_status forget_errors(jd_problem *p) {
    jd_modal *m = &p->system.modal;
    bool whole = true;
    for (int b = 0; b < p->bodies.n; b++) {
        const jd_structure *s = p->bodies.part[b]->structure;
        whole = whole && s->modal.n == s->n_dof && s->modal.n_static == 0;
    }
    if (whole) return JD_OK;
    m->off = JD_TAKE(p->built, double, m->n);
    JD_TRY(jd_arena_status(p->built));
    for (int k = 0; k < m->n; k++) m->off[k] = m->omega2[k].hi > 0 ? (double)NAN : 0;
    return JD_OK;
}

// C := V' C V of the bodies' own damping.
static jd_status turn_damping(jd_problem *p, const jd_dd *V, bool full) {
    jd_modal *m = &p->system.modal;
    size_t n = (size_t)m->n;
    bool flat = m->law == JD_DAMPING_NONE || (m->law == JD_DAMPING_RAYLEIGH && m->beta == 0);
    if (flat && !full) return JD_OK;
    double *C = JD_TAKE(p->built, double, n *n), *half = JD_TAKE(p->built, double, n *n);
    JD_TRY(jd_arena_status(p->built));
    for (size_t i = 0; i < n; i++) // half = C V
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++) {
                double c = m->C ? m->C[i * n + j] : i == j ? m->c[i] : 0;
                if (c != 0) half[i * n + k] += c * V[j * n + k].hi;
            }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (V[j * n + i].hi == 0) continue;
            for (size_t k = 0; k < n; k++) C[i * n + k] += V[j * n + i].hi * half[j * n + k];
        }
    m->law = JD_DAMPING_FULL;
    m->C = C;
    return JD_OK;
}

static jd_status add_dashpot(jd_problem *p, int i, const joiner *j) {
    jd_modal *m = &p->system.modal;
    size_t n = (size_t)m->n;
    JD_TRY(raw_row(p, i, j->row));
    multiply_row(m->n, j->row, p->system.turn, j->turned);
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++)
            m->C[k * n + l] += def_of(p, i)->number * j->turned[k].hi * j->turned[l].hi;
    return JD_OK;
}

static jd_status named(jd_problem *p, int i, jd_status s) {
    if (s != JD_OK)
        jd_fail_where(p->context, "connections.%s", p->connections.part[i]->object.name);
    return s;
}

// Frequencies that far apart leave nothing of the slower motion in a double.
static const double apart = 1e12;

// A connection that is faster than the structure by more than that is refused: spring or dashpot i.
static jd_status check_fast(jd_problem *p, int i, const jd_dd *own, const joiner *j) {
    const jd_modal *m = &p->system.modal;
    double slow = 0, G = 0, number = def_of(p, i)->number;
    for (int k = 0; k < m->n; k++) slow = fmax(slow, sqrt(own[k].hi));
    for (int k = m->n - 1; slow == 0 && k >= 0; k--) // free bodies: the lowest common frequency
        if (m->omega2[k].hi > 0 && (k == 0 || m->omega2[k - 1].hi == 0))
            slow = sqrt(m->omega2[k].hi);
    JD_TRY(raw_row(p, i, j->row));
    for (int k = 0; k < m->n; k++) G += j->row[k].hi * j->row[k].hi;
    double fast = is_spring(p, i) ? sqrt(number * G) : number * G;
    if (!(slow > 0) || !(fast > apart * slow)) return JD_OK;
    jd_fail(p->context, JD_OUT_OF_RANGE,
            "the connection `%s` makes motions of %.3g 1/s beside %.3g rad/s of the structure, "
            "more than numbers can hold together",
            p->connections.part[i]->object.name, fast, slow);
    jd_fail_hint(p->context, "make it softer: a millionth of it is rigid enough");
    return JD_OUT_OF_RANGE;
}

static jd_status check_bodies(jd_problem *p) {
    for (int b = 0; b < p->bodies.n; b++) {
        const jd_structure *s = p->bodies.part[b]->structure;
        bool finite = !s->infinite && s->modal.n > 0;
        if (finite) continue;
        jd_fail(p->context, JD_NOT_SUPPORTED,
                "connections need bodies with a number of modes, but "
                "`%s` has %s",
                p->bodies.part[b]->object.name[0] ? p->bodies.part[b]->object.name : "structure",
                s->infinite ? "infinitely many" : "none");
        jd_fail_where(p->context, "connections");
        jd_fail_hint(p->context, "give it a number of `modes`");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

// The bodies' modes in ascending order: V is a permutation. (Each body's ascend already.)
static void sort_modes(jd_modal *m, const jd_dd *own, jd_dd *V) {
    size_t n = (size_t)m->n;
    for (size_t k = 0; k < n; k++) {
        size_t before = 0;
        for (size_t j = 0; j < n; j++)
            before += own[j].hi < own[k].hi || (own[j].hi == own[k].hi && j < k);
        m->omega2[before] = own[k];
        V[k * n + before] = dd(1);
    }
}

static jd_status join(jd_arena *arena, jd_problem *p) {
    jd_system *y = &p->system;
    jd_modal *m = &y->modal;
    size_t n = (size_t)m->n;
    joiner j;
    bool dashpots = false;
    JD_TRY(take(arena, m->n, &j));
    jd_dd *V = JD_TAKE(p->built, jd_dd, n * n), *own = JD_TAKE(arena, jd_dd, n);
    double *error = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(p->built));
    JD_TRY(jd_arena_status(arena));
    memcpy(own, m->omega2, n * sizeof *own);
    sort_modes(m, own, V);
    memcpy(error, m->error, n * sizeof *error);
    y->turn = V;
    for (int i = 0; i < p->connections.n; i++) {
        dashpots |= !is_spring(p, i);
        if (is_spring(p, i)) JD_TRY(named(p, i, add_spring(arena, p, i, &j)));
    }
    for (int i = 0; i < p->connections.n; i++) JD_TRY(named(p, i, check_fast(p, i, own, &j)));
    spread_error(m, V, own, error);
    JD_TRY(forget_errors(p));
    JD_TRY(turn_damping(p, V, dashpots));
    for (int i = 0; i < p->connections.n; i++)
        if (!is_spring(p, i)) JD_TRY(named(p, i, add_dashpot(p, i, &j)));
    for (size_t k = 0; m->C && k < n; k++) m->c[k] = m->C[k * n + k];
    return JD_OK;
}

jd_status jd_connections_join(jd_problem *p) {
    jd_system *y = &p->system;
    if (p->connections.n == 0) return JD_OK;
    JD_TRY(check_bodies(p));
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = join(arena, p);
    jd_arena_free(arena);
    JD_TRY(s);
    y->n_body = 1; // the modes are common
    y->first = JD_TAKE(p->built, int, 2);
    JD_TRY(jd_arena_status(p->built));
    y->first[1] = y->modal.n;
    return JD_OK;
}

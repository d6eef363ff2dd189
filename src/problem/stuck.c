// stuck.c -- natural modes of the bodies a contact touches, with that contact stuck: its point held
// where it is rigid, else with the springs of its sliders and of its closed normal part engaged,
//   Omega^2 + k_t w_t'w_t + k_n w_n'w_n       (one rank-one step each, structure/stuck/secular.h)
#include "structure/stuck/stuck.h"

#include <stdlib.h>
#include <string.h>

#include "contact/law.h"
#include "problem/parts.h"
#include "structure/stuck/secular.h"

// The touched bodies' modes in ascending order: pick[i] is a mode of the whole system.
typedef struct choice {
    double omega2;
    int index;
} choice;

static int ascending(const void *a, const void *b) {
    const choice *x = a, *y = b;
    if (x->omega2 != y->omega2) return x->omega2 < y->omega2 ? -1 : 1;
    return x->index - y->index;
}

static bool touches(const jd_system *y, int contact, int body) {
    for (int k = y->first[body]; k < y->first[body + 1]; k++)
        if (y->contact[contact][k].hi != 0) return true;
    return false;
}

static int choose(const jd_system *y, int contact, choice *pick) {
    int n = 0;
    for (int b = 0; b < y->n_body; b++) {
        if (!touches(y, contact, b)) continue;
        for (int k = y->first[b]; k < y->first[b + 1]; k++, n++)
            if (pick) pick[n] = (choice){dd_value(y->modal.omega2[k]), k};
    }
    if (pick) qsort(pick, (size_t)n, sizeof *pick, ascending);
    return n;
}

// What a stuck contact does along its two rows: held, or a spring.
typedef struct grip {
    int n;
    const jd_dd *row[2];
    double stiffness[2]; // 0: held
} grip;

static jd_status grip_of(const jd_problem *p, jd_arena *arena, int contact, grip *out) {
    const jd_system *y = jd_problem_system(p);
    const jd_contact_def *d = p->contacts.part[contact]->object.def;
    jd_element e;
    JD_TRY(jd_law_element_of(arena, &d->law, &e));
    *out = (grip){.n = 1, .row = {y->contact[contact]}};
    bool held = false;
    for (int i = 0; i < e.sliders; i++) {
        held |= !(e.stiffness[i] > 0);
        out->stiffness[0] += e.stiffness[i];
    }
    if (held) out->stiffness[0] = 0;
    if (!e.normal) return JD_OK;
    if (e.sliders == 0 || y->normal[contact] == y->contact[contact]) {
        out->row[0] = y->normal[contact]; // a stop, or no friction
        out->stiffness[0] = e.kn;
        return JD_OK;
    }
    out->n = 2;
    out->row[1] = y->normal[contact];
    out->stiffness[1] = e.kn;
    return JD_OK;
}

static int held_rows(const grip *g) {
    int n = 0;
    for (int i = 0; i < g->n; i++) n += !(g->stiffness[i] > 0);
    return n;
}

// The modal form in the order of the choice.
static jd_status reorder(jd_arena *arena, const jd_system *y, int n, const choice *pick,
                         jd_modal *out) {
    const jd_modal *m = &y->modal;
    *out = (jd_modal){.n = n, .law = m->law, .alpha = m->alpha, .beta = m->beta};
    out->omega2 = JD_TAKE(arena, jd_dd, n);
    out->error = JD_TAKE(arena, double, n);
    out->c = JD_TAKE(arena, double, n);
    if (m->C) out->C = JD_TAKE(arena, double, (size_t)n *(size_t)n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++) {
        int k = pick[i].index;
        out->omega2[i] = m->omega2[k];
        out->error[i] = m->error[k];
        out->c[i] = m->c[k];
        for (int j = 0; m->C && j < n; j++)
            out->C[(size_t)i * (size_t)n + (size_t)j] =
                m->C[(size_t)k * (size_t)m->n + (size_t)pick[j].index];
    }
    return JD_OK;
}

// row := row Q
static void turn_row(int n, const jd_dd *Q, jd_dd *row, jd_dd *work) {
    for (int c = 0; c < n; c++) {
        work[c] = dd(0);
        for (int k = 0; k < n; k++)
            work[c] = dd_add(work[c], dd_mul(row[k], Q[(size_t)k * (size_t)n + (size_t)c]));
    }
    memcpy(row, work, (size_t)n * sizeof *row);
}

// C := Q' C Q. A spring of the contact is none of the structure: alpha + beta omega^2 couples.
static jd_status turn_damping(jd_arena *arena, jd_modal *m, const jd_dd *Q) {
    size_t n = (size_t)m->n;
    bool flat = m->law == JD_DAMPING_NONE || (m->law == JD_DAMPING_RAYLEIGH && m->beta == 0);
    if (flat) return JD_OK;
    double *C = JD_TAKE(arena, double, n *n), *half = JD_TAKE(arena, double, n *n);
    JD_TRY(jd_arena_status(arena));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double c = m->C ? m->C[i * n + j] : i == j ? m->c[i] : 0;
            for (size_t k = 0; c != 0 && k < n; k++) half[i * n + k] += c * Q[j * n + k].hi;
        }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) C[i * n + k] += Q[j * n + i].hi * half[j * n + k];
    for (size_t k = 0; k < n; k++) m->c[k] = C[k * n + k];
    m->law = JD_DAMPING_FULL;
    m->C = C;
    return JD_OK;
}

// One spring along rows[which]; all rows are then over the new modes.
static jd_status engage(jd_arena *arena, jd_modal *m, double k, int n_row, jd_dd *const *rows,
                        int which) {
    size_t n = (size_t)m->n;
    jd_dd *root = JD_TAKE(arena, jd_dd, n), *Q = JD_TAKE(arena, jd_dd, n * n);
    double *error = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_sprung(arena, m->n, m->omega2, rows[which], k, root, Q));
    for (size_t c = 0; c < n; c++) { // d(omega_c^2) = sum_j Q_jc^2 d(omega_j^2)
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += Q[j * n + c].hi * Q[j * n + c].hi * m->omega2[j].hi * m->error[j];
        error[c] = root[c].hi > 0 ? sum / root[c].hi + 1e-16 : 0;
    }
    JD_TRY(turn_damping(arena, m, Q));
    m->omega2 = root;
    m->error = error;
    jd_dd *work = JD_TAKE(arena, jd_dd, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n_row; i++) turn_row(m->n, Q, rows[i], work);
    return JD_OK;
}

// Springs first, then what is held.
static jd_status compute(jd_arena *arena, const jd_system *y, int contact, const grip *g, int n,
                         jd_mode *out) {
    choice *pick = JD_TAKE(arena, choice, n);
    jd_dd *rows[2];
    for (int i = 0; i < 2; i++) rows[i] = JD_TAKE(arena, jd_dd, n);
    JD_TRY(jd_arena_status(arena));
    choose(y, contact, pick);
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < n; k++) rows[i][k] = g->row[i][pick[k].index];
    jd_modal modal;
    JD_TRY(reorder(arena, y, n, pick, &modal));
    int held = 0;
    const jd_dd *hold[2];
    for (int i = 0; i < g->n; i++) {
        if (g->stiffness[i] > 0)
            JD_TRY(engage(arena, &modal, g->stiffness[i], g->n, rows, i));
        else
            hold[held++] = rows[i];
    }
    if (held == 0) return jd_modal_list(jd_arena_context(arena), &modal, out);
    jd_stuck *stuck;
    JD_TRY(jd_stuck_create(arena, &modal, held, hold, &stuck));
    return jd_modal_list(jd_arena_context(arena), &stuck->modal, out);
}

jd_status jd_problem_stuck_modes(const jd_problem *p, int contact, int *n, jd_mode *out) {
    const jd_system *y = jd_problem_system(p);
    *n = 0;
    if (!y || contact < 0 || contact >= y->n_contact)
        return jd_fail(p->context, JD_BAD_ARGUMENT, "there is no contact %d in a built problem",
                       contact);
    if (!y->contact[contact])
        return jd_fail(p->context, JD_NOT_SUPPORTED,
                       "the contact `%s` acts along a span: it has no single stuck basis",
                       p->contacts.part[contact]->object.name);
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    grip g = {0};
    jd_status s = grip_of(p, arena, contact, &g);
    int free_modes = choose(y, contact, NULL), held = s == JD_OK ? held_rows(&g) : 0;
    *n = free_modes > held ? free_modes - held : 0; // a row held takes one mode away
    if (s == JD_OK && out && *n > 0) s = compute(arena, y, contact, &g, free_modes, out);
    jd_arena_free(arena);
    return s;
}

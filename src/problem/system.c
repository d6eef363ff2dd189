// system.c -- modal forms of all bodies, one after the other.
//   Damping stays a law of the frequencies (none, Rayleigh) when it is the same for all bodies;
//   otherwise it is one number per mode, or a block matrix where a body needs one.
#include "problem/system.h"

#include <string.h>

#include "problem/parts.h"

static const jd_modal *modal_of(const jd_problem *p, int body) {
    return &p->bodies.part[body]->structure->modal;
}

static bool is_law(const jd_modal *m) {
    return m->law == JD_DAMPING_NONE || m->law == JD_DAMPING_RAYLEIGH;
}

static void join_law(const jd_problem *p, jd_modal *all) {
    const jd_modal *first = modal_of(p, 0);
    bool full = false, same = true, none = true;
    for (int b = 0; b < p->bodies.n; b++) {
        const jd_modal *m = modal_of(p, b);
        full = full || m->law == JD_DAMPING_FULL;
        none = none && m->law == JD_DAMPING_NONE;
        same = same && is_law(m) && m->alpha == first->alpha && m->beta == first->beta;
    }
    all->law = full   ? JD_DAMPING_FULL
               : none ? JD_DAMPING_NONE
               : same ? JD_DAMPING_RAYLEIGH
                      : JD_DAMPING_MODAL;
    if (all->law == JD_DAMPING_RAYLEIGH) {
        all->alpha = first->alpha;
        all->beta = first->beta;
    }
}

static void join_matrix(const jd_modal *m, size_t at, size_t n_all, double *C) {
    size_t n = (size_t)m->n;
    for (size_t i = 0; i < n; i++) {
        double *row = C + (at + i) * n_all + at;
        if (m->C)
            memcpy(row, m->C + i * n, n * sizeof *row);
        else
            row[i] = m->c ? m->c[i] : 0;
    }
}

static void join_body(const jd_modal *m, size_t at, jd_modal *all) {
    size_t n = (size_t)m->n;
    if (n == 0) return;
    memcpy(all->omega2 + at, m->omega2, n * sizeof *m->omega2);
    if (m->error) memcpy(all->error + at, m->error, n * sizeof *m->error);
    if (m->c) memcpy(all->c + at, m->c, n * sizeof *m->c);
    if (all->C) join_matrix(m, at, (size_t)all->n, all->C);
}

jd_status jd_system_join(jd_problem *p) {
    jd_system *y = &p->system;
    jd_modal *all = &y->modal;
    *y = (jd_system){.n_body = p->bodies.n};
    y->first = JD_TAKE(p->built, int, p->bodies.n + 1);
    if (!y->first) return JD_OUT_OF_MEMORY;
    for (int b = 0; b < p->bodies.n; b++) y->first[b + 1] = y->first[b] + modal_of(p, b)->n;
    all->n = y->first[p->bodies.n];
    join_law(p, all);
    all->omega2 = JD_TAKE(p->built, jd_dd, all->n);
    all->error = JD_TAKE(p->built, double, all->n);
    all->c = JD_TAKE(p->built, double, all->n);
    if (all->law == JD_DAMPING_FULL)
        all->C = JD_TAKE(p->built, double, (size_t)all->n *(size_t)all->n);
    JD_TRY(jd_arena_status(p->built));
    for (int b = 0; b < p->bodies.n; b++) join_body(modal_of(p, b), (size_t)y->first[b], all);
    y->own = y->first;
    return JD_OK;
}

const jd_system *jd_problem_system(const jd_problem *p) { return p->built ? &p->system : NULL; }

// stuck.c -- natural modes of the bodies a contact touches, with that contact stuck.
#include "structure/stuck/stuck.h"

#include <stdlib.h>

#include "problem/parts.h"

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

// The modal form and the contact's row in the order of the choice.
static jd_status reorder(jd_arena *arena, const jd_system *y, int contact, int n,
                         const choice *pick, jd_modal *out, jd_dd **row) {
    const jd_modal *m = &y->modal;
    *out = (jd_modal){.n = n, .law = m->law, .alpha = m->alpha, .beta = m->beta};
    out->omega2 = JD_TAKE(arena, jd_dd, n);
    out->error = JD_TAKE(arena, double, n);
    out->c = JD_TAKE(arena, double, n);
    *row = JD_TAKE(arena, jd_dd, n);
    if (m->C) out->C = JD_TAKE(arena, double, (size_t)n *(size_t)n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++) {
        int k = pick[i].index;
        out->omega2[i] = m->omega2[k];
        out->error[i] = m->error[k];
        out->c[i] = m->c[k];
        (*row)[i] = y->contact[contact][k];
        for (int j = 0; m->C && j < n; j++)
            out->C[(size_t)i * (size_t)n + (size_t)j] =
                m->C[(size_t)k * (size_t)m->n + (size_t)pick[j].index];
    }
    return JD_OK;
}

static jd_status compute(jd_arena *arena, const jd_system *y, int contact, int n, jd_mode *out) {
    choice *pick = JD_TAKE(arena, choice, n);
    if (!pick) return JD_OUT_OF_MEMORY;
    choose(y, contact, pick);
    jd_modal modal;
    jd_dd *row;
    JD_TRY(reorder(arena, y, contact, n, pick, &modal, &row));
    jd_stuck *stuck;
    const jd_dd *rows[1] = {row};
    JD_TRY(jd_stuck_create(arena, &modal, 1, rows, &stuck));
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
    int free_modes = choose(y, contact, NULL);
    *n = free_modes > 0 ? free_modes - 1 : 0; // one row that is not zero takes one mode away
    if (!out || *n == 0) return JD_OK;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = compute(arena, y, contact, free_modes, out);
    jd_arena_free(arena);
    return s;
}

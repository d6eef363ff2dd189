// functionals.c -- displacement, velocity and force of contacts, drives and probes as functionals
// of a basis.
//   Displacement and velocity of each contact, force of each held one, and the search needs but one
//   of them in a phase. With few contacts all are made with the basis. With many, a basis may serve
//   for one phase only: those of contacts are made when first asked for.
#include "engine/exact/exact.h"

static jd_status take_row(exact *e, basis *b, const double *row, functional *u, functional *v) {
    JD_TRY(jd_functional_row(e, b, row, false, u));
    return jd_functional_row(e, b, row, true, v);
}

// All of contacts.
static jd_status take_contacts(exact *e, basis *b) {
    for (int j = 0; j < e->plan.m; j++)
        JD_TRY(take_row(e, b, e->plan.contact[j].row, &b->observed.u[j], &b->observed.v[j]));
    for (int i = 0; i < b->ms; i++) JD_TRY(jd_functional_force(e, b, i, &b->observed.lambda[i]));
    return JD_OK;
}

jd_status jd_observers_take(exact *e, basis *b) {
    b->observed.u = JD_TAKE(e->arena, functional, e->plan.m);
    b->observed.v = JD_TAKE(e->arena, functional, e->plan.m);
    b->observed.lambda = JD_TAKE(e->arena, functional, b->ms);
    b->observed.u_drive = JD_TAKE(e->arena, functional, e->plan.n_drive);
    b->observed.v_drive = JD_TAKE(e->arena, functional, e->plan.n_drive);
    b->observed.u_probe = JD_TAKE(e->arena, functional, e->plan.n_probe);
    b->observed.v_probe = JD_TAKE(e->arena, functional, e->plan.n_probe);
    JD_TRY(jd_arena_status(e->arena));
    if (e->plan.m < MANY_CONTACTS) JD_TRY(take_contacts(e, b));
    for (int j = 0; j < e->plan.m; j++) // the ledger's tables need it
        if (b->key[j] == 'd' && !b->observed.v[j].watch)
            JD_TRY(jd_functional_row(e, b, e->plan.contact[j].row, true, &b->observed.v[j]));
    for (int d = 0; d < e->plan.n_drive; d++)
        JD_TRY(
            take_row(e, b, e->plan.drive[d].row, &b->observed.u_drive[d], &b->observed.v_drive[d]));
    for (int i = 0; i < e->plan.n_probe; i++)
        JD_TRY(take_row(e, b, e->plan.probe[i], &b->observed.u_probe[i], &b->observed.v_probe[i]));
    return JD_OK;
}

// One of the present basis, in the memory of what is tuned with it.
static jd_status take_late(exact *e, int j, int held, bool velocity, functional *f) {
    if (f->watch) return JD_OK;
    jd_arena *keep = e->arena;
    e->arena = e->bases.tuned;
    jd_status status = held >= 0
                           ? jd_functional_force(e, e->phase.b, held, f)
                           : jd_functional_row(e, e->phase.b, e->plan.contact[j].row, velocity, f);
    e->arena = keep;
    return status;
}

jd_status jd_observe_place(exact *e, int j) {
    return take_late(e, j, -1, false, &e->phase.b->observed.u[j]);
}

jd_status jd_observe_speed(exact *e, int j) {
    return take_late(e, j, -1, true, &e->phase.b->observed.v[j]);
}

jd_status jd_observe_guarded(exact *e, int j) {
    basis *b = e->phase.b;
    int held = 0;
    if (e->state.contact[j] == JD_CONTACT_OPEN) return jd_observe_place(e, j);
    if (e->dependent.frozen[j] || !jd_contact_at_rest(e->state.contact[j]))
        return jd_observe_speed(e, j);
    while (b->held[held] != j) held++;
    return take_late(e, j, held, false, &b->observed.lambda[held]);
}

void jd_observers_retune(exact *e, basis *b, int d) {
    struct {
        functional *f;
        int n;
    } all[] = {{b->observed.u, e->plan.m},
               {b->observed.v, e->plan.m},
               {b->observed.lambda, b->ms},
               {b->observed.u_drive, e->plan.n_drive},
               {b->observed.v_drive, e->plan.n_drive},
               {b->observed.u_probe, e->plan.n_probe},
               {b->observed.v_probe, e->plan.n_probe}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int j = 0; j < all[i].n; j++)
            if (all[i].f[j].watch) jd_functional_retune(e, b, &all[i].f[j], d);
}

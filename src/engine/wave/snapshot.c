// snapshot.c -- the state of a march as bytes: levels of displacement, contacts, sums.
#include <stdint.h>
#include <string.h>

#include "engine/wave/wave.h"

// Walks everything that changes; `at` NULL only counts.
typedef struct tape {
    char *at;
    bool write;
    size_t size;
    const char *odd; // what was read and is not as it can be; NULL: nothing
} tape;

static void pass(tape *t, void *data, size_t size) {
    if (t->at) {
        if (t->write)
            memcpy(t->at, data, size);
        else
            memcpy(data, t->at, size);
        t->at += size;
    }
    t->size += size;
}

static void pass_reals(tape *t, double *data, int n) {
    pass(t, data, (size_t)n * sizeof *data);
    if (t->at && !t->write && !jd_state_finite((size_t)n, data)) t->odd = "a number is";
}

static bool is_state(double x) { return x == 0 || x == 1 || x == -1; }

static void pass_skin(tape *t, skin *k) {
    double *all[] = {k->state.stretch,  k->state.stretch_old, k->state.half,    k->state.s,
                     k->state.d,        k->state.audited,     k->state.slide,   k->ledger.loss,
                     k->ledger.impulse, k->ledger.slips,      k->ledger.sticks, k->ledger.reversals,
                     k->ledger.fed,     k->state.s_before,    k->state.d_before};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) pass_reals(t, all[i], k->n);
    for (int j = 0; t->at && !t->write && j < k->n; j++)
        if (!(is_state(k->state.audited[j]) && is_state(k->state.slide[j])))
            t->odd = "the state of a cell is";
}

static void pass_march(tape *t, march *m) {
    int64_t step = m->step;
    pass(t, &step, sizeof step);
    // the march is at the time of the run, or one step beyond; a coarse one may be behind
    pass_reals(t, &m->origin, 1);
    if (!(step >= 0 && m->origin + (double)step * m->dt <= m->run->t + 2 * m->dt))
        t->odd = "its step is";
    m->step = (long)step;
    pass_reals(t, &m->damping, 1);
    pass_reals(t, &m->start, 1);
    for (int i = 0; i < m->n_rod; i++) {
        pass_reals(t, m->rods[i].u, m->rods[i].grid.n);
        pass_reals(t, m->rods[i].old, m->rods[i].grid.n);
        pass_reals(t, m->rods[i].new, m->rods[i].grid.n);
        pass_reals(t, m->rods[i].past, m->rods[i].grid.n);
        if (m->rods[i].lost) pass_reals(t, m->rods[i].lost, m->rods[i].grid.n);
        if (m->damper) pass_reals(t, jd_damper_changes(m, i), m->rods[i].grid.n);
    }
    for (int i = 0; i < m->n_skin; i++) pass_skin(t, &m->skins[i]);
    for (int i = 0; i < m->n_toe; i++) {
        toe *e = &m->toes[i];
        double *all[] = {&e->e,     &e->e_old,  &e->loss,         &e->impulse,
                         &e->force, &e->change, &e->force_before, &e->change_before};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) pass_reals(t, all[k], 1);
    }
    for (int i = 0; i < m->n_bumper; i++) {
        bumper *e = &m->bumpers[i];
        double *all[] = {&e->peak,   &e->peak_old,     &e->loss,          &e->impulse, &e->force,
                         &e->change, &e->force_before, &e->change_before, &e->work};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) pass_reals(t, all[k], 1);
    }
    for (int i = 0; i < m->n_push; i++) {
        pass_reals(t, &m->pushes[i].work, 1);
        pass_reals(t, &m->pushes[i].force, 1);
        pass_reals(t, &m->pushes[i].force_before, 1);
        m->pushes[i].segment.end = -1;
    }
}

static tape pass_all(wave *w, char *at, bool write) {
    tape t = {at, write, 0, NULL};
    pass_march(&t, w->fine);
    for (int i = 0; i < JD_WAVE_COARSE; i++)
        if (w->coarse[i]) pass_march(&t, w->coarse[i]);
    pass_reals(&t, &w->error, 1);
    return t;
}

size_t jd_wave_state_size(const jd_run *run) { return pass_all(run->state, NULL, true).size; }

jd_status jd_wave_save(jd_run *run, char *to) {
    pass_all(run->state, to, true);
    return JD_OK;
}

jd_status jd_wave_load(jd_run *run, const char *from, size_t size) {
    (void)size; // as state_size says
    wave *w = run->state;
    tape t = pass_all(w, (char *)from, false); // only read
    for (int i = 0; i < w->fine->n_skin; i++)
        if (w->fine->skins[i].cross) jd_cross_place(&w->fine->skins[i]);
    return t.odd ? jd_state_refuse(run, t.odd) : JD_OK;
}

// Displacements, and what a belt has gone, stay as they are; loads are those of the new time.
jd_status jd_wave_shift(jd_run *run, double by) {
    wave *w = run->state;
    march *all[] = {w->fine, w->coarse[0], w->coarse[1]};
    for (int i = 0; i < 1 + JD_WAVE_COARSE; i++) {
        if (!all[i]) continue;
        all[i]->origin += by;
        for (int p = 0; p < all[i]->n_push; p++) all[i]->pushes[p].segment.end = -1;
    }
    run->t += by;
    return JD_OK;
}

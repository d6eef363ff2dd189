// keep.c -- the engine's state as a block of bytes: to go on from it bit for bit, the step under
// way and the one before it (whose polynomial is continued) belong to it.
#include <string.h>

#include "engine/closure/closure.h"

// One list of what there is, for measuring, writing and reading.
typedef struct tape {
    char *out;      // NULL: not written
    const char *in; // NULL: not read
    size_t size;    // so far
} tape;

static void keep(tape *t, void *value, size_t bytes) {
    if (t->out) memcpy(t->out + t->size, value, bytes);
    if (t->in) memcpy(value, t->in + t->size, bytes);
    t->size += bytes;
}

static void keep_step(tape *t, radau_step *s, int width) {
    keep(t, &s->n, sizeof s->n);
    keep(t, &s->t, sizeof s->t);
    keep(t, &s->h, sizeof s->h);
    keep(t, s->x, (size_t)(RADAU_NODES * width) * sizeof *s->x);
}

static void keep_all(tape *t, closure *e) {
    int w = e->n + 2;
    radau_step *before = &e->ring[(e->next_ring + RING - 1) % RING];
    double *number[] = {&e->t,          &e->h,       &e->sign, &e->denominator,
                        &e->attraction, &e->energy0, &e->lost};
    bool *flag[] = {&e->pending, &e->lands, &e->restarted, &e->ever};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) keep(t, number[i], sizeof(double));
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++) keep(t, flag[i], sizeof(bool));
    keep(t, &e->phase, sizeof e->phase);
    keep(t, &e->nx, sizeof e->nx);
    keep(t, &e->guard, sizeof e->guard);
    keep(t, e->fresh, sizeof e->fresh);
    keep(t, &e->n_ring, sizeof e->n_ring);
    keep(t, &e->storm, sizeof e->storm);
    keep(t, e->x, (size_t)w * sizeof *e->x);
    keep(t, e->scale, (size_t)w * sizeof *e->scale);
    keep_step(t, &e->step, w);
    keep_step(t, before, w);
    closure_error *r = &e->error;
    double *error[] = {&e->step_error,   &e->solver.left,        &r->inside,         &r->worst,
                       &r->digits_until, &r->horizon.log_growth, &r->horizon.largest};
    for (size_t i = 0; i < sizeof error / sizeof *error; i++) keep(t, error[i], sizeof(double));
    keep(t, &r->lost, sizeof r->lost);
    keep(t, r->B, (size_t)(w * w) * sizeof *r->B);
    keep(t, r->change, (size_t)w * sizeof *r->change);
    keep(t, e->sums, (size_t)(e->n_drive + 3 * e->m) * sizeof *e->sums);
}

size_t closure_state_size(const jd_run *run) {
    tape t = {0};
    keep_all(&t, run->state);
    return t.size;
}

jd_status closure_save(jd_run *run, char *to) {
    keep_all(&(tape){.out = to}, run->state);
    return JD_OK;
}

jd_status closure_load(jd_run *run, const char *from) {
    closure *e = run->state;
    e->next_ring = 1; // where the step before is read to
    keep_all(&(tape){.in = from}, e);
    e->n_ring = e->n_ring > 0;
    e->next_ring = e->n_ring;
    e->solver.lu_n = e->aside.lu_n = 0;
    e->error.ahead = false;
    closure_segments(e, e->t);
    if (e->m) run->phase[0] = phase_letter(e->phase);
    return JD_OK;
}

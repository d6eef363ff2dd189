// keep.c -- the engine's state as a block of bytes: to go on from it bit for bit, the step under
// way and the one before it (whose polynomial is continued) belong to it.
#include <math.h>
#include <string.h>

#include "engine/closure/closure.h"

// One list of what there is, for measuring, writing and reading.
typedef struct tape {
    char *out;      // NULL: not written
    const char *in; // NULL: not read
    size_t size;    // so far
    bool odd;       // a flag that was read is neither 0 nor 1
} tape;

static void keep(tape *t, void *value, size_t bytes) {
    if (t->out) memcpy(t->out + t->size, value, bytes);
    if (t->in) memcpy(value, t->in + t->size, bytes);
    t->size += bytes;
}

static void keep_flag(tape *t, bool *value) {
    unsigned char byte = *value;
    keep(t, &byte, sizeof byte);
    t->odd = t->odd || byte > 1;
    *value = byte == 1;
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
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++) keep_flag(t, flag[i]);
    int letter = (int)e->phase;
    keep(t, &letter, sizeof letter);
    t->odd = t->odd || letter < SMOOTH || letter > SLIDE;
    e->phase = letter < SMOOTH || letter > SLIDE ? SMOOTH : (phase)letter;
    keep(t, &e->nx, sizeof e->nx);
    keep(t, &e->guard, sizeof e->guard);
    for (int i = 0; i < GUARDS; i++) keep_flag(t, &e->fresh[i]);
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
    keep_flag(t, &r->lost);
    keep(t, r->B, (size_t)(w * w) * sizeof *r->B);
    keep(t, r->change, (size_t)w * sizeof *r->change);
    keep(t, e->sums, (size_t)(e->n_drive + 3 * e->m) * sizeof *e->sums);
}

size_t jd_closure_state_size(const jd_run *run) {
    tape t = {0};
    keep_all(&t, run->state);
    return t.size;
}

jd_status jd_closure_save(jd_run *run, char *to) {
    keep_all(&(tape){.out = to}, run->state);
    return JD_OK;
}

static bool step_fits(const closure *e, const radau_step *s) {
    return s->n == e->nx && s->t >= 0 && s->h >= 0 && isfinite(s->t + s->h) &&
           jd_state_finite(RADAU_NODES * (size_t)e->nx, s->x);
}

// The phase, and what its unknowns and guards are numbered by.
static bool phase_fits(const closure *e) {
    bool smooth = e->phase == SMOOTH, contact = e->m > 0;
    return smooth != contact && (e->phase != STUCK || e->wave) && (e->phase != SLIDE || !e->wave) &&
           e->nx == jd_phase_size(e, e->phase) && e->guard >= 0 && e->guard < GUARDS &&
           e->n_ring >= 0 && e->n_ring <= RING && jd_state_count(e->storm);
}

static const char *wrong_motion(const closure *e) {
    const double number[] = {e->sign, e->denominator, e->attraction, e->energy0, e->lost, e->h};
    size_t width = (size_t)e->n + 2, sums = (size_t)e->n_drive + 3 * (size_t)e->m;
    if (!jd_state_finite(sizeof number / sizeof *number, number)) return "a number is";
    if (!jd_state_finite(sums, e->sums)) return "an energy is";
    if (!jd_state_finite((size_t)e->nx, e->x)) return "the motion is";
    for (size_t i = 0; i < width; i++)
        if (!(e->scale[i] > 0 && isfinite(e->scale[i]))) return "a scale is";
    if (!(e->t >= 0 && e->t <= e->run->t)) return "the time of its step is";
    if (e->pending && !(step_fits(e, &e->step) && e->step.t == e->t)) return "its step is";
    const radau_step *before = &e->ring[0];
    if (e->n_ring && !(step_fits(e, before) && before->t <= e->t)) return "the step before is";
    return NULL;
}

// Errors may be infinite; those of a motion that is lost may be anything.
static const char *wrong_error(const closure *e) {
    const closure_error *r = &e->error;
    const double size[] = {e->step_error, e->solver.left, r->inside, r->worst};
    int n = e->nx;
    if (isnan(r->digits_until) || isnan(r->horizon.log_growth) || isnan(r->horizon.largest))
        return "its horizon is";
    for (int i = 0; i < 4 && !r->lost; i++)
        if (!(size[i] >= 0)) return "its error is";
    for (int i = 0; i < n && !r->lost; i++)
        if (!(r->B[i * n + i] >= 0)) return "its error is";
    return r->lost || jd_state_finite((size_t)n * (size_t)n, r->B) ? NULL : "its error is";
}

jd_status jd_closure_load(jd_run *run, const char *from, size_t size) {
    closure *e = run->state;
    tape t = {.in = from};
    (void)size;       // as state_size says
    e->next_ring = 1; // where the step before is read to
    keep_all(&t, e);
    if (t.odd || !phase_fits(e)) return jd_state_refuse(run, "its phase is");
    const char *wrong = wrong_motion(e);
    if (!wrong) wrong = wrong_error(e);
    if (wrong) return jd_state_refuse(run, wrong);
    e->n_ring = e->n_ring > 0;
    e->next_ring = e->n_ring;
    e->solver.lu_n = e->aside.lu_n = 0;
    e->error.ahead = false;
    jd_closure_segments(e, e->t);
    if (e->m) run->phase[0] = jd_phase_letter(e->phase);
    return JD_OK;
}

// snapshot.c -- the engine's state as a block of bytes: to go on from it bit for bit, the step
// under way and the one before it (whose polynomial is continued) belong to it.
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
    int w = e->plan.n + 2;
    radau_step *before = &e->past.step[(e->past.next + RING - 1) % RING];
    double *number[] = {&e->state.t,           &e->state.h,          &e->state.sign,
                        &e->state.denominator, &e->state.attraction, &e->ledger.start,
                        &e->ledger.damping};
    bool *flag[] = {&e->state.pending, &e->state.lands, &e->state.restarted, &e->state.ever};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) keep(t, number[i], sizeof(double));
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++) keep_flag(t, flag[i]);
    int which = (int)e->state.phase;
    keep(t, &which, sizeof which);
    t->odd = t->odd || which < SMOOTH || which > SLIDE;
    e->state.phase = which < SMOOTH || which > SLIDE ? SMOOTH : (phase)which;
    keep(t, &e->state.nx, sizeof e->state.nx);
    keep(t, &e->state.guard, sizeof e->state.guard);
    for (int i = 0; i < GUARDS; i++) keep_flag(t, &e->state.fresh[i]);
    keep(t, &e->past.n, sizeof e->past.n);
    keep(t, &e->state.storm, sizeof e->state.storm);
    keep(t, e->state.x, (size_t)w * sizeof *e->state.x);
    keep(t, e->state.scale, (size_t)w * sizeof *e->state.scale);
    keep_step(t, &e->state.step, w);
    keep_step(t, before, w);
    closure_error *r = &e->error;
    double *error[] = {&e->state.step_error, &e->state.newton_rest,  &r->inside,         &r->worst,
                       &r->digits_until,     &r->horizon.log_growth, &r->horizon.largest};
    for (size_t i = 0; i < sizeof error / sizeof *error; i++) keep(t, error[i], sizeof(double));
    keep_flag(t, &r->lost);
    keep(t, r->B, (size_t)(w * w) * sizeof *r->B);
    keep(t, r->change, (size_t)w * sizeof *r->change);
    keep(t, e->ledger.sums, (size_t)(e->plan.n_drive + 3 * e->plan.m) * sizeof *e->ledger.sums);
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
    return s->n == e->state.nx && s->t >= 0 && s->h >= 0 && isfinite(s->t + s->h) &&
           jd_state_finite(RADAU_NODES * (size_t)e->state.nx, s->x);
}

// The phase, and what its unknowns and guards are numbered by.
static bool phase_fits(const closure *e) {
    bool smooth = e->state.phase == SMOOTH, contact = e->plan.m > 0;
    return smooth != contact && (e->state.phase != STUCK || e->plan.wave) &&
           (e->state.phase != SLIDE || !e->plan.wave) &&
           e->state.nx == jd_phase_size(e, e->state.phase) && e->state.guard >= 0 &&
           e->state.guard < GUARDS && e->past.n >= 0 && e->past.n <= RING &&
           jd_state_count(e->state.storm);
}

static const char *wrong_motion(const closure *e) {
    const double number[] = {e->state.sign,   e->state.denominator, e->state.attraction,
                             e->ledger.start, e->ledger.damping,    e->state.h};
    size_t width = (size_t)e->plan.n + 2, sums = (size_t)e->plan.n_drive + 3 * (size_t)e->plan.m;
    if (!jd_state_finite(sizeof number / sizeof *number, number)) return "a number is";
    if (!jd_state_finite(sums, e->ledger.sums)) return "an energy is";
    if (!jd_state_finite((size_t)e->state.nx, e->state.x)) return "the motion is";
    for (size_t i = 0; i < width; i++)
        if (!(e->state.scale[i] > 0 && isfinite(e->state.scale[i]))) return "a scale is";
    if (!(e->state.t >= 0 && e->state.t <= e->run->t)) return "the time of its step is";
    if (e->state.pending && !(step_fits(e, &e->state.step) && e->state.step.t == e->state.t))
        return "its step is";
    const radau_step *before = &e->past.step[0];
    if (e->past.n && !(step_fits(e, before) && before->t <= e->state.t))
        return "the step before is";
    return NULL;
}

// Errors may be infinite; those of a motion that is lost may be anything.
static const char *wrong_error(const closure *e) {
    const closure_error *r = &e->error;
    const double size[] = {e->state.step_error, e->state.newton_rest, r->inside, r->worst};
    int n = e->state.nx;
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
    e->past.next = 1; // where the step before is read to
    keep_all(&t, e);
    if (t.odd || !phase_fits(e)) return jd_state_refuse(run, "its phase is");
    const char *wrong = wrong_motion(e);
    if (!wrong) wrong = wrong_error(e);
    if (wrong) return jd_state_refuse(run, wrong);
    e->past.n = e->past.n > 0;
    e->past.next = e->past.n;
    e->solver.lu_n = e->aside.lu_n = 0;
    e->error.ahead = false;
    jd_closure_segments(e, e->state.t);
    if (e->plan.m) jd_run_set_state(run, 0, jd_closure_contact_state(e->state.phase));
    return JD_OK;
}

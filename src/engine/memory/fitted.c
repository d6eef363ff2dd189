// fitted.c -- infinitely many modes as channels: the poles of a fit, one channel per pole and place
//   of force, and one channel without force for every mode that moves at the start.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "engine/memory/memory.h"
#include "kernel/choice.h"
#include "problem/initial.h"
#include "problem/memory.h"
#include "problem/parts.h"

typedef struct source {
    double re, im, size;
    int place, pole; // place < 0: free motion of mode `pole`
    double other;    // its other pole where both are real, else 0
} source;

static int by_size(const void *a, const void *b) {
    const source *p = a, *q = b;
    if (p->size != q->size) return p->size < q->size ? -1 : 1;
    if (p->place != q->place) return p->place - q->place;
    return p->pole - q->pole; // two real poles of one mode differ in size
}

static void add(source *list, int *n, double re, double im, int place, int pole) {
    list[(*n)++] = (source){re, im, hypot(re, im), place, pole, 0};
}

// Free motion of mode k: one pole of a pair, or two real ones.
static void add_free(source *list, int *n, double omega2, double a, int k) {
    if (omega2 > a * a) {
        add(list, n, -a, sqrt(omega2 - a * a), -1, k);
        return;
    }
    double fast = -a - sqrt(a * a - omega2), slow = omega2 / fast;
    add(list, n, slow, 0, -1, k);
    list[*n - 1].other = fast;
    add(list, n, fast, 0, -1, k);
    list[*n - 1].other = slow;
}

// z(0) = q' - s2 q, s2 the other pole; velocity of contact i: n_i Re(-i s z/Im s), n_i s z/(s - s2)
static void set_free(memory *e, int p, const source *from, double q, double rate) {
    channels *c = &e->ch;
    const jd_system *y = jd_problem_system(e->run->problem);
    bool pair = c->im[p] > 0;
    c->z_re[p] = rate - (pair ? c->re[p] : from->other) * q;
    c->z_im[p] = c->im[p] * q;
    for (int i = 0; i < e->m; i++) {
        double n = y->contact[i][from->pole].hi;
        c->out_re[i * c->n + p] = pair ? n : n * c->re[p] / (c->re[p] - from->other);
        c->out_im[i * c->n + p] = pair ? -n * c->re[p] / c->im[p] : 0;
    }
}

static void set_forced(memory *e, int p, const source *s, const jd_fit *f, int places) {
    channels *c = &e->ch;
    if (s->place < e->m)
        c->in_re[s->place * c->n + p] = 1;
    else
        e->drive[s->place - e->m].in_re[p] = 1;
    for (int i = 0; f->residue_re && i < e->m; i++) {
        int at = (i * places + s->place) * f->n + s->pole;
        c->out_re[i * c->n + p] = f->residue_re[at];
        c->out_im[i * c->n + p] = f->residue_im[at];
    }
}

// A damping matrix couples the modes of a body beside one with all its modes: its free motion is
// no sum over modes.
static jd_status refuse_coupled(memory *e) {
    for (int k = 0; k < e->n_mode; k++) {
        if (!e->moving[k]) continue;
        jd_fail(e->run->context, JD_NOT_SUPPORTED,
                "a body moves at the start whose modes a damping matrix couples, beside one with "
                "infinitely many modes");
        jd_fail_where(e->run->context, "start");
        jd_fail_hint(e->run->context, "start from rest, or say how many modes to keep");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

static jd_status refuse_start(memory *e) {
    const jd_problem *p = e->run->problem;
    if (jd_problem_start(p)->type != &jd_start_static || e->n_drive == 0) return JD_OK;
    jd_fail(e->run->context, JD_NOT_SUPPORTED,
            "an equilibrium under loads is not known with infinitely many modes");
    jd_fail_where(e->run->context, "start");
    jd_fail_hint(e->run->context, "start from rest, or say how many modes to keep");
    return JD_NOT_SUPPORTED;
}

static jd_status set_jumps(memory *e, const jd_response *r) {
    int places = jd_response_places(r);
    const double *gamma = jd_response_jump(r);
    double *jump = JD_TAKE(e->arena, double, e->n_drive * e->m);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; i < e->m; i++) {
        for (int j = 0; j < e->m; j++) e->ch.gamma[i * e->m + j] = gamma[i * places + j];
        for (int d = 0; d < e->n_drive; d++) jump[d * e->m + i] = gamma[i * places + e->m + d];
    }
    e->drive_jump = jump;
    return JD_OK;
}

static jd_status build(memory *e, const jd_response *r, const jd_fit *f) {
    const jd_modal *modal = &jd_problem_system(e->run->problem)->modal;
    int places = jd_response_places(r), used = 0;
    double *q = JD_TAKE(e->arena, double, modal->n), *rate = JD_TAKE(e->arena, double, modal->n);
    source *list = JD_TAKE(e->arena, source, 2 * modal->n + f->n * places + 1);
    JD_TRY(jd_arena_status(e->arena));
    JD_TRY(jd_problem_initial(e->run->problem, q, rate));
    for (int k = 0; k < modal->n; k++) {
        double a = modal->c[k] / 2, omega2 = modal->omega2[k].hi;
        e->moving[k] = e->moving[k] || q[k] != 0 || rate[k] != 0;
        if (e->moving[k]) add_free(list, &used, omega2, a, k);
    }
    if (modal->law == JD_DAMPING_FULL) JD_TRY(refuse_coupled(e));
    if (used == 0 && f->n == 0)
        add(list, &used, -1, 1, -1, 0); // at rest: a channel that does nothing
    for (int p = 0; p < f->n; p++)
        for (int j = 0; j < places; j++) add(list, &used, f->re[p], f->im[p], j, p);
    qsort(list, (size_t)used, sizeof *list, by_size);
    e->rows = e->m;
    e->ch = (channels){.error = f->error, .kept = f->kept};
    JD_TRY(channels_take(e, used, &e->ch));
    for (int p = 0; p < used; p++) {
        e->ch.re[p] = list[p].re;
        e->ch.im[p] = list[p].im;
        if (list[p].place < 0)
            set_free(e, p, &list[p], q[list[p].pole], rate[list[p].pole]);
        else
            set_forced(e, p, &list[p], f, places);
    }
    JD_TRY(set_jumps(e, r));
    channels_finish(e);
    return JD_OK;
}

// Waves that come back instead of poles: free motion, and what little damping does to the lowest
// modes, is left to the channels.
static jd_status build_echoes(memory *e, const jd_response *r, const jd_comb *comb) {
    JD_TRY(build(e, r, &comb->fit));
    e->echo = JD_TAKE(e->arena, echoes, 1);
    JD_TRY(jd_arena_status(e->arena));
    e->echo->sharp = comb->width == 0;
    e->echo->jump = e->drive_jump; // comes back with the echoes
    e->drive_jump = NULL;
    const jd_response *wave, *rest;
    JD_TRY(jd_comb_body(e->arena, r, &wave, &rest));
    return delay_create(e->arena, wave, comb, e->nodes.s, &e->echo->line);
}

static jd_status take_form(memory *e, const jd_response *r, jd_memory_form asked) {
    jd_memory_choice choice;
    jd_arena *scratch = jd_arena_create(e->run->context);
    if (!scratch) return JD_OUT_OF_MEMORY;
    jd_status s = jd_memory_choose(scratch, r, e->tolerance, asked, &choice);
    if (s == JD_OK) s = choice.delays ? build_echoes(e, r, &choice.comb) : build(e, r, &choice.fit);
    jd_arena_free(scratch);
    return s;
}

jd_status channels_fitted(memory *e) {
    const jd_simulate_def *sim = jd_problem_section(e->run->problem, JD_SIMULATE, NULL);
    jd_response *r;
    JD_TRY(refuse_start(e));
    JD_TRY(jd_problem_response(e->run->context, e->run->problem, &r));
    jd_status s = stops_check(e, r);
    if (s == JD_OK) s = take_form(e, r, (jd_memory_form)sim->memory);
    jd_response_free(r);
    return s;
}

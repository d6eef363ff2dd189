// replay_hold.c -- states of waves under way that are put aside and taken up again within a run.
#include <string.h>

#include "engine/memory/observers/replay_inside.h"

static int filter_size(const memory *e) {
    return (2 * e->plan->m + e->plan->n_drive) * FILTER_POLES;
}

static jd_status take(memory *e, replay_held *h) {
    int n = e->plan->poles.n, m = e->plan->m;
    if (h->line) return JD_OK;
    h->z_re = JD_TAKE(e->arena, double, n);
    h->z_im = JD_TAKE(e->arena, double, n);
    h->moved = JD_TAKE(e->arena, double, m);
    h->force = JD_TAKE(e->arena, double, m);
    if (e->state.echo->filtered) h->filtered = JD_TAKE(e->arena, double, filter_size(e));
    h->contact = JD_TAKE(e->arena, jd_contact_state, m);
    h->side = JD_TAKE(e->arena, stop_side, m);
    JD_TRY(jd_arena_status(e->arena));
    return jd_delay_clone(e->arena, e->state.echo->line, &h->line);
}

static void copy(const memory *e, const replay_held *from, const replay_held *to) {
    size_t n = (size_t)e->plan->poles.n, m = (size_t)e->plan->m;
    memcpy(to->z_re, from->z_re, n * sizeof *to->z_re);
    memcpy(to->z_im, from->z_im, n * sizeof *to->z_im);
    memcpy(to->moved, from->moved, m * sizeof *to->moved);
    if (to->filtered)
        memcpy(to->filtered, from->filtered, (size_t)filter_size(e) * sizeof *to->filtered);
    memcpy(to->force, from->force, m * sizeof *to->force);
    memcpy(to->contact, from->contact, m * sizeof *to->contact);
    memcpy(to->side, from->side, m * sizeof *to->side);
}

// The state of the run, seen as one that is held.
static replay_held of_run(const memory *e) {
    const memory_state *s = &e->state;
    return (replay_held){.t = s->t,
                         .step = s->step,
                         .z_re = s->z_re,
                         .z_im = s->z_im,
                         .moved = s->echo->moved,
                         .filtered = s->echo->filtered,
                         .force = s->force,
                         .contact = s->contact,
                         .side = s->side};
}

static jd_status put(memory *e, const replay_held *from, const delay_line *line, int slot) {
    replay_held *h = &e->observers.replay->held[slot];
    JD_TRY(take(e, h));
    h->t = from->t;
    h->step = from->step;
    copy(e, from, h);
    return jd_delay_copy(h->line, line, 0);
}

jd_status jd_replay_hold(jd_run *run, int slot) {
    memory *e = run->state;
    replay_held now = of_run(e);
    return put(e, &now, e->state.echo->line, slot);
}

jd_status jd_replay_keep(jd_run *run, int to, int from) {
    memory *e = run->state;
    const replay_held *h = &e->observers.replay->held[from];
    return put(e, h, h->line, to);
}

jd_status jd_replay_return(jd_run *run, int slot) {
    memory *e = run->state;
    const replay_held *h = &e->observers.replay->held[slot];
    jd_panel_drop(e);
    JD_TRY(jd_delay_copy(e->state.echo->line, h->line, 0));
    replay_held now = of_run(e);
    copy(e, h, &now);
    e->state.t = h->t; // stamps are those of then
    jd_memory_put_back(run, h->t);
    e->state.step = h->step;
    return JD_OK;
}

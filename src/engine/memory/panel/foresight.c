// foresight.c -- how long a panel may be, from the panels one period ago.
//   What comes back to a contact is what left it one period T earlier: where a panel had to be
//   short then, one has to be short now. The error of a panel says how long it could have been,
//     s_i = h_i 0.85 error_i^(-1/4)     (panel.c)
//   A panel that begins at t may reach up to the first rough place of [t - T, ...]:
//     h = min_i max(1.2 s_i, t_i - (t - T))     over the panels i that it covers, one T ago
//   Without it a panel runs into the place and is solved again and again, shorter. The error of a
//   panel is looked at as before: this is a guess of its length alone. T is not quite the period of
//   the motion, so that lengths differ from one to the next: analyses go without.
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "engine/memory/memory.h"

enum { MOST = 2048 };                  // panels that are kept
static const double longer = 1.2;      // than a panel could have been one period ago
static const double faster = 2.5;      // than the step control lets a panel grow by itself
static const double negligible = 1e-6; // of the largest step: shorter panels say nothing

jd_status jd_foresight_create(memory *e) {
    foresight *f = &e->state.foresight;
    *f = (foresight){.t = JD_TAKE(e->arena, double, MOST), .step = JD_TAKE(e->arena, double, MOST)};
    return jd_arena_status(e->arena);
}

void jd_foresight_clear(memory *e) { e->state.foresight.first = e->state.foresight.end = 0; }

void jd_foresight_shift(memory *e, double by) {
    foresight *f = &e->state.foresight;
    for (int i = f->first; i < f->end; i++) f->t[i] += by;
}

// After which waves are back; of the lowest pole or drive, whose 2/|lambda| is the longest step.
static double period_of(const memory *e) {
    return e->plan->echo ? jd_delay_period(e->state.echo->line) : JD_PI * e->plan->largest_step;
}

double jd_foresight_step(memory *e, double wanted) {
    foresight *f = &e->state.foresight;
    double then = e->state.t - period_of(e), most = HUGE_VAL;
    if (e->run->repeats) return wanted;
    while (f->first + 1 < f->end && f->t[f->first + 1] <= then) f->first++;
    if (f->first == f->end || f->t[f->first] > then) return wanted;
    for (int i = f->first; i < f->end; i++) {
        double away = f->t[i] - then, reach = longer * f->step[i];
        if (away >= most) break;
        if (reach < away) reach = away;
        if (reach < most) most = reach;
    }
    return fmin(most, faster * wanted);
}

// Room for one more: the oldest go, those of more than a period ago first.
static void make_room(foresight *f) {
    if (f->end < MOST) return;
    if (f->first < MOST / 2) f->first = MOST / 2;
    size_t n = (size_t)(f->end - f->first);
    memmove(f->t, f->t + f->first, n * sizeof *f->t);
    memmove(f->step, f->step + f->first, n * sizeof *f->step);
    f->end -= f->first;
    f->first = 0;
}

void jd_foresight_note(memory *e) {
    foresight *f = &e->state.foresight;
    if (!(e->panel.could_be > negligible * e->plan->largest_step)) return;
    make_room(f);
    f->t[f->end] = e->state.t;
    f->step[f->end++] = e->panel.could_be;
}

void jd_foresight_visit(memory *e, snapshot *s) {
    foresight *f = &e->state.foresight;
    int n = f->end - f->first;
    snapshot_whole(s, &n);
    if (n < 0 || n > MOST) snapshot_odd(s, "a count is");
    if (s->odd) return;
    if (s->from) f->first = 0, f->end = n;
    snapshot_reals(s, f->t + f->first, n);
    snapshot_reals(s, f->step + f->first, n);
    for (int i = f->first; s->from && i < f->end; i++) {
        bool late = i > f->first && f->t[i] < f->t[i - 1];
        if (late || f->t[i] > e->state.t) snapshot_odd(s, "a time of its panels is");
        if (!(f->step[i] > 0)) snapshot_odd(s, "a length of time is");
    }
}

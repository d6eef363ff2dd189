// measure.c -- the number that is drawn over the parameter: `tip.displacement.max`.
//   Contacts: certified extremes (jd_run_ranges). Points: the round is looked at at both ends of
//   every phase and at 48 times a period; a largest value between two looks is found by parabolas
//   through three of them (error of the value: square of the error in time).
#include <math.h>
#include <string.h>

#include "analysis/follow/curve.h"
#include "drive/kind.h"
#include "problem/system.h"

enum { LOOKS = 48, PARABOLAS = 12 };

static const char *const quantities[] = {"displacement", "velocity", "force", "impact", NULL};
static const char *const kinds[] = {"max", "min", "amplitude", NULL};

static int find(const char *word, const char *const *list) {
    for (int i = 0; list[i]; i++)
        if (!strcmp(word, list[i])) return i;
    return -1;
}

static jd_status refuse(jd_context *context, const char *text) {
    jd_fail(context, JD_UNKNOWN_NAME, "`%s` is not a measure", text);
    jd_fail_where(context, "follow.measure");
    jd_fail_hint(context, "a contact or point, then displacement, velocity, force or impact, then "
                          "max, min or amplitude: tip.displacement.max");
    return JD_UNKNOWN_NAME;
}

// Splits off the word after the last dot.
static char *last_word(char *text) {
    char *dot = strrchr(text, '.');
    if (!dot) return NULL;
    *dot = 0;
    return dot + 1;
}

static int find_contact(const jd_problem *p, const char *name) {
    for (int i = 0; i < jd_problem_contacts(p); i++)
        if (!strcmp(jd_problem_contact(p, i)->name, name)) return i;
    return -1;
}

jd_status jd_measure_parse(curve *c, const char *text) {
    measure *m = &c->seen.measure;
    *m = (measure){.contact = -1};
    if (!text || !*text) { // the first contact, or where the first drive acts
        const jd_drive_place *d =
            jd_problem_drives(c->problem) ? jd_problem_drive(c->problem, 0)->def : NULL;
        if (jd_problem_contacts(c->problem) > 0)
            text = jd_arena_format(c->arena, "%s.displacement.max",
                                   jd_problem_contact(c->problem, 0)->name);
        else if (d && d->at.point)
            text =
                jd_arena_format(c->arena, "%s%s%s.displacement.max", d->at.body ? d->at.body : "",
                                d->at.body ? "." : "", d->at.point);
        else
            return refuse(c->context, "");
        JD_TRY(jd_arena_status(c->arena));
    }
    m->text = jd_arena_text(c->arena, text);
    char *name = jd_arena_text(c->arena, text);
    JD_TRY(jd_arena_status(c->arena));
    char *kind = last_word(name), *quantity = kind ? last_word(name) : NULL;
    if (!quantity) return refuse(c->context, text);
    m->kind = find(kind, kinds);
    m->quantity = find(quantity, quantities);
    if (m->kind < 0 || m->quantity < 0) return refuse(c->context, text);
    m->contact = find_contact(c->problem, name);
    m->point = name;
    if (m->contact >= 0) return JD_OK;
    if (m->quantity >= 2) return refuse(c->context, text); // no force at a bare point
    jd_dd *row = JD_TAKE(c->arena, jd_dd, jd_problem_system(c->problem)->modal.n);
    JD_TRY(jd_arena_status(c->arena));
    return jd_problem_row(c->problem, name, row);
}

static double look(curve *c, double t) {
    jd_run_observe(c->run, t, &c->seen.observed[0], &c->seen.observed[1]);
    return c->seen.observed[c->seen.measure.quantity];
}

// Three looks with the middle one above (sign 1) or below (-1) both others: the extreme.
static double refine(curve *c, double sign, double t[3], double f[3]) {
    for (int i = 0; i < PARABOLAS; i++) {
        double a = t[1] - t[0], b = t[2] - t[1], p = (f[1] - f[0]) / a, q = (f[2] - f[1]) / b,
               curvature = (q - p) / (a + b), at = 0.5 * (t[0] + t[1]) - p / (2 * curvature);
        if (!(at > t[0] && at < t[2]) || fabs(at - t[1]) < 1e-9 * (t[2] - t[0])) break;
        double value = look(c, at);
        bool right = at > t[1], better = sign * value > sign * f[1];
        int drop = right == better ? 0 : 2;
        if (better) {
            t[drop] = t[1];
            f[drop] = f[1];
            t[1] = at;
            f[1] = value;
        } else {
            t[drop] = at;
            f[drop] = value;
        }
    }
    return f[1];
}

typedef struct window {
    double t[3], f[3];
    int n; // looks in this phase so far, at most 3
    double max, min;
} window;

static void include(window *w, double value) {
    w->max = fmax(w->max, value);
    w->min = fmin(w->min, value);
}

static void add_look(curve *c, window *w, double t) {
    if (w->n > 0 && t <= w->t[w->n - 1]) return;
    double f = look(c, t);
    include(w, f);
    if (w->n == 3) {
        memmove(w->t, w->t + 1, 2 * sizeof *w->t);
        memmove(w->f, w->f + 1, 2 * sizeof *w->f);
        w->n = 2;
    }
    w->t[w->n] = t;
    w->f[w->n++] = f;
    if (w->n < 3) return;
    double sign = w->f[1] > w->f[0] && w->f[1] > w->f[2]   ? 1
                  : w->f[1] < w->f[0] && w->f[1] < w->f[2] ? -1
                                                           : 0;
    if (sign == 0) return;
    window copy = *w;
    include(w, refine(c, sign, copy.t, copy.f));
}

// Goes to `stop`, which lies before the next event, and looks there and at the phase's start.
static jd_status look_at(curve *c, window *w, double begin, double stop) {
    jd_step step;
    JD_TRY(jd_run_advance(c->run, stop, &step));
    if (step != JD_STEP_TIME) return JD_OK; // an event within rounding of the stop: next time
    if (w->n == 0) add_look(c, w, begin);
    add_look(c, w, stop);
    return JD_OK;
}

// Approach speeds of the impacts of the last round.
static double impact_speed(const curve *c) {
    double max = -HUGE_VAL, min = HUGE_VAL;
    for (int i = 0; i < c->sh->last.n_event; i++) {
        const jd_event *e = &c->sh->last.event[i];
        if (e->contact != c->seen.measure.contact || !jd_event_is_impact(e)) continue;
        max = fmax(max, fabs(e->speed));
        min = fmin(min, fabs(e->speed));
    }
    if (!isfinite(min)) return 0; // no impact
    return c->seen.measure.kind == 0 ? max : c->seen.measure.kind == 1 ? min : (max - min) / 2;
}

static double pick(const curve *c, double max, double min) {
    return c->seen.measure.kind == 0 ? max : c->seen.measure.kind == 1 ? min : (max - min) / 2;
}

// Certified extremes of a contact over the last round.
static double contact_extreme(const curve *c) {
    const jd_contact_ranges *r = &c->seen.ranges[c->seen.measure.contact];
    const jd_range *all[] = {&r->displacement, &r->velocity, &r->force};
    return pick(c, all[c->seen.measure.quantity]->max, all[c->seen.measure.quantity]->min);
}

jd_status jd_measure_take(curve *c, double *out) {
    if (c->seen.measure.quantity == 3) return *out = impact_speed(c), JD_OK;
    if (c->seen.measure.contact >= 0) return *out = contact_extreme(c), JD_OK;
    double T = c->sh->period, start = c->sh->start, begin = start;
    window w = {.max = -HUGE_VAL, .min = HUGE_VAL};
    JD_TRY(c->run->class->map.restart(c->run, start, c->sh->s, &c->phase));
    // a little beyond the period: an extreme at its very end or start is between two looks as well
    for (int i = 1, event = 0, n = c->sh->last.n_event; i <= LOOKS + 2;) {
        int rounds = n ? event / n : 0; // whole periods before this event
        double t = start + T * i / LOOKS,
               at = n ? c->sh->last.event[event % n].t + T * rounds : HUGE_VAL;
        if (at > t) {
            JD_TRY(look_at(c, &w, begin, t));
            i++;
            continue;
        }
        event++;
        if (at > begin) JD_TRY(look_at(c, &w, begin, nextafter(at, 0)));
        jd_step step;
        JD_TRY(jd_run_advance(c->run, at, &step));
        begin = at;
        w.n = 0;
    }
    *out = pick(c, w.max, w.min);
    return JD_OK;
}

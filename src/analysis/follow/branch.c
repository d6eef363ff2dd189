// branch.c -- lists of points, special points and phase strings; judging a converged orbit.
#include "analysis/follow/two/pair.h"

#include <math.h>
#include <string.h>

enum { MOST_SPECTRUM = 2000000 }; // multipliers kept of a branch

void *jd_branch_grow(jd_arena *arena, void *list, int n, int *room, size_t size) {
    if (n < *room) return list;
    int more = *room ? 2 * *room : 64;
    void *fresh = jd_arena_take(arena, (size_t)more, size);
    if (!fresh) return NULL;
    if (n) memcpy(fresh, list, (size_t)n * size);
    *room = more;
    return fresh;
}

static jd_status take_place(jd_follow *f, place *p) {
    const curve *c = &f->curve;
    p->y = JD_TAKE(f->arena, double, c->N);
    p->tangent = JD_TAKE(f->arena, double, c->N);
    p->multiplier = JD_TAKE(f->arena, double, 2 * c->n);
    p->also = JD_TAKE(f->arena, double, c->seen.n_value);
    p->origin = JD_TAKE(f->arena, double, JD_SHOOT_TURNS * c->n);
    p->rhythm.time = JD_TAKE(f->arena, double, MOST_EVENTS);
    p->rhythm.end = JD_TAKE(f->arena, double, MOST_EVENTS);
    p->margin = JD_TAKE(f->arena, double, MOST_EVENTS * c->sh->last.n_margin);
    return jd_arena_status(f->arena);
}

jd_status jd_branch_open(jd_follow *f) {
    place *all[] = {&f->at.here,   &f->at.there, &f->at.left,   &f->at.right,
                    &f->at.middle, &f->at.old,   &f->at.before, &f->at.prior};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) JD_TRY(take_place(f, all[i]));
    for (int i = 0; i <= NESTED; i++) JD_TRY(take_place(f, &f->at.near[i]));
    for (int i = 0; i <= NESTED; i++) JD_TRY(take_place(f, &f->at.far[i]));
    for (int i = 0; i < NESTED; i++) JD_TRY(take_place(f, &f->at.inside[i]));
    for (int i = 0; i < 2 * TREND; i++) JD_TRY(take_place(f, &f->at.trend[i]));
    for (int i = 0; i < DIG; i++) JD_TRY(take_place(f, &f->at.dig[i]));
    JD_TRY(take_place(f, &f->at.flip));
    JD_TRY(take_place(f, &f->at.mark));
    JD_TRY(take_place(f, &f->at.cross));
    if (f->family) JD_TRY(take_place(f, &f->at.peak));
    JD_TRY(take_place(f, &f->at.touch));
    JD_TRY(jd_enter_open(f));
    f->walk.drift = JD_TAKE(f->arena, double, MOST_EVENTS);
    f->list.string = JD_TAKE(f->arena, char, STRING_SIZE);
    return jd_arena_status(f->arena);
}

void jd_place_copy(const curve *c, const place *from, place *to) {
    memcpy(to->y, from->y, (size_t)c->N * sizeof *to->y);
    memcpy(to->tangent, from->tangent, (size_t)c->N * sizeof *to->tangent);
    memcpy(to->multiplier, from->multiplier, (size_t)(2 * c->n) * sizeof *to->multiplier);
    if (from->origin)
        memcpy(to->origin, from->origin, (size_t)(c->sh->turns * c->n) * sizeof *to->origin);
    memcpy(to->also, from->also, (size_t)c->seen.n_value * sizeof *to->also);
    to->anchor = from->anchor;
    to->phase = from->phase;
    to->rhythm.n = from->rhythm.n;
    to->rhythm.repeat = from->rhythm.repeat;
    to->rhythm.start = from->rhythm.start;
    to->n_margin = from->n_margin;
    memcpy(to->margin, from->margin, (size_t)from->n_margin * sizeof *to->margin);
    memcpy(to->rhythm.time, from->rhythm.time, (size_t)from->rhythm.n * sizeof *to->rhythm.time);
    memcpy(to->rhythm.end, from->rhythm.end, (size_t)from->rhythm.n * sizeof *to->rhythm.end);
    to->point = from->point;
    to->slowest_impact = from->slowest_impact;
    to->fastest_impact = from->fastest_impact;
    to->n_impact = from->n_impact;
    to->n_landing = from->n_landing;
    to->rest = from->rest;
    to->shortest = from->shortest;
    to->shortest_length = from->shortest_length;
    to->resting = from->resting;
    to->slack = from->slack;
    to->members = from->members;
    to->odd = from->odd;
    to->loose = from->loose;
}

jd_status jd_branch_string(jd_follow *f, rhythm *r, int *index) {
    jd_phase_string(&f->curve, f->list.string, STRING_SIZE, r);
    for (*index = 0; *index < f->view.n_phases; ++*index)
        if (!strcmp(f->list.phases[*index], f->list.string)) return JD_OK;
    f->list.phases = jd_branch_grow(f->arena, f->list.phases, f->view.n_phases,
                                    &f->list.phases_room, sizeof *f->list.phases);
    const char *copy = jd_arena_text(f->arena, f->list.string);
    JD_TRY(jd_arena_status(f->arena));
    f->list.phases[f->view.n_phases++] = copy;
    return JD_OK;
}

static void impacts(const curve *c, place *p) {
    p->slowest_impact = HUGE_VAL;
    p->fastest_impact = 0;
    p->n_impact = 0;
    for (int i = 0; i < c->sh->last.n_event; i++)
        if (jd_event_is_impact(&c->sh->last.event[i]))
            p->fastest_impact = fmax(p->fastest_impact, fabs(c->sh->last.event[i].speed));
    for (int i = 0; i < c->events.n_listed; i++) {
        const jd_event *e = &c->sh->last.event[c->events.listed[i]];
        if (!jd_event_is_impact(e)) continue;
        p->slowest_impact = fmin(p->slowest_impact, fabs(e->speed));
        p->n_impact++;
    }
}

// Rests at stops, from the last bounce that is computed to the next event of the contact.
static void landings(const curve *c, place *p) {
    int n = c->events.n_listed;
    p->n_landing = 0;
    p->rest = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        const jd_event *e = &c->sh->last.event[c->events.listed[i]];
        if (!jd_event_is_landing(e)) continue;
        p->n_landing++;
        int next = i + 1;
        while (next < i + n && c->sh->last.event[c->events.listed[next % n]].contact != e->contact)
            next++;
        double length = (c->sh->last.event[c->events.listed[next % n]].t - e->t) / c->sh->period;
        p->rest = fmin(p->rest, fmax(0, next < n ? length : length + 1));
    }
}

// Multipliers this close to the unit circle are on it: undamped motion has them everywhere.
static const double neutral = 1e-9;

void jd_branch_verdict(const curve *c, place *p) {
    jd_branch_point *q = &p->point;
    double largest = 0, error = fmax(neutral, q->multiplier_error);
    for (int i = 0; i < branch_counted(c); i++)
        largest = fmax(largest, hypot(p->multiplier[2 * i], p->multiplier[2 * i + 1]));
    q->stable = largest < 1 - error;
    q->undecided = !q->stable && !(largest > 1 + error);
}

// Along an orbit of free period one multiplier is 1: the one closest to it goes to the end of the
// list, behind those that count, which stay in order of their sizes.
static void set_aside(const curve *c, double *m) {
    int trivial = 0;
    if (c->forced || c->n < 1) return;
    for (int i = 1; i < c->n; i++)
        if (hypot(m[2 * i] - 1, m[2 * i + 1]) < hypot(m[2 * trivial] - 1, m[2 * trivial + 1]))
            trivial = i;
    double one[2] = {m[2 * trivial], m[2 * trivial + 1]};
    memmove(m + 2 * trivial, m + 2 * (trivial + 1), 2 * (size_t)(c->n - 1 - trivial) * sizeof *m);
    memcpy(m + 2 * (c->n - 1), one, sizeof one);
}

void jd_whole_multiplier(const curve *c, const double *m, double *out) {
    double re = m[0], im = m[1];
    out[0] = c->mirrored ? re * re - im * im : re;
    out[1] = c->mirrored ? 2 * re * im : im;
}

static void count_unstable(const curve *c, place *p) {
    const double *m = p->multiplier;
    p->point.n_unstable = 0;
    for (int i = 0; i < branch_counted(c); i++)
        p->point.n_unstable += hypot(m[2 * i], m[2 * i + 1]) > 1 + neutral;
    jd_whole_multiplier(c, m, p->point.multiplier);
    p->point.multiplier_error = 0;
    jd_branch_verdict(c, p);
}

void jd_branch_margins(const curve *c, place *p) {
    const jd_shooting *sh = c->sh;
    int n = p->rhythm.n, m = sh->last.n_margin;
    bool known = sh->last.watch && c->run->class->map.margins && n <= c->events.n_listed;
    p->n_margin = known ? n * m : 0;
    for (int i = 0; i < n && known; i++)
        memcpy(p->margin + i * m, sh->last.margin + c->events.listed[(p->rhythm.start + i) % n] * m,
               (size_t)m * sizeof *p->margin);
}

// Does the second half of the last round mirror the first? What P leaves of the residual may grow
// by M once more.
static bool is_image(const curve *c) {
    double largest = 1;
    for (int i = 0; i < c->n * c->n; i++) largest = fmax(largest, fabs(c->sh->M[i]));
    return c->sh->unclosed < fmin(1e-8 * largest, 1e-4);
}

jd_status jd_branch_judge(jd_follow *f, place *p, const double *old, bool full, bool *good) {
    curve *c = &f->curve;
    bool lost;
    *good = true;
    p->phase = c->phase;
    p->anchor = c->anchor;
    p->point.parameter = jd_curve_parameter(c, p->y);
    p->point.period = c->sh->period;
    p->point.residual = c->residual;
    p->point.n_event = (int)c->events.counted;
    p->shortest = jd_shortest_phase(c, &p->shortest_length);
    p->resting = p->point.resting = c->member.stuck;
    p->members = c->member.n;
    p->slack = jd_member_least_slack(c);
    p->loose = false;
    impacts(c, p);
    landings(c, p);
    JD_TRY(jd_branch_string(f, &p->rhythm, &p->point.phases));
    if (full && !c->newton.fresh) {
        JD_TRY(jd_curve_round(c, p->y, true, &lost));
        if (lost) return *good = false, JD_OK;
    }
    jd_branch_margins(c, p);
    p->point.certified = c->sh->last.certified;
    if (c->mirrored) p->point.residual = fmax(c->residual, c->sh->unclosed);
    if (!full) return JD_OK;
    if (c->mirrored && !is_image(c)) return *good = false, JD_OK;
    memcpy(p->origin, c->sh->origin, (size_t)(c->sh->turns * c->n) * sizeof *p->origin);
    if (!c->forced)
        for (int i = 0; i < c->n; i++) c->newton.rate0[i] = c->sh->scale[i] * c->sh->rate[i] / c->S;
    JD_TRY(jd_branch_start_phase(f, &p->point.start));
    JD_TRY(jd_curve_measure(c, &p->point.amplitude));
    memcpy(p->also, c->seen.value, (size_t)c->seen.n_value * sizeof *p->also);
    JD_TRY(jd_curve_linearise(c, p->y, NULL, &lost));
    c->newton.fresh = false;
    p->odd = p->members && jd_member_odd(c);
    if (!jd_curve_tangent(c, old, p->tangent)) return *good = false, JD_OK;
    JD_TRY(jd_curve_multipliers(c, p->multiplier));
    set_aside(c, p->multiplier);
    count_unstable(c, p);
    return JD_OK;
}

// Multipliers of the whole period, as long as there is room for those of all points.
static jd_status add_spectrum(jd_follow *f, const place *p) {
    int n = f->curve.n, at = f->view.n_point;
    if ((long)n * f->options.points > MOST_SPECTRUM && (long)n * (at + 1) > MOST_SPECTRUM) {
        f->view.kept.n_spectrum = 0;
        return JD_OK;
    }
    f->list.spectrum = jd_branch_grow(f->arena, f->list.spectrum, at, &f->list.spectrum_room,
                                      2 * (size_t)n * sizeof *f->list.spectrum);
    JD_TRY(jd_arena_status(f->arena));
    f->view.kept.n_spectrum = n;
    for (int i = 0; i < n; i++)
        jd_whole_multiplier(&f->curve, p->multiplier + 2 * i,
                            f->list.spectrum + 2 * ((size_t)at * (size_t)n + (size_t)i));
    return JD_OK;
}

static jd_status add_also(jd_follow *f, const place *p) {
    int n = f->view.kept.n_also, at = f->view.n_point;
    if (n == 0) return JD_OK;
    f->list.also = jd_branch_grow(f->arena, f->list.also, at, &f->list.also_room,
                                  (size_t)n * sizeof *f->list.also);
    JD_TRY(jd_arena_status(f->arena));
    memcpy(f->list.also + (size_t)at * (size_t)n, p->also, (size_t)n * sizeof *p->also);
    return JD_OK;
}

void jd_branch_count_point(jd_follow *f) {
    int at = f->view.n_point++;
    if (f->options.listed) f->options.listed(f->options.user, f, at, &f->list.point[at]);
}

jd_status jd_branch_add_point(jd_follow *f, const place *p) {
    int n = f->curve.n, at = f->view.n_point;
    int room = f->list.point_room;
    JD_TRY(add_spectrum(f, p));
    JD_TRY(add_also(f, p));
    f->list.point =
        jd_branch_grow(f->arena, f->list.point, at, &f->list.point_room, sizeof *f->list.point);
    f->list.state =
        jd_branch_grow(f->arena, f->list.state, at, &room, (size_t)n * sizeof *f->list.state);
    JD_TRY(jd_arena_status(f->arena));
    f->list.point[at] = p->point;
    memcpy(f->list.state + at * n, p->origin, (size_t)n * sizeof *f->list.state);
    jd_branch_count_point(f);
    return JD_OK;
}

// The first point of the kind whose curve is wanted; where events change the orbit with fewer.
static void note_mark(jd_follow *f, jd_special_kind kind, const place *before, const place *after) {
    if (f->at.marked || !jd_pair_wants(f->options.curve, kind)) return;
    bool grazes = kind == JD_SPECIAL_GRAZING;
    bool fewer =
        grazes ? after->n_impact < before->n_impact : after->point.n_event < before->point.n_event;
    jd_place_copy(&f->curve, fewer ? after : before, &f->at.mark);
    f->list.mark_first = !fewer;
    f->list.mark_special = f->view.n_special - 1;
    f->at.marked = true;
}

void jd_branch_mark_again(jd_follow *f, const place *before, const place *after) {
    int last = f->view.n_special - 1;
    if (f->at.marked && f->list.mark_special != last) return; // an earlier one
    f->at.marked = false;
    note_mark(f, f->list.special[last].kind, before, after);
}

jd_status jd_branch_add_special(jd_follow *f, jd_special_kind kind, const place *before,
                                const place *after, double error, bool turns,
                                const double *multiplier) {
    f->list.special = jd_branch_grow(f->arena, f->list.special, f->view.n_special,
                                     &f->list.special_room, sizeof *f->list.special);
    JD_TRY(jd_arena_status(f->arena));
    jd_special *s = &f->list.special[f->view.n_special++];
    // an engine that computes to a tolerance moves the point by some of it
    double lambda = before->point.parameter, least = 10 * f->curve.sh->tolerance;
    error = fmax(error, least * fmax(f->curve.parameter.L, fabs(lambda)));
    *s = (jd_special){.kind = kind,
                      .parameter = before->point.parameter,
                      .error = error,
                      .amplitude = before->point.amplitude,
                      .period = before->point.period,
                      .before = before->point.phases,
                      .after = after->point.phases,
                      .turns = turns,
                      .stable_before = before->point.stable,
                      .stable_after = after->point.stable,
                      .undecided_before = before->point.undecided,
                      .undecided_after = after->point.undecided,
                      .point = f->view.n_point};
    s->start = before->point.start;
    s->name = f->curve.seen.n_function > 0 ? "" : NULL;
    double *state = before->origin ? JD_TAKE(f->arena, double, f->curve.n + 1) : NULL;
    JD_TRY(jd_arena_status(f->arena));
    if (state) memcpy(state, before->origin, (size_t)f->curve.n * sizeof *state);
    s->state = state;
    if (multiplier) jd_whole_multiplier(&f->curve, multiplier, s->multiplier);
    note_mark(f, kind, before, after);
    return JD_OK;
}

// Those of stretches that are not proved are of the point behind them.
jd_status jd_branch_special_states(jd_follow *f) {
    int n = f->curve.n;
    if (f->view.n_special == 0 || n == 0 || !f->list.state) return JD_OK;
    double *all = JD_TAKE(f->arena, double, f->view.n_special *n);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0; i < f->view.n_special; i++) {
        const jd_special *s = &f->list.special[i];
        int point = s->point < f->view.n_point ? s->point : f->view.n_point - 1;
        const double *state = s->state ? s->state : f->list.state + (size_t)point * (size_t)n;
        if (s->state || point >= 0)
            memcpy(all + (size_t)i * (size_t)n, state, (size_t)n * sizeof *all);
    }
    f->view.kept.special_state = all;
    return JD_OK;
}

jd_status jd_branch_solve(jd_follow *f, place *p, const place *near, const double *border, bool own,
                          bool *found) {
    curve *c = &f->curve;
    *found = false;
    c->phase = near->phase;
    c->anchor = near->anchor;
    if (!jd_curve_factor(c, border)) return JD_OK;
    return jd_curve_correct(c, p->y, border, own, found);
}

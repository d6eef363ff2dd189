// pair_walk.c -- from the special point found on a branch along its curve in two parameters:
//   pseudo-arclength in z (pair.c), h from the angle between neighbouring tangents, the last
//   step cut at the border of the window: lambda between `to` and a window's length behind `from`,
//   mu in [second_from, second_to].
#include <math.h>
#include <string.h>

#include "analysis/follow/two/pair.h"
#include "linalg/general.h"

static const double shortest = 1e-9;
static const double small_angle = 0.06, large_angle = 0.35; // [rad]

static jd_status add(pair *p) {
    jd_follow *f = p->f;
    if (f->view.n_curve == f->list.curve_room) {
        int room = f->list.curve_room ? 2 * f->list.curve_room : 256;
        jd_curve_point *more = JD_TAKE(f->arena, jd_curve_point, room);
        JD_TRY(jd_arena_status(f->arena));
        if (f->view.n_curve)
            memcpy(more, f->list.curve_point, (size_t)f->view.n_curve * sizeof *more);
        f->list.curve_point = more;
        f->list.curve_room = room;
    }
    f->list.curve_point[f->view.n_curve++] = p->at;
    f->view.end_parameter = p->at.parameter;
    return JD_OK;
}

jd_status jd_pair_direction(pair *p, double *out, bool *good) {
    int U = p->U;
    bool lost;
    double size = 0;
    *good = false;
    JD_TRY(jd_pair_evaluate(p, p->next, p->G, &lost));
    if (lost || (p->by->renew && !p->by->renew(p))) return JD_OK;
    JD_TRY(jd_pair_evaluate(p, p->next, p->G, &lost));
    if (!lost) JD_TRY(jd_pair_derivative(p, p->next, p->G, &lost));
    if (lost) return JD_OK;
    memcpy(p->lu, p->A, (size_t)(U * U) * sizeof *p->lu);
    memcpy(p->lu + U * (U - 1), p->tangent, (size_t)U * sizeof *p->lu);
    if (!jd_lu_factor(U, p->lu, p->pivot)) return JD_OK;
    memset(out, 0, (size_t)U * sizeof *out);
    out[U - 1] = 1;
    jd_lu_solve(U, p->lu, p->pivot, out);
    for (int i = 0; i < U; i++) size += out[i] * out[i];
    *good = size > 0 && isfinite(size);
    for (int i = 0; i < U && *good; i++) out[i] /= sqrt(size);
    return JD_OK;
}

// States in units of the orbit the curve begins at: the branch may have begun at a much smaller
// one.
static void rescale(curve *c, place *mark) {
    double size = 0, length = 0;
    for (int i = 0; i < c->n; i++) size += mark->y[i] * mark->y[i];
    size = sqrt(size);
    if (!(size > 0)) return;
    c->S *= size;
    for (int i = 0; i < c->n; i++) {
        mark->y[i] /= size;
        mark->tangent[i] /= size;
    }
    for (int i = 0; i < c->N; i++) length += mark->tangent[i] * mark->tangent[i];
    for (int i = 0; i < c->N && length > 0; i++) mark->tangent[i] /= sqrt(length);
}

// The point itself, at `second_from`.
static jd_status begin(pair *p, bool *found) {
    jd_follow *f = p->f;
    curve *c = p->c;
    bool lost;
    *found = false;
    c->phase = f->at.mark.phase;
    c->anchor = f->at.mark.anchor;
    memset(p->border, 0, (size_t)c->N * sizeof *p->border);
    p->border[c->N - 1] = 1;
    // an arm without symmetry ends at an orbit that has it
    if (p->kind == JD_CURVE_BRANCH) JD_TRY(jd_curve_mirror_near(c, f->at.mark.y, p->border));
    rescale(c, &f->at.mark);
    memcpy(p->next, f->at.mark.y, (size_t)c->N * sizeof *p->next);
    p->next[p->U - 1] = f->options.second_from / c->parameter.L2;
    p->events = f->at.mark.point.n_event;
    p->tangent[p->U - 1] = f->options.second_to > f->options.second_from ? 1 : -1;
    memcpy(p->border, p->tangent, (size_t)p->U * sizeof *p->border);
    c->parameter.mu_wanted = f->options.second_from;
    JD_TRY(jd_curve_round(c, p->next, true, &lost));
    if (lost) return JD_OK;
    JD_TRY(jd_pair_choose(p, found));
    if (!*found) return JD_OK;
    *found = false;
    for (int i = 0; i < 3; i++) {
        JD_TRY(jd_pair_evaluate(p, p->next, p->G, &lost));
        if (lost || (p->by->renew && !p->by->renew(p))) return JD_OK;
    }
    JD_TRY(jd_pair_evaluate(p, p->next, p->G, &lost));
    if (!lost) JD_TRY(jd_pair_derivative(p, p->next, p->G, &lost));
    if (lost) return JD_OK;
    JD_TRY(jd_pair_solve(p, found));
    if (!*found) return JD_OK;
    JD_TRY(add(p));
    JD_TRY(jd_pair_direction(p, p->z, found)); // z is free yet
    memcpy(p->tangent, p->z, (size_t)p->U * sizeof *p->z);
    memcpy(p->z, p->next, (size_t)p->U * sizeof *p->z);
    return JD_OK;
}

// Cuts the step where coordinate k would pass `end` from the side `inside`.
static void cut(const pair *p, int k, double end, double inside, jd_end_kind kind, double *h,
                int *at, double *value, jd_end_kind *why) {
    double rate = p->tangent[k], way = (end - p->z[k]) / rate;
    if (inside * rate >= 0 || !(way < *h)) return;
    *h = fmax(way, 0);
    *at = k;
    *value = end;
    *why = kind;
}

// Prediction at arclength h; true: it ends at the border of the window.
static bool predict(pair *p, double h, jd_end_kind *why) {
    const jd_follow_options *o = &p->f->options;
    const curve *c = p->c;
    int k = -1, U = p->U;
    double value = 0, up = o->second_to > o->second_from ? 1 : -1;
    cut(p, U - 1, o->second_to / c->parameter.L2, -up, JD_END_TO, &h, &k, &value, why);
    cut(p, U - 1, o->second_from / c->parameter.L2, up, JD_END_BACK, &h, &k, &value, why);
    double back = 2 * o->from - o->to; // as far as a branch may go
    cut(p, U - 2, fmin(back, o->to) / c->parameter.L, 1, JD_END_SIDE, &h, &k, &value, why);
    cut(p, U - 2, fmax(back, o->to) / c->parameter.L, -1, JD_END_SIDE, &h, &k, &value, why);
    for (int i = 0; i < U; i++) p->next[i] = p->z[i] + h * p->tangent[i];
    memcpy(p->border, p->tangent, (size_t)U * sizeof *p->border);
    if (k < 0) return false;
    memset(p->border, 0, (size_t)U * sizeof *p->border);
    p->border[k] = 1;
    p->next[k] = value;
    return true;
}

// One step of length *h, which gets the next one. found: a point was added.
static jd_status advance(pair *p, double *h, bool *found, bool *last, double *fresh) {
    double before[PAIR_WATCHED], here[PAIR_WATCHED], angle = 0;
    memcpy(before, p->watched, sizeof before);
    *last = predict(p, *h, &p->f->view.end);
    JD_TRY(jd_pair_solve(p, found));
    pair_impacts impacts = p->impacts;
    jd_curve_point at = p->at;
    memcpy(here, p->watched, sizeof here);
    memcpy(fresh, p->tangent, (size_t)p->U * sizeof *fresh);
    if (*found && !*last) {
        JD_TRY(jd_pair_direction(p, fresh, found));
        double cosine = 0;
        for (int i = 0; i < p->U; i++) cosine += fresh[i] * p->tangent[i];
        angle = acos(fmax(-1, fmin(1, cosine)));
    }
    *found = *found && (angle < large_angle || *h < 1e-6);
    memcpy(p->watched, *found ? here : before, sizeof here);
    if (!*found) return *h /= 2, JD_OK;
    p->at = at;
    bool ends, missed;
    JD_TRY(jd_pair_codimension(p, before, fresh, &ends, &missed));
    if (missed) { // it ends within this step, nobody knows where: a shorter one
        memcpy(p->watched, before, sizeof before);
        *found = false;
        return *h /= 2, JD_OK;
    }
    JD_TRY(add(p));
    if (ends) p->f->view.end = JD_END_RESONANCE;
    if (ends) return *last = true, JD_OK;
    p->impacts = impacts;
    JD_TRY(jd_pair_touches(p, *h, &ends));
    if (ends) p->f->view.end = JD_END_GRAZING;
    if (ends) return *last = true, JD_OK;
    memcpy(p->z, p->next, (size_t)p->U * sizeof *p->z);
    if (!*last) memcpy(p->tangent, fresh, (size_t)p->U * sizeof *fresh);
    if (angle < small_angle) *h *= 1.6;
    if (angle > 2 * small_angle) *h *= 0.7;
    return JD_OK;
}

// Words for where Newton's method fails however short the step is.
static const char *why_lost(const pair *p) {
    return p->kind == JD_CURVE_BRANCH && !p->c->mirrored
               ? "branch points stay such in two parameters only where a symmetry keeps them, and "
                 "these orbits are not their own mirror images"
           : p->by->margins
               ? "the equations of the point have no solution next to the last one: another event "
                 "may happen with it, or the orbit with fewer events ends"
               : "the equations of the point have no solution next to the last one";
}

static jd_status walk(pair *p) {
    jd_follow *f = p->f;
    double h = 0.2 * f->options.step;
    double *fresh = JD_TAKE(f->arena, double, p->U);
    JD_TRY(jd_arena_status(f->arena));
    while (f->view.n_curve < f->options.points) {
        bool found, last;
        if (jd_stop_wanted(f->context)) return f->view.end = JD_END_STOPPED, JD_OK;
        double rate = hypot(p->tangent[p->U - 1], p->tangent[p->U - 2]);
        h = fmin(h, fmin(f->options.step / fmax(rate, 1e-3), 0.1));
        JD_TRY(advance(p, &h, &found, &last, fresh));
        if (found && last) return JD_OK;
        if (!found && h < shortest) {
            f->view.end = p->c->parameter.bound ? JD_END_BOUND
                          : p->other            ? JD_END_MEETS
                                                : JD_END_LOST;
            if (f->view.end == JD_END_LOST) f->view.why = why_lost(p);
            return JD_OK;
        }
        if (f->view.n_curve % 50 == 0)
            jd_progress(f->context, "following the curve",
                        fabs(p->at.second - f->options.second_from) / p->c->parameter.L2);
    }
    f->view.end = JD_END_POINTS;
    return JD_OK;
}

jd_status jd_branch_pair(jd_follow *f) {
    pair p;
    bool found;
    if (!f->curve.forced)
        return jd_fail(f->context, JD_NOT_SUPPORTED,
                       "curves of special points are followed with a drive only: without one the "
                       "period is an unknown");
    if (!f->at.marked) {
        const char *why =
            jd_arena_format(f->arena, "the branch ended (%s) before a %s was met",
                            jd_end_name(f->view.end), jd_curve_name(f->options.curve));
        JD_TRY(jd_arena_status(f->arena));
        f->view.why = why;
        f->view.end = JD_END_NO_POINT;
        return JD_OK;
    }
    JD_TRY(jd_pair_open(&p, f));
    f->view.end = JD_END_LOST;
    JD_TRY(begin(&p, &found));
    if (found) return walk(&p);
    f->view.why =
        p.by->margins ? "its equations could not be solved: the orbit with fewer events must go on "
                        "beside the point, and no other event may happen with it"
        : f->options.curve == JD_CURVE_BRANCH
            ? "its equations could not be solved: branch points stay such in two parameters only "
              "where a symmetry keeps them"
            : "its equations could not be solved beside the point";
    return JD_OK;
}

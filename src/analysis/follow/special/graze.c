// graze.c -- the orbit that just touches a stop.
//   With the impact the derivative of P grows like 1/v as its speed v goes to 0; without it all is
//   smooth. So the motion passes through this stop, during a part of the period, as if it were not
//   there (engine.h: unwatch); both halves of a symmetric orbit do so. At each lambda
//     P~(s, lambda) = s  by Newton's method,   g(lambda) = gap - largest displacement in that part,
//   smooth on both sides of the grazing g = 0, which secants find; where g > 0 the same orbit is
//   one that does without the impact. Beside a fold of these orbits there is none at some lambda:
//   there the secants go along the branch, over its arclength.
//                                                  tested: grazings_lie_on_the_closed_form
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "contact/law.h"
#include "linalg/general.h"

enum { LOOKS = 256, FEWEST = 12, CLOSER = 20, NEWTON = 12, SECANTS = 20 };
static const double closer = 1.5;     // looks beside an event, each to the next
static const double aside = 1e-6;     // of the window: the first step to the side
static const double along = 1e-8;     // arclength: the first step along the branch
static const double wide = 1e-9;      // of the window: between two that tell a slope
static const double lowest = 1e-11;   // of the state: residuals may get no lower ...
static const double of_M = 3e-15;     // ... for rounding, amplified by M
static const double rounding = 1e-13; // of lambda: what g's rounding is worth
static const double together = 1e-6;  // relative: both halves of a symmetric orbit
static const double nearly = 1e-2;    // the same, ...
static const double opposite = 1e-4;  // ... half a period apart [periods]
static const double as_close = 0.3;   // of the bend between looks: turns that may be the closest
static const double around = 0.05;    // periods: beside a turn that may graze
static const double alike = 1e-3;     // of the least path, and ...
static const double blurred = 1e-9;   // ... of the travel: turns that are as close
static const double far_off = 0.05;   // of the window: another grazing

static const jd_stop_def *stop_of(const curve *c, int j) {
    const jd_contact_def *d = jd_problem_contact(c->problem, j)->def;
    return jd_law_stop_of(&d->law);
}

// To t, taking down the events on the way.
static jd_status advance(curve *c, double t, bool *lost) {
    jd_shooting *sh = c->sh;
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT && sh->last.events <= sh->limit.most_events) {
        JD_TRY(jd_run_advance(c->run, t, &step));
        if (step != JD_STEP_EVENT) break;
        if (sh->last.n_event < JD_SHOOT_EVENTS) sh->last.event[sh->last.n_event++] = c->run->event;
        sh->last.events++;
    }
    *lost = step != JD_STEP_TIME;
    return JD_OK;
}

// Next time at which a stop is left out or watched again, since `now` [periods].
static double next_cut(const graze *g, double now, double end) {
    double next = end;
    for (int k = 0; k < g->n; k++) {
        const graze_part *p = &g->part[k];
        if (p->from > now) next = fmin(next, p->from);
        if (p->to > now) next = fmin(next, p->to);
    }
    return next;
}

static unsigned long long left_out(const graze *g, double now) {
    unsigned long long set = 0;
    for (int k = 0; k < g->n; k++)
        if (g->part[k].from <= now && g->part[k].to > now) set |= 1ULL << g->part[k].contact;
    return set;
}

static void note_path(const curve *c, graze *g, double now) {
    for (int k = 0; k < g->n; k++) {
        const graze_part *p = &g->part[k];
        if (p->from > now || p->to <= now) continue;
        const jd_range *u = &c->seen.touching[p->contact].displacement;
        g->path[k] =
            fmin(g->path[k], stop_of(c, p->contact)->gap - (p->side > 0 ? u->max : -u->min));
        g->left = fmin(g->left, g->path[k]);
    }
}

jd_status jd_graze_through(curve *c, graze *g, const double *y, bool *lost) {
    bool set;
    JD_TRY(jd_curve_set(c, y, &set));
    *lost = !set;
    if (*lost) return JD_OK;
    jd_shooting *sh = c->sh;
    jd_run *run = c->run;
    const jd_engine_map *map = &run->class->map;
    int ranges = run->ranges;
    JD_TRY(map->restart(run, sh->start, sh->s, &c->phase));
    JD_TRY(map->tangent_start(run));
    sh->last.n_event = 0;
    sh->last.events = 0;
    g->left = HUGE_VAL;
    for (int k = 0; k < g->n; k++) g->path[k] = HUGE_VAL;
    run->ranges = 1;
    double end = jd_curve_end(c), sign = c->mirrored ? -1 : 1;
    for (double now = 0, next; now < end && !*lost; now = next) {
        next = next_cut(g, now, end);
        JD_TRY(map->unwatch(run, left_out(g, now)));
        JD_TRY(jd_run_track(run));
        JD_TRY(advance(c, sh->start + next * sh->period, lost));
        if (*lost) break;
        JD_TRY(jd_run_ranges(run, c->seen.touching));
        note_path(c, g, now);
    }
    run->ranges = ranges;
    if (*lost) return JD_OK;
    map->state(run, sh->s1);
    map->tangent(run, sh->M);
    for (int i = 0; i < c->n; i++)
        c->newton.F[i] = sh->scale[i] * (sign * sh->s1[i] - sh->s[i]) / c->S;
    for (int i = 0; i < c->n * c->n; i++) sh->M[i] *= sign;
    return JD_OK;
}

// What rounding of y leaves of F, where M is large more than elsewhere.
static double noise(const curve *c) {
    double largest = 0;
    for (int i = 0; i < c->n * c->n; i++) {
        double scale = c->sh->scale[i / c->n] / c->sh->scale[i % c->n];
        largest = fmax(largest, fabs(scale * c->sh->M[i]));
    }
    return fmax(lowest, 10 * of_M * largest);
}

// [M - I] of the last round into A, n x n with rows of `width`.
static void slope(const curve *c, int width, double *A) {
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++)
            A[i * width + j] =
                c->sh->scale[i] * c->sh->M[i * c->n + j] / c->sh->scale[j] - (i == j);
}

// The same with d F/d lambda, c->newton.through, beside it and c->newton.along below.
static void bordered(const curve *c, double *A) {
    slope(c, c->N, A);
    for (int i = 0; i < c->n; i++) A[i * c->N + c->n] = c->newton.through[i];
    memcpy(A + c->n * c->N, c->newton.along, (size_t)c->N * sizeof *A);
}

// The orbit near y: at its lambda, or in the plane across c->newton.along.
static jd_status solve(curve *c, graze *g, double *y, bool plane, bool *found) {
    int n = c->n, unknowns = plane ? c->N : n;
    double last = HUGE_VAL, *A = c->newton.lu;
    bool lost;
    *found = false;
    for (int it = 0; it < NEWTON; it++) {
        double size = 0, whole = 0;
        JD_TRY(jd_graze_through(c, g, y, &lost));
        if (lost) return JD_OK;
        for (int i = 0; i < n; i++) {
            size += c->newton.F[i] * c->newton.F[i];
            whole += y[i] * y[i];
        }
        size = sqrt(size) / fmax(sqrt(whole), 1e-2);
        *found = size <= 0.1 * c->tolerance || (size < noise(c) && size > last / 2);
        if (*found || !(size < 1e3 * fmin(last, 1))) return JD_OK;
        last = size;
        if (plane)
            bordered(c, A);
        else
            slope(c, n, A);
        if (!jd_lu_factor(unknowns, A, c->newton.pivot)) return JD_OK;
        for (int i = 0; i < unknowns; i++) c->newton.step[i] = i < n ? -c->newton.F[i] : 0;
        jd_lu_solve(unknowns, A, c->newton.pivot, c->newton.step);
        for (int i = 0; i < unknowns; i++) y[i] += c->newton.step[i];
    }
    return JD_OK;
}

static double position(const curve *c, const jd_event *e) {
    return (e->t - c->sh->start) / c->sh->period;
}

// The part of the period around event i in which its contact has no other.
static graze_part part_of(const curve *c, int i) {
    const jd_event *e = c->sh->last.event;
    double at = position(c, &e[i]);
    graze_part p = {e[i].contact, e[i].impulse < 0 ? 1 : -1, 0, jd_curve_end(c), at};
    for (int k = 0; k < c->sh->last.n_event; k++) {
        if (k == i || e[k].contact != p.contact) continue;
        double middle = (position(c, &e[k]) + at) / 2;
        if (k < i) p.from = fmax(p.from, middle);
        if (k > i) p.to = fmin(p.to, middle);
    }
    return p;
}

// Does impact i graze when impact k does? Both halves of a symmetric orbit do: as slow, or half a
// period apart and as slow as rounding allows, which P amplifies near a grazing.
static bool goes_with(const curve *c, int i, int k) {
    const jd_event *e = c->sh->last.event;
    double more = fabs(e[i].speed / e[k].speed) - 1,
           apart = position(c, &e[i]) - position(c, &e[k]);
    return more <= together || (more < nearly && fabs(fabs(apart) - 0.5) < opposite);
}

bool jd_graze_of_impact(const curve *c, graze *g) {
    const jd_event *e = c->sh->last.event;
    int slow = -1;
    g->n = 0;
    for (int i = 0; i < c->sh->last.n_event; i++)
        if (jd_event_is_impact(&e[i]) && !c->events.dropped[i] &&
            (slow < 0 || fabs(e[i].speed) < fabs(e[slow].speed)))
            slow = i;
    for (int i = 0; i < c->sh->last.n_event && g->n < GRAZE_PARTS; i++)
        if (jd_event_is_impact(&e[i]) && !c->events.dropped[i] &&
            position(c, &e[i]) < jd_curve_end(c) && goes_with(c, i, slow))
            g->part[g->n++] = part_of(c, i);
    g->hit = g->n;
    return g->n > 0;
}

void jd_graze_add_images(const curve *c, graze *g) {
    for (int k = 0, n = g->n; k < n && g->n < GRAZE_PARTS; k++) {
        graze_part p = g->part[k];
        double by = p.from + p.to < 1 ? 0.5 : -0.5;
        if (!stop_of(c, p.contact)->sides) continue;
        p.side = -p.side;
        p.from = fmax(0, p.from + by);
        p.to = fmin(1, p.to + by);
        g->part[g->n++] = p;
    }
    g->hit = g->n;
}

// Is a stop hit in this part of the last round?
static bool is_hit(const curve *c, const graze_part *p) {
    for (int i = 0; i < c->sh->last.n_event; i++) {
        double at = position(c, &c->sh->last.event[i]);
        if (c->sh->last.event[i].contact == p->contact && at >= p->from && at <= p->to) return true;
    }
    return false;
}

// From..to of the period, which may lie on both sides of the anchor; false: it is hit there.
static bool add_turn(const curve *c, graze *g, graze_part p, double from, double to) {
    for (int whole = -1; whole <= 1; whole++) {
        p.from = fmax(0, from + whole);
        p.to = fmin(1, to + whole);
        if (!(p.to > p.from)) continue;
        if (is_hit(c, &p) || g->n == GRAZE_PARTS) return false;
        g->part[g->n++] = p;
    }
    return true;
}

bool jd_graze_add_turns(const curve *c, graze *g, int turns) {
    g->n = g->hit;
    for (int k = 0; k < g->hit; k++) {
        graze_part p = g->part[k];
        for (int by = turns; by < c->periods; by += turns) {
            double at = p.at + (double)by / c->periods;
            if (!add_turn(c, g, p, at - fmin(around, p.at - p.from),
                          at + fmin(around, p.to - p.at)))
                return false;
        }
    }
    return true;
}

// Three looks, at `time`, at the free path on one side of a stop, the middle one smallest: the turn
// between them, by a parabola, may be among the closest. part: from the event before to the one
// after; what is left of it reaches as far to both sides of the turn as a motion that passes
// through the stop may need.
static void note_turn(graze *g, double *least, const double *time, const double *path,
                      graze_part part) {
    if (!(path[1] < path[0] && path[1] <= path[2])) return;
    double before = time[1] - time[0], after = time[2] - time[1],
           falls = (path[1] - path[0]) / before, rises = (path[2] - path[1]) / after,
           bend = (rises - falls) / (before + after), slope = falls + bend * before,
           turn = path[1] - slope * slope / (4 * bend), blur = as_close * bend * before * after;
    if (!(turn < *least + blur)) return;
    if (turn < *least - blur) g->n = 0;
    *least = fmin(*least, turn);
    part.from = fmin(time[0], fmax((part.from + time[1]) / 2, time[1] - around));
    part.to = fmax(time[2], fmin((part.to + time[1]) / 2, time[1] + around));
    if (g->n < GRAZE_PARTS) g->part[g->n++] = part;
}

// Takes the look at time[2] after the anchor [periods], between these two events; seen: looks
// before it in this phase.
static void look_at_stops(curve *c, graze *g, const double *time, const double *between, int seen,
                          double *least) {
    jd_run *run = c->run;
    int m = jd_problem_contacts(c->problem);
    double *u = c->seen.look, *v = u + m, *force = v + m, *path = force + m;
    jd_run_observe_contacts(run, run->t, u, v, force);
    for (int k = 0; k < 2 * m; k++) {
        int j = k / 2, side = k % 2 ? -1 : 1;
        const jd_stop_def *d = stop_of(c, j);
        double *p = path + 3 * k;
        if (!d || (side < 0 && !d->sides)) continue;
        p[0] = p[1];
        p[1] = p[2];
        p[2] = d->gap - side * u[j];
        if (seen < 2 || run->contact[j] != JD_CONTACT_OPEN) continue;
        note_turn(g, least, time, p, (graze_part){j, side, between[0], between[1], time[1]});
    }
}

// Share of the way between two events at which look i of n + 2 CLOSER is taken: evenly spaced,
// towards both ends ever closer, where bounces end.
static double place_of_look(int i, int n) {
    double cell = 1.0 / n;
    if (i < CLOSER) return cell / 2 * pow(closer, i - CLOSER);
    if (i < CLOSER + n) return cell * (i - CLOSER + 0.5);
    return 1 - cell / 2 * pow(closer, CLOSER + n - 1 - i);
}

// Of the parts that may hold the closest turn those that do: both halves of a symmetric orbit.
static jd_status keep_closest(curve *c, graze *g, const double *y, bool *found) {
    bool lost;
    int n = 0;
    double travel = 0;
    JD_TRY(jd_graze_through(c, g, y, &lost));
    *found = !lost && g->n > 0;
    for (int k = 0; k < g->n; k++) {
        const jd_range *u = &c->seen.touching[g->part[k].contact].displacement;
        travel = fmax(travel, stop_of(c, g->part[k].contact)->gap + fabs(u->max) + fabs(u->min));
    }
    for (int k = 0; k < g->n && *found; k++)
        if (g->path[k] <= g->left + alike * fabs(g->left) + blurred * travel)
            g->part[n++] = g->part[k];
    g->n = g->hit = n;
    return JD_OK;
}

// Looks between events, LOOKS a period and at least FEWEST between two, and closer after and before
// each.
jd_status jd_graze_of_turn(curve *c, graze *g, const double *y, bool *found) {
    jd_run *run = c->run;
    const jd_shooting *sh = c->sh;
    double least = HUGE_VAL, from = 0, end = jd_curve_end(c);
    g->n = 0;
    *found = false;
    JD_TRY(run->class->map.restart(run, sh->start, sh->s, &c->phase));
    for (int e = 0; e <= sh->last.n_event && from < end; e++) {
        double to = e < sh->last.n_event ? fmin(end, position(c, &sh->last.event[e])) : end,
               time[3] = {0};
        int n = (int)fmax(FEWEST, ceil(LOOKS * (to - from)));
        for (int i = 0; i < n + 2 * CLOSER; i++) {
            jd_step step = JD_STEP_EVENT;
            time[0] = time[1];
            time[1] = time[2];
            time[2] = from + (to - from) * place_of_look(i, n);
            while (step == JD_STEP_EVENT)
                JD_TRY(jd_run_advance(run, sh->start + time[2] * sh->period, &step));
            if (step != JD_STEP_TIME) return JD_OK;
            look_at_stops(c, g, time, (const double[]){from, to}, i, &least);
        }
        from = to;
    }
    return keep_closest(c, g, y, found);
}

// The state moved along with lambda from `now` by `step`, as it moved since the last orbit, which
// is in c->newton.kept; then that is y.
static void move_along(curve *c, double now, double was, double step, double *y) {
    for (int i = 0; i < c->n; i++) {
        double here = y[i];
        y[i] += (here - c->newton.kept[i]) * step / (now - was);
        c->newton.kept[i] = here;
    }
}

// By secants over lambda.
static jd_status locate_at(curve *c, graze *g, double *y, bool *found) {
    int p = c->N - 1;
    double begin = y[p], was = begin, now, left;
    JD_TRY(solve(c, g, y, false, found));
    if (!*found) return JD_OK;
    left = g->left;
    memcpy(c->newton.kept, y, (size_t)c->n * sizeof *y);
    now = was + (g->left > 0 ? -aside : aside) * fmax(1, fabs(was));
    for (int i = 0; i < SECANTS; i++) {
        y[p] = now;
        JD_TRY(solve(c, g, y, false, found));
        if (!*found) return JD_OK;
        double step = g->left * (now - was) / (g->left - left);
        if (i == 0 || fabs(now - was) > wide * fmax(1, fabs(now)))
            g->rise = (g->left - left) / (now - was); // nearer together they tell rounding
        if (!isfinite(step) || fabs(now - step - begin) > far_off) return *found = false, JD_OK;
        move_along(c, now, was, -step, y);
        was = now;
        left = g->left;
        now -= step;
        g->error = fabs(step) * c->parameter.L;
        if (fabs(step) <= 1e-14 * fmax(1, fabs(now)) || g->left == 0) break;
    }
    y[p] = now;
    JD_TRY(solve(c, g, y, false, found));
    g->lambda = now * c->parameter.L;
    g->error = fmin(g->error, fabs(g->left / g->rise) * c->parameter.L) +
               rounding * fmax(fabs(g->lambda), c->parameter.L);
    return JD_OK;
}

// Direction of the branch of orbits through the stop at y, into c->newton.along; d F/d lambda by a
// difference, which never moves an orbit.
static jd_status tangent_at(curve *c, graze *g, double *y, bool *found) {
    int p = c->N - 1;
    double h = aside * fmax(1, fabs(y[p])), *A = c->newton.lu;
    bool lost;
    *found = false;
    for (int side = 1; side >= -1; side -= 2) {
        y[p] += side * h;
        JD_TRY(jd_graze_through(c, g, y, &lost));
        y[p] -= side * h;
        if (lost) return JD_OK;
        for (int i = 0; i < c->n; i++)
            c->newton.through[i] =
                side > 0 ? c->newton.F[i] : (c->newton.through[i] - c->newton.F[i]) / (2 * h);
    }
    JD_TRY(jd_graze_through(c, g, y, &lost));
    if (lost) return JD_OK;
    memset(c->newton.along, 0, (size_t)c->N * sizeof *c->newton.along);
    c->newton.along[p] = 1;
    bordered(c, A);
    *found = jd_lu_factor(c->N, A, c->newton.pivot) &&
             jd_lu_tangent(c->N, A, c->newton.pivot, c->newton.along);
    return JD_OK;
}

// By secants over the arclength s.
static jd_status locate_along(curve *c, graze *g, double *y, bool *found) {
    int p = c->N - 1;
    double was = 0, now = along, left, *before = c->newton.kept;
    JD_TRY(tangent_at(c, g, y, found));
    if (*found) JD_TRY(solve(c, g, y, true, found));
    if (!*found) return JD_OK;
    left = g->left;
    memcpy(before, y, (size_t)c->N * sizeof *y);
    for (int i = 0; i < c->N; i++) y[i] += now * c->newton.along[i];
    for (int i = 0; i < SECANTS; i++) {
        JD_TRY(solve(c, g, y, true, found));
        if (!*found) return JD_OK;
        double step = -g->left * (now - was) / (g->left - left);
        g->rise = (g->left - left) / (y[p] - before[p]);
        g->error = fabs((y[p] - before[p]) / (now - was) * step) * c->parameter.L;
        if (!isfinite(step) || fabs(now + step) > far_off) return *found = false, JD_OK;
        if (fabs(step) <= 1e-13 || g->left == 0) break;
        for (int k = 0; k < c->N; k++) {
            double here = y[k];
            y[k] += (here - before[k]) * step / (now - was);
            before[k] = here;
        }
        was = now;
        left = g->left;
        now += step;
    }
    g->lambda = y[p] * c->parameter.L;
    g->error += rounding * fmax(fabs(g->lambda), c->parameter.L);
    return JD_OK;
}

jd_status jd_graze_locate(curve *c, graze *g, double *y, bool *found) {
    double *begin = c->newton.trial;
    memcpy(begin, y, (size_t)c->N * sizeof *y);
    JD_TRY(locate_at(c, g, y, found));
    if (*found) return JD_OK;
    memcpy(y, begin, (size_t)c->N * sizeof *y);
    return locate_along(c, g, y, found);
}

jd_status jd_graze_beside(curve *c, graze *g, double by, double *y, bool *found) {
    y[c->N - 1] = g->lambda / c->parameter.L + (g->rise > 0 ? by : -by);
    JD_TRY(solve(c, g, y, false, found));
    *found = *found && g->left > 0;
    return JD_OK;
}

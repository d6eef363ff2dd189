// path_follow.c -- `follow` where the memory is waves that come back: begins, walks, ends.
#include <math.h>
#include <string.h>

#include "analysis/orbit/settled.h"
#include "analysis/waves/path.h"
#include "base/fail.h"
#include "contact/law.h"

static const double shortest = 1e-6;   // arclength of a step that gets nowhere
static const double small_angle = 0.1; // [rad] between tangents: longer steps
static const double large_angle = 0.5; // shorter ones
enum { TRIES = 16 };                   // steps, or attempts at one, after which it is asked ...
static const double least = 0.001;     // ... whether they went on by this each, of the window

bool jd_path_applies(const jd_follow *f) {
    jd_run *run;
    if (jd_run_create(f->context, f->curve.problem, &run) != JD_OK) return false; // said later
    const jd_engine_map *map = &run->class->map;
    bool waves = map->coordinates && map->coordinates(run) == 0 && map->replay_correct;
    jd_run_free(run);
    return waves;
}

static jd_status refuse(jd_follow *f, const char *where, const char *why, const char *hint) {
    jd_fail(f->context, JD_NOT_SUPPORTED, "where the memory is kept as waves under way, %s", why);
    jd_fail_where(f->context, "follow.%s", where);
    jd_fail_hint(f->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// What this way of following does not know.
static jd_status refuse_unknown(jd_follow *f, jd_run *run) {
    const curve *c = &f->curve;
    const char *poles = "`simulate.memory: exponentials`, or finitely many modes";
    const char *why = run->class->map.replay_uncorrected(run);
    if (why) {
        jd_fail(f->context, JD_NOT_SUPPORTED, "orbits of these waves cannot be followed: %s", why);
        jd_fail_hint(f->context, "give the structure some damping, 1e-4 will do");
        return JD_NOT_SUPPORTED;
    }
    if (strncmp(c->parameter.path, "contacts.", 9) != 0 || c->parameter.rebuild > JD_REBUILD_LAWS)
        return refuse(f, "parameter",
                      "numbers of friction laws and velocities of counterparts "
                      "can be followed, and no others",
                      poles);
    for (int j = 0; j < jd_problem_contacts(c->problem); j++) {
        const jd_contact_def *d = jd_problem_contact(c->problem, j)->def;
        if (jd_law_stop_of(&d->law))
            return refuse(f, "parameter", "orbits with stops are not followed", poles);
    }
    if (c->seen.measure->contact < 0 || c->seen.measure->quantity > JD_MEASURE_FORCE ||
        c->seen.measure->kind > JD_MEASURE_AMPLITUDE)
        return refuse(f, "measure",
                      "extremes of displacement, velocity and force of contacts can be measured",
                      "name a contact: bow.velocity.max");
    if (f->options.curve != JD_CURVE_NONE)
        return refuse(f, "curve", "there are no curves in two parameters", poles);
    if (f->options.flip > 0)
        return refuse(f, "flip", "branches of doubled period are not switched to", poles);
    return JD_OK;
}

static jd_status add_point(jd_path *p, const jd_path_place *at) {
    jd_follow *f = p->f;
    int n = f->view.n_point;
    f->list.point =
        jd_branch_grow(f->arena, f->list.point, n, &f->list.point_room, sizeof *f->list.point);
    JD_TRY(jd_arena_status(f->arena));
    f->list.point[n] = at->point;
    jd_branch_count_point(f);
    return JD_OK;
}

// Arclength up to the end of the window, or the step wanted.
static double reach(const jd_path *p, bool *last) {
    const jd_follow *f = p->f;
    double ahead = p->here.z[0] + f->walk.step * p->here.tau[0],
           to = f->options.to / f->curve.parameter.L,
           back = (2 * f->options.from - f->options.to) / f->curve.parameter.L, end = ahead;
    if (f->walk.direction * (ahead - to) >= 0) end = to;
    if (f->walk.direction * (ahead - back) <= 0) end = back;
    *last = end != ahead;
    return *last ? (end - p->here.z[0]) / p->here.tau[0] : f->walk.step;
}

static void swap_places(jd_path *p) {
    jd_path_place was = p->here;
    p->here = p->there;
    p->there = was;
}

// A step is too long where the tangent turns by much; angle: by how much.
static bool bends(const jd_path *p, double *angle) {
    double cosine = 0;
    for (int i = 0; i < JD_PATH_Z; i++) cosine += p->here.tau[i] * p->there.tau[i];
    *angle = acos(fmax(-1, fmin(1, cosine)));
    bool same = p->here.point.phases == p->there.point.phases;
    return same && *angle > large_angle && p->f->walk.step > 100 * shortest;
}

// Work per way is bounded: attempts that get on by little end the branch.
static bool is_slow(jd_path *p, bool found) {
    p->way += found ? fabs(p->h) : 0;
    if (++p->tries % TRIES != 0) return false;
    bool slow = p->way < TRIES * fmin(least, 0.05 * p->f->options.step);
    p->way = 0;
    return slow;
}

// The end of the window is met at its own parameter: the last step is shortened to it.
static jd_status walk(jd_path *p) {
    jd_follow *f = p->f;
    double longest = f->options.step, angle;
    f->walk.step = 0.5 * longest;
    while (f->view.n_point < f->options.points) {
        bool found, last;
        f->view.end = JD_END_POINTS;
        if (jd_stop_wanted(f->context)) return f->view.end = JD_END_STOPPED, JD_OK;
        p->h = reach(p, &last);
        JD_TRY(jd_path_step(p, p->h, last, &p->there, &found));
        if (jd_stop_wanted(f->context)) continue; // the step may be cut short
        bool fits = found && !bends(p, &angle);
        if (is_slow(p, fits)) {
            f->view.end = JD_END_LOST;
            f->view.why = "the steps on which Newton's method closes an orbit are shorter than a "
                          "thousandth of the window";
            return JD_OK;
        }
        if (!fits) {
            f->walk.step /= 2;
            f->view.end = p->bound ? JD_END_BOUND : JD_END_LOST;
            f->view.why = p->wave.why ? p->wave.why : "Newton's method finds no orbit beyond it";
            if (f->walk.step < shortest) return JD_OK;
            continue;
        }
        const jd_engine_map *map = &f->curve.run->class->map;
        JD_TRY(map->replay_keep(f->curve.run, JD_PATH_KEPT, JD_PATH_THERE));
        if (f->options.special) JD_TRY(jd_path_special(p));
        if (jd_stop_wanted(f->context)) continue;
        JD_TRY(map->replay_keep(f->curve.run, JD_PATH_HERE, JD_PATH_KEPT));
        JD_TRY(add_point(p, &p->there));
        swap_places(p);
        jd_progress(f->context, "following",
                    fabs(p->here.point.parameter - f->options.from) / f->curve.parameter.L);
        if (last) {
            bool there = f->walk.direction * (p->here.point.parameter - f->options.from) > 0;
            return f->view.end = there ? JD_END_TO : JD_END_BACK, JD_OK;
        }
        if (angle < small_angle) f->walk.step = fmin(1.6 * f->walk.step, longest);
        if (angle > 2 * small_angle) f->walk.step *= 0.7;
    }
    return JD_OK;
}

// What the functions of `follow` look at, of a curve without shooting.
static jd_status set_up(jd_path *p) {
    curve *c = &p->f->curve;
    int m = jd_problem_contacts(c->problem);
    c->sh = &p->last;
    c->n = 0;
    c->events.listed = JD_TAKE(p->f->arena, int, MOST_EVENTS);
    c->events.begin = JD_TAKE(p->f->arena, double, MOST_EVENTS);
    c->seen.ranges = JD_TAKE(p->f->arena, jd_contact_ranges, m + 1);
    p->f->list.string = JD_TAKE(p->f->arena, char, STRING_SIZE);
    JD_TRY(jd_arena_status(p->f->arena));
    for (int i = 0; i < MOST_EVENTS; i++) c->events.listed[i] = i;
    return JD_OK;
}

// From the middle of the longest phase, where no event is near.
static jd_status go_to_anchor(jd_run *run, const jd_settled *s) {
    double longest = 0, at = 0;
    jd_step step = JD_STEP_EVENT;
    for (int i = 0; i < s->n_event; i++) {
        double before = i ? s->event[i - 1].t : s->event[s->n_event - 1].t - s->period,
               gap = s->event[i].t - before;
        if (gap <= longest) continue;
        longest = gap;
        at = before + gap / 2;
    }
    while (at <= 0) at += s->period;
    while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(run, at, &step));
    return JD_OK;
}

// The first orbit by simulation and Newton's method.
static jd_status begin(jd_path *p, bool *found) {
    jd_follow *f = p->f;
    curve *c = &f->curve;
    jd_settled s;
    *found = false;
    f->view.end = JD_END_NO_ORBIT;
    f->view.end_parameter = c->parameter.lambda;
    JD_TRY(jd_settled_find(f->context, c->problem, f->arena, &f->options.orbit, &s));
    f->view.why = s.why ? s.why : "";
    if (!s.found) return JD_OK;
    JD_TRY(jd_settled_run(f->context, c->problem, &s, &c->run));
    JD_TRY(refuse_unknown(f, c->run));
    jd_run_for_analysis(c->run);
    c->forced = s.drive > 0;
    JD_TRY(go_to_anchor(c->run, &s));
    JD_TRY(jd_wave_open(c->run, s.period, c->forced, &p->wave));
    JD_TRY(jd_path_first(p, f->walk.direction, found));
    if (!*found) f->view.why = p->wave.why ? p->wave.why : "Newton's method does not close it";
    return JD_OK;
}

static jd_status go(jd_path *p) {
    jd_follow *f = p->f;
    bool found;
    JD_TRY(set_up(p));
    JD_TRY(begin(p, &found));
    if (!found) return JD_OK;
    JD_TRY(add_point(p, &p->here));
    JD_TRY(walk(p));
    f->view.end_parameter = p->here.point.parameter;
    if (f->view.end != JD_END_LOST) f->view.why = "";
    f->view.n_uncertified = f->view.n_point; // events are found to a tolerance
    return JD_OK;
}

jd_status jd_path_follow(jd_follow *f) {
    jd_path *p = JD_TAKE(f->arena, jd_path, 1);
    JD_TRY(jd_arena_status(f->arena));
    p->f = f;
    jd_status status = go(p);
    jd_wave_close(&p->wave);
    f->curve.sh = NULL;
    return status;
}

// recorded.c -- what is recorded of each orbit of a branch (analysis/measure), and where a measure
// ends it.
//   `stop`: g = measure - value changes its sign between two points; its zero on the cubic between
//   them is found by secants with halving (Illinois), on orbits.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "base/fail.h"
#include "drive/kind.h"

enum { HALVINGS = 60 };
static const double there = 1e-13; // of the value of `stop`

// The first contact, or where the first drive acts.
static jd_status usual(curve *c, const char **text) {
    const jd_drive_place *d =
        jd_problem_drives(c->problem) ? jd_problem_drive(c->problem, 0)->def : NULL;
    *text = NULL;
    if (jd_problem_contacts(c->problem) > 0)
        *text = jd_arena_format(c->arena, "%s.displacement.max",
                                jd_problem_contact(c->problem, 0)->name);
    else if (d && d->at.point)
        *text = jd_arena_format(c->arena, "%s%s%s.displacement.max", d->at.body ? d->at.body : "",
                                d->at.body ? "." : "", d->at.point);
    JD_TRY(jd_arena_status(c->arena));
    if (*text) return JD_OK;
    jd_fail(c->context, JD_MISSING_KEY, "the model does not say what to record");
    jd_fail_where(c->context, "follow.measure");
    jd_fail_hint(c->context, "write `measure: tip.displacement.max`");
    return JD_MISSING_KEY;
}

jd_status jd_curve_record(curve *c, const jd_follow_options *o) {
    const char *text = o->measure;
    int n = o->also.n, stop = o->stop.n > 0;
    if (!text || !*text) JD_TRY(usual(c, &text));
    JD_TRY(jd_measuring_open(c->arena, c->problem, n + 1 + stop, &c->seen.measures));
    jd_measure *m = c->seen.measures.measure;
    JD_TRY(jd_measure_read(c->arena, c->problem, "follow.measure", text, &m[0]));
    for (int i = 0; i < n; i++)
        JD_TRY(jd_measure_read(c->arena, c->problem, "follow.also", o->also.text[i], &m[i + 1]));
    if (stop)
        JD_TRY(
            jd_measure_read(c->arena, c->problem, "follow.stop", o->stop.shape[0].name, &m[n + 1]));
    c->seen.measure = &m[0];
    return JD_OK;
}

jd_status jd_curve_measure(curve *c, double *first) {
    const jd_shooting *sh = c->sh;
    const jd_measured_period period = {.start = sh->start,
                                       .length = sh->period,
                                       .state = sh->s,
                                       .phase = &c->phase,
                                       .event = sh->last.event,
                                       .n_event = sh->last.n_event,
                                       .ranges = c->seen.ranges};
    JD_TRY(jd_measuring_take(&c->seen.measures, c->run, &period));
    *first = c->seen.measures.value[0];
    return JD_OK;
}

jd_status jd_branch_start_phase(jd_follow *f, int *index) {
    const curve *c = &f->curve;
    const jd_shooting *sh = c->sh;
    double zero = ceil(sh->start / sh->period) * sh->period; // first time of t = 0 in the round
    jd_phase phase = sh->phase;
    for (int i = 0; i < sh->last.n_event && sh->last.event[i].t <= zero; i++)
        phase.of[sh->last.event[i].contact] = sh->last.event[i].to;
    char letters[JD_PHASE_CONTACTS + 1];
    jd_phase_text(&phase, letters);
    for (*index = 0; *index < f->view.kept.n_start; ++*index)
        if (!strcmp(f->list.start[*index], letters)) return JD_OK;
    f->list.start = jd_branch_grow(f->arena, f->list.start, f->view.kept.n_start,
                                   &f->list.start_room, sizeof *f->list.start);
    const char *text = jd_arena_text(f->arena, letters);
    JD_TRY(jd_arena_status(f->arena));
    f->list.start[f->view.kept.n_start++] = text;
    return JD_OK;
}

static double beyond(const jd_follow *f, const place *p) {
    return p->also[f->options.also.n] - f->options.stop.shape[0].value.value[0];
}

jd_status jd_branch_stop(jd_follow *f, bool *ends) {
    *ends = false;
    if (f->options.stop.n == 0 || f->view.n_point < 2) return JD_OK;
    const place *a = &f->at.there, *b = &f->at.here; // changed places when the step was taken
    double ga = beyond(f, a), gb = beyond(f, b), low = 0, high = 1, gl = ga, gh = gb,
           scale = fabs(f->options.stop.shape[0].value.value[0]);
    if (ga * gb > 0 || ga == 0) return JD_OK;
    *ends = true;
    for (int i = 0, side = 0; i < HALVINGS && fabs(gh) > there * scale; i++) {
        bool found;
        double theta = low + (high - low) * gl / (gl - gh);
        JD_TRY(jd_branch_between(f, a, b, theta, &f->at.middle, &found));
        if (!found) break; // a corner: the point beyond it has to do
        double g = beyond(f, &f->at.middle);
        bool lower = g * ga > 0;
        if (lower && side == 1) gh /= 2;
        if (!lower && side == -1) gl /= 2;
        *(lower ? &low : &high) = theta;
        *(lower ? &gl : &gh) = g;
        side = lower ? 1 : -1;
        f->view.n_point--;
        JD_TRY(jd_branch_add_point(f, &f->at.middle));
        f->view.end_parameter = f->at.middle.point.parameter;
        if (fabs(g) <= there * scale || high - low < 1e-15) return JD_OK;
    }
    return JD_OK;
}

jd_status jd_branch_not_stopped(jd_follow *f) {
    if (f->options.stop.n == 0 || f->view.end == JD_END_STOP || f->view.why[0]) return JD_OK;
    const jd_shape *s = &f->options.stop.shape[0];
    f->view.why = jd_arena_format(f->arena, "%s never became %.10g, the value of `stop`", s->name,
                                  s->value.value[0]);
    return jd_arena_status(f->arena);
}

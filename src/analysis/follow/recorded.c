// recorded.c -- what is recorded of each orbit of a branch (analysis/measure), and where a measure
// ends it.
//   `stop`: measure - value, or function - value, changes its sign between two points.
#include <math.h>
#include <string.h>

#include "analysis/follow/functions.h"
#include "base/fail.h"
#include "drive/kind.h"

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

// Formulas read, until the number of measures is known.
typedef struct readings {
    const char **text; // with m0, m1, ... for measures
    int stop;          // `stop` as a measure; -1: it is a function
} readings;

// What `stop` names: a function, a measure or a formula of its own.
static jd_status read_stop(curve *c, const jd_follow_options *o, measure_list *l, readings *r) {
    r->stop = c->seen.stop = -1;
    if (o->stop.n == 0) return JD_OK;
    const char *name = o->stop.shape[0].name;
    for (int i = 0; i < o->functions.n; i++)
        if (!strcmp(o->functions.formula[i].name, name)) c->seen.stop = o->also.n + i;
    if (c->seen.stop >= 0) return JD_OK;
    c->seen.stop = o->also.n + o->functions.n;
    c->seen.stop_formula = jd_function_is(name);
    if (c->seen.stop_formula)
        return jd_function_read(l, "follow.stop", name, &r->text[o->functions.n]);
    return jd_measure_find(l, "follow.stop", name, &r->stop);
}

static jd_status read_all(curve *c, const jd_follow_options *o, measure_list *l, readings *r) {
    const char *text = o->measure;
    if (!text || !*text) JD_TRY(usual(c, &text));
    if (o->also.n > MOST_MEASURES / 2)
        return jd_fail(c->context, JD_SIZE_MISMATCH, "`also` has more than %d measures",
                       MOST_MEASURES / 2);
    JD_TRY(jd_measure_read(c->arena, c->problem, "follow.measure", text, &l->of[l->n++]));
    for (int i = 0; i < o->also.n; i++)
        JD_TRY(
            jd_measure_read(c->arena, c->problem, "follow.also", o->also.text[i], &l->of[l->n++]));
    for (int i = 0; i < o->functions.n; i++)
        JD_TRY(jd_function_read(l, "follow.functions", o->functions.formula[i].text, &r->text[i]));
    return read_stop(c, o, l, r);
}

static jd_status open_functions(curve *c, const jd_follow_options *o, const readings *r) {
    int n = o->functions.n;
    c->seen.formula = JD_TAKE(c->arena, jd_expression *, n + 1);
    JD_TRY(jd_arena_status(c->arena));
    for (int i = 0; i < n; i++)
        JD_TRY(jd_function_open(c, "follow.functions", o->functions.formula[i].text, r->text[i],
                                &c->seen.formula[i]));
    if (!c->seen.stop_formula) return JD_OK;
    return jd_function_open(c, "follow.stop", o->stop.shape[0].name, r->text[n],
                            &c->seen.formula[n]);
}

jd_status jd_curve_record(curve *c, const jd_follow_options *o) {
    measure_list *l = JD_TAKE(c->arena, measure_list, 1);
    readings r = {.text = JD_TAKE(c->arena, const char *, o->functions.n + 1)};
    JD_TRY(jd_arena_status(c->arena));
    l->arena = c->arena;
    l->problem = c->problem;
    JD_TRY(read_all(c, o, l, &r));
    for (int i = 0; i < l->n; i++)
        if (l->of[i].kind == JD_MEASURE_SET)
            return jd_measure_no_set(c->context, i == 0 ? "follow.measure" : "follow");
    JD_TRY(jd_measuring_open(c->arena, c->problem, l->n, &c->seen.measures));
    memcpy(c->seen.measures.measure, l->of, (size_t)l->n * sizeof *l->of);
    c->seen.measure = &c->seen.measures.measure[0];
    c->seen.stop_measure = r.stop;
    c->seen.n_also = o->also.n;
    c->seen.n_function = o->functions.n;
    c->seen.functions = o->functions;
    c->seen.n_value = c->seen.n_also + c->seen.n_function + 1;
    c->seen.value = JD_TAKE(c->arena, double, c->seen.n_value);
    JD_TRY(jd_arena_status(c->arena));
    return open_functions(c, o, &r);
}

void jd_curve_record_close(curve *c) {
    for (int i = 0; c->seen.formula && i <= c->seen.n_function; i++)
        jd_expression_free(c->seen.formula[i]);
    c->seen.formula = NULL;
}

jd_status jd_curve_measure(curve *c, double *first) {
    const jd_shooting *sh = c->sh;
    curve_seen *seen = &c->seen;
    const jd_measured_period period = {.start = sh->start,
                                       .length = sh->period,
                                       .state = sh->s,
                                       .phase = &c->phase,
                                       .event = sh->last.event,
                                       .n_event = sh->last.n_event,
                                       .ranges = seen->ranges};
    JD_TRY(jd_measuring_take(&seen->measures, c->run, &period));
    seen->lambda = c->parameter.lambda;
    seen->period = sh->period;
    *first = seen->measures.value[0];
    memcpy(seen->value, seen->measures.value + 1, (size_t)seen->n_also * sizeof *seen->value);
    double *of = seen->value + seen->n_also;
    for (int i = 0; i < seen->n_function; i++) of[i] = jd_expression_value(seen->formula[i]);
    if (seen->stop_formula)
        of[seen->n_function] = jd_expression_value(seen->formula[seen->n_function]);
    if (seen->stop_measure >= 0) of[seen->n_function] = seen->measures.value[seen->stop_measure];
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

jd_status jd_branch_stop(jd_follow *f, bool *ends) {
    *ends = false;
    if (f->options.stop.n == 0 || f->view.n_point < 2) return JD_OK;
    const place *a = &f->at.there, *b = &f->at.here; // changed places when the step was taken
    int i = f->curve.seen.stop;
    double value = f->options.stop.shape[0].value.value[0], error, ga = a->also[i] - value,
           gb = b->also[i] - value;
    bool found;
    if (!(ga * gb <= 0) || ga == 0) return JD_OK;
    *ends = true;
    if (gb == 0) return JD_OK;
    JD_TRY(jd_recorded_zero(f, a, b, i, value, &error, &found));
    if (!found) return JD_OK; // a corner: the point beyond it has to do
    f->view.n_point--;
    JD_TRY(jd_branch_add_point(f, &f->at.middle));
    f->view.end_parameter = f->at.middle.point.parameter;
    return JD_OK;
}

jd_status jd_branch_not_stopped(jd_follow *f) {
    if (f->options.stop.n == 0 || f->view.end == JD_END_STOP || f->view.why[0]) return JD_OK;
    const jd_shape *s = &f->options.stop.shape[0];
    f->view.why = jd_arena_format(f->arena, "%s never became %.10g, the value of `stop`", s->name,
                                  s->value.value[0]);
    return jd_arena_status(f->arena);
}

// ready.c -- what is to be followed: the section `follow` and the options, put into the
// problem.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

static const double usual_step = 0.005;
static const int usual_points = 20000;

// The `follow` section where the options leave it open.
static jd_status read_section(jd_follow *f) {
    bool given;
    const jd_follow_def *d = jd_problem_section(f->curve.problem, JD_FOLLOW, &given);
    jd_follow_options *o = &f->options;
    if (!o->measure && given) o->measure = d->measure;
    if (o->also.n == 0 && given) o->also = d->also;
    if (o->family.n == 0 && given) o->family = d->family;
    if (o->functions.n == 0 && given) o->functions = d->functions;
    if (o->stop.n == 0 && given) o->stop = d->stop;
    if (o->flip == 0 && given) o->flip = d->flip;
    if (o->of == JD_FOLLOW_ORBITS && given) o->of = (jd_followed)d->of;
    if (o->member == JD_MEMBER_CENTRED && given) o->member = (jd_member)d->member;
    f->curve.member.held = o->member == JD_MEMBER_HELD;
    if (!(o->step > 0)) o->step = given ? d->step : usual_step;
    if (o->points <= 0) o->points = given ? d->points : usual_points;
    f->walk.bend = fmin(1, o->step / usual_step);
    if (!o->parameter && !given) {
        jd_fail(f->context, JD_MISSING_KEY, "the model does not say what to follow");
        jd_fail_where(f->context, "follow");
        jd_fail_hint(f->context, "add `follow: {parameter: ..., from: ..., to: ...}`");
        return JD_MISSING_KEY;
    }
    if (!o->parameter) {
        o->parameter = d->parameter;
        o->from = d->from;
        o->to = d->to;
    }
    if (o->from != o->to && isfinite(o->from) && isfinite(o->to)) return JD_OK;
    jd_fail(f->context, JD_OUT_OF_RANGE, "`from` is %.10g and `to` is %.10g, but they must differ",
            o->from, o->to);
    jd_fail_where(f->context, "follow.to");
    return JD_OUT_OF_RANGE;
}

// Names of what is recorded beside the measure: other measures, then functions.
static jd_status name_recorded(jd_follow *f) {
    const jd_follow_options *o = &f->options;
    int n = o->also.n;
    const char **name = JD_TAKE(f->arena, const char *, n + o->functions.n);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0; i < n; i++) name[i] = o->also.text[i];
    for (int i = 0; i < o->functions.n; i++) name[n + i] = o->functions.formula[i].name;
    f->view.kept.n_also = n + o->functions.n;
    f->view.kept.also = name;
    return JD_OK;
}

static jd_status ready(jd_follow *f) {
    curve *c = &f->curve;
    const jd_follow_options *o = &f->options;
    double was;
    jd_rebuild rebuild;
    c->parameter.path = jd_arena_text(f->arena, o->parameter);
    JD_TRY(jd_arena_status(f->arena));
    jd_status status = jd_problem_get(c->problem, c->parameter.path, &was);
    if (status == JD_OK) status = jd_problem_set(c->problem, c->parameter.path, o->from, &rebuild);
    if (status != JD_OK) {
        jd_fail_where(f->context, "follow.parameter");
        return status;
    }
    JD_TRY(jd_problem_build(c->problem));
    c->parameter.rebuild = rebuild;
    c->parameter.lambda = o->from;
    c->parameter.L = fabs(o->to - o->from);
    c->parameter.low = fmin(o->to, 2 * o->from - o->to);
    c->parameter.high = fmax(o->to, 2 * o->from - o->to);
    c->tolerance = o->tolerance;
    f->walk.direction = o->to > o->from ? 1 : -1;
    JD_TRY(jd_family_set(f));
    JD_TRY(jd_curve_record(c, o));
    JD_TRY(name_recorded(f));
    f->view.parameter = c->parameter.path;
    f->view.measure = c->seen.measure->text;
    f->view.from = o->from;
    f->view.to = o->to;
    f->view.why = "";
    return JD_OK;
}

// The second parameter of a curve of special points.
static jd_status ready_curve(jd_follow *f) {
    curve *c = &f->curve;
    bool given;
    const jd_follow_def *d = jd_problem_section(c->problem, JD_FOLLOW, &given);
    jd_follow_options *o = &f->options;
    if (o->curve == JD_CURVE_NONE && given && d->parameter == o->parameter && d->curve) {
        o->curve = (jd_curve_kind)d->curve;
        o->second = d->second;
        o->second_from = d->second_from;
        o->second_to = d->second_to;
    }
    if (o->curve == JD_CURVE_NONE) return JD_OK;
    c->parameter.second = jd_arena_text(f->arena, o->second ? o->second : "");
    JD_TRY(jd_arena_status(f->arena));
    if (!strcmp(c->parameter.second, c->parameter.path))
        return jd_fail(f->context, JD_BAD_ARGUMENT, "`%s` is both parameters of the curve",
                       c->parameter.second);
    jd_status status = jd_problem_set(c->problem, c->parameter.second, o->second_from,
                                      &c->parameter.second_rebuild);
    if (status != JD_OK) {
        jd_fail_where(f->context, "follow.second");
        return status;
    }
    JD_TRY(jd_problem_build(c->problem));
    c->parameter.mu = c->parameter.mu_wanted = o->second_from;
    c->parameter.L2 = fabs(o->second_to - o->second_from);
    c->seen.all_ranges = o->curve == JD_CURVE_GRAZING;
    c->parameter.mirrors = o->curve == JD_CURVE_BRANCH;
    f->view.curve = o->curve;
    f->view.second = c->parameter.second;
    f->view.second_from = o->second_from;
    f->view.second_to = o->second_to;
    if (c->parameter.L2 > 0 && isfinite(c->parameter.L2)) return JD_OK;
    return jd_fail(f->context, JD_OUT_OF_RANGE,
                   "`second_from` is %.10g and `second_to` is %.10g, but they must differ",
                   o->second_from, o->second_to);
}

jd_status jd_follow_ready(jd_follow *f) {
    JD_TRY(read_section(f));
    JD_TRY(ready(f));
    JD_TRY(ready_curve(f));
    f->asked = f->options;
    return JD_OK;
}

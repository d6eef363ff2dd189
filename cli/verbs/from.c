// from.c -- --from FILE:POINT: a point by its number (branch.h5:17), or a special point by its kind
// and its number among those of that kind (branch.h5:flip1, branch.h5:branch-point2).
//   A flip is left along the branch of doubled period, a branch point along the branch that crosses
//   it; both are met again from the point before. From a Hopf point of a steady slip its cycles are
//   followed. Any other special point is passed as the branch passed it.
#include "from.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void from_free(from_point *from) { jd_result_free(from->file); }

static jd_status refuse(call *c, jd_status status, const char *text, const char *why,
                        const char *hint) {
    jd_fail(c->context, status, "--from `%s`: %s", text, why);
    if (hint) jd_fail_hint(c->context, "%s", hint);
    return status;
}

// "branch.h5:flip1" -> file and point.
static jd_status split(call *c, const char *text, const char **file, const char **point) {
    char *own = jd_arena_text(c->arena, text), *colon = own ? strrchr(own, ':') : NULL;
    if (!own) return out_of_memory(c);
    if (!colon || colon == own || !colon[1])
        return refuse(c, JD_BAD_USAGE, text, "it is not FILE:POINT",
                      "a point by its number or a special point by its name: branch.h5:17, "
                      "branch.h5:flip1");
    *colon = '\0';
    *file = own;
    *point = colon + 1;
    return JD_OK;
}

// The same bodies, contacts and drives? Numbers may differ.
static bool is_alike(const jd_problem *a, const jd_problem *b) {
    bool same = jd_problem_bodies(a) == jd_problem_bodies(b) &&
                jd_problem_contacts(a) == jd_problem_contacts(b) &&
                jd_problem_drives(a) == jd_problem_drives(b);
    for (int i = 0; same && i < jd_problem_bodies(a); i++)
        same = jd_problem_body(a, i)->type == jd_problem_body(b, i)->type;
    for (int i = 0; same && i < jd_problem_contacts(a); i++)
        same = !strcmp(jd_problem_contact(a, i)->name, jd_problem_contact(b, i)->name);
    for (int i = 0; same && i < jd_problem_drives(a); i++)
        same = !strcmp(jd_problem_drive(a, i)->name, jd_problem_drive(b, i)->name);
    return same;
}

// Was the branch one of this model, followed along the same number?
static jd_status check_model(call *c, const jd_problem *problem, const char *text,
                             const from_point *from) {
    const jd_follow_view *v = jd_result_follow(from->file);
    const char *model = jd_result_look(from->file)->model;
    const jd_follow_def *d = jd_problem_section(problem, JD_FOLLOW, NULL);
    jd_problem *old;
    bool alike = true;
    if (jd_model_parse(c->context, "model", "", model, strlen(model), 0, NULL, &old) == JD_OK) {
        alike = is_alike(problem, old);
        jd_problem_free(old);
    }
    jd_context_clear_error(c->context);
    if (!alike)
        return refuse(c, JD_BAD_ARGUMENT, text, "the branch is one of another model",
                      "bodies, contacts and drives must be the same; their numbers may differ");
    if (!d->parameter || strcmp(v->parameter, d->parameter) != 0)
        return refuse(c, JD_BAD_ARGUMENT, text, "the branch was followed along another number",
                      "`follow.parameter` must be the same");
    return JD_OK;
}

// Does the file keep the orbits' states to start from?
static jd_status check_states(call *c, const char *text, const from_point *from) {
    const jd_follow_view *v = jd_result_follow(from->file);
    if (v->of == JD_FOLLOW_STEADY)
        return refuse(c, JD_NOT_SUPPORTED, text, "it is a point of a steady slip, no orbit",
                      "cycles begin at its Hopf points: branch.h5:hopf1");
    if (!v->state || v->n == 0 || v->kept.n_start == 0)
        return refuse(c, JD_NOT_SUPPORTED, text, "the file keeps no states of its orbits",
                      "follow the branch again with -o FILE.h5");
    return JD_OK;
}

// "half2": the second zero of the function `half`; -1: none.
static int find_function(const jd_follow_view *v, const char *point) {
    for (int i = 0; i < v->n_special; i++) {
        const char *name = v->special[i].name;
        size_t n = name ? strlen(name) : 0;
        if (n == 0 || strncmp(point, name, n) != 0) continue;
        char *end = NULL;
        long wanted = point[n] ? strtol(point + n, &end, 10) : 1;
        if (end && (*end || wanted < 1)) continue;
        for (int k = 0; k < v->n_special; k++)
            if (v->special[k].name && !strcmp(v->special[k].name, name) && --wanted == 0) return k;
    }
    return -1;
}

// Number of the special point that `point` names; -1: none.
static int find_special(const jd_follow_view *v, const char *point) {
    for (int kind = 0; kind < JD_SPECIAL_COUNT; kind++) {
        const char *name = jd_special_name((jd_special_kind)kind);
        size_t n = strlen(name);
        if (strncmp(point, name, n) != 0) continue;
        char *end = NULL;
        long wanted = point[n] ? strtol(point + n, &end, 10) : 1;
        if (end && (*end || wanted < 1)) continue;
        for (int i = 0; i < v->n_special; i++)
            if ((int)v->special[i].kind == kind && --wanted == 0) return i;
    }
    return find_function(v, point);
}

// SI value of a parameter as the file has it.
static double in_si(const jd_problem *problem, const from_point *from, const char *path,
                    double value) {
    const jd_result_head *h = jd_result_look(from->file);
    const char *unit;
    double size = jd_problem_shown_unit(problem, path, &unit);
    for (int i = 0; i < h->n_unit; i++)
        if (unit && !strcmp(h->unit[i].name, path) && !strcmp(h->unit[i].text, unit))
            return value * size;
    return value;
}

const jd_follow_view *from_earlier(call *c, const jd_problem *problem, const from_point *from) {
    const jd_follow_view *v = from->file ? jd_result_follow(from->file) : NULL;
    if (!v) return NULL;
    double size = in_si(problem, from, v->parameter, 1);
    jd_follow_view *own = JD_TAKE(c->arena, jd_follow_view, 1);
    jd_branch_point *point = JD_TAKE(c->arena, jd_branch_point, v->n_point);
    jd_special *special = JD_TAKE(c->arena, jd_special, v->n_special);
    if (!own || !point || !special) return NULL;
    for (int i = 0; i < v->n_point; i++) {
        point[i] = v->point[i];
        point[i].parameter *= size;
    }
    for (int i = 0; i < v->n_special; i++) {
        special[i] = v->special[i];
        special[i].parameter *= size;
        special[i].error *= size;
    }
    *own = *v;
    own->point = point;
    own->special = special;
    own->from *= size;
    own->to *= size;
    own->end_parameter *= size;
    return own;
}

static void start_at(const jd_problem *problem, const from_point *from, int i,
                     jd_follow_options *o) {
    const jd_follow_view *v = jd_result_follow(from->file);
    const jd_branch_point *p = &v->point[i];
    const jd_follow_def *d = jd_problem_section(problem, JD_FOLLOW, NULL);
    double drive = jd_problem_period(problem);
    o->parameter = d->parameter;
    o->from = in_si(problem, from, v->parameter, p->parameter);
    o->to = d->to;
    o->orbit.state = v->state + (size_t)i * (size_t)v->n;
    o->orbit.phase = v->kept.start[p->start > 0 ? p->start : 0];
    o->orbit.settle = 0;
    o->orbit.period = p->period;
    if (drive > 0) o->orbit.periods = (int)fmax(1, round(p->period / drive));
}

static jd_status start_special(call *c, const jd_problem *problem, const char *text, int k,
                               jd_follow_options *o, from_point *from) {
    const jd_follow_view *v = jd_result_follow(from->file);
    const jd_special *s = &v->special[k];
    int before = s->point > 0 ? s->point - 1 : 0;
    if (before >= v->n_point) before = v->n_point - 1;
    if (s->kind == JD_SPECIAL_HOPF) {
        const jd_follow_def *d = jd_problem_section(problem, JD_FOLLOW, NULL);
        o->hopf = true;
        o->parameter = d->parameter;
        o->from = in_si(problem, from, v->parameter, s->parameter);
        o->to = d->to;
        return JD_OK;
    }
    JD_TRY(check_states(c, text, from));
    start_at(problem, from, before, o);
    double way = s->parameter - v->point[before].parameter;
    o->sense = way != 0 ? copysign(1, way) : 0;
    if (s->kind == JD_SPECIAL_FLIP) o->flip = 1;
    if (s->kind == JD_SPECIAL_BRANCH) {
        o->branch = 1;
        o->arm = 1;
        from->arms = true;
    }
    return JD_OK;
}

jd_status from_read(call *c, const jd_problem *problem, const char *text, jd_follow_options *o,
                    from_point *out) {
    const char *file = "", *point = "";
    char *end;
    *out = (from_point){0};
    if (!text) return JD_OK;
    JD_TRY(split(c, text, &file, &point));
    JD_TRY(jd_result_read(c->context, file, &out->file));
    const jd_follow_view *v = jd_result_follow(out->file);
    if (!v) return refuse(c, JD_BAD_ARGUMENT, text, "the file holds no branch", NULL);
    JD_TRY(check_model(c, problem, text, out));
    out->name = jd_arena_text(c->arena, point);
    long number = strtol(point, &end, 10);
    int k = find_special(v, point);
    if (k >= 0) return start_special(c, problem, text, k, o, out);
    if (*end || number < 1 || number > v->n_point)
        return refuse(c, JD_UNKNOWN_NAME, text, "the branch has no such point",
                      "`judder plot` shows them; a number counts its points from 1, a name its "
                      "special points of that kind: flip1");
    JD_TRY(check_states(c, text, out));
    start_at(problem, out, (int)number - 1, o);
    if (o->from != o->to) return JD_OK;
    return refuse(c, JD_OUT_OF_RANGE, text, "it lies at the end, `to`, of the branch",
                  "choose another `follow.to`");
}

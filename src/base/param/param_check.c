// param_check.c -- a whole definition against its table.
//   Ranges first, member by member and down into nested objects; rules between keys last.
#include <math.h>
#include <stdio.h>

#include "base/param_tools.h"

enum { PATH_SIZE = 300 };

typedef struct checker {
    jd_context *context;
    const char *prefix;
} checker;

static void name_member(const checker *c, const jd_param *p, char *path) {
    const char *dot = c->prefix[0] ? "." : "";
    if (snprintf(path, PATH_SIZE, "%s%s%s", c->prefix, dot, p->key) < 0) path[0] = '\0';
}

static jd_status missing(const checker *c, const jd_param *p) {
    char path[PATH_SIZE];
    name_member(c, p, path);
    jd_status s = jd_fail(c->context, JD_MISSING_KEY, "`%s` is missing: %s", path, p->doc);
    jd_fail_where(c->context, "%s", path);
    return s;
}

static jd_status check_number(const checker *c, const jd_param *p, double value) {
    if (jd_param_allows(p, value)) return JD_OK;
    if (isnan(value) && p->required) return missing(c, p);
    if (isnan(value) && isnan(p->preset)) return JD_OK; // left out
    char path[PATH_SIZE];
    name_member(c, p, path);
    jd_status s = jd_param_check(c->context, p, path, value);
    jd_fail_where(c->context, "%s", path);
    return s;
}

// JD_AUTO, where it is the preset: left out.
static jd_status check_integer(const checker *c, const jd_param *p, int value) {
    return value == JD_AUTO && p->preset == JD_AUTO ? JD_OK : check_number(c, p, value);
}

static jd_status check_list(const checker *c, const jd_param *p, jd_reals list) {
    if (list.n <= 0) return p->required ? missing(c, p) : JD_OK;
    for (int i = 0; i < list.n; i++) JD_TRY(check_number(c, p, list.value[i]));
    return JD_OK;
}

static jd_status check_choice(const checker *c, const jd_param *p, int index) {
    int n = 0;
    while (p->choices[n]) n++;
    if (index >= 0 && index < n) return JD_OK;
    char path[PATH_SIZE];
    name_member(c, p, path);
    return jd_fail(c->context, JD_OUT_OF_RANGE, "`%s` is choice %d of %d", path, index, n);
}

static jd_status check_count(const checker *c, const jd_param *p, int value) {
    bool word =
        value == JD_INFINITE || value == JD_ALL || (value == JD_AUTO && p->preset == JD_AUTO);
    return word ? JD_OK : check_number(c, p, value);
}

static jd_status check_frequency(const checker *c, const jd_param *p, const jd_frequency *f) {
    if (f->mode <= 0) return check_number(c, p, f->value);
    if (isfinite(f->times) && f->times > 0) return JD_OK;
    char path[PATH_SIZE];
    name_member(c, p, path);
    return jd_fail(c->context, JD_OUT_OF_RANGE, "`%s.times` is %.10g, but must be above 0", path,
                   f->times);
}

static jd_status check_object(const checker *c, const jd_param *p, const jd_object *o) {
    if (!o->type) return p->required ? missing(c, p) : JD_OK;
    char path[PATH_SIZE];
    name_member(c, p, path);
    const jd_type *const *t = p->types;
    while (*t && *t != o->type) t++;
    if (*t) return jd_type_check(c->context, o->type, o->def, path);
    jd_status s = jd_fail(c->context, JD_WRONG_TYPE, "`%s` cannot be a `%s`", path, o->type->name);
    jd_fail_where(c->context, "%s", path);
    return s;
}

static jd_status check_points(const checker *c, const jd_param *p, jd_points points) {
    if (points.n == 0) return p->required ? missing(c, p) : JD_OK;
    for (int i = 0; i < points.n; i++)
        if (!points.point[i].name)
            return jd_fail(c->context, JD_BAD_ARGUMENT, "a point has no name");
    return JD_OK;
}

static jd_status check_place(const checker *c, const jd_param *p, const jd_place *place) {
    if (!jd_place_given(place)) return p->required ? missing(c, p) : JD_OK;
    if (place->point || place->points) return JD_OK;
    if (isfinite(place->from) && isfinite(place->to) && place->from < place->to) return JD_OK;
    char path[PATH_SIZE];
    name_member(c, p, path);
    jd_status s = jd_fail(c->context, JD_OUT_OF_RANGE,
                          "`%s` spans from %.10g to %.10g, but a span must have a length above 0",
                          path, place->from, place->to);
    jd_fail_where(c->context, "%s", path);
    return s;
}

static jd_status check_counter(const checker *c, const jd_param *p, const jd_counter *counter) {
    if (counter->kind == JD_PLACE) {
        return jd_place_given(&counter->place) ? check_place(c, p, &counter->place) : missing(c, p);
    }
    if (counter->kind != JD_MOVING || isfinite(counter->velocity)) return JD_OK;
    char path[PATH_SIZE];
    name_member(c, p, path);
    return jd_fail(c->context, JD_OUT_OF_RANGE,
                   "`%s.velocity` is %.10g, but must be a finite number", path, counter->velocity);
}

static jd_status check_matrix(const checker *c, const jd_param *p, const jd_matrix *m) {
    if (!jd_matrix_given(m)) return p->required ? missing(c, p) : JD_OK;
    if (m->file) return JD_OK;
    char path[PATH_SIZE];
    name_member(c, p, path);
    jd_status s = jd_matrix_check(c->context, m, path);
    if (s != JD_OK) jd_fail_where(c->context, "%s", path);
    return s;
}

// The key that may be given instead of this one: its value, NaN: left out.
static double instead(const jd_type *type, const jd_param *p, const void *def) {
    const jd_param *other = p->unless ? jd_type_param(type, p->unless) : NULL;
    return other ? *JD_MEMBER_CONST(double, def, other) : (double)NAN;
}

static jd_status check_real(const checker *c, const jd_type *type, const jd_param *p,
                            const void *def) {
    double value = *JD_MEMBER_CONST(double, def, p);
    if (isnan(value) && !isnan(instead(type, p, def))) return JD_OK;
    JD_TRY(check_number(c, p, value));
    char path[PATH_SIZE];
    name_member(c, p, path);
    checker below = {c->context, path};
    for (const jd_param *q = p->types ? p->types[0]->params : NULL; q && q->key; q++)
        JD_TRY(check_number(&below, q, *JD_MEMBER_CONST(double, def, q)));
    return JD_OK;
}

jd_status jd_type_rules(jd_context *context, const jd_type *type, const void *def) {
    for (const jd_param *p = type->params; p->key; p++) {
        double other = instead(type, p, def);
        if (!p->unless || isnan(*JD_MEMBER_CONST(double, def, p)) || isnan(other) || other == 0)
            continue;
        jd_fail(context, JD_OUT_OF_RANGE, "`%s` and `%s` are both given, but only one is possible",
                p->key, p->unless);
        jd_fail_hint(context, "leave out one of them; `%s`: %s; `%s`: %s", p->key, p->doc,
                     p->unless, jd_type_param(type, p->unless)->doc);
        return JD_OUT_OF_RANGE;
    }
    return type->check ? type->check(context, def) : JD_OK;
}

static jd_status check_member(const checker *c, const jd_type *type, const jd_param *p,
                              const void *def) {
    switch (p->kind) {
    case JD_KIND_REAL:
        return check_real(c, type, p, def);
    case JD_KIND_INTEGER:
        return check_integer(c, p, *JD_MEMBER_CONST(int, def, p));
    case JD_KIND_COUNT:
        return check_count(c, p, *JD_MEMBER_CONST(int, def, p));
    case JD_KIND_CHOICE:
        return check_choice(c, p, *JD_MEMBER_CONST(int, def, p));
    case JD_KIND_DURATION:
        return check_number(c, p, JD_MEMBER_CONST(jd_duration, def, p)->value);
    case JD_KIND_FREQUENCY:
        return check_frequency(c, p, JD_MEMBER_CONST(jd_frequency, def, p));
    case JD_KIND_TEXT:
    case JD_KIND_FILE:
        return p->required && !*JD_MEMBER_CONST(char *const, def, p) ? missing(c, p) : JD_OK;
    case JD_KIND_REALS:
        return check_list(c, p, *JD_MEMBER_CONST(jd_reals, def, p));
    case JD_KIND_TEXTS:
        return p->required && JD_MEMBER_CONST(jd_texts, def, p)->n == 0 ? missing(c, p) : JD_OK;
    case JD_KIND_SHAPES:
        return p->required && JD_MEMBER_CONST(jd_shapes, def, p)->n == 0 ? missing(c, p) : JD_OK;
    case JD_KIND_FORMULAS:
        return p->required && JD_MEMBER_CONST(jd_formulas, def, p)->n == 0 ? missing(c, p) : JD_OK;
    case JD_KIND_DRAWS:
        return p->required && JD_MEMBER_CONST(jd_draws, def, p)->n == 0 ? missing(c, p) : JD_OK;
    case JD_KIND_OBJECT:
        return check_object(c, p, JD_MEMBER_CONST(jd_object, def, p));
    case JD_KIND_POINTS:
        return check_points(c, p, *JD_MEMBER_CONST(jd_points, def, p));
    case JD_KIND_PLACE:
        return check_place(c, p, JD_MEMBER_CONST(jd_place, def, p));
    case JD_KIND_COUNTER:
        return check_counter(c, p, JD_MEMBER_CONST(jd_counter, def, p));
    case JD_KIND_MATRIX:
        return check_matrix(c, p, JD_MEMBER_CONST(jd_matrix, def, p));
    case JD_KIND_GROUP: {
        char path[PATH_SIZE];
        name_member(c, p, path);
        return jd_type_check(c->context, p->types[0], JD_MEMBER_CONST(char, def, p), path);
    }
    case JD_KIND_BOOLEAN:
        return JD_OK;
    }
    return JD_OK;
}

jd_status jd_type_check(jd_context *context, const jd_type *type, const void *def,
                        const char *prefix) {
    checker c = {context, prefix};
    for (const jd_param *p = type->params; p->key; p++) {
        if (def) JD_TRY(check_member(&c, type, p, def));
        if (!def && p->required) return missing(&c, p);
    }
    if (!def) return JD_OK; // stands for the defaults
    jd_status s = jd_type_rules(context, type, def);
    if (s != JD_OK && prefix[0]) jd_fail_where(context, "%s", prefix);
    return s;
}

// places.c -- names of bodies and points, looked up with messages that help; spans; starts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/law.h"
#include "problem/contacts/contacts.h"
#include "problem/parts.h"
#include "problem/shape.h"

enum { TEXT_SIZE = 256 };

// "a, b, c", cut off with "..." where the text is full.
static void join(char *text, size_t size, int n, const char *const *name) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        size_t need = strlen(name[i]) + 2;
        if (used + need + 5 > size) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", name[i]);
    }
}

static void suggest(jd_context *c, const char *word, const char *what, int n,
                    const char *const *name) {
    char list[TEXT_SIZE];
    join(list, sizeof list, n, name);
    const char *near = jd_nearest(word, n, name);
    if (near)
        jd_fail_hint(c, "did you mean `%s`? known %s: %s", near, what, list);
    else if (n)
        jd_fail_hint(c, "known %s: %s", what, list);
    else
        jd_fail_hint(c, "no %s are named", what);
}

static jd_status unknown_body(const jd_problem *p, const char *name) {
    const char *names[32];
    int n = p->bodies.n < 32 ? p->bodies.n : 32;
    for (int i = 0; i < n; i++) names[i] = p->bodies.part[i]->object.name;
    jd_fail(p->context, JD_UNKNOWN_NAME, "there is no body named `%s`", name);
    suggest(p->context, name, "bodies", n, names);
    return JD_UNKNOWN_NAME;
}

static jd_status unknown_point(const jd_problem *p, int body, const char *point) {
    const jd_part *b = p->bodies.part[body];
    const jd_structure *s = b->structure;
    bool sole = p->bodies.n == 1;
    jd_fail(p->context, JD_UNKNOWN_NAME, "there is no point named `%s` on the %s%s%s%s", point,
            sole ? "structure" : "body ", sole ? "" : "`", sole ? "" : b->object.name,
            sole ? "" : "`");
    suggest(p->context, point, "points", s->n_point, s->point_name);
    return JD_UNKNOWN_NAME;
}

jd_status jd_problem_find_body(const jd_problem *p, const char *name, int *body) {
    for (*body = 0; *body < p->bodies.n; ++*body)
        if (!strcmp(p->bodies.part[*body]->object.name, name)) return JD_OK;
    *body = 0;
    if (p->bodies.n == 1 && !strcmp(name, "structure")) return JD_OK;
    return unknown_body(p, name);
}

// Splits "pile.head" where its beginning names a body.
static const char *split(const jd_problem *p, const char *text, int *body) {
    const char *dot = strchr(text, '.');
    for (int i = 0; dot && i < p->bodies.n; i++) {
        const char *name = p->bodies.part[i]->object.name;
        size_t n = strlen(name);
        if (n == (size_t)(dot - text) && !strncmp(name, text, n)) {
            *body = i;
            return dot + 1;
        }
    }
    *body = p->bodies.n == 1 ? 0 : -1;
    return text;
}

// A bare point name in a model of several bodies: fine when one body alone has it.
static jd_status find_anywhere(const jd_problem *p, const char *point, int *body, int *index) {
    int found = 0;
    for (int i = 0; i < p->bodies.n; i++) {
        int k = jd_structure_point(p->bodies.part[i]->structure, point);
        if (k < 0) continue;
        *body = i;
        *index = k;
        found++;
    }
    if (found == 1) return JD_OK;
    jd_fail(p->context, JD_UNKNOWN_NAME,
            found ? "several bodies have a point named `%s`" : "no body has a point named `%s`",
            point);
    const char *example = found ? point : "point";
    jd_fail_hint(p->context, "name the body too: `%s.%s`", p->bodies.part[0]->object.name, example);
    return JD_UNKNOWN_NAME;
}

jd_status jd_problem_find_point(const jd_problem *p, const char *body, const char *point,
                                int *body_index, int *point_index) {
    if (body)
        JD_TRY(jd_problem_find_body(p, body, body_index));
    else
        point = split(p, point, body_index);
    if (*body_index < 0) {
        const char *dot = strchr(point, '.');
        if (!dot) return find_anywhere(p, point, body_index, point_index);
        char name[TEXT_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)(dot - point), point);
        return unknown_body(p, name);
    }
    *point_index = jd_structure_point(p->bodies.part[*body_index]->structure, point);
    return *point_index >= 0 ? JD_OK : unknown_point(p, *body_index, point);
}

static jd_status body_of(const jd_problem *p, const jd_place *place, int *body) {
    *body = 0;
    if (place->body) return jd_problem_find_body(p, place->body, body);
    if (p->bodies.n == 1) return JD_OK;
    return jd_fail(p->context, JD_MISSING_KEY, "a span needs its `body`, there are %d bodies",
                   p->bodies.n);
}

// Of a place along a body of a given kind.
static jd_status check_along(const jd_problem *p, const jd_place *place, bool rod) {
    int body;
    JD_TRY(body_of(p, place, &body));
    const jd_object *o = &p->bodies.part[body]->object;
    const jd_param *length = jd_type_param(o->type, "length");
    const jd_structure *s = p->bodies.part[body]->structure;
    bool axial = length && jd_type_param(o->type, "axial_stiffness"); // what makes a rod
    bool modal = length && s && (jd_structure_capabilities(s) & JD_CAN_MODAL);
    if (!axial && (rod || !modal)) {
        jd_fail(p->context, JD_NOT_SUPPORTED, "a `%s` cannot have a %s along a span", o->type->name,
                rod ? "load" : "contact");
        jd_fail_hint(p->context, rod ? "only rods can have loads along spans: name a point instead"
                                     : "spans are for strings, beams and rods: name its points, "
                                       "{points: [a, b, c]}");
        return JD_NOT_SUPPORTED;
    }
    double l = *JD_MEMBER_CONST(double, o->def, length);
    if (place->from >= 0 && place->to <= l) return JD_OK;
    return jd_fail(p->context, JD_OUTSIDE_STRUCTURE,
                   "the span from %.10g to %.10g is not on the body, which reaches from 0 to %.10g",
                   place->from, place->to, l);
}

jd_status jd_problem_check_place(const jd_problem *p, const jd_place *place) {
    return check_along(p, place, true);
}

static jd_status cannot_span(const jd_problem *p, const jd_contact_def *c, const char *hint) {
    jd_fail(p->context, JD_NOT_SUPPORTED, "the law `%s` cannot act along a span",
            c->law.type->name);
    jd_fail_hint(p->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

jd_status jd_problem_check_span(const jd_problem *p, const jd_contact_def *c) {
    const unsigned never = JD_LAW_NORMAL | JD_LAW_PARALLEL | JD_LAW_PLANE | JD_LAW_CUSHION;
    const unsigned some = JD_LAW_FRICTION | JD_LAW_STOP | JD_LAW_ELASTIC;
    unsigned traits = jd_law_traits(&c->law);
    jd_element e;
    JD_TRY(jd_law_element_of(p->built, &c->law, &e));
    if (e.source == JD_NORMAL_OWN)
        return cannot_span(p, c,
                           "it has two directions: put it at a point, or at several: {normal: "
                           "[a_y, b_y], tangential: [a_x, b_x]}");
    if (!(traits & some) || (traits & never))
        return cannot_span(p, c,
                           "along a span only friction with a given limit and stops are possible: "
                           "put the contact at a point");
    bool pair = c->against.kind == JD_PLACE;
    const jd_place *a = &c->at, *b = &c->against.place;
    if (!jd_place_is_span(a) || (pair && !jd_place_is_span(b)))
        return jd_fail(p->context, JD_WRONG_TYPE,
                       "one side of the contact is a point and the other a span, but both must be "
                       "of one kind");
    JD_TRY(check_along(p, a, false));
    if (!pair) return JD_OK;
    JD_TRY(check_along(p, b, false));
    double la = a->to - a->from, lb = b->to - b->from;
    if (fabs(la - lb) <= 1e-9 * fmax(la, lb)) return JD_OK;
    return jd_fail(p->context, JD_SIZE_MISMATCH,
                   "the two spans of the contact are %.10g and %.10g long, but must be equal", la,
                   lb);
}

static jd_status check_state(const jd_problem *p, const jd_start_state_def *d) {
    int n = d->of == 1 ? p->system.modal.n : 0;
    for (int i = 0; d->of == 0 && i < p->bodies.n; i++) {
        const jd_structure *s = p->bodies.part[i]->structure;
        if (s->n_dof == 0) {
            jd_fail(p->context, JD_NOT_SUPPORTED, "a `%s` has no nodes to start from",
                    p->bodies.part[i]->object.type->name);
            jd_fail_hint(p->context, "give the state of its modes: `of: modes`");
            return JD_NOT_SUPPORTED;
        }
        n += s->n_dof;
    }
    const jd_reals *lists[] = {&d->displacement, &d->velocity};
    for (int i = 0; i < 2; i++)
        if (lists[i]->n != 0 && lists[i]->n != n)
            return jd_fail(p->context, JD_SIZE_MISMATCH,
                           "`%s` has %d values, but the structure has %d %s",
                           i ? "velocity" : "displacement", lists[i]->n, n,
                           d->of == 1 ? "modes" : "degrees of freedom");
    return JD_OK;
}

// With common modes: one of them moves the point.
static jd_status check_common(const jd_problem *p, const jd_start_lift_def *d) {
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    int n = p->system.modal.n;
    jd_dd *row = JD_TAKE(arena, jd_dd, n);
    jd_status s = jd_arena_status(arena);
    if (s == JD_OK && d->mode > n)
        s = jd_fail(p->context, JD_OUT_OF_RANGE, "`mode` is %d, but there are %d common modes",
                    d->mode, n);
    if (s == JD_OK) s = jd_problem_row(p, d->point, row);
    if (s == JD_OK && row[d->mode - 1].hi == 0)
        s = jd_fail(p->context, JD_OUT_OF_RANGE, "mode %d does not move the point `%s`", d->mode,
                    d->point);
    jd_arena_free(arena);
    return s;
}

static jd_status check_lift(const jd_problem *p, const jd_start_lift_def *d) {
    int body = 0, point = 0;
    if (p->system.turn) return check_common(p, d);
    JD_TRY(jd_problem_find_point(p, NULL, d->point, &body, &point));
    const jd_structure *s = p->bodies.part[body]->structure;
    if (d->mode > s->modal.n)
        return jd_fail(p->context, JD_OUT_OF_RANGE, "`mode` is %d, but the structure has %d modes",
                       d->mode, s->modal.n);
    if (d->mode > s->modal.n - s->modal.n_static)
        return jd_fail(p->context, JD_OUT_OF_RANGE,
                       "`mode` is %d, a static shape and no mode: the structure keeps %d modes",
                       d->mode, s->modal.n - s->modal.n_static);
    const jd_dd *row = s->row + (size_t)point * (size_t)s->modal.n;
    double largest = 0, own = fabs(row[d->mode - 1].hi);
    for (int k = 0; k < s->modal.n; k++) largest = fmax(largest, fabs(row[k].hi));
    // 1e-13: a node of the mode, but for the rounding of its position
    if ((d->displacement == 0 && d->velocity == 0) || own > 1e-13 * largest) return JD_OK;
    return jd_fail(p->context, JD_OUT_OF_RANGE, "mode %d does not move the point `%s`", d->mode,
                   d->point);
}

// Whether the forces that hold the shape can be found.
static jd_status check_shape(const jd_problem *p) {
    jd_start_forces forces;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = jd_start_shape_forces(p, arena, &forces);
    jd_arena_free(arena);
    return s;
}

jd_status jd_problem_check_start(const jd_problem *p) {
    const jd_object *o = &p->start.object;
    jd_status s = JD_OK;
    if (o->type == &jd_start_state) s = check_state(p, o->def);
    if (o->type == &jd_start_state && s == JD_OK) s = jd_contact_check_start(p);
    if (o->type == &jd_start_lift) s = check_lift(p, o->def);
    if (o->type == &jd_start_shape) s = check_shape(p);
    if (s != JD_OK) jd_fail_where(p->context, "start");
    return s;
}

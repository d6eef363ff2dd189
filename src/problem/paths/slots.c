// slots.c -- the walk over all numbers of a problem.
//   Lists count from 1: structure.mass.2. Points: structure.points.tip (position),
//   structure.points.end.node. Spans: contacts.shaft.at.span.1. A list of one is its number too.
#include "problem/paths/slots.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct walker {
    const char *target;
    jd_slot_visit visit;
    void *user;
    bool done;
    char path[JD_PATH_SIZE];
    size_t length;
    jd_slot slot; // part, type, def, rebuild of the numbers being walked
} walker;

static void walk_def(walker *w, const jd_type *type, void *def);

// Goes down one word; false (and no step) when the target lies elsewhere. Undo with leave.
static bool enter(walker *w, const char *format, ...) JD_PRINTF(2, 3);
static bool enter(walker *w, const char *format, ...) {
    if (w->done) return false;
    size_t old = w->length;
    if (old + 2 >= sizeof w->path) return false;
    if (old) w->path[w->length++] = '.';
    va_list args;
    va_start(args, format);
    int n = vsnprintf(w->path + w->length, sizeof w->path - w->length, format, args);
    va_end(args);
    size_t end = w->length + (n < 0 ? 0 : (size_t)n);
    bool leads =
        end < sizeof w->path && (!w->target || (!strncmp(w->path, w->target, end) &&
                                                (w->target[end] == '.' || w->target[end] == '\0')));
    w->length = leads ? end : old;
    w->path[w->length] = '\0';
    return leads;
}

static void leave(walker *w, size_t length) {
    w->length = length;
    w->path[length] = '\0';
}

static void offer(walker *w, jd_slot_kind kind, const void *at, const jd_param *param,
                  double above) {
    if (w->done || (w->target && strcmp(w->target, w->path))) return;
    jd_slot s = w->slot;
    s.kind = kind;
    s.at = (void *)at; // definitions are the problem's own copies
    s.param = param;
    s.above = above;
    w->done = !w->visit(w->user, w->path, &s);
}

static void offer_at(walker *w, const char *key, jd_slot_kind kind, const void *at,
                     const jd_param *param, double above) {
    size_t here = w->length;
    if (!enter(w, "%s", key)) return;
    offer(w, kind, at, param, above);
    leave(w, here);
}

static void walk_reals(walker *w, const jd_param *p, const jd_reals *list) {
    if (list->n == 1) offer(w, JD_SLOT_REAL, list->value, p, 0);
    if (list->n == 1 && !w->target) return; // `mass` stands for `mass.1`
    if (list->n > 1 && w->target) offer(w, JD_SLOT_LIST, list, p, 0);
    for (int i = 0; i < list->n; i++) {
        size_t here = w->length;
        if (!enter(w, "%d", i + 1)) continue;
        offer(w, JD_SLOT_REAL, &list->value[i], p, 0);
        leave(w, here);
    }
}

static void walk_frequency(walker *w, const jd_param *p, const jd_frequency *f) {
    offer(w, JD_SLOT_FREQUENCY, f, p, 0);
    if (f->mode <= 0) return;
    offer_at(w, "times", JD_SLOT_REAL, &f->times, NULL, 0);
    offer_at(w, "mode", JD_SLOT_MODE, &f->mode, NULL, 0);
}

static void walk_points(walker *w, const jd_points *points) {
    for (int i = 0; i < points->n; i++) {
        const jd_point *p = &points->point[i];
        size_t here = w->length;
        if (!enter(w, "%s", p->name)) continue;
        if (p->node > 0)
            offer_at(w, "node", JD_SLOT_MODE, &p->node, NULL, 0);
        else if (!p->label && !isnan(p->position))
            offer(w, JD_SLOT_REAL, &p->position, NULL, -HUGE_VAL);
        leave(w, here);
    }
}

static void walk_shapes(walker *w, const jd_param *p, const jd_shapes *shapes) {
    for (int i = 0; i < shapes->n; i++) {
        size_t here = w->length;
        if (!enter(w, "%s", shapes->shape[i].name)) continue;
        walk_reals(w, p, &shapes->shape[i].value);
        leave(w, here);
    }
}

static void walk_place(walker *w, const jd_place *place) {
    size_t here = w->length;
    if (!jd_place_is_span(place) || !enter(w, "span")) return;
    jd_rebuild old = w->slot.rebuild;
    w->slot.rebuild = JD_REBUILD_ROWS;
    offer_at(w, "1", JD_SLOT_REAL, &place->from, NULL, -HUGE_VAL);
    offer_at(w, "2", JD_SLOT_REAL, &place->to, NULL, -HUGE_VAL);
    w->slot.rebuild = old;
    leave(w, here);
}

static void walk_counter(walker *w, const jd_counter *counter) {
    if (counter->kind == JD_MOVING)
        offer_at(w, "velocity", JD_SLOT_REAL, &counter->velocity, NULL, -HUGE_VAL);
    if (counter->kind == JD_PLACE) walk_place(w, &counter->place);
}

// Another key may be given instead of this one.
static bool has_other(const jd_type *type, const jd_param *p) {
    if (p->unless) return true;
    for (const jd_param *q = type->params; q->key; q++)
        if (q->unless && !strcmp(q->unless, p->key)) return true;
    return false;
}

// A number, and those of the map that may stand for it: listed where one differs from its default.
static void walk_real(walker *w, const jd_param *p, void *def) {
    if (!w->target && isnan(*JD_MEMBER(double, def, p)) && has_other(w->slot.type, p)) return;
    offer(w, JD_SLOT_REAL, JD_MEMBER(double, def, p), p, 0);
    const jd_param *parts = p->types ? p->types[0]->params : NULL;
    bool used = w->target != NULL;
    for (const jd_param *q = parts; q && q->key; q++)
        used |= q->offset != p->offset && *JD_MEMBER(double, def, q) != q->preset;
    for (const jd_param *q = used ? parts : NULL; q && q->key; q++)
        offer_at(w, q->key, JD_SLOT_REAL, JD_MEMBER(double, def, q), q, 0);
}

// A number of cells is one of spans alone, and makes new rows.
static void walk_whole(walker *w, const jd_param *p, void *def) {
    jd_rebuild old = w->slot.rebuild;
    if (w->slot.type == &jd_contact_type) {
        if (!jd_place_is_span(&((jd_contact_def *)def)->at)) return;
        w->slot.rebuild = JD_REBUILD_ROWS;
    }
    offer(w, JD_SLOT_INTEGER, JD_MEMBER(int, def, p), p, 0);
    w->slot.rebuild = old;
}

static void walk_member(walker *w, const jd_param *p, void *def) {
    switch (p->kind) {
    case JD_KIND_REAL:
        walk_real(w, p, def);
        break;
    case JD_KIND_INTEGER:
    case JD_KIND_COUNT:
        walk_whole(w, p, def);
        break;
    case JD_KIND_DURATION:
        offer(w, JD_SLOT_REAL, &JD_MEMBER(jd_duration, def, p)->value, p, 0);
        break;
    case JD_KIND_FREQUENCY:
        walk_frequency(w, p, JD_MEMBER(jd_frequency, def, p));
        break;
    case JD_KIND_REALS:
        walk_reals(w, p, JD_MEMBER(jd_reals, def, p));
        break;
    case JD_KIND_POINTS:
        walk_points(w, JD_MEMBER(jd_points, def, p));
        break;
    case JD_KIND_SHAPES:
        walk_shapes(w, p, JD_MEMBER(jd_shapes, def, p));
        break;
    case JD_KIND_PLACE:
        walk_place(w, JD_MEMBER(jd_place, def, p));
        break;
    case JD_KIND_COUNTER:
        walk_counter(w, JD_MEMBER(jd_counter, def, p));
        break;
    case JD_KIND_GROUP:
        walk_def(w, p->types[0], JD_MEMBER(char, def, p));
        break;
    case JD_KIND_OBJECT: {
        jd_object *o = JD_MEMBER(jd_object, def, p);
        if (o->type && o->def) walk_def(w, o->type, o->def);
        break;
    }
    case JD_KIND_BOOLEAN:
    case JD_KIND_CHOICE:
    case JD_KIND_TEXT:
    case JD_KIND_FILE:
    case JD_KIND_MATRIX:
    case JD_KIND_TEXTS:
    case JD_KIND_FORMULAS:
    case JD_KIND_DRAWS:
        break;
    }
}

static void walk_def(walker *w, const jd_type *type, void *def) {
    jd_slot outer = w->slot;
    w->slot.type = type;
    w->slot.def = def;
    for (const jd_param *p = type->params; p->key && !w->done; p++) {
        size_t here = w->length;
        if (!enter(w, "%s", p->key)) continue;
        walk_member(w, p, def);
        leave(w, here);
    }
    w->slot = outer;
}

static void walk_part(walker *w, const char *section, jd_part *part, jd_rebuild rebuild) {
    const char *dot = section[0] ? "." : "";
    if (!enter(w, "%s%s%s", section, dot, part->object.name)) return;
    w->slot = (jd_slot){.part = part, .rebuild = rebuild};
    walk_def(w, part->object.type, part->object.def);
    leave(w, 0);
}

static void walk_body(walker *w, const jd_problem *p, jd_part *body) {
    char path[JD_PATH_SIZE];
    jd_body_path(body, path, sizeof path);
    // The only body is `structure` too, whatever its name.
    bool alias = p->bodies.n == 1 && w->target && !strncmp(w->target, "structure.", 10);
    if (!enter(w, "%s", alias ? "structure" : path)) return;
    w->slot = (jd_slot){.part = body, .rebuild = JD_REBUILD_MODES};
    walk_def(w, body->object.type, body->object.def);
    leave(w, 0);
}

void jd_problem_walk(const jd_problem *p, const char *target, jd_slot_visit visit, void *user) {
    walker w = {.target = target, .visit = visit, .user = user};
    for (int i = 0; i < p->bodies.n; i++) walk_body(&w, p, p->bodies.part[i]);
    for (int i = 0; i < p->contacts.n; i++)
        walk_part(&w, "contacts", p->contacts.part[i], JD_REBUILD_LAWS);
    for (int i = 0; i < p->connections.n; i++)
        walk_part(&w, "connections", p->connections.part[i], JD_REBUILD_MODES);
    for (int i = 0; i < p->drives.n; i++)
        walk_part(&w, "drives", p->drives.part[i], JD_REBUILD_LAWS);
    if (enter(&w, "start")) {
        w.slot = (jd_slot){.part = (jd_part *)&p->start, .rebuild = JD_REBUILD_NOTHING};
        walk_def(&w, p->start.object.type, p->start.object.def);
        leave(&w, 0);
    }
    for (int i = 0; i < JD_SECTION_COUNT; i++) {
        if (!p->given[i] && !target) continue; // unwritten sections answer, but are not listed
        if (!enter(&w, "%s", jd_section_types[i].name)) continue;
        w.slot = (jd_slot){.rebuild = JD_REBUILD_NOTHING};
        walk_def(&w, &jd_section_types[i], p->section[i]);
        leave(&w, 0);
    }
}

// places.c -- where things are: points of a structure, places of contacts, counter-bodies.
//   points:  mid: 1.235 m | {node: 5} | {node: 12, dof: 2} | {position: 1 m, dof: rotation}
//            {near: [0.2 m, 0 m, 0 m], set: TIP, dof: z}
//   places:  tip | pile.head | {body: pile, point: head} | {body: pile, span: [25 m, 50 m]}
//            {normal: tip_y, tangential: tip_x}: two points of one body, the directions of a
//            contact
//            {points: [a, b, c]}, {points: {a: 1, b: 2}}: several points with their shares, the
//            cells of one contact; {normal: [a_y, b_y], tangential: [a_x, b_x]}
//            {direction: {tip_x: 0.6, tip_y: 0.8}}, {normal: {...}, tangential: {...}}: directions
//            as vectors over points of one node
//   counter: ground | {velocity: 1.5} | a place
#include <limits.h>
#include <math.h>
#include <string.h>

#include "judder/follow.h"
#include "model/bind.h"

static jd_status bind_dof(jd_binder *b, jd_node *node, int *out) {
    static const jd_param dof = {.key = "dof",
                                 .kind = JD_KIND_INTEGER,
                                 .unit = "",
                                 .low = 1,
                                 .high = INT_MAX,
                                 .doc = "1 or deflection, 2 or rotation; in matrices their dof"};
    static const char *const words[] = {"deflection", "rotation"};
    static const char *const directions[] = {"x", "y", "z", "rx", "ry", "rz"};
    if (node->kind == JD_NODE_SCALAR) {
        for (int i = 0; i < 2; i++)
            if (!strcmp(node->text, words[i])) return *out = i + 1, JD_OK;
        for (int i = 0; i < 6; i++)
            if (!strcmp(node->text, directions[i])) return *out = i + 1, JD_OK;
    }
    jd_status status = jd_bind_whole(b, &dof, node, out);
    if (status == JD_WRONG_TYPE)
        jd_fail_hint(b->context, "write a whole number, `deflection` or `rotation`; in matrices "
                                 "x, y, z, rx, ry or rz");
    return status;
}

// A number counts nodes from 1, and names the node where matrices carry labels.
static jd_status bind_node(jd_binder *b, jd_node *node, jd_point *out) {
    static const jd_param number = {.key = "node",
                                    .kind = JD_KIND_INTEGER,
                                    .unit = "",
                                    .low = 1,
                                    .high = INT_MAX,
                                    .doc = "number of the node from 1, or its label in matrices"};
    JD_TRY(jd_bind_text(b, "node", node, &out->label));
    bool numeric = !node->quoted && strchr("+-.0123456789", node->text[0]);
    if (!numeric) return JD_OK;
    return jd_bind_whole(b, &number, node, &out->node);
}

// Three coordinates.
static jd_status bind_near(jd_binder *b, jd_node *node, jd_reals *out) {
    static const jd_param place = {.key = "near",
                                   .kind = JD_KIND_REALS,
                                   .unit = "m",
                                   .low = -1e60,
                                   .high = 1e60,
                                   .doc = "x, y, z"};
    if (node->kind != JD_NODE_LIST || node->n != 3)
        return jd_bind_wrong_type(b, node, "near", "three coordinates, [0.2 m, 0 m, 0 m],");
    return jd_bind_reals(b, &place, node, out);
}

static jd_status bind_point_map(jd_binder *b, jd_node *node, jd_point *out) {
    static const char *const keys[] = {"position", "node", "dof", "near", "set"};
    JD_TRY(jd_bind_known_keys(b, node, "a point", 5, keys));
    jd_node *position = jd_node_get(node, "position"), *number = jd_node_get(node, "node");
    jd_node *dof = jd_node_get(node, "dof"), *near = jd_node_get(node, "near");
    jd_node *set = jd_node_get(node, "set");
    int ways = (position != NULL) + (number != NULL) + (near != NULL);
    if (ways > 1 || (!ways && !set))
        return jd_bind_refuse(b, node, JD_MISSING_KEY,
                              "write `1.2 m`, {node: 5} or {position: 1 m, dof: rotation}; of "
                              "matrices with a mesh {near: [0.2 m, 0 m, 0 m], dof: z}",
                              "the point `%s` needs a `position`, a `node` or `near`%s", node->key,
                              ways ? ", only one of them" : "");
    if (position) JD_TRY(jd_bind_number(b, "position", "m", position, 0, &out->position));
    if (number) JD_TRY(bind_node(b, number, out));
    if (near) JD_TRY(bind_near(b, near, &out->near));
    if (set) JD_TRY(jd_bind_text(b, "set", set, &out->set));
    return dof ? bind_dof(b, dof, &out->dof) : JD_OK;
}

static jd_status bind_point(jd_binder *b, const jd_param *p, jd_node *node, jd_point *out) {
    JD_TRY(jd_bind_check_name(b, node));
    *out = (jd_point){.name = node->key, .position = (double)NAN, .dof = 1};
    if (node->kind == JD_NODE_MAP) return bind_point_map(b, node, out);
    if (node->kind == JD_NODE_LIST)
        return jd_bind_wrong_type(b, node, node->key, "a position, or {node: 5}");
    if (!*p->unit && node->kind == JD_NODE_SCALAR && !strpbrk(node->text, " .eE"))
        return bind_node(b, node, out);
    return jd_bind_number(b, node->key, "m", node, 0, &out->position);
}

jd_status jd_bind_points(jd_binder *b, const jd_param *p, jd_node *node, jd_points *out) {
    if (node->kind != JD_NODE_MAP)
        return jd_bind_wrong_type(b, node, "points", "names and positions, {mid: 1.2 m},");
    jd_point *list = JD_TAKE(b->arena, jd_point, node->n);
    if (!list) return jd_arena_status(b->arena);
    int n = 0;
    for (jd_node *c = node->first; c; c = c->next) JD_TRY(bind_point(b, p, c, &list[n++]));
    *out = (jd_points){n, list};
    return JD_OK;
}

// Mass-normalised shapes are in 1/sqrt(kg), which no one writes: they carry no unit.
jd_status jd_bind_shapes(jd_binder *b, const jd_param *p, jd_node *node, jd_shapes *out) {
    if (node->kind != JD_NODE_MAP)
        return jd_bind_wrong_type(b, node, p->key, "names and lists, {tip: [2, -2]},");
    jd_shape *list = JD_TAKE(b->arena, jd_shape, node->n);
    if (!list) return jd_arena_status(b->arena);
    int n = 0;
    bool path = !strcmp(p->unit, "*"), measure = !strcmp(p->unit, "measure"),
         factor = !strcmp(p->unit, "factor");
    for (jd_node *c = node->first; c; c = c->next, n++) {
        const jd_node name = {.kind = JD_NODE_SCALAR, .text = c->key};
        const jd_node *followed = b->followed;
        jd_param value = {.key = c->key, .kind = JD_KIND_REALS, .unit = p->unit, .doc = p->doc};
        if (measure) value.unit = jd_measure_unit(c->key);
        if (factor) value.unit = "";
        if (!path && !measure && !factor) JD_TRY(jd_bind_check_name(b, c));
        if (path) b->followed = &name;
        list[n].name = c->key;
        jd_status status = jd_bind_reals(b, &value, c, &list[n].value);
        b->followed = followed;
        JD_TRY(status);
        c->wanted = value.unit;
    }
    *out = (jd_shapes){n, list};
    return JD_OK;
}

// "tip" or "pile.head"
static jd_status place_from_text(jd_binder *b, const char *key, const jd_node *node,
                                 jd_place *out) {
    const char *dot = strchr(node->text, '.');
    bool looks_number = !node->quoted && jd_number_looks(node->text);
    if (!node->text[0] || looks_number || (dot && (dot == node->text || !dot[1])))
        return jd_bind_refuse(b, node, JD_WRONG_TYPE,
                              "give the position a name under `points`, and use that name here",
                              "expected the name of a point for `%s`, found %s", key,
                              jd_node_words(b->arena, node));
    *out = (jd_place){.point = node->text};
    if (!dot) return JD_OK;
    out->point = dot + 1;
    char *body = jd_arena_text(b->arena, node->text);
    if (!body) return jd_arena_status(b->arena);
    body[dot - node->text] = '\0';
    out->body = body;
    return JD_OK;
}

static jd_status bind_span(jd_binder *b, jd_node *span, jd_place *out) {
    if (span->kind != JD_NODE_LIST || span->n != 2)
        return jd_bind_wrong_type(b, span, "span", "[from, to]");
    JD_TRY(jd_bind_number(b, "span", "m", span->first, 0, &out->from));
    JD_TRY(jd_bind_number(b, "span", "m", span->last, 1, &out->to));
    if (out->from >= 0 && out->from < out->to) return JD_OK;
    return jd_bind_refuse(b, span, JD_OUT_OF_RANGE, "write [25 m, 50 m], counted from the left end",
                          "the span [%s, %s] does not run from left to right", span->first->text,
                          span->last->text);
}

// {tip_x: 0.6, tip_y: 0.8} becomes "0.6 tip_x + 0.8 tip_y" (problem/direction.c).
static jd_status bind_vector(jd_binder *b, jd_node *node, jd_place *out) {
    char *text = NULL;
    for (jd_node *c = node->first; c; c = c->next) {
        double value;
        if (strchr(c->key, ' '))
            return jd_bind_refuse(b, c, JD_WRONG_TYPE, "write {tip_x: 0.6, tip_y: 0.8}",
                                  "`%s` is no name of a point", c->key);
        JD_TRY(jd_bind_number(b, c->key, "", c, 0, &value));
        text = text ? jd_arena_format(b->arena, "%s + %.17g %s", text, value, c->key)
                    : jd_arena_format(b->arena, "%.17g %s", value, c->key);
        if (!text) return jd_arena_status(b->arena);
    }
    if (!text)
        return jd_bind_refuse(b, node, JD_MISSING_KEY, "write {tip_x: 0.6, tip_y: 0.8}",
                              "the direction `%s` has no components", node->key);
    *out = (jd_place){.point = text};
    return JD_OK;
}

// Names of several points, "a, b, c", and their shares where it is a map.
static jd_status bind_several(jd_binder *b, const char *key, jd_node *node, jd_place *out) {
    bool map = node->kind == JD_NODE_MAP;
    char *text = NULL;
    double *share = JD_TAKE(b->arena, double, node->n + 1);
    if (!share) return jd_arena_status(b->arena);
    if (node->kind == JD_NODE_SCALAR || node->n == 0)
        return jd_bind_wrong_type(b, node, key, "names of points, [a, b, c],");
    int n = 0;
    for (jd_node *c = node->first; c; c = c->next, n++) {
        const char *name = c->key;
        if (!map) JD_TRY(jd_bind_text(b, key, c, &name));
        if (!name[0] || strpbrk(name, ", "))
            return jd_bind_refuse(b, c, JD_WRONG_TYPE, "write [a, b, c]",
                                  "`%s` is no name of a point", name);
        if (map) JD_TRY(jd_bind_number(b, name, "", c, 0, &share[n]));
        if (map && !(share[n] > 0))
            return jd_bind_refuse(b, c, JD_OUT_OF_RANGE, "leave the point out",
                                  "the share of the point `%s` is not above 0", name);
        text = text ? jd_arena_format(b->arena, "%s, %s", text, name)
                    : jd_arena_format(b->arena, "%s", name);
        if (!text) return jd_arena_status(b->arena);
    }
    *out = (jd_place){.points = text};
    if (map) out->share = (jd_reals){n, share};
    return JD_OK;
}

static jd_status bind_side(jd_binder *b, const char *key, jd_node *node, jd_place *out) {
    if (node->kind == JD_NODE_LIST) return bind_several(b, key, node, out);
    if (node->kind == JD_NODE_MAP) return bind_vector(b, node, out);
    if (node->kind == JD_NODE_SCALAR) return place_from_text(b, key, node, out);
    return jd_bind_wrong_type(b, node, key, "the name of a point, or components of points");
}

// Two directions of one body: {normal: b.y, tangential: b.x}. A body named once is that of both.
static jd_status bind_directions(jd_binder *b, jd_node *node, jd_place *out) {
    static const char *const keys[] = {"normal", "tangential", "body"};
    JD_TRY(jd_bind_known_keys(b, node, "a place with two directions", 3, keys));
    jd_node *normal = jd_node_get(node, keys[0]), *along = jd_node_get(node, keys[1]);
    jd_node *body = jd_node_get(node, keys[2]);
    jd_place one = {0}, two = {0};
    if (!normal || !along)
        return jd_bind_refuse(b, node, JD_MISSING_KEY, "write {normal: tip_y, tangential: tip_x}",
                              "a place with two directions needs both `normal` and `tangential`");
    JD_TRY(bind_side(b, keys[0], normal, &one));
    JD_TRY(bind_side(b, keys[1], along, &two));
    if (!one.points != !two.points)
        return jd_bind_refuse(b, along, JD_WRONG_TYPE,
                              "write {normal: [a_y, b_y], tangential: [a_x, b_x]}",
                              "of `normal` and `tangential` one is a list, the other the name of a "
                              "point");
    *out = (jd_place){.body = two.body ? two.body : one.body,
                      .point = two.point,
                      .points = two.points,
                      .normal = one.points ? one.points : one.point};
    if (one.body && two.body && strcmp(one.body, two.body) != 0)
        return jd_bind_refuse(b, along, JD_WRONG_TYPE,
                              "a contact touches one body at one place: name two points of it",
                              "the directions `%s` and `%s` are of different bodies", normal->text,
                              along->text);
    return body ? jd_bind_text(b, "body", body, &out->body) : JD_OK;
}

static jd_status place_from_map(jd_binder *b, jd_node *node, jd_place *out) {
    static const char *const keys[] = {"body",   "point",      "span",     "points",
                                       "normal", "tangential", "direction"};
    if (jd_node_get(node, "normal") || jd_node_get(node, "tangential"))
        return bind_directions(b, node, out);
    JD_TRY(jd_bind_known_keys(b, node, "a place", 7, keys));
    *out = (jd_place){0};
    jd_node *body = jd_node_get(node, "body"), *point = jd_node_get(node, "point");
    jd_node *span = jd_node_get(node, "span"), *along = jd_node_get(node, "direction");
    jd_node *several = jd_node_get(node, "points");
    if (along && along->kind == JD_NODE_LIST)
        return jd_bind_wrong_type(b, along, "direction", "components of points");
    if ((along || several) && !point && !span && !(along && several)) {
        JD_TRY(along ? bind_side(b, "direction", along, out)
                     : bind_several(b, "points", several, out));
        return body ? jd_bind_text(b, "body", body, &out->body) : JD_OK;
    }
    if (!point == !span || along || several)
        return jd_bind_refuse(b, node, JD_MISSING_KEY,
                              "write {body: pile, point: head} or {body: pile, span: [25 m, 50 m]}",
                              "a place needs `point`, `span`, `points` or `direction`%s",
                              point || span ? ", and one of them only" : "");
    if (body) JD_TRY(jd_bind_text(b, "body", body, &out->body));
    if (point) return jd_bind_text(b, "point", point, &out->point);
    return bind_span(b, span, out);
}

jd_status jd_bind_place(jd_binder *b, const char *key, jd_node *node, jd_place *out) {
    if (node->kind == JD_NODE_LIST)
        return jd_bind_wrong_type(b, node, key, "the name of a point, or {body, span: [from, to]}");
    return node->kind == JD_NODE_MAP ? place_from_map(b, node, out)
                                     : place_from_text(b, key, node, out);
}

jd_status jd_bind_counter(jd_binder *b, jd_node *node, jd_counter *out) {
    *out = (jd_counter){.kind = JD_GROUND};
    if (node->kind == JD_NODE_SCALAR && !strcmp(node->text, "ground")) return JD_OK;
    jd_node *velocity = jd_node_get(node, "velocity");
    if (velocity) {
        static const char *const keys[] = {"velocity"};
        JD_TRY(jd_bind_known_keys(b, node, "a moving counter-body", 1, keys));
        out->kind = JD_MOVING;
        return jd_bind_number(b, "velocity", "m/s|rad/s", velocity, 0, &out->velocity);
    }
    if (node->kind == JD_NODE_MAP && !jd_node_get(node, "point") && !jd_node_get(node, "span")) {
        static const char *const keys[] = {"velocity", "body",       "point",     "span",
                                           "normal",   "tangential", "direction", "points"};
        JD_TRY(jd_bind_known_keys(b, node, "against", 8, keys));
    }
    out->kind = JD_PLACE;
    return jd_bind_place(b, "against", node, &out->place);
}

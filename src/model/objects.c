// objects.c -- maps of keys into definition structs, key by key as the table says.
#include <string.h>

#include "model/bind.h"

static jd_status unknown_key(jd_binder *b, const jd_node *child, const char *what, int n,
                             const char *const *known) {
    const char *near = jd_nearest(child->key, n, known), *list = "";
    for (int i = 0; i < n && list; i++)
        list = jd_arena_format(b->arena, "%s%s`%s`", list, i ? ", " : "", known[i]);
    jd_fail(b->context, JD_UNKNOWN_KEY, "unknown key %s in %s", jd_quote(b->arena, child->key),
            what);
    jd_fail_at_key(b->context, child);
    if (near)
        jd_fail_hint(b->context, "did you mean `%s`?", near);
    else if (n == 0)
        jd_fail_hint(b->context, "it has no keys of its own");
    else
        jd_fail_hint(b->context, "keys possible here: %s", list ? list : "");
    return JD_UNKNOWN_KEY;
}

jd_status jd_bind_known_keys(jd_binder *b, const jd_node *map, const char *what, int n,
                             const char *const *known) {
    for (const jd_node *c = map->first; c; c = c->next) {
        bool found = false;
        for (int i = 0; i < n && !found; i++) found = !strcmp(c->key, known[i]);
        if (!found) return unknown_key(b, c, what, n, known);
    }
    return JD_OK;
}

// The keys of a table, `type` first when it is one of them.
static jd_status check_keys(jd_binder *b, const jd_type *type, bool typed, const jd_node *map) {
    int n = typed;
    for (const jd_param *p = type->params; p->key; p++) n++;
    const char **known = JD_TAKE(b->arena, const char *, n);
    if (!known) return jd_arena_status(b->arena);
    n = 0;
    if (typed) known[n++] = "type";
    for (const jd_param *p = type->params; p->key; p++) known[n++] = p->key;
    const char *what =
        map->key ? jd_arena_format(b->arena, "`%s` (%s)", map->key, type->name) : type->name;
    return jd_bind_known_keys(b, map, what ? what : "", n, known);
}

static jd_status missing_key(jd_binder *b, const jd_type *type, const jd_param *p,
                             const jd_node *node) {
    jd_fail(b->context, JD_MISSING_KEY, "the key `%s` is missing in `%s` (%s)", p->key,
            node->key ? node->key : "the model", type->name);
    jd_fail_at_key(b->context, node);
    bool unit = p->unit && *p->unit && strcmp(p->unit, "*") != 0 && p->kind != JD_KIND_PLACE;
    jd_fail_hint(b->context, "`%s`: %s%s%s%s", p->key, p->doc, unit ? ", in " : "",
                 unit ? jd_unit_words(b->arena, p->unit) : "",
                 p->unless ? jd_arena_format(b->arena, "; or give `%s`", p->unless) : "");
    return JD_MISSING_KEY;
}

// A number, or a map that stands for it, whose keys are members of the same definition.
static jd_status bind_real(jd_binder *b, const jd_param *p, jd_node *node, void *def) {
    if (!p->types || node->kind != JD_NODE_MAP)
        return jd_bind_real(b, p, node, JD_MEMBER(double, def, p));
    const jd_type *type = node->type = p->types[0];
    JD_TRY(check_keys(b, type, false, node));
    for (const jd_param *q = type->params; q->key; q++) {
        jd_node *child = jd_node_get(node, q->key);
        if (child) JD_TRY(jd_bind_real(b, q, child, JD_MEMBER(double, def, q)));
        if (!child && q->required) return missing_key(b, type, q, node);
    }
    return JD_OK;
}

static jd_status bind_member(jd_binder *b, const jd_param *p, jd_node *node, void *def) {
    switch (p->kind) {
    case JD_KIND_REAL:
        return bind_real(b, p, node, def);
    case JD_KIND_INTEGER:
        return jd_bind_whole(b, p, node, JD_MEMBER(int, def, p));
    case JD_KIND_BOOLEAN:
        return jd_bind_boolean(b, p->key, node, JD_MEMBER(bool, def, p));
    case JD_KIND_CHOICE:
        return jd_bind_choice(b, p, node, JD_MEMBER(int, def, p));
    case JD_KIND_TEXT:
        return jd_bind_text(b, p->key, node, JD_MEMBER(const char *, def, p));
    case JD_KIND_FILE:
        return jd_bind_file(b, p->key, node, JD_MEMBER(const char *, def, p));
    case JD_KIND_MATRIX:
        return jd_bind_matrix(b, p->key, node, JD_MEMBER(jd_matrix, def, p));
    case JD_KIND_REALS:
        return jd_bind_reals(b, p, node, JD_MEMBER(jd_reals, def, p));
    case JD_KIND_TEXTS:
        return jd_bind_texts(b, p->key, node, JD_MEMBER(jd_texts, def, p));
    case JD_KIND_COUNT:
        return jd_bind_count(b, p, node, JD_MEMBER(int, def, p));
    case JD_KIND_FREQUENCY:
        return jd_bind_frequency(b, p, node, JD_MEMBER(jd_frequency, def, p));
    case JD_KIND_DURATION:
        return jd_bind_duration(b, p, node, JD_MEMBER(jd_duration, def, p));
    case JD_KIND_OBJECT:
        return jd_bind_object(b, p->key, p->types, p->preset_text, node,
                              JD_MEMBER(jd_object, def, p));
    case JD_KIND_GROUP:
        return jd_bind_group(b, p->types[0], false, node, JD_MEMBER(char, def, p));
    case JD_KIND_POINTS:
        return jd_bind_points(b, p, node, JD_MEMBER(jd_points, def, p));
    case JD_KIND_SHAPES:
        return jd_bind_shapes(b, p, node, JD_MEMBER(jd_shapes, def, p));
    case JD_KIND_FORMULAS:
        return jd_bind_formulas(b, p->key, node, JD_MEMBER(jd_formulas, def, p));
    case JD_KIND_DRAWS:
        return jd_bind_draws(b, p->key, node, JD_MEMBER(jd_draws, def, p));
    case JD_KIND_PLACE:
        return jd_bind_place(b, p->key, node, JD_MEMBER(jd_place, def, p));
    case JD_KIND_COUNTER:
        return jd_bind_counter(b, node, JD_MEMBER(jd_counter, def, p));
    }
    return jd_fail(b->context, JD_INTERNAL, "the key `%s` is of no known kind", p->key);
}

// Keys of the table that the map leaves out: an error, or an object of the default type.
static jd_status fill_absent(jd_binder *b, const jd_type *type, const jd_param *p,
                             const jd_node *node, void *def) {
    bool instead = p->unless && jd_node_get(node, p->unless);
    if (p->required && !instead) return missing_key(b, type, p, node);
    if (p->kind != JD_KIND_OBJECT) return JD_OK;
    jd_object *object = JD_MEMBER(jd_object, def, p);
    if (!object->type || object->def) return JD_OK;
    object->def = jd_type_clone(b->arena, object->type, NULL);
    return jd_arena_status(b->arena);
}

jd_status jd_bind_group(jd_binder *b, const jd_type *type, bool typed, jd_node *node, void *def) {
    node->type = type;
    if (node->kind != JD_NODE_MAP) {
        const char *what = jd_arena_format(b->arena, "a map of keys (%s, ...)",
                                           type->params->key ? type->params->key : "type");
        return jd_bind_wrong_type(b, node, node->key ? node->key : type->name, what ? what : "");
    }
    JD_TRY(check_keys(b, type, typed, node));
    jd_type_defaults(type, def);
    for (const jd_param *p = type->params; p->key; p++) {
        jd_node *child = jd_node_get(node, p->key);
        JD_TRY(child ? bind_member(b, p, child, def) : fill_absent(b, type, p, node, def));
    }
    return JD_OK;
}

static const char *type_list(jd_binder *b, const jd_type *const *types) {
    const char *text = "";
    for (int i = 0; types[i] && text; i++)
        text = jd_arena_format(b->arena, "%s%s`%s`", text, i ? ", " : "", types[i]->name);
    return text ? text : "";
}

static jd_status find_type(jd_binder *b, const char *key, const jd_type *const *types,
                           const jd_node *node, const jd_type **out) {
    if (node->kind != JD_NODE_SCALAR) return jd_bind_wrong_type(b, node, "type", "a word");
    *out = jd_type_find(types, node->text);
    if (*out) return JD_OK;
    const char *near = jd_nearest_type(types, node->text);
    const char *hint = near ? jd_arena_format(b->arena, "did you mean `%s`?", near)
                            : jd_arena_format(b->arena, "known types: %s", type_list(b, types));
    return jd_bind_refuse(b, node, JD_UNKNOWN_NAME, hint, "unknown type %s for `%s`",
                          jd_quote(b->arena, node->text), key);
}

static jd_status no_type(jd_binder *b, const char *key, const jd_type *const *types,
                         const jd_node *node) {
    jd_fail(b->context, JD_MISSING_KEY, "the key `type` is missing in `%s`", key);
    jd_fail_at_key(b->context, node);
    jd_fail_hint(b->context, "its types are %s", type_list(b, types));
    return JD_MISSING_KEY;
}

jd_status jd_bind_object(jd_binder *b, const char *key, const jd_type *const *types,
                         const char *preset, jd_node *node, jd_object *out) {
    if (node->kind == JD_NODE_LIST || (node->kind == JD_NODE_SCALAR && !node->text[0]))
        return jd_bind_wrong_type(b, node, key, "a map with `type`");
    const jd_node *name = node->kind == JD_NODE_SCALAR ? node : jd_node_get(node, "type");
    const jd_type *type = NULL;
    if (name)
        JD_TRY(find_type(b, key, types, name, &type));
    else if (preset)
        type = jd_type_find(types, preset);
    if (!type) return no_type(b, key, types, node);
    void *def = jd_arena_take(b->arena, 1, type->def_size);
    if (!def) return jd_arena_status(b->arena);
    // A word alone names the type; its keys have to do with their defaults.
    jd_node empty = *node;
    empty.kind = JD_NODE_MAP;
    empty.first = empty.last = NULL;
    empty.n = 0;
    node->type = type;
    JD_TRY(jd_bind_group(b, type, true, node->kind == JD_NODE_MAP ? node : &empty, def));
    *out = (jd_object){.name = "", .type = type, .def = def};
    return JD_OK;
}

// set.c -- `--set path=value` on the tree, before anything is read from it.
//   The value is YAML. A bare number put where a number with a unit stands keeps that unit:
//   length: 2.47 m and --set structure.length=3 give 3 m.
#include <string.h>

#include "model/bind.h"

static jd_status bad_option(jd_arena *arena, const char *option, jd_status status,
                            const char *message, const char *hint) {
    jd_context *context = jd_arena_context(arena);
    jd_fail(context, status, "%s", message);
    jd_fail_where(context, "--set %s", option);
    if (hint) jd_fail_hint(context, "%s", hint);
    return status;
}

// The unit behind a number, or NULL.
static const char *unit_behind(jd_arena *arena, const jd_node *node) {
    jd_number number;
    if (node->kind != JD_NODE_SCALAR || node->quoted || !jd_number_looks(node->text)) return NULL;
    if (jd_number_split(arena, node, "", &number) != JD_OK) return NULL;
    return *number.unit ? number.unit : NULL;
}

static bool is_bare_number(jd_arena *arena, const jd_node *node) {
    jd_number number;
    if (node->kind != JD_NODE_SCALAR || node->quoted || !jd_number_looks(node->text)) return false;
    return jd_number_split(arena, node, "", &number) == JD_OK && !*number.unit;
}

static void keep_unit(jd_arena *arena, const jd_node *old, jd_node *new) {
    if (new->kind == JD_NODE_LIST) {
        const jd_node *from = old->kind == JD_NODE_LIST ? old->first : old;
        for (jd_node *c = new->first; c &&from; c = c->next) {
            keep_unit(arena, from, c);
            if (old->kind == JD_NODE_LIST && from->next) from = from->next;
        }
        return;
    }
    if (old->kind == JD_NODE_LIST && old->first) old = old->first;
    const char *unit = unit_behind(arena, old);
    if (!unit || !is_bare_number(arena, new)) return;
    const char *text = jd_arena_format(arena, "%s %s", new->text, unit);
    if (text) new->text = text;
}

// The new value takes the old one's place among its siblings.
static void replace(jd_node *old, const jd_node *new) {
    jd_node *next = old->next;
    const char *key = old->key;
    *old = *new;
    old->next = next;
    old->key = key;
}

static bool names_its_children(const jd_node *root, const jd_node *map) {
    return map == jd_node_get(root, "contacts") || map == jd_node_get(root, "drives") ||
           map == jd_node_get(root, "bodies") || map == jd_node_get(root, "connections");
}

static jd_status no_such_name(jd_arena *arena, const char *option, const jd_node *map,
                              const char *name) {
    const char **known = JD_TAKE(arena, const char *, map->n);
    if (!known) return jd_arena_status(arena);
    int n = 0;
    for (const jd_node *c = map->first; c; c = c->next) known[n++] = c->key;
    const char *near = jd_nearest(name, n, known);
    if (!near && n > 0) near = known[0];
    const char *message =
        jd_arena_format(arena, "there is no %s in `%s`", jd_quote(arena, name), map->key);
    const char *hint = near ? jd_arena_format(arena, "did you mean `%s`?", near) : NULL;
    return bad_option(arena, option, JD_UNKNOWN_NAME, message ? message : "", hint);
}

static jd_status not_a_map(jd_arena *arena, const char *option, const jd_node *node,
                           const char *rest) {
    const char *message =
        jd_arena_format(arena, "`%s` is %s and has no key %s", node->key ? node->key : "the model",
                        jd_node_words(arena, node), jd_quote(arena, rest));
    const char *hint =
        jd_arena_format(arena, "replace all of it, as in --set 'path={type: ..., %s: ...}'", rest);
    return bad_option(arena, option, JD_UNKNOWN_KEY, message ? message : "", hint);
}

static jd_node *new_child(jd_arena *arena, jd_node *map, const char *key, const jd_node *like) {
    jd_node *child = JD_TAKE(arena, jd_node, 1);
    if (!child) return NULL;
    *child = *like;
    child->kind = JD_NODE_MAP;
    child->key = key;
    child->text = NULL;
    child->first = child->last = child->next = NULL;
    child->n = 0;
    jd_node_append(map, child);
    return child;
}

// Makes what is missing of the path below `node` and returns its last node.
static jd_status grow(jd_arena *arena, const char *option, const jd_node *root, jd_node *node,
                      const char *rest, const jd_node *like, jd_node **out) {
    while (*rest) {
        size_t n = strcspn(rest, ".");
        char *key = jd_arena_text(arena, rest);
        if (!key) return jd_arena_status(arena);
        key[n] = '\0';
        if (node->kind != JD_NODE_MAP) return not_a_map(arena, option, node, key);
        if (rest[n] && names_its_children(root, node))
            return no_such_name(arena, option, node, key);
        node = new_child(arena, node, key, like);
        if (!node) return jd_arena_status(arena);
        rest += n + (rest[n] == '.');
    }
    *out = node;
    return JD_OK;
}

static bool sound_path(const char *path) {
    size_t n = strlen(path);
    return n > 0 && n < 400 && path[0] != '.' && path[n - 1] != '.' && !strstr(path, "..");
}

jd_status jd_tree_set(jd_arena *arena, jd_node *root, const char *option) {
    const char *equals = strchr(option, '=');
    char *path = jd_arena_text(arena, option);
    if (!path) return jd_arena_status(arena);
    if (equals) path[equals - option] = '\0';
    if (!equals || !sound_path(path))
        return bad_option(arena, option, JD_BAD_USAGE, "expected a path, `=` and a value",
                          "write --set structure.length=3");
    const char *source = jd_arena_format(arena, "--set %s", option), *rest;
    if (!source) return jd_arena_status(arena);
    jd_node *value, *target = jd_node_at(root, path, &rest);
    JD_TRY(jd_tree_parse_set(arena, source, equals + 1, &value));
    bool fresh = *rest;
    if (fresh) JD_TRY(grow(arena, option, root, target, rest, value, &target));
    if (!fresh) keep_unit(arena, target, value);
    replace(target, value);
    return jd_arena_status(arena);
}

// node.c -- walking the tree, and speaking of its nodes in messages.
#include <stdio.h>
#include <string.h>

#include "model/tree.h"

void jd_node_append(jd_node *parent, jd_node *child) {
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->n++;
}

jd_node *jd_node_get(const jd_node *map, const char *key) {
    if (!map || map->kind != JD_NODE_MAP) return NULL;
    for (jd_node *c = map->first; c; c = c->next)
        if (!strcmp(c->key, key)) return c;
    return NULL;
}

jd_node *jd_node_item(const jd_node *parent, int i) {
    jd_node *c = parent->first;
    while (c && i-- > 0) c = c->next;
    return c;
}

// A child of a map by key, of a list by number from 1.
static jd_node *child_named(const jd_node *map, const char *name, size_t n) {
    if (map->kind == JD_NODE_SCALAR) return NULL;
    if (map->kind == JD_NODE_LIST) {
        int number = 0;
        for (size_t i = 0; i < n && i < 8; i++) {
            if (name[i] < '0' || name[i] > '9') return NULL;
            number = 10 * number + (name[i] - '0');
        }
        return n < 8 && number > 0 ? jd_node_item(map, number - 1) : NULL;
    }
    for (jd_node *c = map->first; c; c = c->next)
        if (!strncmp(c->key, name, n) && !c->key[n]) return c;
    return NULL;
}

jd_node *jd_node_at(jd_node *root, const char *path, const char **rest) {
    while (*path) {
        size_t n = strcspn(path, ".");
        jd_node *child = child_named(root, path, n);
        if (!child) break;
        root = child;
        path += n + (path[n] == '.');
    }
    *rest = path;
    return root;
}

static void fail_place(jd_context *context, const jd_node *node, int line, int column) {
    if (node->is_set)
        jd_fail_where(context, "%s", node->source);
    else
        jd_fail_where(context, "%s:%d:%d", node->source, line, column);
}

void jd_fail_at(jd_context *context, const jd_node *node) {
    fail_place(context, node, node->line, node->column);
}

void jd_fail_at_key(jd_context *context, const jd_node *node) {
    if (node->key)
        fail_place(context, node, node->key_line, node->key_column);
    else
        jd_fail_at(context, node);
}

const char *jd_node_place(jd_arena *arena, const jd_node *node) {
    const char *text =
        node->is_set ? jd_arena_text(arena, node->source)
                     : jd_arena_format(arena, "%s:%d:%d", node->source, node->line, node->column);
    return text ? text : "";
}

// Bytes of the UTF-8 character at s, 0 when it is broken or a control character.
static size_t sound(const char *s) {
    unsigned char c = (unsigned char)*s;
    if (c < 0x80) return c >= 0x20 && c != 0x7f;
    size_t n = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c >= 0xf5) return 0;
    if (c == 0xc2 && (unsigned char)s[1] < 0xa0) return 0; // C1 control characters
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80) return 0;
    return n;
}

const char *jd_quote(jd_arena *arena, const char *text) {
    enum { LONGEST = 60 };
    char *out = jd_arena_take(arena, LONGEST + 12, 1);
    if (!out) return "";
    size_t n = 0;
    out[n++] = '`';
    while (*text && n < LONGEST) {
        size_t k = sound(text);
        if (k)
            memcpy(out + n, text, k);
        else
            out[n] = '?';
        n += k ? k : 1;
        text += k ? k : 1;
    }
    snprintf(out + n, LONGEST + 12 - n, "%s", *text ? "…`" : "`");
    return out;
}

static const char *map_words(jd_arena *arena, const jd_node *node) {
    if (node->n == 0) return "an empty map";
    const char *first = jd_quote(arena, node->first->key);
    const char *text = node->n == 1
                           ? jd_arena_format(arena, "a map with the key %s", first)
                           : jd_arena_format(arena, "a map with %d keys (%s, ...)", node->n, first);
    return text ? text : "a map";
}

const char *jd_node_words(jd_arena *arena, const jd_node *node) {
    const char *text = NULL;
    if (node->kind == JD_NODE_MAP) return map_words(arena, node);
    if (node->kind == JD_NODE_LIST)
        text = jd_arena_format(arena, "a list of %d", node->n);
    else if (!node->text[0])
        text = "nothing";
    else
        text = jd_quote(arena, node->text);
    return text ? text : "";
}

// rewrite.c -- the text of the model with the changes made in place: nothing else moves, comments
// stay.
//   A number that stands in the text is replaced where it stands and keeps its unit. One that does
//   not is put in front of the first key of the deepest map on its way. The outcome is read and
//   compared with the changes made on the tree; where it differs, the text without comments is
//   sent.
#include <string.h>

#include "lab/lab.h"
#include "model/bind.h"
#include "model/number.h"

// Offset of a line and column (from 1) in a text; columns count characters.
static size_t offset_of(const char *text, int line, int column) {
    const char *at = text;
    for (int i = 1; i < line && at; i++) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    if (!at) return strlen(text);
    for (int i = 1; i < column && *at && *at != '\n'; i++) do
            at++;
        while (((unsigned char)*at & 0xC0) == 0x80);
    return (size_t)(at - text);
}

static char *spliced(jd_arena *arena, const char *text, size_t at, size_t old, const char *new) {
    char *out = jd_arena_format(arena, "%.*s%s%s", (int)at, text, new, text + at + old);
    return out;
}

// "a.b" and "1" give "a: {b: 1}".
static char *nested(jd_arena *arena, const char *path, const char *value) {
    const char *dot = strchr(path, '.');
    if (!dot) return jd_arena_format(arena, "%s: %s", path, value);
    char *inner = nested(arena, dot + 1, value);
    return inner ? jd_arena_format(arena, "%.*s: {%s}", (int)(dot - path), path, inner) : NULL;
}

// A scalar that stands as it is read, in one piece; NULL: it does not.
static char *replaced(jd_arena *arena, const char *text, const jd_node *node, const char *value) {
    size_t at = offset_of(text, node->line, node->column), old = strlen(node->text);
    jd_number number, new;
    if (node->kind != JD_NODE_SCALAR || node->quoted || strncmp(text + at, node->text, old) != 0)
        return NULL;
    jd_node other = {.kind = JD_NODE_SCALAR, .text = value};
    bool unit = jd_number_looks(node->text) && jd_number_looks(value) &&
                jd_number_split(arena, node, "", &number) == JD_OK &&
                jd_number_split(arena, &other, "", &new) == JD_OK && *number.unit && !*new.unit;
    if (unit) value = jd_arena_format(arena, "%s %s", value, number.unit);
    return value ? spliced(arena, text, at, old, value) : NULL;
}

static char *inserted(jd_arena *arena, const char *text, const jd_node *map, const char *rest,
                      const char *value) {
    const jd_node *first = map->kind == JD_NODE_MAP ? map->first : NULL;
    char *entry = first ? nested(arena, rest, value) : NULL;
    if (!entry) return NULL;
    size_t at = offset_of(text, first->key_line, first->key_column);
    bool flow = text[offset_of(text, map->line, map->column)] == '{';
    char *with = flow ? jd_arena_format(arena, "%s, ", entry)
                      : jd_arena_format(arena, "%s\n%*s", entry, first->key_column - 1, "");
    return with ? spliced(arena, text, at, 0, with) : NULL;
}

// One change made in the text; NULL: it cannot be made in place.
static char *changed(jd_arena *arena, const char *text, const char *change) {
    jd_node *root;
    const char *rest = "", *equals = strchr(change, '=');
    if (!equals || jd_tree_parse(arena, "model", text, strlen(text), &root) != JD_OK) return NULL;
    char *path = jd_arena_format(arena, "%.*s", (int)(equals - change), change);
    const jd_node *node = path ? jd_node_at(root, path, &rest) : NULL;
    if (!node) return NULL;
    return *rest ? inserted(arena, text, node, rest, equals + 1)
                 : replaced(arena, text, node, equals + 1);
}

static bool same(const jd_node *a, const jd_node *b) {
    if (a->kind != b->kind || a->n != b->n) return false;
    if (a->kind == JD_NODE_SCALAR) return strcmp(a->text, b->text) == 0;
    for (const jd_node *c = a->first; c; c = c->next) {
        const jd_node *d = a->kind == JD_NODE_MAP ? jd_node_get(b, c->key) : NULL;
        if (a->kind == JD_NODE_LIST) {
            d = b->first;
            for (const jd_node *e = a->first; e != c && d; e = e->next) d = d->next;
        }
        if (!d || !same(c, d)) return false;
    }
    return true;
}

// Does the text say what the changes make of the first one?
static bool agrees(jd_arena *arena, const lab_model *m, int n, const char *const *set,
                   const char *text) {
    jd_node *before, *after;
    if (jd_tree_parse(arena, "model", m->text, m->size, &before) != JD_OK) return false;
    for (int i = 0; i < n; i++)
        if (jd_tree_set(arena, before, set[i]) != JD_OK) return false;
    return jd_tree_parse(arena, "model", text, strlen(text), &after) == JD_OK &&
           same(before, after);
}

static jd_status without_comments(request *r, int n, const char *const *set, char **out) {
    jd_model_def def = {.name = r->model->name,
                        .folder = r->model->folder,
                        .text = r->model->text,
                        .size = r->model->size,
                        .n_set = n,
                        .set = set};
    size_t length = 0;
    JD_TRY(jd_model_change(r->context, &def, 0, NULL, &length));
    *out = JD_TAKE(r->arena, char, length + 1);
    JD_TRY(jd_arena_status(r->arena));
    return jd_model_change(r->context, &def, length + 1, *out, &length);
}

jd_status answer_yaml(request *r) {
    int n;
    const char *const *set;
    if (!r->model) return jd_fail(r->context, JD_BAD_USAGE, "no model is open");
    JD_TRY(request_changes(r, &n, &set));
    char *text = r->model->text;
    for (int i = 0; text && i < n; i++) text = changed(r->arena, text, set[i]);
    bool kept = text && agrees(r->arena, r->model, n, set, text);
    jd_context_clear_error(r->context);
    if (!kept) JD_TRY(without_comments(r, n, set, &text));
    send_json(r, "yaml",
              json_pack("{s:o, s:b}", "text", jd_json_text(text), "comments", (int)kept));
    return JD_OK;
}

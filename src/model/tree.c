// tree.c -- libyaml events -> tree of nodes with places; files of bounded size.
#include "model/tree.h"

#include <stdlib.h>
#include <string.h>

#include <yaml.h>

enum { DEPTH_LIMIT = 32, NODE_LIMIT = 500000 };

typedef struct builder {
    jd_arena *arena;
    jd_context *context;
    const char *source;
    bool is_set;
    const char *text; // what is parsed, to turn offsets into places
    size_t size;
    yaml_parser_t parser;
    jd_node *open[DEPTH_LIMIT]; // maps and lists not yet ended
    int depth, n_node;
    const char *key; // read, its value not yet
    int key_line, key_column;
    jd_node *root;
} builder;

static void fail_at_mark(builder *b, size_t line, size_t column) {
    if (b->is_set)
        jd_fail_where(b->context, "%s", b->source);
    else
        jd_fail_where(b->context, "%s:%zu:%zu", b->source, line + 1, column + 1);
}

// libyaml's reasons, and what usually is behind them.
static const struct {
    const char *reason, *cause;
} causes[] = {
    {"mapping values are not allowed",
     "a `:` cannot stand here: check the indentation, and put text with `: ` in quotes"},
    {"cannot start any token",
     "no value starts with a tab, `@`, `%` or a backtick: indent with spaces, put text in quotes"},
    {"did not find expected ',' or '}'", "a `{` is not closed, or a comma is missing"},
    {"did not find expected ',' or ']'", "a `[` is not closed, or a comma is missing"},
    {"could not find expected ':'", "a key needs `: ` and a value after it"},
    {"did not find expected key", "a key was expected: check the indentation and open braces"},
    {"did not find expected node content", "a value is missing before this"},
    {"unexpected end of stream", "a quote is not closed"},
    {"control characters", "this is not a text file"},
    {"invalid leading UTF-8", "this is not a text file in UTF-8"},
    {"incomplete UTF-8", "this is not a text file in UTF-8"},
    {"invalid trailing UTF-8", "this is not a text file in UTF-8"},
    {NULL, NULL},
};

// The reader of libyaml gives a byte offset only.
static void place_of_offset(const builder *b, size_t offset, size_t *line, size_t *column) {
    *line = *column = 0;
    for (size_t i = 0; i < offset && i < b->size; i++) {
        *column = b->text[i] == '\n' ? 0 : *column + 1;
        *line += b->text[i] == '\n';
    }
}

static jd_status broken(builder *b) {
    const yaml_parser_t *p = &b->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return jd_fail(b->context, JD_OUT_OF_MEMORY, "not enough memory to read YAML");
    const char *reason = p->problem ? p->problem : "it cannot be understood";
    size_t line = p->problem_mark.line, column = p->problem_mark.column;
    if (p->error == YAML_READER_ERROR) place_of_offset(b, p->problem_offset, &line, &column);
    if (p->context)
        jd_fail(b->context, JD_BROKEN_YAML, "not valid YAML: %s (%s that began in line %zu)",
                reason, p->context, p->context_mark.line + 1);
    else
        jd_fail(b->context, JD_BROKEN_YAML, "not valid YAML: %s", reason);
    fail_at_mark(b, line, column);
    for (int i = 0; causes[i].reason; i++)
        if (strstr(reason, causes[i].reason)) jd_fail_hint(b->context, "%s", causes[i].cause);
    return JD_BROKEN_YAML;
}

static jd_status refuse(builder *b, yaml_mark_t mark, const char *what, const char *hint) {
    jd_fail(b->context, JD_BROKEN_YAML, "%s", what);
    fail_at_mark(b, mark.line, mark.column);
    jd_fail_hint(b->context, "%s", hint);
    return JD_BROKEN_YAML;
}

static jd_status add_node(builder *b, jd_node_kind kind, yaml_mark_t mark, jd_node **out) {
    if (++b->n_node > NODE_LIMIT)
        return refuse(b, mark, "the file has more than half a million values",
                      "put large tables into files of their own");
    jd_node *node = JD_TAKE(b->arena, jd_node, 1);
    if (!node) return jd_arena_status(b->arena);
    *node = (jd_node){.kind = kind,
                      .line = (int)mark.line + 1,
                      .column = (int)mark.column + 1,
                      .key_line = b->key_line,
                      .key_column = b->key_column,
                      .source = b->source,
                      .chosen = -1,
                      .is_set = b->is_set,
                      .key = b->key};
    b->key = NULL;
    if (b->depth > 0)
        jd_node_append(b->open[b->depth - 1], node);
    else
        b->root = node;
    *out = node;
    return JD_OK;
}

static bool key_expected(const builder *b) {
    return b->depth > 0 && b->open[b->depth - 1]->kind == JD_NODE_MAP && !b->key;
}

static jd_status open_node(builder *b, jd_node_kind kind, yaml_mark_t mark) {
    if (key_expected(b))
        return refuse(b, mark, "a key must be a word, not a map or a list",
                      "check braces and indentation");
    if (b->depth == DEPTH_LIMIT)
        return refuse(b, mark, "more than 32 levels of nesting", "models need five or six");
    jd_node *node = NULL;
    jd_status status = add_node(b, kind, mark, &node);
    if (status == JD_OK) b->open[b->depth++] = node;
    return status;
}

static jd_status add_scalar(builder *b, const yaml_event_t *e) {
    const char *value = (const char *)e->data.scalar.value;
    if (strlen(value) != e->data.scalar.length)
        return refuse(b, e->start_mark, "a text holds a NUL character", "take it out");
    char *copy = jd_arena_text(b->arena, value);
    if (!copy) return jd_arena_status(b->arena);
    if (key_expected(b)) {
        b->key = copy;
        b->key_line = (int)e->start_mark.line + 1;
        b->key_column = (int)e->start_mark.column + 1;
        return JD_OK;
    }
    jd_node *node = NULL;
    jd_status status = add_node(b, JD_NODE_SCALAR, e->start_mark, &node);
    if (status != JD_OK) return status;
    node->text = copy;
    node->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return JD_OK;
}

static int by_key_then_line(const void *a, const void *b) {
    const jd_node *x = *(jd_node *const *)a, *y = *(jd_node *const *)b;
    int order = strcmp(x->key, y->key);
    if (order) return order;
    if (x->key_line != y->key_line) return x->key_line < y->key_line ? -1 : 1;
    return x->key_column < y->key_column ? -1 : x->key_column > y->key_column;
}

// Sorting keeps this n log n: a hostile map of half a million keys must not take hours.
static jd_status refuse_duplicates(builder *b, const jd_node *map) {
    jd_arena_mark mark = jd_arena_here(b->arena);
    jd_node **list = JD_TAKE(b->arena, jd_node *, map->n);
    if (!list) return jd_arena_status(b->arena);
    int n = 0;
    for (jd_node *c = map->first; c; c = c->next) list[n++] = c;
    qsort(list, (size_t)n, sizeof(jd_node *), by_key_then_line);
    jd_node *twice = NULL, *before = NULL;
    for (int i = 1; i < n && !twice; i++)
        if (!strcmp(list[i - 1]->key, list[i]->key)) before = list[i - 1], twice = list[i];
    jd_arena_back(b->arena, mark);
    if (!twice) return JD_OK;
    jd_fail(b->context, JD_DUPLICATE_NAME, "the key %s is given twice, first in line %d column %d",
            jd_quote(b->arena, twice->key), before->key_line, before->key_column);
    jd_fail_at_key(b->context, twice);
    jd_fail_hint(b->context, "keep one of them");
    return JD_DUPLICATE_NAME;
}

static jd_status close_node(builder *b) {
    const jd_node *node = b->open[--b->depth];
    return node->kind == JD_NODE_MAP ? refuse_duplicates(b, node) : JD_OK;
}

static const char *tag_of(const yaml_event_t *e) {
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return (const char *)e->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return (const char *)e->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return (const char *)e->data.mapping_start.tag;
    default:
        return NULL;
    }
}

static const char *anchor_of(const yaml_event_t *e) {
    switch (e->type) {
    case YAML_ALIAS_EVENT:
        return (const char *)e->data.alias.anchor;
    case YAML_SCALAR_EVENT:
        return (const char *)e->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return (const char *)e->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return (const char *)e->data.mapping_start.anchor;
    default:
        return NULL;
    }
}

static jd_status take_event(builder *b, const yaml_event_t *e) {
    if (anchor_of(e))
        return refuse(b, e->start_mark, "anchors and aliases (`&`, `*`) are not read",
                      "write the value out, or put the text in quotes");
    if (tag_of(e))
        return refuse(b, e->start_mark, "tags (`!`) are not read",
                      "leave the tag out, or put the text in quotes");
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (!b->root) return JD_OK;
        return refuse(b, e->start_mark, "a second document begins here",
                      "a model file holds one model: put each into a file of its own");
    case YAML_SCALAR_EVENT:
        return add_scalar(b, e);
    case YAML_MAPPING_START_EVENT:
        return open_node(b, JD_NODE_MAP, e->start_mark);
    case YAML_SEQUENCE_START_EVENT:
        return open_node(b, JD_NODE_LIST, e->start_mark);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return close_node(b);
    default:
        return JD_OK;
    }
}

static jd_status take_all(builder *b) {
    jd_status status = JD_OK;
    for (bool end = false; !end && status == JD_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event)) return broken(b);
        end = event.type == YAML_STREAM_END_EVENT;
        status = take_event(b, &event);
        yaml_event_delete(&event);
    }
    return status;
}

static jd_status parse(builder *b) {
    if (memchr(b->text, '\0', b->size)) {
        size_t line, column, at = (size_t)((char *)memchr(b->text, '\0', b->size) - b->text);
        place_of_offset(b, at, &line, &column);
        jd_fail(b->context, JD_BROKEN_YAML, "not a text file: byte %zu is zero", at + 1);
        fail_at_mark(b, line, column);
        jd_fail_hint(b->context, "a model is YAML text in UTF-8; `judder new` writes one");
        return JD_BROKEN_YAML;
    }
    if (!yaml_parser_initialize(&b->parser))
        return jd_fail(b->context, JD_OUT_OF_MEMORY, "not enough memory to read YAML");
    yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b->parser, (const unsigned char *)b->text, b->size);
    jd_status status = take_all(b);
    yaml_parser_delete(&b->parser);
    return status;
}

// A document of nothing but comments arrives as one empty plain scalar.
static bool nothing(const jd_node *root) {
    return !root || (root->kind == JD_NODE_SCALAR && !root->quoted && !root->text[0]);
}

jd_status jd_tree_parse(jd_arena *arena, const char *name, const char *text, size_t size,
                        jd_node **out) {
    *out = NULL;
    builder b = {.arena = arena, .context = jd_arena_context(arena), .text = text, .size = size};
    b.source = jd_arena_text(arena, name);
    if (!b.source) return jd_arena_status(arena);
    jd_status status = parse(&b);
    if (status != JD_OK) return status;
    if (nothing(b.root)) {
        status = jd_fail(b.context, JD_EMPTY_FILE, "%s is empty", jd_quote(arena, name));
        jd_fail_where(b.context, "%s:1:1", name);
        jd_fail_hint(b.context, "`judder new` writes a model to start from");
        return status;
    }
    *out = b.root;
    return JD_OK;
}

jd_status jd_tree_parse_set(jd_arena *arena, const char *source, const char *text, jd_node **out) {
    *out = NULL;
    builder b = {.arena = arena, .context = jd_arena_context(arena), .text = text};
    b.size = strlen(text);
    b.source = jd_arena_text(arena, source);
    b.is_set = true;
    if (!b.source) return jd_arena_status(arena);
    jd_status status = parse(&b);
    if (status != JD_OK) return status;
    if (nothing(b.root)) {
        status = jd_fail(b.context, JD_BAD_USAGE, "no value in %s", jd_quote(arena, source));
        jd_fail_where(b.context, "%s", b.source);
        jd_fail_hint(b.context, "write --set path=value");
        return status;
    }
    *out = b.root;
    return JD_OK;
}

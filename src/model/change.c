// change.c -- a model text with changes made: text -> tree -> --set -> YAML.
#include <stdio.h>
#include <string.h>

#include <yaml.h>

#include "model/read.h"

// What is written goes to the caller's block as far as there is room.
typedef struct target {
    char *out;
    size_t room, length;
} target;

static int put(void *user, unsigned char *text, size_t size) {
    target *t = user;
    if (t->length + 1 < t->room) {
        size_t left = t->room - 1 - t->length;
        memcpy(t->out + t->length, text, size < left ? size : left);
    }
    t->length += size;
    return 1;
}

static bool flat(const jd_node *node) {
    for (const jd_node *c = node->first; c; c = c->next)
        if (c->kind != JD_NODE_SCALAR) return false;
    return true;
}

static bool emit_text(yaml_emitter_t *e, const char *text, bool quoted) {
    yaml_event_t event;
    yaml_scalar_style_t style = quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE;
    return yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text,
                                        (int)strlen(text), 1, 1, style) &&
           yaml_emitter_emit(e, &event);
}

// Maps and lists that hold nothing but scalars stand in one line.
static bool emit(yaml_emitter_t *e, const jd_node *node, bool top) {
    yaml_event_t event;
    bool map = node->kind == JD_NODE_MAP, line = !top && flat(node), good;
    if (node->kind == JD_NODE_SCALAR) return emit_text(e, node->text, node->quoted);
    if (map)
        good = yaml_mapping_start_event_initialize(
            &event, NULL, NULL, 1, line ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE);
    else
        good = yaml_sequence_start_event_initialize(
            &event, NULL, NULL, 1, line ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE);
    good = good && yaml_emitter_emit(e, &event);
    for (const jd_node *c = node->first; good && c; c = c->next)
        good = (!map || emit_text(e, c->key, false)) && emit(e, c, false);
    good = good && (map ? yaml_mapping_end_event_initialize(&event)
                        : yaml_sequence_end_event_initialize(&event));
    return good && yaml_emitter_emit(e, &event);
}

static bool emit_all(yaml_emitter_t *e, const jd_node *root) {
    yaml_event_t event;
    return yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING) &&
           yaml_emitter_emit(e, &event) &&
           yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1) &&
           yaml_emitter_emit(e, &event) && emit(e, root, true) &&
           yaml_document_end_event_initialize(&event, 1) && yaml_emitter_emit(e, &event) &&
           yaml_stream_end_event_initialize(&event) && yaml_emitter_emit(e, &event) &&
           yaml_emitter_flush(e);
}

static jd_status write_to(jd_context *context, const jd_node *root, target *t) {
    yaml_emitter_t e;
    if (!yaml_emitter_initialize(&e))
        return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory to write YAML");
    yaml_emitter_set_output(&e, put, t);
    yaml_emitter_set_unicode(&e, 1);
    yaml_emitter_set_width(&e, 120);
    bool good = emit_all(&e, root);
    yaml_emitter_delete(&e);
    if (t->room > 0) t->out[t->length < t->room ? t->length : t->room - 1] = '\0';
    return good ? JD_OK : jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory to write YAML");
}

jd_status jd_tree_write(jd_context *context, const jd_node *root, size_t room, char *out,
                        size_t *length) {
    target t = {.out = out, .room = room};
    jd_status s = write_to(context, root, &t);
    *length = t.length;
    return s;
}

jd_status jd_model_change(jd_context *context, const jd_model_def *def, size_t room, char *out,
                          size_t *length) {
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    target t = {.out = out, .room = room};
    jd_node *root;
    jd_status s = jd_tree_parse(arena, def->name, def->text, def->size, &root);
    for (int i = 0; s == JD_OK && i < def->n_set && root->kind == JD_NODE_MAP; i++)
        s = jd_tree_set(arena, root, def->set[i]);
    if (s == JD_OK) s = write_to(context, root, &t);
    *length = t.length;
    jd_arena_free(arena);
    return s;
}

// words.c -- texts, names, choices and file names of a model.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/bind.h"

jd_status jd_bind_refuse(jd_binder *b, const jd_node *node, jd_status status, const char *hint,
                         const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    jd_fail(b->context, status, "%s", text);
    jd_fail_at(b->context, node);
    if (hint) jd_fail_hint(b->context, "%s", hint);
    return status;
}

jd_status jd_bind_wrong_type(jd_binder *b, const jd_node *node, const char *key, const char *what) {
    return jd_bind_refuse(b, node, JD_WRONG_TYPE, NULL, "expected %s for `%s`, found %s", what, key,
                          jd_node_words(b->arena, node));
}

jd_status jd_bind_text(jd_binder *b, const char *key, const jd_node *node, const char **out) {
    if (node->kind != JD_NODE_SCALAR) return jd_bind_wrong_type(b, node, key, "a text");
    if (!node->text[0] && !node->quoted) return jd_bind_wrong_type(b, node, key, "a text");
    *out = node->text;
    return JD_OK;
}

jd_status jd_bind_line(jd_binder *b, const char *key, const jd_node *node, const char **out) {
    const char *text = "";
    JD_TRY(jd_bind_text(b, key, node, &text));
    char *line = jd_arena_text(b->arena, text), *to = line;
    if (!line) return jd_arena_status(b->arena);
    for (int n; *text; text += n) {
        n = jd_text_next(text);
        bool shown = n > 0 && !jd_text_control((const unsigned char *)text, n);
        if (n == 0) n = 1;
        memcpy(to, shown ? text : " ", shown ? (size_t)n : 1);
        to += shown ? n : 1;
    }
    while (to > line && to[-1] == ' ') to--;
    *to = '\0';
    *out = line;
    return JD_OK;
}

jd_status jd_bind_texts(jd_binder *b, const char *key, const jd_node *node, jd_texts *out) {
    bool list = node->kind == JD_NODE_LIST;
    int n = list ? node->n : 1;
    const char **text = JD_TAKE(b->arena, const char *, n);
    if (!text) return jd_arena_status(b->arena);
    const jd_node *item = list ? node->first : node;
    for (int i = 0; i < n; i++, item = item->next) {
        jd_status status = jd_bind_text(b, key, item, &text[i]);
        if (status != JD_OK)
            jd_fail_hint(b->context, "write one text, `%s: a`, or several, `%s: [a, b]`", key, key);
        JD_TRY(status);
    }
    *out = (jd_texts){n, text};
    return JD_OK;
}

jd_status jd_bind_file(jd_binder *b, const char *key, const jd_node *node, const char **out) {
    const char *name = "";
    JD_TRY(jd_bind_text(b, key, node, &name));
    if (!*name) return jd_bind_wrong_type(b, node, key, "the name of a file");
    *out = name[0] == '/' || !b->folder[0] ? name
                                           : jd_arena_format(b->arena, "%s/%s", b->folder, name);
    return jd_arena_status(b->arena);
}

// A model without numbers in memory may name files that begin with `@`.
jd_status jd_bind_array(jd_binder *b, const jd_node *node, bool matrix,
                        const jd_model_array **out) {
    *out = NULL;
    if (node->kind != JD_NODE_SCALAR || node->text[0] != '@' || b->n_array == 0) return JD_OK;
    for (int i = 0; i < b->n_array && !*out; i++)
        if (!strcmp(b->array[i].name, node->text + 1)) *out = &b->array[i];
    if (!*out)
        return jd_bind_refuse(b, node, JD_UNKNOWN_NAME, NULL, "there is no array %s in memory",
                              jd_quote(b->arena, node->text));
    if (((*out)->matrix != NULL) == matrix) return JD_OK;
    return jd_bind_refuse(b, node, JD_WRONG_TYPE, NULL, "%s is a %s, but a %s is wanted",
                          jd_quote(b->arena, node->text), matrix ? "list of numbers" : "matrix",
                          matrix ? "matrix" : "list of numbers");
}

// {file: model.mat, name: K}
static jd_status bind_named_matrix(jd_binder *b, const char *key, const jd_node *node,
                                   jd_matrix *out) {
    static const char *const keys[] = {"file", "name"};
    JD_TRY(jd_bind_known_keys(b, node, "a matrix", 2, keys));
    jd_node *file = jd_node_get(node, "file"), *name = jd_node_get(node, "name");
    if (!file)
        return jd_bind_refuse(b, node, JD_MISSING_KEY, "write {file: model.mat, name: K}",
                              "`%s` needs a `file`", key);
    JD_TRY(jd_bind_file(b, "file", file, &out->file));
    return name ? jd_bind_text(b, "name", name, &out->name) : JD_OK;
}

jd_status jd_bind_matrix(jd_binder *b, const char *key, const jd_node *node, jd_matrix *out) {
    const jd_model_array *array;
    JD_TRY(jd_bind_array(b, node, true, &array));
    if (node->kind == JD_NODE_MAP) return bind_named_matrix(b, key, node, out);
    if (!array) return jd_bind_file(b, key, node, &out->file);
    *out = *array->matrix;
    return JD_OK;
}

static const char *choice_list(jd_binder *b, const jd_param *p) {
    const char *text = "";
    for (int i = 0; p->choices[i] && text; i++)
        text = jd_arena_format(b->arena, "%s%s`%s`", text, i ? ", " : "", p->choices[i]);
    return text ? text : "";
}

jd_status jd_bind_choice(jd_binder *b, const jd_param *p, const jd_node *node, int *out) {
    if (node->kind != JD_NODE_SCALAR)
        return jd_bind_refuse(b, node, JD_WRONG_TYPE, NULL, "expected one of %s for `%s`, found %s",
                              choice_list(b, p), p->key, jd_node_words(b->arena, node));
    const char *word = node->text;
    for (int i = 0; p->choices[i]; i++)
        if (!strcmp(p->choices[i], word)) return *out = i, JD_OK;
    const char *near = jd_nearest_choice(p, word);
    const char *hint = near ? jd_arena_format(b->arena, "did you mean `%s`?", near) : NULL;
    return jd_bind_refuse(b, node, JD_UNKNOWN_NAME, hint, "`%s` cannot be %s; it is one of %s",
                          p->key, jd_quote(b->arena, word), choice_list(b, p));
}

jd_status jd_bind_boolean(jd_binder *b, const char *key, const jd_node *node, bool *out) {
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    if (node->kind == JD_NODE_SCALAR)
        for (int i = 0; i < 6; i++)
            if (!strcmp(words[i], node->text)) return *out = i % 2, JD_OK;
    return jd_bind_wrong_type(b, node, key, "`true` or `false`");
}

// One line of at most 100 bytes without the characters forbidden.
static bool is_name(const char *name, const char *forbidden) {
    bool good = *name && strlen(name) <= 100 && !strpbrk(name, forbidden);
    for (int n; good && *name; name += n) {
        n = jd_text_next(name);
        good = n > 0 && !jd_text_control((const unsigned char *)name, n);
    }
    return good;
}

static jd_status check_name(jd_binder *b, const jd_node *node, const char *forbidden,
                            const char *hint) {
    if (is_name(node->key, forbidden)) return JD_OK;
    jd_fail(b->context, JD_WRONG_TYPE, "%s cannot be a name", jd_quote(b->arena, node->key));
    jd_fail_at_key(b->context, node);
    jd_fail_hint(b->context, "%s", hint);
    return JD_WRONG_TYPE;
}

jd_status jd_bind_check_name(jd_binder *b, const jd_node *node) {
    return check_name(b, node,
                      ". \t=", "names are parts of paths: use letters, digits, `-` and `_`");
}

// Such names stand in legends and tables, and may have blanks.
jd_status jd_bind_formulas(jd_binder *b, const char *key, const jd_node *node, jd_formulas *out) {
    if (node->kind != JD_NODE_MAP)
        return jd_bind_wrong_type(b, node, key, "names and formulas, {limit: 2*mass},");
    jd_formula *list = JD_TAKE(b->arena, jd_formula, node->n);
    if (!list) return jd_arena_status(b->arena);
    int n = 0;
    for (const jd_node *c = node->first; c; c = c->next, n++) {
        JD_TRY(check_name(b, c, "./=\t", "use letters, digits, blanks, `-` and `_`"));
        list[n].name = c->key;
        JD_TRY(jd_bind_text(b, c->key, c, &list[n].text));
    }
    *out = (jd_formulas){n, list};
    return JD_OK;
}

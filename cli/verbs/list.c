// list.c -- judder list: what a model file can say, from the parameter tables.
#include <string.h>

#include "base/param_tools.h"
#include "command.h"
#include "terminal.h"

typedef struct list_asked {
    bool markdown, schema;
} list_asked;

enum { MAX_NAMES = 128, KEY = 22, NAME = 17 }; // columns where what belongs to them begins

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

// "  limit               [N or N/m] required; at least 0", and below what it means.
static void print_key(call *c, const json_t *key) {
    const char *unit = text_of(key, "unit"), *standard = text_of(key, "default");
    const char *allowed = text_of(key, "allowed");
    bool required = json_is_true(json_object_get(key, "required"));
    int column = printf("  %-*s ", KEY - 3, text_of(key, "key"));
    if (column > KEY) printf("\n%*s", KEY, "");
    const char *facts =
        jd_arena_format(c->arena, "%s%s%s%s%s%s", unit[0] ? "[" : "", unit, unit[0] ? "] " : "",
                        allowed[0] ? allowed : text_of(key, "kind"),
                        !standard[0] ? ""
                        : required   ? "; "
                                     : "; default ",
                        standard);
    if (facts) terminal_wrap(facts, KEY, KEY, HELP_WIDTH, stdout);
    printf("\n%*s", KEY + 2, "");
    terminal_wrap(text_of(key, "doc"), KEY + 2, KEY + 2, HELP_WIDTH, stdout);
    putchar('\n');
}

static void print_type(call *c, const json_t *type) {
    int column = printf("%s -- ", text_of(type, "name"));
    terminal_wrap(text_of(type, "doc"), column, 4, HELP_WIDTH, stdout);
    putchar('\n');
    size_t i;
    json_t *key;
    json_array_foreach(json_object_get(type, "keys"), i, key) print_key(c, key);
}

static void print_kind(call *c, const json_t *list) {
    size_t i;
    json_t *type;
    json_array_foreach(list, i, type) {
        if (i) printf("\n");
        print_type(c, type);
    }
}

static void print_names(const json_t *tree) {
    const char *kind;
    json_t *list, *type;
    size_t i;
    json_object_foreach((json_t *)tree, kind, list) {
        printf("%s\n", kind);
        json_array_foreach(list, i, type) {
            int column = printf("  %-*s ", NAME - 3, text_of(type, "name"));
            terminal_wrap(text_of(type, "doc"), column, NAME, HELP_WIDTH, stdout);
            putchar('\n');
        }
        printf("\n");
    }
    printf("`judder list structures` or `judder list fe-beam` shows the keys.\n");
}

static jd_status unknown(call *c, const json_t *tree, const char *word) {
    const char *names[MAX_NAMES], *kind;
    json_t *list, *type;
    size_t i;
    int n = 0;
    json_object_foreach((json_t *)tree, kind, list) {
        if (n < MAX_NAMES) names[n++] = kind;
        json_array_foreach(list, i, type) if (n < MAX_NAMES) names[n++] = text_of(type, "name");
    }
    const char *near = jd_nearest(word, n, names);
    jd_fail(c->context, JD_UNKNOWN_NAME, "there is nothing called `%s` to list", word);
    if (near) jd_fail_hint(c->context, "did you mean `%s`?", near);
    jd_fail_hint(c->context, "`judder list` shows all names");
    return JD_UNKNOWN_NAME;
}

// What the word names: a kind, or every type of that name; an object of the same form as the tree.
static json_t *selected(const json_t *tree, const char *word) {
    json_t *out = json_object(), *list = json_object_get(tree, word), *type;
    const char *kind;
    size_t i;
    if (list) {
        json_object_set(out, word, list);
        return out;
    }
    json_object_foreach((json_t *)tree, kind, list) {
        json_t *some = json_array();
        json_array_foreach(list, i, type) {
            if (strcmp(text_of(type, "name"), word) == 0) json_array_append(some, type);
        }
        if (json_array_size(some) > 0) json_object_set(out, kind, some);
        json_decref(some);
    }
    return out;
}

static void print_selected(call *c, const json_t *tree) {
    const char *kind;
    json_t *list;
    json_object_foreach((json_t *)tree, kind, list) print_kind(c, list);
}

static jd_status run_list(call *c) {
    const list_asked *asked = c->own;
    if (asked->schema) {
        json_t *schema = reference_schema();
        jd_json_write(schema, stdout);
        json_decref(schema);
        return JD_OK;
    }
    json_t *tree = reference_tree(), *shown = tree;
    jd_status s = JD_OK;
    if (c->n_argument > 0) {
        shown = selected(tree, c->argument[0]);
        if (json_object_size(shown) == 0) s = unknown(c, tree, c->argument[0]);
    }
    if (s == JD_OK) {
        if (asked->markdown) {
            reference_markdown(shown, stdout);
        } else if (c->json) {
            jd_json_write(shown, stdout);
        } else if (c->n_argument > 0) {
            print_selected(c, shown);
        } else {
            print_names(shown);
        }
    }
    if (shown != tree) json_decref(shown);
    json_decref(tree);
    return s;
}

static const option options[] = {
    // name, value, doc (none: not listed; it makes docs/guide/model.md), kind, place
    {"schema", NULL, "a JSON Schema of the model file, for editors", OPTION_FLAG,
     IN_OWN(list_asked, schema)},
    {"markdown", NULL, NULL, OPTION_FLAG, IN_OWN(list_asked, markdown)},
    {0}};

const verb verb_list = {
    .name = "list",
    .arguments = "[KIND | NAME]",
    .doc = "what a model file can say",
    .help = "Structures, damping, connections, contacts, drives, starts, sections and engines\n"
            "with their keys, units, defaults and ranges. KIND is one of these words, NAME\n"
            "one of the things listed: `judder list fe-beam`.\n",
    .shared = SHARED_JSON,
    .options = options,
    .own_size = sizeof(list_asked),
    .least = 0,
    .most = 1,
    .run = run_list,
};

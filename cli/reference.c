// reference.c -- the parameter tables as a JSON tree: what `judder list` and the guide are made of.
#include <math.h>
#include <string.h>

#include "base/param_tools.h"
#include "command.h"

enum { TEXT = 400, MAX_TYPES = 32 };

static const char *kind_name(const jd_param *p) {
    static const char *const names[] = {[JD_KIND_REAL] = "number",
                                        [JD_KIND_INTEGER] = "whole number",
                                        [JD_KIND_BOOLEAN] = "yes or no",
                                        [JD_KIND_CHOICE] = "word",
                                        [JD_KIND_TEXT] = "text",
                                        [JD_KIND_FILE] = "path",
                                        [JD_KIND_REALS] = "numbers",
                                        [JD_KIND_TEXTS] = "texts",
                                        [JD_KIND_COUNT] = "count",
                                        [JD_KIND_FREQUENCY] = "frequency",
                                        [JD_KIND_DURATION] = "duration",
                                        [JD_KIND_OBJECT] = "typed map",
                                        [JD_KIND_GROUP] = "map",
                                        [JD_KIND_POINTS] = "named points",
                                        [JD_KIND_SHAPES] = "named shapes",
                                        [JD_KIND_FORMULAS] = "named formulas",
                                        [JD_KIND_DRAWS] = "paths with distributions",
                                        [JD_KIND_PLACE] = "point or span",
                                        [JD_KIND_COUNTER] = "ground, velocity or place",
                                        [JD_KIND_MATRIX] = "path"};
    return names[p->kind];
}

static void append(char *text, const char *more, const char *between) {
    size_t n = strlen(text);
    snprintf(text + n, TEXT - n, "%s%s", n ? between : "", more);
}

static bool is_number(const jd_param *p) {
    return p->kind == JD_KIND_REAL || p->kind == JD_KIND_INTEGER || p->kind == JD_KIND_REALS ||
           p->kind == JD_KIND_FREQUENCY || p->kind == JD_KIND_DURATION || p->kind == JD_KIND_COUNT;
}

// What may stand there: the words, the types, or the range.
static void allowed_text(const jd_param *p, char *text) {
    text[0] = '\0';
    if (p->kind == JD_KIND_CHOICE) {
        for (const char *const *w = p->choices; w && *w; w++) append(text, *w, ", ");
    } else if (p->kind == JD_KIND_OBJECT) {
        for (const jd_type *const *t = p->types; t && *t; t++) append(text, (*t)->name, ", ");
    } else if (is_number(p)) {
        jd_param shown = *p;
        if (shown.high >= 1e300) shown.high = HUGE_VAL; // only keeps products from overflowing
        jd_param_rule(&shown, text, TEXT);
    }
}

static void default_text(const jd_param *p, char *text) {
    text[0] = '\0';
    if (p->required) {
        append(text, "required", "");
        if (p->unless) append(text, p->unless, ", or ");
    } else if (p->preset_text) {
        append(text, p->preset_text, "");
    } else if (p->kind == JD_KIND_CHOICE) {
        append(text, p->choices[(int)p->preset], "");
    } else if (p->kind == JD_KIND_BOOLEAN) {
        append(text, p->preset != 0 ? "yes" : "no", "");
    } else if (p->kind == JD_KIND_COUNT && p->preset <= 0) {
        append(text, p->preset == JD_AUTO ? "auto" : p->preset < 0 ? "infinite" : "all", "");
    } else if (p->kind == JD_KIND_INTEGER && p->preset == JD_AUTO) {
        return; // its doc says what it is
    } else if (p->kind == JD_KIND_COUNTER) {
        append(text, "ground", "");
    } else if (is_number(p) && p->kind != JD_KIND_REALS && !isnan(p->preset)) {
        snprintf(text, TEXT, "%.10g", p->preset);
    }
}

static void unit_text(const jd_param *p, char *text) { // "N|N/m" reads "N or N/m"
    size_t n = 0;
    text[0] = '\0';
    for (const char *u = p->unit ? p->unit : ""; *u && n + 8 < TEXT; u++) {
        if (*u == '|') {
            n += (size_t)snprintf(text + n, TEXT - n, " or ");
        } else {
            text[n++] = *u;
            text[n] = '\0';
        }
    }
}

static void add_keys(json_t *keys, const jd_type *type, const char *prefix) {
    for (const jd_param *p = type->params; p && p->key; p++) {
        char key[TEXT], unit[TEXT], standard[TEXT], allowed[TEXT];
        snprintf(key, sizeof key, "%s%s%s", prefix, prefix[0] ? "." : "", p->key);
        if (p->kind == JD_KIND_GROUP) {
            add_keys(keys, p->types[0], key);
            continue;
        }
        unit_text(p, unit);
        default_text(p, standard);
        allowed_text(p, allowed);
        json_array_append_new(keys, json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:s}", "key", key,
                                              "kind", kind_name(p), "unit", unit, "required",
                                              (int)p->required, "default", standard, "allowed",
                                              allowed, "doc", p->doc ? p->doc : ""));
        if (p->kind == JD_KIND_REAL && p->types) add_keys(keys, p->types[0], key);
    }
}

static void add_type(json_t *list, const jd_type *type) {
    json_t *keys = json_array();
    add_keys(keys, type, "");
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:o}", "name", type->name, "doc", type->doc, "keys", keys));
}

static json_t *list_of(const jd_type *const *types) {
    json_t *list = json_array();
    for (; *types; types++) add_type(list, *types);
    return list;
}

// Every damping type any structure takes, in the order they appear.
static json_t *dampings(void) {
    const jd_type *seen[MAX_TYPES + 1] = {NULL};
    int n = 0;
    for (const jd_type *const *s = jd_structure_types(); *s; s++) {
        const jd_param *p = jd_type_param(*s, "damping");
        for (const jd_type *const *t = p ? p->types : NULL; t && *t; t++) {
            if (n < MAX_TYPES && !jd_type_find(seen, (*t)->name)) seen[n++] = *t;
        }
    }
    return list_of(seen);
}

static json_t *contacts(void) {
    json_t *list = json_array();
    add_type(list, &jd_contact_type);
    json_t *laws = list_of(jd_law_types());
    json_array_extend(list, laws);
    json_decref(laws);
    return list;
}

static json_t *sections(void) {
    json_t *list = json_array();
    for (int i = 0; i < JD_SECTION_COUNT; i++) add_type(list, &jd_section_types[i]);
    return list;
}

// Engines have no keys of their own: what they take stands in `simulate`.
static json_t *engines(void) {
    json_t *list = json_array();
    for (int i = 0; i < jd_engine_count(); i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:[]}", "name", jd_engine(i)->name, "doc",
                                              jd_engine(i)->doc, "keys"));
    return list;
}

json_t *reference_tree(void) {
    json_t *tree = json_object();
    json_object_set_new(tree, "structures", list_of(jd_structure_types()));
    json_object_set_new(tree, "damping", dampings());
    json_object_set_new(tree, "connections", list_of(jd_connection_types()));
    json_object_set_new(tree, "contacts", contacts());
    json_object_set_new(tree, "drives", list_of(jd_drive_types()));
    json_object_set_new(tree, "starts", list_of(jd_start_types()));
    json_object_set_new(tree, "sections", sections());
    json_object_set_new(tree, "engines", engines());
    return tree;
}

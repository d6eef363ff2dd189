// schema.c -- a JSON Schema of the model file, made by `judder list --schema` from the parameter
//   tables: editors that know it complete keys, show their docs and mark mistakes while one writes.
//   What it cannot say (dimensions of units, names that must exist, rules between keys) is left to
//   `judder check`: a model that the schema refuses is refused by the command, not the reverse.
#include <math.h>
#include <string.h>

#include "base/param_tools.h"
#include "command.h"

enum { MOST_TYPES = 256 };

typedef struct schema {
    json_t *defs;                    // one per type
    const jd_type *type[MOST_TYPES]; // those in it
    const char *name[MOST_TYPES];    // their keys there
    int n;
} schema;

static json_t *schema_of_type(schema *s, const jd_type *type, bool typed);

// "2.47 m", and numbers that a reader of YAML 1.1 takes for texts (1e4)
static const char number_text[] = "^\\s*[-+]?[.0-9]", number_or_auto[] = "^auto$|^\\s*[-+]?[.0-9]";

static json_t *number(const jd_param *p) {
    json_t *bare = json_pack("{s:s}", "type", "number");
    bool ranged = p->low != 0 || p->high != 0, unit = p->unit && *p->unit;
    if (ranged && !unit) // with a unit the number is in any multiple of it
        json_object_set_new(bare, p->above ? "exclusiveMinimum" : "minimum", json_real(p->low));
    if (ranged && !unit && p->high > p->low && p->high < 1e300)
        json_object_set_new(bare, "maximum", json_real(p->high));
    const char *text = isnan(p->preset) ? number_or_auto : number_text;
    return json_pack("{s:[o, {s:s, s:s}]}", "anyOf", bare, "type", "string", "pattern", text);
}

static json_t *whole(const jd_param *p) {
    json_t *out = json_pack("{s:s}", "type", "integer");
    if (p->low != 0 || p->high != 0) json_object_set_new(out, "minimum", json_real(p->low));
    if (p->high > p->low && p->high < 1e300)
        json_object_set_new(out, "maximum", json_real(p->high));
    return out;
}

static json_t *words(const char *const *word) {
    json_t *list = json_array();
    for (; word && *word; word++) json_array_append_new(list, json_string(*word));
    return json_pack("{s:o}", "enum", list);
}

static json_t *either(json_t *a, json_t *b) { return json_pack("{s:[o, o]}", "anyOf", a, b); }

static json_t *list_or_one(json_t *of) {
    return either(json_incref(of), json_pack("{s:s, s:o}", "type", "array", "items", of));
}

// A map whose key `type` says which keys it has, or the word alone.
static json_t *object_of(schema *s, const jd_type *const *types, const char *preset) {
    json_t *names = json_array(), *rules = json_array();
    for (const jd_type *const *t = types; *t; t++) {
        json_array_append_new(names, json_string((*t)->name));
        json_t *is = json_pack("{s:{s:{s:s}}, s:[s]}", "properties", "type", "const", (*t)->name,
                               "required", "type");
        bool standard = preset && strcmp(preset, (*t)->name) == 0;
        if (standard) is = either(is, json_pack("{s:{s:[s]}}", "not", "required", "type"));
        json_array_append_new(rules, json_pack("{s:{s:[{s:s}, o]}, s:o}", "if", "allOf", "type",
                                               "object", is, "then", schema_of_type(s, *t, true)));
    }
    json_t *typed = json_pack("{s:s, s:{s:{s:O}}, s:o}", "type", "object", "properties", "type",
                              "enum", names, "allOf", rules);
    if (!preset) json_object_set_new(typed, "required", json_pack("[s]", "type"));
    return either(json_pack("{s:o}", "enum", names), typed);
}

static json_t *anything(const char *one, const char *other) {
    return json_pack("{s:[s, s]}", "type", one, other);
}

static json_t *schema_of_param(schema *s, const jd_param *p) {
    static const char *const counts[] = {"all", "infinite", "auto", NULL};
    static const char *const truths[] = {"yes", "no", "true", "false", "on", "off", NULL};
    switch (p->kind) {
    case JD_KIND_REAL:
        return p->types ? either(number(p), schema_of_type(s, p->types[0], false)) : number(p);
    case JD_KIND_DURATION:
        return number(p);
    case JD_KIND_FREQUENCY:
        return either(number(p), json_pack("{s:s}", "type", "object"));
    case JD_KIND_REALS:
        return list_or_one(number(p));
    case JD_KIND_INTEGER:
        return whole(p);
    case JD_KIND_COUNT:
        return either(json_pack("{s:s, s:i}", "type", "integer", "minimum", 1), words(counts));
    case JD_KIND_BOOLEAN:
        return either(json_pack("{s:s}", "type", "boolean"), words(truths));
    case JD_KIND_CHOICE:
        return words(p->choices);
    case JD_KIND_TEXTS:
        return list_or_one(anything("string", "number"));
    case JD_KIND_OBJECT:
        return object_of(s, p->types, p->preset_text);
    case JD_KIND_GROUP:
        return schema_of_type(s, p->types[0], false);
    case JD_KIND_POINTS:
    case JD_KIND_SHAPES:
    case JD_KIND_FORMULAS:
    case JD_KIND_DRAWS:
        return json_pack("{s:s}", "type", "object");
    case JD_KIND_PLACE:
    case JD_KIND_COUNTER:
    case JD_KIND_MATRIX: // {file: model.mat, name: K}
        return anything("string", "object");
    case JD_KIND_TEXT:
    case JD_KIND_FILE:
        break;
    }
    return anything("string", "number");
}

static void add_property(schema *s, const jd_param *p, json_t *properties, json_t *required,
                         json_t *rules) {
    json_t *one = schema_of_param(s, p);
    bool unit = p->unit && *p->unit && strcmp(p->unit, "*") != 0;
    if (p->doc)
        json_object_set_new(one, "description",
                            json_sprintf("%s%s%s%s", p->doc, unit ? " [" : "", unit ? p->unit : "",
                                         unit ? "]" : ""));
    json_object_set_new(properties, p->key, one);
    if (p->required && p->unless)
        json_array_append_new(rules, json_pack("{s:[{s:[s]}, {s:[s]}]}", "anyOf", "required",
                                               p->key, "required", p->unless));
    else if (p->required)
        json_array_append_new(required, json_string(p->key));
}

static json_t *keys_of(schema *s, const jd_type *type, bool typed) {
    json_t *properties = json_object(), *required = json_array(), *rules = json_array();
    if (typed) json_object_set_new(properties, "type", json_pack("{s:s}", "const", type->name));
    for (const jd_param *p = type->params; p && p->key; p++)
        add_property(s, p, properties, required, rules);
    json_t *out = json_pack("{s:s, s:s, s:b, s:o, s:o}", "type", "object", "description",
                            type->doc ? type->doc : "", "additionalProperties", 0, "properties",
                            properties, "required", required);
    if (json_array_size(rules) > 0)
        json_object_set_new(out, "allOf", rules);
    else
        json_decref(rules);
    return out;
}

static json_t *reference(const char *name) {
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name));
}

// The type among the definitions, under its name, or its name and a number where that is taken.
static json_t *schema_of_type(schema *s, const jd_type *type, bool typed) {
    for (int i = 0; i < s->n; i++)
        if (s->type[i] == type) return reference(s->name[i]);
    if (s->n == MOST_TYPES) return json_object(); // any value
    json_t *name = json_string(type->name);
    if (json_object_get(s->defs, json_string_value(name))) {
        json_decref(name);
        name = json_sprintf("%s-%d", type->name, s->n);
    }
    json_object_set_new(s->defs, json_string_value(name), json_null()); // its place
    json_t *out = reference(json_string_value(name));
    const char *key = json_object_iter_key(
        json_object_iter_at(s->defs, json_string_value(name))); // lives with the object
    s->type[s->n] = type;
    s->name[s->n++] = key;
    json_object_set_new(s->defs, key, keys_of(s, type, typed));
    json_decref(name);
    return out;
}

static json_t *named(json_t *of) {
    return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", of);
}

json_t *reference_schema(void) {
    schema s = {.defs = json_object()};
    json_t *keys = json_pack("{s:{s:i}, s:{s:[s, s]}, s:{s:[s]}}", "judder", "const", 1, "title",
                             "type", "string", "number", "units", "enum", "SI");
    json_object_set_new(keys, "structure", object_of(&s, jd_structure_types(), NULL));
    json_object_set_new(keys, "bodies", named(object_of(&s, jd_structure_types(), NULL)));
    json_object_set_new(keys, "connections", named(object_of(&s, jd_connection_types(), NULL)));
    json_object_set_new(keys, "contacts", named(schema_of_type(&s, &jd_contact_type, false)));
    json_object_set_new(keys, "drives", named(object_of(&s, jd_drive_types(), NULL)));
    json_object_set_new(keys, "start", object_of(&s, jd_start_types(), NULL));
    for (int i = 0; i < JD_SECTION_COUNT; i++)
        json_object_set_new(keys, jd_section_types[i].name,
                            schema_of_type(&s, &jd_section_types[i], false));
    return json_pack("{s:s, s:s, s:s, s:[s], s:b, s:o, s:o}", "$schema",
                     "https://json-schema.org/draft/2020-12/schema", "title", "Model of Judder",
                     "type", "object", "required", "judder", "additionalProperties", 0,
                     "properties", keys, "$defs", s.defs);
}

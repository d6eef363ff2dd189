// sections.c -- the sections of a model file, in the order in which they need each other.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drive/kind.h"
#include "model/bind.h"
#include "problem/parts.h"
#include "problem/paths/tied.h"

enum { VERSION = 1, MOST_PARTS = 10000, MOST_PATHS = 100 };

static const char *const keys[] = {"judder",   "title",  "structure", "bodies",   "connections",
                                   "contacts", "drives", "start",     "simulate", "orbit",
                                   "follow",   "nsm",    "kernel",    "sweep",    "fit",
                                   "backbone", "output", "units"};

static jd_status check_version(jd_binder *b) {
    if (b->root->kind != JD_NODE_MAP)
        return jd_bind_refuse(
            b, b->root, JD_WRONG_TYPE, "a model begins with `judder: 1`; `judder new` writes one",
            "expected the keys of a model, found %s", jd_node_words(b->arena, b->root));
    const jd_node *version = jd_node_get(b->root, "judder");
    if (!version)
        return jd_bind_refuse(b, b->root, JD_WRONG_VERSION, "write `judder: 1` in its first line",
                              "the file does not say which version of the model format it is");
    if (version->kind != JD_NODE_SCALAR || strcmp(version->text, "1") != 0)
        return jd_bind_refuse(b, version, JD_WRONG_VERSION, "this Judder reads `judder: 1`",
                              "the model format is of version %s, but only %d is known",
                              jd_node_words(b->arena, version), VERSION);
    if (version == b->root->first) return JD_OK;
    jd_fail(b->context, JD_WRONG_VERSION, "`judder: 1` is not the first key of the file");
    jd_fail_at_key(b->context, version);
    jd_fail_hint(b->context, "move it to the first line");
    return JD_WRONG_VERSION;
}

// The node below `node` whose key or text is this word, or begins with it as in `body.point`.
static const jd_node *mention(const jd_node *node, const char *word, size_t n) {
    for (const jd_node *c = node->first; c; c = c->next) {
        if (c->key && !strncmp(c->key, word, n) && !c->key[n]) return c;
        if (c->text && !strncmp(c->text, word, n) && (!c->text[n] || c->text[n] == '.')) return c;
        const jd_node *deeper = mention(c, word, n);
        if (deeper) return deeper;
    }
    return NULL;
}

// Messages quote what they speak of: below the part they name, that is the place to show.
static const jd_node *narrow(const jd_node *node, const char *message) {
    const char *open = strchr(message, '`'), *close = open ? strchr(open + 1, '`') : NULL;
    const jd_node *found = close ? mention(node, open + 1, (size_t)(close - open - 1)) : NULL;
    return found ? found : node;
}

// The node that names this file: relative names were completed with the folder.
static const jd_node *file_name(const jd_node *node, const char *file) {
    for (const jd_node *c = node->first; c; c = c->next) {
        size_t long_one = strlen(file), short_one = c->text ? strlen(c->text) : 0;
        bool ends = short_one > 0 && short_one <= long_one &&
                    !strcmp(file + long_one - short_one, c->text) &&
                    (short_one == long_one || file[long_one - short_one - 1] == '/');
        const jd_node *found = ends ? c : file_name(c, file);
        if (found) return found;
    }
    return NULL;
}

// "load.csv:3": what is wrong has its place in another file.
static bool is_line_of_file(const char *where) {
    const char *colon = strrchr(where, ':');
    return colon && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
}

// The problem layer names what it refuses by path; turn that into a place in the file.
jd_status jd_bind_locate(jd_binder *b, jd_status status, const jd_node *fallback) {
    if (status == JD_OK) return JD_OK;
    const jd_error *e = jd_context_error(b->context);
    if (is_line_of_file(e->where)) return status;
    const char *path = jd_arena_text(b->arena, e->where), *rest = "";
    const char *message = jd_arena_text(b->arena, e->message);
    const char *hint = jd_arena_text(b->arena, e->hint);
    if (!path || !message || !hint) return status;
    const jd_node *node = fallback;
    if (*path) {
        node = jd_node_at(b->root, path, &rest);
        if (node == b->root) node = fallback;
        // What is wrong in a file has its place there; that it cannot be read, in the model.
        if (!node && status == JD_CANNOT_READ) node = file_name(b->root, path), rest = "";
    }
    if (!node) return status;
    node = narrow(node, message);
    jd_fail(b->context, status, "%s", message);
    if (*rest)
        jd_fail_at_key(b->context, node);
    else
        jd_fail_at(b->context, node);
    if (*hint) jd_fail_hint(b->context, "%s", hint);
    return status;
}

static jd_status need_names(jd_binder *b, const jd_node *map) {
    if (map->kind != JD_NODE_MAP) return jd_bind_wrong_type(b, map, map->key, "a map of names");
    if (map->n > MOST_PARTS)
        return jd_bind_refuse(b, map, JD_OUT_OF_RANGE, NULL, "%d %s are more than the %d possible",
                              map->n, map->key, MOST_PARTS);
    for (const jd_node *c = map->first; c; c = c->next) JD_TRY(jd_bind_check_name(b, c));
    return JD_OK;
}

static jd_status bind_body(jd_binder *b, jd_problem *problem, const char *name, jd_node *node) {
    jd_object object;
    JD_TRY(jd_bind_object(b, node->key, jd_structure_types(), NULL, node, &object));
    return jd_bind_locate(b, jd_problem_add_body(problem, name, object.type, object.def), node);
}

static jd_status bind_bodies(jd_binder *b, jd_problem *problem) {
    jd_node *one = jd_node_get(b->root, "structure"), *many = jd_node_get(b->root, "bodies");
    if (one && many)
        return jd_bind_refuse(b, many, JD_DUPLICATE_NAME,
                              "put the structure under `bodies` as well",
                              "a model has `structure` or `bodies`, not both");
    if (!one && !many)
        return jd_bind_refuse(b, b->root, JD_MISSING_KEY,
                              "`judder list structures` shows the types there are",
                              "the model has no `structure` (and no `bodies`)");
    if (one) return bind_body(b, problem, "", one);
    JD_TRY(need_names(b, many));
    if (!many->first) return jd_bind_wrong_type(b, many, "bodies", "at least one body");
    for (jd_node *c = many->first; c; c = c->next) JD_TRY(bind_body(b, problem, c->key, c));
    return JD_OK;
}

// What numbers with several units are at a place: in "N|N/m|N m" the first is that of a point, the
// last that of a rotation, others of a span or of shaken supports (`which`, where there are more
// than two).
typedef struct unit_choice {
    int which;
    bool turns;
    const char *why;
} unit_choice;

static jd_status check_unit(jd_binder *b, const jd_param *p, const jd_node *node, unit_choice c) {
    int n = 1, wanted;
    for (const char *x = p->unit; *x; x++) n += *x == '|';
    wanted = c.turns ? n - 1 : n > 2 && c.which < n ? c.which : 0;
    if (node->chosen < 0 || n == 1 || node->chosen == wanted) return JD_OK;
    const char *unit = p->unit;
    for (int i = 0; i < wanted; i++) unit = strchr(unit, '|') + 1;
    const char *why = c.turns                 ? "the point is a rotation, where forces are moments"
                      : node->chosen == n - 1 ? "the point is no rotation"
                                              : c.why;
    return jd_bind_refuse(b, node, JD_WRONG_UNIT, why, "the unit of `%s` in %s must be like %.*s",
                          p->key, jd_quote(b->arena, node->text), (int)strcspn(unit, "|"), unit);
}

static jd_status check_units(jd_binder *b, const jd_node *map, const jd_type *type, unit_choice c) {
    for (const jd_param *p = type->params; p->key; p++) {
        const jd_node *node = p->unit && strchr(p->unit, '|') ? jd_node_get(map, p->key) : NULL;
        if (!node || p->kind == JD_KIND_PLACE || p->kind == JD_KIND_COUNTER) continue;
        if (node->kind == JD_NODE_SCALAR) JD_TRY(check_unit(b, p, node, c));
        if (node->kind == JD_NODE_MAP && p->types) JD_TRY(check_units(b, node, p->types[0], c));
        for (const jd_node *x = node->kind == JD_NODE_LIST ? node->first : NULL; x; x = x->next)
            JD_TRY(check_unit(b, p, x, c));
    }
    return JD_OK;
}

static jd_status check_belt(jd_binder *b, const jd_node *against, bool turns) {
    static const jd_param belt = {.key = "velocity", .kind = JD_KIND_REAL, .unit = "m/s|rad/s"};
    const jd_node *node = against ? jd_node_get(against, "velocity") : NULL;
    return node ? check_unit(b, &belt, node, (unit_choice){.turns = turns}) : JD_OK;
}

static jd_status bind_contact(jd_binder *b, jd_problem *problem, jd_node *node) {
    jd_contact_def def;
    JD_TRY(jd_bind_group(b, &jd_contact_type, false, node, &def));
    bool span = jd_place_is_span(&def.at);
    unit_choice c = {.which = span ? 1 : 0,
                     .turns = jd_problem_turns(problem, &def.at),
                     .why = span ? "on a span the force is per length"
                                 : "at a point it is a force; per length it is on a span"};
    JD_TRY(check_units(b, jd_node_get(node, "law"), def.law.type, c));
    JD_TRY(check_belt(b, jd_node_get(node, "against"), c.turns));
    return jd_bind_locate(b, jd_problem_add_contact(problem, node->key, &def), node);
}

static jd_status bind_drive(jd_binder *b, jd_problem *problem, jd_node *node) {
    jd_object object;
    JD_TRY(jd_bind_object(b, node->key, jd_drive_types(), NULL, node, &object));
    const jd_param *of = jd_type_param(object.type, "of");
    const jd_param *at = jd_type_param(object.type, "at");
    bool base = of && *JD_MEMBER(int, object.def, of) == JD_DRIVE_BASE;
    const jd_place *place = at ? JD_MEMBER(jd_place, object.def, at) : NULL;
    bool span = !base && place && jd_place_is_span(place);
    unit_choice c = {.which = base   ? JD_DRIVE_UNIT_BASE
                              : span ? JD_DRIVE_UNIT_SPAN
                                     : 0,
                     .turns = !base && place && jd_problem_turns(problem, place),
                     .why = base   ? "`of: base` gives an acceleration of the supports"
                            : span ? "along a span the load is per length"
                                   : "at a point it is a force; per length it is along a span, and "
                                     "an acceleration of the supports needs `of: base`"};
    JD_TRY(check_units(b, node, object.type, c));
    return jd_bind_locate(b, jd_problem_add_drive(problem, node->key, object.type, object.def),
                          node);
}

static jd_status bind_connection(jd_binder *b, jd_problem *problem, jd_node *node) {
    jd_object object;
    JD_TRY(jd_bind_object(b, node->key, jd_connection_types(), NULL, node, &object));
    const jd_param *at = jd_type_param(object.type, "at");
    unit_choice c = {.turns = jd_problem_turns(problem, JD_MEMBER(jd_place, object.def, at))};
    JD_TRY(check_units(b, node, object.type, c));
    return jd_bind_locate(b, jd_problem_add_connection(problem, node->key, object.type, object.def),
                          node);
}

typedef jd_status bind_part(jd_binder *b, jd_problem *problem, jd_node *node);

static jd_status bind_parts(jd_binder *b, jd_problem *problem, const char *key, bind_part *bind) {
    jd_node *map = jd_node_get(b->root, key);
    if (!map) return JD_OK;
    JD_TRY(need_names(b, map));
    for (jd_node *c = map->first; c; c = c->next) JD_TRY(bind(b, problem, c));
    return JD_OK;
}

static jd_status bind_start(jd_binder *b, jd_problem *problem) {
    jd_node *node = jd_node_get(b->root, "start");
    if (!node) return JD_OK;
    jd_object object;
    JD_TRY(jd_bind_object(b, "start", jd_start_types(), NULL, node, &object));
    return jd_bind_locate(b, jd_problem_set_start(problem, object.type, object.def), node);
}

// Paths that are followed must lead to a number; asked before their units are.
static jd_status check_paths(jd_binder *b, jd_problem *problem, const jd_node *names) {
    if (!names) return JD_OK;
    if (names->kind == JD_NODE_LIST && names->n > MOST_PATHS)
        return jd_bind_refuse(b, names, JD_SIZE_MISMATCH, "name one or two numbers",
                              "%d paths are more than can be varied at once", names->n);
    const jd_node *item = names->kind == JD_NODE_LIST ? names->first : names;
    for (; item; item = names->kind == JD_NODE_LIST ? item->next : NULL) {
        double value;
        if (item->kind != JD_NODE_SCALAR) continue; // refused by kind later
        jd_status status = jd_problem_get(problem, item->text, &value);
        // A frequency given as {times, mode} has no value before the problem is built.
        if (status == JD_OK || status == JD_BAD_ARGUMENT) continue;
        const char *message = jd_arena_text(b->arena, jd_context_error(b->context)->message);
        const char *hint = jd_arena_text(b->arena, jd_context_error(b->context)->hint);
        return jd_bind_refuse(b, item, status, hint && *hint ? hint : NULL, "%s",
                              message ? message : "");
    }
    return JD_OK;
}

// The units in which the paths that are followed are written, for results.
static jd_status note_units(jd_binder *b, jd_problem *problem, const jd_node *names,
                            const jd_node *section, const char *key) {
    jd_node *from = names ? jd_node_get(section, key) : NULL;
    bool many = names && names->kind == JD_NODE_LIST;
    const jd_node *name = many ? names->first : names;
    for (int i = 0; from && name; i++, name = many ? name->next : NULL) {
        jd_node *value = from->kind == JD_NODE_LIST ? jd_node_item(from, i) : from;
        const char *unit = "";
        double size = 1;
        if (value) JD_TRY(jd_bind_shown_unit(b, key, value, i, &unit, &size));
        if (*unit) JD_TRY(jd_problem_show_unit(problem, name->text, unit, size));
    }
    return JD_OK;
}

// So must the keys of a map, of a family or of a sample.
static jd_status check_keys(jd_binder *b, jd_problem *problem, const jd_node *map) {
    for (const jd_node *c = map ? map->first : NULL; c; c = c->next) {
        jd_node path = *c;
        path.kind = JD_NODE_SCALAR;
        path.text = c->key;
        path.line = c->key_line;
        path.column = c->key_column;
        if (c->key) JD_TRY(check_paths(b, problem, &path));
    }
    return JD_OK;
}

// Numbers that are varied together, {a: 1, b: 2}, as one path: a node of its own.
static jd_status tie(jd_binder *b, const jd_node *map, const jd_node **out) {
    jd_node *one = JD_TAKE(b->arena, jd_node, 1);
    jd_shape *shape = JD_TAKE(b->arena, jd_shape, map->n);
    double *factor = JD_TAKE(b->arena, double, map->n);
    JD_TRY(jd_arena_status(b->arena));
    int n = 0;
    for (const jd_node *c = map->first; c; c = c->next, n++) {
        factor[n] = c->kind == JD_NODE_SCALAR ? strtod(c->text, NULL) : 1; // lists: refused later
        shape[n] = (jd_shape){c->key, {1, &factor[n]}};
    }
    *one = (jd_node){
        .kind = JD_NODE_SCALAR, .line = map->line, .column = map->column, .source = map->source};
    one->text = jd_problem_tie(b->arena, &(jd_shapes){n, shape});
    JD_TRY(jd_arena_status(b->arena));
    *out = one;
    return JD_OK;
}

static jd_status bind_section(jd_binder *b, jd_problem *problem, jd_section section) {
    const jd_type *type = &jd_section_types[section];
    jd_node *node = jd_node_get(b->root, type->name);
    if (!node) return JD_OK;
    if (section == JD_FOLLOW) {
        const jd_node *many = jd_node_get(node, "parameters");
        b->followed = jd_node_get(node, "parameter");
        if (!b->followed && many && many->kind == JD_NODE_MAP && many->n > 0)
            JD_TRY(tie(b, many, &b->followed));
        b->second = jd_node_get(node, "second");
        JD_TRY(check_keys(b, problem, jd_node_get(node, "family")));
    }
    if (section == JD_SWEEP) {
        const jd_node *sample = jd_node_get(node, "sample");
        b->followed = jd_node_get(node, "parameters");
        if (sample) JD_TRY(check_keys(b, problem, jd_node_get(sample, "parameters")));
    }
    JD_TRY(check_paths(b, problem, b->followed));
    JD_TRY(check_paths(b, problem, b->second));
    if (section == JD_FIT) JD_TRY(check_paths(b, problem, jd_node_get(node, "parameters")));
    void *def = jd_arena_take(b->arena, 1, type->def_size);
    if (!def) return jd_arena_status(b->arena);
    JD_TRY(jd_bind_group(b, type, false, node, def));
    if (section == JD_SIMULATE) JD_TRY(jd_bind_engine_keys(b, node));
    JD_TRY(note_units(b, problem, b->followed, node, "from"));
    JD_TRY(note_units(b, problem, b->second, node, "second_from"));
    b->followed = b->second = NULL;
    return jd_bind_locate(b, jd_problem_set_section(problem, section, def), node);
}

// `units: SI`: a number without a unit is in SI, and may stand beside one with a unit.
static jd_status bind_units(jd_binder *b, bool *si) {
    const jd_node *node = jd_node_get(b->root, "units");
    *si = node != NULL;
    if (!node || (node->kind == JD_NODE_SCALAR && !strcmp(node->text, "SI"))) return JD_OK;
    return jd_bind_refuse(b, node, JD_WRONG_TYPE,
                          "leave the key out for numbers in units of your own",
                          "`units` can only be `SI`, not %s", jd_node_words(b->arena, node));
}

jd_status jd_bind_model(jd_binder *b, jd_problem *problem) {
    JD_TRY(check_version(b));
    JD_TRY(jd_bind_known_keys(b, b->root, "the model", sizeof keys / sizeof *keys, keys));
    const jd_node *title = jd_node_get(b->root, "title");
    const char *text = "";
    if (title) JD_TRY(jd_bind_line(b, "title", title, &text));
    JD_TRY(jd_problem_set_title(problem, text));
    JD_TRY(bind_bodies(b, problem));
    JD_TRY(bind_parts(b, problem, "connections", bind_connection));
    JD_TRY(bind_parts(b, problem, "contacts", bind_contact));
    JD_TRY(bind_parts(b, problem, "drives", bind_drive));
    JD_TRY(bind_start(b, problem));
    for (int i = 0; i < JD_SECTION_COUNT; i++) JD_TRY(bind_section(b, problem, (jd_section)i));
    bool si;
    JD_TRY(bind_units(b, &si));
    if (!si) JD_TRY(jd_bind_check_units(b));
    jd_problem_set_si(problem, si || b->united != NULL);
    return JD_OK;
}

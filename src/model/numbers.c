// numbers.c -- numbers of a model: unit to SI, range of the table, bare or with units.
#include <math.h>
#include <string.h>

#include "model/bind.h"
#include "problem/paths/tied.h"

static bool period_word(const char *unit) {
    return !strcmp(unit, "periods") || !strcmp(unit, "period");
}

static const char *expected(jd_binder *b, const char *key, const char *unit) {
    const char *text = !*unit || !strcmp(unit, "*")
                           ? jd_arena_format(b->arena, "a number for `%s`", key)
                           : jd_arena_format(b->arena, "a number in %s for `%s`",
                                             jd_unit_words(b->arena, unit), key);
    return text ? text : "a number";
}

// What "*" stands for: the table's unit and the unit written at the path that is followed.
static void followed_units(jd_binder *b, const char *key, int index, const char **wanted,
                           const char **written) {
    *wanted = *written = "";
    const jd_node *name = strncmp(key, "second_", 7) ? b->followed : b->second;
    if (name && name->kind == JD_NODE_LIST) name = jd_node_item(name, index);
    if (!name || name->kind != JD_NODE_SCALAR) return;
    const char *rest;
    jd_tied first; // numbers that are tied have one unit
    if (!jd_tied_part(name->text, 0, &first)) return;
    const jd_node *node = jd_node_at(b->root, jd_arena_text(b->arena, first.path), &rest);
    const jd_param *p = *rest && node->type ? jd_type_param(node->type, rest) : NULL;
    if (p && p->unit) *wanted = p->unit;
    if (*rest || node->kind != JD_NODE_SCALAR) {
        if (!*rest && node->wanted) *wanted = node->wanted;
        return;
    }
    if (node->wanted) *wanted = node->wanted;
    jd_number number;
    if (node->quoted || !jd_number_looks(node->text)) return;
    if (jd_number_split(b->arena, node, "", &number) == JD_OK) *written = number.unit;
}

static void note_units(jd_binder *b, const jd_node *node, bool united) {
    const jd_node **first = united ? &b->united : &b->bare;
    if (!*first) *first = node;
    *(united ? &b->n_united : &b->n_bare) += 1;
}

static jd_status convert(jd_binder *b, const char *key, const char *unit, jd_number number,
                         jd_node *node, double *out) {
    *out = number.value;
    jd_status status = jd_units_convert(b->units, number.unit, unit, out, &node->chosen);
    if (status == JD_OK) return JD_OK;
    const char *reason = jd_arena_text(b->arena, jd_context_error(b->context)->message);
    const char *hint = jd_arena_text(b->arena, jd_context_error(b->context)->hint);
    if (period_word(number.unit)) hint = "`periods` are possible for durations only";
    return jd_bind_refuse(b, node, status, hint && *hint ? hint : NULL, "`%s` is %s: %s", key,
                          jd_quote(b->arena, node->text), reason ? reason : "");
}

jd_status jd_bind_number(jd_binder *b, const char *key, const char *unit, jd_node *node, int index,
                         double *out) {
    if (!unit) unit = "";
    jd_number number;
    jd_arena_mark mark = jd_arena_here(b->arena);
    JD_TRY(jd_number_split(b->arena, node, expected(b, key, unit), &number));
    jd_arena_back(b->arena, mark); // the words were for an error only
    const char *written = "";
    if (!strcmp(unit, "*")) followed_units(b, key, index, &unit, &written);
    node->wanted = unit;
    bool takes_unit = !jd_unit_is_dimensionless(unit);
    if (!*number.unit && !*written) {
        if (takes_unit && number.value != 0) note_units(b, node, false);
        *out = number.value;
        return JD_OK;
    }
    if (takes_unit) note_units(b, node, true);
    if (!*number.unit) number.unit = written;
    return convert(b, key, unit, number, node, out);
}

jd_status jd_bind_shown_unit(jd_binder *b, const char *key, jd_node *node, int index,
                             const char **unit, double *size) {
    const char *wanted, *written;
    jd_number number;
    int chosen;
    *unit = "";
    if (node->kind != JD_NODE_SCALAR || !jd_number_looks(node->text)) return JD_OK;
    followed_units(b, key, index, &wanted, &written);
    JD_TRY(jd_number_split(b->arena, node, "", &number));
    if (!*number.unit) number.unit = written;
    if (strcmp(wanted, "rad/s") != 0 || !*number.unit || !strcmp(number.unit, "rad/s"))
        return JD_OK;
    *unit = number.unit;
    *size = 1;
    return jd_units_convert(b->units, number.unit, wanted, size, &chosen);
}

static jd_status check_range(jd_binder *b, const jd_param *p, const jd_node *node, double value) {
    jd_status status = jd_param_check(b->context, p, p->key, value);
    if (status == JD_OK) return JD_OK;
    jd_fail_at(b->context, node);
    jd_fail_hint(b->context, "found %s; `%s`: %s", jd_node_words(b->arena, node), p->key, p->doc);
    return status;
}

// Numbers in memory have the unit of the key.
static jd_status reals_in_memory(jd_binder *b, const jd_param *p, jd_node *node, jd_reals reals,
                                 jd_reals *out) {
    for (int i = 0; i < reals.n; i++) JD_TRY(check_range(b, p, node, reals.value[i]));
    *out = reals;
    return JD_OK;
}

jd_status jd_bind_reals(jd_binder *b, const jd_param *p, jd_node *node, jd_reals *out) {
    const jd_model_array *array;
    JD_TRY(jd_bind_array(b, node, false, &array));
    if (array) return reals_in_memory(b, p, node, array->reals, out);
    bool list = node->kind == JD_NODE_LIST;
    int n = list ? node->n : 1;
    double *value = JD_TAKE(b->arena, double, n);
    if (!value) return jd_arena_status(b->arena);
    jd_node *item = list ? node->first : node;
    node->wanted = p->unit;
    for (int i = 0; i < n; i++, item = item->next) {
        JD_TRY(jd_bind_number(b, p->key, p->unit, item, i, &value[i]));
        JD_TRY(check_range(b, p, item, value[i]));
    }
    *out = (jd_reals){n, value};
    return JD_OK;
}

jd_status jd_bind_whole(jd_binder *b, const jd_param *p, jd_node *node, int *out) {
    double value;
    JD_TRY(jd_bind_number(b, p->key, p->unit, node, 0, &value));
    JD_TRY(check_range(b, p, node, value));
    *out = (int)value;
    return JD_OK;
}

jd_status jd_bind_count(jd_binder *b, const jd_param *p, jd_node *node, int *out) {
    bool word = node->kind == JD_NODE_SCALAR;
    if (word && !strcmp(node->text, "infinite")) return *out = JD_INFINITE, JD_OK;
    if (word && !strcmp(node->text, "all")) return *out = JD_ALL, JD_OK;
    if (word && !strcmp(node->text, "auto") && p->preset == JD_AUTO) return *out = JD_AUTO, JD_OK;
    jd_status status = jd_bind_whole(b, p, node, out);
    if (status == JD_WRONG_TYPE)
        jd_fail_hint(b->context, "write a whole number, `all` or `infinite`");
    return status;
}

static const char *const frequency_keys[] = {"times", "mode"};

static jd_status multiple_of_mode(jd_binder *b, const jd_param *p, jd_node *node,
                                  jd_frequency *out) {
    static const jd_param times = {.key = "times",
                                   .kind = JD_KIND_REAL,
                                   .unit = "",
                                   .above = true,
                                   .doc = "multiple of the natural frequency"};
    static const jd_param mode = {.key = "mode",
                                  .kind = JD_KIND_INTEGER,
                                  .unit = "",
                                  .low = 1,
                                  .doc = "number of the mode, from 1"};
    JD_TRY(jd_bind_known_keys(b, node, p->key, 2, frequency_keys));
    jd_node *t = jd_node_get(node, "times"), *m = jd_node_get(node, "mode");
    if (!m)
        return jd_bind_refuse(b, node, JD_MISSING_KEY, "write {times: 1.1, mode: 1}",
                              "the key `mode` is missing in `%s`", p->key);
    *out = (jd_frequency){.times = 1};
    if (t) JD_TRY(jd_bind_number(b, "times", "", t, 0, &out->times));
    if (t) JD_TRY(check_range(b, &times, t, out->times));
    return jd_bind_whole(b, &mode, m, &out->mode);
}

jd_status jd_bind_frequency(jd_binder *b, const jd_param *p, jd_node *node, jd_frequency *out) {
    node->wanted = p->unit;
    if (node->kind == JD_NODE_MAP) return multiple_of_mode(b, p, node, out);
    *out = (jd_frequency){0};
    JD_TRY(jd_bind_number(b, p->key, p->unit, node, 0, &out->value));
    return check_range(b, p, node, out->value);
}

jd_status jd_bind_duration(jd_binder *b, const jd_param *p, jd_node *node, jd_duration *out) {
    jd_number number;
    *out = (jd_duration){0};
    JD_TRY(jd_number_split(b->arena, node, expected(b, p->key, "s"), &number));
    out->periods = period_word(number.unit);
    static const char *const word[] = {"periods"};
    jd_status status = JD_OK;
    if (out->periods)
        out->value = number.value;
    else
        status = jd_bind_number(b, p->key, p->unit, node, 0, &out->value);
    if (status == JD_WRONG_UNIT && jd_nearest(number.unit, 1, word)) {
        jd_context_clear_error(b->context);
        return jd_bind_refuse(b, node, status, "did you mean `periods`, those of the drive?",
                              "`%s` is %s: the unit %s is not known; expected s or periods", p->key,
                              jd_quote(b->arena, node->text), jd_quote(b->arena, number.unit));
    }
    return status == JD_OK ? check_range(b, p, node, out->value) : status;
}

// A number that may be left out may also be called `auto`.
jd_status jd_bind_real(jd_binder *b, const jd_param *p, jd_node *node, double *out) {
    if (isnan(p->preset) && node->kind == JD_NODE_SCALAR && !node->quoted &&
        !strcmp(node->text, "auto"))
        return *out = p->preset, JD_OK;
    jd_status status = jd_bind_number(b, p->key, p->unit, node, 0, out);
    if (status == JD_OK) return check_range(b, p, node, *out);
    jd_fail_hint(b->context, "`%s`: %s", p->key, p->doc);
    return status;
}

jd_status jd_bind_check_units(jd_binder *b) {
    if (!b->bare || !b->united) return JD_OK;
    bool bare_is_odd = b->n_bare <= b->n_united;
    const jd_node *odd = bare_is_odd ? b->bare : b->united;
    const jd_node *other = bare_is_odd ? b->united : b->bare;
    jd_fail(b->context, JD_MIXED_UNITS, "`%s` is %s, %s a unit, but %s at %s has %s",
            odd->key ? odd->key : "a number", jd_quote(b->arena, odd->text),
            bare_is_odd ? "without" : "with", jd_quote(b->arena, other->text),
            jd_node_place(b->arena, other), bare_is_odd ? "one" : "none");
    jd_fail_at(b->context, odd);
    jd_fail_hint(b->context, "give every number its unit%s, or none at all",
                 bare_is_odd && odd->wanted && *odd->wanted
                     ? jd_arena_format(b->arena, " (here %s)", jd_unit_words(b->arena, odd->wanted))
                     : "");
    return JD_MIXED_UNITS;
}

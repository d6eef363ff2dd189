// param.c -- parameter tables: defaults, lookup, and one wording for ranges.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/param_tools.h"

static void default_member(const jd_param *p, void *def) {
    switch (p->kind) {
    case JD_KIND_REAL:
        *JD_MEMBER(double, def, p) = p->preset;
        for (const jd_param *q = p->types ? p->types[0]->params : NULL; q && q->key; q++)
            if (q->offset != p->offset) default_member(q, def);
        break;
    case JD_KIND_INTEGER:
    case JD_KIND_CHOICE:
    case JD_KIND_COUNT:
        *JD_MEMBER(int, def, p) = (int)p->preset;
        break;
    case JD_KIND_BOOLEAN:
        *JD_MEMBER(bool, def, p) = p->preset != 0;
        break;
    case JD_KIND_TEXT:
    case JD_KIND_FILE:
        *JD_MEMBER(const char *, def, p) = p->preset_text;
        break;
    case JD_KIND_FREQUENCY:
        *JD_MEMBER(jd_frequency, def, p) = (jd_frequency){p->preset, 0, 0};
        break;
    case JD_KIND_DURATION:
        *JD_MEMBER(jd_duration, def, p) = (jd_duration){p->preset, false};
        break;
    case JD_KIND_OBJECT:
        *JD_MEMBER(jd_object, def, p) =
            (jd_object){"", p->preset_text ? jd_type_find(p->types, p->preset_text) : NULL, NULL};
        break;
    case JD_KIND_GROUP:
        jd_type_defaults(p->types[0], JD_MEMBER(char, def, p));
        break;
    case JD_KIND_REALS:
    case JD_KIND_TEXTS:
    case JD_KIND_POINTS:
    case JD_KIND_SHAPES:
    case JD_KIND_FORMULAS:
    case JD_KIND_DRAWS:
    case JD_KIND_PLACE:
    case JD_KIND_COUNTER:
    case JD_KIND_MATRIX:
        break; // all zero: empty lists, no place, ground, no matrix
    }
}

void jd_type_defaults(const jd_type *type, void *def) {
    memset(def, 0, type->def_size);
    for (const jd_param *p = type->params; p->key; p++) default_member(p, def);
}

// Whole numbers have no NaN; their 0 is outside the range wherever one is required.
static void leave_open(const jd_param *p, void *def) {
    if (p->kind == JD_KIND_REAL) *JD_MEMBER(double, def, p) = (double)NAN;
    if (p->kind == JD_KIND_FREQUENCY) JD_MEMBER(jd_frequency, def, p)->value = (double)NAN;
    if (p->kind == JD_KIND_DURATION) JD_MEMBER(jd_duration, def, p)->value = (double)NAN;
}

void jd_type_open(const jd_type *type, void *def) {
    jd_type_defaults(type, def);
    for (const jd_param *p = type->params; p->key; p++)
        if (p->required) leave_open(p, def);
}

const jd_param *jd_type_param(const jd_type *type, const char *key) {
    for (const jd_param *p = type->params; p->key; p++)
        if (!strcmp(p->key, key)) return p;
    return NULL;
}

const jd_type *jd_type_find(const jd_type *const *types, const char *name) {
    for (; *types; types++)
        if (!strcmp((*types)->name, name)) return *types;
    return NULL;
}

bool jd_place_given(const jd_place *place) {
    return place->point || place->points || place->from != 0 || place->to != 0;
}

bool jd_place_is_span(const jd_place *place) {
    return !place->point && !place->points && jd_place_given(place);
}

static bool is_whole(const jd_param *p) {
    return p->kind == JD_KIND_INTEGER || p->kind == JD_KIND_COUNT;
}

static bool has_low(const jd_param *p) {
    return (p->low != 0 || p->high != 0 || p->above) && p->low > -1e300;
}

// A range up to 1e300 or beyond means: no end.
static bool has_high(const jd_param *p) { return p->high > p->low && p->high < 1e300; }

static double lowest(const jd_param *p) { // counts start at 1 whatever the table says
    return p->kind == JD_KIND_COUNT && !(has_low(p) && p->low >= 1) ? 1 : p->low;
}

// Products, squares and quotients of a few numbers stay numbers when each is of such a size.
static const double largest = 1e60, smallest = 1e-60;

static bool is_sized(double value) {
    return value == 0 || (fabs(value) <= largest && fabs(value) >= smallest);
}

bool jd_param_allows(const jd_param *p, double value) {
    if (!isfinite(value) || !is_sized(value)) return false;
    if (is_whole(p) && (value != floor(value) || fabs(value) > INT_MAX)) return false;
    double low = lowest(p);
    if ((has_low(p) || p->kind == JD_KIND_COUNT) && (value < low || (p->above && value == low)))
        return false;
    return !has_high(p) || value <= p->high;
}

const char *jd_param_rule(const jd_param *p, char *text, size_t size) {
    const char *noun = is_whole(p) ? "a whole number" : "";
    const char *space = is_whole(p) ? " " : "";
    double low = lowest(p);
    bool from = has_low(p) || p->kind == JD_KIND_COUNT;
    if (!from && !has_high(p))
        snprintf(text, size, "%s", is_whole(p) ? noun : "a finite number");
    else if (!from)
        snprintf(text, size, "%s%s%s %.10g", noun, space, is_whole(p) ? "of at most" : "at most",
                 p->high);
    else if (has_high(p) && p->above)
        snprintf(text, size, "%s%sabove %.10g and at most %.10g", noun, space, low, p->high);
    else if (has_high(p))
        snprintf(text, size, "%s%sbetween %.10g and %.10g", noun, space, low, p->high);
    else if (p->above)
        snprintf(text, size, "%s%sabove %.10g", noun, space, low);
    else
        snprintf(text, size, "%s%s%s %.10g", noun, space, is_whole(p) ? "of at least" : "at least",
                 low);
    return text;
}

jd_status jd_param_check(jd_context *context, const jd_param *p, const char *what, double value) {
    if (jd_param_allows(p, value)) return JD_OK;
    if (isfinite(value) && !is_sized(value))
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`%s` is %.10g, but numbers other than 0 are %g to %g in size", what, value,
                       smallest, largest);
    char rule[120];
    return jd_fail(context, JD_OUT_OF_RANGE, "`%s` is %.10g, but must be %s", what, value,
                   jd_param_rule(p, rule, sizeof rule));
}

// compare.c -- how far two results are apart.
//   An array x against y: max_i |x_i - y_i| / max_i max(|x_i|, |y_i|), so that zeros of an
//   oscillation do not count as large relative errors; displacements, velocities and forces of
//   points by the largest of their kind, for the same reason. Whole numbers and texts must be
//   equal. Of two engines only what both know of the motion is compared.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/file/document.h"

enum { NO_QUANTITY = -1, QUANTITIES = 3 };
static const char *const quantities[QUANTITIES] = {"displacement", "velocity", "force"};

typedef struct comparison {
    double tolerance, largest;
    double size[QUANTITIES]; // the largest of each kind in both results
    bool engines;            // they are of different engines
    long numbers;
    json_t *differences;
} comparison;

// Of one array or one value.
typedef struct distance {
    double apart, size; // largest |x - y|, largest |x|, |y|
    long index, at;     // of the value looked at; of the largest difference
    long unequal;       // texts, whole numbers, nulls that differ
    bool shapes;        // sizes or kinds differ
    bool engines;       // what one of them does not know (null) does not count
} distance;

// Where a result comes from, what was drawn of it, and measures of rounding: they say nothing about
// the motion.
static const char *const aside[] = {"command",     "model",    "judder_version", "judder_format",
                                    "cpu_seconds", "residual", "shown",          NULL};

// What belongs to the engine and not to the motion.
static const char *const of_engine[] = {"engine", "certificate", "certified", "grid", "work", NULL};

static bool among(const char *const *list, const char *key) {
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], key) == 0) return true;
    return false;
}

static bool is_aside(const comparison *c, const char *key) {
    return among(aside, key) || (c->engines && among(of_engine, key));
}

static int quantity_of(const char *key, int above) {
    for (int i = 0; i < QUANTITIES; i++)
        if (strcmp(quantities[i], key) == 0) return i;
    return above;
}

// Takes the sizes of all numbers below the keys of quantities.
static void take_sizes(comparison *c, const json_t *value, int quantity) {
    const char *key;
    json_t *below;
    if (json_is_number(value) && quantity != NO_QUANTITY)
        c->size[quantity] = fmax(c->size[quantity], fabs(json_number_value(value)));
    json_object_foreach((json_t *)value, key, below)
        take_sizes(c, below, quantity_of(key, quantity));
}

static void add(comparison *c, const char *path, const char *what, double relative, long place) {
    json_t *one = json_object();
    json_object_set_new(one, "path", jd_json_text(path[0] ? path + 1 : path));
    json_object_set_new(one, "what", json_string(what));
    json_object_set_new(one, "relative", jd_json_real(relative));
    json_object_set_new(one, "place", place < 0 ? json_null() : json_integer(place));
    json_array_append_new(c->differences, one);
}

static void measure_value(distance *d, const json_t *a, const json_t *b) {
    long at = d->index++;
    bool both = json_is_number(a) && json_is_number(b);
    bool whole = json_is_integer(a) && json_is_integer(b);
    if (d->engines && json_is_null(a) != json_is_null(b)) return;
    if (!both || whole) {
        if (!json_equal(a, b) && d->unequal++ == 0) d->at = at;
        return;
    }
    double x = json_number_value(a), y = json_number_value(b);
    d->size = fmax(d->size, fmax(fabs(x), fabs(y)));
    if (fabs(x - y) <= d->apart) return;
    d->apart = fabs(x - y);
    d->at = at;
}

static void measure(distance *d, const json_t *a, const json_t *b) {
    if (!json_is_array(a) && !json_is_array(b)) {
        measure_value(d, a, b);
        return;
    }
    d->shapes = d->shapes || json_array_size(a) != json_array_size(b);
    size_t n = json_array_size(a) < json_array_size(b) ? json_array_size(a) : json_array_size(b);
    for (size_t i = 0; i < n; i++) measure(d, json_array_get(a, i), json_array_get(b, i));
}

static void compare_leaf(comparison *c, const char *path, const json_t *a, const json_t *b,
                         int quantity) {
    distance d = {
        .at = -1, .size = quantity == NO_QUANTITY ? 0 : c->size[quantity], .engines = c->engines};
    measure(&d, a, b);
    c->numbers += d.index;
    double relative = d.apart > 0 ? d.apart / d.size : 0;
    c->largest = fmax(c->largest, relative);
    if (d.shapes) add(c, path, "size", (double)NAN, -1);
    if (d.unequal) add(c, path, "unequal", (double)NAN, d.at);
    if (relative > c->tolerance) add(c, path, "value", relative, d.at);
}

static void compare_objects(comparison *c, const char *path, const json_t *a, const json_t *b,
                            int quantity) {
    const char *key;
    json_t *value;
    char below[1024];
    json_object_foreach((json_t *)a, key, value) {
        json_t *other = json_object_get(b, key);
        if (is_aside(c, key) || (!other && c->engines)) continue;
        if (snprintf(below, sizeof below, "%s/%s", path, key) >= (int)sizeof below) continue;
        if (!other)
            add(c, below, "only in the first", (double)NAN, -1);
        else if (json_is_object(value) && json_is_object(other))
            compare_objects(c, below, value, other, quantity_of(key, quantity));
        else if (json_is_object(value) || json_is_object(other))
            add(c, below, "size", (double)NAN, -1);
        else
            compare_leaf(c, below, value, other, quantity_of(key, quantity));
    }
    json_object_foreach((json_t *)b, key, value) {
        if (json_object_get(a, key) || is_aside(c, key) || c->engines) continue;
        if (snprintf(below, sizeof below, "%s/%s", path, key) < (int)sizeof below)
            add(c, below, "only in the second", (double)NAN, -1);
    }
}

// What has no measure first, then by falling size.
static int worse(const void *a, const void *b) {
    const json_t *x = json_object_get(*(json_t *const *)a, "relative");
    const json_t *y = json_object_get(*(json_t *const *)b, "relative");
    double u = json_is_number(x) ? json_number_value(x) : HUGE_VAL;
    double v = json_is_number(y) ? json_number_value(y) : HUGE_VAL;
    return u > v ? -1 : u < v ? 1 : 0;
}

static json_t *sorted(json_t *list) {
    size_t n = json_array_size(list);
    json_t **item = malloc((n ? n : 1) * sizeof *item), *out = json_array();
    if (!item) return json_incref(list);
    for (size_t i = 0; i < n; i++) item[i] = json_array_get(list, i);
    qsort(item, n, sizeof *item, worse);
    for (size_t i = 0; i < n; i++) json_array_append(out, item[i]);
    free(item);
    return out;
}

json_t *jd_document_compare(const json_t *a, const json_t *b, double tolerance) {
    comparison c = {.tolerance = tolerance, .differences = json_array()};
    const json_t *engine = json_object_get(a, "engine"), *other = json_object_get(b, "engine");
    c.engines = engine && other && !json_equal(engine, other);
    take_sizes(&c, a, NO_QUANTITY);
    take_sizes(&c, b, NO_QUANTITY);
    compare_objects(&c, "", a, b, NO_QUANTITY);
    json_t *out = json_object();
    json_object_set_new(out, "kind", json_string("comparison"));
    json_object_set_new(out, "same", json_boolean(json_array_size(c.differences) == 0));
    json_object_set_new(out, "tolerance", jd_json_real(tolerance));
    json_object_set_new(out, "numbers", json_integer(c.numbers));
    json_object_set_new(out, "largest", jd_json_real(c.largest));
    json_object_set_new(out, "differences", sorted(c.differences));
    json_decref(c.differences);
    return out;
}

// read.c -- numbers and words of a document read back from a result file.
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "picture/of_file.h"

enum { MOST = 50000000 }; // numbers of a result file that is read

static double value_of(const json_t *x) {
    if (json_is_boolean(x)) return json_is_true(x);
    return json_is_number(x) ? json_number_value(x) : (double)NAN;
}

static int count(const json_t *x) {
    if (!json_is_array(x)) return 1;
    int n = 0;
    for (size_t i = 0; i < json_array_size(x); i++) n += count(json_array_get(x, i));
    return n;
}

static double *fill(const json_t *x, double *out) {
    if (!json_is_array(x)) {
        *out = value_of(x);
        return out + 1;
    }
    for (size_t i = 0; i < json_array_size(x); i++) out = fill(json_array_get(x, i), out);
    return out;
}

jd_status jd_read_reals(jd_arena *arena, const json_t *object, const char *key, int *n,
                        double **out) {
    const json_t *list = json_object_get(object, key);
    int there = list ? count(list) : 0;
    if (!list || (*n >= 0 && there != *n))
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                       "the file holds %d numbers as `%s`, %s%d", there, key,
                       *n < 0 ? "at least " : "not ", *n < 0 ? 1 : *n);
    *n = there;
    *out = JD_TAKE(arena, double, there);
    if (*out) fill(list, *out);
    return jd_arena_status(arena);
}

int jd_read_whole(double value) {
    if (isnan(value)) return 0;
    return value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int)value;
}

jd_status jd_read_size(jd_arena *arena, int a, int b, int *out) {
    long long size = (long long)a * b;
    *out = 0;
    if (a < 0 || b < 0 || size > MOST)
        return jd_fail(jd_arena_context(arena), JD_BAD_RESULT_FILE,
                       "the file says it holds %d times %d numbers", a, b);
    *out = (int)size;
    return JD_OK;
}

const json_t *jd_read_member(const json_t *list, int i) {
    char key[16];
    snprintf(key, sizeof key, "%d", i);
    return json_is_array(list) ? json_array_get(list, (size_t)i) : json_object_get(list, key);
}

double jd_read_real(const json_t *object, const char *key) {
    return value_of(json_object_get(object, key));
}

const char *jd_read_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

const char *jd_read_word(const json_t *object, const char *key, int i) {
    const char *text = json_string_value(json_array_get(json_object_get(object, key), (size_t)i));
    return text ? text : "";
}

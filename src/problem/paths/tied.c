// tied.c -- several numbers that change together, under one path:
//   "contacts.a.against.velocity & 2*contacts.b.against.velocity" is x: a = x, b = 2 x.
//   All of them have one unit, that of x. A path like this is taken wherever one number is varied.
#include "problem/paths/tied.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char between[] = " & ";

bool jd_tied_is(const char *path) { return strchr(path, '&') || strchr(path, '*'); }

bool jd_tied_part(const char *path, int i, jd_tied *out) {
    for (; i > 0; i--) {
        path = strchr(path, '&');
        if (!path) return false;
        path++;
    }
    path += strspn(path, " ");
    size_t n = strcspn(path, "&");
    while (n > 0 && path[n - 1] == ' ') n--;
    const char *star = memchr(path, '*', n);
    out->factor = 1;
    if (star) {
        char *end;
        out->factor = strtod(path, &end);
        end += strspn(end, " ");
        if (end != star) return false;
        n -= (size_t)(star + 1 - path);
        path = star + 1;
        for (; n > 0 && *path == ' '; n--) path++;
    }
    snprintf(out->path, sizeof out->path, "%.*s", (int)n, path);
    return n > 0 && n < sizeof out->path;
}

static jd_status refuse(const jd_problem *p, const char *path, jd_status status, const char *why,
                        const char *hint) {
    jd_fail(p->context, status, "the numbers tied in `%s` %s", path, why);
    jd_fail_where(p->context, "%s", path);
    jd_fail_hint(p->context, "%s", hint);
    return status;
}

static int count(const char *path) {
    int n = 1;
    for (const char *c = path; *c; c++) n += *c == '&';
    return n;
}

jd_status jd_tied_check(const jd_problem *p, const char *path) {
    char unit[64] = "", other[64];
    jd_tied part, before;
    int n = count(path);
    if (n > JD_MOST_TIED)
        return refuse(p, path, JD_SIZE_MISMATCH, "are too many", "tie 16 numbers at most");
    for (int i = 0; i < n; i++) {
        double value;
        if (!jd_tied_part(path, i, &part) || part.factor == 0 || !isfinite(part.factor))
            return refuse(p, path, JD_OUT_OF_RANGE, "need a path each, and a factor that is not 0",
                          "write contacts.a.law.limit & 2*contacts.b.law.limit");
        JD_TRY(jd_problem_get(p, part.path, &value));
        for (int k = 0; k < i; k++)
            if (jd_tied_part(path, k, &before) && !strcmp(before.path, part.path))
                return refuse(p, path, JD_DUPLICATE_NAME, "are not all different",
                              "name each number once");
        jd_problem_unit(p, part.path, sizeof other, other);
        if (i == 0) memcpy(unit, other, sizeof unit);
        if (strcmp(unit, other) != 0)
            return refuse(p, path, JD_WRONG_UNIT, "have different units",
                          "tie numbers of one unit");
    }
    return JD_OK;
}

jd_status jd_tied_get(const jd_problem *p, const char *path, double *value) {
    jd_tied part;
    JD_TRY(jd_tied_check(p, path));
    jd_tied_part(path, 0, &part);
    JD_TRY(jd_problem_get(p, part.path, value));
    *value /= part.factor;
    return JD_OK;
}

// Those set before a failure are set back.
jd_status jd_tied_set(jd_problem *p, const char *path, double value, jd_rebuild *rebuild) {
    double old[JD_MOST_TIED];
    jd_rebuild most = JD_REBUILD_NOTHING, one;
    jd_tied part;
    JD_TRY(jd_tied_check(p, path));
    for (int i = 0; jd_tied_part(path, i, &part); i++) {
        jd_status s = jd_problem_get(p, part.path, &old[i]);
        if (s == JD_OK) s = jd_problem_set(p, part.path, part.factor * value, &one);
        if (s == JD_OK && one > most) most = one;
        if (s == JD_OK) continue;
        while (--i >= 0)
            if (jd_tied_part(path, i, &part) && isfinite(old[i]))
                jd_problem_set(p, part.path, old[i], NULL);
        return s;
    }
    if (rebuild) *rebuild = most;
    return JD_OK;
}

const char *jd_problem_tie(jd_arena *arena, const jd_shapes *numbers) {
    const char *text = "";
    for (int i = 0; i < numbers->n && text; i++) {
        const jd_shape *s = &numbers->shape[i];
        double factor = s->value.n > 0 ? s->value.value[0] : 0;
        const char *first = i ? between : "";
        text = factor == 1 ? jd_arena_format(arena, "%s%s%s", text, first, s->name)
                           : jd_arena_format(arena, "%s%s%.15g*%s", text, first, factor, s->name);
    }
    return text;
}

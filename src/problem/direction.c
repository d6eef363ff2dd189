// direction.c -- a direction as a vector: "0.6 tip_x + 0.8 tip_y", a sum of named points of one
// body, scaled to length 1; one name alone is that point.
//   u = sum_i d_i u_i/|d|:  displacement along d of a node whose dofs are the points
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem/parts.h"

enum { NAME_SIZE = 256 };

static jd_status refuse(const jd_problem *p, jd_status status, const char *text, const char *why) {
    jd_fail(p->context, status, "the direction `%s` %s", text, why);
    jd_fail_hint(p->context, "write components of points of one node, {tip_x: 0.6, tip_y: 0.8}");
    return status;
}

// The next term "0.6 name"; false: there is none such.
static bool next_term(const char **text, double *weight, char *name) {
    char *end;
    *weight = strtod(*text, &end);
    if (end == *text || *end != ' ') return false;
    size_t n = strcspn(end + 1, " ");
    if (n == 0 || n >= NAME_SIZE) return false;
    memcpy(name, end + 1, n);
    name[n] = '\0';
    *text = end + 1 + n;
    if (!strncmp(*text, " + ", 3)) *text += 3;
    return true;
}

static jd_status add_term(const jd_problem *p, const char *body, const char *text, double weight,
                          const char *name, jd_direction *out) {
    int found, point;
    JD_TRY(jd_problem_find_point(p, body, name, &found, &point));
    if (out->n > 0 && found != out->body)
        return refuse(p, JD_WRONG_TYPE, text, "has components of different bodies");
    bool turns = jd_problem_turns(p, &(jd_place){.body = body, .point = name});
    if (out->n > 0 && turns != out->turns)
        return refuse(p, JD_WRONG_UNIT, text, "adds a rotation to a displacement");
    out->body = found;
    out->turns = turns;
    out->point[out->n] = point;
    out->weight[out->n++] = weight;
    return JD_OK;
}

jd_status jd_problem_find_direction(const jd_problem *p, const char *body, const char *text,
                                    jd_direction *out) {
    *out = (jd_direction){0};
    if (!strchr(text, ' ')) return add_term(p, body, text, 1, text, out);
    const char *at = text;
    char name[NAME_SIZE];
    double weight, size = 0;
    while (*at) {
        if (out->n == JD_MOST_COMPONENTS)
            return refuse(p, JD_OUT_OF_RANGE, text, "has more than six components");
        if (!next_term(&at, &weight, name))
            return refuse(p, JD_WRONG_TYPE, text, "is no sum of points");
        if (weight != 0) JD_TRY(add_term(p, body, text, weight, name, out));
        size = hypot(size, weight);
    }
    if (!(size > 0) || !isfinite(size))
        return refuse(p, JD_OUT_OF_RANGE, text, "has no length: its components are 0");
    for (int i = 0; i < out->n; i++) out->weight[i] /= size;
    return JD_OK;
}

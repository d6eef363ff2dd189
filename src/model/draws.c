// draws.c -- numbers that are drawn at random: paths, each with one distribution.
//   {contacts.tip.law.limit: {uniform: [0.2 N, 1 N]}, ...: {normal: [mean, deviation]}, ...:
//   {lognormal: [median, deviation of the logarithm]}}
#include <string.h>

#include "model/bind.h"

static const char *const names[] = {
    [JD_UNIFORM] = "uniform", [JD_NORMAL] = "normal", [JD_LOGNORMAL] = "lognormal"};
enum { NAMES = sizeof names / sizeof *names };

static jd_status wrong(jd_binder *b, const jd_node *node) {
    return jd_bind_wrong_type(
        b, node, node->key,
        "one of {uniform: [from, to]}, {normal: [mean, deviation]}, {lognormal: [median, deviation "
        "of the logarithm]}");
}

static jd_status bind_draw(jd_binder *b, jd_node *node, jd_draw *out) {
    if (node->kind != JD_NODE_MAP || node->n != 1) return wrong(b, node);
    JD_TRY(jd_bind_known_keys(b, node, node->key, NAMES, names));
    jd_node *list = node->first;
    if (list->kind != JD_NODE_LIST || list->n != 2) return wrong(b, node);
    while (strcmp(list->key, names[out->distribution]) != 0) out->distribution++;
    out->path = node->key;
    const char *second = out->distribution == JD_LOGNORMAL ? "" : "*";
    JD_TRY(jd_bind_number(b, node->key, "*", list->first, 0, &out->a));
    return jd_bind_number(b, node->key, second, list->last, 0, &out->b);
}

jd_status jd_bind_draws(jd_binder *b, const char *key, const jd_node *node, jd_draws *out) {
    if (node->kind != JD_NODE_MAP)
        return jd_bind_wrong_type(b, node, key,
                                  "paths with distributions, {contacts.tip.law.limit: {uniform: "
                                  "[0.2, 1]}},");
    jd_draw *list = JD_TAKE(b->arena, jd_draw, node->n);
    if (!list) return jd_arena_status(b->arena);
    const jd_node *followed = b->followed;
    int n = 0;
    for (jd_node *c = node->first; c; c = c->next, n++) {
        const jd_node name = {.kind = JD_NODE_SCALAR, .text = c->key};
        b->followed = &name; // whose unit "*" stands for
        jd_status status = bind_draw(b, c, &list[n]);
        b->followed = followed;
        JD_TRY(status);
    }
    *out = (jd_draws){n, list};
    return JD_OK;
}

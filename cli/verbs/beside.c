// beside.c -- branches of the same model with changes, to be shown beside its own: --beside
// 'NAME: PATH=VALUE; PATH=VALUE'.
#include <ctype.h>
#include <string.h>

#include "beside.h"

enum { CHANGES = 16 };

static jd_status wrong(call *c, const char *text) {
    jd_fail(c->context, JD_BAD_USAGE, "--beside `%s` is not NAME: PATH=VALUE; PATH=VALUE ...",
            text);
    jd_fail_hint(c->context, "for example --beside 'two: structure.modes=2'");
    return JD_BAD_USAGE;
}

// Without blanks at either end.
static char *trimmed(char *text) {
    while (isspace((unsigned char)*text)) text++;
    for (size_t n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = 0;
    return text;
}

// The name and the changes after those of --set; set: room for all.
static jd_status split(call *c, const char *text, const char **name, const char **set, int *n) {
    char *own = jd_arena_text(c->arena, text), *colon = own ? strchr(own, ':') : NULL;
    if (!own) return out_of_memory(c);
    if (!colon) return wrong(c, text);
    *colon = 0;
    *name = trimmed(own);
    for (*n = 0; *n < c->set.n; ++*n) set[*n] = c->set.text[*n];
    for (char *next = colon + 1; next;) {
        char *change = next, *end = strchr(next, ';');
        next = end ? end + 1 : NULL;
        if (end) *end = 0;
        change = trimmed(change);
        if (!strchr(change, '=') || *n == c->set.n + CHANGES) return wrong(c, text);
        set[(*n)++] = change;
    }
    return (*name)[0] ? JD_OK : wrong(c, text);
}

static jd_status add(call *c, besides *b, const char *text) {
    const char **set = JD_TAKE(c->arena, const char *, c->set.n + CHANGES);
    beside *own = &b->own[b->n];
    int n = 0;
    if (!set) return out_of_memory(c);
    JD_TRY(split(c, text, &b->shown[b->n].name, set, &n));
    for (int i = 0; i < b->n; i++)
        if (strcmp(b->shown[i].name, b->shown[b->n].name) == 0)
            return jd_fail(c->context, JD_BAD_USAGE, "--beside: there are two branches `%s`",
                           b->shown[i].name);
    b->n++;
    JD_TRY(jd_model_read(c->context, c->argument[0], n, set, &own->problem));
    JD_TRY(jd_problem_build(own->problem));
    JD_TRY(jd_follow_create(c->context, own->problem, NULL, &own->follow));
    b->shown[b->n - 1].view = jd_follow_look(own->follow);
    return JD_OK;
}

jd_status besides_follow(call *c, const option_list *asked, besides *out) {
    *out = (besides){0};
    out->own = JD_TAKE(c->arena, beside, asked->n);
    out->shown = JD_TAKE(c->arena, jd_beside, asked->n);
    if (!out->own || !out->shown) return out_of_memory(c);
    for (int i = 0; i < asked->n; i++) JD_TRY(add(c, out, asked->text[i]));
    return JD_OK;
}

void besides_free(besides *b) {
    for (int i = 0; i < b->n; i++) {
        jd_follow_free(b->own[i].follow);
        jd_problem_free(b->own[i].problem);
    }
}

// engine_keys.c -- keys of `simulate` that belong to another engine than the file names are
// refused.
//   `engine: auto` passes over keys of engines it does not take, and so does an engine named by
//   --set: one model, computed by several engines.
#include <stdio.h>
#include <string.h>

#include "judder/run.h"
#include "model/bind.h"

static bool has(const jd_engine_info *engine, const char *key) {
    for (const jd_param *p = engine->params; p && p->key; p++)
        if (!strcmp(p->key, key)) return true;
    return false;
}

static const jd_engine_info *find(const char *name) {
    for (int i = 0; i < jd_engine_count(); i++)
        if (!strcmp(jd_engine(i)->name, name)) return jd_engine(i);
    return NULL;
}

// The engines that a key belongs to: "memory or closure"; "": all of them.
static void list_owners(const char *key, char *text, size_t room) {
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < jd_engine_count() && n < room; i++)
        if (has(jd_engine(i), key))
            n += (size_t)snprintf(text + n, room - n, "%s%s", n ? " or " : "", jd_engine(i)->name);
}

static jd_status unknown_engine(jd_binder *b, const jd_node *name) {
    int n = jd_engine_count();
    const char **known = JD_TAKE(b->arena, const char *, n + 1);
    if (!known) return jd_arena_status(b->arena);
    for (int i = 0; i < n; i++) known[i] = jd_engine(i)->name;
    known[n] = "auto";
    const char *near = jd_nearest(name->text, n + 1, known);
    const char *hint = near ? jd_arena_format(b->arena, "did you mean `%s`?", near)
                            : "`judder list engines` shows those there are";
    return jd_bind_refuse(b, name, JD_UNKNOWN_NAME, hint, "there is no engine %s",
                          jd_quote(b->arena, name->text));
}

jd_status jd_bind_engine_keys(jd_binder *b, const jd_node *simulate) {
    const jd_node *name = jd_node_get(simulate, "engine");
    if (name && name->text && strcmp(name->text, "auto") != 0 && !find(name->text))
        return unknown_engine(b, name);
    const jd_engine_info *engine = name && name->text && !name->is_set ? find(name->text) : NULL;
    if (!engine) return JD_OK;
    for (const jd_node *c = simulate->first; c; c = c->next) {
        char owners[100];
        list_owners(c->key, owners, sizeof owners);
        if (!owners[0] || has(engine, c->key)) continue;
        const char *hint = jd_arena_format(
            b->arena, "it is a key of the engine %s: leave it out, or take that engine", owners);
        return jd_bind_refuse(b, c, JD_UNKNOWN_KEY, hint, "engine `%s` has no key `%s`",
                              engine->name, c->key);
    }
    return JD_OK;
}

// paths.c -- numbers of a problem by path: get, set with range check and rebuild rule, list.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/paths/slots.h"
#include "problem/paths/tied.h"

static bool keep_slot(void *user, const char *path, const jd_slot *slot) {
    (void)path;
    *(jd_slot *)user = *slot;
    return false;
}

typedef struct neighbour {
    const char *wanted;
    char best[JD_PATH_SIZE];
} neighbour;

// Keeps the nearer of the best so far and this path.
static bool compare_path(void *user, const char *path, const jd_slot *slot) {
    (void)slot;
    neighbour *n = user;
    const char *candidates[2] = {n->best, path};
    bool first = !n->best[0];
    const char *near = jd_nearest(n->wanted, first ? 1 : 2, candidates + first);
    if (near == path) snprintf(n->best, sizeof n->best, "%s", path);
    return true;
}

// A path that ends in the last word asked for: `tip.law.limit` for `contacts.tip.law.limit`.
static bool compare_end(void *user, const char *path, const jd_slot *slot) {
    (void)slot;
    neighbour *n = user;
    size_t long_one = strlen(path), short_one = strlen(n->wanted);
    if (long_one <= short_one || strcmp(path + long_one - short_one, n->wanted)) return true;
    if (path[long_one - short_one - 1] != '.') return true;
    snprintf(n->best, sizeof n->best, "%s", path);
    return false;
}

static jd_status unknown_path(const jd_problem *p, const char *path) {
    neighbour n = {.wanted = path};
    jd_problem_walk(p, NULL, compare_end, &n);
    if (!n.best[0]) jd_problem_walk(p, NULL, compare_path, &n);
    jd_fail(p->context, JD_UNKNOWN_KEY, "the model has no number `%s`", path);
    jd_fail_where(p->context, "%s", path);
    if (n.best[0]) jd_fail_hint(p->context, "did you mean `%s`?", n.best);
    return JD_UNKNOWN_KEY;
}

static jd_status find(const jd_problem *p, const char *path, jd_slot *slot) {
    *slot = (jd_slot){0};
    jd_problem_walk(p, path, keep_slot, slot);
    if (!slot->at) return unknown_path(p, path);
    if (slot->kind != JD_SLOT_LIST) return JD_OK;
    const jd_reals *list = slot->at;
    jd_fail(p->context, JD_WRONG_TYPE, "`%s` is a list of %d numbers, not one", path, list->n);
    jd_fail_where(p->context, "%s", path);
    jd_fail_hint(p->context, "name one of them: `%s.1` to `%s.%d`", path, path, list->n);
    return JD_WRONG_TYPE;
}

static double frequency_of(const jd_problem *p, const jd_slot *slot) {
    const jd_frequency *f = slot->at;
    if (f->mode <= 0) return f->value;
    return p->current ? slot->part->omega : (double)NAN; // an old value would mislead
}

static double value_of(const jd_problem *p, const jd_slot *slot) {
    if (slot->kind == JD_SLOT_FREQUENCY) return frequency_of(p, slot);
    return slot->kind == JD_SLOT_REAL ? *(const double *)slot->at : *(const int *)slot->at;
}

jd_status jd_problem_get(const jd_problem *p, const char *path, double *value) {
    jd_slot slot;
    if (jd_tied_is(path)) return jd_tied_get(p, path, value);
    JD_TRY(find(p, path, &slot));
    *value = value_of(p, &slot);
    return JD_OK;
}

typedef struct reader {
    const jd_problem *problem;
    void (*visit)(void *user, const char *path, double value);
    void *user;
} reader;

static bool read_slot(void *user, const char *path, const jd_slot *slot) {
    const reader *r = user;
    r->visit(r->user, path, value_of(r->problem, slot));
    return true;
}

void jd_problem_numbers(const jd_problem *p, void (*visit)(void *, const char *, double),
                        void *user) {
    reader r = {p, visit, user};
    jd_problem_walk(p, NULL, read_slot, &r);
}

// The range of a number without a table entry of its own.
static jd_param plain_range(const jd_slot *slot) {
    if (slot->kind == JD_SLOT_MODE) return (jd_param){.kind = JD_KIND_COUNT, .low = 1};
    bool any = slot->above == -HUGE_VAL;
    return (jd_param){.kind = JD_KIND_REAL, .low = any ? 0 : slot->above, .above = !any};
}

static jd_status check_value(const jd_problem *p, const char *path, const jd_slot *slot,
                             double value) {
    jd_param plain = plain_range(slot);
    jd_status s = jd_param_check(p->context, slot->param ? slot->param : &plain, path, value);
    if (s != JD_OK) jd_fail_where(p->context, "%s", path);
    return s;
}

static void store(const jd_slot *slot, double value) {
    if (slot->kind == JD_SLOT_REAL)
        *(double *)slot->at = value;
    else if (slot->kind == JD_SLOT_FREQUENCY)
        *(jd_frequency *)slot->at = (jd_frequency){value, 0, 0};
    else
        *(int *)slot->at = (int)value;
}

typedef union backup {
    double real;
    int integer;
    jd_frequency frequency;
} backup;

static size_t slot_size(const jd_slot *slot) {
    if (slot->kind == JD_SLOT_REAL) return sizeof(double);
    return slot->kind == JD_SLOT_FREQUENCY ? sizeof(jd_frequency) : sizeof(int);
}

// What is out of date from now on; computed again by jd_problem_build.
static void mark(jd_problem *p, const jd_slot *slot) {
    if (slot->rebuild == JD_REBUILD_MODES) slot->part->stale = true;
    if (slot->rebuild >= JD_REBUILD_ROWS) jd_problem_forget_rows(p);
    p->current = false; // frequencies and the start are cheap to look at again
    if (slot->kind == JD_SLOT_FREQUENCY) jd_problem_forget_paths(p); // .times and .mode go
}

jd_status jd_problem_set(jd_problem *p, const char *path, double value, jd_rebuild *rebuild) {
    jd_slot slot;
    if (jd_tied_is(path)) return jd_tied_set(p, path, value, rebuild);
    JD_TRY(find(p, path, &slot));
    JD_TRY(check_value(p, path, &slot, value));
    backup old;
    memcpy(&old, slot.at, slot_size(&slot));
    store(&slot, value);
    jd_status s = jd_type_rules(p->context, slot.type, slot.def);
    if (s != JD_OK) {
        jd_fail_where(p->context, "%s", path);
        memcpy(slot.at, &old, slot_size(&slot));
        return s;
    }
    mark(p, &slot);
    if (rebuild) *rebuild = slot.rebuild;
    return JD_OK;
}

typedef struct listing {
    jd_problem *problem;
    int n;
    bool write;
} listing;

static bool list_path(void *user, const char *path, const jd_slot *slot) {
    (void)slot;
    listing *l = user;
    if (l->write) l->problem->path[l->n] = jd_arena_text(l->problem->path_arena, path);
    l->n++;
    return true;
}

static jd_status list_paths(jd_problem *p) {
    if (p->path_arena) return JD_OK;
    p->path_arena = jd_arena_create(p->context);
    if (!p->path_arena) return JD_OUT_OF_MEMORY;
    listing l = {.problem = p};
    jd_problem_walk(p, NULL, list_path, &l);
    p->n_path = l.n;
    p->path = JD_TAKE(p->path_arena, const char *, l.n);
    l = (listing){.problem = p, .write = true};
    if (p->path) jd_problem_walk(p, NULL, list_path, &l);
    if (jd_arena_status(p->path_arena) == JD_OK) return JD_OK;
    jd_problem_forget_paths(p);
    return JD_OUT_OF_MEMORY;
}

const char *jd_problem_path(jd_problem *p, int i) {
    if (list_paths(p) != JD_OK) return NULL;
    return i >= 0 && i < p->n_path ? p->path[i] : NULL;
}

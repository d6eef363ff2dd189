// merge.c -- shards of a sweep put together: the result of one run.
//   Every shard names the checksum of the whole sweep (model, grid, version); each of its points
//   has one place on the grid. The first shard becomes the result, the points of the others are
//   copied into it, so that only one of them is in memory beside it. In any order, of any numbers
//   of shards: what counts is that every place is filled once.
#include <stdio.h>
#include <string.h>

#include "judder/merge.h"
#include "result/sweep/content.h"

enum { NAMED = 12 }; // shards that a message lists

struct jd_merge {
    jd_context *context;
    jd_result *whole; // the first shard; NULL: none yet
    jd_arena *arena;  // its
    sweep_content *content;
    int n_part, room; // shards put in; names there is room for
    int of;           // number of shards where it is the same for all, else 0
    int n_sample;     // of the points so far; -1: there are none
    const char **name;
    jd_sweep_point *point; // by their place on the grid
    int *part;             // which shard each of them comes from, from 1; 0: missing
};

jd_status jd_merge_create(jd_context *context, jd_merge **out) {
    *out = jd_allocate(context, sizeof **out);
    if (!*out) return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory to merge");
    **out = (jd_merge){.context = context, .n_sample = -1};
    return JD_OK;
}

void jd_merge_free(jd_merge *m) {
    if (!m) return;
    jd_result_free(m->whole);
    jd_release(m->context, m);
}

static jd_status refuse(jd_merge *m, jd_status status, const char *name, const char *hint) {
    jd_fail_where(m->context, "%s", name);
    if (hint) jd_fail_hint(m->context, "%s", hint);
    return status;
}

// Is it a shard, computed by this version?
static jd_status check_shard(jd_merge *m, const jd_result *part, const char *name) {
    const sweep_content *c = part->content;
    const char *kind = jd_result_kind_name(part->head.kind);
    jd_status status = JD_BAD_RESULT_FILE;
    if (part->head.kind != JD_RESULT_SWEEP) {
        jd_fail(m->context, status, "`%s` is a result of kind `%s`, not a shard of a sweep", name,
                kind);
        return refuse(m, status, name, NULL);
    }
    if (c->view.shards < 1 || !c->identity || !c->identity[0]) {
        jd_fail(m->context, status, "`%s` is a whole sweep, not a shard of one", name);
        return refuse(m, status, name, "shards are computed by `judder sweep MODEL --shard K/N`");
    }
    if (strcmp(part->head.version, jd_version()) == 0) return JD_OK;
    jd_fail(m->context, JD_WRONG_VERSION, "`%s` was computed by version %s, but this is version %s",
            name, part->head.version, jd_version());
    return refuse(m, JD_WRONG_VERSION, name, "compute all shards and merge them by one version");
}

// The identity is but a text of the file: what points are looked up by has to be the same, too.
static bool is_same_grid(const jd_sweep_view *a, const jd_sweep_view *b) {
    return a->n_point == b->n_point && a->n_parameter == b->n_parameter &&
           a->count[0] == b->count[0] && a->count[1] == b->count[1] && a->starts == b->starts &&
           a->direction == b->direction && a->n_draw == b->n_draw && a->n_curve == b->n_curve &&
           a->n_class == b->n_class;
}

static jd_status check_same(jd_merge *m, const jd_result *part, const char *name) {
    const sweep_content *a = m->content, *b = part->content;
    bool samples = m->n_sample < 0 || b->n_row == 0 || m->n_sample == b->view.n_sample;
    if (strcmp(a->identity, b->identity) == 0 && is_same_grid(&a->view, &b->view) && samples)
        return JD_OK;
    bool model = strcmp(m->whole->head.model, part->head.model) != 0;
    jd_fail(m->context, JD_BAD_RESULT_FILE, "`%s` and `%s` are not shards of one sweep: %s", name,
            m->name[0], model ? "their models differ" : "values of their models differ");
    return refuse(m, JD_BAD_RESULT_FILE, name, "`judder info FILE` shows the command of each");
}

// The first shard: its arena gets room for all points. Its own may belong to the sweep it is of.
static jd_status begin(jd_merge *m, jd_result *part) {
    m->whole = part;
    m->arena = part->arena;
    m->content = part->content;
    int n = m->content->view.n_point;
    m->point = JD_TAKE(m->arena, jd_sweep_point, n);
    m->part = JD_TAKE(m->arena, int, n);
    m->of = m->content->view.shards;
    JD_TRY(jd_arena_status(m->arena));
    if (n > 0) memcpy(m->point, m->content->view.point, (size_t)n * sizeof *m->point);
    return JD_OK;
}

// Parameters of a point: "contacts.tip.law.limit = 0.5, ...".
static const char *words_of(const jd_merge *m, int i, char *text, size_t size) {
    const jd_sweep_view *v = &m->content->view;
    int along = i / v->starts % v->count[0], row = i / v->starts / v->count[0];
    bool down = v->direction == JD_SWEEP_DOWN || (v->direction == JD_SWEEP_BOTH && row % 2);
    int across = v->direction == JD_SWEEP_BOTH ? row / 2 : row;
    double first = v->values[0][down ? v->count[0] - 1 - along : along];
    int n = snprintf(text, size, "%s = %.10g", v->parameter[0], first);
    if (v->n_parameter > 1 && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ", %s = %.10g", v->parameter[1], v->values[1][across]);
    return text;
}

static jd_status doubled(jd_merge *m, const jd_sweep_view *v, int i, const char *name) {
    char point[300];
    jd_fail(m->context, JD_DUPLICATE_NAME, "`%s` (shard %d of %d) and `%s` both hold the point %s",
            name, v->shard, v->shards, m->name[m->part[i] - 1],
            words_of(m, i, point, sizeof point));
    return refuse(m, JD_DUPLICATE_NAME, name, "give every shard once");
}

// The numbers a point points to, in the arena of the whole.
static const double *kept(jd_arena *arena, const double *x, int n) {
    double *copy = x && n > 0 ? jd_arena_take(arena, (size_t)n, sizeof *copy) : NULL;
    if (copy) memcpy(copy, x, (size_t)n * sizeof *copy);
    return copy;
}

static jd_status take_points(jd_merge *m, const jd_sweep_view *v, const char *name, bool copy) {
    for (int i = 0; i < v->n_point; i++) {
        const jd_sweep_point *from = &v->point[i];
        if (!from->done) continue;
        m->n_sample = v->n_sample; // an empty shard does not tell
        if (m->part[i]) return doubled(m, v, i, name);
        m->part[i] = m->n_part + 1;
        if (!copy) continue;
        m->point[i] = *from;
        m->point[i].sample = kept(m->arena, from->sample, 2 * v->n_sample);
        m->point[i].beside = kept(m->arena, from->beside, v->n_curve);
    }
    return jd_arena_status(m->arena);
}

static jd_status note_name(jd_merge *m, const char *name) {
    if (m->n_part == m->room) {
        const char **more = JD_TAKE(m->arena, const char *, 2 * m->room + 8);
        JD_TRY(jd_arena_status(m->arena));
        if (m->n_part > 0) memcpy(more, m->name, (size_t)m->n_part * sizeof *more);
        m->name = more;
        m->room = 2 * m->room + 8;
    }
    m->name[m->n_part++] = jd_arena_text(m->arena, name);
    return jd_arena_status(m->arena);
}

jd_status jd_merge_add(jd_merge *m, jd_result *part, const char *name) {
    bool first = !m->whole;
    jd_status s = check_shard(m, part, name);
    if (s == JD_OK) s = first ? begin(m, part) : check_same(m, part, name);
    const jd_sweep_view *v = &((const sweep_content *)part->content)->view;
    if (s == JD_OK) s = take_points(m, v, name, !first);
    if (s == JD_OK) s = note_name(m, name);
    if (s == JD_OK && m->of != v->shards) m->of = 0;
    if (part != m->whole) jd_result_free(part);
    return s;
}

// Which shards the missing points are of, where all are of one number of shards: "3, 5, 9".
static void list_missing(const jd_merge *m, int line, char *text, size_t size) {
    const jd_sweep_view *v = &m->content->view;
    int shown = 0, n = 0;
    long step = (long)m->of * line; // the number of shards may be anything that a file says
    for (int k = 0; k < m->of && (long)k * line < v->n_point && (size_t)n < size; k++) {
        bool missing = false;
        for (long i = (long)k * line; i < v->n_point && !missing; i += step) missing = !m->part[i];
        if (!missing) continue;
        const char *gap = shown ? ", " : "";
        if (shown++ == NAMED) {
            snprintf(text + n, size - (size_t)n, " ...");
            return;
        }
        n += snprintf(text + n, size - (size_t)n, "%s%d", gap, k + 1);
    }
}

static jd_status check_whole(jd_merge *m) {
    const jd_sweep_view *v = &m->content->view;
    int missing = 0, first = -1;
    for (int i = 0; i < v->n_point; i++) {
        if (m->part[i]) continue;
        if (missing++ == 0) first = i;
    }
    if (missing == 0) return JD_OK;
    char point[300], shards[200] = "";
    jd_fail(m->context, JD_MISSING_KEY, "%d of the %d points are missing, the first at %s", missing,
            v->n_point, words_of(m, first, point, sizeof point));
    int line =
        v->direction == JD_SWEEP_NONE ? 1 : v->count[0] * (v->direction == JD_SWEEP_BOTH ? 2 : 1);
    if (m->of > 0) list_missing(m, line, shards, sizeof shards);
    if (shards[0])
        jd_fail_hint(m->context, "of %d shards these are not given: %s", m->of, shards);
    else
        jd_fail_hint(m->context, "give the files of all shards");
    return JD_MISSING_KEY;
}

// A file lists units by name; one run gives them in the order of the parameters.
static jd_status order_units(jd_merge *m) {
    jd_result_head *h = &m->whole->head;
    const jd_sweep_view *v = &m->content->view;
    jd_named_text *unit = JD_TAKE(m->arena, jd_named_text, h->n_unit);
    int n = 0;
    JD_TRY(jd_arena_status(m->arena));
    for (int k = 0; k < v->n_parameter + v->n_draw; k++) {
        const char *path = k < v->n_parameter ? v->parameter[k] : v->draw[k - v->n_parameter];
        for (int i = 0; i < h->n_unit && n < h->n_unit; i++)
            if (strcmp(h->unit[i].name, path) == 0) unit[n++] = h->unit[i];
    }
    if (n == h->n_unit) h->unit = unit;
    return JD_OK;
}

jd_status jd_merge_end(jd_merge *m, jd_result **out) {
    *out = NULL;
    if (!m->whole) return jd_fail(m->context, JD_BAD_ARGUMENT, "there are no shards to merge");
    JD_TRY(check_whole(m));
    JD_TRY(order_units(m));
    sweep_content *c = m->content;
    c->view.point = m->point;
    if (m->n_sample >= 0) c->view.n_sample = m->n_sample;
    c->view.shard = c->view.shards = 0;
    c->view.n_attractor = 0;
    JD_TRY(jd_sweep_summary(m->arena, &c->view));
    c->n_row = c->view.n_point;
    c->row = c->view.point;
    m->whole->n_array = -1; // those of the shard, if anybody asked for them
    *out = m->whole;
    m->whole = NULL;
    return JD_OK;
}

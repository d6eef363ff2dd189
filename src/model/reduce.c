// reduce.c -- the text of a model with few modes in place of its structures.
//   A body becomes `type: modes`: omega_k, damping and the row of every point, in 17 digits, so
//   that the modal form read back differs by rounding alone; the rest of the model stays as it was.
//   Relative files are named from the root where the text is kept in another folder.
#define _GNU_SOURCE // realpath
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/read.h"
#include "problem/parts.h"

enum { TEXT_LIMIT = 16 << 20 }; // what a model file may have

// A text that grows by doubling.
typedef struct writing {
    jd_arena *arena;
    char *text;
    size_t n, room;
} writing;

static void put(writing *w, const char *text) {
    size_t n = strlen(text);
    if (!w->text || w->n + n + 1 > w->room) {
        size_t room = 2 * (w->n + n + 1024);
        char *larger = JD_TAKE(w->arena, char, room);
        if (!larger) return; // the arena remembers
        if (w->text && w->n) memcpy(larger, w->text, w->n);
        w->text = larger;
        w->room = room;
    }
    memcpy(w->text + w->n, text, n + 1);
    w->n += n;
}

static void put_number(writing *w, double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.17g", value);
    put(w, digits);
}

// A name in double quotes of YAML.
static void put_name(writing *w, const char *name) {
    put(w, "\"");
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        char text[8] = {*name, '\0'};
        if (c < 0x20 || c == 0x7f) snprintf(text, sizeof text, "\\x%02x", c);
        if (c == '"' || c == '\\') snprintf(text, sizeof text, "\\%c", c);
        put(w, text);
    }
    put(w, "\"");
}

static void put_reals(writing *w, const char *key, size_t n, const double *value) {
    put(w, ", ");
    put(w, key);
    put(w, ": [");
    for (size_t k = 0; k < n; k++) {
        if (k) put(w, ", ");
        put_number(w, value[k]);
    }
    put(w, "]");
}

static void put_dds(writing *w, const char *key, int n, const jd_dd *value, double *scratch) {
    for (int k = 0; k < n; k++) scratch[k] = dd_value(value[k]);
    put_reals(w, key, (size_t)n, scratch);
}

// Ratios, or C where a rigid-body mode is damped: it has no ratio.
static void put_modal_damping(writing *w, const jd_modal *m, double *scratch) {
    bool ratios = true;
    size_t n = (size_t)m->n;
    for (size_t k = 0; k < n; k++) {
        double omega = dd_value(dd_sqrt(m->omega2[k]));
        scratch[k] = omega > 0 ? m->c[k] / (2 * omega) : 0;
        ratios = ratios && (omega > 0 || m->c[k] == 0);
    }
    if (ratios) {
        put_reals(w, "ratio", n, scratch);
        return;
    }
    double *C = JD_TAKE(w->arena, double, n *n);
    if (!C) return;
    for (size_t k = 0; k < n; k++) C[k * n + k] = m->c[k];
    put_reals(w, "damping_matrix", n * n, C);
}

static void put_damping(writing *w, const jd_modal *m, double *scratch) {
    size_t n = (size_t)m->n;
    if (m->law == JD_DAMPING_MODAL) put_modal_damping(w, m, scratch);
    if (m->law == JD_DAMPING_FULL) put_reals(w, "damping_matrix", n * n, m->C);
    if (m->law != JD_DAMPING_RAYLEIGH) return;
    put(w, ", damping: {type: rayleigh, mass: ");
    put_number(w, m->alpha);
    put(w, ", stiffness: ");
    put_number(w, m->beta);
    put(w, "}");
}

// Bounds of the errors of the frequencies; 1: not known.
static void put_errors(writing *w, const jd_modal *m, double *scratch) {
    bool known = true;
    for (int k = 0; k < m->n; k++) {
        double off = m->off ? m->off[k] : 0;
        scratch[k] = isnan(off) ? 1 : fmin(fmax(m->error[k], off), 1);
        known = known && scratch[k] <= 0x1p-52;
    }
    if (!known) put_reals(w, "error", (size_t)m->n, scratch);
}

static void put_points(writing *w, const jd_structure *s, double *scratch) {
    put(w, ", shapes: {");
    for (int i = 0; i < s->n_point; i++) {
        const jd_dd *row = s->row + (size_t)i * (size_t)s->modal.n;
        if (i) put(w, ", ");
        put_name(w, s->point_name[i]);
        put(w, ": [");
        for (int k = 0; k < s->modal.n; k++) {
            if (k) put(w, ", ");
            put_number(w, dd_value(row[k]));
        }
        put(w, "]");
    }
    put(w, "}");
    if (s->base) put_dds(w, "base", s->modal.n, s->base, scratch);
}

static void put_structure(writing *w, const jd_structure *s) {
    const jd_modal *m = &s->modal;
    double *scratch = JD_TAKE(w->arena, double, m->n);
    if (!scratch) return;
    put(w, "{type: modes");
    for (int k = 0; k < m->n; k++) scratch[k] = dd_value(dd_sqrt(m->omega2[k]));
    put_reals(w, "omega", (size_t)m->n, scratch);
    put_errors(w, m, scratch);
    if (m->n_static) put(w, ", static_shapes: ");
    if (m->n_static) put_number(w, m->n_static);
    put_damping(w, m, scratch);
    put_points(w, s, scratch);
    put(w, "}");
}

static jd_status refuse_body(const jd_problem *p, const jd_part *body, const char *why) {
    char path[256];
    jd_body_path(body, path, sizeof path);
    jd_fail(p->context, JD_NOT_SUPPORTED, "a `%s` cannot be reduced: %s", body->object.type->name,
            why);
    jd_fail_where(p->context, "%s", path);
    return JD_NOT_SUPPORTED;
}

static jd_status check_body(const jd_problem *p, const jd_part *body) {
    if (!(jd_structure_capabilities(body->structure) & JD_CAN_MODAL))
        return refuse_body(p, body, "it has no modes");
    if (!body->structure->infinite) return JD_OK;
    jd_status status = refuse_body(p, body, "it keeps infinitely many modes");
    jd_fail_hint(p->context, "say how many: --modes 20");
    return status;
}

// The node of a body becomes its modes.
static jd_status replace_body(jd_binder *b, const jd_problem *p, const jd_part *body) {
    JD_TRY(check_body(p, body));
    char path[256];
    jd_body_path(body, path, sizeof path);
    writing w = {.arena = b->arena};
    put(&w, path);
    put(&w, "=");
    put_structure(&w, body->structure);
    JD_TRY(jd_arena_status(b->arena));
    if (w.n < TEXT_LIMIT) return jd_tree_set(b->arena, b->root, w.text);
    jd_fail(b->context, JD_FILE_TOO_LARGE, "%d modes at %d points are too much for a model file",
            body->structure->modal.n, body->structure->n_point);
    jd_fail_hint(b->context, "name only the points where something acts or is looked at");
    return JD_FILE_TOO_LARGE;
}

// Files below a node that was read by a table, named from the root.
static jd_status move_files(jd_arena *arena, jd_node *node, const char *folder) {
    for (jd_node *c = node->first; c; c = c->next) {
        const jd_param *p = node->type && c->key ? jd_type_param(node->type, c->key) : NULL;
        bool file = p && (p->kind == JD_KIND_FILE || p->kind == JD_KIND_MATRIX);
        if (file && c->text && c->text[0] != '/' && c->text[0] != '@') {
            c->text = jd_arena_format(arena, "%s/%s", folder, c->text);
            c->quoted = true;
            JD_TRY(jd_arena_status(arena));
        }
        JD_TRY(move_files(arena, c, folder));
    }
    return JD_OK;
}

static jd_status place_files(jd_binder *b, const char *target) {
    char from[PATH_MAX], to[PATH_MAX];
    const char *folder = *b->folder ? b->folder : ".";
    const char *goal = target && *target ? target : ".";
    if (!realpath(folder, from))
        return jd_fail(b->context, JD_CANNOT_READ, "cannot read the folder `%s`", folder);
    if (!realpath(goal, to))
        return jd_fail(b->context, JD_CANNOT_WRITE, "there is no folder `%s`", goal);
    return strcmp(from, to) == 0 ? JD_OK : move_files(b->arena, b->root, from);
}

// `modes` and `reduction` of every body that has these keys.
static jd_status choose(jd_binder *b, const jd_reduce_def *def) {
    jd_node *one = jd_node_get(b->root, "structure"), *many = jd_node_get(b->root, "bodies");
    const jd_node *body = one ? one : many ? many->first : NULL;
    for (; body && body->key; body = one ? NULL : body->next) {
        const jd_node *name = jd_node_get(body, "type");
        const jd_type *type =
            name && name->text ? jd_type_find(jd_structure_types(), name->text) : NULL;
        const char *path = one ? "structure" : jd_arena_format(b->arena, "bodies.%s", body->key);
        if (type && def->modes > 0 && jd_type_param(type, "modes")) {
            const char *set = jd_arena_format(b->arena, "%s.modes=%d", path, def->modes);
            JD_TRY(jd_arena_status(b->arena));
            JD_TRY(jd_tree_set(b->arena, b->root, set));
        }
        if (type && def->reduction && jd_type_param(type, "reduction")) {
            const char *set = jd_arena_format(b->arena, "%s.reduction=%s", path, def->reduction);
            JD_TRY(jd_arena_status(b->arena));
            JD_TRY(jd_tree_set(b->arena, b->root, set));
        }
    }
    return JD_OK;
}

static jd_status read_full(jd_binder *b, const jd_reduce_def *def, jd_problem *problem) {
    char *text = NULL;
    size_t size = 0;
    JD_TRY(jd_tree_read_file(b->arena, def->file, &text, &size));
    JD_TRY(jd_tree_parse(b->arena, def->file, text, size, &b->root));
    for (int i = 0; i < def->n_set && b->root->kind == JD_NODE_MAP; i++)
        JD_TRY(jd_tree_set(b->arena, b->root, def->set[i]));
    if (b->root->kind == JD_NODE_MAP) JD_TRY(choose(b, def));
    JD_TRY(jd_bind_model(b, problem));
    return jd_bind_locate(b, jd_problem_build(problem), NULL);
}

// Where the modes come from, as comments above the text.
static void put_origin(writing *w, const jd_reduce_def *def, const jd_problem *p) {
    const char *slash = strrchr(def->file, '/');
    put(w, "# Written by `judder reduce` from ");
    for (const char *c = slash ? slash + 1 : def->file; *c; c++)
        put(w, (char[]){(unsigned char)*c < 0x20 ? '?' : *c, '\0'});
    put(w, ".\n");
    for (int i = 0; i < p->bodies.n; i++) {
        const jd_part *body = p->bodies.part[i];
        char count[160];
        snprintf(count, sizeof count, "# %s%.60s%s%d modes%s", body->object.name,
                 body->object.name[0] ? ": " : "", "",
                 body->structure->modal.n - body->structure->modal.n_static,
                 body->structure->origin ? " " : "");
        put(w, count);
        put(w, body->structure->origin ? body->structure->origin : "");
        put(w, "\n");
    }
}

static jd_status compose(jd_binder *b, const jd_reduce_def *def, jd_problem *p, const char **text,
                         int *modes) {
    JD_TRY(read_full(b, def, p));
    JD_TRY(place_files(b, jd_model_folder(b->arena, def->output)));
    *modes = 0;
    for (int i = 0; i < p->bodies.n; i++) {
        JD_TRY(replace_body(b, p, p->bodies.part[i]));
        *modes += p->bodies.part[i]->structure->modal.n;
    }
    if (p->si) JD_TRY(jd_tree_set(b->arena, b->root, "units=SI"));
    writing w = {.arena = b->arena};
    put_origin(&w, def, p);
    size_t length = 0;
    JD_TRY(jd_tree_write(b->context, b->root, 0, NULL, &length));
    char *body = JD_TAKE(b->arena, char, length + 1);
    JD_TRY(jd_arena_status(b->arena));
    JD_TRY(jd_tree_write(b->context, b->root, length + 1, body, &length));
    put(&w, body);
    *text = w.text;
    return jd_arena_status(b->arena);
}

// What is written must be a model: it is read back and built.
static jd_status read_back(jd_arena *arena, const jd_reduce_def *def, const char *text) {
    jd_context *context = jd_arena_context(arena);
    jd_problem *problem = NULL;
    jd_status status = jd_model_parse(context, def->output, jd_model_folder(arena, def->output),
                                      text, strlen(text), 0, NULL, &problem);
    jd_problem_free(problem);
    if (status == JD_OK) return JD_OK;
    const char *why = jd_arena_text(arena, jd_context_error(context)->message);
    const char *hint = jd_arena_text(arena, jd_context_error(context)->hint);
    jd_fail(context, status, "the reduced model cannot be used: %s", why ? why : "");
    if (hint && *hint) jd_fail_hint(context, "%s", hint);
    return status;
}

jd_status jd_model_reduced(jd_arena *arena, const jd_reduce_def *def, const char **text,
                           int *modes) {
    jd_context *context = jd_arena_context(arena);
    jd_binder b = {.arena = arena, .context = context, .folder = jd_model_folder(arena, def->file)};
    b.units = jd_units_create(arena);
    jd_problem *problem = NULL;
    jd_status status =
        b.units && b.folder ? jd_problem_create(context, &problem) : JD_OUT_OF_MEMORY;
    if (status == JD_OK) status = compose(&b, def, problem, text, modes);
    jd_units_close(b.units);
    jd_problem_free(problem);
    return status == JD_OK ? read_back(arena, def, *text) : status;
}

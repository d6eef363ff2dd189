// of_span.c -- motion along a body and its contact from what a run keeps: that of a picture drawn
// before, or the table `field` with the places of nodes and cells.
#include <math.h>
#include <string.h>

#include "picture/motion/history.h"
#include "result/run/run.h"

static jd_status no_field(jd_arena *arena) {
    jd_context *context = jd_arena_context(arena);
    jd_fail(context, JD_BAD_USAGE, "the file keeps no field along a body and its contact");
    jd_fail_hint(context, "`output: {field: {every: 5 ms}}` in the model keeps it, of contacts "
                          "that act along a span");
    return JD_BAD_USAGE;
}

bool jd_result_has_field(const jd_result *result, const jd_picture_def *def) {
    const jd_run_result *r = jd_result_run(result);
    const jd_shown *shown = jd_shown_of(result, def);
    return shown ? shown->field.n >= 2 : r && r->lists.field.n_row > 0;
}

// A column of whole arrays; NULL: not there, or of another width.
static const double *rows(jd_arena *arena, const jd_columns *c, const char *name, const char *what,
                          int width) {
    const char *key = jd_arena_format(arena, "%s.%s", name[0] ? name : "structure", what);
    for (int k = 0; key && k < c->n_column; k++)
        if (strcmp(c->name[k], key) == 0)
            return (c->width && c->width[k] ? c->width[k] : 1) == width ? c->value[k] : NULL;
    return NULL;
}

static const char *body_of(const jd_run_result *r, const char *contact) {
    for (int j = 0; j < r->n_contact; j++)
        if (strcmp(r->contact[j].name, contact) == 0 && r->contact[j].body)
            return r->contact[j].body;
    return "";
}

// Times of the field within the window: the first, and how many.
static jd_status window(jd_arena *arena, const double *t, int n, double from, double to, int *first,
                        int *many) {
    int last = n;
    for (*first = 0; *first < n && t[*first] < from;) ++*first;
    while (last > *first && t[last - 1] > to) last--;
    *many = last - *first;
    if (*many > 1) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_OUT_OF_RANGE,
                   "the file has fewer than two fields in the window to draw");
}

// The table `field` of the first contact that acts along a span.
static jd_status whole(jd_arena *arena, const jd_run_result *r, jd_field_map *m) {
    const jd_columns *c = &r->lists.field;
    *m = (jd_field_map){.n = c->n_row};
    if (c->n_row == 0 || r->n_interface == 0) return no_field(arena);
    const jd_interface_result *cells = &r->interface[0];
    m->contact = cells->name;
    m->body = body_of(r, cells->name);
    for (int i = 0; i < r->n_grid; i++) {
        if (strcmp(r->positions[i].name, m->body[0] ? m->body : "structure") != 0) continue;
        m->n_node = r->positions[i].n;
        m->node = r->positions[i].value;
    }
    m->n_cell = cells->n;
    m->cell = cells->position;
    for (int k = 0; k < c->n_column; k++)
        if (strcmp(c->name[k], "t") == 0 && !(c->width && c->width[k])) m->t = c->value[k];
    m->u = rows(arena, c, m->body, "u", m->n_node);
    m->velocity = rows(arena, c, m->contact, "velocity", m->n_cell);
    m->state = rows(arena, c, m->contact, "state", m->n_cell);
    m->force = rows(arena, c, m->contact, "force", m->n_cell);
    JD_TRY(jd_arena_status(arena));
    bool all = m->t && m->u && m->velocity && m->state && m->force;
    return all && m->n_node > 0 && m->n_cell > 0 ? JD_OK : no_field(arena);
}

jd_status jd_field_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                             jd_field_map *m) {
    const jd_shown *shown = jd_shown_of(result, def);
    int first, many;
    if (shown && shown->field.n >= 2) {
        *m = shown->field;
        return m->n_node > 0 && m->n_cell > 0 ? JD_OK : no_field(arena);
    }
    JD_TRY(whole(arena, jd_result_run(result), m));
    JD_TRY(window(arena, m->t, m->n, def->from, def->to, &first, &many));
    size_t row = (size_t)first, cells = row * (size_t)m->n_cell;
    m->n = many;
    m->t += first;
    m->u += row * (size_t)m->n_node;
    m->velocity += cells;
    m->state += cells;
    m->force += cells;
    return JD_OK;
}

jd_status jd_slip_of_result(jd_arena *arena, const jd_result *result, const jd_picture_def *def,
                            jd_history *h) {
    const jd_run_result *r = jd_result_run(result);
    const jd_result_head *head = jd_result_look(result);
    jd_field_map m;
    JD_TRY(jd_field_of_result(arena, result, def, &m));
    jd_history_point *slip = JD_TAKE(arena, jd_history_point, r->final.n_point);
    *h = (jd_history){.title = head->title, .si = head->si, .n = m.n, .t = m.t, .slip = slip};
    h->subtitle =
        jd_arena_format(arena, "from %.6g to %.6g%s", h->t[0], h->t[h->n - 1], h->si ? " s" : "");
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < r->final.n_point; i++) {
        const jd_point_result *p = &r->final.point[i];
        size_t length = strlen(m.body);
        bool on = length == 0 || (strncmp(p->name, m.body, length) == 0 && p->name[length] == '.');
        if (!on || !(p->position >= m.cell[0] && p->position <= m.cell[m.n_cell - 1])) continue;
        int c = jd_slip_cell(m.n_cell, m.cell, p->position);
        double *column = JD_TAKE(arena, double, h->n);
        JD_TRY(jd_arena_status(arena));
        for (int k = 0; k < h->n; k++)
            column[k] = m.velocity[(size_t)k * (size_t)m.n_cell + (size_t)c];
        slip[h->n_slip++] = (jd_history_point){p->name, NULL, column};
    }
    return h->n_slip ? JD_OK : no_field(arena);
}

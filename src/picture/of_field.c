// of_field.c -- a contact along a span as two maps over time: how its body moves, where it slides.
#include <math.h>

#include "picture/history.h"

enum { TIMES = 360, PLACES = 240 }; // columns and rows of a map, at most

typedef struct field {
    jd_arena *arena;
    jd_problem *problem;
    jd_run *run;
    int contact, body;
    double from, to; // [s]
    jd_field_view view;
} field;

static int span_of(const jd_problem *p) {
    for (int j = 0; j < jd_problem_contacts(p); j++)
        if (!((const jd_contact_def *)jd_problem_contact(p, j)->def)->at.point) return j;
    return -1;
}

bool jd_has_field(const jd_problem *p) { return span_of(p) >= 0; }

static double *places(jd_arena *arena, int n, double from, double to) {
    double *x = JD_TAKE(arena, double, n);
    for (int i = 0; x && i < n; i++) x[i] = from + (to - from) * i / (n > 1 ? n - 1 : 1);
    return x;
}

static void make_heat(jd_arena *arena, int n, const double *position, int n_t, const double *time,
                      jd_heat *h) {
    int rows = n < PLACES ? n : PLACES;
    *h = (jd_heat){.n_x = n_t, .n_y = rows, .x = time};
    h->y = places(arena, rows, position[0], position[n - 1]);
    h->value = JD_TAKE(arena, double, n_t *rows);
}

jd_status jd_field_take(jd_arena *arena, jd_field_view *v, int n_t, const double *t,
                        const double *node, const double *cell) {
    make_heat(arena, v->n_node, node, n_t, t, &v->u);
    make_heat(arena, v->n_cell, cell, n_t, t, &v->state);
    v->speed = JD_TAKE(arena, double, n_t * v->state.n_y);
    return jd_arena_status(arena);
}

// The node next to each row.
static int node_at(const jd_heat *h, int row, int n) {
    return h->n_y > 1 ? (int)lround((double)row * (n - 1) / (h->n_y - 1)) : 0;
}

// Cells that slide without friction, above the ground, are left pale.
void jd_field_put(jd_field_view *v, int column, const double *displacement,
                  const jd_interface_field *cells) {
    double *u = (double *)v->u.value, *s = (double *)v->state.value;
    for (int r = 0; r < v->u.n_y; r++)
        u[r * v->u.n_x + column] = displacement[node_at(&v->u, r, v->n_node)];
    for (int r = 0; r < v->state.n_y; r++) {
        int i = node_at(&v->state, r, v->n_cell), at = r * v->state.n_x + column;
        bool loose = cells->state[i] != 0 && cells->force[i] == 0;
        s[at] = loose ? (double)NAN : cells->state[i];
        v->speed[at] = fabs(cells->velocity[i]);
    }
}

// A cell just at its limit that creeps by rounding alone rests.
static void calm(jd_field_view *v) {
    double *s = (double *)v->state.value;
    int n = v->state.n_x * v->state.n_y;
    double least = 1e-9 * jd_largest(n, v->speed);
    for (int i = 0; i < n; i++)
        if (s[i] != 0 && !isnan(s[i]) && v->speed[i] < least) s[i] = 0;
}

static jd_status no_field(field *f) {
    jd_fail(jd_arena_context(f->arena), JD_NOT_SUPPORTED,
            "there is no field to draw: no contact acts along a span of a body on a grid");
    jd_fail_hint(jd_arena_context(f->arena), "`--picture history` draws the motion of points");
    return JD_NOT_SUPPORTED;
}

static int body_of(const jd_problem *p, const jd_place *place) {
    int b = 0;
    if (jd_problem_bodies(p) > 1 && place->body)
        for (b = 0; b + 1 < jd_problem_bodies(p); b++) {
            const char *x = jd_problem_body(p, b)->name, *y = place->body;
            while (*x && *x == *y) x++, y++;
            if (*x == *y) break;
        }
    return b;
}

static jd_status look(field *f) {
    jd_body_field body;
    jd_interface_field contact;
    double *time = places(f->arena, TIMES, f->from, f->to);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0; i < TIMES; i++) {
        jd_step step = JD_STEP_EVENT;
        while (step == JD_STEP_EVENT) JD_TRY(jd_run_advance(f->run, time[i], &step));
        if (!jd_run_body(f->run, f->body, &body) || !jd_run_interface(f->run, f->contact, &contact))
            return no_field(f);
        if (i == 0) {
            f->view.n_node = body.n;
            f->view.n_cell = contact.n;
            JD_TRY(jd_field_take(f->arena, &f->view, TIMES, time, body.position, contact.position));
        }
        jd_field_put(&f->view, i, body.displacement, &contact);
    }
    return JD_OK;
}

static void panel(jd_scene *s, double left, const jd_heat *h, const char *time, const char *place) {
    jd_scene_add(s, (jd_panel){.left = left,
                               .top = 92,
                               .width = 370,
                               .height = 370,
                               .heat = h,
                               .x = {.label = time},
                               .y = {.label = place}});
}

static const char *words(jd_arena *arena, const jd_field_view *v) {
    const double *t = v->u.x;
    return jd_arena_format(arena, "from %.6g to %.6g%s; places count from the left end", t[0],
                           t[v->u.n_x - 1], v->si ? " s" : "");
}

jd_scene *jd_field_draw(jd_arena *arena, jd_field_view *v) {
    static const char *const states[] = {"slides back", "sticks", "slides on"};
    int n = v->u.n_x * v->u.n_y;
    double most = jd_largest(n, v->u.value);
    jd_scale k = jd_scale_of(arena, v->si, "displacement", "m", most);
    v->u.value = jd_scaled(arena, n, v->u.value, k.factor);
    v->u.label = k.label;
    v->u.high = v->u.low = 0;
    for (int i = 0; v->u.value && i < n; i++) {
        v->u.low = fmin(v->u.low, v->u.value[i]);
        v->u.high = fmax(v->u.high, v->u.value[i]);
    }
    if (!(v->u.high > v->u.low)) v->u.high = v->u.low + 1;
    calm(v);
    v->state.label = jd_arena_format(arena, "contact %s", v->contact);
    v->state.low = -1;
    v->state.high = 1;
    v->state.n_step = 3;
    v->state.step = (const char **)states;
    jd_scene *s = jd_scene_create(arena, (jd_scene){.title = v->title,
                                                    .subtitle = words(arena, v),
                                                    .width = 1120,
                                                    .height = 92 + 370 + 62});
    const char *place = jd_arena_format(
        arena, "place on %s%s", v->body[0] ? v->body : "the structure", v->si ? " [m]" : "");
    panel(s, 82, &v->u, v->si ? "time [s]" : "time", place);
    panel(s, 82 + 370 + 160, &v->state, v->si ? "time [s]" : "time", place);
    return s;
}

jd_status jd_field_scene(jd_arena *arena, jd_problem *p, const jd_picture_def *def,
                         jd_scene **out) {
    field *f = JD_TAKE(arena, field, 1);
    JD_TRY(jd_arena_status(arena));
    *f = (field){.arena = arena, .problem = p, .contact = span_of(p)};
    if (f->contact < 0) return no_field(f);
    const jd_simulate_def *s = jd_problem_section(p, JD_SIMULATE, NULL);
    const jd_contact_def *c = jd_problem_contact(p, f->contact)->def;
    f->body = body_of(p, &c->at);
    f->view = (jd_field_view){.title = jd_problem_title(p),
                              .body = jd_problem_body(p, f->body)->name,
                              .contact = jd_problem_contact(p, f->contact)->name,
                              .si = jd_problem_is_si(p)};
    JD_TRY(jd_problem_duration(p, &s->until, &f->to));
    if (!isnan(def->to)) f->to = fmin(f->to, def->to);
    f->from = isnan(def->from) ? 0 : def->from;
    JD_TRY(jd_run_create(jd_arena_context(arena), p, &f->run));
    jd_status status = look(f);
    jd_run_free(f->run);
    if (status == JD_OK) *out = jd_field_draw(arena, &f->view);
    return status == JD_OK ? jd_arena_status(arena) : status;
}

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
    jd_heat u, state;
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

static void make_heat(field *f, int n, const double *position, const double *time, jd_heat *h) {
    int rows = n < PLACES ? n : PLACES;
    *h = (jd_heat){.n_x = TIMES, .n_y = rows, .x = time};
    h->y = places(f->arena, rows, position[0], position[n - 1]);
    h->value = JD_TAKE(f->arena, double, TIMES *rows);
}

// The value at the node next to each row.
static void fill(const jd_heat *h, int column, int n, const double *value) {
    double *to = (double *)h->value;
    for (int r = 0; r < h->n_y; r++) {
        int i = h->n_y > 1 ? (int)lround((double)r * (n - 1) / (h->n_y - 1)) : 0;
        to[r * h->n_x + column] = value[i];
    }
}

// Cells that slide without friction, above the ground: left pale.
static void blank_free(const jd_heat *h, int column, const jd_interface_field *c) {
    double *to = (double *)h->value;
    for (int r = 0; r < h->n_y; r++) {
        int i = h->n_y > 1 ? (int)lround((double)r * (c->n - 1) / (h->n_y - 1)) : 0;
        if (c->state[i] != 0 && c->force[i] == 0) to[r * h->n_x + column] = (double)NAN;
    }
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
            make_heat(f, body.n, body.position, time, &f->u);
            make_heat(f, contact.n, contact.position, time, &f->state);
            JD_TRY(jd_arena_status(f->arena));
        }
        fill(&f->u, i, body.n, body.displacement);
        fill(&f->state, i, contact.n, contact.state);
        blank_free(&f->state, i, &contact);
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

static jd_scene *draw(field *f) {
    static const char *const states[] = {"slides back", "sticks", "slides on"};
    bool si = jd_problem_is_si(f->problem);
    int n = f->u.n_x * f->u.n_y;
    double most = jd_largest(n, f->u.value);
    jd_scale k = jd_scale_of(f->arena, si, "displacement", "m", most);
    const char *body = jd_problem_body(f->problem, f->body)->name;
    f->u.value = jd_scaled(f->arena, n, f->u.value, k.factor);
    f->u.label = k.label;
    f->u.high = most > 0 ? most * k.factor : 1;
    f->u.low = 0;
    for (int i = 0; f->u.value && i < n; i++) f->u.low = fmin(f->u.low, f->u.value[i]);
    f->state.label =
        jd_arena_format(f->arena, "contact %s", jd_problem_contact(f->problem, f->contact)->name);
    f->state.low = -1;
    f->state.high = 1;
    f->state.n_step = 3;
    f->state.step = (const char **)states;
    jd_scene *s = jd_scene_create(
        f->arena,
        (jd_scene){.title = jd_problem_title(f->problem), .width = 1120, .height = 92 + 370 + 62});
    const char *place = jd_arena_format(f->arena, "place on %s%s", body[0] ? body : "the structure",
                                        si ? " [m]" : "");
    panel(s, 82, &f->u, si ? "time [s]" : "time", place);
    panel(s, 82 + 370 + 160, &f->state, si ? "time [s]" : "time", place);
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
    JD_TRY(jd_problem_duration(p, &s->until, &f->to));
    if (!isnan(def->to)) f->to = fmin(f->to, def->to);
    f->from = isnan(def->from) ? 0 : def->from;
    JD_TRY(jd_run_create(jd_arena_context(arena), p, &f->run));
    jd_status status = look(f);
    jd_run_free(f->run);
    if (status == JD_OK) *out = draw(f);
    return status == JD_OK ? jd_arena_status(arena) : status;
}

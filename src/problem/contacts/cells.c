// cells.c -- cuts spans and lists of points into contacts at points.
//   Rows along a span come from the structure made once more with points at the middles.
#include "problem/contacts/cells.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"

enum { STANDARD = 32, MOST = 10000 };

static const jd_contact_def *def_of(const jd_problem *p, int i) {
    return p->contacts.part[i]->object.def;
}

static bool is_rigid(const jd_element *e) {
    bool rigid = e->normal && !(e->kn > 0);
    for (int i = 0; i < e->sliders; i++) rigid |= !(e->stiffness[i] > 0);
    return rigid;
}

static const jd_object *object_of(const jd_problem *p, int body) {
    return &p->bodies.part[body]->object;
}

static double length_of(const jd_object *body) {
    return *JD_MEMBER_CONST(double, body->def, jd_type_param(body->type, "length"));
}

static jd_status body_of(const jd_problem *p, const jd_place *place, int *body) {
    *body = 0;
    return place->body ? jd_problem_find_body(p, place->body, body) : JD_OK;
}

// Rigid cells must be able to hold all at once: half as many as there are modes to their length.
static int count_cells(const jd_problem *p, const jd_contact_def *c, const jd_element *e,
                       int body) {
    if (c->cells > 0) return c->cells;
    double modes = p->bodies.part[body]->structure->modal.n;
    double share = (c->at.to - c->at.from) / length_of(object_of(p, body));
    if (!is_rigid(e)) return STANDARD;
    return (int)fmin(STANDARD, fmax(1, floor(0.5 * modes * share)));
}

// Memory grows with the square of their number: told before any is taken.
static jd_status check_sum(const jd_problem *p, long n) {
    for (int i = 0; i < p->system.n_contact; i++) n += p->system.cells[i].n;
    if (n <= MOST) return JD_OK;
    jd_fail(p->context, JD_OUT_OF_RANGE,
            "all contacts together have %ld cells, more than the %d possible", n, (int)MOST);
    jd_fail_hint(p->context, "ask for fewer `cells`");
    return JD_OUT_OF_RANGE;
}

static jd_status take_cells(jd_problem *p, int n, jd_cells *out) {
    JD_TRY(check_sum(p, n));
    *out = (jd_cells){.n = n};
    out->position = JD_TAKE(p->built, double, n);
    out->length = JD_TAKE(p->built, double, n);
    out->row = JD_TAKE(p->built, jd_dd *, n);
    out->normal = JD_TAKE(p->built, jd_dd *, n);
    for (int i = 0; out->row && i < n; i++)
        out->row[i] = JD_TAKE(p->built, jd_dd, p->system.modal.n);
    return jd_arena_status(p->built);
}

// Adds `sign` times the rows of the places from + x to those of the cells.
static jd_status add_rows(jd_problem *p, int body, double from, double sign, const jd_cells *c) {
    const jd_object *o = object_of(p, body);
    const jd_param *points = jd_type_param(o->type, "points");
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_point *at = JD_TAKE(arena, jd_point, c->n);
    char *def = jd_arena_take(arena, o->type->def_size, 1);
    jd_structure *s = NULL;
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) {
        memcpy(def, o->def, o->type->def_size);
        for (int i = 0; i < c->n; i++)
            at[i] = (jd_point){.name = jd_arena_format(arena, "%d", i),
                               .position = from + c->left[i] + 0.5 * c->length[i],
                               .dof = 1};
        *JD_MEMBER(jd_points, def, points) = (jd_points){c->n, at};
        status = jd_arena_status(arena);
    }
    if (status == JD_OK) status = jd_structure_create(p->context, o->type, def, &s);
    for (int i = 0; status == JD_OK && i < c->n; i++)
        jd_problem_add_row(p, body, s->row + (size_t)i * (size_t)s->modal.n, sign, c->row[i]);
    if (s) jd_structure_free(s);
    jd_arena_free(arena);
    return status;
}

static bool has_modes(const jd_problem *p, int body) {
    const jd_structure *s = p->bodies.part[body]->structure;
    return (jd_structure_capabilities(s) & JD_CAN_MODAL) && !s->infinite;
}

static jd_status cut_span(jd_problem *p, const jd_contact_def *c, const jd_element *e,
                          jd_cells *out) {
    int body = 0, other = 0;
    bool pair = c->against.kind == JD_PLACE;
    JD_TRY(jd_problem_check_span(p, c));
    JD_TRY(body_of(p, &c->at, &body));
    if (pair) JD_TRY(body_of(p, &c->against.place, &other));
    if (!has_modes(p, body) || (pair && !has_modes(p, other))) return JD_OK;
    int n = count_cells(p, c, e, body);
    JD_TRY(take_cells(p, n, out));
    out->left = JD_TAKE(p->built, double, n);
    JD_TRY(jd_arena_status(p->built));
    double all = c->at.to - c->at.from;
    for (int i = 0; i < n; i++) {
        out->left[i] = all * i / n;
        out->length[i] = all * (i + 1) / n - out->left[i];
        out->position[i] = c->at.from + out->left[i] + 0.5 * out->length[i];
    }
    JD_TRY(add_rows(p, body, c->at.from, 1, out));
    return pair ? add_rows(p, other, c->against.place.from, -1, out) : JD_OK;
}

int jd_cell_names(const char *list) {
    int n = 1;
    for (const char *c = list; *c; c++) n += *c == ',';
    return n;
}

void jd_cell_name(const char *list, int i, char out[JD_CELL_NAME]) {
    for (; i > 0; i--) list = strchr(list, ',') + 1;
    list += strspn(list, " ");
    size_t n = strcspn(list, ","), most = n < JD_CELL_NAME - 1 ? n : JD_CELL_NAME - 1;
    memcpy(out, list, most);
    out[most] = '\0';
}

static jd_status refuse_list(const jd_problem *p, jd_status status, const char *what,
                             const char *hint) {
    jd_fail(p->context, status, "%s", what);
    jd_fail_hint(p->context, "%s", hint);
    return status;
}

static jd_status check_list(const jd_problem *p, const jd_contact_def *c, const jd_element *e) {
    bool pair = c->against.kind == JD_PLACE, two = e->normal && e->source == JD_NORMAL_OWN;
    const jd_place *a = &c->at, *b = &c->against.place;
    unsigned traits = jd_law_traits(&c->law);
    if (!jd_law_of(&c->law)->element || e->smooth || e->source == JD_NORMAL_OTHER ||
        (traits & (JD_LAW_PARALLEL | JD_LAW_PLANE | JD_LAW_CUSHION)))
        return refuse_list(p, JD_NOT_SUPPORTED, "this law cannot act at several points",
                           "friction with a given limit, stops and `dry-contact` can; else write a "
                           "contact for each point");
    if (!a->points || (pair && !b->points))
        return refuse_list(p, JD_WRONG_TYPE,
                           "one side of the contact is several points and the other is not",
                           "write {points: [a, b, c]} on both sides");
    if (two != (a->normal != NULL) || (pair && two != (b->normal != NULL)))
        return refuse_list(p, JD_WRONG_TYPE,
                           two ? "this law has two directions, but one is given"
                               : "this law has one direction, but two are given",
                           two ? "write {normal: [a_y, b_y], tangential: [a_x, b_x]}"
                               : "write {points: [a, b, c]}");
    int n = jd_cell_names(a->points);
    if ((two && jd_cell_names(a->normal) != n) || (pair && jd_cell_names(b->points) != n) ||
        (pair && two && jd_cell_names(b->normal) != n))
        return refuse_list(p, JD_SIZE_MISMATCH, "the lists of points are not of one length",
                           "point by point they belong together");
    if (c->cells == 0) return JD_OK;
    return refuse_list(p, JD_NOT_SUPPORTED, "`cells` is given, but every point is a cell",
                       "leave it out: it is for spans");
}

// Rows of one direction of all points.
static jd_status list_rows(jd_problem *p, const jd_contact_def *c, const char *at,
                           const char *against, jd_dd **row, int n) {
    char name[JD_CELL_NAME];
    for (int i = 0; i < n; i++) {
        jd_cell_name(at, i, name);
        JD_TRY(jd_problem_add_place(p, c->at.body, name, 1, row[i]));
        if (!against) continue;
        jd_cell_name(against, i, name);
        JD_TRY(jd_problem_add_place(p, c->against.place.body, name, -1, row[i]));
    }
    return JD_OK;
}

static jd_status cut_list(jd_problem *p, const jd_contact_def *c, const jd_element *e,
                          jd_cells *out) {
    JD_TRY(check_list(p, c, e));
    const jd_place *a = &c->at, *b = c->against.kind == JD_PLACE ? &c->against.place : NULL;
    int n = jd_cell_names(a->points);
    double sum = 0;
    JD_TRY(take_cells(p, n, out));
    for (int i = 0; i < n; i++) sum += a->share.n == n ? a->share.value[i] : 1;
    for (int i = 0; i < n; i++) {
        out->position[i] = i + 1;
        out->length[i] = (a->share.n == n ? a->share.value[i] : 1) / sum;
    }
    JD_TRY(list_rows(p, c, a->points, b ? b->points : NULL, out->row, n));
    if (!a->normal) return JD_OK;
    for (int i = 0; i < n; i++) out->normal[i] = JD_TAKE(p->built, jd_dd, p->system.modal.n);
    JD_TRY(jd_arena_status(p->built));
    return list_rows(p, c, a->normal, b ? b->normal : NULL, out->normal, n);
}

jd_status jd_contact_cut(jd_problem *p, int i) {
    const jd_contact_def *c = def_of(p, i);
    jd_cells *cells = &p->system.cells[i];
    jd_element e;
    JD_TRY(jd_law_element_of(p->built, &c->law, &e));
    bool list = c->at.points || (c->against.kind == JD_PLACE && c->against.place.points);
    JD_TRY(list ? cut_list(p, c, &e, cells) : cut_span(p, c, &e, cells));
    for (int k = 0; k < cells->n; k++) {
        JD_TRY(jd_system_turn(p, cells->row[k]));
        if (e.normal && !cells->normal[k])
            cells->normal[k] = cells->row[k];
        else if (cells->normal[k])
            JD_TRY(jd_system_turn(p, cells->normal[k]));
    }
    return JD_OK;
}

// Numbers of the sliders times their shares, in memory of their own.
static jd_status scale(jd_arena *arena, jd_element *e, double weight, double size) {
    double *number = JD_TAKE(arena, double, 3 * e->sliders + 1);
    JD_TRY(jd_arena_status(arena));
    bool given = e->source == JD_NORMAL_GIVEN;
    for (int s = 0; s < e->sliders; s++) {
        number[s] = e->limit[s] * (given ? weight : 1);
        number[e->sliders + s] = e->hold[s] * (given ? weight : 1);
        number[2 * e->sliders + s] = e->stiffness[s] * size;
    }
    e->limit = number;
    e->hold = number + e->sliders;
    e->stiffness = number + 2 * e->sliders;
    if (given && !(weight > 0)) e->sliders = 0; // nothing rubs where the profile is 0
    e->slope *= size;
    e->kn *= size;
    e->cn *= size;
    return JD_OK;
}

jd_status jd_cell_element(const jd_problem *p, jd_arena *arena, int contact, int cell,
                          jd_element *out) {
    const jd_contact_def *c = jd_problem_contact(p, contact)->def;
    const jd_cells *cells = &jd_problem_system(p)->cells[contact];
    JD_TRY(jd_law_element_of(arena, &c->law, out));
    if (!cells->position) return JD_OK;
    jd_friction law;
    JD_TRY(jd_law_friction_of(arena, &c->law, &law));
    double size = cells->length[cell], weight = size;
    if (cells->left && law.profile)
        weight = jd_profile_between(law.profile, cells->left[cell], cells->left[cell] + size);
    return scale(arena, out, weight, size);
}

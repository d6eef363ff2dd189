// rest.c -- contacts of a problem for the path of loads: rows, compliance, where all begin.
#include "problem/contacts/rest.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "problem/contacts/cells.h"

bool jd_rest_needed(const jd_problem *p) {
    const unsigned springs =
        JD_LAW_SPRING | JD_LAW_ELASTIC | JD_LAW_NORMAL | JD_LAW_PARALLEL | JD_LAW_SMOOTH;
    const jd_system *y = jd_problem_system(p);
    for (int i = 0; i < y->n_contact; i++) {
        const jd_contact_def *c = jd_problem_contact(p, i)->def;
        unsigned some = y->cells[i].position ? springs | JD_LAW_STOP : springs;
        if (y->cells[i].n > 0 && (jd_law_traits(&c->law) & some)) return true;
    }
    return false;
}

static int add_row(jd_rest *s, const jd_dd *row, bool tangential) {
    s->row[s->n_row] = row;
    s->tangential[s->n_row] = tangential;
    return s->n_row++;
}

static void add_normal(jd_rest *s, int contact, int cell, const jd_dd *row, const jd_element *e) {
    int at = add_row(s, row, false);
    for (int side = 0; side < (e->both ? 2 : 1); side++) {
        double p = e->gap < 0 ? 0 : -e->gap; // preloads grow with the loads
        s->normal[s->n_normal++] = (jd_rest_normal){.contact = contact,
                                                    .cell = cell,
                                                    .row = at,
                                                    .side = side ? -1 : 1,
                                                    .gap = e->gap,
                                                    .kn = e->kn,
                                                    .p = p,
                                                    .closed = p == 0,
                                                    .edge = p == 0};
    }
}

// The limits at the start; one that swings has its value at time 0.
static void add_sliders(jd_rest *s, int contact, int cell, const jd_dd *row, const jd_element *e) {
    int at = add_row(s, row, true);
    double now = 1 + e->swing * cos(e->swing_phase);
    if (e->swing == 0) now = 1;
    for (int i = 0; i < e->sliders; i++)
        s->slider[s->n_slider++] = (jd_rest_slider){.contact = contact,
                                                    .cell = cell,
                                                    .row = at,
                                                    .pressed = -1,
                                                    .limit = e->limit[i] * fmax(now, 0),
                                                    .hold = e->hold[i] * fmax(now, 0),
                                                    .kt = e->stiffness[i],
                                                    .state = now > 0 ? 0 : JD_REST_FREE};
}

// Which normal part presses the sliders of a contact; all rows are there.
static void find_pressing(jd_rest *s, const jd_element *e, int contact, int cell) {
    if (e->source == JD_NORMAL_GIVEN) return;
    for (int j = 0; j < s->n_slider; j++) {
        jd_rest_slider *d = &s->slider[j];
        if (d->contact != contact || d->cell != cell) continue;
        for (int a = 0; a < s->n_normal; a++) {
            int other = s->normal[a].contact;
            const char *name = jd_problem_contact(s->problem, other)->name;
            bool own = other == contact && s->normal[a].cell == cell;
            bool fits = e->source == JD_NORMAL_OWN ? own : !strcmp(name, e->other);
            if (fits) d->pressed = a;
        }
        bool closed = s->normal[d->pressed].closed;
        d->state = closed ? 0 : JD_REST_FREE;
        d->edge[0] = d->edge[1] = closed;
    }
}

static jd_status take(jd_arena *arena, jd_rest *s, const jd_system *y) {
    int rows = 0, sliders = 0;
    for (int i = 0; i < y->n_contact; i++) {
        const jd_contact_def *c = jd_problem_contact(s->problem, i)->def;
        jd_element e;
        JD_TRY(jd_law_element_of(arena, &c->law, &e));
        rows += 2 * y->cells[i].n;
        sliders += y->cells[i].n * e.sliders;
        if (!e.smooth && !e.with) continue;
        jd_fail(s->context, JD_NOT_SUPPORTED, "the equilibrium with the %s `%s` is not computed",
                e.smooth ? "nonlinear spring" : "friction in a plane of",
                jd_problem_contact(s->problem, i)->name);
        jd_fail_where(s->context, "start");
        jd_fail_hint(s->context, "give the start by `start: state`, or start from rest");
        return JD_NOT_SUPPORTED;
    }
    s->normal = JD_TAKE(arena, jd_rest_normal, rows);
    s->slider = JD_TAKE(arena, jd_rest_slider, sliders);
    s->row = JD_TAKE(arena, const jd_dd *, rows);
    s->tangential = JD_TAKE(arena, bool, rows);
    s->unknown = JD_TAKE(arena, int, rows);
    s->load = JD_TAKE(arena, double, s->n);
    s->rigid_mode = JD_TAKE(arena, int, s->n);
    return jd_arena_status(arena);
}

static jd_status take_scratch(jd_arena *arena, jd_rest *s) {
    s->n_unknown = s->n_normal;
    for (int b = 0; b < s->n_row; b++) s->unknown[b] = s->tangential[b] ? s->n_unknown++ : -1;
    s->n_unknown += s->n_rigid;
    size_t n = (size_t)s->n_unknown, rows = (size_t)s->n_row;
    s->C = JD_TAKE(arena, double, rows *rows + 1);
    s->rigid = JD_TAKE(arena, double, rows *(size_t)s->n_rigid + 1);
    s->A = JD_TAKE(arena, double, n *n + 1);
    s->x = JD_TAKE(arena, double, n + 1);
    s->work = JD_TAKE(arena, double, 5 * n + (size_t)s->n + 1);
    s->pivot = JD_TAKE(arena, int, n + 1);
    s->u = JD_TAKE(arena, double, rows + 1);
    s->u_rate = JD_TAKE(arena, double, rows + 1);
    s->step_u = JD_TAKE(arena, double, rows + 1);
    s->left = JD_TAKE(arena, double, rows + 1);
    s->r = JD_TAKE(arena, double, s->n_rigid + 1);
    s->step_r = JD_TAKE(arena, double, s->n_rigid + 1);
    return jd_arena_status(arena);
}

static void fill_compliance(jd_rest *s, const jd_modal *m) {
    for (int i = 0; i < s->n_row; i++) {
        for (int j = 0; j < s->n_row; j++) {
            double sum = 0;
            for (int k = 0; k < s->n; k++)
                if (m->omega2[k].hi > 0) sum += s->row[i][k].hi * s->row[j][k].hi / m->omega2[k].hi;
            s->C[(size_t)i * (size_t)s->n_row + (size_t)j] = sum;
        }
        for (int k = 0; k < s->n_rigid; k++)
            s->rigid[i * s->n_rigid + k] = s->row[i][s->rigid_mode[k]].hi;
    }
}

jd_status jd_rest_create(jd_arena *arena, const jd_problem *p, jd_rest **out) {
    const jd_system *y = jd_problem_system(p);
    jd_rest *s = *out = JD_TAKE(arena, jd_rest, 1);
    if (!s) return JD_OUT_OF_MEMORY;
    *s = (jd_rest){.context = p->context, .problem = p, .n = y->modal.n};
    JD_TRY(take(arena, s, y));
    for (int pass = 0; pass < 3; pass++) // normal parts, sliders, which presses which
        for (int i = 0; i < y->n_contact; i++)
            for (int k = 0; k < y->cells[i].n; k++) {
                jd_element e;
                JD_TRY(jd_cell_element(p, arena, i, k, &e));
                if (pass == 0 && e.normal) add_normal(s, i, k, y->cells[i].normal[k], &e);
                if (pass == 1 && e.sliders) add_sliders(s, i, k, y->cells[i].row[k], &e);
                if (pass == 2 && e.sliders) find_pressing(s, &e, i, k);
            }
    for (int k = 0; k < s->n; k++)
        if (!(y->modal.omega2[k].hi > 0)) s->rigid_mode[s->n_rigid++] = k;
    JD_TRY(take_scratch(arena, s));
    fill_compliance(s, &y->modal);
    return JD_OK;
}

void jd_rest_slide(jd_rest *s) {
    for (int j = 0; j < s->n_slider; j++) {
        jd_rest_slider *d = &s->slider[j];
        const jd_contact_def *c = jd_problem_contact(s->problem, d->contact)->def;
        double v = c->against.kind == JD_MOVING ? c->against.velocity : 0;
        if (v == 0 || d->state == JD_REST_FREE) {
            d->belt = v < 0 ? 1 : v > 0 ? -1 : 0;
            continue;
        }
        d->belt = d->state = v < 0 ? 1 : -1;
        d->edge[0] = d->edge[1] = false;
        if (d->pressed < 0) d->excess = -d->state * d->limit; // its force comes on from 0
    }
}

void jd_rest_coordinates(const jd_rest *s, double *q) {
    const jd_modal *m = &jd_problem_system(s->problem)->modal;
    for (int k = 0; k < s->n; k++) {
        double f = s->load[k];
        for (int a = 0; a < s->n_normal; a++)
            f -= s->normal[a].side * s->normal[a].N * s->row[s->normal[a].row][k].hi;
        for (int j = 0; j < s->n_slider; j++) f -= s->slider[j].T * s->row[s->slider[j].row][k].hi;
        q[k] = m->omega2[k].hi > 0 ? f / m->omega2[k].hi : 0;
    }
    for (int k = 0; k < s->n_rigid; k++) q[s->rigid_mode[k]] = s->r[k];
}

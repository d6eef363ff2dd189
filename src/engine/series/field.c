// field.c -- cells of contacts along spans and at several points: states, forces, losses, and what
// of their friction is stuck and mobilised.
#include <math.h>

#include "base/param_tools.h"
#include "engine/series/series.h"
#include "structure/modal.h"

static const jd_cells *cells_of(const series *s, int contact) {
    return &s->plan.system->cells[contact];
}

// 0 stuck (a stop: closed), 1 and -1 sliding, 2 open.
static double state_number(jd_contact_state state) {
    return state == JD_CONTACT_OPEN ? 2 : jd_contact_sign(state);
}

static void look(series *s) {
    double tau = jd_series_tau(s, s->run->t);
    series_scratch *x = &s->scratch;
    jd_series_motion(s, tau, x->q, x->p);
    jd_series_forces(s, tau, x->N, x->Nr, x->T, x->Tr);
}

// What the ledger has of each cell, up to the present time.
static const double *losses(series *s) {
    jd_ledger ledger;
    if (s->run->no_ledger) return NULL;
    jd_series_ledger_report(s, s->run->t, &ledger);
    return s->ledger.shown + s->plan.n_drive;
}

bool jd_series_interface(jd_run *run, int contact, jd_interface_field *out) {
    series *s = run->state;
    const jd_cells *cells = cells_of(s, contact);
    size_t m = (size_t)s->plan.m, from = (size_t)s->plan.whole.first[contact];
    double *number = s->field.number;
    if (!cells->position) return false;
    const double *loss = losses(s);
    look(s);
    for (int k = 0; k < cells->n; k++) {
        size_t j = from + (size_t)k;
        jd_series_look_cell(s, (int)j, run->t, &number[j], &number[m + j], &number[2 * m + j]);
        number[3 * m + j] = state_number(jd_series_state_of(s, (int)j, 0));
        number[4 * m + j] = loss ? loss[j] + loss[m + j] : 0;
    }
    *out = (jd_interface_field){.n = cells->n,
                                .position = cells->position,
                                .length = cells->length,
                                .displacement = number + from,
                                .velocity = number + m + from,
                                .force = number + 2 * m + from,
                                .state = number + 3 * m + from,
                                .loss = number + 4 * m + from,
                                .slip = s->field.count[contact][0],
                                .stick = s->field.count[contact][1],
                                .reversal = s->field.count[contact][2]};
    return true;
}

// A number of a body that is a line; 0: it has none.
static double number_of(const jd_object *body, const char *key) {
    const jd_param *p = jd_type_param(body->type, key);
    return p && p->kind == JD_KIND_REAL ? *JD_MEMBER_CONST(double, body->def, p) : 0;
}

// Shapes along a body; no modes: it is no line, or connected.
static series_line *line_of(series *s, int body) {
    series_line *line = &s->field.line[body];
    const jd_object *o = jd_problem_body(s->run->problem, body);
    const jd_structure *b = jd_problem_structure(s->run->problem, body);
    if (line->known) return line;
    line->known = true;
    bool fits =
        !s->plan.system->turn && jd_type_param(o->type, "length") && jd_structure_has_line(o->type);
    if (!fits ||
        jd_structure_line(s->run->arena, o->type, o->def, b->modal.n, &line->shape) != JD_OK)
        return line;
    int n = line->shape.n;
    double *room = JD_TAKE(s->run->arena, double, 3 * n);
    if (!room) return line;
    line->u = room;
    line->v = room + n;
    line->mass = room + 2 * n;
    for (int i = 0; i < n; i++)
        line->mass[i] = number_of(o, "mass_per_length") * number_of(o, "length") / n;
    return line;
}

bool jd_series_body(jd_run *run, int body, jd_body_field *out) {
    series *s = run->state;
    if (!jd_system_has_cells(s->plan.system)) return false;
    series_line *line = line_of(s, body);
    const jd_line *shape = &line->shape;
    if (!line->u) return false;
    jd_series_motion(s, jd_series_tau(s, run->t), s->scratch.q, s->scratch.p);
    int first = s->plan.system->own[body];
    for (int i = 0; i < shape->n; i++) {
        line->u[i] = line->v[i] = 0;
        for (int k = 0; k < shape->n_mode; k++) {
            line->u[i] += shape->value[k * shape->n + i] * s->scratch.q[first + k];
            line->v[i] += shape->value[k * shape->n + i] * s->scratch.p[first + k];
        }
    }
    *out = (jd_body_field){shape->n, shape->position, line->u, line->v, line->mass};
    return true;
}

// Largest friction of a slider at present.
static double limit_of(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    if (s->state.slide[i] == SERIES_FREE) return 0;
    return (s->state.slide[i] == 0 ? g->hold : g->limit) * s->scratch.N[g->normal];
}

bool jd_series_mobilised(jd_run *run, int contact, double *stuck, double *mobilised) {
    series *s = run->state;
    double held = 0, force = 0, all = 0;
    bool rubs = false;
    if (!cells_of(s, contact)->position) return false;
    look(s);
    for (int j = s->plan.whole.first[contact]; j < s->plan.whole.first[contact + 1]; j++)
        for (int k = 0; k < s->plan.contact[j].sliders; k++) {
            int i = s->plan.contact[j].first + k;
            double limit = limit_of(s, i);
            rubs = true;
            all += limit;
            force += s->scratch.T[i];
            if (s->state.slide[i] == 0) held += limit;
        }
    *stuck = all > 0 ? held / all : 1;
    *mobilised = all > 0 ? fabs(force) / all : 0;
    return rubs;
}

void jd_series_count_event(series *s, const jd_event *e) {
    int from = jd_contact_sign(e->from), to = jd_contact_sign(e->to);
    long *count = s->field.count[e->contact];
    if (e->impulse != 0) return;
    if (from != 0 && to == -from)
        count[2]++;
    else if (to != 0)
        count[0]++;
    else if (e->to == JD_CONTACT_STUCK)
        count[1]++;
}

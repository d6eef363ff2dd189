// problem.c -- the semi-discrete problem of a model: one rod on a grid, one in modes, one contact.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "engine/semi/semi.h"
#include "problem/interface.h"
#include "problem/parts.h"

enum { FEWEST_NODES = 3 };

static bool is_rod(const jd_object *body) { return !strcmp(body->type->name, "rod"); }

static const char *refuses_damping(const jd_object *body, bool finds_more) {
    const jd_type *damping = ((const jd_rod_def *)body->def)->damping.type;
    if (!damping || damping == &jd_damping_none) return NULL;
    if (!finds_more) return "a rod is damped";
    return damping == &jd_damping_rayleigh
               ? NULL
               : "a rod has damping ratios of modes; `rayleigh` damping is possible";
}

static const char *refuses_contact(const jd_problem *p, bool finds_more) {
    if (jd_problem_contacts(p) != 1) return "it takes exactly one contact, along a span";
    const jd_contact_def *c = jd_problem_contact(p, 0)->def;
    if (!jd_place_is_span(&c->at)) return "a contact is at a point, not along a span";
    const char *why =
        jd_law_refuses(&c->law, JD_LAW_FRICTION | JD_LAW_STATIC | (finds_more ? JD_LAW_SPRING : 0));
    if (why) return why;
    if (c->footprint != 0 && !finds_more) return "the footprint of a contact moves";
    if ((c->against.kind == JD_PLACE) != (jd_problem_bodies(p) == 2))
        return "both bodies, or the only one and the ground, must meet in the contact";
    return NULL;
}

static const char *refuses_drives(const jd_problem *p) {
    for (int d = 0; d < jd_problem_drives(p); d++) {
        const jd_drive_place *place = jd_problem_drive(p, d)->def;
        if (place->of != JD_DRIVE_FORCE) return "a drive shakes the supports";
        if (!place->at.point) return "a drive acts along a span";
    }
    return NULL;
}

const char *jd_semi_refuses(const jd_problem *p, bool finds_more) {
    if (jd_problem_bodies(p) > 2) return "there are more than two bodies";
    for (int b = 0; b < jd_problem_bodies(p); b++) {
        if (!is_rod(jd_problem_body(p, b))) return "a body is not of type `rod`";
        const char *why = refuses_damping(jd_problem_body(p, b), finds_more);
        if (why) return why;
    }
    const jd_type *start = jd_problem_start(p)->type;
    if (start && start != &jd_start_rest && start != &jd_start_restart)
        return "the motion does not start at rest";
    const char *why = refuses_contact(p, finds_more);
    return why ? why : refuses_drives(p);
}

static jd_status place_drive(jd_arena *arena, const jd_problem *p, jd_semi *y, int i) {
    jd_semi_drive *d = &y->drive[i];
    const jd_drive_place *place = jd_problem_drive(p, i)->def;
    int body = 0;
    double position = 0;
    JD_TRY(jd_problem_position(p, place->at.body, place->at.point, &body, &position));
    *d = (jd_semi_drive){.object = jd_problem_drive(p, i),
                         .omega = jd_problem_drive_frequency(p, i)};
    if (body == y->body[0]) {
        jd_semi_place(y, position, &d->node, d->weight);
        return JD_OK;
    }
    d->node = -1;
    d->modal = JD_TAKE(arena, double, y->stride);
    JD_TRY(jd_arena_status(arena));
    jd_semi_shape(y, position, d->modal);
    return JD_OK;
}

static jd_status check_nodes(const jd_problem *p, int nodes) {
    if (nodes >= FEWEST_NODES) return JD_OK;
    jd_fail(p->context, JD_OUT_OF_RANGE, "`nodes` is %d, but a rod on a grid needs at least %d",
            nodes, FEWEST_NODES);
    jd_fail_where(p->context, "simulate.nodes");
    jd_fail_hint(p->context, "304 nodes are good to about one percent");
    return JD_OUT_OF_RANGE;
}

static jd_status check_modes(const jd_problem *p, int body) {
    if (body < 0 || !p->bodies.part[body]->structure->infinite) return JD_OK;
    char path[256];
    jd_body_path(p->bodies.part[body], path, sizeof path);
    jd_fail(p->context, JD_NOT_SUPPORTED, "this engine keeps a number of modes, not `infinite`");
    jd_fail_where(p->context, "%s.modes", path);
    jd_fail_hint(p->context, "20 modes are enough where this body is the stiffer one");
    return JD_NOT_SUPPORTED;
}

// A node that is held has no motion to find: friction there cannot move the rod.
//   Against the ground the support takes the force, whatever it is: the cell is left out. Against
//   another body the force still acts on that one: the cell becomes a part of its neighbour, which
//   keeps the friction between the bodies. A counterpart that moves slides along it all the time.
static jd_status leave_out_held(const jd_problem *p, const jd_supports *ends, int nodes,
                                jd_interface *f) {
    bool low = f->first[0] == 0 && ends->left == JD_FIXED;
    bool high = f->first[0] + f->n == nodes && ends->right == JD_FIXED, merges = f->body[1] >= 0;
    if (f->velocity != 0 || !(low || high)) return JD_OK;
    if (f->n <= low + high) {
        const char *name = jd_problem_contact(p, f->contact)->name;
        jd_fail(p->context, JD_OUT_OF_RANGE,
                "the span of the contact `%s` has no node of the grid but the end that is held",
                name);
        jd_fail_where(p->context, "contacts.%s.at.span", name);
        jd_fail_hint(p->context, "give the grid more `nodes`, or make the span longer");
        return JD_OUT_OF_RANGE;
    }
    double *rows[] = {f->position, f->width,        f->left,     f->right,
                      f->limit,    f->static_limit, f->stiffness};
    if (low && merges) {
        f->limit[1] += f->limit[0];
        f->static_limit[1] += f->static_limit[0];
        f->stiffness[1] += f->stiffness[0];
        f->left[1] = f->left[0];
    }
    for (size_t i = 0; low && i < sizeof rows / sizeof *rows; i++)
        memmove(rows[i], rows[i] + 1, (size_t)(f->n - 1) * sizeof **rows);
    f->first[0] += low;
    f->n -= low + high;
    if (!high || !merges) return JD_OK;
    f->limit[f->n - 1] += f->limit[f->n];
    f->static_limit[f->n - 1] += f->static_limit[f->n];
    f->stiffness[f->n - 1] += f->stiffness[f->n];
    f->right[f->n - 1] = f->right[f->n];
    return JD_OK;
}

static void fill(const jd_interface *f, const jd_rod_def *rod, const jd_rod_def *counter,
                 jd_semi_def *d) {
    d->length = rod->length;
    d->axial_stiffness = rod->axial_stiffness;
    d->mass_per_length = rod->mass_per_length;
    d->supports = rod->supports;
    d->n_cell = f->n;
    d->first = f->first[0];
    d->left = f->left;
    d->right = f->right;
    d->limit = f->limit;
    d->static_limit = f->static_limit;
    d->stiffness = f->stiffness;
    d->velocity = f->velocity;
    d->shift = f->shift;
    d->counter = counter;
    d->modes = counter ? counter->modes : 0;
    const jd_rod_def *side[2] = {rod, counter};
    for (int i = 0; i < 2; i++) {
        bool damped = side[i] && side[i]->damping.type == &jd_damping_rayleigh;
        const jd_damping_rayleigh_def *c = damped ? side[i]->damping.def : NULL;
        d->damping[i][0] = c ? c->mass : 0;
        d->damping[i][1] = c ? c->stiffness : 0;
    }
}

// Cells that will be moved: what of the rod each is, the law per length.
static jd_status plan_footprint(jd_arena *arena, const jd_problem *p, const jd_interface *f,
                                jd_semi *y) {
    static const jd_profile even = {0};
    jd_semi_footprint *m = &y->footprint;
    jd_friction law;
    JD_TRY(jd_law_friction_of(arena, &((const jd_contact_def *)jd_problem_contact(p, 0)->def)->law,
                              &law));
    m->moves = true;
    m->from = f->from;
    m->shift = f->shift;
    m->limit = law.limit;
    m->static_ratio = law.limit > 0 ? law.hold / law.limit : 1;
    m->profile = law.profile ? law.profile : &even;
    m->low = JD_TAKE(arena, double, y->n_cell);
    m->high = JD_TAKE(arena, double, y->n_cell);
    m->way = JD_TAKE(arena, double, y->n_cell);
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < y->n_cell; j++) {
        int i = y->first + j;
        m->low[j] = fmax((i - 0.5) * y->step, 0);
        m->high[j] = fmin(fmin(i + 0.5, y->n - 1.0) * y->step, f->to);
        jd_semi_put(y, j, 0);
    }
    return JD_OK;
}

jd_status jd_semi_of_problem(jd_arena *arena, const jd_problem *p, jd_semi *y) {
    const jd_simulate_def *simulate = jd_problem_section(p, JD_SIMULATE, NULL);
    const jd_contact_def *c = jd_problem_contact(p, 0)->def;
    jd_semi_def d = {.nodes = simulate->nodes, .drives = jd_problem_drives(p)};
    jd_grid grid[2] = {{0}};
    jd_interface *f;
    int body = 0;
    JD_TRY(check_nodes(p, d.nodes));
    if (c->at.body) JD_TRY(jd_problem_find_body(p, c->at.body, &body));
    const jd_rod_def *rod = jd_problem_body(p, body)->def;
    grid[body] =
        (jd_grid){.n = d.nodes, .step = rod->length / (d.nodes - 1), .length = rod->length};
    JD_TRY(jd_interface_create(arena, p, 0, grid, &f));
    JD_TRY(leave_out_held(p, &rod->supports, d.nodes, f));
    JD_TRY(check_modes(p, f->body[1]));
    fill(f, rod, f->body[1] >= 0 ? jd_problem_body(p, f->body[1])->def : NULL, &d);
    JD_TRY(jd_semi_create(arena, &d, y));
    y->body[0] = f->body[0];
    y->body[1] = f->body[1];
    if (f->moving) JD_TRY(plan_footprint(arena, p, f, y));
    for (int i = 0; i < y->n_drive; i++) JD_TRY(place_drive(arena, p, y, i));
    return JD_OK;
}

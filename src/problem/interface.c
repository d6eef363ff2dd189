// interface.c -- cuts contacts along spans into cells, and integrates their friction over each.
#include "problem/interface.h"

#include <math.h>

#include "contact/law.h"
#include "problem/parts.h"
#include "structure/classes.h"

static const double sliver = 1e-9; // of a cell: shorter overlaps are rounding

static const jd_contact_def *contact_def(const jd_problem *p, int contact) {
    return p->contacts.part[contact]->object.def;
}

bool jd_body_is_mass(const jd_object *body) {
    if (body->type != &jd_chain_class.type) return false;
    const jd_chain_def *d = body->def;
    return d->count == 1 && d->supports.left == JD_FREE && d->supports.right == JD_FREE;
}

jd_status jd_problem_position(const jd_problem *p, const char *body, const char *point,
                              int *body_index, double *position) {
    int index = 0;
    JD_TRY(jd_problem_find_point(p, body, point, body_index, &index));
    const jd_object *o = &p->bodies.part[*body_index]->object;
    const jd_param *param = jd_type_param(o->type, "points");
    const jd_points *points = param ? JD_MEMBER_CONST(jd_points, o->def, param) : NULL;
    *position = points && index < points->n ? points->point[index].position : (double)NAN;
    if (jd_body_is_mass(o)) *position = 0;
    if (!isnan(*position)) return JD_OK;
    return jd_fail(p->context, JD_NOT_SUPPORTED, "the point `%s` has no position on its body",
                   point);
}

// Body and both ends of a place; a point is a span of no length.
static jd_status find_place(const jd_problem *p, const jd_place *place, int *body, double *from,
                            double *to) {
    if (!jd_place_is_span(place)) {
        JD_TRY(jd_problem_position(p, place->body, place->point, body, from));
        *to = *from;
        return JD_OK;
    }
    *body = 0;
    *from = place->from;
    *to = place->to;
    return place->body ? jd_problem_find_body(p, place->body, body) : JD_OK;
}

static jd_status find_sides(const jd_problem *p, jd_interface *f) {
    const jd_contact_def *c = contact_def(p, f->contact);
    double from = 0, to = 0;
    f->traits = jd_law_traits(&c->law);
    f->moving = c->footprint == 1 && jd_place_is_span(&c->at);
    f->body[1] = -1;
    JD_TRY(find_place(p, &c->at, &f->body[0], &f->from, &f->to));
    if (c->against.kind == JD_MOVING) f->velocity = c->against.velocity;
    if (c->against.kind != JD_PLACE) return JD_OK;
    JD_TRY(find_place(p, &c->against.place, &f->body[1], &from, &to));
    f->shift = from - f->from;
    return JD_OK;
}

double jd_grid_left(const jd_grid *g, int i) {
    if (g->at) return i > 0 ? 0.5 * (g->at[i - 1] + g->at[i]) : 0;
    return fmax(g->first + (i - 0.5) * g->step, 0);
}

double jd_grid_right(const jd_grid *g, int i) {
    if (g->at) return i < g->n - 1 ? 0.5 * (g->at[i] + g->at[i + 1]) : g->length;
    return fmin(g->first + (i + 0.5) * g->step, g->length);
}

double jd_grid_place(const jd_grid *g, double x) {
    int low = 0, high = g->n - 1;
    if (!g->at) return fmin(fmax((x - g->first) / g->step, 0), high);
    if (x <= g->at[0]) return 0;
    if (x >= g->at[high]) return high;
    while (high - low > 1) {
        int mid = (low + high) / 2;
        if (g->at[mid] <= x)
            low = mid;
        else
            high = mid;
    }
    return low + (x - g->at[low]) / (g->at[high] - g->at[low]);
}

int jd_grid_near(const jd_grid *g, double x) { return (int)lround(jd_grid_place(g, x)); }

// Nodes whose cells reach into the span; of a point the nearest node. A structure that moves
// through a span takes all nodes before it along.
static void find_nodes(const jd_grid *g, const jd_interface *f, int *low, int *high) {
    double slack = sliver * g->step;
    if (f->from == f->to) {
        *low = *high = jd_grid_near(g, f->from);
        return;
    }
    *low = 0;
    *high = g->n - 1;
    while (*low < g->n - 1 && jd_grid_right(g, *low) <= f->from + slack) ++*low;
    while (*high > *low && jd_grid_left(g, *high) >= f->to - slack) --*high;
    if (f->moving) *low = 0;
}

static jd_status match_nodes(const jd_problem *p, const jd_grid *grid, jd_interface *f) {
    f->first[1] = -1;
    if (f->body[1] < 0 || grid[f->body[1]].n == 0) return JD_OK;
    const jd_grid *a = &grid[f->body[0]], *b = &grid[f->body[1]];
    bool point = f->from == f->to, even = !a->at && !b->at;
    double at = (f->position[0] + f->shift - b->first) / b->step, node = round(at);
    if (point) at = node = jd_grid_near(b, f->position[0] + f->shift);
    f->first[1] = (int)node;
    bool same = point || (even && fabs(a->step - b->step) <= 1e-9 * a->step / f->n);
    if (f->moving || !same) {
        f->first[1] = -1;
        return JD_OK;
    }
    bool meets = fabs(at - node) <= 1e-6;
    if (meets && node >= 0 && node + f->n <= b->n) return JD_OK;
    jd_fail(p->context, JD_NOT_SUPPORTED,
            "the grids of the two bodies of contact `%s` do not match node by node",
            p->contacts.part[f->contact]->object.name);
    jd_fail_where(p->context, "contacts.%s", p->contacts.part[f->contact]->object.name);
    jd_fail_hint(p->context, "along a contact both rods need the same wave speed: try another "
                             "number of nodes, or the engine taylor");
    return JD_NOT_SUPPORTED;
}

static jd_status fill_limits(jd_arena *arena, const jd_problem *p, jd_interface *f) {
    jd_friction law;
    JD_TRY(jd_law_friction_of(arena, &contact_def(p, f->contact)->law, &law));
    const jd_profile even = {0}, *profile = law.profile ? law.profile : &even;
    bool point = f->from == f->to;
    if (!point && !f->moving && jd_profile_within(p->context, profile, f->to - f->from) != JD_OK) {
        jd_fail_where(p->context, "contacts.%s", p->contacts.part[f->contact]->object.name);
        return JD_OUT_OF_RANGE;
    }
    for (int j = 0; j < f->n; j++) {
        double a = f->left[j] - f->from, b = f->right[j] - f->from;
        double size = point ? 1 : f->moving ? f->width[j] : b - a; // the others come in later
        double weight = point ? 1 : jd_profile_between(profile, a, b);
        f->limit[j] = law.limit * weight;
        f->static_limit[j] = law.hold * weight;
        f->stiffness[j] = law.stiffness * size;
    }
    return JD_OK;
}

static void fill_cells(const jd_grid *g, jd_interface *f) {
    for (int j = 0; j < f->n; j++) {
        int i = f->first[0] + j;
        f->position[j] = jd_grid_at(g, i);
        f->width[j] = jd_grid_right(g, i) - jd_grid_left(g, i);
        f->left[j] = fmax(jd_grid_left(g, i), f->from);
        f->right[j] = fmin(jd_grid_right(g, i), f->to);
        if (f->right[j] < f->left[j]) f->right[j] = f->left[j]; // before a span that is moved into
    }
}

jd_status jd_interface_create(jd_arena *arena, const jd_problem *p, int contact,
                              const jd_grid *grid, jd_interface **out) {
    jd_interface *f = JD_TAKE(arena, jd_interface, 1);
    JD_TRY(jd_arena_status(arena));
    *f = (jd_interface){.contact = contact};
    JD_TRY(find_sides(p, f));
    const jd_grid *g = &grid[f->body[0]];
    int high;
    find_nodes(g, f, &f->first[0], &high);
    f->n = high - f->first[0] + 1;
    f->position = JD_TAKE(arena, double, f->n);
    f->width = JD_TAKE(arena, double, f->n);
    f->left = JD_TAKE(arena, double, f->n);
    f->right = JD_TAKE(arena, double, f->n);
    f->limit = JD_TAKE(arena, double, f->n);
    f->static_limit = JD_TAKE(arena, double, f->n);
    f->stiffness = JD_TAKE(arena, double, f->n);
    JD_TRY(jd_arena_status(arena));
    fill_cells(g, f);
    JD_TRY(fill_limits(arena, p, f));
    *out = f;
    return match_nodes(p, grid, f);
}

// grid.c -- grids on which every rod is crossed in whole steps of one time step.
//   The first body has `nodes` nodes, its ends on nodes: h = L/(nodes - 1), dt = h/c. Another body
//   has h = c dt, its left end on a node or half-way between two, whichever meets the nodes of the
//   body it touches, and its right end likewise; anything else does not fit. A body of another
//   wave speed, or that is moved along, need not meet nodes; where its length does not fit either,
//   its step is the next longer one that does, and waves in it are no longer exact: their speed at
//   wave number k is off by (1 - (c dt/h)^2) (k h)^2/24.
#include <math.h>

#include "base/param_tools.h"
#include "engine/wave/wave.h"

static const double fit = 1e-6; // of a step: what rounding of given lengths may do

double jd_wave_number(const jd_object *body, const char *key) {
    const jd_param *p = jd_type_param(body->type, key);
    return p && p->kind == JD_KIND_REAL ? *JD_MEMBER_CONST(double, body->def, p) : 0;
}

double jd_wave_speed(const jd_object *body) {
    double tension = jd_wave_number(body, "axial_stiffness") + jd_wave_number(body, "tension");
    return sqrt(tension / jd_wave_number(body, "mass_per_length"));
}

// Nearest multiple of a half; its distance in *off.
static double halves(double x, double *off) {
    double y = round(2 * x) / 2;
    *off = fabs(x - y);
    return y;
}

static int body_of(const jd_problem *p, const jd_place *place) {
    for (int b = 0; place->body && b < jd_problem_bodies(p); b++) {
        const char *a = jd_problem_body(p, b)->name, *c = place->body;
        while (*a && *a == *c) a++, c++;
        if (!*a && !*c) return b;
    }
    return 0;
}

// Where node 0 of `to` lies so that its nodes meet those of `from` across the contact.
static bool meet(const jd_grid *from, double from_at, double to_at, jd_grid *to) {
    double off, x = halves((from->first + to_at - from_at) / to->step, &off);
    to->first = (x - floor(x)) * to->step;
    return off <= fit * (1 + fabs(x));
}

static bool alike(double step, double other) { return fabs(step - other) <= 1e-9 * step; }

static bool spread(const jd_problem *p, bool *known, jd_grid *grid, int *culprit) {
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (c->against.kind != JD_PLACE || !jd_place_is_span(&c->at)) continue;
        const jd_place *side[2] = {&c->at, &c->against.place};
        int b[2] = {body_of(p, side[0]), body_of(p, side[1])};
        if (known[b[0]] == known[b[1]]) continue;
        int from = known[b[0]] ? 0 : 1, to = 1 - from;
        *culprit = b[to];
        // cells that move, or of another step, lie across its nodes
        if (c->footprint == 1 || !alike(grid[b[0]].step, grid[b[1]].step)) continue;
        if (jd_wave_stepped(jd_problem_body(p, b[0])) || jd_wave_stepped(jd_problem_body(p, b[1])))
            continue;
        if (!meet(&grid[b[from]], side[from]->from, side[to]->from, &grid[b[to]])) return false;
        known[b[to]] = true;
        j = -1; // from the start: others may be reached now
    }
    return true;
}

static bool close_right(jd_grid *g) {
    double off, r = halves((g->length - g->first) / g->step, &off);
    g->n = (int)floor(r) + 1;
    return off <= fit * (1 + r) && r > 0;
}

// A rod that need not meet others node by node, and whose length does not fit: whole steps of at
// least c dt.
static bool close_slower(jd_grid *g) {
    int whole = (int)floor(g->length / g->step * (1 + fit));
    if (whole < 1) return false;
    *g = (jd_grid){.n = whole + 1, .step = g->length / whole, .length = g->length};
    return true;
}

// A rod of sections: whole steps in each.
static const char *close_sections(const jd_stepped_rod_def *d, double dt, jd_grid *g) {
    *g = (jd_grid){.n = jd_sections_nodes(d, dt), .step = HUGE_VAL, .length = d->length};
    return g->n > 0 ? NULL : "a section is shorter than a step";
}

static double step_in_time(const jd_object *body, int nodes) {
    const jd_stepped_rod_def *d = jd_wave_stepped(body);
    if (d) return jd_sections_time(d) / (nodes - 1);
    return jd_wave_number(body, "length") / ((nodes - 1) * jd_wave_speed(body));
}

// Grids of all bodies for so many nodes on the first one; NULL, or what does not fit.
static const char *grids(const jd_problem *p, int nodes, jd_grid *grid, bool *known, int *culprit) {
    double dt = 0;
    int lead = -1; // the first rod
    for (int b = 0; b < jd_problem_bodies(p); b++) {
        const jd_object *o = jd_problem_body(p, b);
        grid[b] = (jd_grid){.n = 1, .step = 1};
        known[b] = true;
        if (jd_body_is_mass(o)) continue;
        double l = jd_wave_number(o, "length"), c = jd_wave_speed(o);
        if (lead < 0) dt = step_in_time(o, nodes);
        grid[b] = (jd_grid){.step = lead < 0 ? l / (nodes - 1) : c * dt, .length = l};
        known[b] = lead < 0;
        if (lead < 0) lead = b;
    }
    *culprit = lead;
    grid[lead].n = nodes;
    if (!spread(p, known, grid, culprit)) return "its nodes do not meet those of the other body";
    for (int b = lead; b < jd_problem_bodies(p); b++) {
        const jd_stepped_rod_def *d = jd_wave_stepped(jd_problem_body(p, b));
        const char *why = d ? close_sections(d, dt, &grid[b]) : NULL;
        *culprit = b;
        if (why) return why;
        if (d || b == lead) continue;
        if (grid[b].n == 1 && grid[b].length == 0) continue; // a single mass
        if (close_right(&grid[b])) continue;
        if (known[b]) return "its length is not a whole or half number of steps";
        if (!close_slower(&grid[b])) return "it is shorter than a step";
    }
    return NULL;
}

int jd_wave_nodes_near(const jd_problem *p, int nodes, jd_arena *arena) {
    int n = jd_problem_bodies(p), culprit;
    jd_grid *grid = JD_TAKE(arena, jd_grid, n);
    bool *known = JD_TAKE(arena, bool, n);
    if (jd_arena_status(arena) != JD_OK) return 0;
    for (int i = 0; i < 4000; i++) {
        if (!grids(p, nodes + i, grid, known, &culprit)) return nodes + i;
        if (nodes - i >= 2 && !grids(p, nodes - i, grid, known, &culprit)) return nodes - i;
    }
    return 0;
}

// Time step, and places of the nodes of rods of sections.
static jd_status take_places(jd_run *run, int nodes, jd_grid *grid, double *dt) {
    int lead = 0;
    while (jd_body_is_mass(jd_problem_body(run->problem, lead))) lead++;
    const jd_object *first = jd_problem_body(run->problem, lead);
    *dt = jd_wave_stepped(first) ? step_in_time(first, nodes)
                                 : grid[lead].step / jd_wave_speed(first);
    for (int b = 0; b < jd_problem_bodies(run->problem); b++) {
        const jd_stepped_rod_def *d = jd_wave_stepped(jd_problem_body(run->problem, b));
        if (d) JD_TRY(jd_sections_place(run->arena, d, *dt, &grid[b]));
    }
    return JD_OK;
}

jd_status jd_wave_fit(jd_run *run, int nodes, jd_grid *grid, double *dt) {
    int culprit, n = jd_problem_bodies(run->problem);
    bool *known = JD_TAKE(run->arena, bool, n);
    JD_TRY(jd_arena_status(run->arena));
    const char *why = grids(run->problem, nodes, grid, known, &culprit);
    if (!why) return take_places(run, nodes, grid, dt);
    const jd_grid *g = &grid[culprit];
    jd_fail(run->context, JD_NOT_SUPPORTED,
            "with %d nodes on the first body, `%s` does not fit on a grid: %s (length %.10g, step "
            "%.10g)",
            nodes, jd_problem_body(run->problem, culprit)->name, why, g->length, g->step);
    jd_fail_where(run->context, "simulate.nodes");
    int near = jd_wave_nodes_near(run->problem, nodes, run->arena);
    if (near)
        jd_fail_hint(run->context, "`nodes: %d` fits", near);
    else
        jd_fail_hint(run->context, "lengths and spans must be whole multiples of one step; the "
                                   "engine taylor needs no matching grids");
    return JD_NOT_SUPPORTED;
}

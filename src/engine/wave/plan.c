// plan.c -- grids, masses, contacts, loads and probes of a march; all memory is taken here.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "engine/wave/wave.h"
#include "problem/parts.h"

static double *reals(const march *m, int n) { return JD_TAKE(m->arena, double, n); }

static void read_damping(const jd_object *body, rod *r) {
    const jd_param *p = jd_type_param(body->type, "damping");
    const jd_object *o = p ? JD_MEMBER_CONST(jd_object, body->def, p) : NULL;
    if (!o || o->type != &jd_damping_rayleigh) return;
    const jd_damping_rayleigh_def *d = o->def;
    r->alpha = d->mass;
    r->beta = d->stiffness;
}

static void read_ends(const jd_object *body, rod *r) {
    const jd_supports *ends =
        JD_MEMBER_CONST(jd_supports, body->def, jd_type_param(body->type, "supports"));
    const jd_grid *g = &r->grid;
    bool node[2] = {g->first<0.25 * g->step, jd_grid_at(g, g->n - 1)> g->length - 0.25 * g->step};
    r->fixed[0] = ends->left != JD_FREE;
    r->fixed[1] = ends->right != JD_FREE;
    r->mirror[0] = node[0] ? 1 : 0;
    r->mirror[1] = node[1] ? g->n - 2 : g->n - 1;
    for (int i = 0; i < 2; i++) r->sign[i] = r->fixed[i] ? -1 : 1;
    for (int i = 0; i < g->n; i++) {
        bool end = (i == 0 && node[0]) || (i == g->n - 1 && node[1]);
        bool held = (i == 0 && node[0] && r->fixed[0]) || (i == g->n - 1 && node[1] && r->fixed[1]);
        if (!r->uneven) r->mass[i] = r->cell_mass * (end ? 0.5 : 1);
        r->weight[i] = held ? 0 : 1 / r->mass[i];
        r->position[i] = jd_grid_at(g, i);
    }
}

// A single mass is a rod of one node: both its ghosts are itself, so that it flies straight on.
static void plan_mass(march *m, const jd_object *body, rod *r) {
    const jd_chain_def *d = body->def;
    r->sign[0] = r->sign[1] = r->ratio = 1;
    r->cell_mass = r->mass[0] = d->mass.value[0];
    r->weight[0] = m->dt * m->dt / r->mass[0];
}

static jd_status plan_rod(march *m, int b) {
    rod *r = &m->rods[b];
    const jd_object *body = jd_problem_body(m->run->problem, b);
    int n = m->grid[b].n;
    r->grid = m->grid[b];
    r->weight = reals(m, n), r->mass = reals(m, n);
    r->position = reals(m, n), r->velocity = reals(m, n), r->shown = reals(m, n);
    double *level[4];
    for (int i = 0; i < 4; i++) level[i] = reals(m, n + 16); // node 0 stays aligned
    JD_TRY(jd_arena_status(m->arena));
    r->u = level[0] + 8, r->old = level[1] + 8, r->new = level[2] + 8, r->past = level[3] + 8;
    if (jd_body_is_mass(body)) {
        plan_mass(m, body, r);
        return JD_OK;
    }
    r->stiffness = jd_wave_number(body, "axial_stiffness") + jd_wave_number(body, "tension");
    r->density = jd_wave_number(body, "mass_per_length");
    r->spring = r->stiffness / r->grid.step;
    r->cell_mass = r->density * r->grid.step;
    r->ratio = jd_wave_speed(body) * m->dt / r->grid.step;
    r->ratio = fabs(r->ratio - 1) <= 1e-9 ? 1 : r->ratio * r->ratio;
    if (r->grid.at) JD_TRY(jd_sections_plan(m, r, jd_wave_stepped(body)));
    read_ends(body, r);
    read_damping(body, r);
    for (int i = 0; i < n; i++) r->weight[i] *= m->dt * m->dt;
    m->damped = m->damped || r->alpha > 0 || r->beta > 0;
    return JD_OK;
}

// Friction up to x from the start of the span: between two breakpoints a parabola. `near` is where
// the last search ended.
static inline double friction_to(const footprint *f, double x, int *near) {
    if (x <= 0) return 0;
    int i = *near;
    while (i > 0 && x < f->knot[i]) i--;
    while (i + 1 < f->n && x >= f->knot[i + 1]) i++;
    *near = i;
    double y = x - f->knot[i];
    return f->sum[i] + y * (f->value[i] + 0.5 * y * f->slope[i]);
}

double jd_skin_friction(const skin *k, double x, int *near) {
    return friction_to(&k->footprint, x, near);
}

void jd_skin_limits(skin *k) {
    const footprint f = k->footprint;
    const double *moved = k->a->u + k->ia, *per = k->per;
    double *most = k->most, *hold = k->hold, from = k->cells->from;
    int near = 0;
    if (k->cross) {
        jd_cross_place(k);
        return;
    }
    for (int j = 0; j < k->n; j++) {
        double u = moved[j] - from, before = friction_to(&f, f.left[j] + u, &near);
        double limit = friction_to(&f, f.right[j] + u, &near) - before;
        most[j] = per[j] > 0 ? limit / per[j] : 0;
        hold[j] = f.static_ratio * most[j];
    }
}

meeting jd_skin_meets(const skin *k, int cell) {
    if (k->grounded) return (meeting){.n = 0};
    if (k->cross) return k->cross->at[cell];
    return (meeting){k->ib + cell, 1, {1}};
}

// Breakpoints of the profile from 0 on; the last piece goes on for ever.
static jd_status plan_profile(march *m, skin *k) {
    const jd_contact_def *c = jd_problem_contact(k->problem, k->cells->contact)->def;
    jd_friction law;
    JD_TRY(jd_law_friction_of(m->arena, &c->law, &law));
    const jd_profile none = {0}, *profile = law.profile ? law.profile : &none;
    const jd_reals *at = &profile->at, *factor = &profile->factor;
    k->footprint.knot = reals(m, at->n + 2), k->footprint.sum = reals(m, at->n + 2);
    k->footprint.value = reals(m, at->n + 2), k->footprint.slope = reals(m, at->n + 2);
    JD_TRY(jd_arena_status(m->arena));
    k->footprint.static_ratio = law.hold == law.limit || law.limit == 0 ? 1 : law.hold / law.limit;
    int n = 1;
    k->footprint.value[0] = law.limit * (at->n ? factor->value[0] : 1);
    for (int i = 0; i < at->n; i++) {
        if (at->value[i] > 0) k->footprint.knot[n++] = at->value[i];
        k->footprint.value[n - 1] = law.limit * factor->value[i];
    }
    for (int i = 0; i + 1 < n; i++) {
        double h = k->footprint.knot[i + 1] - k->footprint.knot[i];
        k->footprint.slope[i] = (k->footprint.value[i + 1] - k->footprint.value[i]) / h;
        k->footprint.sum[i + 1] =
            k->footprint.sum[i] + 0.5 * h * (k->footprint.value[i] + k->footprint.value[i + 1]);
    }
    k->footprint.n = n;
    return JD_OK;
}

static jd_status plan_cells(march *m, skin *k) {
    const jd_grid *g = &k->a->grid;
    double *left = k->footprint.left = reals(m, k->n), *right = k->footprint.right = reals(m, k->n);
    JD_TRY(jd_arena_status(m->arena));
    for (int j = 0; j < k->n; j++) {
        double z = k->cells->position[j];
        left[j] = g->at ? jd_grid_left(g, k->ia + j) : fmax(z - 0.5 * g->step, 0);
        right[j] = g->at ? jd_grid_right(g, k->ia + j) : fmin(z + 0.5 * g->step, g->length);
    }
    return JD_OK;
}

static void fill_skin(skin *k) {
    const jd_interface *f = k->cells;
    for (int j = 0; j < k->n; j++) {
        double wa = k->a->weight[k->ia + j], wb = k->grounded ? 0 : k->b->weight[k->ib + j];
        double w = wa + wb, soft = 0.5 * f->stiffness[j] * w;
        k->per[j] = w > 0 ? 1 / w : 0;
        k->ra[j] = w > 0 ? wa / w : 0;
        k->rb[j] = w > 0 ? wb / w : 0;
        k->most[j] = f->limit[j] * w;
        k->hold[j] = f->static_limit[j] * w;
        k->give[j] = f->stiffness[j] > 0 ? soft / (1 + soft) : 1;
        k->back[j] = soft > 0 ? 1 / soft : 0;
        k->field.length[j] = f->right[j] - f->left[j];
        k->soft = k->soft || f->stiffness[j] > 0;
        k->sticky = k->sticky || f->static_limit[j] > f->limit[j];
    }
}

static jd_status check_rule(const march *m, const skin *k) {
    if (!m->trapezoidal || !(k->soft || k->sticky || k->cells->moving)) return JD_OK;
    jd_fail(m->run->context, JD_NOT_SUPPORTED,
            "the trapezoidal rule takes no contact stiffness, static limit or moving footprint, "
            "but contact `%s` has one",
            jd_problem_contact(m->run->problem, k->cells->contact)->name);
    jd_fail_where(m->run->context, "simulate.friction_rule");
    jd_fail_hint(m->run->context, "the centred rule takes them all");
    return JD_NOT_SUPPORTED;
}

static jd_status plan_skin(march *m, jd_interface *f, skin *k) {
    int n = f->n;
    *k = (skin){.problem = m->run->problem, .cells = f, .n = n, .high = n};
    k->a = &m->rods[f->body[0]];
    k->b = f->body[1] >= 0 ? &m->rods[f->body[1]] : NULL;
    k->ia = f->first[0];
    k->ib = f->first[1] >= 0 ? f->first[1] : 0;
    k->grounded = !k->b;
    k->belt = 2 * m->dt * f->velocity;
    double **all[] = {&k->per,
                      &k->ra,
                      &k->rb,
                      &k->most,
                      &k->hold,
                      &k->give,
                      &k->back,
                      &k->state.stretch,
                      &k->state.stretch_old,
                      &k->state.half,
                      &k->state.s,
                      &k->state.d,
                      &k->state.s_before,
                      &k->state.d_before,
                      &k->state.audited,
                      &k->state.slide,
                      &k->ledger.loss,
                      &k->ledger.slips,
                      &k->ledger.sticks,
                      &k->ledger.impulse,
                      &k->ledger.reversals,
                      &k->ledger.fed,
                      &k->counted,
                      &k->field.length,
                      &k->field.velocity,
                      &k->field.force,
                      &k->field.displacement,
                      &k->field.loss,
                      &k->field.impulse};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = reals(m, n);
    JD_TRY(jd_arena_status(m->arena));
    bool crosses = k->b && f->first[1] < 0;
    if (f->moving) JD_TRY(plan_profile(m, k));
    if (f->moving) JD_TRY(plan_cells(m, k));
    if (crosses) k->grounded = true; // until its cells have found their places
    fill_skin(k);
    k->grounded = !k->b;
    JD_TRY(check_rule(m, k));
    jd_friction law;
    const jd_contact_def *c = jd_problem_contact(k->problem, f->contact)->def;
    JD_TRY(jd_law_friction_of(m->arena, &c->law, &law));
    JD_TRY(jd_curve_plan(m, k, &law));
    return crosses ? jd_cross_create(m, k) : JD_OK;
}

static jd_status plan_toe(march *m, jd_interface *f, toe *e) {
    const jd_contact_def *c = jd_problem_contact(m->run->problem, f->contact)->def;
    const jd_soil_def *law = jd_law_soil_of(&c->law);
    *e = (toe){.contact = f->contact,
               .a = &m->rods[f->body[0]],
               .node = f->first[0],
               .limit = law->limit,
               .spring = law->limit / law->quake,
               .damping = law->damping,
               .place = f};
    if (c->against.kind == JD_GROUND) return JD_OK;
    jd_fail(m->run->context, JD_NOT_SUPPORTED, "soil is ground: nothing else can be against it");
    jd_fail_where(m->run->context, "contacts.%s.against",
                  jd_problem_contact(m->run->problem, f->contact)->name);
    return JD_NOT_SUPPORTED;
}

static jd_status plan_contacts(march *m) {
    const jd_problem *p = m->run->problem;
    int n = jd_problem_contacts(p);
    m->skins = JD_TAKE(m->arena, skin, n);
    m->toes = JD_TAKE(m->arena, toe, n);
    m->skin_of = JD_TAKE(m->arena, int, n);
    m->toe_of = JD_TAKE(m->arena, int, n);
    m->bumpers = JD_TAKE(m->arena, bumper, n);
    m->bumper_of = JD_TAKE(m->arena, int, n);
    JD_TRY(jd_arena_status(m->arena));
    for (int j = 0; j < n; j++) {
        jd_interface *f;
        JD_TRY(jd_interface_create(m->arena, p, j, m->grid, &f));
        bool soil = (f->traits & JD_LAW_SOIL) != 0;
        bool stop = (f->traits & (JD_LAW_STOP | JD_LAW_ELASTIC)) != 0;
        m->skin_of[j] = m->toe_of[j] = m->bumper_of[j] = -1;
        if (soil)
            JD_TRY(plan_toe(m, f, &m->toes[m->toe_of[j] = m->n_toe++]));
        else if (stop)
            JD_TRY(jd_bumper_plan(m, f, &m->bumpers[m->bumper_of[j] = m->n_bumper++]));
        else
            JD_TRY(plan_skin(m, f, &m->skins[m->skin_of[j] = m->n_skin++]));
    }
    return JD_OK;
}

// Shorter than a step: it arrives as an impulse.
static void warn_short(const march *m, const jd_object *o) {
    double shortest = HUGE_VAL;
    if (o->type == &jd_drive_pulse) shortest = ((const jd_pulse_def *)o->def)->duration;
    const jd_drive_table_def *t = o->type == &jd_drive_table ? o->def : NULL;
    for (int i = 1; t && i < t->time.n; i++)
        shortest = fmin(shortest, t->time.value[i] - t->time.value[i - 1]);
    if (!(shortest < m->dt)) return;
    jd_log(m->run->context, JD_LOG_WARNING,
           "drive `%s` changes within %.3g s, less than the time step of %.3g s: its impulse is "
           "right, its shape is not resolved; more `nodes` make the step shorter",
           o->name, shortest, m->dt);
}

// The nodes a drive acts on, and what each has of it.
static jd_status place_push(march *m, const jd_drive_place *at, push *d) {
    const jd_problem *p = m->run->problem;
    int body = 0;
    double position = 0;
    d->along = jd_place_is_span(&at->at);
    if (!d->along) JD_TRY(jd_problem_position(p, at->at.body, at->at.point, &body, &position));
    if (d->along && at->at.body) JD_TRY(jd_problem_find_body(p, at->at.body, &body));
    rod *a = d->a = &m->rods[body];
    int low = d->along ? 0 : jd_grid_near(&a->grid, position),
        high = d->along ? a->grid.n - 1 : low;
    while (d->along && low < high && jd_push_share(at, a, low) == 0) low++;
    while (d->along && low < high && jd_push_share(at, a, high) == 0) high--;
    d->first = low;
    d->n = high - low + 1;
    d->share = reals(m, d->n);
    JD_TRY(jd_arena_status(m->arena));
    for (int i = 0; i < d->n; i++) d->share[i] = d->along ? jd_push_share(at, a, low + i) : 1;
    return JD_OK;
}

static jd_status plan_pushes(march *m) {
    const jd_problem *p = m->run->problem;
    m->n_push = jd_problem_drives(p);
    m->pushes = JD_TAKE(m->arena, push, m->n_push);
    JD_TRY(jd_arena_status(m->arena));
    for (int i = 0; i < m->n_push; i++) {
        push *d = &m->pushes[i];
        *d = (push){.object = jd_problem_drive(p, i)};
        d->omega = jd_drive_omega(d->object, jd_problem_drive_frequency(p, i));
        d->always =
            d->object->type == &jd_drive_constant && jd_problem_start(p)->type == &jd_start_static;
        d->segment.end = -1; // none yet
        JD_TRY(place_push(m, d->object->def, d));
        warn_short(m, d->object);
    }
    return JD_OK;
}

jd_status jd_march_probe(march *m, int body, double position) {
    probe *all = JD_TAKE(m->arena, probe, m->n_probe + 1);
    JD_TRY(jd_arena_status(m->arena));
    if (m->n_probe) memcpy(all, m->probes, (size_t)m->n_probe * sizeof *all);
    rod *a = &m->rods[body];
    double x = (position - a->grid.first) / a->grid.step;
    if (a->grid.at) x = jd_grid_place(&a->grid, position);
    double left = floor(x);
    if (x - left > 1 - 1e-9) left += 1;
    left = fmax(fmin(left, a->grid.n - 2), 0);
    double weight = fabs(x - left) < 1e-9 || a->grid.n == 1 ? 0 : x - left;
    all[m->n_probe++] = (probe){a, (int)left, fmin(fmax(weight, 0), 1)};
    m->probes = all;
    return JD_OK;
}

static bool pushed(const march *m, const skin *k) {
    for (int i = 0; i < m->n_push; i++)
        for (int j = 0; j < m->pushes[i].n; j++)
            if (jd_skin_cell_at(k, m->pushes[i].a, m->pushes[i].first + j) >= 0) return true;
    return false;
}

// What moves a node within a step: 0 nothing, 1 loads, soil, slow contacts or damping, 2 the loop
// of a skin that glides.
static int moved_by(const march *m, const rod *a, int node) {
    bool worked = m->damped || !jd_rod_even(a);
    for (int s = 0; s < m->n_skin; s++) {
        const skin *k = &m->skins[s];
        int cell = jd_skin_cell_at(k, a, node);
        if (k->glides && cell >= k->low && cell < k->high) return 2;
        worked = worked || jd_skin_touches(k, a, node);
    }
    for (int i = 0; i < m->n_toe; i++)
        worked = worked || (m->toes[i].a == a && m->toes[i].node == node);
    for (int i = 0; i < 2 * m->n_bumper; i++) {
        const stop_side *q = &m->bumpers[i / 2].side[i % 2];
        worked = worked || (q->a == a && q->node == node);
    }
    for (int i = 0; i < m->n_push; i++)
        worked = worked || (m->pushes[i].a == a && node >= m->pushes[i].first &&
                            node < m->pushes[i].first + m->pushes[i].n);
    return worked ? 1 : 0;
}

// The nodes of a rod in ranges moved by the same; counts only while range == NULL.
static int cut_ranges(const march *m, const rod *a, node_range *range) {
    int n = 0;
    for (int from = 0, i = 1; i <= a->grid.n; i++) {
        int by = moved_by(m, a, from);
        if (i < a->grid.n && moved_by(m, a, i) == by) continue;
        if (by < 2 && range) range[n] = (node_range){from, i, by == 1};
        n += by < 2;
        from = i;
    }
    return n;
}

static jd_status plan_ranges(march *m) {
    for (int i = 0; i < m->n_skin; i++) {
        skin *k = &m->skins[i];
        bool even = jd_rod_even(k->a) && (!k->b || jd_rod_even(k->b));
        k->glides = even && !k->cross && !k->law && !k->soft && !k->sticky && !m->trapezoidal &&
                    !m->damped && !pushed(m, k) && k->n > 1 && !(k->a == k->b);
    }
    for (int b = 0; b < m->n_rod; b++) {
        rod *a = &m->rods[b];
        a->n_range = cut_ranges(m, a, NULL);
        a->range = JD_TAKE(m->arena, node_range, a->n_range);
        for (int i = 0; i < m->n_push && !a->lost; i++)
            if (m->pushes[i].a == a && m->pushes[i].along) a->lost = reals(m, a->grid.n);
        JD_TRY(jd_arena_status(m->arena));
        cut_ranges(m, a, a->range);
    }
    return JD_OK;
}

jd_status jd_march_create(jd_run *run, int nodes, march **out) {
    const jd_simulate_def *s = jd_problem_section(run->problem, JD_SIMULATE, NULL);
    march *m = JD_TAKE(run->arena, march, 1);
    JD_TRY(jd_arena_status(run->arena));
    int n = jd_problem_bodies(run->problem);
    *m = (march){.run = run, .arena = run->arena, .nodes = nodes, .n_rod = n};
    m->trapezoidal = s->friction_rule == JD_FRICTION_TRAPEZOIDAL;
    m->audited = !run->no_ledger;
    m->grid = JD_TAKE(m->arena, jd_grid, n);
    m->rods = JD_TAKE(m->arena, rod, n);
    JD_TRY(jd_arena_status(m->arena));
    JD_TRY(jd_wave_fit(run, nodes, m->grid, &m->dt));
    for (int b = 0; b < n; b++) JD_TRY(plan_rod(m, b));
    JD_TRY(plan_contacts(m));
    JD_TRY(jd_march_share(m));
    JD_TRY(plan_pushes(m));
    JD_TRY(plan_ranges(m));
    if (m->damped && (m->n_bumper > 0 || m->trapezoidal)) {
        jd_fail(run->context, JD_NOT_SUPPORTED,
                "damped rods take neither stops nor the trapezoidal friction rule");
        jd_fail_hint(run->context, "leave out `damping`: friction and soil take energy out too");
        return JD_NOT_SUPPORTED;
    }
    if (m->damped) JD_TRY(jd_damper_create(m));
    *out = m;
    return jd_problem_start(run->problem)->type == &jd_start_static ? jd_wave_settle(m) : JD_OK;
}

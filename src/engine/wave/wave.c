// wave.c -- the wave engine's face: what it refuses, create, advance in steps, observe.
//   The march is a step ahead of the run's time, where velocities and forces are known (look.c).
#include "engine/wave/wave.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "problem/parts.h"

enum { STEPS_BETWEEN_LOOKS = 256 };

static const jd_type *damping_of(const jd_object *body) {
    const jd_param *p = jd_type_param(body->type, "damping");
    const jd_object *o = p ? JD_MEMBER_CONST(jd_object, body->def, p) : NULL;
    return o && o->type != &jd_damping_none ? o->type : NULL;
}

static bool is_damped(const jd_object *body) { return damping_of(body) != NULL; }

static bool is_damped_by_modes(const jd_object *body) {
    return damping_of(body) && damping_of(body) != &jd_damping_rayleigh;
}

static const char *refuses_body(const jd_problem *p, int i) {
    if (jd_body_is_mass(jd_problem_body(p, i)))
        return is_damped(jd_problem_body(p, i)) ? "a single mass is damped" : NULL;
    if (!(jd_structure_capabilities(jd_problem_structure(p, i)) & JD_CAN_WAVE))
        return "a body is not a uniform rod or string";
    if (is_damped_by_modes(jd_problem_body(p, i)))
        return "a body has damping ratios of modes; `rayleigh` damping is possible";
    return NULL;
}

static const unsigned computed = JD_LAW_FRICTION | JD_LAW_STATIC | JD_LAW_SPRING | JD_LAW_SOIL |
                                 JD_LAW_STOP | JD_LAW_ELASTIC | JD_LAW_CUSHION;
static const unsigned along_spans = JD_LAW_SLOPE | JD_LAW_CURVE;

static const char *refuses_contact(const jd_problem *p, int j) {
    const jd_contact_def *c = jd_problem_contact(p, j)->def;
    if (c->at.points) return "a contact acts at several points";
    if (!c->at.point && !(jd_law_traits(&c->law) & JD_LAW_FRICTION))
        return "a stop acts along a span";
    return jd_law_refuses(&c->law, c->at.point ? computed : computed | along_spans);
}

static const char *refuses_drive(const jd_problem *p, int i) {
    const jd_drive_place *d = jd_problem_drive(p, i)->def;
    return d->of == JD_DRIVE_BASE ? "a drive shakes the supports" : NULL;
}

static const char *refuses(const jd_problem *p) {
    const char *why = NULL;
    for (int i = 0; !why && i < jd_problem_bodies(p); i++) why = refuses_body(p, i);
    for (int j = 0; !why && j < jd_problem_contacts(p); j++) why = refuses_contact(p, j);
    for (int i = 0; !why && i < jd_problem_drives(p); i++) why = refuses_drive(p, i);
    bool rods = false;
    for (int i = 0; i < jd_problem_bodies(p); i++)
        rods = rods || !jd_body_is_mass(jd_problem_body(p, i));
    if (!why && !rods) why = "there is no rod";
    const jd_type *start = jd_problem_start(p)->type;
    if (!why && start != &jd_start_rest && start != &jd_start_static && start != &jd_start_restart)
        why = "the motion starts neither from rest nor from equilibrium";
    return why;
}

// Nodes of a coarser grid, about a part of the steps of the fine one: exactly where that fits.
static int coarser(jd_run *run, int nodes, int part) {
    int less = (nodes - 1) / part + 1;
    return less >= 2 ? jd_wave_nodes_near(run->problem, less, run->arena) : 0;
}

// Two of them: by chance the one or the other may be as good as the fine one.
static jd_status create_coarse(jd_run *run, wave *w, int nodes) {
    int n = 0, half = coarser(run, nodes, (nodes - 1) % 3 == 0 ? 3 : 2);
    int less[] = {half, coarser(run, nodes, 5)};
    for (int i = 0; i < JD_WAVE_COARSE; i++)
        if (less[i] >= 3 && less[i] < (i > 0 ? less[i - 1] : nodes))
            JD_TRY(jd_march_create(run, less[i], &w->coarse[n++]));
    if (n > 0) return JD_OK;
    jd_fail(run->context, JD_NOT_SUPPORTED,
            "there is no coarser grid than %d nodes to estimate the error with", nodes);
    jd_fail_where(run->context, "simulate.error_estimate");
    return JD_NOT_SUPPORTED;
}

static jd_status create(jd_run *run) {
    const jd_simulate_def *s = jd_problem_section(run->problem, JD_SIMULATE, NULL);
    wave *w = JD_TAKE(run->arena, wave, 1);
    int n = jd_problem_contacts(run->problem);
    JD_TRY(jd_arena_status(run->arena));
    *w = (wave){0};
    run->state = w;
    w->sum_drive = JD_TAKE(run->arena, double, jd_problem_drives(run->problem));
    w->sum_contact = JD_TAKE(run->arena, double, n);
    w->sum_impact = JD_TAKE(run->arena, double, n);
    w->sum_belt = JD_TAKE(run->arena, double, n);
    JD_TRY(jd_arena_status(run->arena));
    JD_TRY(jd_march_create(run, s->nodes, &w->fine));
    if (s->error_estimate) JD_TRY(create_coarse(run, w, s->nodes));
    for (int j = 0; j < n; j++)
        jd_run_set_state(run, j, w->fine->skin_of[j] < 0 ? JD_CONTACT_OPEN : JD_CONTACT_CELLS);
    return JD_OK;
}

static void release(jd_run *run) { (void)run; }

static jd_status probe_at(jd_run *run, int body, double position, int *index) {
    wave *w = run->state;
    *index = w->fine->n_probe;
    JD_TRY(jd_march_probe(w->fine, body, position));
    if (!w->coarse[0]) return JD_OK;
    w->coarse_u = JD_TAKE(run->arena, double, *index + 1);
    w->coarse_v = JD_TAKE(run->arena, double, *index + 1);
    JD_TRY(jd_arena_status(run->arena));
    for (int i = 0; i < JD_WAVE_COARSE && w->coarse[i]; i++)
        JD_TRY(jd_march_probe(w->coarse[i], body, position));
    return JD_OK;
}

static void include(jd_range *r, double value, bool first) {
    if (first || value < r->min) r->min = value;
    if (first || value > r->max) r->max = value;
    r->final = value;
}

static void keep_ranges(wave *w) {
    march *m = w->fine;
    for (int j = 0; j < jd_problem_contacts(m->run->problem); j++) {
        double u, v, force;
        bool first = !w->ranged;
        jd_look_contact(m, j, 0, &u, &v, &force);
        include(&w->ranges[j].displacement, u, first);
        include(&w->ranges[j].velocity, v, first);
        include(&w->ranges[j].force, force, first);
    }
    w->ranged = true;
}

static jd_status track(jd_run *run) {
    wave *w = run->state;
    w->ranges = JD_TAKE(run->arena, jd_contact_ranges, jd_problem_contacts(run->problem));
    JD_TRY(jd_arena_status(run->arena));
    return jd_driving_create(run, w->fine, &w->driving);
}

static jd_status ranges(jd_run *run, jd_contact_ranges *out) {
    const wave *w = run->state;
    for (int j = 0; j < jd_problem_contacts(run->problem); j++) out[j] = w->ranges[j];
    return JD_OK;
}

static bool has_grown(const march *m) {
    for (int b = 0; b < m->n_rod; b++) {
        const rod *a = &m->rods[b]; // what is wrong anywhere reaches the middle
        if (!(fabs(a->u[a->grid.n / 2]) < 1e100)) return true;
    }
    return false;
}

// A structure that moved along another rod has come to its end.
static jd_status beyond(const march *m) {
    const skin *k = m->beyond;
    const char *name = jd_problem_contact(k->problem, k->cells->contact)->name;
    const char *other = jd_problem_body(k->problem, k->cells->body[1])->name;
    jd_fail(m->run->context, JD_NOT_SUPPORTED,
            "at t = %.6g contact `%s` has moved beyond the end of `%s`",
            m->origin + (double)m->step * m->dt, name, other);
    jd_fail_where(m->run->context, "contacts.%s.footprint", name);
    jd_fail_hint(m->run->context, "a longer `%s`, or an earlier end of the run", other);
    return JD_NOT_SUPPORTED;
}

static jd_status unsettled(const march *m) {
    if (m->damper) return jd_damper_unsettled(m);
    return jd_fail(m->run->context, JD_NO_CONVERGENCE,
                   "the friction between two rods was not found in the step at t = %.6g",
                   m->origin + (double)m->step * m->dt);
}

// Up to where velocities and forces are known.
static double known(const march *m) { return m->origin + (double)(m->step - 1) * m->dt; }

static jd_status march_until(wave *w, march *m, double t) {
    for (int i = 0; i < STEPS_BETWEEN_LOOKS && known(m) < t; i++) {
        jd_march_step(m);
        if (m->beyond) return beyond(m);
        if (m->unsettled) return unsettled(m);
        if (m != w->fine) continue;
        if (w->ranges) keep_ranges(w);
        if (w->driving) jd_driving_feed(w->driving, m);
    }
    return JD_OK;
}

static void set_states(jd_run *run, const march *m) {
    for (int i = 0; i < m->n_toe; i++)
        jd_run_set_state(run, m->toes[i].contact,
                         m->toes[i].force != 0 ? JD_CONTACT_CLOSED_ABOVE : JD_CONTACT_OPEN);
    for (int i = 0; i < m->n_bumper; i++)
        jd_run_set_state(run, m->bumpers[i].contact,
                         m->bumpers[i].force != 0 ? JD_CONTACT_CLOSED_ABOVE : JD_CONTACT_OPEN);
}

static jd_status advance(jd_run *run, double t_stop, jd_step *step) {
    wave *w = run->state;
    march *m = w->fine;
    *step = JD_STEP_STOPPED;
    while (known(m) < t_stop) {
        if (jd_stop_wanted(run->context)) run->stop = JD_STOP_INTERRUPTED;
        if (has_grown(m)) run->stop = JD_STOP_UNBOUNDED;
        if (run->stop != JD_STOP_NONE) {
            run->t = fmax(known(m), run->t);
            return JD_OK;
        }
        jd_status status = march_until(w, m, t_stop);
        if (status != JD_OK) return jd_run_failed(run, fmax(known(m), run->t), status);
    }
    for (int i = 0; i < JD_WAVE_COARSE && w->coarse[i]; i++)
        while (known(w->coarse[i]) < t_stop) {
            jd_status status = march_until(w, w->coarse[i], t_stop);
            if (status != JD_OK) return jd_run_failed(run, t_stop, status);
        }
    run->t = t_stop;
    set_states(run, m);
    *step = JD_STEP_TIME;
    return JD_OK;
}

// With an error of order p >= 1/2 in the step (fronts and jumps of friction have the least, 0.6 was
// measured) the difference of a grid with f times the step is at least f^p - 1 times the error.
static void observe(jd_run *run, double t, double *u, double *v) {
    wave *w = run->state;
    jd_look_probes(w->fine, t, u, v);
    for (int i = 0; i < JD_WAVE_COARSE && w->coarse[i]; i++) {
        double finer = (w->fine->nodes - 1.0) / (w->coarse[i]->nodes - 1.0);
        jd_look_probes(w->coarse[i], t, w->coarse_u, w->coarse_v);
        for (int k = 0; k < w->fine->n_probe; k++)
            w->error = fmax(w->error, fabs(w->coarse_u[k] - u[k]) / (sqrt(finer) - 1));
    }
}

static void observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    march *m = ((wave *)run->state)->fine;
    double back = jd_march_back(m, t);
    for (int j = 0; j < jd_problem_contacts(run->problem); j++)
        jd_look_contact(m, j, back, &u[j], &v[j], &force[j]);
}

static const jd_param params[] = {JD_KEYS_OF_GRIDS, JD_KEYS_OF_WAVE, {0}};

const jd_engine_class jd_engine_wave = {
    .info = {"wave", "uniform rods by d'Alembert's solution on a grid, with friction along spans",
             params},
    .refuses = refuses,
    .apart = true,
    .create = create,
    .free = release,
    .probe_at = probe_at,
    .interface = jd_wave_interface,
    .body = jd_wave_body,
    .track = track,
    .ranges = ranges,
    .driving = &jd_wave_driving,
    .state_size = jd_wave_state_size,
    .save = jd_wave_save,
    .load = jd_wave_load,
    .shift = jd_wave_shift,
    .advance = advance,
    .observe = observe,
    .observe_contacts = observe_contacts,
    .report = jd_wave_report,
};

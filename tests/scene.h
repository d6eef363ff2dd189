// scene.h -- shorthand of the tests for problems put together in C and run by the exact engine.
#ifndef JD_TESTS_SCENE_H
#define JD_TESTS_SCENE_H

#include <stdlib.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "judder/run.h"
#include "near.h"
#include "structure/modal.h"

enum { SCENE_EVENTS = 40000 };

typedef struct scene {
    jd_context *c;
    jd_problem *p;
    jd_run *r;
    jd_counter against; // of the contacts added from now on
    int n, budget;      // events so far; events allowed, 0: the default
    jd_event *event;
    jd_step step; // the last one
} scene;

static inline void must(scene *s, jd_status status) {
    if (status != JD_OK) print_error("%s\n", jd_context_error(s->c)->message);
    assert_int_equal(status, JD_OK);
}

static inline scene scene_open(void) {
    scene s = {.c = jd_context_create(NULL)};
    must(&s, jd_problem_create(s.c, &s.p));
    s.event = malloc(SCENE_EVENTS * sizeof *s.event);
    assert_non_null(s.event);
    return s;
}

static inline void scene_close(scene *s) {
    jd_run_free(s->r);
    jd_problem_free(s->p);
    jd_context_free(s->c);
    free(s->event);
}

static inline void scene_body(scene *s, const char *name, const char *type, const void *def) {
    must(s, jd_problem_add_body(s->p, name, jd_type_find(jd_structure_types(), type), def));
}

static const jd_point scene_masses[] = {
    {.name = "m1", .position = NAN, .node = 1}, {.name = "m2", .position = NAN, .node = 2},
    {.name = "m3", .position = NAN, .node = 3}, {.name = "m4", .position = NAN, .node = 4},
    {.name = "m5", .position = NAN, .node = 5},
};

// Masses m1 .. mN; springs from the supports given. damping may be NULL.
static inline void scene_chain(scene *s, const char *name, int n, double mass, double stiffness,
                               int left, int right, const jd_object *damping) {
    jd_chain_def d;
    jd_type_defaults(jd_type_find(jd_structure_types(), "chain"), &d);
    d.count = n;
    d.mass = (jd_reals){1, &mass};
    if (stiffness > 0) d.stiffness = (jd_reals){1, &stiffness};
    d.supports = (jd_supports){left, right};
    d.points = (jd_points){n < 5 ? n : 5, scene_masses};
    if (damping) d.damping = *damping;
    scene_body(s, name, "chain", &d);
}

// One mass on a spring, the point m1. damping ratio 0: none.
static inline void scene_mass(scene *s, double mass, double stiffness, double ratio) {
    jd_damping_ratio_def damp = {{1, &ratio}};
    jd_object damping = {"", &jd_damping_ratio, &damp};
    scene_chain(s, "", 1, mass, stiffness, stiffness > 0 ? JD_FIXED : JD_FREE, JD_FREE,
                ratio > 0 ? &damping : NULL);
}

static inline void scene_contact(scene *s, const char *name, const char *point, const jd_type *type,
                                 void *law) {
    jd_contact_def d = {.at = {.point = point}, .against = s->against, .law = {"", type, law}};
    must(s, jd_problem_add_contact(s->p, name, &d));
}

static inline void scene_friction(scene *s, const char *name, const char *point, double limit,
                                  double static_limit) {
    jd_coulomb_def law = {.limit = limit, .static_limit = static_limit};
    scene_contact(s, name, point, &jd_law_coulomb.type, &law);
}

static inline void scene_affine(scene *s, const char *name, const char *point, double limit,
                                double slope) {
    jd_affine_def law = {limit, slope};
    scene_contact(s, name, point, &jd_law_affine.type, &law);
}

static inline void scene_stop(scene *s, const char *name, const char *point, double gap, double e,
                              int sides) {
    jd_stop_def law = {.gap = gap, .restitution = e, .sides = sides};
    scene_contact(s, name, point, &jd_law_stop.type, &law);
}

static inline void scene_harmonic(scene *s, const char *name, const char *point, double amplitude,
                                  double omega, double phase) {
    jd_harmonic_def d = {
        .at = {.point = point}, .amplitude = amplitude, .frequency = {omega, 0, 0}, .phase = phase};
    must(s, jd_problem_add_drive(s->p, name, &jd_drive_harmonic, &d));
}

static inline void scene_constant(scene *s, const char *name, const char *point, double value) {
    jd_constant_def d = {.at = {.point = point}, .value = value};
    must(s, jd_problem_add_drive(s->p, name, &jd_drive_constant, &d));
}

static inline void scene_pulse(scene *s, const char *name, const char *point, int shape,
                               double amplitude, double start, double duration) {
    jd_pulse_def d = {.at = {.point = point},
                      .shape = shape,
                      .amplitude = amplitude,
                      .start = start,
                      .duration = duration};
    must(s, jd_problem_add_drive(s->p, name, &jd_drive_pulse, &d));
}

static inline void scene_ramp(scene *s, const char *name, const char *point, double amplitude,
                              double start, double duration) {
    jd_ramp_def d = {
        .at = {.point = point}, .amplitude = amplitude, .start = start, .duration = duration};
    must(s, jd_problem_add_drive(s->p, name, &jd_drive_ramp, &d));
}

static inline void scene_table(scene *s, const char *name, const char *point, int n,
                               const double *time, const double *value) {
    jd_drive_table_def d = {
        .at = {.point = point}, .time = {n, time}, .value = {n, value}, .scale = 1};
    must(s, jd_problem_add_drive(s->p, name, &jd_drive_table, &d));
}

// n displacements and velocities per dof (of = 0) or per mode (of = 1).
static inline void scene_state(scene *s, int of, int n, const double *u, const double *v) {
    jd_start_state_def d = {.displacement = {u ? n : 0, u}, .velocity = {v ? n : 0, v}, .of = of};
    must(s, jd_problem_set_start(s->p, jd_type_find(jd_start_types(), "state"), &d));
}

static inline void scene_start(scene *s) {
    if (s->budget) {
        jd_simulate_def d;
        jd_type_defaults(&jd_section_types[JD_SIMULATE], &d);
        d.until = (jd_duration){1, false};
        d.event_budget = s->budget;
        must(s, jd_problem_set_section(s->p, JD_SIMULATE, &d));
    }
    must(s, jd_run_create(s->c, s->p, &s->r));
}

// Creates the run when there is none, and goes on to time t, collecting events.
static inline void scene_run(scene *s, double t) {
    if (!s->r) scene_start(s);
    for (;;) {
        must(s, jd_run_advance(s->r, t, &s->step));
        if (s->step != JD_STEP_EVENT) return;
        assert_true(s->n < SCENE_EVENTS);
        s->event[s->n++] = *jd_run_event(s->r);
    }
}

static inline jd_report scene_report(scene *s) {
    jd_report r;
    jd_run_report(s->r, &r);
    return r;
}

// Relative displacement, velocity or force of contact j at time t of the present phase.
typedef struct scene_look {
    double u, v, force;
} scene_look;

static inline scene_look scene_at(scene *s, double t, int j) {
    double u[64], v[64], f[64];
    jd_run_observe_contacts(s->r, t, u, v, f);
    return (scene_look){u[j], v[j], f[j]};
}

static inline void assert_event(const jd_event *e, double t, double bound, int contact, char from,
                                char to) {
    assert_near(e->t, t, bound);
    assert_int_equal(e->contact, contact);
    assert_int_equal(jd_contact_letter(e->from), from);
    assert_int_equal(jd_contact_letter(e->to), to);
}

static inline void scene_print(const scene *s) {
    for (int i = 0; i < s->n && i < 60; i++)
        print_message("%.17g %d %c->%c %g %g\n", s->event[i].t, s->event[i].contact,
                      jd_contact_letter(s->event[i].from), jd_contact_letter(s->event[i].to),
                      s->event[i].speed, s->event[i].impulse);
}

#endif

// memory_case.h -- bowed strings and other models from text, run until a time; events and forces.
#ifndef JD_TESTS_MEMORY_CASE_H
#define JD_TESTS_MEMORY_CASE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judder/model.h"
#include "judder/run.h"
#include "near.h"

// Section V of Szalai (2014) with the physical sign of friction.
static const char bowed_string[] =
    "judder: 1\n"
    "structure: {type: string, length: 1, tension: 2, mass_per_length: 2, modes: infinite,\n"
    "            points: {bow: 0.4}, damping: {type: ratio, value: 0.1}}\n"
    "contacts:\n"
    "  bow: {at: bow, against: {velocity: 1.5},\n"
    "        law: {type: stribeck, limit: 4, drop: 0.32, decay: 1}}\n"
    "start: {type: lift, mode: 1, point: bow, displacement: -2.9224, velocity: -2.7668}\n"
    "simulate: {engine: memory, until: 20}\n";

enum { MOTION_EVENTS = 4096, MOTION_CONTACTS = 4 };

typedef struct motion {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
    int n;
    jd_event event[MOTION_EVENTS];
    double before[MOTION_EVENTS][MOTION_CONTACTS]; // forces just before and after each event
    double after[MOTION_EVENTS][MOTION_CONTACTS];
} motion;

static inline motion *motion_open_in(const jd_context_def *def, const char *text, int n_set,
                                     const char *const *set) {
    motion *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->context = jd_context_create(def);
    if (jd_model_parse(m->context, "m.yaml", JD_SOURCE_DIR, text, strlen(text), n_set, set,
                       &m->problem) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return m;
}

static inline motion *motion_open(const char *text, int n_set, const char *const *set) {
    return motion_open_in(NULL, text, n_set, set);
}

static inline void motion_close(motion *m) {
    jd_run_free(m->run);
    jd_problem_free(m->problem);
    jd_context_free(m->context);
    free(m);
}

static inline void motion_start(motion *m) {
    if (jd_run_create(m->context, m->problem, &m->run) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
}

static inline void motion_look(motion *m, double t, double *u, double *v, double *force) {
    jd_run_observe_contacts(m->run, t, u, v, force);
}

static inline void motion_run(motion *m, double t_end) {
    double u[MOTION_CONTACTS], v[MOTION_CONTACTS];
    jd_step step = JD_STEP_EVENT;
    if (!m->run) motion_start(m);
    while (step == JD_STEP_EVENT) {
        if (jd_run_advance(m->run, t_end, &step) != JD_OK)
            fail_msg("%s", jd_context_error(m->context)->message);
        if (step != JD_STEP_EVENT) break;
        assert_true(m->n < MOTION_EVENTS);
        m->event[m->n] = *jd_run_event(m->run);
        motion_look(m, m->event[m->n].t, u, v, m->after[m->n]);
        m->n++;
    }
    assert_int_equal(step, JD_STEP_TIME);
}

static inline motion *motion_of(const char *text, double t_end, int n_set, const char *const *set) {
    motion *m = motion_open(text, n_set, set);
    motion_run(m, t_end);
    return m;
}

#define SETS(...)                                                                                  \
    (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), (const char *[]) { __VA_ARGS__ }

// The same model by the exact and by the memory engine, with up to six settings more.
static inline motion *motion_both_with(motion **exact, const char *text, double t_end,
                                       const char *tolerance, int n_set, const char *const *set) {
    const char *sets[8] = {"simulate.engine=exact"};
    assert_true(n_set <= 6);
    for (int i = 0; i < n_set; i++) sets[i + 1] = set[i];
    *exact = motion_of(text, t_end, n_set + 1, sets);
    sets[0] = "simulate.engine=memory";
    sets[n_set + 1] = tolerance;
    return motion_of(text, t_end, n_set + 2, sets);
}

static inline motion *motion_both(motion **exact, const char *text, double t_end,
                                  const char *tolerance) {
    return motion_both_with(exact, text, t_end, tolerance, 0, NULL);
}

// A string that rubs at two points.
static const char two_contacts[] =
    "judder: 1\n"
    "structure: {type: string, length: 1, tension: 1, mass_per_length: 1, modes: 12,\n"
    "            points: {a: 0.3, b: 0.71, c: 0.52}, damping: {type: ratio, value: 0.02}}\n"
    "contacts:\n"
    "  one: {at: a, against: {velocity: 0.2}, law: {type: coulomb, limit: 0.3}}\n"
    "  two: {at: b, against: ground, law: {type: affine, limit: 0.2, slope: 0.1}}\n"
    "drives: {push: {at: c, type: harmonic, amplitude: 1, frequency: 4}}\n"
    "start: {type: state, of: modes, displacement: [0.1, 0.02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}\n"
    "simulate: {until: 10}\n";

// Largest difference of event times; contacts and kinds must be the same.
static inline double motion_apart(const motion *a, const motion *b) {
    double worst = 0;
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++) {
        assert_int_equal(a->event[i].contact, b->event[i].contact);
        assert_int_equal(jd_contact_letter(a->event[i].from), jd_contact_letter(b->event[i].from));
        assert_int_equal(jd_contact_letter(a->event[i].to), jd_contact_letter(b->event[i].to));
        worst = fmax(worst, fabs(a->event[i].t - b->event[i].t));
    }
    return worst;
}

// The run must be refused, at this place, with these words.
static inline void motion_refused(const char *text, const char *where, const char *part,
                                  const char *more, int n_set, const char *const *set) {
    motion *m = motion_open(text, n_set, set);
    jd_status s = jd_run_create(m->context, m->problem, &m->run);
    const jd_error *e = jd_context_error(m->context);
    assert_int_equal(s, JD_NOT_SUPPORTED);
    assert_null(m->run);
    print_message("   %s: %s (%s)\n", e->where, e->message, e->hint);
    if (where) assert_string_equal(e->where, where);
    if (!strstr(e->message, part) || !strstr(e->message, more))
        fail_msg("`%s` does not say `%s` and `%s`", e->message, part, more);
    motion_close(m);
}

// From a complex number to the nearest one of a list.
static inline double nearest(const double *x, int n, const double *list) {
    double near = HUGE_VAL;
    for (int i = 0; i < n; i++)
        near = fmin(near, hypot(x[0] - list[2 * i], x[1] - list[2 * i + 1]));
    return near;
}

// A text as a file of a folder; its path.
static inline void put(const char *folder, const char *name, const char *text, char *path,
                       size_t size) {
    snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

#endif

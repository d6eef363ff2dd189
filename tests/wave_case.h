// wave_case.h -- runs of models given as text, for tests of engines on grids.
#ifndef JD_TESTS_WAVE_CASE_H
#define JD_TESTS_WAVE_CASE_H

#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"

typedef struct wave_case {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
    char warning[400]; // the last one
} wave_case;

// Two rods along half their length; what is computed has to follow.
#define WAVE_RODS                                                                                  \
    "judder: 1\n"                                                                                  \
    "bodies:\n"                                                                                    \
    "  pile: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"                  \
    "         supports: {left: free, right: free}, points: {head: 0, tip: 50}}\n"                  \
    "  sleeve: {type: rod, length: 50, axial_stiffness: 4e6, mass_per_length: 4,\n"                \
    "           supports: {left: free, right: fixed}}\n"                                           \
    "contacts:\n"                                                                                  \
    "  shaft: {at: {body: pile, span: [25, 50]}, against: {body: sleeve, span: [0, 25]},\n"        \
    "          law: {type: coulomb, limit: 0.6}}\n"                                                \
    "drives: {hammer: {at: pile.head, type: harmonic, amplitude: 20, frequency: 150}}\n"

static void wave_hear(void *user, jd_log_level level, const char *text) {
    wave_case *w = user;
    if (level == JD_LOG_WARNING) snprintf(w->warning, sizeof w->warning, "%s", text);
}

// The status of reading the model and making its run.
static inline jd_status wave_open(wave_case *w, const char *text) {
    *w = (wave_case){0};
    jd_context_def def = jd_default_context_def();
    def.log = wave_hear;
    def.user = w;
    w->context = jd_context_create(&def);
    jd_status s = jd_model_parse(w->context, "m.yaml", JD_SOURCE_DIR, text, strlen(text), 0, NULL,
                                 &w->problem);
    return s == JD_OK ? jd_run_create(w->context, w->problem, &w->run) : s;
}

static inline void wave_close(wave_case *w) {
    jd_run_free(w->run);
    jd_problem_free(w->problem);
    jd_context_free(w->context);
}

static inline void wave_begin(wave_case *w, const char *text) {
    if (wave_open(w, text) != JD_OK)
        fail_msg("%s: %s", jd_context_error(w->context)->where,
                 jd_context_error(w->context)->message);
}

static inline void wave_go(wave_case *w, double t) {
    jd_step step;
    assert_int_equal(jd_run_advance(w->run, t, &step), JD_OK);
    assert_int_equal(step, JD_STEP_TIME);
}

// The model is refused with these words in message, hint or place.
static inline void wave_refused(const char *text, jd_status status, const char *words) {
    wave_case w;
    jd_status got = wave_open(&w, text);
    const jd_error *e = jd_context_error(w.context);
    if (got != status) fail_msg("%s %s: %s", words, jd_status_name(got), e->message);
    if (!strstr(e->message, words) && !strstr(e->hint, words))
        fail_msg("`%s` (%s) does not say `%s`", e->message, e->hint, words);
    wave_close(&w);
}

// Momentum of a body, and what a contact along a span has given to its structure so far [N s].
static inline double wave_momentum(jd_run *run, int body) {
    jd_body_field f;
    double sum = 0;
    assert_true(jd_run_body(run, body, &f));
    for (int i = 0; i < f.n; i++) sum += f.mass[i] * f.velocity[i];
    return sum;
}

static inline double wave_pushed(jd_run *run, int contact) {
    jd_interface_field f;
    double sum = 0;
    assert_true(jd_run_interface(run, contact, &f));
    for (int j = 0; j < f.n; j++) sum += f.impulse[j];
    return sum;
}

#endif

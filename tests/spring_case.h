// spring_case.h -- runs of the program on models of spring_model.h.
#ifndef JD_TESTS_SPRING_CASE_H
#define JD_TESTS_SPRING_CASE_H

#include "judder/judder.h"
#include "near.h"
#include "spring_lists.h"
#include "spring_write.h"

typedef struct spring_run {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
    jd_report report;
    long asked, allowed; // times the engine asked whether to stop; 0: any number
    spring_text text;
    spring_changes changes;
    char refused[256]; // why there is no run, or ""
} spring_run;

static inline bool spring_stop(void *user) {
    spring_run *r = user;
    return ++r->asked > r->allowed && r->allowed > 0;
}

static inline bool spring_fails(spring_run *r, jd_status status) {
    if (status == JD_OK) return false;
    const jd_error *e = jd_context_error(r->context);
    snprintf(r->refused, sizeof r->refused, "%s: %s", e->where, e->message);
    return true;
}

// Writes and reads the model; false: it was refused.
static inline bool spring_open(spring_run *r, const spring_model *s, const char *more) {
    jd_context_def d = jd_default_context_def();
    d.stop = spring_stop, d.user = r;
    r->problem = NULL, r->run = NULL, r->asked = 0, r->refused[0] = 0, r->changes.n = 0;
    memset(&r->report, 0, sizeof r->report);
    r->context = jd_context_create(&d);
    spring_write(s, &r->text, more);
    jd_status status = jd_model_parse(r->context, "spring.yaml", ".", r->text.text, r->text.n, 0,
                                      NULL, &r->problem);
    if (status == JD_OK) status = jd_problem_build(r->problem);
    spring_clean(&r->text);
    if (status == JD_OK) status = jd_run_create(r->context, r->problem, &r->run);
    return !spring_fails(r, status);
}

static inline void spring_end(spring_run *r) {
    jd_run_free(r->run);
    jd_problem_free(r->problem);
    jd_context_free(r->context);
    r->run = NULL, r->problem = NULL, r->context = NULL;
}

// The contact of spring_model.h that an event of the program belongs to.
static inline int spring_contact_of(const spring_run *r, const jd_event *e) {
    const spring_model *s = r->text.s;
    int j = 0;
    while (j < s->m && r->text.first[j] != e->contact) j++;
    if (s->c[j].friction) return j + e->cell; // sliders side by side
    bool below = e->from == JD_CONTACT_CLOSED_BELOW || e->to == JD_CONTACT_CLOSED_BELOW;
    return j + below;
}

// Advances to t and takes every event; false: it failed.
static inline bool spring_advance(spring_run *r, double t) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) {
        if (spring_fails(r, jd_run_advance(r->run, t, &step))) return false;
        if (step != JD_STEP_EVENT) break;
        const jd_event *e = jd_run_event(r->run);
        spring_push(&r->changes, e->t, spring_contact_of(r, e), jd_contact_letter(e->from),
                    jd_contact_letter(e->to));
    }
    jd_run_report(r->run, &r->report);
    return true;
}

// x and x' of the structure at the time reached; false: not known from what the engine tells.
static inline bool spring_state(spring_run *r, double *x, double *v) {
    const spring_text *w = &r->text;
    double q[2 * SPRING_N];
    int n = w->s->n;
    if (w->matrices || jd_run_modal_size(r->run) != 2 * n) return false; // modes have no sign
    jd_run_modal_state(r->run, q);
    for (int i = 0; i < n; i++) {
        x[i] = v[i] = 0;
        for (int k = 0; k < n; k++) {
            x[i] += (double)w->shape[k][i] * q[k];
            v[i] += (double)w->shape[k][i] * q[n + k];
        }
    }
    return true;
}

#endif

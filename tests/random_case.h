// random_case.h -- runs of drawn models, and comparing two lists of events contact by contact.
#ifndef JD_TESTS_RANDOM_CASE_H
#define JD_TESTS_RANDOM_CASE_H

#include "judder/judder.h"
#include "near.h"
#include "problem/initial.h"
#include "problem/system.h"
#include "random_write.h"

enum { CASE_EVENTS = 4000 };

// A run and what came of it.
typedef struct random_run {
    jd_context *context;
    jd_problem *problem;
    jd_run *run;
    jd_report report;
    long asked, allowed; // times the engine asked whether to stop: phases passed; 0: any number
    int n;
    jd_event event[CASE_EVENTS];
    char refused[256]; // why there is no run, or ""
    random_text text;
} random_run;

static inline bool random_stop(void *user) {
    random_run *r = user;
    return ++r->asked > r->allowed && r->allowed > 0;
}

static inline bool random_fails(random_run *r, jd_status status) {
    if (status == JD_OK) return false;
    snprintf(r->refused, sizeof r->refused, "%s", jd_context_error(r->context)->message);
    return true;
}

// Reads the model; false when it was refused.
static inline bool random_read(random_run *r, const random_model *m) {
    jd_context_def d = jd_default_context_def();
    memset(r, 0, offsetof(random_run, event));
    r->refused[0] = 0;
    d.stop = random_stop, d.user = r;
    r->context = jd_context_create(&d);
    random_write(m, &r->text);
    jd_status status = jd_model_parse(r->context, "random.yaml", m->folder, r->text.text, r->text.n,
                                      0, NULL, &r->problem);
    random_clean(m);
    return !random_fails(r, status);
}

static inline void random_close(random_run *r) {
    jd_run_free(r->run);
    jd_problem_free(r->problem);
    jd_context_free(r->context);
    r->run = NULL, r->problem = NULL, r->context = NULL;
}

static inline bool random_advance(random_run *r, double t) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) {
        if (random_fails(r, jd_run_advance(r->run, t, &step))) return false;
        if (step == JD_STEP_EVENT && r->n < CASE_EVENTS) r->event[r->n++] = *jd_run_event(r->run);
    }
    jd_run_report(r->run, &r->report);
    return true;
}

// Reads and runs it to its end, within a number of phases.
static inline bool random_go(random_run *r, const random_model *m) {
    if (!random_read(r, m)) return false;
    r->allowed = 40000;
    if (random_fails(r, jd_run_create(r->context, r->problem, &r->run))) return false;
    return random_advance(r, in_scale(m, m->until, of_time));
}

// Everything the other way; false: a stop on one side has no mirror image.
static inline bool random_mirror(random_model *m) {
    for (int j = 0; j < m->contacts; j++) {
        if (m->contact[j].law == RANDOM_STOP && !m->contact[j].both) return false;
        m->contact[j].velocity *= -1;
    }
    for (int d = 0; d < m->drives; d++) {
        m->drive[d].amplitude *= -1;
        for (int i = 0; i < RANDOM_TABLE; i++) m->drive[d].value[i] *= -1;
    }
    for (int k = 0; k < m->modes; k++) m->q[k] *= -1, m->v[k] *= -1;
    return true;
}

// Gaps become what is left after the start: no stop is passed at t = 0, some are touched.
static inline void random_clear_stops(random_model *m) {
    random_run *r = calloc(1, sizeof *r);
    double q[64] = {0}, v[64];
    if (m->start && random_read(r, m) && jd_problem_system(r->problem)->modal.n <= 64) {
        const jd_system *y = jd_problem_system(r->problem);
        if (jd_problem_initial(r->problem, q, v) != JD_OK) memset(q, 0, sizeof q);
        for (int j = 0; j < m->contacts; j++) {
            random_contact *c = &m->contact[m->order[j]];
            double u = 0;
            for (int k = 0; k < y->modal.n; k++) u += y->contact[j][k].hi * q[k];
            u /= m->length;
            if (c->both)
                c->gap += fabs(u);
            else
                c->gap = fmax(0, c->gap + u);
            if (!c->both && c->gap < u) c->gap = u;
        }
    }
    if (r->context) random_close(r);
    free(r);
}

// Makes it one damped body under one harmonic force, with stops that stay where they are and lose
// energy; false: it is none. A second body that no drive reaches would only come to rest, by ever
// smaller bounces.
static inline bool random_driven(random_model *m) {
    random_body *x = &m->body[0];
    if (m->drives == 0 || m->bodies > 1 || (!x->left && !x->right)) return false;
    m->drives = 1;
    m->drive[0].kind = RANDOM_HARMONIC, m->drive[0].mode = 0;
    for (int j = 0; j < m->contacts; j++)
        if (m->contact[j].law == RANDOM_STOP) {
            if (m->contact[j].against == 1) m->contact[j].against = 0;
            m->contact[j].restitution = fmin(m->contact[j].restitution, 0.9);
        }
    x->damping = 1;
    for (int k = 0; k < RANDOM_MODES; k++) x->ratio[k] = fmax(x->ratio[k], 0.02);
    m->sections = "orbit: {settle: 40 periods}\n";
    m->budget = 10000000;
    return true;
}

// The same model with stiffness, limits and loads changed by this share: how far digits reach.
static inline random_model random_nudged(const random_model *m, double share) {
    random_model n = *m;
    for (int b = 0; b < n.bodies; b++) {
        n.body[b].stiffness *= 1 - share;
        for (int k = 0; k < RANDOM_MODES; k++) {
            n.body[b].spring[k] *= 1 + share * (k % 2 ? 1 : -0.7);
            n.body[b].omega[k] *= 1 + share * (k % 2 ? 0.4 : -0.5);
        }
    }
    for (int j = 0; j < n.contacts; j++) {
        n.contact[j].limit *= 1 + share * (0.3 + 0.4 * j);
        n.contact[j].static_limit *= 1 + share * (0.3 + 0.4 * j);
    }
    for (int d = 0; d < n.drives; d++) {
        n.drive[d].amplitude *= 1 + share * (0.9 - 1.3 * d);
        for (int i = 0; i < RANDOM_TABLE; i++) n.drive[d].value[i] *= 1 + share * (0.9 - 1.3 * d);
    }
    return n;
}

// Determinant of the coupling of the contacts, with rows of length one: 0 for dependent ones.
static inline double random_independence(const jd_problem *problem) {
    const jd_system *y = jd_problem_system(problem);
    double G[RANDOM_CONTACTS][RANDOM_CONTACTS] = {{0}}, det = 1;
    for (int i = 0; i < y->n_contact; i++)
        for (int j = 0; j < y->n_contact; j++)
            for (int k = 0; k < y->modal.n; k++)
                G[i][j] += y->contact[i][k].hi * y->contact[j][k].hi;
    double own[RANDOM_CONTACTS];
    for (int i = 0; i < y->n_contact; i++) own[i] = G[i][i];
    for (int i = 0; i < y->n_contact && det > 1e-14; i++) {
        det *= G[i][i] / own[i];
        for (int k = i + 1; k < y->n_contact; k++) {
            double f = G[k][i] / G[i][i];
            for (int l = i; l < y->n_contact; l++) G[k][l] -= f * G[i][l];
        }
    }
    return det > 1e-14 ? det : 0;
}

// What a change of the model should have left as it was: its text, and the end of the test.
static inline void random_differs(const random_model *m, const char *what, double a, double b) {
    random_text *w = calloc(1, sizeof *w);
    random_write(m, w);
    fprintf(stderr, "seed %llu: %s %.15g, changed %.15g\n%s", m->seed, what, a, b, w->text);
    random_clean(m);
    free(w);
    fail();
}

static inline void random_same(const random_model *m, const char *what, double a, double b,
                               double bound) {
    if (!(fabs(a - b) <= bound)) random_differs(m, what, a, b);
}

#endif

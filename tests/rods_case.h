// rods_case.h -- the two rods of the stick-slip paper as a model, and runs of it by any engine.
#ifndef JD_TESTS_RODS_CASE_H
#define JD_TESTS_RODS_CASE_H

#include <string.h>

#include "judder/run.h"
#include "model_case.h"

// E1A1 = 1e6 kN, E2A2 = 1e10 kN, 1 and 1e4 t/m, both 50 m long, 25 m in contact; 20 kN at the head.
static const char *const rods_model =
    "judder: 1\n"
    "bodies:\n"
    "  pile: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"
    "         supports: {left: free, right: free},\n"
    "         points: {head: 0, third: 16.666666666666667, two_thirds: 33.333333333333333,\n"
    "                  tip: 50}}\n"
    "  sleeve: {type: rod, length: 50, axial_stiffness: 1e10, mass_per_length: 1e4, modes: 20,\n"
    "           supports: {left: free, right: fixed}}\n"
    "contacts:\n"
    "  shaft: {at: {body: pile, span: [25, 50]}, against: {body: sleeve, span: [0, 25]},\n"
    "          law: {type: coulomb, limit: %.17g}}\n"
    "drives:\n"
    "  hammer: {at: pile.head, type: %s}\n"
    "start: rest\n"
    "simulate: {engine: %s, nodes: %d, until: 1}\n";
static const char *const rods_20 = "harmonic, amplitude: 20, frequency: 20";
static const char *const rods_150 = "harmonic, amplitude: 20, frequency: 150";
static const char *const rods_pulse = "pulse, amplitude: 20, duration: 0.01";
static const char *const rods_points[4] = {"pile.head", "pile.third", "pile.two_thirds",
                                           "pile.tip"};

typedef struct rods_run {
    model_case m;
    jd_run *run;
    long counts[3]; // releases, sticks, reversals
} rods_run;

static inline void rods_must(rods_run *r, jd_status s) {
    if (s != JD_OK) fail_msg("%s", jd_context_error(r->m.context)->message);
}

// A sleeve as heavy and as stiff as 1e4 piles, or `sleeve` of them.
static inline rods_run rods_open_in(double sleeve, const char *engine, const char *drive,
                                    double friction, int nodes) {
    rods_run r = {.m.context = jd_context_create(NULL)};
    char text[2000], set[80];
    snprintf(text, sizeof text, rods_model, friction, drive, engine, nodes);
    snprintf(set, sizeof set, "axial_stiffness: %.6e, mass_per_length: %.4e", 1e6 * sleeve, sleeve);
    char *at = strstr(text, "axial_stiffness: 1e10, mass_per_length: 1e4");
    size_t old = strlen("axial_stiffness: 1e10, mass_per_length: 1e4");
    memmove(at + strlen(set), at + old, strlen(at + old) + 1);
    memcpy(at, set, strlen(set));
    reads(&r.m, text, NULL);
    rods_must(&r, jd_run_create(r.m.context, r.m.problem, &r.run));
    for (int i = 0; i < 4; i++) {
        int index;
        rods_must(&r, jd_run_probe(r.run, rods_points[i], &index));
    }
    return r;
}

static inline rods_run rods_open(const char *engine, const char *drive, double friction,
                                 int nodes) {
    return rods_open_in(1e4, engine, drive, friction, nodes);
}

static inline void rods_close(rods_run *r) {
    jd_run_free(r->run);
    model_case_drop(&r->m);
    jd_context_free(r->m.context);
}

static inline void rods_to(rods_run *r, double t, double *u) {
    double v[4];
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;) {
        rods_must(r, jd_run_advance(r->run, t, &step));
        assert_int_not_equal(step, JD_STEP_STOPPED);
        const jd_event *e = jd_run_event(r->run);
        if (step == JD_STEP_EVENT)
            r->counts[jd_contact_letter(e->from) == 'H' ? 0
                      : jd_contact_letter(e->to) == 'H' ? 1
                                                        : 2]++;
    }
    jd_run_observe(r->run, t, u, v);
}

#endif

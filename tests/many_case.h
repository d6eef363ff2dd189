// many_case.h -- many friction contacts on a clamped beam: properties, and work that is counted.
//   More contacts than the modes can tell apart, driven at the first resonance. Runs end certified,
//   energies add up, forces keep their limits. Counted: evaluations for an event, and events
//   against what the modes can make (a contact whose motion swings with the fastest mode changes at
//   most 4 times in each of its oscillations).
#ifndef JD_TESTS_MANY_CASE_H
#define JD_TESTS_MANY_CASE_H

#include <time.h>

#include "scene.h"

enum { MOST = 64 };

typedef struct many {
    int m, modes;
    double ratio, periods;
} many;

static inline scene many_build(const many *c) {
    static char name[MOST + 1][8];
    jd_point point[MOST + 1];
    jd_damping_ratio_def damp = {{1, &c->ratio}};
    jd_object damping = {NULL, NULL, NULL};
    scene s = scene_open();
    if (c->ratio > 0) damping = (jd_object){"", &jd_damping_ratio, &damp};
    for (int j = 0; j <= c->m; j++) {
        snprintf(name[j], sizeof name[j], "p%d", j);
        point[j] = (jd_point){.name = name[j], .position = (j + 1.) / (c->m + 1)};
    }
    point[c->m].position = 1;
    jd_beam_def d = {1, 1, 1, c->modes, {JD_CLAMPED, JD_FREE}, {c->m + 1, point}, damping};
    scene_body(&s, "", "beam", &d);
    for (int j = 0; j < c->m; j++) scene_friction(&s, name[j], name[j], 0.5 / c->m, NAN);
    scene_harmonic(&s, "h", name[c->m], 1, 3.516015269, 0);
    scene_start(&s);
    return s;
}

static inline void assert_within_limits(scene *s, const many *c) {
    double u[MOST], v[MOST], f[MOST];
    jd_run_observe_contacts(s->r, jd_run_event(s->r)->t, u, v, f);
    for (int j = 0; j < c->m; j++) assert_true(fabs(f[j]) <= 0.5 / c->m * (1 + 1e-9));
}

// Processor time of the whole run, and for each of its events [s].
typedef struct many_cost {
    double seconds, each;
} many_cost;

static inline double many_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline many_cost many_check(const many *c) {
    double start = many_clock();
    scene s = many_build(c);
    double until = c->periods * 6.283185307179586 / 3.516015269;
    long events = 0;
    while (must(&s, jd_run_advance(s.r, until, &s.step)), s.step == JD_STEP_EVENT)
        if (++events % 16 == 0) assert_within_limits(&s, c);
    jd_report r = scene_report(&s);
    double fastest = (c->modes - 0.5) * 3.14159265358979, turns = fastest * fastest * until / 6.283;
    many_cost cost = {many_clock() - start, (many_clock() - start) / (double)(events + 1)};
    print_message(
        "   %d contacts, %d modes, damping %g: %ld events, %ld evaluations, %.3g ms each\n", c->m,
        c->modes, c->ratio, events, r.certificate.evaluations, 1e3 * cost.each);
    assert_int_equal(s.step, JD_STEP_TIME);
    assert_true(r.certificate.certified);
    assert_true(fabs(r.ledger.residual) < 1e-9);
    assert_true((double)events < 4 * c->m * (turns + 1));
    assert_true((double)r.certificate.evaluations < 20 * ((double)events + turns + 10));
    scene_close(&s);
    return cost;
}

#endif

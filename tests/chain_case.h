// chain_case.h -- nonsmooth modes of the gallery's chains, and their orbits in the exact engine.
#ifndef JD_TESTS_CHAIN_CASE_H
#define JD_TESTS_CHAIN_CASE_H

#include "analysis/nsm/nsm.h"
#include "engine/engine.h"
#include "judder/judder.h"
#include "near.h"

static const double two_pi = 6.283185307179586;

static inline void open_chain(const char *file, const char *window, jd_context **c, jd_problem **p,
                              jd_nsm **s, bool stability) {
    jd_nsm_options options;
    char path[512];
    snprintf(path, sizeof path, "%s/gallery/impact-chain/%s", JD_SOURCE_DIR, file);
    *c = jd_context_create(NULL);
    assert_int_equal(jd_model_read(*c, path, window ? 1 : 0, &window, p), JD_OK);
    assert_int_equal(jd_nsm_options_of(*p, &options), JD_OK);
    options.stability = stability;
    assert_int_equal(jd_nsm_create(*c, *p, &options, s), JD_OK);
}

static inline void close_chain(jd_context *c, jd_problem *p, jd_nsm *s) {
    jd_nsm_free(s);
    jd_problem_free(p);
    jd_context_free(c);
}

// How far the exact engine is, after the period T, from where it started, relative: `state` of five
// modes, flown freely for the time h so that the stop is open. It must meet so many impacts.
static inline double gap_after(jd_run *run, const double state[10], double h, double T,
                               int impacts) {
    const jd_engine_map *map = &run->class->map;
    double start[10], scale[10], end[10], off = 0, size = 0;
    map->scales(run, scale);
    for (int k = 0; k < 5; k++) {
        double w = scale[k], q = state[k], v = state[5 + k];
        start[k] = q * cos(w * h) + v / w * sin(w * h);
        start[5 + k] = v * cos(w * h) - w * q * sin(w * h);
    }
    assert_int_equal(map->restart(run, 0, start, "o"), JD_OK);
    int met = 0;
    for (jd_step step = JD_STEP_EVENT; step == JD_STEP_EVENT;) {
        assert_int_equal(jd_run_advance(run, T, &step), JD_OK);
        met += step == JD_STEP_EVENT;
    }
    assert_int_equal(met, impacts);
    map->state(run, end);
    for (int k = 0; k < 10; k++) {
        off += pow(scale[k] * (end[k] - start[k]), 2);
        size += pow(scale[k] * start[k], 2);
    }
    return sqrt(off / size);
}

// Of a state of five modes.
static inline double energy_of(jd_run *run, const double state[10]) {
    double scale[10], energy = 0;
    run->class->map.scales(run, scale);
    for (int k = 0; k < 10; k++) energy += scale[k] * scale[k] * state[k] * state[k] / 2;
    return energy;
}

#endif

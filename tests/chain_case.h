// chain_case.h -- nonsmooth modes of the gallery's chains, and their orbits in the exact engine.
#ifndef JD_TESTS_CHAIN_CASE_H
#define JD_TESTS_CHAIN_CASE_H

#include "analysis/nsm/nsm.h"
#include "engine/engine.h"
#include "judder/judder.h"
#include "near.h"

static const double two_pi = 6.283185307179586;

// The nonsmooth modes of a chain, with the context and the problem they belong to.
typedef struct chain {
    jd_context *c;
    jd_problem *p;
    jd_nsm *s;
} chain;

static inline chain open_chain(const char *file, const char *window, bool stability) {
    chain o;
    jd_nsm_options options;
    char path[512];
    snprintf(path, sizeof path, "%s/gallery/impact-chain/%s", JD_SOURCE_DIR, file);
    o.c = jd_context_create(NULL);
    assert_int_equal(jd_model_read(o.c, path, window ? 1 : 0, &window, &o.p), JD_OK);
    assert_int_equal(jd_nsm_options_of(o.p, &options), JD_OK);
    options.stability = stability;
    assert_int_equal(jd_nsm_create(o.c, o.p, &options, &o.s), JD_OK);
    return o;
}

static inline void close_chain(chain o) {
    jd_nsm_free(o.s);
    jd_problem_free(o.p);
    jd_context_free(o.c);
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
    assert_int_equal(map->restart(run, 0, start, &(jd_phase){1, {JD_CONTACT_OPEN}}), JD_OK);
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

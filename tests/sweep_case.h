// sweep_case.h -- models of sweeps that tests share, and comparing sweeps bit by bit.
#ifndef JD_TESTS_SWEEP_CASE_H
#define JD_TESTS_SWEEP_CASE_H

#include "judder/sweep.h"
#include "model_case.h"

// The beam of Vielsack & Kammerer 1999, Fig. 6(c), as text with room for its sweep.
#define BEAM(elements, damping, frequency, sweep)                                                  \
    "judder: 1\n"                                                                                  \
    "structure: {type: fe-beam, length: 2.47, bending_stiffness: 1.09e4, mass_per_length: 35.4,\n" \
    "  elements: " elements ", supports: {left: clamped, right: free},\n"                          \
    "  points: {mid: 1.235, tip: 2.47}, damping: " damping "}\n"                                   \
    "contacts: {tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.66}}}\n"             \
    "drives: {shaker: {at: mid, type: harmonic, amplitude: 2.4,\n"                                 \
    "  frequency: {times: " frequency ", mode: 1}}}\n"                                             \
    "sweep: {" sweep "}\n"
#define RAYLEIGH "{type: rayleigh, mass: 0.025, stiffness: 5.5e-5}"

// One mass and a stop; unit mass and stiffness, gap 1, restitution 0.8, force 0.5.
#define KNOCKER(damping, sweep)                                                                    \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, damping: " damping ",\n"            \
    "  supports: {left: fixed, right: free}, points: {mass: {node: 1}}}\n"                         \
    "contacts: {stop: {at: mass, against: ground, law: {type: stop, gap: 1, restitution: 0.8}}}\n" \
    "drives: {force: {at: mass, type: harmonic, amplitude: 0.5, frequency: 1.5}}\n"                \
    "sweep: {" sweep "}\n"

static inline jd_sweep *sweep_of(model_case *m, const char *text) {
    jd_sweep *sweep = NULL;
    reads(m, text, NULL);
    if (jd_sweep_create(m->context, m->problem, &sweep) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return sweep;
}

static inline void sweep_compute(model_case *m, jd_sweep *sweep, int threads) {
    jd_sweep_options options = jd_default_sweep_options();
    bool complete = false;
    options.threads = threads;
    if (jd_sweep_run(sweep, &options, &complete) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    assert_true(complete);
}

static inline jd_sweep *sweep_done(model_case *m, const char *text, int threads) {
    jd_sweep *sweep = sweep_of(m, text);
    sweep_compute(m, sweep, threads);
    return sweep;
}

// All points as bytes, one after the other; the caller frees them.
static inline unsigned char *sweep_bytes(const jd_sweep *sweep, size_t *size) {
    size_t one = jd_sweep_packed_size(sweep);
    int n = jd_sweep_look(sweep)->n_point;
    unsigned char *out = calloc((size_t)n, one);
    for (int i = 0; i < n; i++) {
        assert_true(jd_sweep_look(sweep)->point[i].done);
        jd_sweep_pack(sweep, i, out + (size_t)i * one);
    }
    *size = (size_t)n * one;
    return out;
}

static inline void same_bits(const jd_sweep *a, const jd_sweep *b) {
    size_t n, k;
    unsigned char *x = sweep_bytes(a, &n), *y = sweep_bytes(b, &k);
    assert_int_equal(n, k);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

#endif

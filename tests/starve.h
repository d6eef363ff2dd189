// starve.h -- a context whose memory ends: at one allocation, or from one on; it counts, too.
#ifndef JD_TESTS_STARVE_H
#define JD_TESTS_STARVE_H

#include <stdlib.h>

#include "judder/orbit.h"
#include "near.h"

typedef struct meter {
    int calls;    // allocations asked for so far
    int fail_at;  // this one fails, counted from 1; 0: none
    int end_at;   // this one and all after it fail; 0: none
    int alive;    // blocks not yet given back
    size_t bytes; // asked for so far
} meter;

static inline void *starve_take(void *user, size_t bytes) {
    meter *m = user;
    m->calls++;
    m->bytes += bytes;
    if (m->calls == m->fail_at || (m->end_at > 0 && m->calls >= m->end_at)) return NULL;
    m->alive++;
    return malloc(bytes);
}

static inline void starve_give(void *user, void *block) {
    meter *m = user;
    m->alive -= block != NULL;
    free(block);
}

static inline jd_context *starve_context(meter *m) {
    jd_context_def def = {.allocate = starve_take, .release = starve_give, .user = m};
    return jd_context_create(&def);
}

// A computation: `ready` (may be NULL) has all the memory it wants, `work` does not.
typedef jd_status starve_ready(jd_context *context, jd_problem **problem);
typedef jd_status starve_work(jd_context *context, jd_problem *problem, const void *user);
typedef enum starve_how { STARVE_ONCE, STARVE_FOR_GOOD } starve_how;

// Lets every allocation of `work` fail, one after the other, until it succeeds: each failure is
// reported, none is swallowed, nothing leaks. Returns how many there were.
static inline int starve_each(starve_ready *ready, starve_work *work, const void *user,
                              starve_how how) {
    for (int n = 0;; n++) {
        meter m = {0};
        jd_problem *p = NULL;
        jd_context *c = starve_context(&m);
        assert_non_null(c);
        if (ready) assert_int_equal(ready(c, &p), JD_OK);
        int at = m.calls + n + 1;
        *(how == STARVE_ONCE ? &m.fail_at : &m.end_at) = at;
        jd_status status = work(c, p, user);
        if (m.calls >= at) {
            assert_int_equal(status, JD_OUT_OF_MEMORY);
            assert_int_equal(jd_context_error(c)->status, JD_OUT_OF_MEMORY);
            assert_true(jd_context_error(c)->message[0]);
        } else if (status != JD_OK) {
            fail_msg("%s", jd_context_error(c)->message);
        }
        jd_problem_free(p);
        jd_context_free(c);
        assert_int_equal(m.alive, 0);
        if (status == JD_OK) return n;
        assert_true(n < 10000);
    }
}

// Work of its own: the orbit a model asks for.
static inline jd_status starve_orbit(jd_context *c, jd_problem *p, const void *none) {
    (void)none;
    jd_orbit *orbit;
    jd_status status = jd_orbit_create(c, p, NULL, &orbit);
    if (status == JD_OK) assert_true(jd_orbit_look(orbit)->found);
    jd_orbit_free(orbit);
    return status;
}

#endif

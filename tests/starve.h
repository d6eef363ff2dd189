// starve.h -- a context whose memory ends: at one allocation, or from one on.
#ifndef JD_TESTS_STARVE_H
#define JD_TESTS_STARVE_H

#include <stdlib.h>

#include "judder/context.h"

typedef struct meter {
    int calls;   // allocations asked for so far
    int fail_at; // this one fails, counted from 1; 0: none
    int end_at;  // this one and all after it fail; 0: none
    int alive;   // blocks not yet given back
} meter;

static inline void *starve_take(void *user, size_t bytes) {
    meter *m = user;
    m->calls++;
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

#endif

// scratch.h -- a context and an arena for every test of a program: set_up and tear_down.
#ifndef JD_TESTS_SCRATCH_H
#define JD_TESTS_SCRATCH_H

#include "base/arena.h"

static jd_context *context;
static jd_arena *arena;

static int set_up(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    arena = jd_arena_create(context);
    return arena ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    jd_arena_free(arena);
    jd_context_free(context);
    return 0;
}

#endif

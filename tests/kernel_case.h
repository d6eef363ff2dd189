// kernel_case.h -- the response of a body given as text, for tests of kernels.
#ifndef JD_TESTS_KERNEL_CASE_H
#define JD_TESTS_KERNEL_CASE_H

#include <string.h>

#include "model_case.h"
#include "problem/memory.h"

typedef struct body {
    jd_context *context;
    jd_problem *problem;
    jd_response *response;
    jd_arena *arena;
} body;

// `set`: one value changed, or NULL.
static inline body open_body(const char *text, const char *set) {
    body b = {.context = jd_context_create(NULL)};
    if (jd_model_parse(b.context, "m.yaml", JD_SOURCE_DIR, text, strlen(text), set != NULL, &set,
                       &b.problem) != JD_OK)
        fail_msg("%s\n%s", text, jd_context_error(b.context)->message);
    assert_int_equal(jd_problem_build(b.problem), JD_OK);
    assert_int_equal(jd_problem_response(b.context, b.problem, &b.response), JD_OK);
    b.arena = jd_arena_create(b.context);
    assert_non_null(b.arena);
    return b;
}

static inline void close_body(body *b) {
    jd_arena_free(b->arena);
    jd_response_free(b->response);
    jd_problem_free(b->problem);
    jd_context_free(b->context);
}

#endif

// model_case.h -- models from text, and what must be said about bad ones.
#ifndef JD_TESTS_MODEL_CASE_H
#define JD_TESTS_MODEL_CASE_H

#include <stdlib.h>
#include <string.h>

#include "judder/model.h"
#include "near.h"

typedef struct model_case {
    jd_context *context;
    jd_problem *problem;
} model_case;

static inline int model_case_begin(void **state) {
    model_case *m = calloc(1, sizeof *m);
    m->context = jd_context_create(NULL);
    *state = m;
    return 0;
}

static inline void model_case_drop(model_case *m) {
    jd_problem_free(m->problem);
    m->problem = NULL;
}

static inline int model_case_end(void **state) {
    model_case *m = *state;
    model_case_drop(m);
    jd_context_free(m->context);
    free(m);
    return 0;
}

#define MODEL_TEST(name) cmocka_unit_test_setup_teardown(name, model_case_begin, model_case_end)

static inline jd_status model_parse(model_case *m, const char *text, const char *set) {
    model_case_drop(m);
    return jd_model_parse(m->context, "m.yaml", JD_SOURCE_DIR, text, strlen(text), set != NULL,
                          &set, &m->problem);
}

// Reads the model, which must be right.
static inline void reads(model_case *m, const char *text, const char *set) {
    if (model_parse(m, text, set) == JD_OK) return;
    const jd_error *e = jd_context_error(m->context);
    fail_msg("%s: %s (%s)", e->where, e->message, e->hint);
}

static inline void says(const char *what, const char *text, const char *part) {
    if (part[0] && !strstr(text, part)) fail_msg("%s `%s` does not say `%s`", what, text, part);
}

// The model must be refused, at this place, with these words in message and hint.
static inline void refuses(model_case *m, const char *text, const char *set, jd_status status,
                           const char *where, const char *message, const char *hint) {
    jd_status got = model_parse(m, text, set);
    const jd_error *e = jd_context_error(m->context);
    if (got != status)
        fail_msg("%s instead of %s: %s", jd_status_name(got), jd_status_name(status), e->message);
    assert_null(m->problem);
    assert_int_equal(e->status, status);
    assert_string_equal(e->where, where);
    says("message", e->message, message);
    says("hint", e->hint, hint);
}

#endif

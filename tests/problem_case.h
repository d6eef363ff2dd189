// problem_case.h -- problems that tests of the folder problem begin with, and a friction contact.
#ifndef JD_TEST_PROBLEM_CASE_H
#define JD_TEST_PROBLEM_CASE_H

#include "near.h"
#include "problem_parts.h"

typedef struct fixture {
    jd_context *c;
    jd_problem *p;
} fixture;

static inline int make_rich(void **state) {
    static fixture f;
    f.c = jd_context_create(NULL);
    *state = &f;
    return rich_problem(f.c, &f.p) == JD_OK ? 0 : -1;
}

static inline int make_empty(void **state) {
    static fixture f;
    f.c = jd_context_create(NULL);
    *state = &f;
    return jd_problem_create(f.c, &f.p) == JD_OK ? 0 : -1;
}

static inline int drop(void **state) {
    fixture *f = *state;
    jd_problem_free(f->p);
    jd_context_free(f->c);
    return 0;
}

static inline void add_ground(const fixture *f, const char *name, const char *point) {
    jd_coulomb_def law = {.limit = 1, .static_limit = (double)NAN};
    jd_contact_def d = {.at = {.point = point}, .law = {"", &jd_law_coulomb.type, &law}};
    assert_int_equal(jd_problem_add_contact(f->p, name, &d), JD_OK);
}

#define RICH(test) cmocka_unit_test_setup_teardown(test, make_rich, drop)
#define EMPTY(test) cmocka_unit_test_setup_teardown(test, make_empty, drop)

#endif

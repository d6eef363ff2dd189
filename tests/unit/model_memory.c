// model_memory.c -- models whose numbers are in memory, units said once, and texts with changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "judder/run.h"
#include "model_case.h"

static const char pair[] = "judder: 1\n"
                           "structure: {type: matrices, mass: \"@M\", stiffness: \"@K\", "
                           "points: {end: {node: 2}}}\n"
                           "drives: {pull: {type: table, at: end, time: \"@t\", value: \"@f\"}}\n"
                           "simulate: {until: 1}\n";

static const int64_t start[] = {0, 2, 4}, index_[] = {0, 1, 0, 1};
static const double mass[] = {1, 0, 0, 1}, stiffness[] = {3, -1, -1, 2};
static const double times[] = {0, 0.5}, forces[] = {0, 2};

static jd_status create(model_case *m, const char *text, int n_set, const char *const *set) {
    jd_matrix mm = jd_matrix_from_rows(2, 2, start, index_, mass);
    jd_matrix kk = jd_matrix_from_rows(2, 2, start, index_, stiffness);
    const jd_model_array array[] = {{.name = "M", .matrix = &mm},
                                    {.name = "K", .matrix = &kk},
                                    {.name = "t", .reals = {2, times}},
                                    {.name = "f", .reals = {2, forces}}};
    const jd_model_def def = {.name = "m.yaml",
                              .text = text,
                              .size = strlen(text),
                              .n_set = n_set,
                              .set = set,
                              .n_array = 4,
                              .array = array};
    model_case_drop(m);
    return jd_model_create(m->context, &def, &m->problem);
}

// omega^2 of {3, -1; -1, 2} with unit masses: (5 -+ sqrt 5)/2.
static void text_names_matrices_and_lists_in_memory(void **state) {
    model_case *m = *state;
    assert_int_equal(create(m, pair, 0, NULL), JD_OK);
    jd_mode mode[2];
    jd_structure_mode_list(jd_problem_structure(m->problem, 0), mode);
    assert_near(mode[0].omega * mode[0].omega, (5 - sqrt(5)) / 2, 1e-14);
    assert_near(mode[1].omega * mode[1].omega, (5 + sqrt(5)) / 2, 1e-14);
    double value;
    assert_int_equal(jd_problem_get(m->problem, "drives.pull.value.2", &value), JD_OK);
    assert_true(value == 2);
    assert_false(jd_problem_is_si(m->problem));
}

static void refused(model_case *m, const char *set, jd_status status, const char *message) {
    assert_int_equal(create(m, pair, 1, &set), status);
    says("message", jd_context_error(m->context)->message, message);
}

static void names_that_are_not_in_memory_are_refused(void **state) {
    model_case *m = *state;
    refused(m, "structure.mass='@other'", JD_UNKNOWN_NAME, "no array");
    refused(m, "structure.mass='@t'", JD_WRONG_TYPE, "a matrix is wanted");
    refused(m, "drives.pull.value='@M'", JD_WRONG_TYPE, "a list of numbers is wanted");
    refused(m, "drives.pull.at='@f'", JD_UNKNOWN_NAME, "");
}

static void bare_numbers_are_SI_where_the_model_says_so(void **state) {
    model_case *m = *state;
    static const char text[] = "judder: 1\nunits: SI\n"
                               "structure: {type: chain, count: 1, mass: 2, stiffness: 3 kN/m}\n"
                               "simulate: {until: 1 s}\n";
    double value;
    reads(m, text, NULL);
    assert_true(jd_problem_is_si(m->problem));
    assert_int_equal(jd_problem_get(m->problem, "structure.stiffness.1", &value), JD_OK);
    assert_true(value == 3000);
    refuses(m, text, "units=own", JD_WRONG_TYPE, "--set units=own", "can only be `SI`", "leave");
}

static void changed_text_is_the_same_model(void **state) {
    model_case *m = *state;
    static const char text[] = "judder: 1 # comment\n"
                               "title: 'a: b, \"c\"'\n"
                               "structure: {type: chain, count: 2, mass: [2 kg, 3 kg],\n"
                               "  stiffness: 3 kN/m, points: {end: {node: 2}}}\n"
                               "simulate: {until: 1 s}\n";
    const char *set[] = {"structure.mass.2=5", "drives.push={type: constant, at: end, value: 1 N}"};
    const jd_model_def def = {
        .name = "m.yaml", .text = text, .size = strlen(text), .n_set = 2, .set = set};
    char out[1000];
    size_t length, short_length;
    assert_int_equal(jd_model_change(m->context, &def, sizeof out, out, &length), JD_OK);
    assert_int_equal(length, strlen(out));
    double value;
    reads(m, out, NULL);
    assert_int_equal(jd_problem_get(m->problem, "structure.mass.2", &value), JD_OK);
    assert_true(value == 5);
    assert_int_equal(jd_problem_get(m->problem, "drives.push.value", &value), JD_OK);
    assert_true(value == 1);
    assert_string_equal(jd_problem_title(m->problem), "a: b, \"c\"");
    char few[10];
    assert_int_equal(jd_model_change(m->context, &def, sizeof few, few, &short_length), JD_OK);
    assert_int_equal(short_length, length);
    assert_memory_equal(few, out, 9);
    assert_int_equal(few[9], 0);
    set[0] = "contacts.none.law=1";
    assert_int_equal(jd_model_change(m->context, &def, 0, NULL, &length), JD_UNKNOWN_NAME);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(text_names_matrices_and_lists_in_memory),
        MODEL_TEST(names_that_are_not_in_memory_are_refused),
        MODEL_TEST(bare_numbers_are_SI_where_the_model_says_so),
        MODEL_TEST(changed_text_is_the_same_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// batch.c -- runs of many variants: in order, the same on any number of threads, failures noted;
// the table of cases as people write it, and as they should not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "judder/judder.h"
#include "near.h"

static const char text[] =
    "judder: 1\n"
    "structure: {type: chain, count: 1, mass: 2 kg, stiffness: 800 N/m, points: {a: {node: 1}}}\n"
    "contacts: {a: {at: a, law: {type: coulomb, limit: 1 N}}}\n"
    "drives: {s: {at: a, type: harmonic, amplitude: 3 N, frequency: {times: 0.9, mode: 1}}}\n"
    "simulate: {until: 20 periods}\n";
static const jd_model_def model = {.name = "m.yaml", .text = text, .size = sizeof text - 1};

static const char *const paths[] = {"contacts.a.law.limit", "drives.s.amplitude"};
static const char *const cells[] = {"0.5", "",  "1.5",  "4 N",  "-1", "", // refused: out of range
                                    "x",   "1", "2e-1", "0.25", "",   "0.3 kN"};

static jd_result *compute(jd_context *context, int threads) {
    const jd_batch_def cases = {
        .n = 6, .n_parameter = 2, .parameter = paths, .value = cells, .threads = threads};
    jd_result *result = NULL;
    assert_int_equal(jd_result_of_batch(context, &model, &cases, &result), JD_OK);
    return result;
}

// What a run of the model with these changes gives.
static jd_result *alone(jd_context *context, int n_set, const char *const *set,
                        jd_problem **problem) {
    jd_result *result = NULL;
    assert_int_equal(jd_model_parse(context, "m.yaml", "", text, strlen(text), n_set, set, problem),
                     JD_OK);
    assert_int_equal(jd_result_of_run(context, *problem, &result), JD_OK);
    return result;
}

static void every_case_is_the_run_of_its_changes(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_result *result = compute(context, 1);
    const jd_batch_result *b = jd_result_batch(result);
    const char *set[] = {"contacts.a.law.limit=1.5 N", "drives.s.amplitude=4 N"};
    jd_problem *problem = NULL;
    jd_result *one = alone(context, 2, set, &problem);
    const jd_run_result *r = jd_result_run(one);
    assert_int_equal(b->n, 6);
    assert_true(b->complete);
    assert_int_equal(b->failed, 2);
    assert_int_equal(b->item[1].events, r->count.total);
    assert_true(b->item[1].events > 10 && b->item[1].certified);
    assert_true(b->item[1].residual == r->ledger.residual);
    assert_string_equal(b->contacts.name[1], "a.displacement.max");
    assert_true(b->contacts.value[1][1] == r->contact[0].range.displacement.max);
    assert_true(b->contacts.value[6][1] == r->contact[0].friction);
    assert_string_equal(b->parameter[1].value[5], "0.3 kN");
    jd_result_free(one);
    jd_problem_free(problem);
    jd_result_free(result);
    jd_context_free(context);
}

static void a_refused_case_is_noted_and_the_rest_goes_on(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    jd_result *result = compute(context, 2);
    const jd_batch_result *b = jd_result_batch(result);
    assert_int_equal(b->item[2].status, JD_OUT_OF_RANGE);
    assert_non_null(strstr(b->item[2].message, "must be at least 0"));
    assert_int_equal(b->item[3].status, JD_WRONG_TYPE);
    assert_true(isnan(b->contacts.value[0][2]) && isnan(b->item[2].t_end));
    assert_int_equal(b->item[5].status, JD_OK);
    assert_int_equal(jd_context_error(context)->status, JD_OK);
    jd_result_free(result);
    jd_context_free(context);
}

static void threads_do_not_change_a_bit_and_files_keep_them(void **state) {
    (void)state;
    const char *path = "unit_batch.h5";
    jd_context *context = jd_context_create(NULL);
    jd_result *one = compute(context, 1), *three = compute(context, 3), *back = NULL;
    assert_int_equal(jd_result_write(context, three, path), JD_OK);
    assert_int_equal(jd_result_read(context, path, &back), JD_OK);
    const jd_batch_result *a = jd_result_batch(one),
                          *others[] = {jd_result_batch(three), jd_result_batch(back)};
    for (int k = 0; k < 2; k++) {
        const jd_batch_result *b = others[k];
        assert_int_equal(b->n, a->n);
        assert_int_equal(b->contacts.n_column, a->contacts.n_column);
        for (int c = 0; c < a->contacts.n_column; c++)
            for (int i = 0; i < a->n; i++) {
                double x = a->contacts.value[c][i], y = b->contacts.value[c][i];
                assert_true(x == y || (isnan(x) && isnan(y)));
            }
        for (int i = 0; i < a->n; i++) {
            assert_int_equal(a->item[i].status, b->item[i].status);
            assert_int_equal(a->item[i].events, b->item[i].events);
            assert_string_equal(a->item[i].message, b->item[i].message);
            assert_string_equal(a->parameter[0].value[i], b->parameter[0].value[i]);
        }
    }
    remove(path);
    jd_result_free(one);
    jd_result_free(three);
    jd_result_free(back);
    jd_context_free(context);
}

static void a_negative_number_of_threads_is_refused(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    const jd_batch_def cases = {
        .n = 6, .n_parameter = 2, .parameter = paths, .value = cells, .threads = -3};
    jd_result *result = NULL;
    assert_int_equal(jd_result_of_batch(context, &model, &cases, &result), JD_BAD_ARGUMENT);
    assert_null(result);
    assert_non_null(strstr(jd_context_error(context)->message, "threads"));
    jd_context_free(context);
}

static bool at_once(void *user) {
    (void)user;
    return true;
}

static void a_stop_leaves_the_rest_undone(void **state) {
    (void)state;
    jd_context_def def = jd_default_context_def();
    def.stop = at_once;
    jd_context *context = jd_context_create(&def);
    jd_result *result = compute(context, 2);
    const jd_batch_result *b = jd_result_batch(result);
    assert_false(b->complete);
    assert_false(b->item[5].done);
    jd_result_free(result);
    jd_context_free(context);
}

static jd_status read_table(jd_context *context, const char *content, size_t size,
                            jd_batch_table **table) {
    const char *path = "unit_batch.csv";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(content, 1, size, file);
    fclose(file);
    jd_status s = jd_batch_read(context, path, table);
    remove(path);
    return s;
}

static void tables_are_read_as_people_write_them(void **state) {
    (void)state;
    static const char csv[] = "# friction\r\n\r\n a.b , c\r\n1, 2 \r\n,\"{x: 1, y: \"\"z\"\"}\"\r\n"
                              "  # no case\n\" 3 kN\",\n4,5";
    jd_context *context = jd_context_create(NULL);
    jd_batch_table *table = NULL;
    assert_int_equal(read_table(context, csv, strlen(csv), &table), JD_OK);
    const jd_batch_def *d = jd_batch_look(table);
    const char *want[] = {"1", "2", "", "{x: 1, y: \"z\"}", " 3 kN", "", "4", "5"};
    assert_int_equal(d->n, 4);
    assert_int_equal(d->n_parameter, 2);
    assert_string_equal(d->parameter[0], "a.b");
    assert_string_equal(d->parameter[1], "c");
    for (int i = 0; i < 8; i++) assert_string_equal(d->value[i], want[i]);
    jd_batch_free(table);
    jd_context_free(context);
}

static void wrong_tables_are_refused_by_name_and_line(void **state) {
    (void)state;
    static const struct {
        const char *csv;
        jd_status status;
        int line;
    } list[] = {{"", JD_EMPTY_FILE, 0},
                {"\xEF\xBB\xBF", JD_EMPTY_FILE, 0},
                {"a\n", JD_EMPTY_FILE, 0},
                {"a,b\n1\n", JD_SIZE_MISMATCH, 2},
                {"a,b\n1,2,3\n", JD_SIZE_MISMATCH, 2},
                {"a,a\n1,2\n", JD_DUPLICATE_NAME, 1},
                {"a,\n1,2\n", JD_BROKEN_TABLE, 1},
                {"a=1\n1\n", JD_BROKEN_TABLE, 1},
                {"a\n\"1\n", JD_BROKEN_TABLE, 2},
                {"a\n\"1\"x\n", JD_BROKEN_TABLE, 2}};
    jd_context *context = jd_context_create(NULL);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        jd_batch_table *table = NULL;
        char line[16];
        snprintf(line, sizeof line, ":%d", list[i].line);
        assert_int_equal(read_table(context, list[i].csv, strlen(list[i].csv), &table),
                         list[i].status);
        assert_null(table);
        if (list[i].line) assert_non_null(strstr(jd_context_error(context)->where, line));
    }
    jd_batch_table *table = NULL;
    assert_int_equal(read_table(context, "a\n1\0002\n", 6, &table), JD_BROKEN_TABLE);
    assert_int_equal(jd_batch_read(context, "/no/such.csv", &table), JD_CANNOT_READ);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_is_the_run_of_its_changes),
        cmocka_unit_test(a_refused_case_is_noted_and_the_rest_goes_on),
        cmocka_unit_test(threads_do_not_change_a_bit_and_files_keep_them),
        cmocka_unit_test(a_negative_number_of_threads_is_refused),
        cmocka_unit_test(a_stop_leaves_the_rest_undone),
        cmocka_unit_test(tables_are_read_as_people_write_them),
        cmocka_unit_test(wrong_tables_are_refused_by_name_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

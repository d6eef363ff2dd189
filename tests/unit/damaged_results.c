// damaged_results.c -- results whose counts do not fit together: refused by name, never read beyond
// what is there. Merging keeps what is merged as it was.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS; NOLINT(bugprone-reserved-identifier)
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "judder/merge.h"
#include "judder/result.h"
#include "result/export/export.h"
#include "result/file/document.h"
#include "result/sweep/content.h"
#include "sweep_case.h"

#define LINE "parameters: drives.force.frequency, from: 1.2, to: 1.8, points: 3, samples: 2"
#define DRAWS                                                                                      \
    "sample: {points: 3, parameters: {drives.force.amplitude: {uniform: [0.3, 0.5]}}}, "           \
    "parameters: drives.force.frequency, from: 1.2, to: 1.3, points: 2, samples: 2"
#define DAMPED "{type: ratio, value: 0.05}"

static const char path[] = "damaged_results.h5";

static void must(const model_case *m, jd_status status) {
    if (status != JD_OK) fail_msg("%s", jd_context_error(m->context)->message);
}

// What a file of the sweep, or of shard `number` of it, holds.
static json_t *document_of(model_case *m, const char *model, int number, int of) {
    jd_sweep *sweep = sweep_of(m, model);
    jd_result *result;
    json_t *document;
    if (of > 0) must(m, jd_sweep_take_shard(sweep, number, of));
    sweep_compute(m, sweep, 1);
    must(m, jd_result_of_sweep(m->context, m->problem, sweep, &result));
    must(m, jd_result_write(m->context, result, path));
    must(m, jd_hdf5_read(m->context, path, &document));
    unlink(path);
    jd_result_free(result);
    jd_sweep_free(sweep);
    return document;
}

static jd_result *result_of(const model_case *m, const json_t *document) {
    jd_result *result;
    must(m, jd_result_of_document(m->context, document, &result));
    return result;
}

static void refused(const model_case *m, const json_t *document, const char *message) {
    jd_result *result;
    assert_int_equal(jd_result_of_document(m->context, document, &result), JD_BAD_RESULT_FILE);
    assert_null(result);
    says("message", jd_context_error(m->context)->message, message);
}

// n samples at the end of a page behind which nothing may be read.
static double *at_the_end(int n) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *room = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room != MAP_FAILED && mprotect(room + page, page, PROT_NONE) == 0);
    return (double *)(void *)(room + page) - 2 * (ptrdiff_t)n;
}

// Attractors of two points with `periods` drive periods and n samples each; the second's are the
// first's from the next drive period on, the last `odd` of them others.
static int attractors(const model_case *m, int periods, int n, int odd) {
    jd_sweep_point point[2] = {0};
    const double values[2] = {0, 1};
    jd_arena *arena = jd_arena_create(m->context);
    for (int i = 0; i < 2; i++) {
        double *sample = at_the_end(n);
        for (int k = 0; k < n; k++) {
            int at = (k + i) % (periods < n ? periods : n);
            sample[2 * k] = at + (i && k >= n - odd ? 0.5 : 0);
            sample[2 * k + 1] = -at;
        }
        point[i] = (jd_sweep_point){.done = true,
                                    .settled = true,
                                    .periods = periods,
                                    .period = periods,
                                    .events = 2,
                                    .max = 1,
                                    .phases = "+-",
                                    .sample = sample};
    }
    jd_sweep_view v = {.n_parameter = 1,
                       .parameter = {"start.displacement.1"},
                       .count = {2, 1},
                       .values = {values},
                       .starts = 1,
                       .n_point = 2,
                       .n_sample = n,
                       .point = point};
    must(m, jd_sweep_summary(arena, &v));
    jd_arena_free(arena);
    return v.n_attractor;
}

static void motions_with_more_periods_than_samples_are_compared_without_them(void **state) {
    assert_int_equal(attractors(*state, 3, 3, 0), 1);
    assert_int_equal(attractors(*state, 3, 3, 1), 2);
    assert_int_equal(attractors(*state, 3, 8, 0), 1);
    assert_int_equal(attractors(*state, 64, 16, 0), 1);
    assert_int_equal(attractors(*state, 2000000000, 1, 0), 1);
}

static void draws_and_statistics_are_those_of_the_grid(void **state) {
    model_case *m = *state;
    json_t *document = document_of(m, KNOCKER(DAMPED, DRAWS), 0, 0);
    json_t *values = json_object_get(json_object_get(document, "sample"), "values");
    jd_result_free(result_of(m, document));
    assert_int_equal(json_array_size(values), 3);
    for (int i = 0; i < 1000; i++) json_array_append_new(values, json_pack("[f]", 0.4));
    refused(m, document, "values of 1003 draws, but its grid has 3");
    while (json_array_size(values) > 2) json_array_remove(values, 2);
    refused(m, document, "values of 2 draws, but its grid has 3");
    json_array_append_new(values, json_pack("[f]", 0.4));
    jd_result_free(result_of(m, document));
    json_t *statistics = json_object_get(document, "statistics"), *column;
    column = json_object_get(statistics, "points");
    json_array_set_new(column, 1, json_integer(INT32_MAX));
    refused(m, document, "statistics 2 of the sample count other than its draws");
    json_array_set_new(column, 1, json_integer(3));
    jd_result_free(result_of(m, document));
    const char *key;
    json_object_foreach(statistics, key, column) {
        assert_int_equal(json_array_size(column), 2);
        for (int i = 0; i < 100; i++) json_array_append_new(column, json_integer(1));
    }
    refused(m, document, "102 statistics of its sample, not 2");
    json_decref(document);
}

// A list of texts to which others are added: it is 192 bytes long, as long as its block.
static void classes_that_a_file_does_not_list_are_put_behind(void **state) {
    model_case *m = *state;
    json_t *document = document_of(m, KNOCKER(DAMPED, LINE), 0, 0), *list = json_array();
    char name[20];
    for (int i = 0; i < 24; i++) {
        snprintf(name, sizeof name, "class %d", i);
        json_array_append_new(list, json_string(name));
    }
    json_object_set_new(document, "classes", list);
    json_object_set_new(json_object_get(document, "points"), "class",
                        json_pack("[s,s,s]", "one", "class 1", "two"));
    jd_result *result = result_of(m, document);
    const jd_sweep_view *v = jd_result_sweep(result);
    assert_int_equal(v->n_class, 26);
    for (int i = 0; i < 24; i++) {
        snprintf(name, sizeof name, "class %d", i);
        assert_string_equal(v->class_name[i], name);
    }
    assert_string_equal(v->class_name[24], "one");
    assert_string_equal(v->class_name[25], "two");
    assert_int_equal(v->point[1].class_number, 1);
    jd_result_free(result);
    json_decref(document);
}

static void attractors_are_counted(void **state) {
    model_case *m = *state;
    json_t *document = document_of(m, KNOCKER(DAMPED, LINE), 0, 0);
    static const int odd[] = {INT32_MIN, -1, 4, INT32_MAX};
    for (int i = 0; i < 4; i++) {
        json_object_set_new(json_object_get(document, "points"), "attractor",
                            json_pack("[i,i,i]", 0, odd[i], 3));
        refused(m, document, "point 2 of the sweep is of attractor");
    }
    json_decref(document);
}

static void what_other_results_count_fits(void **state) {
    json_t *orbits = json_pack("{s:s, s:[], s:[{s:[f,f]}]}", "kind", "nsm-orbits", "points",
                               "orbits", "t", 0.0, 1.0);
    for (int i = 0; i < 17; i++)
        json_array_append_new(json_object_get(orbits, "points"), json_string("p"));
    refused(*state, orbits, "17 `points`");
    json_decref(orbits);
    json_t *branch = json_pack("{s:s, s:[{s:[f,f]},{s:[f,f]}], s:[], s:{s:[f]}}", "kind", "follow",
                               "branch", "multiplier", 0.0, 0.0, "multiplier", 0.0, 0.0, "special",
                               "also", "tip.velocity.max", 1.0);
    refused(*state, branch, "1 numbers as `tip.velocity.max`, not 2");
    json_decref(branch);
}

// One wide text makes all rows as wide: more than 2 GB of a few megabytes.
static void texts_beyond_a_matlab_file_are_refused(void **state) {
    enum { ROWS = 17000, WIDE = 1 << 16 };
    const model_case *m = *state;
    static char wide[WIDE + 1];
    memset(wide, 'x', WIDE);
    json_t *value = json_array(), *cases = json_array();
    for (int i = 0; i < ROWS; i++) {
        json_array_append_new(value, json_string("1"));
        json_array_append_new(cases, json_pack("{s:s}", "message", i ? "" : wide));
    }
    json_t *document = json_pack("{s:s, s:{s:{s:o}}, s:o}", "kind", "batch", "parameters", "a",
                                 "value", value, "cases", cases);
    jd_result *result = result_of(m, document);
    assert_int_equal(jd_export_mat(m->context, result, "/dev/null"), JD_NOT_SUPPORTED);
    says("message", jd_context_error(m->context)->message, "`cases/message` has 1114112000 char");
    says("hint", jd_context_error(m->context)->hint, "h5read");
    jd_result_free(result);
    json_decref(document);
}

// ---- merging

static void same_documents(const jd_result *a, const jd_result *b) {
    json_t *x = jd_result_document(a, JD_FACE_FILE), *y = jd_result_document(b, JD_FACE_FILE);
    char *s = json_dumps(x, JSON_SORT_KEYS), *t = json_dumps(y, JSON_SORT_KEYS);
    assert_string_equal(s, t);
    free(s);
    free(t);
    json_decref(x);
    json_decref(y);
}

// Of results that were never in a file, in any order: the bits of one run, and the sweeps stay as
// they are.
static void shards_in_memory_are_merged(void **state) {
    static const char model[] =
        KNOCKER(DAMPED, LINE ", beside: {line: 1 + frequency/2, other: 2 - frequency}");
    model_case *m = *state;
    jd_sweep *all = sweep_done(m, model, 1), *sweep[3];
    jd_result *whole, *merged, *part;
    jd_merge *merge;
    must(m, jd_result_of_sweep(m->context, m->problem, all, &whole));
    assert_non_null(jd_result_sweep(whole)->point[0].beside);
    must(m, jd_merge_create(m->context, &merge));
    for (int k = 0; k < 3; k++) {
        must(m, jd_sweep_create(m->context, m->problem, &sweep[k]));
        must(m, jd_sweep_take_shard(sweep[k], 3 - k, 3));
        sweep_compute(m, sweep[k], 1);
        must(m, jd_result_of_sweep(m->context, m->problem, sweep[k], &part));
        must(m, jd_merge_add(merge, part, "part"));
    }
    must(m, jd_merge_end(merge, &merged));
    same_documents(whole, merged);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            assert_int_equal(jd_sweep_look(sweep[k])->point[i].done, i == 2 - k);
    jd_merge_free(merge);
    jd_result_free(merged);
    jd_result_free(whole);
    for (int k = 0; k < 3; k++) jd_sweep_free(sweep[k]);
    jd_sweep_free(all);
}

static void not_of_one_sweep(model_case *m, int n, json_t *const *document) {
    jd_merge *merge;
    must(m, jd_merge_create(m->context, &merge));
    for (int k = 0; k < n; k++) {
        jd_status s = jd_merge_add(merge, result_of(m, document[k]), "part");
        assert_int_equal(s, k == n - 1 ? JD_BAD_RESULT_FILE : JD_OK);
    }
    says("message", jd_context_error(m->context)->message, "not shards of one sweep");
    jd_merge_free(merge);
    for (int k = 0; k < n; k++) json_decref(document[k]);
}

// The first shard has no points, so that it does not tell how many samples there are.
static void samples_are_compared_behind_an_empty_shard(void **state) {
    json_t *document[3], *list;
    size_t i;
    for (int k = 0; k < 3; k++) document[k] = document_of(*state, KNOCKER(DAMPED, LINE), k + 1, 3);
    json_object_set_new(document[0], "points", json_array());
    json_array_foreach(json_object_get(json_object_get(document[2], "points"), "samples"), i, list)
        json_array_remove(list, 1);
    not_of_one_sweep(*state, 3, document);
}

// As many points and the same identity, on another grid.
static void grids_are_compared(void **state) {
#define GRID(points)                                                                               \
    KNOCKER(DAMPED, "parameters: [drives.force.frequency, drives.force.amplitude], "               \
                    "from: [1.2, 0.3], to: [1.3, 0.5], samples: 1, points: " points)
    json_t *document[2] = {document_of(*state, GRID("[1, 2]"), 1, 2),
                           document_of(*state, GRID("[2, 1]"), 2, 2)};
    const json_t *first = json_object_get(document[0], "shard");
    json_object_set(json_object_get(document[1], "shard"), "identity",
                    json_object_get(first, "identity"));
    not_of_one_sweep(*state, 2, document);
}

static void any_number_of_shards_is_listed(void **state) {
    model_case *m = *state;
    json_t *document = document_of(m, KNOCKER(DAMPED, LINE ", direction: both"), 1, 1);
    jd_result *whole;
    jd_merge *merge;
    json_object_set_new(json_object_get(document, "shard"), "of", json_integer(INT32_MAX));
    json_object_set_new(document, "points", json_array());
    must(m, jd_merge_create(m->context, &merge));
    must(m, jd_merge_add(merge, result_of(m, document), "part"));
    assert_int_equal(jd_merge_end(merge, &whole), JD_MISSING_KEY);
    assert_string_equal(jd_context_error(m->context)->hint,
                        "of 2147483647 shards these are not given: 1");
    jd_merge_free(merge);
    json_decref(document);
}

static void parameters_have_names_of_their_own(void **state) {
    model_case *m = *state;
    json_t *document = document_of(m, KNOCKER(DAMPED, LINE), 0, 0);
    json_t *names = json_object_get(document, "parameters");
    json_array_append(names, json_array_get(names, 0));
    refused(m, document, "names the parameter `drives.force.frequency` of the sweep twice");
    json_decref(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MODEL_TEST(motions_with_more_periods_than_samples_are_compared_without_them),
        MODEL_TEST(draws_and_statistics_are_those_of_the_grid),
        MODEL_TEST(classes_that_a_file_does_not_list_are_put_behind),
        MODEL_TEST(attractors_are_counted),
        MODEL_TEST(what_other_results_count_fits),
        MODEL_TEST(texts_beyond_a_matlab_file_are_refused),
        MODEL_TEST(shards_in_memory_are_merged),
        MODEL_TEST(samples_are_compared_behind_an_empty_shard),
        MODEL_TEST(grids_are_compared),
        MODEL_TEST(any_number_of_shards_is_listed),
        MODEL_TEST(parameters_have_names_of_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

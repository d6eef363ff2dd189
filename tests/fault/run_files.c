// run_files.c -- every allocation of a run with its files fails once: a clean refusal, no file.
#include <string.h>
#include <unistd.h>

#include "judder/model.h"
#include "result/run/run.h"
#include "starve.h"

static const char model[] =
    "judder: 1\n"
    "structure: {type: chain, count: 3, mass: 1, stiffness: 1, points: {end: {node: 3}},\n"
    "  supports: {left: fixed, right: free}, damping: {type: ratio, value: 0.01}}\n"
    "contacts: {end: {at: end, against: ground, law: {type: coulomb, limit: 0.1}}}\n"
    "drives: {push: {at: end, type: harmonic, amplitude: 1, frequency: 0.9}}\n"
    "start: rest\n"
    "simulate: {until: 30}\n"
    "output: {every: 0.5}\n";

static jd_status follow_to_file(jd_recording *f) {
    jd_run_files *files = NULL;
    jd_result *result = NULL;
    const jd_run_targets to = {.hdf5 = "fault.h5", .csv = "fault.csv", .events = "fault.ev"};
    jd_status s = jd_run_files_open(f, &to, &files);
    if (s == JD_OK) s = jd_recording_begin(f, (jd_keep){.lists = true, .tables = true}, &result);
    if (s == JD_OK) s = jd_recording_run(f);
    if (s == JD_OK) s = jd_recording_end(f, result);
    if (s == JD_OK) s = jd_run_files_commit(files, result);
    jd_run_files_abandon(files);
    jd_result_free(result);
    return s;
}

static jd_status whole_run(jd_context *context, jd_problem *none, const void *first) {
    (void)none;
    jd_problem *problem = NULL;
    jd_recording *f = NULL;
    jd_status s = jd_model_parse(context, "m", "", model, strlen(model), 0, NULL, &problem);
    if (s == JD_OK) s = jd_recording_create(context, problem, &f);
    if (s == JD_OK) s = follow_to_file(f);
    jd_recording_free(f);
    jd_problem_free(problem);
    assert_true(s == JD_OK || access(first, F_OK) != 0); // the first file to get its name
    return s;
}

static void a_run_without_memory_leaves_nothing_behind(void **state) {
    (void)state;
    static const char *const files[] = {"fault.h5", "fault.csv", "fault.ev"};
    for (int i = 0; i < 3; i++) unlink(files[i]);
    assert_true(starve_each(NULL, whole_run, files[0], STARVE_FOR_GOOD) > 10);
    for (int i = 0; i < 3; i++) assert_int_equal(unlink(files[i]), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_without_memory_leaves_nothing_behind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// fence.c -- reading in a child process: a crash, a loop without end, memory without end and a call
// of exit are named failures; what comes back, whatever it says, is repeated here. A result is read
// the same with a fence and without.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "near.h"
#include "result/file/document.h"
#include "result/file/hdf5_fence.h"
#include "scratch.h"

static void comes_back(void *user) { *(int *)user = 2; }
static void leaves(void *user) { exit(*(int *)user); } // as if in a library

static void crashes(void *user) {
    (void)user;
    signal(SIGSEGV, SIG_DFL); // a sanitizer would report it
    raise(SIGSEGV);
}

static void loops(void *user) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){1, 2}); // sooner than ten seconds
    for (volatile int *n = user;; *n = 1) continue;
}

static void eats(void *user) { // 16 MB at a time, up to 8 GB; not by malloc: sanitizers have theirs
    (void)user;
    for (int i = 0; i < 512; i++)
        if (mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            MAP_FAILED)
            abort();
}

static void ends_with(void (*read)(void *user), const char *words) {
    jd_hdf5_source source = {.context = context, .path = "odd.h5", .length = 1000};
    int number = 2;
    jd_context_clear_error(context);
    assert_int_equal(jd_hdf5_rehearse(&source, read, &number), JD_BAD_RESULT_FILE);
    const jd_error *e = jd_context_error(context);
    if (!strstr(e->message, words) || !strstr(e->message, "odd.h5") || !e->hint[0])
        fail_msg("%s: not `%s`", e->message, words);
}

static void what_ends_a_child_is_named(void **state) {
    (void)state;
    ends_with(crashes, "the HDF5 library fails on it (Segmentation fault)");
    ends_with(loops, "reading it does not end");
    ends_with(eats, "the HDF5 library fails on it (Aborted)");
    ends_with(leaves, "gives up on it (code 2)");
}

static void what_comes_back_changes_nothing_here(void **state) {
    (void)state;
    jd_hdf5_source source = {.context = context, .path = "fine.h5", .length = 1000};
    int number = 1;
    assert_int_equal(jd_hdf5_rehearse(&source, comes_back, &number), JD_OK);
    assert_int_equal(number, 1);
}

static json_t *read_with(bool fence, const char *path) {
    jd_context_def def = jd_default_context_def();
    def.fence = fence;
    jd_context *c = jd_context_create(&def);
    json_t *document = NULL;
    assert_int_equal(jd_hdf5_read(c, path, &document), JD_OK);
    jd_context_free(c);
    return document;
}

static void a_result_is_the_same_behind_a_fence(void **state) {
    (void)state;
    const jd_origin origin = {"test", "", NULL, NULL};
    static const char path[] = "fence.h5";
    json_t *document = json_pack("{s:s, s:s, s:[f, f]}", "kind", "run", "units", "SI", "t", 0., .1);
    assert_int_equal(jd_hdf5_write(context, path, document, &origin), JD_OK);
    json_t *with = read_with(true, path), *without = read_with(false, path);
    assert_true(json_equal(with, without));
    json_decref(with);
    json_decref(without);
    json_decref(document);
    remove(path);
}

// A visitor that the second file ends, or that looks at nothing.
static jd_status stumble(const jd_hdf5_source *source, json_t *head, void *user) {
    (void)head;
    if (strstr(source->path, "odd")) crashes(user);
    return JD_OK;
}

static jd_status look(const jd_hdf5_source *source, json_t *head, void *user) {
    (void)source, (void)head, (void)user;
    return JD_OK;
}

static jd_status count(void *user, int i, json_t *document) {
    assert_non_null(json_object_get(document, "kind"));
    assert_int_equal(i, *(int *)user);
    ++*(int *)user;
    return JD_OK;
}

// 130 files: two groups of 64 and a rest.
static void of_many_files_the_one_that_ends_a_child_is_named(void **state) {
    (void)state;
    enum { FILES = 130, ODD = 70 };
    const jd_origin origin = {"test", "", NULL, NULL};
    char name[FILES][24];
    const char *path[FILES];
    json_t *document = json_pack("{s:s, s:s, s:[f, f]}", "kind", "run", "units", "SI", "t", 0., .1);
    jd_context_def def = jd_default_context_def();
    def.fence = true;
    jd_context *c = jd_context_create(&def);
    for (int i = 0; i < FILES; i++) {
        snprintf(name[i], sizeof name[i], "fence-%s%d.h5", i == ODD ? "odd" : "", i);
        path[i] = name[i];
        assert_int_equal(jd_hdf5_write(context, path[i], document, &origin), JD_OK);
    }
    int n = 0;
    assert_int_equal(jd_hdf5_visit_all(c, FILES, path, look, count, &n), JD_OK);
    assert_int_equal(n, FILES);
    assert_int_equal(jd_context_error(c)->status, JD_OK);
    n = 0;
    assert_int_equal(jd_hdf5_visit_all(c, FILES, path, stumble, count, &n), JD_BAD_RESULT_FILE);
    assert_int_equal(n, ODD); // all before it were taken
    assert_non_null(strstr(jd_context_error(c)->message, name[ODD]));
    assert_non_null(strstr(jd_context_error(c)->message, "Segmentation fault"));
    remove(path[FILES - 1]);
    assert_int_equal(jd_hdf5_visit_all(c, FILES, path, look, count, &(int){0}), JD_CANNOT_READ);
    for (int i = 0; i < FILES - 1; i++) remove(path[i]);
    json_decref(document);
    jd_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_ends_a_child_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_comes_back_changes_nothing_here, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_result_is_the_same_behind_a_fence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(of_many_files_the_one_that_ends_a_child_is_named, set_up,
                                        tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

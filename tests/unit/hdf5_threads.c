// hdf5_threads.c -- results are written and read by several threads at once, each with a context of
// its own: HDF5, which is for one thread at a time, is taken by turns. Half of them read each file
// in a child first, which must not begin while another thread is within HDF5: it would wait for
// that thread for ever. alarm() ends the test then. Nor may it wait for a thread of the program
// that calls HDF5 by itself, as threads do when they begin here and one does throughout.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#include <hdf5.h>

#include "near.h"
#include "result/result.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const bool forks =
    false; // their allocators are not to be used in a child of several threads
#else
static const bool forks = true;
#endif

enum { THREADS = 4, ROUNDS = 25, POINTS = 40 };

typedef struct worker {
    int number, done, printed;
    char why[400];
} worker;

// A backbone whose numbers are those of the thread and of the round.
static json_t *make(int number, int round) {
    json_t *list = json_array();
    for (int i = 0; i < POINTS; i++)
        json_array_append_new(list, json_pack("{s:f, s:f, s:i}", "amplitude", i + 0.5, "omega",
                                              1000.0 * number + round, "events", i));
    return json_pack("{s:s, s:s, s:o}", "kind", "backbone", "at", "tip", "points", list);
}

static jd_status there_and_back(jd_context *context, const worker *w, int round) {
    char path[60];
    json_t *document = make(w->number, round);
    jd_result *result = NULL, *back = NULL;
    snprintf(path, sizeof path, "hdf5_threads_%d.h5", w->number);
    jd_status s = jd_result_of_document(context, document, &result);
    if (s == JD_OK) s = jd_result_write(context, result, path);
    if (s == JD_OK) s = jd_result_read(context, path, &back);
    if (s == JD_OK) {
        json_t *a = jd_result_document(result, JD_FACE_FILE),
               *b = jd_result_document(back, JD_FACE_FILE);
        if (!json_equal(a, b)) s = jd_fail(context, JD_INTERNAL, "other numbers were read");
        json_decref(a);
        json_decref(b);
    }
    jd_result_free(result);
    jd_result_free(back);
    json_decref(document);
    unlink(path);
    return s;
}

static herr_t count(hid_t stack, void *user) {
    (void)stack;
    ++*(int *)user;
    return 0;
}

// A program that has other uses for HDF5: within it about one part in twenty of the time.
static atomic_bool over;
static int use_hdf5(void *user) {
    const struct timespec pause = {0, 20000};
    H5E_auto2_t function;
    void *data;
    (void)user;
    while (!atomic_load(&over)) {
        H5Eget_auto2(H5E_DEFAULT, &function, &data);
        thrd_sleep(&pause, NULL);
    }
    return 0;
}

static int work(void *user) {
    worker *w = user;
    jd_context_def def = jd_default_context_def();
    def.fence = forks && w->number % 2 == 0;
    jd_context *context = jd_context_create(&def);
    hbool_t each = false; // has every thread its own way to print?
    H5is_library_threadsafe(&each);
    if (each) H5Eset_auto2(H5E_DEFAULT, count, &w->printed);
    jd_status s = JD_OK;
    for (int round = 0; round < ROUNDS && s == JD_OK; round++) {
        s = there_and_back(context, w, round);
        w->done += s == JD_OK;
    }
    if (s != JD_OK) snprintf(w->why, sizeof w->why, "%s", jd_context_error(context)->message);
    jd_context_free(context);
    return 0;
}

static void threads_write_and_read_by_turns(void **state) {
    worker w[THREADS] = {0};
    thrd_t thread[THREADS], other;
    H5E_auto2_t before, after;
    void *data;
    (void)state;
    alarm(120);
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    for (int i = 0; i < THREADS; i++) {
        w[i].number = i + 1;
        assert_int_equal(thrd_create(&thread[i], work, &w[i]), thrd_success);
    }
    hbool_t each = false; // may the program call it at the same time?
    H5is_library_threadsafe(&each);
    if (each) assert_int_equal(thrd_create(&other, use_hdf5, NULL), thrd_success);
    for (int i = 0; i < THREADS; i++) thrd_join(thread[i], NULL);
    atomic_store(&over, true);
    if (each) thrd_join(other, NULL);
    for (int i = 0; i < THREADS; i++)
        if (w[i].done != ROUNDS) fail_msg("thread %d, round %d: %s", i + 1, w[i].done, w[i].why);
    for (int i = 0; i < THREADS; i++) assert_int_equal(w[i].printed, 0);
    H5Eget_auto2(H5E_DEFAULT, &after, &data); // as the program had it
    assert_true(before == after);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_write_and_read_by_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

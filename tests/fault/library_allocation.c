// library_allocation.c -- udunits2, muParser and HDF5 where memory ends: the program of whoever
// calls the library goes on, and the error has its name.
//   In children with so and so many bytes of addresses left: a model with units, formulas,
//   a result read, a result written. Without a look at what is left before these libraries are
//   called, some of the children die by SIGABRT, SIGSEGV or exit.
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/read.h"
#include "near.h"
#include "pages.h"
#include "result/file/document.h"
#include "result/file/hdf5_stream.h"
#include "scratch.h"
#include "structure/piecewise/expression.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1 // it takes terabytes of addresses for itself: no limit can be set
#else
#define SANITIZED 0
#endif

static const char kept[] = "library_memory.h5", written[] = "library_memory_out.h5";

static jd_status read_text(const char *text) {
    jd_problem *problem = NULL;
    jd_model_text_def def = {.text = text, .size = strlen(text)};
    // not built: OpenBLAS waits for ever where addresses end (docs/testing.md)
    jd_status s = jd_model_make(context, "m.yaml", ".", &def, false, &problem);
    jd_problem_free(problem);
    return s;
}

static jd_status read_units(void) {
    return read_text("judder: 1\n"
                     "structure: {type: chain, count: 2, mass: 3 kg, stiffness: 5 kN/m, points: "
                     "{a: {node: 1}}}\n"
                     "drives: {f: {at: a, type: harmonic, amplitude: 2 mN, frequency: 30 rpm}}\n");
}

static jd_status read_formulas(void) {
    static double y[2];
    static const char *const name[] = {"y1", "y2"};
    double *const at[] = {&y[0], &y[1]};
    jd_status s = JD_OK;
    for (int i = 0; s == JD_OK && i < 300; i++) {
        jd_expression *e = NULL;
        s = jd_expression_create(arena, "-y1 + sin(y2)*exp(-y1^2)/(1 + abs(y2))", 2, name, at, &e);
    }
    return s; // they are kept: each needs its own memory
}

static jd_status read_result(void) {
    json_t *document = NULL;
    jd_status s = jd_hdf5_read(context, kept, &document);
    json_decref(document);
    return s;
}

static jd_status write_to(const char *path) {
    const jd_origin origin = {"test", "", NULL, NULL};
    json_t *document = json_object(), *list = json_array();
    for (int i = 0; i < 300; i++) json_array_append_new(list, json_real(i));
    for (int i = 0; i < 30; i++) {
        char name[20];
        snprintf(name, sizeof name, "list%d", i);
        json_object_set(document, name, list);
    }
    json_object_set_new(document, "kind", json_string("run"));
    json_object_set_new(document, "units", json_string("SI"));
    jd_status s = jd_hdf5_write(context, path, document, &origin);
    json_decref(list);
    json_decref(document);
    return s;
}

static jd_status write_kept(void) { return write_to(kept); }
static jd_status write_result(void) { return write_to(written); }

// In a child with `spare` bytes of addresses left: 0 it went, 1 it was refused by name, 2 neither.
static int attempt(jd_status (*work)(void), size_t spare) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        malloc_trim(0); // what was freed is no longer there
        size_t most = pages_in_use() * (size_t)sysconf(_SC_PAGESIZE) + spare;
        setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        jd_status s = work();
        bool named = s == JD_OUT_OF_MEMORY && jd_context_error(context)->message[0];
        _exit(s == JD_OK ? 0 : named ? 1 : 20 + (int)s);
    }
    int ended = 0;
    assert_true(child > 0 && waitpid(child, &ended, 0) == child);
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 100 + WTERMSIG(ended);
}

static void starve(const char *what, jd_status (*work)(void), size_t most) {
    int refused = 0, went = 0;
    for (size_t spare = 0; spare < most; spare += most / 100) {
        int outcome = attempt(work, spare);
        if (outcome > 1) fail_msg("%s with %zu bytes left: %d", what, spare, outcome);
        refused += outcome == 1;
        went += outcome == 0;
    }
    if (refused <= 3 || went <= 3) fail_msg("%s: %d refused, %d went", what, refused, went);
}

static void libraries_without_memory_do_not_end_the_program(void **state) {
    (void)state;
    if (SANITIZED) skip();
    assert_int_equal(attempt(write_kept, 1u << 30), 0); // in a child: the heap here stays small
    starve("units", read_units, 14u << 20);
    starve("formulas", read_formulas, 24u << 20); // with the library itself, here and below
    starve("reading a result", read_result, 64u << 20);
    starve("writing a result", write_result, 80u << 20);
    remove(kept);
    remove(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        libraries_without_memory_do_not_end_the_program, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

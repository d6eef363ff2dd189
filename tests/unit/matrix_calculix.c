// matrix_calculix.c -- the files of CalculiX: rows in an order of their own, names beside, every
// bad file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "near.h"
#include "structure/matrices/matrix_entries.h"

static jd_context *context;
static jd_arena *arena;
static char folder[] = "/tmp/judder-calculix-XXXXXX";
static char path_buffer[4][256];
static int n_path;

static int open_folder(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    arena = jd_arena_create(context);
    return !mkdtemp(folder) || !arena;
}

static const char *path_of(const char *name) {
    char *path = path_buffer[n_path++ % 4];
    snprintf(path, sizeof path_buffer[0], "%s/%s", folder, name);
    return path;
}

static int close_folder(void **state) {
    (void)state;
    static const char *const names[] = {"x.csv", "x.sti", "x.dof"};
    for (int i = 0; i < 3; i++) unlink(path_of(names[i]));
    jd_arena_free(arena);
    jd_context_free(context);
    return rmdir(folder);
}

static const char *put(const char *name, const char *text) {
    const char *path = path_of(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

static const char K_list[] = "10,1,10,1,5\n10,1,12,2,-2\n12,2,12,2,3\n12,2,40,1,-1\n40,1,40,1,1\n";

// Three masses as CalculiX writes them: zeros, rows in an order of its own, names beside.
static void files_of_calculix_are_read_with_their_names(void **state) {
    (void)state;
    put("x.dof", "40.1\n10.1\n12.2\n");
    const char *K = "1 1  1.0000000000000e+00\n1 3 -1.0000000000000e+00\n2 2  5.0e+00\n"
                    "2 3 -2.0e+00\n3 3  3.0e+00\n1 2  0.0e+00\n";
    jd_sparse A, B;
    jd_matrix_list f, g;
    assert_int_equal(jd_matrix_read(arena, put("x.csv", K_list), NULL, &g), JD_OK);
    assert_int_equal(jd_matrix_assemble(arena, &g, &g, "K", &B), JD_OK);
    assert_int_equal(jd_matrix_read(arena, put("x.sti", K), NULL, &f), JD_OK);
    assert_int_equal(jd_matrix_assemble(arena, &f, &f, "K", &A), JD_OK);
    assert_int_equal(A.start[3], 7);
    assert_memory_equal(A.value, B.value, 7 * sizeof(double));
    assert_memory_equal(A.row, B.row, 7 * sizeof(int));
    assert_int_equal(jd_matrix_row(&f, 12, 2), 1);
    static const struct {
        const char *dof, *text;
        jd_status status;
        const char *message, *where;
    } bad[] = {
        {"40.1\n10.1\n", "1 1 1\n3 3 1\n", JD_BROKEN_MATRIX, "row is 3", "x.sti:2"},
        {"40.1\n10\n12.2\n", "1 1 1\n", JD_BROKEN_MATRIX, "`10`", "x.dof:2"},
        {"40.1\n10.0\n", "1 1 1\n", JD_BROKEN_MATRIX, "`10.0`", "x.dof:2"},
        {"40.1\n10.1x\n", "1 1 1\n", JD_BROKEN_MATRIX, "`10.1x`", "x.dof:2"},
        {"99999999999.1\n", "1 1 1\n", JD_BROKEN_MATRIX, "`99999999999.1`", "x.dof:1"},
        {"40.1 2\n", "1 1 1\n", JD_BROKEN_MATRIX, "too much", "x.dof:1"},
        {"40.1\n40.1\n", "1 1 1\n", JD_BROKEN_MATRIX, "40.1", "x.dof"},
        {"", "1 1 1\n", JD_EMPTY_FILE, "empty", "x.dof"},
        {"40.1\n", "1 1 1\n1 1 2 3\n", JD_BROKEN_MATRIX, "too much", "x.sti:2"},
        {"40.1\n", "1 1 1\n1 1\n", JD_BROKEN_MATRIX, "missing", "x.sti:2"},
        {"40.1\n", "1 1 1\n1 1 2\n", JD_BROKEN_MATRIX, "twice", "x.sti:2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put("x.dof", bad[i].dof);
        jd_context_clear_error(context);
        jd_status status = jd_matrix_read(arena, put("x.sti", bad[i].text), NULL, &f);
        if (status == JD_OK) status = jd_matrix_assemble(arena, &f, &f, "K", &A);
        const jd_error *e = jd_context_error(context);
        if (status != bad[i].status || !strstr(e->message, bad[i].message) ||
            !strstr(e->where, bad[i].where))
            print_error("case %zu: %s (%s)\n", i, e->message, e->where);
        assert_int_equal(status, bad[i].status);
        assert_non_null(strstr(e->message, bad[i].message));
        assert_non_null(strstr(e->where, bad[i].where));
    }
    unlink(path_of("x.dof"));
    assert_int_equal(jd_matrix_read(arena, put("x.sti", K), NULL, &f), JD_CANNOT_READ);
    assert_non_null(strstr(jd_context_error(context)->message, "x.dof"));
    assert_non_null(strstr(jd_context_error(context)->hint, "CalculiX"));
    unlink(path_of("x.sti"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_calculix_are_read_with_their_names),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}

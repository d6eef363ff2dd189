// matrix_formats.c -- matrices of FE programs: the same numbers through every format and reader to
// the last bit, and every bad file refused by name, place and hint.
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matrix_writers.h"
#include "near.h"
#include "structure/matrices/matrix_entries.h"

static jd_context *context;
static jd_arena *arena;
static char folder[] = "/tmp/judder-formats-XXXXXX";
static char path[300], dofs_path[300];

static int open_folder(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    arena = jd_arena_create(context);
    if (!mkdtemp(folder) || !arena) return 1;
    snprintf(path, sizeof path, "%s/matrix", folder);
    snprintf(dofs_path, sizeof dofs_path, "%s/rows", folder);
    return 0;
}

static int close_folder(void **state) {
    (void)state;
    unlink(path);
    unlink(dofs_path);
    jd_arena_free(arena);
    jd_context_free(context);
    return rmdir(folder);
}

static FILE *create(const char *name) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    return f;
}

// Version 7.3 by HDF5 itself: a block of 512 bytes with MATLAB's head, then datasets with the
// attribute MATLAB_class.
static void put_class(hid_t place, const char *class) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(class));
    hid_t a = H5Acreate2(place, "MATLAB_class", type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, class);
    H5Aclose(a), H5Sclose(space), H5Tclose(type);
}

static void put_array(hid_t place, const char *name, hid_t type, hid_t file_type, int rank,
                      const hsize_t *size, const void *value, const char *class) {
    hid_t space = H5Screate_simple(rank, size, NULL);
    hid_t set = H5Dcreate2(place, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    if (class) put_class(set, class);
    H5Dclose(set), H5Sclose(space);
}

static void put_sparse(hid_t file, const sample *s, const char *name) {
    static uint64_t row[WRITER_MOST * WRITER_MOST], start[WRITER_MOST + 1];
    static double value[WRITER_MOST * WRITER_MOST];
    hsize_t count = 0, columns = (hsize_t)s->n + 1;
    for (int j = 0; j < s->n; j++) {
        start[j] = count;
        for (int i = 0; i < s->n; i++)
            if (s->a[i][j] != 0) row[count] = (uint64_t)i, value[count++] = s->a[i][j];
    }
    start[s->n] = count;
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t a =
        H5Acreate2(group, "MATLAB_sparse", H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT);
    uint64_t n = (uint64_t)s->n;
    H5Awrite(a, H5T_NATIVE_UINT64, &n);
    H5Aclose(a), H5Sclose(space);
    put_class(group, "double");
    put_array(group, "data", H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, 1, &count, value, NULL);
    put_array(group, "ir", H5T_NATIVE_UINT64, H5T_STD_U64LE, 1, &count, row, NULL);
    put_array(group, "jc", H5T_NATIVE_UINT64, H5T_STD_U64LE, 1, &columns, start, NULL);
    H5Gclose(group);
}

static void write_mat73(const sample *s, bool sparse) {
    static double full[WRITER_MOST * WRITER_MOST];
    hid_t plist = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(plist, 512);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, plist, H5P_DEFAULT);
    assert_true(file >= 0);
    hsize_t size[2] = {(hsize_t)s->n, (hsize_t)s->n};
    for (int i = 0; i < s->n * s->n; i++) full[i] = s->a[i % s->n][i / s->n];
    if (sparse)
        put_sparse(file, s, "K");
    else
        put_array(file, "K", H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, 2, size, full, "double");
    H5Fclose(file), H5Pclose(plist);
    FILE *f = fopen(path, "r+b");
    char head[128];
    memset(head, ' ', sizeof head);
    memcpy(head, "MATLAB 7.3 MAT-file", 19);
    memset(head + 116, 0, 8);
    memcpy(head + 124, "\x00\x02IM", 4);
    fwrite(head, 1, sizeof head, f);
    assert_int_equal(fclose(f), 0);
}

static const char *const kinds[] = {"market",
                                    "abaqus list",
                                    "abaqus rows",
                                    "dmig small",
                                    "dmig large",
                                    "dmig free",
                                    "dmig square",
                                    "op4 text",
                                    "op4 sparse",
                                    "op4 big",
                                    "op4 binary",
                                    "op4 binary turned",
                                    "op4 sparse binary",
                                    "op4 sparse turned",
                                    "op4 big binary",
                                    "op4 big turned",
                                    "mat full",
                                    "mat sparse",
                                    "mat full turned",
                                    "mat sparse turned",
                                    "mat 7.3 full",
                                    "mat 7.3 sparse"};
enum { KINDS = sizeof kinds / sizeof *kinds };

// Whether the format names rows.
static bool named(int kind) { return kind == 1 || (kind >= 3 && kind <= 6); }

static void write_kind(const sample *s, int kind) {
    if (kind >= 20) {
        write_mat73(s, kind == 21);
        return;
    }
    FILE *f = create(path);
    if (kind == 0) write_market(f, s);
    if (kind == 1) write_abaqus_list(f, s);
    if (kind == 2) write_abaqus_rows(f, s);
    if (kind >= 3 && kind <= 5) write_dmig(f, s, "KAAX", (dmig_width)(kind - 3), 6);
    if (kind == 6) write_dmig(f, s, "KAAX", DMIG_LARGE, 1);
    if (kind >= 7 && kind <= 9) write_op4_text(f, s, "KGG", (op4_kind)(kind - 7));
    if (kind >= 10 && kind <= 15)
        write_op4_binary(f, s, "KGG", (op4_kind)((kind - 10) / 2), kind % 2 == 1);
    if (kind >= 16)
        mat_head(f, kind >= 18), write_mat(f, s, "K", kind % 2 ? MX_SPARSE : MX_DOUBLE, kind >= 18);
    assert_int_equal(fclose(f), 0);
}

static void fail_kind(int kind) {
    const jd_error *e = jd_context_error(context);
    print_error("%s: %s (%s)\n", kinds[kind], e->message, e->where);
}

static void every_format_gives_the_same_bits(void **state) {
    (void)state;
    const char *times = getenv("JD_FORMATS");
    int seeds = times ? atoi(times) : 60;
    for (int seed = 0; seed < seeds; seed++) {
        sample s;
        jd_sparse reference = {0};
        jd_arena_mark mark = jd_arena_here(arena);
        sample_make(&s, (uint64_t)seed);
        FILE *rows = create(dofs_path);
        write_dofs(rows, &s);
        fclose(rows);
        for (int kind = 0; kind < KINDS; kind++) {
            jd_matrix_list m;
            jd_sparse A;
            write_kind(&s, kind);
            jd_status status = jd_matrix_read(arena, path, NULL, &m);
            if (status == JD_OK && !named(kind)) status = jd_matrix_name_rows(arena, dofs_path, &m);
            if (status == JD_OK) status = jd_matrix_assemble(arena, &m, &m, "K", &A);
            if (status != JD_OK) fail_kind(kind);
            assert_int_equal(status, JD_OK);
            assert_int_equal(m.n, s.n);
            assert_memory_equal(m.node, s.node, (size_t)s.n * sizeof(int));
            assert_memory_equal(m.dof, s.dof, (size_t)s.n * sizeof(int));
            if (kind == 0) reference = A;
            int count = reference.start[s.n];
            assert_memory_equal(A.start, reference.start, (size_t)(s.n + 1) * sizeof(int));
            assert_memory_equal(A.row, reference.row, (size_t)count * sizeof(int));
            if (memcmp(A.value, reference.value, (size_t)count * sizeof(double)))
                print_error("%s\n", kinds[kind]);
            assert_memory_equal(A.value, reference.value, (size_t)count * sizeof(double));
        }
        for (int j = 0; j < s.n; j++) // the reference itself
            for (int p = reference.start[j]; p < reference.start[j + 1]; p++)
                assert_true(reference.value[p] == s.a[reference.row[p]][j]);
        jd_arena_back(arena, mark);
    }
}

// Rows that Abaqus holds by 1e36 are found, and left out of both matrices.
static void held_rows_of_abaqus_are_left_out(void **state) {
    (void)state;
    for (int seed = 0; seed < 40; seed++) {
        sample s;
        sample_make(&s, 1000 + (uint64_t)seed);
        for (int i = 0; i < s.n; i++)
            if (sample_random(3) == 0 && i > 0) s.a[i][i] = 1e36;
        FILE *f = create(path);
        if (seed % 2)
            write_abaqus_list(f, &s);
        else
            write_abaqus_rows(f, &s);
        fclose(f);
        jd_matrix_list m;
        jd_dof_map held;
        jd_sparse A;
        assert_int_equal(jd_matrix_read(arena, path, NULL, &m), JD_OK);
        assert_int_equal(jd_matrix_held(arena, &m, &held), JD_OK);
        assert_int_equal(jd_matrix_without(arena, &m, &held), JD_OK);
        assert_int_equal(jd_matrix_assemble(arena, &m, &m, "K", &A), JD_OK);
        int row = 0, n_held = 0;
        for (int i = 0; i < s.n; i++) {
            if (s.a[i][i] == 1e36) {
                n_held++;
                continue;
            }
            assert_int_equal(m.node[row], seed % 2 ? s.node[i] : i + 1);
            int p = A.start[row];
            for (int j = 0; j < s.n; j++)
                if (s.a[j][i] != 0 && s.a[j][j] != 1e36) assert_true(A.value[p++] == s.a[j][i]);
            assert_int_equal(p, A.start[++row]);
        }
        assert_int_equal(held.n, n_held);
    }
}

// Which of several: by name, whatever its case; without one they are counted.
static void matrices_are_chosen_by_name(void **state) {
    (void)state;
    sample s, other;
    sample_make(&s, 7);
    other = s;
    other.a[0][0] += 1;
    for (int kind = 0; kind < 4; kind++) {
        FILE *f = create(path);
        if (kind == 3) mat_head(f, false);
        for (int i = 0; i < 2; i++) {
            const sample *a = i ? &s : &other;
            const char *name = i ? "KAA" : "MAA";
            if (kind == 0) write_dmig(f, a, name, DMIG_LARGE, 6);
            if (kind == 1) write_op4_text(f, a, name, OP4_SPARSE);
            if (kind == 2) write_op4_binary(f, a, name, OP4_DENSE, true);
            if (kind == 3) write_mat(f, a, name, MX_SPARSE, false);
        }
        fclose(f);
        jd_matrix_list m;
        jd_sparse A;
        assert_int_equal(jd_matrix_read(arena, path, kind == 3 ? "KAA" : "kaa", &m), JD_OK);
        assert_int_equal(jd_matrix_assemble(arena, &m, &m, "K", &A), JD_OK);
        assert_true(A.value[0] == s.a[0][0]);
        assert_int_equal(jd_matrix_read(arena, path, "MAA", &m), JD_OK);
        assert_int_equal(jd_matrix_read(arena, path, NULL, &m), JD_MISSING_KEY);
        assert_non_null(strstr(jd_context_error(context)->hint, "name: MAA"));
        assert_int_equal(jd_matrix_read(arena, path, "B", &m), JD_UNKNOWN_NAME);
        assert_non_null(strstr(jd_context_error(context)->hint, "`KAA`"));
        assert_true(strlen(jd_context_error(context)->where) > 0);
    }
}

typedef struct bad_file {
    const char *text;
    jd_status status;
    const char *message, *where;
} bad_file;

static void refuse(const bad_file *b, jd_status status) {
    const jd_error *e = jd_context_error(context);
    if (status != b->status || !strstr(e->message, b->message) || !strstr(e->where, b->where))
        print_error("%s\n-> %s (%s)\n", b->text ? b->text : "", e->message, e->where);
    assert_int_equal(status, b->status);
    assert_non_null(strstr(e->message, b->message));
    assert_non_null(strstr(e->where, b->where));
}

static void bad_texts_are_refused_by_name_and_place(void **state) {
    (void)state;
    static const bad_file bad[] = {
        {"DMIG    KAAX           0       9       2       0                       4\n",
         JD_NOT_SUPPORTED, "form 9 (rectangular)", "matrix:1"},
        {"DMIG    KAAX           0       6       4       0\n", JD_NOT_SUPPORTED, "(complex)",
         "matrix:1"},
        {"DMIG    KAAX           0       6       2       0\n", JD_EMPTY_FILE, "no entries",
         "matrix"},
        {"DMIG    KAAX           1       1               1       1     1.5\n", JD_BROKEN_MATRIX,
         "before its head", "matrix:1"},
        {"DMIG    KAAX           0       6       2       0\n"
         "DMIG    KAAX           1       1               1       7     1.5\n",
         JD_BROKEN_MATRIX, "component 7", "matrix:2"},
        {"DMIG    KAAX           0       6       2       0\n"
         "DMIG    KAAX           1       1               1       1     1.x\n",
         JD_BROKEN_MATRIX, "`1.x`", "matrix:2"},
        {"DMIG    KAAX           0       6       2       0\n"
         "DMIG    KAAX         1.5       1               1       1     1.0\n",
         JD_BROKEN_MATRIX, "`1.5`", "matrix:2"},
        {"       2       2       6       4KGG     1P,3E23.16\n", JD_NOT_SUPPORTED, "(complex)",
         "matrix:1"},
        {"       2       2       3       2KGG     1P,3E23.16\n", JD_NOT_SUPPORTED,
         "form 3 (diagonal)", "matrix:1"},
        {"       2       3       2       2KGG     1P,3E23.16\n", JD_SIZE_MISMATCH, "not square",
         "matrix:1"},
        {"99999999-9999999       6       2KGG     1P,3E23.16\n", JD_SIZE_MISMATCH, "not square",
         "matrix:1"},
        {"99999999      99       6       2KGG     1P,3E23.16\n", JD_SIZE_MISMATCH, "not square",
         "matrix:1"},
        {"       2       2       6       2KGG     1P,3E23.16\n", JD_BROKEN_MATRIX, "truncated",
         "matrix:1"},
        {"       2       2       6       2KGG     1P,3E23.16\n       1       1       3\n"
         " 1.0000000000000000E+00\n       3       1       1\n 1.0\n",
         JD_BROKEN_MATRIX, "3 values are announced, 1", "matrix:3"},
        {"       2       2       6       2KGG     1P,3E23.16\n       1       2       2\n"
         " 1.0000000000000000E+00 1.0000000000000000E+00\n",
         JD_BROKEN_MATRIX, "more values than rows", "matrix:3"},
        {"       2       2       6       2KGG     1P,3E23.16\n       1       0       3\n"
         "  196609\n x.0000000000000000E+00\n",
         JD_BROKEN_MATRIX, "value 1 of this line", "matrix:4"},
        {"       2       2       6       2KGG     1P,3E23.16\n       1       0       3\n"
         "  999999\n 1.0000000000000000E+00\n",
         JD_BROKEN_MATRIX, "a string of", "matrix:3"},
        {"1 1 2.5\n1 2 x\n", JD_BROKEN_MATRIX, "`x`", "matrix:2"},
        {"1 1 2.5\n0 2 1\n", JD_BROKEN_MATRIX, "the row is 0", "matrix:2"},
        {"1 1 2.5\n1 1 2.5\n", JD_BROKEN_MATRIX, "twice", "matrix:2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jd_matrix_list m;
        jd_sparse A;
        FILE *f = create(path);
        fputs(bad[i].text, f);
        fclose(f);
        jd_context_clear_error(context);
        jd_status status = jd_matrix_read(arena, path, NULL, &m);
        if (status == JD_OK) status = jd_matrix_assemble(arena, &m, &m, "K", &A);
        refuse(&bad[i], status);
    }
}

// Every beginning of a binary file is refused by name, and so is every number of its heads that is
// turned around or huge; nothing is taken that the file cannot hold.
static void damaged_binary_files_are_refused(void **state) {
    (void)state;
    static char bytes[1 << 16];
    sample s;
    sample_make(&s, 3);
    for (int kind = 10; kind < KINDS; kind++) {
        write_kind(&s, kind);
        FILE *f = fopen(path, "rb");
        size_t size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
        size_t step = size > 3000 ? 97 : 7;
        for (size_t end = 1; end < size; end += step) {
            jd_matrix_list m;
            jd_arena_mark mark = jd_arena_here(arena);
            f = create(path);
            fwrite(bytes, 1, end, f);
            fclose(f);
            jd_context_clear_error(context);
            jd_status status = jd_matrix_read(arena, path, NULL, &m);
            if (status == JD_OK && kind < 20)
                print_error("%s, %zu of %zu\n", kinds[kind], end, size);
            if (kind < 20)
                assert_int_not_equal(status, JD_OK); // HDF5 may end with what is not used
            if (status != JD_OK) assert_true(strlen(jd_context_error(context)->where) > 0);
            jd_arena_rewind(arena, mark);
        }
        for (size_t at = 0; at < (size < 200 ? size : 200) && kind < 20; at += 4) {
            jd_matrix_list m;
            char changed[4] = {127, -1, -1, 127};
            f = create(path);
            fwrite(bytes, 1, size, f);
            fseek(f, (long)at, SEEK_SET);
            fwrite(changed, 1, 4, f);
            fclose(f);
            jd_arena_mark mark = jd_arena_here(arena);
            size_t before = jd_arena_bytes(arena);
            jd_status status = jd_matrix_read(arena, path, NULL, &m);
            assert_true(status == JD_OK || jd_arena_bytes(arena) - before < 100 * size + 100000);
            jd_arena_rewind(arena, mark);
        }
    }
    // head in one byte order, columns in the other
    FILE *f = create(path);
    write_op4_binary(f, &s, "KGG", OP4_DENSE, false);
    fseek(f, 32, SEEK_SET);
    for (int i = 0; i < 40; i++) put_int(f, 28, true);
    fclose(f);
    jd_matrix_list m;
    assert_int_equal(jd_matrix_read(arena, path, NULL, &m), JD_BROKEN_MATRIX);
    assert_non_null(strstr(jd_context_error(context)->message, "length of a record"));
    assert_non_null(strstr(jd_context_error(context)->where, "byte 32"));
}

static void variables_that_are_no_matrix_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        int class;
        jd_status status;
        const char *message;
    } bad[] = {{MX_CELL, JD_WRONG_TYPE, "cell"},
               {MX_CHAR, JD_WRONG_TYPE, "text"},
               {MX_INT32, JD_WRONG_TYPE, "integers"},
               {MX_DOUBLE | MX_COMPLEX, JD_NOT_SUPPORTED, "complex"}};
    sample s;
    sample_make(&s, 5);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FILE *f = create(path);
        mat_head(f, false);
        write_mat(f, &s, "K", bad[i].class, false);
        fclose(f);
        jd_matrix_list m;
        jd_status status = jd_matrix_read(arena, path, "K", &m);
        refuse(&(bad_file){NULL, bad[i].status, bad[i].message, "matrix"}, status);
    }
}

// scipy.io.savemat: compressed and sparse; several variables, of which one is a real matrix.
static void files_of_scipy_are_read(void **state) {
    (void)state;
    static const double expected[] = {4, -1, -1, 5, -2, -2, 6};
    static const char *const file[] = {"compressed.mat", "several.mat"};
    static const char *const no_matrix[] = {"text", "cell", "z"};
    char seed[400];
    jd_matrix_list m;
    jd_sparse A;
    for (int i = 0; i < 2; i++) {
        snprintf(seed, sizeof seed, "%s/tests/fuzz/matlab/%s", JD_SOURCE_DIR, file[i]);
        assert_int_equal(jd_matrix_read(arena, seed, i ? "KAAX" : NULL, &m), JD_OK);
        assert_int_equal(jd_matrix_assemble(arena, &m, &m, "K", &A), JD_OK);
        assert_true(A.n == 3 && A.start[3] == 7);
        assert_memory_equal(A.value, expected, sizeof expected);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(jd_matrix_read(arena, seed, no_matrix[i], &m),
                         i == 2 ? JD_NOT_SUPPORTED : JD_WRONG_TYPE);
}

static void rows_are_named_by_a_file_of_their_own(void **state) {
    (void)state;
    static const bad_file bad[] = {
        {"1 1\n", JD_SIZE_MISMATCH, "names 1 rows", "rows"},
        {"1 1\n1 1\n", JD_BROKEN_MATRIX, "two rows are called 1.1", "rows"},
        {"1 1\n2 q\n", JD_BROKEN_MATRIX, "`2`", "rows:2"},
        {"1 1\n2\n", JD_BROKEN_MATRIX, "`2`", "rows:2"},
    };
    static const char market[] =
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 2 5\n";
    for (int i = -1; i < 4; i++) {
        FILE *f = create(path);
        fputs(market, f);
        fclose(f);
        f = create(dofs_path);
        fputs(i < 0 ? "# in another order\n7 z\n7.1\n" : bad[i].text, f);
        fclose(f);
        jd_matrix_list m;
        jd_sparse A;
        assert_int_equal(jd_matrix_read(arena, path, NULL, &m), JD_OK);
        jd_status status = jd_matrix_name_rows(arena, dofs_path, &m);
        if (i >= 0) {
            refuse(&bad[i], status);
            continue;
        }
        assert_int_equal(status, JD_OK);
        assert_int_equal(jd_matrix_assemble(arena, &m, &m, "K", &A), JD_OK);
        assert_true(A.value[0] == 5 && A.value[1] == 4); // rows ascend by node, then direction
        assert_int_equal(jd_matrix_name_rows(arena, dofs_path, &m), JD_NOT_SUPPORTED);
    }
    jd_matrix_list m;
    assert_int_equal(jd_matrix_read(arena, path, NULL, &m), JD_OK);
    unlink(dofs_path);
    assert_int_equal(jd_matrix_name_rows(arena, dofs_path, &m), JD_CANNOT_READ);
}

int main(void) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // files that end too early are wanted here
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_bits),
        cmocka_unit_test(held_rows_of_abaqus_are_left_out),
        cmocka_unit_test(matrices_are_chosen_by_name),
        cmocka_unit_test(bad_texts_are_refused_by_name_and_place),
        cmocka_unit_test(damaged_binary_files_are_refused),
        cmocka_unit_test(variables_that_are_no_matrix_are_refused_by_name),
        cmocka_unit_test(files_of_scipy_are_read),
        cmocka_unit_test(rows_are_named_by_a_file_of_their_own),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}

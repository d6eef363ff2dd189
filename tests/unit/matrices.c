// matrices.c -- matrices from files: both formats, points by label, full damping, every bad file.
#include <lapacke.h>
#include <stdlib.h>
#include <unistd.h>

#include "structure.h"
#include "structure/matrices/matrix_entries.h"

static jd_context *context;
static jd_arena *arena;
static char folder[] = "/tmp/judder-matrices-XXXXXX";
static char path_buffer[8][256];
static int n_path;

// No file of these tests needs a hundred megabytes: who believes what one announces gets none.
static void *take_little(void *user, size_t bytes) {
    (void)user;
    return bytes < 100 << 20 ? malloc(bytes) : NULL;
}

static void give(void *user, void *block) {
    (void)user;
    free(block);
}

static int open_folder(void **state) {
    (void)state;
    context = jd_context_create(&(jd_context_def){.allocate = take_little, .release = give});
    arena = jd_arena_create(context);
    return !mkdtemp(folder) || !arena;
}

static const char *path_of(const char *name) {
    char *path = path_buffer[n_path++ % 8];
    snprintf(path, sizeof path_buffer[0], "%s/%s", folder, name);
    return path;
}

static int close_folder(void **state) {
    (void)state;
    static const char *const names[] = {"K.mtx", "M.mtx", "C.mtx", "x.mtx"};
    for (int i = 0; i < 4; i++) unlink(path_of(names[i]));
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

// Three masses 1, 2, 1 in a row: springs 3 to the left wall, 2, 1.
static const char K_market[] = "%%MatrixMarket matrix coordinate real symmetric\n% stiffness\n\n"
                               "3 3 5\n1 1 5\n2 1 -2.0\n2 2 3\n3 2 -1e0\n3 3 1\n";
static const char M_market[] = "%%MatrixMarket MATRIX array integer General\n3 3\n1\n0\n0\n0\n2\n0"
                               "\n0\n0\n1\n";
static const char K_list[] = "** stiffness of an FE program\n10,1,10,1, 5.\n10,1,12,2,-2.0D+00\r\n"
                             "12,2,12,2,3\n# remark\n12,2,40,1,-1\n40,1,40,1,1";
static const char M_list[] = "10 1 10 1 1.0\n12 2 12 2 2.0\n40 1 40 1 1.0E0\n";

static jd_structure *three_masses(const char *K, const char *M, jd_points points) {
    jd_matrices_def d = {.stiffness = {.file = put("K.mtx", K)},
                         .mass = {.file = put("M.mtx", M)},
                         .points = points};
    return make_structure(context, "matrices", &d);
}

// det(K - x M) = 0: 2 x^3 - 15 x^2 + 23 x - 6 = 0, for every root.
static void both_formats_give_the_modes(void **state) {
    (void)state;
    const char *const files[2][2] = {{K_market, M_market}, {K_list, M_list}};
    double row[2][3];
    for (int i = 0; i < 2; i++) {
        jd_point p = {.name = "middle", .node = i ? 12 : 2, .dof = i ? 2 : 1};
        jd_structure *s = three_masses(files[i][0], files[i][1], (jd_points){1, &p});
        assert_int_equal(jd_structure_dofs(s), 3);
        assert_int_equal(jd_structure_modes(s), 3);
        jd_mode list[3];
        jd_structure_mode_list(s, list);
        for (int k = 0; k < 3; k++) {
            double x = list[k].omega * list[k].omega;
            assert_near(((2 * x - 15) * x + 23) * x - 6, 0, 2e-13);
            assert_true(k == 0 || list[k].omega > list[k - 1].omega + 0.1);
            assert_true(list[k].error > 1e-17 && list[k].error < 1e-14);
        }
        assert_int_equal(jd_structure_participation(s, "middle", row[i]), JD_OK);
        double sum = 0; // sum_k n_k^2 = (M^-1)_22
        for (int k = 0; k < 3; k++) sum += row[i][k] * row[i][k];
        assert_near(sum, 0.5, 1e-15);
        jd_structure_free(s);
    }
    for (int k = 0; k < 3; k++) assert_near(fabs(row[0][k]), fabs(row[1][k]), 1e-15);
}

static void the_other_triangle_and_a_full_list_are_the_same(void **state) {
    (void)state;
    jd_sparse A[3];
    const char *const text[3] = {
        K_list, "40,1,40,1,1\n40,1,12,2,-1\n12,2,12,2,3\n12,2,10,1,-2\n10,1,10,1,5\n",
        "10,1,10,1,5\n10,1,12,2,-2\n12,2,10,1,-2\n12,2,12,2,3\n12,2,40,1,-1\n40,1,12,2,-1\n"
        "40,1,40,1,1\n"};
    for (int i = 0; i < 3; i++) {
        jd_matrix_list f;
        assert_int_equal(jd_matrix_read(arena, put("x.mtx", text[i]), NULL, &f), JD_OK);
        assert_int_equal(jd_matrix_assemble(arena, &f, &f, "K", &A[i]), JD_OK);
        assert_int_equal(A[i].start[3], 7);
        assert_memory_equal(A[i].value, A[0].value, 7 * sizeof(double));
        assert_memory_equal(A[i].row, A[0].row, 7 * sizeof(int));
        assert_int_equal(jd_matrix_row(&f, 12, 2), 1);
        assert_int_equal(jd_matrix_row(&f, 12, 1), -1);
    }
}

static jd_status read_only(const char *text) {
    jd_matrix_list f;
    jd_sparse A;
    jd_status status = jd_matrix_read(arena, put("x.mtx", text), NULL, &f);
    return status == JD_OK ? jd_matrix_assemble(arena, &f, &f, "the stiffness matrix", &A) : status;
}

// Each bad file: its status, a piece of the message, and the end of the place.
static void bad_files_are_refused_by_name_and_line(void **state) {
    (void)state;
#define HEAD "%%MatrixMarket matrix coordinate real "
    static const struct {
        const char *text;
        jd_status status;
        const char *message, *where;
    } bad[] = {
        {"", JD_EMPTY_FILE, "empty", "x.mtx"},
        {"\n\n** nothing\n", JD_EMPTY_FILE, "no entries", "x.mtx:3"},
        {"hello world\n", JD_BROKEN_MATRIX, "`hello`", "x.mtx:1"},
        {"%%MatrixMarket vector array real general\n", JD_BROKEN_MATRIX, "`vector`", ":1"},
        {"%%MatrixMarket matrix array complex general\n", JD_BROKEN_MATRIX, "`complex`", ":1"},
        {"%%MatrixMarket matrix coordinate pattern general\n", JD_BROKEN_MATRIX, "`pattern`", ":1"},
        {HEAD "skew-symmetric\n", JD_BROKEN_MATRIX, "`skew-symmetric`", ":1"},
        {HEAD "general\n", JD_BROKEN_MATRIX, "sizes", ":1"},
        {HEAD "general\n3 3\n", JD_BROKEN_MATRIX, "number of entries", ":2"},
        {HEAD "general\n3 4 1\n1 1 1\n", JD_SIZE_MISMATCH, "not square", ":2"},
        {HEAD "general\n-3 -3 1\n1 1 1\n", JD_BROKEN_MATRIX, "-3", ":2"},
        {HEAD "general\n2 2 2\n1 1 1.0 \n", JD_BROKEN_MATRIX, "2 entries are announced", ":3"},
        {HEAD "general\n2 2 2000000000\n1 1 1\n", JD_BROKEN_MATRIX, "truncated", ":2"},
        {HEAD "general\n2 2 1\n1 1 1\n2 2 1\n", JD_BROKEN_MATRIX, "more lines", ":4"},
        {HEAD "general\n2 2 1\n3 1 1\n", JD_BROKEN_MATRIX, "row is 3", ":3"},
        {HEAD "general\n2 2 1\n0 1 1\n", JD_BROKEN_MATRIX, "row is 0", ":3"},
        {HEAD "general\n2 2 1\n1 1 nan\n", JD_BROKEN_MATRIX, "`nan`", ":3"},
        {HEAD "general\n2 2 1\n1 1 inf\n", JD_BROKEN_MATRIX, "`inf`", ":3"},
        {HEAD "general\n2 2 1\n1 1 1e999\n", JD_BROKEN_MATRIX, "`1e999`", ":3"},
        {HEAD "general\n2 2 1\n1 1 0x10\n", JD_BROKEN_MATRIX, "`0x10`", ":3"},
        {HEAD "general\n2 2 1\n1 1\n", JD_BROKEN_MATRIX, "missing", ":3"},
        {HEAD "general\n2 2 1\n1 1 1 1\n", JD_BROKEN_MATRIX, "too much", ":3"},
        {HEAD "general\n2 2 1\n1 1.5 1\n", JD_BROKEN_MATRIX, "`1.5`", ":3"},
        {HEAD "general\n2 2 2\n1 1 1\n1 1 1\n", JD_BROKEN_MATRIX, "twice", ":4"},
        {HEAD "symmetric\n2 2 2\n1 2 1\n2 1 1\n", JD_BROKEN_MATRIX, "both triangles", "x.mtx"},
        {HEAD "general\n2 2 3\n1 1 1\n1 2 1\n2 2 1\n", JD_NOT_SYMMETRIC, "(2, 1)", "x.mtx"},
        {HEAD "general\n2 2 4\n1 1 1\n1 2 1\n2 1 1.25\n2 2 1\n", JD_NOT_SYMMETRIC,
         "difference 0.25", "x.mtx"},
        {"1,1,1,1,1\n1,1,2,1,\n", JD_BROKEN_MATRIX, "value is missing", ":2"},
        {"1,1,1,1,1\n1,1,2,1,3,4\n", JD_BROKEN_MATRIX, "too much", ":2"},
        {"1,1,1,1,1\n1,,2,1,1,3\n", JD_BROKEN_MATRIX, "dof is missing", ":2"},
        {"1,1,1,1,1\n1,0,2,1,3\n", JD_BROKEN_MATRIX, "dof is 0", ":2"},
        {"1,1,1,1,1\n1,1,99999999999,1,3\n", JD_BROKEN_MATRIX, "node", ":2"},
        {"1,1,1,1,1\n\n1,1,x,1,3\n", JD_BROKEN_MATRIX, "`x`", ":3"},
        {"1,1,1,1,1\n1,1,1,1,2\n", JD_BROKEN_MATRIX, "node 1 dof 1", ":2"},
        {"1,1,1,1,1\n1,1,2,1,3\n2,1,1,1,4\n2,1,2,1,1\n", JD_NOT_SYMMETRIC, "node 2 dof 1", "x.mtx"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        jd_context_clear_error(context);
        jd_status status = read_only(bad[i].text);
        const jd_error *e = jd_context_error(context);
        size_t n = strlen(e->where), m = strlen(bad[i].where);
        bool right = status == bad[i].status && strstr(e->message, bad[i].message) && n >= m &&
                     strcmp(e->where + n - m, bad[i].where) == 0;
        if (!right)
            print_error("case %zu: %s: %s (%s)\n", i, jd_status_name(status), e->message, e->where);
        assert_true(right);
        if (status == JD_NOT_SYMMETRIC || strstr(e->message, "truncated"))
            assert_non_null(strstr(e->hint, "export"));
    }
}

static void files_that_cannot_be_read_say_why(void **state) {
    (void)state;
    jd_matrix_list f;
    assert_int_equal(jd_matrix_read(arena, path_of("nowhere.mtx"), NULL, &f), JD_CANNOT_READ);
    assert_non_null(strstr(jd_context_error(context)->message, "No such file"));
    assert_int_equal(jd_matrix_read(arena, folder, NULL, &f), JD_CANNOT_READ);
    assert_non_null(strstr(jd_context_error(context)->message, "folder"));
    assert_int_equal(jd_matrix_read(arena, "/dev/null", NULL, &f), JD_CANNOT_READ);
    const char *path = put("x.mtx", "1");
    assert_int_equal(truncate(path, (off_t)JD_MATRIX_LARGEST + 1), 0); // a sparse file
    assert_int_equal(jd_matrix_read(arena, path, NULL, &f), JD_FILE_TOO_LARGE);
    put("x.mtx", "");
}

static void bytes_that_are_no_text_do_no_harm(void **state) {
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 300; round++) {
        char text[400];
        int n = snprintf(text, sizeof text, "%s", round % 2 ? K_market : K_list);
        for (int i = 0; i < 3; i++) {
            seed = seed * 1664525u + 1013904223u;
            text[(seed >> 8) % (unsigned)n] = (char)(seed >> 24);
        }
        FILE *f = fopen(path_of("x.mtx"), "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(text, 1, (size_t)n, f), n);
        fclose(f);
        jd_matrix_list m;
        jd_sparse A;
        jd_arena_mark mark = jd_arena_here(arena);
        if (jd_matrix_read(arena, path_of("x.mtx"), NULL, &m) == JD_OK && m.n < 1000)
            jd_matrix_assemble(arena, &m, &m, "K", &A);
        assert_int_equal(jd_arena_status(arena), JD_OK);
        jd_arena_back(arena, mark);
    }
}

static jd_status try(const char *K, const char *M, const char *C, jd_points points) {
    jd_damping_matrix_def damping = {.matrix.file = C ? put("C.mtx", C) : NULL};
    jd_matrices_def d = {.stiffness = {.file = put("K.mtx", K)},
                         .mass = {.file = put("M.mtx", M)},
                         .points = points};
    if (C) d.damping = (jd_object){"", &jd_damping_matrix, &damping};
    jd_structure *s = NULL;
    jd_context_clear_error(context);
    jd_status status = jd_structure_create(context, structure_type("matrices"), &d, &s);
    jd_structure_free(s);
    return status;
}

static void assert_message(const char *text, const char *where) {
    const jd_error *e = jd_context_error(context);
    if (!strstr(e->message, text) || !strstr(e->where, where))
        print_error("%s (%s)\n", e->message, e->where);
    assert_non_null(strstr(e->message, text));
    assert_non_null(strstr(e->where, where));
}

static void matrices_must_fit_together(void **state) {
    (void)state;
    jd_points none = {0};
    const char two[] = "%%MatrixMarket matrix array real symmetric\n2 2\n1\n0\n1\n";
    assert_int_equal(try(K_market, M_market, K_market, none), JD_OK);
    assert_int_equal(try(K_market, two, NULL, none), JD_SIZE_MISMATCH);
    assert_message("2 rows", "M.mtx");
    assert_int_equal(try(K_market, M_market, two, none), JD_SIZE_MISMATCH);
    assert_message("damping", "C.mtx");
    assert_int_equal(try(K_market, M_list, NULL, none), JD_SIZE_MISMATCH);
    assert_message("formats", "M.mtx");
    assert_int_equal(try(K_list, "10 1 10 1 1\n12 2 12 2 1\n40 2 40 2 1\n", NULL, none),
                     JD_SIZE_MISMATCH);
    assert_message("node 40 dof 2", "M.mtx");
    assert_int_equal(try(K_list, "10 1 10 1 1\n12 2 12 2 1\n", NULL, none), JD_SIZE_MISMATCH);
    assert_message("node 40 dof 1", "M.mtx");
}

static void indefinite_matrices_name_their_file(void **state) {
    (void)state;
    jd_points none = {0};
    const char bad[] = "%%MatrixMarket matrix array real symmetric\n3 3\n1\n3\n0\n1\n0\n1\n";
    const char massless[] = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1\n2 2 1";
    assert_int_equal(try(K_market, bad, NULL, none), JD_NOT_DEFINITE);
    assert_message("mass", "M.mtx");
    assert_int_equal(try(K_market, massless, NULL, none), JD_NOT_DEFINITE);
    assert_message("row 3", "M.mtx");
    assert_int_equal(try(bad, M_market, NULL, none), JD_NOT_DEFINITE);
    assert_non_null(strstr(jd_context_error(context)->hint, "negative springs"));
    assert_message("stiffness", "K.mtx");
}

static void points_are_found_by_label(void **state) {
    (void)state;
    jd_point p = {.name = "tip", .node = 40, .dof = 1};
    jd_points points = {1, &p};
    assert_int_equal(try(K_list, M_list, NULL, points), JD_OK);
    p.dof = 2;
    assert_int_equal(try(K_list, M_list, NULL, points), JD_UNKNOWN_NAME);
    assert_message("no node 40 with dof 2", "");
    p = (jd_point){.name = "tip", .label = "12", .dof = 2};
    assert_int_equal(try(K_list, M_list, NULL, points), JD_OK);
    p.label = "twelve";
    assert_int_equal(try(K_list, M_list, NULL, points), JD_WRONG_TYPE);
    p = (jd_point){.name = "tip", .position = 0.5};
    assert_int_equal(try(K_list, M_list, NULL, points), JD_WRONG_TYPE);
    p = (jd_point){.name = "tip", .node = 4};
    assert_int_equal(try(K_market, M_market, NULL, points), JD_UNKNOWN_NAME);
    assert_message("from 1 to 3", "");
    p = (jd_point){.name = "tip", .node = 2, .dof = 2};
    assert_int_equal(try(K_market, M_market, NULL, points), JD_NOT_SUPPORTED);
    assert_message("has rows only", "");
    p.dof = 1;
    assert_int_equal(try(K_market, M_market, NULL, points), JD_OK);
}

// A free chain of 10 equal masses, entries with rounding noise of a printed file.
static void a_free_structure_has_exact_rigid_body_modes(void **state) {
    (void)state;
    char K[4000], M[4000];
    size_t k = 0, m = 0;
    for (int i = 1; i <= 10; i++) {
        double d = (i == 1 || i == 10 ? 1 : 2) / 3.0;
        k += (size_t)snprintf(K + k, sizeof K - k, "%d,1,%d,1,%.14e\n", i, i, d);
        if (i < 10)
            k += (size_t)snprintf(K + k, sizeof K - k, "%d,1,%d,1,%.14e\n", i, i + 1, -1 / 3.0);
        m += (size_t)snprintf(M + m, sizeof M - m, "%d,1,%d,1,%.14e\n", i, i, 0.7);
    }
    jd_structure *s = three_masses(K, M, (jd_points){0});
    jd_mode list[10];
    jd_structure_mode_list(s, list);
    assert_true(list[0].omega == 0 && list[0].error == 0);
    for (int j = 1; j < 10; j++) // omega = 2 sqrt(k/m) sin(j pi/20)
        assert_relative(list[j].omega, 2 * sqrt(1 / 2.1) * sin(j * 3.141592653589793 / 20), 1e-13);
    jd_structure_free(s);
}

// omega_1 = 1 - 5e-21: far below what eps lambda_max = 2e4 lets a solver in double see, but no
// rigid-body mode. The free chain 1e20 - 1 has one, and it is seen through the same spread.
static void a_soft_mode_beside_a_stiff_one_is_not_called_rigid(void **state) {
    (void)state;
    static const char M[] = "1,1,1,1,1\n2,1,2,1,1\n";
    jd_structure *s = three_masses("1,1,1,1,1e20\n1,1,2,1,-1\n2,1,2,1,1\n", M, (jd_points){0});
    jd_mode list[3];
    jd_structure_mode_list(s, list);
    assert_true(list[0].error >= 1);
    assert_relative(list[1].omega, 1e10, 1e-14);
    jd_structure_free(s);
    s = three_masses("1,1,1,1,1e20\n2,1,2,1,1\n", M, (jd_points){0});
    jd_structure_mode_list(s, list);
    assert_true(list[0].error >= 1);
    jd_structure_free(s);
    s = three_masses("1,1,1,1,1e8\n1,1,2,1,-1e8\n2,1,2,1,100000001\n2,1,3,1,-1\n3,1,3,1,1\n",
                     "1,1,1,1,1\n2,1,2,1,1\n3,1,3,1,1\n", (jd_points){0});
    jd_structure_mode_list(s, list);
    assert_true(list[0].omega == 0 && list[0].error == 0);
    assert_relative(list[1].omega, sqrt(1.5), 1e-8); // of the masses 2 and 1: 1/2 + 1/1
    jd_structure_free(s);
}

// Above 600 dof the sparse way is taken: the same mesh as fe-rod assembles it, 50 modes by default.
static void large_files_go_the_sparse_way(void **state) {
    (void)state;
    enum { N = 1200 };
    FILE *k = fopen(path_of("K.mtx"), "w"), *m = fopen(path_of("M.mtx"), "w");
    assert_true(k && m);
    fprintf(k, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", N, N, 2 * N - 1);
    fprintf(m, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", N, N, 2 * N - 1);
    double h = 1.0 / N;
    for (int i = 1; i <= N; i++) {
        fprintf(k, "%d %d %.17g\n", i, i, (i < N ? 2 : 1) / h);
        fprintf(m, "%d %d %.17g\n", i, i, (i < N ? 4 : 2) * h / 6);
        if (i == N) break;
        fprintf(k, "%d %d %.17g\n", i + 1, i, -1 / h);
        fprintf(m, "%d %d %.17g\n", i + 1, i, h / 6);
    }
    fclose(k);
    fclose(m);
    jd_point p = {.name = "end", .node = N};
    jd_matrices_def d = {.stiffness = {.file = path_of("K.mtx")},
                         .mass = {.file = path_of("M.mtx")},
                         .modes = JD_AUTO,
                         .points = {1, &p}};
    jd_structure *a = make_structure(context, "matrices", &d);
    assert_int_equal(jd_structure_modes(a), 51); // and the static shape of the end
    jd_point q = {.name = "end", .position = 1};
    jd_fe_rod_def f = {
        1, 1, 1, .elements = N, .modes = 50, .supports = {JD_FIXED, JD_FREE}, .points = {1, &q}};
    jd_structure *b = make_structure(context, "fe-rod", &f);
    jd_mode list[2][51];
    double end[2][51];
    jd_structure_mode_list(a, list[0]);
    jd_structure_mode_list(b, list[1]);
    jd_structure_participation(a, "end", end[0]);
    jd_structure_participation(b, "end", end[1]);
    for (int i = 0; i < 50; i++) {
        assert_relative(list[0][i].omega, list[1][i].omega, list[0][i].error);
        assert_true(list[0][i].error < 2e-9);
        assert_near(fabs(end[0][i]), fabs(end[1][i]), 1e-8);
    }
    jd_structure_free(a);
    jd_structure_free(b);
}

// Poles of M x'' + C x' + K x = 0 from the 6 x 6 pencil, LAPACK dggev: an independent way.
static void full_damping_gives_the_poles_of_the_pencil(void **state) {
    (void)state;
    const double K[3][3] = {{5, -2, 0}, {-2, 3, -1}, {0, -1, 1}}, M[3] = {1, 2, 1};
    const double C[3][3] = {{0.3, 0, 0}, {0, 0.7, -0.2}, {0, -0.2, 0.2}};
    const char text[] =
        "%%MatrixMarket matrix array real symmetric\n3 3\n0.3\n0\n0\n0.7\n-0.2\n0.2";
    double A[6][6] = {{0}}, B[6][6] = {{0}}, re[6], im[6], beta[6];
    for (int i = 0; i < 3; i++) {
        A[i][3 + i] = B[i][i] = 1;
        B[3 + i][3 + i] = M[i];
        for (int j = 0; j < 3; j++) A[3 + i][j] = -K[i][j], A[3 + i][3 + j] = -C[i][j];
    }
    assert_int_equal(LAPACKE_dggev(LAPACK_ROW_MAJOR, 'N', 'N', 6, A[0], 6, B[0], 6, re, im, beta,
                                   NULL, 6, NULL, 6),
                     0);
    jd_damping_matrix_def damping = {.matrix.file = put("C.mtx", text)};
    jd_matrices_def d = {.stiffness = {.file = put("K.mtx", K_market)},
                         .mass = {.file = put("M.mtx", M_market)},
                         .damping = {"", &jd_damping_matrix, &damping}};
    jd_structure *s = make_structure(context, "matrices", &d);
    assert_int_equal(s->modal.law, JD_DAMPING_FULL);
    jd_mode list[3];
    jd_structure_mode_list(s, list);
    for (int k = 0; k < 3; k++) {
        double best = 1;
        for (int p = 0; p < 6; p++)
            best = fmin(best, hypot(re[p] / beta[p] - list[k].pole[0][0],
                                    fabs(im[p] / beta[p]) - fabs(list[k].pole[0][1])));
        assert_near(best, 0, 1e-13);
    }
    jd_structure_free(s);
}

// C = 0.1 M + 0.02 K decouples: c_k = 0.1 + 0.02 omega_k^2.
static void proportional_damping_is_recognised(void **state) {
    (void)state;
    jd_damping_matrix_def damping = {
        .matrix.file = put(
            "C.mtx", "%%MatrixMarket matrix array real symmetric\n3 3\n0.2\n-0.04\n0\n0.26\n-0.02\n"
                     "0.12\n")};
    jd_matrices_def d = {.stiffness = {.file = put("K.mtx", K_market)},
                         .mass = {.file = put("M.mtx", M_market)},
                         .damping = {"", &jd_damping_matrix, &damping}};
    jd_structure *s = make_structure(context, "matrices", &d);
    assert_int_equal(s->modal.law, JD_DAMPING_MODAL);
    assert_null(s->modal.C);
    for (int k = 0; k < 3; k++)
        assert_near(s->modal.c[k], 0.1 + 0.02 * s->modal.omega2[k].hi, 1e-15);
    jd_structure_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats_give_the_modes),
        cmocka_unit_test(the_other_triangle_and_a_full_list_are_the_same),
        cmocka_unit_test(bad_files_are_refused_by_name_and_line),
        cmocka_unit_test(files_that_cannot_be_read_say_why),
        cmocka_unit_test(bytes_that_are_no_text_do_no_harm),
        cmocka_unit_test(matrices_must_fit_together),
        cmocka_unit_test(indefinite_matrices_name_their_file),
        cmocka_unit_test(points_are_found_by_label),
        cmocka_unit_test(a_free_structure_has_exact_rigid_body_modes),
        cmocka_unit_test(a_soft_mode_beside_a_stiff_one_is_not_called_rigid),
        cmocka_unit_test(large_files_go_the_sparse_way),
        cmocka_unit_test(full_damping_gives_the_poles_of_the_pencil),
        cmocka_unit_test(proportional_damping_is_recognised),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}

// matrix_memory.c -- matrices from memory: the same bits as from a file, and what is refused by
// name.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draws.h"
#include "judder/judder.h"
#include "near.h"

enum { MOST = 40 };

// A symmetric matrix by rows, entries of a row in any order.
typedef struct sparse {
    int n;
    int64_t start[MOST + 1], index[MOST * MOST];
    int32_t start32[MOST + 1], index32[MOST * MOST];
    double value[MOST * MOST];
} sparse;

static void compress(int n, const double *full, bool triangle, bool backwards, sparse *s) {
    int64_t k = 0;
    s->n = n;
    for (int i = 0; i < n; i++) {
        s->start[i] = k;
        for (int c = 0; c < n; c++) {
            int j = backwards ? n - 1 - c : c;
            if (full[i * n + j] == 0 || (triangle && j > i)) continue;
            s->index[k] = j;
            s->value[k++] = full[i * n + j];
        }
    }
    s->start[n] = k;
    for (int i = 0; i <= n; i++) s->start32[i] = (int32_t)s->start[i];
    for (int64_t i = 0; i < k; i++) s->index32[i] = (int32_t)s->index[i];
}

static jd_matrix matrix_of(const sparse *s, int form) {
    int64_t n = s->n;
    switch (form) {
    case 0:
        return jd_matrix_from_rows(n, n, s->start, s->index, s->value);
    case 1:
        return jd_matrix_from_rows32(n, n, s->start32, s->index32, s->value);
    case 2:
        return jd_matrix_from_columns(n, n, s->start, s->index, s->value);
    default:
        return jd_matrix_from_columns32(n, n, s->start32, s->index32, s->value);
    }
}

static void write_market(const char *path, const sparse *s) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %lld\n", s->n, s->n,
            (long long)s->start[s->n]);
    for (int i = 0; i < s->n; i++)
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            fprintf(f, "%d %lld %.17g\n", i + 1, (long long)s->index[k] + 1, s->value[k]);
    fclose(f);
}

// K = G'G + small, M = diagonal + a few couplings: definite, with zeros.
static void draw_matrices(int n, double *K, double *M) {
    for (int i = 0; i < n * n; i++) K[i] = M[i] = 0;
    for (int i = 0; i < n; i++) {
        K[i * n + i] += mixed(0.1, 1);
        M[i * n + i] += mixed(0.5, 2);
        for (int t = 0; t < 2; t++) {
            int j = pick(n);
            double k = mixed(0.1, 3), m = mixed(0, 0.1);
            if (j == i) continue;
            K[i * n + i] += k, K[j * n + j] += k;
            K[i * n + j] -= k, K[j * n + i] -= k;
            M[i * n + i] += m, M[j * n + j] += m;
            M[i * n + j] += m, M[j * n + i] += m;
        }
    }
}

// Modes of the structure, by a problem that keeps copies or borrows.
static jd_status modes_of(jd_context *context, jd_matrix K, jd_matrix M, jd_mode *mode, double *row,
                          int *n) {
    const jd_point point = jd_point_at_node("one", 1, 1);
    jd_problem *problem;
    jd_matrices_def def = jd_default_matrices();
    def.stiffness = K;
    def.mass = M;
    def.points = (jd_points){1, &point};
    assert_int_equal(jd_problem_create(context, &problem), JD_OK);
    jd_status status = jd_problem_add_matrices(problem, "", &def);
    if (status == JD_OK) status = jd_problem_build(problem);
    if (status == JD_OK) {
        const jd_structure *s = jd_problem_structure(problem, 0);
        *n = jd_structure_modes(s);
        jd_structure_mode_list(s, mode);
        status = jd_structure_participation(s, "one", row);
    }
    jd_problem_free(problem);
    return status;
}

static void memory_and_file_give_the_same_bits(void **state) {
    (void)state;
    jd_context *context = jd_context_create(NULL);
    seed = 20;
    static double K[MOST * MOST], M[MOST * MOST];
    static sparse k, m;
    char folder[] = "/tmp/judder-matrices-XXXXXX", paths[2][60];
    assert_non_null(mkdtemp(folder));
    snprintf(paths[0], sizeof paths[0], "%s/K.mtx", folder);
    snprintf(paths[1], sizeof paths[1], "%s/M.mtx", folder);
    for (int trial = 0; trial < 60; trial++) {
        int n = 1 + pick(MOST), n_mode[2] = {0};
        jd_mode mode[2][MOST];
        double row[2][MOST];
        draw_matrices(n, K, M);
        compress(n, K, false, false, &k);
        compress(n, M, false, false, &m);
        write_market(paths[0], &k);
        write_market(paths[1], &m);
        assert_int_equal(modes_of(context, jd_matrix_from_file(paths[0]),
                                  jd_matrix_from_file(paths[1]), mode[0], row[0], &n_mode[0]),
                         JD_OK);
        for (int form = 0; form < 16; form++) {
            compress(n, K, form & 4, form & 8, &k);
            compress(n, M, false, form & 8, &m);
            jd_matrix a = matrix_of(&k, form % 4), b = matrix_of(&m, (form + 1) % 4);
            a.triangle = form & 4;
            a.borrowed = trial & 1;
            b.borrowed = trial & 2;
            if (modes_of(context, a, b, mode[1], row[1], &n_mode[1]) != JD_OK)
                fail_msg("%s", jd_context_error(context)->message);
            assert_int_equal(n_mode[0], n);
            assert_int_equal(n_mode[1], n);
            assert_memory_equal(mode[0], mode[1], (size_t)n * sizeof *mode[0]);
            assert_memory_equal(row[0], row[1], (size_t)n * sizeof *row[0]);
        }
    }
    for (int i = 0; i < 2; i++) unlink(paths[i]);
    rmdir(folder);
    jd_context_free(context);
}

// Copies are the problem's own; what is borrowed is read again when the problem is built again.
static void copies_do_not_see_later_changes(void **state) {
    (void)state;
    for (int borrowed = 0; borrowed < 2; borrowed++) {
        int64_t start[] = {0, 1}, index[] = {0};
        double stiffness[] = {4}, mass[] = {1};
        jd_context *context = jd_context_create(NULL);
        jd_problem *problem;
        jd_matrices_def def = jd_default_matrices();
        def.stiffness = jd_matrix_from_rows(1, 1, start, index, stiffness);
        def.stiffness.borrowed = borrowed;
        def.mass = jd_matrix_from_rows(1, 1, start, index, mass);
        assert_int_equal(jd_problem_create(context, &problem), JD_OK);
        assert_int_equal(jd_problem_add_matrices(problem, "", &def), JD_OK);
        stiffness[0] = 9;
        jd_problem *copy;
        assert_int_equal(jd_problem_copy(context, problem, &copy), JD_OK);
        assert_int_equal(jd_problem_build(copy), JD_OK);
        jd_mode mode;
        jd_structure_mode_list(jd_problem_structure(copy, 0), &mode);
        assert_near(mode.omega, borrowed ? 3 : 2, 1e-15);
        jd_problem_free(copy);
        jd_problem_free(problem);
        jd_context_free(context);
    }
}

typedef struct bad {
    const char *what;
    int64_t rows, columns;
    int64_t start[4], index[6];
    double value[6];
    jd_status status;
    const char *says;
} bad;

static void bad_matrices_are_refused_by_name(void **state) {
    (void)state;
    static const bad list[] = {
        {"shape", 3, 2, {0, 1, 2, 3}, {0, 1, 1}, {1, 1, 1}, JD_SIZE_MISMATCH, "not square"},
        {"no rows", 0, 0, {0}, {0}, {0}, JD_OUT_OF_RANGE, "0 rows"},
        {"huge", 1LL << 40, 1LL << 40, {0}, {0}, {0}, JD_OUT_OF_RANGE, "rows"},
        {"first", 3, 3, {1, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}, JD_BROKEN_MATRIX, "begin with 0"},
        {"falls", 3, 3, {0, 2, 1, 3}, {0, 1, 2}, {1, 1, 1}, JD_BROKEN_MATRIX, "not fall"},
        {"beyond", 3, 3, {0, 1, 2, 3}, {0, 1, 3}, {1, 1, 1}, JD_BROKEN_MATRIX, "index 3"},
        {"negative", 3, 3, {0, 1, 2, 3}, {0, -1, 2}, {1, 1, 1}, JD_BROKEN_MATRIX, "index -1"},
        {"nan", 3, 3, {0, 1, 2, 3}, {0, 1, 2}, {1, (double)NAN, 1}, JD_BROKEN_MATRIX, "finite"},
        {"infinite", 3, 3, {0, 1, 2, 3}, {0, 1, 2}, {1, HUGE_VAL, 1}, JD_BROKEN_MATRIX, "finite"},
        {"twice", 3, 3, {0, 2, 3, 4}, {0, 0, 1, 2}, {1, 1, 1, 1}, JD_BROKEN_MATRIX, "given twice"},
        {"skew", 3, 3, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {1, 2, 3, 9, 1}, JD_NOT_SYMMETRIC, "mirror"},
        {"one sided", 3, 3, {0, 2, 3, 4}, {0, 1, 1, 2}, {1, 2, 9, 1}, JD_NOT_SYMMETRIC, "mirror"},
        {"smaller", 2, 2, {0, 1, 2}, {0, 1}, {1, 1}, JD_SIZE_MISMATCH, "rows"},
        {"indefinite", 3, 3, {0, 1, 2, 3}, {0, 1, 2}, {1, -1, 1}, JD_NOT_DEFINITE, ""},
        {"empty row", 3, 3, {0, 1, 1, 2}, {0, 2}, {1, 1}, JD_NOT_DEFINITE, "empty"},
    };
    static const int64_t start[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    static const double one[] = {2, 3, 4};
    jd_context *context = jd_context_create(NULL);
    jd_mode mode[3];
    double row[3];
    int n;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const bad *b = &list[i];
        jd_matrix K = jd_matrix_from_rows(3, 3, start, index, one);
        jd_matrix M = jd_matrix_from_rows(b->rows, b->columns, b->start, b->index, b->value);
        jd_status got = modes_of(context, K, M, mode, row, &n);
        const jd_error *e = jd_context_error(context);
        if (got != b->status || !strstr(e->message, b->says))
            fail_msg("%s: %s `%s`", b->what, jd_status_name(got), e->message);
        if (!strstr(e->message, "mass") && !strstr(e->where, "mass"))
            fail_msg("%s: %s (%s)", b->what, e->message, e->where);
    }
    jd_matrix none = {0}, K = jd_matrix_from_rows(3, 3, start, index, one), cut = K;
    cut.value = NULL;
    assert_int_equal(modes_of(context, K, none, mode, row, &n), JD_MISSING_KEY);
    assert_int_equal(modes_of(context, none, K, mode, row, &n), JD_MISSING_KEY);
    assert_int_equal(modes_of(context, cut, K, mode, row, &n), JD_BAD_ARGUMENT);
    cut = K;
    cut.layout = 7;
    assert_int_equal(modes_of(context, K, cut, mode, row, &n), JD_BAD_ARGUMENT);
    jd_context_free(context);
}

// Entries of both triangles where one is announced.
static void a_triangle_has_one_side(void **state) {
    (void)state;
    static const int64_t start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    static const double value[] = {2, -1, -1, 2};
    jd_context *context = jd_context_create(NULL);
    jd_mode mode[2];
    double row[2];
    int n;
    jd_matrix K = jd_matrix_from_rows(2, 2, start, index, value);
    assert_int_equal(modes_of(context, K, K, mode, row, &n), JD_OK);
    K.triangle = true;
    assert_int_equal(modes_of(context, K, K, mode, row, &n), JD_BROKEN_MATRIX);
    assert_string_equal(jd_context_error(context)->where, "stiffness");
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_and_file_give_the_same_bits),
        cmocka_unit_test(copies_do_not_see_later_changes),
        cmocka_unit_test(bad_matrices_are_refused_by_name),
        cmocka_unit_test(a_triangle_has_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

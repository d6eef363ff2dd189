// sparse_distinct.c -- of blocks of a matrix that are the same one is left, and none is lost that
// differs.
#include <string.h>

#include "linalg/sparse/distinct.h"
#include "near.h"
#include "scratch.h"

enum { NODES = 40, PER = 3, N = NODES * PER, MOST = 3 * N };

// Chains of NODES masses, one for each direction, row = PER node + direction; `odd`: a direction
// whose middle differs, or -1.
static jd_sparse chains(int odd) {
    jd_sparse A = {N, JD_TAKE(arena, int, N + 1), JD_TAKE(arena, int, MOST),
                   JD_TAKE(arena, double, MOST)};
    int used = 0;
    for (int j = 0; j < N; j++) {
        for (int i = j - PER; i <= j + PER; i += PER) {
            if (i < 0 || i >= N) continue;
            A.row[used] = i;
            A.value[used++] = i == j ? 4 + j / PER : -1 - i / PER - j / PER;
            if (i == j && j == PER * (NODES / 2) + odd) A.value[used - 1] += 0.5;
        }
        A.start[j + 1] = used;
    }
    return A;
}

// Every row backwards.
static int *backwards(void) {
    int *order = JD_TAKE(arena, int, N);
    for (int j = 0; j < N; j++) order[j] = N - j;
    return order;
}

static void one_of_the_same_is_left(void **state) {
    (void)state;
    jd_sparse A = chains(-1 - PER * NODES), out;
    int *order;
    assert_int_equal(jd_sparse_distinct(arena, &A, backwards(), &out, &order), JD_OK);
    assert_int_equal(out.n, NODES);
    for (int j = 0; j < NODES; j++) {
        assert_int_equal(order[j], NODES - j);
        assert_int_equal(out.start[j + 1] - out.start[j], A.start[PER * j + 1] - A.start[PER * j]);
        for (int p = out.start[j], q = A.start[PER * j]; p < out.start[j + 1]; p++, q++) {
            assert_int_equal(PER * out.row[p], A.row[q]);
            assert_true(out.value[p] == A.value[q]);
        }
    }
}

static void one_that_differs_stays(void **state) {
    (void)state;
    for (int odd = 0; odd < PER; odd++) {
        jd_sparse A = chains(odd), out;
        int *order;
        double sum = 0, whole = 0;
        assert_int_equal(jd_sparse_distinct(arena, &A, NULL, &out, &order), JD_OK);
        assert_null(order);
        assert_int_equal(out.n, 2 * NODES);
        for (int p = 0; p < out.start[out.n]; p++) sum += out.value[p];
        for (int j = 0; j < N; j++) // those of the odd one, and of one of the others
            for (int p = A.start[j]; p < A.start[j + 1]; p++)
                if (j % PER == odd || j % PER == (odd + 1) % PER) whole += A.value[p];
        assert_true(sum == whole);
    }
}

static void rows_alone_are_left_out_and_one_block_stays_whole(void **state) {
    (void)state;
    jd_sparse A = {4, (int[]){0, 1, 2, 3, 4}, (int[]){0, 1, 2, 3}, (double[]){1, 2, 3, 4}}, out;
    int *order;
    assert_int_equal(jd_sparse_distinct(arena, &A, NULL, &out, &order), JD_OK);
    assert_int_equal(out.n, 0);
    jd_sparse B = {2, (int[]){0, 2, 4}, (int[]){0, 1, 0, 1}, (double[]){2, 1, 1, 2}};
    assert_int_equal(jd_sparse_distinct(arena, &B, (int[]){2, 1}, &out, &order), JD_OK);
    assert_int_equal(out.n, 2);
    assert_memory_equal(out.value, B.value, 4 * sizeof *B.value);
    assert_int_equal(order[0], 2);
    assert_int_equal(order[1], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_of_the_same_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_that_differs_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_alone_are_left_out_and_one_block_stays_whole, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

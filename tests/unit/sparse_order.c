// sparse_order.c -- an order of elimination holds every row once, those of a node together, and
// factors by it solve.
#include <math.h>
#include <stdlib.h>

#include "linalg/sparse/factor.h"
#include "linalg/sparse/order/order.h"
#include "linalg/sparse/product.h"
#include "near.h"

enum { SIDE = 13 };

// Nodes of a cube with their 26 neighbours, `per` unknowns each; `thin`: unknowns of different
// directions meet at corners of the neighbourhood only, as on regular meshes.
static bool coupled(int a, int b, int per, bool thin) {
    int p = a / per, q = b / per, far = 0;
    for (int k = 0; k < 3; k++, p /= SIDE, q /= SIDE) {
        int d = abs(p % SIDE - q % SIDE);
        if (d > 1) return false;
        far += d;
    }
    return !thin || a % per == b % per || far >= 2;
}

static jd_sparse cube(jd_arena *arena, int per, bool thin) {
    int nodes = SIDE * SIDE * SIDE, n = per * nodes, used = 0;
    size_t most = (size_t)n * 27 * (size_t)per;
    jd_sparse A = {n, JD_TAKE(arena, int, n + 1), JD_TAKE(arena, int, most),
                   JD_TAKE(arena, double, most)};
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (!coupled(i, j, per, thin)) continue;
            A.row[used] = i;
            A.value[used++] = i == j ? 27.0 * per : -0.5 - 0.25 * ((i + j) % 3);
        }
        A.start[j + 1] = used;
    }
    return A;
}

static void holds_every_row_once(const int *order, int n) {
    bool *seen = calloc((size_t)n, sizeof *seen);
    assert_non_null(seen);
    for (int j = 0; j < n; j++) {
        assert_in_range(order[j], 1, n);
        assert_false(seen[order[j] - 1]);
        seen[order[j] - 1] = true;
    }
    free(seen);
}

static void solves(jd_arena *arena, jd_context *context, const jd_sparse *A, const int *order) {
    jd_factor *factor = NULL;
    double *x = JD_TAKE(arena, double, A->n), *y = JD_TAKE(arena, double, A->n);
    for (int j = 0; j < A->n; j++) x[j] = sin(j);
    jd_sparse_times(A, x, y);
    assert_int_equal(jd_factor_shifted(context, A, NULL, 0, order, &factor), JD_OK);
    assert_int_equal(jd_factor_solve(factor, y, y), JD_OK);
    for (int j = 0; j < A->n; j++) assert_true(fabs(y[j] - x[j]) < 1e-10);
    jd_factor_free(factor);
}

static void rows_of_a_node_stay_together(void **state) {
    (void)state;
    static const struct {
        int per;
        bool thin;
    } kind[] = {{1, false}, {2, false}, {2, true}, {3, false}, {3, true}, {6, false}};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
        jd_context *context = jd_context_create(NULL);
        jd_arena *arena = jd_arena_create(context);
        jd_sparse A = cube(arena, kind[k].per, kind[k].thin);
        int *order = NULL, per = kind[k].per, together = per == 6 ? 3 : per;
        assert_int_equal(jd_sparse_order(arena, &A, NULL, &order), JD_OK);
        holds_every_row_once(order, A.n);
        for (int j = 0; j < A.n; j++)
            if (j % together) assert_int_equal(order[j], order[j - 1] + 1);
        solves(arena, context, &A, order);
        jd_arena_free(arena);
        jd_context_free(context);
    }
}

// Not in blocks of rows that follow each other: first all of one direction, then of the next.
static void rows_are_grouped_by_their_neighbours(void **state) {
    (void)state;
    enum { N = 40, PER = 3 };
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    jd_sparse A = {N * PER, JD_TAKE(arena, int, N *PER + 1), JD_TAKE(arena, int, N *PER *PER * 3),
                   JD_TAKE(arena, double, N *PER *PER * 3)};
    int used = 0, *order = NULL;
    for (int j = 0; j < A.n; j++) {
        for (int i = 0; i < A.n; i++)
            if (abs(i % N - j % N) <= 1) {
                A.row[used] = i;
                A.value[used++] = i == j ? 10 : -1;
            }
        A.start[j + 1] = used;
    }
    assert_int_equal(jd_sparse_order(arena, &A, NULL, &order), JD_OK);
    holds_every_row_once(order, A.n);
    for (int j = 0; j < N; j++)
        for (int d = 1; d < PER; d++) assert_int_equal(order[j + d * N], order[j] + d);
    solves(arena, context, &A, order);
    jd_arena_free(arena);
    jd_context_free(context);
}

// A membrane of SPAN x SPAN masses: enough for several threads to share, which they must not.
static void the_same_order_every_time(void **state) {
    (void)state;
    enum { SPAN = 120, N = SPAN * SPAN };
    jd_context *context = jd_context_create(NULL);
    jd_arena *arena = jd_arena_create(context);
    jd_sparse A = {N, JD_TAKE(arena, int, N + 1), JD_TAKE(arena, int, 5 * N),
                   JD_TAKE(arena, double, 5 * N)};
    int used = 0, *first = NULL;
    for (int j = 0; j < N; j++) {
        const int to[] = {j - SPAN, j - 1, j, j + 1, j + SPAN};
        for (int k = 0; k < 5; k++) {
            if (to[k] < 0 || to[k] >= N || abs(to[k] % SPAN - j % SPAN) > 1) continue;
            A.row[used] = to[k];
            A.value[used++] = to[k] == j ? 4.5 : -1;
        }
        A.start[j + 1] = used;
    }
    assert_int_equal(jd_sparse_order(arena, &A, NULL, &first), JD_OK);
    holds_every_row_once(first, N);
    for (int again = 0; again < 5; again++) {
        int *order = NULL;
        assert_int_equal(jd_sparse_order(arena, &A, NULL, &order), JD_OK);
        assert_memory_equal(order, first, N * sizeof *order);
    }
    solves(arena, context, &A, first);
    jd_arena_free(arena);
    jd_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_node_stay_together),
        cmocka_unit_test(rows_are_grouped_by_their_neighbours),
        cmocka_unit_test(the_same_order_every_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

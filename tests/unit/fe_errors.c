// fe_errors.c -- the stated errors of frequencies of ten FE models: never exceeded, and not a
// thousand times too large.
//   The entries of the matrices are known in long double; what their rounding to double makes of an
//   eigenvalue is x'(dK - lambda dM)x to first order, and the computed one differs from that of
//   the rounded matrices by its own error: lambda of the exact matrices is the Rayleigh quotient
//   of the mode found with the exact entries, up to the square of the error of the shape.
#include "linalg/eigen.h"
#include "linalg/sparse/factor.h"
#include "solid.h"

enum { MODES = 8 };

static jd_context *context;
static jd_arena *arena;

static int set_up(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    arena = jd_arena_create(context);
    return !arena;
}

static int tear_down(void **state) {
    (void)state;
    jd_arena_free(arena);
    jd_context_free(context);
    return 0;
}

static jd_sparse sparse_of(const solid *b, const double *value) {
    int entries = (int)b->start_K[b->n];
    jd_sparse A = {b->n, JD_TAKE(arena, int, b->n + 1), JD_TAKE(arena, int, entries),
                   JD_TAKE(arena, double, entries)};
    for (int i = 0; i <= b->n; i++) A.start[i] = (int)b->start_K[i];
    for (int k = 0; k < entries; k++) {
        A.row[k] = (int)b->index[k];
        A.value[k] = value[k];
    }
    return A;
}

// x' A x, x not rounded any further.
static long double form(const solid *b, const long double *A, const double *x) {
    long double sum = 0;
    for (int i = 0; i < b->n; i++) {
        long double row = 0;
        for (int64_t k = b->start_K[i]; k < b->start_K[i + 1]; k++) row += A[k] * x[b->index[k]];
        sum += row * x[i];
    }
    return sum;
}

static void errors_are_never_exceeded_and_not_idle(void **state) {
    (void)state;
    static const struct {
        int nx, ny, nz;
        double lx, ly, lz, grade;
        bool free;
    } model[10] = {
        {20, 3, 3, 0.2, 0.03, 0.03, 1, false},   {40, 2, 2, 1, 0.02, 0.01, 1, false},
        {60, 2, 1, 2, 0.02, 0.005, 1, false},    {9, 6, 6, 0.1, 0.1, 0.1, 1, false},
        {20, 3, 3, 0.2, 0.03, 0.03, 1.2, false}, {40, 2, 2, 1, 0.02, 0.01, 1.1, false},
        {12, 12, 1, 0.3, 0.3, 0.004, 1, false},  {30, 3, 2, 0.5, 0.03, 0.02, 0.9, false},
        {20, 3, 3, 0.2, 0.03, 0.03, 1, true},    {40, 2, 2, 1, 0.02, 0.01, 1.05, true},
    };
    for (int c = 0; c < 10; c++) {
        solid b =
            steel_bar(model[c].nx, model[c].ny, model[c].nz, model[c].lx, model[c].ly, model[c].lz);
        b.grade = model[c].grade;
        b.free = model[c].free;
        solid_assemble(&b);
        jd_arena_mark mark = jd_arena_here(arena);
        jd_sparse K = sparse_of(&b, b.K), M = sparse_of(&b, b.M);
        int n = MODES + (b.free ? 6 : 0), first = b.free ? 6 : 0;
        double *lambda = JD_TAKE(arena, double, n), *error = JD_TAKE(arena, double, n);
        double *vector = JD_TAKE(arena, double, (size_t)n *(size_t)b.n), largest = 0;
        assert_int_equal(jd_eigen_sparse(arena, &K, &M, n, lambda, vector, error, NULL, NULL),
                         JD_OK);
        for (int k = 0; k < first; k++) assert_true(lambda[k] == 0 && error[k] == 0);
        for (int k = first; k < n; k++) {
            const double *x = vector + (size_t)k * (size_t)b.n;
            long double exact = form(&b, b.exact_K, x) / form(&b, b.exact_M, x);
            double off = (double)fabsl(lambda[k] - exact) / (2 * lambda[k]);
            assert_true(off <= error[k]);
            largest = fmax(largest, off / error[k]);
        }
        assert_true(largest > 1e-3); // measured: 0.018 to 0.14
        jd_arena_back(arena, mark);
        solid_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(errors_are_never_exceeded_and_not_idle, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

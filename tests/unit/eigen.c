// eigen.c -- generalised eigenproblems in double: dense, sparse, and what they say of themselves.
#include <float.h>
#include <pthread.h>
#include <string.h>

#include "linalg/eigen.h"
#include "linalg/general.h"
#include "linalg/small/small.h"
#include "near.h"

static jd_context *context;
static jd_arena *arena;

static int open_arena(void **state) {
    (void)state;
    context = jd_context_create(NULL);
    arena = jd_arena_create(context);
    return arena == NULL;
}

static int close_arena(void **state) {
    (void)state;
    jd_arena_free(arena);
    jd_context_free(context);
    return 0;
}

// Tridiagonal with constant entries, except the two ends of the diagonal.
static jd_sparse tridiagonal_in(jd_arena *a, int n, double diagonal, double off, double first,
                                double last) {
    jd_sparse A = {n, JD_TAKE(a, int, n + 1), JD_TAKE(a, int, 3 * n), JD_TAKE(a, double, 3 * n)};
    int used = 0;
    for (int j = 0; j < n; j++) {
        for (int i = j - 1; i <= j + 1; i++) {
            if (i < 0 || i >= n) continue;
            A.row[used] = i;
            A.value[used++] = i != j ? off : j == 0 ? first : j == n - 1 ? last : diagonal;
        }
        A.start[j + 1] = used;
    }
    return A;
}

static jd_sparse tridiagonal(int n, double diagonal, double off, double first, double last) {
    return tridiagonal_in(arena, n, diagonal, off, first, last);
}

// fe-rod of n dofs, fixed-free or free-free, EA = rho A = L = 1.
static void rod_in(jd_arena *a, int n, bool free_left, jd_sparse *K, jd_sparse *M) {
    double h = 1.0 / (free_left ? n - 1 : n);
    *K = tridiagonal_in(a, n, 2 / h, -1 / h, free_left ? 1 / h : 2 / h, 1 / h);
    *M = tridiagonal_in(a, n, 4 * h / 6, h / 6, free_left ? 2 * h / 6 : 4 * h / 6, 2 * h / 6);
}

static void rod(int n, bool free_left, jd_sparse *K, jd_sparse *M) {
    rod_in(arena, n, free_left, K, M);
}

// Frequencies of that mesh in closed form: omega^2 = 6/h^2 (1 - cos a)/(2 + cos a), a = pi m h.
static double rod_omega(double h, double m) {
    double a = 3.141592653589793 * m * h, s = sin(a / 2);
    return sqrt(12 * s * s / (2 + cos(a))) / h;
}

static double *dense_of(const jd_sparse *A) {
    double *full = JD_TAKE(arena, double, A->n * A->n);
    for (int j = 0; j < A->n; j++)
        for (int p = A->start[j]; p < A->start[j + 1]; p++)
            full[A->row[p] * A->n + j] = A->value[p];
    return full;
}

// Measured: 2e-12 for lambda_max/lambda_1 = 1.5e6, well inside the bound claimed.
static void dense_and_sparse_agree_with_the_closed_form(void **state) {
    (void)state;
    enum { N = 400, MODES = 30 };
    for (int free_left = 0; free_left < 2; free_left++) {
        jd_sparse K, M;
        rod(N, free_left, &K, &M);
        double *lambda[2], *vector[2], *error[2];
        for (int i = 0; i < 2; i++) {
            lambda[i] = JD_TAKE(arena, double, MODES);
            vector[i] = JD_TAKE(arena, double, MODES *N);
            error[i] = JD_TAKE(arena, double, MODES);
        }
        assert_int_equal(jd_eigen_dense(arena, N, dense_of(&K), dense_of(&M), MODES, lambda[0],
                                        vector[0], error[0]),
                         JD_OK);
        assert_int_equal(
            jd_eigen_sparse(arena, &K, &M, MODES, lambda[1], vector[1], error[1], NULL, NULL),
            JD_OK);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < MODES; k++) {
                if (free_left && k == 0) {
                    assert_true(lambda[i][0] == 0 && error[i][0] == 0);
                    continue;
                }
                double h = 1.0 / (free_left ? N - 1 : N);
                double omega = rod_omega(h, free_left ? k : k + 0.5);
                assert_relative(sqrt(lambda[i][k]), omega, error[i][k]);
                assert_true(error[i][k] < 1e-8);
                assert_true(error[i][k] >= DBL_EPSILON * 3.9 * N * N / lambda[i][k] / 2);
            }
        for (int k = 0; k < MODES; k++) { // the same shapes but for the sign
            double sign = vector[0][k * N + N - 1] * vector[1][k * N + N - 1] > 0 ? 1 : -1;
            for (int j = 0; j < N; j++)
                assert_near(vector[0][k * N + j], sign * vector[1][k * N + j], 1e-9);
        }
    }
}

// lambda_max/lambda_1 = 5e10: the mode-1 bound must be honest, and the digits better than 1e-6.
static void sparse_finds_the_lowest_of_100000(void **state) {
    (void)state;
    enum { N = 100000, MODES = 50 };
    jd_sparse K, M;
    rod(N, false, &K, &M);
    double *lambda = JD_TAKE(arena, double, MODES), *error = JD_TAKE(arena, double, MODES);
    double *vector = JD_TAKE(arena, double, (size_t)MODES *N);
    assert_int_equal(jd_eigen_sparse(arena, &K, &M, MODES, lambda, vector, error, NULL, NULL),
                     JD_OK);
    for (int k = 0; k < MODES; k++) {
        assert_relative(sqrt(lambda[k]), rod_omega(1.0 / N, k + 0.5), 1e-6);
        assert_relative(sqrt(lambda[k]), rod_omega(1.0 / N, k + 0.5), error[k]);
        assert_true(error[k] < 1e-4);
    }
}

// A square membrane of springs: most eigenvalues are double. Lanczos alone may miss the second.
// One spring of 1e22 beside springs of 1: every other mode drowns in eps lambda_max, none is rigid.
static void sparse_modes_that_drown_are_not_called_rigid(void **state) {
    (void)state;
    enum { N = 700, MODES = 5 };
    jd_arena_mark mark = jd_arena_here(arena);
    jd_sparse K = tridiagonal(N, 2, -1, 1e22, 1), M = tridiagonal(N, 1, 0, 1, 1);
    double lambda[MODES], error[MODES], *vector = JD_TAKE(arena, double, MODES *N);
    assert_int_equal(jd_eigen_sparse(arena, &K, &M, MODES, lambda, vector, error, NULL, NULL),
                     JD_OK);
    for (int k = 0; k < MODES; k++) assert_true(error[k] >= 1);
    jd_arena_back(arena, mark);
}

static void sparse_finds_double_eigenvalues(void **state) {
    (void)state;
    enum { SIDE = 30, N = SIDE * SIDE, MODES = 40 };
    jd_sparse M = tridiagonal(N, 1, 0, 1, 1);
    jd_sparse K = {N, JD_TAKE(arena, int, N + 1), JD_TAKE(arena, int, 5 * N),
                   JD_TAKE(arena, double, 5 * N)};
    int used = 0;
    for (int j = 0; j < N; j++) {
        const int to[5] = {j - SIDE, j % SIDE ? j - 1 : -1, j, (j + 1) % SIDE ? j + 1 : -1,
                           j + SIDE};
        for (int i = 0; i < 5; i++) {
            if (to[i] < 0 || to[i] >= N) continue;
            K.row[used] = to[i];
            K.value[used++] = i == 2 ? 4 : -1;
        }
        K.start[j + 1] = used;
    }
    double known[N], lambda[MODES], error[MODES], *vector = JD_TAKE(arena, double, MODES *N);
    for (int a = 0; a < SIDE; a++)
        for (int b = 0; b < SIDE; b++) {
            double s = sin((a + 1) * 3.141592653589793 / (2 * (SIDE + 1)));
            double t = sin((b + 1) * 3.141592653589793 / (2 * (SIDE + 1)));
            known[a * SIDE + b] = 4 * s * s + 4 * t * t;
        }
    for (int i = 1; i < N; i++)
        for (int k = i; k > 0 && known[k] < known[k - 1]; k--) {
            double t = known[k];
            known[k] = known[k - 1], known[k - 1] = t;
        }
    assert_int_equal(jd_eigen_sparse(arena, &K, &M, MODES, lambda, vector, error, NULL, NULL),
                     JD_OK);
    for (int k = 0; k < MODES; k++) assert_relative(lambda[k], known[k], 1e-12);
    for (int k = 0; k < MODES; k++) // M = I: orthonormal, within the pairs too
        for (int l = 0; l <= k; l++) {
            double sum = 0;
            for (int i = 0; i < N; i++) sum += vector[k * N + i] * vector[l * N + i];
            assert_near(sum, k == l, 1e-11);
        }
}

// A pencil on the diagonal `copies` times.
static jd_sparse repeat(const jd_sparse *A, int copies) {
    int entries = A->start[A->n];
    jd_sparse out = {A->n * copies, JD_TAKE(arena, int, A->n *copies + 1),
                     JD_TAKE(arena, int, entries *copies), JD_TAKE(arena, double, entries *copies)};
    for (int c = 0; c < copies; c++) {
        for (int p = 0; p < entries; p++) {
            out.row[c * entries + p] = A->row[p] + c * A->n;
            out.value[c * entries + p] = A->value[p];
        }
        for (int j = 0; j <= A->n; j++) out.start[c * A->n + j] = c * entries + A->start[j];
    }
    return out;
}

// Rods side by side that nothing couples: every frequency has as many modes as there are rods, and
// rigid ones where they are free. Ends of the modes asked for lie before, in and after the copies.
static void sparse_finds_every_copy_of_a_frequency(void **state) {
    (void)state;
    static const int many[] = {3, 7, 12, 25, 40};
    enum { N = 60 };
    for (size_t c = 0; c < sizeof many / sizeof *many; c++)
        for (int free_left = 0; free_left < 2; free_left++) {
            int copies = many[c];
            const int asked[] = {copies - 1, copies, copies + 1, 2 * copies,
                                 2 * copies + copies / 2};
            jd_arena_mark mark = jd_arena_here(arena);
            jd_sparse k, m;
            rod(N, free_left, &k, &m);
            jd_sparse K = repeat(&k, copies), M = repeat(&m, copies);
            for (size_t a = 0; a < sizeof asked / sizeof *asked; a++) {
                double *lambda = JD_TAKE(arena, double, asked[a]);
                double *error = JD_TAKE(arena, double, asked[a]);
                double *vector = JD_TAKE(arena, double, (size_t)asked[a] * (size_t)K.n);
                assert_int_equal(
                    jd_eigen_sparse(arena, &K, &M, asked[a], lambda, vector, error, NULL, NULL),
                    JD_OK);
                for (int i = 0; i < asked[a]; i++) {
                    int number = i / copies; // of the frequency
                    double h = 1.0 / (free_left ? N - 1 : N);
                    double omega = rod_omega(h, free_left ? number : number + 0.5);
                    assert_near(sqrt(fmax(lambda[i], 0)), omega, omega > 0 ? 1e-10 * omega : 1e-4);
                }
            }
            jd_arena_back(arena, mark);
        }
}

static void indefinite_matrices_are_refused(void **state) {
    (void)state;
    enum { N = 50 };
    double lambda[4], vector[4 * N], error[4];
    jd_sparse K, M, bad = tridiagonal(N, 2, -1, 1, 0.5); // det < 0: one negative eigenvalue
    rod(N, false, &K, &M);
    jd_sparse negative = tridiagonal(N, 4, 1, 4, -1);
    assert_int_equal(jd_eigen_sparse(arena, &bad, &M, 4, lambda, vector, error, NULL, NULL),
                     JD_NOT_DEFINITE);
    assert_int_equal(
        jd_eigen_dense(arena, N, dense_of(&bad), dense_of(&M), 4, lambda, vector, error),
        JD_NOT_DEFINITE);
    assert_non_null(strstr(jd_context_error(context)->message, "stiffness"));
    assert_int_equal(jd_eigen_sparse(arena, &K, &negative, 4, lambda, vector, error, NULL, NULL),
                     JD_NOT_DEFINITE);
    assert_int_equal(
        jd_eigen_dense(arena, N, dense_of(&K), dense_of(&negative), 4, lambda, vector, error),
        JD_NOT_DEFINITE);
    assert_non_null(strstr(jd_context_error(context)->message, "mass"));
}

static void the_same_call_gives_the_same_bits(void **state) {
    (void)state;
    enum { N = 700, MODES = 12 };
    jd_sparse K, M;
    rod(N, true, &K, &M);
    double *x[2], *l[2], error[MODES];
    for (int i = 0; i < 2; i++) {
        x[i] = JD_TAKE(arena, double, MODES *N);
        l[i] = JD_TAKE(arena, double, MODES);
        assert_int_equal(jd_eigen_sparse(arena, &K, &M, MODES, l[i], x[i], error, NULL, NULL),
                         JD_OK);
    }
    assert_memory_equal(l[0], l[1], MODES * sizeof(double));
    assert_memory_equal(x[0], x[1], MODES * N * sizeof(double));
}

// Hardly coupled oscillators: an iteration that starts in the middle of a bracket often ends at a
// neighbour outside, is refused, and the bracket halved. The few lowest, by counting, are those of
// all of them, by LAPACK.
static void slices_of_a_spectrum_hold_what_is_counted(void **state) {
    (void)state;
    enum { N = 40, FEW = 4 };
    unsigned seed = 1;
    for (int round = 0; round < 60; round++) {
        jd_arena_mark mark = jd_arena_here(arena);
        jd_band K = {N, 1, JD_TAKE(arena, jd_dd, 2 * N)}, M = {N, 0, JD_TAKE(arena, jd_dd, N)};
        jd_dd *few = JD_TAKE(arena, jd_dd, N), *all = JD_TAKE(arena, jd_dd, N),
              *vector = JD_TAKE(arena, jd_dd, N * N);
        double error[N], off = round % 3 ? 1e-3 : 1e-9;
        for (int i = 0; i < N; i++) {
            seed = seed * 1664525u + 1013904223u;
            K.v[2 * i] = dd(1 + 9 * (double)seed / 4294967296.0);
            K.v[2 * i + 1] = dd(off);
            M.v[i] = dd(1);
        }
        assert_int_equal(jd_eigen_band(arena, &K, &M, 0, N, all, vector, error), JD_OK);
        assert_int_equal(jd_eigen_band(arena, &K, &M, 0, FEW, few, vector, error), JD_OK);
        for (int k = 0; k < FEW; k++)
            assert_near(few[k].hi, all[k].hi, 1e-14 * all[k].hi); // measured 0
        jd_arena_back(arena, mark);
    }
}

typedef struct job {
    int n;
    double lambda[12];
    jd_status status;
} job;

static void *run(void *user) {
    enum { MODES = 12 };
    job *j = user;
    jd_context *c = jd_context_create(NULL);
    jd_arena *own = jd_arena_create(c);
    jd_sparse K, M;
    double error[MODES], *vector = JD_TAKE(own, double, MODES * j->n);
    rod_in(own, j->n, true, &K, &M);
    j->status = jd_eigen_sparse(own, &K, &M, MODES, j->lambda, vector, error, NULL, NULL);
    jd_arena_free(own);
    jd_context_free(c);
    return NULL;
}

// MUMPS keeps variables of the whole process: without the lock this fails.
static void threads_do_not_disturb_each_other(void **state) {
    (void)state;
    enum { THREADS = 6 };
    job alone[THREADS], together[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        alone[i] = together[i] = (job){.n = 700 + 100 * i};
        run(&alone[i]);
        assert_int_equal(alone[i].status, JD_OK);
    }
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, run, &together[i]), 0);
        for (int i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            assert_int_equal(together[i].status, JD_OK);
            assert_memory_equal(together[i].lambda, alone[i].lambda, sizeof alone[i].lambda);
        }
    }
}

// Upper triangles with rows exchanged: the sign of the determinant is that of the diagonal and of
// the exchanges, small or by LAPACK.
static void factors_know_the_sign_of_the_determinant(void **state) {
    (void)state;
    enum { MOST = 70 };
    static double A[MOST * MOST];
    int pivot[MOST];
    for (int n = 1; n <= MOST; n++)
        for (int swaps = 0; swaps < 4 && swaps < n; swaps++) {
            bool negative = swaps % 2;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    double drawn = sin(12.9898 * (i * n + j) + swaps);
                    A[i * n + j] = j < i ? 0 : j > i ? drawn : copysign(1 + fabs(drawn), drawn);
                    negative ^= i == j && drawn < 0;
                }
            for (int k = 0; k < swaps; k++)
                for (int j = 0; j < n; j++) {
                    double keep = A[k * n + j];
                    A[k * n + j] = A[(n - 1) * n + j];
                    A[(n - 1) * n + j] = keep;
                }
            assert_true(jd_lu_factor(n, A, pivot));
            assert_int_equal(jd_lu_negative(n, A, pivot), negative);
        }
}

// A x = b of every size, rows exchanged or not, small or by LAPACK: what is left of b is rounding
// of the terms it consists of. A matrix with a row twice is singular where nothing is rounded.
static void factors_solve_what_they_are_factors_of(void **state) {
    (void)state;
    enum { MOST = 70 };
    static double A[MOST * MOST], LU[MOST * MOST];
    double b[MOST], x[MOST];
    int pivot[MOST];
    for (int n = 1; n <= MOST; n++)
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < n * n; i++)
                A[i] = fmod(sin(i * 12.9898 + 1 + kind) * 43758.5453, 1) +
                       (kind == 1 && i % (n + 1) == 0 ? 3 : 0);
            for (int i = 0; kind == 2 && i < n * n; i++) A[i] = i / n + i % n == n - 1; // backwards
            for (int i = 0; i < n; i++) x[i] = b[i] = cos(i * 2.3);
            memcpy(LU, A, sizeof LU);
            assert_true(jd_lu_factor(n, LU, pivot));
            jd_lu_solve(n, LU, pivot, x);
            double largest = 0, off = 0;
            for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
            for (int i = 0; i < n; i++) {
                double left = b[i];
                for (int j = 0; j < n; j++) left -= A[i * n + j] * x[j];
                off = fmax(off, fabs(left));
            }
            assert_true(off <= 50 * n * DBL_EPSILON * (1 + largest));
        }
    for (int n = 2; n <= 60; n++) {
        for (int i = 0; i < n * n; i++) A[i] = i / n == n - 1 ? i % n % 2 : (i / n * (i % n)) % 3;
        memcpy(A + n, A, (size_t)n * sizeof *A);
        assert_false(jd_lu_factor(n, A, pivot));
    }
}

// A = X Y' of a known rank, X and Y drawn: A P = Q R, Q'Q = I, the rank, rows l with l'A = 0.
static void pivoted_factors_tell_the_rank_and_the_null_space(void **state) {
    (void)state;
    enum { MOST = 24 };
    static double A[MOST * MOST], F[MOST * MOST], Q[MOST * MOST];
    double tau[MOST], work[2 * MOST];
    int column[MOST], found;
    for (int n = 1; n <= MOST; n++)
        for (int rank = 0; rank <= n; rank++) {
            memset(A, 0, sizeof A);
            for (int i = 0; i < n * n * rank; i++)
                A[i / rank] +=
                    fmod(sin((i / rank / n * rank + i % rank) * 12.9898 + 1) * 43758.5, 1) *
                    fmod(sin((i / rank % n * rank + i % rank) * 78.233 + 2) * 23421.6, 1);
            memcpy(F, A, sizeof F);
            assert_int_equal(jd_pivoted_factor(n, F, 1e-10, 0, column, tau, work), rank);
            jd_pivoted_columns(n, F, rank, tau, 0, n, Q, work);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    double product = 0, square = 0;
                    for (int k = 0; k < rank && k <= j; k++) product += Q[i * n + k] * F[k * n + j];
                    for (int k = 0; k < n; k++) square += Q[k * n + i] * Q[k * n + j];
                    assert_near(product, A[i * n + column[j]], 1e-12 * n);
                    assert_near(square, i == j, 1e-14 * n);
                }
            memcpy(F, A, sizeof F);
            assert_int_equal(jd_null_rows(arena, n, F, 1e-10, &found), JD_OK);
            assert_int_equal(found, rank);
            for (int l = rank; l < n; l++)
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int i = 0; i < n; i++) sum += F[l * n + i] * A[i * n + j];
                    assert_near(sum, 0, 1e-12 * n);
                }
        }
}

// Springs and masses, drawn: stiff and soft beside each other (kind 0), free at both ends (1), all
// alike (2), and a single one. (K - lambda M) x = 0 and x'M x = 1 to rounding of the largest value,
// values ascending, their sum that of the diagonal where M = 1.
static void pairs_of_small_pencils_solve_them(void **state) {
    (void)state;
    enum { MOST = 40 };
    static double K[MOST * MOST], M[MOST * MOST], A[MOST * MOST], B[MOST * MOST], V[MOST * MOST];
    double value[MOST];
    for (int n = 1; n <= MOST; n++)
        for (int kind = 0; kind < 4; kind++) {
            memset(K, 0, sizeof K);
            memset(M, 0, sizeof M);
            for (int i = 0; i < n; i++) {
                double drawn = fabs(fmod(sin(i * 12.9898 + n) * 43758.5453, 1)),
                       k = kind == 0 ? pow(10, 6 * drawn) : 1 + drawn;
                M[i * n + i] += kind == 0 ? 0.5 + drawn : 1;
                if (kind > 1) K[i * n + i] = kind == 2 ? 7 : 0;
                if (kind == 3) continue; // nothing is stiff
                if (kind < 2 && (i > 0 || kind == 0)) K[i * n + i] += k;
                if (kind == 2 || i == 0) continue;
                K[(i - 1) * n + i - 1] += k;
                K[i * n + i - 1] = K[(i - 1) * n + i] = -k;
            }
            memcpy(A, K, sizeof A);
            memcpy(B, M, sizeof B);
            assert_true(jd_small_pencil(n, A, B, value, V));
            double largest = fmax(fabs(value[n - 1]), DBL_MIN), trace = 0, sum = 0;
            for (int a = 0; a < n; a++) {
                assert_true(a == 0 || value[a] >= value[a - 1]);
                sum += value[a];
                trace += K[a * n + a] / M[a * n + a];
                for (int b = 0; b < n; b++) {
                    double left = 0, mass = 0;
                    for (int j = 0; j < n; j++)
                        left += (K[b * n + j] - value[a] * M[b * n + j]) * V[a * n + j];
                    for (int j = 0; j < n; j++) mass += V[a * n + j] * M[j * n + j] * V[b * n + j];
                    assert_near(left, 0, 1e-14 * n * largest);
                    assert_near(mass, a == b, 1e-14 * n);
                }
            }
            assert_near(sum, trace, 1e-14 * n * largest);
        }
    double one = 1, none = 0;
    assert_false(jd_small_pencil(1, &one, &none, value, V));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_and_sparse_agree_with_the_closed_form),
        cmocka_unit_test(sparse_finds_the_lowest_of_100000),
        cmocka_unit_test(sparse_modes_that_drown_are_not_called_rigid),
        cmocka_unit_test(sparse_finds_double_eigenvalues),
        cmocka_unit_test(sparse_finds_every_copy_of_a_frequency),
        cmocka_unit_test(indefinite_matrices_are_refused),
        cmocka_unit_test(the_same_call_gives_the_same_bits),
        cmocka_unit_test(slices_of_a_spectrum_hold_what_is_counted),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(factors_solve_what_they_are_factors_of),
        cmocka_unit_test(factors_know_the_sign_of_the_determinant),
        cmocka_unit_test(pairs_of_small_pencils_solve_them),
        cmocka_unit_test(pivoted_factors_tell_the_rank_and_the_null_space),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}

// eigen_band.c -- all or the lowest eigenpairs of a band pencil, complete and in double-double.
//   Small: start from values in double, refine each pair, and accept the list when the intervals
//   lambda_k +- radius_k are apart and as many as Sylvester's count says. Large, or not accepted:
//   spectrum slicing. Both end in the same digits.

#include "lazy/lapack.h"
#include "linalg/band/refine.h"
#include "linalg/small/small.h"

enum {
    DENSE_LIMIT = 600, // beyond, n^3 for starting values costs more than bisection
    OWN_LIMIT = 40     // up to here rotations take less time than LAPACK takes to be loaded
};

static double *full(jd_arena *arena, const jd_band *A) {
    size_t n = (size_t)A->n, w = (size_t)A->width + 1;
    double *a = JD_TAKE(arena, double, n *n);
    if (!a) return NULL;
    for (size_t j = 0; j < n; j++)
        for (size_t p = 0; p < w && j + p < n; p++) a[j * n + j + p] = A->v[j * w + p].hi;
    return a; // column-major, lower
}

// The same without LAPACK: both triangles, vectors in rows.
static bool own_values(jd_arena *arena, int n, double *a, double *b, double **values,
                       double **vectors) {
    *values = JD_TAKE(arena, double, n);
    *vectors = JD_TAKE(arena, double, n *n);
    if (jd_arena_status(arena) != JD_OK) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            a[i * n + j] = a[j * n + i];
            b[i * n + j] = b[j * n + i];
        }
    return jd_small_pencil(n, a, b, *values, *vectors);
}

// Eigenvalues and vectors in double; false where there are none.
static bool starting_values(jd_arena *arena, const jd_band *K, const jd_band *M, double **values,
                            double **vectors) {
    int n = K->n, n_work = 1 + 6 * n + 2 * n * n, n_iwork = 3 + 5 * n;
    double *a = full(arena, K), *b = full(arena, M);
    if (jd_arena_status(arena) != JD_OK) return false;
    if (n <= OWN_LIMIT) return own_values(arena, n, a, b, values, vectors);
    double *w = JD_TAKE(arena, double, n), *work = JD_TAKE(arena, double, n_work);
    int *iwork = JD_TAKE(arena, int, n_iwork);
    if (jd_arena_status(arena) != JD_OK) return false;
    jd_blas_one_thread();
    *values = w;
    *vectors = a;
    return LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, 'V', 'L', n, a, n, b, n, w, work, n_work, iwork,
                               n_iwork) == 0;
}

// Proves that the list is ascending and complete: every interval holds an eigenvalue, they are
// apart, and there are no more below the last.
static bool is_complete(jd_refine *s, int n_mode) {
    for (int k = s->n_rigid; k < n_mode; k++) {
        double low = k > 0 ? s->lambda[k - 1].hi + s->radius[k - 1] : 0;
        if (!(s->lambda[k].hi - s->radius[k] > low)) return false;
    }
    if (n_mode == s->n) return true;
    double last = n_mode > 0 ? s->lambda[n_mode - 1].hi : 0;
    double beyond = last * (1 + 1e-12) + 2 * s->radius[n_mode - 1];
    return jd_refine_count(s, dd(beyond)) == n_mode;
}

// Values k .. k + 3 are there, and apart from each other and from their neighbours.
static bool four_apart(const double *values, int k, int first, int n_mode) {
    if (k + JD_REFINE_LANES > n_mode) return false;
    for (int j = k > first ? k : k + 1; j <= k + JD_REFINE_LANES && j < n_mode; j++)
        if (!(values[j - 1] > 0 && values[j] > values[j - 1] * (1 + 1e-4))) return false;
    return true;
}

static bool refine_from_double(jd_arena *arena, jd_refine *s, int n_mode) {
    double *values, *vectors;
    jd_refine_room room;
    if (!starting_values(arena, s->K, s->M, &values, &vectors)) return false;
    if (jd_refine_batch_take(arena, s, &room) != JD_OK) return false;
    size_t n = (size_t)s->n;
    for (size_t i = (size_t)s->n_rigid * n; i < (size_t)n_mode * n; i++)
        s->vector[i] = dd(vectors[i]);
    for (int k = s->n_rigid; k < n_mode; k++) s->lambda[k] = dd(values[k]);
    for (int k = s->n_rigid, ready = k; k < n_mode; k++) {
        if (k >= ready && four_apart(values, k, s->n_rigid, n_mode)) {
            jd_refine_batch(s, &room, k, 2);
            ready = k + JD_REFINE_LANES;
        }
        if (k < ready && jd_refine_accepts(s, k)) continue;
        jd_refine_pair(s, k, s->lambda[k], s->n_rigid);
    }
    return is_complete(s, n_mode);
}

// Gram-Schmidt with respect to M, twice.
static void orthonormal_rigid(jd_refine *s) {
    for (int k = 0; k < s->n_rigid; k++) {
        s->lambda[k] = dd(0);
        s->radius[k] = 0;
        jd_dd *x = s->vector + (size_t)k * (size_t)s->n;
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < k; j++) {
                const jd_dd *z = s->vector + (size_t)j * (size_t)s->n;
                jd_band_multiply(s->M, x, s->Mx);
                jd_dd along = jd_dot(s->n, z, s->Mx);
                for (int i = 0; i < s->n; i++) x[i] = dd_sub(x[i], dd_mul(along, z[i]));
            }
        jd_band_multiply(s->M, x, s->Mx);
        jd_dd a = dd_div(dd(1), dd_sqrt(jd_dot(s->n, x, s->Mx)));
        for (int i = 0; i < s->n; i++) x[i] = dd_mul(x[i], a);
    }
}

// The sign is a convention: the last large entry (in the mass norm) is positive.
static void fix_sign(const jd_band *M, jd_dd *x) {
    double most = 0;
    size_t w = (size_t)M->width + 1, n = (size_t)M->n;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i].hi) * sqrt(M->v[i * w].hi));
    size_t i = n - 1;
    while (i > 0 && fabs(x[i].hi) * sqrt(M->v[i * w].hi) < 0.25 * most) i--;
    if (x[i].hi >= 0) return;
    for (i = 0; i < n; i++) x[i] = dd_neg(x[i]);
}

static void finish(jd_refine *s, int n_mode, double *error) {
    for (int k = 0; k < n_mode; k++) {
        fix_sign(s->M, s->vector + (size_t)k * (size_t)s->n);
        double lambda = s->lambda[k].hi, least = 0x1p-53; // omega is handed on as a double
        if (k < s->n_rigid) {
            error[k] = 0;
        } else {
            error[k] = lambda > 0 ? fmax(least, 0.5 * s->radius[k] / lambda) : 1;
        }
    }
}

jd_status jd_eigen_band(jd_arena *arena, const jd_band *K, const jd_band *M, int n_rigid,
                        int n_mode, jd_dd *lambda, jd_dd *vector, double *error) {
    jd_context *context = jd_arena_context(arena);
    jd_arena_mark mark = jd_arena_here(arena);
    jd_refine s;
    jd_status status = jd_refine_take(arena, K, M, n_mode, lambda, vector, &s);
    if (status == JD_OK) {
        s.n_rigid = n_rigid < n_mode ? n_rigid : n_mode;
        orthonormal_rigid(&s);
        if (K->n > DENSE_LIMIT || n_mode < K->n / 8 || !refine_from_double(arena, &s, n_mode)) {
            status = jd_arena_status(arena);
            if (status == JD_OK) status = jd_slice(context, &s, n_mode);
        }
    }
    if (status == JD_OK) finish(&s, n_mode, error);
    jd_arena_back(arena, mark);
    return status;
}

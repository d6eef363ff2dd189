// factor.c -- MUMPS for symmetric matrices: P A P' = L D L', D with blocks of 1 and 2.
//   Signs of D count negative eigenvalues (Sylvester). After the analysis of the pattern MUMPS
//   knows how much memory the factors take: more than there is is refused by name, before the
//   machine swaps.
#include "linalg/sparse/factor.h"

#include <pthread.h>
#include <string.h>

#include "lazy/mumps.h"
#include "linalg/sparse/available.h"

enum { INITIALISE = -1, END = -2, ANALYSE = 1, FACTORISE = 2, SOLVE = 3 };
enum { USE_WORLD = -987654, SYMMETRIC = 2, MORE_ROOM = 4 };
enum { TOO_LITTLE_ROOM = -9, SINGULAR = -10, SINGULAR_PATTERN = -6, ROOM_AT_ALL = -8 };

// MUMPS is Fortran with variables of the whole process behind it: one call at a time.
static pthread_mutex_t mumps_lock = PTHREAD_MUTEX_INITIALIZER;

struct jd_factor {
    jd_context *context;
    int n;
    bool open;
    DMUMPS_STRUC_C mumps;
    const jd_solver *solver; // that of the context; NULL: MUMPS
    void *elsewhere;         // its factor
    int negative;            // pivots of it
};

static int call(jd_factor *f, int job) {
    pthread_mutex_lock(&mumps_lock);
    f->mumps.job = job;
    dmumps_c(&f->mumps);
    pthread_mutex_unlock(&mumps_lock);
    return f->mumps.infog[0];
}

void jd_factor_free(jd_factor *f) {
    if (!f) return;
    if (f->open) call(f, END);
    if (f->elsewhere) f->solver->release(f->elsewhere);
    jd_release(f->context, f);
}

// Numbers of the manual count from 1.
static void set(jd_factor *f, int number, int value) { f->mumps.icntl[number - 1] = value; }

static int initialise(jd_factor *f) {
    f->mumps.par = 1;
    f->mumps.sym = SYMMETRIC;
    f->mumps.comm_fortran = USE_WORLD;
    int info = call(f, INITIALISE);
    f->open = info >= 0;
    for (int stream = 1; stream <= 3; stream++) set(f, stream, -1); // prints nothing
    set(f, 4, 0);
    set(f, 6, 0);  // no permutation by values: the diagonal is large
    set(f, 8, 1);  // scaled to a unit diagonal
    set(f, 10, 0); // no steps of refinement
    set(f, 12, 1);
    set(f, 13, 1); // the count of negative pivots includes the last block
    return info;
}

// What the factors take, by MUMPS's estimate in millions of bytes; told where it is a lot.
static jd_status check_room(jd_factor *f) {
    const double megabyte = 1e6, a_lot = 1e9, gigabyte = 1e9;
    double needed = megabyte * f->mumps.infog[15], free = (double)jd_memory_available();
    if (needed > free) {
        jd_fail(f->context, JD_OUT_OF_MEMORY,
                "the factors of a sparse matrix of size %d need about %.2g GB of memory, but only "
                "%.2g GB are free",
                f->n, needed / gigabyte, free / gigabyte);
        jd_fail_hint(f->context, "take a coarser mesh, or more memory; `judder reduce` writes a "
                                 "small model that every machine can take");
        return JD_OUT_OF_MEMORY;
    }
    if (needed > a_lot)
        jd_log(f->context, JD_LOG_NOTE,
               "the factors of a sparse matrix of size %d take about %.2g GB of the %.2g GB free",
               f->n, needed / gigabyte, free / gigabyte);
    return JD_OK;
}

// What is factorised: A - sigma B; B NULL: A.
typedef struct pencil {
    const jd_sparse *A, *B;
    double sigma;
    const int *order; // of elimination; NULL: MUMPS finds one
} pencil;

// The lower triangle as triplets; rows within a column ascend in both matrices.
static int64_t spread(const pencil *p, int *row, int *column, double *value) {
    const jd_sparse *A = p->A, *B = p->B;
    int64_t used = 0;
    for (int j = 0; j < A->n; j++) {
        int a = A->start[j], b = B ? B->start[j] : 0;
        int end_a = A->start[j + 1], end_b = B ? B->start[j + 1] : 0;
        while (a < end_a || b < end_b) {
            int i = a < end_a ? A->row[a] : A->n, k = b < end_b ? B->row[b] : A->n;
            double sum = 0;
            if (i <= k) sum += A->value[a++];
            if (B && k <= i) sum -= p->sigma * B->value[b++];
            if ((i < k ? i : k) < j) continue;
            row[used] = (i < k ? i : k) + 1;
            column[used] = j + 1;
            value[used++] = sum;
        }
    }
    return used;
}

static size_t lower_entries(const jd_sparse *A) {
    return A ? (size_t)A->start[A->n] / 2 + (size_t)A->n : 0;
}

// MUMPS reads the triplets until it has factorised.
// MUMPS's numbers of the rows are taken from `order`, or with `found` only written there.
static jd_status factorise(jd_factor *f, const pencil *p, int *found, int *info) {
    const jd_sparse *A = p->A;
    size_t most = lower_entries(A) + lower_entries(p->B); // what is not used is never touched
    jd_arena *arena = jd_arena_create(f->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    int *row = JD_TAKE_RAW(arena, int, most), *column = JD_TAKE_RAW(arena, int, most);
    double *value = JD_TAKE_RAW(arena, double, most);
    jd_status status = jd_arena_status(arena);
    int64_t used = status == JD_OK ? spread(p, row, column, value) : 0;
    f->mumps.n = A->n;
    f->mumps.nnz = used;
    f->mumps.irn = row;
    f->mumps.jcn = column;
    f->mumps.a = value;
    set(f, 7, p->order ? 1 : 7); // 1: the order is given, 7: MUMPS chooses how to find one
    f->mumps.perm_in = (int *)p->order;
    if (status == JD_OK) *info = call(f, ANALYSE);
    for (int k = 0; found && status == JD_OK && *info >= 0 && k < A->n; k++)
        found[k] = f->mumps.sym_perm[k] - 1;
    bool on = status == JD_OK && *info >= 0 && !found;
    if (on) status = check_room(f);
    on = on && status == JD_OK;
    if (on) *info = call(f, FACTORISE);
    for (int i = 0; on && i < MORE_ROOM; i++) {
        if (*info != TOO_LITTLE_ROOM && *info != ROOM_AT_ALL) break;
        set(f, 14, 2 * f->mumps.icntl[13] + 50); // percent more than estimated
        *info = call(f, FACTORISE);
    }
    f->mumps.irn = f->mumps.jcn = f->mumps.perm_in = NULL;
    f->mumps.a = NULL;
    jd_arena_free(arena);
    return status;
}

static jd_status failed(jd_context *context, int n, int info) {
    if (info == SINGULAR || info == SINGULAR_PATTERN)
        return jd_fail(context, JD_NOT_DEFINITE, "a sparse matrix of size %d is singular", n);
    return jd_fail(context, JD_OUT_OF_MEMORY,
                   "not enough memory to factorise a sparse matrix of size %d (MUMPS %d)", n, info);
}

static jd_status create_elsewhere(jd_factor *f, const pencil *p, bool keep, jd_factor **out) {
    const jd_solver *s = f->solver;
    jd_status status =
        s->factorise(s->user, f->context, p->A, p->B, p->sigma, keep, &f->negative, &f->elsewhere);
    if (status == JD_OK)
        *out = f;
    else
        jd_factor_free(f);
    return status;
}

static jd_status create(jd_context *context, const pencil *p, bool keep, int *found,
                        jd_factor **out) {
    *out = NULL;
    const jd_solver *solver = jd_context_solver(context);
    if (!solver) JD_TRY(jd_lazy_mumps_ready(context));
    jd_factor *f = jd_allocate(context, sizeof *f);
    if (!f) return JD_OUT_OF_MEMORY;
    memset(f, 0, sizeof *f);
    f->context = context;
    f->n = p->A->n;
    f->solver = solver;
    if (solver) return create_elsewhere(f, p, keep, out);
    int info = initialise(f);
    set(f, 31, keep ? 0 : 1); // 1: no factor is kept
    jd_status status = info < 0 ? JD_OK : factorise(f, p, found, &info);
    if (status == JD_OK && info >= 0) {
        *out = f;
        return JD_OK;
    }
    jd_factor_free(f);
    return status != JD_OK ? status : failed(context, p->A->n, info);
}

jd_status jd_factor_create(jd_context *context, const jd_sparse *A, jd_factor **out) {
    return create(context, &(pencil){A, NULL, 0, NULL}, true, NULL, out);
}

jd_status jd_factor_shifted(jd_context *context, const jd_sparse *A, const jd_sparse *B,
                            double sigma, const int *order, jd_factor **out) {
    return create(context, &(pencil){A, B, sigma, order}, true, NULL, out);
}

jd_status jd_inertia(jd_context *context, const jd_sparse *A, const jd_sparse *B, double sigma,
                     const int *order, int *negative) {
    jd_factor *factor = NULL;
    JD_TRY(create(context, &(pencil){A, B, sigma, order}, false, NULL, &factor));
    *negative = factor ? jd_factor_negative(factor) : 0; // there is one: clang-tidy cannot see it
    jd_factor_free(factor);
    return JD_OK;
}

jd_status jd_factor_places(jd_context *context, const jd_sparse *A, int *place) {
    jd_factor *f = NULL;
    jd_status status = create(context, &(pencil){A, NULL, 0, NULL}, false, place, &f);
    jd_factor_free(f);
    return status;
}

jd_status jd_factor_solve(jd_factor *f, const double *b, double *x) {
    if (x != b) memcpy(x, b, (size_t)f->n * sizeof *x);
    return jd_factor_solve_many(f, 1, x);
}

jd_status jd_factor_solve_many(jd_factor *f, int m, double *x) {
    if (f->solver) return f->solver->solve(f->elsewhere, f->context, m, x);
    f->mumps.rhs = x;
    f->mumps.nrhs = m;
    f->mumps.lrhs = f->n;
    int info = call(f, SOLVE);
    f->mumps.rhs = NULL;
    if (info >= 0) return JD_OK;
    return failed(f->context, f->n, info);
}

bool jd_factor_elsewhere(const jd_factor *f) { return f->solver != NULL; }

jd_status jd_factor_lowest(jd_factor *f, int count, double *lambda, double *vector) {
    return f->solver->lowest(f->elsewhere, f->context, count, lambda, vector);
}

int jd_factor_negative(const jd_factor *f) { return f->solver ? f->negative : f->mumps.infog[11]; }

// share.c -- rows of a pencil on all ranks: MUMPS over MPI, called through PETSc.
#include "share.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/sparse/available.h"

enum { TAG_ROWS = 7, MORE_ROOM = 4, TOO_LITTLE_ROOM = -9, ROOM_AT_ALL = -8 };
enum { SINGULAR = -10, SINGULAR_PATTERN = -6, END_MEMORY = 3 };

void share_check(PetscErrorCode code) {
    if (code == 0) return;
    const char *text = NULL;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PetscErrorMessage(code, &text, NULL);
    fprintf(stderr, "judder-reduce: rank %d: %s%s (PETSc error %d)\n", rank,
            code == PETSC_ERR_MEM ? "not enough memory: " : "", text ? text : "PETSc failed",
            (int)code);
    MPI_Abort(MPI_COMM_WORLD, END_MEMORY);
}

// All 0.
static void *take(size_t bytes) {
    void *block = calloc(1, bytes ? bytes : 1);
    if (!block) share_check(PETSC_ERR_MEM);
    return block;
}

// Evenly, the first ranks one more.
static void cut(share *s) {
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    s->counts = take((size_t)size * sizeof *s->counts);
    s->starts = take((size_t)size * sizeof *s->starts);
    for (int r = 0, at = 0; r < size; r++) {
        s->counts[r] = s->n / size + (r < s->n % size);
        s->starts[r] = at;
        at += s->counts[r];
    }
    s->first = s->starts[rank];
    s->rows = s->counts[rank];
}

static void send_rows(const share *s, const jd_sparse *A, int rank) {
    int first = s->starts[rank], rows = s->counts[rank], from = A->start[first];
    int entries = A->start[first + rows] - from;
    MPI_Send(A->start + first, rows + 1, MPI_INT, rank, TAG_ROWS, MPI_COMM_WORLD);
    MPI_Send(A->row + from, entries, MPI_INT, rank, TAG_ROWS, MPI_COMM_WORLD);
    MPI_Send(A->value + from, entries, MPI_DOUBLE, rank, TAG_ROWS, MPI_COMM_WORLD);
}

static Mat make_matrix(const share *s, const int *start, const int *column, const double *value) {
    Mat A;
    share_check(MatCreate(MPI_COMM_WORLD, &A));
    share_check(MatSetSizes(A, s->rows, s->rows, s->n, s->n));
    share_check(MatSetType(A, MATAIJ));
    share_check(MatSeqAIJSetPreallocationCSR(A, start, column, value)); // one rank
    share_check(MatMPIAIJSetPreallocationCSR(A, start, column, value)); // several
    share_check(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
    return A;
}

// The rows of this rank, columns ascending: the matrix is symmetric, a column is a row.
static Mat spread(const share *s, const jd_sparse *A) {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (A) {
        for (int r = 1; r < size; r++) send_rows(s, A, r);
        return make_matrix(s, A->start, A->row, A->value);
    }
    int *start = take(((size_t)s->rows + 1) * sizeof *start);
    MPI_Recv(start, s->rows + 1, MPI_INT, 0, TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int entries = start[s->rows] - start[0];
    for (int i = s->rows; i >= 0; i--) start[i] -= start[0];
    int *column = take((size_t)entries * sizeof *column);
    double *value = take((size_t)entries * sizeof *value);
    MPI_Recv(column, entries, MPI_INT, 0, TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(value, entries, MPI_DOUBLE, 0, TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    Mat out = make_matrix(s, start, column, value);
    free(start);
    free(column);
    free(value);
    return out;
}

share *share_create(const jd_sparse *A, const jd_sparse *B, int n, bool with_B, double sigma) {
    share *s = take(sizeof *s);
    *s = (share){.n = n, .sigma = sigma};
    cut(s);
    s->A = spread(s, A);
    if (with_B) s->B = spread(s, B);
    return s;
}

// What the ranks of a machine need together by MUMPS's estimate, and what is free there.
static void look_for_room(const share *s, share_report *report) {
    MPI_Comm machine;
    PetscInt millions = 0;
    int left, worst_at;
    share_check(MatMumpsGetInfo(s->factor, 15, &millions));
    double needed = 1e6 * (double)millions, there = (double)jd_memory_available();
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_DOUBLE, MPI_SUM, machine);
    MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_DOUBLE, MPI_MIN, machine);
    MPI_Comm_free(&machine);
    left = there - needed > INT_MAX * 1e6    ? INT_MAX
           : there - needed < -INT_MAX * 1e6 ? -INT_MAX
                                             : (int)((there - needed) / 1e6);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct {
        int left, rank;
    } worst = {left, rank};
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    worst_at = worst.rank;
    MPI_Bcast(&needed, 1, MPI_DOUBLE, worst_at, MPI_COMM_WORLD);
    MPI_Bcast(&there, 1, MPI_DOUBLE, worst_at, MPI_COMM_WORLD);
    report->needed = needed;
    report->there = there;
    if (needed > there) report->outcome = SHARE_NO_ROOM;
}

static PetscInt infog(Mat factor, PetscInt number) {
    PetscInt value = 0;
    share_check(MatMumpsGetInfog(factor, number, &value));
    return value;
}

static share_outcome outcome_of(PetscInt info) {
    if (info >= 0) return SHARE_DONE;
    return info == SINGULAR || info == SINGULAR_PATTERN ? SHARE_SINGULAR : SHARE_NO_ROOM;
}

static void prepare_factor(share *s, Mat S, bool keep) {
    share_check(MatGetFactor(S, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, &s->factor));
    share_check(MatMumpsSetIcntl(s->factor, 6, 0)); // no permutation by values
    share_check(MatMumpsSetIcntl(s->factor, 8, 1)); // scaled to a unit diagonal
    share_check(MatMumpsSetIcntl(s->factor, 12, 1));
    share_check(MatMumpsSetIcntl(s->factor, 13, 1)); // negative pivots of the last block count
    share_check(MatMumpsSetIcntl(s->factor, 31, keep ? 0 : 1));
}

static void factor_numbers(share *s, Mat S, share_report *report) {
    share_check(MatCholeskyFactorSymbolic(s->factor, S, NULL, NULL));
    report->outcome = outcome_of(infog(s->factor, 1));
    if (report->outcome == SHARE_DONE) look_for_room(s, report);
    if (report->outcome != SHARE_DONE) return;
    for (int i = 0, percent = 20; i < MORE_ROOM; i++, percent = 2 * percent + 50) {
        share_check(MatMumpsSetIcntl(s->factor, 14, percent)); // more than estimated
        share_check(MatCholeskyFactorNumeric(s->factor, S, NULL));
        PetscInt info = infog(s->factor, 1);
        report->outcome = outcome_of(info);
        if (info != TOO_LITTLE_ROOM && info != ROOM_AT_ALL) break;
    }
    report->negative = (int)infog(s->factor, 12);
}

share_report share_factorise(share *s, bool keep) {
    share_report report = {.outcome = SHARE_DONE};
    Mat S = s->A;
    if (s->B) {
        share_check(MatDuplicate(s->A, MAT_COPY_VALUES, &S));
        share_check(MatAXPY(S, -s->sigma, s->B, DIFFERENT_NONZERO_PATTERN));
        share_check(MatSetOption(S, MAT_SYMMETRIC, PETSC_TRUE));
    }
    share_check(MatSetErrorIfFailure(S, PETSC_FALSE));
    prepare_factor(s, S, keep);
    factor_numbers(s, S, &report);
    if (s->B) share_check(MatDestroy(&S));
    return report;
}

// From rank 0 to all, or back.
static void deal(const share *s, const double *whole, double *part) {
    MPI_Scatterv(whole, s->counts, s->starts, MPI_DOUBLE, part, s->rows, MPI_DOUBLE, 0,
                 MPI_COMM_WORLD);
}

static void collect(const share *s, const double *part, double *whole) {
    MPI_Gatherv(part, s->rows, MPI_DOUBLE, whole, s->counts, s->starts, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
}

void share_solve(share *s, int m, double *x) {
    Mat b, y;
    double *in;
    const double *out;
    PetscInt lead;
    size_t n = (size_t)s->n;
    share_check(MatCreateDense(MPI_COMM_WORLD, s->rows, PETSC_DECIDE, s->n, m, NULL, &b));
    share_check(MatDenseGetLDA(b, &lead));
    share_check(MatDenseGetArrayWrite(b, &in));
    for (int k = 0; k < m; k++) deal(s, x ? x + (size_t)k * n : NULL, in + k * lead);
    share_check(MatDenseRestoreArrayWrite(b, &in));
    share_check(MatDuplicate(b, MAT_DO_NOT_COPY_VALUES, &y));
    share_check(MatMatSolve(s->factor, b, y));
    share_check(MatDestroy(&b));
    share_check(MatDenseGetLDA(y, &lead));
    share_check(MatDenseGetArrayRead(y, &out));
    for (int k = 0; k < m; k++) collect(s, out + k * lead, x ? x + (size_t)k * n : NULL);
    share_check(MatDenseRestoreArrayRead(y, &out));
    share_check(MatDestroy(&y));
}

static PetscErrorCode apply_factor(PC pc, Vec x, Vec y) {
    share *s = NULL;
    share_check(PCShellGetContext(pc, (void *)&s));
    return MatSolve(s->factor, x, y);
}

// The solves of shift-invert are those of the factor at hand; A - sigma B is not formed.
static void use_factor(share *s, EPS eps) {
    ST st;
    KSP ksp;
    PC pc;
    share_check(EPSGetST(eps, &st));
    share_check(STSetType(st, STSINVERT));
    share_check(STSetShift(st, s->sigma));
    share_check(STSetMatMode(st, ST_MATMODE_SHELL));
    share_check(STGetKSP(st, &ksp));
    share_check(KSPSetType(ksp, KSPPREONLY));
    share_check(KSPGetPC(ksp, &pc));
    share_check(PCSetType(pc, PCSHELL));
    share_check(PCShellSetContext(pc, s));
    share_check(PCShellSetApply(pc, apply_factor));
}

// A start that depends on the numbers of rows alone, without symmetry (Knuth's MMIX constants).
static void start_at(const share *s, EPS eps) {
    Vec start;
    double *value;
    uint64_t seed = 20260101;
    share_check(MatCreateVecs(s->A, &start, NULL));
    share_check(VecGetArrayWrite(start, &value));
    for (int i = 0; i < s->first + s->rows; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        if (i >= s->first) value[i - s->first] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
    share_check(VecRestoreArrayWrite(start, &value));
    share_check(EPSSetInitialSpace(eps, 1, &start));
    share_check(VecDestroy(&start));
}

static void take_pairs(share *s, EPS eps, int count, double *lambda, double *vector) {
    Vec x;
    const double *part;
    share_check(MatCreateVecs(s->A, &x, NULL));
    for (int k = 0; k < count; k++) {
        double value = 0;
        share_check(EPSGetEigenpair(eps, k, &value, NULL, x, NULL));
        if (lambda) lambda[k] = value;
        share_check(VecGetArrayRead(x, &part));
        collect(s, part, vector ? vector + (size_t)k * (size_t)s->n : NULL);
        share_check(VecRestoreArrayRead(x, &part));
    }
    share_check(VecDestroy(&x));
}

share_report share_lowest(share *s, int count, double *lambda, double *vector) {
    enum { MOST_RESTARTS = 1000 };
    EPS eps;
    PetscInt converged = 0;
    int basis = 2 * count + 1 > 20 ? 2 * count + 1 : 20;
    share_check(EPSCreate(MPI_COMM_WORLD, &eps));
    share_check(EPSSetOperators(eps, s->A, s->B));
    share_check(EPSSetProblemType(eps, EPS_GHEP));
    share_check(EPSSetType(eps, EPSKRYLOVSCHUR));
    share_check(EPSSetTarget(eps, s->sigma));
    share_check(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
    share_check(EPSSetDimensions(eps, count, basis < s->n ? basis : s->n, PETSC_DEFAULT));
    share_check(EPSSetTolerances(eps, 1e-11, MOST_RESTARTS));
    use_factor(s, eps);
    start_at(s, eps);
    share_check(EPSSolve(eps));
    share_check(EPSGetConverged(eps, &converged));
    share_report report = {.outcome = converged < count ? SHARE_NOT_CONVERGED : SHARE_DONE,
                           .found = (int)converged};
    if (report.outcome == SHARE_DONE) take_pairs(s, eps, count, lambda, vector);
    share_check(EPSDestroy(&eps));
    return report;
}

void share_free(share *s) {
    if (!s) return;
    share_check(MatDestroy(&s->A));
    share_check(MatDestroy(&s->B));
    share_check(MatDestroy(&s->factor));
    free(s->counts);
    free(s->starts);
    free(s);
}

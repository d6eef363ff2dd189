// factor.c -- SuperLU in symmetric mode: A = P' L U P.
//   Diagonal pivots keep P A P' = L D L', whose signs of D = diag U count negative eigenvalues.
#include "linalg/sparse/factor.h"

#include <slu_ddefs.h>

#include "linalg/sparse/superlu_guard.h"

struct jd_factor {
    jd_context *context;
    int n, negative;
    int *column, *row, *tree; // permutations and elimination tree
    SuperMatrix L, U;
    SuperLUStat_t statistics;
    bool factorised, counted; // L and U are there; so are the statistics
};

static jd_factor *make_room(jd_context *context, int n) {
    jd_factor *f = jd_allocate(context, sizeof *f);
    if (!f) return NULL;
    *f = (jd_factor){.context = context, .n = n};
    int *block = jd_allocate(context, 3 * (size_t)n * sizeof *block);
    if (!block) {
        jd_release(context, f);
        return NULL;
    }
    f->column = block;
    f->row = block + n;
    f->tree = block + 2 * (size_t)n;
    return f;
}

void jd_factor_free(jd_factor *f) {
    if (!f) return;
    if (f->factorised) {
        Destroy_SuperNode_Matrix(&f->L);
        Destroy_CompCol_Matrix(&f->U);
    }
    if (f->counted) StatFree(&f->statistics);
    jd_release(f->context, f->column);
    jd_release(f->context, f);
}

// U's diagonal lies in the supernodes of L, on top of each column.
static int count_negative(const jd_factor *f) {
    const SCformat *store = f->L.Store;
    const double *value = store->nzval;
    int negative = 0;
    for (int j = 0; j < f->n; j++) {
        if (f->row[j] != f->column[j]) return -1;
        int first = store->sup_to_col[store->col_to_sup[j]];
        negative += value[store->nzval_colptr[j] + (j - first)] < 0;
    }
    return negative;
}

static int factorise(jd_factor *f, SuperMatrix *A) {
    superlu_options_t options;
    set_default_options(&options);
    options.SymmetricMode = YES;
    options.ColPerm = MMD_AT_PLUS_A;
    options.DiagPivotThresh = 0; // never leave the diagonal by choice: the inertia is wanted
    options.PrintStat = NO;
    get_perm_c(MMD_AT_PLUS_A, A, f->column);
    SuperMatrix ordered;
    sp_preorder(&options, A, f->column, f->tree, &ordered);
    GlobalLU_t scratch;
    int info = 0;
    dgstrf(&options, &ordered, sp_ienv(2), sp_ienv(1), f->tree, NULL, 0, f->column, f->row, &f->L,
           &f->U, &scratch, &f->statistics, &info);
    Destroy_CompCol_Permuted(&ordered);
    // With 0 < info <= n the factors exist, with a zero on the diagonal.
    f->factorised = info >= 0 && info <= f->n;
    return info;
}

typedef struct creation {
    jd_factor *factor;
    const jd_sparse *A;
    int info; // of dgstrf
} creation;

// Everything within that SuperLU allocates is gone when it does not come back.
static void create(void *user) {
    creation *c = user;
    const jd_sparse *A = c->A;
    SuperMatrix matrix; // SuperLU reads the arrays, though its interface does not say const
    StatInit(&c->factor->statistics);
    dCreate_CompCol_Matrix(&matrix, A->n, A->n, A->start[A->n], (double *)A->value, (int *)A->row,
                           (int *)A->start, SLU_NC, SLU_D, SLU_GE);
    c->info = factorise(c->factor, &matrix);
    Destroy_SuperMatrix_Store(&matrix);
    c->factor->counted = true;
}

jd_status jd_factor_create(jd_context *context, const jd_sparse *A, jd_factor **out) {
    *out = NULL;
    jd_factor *f = make_room(context, A->n);
    if (!f) return JD_OUT_OF_MEMORY;
    creation c = {.factor = f, .A = A};
    jd_status status = jd_guard_run(context, create, &c);
    if (status == JD_OK && c.info == 0) {
        f->negative = count_negative(f);
        *out = f;
        return JD_OK;
    }
    if (status != JD_OK) f->factorised = f->counted = false;
    jd_factor_free(f);
    if (status != JD_OK || c.info > A->n)
        return jd_fail(context, JD_OUT_OF_MEMORY,
                       "not enough memory to factorise a sparse matrix of size %d", A->n);
    return jd_fail(context, JD_NOT_DEFINITE, "a sparse matrix of size %d is singular (pivot %d)",
                   A->n, c.info);
}

typedef struct solution {
    jd_factor *factor;
    double *x;
    int info; // of dgstrs
} solution;

static void solve(void *user) {
    solution *s = user;
    jd_factor *f = s->factor;
    SuperMatrix right;
    dCreate_Dense_Matrix(&right, f->n, 1, s->x, f->n, SLU_DN, SLU_D, SLU_GE);
    dgstrs(NOTRANS, &f->L, &f->U, f->column, f->row, &right, &f->statistics, &s->info);
    Destroy_SuperMatrix_Store(&right);
}

jd_status jd_factor_solve(jd_factor *f, const double *b, double *x) {
    if (x != b) memcpy(x, b, (size_t)f->n * sizeof *x);
    solution s = {.factor = f, .x = x};
    JD_TRY(jd_guard_run(f->context, solve, &s));
    if (s.info == 0) return JD_OK;
    return jd_fail(f->context, JD_INTERNAL, "sparse solve failed (dgstrs info = %d)", s.info);
}

int jd_factor_negative(const jd_factor *f) { return f->negative; }

// peer_cholmod.c -- the lowest 50 modes of bench/large_block.py's block.bin by ARPACK with
// CHOLMOD's supernodal factors, called directly: shift-invert at 0, mode 3. Prints the frequencies
// squared.
//   cc -O2 peer_cholmod.c -lcholmod -larpack -lm
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpack.h>
#include <cholmod.h>

enum { MODES = 50, BASIS = 2 * MODES + 1 };

static cholmod_common common;

static cholmod_sparse *read_matrix(FILE *f, int n) {
    int64_t entries;
    if (fread(&entries, sizeof entries, 1, f) != 1) exit(2);
    cholmod_sparse *a = cholmod_allocate_sparse((size_t)n, (size_t)n, (size_t)entries, 1, 1, 1,
                                                CHOLMOD_REAL, &common);
    if (!a || fread(a->p, sizeof(int), (size_t)n + 1, f) != (size_t)n + 1 ||
        fread(a->i, sizeof(int), (size_t)entries, f) != (size_t)entries ||
        fread(a->x, sizeof(double), (size_t)entries, f) != (size_t)entries)
        exit(2);
    return a; // stype 1: the upper triangle is used, the other one ignored
}

static void multiply(cholmod_sparse *m, const double *x, double *y, int n) {
    double one[2] = {1, 0}, zero[2] = {0, 0};
    cholmod_dense in = {.nrow = (size_t)n,
                        .ncol = 1,
                        .nzmax = (size_t)n,
                        .d = (size_t)n,
                        .x = (void *)x,
                        .xtype = CHOLMOD_REAL,
                        .dtype = CHOLMOD_DOUBLE},
                  out = in;
    out.x = y;
    cholmod_sdmult(m, 0, one, zero, &in, &out, &common);
}

static cholmod_dense *result, *spare_y, *spare_e; // kept between solves

static void solve(cholmod_factor *l, const double *b, double *x, int n) {
    cholmod_dense in = {.nrow = (size_t)n,
                        .ncol = 1,
                        .nzmax = (size_t)n,
                        .d = (size_t)n,
                        .x = (void *)b,
                        .xtype = CHOLMOD_REAL,
                        .dtype = CHOLMOD_DOUBLE};
    cholmod_solve2(CHOLMOD_A, l, &in, NULL, &result, NULL, &spare_y, &spare_e, &common);
    memcpy(x, result->x, (size_t)n * sizeof *x);
}

int main(int argc, char **argv) {
    int64_t rows;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f || fread(&rows, sizeof rows, 1, f) != 1) return 2;
    int n = (int)rows;
    cholmod_start(&common);
    cholmod_sparse *k = read_matrix(f, n), *m = read_matrix(f, n);
    fclose(f);
    cholmod_factor *l = cholmod_analyze(k, &common);
    if (!cholmod_factorize(k, l, &common) || common.status != CHOLMOD_OK) return 3;
    double *residual = calloc((size_t)n, 8), *v = calloc((size_t)n * BASIS, 8),
           *work = calloc(3 * (size_t)n, 8), *more = calloc(BASIS * (BASIS + 8), 8),
           *value = calloc(BASIS, 8), *y = calloc((size_t)n, 8);
    a_int ido = 0, info = 0, param[11] = {1, 0, 1000, 1, 0, 0, 3}, pointer[11] = {0};
    int solves = 0;
    do {
        dsaupd_c(&ido, "G", n, "LM", MODES, 1e-12, residual, BASIS, v, n, param, pointer, work,
                 more, BASIS * (BASIS + 8), &info);
        double *x = work + pointer[0] - 1, *out = work + pointer[1] - 1;
        if (ido == -1) {
            multiply(m, x, y, n);
            solve(l, y, out, n);
        } else if (ido == 1)
            solve(l, work + pointer[2] - 1, out, n);
        else if (ido == 2)
            multiply(m, x, out, n);
        solves += ido == 1 || ido == -1;
    } while (ido != 99);
    a_int select[BASIS];
    dseupd_c(1, "A", select, value, v, n, 0, "G", n, "LM", MODES, 1e-12, residual, BASIS, v, n,
             param, pointer, work, more, BASIS * (BASIS + 8), &info);
    fprintf(stderr, "%d solves, factors of %.0f MB\n", solves, common.lnz * 8e-6);
    for (int i = 0; i < param[4]; i++) printf("%.15g\n", value[i]);
    return info < 0 || param[4] < MODES;
}

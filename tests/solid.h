// solid.h -- shorthand of the tests: a block of bricks with eight nodes, assembled by the test.
//   K = int B' D B dV with 2 x 2 x 2 points, M consistent with the same points. Nodes count along
//   x, then y, then z; the face x = 0 is clamped where asked. Rows: three per node that is not
//   held.
#ifndef JD_TESTS_SOLID_H
#define JD_TESTS_SOLID_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judder/judder.h"
#include "near.h"

typedef struct solid {
    int nx, ny, nz;    // elements
    double lx, ly, lz; // [m]
    double modulus, ratio, density;
    bool free;                // else clamped at x = 0
    double grade;             // length of each brick over that before it; 0: all alike
    int n;                    // rows
    int64_t *start_K, *index; // one pattern for both matrices
    double *K, *M;
    long double *exact_K, *exact_M;
} solid;

static inline int solid_node(const solid *s, int i, int j, int k) {
    return i + (s->nx + 1) * (j + (s->ny + 1) * k);
}

// Row of a dof, or -1 where it is held. Columns of nodes with the same x follow one another.
static inline int solid_row(const solid *s, int i, int j, int k, int dof) {
    if (!s->free && i == 0) return -1;
    return 3 * ((i - !s->free) * (s->ny + 1) * (s->nz + 1) + j * (s->nz + 1) + k) + dof;
}

// Stiffness and mass of one brick of length hx.
static inline void solid_element(const solid *s, long double hx, long double K[24][24],
                                 long double M[24][24]) {
    long double h[3] = {hx, (long double)s->ly / s->ny, (long double)s->lz / s->nz};
    long double nu = s->ratio, c = s->modulus / ((1 + nu) * (1 - 2 * nu)),
                g = s->modulus / (2 * (1 + nu));
    memset(K, 0, 24 * 24 * sizeof(long double));
    memset(M, 0, 24 * 24 * sizeof(long double));
    for (int point = 0; point < 8; point++) {
        long double x[3], N[8], d[8][3], B[6][24] = {{0}}, w = h[0] * h[1] * h[2] / 8;
        for (int a = 0; a < 3; a++) x[a] = (point >> a & 1 ? 1 : -1) / sqrtl(3);
        for (int v = 0; v < 8; v++) {
            long double f[3], e[3];
            for (int a = 0; a < 3; a++) {
                e[a] = v >> a & 1 ? 1 : -1;
                f[a] = (1 + e[a] * x[a]) / 2;
            }
            N[v] = f[0] * f[1] * f[2];
            for (int a = 0; a < 3; a++) d[v][a] = N[v] / f[a] * e[a] / h[a];
            for (int a = 0; a < 3; a++) B[a][3 * v + a] = d[v][a];
            B[3][3 * v] = d[v][1], B[3][3 * v + 1] = d[v][0];
            B[4][3 * v + 1] = d[v][2], B[4][3 * v + 2] = d[v][1];
            B[5][3 * v] = d[v][2], B[5][3 * v + 2] = d[v][0];
        }
        for (int p = 0; p < 24; p++)
            for (int q = 0; q < 24; q++) {
                long double sum = 0;
                for (int a = 0; a < 3; a++) {
                    for (int b = 0; b < 3; b++)
                        sum += B[a][p] * c * (a == b ? 1 - nu : nu) * B[b][q];
                    sum += B[3 + a][p] * g * B[3 + a][q];
                }
                K[p][q] += w * sum;
                if (p % 3 == q % 3) M[p][q] += w * s->density * N[p / 3] * N[q / 3];
            }
    }
}

// Slot of an entry; the pattern of a row ascends.
static inline int64_t solid_slot(const solid *s, int row, int column) {
    int64_t low = s->start_K[row], high = s->start_K[row + 1] - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (s->index[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline void solid_pattern(solid *s) {
    int64_t used = 0;
    for (int i = !s->free; i <= s->nx; i++)
        for (int j = 0; j <= s->ny; j++)
            for (int k = 0; k <= s->nz; k++)
                for (int a = 0; a < 3; a++) {
                    s->start_K[solid_row(s, i, j, k, a)] = used;
                    for (int p = i - 1; p <= i + 1; p++)
                        for (int q = j - 1; q <= j + 1; q++)
                            for (int r = k - 1; r <= k + 1; r++)
                                for (int b = 0; b < 3; b++) {
                                    if (p < 0 || q < 0 || r < 0 || p > s->nx || q > s->ny ||
                                        r > s->nz || solid_row(s, p, q, r, b) < 0)
                                        continue;
                                    s->index[used++] = solid_row(s, p, q, r, b);
                                }
                }
    s->start_K[s->n] = used;
}

static inline void solid_assemble(solid *s) {
    s->n = 3 * (s->nx + s->free) * (s->ny + 1) * (s->nz + 1);
    s->start_K = calloc((size_t)s->n + 1, sizeof *s->start_K);
    s->index = calloc((size_t)s->n * 81, sizeof *s->index);
    s->K = calloc((size_t)s->n * 81, sizeof *s->K);
    s->M = calloc((size_t)s->n * 81, sizeof *s->M);
    s->exact_K = calloc((size_t)s->n * 81, sizeof *s->exact_K);
    s->exact_M = calloc((size_t)s->n * 81, sizeof *s->exact_M);
    assert_true(s->start_K && s->index && s->K && s->M && s->exact_K && s->exact_M);
    solid_pattern(s);
    static long double K[24][24], M[24][24];
    long double g = s->grade > 0 ? s->grade : 1, sum = 0;
    for (int i = 0; i < s->nx; i++) sum += powl(g, i);
    for (int e = 0; e < s->nx * s->ny * s->nz; e++) {
        int k = e % s->nz, j = e / s->nz % s->ny, i = e / s->nz / s->ny, row[24];
        if (j == 0 && k == 0) solid_element(s, s->lx * powl(g, i) / sum, K, M);
        for (int v = 0; v < 8; v++)
            for (int a = 0; a < 3; a++)
                row[3 * v + a] = solid_row(s, i + (v & 1), j + (v >> 1 & 1), k + (v >> 2), a);
        for (int p = 0; p < 24; p++)
            for (int q = 0; q < 24; q++) {
                if (row[p] < 0 || row[q] < 0) continue;
                int64_t at = solid_slot(s, row[p], row[q]);
                s->exact_K[at] += K[p < q ? p : q][p < q ? q : p]; // the same on both sides
                s->exact_M[at] += M[p < q ? p : q][p < q ? q : p];
            }
    }
    for (int64_t k = 0; k < s->start_K[s->n]; k++) {
        s->K[k] = (double)s->exact_K[k];
        s->M[k] = (double)s->exact_M[k];
    }
}

static inline void solid_free(solid *s) {
    free(s->start_K);
    free(s->index);
    free(s->K);
    free(s->M);
    free(s->exact_K);
    free(s->exact_M);
}

static inline jd_matrix solid_matrix(const solid *s, const double *value) {
    return jd_matrix_from_rows(s->n, s->n, s->start_K, s->index, value);
}

// A steel bar.
static inline solid steel_bar(int nx, int ny, int nz, double lx, double ly, double lz) {
    return (solid){.nx = nx,
                   .ny = ny,
                   .nz = nz,
                   .lx = lx,
                   .ly = ly,
                   .lz = lz,
                   .modulus = 2.1e11,
                   .ratio = 0.3,
                   .density = 7850};
}

#endif

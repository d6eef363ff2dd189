// matrix_writers.h -- a random symmetric matrix, and writers of it in the formats of FE programs,
// after their published layouts and independent of the readers.
#ifndef JD_TESTS_MATRIX_WRITERS_H
#define JD_TESTS_MATRIX_WRITERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRITER_MOST = 40 };

// Row i is dof[i] of node[i]; labels ascend. Values are multiples of 1/8 below 1000: exact in eight
// characters.
typedef struct sample {
    int n;
    int node[WRITER_MOST], dof[WRITER_MOST];
    double a[WRITER_MOST][WRITER_MOST];
} sample;

static uint64_t sample_state;

static uint32_t sample_random(uint32_t n) { // splitmix64
    uint64_t z = sample_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) % n);
}

// Sparse, diagonally dominant; every row has a diagonal.
static inline void sample_make(sample *s, uint64_t seed) {
    sample_state = seed;
    memset(s, 0, sizeof *s);
    int nodes = 1 + (int)sample_random(6), label = 0;
    for (int k = 0; k < nodes; k++) {
        label += 1 + (int)sample_random(1000);
        int dofs = 2 + (int)sample_random(5);
        for (int d = 1; d <= dofs; d++) {
            s->node[s->n] = label;
            s->dof[s->n++] = d;
        }
    }
    for (int i = 0; i < s->n; i++) {
        s->a[i][i] += 1 + 0.125 * (double)sample_random(64);
        for (int j = 0; j < i; j++) {
            if (sample_random(3)) continue;
            double v = 0.125 * ((double)sample_random(80) - 40);
            s->a[i][j] = s->a[j][i] = v;
            s->a[i][i] += v < 0 ? -v : v;
            s->a[j][j] += v < 0 ? -v : v;
        }
    }
}

// ---- texts

static inline void write_market(FILE *f, const sample *s) {
    int count = 0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j <= i; j++) count += s->a[i][j] != 0;
    fprintf(f, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", s->n, s->n, count);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j <= i; j++)
            if (s->a[i][j] != 0) fprintf(f, "%d %d %.17g\n", i + 1, j + 1, s->a[i][j]);
}

static inline void write_dofs(FILE *f, const sample *s) {
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    for (int i = 0; i < s->n; i++)
        if (i % 3 == 0)
            fprintf(f, "%d.%d\n", s->node[i], s->dof[i]);
        else if (i % 3 == 1)
            fprintf(f, "%d, %d\n", s->node[i], s->dof[i]);
        else
            fprintf(f, "%d %s\n", s->node[i], names[s->dof[i] - 1]);
}

// Matrix input format of Abaqus: labels, the lower triangle.
static inline void write_abaqus_list(FILE *f, const sample *s) {
    fprintf(f, "** ASSEMBLED MATRIX\n");
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j <= i; j++)
            if (s->a[i][j] != 0)
                fprintf(f, "%d,%d, %d,%d,  %.15e\n", s->node[i], s->dof[i], s->node[j], s->dof[j],
                        s->a[i][j]);
}

// Coordinate format of Abaqus: rows, both triangles.
static inline void write_abaqus_rows(FILE *f, const sample *s) {
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (s->a[i][j] != 0) fprintf(f, "%d %d %.15e\n", i + 1, j + 1, s->a[i][j]);
}

typedef enum dmig_width { DMIG_SMALL, DMIG_LARGE, DMIG_FREE } dmig_width;

// One triangle for form 6, both for form 1.
static inline void write_dmig(FILE *f, const sample *s, const char *name, dmig_width width,
                              int form) {
    static const char *const head[] = {"DMIG    %-8s%8d%8d%8d%8d\n", "DMIG    %-8s%8d%8d%8d%8d\n",
                                       "DMIG,%s,%d,%d,%d,%d\n"};
    fprintf(f, "$ a comment\nGRID           1            1.      2.      3.\n");
    fprintf(f, head[width], name, 0, form, 2, 0);
    for (int j = 0; j < s->n; j++) {
        int placed = 0;
        for (int i = form == 6 ? j : 0; i < s->n; i++) {
            if (s->a[i][j] == 0) continue;
            if (width == DMIG_LARGE) {
                if (!placed) fprintf(f, "DMIG*   %-16s%16d%16d\n", name, s->node[j], s->dof[j]);
                fprintf(f, "*       %16d%16d%16.9E\n", s->node[i], s->dof[i], s->a[i][j]);
            } else if (width == DMIG_FREE) {
                if (!placed)
                    fprintf(f, "DMIG,%s,%d,%d,,%d,%d,%.6g\n", name, s->node[j], s->dof[j],
                            s->node[i], s->dof[i], s->a[i][j]);
                else
                    fprintf(f, ",%d,%d,%.6g\n", s->node[i], s->dof[i], s->a[i][j]);
            } else {
                if (!placed)
                    fprintf(f, "DMIG    %-8s%8d%8d%8s%8d%8d%8.3f\n", name, s->node[j], s->dof[j],
                            "", s->node[i], s->dof[i], s->a[i][j]);
                else // two to a line
                    fprintf(f, placed % 2 ? "+       %8d%8d%8.3f%8s" : "%8d%8d%8.3f%8s\n",
                            s->node[i], s->dof[i], s->a[i][j], "");
            }
            placed++;
        }
        if (width == DMIG_SMALL && placed > 0 && placed % 2 == 0) fprintf(f, "\n");
    }
}

// ---- OUTPUT4

typedef enum op4_kind { OP4_DENSE, OP4_SPARSE, OP4_BIG } op4_kind;

// First row of the next string from `from` on, and its length; false: there is none.
static inline bool op4_string(const sample *s, int column, int from, int *first, int *length) {
    while (from < s->n && s->a[from][column] == 0) from++;
    *first = from;
    *length = 0;
    while (from < s->n && s->a[from++][column] != 0) (*length)++;
    return *length > 0;
}

static inline void op4_text_values(FILE *f, const sample *s, int column, int first, int length) {
    for (int i = 0; i < length; i++)
        fprintf(f, "%23.16E%s", s->a[first + i][column], i % 3 == 2 || i == length - 1 ? "\n" : "");
}

static inline void write_op4_text(FILE *f, const sample *s, const char *name, op4_kind kind) {
    fprintf(f, "%8d%8d%8d%8d%-8s1P,3E23.16\n", s->n, kind == OP4_BIG ? -s->n : s->n, 6, 2, name);
    for (int j = 0; j < s->n; j++) {
        int first = 0, length = 0, last = s->n - 1, words = 0;
        if (kind == OP4_DENSE) {
            while (s->a[first][j] == 0) first++;
            while (s->a[last][j] == 0) last--;
            fprintf(f, "%8d%8d%8d\n", j + 1, first + 1, last - first + 1);
            op4_text_values(f, s, j, first, last - first + 1);
            continue;
        }
        for (int at = 0; op4_string(s, j, at, &first, &length); at = first + length)
            words += 2 * length + (kind == OP4_BIG ? 2 : 1);
        fprintf(f, "%8d%8d%8d\n", j + 1, 0, words);
        for (int at = 0; op4_string(s, j, at, &first, &length); at = first + length) {
            if (kind == OP4_BIG)
                fprintf(f, "%8d%8d\n", 2 * length + 1, first + 1);
            else
                fprintf(f, s->n % 2 ? "%8d\n" : "%11d\n", first + 1 + 65536 * (2 * length + 1));
            op4_text_values(f, s, j, first, length);
        }
    }
    fprintf(f, "%8d%8d%8d\n%23.16E\n", s->n + 1, 1, 1, 1.0);
}

static inline void put_bytes(FILE *f, const void *value, size_t n, bool turned) {
    const unsigned char *b = value;
    for (size_t i = 0; i < n; i++) fputc(b[turned ? n - 1 - i : i], f);
}

static inline void put_int(FILE *f, int32_t v, bool turned) { put_bytes(f, &v, 4, turned); }

static inline void write_op4_binary(FILE *f, const sample *s, const char *name, op4_kind kind,
                                    bool turned) {
    char padded[9];
    snprintf(padded, sizeof padded, "%-8s", name);
    int32_t head[] = {24, s->n, kind == OP4_BIG ? -s->n : s->n, 6, 2};
    for (int i = 0; i < 5; i++) put_int(f, head[i], turned);
    fwrite(padded, 1, 8, f);
    put_int(f, 24, turned);
    for (int j = 0; j <= s->n; j++) {
        int first = 0, length = 0, last = s->n - 1, words = 0;
        if (j == s->n || kind == OP4_DENSE) {
            while (j < s->n && s->a[first][j] == 0) first++;
            while (j < s->n && s->a[last][j] == 0) last--;
            int count = j < s->n ? last - first + 1 : 1;
            put_int(f, 12 + 8 * count, turned);
            put_int(f, j + 1, turned);
            put_int(f, first + 1, turned);
            put_int(f, 2 * count, turned);
            const double one = 1;
            for (int i = 0; i < count; i++)
                put_bytes(f, j < s->n ? &s->a[first + i][j] : &one, 8, turned);
            put_int(f, 12 + 8 * count, turned);
            continue;
        }
        for (int at = 0; op4_string(s, j, at, &first, &length); at = first + length)
            words += 2 * length + (kind == OP4_BIG ? 2 : 1);
        put_int(f, 12 + 4 * words, turned);
        put_int(f, j + 1, turned);
        put_int(f, 0, turned);
        put_int(f, words, turned);
        for (int at = 0; op4_string(s, j, at, &first, &length); at = first + length) {
            if (kind == OP4_BIG) {
                put_int(f, 2 * length + 1, turned);
                put_int(f, first + 1, turned);
            } else {
                put_int(f, first + 1 + 65536 * (2 * length + 1), turned);
            }
            for (int i = 0; i < length; i++) put_bytes(f, &s->a[first + i][j], 8, turned);
        }
        put_int(f, 12 + 4 * words, turned);
    }
}

// ---- MATLAB, version 5, not compressed

enum { MX_CELL = 1, MX_CHAR = 4, MX_SPARSE = 5, MX_DOUBLE = 6, MX_INT32 = 12, MX_COMPLEX = 0x800 };

static inline void mat_head(FILE *f, bool turned) {
    char text[116];
    memset(text, ' ', sizeof text);
    memcpy(text, "MATLAB 5.0 MAT-file", 19);
    fwrite(text, 1, sizeof text, f);
    for (int i = 0; i < 8; i++) fputc(0, f);
    const uint16_t version = 0x0100, mark = 0x4d49;
    put_bytes(f, &version, 2, turned);
    put_bytes(f, &mark, 2, turned);
}

static inline void mat_tag(FILE *f, int type, size_t bytes, bool turned) {
    put_int(f, type, turned);
    put_int(f, (int32_t)bytes, turned);
}

static inline void mat_pad(FILE *f, size_t bytes) {
    for (size_t i = bytes; i % 8 != 0; i++) fputc(0, f);
}

static inline size_t mat_size(size_t bytes) { return 8 + (bytes + 7) / 8 * 8; }

// class and flags in one number; of a sparse matrix columns of what is not 0.
static inline void write_mat(FILE *f, const sample *s, const char *name, int class, bool turned) {
    size_t n = (size_t)s->n, count = 0, letters = strlen(name);
    bool sparse = (class & 0xff) == MX_SPARSE;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) count += s->a[i][j] != 0;
    size_t size = mat_size(8) + mat_size(8) + mat_size(letters);
    size += sparse ? mat_size(4 * count) + mat_size(4 * (n + 1)) + mat_size(8 * count)
                   : mat_size(8 * n * n) * (class & MX_COMPLEX ? 2 : 1);
    mat_tag(f, 14, size, turned);
    mat_tag(f, 6, 8, turned);
    put_int(f, class, turned);
    put_int(f, sparse ? (int32_t)count : 0, turned);
    mat_tag(f, 5, 8, turned);
    put_int(f, s->n, turned);
    put_int(f, s->n, turned);
    mat_tag(f, 1, letters, turned);
    fwrite(name, 1, letters, f);
    mat_pad(f, letters);
    if (!sparse) {
        for (int part = 0; part < (class & MX_COMPLEX ? 2 : 1); part++) {
            mat_tag(f, 9, 8 * n * n, turned);
            for (size_t k = 0; k < n * n; k++) put_bytes(f, &s->a[k % n][k / n], 8, turned);
        }
        return;
    }
    mat_tag(f, 5, 4 * count, turned);
    for (size_t k = 0; k < n * n; k++)
        if (s->a[k % n][k / n] != 0) put_int(f, (int32_t)(k % n), turned);
    mat_pad(f, 4 * count);
    mat_tag(f, 5, 4 * (n + 1), turned);
    int32_t start = 0;
    for (size_t j = 0; j <= n; j++) {
        put_int(f, start, turned);
        for (size_t i = 0; j < n && i < n; i++) start += s->a[i][j] != 0;
    }
    mat_pad(f, 4 * (n + 1));
    mat_tag(f, 9, 8 * count, turned);
    for (size_t k = 0; k < n * n; k++)
        if (s->a[k % n][k / n] != 0) put_bytes(f, &s->a[k % n][k / n], 8, turned);
}

#endif

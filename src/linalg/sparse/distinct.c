// distinct.c -- the blocks of a matrix that differ.
#include "linalg/sparse/distinct.h"

#include <string.h>

enum { LOOK_BACK = 3 }; // blocks that a block is compared with: the last ones kept

typedef struct blocks {
    const jd_sparse *A;
    int *of;             // row -> block; blocks are numbered as their first rows come
    int *place;          // row -> which of its block's
    int *first, *member; // of each block: where its rows begin in `member`, ascending
    int count;
    int *kept; // row -> number among those left, or -1
    int n_kept;
} blocks;

// All rows that hang together with `row`.
static void spread(blocks *b, int row, int *stack) {
    const jd_sparse *A = b->A;
    int used = 0;
    stack[used++] = row;
    b->of[row] = b->count;
    while (used > 0) {
        int j = stack[--used];
        for (int p = A->start[j]; p < A->start[j + 1]; p++) {
            if (b->of[A->row[p]] >= 0) continue;
            b->of[A->row[p]] = b->count;
            stack[used++] = A->row[p];
        }
    }
    b->count++;
}

static void find(blocks *b, int *stack) {
    int n = b->A->n;
    for (int j = 0; j < n; j++) b->of[j] = -1;
    for (int j = 0; j < n; j++)
        if (b->of[j] < 0) spread(b, j, stack);
    memset(b->first, 0, ((size_t)n + 1) * sizeof *b->first);
    for (int j = 0; j < n; j++) b->place[j] = b->first[b->of[j] + 1]++;
    for (int k = 0; k < b->count; k++) b->first[k + 1] += b->first[k];
    for (int j = 0; j < n; j++) b->member[b->first[b->of[j]] + b->place[j]] = j;
}

static int size_of(const blocks *b, int k) { return b->first[k + 1] - b->first[k]; }

static bool same(const blocks *b, int k, int l) {
    const jd_sparse *A = b->A;
    if (size_of(b, k) != size_of(b, l)) return false;
    for (int m = 0; m < size_of(b, k); m++) {
        int i = b->member[b->first[k] + m], j = b->member[b->first[l] + m];
        int p = A->start[i], q = A->start[j], entries = A->start[i + 1] - p;
        if (entries != A->start[j + 1] - q) return false;
        for (int e = 0; e < entries; e++)
            if (A->value[p + e] != A->value[q + e] ||
                b->place[A->row[p + e]] != b->place[A->row[q + e]])
                return false;
    }
    return true;
}

static bool repeats(const blocks *b, int k, const int *last) {
    for (int i = 0; i < LOOK_BACK; i++)
        if (last[i] >= 0 && same(b, k, last[i])) return true;
    return false;
}

// Marks the rows to be kept, then numbers them.
static void keep(blocks *b) {
    int last[LOOK_BACK] = {-1, -1, -1}, next = 0;
    for (int j = 0; j < b->A->n; j++) b->kept[j] = -1;
    for (int k = 0; k < b->count; k++) {
        if (size_of(b, k) == 1 || repeats(b, k, last)) continue;
        last[next] = k;
        next = (next + 1) % LOOK_BACK;
        for (int m = b->first[k]; m < b->first[k + 1]; m++) b->kept[b->member[m]] = 0;
    }
    for (int j = 0; j < b->A->n; j++)
        if (b->kept[j] == 0) b->kept[j] = b->n_kept++;
}

static jd_status cut_out(jd_arena *arena, const blocks *b, jd_sparse *out) {
    const jd_sparse *A = b->A;
    int used = 0;
    for (int j = 0; j < A->n; j++)
        if (b->kept[j] >= 0) used += A->start[j + 1] - A->start[j];
    *out = (jd_sparse){b->n_kept, JD_TAKE(arena, int, b->n_kept + 1), JD_TAKE(arena, int, used),
                       JD_TAKE(arena, double, used)};
    JD_TRY(jd_arena_status(arena));
    used = 0;
    for (int j = 0; j < A->n; j++) {
        if (b->kept[j] < 0) continue;
        for (int p = A->start[j]; p < A->start[j + 1]; p++) {
            out->row[used] = b->kept[A->row[p]];
            out->value[used++] = A->value[p];
        }
        out->start[b->kept[j] + 1] = used;
    }
    return JD_OK;
}

// at: room for n numbers.
static void thin_out(const blocks *b, const int *order, int *at, int *out_order) {
    int next = 1;
    for (int j = 0; j < b->A->n; j++) at[order[j] - 1] = j;
    for (int k = 0; k < b->A->n; k++)
        if (b->kept[at[k]] >= 0) out_order[b->kept[at[k]]] = next++;
}

jd_status jd_sparse_distinct(jd_arena *arena, const jd_sparse *A, const int *order, jd_sparse *out,
                             int **out_order) {
    size_t n = (size_t)A->n;
    int *stack = JD_TAKE_RAW(arena, int, n);
    blocks b = {.A = A,
                .of = JD_TAKE_RAW(arena, int, n),
                .place = JD_TAKE_RAW(arena, int, n),
                .first = JD_TAKE_RAW(arena, int, n + 1),
                .member = JD_TAKE_RAW(arena, int, n),
                .kept = JD_TAKE_RAW(arena, int, n)};
    *out_order = order ? JD_TAKE_RAW(arena, int, n) : NULL;
    JD_TRY(jd_arena_status(arena));
    find(&b, stack);
    keep(&b);
    if (order) thin_out(&b, order, stack, *out_order);
    *out = *A;
    return b.n_kept < A->n ? cut_out(arena, &b, out) : JD_OK;
}

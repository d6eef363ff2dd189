// order.c -- an order of elimination, found on a smaller graph.
//   The unknowns of a node of an FE model have the same neighbours: they are eliminated one after
//   the other anyway. The graph of such groups has a third of the rows and a ninth of the entries
//   for solids; SCOTCH orders it in a sixth of the time, equally well. MUMPS orders small ones.
//   On regular meshes entries vanish by symmetry, and the patterns of a node's unknowns differ:
//   there, rows in blocks of 3 or 2 are tried, and taken where the blocks are mostly full.
#include "linalg/sparse/order/order.h"

#include <stdint.h>
#include <string.h>

#include "linalg/sparse/factor.h"
#include "linalg/sparse/order/dissect.h"

enum { SMALL = 2000 };

typedef struct graph {
    jd_sparse pattern; // of A and B together
    int *group;        // of each row
    int n_group;
    int *first, *member; // of each group: where its rows begin in `member`
    int *mark;           // per group: the last one it was seen from
} graph;

// Rows of both matrices within each column, ascending in both.
static jd_status join(jd_arena *arena, const jd_sparse *A, const jd_sparse *B, jd_sparse *out) {
    int n = A->n, used = 0;
    size_t most = (size_t)A->start[n] + (size_t)(B ? B->start[n] : 0);
    *out = (jd_sparse){n, JD_TAKE(arena, int, n + 1), JD_TAKE_RAW(arena, int, most), NULL};
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < n; j++) {
        int a = A->start[j], b = B ? B->start[j] : 0;
        int end_a = A->start[j + 1], end_b = B ? B->start[j + 1] : 0;
        while (a < end_a || b < end_b) {
            int i = a < end_a ? A->row[a] : n, k = b < end_b ? B->row[b] : n;
            a += i <= k;
            b += k <= i;
            out->row[used++] = i < k ? i : k;
        }
        out->start[j + 1] = used;
    }
    return JD_OK;
}

static uint64_t fingerprint(const jd_sparse *P, int j) {
    uint64_t sum = 0;
    for (int p = P->start[j]; p < P->start[j + 1]; p++) {
        uint64_t x = ((uint64_t)P->row[p] + 1) * 0x9e3779b97f4a7c15u; // the golden ratio
        sum += x ^ (x >> 29);
    }
    return sum;
}

static bool same_neighbours(const jd_sparse *P, int i, int j) {
    int n = P->start[i + 1] - P->start[i];
    return n == P->start[j + 1] - P->start[j] &&
           memcmp(P->row + P->start[i], P->row + P->start[j], (size_t)n * sizeof *P->row) == 0;
}

// Rows of one group are neighbours of each other: its first one is looked for there.
static jd_status same_patterns(jd_arena *arena, graph *g) {
    const jd_sparse *P = &g->pattern;
    uint64_t *print = JD_TAKE_RAW(arena, uint64_t, P->n);
    bool *leads = JD_TAKE(arena, bool, P->n);
    JD_TRY(jd_arena_status(arena));
    g->n_group = 0;
    for (int j = 0; j < P->n; j++) {
        int like = -1;
        print[j] = fingerprint(P, j);
        for (int p = P->start[j]; p < P->start[j + 1] && P->row[p] < j && like < 0; p++) {
            int i = P->row[p];
            if (leads[i] && print[i] == print[j] && same_neighbours(P, i, j)) like = i;
        }
        leads[j] = like < 0;
        g->group[j] = like < 0 ? g->n_group++ : g->group[like];
    }
    return JD_OK;
}

static void blocks(graph *g, int size) {
    for (int j = 0; j < g->pattern.n; j++) g->group[j] = j / size;
    g->n_group = (g->pattern.n + size - 1) / size;
}

// The rows of each group; place: where it stands among the groups, counted from 0; NULL: as is.
static void list(graph *g, const int *place) {
    int n = g->pattern.n, *first = g->first;
    memset(first, 0, ((size_t)g->n_group + 2) * sizeof *first);
    for (int j = 0; j < n; j++) first[(place ? place[g->group[j]] : g->group[j]) + 2]++;
    for (int k = 2; k <= g->n_group + 1; k++) first[k] += first[k - 1];
    for (int j = 0; j < n; j++)
        g->member[first[(place ? place[g->group[j]] : g->group[j]) + 1]++] = j;
}

// Neighbours of all groups, each in `row` where that is not NULL; how many there are.
static int64_t neighbours(graph *g, int *start, int *row) {
    const jd_sparse *P = &g->pattern;
    int64_t used = 0;
    for (int k = 0; k < g->n_group; k++) g->mark[k] = -1;
    for (int k = 0; k < g->n_group; k++) {
        for (int m = g->first[k]; m < g->first[k + 1]; m++)
            for (int p = P->start[g->member[m]]; p < P->start[g->member[m] + 1]; p++) {
                int to = g->group[P->row[p]];
                if (g->mark[to] == k) continue;
                g->mark[to] = k;
                if (row) row[used] = to;
                used++;
            }
        if (start) start[k + 1] = (int)used;
    }
    return used;
}

static jd_status find_groups(jd_arena *arena, graph *g) {
    static const int size[] = {3, 2}; // of solids and shells, of plane models
    int n = g->pattern.n;
    g->group = JD_TAKE_RAW(arena, int, n);
    g->mark = JD_TAKE_RAW(arena, int, n);
    g->member = JD_TAKE_RAW(arena, int, n);
    g->first = JD_TAKE_RAW(arena, int, n + 2);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(same_patterns(arena, g));
    list(g, NULL);
    if (2 * (int64_t)g->n_group <= n) return JD_OK;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        blocks(g, size[i]);
        list(g, NULL);
        int64_t full = neighbours(g, NULL, NULL) * size[i] * size[i];
        if (4 * full <= 7 * (int64_t)g->pattern.start[n]) return JD_OK; // bricks: 1.6 of 1.75
    }
    blocks(g, 1);
    list(g, NULL);
    return JD_OK;
}

// The graph of the groups, as a matrix of zeros; rows within a column need no order here.
static jd_status contract(jd_arena *arena, graph *g, jd_sparse *out) {
    int64_t used = neighbours(g, NULL, NULL);
    *out = (jd_sparse){g->n_group, JD_TAKE(arena, int, g->n_group + 1),
                       JD_TAKE_RAW(arena, int, used), JD_TAKE(arena, double, used)};
    JD_TRY(jd_arena_status(arena));
    neighbours(g, out->start, out->row);
    return JD_OK;
}

static jd_status find(jd_arena *arena, const jd_sparse *A, const jd_sparse *B, int *order) {
    graph g = {0};
    jd_sparse small;
    JD_TRY(join(arena, A, B, &g.pattern));
    JD_TRY(find_groups(arena, &g));
    JD_TRY(contract(arena, &g, &small));
    int *place = JD_TAKE_RAW(arena, int, g.n_group);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(g.n_group > SMALL ? jd_dissect(arena, &small, place)
                             : jd_factor_places(jd_arena_context(arena), &small, place));
    list(&g, place); // the rows of a group follow each other
    for (int k = 0; k < A->n; k++) order[g.member[k]] = k + 1;
    return JD_OK;
}

jd_status jd_sparse_order(jd_arena *arena, const jd_sparse *A, const jd_sparse *B, int **order) {
    *order = NULL;
    if (jd_context_solver(jd_arena_context(arena))) return JD_OK;
    int *found = JD_TAKE_RAW(arena, int, A->n);
    JD_TRY(jd_arena_status(arena));
    jd_arena_mark mark = jd_arena_here(arena);
    jd_status status = find(arena, A, B, found);
    jd_arena_back(arena, mark);
    if (status == JD_OK) *order = found;
    return status;
}

// dissect.c -- nested dissection by SCOTCH, on one thread.
//   SCOTCH 7 takes as many threads as there are processors unless told, and its orders then depend
//   on which comes first: bits of modes would differ from run to run. MUMPS, which calls it too,
//   cannot tell it; nor what to cut: pieces down to 120 rows, where 20 are better by a tenth of the
//   factors for groups of three rows.
#include "linalg/sparse/order/dissect.h"

#include <pthread.h>

#include "lazy/scotch.h"
#include "linalg/sparse/available.h"

enum { SEED = 1 };

// A random sequence of its own begins as a copy of the one of the whole process.
static pthread_mutex_t scotch_lock = PTHREAD_MUTEX_INITIALIZER;

// The smaller of two separators, refined within three rows of it (SCOTCH's own numbers); pieces of
// 20 by minimum fill with their surroundings in view.
#define CUT                                                                                        \
    "m{rat=0.7,vert=100,low=h{pass=10},asc=b{width=3,bnd=f{bal=0.2},org=(|h{pass=10})f{bal=0.2}}}"
static const char strategy[] =
    "n{sep=/(vert>20)?(" CUT "|" CUT ");,ole=f{cmin=15,cmax=100000,frat=0.0},ose=s}";

typedef struct graph {
    SCOTCH_Num n, *start, *to; // no row is its own neighbour
    SCOTCH_Num *place, *rows;
} graph;

// SCOTCH cannot be left to find out that there is no memory: it ends the program then. It takes 2.5
// to 4 times the graph's own size, small ones up to 7.5 times (measured).
static jd_status check_room(jd_context *context, const graph *g) {
    const double small = 2e6, times = 8, megabyte = 1e6;
    double size = (double)sizeof *g->to * ((double)g->n + (double)g->start[g->n]);
    double needed = small + times * size, free = (double)jd_memory_available();
    if (needed <= free) return JD_OK;
    return jd_fail(context, JD_OUT_OF_MEMORY,
                   "the order of elimination of %d groups of rows needs about %.2g MB of memory, "
                   "but only %.2g MB are free",
                   (int)g->n, needed / megabyte, free / megabyte);
}

static jd_status neighbours(jd_arena *arena, const jd_sparse *A, graph *g) {
    size_t n = (size_t)A->n;
    *g = (graph){.n = A->n,
                 .start = JD_TAKE_RAW(arena, SCOTCH_Num, n + 1),
                 .to = JD_TAKE_RAW(arena, SCOTCH_Num, (size_t)A->start[n] + 1),
                 .place = JD_TAKE_RAW(arena, SCOTCH_Num, n),
                 .rows = JD_TAKE_RAW(arena, SCOTCH_Num, n)};
    JD_TRY(jd_arena_status(arena));
    SCOTCH_Num used = 0;
    for (int j = 0; j < A->n; j++) {
        g->start[j] = used;
        for (int p = A->start[j]; p < A->start[j + 1]; p++)
            if (A->row[p] != j) g->to[used++] = A->row[p];
    }
    g->start[n] = used;
    return JD_OK;
}

// Of the graph bound to a context with one thread and a random sequence of its own.
static bool order_bound(SCOTCH_Context *context, SCOTCH_Graph *whole, graph *g) {
    SCOTCH_Strat how;
    SCOTCH_Graph bound;
    if (SCOTCH_contextRandomClone(context) != 0) return false;
    SCOTCH_contextRandomSeed(context, SEED);
    if (SCOTCH_contextThreadSpawn(context, 1, NULL) != 0) return false;
    if (SCOTCH_stratInit(&how) != 0) return false;
    bool fine = SCOTCH_stratGraphOrder(&how, strategy) == 0 && SCOTCH_graphInit(&bound) == 0;
    if (fine) {
        fine = SCOTCH_contextBindGraph(context, whole, &bound) == 0 &&
               SCOTCH_graphOrder(&bound, &how, g->place, g->rows, NULL, NULL, NULL) == 0;
        SCOTCH_graphExit(&bound);
    }
    SCOTCH_stratExit(&how);
    return fine;
}

static bool order(graph *g) {
    SCOTCH_Context context;
    SCOTCH_Graph whole;
    if (SCOTCH_contextInit(&context) != 0) return false;
    bool fine = SCOTCH_graphInit(&whole) == 0;
    if (fine) {
        fine = SCOTCH_graphBuild(&whole, 0, g->n, g->start, g->start + 1, NULL, NULL,
                                 g->start[g->n], g->to, NULL) == 0 &&
               order_bound(&context, &whole, g);
        SCOTCH_graphExit(&whole);
    }
    SCOTCH_contextExit(&context);
    return fine;
}

jd_status jd_dissect(jd_arena *arena, const jd_sparse *A, int *place) {
    jd_context *context = jd_arena_context(arena);
    JD_TRY(jd_lazy_scotch_ready(context));
    jd_arena_mark mark = jd_arena_here(arena);
    graph g;
    jd_status status = neighbours(arena, A, &g);
    if (status == JD_OK) status = check_room(context, &g);
    pthread_mutex_lock(&scotch_lock);
    bool fine = status == JD_OK && order(&g);
    pthread_mutex_unlock(&scotch_lock);
    if (status == JD_OK && !fine)
        status = jd_fail(context, JD_OUT_OF_MEMORY,
                         "not enough memory to order the elimination of %d groups of rows", A->n);
    for (int k = 0; status == JD_OK && k < A->n; k++) place[k] = (int)g.place[k];
    jd_arena_back(arena, mark);
    return status;
}

// superlu_guard.c -- the three functions of SuperLU that a program may replace, and the way back.
//   Not caught: calls of exit() for wrong arguments, which Judder does not pass, and a SuperLU
//   whose calls were bound when it was built (-Bsymbolic): then all is as without a guard.
#include "linalg/sparse/superlu_guard.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <slu_ddefs.h>

typedef struct guard {
    struct guard *outer;
    jmp_buf back;
    void **block; // taken under this guard and not given back
    size_t n, room;
} guard;

// Of this thread, for the time of one call into SuperLU: its functions carry no context.
static _Thread_local guard *active;

static bool note(guard *g, void *block) {
    if (g->n == g->room) {
        size_t room = 2 * g->room + 64;
        void **more = realloc(g->block, room * sizeof *more);
        if (!more) return false;
        g->block = more;
        g->room = room;
    }
    g->block[g->n++] = block;
    return true;
}

void *superlu_malloc(size_t size) {
    void *block = malloc(size);
    if (!block || !active || note(active, block)) return block;
    free(block);
    return NULL;
}

void superlu_free(void *block) {
    guard *g = active;
    for (size_t i = g ? g->n : 0; i > 0; i--) // mostly the last ones
        if (g->block[i - 1] == block) {
            g->block[i - 1] = g->block[--g->n];
            break;
        }
    free(block);
}

void superlu_abort_and_exit(char *message) {
    if (active) longjmp(active->back, 1);
    fputs(message, stderr); // of another user of SuperLU in this program: as it was
    exit(-1);
}

static bool came_back(guard *g, void (*work)(void *user), void *user) {
    if (setjmp(g->back)) return false;
    work(user);
    return true;
}

jd_status jd_guard_run(jd_context *context, void (*work)(void *user), void *user) {
    guard g = {.outer = active};
    active = &g;
    bool fine = came_back(&g, work, user);
    active = g.outer;
    for (size_t i = 0; !fine && i < g.n; i++) free(g.block[i]);
    free(g.block);
    if (fine) return JD_OK;
    return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory for a sparse matrix");
}

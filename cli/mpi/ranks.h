// ranks.h -- work of many independent items over the ranks of MPI.
#ifndef JD_CLI_MPI_RANKS_H
#define JD_CLI_MPI_RANKS_H

#include <string.h>

#include "command.h"

// Work that every rank knows. All items together have one identity, the same on every rank.
typedef struct spread_work {
    const char *what; // for progress: "sweep"
    int n;            // items, computed in chunks of neighbours
    unsigned long long identity;
    bool (*is_done)(void *user, int item); // on rank 0: need not be computed; NULL: none is
    // On another rank: `n` items from `first` on, as bytes in memory of malloc. *cut: it was
    // stopped from outside, there are none.
    jd_status (*compute)(void *user, int first, int n, char **bytes, size_t *size, bool *cut);
    // On rank 0: takes these bytes.
    jd_status (*collect)(void *user, int first, int n, const char *bytes, size_t size);
    void *user;
} spread_work;

// Rank 0 hands out and collects; any other one computes until there is no more. *first: this is
// rank 0; *complete, there: all items are done.
jd_status ranks_spread(call *c, const spread_work *work, bool *first, bool *complete);
// A call that fails before the work meets the other ranks with its reason, so that they end, too.
void ranks_failed(call *c);
// The end of a call: meets the other ranks where it has not yet.
void ranks_leave(void);

// lines.c, cases.c: hooks of the command.
jd_status ranks_sweep(call *c, jd_sweep *sweep, const jd_sweep_options *options, bool *complete);
jd_status ranks_batch(call *c, const jd_model_def *model, const jd_batch_def *cases,
                      jd_result **out);

#endif

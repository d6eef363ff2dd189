// ranks.h -- work in pieces over the ranks of MPI.
#ifndef JD_CLI_MPI_RANKS_H
#define JD_CLI_MPI_RANKS_H

#include "pieces.h"

// Rank 0 hands out and collects; any other one computes until there is no more. *complete, on rank
// 0: all pieces are done.
jd_status ranks_run(keeper *k, bool *complete);
// A call that fails before the work meets the other ranks with its reason, so that they end, too.
void ranks_failed(call *c);
// The end of a call: meets the other ranks where it has not yet.
void ranks_leave(void);

#endif

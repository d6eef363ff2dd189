// orders.h -- rank 0 says what all ranks do next.
#ifndef JD_CLI_REDUCE_ORDERS_H
#define JD_CLI_REDUCE_ORDERS_H

#include "linalg/sparse/factor.h"

// The solver of rank 0: each of its calls is done by all ranks.
extern const jd_solver orders_solver;
// Any other rank: does what rank 0 orders, until it ends.
void orders_serve(void);
// Rank 0: the others may go.
void orders_end(void);

#endif

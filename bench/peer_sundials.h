// peer_sundials.h -- the hybrid problem as SUNDIALS sees it: right-hand side and roots.
#ifndef BENCH_PEER_SUNDIALS_H
#define BENCH_PEER_SUNDIALS_H

#include <nvector/nvector_serial.h>

#include "hybrid.h"

static int rhs(realtype t, N_Vector y, N_Vector dy, void *data) {
    hybrid_rhs(data, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static int roots(realtype t, N_Vector y, realtype *g, void *data) {
    hybrid_roots(data, t, N_VGetArrayPointer(y), g);
    return 0;
}

#endif

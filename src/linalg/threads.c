// threads.c -- one BLAS thread: Judder runs in parallel over models, not inside a small matrix.
#include <cblas.h>
#include <threads.h>

#include "linalg/eigen.h"

static void set_one(void) { openblas_set_num_threads(1); }

void jd_blas_one_thread(void) {
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, set_one);
}

// threads.c -- LAPACK loaded, with one thread: Judder runs in parallel over models, not inside a
//   small matrix.
#include <threads.h>

#include "lazy/lapack.h"
#include "linalg/eigen.h"

static void set_one(void) { openblas_set_num_threads(1); }

void jd_blas_one_thread(void) {
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, set_one);
}

jd_status jd_lapack_ready(jd_context *context) {
    JD_TRY(jd_lazy_lapack_ready(context));
    jd_blas_one_thread();
    return JD_OK;
}

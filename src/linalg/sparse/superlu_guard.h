// superlu_guard.h -- SuperLU ends the program when memory does; under this guard it comes back.
//   Its `superlu_abort_and_exit`, `superlu_malloc` and `superlu_free` are functions of its shared
//   library that a program may define anew. Ours do what they did, but while a guard of the thread
//   is up: then blocks are noted, and instead of exit() everything taken since is given back and
//   control returns to jd_guard_run.
#ifndef JD_LINALG_SUPERLU_GUARD_H
#define JD_LINALG_SUPERLU_GUARD_H

#include "base/fail.h"

// Calls work(user); JD_OUT_OF_MEMORY when SuperLU gave up within.
jd_status jd_guard_run(jd_context *context, void (*work)(void *user), void *user);

#endif

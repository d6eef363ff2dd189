// lazy.h -- a library that is loaded when the first of its functions is called.
//   HDF5, LAPACK and MUMPS take 15 ms to load, longer than most runs. The functions in use are
//   listed (cmake/lazy.cmake) and called through a table, which is filled here. Before the first
//   call jd_lazy_ready says by name whether the library is there; a call without it would return
//   -1, which every library of ours means as failure.
#ifndef JD_BASE_LAZY_H
#define JD_BASE_LAZY_H

#include <stdatomic.h>

#include "base/fail.h"

typedef struct jd_lazy {
    const char *const *file; // names for the dynamic linker, then NULL; each may need those before
    const char *const *name; // of functions and variables, then NULL
    void **slot;             // their addresses
    atomic_bool loaded;      // the slots are filled
} jd_lazy;

// Fills the slots; at once where they are filled.
void jd_lazy_fill(jd_lazy *library);
static inline void jd_lazy_load(jd_lazy *library) {
    if (!atomic_load_explicit(&library->loaded, memory_order_acquire)) jd_lazy_fill(library);
}

// HDF5 is for one thread at a time, whoever calls it: results, and matrices through libmatio. A
// thread may take it several times. Not to be taken in a child that was forked while it was held.
void jd_hdf5_take(void);
void jd_hdf5_give(void);

// JD_CANNOT_LOAD where the library is not there, with what the dynamic linker says.
jd_status jd_lazy_ready(jd_context *context, jd_lazy *library);

#endif

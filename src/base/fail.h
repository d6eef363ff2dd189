// fail.h -- how library code reports a failure, logs and reports progress.
#ifndef JD_BASE_FAIL_H
#define JD_BASE_FAIL_H

#include "judder/context.h"

#if defined(__GNUC__)
#define JD_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define JD_PRINTF(text, args)
#endif

// Records the failure and returns its status, which callers pass on with JD_TRY.
jd_status jd_fail(jd_context *context, jd_status status, const char *format, ...) JD_PRINTF(3, 4);
// Adds a place or a hint to the failure just recorded; an existing one is kept.
void jd_fail_where(jd_context *context, const char *format, ...) JD_PRINTF(2, 3);
void jd_fail_hint(jd_context *context, const char *format, ...) JD_PRINTF(2, 3);

void jd_log(jd_context *context, jd_log_level level, const char *format, ...) JD_PRINTF(3, 4);
// `what` must be a literal: another thread may read it later (jd_context_progress).
void jd_progress(jd_context *context, const char *what, double fraction);
bool jd_stop_wanted(jd_context *context);
// Tables, matrices and responses that models name, by device and number of the file: the latest
// ones.
void jd_note_read(jd_context *context, unsigned long long device, unsigned long long file);
bool jd_was_read(const jd_context *context, unsigned long long device, unsigned long long file);
bool jd_fenced(const jd_context *context); // are result files read in a child first?
bool jd_keeps_modes(const jd_context *context);
// Whether large matrices keep the shapes of their modes at every dof, for pictures in space.
bool jd_keeps_shapes(const jd_context *context);
void jd_context_keep_shapes(jd_context *context, bool keep);
void jd_context_keep_modes(jd_context *context, bool keep);
// Who factorises sparse matrices in place of MUMPS (linalg/sparse/factor.h); NULL: nobody.
struct jd_solver;
const struct jd_solver *jd_context_solver(const jd_context *context);
void jd_context_set_solver(jd_context *context, const struct jd_solver *solver);

// Raw memory of the context; jd_allocate zeroes nothing and records JD_OUT_OF_MEMORY on NULL.
void *jd_allocate(jd_context *context, size_t bytes);
void *jd_allocate_zeros(jd_context *context, size_t bytes); // all 0
void jd_release(jd_context *context, void *block);

// Is there room for what a library takes by itself? Some libraries crash or end the program when an
// allocation of theirs fails, so it is asked for before they are called, and given back.
jd_status jd_room(jd_context *context, size_t bytes);

// Passes a failed status on.
#define JD_TRY(call)                                                                               \
    do {                                                                                           \
        jd_status jd_try_status = (call);                                                          \
        if (jd_try_status != JD_OK) return jd_try_status;                                          \
    } while (0)

#endif

// context.h -- the context of every call: last error, log and progress hooks, allocator, stop flag.
//   One context per thread of work. The library has no globals, prints nothing and never exits.
#ifndef JUDDER_CONTEXT_H
#define JUDDER_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "judder/status.h"
#include "judder/version.h"

#ifdef __cplusplus
extern "C" {
#endif

// Last error, hooks and allocator of one thread of work.
typedef struct jd_context jd_context;

// Importance of a log line.
typedef enum jd_log_level { JD_LOG_NOTE, JD_LOG_WARNING } jd_log_level;

// What went wrong last. Strings live until the next failure or the context's end; never NULL.
typedef struct jd_error {
    jd_status status;
    const char *message; // one sentence: what is wrong, with the offending text quoted
    const char *where;   // "file:line:column" or a problem path; "" where there is no place
    const char *hint;    // what to do next; "" where no advice is known
} jd_error;

// What the caller gives to a context; all of it may be left out.
typedef struct jd_context_def {
    // Memory: NULL for malloc/free. `allocate` returns NULL when there is none (tests inject that).
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *block);
    // One complete sentence without a newline. NULL: log lines are dropped.
    void (*log)(void *user, jd_log_level level, const char *text);
    // fraction in [0, 1] of the work named `what`; called at most a few hundred times, by the
    // thread that called the library. Other threads ask jd_context_progress.
    void (*progress)(void *user, const char *what, double fraction);
    // Asked between events, by the thread that called the library: true ends the work early with
    // what there is. NULL: never. Other threads call jd_context_cancel.
    bool (*stop)(void *user);
    void *user;
    // Result files are read in a child process (fork) before they are read here: one on which the
    // HDF5 library crashes or does not end is refused by name. Reading then takes twice as long.
    bool fence;
    // Modes of matrix files above 1000 degrees of freedom are kept in a file `.modes` beside the
    // stiffness matrix, and taken from there while nothing they depend on has changed.
    bool keep_modes;
} jd_context_def;

// No hooks, memory from malloc.
jd_context_def jd_default_context_def(void);

// NULL when there is no memory. def may be NULL for the defaults.
jd_context *jd_context_create(const jd_context_def *def);
// NULL is allowed. Whatever was made with the context has to be freed before.
void jd_context_free(jd_context *context);

// What went wrong last; status JD_OK when nothing did.
const jd_error *jd_context_error(const jd_context *context);
// Forgets it.
void jd_context_clear_error(jd_context *context);

// Ends the work that is under way with this context early, with what there is: a run stops with
// JD_STOP_INTERRUPTED, a search or a branch says that it was stopped, a sweep is not complete. The
// only functions that may be called from another thread (or a signal handler) while the context
// works are this one and the two below it. Asked between events, steps and points, at every place
// where the hook `stop` is. Holds for all later work, too, until jd_context_resume.
void jd_context_cancel(jd_context *context);
// True between jd_context_cancel and jd_context_resume.
bool jd_context_cancelled(const jd_context *context);
// How far the work under way is: its last fraction in [0, 1], 0 before the first. *what (may be
// NULL) is its name, "" before the first; it lives for ever. Another thread may ask at any time.
double jd_context_progress(const jd_context *context, const char **what);
// Takes a cancel back, so that the context can work again.
void jd_context_resume(jd_context *context);

#ifdef __cplusplus
}
#endif

#endif

// context.h -- what every call carries: last error, log and progress hooks, allocator, stop flag.
//   One context per thread of work. The library has no globals, prints nothing and never exits.
#ifndef JUDDER_CONTEXT_H
#define JUDDER_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "judder/status.h"

// Last error, hooks and allocator of one thread of work.
typedef struct jd_context jd_context;

// How much a log line matters.
typedef enum jd_log_level { JD_LOG_NOTE, JD_LOG_WARNING } jd_log_level;

// What went wrong last. Strings live until the next failure or the context's end; never NULL.
typedef struct jd_error {
    jd_status status;
    const char *message; // one sentence: what is wrong, with the offending text quoted
    const char *where;   // "file:line:column" or a problem path; "" where there is no place
    const char *hint;    // what to do about it; "" where nothing helps
} jd_error;

// What the caller gives to a context; all of it may be left out.
typedef struct jd_context_def {
    // Memory: NULL for malloc/free. `allocate` returns NULL when there is none (tests inject that).
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *block);
    // One finished sentence, no newline. NULL: nobody listens.
    void (*log)(void *user, jd_log_level level, const char *text);
    // fraction in [0, 1] of the work named `what`; called at most a few hundred times.
    void (*progress)(void *user, const char *what, double fraction);
    // Asked between events: true ends the work early with what there is. NULL: never.
    bool (*stop)(void *user);
    void *user;
    // Result files are read in a child process (fork) before they are read here: one on which the
    // HDF5 library crashes or does not end is refused by name. Reading then takes twice as long.
    bool fence;
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

// Version of the library, "1.2.3".
const char *jd_version(void);

#endif

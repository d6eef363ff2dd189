// context.c -- the context: errors, hooks, raw memory.
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

enum { MESSAGE_SIZE = 1024, PLACE_SIZE = 512, FILES = 64 };

struct jd_context {
    jd_context_def def;
    jd_error error;
    atomic_bool cancelled;             // written by any thread
    _Atomic(const char *) progress_of; // what the fraction is of; read by any thread
    _Atomic double progress;
    unsigned long long read[FILES][2]; // device and number of files that were read
    unsigned n_read;
    bool keep_shapes;
    const struct jd_solver *solver; // of sparse matrices; NULL: MUMPS
    char message[MESSAGE_SIZE], where[PLACE_SIZE], hint[MESSAGE_SIZE];
};

static void *plain_allocate(void *user, size_t bytes) {
    (void)user;
    return malloc(bytes);
}

static void plain_release(void *user, void *block) {
    (void)user;
    free(block);
}

jd_context_def jd_default_context_def(void) {
    return (jd_context_def){.allocate = plain_allocate, .release = plain_release};
}

jd_context *jd_context_create(const jd_context_def *def) {
    jd_context_def d = def ? *def : jd_default_context_def();
    if (!d.allocate || !d.release) {
        d.allocate = plain_allocate;
        d.release = plain_release;
    }
    jd_context *c = d.allocate(d.user, sizeof *c);
    if (!c) return NULL;
    memset(c, 0, sizeof *c);
    c->def = d;
    atomic_init(&c->cancelled, false);
    atomic_init(&c->progress_of, "");
    atomic_init(&c->progress, 0);
    jd_context_clear_error(c);
    return c;
}

void jd_context_free(jd_context *c) {
    if (c) c->def.release(c->def.user, c);
}

void jd_note_read(jd_context *c, unsigned long long device, unsigned long long file) {
    unsigned i = c->n_read++ % FILES;
    c->read[i][0] = device;
    c->read[i][1] = file;
}

bool jd_was_read(const jd_context *c, unsigned long long device, unsigned long long file) {
    for (unsigned i = 0; i < c->n_read && i < FILES; i++)
        if (c->read[i][0] == device && c->read[i][1] == file) return true;
    return false;
}

const jd_error *jd_context_error(const jd_context *c) { return &c->error; }

void jd_context_clear_error(jd_context *c) {
    c->message[0] = c->where[0] = c->hint[0] = '\0';
    c->error = (jd_error){JD_OK, c->message, c->where, c->hint};
}

jd_status jd_fail(jd_context *c, jd_status status, const char *format, ...) {
    c->error.status = status;
    c->where[0] = c->hint[0] = '\0';
    va_list args;
    va_start(args, format);
    vsnprintf(c->message, sizeof c->message, format, args);
    va_end(args);
    return status;
}

void jd_fail_where(jd_context *c, const char *format, ...) {
    if (c->where[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(c->where, sizeof c->where, format, args);
    va_end(args);
}

void jd_fail_hint(jd_context *c, const char *format, ...) {
    if (c->hint[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(c->hint, sizeof c->hint, format, args);
    va_end(args);
}

void jd_log(jd_context *c, jd_log_level level, const char *format, ...) {
    if (!c->def.log) return;
    char text[MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c->def.log(c->def.user, level, text);
}

void jd_progress(jd_context *c, const char *what, double fraction) {
    atomic_store(&c->progress_of, what);
    atomic_store(&c->progress, fraction);
    if (c->def.progress) c->def.progress(c->def.user, what, fraction);
}

double jd_context_progress(const jd_context *c, const char **what) {
    if (what) *what = atomic_load(&c->progress_of);
    return atomic_load(&c->progress);
}

void jd_context_cancel(jd_context *c) { atomic_store(&c->cancelled, true); }
void jd_context_resume(jd_context *c) { atomic_store(&c->cancelled, false); }
bool jd_context_cancelled(const jd_context *c) { return atomic_load(&c->cancelled); }

bool jd_stop_wanted(jd_context *c) {
    return jd_context_cancelled(c) || (c->def.stop && c->def.stop(c->def.user));
}

bool jd_fenced(const jd_context *c) { return c->def.fence; }
bool jd_keeps_modes(const jd_context *c) { return c->def.keep_modes; }
void jd_context_keep_modes(jd_context *c, bool keep) { c->def.keep_modes = keep; }

bool jd_keeps_shapes(const jd_context *c) { return c->keep_shapes; }
void jd_context_keep_shapes(jd_context *c, bool keep) { c->keep_shapes = keep; }

const struct jd_solver *jd_context_solver(const jd_context *c) { return c->solver; }
void jd_context_set_solver(jd_context *c, const struct jd_solver *solver) { c->solver = solver; }

void *jd_allocate(jd_context *c, size_t bytes) {
    void *block = c->def.allocate(c->def.user, bytes ? bytes : 1);
    if (!block) jd_fail(c, JD_OUT_OF_MEMORY, "not enough memory for %zu bytes", bytes);
    return block;
}

void *jd_allocate_zeros(jd_context *c, size_t bytes) {
    bool own = c->def.allocate != plain_allocate;
    void *block = own ? jd_allocate(c, bytes) : calloc(1, bytes ? bytes : 1);
    if (block && own) memset(block, 0, bytes);
    if (!block && !own) jd_fail(c, JD_OUT_OF_MEMORY, "not enough memory for %zu bytes", bytes);
    return block;
}

void jd_release(jd_context *c, void *block) {
    if (block) c->def.release(c->def.user, block);
}

jd_status jd_room(jd_context *c, size_t bytes) {
    void *volatile probe = malloc(bytes); // where libraries take theirs from; never touched
    free(probe);
    return probe ? JD_OK : jd_fail(c, JD_OUT_OF_MEMORY, "not enough memory");
}

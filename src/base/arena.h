// arena.h -- memory of one object: allocated piece by piece, freed in one call.
//   Blocks are zeroed and 64-byte aligned (a cache line, one AVX-512 register).
//   Failure is sticky: allocate everything, then ask jd_arena_status once.
#ifndef JD_BASE_ARENA_H
#define JD_BASE_ARENA_H

#include "base/fail.h"

typedef struct jd_arena jd_arena;

jd_arena *jd_arena_create(jd_context *context); // NULL: out of memory, recorded in the context
void jd_arena_free(jd_arena *arena);
jd_context *jd_arena_context(const jd_arena *arena);

// count * size bytes, or NULL (sticky). A count of 0 gives a valid pointer to nothing.
void *jd_arena_take(jd_arena *arena, size_t count, size_t size);
// The same, not zeroed: for large tables that are filled where they are used (untouched pages cost
// nothing).
void *jd_arena_take_raw(jd_arena *arena, size_t count, size_t size);
char *jd_arena_text(jd_arena *arena, const char *text); // copy of a string
char *jd_arena_format(jd_arena *arena, const char *format, ...) JD_PRINTF(2, 3);
jd_status jd_arena_status(const jd_arena *arena); // JD_OK or JD_OUT_OF_MEMORY
size_t jd_arena_bytes(const jd_arena *arena);     // bytes handed out so far

// Everything taken after the mark is given back (for scratch inside a long-lived arena).
typedef struct jd_arena_mark {
    void *chunk;
    size_t used;
} jd_arena_mark;
jd_arena_mark jd_arena_here(const jd_arena *arena);
void jd_arena_back(jd_arena *arena, jd_arena_mark mark);
// The same, and the memory is kept for what is taken next: for tables that are made again and
// again.
void jd_arena_rewind(jd_arena *arena, jd_arena_mark mark);

#define JD_TAKE(arena, type, count) ((type *)jd_arena_take((arena), (size_t)(count), sizeof(type)))
#define JD_TAKE_RAW(arena, type, count)                                                            \
    ((type *)jd_arena_take_raw((arena), (size_t)(count), sizeof(type)))

#endif

// arena.c -- chunks that double in size; a block never moves.
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ALIGN = 64, FIRST_CHUNK = 1 << 14, LARGEST_CHUNK = 1 << 22, LARGE = 1 << 20 };

typedef struct chunk {
    struct chunk *below;
    size_t size, used; // bytes behind the header, and how many are taken
    size_t dirty;      // bytes behind these are 0: of large blocks pages that nobody uses are no
                       // memory
    char *data;        // aligned start
} chunk;

struct jd_arena {
    jd_context *context;
    chunk *top;
    chunk *spare; // kept by jd_arena_rewind
    size_t next_size, bytes;
    jd_status status;
};

static size_t rounded(size_t n) { return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1); }

// The spare chunk on top, when it is large enough.
static chunk *push_spare(jd_arena *a, size_t at_least) {
    chunk *c = a->spare;
    if (!c || c->size < at_least) return NULL;
    a->spare = c->below;
    c->below = a->top;
    c->used = 0;
    a->top = c;
    return c;
}

static chunk *push_chunk(jd_arena *a, size_t at_least) {
    chunk *spare = push_spare(a, at_least);
    if (spare) return spare;
    size_t size = a->next_size > at_least ? a->next_size : at_least;
    if (a->next_size < LARGEST_CHUNK) a->next_size *= 2;
    bool large = at_least >= LARGE;
    char *raw = (large ? jd_allocate_zeros : jd_allocate)(a->context, sizeof(chunk) + ALIGN + size);
    if (!raw) return NULL;
    chunk *c = (chunk *)(void *)raw;
    size_t skip = ALIGN - (uintptr_t)(raw + sizeof(chunk)) % ALIGN;
    *c = (chunk){.below = a->top,
                 .size = size,
                 .dirty = large ? 0 : size,
                 .data = raw + sizeof(chunk) + skip};
    a->top = c;
    return c;
}

jd_arena *jd_arena_create(jd_context *context) {
    jd_arena *a = jd_allocate(context, sizeof *a);
    if (a) *a = (jd_arena){.context = context, .next_size = FIRST_CHUNK};
    return a;
}

static void release_all(jd_arena *a, chunk *top) {
    while (top) {
        chunk *below = top->below;
        jd_release(a->context, top);
        top = below;
    }
}

void jd_arena_free(jd_arena *a) {
    if (!a) return;
    release_all(a, a->top);
    release_all(a, a->spare);
    jd_release(a->context, a);
}

jd_context *jd_arena_context(const jd_arena *a) { return a->context; }
jd_status jd_arena_status(const jd_arena *a) { return a->status; }
size_t jd_arena_bytes(const jd_arena *a) { return a->bytes; }

// *dirty of the bytes, from the first on, may be other than 0.
static void *take(jd_arena *a, size_t count, size_t size, size_t *dirty) {
    if (a->status != JD_OK) return NULL;
    if (size && count > (SIZE_MAX / 2) / size) {
        a->status = jd_fail(a->context, JD_OUT_OF_MEMORY,
                            "not enough memory for %zu items of %zu bytes", count, size);
        return NULL;
    }
    size_t n = rounded(count > 0 && size > 0 ? count * size : 1);
    chunk *c = a->top;
    if (!c || c->size - c->used < n) c = push_chunk(a, n);
    if (!c) {
        a->status = JD_OUT_OF_MEMORY;
        return NULL;
    }
    void *block = c->data + c->used;
    size_t before = c->dirty > c->used ? c->dirty - c->used : 0;
    *dirty = before < n ? before : n;
    c->used += n;
    if (c->dirty < c->used) c->dirty = c->used;
    a->bytes += n;
    return block;
}

void *jd_arena_take_raw(jd_arena *a, size_t count, size_t size) {
    size_t dirty;
    return take(a, count, size, &dirty);
}

void *jd_arena_take(jd_arena *a, size_t count, size_t size) {
    size_t dirty = 0;
    void *block = take(a, count, size, &dirty);
    return block ? memset(block, 0, dirty) : NULL;
}

char *jd_arena_text(jd_arena *a, const char *text) {
    size_t n = strlen(text) + 1;
    char *copy = jd_arena_take(a, n, 1);
    return copy ? memcpy(copy, text, n) : NULL;
}

char *jd_arena_format(jd_arena *a, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : jd_arena_take(a, (size_t)n + 1, 1);
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

jd_arena_mark jd_arena_here(const jd_arena *a) {
    return (jd_arena_mark){a->top, a->top ? a->top->used : 0};
}

void jd_arena_back(jd_arena *a, jd_arena_mark mark) {
    while (a->top && a->top != mark.chunk) {
        chunk *below = a->top->below;
        jd_release(a->context, a->top);
        a->top = below;
    }
    if (a->top) a->top->used = mark.used;
}

void jd_arena_rewind(jd_arena *a, jd_arena_mark mark) {
    while (a->top && a->top != mark.chunk) {
        chunk *below = a->top->below;
        a->top->below = a->spare;
        a->spare = a->top;
        a->top = below;
    }
    if (a->top) a->top->used = mark.used;
}

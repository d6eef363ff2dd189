// snapshot.h -- one walk over a state: counts its bytes, writes them, or reads them back.
#ifndef JD_ENGINE_MEMORY_SNAPSHOT_H
#define JD_ENGINE_MEMORY_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct snapshot {
    char *to;         // writes, unless NULL
    const char *from; // reads, unless NULL; neither: counts
    size_t size;      // so far
} snapshot;

static inline void snapshot_visit(snapshot *s, void *what, size_t bytes) {
    if (bytes > 0 && s->to) memcpy(s->to + s->size, what, bytes);
    if (bytes > 0 && s->from) memcpy(what, s->from + s->size, bytes);
    s->size += bytes;
}

static inline void snapshot_reals(snapshot *s, double *what, int n) {
    snapshot_visit(s, what, (size_t)n * sizeof *what);
}

static inline void snapshot_count(snapshot *s, long *what) {
    int64_t wide = *what;
    snapshot_visit(s, &wide, sizeof wide);
    *what = (long)wide;
}

static inline void snapshot_whole(snapshot *s, int *what) {
    int32_t wide = *what;
    snapshot_visit(s, &wide, sizeof wide);
    *what = wide;
}

static inline void snapshot_flag(snapshot *s, bool *what) {
    int whole = *what;
    snapshot_whole(s, &whole);
    *what = whole != 0;
}

#endif

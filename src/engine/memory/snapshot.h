// snapshot.h -- one walk over a state: counts its bytes, writes them, or reads them back. Reading
// goes no further than the bytes there are, and remembers the first number that no run has.
#ifndef JD_ENGINE_MEMORY_SNAPSHOT_H
#define JD_ENGINE_MEMORY_SNAPSHOT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct snapshot {
    char *to;         // writes, unless NULL
    const char *from; // reads, unless NULL; neither: counts
    size_t size;      // so far
    size_t room;      // bytes there are to read
    const char *odd;  // what is not as it can be, the first of it; NULL: nothing
} snapshot;

static inline void snapshot_odd(snapshot *s, const char *what) {
    if (s->from && !s->odd) s->odd = what;
}

static inline void snapshot_visit(snapshot *s, void *what, size_t bytes) {
    if (bytes > 0 && s->to) memcpy(s->to + s->size, what, bytes);
    if (s->from && bytes > s->room - s->size) { // what is read stays as it is
        snapshot_odd(s, "its length is");
        s->size = s->room;
        return;
    }
    if (bytes > 0 && s->from) memcpy(what, s->from + s->size, bytes);
    s->size += bytes;
}

static inline void snapshot_reals(snapshot *s, double *what, int n) {
    snapshot_visit(s, what, (size_t)n * sizeof *what);
    for (int i = 0; s->from && i < n; i++)
        if (!(fabs(what[i]) < 1e100)) snapshot_odd(s, "a number is"); // a run would have stopped
}

static inline void snapshot_count(snapshot *s, long *what) {
    int64_t wide = *what;
    snapshot_visit(s, &wide, sizeof wide);
    if (wide < 0 || wide >= 1LL << 53) snapshot_odd(s, "a count is");
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
    if (whole != 0 && whole != 1) snapshot_odd(s, "a flag is");
    *what = whole != 0;
}

#endif

// scratch.h -- a folder for what other programs leave behind, gone when they are done.
#ifndef JD_BENCH_SCRATCH_H
#define JD_BENCH_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>

typedef struct scratch {
    char path[64];
} scratch;

static inline int scratch_make(scratch *s) {
    snprintf(s->path, sizeof s->path, "/tmp/judder-bench-XXXXXX");
    return mkdtemp(s->path) != NULL;
}

static inline void scratch_remove(const scratch *s) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", s->path);
    if (system(command) != 0) fprintf(stderr, "%s stays behind\n", s->path);
}

#endif

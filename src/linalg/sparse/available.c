// available.c -- what Linux says about memory: /proc/meminfo, the control group, RLIMIT_AS.
#include "linalg/sparse/available.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// The number a file begins with; SIZE_MAX where there is none (a limit of `max`).
static size_t number_in(const char *path) {
    unsigned long long value;
    FILE *file = fopen(path, "re");
    if (!file) return SIZE_MAX;
    int found = fscanf(file, "%llu", &value);
    fclose(file);
    return found == 1 ? (size_t)value : SIZE_MAX;
}

static size_t kernel_says(void) {
    char line[200];
    unsigned long long kilobytes;
    size_t bytes = SIZE_MAX;
    FILE *file = fopen("/proc/meminfo", "re");
    if (!file) return bytes;
    while (bytes == SIZE_MAX && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            bytes = (size_t)kilobytes * 1024;
    fclose(file);
    return bytes;
}

static size_t left_of(size_t limit, size_t used) {
    if (limit == SIZE_MAX || used == SIZE_MAX) return SIZE_MAX;
    return limit > used ? limit - used : 0;
}

static size_t addresses_left(void) {
    struct rlimit limit;
    size_t pages = number_in("/proc/self/statm");
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || pages == SIZE_MAX)
        return SIZE_MAX;
    return left_of((size_t)limit.rlim_cur, pages * (size_t)sysconf(_SC_PAGESIZE));
}

size_t jd_memory_available(void) {
    const size_t said[] = {
        kernel_says(),
        left_of(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory.current")),
        addresses_left()};
    size_t least = said[0];
    for (size_t i = 1; i < sizeof said / sizeof *said; i++)
        if (said[i] < least) least = said[i];
    return least;
}

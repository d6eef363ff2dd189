// pages.h -- pages of addresses that the process has, to limit them in a test.
#ifndef JD_TESTS_PAGES_H
#define JD_TESTS_PAGES_H

#include <stdio.h>

static inline size_t pages_in_use(void) {
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%lu", &pages) != 1) pages = 0;
    if (f) fclose(f);
    return pages;
}

#endif

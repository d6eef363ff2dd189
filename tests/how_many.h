// how_many.h -- how many random models a test draws.
//   JD_DRAWS=500 draws 500 of them, by hand; JD_DRAWS=/4 a quarter, for builds that are slow and
//   look for something else than the claim itself (sanitizers).
#ifndef JD_TESTS_HOW_MANY_H
#define JD_TESTS_HOW_MANY_H

#include <stdlib.h>

// A part is never below `least`, which the test's claims on its counts need.
static inline int how_many(int plenty, int least) {
    const char *asked = getenv("JD_DRAWS");
    if (!asked) return plenty;
    if (*asked != '/') return atoi(asked);
    int part = atoi(asked + 1), n = part > 0 ? plenty / part : plenty;
    return n > least ? n : least;
}

#endif

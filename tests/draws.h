// draws.h -- numbers drawn in a test, the same in each run.
#ifndef JD_TESTS_DRAWS_H
#define JD_TESTS_DRAWS_H

#include <math.h>

static unsigned long long seed = 1; // a test may set another

// A linear congruential generator with 53 bits of its state.
static inline double uniform(double low, double high) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

// splitmix64: seeds next to each other draw unlike numbers.
static inline double mixed(double low, double high) {
    unsigned long long z = (seed += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static inline int pick(int n) { return (int)mixed(0, n); }
static inline double decades(double low, double high) { return pow(10, mixed(low, high)); }

#endif

// clones.h -- functions compiled once more for newer processors, chosen when the program starts.
//   Where the compiler can; clang's clones would need the attribute at every caller, and address
//   sanitizers are not ready when the choice is made. A clone never changes a bit of the result:
//   sums have a written order (base/lanes.h) and nothing is contracted. JD_PLAIN, a build without
//   them, is there to compare.                                      tested: tests/cli/bits.sh
#ifndef JD_BASE_CLONES_H
#define JD_BASE_CLONES_H

#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    defined(__GNUC__) && !defined(__clang__) && !defined(JD_PLAIN)
#define JD_CLONES(...) __attribute__((target_clones("default", __VA_ARGS__)))
#else
#define JD_CLONES(...)
#endif

#endif

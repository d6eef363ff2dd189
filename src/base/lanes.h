// lanes.h -- four doubles at a time, for the few files with inner loops.
//   Written out as one vector type, so that every build adds in the same order: a machine changes
//   the speed and not the bits.
#ifndef JD_BASE_LANES_H
#define JD_BASE_LANES_H

#include <stdint.h>

typedef double v4 __attribute__((vector_size(32)));
typedef int64_t i4 __attribute__((vector_size(32)));
typedef double v4u __attribute__((vector_size(32), aligned(8), may_alias));
#define LOAD(p) (*(const v4u *)(p))
#define STORE(p, x) (*(v4u *)(p) = (x))
#define ALL(x) ((v4){(x), (x), (x), (x)})

// Single precision, four and eight at a time.
typedef float f4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef float f4u __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f8u __attribute__((vector_size(32), aligned(4), may_alias));
#define LOAD_F4(p) (*(const f4u *)(p))
#define LOAD_F8(p) (*(const f8u *)(p))
#define STORE_F4(p, x) (*(f4u *)(p) = (x))
#define STORE_F8(p, x) (*(f8u *)(p) = (x))
#define ALL_F4(x) ((f4){(x), (x), (x), (x)})
#define ALL_F8(x) ((f8){(x), (x), (x), (x), (x), (x), (x), (x)})

#endif

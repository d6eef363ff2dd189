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

#endif

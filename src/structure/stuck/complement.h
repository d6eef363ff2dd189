// complement.h -- modes with most of the structure stuck, in what the contacts leave free.
#ifndef JD_STRUCTURE_COMPLEMENT_H
#define JD_STRUCTURE_COMPLEMENT_H

#include "base/arena.h"
#include "base/dd.h"

// Q (n x (n - m), row-major) orthonormal with B Q = 0 and Q' diag(omega2) Q = diag(root), root
// ascending. *whole: false when the m < n rows B depend on each other; then nothing is set.
jd_status jd_complement(jd_arena *arena, int n, const jd_dd *omega2, int m, const jd_dd *const *B,
                        bool *whole, jd_dd *root, jd_dd *Q);

#endif

// secular.h -- a diagonal oscillator with one linear constraint b'q = 0, one coordinate more, or
// one spring along b'q.
#ifndef JD_STRUCTURE_SECULAR_H
#define JD_STRUCTURE_SECULAR_H

#include "base/arena.h"
#include "base/dd.h"

// pole: n squared frequencies in any order; b: the constraint, not all zero. root: n - 1 squared
// frequencies, ascending; Q: n x (n - 1) row-major, Q'Q = I, b'Q = 0, Q' diag(pole) Q = diag(root).
// Scratch comes from the arena and goes back.
jd_status jd_secular(jd_arena *arena, int n, const jd_dd *pole, const jd_dd *b, jd_dd *root,
                     jd_dd *Q);

// One coordinate more, of stiffness `border` > 0, coupled to the others by b: [diag(pole) b; b'
// border] = Q diag(root) Q', n + 1 roots, ascending; Q: (n + 1) x (n + 1), row-major.
jd_status jd_bordered(jd_arena *arena, int n, const jd_dd *pole, const jd_dd *b, jd_dd border,
                      jd_dd *root, jd_dd *Q);

// A spring of stiffness k > 0 along b'q: diag(pole) + k b b' = Q diag(root) Q', n roots, ascending;
// Q: n x n, row-major.
jd_status jd_sprung(jd_arena *arena, int n, const jd_dd *pole, const jd_dd *b, double k,
                    jd_dd *root, jd_dd *Q);

#endif

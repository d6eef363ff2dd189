// forces.h -- contact forces of a new phase: the unique minimiser of a box-constrained quadratic.
//   minimise  1/2 x' G x + b' x   over  low <= x <= high,     a = G x + b
//   x inside: a = 0;  x = low: a >= 0;  x = high: a <= 0.
//   With G = B M^-1 B', b the accelerations without these forces, x the forces and a the
//   accelerations that remain, this is Coulomb's law for contacts at rest (box +-limit) and
//   Signorini's for closed stops (one-signed). With velocities instead it is Newton's impact law.
//   a is unique; where G is singular x is the one of smallest norm on its face.
#ifndef JD_CONTACT_FORCES_H
#define JD_CONTACT_FORCES_H

#include <stdbool.h>

typedef enum jd_bound { JD_INSIDE, JD_AT_LOW, JD_AT_HIGH } jd_bound;

// Doubles of scratch for n unknowns.
int jd_forces_scratch(int n);
// x and bound are results; a (n) the accelerations. Returns false when the split of forces is not
// unique (G singular on the inside set).
bool jd_forces_solve(int n, const double *G, int stride, const double *b, const double *low,
                     const double *high, double *x, double *a, jd_bound *bound, double *scratch);

// Where the split is not unique: the one that is (nearly) shortest in given units of force (n,
// positive), so that each contact keeps as much of its limit in reserve as there is. Starts from
// the x in the box that is given, with those on a wall told in `bound`; scratch: 2 n^2 + 4 n more.
void jd_forces_share(int n, const double *G, int stride, const double *b, const double *low,
                     const double *high, const double *unit, double *x, double *a, jd_bound *bound,
                     double *scratch);

#endif

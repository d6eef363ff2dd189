// nonlinear_string.h -- a string whose tension grows as it is stretched, as other layers see it.
#ifndef JD_STRUCTURE_NONLINEAR_STRING_H
#define JD_STRUCTURE_NONLINEAR_STRING_H

#include "structure/piecewise/pws.h"

// In modes, u = sum a_k sin(k pi xi), s^2 = 1 + g p, p = sum k^2 a_k^2:
//   a_k'' + 2 beta c s k pi a_k' + (c s k pi)^2 a_k = 2 S_k f,  k >= 2,    S_k = sin(k pi xi*)
//   and for k = 1 also (tail f + E)/S_1, E the wave term L+ = gain/(c s) at work.
typedef struct jd_stretched {
    int n; // modes
    double beta, c, g;
    double gain; // L+ c s
    double sigma;
    double tail; // 2 sum_(k > n) S_k^2/k^2; 0: plain truncation
    double at;   // xi*
    bool full;   // the modes above n answer with all their memory
    double *S;   // n
} jd_stretched;

// As seen from a point of the structure (its number).
jd_status jd_stretched_of(const jd_structure *structure, int point, jd_arena *arena,
                          jd_stretched *out);
// s of a state y = (u(xi*), a_2 ... a_n; rates).
double jd_stretched_factor(const jd_stretched *string, const double *y);
int jd_stretched_points(const jd_structure *structure); // points with a position come first
// Weight of mode k = 1 ... n in the displacement of a point.
double jd_stretched_shape(const jd_structure *structure, int point, int k);

#endif

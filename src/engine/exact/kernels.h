// kernels.h -- the engine's inner loops over modes; the same bits on every machine.
#ifndef JD_ENGINE_EXACT_KERNELS_H
#define JD_ENGINE_EXACT_KERNELS_H

// x = A q, v = A p for A stored by columns of length rows: A(i, j) at A[j*rows + i].
void turn(int rows, int columns, const double *A, const double *q, const double *p, double *x,
          double *v);

// Four complex weights per slot, apart: w[s][0..3] real parts, w[s][4..7] imaginary parts.
typedef double weights4[8];
// out[i] = Re, out[4 + i] = Im of sum_s w_i(s) z(s), i = 0..3.
void weigh4(int slots, const weights4 *w, const double *re, const double *im, double out[8]);

#endif

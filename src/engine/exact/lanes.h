// lanes.h -- the engine's inner loops over modes; the same bits on every machine.
#ifndef JD_ENGINE_EXACT_LANES_H
#define JD_ENGINE_EXACT_LANES_H

// x = A q, v = A p for A stored by columns of length rows: A(i, j) at A[j*rows + i].
void jd_rotate(int rows, int columns, const double *A, const double *q, const double *p, double *x,
               double *v);

// x += A q, v += A p, A(i, j) at A[j*stride + i].
void jd_rotate_add(int rows, int columns, int stride, const double *A, const double *q,
                   const double *p, double *x, double *v);

// Products of amplitudes at the two ends of a phase, end minus start, added to running sums:
//   square += [z^2], size += [|z|^2] slot by slot (three rows of n: re, im, size)
void jd_add_squares(int n, const double *re0, const double *im0, const double *re1,
                    const double *im1, double *sums);
//   plus += [z d], minus += [z conj d] for one drive amplitude d (four rows of n: re, im, re, im)
void jd_add_products(int n, const double *re0, const double *im0, const double *re1,
                     const double *im1, const double d0[2], const double d1[2], double *sums);

// Coordinates of one pole each, where slots follow coordinates: x += re, v += a re - w im; and
// back.
void jd_add_motion(int n, const double *a, const double *w, const double *re, const double *im,
                   double *x, double *v);
void jd_take_motion(int n, const double *a, const double *w, const double *x, const double *v,
                    double *re, double *im);
// acc = -omega2 q - c p
void jd_pull_back(int n, const double *omega2, const double *c, const double *q, const double *p,
                  double *acc);

// Derivatives of the motion in units of the fastest rate, over = 1/rate (ties.c):
//   before = rate p, its size, now_size = omega2 |q| + |c p|
void jd_tie_begin(int n, double rate, const double *omega2, const double *c, const double *q,
                  const double *p, double *before, double *before_size, double *now_size);
//   next = -over^2 omega2 before - over c now, and the same of the sizes with all terms positive
void jd_tie_next(int n, double over, const double *omega2, const double *c, const double *before,
                 const double *now, const double *before_size, const double *now_size, double *next,
                 double *next_size);
// to += |factor row|
void jd_add_size(int n, double factor, const double *row, double *to);

// Four running sums: fixed order, vectorises.
double jd_lanes_dot(int n, const double *a, const double *b);
// The same, and *size = sum of |a_k b_k|.
double jd_dot_with_size(int n, const double *a, const double *b, double *size);
// to += factor row
void jd_add_row(int n, double factor, const double *row, double *to);
// x += Re(X z), xd += Re(i Omega X z) for one drive amplitude z
void jd_add_wave(int n, const double *Xr, const double *Xi, double zr, double zi, double Omega,
                 double *x, double *xd);
// (x, v) = F (x, v) for all columns, F: what x becomes of x, v of x, x of v, v of v
void jd_flow(int n, const double F[4], double *x, double *v);
// Y = A X, A(i, j) at A[j*step + i], rows of X and Y by strides: sums over j in order, whatever the
// number of columns.
void jd_mix_columns(int rows, int inner, int columns, const double *A, int step, const double *X,
                    int x_stride, double *Y, int y_stride);

#endif

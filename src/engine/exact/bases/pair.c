// pair.c -- integrals of pair blocks r = (p, q), r' = T r, T = {mu 1; delta2 mu}.
//   (r z)' = (T + s) r z, hence int w'r z = [w'(T + s)^-1 r z]; of two blocks r'Z u with
//   T_r'Z + Z T_u = W (Sylvester: four equations). mu < 0 is not small, so no sum vanishes but for
//   blocks of opposite growth. Moments by parts, T J_m = [v^m r] - m J_(m-1) upwards while
//   m <= |T t|, the same downwards from far above: phi.c.   tested: pair_blocks_are_integrated
#include "engine/exact/bases/pair.h"

#include <math.h>
#include <stdbool.h>

#include "engine/exact/exact.h"

enum { FADING = 44 }; // as in phi.c

void jd_pair_with_pole(const jd_pole_pair *pair, const double w[2], jd_complex s,
                       jd_complex out[2]) {
    double delta2 = pair->delta2.re;
    jd_complex m = {pair->mu.re + s.re, s.im}, det = times(m, m);
    det.re -= delta2;
    out[0] = over((jd_complex){w[0] * m.re - w[1] * delta2, w[0] * m.im}, det);
    out[1] = over((jd_complex){w[1] * m.re - w[0], w[1] * m.im}, det);
}

// T' Z + Z U = W with s = mu_r + mu_u, T' = mu + {0 d; 1 0}, U = mu + {0 1; e 0}:
//   s z00 + d z10 + e z01 = w00     s z01 + d z11 +   z00 = w01
//   s z10 +   z00 + e z11 = w10     s z11 +   z01 +   z10 = w11
void jd_pair_with_pair(const jd_pole_pair *r, const jd_pole_pair *u, const double W[4],
                       double Z[4]) {
    double s = r->mu.re + u->mu.re, d = r->delta2.re, e = u->delta2.re;
    double A[4][5] = {
        {s, e, d, 0, W[0]}, {1, s, 0, d, W[1]}, {1, 0, s, e, W[2]}, {0, 1, 1, s, W[3]}};
    for (int p = 0; p < 4; p++) {
        int best = p;
        for (int i = p + 1; i < 4; i++)
            if (fabs(A[i][p]) > fabs(A[best][p])) best = i;
        for (int j = 0; j < 5; j++) {
            double swap = A[p][j];
            A[p][j] = A[best][j];
            A[best][j] = swap;
        }
        for (int i = p + 1; i < 4; i++) {
            double factor = A[i][p] / A[p][p];
            for (int j = p; j < 5; j++) A[i][j] -= factor * A[p][j];
        }
    }
    for (int p = 3; p >= 0; p--) {
        Z[p] = A[p][4];
        for (int j = p + 1; j < 4; j++) Z[p] -= A[p][j] * Z[j];
        Z[p] /= A[p][p];
    }
}

static void apply(const jd_pole_pair *pair, double t, const double r[2], double out[2]) { // t T r
    double mu = pair->mu.re, p = r[0], q = r[1];
    out[0] = t * (mu * p + q);
    out[1] = t * (pair->delta2.re * p + mu * q);
}

// From moment m on, downwards from far above.
static void moments_down(const jd_pole_pair *pair, const double r1[2], double t, double size, int m,
                         int n, double *out) {
    int top = n + FADING + 2 * (int)size;
    double above[2] = {r1[0] / (top + 1), r1[1] / (top + 1)}, product[2];
    for (int k = top; k > m; k--) {
        apply(pair, t, above, product);
        for (int i = 0; i < 2; i++) above[i] = (r1[i] - product[i]) / k;
        for (int i = 0; i < 2 && k - 1 < n; i++) out[2 * (k - 1) + i] = above[i];
    }
}

void jd_pair_moments(const jd_pole_pair *pair, const double r0[2], const double r1[2], double t,
                     int n, double *out) {
    double mu = pair->mu.re, delta2 = pair->delta2.re, det = mu * mu - delta2, power = t;
    double size = (fabs(mu) + sqrt(fabs(delta2))) * t;
    int m = 0;
    for (; m < n && m <= size && size >= 1; m++) { // over t^(m+1)
        double end[2];
        for (int i = 0; i < 2; i++) end[i] = r1[i] - (m == 0 ? r0[i] : m * out[2 * (m - 1) + i]);
        out[2 * m] = (mu * end[0] - end[1]) / (det * t);
        out[2 * m + 1] = (mu * end[1] - delta2 * end[0]) / (det * t);
    }
    if (m < n) moments_down(pair, r1, t, size, m, n, out);
    for (m = 0; m < n; m++, power *= t)
        for (int i = 0; i < 2; i++) out[2 * m + i] *= power;
}

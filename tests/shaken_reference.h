// shaken_reference.h -- closed form of a shaken mass on a spring between impacts, in long double.
//   x'' + 2 z x' + x = sin w t,
//     x = A sin w t + B cos w t + exp(-z t)(C cos r t + D sin r t),  r^2 = 1 - z^2.
#ifndef JD_TESTS_SHAKEN_REFERENCE_H
#define JD_TESTS_SHAKEN_REFERENCE_H

#include <math.h>

typedef long double real;

typedef struct shaken {
    real ratio, restitution, omega;
} shaken;

// A free motion: amplitudes of its parts, and when it began.
typedef struct flight {
    real A, B, C, D, t;
} flight;

static inline flight fly(const shaken *s, real t, real x, real v) {
    real w = s->omega, z = s->ratio, r = sqrtl(1 - z * z);
    real a = 1 - w * w, b = 2 * z * w, size = a * a + b * b;
    flight f = {.A = a / size, .B = -b / size, .t = t};
    f.C = x - (f.A * sinl(w * t) + f.B * cosl(w * t));
    f.D = (v - w * (f.A * cosl(w * t) - f.B * sinl(w * t)) + z * f.C) / r;
    return f;
}

static inline real place(const shaken *s, const flight *f, real t) {
    real w = s->omega, r = sqrtl(1 - s->ratio * s->ratio), d = t - f->t;
    return f->A * sinl(w * t) + f->B * cosl(w * t) +
           expl(-s->ratio * d) * (f->C * cosl(r * d) + f->D * sinl(r * d));
}

static inline real speed(const shaken *s, const flight *f, real t) {
    real w = s->omega, z = s->ratio, r = sqrtl(1 - z * z), d = t - f->t;
    return w * (f->A * cosl(w * t) - f->B * sinl(w * t)) +
           expl(-z * d) *
               ((r * f->D - z * f->C) * cosl(r * d) - (r * f->C + z * f->D) * sinl(r * d));
}

// Gauss: the solution is A[i][3]/A[i][i].
static inline void solve3(real A[3][4]) {
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++)
            if (fabsl(A[i][k]) > fabsl(A[best][k])) best = i;
        for (int j = 0; j < 4; j++) {
            real swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        for (int i = 0; i < 3; i++) {
            real share = A[i][k] / A[k][k];
            for (int j = k; j < 4 && i != k; j++) A[i][j] -= share * A[k][j];
        }
    }
}

// d(x, x') a time d later/d(x, x') applied to (x, y).
static inline void carry(const shaken *s, real d, real *x, real *y) {
    real z = s->ratio, r = sqrtl(1 - z * z), fade = expl(-z * d), cosine = cosl(r * d),
         sine = sinl(r * d) / r, x0 = *x;
    *x = fade * ((cosine + z * sine) * x0 + sine * *y);
    *y = fade * (-sine * x0 + (cosine - z * sine) * *y);
}

// Newton's method for three equations, derivatives by differences of width 1e-7 times what
// `equations` returns.
typedef real (*three_equations)(const shaken *s, int impacts, const real z[3], real out[3]);

static inline void solve_three(three_equations equations, const shaken *s, int impacts, real z[3]) {
    for (int it = 0; it < 25; it++) {
        real A[3][4], r[3], up[3], down[3], h = 1e-7L * equations(s, impacts, z, r);
        for (int j = 0; j < 3; j++) {
            real was = z[j];
            z[j] = was + h;
            equations(s, impacts, z, up);
            z[j] = was - h;
            equations(s, impacts, z, down);
            z[j] = was;
            for (int i = 0; i < 3; i++) A[i][j] = (up[i] - down[i]) / (2 * h);
        }
        for (int i = 0; i < 3; i++) A[i][3] = -r[i];
        solve3(A);
        for (int i = 0; i < 3; i++) z[i] += A[i][3] / A[i][i];
    }
}

#endif

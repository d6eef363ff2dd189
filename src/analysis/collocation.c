// collocation.c -- matrices of trigonometric collocation for half-wave antisymmetric motion.
//   x(theta + pi) = -x(theta),  x = sum_h a_h cos(h theta) + b_h sin(h theta), h = 1, 3 ... M - 1
//   a_h = 2/M sum_i x_i cos(h theta_i): exact for these harmonics, M even
#include "analysis/collocation.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

jd_status collocation_create(jd_arena *arena, int M, collocation *c) {
    size_t n = (size_t)M;
    *c = (collocation){.M = M};
    c->theta = JD_TAKE(arena, double, n);
    c->sine = JD_TAKE(arena, double, n);
    c->cosine = JD_TAKE(arena, double, n);
    c->D = JD_TAKE(arena, double, n *n);
    c->D2 = JD_TAKE(arena, double, n *n);
    c->cos_of = JD_TAKE(arena, double, n *n / 2);
    c->sin_of = JD_TAKE(arena, double, n *n / 2);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < M; i++) {
        c->theta[i] = pi * i / M;
        c->sine[i] = sin(c->theta[i]);
        c->cosine[i] = cos(c->theta[i]);
    }
    for (int k = 0; k < M / 2; k++)
        for (int i = 0; i < M; i++) {
            int h = 2 * k + 1;
            c->cos_of[k * M + i] = 2.0 / M * cos(h * c->theta[i]);
            c->sin_of[k * M + i] = 2.0 / M * sin(h * c->theta[i]);
        }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < M / 2; k++) { // the derivative of the j-th cardinal function
                int h = 2 * k + 1;
                double angle = h * (c->theta[i] - c->theta[j]);
                c->D[i * M + j] -= 2.0 / M * h * sin(angle);
                c->D2[i * M + j] -= 2.0 / M * h * h * cos(angle);
            }
    return JD_OK;
}

void collocation_transform(const collocation *c, const double *value, double *a, double *b) {
    int M = c->M;
    for (int k = 0; k < M / 2; k++) {
        a[k] = b[k] = 0;
        for (int i = 0; i < M; i++) {
            a[k] += c->cos_of[k * M + i] * value[i];
            b[k] += c->sin_of[k * M + i] * value[i];
        }
    }
}

void collocation_look(const collocation *c, const double *a, const double *b, double theta,
                      double out[3]) {
    double co = cos(theta), si = sin(theta), c2 = co * co - si * si, s2 = 2 * si * co;
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < c->M / 2; k++) {
        int h = 2 * k + 1;
        double value = a[k] * co + b[k] * si;
        out[0] += value;
        out[1] += h * (b[k] * co - a[k] * si);
        out[2] -= (double)h * h * value;
        double next = co * c2 - si * s2;
        si = si * c2 + co * s2;
        co = next;
    }
}

// The interpolant of m even places: sin(m d) / (m tan d), d the distance [half turns of period pi].
void collocation_resample(int m, const double *from, int n, double *to) {
    for (int j = 0; j < n; j++) {
        to[j] = 0;
        for (int i = 0; i < m; i++) {
            if ((long)i * n == (long)j * m) {
                to[j] = from[i];
                break;
            }
            double d = pi * ((double)j / n - (double)i / m);
            to[j] += from[i] * sin(m * d) / (m * tan(d));
        }
    }
}

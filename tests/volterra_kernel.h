// volterra_kernel.h -- strings with all their modes for volterra.h: what is known of them, and the
// closed kernels G' and G between their contacts.
#ifndef JD_TESTS_VOLTERRA_KERNEL_H
#define JD_TESTS_VOLTERRA_KERNEL_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cartesian.h"
#include "near.h"
#include "volterra_rule.h"

enum {
    VOLTERRA_NODES = 10,
    VOLTERRA_LEVELS = 14,
    VOLTERRA_CONTACTS = 4,
    VOLTERRA_BODIES = 3,
    VOLTERRA_EVENTS = 400,
    VOLTERRA_PIECES = 20000
};

typedef struct volterra_contact {
    double x;                  // place over the length
    double belt;               // its velocity
    double limit, drop, decay; // f(u) = limit - drop + drop e^{-decay u} + slope u
    double slope;
    double hold;     // largest force while stuck; 0: limit
    int body, other; // that it is on; that it rubs on, at y; 0: on a belt
    double y;
} volterra_contact;

// A string of length 1, mode 1 of which moves at t = 0: amplitude q, rate q'.
typedef struct volterra_body {
    double D, speed, density, amplitude, rate, r, gamma;
} volterra_body;

// A contact's place on one of its bodies, and the sign with which its force acts there.
typedef struct volterra_leg {
    int body;
    double x, sign;
} volterra_leg;

typedef struct volterra_panel {
    double from, length;
    double force[VOLTERRA_CONTACTS][VOLTERRA_NODES];
} volterra_panel;

// What one contact did: its force over a panel, or over many where it was constant.
typedef struct volterra_piece {
    double from, length;
    bool constant;
    double force[VOLTERRA_NODES];
} volterra_piece;

// 2^level pieces that will not change any more.
typedef struct volterra_group {
    double from, length, moment[VOLTERRA_WIDE];
} volterra_group;

typedef struct volterra_event {
    double t;
    int contact;
    int state; // 0: stuck, +-1: slides
} volterra_event;

// A force A sin(omega t + phase) from t = 0 on, where no contact is.
typedef struct volterra_drive {
    double x, amplitude, omega, phase;
    int body;
} volterra_drive;

typedef struct volterra {
    volterra_drive drive; // amplitude 0: none
    union {               // one string, or several
        struct {
            double D, speed, density, amplitude, rate;
        };
        volterra_body body[VOLTERRA_BODIES];
    };
    int n, n_body; // 0: one
    volterra_contact contact[VOLTERRA_CONTACTS];
    volterra_rule rule, wide;
    int n_piece[VOLTERRA_CONTACTS], n_event;
    volterra_piece *piece[VOLTERRA_CONTACTS];
    int n_group[VOLTERRA_CONTACTS][VOLTERRA_LEVELS];
    volterra_group *group[VOLTERRA_CONTACTS][VOLTERRA_LEVELS];
    volterra_event event[VOLTERRA_EVENTS];
    int state[VOLTERRA_CONTACTS];
    // the present panel: velocities without its own forces, and what these do
    double known[VOLTERRA_CONTACTS][VOLTERRA_NODES];
    double own[VOLTERRA_CONTACTS][VOLTERRA_CONTACTS][VOLTERRA_NODES][VOLTERRA_NODES];
    double v[VOLTERRA_CONTACTS][VOLTERRA_NODES];
} volterra;

static inline double volterra_at(const volterra *w, const double *value, double y) {
    double share[VOLTERRA_NODES], sum = 0;
    volterra_shares(&w->rule, y, share);
    for (int m = 0; m < VOLTERRA_NODES; m++) sum += share[m] * value[m];
    return sum;
}

static inline double complex volterra_expm1(double complex x) {
    double a = creal(x), b = cimag(x), s = sin(b / 2);
    return cartesian(expm1(a) * cos(b) - 2 * s * s, exp(a) * sin(b));
}

// sum_k w^k = 1/(1/w - 1) and -ln(1 - w), ln w = -x; x is small at an echo.
static inline double complex volterra_series(double complex x, bool logarithm) {
    double b = cimag(x) - 2 * volterra_pi * round(cimag(x) / (2 * volterra_pi));
    x = cartesian(creal(x), b);
    return logarithm ? -clog(-volterra_expm1(-x)) : 1 / volterra_expm1(x);
}

// Legs of contact i; the drive is the one after the last contact.
static inline int volterra_legs(const volterra *w, int i, volterra_leg *leg) {
    const volterra_contact *c = &w->contact[i];
    if (i == w->n) {
        leg[0] = (volterra_leg){w->drive.body, w->drive.x, 1};
        return 1;
    }
    leg[0] = (volterra_leg){c->body, c->x, 1};
    leg[1] = (volterra_leg){c->other, c->y, -1};
    return c->other ? 2 : 1;
}

// G' or G of a pair of places. Away from echoes one exponential serves all four series.
static inline double volterra_between(const volterra_body *w, double x, double y, double tau,
                                      bool step) {
    double complex a = cartesian(w->D, -w->r), arg = a * (volterra_pi * w->speed * tau), sum = 0;
    double complex z = cexp(-arg);
    double way[2] = {x - y, x + y};
    for (int k = 0; k < 2; k++)
        for (int side = -1; side <= 1; side += 2) {
            double phase = volterra_pi * side * way[k];
            double complex power = z * cartesian(cos(phase), sin(phase)), rest = 1 - power, one;
            double size = creal(rest) * creal(rest) + cimag(rest) * cimag(rest);
            if (step || size < 1e-4)
                one = volterra_series(arg - cartesian(0, phase), step);
            else
                one = power * conj(rest) / size;
            sum += (k ? -0.5 : 0.5) * one;
        }
    if (step) return cimag(sum) / (w->density * w->r * volterra_pi * w->speed);
    return cimag(-a * sum) / (w->density * w->r);
}

// G' or G of the relative velocity of contact i by the force of contact j.
static inline double volterra_kernel(const volterra *w, int i, int j, double tau, bool step) {
    volterra_leg a[2], b[2];
    int n_a = volterra_legs(w, i, a), n_b = volterra_legs(w, j, b);
    double sum = 0;
    for (int k = 0; k < n_a; k++)
        for (int l = 0; l < n_b; l++)
            if (a[k].body == b[l].body)
                sum += a[k].sign * b[l].sign *
                       volterra_between(&w->body[a[k].body], a[k].x, b[l].x, tau, step);
    return sum;
}

// How far the interval of times [from, to] is from the poles of G' of two places, squared.
static inline double volterra_nearest(const volterra_body *w, double x, double y, double from,
                                      double to) {
    double least = HUGE_VAL, way[2] = {fabs(x - y), x + y};
    for (int k = 0; k < 2; k++)
        for (int m = 0; 2 * m - way[k] <= to * w->speed / w->r + 2; m++)
            for (int side = -1; side <= 1; side += 2) {
                double d = (2 * m + side * way[k]) / w->speed, re = w->r * d;
                if (d <= 0) continue;
                double off = re < from ? from - re : re > to ? re - to : 0;
                least = fmin(least, off * off + w->D * d * w->D * d);
            }
    return least;
}

static inline double volterra_distance(const volterra *w, int i, int j, double from, double to) {
    volterra_leg a[2], b[2];
    int n_a = volterra_legs(w, i, a), n_b = volterra_legs(w, j, b);
    double least = HUGE_VAL;
    for (int k = 0; k < n_a; k++)
        for (int l = 0; l < n_b; l++)
            if (a[k].body == b[l].body)
                least =
                    fmin(least, volterra_nearest(&w->body[a[k].body], a[k].x, b[l].x, from, to));
    return sqrt(least);
}

#endif

// lone.h -- how long one slow pole alone keeps a guard inside, in closed form.
//   f = a_0 + |c| e^{re t} cos(theta + omega t) + (all other poles: at most `tail`),  re <= 0
//   The upper limit is out of reach while |c| cos(theta + omega t) < L = upper - a_0 - tail, L > 0:
//   until theta + omega t = 2 pi n - alpha, cos(alpha) = L/|c|. The lower one: the same with -c.
//   Taylor sums end after half an oscillation; this reaches from one to the next.
//   Angles are wrong by 2.1e-4 at most; ANGLE_SLACK covers the three of them.
//                                                 tested: a_slow_pole_alone_is_followed_in_one_step
#ifndef JD_EXPSUM_LONE_H
#define JD_EXPSUM_LONE_H

#include "base/constants.h"
#include "expsum/look.h"

#define ANGLE_SLACK 1e-3
#define PI JD_PI

// Argument of x + iy, (x, y) != 0, to 2.1e-4; no call, the same bits everywhere.
static inline double rough_angle(double x, double y) {
    double u = fabs(x), v = fabs(y), q = u < v ? u / v : v / u, s = q * q;
    double a = q + q * s * (-0.327622764 + s * (0.15931422 - 0.0464964749 * s));
    if (u < v) a = PI / 2 - a;
    if (x < 0) a = PI - a;
    return y < 0 ? -a : a;
}

// Angle that c turns before Re(c e^{i angle}) reaches L > Re c; HUGE_VAL: never.
static inline double turn_until(double re, double im, double L) {
    double above = re * re + im * im - L * L;
    if (above <= 0) return HUGE_VAL;
    double left = -rough_angle(re, im) - rough_angle(L, sqrt(above));
    return im > 0 ? left + 2 * PI : left;
}

// The rung until then; -1: none.
static inline int lone_rung(const jd_search *s, const jd_look *look) {
    const jd_expbasis *b = s->basis;
    const jd_guard *guard = look->guard;
    const double *first = look->prefix[0], *row = guard->watch->row;
    double tail = s->options.bound_factor * (look->total[8] - first[8]) +
                  4 * JD_EPS * look->total[8] + look->noise +
                  JD_EPS * look->total[9] * b->ladder.longest;
    double a0 = look->polynomial[0], above = guard->upper - a0 - tail,
           below = a0 - guard->lower - tail;
    double re = first[0] - a0, im = row[8] * b->scratch.z_re[0] + row[0] * b->scratch.z_im[0];
    if (!(above > 0 && below > 0 && re < above && -re < below)) return -1;
    double up = guard->upper < HUGE_VAL ? turn_until(re, im, above) : HUGE_VAL;
    double down = guard->lower > -HUGE_VAL ? turn_until(-re, -im, below) : HUGE_VAL;
    double angle = (up < down ? up : down) - ANGLE_SLACK;
    return jd_expbasis_rung(b, angle < b->ladder.longest * b->im[0] ? angle / b->im[0]
                                                                    : b->ladder.longest);
}

// Where only the first group counts, does its one pole promise at least the rung that Taylor sums
// do? Then that needs no other proof.
JD_INLINE bool leaps(const jd_search *s, const jd_look *look, const jd_choice *choice, int cap,
                     int *rung) {
    if (!s->basis->lone || choice->p != look->prefix[0] || look->guard->degree > 0) return false;
    int far = lone_rung(s, look);
    if (far < *rung || far < 0) return false;
    *rung = far < cap ? far : cap;
    return true;
}

#endif

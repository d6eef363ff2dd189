// branch.c -- the one branch that may hang below a pole T = k T_j, with its certified end.
//   D grows with T at fixed t (all a_j > 0), so between two poles the admissible periods are an
//   interval that reaches up to the upper pole. It ends at the zero of w (energy unbounded) unless
//   D touches zero before: then at the largest T with min_t D = 0.
//   Modes that share the pole (internal resonance) leave D zero only at their common beats.
//   A branch exists iff sum_{i != j} b_i sin(omega_i l T_j/2) sin(omega_i (k-l) T_j/2)/sin(omega_i
//   k T_j/2) > 0 for l = 1 .. k/2: what is left of D where the pole's own mode leaves it zero.
#include <math.h>

#include "analysis/nsm/nsm.h"
#include "base/constants.h"

// How far above its end a branch is certified: of the gap between poles, and of T (rounding).
static const double inside = 1e-10, resolution = 2e-14;

// How often in a period all modes of the pole are where they started: the common divisor of their
// k.
static int beats(const nsm_pole *p) {
    int k = p->divisor;
    for (int r = 1; r <= p->more; r++)
        for (int b = p[r].divisor, rest; b > 0; b = rest) {
            rest = k % b;
            k = b;
        }
    return k;
}

// Is what remains of D at the pole positive at the zeros of the pole's own mode?
//   2 sin(l x) sin((k - l) x)/sin(k x) = (cos((k - 2 l) x) - cos(k x))/sin(k x), x = omega_i T_j/2,
//   the cosines for l = 1, 2, .. by recurrence.
static bool exists(const jd_nsm *s, const nsm_pole *p) {
    int n = s->modes.n, k = beats(p);
    double *now = s->scratch, *before = now + n, *turn = before + n, *weight = turn + n, first = 0;
    for (int i = 0; i < n; i++) {
        double x = s->modes.omega[i] * p->T / (2 * k), S = sin(k * x);
        before[i] = cos(k * x);
        turn[i] = 2 * cos(2 * x);
        now[i] = cos((k - 2) * x);
        weight[i] = s->modes.b[i] / S;
        for (int r = 0; r <= p->more; r++)
            if (i == p[r].mode) weight[i] = 0;
        first += weight[i] * before[i];
    }
    for (int l = 1; l <= k / 2; l++) {
        double sum = -first;
        for (int i = 0; i < n; i++) {
            sum += weight[i] * now[i];
            double next = turn[i] * now[i] - before[i];
            before[i] = now[i];
            now[i] = next;
        }
        if (!(sum > 0)) return false;
    }
    return true;
}

// Weight of the pole of w that begins at list entry i (-1: T = 0, where all modes have one).
static double weight_of(const jd_nsm *s, int i) {
    double sum = 0;
    for (int k = i; i >= 0 && k <= i + s->poles.list[i].more; k++) {
        int j = s->poles.list[k].mode;
        sum += 2 * s->modes.a[j] / (s->modes.omega[j] * s->modes.omega[j]);
    }
    for (int j = 0; i < 0 && j < s->modes.n; j++)
        sum += 2 * s->modes.a[j] / (s->modes.omega[j] * s->modes.omega[j]);
    return sum;
}

// First time in (0, T/2] at which D <= 0, certified; negative: none. t -> T - t mirrors the rest.
static double first_touch(jd_nsm *s, double T, bool *decided) {
    jd_search_result found;
    jd_guard guard = jd_default_guard(s->flight.watch);
    double constant = 0;
    for (int j = 0; j < s->modes.n; j++) {
        int slot = jd_expbasis_slot(s->flight.basis, j);
        double x = s->modes.omega[j] * T / 2, beta = s->modes.b[j] / sin(x);
        s->flight.re[slot] = beta * cos(x);
        s->flight.im[slot] = -beta * sin(x);
        constant -= beta * cos(x);
    }
    guard.lower = 0;
    guard.start_side = -1;
    guard.start_order = 1;
    guard.degree = 0;
    guard.polynomial[0] = constant;
    jd_first_zero(s->flight.basis, s->flight.re, s->flight.im, 1, &guard, T / 2, NULL, &found,
                  s->flight.re1, s->flight.im1);
    *decided = found.undecided == 0 && found.outcome != JD_SEARCH_BUDGET &&
               found.outcome != JD_SEARCH_UNBOUNDED;
    return found.outcome == JD_SEARCH_FOUND || found.outcome == JD_SEARCH_OUTSIDE ? found.time : -1;
}

// D_t and D_tt with b_j/sin(omega_j T/2) at hand (scratch).
static double dip_slope(const jd_nsm *s, double t, double T, double *curvature) {
    double d1 = 0, d2 = 0;
    for (int j = 0; j < s->modes.n; j++) {
        double o = s->modes.omega[j], x = o * (t - T / 2), bo = s->scratch[j] * o;
        d1 -= bo * sin(x);
        d2 -= bo * o * cos(x);
    }
    *curvature = d2;
    return d1;
}

// From a point where D falls through zero to the bottom of that dip, D_t = 0 with D_tt > 0: forward
// in steps that cannot jump over more than half a wave of the fastest mode, then bracketed Newton.
static double bottom(const jd_nsm *s, double t, double T) {
    double low = t, high = T / 2, stride = 0.7 / s->modes.fastest, d2;
    for (int j = 0; j < s->modes.n; j++)
        s->scratch[j] = s->modes.b[j] / sin(s->modes.omega[j] * T / 2);
    while (low + stride < high) {
        if (dip_slope(s, low + stride, T, &d2) > 0) {
            high = low + stride;
            break;
        }
        low += stride;
    }
    double x = (low + high) / 2;
    for (int i = 0; i < 60 && high - low > 1e-15 * T; i++) {
        double d1 = dip_slope(s, x, T, &d2);
        if (d1 > 0)
            high = x;
        else
            low = x;
        double next = d2 > 0 ? x - d1 / d2 : low;
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (fabs(next - x) < 1e-9 * stride) return next;
        x = next;
    }
    return x;
}

// The bottom of the dip near *t at period T, by Newton with steps shorter than a wave of the
// fastest mode; false: that dip is no more, and the way down leads to the impact, where D begins at
// 0 and rises.
static bool follow_dip(const jd_nsm *s, double *t, double T) {
    double longest = 0.3 / s->modes.fastest, at = *t;
    for (int j = 0; j < s->modes.n; j++)
        s->scratch[j] = s->modes.b[j] / sin(s->modes.omega[j] * T / 2);
    for (int i = 0; i < 60; i++) {
        double d2, d1 = dip_slope(s, at, T, &d2),
                   dt = d2 > 0   ? -d1 / d2
                        : d1 > 0 ? -longest
                                 : longest;
        dt = fmax(-longest, fmin(longest, dt));
        at = fmin(at + dt, T / 2); // beyond half the period the mirror image begins
        if (!(at > 0)) return false;
        if (fabs(dt) < 1e-11 * T) break;
    }
    *t = at;
    return true;
}

// Raises T until the dip only touches: min_t D is a rising function of T, its slope D_T at the
// bottom. Newton, kept between a period with D < 0 and one where the dip is above 0 or gone.
static void touch(const jd_nsm *s, double high, double *t, double *T) {
    double low = *T, deep = *t, d[5] = {0};
    for (int i = 0; i < 200; i++) {
        double next = HUGE_VAL, at = deep; // from the last dip below 0
        bool dips = follow_dip(s, &at, *T);
        if (dips) {
            jd_nsm_D(s, at, *T, d);
            next = *T - d[0] / d[3];
        }
        if (dips && d[0] < 0) {
            low = *T;
            deep = at;
        } else {
            high = *T;
        }
        if (!(next >= low && next <= high)) next = (low + high) / 2;
        double step = fabs(next - *T);
        *T = next;
        if (step <= 1e-13 * next) break; // quadratic: the next step is below rounding
    }
    *t = deep;
    follow_dip(s, t, *T);
}

static void add_phantom(jd_nsm *s, const nsm_pole *p, double from, double to) {
    s->found.phantom[s->found.n_phantom++] =
        (jd_nsm_phantom){s->modes.mode[p->mode] + 1, p->divisor, from, to};
}

bool jd_nsm_find_branch(jd_nsm *s, int i, jd_nsm_branch *out) {
    const nsm_pole *p = &s->poles.list[i];
    int below = i - 1;
    while (below > 0 && s->poles.list[below - 1].more > 0) below--; // the first entry of that pole
    double low = i > 0 ? s->poles.list[i - 1].T : 0, high = p->T, two_pi = JD_TWO_PI;
    bool decided, there = beats(p) == 1 || exists(s, p);
    if (!there && !s->options.phantoms) return false;
    double T = jd_nsm_zero_of_w(s, low, high, weight_of(s, below), weight_of(s, i)), t = 0;
    double limit = two_pi / T;
    if (!there) {
        add_phantom(s, p, s->modes.omega[p->mode] / p->divisor, limit);
        return false;
    }
    double margin = fmax(inside * (high - T), resolution * high);
    double hit = first_touch(s, T + margin, &decided);
    jd_nsm_end end = JD_NSM_UNBOUNDED;
    for (int round = 0; hit >= 0 && round < 100; round++) { // each round ends one dip
        end = JD_NSM_GRAZE;
        t = bottom(s, hit, T);
        touch(s, high, &t, &T);
        hit = first_touch(s, T + margin, &decided);
    }
    if (end == JD_NSM_GRAZE && s->options.phantoms) add_phantom(s, p, two_pi / T, limit);
    *out = (jd_nsm_branch){.mode = s->modes.mode[p->mode] + 1,
                           .divisor = p->divisor,
                           .resonant = p->more,
                           .omega_start = s->modes.omega[p->mode] / p->divisor,
                           .omega_end = two_pi / T,
                           .end = end,
                           .energy_start = jd_nsm_linear_energy(s, i),
                           .energy_end = end == JD_NSM_GRAZE ? jd_nsm_energy_of(s, T) : HUGE_VAL,
                           .graze_time = end == JD_NSM_GRAZE ? t : 0,
                           .certified = decided && hit < 0};
    return hit < 0;
}

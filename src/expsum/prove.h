// prove.h -- what can be proved about a guard from one anchor.
//   no zero in (0, h]:   Bernstein coefficients of f -+ (B h^order + tail + noise) inside the band
//   one crossing:        g' < 0 on [0, h] and g(h) < 0
//   near miss:           g'' > 0 on [0, H], so g >= g(x) - |g'(x)| H with x close to the minimum;
//                        the same proof finds two close zeros: g(x) < 0, first zero in (0, x]
#ifndef JD_EXPSUM_PROVE_H
#define JD_EXPSUM_PROVE_H

#include "expsum/lone.h"

// order: of the basis.
JD_INLINE double holds(const jd_look *look, const jd_expansion *e, double h, double lower,
                       double upper, int order) {
    double slack = e->tail[0] + look->noise + JD_EPS * look->total[9] * h;
    return inside(e->f, h, lower, upper, slack, e->B, order);
}

// A rung <= cap for which a test holds, close to the largest. A test that fails says at which part
// of its step it would hold. The promise is off mostly in the same direction: `bias` follows it.
// -1: no rung passes.
#define CLIMB(test, rung, bias, cap)                                                               \
    do {                                                                                           \
        int at_ = (rung) + (bias);                                                                 \
        at_ = at_ > (cap) ? (cap) : at_ < 0 ? 0 : at_;                                             \
        double h_ = jd_rung_length(s->basis, at_), part_ = test(h_);                               \
        (bias) += part_ < 1 ? -1 : 1;                                                              \
        while (part_ < 1) {                                                                        \
            int next_ = jd_expbasis_rung(s->basis, part_ * h_);                                    \
            at_ = next_ < at_ ? next_ : at_ - 1;                                                   \
            if (at_ < 0) break;                                                                    \
            h_ = jd_rung_length(s->basis, at_);                                                    \
            part_ = test(h_);                                                                      \
        }                                                                                          \
        (rung) = at_;                                                                              \
    } while (0)

JD_INLINE int certify(const jd_search *s, const jd_look *look, const jd_expansion *e, int rung,
                      int *bias, int cap, int order) {
#define TEST(h) holds(look, e, (h), look->guard->lower, look->guard->upper, order)
    CLIMB(TEST, rung, *bias, cap);
#undef TEST
    return rung;
}

// A root of the polynomial within reach, from its quadratic part and two Newton steps; 0: none.
static double first_root(const double *g, double reach) {
    double disc = g[1] * g[1] - 4 * g[2] * g[0];
    if (!(disc >= 0)) return 0;
    double x = 2 * g[0] / (-g[1] + sqrt(disc));
    for (int i = 0; i < 2; i++) {
        if (!(x > 0 && x < reach)) return 0;
        double slope = horner_slope(g, x);
        if (!(slope < 0)) return 0;
        x -= horner(g, x) / slope;
    }
    return x > 0 && x < reach ? x : 0;
}

// g' < 0 on [0, h]?
static bool falls(const jd_search *s, const jd_look *look, const jd_expansion *e, const double *g,
                  int rung) {
    const jd_expbasis *b = s->basis;
    double d[JD_TAYLOR] = {0};
    for (int m = 0; m + 1 < JD_TAYLOR; m++) d[m] = -(m + 1) * g[m + 1];
    d[b->order - 1] -= b->order * e->B;
    d[0] -= e->tail[1] + slope_noise(s, look);
    return positive(d, jd_rung_length(b, rung)) >= 1;
}

static double upper_value(const jd_search *s, const jd_look *look, const jd_expansion *e,
                          const double *g, int rung) {
    double h = jd_rung_length(s->basis, rung);
    return horner(g, h) + e->B * power_of(h, s->basis->order) + e->tail[0] + look->noise +
           JD_EPS * look->total[9] * h;
}

// Proofs about a zero or a minimum are tried when it is within this many certified steps.
#define REACH 2

JD_INLINE double reach_of(const jd_search *s, int rung) {
    return rung < 0 ? s->basis->ladder.longest : REACH * jd_rung_length(s->basis, rung);
}

// Within rounding of the limit (g(0) = 0 +- noise) a fall through it is a crossing all the same: up
// to the anchor there was none, g' < 0 leaves one, and `blur`, the noise over the slope, is where
// it is.
static bool crossing_at(const jd_search *s, const jd_look *look, const jd_expansion *e,
                        jd_verdict *verdict) {
    const jd_expbasis *b = s->basis;
    double g[JD_TAYLOR];
    int side = e->f[1] < 0 ? -1 : 1;
    distance_from(look->guard, e->f, side, g);
    if (!isfinite(g[0]) || !(g[1] + e->tail[1] < 0)) return false;
    double reach = reach_of(s, verdict->rung);
    double x = first_root(g, reach < b->ladder.longest ? reach : 0.9 * b->ladder.longest);
    double blur = (look->noise + e->tail[0]) / -g[1];
    if (!(x > 0) && s->t > 0 && fabs(g[0]) <= look->noise) x = 0.5 * blur;
    if (!(x > 0)) return false;
    int rung = jd_expbasis_rung(b, fmax(x * 1.02, x + 2 * blur)) + 1;
    for (int i = 0; i < 2 && rung < JD_RUNGS; i++, rung += 2) {
        if (!falls(s, look, e, g, rung)) return false;
        if (upper_value(s, look, e, g, rung) < 0) {
            double off = (e->tail[0] + e->B * power_of(x, b->order)) / fabs(g[1]);
            *verdict =
                (jd_verdict){verdict->rung, true, side, x, jd_rung_length(b, rung), off, false};
            return true;
        }
    }
    return false;
}

// The split for a proof about derivative m: fast poles less than a quarter of it.
static inline const double *split_for(const jd_look *look, int m) {
    const double *p = look->prefix[0], *total = look->total;
    double share = 0.25 * fabs(total[m]);
    while (p < total && total[8 + m] - p[8 + m] > share) p += JD_SUMS;
    return p;
}

// Convex on [0, h]?
static bool bends(const jd_search *s, const jd_look *look, const jd_expansion *e, const double *g,
                  int rung) {
    const jd_expbasis *b = s->basis;
    double d[JD_TAYLOR] = {0};
    for (int m = 0; m + 2 < JD_TAYLOR; m++) d[m] = 0.5 * (m + 1) * (m + 2) * g[m + 2];
    d[b->order - 2] -= 0.5 * b->order * (b->order - 1) * e->B;
    d[0] -= e->tail[2] + 16 * JD_EPS * s->options.rounding * look->total[10];
    return positive(d, jd_rung_length(b, rung)) >= 1;
}

// Where g' = 0, from its linear part and two Newton steps; 0: none ahead.
static double first_bottom(const double *g) {
    double x = -g[1] / (2 * g[2]);
    for (int i = 0; i < 2; i++) {
        double slope = horner_slope(g, x), bend = 0;
        for (int m = JD_TAYLOR - 1; m >= 2; m--) bend = bend * x + m * (m - 1) * g[m];
        if (!(bend > 0)) return 0;
        x -= slope / bend;
    }
    return x > 0 ? x : 0;
}

static bool miss_at(const jd_search *s, const jd_look *look, const jd_expansion *e,
                    jd_verdict *verdict) {
    const jd_expbasis *b = s->basis;
    int side = e->f[1] < 0 ? -1 : 1, order = b->order;
    double g[JD_TAYLOR];
    distance_from(look->guard, e->f, side, g);
    if (!isfinite(g[0]) || !(g[1] < 0 && g[2] > e->tail[2])) return false;
    double proved = verdict->rung < 0 ? b->ladder.longest : jd_rung_length(b, verdict->rung);
    if (-g[1] > 2 * REACH * proved * g[2]) return false;
    double x = first_bottom(g);
    int rung = jd_expbasis_rung(b, 2 * x);
    if (!(x > 0 && 2 * x < b->ladder.longest) || rung < 0 || !bends(s, look, e, g, rung))
        return false;
    double H = jd_rung_length(b, rung), far = fmax(x, H - x),
           remainder = e->B * power_of(x, order - 1);
    double error = remainder * x + e->tail[0] + look->noise + JD_EPS * look->total[9] * x;
    double slope = fabs(horner_slope(g, x)) + order * remainder + e->tail[1] + slope_noise(s, look);
    double value = horner(g, x), least = value - error - slope * far;
    if (least > 0) {
        double width = look->guard->upper - look->guard->lower;
        if (!(upper_value(s, look, e, g, rung) < width)) return false;
        if (rung > verdict->rung) verdict->rung = rung;
        s->result->margin = fmin(s->result->margin, least / look->total[8]);
        return true;
    }
    if (value + error < 0) {
        *verdict = (jd_verdict){verdict->rung, true, side, first_root(g, x), x, x, false};
        if (!(verdict->x > 0)) verdict->x = 0.5 * x;
        return true;
    }
    return false;
}

// What the quadratic part of g says: has it a root, nearly a double one, so near that a proof is
// worth trying?
typedef struct jd_nearness {
    bool worth_trying, root, nearly_double;
} jd_nearness;

// One look at three numbers spares most anchors the rest. reach [s]: how far proofs may go.
JD_INLINE jd_nearness nearness(const double *f, const jd_guard *guard, double reach) {
    double speed = fabs(f[1]), g0 = f[1] < 0 ? f[0] - guard->lower : guard->upper - f[0];
    double g2 = f[1] < 0 ? f[2] : -f[2], bend = 2 * g2 * g0, square = speed * speed;
    double disc = square - 2 * bend;
    jd_nearness near = {.root = disc >= 0, .nearly_double = disc < 0.5 * square};
    if (!(g0 < HUGE_VAL)) return near;
    near.worth_trying =
        near.root ? 2 * g0 < reach * (speed + sqrt(disc)) : square > bend && speed < 2 * reach * g2;
    return near;
}

// Is a proof of a crossing worth its work? The root x of the quadratic part lies behind what is
// proved free of zeros, within reach, and the remainder does not turn the slope there. A wrong
// answer costs an anchor, never a zero.
static bool promises_crossing(const jd_search *s, const jd_look *look, const double *f, int rung) {
    const jd_guard *guard = look->guard;
    double speed = fabs(f[1]), g0 = f[1] < 0 ? f[0] - guard->lower : guard->upper - f[0];
    double g2 = f[1] < 0 ? f[2] : -f[2], disc = speed * speed - 4 * g2 * g0;
    if (!(disc >= 0)) return false;
    double slope = sqrt(disc), x = 2 * g0 / (speed + slope), h = jd_rung_length(s->basis, rung);
    double turned = s->basis->order * f[11] * power_of(x, s->basis->order - 1);
    return x > 0.94 * h && x < REACH * h && turned < 0.3 * slope;
}

// With the split p of the step, or with that of the derivative where it is finer.
static bool prove(const jd_search *s, const jd_look *look, const double *p, int derivative,
                  jd_verdict *verdict) {
    const double *own = verdict->rung < 0 ? look->total : split_for(look, derivative);
    if (own < p || s->options.split >= 0) own = p;
    if (derivative == 1 && verdict->rung >= 0 && !promises_crossing(s, look, own, verdict->rung))
        return false;
    jd_expansion e;
    expand_fully(s, look, own, &e);
    return derivative == 1 ? crossing_at(s, look, &e, verdict) : miss_at(s, look, &e, verdict);
}

static bool prove_crossing_or_miss(const jd_search *s, const jd_look *look, const double *p,
                                   jd_nearness near, jd_verdict *verdict) {
    if (near.root && prove(s, look, p, 1, verdict)) return true;
    return near.nearly_double && prove(s, look, p, 2, verdict);
}

#endif

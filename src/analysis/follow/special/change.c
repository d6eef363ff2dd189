// change.c -- locates a change of the phase string between two orbits.
//   On the side with fewer events the orbit has margins (engine.h): how far a held contact stayed
//   below its limit where its force turned back, a slide above zero speed, a stop from being hit,
//   and by how much a reversal missed to be a stop. One of them may go to 0 at the change. On the
//   side with more events a phase of length d shrinks to nothing, like the distance to the change
//   or like its root. The place on the chord is a smooth function of either: its value at 0,
//     margin m:  theta = c0 + c1 m + ... (Neville),    length d:  c0 + c1 d + c2 d^2  or
//                                                                 c0 + c1 d^2 + c2 d^3.
//   A contact that is stuck all along and begins to slide has its slack as a margin (member.c),
//   a smooth function of the stuck orbits alone: those that slide hardly forget where they rested.
//   The one whose last two guesses differ least is believed. Orbits that far from it on both sides
//   bracket the change; halving where that does not pay.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

enum { TRIES = 80, ONSETS = 4 };
static const double back = 1e-3;

// Orbits met on one side of the change, newest last.
typedef struct trend {
    place *at[TREND];
    double theta[TREND]; // place on the chord
    int n, phases;       // entries; string they belong to
} trend;

typedef struct guess {
    double theta, error;
} guess;

static void add(jd_follow *f, trend *t, const place *p, double theta) {
    if (t->phases != p->point.phases) {
        t->n = 0;
        t->phases = p->point.phases;
    }
    if (t->n == TREND) {
        place *oldest = t->at[0];
        memmove(t->at, t->at + 1, (TREND - 1) * sizeof *t->at);
        memmove(t->theta, t->theta + 1, (TREND - 1) * sizeof *t->theta);
        t->at[--t->n] = oldest;
    }
    jd_place_copy(&f->curve, p, t->at[t->n]);
    t->theta[t->n++] = theta;
}

// Neville's scheme at x = 0 through the last n points.
static guess at_zero(int n, const double *x, const double *theta) {
    double v[TREND];
    memcpy(v, theta, (size_t)n * sizeof *v);
    for (int step = 1; step < n; step++)
        for (int i = 0; i < n - step; i++)
            v[i] = (x[i] * v[i + 1] - x[i + step] * v[i]) / (x[i] - x[i + step]);
    return (guess){v[0], n == 2 ? 0.1 * fabs(v[0] - theta[1]) : fabs(v[0] - v[1])};
}

// A function that vanishes at the guess falls about in proportion to the distance from it.
static bool is_fair(int n, const double *x, const double *theta, double zero) {
    for (int i = 1; i < n; i++) {
        double ratio = x[i] * (theta[0] - zero) / (x[0] * (theta[i] - zero));
        if (!(ratio > 0.1 && ratio < 10)) return false;
    }
    return n >= 2;
}

static void consider(guess new, double lo, double hi, guess *best) {
    if (new.theta > lo &&new.theta < hi &&new.error < best->error) *best = new;
}

static void from_margins(const trend *t, double lo, double hi, guess *best) {
    for (int k = 0; t->n >= 2 && k < t->at[0]->n_margin; k++) {
        double m[TREND];
        bool known = true;
        for (int i = 0; i < t->n; i++) {
            known &= t->at[i]->n_margin > k;
            m[i] = known ? t->at[i]->margin[k] : HUGE_VAL;
            known &= m[i] < HUGE_VAL;
        }
        if (!known) continue;
        guess g = at_zero(t->n, m, t->theta);
        if (is_fair(t->n, m, t->theta, g.theta)) consider(g, lo, hi, best);
    }
}

// What is wanted where the slack of a trend of stuck orbits is 0: of the places on the chord, or of
// the parameters.
static guess from_slacks(const trend *t, bool parameter) {
    double slack[TREND], value[TREND];
    guess none = {0, HUGE_VAL};
    for (int i = 0; i < t->n; i++) {
        slack[i] = t->at[i]->slack;
        value[i] = parameter ? t->at[i]->point.parameter : t->theta[i];
        if (!isfinite(slack[i])) return none;
        for (int k = 0; k < i; k++)
            if (slack[k] == slack[i]) return none;
    }
    guess g = t->n >= 2 ? at_zero(t->n, slack, value) : none;
    return t->n >= 2 && is_fair(t->n, slack, value, g.theta) ? g : none;
}

// c0 of c0 + c1 d^2 + c2 d^3 through three points, by elimination.
static double root_like(const double *d, const double *theta) {
    double a = d[0] * d[0] - d[2] * d[2], b = d[0] * d[0] * d[0] - d[2] * d[2] * d[2],
           p = d[1] * d[1] - d[2] * d[2], q = d[1] * d[1] * d[1] - d[2] * d[2] * d[2],
           s = theta[0] - theta[2], r = theta[1] - theta[2], det = a * q - b * p;
    double c1 = (s * q - b * r) / det, c2 = (a * r - s * p) / det;
    return theta[2] - d[2] * d[2] * (c1 + c2 * d[2]);
}

static void from_lengths(const trend *t, double lo, double hi, guess *best) {
    double d[TREND], square[TREND];
    int n = t->n < 3 ? t->n : 3, first = t->n - n;
    if (n < 2) return;
    for (int i = 0; i < n; i++) {
        d[i] = t->at[first + i]->shortest_length;
        square[i] = d[i] * d[i];
    }
    const double *theta = t->theta + first;
    guess linear = at_zero(n, d, theta), two = at_zero(2, square + n - 2, theta + n - 2);
    if (is_fair(n, d, theta, linear.theta)) consider(linear, lo, hi, best);
    if (n == 3) {
        double zero = root_like(d, theta);
        two = (guess){zero, fabs(zero - two.theta)};
    }
    if (is_fair(n, square, theta, two.theta)) consider(two, lo, hi, best);
}

jd_status jd_branch_look(jd_follow *f, place *p, const double *border, double residual,
                         bool *found) {
    curve *c = &f->curve;
    double tolerance = c->tolerance;
    bool lost;
    c->tolerance = fmax(tolerance, fmin(1e-9, residual));
    jd_status status = jd_curve_correct(c, p->y, border, false, found);
    c->tolerance = tolerance;
    JD_TRY(status);
    if (!*found) return JD_OK;
    if (c->sh->last.watch) return jd_branch_judge(f, p, border, false, found);
    residual = c->residual;
    c->watch = true;
    status = jd_curve_round(c, p->y, false, &lost);
    c->watch = false;
    c->residual = residual;
    JD_TRY(status);
    return jd_branch_judge(f, p, border, false, found);
}

jd_status jd_branch_look_sharp(jd_follow *f, place *p, const double *border, double residual,
                               int resting, bool *found) {
    JD_TRY(jd_branch_look(f, p, border, residual, found));
    return *found && p->resting != resting ? jd_branch_look(f, p, border, 0, found) : JD_OK;
}

// The part of a chord whose ends are f->at.left at lo and f->at.right at hi.
typedef struct bracket {
    double lo, hi, length;
} bracket;

// The orbit at `theta` of the chord.
static jd_status solve_at(jd_follow *f, const bracket *b, double theta, bool *found) {
    curve *c = &f->curve;
    double width = b->hi - b->lo, share = (theta - b->lo) / width;
    place *m = &f->at.middle;
    for (int i = 0; i < c->N; i++)
        m->y[i] = f->at.left.y[i] + share * (f->at.right.y[i] - f->at.left.y[i]);
    c->phase = share < 0.5 ? f->at.left.phase : f->at.right.phase;
    int resting =
        f->at.left.resting < f->at.right.resting ? f->at.left.resting : f->at.right.resting;
    return jd_branch_look_sharp(f, m, c->newton.chord, 1e-6 * width * b->length, resting, found);
}

static double span(const curve *c, const place *a, const place *b, double *along) {
    double size = 0;
    for (int i = 0; i < c->N; i++) {
        along[i] = b->y[i] - a->y[i];
        size += along[i] * along[i];
    }
    for (int i = 0; i < c->N && size > 0; i++) along[i] /= sqrt(size);
    return sqrt(size);
}

// Where to look next: a little before or beyond the foretold change, in turns; else the middle.
static double next_look(const trend *few, const trend *more, double lo, double hi, double finest,
                        int turn) {
    guess best = {(lo + hi) / 2, HUGE_VAL};
    from_margins(few, lo, hi, &best);
    consider(from_slacks(few, false), lo, hi, &best);
    from_lengths(more, lo, hi, &best);
    if (!(best.error < (hi - lo) / 4)) return (lo + hi) / 2;
    double aside = fmax(3 * best.error, finest);
    double look = turn % 2 ? best.theta + aside : best.theta - aside;
    if (look > lo && look < hi) return look;
    look = turn % 2 ? best.theta - aside : best.theta + aside;
    return look > lo && look < hi ? look : (lo + hi) / 2;
}

// The stuck orbit that lies `away` of the chord's length from `end`, to full accuracy.
static jd_status solve_stuck(jd_follow *f, double length, const place *end, double away,
                             bool *found) {
    curve *c = &f->curve;
    place *m = &f->at.middle;
    for (int i = 0; i < c->N; i++) m->y[i] = end->y[i] + away * length * c->newton.chord[i];
    c->phase = end->phase;
    JD_TRY(jd_branch_look(f, m, c->newton.chord, 0, found));
    *found = *found && m->point.phases == end->point.phases;
    return JD_OK;
}

// Where a contact that is stuck all along begins to slide: by orbits of the stuck side alone, at
// 8, 4, 2 and 1 times `back` of the chord's length from its end of the bracket, which then is moved
// there; *moved: by so much of the chord.
static jd_status find_onset(jd_follow *f, double length, double finest, trend *side,
                            double *moved) {
    curve *c = &f->curve;
    bool left = f->at.left.resting > f->at.right.resting, found = true;
    *moved = 0;
    place *end = left ? &f->at.left : &f->at.right;
    trend *stuck = &side[!left];
    int sense = left ? -1 : 1;
    stuck->n = 0;
    for (int times = 8; times > 0 && found; times /= 2) {
        JD_TRY(solve_stuck(f, length, end, sense * times * back, &found));
        if (found) add(f, stuck, &f->at.middle, sense * times * back);
    }
    guess at = from_slacks(stuck, true), theta = from_slacks(stuck, false);
    if (!found || !isfinite(at.error)) return JD_OK;
    f->walk.onset = (slip_onset){at.theta, at.error};
    double close = fmax(3 * theta.error, finest);
    found = false;
    for (int i = 0; i < 4 && !found; i++, close *= 10)
        JD_TRY(solve_stuck(f, length, end, theta.theta + sense * close, &found));
    if (!found) return JD_OK;
    jd_place_copy(c, &f->at.middle, end);
    *moved = fabs(theta.theta);
    return JD_OK;
}

// A contact slides one way only, which no orbit does (member.c): so close to where sliding begins
// Newton's method cannot tell.
static bool is_blurred(const place *p) { return p->members > p->resting; }

jd_status jd_branch_close_in(jd_follow *f) {
    curve *c = &f->curve;
    trend side[2] = {{.phases = -1}, {.phases = -1}}; // left, right
    for (int i = 0; i < 2 * TREND; i++) side[i / TREND].at[i % TREND] = &f->at.trend[i];
    bracket b = {0, 1, span(c, &f->at.left, &f->at.right, c->newton.chord)};
    double width = 1, goal = f->options.locate, finest = 0.2 * goal / fmax(b.length, goal);
    f->walk.onset.error = HUGE_VAL;
    if (!(b.length > 0) || !jd_curve_factor(c, c->newton.chord)) return JD_OK;
    add(f, &side[0], &f->at.left, b.lo);
    add(f, &side[1], &f->at.right, b.hi);
    for (int i = 0; i < TRIES; i++) {
        double gap = fabs(f->at.left.y[c->N - 1] - f->at.right.y[c->N - 1]);
        if (gap < goal && (b.hi - b.lo) * b.length < fmax(goal, 1e-9)) break;
        int few = f->at.left.point.n_event > f->at.right.point.n_event;
        bool halve = false, found;
        if (i % 3 == 0) {
            halve = i > 0 && b.hi - b.lo > 0.1 * width; // three looks must pay
            width = b.hi - b.lo;
        }
        double theta =
            halve ? (b.lo + b.hi) / 2 : next_look(&side[few], &side[!few], b.lo, b.hi, finest, i);
        if (theta <= b.lo || theta >= b.hi) break;
        JD_TRY(solve_at(f, &b, theta, &found));
        if (!found) break;
        if (is_blurred(&f->at.middle) && f->at.left.resting != f->at.right.resting) break;
        bool is_left = f->at.middle.point.phases == f->at.left.point.phases;
        jd_place_copy(c, &f->at.middle, is_left ? &f->at.left : &f->at.right);
        *(is_left ? &b.lo : &b.hi) = theta;
        add(f, &side[!is_left], &f->at.middle, theta);
    }
    double moved = f->at.left.resting == f->at.right.resting ? 0 : 1;
    for (int i = 0; i < ONSETS && moved > back; i++)
        JD_TRY(find_onset(f, b.length, finest, side, &moved));
    return JD_OK;
}

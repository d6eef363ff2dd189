// hidden.c -- changes of the phase string between two points that have the same one.
//   Margins (engine.h) and lengths of phases are smooth along the branch as long as the string
//   stays, and one of them is 0 at every change. With a third orbit beside the two, a parabola
//   tells how such a function moves between them: where it may fall at one end and rise at the
//   other, and its values are small beside how much it moves, it may have passed 0 and come back.
//   Then the orbit half-way is looked at, and both halves. Times of events that move unlike before
//   are looked into as well: a slip that appears inside a stop and grows into the next slip moves
//   its beginning. Not seen: an excursion during which a margin is born (the force gets a new
//   maximum), vanishes and ends within one step, and moves no event by more than `surprise`.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

static const double wary = 0.5;      // values below this share of the slope times the step
static const double born = 0.05;     // a margin that only one end has, smaller than this
static const double slack = 0.3;     // slopes of the parabola are taken for so uncertain
static const double surprise = 6e-4; // periods by which an event may move unexpectedly
static const double smallest = 1e-7; // arclength
static const double no_half = 0.75;  // of it: the orbits are not known well enough to go on

static double distance(const curve *c, const place *a, const place *b) {
    double size = 0;
    for (int i = 0; i < c->N; i++) size += pow(a->y[i] - b->y[i], 2);
    return sqrt(size);
}

// Test function k: margins first, then lengths of phases [periods].
static double test(const place *p, int k) {
    const rhythm *r = &p->rhythm;
    if (k < p->n_margin) return fabs(p->margin[k]);
    int i = k - p->n_margin;
    double length = r->time[(i + 1) % r->n] - r->time[i];
    return length - floor(length);
}

static bool same_tests(const place *a, const place *b) {
    return a->n_margin > 0 && a->n_margin == b->n_margin && a->rhythm.n == b->rhythm.n &&
           a->point.phases == b->point.phases;
}

// f at a, b and, at x on the way from a (0) to b (1), a third orbit; x = 0: there is none.
static bool may_dip(double fa, double fb, double ft, double x) {
    double rise = fb - fa, least = fmin(fa, fb);
    if (x == 0 || !(ft < HUGE_VAL)) return least < wary * fabs(rise);
    double bend = ((ft - fa) / x - rise) / (x - 1), at_a = rise - bend, at_b = rise + bend,
           steep = fmax(fabs(at_a), fabs(at_b));
    return least < wary * steep && at_a < slack * steep && at_b > -slack * steep;
}

static bool suspicious(const curve *c, const place *t, const place *a, const place *b, bool after) {
    if (!same_tests(a, b)) return false;
    double x = 0, length = distance(c, a, b);
    if (same_tests(t, a)) x = after ? 1 + distance(c, b, t) / length : -distance(c, t, a) / length;
    for (int k = 0; k < a->n_margin + a->rhythm.n; k++) {
        double fa = test(a, k), fb = test(b, k);
        if (!(fmin(fa, fb) < HUGE_VAL)) continue;
        if (!(fmax(fa, fb) < HUGE_VAL)) {
            if (fmin(fa, fb) < born) return true;
            continue;
        }
        if (may_dip(fa, fb, x != 0 ? test(t, k) : 0, x)) return true;
    }
    return false;
}

static jd_status half_way(jd_follow *f, const place *a, const place *b, place *out, bool *found) {
    curve *c = &f->curve;
    double size = distance(c, a, b);
    *found = false;
    if (!(size > 0)) return JD_OK;
    for (int i = 0; i < c->N; i++) {
        out->y[i] = (a->y[i] + b->y[i]) / 2;
        c->newton.chord[i] = (b->y[i] - a->y[i]) / size;
    }
    c->phase = a->phase;
    if (!jd_curve_factor(c, c->newton.chord)) return JD_OK;
    return jd_branch_look_sharp(f, out, c->newton.chord, 1e-6 * size, a->resting, found);
}

// t: the third orbit, after b or before a.
static jd_status dig(jd_follow *f, const place *t, const place *a, const place *b, bool after,
                     int depth, bool *hidden) {
    const curve *c = &f->curve;
    bool found;
    place *m = &f->at.dig[depth];
    if (depth == DIG - 1 || jd_branch_spent(f) || distance(c, a, b) < smallest ||
        !suspicious(c, t, a, b, after))
        return JD_OK;
    JD_TRY(half_way(f, a, b, m, &found));
    if (!found) return JD_OK;
    *hidden = m->point.phases != a->point.phases;
    if (*hidden) return jd_place_copy(c, m, &f->at.middle), JD_OK;
    JD_TRY(dig(f, b, a, m, true, depth + 1, hidden));
    return *hidden ? JD_OK : dig(f, a, m, b, false, depth + 1, hidden);
}

// The half with the larger jump of an event is looked at until the jump is gone.
static jd_status chase(jd_follow *f, const place *a, const place *b, bool *hidden) {
    const curve *c = &f->curve;
    double length = distance(c, a, b);
    if (jd_sequence_surprise(&a->rhythm, &b->rhythm, f->walk.drift, length) < surprise)
        return JD_OK;
    jd_place_copy(c, a, &f->at.left);
    jd_place_copy(c, b, &f->at.right);
    while (length > smallest) {
        bool found, first;
        JD_TRY(half_way(f, &f->at.left, &f->at.right, &f->at.middle, &found));
        if (!found || distance(c, &f->at.left, &f->at.middle) > no_half * length) return JD_OK;
        *hidden = f->at.middle.point.phases != a->point.phases;
        if (*hidden) return JD_OK;
        double kink =
            jd_sequence_kink(&f->at.left.rhythm, &f->at.middle.rhythm, &f->at.right.rhythm, &first);
        if (kink < surprise / 2) return JD_OK; // it moves, but does not jump
        jd_place_copy(c, &f->at.middle, first ? &f->at.right : &f->at.left);
        length = distance(c, &f->at.left, &f->at.right);
    }
    return JD_OK;
}

jd_status jd_branch_hidden(jd_follow *f, const place *a, const place *b, bool *hidden) {
    *hidden = false;
    JD_TRY(dig(f, &f->at.prior, a, b, false, 0, hidden));
    return *hidden ? JD_OK : chase(f, a, b, hidden);
}

void jd_branch_note_margins(jd_follow *f, const place *a, const place *b, bool plain) {
    const curve *c = &f->curve;
    if (plain) {
        jd_place_copy(c, a, &f->at.prior);
        jd_sequence_rate(&a->rhythm, &b->rhythm, distance(c, a, b), f->walk.drift);
        return;
    }
    f->at.prior.n_margin = 0;
    memset(f->walk.drift, 0, MOST_EVENTS * sizeof *f->walk.drift);
}

// follow_change.c -- locates a change of the phase string between two orbits.
//   On the side with more events a phase of length d shrinks to nothing. The place on the chord is
//   a smooth function of d (d itself may go like the root of the distance: a slip where the force
//   just reaches its limit), so the change is its value at d = 0, extrapolated by polynomials of
//   rising degree (Neville); the last two tell the error. Orbits that far from it on both sides
//   bracket the change; halving where that does not pay.
#include <math.h>
#include <string.h>

#include "analysis/follow_branch.h"

enum { TRIES = 80, TREND = 5 };

// Lengths of the shrinking phase, newest last; theta: place on the chord.
typedef struct trend {
    double theta[TREND], length[TREND];
    int n, phases; // entries; string they belong to
} trend;

static void add(trend *t, const place *p, double theta) {
    if (t->phases != p->point.phases) *t = (trend){.phases = p->point.phases};
    if (t->n == TREND) {
        memmove(t->theta, t->theta + 1, (TREND - 1) * sizeof *t->theta);
        memmove(t->length, t->length + 1, (TREND - 1) * sizeof *t->length);
        t->n--;
    }
    t->theta[t->n] = theta;
    t->length[t->n++] = p->shortest_length;
}

// theta where the length is 0, and how sure that is. Two points: linear in d, for a slip in d^2.
static bool foretell(const trend *t, bool slip, double *zero, double *error) {
    int n = t->n;
    double v[TREND];
    if (n < 2) return false;
    memcpy(v, t->theta, sizeof v);
    for (int k = 1; k < n; k++)
        for (int i = 0; i < n - k; i++) {
            double a = t->length[i], b = t->length[i + k];
            if (n == 2 && slip) a *= a, b *= b;
            v[i] = (a * v[i + 1] - b * v[i]) / (a - b);
        }
    *zero = v[0];
    *error = n == 2 ? 0.1 * fabs(v[0] - t->theta[1]) : fabs(v[0] - v[1]);
    return isfinite(*zero);
}

// The orbit at `theta` of the chord whose ends are f->left at lo and f->right at hi.
static jd_status solve_at(jd_follow *f, double lo, double hi, double theta, bool *found) {
    curve *c = &f->curve;
    double share = (theta - lo) / (hi - lo);
    place *m = &f->middle;
    for (int i = 0; i < c->N; i++) m->y[i] = f->left.y[i] + share * (f->right.y[i] - f->left.y[i]);
    strcpy(c->phase, share < 0.5 ? f->left.phase : f->right.phase);
    JD_TRY(curve_correct(c, m->y, c->chord, false, found));
    return *found ? branch_judge(f, m, c->chord, false, found) : JD_OK;
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

// Where to look next: a little before or beyond the foretold zero, in turns; else the middle.
static double next_look(const trend *t, bool slip, double lo, double hi, bool more_right,
                        double finest, int turn) {
    double zero, error, middle = (lo + hi) / 2;
    if (!foretell(t, slip, &zero, &error) || !(zero > lo && zero < hi)) return middle;
    double aside = fmax(2 * error, finest);
    bool right = more_right == (turn % 2 == 0);
    double look = right ? zero + aside : zero - aside;
    return look > lo && look < hi ? look : middle;
}

// Room of the bracket lo..hi after a look at f->middle.
static void narrow(jd_follow *f, trend *t, double theta, double *lo, double *hi) {
    const curve *c = &f->curve;
    bool is_left = f->middle.point.phases == f->left.point.phases;
    if (f->middle.point.phases == t->phases) add(t, &f->middle, theta);
    place_copy(c, &f->middle, is_left ? &f->left : &f->right);
    *(is_left ? lo : hi) = theta;
}

jd_status branch_close_in(jd_follow *f) {
    curve *c = &f->curve;
    trend t = {.phases = -1};
    double lo = 0, hi = 1, length = span(c, &f->left, &f->right, c->chord), width = 1;
    double goal = f->options.locate, finest = 0.2 * goal / fmax(length, goal);
    if (!(length > 0) || !curve_factor(c, c->chord)) return JD_OK;
    for (int i = 0; i < TRIES; i++) {
        double gap = fabs(f->left.y[c->N - 1] - f->right.y[c->N - 1]);
        if (gap < goal && (hi - lo) * length < fmax(goal, 1e-9)) break;
        int more_left = f->left.point.n_event - f->right.point.n_event;
        const place *more = more_left > 0 ? &f->left : &f->right;
        bool halve = more_left == 0, found;
        if (t.phases != more->point.phases) add(&t, more, more_left > 0 ? lo : hi);
        if (i % 3 == 0) {
            halve |= i > 0 && hi - lo > 0.1 * width; // three looks must pay
            width = hi - lo;
        }
        double theta = halve
                           ? (lo + hi) / 2
                           : next_look(&t, more->shortest != 'H', lo, hi, more_left < 0, finest, i);
        if (theta <= lo || theta >= hi) break;
        JD_TRY(solve_at(f, lo, hi, theta, &found));
        if (!found) break;
        narrow(f, &t, theta, &lo, &hi);
    }
    return JD_OK;
}

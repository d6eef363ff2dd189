// dips.c -- zeros of functions between two neighbours where they have one sign.
//   s g, s the sign at both ends, may have a least value between them: where it is small beside how
//   much it moves from point to point, and falls inwards at both ends, the least value is sought by
//   golden sections. Clearly below 0: two zeros. 0 but for what the sections and rounding leave
//   open: it touches 0, a double zero. Not seen: a function that falls and rises again within a
//   fiftieth of a step.
//                                                             tested: follow_functions
#include <math.h>

#include "analysis/follow/branch.h"
#include "analysis/follow/functions.h"

enum { SECTIONS = 60 };
static const double inwards = 0.02;  // of the step
static const double moves = 4;       // times as much as it moves: larger values stay clear of 0
static const double touches = 1e-10; // of the larger value at the two ends
static const double golden = 0.38196601125010515; // (3 - sqrt(5))/2

typedef struct dip {
    jd_follow *f;
    const place *a, *b;
    int i;
    double sign;
    bool solved;
} dip;

// s g of the orbit at theta, which then is f->at.middle; HUGE_VAL: there is none.
static jd_status look(dip *d, double theta, double *out) {
    *out = HUGE_VAL;
    JD_TRY(jd_branch_between(d->f, d->a, d->b, theta, &d->f->at.middle, &d->solved));
    if (d->solved) *out = d->sign * d->f->at.middle.also[d->i];
    if (isnan(*out)) *out = HUGE_VAL;
    return JD_OK;
}

// How much the function moved between the last two points of the branch.
static double moved(const jd_follow *f, int i) {
    int n = f->view.kept.n_also, last = f->view.n_point - 1;
    if (last < 1 || i >= n) return 0;
    return fabs(f->list.also[last * n + i] - f->list.also[(last - 1) * n + i]);
}

static bool may_dip(const jd_follow *f, const place *a, const place *b, int i) {
    double ga = fabs(a->also[i]), gb = fabs(b->also[i]);
    return ga > 0 && gb > 0 && fmin(ga, gb) < moves * fmax(fabs(ga - gb), moved(f, i));
}

// Golden sections between low < x < high; x: the least so far, g there. Ends below -deep.
static jd_status section(dip *d, double deep, double *x, double *g, double *width) {
    double low = 0, high = 1;
    *x = golden;
    JD_TRY(look(d, *x, g));
    for (int k = 0; k < SECTIONS && *g >= -deep && high - low > 1e-13; k++) {
        bool right = high - *x > *x - low;
        double y = right ? *x + golden * (high - *x) : *x - golden * (*x - low), gy;
        JD_TRY(look(d, y, &gy));
        bool better = gy < *g;
        if (better == right)
            low = better ? *x : y;
        else
            high = better ? *x : y;
        if (better) *x = y, *g = gy;
    }
    *width = high - low;
    return JD_OK;
}

jd_status jd_function_dip(jd_follow *f, const place *a, const place *b, int i, jd_dip *kind,
                          double *error) {
    dip d = {.f = f, .a = a, .b = b, .i = i, .sign = a->also[i] > 0 ? 1 : -1};
    double ga = fabs(a->also[i]), gb = fabs(b->also[i]), deep = touches * fmax(ga, gb), x, g, width;
    *kind = JD_DIP_NONE;
    if (!may_dip(f, a, b, i)) return JD_OK;
    JD_TRY(look(&d, inwards, &g));
    if (!(g < ga)) return JD_OK;
    JD_TRY(look(&d, 1 - inwards, &g));
    if (!(g < gb)) return JD_OK;
    JD_TRY(section(&d, deep, &x, &g, &width));
    if (!(g <= deep)) return JD_OK;
    JD_TRY(look(&d, x, &g));
    if (!d.solved) return JD_OK;
    *kind = g < -deep ? JD_DIP_CROSSES : JD_DIP_TOUCHES;
    // of a parabola the place is known to the root of its value
    double way = fabs(b->point.parameter - a->point.parameter);
    *error = jd_branch_blur(f, &f->at.middle) + way * (width + sqrt(fabs(g) / fmax(ga, gb)) + 1e-8);
    return JD_OK;
}

// touch.c -- where a curve of folds, flips or pairs comes to a grazing, and ends.
//   The orbit's slowest impact has the speed v; M has entries like 1/v, so that steps must be short
//   beside v = 0, beyond which there is no such orbit. But the curve itself is a smooth function of
//   v: its value at v = 0 (Neville, the last points) is the point of codimension 2 KIND-grazing,
//   where the curve touches that of the grazing. Error: the difference to one point fewer.
//                                            tested: folds_end_where_their_impact_grazes
#include <math.h>
#include <string.h>

#include "analysis/follow/two/pair.h"

static const double slow = 5e-3;  // of the fastest impact: a grazing is near
static const double sure = 1e-7;  // of the windows: errors of the extrapolation to rely on
static const double crawl = 1e-6; // arclength of steps that get nowhere

static void push(pair_approach *a, double speed, const jd_curve_point *at) {
    if (a->n > 0 && !(speed < a->speed[a->n - 1])) a->n = 0;
    if (a->n == PAIR_APPROACH) {
        memmove(a->speed, a->speed + 1, (PAIR_APPROACH - 1) * sizeof *a->speed);
        memmove(a->at, a->at + 1, (PAIR_APPROACH - 1) * sizeof *a->at);
        a->n--;
    }
    a->speed[a->n] = speed;
    a->at[a->n++] = *at;
}

// At v = 0 through the points from `first` on.
static double at_zero(const pair_approach *a, int first, const double *value) {
    double v[PAIR_APPROACH];
    const double *x = a->speed + first;
    int n = a->n - first;
    memcpy(v, value + first, (size_t)n * sizeof *v);
    for (int k = 1; k < n; k++)
        for (int i = 0; i < n - k; i++)
            v[i] = (x[i] * v[i + 1] - x[i + k] * v[i]) / (x[i] - x[i + k]);
    return v[0];
}

// The curve at v = 0; error: of the first and of the second parameter.
static jd_curve_point foretell(const pair_approach *a, double error[2]) {
    double value[4][PAIR_APPROACH];
    for (int i = 0; i < a->n; i++) {
        value[0][i] = a->at[i].parameter;
        value[1][i] = a->at[i].second;
        value[2][i] = a->at[i].amplitude;
        value[3][i] = a->at[i].period;
    }
    jd_curve_point p = {.parameter = at_zero(a, 0, value[0]),
                        .second = at_zero(a, 0, value[1]),
                        .amplitude = at_zero(a, 0, value[2]),
                        .period = at_zero(a, 0, value[3])};
    error[0] = fabs(p.parameter - at_zero(a, 1, value[0]));
    error[1] = fabs(p.second - at_zero(a, 1, value[1]));
    return p;
}

jd_status jd_pair_touches(pair *p, double h, bool *ends) {
    const pair_impacts *i = &p->impacts;
    const curve_parameter *q = &p->c->parameter;
    double error[2];
    *ends = false;
    if (p->by->margins || !isfinite(i->slowest)) return JD_OK;
    push(&p->approach, i->slowest, &p->at);
    if (i->slowest > slow * i->fastest || p->approach.n < PAIR_APPROACH) return JD_OK;
    jd_curve_point at = foretell(&p->approach, error);
    if (error[0] < sure * q->L && error[1] < sure * q->L2) {
        const char *name = jd_arena_format(p->f->arena, "%s-grazing", jd_curve_name(p->kind));
        JD_TRY(jd_arena_status(p->f->arena));
        p->f->view.end_parameter = at.parameter;
        *ends = true;
        p->f->view.why = "the slowest impact of its orbits vanishes there: the curve ends on that "
                         "of the grazing";
        return jd_pair_add_special(p, name, &at, fmax(error[1], 1e-12 * q->L2));
    }
    *ends = h < crawl;
    if (*ends)
        p->f->view.why = "the slowest impact of its orbits is about to vanish, and the steps "
                         "became too short to get on";
    return JD_OK;
}

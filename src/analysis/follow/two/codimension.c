// codimension.c -- points of codimension 2 on a curve of special points: a second condition holds.
//   Watched along the curve, the multipliers that define it left out:
//     product of (1 - m):  a multiplier passes 1       fold: 1:1; others: NAME-fold
//     product of (1 + m):  a multiplier passes -1      flip: 1:2; others: NAME-flip
//     log |m| of the complex pair closest to the circle NAME-neimark-sacker
//     sum of the tracked pair of a Neimark-Sacker curve: 2, -2, -1, 0: 1:1, 1:2, 1:3, 1:4; beyond
//       the first two it would go on with two real multipliers m, 1/m, which is no bifurcation: it
//       ends
//     along a fold the tangent's two parameters turn back together: cusp
//   A change of sign between two neighbours is located by secants with halving on their chord.
//   Not seen: two changes of one sign between neighbours; degeneracies of higher terms.
#include <math.h>
#include <string.h>

#include "analysis/follow/two/pair.h"

enum { HALVINGS = 50 };
static const double near = 1e-12;  // of the chord
static const double there = 1e-13; // the condition's value: 0

// The multipliers that define the curve: of a pair the two that are tracked, else the one nearest
// to the shift; -1: none.
static void critical_of(const pair *p, int two[2]) {
    const double *m = p->critical.multiplier;
    double least = HUGE_VAL;
    two[0] = two[1] = -1;
    if (!p->by->renew) return;
    if (p->kind == JD_CURVE_NEIMARK_SACKER) {
        jd_pair_tracked(p, two);
        return;
    }
    for (int i = 0; i < p->n; i++) {
        double away = hypot(m[2 * i] - p->critical.shift, m[2 * i + 1]);
        if (away < least) two[0] = i;
        least = fmin(least, away);
    }
}

jd_status jd_pair_watch(pair *p) {
    const double *m = p->critical.multiplier;
    double *w = p->watched, re[2] = {1, 1}, im[2] = {0, 0}, least = HUGE_VAL;
    jd_curve_slope(p->c);
    JD_TRY(jd_curve_multipliers(p->c, p->critical.multiplier));
    w[PAIR_NEIMARK_SACKER] = (double)NAN;
    int critical[2];
    critical_of(p, critical);
    for (int i = 0; i < p->n; i++) {
        double size = hypot(m[2 * i], m[2 * i + 1]);
        if (i == critical[0] || i == critical[1]) continue;
        for (int k = 0; k < 2; k++) { // product of 1 -+ m
            double sign = k ? 1 : -1, a = 1 + sign * m[2 * i], b = sign * m[2 * i + 1], x = re[k];
            re[k] = a * x - b * im[k];
            im[k] = a * im[k] + b * x;
        }
        if (m[2 * i + 1] == 0 || !(fabs(log(size)) < least)) continue;
        least = fabs(log(size));
        w[PAIR_NEIMARK_SACKER] = log(size);
    }
    w[PAIR_FOLD] = re[0];
    w[PAIR_FLIP] = re[1];
    w[PAIR_SUM] = p->kind == JD_CURVE_NEIMARK_SACKER ? p->critical.sum : (double)NAN;
    return JD_OK;
}

// One condition: number `which` of those watched passes `value`; PAIR_WATCHED: the cusp.
typedef struct condition {
    int which;
    double value;
    const char *name;
    bool ends;
} condition;

static double along(const pair *p, const double *tangent, const double *old) {
    return tangent[p->U - 1] * old[p->U - 1] + tangent[p->U - 2] * old[p->U - 2];
}

jd_status jd_pair_add_special(pair *p, const char *name, const jd_curve_point *at, double error) {
    jd_follow *f = p->f;
    f->list.curve_special =
        jd_branch_grow(f->arena, f->list.curve_special, f->view.kept.n_curve_special,
                       &f->list.curve_special_room, sizeof *f->list.curve_special);
    JD_TRY(jd_arena_status(f->arena));
    f->list.curve_special[f->view.kept.n_curve_special++] =
        (jd_curve_special){.name = name,
                           .parameter = at->parameter,
                           .second = at->second,
                           .amplitude = at->amplitude,
                           .error = error,
                           .point = f->view.n_curve};
    return JD_OK;
}

// The value of the condition where p->next was just solved; a and b of the cusp.
static jd_status value_of(pair *p, const condition *k, double *fresh, double *out, bool *good) {
    *good = true;
    if (k->which < PAIR_WATCHED) {
        *out = p->watched[k->which] - k->value;
        *good = isfinite(*out);
        return JD_OK;
    }
    jd_curve_point at = p->at;
    JD_TRY(jd_pair_direction(p, fresh, good));
    p->at = at;
    *out = along(p, fresh, p->tangent);
    return JD_OK;
}

// The closest of the points solved between z and `end`, and what is known there.
typedef struct nearest {
    int n;           // points solved
    double g, slope; // the condition; |d second/dg| by the last two points
    double second;   // of the last one
    double g_last;
    double width; // of the bracket, as a share of the chord
    jd_curve_point at;
} nearest;

static void keep_nearest(nearest *best, const pair *p, double g) {
    double dg = fabs(g - best->g_last);
    if (best->n > 0 && dg > 0) best->slope = fabs(p->at.second - best->second) / dg;
    if (best->n == 0 || fabs(g) <= fabs(best->g)) {
        best->g = g;
        best->at = p->at;
    }
    best->second = p->at.second;
    best->g_last = g;
    best->n++;
}

// Of the second parameter: what the condition leaves open, by the slope along the chord and by that
// next to the zero, which two points tell; with one of them it is somewhere in the bracket.
static double error_of(const pair *p, const nearest *best, const double *end, double ga,
                       double gb) {
    double way = fabs(end[p->U - 1] - p->z[p->U - 1]) * p->c->parameter.L2;
    double left = fabs(best->g) * fmax(way / fabs(gb - ga), best->slope);
    if (best->n == 1 && !(fabs(best->g) < there)) left = fmax(left, best->width * way);
    return fmax(left, 1e-12 * p->c->parameter.L2);
}

// Between z and `end`, where the condition has the values ga and gb; p->at is the point located.
static jd_status locate(pair *p, const condition *k, const double *end, double ga, double gb,
                        bool *located) {
    jd_follow *f = p->f;
    int U = p->U;
    double *chord = JD_TAKE(f->arena, double, U), *fresh = JD_TAKE(f->arena, double, U), size = 0,
           low = 0, high = 1, gl = ga, gh = gb, last = 0;
    JD_TRY(jd_arena_status(f->arena));
    *located = false;
    for (int i = 0; i < U; i++) size += pow(end[i] - p->z[i], 2);
    for (int i = 0; i < U; i++) chord[i] = (end[i] - p->z[i]) / sqrt(size);
    nearest best = {0};
    bool found = true;
    int side = 0;
    for (int i = 0; i < HALVINGS && found && high - low > near; i++) {
        double theta = low + (high - low) * gl / (gl - gh), g;
        if (theta == last) break;
        last = theta;
        for (int j = 0; j < U; j++) p->next[j] = p->z[j] + theta * (end[j] - p->z[j]);
        memcpy(p->border, chord, (size_t)U * sizeof *chord);
        JD_TRY(jd_pair_solve(p, &found));
        if (found) JD_TRY(value_of(p, k, fresh, &g, &found));
        if (!found) break;
        keep_nearest(&best, p, g);
        bool lower = g * ga > 0;
        if (lower && side == 1) gh /= 2;
        if (!lower && side == -1) gl /= 2;
        *(lower ? &low : &high) = theta;
        *(lower ? &gl : &gh) = g;
        side = lower ? 1 : -1;
        if (fabs(g) < there) break;
    }
    best.width = high - low;
    // no zero: two pairs of multipliers changed places as the closest
    if (best.n == 0 || fabs(best.g) > 1e-6 * fmax(fabs(ga), fabs(gb))) return JD_OK;
    *located = true;
    p->at = best.at;
    return jd_pair_add_special(p, k->name, &p->at, error_of(p, &best, end, ga, gb));
}

static const char *name_of(pair *p, int which) {
    static const char *const what[] = {"fold", "flip", "neimark-sacker"};
    if (p->kind == JD_CURVE_FOLD && which == PAIR_FOLD) return "1:1";
    if (p->kind == JD_CURVE_FLIP && which == PAIR_FLIP) return "1:2";
    const char *text = jd_arena_format(p->f->arena, "%s-%s", jd_curve_name(p->kind), what[which]);
    return text ? text : "";
}

// Does it change its sign on the way, and not through a pair that was another one before?
static bool passes(const pair *p, const condition *k, const double *a, const double *b,
                   const double *fresh, double *ga, double *gb) {
    *ga = k->which < PAIR_WATCHED ? a[k->which] - k->value : 1;
    *gb = k->which < PAIR_WATCHED ? b[k->which] - k->value : along(p, fresh, p->tangent);
    return *ga * *gb < 0;
}

jd_status jd_pair_codimension(pair *p, const double *before, const double *fresh, bool *ends,
                              bool *missed) {
    const condition all[] = {{PAIR_FOLD, 0, name_of(p, PAIR_FOLD), false},
                             {PAIR_FLIP, 0, name_of(p, PAIR_FLIP), false},
                             {PAIR_NEIMARK_SACKER, 0, name_of(p, PAIR_NEIMARK_SACKER), false},
                             {PAIR_SUM, 2, "1:1", true},
                             {PAIR_SUM, -2, "1:2", true},
                             {PAIR_SUM, -1, "1:3", false},
                             {PAIR_SUM, 0, "1:4", false},
                             {PAIR_WATCHED, 0, "cusp", false}};
    int U = p->U, known = p->f->view.kept.n_curve_special;
    *ends = *missed = false;
    JD_TRY(jd_arena_status(p->f->arena));
    double *end = JD_TAKE(p->f->arena, double, U), here[PAIR_WATCHED];
    JD_TRY(jd_arena_status(p->f->arena));
    jd_curve_point at = p->at;
    pair_critical kept = p->critical;
    memcpy(end, p->next, (size_t)U * sizeof *end);
    memcpy(here, p->watched, sizeof here);
    for (size_t i = 0; i < sizeof all / sizeof *all && !*ends && !*missed; i++) {
        double ga, gb;
        bool located;
        if (all[i].which == PAIR_WATCHED && p->kind != JD_CURVE_FOLD) continue;
        if (!passes(p, &all[i], before, here, fresh, &ga, &gb)) continue;
        JD_TRY(locate(p, &all[i], end, ga, gb, &located));
        *ends = all[i].ends && located;
        *missed = all[i].ends && !located;
    }
    if (*missed) p->f->view.kept.n_curve_special = known;
    if (!*ends) { // as they were
        p->at = at;
        p->critical.sum = kept.sum;
        p->critical.product = kept.product;
        memcpy(p->next, end, (size_t)U * sizeof *end);
        memcpy(p->watched, here, sizeof here);
    }
    return JD_OK;
}

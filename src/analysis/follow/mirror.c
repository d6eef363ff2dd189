// mirror.c -- orbits that are their own mirror image half a period later, s(t + T/2) = -s(t).
//   Friction and stops on both sides do not tell a motion from its mirror image; under a drive with
//   d(t + T/2) = -d(t) symmetric orbits form branches of their own. They are solutions of
//     -P_half(s) = s,   P_half from the anchor over half a period,
//   whose derivative -M_half has the multipliers nu, mu = nu^2 those of the whole period. Half as
//   many impacts graze in it, so that near a grazing it grows like the root of what M grows like;
//   and where symmetry is lost (nu = -1, mu = 1) the equations are regular: orbits without symmetry
//   are no solutions of theirs.
//   Only events of one half count for P_half; the round goes over the whole period, and an orbit
//   whose second half is not the image of the first is refused (jd_branch_judge).
//                                      tested: symmetric_branches_are_followed_over_half_a_period
#include <math.h>
#include <string.h>

#include "analysis/follow/curve.h"
#include "contact/law.h"

static const double same = 1e-9;  // of the state: an orbit that is its own image
static const double aside = 1e-3; // of the state: a motion beside it

// Laws that resist a motion and its mirror image alike.
static bool laws_allow(const curve *c) {
    for (int j = 0; j < jd_problem_contacts(c->problem); j++) {
        const jd_contact_def *d = jd_problem_contact(c->problem, j)->def;
        const jd_object *law = &d->law;
        const jd_stop_def *stop = jd_law_stop_of(law);
        unsigned traits = jd_law_traits(law) & ~(unsigned)JD_LAW_STOP;
        if (stop ? !stop->sides : !(traits & JD_LAW_FRICTION)) return false;
        if (traits & (JD_LAW_SOIL | JD_LAW_SURFACE)) return false;
    }
    return true;
}

static void turn(jd_phase *phase) {
    for (int j = 0; j < phase->n; j++) {
        int sign = jd_contact_sign(phase->of[j]);
        if (sign != 0) phase->of[j] = jd_contact_sliding(-sign);
    }
}

// Does a motion beside the orbit, begun half a period later as its mirror image, stay that? After
// a round at the orbit.
static jd_status model_allows(curve *c, bool *allows) {
    jd_shooting *sh = c->sh;
    double start = sh->start, away = 0, size = 0;
    bool lost;
    for (int i = 0; i < c->n; i++) sh->s[i] *= 1 + aside;
    JD_TRY(jd_shooting_round(sh, false, &lost));
    memcpy(c->newton.kept, sh->s1, (size_t)c->n * sizeof *c->newton.kept);
    *allows = !lost;
    for (int i = 0; i < c->n; i++) sh->s[i] = -sh->s[i];
    turn(&sh->phase);
    sh->start += sh->period / 2;
    if (*allows) JD_TRY(jd_shooting_round(sh, false, &lost));
    *allows &= !lost;
    sh->start = start;
    for (int i = 0; i < c->n; i++) {
        away += pow(sh->scale[i] * (sh->s1[i] + c->newton.kept[i]), 2);
        size += pow(sh->scale[i] * sh->s[i], 2);
    }
    *allows &= sqrt(away) <= same * sqrt(size);
    return JD_OK;
}

// An orbit over an even number of the drive's periods is never its own image: the drive does not
// change its sign within half of them.
static bool may_mirror(const curve *c) {
    return c->forced && c->periods % 2 != 0 && (!c->parameter.second || c->parameter.mirrors) &&
           c->run->class->map.unwatch && laws_allow(c);
}

jd_status jd_curve_image_gap(curve *c, const double *y, double *gap) {
    bool lost, allows = false;
    *gap = HUGE_VAL;
    if (c->mirrored || !may_mirror(c)) return JD_OK;
    c->mirrored = true;
    jd_status status = jd_curve_round(c, y, false, &lost);
    double total = 0;
    for (int i = 0; i < c->n; i++) total += c->newton.F[i] * c->newton.F[i];
    if (status == JD_OK && !lost) status = model_allows(c, &allows);
    c->mirrored = false;
    if (allows) *gap = sqrt(total);
    return status;
}

jd_status jd_curve_mirror(curve *c, double *y, const double *border) {
    bool lost, found;
    if (!may_mirror(c)) return JD_OK;
    c->mirrored = true;
    JD_TRY(jd_curve_round(c, y, false, &lost));
    c->mirrored = !lost && c->residual < same;
    if (c->mirrored) JD_TRY(model_allows(c, &c->mirrored));
    if (c->mirrored) JD_TRY(jd_curve_derivative(c, y, border, &lost));
    if (c->mirrored && !lost) JD_TRY(jd_curve_correct(c, y, border, true, &found));
    c->mirrored = c->mirrored && !lost && found;
    return c->mirrored ? JD_OK : jd_curve_round(c, y, false, &lost);
}

jd_status jd_curve_mirror_near(curve *c, double *y, const double *border) {
    bool lost, found = false;
    if (c->mirrored || !may_mirror(c)) return JD_OK;
    memcpy(c->newton.chord, y, (size_t)c->N * sizeof *y);
    c->mirrored = true;
    JD_TRY(jd_curve_derivative(c, y, border, &lost));
    if (!lost) JD_TRY(jd_curve_correct(c, y, border, true, &found));
    if (found) return jd_curve_mirror(c, y, border);
    c->mirrored = false;
    memcpy(y, c->newton.chord, (size_t)c->N * sizeof *y);
    return JD_OK;
}

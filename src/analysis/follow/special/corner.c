// corner.c -- where no step along the tangent succeeds.
//   At a change of the phase string P is continuous with a corner. Beyond the corner the map has
//   another derivative; its null vector, turned to the side where that derivative holds, is where
//   the branch goes on -- forward, or back (a fold with a corner). Grazings: graze_end.c.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

static const double slow_impact = 0.1; // of the fastest: slower ones may be grazing
static const double reached = 1e-7;    // of the window: how close to a corner steps come

// A place just beyond the corner whose motion has another phase string; false: there is none.
static jd_status look_beyond(jd_follow *f, double *y, bool *other, bool *impacts) {
    curve *c = &f->curve;
    const place *h = &f->at.here;
    bool lost;
    c->phase = h->phase;
    *other = *impacts = false;
    for (double eps = 1e-9; eps < 2e-2 && !*other; eps *= 4) {
        for (int i = 0; i < c->N; i++) y[i] = h->y[i] + eps * h->tangent[i];
        JD_TRY(jd_curve_round(c, y, false, &lost));
        if (lost) continue;
        jd_phase_string(c, f->list.string, STRING_SIZE, NULL);
        *other = strcmp(f->list.string, f->list.phases[h->point.phases]) != 0;
    }
    *impacts = *other && jd_branch_count_impacts(c) != h->n_impact;
    return JD_OK;
}

// Tries the direction `turn` x here's new tangent.
static jd_status try_direction(jd_follow *f, double turn, const double *tangent, bool *goes_on) {
    curve *c = &f->curve;
    for (double h = 1e-7; h < 2e-2; h *= 8) {
        bool found;
        for (int i = 0; i < c->N; i++) {
            f->at.there.y[i] = f->at.here.y[i] + turn * h * tangent[i];
            f->at.middle.tangent[i] = turn * tangent[i];
        }
        memcpy(c->newton.J, f->kept.J, (size_t)(c->N * c->N) * sizeof *c->newton.J);
        JD_TRY(jd_branch_solve(f, &f->at.there, &f->at.here, f->at.middle.tangent, true, &found));
        if (found) JD_TRY(jd_branch_judge(f, &f->at.there, f->at.middle.tangent, true, &found));
        double gone = 0;
        for (int i = 0; i < c->N; i++) gone += pow(f->at.there.y[i] - f->at.here.y[i], 2);
        *goes_on =
            found && f->at.there.point.phases != f->at.here.point.phases && sqrt(gone) < 3 * h;
        if (*goes_on) return JD_OK;
    }
    return JD_OK;
}

jd_status jd_branch_corner(jd_follow *f, bool *goes_on) {
    curve *c = &f->curve;
    bool other, impacts, lost;
    double *beyond = f->at.right.y, *tangent = f->at.left.tangent;
    *goes_on = false;
    if (jd_branch_near_grazing(f, slow_impact)) {
        bool grazes;
        JD_TRY(jd_branch_graze_end(f, true, &grazes, goes_on));
        if (grazes) return JD_OK;
    }
    f->view.end = JD_END_LOST;
    f->view.end_parameter = f->at.here.point.parameter;
    if (fabs(f->grazing.refused - f->at.here.point.parameter) < reached * c->parameter.L) {
        place at = f->at.here;
        at.point.parameter = f->view.end_parameter = f->grazing.refused;
        f->view.end = JD_END_GRAZING;
        f->view.why = "orbits with this impact amplify rounding too much to be found";
        return jd_branch_add_special(f, JD_SPECIAL_GRAZING, &at, &at, f->grazing.refused_error,
                                     false, NULL);
    }
    JD_TRY(look_beyond(f, beyond, &other, &impacts));
    if (!other) return JD_OK;
    JD_TRY(jd_curve_derivative(c, beyond, f->at.here.tangent, &lost));
    if (!lost && jd_curve_tangent(c, f->at.here.tangent, tangent)) {
        memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *c->newton.J);
        JD_TRY(try_direction(f, -1, tangent, goes_on));
        if (!*goes_on) JD_TRY(try_direction(f, 1, tangent, goes_on));
    }
    if (*goes_on) memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *c->newton.J);
    place at = f->at.here;
    double error = reached * c->parameter.L;
    if (impacts) JD_TRY(jd_branch_touch(f, &f->at.here, 1e-6, &at.point.parameter, &error));
    bool located = impacts && error < reached * c->parameter.L;
    if (*goes_on) {
        bool turns = f->at.here.tangent[c->N - 1] * f->at.there.tangent[c->N - 1] < 0;
        jd_special_kind kind = jd_branch_change_kind(&f->at.here, &f->at.there);
        if (kind == JD_SPECIAL_COUNT) return JD_OK;
        // an impact that appears where none grazes: the motion fell onto another orbit
        *goes_on = kind != JD_SPECIAL_GRAZING || located || !c->run->class->map.unwatch;
        if (!*goes_on) return JD_OK;
        return jd_branch_add_special(f, kind, &at, &f->at.there, error, turns, NULL);
    }
    if (!located) return JD_OK;
    f->view.end = JD_END_GRAZING;
    f->view.end_parameter = at.point.parameter;
    return jd_branch_add_special(f, JD_SPECIAL_GRAZING, &at, &at, error, false, NULL);
}

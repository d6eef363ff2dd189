// follow_corner.c -- where no step along the tangent succeeds.
//   At a change of the phase string P is continuous with a corner. Beyond the corner the map has
//   another derivative; its null vector, turned to the side where that derivative holds, is where
//   the branch goes on -- forward, or back (a fold with a corner).
//   At grazing the impact speed v goes to 0 as a smooth function of arclength although the
//   derivative grows like 1/v: the end is extrapolated in v from the last points.
#include <math.h>
#include <string.h>

#include "analysis/follow_branch.h"

static const double slow_impact = 0.1; // of the fastest: slower ones may be grazing

void branch_note_impacts(jd_follow *f, const place *p) {
    if (!isfinite(p->slowest_impact)) {
        f->n_graze = 0;
        return;
    }
    f->fastest = fmax(f->fastest, p->slowest_impact);
    if (f->n_graze == GRAZES) memmove(f->graze, f->graze + 1, sizeof f->graze - sizeof *f->graze);
    if (f->n_graze < GRAZES) f->n_graze++;
    double *g = f->graze[f->n_graze - 1];
    g[0] = p->slowest_impact;
    g[1] = p->point.parameter;
    g[2] = p->point.amplitude;
}

// Neville's scheme at v = 0 for column `what`.
static double extrapolate(const jd_follow *f, int what) {
    double value[GRAZES] = {0};
    int n = f->n_graze;
    for (int i = 0; i < n; i++) value[i] = f->graze[i][what];
    for (int k = 1; k < n; k++)
        for (int i = 0; i < n - k; i++) {
            double a = f->graze[i][0], b = f->graze[i + k][0];
            value[i] = (a * value[i + 1] - b * value[i]) / (a - b);
        }
    return value[0];
}

jd_status branch_graze_end(jd_follow *f) {
    place end = f->here;
    end.point.parameter = extrapolate(f, 1);
    end.point.amplitude = extrapolate(f, 2);
    f->view.end = JD_END_GRAZING;
    f->view.end_parameter = end.point.parameter;
    return branch_add_special(f, JD_SPECIAL_GRAZING, &end, &end, false, NULL);
}

bool branch_near_grazing(const jd_follow *f, double share) {
    if (f->n_graze < 3 || !(f->here.slowest_impact < share * f->fastest)) return false;
    for (int i = 1; i < f->n_graze; i++)
        if (!(f->graze[i][0] < f->graze[i - 1][0])) return false;
    return true;
}

double branch_graze_step(const jd_follow *f) {
    if (!branch_near_grazing(f, slow_impact)) return HUGE_VAL;
    double now = f->graze[f->n_graze - 1][0], before = f->graze[f->n_graze - 2][0];
    return 0.4 * now * f->gone / (before - now);
}

// A place just beyond the corner whose motion has another phase string; false: there is none.
static jd_status look_beyond(jd_follow *f, double *y, bool *other, bool *impacts) {
    curve *c = &f->curve;
    const place *h = &f->here;
    bool lost;
    strcpy(c->phase, h->phase);
    *other = *impacts = false;
    for (double eps = 1e-9; eps < 2e-2 && !*other; eps *= 4) {
        for (int i = 0; i < c->N; i++) y[i] = h->y[i] + eps * h->tangent[i];
        JD_TRY(curve_round(c, y, false, &lost));
        if (lost) continue;
        phase_string(c, f->string, STRING_SIZE, NULL);
        *other = strcmp(f->string, f->phases[h->point.phases]) != 0;
    }
    int n = 0;
    for (int i = 0; *other && i < c->sh->n_event; i++)
        n += c->sh->event[i].from == 'o' && c->sh->event[i].to == 'o';
    *impacts = *other && n != h->n_impact;
    return JD_OK;
}

// Tries the direction `turn` x here's new tangent.
static jd_status try_direction(jd_follow *f, double turn, const double *tangent, bool *goes_on) {
    curve *c = &f->curve;
    for (double h = 1e-7; h < 2e-2; h *= 8) {
        bool found;
        for (int i = 0; i < c->N; i++) {
            f->there.y[i] = f->here.y[i] + turn * h * tangent[i];
            f->middle.tangent[i] = turn * tangent[i];
        }
        memcpy(c->J, f->J, (size_t)(c->N * c->N) * sizeof *c->J);
        JD_TRY(branch_solve(f, &f->there, &f->here, f->middle.tangent, true, &found));
        if (found) JD_TRY(branch_judge(f, &f->there, f->middle.tangent, true, &found));
        double gone = 0;
        for (int i = 0; i < c->N; i++) gone += pow(f->there.y[i] - f->here.y[i], 2);
        *goes_on = found && f->there.point.phases != f->here.point.phases && sqrt(gone) < 3 * h;
        if (*goes_on) return JD_OK;
    }
    return JD_OK;
}

jd_status branch_corner(jd_follow *f, bool *goes_on) {
    curve *c = &f->curve;
    bool other, impacts, lost;
    double *beyond = f->right.y, *tangent = f->left.tangent;
    *goes_on = false;
    if (branch_near_grazing(f, slow_impact)) return branch_graze_end(f);
    f->view.end = JD_END_LOST;
    f->view.end_parameter = f->here.point.parameter;
    JD_TRY(look_beyond(f, beyond, &other, &impacts));
    if (!other) return JD_OK;
    JD_TRY(curve_derivative(c, beyond, f->here.tangent, &lost));
    if (!lost && curve_tangent(c, f->here.tangent, tangent)) {
        memcpy(f->J, c->J, (size_t)(c->N * c->N) * sizeof *c->J);
        JD_TRY(try_direction(f, -1, tangent, goes_on));
        if (!*goes_on) JD_TRY(try_direction(f, 1, tangent, goes_on));
    }
    if (*goes_on) {
        bool turns = f->here.tangent[c->N - 1] * f->there.tangent[c->N - 1] < 0;
        JD_TRY(branch_add_special(f, branch_change_kind(&f->here, &f->there), &f->here, &f->there,
                                  turns, NULL));
        memcpy(f->J, c->J, (size_t)(c->N * c->N) * sizeof *c->J);
        return JD_OK;
    }
    if (!impacts) return JD_OK;
    f->view.end = JD_END_GRAZING;
    return branch_add_special(f, JD_SPECIAL_GRAZING, &f->here, &f->here, false, NULL);
}

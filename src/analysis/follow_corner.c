// follow_corner.c -- where no step along the tangent succeeds.
//   At a change of the phase string P is continuous with a corner. Beyond the corner the map has
//   another derivative; its null vector, turned to the side where that derivative holds, is where
//   the branch goes on -- forward, or back (a fold with a corner).
//   At grazing the impact speed v goes to 0 as a smooth function of arclength although the
//   derivative grows like 1/v: the end is extrapolated in v from the last points. Beside it the
//   orbit without that impact is sought, on both sides of the parameter: the branch goes on there.
#include <math.h>
#include <string.h>

#include "analysis/follow_branch.h"

static const double slow_impact = 0.1; // of the fastest: slower ones may be grazing
static const double near_by = 0.1;     // of the first state: further away it is another orbit

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

static int count_impacts(const curve *c) {
    int n = 0;
    for (int i = 0; i < c->sh->n_event; i++)
        n += c->sh->event[i].from == 'o' && c->sh->event[i].to == 'o';
    return n;
}

// The orbit without the impact at the parameter there.y says, from a state so much smaller that it
// does not hit; border: along the parameter, away from the grazing.
static jd_status without_impact(jd_follow *f, const double *border, bool *found) {
    curve *c = &f->curve;
    bool lost = true, missed = false;
    *found = false;
    for (double less = 1e-3; less < 0.5 && !missed; less *= 2) {
        for (int i = 0; i < c->n; i++) f->there.y[i] = (1 - less) * f->here.y[i];
        if (!c->forced) f->there.y[c->n] = f->here.y[c->n];
        strcpy(c->phase, f->here.phase);
        JD_TRY(curve_round(c, f->there.y, false, &lost));
        missed = !lost && count_impacts(c) < f->here.n_impact;
    }
    if (!missed) return JD_OK;
    JD_TRY(curve_derivative(c, f->there.y, border, &lost));
    if (lost) return JD_OK;
    JD_TRY(curve_correct(c, f->there.y, border, true, found));
    if (*found) JD_TRY(branch_judge(f, &f->there, border, true, found));
    double d = 0;
    for (int i = 0; i < c->n; i++) d += pow(f->there.y[i] - f->here.y[i], 2);
    *found = *found && f->there.n_impact < f->here.n_impact && sqrt(d) < near_by;
    return JD_OK;
}

// Close to the grazing at `lambda`, on the side where it exists, if anywhere.
static jd_status leave_stop(jd_follow *f, double lambda, bool *found) {
    curve *c = &f->curve;
    double *border = f->middle.tangent;
    *found = false;
    for (double h = 1e-6; h < 2e-3 && !*found; h *= 10)
        for (int side = -1; side <= 1 && !*found; side += 2) {
            memset(border, 0, (size_t)c->N * sizeof *border);
            border[c->N - 1] = side;
            f->there.y[c->N - 1] = lambda / c->L + side * h;
            JD_TRY(without_impact(f, border, found));
        }
    return JD_OK;
}

jd_status branch_graze_end(jd_follow *f, bool *goes_on) {
    curve *c = &f->curve;
    place end = f->here;
    end.point.parameter = extrapolate(f, 1);
    end.point.amplitude = extrapolate(f, 2);
    JD_TRY(leave_stop(f, end.point.parameter, goes_on));
    if (*goes_on) {
        bool turns = f->here.tangent[c->N - 1] * f->there.tangent[c->N - 1] < 0;
        f->n_graze = 0;
        return branch_add_special(f, JD_SPECIAL_GRAZING, &end, &f->there, turns, NULL);
    }
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
    *impacts = *other && count_impacts(c) != h->n_impact;
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
    if (branch_near_grazing(f, slow_impact)) return branch_graze_end(f, goes_on);
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

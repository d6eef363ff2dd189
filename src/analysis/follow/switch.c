// switch.c -- from a flip onto the branch of doubled period, from a branch point onto the branch
// that crosses it.
//   At a flip M v = -v. Seen over two periods the orbit is a double solution, and the other branch
//   leaves it along (v, 0): the parameter changes with the square of the distance.
//   At a branch point F_y has two null vectors, the tangent t and n across it. The other branch is
//   met in the planes n'(y - y*) = +-h, its two arms. Symmetric orbits are sought as orbits of the
//   whole period from there on: what crosses at a pitchfork has lost the symmetry.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "linalg/general.h"

// v by inverse iteration on M + I; J holds M - I.
static bool flip_direction(curve *c, double *v) {
    int n = c->n, N = c->N;
    double *A = c->newton.lu;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = c->newton.J[i * N + j] + (i == j ? 2 + 1e-12 : 0);
    if (!jd_lu_factor(n, A, c->newton.pivot)) return false;
    for (int i = 0; i < N; i++) v[i] = i < n ? 1 + 0.1 * (i % 7) : 0;
    for (int k = 0; k < 3; k++) {
        double size = 0;
        jd_lu_solve(n, A, c->newton.pivot, v);
        for (int i = 0; i < n; i++) size += v[i] * v[i];
        if (!(size > 0) || !isfinite(size)) return false;
        for (int i = 0; i < n; i++) v[i] /= sqrt(size);
    }
    return true;
}

static jd_status switch_at_flip(jd_follow *f, bool *found) {
    curve *c = &f->curve;
    double *v = f->at.middle.tangent;
    bool lost;
    *found = false;
    c->anchor = f->at.flip.anchor;
    c->phase = f->at.flip.phase;
    memcpy(v, f->at.flip.tangent, (size_t)c->N * sizeof *v);
    JD_TRY(jd_curve_derivative(c, f->at.flip.y, v, &lost));
    if (lost || !flip_direction(c, v)) return JD_OK;
    c->periods *= 2;
    c->anchor /= 2;
    if (!c->forced) f->at.flip.y[c->n] += log(2);
    for (double h = 1e-2; h > 1e-5 && !*found; h /= 4) {
        for (int i = 0; i < c->N; i++) f->at.here.y[i] = f->at.flip.y[i] + h * v[i];
        c->phase = f->at.flip.phase;
        JD_TRY(jd_curve_derivative(c, f->at.here.y, v, &lost));
        if (lost) continue;
        JD_TRY(jd_curve_correct(c, f->at.here.y, v, true, found));
        if (*found) JD_TRY(jd_branch_judge(f, &f->at.here, v, true, found));
        f->walk.step = h;
    }
    memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    return JD_OK;
}

// n by inverse iteration on (F_y; t'), turned so that its largest entry is positive.
static bool across(curve *c, const double *t, double *v) {
    int N = c->N, largest = 0;
    if (!jd_curve_factor(c, t)) return false;
    for (int i = 0; i < N; i++) v[i] = i < N - 1 ? 1 + 0.1 * (i % 7) : 0;
    for (int k = 0; k < 4; k++) {
        double size = 0, along = 0;
        jd_lu_solve(N, c->newton.lu, c->newton.pivot, v);
        for (int i = 0; i < N; i++) along += v[i] * t[i];
        for (int i = 0; i < N; i++) v[i] -= along * t[i];
        for (int i = 0; i < N; i++) size += v[i] * v[i];
        if (!(size > 0) || !isfinite(size)) return false;
        for (int i = 0; i < N; i++) v[i] /= sqrt(size);
    }
    for (int i = 1; i < N; i++)
        if (fabs(v[i]) > fabs(v[largest])) largest = i;
    for (int i = 0; i < N && v[largest] < 0; i++) v[i] = -v[i];
    return v[largest] > 0;
}

static jd_status switch_arm(jd_follow *f, bool *found) {
    curve *c = &f->curve;
    place *at = &f->at.cross;
    double *v = f->at.middle.tangent, sense = f->options.arm < 0 ? -1 : 1;
    bool lost;
    *found = false;
    c->anchor = at->anchor;
    c->phase = at->phase;
    c->mirrored = false;
    JD_TRY(jd_curve_derivative(c, at->y, at->tangent, &lost));
    if (lost || !across(c, at->tangent, v)) return JD_OK;
    for (int i = 0; i < c->N; i++) v[i] *= sense;
    for (double h = 1e-2; h > 1e-5 && !*found; h /= 4) {
        for (int i = 0; i < c->N; i++) f->at.here.y[i] = at->y[i] + h * v[i];
        c->phase = at->phase;
        JD_TRY(jd_curve_derivative(c, f->at.here.y, v, &lost));
        if (lost) continue;
        JD_TRY(jd_curve_correct(c, f->at.here.y, v, true, found));
        if (*found) JD_TRY(jd_branch_judge(f, &f->at.here, v, true, found));
        f->walk.step = h;
    }
    memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    return JD_OK;
}

bool jd_branch_leaves(const jd_follow *f) {
    const jd_follow_options *o = &f->options;
    return (o->flip > 0 && f->list.n_flip >= o->flip) ||
           (o->branch > 0 && f->list.n_cross >= o->branch);
}

// Begins anew.
jd_status jd_branch_leave(jd_follow *f, bool *found) {
    bool doubled = f->options.flip > 0 && f->list.n_flip >= f->options.flip;
    *(doubled ? &f->options.flip : &f->options.branch) = 0;
    f->view.n_point = f->view.n_special = f->proof.n_stretch = 0;
    f->at.marked = false; // a curve in two parameters begins on the branch asked for
    f->proof.open = false;
    f->walk.smooth = false;
    f->grazing.n_recent = f->walk.at_one = f->walk.crawling = 0;
    f->view.end_parameter = (doubled ? &f->at.flip : &f->at.cross)->point.parameter;
    JD_TRY(doubled ? switch_at_flip(f, found) : switch_arm(f, found));
    if (*found) JD_TRY(jd_branch_doubt(f, &f->at.here));
    if (*found) return jd_branch_list(f, &f->at.here);
    f->view.end = JD_END_LOST;
    f->view.why = doubled ? "the branch of doubled period was not found beside the flip"
                          : "the branch that crosses was not found beside the branch point";
    return JD_OK;
}

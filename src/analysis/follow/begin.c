// begin.c -- the first orbit of a branch: searched at `from`, or the cycle of a Hopf point.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

// S is the size of the first state.
static void scale_first(curve *c, double *y) {
    double size = 0;
    for (int i = 0; i < c->n; i++) size += y[i] * y[i];
    if (!(size > 0)) return;
    c->S = sqrt(size);
    for (int i = 0; i < c->n; i++) y[i] /= c->S;
}

// No orbit was found, but the motion comes ever closer to one, or to many.
static bool is_near_family(const jd_orbit_view *v) {
    return v->n > 0 && v->forced && v->periods > 0 &&
           (v->search.reason == JD_ORBIT_NO_CONVERGENCE ||
            v->search.reason == JD_ORBIT_NOT_ISOLATED);
}

// The member wanted of a family the first orbit belongs to. Without a family there is nothing to
// do.
static jd_status begin_member(jd_follow *f, bool closed, const double *border, bool *found) {
    curve *c = &f->curve;
    bool lost;
    JD_TRY(jd_curve_round(c, f->at.here.y, false, &lost));
    *found = closed;
    if (lost || c->member.n == 0) return JD_OK;
    return jd_member_begin(c, f->at.here.y, border, found);
}

// Room for everything that goes with the number of unknowns.
static jd_status open_room(jd_follow *f) {
    curve *c = &f->curve;
    JD_TRY(jd_curve_open(c));
    f->kept.J = JD_TAKE(f->arena, double, c->N * c->N);
    f->kept.J_past = JD_TAKE(f->arena, double, c->N * c->N);
    f->kept.J_kept = JD_TAKE(f->arena, double, c->N * c->N);
    f->kept.finer = JD_TAKE(f->arena, double, 2 * c->n);
    f->kept.y_past = JD_TAKE(f->arena, double, c->N);
    f->kept.tangent_past = JD_TAKE(f->arena, double, c->N);
    c->S = 1;
    return jd_branch_open(f);
}

// The orbit at `from`, into f->at.here.y.
static jd_status search_first(jd_follow *f, bool *found) {
    curve *c = &f->curve;
    f->options.orbit.shoot = true;
    JD_TRY(jd_orbit_create(f->context, c->problem, &f->options.orbit, &f->first));
    const jd_orbit_view *first = jd_orbit_look(f->first);
    // creeping up to the edge of a family is as good: the member wanted is sought from there
    *found = first->found || is_near_family(first);
    const char *why = first->search.why ? jd_arena_text(f->arena, first->search.why) : "";
    f->view.why = first->found || !why ? "" : why;
    if (!*found) return JD_OK;
    c->forced = first->forced;
    c->periods = first->periods;
    JD_TRY(open_room(f));
    c->phase = jd_phase_of_text(first->phase);
    jd_member_rest(c, first->state);
    jd_curve_pack(c, first->state, first->period, c->parameter.lambda, f->at.here.y);
    double *border = f->at.there.tangent;
    border[c->N - 1] = f->options.sense != 0 ? f->options.sense : f->walk.direction;
    return begin_member(f, first->found, border, found);
}

// The cycle at the Hopf point at `from`.
static jd_status start_cycle(jd_follow *f, bool *found) {
    f->curve.forced = false;
    f->curve.periods = 1;
    JD_TRY(open_room(f));
    return jd_hopf_first(f, found);
}

// The first orbit and its tangent, turned towards `to`, or away from a Hopf point.
jd_status jd_branch_begin(jd_follow *f, bool *found) {
    curve *c = &f->curve;
    bool lost;
    f->view.end = JD_END_NO_ORBIT;
    f->view.end_parameter = c->parameter.lambda;
    JD_TRY(f->options.hopf ? start_cycle(f, found) : search_first(f, found));
    if (!*found) return JD_OK;
    double *border = f->at.there.tangent;
    // of a Hopf point "outwards" is known where the cycle was found
    if (!f->options.hopf) JD_TRY(jd_anchor_first(f, f->at.here.y));
    scale_first(c, f->at.here.y);
    if (f->options.hopf) jd_hopf_outwards(f, f->at.here.y, border);
    JD_TRY(jd_curve_round(c, f->at.here.y, false, &lost));
    if (!c->forced)
        for (int i = 0; i < c->n; i++) c->newton.rate0[i] = c->sh->scale[i] * c->sh->rate[i] / c->S;
    JD_TRY(jd_curve_derivative(c, f->at.here.y, border, &lost));
    if (lost) return *found = false, JD_OK;
    JD_TRY(jd_curve_correct(c, f->at.here.y, border, true, found));
    if (!*found) return JD_OK;
    memcpy(f->kept.y_past, f->at.here.y, (size_t)c->N * sizeof *f->kept.y_past);
    JD_TRY(jd_curve_mirror(c, f->kept.y_past, border));
    if (c->mirrored) memcpy(f->at.here.y, f->kept.y_past, (size_t)c->N * sizeof *f->kept.y_past);
    c->newton.fresh = false;
    JD_TRY(jd_branch_judge(f, &f->at.here, border, true, found));
    f->proof.proves = c->sh->proves;
    memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    return *found ? jd_branch_doubt(f, &f->at.here) : JD_OK;
}

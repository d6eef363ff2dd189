// proof.c -- points of a branch are orbits that close and are admissible; the others are named.
//   An engine that proves its events may have to leave one open: whether a slow bounce happens is
//   not seen beside the rounding of the state. Where M amplifies that rounding the state may not
//   come back to `closed` either. Such orbits serve to go on, but are no points: each stretch of
//   them is listed as `unproved`, a special point in its middle with half its length as error; but
//   for orbits that are looked at beside a grazing only (corner.c), which is named itself.
//   The first orbit is a point in any case, and says itself that it is not certified. Engines that
//   prove nothing, or not the first orbit for cancellation, list all their orbits, with what they
//   say.
//                                      tested: points_penetrate_no_stop_and_break_no_limit
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

static const double closed = 1e-9; // of the state: residual

bool jd_branch_unproved(const jd_follow *f, const place *p) {
    return f->proof.proves && (!p->point.certified || p->point.residual > closed);
}

// The stretch reaches as far as this parameter.
static void reach(jd_special *s, double parameter) {
    double low = fmin(s->parameter - s->error, parameter),
           high = fmax(s->parameter + s->error, parameter);
    s->parameter = (low + high) / 2;
    s->error = (high - low) / 2;
}

static jd_status begin_stretch(jd_follow *f, const place *p) {
    const jd_branch_point *last = &f->list.point[f->view.n_point - 1];
    f->proof.stretch = jd_branch_grow(f->arena, f->proof.stretch, f->proof.n_stretch,
                                      &f->proof.stretch_room, sizeof *f->proof.stretch);
    JD_TRY(jd_arena_status(f->arena));
    f->proof.stretch[f->proof.n_stretch++] =
        (jd_special){.kind = JD_SPECIAL_UNPROVED,
                     .name = f->curve.seen.n_function ? "" : NULL,
                     .parameter = p->point.parameter,
                     .amplitude = p->point.amplitude,
                     .period = p->point.period,
                     .before = last->phases,
                     .after = p->point.phases,
                     .stable_before = last->stable,
                     .undecided_before = last->undecided,
                     .point = f->view.n_point};
    f->proof.open = true;
    return JD_OK;
}

jd_status jd_branch_list(jd_follow *f, const place *p) {
    f->proof.listed = f->view.n_point == 0 || !jd_branch_unproved(f, p);
    f->proof.unlisted += !f->proof.listed;
    if (!f->proof.listed && f->grazing.beside) return JD_OK;
    if (!f->proof.listed && !f->proof.open) JD_TRY(begin_stretch(f, p));
    if (f->proof.open) {
        jd_special *s = &f->proof.stretch[f->proof.n_stretch - 1];
        if (!f->proof.listed) reach(s, p->point.parameter);
        s->after = p->point.phases;
        s->stable_after = p->point.stable;
        s->undecided_after = p->point.undecided;
    }
    if (!f->proof.listed) return JD_OK;
    f->proof.open = false;
    return jd_branch_add_point(f, p);
}

// Both lists are in the order of points.
jd_status jd_branch_list_unproved(jd_follow *f) {
    int n = f->view.n_special, m = f->proof.n_stretch;
    if (m == 0) return JD_OK;
    jd_special *all = JD_TAKE(f->arena, jd_special, n + m);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0, j = 0; i + j < n + m;) {
        bool first = j == m || (i < n && f->list.special[i].point <= f->proof.stretch[j].point);
        all[i + j] = first ? f->list.special[i] : f->proof.stretch[j];
        *(first ? &i : &j) += 1;
    }
    f->list.special = all;
    f->view.n_special = n + m;
    return JD_OK;
}

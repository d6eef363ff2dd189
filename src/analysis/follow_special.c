// follow_special.c -- what happens between two neighbouring points of a branch.
//   Change of the phase string: see follow_change.c.
//   Smooth parts: fold where the tangent's parameter component changes sign; flip, Neimark-Sacker
//   and branch points where the k-th largest multiplier passes the unit circle (sizes sorted are
//   continuous). Secant with halving (Illinois).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/follow_branch.h"

enum { HALVINGS = 60, CHANGES = 40, STEP_ORBITS = 1000 };
static const double same_place = 1e-8; // arclength

// Solves at the share `theta` of the chord from a to b.
static jd_status between(jd_follow *f, const place *a, const place *b, double theta, place *out,
                         bool full, bool *found) {
    const curve *c = &f->curve;
    double size = 0, *border = f->curve.chord;
    for (int i = 0; i < c->N; i++) {
        border[i] = b->y[i] - a->y[i];
        size += border[i] * border[i];
    }
    if (!(size > 0)) return *found = false, JD_OK;
    for (int i = 0; i < c->N; i++) {
        out->y[i] = a->y[i] + theta * border[i];
        border[i] /= sqrt(size);
    }
    JD_TRY(branch_solve(f, out, theta < 0.5 ? a : b, border, full, found));
    if (!*found) return JD_OK;
    return branch_judge(f, out, border, full, found);
}

static double distance(const curve *c, const place *a, const place *b) {
    double size = 0;
    for (int i = 0; i < c->N; i++) size += pow(a->y[i] - b->y[i], 2);
    return sqrt(size);
}

jd_special_kind branch_change_kind(const place *a, const place *b) {
    bool more = b->point.n_event > a->point.n_event;
    if (a->n_impact != b->n_impact) return JD_SPECIAL_GRAZING;
    char letter = more ? b->shortest : a->shortest;
    if (a->point.n_event == b->point.n_event) return JD_SPECIAL_PHASES;
    if (letter == 'H') return more ? JD_SPECIAL_STICK_APPEARS : JD_SPECIAL_STICK_VANISHES;
    if (letter == '+' || letter == '-')
        return more ? JD_SPECIAL_SLIP_APPEARS : JD_SPECIAL_SLIP_VANISHES;
    return JD_SPECIAL_PHASES;
}

// The chord's two ends fully known, tangents along the branch.
static jd_status complete(jd_follow *f, place *p, const double *along) {
    bool found, lost;
    curve *c = &f->curve;
    strcpy(c->phase, p->phase);
    JD_TRY(curve_round(c, p->y, true, &lost));
    if (lost) return JD_OK;
    c->fresh = true;
    return branch_judge(f, p, along, true, &found);
}

static jd_status smooth(jd_follow *f, const place *a, const place *b);

// A change in the same place as the one before (both halves of a symmetric orbit change together):
// one special point.
static bool merged(jd_follow *f, int i) {
    const curve *c = &f->curve;
    if (i == 0 || distance(c, &f->old, &f->left) > same_place) return false;
    jd_special *s = &f->special[f->view.n_special - 1];
    s->kind = branch_change_kind(&f->before, &f->right);
    s->after = f->right.point.phases;
    s->stable_after = f->right.point.stable;
    s->turns = f->before.tangent[c->N - 1] * f->right.tangent[c->N - 1] < 0;
    return true;
}

// A fold and a corner that turns back, too close to be told apart: the branch goes straight on.
static void cancel_turns(jd_follow *f) {
    int n = f->view.n_special;
    jd_special *corner = &f->special[n - 1], *fold = corner - 1;
    if (n < 2 || !corner->turns || fold->kind != JD_SPECIAL_FOLD || fold->point != corner->point)
        return;
    if (fabs(fold->parameter - corner->parameter) > same_place * f->curve.L) return;
    corner->turns = false;
    corner->stable_before = fold->stable_before;
    *fold = *corner;
    f->view.n_special--;
    f->before.tangent[f->curve.N - 1] *= -1; // as it was before the fold
}

bool branch_spent(jd_follow *f) {
    long most = f->options.step_orbits > 0 ? f->options.step_orbits : STEP_ORBITS;
    f->crowded |= f->curve.orbits - f->orbits_before > most;
    return f->crowded;
}

static jd_status between_changes(jd_follow *f, const place *b, int depth);

// Walks from a to b through all changes of the string.
static jd_status changes(jd_follow *f, const place *a, const place *b, int depth) {
    curve *c = &f->curve;
    if (a != &f->old) place_copy(c, a, &f->old);
    for (int i = 0; i < CHANGES && f->old.point.phases != b->point.phases; i++) {
        if (branch_spent(f)) return JD_OK;
        place_copy(c, &f->old, &f->left);
        place_copy(c, b, &f->right);
        JD_TRY(branch_close_in(f));
        JD_TRY(complete(f, &f->left, f->old.tangent));
        JD_TRY(complete(f, &f->right, b->tangent));
        place_copy(c, &f->left, &f->near[depth]);
        place_copy(c, &f->right, &f->far[depth]);
        JD_TRY(between_changes(f, &f->near[depth], depth));
        place_copy(c, &f->near[depth], &f->left);
        place_copy(c, &f->far[depth], &f->right);
        if (!merged(f, i)) {
            bool turns = f->left.tangent[c->N - 1] * f->right.tangent[c->N - 1] < 0;
            JD_TRY(branch_add_special(f, branch_change_kind(&f->left, &f->right), &f->left,
                                      &f->right, turns, NULL));
            place_copy(c, &f->left, &f->before);
        }
        cancel_turns(f);
        place_copy(c, &f->right, &f->old);
        f->prior.n_margin = 0;
    }
    return between_changes(f, b, depth);
}

// From f->old to b, which have the same string: hidden changes, then what is smooth.
static jd_status between_changes(jd_follow *f, const place *b, int depth) {
    const curve *c = &f->curve;
    bool hidden = false;
    if (branch_spent(f)) return JD_OK;
    if (depth < NESTED) JD_TRY(branch_hidden(f, &f->old, b, &hidden));
    if (!hidden) {
        place_copy(c, &f->old, &f->left);
        return smooth(f, &f->left, b);
    }
    place *inside = &f->inside[depth];
    place_copy(c, &f->middle, inside);
    JD_TRY(complete(f, inside, f->old.tangent));
    branch_note_margins(f, inside, b, false);
    JD_TRY(changes(f, &f->old, inside, depth + 1));
    return changes(f, inside, b, depth + 1);
}

// Log of the size of the k-th largest multiplier.
static double crossing(const place *p, int k) {
    double size = hypot(p->multiplier[2 * k], p->multiplier[2 * k + 1]);
    return size > 1e-300 ? log(size) : -700;
}

static double test_value(const curve *c, const place *p, int k) {
    return k < 0 ? p->tangent[c->N - 1] : crossing(p, k);
}

// Zero of the test between a and b into f->middle; k < 0: the tangent's parameter component.
static jd_status locate(jd_follow *f, const place *a, const place *b, int k, bool *found) {
    const curve *c = &f->curve;
    double lo = 0, hi = 1, flo = test_value(c, a, k), fhi = test_value(c, b, k), last = 0;
    *found = false;
    for (int i = 0; i < HALVINGS; i++) {
        double theta = lo + (hi - lo) * flo / (flo - fhi), side = (hi - lo) * 1e-3;
        theta = fmin(hi - side, fmax(lo + side, theta));
        bool solved;
        JD_TRY(between(f, a, b, theta, &f->middle, true, &solved));
        if (!solved) return JD_OK;
        *found = true;
        double value = test_value(c, &f->middle, k);
        if ((hi - lo) * distance(c, a, b) < (k < 0 ? 1e-10 : f->options.locate)) break;
        if (fabs(value) < 1e-12) break;
        if ((value > 0) == (flo > 0)) {
            lo = theta;
            flo = value;
            if (last > 0) fhi /= 2;
            last = 1;
        } else {
            hi = theta;
            fhi = value;
            if (last < 0) flo /= 2;
            last = -1;
        }
    }
    return JD_OK;
}

static jd_special_kind crossing_kind(const double *m) {
    if (fabs(m[1]) > 1e-6) return JD_SPECIAL_NEIMARK_SACKER;
    return m[0] < 0 ? JD_SPECIAL_FLIP : JD_SPECIAL_BRANCH;
}

// Between two points with the same string.
static jd_status smooth(jd_follow *f, const place *a, const place *b) {
    const curve *c = &f->curve;
    bool found, turned = a->tangent[c->N - 1] * b->tangent[c->N - 1] < 0;
    int na = a->point.n_unstable, nb = b->point.n_unstable;
    if (a->point.phases != b->point.phases || distance(c, a, b) < same_place) return JD_OK;
    if (turned) {
        const double one[2] = {1, 0};
        int last =
            (na > nb ? na : nb) - 1; // at a fold a multiplier is 1, known without differences
        JD_TRY(locate(f, a, b, abs(na - nb) == 1 && c->forced ? last : -1, &found));
        if (found) {
            place at = f->middle;
            at.point.stable = a->point.stable;
            JD_TRY(branch_add_special(f, JD_SPECIAL_FOLD, &at, b, true, one));
            f->special[f->view.n_special - 1].before = a->point.phases;
        }
    }
    if (na == nb || !c->forced || (turned && abs(na - nb) == 1)) return JD_OK;
    int k = (na > nb ? na : nb) - 1;
    JD_TRY(locate(f, a, b, k, &found));
    if (!found) return JD_OK;
    const double *m = f->middle.multiplier + 2 * k;
    double on_circle[2] = {m[0], m[1]};
    place at = f->middle;
    at.point.stable = a->point.stable;
    if (crossing_kind(on_circle) == JD_SPECIAL_FLIP) {
        place_copy(c, &f->middle, &f->flip);
        f->n_flip++;
    }
    return branch_add_special(f, crossing_kind(on_circle), &at, b, false, on_circle);
}

jd_status branch_special(jd_follow *f, const place *a, const place *b) {
    const curve *c = &f->curve;
    int known = f->view.n_special;
    bool same = a->point.phases == b->point.phases;
    if (!same) branch_note_margins(f, a, b, false);
    place_copy(c, a, &f->old);
    JD_TRY(changes(f, &f->old, b, 0));
    branch_note_margins(f, a, b, same && known == f->view.n_special);
    return JD_OK;
}

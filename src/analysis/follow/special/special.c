// special.c -- what happens between two neighbouring points of a branch.
//   Change of the phase string: see change.c.
//   Smooth parts: fold where the tangent's parameter component changes sign; flip, Neimark-Sacker
//   and branch points where the k-th largest multiplier passes the unit circle (sizes sorted are
//   continuous), located by cross.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/follow/branch.h"

enum { CHANGES = 40, STEP_ORBITS = 1000 };
static const double same_place = 1e-8; // arclength
// Of the window: orbits whose impact is slow are known no better than this from their brackets.
static const double slow_bracket = 1e-7;
static const double rounded = 1e-12; // of the window: what a place found by slacks is worth at best
static const double too_far = 1e-5;  // of the state: two sides of one change are closer
static const double shortest_retried = 1e-6; // arclength
static const double appears = 1e-2;          // of the fastest impact: slower ones are new
static const double poor = 1e-7;             // of the window: an error that a shorter step may mend
static const double touching = 0.05;         // a multiplier so close to 1 may touch it

static double distance(const curve *c, const place *a, const place *b) {
    double size = 0;
    for (int i = 0; i < c->N; i++) size += pow(a->y[i] - b->y[i], 2);
    return sqrt(size);
}

// The slowest impact of the side that has more is one that just appears. Else one of the bounces of
// chatter became faster or slower than the next.
static bool slows_down(const place *a, const place *b) {
    const place *more = a->n_impact > b->n_impact ? a : b;
    return !(more->slowest_impact > appears * more->fastest_impact);
}

jd_special_kind jd_branch_change_kind(const place *a, const place *b) {
    bool more = b->point.n_event > a->point.n_event;
    bool others = a->point.n_event - a->n_impact != b->point.n_event - b->n_impact;
    if (a->n_impact != b->n_impact)
        return slows_down(a, b) ? JD_SPECIAL_GRAZING
               : others         ? JD_SPECIAL_PHASES
                                : JD_SPECIAL_COUNT;
    jd_contact_state brief = more ? b->shortest : a->shortest;
    if (a->resting != b->resting && more == (a->resting > b->resting))
        return more ? JD_SPECIAL_SLIP_BEGINS : JD_SPECIAL_SLIP_ENDS;
    if (a->point.n_event == b->point.n_event) return JD_SPECIAL_PHASES;
    if (brief == JD_CONTACT_STUCK)
        return more ? JD_SPECIAL_STICK_APPEARS : JD_SPECIAL_STICK_VANISHES;
    if (brief == JD_CONTACT_OPEN) return more ? JD_SPECIAL_OPEN_APPEARS : JD_SPECIAL_OPEN_VANISHES;
    if (jd_contact_sign(brief) != 0)
        return more ? JD_SPECIAL_SLIP_APPEARS : JD_SPECIAL_SLIP_VANISHES;
    return JD_SPECIAL_PHASES;
}

// The chord's two ends fully known, tangents along the branch.
static jd_status complete(jd_follow *f, place *p, const double *along) {
    bool found, lost;
    curve *c = &f->curve;
    c->phase = p->phase;
    JD_TRY(jd_curve_round(c, p->y, true, &lost));
    if (lost) return JD_OK;
    c->newton.fresh = true;
    JD_TRY(jd_branch_judge(f, p, along, true, &found));
    return found ? jd_branch_doubt(f, p) : JD_OK;
}

static jd_status smooth(jd_follow *f, const place *a, const place *b);

// The same orbit as far as changes can be located: in a state that may have grown beyond the first
// one, whose size is 1, and in the parameter.
static bool together(const curve *c, const place *a, const place *b) {
    double size = 1, away = 0;
    for (int i = 0; i < c->N - 1; i++) {
        size = fmax(size, fabs(a->y[i]));
        away += pow(a->y[i] - b->y[i], 2);
    }
    return sqrt(away) <= same_place * size && fabs(a->y[c->N - 1] - b->y[c->N - 1]) <= same_place;
}

// The place where a contact that is stuck all along begins or ceases to slide, by the stuck orbits
// alone (change.c), where that is known better.
static void take_onset(const jd_follow *f, jd_special_kind kind, double *parameter, double *error) {
    const slip_onset *at = &f->walk.onset;
    bool is_onset = kind == JD_SPECIAL_SLIP_ENDS || kind == JD_SPECIAL_SLIP_BEGINS;
    if (!is_onset || !(at->error < *error)) return;
    *parameter = at->parameter;
    *error = fmax(at->error, rounded * f->curve.parameter.L);
}

// A change in the same place as the one before (both halves of a symmetric orbit change together):
// one special point.
static bool merged(jd_follow *f, int i) {
    const curve *c = &f->curve;
    if (i == 0 || !f->walk.change_listed || !together(c, &f->at.old, &f->at.left)) return false;
    jd_special *s = &f->list.special[f->view.n_special - 1];
    s->kind = jd_branch_change_kind(&f->at.before, &f->at.right);
    s->after = f->at.right.point.phases;
    s->error = fmax(s->error, fabs(s->parameter - f->at.right.point.parameter)); // it is both
    take_onset(f, s->kind, &s->parameter, &s->error);
    s->stable_after = f->at.right.point.stable;
    s->undecided_after = f->at.right.point.undecided;
    s->turns = f->at.before.tangent[c->N - 1] * f->at.right.tangent[c->N - 1] < 0;
    f->walk.change_listed = s->kind != JD_SPECIAL_COUNT;
    jd_branch_mark_again(f, &f->at.before, &f->at.right);
    if (!f->walk.change_listed) f->view.n_special--;
    return true;
}

// A fold and a corner that turns back, too close to be told apart: the branch goes straight on.
static void cancel_turns(jd_follow *f) {
    int n = f->view.n_special;
    jd_special *corner = &f->list.special[n - 1], *fold = corner - 1;
    if (n < 2 || !corner->turns || fold->kind != JD_SPECIAL_FOLD || fold->point != corner->point)
        return;
    if (fabs(fold->parameter - corner->parameter) > same_place * f->curve.parameter.L) return;
    corner->turns = false;
    corner->stable_before = fold->stable_before;
    corner->undecided_before = fold->undecided_before;
    *fold = *corner;
    f->view.n_special--;
    f->at.before.tangent[f->curve.N - 1] *= -1; // as it was before the fold
}

bool jd_branch_spent(jd_follow *f) {
    long most = f->options.step_orbits > 0 ? f->options.step_orbits : STEP_ORBITS;
    f->walk.crowded |= f->curve.count.orbits - f->walk.orbits_before > most;
    return f->walk.crowded;
}

// What the place of the change is worth. Orbits that just begin to slide hardly forget where they
// rest, and are known the less; those beside them that do not slide are known well.
static jd_status blur(jd_follow *f, double *out) {
    curve *c = &f->curve;
    int more = f->at.left.resting - f->at.right.resting;
    place *p = more > 0 ? &f->at.left : &f->at.right;
    bool lost;
    *out = fmax(jd_branch_blur(f, &f->at.left), jd_branch_blur(f, &f->at.right));
    if (more == 0) return JD_OK;
    c->phase = p->phase;
    JD_TRY(jd_curve_derivative(c, p->y, p->tangent, &lost));
    if (!lost) *out = jd_branch_blur(f, p);
    return JD_OK;
}

// The change between f->at.left and f->at.right; an impact that appears there, better than its
// bracket.
static jd_status add_change(jd_follow *f, bool turns) {
    curve *c = &f->curve;
    jd_special_kind kind = jd_branch_change_kind(&f->at.left, &f->at.right);
    place at = f->at.left;
    double error;
    JD_TRY(blur(f, &error));
    error += fabs(f->at.left.point.parameter - f->at.right.point.parameter);
    if (kind == JD_SPECIAL_SLIP_ENDS) {
        at.point.parameter = f->at.right.point.parameter;
        at.point.amplitude = f->at.right.point.amplitude;
    }
    take_onset(f, kind, &at.point.parameter, &error);
    if (kind == JD_SPECIAL_GRAZING) {
        error = fmax(error, slow_bracket * c->parameter.L);
        JD_TRY(jd_branch_touch(
            f, f->at.left.n_impact < f->at.right.n_impact ? &f->at.left : &f->at.right, 1e-6,
            &at.point.parameter, &error));
    }
    c->phase = f->at.right.phase;
    f->walk.change_listed = kind != JD_SPECIAL_COUNT;
    if (!f->walk.change_listed) return JD_OK;
    return jd_branch_add_special(f, kind, &at, &f->at.right, error, turns, NULL);
}

static jd_status between_changes(jd_follow *f, place *b, int depth);

// Do the two sides of a change stay apart, though nothing was found between them? Then they are
// orbits of two branches. (An impact that appears moves its orbit like a root: graze.c.)
static bool apart(const jd_follow *f) {
    const curve *c = &f->curve;
    if (jd_branch_change_kind(&f->at.left, &f->at.right) == JD_SPECIAL_GRAZING) return false;
    double size = 1;
    for (int i = 0; i < c->N; i++) size += pow(f->at.left.y[i], 2);
    return distance(c, &f->at.left, &f->at.right) > too_far * sqrt(size);
}

bool jd_branch_odd(const curve *c, const place *p) {
    bool odd = false;
    if (p->members) return p->odd;
    double one = p->loose ? 1 + BRANCH_AT_ONE : 1; // hardly forgotten: below 1, up to rounding
    for (int i = 0; i < c->n; i++)
        odd ^= p->multiplier[2 * i] > one && p->multiplier[2 * i + 1] == 0;
    return odd;
}

static bool touches_one(const curve *c, const place *p) {
    for (int i = 0; i < c->n; i++)
        if (hypot(p->multiplier[2 * i] - 1, p->multiplier[2 * i + 1]) < touching) return true;
    return false;
}

// The parameter turns only where a multiplier passes 1. Around a sharp fold a tangent turned along
// the one before may point back, and so may one beside a change, where P has a corner. (Where two
// halves of an orbit, or an orbit and its mirror image, change places a multiplier touches 1.)
bool jd_branch_misturned(const curve *c, const place *a, const place *b) {
    if (touches_one(c, a) && touches_one(c, b) && !a->loose && !b->loose) return false;
    return c->forced && a->tangent[c->N - 1] * b->tangent[c->N - 1] < 0 &&
           jd_branch_odd(c, a) == jd_branch_odd(c, b);
}

// The sense of the branch beyond a change. The determinant of (F_y F_p; t) = det(F_y)/t_p keeps its
// sign along a branch, through corners too; det(F_y) has that of the number of real multipliers
// beyond 1. Where that number changes from even to odd the parameter turns back: a discontinuous
// fold. (Tangents before and after a corner are no guide to each other's sense.)
static void keep_sense(const jd_follow *f, const place *b) {
    const curve *c = &f->curve;
    int p = c->N - 1;
    if (!c->forced || jd_branch_change_kind(&f->at.left, &f->at.right) == JD_SPECIAL_GRAZING)
        return;
    bool turns = jd_branch_odd(c, &f->at.left) != jd_branch_odd(c, &f->at.right);
    bool turned = f->at.left.tangent[p] * f->at.right.tangent[p] < 0;
    for (int i = 0; i < c->N && turns != turned; i++) {
        f->at.right.tangent[i] = -f->at.right.tangent[i];
        b->tangent[i] = -b->tangent[i];
    }
}

// Nothing has passed the unit circle between `last` and p, whose verdict is the same: where a
// family of orbits begins a multiplier comes to 1, or there is no tangent, and rounding would
// decide. (Engines that compute to a tolerance have verdicts with an error of their own.)
static void keep_verdict(const curve *c, const jd_branch_point *last, place *p) {
    if (c->sh->tolerance > 0) return;
    p->point.stable = last->stable;
    p->point.undecided = last->undecided;
}

static void turn(const curve *c, place *p) {
    for (int k = 0; k < c->N; k++) p->tangent[k] *= -1;
}

// Walks from a to b through all changes of the string.
static jd_status changes(jd_follow *f, const place *a, place *b, int depth) {
    curve *c = &f->curve;
    if (a != &f->at.old) jd_place_copy(c, a, &f->at.old);
    for (int i = 0; i < CHANGES && f->at.old.point.phases != b->point.phases; i++) {
        if (jd_branch_spent(f)) return JD_OK;
        jd_place_copy(c, &f->at.old, &f->at.left);
        jd_place_copy(c, b, &f->at.right);
        JD_TRY(jd_branch_close_in(f));
        if (f->walk.walks && apart(f)) return f->walk.torn = true, JD_OK;
        JD_TRY(complete(f, &f->at.left, f->at.old.tangent));
        JD_TRY(complete(f, &f->at.right, b->tangent));
        f->at.left.loose = f->at.left.resting < f->at.right.resting ||
                           (f->at.old.loose && touches_one(c, &f->at.left));
        f->at.right.loose = f->at.right.resting < f->at.left.resting ||
                            (f->at.left.loose && touches_one(c, &f->at.right));
        if (jd_branch_misturned(c, &f->at.old, &f->at.left)) turn(c, &f->at.left);
        if (f->at.right.loose && b->point.phases == f->at.right.point.phases) {
            b->loose = true;
            if (jd_branch_misturned(c, &f->at.right, b)) turn(c, &f->at.right);
        }
        keep_sense(f, b);
        jd_place_copy(c, &f->at.left, &f->at.near[depth]);
        jd_place_copy(c, &f->at.right, &f->at.far[depth]);
        jd_branch_point last = f->at.old.point;
        int known = f->view.n_special;
        JD_TRY(between_changes(f, &f->at.near[depth], depth));
        if (f->view.n_special == known) keep_verdict(c, &last, &f->at.near[depth]);
        jd_place_copy(c, &f->at.near[depth], &f->at.left);
        jd_place_copy(c, &f->at.far[depth], &f->at.right);
        if (!merged(f, i)) {
            bool turns = f->at.left.tangent[c->N - 1] * f->at.right.tangent[c->N - 1] < 0;
            JD_TRY(add_change(f, turns));
            jd_place_copy(c, &f->at.left, &f->at.before);
        }
        if (f->walk.change_listed) cancel_turns(f);
        jd_place_copy(c, &f->at.right, &f->at.old);
        f->at.prior.n_margin = 0;
    }
    return between_changes(f, b, depth);
}

// From f->at.old to b, which have the same string: hidden changes, then what is smooth.
static jd_status between_changes(jd_follow *f, place *b, int depth) {
    const curve *c = &f->curve;
    bool hidden = false;
    if (jd_branch_spent(f)) return JD_OK;
    if (depth < NESTED) JD_TRY(jd_branch_hidden(f, &f->at.old, b, &hidden));
    if (!hidden) {
        jd_place_copy(c, &f->at.old, &f->at.left);
        return smooth(f, &f->at.left, b);
    }
    place *inside = &f->at.inside[depth];
    jd_place_copy(c, &f->at.middle, inside);
    JD_TRY(complete(f, inside, f->at.old.tangent));
    jd_branch_note_margins(f, inside, b, false);
    JD_TRY(changes(f, &f->at.old, inside, depth + 1));
    return changes(f, inside, b, depth + 1);
}

// A symmetric orbit loses its symmetry where a multiplier of half its period is -1.
static jd_special_kind crossing_kind(const curve *c, const double *m) {
    if (fabs(m[1]) > 1e-6) return JD_SPECIAL_NEIMARK_SACKER;
    return m[0] < 0 && !c->mirrored ? JD_SPECIAL_FLIP : JD_SPECIAL_BRANCH;
}

// Without a drive a second multiplier at 1 cannot be told from the one along the orbit, which it
// meets: both move by the root of what rounding or a tolerance moves M. Passages next to 1 that
// are no fold (branch points, resonance 1:1) are not listed there.
static bool is_free(const double *m) { return hypot(m[0] - 1, m[1]) > 0.01; }

static bool passes_one(const double *m) { return m[0] > 0 && fabs(m[1]) < 1e-9 * m[0]; }

static bool at_one(const curve *c, const double *m) {
    double whole[2];
    jd_whole_multiplier(c, m, whole);
    return hypot(whole[0] - 1, whole[1]) < BRANCH_AT_ONE;
}

// A multiplier at 1 to rounding: in a family of orbits the parameter turns, multipliers pass and
// phases change as rounding likes.
static bool in_family(const curve *c, const place *p) {
    for (int i = 0; i < c->n && c->forced; i++)
        if (at_one(c, p->multiplier + 2 * i)) return true;
    return false;
}

// What happens between two points was not found: they may lie on two branches, or on both sides of
// a sharp fold. A shorter step will tell.
static bool missed(jd_follow *f) {
    if (f->walk.walks && f->walk.step > shortest_retried) f->walk.torn = true;
    return f->walk.torn;
}

static bool odd_below(const curve *c, const place *p) {
    bool odd = false;
    for (int i = 0; i < c->n; i++)
        odd ^= p->multiplier[2 * i] < -1 && p->multiplier[2 * i + 1] == 0;
    return odd;
}

// More than one multiplier, or pair of them, passes the unit circle between a and b.
static bool many_pass(const curve *c, const place *a, const place *b, bool turned) {
    int na = a->point.n_unstable, nb = b->point.n_unstable, more = na > nb ? na : nb;
    if (!c->forced) return false;
    if (jd_branch_odd(c, a) != jd_branch_odd(c, b) && odd_below(c, a) != odd_below(c, b))
        return true;
    if (abs(na - nb) < 2) return false;
    const double *m = (na > nb ? a : b)->multiplier + 2 * (more - 1);
    return turned || abs(na - nb) > 2 || m[1] == 0;
}

// The multiplier number k (by size) on the unit circle, into f->at.middle.
static jd_status passage(jd_follow *f, const place *a, const place *b, int k, double *error,
                         double *on_circle, bool *found) {
    const curve *c = &f->curve;
    const double *ma = a->multiplier + 2 * k, *mb = b->multiplier + 2 * k;
    *found = false;
    on_circle[0] = 1, on_circle[1] = 0;
    if (!c->forced && !(is_free(ma) && is_free(mb))) return JD_OK;
    if (passes_one(ma) && passes_one(mb)) JD_TRY(jd_branch_cross_through(f, a, b, k, error, found));
    if (*found) return JD_OK;
    JD_TRY(jd_branch_cross(f, a, b, k, error, found));
    if (*found) memcpy(on_circle, f->at.middle.multiplier + 2 * k, 2 * sizeof *on_circle);
    return JD_OK;
}

// An engine that computes to a tolerance locates points no better, whatever the step.
static bool is_poor(const jd_follow *f, double error) {
    return f->proof.proves && error > poor * f->curve.parameter.L;
}

// All that pass between a and b, in the order in which they do: those that leave by falling size,
// those that enter by growing size.
static jd_status passages(jd_follow *f, const place *a, const place *b, bool turned) {
    const curve *c = &f->curve;
    int na = a->point.n_unstable, nb = b->point.n_unstable, n = abs(nb - na);
    for (int i = 0; i < n; i++) {
        double error, on_circle[2];
        bool found;
        int first = i;
        JD_TRY(passage(f, a, b, nb > na ? na + i : na - 1 - i, &error, on_circle, &found));
        bool well = found && !is_poor(f, error);
        if (!well && i == 0 && c->forced && missed(f)) return JD_OK;
        if (!found) continue;
        jd_special_kind kind = crossing_kind(c, on_circle);
        if (turned && kind == JD_SPECIAL_BRANCH && on_circle[0] > 0 && !a->members)
            continue; // the fold
        if (kind == JD_SPECIAL_BRANCH && a->members) kind = JD_SPECIAL_HELD_FOLD;
        i += kind == JD_SPECIAL_NEIMARK_SACKER;
        place at = f->at.middle, after = *b;
        at.point.stable = first == 0 && a->point.stable;
        at.point.undecided = first == 0 && a->point.undecided;
        after.point.stable = i >= n - 1 && b->point.stable;
        after.point.undecided = i >= n - 1 && b->point.undecided;
        if (kind == JD_SPECIAL_FLIP) {
            jd_place_copy(c, &f->at.middle, &f->at.flip);
            f->list.n_flip++;
        }
        if (kind == JD_SPECIAL_BRANCH) {
            jd_place_copy(c, &f->at.middle, &f->at.cross);
            f->list.n_cross++;
        }
        JD_TRY(jd_branch_add_special(f, kind, &at, &after, error, false, on_circle));
    }
    return JD_OK;
}

// Between two points with the same string.
static jd_status smooth(jd_follow *f, const place *a, const place *b) {
    const curve *c = &f->curve;
    bool found, turned = a->tangent[c->N - 1] * b->tangent[c->N - 1] < 0;
    int na = a->point.n_unstable, nb = b->point.n_unstable;
    double error;
    if (a->point.phases != b->point.phases || distance(c, a, b) < same_place) return JD_OK;
    if (many_pass(c, a, b, turned) && missed(f)) return JD_OK;
    if (turned) {
        const double one[2] = {1, 0};
        int last =
            (na > nb ? na : nb) - 1; // at a fold a multiplier is 1, known without differences
        JD_TRY(jd_branch_cross(f, a, b, abs(na - nb) == 1 && c->forced && !a->members ? last : -1,
                               &error, &found));
        if (found && is_poor(f, error) && missed(f)) return JD_OK;
        if (found) {
            static const jd_special_kind kind[] = {[MEETS_NONE] = JD_SPECIAL_FOLD,
                                                   [MEETS_HALF] = JD_SPECIAL_FLIP,
                                                   [MEETS_IMAGE] = JD_SPECIAL_BRANCH};
            meeting meets;
            JD_TRY(jd_branch_meets(f, a, b, &meets));
            if (meets) JD_TRY(jd_branch_meet(f, a, b, &error));
            place at = f->at.middle;
            at.point.stable = a->point.stable;
            at.point.undecided = a->point.undecided;
            bool turn = a->members && !meets;
            JD_TRY(jd_branch_add_special(f, turn ? JD_SPECIAL_TURN : kind[meets], &at, b, error,
                                         true, turn ? NULL : one));
            f->list.special[f->view.n_special - 1].before = a->point.phases;
        } else
            missed(f);
    }
    if (na != nb && !(turned && abs(na - nb) == 1 && !a->members))
        JD_TRY(passages(f, a, b, turned));
    return f->walk.torn ? JD_OK : jd_branch_functions(f, a, b);
}

jd_status jd_branch_special(jd_follow *f, const place *a, place *b) {
    const curve *c = &f->curve;
    b->loose = a->loose && touches_one(c, b);
    int known = f->view.n_special;
    bool same = a->point.phases == b->point.phases;
    if (in_family(c, a) && in_family(c, b)) return jd_branch_note_margins(f, a, b, false), JD_OK;
    if (!same) jd_branch_note_margins(f, a, b, false);
    jd_place_copy(c, a, &f->at.old);
    JD_TRY(changes(f, &f->at.old, b, 0));
    jd_branch_note_margins(f, a, b, same && known == f->view.n_special);
    return JD_OK;
}

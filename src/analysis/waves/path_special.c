// path_special.c -- special points of a branch of waves between two of its points.
//   fold: dl/ds changes its sign;  flip, Neimark-Sacker, branch point: a multiplier leaves or
//   enters the unit circle at -1, in a pair, at 1. Their zeros over arclength by the Illinois rule.
//   Phase strings that differ: the step is halved between them. Every trial is an orbit of its own,
//   corrected from `here`.
#include <math.h>
#include <string.h>

#include "analysis/waves/path.h"

enum { TRIALS = 14, HALVINGS = 22 };
static const double close_by = 1e-7; // of the window: places are known

// What crosses: the kind, and its value at a place.
typedef struct test {
    jd_special_kind kind;
    double m[2]; // the multiplier where it was last seen
} test;

// The multiplier of a kind that lies nearest to the unit circle: real below 0, real above, a pair.
static bool nearest(const jd_path_place *p, jd_special_kind kind, double *m) {
    double best = HUGE_VAL;
    for (int i = 0; i < p->n_multiplier; i++) {
        const double *x = p->multiplier + 2 * i;
        bool is = kind == JD_SPECIAL_FLIP     ? x[1] == 0 && x[0] < 0
                  : kind == JD_SPECIAL_BRANCH ? x[1] == 0 && x[0] > 0
                                              : x[1] > 0;
        double off = fabs(hypot(x[0], x[1]) - 1);
        if (!is || off >= best) continue;
        best = off;
        memcpy(m, x, 2 * sizeof *m);
    }
    return best < HUGE_VAL;
}

static int outside(const jd_path_place *p, jd_special_kind kind) {
    int n = 0;
    for (int i = 0; i < p->n_multiplier; i++) {
        const double *x = p->multiplier + 2 * i;
        if (!(hypot(x[0], x[1]) > 1)) continue;
        n += kind == JD_SPECIAL_FLIP     ? x[1] == 0 && x[0] < 0
             : kind == JD_SPECIAL_BRANCH ? x[1] == 0 && x[0] > 0
                                         : x[1] > 0;
    }
    return n;
}

static bool value_of(const jd_path_place *p, test *t, double *out) {
    if (t->kind == JD_SPECIAL_FOLD) return *out = p->tau[0], true;
    if (!nearest(p, t->kind, t->m)) return false;
    *out = hypot(t->m[0], t->m[1]) - 1;
    return true;
}

static jd_status add(jd_path *p, jd_special_kind kind, const jd_path_place *at, double error,
                     const double *m) {
    jd_follow *f = p->f;
    f->list.special = jd_branch_grow(f->arena, f->list.special, f->view.n_special,
                                     &f->list.special_room, sizeof *f->list.special);
    JD_TRY(jd_arena_status(f->arena));
    bool turns = p->here.tau[0] * p->there.tau[0] < 0;
    const jd_branch_point *a = &p->here.point, *b = &p->there.point;
    f->list.special[f->view.n_special++] =
        (jd_special){.kind = kind,
                     .parameter = at->point.parameter,
                     .amplitude = at->point.amplitude,
                     .period = at->point.period,
                     .error = fmax(error, 10 * p->wave.tolerance * f->curve.parameter.L),
                     .before = a->phases,
                     .after = b->phases,
                     .turns = turns && (kind == JD_SPECIAL_FOLD || a->phases != b->phases),
                     .stable_before = a->stable,
                     .stable_after = b->stable,
                     .undecided_before = a->undecided,
                     .undecided_after = b->undecided,
                     .multiplier = {m ? m[0] : 0, m ? m[1] : 0},
                     .point = f->view.n_point};
    return JD_OK;
}

// The place between becomes that beyond, with a tangent of its own.
static void take_there(jd_path *p) {
    jd_path_place *m = &p->middle;
    double *spare = m->tangent;
    int room = m->room;
    *m = p->there;
    m->tangent = spare;
    m->room = room;
}

// The zero of a test between here (0) and there (p->h).
static jd_status cross(jd_path *p, test t) {
    double low = 0, high = p->h, f, g, v, error = HUGE_VAL, lambda = p->there.point.parameter;
    bool found;
    test at = t;
    if (!value_of(&p->here, &at, &f) || !value_of(&p->there, &at, &g) || f * g > 0) return JD_OK;
    jd_path_place *m = &p->middle;
    m->point.parameter = lambda;
    for (int i = 0; i < TRIALS && error > close_by * p->f->curve.parameter.L; i++) {
        double x = low + (high - low) * f / (f - g);
        JD_TRY(jd_path_step(p, x, false, m, &found));
        if (jd_stop_wanted(p->f->context)) return JD_OK;
        if (!found || !value_of(m, &at, &v)) break;
        error = fabs(m->point.parameter - lambda);
        lambda = m->point.parameter;
        bool right = v * g > 0;
        if (right)
            high = x, g = v, f /= 2;
        else
            low = x, f = v, g /= 2;
        if (v == 0) break;
    }
    if (error == HUGE_VAL) take_there(p), error = fabs(lambda - p->here.point.parameter);
    return add(p, t.kind, m, error, t.kind == JD_SPECIAL_FOLD ? NULL : at.m);
}

// A phase that appears or vanishes is the shortest of the orbit that has it.
static jd_special_kind change_kind(const jd_path_place *a, const jd_path_place *b) {
    bool appears = b->letters > a->letters;
    const jd_path_place *more = appears ? b : a;
    if (a->letters == b->letters) return JD_SPECIAL_PHASES;
    if (more->shortest == JD_CONTACT_STUCK)
        return appears ? JD_SPECIAL_STICK_APPEARS : JD_SPECIAL_STICK_VANISHES;
    if (jd_contact_sign(more->shortest) != 0)
        return appears ? JD_SPECIAL_SLIP_APPEARS : JD_SPECIAL_SLIP_VANISHES;
    return JD_SPECIAL_PHASES;
}

// Where the phase string changes; with other strings in between the change nearest to here.
static jd_status change(jd_path *p) {
    double low = 0, high = p->h, a = p->here.point.parameter, b = p->there.point.parameter;
    jd_path_place *m = &p->middle;
    jd_special_kind kind = change_kind(&p->here, &p->there);
    take_there(p);
    for (int i = 0; i < HALVINGS && fabs(a - b) > close_by * p->f->curve.parameter.L; i++) {
        bool found;
        double x = (low + high) / 2;
        JD_TRY(jd_path_step(p, x, false, m, &found));
        if (jd_stop_wanted(p->f->context)) return JD_OK;
        if (!found) break;
        bool same = m->point.phases == p->here.point.phases;
        *(same ? &low : &high) = x;
        *(same ? &a : &b) = m->point.parameter;
        if (!same) kind = change_kind(&p->here, m);
    }
    return add(p, kind, m, fabs(a - b), NULL);
}

jd_status jd_path_special(jd_path *p) {
    static const jd_special_kind kinds[] = {JD_SPECIAL_FLIP, JD_SPECIAL_NEIMARK_SACKER,
                                            JD_SPECIAL_BRANCH};
    bool turns = p->here.tau[0] * p->there.tau[0] < 0;
    if (p->here.point.phases != p->there.point.phases) JD_TRY(change(p));
    if (turns && p->here.point.phases == p->there.point.phases)
        JD_TRY(cross(p, (test){.kind = JD_SPECIAL_FOLD}));
    for (int i = 0; i < 3; i++) {
        if (outside(&p->here, kinds[i]) == outside(&p->there, kinds[i])) continue;
        if (kinds[i] == JD_SPECIAL_BRANCH && turns) continue; // the fold's own
        JD_TRY(cross(p, (test){.kind = kinds[i]}));
    }
    return JD_OK;
}

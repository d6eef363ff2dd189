// retrace.c -- branches that meet themselves.
//   A branch of several periods of the drive may reach an orbit of half its period, the flip it
//   came from or another: there it turns, and goes on along the same orbits, half a period later.
//   The distance d between the states half a period apart goes to 0 linearly in arclength, the
//   parameter is a function of d^2: its value at 0 (Neville), the flip of the shorter orbit.
//   Any other branch runs back along itself when its orbits, at t = 0 or whole periods of the
//   drive later, lie on the chord between two earlier ones, passed the other way, three times in a
//   row. It is closed when one of its first orbits is passed again in the sense of the beginning.
//   Where an impact that comes in every other period only ceases to come at all, the orbit has the
//   shorter period from there on, and is followed over it.
//                            tested: the_doubled_branch_ends_where_it_would_retrace
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

enum { AGAIN = 3, LATELY = 6, NODES = 6 };
static const double repeats = 1e-9;  // of the first state: a period after which it is the same
static const double amplified = 1e6; // times: rounding of 1e-16 becomes 1e-10 of the state
static const double beside = 0.05;   // of the chord: on it
static const double no_gap = 0.01;   // of the larger gap: none, where a point lies on the meeting

const char jd_meets_image[] =
    "the orbit is its own mirror image there, and the branch would go on along its mirror images";

static double apart(const curve *c, const double *a, const double *b) {
    double size = 0;
    for (int i = 0; i < c->n; i++) size += pow(c->sh->scale[i] * (a[i] - b[i]) / c->S, 2);
    return sqrt(size);
}

// Of the states half a period apart; HUGE_VAL: half a period is not one of the drive's.
static double half_gap(const curve *c, const place *p) {
    if (!c->forced || c->sh->turns < 2 || c->sh->turns % 2) return HUGE_VAL;
    return apart(c, p->origin, p->origin + c->sh->turns / 2 * c->n);
}

// Of the states that become one where the branch meets itself as `kind` says.
static jd_status gap_of(jd_follow *f, const place *p, meeting kind, double *gap) {
    curve *c = &f->curve;
    *gap = half_gap(c, p);
    if (kind != MEETS_IMAGE) return JD_OK;
    c->phase = p->phase;
    c->anchor = p->anchor;
    return jd_curve_image_gap(c, p->y, gap);
}

jd_status jd_branch_meets(jd_follow *f, const place *a, const place *b, meeting *kind) {
    *kind = MEETS_NONE;
    for (meeting k = MEETS_HALF; k <= MEETS_IMAGE && !*kind; k++) {
        double at, before, after;
        JD_TRY(gap_of(f, &f->at.middle, k, &at));
        if (!isfinite(at)) continue;
        JD_TRY(gap_of(f, a, k, &before));
        JD_TRY(gap_of(f, b, k, &after));
        if (at < fmax(0.2 * fmin(before, after), no_gap * fmax(before, after))) *kind = k;
    }
    f->walk.met = *kind;
    return JD_OK;
}

static double at_zero(int n, const double *x, const double *value) {
    double v[NODES];
    memcpy(v, value, (size_t)n * sizeof *v);
    for (int step = 1; step < n; step++)
        for (int i = 0; i < n - step; i++)
            v[i] = (x[i] * v[i + 1] - x[i + step] * v[i]) / (x[i] - x[i + step]);
    return v[0];
}

// By how much at_zero amplifies errors of the values.
static double amplifies(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double weight = 1;
        for (int j = 0; j < n; j++)
            if (j != i) weight *= x[j] / (x[j] - x[i]);
        sum += fabs(weight);
    }
    return sum;
}

jd_status jd_branch_meet(jd_follow *f, const place *a, const place *b, double *error) {
    static const double at[NODES] = {-0.25, 0, 0.25, 0.45, 0.65, 0.8};
    const curve *c = &f->curve;
    double along = 0, length = 0, x[NODES], lambda[NODES], amplitude[NODES];
    double blur = 0;
    int n = 0;
    for (int i = 0; i < c->N; i++) {
        length += pow(b->y[i] - a->y[i], 2);
        along += (f->at.middle.y[i] - a->y[i]) * (b->y[i] - a->y[i]);
    }
    for (int i = 0; i < NODES; i++) {
        bool found;
        JD_TRY(jd_branch_between(f, a, b, at[i] * along / length, &f->at.right, &found));
        if (!found || f->at.right.point.phases != a->point.phases) continue;
        JD_TRY(gap_of(f, &f->at.right, f->walk.met, &x[n]));
        x[n] *= x[n];
        blur = fmax(blur, jd_branch_blur(f, &f->at.right));
        lambda[n] = f->at.right.point.parameter;
        amplitude[n++] = f->at.right.point.amplitude;
    }
    if (n < 3) return JD_OK;
    f->at.middle.point.parameter = at_zero(n, x, lambda);
    f->at.middle.point.amplitude = at_zero(n, x, amplitude);
    *error = 3 * fabs(f->at.middle.point.parameter - at_zero(n - 1, x + 1, lambda + 1)) +
             blur * amplifies(n, x);
    return JD_OK;
}

// The fewest periods of the drive after which the last orbit repeats itself.
static int turns_of(const curve *c, const place *p) {
    int turns = c->sh->turns;
    for (int d = 1; d < turns && c->forced; d++)
        if (turns % d == 0 && apart(c, p->origin, p->origin + d * c->n) < repeats) return d;
    return turns;
}

jd_status jd_branch_shorten(jd_follow *f) {
    curve *c = &f->curve;
    int was = c->periods, fewer = turns_of(c, &f->at.here), last = f->view.n_point - 1;
    bool lost, found = false;
    if (c->sh->turns < was || fewer >= was) return JD_OK;
    double anchor = c->anchor, *border = f->at.middle.tangent;
    jd_place_copy(c, &f->at.here, &f->at.old);
    c->periods = fewer;
    c->anchor = f->at.here.anchor * was / fewer;
    c->anchor -= floor(c->anchor);
    memcpy(border, f->at.here.tangent, (size_t)c->N * sizeof *border);
    c->phase = f->at.here.phase;
    JD_TRY(jd_curve_derivative(c, f->at.here.y, border, &lost));
    if (!lost) JD_TRY(jd_curve_correct(c, f->at.here.y, border, true, &found));
    if (found) JD_TRY(jd_branch_judge(f, &f->at.here, border, true, &found));
    if (!found) {
        c->periods = was;
        c->anchor = anchor;
        jd_place_copy(c, &f->at.old, &f->at.here);
        return JD_OK;
    }
    f->walk.smooth = false;
    memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    JD_TRY(jd_branch_doubt(f, &f->at.here));
    if (f->proof.listed) f->list.point[last] = f->at.here.point;
    jd_branch_note_margins(f, &f->at.here, &f->at.here, false);
    return JD_OK;
}

// Does the state lie on the chord between points i and i + 1?
static bool on_chord(const jd_follow *f, int i, const double *state) {
    const curve *c = &f->curve;
    const double *a = f->list.state + (size_t)i * (size_t)c->n, *b = a + c->n;
    double from = f->list.point[i].parameter, to = f->list.point[i + 1].parameter,
           share = (f->at.here.point.parameter - from) / (to - from), away = 0;
    for (int k = 0; k < c->n; k++)
        away += pow(c->sh->scale[k] * (state[k] - a[k] - share * (b[k] - a[k])) / c->S, 2);
    return sqrt(away) < beside * hypot(apart(c, a, b), (to - from) / c->parameter.L);
}

// Is the last orbit, in any period of the drive, on one of the first `chords`, passed in that
// sense? Its number; -1: no.
static int was_here(const jd_follow *f, int chords, int sense) {
    const curve *c = &f->curve;
    int last = f->view.n_point - 1;
    double now = f->at.here.point.parameter, way = now - f->list.point[last - 1].parameter;
    for (int i = 0; i < chords && i + 1 < last - LATELY; i++) {
        double from = f->list.point[i].parameter, to = f->list.point[i + 1].parameter;
        if (sense * (to - from) * way <= 0 || (now - from) * (now - to) > 0) continue;
        if (f->list.point[i].phases != f->at.here.point.phases) continue;
        if (f->list.point[i + 1].phases != f->at.here.point.phases) continue;
        for (int k = 0; k < c->sh->turns; k++)
            if (on_chord(f, i, f->at.here.origin + k * c->n)) return i;
    }
    return -1;
}

// A branch runs back only where it has turned.
static bool has_turned(const jd_follow *f, int since) {
    if (!f->options.special) return true; // not looked for
    for (int i = f->view.n_special - 1; i >= 0 && f->list.special[i].point > since; i--)
        if (f->list.special[i].turns) return true;
    return false;
}

static bool same_special(const jd_special *a, const jd_special *b) {
    return a->kind == b->kind && a->before == b->before && a->after == b->after &&
           fabs(a->parameter - b->parameter) < a->error + b->error + 1e-9 * fabs(a->parameter);
}

// The first special points were passed again before the first orbits were recognised: the last ones
// are the same.
static void drop_doubles(jd_follow *f) {
    int n = f->view.n_special, k = 0;
    while (2 * k < n && f->list.special[k].point <= LATELY + 1) k++;
    for (; k > 0; k--) {
        int same = 0;
        while (same < k && same_special(&f->list.special[same], &f->list.special[n - k + same]))
            same++;
        if (same == k) break;
    }
    f->view.n_special -= k;
}

// The first steps are short: a few chords are longer than any step.
bool jd_branch_closes(jd_follow *f) {
    bool closed = f->proof.listed && f->view.n_point > LATELY + 2 && was_here(f, LATELY, 1) >= 0;
    if (closed) drop_doubles(f);
    return closed;
}

bool jd_branch_amplifies(const jd_follow *f) {
    const double *m = f->at.here.point.multiplier;
    return hypot(m[0], m[1]) > amplified;
}

// The last `n` points, and what was found since, are those of before.
static void forget(jd_follow *f, int n) {
    jd_follow_view *v = &f->view;
    v->n_point -= n;
    while (v->n_special > 0 && f->list.special[v->n_special - 1].point > v->n_point) v->n_special--;
    v->end = JD_END_RETRACED;
    v->end_parameter = f->list.point[v->n_point - 1].parameter;
}

bool jd_branch_retraces(jd_follow *f) {
    if (f->walk.met) {
        forget(f, f->proof.listed);
        f->view.end_parameter = f->list.special[f->view.n_special - 1].parameter;
        f->view.why =
            f->walk.met == MEETS_HALF ? "the orbit has half its period there" : jd_meets_image;
        return true;
    }
    if (!f->proof.listed || jd_branch_amplifies(f)) return false;
    int chord = f->view.n_point > LATELY + 2 ? was_here(f, f->view.n_point, -1) : -1;
    f->walk.again = chord >= 0 ? f->walk.again + 1 : 0;
    if (f->walk.again < AGAIN) return false;
    bool turned = has_turned(f, chord);
    forget(f, AGAIN);
    if (turned) return true;
    f->view.end = JD_END_LOST;
    f->view.why = "steps ran back where the branch does not turn: its direction is lost";
    return true;
}

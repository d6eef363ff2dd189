// defining.c -- what makes a point special, as a function g(s, lambda, mu) that is 0 there.
//   fold, flip,   [M - x I  b] [v]   [0]    x = 1, -1; M the exact derivative of P, b, c near the
//   branch point  [c'       0] [g] = [1]    null vectors, so that the matrix stays regular
//   Neimark-      g = m1 m2 - 1 of two multipliers: their sum and product are smooth where they
//   Sacker        meet, and cos(angle) = (m1 + m2)/2
//   grazing       g = (gap - largest displacement)/travel - target on the orbit without the impact;
//                 where it has other events its margins hold the same between two of them
//   stick, slip   g = margin/size - target (engine.h) on the orbit with fewer events
//   slip-begins   g = (limit - half the range of the force)/size - target on the stuck orbit
//   function      g = function/scale
//   Margins are solved at targets 1e-3/2^k, k = 0..3, and extrapolated to 0: the motion never comes
//   close enough to the event for rounding to decide whether it happens. Of a symmetric orbit at a
//   branch point s is determined within the symmetric ones only: there A + b c' takes the place of
//   the singular A, which changes nothing within them.
#include <math.h>
#include <string.h>

#include "analysis/follow/two/pair.h"
#include "contact/law.h"
#include "linalg/general.h"

static const double far = 0.1;        // of its value beside it: a margin that is not the one
static const double first_way = 1e-3; // arclength to the orbit at the first target
static const double first_target = 1e-3;

// Factors of the bordered matrix at the last round; transposed on demand.
static bool factor_border(pair *p, bool transposed) {
    const jd_shooting *sh = p->c->sh;
    pair_critical *q = &p->critical;
    int n = p->n, m = n + 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double value = i < n && j < n ? sh->scale[i] * sh->M[i * n + j] / sh->scale[j] -
                                                q->shift * (i == j)
                           : i < n ? q->left[i]
                           : j < n ? q->right[j]
                                   : 0;
            q->B[transposed ? j * m + i : i * m + j] = value;
        }
    return jd_lu_factor(m, q->B, p->pivot);
}

static bool border_solve(pair *p, bool transposed) {
    pair_critical *q = &p->critical;
    if (!factor_border(p, transposed)) return false;
    memset(q->v, 0, (size_t)(p->n + 1) * sizeof *q->v);
    q->v[p->n] = 1;
    jd_lu_solve(p->n + 1, q->B, p->pivot, q->v);
    return isfinite(q->v[p->n]);
}

static void unit_copy(int n, const double *from, double *to) {
    double size = 0;
    for (int i = 0; i < n; i++) size += from[i] * from[i];
    for (int i = 0; i < n && size > 0; i++) to[i] = from[i] / sqrt(size);
}

static bool renew_border(pair *p) {
    double *kept = p->level;
    if (!border_solve(p, false)) return false;
    memcpy(kept, p->critical.v, (size_t)p->n * sizeof *kept);
    if (!border_solve(p, true)) return false;
    unit_copy(p->n, p->critical.v, p->critical.left);
    unit_copy(p->n, kept, p->critical.right);
    return true;
}

static jd_status border_test(pair *p, double *g, bool *lost) {
    *lost = !border_solve(p, false);
    *g = p->critical.v[p->n];
    return JD_OK;
}

bool jd_pair_is_symmetric(const pair *p) {
    return p->kind == JD_CURVE_BRANCH && p->critical.shift > 0;
}

bool jd_pair_tracked(const pair *p, int two[2]) {
    const double *m = p->critical.multiplier;
    double nearest = HUGE_VAL;
    for (int i = 0; i < p->n; i++)
        for (int j = i + 1; j < p->n; j++) {
            bool conjugate =
                m[2 * i + 1] != 0 && m[2 * i + 1] == -m[2 * j + 1] && m[2 * i] == m[2 * j];
            if (!conjugate && (m[2 * i + 1] != 0 || m[2 * j + 1] != 0)) continue;
            double s = m[2 * i] + m[2 * j], q = m[2 * i] * m[2 * j] - m[2 * i + 1] * m[2 * j + 1],
                   away = hypot(s - p->critical.sum, q - p->critical.product);
            if (away >= nearest) continue;
            nearest = away;
            two[0] = i, two[1] = j;
        }
    return isfinite(nearest);
}

static void track(const pair *p, double *sum, double *product) {
    const double *m = p->critical.multiplier;
    int k[2] = {0, 0};
    if (!jd_pair_tracked(p, k)) return;
    *sum = m[2 * k[0]] + m[2 * k[1]];
    *product = m[2 * k[0]] * m[2 * k[1]] - m[2 * k[0] + 1] * m[2 * k[1] + 1];
}

static jd_status multipliers(pair *p) {
    jd_curve_slope(p->c);
    return jd_curve_multipliers(p->c, p->critical.multiplier);
}

static jd_status pair_test(pair *p, double *g, bool *lost) {
    double sum = (double)NAN, product = (double)NAN;
    JD_TRY(multipliers(p));
    track(p, &sum, &product);
    *lost = !isfinite(product);
    *g = product - 1;
    return JD_OK;
}

static bool renew_pair(pair *p) {
    track(p, &p->critical.sum, &p->critical.product);
    return true;
}

static const jd_stop_def *stop_of(const curve *c, int j) {
    const jd_contact_def *d = jd_problem_contact(c->problem, j)->def;
    return jd_law_stop_of(&d->law);
}

// Free path that is left, of stops that are not hit [m].
static jd_status clearances(pair *p, double *out, bool *lost) {
    const curve *c = p->c;
    *lost = false;
    for (int j = 0; j < jd_problem_contacts(c->problem); j++) {
        const jd_stop_def *d = stop_of(c, j);
        bool hit = !d;
        for (int i = 0; i < c->sh->last.n_event; i++) hit |= c->sh->last.event[i].contact == j;
        const jd_range *u = &c->seen.ranges[j].displacement;
        out[j] = hit || !(u->max > u->min) ? HUGE_VAL
                                           : d->gap - (d->sides ? fmax(u->max, -u->min) : u->max);
    }
    return JD_OK;
}

// How far stuck contacts are from sliding, wherever they rest [N].
static jd_status slacks(pair *p, double *out, bool *lost) {
    *lost = false;
    return jd_member_slack(p->c, out);
}

// Margins of the last round in the order of the phase sequence, which must be that of the branch.
static jd_status event_margins(pair *p, double *out, bool *lost) {
    place *m = &p->f->at.middle;
    int phases;
    JD_TRY(jd_branch_string(p->f, &m->rhythm, &phases));
    jd_branch_margins(p->c, m);
    *lost = phases != p->f->at.mark.point.phases || m->n_margin != p->margin.n;
    if (!*lost) memcpy(out, m->margin, (size_t)m->n_margin * sizeof *out);
    return JD_OK;
}

// Of a stop that is hit elsewhere in the period the free path between two events is among margins.
static jd_status paths(pair *p, double *out, bool *lost) {
    return p->margin.of_events ? event_margins(p, out, lost) : clearances(p, out, lost);
}

static jd_status margin_test(pair *p, double *g, bool *lost) {
    pair_margin *m = &p->margin;
    JD_TRY(p->by->margins(p, m->value, lost));
    if (*lost) return JD_OK;
    *lost = !isfinite(m->value[m->k]);
    *g = m->value[m->k] / m->size - m->target;
    return JD_OK;
}

static jd_status function_test(pair *p, double *g, bool *lost) {
    double first;
    JD_TRY(jd_curve_measure(p->c, &first));
    *g = p->c->seen.value[p->c->seen.n_also + p->f->list.marked_function] / p->scale;
    *lost = !isfinite(*g);
    return JD_OK;
}

static const pair_defining kinds[JD_CURVE_COUNT] = {
    [JD_CURVE_FOLD] = {border_test, renew_border, NULL, false},
    [JD_CURVE_FLIP] = {border_test, renew_border, NULL, false},
    [JD_CURVE_GRAZING] = {margin_test, NULL, paths, true},
    [JD_CURVE_NEIMARK_SACKER] = {pair_test, renew_pair, NULL, false},
    [JD_CURVE_BRANCH] = {border_test, renew_border, NULL, false},
    [JD_CURVE_STICK] = {margin_test, NULL, event_margins, true},
    [JD_CURVE_SLIP] = {margin_test, NULL, event_margins, true},
    [JD_CURVE_SLIP_BEGINS] = {margin_test, NULL, slacks, true},
    [JD_CURVE_FUNCTION] = {function_test, NULL, NULL, false},
};

const pair_defining *jd_pair_defining(jd_curve_kind kind) { return &kinds[kind]; }

bool jd_pair_wants(jd_curve_kind of_curve, jd_special_kind kind) {
    static const struct {
        jd_special_kind one, other;
    } of[JD_CURVE_COUNT] = {
        [JD_CURVE_NONE] = {JD_SPECIAL_COUNT, JD_SPECIAL_COUNT},
        [JD_CURVE_FOLD] = {JD_SPECIAL_FOLD, JD_SPECIAL_FOLD},
        [JD_CURVE_FLIP] = {JD_SPECIAL_FLIP, JD_SPECIAL_FLIP},
        [JD_CURVE_GRAZING] = {JD_SPECIAL_GRAZING, JD_SPECIAL_GRAZING},
        [JD_CURVE_NEIMARK_SACKER] = {JD_SPECIAL_NEIMARK_SACKER, JD_SPECIAL_NEIMARK_SACKER},
        [JD_CURVE_BRANCH] = {JD_SPECIAL_BRANCH, JD_SPECIAL_BRANCH},
        [JD_CURVE_STICK] = {JD_SPECIAL_STICK_APPEARS, JD_SPECIAL_STICK_VANISHES},
        [JD_CURVE_SLIP] = {JD_SPECIAL_SLIP_APPEARS, JD_SPECIAL_SLIP_VANISHES},
        [JD_CURVE_SLIP_BEGINS] = {JD_SPECIAL_SLIP_BEGINS, JD_SPECIAL_SLIP_ENDS},
        [JD_CURVE_FUNCTION] = {JD_SPECIAL_FUNCTION, JD_SPECIAL_FUNCTION},
    };
    return kind == of[of_curve].one || kind == of[of_curve].other;
}

// Which of 1 and -1 a multiplier is at: of a symmetric orbit over half its period either.
static jd_status choose_shift(pair *p, bool *found) {
    double least = HUGE_VAL, at = 1;
    JD_TRY(multipliers(p));
    for (int i = 0; i < p->n; i++) {
        const double *m = p->critical.multiplier + 2 * i;
        for (int k = -1; k <= 1; k += 2) {
            if (k < 0 && !p->c->mirrored) continue;
            double away = hypot(m[0] - k, m[1]);
            if (away < least) at = k;
            least = fmin(least, away);
        }
    }
    p->critical.shift = at;
    *found = least < far;
    return JD_OK;
}

static jd_status choose_pair(pair *p, bool *found) {
    double least = HUGE_VAL;
    JD_TRY(multipliers(p));
    for (int i = 0; i < p->n; i++) {
        const double *m = p->critical.multiplier + 2 * i;
        double away = fabs(hypot(m[0], m[1]) - 1);
        if (!(m[1] > 0) || away >= least) continue;
        least = away;
        p->critical.sum = 2 * m[0];
        p->critical.product = m[0] * m[0] + m[1] * m[1];
    }
    *found = least < far;
    return JD_OK;
}

// The orbit at arclength `way` from the point, on the side with fewer events, into at.middle.
static jd_status look_beside(pair *p, double way, bool *found) {
    jd_follow *f = p->f;
    curve *c = p->c;
    place *m = &f->at.middle;
    bool lost;
    jd_place_copy(c, &f->at.mark, m);
    c->phase = m->phase;
    JD_TRY(jd_curve_derivative(c, m->y, m->tangent, &lost));
    *found = false;
    if (lost) return JD_OK;
    for (int i = 0; i < c->N; i++) m->y[i] += way * m->tangent[i];
    c->phase = m->phase;
    JD_TRY(jd_curve_correct(c, m->y, f->at.mark.tangent, false, found));
    if (*found) memcpy(p->next, m->y, (size_t)c->N * sizeof *m->y);
    return JD_OK;
}

// The margin that is small at the point and grows most beside it.
static bool pick(pair_margin *m) {
    double least = far;
    m->k = -1;
    for (int i = 0; i < m->n; i++) {
        double ratio = fabs(m->mark[i]) / fabs(m->value[i]);
        if (!isfinite(m->mark[i]) || !isfinite(m->value[i]) || !(ratio < least)) continue;
        least = ratio;
        m->k = i;
    }
    return m->k >= 0;
}

static jd_status choose_margin_of(pair *p, bool *found) {
    pair_margin *m = &p->margin;
    curve *c = p->c;
    bool lost;
    m->n = m->of_events ? p->f->at.mark.n_margin : jd_problem_contacts(c->problem);
    *found = false;
    JD_TRY(jd_curve_round(c, p->f->at.mark.y, true, &lost));
    if (lost) return JD_OK;
    JD_TRY(p->by->margins(p, m->mark, &lost));
    if (lost) return JD_OK;
    double sense = p->f->list.mark_first ? -1 : 1;
    for (double way = first_way; way > 1e-6 && !*found; way /= 8) {
        JD_TRY(look_beside(p, sense * way, found));
        if (!*found) continue;
        p->other = true; // no test of g yet
        JD_TRY(jd_curve_round(c, p->next, true, &lost));
        *found = !lost && c->events.counted == p->events;
        if (*found) JD_TRY(p->by->margins(p, m->value, &lost));
        *found = *found && !lost && pick(m);
    }
    if (*found) m->size = m->value[m->k] / first_target; // with its sign
    return JD_OK;
}

static jd_status choose_margin(pair *p, bool *found) {
    const place *mark = &p->f->at.mark;
    p->margin.of_events = p->kind == JD_CURVE_STICK || p->kind == JD_CURVE_SLIP;
    JD_TRY(choose_margin_of(p, found));
    if (*found || p->kind != JD_CURVE_GRAZING || p->events == 0) return JD_OK;
    p->margin.of_events = true;
    p->c->phase = mark->phase;
    return choose_margin_of(p, found);
}

// A function changes by about its scale over the window.
static jd_status choose_scale(pair *p, bool *found) {
    const place *a = &p->f->at.here, *b = &p->f->at.there;
    int i = p->c->seen.n_also + p->f->list.marked_function;
    double way = fabs(a->point.parameter - b->point.parameter) / p->c->parameter.L,
           rise = fabs(a->also[i] - b->also[i]);
    p->scale = way > 0 && rise > 0 ? rise / way : 1;
    *found = true;
    return JD_OK;
}

jd_status jd_pair_choose(pair *p, bool *found) {
    *found = true;
    if (p->kind == JD_CURVE_BRANCH) return choose_shift(p, found);
    if (p->kind == JD_CURVE_NEIMARK_SACKER) return choose_pair(p, found);
    if (p->kind == JD_CURVE_FUNCTION) return choose_scale(p, found);
    if (p->by->margins) return choose_margin(p, found);
    p->critical.shift = p->kind == JD_CURVE_FOLD ? 1 : -1;
    return JD_OK;
}

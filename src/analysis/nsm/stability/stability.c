// stability.c -- stability along a branch: intervals with one verdict, each with what is
// proved.
//   The verdicts come from ranges proved as a whole (prove.c), so a window of the other kind
//   can only hide in what was left undecided: around changes, at the ends of the branch, and where
//   the proof fails. The widest of these is the interval's resolution.
#include <math.h>
#include <string.h>

#include "analysis/nsm/stability/stability.h"

#include "base/constants.h"

static const double two_pi = JD_TWO_PI;
// Stretches that may stay undecided, of the branch: where it is proved thoroughly, and in passing.
static const double finest = 1e-9, coarse = 1.0 / 16;
enum { EFFORT = 6000 }; // intervals tried on a branch before wider ones may stay so

int jd_nsm_modes(const jd_nsm *s) { return s->modes.n; }

// lambda = mu + sqrt(mu^2 - 1); real mu in [-1, 1]: on the unit circle.
jd_status jd_nsm_multipliers(jd_nsm *s, double omega, double *value) {
    int n = s->modes.n;
    double *mu = value + 2 * n;
    if (n > 1) JD_TRY(jd_nsm_secular_roots(s, two_pi / omega, mu));
    for (int i = 0; i < n - 1; i++) { // in place: pair i is written from mu number i >= i/2
        double x = mu[2 * i], y = mu[2 * i + 1];
        double re = x * x - y * y - 1, im = 2 * x * y, size = sqrt(hypot(re, im)),
               half = atan2(im, re) / 2;
        double lambda[2] = {x + size * cos(half), y + size * sin(half)};
        double square = lambda[0] * lambda[0] + lambda[1] * lambda[1];
        value[4 * i] = lambda[0];
        value[4 * i + 1] = lambda[1];
        value[4 * i + 2] = lambda[0] / square;
        value[4 * i + 3] = -lambda[1] / square;
    }
    value[4 * n - 4] = value[4 * n - 2] = 1;
    value[4 * n - 3] = value[4 * n - 1] = 0;
    return JD_OK;
}

// The verdict at one period, all roots computed: where nothing could be proved.
static jd_status sample(nsm_prover *u, double T, nsm_verdict *out) {
    *out = NSM_STABLE;
    JD_TRY(jd_nsm_secular_roots(u->s, T, u->mu));
    for (int i = 0; i < u->s->modes.n - 1; i++) // a double root scatters by the root of rounding
        if (fabs(u->mu[2 * i]) > 1 || fabs(u->mu[2 * i + 1]) > 1e-7) *out = NSM_UNSTABLE;
    return JD_OK;
}

// An interval in periods, while it is put together.
typedef struct part {
    double from, to;
    nsm_verdict is;
    jd_nsm_change begins, ends;
    double open; // [s] widest range without proof in it or at its ends
    bool inside; // one is in it
} part;

static double width_of(const nsm_proved_range *v) { return v->to - v->from; }

// Where proofs fail and succeed in turn next to a change, all of it counts as undecided: ranges
// with a verdict that are hardly wider than what may stay without one.
static void join_slivers(nsm_prover *u, double sliver) {
    nsm_proved_range *v = u->range;
    int n = 0;
    for (int i = 1; i + 1 < u->n_range; i++)
        if (width_of(&v[i]) < sliver && v[i - 1].is == NSM_UNDECIDED &&
            v[i + 1].is == NSM_UNDECIDED)
            v[i].is = NSM_UNDECIDED;
    for (int i = 0; i < u->n_range; i++)
        if (n > 0 && v[n - 1].is == v[i].is)
            v[n - 1].to = v[i].to;
        else
            v[n++] = v[i];
    u->n_range = n;
}

// Stretches become parts: what is undecided between two verdicts holds the change.
static jd_status gather(nsm_prover *u, part *list, int *n) {
    const nsm_proved_range *v = u->range;
    double open = 0; // undecided since the last part
    *n = 0;
    for (int i = 0; i < u->n_range; i++) {
        if (v[i].is == NSM_UNDECIDED) {
            open = width_of(&v[i]);
            continue;
        }
        part *last = *n ? &list[*n - 1] : NULL;
        if (last && last->is == v[i].is) {
            last->open = fmax(last->open, open);
            last->inside = true;
            last->to = v[i].to;
        } else {
            part *new = &list[(*n)++];
            *new = (part){v[0].from, v[i].to, v[i].is, JD_NSM_END, JD_NSM_START, open, false};
            if (last) {
                JD_TRY(jd_nsm_find_change(u, last->to, v[i].from, &new->from, &new->begins));
                last->to = new->from;
                last->ends = new->begins;
                last->open = fmax(last->open, open);
            }
        }
        open = 0;
    }
    if (*n == 0) { // nothing was proved: one look in the middle
        list[(*n)++] = (part){.from = v[0].from,
                              .begins = JD_NSM_END,
                              .ends = JD_NSM_START,
                              .open = open,
                              .inside = true};
        JD_TRY(sample(u, (v[0].from + v[u->n_range - 1].to) / 2, &list[0].is));
    }
    list[*n - 1].to = v[u->n_range - 1].to;
    list[*n - 1].open = fmax(list[*n - 1].open, open);
    return JD_OK;
}

// Parts by rising period are intervals by falling omega.
static jd_status store(nsm_prover *u, jd_nsm_branch *branch, const part *list, int n) {
    jd_nsm_interval *out = JD_TAKE(u->s->arena, jd_nsm_interval, n);
    JD_TRY(jd_arena_status(u->s->arena));
    for (int i = 0; i < n; i++) {
        const part *p = &list[n - 1 - i];
        double rate = two_pi / (p->from * p->from); // |d omega/d T|
        out[i] = (jd_nsm_interval){.from = i == 0 ? branch->omega_start : two_pi / p->to,
                                   .to = i == n - 1 ? branch->omega_end : two_pi / p->from,
                                   .stable = p->is == NSM_STABLE,
                                   .starts_with = p->ends,
                                   .ends_with = p->begins,
                                   .proved = !p->inside,
                                   .resolution = p->open * rate};
    }
    branch->interval = out;
    branch->n_interval = n;
    return JD_OK;
}

jd_status jd_nsm_prove_branch(jd_nsm *s, jd_nsm_branch *branch) {
    double low = two_pi / branch->omega_end, high = two_pi / branch->omega_start;
    int n = s->modes.n, parts;
    nsm_prover u = {.s = s,
                    .effort = EFFORT,
                    .passing = !s->options.thorough,
                    .finest =
                        fmax((s->options.thorough ? finest : coarse) * (high - low), 4e-15 * high)};
    JD_TRY(jd_nsm_period_create(s, s->arena, &u.place));
    u.between = JD_TAKE(s->arena, double, n);
    u.mu = JD_TAKE(s->arena, double, 2 * n);
    JD_TRY(jd_arena_status(s->arena));
    JD_TRY(jd_nsm_prove_ranges(&u, low, high));
    join_slivers(&u, 16 * finest * (high - low));
    part *list = JD_TAKE(s->arena, part, u.n_range + 1);
    JD_TRY(jd_arena_status(s->arena));
    JD_TRY(gather(&u, list, &parts));
    return store(&u, branch, list, parts);
}

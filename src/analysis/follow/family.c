// family.c -- branches for several values of a second number mu, their peaks, and the least peak.
//   A(lambda, mu) is the measure of the orbit near a peak. On the branch of one member the peak is
//   where A_lambda = 0; the least of all peaks, where dA/dmu along the curve of peaks, A_mu there,
//   is 0 as well: a saddle of A,
//     A_lambda = A_mu = 0,   A_ll < 0 < A_mm - A_lm^2/A_ll.
//   Derivatives are differences of A over +-h, 2h, 3h of sixth order, h 1/80 of the peak's width at
//   0.9 of its height and 1/250 of mu: they miss (h/width)^6, some 1e-11, of themselves. The error
//   told is how far a step of Newton's method with twice the h leads away, some 64 times as much.
//                                                  tested: follow_family
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

enum { STENCIL = 3, STEPS = 20 };
static const double height = 0.9;    // of a peak, where its width is taken
static const double fine = 1.0 / 80; // of that width: step of the differences by lambda
static const double share = 0.004;   // of mu: step of those by mu
static const double close_to = 1e-11;
static const double rounding = 1e-11; // of mu
static const double first_order[STENCIL] = {0.75, -0.15, 1.0 / 60};
static const double second_order[STENCIL] = {1.5, -0.15, 1.0 / 90};

// A peak while it is sought.
typedef struct summit {
    jd_follow *f;
    double *y;   // the orbit last found near it
    double h[2]; // steps of the differences by lambda and mu
    double lambda, mu, A;
    double slope[2], bend[2]; // A_lambda, A_mu; A_ll, A_mm
} summit;

// The measure of the orbit at (lambda, mu), from the one at hand.
static jd_status value(summit *s, double lambda, double mu, double *A, bool *found) {
    jd_follow *f = s->f;
    curve *c = &f->curve;
    place *p = &f->at.middle;
    double *border = f->at.old.tangent;
    bool lost;
    *found = false;
    memcpy(p->y, s->y, (size_t)c->N * sizeof *p->y);
    p->y[c->N - 1] = lambda / c->parameter.L;
    c->parameter.mu_wanted = mu;
    c->phase = f->at.peak.phase;
    c->anchor = f->at.peak.anchor;
    memset(border, 0, (size_t)c->N * sizeof *border);
    border[c->N - 1] = 1;
    JD_TRY(jd_curve_derivative(c, p->y, border, &lost));
    if (lost) return JD_OK;
    JD_TRY(jd_curve_correct(c, p->y, border, true, found));
    if (*found) JD_TRY(jd_branch_judge(f, p, f->at.peak.tangent, true, found));
    *A = p->point.amplitude;
    return JD_OK;
}

// A and its derivatives along one of the two parameters.
static jd_status differences(summit *s, int along, bool *found) {
    double sum = 0, bend = -2 * (1.5 - 0.15 + 1.0 / 90) * s->A;
    for (int k = 1; k <= STENCIL; k++) {
        double A[2];
        for (int side = 0; side < 2; side++) {
            double by = (side ? -k : k) * s->h[along];
            JD_TRY(
                value(s, s->lambda + (along ? 0 : by), s->mu + (along ? by : 0), &A[side], found));
            if (!*found) return JD_OK;
        }
        sum += first_order[k - 1] * (A[0] - A[1]);
        bend += second_order[k - 1] * (A[0] + A[1]);
    }
    s->slope[along] = sum / s->h[along];
    s->bend[along] = bend / (s->h[along] * s->h[along]);
    return JD_OK;
}

// The middle of the stencil: the orbit all others are sought from.
static jd_status settle(summit *s, bool *found) {
    JD_TRY(value(s, s->lambda, s->mu, &s->A, found));
    if (*found) memcpy(s->y, s->f->at.middle.y, (size_t)s->f->curve.N * sizeof *s->y);
    return JD_OK;
}

// Newton's method for A_lambda = 0 at a given mu.
static jd_status climb(summit *s, bool *found) {
    for (int i = 0; i < STEPS; i++) {
        JD_TRY(settle(s, found));
        if (*found) JD_TRY(differences(s, 0, found));
        if (!*found) return JD_OK;
        double step = -s->slope[0] / s->bend[0];
        *found = s->bend[0] < 0 && fabs(step) < 60 * s->h[0];
        if (!*found) return JD_OK;
        s->lambda += fmax(-10 * s->h[0], fmin(10 * s->h[0], step));
        if (fabs(step) > close_to * fabs(s->lambda)) continue;
        return settle(s, found);
    }
    return *found = false, JD_OK;
}

// How wide the peak is: from the largest point to the nearer of the two that are lower by a tenth.
static double width(const jd_follow *f, int top) {
    const jd_branch_point *p = f->list.point;
    double wide = HUGE_VAL;
    for (int side = -1; side <= 1; side += 2) {
        int i = top;
        while (i >= 0 && i < f->view.n_point && p[i].amplitude > height * p[top].amplitude)
            i += side;
        if (i >= 0 && i < f->view.n_point && i != top)
            wide = fmin(wide, fabs(p[i].parameter - p[top].parameter));
    }
    return isfinite(wide) ? wide : 0.1 * f->curve.parameter.L;
}

void jd_family_note(jd_follow *f, const place *p) {
    if (!f->family || (f->at.peaked && !(p->point.amplitude > f->at.peak.point.amplitude))) return;
    jd_place_copy(&f->curve, p, &f->at.peak);
    f->at.peaked = true;
}

// Numbers of the problem have been changed by another member: they are set again.
static void take_up(jd_follow *f, double mu) {
    curve *c = &f->curve;
    c->parameter.lambda = c->parameter.mu = (double)NAN;
    c->parameter.mu_wanted = mu;
}

static jd_status begin(jd_follow *f, double mu, summit *s) {
    curve *c = &f->curve;
    int top = 0;
    for (int i = 0; i < f->view.n_point; i++)
        if (f->list.point[i].amplitude > f->list.point[top].amplitude) top = i;
    *s = (summit){.f = f,
                  .y = JD_TAKE(f->arena, double, c->N),
                  .h = {fine * width(f, top), share * fabs(mu)},
                  .lambda = f->at.peak.point.parameter,
                  .mu = mu,
                  .A = f->at.peak.point.amplitude};
    JD_TRY(jd_arena_status(f->arena));
    memcpy(s->y, f->at.peak.y, (size_t)c->N * sizeof *s->y);
    return JD_OK;
}

// The peak of one member, which was just followed.
static jd_status peak_of(jd_follow *f, double mu, jd_peak *out) {
    summit s;
    bool found;
    *out = (jd_peak){.value = mu, .parameter = (double)NAN, .amplitude = (double)NAN};
    if (!f->at.peaked) return JD_OK;
    out->parameter = f->at.peak.point.parameter;
    out->amplitude = f->at.peak.point.amplitude;
    take_up(f, mu);
    JD_TRY(begin(f, mu, &s));
    JD_TRY(climb(&s, &found));
    out->inside = found && s.A >= out->amplitude;
    if (!out->inside) return JD_OK;
    out->parameter = s.lambda;
    out->amplitude = s.A;
    return JD_OK;
}

// One step of Newton's method for the saddle, cut where it is long; its size in steps of the
// differences.
static jd_status step_to_saddle(summit *s, double *size, bool *found) {
    double before, after;
    JD_TRY(settle(s, found));
    for (int along = 0; along < 2 && *found; along++) JD_TRY(differences(s, along, found));
    if (!*found) return JD_OK;
    summit up = *s, down = *s; // A_lm from A_lambda beside
    up.mu += s->h[1];
    down.mu -= s->h[1];
    JD_TRY(differences(&up, 0, found));
    if (*found) JD_TRY(differences(&down, 0, found));
    if (!*found) return JD_OK;
    before = down.slope[0];
    after = up.slope[0];
    double mixed = (after - before) / (2 * s->h[1]), ll = s->bend[0], mm = s->bend[1],
           det = ll * mm - mixed * mixed;
    *found = ll < 0 && det < 0;
    if (!*found) return JD_OK;
    double d0 = -(mm * s->slope[0] - mixed * s->slope[1]) / det,
           d1 = -(ll * s->slope[1] - mixed * s->slope[0]) / det,
           longest = fmax(fabs(d0) / (20 * s->h[0]), fabs(d1) / (20 * s->h[1])),
           cut = longest > 1 ? 1 / longest : 1;
    s->lambda += cut * d0;
    s->mu += cut * d1;
    *size = longest * 20;
    return JD_OK;
}

// From the member with the least peak to the saddle; low, high: the values beside it.
static jd_status seek(jd_follow *f, jd_family *family, double mu, double low, double high) {
    summit s;
    bool found = true;
    double size = HUGE_VAL, last = HUGE_VAL;
    take_up(f, mu);
    JD_TRY(begin(f, mu, &s));
    for (int i = 0; i < 2 * STEPS && found; i++) {
        JD_TRY(step_to_saddle(&s, &size, &found));
        found = found && s.mu > low && s.mu < high;
        if (!found || size < 1e-7 || (size < 1e-4 && size > 0.5 * last)) break;
        last = size;
    }
    found = found && size < 1e-4;
    if (found) JD_TRY(settle(&s, &found));
    family->optimal = found;
    family->why = found ? ""
                        : "the least peak lies between these values, and no smooth minimum "
                          "was found there";
    if (!found) return JD_OK;
    family->optimum = (jd_peak){s.mu, s.lambda, s.A, true};
    for (int i = 0; i < 2; i++) s.h[i] *= 2;
    JD_TRY(step_to_saddle(&s, &size, &found));
    family->error = fabs(s.mu - family->optimum.value) + rounding * fabs(s.mu);
    return JD_OK;
}

// The values beside value number k among those of the family.
static void neighbours(const jd_family *f, int k, double *low, double *high) {
    *low = -HUGE_VAL;
    *high = HUGE_VAL;
    for (int i = 0; i < f->n; i++) {
        double v = f->peak[i].value;
        if (v < f->peak[k].value) *low = fmax(*low, v);
        if (v > f->peak[k].value) *high = fmin(*high, v);
    }
}

static jd_status least_peak(jd_follow *const *branch, jd_family *family) {
    int k = -1;
    double low, high;
    for (int i = 0; i < family->n; i++)
        if (isfinite(family->peak[i].amplitude) &&
            (k < 0 || family->peak[i].amplitude < family->peak[k].amplitude))
            k = i;
    family->why = "there are no peaks";
    if (k < 0) return JD_OK;
    neighbours(family, k, &low, &high);
    family->why = "the least peak is that of the smallest or the largest value: widen the family";
    if (!isfinite(low) || !isfinite(high)) return JD_OK;
    family->why = "the least peak is at the end of its branch: follow further";
    if (!family->peak[k].inside) return JD_OK;
    return seek(branch[k], family, family->peak[k].value, low, high);
}

// A member other than the first: followed like that, with its own value.
static jd_status follow_member(jd_follow *f, int k, jd_follow **out) {
    jd_follow_options o = f->asked;
    o.family.n = -1 - k; // one of a family, alone
    return jd_follow_create(f->context, f->curve.problem, &o, out);
}

jd_status jd_family_set(jd_follow *f) {
    const jd_shapes *given = &f->options.family;
    int k = given->n > 0 ? 0 : given->n < 0 ? -1 - given->n : -1;
    if (k < 0) return JD_OK;
    curve *c = &f->curve;
    const jd_shape *path = &given->shape[0];
    f->family = JD_TAKE(f->arena, branch_family, 1);
    JD_TRY(jd_arena_status(f->arena));
    f->family->value = path->value.value[k];
    jd_status status =
        jd_problem_set(c->problem, path->name, f->family->value, &c->parameter.second_rebuild);
    if (status == JD_OK) return jd_problem_build(c->problem);
    jd_fail_where(f->context, "follow.family");
    return status;
}

// Once the branch is there: what differences by the second parameter need.
static void open_second(jd_follow *f) {
    curve *c = &f->curve;
    c->parameter.second = f->options.family.shape[0].name;
    c->parameter.L2 = fabs(f->family->value);
}

static void show_member(jd_follow *f, jd_beside *beside, int k) {
    const jd_shape *path = &f->options.family.shape[0];
    beside->view = &f->family->member[k]->view;
    beside->name = jd_arena_format(f->arena, "%.6g", path->value.value[k]);
}

jd_status jd_family_follow(jd_follow *f) {
    if (f->options.family.n <= 0) return JD_OK;
    const jd_shape *path = &f->options.family.shape[0];
    int n = path->value.n;
    jd_family *family = JD_TAKE(f->arena, jd_family, 1);
    jd_peak *peak = JD_TAKE(f->arena, jd_peak, n);
    jd_beside *beside = JD_TAKE(f->arena, jd_beside, n);
    f->family->member = JD_TAKE(f->arena, jd_follow *, n);
    JD_TRY(jd_arena_status(f->arena));
    *family = (jd_family){.path = jd_arena_text(f->arena, path->name), .n = n, .peak = peak};
    f->family->n = n;
    f->family->member[0] = f;
    for (int k = 0; k < n; k++) {
        jd_follow *m = f;
        if (k > 0) JD_TRY(follow_member(f, k, &m));
        f->family->member[k] = m;
        open_second(m);
        JD_TRY(peak_of(m, path->value.value[k], &peak[k]));
        if (k > 0) show_member(f, &beside[k - 1], k);
    }
    JD_TRY(least_peak(f->family->member, family));
    f->view.family = family;
    f->view.n_beside = n - 1;
    f->view.beside = beside;
    return jd_arena_status(f->arena);
}

void jd_family_free(jd_follow *f) {
    for (int k = 1; f->family && k < f->family->n; k++) jd_follow_free(f->family->member[k]);
}

// pair.c -- equations of a special point in two parameters, z = (s/S, lambda/L, mu/L2).
//   (P(s) - s)/S = 0,  g(s, lambda, mu) = 0 (defining.c)
//   Derivatives of P by s are exact, the others differences to both sides (h = 1e-6): they decide
//   how fast Newton's method converges, not where to.
#include "analysis/follow/two/pair.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"

enum { STEPS = 14, LEVELS = 4 };
static const double aside = 1e-6;
static const double first_target = 1e-3, closest = 1e-6;
static const double goal = 1e-12;
static const double close_to_symmetry = 1e-12;
static const double floor_at = 1e-9; // rounding may keep the equations from getting better

jd_status jd_pair_open(pair *p, jd_follow *f) {
    curve *c = &f->curve;
    int n = c->n, U = n + 2;
    *p = (pair){.f = f, .c = c, .kind = f->options.curve, .n = n, .U = U, .scale = 1};
    double **vectors[] = {&p->z,  &p->tangent, &p->next,  &p->border, &p->G,
                          &p->up, &p->down,    &p->level, &p->turned};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(f->arena, double, U);
    p->A = JD_TAKE(f->arena, double, U *U);
    p->lu = JD_TAKE(f->arena, double, U *U);
    p->pivot = JD_TAKE(f->arena, int, U);
    p->critical.B = JD_TAKE(f->arena, double, U *U);
    p->critical.v = JD_TAKE(f->arena, double, U);
    p->critical.left = JD_TAKE(f->arena, double, U);
    p->critical.right = JD_TAKE(f->arena, double, U);
    p->critical.multiplier = JD_TAKE(f->arena, double, 2 * n);
    int most = f->at.mark.n_margin + jd_problem_contacts(c->problem);
    p->margin.value = JD_TAKE(f->arena, double, most);
    p->margin.mark = JD_TAKE(f->arena, double, most);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0; i < n; i++) p->critical.left[i] = p->critical.right[i] = 1 + 0.1 * (i % 7);
    p->margin.target = first_target;
    p->by = jd_pair_defining(p->kind);
    return JD_OK;
}

jd_status jd_pair_evaluate(pair *p, const double *z, double *G, bool *lost) {
    curve *c = p->c;
    *lost = true;
    if (!isfinite(z[p->U - 1])) return JD_OK;
    c->parameter.mu_wanted = z[p->U - 1] * c->parameter.L2;
    JD_TRY(jd_curve_round(c, z, true, lost));
    p->other = !*lost && c->events.counted != p->events;
    if (!*lost && c->mirrored) c->residual = fmax(c->residual, c->sh->unclosed);
    *lost = *lost || p->other;
    if (*lost) return JD_OK;
    memcpy(G, c->newton.F, (size_t)p->n * sizeof *G);
    return p->by->test(p, &G[p->n], lost);
}

static jd_status column(pair *p, const double *z, const double *G, int j, bool *lost) {
    int n = p->n, U = p->U;
    bool no_up, no_down;
    double h = aside * fmax(1, fabs(z[j])), *w = p->turned;
    memcpy(w, z, (size_t)U * sizeof *w);
    w[j] = z[j] + h;
    JD_TRY(jd_pair_evaluate(p, w, p->up, &no_up));
    w[j] = z[j] - h;
    JD_TRY(jd_pair_evaluate(p, w, p->down, &no_down));
    *lost = no_up && no_down;
    const double *a = no_up ? G : p->up, *b = no_down ? G : p->down;
    double width = no_up || no_down ? h : 2 * h;
    for (int i = j < n ? n : 0; i <= n && !*lost; i++) p->A[i * U + j] = (a[i] - b[i]) / width;
    return JD_OK;
}

jd_status jd_pair_derivative(pair *p, const double *z, const double *G, bool *lost) {
    int n = p->n, U = p->U;
    bool symmetric = jd_pair_is_symmetric(p);
    const double *b = p->critical.left, *v = p->critical.right;
    jd_curve_slope(p->c);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p->A[i * U + j] = p->c->newton.J[i * p->c->N + j] + (symmetric ? b[i] * v[j] : 0);
    *lost = false;
    for (int j = 0; j < U && !*lost; j++) JD_TRY(column(p, z, G, j, lost));
    return JD_OK;
}

static bool factor(pair *p) {
    memcpy(p->lu, p->A, (size_t)(p->U * p->U) * sizeof *p->lu);
    memcpy(p->lu + p->U * (p->U - 1), p->border, (size_t)p->U * sizeof *p->lu);
    return jd_lu_factor(p->U, p->lu, p->pivot);
}

// z += d, [A; border'] d = -[G; 0]. False: singular, or far too long.
static bool step(pair *p, double *z) {
    double size = 0;
    if (!factor(p)) return false;
    for (int i = 0; i < p->U; i++) p->up[i] = i <= p->n ? -p->G[i] : 0;
    jd_lu_solve(p->U, p->lu, p->pivot, p->up);
    for (int i = 0; i < p->U; i++) {
        z[i] += p->up[i];
        size += p->up[i] * p->up[i];
    }
    return size < 1;
}

// What rounding may leave. An orbit beside the symmetric one has a small residual, too.
static double floor_of(const pair *p) {
    return p->kind == JD_CURVE_BRANCH ? close_to_symmetry : floor_at;
}

// With the derivative at hand, renewed where it converges slowly.
static jd_status newton(pair *p, double *z, bool *found) {
    double last = HUGE_VAL;
    bool lost;
    *found = false;
    for (int it = 0; it < STEPS; it++) {
        JD_TRY(jd_pair_evaluate(p, z, p->G, &lost));
        if (lost) return JD_OK;
        double g = fabs(p->G[p->n]), size = fmax(p->c->residual, g);
        p->c->phase = p->c->sh->phase1;
        *found = (p->c->residual <= p->c->tolerance && g <= goal) ||
                 (size < floor_of(p) && size > last / 2);
        if (*found) break;
        if (it > 0 && size > 0.1 * last) {
            JD_TRY(jd_pair_derivative(p, z, p->G, &lost));
            if (lost) return JD_OK;
        }
        last = size;
        if (!step(p, z)) return JD_OK;
    }
    p->c->count.orbits += *found;
    return JD_OK;
}

// Of the last round.
static void note_impacts(pair *p) {
    const curve *c = p->c;
    p->impacts = (pair_impacts){.slowest = HUGE_VAL};
    for (int i = 0; i < c->events.n_listed; i++) {
        const jd_event *e = &c->sh->last.event[c->events.listed[i]];
        if (!jd_event_is_impact(e)) continue;
        p->impacts.slowest = fmin(p->impacts.slowest, fabs(e->speed));
        p->impacts.fastest = fmax(p->impacts.fastest, fabs(e->speed));
    }
}

static jd_status note(pair *p, const double *z) {
    if (p->by->renew && p->kind == JD_CURVE_NEIMARK_SACKER) p->by->renew(p);
    note_impacts(p);
    JD_TRY(jd_pair_watch(p));
    p->at = (jd_curve_point){.parameter = jd_curve_parameter(p->c, z),
                             .second = z[p->U - 1] * p->c->parameter.L2,
                             .period = p->c->sh->period,
                             .residual = p->c->residual};
    return jd_curve_measure(p->c, &p->at.amplitude);
}

static double at_zero(const double *x, const double *value) {
    double v[LEVELS];
    memcpy(v, value, sizeof v);
    for (int k = 1; k < LEVELS; k++)
        for (int i = 0; i < LEVELS - k; i++)
            v[i] = (x[i] * v[i + 1] - x[i + k] * v[i]) / (x[i] - x[i + k]);
    return v[0];
}

// The same plane with the margin closer and closer to 0.
static jd_status to_zero(pair *p, bool *found) {
    double x[LEVELS], value[4 + PAIR_WATCHED][LEVELS];
    double *w = p->level;
    memcpy(w, p->next, (size_t)p->U * sizeof *w);
    for (int k = 0; k < LEVELS && *found; k++, p->margin.target /= 2) {
        if (k > 0) JD_TRY(newton(p, w, found));
        if (k > 0 && *found) JD_TRY(note(p, w));
        x[k] = p->margin.target;
        value[0][k] = p->at.parameter;
        value[1][k] = p->at.second;
        value[2][k] = p->at.amplitude;
        value[3][k] = p->at.period;
        for (int i = 0; i < PAIR_WATCHED; i++) value[4 + i][k] = p->watched[i];
    }
    // next to where it is 0: is it the same orbit, or has another event happened before?
    p->margin.target = closest;
    if (*found) JD_TRY(newton(p, w, found));
    p->margin.target = first_target;
    if (!*found) return JD_OK;
    p->at.parameter = at_zero(x, value[0]);
    p->at.second = at_zero(x, value[1]);
    p->at.amplitude = at_zero(x, value[2]);
    p->at.period = at_zero(x, value[3]);
    for (int i = 0; i < PAIR_WATCHED; i++) p->watched[i] = at_zero(x, value[4 + i]);
    return JD_OK;
}

jd_status jd_pair_solve(pair *p, bool *found) {
    JD_TRY(newton(p, p->next, found));
    if (!*found) return JD_OK;
    JD_TRY(note(p, p->next));
    return p->by->levels ? to_zero(p, found) : JD_OK;
}

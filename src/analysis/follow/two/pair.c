// pair.c -- equations of a special point in two parameters, z = (s/S, lambda/L, mu/L2).
//   (P(s) - s)/S = 0,  g = 0:
//     fold, flip  [M -+ I  b] [v]   [0]      M the exact derivative of P; b, c near the null
//                 [c'      0] [g] = [1]      vectors, so that the matrix stays regular
//     grazing     g = (gap - largest displacement)/travel - target on the orbit without the impact;
//                 solved at targets 1e-3/2^k, k = 0..3, and extrapolated to 0: the motion never
//                 comes close enough to the stop for rounding to decide whether it hits
//   Derivatives of P by s are exact, the others differences to both sides (h = 1e-6): they decide
//   how fast Newton's method converges, not where to.
#include "analysis/follow/two/pair.h"

#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "linalg/general.h"

enum { STEPS = 14, LEVELS = 4 };
static const double aside = 1e-6;
static const double first_target = 1e-3;
static const double goal = 1e-12;
static const double floor_at = 1e-9; // rounding may keep the equations from getting better

static const jd_stop_def *stop_of(const curve *c, int j) {
    const jd_contact_def *d = jd_problem_contact(c->problem, j)->def;
    return jd_law_stop_of(&d->law);
}

// Free path that is left [m].
static double clearance(const curve *c, int j) {
    const jd_stop_def *d = stop_of(c, j);
    const jd_range *u = &c->seen.ranges[j].displacement;
    return d->gap - (d->sides ? fmax(u->max, -u->min) : u->max);
}

jd_status jd_pair_open(pair *p, jd_follow *f) {
    curve *c = &f->curve;
    int n = c->n, U = n + 2;
    *p = (pair){.f = f, .c = c, .kind = f->options.curve, .n = n, .U = U, .contact = -1};
    double **vectors[] = {&p->z,  &p->tangent, &p->next,  &p->border, &p->G,
                          &p->up, &p->down,    &p->level, &p->turned, &p->v};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = JD_TAKE(f->arena, double, U);
    p->A = JD_TAKE(f->arena, double, U *U);
    p->lu = JD_TAKE(f->arena, double, U *U);
    p->B = JD_TAKE(f->arena, double, U *U);
    p->left = JD_TAKE(f->arena, double, U);
    p->right = JD_TAKE(f->arena, double, U);
    p->pivot = JD_TAKE(f->arena, int, U);
    JD_TRY(jd_arena_status(f->arena));
    for (int i = 0; i < n; i++) p->left[i] = p->right[i] = 1 + 0.1 * (i % 7);
    p->target = first_target;
    return JD_OK;
}

// Factors of the bordered matrix at the last round; transposed on demand.
static bool factor_border(pair *p, bool transposed) {
    const jd_shooting *sh = p->c->sh;
    int n = p->n, m = n + 1;
    double shift = p->kind == JD_CURVE_FOLD ? 1 : -1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double value = i < n && j < n
                               ? sh->scale[i] * sh->M[i * n + j] / sh->scale[j] - shift * (i == j)
                           : i < n ? p->left[i]
                           : j < n ? p->right[j]
                                   : 0;
            p->B[transposed ? j * m + i : i * m + j] = value;
        }
    return jd_lu_factor(m, p->B, p->pivot);
}

static bool border_solve(pair *p, bool transposed) {
    if (!factor_border(p, transposed)) return false;
    memset(p->v, 0, (size_t)(p->n + 1) * sizeof *p->v);
    p->v[p->n] = 1;
    jd_lu_solve(p->n + 1, p->B, p->pivot, p->v);
    return isfinite(p->v[p->n]);
}

static void unit_copy(int n, const double *from, double *to) {
    double size = 0;
    for (int i = 0; i < n; i++) size += from[i] * from[i];
    for (int i = 0; i < n && size > 0; i++) to[i] = from[i] / sqrt(size);
}

bool jd_pair_renew(pair *p) {
    if (p->kind == JD_CURVE_GRAZING) return true;
    double *kept = p->level;
    if (!border_solve(p, false)) return false;
    memcpy(kept, p->v, (size_t)p->n * sizeof *kept);
    if (!border_solve(p, true)) return false;
    unit_copy(p->n, p->v, p->left);
    unit_copy(p->n, kept, p->right);
    return true;
}

// The stop the motion comes closest to, among those it does not hit.
static void choose_contact(pair *p) {
    const curve *c = p->c;
    double least = HUGE_VAL;
    for (int j = 0; j < jd_problem_contacts(c->problem); j++) {
        bool hit = !stop_of(c, j);
        for (int i = 0; i < c->sh->last.n_event; i++) hit |= c->sh->last.event[i].contact == j;
        const jd_range *u = &c->seen.ranges[j].displacement;
        if (hit || !(u->max > u->min)) continue;
        double left = clearance(c, j) / (u->max - u->min);
        if (!(left < least)) continue;
        least = left;
        p->contact = j;
        p->size = u->max - u->min;
    }
}

static bool test(pair *p, double *g) {
    if (p->kind != JD_CURVE_GRAZING) {
        if (!border_solve(p, false)) return false;
        *g = p->v[p->n];
        return true;
    }
    if (p->contact < 0) choose_contact(p);
    if (p->contact < 0) return false;
    *g = clearance(p->c, p->contact) / p->size - p->target;
    return true;
}

jd_status jd_pair_evaluate(pair *p, const double *z, double *G, bool *lost) {
    curve *c = p->c;
    *lost = true;
    if (!isfinite(z[p->U - 1])) return JD_OK;
    c->parameter.mu_wanted = z[p->U - 1] * c->parameter.L2;
    JD_TRY(jd_curve_round(c, z, true, lost));
    *lost = *lost || c->events.counted != p->events;
    if (*lost) return JD_OK;
    memcpy(G, c->newton.F, (size_t)p->n * sizeof *G);
    *lost = !test(p, &G[p->n]);
    return JD_OK;
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
    const jd_shooting *sh = p->c->sh;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p->A[i * U + j] = sh->scale[i] * sh->M[i * n + j] / sh->scale[j] - (i == j);
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
                 (size < floor_at && size > last / 2);
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

static jd_status note(pair *p, const double *z) {
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

// The same plane closer and closer to the stop.
static jd_status to_the_stop(pair *p, bool *found) {
    double x[LEVELS], value[4][LEVELS];
    double *w = p->level;
    memcpy(w, p->next, (size_t)p->U * sizeof *w);
    for (int k = 0; k < LEVELS && *found; k++, p->target /= 2) {
        if (k > 0) JD_TRY(newton(p, w, found));
        if (k > 0 && *found) JD_TRY(note(p, w));
        x[k] = p->target;
        value[0][k] = p->at.parameter;
        value[1][k] = p->at.second;
        value[2][k] = p->at.amplitude;
        value[3][k] = p->at.period;
    }
    p->target = first_target;
    if (!*found) return JD_OK;
    p->at.parameter = at_zero(x, value[0]);
    p->at.second = at_zero(x, value[1]);
    p->at.amplitude = at_zero(x, value[2]);
    p->at.period = at_zero(x, value[3]);
    return JD_OK;
}

jd_status jd_pair_solve(pair *p, bool *found) {
    JD_TRY(newton(p, p->next, found));
    if (!*found) return JD_OK;
    JD_TRY(note(p, p->next));
    return p->kind == JD_CURVE_GRAZING ? to_the_stop(p, found) : JD_OK;
}

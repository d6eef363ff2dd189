// observe.c -- the motion at a time of the present step, and extremes of the contacts over steps.
//   An interval is settled when f is monotone in it (|f'| in its middle > max |f''| h/2), or when
//   no value in it can pass the extreme known so far by more than 1e-13 of the terms:
//   |f - chord| <= max |f''| h^2/8; else it is halved.
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "engine/series/smooth/smooth.h"
#include "linalg/dot.h"

double jd_series_tau(const series *s, double t) {
    return t == s->step.t_end ? s->step.tau_end : (t - s->state.t0) / s->terms.dt;
}

void jd_series_motion(const series *s, double tau, double *q, double *p) {
    jd_series_horner(s->terms.degree + 3, s->plan.stride, (size_t)s->plan.stride, s->terms.q, tau,
                     q, p);
    for (int k = 0; k < s->plan.n; k++) p[k] /= s->terms.dt;
}

// Forces and their rates per second.
void jd_series_forces(series *s, double tau, double *N, double *Nr, double *T, double *Tr) {
    const series_terms *t = &s->terms;
    jd_series_fill(s);
    jd_series_horner(t->degree + 1, t->normal_stride, (size_t)t->normal_stride, t->N, tau, N, Nr);
    jd_series_horner(t->degree + 1, t->slider_stride, (size_t)t->slider_stride, t->T, tau, T, Tr);
    for (int a = 0; a < s->plan.n_normal; a++) Nr[a] /= t->dt;
    for (int i = 0; i < s->plan.n_slider; i++) Tr[i] /= t->dt;
}

void jd_series_observe(jd_run *run, double t, double *u, double *v) {
    series *s = run->state;
    jd_series_motion(s, jd_series_tau(s, t), s->scratch.q, s->scratch.p);
    for (int i = 0; i < s->plan.probes.n; i++) {
        u[i] = jd_dot(s->plan.n, s->plan.probes.row[i], s->scratch.q);
        v[i] = jd_dot(s->plan.n, s->plan.probes.row[i], s->scratch.p);
    }
}

// Penetration and normal force of one cell, from the motion in scratch.
static void look_normal(const series *s, int j, double t, double *p, double *N) {
    const series_contact *c = &s->plan.contact[j];
    const series_scratch *x = &s->scratch;
    *p = *N = (double)NAN;
    if (c->smooth >= 0 || (c->own < 0 && c->sliders == 0)) return;
    int a = c->own >= 0 ? c->own : s->plan.slider[c->first].normal;
    const series_normal *g = &s->plan.normal[a];
    bool own = c->own >= 0 && g->row >= 0, below = s->state.closed[a] < 0;
    double u = 0;
    if (own) u = jd_dot(s->plan.n, s->plan.W + (size_t)g->row * (size_t)s->plan.stride, x->q);
    u -= g->belt * t;
    if (own && g->both && !s->state.closed[a]) below = u < 0;
    *p = own ? (below ? -u : u) - g->gap : (double)NAN;
    *N = g->row < 0 ? (double)NAN : s->state.closed[a] ? x->N[a] : 0;
}

// Of several cells: the deepest penetration and the sum of the forces.
void jd_series_observe_normals(jd_run *run, double t, double *p, double *N) {
    series *s = run->state;
    series_scratch *x = &s->scratch;
    double tau = jd_series_tau(s, t), depth, force;
    jd_series_motion(s, tau, x->q, x->p);
    jd_series_forces(s, tau, x->N, x->Nr, x->T, x->Tr);
    for (int i = 0; i < s->plan.whole.n; i++) {
        int from = s->plan.whole.first[i];
        look_normal(s, from, t, &p[i], &N[i]);
        for (int j = from + 1; j < s->plan.whole.first[i + 1]; j++) {
            look_normal(s, j, t, &depth, &force);
            p[i] = fmax(p[i], depth);
            N[i] += force;
        }
    }
}

void jd_series_look_cell(const series *s, int j, double t, double *u, double *v, double *force) {
    const series_plan *p = &s->plan;
    const series_scratch *x = &s->scratch;
    const series_contact *c = &p->contact[j];
    int r = c->tangential >= 0 ? c->tangential : p->normal[c->own].row;
    const double *w = p->W + (size_t)r * (size_t)p->stride;
    *u = jd_dot(p->n, w, x->q) - (c->tangential < 0 ? c->belt * t : 0);
    *v = jd_dot(p->n, w, x->p) - c->belt;
    *force = 0;
    for (int i = c->first; i < c->first + c->sliders; i++) *force -= x->T[i];
    if (c->smooth >= 0) *force = -jd_smooth_force(&p->smooth[c->smooth], *u);
    if (c->sliders == 1 && series_rigid_stuck(s, c->first)) *v = 0;
    if (c->tangential >= 0) return;
    *force = -s->state.closed[c->own] * x->N[c->own];
    if (p->normal[c->own].kind == NORMAL_RIGID && s->state.closed[c->own]) *v = 0;
}

// Of several cells: mean motion and the sum of the forces.
void jd_series_observe_contacts(jd_run *run, double t, double *u, double *v, double *force) {
    series *s = run->state;
    const series_plan *p = &s->plan;
    series_scratch *x = &s->scratch;
    double tau = jd_series_tau(s, t), one[3];
    jd_series_motion(s, tau, x->q, x->p);
    jd_series_forces(s, tau, x->N, x->Nr, x->T, x->Tr);
    for (int i = 0; i < p->whole.n; i++) {
        u[i] = v[i] = force[i] = 0;
        for (int j = p->whole.first[i]; j < p->whole.first[i + 1]; j++) {
            double share = s->plan.whole.share[j];
            jd_series_look_cell(s, j, t, &one[0], &one[1], &one[2]);
            u[i] += share * one[0];
            v[i] += share * one[1];
            force[i] += one[2];
        }
    }
}

static double value_of(const series_curve *f, double x) {
    double y = 0;
    for (int k = f->degree; k >= 0; k--) y = y * x + f->c[k];
    return y;
}

// A value at x into the extremes; when: of both [tau], NULL: not wanted.
static void include(double x, double value, jd_range *r, double *when) {
    if (when && value < r->min) when[0] = x;
    if (when && value > r->max) when[1] = x;
    r->min = fmin(r->min, value);
    r->max = fmax(r->max, value);
}

static void widen(const series_curve *f, double a, double fa, double b, double fb, int depth,
                  jd_range *r, double *when) {
    double h = b - a, over = f->bend * h * h / 8 + f->close;
    if (depth == 0) return;
    if (fmax(fa, fb) + over <= r->max + 2 * f->close &&
        fmin(fa, fb) - over >= r->min - 2 * f->close)
        return;
    double m = 0.5 * (a + b), fm = f->c[f->degree], slope = 0;
    for (int k = f->degree - 1; k >= 0; k--) {
        slope = slope * m + fm;
        fm = fm * m + f->c[k];
    }
    if (fabs(slope) > 0.5 * f->bend * h) return; // monotone: its ends are its extremes
    include(m, fm, r, when);
    widen(f, a, fa, m, fm, depth - 1, r, when);
    widen(f, m, fm, b, fb, depth - 1, r, when);
}

void jd_series_extremes(series_curve *f, double from, double tau, double noise, jd_range *r,
                        double *when) {
    double power = tau, size = fabs(f->c[0]) + fabs(f->c[1]) * tau;
    f->bend = 0;
    for (int k = 2; k <= f->degree; k++) {
        double c = fabs(f->c[k]) * power; // tau^(k-1)
        size += c * tau;
        f->bend += k * (k - 1) * c;
        power *= tau;
    }
    if (tau > 0) f->bend /= tau;
    f->close = fmax(1e-13 * size, noise);
    double first = from > 0 ? value_of(f, from) : f->c[0];
    r->final = value_of(f, tau);
    include(from, first, r, when);
    include(tau, r->final, r, when);
    widen(f, from, first, tau, r->final, 40, r, when);
}

static int row_of(const series *s, int j) {
    const series_contact *c = &s->plan.contact[j];
    return c->tangential >= 0 ? c->tangential : s->plan.normal[c->own].row;
}

static void fill_contact(series *s, int j) {
    const series_contact *c = &s->plan.contact[j];
    for (int i = c->first; i < c->first + c->sliders; i++) jd_series_fill_slider(s, i);
    if (c->tangential < 0) jd_series_fill_normal(s, c->own);
}

// Motion and force of contact j as polynomials.
static void curves(const series *s, int j, series_curve *u, series_curve *v) {
    const series_plan *p = &s->plan;
    const series_terms *t = &s->terms;
    const series_contact *c = &p->contact[j];
    int row = row_of(s, j);
    bool stop = c->tangential < 0;
    u->degree = t->degree + 3;
    v->degree = t->degree + 2;
    for (int k = 0; k <= u->degree; k++) {
        u->c[k] = t->u[(size_t)k * (size_t)p->row_stride + (size_t)row];
        if (k > 0) v->c[k - 1] = k * u->c[k] / t->dt;
    }
    v->c[0] -= c->belt;
    if (stop) {
        u->c[0] -= c->belt * s->state.t0;
        u->c[1] -= c->belt * t->dt;
    }
    bool held = stop ? s->state.closed[c->own] && p->normal[c->own].kind == NORMAL_RIGID
                     : c->sliders == 1 && series_rigid_stuck(s, c->first);
    if (held) memset(v->c, 0, sizeof v->c);
}

static void force_curve(const series *s, int j, series_curve *force) {
    const series_terms *t = &s->terms;
    const series_contact *c = &s->plan.contact[j];
    force->degree = t->degree + 1;
    for (int k = 0; k <= force->degree; k++) {
        force->c[k] = 0;
        for (int i = c->first; i < c->first + c->sliders; i++)
            force->c[k] -= t->T[(size_t)k * (size_t)t->slider_stride + (size_t)i];
        if (c->smooth >= 0) force->c[k] = -s->smooth.force[c->smooth * (SERIES_ORDER + 1) + k];
        if (c->tangential < 0)
            force->c[k] = -s->state.closed[c->own] *
                          t->N[(size_t)k * (size_t)t->normal_stride + (size_t)c->own];
    }
}

static bool inside(const jd_range *r, double value, double change) {
    return value - change >= r->min && value + change <= r->max;
}

enum { DISPLACEMENT = 1, VELOCITY = 2, FORCE = 4, ALL_OF_IT = 7 };

// What of contact j may leave its extremes until the end of the step, by the first orders.
static int unsettled(const series *s, int j, const jd_contact_ranges *r) {
    const series_terms *t = &s->terms;
    const series_contact *c = &s->plan.contact[j];
    int row = row_of(s, j), what = 0;
    bool stop = c->tangential < 0;
    if (t->whole || (!stop && c->sliders != 1)) return ALL_OF_IT;
    double u = t->u[row] - (stop ? c->belt * s->state.t0 : 0);
    double v = t->u[(size_t)s->plan.row_stride + (size_t)row] / t->dt - c->belt;
    double moves = jd_series_row_change(s, row) + fabs(c->belt) * s->step.tau_end * t->dt;
    double force = stop ? -s->state.closed[c->own] * t->N[c->own] : -t->T[c->first];
    double changes =
        stop ? jd_series_normal_change(s, c->own) : jd_series_slider_change(s, c->first);
    if (!inside(&r->displacement, u, moves)) what |= DISPLACEMENT;
    if (!inside(&r->velocity, v, 1.000001 * jd_series_row_rate_change(s, row) / t->dt))
        what |= VELOCITY;
    if (!inside(&r->force, force, changes)) what |= FORCE;
    return what;
}

// Whether contact j stays within its extremes by the sums of moduli alone (rows.c).
static bool settled(const series *s, int j, double tau, const jd_contact_ranges *r) {
    const series_terms *t = &s->terms;
    const series_contact *c = &s->plan.contact[j];
    if (!t->whole || c->tangential < 0 || c->sliders != 1) return false;
    int row = c->tangential;
    double u = t->u[row], v = t->u[(size_t)s->plan.row_stride + (size_t)row] / t->dt,
           more = 1.000001 * tau * t->rate_sum[row] / t->dt; // tau <= 1
    return inside(&r->displacement, u, (fabs(v) + more) * tau * t->dt) &&
           inside(&r->velocity, v - c->belt, more) &&
           inside(&r->force, -t->T[c->first], 1.000001 * tau * t->T_sum[c->first]);
}

// A polynomial more into a sum.
static void add_curve(series_curve *sum, const series_curve *f, double share) {
    sum->degree = f->degree;
    for (int k = 0; k <= f->degree; k++) sum->c[k] += share * f->c[k];
}

// Motion and force of contact i: the mean and the sum over its cells.
static double whole_curves(series *s, int i, int what, series_curve *u, series_curve *v,
                           series_curve *force, double *stiff) {
    double noise = 0;
    for (int j = s->plan.whole.first[i]; j < s->plan.whole.first[i + 1]; j++) {
        series_curve one = {0}, rate = {0};
        const series_contact *c = &s->plan.contact[j];
        double share = s->plan.whole.share[j];
        noise = fmax(noise, 8 * 0x1p-52 * s->plan.length[row_of(s, j)] * s->state.most);
        for (int k = c->first; k < c->first + c->sliders; k++) *stiff += s->plan.slider[k].kt;
        if (c->tangential < 0) *stiff += s->plan.normal[c->own].kn;
        fill_contact(s, j);
        if (what & (DISPLACEMENT | VELOCITY)) {
            curves(s, j, &one, &rate);
            add_curve(u, &one, share);
            add_curve(v, &rate, share);
        }
        if (!(what & FORCE)) continue;
        force_curve(s, j, &one);
        add_curve(force, &one, 1);
    }
    return noise;
}

static void range_of(series *s, int i, int what, double from, double tau, jd_contact_ranges *out) {
    series_curve u = {0}, v = {0}, force = {0};
    double stiff = 0, noise = whole_curves(s, i, what, &u, &v, &force, &stiff);
    if ((what & DISPLACEMENT) && s->run->ranges != 2)
        jd_series_extremes(&u, from, tau, noise, &out->displacement, NULL);
    if (s->run->ranges == 1) return;
    if (what & VELOCITY)
        jd_series_extremes(&v, from, tau, noise / s->terms.dt, &out->velocity, NULL);
    if (!(what & FORCE)) return;
    double when[2] = {(double)NAN, (double)NAN};
    jd_series_extremes(&force, from, tau, stiff * noise, &out->force, when);
    for (int k = 0; k < 2; k++)
        if (!isnan(when[k])) s->ranges.extreme[i].t[k] = s->state.t0 + when[k] * s->terms.dt;
}

static double since(const series *s, double tau) {
    return fmin(tau, fmax(0, (s->ranges.begin - s->state.t0) / s->terms.dt));
}

void jd_series_ranges_step(series *s, double tau, jd_contact_ranges *out) {
    for (int i = 0; i < s->plan.whole.n; i++) {
        int what = ALL_OF_IT, j = s->plan.whole.first[i];
        bool one = s->plan.whole.first[i + 1] == j + 1;
        if (one && s->run->ranges == 0)
            what = settled(s, j, tau, &out[i]) ? 0 : unsettled(s, j, &out[i]);
        if (what) range_of(s, i, what, since(s, tau), tau, &out[i]);
    }
    if (s->run->ranges == 2) jd_series_room_step(s, since(s, tau), tau);
}

jd_status jd_series_track(jd_run *run) {
    series *s = run->state;
    const jd_range nothing = {HUGE_VAL, -HUGE_VAL, 0};
    int m = s->plan.whole.n;
    if (!s->ranges.room) {
        s->ranges.room = JD_TAKE(run->arena, jd_contact_ranges, 2 * m);
        s->ranges.extreme = JD_TAKE(run->arena, jd_force_extreme, m);
        s->ranges.slider = JD_TAKE(run->arena, jd_held_room, s->plan.n_slider + 1);
    }
    JD_TRY(jd_arena_status(run->arena));
    s->ranges.kept = s->ranges.room;
    s->ranges.begin = run->t;
    for (int i = 0; i < s->plan.n_slider; i++)
        s->ranges.slider[i] = (jd_held_room){.room = {HUGE_VAL, -HUGE_VAL}};
    for (int j = 0; j < m; j++)
        s->ranges.kept[j] = (jd_contact_ranges){nothing, nothing, nothing, true};
    return JD_OK;
}

jd_status jd_series_ranges(jd_run *run, jd_contact_ranges *out) {
    series *s = run->state;
    int m = s->plan.whole.n;
    if (!s->ranges.kept)
        return jd_fail(run->context, JD_BAD_ARGUMENT, "extremes were not asked for");
    memcpy(out, s->ranges.kept, (size_t)m * sizeof *out);
    for (int j = 0; s->ready && j < m; j++) {
        double tau = jd_series_tau(s, run->t);
        range_of(s, j, ALL_OF_IT, since(s, tau), tau, &out[j]);
    }
    double tau = s->ready ? jd_series_tau(s, run->t) : 0;
    if (s->ready && run->ranges == 2) jd_series_room_step(s, since(s, tau), tau);
    for (int j = 0; j < m; j++) out[j].certified = s->count.undecided == 0;
    return JD_OK;
}

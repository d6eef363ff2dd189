// room.c -- observer: how far stuck sliders stay from sliding, whichever way.
//   While slider i is stuck, with the force f = -T,
//     room[0] = min (f + hold N) >= 0,    room[1] = max (f - hold N) <= 0
//   over the stretch since jd_run_track: shifts of f between -room[0] and -room[1] keep it stuck as
//   long as N does not follow them. N is 1 (given limits), swings, or is that of a spring or of a
//   reaction. A derivative by the state where the tangent started is the same guard of the columns.
#include <math.h>

#include "engine/series/series.h"

// hold N + side f of slider i as a polynomial.
static double margin_curve(const series *s, int i, int side, series_curve *out) {
    const series_slider *g = &s->plan.slider[i];
    const series_terms *t = &s->terms;
    double size = 0;
    out->degree = t->degree + 1;
    for (int k = 0; k <= out->degree; k++) {
        double N = t->N[(size_t)k * (size_t)t->normal_stride + (size_t)g->normal],
               T = t->T[(size_t)k * (size_t)t->slider_stride + (size_t)i];
        out->c[k] = g->hold * N - side * T;
        if (k == 0) size = g->hold * N;
    }
    return size;
}

static double stiffness(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    const series_normal *b = &s->plan.normal[g->normal];
    double push = b->row >= 0 ? g->hold * b->kn * s->plan.length[b->row] : 0;
    return g->kt * s->plan.length[g->row] + push;
}

void jd_series_room_step(series *s, double from, double tau) {
    for (int i = 0; i < s->plan.n_slider; i++) {
        if (s->state.slide[i] != 0 || s->plan.slider[i].partner >= 0) continue;
        jd_held_room *r = &s->ranges.slider[i];
        double noise = 8 * 0x1p-52 * stiffness(s, i) * s->state.most;
        jd_series_fill_slider(s, i);
        for (int k = 0; k < 2; k++) {
            int side = k == 0 ? 1 : -1;
            series_curve f = {0};
            double when[2] = {(double)NAN, (double)NAN};
            jd_range least = {side * r->room[k], HUGE_VAL, 0}; // only the least is sought
            r->size = fmax(r->size, margin_curve(s, i, side, &f));
            jd_series_extremes(&f, from, tau, noise, &least, when);
            if (isnan(when[0])) continue;
            r->room[k] = side * least.min;
            r->t[k] = s->state.t0 + when[0] * s->terms.dt;
        }
    }
}

// Slider i of contact j, counted over its cells.
static int index_of(const series *s, int j, int i) {
    return s->plan.contact[s->plan.whole.first[j]].first + i;
}

static int count_sliders(const series_plan *p, int j) {
    int n = 0;
    for (int l = p->whole.first[j]; l < p->whole.first[j + 1]; l++) n += p->contact[l].sliders;
    return n;
}

// Without a belt or a partner; others are not offered.
bool jd_series_held_slider(const jd_run *run, int j, int i, jd_held_slider *out) {
    const series *s = run->state;
    const series_plan *p = &s->plan;
    int at = index_of(s, j, i);
    *out = (jd_held_slider){.at = -2};
    if (i >= count_sliders(p, j)) return i == 0; // none at all: not offered
    const series_slider *g = &p->slider[at];
    if (g->belt != 0 || g->partner >= 0) return true;
    out->at = g->kt > 0 ? 2 * p->n : -1;
    for (int k = 0; k < at && g->kt > 0; k++) out->at += p->slider[k].kt > 0;
    out->stiffness = g->kt;
    out->slides = s->state.slide[at];
    out->cell = p->contact[g->contact].cell + g->cell;
    return true;
}

int jd_series_held_sliders(const jd_run *run, int j, int n, const jd_event *event) {
    const series *s = run->state;
    int stuck = 0;
    for (int l = s->plan.whole.first[j]; l < s->plan.whole.first[j + 1]; l++) {
        const series_contact *c = &s->plan.contact[l];
        for (int i = 0; i < c->sliders; i++) {
            bool moves = s->state.slide[c->first + i] != 0;
            for (int k = 0; k < n && !moves; k++)
                moves = event[k].contact == j && event[k].cell == c->cell + i;
            stuck += !moves;
        }
    }
    return stuck;
}

void jd_series_held_room(const jd_run *run, int j, int i, jd_held_room *out) {
    const series *s = run->state;
    *out = s->ranges.slider[index_of(s, j, i)];
}

bool jd_series_room_slope(jd_run *run, int j, int i, int k, double *row) {
    series *s = run->state;
    int slider = index_of(s, j, i), sign = k == 0 ? 1 : -1;
    series_change c = {.kind = CHANGE_RELEASE, .index = slider, .side = sign};
    if (!s->ready) jd_series_find_step(s);
    if (s->state.slide[slider] != 0) return false;
    jd_series_tangent_guard(s, &c, jd_series_tau(s, run->t), row);
    for (int l = 0; l < s->tangent.columns; l++) row[l] *= sign;
    return true;
}

// matrix.c -- springs of the present contact states as one matrix, changed by one term an event.
//   K = sum_stuck kt w_t' w_t + sum_closed kn w_n' w_n + sum_slides on a spring sign mu kn w_t' w_n
//   Every term is rounded to multiples of one unit, about 2^-51 of the largest number K can have:
//   sums of them are exact, so that K depends on the states and not on how they came about.
#include <math.h>
#include <string.h>

#include "engine/series/product.h"
#include "engine/series/series.h"

static const double *row(const series *s, int r) {
    return s->plan.W + (size_t)r * (size_t)s->plan.stride;
}

static void add(series *s, double x, int force, int motion) {
    jd_series_outer(s->plan.n, s->plan.stride, x, row(s, motion), row(s, force), s->matrix.large,
                    s->matrix.K);
}

// Term of a slider that is stuck (0), slides to a side under a normal part closed on one, or is
// free: its own spring, friction under a spring, or a given force.
static void add_slider(series *s, int i, int slide, int closed, double by) {
    const series_slider *g = &s->plan.slider[i];
    const series_normal *b = &s->plan.normal[g->normal];
    if (slide == 0)
        add(s, by * g->kt, g->row, g->row);
    else if (slide != SERIES_FREE && b->kind == NORMAL_SPRING && closed != 0)
        add(s, by * slide * closed * g->limit * b->kn, g->row, b->row);
}

// A unit so large that no sum of terms needs more than 51 bits of it.
static void begin(series *s) {
    const series_plan *p = &s->plan;
    double most = 0;
    for (int i = 0; i < p->n_slider; i++) {
        const series_slider *g = &p->slider[i];
        const series_normal *b = &p->normal[g->normal];
        double l = p->length[g->row], n = b->row >= 0 ? p->length[b->row] : 0;
        most += fmax(g->kt * l * l, g->limit * b->kn * l * n);
    }
    for (int a = 0; a < p->n_normal; a++)
        if (p->normal[a].row >= 0)
            most += p->normal[a].kn * p->length[p->normal[a].row] * p->length[p->normal[a].row];
    int exponent;
    frexp(2 * most, &exponent);
    s->matrix.large = ldexp(1.5, exponent);
    memset(s->matrix.K, 0, (size_t)p->n * (size_t)p->stride * sizeof *s->matrix.K);
    memset(s->matrix.slider, SERIES_FREE, (size_t)p->n_slider);
    memset(s->matrix.normal, 0, (size_t)p->n_normal);
    s->matrix.known = true;
}

void jd_series_matrix_update(series *s) {
    series_matrix *m = &s->matrix;
    const series_plan *p = &s->plan;
    if (!m->known) begin(s);
    for (int i = 0; i < p->n_slider; i++) {
        int a = p->slider[i].normal, slide = s->state.slide[i], closed = s->state.closed[a];
        if (slide == m->slider[i] && closed == m->normal[a]) continue;
        add_slider(s, i, m->slider[i], m->normal[a], -1);
        add_slider(s, i, slide, closed, 1);
        m->slider[i] = (int8_t)slide;
    }
    for (int a = 0; a < p->n_normal; a++) {
        const series_normal *g = &p->normal[a];
        int was = m->normal[a] != 0, is = s->state.closed[a] != 0;
        if (g->kind == NORMAL_SPRING && was != is) add(s, (is - was) * g->kn, g->row, g->row);
        m->normal[a] = s->state.closed[a];
    }
}

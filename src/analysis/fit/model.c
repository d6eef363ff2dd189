// model.c -- displacements of the model at given numbers, and their derivatives.
//   Each row of amplitudes has an orbit of its own, samples have one. A search begins at the orbit
//   that was found there last; derivatives take no orbit beside those of the displacements.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit/fit.h"

static const double alike = 1e-6; // relative: periods and ranges of one orbit

void jd_fitting_forget(jd_fitting *f) {
    for (int i = 0; i < f->n_orbit; i++) {
        jd_orbit_free(f->at[i].orbit);
        jd_problem_free(f->at[i].problem);
        f->at[i].orbit = NULL;
        f->at[i].problem = NULL;
    }
}

// The problem with these numbers; false: it refuses them.
static jd_status prepare(jd_fitting *f, int i, const double *theta, bool *good) {
    fit_orbit *o = &f->at[i];
    JD_TRY(jd_problem_copy(f->context, f->problem, &o->problem));
    jd_status status = JD_OK;
    for (int k = 0; status == JD_OK && k < f->def->parameters.n; k++)
        status = jd_problem_set(o->problem, f->def->parameters.text[k], theta[k], NULL);
    if (status == JD_OK && !f->data.samples)
        status = jd_problem_set(o->problem, f->data.over, f->data.x[i], NULL);
    if (status == JD_OK) status = jd_problem_build(o->problem);
    *good = status == JD_OK;
    if (status == JD_OUT_OF_MEMORY) return status;
    jd_context_clear_error(f->context);
    return JD_OK;
}

static jd_status keep(jd_fitting *f, fit_orbit *o) {
    const jd_orbit_view *v = jd_orbit_look(o->orbit);
    if (!o->state) {
        o->state = JD_TAKE(f->arena, double, v->n + 1);
        o->phase = JD_TAKE(f->arena, char, strlen(v->phase) + 1);
        JD_TRY(jd_arena_status(f->arena));
    }
    memcpy(o->state, v->state, (size_t)v->n * sizeof *o->state);
    strcpy(o->phase, v->phase);
    o->period = v->period;
    return JD_OK;
}

// From the last orbit of this row, or of its neighbour; then from the model's own start.
static jd_status search(jd_fitting *f, int i, bool *found) {
    fit_orbit *o = &f->at[i];
    const fit_orbit *from = o->period > 0 ? o : i > 0 && f->at[i - 1].period > 0 ? o - 1 : NULL;
    for (int attempt = from ? 0 : 1; attempt < 2; attempt++) {
        jd_orbit_options options = jd_default_orbit_options();
        if (attempt == 0) {
            options.state = from->state;
            options.phase = from->phase;
            options.period = from->period;
            options.settle = 0;
            options.attempts = 1;
        }
        jd_orbit_free(o->orbit);
        o->orbit = NULL;
        jd_status status = jd_orbit_create(f->context, o->problem, &options, &o->orbit);
        if (status == JD_OUT_OF_MEMORY) return status;
        f->view.orbits++;
        *found = status == JD_OK && jd_orbit_look(o->orbit)->found;
        if (*found) return keep(f, o);
        jd_context_clear_error(f->context);
    }
    return JD_OK;
}

// By the ranges of the contacts, which members of a family of stuck orbits share.
jd_status jd_fitting_other(jd_fitting *f, int i, bool *other) {
    jd_orbit *own;
    jd_orbit_options options = jd_default_orbit_options();
    const jd_orbit_view *v = jd_orbit_look(f->at[i].orbit), *w;
    *other = true;
    jd_status status = jd_orbit_create(f->context, f->at[i].problem, &options, &own);
    if (status == JD_OUT_OF_MEMORY) return status;
    if (status != JD_OK) return jd_context_clear_error(f->context), JD_OK;
    w = jd_orbit_look(own);
    *other = !w->found || fabs(w->period - v->period) > alike * v->period;
    for (int j = 0; !*other && j < jd_problem_contacts(f->problem); j++) {
        const jd_range *a = &v->range[j].displacement, *b = &w->range[j].displacement;
        double size = fmax(a->max - a->min, b->max - b->min);
        *other = fabs((a->max - a->min) - (b->max - b->min)) > alike * size;
    }
    jd_orbit_free(own);
    return JD_OK;
}

static int by_time(const void *a, const void *b) {
    double x = ((const gradient_look *)a)->t, y = ((const gradient_look *)b)->t;
    return (x > y) - (x < y);
}

// What is looked at in the orbit of row i: all samples by time, or the extremes. `most` of a
// sample is not used; `place` then is the number of the datum.
static jd_status look(jd_fitting *f, int i, jd_gradient **out) {
    fit_orbit *o = &f->at[i];
    const fit_data *d = &f->data;
    JD_TRY(jd_gradient_open(f->context, o->problem, jd_orbit_look(o->orbit), f->n_point, f->point,
                            out));
    jd_gradient *g = *out;
    if (!d->samples) return jd_gradient_extremes(g);
    int n = d->n_row * d->n_place;
    g->places.look = JD_TAKE(g->arena, gradient_look, n);
    JD_TRY(jd_arena_status(g->arena));
    g->places.n_look = n;
    double period = jd_orbit_look(o->orbit)->period;
    for (int k = 0; k < n; k++)
        g->places.look[k] = (gradient_look){
            .place = f->place[k % d->n_place], .t = fmod(d->x[k / d->n_place], period), .datum = k};
    qsort(g->places.look, (size_t)n, sizeof *g->places.look, by_time);
    return jd_gradient_observe(g);
}

// Values (slope NULL) or derivatives of the data of row i.
static void take(const jd_fitting *f, const jd_gradient *g, int i, const double *slope,
                 double *out) {
    const fit_data *d = &f->data;
    for (int k = 0; k < g->places.n_look; k++) {
        const gradient_look *l = &g->places.look[k];
        double x = slope ? slope[k] : l->u;
        if (d->samples) out[l->datum] = x;
        for (int c = 0; !d->samples && c < d->n_place; c++)
            if (f->place[c] == l->place) out[i * d->n_place + c] += (l->most ? 0.5 : -0.5) * x;
    }
}

// Amplitudes of contacts are those that the orbit tells; false: points are asked for, too.
static bool take_told(const jd_fitting *f, int i, double *out) {
    const fit_data *d = &f->data;
    const jd_orbit_view *v = jd_orbit_look(f->at[i].orbit);
    if (d->samples || f->n_point > 0) return false;
    for (int c = 0; c < d->n_place; c++) {
        const jd_range *r = &v->range[d->contact[c]].displacement;
        out[i * d->n_place + c] = 0.5 * (r->max - r->min);
    }
    return true;
}

jd_status jd_fitting_model(jd_fitting *f, const double *theta, double *u, bool *found) {
    jd_fitting_forget(f);
    *found = true;
    memset(u, 0, (size_t)(f->data.n_row * f->data.n_place) * sizeof *u);
    for (int i = 0; i < f->n_orbit && *found; i++) {
        jd_gradient *g = NULL;
        JD_TRY(prepare(f, i, theta, found));
        if (*found) JD_TRY(search(f, i, found));
        if (!*found) break;
        if (take_told(f, i, u)) continue;
        jd_status status = look(f, i, &g);
        if (status == JD_OK) take(f, g, i, NULL, u);
        jd_gradient_free(g);
        JD_TRY(status);
    }
    return JD_OK;
}

jd_status jd_fitting_slopes(jd_fitting *f, double *J) {
    int m = f->data.n_row * f->data.n_place, n = f->def->parameters.n;
    memset(J, 0, (size_t)m * (size_t)n * sizeof *J);
    f->view.differences += (long)n * f->n_orbit;
    for (int i = 0; i < f->n_orbit; i++) {
        jd_gradient *g = NULL;
        jd_status status = look(f, i, &g);
        for (int k = 0; status == JD_OK && k < n; k++) {
            gradient_by by = {0};
            status = jd_gradient_derive(g, f->def->parameters.text[k], &by);
            if (status == JD_OK) take(f, g, i, by.slope, J + (size_t)k * (size_t)m);
            jd_others_close(&by.others);
        }
        jd_gradient_free(g);
        JD_TRY(status);
    }
    return JD_OK;
}

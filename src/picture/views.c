// views.c -- what some scenes look at, from the content of a result.
#include <math.h>
#include <string.h>

#include "picture/scenes.h"

jd_multipliers jd_multipliers_of(const jd_orbit_result *o) {
    return (jd_multipliers){o->n_multiplier,
                            o->multiplier,
                            o->log_multiplier,
                            o->view.stability.stable,
                            o->view.stability.marginal,
                            o->view.period};
}

// Orbits that come to rest have neither a period nor extremes: NaN.
jd_status jd_attractor_list_of(jd_arena *arena, const jd_attractors_result *a,
                               jd_attractor_list *out) {
    double *share = JD_TAKE(arena, double, a->n), *period = JD_TAKE(arena, double, a->n),
           *multiplier = JD_TAKE(arena, double, a->n);
    if (a->n == 0)
        return jd_fail(jd_arena_context(arena), JD_BAD_USAGE, "no start led to an orbit to draw");
    int m = a->orbit[0].n_contact;
    for (int i = 0; i < a->n; i++) m = a->orbit[i].n_contact < m ? a->orbit[i].n_contact : m;
    *out = (jd_attractor_list){.n = a->n,
                               .starts = a->starts,
                               .lost = a->lost,
                               .share = share,
                               .period = period,
                               .multiplier = multiplier,
                               .n_contact = m,
                               .contact = JD_TAKE(arena, const char *, m),
                               .low = JD_TAKE(arena, const double *, m),
                               .high = JD_TAKE(arena, const double *, m)};
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < a->n; i++) {
        share[i] = a->orbit[i].share;
        period[i] = a->orbit[i].view.period;
        multiplier[i] = a->orbit[i].view.found ? a->orbit[i].view.stability.largest : (double)NAN;
    }
    for (int j = 0; j < m; j++) {
        double *low = JD_TAKE(arena, double, a->n), *high = JD_TAKE(arena, double, a->n);
        JD_TRY(jd_arena_status(arena));
        for (int i = 0; i < a->n; i++) {
            const jd_contact_result *c = &a->orbit[i].contact[j];
            low[i] = c->known ? c->range.displacement.min : (double)NAN;
            high[i] = c->known ? c->range.displacement.max : (double)NAN;
        }
        out->contact[j] = a->orbit[0].contact[j].name;
        out->low[j] = low;
        out->high[j] = high;
    }
    return JD_OK;
}

static jd_status list_of(jd_arena *arena, const char *name, int n, const jd_mode_result *mode,
                         jd_mode_list *out) {
    double *omega = JD_TAKE(arena, double, n), *ratio = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++) {
        omega[i] = mode[i].mode.omega;
        ratio[i] = mode[i].mode.damping_ratio;
    }
    *out = (jd_mode_list){name, n, omega, ratio};
    return JD_OK;
}

// Free modes, one list of every body; then those with each contact stuck, where anything is left to
// move.
jd_status jd_modes_view_of(jd_arena *arena, const jd_modes_result *m, jd_modes_view *out) {
    jd_mode_list *list = JD_TAKE(arena, jd_mode_list, m->n + m->n_stuck);
    JD_TRY(jd_arena_status(arena));
    *out = (jd_modes_view){.list = list, .n_shapes = m->n_shapes, .shapes = m->shapes};
    for (int first = 0, last; first < m->n; first = last) {
        const char *body = m->mode[first].body;
        for (last = first + 1; last < m->n; last++)
            if (body && m->mode[last].body && strcmp(body, m->mode[last].body) != 0) break;
        JD_TRY(list_of(arena, body ? body : "free", last - first, &m->mode[first],
                       &list[out->n_list++]));
    }
    for (int j = 0; j < m->n_stuck; j++) {
        if (m->stuck[j].n == 0) continue;
        const char *name = jd_arena_format(arena, "%s stuck", m->stuck[j].contact);
        JD_TRY(jd_arena_status(arena));
        JD_TRY(list_of(arena, name, m->stuck[j].n, m->stuck[j].mode, &list[out->n_list++]));
    }
    if (out->n_list > 0) return JD_OK;
    return jd_fail(jd_arena_context(arena), JD_BAD_USAGE, "there are no modes to draw");
}

// Motion of the stop's point and of the first of the others, orbit after orbit.
static void gather(const jd_nsm_orbits_result *r, int i, double *phase, double *const u[2],
                   double *const v[2]) {
    const jd_nsm_orbit_result *o = &r->orbit[i];
    size_t n = (size_t)o->n, at = (size_t)i * n, size = n * sizeof(double);
    for (size_t k = 0; k < n; k++) phase[at + k] = o->t[k] / o->period;
    for (size_t p = 0; p < 2 && u[p]; p++) {
        memcpy(u[p] + at, o->motion + 2 * p * n, size);
        memcpy(v[p] + at, o->motion + (2 * p + 1) * n, size);
    }
}

jd_status jd_nsm_orbits_of(jd_arena *arena, const jd_nsm_orbits_result *r, jd_nsm_orbits *out) {
    int n = r->n, samples = r->orbit[0].n, points = r->n_point > 0 ? 2 : 1;
    double *omega = JD_TAKE(arena, double, n), *energy = JD_TAKE(arena, double, n),
           *phase = JD_TAKE(arena, double, n *samples), *u[2] = {NULL, NULL}, *v[2] = {NULL, NULL},
           *multiplier = JD_TAKE(arena, double, 2 * n * r->n_multiplier);
    int *stable = JD_TAKE(arena, int, n);
    const char **name = JD_TAKE(arena, const char *, n);
    for (int p = 0; p < points; p++) {
        u[p] = JD_TAKE(arena, double, n *samples);
        v[p] = JD_TAKE(arena, double, n *samples);
    }
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < n; i++) {
        const jd_nsm_orbit_result *o = &r->orbit[i];
        name[i] = o->name;
        omega[i] = o->omega;
        energy[i] = o->energy;
        stable[i] = o->stable;
        gather(r, i, phase, u, v);
        for (int k = 0; k < 2 * r->n_multiplier; k++)
            multiplier[i * 2 * r->n_multiplier + k] = o->multiplier[k];
    }
    *out = (jd_nsm_orbits){.what = r->what,
                           .n = n,
                           .samples = samples,
                           .name = name,
                           .n_multiplier = r->n_multiplier,
                           .multiplier = multiplier,
                           .omega = omega,
                           .energy = energy,
                           .stable = stable,
                           .point = r->n_point > 0 ? r->point[0] : NULL,
                           .phase = phase,
                           .u = {u[0], u[1]},
                           .v = {v[0], v[1]},
                           .linear = r->linear};
    return JD_OK;
}

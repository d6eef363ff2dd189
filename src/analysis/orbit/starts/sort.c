// sort.c -- which starts led to the same attractor.
//   Two orbits are one when their states at the drive's phase 0 agree, whichever of its periods is
//   taken first; autonomous ones when period and extremes agree. Motions that come to rest are one
//   attractor for each set of contact states they rest with; so are orbits on which contacts hold
//   all along, which rest elsewhere after every start.
//   Starts are sorted in their order, so that the list depends neither on who followed them nor on
//   when.
#include <math.h>
#include <string.h>

#include "analysis/orbit/starts/parts.h"

static const double same = 1e-6; // of the size: closer orbits are one

static bool same_ranges(const jd_attractors *a, const landing *v, const landing *w) {
    if (fabs(v->period - w->period) > same * v->period) return false;
    for (int j = 0; j < a->phase.n; j++) {
        const double *x = v->speed + 2 * (ptrdiff_t)j, *y = w->speed + 2 * (ptrdiff_t)j;
        double size = fmax(fabs(x[0]), fabs(x[1]));
        if (fabs(x[0] - y[0]) > same * size || fabs(x[1] - y[1]) > same * size) return false;
    }
    return true;
}

static bool same_phases(const landing *v, const landing *w) {
    return v->n_phase == w->n_phase && v->sequence[0] == w->sequence[0] &&
           v->sequence[1] == w->sequence[1];
}

// Is w the orbit v, seen from another of its drive periods and, with sign -1, in the mirror half a
// drive period later?
static jd_status is_same(jd_attractors *a, const landing *v, const landing *w, bool mirror,
                         bool *yes) {
    jd_shooting *sh = a->shooting;
    int n = sh->n;
    bool lost = false;
    *yes = false;
    if (v->kind == LANDING_REST || w->kind == LANDING_REST) {
        *yes = !mirror && v->kind == w->kind && !strcmp(v->phase, w->phase);
        return JD_OK;
    }
    if (v->periods != w->periods) return JD_OK;
    if (v->kind == LANDING_FAMILY || w->kind == LANDING_FAMILY) {
        *yes = !mirror && v->neutral == w->neutral && same_phases(v, w);
        return JD_OK;
    }
    if (!v->forced) {
        *yes = !mirror && same_ranges(a, v, w);
        return JD_OK;
    }
    double drive = v->period / v->periods, size = jd_shooting_size(sh, v->state);
    sh->forced = true;
    for (int i = 0; i < v->periods && !*yes && !lost; i++) {
        memcpy(sh->s, w->state, (size_t)n * sizeof *sh->s);
        sh->phase = jd_phase_of_text(w->phase);
        sh->period = drive * (i + (mirror ? 0.5 : 0));
        JD_TRY(jd_shooting_round(sh, false, &lost));
        for (int k = 0; mirror && k < n; k++) sh->s1[k] = -sh->s1[k];
        *yes = !lost && jd_shooting_distance(sh, v->state, sh->s1) < same * size;
    }
    return JD_OK;
}

// Counts the start for an attractor that is known, or adds one. Takes the landing.
static jd_status sort_in(jd_attractors *a, landing *l, int start) {
    jd_status status = JD_OK;
    bool known = l->kind == LANDING_LOST;
    if (l->longest > a->longest) a->longest = l->longest;
    a->lost += known;
    for (int i = 0; i < a->n && status == JD_OK && !known; i++) {
        status = is_same(a, a->first[i], l, false, &known);
        if (known) a->list[i].starts++;
    }
    if (known || status != JD_OK) {
        jd_landing_drop(a, l);
        return status;
    }
    a->first[a->n] = l;
    a->first_start[a->n] = start;
    a->list[a->n++] = (jd_attractor){.starts = 1,
                                     .rest = l->kind == LANDING_REST,
                                     .family = l->kind == LANDING_FAMILY,
                                     .mirror_of = -1};
    return JD_OK;
}

jd_status jd_starts_sort(jd_attractors *a) {
    while (a->sorted < a->starts && a->at[a->sorted]) {
        landing *l = a->at[a->sorted];
        a->at[a->sorted] = NULL;
        jd_status status = sort_in(a, l, a->sorted);
        if (status != JD_OK) return jd_starts_failed(a, &a->judge, status);
        a->sorted++;
    }
    return JD_OK;
}

// By falling number of starts, first found first.
static void order(jd_attractors *a) {
    for (int i = 1; i < a->n; i++)
        for (int j = i; j > 0 && a->list[j].starts > a->list[j - 1].starts; j--) {
            jd_attractor keep = a->list[j];
            landing *first = a->first[j];
            int start = a->first_start[j];
            a->list[j] = a->list[j - 1];
            a->first[j] = a->first[j - 1];
            a->first_start[j] = a->first_start[j - 1];
            a->list[j - 1] = keep;
            a->first[j - 1] = first;
            a->first_start[j - 1] = start;
        }
}

static jd_status pair_mirrors(jd_attractors *a) {
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < a->n; j++) {
            bool yes;
            if (i == j || a->list[i].mirror_of >= 0) continue;
            JD_TRY(is_same(a, a->first[i], a->first[j], true, &yes));
            if (yes) a->list[i].mirror_of = j;
        }
    return JD_OK;
}

// Orbits that were found elsewhere are computed again from their starts: the same bits.
static jd_status complete_orbits(jd_attractors *a) {
    for (int next = 0; next < a->n;) {
        int n = 0, number[JD_START_BLOCK];
        for (; next < a->n && n < JD_START_BLOCK; next++) {
            if (a->first[next]->orbit) continue;
            a->trial[n].number = a->first_start[next];
            number[n++] = next;
        }
        JD_TRY(jd_starts_follow(a, n));
        for (int i = 0; i < n; i++) a->first[number[i]]->orbit = a->trial[i].orbit;
    }
    for (int i = 0; i < a->n; i++) a->list[i].orbit = jd_orbit_look(a->first[i]->orbit);
    return JD_OK;
}

jd_status jd_attractors_finish(jd_attractors *a) {
    a->finishing = true;
    order(a);
    jd_status status = complete_orbits(a);
    if (status != JD_OK) return status;
    status = pair_mirrors(a);
    return status == JD_OK ? JD_OK : jd_starts_failed(a, &a->judge, status);
}

// of_file_orbits.c -- orbits of a nonsmooth mode, and the attractors of a problem, from result
// files.
#include <math.h>

#include "picture/of_file.h"

static jd_status read_motion(jd_arena *arena, const json_t *table, const char *name, int i,
                             jd_nsm_orbits *o) {
    int all;
    JD_TRY(jd_read_size(arena, o->n, o->samples, &all));
    double *u, *v;
    const char *key[] = {jd_arena_format(arena, "%s.u", name),
                         jd_arena_format(arena, "%s.v", name)};
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_read_reals(arena, table, key[0], &all, &u));
    JD_TRY(jd_read_reals(arena, table, key[1], &all, &v));
    o->u[i] = u;
    o->v[i] = v;
    return JD_OK;
}

static jd_status read_heads(jd_arena *arena, const json_t *table, jd_nsm_orbits *o) {
    double *omega, *energy, *period, *t, *stable = NULL;
    int all = -1;
    JD_TRY(jd_read_reals(arena, table, "omega", &o->n, &omega));
    JD_TRY(jd_read_reals(arena, table, "energy", &o->n, &energy));
    JD_TRY(jd_read_reals(arena, table, "period", &o->n, &period));
    JD_TRY(jd_read_reals(arena, table, "t", &all, &t));
    if (json_object_get(table, "stable"))
        JD_TRY(jd_read_reals(arena, table, "stable", &o->n, &stable));
    o->samples = o->n ? all / o->n : 0;
    int *judged = JD_TAKE(arena, int, o->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < o->n; i++) {
        judged[i] = !stable || isnan(stable[i]) ? -1 : stable[i] > 0;
        for (int k = 0; k < o->samples; k++) t[i * o->samples + k] /= period[i];
    }
    o->name = JD_TAKE(arena, const char *, o->n);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < o->n; i++) o->name[i] = jd_read_word(table, "name", i);
    if (json_object_get(table, "multipliers")) {
        double *multiplier;
        all = -1;
        JD_TRY(jd_read_reals(arena, table, "multipliers", &all, &multiplier));
        o->multiplier = multiplier;
        o->n_multiplier = o->n ? all / (2 * o->n) : 0;
    }
    o->omega = omega;
    o->energy = energy;
    o->phase = t;
    o->stable = judged;
    return JD_OK;
}

jd_status jd_nsm_orbits_of_file(jd_arena *arena, const json_t *document, jd_nsm_orbits *out) {
    const json_t *table = json_object_get(document, "orbits");
    const char *point = jd_read_word(document, "points", 0);
    *out = (jd_nsm_orbits){
        .what = jd_read_text(document, "what"), .point = point[0] ? point : NULL, .n = -1};
    JD_TRY(read_heads(arena, table, out));
    JD_TRY(read_motion(arena, table, jd_read_text(document, "contact"), 0, out));
    return out->point ? read_motion(arena, table, point, 1, out) : JD_OK;
}

static jd_status read_ranges(jd_arena *arena, const json_t *contacts, jd_attractor_list *list) {
    const char *name;
    json_t *contact;
    list->n_contact = 0;
    list->contact = JD_TAKE(arena, const char *, (int)json_object_size(contacts));
    list->low = JD_TAKE(arena, const double *, (int)json_object_size(contacts));
    list->high = JD_TAKE(arena, const double *, (int)json_object_size(contacts));
    JD_TRY(jd_arena_status(arena));
    json_object_foreach((json_t *)contacts, name, contact) {
        const json_t *range = json_object_get(contact, "displacement");
        double *low, *high;
        JD_TRY(jd_read_reals(arena, range, "min", &list->n, &low));
        JD_TRY(jd_read_reals(arena, range, "max", &list->n, &high));
        list->contact[list->n_contact] = name;
        list->low[list->n_contact] = low;
        list->high[list->n_contact++] = high;
    }
    return JD_OK;
}

jd_status jd_attractors_of_file(jd_arena *arena, const json_t *document, jd_attractor_list *out) {
    const json_t *table = json_object_get(document, "attractors");
    double *share, *period, *multiplier;
    *out = (jd_attractor_list){.n = -1,
                               .starts = jd_read_whole(jd_read_real(document, "starts")),
                               .lost = jd_read_whole(jd_read_real(document, "lost"))};
    if (json_object_size(table) == 0)
        return jd_fail(jd_arena_context(arena), JD_BAD_USAGE, "no start led to an orbit to draw");
    JD_TRY(jd_read_reals(arena, table, "share", &out->n, &share));
    JD_TRY(jd_read_reals(arena, table, "period", &out->n, &period));
    JD_TRY(jd_read_reals(arena, table, "largest_multiplier", &out->n, &multiplier));
    out->share = share;
    out->period = period;
    out->multiplier = multiplier;
    return read_ranges(arena, json_object_get(table, "contacts"), out);
}

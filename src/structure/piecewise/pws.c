// pws.c -- points and rows that all piecewise-smooth models have, and models given in C.
#include "structure/piecewise/pws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void jd_pws_form(jd_pws *out, const jd_closure_model *form, void *user, double sigma,
                 double wave_term) {
    out->model = *form;
    out->model.user = user;
    out->model.sigma = sigma;
    if (!(wave_term > 0)) out->model.lplus = NULL;
}

jd_status jd_pws_rows(jd_arena *arena, int first, jd_pws *out) {
    int n = out->model.n, w = n + 2, points = first + w;
    out->point_u = JD_TAKE(arena, double, points *w);
    out->point_v = JD_TAKE(arena, double, points *w);
    out->rate = JD_TAKE(arena, bool, points);
    out->push = JD_TAKE(arena, int, points);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < points; i++) out->push[i] = JD_PUSH_NONE;
    for (int i = 0; i < w; i++) {
        out->point_u[(first + i) * w + i] = 1;
        out->rate[first + i] = true;
        if (i < n) out->push[first + i] = i;
    }
    return JD_OK;
}

jd_status jd_pws_points(jd_structure *s, const jd_points *points, int n) {
    int given = points ? points->n : 0, all = given + n + 2;
    jd_point *list = JD_TAKE(s->arena, jd_point, all);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < given; i++) list[i] = points->point[i];
    for (int i = 0; i < n + 2; i++)
        list[given + i].name =
            i < n ? jd_arena_format(s->arena, "y%d", i + 1) : (i == n ? "kappa" : "lambda");
    JD_TRY(jd_arena_status(s->arena));
    return jd_structure_take_points(s, &(jd_points){all, list});
}

jd_status jd_pws_keep(jd_structure *s, const void *def, size_t size) {
    s->data = JD_TAKE(s->arena, char, size);
    JD_TRY(jd_arena_status(s->arena));
    memcpy(s->data, def, size);
    return JD_OK;
}

bool jd_pws_switches(const void *def) { return def != NULL; }

// Whether r depends on t is tried at a few times: functions cannot be read.
static jd_status find_period(jd_structure *s, const jd_closure_model *m) {
    double *y = JD_TAKE(s->arena, double, 3 * m->n), *a = y + m->n, *b = a + m->n;
    JD_TRY(jd_arena_status(s->arena));
    s->period = m->period;
    for (int k = 0; k < 8 && m->period == 0; k++) {
        for (int i = 0; i < m->n; i++) y[i] = m->start ? m->start[i] : 0.1 * (i + 1);
        m->r(m->user, 0, y, a);
        m->r(m->user, 0.619 * (k + 1) * (k + 1), y, b);
        if (memcmp(a, b, (size_t)m->n * sizeof *a) != 0) s->period = (double)NAN;
    }
    return JD_OK;
}

static jd_status build(jd_structure *s, const void *def) {
    const jd_closure_model *m = def;
    jd_context *context = jd_arena_context(s->arena);
    if (m->n < 1 || !m->r || !m->linf || (m->h && !m->lambda))
        return jd_fail(context, JD_BAD_ARGUMENT,
                       "a closure model needs n >= 1, r, linf, and lambda where it has h");
    if (!(m->sigma >= 0) || m->sigma > 1e300)
        return jd_fail(context, JD_OUT_OF_RANGE, "`sigma` is %.10g, but must be at least 0",
                       m->sigma);
    if (!(m->period >= 0) || m->period > 1e300)
        return jd_fail(context, JD_OUT_OF_RANGE, "`period` is %.10g, but must be at least 0",
                       m->period);
    JD_TRY(jd_pws_keep(s, m, sizeof *m));
    JD_TRY(find_period(s, m));
    return jd_pws_points(s, NULL, m->n);
}

static jd_status open(const jd_structure *s, int point, jd_arena *arena, jd_pws *out) {
    (void)point;
    out->model = *(const jd_closure_model *)s->data;
    return jd_pws_rows(arena, 0, out);
}

static bool switches(const void *def) { return ((const jd_closure_model *)def)->h != NULL; }

static const jd_param none[] = {{0}};

#define CALLBACKS                                                                                  \
    {                                                                                              \
        .name = "callbacks", .doc = "a piecewise-smooth model given by functions in C",            \
        .def_size = sizeof(jd_closure_model), .params = none                                       \
    }

const jd_type jd_closure_type = CALLBACKS;

const jd_structure_class jd_closure_class = {
    .type = CALLBACKS,
    .capabilities = JD_CAN_PWS,
    .build = build,
    .open = open,
    .switches = switches,
};

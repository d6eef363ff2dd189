// continuum.c -- builds the modal form of a uniform continuum from its closed-form modes.
#include "structure/continua/continuum.h"

#include <math.h>

static jd_status check_numbers(jd_context *context, const jd_continuum *c) {
    JD_TRY(jd_need_positive(context, "length", c->length));
    JD_TRY(jd_need_positive(context, c->stiffness_key, c->stiffness));
    JD_TRY(jd_need_positive(context, "mass_per_length", c->mass_per_length));
    if (c->modes == JD_INFINITE || (c->modes >= 1 && c->modes <= JD_CONTINUUM_MOST)) return JD_OK;
    if (c->modes == JD_ALL)
        jd_fail(context, JD_OUT_OF_RANGE, "a continuum has infinitely many modes, not `all`");
    else
        jd_fail(context, JD_OUT_OF_RANGE, "`modes` is %d, but must be from 1 to %d", c->modes,
                JD_CONTINUUM_MOST);
    jd_fail_hint(context, "write a number of modes, or `infinite` for the closed form");
    return JD_OUT_OF_RANGE;
}

static jd_status check_point(jd_context *context, const jd_continuum *c, const jd_point *p) {
    if (p->node || p->label || isnan(p->position)) {
        jd_fail(context, JD_WRONG_TYPE,
                "point `%s` is given by a node, but a continuum has no nodes", p->name);
        jd_fail_hint(context, "give its position between 0 and %g", c->length);
        return JD_WRONG_TYPE;
    }
    if (!(p->position >= 0 && p->position <= c->length))
        return jd_fail(context, JD_OUTSIDE_STRUCTURE,
                       "point `%s` at %.15g lies outside the structure, which reaches from 0 to "
                       "%.15g",
                       p->name, p->position, c->length);
    if (p->dof >= 0 && p->dof <= c->components) return JD_OK;
    jd_fail(context, JD_OUT_OF_RANGE, "point `%s` has dof %d, but there is %s", p->name, p->dof,
            c->components == 1 ? "only the deflection, dof 1" : "only deflection 1 and slope 2");
    return JD_OUT_OF_RANGE;
}

static jd_status take_points(jd_structure *s, const jd_continuum *c) {
    jd_context *context = jd_arena_context(s->arena);
    int n = s->modal.n;
    JD_TRY(jd_structure_take_points(s, c->points));
    for (int i = 0; i < s->n_point; i++) {
        const jd_point *p = &c->points->point[i];
        JD_TRY(check_point(context, c, p));
        for (int k = 0; k < n; k++)
            s->row[(size_t)i * (size_t)n + (size_t)k] =
                c->shape(c, k, p->position, p->dof == 2 ? 2 : 1);
    }
    return JD_OK;
}

// Infinitely many modes: the last ratio of a list holds for all that are higher.
static jd_status damp(jd_structure *s, const jd_continuum *c) {
    const jd_damping_ratio_def *d = c->damping->def;
    int n = s->modal.n;
    if (!s->infinite || c->damping->type != &jd_damping_ratio || d->value.n < 2)
        return jd_damping_apply(s->arena, c->damping, &s->modal);
    double *all = JD_TAKE(s->arena, double, n);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < n; k++) all[k] = d->value.value[k < d->value.n ? k : d->value.n - 1];
    jd_damping_ratio_def whole = {{n, all}};
    return jd_damping_apply(s->arena, &(jd_object){"", &jd_damping_ratio, &whole}, &s->modal);
}

jd_status jd_continuum_build(jd_structure *s, const jd_continuum *c) {
    JD_TRY(check_numbers(jd_arena_context(s->arena), c));
    s->infinite = c->modes == JD_INFINITE;
    s->n_dof = 0;
    jd_modal *modal = &s->modal;
    modal->n = s->infinite ? JD_CONTINUUM_MODES : c->modes;
    modal->omega2 = JD_TAKE(s->arena, jd_dd, modal->n);
    modal->error = JD_TAKE(s->arena, double, modal->n);
    s->base = JD_TAKE(s->arena, jd_dd, modal->n);
    JD_TRY(jd_arena_status(s->arena));
    for (int k = 0; k < modal->n; k++) {
        modal->omega2[k] = c->omega2(c, k);
        modal->error[k] = modal->omega2[k].hi > 0 ? c->error : 0;
        s->base[k] = c->base(c, k);
    }
    JD_TRY(take_points(s, c));
    return damp(s, c);
}

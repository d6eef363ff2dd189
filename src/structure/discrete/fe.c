// fe.c -- from a band pencil to the modal form: modes, damping, participations, shapes.
//   K x = mu M x,  omega^2 = mu omega2_unit,  n_k(point) = sum_i weight_i x_ik / sqrt(mass_unit)
#include "structure/discrete/fe.h"

void jd_band_take(jd_arena *arena, int n, int width, jd_band *out) {
    *out = (jd_band){n, width, JD_TAKE(arena, jd_dd, (size_t)n * (size_t)(width + 1))};
}

void jd_band_add(jd_band *A, int i, int j, jd_dd value) {
    if (i < 0 || j < 0 || i < j) return;
    jd_dd *a = A->v + (size_t)j * (size_t)(A->width + 1) + (i - j);
    *a = dd_add(*a, value);
}

jd_status jd_need_positive(jd_context *context, const char *key, double value) {
    if (value > 0 && isfinite(value)) return JD_OK;
    return jd_fail(context, JD_OUT_OF_RANGE, "`%s` is %g but must be positive and finite", key,
                   value);
}

jd_status jd_fe_locate(jd_context *context, const jd_point *p, double length, int elements,
                       jd_dd *x) {
    if (p->node != 0) {
        *x = dd(p->node - 1);
        if (p->node >= 1 && p->node <= elements + 1) return JD_OK;
        return jd_fail(context, JD_OUTSIDE_STRUCTURE,
                       "point `%s` is at node %d, but the nodes are 1 to %d", p->name, p->node,
                       elements + 1);
    }
    if (p->near.n || p->set) {
        jd_fail(context, JD_WRONG_TYPE,
                "point `%s` is given by `near` or `set`, but only matrices have a mesh", p->name);
        jd_fail_hint(context, "give its position between 0 and %g, or its node", length);
        return JD_WRONG_TYPE;
    }
    *x = dd_div(dd_two_prod(p->position, elements), dd(length));
    if (p->position >= 0 && p->position <= length) return JD_OK;
    jd_fail(context, JD_OUTSIDE_STRUCTURE,
            "point `%s` is at %.15g, outside the structure, which reaches from 0 to %.15g", p->name,
            p->position, length);
    jd_fail_hint(context, "positions count from the left end, in the unit of the length");
    return JD_OUTSIDE_STRUCTURE;
}

jd_status jd_fe_choose_modes(jd_context *context, int asked, int n_dof, int *n) {
    *n = asked;
    if (asked == JD_INFINITE) {
        jd_fail(context, JD_NOT_SUPPORTED, "`modes: infinite` needs a continuous structure");
        jd_fail_hint(context, "a model of elements has as many modes as degrees of freedom (%d)",
                     n_dof);
        return JD_NOT_SUPPORTED;
    }
    if ((asked < 0 && asked != JD_AUTO) || asked > n_dof)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "`modes` is %d, but the structure has %d degrees of freedom", asked, n_dof);
    if (asked == JD_ALL) *n = n_dof;
    if (asked != JD_AUTO) return JD_OK;
    *n = n_dof <= JD_FE_ALL_LIMIT ? n_dof : JD_FE_DEFAULT_MODES;
    if (*n < n_dof)
        jd_log(context, JD_LOG_NOTE, "of %d modes the lowest %d are kept (`modes` sets how many)",
               n_dof, *n);
    return JD_OK;
}

// Says by name how many digits large models keep.
static void warn_of_lost_digits(jd_context *context, const jd_modal *m) {
    double worst = 0;
    int at = 0;
    for (int k = 0; k < m->n; k++)
        if (m->error[k] > worst) {
            worst = m->error[k];
            at = k;
        }
    if (worst > 1e-12)
        jd_log(
            context, JD_LOG_WARNING,
            "omega of mode %d is good to %.1g relative only: the largest frequency of this mesh is "
            "too far above it; fewer elements give more digits",
            at + 1, worst);
}

static jd_status take_modal(jd_structure *s, const jd_fe *fe, int n) {
    s->n_dof = fe->K.n;
    s->modal.n = n;
    s->modal.omega2 = JD_TAKE(s->arena, jd_dd, n);
    s->modal.error = JD_TAKE(s->arena, double, n);
    s->shape = JD_TAKE(s->arena, jd_dd, (size_t)n * (size_t)s->n_dof);
    return jd_arena_status(s->arena);
}

static void scale_shapes(jd_structure *s, const jd_fe *fe, jd_dd factor) {
    size_t n_dof = (size_t)s->n_dof;
    for (size_t k = 0; k < (size_t)s->modal.n; k++)
        for (size_t i = 0; i < n_dof; i++) {
            jd_dd *x = s->shape + k * n_dof + i;
            *x = dd_mul(*x, dd_mul(factor, fe->dof_unit ? fe->dof_unit[i] : dd(1)));
        }
}

// q = Phi' M u, kept for models small enough to be given values node by node.
static jd_status make_coordinates(jd_structure *s, const jd_fe *fe) {
    int n = s->n_dof, width = fe->M.width;
    if (n > JD_FE_ALL_LIMIT) return JD_OK;
    s->from_dofs = JD_TAKE(s->arena, double, (size_t)s->modal.n *(size_t)n);
    JD_TRY(jd_arena_status(s->arena));
    double unit = sqrt(dd_value(fe->mass_unit)); // in double: a state is given in doubles, too
    for (int k = 0; k < s->modal.n; k++) {
        const jd_dd *x = s->shape + (size_t)k * (size_t)n;
        double *row = s->from_dofs + (size_t)k * (size_t)n;
        for (int j = 0; j < n; j++) {
            const jd_dd *m = fe->M.v + (size_t)j * (size_t)(width + 1);
            row[j] += m[0].hi * x[j].hi;
            for (int i = j + 1; i < n && i <= j + width; i++) {
                row[i] += m[i - j].hi * x[j].hi;
                row[j] += m[i - j].hi * x[i].hi;
            }
        }
        for (int i = 0; i < n; i++) row[i] *= fe->dof_unit ? unit / fe->dof_unit[i].hi : unit;
    }
    return JD_OK;
}

// base_k = phi_k' M 1, the coupling of the consistent mass to held dofs included.
static jd_status make_base(jd_structure *s, const jd_fe *fe) {
    s->base = JD_TAKE(s->arena, jd_dd, s->modal.n);
    JD_TRY(jd_arena_status(s->arena));
    jd_dd unit = dd_sqrt(fe->mass_unit);
    for (int k = 0; k < s->modal.n; k++) {
        const jd_dd *x = s->shape + (size_t)k * (size_t)s->n_dof;
        jd_dd sum = dd(0);
        for (int i = 0; i < s->n_dof; i++) sum = dd_add(sum, dd_mul(x[i], fe->moved[i]));
        s->base[k] = dd_mul(sum, unit);
    }
    return JD_OK;
}

static jd_status make_rows(jd_structure *s, const jd_fe *fe, jd_dd factor) {
    JD_TRY(jd_structure_take_points(s, fe->points));
    for (int i = 0; i < s->n_point; i++) {
        jd_stencil stencil = {0};
        JD_TRY(fe->find(jd_arena_context(s->arena), fe, &fe->points->point[i], &stencil));
        for (int k = 0; k < s->modal.n; k++) {
            jd_dd sum = dd(0);
            const jd_dd *x = s->shape + (size_t)k * (size_t)s->n_dof;
            for (int j = 0; j < stencil.n; j++)
                if (stencil.dof[j] >= 0)
                    sum = dd_add(sum, dd_mul(stencil.weight[j], x[stencil.dof[j]]));
            s->row[(size_t)i * (size_t)s->modal.n + (size_t)k] = dd_mul(sum, factor);
        }
    }
    return JD_OK;
}

jd_status jd_fe_build(jd_structure *s, const jd_fe *fe) {
    jd_context *context = jd_arena_context(s->arena);
    int n = 0;
    JD_TRY(jd_fe_choose_modes(context, fe->modes, fe->K.n, &n));
    JD_TRY(take_modal(s, fe, n));
    for (size_t i = 0; i < (size_t)(fe->n_rigid < n ? fe->n_rigid : n) * (size_t)s->n_dof; i++)
        s->shape[i] = fe->rigid[i];
    JD_TRY(jd_eigen_band(s->arena, &fe->K, &fe->M, fe->n_rigid, n, s->modal.omega2, s->shape,
                         s->modal.error));
    for (int k = 0; k < n; k++) s->modal.omega2[k] = dd_mul(s->modal.omega2[k], fe->omega2_unit);
    warn_of_lost_digits(context, &s->modal);
    JD_TRY(jd_damping_apply(s->arena, fe->damping, &s->modal));
    jd_dd factor = dd_div(dd(1), dd_sqrt(fe->mass_unit));
    JD_TRY(make_coordinates(s, fe));
    JD_TRY(make_base(s, fe));
    JD_TRY(make_rows(s, fe, factor));
    scale_shapes(s, fe, factor);
    return JD_OK;
}

// fe_rod.c -- rod of equal linear elements, consistent or lumped mass.
//   K = EA/h {1 -1; -1 1},  M = m h/6 {2 1; 1 2} or m h/6 {3 0; 0 3},  omega^2 = mu 6 EA/(m h^2)
#include "structure/continua/supports.h"
#include "structure/discrete/fe.h"

static const char *const MASS_MATRICES[] = {"consistent", "lumped", NULL};

static const jd_param params[] = {
    JD_PARAM_POSITIVE(jd_fe_rod_def, length, "m", "length"),
    JD_PARAM_POSITIVE(jd_fe_rod_def, axial_stiffness, "N", "axial stiffness EA"),
    JD_PARAM_POSITIVE(jd_fe_rod_def, mass_per_length, "kg/m", "mass per length"),
    JD_PARAM_ELEMENTS(jd_fe_rod_def),
    {JD_KEY(jd_fe_rod_def, mass_matrix, CHOICE), .unit = "", .preset = 0, .choices = MASS_MATRICES,
     .doc = "consistent (frequencies too high) or lumped (too low)"},
    JD_PARAM_MODES(jd_fe_rod_def),
    JD_PARAM_SUPPORTS(jd_fe_rod_def, jd_supports_fixed_free),
    JD_PARAM_POINTS(jd_fe_rod_def, "named points: a position, or {node: k}"),
    JD_PARAM_DAMPING(jd_fe_rod_def),
    {.key = NULL}};

static int dof_of(const jd_fe_rod_def *d, int node) {
    if (node == d->elements && d->supports.right == JD_FIXED) return -1;
    return node - (d->supports.left == JD_FIXED); // the first node gives -1 when held
}

static int count_dofs(const jd_fe_rod_def *d) {
    return d->elements + 1 - (d->supports.left == JD_FIXED) - (d->supports.right == JD_FIXED);
}

static void assemble(const jd_fe_rod_def *d, jd_band *K, jd_band *M, jd_dd *moved) {
    double near = d->mass_matrix == 0 ? 2 : 3, far = d->mass_matrix == 0 ? 1 : 0;
    for (int e = 0; e < d->elements; e++) {
        int i = dof_of(d, e), j = dof_of(d, e + 1);
        jd_band_add(K, i, i, dd(1));
        jd_band_add(K, j, j, dd(1));
        jd_band_add(K, j, i, dd(-1));
        jd_band_add(M, i, i, dd(near));
        jd_band_add(M, j, j, dd(near));
        if (far > 0) jd_band_add(M, j, i, dd(far));
        if (i >= 0) moved[i] = dd_add(moved[i], dd(near + far));
        if (j >= 0) moved[j] = dd_add(moved[j], dd(near + far));
    }
}

static jd_status find(jd_context *context, const jd_fe *fe, const jd_point *p, jd_stencil *out) {
    const jd_fe_rod_def *d = fe->def;
    if (p->dof > 1)
        return jd_fail(context, JD_OUT_OF_RANGE, "point `%s` asks for dof %d; a rod has only 1",
                       p->name, p->dof);
    jd_dd x;
    JD_TRY(jd_fe_locate(context, p, d->length, d->elements, &x));
    int e = (int)x.hi;
    if (e > d->elements - 1) e = d->elements - 1;
    jd_dd z = dd_sub(x, dd(e));
    *out = (jd_stencil){2, {dof_of(d, e), dof_of(d, e + 1)}, {dd_sub(dd(1), z), z}};
    return JD_OK;
}

static jd_status check(jd_context *context, const jd_fe_rod_def *d) {
    JD_TRY(jd_need_positive(context, "length", d->length));
    JD_TRY(jd_need_positive(context, "axial_stiffness", d->axial_stiffness));
    JD_TRY(jd_need_positive(context, "mass_per_length", d->mass_per_length));
    if (d->elements < 1 || d->elements > JD_FE_MOST_ELEMENTS)
        return jd_fail(context, JD_OUT_OF_RANGE, "`elements` is %d but must be 1 to %d",
                       d->elements, (int)JD_FE_MOST_ELEMENTS);
    if (jd_support_of_wave(d->supports.left) < 0 || jd_support_of_wave(d->supports.right) < 0)
        return jd_fail(context, JD_OUT_OF_RANGE, "the ends of a rod are free or fixed");
    if (count_dofs(d) < 1)
        return jd_fail(context, JD_NOT_SUPPORTED,
                       "a rod of one element fixed at both ends cannot move: use more elements");
    return JD_OK;
}

static jd_status build(jd_structure *s, const void *def) {
    const jd_fe_rod_def *d = def;
    JD_TRY(check(jd_arena_context(s->arena), d));
    jd_fe fe = {
        .modes = d->modes, .points = &d->points, .damping = &d->damping, .def = d, .find = find};
    int n = count_dofs(d);
    jd_band_take(s->arena, n, n > 1, &fe.K);
    jd_band_take(s->arena, n, n > 1 && d->mass_matrix == 0, &fe.M);
    fe.rigid = JD_TAKE(s->arena, jd_dd, n);
    fe.moved = JD_TAKE(s->arena, jd_dd, n);
    JD_TRY(jd_arena_status(s->arena));
    assemble(d, &fe.K, &fe.M, fe.moved);
    fe.n_rigid = d->supports.left == JD_FREE && d->supports.right == JD_FREE;
    for (int i = 0; i < n; i++) fe.rigid[i] = dd(1);
    jd_dd h = dd_div(dd(d->length), dd(d->elements)), m = dd(d->mass_per_length);
    fe.omega2_unit = dd_div(dd_scale(dd(d->axial_stiffness), 6), dd_mul(m, dd_mul(h, h)));
    fe.mass_unit = dd_div(dd_mul(m, h), dd(6));
    return jd_fe_build(s, &fe);
}

const jd_structure_class jd_fe_rod_class = {
    .type = {"fe-rod", "a rod of finite elements (linear, consistent or lumped mass)",
             sizeof(jd_fe_rod_def), params, NULL},
    .capabilities = JD_CAN_MODAL,
    .build = build};

// chain.c -- masses in a row, joined by springs; either end of the row may be tied to the ground.
//   m_i u_i'' = k_i+1 (u_i+1 - u_i) - k_i (u_i - u_i-1); spring 1 is the left end's when it is
//   fixed.
#include "structure/continua/supports.h"
#include "structure/discrete/fe.h"

enum { MOST_MASSES = JD_FE_MOST_ELEMENTS };

static const jd_param params[] = {
    {JD_KEY(jd_chain_def, count, INTEGER), .unit = "", .required = true, .low = 1,
     .high = MOST_MASSES, .doc = "number of masses"},
    {JD_KEY(jd_chain_def, mass, REALS), .unit = "kg", .required = true, .low = 0, .high = 1e300,
     .above = true, .doc = "mass of each, or one number for all"},
    {JD_KEY(jd_chain_def, stiffness, REALS), .unit = "N/m", .low = 0, .high = 1e300, .above = true,
     .doc = "stiffness of each spring from left to right, fixed ends included, or one for all;"
            " needed when there are springs"},
    JD_PARAM_MODES(jd_chain_def),
    JD_PARAM_SUPPORTS(jd_chain_def, jd_supports_fixed_free),
    JD_PARAM_NODES(jd_chain_def, "named points: k or {node: k}, masses count from 1 at the left"),
    JD_PARAM_DAMPING(jd_chain_def),
    {.key = NULL}};

static double item(const jd_reals *list, int i) { return list->value[list->n == 1 ? 0 : i]; }

static jd_status find(jd_context *context, const jd_fe *fe, const jd_point *p, jd_stencil *out) {
    const jd_chain_def *d = fe->def;
    if (p->node == 0) {
        jd_fail(context, JD_WRONG_TYPE, "point `%s` of a chain needs a node, not a position",
                p->name);
        jd_fail_hint(context, "write `%s: k` with the number k of its mass, 1 to %d", p->name,
                     d->count);
        return JD_WRONG_TYPE;
    }
    if (p->node < 1 || p->node > d->count)
        return jd_fail(context, JD_OUTSIDE_STRUCTURE,
                       "point `%s` is at node %d, but the masses are 1 to %d", p->name, p->node,
                       d->count);
    if (p->dof > 1)
        return jd_fail(context, JD_OUT_OF_RANGE, "point `%s` asks for dof %d; a mass has only 1",
                       p->name, p->dof);
    *out = (jd_stencil){1, {p->node - 1}, {dd(1)}};
    return JD_OK;
}

static jd_status check_list(jd_context *context, const char *key, const jd_reals *list, int n,
                            const char *things) {
    if (list->n != 1 && list->n != n)
        return jd_fail(context, JD_SIZE_MISMATCH, "`%s` lists %d numbers for %d %s", key, list->n,
                       n, things);
    for (int i = 0; i < list->n; i++) JD_TRY(jd_need_positive(context, key, list->value[i]));
    return JD_OK;
}

static jd_status check(jd_context *context, const void *def) {
    const jd_chain_def *d = def;
    if (d->count < 1 || d->count > MOST_MASSES)
        return jd_fail(context, JD_OUT_OF_RANGE, "`count` is %d but must be 1 to %d", d->count,
                       (int)MOST_MASSES);
    if (jd_support_of_wave(d->supports.left) < 0 || jd_support_of_wave(d->supports.right) < 0)
        return jd_fail(context, JD_OUT_OF_RANGE, "the ends of a chain are free or fixed");
    int springs = d->count - 1 + (d->supports.left == JD_FIXED) + (d->supports.right == JD_FIXED);
    JD_TRY(check_list(context, "mass", &d->mass, d->count, "masses"));
    if (springs == 0) return JD_OK;
    if (d->stiffness.n == 0)
        return jd_fail(context, JD_MISSING_KEY, "`stiffness` is missing, but the chain has %d %s",
                       springs, springs == 1 ? "spring" : "springs");
    return check_list(context, "stiffness", &d->stiffness, springs, "springs");
}

// K = sum of springs, M diagonal.
static void assemble(const jd_chain_def *d, jd_band *K, jd_band *M) {
    int spring = 0;
    for (int i = 0; i < d->count; i++) {
        jd_band_add(M, i, i, dd(item(&d->mass, i)));
        bool has_left = i > 0 || d->supports.left == JD_FIXED;
        if (!has_left) continue;
        jd_dd k = dd(item(&d->stiffness, spring++));
        jd_band_add(K, i, i, k);
        jd_band_add(K, i - 1, i - 1, k);
        jd_band_add(K, i, i - 1, dd_neg(k));
    }
    if (d->supports.right == JD_FIXED)
        jd_band_add(K, d->count - 1, d->count - 1, dd(item(&d->stiffness, spring)));
}

static jd_status build(jd_structure *s, const void *def) {
    const jd_chain_def *d = def;
    JD_TRY(check(jd_arena_context(s->arena), d));
    jd_fe fe = {.modes = d->modes,
                .points = &d->points,
                .damping = &d->damping,
                .def = d,
                .find = find,
                .omega2_unit = dd(1),
                .mass_unit = dd(1)};
    int n = d->count;
    jd_band_take(s->arena, n, n > 1, &fe.K);
    jd_band_take(s->arena, n, 0, &fe.M);
    fe.rigid = JD_TAKE(s->arena, jd_dd, n);
    fe.moved = fe.M.v; // diagonal
    JD_TRY(jd_arena_status(s->arena));
    assemble(d, &fe.K, &fe.M);
    fe.n_rigid = d->supports.left == JD_FREE && d->supports.right == JD_FREE;
    for (int i = 0; i < n; i++) fe.rigid[i] = dd(1);
    return jd_fe_build(s, &fe);
}

const jd_structure_class jd_chain_class = {.type = {.name = "chain",
                                                    .doc = "masses in a row joined by springs",
                                                    .def_size = sizeof(jd_chain_def),
                                                    .params = params,
                                                    .check = check},
                                           .capabilities = JD_CAN_MODAL,
                                           .build = build};

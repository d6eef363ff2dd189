// fe_beam.c -- Euler-Bernoulli beam of equal elements, cubic Hermite shapes, consistent mass.
//   Degrees of freedom per node: deflection w and h theta (h = length/elements), so that
//   K = EI/h^3 {12 6 -12 6; 6 4 -6 2; -12 -6 12 -6; 6 2 -6 4},
//   M = m h/420 {156 22 54 -13; 22 4 13 -3; 54 13 156 -22; -13 -3 -22 4}
//   are integers times a unit, and omega^2 = mu 420 EI/(m h^4).      [paper 1, eq. (1); any
//   textbook]
#include "structure/continua/supports.h"
#include "structure/discrete/fe.h"

static const double STIFFNESS[4][4] = {
    {12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
static const double MASS[4][4] = {
    {156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};

enum { DEFLECTION = 1, ROTATION = 2 };

static const jd_param params[] = {
    JD_PARAM_POSITIVE(jd_fe_beam_def, length, "m", "length"),
    JD_PARAM_POSITIVE(jd_fe_beam_def, bending_stiffness, "N m^2", "bending stiffness EI"),
    JD_PARAM_POSITIVE(jd_fe_beam_def, mass_per_length, "kg/m", "mass per length"),
    JD_PARAM_ELEMENTS(jd_fe_beam_def),
    JD_PARAM_MODES(jd_fe_beam_def),
    JD_PARAM_SUPPORTS(jd_fe_beam_def, jd_supports_clamped_free),
    JD_PARAM_POINTS(jd_fe_beam_def, "named points: a position, or {position or node, dof: 1 "
                                    "deflection or 2 rotation}"),
    JD_PARAM_DAMPING(jd_fe_beam_def),
    {.key = NULL}};

// Which of deflection and rotation a support leaves free.
static bool moves(int support) { return support == JD_FREE || support == JD_GUIDED; }
static bool turns(int support) { return support == JD_FREE || support == JD_PINNED; }

// Number of degree of freedom c (0 deflection, 1 rotation) of a node, from 0; -1 when held.
static int dof_of(const jd_fe_beam_def *d, int node, int c) {
    int left = jd_support_of_beam(d->supports.left), right = jd_support_of_beam(d->supports.right);
    int held = !moves(left) + !turns(left);
    if (node == 0) {
        bool is_free = c == 0 ? moves(left) : turns(left);
        return is_free ? (c == 0 ? 0 : moves(left)) : -1;
    }
    if (node == d->elements && !(c == 0 ? moves(right) : turns(right))) return -1;
    int before = 2 * node - held;
    return before + (c == 1 && (node < d->elements || moves(right)) ? 1 : 0);
}

static int count_dofs(const jd_fe_beam_def *d) {
    int left = jd_support_of_beam(d->supports.left), right = jd_support_of_beam(d->supports.right);
    return 2 * (d->elements + 1) - !moves(left) - !turns(left) - !moves(right) - !turns(right);
}

static void assemble(const jd_fe_beam_def *d, jd_band *K, jd_band *M, jd_dd *moved) {
    for (int e = 0; e < d->elements; e++)
        for (int a = 0; a < 4; a++) {
            int i = dof_of(d, e + a / 2, a % 2);
            for (int b = 0; b <= a; b++) {
                int j = dof_of(d, e + b / 2, b % 2);
                jd_band_add(K, i, j, dd(STIFFNESS[a][b]));
                jd_band_add(M, i, j, dd(MASS[a][b]));
            }
            if (i >= 0) moved[i] = dd_add(moved[i], dd(MASS[a][0] + MASS[a][2])); // both ends by 1
        }
}

// w = offset + slope i, h theta = slope.
static void rigid_row(const jd_fe_beam_def *d, jd_dd *row, double offset, double slope) {
    for (int node = 0; node <= d->elements; node++) {
        int w = dof_of(d, node, 0), t = dof_of(d, node, 1);
        if (w >= 0) row[w] = dd(offset + slope * node);
        if (t >= 0) row[t] = dd(slope);
    }
}

// Rigid-body motions that the supports allow.
static void rigid_modes(jd_arena *arena, const jd_fe_beam_def *d, jd_fe *fe) {
    int left = jd_support_of_beam(d->supports.left), right = jd_support_of_beam(d->supports.right);
    size_t n = (size_t)fe->K.n;
    fe->rigid = JD_TAKE(arena, jd_dd, 2 * n);
    if (!fe->rigid) return;
    if (moves(left) && moves(right)) rigid_row(d, fe->rigid + n * (size_t)fe->n_rigid++, 1, 0);
    if (!turns(left) || !turns(right)) return;
    double centre = moves(left) ? (moves(right) ? 0.5 : 1) : 0; // about the pin, or the middle
    if (!moves(left) && !moves(right)) return;
    rigid_row(d, fe->rigid + n * (size_t)fe->n_rigid++, -centre * d->elements, 1);
}

// Hermite shapes on [0, 1]: 1-3z^2+2z^3, z-2z^2+z^3, 3z^2-2z^3, z^3-z^2; or their derivatives.
static void hermite(jd_dd z, int dof, jd_dd out[4]) {
    jd_dd z2 = dd_mul(z, z), z3 = dd_mul(z2, z), rise;
    if (dof == DEFLECTION) {
        rise = dd_sub(dd_scale(z2, 3), dd_scale(z3, 2));
        out[0] = dd_sub(dd(1), rise);
        out[1] = dd_add(dd_sub(z, dd_scale(z2, 2)), z3);
        out[3] = dd_sub(z3, z2);
    } else {
        rise = dd_scale(dd_sub(z, z2), 6);
        out[0] = dd_neg(rise);
        out[1] = dd_add(dd_sub(dd(1), dd_scale(z, 4)), dd_scale(z2, 3));
        out[3] = dd_sub(dd_scale(z2, 3), dd_scale(z, 2));
    }
    out[2] = rise;
}

static jd_status find(jd_context *context, const jd_fe *fe, const jd_point *p, jd_stencil *out) {
    const jd_fe_beam_def *d = fe->def;
    int dof = p->dof == 0 ? DEFLECTION : p->dof;
    if (dof != DEFLECTION && dof != ROTATION)
        return jd_fail(context, JD_OUT_OF_RANGE,
                       "point `%s` asks for dof %d; a beam has 1 (deflection) and 2 (rotation)",
                       p->name, p->dof);
    jd_dd x;
    JD_TRY(jd_fe_locate(context, p, d->length, d->elements, &x));
    int e = (int)x.hi;
    if (e > d->elements - 1) e = d->elements - 1;
    out->n = 4;
    hermite(dd_sub(x, dd(e)), dof, out->weight);
    jd_dd h = dd_div(dd(d->length), dd(d->elements));
    for (int a = 0; a < 4; a++) {
        out->dof[a] = dof_of(d, e + a / 2, a % 2);
        if (dof == ROTATION) out->weight[a] = dd_div(out->weight[a], h);
    }
    return JD_OK;
}

static jd_status check(jd_context *context, const jd_fe_beam_def *d) {
    JD_TRY(jd_need_positive(context, "length", d->length));
    JD_TRY(jd_need_positive(context, "bending_stiffness", d->bending_stiffness));
    JD_TRY(jd_need_positive(context, "mass_per_length", d->mass_per_length));
    if (d->elements < 1 || d->elements > JD_FE_MOST_ELEMENTS)
        return jd_fail(context, JD_OUT_OF_RANGE, "`elements` is %d but must be 1 to %d",
                       d->elements, (int)JD_FE_MOST_ELEMENTS);
    if (jd_support_of_beam(d->supports.left) < 0 || jd_support_of_beam(d->supports.right) < 0)
        return jd_fail(context, JD_OUT_OF_RANGE, "`supports` names a support that does not exist");
    if (count_dofs(d) < 1)
        return jd_fail(
            context, JD_NOT_SUPPORTED,
            "a beam of one element supported at both ends cannot move: use more elements");
    return JD_OK;
}

static void units(const jd_fe_beam_def *d, jd_fe *fe) {
    jd_dd h = dd_div(dd(d->length), dd(d->elements)), h2 = dd_mul(h, h);
    jd_dd m = dd(d->mass_per_length);
    fe->omega2_unit = dd_div(dd_scale(dd(d->bending_stiffness), 420), dd_mul(m, dd_mul(h2, h2)));
    fe->mass_unit = dd_div(dd_mul(m, h), dd(420));
    jd_dd per_h = dd_div(dd(1), h);
    for (int node = 0; node <= d->elements; node++) {
        int w = dof_of(d, node, 0), t = dof_of(d, node, 1);
        if (w >= 0) fe->dof_unit[w] = dd(1);
        if (t >= 0) fe->dof_unit[t] = per_h;
    }
}

static jd_status build(jd_structure *s, const void *def) {
    const jd_fe_beam_def *d = def;
    JD_TRY(check(jd_arena_context(s->arena), d));
    jd_fe fe = {
        .modes = d->modes, .points = &d->points, .damping = &d->damping, .def = d, .find = find};
    int n = count_dofs(d);
    jd_band_take(s->arena, n, n > 3 ? 3 : n - 1, &fe.K);
    jd_band_take(s->arena, n, n > 3 ? 3 : n - 1, &fe.M);
    fe.dof_unit = JD_TAKE(s->arena, jd_dd, n);
    fe.moved = JD_TAKE(s->arena, jd_dd, n);
    JD_TRY(jd_arena_status(s->arena));
    assemble(d, &fe.K, &fe.M, fe.moved);
    rigid_modes(s->arena, d, &fe);
    JD_TRY(jd_arena_status(s->arena));
    units(d, &fe);
    return jd_fe_build(s, &fe);
}

const jd_structure_class jd_fe_beam_class = {
    .type = {"fe-beam", "a bending beam of finite elements (Euler-Bernoulli, consistent mass)",
             sizeof(jd_fe_beam_def), params, NULL},
    .capabilities = JD_CAN_MODAL,
    .build = build};

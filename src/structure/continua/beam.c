// beam.c -- a uniform Euler-Bernoulli beam: rho A y_tt + EI y_xxxx = 0 (beam_modes.c).
//   omega_k = beta_k^2 sqrt(EI/(rho A L^4)),  phi_k(x) = phi(x/L)/sqrt(rho A L)
#include "structure/classes.h"
#include "structure/continua/beam_modes.h"
#include "structure/continua/continuum.h"
#include "structure/continua/supports.h"

static const jd_param params[] = {
    JD_PARAM_POSITIVE(jd_beam_def, bending_stiffness, "N m^2", "bending stiffness EI"),
    JD_CONTINUUM_PARAMS(jd_beam_def, jd_supports_clamped_free)};

static jd_dd omega2(const jd_continuum *c, int k) {
    const jd_beam_mode *mode = c->data;
    jd_dd wave_number = dd_div(jd_beam_root(&mode[k]), dd(c->length)); // [1/m]
    jd_dd square = dd_mul(wave_number, wave_number);
    return dd_mul(dd_div(dd(c->stiffness), dd(c->mass_per_length)), dd_mul(square, square));
}

static jd_dd shape(const jd_continuum *c, int k, double x, int component) {
    const jd_beam_mode *mode = c->data;
    jd_dd phi = jd_beam_shape(&mode[k], x, c->length, component);
    phi = dd_div(phi, dd_sqrt(dd_two_prod(c->mass_per_length, c->length)));
    return component == 2 ? dd_div(phi, dd(c->length)) : phi;
}

static jd_dd base(const jd_continuum *c, int k) {
    const jd_beam_mode *mode = c->data;
    return dd_mul(dd_sqrt(dd_two_prod(c->mass_per_length, c->length)), jd_beam_mean(&mode[k]));
}

static jd_status find_modes(jd_structure *structure, const jd_beam_def *d, jd_beam_mode **out) {
    int left = jd_support_of_beam(d->supports.left), right = jd_support_of_beam(d->supports.right);
    if (left < 0 || right < 0)
        return jd_fail(jd_arena_context(structure->arena), JD_OUT_OF_RANGE,
                       "a beam has ends that are free, clamped, pinned or guided, nothing else");
    int n = d->modes > JD_CONTINUUM_MODES ? d->modes : JD_CONTINUUM_MODES;
    if (n > JD_CONTINUUM_MOST) n = JD_CONTINUUM_MOST;
    *out = JD_TAKE(structure->arena, jd_beam_mode, n);
    JD_TRY(jd_arena_status(structure->arena));
    for (int k = 0; k < n; k++) (*out)[k] = jd_beam_mode_of(left, right, k);
    return JD_OK;
}

static jd_status build(jd_structure *structure, const void *def) {
    const jd_beam_def *d = def;
    jd_beam_mode *mode = NULL;
    JD_TRY(find_modes(structure, d, &mode));
    jd_continuum c = {.length = d->length,
                      .mass_per_length = d->mass_per_length,
                      .stiffness = d->bending_stiffness,
                      .stiffness_key = "bending_stiffness",
                      .modes = d->modes,
                      .points = &d->points,
                      .damping = &d->damping,
                      .components = 2,
                      .data = mode,
                      .omega2 = omega2,
                      .shape = shape,
                      .base = base,
                      .error = 0x1p-52}; // the small term of beta is a double: half an ulp, twice
    return jd_continuum_build(structure, &c);
}

const jd_structure_class jd_beam_class = {
    .type = {"beam", "a uniform Euler-Bernoulli beam with analytic modes", sizeof(jd_beam_def),
             params, NULL},
    .capabilities = JD_CAN_MODAL | JD_CAN_INFINITE,
    .build = build};

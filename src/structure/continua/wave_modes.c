// wave_modes.c -- modes of the wave equation on an interval: strings and rods.
//   phi'' = -(omega/c)^2 phi,  c^2 = stiffness/rho  [m^2/s^2],  integral rho phi^2 dx = 1
//   omega_k = pi m_k c/L,  m_k = k (equal ends) or k - 1/2 (unequal ends)
//   phi_k = sqrt(2/(rho L)) sin(pi m_k x/L) from a fixed left end, cos from a free one;
//   free-free begins with the rigid-body mode omega = 0, phi = 1/sqrt(rho L).
#include "structure/continua/wave_modes.h"

#include <math.h>

#include "structure/continua/sine_cosine.h"
#include "structure/continua/supports.h"

typedef struct wave {
    bool left_free;
    double first; // m of mode 0: 1, 1/2, or 0 for the rigid-body mode
} wave;

static double half_waves(const jd_continuum *c, int k) {
    return ((const wave *)c->data)->first + k;
}

static jd_dd omega2(const jd_continuum *c, int k) {
    jd_dd turn = dd_div(dd_scale(jd_pi, half_waves(c, k)), dd(c->length));
    jd_dd speed2 = dd_div(dd(c->stiffness), dd(c->mass_per_length));
    return dd_mul(speed2, dd_mul(turn, turn));
}

static jd_dd shape(const jd_continuum *c, int k, double x, int component) {
    (void)component;
    const wave *w = c->data;
    double m = half_waves(c, k);
    jd_dd mass = dd_two_prod(c->mass_per_length, c->length);
    jd_dd scale = dd_sqrt(dd_div(dd(m > 0 ? 2 : 1), mass));
    jd_sine_cosine turn = jd_sine_cosine_of(dd_div(dd_two_prod(m, x), dd(c->length)), 0);
    return dd_mul(scale, w->left_free ? turn.cos : turn.sin);
}

// sqrt(2 rho L)/(pi m) {1 - cos(pi m) or sin(pi m)}; of the rigid-body mode sqrt(rho L)
static jd_dd base(const jd_continuum *c, int k) {
    const wave *w = c->data;
    double m = half_waves(c, k);
    jd_dd mass = dd_two_prod(c->mass_per_length, c->length);
    if (m == 0) return dd_sqrt(mass);
    jd_sine_cosine end = jd_sine_cosine_of(dd(m), 0);
    jd_dd sum = w->left_free ? end.sin : dd_sub(dd(1), end.cos);
    return dd_div(dd_mul(dd_sqrt(dd_scale(mass, 2)), sum), dd_scale(jd_pi, m));
}

// 1/(2 rho c) inside, twice that at a free end, 0 at a fixed one. Compliance [L/stiffness]:
//   fixed-fixed xi (1 - xi), fixed-free xi, free-free 1/3 - xi + xi^2.
static jd_status local_response(jd_structure *s, const jd_continuum *c, bool left, bool right) {
    double impedance = sqrt(c->stiffness * c->mass_per_length);
    s->jump = JD_TAKE(s->arena, double, s->n_point);
    s->compliance = JD_TAKE(s->arena, double, s->n_point);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < s->n_point; i++) {
        double xi = c->points->point[i].position / c->length;
        bool at_left = xi <= 0, at_right = xi >= 1;
        s->jump[i] = at_left ? left / impedance : at_right ? right / impedance : 0.5 / impedance;
        double shape = left && right     ? 1.0 / 3 - xi + xi * xi
                       : !left && !right ? xi * (1 - xi)
                       : left            ? 1 - xi
                                         : xi;
        s->compliance[i] = shape * c->length / c->stiffness;
    }
    return JD_OK;
}

jd_status jd_wave_build(jd_structure *structure, jd_continuum c, const jd_supports *supports) {
    int left = jd_support_of_wave(supports->left), right = jd_support_of_wave(supports->right);
    if (left < 0 || right < 0)
        return jd_fail(jd_arena_context(structure->arena), JD_OUT_OF_RANGE,
                       "a string or rod has ends that are free or fixed, nothing else");
    wave w = {.left_free = left == JD_FREE, .first = left != right ? 0.5 : left == JD_FIXED};
    c.data = &w;
    c.components = 1;
    c.omega2 = omega2;
    c.shape = shape;
    c.base = base;
    c.error = 0x1p-53; // double-double throughout: only the last rounding is left
    JD_TRY(jd_continuum_build(structure, &c));
    return local_response(structure, &c, left == JD_FREE, right == JD_FREE);
}

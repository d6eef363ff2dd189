// beam_modes.c -- modes of a uniform Euler-Bernoulli beam in a form that stays exact at mode 1000.
//   phi'''' = beta^4 phi on (0, 1), integral phi^2 = 1.
//   cosh and sinh never appear: with e = e^{-beta} the sixteen pairs of ends have the roots
//     clamped or free, both ends     beta = (k + 1/2) pi - (-1)^k 2 atan e       (cos beta = sech
//     beta) clamped and free               beta = (k - 1/2) pi - (-1)^k 2 atan e       (cos beta =
//     -sech beta) clamped or free, and pinned    beta = (k + 1/4) pi - atan e^2              (tan
//     beta = tanh beta) clamped or free, and guided    beta = (k - 1/4) pi + atan e^2 (tan beta =
//     -tanh beta) two pinned, two guided         beta = k pi pinned and guided              beta =
//     (k - 1/2) pi                         k = 1, 2, ...
//   solved for the small second term. With a clamped (upper sign) or free end at xi = 0,
//     phi = -/+ cos(beta xi) +/- B sin(beta xi) + P e^{-beta xi} + q P e^{-beta(1 - xi)},
//     P = 1/(1 + q e),  B = (1 - q e)/(1 + q e),
//     q = -(-1)^k (other end clamped or free), -e (pinned), e (guided).
//   Unit norm follows from the invariant phi^2 + (phi''/beta^2)^2 - 2 phi' phi'''/beta^4 = 4
//   integral phi^2: a free end moves by 2 exactly. Equal ends: B = 0 or A = 0 about the middle, so
//   that nodes there are exact zeros.      tested: shapes_satisfy_their_ends,
//   shapes_are_orthonormal
#include "structure/continua/beam_modes.h"

#include "structure/continua/sine_cosine.h"

static bool stiff(int end) { return end == JD_CLAMPED || end == JD_FREE; } // has a boundary layer

static int rigid_modes(int left, int right) {
    bool left_turns = left == JD_FREE || left == JD_PINNED;
    bool left_shifts = left == JD_FREE || left == JD_GUIDED;
    bool right_turns = right == JD_FREE || right == JD_PINNED;
    bool right_shifts = right == JD_FREE || right == JD_GUIDED;
    int translation = left_shifts && right_shifts;
    // A rotation moves every point but one: it needs both ends to turn and one of them to shift.
    int rotation = left_turns && right_turns && (left_shifts || right_shifts);
    return translation + rotation;
}

// Written phi = A + B(xi - 1/2).
static jd_beam_mode rigid(int left, int right, int k) {
    const double sqrt3 = 0x1.bb67ae8584caap+0;
    jd_beam_mode m = {.end = {left, right}};
    if (left == JD_PINNED || right == JD_PINNED) { // phi = sqrt 3 (distance from the pin)
        m.A = sqrt3 / 2;
        m.B = left == JD_PINNED ? sqrt3 : -sqrt3;
    } else if (k == 0)
        m.A = 1;
    else
        m.B = 2 * sqrt3; // phi = sqrt 12 (xi - 1/2)
    return m;
}

// delta = sign factor atan(e^{-power beta}), beta = pi turns + delta; factor power = 2. Newton.
static double small_term(double turns, double sign, double factor) {
    double delta = 0, power = 2 / factor;
    for (int i = 0; i < 8; i++) {
        double e = exp(-power * (jd_pi.hi * turns + delta));
        delta -= (delta - sign * factor * atan(e)) / (1 + sign * 2 * e / (1 + e * e));
    }
    return delta;
}

// Both ends pinned or guided: a plain sine or cosine.
static jd_beam_mode sine(int left, int right, int k) {
    jd_beam_mode m = {.turns = left == right ? k : k - 0.5, .end = {left, right}};
    if (left == JD_PINNED)
        m.B = 0x1.6a09e667f3bcdp+0; // sqrt 2
    else
        m.A = 0x1.6a09e667f3bcdp+0;
    return m;
}

// Equal ends: even or odd about the middle. A' = R cos, B' = R sin with R^2 = 1 + B^2.
static void centre_shape(jd_beam_mode *m, double sign, double parity, int k) {
    double R = sign * hypot(1, m->B);
    m->centre = 0.5;
    m->A = m->B = 0;
    int half = (k + 1) / 2; // beta/2 is near half pi - pi/4 (even) or half pi + pi/4 (odd)
    double turn = half % 2 ? -1 : 1;
    if (parity > 0)
        m->A = -turn * R;
    else
        m->B = turn * R;
}

// xi = 0 is clamped or free.
static jd_beam_mode layered(int left, int right, int k) {
    double alternate = k % 2 ? 1 : -1; // -(-1)^k
    double sign = left == JD_CLAMPED ? 1 : -1;
    jd_beam_mode m = {.end = {left, right}};
    if (stiff(right)) {
        m.turns = left == right ? k + 0.5 : k - 0.5;
        m.delta = small_term(m.turns, alternate, 2);
    } else {
        m.turns = right == JD_PINNED ? k + 0.25 : k - 0.25;
        m.delta = small_term(m.turns, right == JD_PINNED ? -1 : 1, 1);
    }
    double e = exp(-dd_value(jd_beam_root(&m)));
    double q = stiff(right) ? alternate : right == JD_PINNED ? -e : e;
    m.P = 1 / (1 + q * e);
    m.Q = q * m.P;
    m.A = -sign;
    m.B = sign * (1 - q * e) / (1 + q * e);
    if (left == right) centre_shape(&m, sign, q, k);
    return m;
}

jd_beam_mode jd_beam_mode_of(int left, int right, int k) {
    int n_rigid = rigid_modes(left, right);
    if (k < n_rigid) return rigid(left, right, k);
    k += 1 - n_rigid; // elastic modes count from 1
    if (stiff(left)) return layered(left, right, k);
    if (!stiff(right)) return sine(left, right, k);
    jd_beam_mode m = layered(right, left, k);
    m.mirrored = true;
    return m;
}

jd_dd jd_beam_root(const jd_beam_mode *m) {
    return dd_add(dd_scale(jd_pi, m->turns), dd(m->delta));
}

// What the ends say without rounding: held ends do not move or turn, free ends move by 2.
static bool known_at_end(int end, int component, double phi, double *value) {
    bool zero = end == JD_CLAMPED || (component == 1 ? end == JD_PINNED : end == JD_GUIDED);
    bool two = component == 1 && end == JD_FREE;
    *value = zero ? 0 : copysign(2, phi);
    return zero || two;
}

static jd_dd rigid_shape(const jd_beam_mode *m, jd_dd middle, int component) {
    if (component == 2) return dd(m->B);
    if (m->end[0] == JD_PINNED || m->end[1] == JD_PINNED) // no cancellation at the pin
        return dd_scale(dd_add(middle, dd(m->B > 0 ? 0.5 : -0.5)), m->B);
    return dd_add(dd(m->A), dd_scale(middle, m->B));
}

jd_dd jd_beam_shape(const jd_beam_mode *m, double x, double length, int component) {
    jd_dd L = dd(length), from_centre = dd_two_sum(x, -0.5 * length);
    if (m->turns == 0) return rigid_shape(m, dd_div(from_centre, L), component);
    jd_dd near = dd(x), far = dd_two_sum(length, -x); // distances from xi = 0 and xi = 1
    if (m->mirrored) {
        jd_dd t = near;
        near = far, far = t;
    }
    jd_dd offset = m->centre > 0 ? dd_sub(near, dd(0.5 * length)) : near;
    jd_sine_cosine turn =
        jd_sine_cosine_of(dd_div(dd_scale(offset, m->turns), L), m->delta * (offset.hi / length));
    double beta = dd_value(jd_beam_root(m));
    double p = m->P * exp(-beta * (near.hi / length)), q = m->Q * exp(-beta * (far.hi / length));
    double known;
    jd_dd wave = component == 1 ? dd_add(dd_scale(turn.cos, m->A), dd_scale(turn.sin, m->B))
                                : dd_sub(dd_scale(turn.cos, m->B), dd_scale(turn.sin, m->A));
    jd_dd phi = dd_add(wave, component == 1 ? dd_two_sum(p, q) : dd_two_sum(q, -p));
    if (near.hi == 0 && known_at_end(m->end[0], component, phi.hi, &known)) phi = dd(known);
    if (far.hi == 0 && known_at_end(m->end[1], component, phi.hi, &known)) phi = dd(known);
    if (component == 1) return phi;
    return dd_scale(phi, m->mirrored ? -beta : beta);
}

// (1/beta) {A (sin b - sin a) - B (cos b - cos a) + (P + Q)(1 - e)}, a = -beta centre, b = beta (1
// - centre)
jd_dd jd_beam_mean(const jd_beam_mode *m) {
    if (m->turns == 0) return dd(m->A);
    jd_dd beta = jd_beam_root(m);
    double right = 1 - m->centre;
    jd_sine_cosine b = jd_sine_cosine_of(dd(m->turns * right), m->delta * right);
    jd_sine_cosine a = jd_sine_cosine_of(dd(-m->turns * m->centre), -m->delta * m->centre);
    jd_dd wave = dd_scale(dd_sub(b.sin, a.sin), m->A);
    wave = dd_sub(wave, dd_scale(dd_sub(b.cos, a.cos), m->B));
    jd_dd layers = dd_scale(dd_two_sum(m->P, m->Q), -expm1(-beta.hi));
    return dd_div(dd_add(wave, layers), beta);
}

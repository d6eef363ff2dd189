// coupled.c -- poles where damping couples the coordinates, and rigid-body motion among them.
//   (s^2 + s C + omega2) u = 0, u'(2s + C)u = 1, x = sum_p u_p z_p, z_p' = s_p z_p + u_p'f.
//   Coordinates that C does not couple are solved by themselves; poles that nearly coincide and
//   share their vector (near critical damping) have no such scale and form a pair: coupled_pair.c.
//   Rigid-body coordinates (omega2 = 0) are turned until their block of C is diag(gamma):
//     gamma = 0    then C u = 0 for C >= 0: x'' = f, apart from all others (RIGID, powers of t)
//     gamma != 0   a pole at 0 with u = e_k/sqrt(gamma); its other pole is one of the rest
//   No other chains belong to the pole 0: one of length three would need u'u = 0. With falling
//   friction C may be indefinite; gamma = 0 with C u != 0 is refused.
//                                           tested:
//                                           a_free_body_creeps_to_where_its_momentum_is_used
#include <math.h>
#include <string.h>

#include "engine/exact/exact.h"
#include "linalg/eigen.h"

static const double nothing = 1e-13;      // of the largest entry of C: rounding of rows that cancel
static const double zero_pole = 1e-9;     // of the largest pole
static const double near_critical = 0.05; // |s1 - s2|/2|s|: closer poles form a pair block

// Coordinates a and b of the matrix M (nf x nf), or of rows of length `width`, turned: e_a' = c e_a
// + s e_b, e_b' = c e_b - s e_a.
static void turn_rows(double *M, int width, int a, int b, double c, double s) {
    for (int i = 0; M && i < width; i++) {
        double x = M[a * width + i], y = M[b * width + i];
        M[a * width + i] = c * x + s * y;
        M[b * width + i] = c * y - s * x;
    }
}

static void turn_columns(double *M, int rows, int width, int a, int b, double c, double s) {
    for (int i = 0; M && i < rows; i++) {
        double x = M[i * width + a], y = M[i * width + b];
        M[i * width + a] = c * x + s * y;
        M[i * width + b] = c * y - s * x;
    }
}

static void turn_coordinates(exact *e, basis *b, int i, int j, double c, double s) {
    int nf = b->nf;
    double *square[] = {b->C, b->C0};
    for (int k = 0; k < 2; k++) {
        turn_rows(square[k], nf, i, j, c, s);
        turn_columns(square[k], nf, nf, i, j, c, s);
    }
    turn_columns(b->Q, e->plan.n, nf, i, j, c, s);
    turn_rows(b->QT, e->plan.n, i, j, c, s);
    turn_rows(b->QtS, b->ms, i, j, c, s);
}

static double largest_entry(const basis *b) {
    double most = 0;
    for (int i = 0; i < b->nf * b->nf; i++) most = fmax(most, fabs(b->C[i]));
    return most;
}

// A basis of its own where the free coordinates served so far.
static jd_status own_basis(exact *e, basis *b) {
    int n = e->plan.n;
    if (b->Q) return JD_OK;
    b->Q = JD_TAKE(e->arena, double, n *n);
    b->QT = JD_TAKE(e->arena, double, n *n);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < n; k++) b->Q[k * n + k] = b->QT[k * n + k] = 1;
    return JD_OK;
}

// Jacobi's rotations of two rigid-body coordinates at a time; C is left diagonal among them.
static jd_status turn_rigid(exact *e, basis *b, double least) {
    int nf = b->nf;
    for (int sweep = 0, left = 1; left && sweep < 60; sweep++) {
        left = 0;
        for (int i = 0; i < nf; i++)
            for (int j = i + 1; j < nf; j++) {
                double off = b->C[i * nf + j];
                if (b->omega2[i] != 0 || b->omega2[j] != 0 || fabs(off) <= least) continue;
                JD_TRY(own_basis(e, b));
                double angle = 0.5 * atan2(2 * off, b->C[i * nf + i] - b->C[j * nf + j]);
                turn_coordinates(e, b, i, j, cos(angle), sin(angle));
                left = 1;
            }
    }
    return JD_OK;
}

// Sets what is rounding to zero: row and column k of C among rigid-body coordinates, or (all) with
// every coordinate.
static void clear(basis *b, int k, bool all, double least) {
    for (int l = 0; l < b->nf; l++) {
        if (!all && (l == k || b->omega2[l] != 0)) continue;
        b->C[k * b->nf + l] = b->C[l * b->nf + k] = 0;
        if (all && fabs(b->C0[k * b->nf + l]) <= least) // else friction takes it away
            b->C0[k * b->nf + l] = b->C0[l * b->nf + k] = 0;
    }
}

jd_status jd_coupled_rigid(exact *e, basis *b) {
    int nf = b->nf;
    double least = nothing * largest_entry(b);
    JD_TRY(turn_rigid(e, b, least));
    for (int k = 0; k < nf; k++) {
        if (b->omega2[k] != 0) continue;
        double most = 0;
        for (int l = 0; l < nf; l++) most = fmax(most, fabs(b->C[k * nf + l]));
        clear(b, k, most <= least, least);
        if (most > least && fabs(b->C[k * nf + k]) <= least)
            return jd_fail(e->run->context, JD_NOT_SUPPORTED,
                           "falling friction takes away exactly the damping of a rigid-body "
                           "motion: the exact engine cannot follow that");
    }
    return JD_OK;
}

// Vectors of pole i, right u with u' (2 s + C) u = 1; u of the coordinates `in` only. A conjugate
// pair is one pole with doubled left vector. Of two real poles one has an imaginary u = i v: then
// u u' = v (-v)', all real.
static void set_vectors(basis *b, int i, int n, const int *in, const double *u) {
    bool paired = b->poles.pole[i].im > 0, turned = false;
    for (int k = 0; k < n && !paired; k++) turned = turned || fabs(u[2 * k + 1]) > fabs(u[2 * k]);
    for (int k = 0; k < n; k++) {
        jd_complex right = {u[2 * k], u[2 * k + 1]}, left = {2 * right.re, 2 * right.im};
        if (!paired) {
            right = (jd_complex){turned ? right.im : right.re, 0};
            left = (jd_complex){turned ? -right.re : right.re, 0};
        }
        b->poles.right[i * b->nf + in[k]] = right;
        b->poles.left[i * b->nf + in[k]] = left;
    }
}

// The pole at 0 of a damped rigid-body coordinate.
static void zero_of(basis *b, int k) {
    double gamma = b->C[k * b->nf + k], u = 1 / sqrt(fabs(gamma));
    int i = b->poles.n_pole++;
    b->poles.pole[i] = (jd_complex){0, 0};
    b->poles.right[i * b->nf + k] = (jd_complex){u, 0};
    b->poles.left[i * b->nf + k] = (jd_complex){gamma > 0 ? u : -u, 0};
}

typedef struct block { // coordinates that damping couples with each other and with no others
    int n, n_zero;     // n_zero of them have a pole at 0 that is booked already
    int *in;           // n
    double *pole, *u;  // 2 n poles and displacement parts, as jd_eigen_quadratic gives them
    bool *taken;       // 2 n: is in a pair
} block;

static double size_of(const block *c, int p) { return hypot(c->pole[2 * p], c->pole[2 * p + 1]); }

// |u_p' conj(u_q)| of unit vectors: 1 where two poles share their vector.
static double parallel(const block *c, int p, int q) {
    double re = 0, im = 0, a = 0, b = 0;
    for (int k = 0; k < c->n; k++) {
        const double *u = c->u + 2 * (p * c->n + k), *v = c->u + 2 * (q * c->n + k);
        re += u[0] * v[0] + u[1] * v[1];
        im += u[1] * v[0] - u[0] * v[1];
        a += u[0] * u[0] + u[1] * u[1];
        b += v[0] * v[0] + v[1] * v[1];
    }
    return hypot(re, im) / sqrt(a * b);
}

// Do the poles p and q, two real ones or a conjugate pair, nearly coincide and share their vector?
static bool coincide(const block *c, int p, int q) {
    const double *s = c->pole + 2 * p, *r = c->pole + 2 * q;
    bool conjugates = s[1] > 0 && r[1] < 0 && s[0] == r[0] && s[1] == -r[1];
    if (!conjugates && (s[1] != 0 || r[1] != 0)) return false;
    double apart = hypot(s[0] - r[0], s[1] - r[1]);
    return apart < 2 * near_critical * size_of(c, p) && parallel(c, p, q) > 0.9;
}

// The pole that pole p makes a block with: the closest; -1: none.
static int partner_of(const block *c, int p) {
    int best = -1;
    double least = HUGE_VAL;
    for (int q = c->n_zero; q < 2 * c->n; q++) {
        double apart = fabs(c->pole[2 * p] - c->pole[2 * q]);
        if (q == p || c->taken[q] || !coincide(c, p, q) || apart >= least) continue;
        best = q;
        least = apart;
    }
    return best;
}

// Books the poles of a block, those that nearly coincide as pairs.
static jd_status book(exact *e, basis *b, block *c) {
    for (int p = c->n_zero; p < 2 * c->n; p++) {
        if (c->taken[p]) continue;
        int q = partner_of(c, p);
        if (q < 0) continue;
        c->taken[p] = c->taken[q] = true;
        double at = (c->pole[2 * p] + c->pole[2 * q]) / 2, alone = fabs(at);
        for (int r = 0; r < 2 * c->n; r++)
            if (r != p && r != q)
                alone = fmin(alone, hypot(c->pole[2 * r] - at, c->pole[2 * r + 1]));
        JD_TRY(jd_coupled_pair(e, b, c->n, c->in, at, alone));
    }
    for (int p = c->n_zero; p < 2 * c->n; p++) {
        if (c->taken[p] || c->pole[2 * p + 1] < 0) continue;
        int i = b->poles.n_pole++;
        b->poles.pole[i] = (jd_complex){c->pole[2 * p], c->pole[2 * p + 1]};
        set_vectors(b, i, c->n, c->in, c->u + 2 * p * c->n);
    }
    return JD_OK;
}

// Poles of a block, n_zero of which are 0 and booked already.
static jd_status poles_of(exact *e, basis *b, block *c) {
    int n = c->n;
    double *C = JD_TAKE(e->arena, double, n *n), *omega2 = JD_TAKE(e->arena, double, n);
    c->pole = JD_TAKE(e->arena, double, 4 * n);
    c->u = JD_TAKE(e->arena, double, 4 * n * n);
    c->taken = JD_TAKE(e->arena, bool, 2 * n);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < n; k++) {
        omega2[k] = b->omega2[c->in[k]];
        for (int l = 0; l < n; l++) C[k * n + l] = b->C[c->in[k] * b->nf + c->in[l]];
    }
    JD_TRY(jd_eigen_quadratic(e->arena, n, omega2, C, c->pole, c->u));
    if (c->n_zero && size_of(c, c->n_zero - 1) > zero_pole * size_of(c, 2 * n - 1))
        return jd_fail(e->run->context, JD_NO_CONVERGENCE,
                       "the poles of a damped rigid-body motion were not found");
    return book(e, b, c);
}

// A coordinate by itself: s^2 + c s + omega2 = 0, left = 1/(2 s + c), twice that for a conjugate
// pair.
static void poles_alone(basis *b, int k) {
    double a = -b->C[k * b->nf + k] / 2, w2 = b->omega2[k], d2 = a * a - w2;
    if (fabs(d2) < near_critical * near_critical * (a * a + w2)) { // p = x, q = x' - a x
        double *right = b->poles.pair_right + 2 * b->poles.n_pair * b->nf,
               *left = b->poles.pair_left + 2 * b->poles.n_pair * b->nf;
        b->poles.pair[b->poles.n_pair++] = (jd_pole_pair){{a, 0}, {d2, 0}};
        right[k] = left[b->nf + k] = 1;
        return;
    }
    double root = sqrt(fabs(d2)), far = a - copysign(root, -a); // the larger of two real poles
    for (int i = 0; i < (d2 > 0 ? 2 : 1); i++) {
        if (d2 > 0 && i == 0 && w2 == 0) continue; // at 0, booked already
        jd_complex s = {d2 > 0 ? (i ? far : w2 / far) : a, d2 > 0 ? 0 : root};
        int at = b->poles.n_pole++;
        b->poles.pole[at] = s;
        b->poles.right[at * b->nf + k] = (jd_complex){1, 0};
        b->poles.left[at * b->nf + k] =
            d2 > 0 ? (jd_complex){1 / (2 * (s.re - a)), 0} : (jd_complex){0, -1 / root};
    }
}

// The coordinates that damping couples with k, k included; those that belong to it are marked.
static void collect(const basis *b, int k, bool *done, block *c) {
    c->n = c->n_zero = 0;
    c->in[c->n++] = k;
    done[k] = true;
    for (int i = 0; i < c->n; i++) {
        c->n_zero += b->omega2[c->in[i]] == 0;
        for (int l = 0; l < b->nf; l++) {
            if (done[l] || b->poles.kind[l] == RIGID || b->C[c->in[i] * b->nf + l] == 0) continue;
            c->in[c->n++] = l;
            done[l] = true;
        }
    }
}

// Does it oscillate, and does neither the structure nor a sloped contact couple its losses?
static bool is_alone(const exact *e, const basis *b, int k) {
    double a = -b->C[k * b->nf + k] / 2, w2 = b->omega2[k];
    if (a * a - w2 >= -near_critical * near_critical * (a * a + w2)) return false;
    for (int l = 0; l < b->nf; l++)
        if (l != k && b->C0[k * b->nf + l] != 0) return false;
    for (int j = 0; j < e->plan.m; j++)
        if (b->key[j] == 'd' && jd_basis_row(e, b, j, k) != 0) return false;
    return true;
}

void jd_coupled_alone(const exact *e, basis *b) {
    for (int k = 0; k < b->nf; k++) {
        if (!b->poles.alone[k]) continue;
        double a = -b->C[k * b->nf + k] / 2, w = sqrt(b->omega2[k] - a * a);
        int d = jd_basis_several_drives(e, a, w) ? -1 : jd_basis_resonant_drive(e, a, w);
        b->poles.kind[k] = d >= 0 ? RESONANT : OSCILLATING;
        if (d >= 0) {
            b->poles.partner[k] = d;
            b->poles.first[k] = b->poles.n_pair;
            b->poles.pair[b->poles.n_pair++] = jd_resonant_pair(e, a, w, d);
            continue;
        }
        memset(b->poles.right + b->poles.n_pole * b->nf, 0, (size_t)b->nf * sizeof *b->poles.right);
        memset(b->poles.left + b->poles.n_pole * b->nf, 0, (size_t)b->nf * sizeof *b->poles.left);
        poles_alone(b, k);
    }
}

static jd_status take_poles(exact *e, basis *b) {
    int nf = b->nf;
    b->poles.alone = JD_TAKE(e->arena, bool, nf);
    b->poles.first = JD_TAKE(e->arena, int, nf);
    b->poles.partner = JD_TAKE(e->arena, int, nf);
    b->poles.pole = JD_TAKE(e->arena, jd_complex, 2 * nf + e->plan.n_drive);
    b->poles.right = JD_TAKE(e->arena, jd_complex, 2 * nf * nf);
    b->poles.left = JD_TAKE(e->arena, jd_complex, 2 * nf * nf);
    b->poles.pair = JD_TAKE(e->arena, jd_pole_pair, nf + resonance_room(nf));
    b->poles.pair_right = JD_TAKE(e->arena, double, 2 * nf * nf);
    b->poles.pair_left = JD_TAKE(e->arena, double, 2 * nf * nf);
    b->poles.kind = JD_TAKE(e->arena, motion, nf);
    return jd_arena_status(e->arena);
}

jd_status jd_coupled_poles(exact *e, basis *b) {
    int nf = b->nf;
    JD_TRY(take_poles(e, b));
    block c = {.in = JD_TAKE(e->arena, int, nf)};
    bool *done = JD_TAKE(e->arena, bool, nf);
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < nf; k++) {
        bool rigid = b->omega2[k] == 0, damped = b->C[k * nf + k] != 0;
        b->poles.kind[k] = rigid && !damped ? RIGID : OSCILLATING;
        if (rigid && damped) zero_of(b, k);
    }
    for (int k = 0; k < nf; k++) {
        if (done[k] || b->poles.kind[k] == RIGID) continue;
        collect(b, k, done, &c);
        b->poles.alone[k] = c.n == 1 && is_alone(e, b, k);
        if (b->poles.alone[k]) continue; // when the drives are known: jd_coupled_alone
        if (c.n == 1)
            poles_alone(b, k);
        else
            JD_TRY(poles_of(e, b, &c));
    }
    return JD_OK;
}

// Scale of coordinate k that makes displacements velocities [1/s].
static double rate_of(const basis *b, int k) {
    return b->omega2[k] > 0 ? sqrt(b->omega2[k]) : fabs(b->C[k * b->nf + k]);
}

// Displacement and velocity of the unit state i (i < nf: displacements, else velocities), taken
// apart into poles and blocks and put together again, less that state.
static double defect_of(exact *e, const basis *b, int i) {
    int nf = b->nf, k = i % nf;
    double unit = i < nf ? 1 / rate_of(b, k) : 1, worst = 0;
    double *x = e->phase.x, *xd = e->phase.xd, *now = e->scratch.xt, *rate = e->scratch.xdt;
    for (int l = 0; l < nf; l++) x[l] = xd[l] = now[l] = rate[l] = 0;
    if (i < nf)
        x[k] = unit;
    else
        xd[k] = unit;
    jd_coupled_amplitudes(e, x, xd);
    jd_coupled_state(e, e->phase.re, e->phase.im, now, rate);
    for (int l = 0; l < nf; l++) {
        if (b->poles.kind[l] == RIGID) continue;
        worst = fmax(worst, fabs(now[l] - x[l]) * rate_of(b, l));
        worst = fmax(worst, fabs(rate[l] - xd[l]));
    }
    return worst;
}

// Parts that cancel (poles that nearly coincide but are in no pair) and vectors that are not right
// do not add up to the motion they are the parts of.
void jd_coupled_check(exact *e, basis *b) {
    basis *now = e->phase.b;
    e->phase.b = b;
    b->loss = 0;
    memset(e->phase.re, 0, (size_t)b->poles.slots * sizeof *e->phase.re);
    memset(e->phase.im, 0, (size_t)b->poles.slots * sizeof *e->phase.im);
    for (int i = 0; i < 2 * b->nf; i++)
        if (b->poles.kind[i % b->nf] != RIGID) b->loss = fmax(b->loss, defect_of(e, b, i));
    e->phase.b = now;
}

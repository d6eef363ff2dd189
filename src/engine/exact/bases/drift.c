// drift.c -- rigid-body motion with weak damping, as powers of t.
//   x'' + C x' + omega2 x = f + f' t, rigid-body coordinates r (omega2 = 0) with C_rr =
//   diag(gamma). The poles 0 and -gamma share a motion f t^2/2 into parts f/gamma^2, under a ramp
//   f'/gamma^3. Where these are too large for the motion there is (cancel.c), the phase is kept so
//   short that a polynomial of degree 7 is that motion to rounding: gamma t <= 0.004, and it is
//   what it is:
//     (m+2)(m+1) x_{r,m+2} = f_m - (m+1) C_r x_{m+1}                                 upwards
//     omega2 x_{e,m} = f_m - (m+1) C_e x_{m+1} - (m+2)(m+1) x_{e,m+2}                downwards
//   in turn, until nothing changes: each turn gains C_re C_er/omega2, which is small. Free
//   coordinates with strong damping beside them follow as those with springs do. A motion from
//   unit velocity (home) has x_e = Y q, q = x_r', so Y and W = {(e_r, 0), (x_0, x_1)} are the slow
//   invariant subspace. B A symmetric, B = {C 1; 1 0}, gives the part of a state that belongs to
//   it,
//     (p, q) = M^-1 W'B z,   M = W'B W
//   without the division by gamma. The switch back needs no tolerance in time: as the motion grows
//   its parts lose nothing any more.                   tested:
//   weakly_damped_free_bodies_keep_digits
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/exact/bases/parts.h"
#include "engine/exact/exact.h"
#include "linalg/general.h"

static const double reach = 0.004; // gamma t: (gamma t)^5 6/8! < 2e-16 of a motion under a ramp
static const double weak = 0.2;    // |C_re|/omega, and gamma over the other rates
enum { TURNS = 60 };
enum { INNER = 28 }; // powers while solving: what is cut off there is (gamma/omega)^28 of x_e

// sum_l C_kl v_l
static double drag(const basis *b, int k, const double *v) {
    return b->C ? jd_lanes_dot(b->nf, b->C + k * b->nf, v) : b->c[k] * v[k];
}

static double *row(double *poly, const basis *b, int m) { return poly + m * b->nf; }

static double load_of(const double *f, const double *rate, int m, int k) {
    const double *load = m == 0 ? f : m == 1 ? rate : NULL;
    return load ? load[k] : 0;
}

// Coefficient m of a coordinate that follows: with a spring, or by strong damping alone.
static double follow(const basis *b, const double *f, const double *rate, double *poly, int m,
                     int k) {
    if (b->drift.role[k] == FOLLOWS) {
        double sum = load_of(f, rate, m, k);
        if (m + 1 < INNER) sum -= (m + 1) * drag(b, k, row(poly, b, m + 1));
        if (m + 2 < INNER) sum -= (m + 2) * (m + 1) * row(poly, b, m + 2)[k];
        return sum / b->omega2[k];
    }
    if (m == 0) return 0; // its place is a pole of its own
    double gamma = b->C ? b->C[k * b->nf + k] : b->c[k], own = row(poly, b, m)[k];
    double sum = load_of(f, rate, m - 1, k) - m * (drag(b, k, row(poly, b, m)) - gamma * own);
    if (m + 1 < INNER) sum -= (m + 1) * m * row(poly, b, m + 1)[k];
    return sum / (gamma * m);
}

// One turn: force f (t^0) and rate (t^1), either may be NULL. Returns the largest change over size.
static double turn_over(const basis *b, const double *f, const double *rate, double *poly) {
    double change = 0, size = DBL_MIN;
    for (int m = 0; m + 2 < INNER; m++)
        for (int k = 0; k < b->nf; k++) {
            if (b->drift.role[k] != DRIFTS) continue;
            double sum = load_of(f, rate, m, k) - (m + 1) * drag(b, k, row(poly, b, m + 1));
            row(poly, b, m + 2)[k] = sum / ((m + 2) * (m + 1));
        }
    for (int m = INNER - 1; m >= 0; m--)
        for (int role = FOLLOWS; role <= CREEPS; role++) // springs first: others need them
            for (int k = 0; k < b->nf; k++) {
                if ((int)b->drift.role[k] != role) continue;
                double sum = follow(b, f, rate, poly, m, k), *now = &row(poly, b, m)[k];
                change = fmax(change, fabs(sum - *now));
                size = fmax(size, fabs(sum));
                *now = sum;
            }
    return change / size;
}

// The first POWERS of it into `out`; velocity: a coordinate that starts with unit velocity, or -1.
static bool settle(const basis *b, const double *f, const double *rate, int velocity, double *poly,
                   double *out) {
    double change = 1;
    memset(poly, 0, (size_t)(INNER * b->nf) * sizeof *poly);
    if (velocity >= 0) row(poly, b, 1)[velocity] = 1;
    for (int i = 0; i < TURNS && change > 0; i++) change = turn_over(b, f, rate, poly);
    memcpy(out, poly, (size_t)(POWERS * b->nf) * sizeof *out);
    return change <= 4 * DBL_EPSILON;
}

// Marks the coordinates that damping couples with k, k included.
static void collect(const basis *b, int k, bool *now) {
    memset(now, 0, (size_t)b->nf * sizeof *now);
    now[k] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < b->nf; i++)
            for (int l = 0; now[i] && b->C && l < b->nf; l++)
                if (!now[l] && b->C[i * b->nf + l] != 0) now[l] = more = true;
    }
}

static double damping_of(const basis *b, int k) {
    return fabs(b->C ? b->C[k * b->nf + k] : b->c[k]);
}

// How strongly coordinate k is coupled to those with springs: sum C_kl^2/omega2.
static double coupling_of(const basis *b, int k) {
    double sum = 0;
    for (int l = 0; b->C && l < b->nf; l++)
        if (b->omega2[l] > 0) sum += b->C[k * b->nf + l] * b->C[k * b->nf + l] / b->omega2[l];
    return sum;
}

// Roles of the coordinates in `now`; the free ones with the strongest damping creep, until those
// that are left are slower than all others. Returns their largest damping; 0: none is left.
static double share_roles(basis *b, const bool *now) {
    double slowest = HUGE_VAL, gamma = 0;
    for (int k = 0; k < b->nf; k++) {
        if (!now[k]) continue;
        b->drift.role[k] = b->omega2[k] > 0 ? FOLLOWS : DRIFTS;
        if (b->omega2[k] > 0) // an overdamped one creeps with omega2/c
            slowest = fmin(slowest, fmin(sqrt(b->omega2[k]), b->omega2[k] / damping_of(b, k)));
    }
    for (;;) {
        int most = -1;
        for (int k = 0; k < b->nf; k++)
            if (now[k] && b->drift.role[k] == DRIFTS &&
                (most < 0 || damping_of(b, k) > damping_of(b, most)))
                most = k;
        gamma = most < 0 ? 0 : damping_of(b, most);
        if (most < 0 || (gamma < weak * slowest && coupling_of(b, most) < weak * weak))
            return gamma;
        b->drift.role[most] = CREEPS;
        slowest = fmin(slowest, gamma);
    }
}

// Which coordinates take part, and the largest damping of those that drift.
static jd_status choose(exact *e, basis *b, double *gamma) {
    int nf = b->nf;
    b->drift.number = JD_TAKE(e->arena, int, nf);
    b->drift.role = JD_TAKE(e->arena, drift_role, nf);
    bool *seen = JD_TAKE(e->arena, bool, nf), *now = JD_TAKE(e->arena, bool, nf);
    JD_TRY(jd_arena_status(e->arena));
    *gamma = 0;
    b->drift.n = 0;
    for (int k = 0; k < nf; k++) {
        if (seen[k] || b->omega2[k] != 0 || damping_of(b, k) == 0) continue;
        collect(b, k, now);
        double own = share_roles(b, now);
        *gamma = fmax(*gamma, own);
        for (int i = 0; i < nf; i++) {
            seen[i] |= now[i];
            if (now[i] && own == 0) b->drift.role[i] = APART;
        }
    }
    for (int k = 0; k < nf; k++)
        if (b->drift.role[k] == DRIFTS) b->drift.number[b->drift.n++] = k;
    return JD_OK;
}

static jd_status take(exact *e, basis *b) {
    int nf = b->nf, sources = e->plan.m + e->plan.n_drive + 2 * b->ms, n = b->drift.n;
    b->drift.by_constant = JD_TAKE(e->arena, double, sources *POWERS *nf);
    b->drift.by_ramp = JD_TAKE(e->arena, double, sources *POWERS *nf);
    b->drift.of_velocity = JD_TAKE(e->arena, double, n *POWERS *nf + 1);
    b->drift.from_x = JD_TAKE(e->arena, double, 2 * n * nf + 1);
    b->drift.from_g = JD_TAKE(e->arena, double, 2 * n * nf + 1);
    b->drift.slow = JD_TAKE(e->arena, bool, b->poles.n_pole + 1);
    return jd_arena_status(e->arena);
}

// Displacement or velocity part of vector i of W: places first, then velocities.
static double slow_vector(const basis *b, int i, bool velocity, int k) {
    if (i < b->drift.n) return !velocity && k == b->drift.number[i];
    return b->drift.of_velocity[((i - b->drift.n) * POWERS + velocity) * b->nf + k];
}

// drift_g = M^-1 W_x', drift_x = M^-1 W_v'
static jd_status project(exact *e, basis *b) {
    int n = 2 * b->drift.n, nf = b->nf;
    double *M = JD_TAKE(e->arena, double, n *n), *column = JD_TAKE(e->arena, double, n);
    int *pivot = JD_TAKE(e->arena, int, n);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < nf; k++) {
                double x = slow_vector(b, i, false, k), v = slow_vector(b, i, true, k);
                M[i * n + j] += x * slow_vector(b, j, true, k) + v * slow_vector(b, j, false, k);
                for (int l = 0; x != 0 && l < nf; l++) {
                    double c = b->C ? b->C[k * nf + l] : k == l ? b->c[k] : 0;
                    M[i * n + j] += x * c * slow_vector(b, j, false, l);
                }
            }
    if (!jd_lu_factor(n, M, pivot)) b->drift.n = 0;
    for (int k = 0; b->drift.n && k < nf; k++)
        for (int velocity = 0; velocity < 2; velocity++) {
            for (int i = 0; i < n; i++) column[i] = slow_vector(b, i, velocity, k);
            jd_lu_solve(n, M, pivot, column);
            double *to = velocity ? b->drift.from_x : b->drift.from_g;
            for (int i = 0; i < n; i++) to[i * nf + k] = column[i];
        }
    return JD_OK;
}

// Does pole p move a coordinate that drifts?
static bool moves_drifting(const basis *b, int p) {
    for (int i = 0; i < b->drift.n; i++) {
        int k = b->drift.number[i];
        if (b->C ? b->poles.right[p * b->nf + k].re != 0
                 : b->poles.kind[k] == OVERDAMPED &&
                       (p == b->poles.first[k] || p == b->poles.first[k] + 1))
            return true;
    }
    return false;
}

// The poles 0 and -gamma: real and slower than any other, two for each coordinate. False: they are
// not found.
static bool mark_slow(exact *e, basis *b, double gamma) {
    int own = b->poles.n_pole - e->plan.n_drive, found = 0;
    for (int p = 0; p < own; p++) {
        bool near = b->poles.pole[p].im == 0 && fabs(b->poles.pole[p].re) <= 1.5 * gamma;
        b->drift.slow[p] = near && moves_drifting(b, p);
        found += b->drift.slow[p];
    }
    return found == 2 * b->drift.n;
}

// Coordinates that take no part keep their own responses.
static void keep_others(const basis *b, int powers, const double *from, double *to) {
    for (int m = 0; m < powers; m++)
        for (int k = 0; k < b->nf; k++)
            if (b->drift.role[k] == APART) to[m * b->nf + k] = from[m * b->nf + k];
}

// Polynomials of all sources and of unit velocities; false: they do not settle.
static bool respond(const exact *e, basis *b, double *poly) {
    int nf = b->nf, sources = e->plan.m + e->plan.n_drive + 2 * b->ms;
    bool fine = true;
    for (int i = 0; fine && i < b->drift.n; i++)
        fine =
            settle(b, NULL, NULL, b->drift.number[i], poly, b->drift.of_velocity + i * POWERS * nf);
    for (int s = 0; fine && s < sources; s++) {
        const double *f = b->response.force + s * nf;
        fine = settle(b, f, NULL, -1, poly, b->drift.by_constant + s * POWERS * nf) &&
               settle(b, NULL, f, -1, poly, b->drift.by_ramp + s * POWERS * nf);
        keep_others(b, CONST_DEGREE, b->response.to_constant + s * CONST_DEGREE * nf,
                    b->drift.by_constant + s * POWERS * nf);
        keep_others(b, RAMP_DEGREE, b->response.to_ramp + s * RAMP_DEGREE * nf,
                    b->drift.by_ramp + s * POWERS * nf);
    }
    return fine;
}

jd_status jd_drift_create(exact *e, basis *b) {
    double gamma;
    b->drift.n = 0;
    for (int k = 0; k < b->nf; k++) b->drift.n += b->omega2[k] == 0 && damping_of(b, k) != 0;
    if (b->drift.n == 0) return JD_OK;
    JD_TRY(choose(e, b, &gamma));
    if (b->drift.n == 0) return JD_OK;
    JD_TRY(take(e, b));
    jd_arena_mark here = jd_arena_here(e->arena);
    double *poly = JD_TAKE(e->arena, double, INNER * b->nf);
    JD_TRY(jd_arena_status(e->arena));
    bool fine = mark_slow(e, b, gamma) && respond(e, b, poly);
    if (fine) JD_TRY(project(e, b));
    jd_arena_back(e->arena, here);
    b->drift.reach = reach / gamma;
    if (!fine) b->drift.n = 0;
    return JD_OK;
}

// Its share in a state (x, xd): places, then velocities.
static double share(const exact *e, int i, const double *x, const double *xd) {
    const basis *b = e->phase.b;
    double sum = jd_lanes_dot(b->nf, b->drift.from_x + i * b->nf, x);
    for (int k = 0; k < b->nf; k++)
        if (b->drift.from_g[i * b->nf + k] != 0)
            sum += b->drift.from_g[i * b->nf + k] * (xd[k] + drag(b, k, x));
    return sum;
}

void jd_drift_start(exact *e, double *x, double *xd) {
    const basis *b = e->phase.b;
    int nf = b->nf, n = b->drift.n;
    double *pq = e->scratch.vector; // 2 n <= 2 nf
    for (int i = 0; i < 2 * n; i++) pq[i] = share(e, i, x, xd);
    for (int i = 0; i < n; i++) {
        const double *home = b->drift.of_velocity + i * POWERS * nf;
        int k = b->drift.number[i];
        e->phase.poly[k] += pq[i];
        x[k] -= pq[i];
        jd_add_row(POWERS * nf, pq[n + i], home, e->phase.poly);
        jd_add_row(nf, -pq[n + i], home, x);
        jd_add_row(nf, -pq[n + i], home + nf, xd);
    }
    e->phase.degree = POWERS - 1;
}

// Q of (i Omega + Gamma) Q = g_q, Gamma = -2 x_{r,2} of home: nearly diagonal, the rest in turns.
// Real parts in Q, imaginary ones in Q + n.
static void slow_velocities(const basis *b, double Omega, const double *f, double *Q) {
    int n = b->drift.n, nf = b->nf;
    for (int i = 0; i < 2 * n; i++) Q[i] = 0;
    for (int turn = 0; turn < (n > 1 ? TURNS : 1); turn++)
        for (int i = 0; i < n; i++) {
            jd_complex g = {jd_lanes_dot(nf, b->drift.from_g + (n + i) * nf, f), 0};
            for (int j = 0; j < n; j++) {
                double rate = 2 * b->drift.of_velocity[(j * POWERS + 2) * nf + b->drift.number[i]];
                if (j != i) g = (jd_complex){g.re + rate * Q[j], g.im + rate * Q[n + j]};
            }
            double own = -2 * b->drift.of_velocity[(i * POWERS + 2) * nf + b->drift.number[i]];
            g = over(g, (jd_complex){own, Omega});
            Q[i] = g.re;
            Q[n + i] = g.im;
        }
}

// X = e_r P + Y Q, P = (Q + g_p)/(i Omega)
void jd_drift_response(const exact *e, const basis *b, int d, jd_complex *X) {
    int n = b->drift.n, nf = b->nf;
    double Omega = e->plan.drive[d].omega, *Q = e->scratch.vector;
    const double *f = b->response.force + (e->plan.m + d) * nf;
    slow_velocities(b, Omega, f, Q);
    for (int i = 0; i < n; i++) {
        const double *home = b->drift.of_velocity + i * POWERS * nf;
        for (int k = 0; k < nf; k++) {
            X[k].re += home[k] * Q[i];
            X[k].im += home[k] * Q[n + i];
        }
        X[b->drift.number[i]].re += Q[n + i] / Omega;
        X[b->drift.number[i]].im -= (Q[i] + jd_lanes_dot(nf, b->drift.from_g + i * nf, f)) / Omega;
    }
}

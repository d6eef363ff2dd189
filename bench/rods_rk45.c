// rods_rk45.c -- two rods rubbing along 25 m: Dormand and Prince's formula of order 5 with a fixed
//   step, events located by regula falsi on the step length.
//     m_i u_i'' = -(K u)_i + p_i + f_i,   eta'' + omega^2 eta = -Psi' f,   g = u' - Psi eta'
//   Stuck nodes follow rod 2, u_i'' = Psi_i eta'': (I + Psi_S' m_S Psi_S) eta'' = -omega^2 eta +
//   Psi_K' s F + Psi_S' (p - K u)_S. Releases where |f| reaches F, sticks where g reaches 0.
#include "rods_rk45.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timer.h"

static const double stiffness = 1e6, stiffness2 = 1e10, mass = 1, mass2 = 1e4, length = 50,
                    overlap = 25, load = 20, pi = 3.14159265358979323846;
enum { STAGES = 6, REFINE = 8 };
static const double at[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
static const double weight[STAGES + 1][STAGES] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

typedef struct rods {
    const rods_case *def;
    int n, nm, nc, i0, size; // nodes, modes, cells, first node in contact, numbers of a state
    double h, spring;
    double *m, *limit, *omega2;
    double *by_mode, *by_cell; // Psi in both orders
    double *inverse;           // of I + Psi_S' m_S Psi_S
    int *sign;                 // 0 stuck, else of the relative velocity
    bool *fresh;               // began to slide at the present time: not watched in its first step
    double *force, *r, *x, *a2, *v2, *e; // scratch
    double *guard0, *guard;              // positive while nothing happens
    double *stage[STAGES], *trial;
    long slip, stick, reversal;
} rods;

static double push(const rods *s, double t, double since) {
    if (s->def->omega > 0) return load * sin(s->def->omega * t);
    return since < s->def->pulse - 1e-13 ? load : 0;
}

static void shapes(rods *s) {
    double c2 = sqrt(stiffness2 / mass2), norm = sqrt(2 / (mass2 * length));
    for (int q = 0; q < s->nm; q++) {
        double k = (2 * q + 1) * pi / (2 * length);
        s->omega2[q] = c2 * c2 * k * k;
        for (int j = 0; j < s->nc; j++) {
            double z = (s->i0 + j) * s->h - (length - overlap), a = z - s->h / 2,
                   b = j == s->nc - 1 ? z : z + s->h / 2;
            s->by_mode[q * s->nc + j] = norm * (sin(k * b) - sin(k * a)) / (k * (b - a));
            s->by_cell[j * s->nm + q] = s->by_mode[q * s->nc + j];
        }
    }
}

// Sherman and Morrison: node j joins (1) or leaves (-1) the stuck ones.
static void couple(rods *s, int j, double sense) {
    const double *psi = s->by_cell + j * s->nm;
    double *w = s->e, scale = 1 / (sense * s->m[s->i0 + j]);
    for (int a = 0; a < s->nm; a++) {
        w[a] = 0;
        for (int b = 0; b < s->nm; b++) w[a] += s->inverse[a * s->nm + b] * psi[b];
    }
    for (int a = 0; a < s->nm; a++) scale += psi[a] * w[a];
    for (int a = 0; a < s->nm; a++)
        for (int b = 0; b < s->nm; b++) s->inverse[a * s->nm + b] -= w[a] * w[b] / scale;
}

static void to_cells(const rods *s, const double *restrict eta, double *restrict out) {
    memset(out, 0, (size_t)s->nc * sizeof *out);
    for (int q = 0; q < s->nm; q++) {
        const double *restrict psi = s->by_mode + q * s->nc;
        for (int j = 0; j < s->nc; j++) out[j] += psi[j] * eta[q];
    }
}

// u'' and eta'' at a state; the forces of stuck nodes.
static void accelerate(rods *s, const double *restrict u, const double *restrict eta, double p,
                       double *restrict ddu, double *restrict ddeta) {
    int n = s->n, nm = s->nm;
    double *restrict r = s->r, *restrict e = s->e, k = s->spring;
    r[0] = k * (u[1] - u[0]) + p;
    for (int i = 1; i < n - 1; i++) r[i] = k * (u[i + 1] - 2 * u[i] + u[i - 1]);
    r[n - 1] = k * (u[n - 2] - u[n - 1]);
    for (int q = 0; q < nm; q++) e[q] = -s->omega2[q] * eta[q];
    for (int j = 0; j < s->nc; j++) {
        double x = s->sign[j] ? s->sign[j] * s->limit[j] : r[s->i0 + j];
        const double *restrict psi = s->by_cell + j * nm;
        for (int q = 0; q < nm; q++) e[q] += x * psi[q];
    }
    for (int a = 0; a < nm; a++) {
        ddeta[a] = 0;
        for (int b = 0; b < nm; b++) ddeta[a] += s->inverse[b * nm + a] * e[b];
    }
    to_cells(s, ddeta, s->a2);
    for (int i = 0; i < s->i0; i++) ddu[i] = r[i] / s->m[i];
    for (int j = 0; j < s->nc; j++) {
        int i = s->i0 + j;
        s->force[j] = s->sign[j] ? -s->sign[j] * s->limit[j] : s->m[i] * s->a2[j] - r[i];
        ddu[i] = s->sign[j] ? (r[i] + s->force[j]) / s->m[i] : s->a2[j];
    }
}

// State: u, eta, u', eta'.
static void rate(rods *s, double t, double since, const double *y, double *out) {
    int half = s->n + s->nm;
    memcpy(out, y + half, (size_t)half * sizeof *out);
    accelerate(s, y, y + s->n, push(s, t, since), out + half, out + half + s->n);
}

static void combine(const rods *s, const double *y, int stages, const double *b, double dt,
                    double *restrict out) {
    memcpy(out, y, (size_t)s->size * sizeof *out);
    for (int k = 0; k < stages; k++) {
        const double *restrict f = s->stage[k];
        double c = dt * b[k];
        for (int i = 0; c != 0 && i < s->size; i++) out[i] += c * f[i];
    }
}

static void step(rods *s, double t, double dt, const double *y, double *out) {
    for (int k = 0; k < STAGES; k++) {
        combine(s, y, k, weight[k], dt, s->trial);
        rate(s, t + at[k] * dt, t, s->trial, s->stage[k]);
    }
    combine(s, y, STAGES, weight[STAGES], dt, out);
}

static void watch(rods *s, double t, double since, const double *y, double *guard) {
    rate(s, t, since, y, s->stage[0]);
    to_cells(s, y + 2 * s->n + s->nm, s->v2);
    const double *v = y + s->n + s->nm + s->i0;
    for (int j = 0; j < s->nc; j++)
        guard[j] =
            s->sign[j] ? s->sign[j] * (v[j] - s->v2[j]) : 1 - fabs(s->force[j]) / s->limit[j];
}

// The node that crossed first, by straight lines between the two ends; -1: none.
static int crossed(const rods *s, double *share) {
    int first = -1;
    *share = 1;
    for (int j = 0; j < s->nc; j++) {
        if (s->guard[j] >= -1e-13 || (s->fresh[j] && s->guard[j] >= -1e-12)) continue;
        double f = s->fresh[j]        ? 0.5
                   : s->guard0[j] > 0 ? s->guard0[j] / (s->guard0[j] - s->guard[j])
                                      : 0;
        if (f >= *share) continue;
        *share = f;
        first = j;
    }
    return first;
}

static void release(rods *s, int j) {
    double f = s->force[j];
    couple(s, j, -1);
    s->sign[j] = f > 0 ? -1 : 1;
    s->fresh[j] = true;
}

// What the node does whose guard was crossed.
static void change(rods *s, int j, double t, double *y) {
    bool stuck = s->sign[j] == 0;
    if (!stuck) {
        y[s->n + s->nm + s->i0 + j] = s->v2[j];
        couple(s, j, 1);
        s->sign[j] = 0;
        watch(s, t, t, y, s->guard);
        s->stick += s->guard[j] >= 0;
        s->reversal += s->guard[j] < 0;
        if (s->guard[j] >= 0) return;
    }
    s->slip += stuck;
    release(s, j);
}

static double locate(rods *s, double t, double dt, double shortest, const double *y, double *next,
                     int *who) {
    double te = dt, share;
    *who = -1;
    for (int i = 0; i < REFINE; i++) {
        step(s, t, te, y, next);
        watch(s, t + te, t, next, s->guard);
        int j = crossed(s, &share);
        if (j < 0) break;
        *who = j;
        double shorter = fmax(te * share, shortest);
        if (te <= shortest || shorter > 0.999 * te) break;
        te = shorter;
    }
    return te;
}

static void march(rods *s, double delta, double t_end, rods_outcome *out, double *y, double *next) {
    double dt0 = delta * s->h / sqrt(stiffness / mass), t = 0;
    watch(s, 0, 0, y, s->guard0);
    while (t < t_end - 1e-12) {
        double stop = s->def->omega == 0 && t < s->def->pulse - 1e-13 ? s->def->pulse : t_end;
        int who;
        double dt = t + dt0 > stop ? stop - t : dt0;
        t += locate(s, t, dt, 1e-4 * dt0, y, next, &who);
        double *swap = y;
        y = next, next = swap;
        for (int j = 0; j < s->nc; j++) s->fresh[j] = false;
        if (who >= 0) change(s, who, t, y);
        watch(s, t, t, y, s->guard0);
        for (int j = 0; j < s->nc; j++)
            if (s->sign[j] == 0) y[s->n + s->nm + s->i0 + j] = s->v2[j];
        out->steps++;
    }
    for (int k = 0; k < 4; k++) out->u[k] = y[k * (s->n - 1) / 3];
}

// One block for all arrays.
static double *cut(double **block, int n) {
    double *p = *block;
    *block += n;
    return p;
}

static void lay_out(rods *s, double *block) {
    int n = s->n, nm = s->nm, nc = s->nc;
    s->m = cut(&block, n), s->r = cut(&block, n);
    s->limit = cut(&block, nc), s->force = cut(&block, nc), s->a2 = cut(&block, nc);
    s->v2 = cut(&block, nc), s->guard0 = cut(&block, nc), s->guard = cut(&block, nc);
    s->omega2 = cut(&block, nm), s->e = cut(&block, nm);
    s->by_mode = cut(&block, nc * nm), s->by_cell = cut(&block, nc * nm);
    s->inverse = cut(&block, nm * nm);
    for (int k = 0; k < STAGES; k++) s->stage[k] = cut(&block, s->size);
    s->trial = cut(&block, s->size);
    for (int i = 0; i < n; i++) s->m[i] = mass * s->h * (i == 0 || i == n - 1 ? 0.5 : 1);
    for (int j = 0; j < nc; j++) s->limit[j] = s->def->friction * s->h * (j == nc - 1 ? 0.5 : 1);
    for (int q = 0; q < nm; q++) s->inverse[q * nm + q] = 1;
    shapes(s);
    for (int j = 0; j < nc; j++) couple(s, j, 1); // all stuck at rest
}

bool rods_rk45(const rods_case *def, double delta, double t_end, rods_outcome *out) {
    rods s = {.def = def, .n = def->n, .nm = def->modes, .i0 = def->n / 2};
    s.nc = s.n - s.i0;
    s.h = length / (s.n - 1);
    s.spring = stiffness / s.h;
    s.size = 2 * (s.n + s.nm);
    size_t doubles = (size_t)(2 * s.n + 6 * s.nc + 2 * s.nm + 2 * s.nc * s.nm + s.nm * s.nm +
                              (STAGES + 3) * s.size);
    double *block = calloc(doubles, sizeof *block);
    s.sign = calloc((size_t)s.nc, sizeof *s.sign);
    s.fresh = calloc((size_t)s.nc, sizeof *s.fresh);
    *out = (rods_outcome){0};
    bool room = block && s.sign && s.fresh;
    if (room) {
        lay_out(&s, block);
        double *y = block + doubles - 2 * s.size, begin = bench_clock();
        march(&s, delta, t_end, out, y, y + s.size);
        out->cpu = bench_clock() - begin;
    }
    out->slip = s.slip, out->stick = s.stick, out->reversal = s.reversal;
    free(block), free(s.sign), free(s.fresh);
    return room;
}

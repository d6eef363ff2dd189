// family_stability.c -- multipliers of orbits with several impacts per period, one orbit at a
// time.
//   In mass-normalised modes q, q' with B_j = sqrt(a_j): a flight turns each mode by omega_j times
//   its duration, and impact i acts on deviations, u = B'q, by
//     q -> q - 2 B u,   q' -> q' - 2 B B'q' + 2 B u u''/u',   u', u'' just before the impact.
//   The product M over a period is symplectic, M^-1 = -J M' J, so the roots of lambda + 1/lambda =
//   2 mu are the eigenvalues of W = (M + M^-1)/2, each twice and without a Jordan block: they do
//   not scatter by the root of rounding as those of M do on the unit circle. Two mu = 1 are trivial
//   (along the orbit, and along the family).
//   Guarantee: at each orbit a mu off [-1, 1] by more than 1e-7, or 1e-13 |W| where that is more,
//   is seen. Between two orbits nothing is said.
#include <math.h>
#include <string.h>

#include "analysis/nsm/nsm.h"
#include "base/constants.h"
#include "linalg/general.h"

static const double two_pi = JD_TWO_PI;

typedef struct monodromy {
    const jd_nsm *s;
    int n;
    double *beta; // n
    double *M;    // 2 n x 2 n row-major: rows q_j, then q_j'/unit
    double *W;
    double *mu;       // 4 n
    double *u, *rate; // 2 n
    double unit;      // [rad/s] of velocities
} monodromy;

static void begin(monodromy *m) {
    int N = 2 * m->n;
    memset(m->M, 0, (size_t)(N * N) * sizeof *m->M);
    for (int i = 0; i < N; i++) m->M[i * N + i] = 1;
}

static void fly(monodromy *m, double t) {
    int n = m->n, N = 2 * n;
    for (int j = 0; j < n; j++) {
        double o = m->s->modes.omega[j], c = cos(o * t), s = sin(o * t), r = o / m->unit;
        double *q = m->M + j * N, *v = m->M + (n + j) * N;
        for (int k = 0; k < N; k++) {
            double a = q[k], b = v[k];
            q[k] = c * a + s / r * b;
            v[k] = c * b - s * r * a;
        }
    }
}

// bend: u''/u' just before the impact [1/s]
static void hit(monodromy *m, double bend) {
    int n = m->n, N = 2 * n;
    for (int k = 0; k < N; k++) m->u[k] = m->rate[k] = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < N; k++) {
            m->u[k] += m->beta[j] * m->M[j * N + k];
            m->rate[k] += m->beta[j] * m->M[(n + j) * N + k];
        }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < N; k++) {
            m->M[j * N + k] -= 2 * m->beta[j] * m->u[k];
            m->M[(n + j) * N + k] += 2 * m->beta[j] * (bend / m->unit * m->u[k] - m->rate[k]);
        }
}

// u'' of the orbit at time t after its first impact.
static double acceleration(const jd_nsm *s, const double *time, const double *impulse, int k,
                           double t, double T) {
    double sum = 0;
    for (int j = 0; j < s->modes.n; j++) {
        double o = s->modes.omega[j], part = 0;
        for (int l = 0; l < k; l++) {
            double d = t - time[l];
            part += impulse[l] * cos(o * ((d < 0 ? d + T : d) - T / 2));
        }
        sum -= s->modes.a[j] * o * part / sin(o * T / 2);
    }
    return sum;
}

// W from M; returns its size.
static double fold_up(monodromy *m) {
    int n = m->n, N = 2 * n;
    const double *M = m->M;
    double size = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double A = (M[i * N + j] + M[(n + j) * N + n + i]) / 2,
                   B = (M[i * N + n + j] - M[j * N + n + i]) / 2,
                   C = (M[(n + i) * N + j] - M[(n + j) * N + i]) / 2;
            m->W[i * N + j] = m->W[(n + j) * N + n + i] = A;
            m->W[i * N + n + j] = B;
            m->W[(n + i) * N + j] = C;
            size = fmax(size, fmax(fabs(A), fmax(fabs(B), fabs(C))));
        }
    return size;
}

// Greatest |lambda| of mu: |mu +- sqrt(mu^2 - 1)|.
static double multiplier(double x, double y) {
    double re = x * x - y * y - 1, im = 2 * x * y, size = sqrt(hypot(re, im)),
           half = atan2(im, re) / 2, a = size * cos(half), b = size * sin(half);
    return fmax(hypot(x + a, y + b), hypot(x - a, y - b));
}

static jd_status judge(jd_nsm *s, monodromy *m, double *growth, bool *stable) {
    double noise = fmax(1e-7, 1e-13 * m->n * fold_up(m));
    jd_arena_mark mark = jd_arena_here(s->arena);
    JD_TRY(jd_eigen_general(s->arena, 2 * m->n, m->W, m->mu));
    jd_arena_back(s->arena, mark);
    *growth = 1;
    *stable = true;
    for (int i = 0; i < 2 * m->n; i++) {
        double x = m->mu[2 * i], y = m->mu[2 * i + 1], off = hypot(fmax(0, fabs(x) - 1), y);
        if (off <= noise) continue;
        *stable = false;
        *growth = fmax(*growth, multiplier(x, y));
    }
    return JD_OK;
}

jd_status jd_nsm_family_multipliers(jd_nsm *s, jd_nsm_family *f) {
    int n = s->modes.n, N = 2 * n, k = f->impacts;
    double *growth = JD_TAKE(s->arena, double, f->n);
    bool *stable = JD_TAKE(s->arena, bool, f->n);
    jd_arena_mark mark = jd_arena_here(s->arena);
    monodromy m = {.s = s, .n = n, .unit = s->modes.fastest};
    m.M = JD_TAKE(s->arena, double, N *N);
    m.W = JD_TAKE(s->arena, double, N *N);
    double **vectors[] = {&m.beta, &m.mu, &m.u, &m.rate};
    for (int i = 0; i < 4; i++) *vectors[i] = JD_TAKE(s->arena, double, 2 * N);
    JD_TRY(jd_arena_status(s->arena));
    for (int j = 0; j < n; j++) m.beta[j] = sqrt(s->modes.a[j]);
    for (int i = 0; i < f->n; i++) {
        const double *time = f->time + i * k, *impulse = f->impulse + i * k;
        double T = two_pi / f->omega[i];
        growth[i] = HUGE_VAL; // an impact without impulse: a grazing orbit, or a linear one
        stable[i] = false;
        bool grazes = false;
        begin(&m);
        for (int l = 0; l < k; l++) { // flight l, then the impact that ends it
            int next = (l + 1) % k;
            fly(&m, (next ? time[next] : T) - time[l]);
            if (impulse[next] == 0) grazes = true;
            hit(&m, acceleration(s, time, impulse, k, time[next], T) / -impulse[next]);
        }
        if (!grazes) JD_TRY(judge(s, &m, &growth[i], &stable[i]));
    }
    jd_arena_back(s->arena, mark);
    f->growth = growth;
    f->stable = stable;
    return JD_OK;
}

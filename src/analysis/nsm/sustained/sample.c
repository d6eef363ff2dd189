// sample.c -- motion of an orbit with sustained contact, for starts and pictures.
//   From the middle of the flight: q_j = A_j cos(omega_j t) up to h; then, in contact, q_j = B_j
//   R/omega_j^2 + sum_k Q_jk z_k/sigma_k^2 cos(sigma_k (t - h - s)) up to h + 2 s; the rest mirrors
//   the first part. Modes of one frequency share q_j in proportion to their part in the stop's
//   motion.
#include <math.h>

#include "analysis/nsm/sustained/sustained.h"
#include "problem/system.h"

typedef struct motion {
    jd_sustained x;
    double h, s, R;
    double *z, *A, *q, *rate; // n
    double *weight;           // n: of q_j in the point's motion
} motion;

jd_status jd_nsm_sustained_forms(const jd_nsm *s, jd_arena *arena, jd_sustained *out) {
    jd_dd *omega2 = JD_TAKE(arena, jd_dd, s->modes.n), *row = JD_TAKE(arena, jd_dd, s->modes.n);
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < s->modes.n; j++) {
        omega2[j] = dd_mul(dd(s->modes.omega[j]), dd(s->modes.omega[j]));
        row[j] = dd(sqrt(s->modes.a[j] / s->mass));
    }
    return jd_sustained_create(arena, s->modes.n, omega2, row, out);
}

static jd_status prepare(const jd_nsm *s, jd_arena *arena, int i, motion *m) {
    const jd_nsm_sustained *o = &s->found.sustained[i];
    double residual;
    *m = (motion){.h = o->flight / 2, .s = o->contact / 2};
    JD_TRY(jd_nsm_sustained_forms(s, arena, &m->x));
    m->R = s->gap / m->x.compliance;
    double **vectors[] = {&m->z, &m->A, &m->q, &m->rate, &m->weight};
    for (int k = 0; k < 5; k++) *vectors[k] = JD_TAKE(arena, double, s->modes.n);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_sustained_solve(arena, &m->x, m->h, m->s, s->gap, m->z, &residual));
    jd_sustained_flight(&m->x, m->h, m->s, m->z, m->A);
    return JD_OK;
}

jd_status jd_nsm_sustained_state(const jd_nsm *s, int i, double *q) {
    motion m;
    jd_arena *arena = jd_arena_create(s->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = prepare(s, arena, i, &m);
    for (int k = 0; status == JD_OK && k < jd_problem_system(s->problem)->modal.n; k++) {
        int j = s->modes.member[k];
        q[k] = j < 0 ? 0 : s->modes.row[k] / m.x.row[j] * m.A[j];
    }
    jd_arena_free(arena);
    return status;
}

// q, q' at time t in [0, T]; returns the force of the stop.
static double move(motion *m, double t) {
    const jd_sustained *x = &m->x;
    double mirror = t > m->h + m->s ? -1 : 1, force = -m->R;
    if (mirror < 0) t = 2 * (m->h + m->s) - t;
    for (int j = 0; j < x->n; j++) {
        double o = x->omega[j];
        m->q[j] = m->A[j] * cos(o * t);
        m->rate[j] = -mirror * o * m->A[j] * sin(o * t);
    }
    if (t <= m->h) return 0;
    for (int j = 0; j < x->n; j++) {
        m->q[j] = x->row[j] * m->R / (x->omega[j] * x->omega[j]);
        m->rate[j] = 0;
    }
    for (int k = 0; k < x->n - 1; k++) {
        double p = x->sigma[k], c = m->z[k] / (p * p), y = p * (t - m->h - m->s);
        force -= x->reaction[k] * c * cos(y);
        for (int j = 0; j < x->n; j++) {
            m->q[j] += x->Q[j * (x->n - 1) + k] * c * cos(y);
            m->rate[j] -= mirror * x->Q[j * (x->n - 1) + k] * c * p * sin(y);
        }
    }
    return force;
}

static jd_status weigh(const jd_nsm *s, jd_arena *arena, const char *point, motion *m) {
    int n = jd_problem_system(s->problem)->modal.n;
    jd_dd *row = JD_TAKE(arena, jd_dd, n);
    JD_TRY(jd_arena_status(arena));
    if (point) JD_TRY(jd_problem_row(s->problem, point, row));
    for (int k = 0; k < n; k++) {
        int j = s->modes.member[k];
        if (j >= 0)
            m->weight[j] += (point ? row[k].hi : s->modes.row[k]) * s->modes.row[k] / m->x.row[j];
    }
    return JD_OK;
}

jd_status jd_nsm_sustained_trace(const jd_nsm *s, int i, const char *point, int n, double *u,
                                 double *v, double *force) {
    motion m;
    jd_arena *arena = jd_arena_create(s->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = prepare(s, arena, i, &m);
    if (status == JD_OK) status = weigh(s, arena, point, &m);
    for (int k = 0; status == JD_OK && k < n; k++) {
        double pushes = move(&m, 2 * (m.h + m.s) * k / (n - 1));
        if (force) force[k] = pushes;
        u[k] = v[k] = 0;
        for (int j = 0; j < m.x.n; j++) {
            u[k] += m.weight[j] * m.q[j];
            v[k] += m.weight[j] * m.rate[j];
        }
    }
    jd_arena_free(arena);
    return status;
}

// reduce.c -- friction at a point of a structure, as a piecewise-smooth model.
//   A structure with modes keeps its N lowest; what the others do at the contact is one number w:
//     q_k'' + c_k q_k' + omega_k^2 q_k = b_k lambda,  k <= N,    h = b.q' + w - v
//     w' - L+ lambda' = -sigma w
//   w is the velocity that the modes left out would have, their step response sum b_k^2 sin(omega_k
//   t)/omega_k replaced by L+ e^(-sigma t): same jump at t = 0, and with
//     sigma = L+/C,  C = sum_(k > N) b_k^2/omega_k^2
//   the same compliance under a lasting force. L+ is the wave impedance of strings and rods,
//     L+ = arccos(D)/(pi sqrt(1 - D^2)) 2/(2 rho c)      (half of it again at no end, twice at a
//   free one); other structures have no jump: there sigma = omega_(N+1) and L+ = sigma C.
//   The contact's own displacement is b.q + (L+ lambda - w)/sigma.      tested: closure_bowed_*
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "contact/law.h"
#include "engine/closure/closure.h"
#include "problem/parts.h"

// Friction of a contact in front of any model.
typedef struct rubbing {
    jd_closure_model inner;
    const double *row; // n: velocity of the contact's point
    double belt;
    jd_friction law;
} rubbing;

static double relative(const rubbing *m, const double *y) {
    double v = -m->belt;
    for (int i = 0; i < m->inner.n; i++) v += m->row[i] * y[i];
    return v;
}

static void rub_r(void *u, double t, const double *y, double *out) {
    rubbing *m = u;
    m->inner.r(m->inner.user, t, y, out);
}
static void rub_linf(void *u, const double *y, double *out) {
    rubbing *m = u;
    m->inner.linf(m->inner.user, y, out);
}
static void rub_lplus(void *u, const double *y, double *out) {
    rubbing *m = u;
    m->inner.lplus(m->inner.user, y, out);
}
static double rub_h(void *u, const double *y) { return relative(u, y); }
static void rub_dh(void *u, const double *y, double *out) {
    const rubbing *m = u;
    (void)y;
    memcpy(out, m->row, (size_t)m->inner.n * sizeof *out);
}
// lambda = -side f(side v), f the resistance of the law.
static double rub_lambda(void *u, int side, const double *y) {
    const rubbing *m = u;
    double rate;
    return -side * jd_friction_at(&m->law, side * relative(m, y), &rate);
}
static void rub_dlambda(void *u, int side, const double *y, double *out) {
    const rubbing *m = u;
    double rate;
    jd_friction_at(&m->law, side * relative(m, y), &rate);
    for (int i = 0; i < m->inner.n; i++) out[i] = -rate * m->row[i];
}

static jd_status add_friction(closure *e, const double *row) {
    const jd_contact_def *c = jd_problem_contact(e->run->problem, 0)->def;
    rubbing *m = JD_TAKE(e->arena, rubbing, 1);
    JD_TRY(jd_arena_status(e->arena));
    m->inner = e->plan.pws.model;
    m->row = row;
    m->belt = c->against.kind == JD_MOVING ? c->against.velocity : 0;
    JD_TRY(jd_law_friction_of(e->arena, &c->law, &m->law));
    e->plan.pws.belt = m->belt;
    jd_closure_model *out = &e->plan.pws.model;
    out->user = m;
    out->r = rub_r;
    out->linf = rub_linf;
    if (out->lplus) out->lplus = rub_lplus;
    out->h = rub_h;
    out->dh = rub_dh;
    out->lambda = rub_lambda;
    out->dlambda = rub_dlambda;
    return JD_OK;
}

// The lowest modes of a structure.
typedef struct lowest {
    int N;
    const double *omega2, *c, *C, *b; // C: N x N or NULL
    double lplus, sigma;
} lowest;

static void low_r(void *u, double t, const double *y, double *out) {
    const lowest *m = u;
    int N = m->N;
    (void)t;
    for (int k = 0; k < N; k++) {
        double damped = m->C ? 0 : m->c[k] * y[N + k];
        for (int l = 0; m->C && l < N; l++) damped += m->C[k * N + l] * y[N + l];
        out[k] = y[N + k];
        out[N + k] = -damped - m->omega2[k] * y[k];
    }
    if (m->lplus > 0) out[2 * N] = -m->sigma * y[2 * N];
}
static void low_linf(void *u, const double *y, double *out) {
    const lowest *m = u;
    (void)y;
    memset(out, 0, (size_t)(2 * m->N + (m->lplus > 0)) * sizeof *out);
    memcpy(out + m->N, m->b, (size_t)m->N * sizeof *out);
}
static void low_lplus(void *u, const double *y, double *out) {
    const lowest *m = u;
    (void)y;
    memset(out, 0, (size_t)(2 * m->N) * sizeof *out);
    out[2 * m->N] = m->lplus;
}

// D when every mode has the same damping ratio, else -1.
static double common_ratio(const jd_modal *modal) {
    if (modal->law == JD_DAMPING_NONE) return 0;
    if (modal->law != JD_DAMPING_MODAL || !modal->c) return -1;
    double ratio = -1;
    for (int k = 0; k < modal->n; k++) {
        double omega = sqrt(modal->omega2[k].hi), d = modal->c[k] / (2 * omega);
        if (!(omega > 0)) continue;
        if (ratio >= 0 && fabs(d - ratio) > 1e-9) return -1;
        ratio = d;
    }
    return ratio < 1 ? ratio : -1;
}

static void wave_term(const jd_structure *s, int point, const jd_dd *row, lowest *m) {
    const jd_modal *modal = &s->modal;
    double ratio = common_ratio(modal), C = 0;
    bool wave = s->jump && ratio >= 0 && s->jump[point] > 0;
    if (wave) {
        C = s->compliance[point];
        for (int k = 0; k < m->N; k++)
            if (m->omega2[k] > 0) C -= m->b[k] * m->b[k] / m->omega2[k];
        m->lplus = s->jump[point] * 2 * acos(ratio) / (JD_PI * sqrt(1 - ratio * ratio));
        m->sigma = m->lplus / C;
        return;
    }
    for (int k = m->N; k < modal->n; k++) C += row[k].hi * row[k].hi / modal->omega2[k].hi;
    if (!(C > 0)) return;
    m->sigma = sqrt(modal->omega2[m->N].hi);
    m->lplus = m->sigma * C;
}

static jd_status keep_modes(closure *e, const jd_structure *s, int point, lowest *m) {
    const jd_system *system = jd_problem_system(e->run->problem);
    const jd_modal *modal = &s->modal;
    const jd_simulate_def *d = jd_problem_section(e->run->problem, JD_SIMULATE, NULL);
    int N = m->N = d->modes == 0 || d->modes > modal->n ? modal->n : d->modes;
    double *omega2 = JD_TAKE(e->arena, double, N), *c = JD_TAKE(e->arena, double, N),
           *b = JD_TAKE(e->arena, double, N);
    double *C = modal->C ? JD_TAKE(e->arena, double, N *N) : NULL;
    JD_TRY(jd_arena_status(e->arena));
    for (int k = 0; k < N; k++) {
        omega2[k] = modal->omega2[k].hi;
        c[k] = modal->c ? modal->c[k] : 0;
        b[k] = system->contact[0][k].hi;
        for (int l = 0; C && l < N; l++) C[k * N + l] = modal->C[k * modal->n + l];
    }
    m->omega2 = omega2;
    m->c = c;
    m->b = b;
    m->C = C;
    if (d->wave_term == 0) wave_term(s, point, system->contact[0], m);
    return JD_OK;
}

// Rows over (q, q', w, kappa, lambda) of named points, and columns of drives.
// What w stores is the strain of the modes left out under a lasting force kappa = lambda - w/L+,
// C kappa^2/2; what it radiates w^2/L+:  lambda w = C kappa kappa' + w^2/L+.
static void low_energy(void *u, const double *X, double out[3]) {
    const lowest *m = u;
    const double *q = X, *v = X + m->N;
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < m->N; k++) {
        double damped = m->C ? 0 : m->c[k] * v[k];
        for (int l = 0; m->C && l < m->N; l++) damped += m->C[k * m->N + l] * v[l];
        out[0] += v[k] * v[k] / 2;
        out[1] += m->omega2[k] * q[k] * q[k] / 2;
        out[2] += v[k] * damped;
    }
    if (!(m->lplus > 0)) return;
    double w = X[2 * m->N], kappa = X[2 * m->N + 2] - w / m->lplus;
    out[1] += m->lplus / m->sigma * kappa * kappa / 2;
    out[2] += w * w / m->lplus;
}

static jd_status look_at_modes(closure *e, const jd_structure *s, const lowest *m) {
    int N = m->N, n = 2 * N + (m->lplus > 0), w = n + 2;
    e->plan.pws.point_u = JD_TAKE(e->arena, double, s->n_point *w);
    e->plan.pws.point_v = JD_TAKE(e->arena, double, s->n_point *w);
    e->plan.pws.displacement = JD_TAKE(e->arena, double, w);
    JD_TRY(jd_arena_status(e->arena));
    for (int i = 0; i < s->n_point; i++)
        for (int k = 0; k < N; k++) {
            double b = s->row[i * s->modal.n + k].hi;
            e->plan.pws.point_u[i * w + k] = b;
            e->plan.pws.point_v[i * w + N + k] = b;
        }
    memcpy(e->plan.pws.displacement, m->b, (size_t)N * sizeof *m->b);
    if (m->lplus > 0) {
        e->plan.pws.displacement[2 * N] = -1 / m->sigma;
        e->plan.pws.displacement[w - 1] = m->lplus / m->sigma;
    }
    for (int d = 0; d < e->plan.n_drive; d++) {
        double *column = JD_TAKE(e->arena, double, w);
        JD_TRY(jd_arena_status(e->arena));
        for (int k = 0; k < N; k++)
            column[N + k] = jd_problem_system(e->run->problem)->drive[d][k].hi;
        e->plan.drive[d].column = e->plan.drive[d].felt = column;
    }
    return JD_OK;
}

static jd_status reduce(closure *e, const jd_structure *s) {
    const jd_problem *p = e->run->problem;
    const jd_contact_def *c = jd_problem_contact(p, 0)->def;
    lowest *m = JD_TAKE(e->arena, lowest, 1);
    JD_TRY(jd_arena_status(e->arena));
    JD_TRY(keep_modes(e, s, jd_structure_point(s, c->at.point), m));
    int n = 2 * m->N + (m->lplus > 0);
    e->plan.pws.model = (jd_closure_model){
        .n = n, .user = m, .r = low_r, .linf = low_linf, .lplus = m->lplus > 0 ? low_lplus : NULL};
    double *row = JD_TAKE(e->arena, double, n);
    JD_TRY(jd_arena_status(e->arena));
    memcpy(row + m->N, m->b, (size_t)m->N * sizeof *row);
    if (m->lplus > 0) row[2 * m->N] = 1;
    JD_TRY(look_at_modes(e, s, m));
    e->plan.pws.energy = low_energy;
    e->plan.pws.energy_user = m;
    return add_friction(e, row);
}

jd_status jd_closure_reduce(closure *e) {
    const jd_problem *p = e->run->problem;
    const jd_structure *s = jd_problem_structure(p, 0);
    int body, point;
    if (!(jd_structure_capabilities(s) & JD_CAN_PWS)) return reduce(e, s);
    if (jd_problem_contacts(p) == 0) return JD_OK;
    const jd_contact_def *c = jd_problem_contact(p, 0)->def;
    if (jd_law_traits(&c->law) & JD_LAW_SURFACE) return JD_OK;
    if (e->plan.pws.model.h)
        return jd_fail(e->run->context, JD_NOT_SUPPORTED,
                       "a `%s` switches by itself: it takes no contact of its own",
                       jd_problem_body(p, 0)->type->name);
    JD_TRY(jd_problem_find_point(p, c->at.body, c->at.point, &body, &point));
    e->plan.pws.displacement = e->plan.pws.point_u + point * (e->plan.pws.model.n + 2);
    return add_friction(e, e->plan.pws.point_v + point * (e->plan.pws.model.n + 2));
}

// reference.c -- events of a benchmark problem from closed forms, in quadruple precision.
//   Between events each mode is  q = Re c e^{lambda tau} + Im(F H(i Omega) e^{i Omega t}) +
//   q_static, so a watched quantity is g(tau) = g_c + Re sum_p c_p e^{lambda_p tau}, and with B_m =
//   sum |c_p| |lambda_p|^m (never growing, Re lambda <= 0)
//       g(tau + h) >= g + g' h - B_2 h^2/2 > 0   for  0 <= h < 2 g/(-g' + sqrt(g'^2 + 2 B_2 g)).
//   Steps of that length cannot jump over a zero and converge to it quadratically. A phase that
//   starts on its own surface with d vanishing orders takes h = (d+1) g^(d)/B_{d+1} first.
//   Independent of Judder: no code shared, order 2 only, no splitting of poles.
#include "reference.h"

#include <string.h>

enum { POLES = BENCH_MAX + 1 };

typedef struct pole {
    quad a, w, re, im; // Re (re + i im) e^{(a + i w) tau}
} pole;

typedef struct sum {
    int n;
    quad constant;
    pole p[POLES];
} sum;

typedef struct motion { // closed form of all modes in one phase
    const bench_basis_quad *basis;
    quad t0, force, drive, beta;
    quad still[BENCH_MAX];             // static part of q_k
    quad hr[BENCH_MAX], hi[BENCH_MAX]; // participation x transfer function at Omega
    quad cr[BENCH_MAX], ci[BENCH_MAX]; // free part
    quad wd[BENCH_MAX];
} motion;

typedef struct run {
    const bench_problem *p;
    bench_events *events;
    bench_reference *out;
    quad t, t_end, q[BENCH_MAX], v[BENCH_MAX], y0; // state in the basis of the phase
    char phase;
    int vanishing; // orders that vanish at the start of the phase
} run;

// Closed form from the state (q, v) at t0 under a constant modal force and the drive.
static void motion_set(motion *m, const run *r, const bench_basis_quad *basis, quad resist) {
    const bench_problem *p = r->p;
    m->basis = basis, m->t0 = r->t, m->force = p->q_force, m->drive = p->q_drive;
    quad s, c, w = p->q_drive;
    sincosq(w * r->t, &s, &c);
    for (int k = 0; k < basis->n; k++) {
        quad o = basis->omega[k], d = basis->damping[k] / 2;
        m->wd[k] = sqrtq((o - d) * (o + d));
        m->still[k] = -resist * basis->at_contact[k] / (o * o);
        quad re = o * o - w * w, im = 2 * d * w, f = p->q_force * basis->at_drive[k];
        m->hr[k] = f * re / (re * re + im * im);
        m->hi[k] = -f * im / (re * re + im * im);
        quad x = r->q[k] - m->still[k] - (m->hr[k] * s + m->hi[k] * c);
        quad v = r->v[k] - w * (m->hr[k] * c - m->hi[k] * s);
        m->cr[k] = x;
        m->ci[k] = -(v + d * x) / m->wd[k];
    }
}

static void motion_state(const motion *m, quad tau, quad *q, quad *v) {
    quad s, c, w = m->drive;
    sincosq(w * (m->t0 + tau), &s, &c);
    for (int k = 0; k < m->basis->n; k++) {
        quad d = m->basis->damping[k] / 2, e = expq(-d * tau), sk, ck;
        sincosq(m->wd[k] * tau, &sk, &ck);
        quad re = e * (m->cr[k] * ck - m->ci[k] * sk), im = e * (m->cr[k] * sk + m->ci[k] * ck);
        q[k] = re + m->still[k] + m->hr[k] * s + m->hi[k] * c;
        v[k] = -d * re - m->wd[k] * im + w * (m->hr[k] * c - m->hi[k] * s);
    }
}

// Sum of  a_k q_k + b_k q_k'  + direct * F sin Omega t + constant.
static void watch(const motion *m, const quad *a, const quad *b, quad direct, quad constant,
                  sum *g) {
    int n = m->basis->n;
    quad s, c, w = m->drive, hr = direct * m->force, hi = 0;
    sincosq(w * m->t0, &s, &c);
    g->n = n + 1, g->constant = constant;
    for (int k = 0; k < n; k++) {
        quad d = -m->basis->damping[k] / 2, f = m->wd[k];
        quad ar = a[k] + b[k] * d, ai = b[k] * f; // a + b lambda
        g->p[k] = (pole){d, f, ar * m->cr[k] - ai * m->ci[k], ar * m->ci[k] + ai * m->cr[k]};
        g->constant += a[k] * m->still[k];
        hr += a[k] * m->hr[k] - b[k] * w * m->hi[k]; // a + b i Omega
        hi += a[k] * m->hi[k] + b[k] * w * m->hr[k];
    }
    // Im((hr + i hi) e^{i Omega t0} e^{i Omega tau}) = Re(-i ...)
    quad zr = hr * c - hi * s, zi = hr * s + hi * c;
    g->p[n] = (pole){0, w, zi, -zr};
}

typedef struct value {
    quad d[4], bound[5]; // derivatives; B_m at this time
} value;

static void evaluate(const sum *g, quad tau, value *out) {
    memset(out, 0, sizeof *out);
    out->d[0] = g->constant;
    for (int k = 0; k < g->n; k++) {
        const pole *p = &g->p[k];
        if (p->re == 0 && p->im == 0) continue;
        quad s, c, e = p->a == 0 ? 1 : expq(p->a * tau);
        sincosq(p->w * tau, &s, &c);
        quad re = e * (p->re * c - p->im * s), im = e * (p->re * s + p->im * c);
        quad size = sqrtq(re * re + im * im), l = sqrtq(p->a * p->a + p->w * p->w);
        for (int m = 0; m < 5; m++) {
            if (m < 4) out->d[m] += re;
            out->bound[m] += size;
            quad x = p->a * re - p->w * im;
            im = p->a * im + p->w * re, re = x, size *= l;
        }
    }
}

// Provably free of zeros of  offset + sign g  over the returned length.
static quad free_length(const value *v, quad offset, int sign, int vanishing) {
    if (vanishing)
        return (quad)0.99 * (vanishing + 1) * sign * v->d[vanishing] / v->bound[vanishing + 1];
    quad g = offset + sign * v->d[0], g1 = sign * v->d[1];
    if (g <= 0) return 0;
    return 2 * g / (-g1 + sqrtq(g1 * g1 + 2 * v->bound[2] * g));
}

// First zero of offset[i] + sign[i] g in (0, tau_max): its index, or -1.
static int first_zero(run *r, const sum *g, int n, const quad *offset, const int *sign,
                      quad tau_max, quad *tau) {
    value v;
    int vanishing = r->vanishing;
    *tau = 0;
    for (;;) {
        evaluate(g, *tau, &v);
        r->out->evaluations++;
        quad h = tau_max;
        int which = 0;
        for (int i = 0; i < n; i++) {
            quad hi = free_length(&v, offset[i], sign[i], vanishing);
            if (hi < h) h = hi, which = i;
        }
        bool converged = h <= (quad)1e-20 * (*tau + (quad)1e-3); // the next would be squared
        *tau += h, vanishing = 0;
        if (*tau >= tau_max) return -1;
        if (converged) return which;
    }
}

static void to_held(run *r) {
    const bench_problem *p = r->p;
    quad q[BENCH_MAX], v[BENCH_MAX];
    r->y0 = 0;
    for (int k = 0; k < p->free.n; k++) r->y0 += p->q_free.at_contact[k] * r->q[k];
    for (int i = 0; i < p->held.n; i++) {
        q[i] = v[i] = 0;
        for (int k = 0; k < p->free.n; k++) {
            q[i] += p->q_to_held[i][k] * (r->q[k] - r->y0 * p->q_static_shape[k]);
            v[i] += p->q_to_held[i][k] * r->v[k];
        }
    }
    memcpy(r->q, q, sizeof q), memcpy(r->v, v, sizeof v);
}

static void to_free(run *r) {
    const bench_problem *p = r->p;
    quad q[BENCH_MAX], v[BENCH_MAX];
    for (int k = 0; k < p->free.n; k++) {
        q[k] = r->y0 * p->q_static_shape[k], v[k] = 0;
        for (int i = 0; i < p->held.n; i++) {
            q[k] += p->q_to_held[i][k] * r->q[i];
            v[k] += p->q_to_held[i][k] * r->v[i];
        }
    }
    memcpy(r->q, q, sizeof q), memcpy(r->v, v, sizeof v);
}

// Resistance of the held point in state (q, v) of the held basis.
static quad held_force(const run *r) {
    const bench_problem *p = r->p;
    quad f = p->q_force * sinq(p->q_drive * r->t);
    quad s = -p->q_held_stiffness * r->y0 - p->q_held_drive * f;
    for (int k = 0; k < p->held.n; k++)
        s -= p->q_held.at_contact[k] * (r->q[k] + p->q_beta * r->v[k]);
    return s;
}

static void enter(run *r, char to, quad speed, int vanishing) {
    quad last = r->events->n ? r->out->time[r->events->n - 1] : 0;
    if (r->events->n < BENCH_EVENTS) r->out->time[r->events->n] = r->t;
    if (r->t - last < r->out->shortest) r->out->shortest = r->t - last;
    bench_note(r->events, (double)r->t, r->phase, to, (double)speed);
    r->phase = to, r->vanishing = vanishing;
}

// Stuck until |R| = R0.
static bool stick_phase(run *r) {
    const bench_problem *p = r->p;
    motion m;
    sum g;
    quad a[BENCH_MAX], b[BENCH_MAX], tau;
    motion_set(&m, r, &p->q_held, 0); // at_contact is a row of forces here, not participations
    for (int k = 0; k < p->held.n; k++) a[k] = -p->q_held.at_contact[k], b[k] = p->q_beta * a[k];
    watch(&m, a, b, -p->q_held_drive, -p->q_held_stiffness * r->y0, &g);
    const quad offset[2] = {p->q_limit, p->q_limit};
    const int sign[2] = {-1, 1};
    int i = first_zero(r, &g, 2, offset, sign, r->t_end - r->t, &tau);
    if (i < 0) return false;
    motion_state(&m, tau, r->q, r->v);
    r->t += tau;
    to_free(r);
    enter(r, i == 0 ? '+' : '-', 0, 2);
    return true;
}

static bool slide_phase(run *r) {
    const bench_problem *p = r->p;
    motion m;
    sum g;
    int sign = r->phase == '+' ? 1 : -1;
    const quad zero[BENCH_MAX] = {0};
    quad tau;
    motion_set(&m, r, &p->q_free, sign * p->q_limit);
    watch(&m, zero, p->q_free.at_contact, 0, 0, &g);
    if (first_zero(r, &g, 1, zero, &sign, r->t_end - r->t, &tau) < 0) return false;
    motion_state(&m, tau, r->q, r->v);
    r->t += tau;
    quad q[BENCH_MAX], v[BENCH_MAX];
    memcpy(q, r->q, sizeof q), memcpy(v, r->v, sizeof v);
    to_held(r);
    quad resist = held_force(r);
    if (fabsq(resist) <= p->q_limit) {
        enter(r, 'H', 0, 0);
        return true;
    }
    memcpy(r->q, q, sizeof q), memcpy(r->v, v, sizeof v); // reversal: stays in the free basis
    enter(r, resist > 0 ? '+' : '-', 0, 1);
    return true;
}

// Flight to the next impact. No chatter: in these problems the flights never accumulate (0.05 s at
// least); if they did, the list of events would overflow and say so.
static bool flight_phase(run *r) {
    const bench_problem *p = r->p;
    motion m;
    sum g;
    const quad zero[BENCH_MAX] = {0};
    const int down = -1;
    quad tau, speed = 0, mobility = 0;
    motion_set(&m, r, &p->q_free, 0);
    watch(&m, p->q_free.at_contact, zero, 0, -p->q_gap, &g);
    if (first_zero(r, &g, 1, zero, &down, r->t_end - r->t, &tau) < 0) return false;
    motion_state(&m, tau, r->q, r->v);
    r->t += tau;
    for (int k = 0; k < p->free.n; k++) {
        speed += p->q_free.at_contact[k] * r->v[k];
        mobility += p->q_free.at_contact[k] * p->q_free.at_contact[k];
    }
    quad impulse = (1 + p->q_restitution) * speed / mobility;
    for (int k = 0; k < p->free.n; k++) r->v[k] -= impulse * p->q_free.at_contact[k];
    enter(r, 'o', speed, 1);
    return true;
}

void bench_reference_run(const bench_problem *p, double t_end, bench_events *events,
                         bench_reference *out) {
    run r = {.p = p, .events = events, .out = out, .t_end = t_end < 0 ? p->q_t_end : (quad)t_end};
    events->n = 0, events->overflow = false;
    memset(out, 0, sizeof *out);
    out->shortest = r.t_end;
    memcpy(r.q, p->q_q0, sizeof r.q), memcpy(r.v, p->q_v0, sizeof r.v);
    r.phase = p->kind == BENCH_STOP ? 'o' : 'H';
    if (r.phase == 'H') to_held(&r);
    for (bool more = true; more && !events->overflow;) {
        if (r.phase == 'o')
            more = flight_phase(&r);
        else if (r.phase == 'H')
            more = stick_phase(&r);
        else
            more = slide_phase(&r);
    }
}

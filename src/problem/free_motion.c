// free_motion.c -- how contacts move without contact forces: from the start and under the drives.
//   Start: each mode of the table that moves, q = q0 (g' + c g) + q0' g; infinitely many modes in a
//   shape: forces that held it end (problem/shape.h), and velocities are refused.
//   Drives, F = level + slope (t - a) + amplitude sin(omega t + phase) between breakpoints: a
//   change of level h at time a adds h G(t - a) to the velocity, one of slope h U(t - a); a
//   harmonic part that begins at a has the steady state Im[A e^{i phase} Ghat(i omega) e^{i omega
//   t}] and a transient. That is exact for the first TRANSIENTS modes of a body; the rest of an
//   infinite body adds F(a) G + F'(a) (U - U_static), less what those modes hold of it: an error of
//   the order D (omega/omega_k)^3 per mode left out.     tested: free_motion_is_that_of_many_modes
#include <math.h>

#include "drive/segment.h"
#include "kernel/cartesian.h"
#include "kernel/family.h"
#include "problem/initial.h"
#include "problem/memory.h"
#include "problem/parts.h"

enum { TRANSIENTS = 4000 };

struct jd_free_motion {
    jd_context *context;
    jd_arena *arena;
    const jd_problem *problem;
    const jd_response *response;
    int n, n_place, n_drive;
    jd_start_places start; // forces that held infinitely many modes at the start
    bool from_static;
    double *q, *rate; // of the start, over the modes of the system
    bool moves;       // one of them is not 0
    jd_response_modes modes;
    double *statics; // n x n_place
    double **steady; // per drive: Ghat(i omega), n complex; NULL: not harmonic
    double *omega;   // per drive
};

static jd_status take_start(jd_free_motion *m) {
    const jd_system *y = jd_problem_system(m->problem);
    m->q = JD_TAKE(m->arena, double, y->modal.n);
    m->rate = JD_TAKE(m->arena, double, y->modal.n);
    JD_TRY(jd_arena_status(m->arena));
    m->from_static = jd_problem_start(m->problem)->type == &jd_start_static;
    JD_TRY(jd_problem_initial(m->problem, m->q, m->rate)); // refuses loads without equilibrium
    if (m->start.pushed >= 0) {
        jd_fail(m->context, JD_NOT_SUPPORTED,
                "a start with velocities along a body of infinitely many modes can be computed by "
                "engine `memory` only");
        jd_fail_where(m->context, "start");
        return JD_NOT_SUPPORTED;
    }
    for (int k = 0; m->start.held >= 0 && k < y->modal.n; k++) m->q[k] = 0;
    for (int k = 0; !m->from_static && k < y->modal.n; k++)
        m->moves = m->moves || m->q[k] != 0 || m->rate[k] != 0;
    if (y->modal.law != JD_DAMPING_FULL || (!m->moves && y->n_drive == 0)) return JD_OK;
    return jd_fail(m->context, JD_NOT_SUPPORTED,
                   "free motion cannot be computed here where a damping matrix couples the modes");
}

// Ghat(i omega) of each harmonic drive at every contact.
static jd_status take_steady(jd_free_motion *m, int drive) {
    const jd_object *o = jd_problem_drive(m->problem, drive);
    m->omega[drive] = jd_drive_omega(o, jd_problem_drive_frequency(m->problem, drive));
    if (!(m->omega[drive] > 0)) return JD_OK;
    double *all = JD_TAKE(m->arena, double, 2 * m->n * m->n_place);
    double *own = m->steady[drive] = JD_TAKE(m->arena, double, 2 * m->n);
    JD_TRY(jd_arena_status(m->arena));
    JD_TRY(jd_response_transfer(m->response, (double[]){0, m->omega[drive]}, all));
    for (int i = 0; i < m->n; i++) {
        const double *from = all + 2 * (i * m->n_place + m->n + drive);
        own[2 * i] = from[0];
        own[2 * i + 1] = from[1];
    }
    return JD_OK;
}

static jd_status make(jd_free_motion *m) {
    int n_drive = m->n_drive;
    JD_TRY(take_start(m));
    if (n_drive == 0 && m->start.held < 0) return JD_OK;
    m->statics = JD_TAKE(m->arena, double, m->n * m->n_place);
    m->steady = JD_TAKE(m->arena, double *, n_drive);
    m->omega = JD_TAKE(m->arena, double, n_drive);
    JD_TRY(jd_arena_status(m->arena));
    JD_TRY(jd_response_static(m->response, m->statics));
    JD_TRY(jd_response_modes_of(m->response, TRANSIENTS, m->arena, &m->modes));
    for (int d = 0; d < n_drive; d++) JD_TRY(take_steady(m, d));
    return JD_OK;
}

jd_status jd_free_motion_create(jd_context *context, const jd_problem *problem,
                                const jd_response *response, const jd_start_places *start,
                                jd_free_motion **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_free_motion *m = JD_TAKE(arena, jd_free_motion, 1);
    jd_status s = m ? JD_OK : JD_OUT_OF_MEMORY;
    if (m) {
        *m = (jd_free_motion){.context = context,
                              .arena = arena,
                              .problem = problem,
                              .response = response,
                              .n = jd_response_contacts(response),
                              .n_drive = jd_problem_drives(problem),
                              .start = start ? *start : (jd_start_places){.held = -1, .pushed = -1},
                              .n_place = jd_response_places(response)};
        s = make(m);
    }
    if (s == JD_OK)
        *out = m;
    else
        jd_arena_free(arena);
    return s;
}

void jd_free_motion_free(jd_free_motion *m) {
    if (m) jd_arena_free(m->arena);
}

// Motion of all contacts at one time, added up.
typedef struct moment {
    double *u, *v; // n each
    double *work;  // 4 n n_place: orders of the response
} moment;

static void add_start(const jd_free_motion *m, double t, moment *to) {
    const jd_system *y = jd_problem_system(m->problem);
    double g[4];
    for (int k = 0; m->moves && k < y->modal.n; k++) {
        if (m->q[k] == 0 && m->rate[k] == 0) continue;
        double w2 = dd_value(y->modal.omega2[k]), c = y->modal.c[k];
        jd_mode_orders(sqrt(w2), c, t, g);
        double q = m->q[k] * (g[0] + c * g[1]) + m->rate[k] * g[1];
        double r = -w2 * m->q[k] * g[1] + m->rate[k] * g[0];
        for (int i = 0; i < m->n; i++) {
            double n = dd_value(y->contact[i][k]);
            to->u[i] += n * q;
            to->v[i] += n * r;
        }
    }
}

// G, U and its integrals at theta = t - a, for all pairs.
static jd_status look(const jd_free_motion *m, double theta, bool second, moment *to) {
    int size = m->n * m->n_place;
    JD_TRY(jd_response_at(m->response, JD_RESPONSE_STEP, 1, &theta, to->work));
    JD_TRY(jd_response_at(m->response, JD_RESPONSE_INTEGRAL, 1, &theta, to->work + size));
    if (!second) return JD_OK;
    return jd_response_at(m->response, JD_RESPONSE_SECOND, 1, &theta, to->work + 2 * size);
}

// A level and a slope that begin at theta = 0.
static jd_status add_straight(const jd_free_motion *m, int drive, double level, double slope,
                              double theta, moment *to) {
    int size = m->n * m->n_place;
    if (level == 0 && slope == 0) return JD_OK;
    JD_TRY(look(m, theta, slope != 0, to));
    for (int i = 0; i < m->n; i++) {
        int at = i * m->n_place + m->n + drive;
        double U = to->work[size + at];
        to->v[i] += level * to->work[at] + slope * U;
        to->u[i] += level * U;
        if (slope != 0) to->u[i] += slope * (to->work[2 * size + at] + m->statics[at] * theta);
    }
    return JD_OK;
}

// Of one mode: transient of A sin(omega theta + phase) from rest.
static void transient(double w, double c, double omega, double complex force, const double g[4],
                      double *q, double *rate) {
    double shift = c == 0 && fabs(w - omega) < 1e-6 * w ? 1e-6 * w : 0; // resonance without damping
    double complex H = force / cartesian((w + shift - omega) * (w + shift + omega), c * omega);
    double q0 = -cimag(H), r0 = -cimag(cartesian(0, omega) * H);
    *q = q0 * (g[0] + c * g[1]) + r0 * g[1];
    *rate = -w * w * q0 * g[1] + r0 * g[0];
}

// Modes kept one by one; what an infinite body has beyond them by F(a) G + F'(a)(U - U_static).
static jd_status add_transients(const jd_free_motion *m, int drive, double complex force,
                                double theta, moment *to) {
    const jd_response_modes *y = &m->modes;
    int size = m->n * m->n_place;
    double omega = m->omega[drive], F = cimag(force), rate = omega * creal(force), g[4];
    bool rest = jd_response_infinite(m->response);
    if (rest) JD_TRY(look(m, theta, true, to));
    for (int i = 0; rest && i < m->n; i++) {
        int at = i * m->n_place + m->n + drive;
        double lag = to->work[size + at] - m->statics[at];
        to->v[i] += F * to->work[at] + rate * lag;
        to->u[i] += F * lag + rate * to->work[2 * size + at];
    }
    const double *push = y->row + (size_t)(m->n + drive) * (size_t)y->n;
    for (int k = 0; k < y->n; k++) {
        if (push[k] == 0) continue;
        double q, r, w2 = y->omega[k] * y->omega[k];
        jd_mode_orders(y->omega[k], y->c[k], theta, g);
        transient(y->omega[k], y->c[k], omega, force, g, &q, &r);
        if (rest) {
            r -= F * g[1] + rate * (g[2] - 1 / w2);
            q -= F * (g[2] - 1 / w2) + rate * g[3];
        }
        for (int i = 0; i < m->n; i++) {
            double n = push[k] * y->row[(size_t)i * (size_t)y->n + (size_t)k];
            to->u[i] += n * q;
            to->v[i] += n * r;
        }
    }
    return JD_OK;
}

// A sin(omega theta + phase) that begins at theta = 0.
static jd_status add_harmonic(const jd_free_motion *m, int drive, double amplitude, double phase,
                              double theta, moment *to) {
    if (amplitude == 0) return JD_OK;
    double omega = m->omega[drive];
    double complex force = amplitude * cartesian(cos(phase), sin(phase));
    double complex now = force * cartesian(cos(omega * theta), sin(omega * theta));
    for (int i = 0; i < m->n; i++) {
        const double *s = m->steady[drive] + 2 * i;
        double complex v = cartesian(s[0], s[1]) * now;
        to->v[i] += cimag(v);
        to->u[i] += cimag(v / cartesian(0, omega));
    }
    return add_transients(m, drive, force, theta, to);
}

// Every change of a drive up to t, from breakpoint to breakpoint.
static jd_status add_drive(const jd_free_motion *m, int drive, double t, moment *to) {
    const jd_object *o = jd_problem_drive(m->problem, drive);
    double omega = m->omega[drive];
    jd_drive_segment now, before = {0};
    for (double a = 0; a <= t; a = now.end) {
        jd_drive_segment_at(o, omega, a, &now);
        double held = before.level + before.slope * (a - before.start);
        double here = now.level + now.slope * (a - now.start), step = here - held;
        if (a == 0 && m->from_static) { // the level has always been there
            for (int i = 0; here != 0 && i < m->n; i++)
                to->u[i] += here * m->statics[i * m->n_place + m->n + drive];
            step = 0;
        }
        JD_TRY(add_straight(m, drive, step, now.slope - before.slope, t - a, to));
        if (now.amplitude != before.amplitude || now.phase != before.phase) {
            JD_TRY(add_harmonic(m, drive, -before.amplitude, before.phase + omega * a, t - a, to));
            JD_TRY(add_harmonic(m, drive, now.amplitude, now.phase + omega * a, t - a, to));
        }
        before = now;
        if (!(now.end > a) || !isfinite(now.end)) break;
    }
    return JD_OK;
}

// Forces A that held the start have ended: u = A (U_static - U), u' = -A G.
static jd_status add_release(const jd_free_motion *m, double t, moment *to) {
    int size = m->n * m->n_place;
    if (m->start.held < 0) return JD_OK;
    JD_TRY(look(m, t, false, to));
    for (int i = 0; i < m->n; i++) {
        int at = i * m->n_place + m->start.held;
        to->v[i] -= m->start.force * to->work[at];
        to->u[i] += m->start.force * (m->statics[at] - to->work[size + at]);
    }
    return JD_OK;
}

static jd_status at_moment(const jd_free_motion *m, double t, moment *to) {
    for (int i = 0; i < m->n; i++) to->u[i] = to->v[i] = 0;
    add_start(m, t, to);
    for (int d = 0; d < m->n_drive; d++) JD_TRY(add_drive(m, d, t, to));
    return add_release(m, t, to);
}

jd_status jd_free_motion_at(const jd_free_motion *m, int n_t, const double *t, double *displacement,
                            double *velocity) {
    size_t n = (size_t)m->n;
    double *block = jd_allocate(m->context, (2 * n + 4 * n * (size_t)m->n_place) * sizeof *block);
    if (!block) return JD_OUT_OF_MEMORY;
    moment now = {block, block + n, block + 2 * n};
    jd_status s = JD_OK;
    for (int k = 0; s == JD_OK && k < n_t; k++) {
        s = at_moment(m, t[k], &now);
        for (size_t i = 0; s == JD_OK && i < n; i++) {
            if (displacement) displacement[(size_t)k * n + i] = now.u[i];
            if (velocity) velocity[(size_t)k * n + i] = now.v[i];
        }
    }
    jd_release(m->context, block);
    return s;
}

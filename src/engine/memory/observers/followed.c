// followed.c -- modes of a problem that keeps the first of infinitely many, driven by the forces of
// the run that has them all: what the run's contact points do not tell, the motion between them.
//   z' = lambda z + n_j F_j(t),   q = Re(w z),  q' = Re(w lambda z)
//   pair of poles:  w = -i/Im lambda;   two real ones:  w = +-1/(lambda_1 - lambda_2)
//   Forces of contacts are the polynomials of the panels, those of drives closed forms: each mode
//   is exact for the forces of the run. What is missing are the modes above.
//   A sine A sin(omega t + phi) adds Im C (e^{i omega x} - e^{lambda x})/(i omega - lambda) over x.
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/fail.h"
#include "engine/memory/memory.h"
#include "kernel/cartesian.h"
#include "problem/initial.h"

static const double softest = 1e-7;  // in the place of 0 for rigid-body modes, of the lowest other
static const double apart = 1e-4;    // least distance of the poles of a mode, of their size
static const double undamped = 1e-7; // what a period must change a free mode by

enum { POWERS = STAGES + 1 };

struct followed {
    poles poles; // in: places x n, contacts first, then drives
    int places, n_mode, n_drive;
    double ahead; // how far into the panel z was given, by a run that goes on inside of it [s]
    int *mode;    // used: of each pole
    double *z_re, *z_im;   // n: at the beginning of the present panel
    double *w_re, *w_im;   // n: q = Re sum w z
    double *to_re, *to_im; // n: inside the panel
    double *e_re, *e_im;   // n: e^{lambda x}
    double *m_re, *m_im;   // POWERS x n: integrals of powers
    double *power;         // places x POWERS: forces over the panel
};

static jd_status take(memory *e, followed *f, int used) {
    poles *c = &f->poles;
    c->used = used;
    c->n = (used + 3) / 4 * 4;
    double **one[] = {&c->re,   &c->im,   &c->inv_re, &c->inv_im, &f->z_re, &f->z_im,
                      &f->w_re, &f->w_im, &f->to_re,  &f->to_im,  &f->e_re, &f->e_im};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) *one[i] = JD_TAKE(e->arena, double, c->n);
    c->in_re = JD_TAKE(e->arena, double, (size_t)f->places *(size_t)c->n);
    c->in_im = JD_TAKE(e->arena, double, (size_t)f->places *(size_t)c->n);
    f->m_re = JD_TAKE(e->arena, double, POWERS * c->n);
    f->m_im = JD_TAKE(e->arena, double, POWERS * c->n);
    f->mode = JD_TAKE(e->arena, int, c->n);
    f->power = JD_TAKE(e->arena, double, f->places *POWERS);
    return jd_arena_status(e->arena);
}

static double lowest(const jd_modal *modal) {
    double least = HUGE_VAL;
    for (int k = 0; k < modal->n; k++)
        if (modal->omega2[k].hi > 0) least = fmin(least, modal->omega2[k].hi);
    return isfinite(least) ? sqrt(least) : 1;
}

// The poles of mode k, one of a pair or two real ones, written from p on; returns how many.
static int set_poles(followed *f, const jd_modal *modal, double soft, int p, int k) {
    poles *c = &f->poles;
    double w2 = fmax(modal->omega2[k].hi, soft * soft), a = modal->c[k] / 2;
    double split = w2 - a * a, least = apart * apart * w2;
    if (split > 0 || fabs(split) < least) {
        c->re[p] = -a;
        c->im[p] = sqrt(fmax(split, least));
        f->w_im[p] = -1 / c->im[p];
        f->mode[p] = k;
        return 1;
    }
    double fast = -a - sqrt(-split), slow = w2 / fast;
    c->re[p] = slow;
    c->re[p + 1] = fast;
    f->w_re[p] = 1 / (slow - fast);
    f->w_re[p + 1] = -f->w_re[p];
    f->mode[p] = f->mode[p + 1] = k;
    return 2;
}

static void finish(followed *f, const jd_system *y) {
    poles *c = &f->poles;
    for (int p = 0; p < c->n; p++) {
        if (p >= c->used) c->re[p] = -1;
        double size = c->re[p] * c->re[p] + c->im[p] * c->im[p];
        c->inv_re[p] = c->re[p] / size;
        c->inv_im[p] = -c->im[p] / size;
        for (int j = 0; j < f->places && p < c->used; j++) {
            const jd_dd *row = j < y->n_contact ? y->contact[j] : y->drive[j - y->n_contact];
            c->in_re[j * c->n + p] = row[f->mode[p]].hi;
        }
    }
}

// z = q' - lambda_2 q, lambda_2 the other pole of the mode.
static void put(followed *f, const double *q, const double *rate) {
    const poles *c = &f->poles;
    for (int p = 0; p < c->used; p++) {
        int k = f->mode[p];
        bool pair = c->im[p] != 0, second = !pair && p > 0 && f->mode[p - 1] == k;
        double other = pair ? c->re[p] : c->re[second ? p - 1 : p + 1];
        f->z_re[p] = rate[k] - other * q[k];
        f->z_im[p] = c->im[p] * q[k];
    }
}

static void read(const followed *f, const double *z_re, const double *z_im, double *out) {
    const poles *c = &f->poles;
    memset(out, 0, 2 * (size_t)f->n_mode * sizeof *out);
    for (int p = 0; p < c->used; p++) {
        double a = f->w_re[p] * z_re[p] - f->w_im[p] * z_im[p];
        double b = f->w_re[p] * z_im[p] + f->w_im[p] * z_re[p];
        out[f->mode[p]] += a;
        out[f->n_mode + f->mode[p]] += c->re[p] * a - c->im[p] * b;
    }
}

static jd_status refuse(const memory *e, const char *why) {
    return jd_fail(e->run->context, JD_NOT_SUPPORTED,
                   "the motion between the contact points is not known: %s", why);
}

jd_status jd_memory_follow(jd_run *run, const jd_problem *finite, const double *from) {
    memory *e = run->state;
    const jd_system *y = jd_problem_system(finite);
    int n = y->modal.n, used = 0;
    if (run->waiting || (!from && run->t > 0))
        return refuse(e, "the run goes on from an earlier one");
    if (y->modal.law == JD_DAMPING_FULL) return refuse(e, "a damping matrix couples the modes");
    followed *f = JD_TAKE(e->arena, followed, 1);
    double *start = JD_TAKE(e->arena, double, 2 * (size_t)n);
    JD_TRY(jd_arena_status(e->arena));
    *f = (followed){.places = y->n_contact + y->n_drive, .n_mode = n, .n_drive = y->n_drive};
    JD_TRY(take(e, f, 2 * n));
    for (int k = 0; k < n; k++)
        used += set_poles(f, &y->modal, softest * lowest(&y->modal), used, k);
    f->poles.used = used;
    f->poles.n = (used + 3) / 4 * 4; // fewer than there is room for
    finish(f, y);
    f->ahead = fmax(run->t - e->state.t, 0);
    if (!from) JD_TRY(jd_problem_initial(finite, start, start + n));
    put(f, from ? from : start, from ? from + n : start + n);
    e->observers.followed = f;
    return JD_OK;
}

// (a - E)/d for E = a e^{-d x}.
static double complex quotient(double complex a, double complex E, double complex d, double x) {
    double complex y = d * x;
    if (fabs(creal(y)) + fabs(cimag(y)) < 1e-3)
        return E * x * (1 + y / 2 * (1 + y / 3 * (1 + y / 4)));
    return (a - E) / d;
}

static void add_sine(const followed *f, int drive, const jd_drive_segment *s, double t, double x,
                     double *z_re, double *z_im) {
    const poles *c = &f->poles;
    const double *in = c->in_re + (f->places - f->n_drive + drive) * c->n;
    double complex C = s->amplitude / 2 * cexp(cartesian(0, s->omega * t + s->phase - JD_PI / 2));
    double complex up = cexp(cartesian(0, s->omega * x));
    for (int p = 0; p < c->used; p++) {
        double complex E = cartesian(f->e_re[p], f->e_im[p]);
        double complex z =
            C * quotient(up, E, cartesian(-c->re[p], s->omega - c->im[p]), x) +
            conj(C) * quotient(conj(up), E, cartesian(-c->re[p], -s->omega - c->im[p]), x);
        z_re[p] += in[p] * creal(z);
        z_im[p] += in[p] * cimag(z);
    }
}

// Powers of theta become those of theta - by.
static void shift_powers(int n, double *p, double by) {
    for (int i = 0; i + 1 < n && by != 0; i++)
        for (int r = n - 2; r >= i; r--) p[r] += by * p[r + 1];
}

// States z taken from a time `begin` to a time `end` in the present panel.
static void carry(memory *e, double begin, double end, double *z_re, double *z_im) {
    followed *f = e->observers.followed;
    const nodes *n = &e->plan->nodes;
    int m = e->plan->m, s = n->s > 1 ? n->s : 2;
    double t = e->state.t + begin, x = end - begin, h = e->panel.h;
    if (!(x > 0)) return;
    memset(f->power, 0, (size_t)f->places * POWERS * sizeof *f->power);
    for (int j = 0; j < m; j++) {
        jd_nodes_narrow(n, e->panel.force + j, m, f->power + (size_t)j * POWERS);
        shift_powers(n->s, f->power + (size_t)j * POWERS, begin / h);
    }
    for (int d = 0; d < f->n_drive; d++) {
        const jd_drive_segment *now = &e->panel.segment[d];
        double *p = f->power + (size_t)(m + d) * POWERS;
        p[0] = now->level + now->slope * (t - now->start);
        p[1] = now->slope * h;
    }
    const pole_forces by = {f->places, s, POWERS, f->power, f->e_re, f->e_im, f->m_re, f->m_im};
    jd_poles_carry(e->plan->lanes, &f->poles, &by, x, h, z_re, z_im);
    for (int d = 0; d < f->n_drive; d++)
        if (e->panel.segment[d].amplitude != 0)
            add_sine(f, d, &e->panel.segment[d], t, x, z_re, z_im);
}

void jd_followed_panel(memory *e) {
    followed *f = e->observers.followed;
    if (!f || !(e->panel.h > 0)) return;
    double passed = fmin(f->ahead, e->panel.h);
    carry(e, passed, e->panel.h, f->z_re, f->z_im);
    f->ahead -= passed;
}

void jd_followed_push(memory *e, int j, double P) {
    const followed *f = e->observers.followed;
    for (int p = 0; f && p < f->poles.used; p++)
        f->z_re[p] += P * f->poles.in_re[j * f->poles.n + p];
}

void jd_followed_visit(memory *e, snapshot *s) {
    followed *f = e->observers.followed;
    if (!f) return;
    snapshot_reals(s, f->z_re, f->poles.n);
    snapshot_reals(s, f->z_im, f->poles.n);
    snapshot_reals(s, &f->ahead, 1);
}

// States at the present time, into to_re, to_im.
static followed *look(jd_run *run) {
    memory *e = run->state;
    followed *f = e->observers.followed;
    size_t size = (size_t)f->poles.n * sizeof *f->z_re;
    double x =
        e->panel.solved && e->panel.h > 0 ? fmin(fmax(run->t - e->state.t, 0), e->panel.h) : 0;
    memcpy(f->to_re, f->z_re, size);
    memcpy(f->to_im, f->z_im, size);
    if (x > 0) carry(e, fmin(f->ahead, x), x, f->to_re, f->to_im);
    return f;
}

int jd_memory_followed(jd_run *run, double *out) {
    memory *e = run->state;
    if (!e->observers.followed) return 0;
    if (out) {
        const followed *f = look(run);
        read(f, f->to_re, f->to_im, out);
    }
    return 2 * e->observers.followed->n_mode;
}

// Followed from rest over a period: z(T) = P, and z(0) = z(T) = e^{lambda T} z(0) + P.
jd_status jd_memory_follow_round(jd_run *run, double period, double *out) {
    memory *e = run->state;
    followed *f = look(run);
    const poles *c = &f->poles;
    for (int p = 0; p < c->used; p++) {
        double complex left = 1 - cexp(cartesian(c->re[p] * period, c->im[p] * period));
        double complex z = cartesian(f->to_re[p], f->to_im[p]);
        if (z == 0) continue;
        if (cabs(left) < undamped)
            return refuse(e, "modes without damping may swing along with an orbit at will");
        f->to_re[p] = creal(z / left);
        f->to_im[p] = cimag(z / left);
    }
    read(f, f->to_re, f->to_im, out);
    return JD_OK;
}

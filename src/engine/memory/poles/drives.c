// drives.c -- what the drives do to poles and contact points, in closed form.
//   f = a e^{i W t} + cc. + level + rate (t - start), a = A e^{i phase}/(2i): the pole z' =
//   lambda z + in f follows with  in [a e^{iWt}/(iW - lambda) + conj(a) e^{-iWt}/(-iW - lambda)]
//                          - in [f_lin/lambda + rate/lambda^2]
//   The state of the engine is what is left of z; it is turned over where a drive breaks.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "engine/memory/memory.h"
#include "expsum/complex.h"

typedef jd_complex cx;

// a e^{iWt} of a segment.
static cx turn(const jd_drive_segment *s, double t) {
    double x = s->omega * t + s->phase, half = s->amplitude / 2;
    return (cx){half * sin(x), -half * cos(x)};
}

cx jd_drives_turn(const memory *e, int drive, double t) {
    return turn(&e->panel.segment[drive], t);
}

double jd_drives_value(const memory *e, int drive, double t) {
    const jd_drive_segment *s = &e->panel.segment[drive];
    double wave = s->amplitude != 0 ? s->amplitude * sin(s->omega * t + s->phase) : 0;
    return wave + s->level + s->slope * (t - s->start);
}

// Impulse of level and slope in the first x of a segment.
static double push_at(const jd_drive_segment *s, double x) {
    return x * (s->level + s->slope * x / 2);
}

static jd_status refuse_resonance(const memory_plan *plan, const drive_part *d) {
    const poles *c = &plan->poles;
    for (int p = 0; d->omega > 0 && p < c->used; p++)
        if (hypot(c->re[p], d->omega - c->im[p]) < 1e-9 * d->omega) {
            jd_fail(plan->context, JD_NOT_SUPPORTED,
                    "drive `%s` is in resonance with an undamped mode at %.10g rad/s",
                    d->object->name, c->im[p]);
            jd_fail_hint(plan->context, "take engine `exact`, or some damping");
            return JD_NOT_SUPPORTED;
        }
    return JD_OK;
}

jd_status jd_drives_row(const memory_plan *plan, int n_row, const double *out_re,
                        const double *out_im, const double *jump, drive_part *d,
                        const drive_part *from) {
    const poles *c = &plan->poles;
    double **list[] = {&d->wave_re, &d->wave_im, &d->level, &d->slope, &d->sag,
                       &d->jump,    &d->shift,   &d->rigid, &d->creep};
    for (int i = 0; i < 9; i++) {
        if (!*list[i]) *list[i] = JD_TAKE(plan->arena, double, n_row);
        JD_TRY(jd_arena_status(plan->arena));
        memset(*list[i], 0, (size_t)n_row * sizeof **list[i]);
    }
    for (int r = 0; r < n_row; r++) {
        d->jump[r] = jump ? jump[r] : 0;
        for (int p = 0; p < c->used; p++) {
            cx in = {from->in_re[p], from->in_im[p]}, s = {c->re[p], c->im[p]};
            cx w = times((cx){out_re[r * c->n + p], out_im[r * c->n + p]}, in);
            if (from->omega > 0) {
                cx a = over(w, (cx){-s.re, from->omega - s.im});
                cx b = over((cx){w.re, -w.im}, (cx){-s.re, from->omega + s.im});
                d->wave_re[r] += a.re + b.re;
                d->wave_im[r] += a.im + b.im;
            }
            if (is_soft(c, p)) {
                d->rigid[r] += w.re;
                d->creep[r] += over(w, s).re;
                continue;
            }
            d->level[r] += (w = over(w, s)).re;
            d->slope[r] += (w = over(w, s)).re;
            d->sag[r] += over(w, s).re;
        }
        d->shift[r] = plan->echo ? d->level[r] : d->jump[r];
    }
    return JD_OK;
}

// The share of a drive in its segment s of the pole states at t, times sign, is added to z.
static void add_share(const memory_plan *plan, const drive_part *d, const jd_drive_segment *s,
                      double t, double sign, double *z_re, double *z_im) {
    const poles *c = &plan->poles;
    double f = s->level + s->slope * (t - s->start), W = s->omega;
    cx a = turn(s, t);
    for (int p = 0; p < c->used; p++) {
        cx in = {d->in_re[p], d->in_im[p]}, l = {c->re[p], c->im[p]}, z = {0, 0};
        if (s->amplitude != 0) {
            cx x = over(a, (cx){-l.re, W - l.im}),
               y = over((cx){a.re, -a.im}, (cx){-l.re, -W - l.im});
            z = (cx){x.re + y.re, x.im + y.im};
        }
        cx g = over((cx){f, 0}, l), h = over(over((cx){s->slope, 0}, l), l);
        if (is_soft(c, p)) { // from rest at the segment's start, to first order in lambda
            double x = t - s->start, way = x * x * (s->level / 2 + s->slope * x / 6);
            g = (cx){-push_at(s, x) - l.re * way, -l.im * way};
            h = (cx){0, 0};
        }
        z = times(in, (cx){z.re - g.re - h.re, z.im - g.im - h.im});
        z_re[p] += sign * z.re;
        z_im[p] += sign * z.im;
    }
}

void jd_drives_share(const memory *e, double t, double *z_re, double *z_im) {
    for (int i = 0; i < e->plan->n_drive; i++)
        add_share(e->plan, &e->plan->drive[i], &e->panel.segment[i], t, 1, z_re, z_im);
}

void jd_drives_break(memory *e, double t, bool first) {
    e->panel.t_break = HUGE_VAL;
    for (int i = 0; i < e->plan->n_drive; i++) {
        const drive_part *d = &e->plan->drive[i];
        jd_drive_segment *s = &e->panel.segment[i];
        if (first || s->end <= t) {
            if (!first) add_share(e->plan, d, s, t, 1, e->state.z_re, e->state.z_im);
            jd_drive_segment_at(d->object, d->omega, t, s);
            add_share(e->plan, d, s, t, -1, e->state.z_re, e->state.z_im);
        }
        e->panel.t_break = fmin(e->panel.t_break, s->end);
    }
}

double jd_drives_next(const memory *e) {
    double next = HUGE_VAL;
    for (int i = 0; i < e->plan->n_drive; i++) next = fmin(next, e->panel.segment[i].end);
    return next;
}

void jd_drives_resume(memory *e, double t) {
    e->panel.t_break = HUGE_VAL;
    for (int i = 0; i < e->plan->n_drive; i++) {
        const drive_part *d = &e->plan->drive[i];
        jd_drive_segment_at(d->object, d->omega, t, &e->panel.segment[i]);
        e->panel.t_break = fmin(e->panel.t_break, e->panel.segment[i].end);
    }
}

void jd_drives_motion(const memory *e, const drive_part *weights, int row, double t, double *u,
                      double *v, double *a) {
    for (int i = 0; i < e->plan->n_drive; i++) {
        const drive_part *d = &weights[i];
        const jd_drive_segment *s = &e->panel.segment[i];
        if (s->amplitude != 0) {
            cx w = times((cx){d->wave_re[row] + 2 * d->jump[row], d->wave_im[row]}, turn(s, t));
            if (v) *v += w.re;
            if (u) *u += (w.im + 2 * (d->shift[row] - d->jump[row]) * turn(s, t).im) / s->omega;
            if (a) *a -= w.im * s->omega;
        }
        double x = t - s->start, f = s->level + s->slope * x, rigid = d->rigid[row];
        if (v) *v += (d->jump[row] - d->level[row]) * f - d->slope[row] * s->slope;
        if (u) *u -= d->slope[row] * f + d->sag[row] * s->slope;
        if (a) *a += (d->jump[row] - d->level[row]) * s->slope;
        if (rigid == 0) continue;
        if (v) *v += rigid * push_at(s, x);
        if (u) *u += rigid * x * x * (s->level / 2 + s->slope * x / 6);
        if (u) *u += d->creep[row] * push_at(s, x);
        if (a) *a += rigid * f;
    }
}

// Level and slope of a segment at t.
static double line_value(const jd_drive_segment *s, double t) {
    return s->level + s->slope * (t - s->start);
}

// Rise of the harmonic part: sin b - sin a = 2 sin((b - a)/2) cos((a + b)/2).
static cx wave_rise(const drive_part *d, const jd_drive_segment *s, int row, double t, double x) {
    if (s->amplitude == 0) return (cx){0, 0};
    double half = s->omega * x / 2, middle = s->omega * t + s->phase + half;
    double size = s->amplitude * sin(half);
    return times((cx){d->wave_re[row] + 2 * d->jump[row], d->wave_im[row]},
                 (cx){size * cos(middle), size * sin(middle)});
}

double jd_drives_rise(const memory *e, int row, double t, double x) {
    double sum = 0;
    for (int i = 0; i < e->plan->n_drive; i++) {
        const drive_part *d = &e->plan->drive[i];
        const jd_drive_segment *s = &e->panel.segment[i];
        sum += wave_rise(d, s, row, t, x).re;
        sum += (d->jump[row] - d->level[row]) * s->slope * x;
        sum += d->rigid[row] * x * (line_value(s, t) + s->slope * x / 2);
    }
    return sum;
}

double jd_drives_shift(const memory *e, int row, double t, double x) {
    double sum = 0;
    for (int i = 0; i < e->plan->n_drive; i++) {
        const drive_part *d = &e->plan->drive[i];
        const jd_drive_segment *s = &e->panel.segment[i];
        if (s->amplitude != 0) sum += wave_rise(d, s, row, t, x).im / s->omega;
        sum -= d->slope[row] * s->slope * x;
        if (d->rigid[row] == 0) continue;
        double from = t - s->start, f = line_value(s, t);
        sum += d->rigid[row] * x * (push_at(s, from) + x * (f / 2 + s->slope * x / 6));
        sum += d->creep[row] * x * (f + s->slope * x / 2);
    }
    return sum;
}

// Of the harmonic part; the others have none.
double jd_drives_jerk(const memory *e, int row, double t) {
    double sum = 0;
    for (int i = 0; i < e->plan->n_drive; i++) {
        const drive_part *d = &e->plan->drive[i];
        const jd_drive_segment *s = &e->panel.segment[i];
        if (s->amplitude == 0) continue;
        cx w = times((cx){d->wave_re[row] + 2 * d->jump[row], d->wave_im[row]}, turn(s, t));
        sum -= s->omega * s->omega * w.re;
    }
    return sum;
}

jd_status jd_drives_plan(memory_plan *plan) {
    const jd_problem *p = plan->problem;
    plan->drive =
        JD_TAKE(plan->arena, drive_part, plan->n_drive + 1); // one more for a start (fitted.c)
    JD_TRY(jd_arena_status(plan->arena));
    for (int i = 0; i < plan->n_drive; i++) {
        plan->drive[i].object = jd_problem_drive(p, i);
        plan->drive[i].omega =
            jd_drive_omega(plan->drive[i].object, jd_problem_drive_frequency(p, i));
    }
    return JD_OK;
}

// Rows of a drive: what it does to contacts and to the places of drives.
static jd_status set_rows(const memory_plan *plan, int i) {
    const poles *c = &plan->poles;
    drive_part *d = &plan->drive[i];
    const double *jump = plan->drive_jump;
    JD_TRY(refuse_resonance(plan, d));
    return jd_drives_row(plan, plan->rows, c->out_re, c->out_im,
                         jump ? jump + i * plan->rows : NULL, d, d);
}

jd_status jd_drives_follow(memory_plan *plan) {
    for (int i = 0; i < plan->n_drive; i++) JD_TRY(set_rows(plan, i));
    return JD_OK;
}

jd_status jd_drives_replan(memory_plan *plan, int i) {
    drive_part *d = &plan->drive[i];
    d->object = jd_problem_drive(plan->problem, i);
    d->omega = jd_drive_omega(d->object, jd_problem_drive_frequency(plan->problem, i));
    return set_rows(plan, i);
}

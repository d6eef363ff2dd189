// cancel.c -- digits that are lost where the parts of a motion nearly cancel: what a run states.
//   x = sum_p r_p z_p + sum_d X_d z_d + polynomial. A free body with weak damping c has parts
//   f/c^2 (under a ramp f'/c^3), a drive beside a coupled pole s parts f/|i Omega - s|, whatever
//   the motion is. Rounding is that of the parts: with places measured as velocities (omega x, of a
//   rigid-body coordinate x over the slowest time) and sums over phases,
//     motion     sum eps (sum of |parts|)               over the largest motion
//     energies   sum eps (sum of |velocities of parts|)^2   over its square
//   The largest motion: states, and what forces do within the time of each coordinate (omega x =
//   f/omega), so that a start from rest is no loss.
//   A motion of which no digit is left is not followed any further.
//                        tested: weakly_damped_free_bodies_keep_digits
#include <float.h>
#include <math.h>

#include "base/constants.h"
#include "engine/exact/exact.h"

// Phases that lose less are rounding as any: relative to the motion, or to its energy.
static const double rounding = 1e-13;
// Of a part: it is itself the result of a few roundings. With one DBL_EPSILON a residual of the
// ledger was 1.63 times what was stated, in one of 10 000 random models: an estimate, no bound.
static const double unit = 4 * DBL_EPSILON;

static double rate_of(const exact *e, const basis *b, int k) {
    return b->omega2[k] > 0 ? sqrt(b->omega2[k]) : JD_TWO_PI / e->plan.scale_time;
}

// Sizes of a vector of coordinates that grows with the rate s: places, velocities.
static part_size size_of(const exact *e, const basis *b, const jd_complex *r, double s) {
    double place = 0, speed = 0;
    for (int k = 0; k < b->nf; k++) {
        double size2 = r[k].re * r[k].re + r[k].im * r[k].im, rate = rate_of(e, b, k);
        place += rate * rate * size2;
        speed += size2;
    }
    return (part_size){sqrt(place), s * sqrt(speed)};
}

static part_size size_of_row(const exact *e, const basis *b, const double *r, double s) {
    double place = 0, speed = 0;
    for (int k = 0; k < b->nf; k++) {
        double x = rate_of(e, b, k) * r[k];
        place += x * x;
        speed += r[k] * r[k];
    }
    return (part_size){sqrt(place), s * sqrt(speed)};
}

static double size_of_pole(jd_complex s) { return hypot(s.re, s.im); }

// Two real poles of a coordinate by itself; other kinds of motion have one part each.
static void sizes_decoupled(const exact *e, basis *b) {
    for (int k = 0; k < b->nf; k++)
        for (int i = 0; i < poles_of_kind(b->poles.kind[k]); i++) {
            int p = b->poles.first[k] + i;
            b->poles.part[p] = (part_size){rate_of(e, b, k), size_of_pole(b->poles.pole[p])};
        }
}

void jd_cancel_drive_size(const exact *e, basis *b, int d) {
    b->poles.part[b->poles.n_pole - e->plan.n_drive + d] =
        size_of(e, b, b->response.X + d * b->nf, e->plan.drive[d].omega);
}

jd_status jd_cancel_sizes(exact *e, basis *b) {
    int own = b->poles.n_pole - e->plan.n_drive;
    b->poles.part = JD_TAKE(e->arena, part_size, b->poles.n_pole + 2 * b->poles.n_own_pair + 1);
    JD_TRY(jd_arena_status(e->arena));
    for (int p = 0; b->C && p < own; p++)
        b->poles.part[p] =
            size_of(e, b, b->poles.right + p * b->nf, size_of_pole(b->poles.pole[p]));
    if (!b->C) sizes_decoupled(e, b);
    for (int d = 0; d < e->plan.n_drive; d++) jd_cancel_drive_size(e, b, d);
    for (int i = 0; b->C && i < 2 * b->poles.n_own_pair; i++) {
        const jd_pole_pair *pair = &b->poles.pair[i / 2];
        double s = fabs(pair->mu.re) + sqrt(fabs(pair->delta2.re));
        b->poles.part[b->poles.n_pole + i] = size_of_row(e, b, b->poles.pair_right + i * b->nf, s);
    }
    return JD_OK;
}

static void add_part(part_size *sum, part_size part, double amplitude) {
    sum->place += amplitude * part.place;
    sum->speed += amplitude * part.speed;
}

// Sum of the sizes of all parts at the start of the phase.
static part_size parts_of(const exact *e) {
    const basis *b = e->phase.b;
    part_size sum = {0, 0};
    for (int p = 0; p < b->poles.n_pole; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p);
        add_part(&sum, b->poles.part[p], hypot(e->phase.re[slot], e->phase.im[slot]));
    }
    for (int i = 0; b->C && i < 2 * b->poles.n_own_pair; i++) {
        int slot = jd_expbasis_pair_slot(b->poles.exp, i / 2) + i % 2;
        add_part(&sum, b->poles.part[b->poles.n_pole + i], fabs(e->phase.re[slot]));
    }
    if (e->phase.degree >= 0) sum.place += size_of_row(e, b, e->phase.poly, 0).place;
    if (e->phase.degree >= 1) sum.speed += size_of_row(e, b, e->phase.poly + b->nf, 1).speed;
    return sum;
}

// Forces of this phase on the coordinates, those that swing at their largest, and their slopes.
static void push_of(const exact *e, double *f, double *slope) {
    const basis *b = e->phase.b;
    int sources = e->plan.m + e->plan.n_drive + 2 * b->ms;
    for (int k = 0; k < b->nf; k++) f[k] = slope[k] = 0;
    for (int s = 0; s < sources; s++) {
        double force = e->phase.source[s];
        if (s >= e->plan.m && s < e->plan.m + e->plan.n_drive)
            force = fabs(force) + fabs(e->plan.drive[s - e->plan.m].segment.amplitude);
        if (force != 0) jd_add_row(b->nf, force, b->response.force + s * b->nf, f);
        if (e->phase.source_rate[s] != 0)
            jd_add_row(b->nf, e->phase.source_rate[s], b->response.force + s * b->nf, slope);
    }
}

// Squares of the largest motion that the state and the forces of this phase tell of.
static void widen(exact *e) {
    const basis *b = e->phase.b;
    double *f = e->scratch.vector, *slope = f + b->nf, energy = 0, place = 0;
    push_of(e, f, slope);
    for (int k = 0; k < b->nf; k++) {
        double rate = rate_of(e, b, k), x = rate * e->phase.x[k], v = e->phase.xd[k],
               push = hypot(f[k], slope[k] / rate) / rate; // a ramp that starts is no loss either
        energy += v * v + push * push;
        *(b->omega2[k] > 0 ? &energy : &place) += x * x;
    }
    e->state.largest.energy = fmax(e->state.largest.energy, energy);
    e->state.largest.place = fmax(e->state.largest.place, sqrt(energy + place));
}

// Measured by the state as it is: contacts may keep a motion far below what its forces could do.
bool jd_cancel_slow(exact *e) {
    const basis *b = e->phase.b;
    part_size sum = {0, 0};
    double size2 = 0;
    for (int k = 0; k < b->nf; k++) {
        double x = rate_of(e, b, k) * e->phase.x[k];
        size2 += x * x + e->phase.xd[k] * e->phase.xd[k];
    }
    for (int p = 0; p < b->poles.n_pole - e->plan.n_drive; p++) {
        int slot = jd_expbasis_slot(b->poles.exp, p);
        if (b->drift.slow[p]) add_part(&sum, b->poles.part[p], fabs(e->phase.re[slot]));
    }
    return unit * sum.place > rounding * sqrt(size2) ||
           unit * sum.speed * sum.speed > rounding * size2;
}

jd_status jd_cancel_phase(exact *e) {
    if (e->phase.b->poles.plain)
        return JD_OK; // every coordinate is one part, and no drive is close
    part_size parts = parts_of(e);
    widen(e);
    double place = unit * parts.place, energy = unit * parts.speed * parts.speed;
    if (place > rounding * e->state.largest.place) e->state.lost.place += place;
    if (energy > rounding * e->state.largest.energy) e->state.lost.energy += energy;
    if (e->state.lost.place < e->state.largest.place || e->state.lost.place == 0) return JD_OK;
    return jd_fail(e->run->context, JD_NO_CONVERGENCE,
                   "parts of the motion nearly cancel, no digit of it is left at t = %g s: a free "
                   "body has too weak a damping (none at all is exact), or a drive is too close to "
                   "the resonance of a coupled mode",
                   e->state.t0);
}

double jd_cancel_error(const exact *e) {
    double place = e->state.lost.place > 0 ? e->state.lost.place / e->state.largest.place : 0,
           energy = e->state.lost.energy > 0 ? e->state.lost.energy / e->state.largest.energy : 0;
    return fmax(place, energy);
}

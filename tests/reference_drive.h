// reference_drive.h -- drives of a problem for references, from their definitions alone.
//   Between breakpoints a drive is F = a + b (t - t0), or F = a sin(omega t + phase) or 0.
#ifndef JD_TESTS_REFERENCE_DRIVE_H
#define JD_TESTS_REFERENCE_DRIVE_H

#include <math.h>

#include "drive/kind.h"
#include "judder/problem.h"

#ifndef REF_REAL // quad_reference.h
#define REF_REAL long double
#define REF_NOISE 1e-18L // rounding, of the terms of a sum
#endif
typedef REF_REAL real;

typedef struct ref_drive {
    const jd_object *object;
    real omega; // 0: piecewise linear
    real factor;
} ref_drive;

static inline ref_drive ref_drive_open(const jd_problem *p, int i, real factor) {
    ref_drive d = {jd_problem_drive(p, i), 0, factor};
    if (d.object->type == &jd_drive_harmonic) d.omega = jd_problem_drive_frequency(p, i);
    if (d.object->type == &jd_drive_pulse) {
        const jd_pulse_def *b = d.object->def;
        if (b->shape == 1) d.omega = 3.14159265358979323846264338328L / (real)b->duration;
    }
    return d;
}

typedef struct ref_piece {
    real value, rate; // of linear pieces F and F'; else a sin and a cos of the angle
    real until;       // next breakpoint
} ref_piece;

static inline ref_piece ref_pulse(const jd_pulse_def *d, real omega, real t) {
    ref_piece x = {0, 0, HUGE_VALL};
    for (int i = 0; i < (d->repeat > 1 ? d->repeat : 1); i++) {
        real start = d->start + i * d->every, end = start + d->duration;
        if (t < start) {
            x.until = start;
            return x;
        }
        if (t >= end) continue;
        x.until = end;
        x.value = d->shape ? d->amplitude * sinl(omega * (t - start)) : (real)d->amplitude;
        x.rate = d->shape ? d->amplitude * cosl(omega * (t - start)) : 0;
        return x;
    }
    return x;
}

static inline ref_piece ref_table(int n, const double *time, const double *value, real t) {
    ref_piece x = {0, 0, HUGE_VALL};
    for (int i = 0; i < n; i++) {
        if (t < time[i]) {
            x.until = time[i];
            if (i == 0) return x;
            x.rate = ((real)value[i] - value[i - 1]) / ((real)time[i] - time[i - 1]);
            x.value = value[i - 1] + x.rate * (t - time[i - 1]);
            return x;
        }
    }
    x.value = value[n - 1];
    return x;
}

// The piece that holds just after t.
static inline ref_piece ref_drive_at(const ref_drive *d, real t) {
    ref_piece x = {0, 0, HUGE_VALL};
    const jd_type *type = d->object->type;
    if (type == &jd_drive_harmonic) {
        const jd_harmonic_def *h = d->object->def;
        x.value = h->amplitude * sinl(d->omega * t + h->phase);
        x.rate = h->amplitude * cosl(d->omega * t + h->phase);
    } else if (type == &jd_drive_constant) {
        x.value = ((const jd_constant_def *)d->object->def)->value;
    } else if (type == &jd_drive_pulse) {
        x = ref_pulse(d->object->def, d->omega, t);
    } else if (type == &jd_drive_ramp) {
        const jd_ramp_def *a = d->object->def;
        const double time[] = {a->start, a->start + a->duration}, value[] = {0, a->amplitude};
        x = ref_table(2, time, value, t);
    } else {
        const jd_drive_table_def *a = d->object->def;
        x = ref_table(a->time.n, a->time.value, a->value.value, t);
    }
    x.value *= d->factor;
    x.rate *= d->factor;
    return x;
}

#endif

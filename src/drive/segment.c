// segment.c -- drives as segments between breakpoints.
#include "drive/segment.h"

#include <math.h>

#include "base/constants.h"
#include "drive/kind.h"

static const double pi = JD_PI;

static void hold(double t, double level, double end, jd_drive_segment *out) {
    *out = (jd_drive_segment){.start = t, .end = end, .level = level};
}

// Number of the blow that began last before t, from 0; 0 before the first.
static double blow_at(const jd_pulse_def *d, double t) {
    if (d->repeat <= 1 || t < d->start) return 0;
    double blow = fmin(floor((t - d->start) / d->every), d->repeat - 1.0);
    if (blow > 0 && t < d->start + blow * d->every) blow -= 1; // the quotient was rounded
    if (blow + 1 < d->repeat && t >= d->start + (blow + 1) * d->every) blow += 1;
    return blow;
}

static void pulse(const jd_pulse_def *d, double t, jd_drive_segment *out) {
    double blow = blow_at(d, t), start = d->start + blow * d->every;
    double end = start + d->duration, omega = d->shape == 1 ? pi / d->duration : 0;
    if (t < start) {
        hold(t, 0, start, out);
    } else if (t >= end) {
        hold(t, 0, blow + 1 < d->repeat ? d->start + (blow + 1) * d->every : HUGE_VAL, out);
    } else if (d->shape == 0) {
        hold(start, d->amplitude, end, out);
    } else {
        *out = (jd_drive_segment){start, end, d->amplitude, omega, -omega * start, 0, 0};
    }
    out->omega = omega;
}

static void ramp(const jd_ramp_def *d, double t, jd_drive_segment *out) {
    double end = d->start + d->duration;
    if (t < d->start) {
        hold(t, 0, d->start, out);
    } else if (t >= end) {
        hold(t, d->amplitude, HUGE_VAL, out);
    } else {
        *out =
            (jd_drive_segment){.start = d->start, .end = end, .slope = d->amplitude / d->duration};
    }
}

// How many of n ascending times are not after t, by bisection.
static int passed(int n, const double *time, double t) {
    int low = 0, high = n; // time[low - 1] <= t < time[high]
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (time[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void table(const jd_drive_table_def *d, double t, jd_drive_segment *out) {
    const double *time = d->time.value, *value = d->value.value, scale = d->scale;
    int n = d->time.n, i = passed(n, time, t);
    if (i == 0) {
        hold(t, 0, time[0], out); // nothing acts before the first entry
    } else if (i == n) {
        hold(t, scale * value[n - 1], HUGE_VAL, out);
    } else {
        double slope = scale * (value[i] - value[i - 1]) / (time[i] - time[i - 1]);
        *out = (jd_drive_segment){
            .start = time[i - 1], .end = time[i], .level = scale * value[i - 1], .slope = slope};
    }
}

void jd_drive_segment_at(const jd_object *drive, double omega, double t, jd_drive_segment *out) {
    if (drive->type == &jd_drive_harmonic) {
        const jd_harmonic_def *d = drive->def;
        *out = (jd_drive_segment){t, HUGE_VAL, d->amplitude, omega, d->phase, 0, 0};
    } else if (drive->type == &jd_drive_travelling || drive->type == &jd_drive_quadrature) {
        const jd_travelling_def *d = drive->def;
        double ahead = drive->type == &jd_drive_quadrature ? pi / 2 : 0;
        *out = (jd_drive_segment){t, HUGE_VAL, d->amplitude, omega, d->phase + ahead, 0, 0};
    } else if (drive->type == &jd_drive_constant) {
        hold(t, ((const jd_constant_def *)drive->def)->value, HUGE_VAL, out);
    } else if (drive->type == &jd_drive_pulse) {
        pulse(drive->def, t, out);
    } else if (drive->type == &jd_drive_ramp) {
        ramp(drive->def, t, out);
    } else {
        table(drive->def, t, out);
    }
}

static bool has_frequency(const jd_type *type) {
    return type == &jd_drive_harmonic || type == &jd_drive_travelling ||
           type == &jd_drive_quadrature;
}

const jd_frequency *jd_drive_frequency(const jd_object *drive) {
    if (drive->type == &jd_drive_harmonic) return &((const jd_harmonic_def *)drive->def)->frequency;
    if (has_frequency(drive->type)) return &((const jd_travelling_def *)drive->def)->frequency;
    return NULL;
}

double jd_drive_omega(const jd_object *drive, double resolved) {
    if (has_frequency(drive->type)) return resolved;
    if (drive->type != &jd_drive_pulse) return 0;
    const jd_pulse_def *d = drive->def;
    return d->shape == 1 ? pi / d->duration : 0;
}

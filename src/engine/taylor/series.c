// series.c -- memory of the series, coefficients of drives, and what the series leave out.
#include "engine/taylor/series.h"

#include <math.h>

enum { ORDER = JD_EXPANSION_ORDER };

static const jd_expansion_kernel *pick(void) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(JD_PLAIN)
    if (__builtin_cpu_supports("avx2")) return &jd_expansion_avx2;
#endif
    return &jd_expansion_plain;
}

static double most_shape(const jd_semi *y) {
    double most = 0;
    if (y->footprint.moves && y->n_mode > 0) // wherever the cells come to
        return sqrt(2 * y->n_mode / (y->counter->mass_per_length * y->counter->length));
    for (int j = 0; j < y->n_cell; j++) {
        double sum = 0;
        const double *psi = y->shape + (size_t)j * (size_t)y->stride;
        for (int q = 0; q < y->n_mode; q++) sum += psi[q] * psi[q];
        most = fmax(most, sqrt(sum));
    }
    return most;
}

jd_status jd_expansion_create(jd_arena *arena, const jd_semi *y, jd_expansion *s) {
    size_t stride = (size_t)y->stride, cells = (size_t)y->cell_stride;
    *s = (jd_expansion){.semi = y, .kernel = pick(), .shape_most = most_shape(y)};
    s->row = JD_EXPANSION_LEAD + (y->n + 2 * JD_SEMI_LANES - 1) / JD_SEMI_LANES * JD_SEMI_LANES;
    s->u = JD_TAKE(arena, double, (ORDER + 1) * (size_t)s->row + 2 * JD_SEMI_LANES);
    s->eta = JD_TAKE(arena, double, (ORDER + 1) * stride);
    s->drive = JD_TAKE(arena, double, (ORDER + 1) * y->n_drive);
    s->push = JD_TAKE(arena, double, cells);
    s->push_eta = JD_TAKE(arena, double, stride);
    s->size = JD_TAKE(arena, double, cells);
    s->slot = JD_TAKE(arena, int, cells);
    s->slot_mass = JD_TAKE(arena, double, cells);
    s->slot_shape = JD_TAKE(arena, double, cells *stride);
    s->slot_shape_t = JD_TAKE(arena, double, cells *(size_t)y->n_mode);
    s->slot_spring = JD_TAKE(arena, double, cells);
    s->slot_anchor = JD_TAKE(arena, double, cells);
    s->bent = JD_TAKE(arena, double, s->row + JD_SEMI_LANES);
    s->force = JD_TAKE(arena, double, (ORDER - 1) * cells);
    s->slot_size = JD_TAKE(arena, double, cells);
    s->inverse = JD_TAKE(arena, double, stride *stride);
    s->stuck_pull = JD_TAKE(arena, double, cells);
    s->stuck_counter = JD_TAKE(arena, double, cells);
    s->modal_right = JD_TAKE(arena, double, stride);
    s->modal_pull = JD_TAKE(arena, double, stride);
    return jd_arena_status(arena);
}

// p = amplitude sin(omega t + phase) + level + slope (t - start)
void jd_expansion_drives(jd_expansion *s, double t, const jd_drive_segment *segment) {
    for (int d = 0; d < s->semi->n_drive; d++) {
        const jd_drive_segment *g = &segment[d];
        double *c = s->drive + d * (ORDER + 1), turn = g->omega * t + g->phase;
        double part[4] = {sin(turn), cos(turn), -sin(turn), -cos(turn)}, x = g->amplitude;
        for (int k = 0; k <= ORDER; k++) {
            c[k] = g->amplitude != 0 ? x * part[k & 3] : 0;
            x *= g->omega * s->dt / (k + 1);
        }
        c[0] += g->level + g->slope * (t - g->start);
        c[1] += g->slope * s->dt;
    }
}

// |M^-1/2 w| of a drive's distribution.
static double leverage(const jd_semi *y, const jd_semi_drive *d) {
    double sum = 0;
    for (int q = 0; d->modal && q < y->n_mode; q++) sum += d->modal[q] * d->modal[q];
    for (int a = 0; !d->modal && a < 2; a++) {
        int i = d->node + a < y->n ? d->node + a : y->n - 1;
        sum += d->weight[a] * d->weight[a] / y->mass[i];
    }
    return sqrt(sum);
}

// What drives add to the derivative of order ORDER - 1 over one tau, divided by (ORDER - 1)!.
static double driven(const jd_expansion *s, const jd_drive_segment *segment) {
    double sum = 0;
    for (int d = 0; d < s->semi->n_drive; d++) {
        double x = s->dt * s->dt * fabs(segment[d].amplitude);
        double turn = segment[d].omega * s->dt;
        for (int k = 1; k < ORDER && x > 0; k++) x *= turn / k;
        sum += x * (1 + turn) * leverage(s->semi, &s->semi->drive[d]);
    }
    return sum;
}

jd_remainder jd_expansion_remainder(const jd_expansion *s, const jd_drive_segment *segment) {
    const jd_semi *y = s->semi;
    const double *u = jd_expansion_u(s, ORDER), *w = jd_expansion_u(s, ORDER - 1);
    const double *a = s->eta + ORDER * (size_t)y->stride, *b = a - y->stride;
    double kinetic = 0, strain = 0, light = y->mass[0];
    for (int i = 0; i < y->n; i++) kinetic += y->mass[i] * u[i] * u[i];
    for (int i = 1; i < y->n; i++) strain += (w[i] - w[i - 1]) * (w[i] - w[i - 1]);
    strain *= y->spring;
    for (int q = 0; q < y->n_mode; q++) {
        kinetic += a[q] * a[q];
        strain += y->omega2[q] * b[q] * b[q];
    }
    double stiff = 0;
    for (int r = 0; y->elastic && r < s->n_stuck; r++) {
        double x = w[y->first + s->slot[r]];
        for (int q = 0; q < y->n_mode; q++)
            x -= s->slot_shape[(size_t)r * (size_t)y->stride + (size_t)q] * b[q];
        strain += s->slot_spring[r] * x * x;
        stiff = fmax(stiff, s->slot_spring[r]);
    }
    double more = driven(s, segment), heavy = y->mass[y->n > 2 ? 1 : 0];
    double e = sqrt((double)ORDER * ORDER * kinetic + s->dt * s->dt * strain) + more;
    double next = y->fastest * s->dt * e + more;
    return (jd_remainder){.velocity = next / ORDER * (1 / sqrt(light) + s->shape_most),
                          .force = sqrt(heavy) * next / (s->dt * s->dt) +
                                   (sqrt(2 * y->spring) * (1 + y->damping.beta * y->fastest) +
                                    sqrt(heavy) * y->damping.alpha + sqrt(stiff)) *
                                       e / s->dt};
}

double jd_expansion_speed(const jd_expansion *s) {
    const jd_semi *y = s->semi;
    double most = 0, mass = 0;
    for (int i = 0; i < y->n; i++) mass += y->mass[i];
    for (int k = 1; k <= 4; k++) {
        const double *u = jd_expansion_u(s, k);
        double sum = 0;
        for (int i = 0; i < y->n; i++) sum += y->mass[i] * u[i] * u[i];
        most = fmax(most, k * sqrt(sum / mass));
    }
    return most / s->dt;
}

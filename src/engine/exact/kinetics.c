// kinetics.c -- accelerations and their rate from the state, for deciding events.
//   q'' = f - C q' - Omega^2 q,   q''' = f' - C q'' - Omega^2 q'
#include <math.h>

#include "engine/exact/exact.h"

double jd_dot_size(int n, const double *a, const double *b) {
    double size;
    jd_dot_with_size(n, a, b, &size);
    return size;
}

// out = -Omega^2 q - (C + slopes of the sliding contacts) p
void jd_springs_and_dampers(const exact *e, const double *q, const double *p, double *out) {
    jd_pull_back(e->n, e->omega2, e->c, q, p, out);
    for (int l = 0; e->C && l < e->n; l++) {
        out[l] = -e->omega2[l] * q[l];
        for (int r = 0; r < e->n; r++) out[l] -= e->C[l * e->n + r] * p[r];
    }
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        if (c->slope != 0 && slide_sign(e->marks[j]) != 0)
            jd_add_row(e->n, -c->slope * jd_lanes_dot(e->n, c->row, p), c->row, out);
    }
}

void jd_acceleration(exact *e, double t) {
    jd_springs_and_dampers(e, e->q, e->p, e->acc);
    for (int d = 0; d < e->n_drive; d++)
        jd_add_row(e->n, jd_drive_value(&e->drive[d], t), e->drive[d].row, e->acc);
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        double s = slide_sign(e->marks[j]);
        if (s != 0) jd_add_row(e->n, -s * c->limit + c->slope * c->belt, c->row, e->acc);
    }
}

void jd_acceleration_rate(exact *e, double t) {
    jd_springs_and_dampers(e, e->p, e->acc, e->jerk);
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        jd_drive_turn(&e->drive[d], t);
        double rate = s->slope + s->amplitude * s->omega * e->drive[d].cosine;
        jd_add_row(e->n, rate, e->drive[d].row, e->jerk);
    }
}

// row q'''' from acc and jerk.
double jd_acceleration_bend(exact *e, double t, const double *row) {
    jd_springs_and_dampers(e, e->acc, e->jerk, e->scratch);
    double bend = jd_lanes_dot(e->n, row, e->scratch);
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        jd_drive_turn(&e->drive[d], t);
        double F = s->amplitude * s->omega * s->omega * e->drive[d].sine;
        bend -= F * jd_lanes_dot(e->n, row, e->drive[d].row);
    }
    return bend;
}

// Sum of the absolute terms of row (Omega^2 q + (C + slopes) p), what its rounding is measured by.
static double pull_size(const exact *e, const double *row, const double *q, const double *p) {
    double size = 0;
    for (int l = 0; l < e->n; l++) {
        double damping = e->C ? 0 : fabs(e->c[l] * p[l]);
        for (int r = 0; e->C && r < e->n; r++) damping += fabs(e->C[l * e->n + r] * p[r]);
        size += fabs(row[l]) * (fabs(e->omega2[l] * q[l]) + damping);
    }
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        if (c->slope != 0 && slide_sign(e->marks[j]) != 0)
            size +=
                fabs(c->slope * jd_lanes_dot(e->n, c->row, p) * jd_lanes_dot(e->n, c->row, row));
    }
    return size;
}

double jd_acceleration_size(const exact *e, int j, double t) {
    const double *row = e->contact[j].row;
    double size = pull_size(e, row, e->q, e->p);
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        double force = fabs(s->level) + fabs(s->slope * (t - s->start)) + fabs(s->amplitude);
        if (force > 0) size += force * jd_dot_size(e->n, row, e->drive[d].row);
    }
    for (int i = 0; i < e->m; i++)
        if (slide_sign(e->marks[i]) != 0)
            size += e->contact[i].limit * jd_dot_size(e->n, row, e->contact[i].row);
    return size;
}

double jd_relative_speed(const exact *e, int j) {
    return jd_lanes_dot(e->n, e->contact[j].row, e->p) - e->contact[j].belt;
}

double jd_speed_at(const exact *e, int j, bool *rests) {
    const contact *c = &e->contact[j];
    double size, v = jd_dot_with_size(e->n, c->row, e->p, &size) - c->belt;
    *rests = fabs(v) <= ROUNDING * (size + fabs(c->belt) + e->jump[j]);
    return v;
}

bool jd_at_rest(const exact *e, int j) {
    bool rests;
    jd_speed_at(e, j, &rests);
    return rests;
}

void jd_restrict_coupling(exact *e, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) e->fG[i * n + k] = e->G[e->fset[i] * e->m + e->fset[k]];
}

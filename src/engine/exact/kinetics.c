// kinetics.c -- accelerations and their rate from the state, for deciding events.
//   q'' = f - C q' - Omega^2 q,   q''' = f' - C q'' - Omega^2 q'
#include <math.h>

#include "engine/exact/exact.h"

double dot_size(int n, const double *a, const double *b) {
    double size;
    dot_with_size(n, a, b, &size);
    return size;
}

// out = -Omega^2 q - (C + slopes of the sliding contacts) p
void springs_and_dampers(const exact *e, const double *q, const double *p, double *out) {
    pull_back(e->n, e->omega2, e->c, q, p, out);
    for (int l = 0; e->C && l < e->n; l++) {
        out[l] = -e->omega2[l] * q[l];
        for (int r = 0; r < e->n; r++) out[l] -= e->C[l * e->n + r] * p[r];
    }
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        if (c->slope != 0 && slide_sign(e->marks[j]) != 0)
            add_row(e->n, -c->slope * dot(e->n, c->row, p), c->row, out);
    }
}

void acceleration(exact *e, double t) {
    springs_and_dampers(e, e->q, e->p, e->acc);
    for (int d = 0; d < e->n_drive; d++)
        add_row(e->n, drive_value(&e->drive[d], t), e->drive[d].row, e->acc);
    for (int j = 0; j < e->m; j++) {
        const contact *c = &e->contact[j];
        double s = slide_sign(e->marks[j]);
        if (s != 0) add_row(e->n, -s * c->limit + c->slope * c->belt, c->row, e->acc);
    }
}

void acceleration_rate(exact *e, double t) {
    springs_and_dampers(e, e->p, e->acc, e->jerk);
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        drive_turn(&e->drive[d], t);
        double rate = s->slope + s->amplitude * s->omega * e->drive[d].cosine;
        add_row(e->n, rate, e->drive[d].row, e->jerk);
    }
}

// row q'''' from acc and jerk.
double acceleration_bend(exact *e, double t, const double *row) {
    springs_and_dampers(e, e->acc, e->jerk, e->scratch);
    double bend = dot(e->n, row, e->scratch);
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        drive_turn(&e->drive[d], t);
        double F = s->amplitude * s->omega * s->omega * e->drive[d].sine;
        bend -= F * dot(e->n, row, e->drive[d].row);
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
            size += fabs(c->slope * dot(e->n, c->row, p) * dot(e->n, c->row, row));
    }
    return size;
}

double acceleration_size(const exact *e, int j, double t) {
    const double *row = e->contact[j].row;
    double size = pull_size(e, row, e->q, e->p);
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        double force = fabs(s->level) + fabs(s->slope * (t - s->start)) + fabs(s->amplitude);
        size += force * fabs(dot(e->n, row, e->drive[d].row));
    }
    for (int i = 0; i < e->m; i++)
        if (slide_sign(e->marks[i]) != 0) size += e->contact[i].limit * fabs(e->G[j * e->m + i]);
    return size;
}

double acceleration_rate_size(const exact *e, int j) {
    const double *row = e->contact[j].row;
    double size = pull_size(e, row, e->p, e->acc);
    for (int d = 0; d < e->n_drive; d++) {
        const jd_drive_segment *s = &e->drive[d].segment;
        size += (fabs(s->slope) + fabs(s->amplitude * s->omega)) *
                fabs(dot(e->n, row, e->drive[d].row));
    }
    return size;
}

double relative_speed(const exact *e, int j) {
    return dot(e->n, e->contact[j].row, e->p) - e->contact[j].belt;
}

double speed_at(const exact *e, int j, bool *rests) {
    const contact *c = &e->contact[j];
    double size, v = dot_with_size(e->n, c->row, e->p, &size) - c->belt;
    *rests = fabs(v) <= ROUNDING * (size + fabs(c->belt) + e->jump[j]);
    return v;
}

bool at_rest(const exact *e, int j) {
    bool rests;
    speed_at(e, j, &rests);
    return rests;
}

void restrict_coupling(exact *e, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) e->fG[i * n + k] = e->G[e->fset[i] * e->m + e->fset[k]];
}

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
    jd_pull_back(e->plan.n, e->plan.omega2, e->plan.c, q, p, out);
    for (int l = 0; e->plan.C && l < e->plan.n; l++) {
        out[l] = -e->plan.omega2[l] * q[l];
        for (int r = 0; r < e->plan.n; r++) out[l] -= e->plan.C[l * e->plan.n + r] * p[r];
    }
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        if (c->slope != 0 && slide_sign(e->state.contact[j]) != 0)
            jd_add_row(e->plan.n, -c->slope * jd_lanes_dot(e->plan.n, c->row, p), c->row, out);
    }
}

void jd_acceleration(exact *e, double t) {
    jd_springs_and_dampers(e, e->state.q, e->state.p, e->scratch.acceleration);
    for (int d = 0; d < e->plan.n_drive; d++)
        jd_add_row(e->plan.n, jd_drive_value(&e->plan.drive[d], t), e->plan.drive[d].row,
                   e->scratch.acceleration);
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        double s = slide_sign(e->state.contact[j]);
        if (s != 0)
            jd_add_row(e->plan.n, -s * c->limit + c->slope * c->belt, c->row,
                       e->scratch.acceleration);
    }
}

void jd_acceleration_rate(exact *e, double t) {
    jd_springs_and_dampers(e, e->state.p, e->scratch.acceleration, e->scratch.jerk);
    for (int d = 0; d < e->plan.n_drive; d++) {
        const jd_drive_segment *s = &e->plan.drive[d].segment;
        jd_drive_turn(&e->plan.drive[d], t);
        double rate = s->slope + s->amplitude * s->omega * e->plan.drive[d].cosine;
        jd_add_row(e->plan.n, rate, e->plan.drive[d].row, e->scratch.jerk);
    }
}

// Sum of the absolute terms of row (Omega^2 q + (C + slopes) p), what its rounding is measured by.
static double pull_size(const exact *e, const double *row, const double *q, const double *p) {
    double size = 0;
    for (int l = 0; l < e->plan.n; l++) {
        double damping = e->plan.C ? 0 : fabs(e->plan.c[l] * p[l]);
        for (int r = 0; e->plan.C && r < e->plan.n; r++)
            damping += fabs(e->plan.C[l * e->plan.n + r] * p[r]);
        size += fabs(row[l]) * (fabs(e->plan.omega2[l] * q[l]) + damping);
    }
    for (int j = 0; j < e->plan.m; j++) {
        const contact *c = &e->plan.contact[j];
        if (c->slope != 0 && slide_sign(e->state.contact[j]) != 0)
            size += fabs(c->slope * jd_lanes_dot(e->plan.n, c->row, p) *
                         jd_lanes_dot(e->plan.n, c->row, row));
    }
    return size;
}

double jd_acceleration_size(const exact *e, int j, double t) {
    const double *row = e->plan.contact[j].row;
    double size = pull_size(e, row, e->state.q, e->state.p);
    for (int d = 0; d < e->plan.n_drive; d++) {
        const jd_drive_segment *s = &e->plan.drive[d].segment;
        double force = fabs(s->level) + fabs(s->slope * (t - s->start)) + fabs(s->amplitude);
        if (force > 0) size += force * jd_dot_size(e->plan.n, row, e->plan.drive[d].row);
    }
    for (int i = 0; i < e->plan.m; i++)
        if (slide_sign(e->state.contact[i]) != 0)
            size += e->plan.contact[i].limit * jd_dot_size(e->plan.n, row, e->plan.contact[i].row);
    return size;
}

double jd_relative_speed(const exact *e, int j) {
    return jd_lanes_dot(e->plan.n, e->plan.contact[j].row, e->state.p) - e->plan.contact[j].belt;
}

double jd_speed_at(const exact *e, int j, bool *rests) {
    const contact *c = &e->plan.contact[j];
    double size, v = jd_dot_with_size(e->plan.n, c->row, e->state.p, &size) - c->belt;
    *rests = fabs(v) <= ROUNDING * (size + fabs(c->belt) + e->event.jump[j]);
    return v;
}

bool jd_at_rest(const exact *e, int j) {
    bool rests;
    jd_speed_at(e, j, &rests);
    return rests;
}

void jd_restrict_coupling(exact *e, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            e->box.G[i * n + k] = e->plan.G[e->box.set[i] * e->plan.m + e->box.set[k]];
}

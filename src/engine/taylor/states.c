// states.c -- what follows from which cells stick: forces of the sliding ones, and the inverse of
//   G = I + Psi_S' m_S Psi_S, changed by rank one when a cell changes (Sherman, Morrison):
//     w = G^-1 psi,   (G +- m psi psi')^-1 = G^-1 -+ m w w'/(1 +- m psi' w)
#include <math.h>
#include <string.h>

#include "engine/taylor/motion.h"

enum { FRESH_AFTER = 200 };            // updates; rounding adds up in G^-1
static const double worst_pivot = 0.1; // below it a rank-one update loses digits

static const double *shape_of(const jd_motion *m, int cell) {
    return m->semi->shape + (size_t)cell * (size_t)m->semi->stride;
}

static void list_stuck(jd_motion *m) {
    const jd_semi *y = m->semi;
    jd_expansion *s = &m->series;
    size_t stride = (size_t)y->stride;
    s->n_stuck = 0;
    for (int j = 0; j < y->n_cell; j++) {
        if (m->state.slide[j] != 0) continue;
        int r = s->n_stuck++;
        s->slot[r] = j;
        s->slot_mass[r] = y->mass[y->first + j];
        memcpy(s->slot_shape + (size_t)r * stride, shape_of(m, j), stride * sizeof(double));
    }
    for (int q = 0; q < y->n_mode; q++) {
        const double *from = y->shape_t + (size_t)q * (size_t)y->cell_stride;
        double *to = s->slot_shape_t + (size_t)q * (size_t)y->cell_stride;
        for (int r = 0; r < s->n_stuck; r++) to[r] = from[s->slot[r]];
    }
}

// G^-1 after adding sign m psi psi'; false when the pivot is too small.
static bool update(jd_motion *m, int cell, double sign) {
    const jd_semi *y = m->semi;
    const double *psi = shape_of(m, cell);
    double *inverse = m->series.inverse, *w = m->scratch.modal, pivot = 1;
    double mass = sign * y->mass[y->first + cell];
    for (int p = 0; p < y->n_mode; p++) {
        double sum = 0;
        for (int q = 0; q < y->n_mode; q++) sum += inverse[p * y->stride + q] * psi[q];
        w[p] = sum;
        pivot += mass * psi[p] * sum;
    }
    if (pivot < worst_pivot) return false;
    for (int p = 0; p < y->n_mode; p++) {
        double factor = mass * w[p] / pivot, *row = inverse + (size_t)p * (size_t)y->stride;
        for (int q = 0; q < y->n_mode; q++) row[q] -= factor * w[q];
    }
    return true;
}

static void push_cell(jd_motion *m, int cell, int state, double sign) {
    const jd_semi *y = m->semi;
    const double *psi = shape_of(m, cell);
    double force = sign * state * y->limit[cell];
    for (int q = 0; q < y->n_mode; q++) m->series.push_eta[q] += force * psi[q];
}

void jd_motion_push(jd_motion *m) {
    const jd_semi *y = m->semi;
    jd_expansion *s = &m->series;
    memset(s->push_eta, 0, (size_t)y->stride * sizeof *s->push_eta);
    for (int j = 0; j < y->n_cell; j++) {
        s->push[j] = -m->state.slide[j] * y->limit[j] / y->mass[y->first + j];
        if (m->state.slide[j] != 0) push_cell(m, j, m->state.slide[j], 1);
    }
}

// The inverse from the identity by adding one stuck cell after the other: pivots are >= 1.
void jd_motion_renew(jd_motion *m) {
    const jd_semi *y = m->semi;
    jd_expansion *s = &m->series;
    memset(s->inverse, 0, (size_t)y->stride * (size_t)y->stride * sizeof *s->inverse);
    for (int q = 0; q < y->n_mode; q++) s->inverse[q * y->stride + q] = 1;
    for (int j = 0; j < y->n_cell; j++)
        if (m->state.slide[j] == 0 && !y->elastic) update(m, j, 1);
    jd_motion_push(m);
    list_stuck(m);
    m->state.updates = 0;
}

void jd_motion_set(jd_motion *m, int cell, int state) {
    const jd_semi *y = m->semi;
    int old = m->state.slide[cell];
    if (old == state) return;
    m->state.slide[cell] = (int8_t)state;
    m->series.push[cell] = -state * y->limit[cell] / y->mass[y->first + cell];
    push_cell(m, cell, old, -1);
    push_cell(m, cell, state, 1);
    if (old != 0 && state != 0) return;
    // Elastic: its masses are its own, no factor to update.
    if (!y->elastic && (++m->state.updates >= FRESH_AFTER || !update(m, cell, state == 0 ? 1 : -1)))
        jd_motion_renew(m);
    else
        list_stuck(m);
}

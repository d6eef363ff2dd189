// fields.c -- the contact along the length at one time, probes, and the state as bytes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/taylor/taylor.h"

enum { ORDER = JD_EXPANSION_ORDER };

jd_status jd_fields_create(jd_arena *arena, const jd_semi *y, jd_fields *f) {
    JD_TRY(jd_semi_cells_create(arena, y, &f->cells));
    f->counter = JD_TAKE(arena, double, y->cell_stride + 1);
    f->counter_v = JD_TAKE(arena, double, y->cell_stride + 1);
    f->u = JD_TAKE(arena, double, y->n + JD_SEMI_LANES);
    f->v = JD_TAKE(arena, double, y->n + JD_SEMI_LANES);
    f->eta = JD_TAKE(arena, double, y->stride + 1);
    f->eta_v = JD_TAKE(arena, double, y->stride + 1);
    return jd_arena_status(arena);
}

void jd_fields_take(jd_fields *f, const jd_motion *m, double t) {
    const jd_semi *y = m->semi;
    jd_semi_cells *c = &f->cells;
    jd_motion_at(m, t, f->u, f->v, f->eta, f->eta_v);
    m->series.kernel->spread(y, f->eta, f->counter);
    m->series.kernel->spread(y, f->eta_v, f->counter_v);
    for (int j = 0; j < y->n_cell; j++) {
        int i = y->first + j, state = m->state.slide[j];
        c->displacement[j] = f->u[i] - f->counter[j] - y->velocity * t;
        c->velocity[j] = state == 0 && !y->elastic ? 0 : f->v[i] - f->counter_v[j] - y->velocity;
        c->force[j] = -state * y->limit[j];
        c->state[j] = state;
        c->loss[j] =
            m->ledger.loss[j] + state * y->limit[j] * (c->displacement[j] - m->ledger.slipped[j]);
    }
    for (int r = 0; r < m->series.n_stuck; r++)
        c->force[m->series.slot[r]] = jd_motion_force(m, m->series.slot[r], t);
}

double jd_motion_node(const jd_motion *m, int node, const double *weight, double t, double *v) {
    double tau = (t - m->state.t0) / m->series.dt, value = 0, rate = 0;
    for (int k = ORDER; k >= 0; k--) {
        const double *u = jd_expansion_u(&m->series, k) + node;
        double x = weight[1] > 0 ? weight[0] * u[0] + weight[1] * u[1] : u[0];
        rate = rate * tau + value;
        value = value * tau + x;
    }
    *v = rate / m->series.dt;
    return value;
}

double jd_motion_modal(const jd_motion *m, const double *row, double t, double *v) {
    double tau = (t - m->state.t0) / m->series.dt, value = 0, rate = 0;
    for (int k = ORDER; k >= 0; k--) {
        const double *eta = m->series.eta + (size_t)k * (size_t)m->semi->stride;
        double x = 0;
        for (int q = 0; q < m->semi->n_mode; q++) x += row[q] * eta[q];
        rate = rate * tau + value;
        value = value * tau + x;
    }
    *v = rate / m->series.dt;
    return value;
}

static void pack(size_t *at, void *own, size_t bytes, char *to, const char *from) {
    if (to) memcpy(to + *at, own, bytes);
    if (from) memcpy(own, from + *at, bytes);
    *at += bytes;
}

size_t jd_motion_pack(jd_motion *m, char *to, const char *from) {
    const jd_semi *y = m->semi;
    size_t at = 0, real = sizeof(double), stride = (size_t)y->stride, cells = (size_t)y->n_cell;
    // The step in hand is looked for again: it begins with the dt it had.
    double numbers[8] = {m->state.t0,    m->series.dt,     m->state.unit,     m->state.age,
                         m->ledger.belt, m->state.updates, m->ledger.damping, m->state.followed};
    pack(&at, numbers, sizeof numbers, to, from);
    m->state.t0 = numbers[0];
    if (from) m->step.next_dt = numbers[1];
    m->state.unit = numbers[2];
    m->state.age = numbers[3];
    m->ledger.belt = numbers[4];
    m->ledger.damping = numbers[6];
    m->state.followed = numbers[7];
    pack(&at, m->count.changes, sizeof m->count.changes, to, from);
    pack(&at, &m->count.undecided, sizeof m->count.undecided, to, from);
    pack(&at, m->state.u, (size_t)y->n * real, to, from);
    pack(&at, m->state.v, (size_t)y->n * real, to, from);
    pack(&at, m->state.eta, stride * real, to, from);
    pack(&at, m->state.eta_v, stride * real, to, from);
    pack(&at, m->ledger.work, (size_t)y->n_drive * real, to, from);
    pack(&at, m->ledger.loss, cells * real, to, from);
    pack(&at, m->ledger.slipped, cells * real, to, from);
    pack(&at, m->state.anchor, cells * real, to, from);
    if (y->footprint.moves) pack(&at, y->footprint.way, cells * real, to, from);
    pack(&at, m->state.onset, cells, to, from);
    pack(&at, m->state.slide, cells, to, from);
    for (size_t j = 0; from && j < cells; j++) // checked after; until then it is used
        if (m->state.slide[j] < -1 || m->state.slide[j] > 1) m->state.slide[j] = INT8_MAX;
    if (from) jd_motion_put_back(m);
    if (from) jd_motion_renew(m); // lists; the inverse as it was comes next
    m->state.updates = numbers[5] >= 0 && numbers[5] < 1e6 ? (int)numbers[5] : -1;
    pack(&at, m->series.inverse, stride * stride * real, to, from);
    pack(&at, m->series.push_eta, stride * real, to, from);
    return at;
}

const char *jd_motion_odd(const jd_motion *m, double t) {
    const jd_semi *y = m->semi;
    size_t n = (size_t)y->n, stride = (size_t)y->stride, cells = (size_t)y->n_cell;
    const double number[] = {m->state.age, m->state.unit, m->step.next_dt, m->state.followed};
    if (!(m->state.t0 >= 0 && m->state.t0 <= t)) return "the time of its step is";
    for (int i = 0; i < 4; i++)
        if (!(number[i] >= 0 && isfinite(number[i]))) return "a size of its step is";
    if (!(m->step.next_dt > 0) || m->state.updates < 0) return "a size of its step is";
    if (!(jd_state_finite(n, m->state.u) && jd_state_finite(n, m->state.v) &&
          jd_state_finite(stride, m->state.eta) && jd_state_finite(stride, m->state.eta_v) &&
          jd_state_finite(cells, m->ledger.slipped) && jd_state_finite(cells, m->state.anchor)))
        return "the motion is";
    if (y->footprint.moves && !jd_state_finite(cells, y->footprint.way)) return "the motion is";
    if (!(jd_state_finite(stride * stride, m->series.inverse) &&
          jd_state_finite(stride, m->series.push_eta)))
        return "the motion is";
    if (!(isfinite(m->ledger.belt) && isfinite(m->ledger.damping) &&
          jd_state_finite((size_t)y->n_drive, m->ledger.work) &&
          jd_state_finite(cells, m->ledger.loss)))
        return "an energy is";
    for (size_t j = 0; j < cells; j++)
        if (abs(m->state.slide[j]) > 1 || m->state.onset[j] < JD_ONSET_NONE ||
            m->state.onset[j] > JD_ONSET_FORCE)
            return "the state of a cell is";
    for (int i = 0; i < 3; i++)
        if (!jd_state_count(m->count.changes[i])) return "a count is";
    return jd_state_count(m->count.undecided) ? NULL : "a count is";
}

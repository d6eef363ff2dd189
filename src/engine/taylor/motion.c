// motion.c -- one step after the other: expand, find the first change, go there, decide.
#include "engine/taylor/motion.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "engine/engine.h"

enum { ORDER = JD_EXPANSION_ORDER };

static const double first_turn = 2.0; // omega_max dt of the first step
static const double most_turn = 6.0;  // above it rounding of the highest modes grows
static const double onset_end = 1e-6; // tau after which a change is plainly visible
// Velocities change on the scale of the fastest period: within this part of it a cell cannot come
// to rest and go again a hundred times.  tested: a_motion_that_stands_still_ends_by_name
static const double storm_window = 1e-6;
enum { STORM_PER_CELL = 100, STORM = 1000 };

jd_status jd_motion_create(jd_arena *arena, const jd_semi *y, jd_motion *m) {
    size_t n = (size_t)y->n + JD_SEMI_LANES, stride = (size_t)y->stride + 1;
    *m = (jd_motion){.semi = y,
                     .step = {.change = {.cell = -1}, .next_dt = first_turn / y->fastest}};
    JD_TRY(jd_expansion_create(arena, y, &m->series));
    m->segments.of = JD_TAKE(arena, jd_drive_segment, y->n_drive);
    m->state.slide = JD_TAKE(arena, int8_t, y->n_cell);
    m->state.onset = JD_TAKE(arena, int8_t, y->n_cell);
    m->state.u = JD_TAKE(arena, double, n);
    m->state.v = JD_TAKE(arena, double, n);
    m->state.eta = JD_TAKE(arena, double, stride);
    m->state.eta_v = JD_TAKE(arena, double, stride);
    m->scratch.modal = JD_TAKE(arena, double, stride);
    m->scratch.counter = JD_TAKE(arena, double, y->cell_stride);
    m->ledger.work = JD_TAKE(arena, double, y->n_drive);
    m->ledger.loss = JD_TAKE(arena, double, y->n_cell);
    m->ledger.slipped = JD_TAKE(arena, double, y->n_cell);
    m->state.anchor = JD_TAKE(arena, double, y->n_cell);
    m->scratch.u = JD_TAKE(arena, double, n);
    m->scratch.v = JD_TAKE(arena, double, n);
    m->scratch.eta = JD_TAKE(arena, double, stride);
    m->scratch.eta_v = JD_TAKE(arena, double, stride);
    JD_TRY(jd_arena_status(arena));
    // At rest: stuck, unless nothing holds, or the counterpart slides along.
    int sliding = y->velocity > 0 ? -1 : 1;
    for (int j = 0; j < y->n_cell; j++)
        if (!(y->static_limit[j] > 0) || (y->velocity != 0 && !y->elastic))
            m->state.slide[j] = (int8_t)sliding;
    jd_motion_renew(m);
    return JD_OK;
}

void jd_motion_segments(jd_motion *m) {
    m->segments.end = HUGE_VAL;
    for (int d = 0; d < m->semi->n_drive; d++) {
        const jd_semi_drive *drive = &m->semi->drive[d];
        jd_drive_segment_at(drive->object, drive->omega, m->state.t0, &m->segments.of[d]);
        m->segments.end = fmin(m->segments.end, m->segments.of[d].end);
    }
}

// Orders 0 and 1 from the state; stuck cells take the velocity of what they stick to.
static void load(jd_motion *m) {
    const jd_semi *y = m->semi;
    jd_expansion *s = &m->series;
    double dt = s->dt, *u1 = jd_expansion_u(s, 1), *eta1 = s->eta + y->stride;
    memcpy(jd_expansion_u(s, 0), m->state.u, (size_t)y->n * sizeof(double));
    memcpy(s->eta, m->state.eta, (size_t)y->stride * sizeof(double));
    for (int i = 0; i < y->n; i++) u1[i] = m->state.v[i] * dt;
    for (int q = 0; q < y->stride; q++) eta1[q] = m->state.eta_v[q] * dt;
    s->kernel->spread(y, eta1, m->scratch.counter);
    for (int r = 0; r < s->n_stuck; r++) {
        int j = s->slot[r];
        s->slot_spring[r] = y->stiffness[j];
        s->slot_anchor[r] = m->state.anchor[j] + y->velocity * m->state.t0;
        if (y->elastic) continue;
        u1[y->first + j] = m->scratch.counter[j] + y->velocity * dt;
    }
    jd_expansion_drives(s, m->state.t0, m->segments.of);
}

// How far the series are good to rounding: at most 1.
static double reach(jd_motion *m, const jd_remainder *r) {
    const jd_semi *y = m->semi;
    m->state.unit = fmax(m->state.unit, jd_expansion_speed(&m->series));
    double v = 1e-15 * m->state.unit, f = v * y->spring / y->rate, tau = 2;
    if (r->velocity > 0) tau = fmin(tau, pow(v * m->series.dt / r->velocity, 1.0 / ORDER));
    if (r->force > 0) tau = fmin(tau, pow(f / r->force, 1.0 / (ORDER - 1)));
    double turn = y->fastest * m->series.dt;
    m->step.next_dt = fmin(m->series.dt * fmax(0.97 * tau, 0.25), most_turn / y->fastest);
    return turn > 0 && tau < 1 ? tau : 1;
}

void jd_motion_find_step(jd_motion *m) {
    jd_expansion *s = &m->series;
    jd_motion_segments(m);
    s->dt = m->step.next_dt;
    load(m);
    s->kernel->expand(s, ORDER);
    s->kernel->sizes(s);
    jd_remainder r = jd_expansion_remainder(s, m->segments.of);
    m->step.tau_end = reach(m, &r);
    m->step.t_end = m->state.t0 + m->step.tau_end * s->dt;
    m->step.change = (jd_change){.cell = -1};
    if (m->step.t_end >= m->segments.end) {
        m->step.t_end = m->segments.end;
        m->step.tau_end = (m->segments.end - m->state.t0) / s->dt;
    }
    jd_motion_search(m, &r);
}

static double relative(const jd_motion *m, int cell, const double *node, const double *modal) {
    const jd_semi *y = m->semi;
    const double *psi = y->shape + (size_t)cell * (size_t)y->stride;
    double sum = node[y->first + cell];
    for (int q = 0; q < y->n_mode; q++) sum -= psi[q] * modal[q];
    return sum;
}

// The velocity of the counterpart at a cell [m/s].
static double counter_velocity(const jd_motion *m, int cell) {
    return m->state.v[m->semi->first + cell] - relative(m, cell, m->state.v, m->state.eta_v) +
           m->semi->velocity;
}

double jd_motion_slip_now(const jd_motion *m, int cell) {
    return relative(m, cell, m->state.u, m->state.eta) - m->semi->velocity * m->state.t0;
}

double jd_motion_rate_now(const jd_motion *m, int cell) {
    return m->state.v[m->semi->first + cell] - counter_velocity(m, cell);
}

// Force a stuck cell needs at t0 [N].
static double needed(jd_motion *m, int cell) {
    jd_expansion *s = &m->series;
    load(m);
    s->kernel->expand(s, 2);
    for (int r = 0; r < s->n_stuck; r++)
        if (s->slot[r] == cell) return s->force[r];
    return 0;
}

// A cell lets go: on the side its force pushed against.
static void release(jd_motion *m, int cell, int to) {
    const jd_semi *y = m->semi;
    m->ledger.slipped[cell] = jd_motion_slip_now(m, cell);
    jd_motion_set(m, cell, to);
    m->count.changes[0]++;
    m->state.onset[cell] = JD_ONSET_NONE;
    if (y->elastic) { // it moves already; a spring above the limit while sliding springs back
        double most = y->static_limit[cell], limit = y->limit[cell];
        m->ledger.loss[cell] += (most * most - limit * limit) / (2 * y->stiffness[cell]);
        return;
    }
    bool at_once = y->static_limit[cell] > y->limit[cell] || m->step.change.jumped;
    m->state.onset[cell] = at_once ? JD_ONSET_RATE : JD_ONSET_FORCE;
}

// What sliding has cost is booked.
static void book(jd_motion *m, int cell) {
    double slip = jd_motion_slip_now(m, cell);
    m->ledger.loss[cell] +=
        m->state.slide[cell] * m->semi->limit[cell] * (slip - m->ledger.slipped[cell]);
    m->ledger.slipped[cell] = slip;
}

// A sliding cell with a spring turns: the spring, stretched to the limit, gives way from there on.
static void turn(jd_motion *m, int cell) {
    const jd_semi *y = m->semi;
    int old = m->state.slide[cell];
    m->state.anchor[cell] = m->ledger.slipped[cell] - old * y->limit[cell] / y->stiffness[cell];
    jd_motion_set(m, cell, 0);
    m->state.onset[cell] = y->static_limit[cell] > y->limit[cell] ? JD_ONSET_NONE : JD_ONSET_FORCE;
    m->count.changes[1]++;
}

// A sliding cell has come to rest: it sticks if that takes no more than the static limit.
static void stop(jd_motion *m, int cell) {
    book(m, cell);
    if (m->semi->elastic) {
        turn(m, cell);
        return;
    }
    m->state.v[m->semi->first + cell] = counter_velocity(m, cell);
    jd_motion_set(m, cell, 0);
    m->state.onset[cell] = JD_ONSET_NONE;
    double f = needed(m, cell);
    if (fabs(f) <= m->semi->static_limit[cell]) {
        m->count.changes[1]++;
        return;
    }
    jd_motion_set(m, cell, f > 0 ? -1 : 1);
    m->state.onset[cell] = JD_ONSET_RATE;
    m->count.changes[2]++;
}

static void count_storm(jd_motion *m) {
    double quick = 2 * JD_PI / m->semi->fastest;
    if (m->state.t0 - m->count.storm_start > storm_window * quick) {
        m->count.storm = 0;
        m->count.storm_start = m->state.t0;
    }
    m->count.storm++;
}

bool jd_motion_stands_still(const jd_motion *m) {
    int n = m->semi->n_cell;
    return m->count.idle > 4 * n + 64 || m->count.storm > STORM + (long)STORM_PER_CELL * n;
}

static void decide(jd_motion *m, jd_change *change) {
    m->state.age = 0;
    count_storm(m);
    if (change->from == 0)
        release(m, change->cell, change->to);
    else
        stop(m, change->cell);
    change->to = m->state.slide[change->cell];
}

jd_change jd_motion_advance(jd_motion *m) {
    const jd_semi *y = m->semi;
    jd_change change = m->step.change;
    for (int d = 0; d < y->n_drive; d++) m->ledger.work[d] = jd_motion_work(m, d, m->step.t_end);
    m->ledger.belt = jd_motion_belt(m, m->step.t_end);
    m->ledger.damping = jd_motion_damping(m, m->step.t_end);
    jd_motion_at(m, m->step.t_end, m->state.u, m->state.v, m->state.eta, m->state.eta_v);
    m->state.age += m->step.tau_end;
    if (m->state.age > onset_end) memset(m->state.onset, JD_ONSET_NONE, (size_t)y->n_cell);
    m->count.idle = m->step.t_end > m->state.t0 ? 0 : m->count.idle + 1;
    m->state.t0 = m->step.t_end;
    if (change.cell >= 0) decide(m, &change);
    m->beyond = !jd_motion_follow(m);
    return change;
}

bool jd_change_event(jd_run *run, const jd_change *change) {
    if (change->cell < 0) return false;
    jd_run_set_event(run, run->t, 0, change->cell, jd_contact_sliding(change->from),
                     jd_contact_sliding(change->to));
    return true;
}

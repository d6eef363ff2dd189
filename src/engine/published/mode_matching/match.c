// match.c -- steps of mode matching: try a step, shorten it to the first change.
#include "engine/published/mode_matching/match.h"

#include <math.h>
#include <string.h>

static const double usual = 0.5;     // step in h/c
static const double accuracy = 1e-6; // of events, in steps
static const double speck = 1e-13;   // of the limit: rounding of forces
enum { MOST_TRIES = 60 };

jd_status jd_match_create(jd_arena *arena, const jd_semi *y, jd_match *m) {
    *m = (jd_match){.semi = y, .step = usual / y->rate};
    m->tolerance = accuracy * m->step;
    JD_TRY(jd_motion_create(arena, y, &m->cells));
    JD_TRY(jd_chain_cache_create(arena, y, m->step, &m->cache));
    size_t n = (size_t)y->n + JD_SEMI_LANES, modes = (size_t)y->stride + 1,
           cells = (size_t)y->cell_stride;
    double **nodes[] = {&m->start.q,      &m->start.q_rate, &m->start.force, &m->trial.q,
                        &m->trial.q_rate, &m->trial.u,      &m->trial.v};
    double **modal[] = {&m->start.modal_force, &m->trial.eta, &m->trial.eta_rate, &m->trial.accel};
    double **cell[] = {&m->start.offset,       &m->start.counter,     &m->trial.counter,
                       &m->trial.counter_rate, &m->trial.stick_force, &m->trial.guard,
                       &m->guard_before};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) *nodes[i] = JD_TAKE(arena, double, n);
    for (size_t i = 0; i < sizeof modal / sizeof *modal; i++)
        *modal[i] = JD_TAKE(arena, double, modes);
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++)
        *cell[i] = JD_TAKE(arena, double, cells);
    m->start.driven = JD_TAKE(arena, double, y->n_drive);
    m->pieces.now = JD_TAKE(arena, jd_piece, n);
    m->pieces.old = JD_TAKE(arena, jd_piece, n);
    m->scratch = (jd_match_scratch){.pull = JD_TAKE(arena, double, cells),
                                    .right = JD_TAKE(arena, double, modes),
                                    .accel = JD_TAKE(arena, double, cells),
                                    .nodal = JD_TAKE(arena, double, n),
                                    .cosine = JD_TAKE(arena, double, n),
                                    .sine = JD_TAKE(arena, double, n)};
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < y->n_cell; j++) m->guard_before[j] = 1;
    return jd_match_cut(m);
}

void jd_match_free(jd_match *m) { jd_chain_cache_free(&m->cache); }

static double drive_at(const jd_match *m, int d, double t) {
    const jd_drive_segment *g = &m->cells.segments.of[d];
    return g->amplitude * sin(g->omega * t + g->phase) + g->level + g->slope * (t - g->start);
}

// -(K u) + p of a node [N]
static double pull_at(const jd_match *m, int i, double t) {
    const jd_semi *y = m->semi;
    const double *u = m->trial.u;
    double f = 0;
    if (i > 0) f += y->spring * (u[i - 1] - u[i]);
    if (i + 1 < y->n) f += y->spring * (u[i + 1] - u[i]);
    for (int d = 0; d < y->n_drive; d++) {
        const jd_semi_drive *e = &y->drive[d];
        if (!e->modal && (i == e->node || i == e->node + 1))
            f += drive_at(m, d, t) * e->weight[i - e->node];
    }
    return f;
}

// eta'' and the forces of stuck cells, from the displacements at time t.
static void accelerate(jd_match *m, double t) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->cells.series;
    int padded = (s->n_stuck + 3) & ~3;
    double *pull = m->scratch.pull, *right = m->scratch.right, *a = m->scratch.accel;
    for (int q = 0; q < y->n_mode; q++) right[q] = s->push_eta[q] - y->omega2[q] * m->trial.eta[q];
    for (int d = 0; d < y->n_drive; d++)
        for (int q = 0; y->drive[d].modal && q < y->n_mode; q++)
            right[q] += drive_at(m, d, t) * y->drive[d].modal[q];
    for (int r = 0; r < s->n_stuck; r++) pull[r] = pull_at(m, y->first + s->slot[r], t);
    s->kernel->combine(s->n_stuck, y->stride, y->stride, pull, s->slot_shape, right);
    memset(m->trial.accel, 0, (size_t)y->stride * sizeof *m->trial.accel);
    s->kernel->combine(y->n_mode, y->stride, y->stride, right, s->inverse, m->trial.accel);
    memset(a, 0, (size_t)padded * sizeof *a);
    s->kernel->combine(y->n_mode, padded, y->cell_stride, m->trial.accel, s->slot_shape_t, a);
    for (int r = 0; r < s->n_stuck; r++)
        m->trial.stick_force[s->slot[r]] = s->slot_mass[r] * a[r] - pull[r];
}

// How much the stuck neighbour of a piece has moved since t0 [m].
static double moved(const jd_match *m, int node) {
    int j = node - m->semi->first;
    if (j < 0 || j >= m->semi->n_cell) return 0; // a support
    return m->trial.counter[j] - m->start.counter[j];
}

// Nodal displacements and velocities of a piece; only what touches, unless `whole`.
static void unfold(jd_match *m, const jd_piece *p, bool whole) {
    const jd_chain_modes *c = p->modes;
    int low = m->semi->first - 1 - p->first;
    low = whole || low < 0 ? 0 : low & ~3;
    if (low >= p->n) return;
    int columns = c->stride - low;
    const double *from[] = {m->trial.q + p->first, m->trial.q_rate + p->first};
    double *to[] = {m->trial.u, m->trial.v};
    for (int i = 0; i < 2; i++) {
        memset(m->scratch.nodal, 0, (size_t)columns * sizeof *m->scratch.nodal);
        m->cells.series.kernel->combine(p->n, columns, c->stride, from[i], c->shape + low,
                                        m->scratch.nodal);
        memcpy(to[i] + p->first + low, m->scratch.nodal,
               (size_t)(p->n - low) * sizeof *m->scratch.nodal);
    }
}

static void turn_modes(jd_match *m, double d) {
    const jd_semi *y = m->semi;
    const double *eta = m->cells.state.eta, *rate = m->cells.state.eta_v;
    for (int q = 0; q < y->n_mode; q++) {
        double w = sqrt(y->omega2[q]), c = cos(w * d), s = w > 0 ? sin(w * d) / w : d;
        double kicked = rate[q] + 0.5 * d * m->start.modal_force[q];
        m->trial.eta[q] = eta[q] * c + kicked * s;
        m->trial.eta_rate[q] = kicked * c - y->omega2[q] * eta[q] * s;
    }
}

static void set_guards(jd_match *m) {
    const jd_semi *y = m->semi;
    for (int j = 0; j < y->n_cell; j++) {
        int state = m->cells.state.slide[j], i = y->first + j;
        m->trial.guard[j] = state == 0 ? 1 - fabs(m->trial.stick_force[j]) / y->static_limit[j]
                                       : state * (m->trial.v[i] - m->trial.counter_rate[j]);
        if (!(y->static_limit[j] > 0)) m->trial.guard[j] = 1;
    }
}

void jd_match_try(jd_match *m, double d, bool whole) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->cells.series;
    double t = m->start.t0 + d;
    m->tries++;
    m->trial.d = d;
    turn_modes(m, d);
    s->kernel->spread(y, m->trial.eta, m->trial.counter);
    for (int j = 0; j < y->n_cell; j++) m->trial.counter[j] += y->velocity * t;
    for (int i = 0; i < m->pieces.n; i++) {
        const jd_piece *p = &m->pieces.now[i];
        double k = 0.5 * d * y->spring;
        jd_piece_advance(m, p, d);
        jd_piece_kick(p, p->first > 0 ? k * moved(m, p->first - 1) : 0,
                      p->first + p->n < y->n ? k * moved(m, p->first + p->n) : 0, m->trial.q_rate);
        unfold(m, p, whole);
    }
    for (int r = 0; r < s->n_stuck; r++)
        m->trial.u[y->first + s->slot[r]] =
            m->start.offset[s->slot[r]] + m->trial.counter[s->slot[r]];
    accelerate(m, t);
    for (int q = 0; q < y->n_mode; q++)
        m->trial.eta_rate[q] += 0.5 * d * (m->trial.accel[q] + y->omega2[q] * m->trial.eta[q]);
    s->kernel->spread(y, m->trial.eta_rate, m->trial.counter_rate);
    for (int j = 0; j < y->n_cell; j++) m->trial.counter_rate[j] += y->velocity;
    for (int r = 0; r < s->n_stuck; r++)
        m->trial.v[y->first + s->slot[r]] = m->trial.counter_rate[s->slot[r]];
    set_guards(m);
}

// The cell whose guard is first to pass 0 between lo (guard0) and now; where, as a share.
static int first_past(const jd_match *m, bool from_start, double *where) {
    int found = -1;
    double floor_v = -1e-14 * m->cells.state.unit;
    *where = 2;
    for (int j = 0; j < m->semi->n_cell; j++) {
        bool stuck = m->cells.state.slide[j] == 0, starts = from_start && m->cells.state.onset[j];
        double g0 = m->guard_before[j], g = m->trial.guard[j];
        if (g >= (stuck ? -speck : floor_v)) continue;
        double x = starts ? 0.5 : g0 > 0 ? g0 / (g0 - g) : 0;
        if (x < *where) {
            *where = x;
            found = j;
        }
    }
    return found;
}

// Shrinks [low, high], no change before low and one before high, until it is short enough.
static void shorten(jd_match *m, double high, int cell, double where) {
    double low = 0, beyond = m->trial.guard[cell], side = -1;
    for (int i = 0; i < MOST_TRIES && high - low > m->tolerance; i++) {
        double x = low + (high - low) * (i % 8 == 7 ? 0.5 : where) + side * 0.4 * m->tolerance;
        x = fmin(fmax(x, low + 0.3 * m->tolerance), high - 0.3 * m->tolerance);
        jd_match_try(m, x, false);
        double share;
        int past = first_past(m, low == 0, &share);
        if (past >= 0) { // come from below next time
            high = x;
            cell = past;
            beyond = m->trial.guard[cell];
            where = share;
            side = -1;
        } else {
            low = x;
            memcpy(m->guard_before, m->trial.guard,
                   (size_t)m->semi->n_cell * sizeof *m->guard_before);
            where = m->trial.guard[cell] / (m->trial.guard[cell] - beyond);
            side = 1;
        }
    }
    jd_match_try(m, high, true);
    m->cells.step.change = (jd_change){.cell = cell, .from = m->cells.state.slide[cell]};
}

void jd_match_find_step(jd_match *m) {
    double where, d = m->step;
    m->cells.state.t0 = m->start.t0;
    jd_motion_segments(&m->cells);
    bool cut = m->start.t0 + d >= m->cells.segments.end;
    if (cut) d = m->cells.segments.end - m->start.t0;
    m->cells.step.change = (jd_change){.cell = -1};
    jd_match_try(m, d, false);
    int cell = first_past(m, true, &where);
    m->cells.step.t_end = cut ? m->cells.segments.end : m->start.t0 + d;
    if (cell >= 0) {
        shorten(m, d, cell, where);
        m->cells.step.t_end = m->start.t0 + m->trial.d;
    }
    m->found = m->trial.d;
}

double jd_match_slip(const jd_match *m, int cell) {
    return m->trial.u[m->semi->first + cell] - m->trial.counter[cell];
}

double jd_match_loss(const jd_match *m, int cell) {
    const jd_motion *c = &m->cells;
    if (c->state.slide[cell] == 0) return c->ledger.loss[cell];
    return c->ledger.loss[cell] + c->state.slide[cell] * m->semi->limit[cell] *
                                      (jd_match_slip(m, cell) - c->ledger.slipped[cell]);
}

static void release(jd_match *m, int cell) {
    m->cells.ledger.slipped[cell] = jd_match_slip(m, cell);
    jd_motion_set(&m->cells, cell, m->trial.stick_force[cell] > 0 ? -1 : 1);
    m->cells.state.onset[cell] = JD_ONSET_FORCE;
    m->cells.count.changes[0]++;
}

// A sliding cell has come to rest; it sticks if that takes no more than the static limit.
static void stop(jd_match *m, int cell) {
    jd_motion *c = &m->cells;
    c->ledger.loss[cell] = jd_match_loss(m, cell);
    c->ledger.slipped[cell] = m->start.offset[cell] = jd_match_slip(m, cell);
    m->trial.v[m->semi->first + cell] = m->trial.counter_rate[cell];
    jd_motion_set(c, cell, 0);
    accelerate(m, m->start.t0);
    double f = m->trial.stick_force[cell];
    bool sticks = fabs(f) <= m->semi->static_limit[cell];
    if (!sticks) jd_motion_set(c, cell, f > 0 ? -1 : 1);
    c->state.onset[cell] = sticks ? JD_ONSET_NONE : JD_ONSET_RATE;
    c->count.changes[sticks ? 1 : 2]++;
}

// Where nothing changed the pieces go on; their stuck neighbours are the new reference.
static void carry_on(jd_match *m) {
    const jd_semi *y = m->semi;
    for (int i = 0; i < m->pieces.n; i++) {
        const jd_piece *p = &m->pieces.now[i];
        jd_piece_kick(p, p->first > 0 ? y->spring * moved(m, p->first - 1) : 0,
                      p->first + p->n < y->n ? y->spring * moved(m, p->first + p->n) : 0,
                      m->start.force);
    }
}

// After a try: displacement of any node, and of what a drive acts on.
static double node_at(const jd_match *m, int node) {
    for (int i = 0; i < m->pieces.n; i++) {
        const jd_piece *p = &m->pieces.now[i];
        if (node < p->first || node >= p->first + p->n) continue;
        double sum = 0;
        for (int k = 0; k < p->n; k++)
            sum +=
                p->modes->shape[(size_t)k * (size_t)p->modes->stride + (size_t)(node - p->first)] *
                m->trial.q[p->first + k];
        return sum;
    }
    return m->trial.u[node];
}

static double driven(const jd_match *m, int drive) {
    const jd_semi_drive *e = &m->semi->drive[drive];
    double sum = 0;
    for (int q = 0; e->modal && q < m->semi->n_mode; q++) sum += e->modal[q] * m->trial.eta[q];
    for (int a = 0; !e->modal && a < 2; a++)
        if (e->weight[a] != 0) sum += e->weight[a] * node_at(m, e->node + a);
    return sum;
}

// Work by the trapezoidal rule: the force is nearly linear in a step.
static void add_work(jd_match *m) {
    for (int d = 0; d < m->semi->n_drive; d++) {
        m->cells.ledger.work[d] = jd_match_work(m, d);
        m->start.driven[d] = driven(m, d);
    }
}

jd_change jd_match_advance(jd_match *m) {
    const jd_semi *y = m->semi;
    jd_motion *c = &m->cells;
    jd_change change = c->step.change;
    size_t n = (size_t)y->n * sizeof(double);
    if (m->trial.d != m->found) jd_match_try(m, m->found, true); // somebody looked elsewhere
    add_work(m);
    if (change.cell < 0) carry_on(m);
    memcpy(m->start.q, m->trial.q, n);
    memcpy(m->start.q_rate, m->trial.q_rate, n);
    memcpy(c->state.eta, m->trial.eta, (size_t)y->stride * sizeof(double));
    memcpy(c->state.eta_v, m->trial.eta_rate, (size_t)y->stride * sizeof(double));
    memset(c->state.onset, JD_ONSET_NONE, (size_t)y->n_cell);
    m->start.t0 = c->state.t0 = c->step.t_end;
    for (int i = 0; i < y->n; i++) c->state.unit = fmax(c->state.unit, fabs(m->trial.v[i]));
    if (change.cell >= 0) {
        if (change.from == 0)
            release(m, change.cell);
        else
            stop(m, change.cell);
        change.to = c->state.slide[change.cell];
        m->failed = m->failed || jd_match_cut(m) != JD_OK;
        jd_motion_segments(c);
        accelerate(m, m->start.t0);
        set_guards(m);
    }
    for (int q = 0; q < y->n_mode; q++)
        m->start.modal_force[q] = m->trial.accel[q] + y->omega2[q] * m->trial.eta[q];
    memcpy(m->start.counter, m->trial.counter, (size_t)y->n_cell * sizeof(double));
    memcpy(m->guard_before, m->trial.guard, (size_t)y->n_cell * sizeof(double));
    return change;
}

double jd_match_work(const jd_match *m, int drive) {
    double mean =
        0.5 * (drive_at(m, drive, m->start.t0) + drive_at(m, drive, m->start.t0 + m->trial.d));
    return m->cells.ledger.work[drive] + mean * (driven(m, drive) - m->start.driven[drive]);
}

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
    double **nodes[] = {&m->q, &m->q_rate, &m->force, &m->q1, &m->q1_rate, &m->u, &m->v};
    double **modal[] = {&m->modal_force, &m->eta, &m->eta_rate, &m->accel};
    double **cell[] = {&m->offset, &m->follow, &m->follow1, &m->follow_rate,
                       &m->held,   &m->guard,  &m->guard0};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) *nodes[i] = JD_TAKE(arena, double, n);
    for (size_t i = 0; i < sizeof modal / sizeof *modal; i++)
        *modal[i] = JD_TAKE(arena, double, modes);
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++)
        *cell[i] = JD_TAKE(arena, double, cells);
    m->driven = JD_TAKE(arena, double, y->n_drive);
    m->piece = JD_TAKE(arena, jd_piece, n);
    m->old = JD_TAKE(arena, jd_piece, n);
    m->room = JD_TAKE(arena, double, 2 * n + 2 * cells + modes);
    JD_TRY(jd_arena_status(arena));
    for (int j = 0; j < y->n_cell; j++) m->guard0[j] = 1;
    return jd_match_cut(m);
}

void jd_match_free(jd_match *m) { jd_chain_cache_free(&m->cache); }

static double drive_at(const jd_match *m, int d, double t) {
    const jd_drive_segment *g = &m->cells.segment[d];
    return g->amplitude * sin(g->omega * t + g->phase) + g->level + g->slope * (t - g->start);
}

// -(K u) + p of a node [N]
static double pull_at(const jd_match *m, int i, double t) {
    const jd_semi *y = m->semi;
    const double *u = m->u;
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
    double *pull = m->room, *right = pull + y->cell_stride, *a = right + y->stride;
    for (int q = 0; q < y->n_mode; q++) right[q] = s->push_eta[q] - y->omega2[q] * m->eta[q];
    for (int d = 0; d < y->n_drive; d++)
        for (int q = 0; y->drive[d].modal && q < y->n_mode; q++)
            right[q] += drive_at(m, d, t) * y->drive[d].modal[q];
    for (int r = 0; r < s->n_stuck; r++) pull[r] = pull_at(m, y->first + s->slot[r], t);
    s->kernel->combine(s->n_stuck, y->stride, y->stride, pull, s->slot_shape, right);
    memset(m->accel, 0, (size_t)y->stride * sizeof *m->accel);
    s->kernel->combine(y->n_mode, y->stride, y->stride, right, s->inverse, m->accel);
    memset(a, 0, (size_t)padded * sizeof *a);
    s->kernel->combine(y->n_mode, padded, y->cell_stride, m->accel, s->slot_shape_t, a);
    for (int r = 0; r < s->n_stuck; r++) m->held[s->slot[r]] = s->slot_mass[r] * a[r] - pull[r];
}

// How much the stuck neighbour of a piece has moved since t0 [m].
static double moved(const jd_match *m, int node) {
    int j = node - m->semi->first;
    if (j < 0 || j >= m->semi->n_cell) return 0; // a support
    return m->follow1[j] - m->follow[j];
}

// Nodal displacements and velocities of a piece; only what touches, unless `whole`.
static void unfold(jd_match *m, const jd_piece *p, bool whole) {
    const jd_chain_modes *c = p->modes;
    int low = m->semi->first - 1 - p->first;
    low = whole || low < 0 ? 0 : low & ~3;
    if (low >= p->n) return;
    int columns = c->stride - low;
    const double *from[] = {m->q1 + p->first, m->q1_rate + p->first};
    double *to[] = {m->u, m->v};
    for (int i = 0; i < 2; i++) {
        memset(m->room, 0, (size_t)columns * sizeof *m->room);
        m->cells.series.kernel->combine(p->n, columns, c->stride, from[i], c->shape + low, m->room);
        memcpy(to[i] + p->first + low, m->room, (size_t)(p->n - low) * sizeof *m->room);
    }
}

static void turn_modes(jd_match *m, double d) {
    const jd_semi *y = m->semi;
    const double *eta = m->cells.eta, *rate = m->cells.eta_v;
    for (int q = 0; q < y->n_mode; q++) {
        double w = sqrt(y->omega2[q]), c = cos(w * d), s = w > 0 ? sin(w * d) / w : d;
        double kicked = rate[q] + 0.5 * d * m->modal_force[q];
        m->eta[q] = eta[q] * c + kicked * s;
        m->eta_rate[q] = kicked * c - y->omega2[q] * eta[q] * s;
    }
}

static void set_guards(jd_match *m) {
    const jd_semi *y = m->semi;
    for (int j = 0; j < y->n_cell; j++) {
        int state = m->cells.state[j], i = y->first + j;
        m->guard[j] = state == 0 ? 1 - fabs(m->held[j]) / y->static_limit[j]
                                 : state * (m->v[i] - m->follow_rate[j]);
        if (!(y->static_limit[j] > 0)) m->guard[j] = 1;
    }
}

void jd_match_try(jd_match *m, double d, bool whole) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->cells.series;
    double t = m->t0 + d;
    m->tries++;
    m->d = d;
    turn_modes(m, d);
    s->kernel->spread(y, m->eta, m->follow1);
    for (int j = 0; j < y->n_cell; j++) m->follow1[j] += y->velocity * t;
    for (int i = 0; i < m->n_piece; i++) {
        const jd_piece *p = &m->piece[i];
        double k = 0.5 * d * y->spring;
        jd_piece_advance(m, p, d);
        jd_piece_kick(p, p->first > 0 ? k * moved(m, p->first - 1) : 0,
                      p->first + p->n < y->n ? k * moved(m, p->first + p->n) : 0, m->q1_rate);
        unfold(m, p, whole);
    }
    for (int r = 0; r < s->n_stuck; r++)
        m->u[y->first + s->slot[r]] = m->offset[s->slot[r]] + m->follow1[s->slot[r]];
    accelerate(m, t);
    for (int q = 0; q < y->n_mode; q++)
        m->eta_rate[q] += 0.5 * d * (m->accel[q] + y->omega2[q] * m->eta[q]);
    s->kernel->spread(y, m->eta_rate, m->follow_rate);
    for (int j = 0; j < y->n_cell; j++) m->follow_rate[j] += y->velocity;
    for (int r = 0; r < s->n_stuck; r++) m->v[y->first + s->slot[r]] = m->follow_rate[s->slot[r]];
    set_guards(m);
}

// The cell whose guard is first to pass 0 between lo (guard0) and now; where, as a share.
static int first_past(const jd_match *m, bool from_start, double *where) {
    int found = -1;
    double floor_v = -1e-14 * m->cells.unit;
    *where = 2;
    for (int j = 0; j < m->semi->n_cell; j++) {
        bool stuck = m->cells.state[j] == 0, young = from_start && m->cells.youth[j];
        double g0 = m->guard0[j], g = m->guard[j];
        if (g >= (stuck ? -speck : floor_v)) continue;
        double x = young ? 0.5 : g0 > 0 ? g0 / (g0 - g) : 0;
        if (x < *where) {
            *where = x;
            found = j;
        }
    }
    return found;
}

// Shrinks [low, high], no change before low and one before high, until it is short enough.
static void shorten(jd_match *m, double high, int cell, double where) {
    double low = 0, beyond = m->guard[cell], side = -1;
    for (int i = 0; i < MOST_TRIES && high - low > m->tolerance; i++) {
        double x = low + (high - low) * (i % 8 == 7 ? 0.5 : where) + side * 0.4 * m->tolerance;
        x = fmin(fmax(x, low + 0.3 * m->tolerance), high - 0.3 * m->tolerance);
        jd_match_try(m, x, false);
        double share;
        int past = first_past(m, low == 0, &share);
        if (past >= 0) { // come from below next time
            high = x;
            cell = past;
            beyond = m->guard[cell];
            where = share;
            side = -1;
        } else {
            low = x;
            memcpy(m->guard0, m->guard, (size_t)m->semi->n_cell * sizeof *m->guard0);
            where = m->guard[cell] / (m->guard[cell] - beyond);
            side = 1;
        }
    }
    jd_match_try(m, high, true);
    m->cells.next = (jd_change){.cell = cell, .from = m->cells.state[cell]};
}

void jd_match_look(jd_match *m) {
    double where, d = m->step;
    m->cells.t0 = m->t0;
    jd_motion_segments(&m->cells);
    bool cut = m->t0 + d >= m->cells.breakpoint;
    if (cut) d = m->cells.breakpoint - m->t0;
    m->cells.next = (jd_change){.cell = -1};
    jd_match_try(m, d, false);
    int cell = first_past(m, true, &where);
    m->cells.t_end = cut ? m->cells.breakpoint : m->t0 + d;
    if (cell >= 0) {
        shorten(m, d, cell, where);
        m->cells.t_end = m->t0 + m->d;
    }
    m->plan = m->d;
}

double jd_match_slip(const jd_match *m, int cell) {
    return m->u[m->semi->first + cell] - m->follow1[cell];
}

double jd_match_loss(const jd_match *m, int cell) {
    const jd_motion *c = &m->cells;
    if (c->state[cell] == 0) return c->loss[cell];
    return c->loss[cell] +
           c->state[cell] * m->semi->limit[cell] * (jd_match_slip(m, cell) - c->slipped[cell]);
}

static void release(jd_match *m, int cell) {
    m->cells.slipped[cell] = jd_match_slip(m, cell);
    jd_motion_set(&m->cells, cell, m->held[cell] > 0 ? -1 : 1);
    m->cells.youth[cell] = JD_YOUNG_FORCE;
    m->cells.counts[0]++;
}

// A sliding cell has come to rest; it sticks if that takes no more than the static limit.
static void stop(jd_match *m, int cell) {
    jd_motion *c = &m->cells;
    c->loss[cell] = jd_match_loss(m, cell);
    c->slipped[cell] = m->offset[cell] = jd_match_slip(m, cell);
    m->v[m->semi->first + cell] = m->follow_rate[cell];
    jd_motion_set(c, cell, 0);
    accelerate(m, m->t0);
    double f = m->held[cell];
    bool sticks = fabs(f) <= m->semi->static_limit[cell];
    if (!sticks) jd_motion_set(c, cell, f > 0 ? -1 : 1);
    c->youth[cell] = sticks ? JD_GROWN : JD_YOUNG_RATE;
    c->counts[sticks ? 1 : 2]++;
}

// Where nothing changed the pieces go on; their stuck neighbours are the new reference.
static void carry_on(jd_match *m) {
    const jd_semi *y = m->semi;
    for (int i = 0; i < m->n_piece; i++) {
        const jd_piece *p = &m->piece[i];
        jd_piece_kick(p, p->first > 0 ? y->spring * moved(m, p->first - 1) : 0,
                      p->first + p->n < y->n ? y->spring * moved(m, p->first + p->n) : 0, m->force);
    }
}

// After a try: displacement of any node, and of what a drive acts on.
static double node_at(const jd_match *m, int node) {
    for (int i = 0; i < m->n_piece; i++) {
        const jd_piece *p = &m->piece[i];
        if (node < p->first || node >= p->first + p->n) continue;
        double sum = 0;
        for (int k = 0; k < p->n; k++)
            sum +=
                p->modes->shape[(size_t)k * (size_t)p->modes->stride + (size_t)(node - p->first)] *
                m->q1[p->first + k];
        return sum;
    }
    return m->u[node];
}

static double driven(const jd_match *m, int drive) {
    const jd_semi_drive *e = &m->semi->drive[drive];
    double sum = 0;
    for (int q = 0; e->modal && q < m->semi->n_mode; q++) sum += e->modal[q] * m->eta[q];
    for (int a = 0; !e->modal && a < 2; a++)
        if (e->weight[a] != 0) sum += e->weight[a] * node_at(m, e->node + a);
    return sum;
}

// Work by the trapezoidal rule: the force is nearly linear in a step.
static void add_work(jd_match *m) {
    for (int d = 0; d < m->semi->n_drive; d++) {
        m->cells.work[d] = jd_match_work(m, d);
        m->driven[d] = driven(m, d);
    }
}

jd_change jd_match_go(jd_match *m) {
    const jd_semi *y = m->semi;
    jd_motion *c = &m->cells;
    jd_change change = c->next;
    size_t n = (size_t)y->n * sizeof(double);
    if (m->d != m->plan) jd_match_try(m, m->plan, true); // somebody looked elsewhere
    add_work(m);
    if (change.cell < 0) carry_on(m);
    memcpy(m->q, m->q1, n);
    memcpy(m->q_rate, m->q1_rate, n);
    memcpy(c->eta, m->eta, (size_t)y->stride * sizeof(double));
    memcpy(c->eta_v, m->eta_rate, (size_t)y->stride * sizeof(double));
    memset(c->youth, JD_GROWN, (size_t)y->n_cell);
    m->t0 = c->t0 = c->t_end;
    for (int i = 0; i < y->n; i++) c->unit = fmax(c->unit, fabs(m->v[i]));
    if (change.cell >= 0) {
        if (change.from == 0)
            release(m, change.cell);
        else
            stop(m, change.cell);
        change.to = c->state[change.cell];
        m->failed = m->failed || jd_match_cut(m) != JD_OK;
        jd_motion_segments(c);
        accelerate(m, m->t0);
        set_guards(m);
    }
    for (int q = 0; q < y->n_mode; q++) m->modal_force[q] = m->accel[q] + y->omega2[q] * m->eta[q];
    memcpy(m->follow, m->follow1, (size_t)y->n_cell * sizeof(double));
    memcpy(m->guard0, m->guard, (size_t)y->n_cell * sizeof(double));
    return change;
}

double jd_match_work(const jd_match *m, int drive) {
    double mean = 0.5 * (drive_at(m, drive, m->t0) + drive_at(m, drive, m->t0 + m->d));
    return m->cells.work[drive] + mean * (driven(m, drive) - m->driven[drive]);
}

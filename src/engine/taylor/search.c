// search.c -- the first change of any cell within a step.
//   Sliding:  s g(tau) = s (u' - Psi eta' - v0) > 0;   stuck:  static limit -+ f(tau) > 0.
//   Most cells are settled by |g(0)| > sum of the moduli of all further terms; the few that are
//   left get their polynomial and its certified first zero.
#include <math.h>

#include "engine/taylor/motion.h"
#include "linalg/first_zero.h"

enum { ORDER = JD_EXPANSION_ORDER };

static const double rounding = 4 * 0x1p-52;
static const double jump = 1e-10; // of the limit: more is no rounding

// Keeps the earliest; of changes that are due at once the one furthest over.
static void keep(jd_motion *m, jd_zero z, jd_change change, double over, double *most) {
    if (!z.found || z.tau > m->step.tau_end) return;
    bool sooner = z.tau < m->step.tau_end || m->step.change.cell < 0;
    if (!sooner && !(z.tau == 0 && over > *most)) return;
    *most = over;
    m->step.change = change;
    m->step.tau_end = z.tau;
    m->step.t_end = m->state.t0 + z.tau * m->series.dt;
}

// s times the relative velocity as a polynomial; returns the sum of its moduli.
static double gather_slide(const jd_motion *m, int cell, double *c) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->series;
    const double *psi = y->shape + (size_t)cell * (size_t)y->stride;
    double sum = 0;
    for (int k = 0; k < ORDER; k++) {
        const double *eta = s->eta + (size_t)(k + 1) * (size_t)y->stride;
        double x = jd_expansion_u(s, k + 1)[y->first + cell];
        for (int q = 0; q < y->n_mode; q++) x -= psi[q] * eta[q];
        c[k] = m->state.slide[cell] * (k + 1) * x;
        sum += fabs(c[k]);
    }
    c[0] -= m->state.slide[cell] * y->velocity * s->dt;
    return sum;
}

// A cell that has just begun to slide starts at rest: rounding must not turn its first terms.
// Likewise the force of a spring that has just turned, from its limit.
static int zeros_at_onset(const jd_motion *m, int cell, double *c) {
    int zeros = 0, most = m->state.onset[cell];
    for (int k = 0; k < most; k++) {
        if (m->state.age == 0 || c[k] < 0) c[k] = 0;
        if (c[k] == 0 && zeros == k) zeros = k + 1;
    }
    return zeros;
}

static void search_sliding(jd_motion *m, int cell, const jd_remainder *r, double *most) {
    double c[ORDER];
    double sum = gather_slide(m, cell, c);
    double slack = rounding * sum + r->velocity * pow(m->step.tau_end, ORDER);
    int zeros = m->state.onset[cell] ? zeros_at_onset(m, cell, c) : 0;
    jd_zero z = jd_first_zero_of(ORDER - 1 - zeros, c + zeros, m->step.tau_end, slack);
    m->count.searches++;
    if (z.found && !z.sure) m->count.undecided++;
    keep(m, z, (jd_change){.cell = cell, .from = m->state.slide[cell]}, 0, most);
}

// Either side of the static limit.
static void search_stuck(jd_motion *m, int slot, const jd_remainder *r, double *most) {
    const jd_expansion *s = &m->series;
    size_t cells = (size_t)m->semi->cell_stride;
    int cell = s->slot[slot];
    double c[ORDER - 1], limit = m->semi->static_limit[cell];
    m->count.searches++;
    for (int side = -1; side <= 1; side += 2) {
        double sum = limit;
        for (int k = 0; k <= ORDER - 2; k++) {
            c[k] = -side * s->force[(size_t)k * cells + (size_t)slot];
            sum += fabs(c[k]);
        }
        c[0] += limit;
        if (c[0] + c[0] > sum) continue; // never on this side
        bool turned = m->state.onset[cell] && c[0] < limit;
        int zeros = turned ? zeros_at_onset(m, cell, c) : 0;
        double slack = rounding * sum + r->force * pow(m->step.tau_end, ORDER - 1);
        bool jumped = c[0] < -jump * limit;
        jd_zero z = jd_first_zero_of(ORDER - 2 - zeros, c + zeros, m->step.tau_end, slack);
        if (z.found && !z.sure) m->count.undecided++;
        keep(m, z, (jd_change){cell, 0, (int8_t)-side, jumped}, -c[0] / limit, most);
    }
}

void jd_motion_search(jd_motion *m, const jd_remainder *r) {
    const jd_semi *y = m->semi;
    const jd_expansion *s = &m->series;
    const double *u1 = jd_expansion_u(s, 1) + y->first;
    double most = -HUGE_VAL, rest = s->shape_most * s->size_eta + r->velocity;
    for (int k = 0; k < s->n_stuck; k++)
        if (!(fabs(s->force[k]) + s->slot_size[k] + r->force < y->static_limit[s->slot[k]]))
            search_stuck(m, k, r, &most);
    for (int j = 0; j < y->n_cell; j++) {
        if (m->state.slide[j] == 0 || !(y->static_limit[j] > 0)) continue; // nothing to hold it
        double g = m->state.slide[j] * (u1[j] - m->scratch.counter[j] - y->velocity * s->dt);
        if (m->state.onset[j] || !(g > (s->size[j] + rest) * (1 + rounding)))
            search_sliding(m, j, r, &most);
    }
}

// footprint.c -- cells that move along their counterpart. Where a cell lies is set at the beginning
//   of a step, every half of h/c or later, and kept until its end, so that within a step the
//   equations are those of a fixed contact: force and velocity go through the same Psi, momentum is
//   handed over and friction's work is limit times distance, exactly. A stuck cell does not move
//   along.
#include <math.h>
#include <string.h>

#include "engine/taylor/motion.h"

// A sliding cell at its new place: what it lost so far is booked, and it slides the way it does.
static bool put(jd_motion *m, int j) {
    const jd_semi *y = m->semi;
    double slip = jd_motion_slip_now(m, j), old = y->limit[j];
    if (!jd_semi_put(y, j, slip)) return false;
    m->ledger.loss[j] += m->state.slide[j] * old * (slip - m->ledger.slipped[j]);
    m->ledger.slipped[j] = jd_motion_slip_now(m, j);
    if (y->elastic) // its spring is as strong as the limit
        m->ledger.loss[j] += (old * old - y->limit[j] * y->limit[j]) / (2 * y->stiffness[j]);
    double g = jd_motion_rate_now(m, j);
    bool begins = m->state.onset[j] != JD_ONSET_NONE && m->state.age == 0;
    if (!begins && g != 0) m->state.slide[j] = g > 0 ? 1 : -1;
    return true;
}

bool jd_motion_follow(jd_motion *m) {
    const jd_semi *y = m->semi;
    if (!y->footprint.moves || (m->state.t0 - m->state.followed) * y->rate < 0.5) return true;
    m->state.followed = m->state.t0;
    for (int j = 0; j < y->n_cell; j++)
        if (m->state.slide[j] != 0 && !put(m, j)) return false;
    jd_motion_push(m);
    return true;
}

void jd_motion_put_back(jd_motion *m) {
    const jd_semi *y = m->semi;
    for (int j = 0; y->footprint.moves && j < y->n_cell; j++)
        jd_semi_put(y, j, y->footprint.way[j]);
}

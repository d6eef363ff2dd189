// replan.c -- laws and drives read again after a change of numbers; what they do not touch is kept.
//   Limits, gaps, belts and amplitudes live outside the bases. A frequency changes poles, responses
//   and watches of every basis, but not its stuck modes. A sliding slope changes the basis itself.
#include <string.h>

#include "engine/exact/exact.h"

// Bases that depend on a sliding slope leave the list; their memory goes with the run.
static void drop_sloped(exact *e) {
    for (basis **at = &e->bases.list; *at;) {
        basis *b = *at;
        if (!strchr(b->key, 'd')) {
            at = &b->next;
            continue;
        }
        jd_expbasis_free(b->poles.exp);
        *at = b->next;
        e->bases.count--;
    }
}

// In place where that is possible (done: as far as is known), else all bases are tuned anew when
// next used.
static void retune(exact *e, bool done) {
    for (basis *b = e->bases.list; b && done; b = b->next)
        done = !b->poles.exp || jd_basis_retune(e, b);
    if (done) return;
    for (basis *b = e->bases.list; b; b = b->next) {
        jd_expbasis_free(b->poles.exp);
        b->poles.exp = NULL;
    }
    jd_arena_back(e->bases.tuned, e->bases.tuned_start);
    e->bases.tuned_back = jd_arena_bytes(e->bases.tuned);
}

jd_status jd_exact_replan(jd_run *run) {
    exact *e = run->state;
    bool slope = false, frequency = false, belts = e->plan.belts;
    JD_TRY(jd_problem_build(run->problem));
    for (int j = 0; j < e->plan.m; j++) e->box.x[j] = e->plan.contact[j].slope;
    jd_plan_laws(e);
    for (int j = 0; j < e->plan.m; j++) slope |= e->plan.contact[j].slope != e->box.x[j];
    for (int d = 0; d < e->plan.n_drive; d++)
        frequency |=
            e->plan.drive[d].omega != jd_drive_omega(jd_problem_drive(run->problem, d),
                                                     jd_problem_drive_frequency(run->problem, d));
    jd_plan_drives(e);
    jd_plan_rate(e);
    if (slope) drop_sloped(e);
    if (frequency) jd_plan_scale(e);
    // responses to moving counterparts are not made where there are none
    if (frequency || (e->plan.belts && !belts)) retune(e, !e->plan.belts || belts);
    e->phase.pending = e->phase.started = false;
    return JD_OK;
}

// replan.c -- laws and drives read again after a change of numbers; what they do not touch is kept.
//   Limits, gaps, belts and amplitudes live outside the bases. A frequency changes poles, responses
//   and watches of every basis, but not its stuck modes. A sliding slope changes the basis itself.
#include <string.h>

#include "engine/exact/exact.h"

// Bases that depend on a sliding slope leave the list; their memory goes with the run.
static void drop_sloped(exact *e) {
    for (basis **at = &e->bases; *at;) {
        basis *b = *at;
        if (!strchr(b->key, 'd')) {
            at = &b->next;
            continue;
        }
        jd_expbasis_free(b->exp);
        *at = b->next;
        e->n_basis--;
    }
}

// In place where that is possible (done: as far as is known), else all bases are tuned anew when
// next used.
static void retune(exact *e, bool done) {
    for (basis *b = e->bases; b && done; b = b->next) done = !b->exp || jd_basis_retune(e, b);
    if (done) return;
    for (basis *b = e->bases; b; b = b->next) {
        jd_expbasis_free(b->exp);
        b->exp = NULL;
    }
    jd_arena_back(e->tuned, e->tuned_start);
    e->tuned_back = jd_arena_bytes(e->tuned);
}

jd_status jd_exact_replan(jd_run *run) {
    exact *e = run->state;
    bool slope = false, frequency = false, belts = e->belts;
    JD_TRY(jd_problem_build(run->problem));
    for (int j = 0; j < e->m; j++) e->fx[j] = e->contact[j].slope;
    jd_plan_laws(e);
    for (int j = 0; j < e->m; j++) slope |= e->contact[j].slope != e->fx[j];
    for (int d = 0; d < e->n_drive; d++)
        frequency |=
            e->drive[d].omega != jd_drive_omega(jd_problem_drive(run->problem, d),
                                                jd_problem_drive_frequency(run->problem, d));
    jd_plan_drives(e);
    jd_plan_rate(e);
    if (slope) drop_sloped(e);
    if (frequency) jd_plan_scale(e);
    // responses to moving counterparts are not made where there are none
    if (frequency || (e->belts && !belts)) retune(e, !e->belts || belts);
    e->pending = e->started = false;
    return JD_OK;
}

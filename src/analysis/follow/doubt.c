// doubt.c -- what the tolerance of an engine leaves unknown of the multipliers of a point.
//   The orbit is closed once more, in the plane across the branch, with steps to 1/100 of the
//   tolerance; the error of the multipliers follows from both lists as for a single orbit
//   (orbit/seek_finer.c). Across the branch and not at the same parameter: at a fold there may be
//   no orbit beside it. Where no finer orbit is found, or one with other events, the error is
//   infinite. An engine whose steps cannot be made finer is taken to be wrong by ten tolerances of
//   the largest multiplier. The verdict is then
//     stable: largest |mu| + error < 1,   unstable: largest |mu| - error > 1,   else undecided.
//                                      tested: verdicts_leave_room_for_the_tolerance
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "analysis/orbit/seek.h"

// The finer orbit beside p into f->at.middle, its multipliers into f->kept.finer; found: with the
// same events.
static jd_status close_finer(jd_follow *f, const place *p, bool *found) {
    curve *c = &f->curve;
    place *m = &f->at.middle;
    bool lost;
    memcpy(m->y, p->y, (size_t)c->N * sizeof *m->y);
    JD_TRY(jd_branch_solve(f, m, p, p->tangent, false, found));
    if (!*found) return JD_OK;
    JD_TRY(jd_curve_round(c, m->y, true, &lost));
    *found = !lost && c->events.counted == p->point.n_event;
    if (!*found) return JD_OK;
    jd_curve_slope(c);
    return jd_curve_multipliers(c, f->kept.finer);
}

jd_status jd_branch_doubt(jd_follow *f, place *p) {
    curve *c = &f->curve;
    const jd_engine_map *map = &c->run->class->map;
    double tolerance = c->sh->tolerance, asked = c->tolerance, residual = c->residual,
           *error = &p->point.multiplier_error, fit;
    bool found;
    if (tolerance == 0) return JD_OK;
    *error =
        jd_multiplier_error(0, tolerance * fmax(1, hypot(p->multiplier[0], p->multiplier[1])), 0);
    if (map->refine) {
        memcpy(f->kept.J_kept, c->newton.J, (size_t)(c->N * c->N) * sizeof *c->newton.J);
        c->finer = JD_SEEK_FINER;
        c->tolerance *= JD_SEEK_FINER;
        jd_status status = close_finer(f, p, &found);
        c->finer = 1;
        c->tolerance = asked;
        c->residual = residual;
        fit = c->run->class->map.refine(c->run, 1);
        JD_TRY(status);
        memcpy(c->newton.J, f->kept.J_kept, (size_t)(c->N * c->N) * sizeof *c->newton.J);
        c->phase = p->phase;
        *error = found
                     ? jd_multiplier_error(jd_multipliers_apart(c->n, p->multiplier, f->kept.finer),
                                           tolerance, fit)
                     : HUGE_VAL;
    }
    jd_branch_verdict(c, p);
    return JD_OK;
}

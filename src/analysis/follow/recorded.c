// recorded.c -- what is recorded of each orbit of a branch (analysis/measure).
#include "analysis/follow/curve.h"
#include "base/fail.h"
#include "drive/kind.h"

// The first contact, or where the first drive acts.
static jd_status usual(curve *c, const char **text) {
    const jd_drive_place *d =
        jd_problem_drives(c->problem) ? jd_problem_drive(c->problem, 0)->def : NULL;
    *text = NULL;
    if (jd_problem_contacts(c->problem) > 0)
        *text = jd_arena_format(c->arena, "%s.displacement.max",
                                jd_problem_contact(c->problem, 0)->name);
    else if (d && d->at.point)
        *text = jd_arena_format(c->arena, "%s%s%s.displacement.max", d->at.body ? d->at.body : "",
                                d->at.body ? "." : "", d->at.point);
    JD_TRY(jd_arena_status(c->arena));
    if (*text) return JD_OK;
    jd_fail(c->context, JD_MISSING_KEY, "the model does not say what to record");
    jd_fail_where(c->context, "follow.measure");
    jd_fail_hint(c->context, "write `measure: tip.displacement.max`");
    return JD_MISSING_KEY;
}

jd_status jd_curve_record(curve *c, const char *text, int n, const char *const *others) {
    if (!text || !*text) JD_TRY(usual(c, &text));
    JD_TRY(jd_measuring_open(c->arena, c->problem, n + 1, &c->seen.measures));
    jd_measure *m = c->seen.measures.measure;
    JD_TRY(jd_measure_read(c->arena, c->problem, "follow.measure", text, &m[0]));
    for (int i = 0; i < n; i++)
        JD_TRY(jd_measure_read(c->arena, c->problem, "follow.also", others[i], &m[i + 1]));
    c->seen.measure = &m[0];
    return JD_OK;
}

jd_status jd_curve_measure(curve *c, double *first) {
    const jd_shooting *sh = c->sh;
    const jd_measured_period period = {.start = sh->start,
                                       .length = sh->period,
                                       .state = sh->s,
                                       .phase = &c->phase,
                                       .event = sh->last.event,
                                       .n_event = sh->last.n_event,
                                       .ranges = c->seen.ranges};
    JD_TRY(jd_measuring_take(&c->seen.measures, c->run, &period));
    *first = c->seen.measures.value[0];
    return JD_OK;
}

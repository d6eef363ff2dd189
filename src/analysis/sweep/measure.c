// measure.c -- what a sweep records of a settled motion, and its values (analysis/measure).
#include <math.h>
#include <string.h>

#include "analysis/sweep/settling.h"
#include "contact/law.h"

// The first contact: its largest displacement, at a stop, where that is the gap, half its range.
static jd_status usual(jd_sweep *sw, const char **text) {
    if (jd_problem_contacts(sw->problem) == 0) {
        jd_fail(sw->context, JD_MISSING_KEY, "the model does not say what to record");
        jd_fail_where(sw->context, "sweep.measure");
        jd_fail_hint(sw->context,
                     "it has no contact: name a point, `measure: tip.displacement.max`");
        return JD_MISSING_KEY;
    }
    const jd_contact_def *first = jd_problem_contact(sw->problem, 0)->def;
    *text =
        jd_arena_format(sw->arena, "%s.displacement.%s", jd_problem_contact(sw->problem, 0)->name,
                        jd_law_stop_of(&first->law) ? "amplitude" : "max");
    return jd_arena_status(sw->arena);
}

jd_status jd_sweep_measure_read(jd_sweep *sw) {
    const char *text = sw->def->measure;
    if (!text) JD_TRY(usual(sw, &text));
    JD_TRY(jd_measure_read(sw->arena, sw->problem, "sweep.measure", text, &sw->measure));
    sw->view.measure = sw->measure.text;
    return JD_OK;
}

jd_status jd_settling_open_measure(settling *st) {
    JD_TRY(jd_measuring_open(st->arena, st->worker->problem, 1, &st->measures));
    st->measures.measure[0] = st->sweep->measure;
    st->event = JD_TAKE_RAW(st->arena, jd_event, JD_SHOOT_EVENTS);
    JD_TRY(jd_arena_status(st->arena));
    return jd_measuring_probe(&st->measures, st->run, st->arena);
}

// Displacement and velocity of the measured contact or point at the present time.
void jd_settling_sample(settling *st, double *out) {
    const jd_measure *m = &st->measures.measure[0];
    if (m->contact < 0) {
        jd_run_observe(st->run, st->run->t, st->measures.points, st->measures.points + 1);
        out[0] = st->measures.points[m->probe];
        out[1] = st->measures.points[1 + m->probe];
        return;
    }
    jd_run_observe_contacts(st->run, st->run->t, st->u, st->v, st->force);
    out[0] = st->u[m->contact];
    out[1] = st->v[m->contact];
}

// The stretch that was recorded, once more where the measure needs it; the run is left at its end.
jd_status jd_settling_measure(settling *st, const jd_measured_period *period) {
    jd_sweep_point *out = st->out;
    bool looks = jd_measuring_looks(&st->measures);
    if (out->events > JD_SHOOT_EVENTS &&
        (looks || st->sweep->measure.quantity > JD_MEASURE_FORCE)) {
        out->amplitude = out->min = out->max = (double)NAN;
        return JD_OK;
    }
    jd_phase end;
    if (looks) {
        st->map->state(st->run, st->miss);
        end = jd_run_contacts(st->run);
    }
    JD_TRY(jd_measuring_take(&st->measures, st->run, period));
    out->amplitude = st->measures.value[0];
    jd_measuring_range(&st->measures, 0, period, &out->min, &out->max);
    if (!looks) return JD_OK;
    return st->map->restart(st->run, period->start + period->length, st->miss, &end);
}

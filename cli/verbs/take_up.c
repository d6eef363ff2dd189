// take_up.c -- searches that start where an earlier run ended: `start: {type: restart, file: ...}`.
#include <math.h>

#include "command.h"
#include "problem/parts.h"
#include "result/run/run.h"

// The run at the end of its file. *run stays NULL when the model starts otherwise.
static jd_status open_end(call *c, jd_problem *p, jd_run **run) {
    const jd_object *start = jd_problem_start(p);
    *run = NULL;
    if (start->type != &jd_start_restart) return JD_OK;
    JD_TRY(jd_run_create(c->context, p, run));
    jd_status s = jd_run_restart(*run, c->arena, ((const jd_start_restart_def *)start->def)->file);
    if (s == JD_OK) return JD_OK;
    jd_run_free(*run);
    *run = NULL;
    return s;
}

jd_status take_up(call *c, jd_problem *p, jd_orbit_options *options) {
    jd_run *run;
    JD_TRY(open_end(c, p, &run));
    if (!run) return JD_OK;
    options->block_size = jd_run_state_size(run);
    void *block = jd_arena_take(c->arena, options->block_size, 1);
    jd_status s = jd_arena_status(c->arena);
    if (s == JD_OK) s = jd_run_state_save(run, block, options->block_size);
    options->block = block;
    jd_run_free(run);
    return s;
}

// The end as numbers, at the next time the drive begins a period.
static jd_status read_end(call *c, jd_problem *p, jd_run *run, jd_orbit_options *options) {
    double period = jd_problem_period(p),
           *state = JD_TAKE(c->arena, double, jd_run_modal_size(run));
    jd_report report;
    jd_step step = JD_STEP_EVENT;
    jd_run_report(run, &report);
    double t = period > 0 ? ceil(report.t / period - 1e-9) * period : report.t;
    while (step == JD_STEP_EVENT && report.t < t) JD_TRY(jd_run_advance(run, t, &step));
    options->phase = jd_arena_text(c->arena, jd_run_phase(run));
    JD_TRY(jd_arena_status(c->arena));
    jd_run_modal_state(run, state);
    options->state = state;
    bool given;
    const jd_orbit_def *def = jd_problem_section(p, JD_ORBIT, &given);
    options->settle = 100 * period;
    return given ? jd_problem_duration(p, &def->settle, &options->settle) : JD_OK;
}

jd_status take_up_state(call *c, jd_problem *p, jd_orbit_options *options) {
    jd_run *run;
    JD_TRY(open_end(c, p, &run));
    if (!run) return JD_OK;
    jd_status s =
        jd_run_modal_size(run) > 0
            ? read_end(c, p, run, options)
            : jd_fail(c->context, JD_NOT_SUPPORTED,
                      "the engine of this model has no states from which orbits are followed");
    jd_run_free(run);
    return s;
}

// example.c -- Judder from C: how long a shaken beam sticks, for three friction limits.
//   cc example.c -o example $(pkg-config --cflags --libs judder)
#include <judder/judder.h>
#include <stdio.h>

static const char model[] =
    "judder: 1\n"
    "structure:\n"
    "  type: fe-beam\n"
    "  length: 2.47 m\n"
    "  bending_stiffness: 1.09e4 N m^2\n"
    "  mass_per_length: 35.4 kg/m\n"
    "  elements: 10\n"
    "  supports: {left: clamped, right: free}\n"
    "  points: {mid: 1.235 m, tip: 2.47 m}\n"
    "  damping: {type: rayleigh, mass: 0.025 1/s, stiffness: 5.5e-5 s}\n"
    "contacts:\n"
    "  tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.66 N}}\n"
    "drives:\n"
    "  shaker: {at: mid, type: harmonic, amplitude: 2.4 N,\n"
    "           frequency: {times: 1.1, mode: 1}}\n"
    "simulate: {until: 20 periods}\n";

// Time spent stuck up to `end`, added up over the phases between events.
static jd_status time_stuck(jd_context *context, jd_problem *problem, double end, double *stuck) {
    jd_run *run = NULL;
    jd_status status = jd_run_create(context, problem, &run);
    jd_step step = JD_STEP_EVENT;
    double since = 0;
    *stuck = 0;
    while (status == JD_OK && step == JD_STEP_EVENT) {
        bool sticks = jd_run_phase(run)[0] == 'H';
        status = jd_run_advance(run, end, &step);
        jd_report report;
        jd_run_report(run, &report);
        if (sticks) *stuck += report.t - since;
        since = report.t;
    }
    jd_run_free(run);
    return status;
}

int main(void) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_status status =
        jd_model_parse(context, "beam", ".", model, sizeof model - 1, 0, NULL, &problem);
    for (double limit = 0.22; status == JD_OK && limit < 0.7; limit += 0.22) {
        double end = 20 * jd_problem_period(problem), stuck;
        status = jd_problem_set(problem, "contacts.tip.law.limit", limit, NULL);
        if (status == JD_OK) status = time_stuck(context, problem, end, &stuck);
        if (status == JD_OK)
            printf("limit %.2f N: stuck %.1f %% of the time\n", limit, 100 * stuck / end);
    }
    if (status != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    jd_problem_free(problem);
    jd_context_free(context);
    return status != JD_OK;
}

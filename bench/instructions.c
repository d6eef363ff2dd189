// instructions.c -- a model's run with the energy ledger and nothing else, to be counted by
// callgrind.
//   instructions MODEL END SKIP [KEY=VALUE ...]: END in periods of the drive, without one in
//   seconds. The first SKIP events, which make the bases, are not counted. Prints the number of
//   the others, of engines on grids that of steps; instructions.sh counts what `counted` takes.
#include <judder/judder.h>
#include <stdio.h>
#include <stdlib.h>

jd_status counted(jd_run *run, double end, jd_step *step);

__attribute__((noinline)) jd_status counted(jd_run *run, double end, jd_step *step) {
    return jd_run_advance(run, end, step);
}

static jd_status count_events(jd_context *context, jd_problem *problem, double end, long skip,
                              long *events) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_status status = jd_run_create(context, problem, &run);
    *events = -skip;
    while (status == JD_OK && step == JD_STEP_EVENT) {
        status = *events < 0 ? jd_run_advance(run, end, &step) : counted(run, end, &step);
        *events += status == JD_OK && step == JD_STEP_EVENT;
    }
    jd_report report = {0};
    if (status == JD_OK) jd_run_report(run, &report);
    if (report.grid.known) *events = report.grid.steps;
    jd_run_free(run);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 4) return fputs("usage: instructions MODEL END SKIP [KEY=VALUE ...]\n", stderr), 2;
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    long events = 0;
    jd_status status =
        jd_model_read(context, argv[1], argc - 4, (const char *const *)argv + 4, &problem);
    if (status == JD_OK) {
        double period = jd_problem_period(problem);
        double end = strtod(argv[2], NULL) * (period > 0 ? period : 1);
        status = count_events(context, problem, end, strtol(argv[3], NULL, 10), &events);
    }
    if (status != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    printf("%ld\n", events);
    jd_problem_free(problem);
    jd_context_free(context);
    return status != JD_OK;
}

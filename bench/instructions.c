// instructions.c -- a model's run with the energy ledger and nothing else, to be counted by
// callgrind.
//   instructions MODEL END [KEY=VALUE ...]: END in periods of the drive, without one in seconds.
//   Prints the number of events. instructions.sh counts what jd_run_advance takes.
#include <judder/judder.h>
#include <stdio.h>
#include <stdlib.h>

static jd_status count_events(jd_context *context, jd_problem *problem, double end, long *events) {
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_status status = jd_run_create(context, problem, &run);
    while (status == JD_OK && step == JD_STEP_EVENT) {
        status = jd_run_advance(run, end, &step);
        *events += status == JD_OK && step == JD_STEP_EVENT;
    }
    jd_run_free(run);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3) return fputs("usage: instructions MODEL END [KEY=VALUE ...]\n", stderr), 2;
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    long events = 0;
    jd_status status =
        jd_model_read(context, argv[1], argc - 3, (const char *const *)argv + 3, &problem);
    if (status == JD_OK) {
        double period = jd_problem_period(problem);
        double end = strtod(argv[2], NULL) * (period > 0 ? period : 1);
        status = count_events(context, problem, end, &events);
    }
    if (status != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    printf("%ld\n", events);
    jd_problem_free(problem);
    jd_context_free(context);
    return status != JD_OK;
}

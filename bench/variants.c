// variants.c -- 500 variants of the friction beam, 20 periods each, in C: what Python is measured
// by.
//   Prints the processor time [s] of the process, and the number of events, which both must find.
#include <judder/judder.h>
#include <stdio.h>
#include <time.h>

enum { VARIANTS = 500 };

static double processor(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void) {
    const char *set[] = {"simulate.until=20 periods"};
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    const char *file = BENCH_SOURCE_DIR "/gallery/friction-beam/rayleigh.yaml";
    long events = 0;
    jd_status s = jd_model_read(context, file, 1, set, &problem);
    double begin = processor();
    for (int i = 0; s == JD_OK && i < VARIANTS; i++) {
        jd_result *result = NULL;
        s = jd_problem_set(problem, "contacts.tip.law.limit", 0.3 + 0.002 * i, NULL);
        if (s == JD_OK) s = jd_result_of_run(context, problem, &result);
        if (s == JD_OK) events += jd_result_run(result)->lists.n_event;
        jd_result_free(result);
    }
    printf("%.6f %ld\n", processor() - begin, events);
    jd_problem_free(problem);
    jd_context_free(context);
    return s != JD_OK;
}

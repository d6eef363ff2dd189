// nsm.c -- nonsmooth modes of long chains: processor time against what is promised.
//   Timed from the problem to the list of certified branches, the eigenproblem of the chain
//   included (and stability where it is judged by default); process start and model files excluded.
#include <judder/judder.h>
#include <stdio.h>

#include "timer.h"

typedef struct row {
    const char *model;
    int poles, branches;
    double allowed; // [s] processor time of one core
} row;

static const row rows[] = {{"n50", 2008, 917, 0.5}, {"n1000", 9252, 5419, 5}};

// Seconds; negative: failed.
static double run(jd_context *context, jd_problem *problem, int *poles, int *branches,
                  int *certified) {
    jd_nsm_options options;
    jd_nsm *nsm;
    double begin = bench_clock();
    if (jd_problem_build(problem) != JD_OK || jd_nsm_options_of(problem, &options) != JD_OK ||
        jd_nsm_create(context, problem, &options, &nsm) != JD_OK)
        return -1;
    double seconds = bench_clock() - begin;
    *poles = jd_nsm_poles(nsm);
    *branches = jd_nsm_branches(nsm);
    *certified = 0;
    for (int i = 0; i < *branches; i++) *certified += jd_nsm_branch_at(nsm, i)->certified;
    jd_nsm_free(nsm);
    return seconds;
}

static int row_of(jd_context *context, const row *r) {
    char path[1024];
    jd_problem *problem;
    int poles = 0, branches = 0, certified = 0;
    snprintf(path, sizeof path, "%s/gallery/impact-chain/%s.yaml", BENCH_SOURCE_DIR, r->model);
    double seconds = -1;
    if (jd_model_read(context, path, 0, NULL, &problem) == JD_OK)
        seconds = run(context, problem, &poles, &branches, &certified);
    if (seconds < 0) {
        fprintf(stderr, "%s: %s\n", r->model, jd_context_error(context)->message);
        return 1;
    }
    jd_problem_free(problem);
    bool right = poles == r->poles && branches == r->branches && certified == branches;
    bool quick = seconds <= r->allowed;
    printf("%-6s %6d poles %6d branches %6d certified %8.3f s of %.3g s allowed  %s\n", r->model,
           poles, branches, certified, seconds, r->allowed, right && quick ? "met" : "MISSED");
    return !(right && quick);
}

int main(void) {
    jd_context *context = jd_context_create(NULL);
    int missed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) missed += row_of(context, &rows[i]);
    jd_context_free(context);
    return missed > 0;
}

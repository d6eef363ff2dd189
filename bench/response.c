// response.c -- frequency response of the nonlinear string: Judder beside AUTO-07p, same equations.
//   N = 1, 0.5 <= omega <= 20, folds and stability: points per second of processor time; AUTO's
//   compiling and starting up are taken off (a run of two points). N = 32: under 5 s.
//   Prints MISSED and ends with 1 where a promise is not kept; without AUTO its line is left out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "judder/judder.h"
#include "scratch.h"

static double seconds_of(const struct rusage *u) {
    return (double)u->ru_utime.tv_sec + 1e-6 * (double)u->ru_utime.tv_usec +
           (double)u->ru_stime.tv_sec + 1e-6 * (double)u->ru_stime.tv_usec;
}

static double children(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return seconds_of(&u);
}

// Branch by Judder; returns its points, *seconds of processor time.
static int judder_branch(const char *model, const char *modes, double *seconds, int *folds) {
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_follow *follow = NULL;
    int points = 0;
    *folds = 0;
    clock_t start = clock();
    if (jd_model_read(context, model, 1, &modes, &problem) == JD_OK &&
        jd_follow_create(context, problem, NULL, &follow) == JD_OK) {
        const jd_follow_view *v = jd_follow_look(follow);
        points = v->end == JD_END_TO ? v->n_point : 0;
        for (int i = 0; i < v->n_special; i++) *folds += v->special[i].kind == JD_SPECIAL_FOLD;
    } else {
        printf("%s\n", jd_context_error(context)->message);
    }
    *seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    jd_follow_free(follow);
    jd_problem_free(problem);
    jd_context_free(context);
    return points;
}

// One run of AUTO in the working folder with at most `most` points; its own processor time.
static double auto_run(const char *folder, int most, int *points) {
    char command[1200], line[1000];
    snprintf(command, sizeof command,
             "cp %s/string.f90 %s/c.string . && echo \"run('string', NMX=%d)\" > run.auto && "
             "OMP_NUM_THREADS=1 auto-07p run.auto > auto.log 2>&1",
             folder, folder, most);
    double before = children();
    *points = 0;
    if (system(command) != 0) return -1;
    double spent = children() - before;
    FILE *log = fopen("auto.log", "r");
    while (log && fgets(line, sizeof line, log)) {
        int branch, point;
        if (sscanf(line, "%d %d", &branch, &point) == 2 && branch == 1) *points = abs(point);
    }
    if (log) fclose(log);
    return spent;
}

// AUTO wants a first orbit: columns t, y1, y2, kappa, s, c over one period at omega = 0.5.
static int write_start(const char *model) {
    const char *set[] = {"drives.force.frequency=0.5"};
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    jd_orbit *orbit = NULL;
    jd_run *run = NULL;
    FILE *file = fopen("string.dat", "w");
    int ok = 0, index;
    if (file && jd_model_read(context, model, 1, set, &problem) == JD_OK &&
        jd_orbit_create(context, problem, NULL, &orbit) == JD_OK && jd_orbit_look(orbit)->found &&
        jd_orbit_run(orbit, &run) == JD_OK && jd_run_probe(run, "contact", &index) == JD_OK &&
        jd_run_probe(run, "kappa", &index) == JD_OK) {
        double period = jd_orbit_look(orbit)->period, u[2], v[2];
        jd_step step;
        for (int i = 0; i <= 400; i++) {
            double t = period * i / 400;
            if (jd_run_advance(run, t, &step) != JD_OK) break;
            jd_run_observe(run, t, u, v);
            fprintf(file, "%.15g %.15g %.15g %.15g %.15g %.15g\n", t, u[0], v[0], u[1],
                    sin(0.5 * t), cos(0.5 * t));
        }
        ok = 1;
    }
    if (file) fclose(file);
    jd_run_free(run);
    jd_orbit_free(orbit);
    jd_problem_free(problem);
    jd_context_free(context);
    return ok;
}

// Points per second of AUTO-07p on the same equations; 1: it has more than `own`.
static int beside_auto(const char *model, double own) {
    int n = 0, missed = 0;
    scratch place;
    if (system("command -v auto-07p > /dev/null 2>&1") != 0 || !scratch_make(&place)) {
        printf("AUTO-07p is not installed: no comparison\n");
        return 0;
    }
    if (chdir(place.path) == 0 && write_start(model)) {
        auto_run(BENCH_SOURCE "/bench/auto", 2, &n); // compiles
        double idle = auto_run(BENCH_SOURCE "/bench/auto", 2, &n),
               all = auto_run(BENCH_SOURCE "/bench/auto", 5000, &n);
        double rate = n / fmax(all - idle, 1e-9);
        printf("%-24s %5d points %8.3f s %10.0f points/s, ratio %.1f\n", "AUTO-07p, N = 1", n,
               all - idle, rate, own / rate);
        if (all < 0 || n < 100)
            printf("AUTO-07p did not complete the branch\n");
        else if (own < rate)
            missed = printf("MISSED: fewer points per second than AUTO-07p\n") > 0;
    }
    scratch_remove(&place);
    return missed;
}

int main(void) {
    const char *model = BENCH_SOURCE "/gallery/nonlinear-string/response.yaml";
    int folds, points, missed = 0;
    double spent, own = 0;
    points = judder_branch(model, "structure.modes=1", &spent, &folds);
    own = points / spent;
    printf("%-24s %5d points %8.3f s %10.0f points/s, %d folds\n", "Judder, N = 1", points, spent,
           own, folds);
    if (points == 0) missed = 1;
    missed |= beside_auto(model, own);
    points = judder_branch(model, "structure.modes=32", &spent, &folds);
    printf("%-24s %5d points %8.3f s, %d folds\n", "Judder, N = 32", points, spent, folds);
    if (points == 0 || spent >= 5) {
        printf("MISSED: N = 32 wants less than 5 s\n");
        missed = 1;
    }
    return missed;
}

// follow.c -- points of a branch per second: the friction beam against its target, a smooth
// oscillator beside AUTO-07p.
//   Processor time of one thread, special points and their location included, model file and first
//   orbit included. AUTO runs as a process of its own (auto_oscillator.f90), its 1000 points timed
//   by the system from start to end. Exit code 1: a target was missed.
#define _DEFAULT_SOURCE // wait4
#include <fcntl.h>
#include <judder/judder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"
#include "scratch.h"
#include "timer.h"

enum { RUNS = 3 };
static const double beam_target = 1000; // points/s

typedef struct rate {
    double seconds, per_second;
    int points, special;
} rate;

// Four states, as many as AUTO's oscillator has.
static const char smooth_model[] =
    "judder: 1\n"
    "structure: {type: chain, count: 2, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"
    "  supports: {left: fixed, right: free}, damping: {type: rayleigh, mass: 0.1}}\n"
    "drives: {force: {at: m, type: harmonic, amplitude: 1, frequency: 0.3}}\n"
    "follow: {parameter: drives.force.frequency, from: 0.3, to: 3, measure: m.displacement.max,\n"
    "  step: 0.001}\n";

static jd_status once(jd_context *context, const char *path, const char *text, rate *out) {
    jd_problem *problem;
    jd_follow *f;
    double begin = bench_clock();
    jd_status s =
        path ? jd_model_read(context, path, 0, NULL, &problem)
             : jd_model_parse(context, "smooth", ".", text, strlen(text), 0, NULL, &problem);
    if (s != JD_OK) return s;
    s = jd_follow_create(context, problem, NULL, &f);
    double seconds = bench_clock() - begin;
    if (s == JD_OK) {
        const jd_follow_view *v = jd_follow_look(f);
        if (v->n_point / seconds > out->per_second)
            *out = (rate){seconds, v->n_point / seconds, v->n_point, v->n_special};
        if (v->end != JD_END_TO) s = JD_NO_CONVERGENCE;
        jd_follow_free(f);
    }
    jd_problem_free(problem);
    return s;
}

// The best of some runs: other programs on the machine only slow a run down.
static rate judder(const char *path, const char *text) {
    rate best = {0};
    jd_context *context = jd_context_create(NULL);
    for (int i = 0; i < RUNS && context; i++)
        if (once(context, path, text, &best) != JD_OK) {
            fprintf(stderr, "%s\n", jd_context_error(context)->message);
            exit(2);
        }
    jd_context_free(context);
    return best;
}

static void run_auto(const char *program, const char *constants, const scratch *place) {
    int in = open(constants, O_RDONLY), out = open("/dev/null", O_WRONLY);
    if (in < 0 || out < 0 || chdir(place->path)) _exit(126);
    dup2(in, 0);
    dup2(out, 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    execl(program, program, (char *)NULL);
    _exit(127);
}

static rate auto_07p(const char *program, const char *constants) {
    rate best = {0};
    scratch place;
    if (!scratch_make(&place)) return best;
    for (int i = 0; i < RUNS; i++) {
        struct rusage use;
        int status;
        pid_t child = fork();
        if (child == 0) run_auto(program, constants, &place);
        if (child < 0 || wait4(child, &status, 0, &use) < 0 || !WIFEXITED(status) ||
            WEXITSTATUS(status) > 1) {
            best = (rate){0};
            break;
        }
        double s = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                   1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
        if (1000 / s > best.per_second) best = (rate){s, 1000 / s, 1000, 0};
    }
    scratch_remove(&place);
    return best;
}

static void print_rate(const char *name, const rate *r, const char *note) {
    printf("  %-44s %6d points %8.3f s %9.0f points/s%s\n", name, r->points, r->seconds,
           r->per_second, note);
}

int main(void) {
    bool missed = false;
    bench_machine_print();
    printf("\nBranches of periodic orbits\n");
    rate beam = judder(BENCH_SOURCE "/gallery/friction-beam/response.yaml", NULL);
    bool slow = beam.per_second < beam_target;
    print_rate("friction beam, Fig. 6(c) response (Judder)", &beam,
               slow ? "   MISSED (1000 wanted)" : "   (1000 wanted)");
    printf("  %46d special points located\n", beam.special);
    missed |= slow;
    rate smooth = judder(NULL, smooth_model);
    print_rate("smooth, 4 states (Judder)", &smooth, "");
#ifdef BENCH_AUTO
    rate other = auto_07p(BENCH_AUTO, BENCH_SOURCE "/bench/auto_oscillator.constants");
    if (other.per_second > 0) {
        double ratio = smooth.per_second / other.per_second;
        print_rate("smooth, 4 states (AUTO-07p)", &other, "");
        printf("  ratio %.1f%s\n", ratio, ratio < 1 ? "   MISSED (1 wanted)" : "   (1 wanted)");
        missed |= ratio < 1;
    } else
        printf("  AUTO-07p did not run\n");
#else
    (void)auto_07p;
    printf("  AUTO-07p or a Fortran compiler is not there: no comparison\n");
#endif
    return missed;
}

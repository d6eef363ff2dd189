// bow.c -- bowed strings: the memory engine beside ARKODE on the modes, what is promised beside it.
//   Judder is timed from the problem to the last event, modes, fit and tables included. The peer is
//   explicit Runge-Kutta of order 5 (Dormand-Prince) with root finding at 1e-6 on energy variables
//   z_k = omega_k q_k, p_k = q_k'; while stuck the force keeps the acceleration of the bow's point
//   0. Errors are those of event times against Judder at 1e-11.
#include <arkode/arkode_erkstep.h>
#include <judder/judder.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sundials/sundials_context.h>

#include "timer.h"

enum { EVENTS = 4096, REPEATS = 3 };

typedef struct times {
    int n;
    double t[EVENTS];
    double seconds;
} times;

typedef struct string {
    int n;
    double ratio, norm, *omega, *row; // norm: sum of row^2
    char phase;
} string;

static const double limit = 4, drop = 0.32, belt = 1.5, pi = 3.14159265358979323846;

static double dot(int n, const double *a, const double *b) { // four sums: vectorises
    double s[4] = {0};
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++) s[i] += a[k + i] * b[k + i];
    for (; k < n; k++) s[0] += a[k] * b[k];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double stick_force(const string *s, const double *z, const double *p, const double *pull) {
    return (dot(s->n, pull, z) + 2 * s->ratio * dot(s->n, pull, p)) / s->norm;
}

static double force(const string *s, const double *z, const double *p) {
    const double *pull = s->row + s->n; // row times omega
    if (s->phase == 'H') return stick_force(s, z, p, pull);
    double sign = s->phase == '-' ? 1 : -1, v = dot(s->n, s->row, p) - belt;
    return sign * (limit - drop + drop * exp(sign * v));
}

static int rhs(realtype t, N_Vector y, N_Vector dy, void *data) {
    (void)t;
    const string *s = data;
    int n = s->n;
    const double *restrict z = N_VGetArrayPointer(y), *restrict p = z + n, *restrict w = s->omega,
                           *restrict row = s->row;
    double *restrict dz = N_VGetArrayPointer(dy), *restrict dp = dz + n, F = force(s, z, p);
    for (int k = 0; k < n; k++) {
        dz[k] = w[k] * p[k];
        dp[k] = row[k] * F - w[k] * (z[k] + 2 * s->ratio * p[k]);
    }
    return 0;
}

static int roots(realtype t, N_Vector y, realtype *g, void *data) {
    (void)t;
    const string *s = data;
    const double *z = N_VGetArrayPointer(y), *p = z + s->n;
    double F = s->phase == 'H' ? force(s, z, p) : 0;
    g[0] = limit - F, g[1] = limit + F;
    if (s->phase == 'H') return 0;
    double v = dot(s->n, s->row, p) - belt;
    g[0] = s->phase == '-' ? -v : v, g[1] = 1;
    return 0;
}

static void string_open(string *s, int n, double ratio, bool stuck, double *y) {
    *s = (string){.n = n, .ratio = ratio, .phase = stuck ? 'H' : '-'};
    s->omega = malloc((size_t)n * sizeof(double));
    s->row = malloc((size_t)(2 * n) * sizeof(double));
    for (int k = 0; k < n; k++) {
        s->omega[k] = pi * (k + 1);
        s->row[k] = sin(0.4 * pi * (k + 1));
        s->row[n + k] = s->row[k] * s->omega[k];
        s->norm += s->row[k] * s->row[k];
        y[k] = y[n + k] = 0;
    }
    y[0] = stuck ? 0 : s->omega[0] * -2.9224 / s->row[0];
    y[n] = (stuck ? belt : -2.7668) / s->row[0];
}

static void peer(int n, double ratio, bool stuck, double t_end, times *out) {
    string s;
    SUNContext context = NULL;
    double begin = bench_clock(), t = 0;
    int found[2], down[2] = {-1, -1};
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(2 * n, context);
    N_VEnableFusedOps_Serial(y, SUNTRUE);
    double *state = N_VGetArrayPointer(y);
    string_open(&s, n, ratio, stuck, state);
    void *ark = ERKStepCreate(rhs, 0, y, context);
    ERKStepSetUserData(ark, &s);
    ERKStepSStolerances(ark, 1e-6, 1e-6);
    ERKStepSetTableNum(ark, ARKODE_DORMAND_PRINCE_7_4_5);
    ERKStepRootInit(ark, 2, roots);
    ERKStepSetRootDirection(ark, down);
    ERKStepSetNoInactiveRootWarn(ark);
    ERKStepSetMaxNumSteps(ark, 500000000);
    ERKStepSetStopTime(ark, t_end);
    out->n = 0;
    while (ERKStepEvolve(ark, t_end, y, &t, ARK_NORMAL) == ARK_ROOT_RETURN && out->n < EVENTS) {
        ERKStepGetRootInfo(ark, found);
        out->t[out->n++] = t;
        double F = stick_force(&s, state, state + n, s.row + n);
        s.phase = s.phase == 'H'     ? (found[0] ? '-' : '+')
                  : fabs(F) <= limit ? 'H'
                  : F > 0            ? '-'
                                     : '+';
        ERKStepReset(ark, t, y);
        ERKStepSetStopTime(ark, t_end);
    }
    out->seconds = bench_clock() - begin;
    ERKStepFree(&ark);
    N_VDestroy(y);
    SUNContext_Free(&context);
    free(s.omega), free(s.row);
}

static int judder(const char *model, bool ledger, double t_end, int n_set, const char *const *set,
                  times *out) {
    char path[1024];
    const char *sets[8] = {ledger ? "simulate.ledger=true" : "simulate.ledger=false"};
    for (int i = 0; i < n_set; i++) sets[i + 1] = set[i];
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem;
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    snprintf(path, sizeof path, "%s/gallery/bowed-string/%s", BENCH_SOURCE_DIR, model);
    jd_status s = jd_model_read(context, path, n_set + 1, sets, &problem);
    double begin = bench_clock();
    if (s == JD_OK) s = jd_run_create(context, problem, &run);
    out->n = 0;
    while (s == JD_OK && step == JD_STEP_EVENT && out->n < EVENTS) {
        s = jd_run_advance(run, t_end, &step);
        if (s == JD_OK && step == JD_STEP_EVENT) out->t[out->n++] = jd_run_event(run)->t;
    }
    out->seconds = bench_clock() - begin;
    if (s != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    jd_run_free(run);
    jd_problem_free(problem);
    jd_context_free(context);
    return s == JD_OK ? 0 : -1;
}

static double worst(const times *a, const times *b) {
    double most = a->n == b->n ? 0 : HUGE_VAL;
    for (int i = 0; i < a->n && i < b->n; i++) most = fmax(most, fabs(a->t[i] - b->t[i]));
    return most;
}

static int compare(const char *name, int modes, double ratio, bool stuck, double must, double goal,
                   int n_set, const char **set) {
    static times own, other, reference;
    double best = HUGE_VAL, peers = HUGE_VAL;
    for (int i = 0; i < REPEATS; i++) { // the peer adds up no energies either
        if (judder("string.yaml", false, 20, n_set, set, &own)) return 1;
        best = fmin(best, own.seconds);
    }
    for (int i = 0; i < 2; i++) {
        peer(modes, ratio, stuck, 20, &other);
        peers = fmin(peers, other.seconds);
    }
    set[n_set - 1] = "simulate.tolerance=1e-11";
    if (judder("string.yaml", false, 20, n_set, set, &reference)) return 1;
    double times_faster = peers / best;
    printf("%-28s judder %8.2f ms (events to %.0e)  ARKODE %4d modes %8.1f ms (%.0e)  %6.0f x, "
           "must %.0f, goal %.0f  %s\n",
           name, 1e3 * best, worst(&own, &reference), modes, 1e3 * peers, worst(&other, &reference),
           times_faster, must, goal, times_faster >= must ? "met" : "MISSED");
    return times_faster < must;
}

// Seconds of sound at 440 Hz, 880 lengths over the wave speed each; set-up included.
static int sound(const char *name, const char *model, double t_end, double seconds, double must,
                 int n_set, const char **set) {
    static times own;
    double best = HUGE_VAL;
    for (int i = 0; i < REPEATS; i++) {
        if (judder(model, false, t_end, n_set, set, &own)) return 1;
        best = fmin(best, own.seconds);
    }
    double times_faster = seconds / best;
    printf("%-28s judder %8.2f ms for %.3g s at 440 Hz, %d events  %6.1f x real time, must %.0f  "
           "%s\n",
           name, 1e3 * best, seconds, own.n, times_faster, must,
           times_faster >= must ? "met" : "MISSED");
    return times_faster < must;
}

// What the energy ledger costs: with it over without, the best of many runs of each in turn.
static int ledger(const char *name, const char *model, double t_end, double most, int n_set,
                  const char **set) {
    static times own;
    double best[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < 20 * REPEATS; i++) {
        if (judder(model, i % 2, t_end, n_set, set, &own)) return 1;
        best[i % 2] = fmin(best[i % 2], own.seconds);
    }
    double ratio = best[1] / best[0];
    printf("%-28s judder %8.2f ms with the ledger, %.2f ms without  %6.2f x, at most %.1f  %s\n",
           name, 1e3 * best[1], 1e3 * best[0], ratio, most, ratio <= most ? "met" : "MISSED");
    return ratio > most;
}

int main(void) {
    int missed = compare("P2  160 modes, D 0.1", 160, 0.1, false, 50, 100, 2,
                         (const char *[]){"structure.modes=160", "simulate.tolerance=1e-6"});
    missed += compare("P2s 160 modes, D 0.001", 160, 0.001, true, 50, 100, 5,
                      (const char *[]){"structure.modes=160", "structure.damping.value=0.001",
                                       "start.displacement=0", "start.velocity=1.5",
                                       "simulate.tolerance=1e-4"});
    missed += compare("P2i infinitely many, D 0.1", 640, 0.1, false, 500, 1000, 1,
                      (const char *[]){"simulate.tolerance=1e-5"});
    missed += sound("sound, D 0.1", "string.yaml", 880, 1, 100, 1,
                    (const char *[]){"simulate.tolerance=1e-4"});
    missed += sound("sound, D 0.01 (stick-slip)", "sound.yaml", 4, 4, 100, 1,
                    (const char *[]){"simulate.tolerance=1e-3"});
    missed += sound("sound, D 0.001 (delays)", "sound.yaml", 0.5, 0.5, 20, 2,
                    (const char *[]){"simulate.tolerance=1e-3", "structure.damping.value=0.001"});
    missed += ledger("P2  with its ledger", "string.yaml", 20, 1.3, 2,
                     (const char *[]){"structure.modes=160", "simulate.tolerance=1e-6"});
    missed += ledger("sound, D 0.01, its ledger", "sound.yaml", 1, 1.3, 1,
                     (const char *[]){"simulate.tolerance=1e-3"});
    missed += ledger("sound, D 0.001, its ledger", "sound.yaml", 0.2, 1.3, 2,
                     (const char *[]){"simulate.tolerance=1e-3", "structure.damping.value=0.001"});
    return missed > 0;
}

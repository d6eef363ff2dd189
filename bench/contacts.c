// contacts.c -- contacts of springs and friction beside ARKODE with root finding.
//   Judder is timed from the problem to the last event, modes included, energies left out on both
//   sides. The peer is explicit Runge-Kutta of order 5 (Dormand-Prince) at 1e-6 on (q, q', T) with
//   the modes given for nothing: T' = kt u' while stuck, T = +-R while sliding, N = kn (u - gap)
//   while closed; it goes on with its step after an event. Errors are those of event times. The
//   second line of each is order 8 at 1e-12, whose event times come closest to Judder's.
#include <arkode/arkode_erkstep.h>
#include <judder/judder.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>

#include "problem/system.h"
#include "timer.h"

enum { EVENTS = 200000, REPEATS = 3 };

typedef struct times {
    int n;
    double t[EVENTS];
    double seconds;
} times;

// One structure in modes; contacts are Jenkins elements (gap NaN) or elastic stops.
typedef struct peer {
    int n, m;
    double *omega2, *c, *W, *drive; // W: m x n
    double *limit, *k, *gap;
    double F, Omega, phase;
    char *state;
    double *u, *v, *force;
} peer;

static void rows(const peer *s, const double *q, double *u) {
    for (int j = 0; j < s->m; j++) {
        const double *w = s->W + (size_t)j * (size_t)s->n;
        double sum[4] = {0};
        int k = 0;
        for (; k + 4 <= s->n; k += 4)
            for (int i = 0; i < 4; i++) sum[i] += w[k + i] * q[k + i];
        for (; k < s->n; k++) sum[0] += w[k] * q[k];
        u[j] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

static int rhs(realtype t, N_Vector y, N_Vector dy, void *data) {
    const peer *s = data;
    int n = s->n;
    const double *q = N_VGetArrayPointer(y), *p = q + n, *T = p + n;
    double *dq = N_VGetArrayPointer(dy), *restrict dp = dq + n, *dT = dp + n;
    double f = s->F * sin(s->Omega * t + s->phase);
    bool stops = false;
    rows(s, p, s->v);
    for (int j = 0; j < s->m; j++) stops = stops || s->state[j] == '|';
    if (stops) rows(s, q, s->u);
    for (int k = 0; k < n; k++) {
        dq[k] = p[k];
        dp[k] = f * s->drive[k] - s->omega2[k] * q[k] - s->c[k] * p[k];
    }
    for (int j = 0; j < s->m; j++) {
        char a = s->state[j];
        double F = a == 'H'   ? T[j]
                   : a == '|' ? s->k[j] * (s->u[j] - s->gap[j])
                   : a == 'o' ? 0
                              : (a == '+' ? 1 : -1) * s->limit[j];
        const double *restrict w = s->W + (size_t)j * (size_t)n;
        dT[j] = a == 'H' ? s->k[j] * s->v[j] : 0;
        for (int k = 0; F != 0 && k < n; k++) dp[k] -= F * w[k];
    }
    return 0;
}

static int roots(realtype t, N_Vector y, realtype *g, void *data) {
    (void)t;
    const peer *s = data;
    const double *q = N_VGetArrayPointer(y), *p = q + s->n, *T = p + s->n;
    rows(s, p, s->v);
    rows(s, q, s->u);
    for (int j = 0; j < s->m; j++) {
        char a = s->state[j];
        g[j] = a == 'H'   ? s->limit[j] * s->limit[j] - T[j] * T[j]
               : a == '|' ? s->u[j] - s->gap[j]
               : a == 'o' ? s->gap[j] - s->u[j]
                          : (a == '+' ? s->v[j] : -s->v[j]);
    }
    return 0;
}

static void peer_open(peer *s, jd_problem *problem) {
    const jd_system *y = jd_problem_system(problem);
    int n = y->modal.n, m = y->n_contact;
    size_t all = (size_t)(n * (m + 3) + 6 * m);
    *s = (peer){.n = n, .m = m};
    s->omega2 = calloc(all, sizeof(double));
    s->c = s->omega2 + n, s->drive = s->c + n, s->W = s->drive + n, s->limit = s->W + n * m;
    s->k = s->limit + m, s->gap = s->k + m, s->u = s->gap + m, s->v = s->u + m;
    s->state = malloc((size_t)m + 1);
    for (int k = 0; k < n; k++) {
        s->omega2[k] = y->modal.omega2[k].hi, s->c[k] = y->modal.c[k];
        s->drive[k] = y->drive[0][k].hi;
        for (int j = 0; j < m; j++) s->W[j * n + k] = y->contact[j][k].hi;
    }
    for (int j = 0; j < m; j++) {
        const jd_contact_def *c = jd_problem_contact(problem, j)->def;
        bool stop = strcmp(c->law.type->name, "stop") == 0;
        const jd_coulomb_def *friction = c->law.def;
        const jd_stop_def *spring = c->law.def;
        s->gap[j] = stop ? spring->gap : (double)NAN;
        s->k[j] = stop ? spring->stiffness : friction->stiffness;
        s->limit[j] = stop ? 0 : friction->limit;
        s->state[j] = stop ? 'o' : 'H';
    }
    const jd_harmonic_def *h = jd_problem_drive(problem, 0)->def;
    s->F = h->amplitude, s->Omega = jd_problem_drive_frequency(problem, 0), s->phase = h->phase;
}

static void turn(peer *s, int j, double *T) {
    char a = s->state[j];
    if (a == 'H') s->state[j] = T[j] > 0 ? '+' : '-';
    if (a == '+' || a == '-') s->state[j] = 'H', T[j] = a == '+' ? s->limit[j] : -s->limit[j];
    if (a == 'o') s->state[j] = '|';
    if (a == '|') s->state[j] = 'o';
}

static void peer_run(jd_problem *problem, double t_end, double tolerance, int method, times *out) {
    peer s;
    SUNContext context = NULL;
    peer_open(&s, problem);
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(2 * s.n + s.m, context);
    double *state = N_VGetArrayPointer(y), begin = bench_clock(), t = 0;
    int *found = calloc((size_t)(2 * s.m), sizeof(int)), *down = found + s.m;
    for (int j = 0; j < s.m; j++) down[j] = -1;
    memset(state, 0, (size_t)(2 * s.n + s.m) * sizeof(double));
    void *ark = ERKStepCreate(rhs, 0, y, context);
    ERKStepSetUserData(ark, &s);
    ERKStepSStolerances(ark, tolerance, tolerance * 1e-3);
    ERKStepSetTableNum(ark, (ARKODE_ERKTableID)method);
    ERKStepRootInit(ark, s.m, roots);
    ERKStepSetRootDirection(ark, down);
    ERKStepSetNoInactiveRootWarn(ark);
    ERKStepSetMaxNumSteps(ark, 500000000);
    ERKStepSetStopTime(ark, t_end);
    out->n = 0;
    while (out->n < EVENTS && ERKStepEvolve(ark, t_end, y, &t, ARK_NORMAL) == ARK_ROOT_RETURN) {
        ERKStepGetRootInfo(ark, found);
        for (int j = 0; j < s.m && out->n < EVENTS; j++)
            if (found[j]) turn(&s, j, state + 2 * s.n), out->t[out->n++] = t;
        ERKStepReset(ark, t, y);
        ERKStepSetStopTime(ark, t_end);
    }
    out->seconds = bench_clock() - begin;
    ERKStepFree(&ark);
    N_VDestroy(y);
    SUNContext_Free(&context);
    free(s.omega2), free(s.state), free(found);
}

static int judder(jd_context *context, const char *text, double periods, times *out,
                  jd_problem **problem, double *t_end) {
    const char *no_ledger = "simulate.ledger=false";
    jd_run *run = NULL;
    jd_step step = JD_STEP_EVENT;
    jd_status s =
        jd_model_parse(context, "bench.yaml", ".", text, strlen(text), 1, &no_ledger, problem);
    double begin = bench_clock();
    if (s == JD_OK) s = jd_run_create(context, *problem, &run);
    if (s == JD_OK) *t_end = periods * jd_problem_period(*problem);
    out->n = 0;
    while (s == JD_OK && step == JD_STEP_EVENT && out->n < EVENTS) {
        s = jd_run_advance(run, *t_end, &step);
        if (s == JD_OK && step == JD_STEP_EVENT) out->t[out->n++] = jd_run_event(run)->t;
    }
    out->seconds = bench_clock() - begin;
    if (s != JD_OK) fprintf(stderr, "%s\n", jd_context_error(context)->message);
    jd_run_free(run);
    return s == JD_OK ? 0 : -1;
}

static double worst(const times *a, const times *b) {
    double most = 0;
    for (int i = 0; i < a->n && i < b->n; i++) most = fmax(most, fabs(a->t[i] - b->t[i]));
    return most;
}

static int compare(const char *name, const char *text, double periods, double must) {
    static times own, other;
    double best = HUGE_VAL, t_end = 0;
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = NULL;
    for (int i = 0; i < REPEATS; i++) {
        jd_problem_free(problem);
        problem = NULL;
        if (judder(context, text, periods, &own, &problem, &t_end)) return 1;
        best = fmin(best, own.seconds);
    }
    peer_run(problem, t_end, 1e-6, ARKODE_DORMAND_PRINCE_7_4_5, &other);
    double times_faster = other.seconds / best;
    printf("%-34s judder %9.3f ms, %d events  ARKODE 1e-6 %9.1f ms, %d events, times off by %.0e  "
           "%6.1f x, must %.0f  %s\n",
           name, 1e3 * best, own.n, 1e3 * other.seconds, other.n, worst(&own, &other), times_faster,
           must, times_faster >= must ? "met" : "MISSED");
    peer_run(problem, t_end, 1e-12, ARKODE_FEHLBERG_13_7_8, &other);
    printf("%-34s order 8, 1e-12: ARKODE %9.1f ms, %d events, times off by %.0e  %6.1f x\n", "",
           1e3 * other.seconds, other.n, worst(&own, &other), other.seconds / best);
    jd_problem_free(problem);
    jd_context_free(context);
    return times_faster < must;
}

// NLvib's three masses with two Jenkins elements and a unilateral spring.
static const char chain[] =
    "judder: 1\n"
    "structure: {type: chain, count: 3, mass: 1, stiffness: 1, supports: {left: fixed, right: "
    "fixed}, damping: {type: rayleigh, stiffness: 0.02}, points: {x1: {node: 1}, x2: {node: 2}, "
    "x3: {node: 3}}}\n"
    "contacts:\n"
    "  a: {at: x1, law: {type: coulomb, limit: 1, stiffness: 20}}\n"
    "  b: {at: x2, against: x1, law: {type: coulomb, limit: 1, stiffness: 20}}\n"
    "  c: {at: x3, law: {type: stop, gap: 0.25, stiffness: 1}}\n"
    "drives: {f: {type: harmonic, at: x2, amplitude: 1, frequency: 1.2}}\n"
    "start: rest\nsimulate: {until: 100 periods}\n";

// A rod with 100 modes that rubs at 100 places.
static void write_rod(char *text, size_t size) {
    size_t n = (size_t)snprintf(
        text, size,
        "judder: 1\nstructure:\n  type: rod\n  length: 1\n  mass_per_length: 20\n  "
        "axial_stiffness: 20\n  modes: 100\n  supports: {left: free, right: fixed}\n  damping: "
        "{type: ratio, value: 0.01}\n  points: {");
    for (int j = 0; j < 100; j++)
        n +=
            (size_t)snprintf(text + n, size - n, "%sp%d: %.17g", j ? ", " : "", j, (j + 0.5) / 100);
    n += (size_t)snprintf(text + n, size - n, "}\ncontacts:\n");
    for (int j = 0; j < 100; j++)
        n += (size_t)snprintf(text + n, size - n,
                              "  c%d: {at: p%d, law: {type: coulomb, limit: 0.2, stiffness: 20}}\n",
                              j, j);
    snprintf(text + n, size - n,
             "drives: {f: {type: harmonic, at: p0, amplitude: 12, frequency: 2}}\nstart: "
             "rest\nsimulate: {until: 20 periods}\n");
}

int main(void) {
    static char rod[1 << 15];
    write_rod(rod, sizeof rod);
    int missed = compare("three masses, 100 periods", chain, 100, 300);
    missed += compare("100 contacts x 100 modes, 20 per.", rod, 20, 50);
    return missed > 0;
}

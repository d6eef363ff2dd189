// rods_events.c -- two rods rubbing along 25 m, the same semi-discrete problem by three methods:
// engine taylor, engine mode-matching, and a Runge-Kutta method of order 5 with event detection.
//   One simulated second, 304 nodes, 20 modes, steps of 0.02 h/c for Runge-Kutta, as published.
//   Processor time of the thread; process start and model files excluded.
#include <judder/judder.h>
#include <math.h>
#include <stdio.h>

#include "rods_rk45.h"
#include "timer.h"

static const double published_step = 0.02;

typedef struct row {
    rods_case rods;
    const char *drive;
    double wanted[2]; // times as fast as Runge-Kutta: taylor, mode matching (0: no promise)
} row;

static const row rows[] = {
    {{"20A", 304, 20, 20, 0, 0.6}, "harmonic, amplitude: 20, frequency: 20", {12, 5}},
    {{"20B", 304, 20, 20, 0, 1.0}, "harmonic, amplitude: 20, frequency: 20", {12, 5}},
    {{"150A", 304, 20, 150, 0, 0.6}, "harmonic, amplitude: 20, frequency: 150", {6, 0}},
    {{"150B", 304, 20, 150, 0, 1.0}, "harmonic, amplitude: 20, frequency: 150", {6, 0}},
    {{"pulse A", 304, 20, 0, 0.01, 0.6}, "pulse, amplitude: 20, duration: 0.01", {6, 0}},
    {{"pulse B", 304, 20, 0, 0.01, 1.0}, "pulse, amplitude: 20, duration: 0.01", {6, 0}}};

static const char *const model =
    "judder: 1\n"
    "bodies:\n"
    "  pile: {type: rod, length: 50, axial_stiffness: 1e6, mass_per_length: 1,\n"
    "         supports: {left: free, right: free}, points: {head: 0, tip: 50}}\n"
    "  sleeve: {type: rod, length: 50, axial_stiffness: 1e10, mass_per_length: 1e4, modes: 20,\n"
    "           supports: {left: free, right: fixed}}\n"
    "contacts:\n"
    "  shaft: {at: {body: pile, span: [25, 50]}, against: {body: sleeve, span: [0, 25]},\n"
    "          law: {type: coulomb, limit: %.17g}}\n"
    "drives: {hammer: {at: pile.head, type: %s}}\n"
    "simulate: {engine: %s, nodes: %d, until: 1}\n";

// Tip displacement at 1 s, events and processor time; false: failed.
static bool run(jd_context *context, const row *r, const char *engine, double *tip, long *events,
                double *seconds) {
    char text[2000];
    jd_problem *problem;
    jd_run *runner;
    int n = snprintf(text, sizeof text, model, r->rods.friction, r->drive, engine, r->rods.n);
    int index;
    double v;
    if (jd_model_parse(context, "rods", ".", text, (size_t)n, 0, NULL, &problem) != JD_OK)
        return false;
    double begin = bench_clock();
    bool right = jd_run_create(context, problem, &runner) == JD_OK &&
                 jd_run_probe(runner, "pile.tip", &index) == JD_OK;
    *events = -1;
    for (jd_step step = JD_STEP_EVENT; right && step == JD_STEP_EVENT; ++*events)
        right = jd_run_advance(runner, 1, &step) == JD_OK;
    if (right) jd_run_observe(runner, 1, tip, &v);
    *seconds = bench_clock() - begin;
    jd_run_free(runner);
    jd_problem_free(problem);
    return right;
}

static int row_of(jd_context *context, const row *r) {
    static const char *const engines[] = {"taylor", "mode-matching"};
    rods_outcome peer;
    double tip[2], seconds[2];
    long events[2];
    for (int i = 0; i < 2; i++)
        if (!run(context, r, engines[i], &tip[i], &events[i], &seconds[i])) {
            fprintf(stderr, "%s: %s\n", engines[i], jd_context_error(context)->message);
            return 1;
        }
    if (!rods_rk45(&r->rods, published_step, 1, &peer)) return 1;
    bool met = true;
    printf("%-8s Runge-Kutta %7.2f s", r->rods.name, peer.cpu);
    for (int i = 0; i < 2; i++) {
        double times = peer.cpu / seconds[i];
        met = met && times >= r->wanted[i];
        printf("   %s %6.3f s, %5.1fx", engines[i], seconds[i], times);
        if (r->wanted[i] > 0) printf(" of %gx", r->wanted[i]);
    }
    double apart = fabs(peer.u[3] - tip[0]) / fabs(tip[0]);
    bool same = apart < 1e-4; // they solve the same equations; Runge-Kutta sees events at its steps
    printf("   tips %.0e apart  %s\n", apart, met && same ? "met" : "MISSED");
    return !(met && same);
}

int main(void) {
    jd_context *context = jd_context_create(NULL);
    int missed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        missed += row_of(context, &rows[i]);
        fflush(stdout);
    }
    jd_context_free(context);
    return missed > 0;
}

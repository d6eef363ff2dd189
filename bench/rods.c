// rods.c -- engines of rods that rub along a length beside the Runge-Kutta peer, on the same cases.
//   Rates in simulated seconds per second of processor time of this thread, the best of several
//   rounds in turn, so that a busy machine slows both alike. Exit code 1 when a ratio is missed.
#include <judder/judder.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "rods_rk45.h"
#include "timer.h"

enum { ROUNDS = 3 };
static const double peer_step = 0.02; // of h/c, as published

typedef struct row {
    const char *engine, *text;
    const char *file;   // in gallery/two-rods
    const char *limit;  // friction [kN/m]
    bool ledger, looks; // energies; histories at four points, 1000 a second
    int nodes;
    double span; // simulated in one round [s]
    int peer;    // number of the case below
    double need; // times the peer's rate; 0: only shown
} row;

static const rods_case cases[] = {{"20A", 304, 20, 20, 0, 0.6}, {"20B", 304, 20, 20, 0, 1.0}};
static const double peer_span[] = {0.06, 0.06}; // [s]
enum { CASES = sizeof cases / sizeof *cases };

static const row rows[] = {
    {"wave", "bare stepping", "harmonic20.yaml", "0.6", false, false, 304, 100, 0, 4000},
    {"wave", "with ledger and histories", "harmonic20.yaml", "0.6", true, true, 304, 40, 0, 1500},
    {"wave", "bare stepping", "harmonic20.yaml", "1", false, false, 304, 100, 1, 4000},
    {"wave", "with ledger and histories", "harmonic20.yaml", "1", true, true, 304, 40, 1, 1500},
    {"wave", "bare stepping, 1216 nodes", "harmonic20.yaml", "0.6", false, false, 1216, 6, 0, 0},
    {"wave", "bare stepping, 3640 nodes", "harmonic20.yaml", "0.6", false, false, 3640, 0.7, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void give_up(jd_context *context) {
    fprintf(stderr, "rods: %s\n", jd_context_error(context)->message);
    exit(2);
}

static void must(jd_context *context, jd_status status) {
    if (status != JD_OK) give_up(context);
}

static jd_problem *load(jd_context *context, const row *r) {
    char path[600], sets[4][100];
    snprintf(path, sizeof path, "%s/gallery/two-rods/%s", BENCH_SOURCE_DIR, r->file);
    snprintf(sets[0], sizeof sets[0], "simulate.engine=%s", r->engine);
    snprintf(sets[1], sizeof sets[1], "simulate.nodes=%d", r->nodes);
    snprintf(sets[2], sizeof sets[2], "simulate.ledger=%s", r->ledger ? "true" : "false");
    snprintf(sets[3], sizeof sets[3], "contacts.shaft.law.limit=%s", r->limit);
    const char *set[] = {sets[0], sets[1], sets[2], sets[3]};
    jd_problem *problem;
    must(context, jd_model_read(context, path, 4, set, &problem));
    return problem;
}

static void march(jd_context *context, jd_run *run, double t) {
    jd_step step = JD_STEP_EVENT;
    while (step == JD_STEP_EVENT) must(context, jd_run_advance(run, t, &step));
}

// Simulated seconds per second.
static double rate(const row *r) {
    static const char *const points[] = {"pile.head", "pile.third", "pile.two_thirds", "pile.tip"};
    jd_context *context = jd_context_create(NULL);
    jd_problem *problem = load(context, r);
    jd_run *run;
    int index;
    double u[4], v[4];
    must(context, jd_run_create(context, problem, &run));
    for (int i = 0; r->looks && i < 4; i++) must(context, jd_run_probe(run, points[i], &index));
    double begin = bench_clock();
    for (int k = 1; r->looks && k <= 1000 * r->span; k++) {
        march(context, run, 1e-3 * k);
        jd_run_observe(run, 1e-3 * k, u, v);
    }
    march(context, run, r->span);
    jd_report report;
    jd_run_report(run, &report);
    double seconds = bench_clock() - begin;
    jd_run_free(run);
    jd_problem_free(problem);
    jd_context_free(context);
    return r->span / seconds;
}

static double peer_rate(int k) {
    rods_outcome out;
    if (!rods_rk45(&cases[k], peer_step, peer_span[k], &out)) exit(2);
    return peer_span[k] / out.cpu;
}

static bool print_row(const row *r, double best, double peer) {
    double ratio = best / peer;
    bool missed = ratio < r->need;
    printf("%-5s %-14s %-28s %10.4g %9.0f", cases[r->peer].name, r->engine, r->text, best, ratio);
    if (r->need > 0) printf(" %9.0f%s", r->need, missed ? "  MISSED" : "");
    printf("\n");
    return missed;
}

// Steps grow with n and each with n: from 1216 to 3640 nodes the cost grows as n^p, p = 2.
static bool print_growth(const double *best) {
    double p = log(best[4] / best[5]) / log(3639.0 / 1215);
    bool missed = p < 1.7 || p > 2.4;
    printf("\ncost of a simulated second grows as nodes^%.2f (2 wanted)%s\n", p,
           missed ? "  MISSED" : "");
    return missed;
}

int main(void) {
    double best[ROWS] = {0}, peer[CASES] = {0};
    int missed = 0;
    bench_machine_print();
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < CASES; k++) peer[k] = fmax(peer[k], peer_rate(k));
        for (int k = 0; k < ROWS; k++) best[k] = fmax(best[k], rate(&rows[k]));
    }
    printf("\nTwo rods rubbing along 25 m, 304 nodes unless said otherwise; simulated s per CPU s\n"
           "%-5s %-14s %-28s %10s %9s %9s\n",
           "case", "engine", "", "rate", "x peer", "wanted");
    for (int k = 0; k < CASES; k++)
        printf("%-5s %-14s %-28s %10.4g %9d\n", cases[k].name, "RK45, events",
               "step 0.02 h/c (peer)", peer[k], 1);
    for (int k = 0; k < ROWS; k++) missed += print_row(&rows[k], best[k], peer[rows[k].peer]);
    missed += print_growth(best);
    return missed > 0;
}

// expsum.c -- time per evaluation and per search on sums like those of a beam with friction at its
// tip.
//   20 modes omega_k = 10.1 ((k + 0.597)/0.597)^2, 10 to 10900 rad/s, Rayleigh damping or none, one
//   drive, random phases; half the cases are a velocity leaving 0, half a force inside a band.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judder/expsum.h"

enum { MODES = 20, POLES = MODES + 2, CASES = 400, REPEAT = 50 };

typedef struct rig {
    jd_expbasis *basis;
    jd_watch *watch;
    double re[CASES][64], im[CASES][64];
    jd_guard guard[CASES];
} rig;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(uint64_t *seed) { // splitmix64
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void poles(double damping, jd_complex *pole) {
    for (int k = 0; k < MODES; k++) {
        double omega = 10.1 * pow(k + 0.597, 2) / (0.597 * 0.597);
        double c = damping * (0.025 + 5.5e-5 * omega * omega) / 2;
        pole[k] = (jd_complex){-c, sqrt(omega * omega - c * c)};
    }
    pole[MODES] = (jd_complex){0, 11.1};
    pole[MODES + 1] = (jd_complex){0, 0};
}

// Odd cases: a velocity leaving 0 upward (start order 1); even ones: a force inside (-1, 1).
static void fill(rig *r, uint64_t *seed) {
    for (int i = 0; i < CASES; i++) {
        jd_complex c[POLES];
        double f = 0;
        for (int k = 0; k < POLES; k++) {
            double size = k < MODES ? 0.6 / ((k + 1) * (k + 1)) : k == MODES ? 0.8 : 0;
            double phase = 2 * acos(-1) * uniform(seed);
            c[k] = (jd_complex){size * cos(phase), size * sin(phase)};
            f += c[k].re;
        }
        c[MODES + 1].re = i % 2 ? -f : -0.7 * f;
        for (int k = 0; k < POLES; k++) {
            r->re[i][jd_expbasis_slot(r->basis, k)] = c[k].re;
            r->im[i][jd_expbasis_slot(r->basis, k)] = c[k].im;
        }
        double taylor[JD_TAYLOR];
        jd_watch_taylor(r->watch, r->re[i], r->im[i], taylor);
        jd_guard *g = r->guard + i;
        *g = jd_default_guard(r->watch);
        if (i % 2) {
            g->start_side = taylor[1] > 0 ? -1 : 1;
            g->start_order = 1;
            *(taylor[1] > 0 ? &g->lower : &g->upper) = 0;
        } else {
            g->lower = -1;
            g->upper = 1;
        }
    }
}

static void run(jd_context *context, double damping) {
    rig *r = calloc(1, sizeof *r);
    jd_complex pole[POLES], one[POLES];
    jd_expbasis_def def = jd_default_expbasis_def();
    jd_search_result result;
    double re[64], im[64];
    uint64_t seed = 1;
    poles(damping, pole);
    for (int k = 0; k < POLES; k++) one[k] = (jd_complex){1, 0};
    def.n_pole = POLES;
    def.pole = pole;
    double t0 = now();
    if (jd_expbasis_create(context, &def, &r->basis) != JD_OK) exit(1);
    if (jd_watch_create(r->basis, &(jd_watch_def){.weight = one}, &r->watch) != JD_OK) exit(1);
    double create = now() - t0;
    fill(r, &seed);
    long evaluations = 0, exponentials = 0, found = 0, worst = 0, undecided = 0;
    double best = 1e9;
    for (int k = 0; k < REPEAT; k++) {
        evaluations = exponentials = found = undecided = 0;
        t0 = now();
        for (int i = 0; i < CASES; i++) {
            jd_first_zero(r->basis, r->re[i], r->im[i], 1, r->guard + i, 0.5, NULL, &result, re,
                          im);
            evaluations += result.evaluations;
            exponentials += result.exponentials;
            undecided += result.undecided;
            found += result.outcome == JD_SEARCH_FOUND;
            if (result.evaluations > worst) worst = result.evaluations;
        }
        best = fmin(best, now() - t0);
    }
    printf(
        "damping %g: create %.0f us, %ld of %d found, %.2f evaluations a search (worst %ld), %.2f "
        "exponentials, %ld undecided, %.0f ns a search, %.0f ns an evaluation\n",
        damping, create * 1e6, found, CASES, (double)evaluations / CASES, worst,
        (double)exponentials / CASES, undecided, best / CASES * 1e9,
        best / (double)evaluations * 1e9);
    t0 = now();
    for (int i = 0; i < 100000; i++)
        jd_expbasis_advance(r->basis, 0.01 + i * 1e-6, r->re[0], r->im[0], re, im);
    printf("true exponentials of %d poles: %.0f ns\n", POLES, (now() - t0) * 1e4);
    jd_expbasis_free(r->basis);
    free(r);
}

int main(void) {
    jd_context *context = jd_context_create(NULL);
    run(context, 1);
    run(context, 0);
    jd_context_free(context);
    return 0;
}

// seek_finer.c -- what the tolerance of an engine leaves unknown of an orbit and its multipliers.
//   The orbit is closed once more with steps to 1/100 of the tolerance: state s', multipliers mu'.
//   Errors fall with the tolerance, so |s - s'| and |mu - mu'| are most of the errors of s and mu;
//   they are taken four times. Differences may vanish by chance: no error of a multiplier is stated
//   below ten tolerances.                  tested: stated_errors_hold_beside_finer_runs
//   |mu - mu'|: the largest distance from one of half the largest size or more to the nearest one
//   of the other list, both ways. (|M - M'| is no measure: with infinitely many modes it is of the
//   size of M in directions that die out at once.)
//   Infinitely many modes: both have the same memory, fitted to an error of its own (of the largest
//   transfer). It is added as it is; what it does to the multipliers is not measured.
//   Where the finer orbit is not found, or has other events, nothing is known: the error is
//   infinite, and the orbit is not called stable.
#include <math.h>
#include <string.h>

#include "analysis/orbit/seek.h"

static const double safety = 4;
static const double least = 10; // tolerances: no error of a multiplier is stated below
enum { STEPS = 8 };

// What is kept of the orbit while the finer one is sought.
typedef struct kept {
    double *s, *history, *value, period;
    jd_phase phase;
    int n_event;
} kept;

static jd_status keep(jd_seek *k, kept *a) {
    const jd_shooting *sh = k->shooting;
    a->s = JD_TAKE(k->arena, double, sh->n);
    a->value = JD_TAKE(k->arena, double, 2 * sh->n);
    a->history = JD_TAKE(k->arena, double, STEPS + 2);
    JD_TRY(jd_arena_status(k->arena));
    memcpy(a->s, sh->s, (size_t)sh->n * sizeof *a->s);
    a->phase = sh->phase;
    a->period = sh->period;
    a->n_event = sh->last.n_event;
    return JD_OK;
}

static jd_status put_back(jd_seek *k, const kept *a) {
    jd_shooting *sh = k->shooting;
    bool lost;
    memcpy(sh->s, a->s, (size_t)sh->n * sizeof *a->s);
    sh->phase = a->phase;
    sh->period = a->period;
    return jd_shooting_round(sh, true, &lost);
}

// Largest distance from a multiplier of list a, down to half of its largest, to the nearest of b.
static double farthest(int n, const double *a, const double *b) {
    double largest = 0, far = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, hypot(a[2 * i], a[2 * i + 1]));
    for (int i = 0; i < n; i++) {
        double near = HUGE_VAL;
        if (hypot(a[2 * i], a[2 * i + 1]) < largest / 2) continue;
        for (int j = 0; j < n; j++)
            near = fmin(near, hypot(a[2 * i] - b[2 * j], a[2 * i + 1] - b[2 * j + 1]));
        far = fmax(far, near);
    }
    return far;
}

double jd_multipliers_apart(int n, const double *a, const double *b) {
    return fmax(farthest(n, a, b), farthest(n, b, a));
}

double jd_multiplier_error(double apart, double tolerance, double fit) {
    return fmax(safety * apart, least * tolerance) + fit;
}

// From the finer orbit at hand.
static jd_status compare(jd_seek *k, const kept *a, const double *value, double tolerance,
                         double fit) {
    jd_shooting *sh = k->shooting;
    bool conservative = k->outcome.conservative;
    double largest, size = jd_shooting_size(sh, a->s);
    JD_TRY(jd_seek_multipliers(k, a->value, &largest));
    k->outcome.conservative = conservative;
    double away = size > 0 ? jd_shooting_distance(sh, a->s, sh->s) / size : 0;
    k->outcome.radius = fmax(k->outcome.radius, safety * away);
    k->outcome.blur =
        jd_multiplier_error(jd_multipliers_apart(sh->n, value, a->value), tolerance, fit);
    return JD_OK;
}

jd_status jd_seek_finer(jd_seek *k, const double *value) {
    jd_shooting *sh = k->shooting;
    jd_run *run = sh->run;
    const jd_engine_map *map = &run->class->map;
    jd_arena_mark mark = jd_arena_here(k->arena);
    const char *why;
    kept a;
    int steps;
    bool found = false, known = !isnan(k->outcome.radius);
    k->outcome.blur = 0;
    if (!map->refine || k->cut) return JD_OK;
    JD_TRY(keep(k, &a));
    double tolerance = sh->tolerance, fit = map->refine(run, JD_SEEK_FINER),
           patience = sh->limit.most_spent;
    sh->limit.most_spent = 0;
    jd_status status =
        jd_shooting_solve(sh, STEPS, k->options.tolerance, a.history, &steps, &found, &why);
    found |= status == JD_OK && a.history[steps] <= jd_shooting_floor(sh);
    if (status == JD_OK && found && sh->last.n_event == a.n_event)
        status = compare(k, &a, value, tolerance, fit);
    else
        k->outcome.blur = HUGE_VAL;
    if (!known || isinf(k->outcome.blur)) k->outcome.radius = (double)NAN;
    sh->limit.most_spent = patience;
    map->refine(run, 1);
    if (status == JD_OK) status = put_back(k, &a);
    jd_arena_back(k->arena, mark);
    return status;
}

// waves.c -- multipliers of a motion whose state is waves under way: the largest, by Arnoldi's
// method.
//   The engine takes down one period, from an event to the same event, and takes small changes over
//   it (jd_engine_map, replay). Orthonormal v_0, v_1, ... of what a change becomes after 0, 1, ...
//   periods, M v_k = sum_i h_ik v_i: eigenvalues of H are those of M, the largest first. Known are
//   those that the last LAG vectors did not move, down to the first that they did.
//   error: the same from a period with steps to a tenth of the tolerance, taken `safety` times; how
//   far the multiplier of the motion along an autonomous orbit is from the 1 it is; and the error
//   of the memory.                      tested: multipliers_of_waves_are_those_of_their_poles
#include "analysis/orbit/waves.h"

#include <math.h>
#include <string.h>

#include "linalg/general.h"

enum { MOST = 400, LAG = 8, WANTED = 24, SMOOTH = 3, CYCLES = 8, MOST_EVENTS = 2000 };
static const double fine = 0.1;    // of the tolerance: a multiplier that moved by less is known
static const double share = 0.1;   // of the tolerance: the finer steps
static const double safety = 4;    // of differences, which may be small by chance
static const double spent = 1e-13; // of M v: what is left is rounding

typedef struct krylov {
    jd_run *run;
    jd_arena *arena;
    int n, k;             // numbers of a change; columns of H
    double *v;            // (MOST + 1) n
    double *H;            // (MOST + 1) x MOST
    double *now, *before; // multipliers of k and k - LAG columns
    double same;          // a multiplier that moved by less is known
    bool whole;           // there are no more directions: all multipliers are told
} krylov;

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static bool scale_to_one(int n, double *x, double least) {
    double size = sqrt(dot(n, x, x));
    if (!(size > least)) return false;
    for (int i = 0; i < n; i++) x[i] /= size;
    return true;
}

static double *vector(const krylov *a, int k) { return a->v + (size_t)k * (size_t)a->n; }

// The first change: short waves, which any force leaves and which die out first, are gone.
static jd_status start(krylov *a) {
    double *x = vector(a, 0);
    const jd_engine_map *map = &a->run->class->map;
    JD_TRY(map->replay_excite(a->run, 1, x));
    for (int i = 0; i < SMOOTH; i++) JD_TRY(map->replay_apply(a->run, x, x));
    a->k = 0;
    a->whole = !scale_to_one(a->n, x, 0);
    return JD_OK;
}

// One more column; orthogonal to the others, which takes two rounds.
static jd_status extend(krylov *a) {
    int k = a->k++;
    double *x = vector(a, k + 1);
    JD_TRY(a->run->class->map.replay_apply(a->run, vector(a, k), x));
    double size = sqrt(dot(a->n, x, x));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i <= k; i++) {
            double c = dot(a->n, vector(a, i), x);
            a->H[i * MOST + k] += c;
            for (int j = 0; j < a->n; j++) x[j] -= c * vector(a, i)[j];
        }
    double left = sqrt(dot(a->n, x, x));
    a->H[(k + 1) * MOST + k] = left;
    a->whole = !scale_to_one(a->n, x, spent * size);
    return JD_OK;
}

static jd_status eigenvalues(krylov *a, int k, double *value) {
    jd_arena_mark mark = jd_arena_here(a->arena);
    double *A = JD_TAKE(a->arena, double, k *k);
    JD_TRY(jd_arena_status(a->arena));
    for (int i = 0; i < k; i++) memcpy(A + i * k, a->H + i * MOST, (size_t)k * sizeof *A);
    jd_status status = jd_eigen_general(a->arena, k, A, value);
    jd_arena_back(a->arena, mark);
    return status;
}

static double nearest(const double *x, int n, const double *list) {
    double near = HUGE_VAL;
    for (int i = 0; i < n; i++)
        near = fmin(near, hypot(x[0] - list[2 * i], x[1] - list[2 * i + 1]));
    return near;
}

// How many of the largest are known; a pair as a whole.
static jd_status count_known(krylov *a, int *known) {
    int k = a->k, n = 0;
    *known = 0;
    if (!a->whole && k <= LAG) return JD_OK;
    JD_TRY(eigenvalues(a, k, a->now));
    if (!a->whole) JD_TRY(eigenvalues(a, k - LAG, a->before));
    while (n < k && (a->whole || nearest(a->now + 2 * n, k - LAG, a->before) < a->same)) n++;
    if (n > 0 && n < k && a->now[2 * n - 1] > 0) n--;
    *known = n;
    return JD_OK;
}

// Of the period that was taken down.
static jd_status arnoldi(krylov *a, int *known) {
    *known = 0;
    JD_TRY(start(a));
    while (!a->whole && *known < WANTED && a->k < MOST) {
        int next = a->k + a->k / 3 + LAG;
        while (!a->whole && a->k < next && a->k < MOST) JD_TRY(extend(a));
        JD_TRY(count_known(a, known));
    }
    return JD_OK;
}

// n events; not within `time`: the motion is no longer the one that repeats.
static jd_status pass_events(jd_run *run, int n, double time, bool *goes_on) {
    jd_step step = JD_STEP_EVENT;
    double end = run->t + time;
    for (int i = 0; i < n && step == JD_STEP_EVENT; i++) JD_TRY(jd_run_advance(run, end, &step));
    *goes_on = step == JD_STEP_EVENT;
    return JD_OK;
}

// Multipliers from the event at hand to the same event a period later.
static jd_status take_period(krylov *a, const jd_settled *s, jd_waves *out) {
    const jd_engine_map *map = &a->run->class->map;
    bool goes_on;
    JD_TRY(map->replay_begin(a->run));
    JD_TRY(pass_events(a->run, s->n_event, 2 * s->period, &goes_on));
    JD_TRY(map->replay_end(a->run, &a->n, &out->why));
    if (!goes_on)
        out->why = a->run->stop ? jd_stop_text(a->run->stop) : "the motion does not repeat";
    if (out->why) return JD_OK;
    a->v = JD_TAKE(a->arena, double, (size_t)(MOST + 1) * (size_t)a->n);
    a->H = JD_TAKE(a->arena, double, (MOST + 1) * MOST);
    a->now = JD_TAKE(a->arena, double, 2 * MOST);
    a->before = JD_TAKE(a->arena, double, 2 * MOST);
    JD_TRY(jd_arena_status(a->arena));
    JD_TRY(arnoldi(a, &out->n));
    out->value = a->now;
    if (out->n == 0) out->why = "the largest multipliers lie too close together to be told apart";
    return JD_OK;
}

// Without the one that is 1 along an autonomous orbit, whose distance from 1 is an error.
static void weigh(jd_waves *w, bool forced) {
    int along = -1;
    double off = HUGE_VAL;
    for (int i = 0; !forced && i < w->n; i++) {
        double away = hypot(w->value[2 * i] - 1, w->value[2 * i + 1]);
        if (away < off) off = away, along = i;
    }
    w->largest = 0;
    for (int i = 0; i < w->n; i++)
        if (i != along) w->largest = fmax(w->largest, hypot(w->value[2 * i], w->value[2 * i + 1]));
    w->error = forced ? 0 : off;
}

static double farthest(const jd_waves *a, const jd_waves *b) {
    double far = 0, size = b->n ? hypot(b->value[2 * b->n - 2], b->value[2 * b->n - 1]) : 0;
    for (int i = 0; i < a->n; i++) { // those that the other list reaches down to
        double own = hypot(a->value[2 * i], a->value[2 * i + 1]);
        if (own > size && own > a->largest / 2)
            far = fmax(far, nearest(a->value + 2 * i, b->n, b->value));
    }
    return far;
}

jd_status jd_waves_find(jd_run *run, jd_arena *arena, const jd_settled *settled, jd_waves *out) {
    const jd_engine_map *map = &run->class->map;
    jd_report report;
    jd_run_report(run, &report);
    krylov a = {.run = run, .arena = arena}, b;
    a.same = fmax(1e-9, fine * report.certificate.tolerance);
    b = a;
    jd_waves finer = {0};
    bool goes_on = true;
    *out = (jd_waves){.largest = (double)NAN, .error = HUGE_VAL};
    if (!map->replay_begin)
        out->why = "the engine offers no derivative of its motion";
    else if (settled->n_event == 0)
        out->why = "the motion has no events";
    else if (settled->n_event > MOST_EVENTS)
        out->why = "a period has too many events";
    if (out->why) return JD_OK;
    run->no_ledger = true;
    if (settled->drive > 0) JD_TRY(pass_events(run, 1, 2 * settled->period, &goes_on));
    JD_TRY(take_period(&a, settled, out));
    if (out->why) return JD_OK;
    weigh(out, settled->drive > 0);
    double fit = map->refine(run, share);
    JD_TRY(pass_events(run, CYCLES * settled->n_event, 2 * CYCLES * settled->period, &goes_on));
    if (goes_on) JD_TRY(take_period(&b, settled, &finer));
    if (!goes_on || finer.why) {
        out->error = HUGE_VAL;
        return JD_OK;
    }
    weigh(&finer, settled->drive > 0);
    double apart = fmax(farthest(out, &finer), farthest(&finer, out));
    out->error = safety * fmax(apart, a.same) + fmax(out->error, finer.error) + fit;
    return JD_OK;
}

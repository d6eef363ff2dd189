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

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "contact/law.h"
#include "linalg/dot.h"
#include "linalg/general.h"

enum { MOST = 400, LAG = 8, WANTED = 24, SMOOTH = 3, CYCLES = 8, MOST_EVENTS = 2000 };
static const double fine = 0.1;    // of the tolerance: a multiplier that moved by less is known
static const double share = 0.1;   // of the tolerance: the finer steps
static const double safety = 4;    // of differences, which may be small by chance
static const double unseen = 1e3;  // times that: share of forces in a change that is no part of it
static const double spent = 1e-13; // of M v: what is left is rounding

typedef struct krylov {
    jd_run *run;
    jd_arena *arena;
    int n, k;             // numbers of a change; columns of H
    int own;              // of these n: all but displacements, which follow from the others
    int stops;            // contacts that are; then displacements count, too
    double *v;            // (MOST + 1) n
    double *H;            // (MOST + 1) x MOST
    double *now, *before; // multipliers of k and k - LAG columns
    double same;          // a multiplier that moved by less is known
    bool whole;           // there are no more directions: all multipliers are told
} krylov;

static bool scale_to_one(const krylov *a, double *x, double least) {
    double size = sqrt(jd_dot(a->own, x, x));
    if (!(size > least)) return false;
    for (int i = 0; i < a->n; i++) x[i] /= size;
    return true;
}

// Engines give changes where all contacts are stops, or none is.
static void set_own(krylov *a) {
    const jd_problem *p = a->run->problem;
    int m = jd_problem_contacts(p);
    const jd_contact_def *first = m > 0 ? jd_problem_contact(p, 0)->def : NULL;
    a->stops = first && jd_law_stop_of(&first->law) ? m : 0;
    a->own = a->n - (a->stops ? 0 : m);
}

static double *vector(const krylov *a, int k) { return a->v + (size_t)k * (size_t)a->n; }

// The first change: short waves, which any force leaves and which die out first, are gone.
static jd_status start(krylov *a) {
    double *x = vector(a, 0);
    const jd_engine_map *map = &a->run->class->map;
    JD_TRY(map->replay_excite(a->run, 1, x));
    for (int i = 0; i < SMOOTH; i++) JD_TRY(map->replay_apply(a->run, x, x));
    a->k = 0;
    a->whole = !scale_to_one(a, x, 0);
    for (int j = 0; j < a->stops; j++) x[a->n - 1 - j] += 1; // see drop_gaps
    if (a->stops) a->whole = !scale_to_one(a, x, 0);
    return JD_OK;
}

// One more column; orthogonal to the others, which takes two rounds.
static jd_status extend(krylov *a) {
    int k = a->k++;
    double *x = vector(a, k + 1);
    JD_TRY(a->run->class->map.replay_apply(a->run, vector(a, k), x));
    double size = sqrt(jd_dot(a->own, x, x));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i <= k; i++) {
            double c = jd_dot(a->own, vector(a, i), x);
            a->H[i * MOST + k] += c;
            for (int j = 0; j < a->n; j++) x[j] -= c * vector(a, i)[j];
        }
    double left = sqrt(jd_dot(a->own, x, x));
    a->H[(k + 1) * MOST + k] = left;
    a->whole = !scale_to_one(a, x, spent * size);
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

// y with (H - mu) y = any, of k columns: the eigenvector, by one step of inverse iteration. A is
// (k, k) complex, row-major; near mu it is singular to rounding, which makes y large and right.
static void inverse_step(int k, double complex *A, double complex *y) {
    for (int c = 0; c < k; c++) {
        int best = c;
        for (int r = c + 1; r < k && r <= c + 1; r++) // H has one diagonal below the main one
            if (cabs(A[r * k + c]) > cabs(A[best * k + c])) best = r;
        for (int j = c; best != c && j < k; j++) {
            double complex x = A[c * k + j];
            A[c * k + j] = A[best * k + j], A[best * k + j] = x;
        }
        double complex x = y[c];
        y[c] = y[best], y[best] = x;
        if (cabs(A[c * k + c]) < 1e-14) A[c * k + c] = 1e-14;
        if (c + 1 == k) break;
        double complex f = A[(c + 1) * k + c] / A[c * k + c];
        for (int j = c; j < k; j++) A[(c + 1) * k + j] -= f * A[c * k + j];
        y[c + 1] -= f * y[c];
    }
    for (int r = k - 1; r >= 0; r--) {
        for (int j = r + 1; j < k; j++) y[r] -= A[r * k + j] * y[j];
        y[r] /= A[r * k + r];
    }
}

// Share of forces in the change that a multiplier belongs to.
static jd_status share_of_forces(krylov *a, const double *m, double *out) {
    jd_arena_mark mark = jd_arena_here(a->arena);
    int k = a->k;
    double complex *A = JD_TAKE(a->arena, double complex, k *k),
                   *y = JD_TAKE(a->arena, double complex, k);
    double *x = JD_TAKE(a->arena, double, 2 * (size_t)a->n), size = 0, forces = 0;
    JD_TRY(jd_arena_status(a->arena));
    double complex mu;
    memcpy(&mu, m, sizeof mu); // (re, im)
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) A[i * k + j] = a->H[i * MOST + j] - (i == j) * mu;
    for (int i = 0; i < k; i++) y[i] = 1 + (i % 7) * 0.1;
    inverse_step(k, A, y);
    for (int part = 0; part < 2; part++) {
        double *z = x + part * a->n;
        for (int i = 0; i < k; i++) {
            double c = part ? cimag(y[i]) : creal(y[i]);
            for (int j = 0; j < a->n; j++) z[j] += c * vector(a, i)[j];
        }
        size += jd_dot(a->own, z, z);
        forces += pow(a->run->class->map.replay_forces(a->run, z), 2);
    }
    *out = size > 0 ? sqrt(forces / size) : 0;
    jd_arena_back(a->arena, mark);
    return JD_OK;
}

// Displacements of waves are known but for a constant, which is kept as it is and acts as another
// gap: the multiplier 1 of each stop, by the start of all vectors, and no part of the structure.
static void drop_gaps(const krylov *a, int *n) {
    for (int j = 0; j<a->stops && * n> 0; j++) {
        int at = 0;
        for (int i = 1; i < *n; i++)
            if (hypot(a->now[2 * i] - 1, a->now[2 * i + 1]) <
                hypot(a->now[2 * at] - 1, a->now[2 * at + 1]))
                at = i;
        memmove(a->now + 2 * at, a->now + 2 * (at + 1), 2 * (size_t)(--*n - at) * sizeof *a->now);
    }
}

// Echoes that the error of the memory leaves over die out by themselves and are no part of the
// structure: no force goes with them. They are not told.
static jd_status drop_unseen(krylov *a, int *n) {
    int kept = 0;
    double part;
    for (int i = 0; i < *n; i++) {
        const double *m = a->now + 2 * i;
        JD_TRY(share_of_forces(a, m, &part));
        if (part < unseen * a->same && hypot(m[0], m[1]) < 1) continue;
        memmove(a->now + 2 * kept++, m, 2 * sizeof *m);
    }
    *n = kept;
    drop_gaps(a, n);
    return JD_OK;
}

// Of the period that was taken down.
static jd_status arnoldi(krylov *a, int wanted, int *known) {
    *known = 0;
    JD_TRY(start(a));
    while (!a->whole && *known < wanted && a->k < MOST) {
        int next = a->k + a->k / 3 + LAG;
        while (!a->whole && a->k < next && a->k < MOST) {
            if (jd_stop_wanted(a->run->context)) return JD_OK;
            JD_TRY(extend(a));
        }
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

static jd_status take(krylov *a) {
    a->v = JD_TAKE(a->arena, double, (size_t)(MOST + 1) * (size_t)a->n);
    a->H = JD_TAKE(a->arena, double, (MOST + 1) * MOST);
    a->now = JD_TAKE(a->arena, double, 2 * MOST);
    a->before = JD_TAKE(a->arena, double, 2 * MOST);
    return jd_arena_status(a->arena);
}

// Multipliers from the event at hand to the same event a period later.
static jd_status take_period(krylov *a, const jd_settled *s, jd_waves *out) {
    const jd_engine_map *map = &a->run->class->map;
    bool goes_on;
    JD_TRY(map->replay_begin(a->run));
    JD_TRY(pass_events(a->run, s->n_event, 2 * s->period, &goes_on));
    JD_TRY(map->replay_end(a->run, &a->n, &out->why));
    set_own(a);
    if (!goes_on)
        out->why = a->run->stop ? jd_stop_text(a->run->stop) : "the motion does not repeat";
    if (out->why) return JD_OK;
    JD_TRY(take(a));
    JD_TRY(arnoldi(a, WANTED, &out->n));
    if (jd_stop_wanted(a->run->context)) out->why = jd_stop_text(JD_STOP_INTERRUPTED);
    if (out->why) return JD_OK;
    out->value = a->now;
    JD_TRY(drop_unseen(a, &out->n));
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

jd_status jd_waves_of_period(jd_run *run, jd_arena *arena, int n, double same, int wanted,
                             bool forced, jd_waves *out) {
    krylov a = {.run = run, .arena = arena, .n = n, .same = same};
    set_own(&a);
    *out = (jd_waves){0};
    JD_TRY(take(&a));
    JD_TRY(arnoldi(&a, wanted, &out->n));
    out->value = a.now;
    JD_TRY(drop_unseen(&a, &out->n));
    weigh(out, forced);
    return JD_OK;
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
    jd_run_for_analysis(run);
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

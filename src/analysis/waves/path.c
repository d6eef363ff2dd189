// path.c -- one point of a branch of waves after the other: prediction, correction, tangent.
//   (I - M) g - x' dT - p dl = M^k r,    x' g = 0,    tau dz(g, dT, dl) = -tau (z - z')
//   p by the laws and belts at a neighbouring parameter (replay_newton.c). The tangent is the
//   solution for (0, 0, 1). Regular at folds, where dl = 0.
#include <math.h>
#include <string.h>

#include "analysis/orbit/waves.h"
#include "analysis/waves/path.h"

enum { STEPS = 8, WANTED = 8 };
static const double exact = 1e-9;  // of the right side: what GMRES may leave
static const double beside = 1e-6; // of the window: the neighbouring parameter
static const double largest = 0.3; // of the motion: a correction beyond it is no step
static const double no_gain = 0.5; // of the correction before: steps gain no more
static const double steady = 1e-3; // of the motion: one that changes by less in a period rests

// The parameter into the problem, the problem into the run.
static jd_status set_parameter(jd_path *p, double lambda) {
    curve *c = &p->f->curve;
    p->bound = jd_problem_set(c->problem, c->parameter.path, lambda, NULL) != JD_OK ||
               jd_problem_build(c->problem) != JD_OK || c->run->class->map.replan(c->run) != JD_OK;
    if (!p->bound) c->parameter.lambda = lambda;
    if (!p->bound) return JD_OK;
    JD_TRY(jd_problem_set(c->problem, c->parameter.path, c->parameter.lambda, NULL));
    JD_TRY(jd_problem_build(c->problem));
    return c->run->class->map.replan(c->run);
}

// dP/dl, times the length of the window.
static jd_status lean(jd_path *p, double *out) {
    curve *c = &p->f->curve;
    double by = beside * c->parameter.L, lambda = c->parameter.lambda;
    JD_TRY(set_parameter(p, lambda + by));
    if (p->bound) JD_TRY(set_parameter(p, lambda + (by = -by)));
    if (p->bound) return JD_OK;
    JD_TRY(c->run->class->map.replay_other(c->run));
    JD_TRY(set_parameter(p, lambda));
    JD_TRY(c->run->class->map.replay_lean(c->run, by, out));
    for (int i = 0; i < p->wave.n; i++) out[i] *= c->parameter.L;
    return JD_OK;
}

static void set_z(const jd_path *p, double *z) {
    z[0] = p->f->curve.parameter.lambda / p->f->curve.parameter.L;
    z[1] = log(p->wave.period);
    z[2] = log(p->wave.size);
}

static double along(const double *tau, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < JD_PATH_Z; i++) sum += tau[i] * (a[i] - b[i]);
    return sum;
}

// The system of the last round, its last row tau dz. Borders: the period (unless forced), then the
// parameter.
typedef struct linear {
    jd_bordered s;
    double *phase, *plane, *lean, *x, *b;
} linear;

static jd_status begin(jd_path *p, const double *tau, linear *l) {
    jd_wave *w = &p->wave;
    int all = w->n + JD_BORDERS, head = w->n - w->head;
    double **list[] = {&l->phase, &l->plane, &l->lean, &l->x, &l->b};
    for (int i = 0; i < 5; i++) *list[i] = JD_TAKE(w->arena, double, all);
    JD_TRY(jd_arena_status(w->arena));
    l->s = jd_wave_system(w, l->phase);
    JD_TRY(lean(p, l->lean));
    if (p->bound) return JD_OK;
    int k = l->s.borders++;
    if (k) l->phase[w->n] = l->phase[w->n + 1] = 0;
    l->s.column[k] = l->lean;
    l->s.row[k] = l->plane;
    for (int i = 0; i < w->head; i++)
        l->plane[head + i] = tau[2] * w->motion[i] / (w->size * w->size);
    if (k) l->plane[w->n] = tau[1] / (w->speed * w->period);
    l->plane[w->n + k] = tau[0];
    return JD_OK;
}

static jd_status solve(jd_path *p, linear *l) {
    double left;
    int rounds = 0;
    JD_TRY(jd_bordered_solve(&l->s, l->b, exact, l->x, &left, &rounds));
    p->wave.rounds += rounds;
    return JD_OK;
}

// The change x, with the period and the parameter in its borders.
static jd_status apply(jd_path *p, const linear *l, double *moved, bool *done) {
    jd_wave *w = &p->wave;
    const curve *c = &p->f->curve;
    int k = l->s.borders - 1;
    double lambda = c->parameter.lambda + l->x[w->n + k] * c->parameter.L;
    *done = false;
    JD_TRY(jd_wave_correct(w, l->x, k ? l->x[w->n] / w->speed : 0, moved));
    if (!(*moved < largest)) return JD_OK;
    JD_TRY(set_parameter(p, lambda));
    *done = !p->bound;
    return JD_OK;
}

// One round from the state at hand, which is put aside.
static jd_status go_round(jd_path *p, bool *lost) {
    const jd_engine_map *map = &p->f->curve.run->class->map;
    if (p->wave.rounds > 0) JD_TRY(map->replay_hold(p->f->curve.run, JD_PATH_THERE));
    JD_TRY(jd_run_track(p->f->curve.run));
    JD_TRY(jd_wave_round(&p->wave, lost));
    p->f->curve.count.rounds++;
    return JD_OK;
}

// Rest closes after any time, and is no orbit.
static bool rests(const jd_wave *w) {
    return !w->forced && w->speed * w->period <= fmax(steady, 30 * w->tolerance) * w->size;
}

// Newton's method in the plane tau (z - z') = 0. The last round stands taken down.
static jd_status correct(jd_path *p, const double *tau, const double *at, double *residual,
                         bool *found) {
    jd_wave *w = &p->wave;
    double z[JD_PATH_Z], before = HUGE_VAL, moved = HUGE_VAL;
    bool lost, done = true;
    *found = false;
    for (int step = 0; step <= STEPS; step++) {
        linear l;
        JD_TRY(go_round(p, &lost));
        if (lost || jd_stop_wanted(p->f->context)) return JD_OK;
        if (rests(w)) return w->why = "the motion comes to rest", JD_OK;
        *residual = moved;
        *found =
            moved <= jd_wave_floor(w) || (moved > no_gain * before && moved < w->noise && step > 1);
        if (*found) return JD_OK;
        before = moved;
        JD_TRY(begin(p, tau, &l));
        if (p->bound) return JD_OK;
        set_z(p, z);
        JD_TRY(w->run->class->map.replay_carry(w->run, l.b, w->sum));
        int k = l.s.borders - 1;
        if (k) l.b[w->n] = 0;
        l.b[w->n + k] = -along(tau, z, at);
        JD_TRY(solve(p, &l));
        if (jd_stop_wanted(p->f->context)) return JD_OK;
        JD_TRY(apply(p, &l, &moved, &done));
        if (!done) return JD_OK;
        p->f->curve.count.derivatives++;
    }
    return JD_OK;
}

static jd_status set_tangent(jd_path *p, const double *old, jd_path_place *out) {
    jd_wave *w = &p->wave;
    linear l;
    JD_TRY(begin(p, old, &l));
    if (p->bound) return JD_OK;
    int k = l.s.borders - 1, all = w->n + JD_BORDERS;
    l.b[w->n + k] = 1;
    JD_TRY(solve(p, &l));
    const double *head = l.x + w->n - w->head;
    double *tau = out->tau, size = 0;
    tau[0] = l.x[w->n + k];
    tau[1] = k ? l.x[w->n] / (w->speed * w->period) : 0;
    tau[2] = jd_wave_dot(w->head - (w->n - w->own), w->motion, head) / (w->size * w->size);
    for (int i = 0; i < JD_PATH_Z; i++) size += tau[i] * tau[i];
    size = sqrt(size);
    for (int i = 0; i < JD_PATH_Z; i++) tau[i] /= size;
    if (all > out->room) {
        out->tangent = JD_TAKE(p->f->arena, double, 2 * all);
        JD_TRY(jd_arena_status(p->f->arena));
        out->room = 2 * all;
    }
    out->n = w->n;
    for (int i = 0; i < all; i++) out->tangent[i] = l.x[i] / size;
    return JD_OK;
}

// Multipliers but the one that is 1 along an autonomous orbit; its distance from 1 is an error.
static jd_status set_multipliers(jd_path *p, jd_path_place *out) {
    jd_wave *w = &p->wave;
    jd_waves found;
    JD_TRY(jd_waves_of_period(w->run, w->arena, w->n, fmax(1e-9, 0.1 * w->tolerance), WANTED,
                              w->forced, &found));
    jd_branch_point *q = &out->point;
    out->n_multiplier = 0;
    q->n_unstable = 0;
    double near = w->forced ? -1 : HUGE_VAL, most = 0;
    for (int i = 0; !w->forced && i < found.n; i++)
        near = fmin(near, hypot(found.value[2 * i] - 1, found.value[2 * i + 1]));
    for (int i = 0; i < found.n && out->n_multiplier < JD_PATH_MULTIPLIERS; i++) {
        const double *m = found.value + 2 * i;
        if (hypot(m[0] - 1, m[1]) == near) {
            near = -1;
            continue;
        }
        memcpy(out->multiplier + 2 * out->n_multiplier++, m, 2 * sizeof *m);
        q->n_unstable += hypot(m[0], m[1]) > 1;
        if (hypot(m[0], m[1]) > most) memcpy(q->multiplier, m, 2 * sizeof *m);
        most = fmax(most, hypot(m[0], m[1]));
    }
    q->multiplier_error = found.n ? 4 * found.error + 10 * w->tolerance : HUGE_VAL;
    q->stable = most < 1 - q->multiplier_error;
    q->undecided = !q->stable && !(most > 1 + q->multiplier_error);
    return JD_OK;
}

// Index of the phase string of the last round, which joins the list when it is new.
static jd_status set_string(jd_path *p, jd_path_place *out) {
    jd_follow *f = p->f;
    curve *c = &f->curve;
    p->last.phase = p->wave.phase;
    p->last.last.event = p->wave.event;
    p->last.last.n_event = c->events.n_listed =
        p->wave.n_event < MOST_EVENTS ? p->wave.n_event : MOST_EVENTS;
    p->last.period = p->wave.period;
    for (int i = 0; i < c->events.n_listed; i++) c->events.begin[i] = p->wave.event[i].t;
    JD_TRY(jd_branch_string(f, NULL, &out->point.phases));
    out->shortest = jd_shortest_phase(c, &out->shortest_length);
    out->letters = (int)strlen(f->list.string);
    return JD_OK;
}

// The orbit of the last round. old: the tangent turns along it.
static jd_status judge(jd_path *p, const double *old, double residual, jd_path_place *out) {
    curve *c = &p->f->curve;
    out->point.parameter = c->parameter.lambda;
    out->point.period = p->wave.period;
    out->point.residual = residual;
    out->point.n_event = p->wave.n_event;
    set_z(p, out->z);
    JD_TRY(jd_run_ranges(c->run, c->seen.ranges));
    JD_TRY(jd_curve_measure(c, &out->point.amplitude));
    JD_TRY(set_string(p, out));
    JD_TRY(set_multipliers(p, out));
    c->count.orbits++;
    return set_tangent(p, old, out);
}

jd_status jd_path_first(jd_path *p, double direction, bool *found) {
    double tau[JD_PATH_Z] = {direction},
           z[JD_PATH_Z] = {p->f->curve.parameter.lambda / p->f->curve.parameter.L};
    double residual;
    JD_TRY(correct(p, tau, z, &residual, found));
    if (!*found) return JD_OK;
    JD_TRY(judge(p, tau, residual, &p->here));
    return p->f->curve.run->class->map.replay_keep(p->f->curve.run, JD_PATH_HERE, JD_PATH_THERE);
}

// Back to `here`, with its round taken down.
static jd_status go_back(jd_path *p, bool *found) {
    bool lost;
    p->wave.period = p->here.point.period;
    JD_TRY(set_parameter(p, p->here.point.parameter));
    JD_TRY(p->f->curve.run->class->map.replay_return(p->f->curve.run, JD_PATH_HERE));
    JD_TRY(jd_wave_round(&p->wave, &lost));
    *found = !lost && p->wave.n == p->here.n;
    return JD_OK;
}

jd_status jd_path_step(jd_path *p, double h, bool last, jd_path_place *out, bool *found) {
    jd_wave *w = &p->wave;
    double at[JD_PATH_Z], moved, residual;
    linear l = {.s.borders = w->forced ? 1 : 2};
    JD_TRY(go_back(p, found));
    if (!*found) return JD_OK;
    l.x = JD_TAKE(w->arena, double, w->n + JD_BORDERS);
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < w->n + JD_BORDERS; i++) l.x[i] = h * p->here.tangent[i];
    memset(w->sum, 0, (size_t)w->head * sizeof *w->sum);
    for (int i = 0; i < JD_PATH_Z; i++) at[i] = p->here.z[i] + h * p->here.tau[i];
    JD_TRY(apply(p, &l, &moved, found));
    const double level[JD_PATH_Z] = {1};
    if (*found) JD_TRY(correct(p, last ? level : p->here.tau, at, &residual, found));
    return *found ? judge(p, p->here.tau, residual, out) : JD_OK;
}

// walk.c -- the branch of forced responses over the drive's frequency.
//   Arclength in (rms of p, omega): guesses on a parabola, steps by how far they miss and how far
//   the tangent turns. Folds: the tangent's omega vanishes; other changes of stability by halving.
//   The number of elements follows the highest polynomials of p: they are interpolation errors,
//   while the motion at the ends of elements is as good as their square.
#include <math.h>
#include <string.h>

#include "analysis/response/response.h"
#include "base/constants.h"
#include "drive/kind.h"
#include "problem/parts.h"

// Share of the highest polynomials above which there are more elements, below which fewer.
// Measured: amplitudes of one mode to 1e-9, of 32 modes to 2e-8.
static double coarse(const response *r) {
    return r->string.full ? 1e-6 : r->string.n == 1 ? 1e-5 : 1e-4;
}
static double fine(const response *r) { return 1e-3 * coarse(r); }
enum { TRIES = 40, HALVINGS = 14 };
static const double MISS = 0.03, TURN = 0.35; // aimed at: miss of a guess, turn of a step [rad]

typedef struct walk {
    jd_follow *f;
    response r;
    response_point before, here, there, try, far;
    double apart;  // distance from `here` to `far`
    double *guess; // RESPONSE_MOST: p before its correction
    double back;   // distance from `before` to `here`; 0: unknown
    double miss;   // what the last correction moved, of its step
    // The same, of the motion. Where that is small a fold is too sharp to be seen in the direction
    // of the branch: beside it lies the branch's other side, which goes the other way.
    double strayed;
    double step, longest;
    int state_size, state_room;
} walk;

static jd_status take_point(jd_arena *arena, response_point *p) {
    p->p = JD_TAKE(arena, double, RESPONSE_MOST);
    p->tp = JD_TAKE(arena, double, RESPONSE_MOST);
    return jd_arena_status(arena);
}

// (y, kappa) at t = 0, as the closure engine has it: theta = phase.
static void write_state(walk *w, response_point *at, double *out) {
    response *r = &w->r;
    int n = r->string.n;
    double u = 0, du = 0;
    if (at->stamp != r->stamp) jd_response_solve(r, at, false);
    jd_response_look(r, at, r->phase, out, out + n);
    for (int k = 0; k < n; k++) {
        out[n + k] *= at->omega;
        u += r->string.S[k] * out[k];
        du += r->string.S[k] * out[n + k];
    }
    out[0] = u;
    out[n] = du;
    if (w->state_size == 2 * n) return;
    double s = r->string.sigma, o = at->omega;
    out[2 * n] = r->force * s * (s * sin(r->phase) - o * cos(r->phase)) / (s * s + o * o);
}

static jd_status measure_point(walk *w, response_point *at, jd_branch_point *p) {
    if (at->stamp != w->r.stamp) jd_response_solve(&w->r, at, false);
    *p = (jd_branch_point){.parameter = at->omega,
                           .amplitude = jd_response_amplitude(&w->r, at),
                           .period = JD_TWO_PI / at->omega};
    if (w->f->curve.seen.measure->kind == JD_MEASURE_MIN)
        p->amplitude = -p->amplitude; // the motion is symmetric
    JD_TRY(jd_response_stability(&w->r, at, p->multiplier, &p->n_unstable));
    p->stable = p->n_unstable == 0;
    return JD_OK;
}

static jd_status add_point(walk *w, response_point *at, const jd_branch_point *p) {
    jd_follow *f = w->f;
    int n = f->view.n_point;
    f->list.point =
        jd_branch_grow(f->arena, f->list.point, n, &f->list.point_room, sizeof *f->list.point);
    f->list.state = jd_branch_grow(f->arena, f->list.state, n, &w->state_room,
                                   (size_t)w->state_size * sizeof(double));
    JD_TRY(jd_arena_status(f->arena));
    f->list.point[n] = *p;
    write_state(w, at, f->list.state + n * w->state_size);
    jd_branch_count_point(f);
    return JD_OK;
}

static jd_status add_special(walk *w, jd_special_kind kind, const jd_branch_point *at, bool before,
                             bool after) {
    jd_follow *f = w->f;
    f->list.special = jd_branch_grow(f->arena, f->list.special, f->view.n_special,
                                     &f->list.special_room, sizeof *f->list.special);
    JD_TRY(jd_arena_status(f->arena));
    f->list.special[f->view.n_special++] =
        (jd_special){.kind = kind,
                     .error = (double)NAN, // not estimated
                     .parameter = at->parameter,
                     .amplitude = at->amplitude,
                     .period = at->period,
                     .turns = kind == JD_SPECIAL_FOLD,
                     .stable_before = before,
                     .stable_after = after,
                     .multiplier = {at->multiplier[0], at->multiplier[1]},
                     .point = f->view.n_point};
    return JD_OK;
}

static void predict(const response_point *from, double h, response_point *to) {
    for (int i = 0; i < STAGES * jd_response_elements(from); i++) to->p[i] += h * from->tp[i];
    to->omega += h * from->t_omega;
    to->stamp = 0;
}

static double distance(const walk *w, const response_point *a, const double *p, double omega) {
    int n = jd_response_elements(a);
    double sum = (a->omega - omega) * (a->omega - omega);
    for (int i = 0; i < STAGES * n; i++)
        sum += (a->p[i] - p[i]) * (a->p[i] - p[i]) * w->r.rule.b[i % STAGES] / n;
    return sqrt(sum);
}

// rms of p
static double size(const walk *w, const response_point *a) {
    int n = jd_response_elements(a);
    double sum = 1e-300;
    for (int i = 0; i < STAGES * n; i++) sum += a->p[i] * a->p[i] * w->r.rule.b[i % STAGES] / n;
    return sqrt(sum);
}

// From `here` to `there` along a parabola; the tangent is as good as the guess was.
static bool leap(walk *w, double h) {
    const response_point *from = &w->here, *old = &w->before;
    response_point *to = &w->there;
    int n = jd_response_elements(from);
    double bend = w->back > 0 ? h * h / (2 * w->back) : 0, omega;
    jd_response_copy(from, to);
    predict(from, h, to);
    for (int i = 0; i < STAGES * n; i++) {
        to->p[i] += bend * (from->tp[i] - old->tp[i]);
        w->guess[i] = to->p[i];
    }
    w->r.newton.ready = -1; // factors at the guess itself
    omega = to->omega += bend * (from->t_omega - old->t_omega);
    if (!(to->omega > 0) || !jd_response_correct(&w->r, to, false, 0)) return false;
    w->miss = distance(w, to, w->guess, omega) / h;
    w->strayed = w->miss * h / size(w, to);
    return jd_response_tangent(&w->r, to, true);
}

// `here` and `there` (as `far`) on a grid this much finer, exact there.
static bool sharpen(walk *w, int finer) {
    int size = w->here.size + finer;
    if (size >= RESPONSE_SIZES) size = RESPONSE_SIZES - 1;
    jd_response_copy(&w->there, &w->far);
    response_point *ends[] = {&w->far, &w->here};
    for (int i = 0; i < 2; i++) {
        w->r.newton.ready = -1;
        if (ends[i]->size != size) jd_response_resize(&w->r, ends[i], size);
        if (!jd_response_correct(&w->r, ends[i], false, 0) ||
            !jd_response_tangent(&w->r, ends[i], true))
            return false;
    }
    w->apart = distance(w, &w->here, w->far.p, w->far.omega);
    w->r.newton.ready = -1; // from now on factors are bordered by the tangent of `here`: one plane
    return true;
}

// The branch at a share x of the way from `here` to `far`: a cubic, corrected.
static bool between(walk *w, double x) {
    const response_point *a = &w->here, *b = &w->far;
    response_point *to = &w->try;
    double y = 1 - x, f[4] = {y * y * (1 + 2 * x), x * y * y * w->apart, x * x * (3 - 2 * x),
                              -x * x * y * w->apart};
    jd_response_copy(a, to);
    for (int i = 0; i < STAGES * jd_response_elements(a); i++)
        to->p[i] = f[0] * a->p[i] + f[1] * a->tp[i] + f[2] * b->p[i] + f[3] * b->tp[i];
    to->omega = f[0] * a->omega + f[1] * a->t_omega + f[2] * b->omega + f[3] * b->t_omega;
    to->stamp = 0;
    if (!(to->omega > 0) || !jd_response_correct(&w->r, to, false, 0)) return false;
    return jd_response_tangent(&w->r, to, true);
}

// t_omega = 0 between `here` and `there`: secants, every third time the middle. The tip of a narrow
// resonance feels errors of p ten thousandfold, hence the finer grid.
static jd_status find_fold(walk *w, const jd_branch_point *before, const jd_branch_point *after) {
    static const double outside[] = {1.2, 1.5, -0.2, -0.5}; // a finer grid may move the turn
    if (!sharpen(w, w->r.string.n == 1 ? 2 : 1)) return JD_OK;
    double a = 0, fa = w->here.t_omega, b = 1, fb = w->far.t_omega, f = 1,
           enough = w->r.string.n == 1 ? 1e-12 : 1e-9; // of omega the square is left
    for (int i = 0; i < 4 && fa * fb > 0; i++) {
        if (!between(w, outside[i])) return JD_OK;
        b = outside[i];
        fb = w->try.t_omega;
    }
    for (int i = 0; i < TRIES && fabs(f) > enough && fabs(b - a) > 1e-13; i++) {
        double m = i % 3 == 2 ? (a + b) / 2 : b - fb * (b - a) / (fb - fa);
        if (!(fmin(a, b) < m && m < fmax(a, b))) m = (a + b) / 2;
        if (!between(w, m)) return JD_OK;
        f = w->try.t_omega;
        if (f * fa > 0) {
            a = m;
            fa = f;
        } else {
            b = m;
            fb = f;
        }
    }
    jd_branch_point p;
    JD_TRY(measure_point(w, &w->try, &p));
    return add_special(w, JD_SPECIAL_FOLD, &p, before->stable, after->stable);
}

// A multiplier crosses the circle without a fold.
static jd_status find_change(walk *w, const jd_branch_point *before, const jd_branch_point *after) {
    double a = 0, b = 1;
    jd_branch_point p = *after;
    if (!sharpen(w, 0)) return JD_OK;
    for (int i = 0; i < HALVINGS; i++) {
        double m = (a + b) / 2;
        if (!between(w, m)) return JD_OK;
        JD_TRY(measure_point(w, &w->try, &p));
        if (p.n_unstable == before->n_unstable)
            a = m;
        else
            b = m;
    }
    jd_special_kind kind = fabs(p.multiplier[1]) > 1e-6 ? JD_SPECIAL_NEIMARK_SACKER
                           : p.multiplier[0] < 0        ? JD_SPECIAL_FLIP
                                                        : JD_SPECIAL_BRANCH;
    return add_special(w, kind, &p, before->stable, after->stable);
}

// More elements until the highest polynomials are small. False: the point is lost on the way.
static bool resolve(walk *w, response_point *at, bool fixed) {
    while (jd_response_decay(&w->r, at) > coarse(&w->r) && at->size < RESPONSE_SIZES - 1) {
        jd_response_resize(&w->r, at, at->size + 1);
        if (!jd_response_correct(&w->r, at, fixed, 0)) return false;
    }
    return true;
}

// The load grows from nothing at a frequency; its steps are halved where one fails.
static bool load(walk *w, double omega) {
    double force = w->r.force, done = 0, step = 0.05;
    response_point *at = &w->here;
    memset(at->p, 0, RESPONSE_MOST * sizeof *at->p);
    at->size = 2;
    at->omega = omega;
    while (done < 1 && step > 1e-4) {
        jd_response_copy(at, &w->there);
        if (!jd_response_correct(&w->r, &w->there, true, force * fmin(1, done + step)) ||
            !resolve(w, &w->there, true)) {
            step /= 2;
            continue;
        }
        jd_response_copy(&w->there, at);
        done += step;
        step *= 1.3;
    }
    w->r.force = force;
    at->t_omega = w->f->walk.direction;
    return done >= 1 && jd_response_tangent(&w->r, at, true);
}

// Where the load meets a fold on its way: from a frequency below all resonances, and up.
static bool begin(walk *w) {
    double from = w->f->options.from, direction = w->f->walk.direction;
    if (load(w, from)) return true;
    w->f->walk.direction = 1;
    bool there = load(w, fmin(0.8 * from, 3));
    w->step = 0.02;
    for (int i = 0; there && w->here.omega < from && i < 5000; i++) {
        double h = fmin(w->step, 0.05 / fmax(fabs(w->here.t_omega), 1e-3));
        if (w->here.omega + h * w->here.t_omega >= from) {
            predict(&w->here, (from - w->here.omega) / w->here.t_omega, &w->here);
            w->here.omega = from;
            there = jd_response_correct(&w->r, &w->here, true, 0) && resolve(w, &w->here, true);
            break;
        }
        w->back = 0;
        if (!leap(w, h)) {
            w->step = h / 2;
            there = w->step > 1e-8;
            continue;
        }
        response_point keep = w->here;
        w->here = w->there;
        w->there = keep;
        if (jd_response_decay(&w->r, &w->here) > coarse(&w->r) &&
            w->here.size < RESPONSE_SIZES - 1) {
            jd_response_resize(&w->r, &w->here, w->here.size + 1);
            there = jd_response_correct(&w->r, &w->here, true, 0) &&
                    jd_response_tangent(&w->r, &w->here, true);
        }
        w->step = fmin(1.3 * h, 0.2);
    }
    w->f->walk.direction = direction;
    w->here.t_omega = direction;
    memset(w->here.tp, 0, RESPONSE_MOST * sizeof *w->here.tp);
    return there && jd_response_tangent(&w->r, &w->here, true);
}

static double cosine(const walk *w) {
    int n = jd_response_elements(&w->here);
    double s = w->here.t_omega * w->there.t_omega;
    if (w->here.size != w->there.size) return 1;
    for (int i = 0; i < STAGES * n; i++)
        s += w->here.tp[i] * w->there.tp[i] * w->r.rule.b[i % STAGES] / n;
    return s;
}

// One step that holds: neither lost nor turned too far. last: it ends the window.
static bool advance(walk *w, bool *last) {
    const jd_follow_options *o = &w->f->options;
    for (; w->step > 1e-9; w->step /= 2) {
        double h = fmin(w->step, w->longest / fmax(fabs(w->here.t_omega), 1e-3)),
               end = w->here.omega + h * w->here.t_omega, low = fmin(o->from, o->to),
               high = fmax(o->from, o->to);
        w->step = h;
        *last = end >= high || (end <= low && w->f->view.n_point > 1);
        if (*last) {
            jd_response_copy(&w->here, &w->there);
            double target = end >= high ? high : low,
                   d = (target - w->here.omega) / w->here.t_omega;
            predict(&w->here, d, &w->there);
            w->there.omega = target;
            if (!jd_response_correct(&w->r, &w->there, true, 0) || !resolve(w, &w->there, true) ||
                !jd_response_tangent(&w->r, &w->there, true))
                continue;
            if (cosine(w) > 0.9 && w->here.t_omega * w->there.t_omega > 0) return true;
            continue; // beyond a turn
        }
        if (!leap(w, h)) continue;
        if (jd_response_decay(&w->r, &w->there) > coarse(&w->r) &&
            w->there.size < RESPONSE_SIZES - 1) {
            jd_response_resize(&w->r, &w->before, w->here.size + 1); // all on the finer grid
            jd_response_resize(&w->r, &w->here, w->here.size + 1);
            if (!jd_response_correct(&w->r, &w->here, false, 0) ||
                !jd_response_tangent(&w->r, &w->here, true))
                return false;
            w->step *= 2;
            continue;
        }
        if (cosine(w) > 0.9 && w->miss < 0.1 && w->strayed < 0.05) return true;
    }
    return false;
}

// `there` becomes `here`; the next step by the turn (c its cosine) and the miss of this one.
static void turn_on(walk *w, double c) {
    response_point keep = w->before;
    w->before = w->here;
    w->here = w->there;
    w->there = keep;
    w->back = w->step;
    double grow = fmin(1.5, sqrt(MISS / fmax(w->miss, 1e-9))),
           turn = TURN / fmax(acos(fmin(c, 1)), 1e-3);
    w->step = fmin(w->step * fmax(0.3, fmin(grow, turn)), 0.5);
    if (jd_response_decay(&w->r, &w->here) < fine(&w->r) && w->here.size > 1)
        jd_response_resize(&w->r, &w->here, w->here.size - 1);
    if (w->before.size != w->here.size) jd_response_resize(&w->r, &w->before, w->here.size);
}

static jd_status step_on(walk *w, jd_branch_point *before, bool last) {
    jd_branch_point after;
    JD_TRY(measure_point(w, &w->there, &after));
    bool fold = w->here.t_omega * w->there.t_omega < 0;
    double c = cosine(w);
    if (w->f->options.special && fold && !last) {
        JD_TRY(find_fold(w, before, &after));
        w->r.newton.ready = -1; // the factors are of another point
    } else if (w->f->options.special && after.n_unstable != before->n_unstable) {
        JD_TRY(find_change(w, before, &after));
        w->r.newton.ready = -1;
    }
    JD_TRY(add_point(w, &w->there, &after));
    *before = after;
    turn_on(w, c);
    return JD_OK;
}

static jd_status march(walk *w) {
    jd_follow *f = w->f;
    jd_branch_point now;
    bool last = false;
    f->view.end = JD_END_NO_ORBIT;
    f->view.end_parameter = f->options.from;
    if (!begin(w)) return JD_OK;
    JD_TRY(measure_point(w, &w->here, &now));
    JD_TRY(add_point(w, &w->here, &now));
    w->step = 0.02;
    f->view.end = JD_END_POINTS;
    while (f->view.n_point < f->options.points && !last) {
        if (jd_stop_wanted(f->context)) return f->view.end = JD_END_STOPPED, JD_OK;
        if (!advance(w, &last)) return f->view.end = JD_END_LOST, JD_OK;
        JD_TRY(step_on(w, &now, last));
        f->view.end_parameter = w->here.omega;
        if (f->view.n_point % 50 == 0)
            jd_progress(f->context, "following",
                        fabs(w->here.omega - f->options.from) / f->curve.parameter.L);
    }
    if (last) f->view.end = fabs(w->here.omega - f->options.to) < 1e-9 ? JD_END_TO : JD_END_BACK;
    return JD_OK;
}

// A nonlinear string with one harmonic force at a point, followed over its frequency.
bool jd_response_applies(const jd_follow *f) {
    const jd_problem *p = f->curve.problem;
    const jd_engine_info *engine;
    const char *why;
    if (jd_problem_bodies(p) != 1 || jd_problem_contacts(p) || jd_problem_drives(p) != 1)
        return false;
    const jd_object *d = jd_problem_drive(p, 0);
    if (jd_problem_body(p, 0)->type != &jd_nonlinear_string_class.type ||
        d->type != &jd_drive_harmonic || f->curve.seen.measure->quantity > JD_MEASURE_VELOCITY ||
        f->curve.seen.measure->kind > JD_MEASURE_AMPLITUDE || f->options.flip)
        return false;
    if (jd_engine_choose(p, &engine, &why) != JD_OK || strcmp(engine->name, "closure"))
        return false;
    size_t n = strlen(d->name);
    const char *path = f->options.parameter;
    int points = jd_stretched_points(jd_problem_structure(p, 0));
    int force =
        jd_structure_point(jd_problem_structure(p, 0), ((const jd_harmonic_def *)d->def)->at.point);
    int seen = jd_structure_point(jd_problem_structure(p, 0), f->curve.seen.measure->point);
    if (force < 0 || force >= points || seen < 0 || seen >= points) return false;
    return !strncmp(path, "drives.", 7) && !strncmp(path + 7, d->name, n) &&
           !strcmp(path + 7 + n, ".frequency") && f->options.from > 0 && f->options.to > 0;
}

static jd_status prepare(walk *w) {
    jd_follow *f = w->f;
    const jd_problem *p = f->curve.problem;
    const jd_structure *s = jd_problem_structure(p, 0);
    const jd_harmonic_def *d = jd_problem_drive(p, 0)->def;
    int body, point;
    JD_TRY(jd_problem_find_point(p, d->at.body, d->at.point, &body, &point));
    JD_TRY(jd_stretched_of(s, point, f->arena, &w->r.string));
    JD_TRY(jd_response_open(f->arena, &w->r));
    w->r.force = d->amplitude;
    w->r.phase = d->phase;
    w->r.measure.velocity = f->curve.seen.measure->quantity == JD_MEASURE_VELOCITY;
    w->r.measure.weight = JD_TAKE(f->arena, double, w->r.string.n);
    JD_TRY(jd_arena_status(f->arena));
    JD_TRY(jd_problem_find_point(p, NULL, f->curve.seen.measure->point, &body, &point));
    for (int k = 0; k < w->r.string.n; k++)
        w->r.measure.weight[k] = jd_stretched_shape(s, point, k + 1);
    w->state_size = 2 * w->r.string.n + (w->r.string.gain > 0 && w->r.string.sigma > 0);
    w->longest = f->options.step * f->curve.parameter.L;
    w->guess = JD_TAKE(f->arena, double, RESPONSE_MOST);
    JD_TRY(take_point(f->arena, &w->before));
    JD_TRY(take_point(f->arena, &w->here));
    JD_TRY(take_point(f->arena, &w->there));
    JD_TRY(take_point(f->arena, &w->far));
    return take_point(f->arena, &w->try);
}

jd_status jd_response_follow(jd_follow *f) {
    static const char smooth[] = "";
    walk *w = JD_TAKE(f->arena, walk, 1);
    f->list.phases = JD_TAKE(f->arena, const char *, 1);
    JD_TRY(jd_arena_status(f->arena));
    f->list.phases[0] = smooth;
    f->view.n_phases = 1;
    w->f = f;
    JD_TRY(prepare(w));
    JD_TRY(march(w));
    f->curve.n = w->state_size;
    f->curve.count.orbits = f->view.n_point;
    return JD_OK;
}

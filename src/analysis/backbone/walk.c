// walk.c -- from one end of the curve to the other, by arclength.
//   coordinates of a motion, from another one: D (s - s0)/|D s|, log(T/T0), (xi - xi0)/omega
//   predictor  along the tangent, which the factors of Newton's last step give
//   corrector  in the plane across it, so that amplitude and speed may turn back
//   A step is taken again, half as long, where Newton's method fails, leads far from the guess or
//   turns sharply: it would be another curve. Tested: scales_with_the_limit.
#include <math.h>
#include <string.h>

#include "analysis/backbone/backbone.h"

enum { HALVINGS = 26 };
static const double far = 0.3;       // of the step: as far as a guess may be off
static const double straight = 0.92; // cosine of the largest turn of a step
static const double apart = 0.1;     // of the step that is wanted: motions closer are not listed
static const double tiny = 1e-6;     // steps this short may turn at corners

jd_status jd_backbone_motion_new(jd_backbone *k, backbone_motion *m) {
    *m = (backbone_motion){.s = JD_TAKE(k->arena, double, k->n)};
    return jd_arena_status(k->arena);
}

void jd_backbone_copy(const jd_backbone *k, backbone_motion *to, const backbone_motion *from) {
    double *s = to->s;
    *to = *from;
    to->s = s;
    memcpy(s, from->s, (size_t)k->n * sizeof *s);
}

// From a to b in units of the curve, n + 2 numbers; its length.
static double chord(const jd_backbone *k, const backbone_motion *a, const backbone_motion *b,
                    double *out) {
    const jd_shooting *sh = k->sh;
    double size = sqrt(jd_shooting_size(sh, a->s) * jd_shooting_size(sh, b->s)), total = 0;
    for (int i = 0; i < k->n; i++) out[i] = sh->scale[i] * (b->s[i] - a->s[i]) / fmax(size, 1e-300);
    out[k->n] = log(b->period / a->period);
    out[k->n + 1] = (b->rate - a->rate) * b->period / (2 * acos(-1.0));
    for (int i = 0; i < k->n + 2; i++) total += out[i] * out[i];
    return sqrt(total);
}

double jd_backbone_apart(jd_backbone *k, const backbone_motion *a, const backbone_motion *b) {
    return chord(k, a, b, k->b);
}

// From `at` along the direction d, by h: the logarithm of the size and the shape change evenly.
static void predict(const jd_backbone *k, const backbone_motion *at, const double *d, double h,
                    backbone_motion *out) {
    const double *scale = k->sh->scale;
    double size = jd_shooting_size(k->sh, at->s), grows = 0;
    jd_backbone_copy(k, out, at);
    for (int i = 0; i < k->n; i++) grows += scale[i] * at->s[i] / size * d[i];
    for (int i = 0; i < k->n; i++) {
        double e = scale[i] * at->s[i] / size;
        out->s[i] = size * exp(h * grows) * (e + h * (d[i] - grows * e)) / scale[i];
    }
    out->period = at->period * exp(h * d[k->n]);
    out->rate = at->rate + h * d[k->n + 1] * 2 * acos(-1.0) / at->period;
}

static void keep(jd_backbone *k, const backbone_motion *m, double amplitude,
                 jd_backbone_point *point) {
    double omega = 2 * acos(-1.0) / m->period;
    point[k->view.n_point++] = (jd_backbone_point){.amplitude = amplitude,
                                                   .omega = omega,
                                                   .damping = m->rate / (2 * omega),
                                                   .rate = m->rate,
                                                   .residual = k->residual,
                                                   .events = k->events};
}

// The way along the curve so far.
typedef struct way {
    double from, to;       // amplitudes
    double amplitude;      // of the last motion
    double share;          // of the step that is wanted
    double step;           // the last one tried
    int halvings;          // in a row
    int steps;             // so far
    double since;          // length of the curve since the last motion that is listed
    int events;            // of the last motion that is clear of a corner
    backbone_motion next;  // the one to come
    double *tangent;       // n + 2, at the last motion
    double *ahead, *chord; // n + 2: tangent at the next one; between motions
    double *other;         // n + 2: tangent beyond a corner
    double grows;          // d log(amplitude) along the last step, of its length
} way;

// The step that is wanted, as a change of the logarithm of the amplitude: equal factors or steps.
static double wanted(const jd_backbone *k, const way *w) {
    double part = 1.0 / (k->def->points - 1), even = log(w->to / w->from) * part;
    if (k->def->spacing != 1) return fabs(even);
    double step = log(1 + (w->to - w->from) * part / w->amplitude);
    return isfinite(step) ? fabs(step) : fabs(log(w->to / w->amplitude));
}

// A guess at the next motion into w->next, by h along d.
static void guess(jd_backbone *k, way *w, const backbone_motion *at, const double *d, double h) {
    memcpy(k->border, d, (size_t)(k->n + 2) * sizeof *d);
    predict(k, at, d, h, &w->next);
    jd_backbone_copy(k, &k->guessed, &w->next);
    k->guess = &k->guessed;
}

// The first step is in proportion, its speed given.
static void guess_first(jd_backbone *k, way *w, const backbone_motion *at) {
    double rest = log(w->to / w->amplitude);
    w->step = fmin(w->share * wanted(k, w), fabs(rest));
    double factor = exp(copysign(w->step, rest));
    k->guess = NULL;
    jd_backbone_copy(k, &w->next, at);
    for (int i = 0; i < k->n; i++) w->next.s[i] *= factor;
    w->next.speed *= factor;
}

static void guess_next(jd_backbone *k, way *w, const backbone_motion *at) {
    double rest = log(w->to / w->amplitude);
    if (w->steps == 0) {
        guess_first(k, w, at);
        return;
    }
    w->step = w->share * wanted(k, w);
    if (w->grows * rest > 0) w->step = fmin(w->step, rest / w->grows);
    guess(k, w, at, w->tangent, w->step);
}

// The tangent at the motion solved last into w->ahead, in the sense of `sense`; false: none.
static bool take_tangent(jd_backbone *k, way *w, const double *sense) {
    double along = 0;
    if (!jd_backbone_tangent(k, w->ahead)) return false;
    for (int i = 0; i < k->n + 2; i++) along += w->ahead[i] * sense[i];
    for (int i = 0; i < k->n + 2 && along < 0; i++) w->ahead[i] = -w->ahead[i];
    return true;
}

// Is the motion that was found on the curve, not on another one?
static bool belongs(jd_backbone *k, way *w, const backbone_motion *at) {
    double length = chord(k, at, &w->next, w->chord), along = 0;
    if (!take_tangent(k, w, k->guess ? w->tangent : w->chord)) return false;
    if (!k->guess) return length < 10 * w->step + 1e-9;
    for (int i = 0; i < k->n + 2; i++) along += w->ahead[i] * w->tangent[i];
    double off = chord(k, &k->guessed, &w->next, w->chord);
    return off < far * length + 1e-9 && (along > straight || length < tiny);
}

// By h along d, either way: is there a motion with other events?
static jd_status turn_along(jd_backbone *k, way *w, const backbone_motion *at, const double *d,
                            double h, bool *found) {
    for (int sense = -1; sense <= 1 && !*found; sense += 2) {
        guess(k, w, at, d, sense * h);
        JD_TRY(jd_backbone_solve(k, &w->next, found));
        *found = *found && k->events != w->events && chord(k, at, &w->next, w->chord) < 10 * h;
    }
    return JD_OK;
}

// The tangent beyond the corner is that of the last motion, if that lies beyond already, or that of
// the equations a little ahead.
static jd_status turn_by(jd_backbone *k, way *w, const backbone_motion *at, double h, bool *found) {
    bool lost;
    *found = false;
    JD_TRY(turn_along(k, w, at, w->tangent, h, found));
    if (!*found) {
        guess(k, w, at, w->tangent, h);
        JD_TRY(jd_backbone_look_there(k, &w->next, &lost));
        if (lost || !jd_backbone_tangent(k, w->ahead)) return JD_OK;
        memcpy(w->other, w->ahead, (size_t)(k->n + 2) * sizeof *w->other);
        JD_TRY(turn_along(k, w, at, w->other, h, found));
    }
    if (*found) *found = take_tangent(k, w, w->chord);
    return JD_OK;
}

// No step leads on: beyond a corner the curve may turn back.
static jd_status turn(jd_backbone *k, way *w, const backbone_motion *at, bool *found) {
    *found = false;
    for (double h = tiny; h < 1e3 * tiny && !*found; h *= 10) JD_TRY(turn_by(k, w, at, h, found));
    return JD_OK;
}

static jd_status accept(jd_backbone *k, way *w, backbone_motion *at, jd_backbone_point *point) {
    double before = w->amplitude, length = chord(k, at, &w->next, w->chord);
    jd_backbone_copy(k, at, &w->next);
    memcpy(w->tangent, w->ahead, (size_t)(k->n + 2) * sizeof *w->tangent);
    JD_TRY(jd_backbone_amplitude(k, at, &w->amplitude));
    if (length > 0.5 * tiny) w->events = k->events;
    w->grows = length > 0 ? log(w->amplitude / before) / length : 0;
    w->steps++;
    w->since += length;
    if (w->since > apart * wanted(k, w)) { // corners are approached in many short steps
        keep(k, at, w->amplitude, point);
        w->since = 0;
    }
    jd_progress(k->context, "backbone", log(w->amplitude / w->from) / log(w->to / w->from));
    return JD_OK;
}

// Both ends count: a curve may turn and come back to the amplitude it began with.
static bool ended(jd_backbone *k, const way *w, int most) {
    bool up = w->to > w->from;
    double a = w->amplitude;
    if (up ? a >= w->to * (1 - 1e-4) : a <= w->to * (1 + 1e-4))
        k->view.end = JD_BACKBONE_COMPLETE;
    else if (up ? a < 0.999 * w->from : a > w->from * 1.001)
        k->view.end = JD_BACKBONE_BACK;
    else if (w->steps >= most)
        k->view.end = JD_BACKBONE_POINTS;
    else
        return false;
    return true;
}

static jd_status open_way(jd_backbone *k, way *w) {
    JD_TRY(jd_backbone_motion_new(k, &w->next));
    JD_TRY(jd_backbone_motion_new(k, &k->guessed));
    w->tangent = JD_TAKE(k->arena, double, k->n + 2);
    w->ahead = JD_TAKE(k->arena, double, k->n + 2);
    w->chord = JD_TAKE(k->arena, double, k->n + 2);
    w->other = JD_TAKE(k->arena, double, k->n + 2);
    k->border = JD_TAKE(k->arena, double, k->n + 2);
    return jd_arena_status(k->arena);
}

// One step, or the reason why there is none.
static jd_status go_on(jd_backbone *k, way *w, backbone_motion *at, bool *found) {
    guess_next(k, w, at);
    JD_TRY(jd_backbone_solve(k, &w->next, found));
    *found = *found && belongs(k, w, at);
    if (*found) {
        w->share = fmin(1, (w->halvings ? 1 : 4) * w->share);
        w->halvings = 0;
        return JD_OK;
    }
    w->share *= 0.5;
    if (++w->halvings <= HALVINGS) return JD_OK;
    if (k->guess) JD_TRY(turn(k, w, at, found));
    if (!*found) k->view.end = jd_backbone_amplifies(k) ? JD_BACKBONE_ROUNDING : JD_BACKBONE_LOST;
    w->halvings = 0;
    return JD_OK;
}

jd_status jd_backbone_walk(jd_backbone *k, double from, double to, backbone_motion *at,
                           jd_backbone_point *point) {
    k->view.n_point = 0;
    way w = {.from = from, .to = to, .share = 1};
    int enough = 10 * k->def->points + 200, most = enough < BACKBONE_MOST ? enough : BACKBONE_MOST;
    JD_TRY(open_way(k, &w));
    JD_TRY(jd_backbone_amplitude(k, at, &w.amplitude));
    w.from = w.amplitude; // which the guess did not know
    at->speed = jd_backbone_speed(k, at);
    w.events = k->events;
    keep(k, at, w.amplitude, point);
    k->view.end = JD_BACKBONE_END_COUNT;
    while (!ended(k, &w, most)) {
        bool found;
        JD_TRY(go_on(k, &w, at, &found));
        if (jd_stop_wanted(k->context)) k->view.end = JD_BACKBONE_INTERRUPTED;
        if (k->view.end != JD_BACKBONE_END_COUNT) break;
        if (found) JD_TRY(accept(k, &w, at, point));
    }
    if (w.since > 0) keep(k, at, w.amplitude, point); // the last one
    return JD_OK;
}

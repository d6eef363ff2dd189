// closing.c -- Newton's method on one period of waves that come back.
//   (I - M) g = M^k r + x' dT,   x' g = 0     (a forced motion has no dT)
//   x' is the rate of the motion; r, k and what becomes of g: replay_newton.c. Corrections are
//   measured over the size of the motion, root of the mean square of forced velocities.
//                                            tested: newton_on_waves_closes_what_simulation_leaves
#include "analysis/waves/closing.h"

#include <math.h>
#include <string.h>

#include "contact/friction.h"
#include "contact/law.h"

static const double exact = 1e-5;  // of the right side: what GMRES may leave; the next step has it
static const double largest = 0.5; // of the motion: a correction beyond it is no step of a branch
static const double share =
    0.3; // of the motion, and of the period: as much is taken of a larger one
static const double hopeless = 3;   // a correction beyond it tells nothing
static const double noise = 30;     // tolerances: corrections that steps of the engine cause
static const double jumps = 1000;   // likewise along branches whose forces jump: pulses are large
static const double at_most = 1e-3; // but no more than this
static const double shrinks = 0.3;  // of the correction before: the period is about to close
static const double no_gain = 0.5;  // of the correction before: steps gain no more

// Do forces jump where a contact lets go?
static jd_status set_noise(jd_wave *w) {
    const jd_problem *p = w->run->problem;
    bool any = false;
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *d = jd_problem_contact(p, j)->def;
        jd_friction f;
        if (jd_law_stop_of(&d->law)) continue;
        JD_TRY(jd_law_friction_of(w->arena, &d->law, &f));
        any = any || f.hysteresis || f.hold > f.limit;
    }
    w->noise = noise * w->tolerance;
    if (any) w->noise = fmax(w->noise, fmin(jumps * w->tolerance, at_most));
    return JD_OK;
}

jd_status jd_wave_open(jd_run *run, double period, bool forced, jd_wave *w) {
    jd_report report;
    jd_run_report(run, &report);
    *w = (jd_wave){
        .run = run, .forced = forced, .period = period, .tolerance = report.certificate.tolerance};
    w->arena = jd_arena_create(run->context);
    if (!w->arena) return JD_OUT_OF_MEMORY;
    jd_run_for_analysis(run);
    w->event = JD_TAKE(w->arena, jd_event, JD_WAVE_EVENTS);
    JD_TRY(jd_arena_status(w->arena));
    return set_noise(w);
}

void jd_wave_close(jd_wave *w) {
    if (w->arena) jd_arena_free(w->arena);
    w->arena = NULL;
}

double jd_wave_floor(const jd_wave *w) { return fmax(1e-12, 0.1 * w->tolerance); }

// To the end of the period, with its events.
static jd_status advance(jd_wave *w, jd_step *step) {
    w->n_event = 0;
    for (*step = JD_STEP_EVENT; *step == JD_STEP_EVENT;) {
        JD_TRY(jd_run_advance(w->run, w->start + w->period, step));
        if (*step != JD_STEP_EVENT) break;
        if (w->n_event == JD_WAVE_EVENTS) return JD_OK;
        w->event[w->n_event] = *jd_run_event(w->run);
        w->event[w->n_event++].t -= w->start;
    }
    return JD_OK;
}

static jd_status take(jd_wave *w) {
    const jd_engine_map *map = &w->run->class->map;
    w->own = w->n - jd_problem_contacts(w->run->problem);
    w->head = map->replay_head(w->run);
    w->motion = JD_TAKE(w->arena, double, w->head);
    w->sum = JD_TAKE(w->arena, double, w->head);
    w->rate = JD_TAKE(w->arena, double, w->n);
    w->missed = JD_TAKE(w->arena, double, w->n + JD_BORDERS);
    JD_TRY(jd_arena_status(w->arena));
    map->replay_motion(w->run, w->motion);
    JD_TRY(map->replay_rate(w->run, w->rate));
    w->size = map->replay_size(w->run, w->motion);
    w->speed = jd_wave_size(w->own, w->rate);
    return JD_OK;
}

jd_status jd_wave_round(jd_wave *w, bool *lost) {
    const jd_engine_map *map = &w->run->class->map;
    jd_step step;
    if (!w->opened) w->mark = jd_arena_here(w->arena), w->opened = true;
    jd_arena_back(w->arena, w->mark);
    *lost = true;
    w->why = NULL;
    w->rounds++;
    w->phase = jd_run_contacts(w->run);
    JD_TRY(map->replay_begin(w->run));
    w->start = w->run->t;
    JD_TRY(advance(w, &step));
    if (step != JD_STEP_TIME) {
        w->why = "the motion did not complete a period";
        return JD_OK;
    }
    JD_TRY(map->replay_end(w->run, &w->n, &w->why));
    if (w->why) return JD_OK;
    *lost = false;
    return take(w);
}

jd_bordered jd_wave_system(jd_wave *w, double *row) {
    jd_bordered s = {.run = w->run, .arena = w->arena, .n = w->n, .own = w->own};
    if (w->forced || !(w->speed > 0)) return s;
    for (int i = 0; i < w->n; i++) row[i] = w->rate[i] / w->speed;
    s.borders = 1;
    s.column[0] = s.row[0] = row;
    return s;
}

// part: of the correction that is taken.
static jd_status correct_by(jd_wave *w, const double *head, double longer, double part) {
    double *own = JD_TAKE(w->arena, double, w->head);
    JD_TRY(jd_arena_status(w->arena));
    for (int i = 0; i < w->head; i++) own[i] = part * head[i];
    longer *= part;
    JD_TRY(w->run->class->map.replay_correct(w->run, own, w->rate + w->n - w->head, longer));
    w->period += longer;
    w->longer = longer;
    return JD_OK;
}

// The correction, and its size over that of the motion.
static jd_status correction(jd_wave *w, const double *g, double **head, double *moved) {
    *head = JD_TAKE(w->arena, double, w->head);
    JD_TRY(jd_arena_status(w->arena));
    const double *last = g + w->n - w->head;
    for (int i = 0; i < w->head; i++) (*head)[i] = w->sum[i] + last[i];
    *moved = w->run->class->map.replay_size(w->run, *head) / fmax(w->size, 1e-300);
    return JD_OK;
}

jd_status jd_wave_correct(jd_wave *w, const double *g, double longer, double *moved) {
    double *head;
    JD_TRY(correction(w, g, &head, moved));
    if (!(*moved < largest) || !(fabs(longer) < largest * w->period)) return JD_OK;
    return correct_by(w, head, longer, 1);
}

static jd_status step(jd_wave *w, double *moved) {
    double *row = JD_TAKE(w->arena, double, w->n + JD_BORDERS), left = 0;
    double *g = JD_TAKE(w->arena, double, w->n + JD_BORDERS);
    int rounds = 0;
    JD_TRY(jd_arena_status(w->arena));
    JD_TRY(w->run->class->map.replay_carry(w->run, w->missed, w->sum));
    jd_bordered s = jd_wave_system(w, row);
    JD_TRY(jd_bordered_solve(&s, w->missed, exact, g, &left, &rounds));
    w->rounds += rounds;
    double *head, longer = s.borders ? g[w->n] / w->speed : 0;
    JD_TRY(correction(w, g, &head, moved));
    double most = fmax(*moved, fabs(longer) / w->period);
    return most < hopeless ? correct_by(w, head, longer, fmin(1, share / most)) : JD_OK;
}

// Is the correction before the last within what the tolerance leaves, and the last one larger?
static bool worsens(const jd_wave *w, int k) {
    const double *h = w->history;
    return k > 1 && h[k - 2] < noise * w->tolerance && h[k - 1] > h[k - 2];
}

// Back to the motion whose correction was the smallest, the one before the last.
static jd_status retreat(jd_wave *w, int slot, double period, bool *found) {
    bool lost;
    JD_TRY(w->run->class->map.replay_return(w->run, slot));
    w->period = period;
    w->steps--;
    JD_TRY(jd_wave_round(w, &lost));
    *found = !lost;
    return JD_OK;
}

jd_status jd_wave_close_orbit(jd_wave *w, bool *found) {
    double period[2] = {w->period, w->period};
    bool lost;
    *found = false;
    JD_TRY(w->run->class->map.replay_begin(w->run));
    for (w->steps = 0;; w->steps++) {
        double *moved = &w->history[w->steps];
        const double *h = w->history;
        int k = w->steps;
        if (worsens(w, k)) return retreat(w, k % 2, period[k % 2], found);
        JD_TRY(w->run->class->map.replay_hold(w->run, k % 2));
        period[k % 2] = w->period;
        JD_TRY(jd_wave_round(w, &lost));
        if (lost) return JD_OK;
        if (k > 0 && (h[k - 1] <= jd_wave_floor(w) ||
                      (k > 1 && h[k - 1] > no_gain * h[k - 2] && h[k - 1] < noise * w->tolerance)))
            return *found = true, JD_OK;
        if (k == JD_WAVE_STEPS || (k > 5 && h[k - 1] > h[k - 4])) break;
        JD_TRY(step(w, moved));
        if (jd_stop_wanted(w->run->context)) break;
        if (!(*moved < hopeless)) break;
        bool closes = k > 0 && *moved < shrinks * h[k - 1];
        if (w->most_rounds > 0 && w->rounds > w->most_rounds && !closes) break;
    }
    w->why = "Newton's method does not close the period";
    return JD_OK;
}

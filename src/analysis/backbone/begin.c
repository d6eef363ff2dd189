// begin.c -- the first motion of a curve.
//   The mode at one of the ends, or, where that is no good guess, further out. A one-sided stop
//   that is open at rest matters from the amplitude on at which it is touched. Below, a motion is
//   one of the structure without stops, and its own mirror image; there it is sought. Where
//   friction holds so small a motion it is sought at a large amplitude, and the stops come closer
//   from where they are not touched.
#include <math.h>

#include "analysis/backbone/backbone.h"
#include "contact/element.h"
#include "contact/law.h"

enum { FURTHER = 3 };               // factors of ten by which the curve may begin beyond its end
static const double guessed = 0.05; // relative: as far as the first amplitude may be off
static const double clear = 0.8;    // of the amplitude at which the mode touches a stop
static const double beyond = 1e6;   // of the amplitude: gaps of stops that are never touched
static const double near_by = 0.3;  // between motions with stops here and a little further away
static const double finest = 1e-4;  // of the way of the stops: the smallest step

// The first motion, from this end; *found.
static jd_status begin(jd_backbone *k, double amplitude, bool stuck, backbone_motion *m,
                       bool *found) {
    JD_TRY(jd_backbone_guess(k, amplitude, stuck, m));
    jd_status status = jd_backbone_solve(k, m, found);
    if (status != JD_NOT_SUPPORTED && status != JD_NO_CONVERGENCE) return status;
    jd_context_clear_error(k->context);
    *found = false;
    return JD_OK;
}

// The first motion at an end of the curve. Where the mode is no good guess there Newton's method
// leads elsewhere: then from where it is one, further out, and along the curve to the end.
jd_status jd_backbone_begin(jd_backbone *k, double amplitude, bool stuck, backbone_motion *m,
                            jd_backbone_point *point, bool *found) {
    double out = stuck ? 0.1 : 10, from = amplitude, is;
    for (int i = 0; i <= FURTHER; i++, from *= out) {
        JD_TRY(begin(k, from, stuck, m, found));
        if (*found) JD_TRY(jd_backbone_amplitude(k, m, &is));
        *found = *found && fabs(log(is / from)) < guessed;
        if (*found && i > 0) {
            JD_TRY(jd_backbone_walk(k, from, amplitude, m, point));
            *found = k->view.end == JD_BACKBONE_COMPLETE;
        }
        if (*found || jd_stop_wanted(k->context)) return JD_OK;
    }
    return JD_OK;
}

// One-sided stops: where they are, and where a mode of amplitude 1 would just touch them.
typedef struct stops {
    int n;
    double *gap, *reach; // per contact; reach 0: no such stop
} stops;

// The stops, of the mode m of amplitude 1; *n = 0: something else has no mirror image, or a stop is
// not open at rest.
static jd_status find_stops(jd_backbone *k, const backbone_motion *m, stops *out) {
    const jd_system *y = jd_problem_system(k->problem);
    int n = jd_problem_contacts(k->problem);
    *out = (stops){n, JD_TAKE(k->arena, double, n), JD_TAKE(k->arena, double, n)};
    JD_TRY(jd_arena_status(k->arena));
    for (int j = 0; j < n; j++) {
        const jd_contact_def *c = jd_problem_contact(k->problem, j)->def;
        double moves = 0;
        jd_element e;
        JD_TRY(jd_law_element_of(k->arena, &c->law, &e));
        if (c->against.velocity != 0 && isfinite(c->against.velocity)) out->n = 0;
        if (!e.normal || e.both) continue;
        if (!(e.gap >= 0)) out->n = 0;
        for (int l = 0; l < k->modes; l++) moves += y->normal[j][l].hi * m->s[k->modes + l];
        out->gap[j] = e.gap;
        out->reach[j] = fmax(fabs(moves) / m->speed, 1e-300);
    }
    return JD_OK;
}

// Stops from where they are (0) to where a mode of this amplitude stays clear of them (1).
static jd_status move_stops(jd_backbone *k, const stops *all, double amplitude, double share) {
    for (int j = 0; j < all->n; j++) {
        if (all->reach[j] == 0) continue;
        const char *path = jd_arena_format(k->arena, "contacts.%s.law.gap",
                                           jd_problem_contact(k->problem, j)->name);
        JD_TRY(jd_arena_status(k->arena));
        double there = fmax(all->gap[j], all->reach[j] * amplitude / clear);
        JD_TRY(jd_problem_set(k->problem, path, all->gap[j] + share * (there - all->gap[j]), NULL));
    }
    return JD_OK;
}

// A motion of the structure without stops, which mirrors itself.
static jd_status begin_without(jd_backbone *k, const stops *all, double amplitude,
                               backbone_motion *m, jd_backbone_point *point, bool *found) {
    JD_TRY(move_stops(k, all, beyond * amplitude, 1));
    k->symmetric = true;
    jd_status status = jd_backbone_begin(k, amplitude, false, m, point, found);
    k->symmetric = false;
    return status;
}

static double largest_clear(const stops *all, double amplitude) {
    for (int j = 0; j < all->n; j++)
        if (all->reach[j] > 0) amplitude = fmin(amplitude, clear * all->gap[j] / all->reach[j]);
    return amplitude;
}

jd_status jd_backbone_begin_open(jd_backbone *k, double *amplitude, backbone_motion *m,
                                 jd_backbone_point *point, bool *found) {
    stops all;
    *found = false;
    JD_TRY(jd_backbone_guess(k, 1, false, m));
    JD_TRY(find_stops(k, m, &all));
    *amplitude = largest_clear(&all, *amplitude);
    if (all.n == 0 || !(*amplitude > 0)) return JD_OK;
    JD_TRY(begin_without(k, &all, *amplitude, m, point, found));
    JD_TRY(move_stops(k, &all, *amplitude, 0));
    m->speed = jd_backbone_speed(k, m);
    k->guess = NULL;
    if (*found) JD_TRY(jd_backbone_solve(k, m, found));
    return JD_OK;
}

// Stops come from where they are not touched to where they are, the speed given: in steps that are
// halved where Newton's method fails or leads far away.
static jd_status bring_stops(jd_backbone *k, const stops *all, double amplitude, backbone_motion *m,
                             bool *found) {
    backbone_motion next;
    double share = 1, step = 0.1;
    JD_TRY(jd_backbone_motion_new(k, &next));
    *found = true;
    while (share > 0 && step > finest) {
        double to = fmax(0, share - step);
        jd_backbone_copy(k, &next, m);
        JD_TRY(move_stops(k, all, amplitude, to));
        JD_TRY(jd_backbone_solve(k, &next, found));
        *found = *found && jd_backbone_apart(k, m, &next) < near_by;
        step *= *found ? 1.5 : 0.5;
        if (!*found) continue;
        share = to;
        jd_backbone_copy(k, m, &next);
    }
    JD_TRY(move_stops(k, all, amplitude, 0));
    return JD_OK;
}

jd_status jd_backbone_begin_apart(jd_backbone *k, double *amplitude, backbone_motion *m,
                                  jd_backbone_point *point, bool *found) {
    stops all;
    *found = false;
    JD_TRY(jd_backbone_guess(k, 1, false, m));
    JD_TRY(find_stops(k, m, &all));
    if (all.n == 0) return JD_OK;
    JD_TRY(begin_without(k, &all, *amplitude, m, point, found));
    m->speed = jd_backbone_speed(k, m);
    k->guess = NULL;
    if (*found)
        JD_TRY(bring_stops(k, &all, *amplitude, m, found));
    else
        JD_TRY(move_stops(k, &all, *amplitude, 0));
    if (*found) JD_TRY(jd_backbone_amplitude(k, m, amplitude));
    return JD_OK;
}

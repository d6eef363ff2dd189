// anchor.c -- where in its period an orbit is cut open.
//   P leads from the time of the anchor to a period later. A state at a fixed time of the drive
//   jumps when an impact passes that time, and gets a corner when a contact begins or ceases to
//   slide there, although the orbit only moved on. So the anchor moves with the orbit: it lies in
//   the longest stretch between two events, at 0.38 of it (its middle is where symmetric motion
//   turns back and meets what it did not touch yet). A step during which an event comes half-way
//   to the anchor is taken again, shorter; where one has come that close the orbit and its
//   neighbour are carried along the motion to a new anchor, where the branch goes on.
//   tested: the_phase_of_the_drive_changes_nothing
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

static const double place_of = 0.3819660112501051; // in the stretch
static const double too_close = 0.5; // of the distance a new anchor would have from events
static const double shortest = 1e-9; // arclength of steps that tell a direction
static const double little = 1e-8;   // arclength: a place ahead
static const double turning = 1e-6;  // of the tangent along the parameter: smaller ones may turn

// Position of the k-th event after the anchor [periods], and where it ends.
static double position(const rhythm *r, int k) { return r->time[(k + r->n - r->start) % r->n]; }
static double position_end(const rhythm *r, int k) { return r->end[(k + r->n - r->start) % r->n]; }

// Distance from the anchor to the nearest event; the best there is, `ahead` of the anchor.
static double room(const rhythm *r, double *best, double *ahead) {
    double last = position_end(r, r->n - 1) - 1, longest = 0;
    for (int k = 0; k < r->n; k++) {
        double at = position(r, k);
        if (at - last > longest * (1 + 1e-9)) {
            longest = at - last;
            *ahead = last + place_of * longest;
        }
        last = position_end(r, k);
    }
    *best = place_of * longest;
    *ahead -= floor(*ahead);
    return fmin(position(r, 0), 1 - position_end(r, r->n - 1));
}

// The best place that is not beside the present anchor, as if there were an event at it and where
// the map ends: half a period later a symmetric orbit is in the same place.
static double elsewhere(const rhythm *r, double end) {
    double last = 0, longest = 0, ahead = 0;
    for (int k = 0; k <= r->n; k++) {
        double at = k < r->n ? fmin(end, position(r, k)) : end;
        if (at - last > longest * (1 + 1e-9)) {
            longest = at - last;
            ahead = last + place_of * longest;
        }
        last = k < r->n ? fmax(last, position_end(r, k)) : end;
    }
    return ahead;
}

bool jd_anchor_kept(const place *a, const place *b) {
    const rhythm *r = &a->rhythm, *s = &b->rhythm;
    if (a->point.phases != b->point.phases || r->n == 0 || r->n != s->n) return true;
    double first = position(r, 0), last = 1 - position_end(r, r->n - 1);
    return fabs(position(s, 0) - first) < too_close * first &&
           fabs(1 - position_end(s, s->n - 1) - last) < too_close * last;
}

// y and its contact states carried `ahead` periods along the motion; *lost: it does not get there.
static jd_status carry(curve *c, double ahead, double *y, jd_phase *phase, bool *lost) {
    bool set;
    jd_step step = JD_STEP_EVENT;
    JD_TRY(jd_curve_set(c, y, &set));
    *lost = !set;
    if (*lost) return JD_OK;
    jd_shooting *sh = c->sh;
    const jd_engine_map *map = &c->run->class->map;
    JD_TRY(map->restart(c->run, sh->start, sh->s, phase));
    for (long n = 0; step == JD_STEP_EVENT && n <= sh->limit.most_events; n++)
        JD_TRY(jd_run_advance(c->run, sh->start + ahead * sh->period, &step));
    *lost = step != JD_STEP_TIME;
    if (*lost) return JD_OK;
    map->state(c->run, sh->s1);
    for (int i = 0; i < c->n; i++) y[i] = sh->scale[i] * sh->s1[i] / c->S;
    *phase = jd_run_contacts(c->run);
    return JD_OK;
}

static void move(curve *c, double ahead) {
    if (c->forced) c->anchor = fmod(c->anchor + ahead, 1);
}

jd_status jd_anchor_first(jd_follow *f, double *y) {
    curve *c = &f->curve;
    bool lost;
    double best, ahead;
    rhythm *r = &f->at.here.rhythm;
    JD_TRY(jd_curve_round(c, y, false, &lost));
    if (lost || c->sh->last.n_event == 0) return JD_OK;
    jd_phase_string(c, f->list.string, STRING_SIZE, r);
    if (r->n == 0) return JD_OK;
    room(r, &best, &ahead);
    JD_TRY(carry(c, ahead, y, &c->phase, &lost));
    if (!lost) move(c, ahead);
    return JD_OK;
}

// `here` at the new anchor, its tangent along the way from f->kept.y_past, or, sense < 0, to it.
static jd_status settle(jd_follow *f, double sense, bool *good) {
    curve *c = &f->curve;
    bool lost;
    double size = 0, *along = f->at.middle.tangent;
    for (int i = 0; i < c->N; i++) {
        along[i] = sense * (f->at.here.y[i] - f->kept.y_past[i]);
        size += along[i] * along[i];
    }
    *good = size > 0;
    for (int i = 0; i < c->N && *good; i++) along[i] /= sqrt(size);
    if (!*good) return JD_OK;
    c->phase = f->at.here.phase;
    JD_TRY(jd_curve_derivative(c, f->at.here.y, along, &lost));
    *good = !lost;
    if (!*good) return JD_OK;
    JD_TRY(jd_curve_correct(c, f->at.here.y, along, true, good));
    if (*good) JD_TRY(jd_branch_judge(f, &f->at.here, along, true, good));
    return JD_OK;
}

// The parameter is the same at every anchor, and moves in the same sense along the branch: where it
// moves at all it is a better guide than states that P has amplified.
static void keep_sense(jd_follow *f, const double *old) {
    int p = f->curve.N - 1;
    double *t = f->at.here.tangent;
    bool against = fabs(old[p]) > turning && t[p] * old[p] < 0;
    for (int i = 0; i <= p && against; i++) t[i] = -t[i];
}

// A place a little ahead (by 1) or behind (-1) to be carried along instead of the point before:
// beyond a corner the way from that says nothing of the way on.
static void look_aside(jd_follow *f, double by) {
    for (int i = 0; i < f->curve.N; i++)
        f->kept.y_past[i] = f->at.here.y[i] + by * little * f->at.here.tangent[i];
    f->kept.phase_past = f->at.here.phase;
}

// `here` to the place `ahead` of the anchor, if it can be found there.
static jd_status move_here(jd_follow *f, double ahead, double sense, bool *moved) {
    curve *c = &f->curve;
    double was = c->anchor;
    bool lost, good = false;
    jd_place_copy(c, &f->at.here, &f->at.old);
    JD_TRY(carry(c, ahead, f->at.here.y, &f->at.here.phase, &lost));
    if (!lost) JD_TRY(carry(c, ahead, f->kept.y_past, &f->kept.phase_past, &lost));
    int phases = f->at.here.point.phases;
    if (!lost) {
        move(c, ahead);
        JD_TRY(settle(f, sense, &good));
    }
    f->walk.smooth = false;
    jd_branch_note_margins(f, &f->at.here, &f->at.here, false);
    *moved = good && f->at.here.point.phases == phases;
    if (*moved) {
        keep_sense(f, f->at.old.tangent);
        memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
        return jd_branch_doubt(f, &f->at.here);
    }
    c->anchor = was;
    jd_place_copy(c, &f->at.old, &f->at.here);
    return JD_OK;
}

jd_status jd_anchor_renew(jd_follow *f) {
    double best, ahead = 0;
    bool moved;
    const rhythm *r = &f->at.here.rhythm;
    JD_TRY(jd_branch_shorten(f));
    if (r->n == 0 || f->walk.gone < shortest) return JD_OK;
    if (room(r, &best, &ahead) >= too_close * best) return JD_OK;
    if (f->walk.cornered) look_aside(f, 1);
    return move_here(f, ahead, f->walk.cornered ? -1 : 1, &moved);
}

jd_status jd_anchor_shift(jd_follow *f, bool *moved) {
    const curve *c = &f->curve;
    *moved = false;
    if (!c->forced) return JD_OK;
    double ahead = elsewhere(&f->at.here.rhythm, jd_curve_end(c));
    look_aside(f, f->walk.cornered ? 1 : -1);
    return move_here(f, ahead, f->walk.cornered ? -1 : 1, moved);
}

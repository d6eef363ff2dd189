// follow.c -- periodic orbits along one parameter: predictor, corrector, step length, ends.
//   predictor  y + h t,  t the null vector of F_y
//   corrector  F = 0 in the plane t'(y - predicted) = 0
//   h from the angle between neighbouring tangents; halved where the corrector fails.
#include "judder/follow.h"

#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "analysis/response/response.h"
#include "analysis/waves/path.h"

static const double shortest = 1e-11;   // arclength below which the branch counts as stuck
static const double small_angle = 0.06; // [rad] below: longer steps
static const double large_angle = 0.35; // above: the step is taken again, shorter

static const double too_large = 1e6; // times the first state
enum { AT_ONE = 4 };                 // points in a row with a multiplier at 1: a family
enum { RETRIES = 3 };                // steps, each a little shorter, to an orbit that is proved
enum { CROWD = 200 };                // changes ...
static const double crowded = 2e-3;  // ... within this share of the window are too many
static const double close_by = 1e-6; // arclength: shorter steps may fail for a grazing
static const double at_hand = 1e-8;  // arclength by which corrections may exceed tiny steps
static const double steep = 1e4;     // multipliers of orbits that are hard to find
static const double crawl = 1e-6;    // arclength of steps that get nowhere

jd_follow_options jd_default_follow_options(void) {
    return (jd_follow_options){
        .tolerance = 1e-12, .locate = 1e-11, .special = true, .orbit = jd_default_orbit_options()};
}

const jd_follow_view *jd_follow_look(const jd_follow *f) { return &f->view; }

void jd_follow_free(jd_follow *f) {
    if (!f) return;
    jd_curve_close(&f->curve);
    jd_arena_free(f->arena);
}

// S is the size of the first state.
static void scale_first(curve *c, double *y) {
    double size = 0;
    for (int i = 0; i < c->n; i++) size += y[i] * y[i];
    if (!(size > 0)) return;
    c->S = sqrt(size);
    for (int i = 0; i < c->n; i++) y[i] /= c->S;
}

// The first orbit and its tangent, turned towards `to`.
static jd_status begin(jd_follow *f, bool *found) {
    curve *c = &f->curve;
    f->options.orbit.shoot = true;
    JD_TRY(jd_orbit_create(f->context, c->problem, &f->options.orbit, &f->first));
    const jd_orbit_view *first = jd_orbit_look(f->first);
    *found = first->found;
    f->view.end = JD_END_NO_ORBIT;
    f->view.end_parameter = c->lambda;
    if (!*found) {
        const char *why = first->why ? jd_arena_text(f->arena, first->why) : "";
        f->view.why = why ? why : "";
        return JD_OK;
    }
    c->forced = first->forced;
    c->periods = first->periods;
    JD_TRY(jd_curve_open(c));
    f->J = JD_TAKE(f->arena, double, c->N * c->N);
    f->J_past = JD_TAKE(f->arena, double, c->N * c->N);
    f->J_kept = JD_TAKE(f->arena, double, c->N * c->N);
    f->finer = JD_TAKE(f->arena, double, 2 * c->n);
    f->y_past = JD_TAKE(f->arena, double, c->N);
    f->tangent_past = JD_TAKE(f->arena, double, c->N);
    f->phase_past = JD_TAKE(f->arena, char, jd_problem_contacts(c->problem) + 1);
    JD_TRY(jd_branch_open(f));
    c->S = 1;
    strcpy(c->phase, first->phase);
    jd_curve_pack(c, first->state, first->period, c->lambda, f->here.y);
    JD_TRY(jd_anchor_first(f, f->here.y));
    scale_first(c, f->here.y);
    double *border = f->there.tangent;
    border[c->N - 1] = f->direction;
    bool lost;
    JD_TRY(jd_curve_round(c, f->here.y, false, &lost));
    if (!c->forced)
        for (int i = 0; i < c->n; i++) c->rate0[i] = c->sh->scale[i] * c->sh->rate[i] / c->S;
    JD_TRY(jd_curve_derivative(c, f->here.y, border, &lost));
    if (lost) return *found = false, JD_OK;
    JD_TRY(jd_curve_correct(c, f->here.y, border, true, found));
    if (!*found) return JD_OK;
    memcpy(f->y_past, f->here.y, (size_t)c->N * sizeof *f->y_past);
    JD_TRY(jd_curve_mirror(c, f->y_past, border));
    if (c->mirrored) memcpy(f->here.y, f->y_past, (size_t)c->N * sizeof *f->y_past);
    c->fresh = false;
    JD_TRY(jd_branch_judge(f, &f->here, border, true, found));
    f->proves = c->sh->proves;
    memcpy(f->J, c->J, (size_t)(c->N * c->N) * sizeof *f->J);
    return *found ? jd_branch_doubt(f, &f->here) : JD_OK;
}

// Step lengths that keep a step within `step` of the window and a tenth of the state.
static double longest(const jd_follow *f) {
    const curve *c = &f->curve;
    double state = 0, along = 0;
    for (int i = 0; i < c->n; i++) {
        state += f->here.y[i] * f->here.y[i];
        along += f->here.tangent[i] * f->here.tangent[i];
    }
    double h = f->options.step / fmax(fabs(f->here.tangent[c->N - 1]), 1e-9);
    return fmin(h, 0.1 * fmax(sqrt(state), 0.1) / fmax(sqrt(along), 1e-9));
}

static double dot(int n, const double *a, const double *b) {
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

// Cubic through the last two points and their tangents, at arclength h from `here`; the derivative
// is extrapolated, too.
static void extrapolate(jd_follow *f, double h) {
    curve *c = &f->curve;
    double g = f->gone;
    for (int i = 0; i < c->N; i++) {
        double t = f->here.tangent[i], A = (f->y_past[i] - f->here.y[i] + t * g) / (g * g),
               B = (f->tangent_past[i] - t) / g;
        f->there.y[i] += h * h * (3 * A + B) + h * h * h * (2 * A + B) / g;
    }
    for (int i = 0; i < c->N * c->N; i++) c->J[i] += (f->J[i] - f->J_past[i]) * h / g;
}

// Prediction at arclength h; border: the tangent, or the parameter where an end is met.
static bool predict(jd_follow *f, double h, double *border) {
    curve *c = &f->curve;
    int p = c->N - 1;
    const double *t = f->here.tangent;
    double ahead = f->here.y[p] + h * t[p], to = f->options.to / c->L,
           back = (2 * f->options.from - f->options.to) / c->L, end = ahead;
    if (f->direction * (ahead - to) >= 0) end = to;
    if (f->direction * (ahead - back) <= 0) end = back;
    bool last = end != ahead;
    if (last) h = (end - f->here.y[p]) / t[p];
    for (int i = 0; i < c->N; i++) f->there.y[i] = f->here.y[i] + h * t[i];
    memcpy(c->J, f->J, (size_t)(c->N * c->N) * sizeof *f->J);
    if (f->smooth && h < 2 * f->gone) extrapolate(f, h);
    memcpy(border, t, (size_t)c->N * sizeof *border);
    if (!last) return false;
    memset(border, 0, (size_t)c->N * sizeof *border);
    border[p] = copysign(1, t[p]);
    f->there.y[p] = end;
    f->view.end = end == to ? JD_END_TO : JD_END_BACK;
    return true;
}

// One attempt at length f->step: found and good, or not. angle: between the tangents.
static jd_status attempt(jd_follow *f, bool *found, bool *last, double *angle) {
    curve *c = &f->curve;
    double *border = f->middle.tangent;
    *last = predict(f, f->step, border);
    memcpy(f->old.y, f->there.y, (size_t)c->N * sizeof *f->old.y);
    JD_TRY(jd_branch_solve(f, &f->there, &f->here, border, true, found));
    if (!*found) return JD_OK;
    double moved = 0, size = 1;
    for (int i = 0; i < c->N; i++) {
        moved += pow(f->there.y[i] - f->old.y[i], 2);
        size += pow(f->there.y[i], 2);
    }
    if (sqrt(moved) > fmax(0.5 * f->step, at_hand * sqrt(size))) return *found = false, JD_OK;
    JD_TRY(jd_branch_judge(f, &f->there, f->here.tangent, true, found));
    if (!*found) return JD_OK;
    double cosine = dot(c->N, f->here.tangent, f->there.tangent);
    *angle = acos(fmax(-1, fmin(1, cosine)));
    bool same = f->here.point.phases == f->there.point.phases;
    if (f->here.n_impact != f->there.n_impact) *found = f->step < 1e-9; // no jump over a grazing
    if (same && jd_branch_misturned(c, &f->here, &f->there)) {
        *found = *found && f->step <= 1e-7;
        for (int i = 0; i < c->N && *found; i++) f->there.tangent[i] *= -1; // blurred, and turned
    }
    if (*angle > (same ? f->bend : 3) * large_angle && f->step > 1e-7) *found = false;
    if (!jd_anchor_kept(&f->here, &f->there) && f->step > 1e-7) *found = false;
    return JD_OK;
}

static void take_there(jd_follow *f) {
    place p = f->here;
    f->here = f->there;
    f->there = p;
}

static double distance(const jd_follow *f) {
    double d = 0;
    for (int i = 0; i < f->curve.N; i++) d += pow(f->there.y[i] - f->here.y[i], 2);
    return sqrt(d);
}

jd_status jd_branch_accept(jd_follow *f, bool corner) {
    curve *c = &f->curve;
    int known = f->view.n_special;
    memcpy(f->J_past, f->J, (size_t)(c->N * c->N) * sizeof *f->J);
    memcpy(f->y_past, f->here.y, (size_t)c->N * sizeof *f->y_past);
    memcpy(f->tangent_past, f->here.tangent, (size_t)c->N * sizeof *f->y_past);
    strcpy(f->phase_past, f->here.phase);
    memcpy(f->J, c->J, (size_t)(c->N * c->N) * sizeof *f->J);
    f->orbits_before = c->orbits;
    JD_TRY(jd_branch_doubt(f, &f->there));
    if (f->options.special && !corner) JD_TRY(jd_branch_special(f, &f->here, &f->there));
    if (f->torn) return JD_OK; // `walk` takes it back
    JD_TRY(jd_branch_list(f, &f->there));
    f->retried = 0;
    jd_branch_note_impacts(f, &f->there);
    f->gone = distance(f);
    f->smooth = !corner && f->here.point.phases == f->there.point.phases &&
                f->view.n_special == known && f->gone > 1e-7;
    f->cornered = corner || f->here.point.phases != f->there.point.phases;
    f->shifted = false;
    take_there(f);
    f->ahead = -1;
    if (f->view.n_point % 50 == 0)
        jd_progress(f->context, "following",
                    fabs(f->here.point.parameter - f->options.from) / c->L);
    return JD_OK;
}

// The last CROWD special points lie within a small part of the window: undamped structures change
// their phases that often, and every change is located.
static bool crowd(const jd_follow *f) {
    int n = f->view.n_special;
    if (n < CROWD) return false;
    double way = fabs(f->special[n - 1].parameter - f->special[n - CROWD].parameter);
    return way < crowded * f->curve.L;
}

// A family that begins at a special point ends the branch there: its own orbits are no points.
static void end_in_family(jd_follow *f) {
    jd_follow_view *v = &f->view;
    int first = v->n_point - AT_ONE;
    v->end = JD_END_FAMILY;
    v->end_parameter = f->here.point.parameter;
    if (v->n_special == 0 || first < 1 || f->special[v->n_special - 1].point != first) return;
    v->n_point = first;
    v->end_parameter = f->special[v->n_special - 1].parameter;
}

// Ends that show at the last point: growth, a family of orbits, no progress.
static bool spent(jd_follow *f) {
    const curve *c = &f->curve;
    double size = 0;
    int ones = 0;
    for (int i = 0; i < c->n; i++) {
        const double *m = f->here.multiplier + 2 * i;
        size += f->here.y[i] * f->here.y[i];
        ones += hypot(m[0] - 1, m[1]) < BRANCH_AT_ONE ||
                (c->mirrored && hypot(m[0] + 1, m[1]) < BRANCH_AT_ONE);
    }
    // without a drive one multiplier is 1 anyway
    f->at_one = ones > (c->forced ? 0 : 1) ? f->at_one + 1 : 0;
    f->crawling = f->gone < crawl ? f->crawling + 1 : 0;
    if (sqrt(size) > too_large)
        f->view.end = JD_END_UNBOUNDED;
    else if (f->at_one >= AT_ONE)
        end_in_family(f);
    else if (f->crowded || crowd(f))
        f->view.end = JD_END_CHANGES;
    else if (f->crawling >= 8 && jd_branch_amplifies(f))
        f->view.end = JD_END_ROUNDING;
    else if (f->crawling >= 200)
        f->view.end = JD_END_LOST;
    else
        return false;
    if (f->view.end == JD_END_CHANGES)
        f->view.why =
            "200 changes within 1/500 of the way, or a step with 1000 orbits spent on its "
            "changes: add damping, or follow a shorter way";
    if (f->view.end == JD_END_LOST) f->view.why = "the steps became too short to get on";
    return true;
}

// Begins anew on the branch of doubled period.
static jd_status double_period(jd_follow *f, bool *found) {
    f->options.flip = 0;
    f->view.n_point = f->view.n_special = f->n_stretch = 0;
    f->open = false;
    f->smooth = false;
    f->n_graze = f->at_one = f->crawling = 0;
    f->view.end_parameter = f->flip.point.parameter;
    JD_TRY(jd_branch_switch(f, found));
    if (*found) JD_TRY(jd_branch_doubt(f, &f->here));
    if (*found) return jd_branch_list(f, &f->here);
    f->view.end = JD_END_LOST;
    f->view.why = "the branch of doubled period was not found beside the flip";
    return JD_OK;
}

// A step that led to another branch (f->torn) is taken back: half as long, or the end.
static bool taken_back(jd_follow *f, int n_special, int n_flip) {
    const curve *c = &f->curve;
    f->torn = f->marked = false;
    f->met = MEETS_NONE;
    f->view.n_special = n_special;
    f->n_flip = n_flip;
    memcpy(f->J, f->J_past, (size_t)(c->N * c->N) * sizeof *f->J);
    f->smooth = false;
    f->step /= 2;
    if (f->step > shortest) return true;
    f->view.end = JD_END_LOST;
    f->view.why = "the contact states change, and the orbits on both sides do not meet: the branch "
                  "breaks off, as at a discontinuous fold";
    return false;
}

// May a grazing be near? Where steps become short it is sought at higher speeds, and where P
// amplifies its rounding: of K impacts that graze together a multiplier goes like v^-K. close: so
// near that there is one, found or not; sooner where an engine cannot pass through its stops.
static bool seeks_grazing(const jd_follow *f, bool *close) {
    const double *m = f->here.multiplier;
    bool labours = f->step < 1e-4 * longest(f) || hypot(m[0], m[1]) > steep;
    double share = labours ? 0.1 : 2e-3;
    *close = jd_branch_near_grazing(f, f->curve.run->class->map.unwatch ? 1e-5 : share);
    return jd_branch_near_grazing(f, share);
}

// No step succeeds: perhaps because something is to happen just at the anchor.
static jd_status shift(jd_follow *f) {
    bool moved;
    f->shifted = true;
    JD_TRY(jd_anchor_shift(f, &moved));
    if (moved) f->ahead = -1;
    if (moved) f->step *= 64;
    return JD_OK;
}

static jd_status walk(jd_follow *f) {
    f->step = 0.2 * longest(f);
    f->ahead = -1;
    f->refused = (double)NAN;
    f->view.end = JD_END_POINTS;
    while (f->view.n_point + f->unlisted < f->options.points) {
        bool found, last, close, corner = false;
        double angle = 0;
        f->view.end = JD_END_POINTS;
        if (jd_stop_wanted(f->context)) return f->view.end = JD_END_STOPPED, JD_OK;
        f->step = fmin(f->step, fmin(longest(f), jd_branch_graze_step(f)));
        if (seeks_grazing(f, &close)) {
            bool grazes;
            JD_TRY(jd_branch_graze_end(f, close, &grazes, &corner));
            if (grazes && !corner) return JD_OK;
            if (grazes) {
                JD_TRY(jd_branch_accept(f, true));
                f->step = 1e-5;
                if (f->marked) return JD_OK;
                JD_TRY(jd_anchor_renew(f));
                continue;
            }
        }
        JD_TRY(jd_land_enter(f, &corner));
        if (corner && f->view.end == JD_END_RETRACED) return JD_OK;
        if (corner) continue;
        JD_TRY(attempt(f, &found, &last, &angle));
        if (found && !last && f->listed && f->retried < RETRIES &&
            jd_branch_unproved(f, &f->there)) {
            f->retried++; // a neighbour may be clear
            f->step *= 0.8;
            continue;
        }
        if (!found && f->step < close_by) JD_TRY(jd_branch_enter(f, &corner));
        if (!found && f->step < close_by && !corner) JD_TRY(jd_land_leave(f, &corner));
        if (!found && f->step < close_by && !corner && !f->shifted) JD_TRY(shift(f));
        if (corner && (f->marked || f->view.end == JD_END_RETRACED)) return JD_OK;
        if (corner) continue;
        if (!found && f->step > shortest) {
            f->step /= 2;
            continue;
        }
        if (!found && f->curve.bound) return f->view.end = JD_END_BOUND, JD_OK;
        if (!found) {
            JD_TRY(jd_branch_corner(f, &corner));
            if (!corner && f->view.end == JD_END_LOST && jd_branch_amplifies(f))
                f->view.end = JD_END_ROUNDING;
            if (!corner) return JD_OK;
            last = false;
            f->step = 1e-5;
        }
        int n_special = f->view.n_special, n_flip = f->n_flip;
        f->torn = false, f->walks = true;
        JD_TRY(jd_branch_accept(f, corner));
        f->walks = false;
        if (f->torn) {
            if (taken_back(f, n_special, n_flip)) continue;
            return JD_OK;
        }
        if (f->options.flip > 0 && f->n_flip >= f->options.flip) {
            JD_TRY(double_period(f, &found));
            if (!found) return JD_OK;
            continue;
        }
        if (last || f->marked) return JD_OK;
        if (spent(f)) return JD_OK;
        if (jd_branch_closes(f)) return f->view.end = JD_END_CLOSED, JD_OK;
        if (jd_branch_retraces(f)) return JD_OK;
        JD_TRY(jd_anchor_renew(f));
        if (angle < f->bend * small_angle) f->step *= 1.6;
        if (angle > 2 * f->bend * small_angle) f->step *= 0.7;
    }
    return JD_OK;
}

static bool always(const jd_follow *f) { return f != NULL; }

// Periodic orbits by shooting, from event to event.
static jd_status shoot(jd_follow *f) {
    bool found;
    JD_TRY(begin(f, &found));
    if (!found) return JD_OK;
    JD_TRY(jd_branch_list(f, &f->here));
    jd_branch_note_impacts(f, &f->here);
    JD_TRY(walk(f));
    if (f->view.end != JD_END_GRAZING && f->view.end != JD_END_RETRACED &&
        f->view.end != JD_END_FAMILY)
        f->view.end_parameter = f->here.point.parameter;
    if (f->options.curve != JD_CURVE_NONE) JD_TRY(jd_branch_pair(f));
    jd_land_leave_out(f);
    for (int i = 0; i < f->view.n_point; i++) f->view.n_uncertified += !f->point[i].certified;
    return jd_branch_list_unproved(f);
}

// The ways to compute a branch: the first that applies is taken.
static const struct {
    bool (*applies)(const jd_follow *f);
    jd_status (*follow)(jd_follow *f); // leaves the branch in f->view
} solvers[] = {{jd_steady_applies, jd_steady_follow},
               {jd_response_applies, jd_response_follow},
               {jd_path_applies, jd_path_follow},
               {always, shoot}};

static jd_status follow(jd_follow *f) {
    int way = 0;
    JD_TRY(jd_follow_ready(f));
    while (!solvers[way].applies(f)) way++;
    JD_TRY(solvers[way].follow(f));
    jd_follow_view *v = &f->view;
    v->point = f->point;
    v->state = f->state;
    v->special = f->special;
    v->curve_point = f->curve_point;
    v->phases = (const char *const *)f->phases;
    v->n = f->curve.n;
    v->orbits = f->curve.orbits;
    v->rounds = f->curve.rounds;
    v->derivatives = f->curve.derivatives;
    return JD_OK;
}

jd_status jd_follow_create(jd_context *context, jd_problem *problem,
                           const jd_follow_options *options, jd_follow **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_follow *f = JD_TAKE(arena, jd_follow, 1);
    jd_status status = jd_arena_status(arena);
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    f->context = context;
    f->arena = arena;
    f->options = options ? *options : jd_default_follow_options();
    f->curve = (curve){.context = context, .problem = problem, .arena = arena, .finer = 1};
    status = jd_problem_build(problem);
    if (status == JD_OK) status = follow(f);
    jd_orbit_free(f->first);
    f->first = NULL;
    if (status == JD_OK)
        *out = f;
    else
        jd_follow_free(f);
    return status;
}

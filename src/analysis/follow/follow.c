// follow.c -- periodic orbits along one parameter: predictor, corrector, step length, ends.
//   predictor  y + h t,  t the null vector of F_y
//   corrector  F = 0 in the plane t'(y - predicted) = 0
//   h from the angle between neighbouring tangents; halved where the corrector fails.
#include "judder/follow.h"

#include <math.h>
#include <string.h>

#include "analysis/follow/functions.h"
#include "analysis/response/response.h"
#include "analysis/waves/path.h"
#include "linalg/dot.h"

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
    jd_family_free(f);
    jd_curve_close(&f->curve);
    jd_curve_record_close(&f->curve);
    jd_arena_free(f->arena);
}

// Step lengths that keep a step within `step` of the window and a tenth of the state.
static double longest(const jd_follow *f) {
    const curve *c = &f->curve;
    double state = 0, along = 0;
    for (int i = 0; i < c->n; i++) {
        state += f->at.here.y[i] * f->at.here.y[i];
        along += f->at.here.tangent[i] * f->at.here.tangent[i];
    }
    double h = f->options.step / fmax(fabs(f->at.here.tangent[c->N - 1]), 1e-9);
    return fmin(h, 0.1 * fmax(sqrt(state), 0.1) / fmax(sqrt(along), 1e-9));
}

// Cubic through the last two points and their tangents, at arclength h from `here`; the derivative
// is extrapolated, too.
static void extrapolate(jd_follow *f, double h) {
    curve *c = &f->curve;
    double g = f->walk.gone;
    for (int i = 0; i < c->N; i++) {
        double t = f->at.here.tangent[i],
               A = (f->kept.y_past[i] - f->at.here.y[i] + t * g) / (g * g),
               B = (f->kept.tangent_past[i] - t) / g;
        f->at.there.y[i] += h * h * (3 * A + B) + h * h * h * (2 * A + B) / g;
    }
    for (int i = 0; i < c->N * c->N; i++)
        c->newton.J[i] += (f->kept.J[i] - f->kept.J_past[i]) * h / g;
}

// Prediction at arclength h; border: the tangent, or the parameter where an end is met.
static bool predict(jd_follow *f, double h, double *border) {
    curve *c = &f->curve;
    int p = c->N - 1;
    const double *t = f->at.here.tangent;
    double ahead = f->at.here.y[p] + h * t[p], to = f->options.to / c->parameter.L,
           back = (2 * f->options.from - f->options.to) / c->parameter.L, end = ahead;
    if (f->walk.direction * (ahead - to) >= 0) end = to;
    if (f->walk.direction * (ahead - back) <= 0) end = back;
    bool last = end != ahead;
    if (last) h = (end - f->at.here.y[p]) / t[p];
    for (int i = 0; i < c->N; i++) f->at.there.y[i] = f->at.here.y[i] + h * t[i];
    memcpy(c->newton.J, f->kept.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    if (f->walk.smooth && h < 2 * f->walk.gone) extrapolate(f, h);
    memcpy(border, t, (size_t)c->N * sizeof *border);
    if (!last) return false;
    memset(border, 0, (size_t)c->N * sizeof *border);
    border[p] = copysign(1, t[p]);
    f->at.there.y[p] = end;
    f->view.end = end == to ? JD_END_TO : JD_END_BACK;
    return true;
}

// One attempt at length f->walk.step: found and good, or not. angle: between the tangents.
static jd_status attempt(jd_follow *f, bool *found, bool *last, double *angle) {
    curve *c = &f->curve;
    double *border = f->at.middle.tangent;
    *last = predict(f, f->walk.step, border);
    memcpy(f->at.old.y, f->at.there.y, (size_t)c->N * sizeof *f->at.old.y);
    JD_TRY(jd_branch_solve(f, &f->at.there, &f->at.here, border, true, found));
    if (!*found) return JD_OK;
    double moved = 0, size = 1;
    for (int i = 0; i < c->N; i++) {
        moved += pow(f->at.there.y[i] - f->at.old.y[i], 2);
        size += pow(f->at.there.y[i], 2);
    }
    if (sqrt(moved) > fmax(0.5 * f->walk.step, at_hand * sqrt(size))) return *found = false, JD_OK;
    JD_TRY(jd_branch_judge(f, &f->at.there, f->at.here.tangent, true, found));
    if (!*found) return JD_OK;
    double cosine = jd_dot(c->N, f->at.here.tangent, f->at.there.tangent);
    *angle = acos(fmax(-1, fmin(1, cosine)));
    bool same = f->at.here.point.phases == f->at.there.point.phases;
    if (f->at.here.n_impact != f->at.there.n_impact)
        *found = f->walk.step < 1e-9; // no jump over a grazing
    if (same && jd_branch_misturned(c, &f->at.here, &f->at.there)) {
        *found = *found && f->walk.step <= 1e-7;
        for (int i = 0; i < c->N && *found; i++)
            f->at.there.tangent[i] *= -1; // blurred, and turned
    }
    if (*angle > (same ? f->walk.bend : 3) * large_angle && f->walk.step > 1e-7) *found = false;
    if (!jd_anchor_kept(&f->at.here, &f->at.there) && f->walk.step > 1e-7) *found = false;
    return JD_OK;
}

static void take_there(jd_follow *f) {
    place p = f->at.here;
    f->at.here = f->at.there;
    f->at.there = p;
}

static double distance(const jd_follow *f) {
    double d = 0;
    for (int i = 0; i < f->curve.N; i++) d += pow(f->at.there.y[i] - f->at.here.y[i], 2);
    return sqrt(d);
}

jd_status jd_branch_accept(jd_follow *f, bool corner) {
    curve *c = &f->curve;
    int known = f->view.n_special;
    memcpy(f->kept.J_past, f->kept.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    memcpy(f->kept.y_past, f->at.here.y, (size_t)c->N * sizeof *f->kept.y_past);
    memcpy(f->kept.tangent_past, f->at.here.tangent, (size_t)c->N * sizeof *f->kept.y_past);
    f->kept.phase_past = f->at.here.phase;
    memcpy(f->kept.J, c->newton.J, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    f->walk.orbits_before = c->count.orbits;
    JD_TRY(jd_branch_doubt(f, &f->at.there));
    if (f->options.special && !corner) JD_TRY(jd_branch_special(f, &f->at.here, &f->at.there));
    if (f->walk.torn) return JD_OK; // `walk` takes it back
    JD_TRY(jd_branch_list(f, &f->at.there));
    jd_family_note(f, &f->at.there);
    f->walk.retried = 0;
    jd_branch_note_impacts(f, &f->at.there);
    f->walk.gone = distance(f);
    f->walk.smooth = !corner && f->at.here.point.phases == f->at.there.point.phases &&
                     f->view.n_special == known && f->walk.gone > 1e-7;
    f->walk.cornered = corner || f->at.here.point.phases != f->at.there.point.phases;
    f->walk.shifted = false;
    take_there(f);
    f->grazing.ahead = -1;
    if (f->view.n_point % 50 == 0)
        jd_progress(f->context, "following",
                    fabs(f->at.here.point.parameter - f->options.from) / c->parameter.L);
    return JD_OK;
}

// The last CROWD special points lie within a small part of the window: undamped structures change
// their phases that often, and every change is located.
static bool crowd(const jd_follow *f) {
    int n = f->view.n_special;
    if (n < CROWD) return false;
    double way = fabs(f->list.special[n - 1].parameter - f->list.special[n - CROWD].parameter);
    return way < crowded * f->curve.parameter.L;
}

// Folds of a family are none: along it the parameter only rounds. Where it begins, of what is
// listed there; -1: at no special point.
static int family_begins(jd_follow *f, int first) {
    jd_follow_view *v = &f->view;
    int k = v->n_special, kept;
    while (k > 0 && f->list.special[k - 1].point >= first) k--;
    for (int i = kept = k; i < v->n_special; i++)
        if (i == k || f->list.special[i].kind != JD_SPECIAL_FOLD)
            f->list.special[kept++] = f->list.special[i];
    v->n_special = kept;
    return kept > k && f->list.special[kept - 1].point == first ? kept - 1 : -1;
}

// Orbits of a family at one value of the parameter, as of a linear motion that neither grows nor
// decays, know that value to rounding: better than the change of states that leads to it is
// located, where the branch comes in along a tangent.
static void end_as_family(jd_follow *f, int first, jd_special *s) {
    const curve *c = &f->curve;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = first; i < f->view.n_point; i++) {
        low = fmin(low, f->list.point[i].parameter);
        high = fmax(high, f->list.point[i].parameter);
    }
    double left = 10 * f->options.locate + c->sh->tolerance; // by Newton's method and the engine
    double error = high - low + left * c->parameter.L;
    if (!(error < s->error)) return;
    s->parameter = (low + high) / 2;
    s->error = error;
}

// A family that begins at a special point ends the branch there: its own orbits are no points.
static void end_in_family(jd_follow *f) {
    jd_follow_view *v = &f->view;
    int first = v->n_point - AT_ONE, begins = family_begins(f, first);
    v->end = JD_END_FAMILY;
    v->end_parameter = f->at.here.point.parameter;
    if (begins < 0 || first < 1) return;
    end_as_family(f, first, &f->list.special[begins]);
    v->n_point = first;
    v->end_parameter = f->list.special[begins].parameter;
}

// Ends that show at the last point: growth, a family of orbits, no progress.
static bool spent(jd_follow *f) {
    const curve *c = &f->curve;
    double size = 0;
    int ones = 0;
    for (int i = 0; i < c->n; i++) {
        const double *m = f->at.here.multiplier + 2 * i;
        size += f->at.here.y[i] * f->at.here.y[i];
        ones += hypot(m[0] - 1, m[1]) < BRANCH_AT_ONE ||
                (c->mirrored && hypot(m[0] + 1, m[1]) < BRANCH_AT_ONE);
    }
    // without a drive one multiplier is 1 anyway
    f->walk.at_one = ones > (c->forced ? 0 : 1) ? f->walk.at_one + 1 : 0;
    f->walk.crawling = f->walk.gone < crawl ? f->walk.crawling + 1 : 0;
    if (sqrt(size) > too_large)
        f->view.end = JD_END_UNBOUNDED;
    else if (f->walk.at_one >= AT_ONE)
        end_in_family(f);
    else if (f->walk.crowded || crowd(f))
        f->view.end = JD_END_CHANGES;
    else if (f->walk.crawling >= 8 && jd_branch_amplifies(f))
        f->view.end = JD_END_ROUNDING;
    else if (f->walk.crawling >= 200)
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

// A step that led to another branch (f->walk.torn) is taken back: half as long, or the end.
static bool taken_back(jd_follow *f, int n_special, int n_flip) {
    const curve *c = &f->curve;
    f->walk.torn = f->at.marked = false;
    f->walk.met = MEETS_NONE;
    f->view.n_special = n_special;
    f->list.n_flip = n_flip;
    memcpy(f->kept.J, f->kept.J_past, (size_t)(c->N * c->N) * sizeof *f->kept.J);
    f->walk.smooth = false;
    f->walk.step /= 2;
    if (f->walk.step > shortest) return true;
    f->view.end = JD_END_LOST;
    f->view.why = "the contact states change, and the orbits on both sides do not meet: the branch "
                  "breaks off, as at a discontinuous fold";
    return false;
}

// May a grazing be near? Where steps become short it is sought at higher speeds, and where P
// amplifies its rounding: of K impacts that graze together a multiplier goes like v^-K. close: so
// near that there is one, found or not; sooner where an engine cannot pass through its stops.
static bool seeks_grazing(const jd_follow *f, bool *close) {
    const double *m = f->at.here.multiplier;
    bool labours = f->walk.step < 1e-4 * longest(f) || hypot(m[0], m[1]) > steep;
    double share = labours ? 0.1 : 2e-3;
    *close = jd_branch_near_grazing(f, f->curve.run->class->map.unwatch ? 1e-5 : share);
    return jd_branch_near_grazing(f, share);
}

// No step succeeds: perhaps because something is to happen just at the anchor.
static jd_status shift(jd_follow *f) {
    bool moved;
    f->walk.shifted = true;
    JD_TRY(jd_anchor_shift(f, &moved));
    if (moved) f->grazing.ahead = -1;
    if (moved) f->walk.step *= 64;
    return JD_OK;
}

static jd_status walk(jd_follow *f) {
    f->walk.step = 0.2 * longest(f);
    f->grazing.ahead = -1;
    f->grazing.refused = (double)NAN;
    f->view.end = JD_END_POINTS;
    while (f->view.n_point + f->proof.unlisted < f->options.points) {
        bool found, last, close, corner = false;
        double angle = 0;
        f->view.end = JD_END_POINTS;
        if (jd_stop_wanted(f->context)) return f->view.end = JD_END_STOPPED, JD_OK;
        f->walk.step = fmin(f->walk.step, fmin(longest(f), jd_branch_graze_step(f)));
        if (seeks_grazing(f, &close)) {
            bool grazes;
            JD_TRY(jd_branch_graze_end(f, close, &grazes, &corner));
            if (grazes && !corner) return JD_OK;
            if (grazes) {
                JD_TRY(jd_branch_accept(f, true));
                f->walk.step = 1e-5;
                if (f->at.marked) return JD_OK;
                JD_TRY(jd_anchor_renew(f));
                continue;
            }
        }
        JD_TRY(jd_land_enter(f, &corner));
        if (corner && f->view.end == JD_END_RETRACED) return JD_OK;
        if (corner) continue;
        JD_TRY(attempt(f, &found, &last, &angle));
        if (found && !last && f->proof.listed && f->walk.retried < RETRIES &&
            jd_branch_unproved(f, &f->at.there)) {
            f->walk.retried++; // a neighbour may be clear
            f->walk.step *= 0.8;
            continue;
        }
        if (!found && f->walk.step < close_by) JD_TRY(jd_branch_enter(f, &corner));
        if (!found && f->walk.step < close_by && !corner) JD_TRY(jd_land_leave(f, &corner));
        if (!found && f->walk.step < close_by && !corner && !f->walk.shifted) JD_TRY(shift(f));
        if (corner && (f->at.marked || f->view.end == JD_END_RETRACED)) return JD_OK;
        if (corner) continue;
        if (!found && f->walk.step > shortest) {
            f->walk.step /= 2;
            continue;
        }
        if (!found && f->curve.parameter.bound) return f->view.end = JD_END_BOUND, JD_OK;
        if (!found) JD_TRY(jd_land_pass(f, &corner));
        if (corner && f->view.end == JD_END_RETRACED) return JD_OK;
        if (corner) continue;
        if (!found) {
            JD_TRY(jd_branch_corner(f, &corner));
            if (!corner && f->view.end == JD_END_LOST && jd_branch_amplifies(f))
                f->view.end = JD_END_ROUNDING;
            if (!corner) return JD_OK;
            last = false;
            f->walk.step = 1e-5;
        }
        int n_special = f->view.n_special, n_flip = f->list.n_flip, n_cross = f->list.n_cross;
        f->walk.torn = false, f->walk.walks = true;
        JD_TRY(jd_branch_accept(f, corner));
        f->walk.walks = false;
        if (f->walk.torn) {
            f->list.n_cross = n_cross;
            if (taken_back(f, n_special, n_flip)) continue;
            return JD_OK;
        }
        if (jd_branch_leaves(f)) {
            JD_TRY(jd_branch_leave(f, &found));
            if (!found) return JD_OK;
            continue;
        }
        JD_TRY(jd_branch_stop(f, &found));
        if (found) return f->view.end = JD_END_STOP, JD_OK;
        if (last || f->at.marked) return JD_OK;
        if (spent(f)) return JD_OK;
        if (jd_branch_closes(f)) return f->view.end = JD_END_CLOSED, JD_OK;
        if (jd_branch_retraces(f)) return JD_OK;
        JD_TRY(jd_anchor_renew(f));
        if (angle < f->walk.bend * small_angle) f->walk.step *= 1.6;
        if (angle > 2 * f->walk.bend * small_angle) f->walk.step *= 0.7;
    }
    return JD_OK;
}

static bool always(const jd_follow *f) { return f != NULL; }

// Periodic orbits by shooting, from event to event.
static jd_status shoot(jd_follow *f) {
    bool found;
    JD_TRY(jd_branch_begin(f, &found));
    if (!found) return JD_OK;
    JD_TRY(jd_branch_list(f, &f->at.here));
    jd_branch_note_impacts(f, &f->at.here);
    jd_family_note(f, &f->at.here);
    JD_TRY(walk(f));
    JD_TRY(jd_branch_not_stopped(f));
    if (f->begins && !f->view.why[0]) f->view.why = f->begins;
    if (f->view.end != JD_END_GRAZING && f->view.end != JD_END_RETRACED &&
        f->view.end != JD_END_FAMILY && f->view.end != JD_END_STOP)
        f->view.end_parameter = f->at.here.point.parameter;
    if (f->options.curve != JD_CURVE_NONE) JD_TRY(jd_branch_pair(f));
    jd_land_leave_out(f);
    for (int i = 0; i < f->view.n_point; i++) f->view.n_uncertified += !f->list.point[i].certified;
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
    if (solvers[way].follow != shoot) JD_TRY(jd_functions_refuse(f));
    JD_TRY(solvers[way].follow(f));
    jd_follow_view *v = &f->view;
    v->point = f->list.point;
    v->state = f->list.state;
    v->kept.also_value = f->list.also;
    v->kept.spectrum = f->list.spectrum;
    v->special = f->list.special;
    JD_TRY(jd_branch_special_states(f));
    v->kept.start = (const char *const *)f->list.start;
    v->curve_point = f->list.curve_point;
    v->kept.curve_special = f->list.curve_special;
    v->phases = (const char *const *)f->list.phases;
    v->n = f->curve.n;
    v->orbits = f->curve.count.orbits;
    v->rounds = f->curve.count.rounds;
    v->derivatives = f->curve.count.derivatives;
    return jd_family_follow(f);
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

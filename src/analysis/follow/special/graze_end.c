// graze_end.c -- passing a grazing: impacts that get slower and slower, and the orbits beyond.
//   At grazing the impact speed v goes to 0 as a smooth function of arclength although the
//   derivative grows like 1/v: the end is extrapolated in v from the last points, and located on
//   the orbit that passes through the stop (graze.c). Beside it, where that orbit stays
//   before the stop, the branch goes on without the impact.
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

static const double slow_impact = 0.1;    // of the fastest: slower ones may be grazing
static const double spread = 0.9;         // ratio of neighbouring speeds kept
static const double unlocated = 0.01;     // of the way to a grazing that was only extrapolated
static const double near_by = 0.1;        // of the first state: further away it is another orbit
static const double closest = 1e-11;      // arclength: nearer to a grazing no orbit is sought
static const double first_entered = 1e-2; // arclength: the first such orbit
static const double thinner = 4;          // distances from a grazing, each to the next
static const double image = 1e-6;         // of the first state: an orbit that is its own image
static const double blurred = 1e-6;       // of the window: what speeds may leave open of a grazing
static const double cut = 0.002;          // periods
static const double ahead = 0.8;          // cosine of the angle to a grazing: tangents blur near it

void jd_branch_note_impacts(jd_follow *f, const place *p) {
    if (!isfinite(p->slowest_impact)) {
        f->grazing.n_recent = 0;
        return;
    }
    f->grazing.fastest = fmax(f->grazing.fastest, p->slowest_impact);
    f->grazing.slow_before =
        f->grazing.n_recent ? f->grazing.recent[f->grazing.n_recent - 1][0] : HUGE_VAL;
    // speeds too close to each other tell nothing: the last is replaced
    if (f->grazing.n_recent >= 2 &&
        p->slowest_impact > spread * f->grazing.recent[f->grazing.n_recent - 2][0] &&
        p->slowest_impact < f->grazing.recent[f->grazing.n_recent - 2][0])
        f->grazing.n_recent--;
    if (f->grazing.n_recent == GRAZES)
        memmove(f->grazing.recent, f->grazing.recent + 1,
                sizeof f->grazing.recent - sizeof *f->grazing.recent);
    if (f->grazing.n_recent < GRAZES) f->grazing.n_recent++;
    double *g = f->grazing.recent[f->grazing.n_recent - 1];
    g[0] = p->slowest_impact;
    g[1] = p->point.parameter;
    g[2] = p->point.amplitude;
}

// Neville's scheme at v = 0 for column `what`; error: what the last point changed.
static double extrapolate(const jd_follow *f, int what, double *error) {
    double value[GRAZES] = {0};
    int n = f->grazing.n_recent;
    for (int i = 0; i < n; i++) value[i] = f->grazing.recent[i][what];
    *error = HUGE_VAL;
    for (int k = 1; k < n; k++) {
        double last = value[n - k];
        for (int i = 0; i < n - k; i++) {
            double a = f->grazing.recent[i][0], b = f->grazing.recent[i + k][0];
            value[i] = (a * value[i + 1] - b * value[i]) / (a - b);
        }
        *error = fabs(value[n - 1 - k] - last);
    }
    return value[0];
}

int jd_branch_count_impacts(const curve *c) {
    int n = 0;
    for (int i = 0; i < c->events.n_listed; i++)
        n += jd_event_is_impact(&c->sh->last.event[c->events.listed[i]]);
    return n;
}

// Does a part end close to the anchor? There the motion is cut, and an approach to the stop is not
// seen whole.
static bool is_cut(const curve *c, const graze *g) {
    for (int k = 0; k < g->n; k++)
        if (g->part[k].from < cut || g->part[k].to > jd_curve_end(c) - cut) return true;
    return false;
}

// y along the tangent to this parameter, where that is not far: an orbit close to the one that just
// touches, while the orbit through the stop at the same parameter may be far from one with impact.
static void slide_to(const curve *c, const place *at, double lambda, double *y) {
    int p = c->N - 1;
    double by = (lambda - at->point.parameter) / (c->parameter.L * at->tangent[p]);
    if (!(fabs(by) < near_by)) return;
    for (int i = 0; i < c->N; i++) y[i] += by * at->tangent[i];
}

// The stop that is touched: one the orbit turns back from, one it hits slowly, or that and its
// image on the other side, which an orbit without symmetry touches where it becomes its own image.
typedef enum touched { TURN, SLOW, SLOW_AND_IMAGE } touched;

// The orbit that just touches where the slow impact of the last round goes. Of an impact that comes
// once in several periods nothing is left there but turns, as close to the stop in each of them.
static jd_status locate_slow(curve *c, graze *g, double *y, bool *found) {
    double *begin = c->newton.chord;
    memcpy(begin, y, (size_t)c->N * sizeof *y);
    JD_TRY(jd_graze_locate(c, g, y, found));
    for (int turns = c->periods / 2; turns > 0 && !c->mirrored && !*found; turns--) {
        if (c->periods % turns || !jd_graze_add_turns(c, g, turns)) continue;
        memcpy(y, begin, (size_t)c->N * sizeof *y);
        JD_TRY(jd_graze_locate(c, g, y, found));
    }
    return JD_OK;
}

// The orbit of `at` put right onto that stop: f->grazing.entrance. found: it is near by. lambda:
// where the speed of the slow impact goes to 0.
static jd_status touch(jd_follow *f, const place *at, touched how, double lambda, bool *found) {
    curve *c = &f->curve;
    graze *g = &f->grazing.entrance.g;
    double *y = f->grazing.entrance.y;
    bool lost, slow = how != TURN;
    *found = false;
    if (!c->forced || !c->run->class->map.unwatch) return JD_OK;
    c->phase = at->phase;
    c->anchor = at->anchor;
    memcpy(y, at->y, (size_t)c->N * sizeof *y);
    JD_TRY(jd_curve_round(c, y, false, &lost));
    if (lost) return JD_OK;
    if (slow)
        *found = jd_graze_of_impact(c, g);
    else
        JD_TRY(jd_graze_of_turn(c, g, y, found));
    if (how == SLOW_AND_IMAGE) jd_graze_add_images(c, g);
    *found = *found && (slow || !is_cut(c, g));
    if (*found && slow) slide_to(c, at, lambda, y);
    if (*found && how == SLOW)
        JD_TRY(locate_slow(c, g, y, found));
    else if (*found)
        JD_TRY(jd_graze_locate(c, g, y, found));
    double d = 0;
    for (int i = 0; i < c->n && *found; i++) d += pow(y[i] - at->y[i], 2);
    *found = *found && sqrt(d) < near_by && g->lambda >= c->parameter.low &&
             g->lambda <= c->parameter.high;
    return JD_OK;
}

// Does `there` do without the impacts that graze, and has all others? (Bounces of chatter may begin
// or cease to count as well.)
static bool lacks_these(const jd_follow *f) {
    int fewer = f->at.here.n_impact - f->at.there.n_impact,
        grazing = (f->curve.mirrored ? 2 : 1) * f->grazing.entrance.g.hit;
    bool chatters = f->at.here.n_landing > 0 || f->at.there.n_landing > 0;
    return chatters ? fewer > 0 : fewer == grazing;
}

// The orbit that does without the impact, close to the grazing, into `there`.
static jd_status leave_stop(jd_follow *f, bool *found) {
    curve *c = &f->curve;
    graze *g = &f->grazing.entrance.g;
    double *border = f->at.middle.tangent, *y = f->at.right.y;
    bool lost;
    *found = false;
    memcpy(y, f->grazing.entrance.y, (size_t)c->N * sizeof *y);
    c->phase = f->at.here.phase;
    memset(border, 0, (size_t)c->N * sizeof *border);
    border[c->N - 1] = g->rise > 0 ? 1 : -1;
    for (double h = 1e-6; h < 2e-3 && !*found; h *= 10) {
        JD_TRY(jd_graze_beside(c, g, h, y, found));
        if (!*found) return JD_OK;
        memcpy(f->at.there.y, y, (size_t)c->N * sizeof *y);
        JD_TRY(jd_curve_derivative(c, f->at.there.y, border, &lost));
        if (lost) return *found = false, JD_OK;
        JD_TRY(jd_curve_correct(c, f->at.there.y, border, true, found));
        if (*found) JD_TRY(jd_branch_judge(f, &f->at.there, border, true, found));
        *found = *found && lacks_these(f);
    }
    return JD_OK;
}

static double from_grazing(const jd_follow *f, const place *p) {
    double d = 0;
    for (int i = 0; i < f->curve.N; i++) d += pow(p->y[i] - f->grazing.entrance.y[i], 2);
    return sqrt(d);
}

// Beside a grazing tangents are known badly, where they lead across the impact's doing: their sense
// follows from the multipliers (special.c).
static void keep_sense(const jd_follow *f) {
    const curve *c = &f->curve;
    int p = c->N - 1;
    bool turns = jd_branch_odd(c, &f->at.here) != jd_branch_odd(c, &f->at.there);
    bool turned = f->at.here.tangent[p] * f->at.there.tangent[p] < 0;
    for (int i = 0; i < c->N && turns != turned; i++) f->at.there.tangent[i] *= -1;
}

static jd_status accept_beside(jd_follow *f, bool corner) {
    f->grazing.beside = true;
    jd_status status = jd_branch_accept(f, corner);
    f->grazing.beside = false;
    return status;
}

// From `here` on towards the grazing, until nothing can happen before it. fold: one lies between
// `here` and the first of these orbits, which is too far for it to be located.
static jd_status approach(jd_follow *f, bool close, bool *fold) {
    bool found, first = !close;
    double product = 0;
    *fold = false;
    for (double h = 0.5 * from_grazing(f, &f->at.here); h > closest; h /= thinner) {
        f->curve.phase = f->at.here.phase;
        JD_TRY(jd_enter_at(f, h, f->at.here.tangent, &f->at.there, &found));
        if (!found || f->at.there.point.phases != f->at.here.point.phases) continue;
        *fold = first &&
                jd_branch_odd(&f->curve, &f->at.here) != jd_branch_odd(&f->curve, &f->at.there);
        if (*fold) return JD_OK;
        first = false;
        keep_sense(f);
        JD_TRY(accept_beside(f, false));
        if (jd_enter_is_close(f, &f->at.here, h, &product)) break;
    }
    return JD_OK;
}

// Does the branch lead from `here` to the grazing without much of a bend? No fold lies between
// then.
static bool aims_at_grazing(const jd_follow *f) {
    double along = 0;
    for (int i = 0; i < f->curve.N; i++)
        along += f->at.here.tangent[i] * (f->grazing.entrance.y[i] - f->at.here.y[i]);
    return along > ahead * from_grazing(f, &f->at.here);
}

// Does `here` lie where orbits with the impact leave the grazing, and is its impact as fast as they
// have it there?
static bool comes_from(const jd_follow *f) {
    const entrance *e = &f->grazing.entrance;
    double h = from_grazing(f, &f->at.here), along = 0;
    for (int i = 0; i < f->curve.N; i++) along += e->w[i] * (f->at.here.y[i] - e->y[i]);
    double speed = along * e->rate[0] / f->at.here.slowest_impact;
    return along > ahead * h && speed > ahead && speed < 1 / ahead;
}

// The grazing between `here` and `there` is the last special point once more, passed the other
// way: the branch ends before it.
static bool undoes_last(jd_follow *f, double lambda, double error) {
    if (f->view.n_special == 0) return false;
    const jd_special *last = &f->list.special[f->view.n_special - 1];
    if (last->kind != JD_SPECIAL_GRAZING) return false;
    if (last->before != f->at.there.point.phases || last->after != f->at.here.point.phases)
        return false;
    if (fabs(last->parameter - lambda) > last->error + error + closest * f->curve.parameter.L)
        return false;
    f->view.end = JD_END_RETRACED;
    f->view.end_parameter = f->at.here.point.parameter;
    return true;
}

// Does the slow impact graze, close to lambda, on an orbit that is its own mirror image? There the
// branch would go on along its own images, and ends.
// found: it was, without its image on the other side, which rounding decides.
static jd_status meet_image(jd_follow *f, double lambda, double within, bool found, bool *meets) {
    curve *c = &f->curve;
    const graze *g = &f->grazing.entrance.g;
    double gap;
    JD_TRY(jd_curve_image_gap(c, f->at.here.y, &gap));
    *meets = isfinite(gap) && gap < near_by;
    if (*meets && !found) JD_TRY(touch(f, &f->at.here, SLOW_AND_IMAGE, lambda, meets));
    *meets = *meets && fabs(g->lambda - lambda) < within;
    if (*meets) JD_TRY(jd_curve_image_gap(c, f->grazing.entrance.y, &gap));
    *meets = *meets && gap < image;
    if (!*meets) return JD_OK;
    place end = f->at.here;
    end.point.parameter = g->lambda;
    f->view.end = JD_END_RETRACED;
    f->view.end_parameter = g->lambda;
    f->view.why = jd_meets_image;
    return jd_branch_add_special(f, JD_SPECIAL_GRAZING, &end, &end, g->error, false, NULL);
}

jd_status jd_branch_graze_end(jd_follow *f, bool close, bool *grazes, bool *goes_on) {
    curve *c = &f->curve;
    const graze *g = &f->grazing.entrance.g;
    double error, blur,
        step = fabs(f->grazing.recent[f->grazing.n_recent - 1][1] -
                    f->grazing.recent[f->grazing.n_recent - 2][1]);
    *goes_on = false;
    double lambda = extrapolate(f, 1, &error), amplitude = extrapolate(f, 2, &blur);
    double way = fabs(lambda - f->at.here.point.parameter);
    // a speed that goes on falling as it did
    *grazes = error < 1e-3 * step && way < 10 * step;
    bool found, known = false;
    JD_TRY(touch(f, &f->at.here, SLOW, lambda, &found));
    double within = fmax(0.2 * way, fmin(2 * error, blurred * c->parameter.L));
    if (found) JD_TRY(jd_enter_prepare(f, &known));
    found = found && (fabs(g->lambda - lambda) < within || (known && comes_from(f)));
    if (*grazes) {
        JD_TRY(meet_image(f, lambda, within, found, grazes));
        if (*grazes) return JD_OK;
        *grazes = error < 1e-3 * step && way < 10 * step;
    }
    if (found && !aims_at_grazing(f)) return *grazes = false, JD_OK;
    *grazes = found || (close && *grazes);
    *grazes = *grazes && lambda >= c->parameter.low && lambda <= c->parameter.high;
    if (!*grazes) return JD_OK;
    if (!found && c->run->class->map.unwatch) error = fmax(error, unlocated * way);
    if (found) {
        lambda = g->lambda;
        error = g->error;
        JD_TRY(leave_stop(f, goes_on));
        // as far off a fold may lie before it, or it is another one
        if (!*goes_on && !close) return *grazes = false, JD_OK;
        bool fold = false;
        if (known) JD_TRY(approach(f, close, &fold));
        if (fold) return *grazes = *goes_on = false, JD_OK;
        JD_TRY(leave_stop(f, goes_on));
    }
    place end = f->at.here;
    end.point.parameter = lambda;
    end.point.amplitude = amplitude;
    if (*goes_on && undoes_last(f, lambda, error)) return *goes_on = false, JD_OK;
    if (*goes_on) {
        bool turns = f->at.here.tangent[c->N - 1] * f->at.there.tangent[c->N - 1] < 0;
        f->grazing.n_recent = 0;
        if (!(blur < 1e-6 * fabs(f->at.here.point.amplitude)))
            end.point.amplitude = f->at.there.point.amplitude;
        return jd_branch_add_special(f, JD_SPECIAL_GRAZING, &end, &f->at.there, error, turns, NULL);
    }
    f->view.end = JD_END_GRAZING;
    f->view.end_parameter = lambda;
    return jd_branch_add_special(f, JD_SPECIAL_GRAZING, &end, &end, error, false, NULL);
}

// Distance from the grazing of an orbit with the impact so close that nothing can happen between;
// 0: there is none.
static jd_status find_close(jd_follow *f, double *close) {
    double product = 0;
    bool found;
    *close = 0;
    for (double h = first_entered; h > closest; h /= thinner) {
        f->curve.phase = f->at.here.phase;
        JD_TRY(jd_enter_at(f, h, NULL, &f->at.there, &found));
        if (!found || f->at.there.n_impact <= f->at.here.n_impact) continue;
        *close = h;
        if (jd_enter_is_close(f, &f->at.there, h, &product)) break;
    }
    return JD_OK;
}

// Points with the impact, from h on ever further from the grazing as long as they are found; where
// P amplifies its rounding much one may be missed.
static jd_status go_away(jd_follow *f, double h) {
    const int point = f->at.here.point.phases;
    int misses = 0;
    for (h *= thinner; h <= first_entered && misses < 3; h *= thinner) {
        bool found;
        f->curve.phase = f->at.here.phase;
        JD_TRY(jd_enter_at(f, h, f->at.here.tangent, &f->at.there, &found));
        found = found && f->at.there.point.phases == point;
        if (found) keep_sense(f);
        if (found) JD_TRY(accept_beside(f, false));
        misses = found ? 0 : misses + 1;
    }
    f->walk.step = 0.3 * from_grazing(f, &f->at.here);
    return jd_anchor_renew(f);
}

jd_status jd_branch_enter(jd_follow *f, bool *enters) {
    curve *c = &f->curve;
    const graze *g = &f->grazing.entrance.g;
    double along = 0, close = 0;
    *enters = false;
    if (f->grazing.ahead < 0) {
        bool near;
        JD_TRY(touch(f, &f->at.here, TURN, 0, &near));
        near = near && !(fabs(g->lambda - f->grazing.refused) < closest * c->parameter.L);
        f->grazing.ahead = near ? from_grazing(f, &f->at.here) : HUGE_VAL;
    }
    if (f->grazing.ahead > 2 * f->walk.step) return JD_OK;
    for (int i = 0; i < c->N; i++)
        along += f->at.here.tangent[i] * (f->grazing.entrance.y[i] - f->at.here.y[i]);
    if (along < -closest) return JD_OK;
    c->phase = f->at.here.phase;
    c->anchor = f->at.here.anchor;
    JD_TRY(jd_enter_prepare(f, enters));
    if (*enters) JD_TRY(find_close(f, &close));
    *enters = *enters && close > 0;
    c->phase = f->at.here.phase;
    if (*enters) JD_TRY(jd_enter_at(f, close, NULL, &f->at.there, enters));
    if (!*enters) {
        f->grazing.refused = g->lambda;
        f->grazing.refused_error = g->error;
        return JD_OK;
    }
    if (undoes_last(f, g->lambda, g->error)) return JD_OK;
    keep_sense(f);
    place at = f->at.here;
    at.point.parameter = g->lambda;
    bool turns = f->at.here.tangent[c->N - 1] * f->at.there.tangent[c->N - 1] < 0;
    JD_TRY(jd_branch_add_special(f, JD_SPECIAL_GRAZING, &at, &f->at.there, g->error, turns, NULL));
    JD_TRY(accept_beside(f, true));
    return f->at.marked ? JD_OK : go_away(f, close);
}

jd_status jd_branch_touch(jd_follow *f, const place *few, double near, double *lambda,
                          double *error) {
    const graze *g = &f->grazing.entrance.g;
    bool found;
    JD_TRY(touch(f, few, TURN, 0, &found));
    if (!found || fabs(g->lambda - *lambda) > near * f->curve.parameter.L) return JD_OK;
    *lambda = g->lambda;
    *error = g->error;
    return JD_OK;
}

bool jd_branch_near_grazing(const jd_follow *f, double share) {
    if (f->grazing.n_recent < 3 || !(f->at.here.slowest_impact < share * f->grazing.fastest))
        return false;
    for (int i = 1; i < f->grazing.n_recent; i++)
        if (!(f->grazing.recent[i][0] < f->grazing.recent[i - 1][0])) return false;
    return true;
}

double jd_branch_graze_step(const jd_follow *f) {
    if (!jd_branch_near_grazing(f, slow_impact)) return HUGE_VAL;
    double now = f->grazing.recent[f->grazing.n_recent - 1][0];
    if (!(f->grazing.slow_before > now)) return HUGE_VAL;
    return 0.4 * now * f->walk.gone / (f->grazing.slow_before - now);
}

// land.c -- where the bounces of a contact begin, or cease, to come to rest.
//   A stop is hit again and again, ever more slowly, until it is left for good when the force
//   that presses the contact on it changes its sign, at t*. Along a branch on which more and more
//   bounces find room before t*, each one appears at a grazing, and these grazings gather at a
//   limit lambda*: there infinitely many bounces end just at t*. Beyond it they end before, and the
//   contact rests until t*. Close to t* the acceleration into the stop is J (t* - t), and bounces
//   repeat themselves on ever smaller scales, so that lambda* is approached as a geometric series.
//   From the side of the bounces: the limit of the last grazings (Aitken), an orbit that rests on
//   its other side, then halving between orbits that rest and places where none does.
//   From the side of the rest: the same halving; then an orbit with bounces so far from lambda*
//   that those closer to it, which are not followed, fill less than `left_out` of the window.
//   Is the number of real multipliers beyond 1 odd on one side and even on the other, the branch
//   goes on in the other sense of lambda: its orbits keep their index.
//                                              tested: bounces_come_to_rest_where_...
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"

enum { GATHERED = 5, HALVINGS = 60 };
static const double left_out = 1e-3;   // of the window: bounces closer to lambda* are not followed
static const double fitting = 0.25;    // change of the ratio from each step to the next
static const double finest = 1e-12;    // of the window: lambda*
static const double beyond = 1e-6;     // of the window: the first orbit that rests
static const double least = 2e-5;      // periods: the shortest rest the engine tells from none
static const double short_rest = 0.02; // periods: longer ones do not end yet
static const double near_by = 0.1;     // of the first state: further away it is another orbit

static int impacts_of(const jd_follow *f, int phases) {
    int n = 0;
    for (const char *s = f->list.phases[phases]; *s; s++) n += *s == '!';
    return n;
}

// The last grazings, each with more impacts than the one before, newest first; how many. next: one
// that was located ahead, beyond the last of the branch; NULL: none.
static int last_grazings(const jd_follow *f, const double *next, double lambda[GATHERED]) {
    int n = 0;
    if (next) lambda[n++] = *next;
    for (int i = f->view.n_special - 1; i >= 0 && n < GATHERED; i--) {
        const jd_special *s = &f->list.special[i];
        if (s->kind == JD_SPECIAL_CHATTER) break;
        if (s->kind != JD_SPECIAL_GRAZING) continue;
        if (impacts_of(f, s->after) <= impacts_of(f, s->before)) break;
        lambda[n++] = s->parameter;
    }
    return n;
}

// Do the last grazings gather near by? Their limit.
static bool gathers(const jd_follow *f, const double *next, double *last, double *limit) {
    double x[GATHERED];
    int n = last_grazings(f, next, x);
    if (n < 4) return false;
    double a = x[0] - x[1], b = x[1] - x[2], d = x[2] - x[3], ratio = a / b;
    if (!(ratio > 0.02 && ratio < 0.95 && fabs(ratio / (b / d) - 1) < fitting)) return false;
    *last = x[0];
    *limit = x[0] + a * ratio / (1 - ratio);
    return fabs(*limit - x[0]) <
           0.8 * left_out * f->curve.parameter.L; // folds lie a little further away
}

// The orbit at lambda near y, in the sense of `sense`; full: with multipliers and tangent.
static jd_status orbit_at(jd_follow *f, double lambda, const double *y, double sense, bool full,
                          place *out, bool *found) {
    curve *c = &f->curve;
    double *border = f->at.middle.tangent, away = 0;
    bool lost;
    *found = false;
    memcpy(out->y, y, (size_t)c->N * sizeof *y);
    memset(border, 0, (size_t)c->N * sizeof *border);
    border[c->N - 1] = sense;
    out->y[c->N - 1] = lambda / c->parameter.L;
    c->phase = f->at.here.phase;
    c->anchor = f->at.here.anchor;
    JD_TRY(jd_curve_derivative(c, out->y, border, &lost));
    if (lost) return JD_OK;
    JD_TRY(jd_curve_correct(c, out->y, border, full, found));
    for (int i = 0; i < c->n; i++) away += pow(out->y[i] - f->at.here.y[i], 2);
    *found = *found && sqrt(away) < near_by;
    return *found ? jd_branch_judge(f, out, border, full, found) : JD_OK;
}

// Does the orbit have as many landings, none of them shorter than `rest`?
static bool is_resting(const place *p, int landings, double rest) {
    return p->n_landing >= landings && p->rest >= rest;
}

// Where between `rests`, with the orbit f->at.right, and `bounces` the rest has become this short.
static jd_status halve(jd_follow *f, int landings, double rest, double rests, double bounces,
                       double *lambda) {
    const curve *c = &f->curve;
    for (int i = 0; i < HALVINGS && fabs(rests - bounces) > finest * c->parameter.L; i++) {
        double middle = (rests + bounces) / 2;
        bool found;
        JD_TRY(orbit_at(f, middle, f->at.right.y, 1, false, &f->at.left, &found));
        found = found && is_resting(&f->at.left, landings, rest);
        if (found) jd_place_copy(c, &f->at.left, &f->at.right);
        *(found ? &rests : &bounces) = middle;
    }
    *lambda = rests;
    return JD_OK;
}

// lambda*, from where the rest is 64, 8 and 1 times `least`: on scales where bounces repeat
// themselves its distance is a power of the rest.
static jd_status locate(jd_follow *f, int landings, double rests, double bounces, double *lambda,
                        double *error) {
    double at[3], rest = 64 * least;
    for (int i = 0; i < 3; i++, rest /= 8)
        JD_TRY(halve(f, landings, rest, i ? at[i - 1] : rests, bounces, &at[i]));
    double step = at[2] - at[1], ratio = step / (at[1] - at[0]);
    if (!(ratio > 0 && ratio < 0.5)) ratio = 0.5;
    *lambda = at[2] + step * ratio / (1 - ratio);
    *error = 0.25 * fabs(*lambda - at[2]) + finest * fmax(f->curve.parameter.L, fabs(*lambda));
    return JD_OK;
}

// Adds the point, and f->at.there beyond it, as seen by a branch that came in the sense `way`; the
// same point twice: the branch would run back.
static jd_status add(jd_follow *f, double lambda, double error, double way) {
    const jd_special *last = f->view.n_special ? &f->list.special[f->view.n_special - 1] : NULL;
    if (last && last->kind == JD_SPECIAL_CHATTER &&
        fabs(last->parameter - lambda) < last->error + error) {
        f->view.end = JD_END_RETRACED;
        f->view.end_parameter = lambda;
        return JD_OK;
    }
    place at = f->at.here;
    at.point.parameter = lambda;
    f->grazing.n_recent = 0;
    bool turns = way * f->at.there.tangent[f->curve.N - 1] < 0;
    JD_TRY(jd_branch_add_special(f, JD_SPECIAL_CHATTER, &at, &f->at.there, error, turns, NULL));
    return jd_branch_accept(f, true);
}

// f->at.there, turned so that its parameter moves in the sense given.
static void turn_to(const jd_follow *f, double sense) {
    const curve *c = &f->curve;
    bool turns = sense * f->at.there.tangent[c->N - 1] < 0;
    for (int i = 0; i < c->N && turns; i++) f->at.there.tangent[i] *= -1;
}

// An orbit that rests within reach of the limit, f->at.right at lambda: beyond it, as seen from the
// grazings, or on their side.
static jd_status seek_rest(jd_follow *f, int landings, double limit, double way, double *lambda,
                           bool *found) {
    *found = false;
    for (double by = 1; by < 10 && !*found; by *= 2)
        for (int side = 1; side >= -1 && !*found; side -= 2) {
            *lambda = limit + side * by * way;
            JD_TRY(orbit_at(f, *lambda, f->at.here.y, 1, false, &f->at.right, found));
            *found = *found && is_resting(&f->at.right, landings, 64 * least);
        }
    return JD_OK;
}

// Resting orbits end at lambda*: there the branch leads away from it.
static jd_status enter(jd_follow *f, double last, double limit, bool *goes_on) {
    const curve *c = &f->curve;
    double lambda, error, rests, way = limit - last;
    int landings = f->at.here.n_landing + 1;
    JD_TRY(seek_rest(f, landings, limit, way, &rests, goes_on));
    if (!*goes_on) return JD_OK;
    double bounces = (rests - limit) * way > 0 ? last : limit + way;
    JD_TRY(locate(f, landings, rests, bounces, &lambda, &error));
    double aside = copysign(beyond * c->parameter.L, rests - lambda);
    JD_TRY(orbit_at(f, lambda + aside, f->at.right.y, 1, true, &f->at.there, goes_on));
    *goes_on = *goes_on && is_resting(&f->at.there, landings, least);
    if (!*goes_on) return JD_OK;
    turn_to(f, aside);
    f->walk.step = beyond;
    return add(f, lambda, error, way);
}

jd_status jd_land_enter(jd_follow *f, bool *goes_on) {
    double limit, last;
    *goes_on = false;
    if (f->view.n_special == f->list.looked || !gathers(f, NULL, &last, &limit)) return JD_OK;
    f->list.looked = f->view.n_special;
    return enter(f, last, limit, goes_on);
}

jd_status jd_land_pass(jd_follow *f, bool *goes_on) {
    const curve *c = &f->curve;
    double limit, last, ahead = f->grazing.refused - f->at.here.point.parameter;
    *goes_on = false;
    if (!(fabs(ahead) < left_out * c->parameter.L)) return JD_OK;
    if (!gathers(f, &f->grazing.refused, &last, &limit)) return JD_OK;
    return enter(f, last, limit, goes_on);
}

// From `here` back to an orbit whose rest is longer by far, f->at.right; lambda: its parameter.
static jd_status step_back(jd_follow *f, int landings, double sense, double *lambda) {
    const curve *c = &f->curve;
    jd_place_copy(c, &f->at.here, &f->at.right);
    for (double by = beyond; by < left_out && f->at.right.rest < 64 * least; by *= 4) {
        double back = f->at.here.point.parameter - sense * by * c->parameter.L;
        bool found;
        JD_TRY(orbit_at(f, back, f->at.here.y, 1, false, &f->at.left, &found));
        if (!found || !is_resting(&f->at.left, landings, f->at.right.rest)) continue;
        jd_place_copy(c, &f->at.left, &f->at.right);
        *lambda = back;
    }
    return JD_OK;
}

jd_status jd_land_leave(jd_follow *f, bool *goes_on) {
    const curve *c = &f->curve;
    double sense = copysign(1, f->at.here.tangent[c->N - 1]), at = f->at.here.point.parameter,
           bounces = at, lambda, error;
    int landings = f->at.here.n_landing, impacts = f->at.here.n_impact;
    bool rests = true;
    *goes_on = false;
    if (!(f->at.here.rest < short_rest) || f->list.unrested == f->view.n_point) return JD_OK;
    f->list.unrested = f->view.n_point; // once: shorter steps change nothing about `here`
    for (double by = beyond; by < left_out && rests; by *= 10) {
        bounces = at + sense * by * c->parameter.L;
        JD_TRY(orbit_at(f, bounces, f->at.here.y, 1, false, &f->at.right, &rests));
        rests = rests && is_resting(&f->at.right, landings, least);
    }
    if (rests) return JD_OK;
    JD_TRY(step_back(f, landings, sense, &at));
    JD_TRY(locate(f, landings, at, bounces, &lambda, &error));
    for (double by = left_out; by > left_out / 8 && !*goes_on; by *= 0.85) {
        JD_TRY(orbit_at(f, lambda + sense * by * c->parameter.L, f->at.right.y, 1, true,
                        &f->at.there, goes_on));
        *goes_on = *goes_on && f->at.there.n_landing < landings && f->at.there.n_impact > impacts;
    }
    if (!*goes_on) return JD_OK;
    turn_to(f, jd_branch_odd(c, &f->at.here) == jd_branch_odd(c, &f->at.there) ? sense : -sense);
    f->walk.step = beyond;
    return add(f, lambda, error, sense);
}

static int rests_of(const jd_follow *f, int phases) {
    int n = 0;
    for (const char *s = f->list.phases[phases]; *s; s++) n += *s == '|';
    return n;
}

// Is s among what fills the last `left_out` of the window before or behind this landing?
static bool fills(const jd_follow *f, const jd_special *landing, const jd_special *s) {
    return s->kind != JD_SPECIAL_CHATTER &&
           fabs(s->parameter - landing->parameter) < left_out * f->curve.parameter.L;
}

// Which of the infinitely many were met before the limit was recognised is luck: all that fill the
// last part on the side of the bounces are left out, and the landing stands for them.
void jd_land_leave_out(jd_follow *f) {
    jd_special *s = f->list.special;
    int n = f->view.n_special, kept = 0;
    for (int i = 0; i < n; i++) {
        s[kept++] = s[i];
        if (s[kept - 1].kind != JD_SPECIAL_CHATTER) continue;
        jd_special landing = s[kept - 1];
        if (rests_of(f, landing.before) < rests_of(f, landing.after))
            for (kept--; kept > 0 && fills(f, &landing, &s[kept - 1]); kept--) {
                landing.before = s[kept - 1].before;
                landing.stable_before = s[kept - 1].stable_before;
                landing.undecided_before = s[kept - 1].undecided_before;
            }
        else
            for (kept--; i + 1 < n && fills(f, &landing, &s[i + 1]); i++) {
                landing.after = s[i + 1].after;
                landing.stable_after = s[i + 1].stable_after;
                landing.undecided_after = s[i + 1].undecided_after;
            }
        s[kept++] = landing;
    }
    f->view.n_special = kept;
}

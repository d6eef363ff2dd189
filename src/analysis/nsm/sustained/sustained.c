// sustained.c -- all orbits with sustained contact, in a window of frequencies.
//   They are the (h, s) at which the matrix H of structure/nonsmooth/sustained.h loses rank (flight
//   2 h, contact 2 s). A rectangle around (h, s) with half sides dh, ds holds none when
//     |H(h, s) z| > (dh + steep ds) |z|  for all z,     as |dH/dh| <= 1, |dH/ds| <= steep;
//   else it is cut in four. What is left closes in on solutions, which Newton's method finds and
//   jd_sustained_alone separates. Where orbits can be at all:
//   - contact: push + R = sum c_k cos(sigma_k t) >= R > 0 for |t| < s. Adding its values at t +-
//     pi/(2 sigma_1) kills the first term, and so on: s < sum_k pi/(2 sigma_k).
//   - the mean of u over a period is -c times the mean push, negative: with m u = -1/2 int push
//     C(t - t'), C > 0 for T < pi/omega_n, h + s >= pi/(2 omega_n); and from release on |u - g| <=
//     jerk sqrt(2 E) t^3/6, so (h + s) c R <= jerk sqrt(2 E) h^4/24: R is small next to z where the
//     flight is short. Near h = 0 every period of a stuck mode would otherwise pass for an orbit.
#include "analysis/nsm/sustained/sustained.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"

static const double pi = JD_PI;
static const double tile = 1.5;      // first rectangles, in radians of the fastest mode
static const double smallest = 1e-6; // of them: given up as undecided
static const double try_at = 0.5;    // Newton's method from here on, in such radians
static const double doubt_at = 0.05; // rectangles of such radians are asked for signs
static const double same = 1e-9;     // solutions closer than that (in h + steep s) are one
enum { DEPTH = 200 };
static const long long most_work = 10000000000; // operations; then the search stops
static const int most_looks = 40000;            // into one of the first rectangles

// R as a function of z at s; bounds of |R| over |z| for orbits in the box and of its change.
static bool excluded_by_mean(sustained_search *u, const nsm_box *b) {
    double change = 0, lowest = u->x.sigma[0], steep = u->x.steep;
    for (int k = 0; k < u->n_stuck; k++) {
        double p = u->x.sigma[k], r = u->x.reaction[k];
        u->matrix.row[k] = r * cos(p * b->s) / (p * p);
        change += r * r / (p * p);
        lowest = fmin(lowest, p);
    }
    change = sqrt(change);
    double h = nsm_box_h(b) + nsm_box_dh(b), sum = fmax(b->sum - b->dsum, u->window.sum_least);
    double most = u->window.jerk * steep / lowest * pow(h, 4) / (24 * u->x.compliance * sum);
    double weight = 0.5 * (1 + steep) / change, slack = weight * (most + change * b->ds);
    return jd_sustained_clear(u, weight * weight, hypot(b->span, slack));
}

// Does the box touch the region where orbits can be?
static bool matters(const sustained_search *u, const nsm_box *b) {
    return b->sum - b->dsum < u->window.sum_most && b->sum + b->dsum > u->window.sum_least &&
           nsm_box_h(b) + nsm_box_dh(b) > 0;
}

// Size of the box in |dh| + steep |ds|.
static double extent(const sustained_search *u, const nsm_box *b) {
    return nsm_box_dh(b) + u->x.steep * b->ds;
}

// |dH/ds| at fixed h + s in the box.
static double slope(const sustained_search *u, const nsm_box *b) {
    int n = u->n, m = u->n_stuck;
    double h = fabs(nsm_box_h(b)) + nsm_box_dh(b), s = b->s + b->ds, sum = 0;
    for (int j = 0; j < n; j++) {
        double part = 0, o = fmin(1, u->x.omega[j] * h);
        for (int k = 0; k < m; k++) {
            double x = u->matrix.twist[j * m + k] * fmin(1, u->x.sigma[k] * s);
            part += x * x;
        }
        sum += o * o * part;
    }
    return fmin(sqrt(sum), 1 + u->x.steep);
}

static bool settled(const sustained_search *u, const nsm_box *b, bool *near) {
    *near = false;
    for (int i = 0; i < u->n_lapse; i++) {
        const nsm_lapse *l = &u->lapse[i];
        double far = fabs(nsm_box_h(b) - l->h) + u->x.steep * fabs(b->s - l->s);
        if (far + extent(u, b) < l->alone) return true;
        *near |= far < 3 * extent(u, b);
    }
    return false;
}

static jd_status keep(sustained_search *u, nsm_lapse found) {
    if (u->n_lapse == u->lapse_room) {
        int room = u->lapse_room ? 2 * u->lapse_room : 64;
        nsm_lapse *more = JD_TAKE(u->arena, nsm_lapse, room);
        JD_TRY(jd_arena_status(u->arena));
        if (u->n_lapse) memcpy(more, u->lapse, (size_t)u->n_lapse * sizeof *more);
        u->lapse = more;
        u->lapse_room = room;
    }
    u->lapse[u->n_lapse++] = found;
    return JD_OK;
}

// Newton's method from the middle of a box; a new solution is kept.
static jd_status try_newton(sustained_search *u, const nsm_box *b) {
    double h = nsm_box_h(b), s = b->s, least = smallest / u->s->modes.fastest;
    if (!jd_sustained_newton(u, &h, &s, 4 * extent(u, b)) || h < least || s < least) return JD_OK;
    for (int i = 0; i < u->n_lapse; i++)
        if (fabs(u->lapse[i].h - h) + u->x.steep * fabs(u->lapse[i].s - s) <= same * (h + s))
            return JD_OK;
    return keep(u, (nsm_lapse){h, s, jd_sustained_alone(u, h, s)});
}

// Halves across one side or both: what makes up most of the span. Returns the new top.
static int cut(const nsm_box *b, nsm_box *stack, int top) {
    bool sums = 3 * b->dsum > b->span, times = 3 * (b->span - b->dsum) > b->span;
    for (int q = 0; q < 4; q++) {
        if ((!sums && q & 1) || (!times && q & 2)) continue;
        nsm_box part = *b;
        if (sums) {
            part.dsum = b->dsum / 2;
            part.sum += q & 1 ? part.dsum : -part.dsum;
        }
        if (times) {
            part.ds = b->ds / 2;
            part.s += q & 2 ? part.ds : -part.ds;
        }
        stack[top++] = part;
    }
    return top;
}

static bool spent(const sustained_search *u) {
    long long each = 2LL * u->n * u->n_stuck * u->n_stuck + 400LL * u->n;
    return u->report.looks * each > most_work;
}

// What is left of the first box, depth first.
static jd_status clear_box(sustained_search *u, nsm_box first) {
    nsm_box stack[DEPTH];
    int top = 0, looks = 0;
    stack[top++] = first;
    while (top > 0 && !spent(u)) {
        nsm_box b = stack[--top];
        bool near;
        if (looks++ == most_looks) {
            u->report.undecided += top + 1;
            return JD_OK;
        }
        if (!matters(u, &b) || settled(u, &b, &near)) continue;
        b.span = b.dsum + slope(u, &b) * b.ds;
        u->report.looks++;
        jd_sustained_look(&u->x, nsm_box_h(&b), b.s, u->matrix.H, NULL, NULL);
        if (jd_sustained_clear(u, 0, b.span) || excluded_by_mean(u, &b)) continue;
        if (b.span * u->s->modes.fastest < smallest || top + 4 > DEPTH) {
            u->report.undecided++;
            continue;
        }
        double size = extent(u, &b) * u->s->modes.fastest;
        if (!near && size < try_at) JD_TRY(try_newton(u, &b));
        if (size < doubt_at && jd_sustained_excluded(u, &b)) continue;
        top = cut(&b, stack, top);
    }
    return JD_OK;
}

// Rectangles over the whole region by rising h + s, so that a search that is given up is complete
// down to a frequency.
static jd_status search(sustained_search *u) {
    double most = fmin(u->window.s_most, u->window.sum_most),
           range = u->window.sum_most - u->window.sum_least, unit = tile / u->s->modes.fastest;
    int n_sum = 1 + (int)(range / unit), n_s = 1 + (int)(most / unit);
    u->report.down_to = pi / u->window.sum_most;
    for (int i = 0; i < n_sum && !spent(u); i++) {
        nsm_box b = {.sum = u->window.sum_least + (i + 0.5) * range / n_sum,
                     .dsum = range / n_sum / 2,
                     .ds = most / n_s / 2};
        for (int k = 0; k < n_s; k++) {
            b.s = (2 * k + 1) * b.ds;
            JD_TRY(clear_box(u, b));
        }
        if (spent(u)) u->report.down_to = pi / (b.sum - b.dsum);
        jd_progress(u->s->context, "sustained contact", (i + 1.0) / n_sum);
    }
    u->report.given_up = spent(u);
    u->report.complete = !u->report.given_up && u->report.undecided == 0;
    return JD_OK;
}

static int by_omega(const void *x, const void *y) {
    const jd_nsm_sustained *a = x, *b = y;
    return a->omega > b->omega ? -1 : a->omega < b->omega;
}

static jd_status list_orbits(sustained_search *u) {
    jd_nsm *s = u->s;
    s->found.sustained = JD_TAKE(s->arena, jd_nsm_sustained, u->n_lapse);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < u->n_lapse; i++) {
        double sum = u->lapse[i].h + u->lapse[i].s;
        bool good;
        if (sum < u->window.sum_least || sum > u->window.sum_most) continue;
        u->report.solutions++;
        JD_TRY(jd_sustained_orbit(u, u->lapse[i].h, u->lapse[i].s,
                                  &s->found.sustained[s->found.n_sustained], &good));
        if (good) s->found.n_sustained++;
    }
    qsort(s->found.sustained, (size_t)s->found.n_sustained, sizeof *s->found.sustained, by_omega);
    return JD_OK;
}

static jd_status take(sustained_search *u) {
    int n = u->n, m = u->n_stuck, N = n + 1;
    double **matrices[] = {&u->matrix.H,      &u->matrix.Hh,     &u->matrix.Hs,   &u->matrix.G,
                           &u->matrix.factor, &u->newton.border, &u->matrix.twist};
    double **vectors[] = {&u->matrix.row, &u->newton.z, &u->newton.y, &u->newton.step,
                          &u->newton.side};
    for (int i = 0; i < 7; i++) *matrices[i] = JD_TAKE(u->arena, double, (size_t)N *(size_t)N);
    for (int i = 0; i < 5; i++) *vectors[i] = JD_TAKE(u->arena, double, 2 * N);
    u->newton.pivot = JD_TAKE(u->arena, int, N);
    JD_TRY(jd_arena_status(u->arena));
    for (int i = 0; i < n * m; i++)
        u->matrix.twist[i] =
            (u->x.omega[i / m] / u->x.sigma[i % m] - u->x.sigma[i % m] / u->x.omega[i / m]) *
            u->x.Q[i];
    return jd_nsm_sum_create(u->s->context, u->arena, m, u->x.sigma, &u->push);
}

static jd_status prepare(sustained_search *u) {
    jd_nsm *s = u->s;
    double slowest = HUGE_VAL, low = s->options.omega_low;
    JD_TRY(jd_nsm_sustained_forms(s, u->arena, &u->x));
    for (int j = 0; j < s->modes.n; j++) {
        u->window.jerk += s->modes.a[j] / s->mass * pow(s->modes.omega[j], 4);
        slowest = fmin(slowest, s->modes.omega[j]);
    }
    u->window.jerk = sqrt(u->window.jerk);
    u->window.sum_least = fmax(pi / s->options.omega_high, pi / (2 * s->modes.fastest));
    u->window.sum_most = pi / (low > 0 ? low : slowest);
    for (int k = 0; k < u->n_stuck; k++) u->window.s_most += pi / (2 * u->x.sigma[k]);
    return take(u);
}

jd_status jd_nsm_find_sustained(jd_nsm *s) {
    sustained_search u = {.s = s, .n = s->modes.n, .n_stuck = s->modes.n - 1};
    s->found.search =
        (jd_nsm_search){.asked = true, .complete = true, .down_to = s->options.omega_low};
    if (s->modes.n < 2) return JD_OK; // no force keeps a single mass on the stop
    u.report = s->found.search;
    u.arena = jd_arena_create(s->context);
    if (!u.arena) return JD_OUT_OF_MEMORY;
    jd_status status = prepare(&u);
    if (status == JD_OK && u.window.sum_least < u.window.sum_most) status = search(&u);
    if (status == JD_OK) status = list_orbits(&u);
    s->found.search = u.report;
    jd_expbasis_free(u.push.basis);
    jd_arena_free(u.arena);
    return status;
}

int jd_nsm_sustained_count(const jd_nsm *s) { return s->found.n_sustained; }
const jd_nsm_sustained *jd_nsm_sustained_at(const jd_nsm *s, int i) {
    return i >= 0 && i < s->found.n_sustained ? &s->found.sustained[i] : NULL;
}
jd_nsm_search jd_nsm_search_of(const jd_nsm *s) { return s->found.search; }

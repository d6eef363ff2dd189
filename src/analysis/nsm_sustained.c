// nsm_sustained.c -- all orbits that rest on the stop, in a window of frequencies.
//   They are the (h, s) at which the matrix H of problem/sustained.h loses rank (flight 2 h,
//   contact 2 s). A rectangle around (h, s) with half sides dh, ds holds none when
//     |H(h, s) z| > (dh + steep ds) |z|  for all z,     as |dH/dh| <= 1, |dH/ds| <= steep;
//   else it is cut in four. What is left closes in on solutions, which Newton's method finds and
//   nsm_hunt_alone separates. Where orbits can be at all:
//   - contact: push + R = sum c_k cos(sigma_k t) >= R > 0 for |t| < s. Adding its values at t +-
//     pi/(2 sigma_1) kills the first term, and so on: s < sum_k pi/(2 sigma_k).
//   - the mean of u over a period is -c times the mean push, negative: with m u = -1/2 int push
//     C(t - t'), C > 0 for T < pi/omega_n, h + s >= pi/(2 omega_n); and from release on |u - g| <=
//     jerk sqrt(2 E) t^3/6, so (h + s) c R <= jerk sqrt(2 E) h^4/24: R is small next to z where the
//     flight is short. Near h = 0 every period of the held structure would else look like an orbit.
#include "analysis/nsm_sustained.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.141592653589793;
static const double tile = 1.5;      // first rectangles, in radians of the fastest mode
static const double smallest = 1e-6; // of them: given up as undecided
static const double try_at = 0.5;    // Newton's method from here on, in such radians
static const double same = 1e-9;     // solutions closer than that (in h + steep s) are one
enum { DEPTH = 200 };
static const long long most_work = 5000000000; // multiplications; then the search stops

typedef struct box {
    double h, s, dh, ds;
} box;

static double span(const nsm_hunt *u, const box *b) { return b->dh + u->x.steep * b->ds; }

// R as a function of z at s; bounds of |R| over |z| for orbits in the box and of its change.
static bool excluded_by_mean(nsm_hunt *u, const box *b) {
    double change = 0, lowest = u->x.sigma[0], steep = u->x.steep;
    for (int k = 0; k < u->m; k++) {
        double p = u->x.sigma[k], r = u->x.reaction[k];
        u->row[k] = r * cos(p * b->s) / (p * p);
        change += r * r / (p * p);
        lowest = fmin(lowest, p);
    }
    change = sqrt(change);
    double h = b->h + b->dh, sum = fmax(b->h + b->s - b->dh - b->ds, u->sum_least);
    double most = u->jerk * steep / lowest * pow(h, 4) / (24 * u->x.compliance * sum);
    double weight = 0.5 * (1 + steep) / change, slack = weight * (most + change * b->ds);
    return nsm_hunt_clear(u, weight * weight, hypot(span(u, b), slack));
}

// Does the box touch the region where orbits can be?
static bool matters(const nsm_hunt *u, const box *b) {
    return b->h + b->s - b->dh - b->ds < u->sum_most && b->h + b->s + b->dh + b->ds > u->sum_least;
}

static bool settled(const nsm_hunt *u, const box *b, bool *near) {
    *near = false;
    for (int i = 0; i < u->n_lapse; i++) {
        const nsm_lapse *l = &u->lapse[i];
        double far = fabs(b->h - l->h) + u->x.steep * fabs(b->s - l->s);
        if (far + span(u, b) < l->alone) return true;
        *near |= far < 3 * span(u, b);
    }
    return false;
}

static jd_status keep(nsm_hunt *u, nsm_lapse found) {
    if (u->n_lapse == u->room) {
        int room = u->room ? 2 * u->room : 64;
        nsm_lapse *more = JD_TAKE(u->arena, nsm_lapse, room);
        JD_TRY(jd_arena_status(u->arena));
        if (u->n_lapse) memcpy(more, u->lapse, (size_t)u->n_lapse * sizeof *more);
        u->lapse = more;
        u->room = room;
    }
    u->lapse[u->n_lapse++] = found;
    return JD_OK;
}

// Newton's method from the middle of a box; a new solution is kept.
static jd_status try_newton(nsm_hunt *u, const box *b) {
    double h = b->h, s = b->s, least = smallest / u->s->fastest;
    if (!nsm_hunt_newton(u, &h, &s, 4 * span(u, b)) || h < least || s < least) return JD_OK;
    for (int i = 0; i < u->n_lapse; i++)
        if (fabs(u->lapse[i].h - h) + u->x.steep * fabs(u->lapse[i].s - s) <= same * (h + s))
            return JD_OK;
    return keep(u, (nsm_lapse){h, s, nsm_hunt_alone(u, h, s)});
}

// What is left of the first box, depth first.
static jd_status clear_box(nsm_hunt *u, box first) {
    box stack[DEPTH];
    int top = 0;
    stack[top++] = first;
    while (top > 0) {
        box b = stack[--top];
        bool near;
        if (!matters(u, &b) || settled(u, &b, &near)) continue;
        u->report.looks++;
        jd_sustained_look(&u->x, b.h, b.s, u->H, NULL, NULL);
        if (nsm_hunt_clear(u, 0, span(u, &b)) || excluded_by_mean(u, &b)) continue;
        if (b.dh * u->s->fastest < smallest || top + 4 > DEPTH) {
            u->report.undecided++;
            continue;
        }
        if (!near && span(u, &b) * u->s->fastest < try_at) JD_TRY(try_newton(u, &b));
        for (int q = 0; q < 4; q++)
            stack[top++] = (box){b.h + (q & 1 ? 0.5 : -0.5) * b.dh,
                                 b.s + (q & 2 ? 0.5 : -0.5) * b.ds, b.dh / 2, b.ds / 2};
    }
    return JD_OK;
}

static int by_sum(const void *x, const void *y) {
    const box *a = x, *b = y;
    double p = a->h + a->s, q = b->h + b->s;
    return p < q ? -1 : p > q ? 1 : a->s < b->s ? -1 : a->s > b->s;
}

// Rectangles over the whole region by rising h + s, so that a search that is given up is complete
// down to a frequency.
static jd_status search(nsm_hunt *u) {
    double most = fmin(u->s_most, u->sum_most);
    int nh = 1 + (int)(u->h_most * u->s->fastest / tile),
        ns = 1 + (int)(most * u->x.steep * u->s->fastest / tile), n = 0;
    box *boxes = JD_TAKE(u->arena, box, (size_t)nh * (size_t)ns);
    JD_TRY(jd_arena_status(u->arena));
    for (int i = 0; i < nh; i++)
        for (int k = 0; k < ns; k++) {
            box b = {(i + 0.5) * u->h_most / nh, (k + 0.5) * most / ns, u->h_most / nh / 2,
                     most / ns / 2};
            if (matters(u, &b)) boxes[n++] = b;
        }
    qsort(boxes, (size_t)n, sizeof *boxes, by_sum);
    long long each = 2LL * u->n * u->m * u->m + 60LL * u->n;
    u->report.down_to = pi / u->sum_most;
    u->report.complete = true;
    for (int i = 0; i < n; i++) {
        if (u->report.looks * each > most_work) {
            u->report.complete = false;
            u->report.down_to = pi / (boxes[i].h + boxes[i].s - boxes[i].dh - boxes[i].ds);
            break;
        }
        JD_TRY(clear_box(u, boxes[i]));
        if (i % 16 == 0) jd_progress(u->s->context, "sustained contact", (double)i / n);
    }
    if (u->report.undecided > 0) u->report.complete = false;
    return JD_OK;
}

static int by_omega(const void *x, const void *y) {
    const jd_nsm_sustained *a = x, *b = y;
    return a->omega > b->omega ? -1 : a->omega < b->omega;
}

static jd_status judge(nsm_hunt *u) {
    jd_nsm *s = u->s;
    s->sustained = JD_TAKE(s->arena, jd_nsm_sustained, u->n_lapse);
    JD_TRY(jd_arena_status(s->arena));
    for (int i = 0; i < u->n_lapse; i++) {
        double sum = u->lapse[i].h + u->lapse[i].s;
        bool good;
        if (sum < u->sum_least || sum > u->sum_most) continue;
        u->report.solutions++;
        JD_TRY(
            nsm_hunt_orbit(u, u->lapse[i].h, u->lapse[i].s, &s->sustained[s->n_sustained], &good));
        if (good) s->n_sustained++;
    }
    qsort(s->sustained, (size_t)s->n_sustained, sizeof *s->sustained, by_omega);
    return JD_OK;
}

static jd_status take(nsm_hunt *u) {
    int n = u->n, m = u->m, N = n + 1;
    double **matrices[] = {&u->H, &u->Hh, &u->Hs, &u->G, &u->factor, &u->border};
    double **vectors[] = {&u->row, &u->z, &u->y, &u->step, &u->side};
    for (int i = 0; i < 6; i++) *matrices[i] = JD_TAKE(u->arena, double, (size_t)N *(size_t)N);
    for (int i = 0; i < 5; i++) *vectors[i] = JD_TAKE(u->arena, double, 2 * N);
    u->pivot = JD_TAKE(u->arena, int, N);
    jd_complex *pole = JD_TAKE(u->arena, jd_complex, m), *weight = JD_TAKE(u->arena, jd_complex, m);
    JD_TRY(jd_arena_status(u->arena));
    for (int k = 0; k < m; k++) {
        pole[k] = (jd_complex){0, u->x.sigma[k]};
        weight[k] = (jd_complex){1, 0};
    }
    jd_expbasis_def def = jd_default_expbasis_def();
    def.n_pole = m;
    def.pole = pole;
    JD_TRY(jd_expbasis_create(u->s->context, &def, &u->held));
    jd_watch_def watch = {.weight = weight};
    JD_TRY(jd_watch_create(u->held, &watch, &u->force));
    double **slots[] = {&u->re, &u->im, &u->re1, &u->im1};
    for (int i = 0; i < 4; i++) *slots[i] = JD_TAKE(u->arena, double, jd_expbasis_slots(u->held));
    return jd_arena_status(u->arena);
}

static jd_status prepare(nsm_hunt *u) {
    jd_nsm *s = u->s;
    double slowest = HUGE_VAL, low = s->options.omega_low;
    JD_TRY(nsm_sustained_forms(s, u->arena, &u->x));
    for (int j = 0; j < s->n; j++) {
        u->jerk += s->a[j] / s->mass * pow(s->omega[j], 4);
        slowest = fmin(slowest, s->omega[j]);
    }
    u->jerk = sqrt(u->jerk);
    u->sum_least = fmax(pi / s->options.omega_high, pi / (2 * s->fastest));
    u->sum_most = pi / (low > 0 ? low : slowest);
    u->h_most = u->sum_most;
    for (int k = 0; k < u->m; k++) u->s_most += pi / (2 * u->x.sigma[k]);
    return take(u);
}

jd_status nsm_find_sustained(jd_nsm *s) {
    nsm_hunt u = {.s = s, .n = s->n, .m = s->n - 1};
    s->search = (jd_nsm_search){.asked = true, .complete = true, .down_to = s->options.omega_low};
    if (s->n < 2) return JD_OK; // a single mass that rests is held there by nothing
    u.report = s->search;
    u.arena = jd_arena_create(s->context);
    if (!u.arena) return JD_OUT_OF_MEMORY;
    jd_status status = prepare(&u);
    if (status == JD_OK && u.sum_least < u.sum_most) status = search(&u);
    if (status == JD_OK) status = judge(&u);
    s->search = u.report;
    jd_expbasis_free(u.held);
    jd_arena_free(u.arena);
    return status;
}

int jd_nsm_sustained_count(const jd_nsm *s) { return s->n_sustained; }
const jd_nsm_sustained *jd_nsm_sustained_at(const jd_nsm *s, int i) {
    return i >= 0 && i < s->n_sustained ? &s->sustained[i] : NULL;
}
jd_nsm_search jd_nsm_search_of(const jd_nsm *s) { return s->search; }

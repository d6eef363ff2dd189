// guards.c -- what each contact watches, as polynomials, and the first that reaches 0.
//   stuck     hold N -+ T          slides   sign s' = sign u' - limit N'/kt  (rigid: sign u')
//   closed    N                    open     -p on each side; a dashpot that let go: -(kn p + cn p')
//   Most are settled by |g[0]| > sum of the moduli of all further terms; the others get their
//   polynomial and its certified first zero. A guard that begins on its limit is divided by tau as
//   often as it is zero there: known from the event that put it there, else told by rounding.
#include <math.h>

#include "engine/series/product.h"
#include "engine/series/series.h"
#include "engine/series/smooth/plane.h"
#include "linalg/first_zero.h"

enum { DEGREE = SERIES_DEGREE, DEEPEST = 14 };

static const double rounding = 8 * 0x1p-52;
static const double jump = 1e-10; // of a guard's terms: more is no rounding

typedef struct guard {
    double c[DEGREE + 1];
    double noise[DEEPEST]; // of the first coefficients
    double left_out;       // of the series, at tau = 1
    int order;             // zeros it begins with, as far as known
} guard;

static double length_of(const series *s, int r) { return s->plan.length[r]; }

static int held_of(const series *s, int item) {
    for (int h = 0; h < s->held.n; h++)
        if (s->held.item[h] == item) return h;
    return 0;
}

// Rounding of a force of order k, and what its series leaves out.
static double force_noise(const series *s, int item, int k) {
    const series_plan *p = &s->plan;
    const double *size = s->terms.size;
    double dt = s->terms.dt;
    int a = item - p->n_slider;
    if (a < 0 ? !(p->slider[item].kt > 0) : p->normal[a].kind == NORMAL_RIGID)
        return rounding * s->held.react_size[held_of(s, item)] * size[k + 2] * (k + 1) * (k + 2) /
               (dt * dt);
    if (a < 0)
        return rounding * (p->slider[item].kt * length_of(s, p->slider[item].row) * size[k] +
                           (k == 0 ? fabs(s->state.T[item]) : 0));
    const series_normal *g = &p->normal[a];
    if (g->row < 0)
        return rounding * fabs(s->terms.N[(size_t)k * (size_t)s->terms.normal_stride + (size_t)a]);
    return rounding * (g->kn * (length_of(s, g->row) * size[k] + (k == 0 ? fabs(g->gap) : 0)) +
                       g->cn * length_of(s, g->row) * size[k + 1] * (k + 1) / dt);
}

static double force_left_out(const series *s, int item, bool rate) {
    const series_plan *p = &s->plan;
    const double *Z = s->terms.Z, *direct = s->terms.direct;
    int a = item - p->n_slider, next = rate ? 2 : 1;
    double per = rate ? (s->terms.degree + 2) / s->terms.dt : 1;
    if (a < 0 ? !(p->slider[item].kt > 0) : p->normal[a].kind == NORMAL_RIGID) {
        int h = held_of(s, item);
        return per * (s->held.react[h] * Z[next] + s->held.react_size[h] * direct[next]);
    }
    if (a < 0) return sqrt(p->slider[item].kt) * Z[1];
    const series_normal *g = &p->normal[a];
    if (g->kind == NORMAL_SWING) { // |N| (omega dt)^k/k!
        double x = fabs(g->swing);
        for (int k = 1; k <= s->terms.degree + next && x > 0; k++) x *= g->omega * s->terms.dt / k;
        return per * x;
    }
    if (g->row < 0) return 0;
    double l = length_of(s, g->row);
    if (rate) return (g->kn * l + g->cn * p->pull[g->row]) * Z[1] + g->cn * l * direct[1];
    return (sqrt(g->kn) + g->cn * l) * Z[1];
}

double jd_series_power(double x, int n) {
    double y = 1;
    for (; n > 0; n >>= 1, x *= x)
        if (n & 1) y *= x;
    return y;
}

static bool is_fresh(const series *s) { return s->state.age <= 1e-6 * s->terms.dt; }

// Coefficients whose rounding has to be known: where the first is clear of it, no others.
static int deep(const series *s, const guard *g) {
    return fabs(g->c[0]) <= g->noise[0] || (is_fresh(s) && g->order > 0) ? DEEPEST : 1;
}

// Zeros the guard begins with: known ones are cleared, further ones told by rounding.
static int zeros(series *s, guard *g) {
    int n = 0;
    bool fresh = is_fresh(s);
    for (int k = 0; k < DEEPEST; k++) {
        bool known = fresh && k < g->order;
        if (known && (s->state.age == 0 || g->c[k] < 0)) g->c[k] = 0;
        if (n == k && fabs(g->c[k]) <= g->noise[k]) n = k + 1;
    }
    for (int k = 0; k < n; k++) g->c[k] = 0;
    return n;
}

// What orders above the first of all rows may add until tau_end.
static void measure_beyond(series *s) {
    double tau = s->step.tau_end, x = 0, d = 0;
    for (int k = s->terms.degree + 3; k > SERIES_FIRST; k--) {
        double size = sqrt(s->terms.sums[k].x);
        x = x * tau + size;
        d = d * tau + k * size;
    }
    double cube = tau * tau * tau;
    s->step.beyond = 1.000001 * x * cube * tau;
    s->step.beyond_rate = 1.000001 * d * cube;
    s->step.last = jd_series_power(tau, s->terms.degree + 1);
}

// Keeps the earliest, and all that are due at once.
static void keep(series *s, jd_zero z, series_change change) {
    series_step *t = &s->step;
    if (!z.found || z.tau > t->tau_end) return;
    if (z.tau < t->tau_end || t->n_change == 0 || z.tau > 0) t->n_change = 0;
    t->tau_end = z.tau;
    t->t_end = s->state.t0 + z.tau * s->terms.dt;
    t->change[t->n_change++] = change;
    if (!s->terms.whole) measure_beyond(s);
}

static void look(series *s, guard *g, series_change change) {
    int n = zeros(s, g), degree = s->terms.degree;
    double rest = 0;
    while (degree > n && g->c[degree] == 0) degree--;
    if (n >= DEEPEST || (degree <= n && g->c[n] == 0)) { // stays on its limit
        if (change.kind == CHANGE_STOP && s->plan.slider[change.index].kt > 0)
            keep(s, (jd_zero){true, true, 0}, change); // it does not move: another one holds it
        return;
    }
    for (int k = degree; k > n; k--) rest = (rest + fabs(g->c[k])) * s->step.tau_end;
    double sum = rest + fabs(g->c[n]);
    double slack =
        rounding * sum + g->left_out * jd_series_power(s->step.tau_end, s->terms.degree + 1 - n);
    if (g->c[n] > rest + slack) return;
    s->count.searches++;
    jd_zero z = jd_first_zero_of(degree - n, g->c + n, s->step.tau_end, slack);
    if (z.found && !z.sure) s->count.undecided++;
    change.jumped = n == 0 && g->c[0] < -jump * sum;
    keep(s, z, change);
}

static double rate_of(const series *s, int r, int k) {
    return (k + 1) * s->terms.u[(size_t)(k + 1) * (size_t)s->plan.row_stride + (size_t)r] /
           s->terms.dt;
}

static void watch_stuck(series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    int a = g->normal, item = s->plan.n_slider + a;
    size_t ns = (size_t)s->terms.normal_stride, ts = (size_t)s->terms.slider_stride;
    const double *N = s->terms.N + a, *T = s->terms.T + i;
    double left_out = force_left_out(s, i, false) + g->hold * force_left_out(s, item, false);
    double rest = jd_series_slider_change(s, i) + g->hold * jd_series_normal_change(s, a) +
                  left_out * s->step.last;
    for (int side = -1; side <= 1; side += 2) {
        if (g->hold * N[0] - side * T[0] > rest) continue;
        guard w = {.left_out = left_out};
        jd_series_fill_slider(s, i);
        if (s->state.slide_side[i] == side || s->state.slide_side[i] == 2)
            w.order = s->state.slide_order[i];
        for (int k = 0; k <= s->terms.degree; k++)
            w.c[k] = g->hold * N[(size_t)k * ns] - side * T[(size_t)k * ts];
        for (int k = 0, n = 1; k < n; n = deep(s, &w), k++)
            w.noise[k] = force_noise(s, i, k) + g->hold * force_noise(s, item, k);
        look(s, &w, (series_change){.kind = CHANGE_RELEASE, .index = i, .side = side});
    }
}

static void watch_sliding(series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    int a = g->normal, slide = s->state.slide[i], item = s->plan.n_slider + a;
    size_t ns = (size_t)s->terms.normal_stride;
    double soft = g->kt > 0 && s->plan.normal[a].kind != NORMAL_ONE ? g->limit / g->kt : 0;
    double per = 1 / s->terms.dt, l = length_of(s, g->row);
    const double *N = s->terms.N + a;
    double first = slide * (rate_of(s, g->row, 0) - g->belt) - soft * per * N[ns];
    double rest = per * (jd_series_row_rate_change(s, g->row) +
                         (soft > 0 ? soft * jd_series_normal_rate_change(s, a) : 0));
    double left_out = l * s->terms.Z[1];
    if (soft > 0) left_out += soft * force_left_out(s, item, true);
    if (first > rest + left_out * s->step.last) return;
    guard w = {.left_out = left_out, .order = s->state.slide_order[i]};
    jd_series_fill_slider(s, i);
    for (int k = 0; k <= s->terms.degree; k++)
        w.c[k] = slide * rate_of(s, g->row, k) - soft * per * (k + 1) * N[(size_t)(k + 1) * ns];
    w.c[0] -= slide * g->belt;
    for (int k = 0, n = 1; k < n; n = deep(s, &w), k++) {
        w.noise[k] = rounding * l * s->terms.size[k + 1] * (k + 1) * per;
        if (soft > 0) w.noise[k] += soft * per * (k + 1) * force_noise(s, item, k + 1);
        if (k == 0) w.noise[0] += rounding * fabs(g->belt);
    }
    look(s, &w, (series_change){.kind = CHANGE_STOP, .index = i, .side = slide});
}

// What a normal force that changes leaves out of N^2 or N N', and its noise there.
static void add_pressing(const series *s, int i, double N, guard *w) {
    int a = s->plan.slider[i].normal, item = s->plan.n_slider + a;
    double dt = s->terms.dt, *rate = s->terms.N_rate_sum;
    bool slides = s->state.slide[i] != 0;
    double speed = (fabs(s->terms.N[(size_t)s->terms.normal_stride + (size_t)a]) + rate[a]) / dt;
    w->left_out += slides
                       ? N * force_left_out(s, item, true) + speed * force_left_out(s, item, false)
                       : 2 * N * force_left_out(s, item, false);
    for (int k = 0; k < DEEPEST; k++)
        w->noise[k] += slides ? N * (k + 1) / dt * force_noise(s, item, k + 1) +
                                    speed * force_noise(s, item, k)
                              : 2 * N * force_noise(s, item, k);
}

// What a plane watches, scaled: its rest is that of the forces, its noise theirs.
static void watch_plane(series *s, int i) {
    int other = s->plan.slider[i].partner, pair[2] = {i, other};
    guard w = {.order = s->state.slide_order[i]};
    int a = s->plan.slider[i].normal;
    double unit = 0, N = fabs(s->terms.N[a]) + s->terms.N_sum[a];
    jd_plane_guard(s, i, DEGREE, w.c);
    if (s->plan.normal[a].kind != NORMAL_ONE) add_pressing(s, i, N, &w);
    for (int c = 0; c < 2; c++) {
        const series_slider *g = &s->plan.slider[pair[c]];
        double speed = fabs(g->belt) + length_of(s, g->row) * s->state.unit;
        double size =
            s->state.slide[i] == 0 ? 2 * N / g->limit : g->kt * speed / (g->limit * g->limit);
        w.left_out += size * force_left_out(s, pair[c], false);
        for (int k = 0; k < DEEPEST; k++) w.noise[k] += size * force_noise(s, pair[c], k);
        unit += size * g->limit;
    }
    for (int k = 0; k < DEEPEST; k++) w.noise[k] += k == 0 ? rounding * unit : 0;
    look(s, &w,
         (series_change){.kind = s->state.slide[i] == 0 ? CHANGE_RELEASE : CHANGE_STOP,
                         .index = i,
                         .side = s->state.slide[i] == 0 ? 1 : s->state.slide[i]});
}

// The normal force of a plane beside the least with which it rubs; it lets go at half of that.
static void watch_edge(series *s, int i) {
    int a = s->plan.slider[i].normal, item = s->plan.n_slider + a;
    int sign = s->state.slide[i] == SERIES_FREE ? -1 : 1;
    double edge = jd_plane_edge(s, i) * (sign > 0 ? 0.5 : 1);
    if (!(edge > 0) || !s->state.closed[a]) return;
    guard w = {.left_out = force_left_out(s, item, false)};
    for (int k = 0; k <= s->terms.degree; k++)
        w.c[k] = sign * (s->terms.N[(size_t)k * (size_t)s->terms.normal_stride + (size_t)a] -
                         (k == 0 ? edge : 0));
    for (int k = 0; k < DEEPEST; k++) w.noise[k] = force_noise(s, item, k);
    look(s, &w, (series_change){.kind = CHANGE_EDGE, .index = i, .side = sign});
}

// The sign of the force of one direction, which is its letter.
static void watch_turn(series *s, int i) {
    const double *T = s->terms.T + i;
    int slide = s->state.slide[i];
    guard w = {.left_out = force_left_out(s, i, false), .order = s->state.slide_side[i] == 2};
    for (int k = 0; k <= DEGREE; k++)
        w.c[k] = slide * T[(size_t)k * (size_t)s->terms.slider_stride];
    for (int k = 0; k < DEEPEST; k++) w.noise[k] = force_noise(s, i, k);
    look(s, &w, (series_change){.kind = CHANGE_TURN, .index = i, .side = slide});
}

// sign N of a normal part that is closed (1), or a swinging one that is open (-1).
static void watch_force(series *s, int a, int sign) {
    size_t ns = (size_t)s->terms.normal_stride;
    const double *N = s->terms.N + a;
    int item = s->plan.n_slider + a;
    double left_out = force_left_out(s, item, false);
    if (sign * N[0] > jd_series_normal_change(s, a) + left_out * s->step.last) return;
    guard w = {.left_out = left_out, .order = s->state.normal_order[a]};
    jd_series_fill_normal(s, a);
    for (int k = 0; k <= s->terms.degree; k++) w.c[k] = sign * N[(size_t)k * ns];
    for (int k = 0, n = 1; k < n; n = deep(s, &w), k++) w.noise[k] = force_noise(s, item, k);
    look(s, &w,
         (series_change){.kind = sign > 0 ? CHANGE_OPEN : CHANGE_CLOSE, .index = a, .side = 1});
}

// sign p, or with `force` sign (kn p + cn p'), of order k on a side of an open part.
static double depth_of(const series *s, int a, int side, bool force, int k) {
    const series_normal *g = &s->plan.normal[a];
    const double *u = s->terms.u + g->row;
    size_t rs = (size_t)s->plan.row_stride;
    double dt = s->terms.dt, x = u[(size_t)k * rs], x1 = force ? u[(size_t)(k + 1) * rs] : 0;
    if (k == 0) x -= g->belt * s->state.t0;
    if (k == 0) x1 -= g->belt * dt;
    if (k == 1) x -= g->belt * dt;
    double p = side * x - (k == 0 ? g->gap : 0);
    return force ? g->kn * p + g->cn * side * (k + 1) * x1 / dt : p;
}

static void watch_depth(series *s, int a, int side, int sign, bool force, series_kind kind) {
    const series_normal *g = &s->plan.normal[a];
    double l = length_of(s, g->row), sum = 0, dt = s->terms.dt, tau = s->step.tau_end;
    double kn = force ? g->kn : 1, cn = force ? g->cn : 0;
    guard w = {.left_out =
                   kn * l * s->terms.Z[0] * dt / (s->terms.degree + 1) + cn * l * s->terms.Z[1]};
    if (!s->terms.whole) { // without dashpots
        double c0 = sign * depth_of(s, a, side, false, 0);
        for (int k = SERIES_FIRST; k > 0; k--)
            sum = (sum + fabs(depth_of(s, a, side, false, k))) * tau;
        if (c0 > sum + l * s->step.beyond + w.left_out * s->step.last) return;
        jd_series_fill_normal(s, a);
        sum = 0;
    }
    if (s->state.normal_side[a] == side) w.order = s->state.normal_order[a];
    if (kind == CHANGE_LEAVE) w.order = 0;
    for (int k = 0; k <= s->terms.degree; k++) {
        w.c[k] = sign * depth_of(s, a, side, force, k);
        if (k > 0) sum += fabs(w.c[k]);
    }
    if (w.c[0] > sum + w.left_out) return;
    for (int k = 0, n = 1; k < n; n = deep(s, &w), k++) {
        w.noise[k] =
            rounding * l * (kn * s->terms.size[k] + cn * s->terms.size[k + 1] * (k + 1) / dt);
        if (k == 0) w.noise[0] += rounding * kn * (fabs(g->gap) + fabs(g->belt * s->state.t0));
    }
    look(s, &w, (series_change){.kind = kind, .index = a, .side = side});
}

static void watch_normal(series *s, int a) {
    const series_normal *g = &s->plan.normal[a];
    if (g->kind == NORMAL_ONE || (g->kind == NORMAL_SWING && fabs(g->swing) < 1)) return;
    if (s->state.closed[a]) {
        watch_force(s, a, 1);
    } else if (g->kind == NORMAL_SWING) {
        watch_force(s, a, -1);
    } else {
        for (int side = 1; side >= (g->both ? -1 : 1); side -= 2) {
            if (s->state.inside[a] != side) {
                watch_depth(s, a, side, -1, false, CHANGE_CLOSE);
                continue;
            }
            watch_depth(s, a, side, -1, true, CHANGE_CLOSE);
            watch_depth(s, a, side, 1, false, CHANGE_LEAVE);
        }
    }
}

// Whether the orders that were not made of a slider's rows cannot matter: for given limits.
static bool is_clear(const series *s, int i) {
    const series_slider *g = &s->plan.slider[i];
    double l = s->plan.length[g->row], Z = s->terms.Z[1] * s->step.last, rest;
    if (s->plan.normal[g->normal].kind != NORMAL_ONE) return false;
    if (s->state.slide[i] == 0)
        rest = g->kt * l * s->step.beyond + sqrt(g->kt) * Z;
    else
        rest = l * (s->step.beyond_rate + s->terms.dt * Z);
    return s->step.margin[i] > 1.000001 * rest;
}

static void watch_slider(series *s, int i) {
    if (s->plan.slider[i].partner > i) watch_edge(s, i);
    if (s->state.slide[i] == SERIES_FREE || !(s->plan.slider[i].hold > 0)) return;
    if (!s->terms.whole && is_clear(s, i)) return;
    if (s->plan.slider[i].partner >= 0) {
        if (plane_leads(s, i)) watch_plane(s, i);
        if (s->state.slide[i] != 0) watch_turn(s, i);
        return;
    }
    if (s->state.slide[i] == 0)
        watch_stuck(s, i);
    else
        watch_sliding(s, i);
}

void jd_series_search(series *s, int first) {
    const series_plan *p = &s->plan;
    if (s->terms.whole) {
        jd_series_sum_moduli(s);
        s->step.last = 1;
    } else {
        measure_beyond(s);
    }
    if (first >= p->n_slider)
        watch_normal(s, first - p->n_slider);
    else if (first >= 0)
        watch_slider(s, first);
    for (int a = 0; a < p->n_normal; a++)
        if (p->n_slider + a != first) watch_normal(s, a);
    for (int i = 0; i < p->n_slider; i++)
        if (i != first) watch_slider(s, i);
}

// delay.c -- histories of one period, looked up at the delays; echoes of kinks in ascending order.
#include "engine/memory/delay.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

enum { MOST_ECHOES = 2000 };

typedef struct tap {
    double delay, coefficient;
} tap;

typedef struct kept {
    double t, h;
} kept;

struct delay_line {
    jd_arena *arena;
    int m, s, width;            // width: doubles of a panel, m (s + s + 1)
    double period, sign, close; // close: times nearer than this are the same
    int *n_tap;                 // m x m
    tap **tap;                  // of pair i, j: delays > 0
    int first, end, room;       // panels in use
    kept *panel;
    double *value;
    int n_delay, n_echo, echo_room;
    double *delay; // all delays > 0, ascending
    double *echo;  // ascending
};

static void add_delay(delay_line *d, double x) {
    int at = d->n_delay;
    for (int k = 0; k < d->n_delay; k++)
        if (fabs(d->delay[k] - x) <= d->close) return;
    while (at > 0 && d->delay[at - 1] > x) at--;
    memmove(d->delay + at + 1, d->delay + at, (size_t)(d->n_delay - at) * sizeof *d->delay);
    d->delay[at] = x;
    d->n_delay++;
}

// Taps of pair i, j: delays of G' up to the period, less sign times the jump at the period.
static jd_status set_taps(delay_line *d, const jd_response *r, int i, int j) {
    jd_response_delays g;
    int places = jd_response_places(r), pair = i * d->m + j, n = 0;
    JD_TRY(jd_response_delays_of(r, i, j, d->period * (1 + 1e-9), d->arena, &g));
    tap *list = d->tap[pair] = JD_TAKE(d->arena, tap, g.n + 1);
    JD_TRY(jd_arena_status(d->arena));
    double jump = jd_response_jump(r)[i * places + j], at_period = -d->sign * jump;
    for (int k = 0; k < g.n; k++) {
        if (g.delay[k] <= d->close) continue;
        if (fabs(g.delay[k] - d->period) <= d->close)
            at_period += g.coefficient[k];
        else
            list[n++] = (tap){g.delay[k], g.coefficient[k]};
    }
    if (at_period != 0) list[n++] = (tap){d->period, at_period};
    d->n_tap[pair] = n;
    return JD_OK;
}

static jd_status collect_delays(delay_line *d) {
    int most = 1;
    for (int pair = 0; pair < d->m * d->m; pair++) most += d->n_tap[pair];
    d->delay = JD_TAKE(d->arena, double, most);
    JD_TRY(jd_arena_status(d->arena));
    for (int pair = 0; pair < d->m * d->m; pair++)
        for (int k = 0; k < d->n_tap[pair]; k++) add_delay(d, d->tap[pair][k].delay);
    add_delay(d, d->period);
    return JD_OK;
}

jd_status delay_create(jd_arena *arena, const jd_response *r, int stages, delay_line **out) {
    delay_line *d = *out = JD_TAKE(arena, delay_line, 1);
    JD_TRY(jd_arena_status(arena));
    *d = (delay_line){.arena = arena, .m = jd_response_contacts(r), .s = stages};
    d->width = d->m * (2 * stages + 1);
    if (!jd_response_period(r, &d->period, &d->sign)) {
        jd_fail(jd_arena_context(arena), JD_NOT_SUPPORTED,
                "undamped waves in several bodies have no common period");
        jd_fail_hint(jd_arena_context(arena), "give the bodies some damping, or keep some modes");
        return JD_NOT_SUPPORTED;
    }
    d->close = 1e-12 * d->period;
    d->n_tap = JD_TAKE(arena, int, d->m * d->m);
    d->tap = JD_TAKE(arena, tap *, d->m * d->m);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < d->m; i++)
        for (int j = 0; j < d->m; j++) JD_TRY(set_taps(d, r, i, j));
    JD_TRY(collect_delays(d));
    return delay_kink(d, 0);
}

double delay_shortest(const delay_line *d) { return d->delay[0]; }

// The panel at t, and how far into it; NULL before the start.
static const double *panel_at(const delay_line *d, double t, bool after, double *theta) {
    int low = d->first, high = d->end; // last panel that begins before t (or at it)
    double edge = after ? t + d->close : t - d->close;
    while (low < high) {
        int middle = (low + high) / 2;
        if (d->panel[middle].t <= edge)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == d->first) return NULL;
    const kept *p = &d->panel[low - 1];
    *theta = fmin(fmax((t - p->t) / p->h, 0), 1);
    return d->value + (size_t)(low - 1) * (size_t)d->width;
}

static double polynomial_at(int degree, const double *p, double x) {
    double sum = p[degree];
    for (int r = degree - 1; r >= 0; r--) sum = sum * x + p[r];
    return sum;
}

double delay_velocity(const delay_line *d, int i, double t, bool after) {
    double theta, sum = 0;
    int s = d->s;
    const double *p = panel_at(d, t - d->period, after, &theta);
    if (p) sum = d->sign * polynomial_at(s, p + d->m * s + i * (s + 1), theta);
    for (int j = 0; j < d->m; j++) {
        const tap *list = d->tap[i * d->m + j];
        for (int k = 0; k < d->n_tap[i * d->m + j]; k++) {
            p = panel_at(d, t - list[k].delay, after, &theta);
            if (p) sum += list[k].coefficient * polynomial_at(s - 1, p + j * s, theta);
        }
    }
    return sum;
}

// Room for one more panel: forgets what is older than a period, or grows.
static jd_status make_room(delay_line *d, double t) {
    while (d->first < d->end &&
           d->panel[d->first].t + d->panel[d->first].h < t - d->period - 10 * d->close)
        d->first++;
    if (d->end < d->room) return JD_OK;
    int n = d->end - d->first, room = 2 * n >= d->room ? 2 * n + 256 : d->room;
    kept *panel = d->panel;
    double *value = d->value;
    if (room > d->room) {
        panel = JD_TAKE(d->arena, kept, room);
        value = JD_TAKE(d->arena, double, (size_t)room *(size_t)d->width);
        JD_TRY(jd_arena_status(d->arena));
    }
    if (n > 0) {
        memmove(panel, d->panel + d->first, (size_t)n * sizeof *panel);
        memmove(value, d->value + (size_t)d->first * (size_t)d->width,
                (size_t)n * (size_t)d->width * sizeof *value);
    }
    d->panel = panel;
    d->value = value;
    d->room = room;
    d->first = 0;
    d->end = n;
    return JD_OK;
}

jd_status delay_keep(delay_line *d, double t, double h, const double *F, const double *w) {
    JD_TRY(make_room(d, t));
    d->panel[d->end] = (kept){t, h};
    double *to = d->value + (size_t)d->end * (size_t)d->width;
    memcpy(to, F, (size_t)(d->m * d->s) * sizeof *to);
    memcpy(to + d->m * d->s, w, (size_t)(d->m * (d->s + 1)) * sizeof *to);
    d->end++;
    return JD_OK;
}

double delay_next(delay_line *d, double t) {
    int past = 0;
    while (past < d->n_echo && d->echo[past] <= t + d->close) past++;
    d->n_echo -= past;
    memmove(d->echo, d->echo + past, (size_t)d->n_echo * sizeof *d->echo);
    return d->n_echo > 0 ? d->echo[0] : HUGE_VAL;
}

static jd_status add_echo(delay_line *d, double t) {
    int at = d->n_echo;
    if (at >= MOST_ECHOES) return JD_OK; // from here on panels meet kinks inside and shorten
    while (at > 0 && d->echo[at - 1] > t + d->close) at--;
    if (at > 0 && fabs(d->echo[at - 1] - t) <= d->close) return JD_OK;
    if (d->n_echo == d->echo_room) {
        int room = 2 * d->echo_room + 64;
        double *list = JD_TAKE(d->arena, double, room);
        JD_TRY(jd_arena_status(d->arena));
        if (d->n_echo) memcpy(list, d->echo, (size_t)d->n_echo * sizeof *list);
        d->echo = list;
        d->echo_room = room;
    }
    memmove(d->echo + at + 1, d->echo + at, (size_t)(d->n_echo - at) * sizeof *d->echo);
    d->echo[at] = t;
    d->n_echo++;
    return JD_OK;
}

jd_status delay_kink(delay_line *d, double t) {
    for (int k = 0; k < d->n_delay; k++) JD_TRY(add_echo(d, t + d->delay[k]));
    return JD_OK;
}

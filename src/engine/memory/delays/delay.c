// delay.c -- histories of one period, looked up at the delays, smeared where there is damping;
// echoes of kinks in ascending order.
#include "engine/memory/delays/delay.h"

#include <math.h>
#include <string.h>

#include "engine/memory/delays/echo_grid.h"
#include "engine/memory/delays/smeared.h"
#include "engine/memory/panel/nodes.h"

enum { MOST_ECHOES = 20000 };
static const double bell_share = 1.5; // of the narrowest bell: longest panel of sums

// Panels of the last period, and echoes of kinks that are waited for.
typedef struct history {
    int first, end, room; // panels in use
    kept *panel;
    double *value; // n_value of each panel
    int n_echo, echo_room;
    double *echo; // ascending [s]
} history;

struct delay_line {
    jd_arena *arena;
    int m, places, s; // places: contacts, then drives
    // doubles of a panel: forces, places s; what comes back after the period, m (s + 1); samples
    int n_value;
    double period, sign, close; // close: times nearer than this are the same
    double width, sigma;        // smear of the period and its bell (0: sharp)
    bool rough;                 // bells to 1e-8 will do
    double narrow, reach, near; // narrowest bell; how far bells reach, over their sigma
    jd_echo_taps *tap;          // m x places, without those after the whole period
    double *last;               // m x places: coefficients after the whole period
    echo_grid *grid;            // coarse tolerances: echoes of even samples; else NULL
    double spacing;             // of its points [s]; 0: no grid
    bool split;                 // sums over panels that may be long beside a bell
    int *degree;                // places + m: of the polynomials it is filled from
    const double **from;        // and where those are
    history past;               // what is saved; all else is the plan of the line
};

// What comes back after the whole period does so as the forced velocity itself does: both are kept
// as one history.
static jd_status join_period(delay_line *d) {
    d->last = JD_TAKE(d->arena, double, d->m * d->places);
    JD_TRY(jd_arena_status(d->arena));
    for (int pair = 0; pair < d->m * d->places; pair++) {
        jd_echo_taps *t = &d->tap[pair];
        if (t->n == 0 || fabs(t->delay[t->n - 1] - d->period) > d->close) continue;
        d->last[pair] = t->coefficient[--t->n];
    }
    return JD_OK;
}

// Echoes in the order in which jd_delay_velocity looks them up.
static jd_status create_grid(delay_line *d) {
    int n = d->m, at = 0;
    for (int pair = 0; pair < d->m * d->places; pair++) n += d->tap[pair].n;
    grid_echo *echo = JD_TAKE(d->arena, grid_echo, n);
    d->degree = JD_TAKE(d->arena, int, d->places + d->m);
    d->from = JD_TAKE(d->arena, const double *, d->places + d->m);
    JD_TRY(jd_arena_status(d->arena));
    for (int i = 0; i < d->m; i++) {
        echo[at++] = (grid_echo){d->places + i, d->period, d->width, d->sigma, d->reach * d->sigma};
        for (int j = 0; j < d->places; j++) {
            const jd_echo_taps *t = &d->tap[i * d->places + j];
            for (int k = 0; k < t->n; k++)
                echo[at++] =
                    (grid_echo){j, t->delay[k], t->width[k], t->sigma[k], d->reach * t->sigma[k]};
        }
    }
    for (int i = 0; i < d->places + d->m; i++) d->degree[i] = d->s - (i < d->places);
    return jd_grid_create(d->arena, d->spacing, d->places + d->m, n, echo, &d->grid);
}

jd_status jd_delay_create(jd_arena *arena, const jd_response *r, const jd_echo_kernel *kernel,
                          int stages, delay_line **out) {
    delay_line *d = *out = JD_TAKE(arena, delay_line, 1);
    JD_TRY(jd_arena_status(arena));
    *d = (delay_line){.arena = arena,
                      .m = jd_response_contacts(r),
                      .places = jd_response_places(r),
                      .s = stages,
                      .period = kernel->period,
                      .sign = kernel->sign,
                      .width = kernel->width,
                      .sigma = kernel->sigma,
                      .narrow = kernel->narrow,
                      .reach = kernel->reach,
                      .rough = kernel->error > 1e-6,
                      .near = kernel->error > 1e-6   ? 0.75
                              : kernel->error > 1e-8 ? 1.5
                                                     : 4};
    d->n_value = d->places * stages + d->m * (stages + 1) +
                 (d->sigma > 0 ? SAMPLES * (d->places + d->m) : 0);
    d->close = 1e-12 * d->period;
    d->tap = JD_TAKE(arena, jd_echo_taps, d->m * d->places);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < d->m; i++)
        for (int j = 0; j < d->places; j++)
            JD_TRY(jd_echo_taps_of(r, kernel, i, j, arena, &d->tap[i * d->places + j]));
    JD_TRY(join_period(d));
    d->spacing = kernel->spacing;
    if (d->spacing > 0) JD_TRY(create_grid(d));
    return jd_delay_kink(d, 0, 0, d->places);
}

double jd_delay_period(const delay_line *d) { return d->period; }

// A panel must be history before its smeared echo begins, and short beside the narrowest bell.
double jd_delay_room(const delay_line *d) {
    double room = d->period - d->reach * d->sigma, beyond = GRID_BEYOND * d->spacing;
    for (int pair = 0; pair < d->m * d->places; pair++) {
        const jd_echo_taps *t = &d->tap[pair];
        for (int k = 0; k < t->n; k++) room = fmin(room, t->delay[k] - d->reach * t->sigma[k]);
    }
    bool summed = d->sigma > 0 && !d->grid;
    return fmin(0.99 * (room - beyond), summed ? bell_share * d->narrow : HUGE_VAL);
}

// The panel at t, the last that begins at `edge` or before; how far into it; NULL before the start.
static const double *panel_at(const delay_line *d, double t, double edge, double *theta) {
    int low = d->past.first, high = d->past.end;
    while (low < high) {
        int middle = (low + high) / 2;
        if (d->past.panel[middle].t <= edge)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == d->past.first) return NULL;
    const kept *p = &d->past.panel[low - 1];
    *theta = fmin(fmax((t - p->t) / p->h, 0), 1);
    return d->past.value + (size_t)(low - 1) * (size_t)d->n_value;
}

// First panel that ends after t.
static int panel_after(const delay_line *d, double t) {
    int low = d->past.first, high = d->past.end;
    while (low < high) {
        int middle = (low + high) / 2;
        if (d->past.panel[middle].t + d->past.panel[middle].h <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// N_w * history at u.
static double smeared(const delay_line *d, double u, double width, double sigma, int at,
                      int degree) {
    double reach = d->reach * sigma;
    int from = panel_after(d, u - reach), to = from;
    while (to < d->past.end && d->past.panel[to].t < u + reach) to++;
    const double *value = d->past.value + (size_t)from * (size_t)d->n_value;
    int forces = d->places * d->s,
        sample = at < forces ? at / d->s : d->places + (at - forces) / (d->s + 1);
    smear c = jd_smear_at(u, width, sigma, d->near, d->rough);
    return jd_smear_sum(&c, to - from, d->past.panel + from, degree, value + at,
                        value + forces + d->m * (d->s + 1) + SAMPLES * sample, d->n_value);
}

// The history at t: coefficients at `at` of a panel that begins at `edge` or before, smeared by
// `width`.
static double look(const delay_line *d, double t, double width, double sigma, double edge, int at,
                   int degree) {
    double theta;
    if (sigma > 0) return smeared(d, t, width, sigma, at, degree);
    const double *p = panel_at(d, t, edge, &theta);
    return p ? jd_polynomial(degree, p + at, theta) : 0;
}

// The same from the grid, at n times; echo by echo.
static void grid_velocities(const delay_line *d, int i, int n, const double *t, double *out) {
    int at = 0;
    for (int r = 0; r < i; r++, at++)
        for (int j = 0; j < d->places; j++) at += d->tap[r * d->places + j].n;
    memset(out, 0, (size_t)n * sizeof *out);
    jd_grid_add(d->grid, at++, n, t, 1, out);
    for (int j = 0; j < d->places; j++) {
        const jd_echo_taps *g = &d->tap[i * d->places + j];
        for (int k = 0; k < g->n; k++) jd_grid_add(d->grid, at++, n, t, g->coefficient[k], out);
    }
}

// What arrived at `edge` or before is in it.
static double velocity_at(const delay_line *d, int i, double t, double edge) {
    int s = d->s, at = d->places * s + i * (s + 1);
    double sum = look(d, t - d->period, d->width, d->sigma, edge - d->period, at, s);
    for (int j = 0; j < d->places; j++) {
        const jd_echo_taps *g = &d->tap[i * d->places + j];
        for (int k = 0; k < g->n; k++)
            sum += g->coefficient[k] * look(d, t - g->delay[k], g->width[k], g->sigma[k],
                                            edge - g->delay[k], j * s, s - 1);
    }
    return sum;
}

void jd_delay_velocities(const delay_line *d, int i, double begin, int n, const double *t,
                         double *out) {
    if (d->grid) {
        grid_velocities(d, i, n, t, out);
        return;
    }
    for (int l = 0; l < n; l++)
        out[l] = velocity_at(d, i, t[l], fmax(begin + d->close, t[l] - d->close));
}

double jd_delay_velocity(const delay_line *d, int i, double t, bool after) {
    double v;
    if (!d->grid) return velocity_at(d, i, t, after ? t + d->close : t - d->close);
    grid_velocities(d, i, 1, &t, &v);
    return v;
}

// Integral of a sharp history over `length` from t on; ends within `close` of a panel's are its.
static double moved(const delay_line *d, double t, double length, int at, int degree) {
    double sum = 0;
    for (int i = panel_after(d, t + d->close); i < d->past.end && length > 0; i++) {
        const kept *p = &d->past.panel[i];
        double begin = fmax(t, p->t), skipped = begin - t, end = p->t + p->h;
        if (skipped > d->close) length = fmax(length - skipped, 0); // before the start
        bool last = i + 1 == d->past.end || begin + length <= end + d->close;
        double part = last ? length : end - begin;
        sum +=
            part * jd_polynomial_mean(degree, d->past.value + (size_t)i * (size_t)d->n_value + at,
                                      (begin - p->t) / p->h, part / p->h);
        length -= part;
        t = end;
    }
    return sum;
}

double jd_delay_moved(const delay_line *d, int i, double t, double length) {
    int s = d->s, at = d->places * s + i * (s + 1);
    double sum = moved(d, t - d->period, length, at, s);
    for (int j = 0; j < d->places; j++) {
        const jd_echo_taps *g = &d->tap[i * d->places + j];
        for (int k = 0; k < g->n; k++)
            sum += g->coefficient[k] * moved(d, t - g->delay[k], length, j * s, s - 1);
    }
    return sum;
}

// Room for one more panel: forgets what is older than a period, or grows.
static jd_status make_room(delay_line *d, double t) {
    while (d->past.first < d->past.end &&
           d->past.panel[d->past.first].t + d->past.panel[d->past.first].h <
               t - d->period - d->reach * d->sigma - 10 * d->close - 2 * GRID_BEYOND * d->spacing)
        d->past.first++;
    if (d->past.end < d->past.room) return JD_OK;
    int n = d->past.end - d->past.first, room = 2 * n >= d->past.room ? 2 * n + 256 : d->past.room;
    kept *panel = d->past.panel;
    double *value = d->past.value;
    if (room > d->past.room) {
        panel = JD_TAKE(d->arena, kept, room);
        value = JD_TAKE(d->arena, double, (size_t)room *(size_t)d->n_value);
        JD_TRY(jd_arena_status(d->arena));
    }
    if (n > 0) {
        memmove(panel, d->past.panel + d->past.first, (size_t)n * sizeof *panel);
        memmove(value, d->past.value + (size_t)d->past.first * (size_t)d->n_value,
                (size_t)n * (size_t)d->n_value * sizeof *value);
    }
    d->past.panel = panel;
    d->past.value = value;
    d->past.room = room;
    d->past.first = 0;
    d->past.end = n;
    return JD_OK;
}

// Puts panel number `at` on the grid.
static void grid_keep(delay_line *d, int at) {
    const double *value = d->past.value + (size_t)at * (size_t)d->n_value;
    for (int i = 0; i < d->places; i++, value += d->s) d->from[i] = value;
    for (int i = 0; i < d->m; i++, value += d->s + 1) d->from[d->places + i] = value;
    jd_grid_keep(d->grid, d->past.panel[at].t, d->past.panel[at].h, d->degree, d->from);
}

static void set_samples(const delay_line *d, double *value);

// The last panel, longer than sums over a bell allow, in parts.
static jd_status split_last(delay_line *d) {
    kept whole = d->past.panel[d->past.end - 1];
    int n = (int)ceil(whole.h / (bell_share * d->narrow) - 1e-9), first = d->past.end - 1;
    if (n <= 1) return JD_OK;
    for (int k = 1; k < n; k++, d->past.end++) {
        JD_TRY(make_room(d, whole.t));
        first = d->past.end - k;
        memcpy(d->past.value + (size_t)d->past.end * (size_t)d->n_value,
               d->past.value + (size_t)first * (size_t)d->n_value,
               (size_t)d->n_value * sizeof *d->past.value);
    }
    for (int k = 0; k < n; k++) {
        double *value = d->past.value + (size_t)(first + k) * (size_t)d->n_value,
               *back = value + d->places * d->s;
        d->past.panel[first + k] = (kept){whole.t + k * whole.h / n, whole.h / n};
        for (int i = 0; i < d->places; i++)
            jd_polynomial_part(d->s - 1, value + i * d->s, (double)k / n, 1.0 / n);
        for (int i = 0; i < d->m; i++)
            jd_polynomial_part(d->s, back + i * (d->s + 1), (double)k / n, 1.0 / n);
        set_samples(d, value);
    }
    return JD_OK;
}

// All panels anew: they were moved, or come from elsewhere.
static void grid_refill(delay_line *d) {
    if (!d->grid) return;
    jd_grid_clear(d->grid, d->past.first < d->past.end ? d->past.panel[d->past.first].t : 0);
    for (int i = d->past.first; i < d->past.end; i++) grid_keep(d, i);
}

static bool is_summed(const delay_line *d) { return d->sigma > 0 && !d->grid; }

// Values of the last panel that Gauss' rule needs.
static void set_samples(const delay_line *d, double *value) {
    const double *back = value + d->places * d->s;
    double *sample = value + d->places * d->s + d->m * (d->s + 1);
    if (!is_summed(d)) return;
    for (int i = 0; i < d->places; i++)
        jd_smear_sample(d->s - 1, value + i * d->s, sample + SAMPLES * i);
    for (int i = 0; i < d->m; i++)
        jd_smear_sample(d->s, back + i * (d->s + 1), sample + SAMPLES * (d->places + i));
}

jd_status jd_delay_keep(delay_line *d, double t, double h, const double *F, const double *w) {
    JD_TRY(make_room(d, t));
    d->past.panel[d->past.end] = (kept){t, h};
    double *to = d->past.value + (size_t)d->past.end * (size_t)d->n_value;
    int forces = d->places * d->s;
    memcpy(to, F, (size_t)forces * sizeof *to);
    double *back = to + forces;
    for (int i = 0; i < d->m; i++, back += d->s + 1) {
        for (int r = 0; r <= d->s; r++) back[r] = d->sign * w[i * (d->s + 1) + r];
        for (int j = 0; j < d->places; j++)
            for (int r = 0; r < d->s; r++) back[r] += d->last[i * d->places + j] * F[j * d->s + r];
    }
    set_samples(d, to);
    if (d->grid) grid_keep(d, d->past.end);
    d->past.end++;
    return d->split ? split_last(d) : JD_OK;
}

double jd_delay_next(delay_line *d, double t) {
    int past = 0;
    while (past < d->past.n_echo && d->past.echo[past] <= t + d->close) past++;
    d->past.n_echo -= past;
    if (past > 0)
        memmove(d->past.echo, d->past.echo + past, (size_t)d->past.n_echo * sizeof *d->past.echo);
    return d->past.n_echo > 0 ? d->past.echo[0] : HUGE_VAL;
}

static jd_status echo_room(delay_line *d, int wanted) {
    if (wanted <= d->past.echo_room) return JD_OK;
    int room = 2 * wanted + 64;
    double *list = JD_TAKE(d->arena, double, room);
    JD_TRY(jd_arena_status(d->arena));
    if (d->past.n_echo) memcpy(list, d->past.echo, (size_t)d->past.n_echo * sizeof *list);
    d->past.echo = list;
    d->past.echo_room = room;
    return JD_OK;
}

static jd_status add_echo(delay_line *d, double t) {
    int at = d->past.n_echo;
    while (at > 0 && d->past.echo[at - 1] > t + d->close) at--;
    if (at > 0 && fabs(d->past.echo[at - 1] - t) <= d->close) return JD_OK;
    if (d->past.n_echo ==
        MOST_ECHOES) { // the latest is given up: panels meet it inside and shorten
        if (at == d->past.n_echo) return JD_OK;
        d->past.n_echo--;
    }
    JD_TRY(echo_room(d, d->past.n_echo + 1));
    memmove(d->past.echo + at + 1, d->past.echo + at,
            (size_t)(d->past.n_echo - at) * sizeof *d->past.echo);
    d->past.echo[at] = t;
    d->past.n_echo++;
    return JD_OK;
}

jd_status jd_delay_kink(delay_line *d, double t, int first, int end) {
    if (d->sigma > 0) return JD_OK; // smeared: the step control sees to it
    JD_TRY(add_echo(d, t + d->period));
    for (int i = 0; i < d->m; i++)
        for (int j = first; j < end; j++) {
            const jd_echo_taps *g = &d->tap[i * d->places + j];
            for (int k = 0; k < g->n; k++)
                if (g->delay[k] > d->close) JD_TRY(add_echo(d, t + g->delay[k]));
        }
    return JD_OK;
}

double jd_delay_span(const delay_line *d) {
    return d->period + d->reach * d->sigma + 10 * d->close;
}

// Kinks of a history that repeats come back where they were to the accuracy of its period: looked
// up on the side that is meant.
static const double clone_close = 1e-6; // of the period

jd_status jd_delay_clone(jd_arena *arena, const delay_line *from, delay_line **out) {
    delay_line *d = *out = JD_TAKE(arena, delay_line, 1);
    JD_TRY(jd_arena_status(arena));
    *d = *from;
    d->arena = arena;
    d->close = clone_close * d->period;
    d->past = (history){0};
    d->split = d->grid != NULL; // a grid errs by more than changes of a motion may
    d->grid = NULL;
    return JD_OK;
}

// The points of a grid are counted from the first panel on.
void jd_delay_clear(delay_line *d, double first) {
    d->past.first = d->past.end = d->past.n_echo = 0;
    if (!d->grid) return;
    *jd_grid_origin(d->grid) = first + d->spacing / 2;
    jd_grid_clear(d->grid, first);
}

// Panels that are there are as long as a grid allows.
jd_status jd_delay_sum(delay_line *d) {
    history old = d->past;
    if (!d->grid) return JD_OK;
    d->grid = NULL;
    d->split = true;
    d->past = (history){.echo = old.echo, .n_echo = old.n_echo, .echo_room = old.echo_room};
    delay_line from = *d;
    from.past = old;
    return jd_delay_copy(d, &from, 0);
}

jd_status jd_delay_copy(delay_line *to, const delay_line *from, double by) {
    to->past.first = to->past.end = 0;
    for (int i = from->past.first; i < from->past.end; i++) {
        kept p = from->past.panel[i];
        JD_TRY(make_room(to, p.t + by));
        double *value = to->past.value + (size_t)to->past.end * (size_t)to->n_value;
        memcpy(value, from->past.value + (size_t)i * (size_t)from->n_value,
               (size_t)to->n_value * sizeof *value);
        to->past.panel[to->past.end++] = (kept){p.t + by, p.h};
        set_samples(to, value);
        if (to->split) JD_TRY(split_last(to));
    }
    return JD_OK;
}

void jd_delay_shift(delay_line *d, double by) {
    for (int i = d->past.first; i < d->past.end; i++) d->past.panel[i].t += by;
    for (int i = 0; i < d->past.n_echo; i++) d->past.echo[i] += by;
    if (d->grid) *jd_grid_origin(d->grid) += by;
    grid_refill(d);
}

// Room for what is read: no more than there are bytes for.
static jd_status prepare(delay_line *d, int panels, int echoes) {
    d->past.room = panels + 256;
    d->past.panel = JD_TAKE(d->arena, kept, d->past.room);
    d->past.value = JD_TAKE(d->arena, double, (size_t)d->past.room *(size_t)d->n_value);
    JD_TRY(jd_arena_status(d->arena));
    d->past.first = 0;
    d->past.end = panels;
    d->past.n_echo = 0;
    JD_TRY(echo_room(d, echoes));
    d->past.n_echo = echoes;
    return JD_OK;
}

jd_status jd_delay_visit(delay_line *d, snapshot *s, double now) {
    int panels = d->past.end - d->past.first, echoes = d->past.n_echo;
    snapshot_whole(s, &panels);
    snapshot_whole(s, &echoes);
    size_t one = ((size_t)d->n_value + 2) * sizeof(double), left = s->room - s->size;
    if (panels < 0 || echoes < 0 || (size_t)panels > left / one || echoes > MOST_ECHOES)
        snapshot_odd(s, "a count is");
    if (s->odd) return JD_OK; // said by the caller
    if (s->from) JD_TRY(prepare(d, panels, echoes));
    double before = -HUGE_VAL; // where the panel before ends
    for (int i = d->past.first; i < d->past.end; i++) {
        kept *p = &d->past.panel[i];
        snapshot_reals(s, &p->t, 1);
        snapshot_reals(s, &p->h, 1);
        snapshot_reals(s, d->past.value + (size_t)i * (size_t)d->n_value, d->n_value);
        if (!(p->h > 0 && p->t >= before && p->t + p->h <= now + d->close))
            snapshot_odd(s, "a time of its past is");
        before = p->t + p->h - d->close;
    }
    snapshot_reals(s, d->past.echo, d->past.n_echo);
    for (int i = 1; i < d->past.n_echo; i++)
        if (!(d->past.echo[i] >= d->past.echo[i - 1])) snapshot_odd(s, "a time of an echo is");
    double none = 0; // a line that gave up its grid is taken up by one that has it
    if (d->spacing > 0) snapshot_reals(s, d->grid ? jd_grid_origin(d->grid) : &none, 1);
    if (s->from && !s->odd) grid_refill(d);
    return JD_OK;
}

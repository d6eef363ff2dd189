// beyond.c -- motions that do not settle on an orbit: quasi-periodic, chaotic, or neither shown.
//   Over N drive periods after the wait, with the exact derivative M_i of each:
//   Largest exponent: w <- M_i w/|M_i w|, l_i = log |M_i w|, the mean of the l_i without the first
//     fifth [1/period]. Error: three standard errors of ten means in a row, and 2 log(N)/N, which
//     covers growth in proportion to a power of time (shear on a torus).
//   Winding number: turns of (u, v) at drive phase 0 about its mean in a drive period, weighted by
//     exp(-1/(x (1 - x))), x from 0 to 1 along the series: of quasi-periodic motion this converges
//     faster than any power of N, of chaotic motion like its root (Das, Saiki, Sander, Yorke 2017).
//     Error: difference between the two halves.
//   Spread: mean of |s_i - s_(i-1)|^2 over each half, with the same weights.
//   chaotic: the exponent exceeds its error.  quasi-periodic: it is 0 within its error, the winding
//   number is known to 1e-4 and not next to a fraction p/q, q <= 8, and the spreads of both halves
//   are equal to 1e-4: a motion that still decays onto an orbit becomes narrower.  Else unsettled.
//   These are estimates from N periods: decay by less than about 1e-7 a period looks
//   quasi-periodic, chaos weaker than the error of the exponent is not seen.
//   Complete chatter forgets where the motion came from: M w = 0, and there is no exponent. One
//   degree of freedom then goes on the same way from each release of the same drive phase, so that
//   the motion comes back exactly sooner or later: sought over these N periods. It is periodic if
//   what grows between two resets leaves rounding below 1e-6; else chattering: which reset comes
//   next is decided by rounding then.
#include <math.h>
#include <string.h>

#include "analysis/sweep/settling.h"
#include "base/constants.h"

enum { PERIODS = 600, BATCHES = 10, LOCKED = 64, NEAR = 8 };
static const double converged = 1e-4; // of a winding number
static const double back = 1e-9;      // of the state: the same one again
static const double certain = 20;     // log of what rounding may grow by
static const double on = 1e-7;        // two winding numbers that are one
static const double moving = 1e-6;    // of the state: less is no motion around anything

typedef struct series {
    double *growth; // l_i
    double *uv;     // displacement and velocity at the ends of the periods
    double *w, *next;
    double *state; // n numbers after each period
    int n;
    bool reset;         // M w was 0 ...
    double since, most; // sum of the l_i from there on; its largest value
} series;

static double norm(const settling *st, const double *w) {
    double sum = 0;
    for (int i = 0; i < st->n; i++) sum += pow(st->sh->scale[i] * w[i], 2);
    return sqrt(sum);
}

static void any_direction(const settling *st, double *w) {
    for (int i = 0; i < st->n; i++) w[i] = (1 + 0.1 * (i % 7)) / st->sh->scale[i];
    double size = norm(st, w);
    for (int i = 0; i < st->n; i++) w[i] /= size;
}

// One more period with its derivative; false: it could not be computed.
static jd_status one_more(settling *st, series *s, bool *good) {
    jd_shooting *sh = st->sh;
    bool lost;
    JD_TRY(jd_shooting_round(sh, true, &lost));
    *good = !lost;
    if (lost) return JD_OK;
    for (int i = 0; i < st->n; i++) {
        s->next[i] = 0;
        for (int j = 0; j < st->n; j++) s->next[i] += sh->M[i * st->n + j] * s->w[j];
    }
    double size = norm(st, s->next);
    *good = isfinite(size);
    if (!*good) return JD_OK;
    s->reset |= size == 0;
    s->since = size == 0 ? 0 : s->since + log(size);
    s->most = fmax(s->most, s->since);
    for (int i = 0; i < st->n && size > 0; i++) s->w[i] = s->next[i] / size;
    if (size == 0) any_direction(st, s->w);
    jd_settling_sample(st, s->uv + 2 * (size_t)s->n);
    memcpy(s->state + (size_t)s->n * (size_t)st->n, sh->s1, (size_t)st->n * sizeof *sh->s1);
    s->growth[s->n++] = size > 0 ? log(size) : 0;
    memcpy(sh->s, sh->s1, (size_t)st->n * sizeof *sh->s);
    sh->phase = sh->phase1;
    return JD_OK;
}

static void exponent(const series *s, double *value, double *error) {
    int first = s->n / 5, each = (s->n - first) / BATCHES;
    double mean = 0, spread = 0, batch[BATCHES];
    for (int b = 0; b < BATCHES; b++) {
        batch[b] = 0;
        for (int i = 0; i < each; i++) batch[b] += s->growth[first + b * each + i] / each;
        mean += batch[b] / BATCHES;
    }
    for (int b = 0; b < BATCHES; b++) spread += pow(batch[b] - mean, 2) / (BATCHES - 1);
    *value = mean;
    *error = fmax(3 * sqrt(spread / BATCHES), 2 * log(s->n) / s->n);
}

static double weight_of(double x) { return exp(-1 / (x * (1 - x))); }

// Weighted mean of |s_i - s_(i-1)|^2 from period `first` on.
static double spread(const settling *st, const series *s, int first, int n) {
    double sum = 0, weight = 0;
    for (int i = 1; i < n; i++) {
        const double *now = s->state + (size_t)(first + i) * (size_t)st->n;
        double w = weight_of((double)i / n);
        sum += w * pow(jd_settling_size(st, now, now - st->n), 2);
        weight += w;
    }
    return sum / weight;
}

// As wide in the second half as in the first?
static bool is_steady(const settling *st, const series *s) {
    double first = spread(st, s, 0, s->n / 2), second = spread(st, s, s->n - s->n / 2, s->n / 2);
    return fabs(second - first) <= converged * (first + second);
}

// Weighted mean of the turns from sample `first` on.
static double turns(const double *angle, int first, int n) {
    double sum = 0, weight = 0;
    for (int i = 1; i < n; i++) {
        double x = (double)i / n, w = weight_of(x),
               d = (angle[first + i] - angle[first + i - 1]) / JD_TWO_PI;
        sum += w * (d - round(d));
        weight += w;
    }
    return sum / weight;
}

// About the mean, both axes to their own scale.
static void winding(series *s, double *value, double *error) {
    double mean[2] = {0, 0}, size[2] = {0, 0};
    for (int i = 0; i < 2 * s->n; i++) mean[i % 2] += s->uv[i] / s->n;
    for (int i = 0; i < 2 * s->n; i++) size[i % 2] += pow(s->uv[i] - mean[i % 2], 2);
    for (int i = 0; i < s->n; i++)
        s->growth[i] = atan2((s->uv[2 * i + 1] - mean[1]) / sqrt(fmax(size[1], 1e-300)),
                             (s->uv[2 * i] - mean[0]) / sqrt(fmax(size[0], 1e-300)));
    *value = turns(s->growth, 0, s->n);
    *error = fabs(turns(s->growth, 0, s->n / 2) - turns(s->growth, s->n - s->n / 2, s->n / 2));
}

// On p/q it may still settle on an orbit of q periods, and next to it where q is small.
static bool is_locked(double value, double error) {
    for (int q = 1; q <= LOCKED; q++)
        if (fabs(value - round(q * value) / q) < fmax(3 * error, q <= NEAR ? converged : on))
            return true;
    return false;
}

static jd_status open_series(settling *st, series *s) {
    s->growth = JD_TAKE(st->arena, double, PERIODS);
    s->uv = JD_TAKE(st->arena, double, 2 * PERIODS);
    s->w = JD_TAKE(st->arena, double, st->n);
    s->state = JD_TAKE(st->arena, double, PERIODS * st->n);
    s->next = JD_TAKE(st->arena, double, st->n);
    JD_TRY(jd_arena_status(st->arena));
    any_direction(st, s->w);
    return JD_OK;
}

// The fewest periods after which the last states are those before; 0: none.
static int returns_after(const settling *st, const series *s) {
    for (int d = 1; d <= s->n / 2; d++) {
        bool same = true;
        for (int i = s->n - 1; i >= s->n - d && same; i--) {
            const double *now = s->state + (size_t)i * (size_t)st->n,
                         *then = s->state + (size_t)(i - d) * (size_t)st->n;
            same = jd_settling_size(st, now, then) <= back * jd_settling_size(st, now, NULL);
        }
        if (same) return d;
    }
    return 0;
}

// The orbit of that many periods that the motion came to, or the word for none.
static jd_status settle_reset(settling *st, const series *s) {
    jd_sweep_point *out = st->out;
    int periods = s->most < certain ? returns_after(st, s) : 0;
    out->motion = JD_MOTION_CHATTERING;
    if (periods == 0) return JD_OK;
    out->periods = periods;
    out->multiplier = 0;
    return jd_settling_came_back(st);
}

jd_status jd_settling_beyond(settling *st) {
    jd_sweep_point *out = st->out;
    jd_shooting *sh = st->sh;
    series s = {0};
    bool good = true;
    if (st->lost || !(st->drive > 0) || !sh || st->n == 0 || !(out->residual > moving))
        return JD_OK;
    JD_TRY(open_series(st, &s));
    st->map->state(st->run, sh->s);
    sh->phase = jd_run_contacts(st->run);
    sh->period = st->drive;
    sh->start = 0;
    sh->forced = true;
    bool cut = false;
    for (int i = 0; i < PERIODS && good && !cut; i++) {
        cut = jd_stop_wanted(st->worker->context);
        if (!cut) JD_TRY(one_more(st, &s, &good));
    }
    if (cut || (!good && st->run->stop == JD_STOP_INTERRUPTED))
        jd_settling_cut(st, JD_STOP_INTERRUPTED); // half of them say nothing
    if (cut || !good) return JD_OK;
    if (s.reset) return settle_reset(st, &s);
    exponent(&s, &out->exponent, &out->exponent_error);
    winding(&s, &out->winding, &out->winding_error);
    if (out->exponent > out->exponent_error)
        out->motion = JD_MOTION_CHAOTIC;
    else if (out->exponent > -out->exponent_error && out->winding_error < converged &&
             !is_locked(out->winding, out->winding_error) && is_steady(st, &s))
        out->motion = JD_MOTION_QUASI_PERIODIC;
    return JD_OK;
}

// statistics.c -- what the points of a sweep have in common.
//   Sample: over all draws, at each value of the parameter swept beside: mean, deviation, quantiles
//   (between neighbours x_(i) <= q <= x_(i+1), linear in i = (n - 1) p), settled, stable, and the
//   shares of phase sequences. Not settled points have no part in mean and quantiles. A sequence is
//   the same wherever in the period it is begun: `+H-H` counts as `H+H-`.
//   Numbers of the start: which settled motions are one. They are one when they have the same
//   number of drive periods and, to 1e-6 of its size, the same period, extremes and samples, from
//   whichever drive period on; and when nothing ever slides, knocks or opens and the phase is the
//   same: contacts that stay stuck rest elsewhere after every start. Not seen: motions that differ
//   only away from the measured contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/sweep/content.h"

static const double same = 1e-6; // of the size: closer motions are one
static const double levels[] = {0.05, 0.25, 0.5, 0.75, 0.95};
enum { LEVELS = sizeof levels / sizeof *levels };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *x, int n, double p) {
    if (n == 0) return (double)NAN;
    double at = (n - 1) * p;
    int i = (int)floor(at);
    return i + 1 < n ? x[i] + (x[i + 1] - x[i]) * (at - i) : x[n - 1];
}

// Of n sorted values.
static void summarise(jd_sweep_statistics *s, const double *x, int n) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    s->mean = n > 0 ? sum / n : (double)NAN;
    for (int i = 0; i < n; i++) squares += (x[i] - s->mean) * (x[i] - s->mean);
    s->deviation = n > 1 ? sqrt(squares / (n - 1)) : (double)NAN;
    for (int k = 0; k < LEVELS; k++) s->quantile[k] = quantile(x, n, levels[k]);
}

static void row_statistics(const jd_sweep_view *v, int row, double *x, jd_sweep_statistics *s) {
    int n = 0;
    *s = (jd_sweep_statistics){.value = v->n_parameter > 1 ? v->values[1][row] : (double)NAN};
    for (int i = 0; i < v->count[0]; i++) {
        const jd_sweep_point *p = &v->point[(ptrdiff_t)row * v->count[0] + i];
        s->points += p->done;
        if (!p->done || !p->settled) continue;
        s->settled++;
        s->stable += p->multiplier < 1;
        if (isfinite(p->amplitude)) x[n++] = p->amplitude;
    }
    if (n > 0) qsort(x, (size_t)n, sizeof *x, by_size);
    summarise(s, x, n);
}

static int by_phases(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Does a come before b as the way to write a sequence: with the later letter first (stuck before
// sliding), then in order of the alphabet?
static bool is_before(const char *a, const char *b) {
    return *a != *b ? *a > *b : strcmp(a, b) < 0;
}

// The sequence begun at the phase that makes it come first; one letter is a phase, with several
// contacts a word is. What is cut short stays as it is.
static const char *turned(jd_arena *arena, const char *phases) {
    size_t n = strlen(phases);
    bool words = strchr(phases, ' ') != NULL;
    if (strstr(phases, "...")) return phases;
    char *best = jd_arena_text(arena, phases), *one = jd_arena_text(arena, phases);
    for (size_t i = 1; best && one && i < n; i++) {
        if (words && phases[i - 1] != ' ') continue;
        size_t gap = words; // between the last word and the first
        memcpy(one, phases + i, n - i);
        if (gap) one[n - i] = ' ';
        memcpy(one + n - i + gap, phases, i - gap);
        if (is_before(one, best)) memcpy(best, one, n);
    }
    return best;
}

static int by_count(const void *a, const void *b) {
    const jd_sweep_sequence *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : strcmp(x->phases, y->phases);
}

// Phase sequences by falling share.
static jd_status count_sequences(jd_arena *arena, jd_sweep_view *v) {
    const char **list = JD_TAKE(arena, const char *, v->n_point);
    int n = 0, kinds = 0, done = 0;
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < v->n_point; i++) {
        done += v->point[i].done;
        if (v->point[i].done && v->point[i].settled) list[n++] = turned(arena, v->point[i].phases);
    }
    JD_TRY(jd_arena_status(arena));
    if (n > 0) qsort(list, (size_t)n, sizeof *list, by_phases);
    for (int i = 0; i < n; i++) kinds += i == 0 || by_phases(&list[i - 1], &list[i]) != 0;
    jd_sweep_sequence *out = JD_TAKE(arena, jd_sweep_sequence, kinds);
    JD_TRY(jd_arena_status(arena));
    for (int i = 0, k = -1; i < n; i++) {
        if (i == 0 || by_phases(&list[i - 1], &list[i]) != 0) out[++k].phases = list[i];
        out[k].count++;
    }
    for (int k = 0; k < kinds; k++) out[k].share = (double)out[k].count / done;
    if (kinds > 0) qsort(out, (size_t)kinds, sizeof *out, by_count);
    v->n_sequence = kinds;
    v->sequence = out;
    return JD_OK;
}

static jd_status sample_statistics(jd_arena *arena, jd_sweep_view *v) {
    int rows = v->n_parameter > 1 ? v->count[1] : 1;
    jd_sweep_statistics *s = JD_TAKE(arena, jd_sweep_statistics, rows);
    double *x = JD_TAKE(arena, double, v->count[0]);
    JD_TRY(jd_arena_status(arena));
    for (int k = 0; k < rows; k++) row_statistics(v, k, x, &s[k]);
    v->n_statistics = rows;
    v->statistics = s;
    return count_sequences(arena, v);
}

static bool near(double x, double y, double size) { return fabs(x - y) <= same * size; }

// Nothing ever changes: it stays stuck, or rests.
static bool is_still(const jd_sweep_point *p) { return p->events == 0 && p->slips == 0; }

// Of n samples each. None to compare: at rest; or more drive periods than samples.
static bool same_samples(const jd_sweep_point *p, const jd_sweep_point *q, int n,
                         const double size[2]) {
    if (p->periods <= 0 || p->periods > n) return true;
    for (int shift = 0; shift < p->periods; shift++) {
        bool all = true;
        for (int k = 0; k < p->periods && all; k++) {
            const double *x = p->sample + 2 * (ptrdiff_t)k;
            const double *y = q->sample + 2 * (ptrdiff_t)((k + shift) % p->periods);
            all = near(x[0], y[0], size[0]) && near(x[1], y[1], size[1]);
        }
        if (all) return true;
    }
    return false;
}

static bool is_same(const jd_sweep_view *v, const jd_sweep_point *p, const jd_sweep_point *q,
                    const double size[2]) {
    if (p->periods != q->periods) return false;
    if (is_still(p) && is_still(q) && p->phases[0] == 'H') return !strcmp(p->phases, q->phases);
    bool period = isnan(p->period) ? isnan(q->period) : near(p->period, q->period, p->period);
    double range = fmax(fabs(p->min), fabs(p->max));
    return period && near(p->min, q->min, range) && near(p->max, q->max, range) &&
           same_samples(p, q, v->n_sample, size);
}

static bool of_start(const jd_sweep_view *v) {
    for (int k = 0; k < v->n_parameter; k++)
        if (strncmp(v->parameter[k], "start.", 6) != 0) return false;
    return v->n_parameter > 0;
}

// Numbers the motions in the order of the grid; the points are those of the result itself.
static jd_status tell_attractors(jd_arena *arena, jd_sweep_view *v, jd_sweep_point *point) {
    const jd_sweep_point **known = JD_TAKE(arena, const jd_sweep_point *, v->n_point);
    double size[2] = {0, 0};
    int n = 0;
    JD_TRY(jd_arena_status(arena));
    for (int i = 0; i < v->n_point; i++)
        for (int k = 0; point[i].done && k < 2 * v->n_sample; k++)
            if (isfinite(point[i].sample[k]))
                size[k % 2] = fmax(size[k % 2], fabs(point[i].sample[k]));
    for (int i = 0; i < v->n_point; i++) {
        jd_sweep_point *p = &point[i];
        p->attractor = 0;
        if (!p->done || !p->settled) continue;
        int k = 0;
        while (k < n && !is_same(v, known[k], p, size)) k++;
        if (k == n) known[n++] = p;
        p->attractor = k + 1;
    }
    v->n_attractor = n;
    return JD_OK;
}

jd_status jd_sweep_summary(jd_arena *arena, jd_sweep_view *v) {
    if (v->n_draw > 0) return sample_statistics(arena, v);
    if (!of_start(v)) return JD_OK;
    jd_sweep_point *own = JD_TAKE(arena, jd_sweep_point, v->n_point);
    JD_TRY(jd_arena_status(arena));
    if (v->n_point > 0) memcpy(own, v->point, (size_t)v->n_point * sizeof *own);
    v->point = own;
    return tell_attractors(arena, v, own);
}

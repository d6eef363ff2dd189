// identify.c -- how many modes explain measured frequency responses: poles by vector fitting,
// shapes, all numbers polished, one mode more until the data are met.
//   Modes above the band are felt as springs: one more for each point, which begins at 3 times the
//   highest frequency; poles are sought in the band alone. Complex modes and anything that
//   is not reciprocal are not in it: such data are met to what they allow, and that is told.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/fail.h"
#include "structure/measured/frf.h"

enum { MOST = 60, PER_MODE = 4 }; // modes; frequencies for each of them
static const double pi = JD_PI, above = 3, above_ratio = 0.05;

static jd_status take(jd_arena *arena, int n, int points, jd_frf_modes *m) {
    *m = (jd_frf_modes){.n = n};
    m->omega = JD_TAKE(arena, double, n);
    m->c = JD_TAKE(arena, double, n);
    m->shape = JD_TAKE(arena, double, n *points);
    return jd_arena_status(arena);
}

// Is mode k anything but rounding at the points?
static bool is_felt(const jd_frf *f, const jd_frf_modes *m, int k) {
    double most = 0, own = 0;
    for (int i = 0; i < m->n * f->n_point; i++) {
        double size = fabs(m->shape[i]);
        if (i / f->n_point == k) own = fmax(own, size);
        most = fmax(most, size / m->omega[i / f->n_point]);
    }
    return own / m->omega[k] > 1e-9 * most;
}

static void drop_unfelt(const jd_frf *f, jd_frf_modes *m) {
    int n = 0, points = f->n_point;
    bool felt[MOST + JD_FRF_POINTS];
    for (int k = 0; k < m->n; k++) felt[k] = is_felt(f, m, k);
    for (int k = 0; k < m->n; k++) {
        if (!felt[k]) continue;
        m->omega[n] = m->omega[k];
        m->c[n] = m->c[k];
        memmove(m->shape + n * points, m->shape + k * points, (size_t)points * sizeof *m->shape);
        n++;
    }
    m->n = n;
}

// The rest above the band starts as one spring per point, each at its own.
static void spread_rest(const jd_frf *f, int free, jd_frf_modes *m) {
    for (int l = free; l < m->n; l++) {
        double *shape = m->shape + l * f->n_point, size = 0;
        for (int i = 0; i < f->n_point; i++) size = fmax(size, fabs(shape[i]));
        for (int i = 0; i < f->n_point; i++) shape[i] = i == l - free ? size : 0;
    }
}

// A mode that does not decay, or is far beyond the band, is none of the data.
static jd_status try_count(jd_arena *arena, const jd_frf *f, int K, jd_frf_modes *m) {
    double *pole = JD_TAKE(arena, double, 2 * K), top = above * f->omega[f->n - 1];
    int free = K, n = 0;
    JD_TRY(jd_arena_status(arena));
    JD_TRY(take(arena, K + f->n_point, f->n_point, m));
    JD_TRY(jd_frf_poles(arena, f, K, pole));
    for (int p = 0; p < K; p++) {
        double size = hypot(pole[2 * p], pole[2 * p + 1]);
        if (size > 1.5 * f->omega[f->n - 1] || size < 0.3 * f->omega[0]) continue;
        m->omega[n] = size;
        m->c[n++] = -2 * pole[2 * p];
    }
    free = n;
    m->n = n + 1; // one spring for the residues, then one for each point
    m->omega[n] = top;
    m->c[n] = 2 * above_ratio * top;
    JD_TRY(jd_frf_shapes(arena, f, m));
    m->n = n + f->n_point;
    for (int l = n + 1; l < m->n; l++) {
        m->omega[l] = top;
        m->c[l] = m->c[n];
        memcpy(m->shape + l * f->n_point, m->shape + n * f->n_point,
               (size_t)f->n_point * sizeof *m->shape);
    }
    if (f->n_point > 1) spread_rest(f, free, m);
    JD_TRY(jd_frf_polish(arena, f, m));
    drop_unfelt(f, m);
    jd_frf_measure(f, m);
    return JD_OK;
}

static jd_status refuse(jd_context *context, const jd_frf *f, const jd_frf_modes *best,
                        double error) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "real modes do not fit the data: the best fit, %d modes, has a misfit of %.2g (rms), "
            "largest at %.6g Hz (%.6g rad/s), but %.2g is required",
            best->n, best->error, best->at / (2 * pi), best->at, error);
    jd_fail_where(context, "%s", f->path);
    jd_fail_hint(context, "allow a larger `error` (noise), or check the data there: they are not "
                          "those of a passive, reciprocal structure with real modes");
    return JD_NOT_SUPPORTED;
}

static jd_status refuse_count(jd_context *context, const jd_frf *f, int count) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "%d modes are asked for from %d frequencies: at least %d are needed for each mode",
            count, f->n, PER_MODE);
    jd_fail_where(context, "%s", f->path);
    jd_fail_hint(context, "ask for fewer `modes`, or measure at more frequencies");
    return JD_NOT_SUPPORTED;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// By frequency.
static jd_status sort(jd_arena *arena, int points, jd_frf_modes *m) {
    double *key = JD_TAKE(arena, double, 2 * m->n);
    jd_frf_modes was = *m;
    JD_TRY(take(arena, m->n, points, m));
    m->error = was.error, m->worst = was.worst, m->at = was.at;
    for (int k = 0; k < m->n; k++) {
        key[2 * k] = was.omega[k];
        key[2 * k + 1] = k;
    }
    qsort(key, (size_t)m->n, 2 * sizeof *key, compare);
    for (int k = 0; k < m->n; k++) {
        int from = (int)key[2 * k + 1];
        m->omega[k] = was.omega[from];
        m->c[k] = was.c[from];
        memcpy(m->shape + k * points, was.shape + from * points, (size_t)points * sizeof *key);
    }
    return JD_OK;
}

jd_status jd_frf_identify(jd_arena *arena, const jd_frf *f, int count, double error,
                          jd_frf_modes *out) {
    jd_frf_modes best = {.error = HUGE_VAL}, m;
    int worse = 0, most = f->n / PER_MODE < MOST ? f->n / PER_MODE : MOST;
    if (count > most) return refuse_count(jd_arena_context(arena), f, count);
    for (int K = count > 0 ? count : 1; K <= most; K += 1 + K / 8) {
        JD_TRY(try_count(arena, f, K, &m));
        worse = m.error < 0.9 * best.error ? 0 : worse + 1;
        if (m.error < best.error) best = m;
        if (best.error <= error || worse > 4 || count > 0) break;
    }
    if (!(best.error <= error)) return refuse(jd_arena_context(arena), f, &best, error);
    *out = best;
    return sort(arena, f->n_point, out);
}

// delays.c -- undamped strings and rods: waves come back as they went, the memory is pure delay.
//   G' = 1/(2 rho c) sum over X = x - y (+), x + y (parity) and images q of
//        sigma^q [delta(c tau - 2 L q - X) + delta(c tau - 2 L q + X)] c,  sigma = -1 for unequal
//        ends
//   At tau = 0 both halves meet: together gamma, not 2 gamma.
#include <math.h>
#include <stdlib.h>

#include "kernel/inside.h"

static bool is_wave(const jd_response *r) {
    for (int b = 0; b < r->n_body; b++)
        if (r->family[b].kind != JD_FAMILY_WAVE) return false;
    return r->n_body > 0;
}

typedef struct pulse {
    double delay, coefficient;
} pulse;

static int by_delay(const void *a, const void *b) {
    double x = ((const pulse *)a)->delay, y = ((const pulse *)b)->delay;
    return (x > y) - (x < y);
}

// Pulses of one pair of points; counts only when `to` is NULL.
static int images(const jd_family *f, double X, double weight, double t_end, pulse *to) {
    double L2 = 2 * f->length, sigma = f->left == f->right ? 1 : -1, reach = t_end * f->speed;
    int n = 0, most = (int)ceil(reach / L2) + 2;
    for (int q = -most; q <= most; q++)
        for (int side = -1; side <= 1; side += 2) {
            double s = L2 * q + side * X;
            if (fabs(s) < 1e-15 * L2) s = 0;
            if (s < 0 || s > reach) continue;
            double turn = q % 2 ? sigma : 1;
            if (to)
                to[n] = (pulse){s / f->speed,
                                turn * weight * (s == 0 ? 0.5 : 1) / (2 * f->density * f->speed)};
            n++;
        }
    return n;
}

static int collect(const jd_response *r, int i, int j, double t_end, pulse *to) {
    int n = 0;
    for (int b = 0; b < r->n_body; b++) {
        const jd_family *f = &r->family[b];
        const jd_family_place *p = &f->place[i], *o = &f->place[j];
        double parity = f->left == JD_FREE ? 1 : -1;
        for (int e = 0; e < p->n; e++)
            for (int g = 0; g < o->n; g++) {
                double w = p->point[e].sign * o->point[g].sign;
                double x = p->point[e].x, y = o->point[g].x;
                n += images(f, x - y, w, t_end, to ? to + n : NULL);
                n += images(f, x + y, w * parity, t_end, to ? to + n : NULL);
            }
    }
    return n;
}

jd_status jd_response_delays_of(const jd_response *r, int i, int j, double t_end, jd_arena *arena,
                                jd_response_delays *out) {
    *out = (jd_response_delays){0};
    if (!is_wave(r))
        return jd_fail(r->context, JD_NOT_SUPPORTED,
                       "only strings and rods with infinitely many modes send waves back");
    int n = collect(r, i, j, t_end, NULL);
    pulse *all = JD_TAKE(arena, pulse, n);
    out->delay = JD_TAKE(arena, double, n);
    out->coefficient = JD_TAKE(arena, double, n);
    JD_TRY(jd_arena_status(arena));
    collect(r, i, j, t_end, all);
    if (n > 0) qsort(all, (size_t)n, sizeof *all, by_delay);
    for (int k = 0; k < n; k++) { // pulses that arrive together become one
        double last = out->n ? out->delay[out->n - 1] : -1;
        if (out->n && all[k].delay - last <= 1e-14 * (1 + last)) {
            out->coefficient[out->n - 1] += all[k].coefficient;
            continue;
        }
        out->delay[out->n] = all[k].delay;
        out->coefficient[out->n++] = all[k].coefficient;
    }
    return JD_OK;
}

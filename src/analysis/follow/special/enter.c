// enter.c -- from a grazing to the orbits with the impact.
//   P~ passes through the stop, g_k is the free path left in part k of the period (graze.c):
//   both are smooth. An impact of small speed v_k adds e_k v_k to P~, v_k^2 = -2 a_k g_k, so that
//   M grows like 1/v; but on the branch, to first order in v,
//     (M~ - I) ds + P~_lambda dlambda + sum_k e_k v_k = 0,
//     grad g_k . (ds, dlambda) + sum_l x_kl v_l = 0,   x_kl what the impact l does to the path k:
//   states and parameter leave the grazing along w = (ds, dlambda), in proportion to v. Newton's
//   method from y + h w, with g_k put to -v_k^2/(2 a_k), starts as close to the orbit, relative to
//   v, as h is small. e_k and a_k are measured on a motion that goes a little beyond the stop, M~
//   is exact, the other derivatives are differences to both sides.
//   The largest multiplier goes like 1/h, or 1/h^K where K impacts graze together: where it does,
//   no flip or fold lies closer to the grazing.
//                                      tested: flips_beside_a_grazing_are_found
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "linalg/general.h"

enum { PASSES = 3 };
static const double aside = 1e-6;   // of y: differences
static const double deep = 1e-11;   // of y: how far the measured impact lies beyond the stop
static const double large = 30;     // multipliers that go like 1/h
static const double in_step = 0.25; // change of their product with h that is left

jd_status jd_enter_open(jd_follow *f) {
    entrance *e = &f->grazing.entrance;
    int N = f->curve.N, size = N + GRAZE_PARTS;
    e->y = JD_TAKE(f->arena, double, N);
    e->w = JD_TAKE(f->arena, double, N);
    e->base = JD_TAKE(f->arena, double, 2 * N);
    e->gradient = JD_TAKE(f->arena, double, GRAZE_PARTS *N);
    e->kick = JD_TAKE(f->arena, double, GRAZE_PARTS *N);
    e->A = JD_TAKE(f->arena, double, size *size);
    e->b = JD_TAKE(f->arena, double, size);
    e->pivot = JD_TAKE(f->arena, int, size);
    return jd_arena_status(f->arena);
}

// Column j of the gradients; for the parameter d F/d lambda as well, into e->base.
static jd_status difference(jd_follow *f, int j, bool *lost) {
    curve *c = &f->curve;
    entrance *e = &f->grazing.entrance;
    graze g = e->g;
    double h = aside * fmax(1, fabs(e->y[j])), *y = f->at.touch.y;
    for (int side = 1; side >= -1; side -= 2) {
        memcpy(y, e->y, (size_t)c->N * sizeof *y);
        y[j] += side * h;
        JD_TRY(jd_graze_through(c, &g, y, lost));
        if (*lost) return JD_OK;
        for (int k = 0; k < g.hit; k++) {
            double *slope = &e->gradient[k * c->N + j];
            *slope = side > 0 ? g.path[k] : (*slope - g.path[k]) / (2 * h);
        }
        for (int i = 0; i < c->n; i++)
            e->base[i] = side > 0 ? c->newton.F[i] : (e->base[i] - c->newton.F[i]) / (2 * h);
    }
    return JD_OK;
}

// Speed of the impact in part k of the last round; 0: there is none.
static double speed_in(const curve *c, const graze_part *p) {
    for (int i = 0; i < c->sh->last.n_event; i++) {
        const jd_event *e = &c->sh->last.event[i];
        double at = (e->t - c->sh->start) / c->sh->period;
        if (e->contact == p->contact && at >= p->from && at <= p->to) return fabs(e->speed);
    }
    return 0;
}

// What an impact in part k does, from a motion a little beyond the stop.
static jd_status measure_kick(jd_follow *f, int k, bool *good) {
    curve *c = &f->curve;
    entrance *e = &f->grazing.entrance;
    graze all = e->g, others = e->g;
    const double *slope = e->gradient + k * c->N;
    double *y = f->at.touch.y, *through = e->base + c->N, size = 0;
    bool lost;
    *good = false;
    for (int i = 0; i < c->N; i++) size += slope[i] * slope[i];
    if (!(size > 0)) return JD_OK;
    for (int i = 0; i < c->N; i++) y[i] = e->y[i] - deep * slope[i] / sqrt(size);
    JD_TRY(jd_graze_through(c, &all, y, &lost));
    if (lost || !(all.path[k] < 0)) return JD_OK;
    memcpy(through, c->newton.F, (size_t)c->n * sizeof *through);
    for (int l = k + 1; l < others.n; l++) others.part[l - 1] = others.part[l];
    others.n--;
    JD_TRY(jd_graze_through(c, &others, y, &lost));
    double speed = lost ? 0 : speed_in(c, &e->g.part[k]);
    if (!(speed > 0)) return JD_OK;
    e->pull[k] = speed * speed / (-2 * all.path[k]);
    for (int l = 0; l < e->g.hit; l++) // the others have lost part k
        e->across[l][k] = l == k ? 0 : (others.path[l - (l > k)] - all.path[l]) / speed;
    for (int i = 0; i < c->n; i++) e->kick[k * c->n + i] = (c->newton.F[i] - through[i]) / speed;
    *good = true;
    return JD_OK;
}

// w and the speeds that go with it; false: some impact would have to leave the stop.
static bool direction(jd_follow *f) {
    const curve *c = &f->curve;
    entrance *e = &f->grazing.entrance;
    int n = c->n, N = c->N, K = e->g.hit, Q = N + K;
    double size = 0;
    for (int k = 0; k < K; k++) {
        for (int i = 0; i < n; i++) e->A[i * Q + N + k] = e->kick[k * n + i];
        for (int j = 0; j < N; j++) e->A[(n + k) * Q + j] = e->gradient[k * N + j];
        for (int j = 0; j < K; j++) e->A[(n + k) * Q + N + j] = e->across[k][j];
    }
    for (int j = 0; j < Q; j++) e->A[(Q - 1) * Q + j] = j >= N;
    for (int i = 0; i < Q; i++) e->b[i] = i == Q - 1;
    if (!jd_lu_factor(Q, e->A, e->pivot)) return false;
    jd_lu_solve(Q, e->A, e->pivot, e->b);
    for (int j = 0; j < N; j++) size += e->b[j] * e->b[j];
    if (!(size > 0) || !isfinite(size)) return false;
    for (int j = 0; j < N; j++) e->w[j] = e->b[j] / sqrt(size);
    for (int k = 0; k < K; k++) {
        e->rate[k] = e->b[N + k] / sqrt(size);
        if (!(e->rate[k] > 0)) return false;
    }
    return true;
}

jd_status jd_enter_prepare(jd_follow *f, bool *known) {
    curve *c = &f->curve;
    entrance *e = &f->grazing.entrance;
    graze g = e->g;
    int n = c->n, Q = c->N + g.hit;
    bool lost;
    *known = false;
    if (!c->forced || g.n == 0) return JD_OK;
    JD_TRY(jd_graze_through(c, &g, e->y, &lost));
    if (lost) return JD_OK;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            e->A[i * Q + j] = c->sh->scale[i] * c->sh->M[i * n + j] / c->sh->scale[j] - (i == j);
    for (int j = 0; j < c->N; j++) {
        JD_TRY(difference(f, j, &lost));
        if (lost) return JD_OK;
    }
    for (int i = 0; i < n; i++) e->A[i * Q + n] = e->base[i];
    for (int k = 0; k < g.hit; k++) {
        JD_TRY(measure_kick(f, k, known));
        if (!*known) return JD_OK;
    }
    *known = direction(f);
    return JD_OK;
}

// Moves y along the gradients: the free path k by `more`, the others not.
static bool shift_path(jd_follow *f, int k, double more, double *y) {
    entrance *e = &f->grazing.entrance;
    int N = f->curve.N, K = e->g.hit;
    for (int i = 0; i < K; i++) {
        e->b[i] = i == k ? more : 0;
        for (int l = 0; l < K; l++) {
            e->A[i * K + l] = 0;
            for (int j = 0; j < N; j++)
                e->A[i * K + l] += e->gradient[i * N + j] * e->gradient[l * N + j];
        }
    }
    if (!jd_lu_factor(K, e->A, e->pivot)) return false;
    jd_lu_solve(K, e->A, e->pivot, e->b);
    for (int i = 0; i < K; i++)
        for (int j = 0; j < N; j++) y[j] += e->b[i] * e->gradient[i * N + j];
    return true;
}

// y + h w, moved so that part k, after the impacts of those before it, lies v_k^2/(2 a_k) beyond
// the stop: a later path depends on the speed of an earlier impact.
static jd_status predict(jd_follow *f, double h, double *y, bool *good) {
    curve *c = &f->curve;
    entrance *e = &f->grazing.entrance;
    int K = e->g.hit;
    *good = true;
    for (int i = 0; i < c->N; i++) y[i] = e->y[i] + h * e->w[i];
    for (int i = 0; i < PASSES * K && *good; i++) {
        int k = i % K;
        double v = h * e->rate[k];
        bool lost;
        graze rest = {.n = e->g.n - k};
        memcpy(rest.part, e->g.part + k, (size_t)rest.n * sizeof *rest.part);
        JD_TRY(jd_graze_through(c, &rest, y, &lost));
        *good = !lost && shift_path(f, k, -rest.path[0] - v * v / (2 * e->pull[k]), y);
    }
    return JD_OK;
}

jd_status jd_enter_at(jd_follow *f, double h, const double *old, place *out, bool *found) {
    curve *c = &f->curve;
    entrance *e = &f->grazing.entrance;
    bool lost;
    double away = 0;
    JD_TRY(predict(f, h, out->y, found));
    if (!*found) return JD_OK;
    JD_TRY(jd_curve_derivative(c, out->y, e->w, &lost));
    if (lost) return *found = false, JD_OK;
    JD_TRY(jd_curve_correct(c, out->y, e->w, true, found));
    if (!*found) return JD_OK;
    for (int i = 0; i < c->N; i++) away += pow(out->y[i] - e->y[i] - h * e->w[i], 2);
    *found = sqrt(away) < 0.3 * h;
    if (*found) JD_TRY(jd_branch_judge(f, out, old ? old : e->w, true, found));
    return JD_OK;
}

bool jd_enter_is_close(const jd_follow *f, const place *p, double h, double *product) {
    double size = hypot(p->multiplier[0], p->multiplier[1]), last = *product;
    *product = size * pow(h, f->grazing.entrance.g.hit);
    return size > large && fabs(*product - last) < in_step * *product;
}

// hopf.c -- from where a steady slip begins to oscillate to its cycles.
//   There the motion about the slip s_e has the multiplier 1 twice over T = 2 pi/omega: M v = v for
//   all v of a plane. Cycles have y = (s_e + a v + ..., log T, lambda), and are sought in the plane
//   v'y = const.
//   Smooth friction: a small, lambda and T with the square of a.
//   Piecewise linear contacts: as long as none changes its state the motion is linear, and at the
//   threshold there are cycles of every amplitude. They end where a contact changes its state; the
//   branch leaves that family there, and begins a little beyond.
//                                  tested: cycles_leave_the_threshold_of_the_brake
#include <math.h>
#include <string.h>

#include "analysis/follow/branch.h"
#include "base/constants.h"
#include "linalg/general.h"

static const double nearly = 1e-8; // of M - I: what keeps inverse iteration regular
static const double small = 1e-3; // first amplitude tried, of the slip or of the largest linear one
static const double linear = 1e-8;   // of the window: so little moves lambda in a linear motion
static const double close_by = 0.04; // of the window: a cycle beside the threshold
static const double largest = 1e6;   // amplitude, of the slip: no contact changes its state
static const double least = 1e-12;   // likewise: they change at any amplitude
enum { ROUNDS = 6 };
static const double same_turn = 2; // times: longer or shorter periods are other motions

// v by inverse iteration on M - I; J holds M - I in its first n rows and columns.
static bool neutral_direction(curve *c, double *v) {
    int n = c->n, N = c->N;
    double *A = c->newton.lu;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = c->newton.J[i * N + j] + (i == j ? nearly : 0);
    if (!jd_lu_factor(n, A, c->newton.pivot)) return false;
    for (int i = 0; i < N; i++) v[i] = i < n ? 1 + 0.1 * (i % 7) : 0;
    for (int k = 0; k < 4; k++) {
        double size = 0;
        jd_lu_solve(n, A, c->newton.pivot, v);
        for (int i = 0; i < n; i++) size += v[i] * v[i];
        if (!(size > 0) || !isfinite(size)) return false;
        for (int i = 0; i < n; i++) v[i] /= sqrt(size);
    }
    return true;
}

void jd_hopf_outwards(const jd_follow *f, const double *y, double *border) {
    const curve *c = &f->curve;
    double size = 0;
    memset(border, 0, (size_t)c->N * sizeof *border);
    border[c->N - 1] = f->options.sense;
    for (int i = 0; i < c->n && f->options.sense == 0; i++) {
        border[i] = y[i] - c->sh->scale[i] * f->slip[i] / c->S;
        size += border[i] * border[i];
    }
    for (int i = 0; i < c->n && size > 0; i++) border[i] /= sqrt(size);
}

// Does a contact change its state on the linear cycle of amplitude a?
static jd_status changes(curve *c, const double *at, const double *v, double a, bool *out) {
    bool lost;
    for (int i = 0; i < c->N; i++) c->newton.chord[i] = at[i] + a * v[i];
    JD_TRY(jd_curve_round(c, c->newton.chord, false, &lost));
    *out = lost || c->sh->last.n_event > 0;
    return JD_OK;
}

// The largest amplitude at which none does, times 1 + 1e-9; HUGE_VAL: they never do. Where they
// always do, an amplitude of the size of rounding.
static jd_status linear_until(curve *c, const double *at, const double *v, double scale,
                              double *out) {
    double low = 0, high = small * scale;
    bool change = false;
    JD_TRY(changes(c, at, v, high, &change));
    while (!change && high < largest * scale) {
        low = high;
        high *= 2;
        JD_TRY(changes(c, at, v, high, &change));
    }
    *out = HUGE_VAL;
    if (!change) return JD_OK;
    while (high - low > 1e-9 * high && high > least * scale) {
        double middle = (low + high) / 2;
        JD_TRY(changes(c, at, v, middle, &change));
        *(change ? &high : &low) = middle;
    }
    *out = high;
    return JD_OK;
}

// The cycle at amplitude a in the plane across v, into y.
static jd_status cycle_at(jd_follow *f, const double *at, const double *v, const jd_phase *phase,
                          double a, double *y, bool *found) {
    curve *c = &f->curve;
    bool lost;
    *found = false;
    c->phase = *phase;
    for (int i = 0; i < c->N; i++) y[i] = at[i] + a * v[i];
    JD_TRY(jd_curve_round(c, y, false, &lost));
    if (lost) return JD_OK;
    for (int i = 0; i < c->n; i++) c->newton.rate0[i] = c->sh->scale[i] * c->sh->rate[i] / c->S;
    JD_TRY(jd_curve_derivative(c, y, v, &lost));
    if (!lost) JD_TRY(jd_curve_correct(c, y, v, false, found));
    *found = *found && fabs(y[c->n] - at[c->n]) < log(same_turn);
    return JD_OK;
}

// The cycle at lambda + h beside the largest linear one, a, into y: sticking forgets where it came
// from, so that some rounds lead close to it.
static jd_status cycle_beside(jd_follow *f, const double *at, const double *v,
                              const jd_phase *phase, double a, double h, double *y, bool *found) {
    curve *c = &f->curve;
    double *border = f->at.there.tangent, away = 0;
    bool lost = false;
    *found = false;
    c->phase = *phase;
    memset(border, 0, (size_t)c->N * sizeof *border);
    border[c->N - 1] = 1;
    for (int i = 0; i < c->N; i++) y[i] = at[i] + a * v[i];
    y[c->N - 1] += h;
    for (int k = 0; k < ROUNDS && !lost; k++) {
        JD_TRY(jd_curve_round(c, y, false, &lost));
        for (int i = 0; i < c->n && !lost; i++) y[i] = c->sh->scale[i] * c->sh->s1[i] / c->S;
        if (!lost) c->phase = c->sh->phase1;
    }
    if (!lost) JD_TRY(jd_curve_round(c, y, false, &lost));
    if (lost) return JD_OK;
    for (int i = 0; i < c->n; i++) c->newton.rate0[i] = c->sh->scale[i] * c->sh->rate[i] / c->S;
    JD_TRY(jd_curve_derivative(c, y, border, &lost));
    if (!lost) JD_TRY(jd_curve_correct(c, y, border, false, found));
    for (int i = 0; i < c->n; i++) away += pow(y[i] - at[i], 2);
    *found = *found && fabs(y[c->n] - at[c->n]) < log(same_turn) && sqrt(away) > 0.1 * a;
    return JD_OK;
}

// Where the branch begins, in words; far: not close to the largest linear cycle.
static jd_status say(jd_follow *f, bool far) {
    f->begins = jd_arena_format(
        f->arena,
        "at %.10g the contacts make the motion linear: there are cycles of every amplitude up to "
        "where one changes its state%s",
        f->options.from,
        far ? "; no cycle was found close to the largest of them, and the branch may not be "
              "connected with it"
            : ", and the branch begins there");
    return jd_arena_status(f->arena);
}

// Small cycles, as long as no contact changes its state below `edge`; straight: lambda does not
// change with their amplitude, and none of them is taken.
static jd_status seek_small(jd_follow *f, const double *at, const double *v, const jd_phase *phase,
                            double first, double edge, bool *straight, bool *found) {
    static const double share[] = {1, 10, 30, 100, 300};
    const curve *c = &f->curve;
    double *y = f->at.here.y;
    *found = *straight = false;
    for (int k = 0; k < 5 && !*found && share[k] * first < edge; k++) {
        JD_TRY(cycle_at(f, at, v, phase, share[k] * first, y, found));
        *found &= c->sh->last.n_event == 0; // else another one, further away
        bool same = *found && fabs(y[c->N - 1] - at[c->N - 1]) < linear;
        *straight |= same;
        *found &= !same; // of a curve, too, as long as a is small enough
    }
    return JD_OK;
}

// Cycles beyond the amplitude `edge` with lambda no further away than `most`.
static jd_status seek_beyond(jd_follow *f, const double *at, const double *v, const jd_phase *phase,
                             double edge, double most, bool *found) {
    static const double beyond[] = {1e-3, 1e-2, 3e-2, 0.1, 0.3};
    const curve *c = &f->curve;
    double *y = f->at.here.y;
    *found = false;
    for (int k = 0; k < 5 && !*found; k++) {
        JD_TRY(cycle_at(f, at, v, phase, (1 + beyond[k]) * edge, y, found));
        *found &= fabs(y[c->N - 1] - at[c->N - 1]) < most;
    }
    return JD_OK;
}

static jd_status seek_beside(jd_follow *f, const double *at, const double *v, const jd_phase *phase,
                             double edge, bool *found) {
    static const double aside[] = {1e-3, 1e-2, 3e-2};
    *found = false;
    for (int k = 0; k < 6 && !*found; k++) {
        double h = (k % 2 ? -1 : 1) * aside[k / 2] * f->walk.direction;
        JD_TRY(cycle_beside(f, at, v, phase, edge, h, f->at.here.y, found));
        if (*found) f->options.sense = copysign(1, h);
    }
    return JD_OK;
}

// A small cycle; where the motion is linear one beyond the largest, as close to it as can be.
static jd_status seek(jd_follow *f, const double *at, const double *v, const jd_phase *phase,
                      double scale, bool *found) {
    double edge;
    bool straight, far = false;
    JD_TRY(linear_until(&f->curve, at, v, scale, &edge));
    double first = small * (isfinite(edge) ? edge : scale);
    JD_TRY(seek_small(f, at, v, phase, first, edge, &straight, found));
    if (*found || !isfinite(edge)) return JD_OK;
    JD_TRY(seek_beyond(f, at, v, phase, edge, close_by, found));
    if (!*found) JD_TRY(seek_beside(f, at, v, phase, edge, found));
    if (!*found) {
        far = true;
        JD_TRY(seek_beyond(f, at, v, phase, edge, HUGE_VAL, found));
    }
    return straight ? say(f, far) : JD_OK;
}

jd_status jd_hopf_first(jd_follow *f, bool *found) {
    curve *c = &f->curve;
    double *at = f->at.old.y, *v = f->at.old.tangent, omega, scale = 0;
    jd_phase phase;
    bool lost;
    *found = false;
    f->slip = JD_TAKE(f->arena, double, c->n);
    JD_TRY(jd_arena_status(f->arena));
    JD_TRY(jd_steady_state(f, f->slip, &phase, &omega));
    f->view.why = "the steady slip there has no oscillation that neither grows nor decays";
    if (!(omega > 0)) return JD_OK;
    jd_curve_pack(c, f->slip, JD_TWO_PI / omega, f->options.from, at);
    for (int i = 0; i < c->n; i++) scale += at[i] * at[i];
    scale = scale > 0 ? sqrt(scale) : 1;
    c->phase = phase;
    JD_TRY(jd_curve_round(c, at, false, &lost));
    if (lost) return JD_OK;
    memcpy(f->slip, c->sh->s1, (size_t)c->n * sizeof *f->slip); // forces of sliding contacts, too
    jd_curve_pack(c, f->slip, JD_TWO_PI / omega, f->options.from, at);
    JD_TRY(jd_curve_derivative(c, at, NULL, &lost));
    if (lost || !neutral_direction(c, v)) return JD_OK;
    JD_TRY(seek(f, at, v, &phase, scale, found));
    f->view.why = *found ? "" : "no cycle was found beside the Hopf point";
    return JD_OK;
}

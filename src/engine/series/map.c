// map.c -- the engine as a map of states, for orbits: (q, q', T of every sprung slider).
//   A slider that slides or is free has no T of its own: what stands there is what follows from the
//   motion, and what is put in is not used.

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "engine/series/series.h"

static int sprung(const series *s) {
    int n = 0;
    for (int i = 0; i < s->plan.n_slider; i++) n += s->plan.slider[i].kt > 0;
    return n;
}

// One of several parts, whose contact has one letter for the states of all.
static bool is_part(const series *s, const series_contact *c) {
    return c->sliders > 1 || s->plan.system->cells[c->of].position;
}

// Forces and motion tell the states of sprung cells. Those of rigid ones, stuck or sliding at
// speeds near 0, only a letter of their own would.
static bool has_rigid_cells(const series *s) {
    for (int j = 0; j < s->plan.m; j++) {
        const series_contact *c = &s->plan.contact[j];
        if (!s->plan.system->cells[c->of].position) continue;
        if (c->own >= 0 && s->plan.normal[c->own].kind == NORMAL_RIGID) return true;
        for (int i = 0; i < c->sliders; i++)
            if (!(s->plan.slider[c->first + i].kt > 0)) return true;
    }
    return false;
}

int jd_series_coordinates(const jd_run *run) {
    const series *s = run->state;
    return has_rigid_cells(s) ? 0 : 2 * s->plan.n + sprung(s);
}

int jd_series_modes(const jd_run *run, double *out) {
    series *s = run->state;
    size_t n = (size_t)s->plan.n;
    if (!out) return 2 * s->plan.n;
    jd_series_motion(s, s->ready ? jd_series_tau(s, run->t) : 0, s->scratch.q, s->scratch.p);
    memcpy(out, s->scratch.q, n * sizeof *out);
    memcpy(out + n, s->scratch.p, n * sizeof *out);
    return 2 * s->plan.n;
}

void jd_series_scales(const jd_run *run, double *out) {
    const series *s = run->state;
    double slowest = HUGE_VAL;
    int at = 2 * s->plan.n;
    for (int k = 0; k < s->plan.n; k++)
        if (s->plan.omega2[k] > 0) slowest = fmin(slowest, sqrt(s->plan.omega2[k]));
    for (int d = 0; d < s->plan.n_drive; d++)
        if (s->plan.drive[d].omega > 0) slowest = fmin(slowest, s->plan.drive[d].omega);
    if (!isfinite(slowest)) slowest = 1;
    for (int k = 0; k < s->plan.n; k++) {
        out[k] = s->plan.omega2[k] > 0 ? sqrt(s->plan.omega2[k]) : slowest;
        out[s->plan.n + k] = 1;
    }
    for (int i = 0; i < s->plan.n_slider; i++)
        if (s->plan.slider[i].kt > 0) out[at++] = 1 / sqrt(s->plan.slider[i].kt);
}

// State of contact j by its letter; of several parts, or where a letter says nothing, by forces.
static void take_letter(series *s, int j, char letter) {
    const series_contact *c = &s->plan.contact[j];
    if (c->own >= 0 && s->plan.normal[c->own].row >= 0 && !is_part(s, c)) {
        const series_normal *g = &s->plan.normal[c->own];
        double rate, p = jd_series_penetration(s, c->own, 1, &rate) + g->gap;
        s->state.closed[c->own] = (int8_t)(letter == 'o' ? 0 : g->both && p < 0 ? -1 : 1);
        bool in = letter == 'o' && g->kind == NORMAL_SPRING && g->cn > 0;
        s->state.inside[c->own] = (int8_t)(!in                      ? 0
                                           : p > g->gap             ? 1
                                           : g->both && p < -g->gap ? -1
                                                                    : 0);
    }
}

static int slide_of(series *s, int i, char letter) {
    const series_slider *g = &s->plan.slider[i];
    if (!s->state.closed[g->normal]) return SERIES_FREE;
    bool alone = !is_part(s, &s->plan.contact[g->contact]);
    if (g->kt > 0 && alone && letter != 'o') return letter == '+' ? 1 : letter == '-' ? -1 : 0;
    if (g->kt > 0) return jd_series_slides(s, i);
    if (alone && letter == 'H') return 0;
    const double *w = s->plan.W + (size_t)g->row * (size_t)s->plan.stride;
    double v = -g->belt;
    for (int k = 0; k < s->plan.n; k++) v += w[k] * s->state.p[k];
    return v > 0 ? 1 : v < 0 ? -1 : 0;
}

static char letter_of(const jd_phase *phase, int j) { return jd_contact_letter(phase->of[j]); }

static void clear(series *s, double t) {
    series_count fresh = {.margin = HUGE_VAL, .storm_start = t, .proved = t};
    s->count = fresh;
    memset(s->state.slide_order, 0, (size_t)s->plan.n_slider);
    memset(s->state.slide_side, 0, (size_t)s->plan.n_slider);
    memset(s->state.normal_order, 0, (size_t)s->plan.n_normal);
    memset(s->state.normal_side, 0, (size_t)s->plan.n_normal);
    memset(s->ledger.sums, 0,
           ((size_t)s->plan.n_drive + 4 * (size_t)s->plan.m + 1) * sizeof(double));
    s->state.unit = s->state.most = s->state.age = s->ledger.loads = 0;
    s->queue.n = s->queue.next = 0;
    s->held.known = s->held.singular = s->held.updatable = false;
    s->held.painleve = -1;
    s->step.next_dt = s->step.first_dt;
    s->step.brief = false;
    s->tangent.pending = false;
    s->parameter.stencil = NULL;
    s->ranges.kept = NULL; // kept again when asked for again
    if (!s->horizon.known) s->tangent.columns = 0;
}

jd_status jd_series_restart(jd_run *run, double t, const double *state, const jd_phase *phase) {
    series *s = run->state;
    int at = 2 * s->plan.n;
    clear(s, t);
    memcpy(s->state.q, state, (size_t)s->plan.n * sizeof *state);
    memcpy(s->state.p, state + s->plan.n, (size_t)s->plan.n * sizeof *state);
    for (int i = 0; i < s->plan.n_slider; i++)
        s->state.T[i] = s->plan.slider[i].kt > 0 ? state[at++] : 0;
    s->state.t0 = run->t = t;
    jd_series_begin(s); // what no letter tells: given normal forces, several sliders
    s->step.n_change = 0;
    for (int j = 0; j < s->plan.m; j++) take_letter(s, j, letter_of(phase, s->plan.contact[j].of));
    for (int i = 0; i < s->plan.n_slider; i++)
        s->state.slide[i] =
            (int8_t)slide_of(s, i, letter_of(phase, s->plan.contact[s->plan.slider[i].contact].of));
    memset(s->state.normal_order, 0, (size_t)s->plan.n_normal);
    run->waiting = false;
    run->stop = JD_STOP_NONE;
    jd_series_start_energy(s);
    s->ready = false;
    jd_series_find_step(s);
    jd_series_letters(s);
    return JD_OK;
}

void jd_series_state(jd_run *run, double *out) {
    series *s = run->state;
    int at = 2 * s->plan.n;
    double tau = s->ready ? jd_series_tau(s, run->t) : 0;
    jd_series_motion(s, tau, s->scratch.q, s->scratch.p);
    jd_series_forces(s, tau, s->scratch.N, s->scratch.Nr, s->scratch.T, s->scratch.Tr);
    memcpy(out, s->scratch.q, (size_t)s->plan.n * sizeof *out);
    memcpy(out + s->plan.n, s->scratch.p, (size_t)s->plan.n * sizeof *out);
    for (int i = 0; i < s->plan.n_slider; i++)
        if (s->plan.slider[i].kt > 0) out[at++] = s->scratch.T[i];
}

void jd_series_rate(jd_run *run, double *out) {
    series *s = run->state;
    int n = s->plan.n, at = 2 * n;
    double tau = s->ready ? jd_series_tau(s, run->t) : 0;
    jd_series_motion(s, tau, s->scratch.q, s->scratch.p);
    jd_series_forces(s, tau, s->scratch.N, s->scratch.Nr, s->scratch.T, s->scratch.Tr);
    memcpy(out, s->scratch.p, (size_t)n * sizeof *out);
    for (int l = 0; l < n; l++) {
        double x = 0;
        for (int k = s->terms.degree + 3; k >= 2; k--)
            x = x * tau + k * (k - 1) * s->terms.q[(size_t)k * (size_t)s->plan.stride + (size_t)l];
        out[n + l] = x / (s->terms.dt * s->terms.dt);
    }
    for (int i = 0; i < s->plan.n_slider; i++)
        if (s->plan.slider[i].kt > 0) out[at++] = s->scratch.Tr[i];
}

// Small changes of friction in a plane are not computed.
static jd_status no_plane(const series *s) {
    for (int i = 0; i < s->plan.n_slider; i++) {
        if (s->plan.slider[i].partner < 0) continue;
        jd_fail(s->run->context, JD_NOT_SUPPORTED,
                "the contact `%s` is friction in a plane, whose small changes are not computed",
                jd_problem_contact(s->run->problem, s->plan.contact[s->plan.slider[i].contact].of)
                    ->name);
        jd_fail_hint(s->run->context, "`judder run` and `judder sweep` need none");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

jd_status jd_series_tangent_start(jd_run *run) {
    series *s = run->state;
    int n = s->plan.n, columns = jd_series_coordinates(run), at = 2 * n;
    JD_TRY(no_plane(s));
    JD_TRY(jd_series_tangent_room(s, columns));
    series_tangent *x = &s->tangent;
    memset(x->q, 0, (size_t)columns * (size_t)s->plan.stride * sizeof *x->q);
    memset(x->p, 0, (size_t)columns * (size_t)s->plan.stride * sizeof *x->p);
    memset(x->T, 0, (size_t)columns * (size_t)s->terms.slider_stride * sizeof *x->T);
    for (int k = 0; k < n; k++) {
        x->q[(size_t)k * (size_t)s->plan.stride + (size_t)k] = 1;
        x->p[(size_t)(n + k) * (size_t)s->plan.stride + (size_t)k] = 1;
    }
    for (int i = 0; i < s->plan.n_slider; i++) {
        if (!(s->plan.slider[i].kt > 0)) continue;
        if (s->state.slide[i] == 0)
            x->T[(size_t)at * (size_t)s->terms.slider_stride + (size_t)i] = 1;
        at++;
    }
    return JD_OK;
}

// Change of the force of slider i that follows from the motion, where it has none of its own.
static double follows(const series *s, int i, const double *q, const double *p) {
    const series_slider *g = &s->plan.slider[i];
    const series_normal *b = &s->plan.normal[g->normal];
    int slide = s->state.slide[i];
    double sum = 0;
    if (slide == SERIES_FREE || b->kind != NORMAL_SPRING) return 0;
    const double *w = s->plan.W + (size_t)b->row * (size_t)s->plan.stride;
    for (int k = 0; k < s->plan.n; k++) sum += w[k] * (b->kn * q[k] + b->cn * p[k]);
    return slide * g->limit * s->state.closed[g->normal] * sum;
}

void jd_series_tangent(jd_run *run, double *out) {
    series *s = run->state;
    series_tangent *x = &s->tangent;
    int n = s->plan.n, N = x->columns;
    if (x->pending) jd_series_tangent_event(s);
    if (s->ready && run->t > s->state.t0)
        jd_series_tangent_step(s, jd_series_tau(s, run->t), false);
    for (int c = 0; c < N; c++) {
        const double *q = x->q + (size_t)c * (size_t)s->plan.stride,
                     *p = x->p + (size_t)c * (size_t)s->plan.stride;
        int at = 2 * n;
        for (int k = 0; k < n; k++) {
            out[k * N + c] = q[k];
            out[(n + k) * N + c] = p[k];
        }
        for (int i = 0; i < s->plan.n_slider; i++)
            if (s->plan.slider[i].kt > 0)
                out[at++ * N + c] =
                    s->state.slide[i] == 0
                        ? x->T[(size_t)c * (size_t)s->terms.slider_stride + (size_t)i]
                        : follows(s, i, q, p);
    }
    x->columns = 0;
}

jd_status jd_series_remake(jd_run *run) {
    series *s = run->state;
    JD_TRY(jd_problem_build(run->problem));
    JD_TRY(jd_series_replan(run, &s->plan));
    if (!s->matrix.K) s->plan.springs.alone = false;
    s->step.first_dt = jd_series_first_step(s);
    s->ready = s->held.known = s->held.updatable = s->matrix.known = false;
    return JD_OK;
}

// A random change of unit size (sqrt(2 energy)), measured and brought back at every event.
static double size_of(const series *s) {
    double sum = 0;
    const series_tangent *x = &s->tangent;
    for (int k = 0; k < s->plan.n; k++)
        sum += fabs(s->plan.omega2[k]) * x->q[k] * x->q[k] + x->p[k] * x->p[k];
    for (int i = 0; i < s->plan.n_slider; i++)
        if (s->plan.slider[i].kt > 0 && s->state.slide[i] == 0)
            sum += x->T[i] * x->T[i] / s->plan.slider[i].kt;
    return sqrt(sum);
}

static void scale(series *s, double by) {
    series_tangent *x = &s->tangent;
    for (int k = 0; k < s->plan.n; k++) {
        x->q[k] *= by;
        x->p[k] *= by;
    }
    for (int i = 0; i < s->plan.n_slider; i++) x->T[i] *= by;
}

jd_status jd_series_horizon(jd_run *run) {
    series *s = run->state;
    double slowest = 1;
    JD_TRY(no_plane(s));
    JD_TRY(jd_series_tangent_room(s, 1));
    for (int k = 0; k < s->plan.n; k++) {
        double w = s->plan.omega2[k] > 0 ? sqrt(s->plan.omega2[k]) : slowest;
        s->tangent.q[k] = (k % 2 ? -1 : 1) / w;
        s->tangent.p[k] = k % 3 ? 1 : -1;
    }
    memset(s->tangent.T, 0, (size_t)s->plan.n_slider * sizeof(double));
    scale(s, 1 / size_of(s));
    s->horizon = (jd_horizon){.known = true, .digits_until = HUGE_VAL};
    return JD_OK;
}

void jd_series_horizon_step(series *s) {
    double size = size_of(s);
    if (!(size > 0)) return; // swallowed by sticking: nothing grows any more
    scale(s, 1 / size);
    s->horizon.log_growth += log(size);
    s->horizon.largest = fmax(s->horizon.largest, s->horizon.log_growth);
    if (s->horizon.log_growth > log(1e-6 / 2.2e-16) && isinf(s->horizon.digits_until))
        s->horizon.digits_until = s->state.t0;
}

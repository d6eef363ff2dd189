// motion.c -- one motion: Newton's method with exact derivatives.
//   unknowns s, T, xi;  P(s, T, xi) = s,  W q = 0,  W q' = v  at the start, v given, or instead of
//   it the plane b'(y - guess) = 0 across the curve
//   [M - I  f  P_xi; W 0 0 0; 0 W 0 0]   P_xi through the events (engine.h: parameter)
//   Symmetric motions over half a period: -s(T/2) = s. Contacts that never slide then have one
//   place of rest, in the middle. Of motions without a mirror image the member of the family whose
//   stuck contacts are as far from sliding one way as the other: P(s) - s - sum_j c_j tau_j = 0
//   (follow/member.c). tau_xi is left out, as moving the rest leaves xi next to as it is: Newton's
//   method needs a step or two more.
#include <math.h>
#include <string.h>

#include "analysis/backbone/backbone.h"
#include "linalg/general.h"

enum { STEPS = 25 };
static const double converged = 1e-13, near_enough = 1e-10;
static const double mirrored = 1e-9; // times M: of the state at the end of the second half
static const double amplified = 1e5; // M that leaves too few digits to tell motions apart
static const double share = 2e-3;    // of omega: how far the rates of the stencil are apart

void jd_backbone_close_round(jd_backbone *k) {
    jd_run_free(k->run);
    jd_arena_free(k->round);
    k->run = NULL;
    k->round = NULL;
}

// The run at this rate, and its state.
static jd_status open_round(jd_backbone *k, const backbone_motion *m) {
    jd_backbone_close_round(k);
    k->round = jd_arena_create(k->context);
    if (!k->round) return JD_OUT_OF_MEMORY;
    jd_problem_pump(k->problem, m->rate);
    JD_TRY(jd_problem_build(k->problem));
    JD_TRY(jd_run_create(k->context, k->problem, &k->run));
    jd_run_for_analysis(k->run);
    JD_TRY(jd_shooting_create(k->run, k->round, &k->sh));
    jd_shooting *sh = k->sh;
    memcpy(sh->s, m->s, (size_t)k->n * sizeof *sh->s);
    sh->period = m->period;
    sh->phase = m->phase;
    sh->mirrored = k->symmetric;
    return JD_OK;
}

// P_xi at the end of the round, turned round like s1.
static jd_status by_rate(jd_backbone *k, const backbone_motion *m, bool *lost) {
    jd_others o;
    const char *why;
    double end = k->symmetric ? m->period / 2 : m->period, omega = 2 * acos(-1.0) / m->period;
    double theta = m->rate != 0 ? m->rate : share * omega;
    // steps are a share of the frequency, not of the rate, which may be next to 0
    JD_TRY(jd_others_open(k->context, k->problem, k->round, NULL, m->rate,
                          share * omega / (m->rate != 0 ? fabs(theta) : 1), NULL, &o, &why));
    jd_status status = JD_OK;
    *lost = why != NULL;
    memset(k->sh->newton.work, 0, (size_t)k->n * sizeof(double));
    if (!*lost) status = k->run->class->map.restart(k->run, 0, m->s, &m->phase);
    if (status == JD_OK && !*lost)
        status = k->run->class->parameter.begin(k->run, &o.stencil, k->sh->newton.work);
    bool there = true;
    if (status == JD_OK && !*lost) status = jd_gradient_advance(k->run, end, &there);
    if (status == JD_OK && !*lost && there) status = k->run->class->parameter.look(k->run, k->P);
    *lost = *lost || !there || k->run->class->parameter.broken(k->run);
    for (int i = 0; k->symmetric && i < k->n; i++) k->P[i] = -k->P[i];
    jd_others_close(&o);
    return status;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

double jd_backbone_speed(const jd_backbone *k, const backbone_motion *m) {
    return dot(k->modes, k->row, m->s + k->modes);
}

// The last row: across the curve, through the guess.
static void across(jd_backbone *k, const backbone_motion *m, double size) {
    const backbone_motion *g = k->guess;
    int n = k->n, N = n + 2;
    double off = k->border[n] * log(m->period / g->period) +
                 k->border[n + 1] * (m->rate - g->rate) * m->period / (2 * acos(-1.0));
    for (int i = 0; i < n; i++) off += k->border[i] * k->sh->scale[i] * (m->s[i] - g->s[i]) / size;
    memcpy(k->A + (n + 1) * N, k->border, (size_t)N * sizeof *k->A);
    k->b[n + 1] = -off;
}

// Newton's system in coordinates of roots of energies, T and xi over their own sizes.
static void assemble(jd_backbone *k, const backbone_motion *m) {
    jd_shooting *sh = k->sh;
    int n = k->n, N = n + 2;
    double size = fmax(jd_shooting_size(sh, sh->s), 1e-300), omega = 2 * acos(-1.0) / m->period;
    double part = k->symmetric ? 0.5 : 1, long_row = sqrt(dot(k->modes, k->row, k->row));
    memset(k->A, 0, (size_t)(N * N) * sizeof *k->A);
    for (int i = 0; i < n; i++) {
        double d = sh->scale[i];
        for (int j = 0; j < n; j++)
            k->A[i * N + j] = d * sh->M[i * n + j] / sh->scale[j] - (i == j);
        k->A[i * N + n] = part * d * sh->rate[i] * m->period / size;
        k->A[i * N + n + 1] = d * k->P[i] * omega / size;
        k->b[i] = d * (sh->s[i] - sh->s1[i]) / size;
    }
    for (int l = 0; l < k->modes; l++) {
        double w = k->row[l] / long_row;
        k->A[n * N + l] = omega * w / sh->scale[l];
        if (!k->guess) k->A[(n + 1) * N + k->modes + l] = w / sh->scale[k->modes + l];
    }
    k->b[n] = -omega * dot(k->modes, k->row, m->s) / (long_row * size);
    k->b[n + 1] = (m->speed - jd_backbone_speed(k, m)) / (long_row * size);
    if (k->guess) across(k, m, size);
}

// Contacts that do not slide both ways, and what they add to the system.
static jd_status look_at_rests(jd_backbone *k, bool *lost) {
    if (k->symmetric) return JD_OK;
    k->rests = (curve){.context = k->context,
                       .problem = k->problem,
                       .arena = k->round,
                       .run = k->run,
                       .run_arena = k->round,
                       .sh = k->sh,
                       .n = k->n,
                       .forced = true};
    JD_TRY(jd_member_open(&k->rests));
    return jd_member_take(&k->rests, true, lost);
}

static void add_rests(jd_backbone *k) {
    const curve_member *r = &k->rests.member;
    int n = k->n, N = n + 2;
    double size = fmax(jd_shooting_size(k->sh, k->sh->s), 1e-300);
    for (int m = 0; !k->symmetric && m < r->n; m++)
        for (int i = 0; i < n; i++) {
            double c = r->shape[m * n + i];
            k->b[i] += c * r->of[m].tau / size;
            for (int j = 0; j < n; j++) k->A[i * N + j] -= c * r->row[m * n + j] / k->sh->scale[j];
        }
}

// One step; false: the system is singular or leads nowhere.
static bool step(jd_backbone *k, backbone_motion *m, double *moved) {
    int n = k->n, N = n + 2;
    double size = fmax(jd_shooting_size(k->sh, k->sh->s), 1e-300),
           omega = 2 * acos(-1.0) / m->period;
    if (!jd_lu_factor(N, k->A, k->pivot)) return false;
    jd_lu_solve(N, k->A, k->pivot, k->b);
    *moved = sqrt(dot(N, k->b, k->b));
    if (!isfinite(*moved)) return false;
    double much = fmax(fabs(k->b[n]), fabs(k->b[n + 1])), factor = much > 0.2 ? 0.2 / much : 1;
    for (int i = 0; i < n; i++) m->s[i] += factor * size * k->b[i] / k->sh->scale[i];
    m->period *= 1 + factor * k->b[n];
    m->rate += factor * omega * k->b[n + 1];
    return m->period > 0;
}

// One period with everything Newton's step needs, and its system.
static jd_status look(jd_backbone *k, backbone_motion *m, bool *lost) {
    JD_TRY(open_round(k, m));
    JD_TRY(jd_shooting_round(k->sh, true, lost));
    k->view.orbits++;
    if (*lost) return JD_OK;
    m->phase = k->sh->phase1;
    k->residual = jd_shooting_residual(k->sh);
    k->events = k->sh->last.n_event;
    JD_TRY(look_at_rests(k, lost));
    if (!*lost) JD_TRY(by_rate(k, m, lost));
    if (*lost) return JD_OK;
    assemble(k, m);
    add_rests(k);
    return JD_OK;
}

jd_status jd_backbone_look_there(jd_backbone *k, backbone_motion *m, bool *lost) {
    JD_TRY(look(k, m, lost));
    if (!*lost) *lost = !jd_lu_factor(k->n + 2, k->A, k->pivot);
    return JD_OK;
}

bool jd_backbone_tangent(jd_backbone *k, double *out) {
    int N = k->n + 2;
    memset(out, 0, (size_t)N * sizeof *out);
    out[N - 1] = 1;
    jd_lu_solve(N, k->A, k->pivot, out);
    double size = sqrt(dot(N, out, out));
    for (int i = 0; i < N; i++) out[i] /= size;
    return isfinite(size) && size > 0;
}

static double largest(const jd_backbone *k) {
    double most = 1;
    for (int i = 0; i < k->n * k->n; i++) most = fmax(most, fabs(k->sh->M[i]));
    return most;
}

bool jd_backbone_amplifies(const jd_backbone *k) { return largest(k) > amplified; }

// Does the second half mirror the first? Beside a touch one of them may stick and the other not.
static bool is_whole(const jd_backbone *k) {
    return !k->symmetric || k->sh->unclosed < mirrored * largest(k);
}

jd_status jd_backbone_solve(jd_backbone *k, backbone_motion *m, bool *found) {
    double moved = HUGE_VAL, before;
    bool lost;
    *found = false;
    for (int i = 0; i < STEPS; i++) {
        if (jd_stop_wanted(k->context)) return JD_OK;
        JD_TRY(look(k, m, &lost));
        if (lost) return JD_OK;
        before = moved;
        if (!step(k, m, &moved)) return JD_OK;
        if (moved < converged || (moved < near_enough && moved > 0.5 * before)) {
            *found = is_whole(k);
            return JD_OK;
        }
    }
    return JD_OK;
}

jd_status jd_backbone_amplitude(jd_backbone *k, const backbone_motion *m, double *out) {
    bool lost;
    JD_TRY(open_round(k, m));
    JD_TRY(jd_shooting_round(k->sh, false, &lost)); // of the motion as it is now
    k->residual = k->symmetric ? k->sh->unclosed : jd_shooting_residual(k->sh);
    k->events = k->sh->last.n_event;
    const char *point = k->def->at;
    int contacts = jd_problem_contacts(k->problem);
    const char *name[1] = {point};
    jd_gradient g = {.context = k->context,
                     .problem = k->problem,
                     .arena = k->round,
                     .orbit = {.run = k->run, .sh = k->sh}};
    gradient_places *p = &g.places;
    *p = (gradient_places){.n_contact = contacts, .n = contacts + (k->place == contacts)};
    p->name = JD_TAKE(k->round, const char *, p->n + 1);
    p->row = JD_TAKE(k->round, jd_dd, k->modes);
    p->state = JD_TAKE(k->round, double, k->n);
    p->u = JD_TAKE(k->round, double, p->n + 1);
    p->v = JD_TAKE(k->round, double, p->n + 1);
    p->f = JD_TAKE(k->round, double, p->n + 1);
    JD_TRY(jd_arena_status(k->round));
    p->name[contacts] = name[0];
    JD_TRY(jd_gradient_extremes(&g));
    double range[2] = {0, 0};
    for (int i = 0; i < p->n_look; i++)
        if (p->look[i].place == k->place) range[p->look[i].most] = p->look[i].u;
    *out = 0.5 * (range[1] - range[0]);
    return JD_OK;
}

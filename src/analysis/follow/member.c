// member.c -- contacts that never slide both ways: which orbit of their family is taken.
//   A contact j that is stuck for the whole period may rest elsewhere: shifted by d, its force
//   f is shifted by about d/kappa, kappa the static compliance at the contact. With the limit r,
//   given or a share of a normal force that swings, shifts of the force between -b and -a are
//   allowed,
//     a = max (f - r) <= 0 <= b = min (f + r)   (a = 0 where it slides -, b = 0 where it slides +)
//   and the equations P(s) - s = 0, which leave the rest open, are completed by
//     F = P(s) - s - sum_j c_j tau_j,   c_j = B_j over the scales of the state; of a contact that
//     is sprung while stuck its own force is part of the state, and c_j the direction of that,
//     tau = (a + b)/2  centred: both ways as far from sliding,
//     tau = (u - u_0)/kappa, not below a or above b   held: as it was, moved only where it has to,
//     and then a little further, as at the limit itself rounding would decide whether it slides.
//   Stuck: B_j(P(s) - s) = 0, so that F = 0 needs tau = 0. Sliding both ways, or open for a while:
//   tau = 0 whatever s is. Sliding one way: both terms have the same sign, there is no orbit.
//   Of a contact with several sliders in parallel each is one: its own force and limit.
//                                        tested: follow_through_stick, follow_pressed
#include <math.h>
#include <string.h>

#include "analysis/follow/curve.h"
#include "contact/law.h"
#include "linalg/general.h"

static const double at_one = 1e-6; // multipliers of contacts that rest
static const double clear = 1e-9; // of its limit: a held contact that has to move stays clear of it
static const double begun = 1e-11; // |F| over |y| of a first orbit
enum { BEGINS = 40 };

// The i-th slider of contact j; false: there are fewer.
static bool slider_of(const curve *c, int j, int i, jd_held_slider *out) {
    const jd_engine_held *held = &c->run->class->held;
    if (held->slider) return held->slider(c->run, j, i, out);
    *out = (jd_held_slider){.at = -1};
    return i == 0;
}

static int count_sliders(const curve *c, int j) {
    jd_held_slider s;
    int n = 0;
    while (slider_of(c, j, n, &s)) n++;
    return n;
}

static int bits(int sign) { return sign > 0 ? 1 : sign < 0 ? 2 : 0; }

// What a state has of sliding; open, a slider forgets where it rested as if it slid both ways.
static int sliding(jd_contact_state at) {
    return at == JD_CONTACT_OPEN ? 3 : bits(jd_contact_sign(at));
}

// Sliding met in the last round; bits 1: +, 2: -. Of several sliders the phase at the start does
// not tell; one without events did what it does now.
static int slides(const jd_shooting *sh, const member *m) {
    bool several = sh->phase.of[m->contact] == JD_CONTACT_CELLS;
    int seen = several ? 0 : sliding(sh->phase.of[m->contact]), n = 0;
    for (int i = 0; i < sh->last.n_event; i++) {
        const jd_event *e = &sh->last.event[i];
        if (e->contact != m->contact || (several && e->cell != m->held.cell)) continue;
        seen |= sliding(e->to) | (several ? sliding(e->from) : 0);
        n++;
    }
    return several && n == 0 ? bits(m->held.slides) : seen;
}

// Friction at a point against something that stands still or moves with the structure.
static bool may_rest(const curve *c, int j, const jd_held_slider *slider) {
    const jd_contact_def *d = jd_problem_contact(c->problem, j)->def;
    bool moving = d->against.kind == JD_MOVING && d->against.velocity != 0;
    return (jd_law_traits(&d->law) & JD_LAW_FRICTION) && !moving && slider->at > -2;
}

// B_j of a slider: those in parallel at a point have the same, cells of a span have one each.
static const jd_dd *row_of(const jd_system *system, const member *m) {
    const jd_cells *cells = &system->cells[m->contact];
    return cells->position ? cells->row[m->held.cell] : system->contact[m->contact];
}

// A limit that is given and stays as it is.
static jd_status hold_of(curve *c, int contact, double *hold) {
    const jd_contact_def *d = jd_problem_contact(c->problem, contact)->def;
    jd_arena_mark mark = jd_arena_here(c->run_arena);
    jd_friction f;
    jd_status status = jd_law_friction_of(c->run_arena, &d->law, &f);
    *hold = f.hold;
    jd_arena_rewind(c->run_arena, mark);
    return status;
}

// c_j in *out; how far the contact rests from where it shall if it is held, as a force, without
// what is known at the beginning (c->member.rest), in *rests_at; its gradient in *row, NULL: not
// wanted. Rigid: the place B_j q over kappa; sprung: that of the slider, B_j q - T/kt, times kt.
static void shape(const curve *c, const member *m, const double *s, double *out, double *rests_at,
                  double *row) {
    const jd_system *system = jd_problem_system(c->problem);
    double kt = m->held.stiffness, kappa = 0;
    const jd_dd *B = row_of(system, m);
    int at = m->held.at, modes = system->modal.n;
    memset(out, 0, (size_t)c->n * sizeof *out);
    for (int k = 0; k < modes; k++) {
        out[k] = B[k].hi / c->sh->scale[k];
        kappa += out[k] * out[k];
    }
    double hardness = at < 0 ? 1 / kappa : kt;
    *rests_at = at < 0 ? 0 : -s[at];
    for (int k = 0; k < modes; k++) {
        *rests_at += hardness * B[k].hi * s[k];
        if (row) row[k] = hardness * B[k].hi;
        if (at >= 0) out[k] = 0;
    }
    if (at < 0) return;
    out[at] = -c->sh->scale[at];
    if (row) row[at] = -1;
}

// How far member m stayed from sliding, of a run that has kept its extremes.
static jd_status room_of(curve *c, member *m) {
    const jd_engine_held *held = &c->run->class->held;
    const jd_range *force = &c->member.range[m->contact].force;
    jd_force_extreme when;
    double hold;
    if (held->room) {
        held->room(c->run, m->contact, m->slider, &m->room);
        return JD_OK;
    }
    JD_TRY(hold_of(c, m->contact, &hold));
    held->force(c->run, m->contact, &when, NULL);
    m->room = (jd_held_room){
        {force->min + hold, force->max - hold}, {when.t[0], when.t[1]}, .size = hold};
    memcpy(m->edge, when.edge, sizeof m->edge);
    return JD_OK;
}

// The last round once more, with the extremes of the forces.
static jd_status look_at_forces(curve *c, bool *lost) {
    jd_run *run = c->run;
    jd_shooting *sh = c->sh;
    int ranges = run->ranges;
    jd_step step;
    run->ranges = 2;
    jd_status status = run->class->map.restart(run, sh->start, sh->s, &sh->phase);
    if (status == JD_OK) status = jd_run_track(run);
    do
        if (status == JD_OK) status = jd_run_advance(run, sh->start + sh->period, &step);
    while (status == JD_OK && step == JD_STEP_EVENT);
    *lost = status == JD_OK && step != JD_STEP_TIME;
    if (status == JD_OK && !*lost) status = jd_run_ranges(run, c->member.range);
    for (int i = 0; i < c->member.n && status == JD_OK && !*lost; i++)
        status = room_of(c, &c->member.of[i]);
    run->ranges = ranges;
    return status;
}

// The last round once more with a tangent, up to t and through the events there; false: lost.
static jd_status go_to(curve *c, double t, bool *there) {
    jd_run *run = c->run;
    const jd_engine_map *map = &run->class->map;
    jd_step step;
    JD_TRY(map->restart(run, c->sh->start, c->sh->s, &c->sh->phase));
    JD_TRY(map->tangent_start(run));
    do JD_TRY(jd_run_advance(run, t, &step));
    while (step == JD_STEP_EVENT);
    *there = step == JD_STEP_TIME;
    return JD_OK;
}

static bool is_event(const jd_shooting *sh, double t) {
    for (int i = 0; i < sh->last.n_event; i++)
        if (fabs(sh->last.event[i].t - t) <= 1e-13 * sh->period) return true;
    return false;
}

// Rate of the force of contact j at the present time, within its phase, by a difference.
static double rate_of(curve *c, int j, int edge) {
    double h = edge * 1e-6 * c->sh->period, *look = c->seen.look;
    int m = jd_problem_contacts(c->problem);
    jd_run_observe_contacts(c->run, c->run->t, look, look + m, look + 2 * m);
    double f = look[2 * m + j];
    jd_run_observe_contacts(c->run, c->run->t + h, look, look + m, look + 2 * m);
    return (look[2 * m + j] - f) / h;
}

// row += share d room[k]/d state(start) by the gradient of the force. An extreme where another
// contact changes moves with that event: d force = grad . d state + rate dt.
static jd_status add_force_slope(curve *c, const member *m, int k, double share, double *row) {
    const jd_engine_held *held = &c->run->class->held;
    bool moves = held->event_shift && is_event(c->sh, m->room.t[k]);
    int n = c->n, edge = moves ? m->edge[k] : 0;
    double *g = c->member.gradient, t = m->room.t[k], rate = 0;
    bool there;
    JD_TRY(go_to(c, edge < 0 ? nextafter(t, 0) : t, &there));
    if (!there || !held->force(c->run, m->contact, NULL, g)) return JD_OK;
    if (edge) rate = rate_of(c, m->contact, edge);
    c->run->class->map.tangent(c->run, c->member.flow);
    for (int l = 0; l < n; l++)
        for (int i = 0; i < n; i++) row[l] += share * g[i] * c->member.flow[i * n + l];
    if (!edge) return JD_OK;
    if (edge < 0) JD_TRY(go_to(c, t, &there));
    if (!there) return JD_OK;
    held->event_shift(c->run, g);
    for (int l = 0; l < n; l++) row[l] += share * rate * g[l];
    return JD_OK;
}

// row += share d room[k]/d state(start).
static jd_status add_slope(curve *c, const member *m, int k, double share, double *row) {
    const jd_engine_held *held = &c->run->class->held;
    double *g = c->member.gradient;
    bool there;
    if (!held->room_slope) return add_force_slope(c, m, k, share, row);
    JD_TRY(go_to(c, m->room.t[k], &there));
    if (!there || !held->room_slope(c->run, m->contact, m->slider, k, g)) return JD_OK;
    for (int l = 0; l < c->n; l++) row[l] += share * g[l];
    return JD_OK;
}

// tau and, with `derivative`, its gradient.
static jd_status pull(curve *c, int i, bool derivative) {
    member *m = &c->member.of[i];
    double *row = c->member.row + i * c->n, rests_at;
    memset(row, 0, (size_t)c->n * sizeof *row);
    shape(c, m, c->sh->s, c->member.shape + i * c->n, &rests_at, row);
    double a = m->slides & 2 ? 0 : fmin(0, m->room.room[1]);
    double b = m->slides & 1 ? 0 : fmax(0, m->room.room[0]);
    double rest = rests_at - c->member.rest[c->member.first[m->contact] + m->slider];
    bool middle = !c->member.held || b - a <= 2 * clear * m->room.size;
    double gap = middle ? 0 : clear * m->room.size;
    bool low = middle || rest < a + gap, high = middle || rest > b - gap, kept = !low && !high;
    double share = middle ? 0.5 : 1;
    m->tau = kept ? rest : middle ? (a + b) / 2 : low ? a + gap : b - gap;
    if (!derivative || kept) return JD_OK;
    memset(row, 0, (size_t)c->n * sizeof *row);
    if (low && !(m->slides & 2)) JD_TRY(add_slope(c, m, 1, share, row));
    if (high && !(m->slides & 1)) JD_TRY(add_slope(c, m, 0, share, row));
    return JD_OK;
}

jd_status jd_member_open(curve *c) {
    int m = jd_problem_contacts(c->problem), n = c->n, all = 0;
    if (!jd_engine_holds(&c->run->class->held)) return JD_OK;
    c->member.first = JD_TAKE(c->arena, int, m + 1);
    JD_TRY(jd_arena_status(c->arena));
    for (int j = 0; j < m; j++) {
        c->member.first[j] = all;
        all += count_sliders(c, j);
    }
    c->member.of = JD_TAKE(c->arena, member, all + 1);
    c->member.range = JD_TAKE(c->arena, jd_contact_ranges, m + 1);
    c->member.rest = JD_TAKE(c->arena, double, all + 1);
    c->member.shape = JD_TAKE(c->arena, double, all *n + 1);
    c->member.row = JD_TAKE(c->arena, double, all *n + 1);
    c->member.gradient = JD_TAKE(c->arena, double, n);
    c->member.flow = JD_TAKE(c->arena, double, n *n);
    return jd_arena_status(c->arena);
}

// The i-th slider of contact j, if it may rest; false: it may not.
static bool member_of(const curve *c, int j, int i, member *out) {
    *out = (member){.contact = j, .slider = i};
    return slider_of(c, j, i, &out->held) && may_rest(c, j, &out->held);
}

void jd_member_rest(curve *c, const double *s) {
    for (int j = 0; c->member.of && j < jd_problem_contacts(c->problem); j++)
        for (int i = 0, n = count_sliders(c, j); i < n; i++) {
            member m;
            if (member_of(c, j, i, &m))
                shape(c, &m, s, c->member.shape, &c->member.rest[c->member.first[j] + i], NULL);
        }
}

jd_status jd_member_take(curve *c, bool derivative, bool *lost) {
    c->member.n = c->member.stuck = 0;
    if (!c->member.of || !c->forced) return JD_OK;
    for (int j = 0; j < jd_problem_contacts(c->problem); j++)
        for (int i = 0, n = count_sliders(c, j); i < n; i++) {
            member m;
            m.slides = member_of(c, j, i, &m) ? slides(c->sh, &m) : 3;
            c->member.stuck += m.slides == 0;
            if (m.slides != 3) c->member.of[c->member.n++] = m;
        }
    if (c->mirrored) c->member.n = 0; // its own mirror image: the rest is that of the centred one
    if (c->member.n == 0) return JD_OK;
    JD_TRY(look_at_forces(c, lost));
    for (int i = 0; i < c->member.n && !*lost; i++) JD_TRY(pull(c, i, derivative));
    return JD_OK;
}

void jd_member_add(const curve *c, double *F) {
    for (int i = 0; i < c->member.n; i++)
        for (int k = 0; k < c->n; k++)
            F[k] -= c->member.shape[i * c->n + k] * c->member.of[i].tau / c->S;
}

void jd_member_slope(curve *c, double *J) {
    c->member.sloped = c->member.n;
    c->member.resting = c->member.stuck;
    for (int i = 0; i < c->member.n; i++)
        for (int k = 0; k < c->n; k++)
            for (int l = 0; l < c->n; l++)
                J[k * c->N + l] -=
                    c->member.shape[i * c->n + k] * c->member.row[i * c->n + l] / c->sh->scale[l];
}

static double slack_of(const member *m) { return (m->room.room[0] - m->room.room[1]) / 2; }

double jd_member_least_slack(const curve *c) {
    double least = HUGE_VAL;
    for (int i = 0; i < c->member.n; i++)
        if (c->member.of[i].slides == 0) least = fmin(least, slack_of(&c->member.of[i]));
    return least;
}

jd_status jd_member_slack(curve *c, double *slack) {
    for (int j = 0; j < jd_problem_contacts(c->problem); j++) slack[j] = HUGE_VAL;
    for (int i = 0; i < c->member.n; i++) {
        const member *m = &c->member.of[i];
        if (m->slides == 0) slack[m->contact] = fmin(slack[m->contact], slack_of(m));
    }
    return JD_OK;
}

bool jd_member_odd(curve *c) {
    int n = c->n;
    for (int i = 0; i < n; i++) // det(-J) < 0
        for (int j = 0; j < n; j++) c->member.flow[i * n + j] = -c->newton.J[i * c->N + j];
    return jd_lu_factor(n, c->member.flow, c->newton.pivot) &&
           jd_lu_negative(n, c->member.flow, c->newton.pivot);
}

void jd_member_forget(const curve *c, double *m) {
    for (int i = 0; i < c->member.resting; i++) {
        int nearest = -1;
        double least = at_one;
        for (int k = 0; k < c->n; k++) {
            double away = fabs(hypot(m[2 * k], m[2 * k + 1]) - 1) +
                          (c->mirrored ? fabs(m[2 * k + 1]) : hypot(m[2 * k] - 1, m[2 * k + 1]));
            if (away >= least) continue;
            least = away;
            nearest = k;
        }
        if (nearest < 0) return;
        memmove(m + 2 * nearest, m + 2 * (nearest + 1),
                2 * (size_t)(c->n - 1 - nearest) * sizeof *m);
        m[2 * c->n - 2] = m[2 * c->n - 1] = 0;
    }
}

static double size_of(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

// The rest may have to move much further than the motion is large, and slides may appear or vanish
// on the way: steps of any length, halved until |F| falls.
jd_status jd_member_begin(curve *c, double *y, const double *border, bool *found) {
    bool lost;
    double *base = c->newton.kept, *step = c->newton.chord;
    *found = false;
    for (int it = 0; it < BEGINS; it++) {
        JD_TRY(jd_curve_derivative(c, y, border, &lost));
        double size = size_of(c->n, c->newton.F), whole = size_of(c->n, y);
        if (lost || (*found = size <= begun * whole)) return JD_OK;
        memcpy(base, y, (size_t)c->N * sizeof *base);
        for (int i = 0; i < c->N; i++) step[i] = i < c->n ? -c->newton.F[i] : 0;
        jd_lu_solve(c->N, c->newton.lu, c->newton.pivot, step);
        bool better = false;
        for (double factor = 1; factor > 1e-3 && !better; factor /= 2) {
            for (int i = 0; i < c->N; i++) y[i] = base[i] + factor * step[i];
            JD_TRY(jd_curve_round(c, y, false, &lost));
            better = !lost && size_of(c->n, c->newton.F) < size;
        }
        if (!better) return JD_OK;
        c->phase = c->sh->phase1;
    }
    return JD_OK;
}

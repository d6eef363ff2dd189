// stops.c -- stops of the memory engine: impulses act through G'(0+), waves through gamma.
//   finitely many modes: z += in P, v+ = v- + W P, W = G'(0+); Newton's law over all stops that
//     touch at once, v+ + e v- complementary to P (box problem of forces.h with b = (1 + e) v-);
//     loss -P'(v- + v+)/2;                tested: a_chain_hits_its_stop_as_the_exact_engine_has_it
//   chatter, e < 1: flights from the speed v end after D = 2v/(a(1-e)) (1 - jD/(3a)), a the
//     acceleration into the stop and j its rate; the flights' impulse is v/W.
//   jump gamma > 0 (string, rod): a point without mass has no impulse and no restitution; it stays
//     while the force F = -v/gamma that keeps it pushes.  tested:
//     a_rod_stays_until_its_wave_returns
#include <math.h>

#include "base/constants.h"
#include "base/fail.h"
#include "contact/forces.h"
#include "contact/law.h"
#include "engine/memory/memory.h"

static const double chatter_length = 1e-5; // of the slow time scale: shorter chatter is completed
static const double chatter_beside = 1e-9; // the same where other contacts at rest push, too
static const double chatter_drift = 1e-3;  // largest jD/(3a) at completion
static const double unseen = 4e-14;        // of the displacements: flights below are not resolved
static const double at_gap = 1e-12;        // of the displacements: closer is touching

jd_status jd_stops_read(memory *e) {
    if (!e->stop) e->stop = JD_TAKE(e->arena, stop, e->m);
    JD_TRY(jd_arena_status(e->arena));
    e->n_stop = 0;
    for (int j = 0; j < e->m; j++) {
        const jd_contact_def *c = jd_problem_contact(e->run->problem, j)->def;
        const jd_stop_def *d = jd_law_stop_of(&c->law);
        if (!d) continue;
        e->stop[j] =
            (stop){.is = true, .both = d->sides == 1, .gap = d->gap, .restitution = d->restitution};
        e->n_stop++;
    }
    return JD_OK;
}

static jd_status refuse(memory *e, int j, const char *key, const char *why, const char *hint) {
    const char *name = jd_problem_contact(e->run->problem, j)->name;
    jd_fail(e->run->context, JD_NOT_SUPPORTED, "contact `%s`: %s", name, why);
    jd_fail_where(e->run->context, "contacts.%s.law%s", name, key);
    jd_fail_hint(e->run->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

jd_status jd_stops_check(memory *e, const jd_response *r) {
    int places = jd_response_places(r);
    for (int j = 0; j < e->m; j++) {
        if (!e->stop[j].is) continue;
        if (!(jd_response_jump(r)[j * places + j] > 0))
            return refuse(
                e, j, "",
                "with infinitely many modes the force at a stop is infinite at the moment "
                "of touching (the velocity answers a force as the square root of time)",
                "say how many modes to keep");
        if (e->stop[j].restitution != 0)
            return refuse(e, j, ".restitution",
                          "restitution has no meaning with infinitely many modes: the point that "
                          "touches has no mass of its own, waves decide how it rebounds",
                          "write `restitution: 0`, or say how many modes to keep");
    }
    return JD_OK;
}

// Speeds that matter at a stop: what the state and the friction elsewhere can cause, the largest so
// far. Again where a drive begins: a structure at rest has no scale before.
void jd_stops_scale(memory *e) {
    const poles *c = &e->ch;
    for (int j = 0; j < e->m; j++) {
        if (!e->stop[j].is) continue;
        double sum = fabs(e->belt[j]);
        for (int p = 0; p < c->used; p++) {
            double out = hypot(c->out_re[j * c->n + p], c->out_im[j * c->n + p]);
            sum += out * hypot(c->z_re[p], c->z_im[p]);
            for (int k = 0; k < e->m && !is_soft(c, p); k++)
                sum += out * e->law[k].hold * hypot(c->inv_re[p], c->inv_im[p]) *
                       hypot(c->in_re[k * c->n + p], c->in_im[k * c->n + p]);
        }
        e->v_scale[j] = fmax(e->v_scale[j], 0.1 * sum + 1e-300);
        e->f_scale[j] = e->v_scale[j] / e->mobility[j] + 1e-300;
    }
}

// Displacements that count as large at a stop: the terms that its own is the sum of.
static double size_of(const memory *e, int j) {
    const poles *c = &e->ch;
    double size = fabs(e->stop[j].gap) + fabs(e->place0[j]) + fabs(e->belt[j] * e->t0), drives = 0;
    for (int p = 0; p < c->used; p++)
        size += fabs(c->place_re[j * c->n + p] * c->z_re[p]) +
                fabs(c->place_im[j * c->n + p] * c->z_im[p]);
    jd_drives_motion(e, e->drive, j, e->t0, &drives, NULL, NULL);
    return size + fabs(drives);
}

static double speed_of(const memory *e, int j, const double *v) {
    double u = v[j] - e->belt[j];
    return fabs(u) <= 1e-12 * (fabs(e->belt[j]) + e->v_scale[j]) ? 0 : u;
}

jd_status jd_stops_start(memory *e) {
    double *v = e->scratch;
    if (e->n_stop == 0) return JD_OK;
    jd_state_places(e, e->place0);
    jd_state_velocities(e, v);
    for (int j = 0; j < e->m; j++) {
        stop *c = &e->stop[j];
        if (!c->is) continue;
        double u = e->place0[j], slack = at_gap * size_of(e, j);
        JD_TRY(jd_run_inside_stop(e->run, j, u, c->gap, c->both, slack));
        if (u >= c->gap - slack) c->touch = 1;
        if (c->both && u <= -c->gap + slack) c->touch = -1;
        bool leaving = c->touch * speed_of(e, j, v) < 0;
        if (!leaving) continue;
        c->left = c->touch;
        c->touch = 0;
    }
    return JD_OK;
}

// A contact at its gap up to rounding, or drift while it was closed, begins there.
void jd_stops_begin(memory *e) {
    jd_state_places(e, e->place0);
    for (int j = 0; j < e->m; j++) {
        stop *c = &e->stop[j];
        if (!c->is) continue;
        double beyond = e->place0[j] - c->gap;
        if (c->both) beyond = fmax(beyond, -e->place0[j] - c->gap);
        c->slack = fmax(beyond, 0);
    }
}

double jd_stops_end(memory *e, int j) {
    const poles *c = &e->ch;
    double u;
    jd_poles_inside(e, e->h);
    jd_weigh_rows(1, c->n, c->place_re + j * c->n, c->place_im + j * c->n, e->work_re, e->work_im,
                  &u);
    jd_drives_motion(e, e->drive, j, e->t0 + e->h, &u, NULL, NULL);
    if (e->echo) u += jd_echoes_end(e, j);
    return u - e->belt[j] * (e->t0 + e->h);
}

// Rise of the relative displacement over the panel, without the place it rises from: a flight that
// begins at the stop is as accurate as it is high.
double jd_stops_rise(memory *e, int j) {
    const poles *c = &e->ch;
    double u;
    jd_poles_rise(e, e->h);
    jd_weigh_rows(1, c->n, c->place_re + j * c->n, c->place_im + j * c->n, e->work_re, e->work_im,
                  &u);
    if (e->echo) u += jd_echoes_end(e, j) - e->echo->moved[j];
    return u + jd_drives_shift(e, j, e->t0, e->h) - e->belt[j] * e->h;
}

void jd_stops_reach(memory *e, int j) {
    jd_state_places(e, e->place0);
    e->stop[j].touch = e->stop[j].both && e->place0[j] < 0 ? -1 : 1;
}

static double *loss_of(memory *e, int j) { return &e->sums[e->n_drive + 2 * e->m + j]; }

// Speeds before and after, losses, events.
static void exchange(memory *e, int n, const int *set, const double *P, const double *before) {
    double *v = e->u0, part[JD_GUARD_LIMIT];
    int hit[JD_GUARD_LIMIT], n_hit = 0;
    for (int i = 0; i < n; i++) {
        jd_poles_push(e, set[i], P[i]);
        if (P[i] == 0) continue;
        part[n_hit] = 1 + e->stop[set[i]].restitution;
        hit[n_hit++] = set[i];
    }
    jd_tangent_push(e, n_hit, hit, part);
    jd_state_velocities(e, v);
    for (int i = 0; i < n; i++) {
        int j = set[i];
        if (P[i] == 0) continue;
        double after = speed_of(e, j, v);
        *loss_of(e, j) -= P[i] * (before[j] + after) / 2;
        e->sums[e->n_drive + e->m + j] += P[i] * e->belt[j];
        bool open = e->marks[j] == OPEN;
        if (open || after != 0)
            jd_note_event(e, e->t0, j, e->marks[j], OPEN, open ? fabs(before[j]) : 0, P[i]);
        if (after != 0) e->marks[j] = OPEN;
    }
}

bool jd_stops_impact(memory *e) {
    int m = e->m, n = 0, set[JD_GUARD_LIMIT];
    double *v = e->scratch, *G = v + m, *b = G + m * m, *low = b + m, *high = low + m;
    double *P = high + m, *left = P + m, *work = left + m;
    jd_bound bound[JD_GUARD_LIMIT];
    bool hit = false;
    if (e->n_stop == 0) return false;
    jd_state_velocities(e, v);
    for (int j = 0; j < m; j++) {
        const stop *c = &e->stop[j];
        v[j] = speed_of(e, j, v);
        if (!c->is || !c->touch) continue;
        hit = hit || (c->touch * v[j] > 0 && e->marks[j] == OPEN);
        b[n] = (1 + c->restitution) * v[j];
        low[n] = c->touch > 0 ? -HUGE_VAL : 0;
        high[n] = c->touch > 0 ? 0 : HUGE_VAL;
        set[n++] = j;
    }
    if (!hit) return false;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) G[i * n + k] = e->ch.start[set[i] * m + set[k]];
    jd_forces_solve(n, G, n, b, low, high, P, left, bound, work);
    exchange(e, n, set, P, v);
    return true;
}

// Does a contact at rest push contact j? Its force is not in the acceleration used here.
static bool pushed(const memory *e, int j) {
    for (int i = 0; i < e->m; i++)
        if (i != j && e->ch.start[i * e->m + j] != 0 && (is_fixed(e->marks[i]) || e->stop[i].touch))
            return true;
    return false;
}

// Second derivative of the contact's velocity, its own force and rates of others' left out.
static double jerk_of(memory *e, int j) {
    const poles *c = &e->ch;
    double sum = jd_drives_jerk(e, j, e->t0);
    for (int p = 0; p < c->used; p++) {
        double f_re = c->re[p] * c->z_re[p] - c->im[p] * c->z_im[p];
        double f_im = c->re[p] * c->z_im[p] + c->im[p] * c->z_re[p];
        for (int i = 0; i < e->m; i++) {
            if (slide_sign(e->marks[i]) == 0) continue;
            f_re += c->in_re[i * c->n + p] * e->F0[i];
            f_im += c->in_im[i * c->n + p] * e->F0[i];
        }
        double x = c->re[p] * f_re - c->im[p] * f_im, y = c->re[p] * f_im + c->im[p] * f_re;
        sum += c->out_re[j * c->n + p] * x - c->out_im[j * c->n + p] * y;
    }
    return sum;
}

// Time in which bounces of this speed accumulate; negative: they are not that short yet.
static double chatter_time(memory *e, int j, double acceleration, double speed) {
    const stop *c = &e->stop[j];
    double a = c->touch * acceleration, slow = JD_PI * e->largest_step;
    if (a <= 0) return -1;
    bool beside = pushed(e, j), elastic = c->restitution >= 1;
    // flights no higher than rounding of the displacement can tell; elastic ones end with the next
    bool lost = (beside || elastic) && speed * speed < 2 * a * unseen * size_of(e, j);
    if (elastic && !lost) return -1;
    double D = 2 * speed / (a * (elastic ? 1 : 1 - c->restitution));
    if (!lost && D > (beside ? chatter_beside : chatter_length) * slow) return -1;
    double r = c->touch * jerk_of(e, j) * D / (3 * a);
    if (fabs(r) > chatter_drift) return -1;
    double noise =
        speed > 0 && !elastic ? 1e-15 * size_of(e, j) / (speed * (1 - c->restitution)) : 0;
    e->chatter_error = fmax(e->chatter_error, (beside ? 2 * D : D * 4 * r * r) + noise);
    return D * (1 - r);
}

void jd_stops_after(memory *e) {
    double *a = e->u0, *v = e->report_sums;
    jd_accelerations(e, a);
    jd_state_velocities(e, v);
    for (int j = 0; j < e->m; j++)
        for (int i = 0; i < e->m; i++)
            if (slide_sign(e->marks[i]) != 0) a[j] += e->ch.start[j * e->m + i] * e->F0[i];
    for (int j = 0; j < e->m; j++) {
        stop *c = &e->stop[j];
        double leaving = c->is ? -c->touch * speed_of(e, j, v) : 0, W = e->ch.start[j * e->m + j];
        if (leaving <= 0) continue;
        double D = chatter_time(e, j, a[j], leaving);
        // one that another's impact kicks off opens, however soon it closes again
        if (e->marks[j] != OPEN) jd_note_event(e, e->t0, j, e->marks[j], OPEN, 0, 0);
        e->marks[j] = OPEN;
        if (D < 0) { // flies
            c->left = c->touch;
            c->touch = 0;
            continue;
        }
        double P = c->touch * leaving / W; // the flights' impulse, but for the force during D
        jd_poles_push(e, j, P);
        jd_tangent_push(e, 1, &j, (const double[]){1});
        *loss_of(e, j) += leaving * leaving / (2 * W);
        e->sums[e->n_drive + e->m + j] += P * e->belt[j];
        c->stamp = e->t0 + D;
    }
}

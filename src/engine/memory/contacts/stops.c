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
static const double quiet = 0.1;           // of the tolerance: a pull that panels may err by
static const double rounded = 1e-12;       // of the speeds: what rounding leaves of their waves
static const double at_gap = 1e-12;        // of the displacements: closer is touching

jd_status jd_stops_read(memory_plan *plan) {
    if (!plan->stop) plan->stop = JD_TAKE(plan->arena, stop, plan->m);
    JD_TRY(jd_arena_status(plan->arena));
    plan->n_stop = 0;
    for (int j = 0; j < plan->m; j++) {
        const jd_contact_def *c = jd_problem_contact(plan->problem, j)->def;
        const jd_stop_def *d = jd_law_stop_of(&c->law);
        if (!d) continue;
        plan->stop[j] =
            (stop){.is = true, .both = d->sides == 1, .gap = d->gap, .restitution = d->restitution};
        plan->n_stop++;
    }
    return JD_OK;
}

static jd_status refuse(const memory_plan *plan, int j, const char *key, const char *why,
                        const char *hint) {
    const char *name = jd_problem_contact(plan->problem, j)->name;
    jd_fail(plan->context, JD_NOT_SUPPORTED, "contact `%s`: %s", name, why);
    jd_fail_where(plan->context, "contacts.%s.law%s", name, key);
    jd_fail_hint(plan->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

jd_status jd_stops_check(const memory_plan *plan, const jd_response *r) {
    int places = jd_response_places(r);
    for (int j = 0; j < plan->m; j++) {
        if (!plan->stop[j].is) continue;
        if (!(jd_response_jump(r)[j * places + j] > 0))
            return refuse(
                plan, j, "",
                "with infinitely many modes the force at a stop is infinite at the moment "
                "of touching (the velocity answers a force as the square root of time)",
                "say how many modes to keep");
        if (plan->stop[j].restitution != 0)
            return refuse(plan, j, ".restitution",
                          "restitution has no meaning with infinitely many modes: the point that "
                          "touches has no mass of its own, waves decide how it rebounds",
                          "write `restitution: 0`, or say how many modes to keep");
    }
    return JD_OK;
}

// Forces that act now, and those that friction can add: waves under way are theirs.
static double forces_now(const memory *e) {
    double sum = 0;
    for (int d = 0; d < e->plan->n_drive; d++) sum += fabs(jd_drives_value(e, d, e->state.t));
    for (int j = 0; j < e->plan->m; j++) sum += fmax(fabs(e->state.force[j]), e->plan->law[j].hold);
    return sum;
}

// Speeds that matter at a stop: what the state and the friction elsewhere can cause, the largest so
// far. Again where a drive begins: a structure at rest has no scale before.
void jd_stops_scale(memory *e) {
    const poles *c = &e->plan->poles;
    for (int j = 0; j < e->plan->m; j++) {
        if (!e->plan->stop[j].is) continue;
        double sum = fabs(e->plan->belt[j]);
        if (e->plan->echo) sum += c->gamma[j * e->plan->m + j] * forces_now(e);
        for (int p = 0; p < c->used; p++) {
            double out = hypot(c->out_re[j * c->n + p], c->out_im[j * c->n + p]);
            sum += out * hypot(e->state.z_re[p], e->state.z_im[p]);
            for (int k = 0; k < e->plan->m && !is_soft(c, p); k++)
                sum += out * e->plan->law[k].hold * hypot(c->inv_re[p], c->inv_im[p]) *
                       hypot(c->in_re[k * c->n + p], c->in_im[k * c->n + p]);
        }
        e->state.v_scale[j] = fmax(e->state.v_scale[j], 0.1 * sum + 1e-300);
        e->state.f_scale[j] = e->state.v_scale[j] / e->plan->mobility[j] + 1e-300;
    }
}

// Displacements that count as large at a stop: the terms that its own is the sum of.
static double size_of(const memory *e, int j) {
    const poles *c = &e->plan->poles;
    double size = fabs(e->plan->stop[j].gap) + fabs(e->panel.first_displacement[j]) +
                  fabs(e->plan->belt[j] * e->state.t),
           drives = 0;
    for (int p = 0; p < c->used; p++)
        size += fabs(c->place_re[j * c->n + p] * e->state.z_re[p]) +
                fabs(c->place_im[j * c->n + p] * e->state.z_im[p]);
    jd_drives_motion(e, e->plan->drive, j, e->state.t, &drives, NULL, NULL);
    return size + fabs(drives);
}

// Waves may leave a stop that touches without force and without speed for a while; what is left of
// them is the panels' error. It stays closed until they pull by more than that.
double jd_stops_quiet(const memory *e, int j) {
    double jump = e->plan->poles.gamma[j * e->plan->m + j];
    return jump > 0 ? fmax(quiet * e->plan->tolerance, rounded) * e->state.v_scale[j] / jump : 0;
}

static double speed_of(const memory *e, int j, const double *v) {
    double u = v[j] - e->plan->belt[j];
    return fabs(u) <= 1e-12 * (fabs(e->plan->belt[j]) + e->state.v_scale[j]) ? 0 : u;
}

jd_status jd_stops_start(memory *e) {
    double *v = e->scratch.velocity;
    if (e->plan->n_stop == 0) return JD_OK;
    jd_state_places(e, e->panel.first_displacement);
    jd_state_velocities(e, v);
    for (int j = 0; j < e->plan->m; j++) {
        const stop *c = &e->plan->stop[j];
        stop_side *side = &e->state.side[j];
        if (!c->is) continue;
        double u = e->panel.first_displacement[j], slack = at_gap * size_of(e, j);
        JD_TRY(jd_run_inside_stop(e->run, j, u, c->gap, c->both, slack));
        if (u >= c->gap - slack) side->touch = 1;
        if (c->both && u <= -c->gap + slack) side->touch = -1;
        bool leaving = side->touch * speed_of(e, j, v) < 0;
        if (!leaving) continue;
        side->left = side->touch;
        side->touch = 0;
    }
    return JD_OK;
}

// A contact at its gap up to rounding, or drift while it was closed, begins there.
void jd_stops_begin(memory *e) {
    jd_state_places(e, e->panel.first_displacement);
    for (int j = 0; j < e->plan->m; j++) {
        const stop *c = &e->plan->stop[j];
        if (!c->is) continue;
        double beyond = e->panel.first_displacement[j] - c->gap;
        if (c->both) beyond = fmax(beyond, -e->panel.first_displacement[j] - c->gap);
        e->panel.slack[j] = fmax(beyond, 0);
    }
}

double jd_stops_end(memory *e, int j) {
    const poles *c = &e->plan->poles;
    double u;
    jd_poles_inside(e, e->panel.h);
    jd_weigh_rows(1, c->n, c->place_re + j * c->n, c->place_im + j * c->n, e->scratch.z_re,
                  e->scratch.z_im, &u);
    jd_drives_motion(e, e->plan->drive, j, e->state.t + e->panel.h, &u, NULL, NULL);
    if (e->plan->echo) u += jd_echoes_end(e, j);
    return u - e->plan->belt[j] * (e->state.t + e->panel.h);
}

// Rise of the relative displacement over the panel, without the place it rises from: a flight that
// begins at the stop is as accurate as it is high.
double jd_stops_rise(memory *e, int j) {
    const poles *c = &e->plan->poles;
    double u;
    jd_poles_rise(e, e->panel.h);
    jd_weigh_rows(1, c->n, c->place_re + j * c->n, c->place_im + j * c->n, e->scratch.z_re,
                  e->scratch.z_im, &u);
    if (e->plan->echo) u += jd_echoes_end(e, j) - e->state.echo->moved[j];
    return u + jd_drives_shift(e, j, e->state.t, e->panel.h) - e->plan->belt[j] * e->panel.h;
}

void jd_stops_reach(memory *e, int j) {
    jd_state_places(e, e->panel.first_displacement);
    e->state.side[j].touch = e->plan->stop[j].both && e->panel.first_displacement[j] < 0 ? -1 : 1;
}

// Speeds before and after, losses, events.
static void exchange(memory *e, int n, const int *set, const double *P, const double *before) {
    double *v = e->scratch.velocity, part[JD_GUARD_LIMIT];
    int hit[JD_GUARD_LIMIT], n_hit = 0;
    for (int i = 0; i < n; i++) {
        jd_poles_push(e, set[i], P[i]);
        if (P[i] == 0) continue;
        part[n_hit] = 1 + e->plan->stop[set[i]].restitution;
        hit[n_hit++] = set[i];
    }
    jd_observers_push(e, n_hit, hit, part);
    jd_state_velocities(e, v);
    for (int i = 0; i < n; i++) {
        int j = set[i];
        if (P[i] == 0) continue;
        double after = speed_of(e, j, v);
        jd_energy_impact(e, j, -P[i] * (before[j] + after) / 2, P[i] * e->plan->belt[j]);
        bool open = e->state.contact[j] == JD_CONTACT_OPEN;
        if (open || after != 0)
            jd_note_event(e, e->state.t, j, e->state.contact[j], JD_CONTACT_OPEN,
                          open ? fabs(before[j]) : 0, P[i]);
        if (after != 0) e->state.contact[j] = JD_CONTACT_OPEN;
    }
}

bool jd_stops_impact(memory *e) {
    int m = e->plan->m, n = 0, set[JD_GUARD_LIMIT];
    const memory_scratch *to = &e->scratch;
    double *v = to->approach, *G = to->box_matrix, *b = to->box_free, *P = to->box_force;
    jd_bound bound[JD_GUARD_LIMIT];
    bool hit = false;
    if (e->plan->n_stop == 0) return false;
    jd_state_velocities(e, v);
    for (int j = 0; j < m; j++) {
        const stop *c = &e->plan->stop[j];
        int touch = e->state.side[j].touch;
        v[j] = speed_of(e, j, v);
        if (!c->is || !touch) continue;
        hit = hit || (touch * v[j] > 0 && e->state.contact[j] == JD_CONTACT_OPEN);
        b[n] = (1 + c->restitution) * v[j];
        to->box_low[n] = touch > 0 ? -HUGE_VAL : 0;
        to->box_high[n] = touch > 0 ? 0 : HUGE_VAL;
        set[n++] = j;
    }
    if (!hit) return false;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) G[i * n + k] = e->plan->poles.start[set[i] * m + set[k]];
    jd_forces_solve(n, G, n, b, to->box_low, to->box_high, P, to->box_left, bound, to->box_inside);
    exchange(e, n, set, P, v);
    return true;
}

// Does a contact at rest push contact j? Its force is not in the acceleration used here.
static bool pushed(const memory *e, int j) {
    for (int i = 0; i < e->plan->m; i++)
        if (i != j && e->plan->poles.start[i * e->plan->m + j] != 0 &&
            (jd_contact_at_rest(e->state.contact[i]) || e->state.side[i].touch))
            return true;
    return false;
}

// Second derivative of the contact's velocity, its own force and rates of others' left out.
static double jerk_of(memory *e, int j) {
    const poles *c = &e->plan->poles;
    double sum = jd_drives_jerk(e, j, e->state.t);
    for (int p = 0; p < c->used; p++) {
        double f_re = c->re[p] * e->state.z_re[p] - c->im[p] * e->state.z_im[p];
        double f_im = c->re[p] * e->state.z_im[p] + c->im[p] * e->state.z_re[p];
        for (int i = 0; i < e->plan->m; i++) {
            if (jd_contact_sign(e->state.contact[i]) == 0) continue;
            f_re += c->in_re[i * c->n + p] * e->state.force[i];
            f_im += c->in_im[i * c->n + p] * e->state.force[i];
        }
        double x = c->re[p] * f_re - c->im[p] * f_im, y = c->re[p] * f_im + c->im[p] * f_re;
        sum += c->out_re[j * c->n + p] * x - c->out_im[j * c->n + p] * y;
    }
    return sum;
}

// Time in which bounces of this speed accumulate; negative: they are not that short yet.
static double chatter_time(memory *e, int j, double acceleration, double speed) {
    const stop *c = &e->plan->stop[j];
    int touch = e->state.side[j].touch;
    double a = touch * acceleration, slow = JD_PI * e->plan->largest_step;
    if (a <= 0) return -1;
    bool beside = pushed(e, j), elastic = c->restitution >= 1;
    // flights no higher than rounding of the displacement can tell; elastic ones end with the next
    bool lost = (beside || elastic) && speed * speed < 2 * a * unseen * size_of(e, j);
    if (elastic && !lost) return -1;
    double D = 2 * speed / (a * (elastic ? 1 : 1 - c->restitution));
    if (!lost && D > (beside ? chatter_beside : chatter_length) * slow) return -1;
    double r = touch * jerk_of(e, j) * D / (3 * a);
    if (fabs(r) > chatter_drift) return -1;
    double noise =
        speed > 0 && !elastic ? 1e-15 * size_of(e, j) / (speed * (1 - c->restitution)) : 0;
    e->state.chatter_error = fmax(e->state.chatter_error, (beside ? 2 * D : D * 4 * r * r) + noise);
    return D * (1 - r);
}

void jd_stops_after(memory *e) {
    double *a = e->scratch.acceleration, *v = e->scratch.velocity;
    jd_accelerations(e, a);
    jd_state_velocities(e, v);
    for (int j = 0; j < e->plan->m; j++)
        for (int i = 0; i < e->plan->m; i++)
            if (jd_contact_sign(e->state.contact[i]) != 0)
                a[j] += e->plan->poles.start[j * e->plan->m + i] * e->state.force[i];
    for (int j = 0; j < e->plan->m; j++) {
        stop_side *c = &e->state.side[j];
        double leaving = e->plan->stop[j].is ? -c->touch * speed_of(e, j, v) : 0,
               W = e->plan->poles.start[j * e->plan->m + j];
        if (leaving <= 0) continue;
        double D = chatter_time(e, j, a[j], leaving);
        // one that another's impact kicks off opens, however soon it closes again
        if (e->state.contact[j] != JD_CONTACT_OPEN)
            jd_note_event(e, e->state.t, j, e->state.contact[j], JD_CONTACT_OPEN, 0, 0);
        e->state.contact[j] = JD_CONTACT_OPEN;
        if (D < 0) { // opens
            c->left = c->touch;
            c->touch = 0;
            continue;
        }
        double P = c->touch * leaving / W; // the flights' impulse, but for the force during D
        jd_poles_push(e, j, P);
        jd_observers_push(e, 1, &j, (const double[]){1});
        jd_energy_impact(e, j, leaving * leaving / (2 * W), P * e->plan->belt[j]);
        c->stamp = e->state.t + D;
    }
}

// map.c -- the memory engine as a map: put in a state, advance, take out state and derivative.
//   Finitely many modes: a state is (q, q'), as in the exact engine, whatever the poles are.
//   Infinitely many: the states of the poles that forces of contacts enter, Re z and (of pairs) Im
//   z. Poles of free motion, and of drives, are never entered by a contact: on a periodic motion
//   they follow the drives alone. They are 0 after a restart (but for the very start of the run,
//   whose motion goes on) and no coordinates: their multipliers e^{lambda T} would say nothing
//   about the orbit. Waves that come back (delays) are no numbers: there are no coordinates then,
//   and orbits are closed by the changes of observers/replay_newton.c. Panels are chosen anew from
//   every state, by it alone: the map is a function of the state.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

double jd_memory_refine(jd_run *run, double share) {
    memory *e = run->state;
    jd_plan_refine(e->replan, share);
    jd_foresight_clear(e); // of another accuracy
    return e->plan->poles.error;
}

int jd_memory_coordinates(const jd_run *run) {
    return ((const memory *)run->state)->plan->n_coordinate;
}

// All of a state, or none of it where poles stand for the modes.
int jd_memory_modes(const jd_run *run, double *out) {
    const memory *e = run->state;
    (void)out;
    return e->plan->poles.exact ? e->plan->n_coordinate : 0;
}

// Sizes are roots of energies: omega and 1 of modes; of a pole with the weight out ~ n^2 of a
// mode that takes part with n, whose z is q' over n, the root of that.
void jd_memory_scales(const jd_run *run, double *out) {
    const memory *e = run->state;
    const poles *c = &e->plan->poles;
    double most = 0;
    for (int k = 0; c->exact && k < e->plan->n_mode; k++) {
        out[k] = sqrt(jd_problem_system(run->problem)->modal.omega2[k].hi);
        out[e->plan->n_mode + k] = 1;
    }
    if (c->exact) return;
    for (int pass = 0; pass < 2; pass++)
        for (int p = 0; p < c->used; p++) {
            double size = 0;
            for (int j = 0; j < e->plan->m; j++)
                size = fmax(size, sqrt(hypot(c->out_re[j * c->n + p], c->out_im[j * c->n + p])));
            most = fmax(most, size);
            if (pass == 0 || e->plan->coordinate[p] < 0) continue;
            out[e->plan->coordinate[p]] = fmax(size, 1e-6 * most);
            if (c->im[p] != 0) out[e->plan->coordinate[p] + 1] = fmax(size, 1e-6 * most);
        }
}

static void pack(const memory_plan *plan, const double *z_re, const double *z_im, double *out) {
    const poles *c = &plan->poles;
    if (c->exact) {
        jd_poles_modes(plan, z_re, z_im, out, out + plan->n_mode);
        return;
    }
    for (int p = 0; p < c->used; p++) {
        if (plan->coordinate[p] < 0) continue;
        out[plan->coordinate[p]] = z_re[p];
        if (c->im[p] != 0) out[plan->coordinate[p] + 1] = z_im[p];
    }
}

static void unpack(memory *e, const double *state, double *z_re, double *z_im) {
    const poles *c = &e->plan->poles;
    memset(z_re, 0, (size_t)c->n * sizeof *z_re);
    memset(z_im, 0, (size_t)c->n * sizeof *z_im);
    if (c->exact) {
        jd_poles_of_modes(e->plan, state, state + e->plan->n_mode, e->scratch.modal, z_re, z_im);
        return;
    }
    for (int p = 0; p < c->used; p++) {
        if (e->plan->coordinate[p] < 0) continue;
        z_re[p] = state[e->plan->coordinate[p]];
        if (c->im[p] != 0) z_im[p] = state[e->plan->coordinate[p] + 1];
    }
}

// How far into the present panel the run is.
static double inside(const memory *e) {
    return e->panel.solved && e->panel.h > 0 ? fmin(fmax(e->run->t - e->state.t, 0), e->panel.h)
                                             : 0;
}

void jd_memory_state(jd_run *run, double *out) {
    memory *e = run->state;
    jd_poles_inside(e, inside(e));
    jd_drives_share(e, e->state.t + inside(e), e->scratch.z_re, e->scratch.z_im);
    pack(e->plan, e->scratch.z_re, e->scratch.z_im, out);
}

// z' = lambda z + in F + in f of the drives.
void jd_memory_rate(jd_run *run, double *out) {
    memory *e = run->state;
    const poles *c = &e->plan->poles;
    double x = inside(e), *re = e->scratch.share_re, *im = e->scratch.share_im;
    jd_poles_stretch(e, x, 1, 0);
    memset(re, 0, (size_t)c->n * sizeof *re);
    memset(im, 0, (size_t)c->n * sizeof *im);
    jd_drives_share(e, e->state.t + x, re, im);
    for (int p = 0; p < c->used; p++) {
        e->scratch.z_re[p] += c->re[p] * re[p] - c->im[p] * im[p];
        e->scratch.z_im[p] += c->re[p] * im[p] + c->im[p] * re[p];
        for (int d = 0; d < e->plan->n_drive; d++) {
            double f = jd_drives_value(e, d, e->state.t + x);
            e->scratch.z_re[p] += e->plan->drive[d].in_re[p] * f;
            e->scratch.z_im[p] += e->plan->drive[d].in_im[p] * f;
        }
    }
    pack(e->plan, e->scratch.z_re, e->scratch.z_im, out);
}

// A closed stop is closed on the side it is at.
static jd_contact_state state_of(const memory *e, int j, jd_contact_state asked) {
    if (asked == JD_CONTACT_STUCK) return JD_CONTACT_STUCK;
    if (!e->plan->stop[j].is)
        return asked == JD_CONTACT_SLIDING_PLUS ? asked : JD_CONTACT_SLIDING_MINUS;
    if (asked == JD_CONTACT_OPEN) return JD_CONTACT_OPEN;
    return e->plan->stop[j].both && e->panel.first_displacement[j] < 0 ? JD_CONTACT_CLOSED_BELOW
                                                                       : JD_CONTACT_CLOSED_ABOVE;
}

// A stop that is open within rounding of its gap has just been left.
static void set_stop(memory *e, int j, double t, const double *v) {
    const stop *c = &e->plan->stop[j];
    stop_side *side = &e->state.side[j];
    double u = e->panel.first_displacement[j], close = 1e-12 * (fabs(c->gap) + fabs(u)),
           speed = v[j] - e->plan->belt[j];
    side->left = 0;
    side->stamp = t;
    side->touch = e->state.contact[j] == JD_CONTACT_CLOSED_ABOVE   ? 1
                  : e->state.contact[j] == JD_CONTACT_CLOSED_BELOW ? -1
                                                                   : 0;
    if (e->state.contact[j] != JD_CONTACT_OPEN) return;
    if (u >= c->gap - close && speed < 0) side->left = 1;
    if (c->both && u <= -c->gap + close && speed > 0) side->left = -1;
}

static void set_contacts(memory *e, double t, const jd_phase *phase) {
    double *v = e->scratch.velocity;
    if (e->plan->n_stop) jd_state_places(e, e->panel.first_displacement);
    jd_state_velocities(e, v);
    for (int j = 0; j < e->plan->m; j++) {
        e->state.contact[j] = state_of(e, j, phase->of[j]);
        if (e->plan->stop[j].is) set_stop(e, j, t, v);
    }
}

// Is this the state the run was created with? Then pole states that are no coordinates stay.
static bool is_own_start(memory *e, double t, const double *state) {
    if (e->state.panels > 0 || t != e->state.t) return false;
    double *own = e->scratch.coordinates;
    jd_memory_state(e->run, own);
    return !memcmp(own, state, (size_t)e->plan->n_coordinate * sizeof *own);
}

jd_status jd_memory_restart(jd_run *run, double t, const double *state, const jd_phase *phase) {
    memory *e = run->state;
    const poles *c = &e->plan->poles;
    bool own = is_own_start(e, t, state);
    e->state.t = run->t = t;
    jd_panel_drop(e);
    e->panel.trim = NULL; // panels end at events exactly: their derivative is wanted
    if (e->observers.tangent) e->observers.tangent->on = false;
    e->observers.ranges = NULL;
    jd_drives_resume(e, t);
    if (!own) {
        unpack(e, state, e->state.z_re, e->state.z_im);
        memset(e->scratch.z_re, 0, (size_t)c->n * sizeof *e->scratch.z_re);
        memset(e->scratch.z_im, 0, (size_t)c->n * sizeof *e->scratch.z_im);
        jd_drives_share(e, t, e->scratch.z_re, e->scratch.z_im);
        for (int p = 0; p < c->used; p++) {
            bool counts = c->exact || e->plan->coordinate[p] >= 0;
            e->state.z_re[p] -= counts ? e->scratch.z_re[p] : 0;
            e->state.z_im[p] -= counts ? e->scratch.z_im[p] : 0;
        }
    }
    memcpy(e->state.v_scale, e->plan->v_scale, (size_t)e->plan->m * sizeof *e->state.v_scale);
    memcpy(e->state.f_scale, e->plan->f_scale, (size_t)e->plan->m * sizeof *e->state.f_scale);
    e->state.step = 0.01 * e->plan->largest_step;
    jd_foresight_clear(e);
    e->queue.n = e->queue.next = 0;
    e->state.storm = e->state.events = e->state.panels = 0;
    e->stretch.t = t;
    e->stretch.evaluations = e->state.evaluations;
    jd_energy_start(e, t);
    run->waiting = false;
    run->stop = JD_STOP_NONE;
    run->why[0] = '\0';
    set_contacts(e, t, phase);
    jd_resolve_restart(e);
    jd_panel_begin(e);
    jd_memory_set_phase(e);
    return JD_OK;
}

// Tangent from here on: the identity, but for velocities that stuck contacts cannot have.
jd_status jd_memory_tangent_start(jd_run *run) {
    memory *e = run->state;
    int n = e->plan->n_coordinate, wide = e->plan->poles.n;
    JD_TRY(jd_tangent_take(e, n));
    tangent *d = e->observers.tangent;
    double *unit = e->scratch.coordinates;
    memset(unit, 0, (size_t)n * sizeof *unit);
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        unpack(e, unit, d->z_re + (size_t)i * (size_t)wide, d->z_im + (size_t)i * (size_t)wide);
        unit[i] = 0;
        d->t0[i] = 0;
    }
    d->on = true;
    d->t_event = -HUGE_VAL;
    jd_hold_still(e);
    return JD_OK;
}

void jd_memory_tangent(jd_run *run, double *out) {
    memory *e = run->state;
    tangent *d = e->observers.tangent;
    int n = e->plan->n_coordinate, wide = e->plan->poles.n;
    double *column = e->scratch.coordinates;
    jd_tangent_finish(e, inside(e));
    for (int c = 0; c < n; c++) {
        pack(e->plan, d->z_re + (size_t)c * (size_t)wide, d->z_im + (size_t)c * (size_t)wide,
             column);
        for (int i = 0; i < n; i++) out[(size_t)i * (size_t)n + (size_t)c] = column[i];
    }
}

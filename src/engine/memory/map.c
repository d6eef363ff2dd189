// map.c -- the memory engine as a map: put in a state, advance, take out state and derivative.
//   Finitely many modes: a state is (q, q'), as in the exact engine, whatever the poles are.
//   Infinitely many: the states of the poles that forces of contacts enter, Re z and (of pairs) Im
//   z. Poles of free motion, and of drives, are never entered by a contact: on a periodic motion
//   they follow the drives alone. They are 0 after a restart (but for the very start of the run,
//   whose motion goes on) and no coordinates: their multipliers e^{lambda T} would say nothing
//   about the orbit. Waves that come back (delays) are no numbers: there are no coordinates then,
//   and orbits settle by simulation. Panels are chosen anew from every state, by it alone: the map
//   is a function of the state.
#include <math.h>
#include <string.h>

#include "engine/memory/memory.h"

static bool is_entered(const memory *e, int p) {
    for (int j = 0; j < e->m; j++)
        if (e->ch.in_re[j * e->ch.n + p] != 0 || e->ch.in_im[j * e->ch.n + p] != 0) return true;
    return false;
}

jd_status jd_shoot_plan(memory *e) {
    e->tangent = (tangent){0};
    e->n_coordinate = 0;
    e->base_v = JD_TAKE(e->arena, double, e->m);
    e->base_f = JD_TAKE(e->arena, double, e->m);
    e->coordinate = JD_TAKE(e->arena, int, e->ch.n);
    JD_TRY(jd_arena_status(e->arena));
    memcpy(e->base_v, e->v_scale, (size_t)e->m * sizeof *e->base_v);
    memcpy(e->base_f, e->f_scale, (size_t)e->m * sizeof *e->base_f);
    if (e->echo) return JD_OK;
    for (int p = 0; p < e->ch.used; p++) {
        e->coordinate[p] = is_entered(e, p) ? e->n_coordinate : -1;
        if (is_entered(e, p)) e->n_coordinate += e->ch.im[p] != 0 ? 2 : 1;
    }
    if (e->ch.exact) e->n_coordinate = 2 * e->n_mode;
    e->tangent_state = JD_TAKE(e->arena, double, e->n_coordinate);
    return jd_arena_status(e->arena);
}

// Newton's method on the forces of a panel stops by the tolerance, too; echoes may grow.
double jd_memory_refine(jd_run *run, double share) {
    memory *e = run->state;
    e->tolerance = share * e->asked;
    e->enough = e->echo && e->echo->sharp ? 1e-9 : fmax(1e-9, 0.01 * sqrt(e->tolerance));
    return e->ch.error;
}

int jd_memory_coordinates(const jd_run *run) { return ((const memory *)run->state)->n_coordinate; }

bool jd_memory_is_modal(const jd_run *run) { return ((const memory *)run->state)->ch.exact; }

// Sizes are roots of energies: omega and 1 of modes; of a pole with the weight out ~ n^2 of a
// mode that takes part with n, whose z is q' over n, the root of that.
void jd_memory_scales(const jd_run *run, double *out) {
    const memory *e = run->state;
    const poles *c = &e->ch;
    double most = 0;
    for (int k = 0; c->exact && k < e->n_mode; k++) {
        out[k] = sqrt(jd_problem_system(run->problem)->modal.omega2[k].hi);
        out[e->n_mode + k] = 1;
    }
    if (c->exact) return;
    for (int pass = 0; pass < 2; pass++)
        for (int p = 0; p < c->used; p++) {
            double size = 0;
            for (int j = 0; j < e->m; j++)
                size = fmax(size, sqrt(hypot(c->out_re[j * c->n + p], c->out_im[j * c->n + p])));
            most = fmax(most, size);
            if (pass == 0 || e->coordinate[p] < 0) continue;
            out[e->coordinate[p]] = fmax(size, 1e-6 * most);
            if (c->im[p] != 0) out[e->coordinate[p] + 1] = fmax(size, 1e-6 * most);
        }
}

static void pack(memory *e, const double *z_re, const double *z_im, double *out) {
    const poles *c = &e->ch;
    if (c->exact) {
        jd_poles_modes(e, z_re, z_im, out, out + e->n_mode);
        return;
    }
    for (int p = 0; p < c->used; p++) {
        if (e->coordinate[p] < 0) continue;
        out[e->coordinate[p]] = z_re[p];
        if (c->im[p] != 0) out[e->coordinate[p] + 1] = z_im[p];
    }
}

static void unpack(memory *e, const double *state, double *z_re, double *z_im) {
    const poles *c = &e->ch;
    memset(z_re, 0, (size_t)c->n * sizeof *z_re);
    memset(z_im, 0, (size_t)c->n * sizeof *z_im);
    if (c->exact) {
        jd_poles_of_modes(e, state, state + e->n_mode, e->scratch, z_re, z_im);
        return;
    }
    for (int p = 0; p < c->used; p++) {
        if (e->coordinate[p] < 0) continue;
        z_re[p] = state[e->coordinate[p]];
        if (c->im[p] != 0) z_im[p] = state[e->coordinate[p] + 1];
    }
}

// How far into the present panel the run is.
static double inside(const memory *e) {
    return e->solved && e->h > 0 ? fmin(fmax(e->run->t - e->t0, 0), e->h) : 0;
}

void jd_memory_state(jd_run *run, double *out) {
    memory *e = run->state;
    jd_poles_inside(e, inside(e));
    jd_drives_share(e, e->t0 + inside(e), e->work_re, e->work_im);
    pack(e, e->work_re, e->work_im, out);
}

// z' = lambda z + in F + in f of the drives.
void jd_memory_rate(jd_run *run, double *out) {
    memory *e = run->state;
    const poles *c = &e->ch;
    double x = inside(e), *re = e->scratch + 2 * STAGES * c->n, *im = re + c->n;
    jd_poles_stretch(e, x, 1, 0);
    memset(re, 0, (size_t)c->n * sizeof *re);
    memset(im, 0, (size_t)c->n * sizeof *im);
    jd_drives_share(e, e->t0 + x, re, im);
    for (int p = 0; p < c->used; p++) {
        e->work_re[p] += c->re[p] * re[p] - c->im[p] * im[p];
        e->work_im[p] += c->re[p] * im[p] + c->im[p] * re[p];
        for (int d = 0; d < e->n_drive; d++) {
            double f = jd_drives_value(&e->drive[d], e->t0 + x);
            e->work_re[p] += e->drive[d].in_re[p] * f;
            e->work_im[p] += e->drive[d].in_im[p] * f;
        }
    }
    pack(e, e->work_re, e->work_im, out);
}

static contact_state state_of(const memory *e, int j, char letter) {
    if (letter == 'H') return STUCK;
    if (!e->stop[j].is) return letter == '+' ? PLUS : MINUS;
    if (letter == 'o') return OPEN;
    return e->stop[j].both && e->place0[j] < 0 ? LOWER : UPPER;
}

// A stop that is open within rounding of its gap has just been left.
static void set_stop(memory *e, int j, double t, const double *v) {
    stop *c = &e->stop[j];
    double u = e->place0[j], close = 1e-12 * (fabs(c->gap) + fabs(u)), speed = v[j] - e->belt[j];
    c->left = 0;
    c->stamp = t;
    c->touch = e->marks[j] == UPPER ? 1 : e->marks[j] == LOWER ? -1 : 0;
    if (e->marks[j] != OPEN) return;
    if (u >= c->gap - close && speed < 0) c->left = 1;
    if (c->both && u <= -c->gap + close && speed > 0) c->left = -1;
}

static void set_contacts(memory *e, double t, const char *phase) {
    double *v = e->report_sums;
    if (e->n_stop) jd_state_places(e, e->place0);
    jd_state_velocities(e, v);
    for (int j = 0; j < e->m; j++) {
        e->marks[j] = state_of(e, j, phase[j]);
        if (e->stop[j].is) set_stop(e, j, t, v);
    }
}

// Is this the state the run was created with? Then pole states that are no coordinates stay.
static bool is_own_start(memory *e, double t, const double *state) {
    if (e->panels > 0 || t != e->t0) return false;
    double *own = e->tangent_state;
    jd_memory_state(e->run, own);
    return !memcmp(own, state, (size_t)e->n_coordinate * sizeof *own);
}

jd_status jd_memory_restart(jd_run *run, double t, const double *state, const char *phase) {
    memory *e = run->state;
    poles *c = &e->ch;
    bool own = is_own_start(e, t, state);
    e->t0 = run->t = t;
    e->solved = false;
    e->trim = NULL; // panels end at events exactly: their derivative is wanted
    e->tangent.on = e->tracking = false;
    jd_drives_resume(e, t);
    if (!own) {
        unpack(e, state, c->z_re, c->z_im);
        memset(e->work_re, 0, (size_t)c->n * sizeof *e->work_re);
        memset(e->work_im, 0, (size_t)c->n * sizeof *e->work_im);
        jd_drives_share(e, t, e->work_re, e->work_im);
        for (int p = 0; p < c->used; p++) {
            bool counts = c->exact || e->coordinate[p] >= 0;
            c->z_re[p] -= counts ? e->work_re[p] : 0;
            c->z_im[p] -= counts ? e->work_im[p] : 0;
        }
    }
    memcpy(e->v_scale, e->base_v, (size_t)e->m * sizeof *e->v_scale);
    memcpy(e->f_scale, e->base_f, (size_t)e->m * sizeof *e->f_scale);
    e->step = 0.01 * e->largest_step;
    e->n_queue = e->next_queue = 0;
    e->storm = e->events = e->panels = 0;
    e->stretch.t = t;
    e->stretch.evaluations = e->evaluations;
    e->start_energy = jd_memory_ledger_energy(e, t, NULL);
    e->damping = 0;
    memset(e->sums, 0, (size_t)(e->n_drive + 3 * e->m) * sizeof *e->sums);
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
    tangent *d = &e->tangent;
    int n = e->n_coordinate, wide = e->ch.n;
    JD_TRY(jd_tangent_take(e, n));
    double *unit = e->tangent_state;
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
    tangent *d = &e->tangent;
    int n = e->n_coordinate, wide = e->ch.n;
    double *column = e->tangent_state;
    jd_tangent_finish(e, inside(e));
    for (int c = 0; c < n; c++) {
        pack(e, d->z_re + (size_t)c * (size_t)wide, d->z_im + (size_t)c * (size_t)wide, column);
        for (int i = 0; i < n; i++) out[(size_t)i * (size_t)n + (size_t)c] = column[i];
    }
}

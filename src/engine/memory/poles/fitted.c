// fitted.c -- infinitely many modes as poles: those of a rational fit, once for each pole and place
//   of force, and one without force for every mode that moves at the start.
//   A start in a shape (problem/shape.h): forces A at the place `held` end at t = 0, and impulses B
//   act there at the place `pushed`. Exponentials: every pole once more, z = e^{s t},
//     y' = -A G_held + B G'_pushed = Re sum_p (-A c_held/s + B c_pushed) z_p     (Ghat(0) = 0)
//   Waves that come back: the force -A acts from t = 0 on, as one more drive, and displacements
//   begin at those of the shape.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "drive/kind.h"
#include "engine/memory/contacts/contacts.h"
#include "engine/memory/delays/delays.h"
#include "kernel/choice.h"
#include "problem/initial.h"
#include "problem/memory.h"
#include "problem/parts.h"

enum { FREE = -1, START = -2 };

typedef struct source {
    double re, im, size;
    int place, pole; // place FREE: free motion of mode `pole`; START: of a shape
    double other;    // its other pole where both are real, else 0
} source;

static int by_size(const void *a, const void *b) {
    const source *p = a, *q = b;
    if (p->size != q->size) return p->size < q->size ? -1 : 1;
    if (p->place != q->place) return p->place - q->place;
    return p->pole - q->pole; // two real poles of one mode differ in size
}

static void add(source *list, int *n, double re, double im, int place, int pole) {
    list[(*n)++] = (source){re, im, hypot(re, im), place, pole, 0};
}

// Free motion of mode k: one pole of a pair, or two real ones.
static void add_free(source *list, int *n, double omega2, double a, int k) {
    if (omega2 > a * a) {
        add(list, n, -a, sqrt(omega2 - a * a), FREE, k);
        return;
    }
    double fast = -a - sqrt(a * a - omega2), slow = omega2 / fast;
    add(list, n, slow, 0, FREE, k);
    list[*n - 1].other = fast;
    add(list, n, fast, 0, FREE, k);
    list[*n - 1].other = slow;
}

// z(0) = q' - s2 q, s2 the other pole; velocity of contact i: n_i Re(-i s z/Im s), n_i s z/(s - s2)
static void set_free(memory_plan *plan, memory_state *state, int p, const source *from, double q,
                     double rate) {
    poles *c = &plan->poles;
    const jd_system *y = jd_problem_system(plan->problem);
    bool pair = c->im[p] > 0;
    state->z_re[p] = rate - (pair ? c->re[p] : from->other) * q;
    state->z_im[p] = c->im[p] * q;
    for (int i = 0; i < plan->m; i++) {
        double n = y->contact[i][from->pole].hi;
        c->out_re[i * c->n + p] = pair ? n : n * c->re[p] / (c->re[p] - from->other);
        c->out_im[i * c->n + p] = pair ? -n * c->re[p] / c->im[p] : 0;
    }
}

static void set_forced(memory_plan *plan, int p, const source *s, const jd_fit *f, int places) {
    poles *c = &plan->poles;
    if (s->place < plan->m)
        c->in_re[s->place * c->n + p] = 1;
    else
        plan->drive[s->place - plan->m].in_re[p] = 1;
    for (int i = 0; f->residue_re && i < plan->m; i++) {
        int at = (i * places + s->place) * f->n + s->pole;
        c->out_re[i * c->n + p] = f->residue_re[at];
        c->out_im[i * c->n + p] = f->residue_im[at];
    }
}

// z = e^{s t}: what forces that end at t = 0 and impulses there leave in pole s.
static void set_start(memory_plan *plan, memory_state *state, int p, const source *s,
                      const jd_fit *f, int places, const jd_start_places *at) {
    poles *c = &plan->poles;
    double size = s->re * s->re + s->im * s->im, inv_re = s->re / size, inv_im = -s->im / size;
    state->z_re[p] = 1;
    for (int i = 0; i < plan->m; i++) {
        double *re = &c->out_re[i * c->n + p], *im = &c->out_im[i * c->n + p];
        if (at->held >= 0) {
            int k = (i * places + at->held) * f->n + s->pole;
            *re -= at->force * (f->residue_re[k] * inv_re - f->residue_im[k] * inv_im);
            *im -= at->force * (f->residue_re[k] * inv_im + f->residue_im[k] * inv_re);
        }
        if (at->pushed >= 0) {
            int k = (i * places + at->pushed) * f->n + s->pole;
            *re += at->rate * f->residue_re[k];
            *im += at->rate * f->residue_im[k];
        }
    }
}

// A mode with a node at the place of the force, or at all contacts, moves no contact: its pole is
// left out.
static bool is_silent(const jd_fit *f, int m, int places, int place, int pole) {
    for (int i = 0; f->residue_re && i < m; i++) {
        int at = (i * places + place) * f->n + pole;
        if (f->residue_re[at] != 0 || f->residue_im[at] != 0) return false;
    }
    return true;
}

// A damping matrix couples the modes of a body beside one with all its modes: its free motion is
// no sum over modes.
static jd_status refuse_coupled(const memory_plan *plan, const memory_state *state) {
    for (int k = 0; k < plan->n_mode; k++) {
        if (!state->start.moving[k]) continue;
        jd_fail(plan->context, JD_NOT_SUPPORTED,
                "a body moves at the start whose modes a damping matrix couples, beside one with "
                "infinitely many modes");
        jd_fail_where(plan->context, "start");
        jd_fail_hint(plan->context, "start from rest, or say how many modes to keep");
        return JD_NOT_SUPPORTED;
    }
    return JD_OK;
}

static jd_status set_jumps(memory_plan *plan, const jd_response *r, const jd_fit *f) {
    int places = jd_response_places(r);
    const double *gamma = f->jump ? f->jump : jd_response_jump(r);
    double *jump = JD_TAKE(plan->arena, double, plan->n_drive * plan->m);
    JD_TRY(jd_arena_status(plan->arena));
    for (int i = 0; i < plan->m; i++) {
        for (int j = 0; j < plan->m; j++)
            plan->poles.gamma[i * plan->m + j] = gamma[i * places + j];
        for (int d = 0; d < plan->n_drive; d++)
            jump[d * plan->m + i] = gamma[i * places + plan->m + d];
    }
    plan->drive_jump = jump;
    return JD_OK;
}

// Modal coordinates of the start, but for shapes of bodies with infinitely many modes.
static jd_status take_start(const memory_plan *plan, double *q, double *rate) {
    const jd_problem *p = plan->problem;
    const jd_system *y = jd_problem_system(p);
    const jd_type *type = jd_problem_start(p)->type;
    JD_TRY(jd_problem_initial(p, q, rate));
    for (int b = 0; b < y->n_body; b++) {
        if (!jd_problem_structure(p, b)->infinite) continue;
        if (type != &jd_start_shape && type != &jd_start_static) continue;
        for (int k = y->first[b]; k < y->first[b + 1]; k++)
            if (y->modal.omega2[k].hi > 0) q[k] = rate[k] = 0;
    }
    return JD_OK;
}

// In the place of 0 for rigid-body modes; 0: there are none.
static double soft_omega(const jd_modal *modal) {
    double least = HUGE_VAL;
    bool rigid = false;
    for (int k = 0; k < modal->n; k++) {
        double w2 = modal->omega2[k].hi;
        rigid = rigid || w2 == 0;
        if (w2 > 0) least = fmin(least, w2);
    }
    return rigid ? 1e-11 * sqrt(least) : 0;
}

static jd_status build(memory_plan *plan, memory_state *state, const jd_response *r,
                       const jd_start_places *at, const jd_fit *f) {
    const jd_modal *modal = &jd_problem_system(plan->problem)->modal;
    int places = jd_response_places(r), used = 0;
    bool moves = at->held >= 0 || at->pushed >= 0;
    double soft = soft_omega(modal); // of rigid-body modes, as in kernel/poles.c
    double *q = JD_TAKE(plan->arena, double, modal->n),
           *rate = JD_TAKE(plan->arena, double, modal->n);
    source *list = JD_TAKE(plan->arena, source, 2 * modal->n + f->n * (places + 1) + 1);
    JD_TRY(jd_arena_status(plan->arena));
    JD_TRY(take_start(plan, q, rate));
    for (int k = 0; k < modal->n; k++) {
        double a = modal->c[k] / 2, omega2 = modal->omega2[k].hi;
        state->start.moving[k] = state->start.moving[k] || q[k] != 0 || rate[k] != 0;
        if (state->start.moving[k]) add_free(list, &used, omega2 > 0 ? omega2 : soft * soft, a, k);
    }
    if (modal->law == JD_DAMPING_FULL) JD_TRY(refuse_coupled(plan, state));
    for (int p = 0; p < f->n; p++) {
        for (int j = 0; j < plan->m + plan->n_drive; j++)
            if (!is_silent(f, plan->m, places, j, p)) add(list, &used, f->re[p], f->im[p], j, p);
        bool drifts = hypot(f->re[p], f->im[p]) < f->soft; // forces in balance do not push it
        if (moves && !drifts) add(list, &used, f->re[p], f->im[p], START, p);
    }
    if (used == 0) add(list, &used, -1, 1, FREE, 0); // at rest: a pole that does nothing
    qsort(list, (size_t)used, sizeof *list, by_size);
    plan->rows = plan->m;
    plan->poles = (poles){.error = f->error, .kept = f->kept - f->cut, .soft = 100 * soft};
    JD_TRY(jd_poles_take(plan, state, used));
    for (int p = 0; p < used; p++) {
        plan->poles.re[p] = list[p].re;
        plan->poles.im[p] = list[p].im;
        if (list[p].place == FREE)
            set_free(plan, state, p, &list[p], q[list[p].pole], rate[list[p].pole]);
        else if (list[p].place == START)
            set_start(plan, state, p, &list[p], f, places, at);
        else
            set_forced(plan, p, &list[p], f, places);
    }
    JD_TRY(set_jumps(plan, r, f));
    jd_poles_finish(plan);
    return JD_OK;
}

// The forces that held the start, taken off from t = 0 on: a drive behind the others.
static jd_status release_start(memory_plan *plan, memory_state *state, const jd_response *r,
                               const jd_start_places *at) {
    int places = jd_response_places(r);
    jd_constant_def *load = JD_TAKE(plan->arena, jd_constant_def, 1);
    jd_object *object = JD_TAKE(plan->arena, jd_object, 1);
    double *rest = JD_TAKE(plan->arena, double, plan->m *places);
    state->start.place = JD_TAKE(plan->arena, double, plan->m);
    JD_TRY(jd_arena_status(plan->arena));
    load->value = -at->force;
    *object = (jd_object){"start", &jd_drive_constant, load};
    plan->drive[plan->n_drive++] = (drive_part){.object = object};
    JD_TRY(jd_response_static(r, rest));
    for (int i = 0; i < plan->m; i++)
        state->start.place[i] = at->force * rest[i * places + at->held];
    return JD_OK;
}

// Waves that come back instead of poles: free motion, and what little damping does to the lowest
// modes, is left to the poles.
static jd_status build_echoes(memory_plan *plan, memory_state *state, const jd_response *r,
                              const jd_start_places *at, const jd_echo_kernel *kernel) {
    if (at->held >= 0) JD_TRY(release_start(plan, state, r, at));
    JD_TRY(build(plan, state, r, &(jd_start_places){.held = -1, .pushed = -1}, &kernel->fit));
    plan->echo = JD_TAKE(plan->arena, echo_plan, 1);
    state->echo = JD_TAKE(plan->arena, echo_state, 1);
    JD_TRY(jd_arena_status(plan->arena));
    plan->echo->sharp = kernel->width == 0;
    plan->echo->jump = plan->drive_jump; // comes back with the echoes
    plan->drive_jump = NULL;
    const jd_response *wave, *rest;
    JD_TRY(jd_echo_kernel_body(plan->arena, r, &wave, &rest));
    JD_TRY(jd_displacement_plan(plan, wave, kernel));
    return jd_delay_create(plan->arena, wave, kernel, plan->nodes.s, &state->echo->line);
}

static jd_status take_form(memory_plan *plan, memory_state *state, const jd_response *r,
                           const jd_start_places *at, jd_memory_form asked) {
    jd_memory_choice choice;
    jd_arena *scratch = jd_arena_create(plan->context);
    if (!scratch) return JD_OUT_OF_MEMORY;
    jd_status s = jd_memory_choose(scratch, r, plan->tolerance, asked, &choice);
    if (s == JD_OK)
        s = choice.delays ? build_echoes(plan, state, r, at, &choice.echoes)
                          : build(plan, state, r, at, &choice.fit);
    jd_arena_free(scratch);
    return s;
}

jd_status jd_poles_fitted(memory_plan *plan, memory_state *state) {
    const jd_problem *p = plan->problem;
    const jd_simulate_def *sim = jd_problem_section(p, JD_SIMULATE, NULL);
    jd_start_places at;
    jd_response *r;
    // a run that goes on has them from the state it was saved in
    if (state->start.forces.n == 0)
        JD_TRY(jd_start_infinite_forces(p, plan->arena, &state->start.forces));
    JD_TRY(jd_problem_response_from(plan->context, p, &state->start.forces, &at, &r));
    jd_status s = jd_stops_check(plan, r);
    if (s == JD_OK) s = take_form(plan, state, r, &at, (jd_memory_form)sim->memory);
    jd_response_free(r);
    return s;
}

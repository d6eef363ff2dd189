// initial.c -- rest, given state, one lifted mode, a shape, or equilibrium, as modal coordinates.
//   nsm: half way through the first flight of an orbit (structure/nonsmooth/impacts.h)
//   nsm with a sustained contact: the middle of its flight (structure/nonsmooth/sustained.h), at
//   rest shape: problem/shape.h nodes: q = Phi' M u;   static: omega_k^2 q_k = f_k + sum_j B_jk
//   x_j, f the constant part of the drives at t = 0, x the forces of stops: x'A x/2 + (u - gap)'x
//   least, A = B Omega^-2 B', pushing only (the box problem of contact/forces.h), so that u <= gap
//   and x (u - gap) = 0
//                                              tested: a_static_start_rests_on_its_stops
//   With springs, normal forces or several sliders: along the path of loads (contacts/rest.h).
#include "problem/initial.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "contact/forces.h"
#include "contact/law.h"
#include "drive/segment.h"
#include "problem/contacts/contacts.h"
#include "problem/contacts/rest.h"
#include "problem/parts.h"
#include "problem/shape.h"
#include "structure/nonsmooth/impacts.h"
#include "structure/nonsmooth/sustained.h"

static jd_status set_state(const jd_problem *p, const jd_system *s, const jd_start_state_def *d,
                           double *q, double *rate) {
    const jd_reals *from[] = {&d->displacement, &d->velocity};
    double *to[] = {q, rate};
    for (int i = 0; i < 2; i++) {
        if (from[i]->n == 0) continue;
        if (d->of == 1) {
            memcpy(to[i], from[i]->value, (size_t)from[i]->n * sizeof *q);
            continue;
        }
        const double *u = from[i]->value; // dofs of the bodies one after the other
        for (int b = 0; b < jd_problem_bodies(p); b++) {
            const jd_structure *body = jd_problem_structure(p, b);
            JD_TRY(jd_structure_coordinates(body, u, to[i] + s->own[b]));
            u += jd_structure_dofs(body);
        }
        JD_TRY(jd_system_coordinates(p, to[i]));
    }
    return JD_OK;
}

static jd_status set_lift(const jd_problem *p, const jd_system *s, const jd_start_lift_def *d,
                          double *q, double *rate) {
    jd_context *context = p->context;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_dd *row = JD_TAKE(arena, jd_dd, s->modal.n);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) status = jd_problem_row(p, d->point, row);
    if (status == JD_OK) {
        double n = row[d->mode - 1].hi;
        if (n == 0) {
            status = jd_fail(context, JD_OUT_OF_RANGE, "mode %d does not move point `%s`", d->mode,
                             d->point);
            jd_fail_where(context, "start");
        } else {
            q[d->mode - 1] = d->displacement / n;
            rate[d->mode - 1] = d->velocity / n;
        }
    }
    jd_arena_free(arena);
    return status;
}

// Compliance between two contacts, A_ij = sum_k B_ik B_jk/omega_k^2; infinite: a rigid-body mode.
static double compliance(const jd_system *s, int i, int j) {
    double sum = 0;
    for (int k = 0; k < s->modal.n; k++) {
        double product = s->contact[i][k].hi * s->contact[j][k].hi;
        if (product != 0) sum += product / s->modal.omega2[k].hi;
    }
    return sum;
}

// The box problem of the stops; u without them decides about the side of those with two. x: n.
static int stops_at_rest(const jd_problem *p, const jd_system *s, const double *q, int *stop,
                         double *A, double *b, double *low, double *high) {
    int n = 0;
    for (int j = 0; j < s->n_contact; j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        const jd_stop_def *law = jd_law_stop_of(&c->law);
        if (!law || !s->contact[j] || !isfinite(compliance(s, j, j))) continue;
        double u = 0;
        for (int k = 0; k < s->modal.n; k++) u += s->contact[j][k].hi * q[k];
        bool lower = law->sides == 1 && u < 0;
        b[n] = lower ? u + law->gap : u - law->gap;
        low[n] = lower ? 0 : -HUGE_VAL;
        high[n] = lower ? HUGE_VAL : 0;
        stop[n++] = j;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = compliance(s, stop[i], stop[j]);
    return n;
}

// Stops push the equilibrium back inside their gaps.
static jd_status rest_on_stops(const jd_problem *p, const jd_system *s, double *q) {
    int m = s->n_contact;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    double *A = JD_TAKE(arena, double, m *m + 1), *b = JD_TAKE(arena, double, 5 * m + 1);
    double *scratch = JD_TAKE(arena, double, jd_forces_scratch(m) + 1);
    int *stop = JD_TAKE(arena, int, m + 1);
    jd_bound *bound = JD_TAKE(arena, jd_bound, m + 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) {
        double *low = b + m, *high = low + m, *x = high + m, *left = x + m;
        int n = stops_at_rest(p, s, q, stop, A, b, low, high);
        if (n) jd_forces_solve(n, A, n, b, low, high, x, left, bound, scratch);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < s->modal.n; k++)
                if (x[i] != 0 && s->contact[stop[i]][k].hi != 0)
                    q[k] += x[i] * s->contact[stop[i]][k].hi / s->modal.omega2[k].hi;
    }
    jd_arena_free(arena);
    return status;
}

void jd_problem_constant_load(const jd_problem *p, double *load) {
    const jd_system *s = jd_problem_system(p);
    for (int i = 0; i < s->n_drive; i++) {
        jd_drive_segment now;
        const jd_object *o = jd_problem_drive(p, i);
        jd_drive_segment_at(o, jd_drive_omega(o, jd_problem_drive_frequency(p, i)), 0, &now);
        for (int k = 0; s->drive[i] && k < s->modal.n; k++)
            load[k] += s->drive[i][k].hi * now.level;
    }
}

// Equilibrium along the path of loads (contacts/rest.h).
static jd_status along_path(jd_arena *arena, const jd_problem *p, jd_rest **rest) {
    const jd_system *s = jd_problem_system(p);
    double *load = JD_TAKE(arena, double, s->modal.n + 1);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_rest_create(arena, p, rest));
    jd_problem_constant_load(p, load);
    jd_rest_slide(*rest); // against a belt only sliding is an equilibrium
    return jd_rest_go(*rest, load);
}

// What of it is asked for: modal coordinates q, slider forces T, the number of stuck sliders.
static jd_status settled(const jd_problem *p, double *q, double *T, int *n, int *stuck) {
    jd_rest *rest = NULL;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = along_path(arena, p, &rest);
    if (status == JD_OK && q) jd_rest_coordinates(rest, q);
    for (int j = 0; status == JD_OK && j < rest->n_slider; j++) {
        if (T) T[j] = rest->slider[j].T;
        if (stuck) *stuck += rest->slider[j].state == 0;
        if (n) *n = rest->n_slider;
    }
    jd_arena_free(arena);
    return status;
}

jd_status jd_problem_settled(const jd_problem *p, int *n, int *stuck) {
    *n = *stuck = 0;
    return settled(p, NULL, NULL, n, stuck);
}

static jd_status set_static(const jd_problem *p, const jd_system *s, double *q) {
    if (jd_rest_needed(p)) return settled(p, q, NULL, NULL, NULL);
    for (int i = 0; i < s->n_drive; i++) {
        jd_drive_segment now;
        const jd_object *o = jd_problem_drive(p, i);
        jd_drive_segment_at(o, jd_drive_omega(o, jd_problem_drive_frequency(p, i)), 0, &now);
        for (int k = 0; k < s->modal.n; k++) {
            double f = s->drive[i][k].hi * now.level, w2 = s->modal.omega2[k].hi;
            if (f == 0) continue;
            if (w2 == 0) {
                jd_fail(p->context, JD_NOT_SUPPORTED,
                        "there is no equilibrium: drive `%s` accelerates a rigid-body mode",
                        o->name);
                jd_fail_where(p->context, "start");
                jd_fail_hint(p->context, "support the structure, or start from rest");
                return JD_NOT_SUPPORTED;
            }
            q[k] += f / w2;
        }
    }
    return rest_on_stops(p, s, q);
}

jd_status jd_problem_initial_sliders(const jd_problem *p, double *T) {
    const jd_object *start = jd_problem_start(p);
    int n = 0;
    JD_TRY(jd_contact_sliders(p, &n, NULL));
    for (int j = 0; j < n; j++) T[j] = 0;
    if (start->type == &jd_start_state) return jd_contact_sliders(p, &n, T);
    if (start->type != &jd_start_static || !jd_rest_needed(p)) return JD_OK;
    return settled(p, NULL, T, NULL, NULL);
}

static jd_status no_orbit(const jd_problem *p, const char *why, const char *hint) {
    jd_fail(p->context, JD_NOT_SUPPORTED, "the motion cannot start on a nonsmooth mode: %s", why);
    jd_fail_where(p->context, "start");
    jd_fail_hint(p->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// The first stop with a gap; NULL: none. Its row over the modes in `row`.
static const jd_stop_def *find_stop(const jd_problem *p, const jd_system *s, const jd_dd **row) {
    for (int i = 0; i < s->n_contact; i++) {
        const jd_contact_def *c = jd_problem_contact(p, i)->def;
        const jd_stop_def *stop = jd_law_stop_of(&c->law);
        if (!stop || !s->contact[i] || !(stop->gap > 0)) continue;
        *row = s->contact[i];
        return stop;
    }
    return NULL;
}

static const double on_orbit = 1e-6; // residual up to which (omega, contact) is taken for an orbit

// The middle of the flight of the orbit with this frequency with a sustained contact of duration 2
// s.
static jd_status set_sustained(const jd_problem *p, const jd_system *y, const jd_dd *row,
                               double gap, const jd_start_nsm_def *d, double *q) {
    double s = d->contact / 2, h = JD_PI / d->omega - s, residual = 1;
    jd_sustained x;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    double *z = JD_TAKE(arena, double, y->modal.n);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK && y->modal.n > 1) {
        status = jd_sustained_create(arena, y->modal.n, y->modal.omega2, row, &x);
        if (status == JD_OK) status = jd_sustained_solve(arena, &x, h, s, gap, z, &residual);
        if (status == JD_OK) jd_sustained_flight(&x, h, s, z, q);
    }
    jd_arena_free(arena);
    if (status == JD_OK && !(residual < on_orbit))
        return no_orbit(p, "none has this `omega` and rests on the stop that long",
                        "`judder nsm` with `sustained: true` lists both; they are isolated");
    return status;
}

static jd_status set_nsm(const jd_problem *p, const jd_system *s, const jd_start_nsm_def *d,
                         double *q, double *rate) {
    const jd_dd *row;
    const jd_stop_def *stop = find_stop(p, s, &row);
    if (!stop)
        return no_orbit(p, "no contact is a stop with a positive gap",
                        "give a contact `law: {type: stop, gap: ...}`");
    double T = 2 * JD_PI / d->omega, zero = 0;
    int k = d->times.n;
    for (int j = 0; j < s->modal.n; j++)
        if (s->modal.omega2[j].hi == 0)
            return no_orbit(p, "the structure is not held", "a rigid-body mode has no period");
    if (d->contact > 0) return set_sustained(p, s, row, stop->gap, d, q);
    jd_impacts x = jd_impacts_of(s->modal.n, s->modal.omega2, row);
    double alone = jd_impacts_one(&x, stop->gap, T);
    if (k == 0 && !(alone < 0))
        return no_orbit(p, "none with one impact per period has this `omega`",
                        "`judder nsm` lists the frequencies of each branch");
    const double *time = k ? d->times.value : &zero, *impulse = k ? d->impulses.value : &alone;
    jd_impacts_flight(&x, T, k ? k : 1, time, impulse, k > 1 ? time[1] / 2 : T / 2, q, rate);
    return JD_OK;
}

jd_status jd_problem_initial(const jd_problem *p, double *q, double *rate) {
    const jd_system *s = jd_problem_system(p);
    const jd_object *start = jd_problem_start(p);
    memset(q, 0, (size_t)s->modal.n * sizeof *q);
    memset(rate, 0, (size_t)s->modal.n * sizeof *rate);
    if (start->type == &jd_start_state) return set_state(p, s, start->def, q, rate);
    if (start->type == &jd_start_lift) return set_lift(p, s, start->def, q, rate);
    if (start->type == &jd_start_nsm) return set_nsm(p, s, start->def, q, rate);
    if (start->type == &jd_start_shape) {
        JD_TRY(jd_start_shape_modes(p, q, rate));
        JD_TRY(jd_system_coordinates(p, q));
        return jd_system_coordinates(p, rate);
    }
    if (start->type == &jd_start_static) return set_static(p, s, q);
    return JD_OK;
}

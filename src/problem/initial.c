// initial.c -- rest, given state, one lifted mode, or equilibrium, as modal coordinates.
//   nodes: q = Phi' M u;   static: omega_k^2 q_k = f_k, f the constant part of the drives at t = 0
#include "problem/initial.h"

#include <math.h>
#include <string.h>

#include "drive/segment.h"
#include "problem/parts.h"

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
        for (int b = 0; b < s->n_body; b++) {
            const jd_structure *body = jd_problem_structure(p, b);
            JD_TRY(jd_structure_coordinates(body, u, to[i] + s->first[b]));
            u += jd_structure_dofs(body);
        }
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

static jd_status set_static(const jd_problem *p, const jd_system *s, double *q) {
    for (int i = 0; i < s->n_drive; i++) {
        jd_drive_segment now;
        const jd_object *o = jd_problem_drive(p, i);
        jd_drive_segment_at(o, jd_drive_omega(o, jd_problem_drive_frequency(p, i)), 0, &now);
        for (int k = 0; k < s->modal.n; k++) {
            double f = s->drive[i][k].hi * now.level, w2 = s->modal.omega2[k].hi;
            if (f == 0) continue;
            if (w2 == 0) {
                jd_fail(p->context, JD_NOT_SUPPORTED,
                        "there is no equilibrium: drive `%s` pushes a rigid-body mode", o->name);
                jd_fail_where(p->context, "start");
                jd_fail_hint(p->context, "support the structure, or start from rest");
                return JD_NOT_SUPPORTED;
            }
            q[k] += f / w2;
        }
    }
    return JD_OK;
}

jd_status jd_problem_initial(const jd_problem *p, double *q, double *rate) {
    const jd_system *s = jd_problem_system(p);
    const jd_object *start = jd_problem_start(p);
    memset(q, 0, (size_t)s->modal.n * sizeof *q);
    memset(rate, 0, (size_t)s->modal.n * sizeof *rate);
    if (start->type == &jd_start_state) return set_state(p, s, start->def, q, rate);
    if (start->type == &jd_start_lift) return set_lift(p, s, start->def, q, rate);
    if (start->type == &jd_start_static) return set_static(p, s, q);
    return JD_OK;
}

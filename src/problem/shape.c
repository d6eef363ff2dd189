// shape.c -- shapes to start from: forces that held them, and modal coordinates.
#include "problem/shape.h"

#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "drive/segment.h"
#include "problem/interface.h"
#include "problem/parts.h"
#include "structure/continua/held.h"

static jd_status shape_body(const jd_problem *p, int *body) {
    const jd_start_shape_def *d = p->start.object.def;
    if (d->body && *d->body) return jd_problem_find_body(p, d->body, body);
    *body = 0;
    if (p->bodies.n == 1) return JD_OK;
    jd_fail(p->context, JD_MISSING_KEY, "there are %d bodies: `body` must say which has this shape",
            p->bodies.n);
    return JD_MISSING_KEY;
}

static jd_status take(jd_arena *arena, int n, jd_start_forces *out) {
    *out = (jd_start_forces){.body = JD_TAKE(arena, int, n),
                             .x = JD_TAKE(arena, double, n),
                             .force = JD_TAKE(arena, double, n),
                             .rate = JD_TAKE(arena, double, n)};
    return jd_arena_status(arena);
}

jd_status jd_start_shape_forces(const jd_problem *p, jd_arena *arena, jd_start_forces *out) {
    const jd_object *start = jd_problem_start(p);
    const jd_start_shape_def *d = start->def;
    int body;
    *out = (jd_start_forces){0};
    if (start->type != &jd_start_shape) return JD_OK;
    JD_TRY(shape_body(p, &body));
    const jd_object *o = jd_problem_body(p, body);
    int n = d->position.n;
    JD_TRY(take(arena, n, out));
    out->n = n;
    for (int i = 0; i < n; i++) {
        out->body[i] = body;
        out->x[i] = d->position.value[i];
    }
    const jd_reals *list[] = {&d->displacement, &d->velocity};
    double *to[] = {out->force, out->rate};
    for (int i = 0; i < 2; i++) {
        jd_held held;
        if (list[i]->n == 0) continue;
        JD_TRY(jd_held_at(arena, o->type, o->def, n, out->x, list[i]->value, &held));
        memcpy(to[i], held.force, (size_t)n * sizeof *to[i]);
        memcpy(out->rigid[i], held.rigid, sizeof held.rigid);
        out->n_rigid = held.n_rigid;
    }
    return JD_OK;
}

jd_status jd_start_shape_modes(const jd_problem *p, double *q, double *rate) {
    const jd_system *s = jd_problem_system(p);
    jd_start_forces f;
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status status = jd_start_shape_forces(p, arena, &f);
    if (status == JD_OK && f.n > 0) {
        int body = f.body[0], n = jd_structure_modes(jd_problem_structure(p, body));
        const jd_object *o = jd_problem_body(p, body);
        double *row = JD_TAKE(arena, double, (size_t)f.n *(size_t)n);
        status = jd_arena_status(arena);
        if (status == JD_OK)
            status = jd_structure_rows_at(arena, o->type, o->def, f.n, f.x, n, row);
        for (int k = 0; status == JD_OK && k < n; k++) {
            int at = s->own[body] + k;
            double w2 = jd_problem_structure(p, body)->modal.omega2[k].hi;
            for (int i = 0; i < f.n && w2 > 0; i++) {
                double share = row[(size_t)i * (size_t)n + (size_t)k] / w2;
                q[at] += f.force[i] * share;
                rate[at] += f.rate[i] * share;
            }
            if (w2 == 0 && k < f.n_rigid) {
                q[at] += f.rigid[0][k];
                rate[at] += f.rigid[1][k];
            }
        }
    }
    jd_arena_free(arena);
    return status;
}

static bool has_stop(const jd_problem *p) {
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (jd_law_stop_of(&c->law)) return true;
    }
    return false;
}

static jd_status refuse_stops(const jd_problem *p) {
    jd_fail(p->context, JD_NOT_SUPPORTED,
            "the equilibrium of infinitely many modes with a stop cannot be computed");
    jd_fail_where(p->context, "start");
    jd_fail_hint(p->context, "start from rest, or give a number of modes");
    return JD_NOT_SUPPORTED;
}

// Constant loads at t = 0 of the drives on bodies with infinitely many modes.
static jd_status static_forces(const jd_problem *p, jd_arena *arena, jd_start_forces *out) {
    int n = jd_problem_drives(p);
    JD_TRY(take(arena, n, out));
    for (int i = 0; i < n; i++) {
        const jd_object *o = jd_problem_drive(p, i);
        const jd_drive_place *d = o->def;
        jd_drive_segment now;
        int body = 0;
        double x = 0;
        jd_drive_segment_at(o, jd_drive_omega(o, jd_problem_drive_frequency(p, i)), 0, &now);
        if (now.level == 0 || d->of == JD_DRIVE_BASE || !d->at.point) continue;
        JD_TRY(jd_problem_position(p, d->at.body, d->at.point, &body, &x));
        if (!jd_problem_structure(p, body)->infinite) continue;
        out->body[out->n] = body;
        out->x[out->n] = x;
        out->force[out->n++] = now.level;
    }
    return out->n > 0 && has_stop(p) ? refuse_stops(p) : JD_OK;
}

jd_status jd_start_infinite_forces(const jd_problem *p, jd_arena *arena, jd_start_forces *out) {
    const jd_type *type = jd_problem_start(p)->type;
    *out = (jd_start_forces){0};
    if (type == &jd_start_static) return static_forces(p, arena, out);
    JD_TRY(jd_start_shape_forces(p, arena, out));
    if (out->n > 0 && !jd_problem_structure(p, out->body[0])->infinite) *out = (jd_start_forces){0};
    return JD_OK;
}

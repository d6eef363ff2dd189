// response.c -- from a built problem to the response at its contacts and drives.
#include <math.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "problem/memory.h"
#include "problem/parts.h"

static jd_status add_end(const jd_problem *p, const jd_place *at, double sign,
                         jd_response_place *to) {
    jd_response_end *e = &to->end[to->n_end++];
    e->sign = sign;
    return jd_problem_find_point(p, at->body, at->point, &e->body, &e->point);
}

static jd_status contact_place(const jd_problem *p, int i, jd_response_place *to) {
    const jd_object *o = jd_problem_contact(p, i);
    const jd_contact_def *c = o->def;
    *to = (jd_response_place){.name = o->name, .row = jd_problem_system(p)->contact[i]};
    if (!to->row) {
        jd_fail(
            p->context, JD_NOT_SUPPORTED,
            "contact `%s` is along a span, but memory kernels exist for contacts at points only",
            o->name);
        jd_fail_where(p->context, "contacts.%s", o->name);
        return JD_NOT_SUPPORTED;
    }
    JD_TRY(add_end(p, &c->at, 1, to));
    return c->against.kind == JD_PLACE ? add_end(p, &c->against.place, -1, to) : JD_OK;
}

static jd_status drive_place(const jd_problem *p, int i, jd_response_place *to) {
    const jd_object *o = jd_problem_drive(p, i);
    const jd_drive_place *d = o->def;
    *to = (jd_response_place){.name = o->name, .row = jd_problem_system(p)->drive[i]};
    bool travels = o->type == &jd_drive_travelling || o->type == &jd_drive_quadrature;
    if (!to->row || travels) {
        jd_fail(p->context, JD_NOT_SUPPORTED,
                "drive `%s` acts %s, but memory kernels exist for drives at points only", o->name,
                travels ? "at several points together" : "along a span");
        jd_fail_where(p->context, "drives.%s", o->name);
        return JD_NOT_SUPPORTED;
    }
    return d->of == JD_DRIVE_BASE ? JD_OK : add_end(p, &d->at, 1, to);
}

// Forces in one proportion as a place; returns the whole of them, 0: there are none.
static double load_place(const jd_start_forces *f, const double *force, bool gentle,
                         jd_arena *arena, jd_response_place *to) {
    double size = 0, *share = JD_TAKE(arena, double, f->n);
    jd_response_load *load = JD_TAKE(arena, jd_response_load, 1);
    if (jd_arena_status(arena) != JD_OK) return 0;
    for (int k = 0; k < f->n; k++) size += fabs(force[k]);
    for (int k = 0; k < f->n && size > 0; k++) share[k] = force[k] / size;
    *load =
        (jd_response_load){.n = f->n, .body = f->body, .x = f->x, .share = share, .gentle = gentle};
    *to = (jd_response_place){.name = "start", .load = load};
    return size;
}

// Lowest frequency of a body above 0, squared.
static double lowest(const jd_system *y, int body) {
    int k = y->first[body];
    while (y->modal.omega2[k].hi == 0) k++;
    return y->modal.omega2[k].hi;
}

static jd_status start_places(const jd_system *y, const jd_start_forces *f, jd_arena *arena,
                              jd_response_def *d, jd_response_place *to, jd_start_places *out) {
    *out = (jd_start_places){.held = -1, .pushed = -1};
    if (f->n == 0) return JD_OK;
    out->force = load_place(f, f->force, false, arena, to + d->n_place);
    if (out->force > 0) out->held = d->n_place++;
    out->rate = load_place(f, f->rate, true, arena, to + d->n_place);
    if (out->rate > 0) out->pushed = d->n_place++;
    out->rate /= lowest(y, f->body[0]); // velocities are those of one body
    return jd_arena_status(arena);
}

static jd_status describe(const jd_problem *p, const jd_start_forces *f, jd_arena *arena,
                          jd_response_def *d, jd_start_places *places) {
    const jd_system *y = jd_problem_system(p);
    *d = (jd_response_def){.n_body = y->n_body,
                           .first = y->first,
                           .n_contact = y->n_contact,
                           .n_place = y->n_contact + y->n_drive};
    const jd_structure **body = JD_TAKE(arena, const jd_structure *, y->n_body);
    const jd_object **object = JD_TAKE(arena, const jd_object *, y->n_body);
    jd_response_place *place = JD_TAKE(arena, jd_response_place, d->n_place + 2);
    JD_TRY(jd_arena_status(arena));
    for (int b = 0; b < y->n_body; b++) {
        body[b] = jd_problem_structure(p, b);
        object[b] = jd_problem_body(p, b);
    }
    for (int i = 0; i < y->n_contact; i++) JD_TRY(contact_place(p, i, &place[i]));
    for (int i = 0; i < y->n_drive; i++) JD_TRY(drive_place(p, i, &place[y->n_contact + i]));
    JD_TRY(start_places(y, f, arena, d, place, places));
    d->body = body;
    d->object = object;
    d->place = place;
    return JD_OK;
}

jd_status jd_problem_response_from(jd_context *context, const jd_problem *p,
                                   const jd_start_forces *forces, jd_start_places *places,
                                   jd_response **out) {
    *out = NULL;
    if (!jd_problem_system(p)) return jd_fail(context, JD_BAD_ARGUMENT, "build the problem first");
    if (jd_problem_connections(p) > 0)
        return jd_fail(context, JD_NOT_SUPPORTED,
                       "memory kernels exist for bodies with modes of their own, but `connections` "
                       "give them common ones");
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_response_def def;
    jd_status s = describe(p, forces, arena, &def, places);
    if (s == JD_OK) s = jd_response_create(context, &def, out);
    jd_arena_free(arena);
    return s;
}

jd_status jd_problem_response(jd_context *context, const jd_problem *p, jd_response **out) {
    jd_start_places none;
    return jd_problem_response_from(context, p, &(jd_start_forces){0}, &none, out);
}

// copy.c -- a second problem with the same parts, for another thread; or with the first of
// infinitely many modes.
#include "base/param_tools.h"
#include "drive/kind.h"
#include "problem/parts.h"
#include "problem/system.h"

void jd_problem_share_structures(const jd_problem *from, jd_problem *to) {
    for (int i = 0; i < from->bodies.n; i++) {
        const jd_part *part = from->bodies.part[i];
        jd_part *other = jd_parts_find(&to->bodies, part->object.name);
        bool fits = other && other->object.type == part->object.type && !other->structure;
        if (fits && part->structure && !part->stale)
            other->structure = jd_structure_share(part->structure);
    }
}

static jd_status copy_bodies(const jd_problem *from, jd_problem *to) {
    for (int i = 0; i < from->bodies.n; i++) {
        const jd_object *o = &from->bodies.part[i]->object;
        JD_TRY(jd_problem_add_body(to, o->name, o->type, o->def));
    }
    jd_problem_share_structures(from, to);
    return JD_OK;
}

static jd_status copy_parts(const jd_problem *from, jd_problem *to) {
    JD_TRY(jd_problem_set_title(to, from->title));
    JD_TRY(jd_problem_set_text(to, from->text, from->text_size));
    jd_problem_set_si(to, from->si);
    for (const jd_shown_unit *u = from->shown; u; u = u->next)
        JD_TRY(jd_problem_show_unit(to, u->path, u->unit, u->size));
    jd_problem_pump(to, from->pump);
    JD_TRY(copy_bodies(from, to));
    for (int i = 0; i < from->contacts.n; i++) {
        const jd_object *o = &from->contacts.part[i]->object;
        if (jd_parts_find(&to->contacts, o->name)) continue; // came with its body
        JD_TRY(jd_problem_add_contact(to, o->name, o->def));
    }
    for (int i = 0; i < from->connections.n; i++) {
        const jd_object *o = &from->connections.part[i]->object;
        JD_TRY(jd_problem_add_connection(to, o->name, o->type, o->def));
    }
    for (int i = 0; i < from->drives.n; i++) {
        const jd_object *o = &from->drives.part[i]->object;
        if (o->type == &jd_drive_quadrature) continue; // comes with its first part
        JD_TRY(jd_problem_add_drive(to, o->name, o->type, o->def));
    }
    if (from->start_given)
        JD_TRY(jd_problem_set_start(to, from->start.object.type, from->start.object.def));
    for (int i = 0; i < JD_SECTION_COUNT; i++)
        if (from->given[i]) JD_TRY(jd_problem_set_section(to, (jd_section)i, from->section[i]));
    return JD_OK;
}

jd_status jd_problem_copy(jd_context *context, const jd_problem *from, jd_problem **out) {
    JD_TRY(jd_problem_create(context, out));
    jd_status s = copy_parts(from, *out);
    if (s == JD_OK) return JD_OK;
    jd_problem_free(*out);
    *out = NULL;
    return s;
}

bool jd_problem_infinite(const jd_problem *p) {
    for (int b = 0; b < p->bodies.n; b++)
        if (jd_problem_structure(p, b)->infinite) return true;
    return false;
}

static void keep_modes(const jd_problem *from, int modes, jd_problem *to) {
    for (int b = 0; b < from->bodies.n; b++) {
        jd_part *part = to->bodies.part[b];
        const jd_param *count = jd_type_param(part->object.type, "modes");
        if (!jd_problem_structure(from, b)->infinite || !count) continue;
        *JD_MEMBER(int, (void *)part->object.def, count) = modes;
        jd_structure_free(part->structure); // the one it shared
        part->structure = NULL;
    }
}

jd_status jd_problem_finite(jd_context *context, const jd_problem *from, int modes,
                            const jd_problem *like, jd_problem **out) {
    JD_TRY(jd_problem_copy(context, from, out));
    keep_modes(from, modes, *out);
    if (like) jd_problem_share_structures(like, *out);
    jd_status s = jd_problem_build(*out);
    if (s == JD_OK) return JD_OK;
    jd_problem_free(*out);
    *out = NULL;
    return s;
}

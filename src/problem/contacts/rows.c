// rows.c -- rows of a contact: the structure's point minus its counterpart, one per direction.
#include "contact/law.h"
#include "problem/contacts/cells.h"
#include "problem/contacts/contacts.h"

// One direction of both sides; NULL: none. A row that no mode moves is refused.
static jd_status make_row(jd_problem *p, const jd_object *o, const char *at, const char *against,
                          jd_dd **out) {
    const jd_contact_def *c = o->def;
    jd_dd *row = *out = JD_TAKE(p->built, jd_dd, p->system.modal.n);
    if (!row) return JD_OUT_OF_MEMORY;
    JD_TRY(jd_problem_add_place(p, c->at.body, at, 1, row));
    if (against) JD_TRY(jd_problem_add_place(p, c->against.place.body, against, -1, row));
    if (p->system.modal.n == 0 || !jd_problem_row_is_zero(p, row)) return jd_system_turn(p, row);
    jd_fail(p->context, JD_NOT_SUPPORTED, "the contact `%s` is at a place that no mode moves",
            o->name);
    jd_fail_hint(p->context,
                 against ? "its two sides have the same motion: move one of them to another point"
                         : "it may be on a support: move it, or keep more modes");
    return JD_NOT_SUPPORTED;
}

static jd_status refuse(jd_problem *p, const jd_object *o, const char *what, const char *hint) {
    const jd_contact_def *c = o->def;
    jd_fail(p->context, JD_NOT_SUPPORTED, "the contact `%s` with law `%s` %s", o->name,
            c->law.type->name, what);
    jd_fail_hint(p->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

// Both directions of a side belong to one body.
static jd_status check_body(jd_problem *p, const jd_object *o, const jd_place *place) {
    jd_direction one, two;
    JD_TRY(jd_problem_find_direction(p, place->body, place->point, &one));
    JD_TRY(jd_problem_find_direction(p, place->body, place->normal, &two));
    if (one.body == two.body) return JD_OK;
    return refuse(p, o, "has a normal and a tangential direction of different bodies",
                  "a contact touches one body at one place: name two points of it");
}

// A law with a normal part of its own beside friction needs two directions; no other takes them.
static jd_status check_directions(jd_problem *p, const jd_object *o, bool wanted) {
    const jd_contact_def *c = o->def;
    bool pair = c->against.kind == JD_PLACE;
    bool some = c->at.normal || (pair && c->against.place.normal);
    if (!wanted && some)
        return refuse(p, o, "has one direction, but two are given",
                      "name one point; two directions are for the law `dry-contact`");
    if (wanted && (!c->at.normal || (pair && !c->against.place.normal)))
        return refuse(p, o, "has two directions, but one is given",
                      "write {normal: tip_y, tangential: tip_x} on both sides");
    if (!wanted) return JD_OK;
    JD_TRY(check_body(p, o, &c->at));
    return pair ? check_body(p, o, &c->against.place) : JD_OK;
}

jd_status jd_contact_rows(jd_problem *p, int i) {
    const jd_object *o = &p->contacts.part[i]->object;
    const jd_contact_def *c = o->def;
    jd_system *y = &p->system;
    bool pair = c->against.kind == JD_PLACE;
    if (!c->at.point || (pair && !c->against.place.point))
        return jd_contact_cut(p, i); // the rows stay NULL
    jd_element e;
    JD_TRY(jd_law_element_of(p->built, &c->law, &e));
    bool two = e.normal && e.source == JD_NORMAL_OWN;
    JD_TRY(check_directions(p, o, two));
    const jd_place *other = pair ? &c->against.place : NULL;
    JD_TRY(make_row(p, o, c->at.point, other ? other->point : NULL, &y->contact[i]));
    if (e.normal && !two) y->normal[i] = y->contact[i];
    y->cells[i] = (jd_cells){.n = 1, .row = &y->contact[i], .normal = &y->normal[i]};
    if (!two) return JD_OK;
    return make_row(p, o, c->at.normal, other ? other->normal : NULL, &y->normal[i]);
}

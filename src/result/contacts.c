// contacts.c -- the contacts of a run or an orbit: where they are, their law, their extremes.
#include <string.h>

#include "result/run.h"

static json_t *range_json(const jd_range *r) {
    return json_pack("{s:o, s:o, s:o}", "min", jd_json_real(r->min), "max", jd_json_real(r->max),
                     "final", jd_json_real(r->final));
}

// Every plain number of the law, by the law's own table.
static json_t *law_json(const jd_object *law) {
    json_t *out = json_pack("{s:s}", "type", law->type->name);
    for (const jd_param *p = law->type->params; p && p->key; p++) {
        const char *at = (const char *)law->def + p->offset;
        double value;
        if (p->kind != JD_KIND_REAL) continue;
        memcpy(&value, at, sizeof value);
        json_object_set_new(out, p->key, jd_json_real(value));
    }
    return out;
}

static json_t *contact_json(const jd_contact_def *c, const jd_contact_ranges *r) {
    json_t *out = json_object();
    if (c->at.point) json_object_set_new(out, "at", jd_json_text(c->at.point));
    if (c->at.body && c->at.body[0]) json_object_set_new(out, "body", jd_json_text(c->at.body));
    if (c->against.kind == JD_MOVING)
        json_object_set_new(out, "against_velocity", jd_json_real(c->against.velocity));
    json_object_set_new(out, "law", law_json(&c->law));
    json_object_set_new(out, "displacement", range_json(&r->displacement));
    json_object_set_new(out, "velocity", range_json(&r->velocity));
    json_object_set_new(out, "force", range_json(&r->force));
    json_object_set_new(out, "certified", json_boolean(r->certified));
    return out;
}

json_t *jd_document_contacts(const jd_problem *problem, const jd_contact_ranges *range) {
    json_t *out = json_object();
    for (int j = 0; j < jd_problem_contacts(problem); j++) {
        const jd_object *contact = jd_problem_contact(problem, j);
        json_object_set_new(out, contact->name, contact_json(contact->def, &range[j]));
    }
    return out;
}

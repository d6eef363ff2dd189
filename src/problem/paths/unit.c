// unit.c -- the SI unit of a number by its path, for axes and result files.
//   Tables list alternatives: "N|N/m|N m" for a point, along a span, for a rotation; "m|rad" where
//   a span makes no difference.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/law.h"
#include "drive/kind.h"
#include "problem/paths/tied.h"

static bool keep(void *user, const char *path, const jd_slot *slot) {
    (void)path;
    *(jd_slot *)user = *slot;
    return false;
}

bool jd_problem_turns(const jd_problem *p, const jd_place *at) {
    for (int b = 0; at->point && b < p->bodies.n; b++) {
        const jd_object *body = &p->bodies.part[b]->object;
        if (!jd_type_param(body->type, "bending_stiffness")) continue; // what makes a beam
        if (at->body && body->name[0] && strcmp(at->body, body->name) != 0) continue;
        for (const jd_param *q = body->type->params; q->key; q++) {
            if (q->kind != JD_KIND_POINTS) continue;
            const jd_points *points = JD_MEMBER(jd_points, body->def, q);
            for (int i = 0; i < points->n; i++)
                if (strcmp(points->point[i].name, at->point) == 0) return points->point[i].dof == 2;
        }
    }
    return false;
}

// Which of n alternatives holds where the part acts.
static int choice(const jd_problem *p, const jd_part *part, int n) {
    const jd_place *at = NULL;
    bool drive = false;
    for (int i = 0; i < p->contacts.n; i++)
        if (p->contacts.part[i] == part) at = &((const jd_contact_def *)part->object.def)->at;
    for (int i = 0; i < p->drives.n; i++)
        if (p->drives.part[i] == part) {
            const jd_drive_place *place = part->object.def;
            if (place->of == JD_DRIVE_BASE) return n > JD_DRIVE_UNIT_BASE ? JD_DRIVE_UNIT_BASE : 0;
            at = &place->at;
            drive = true;
        }
    if (!at) return 0;
    if (drive && jd_place_is_span(at)) return n > JD_DRIVE_UNIT_SPAN ? JD_DRIVE_UNIT_SPAN : 0;
    if (jd_problem_turns(p, at)) return n - 1;
    return jd_place_is_span(at) && n > 2 ? 1 : 0;
}

static void take(const char *units, int which, size_t size, char *out) {
    while (which-- > 0) units = strchr(units, '|') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(units, "|"), units);
}

// Numbers without a table entry: places and the speed of a belt; factors and mode numbers.
static const char *plain_unit(const char *path, const jd_slot *slot) {
    const char *last = strrchr(path, '.');
    if (slot->kind == JD_SLOT_MODE || slot->above != -HUGE_VAL) return "";
    return last && strcmp(last, ".velocity") == 0 ? "m/s" : "m";
}

bool jd_problem_unit(const jd_problem *p, const char *path, size_t size, char *out) {
    jd_slot slot = {0};
    jd_tied first; // numbers that are tied have one unit
    out[0] = '\0';
    if (!jd_tied_part(path, 0, &first)) return false;
    path = first.path;
    jd_problem_walk(p, path, keep, &slot);
    if (!slot.at) return false;
    const char *units = slot.param ? slot.param->unit : plain_unit(path, &slot);
    int n = 1;
    for (const char *c = units; c && *c; c++) n += *c == '|';
    if (!units || strcmp(units, "*") == 0) return true;
    take(units, slot.part && n > 1 ? choice(p, slot.part, n) : 0, size, out);
    bool duration = slot.param && slot.param->kind == JD_KIND_DURATION;
    if (duration && ((const jd_duration *)slot.at)->periods) snprintf(out, size, "periods");
    return true;
}

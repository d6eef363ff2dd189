// refuse.c -- which problems the engine computes.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "engine/series/plan.h"
#include "linalg/dot.h"
#include "problem/contacts/cells.h"
#include "problem/parts.h"

static const unsigned computed = JD_LAW_FRICTION | JD_LAW_STATIC | JD_LAW_SLOPE | JD_LAW_SPRING |
                                 JD_LAW_STOP | JD_LAW_ELASTIC | JD_LAW_NORMAL | JD_LAW_SWING |
                                 JD_LAW_PARALLEL | JD_LAW_SMOOTH | JD_LAW_PLANE;
static const double dependent = 1e-10; // of a row: less left of it, it is a combination of others

static const char *refuses_contact(const jd_problem *p, int j) {
    const jd_contact_def *c = jd_problem_contact(p, j)->def;
    const jd_system *y = jd_problem_system(p);
    if (c->footprint == JD_FOOTPRINT_MOVING) return "a structure moves through a span";
    if (y && y->cells[j].n == 0) return "a contact acts along a span";
    const char *why = jd_law_refuses(&c->law, computed);
    if (why) return why;
    return jd_law_of(&c->law)->element ? NULL : "the law of a contact is no springs and sliders";
}

// Takes the n rows `done` out of a new one, which becomes the next; false: nothing is left of it.
static bool independent(int modes, int n, double *done, const jd_dd *row) {
    double *x = done + (size_t)n * (size_t)modes, size = 0, left;
    for (int k = 0; k < modes; k++) {
        x[k] = row[k].hi;
        size += x[k] * x[k];
    }
    for (int pass = 0; pass < 2; pass++)
        for (int o = 0; o < n; o++) {
            const double *e = done + (size_t)o * (size_t)modes;
            double f = jd_dot(modes, e, x);
            for (int k = 0; k < modes; k++) x[k] -= f * e[k];
        }
    left = sqrt(jd_dot(modes, x, x));
    for (int k = 0; k < modes && left > 0; k++) x[k] /= left;
    return left > dependent * sqrt(size);
}

// Rigid contacts must be able to hold all at once: where rows depend on each other, how they share
// their forces is not unique. Several rigid sliders side by side are such a case.
static const char *refuses_rigid(const jd_problem *p, jd_arena *arena) {
    const jd_system *s = jd_problem_system(p);
    static const char *const why =
        "rigid contacts depend on each other: how they share their forces is not unique (give them "
        "a stiffness)";
    static const char *const many =
        "the rigid cells of a contact depend on each other: how they share their forces is not "
        "unique (fewer `cells`, more modes, or a `stiffness`)";
    int n = 0, modes = s->modal.n, most = modes + 1;
    double *done = JD_TAKE(arena, double, (size_t)most *(size_t)(modes + 1));
    if (!done) return NULL; // the run will say so
    for (int j = 0; j < jd_problem_contacts(p); j++)
        for (int cell = 0; cell < s->cells[j].n; cell++) {
            jd_element e;
            if (jd_cell_element(p, arena, j, cell, &e) != JD_OK) return NULL;
            int rigid = 0;
            for (int i = 0; i < e.sliders; i++) rigid += !(e.stiffness[i] > 0);
            if (rigid > 1) return why;
            const jd_dd *row[2] = {rigid ? s->cells[j].row[cell] : NULL,
                                   e.normal && !(e.kn > 0) ? s->cells[j].normal[cell] : NULL};
            for (int i = 0; i < 2; i++) {
                if (!row[i]) continue;
                if (n == modes || !independent(modes, n, done, row[i]))
                    return s->cells[j].position ? many : why;
                n++;
            }
        }
    return NULL;
}

// A spring behind a slider that gives way at once: its state would never change.
static const char *refuses_empty(const jd_problem *p, jd_arena *arena) {
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        jd_element e;
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (jd_law_element_of(arena, &c->law, &e) != JD_OK) return NULL;
        for (int i = 0; e.source == JD_NORMAL_GIVEN && i < e.sliders; i++)
            if (e.stiffness[i] > 0 && !(e.hold[i] > 0))
                return "a slider with a spring has a limit of 0 (leave it out, or its stiffness)";
    }
    return NULL;
}

// A reaction jumps where another rigid contact changes. A spring that slides under it cannot follow
// at once: which of its sliders stop there is not computed.
static const char *refuses_jumps(const jd_problem *p, jd_arena *arena) {
    int rigid = 0;
    bool springs = false, smooth = false;
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        jd_element e, other;
        const jd_contact_def *c = jd_problem_contact(p, j)->def;
        if (jd_law_element_of(arena, &c->law, &e) != JD_OK) return NULL;
        bool reaction = e.normal && !(e.kn > 0);
        bool holds = reaction || (e.sliders > 0 && !(e.stiffness[0] > 0));
        rigid += holds ? jd_problem_system(p)->cells[j].n : 0;
        for (int k = 0; e.source == JD_NORMAL_OTHER && k < jd_problem_contacts(p); k++) {
            const jd_object *o = jd_problem_contact(p, k);
            if (strcmp(o->name, e.other) != 0) continue;
            if (jd_law_element_of(arena, &((const jd_contact_def *)o->def)->law, &other) != JD_OK)
                return NULL;
            reaction = other.normal && !(other.kn > 0);
        }
        smooth |= e.smooth;
        springs |= reaction && e.sliders > 0 && e.stiffness[0] > 0;
    }
    if (springs && smooth)
        return "friction with a spring under a rigid normal part, beside a nonlinear spring (give "
               "the normal part a stiffness)";
    return springs && rigid > 1
               ? "friction with a spring under a rigid normal part, beside another "
                 "rigid contact: the normal force jumps (give the normal part a "
                 "stiffness)"
               : NULL;
}

const char *jd_series_refuses(const jd_problem *p) {
    for (int i = 0; i < jd_problem_bodies(p); i++) {
        const jd_structure *s = jd_problem_structure(p, i);
        if (!(jd_structure_capabilities(s) & JD_CAN_MODAL)) return "a body has no modes";
        if (s->infinite) return "a body keeps infinitely many modes (say how many with `modes`)";
    }
    for (int j = 0; j < jd_problem_contacts(p); j++) {
        const char *why = refuses_contact(p, j);
        if (why) return why;
    }
    const char *along = jd_system_refuses_spans(jd_problem_system(p));
    if (along) return along;
    jd_arena *arena = jd_problem_system(p) ? jd_arena_create(p->context) : NULL;
    const char *why = arena ? refuses_rigid(p, arena) : NULL;
    if (arena && !why) why = refuses_empty(p, arena);
    if (arena && !why) why = refuses_jumps(p, arena);
    if (arena) jd_arena_free(arena);
    return why;
}

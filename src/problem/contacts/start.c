// start.c -- slider forces that a start gives: names, sizes, and whether the contacts can hold
// them.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "problem/contacts/cells.h"
#include "problem/contacts/contacts.h"
#include "problem/initial.h"

static const jd_contact_def *def_of(const jd_problem *p, int i) {
    return jd_problem_contact(p, i)->def;
}

static const jd_reals *force_of(const jd_problem *p, const char *contact) {
    const jd_object *start = jd_problem_start(p);
    if (start->type != &jd_start_state) return NULL;
    const jd_shapes *given = &((const jd_start_state_def *)start->def)->force;
    for (int i = 0; i < given->n; i++)
        if (!strcmp(given->shape[i].name, contact)) return &given->shape[i].value;
    return NULL;
}

jd_status jd_contact_sliders(const jd_problem *p, int *n, double *T) {
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = JD_OK;
    *n = 0;
    for (int i = 0; s == JD_OK && i < jd_problem_contacts(p); i++) {
        const jd_reals *given = force_of(p, jd_problem_contact(p, i)->name);
        for (int k = 0, at = 0; s == JD_OK && k < jd_problem_system(p)->cells[i].n; k++) {
            jd_element e;
            s = jd_cell_element(p, arena, i, k, &e);
            for (int j = 0; s == JD_OK && j < e.sliders; j++, at++, ++*n)
                if (T) T[*n] = given && at < given->n ? -given->value[at] : 0; // it feels -T
        }
    }
    jd_arena_free(arena);
    return s;
}

jd_status jd_contacts_preloaded(const jd_problem *p, bool *is) {
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = JD_OK;
    *is = false;
    for (int i = 0; s == JD_OK && i < jd_problem_contacts(p); i++) {
        jd_element e;
        s = jd_law_element_of(arena, &def_of(p, i)->law, &e);
        *is |= s == JD_OK && e.normal && e.kn > 0 && e.gap < 0;
    }
    jd_arena_free(arena);
    return s;
}

static jd_status refuse(const jd_problem *p, jd_status status, const char *name, const char *hint) {
    jd_fail_where(p->context, "start.force.%s", name);
    jd_fail_hint(p->context, "%s", hint);
    return status;
}

static double motion(const jd_system *y, const jd_dd *row, const double *q) {
    double u = 0;
    for (int k = 0; k < y->modal.n; k++) u += row[k].hi * q[k];
    return u;
}

// Normal force of an elastic normal part in its spring alone.
static double pressed(const jd_system *y, int i, int cell, const jd_element *e, const double *q) {
    const jd_dd *row = y->cells[i].normal[cell];
    double p = motion(y, row ? row : y->cells[i].row[cell], q) - e->gap;
    return p > 0 ? e->kn * p : 0;
}

// The normal force that scales the limits of contact i; NaN: rigid, not known from the start.
static jd_status normal_force(const jd_problem *p, jd_arena *arena, int i, int cell,
                              const jd_element *e, const double *q, double *N) {
    const jd_system *y = jd_problem_system(p);
    *N = 1;
    int from = i;
    if (e->source == JD_NORMAL_GIVEN) return JD_OK;
    for (int k = 0; e->source == JD_NORMAL_OTHER && k < jd_problem_contacts(p); k++)
        if (!strcmp(jd_problem_contact(p, k)->name, e->other)) from = k;
    jd_element n;
    cell = from == i ? cell : 0;
    JD_TRY(jd_cell_element(p, arena, from, cell, &n));
    *N = n.kn > 0 ? pressed(y, from, cell, &n, q) : (double)NAN;
    return JD_OK;
}

// What slider j of an element holds at t = 0 under the normal force N.
static double hold_of(const jd_element *e, int j, double N) {
    return e->hold[j] * N * (1 + (e->swing != 0 ? e->swing * cos(e->swing_phase) : 0));
}

static jd_status take_holds(const jd_problem *p, jd_arena *arena, const double *q,
                            jd_slider_hold *out) {
    const jd_system *y = jd_problem_system(p);
    for (int i = 0; i < y->n_contact; i++)
        for (int k = 0; k < y->cells[i].n; k++) {
            jd_element e;
            double N = (double)NAN;
            JD_TRY(jd_cell_element(p, arena, i, k, &e));
            if (q && e.sliders > 0) JD_TRY(normal_force(p, arena, i, k, &e, q, &N));
            for (int j = 0; j < e.sliders; j++)
                *out++ = (jd_slider_hold){i, e.stiffness[j] > 0, hold_of(&e, j, N)};
        }
    return JD_OK;
}

jd_status jd_contact_holds(const jd_problem *p, const double *q, jd_slider_hold *out) {
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = take_holds(p, arena, q, out);
    jd_arena_free(arena);
    return s;
}

// One number for each slider of all cells; cells where the profile is 0 have none.
static jd_status check_size(const jd_problem *p, jd_arena *arena, int i) {
    const char *name = jd_problem_contact(p, i)->name;
    const jd_reals *given = force_of(p, name);
    int n = 0;
    for (int k = 0; given && k < jd_problem_system(p)->cells[i].n; k++) {
        jd_element e;
        JD_TRY(jd_cell_element(p, arena, i, k, &e));
        n += e.sliders;
    }
    if (!given || given->n == n) return JD_OK;
    jd_fail(p->context, JD_SIZE_MISMATCH,
            "`force` gives %d numbers for the contact `%s`, which has %d slider%s", given->n, name,
            n, n == 1 ? "" : "s");
    return refuse(p, JD_SIZE_MISMATCH, name, "give one number per slider of the contact");
}

// Forces of one cell: those from number `first` of its contact on.
static jd_status check_force(const jd_problem *p, jd_arena *arena, int i, int cell, int first,
                             const jd_element *e, const double *q) {
    const char *name = jd_problem_contact(p, i)->name;
    const jd_reals *given = force_of(p, name);
    if (!given) return JD_OK;
    double N;
    JD_TRY(normal_force(p, arena, i, cell, e, q, &N));
    for (int j = 0; j < e->sliders; j++) {
        double T = fabs(given->value[first + j]);
        double hold = hold_of(e, j, N);
        if (T == 0 || isnan(hold)) continue;
        if (N == 0) {
            jd_fail(p->context, JD_OUT_OF_RANGE,
                    "the contact `%s` is open at the start, but `force` gives it %.10g", name, T);
            return refuse(p, JD_OUT_OF_RANGE, name, "an open contact has no force");
        }
        if (T <= hold * (1 + 1e-12)) continue;
        jd_fail(p->context, JD_OUT_OF_RANGE,
                "`force` gives the contact `%s` %.10g, but it holds at most %.10g", name, T, hold);
        return refuse(p, JD_OUT_OF_RANGE, name, "a larger force would have let it slide");
    }
    return JD_OK;
}

// A rigid normal part of a dry contact cannot be penetrated.
static jd_status check_penetration(const jd_problem *p, int i, int cell, const jd_element *e,
                                   const double *q) {
    const jd_system *y = jd_problem_system(p);
    if (!e->normal || e->kn > 0 || e->source != JD_NORMAL_OWN || e->gap < 0) return JD_OK;
    double u = motion(y, y->cells[i].normal[cell], q), over = u - e->gap;
    if (!(over > 1e-9 * fmax(fabs(u), e->gap))) return JD_OK;
    jd_fail(p->context, JD_OUT_OF_RANGE,
            "the start penetrates the rigid contact `%s` by %.6g: it begins at %.10g, its gap is "
            "%.10g",
            jd_problem_contact(p, i)->name, over, u, e->gap);
    jd_fail_hint(p->context, "begin inside the gap, or give the contact a `normal_stiffness`");
    return JD_OUT_OF_RANGE;
}

static jd_status check_names(const jd_problem *p, const jd_shapes *given) {
    for (int i = 0; i < given->n; i++) {
        int k = 0;
        while (k < jd_problem_contacts(p) &&
               strcmp(jd_problem_contact(p, k)->name, given->shape[i].name) != 0)
            k++;
        if (k < jd_problem_contacts(p)) continue;
        jd_fail(p->context, JD_UNKNOWN_NAME, "`force` names `%s`, which is no contact",
                given->shape[i].name);
        return refuse(p, JD_UNKNOWN_NAME, given->shape[i].name,
                      "give forces as {contact: force on the structure}");
    }
    return JD_OK;
}

static jd_status check_all(const jd_problem *p, jd_arena *arena) {
    const jd_system *y = jd_problem_system(p);
    double *q = JD_TAKE(arena, double, y->modal.n + 1),
           *rate = JD_TAKE(arena, double, y->modal.n + 1);
    JD_TRY(jd_arena_status(arena));
    JD_TRY(jd_problem_initial(p, q, rate));
    for (int i = 0; i < y->n_contact; i++) {
        JD_TRY(check_size(p, arena, i));
        for (int k = 0, first = 0; k < y->cells[i].n; k++) {
            jd_element e;
            JD_TRY(jd_cell_element(p, arena, i, k, &e));
            JD_TRY(check_force(p, arena, i, k, first, &e, q));
            JD_TRY(check_penetration(p, i, k, &e, q));
            first += e.sliders;
        }
    }
    return JD_OK;
}

jd_status jd_contact_check_start(const jd_problem *p) {
    const jd_object *start = jd_problem_start(p);
    if (start->type != &jd_start_state) return JD_OK;
    JD_TRY(check_names(p, &((const jd_start_state_def *)start->def)->force));
    jd_arena *arena = jd_arena_create(p->context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_status s = check_all(p, arena);
    jd_arena_free(arena);
    return s;
}

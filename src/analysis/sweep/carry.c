// carry.c -- states that a sweep carries on or draws, as starts of its problem.
//   A state is (q, q', T of every sprung slider): modes, and the forces of sliders in the order of
//   the contacts. A slider whose limit is lower at the new point slips to it at once.
#include <math.h>

#include "analysis/sweep/parts.h"
#include "problem/contacts/contacts.h"

static jd_status take_sliders(const jd_problem *p, jd_arena *arena, const double *q, int *n,
                              jd_slider_hold **out) {
    JD_TRY(jd_contact_sliders(p, n, NULL));
    *out = JD_TAKE(arena, jd_slider_hold, *n + 1);
    JD_TRY(jd_arena_status(arena));
    return *n > 0 ? jd_contact_holds(p, q, *out) : JD_OK;
}

jd_status jd_sweep_state_size(jd_problem *p, jd_arena *arena, int *modes, int *out) {
    int n;
    jd_arena_mark mark = jd_arena_here(arena);
    jd_slider_hold *slider;
    JD_TRY(take_sliders(p, arena, NULL, &n, &slider));
    *modes = jd_problem_system(p)->modal.n;
    *out = 2 * *modes;
    for (int i = 0; i < n; i++) *out += slider[i].sprung;
    jd_arena_back(arena, mark);
    return JD_OK;
}

// T of the state, as forces on the structure by contact.
static jd_status take_forces(const jd_problem *p, jd_arena *arena, const double *q, const double *T,
                             jd_shapes *out) {
    int n, m = jd_problem_contacts(p);
    jd_slider_hold *slider;
    JD_TRY(take_sliders(p, arena, q, &n, &slider));
    jd_shape *shape = JD_TAKE(arena, jd_shape, m + 1);
    double *force = JD_TAKE(arena, double, n + 1);
    JD_TRY(jd_arena_status(arena));
    *out = (jd_shapes){0, shape};
    for (int i = 0; i < n; i++) {
        double hold = isnan(slider[i].hold) ? HUGE_VAL : fmax(0, slider[i].hold);
        force[i] = slider[i].sprung ? -fmax(-hold, fmin(hold, *T++)) : 0;
        if (i == 0 || slider[i].contact != slider[i - 1].contact)
            shape[out->n++] =
                (jd_shape){jd_problem_contact(p, slider[i].contact)->name, {0, force + i}};
        shape[out->n - 1].value.n++;
    }
    return JD_OK;
}

jd_status jd_sweep_start_at(jd_problem *p, jd_arena *arena, int modes, const double *state,
                            int n_state) {
    const jd_type *type = jd_type_find(jd_start_types(), "state");
    jd_start_state_def def = {
        .displacement = {modes, state}, .velocity = {modes, state + modes}, .of = 1};
    JD_TRY(jd_problem_set_start(p, type, &def));
    if (n_state <= 2 * modes) return JD_OK;
    jd_arena_mark mark = jd_arena_here(arena);
    JD_TRY(jd_problem_build(p)); // what sliders hold is that of the new point
    jd_status status = take_forces(p, arena, state, state + 2 * modes, &def.force);
    if (status == JD_OK) status = jd_problem_set_start(p, type, &def);
    jd_arena_back(arena, mark);
    return status;
}

// member.c -- contacts of a settled motion that never slide both ways: which orbit of their family
// is recorded (../follow/member.c says what they are). Where such a motion comes to rest depends on
// its start; the centred member does not.
#include <string.h>

#include "analysis/follow/centre.h"
#include "analysis/sweep/settling.h"

// Does contact j slide both ways, or open, in the stretch that was recorded?
static bool forgets(const settling *st, int j) {
    jd_contact_state begins = st->sh->phase.of[j];
    int sign = jd_contact_sign(begins), seen = sign > 0 ? 1 : sign < 0 ? 2 : 0;
    bool stuck = begins == JD_CONTACT_STUCK;
    long n = st->out->events < JD_SHOOT_EVENTS ? st->out->events : JD_SHOOT_EVENTS;
    if (begins == JD_CONTACT_CELLS) // several sliders: of those that move nothing is left to choose
        return !st->run->class->held.sliders ||
               st->run->class->held.sliders(st->run, j, (int)n, st->event) == 0;
    for (long i = 0; i < n; i++) {
        if (st->event[i].contact != j) continue;
        sign = jd_contact_sign(st->event[i].to);
        seen |= sign > 0 ? 1 : sign < 0 ? 2 : 0;
        stuck |= st->event[i].to == JD_CONTACT_STUCK;
    }
    return seen == 3 || !stuck;
}

jd_status jd_settling_centre(settling *st, bool *moved) {
    jd_shooting *sh = st->sh;
    bool family = false;
    *moved = false;
    if (st->sweep->def->member == 0 || !jd_engine_holds(&st->run->class->held) || !(st->drive > 0))
        return JD_OK;
    for (int j = 0; j < st->m; j++) family |= !forgets(st, j);
    if (!family) return JD_OK;
    char letters[JD_PHASE_CONTACTS + 1];
    jd_phase_text(&sh->phase, letters);
    jd_orbit_view member = {
        .n = st->n, .periods = st->out->periods, .state = sh->s, .phase = letters};
    double *state = JD_TAKE(st->arena, double, st->n);
    const char *phase;
    JD_TRY(jd_arena_status(st->arena));
    JD_TRY(jd_centre_state(st->worker->context, st->worker->problem, &member, st->arena, state,
                           &phase, moved));
    if (!*moved) return JD_OK;
    memcpy(sh->s, state, (size_t)st->n * sizeof *state);
    sh->phase = jd_phase_of_text(phase);
    return JD_OK;
}

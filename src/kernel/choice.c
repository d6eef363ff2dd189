// choice.c -- exponentials while few are enough, else the waves that come back.
#include "kernel/choice.h"

#include <math.h>

#include "base/fail.h"
#include "kernel/inside.h"

static const double many = 200;         // more poles than this: delays are cheaper
static const double smear_share = 0.15; // of the shortest delay: how far a smear reaches

// Error of a fit, over |Ghat| + gamma. Events move by less than a tenth of it; loose tolerances,
// which are for speed, take 5 (tolerance/1e-6)^0.3 of them.
static double fit_error(double tolerance) {
    return 5 * tolerance * fmax(1, pow(tolerance / 1e-6, 0.3));
}

// In the words of the model: its tolerance, and what else serves.
static jd_status refuse_exponentials(jd_context *context, const jd_response *r, double tolerance) {
    bool delays = jd_echo_kernel_serves(r);
    jd_fail(context, JD_NOT_SUPPORTED,
            "a damping ratio of %.3g is too small for infinitely many modes as a memory of "
            "exponentials to a tolerance of %.3g",
            jd_response_least_damping(r), tolerance);
    jd_fail_where(context, "structure.damping");
    jd_fail_hint(context,
                 "%sallow a larger tolerance, take more damping, or say how many modes "
                 "to keep",
                 delays ? "write `simulate.memory: delays` or leave `memory` out, " : "");
    return JD_NOT_SUPPORTED;
}

static jd_status take_fit(jd_arena *arena, const jd_response *r, double tolerance,
                          jd_memory_choice *out) {
    out->delays = false;
    jd_status s = jd_fit_create(arena, r, fit_error(tolerance), &out->fit);
    return s == JD_NOT_SUPPORTED && out->fit.refused
               ? refuse_exponentials(jd_arena_context(arena), r, tolerance)
               : s;
}

// Both forms were tried.
static jd_status refuse_both(jd_context *context, const jd_response *r, double tolerance) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "a damping ratio of %.3g is too small for infinitely many modes as a memory of "
            "exponentials to a tolerance of %.3g, and contacts or drives lie too near to each "
            "other, or to an end, for one of delays",
            jd_response_least_damping(r), tolerance);
    jd_fail_where(context, "structure.damping");
    jd_fail_hint(context, "allow a larger tolerance, make points that lie next to each other one, "
                          "take more damping, or say how many modes to keep");
    return JD_NOT_SUPPORTED;
}

// The only string or rod with all its modes that contacts stand on, as a response of its own; the
// other bodies, which answer a force without a jump, are exponentials beside its waves.
static jd_status take_delays(jd_arena *arena, const jd_response *r, double tolerance,
                             jd_memory_choice *out) {
    const jd_response *wave, *rest;
    jd_fit beside;
    out->delays = true;
    JD_TRY(jd_echo_kernel_body(arena, r, &wave, &rest));
    JD_TRY(jd_echo_kernel_create(arena, wave, tolerance, smear_share, &out->echoes));
    if (rest->n_body == 0) return JD_OK;
    JD_TRY(jd_fit_create(arena, rest, fit_error(tolerance), &beside));
    return jd_fit_append(arena, r->n_contact * r->n_place, &beside, &out->echoes.fit);
}

static jd_status refuse_delays(jd_context *context, const jd_response *r) {
    double D = jd_response_least_damping(r);
    if (D >= 1)
        jd_fail(context, JD_NOT_SUPPORTED,
                "with a damping ratio of %.3g no wave comes back: there is no memory of delays", D);
    else
        jd_fail(context, JD_NOT_SUPPORTED,
                "only one string or rod with infinitely many modes has a memory of delays");
    jd_fail_where(context, "simulate.memory");
    jd_fail_hint(context, "leave `memory` out: exponentials serve here");
    return JD_NOT_SUPPORTED;
}

// Initial velocities are no echo of a force.
static bool has_gentle(const jd_response *r) {
    for (int b = 0; b < r->n_body; b++)
        for (int j = 0; j < r->n_place; j++)
            if (r->family[b].place[j].gentle) return true;
    return false;
}

// The structure has too little damping for exponentials, and delays do not serve.
static jd_status refuse_velocities(jd_context *context, const jd_response *r) {
    jd_fail(context, JD_NOT_SUPPORTED,
            "a start with velocities along a body with infinitely many modes needs a memory of "
            "exponentials, and for one to this tolerance a damping ratio of %.3g is too small",
            jd_response_least_damping(r));
    jd_fail_where(context, "start");
    jd_fail_hint(context,
                 "start from displacements alone, leave `simulate.memory` out, say how many "
                 "modes to keep, or take more damping (0.02 will do)");
    return JD_NOT_SUPPORTED;
}

jd_status jd_memory_choose(jd_arena *arena, const jd_response *r, double tolerance,
                           jd_memory_form asked, jd_memory_choice *out) {
    bool gentle = has_gentle(r), serves = !gentle && jd_echo_kernel_serves(r);
    if (isnan(tolerance)) tolerance = JD_MEMORY_TOLERANCE;
    *out = (jd_memory_choice){0};
    if (gentle) {
        jd_status only =
            asked == JD_MEMORY_DELAYS ? JD_NOT_SUPPORTED : take_fit(arena, r, tolerance, out);
        return only == JD_NOT_SUPPORTED ? refuse_velocities(jd_arena_context(arena), r) : only;
    }
    if (asked == JD_MEMORY_EXPONENTIALS) return take_fit(arena, r, tolerance, out);
    if (asked == JD_MEMORY_DELAYS && !serves) return refuse_delays(jd_arena_context(arena), r);
    if (asked == JD_MEMORY_DELAYS) return take_delays(arena, r, tolerance, out);
    bool delays = serves && jd_fit_size(r, fit_error(tolerance)) > many;
    jd_status s =
        delays ? take_delays(arena, r, tolerance, out) : take_fit(arena, r, tolerance, out);
    if (s != JD_NOT_SUPPORTED || !serves) return s;
    s = delays ? take_fit(arena, r, tolerance, out) : take_delays(arena, r, tolerance, out);
    return s == JD_NOT_SUPPORTED ? refuse_both(jd_arena_context(arena), r, tolerance) : s;
}

const char *jd_memory_describe(jd_arena *arena, const jd_memory_choice *c) {
    const jd_fit *f = c->delays ? &c->echoes.fit : &c->fit;
    const char *text;
    if (c->delays && f->n == 0)
        text = "delays: waves that come back, exact";
    else if (c->delays)
        text = jd_arena_format(arena, "delays and %d poles, %d of them modes, error %.1e", f->n,
                               f->kept - f->cut, f->error);
    else
        text = jd_arena_format(arena, "%d exponentials, %d of them modes, error %.1e%s", f->n,
                               f->kept - f->cut, f->error,
                               f->rest ? " (forces jump a little where sticking begins; with all "
                                         "modes they would not)"
                                       : "");
    return text ? text : "";
}

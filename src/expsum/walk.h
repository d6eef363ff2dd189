// walk.h -- a single guard from anchor to anchor, past time 0, as long as that is plain going.
//   The decisions are those of judge() in march.h, to the bit; what one guard does not need is left
//   out, and what does not change from anchor to anchor stays in registers. Where nothing is
//   certified or the amplitudes are not finite, the anchor is left to judge().
//                                              tested: a_single_guard_walks_as_among_several
#ifndef JD_EXPSUM_WALK_H
#define JD_EXPSUM_WALK_H

#include "expsum/finish.h"

enum { CLIMBS_MAX = 32 }; // ladder steps between true exponentials

typedef enum jd_pace {
    PACE_LOOK,     // this anchor needs judge()
    PACE_CROSSING, // a crossing is proved
    PACE_END       // no zero until t_max
} jd_pace;

JD_INLINE void step(jd_search *s, int rung) {
    jd_expbasis *b = s->basis;
    double t = s->t + jd_rung_length(b, rung);
    if (s->climbs >= CLIMBS_MAX) {
        anchor(s, t);
        return;
    }
    climb(s, rung);
    s->result->evaluations++;
}

static void end_search(jd_search *s, jd_search_outcome outcome, double t, double *re, double *im) {
    s->result->outcome = outcome;
    s->result->time = t;
    jd_expbasis_advance(s->basis, t, s->re0, s->im0, re, im);
}

// kept: as in the search, but known when compiling.
JD_INLINE jd_pace walk_on(jd_search *s, jd_verdict *v, bool kept) {
    const jd_expbasis *b = s->basis;
    jd_look *look = s->look;
    const jd_guard *guard = look->guard;
    const double *total = look->total;
    double size = shift_polynomial(guard, s->t, look->polynomial);
    while (s->result->evaluations < s->options.max_evaluations) {
        double remaining = s->t_max - s->t;
        int cap = remaining < b->ladder.longest ? jd_expbasis_rung(b, remaining) + 1 : JD_RUNGS - 1;
        if (guard->degree > 0) size = shift_polynomial(guard, s->t, look->polynomial);
        all_sums(s, look, kept);
        look->noise = noise_of(s, total, size);
        if (!(look->noise < HUGE_VAL)) return PACE_LOOK; // nor is it if total[8] is not
        jd_choice choice = choose_split(look, 65536 / JD_TAYLOR);
        if (choice.log == INT64_MIN) return PACE_LOOK;
        int rung = rung_of_log(s, choice.log);
        if (leaps(s, look, &choice, cap, &rung)) {
            if (jd_rung_length(b, rung) >= remaining) return PACE_END;
            step(s, rung);
            continue;
        }
        jd_expansion e;
        expand(s, look, choice.p, &e);
        int bias = s->bias[choice.straight];
        rung = certify(s, look, &e, rung, &bias, cap, JD_TAYLOR);
        if (rung < 0) return PACE_LOOK;
        s->bias[choice.straight] = bias;
        jd_nearness near = nearness(e.f, guard, reach_of(s, rung));
        if (rung < cap && near.worth_trying) {
            *v = (jd_verdict){.rung = rung};
            if (prove_crossing_or_miss(s, look, e.f, near, v) && v->crossing) return PACE_CROSSING;
            rung = v->rung;
        }
        if (jd_rung_length(b, rung) >= remaining) return PACE_END;
        step(s, rung);
    }
    return PACE_LOOK;
}

static jd_pace walk(jd_search *s, jd_verdict *v) {
    const jd_expbasis *b = s->basis;
    bool plain = b->n_group > 0 && b->n_pair == 0 && b->order == JD_TAYLOR && s->options.split < 0;
    if (!plain) return PACE_LOOK;
    return s->kept ? walk_on(s, v, true) : walk_on(s, v, false);
}

#endif

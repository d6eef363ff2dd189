// follow_case.h -- branches of models given as text, and an oscillator that knocks.
#ifndef JD_TESTS_FOLLOW_CASE_H
#define JD_TESTS_FOLLOW_CASE_H

#include "judder/follow.h"
#include "model_case.h"

// Unit mass, spring and gap, restitution 0.8; the section `follow` has to come after it.
#define FOLLOW_KNOCKER                                                                             \
    "judder: 1\n"                                                                                  \
    "structure: {type: chain, count: 1, mass: 1, stiffness: 1, points: {m: {node: 1}},\n"          \
    "  supports: {left: fixed, right: free}}\n"                                                    \
    "contacts: {stop: {at: m, against: ground, law: {type: stop, gap: 1, restitution: 0.8}}}\n"    \
    "drives: {force: {at: m, type: harmonic, amplitude: 0.5, frequency: 1.5}}\n"                   \
    "start: {type: state, displacement: [0], velocity: [3]}\n"                                     \
    "orbit: {settle: 400 periods}\n"

static inline jd_follow *follows(model_case *m, const char *text, const char *set,
                                 const jd_follow_options *options) {
    jd_follow *f;
    reads(m, text, set);
    if (jd_follow_create(m->context, m->problem, options, &f) != JD_OK)
        fail_msg("%s", jd_context_error(m->context)->message);
    return f;
}

// The branch without its stretches that are unproved: these say what rounding left open, which is
// not the same for two views of one motion. room: for its special points.
static inline jd_follow_view located(const jd_follow_view *v, jd_special *room, int most) {
    jd_follow_view out = *v;
    out.n_special = 0;
    out.special = room;
    for (int i = 0; i < v->n_special; i++) {
        if (v->special[i].kind == JD_SPECIAL_UNPROVED) continue;
        assert_true(out.n_special < most);
        room[out.n_special++] = v->special[i];
    }
    return out;
}

#endif

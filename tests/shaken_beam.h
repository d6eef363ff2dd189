// shaken_beam.h -- the beam with a friction device of the first paper, shaken at 1.1 of its first
// mode.
#ifndef JD_TESTS_SHAKEN_BEAM_H
#define JD_TESTS_SHAKEN_BEAM_H

#include "scene.h"
#include "structure.h"

static inline scene shaken_beam(bool damped) {
    scene s = scene_open();
    jd_fe_beam_def d = friction_beam(10);
    if (!damped) d.damping = (jd_object){NULL, NULL, NULL};
    scene_body(&s, "", "fe-beam", &d);
    scene_friction(&s, "tip", "tip", 0.275 * 2.4, NAN);
    jd_harmonic_def shaker = {.at = {.point = "mid"}, .amplitude = 2.4, .frequency = {0, 1.1, 1}};
    must(&s, jd_problem_add_drive(s.p, "shaker", &jd_drive_harmonic, &shaker));
    must(&s, jd_problem_build(s.p));
    return s;
}

#endif

// draw_laws.h -- bodies, and contact laws with random numbers, as texts of a model file.
#ifndef JD_TESTS_DRAW_LAWS_H
#define JD_TESTS_DRAW_LAWS_H

#include <stdio.h>

#include "draws.h"

// Bodies of unit length, as the beginning of `structure: {type: ...`.
static const char *const drawn_bodies[] = {
    "string, length: 1, tension: 2, mass_per_length: 1",
    "rod, length: 1, axial_stiffness: 1, mass_per_length: 1, supports: {left: fixed, right: free}",
    ("beam, length: 1, bending_stiffness: 0.1, mass_per_length: 1, "
     "supports: {left: clamped, right: free}")};

static inline void draw_coulomb(double limit, char *out, size_t room) {
    snprintf(out, room, "{type: coulomb, limit: %.6g}", limit);
}

static inline void draw_static(double limit, char *out, size_t room) {
    snprintf(out, room, "{type: coulomb, limit: %.6g, static_limit: %.6g}", limit,
             limit * mixed(1, 1.6));
}

static inline void draw_affine(double limit, char *out, size_t room) {
    snprintf(out, room, "{type: affine, limit: %.6g, slope: %.6g}", limit, mixed(-0.1, 0.5));
}

#endif

// draw_laws.h -- contact laws with random numbers, as texts of a model file.
#ifndef JD_TESTS_DRAW_LAWS_H
#define JD_TESTS_DRAW_LAWS_H

#include <stdio.h>

#include "draws.h"

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

// structure.h -- shorthand of the tests for structures put together in C.
#ifndef JD_TESTS_STRUCTURE_H
#define JD_TESTS_STRUCTURE_H

#include <string.h>

#include "judder/structure.h"
#include "near.h"
#include "structure/modal.h"

static inline const jd_type *structure_type(const char *name) {
    for (const jd_type *const *t = jd_structure_types(); *t; t++)
        if (strcmp((*t)->name, name) == 0) return *t;
    return NULL;
}

static inline jd_structure *make_structure(jd_context *c, const char *type, const void *def) {
    jd_structure *s = NULL;
    jd_status status = jd_structure_create(c, structure_type(type), def, &s);
    if (status != JD_OK) print_error("%s\n", jd_context_error(c)->message);
    assert_int_equal(status, JD_OK);
    return s;
}

// The beam with a friction device of the first paper: clamped-free, points mid and tip.
static const jd_point beam_points[] = {{.name = "mid", .position = 1.235},
                                       {.name = "tip", .position = 2.47}};
static const jd_damping_rayleigh_def beam_rayleigh = {2.5e-2, 5.5e-5};

static inline jd_fe_beam_def friction_beam(int elements) {
    return (jd_fe_beam_def){
        .length = 2.47,
        .bending_stiffness = 1.09e4,
        .mass_per_length = 35.4,
        .elements = elements,
        .supports = {JD_CLAMPED, JD_FREE},
        .points = {2, beam_points},
        .damping = {"", &jd_damping_rayleigh, (void *)(uintptr_t)&beam_rayleigh}};
}

#endif

// inside.h -- what a response is made of: inside of kernel/.
#ifndef JD_KERNEL_INSIDE_H
#define JD_KERNEL_INSIDE_H

#include "kernel/family.h"

struct jd_response {
    jd_context *context;
    jd_arena *arena;
    int n_body, n_contact, n_place;
    jd_family *family; // one per body
    bool infinite;
    jd_regularity regularity;
    double *start, *jump; // n_contact x n_place
};

// Fills the family of one body from its structure and definition.
jd_status jd_family_make(jd_arena *arena, const jd_response_def *def, int body, jd_family *out);

#endif

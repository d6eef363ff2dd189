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
    double exponent;              // of the start
    double *start, *jump, *scale; // n_contact x n_place; scale: what errors are compared with
};

// Fills the family of one body from its structure and definition.
jd_status jd_family_make(jd_arena *arena, const jd_response_def *def, int body, jd_family *out);

// Regularity, start and jump of a response whose families are set.
void jd_response_set_start(jd_response *response);
// The response of some bodies alone, without the others: families are shared, arrays from the
// arena.
jd_status jd_response_part(jd_arena *arena, const jd_response *response, const bool *take,
                           jd_response *out);
// Does a contact stand on this body?
bool jd_family_is_touched(const jd_family *family, int n_contact);

#endif

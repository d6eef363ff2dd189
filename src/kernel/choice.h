// choice.h -- which form the memory of infinitely many modes takes: exponentials or delays.
#ifndef JD_KERNEL_CHOICE_H
#define JD_KERNEL_CHOICE_H

#include "judder/structure.h"
#include "kernel/echoes/echo_kernel.h"

#define JD_MEMORY_TOLERANCE 1e-6 // where `simulate.tolerance` is not given (NaN)

typedef struct jd_memory_choice {
    bool delays;
    jd_echo_kernel echoes; // delays: with the poles of the lowest modes
    jd_fit fit;            // exponentials
} jd_memory_choice;

// For runs to `tolerance` (NaN: the one above): exponentials, or delays where they need fewer
// terms; where one cannot, the other, unless a form is asked for. Memory from the arena.
jd_status jd_memory_choose(jd_arena *arena, const jd_response *response, double tolerance,
                           jd_memory_form asked, jd_memory_choice *out);
// The choice and its error in a sentence, without a full stop.
const char *jd_memory_describe(jd_arena *arena, const jd_memory_choice *choice);

#endif

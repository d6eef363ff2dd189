// slip.h -- points at which contacts along spans are looked at.
#ifndef JD_RESULT_RUN_SLIP_H
#define JD_RESULT_RUN_SLIP_H

#include "result/run/run.h"

typedef struct jd_slip_place {
    const char *name;
    int contact;
    double position; // [m] along the contact's body
} jd_slip_place;
// Those of the list that lie on such a contact; returns how many.
int jd_slip_places(const jd_problem *problem, int n, const char *const *name, jd_slip_place *out);
// Sliding velocity there now [m/s]; NaN: the engine has no field.
double jd_slip_at(jd_run *run, const jd_slip_place *place);

#endif

// dependent.c -- contacts whose motions depend on each other: refused before anything is solved.
//   W = G'(0+) (gamma where velocities follow forces at once) is what forces do to contacts. Scaled
//   to ones on its diagonal, Cholesky's pivots are 1 - (share of a contact's motion that the
//   contacts before it have already). A pivot of 0: when all of these are stuck, their forces are
//   not unique, and which of them lets go is no question of mechanics.
//   tested: contacts_that_depend_on_each_other_are_refused
#include <math.h>

#include "base/fail.h"
#include "engine/memory/contacts/contacts.h"

static const double independent = 1e-10; // least pivot: forces keep six digits

static jd_status refuse(const memory_plan *plan, int j, const char *why, const char *hint) {
    const char *name = jd_problem_contact(plan->problem, j)->name;
    jd_fail(plan->context, JD_NOT_SUPPORTED, "contact `%s`: %s", name, why);
    jd_fail_where(plan->context, "contacts.%s.at", name);
    jd_fail_hint(plan->context, "%s", hint);
    return JD_NOT_SUPPORTED;
}

jd_status jd_dependent_check(const memory_plan *plan, double *L) {
    int m = plan->m;
    const double *W = plan->jumps ? plan->poles.gamma : plan->poles.start;
    for (int j = 0; j < m; j++) {
        double size = W[j * m + j], pivot = 1;
        if (!(size > 0))
            return refuse(plan, j, "none of the modes moves its point",
                          "place it elsewhere, or keep more modes");
        for (int i = 0; i < j; i++) {
            double sum = W[j * m + i] / sqrt(size * W[i * m + i]);
            for (int k = 0; k < i; k++) sum -= L[j * m + k] * L[i * m + k];
            L[j * m + i] = sum / L[i * m + i];
            pivot -= L[j * m + i] * L[j * m + i];
        }
        if (pivot < independent)
            return refuse(plan, j,
                          "its motion follows from that of the contacts before it (the same point, "
                          "or more contacts than modes), so that their forces are not unique",
                          "join contacts at one point into one, keep more modes, or take engine "
                          "`exact`");
        L[j * m + j] = sqrt(pivot);
    }
    return JD_OK;
}

// initial.c -- the state at time 0 in free modal coordinates.
#include <math.h>

#include "engine/exact/exact.h"
#include "problem/initial.h"

jd_status jd_exact_initial(exact *e) {
    return jd_problem_initial(e->run->problem, e->state.q, e->state.p);
}

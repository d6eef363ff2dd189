// orbit.h -- what one orbit and the orbits of many starts share.
#ifndef JD_CLI_VERBS_ORBIT_H
#define JD_CLI_VERBS_ORBIT_H

#include "command.h"

typedef struct orbit_asked {
    int starts; // random ones; 0: none
    int seed;
    const char *gradient; // keys, comma-separated; NULL: none
    bool centred;         // contacts that stay stuck rest in the middle of where they may
    bool restart;
} orbit_asked;

// The title of the model, and a blank line, where it has one.
void print_title(const jd_problem *problem);
void print_orbit(call *c, const jd_problem *problem, const jd_orbit_view *view);
// starts.c: the orbits that random starts lead to.
jd_status many_starts(call *c, jd_problem *problem);

#endif

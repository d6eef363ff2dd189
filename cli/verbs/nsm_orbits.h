// nsm_orbits.h -- --orbit of judder nsm.
#ifndef CLI_NSM_ORBITS_H
#define CLI_NSM_ORBITS_H

#include "command.h"

// Does the list name an orbit that rests on the stop, `sN`?
bool orbits_rest(const char *list);
// Orbits of the list in full: document, table, pictures.
jd_status show_orbits(call *c, const char *list, const jd_problem *problem, jd_nsm *nsm);

#endif

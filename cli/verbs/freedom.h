// freedom.h -- where contacts that are stuck all along may rest.
#ifndef JD_CLI_FREEDOM_H
#define JD_CLI_FREEDOM_H

#include "command.h"

// A line for each contact of the orbit that never slides and whose limit is given.
void freedom_print(call *c, const jd_problem *problem, const jd_orbit_view *orbit);

#endif

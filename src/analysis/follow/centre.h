// centre.h -- the centred member of a family of orbits whose contacts stay stuck.
#ifndef JD_ANALYSIS_FOLLOW_CENTRE_H
#define JD_ANALYSIS_FOLLOW_CENTRE_H

#include "base/arena.h"
#include "judder/orbit.h"

// The state and phase at t = 0 of the centred member, from the member v of the family, of which n,
// periods, state and phase are read; *found.
jd_status jd_centre_state(jd_context *context, jd_problem *problem, const jd_orbit_view *v,
                          jd_arena *arena, double *state, const char **phase, bool *found);
// From the member v of the family; *out is NULL where none was found.
jd_status jd_orbit_centre(jd_context *context, jd_problem *problem, const jd_orbit_view *v,
                          const jd_orbit_options *options, jd_orbit **out);

#endif

// centre.h -- the centred member of a family of orbits whose contacts stay stuck.
#ifndef JD_ANALYSIS_FOLLOW_CENTRE_H
#define JD_ANALYSIS_FOLLOW_CENTRE_H

#include "judder/orbit.h"

// From the member v of the family; *out is NULL where none was found.
jd_status jd_orbit_centre(jd_context *context, jd_problem *problem, const jd_orbit_view *v,
                          const jd_orbit_options *options, jd_orbit **out);

#endif

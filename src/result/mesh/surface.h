// surface.h -- what is seen of bodies in space, with their first modes.
#ifndef JD_RESULT_MESH_SURFACE_H
#define JD_RESULT_MESH_SURFACE_H

#include "judder/result.h"
#include "result/mesh/geometry.h"

// In the arena; NULL where the bodies have no places, or their shapes were not kept.
jd_status jd_space_of(jd_arena *arena, const jd_problem *problem, const jd_space_result **out);

#endif

// mesh.h -- motion and modes in space, for ParaView.
//   FILE.pvd lists FILE.0000.vtu, FILE.0001.vtu ..., each the points at
//   rest with vectors of displacement. Lines (strings, beams, rods, chains with a number of modes)
//   and matrices with a mesh can be shown. `files` (may be NULL) is how many there are.
#ifndef JUDDER_MESH_H
#define JUDDER_MESH_H

#include "judder/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// The motion that `simulate` asks for, at the times of `output` or at 101 times: displacement,
// velocity, and `contact_state` (jd_contact_state of the contact at each point; -1: none). Computes
// the run.
jd_status jd_mesh_write_run(jd_context *context, jd_problem *problem, const char *path, int *files);
// The first `most` modes (0: all), the largest displacement of each 1; mode k is at time k.
jd_status jd_mesh_write_modes(jd_context *context, jd_problem *problem, const char *path, int most,
                              int *files);

#ifdef __cplusplus
}
#endif

#endif

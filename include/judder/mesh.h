// mesh.h -- motion, orbits and modes in space, for ParaView.
//   FILE.pvd lists FILE.0000.vtu, FILE.0001.vtu ..., each the points at rest with vectors of
//   displacement; FILE.vtu asks for the same files without the list. Lines (strings, beams, rods,
//   chains with a number of modes) and matrices with a mesh can be shown. `files` (may be NULL) is
//   how many there are.
#ifndef JUDDER_MESH_H
#define JUDDER_MESH_H

#include "judder/orbit.h"

#ifdef __cplusplus
extern "C" {
#endif

// The motion that `simulate` asks for, at the times of `output` or at 101 times: displacement,
// velocity, and `contact_state` (jd_contact_state of the contact at each point; -1: none). Computes
// the run.
jd_status jd_mesh_write_run(jd_context *context, jd_problem *problem, const char *path, int *files);
// One period of an orbit that was found, at `output.per_period` times or at 64, likewise; the end
// of the period, which is its beginning, is left out.
jd_status jd_mesh_write_orbit(jd_context *context, jd_problem *problem, const jd_orbit *orbit,
                              const char *path, int *files);
// The first `most` modes (0: all), the largest displacement of each 1; mode k is at time k.
// FILE.uff and FILE.unv: one universal file with nodes (dataset 2411) and mass-normalised modes
// (55).
jd_status jd_mesh_write_modes(jd_context *context, jd_problem *problem, const char *path, int most,
                              int *files);

#ifdef __cplusplus
}
#endif

#endif

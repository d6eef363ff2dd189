// supports.h -- how the ends of strings, rods and beams are held.
//   The choices are listed in the order of jd_support, so that an index is the support itself.
#ifndef JD_STRUCTURE_SUPPORTS_H
#define JD_STRUCTURE_SUPPORTS_H

#include "judder/structure.h"

// Tables of the key `supports`, each a list for JD_KIND_GROUP; they differ in their defaults.
extern const jd_type *const jd_supports_fixed_fixed[];  // string
extern const jd_type *const jd_supports_fixed_free[];   // rod, fe-rod, chain
extern const jd_type *const jd_supports_clamped_free[]; // beam, fe-beam

// One of free, clamped, pinned, guided: fixed means clamped and sliding means guided for a beam.
// -1 for what is no support.
int jd_support_of_beam(int choice);
// JD_FREE or JD_FIXED, -1 for what a string or rod cannot have.
int jd_support_of_wave(int choice);

#endif

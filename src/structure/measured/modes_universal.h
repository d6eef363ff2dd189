// modes_universal.h -- modes from universal files.
#ifndef JD_STRUCTURE_MEASURED_MODES_UNIVERSAL_H
#define JD_STRUCTURE_MEASURED_MODES_UNIVERSAL_H

#include "base/arena.h"
#include "judder/structure.h"

// Fills omega, shapes of `def->points`, and ratio where no damping is given, from datasets 55.
jd_status jd_modes_read_universal(jd_arena *arena, const char *path, jd_modes_def *def);

#endif

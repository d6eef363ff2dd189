// wave_modes.h -- modes of the wave equation on an interval: strings and rods.
#ifndef JD_STRUCTURE_WAVE_MODES_H
#define JD_STRUCTURE_WAVE_MODES_H

#include "structure/continua/continuum.h"

// Fills modal form, points and rows; omega2, shape and error of `c` are set here.
jd_status jd_wave_build(jd_structure *structure, jd_continuum c, const jd_supports *supports);

#endif

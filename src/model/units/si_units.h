// si_units.h -- the units most models are written in, without the database of udunits2.
#ifndef JD_MODEL_UNITS_SI_UNITS_H
#define JD_MODEL_UNITS_SI_UNITS_H

#include <stdbool.h>

#include <udunits2.h>

// Are all names in this text of a unit among those below?
bool jd_si_knows(const char *text);
// A system with these names and no other; NULL: not enough memory. Free with ut_free_system.
ut_system *jd_si_system(void);

#endif

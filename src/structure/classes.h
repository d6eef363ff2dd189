// classes.h -- the structure classes that stand in the table of structure.c.
#ifndef JD_STRUCTURE_CLASSES_H
#define JD_STRUCTURE_CLASSES_H

#include "structure/modal.h"

extern const jd_structure_class jd_string_class, jd_rod_class, jd_beam_class, jd_modes_class,
    jd_matrices_class, jd_measured_class;

#endif

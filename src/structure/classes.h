// classes.h -- the list of structure classes.
#ifndef JD_STRUCTURE_CLASSES_H
#define JD_STRUCTURE_CLASSES_H

#include "structure/modal.h"

// The structures of model files, in the order in which they are listed; X(name) stands for
// jd_NAME_class, jd_NAME_def, jd_default_NAME and jd_problem_add_NAME. A new structure is a line
// here.
#define JD_STRUCTURES(X)                                                                           \
    X(string)                                                                                      \
    X(rod)                                                                                         \
    X(stepped_rod)                                                                                 \
    X(beam)                                                                                        \
    X(chain)                                                                                       \
    X(fe_beam)                                                                                     \
    X(fe_rod)                                                                                      \
    X(matrices)                                                                                    \
    X(modes)                                                                                       \
    X(measured)                                                                                    \
    X(nonlinear_string)                                                                            \
    X(friction_oscillator)                                                                         \
    X(two_fold)                                                                                    \
    X(piecewise)

#define JD_STRUCTURE_DECLARE(name) extern const jd_structure_class jd_##name##_class;
JD_STRUCTURES(JD_STRUCTURE_DECLARE)
extern const jd_structure_class jd_closure_class; // from C only

#endif

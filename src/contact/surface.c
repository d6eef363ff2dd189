// surface.c -- the switch a piecewise-smooth model brings along; model files cannot name it.
#include "contact/law.h"

static const jd_param none[] = {{0}};

const jd_type jd_law_surface = {
    .name = "surface", .doc = "the model's own switching surface", .def_size = 1, .params = none};

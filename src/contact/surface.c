// surface.c -- the switch a piecewise-smooth model brings along; model files cannot name it.
#include "contact/law.h"

static const jd_param none[] = {{0}};

static unsigned traits(const void *def) {
    (void)def;
    return JD_LAW_SURFACE;
}

const jd_law_class jd_law_surface = {
    .type = {.name = "surface",
             .doc = "the model's own switching surface",
             .def_size = 1,
             .params = none},
    .noun = "switching surface of its own",
    .traits = traits,
};

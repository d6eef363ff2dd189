// fake_def.h -- a definition with every kind of key, for tests of parameter tables.
#ifndef JD_TESTS_FAKE_DEF_H
#define JD_TESTS_FAKE_DEF_H

#include <math.h>

#include "base/param_tools.h"
#include "judder/structure.h"

typedef struct fake_damping_def {
    jd_reals value;
} fake_damping_def;

typedef struct fake_def {
    double length, spare;
    int modes, elements, choice;
    bool flag;
    const char *label, *file;
    jd_reals mass;
    jd_texts words;
    jd_frequency frequency;
    jd_duration time;
    jd_supports supports;
    jd_points points;
    jd_shapes shapes;
    jd_formulas formulas;
    jd_object damping;
} fake_def;

static const char *const fake_choices[] = {"free", "fixed", NULL};
static const jd_param fake_support_params[] = {{JD_KEY(jd_supports, left, CHOICE), .unit = "",
                                                .preset = 1, .choices = fake_choices,
                                                .doc = "left end"},
                                               {0}};
static const jd_type fake_support_type = {.name = "supports",
                                          .doc = "ends",
                                          .def_size = sizeof(jd_supports),
                                          .params = fake_support_params};
static const jd_type *const fake_support_types[] = {&fake_support_type, NULL};
static const jd_param fake_no_params[] = {{0}};
static const jd_param fake_damping_params[] = {{JD_KEY(fake_damping_def, value, REALS), .unit = "",
                                                .required = true, .high = HUGE_VAL,
                                                .doc = "c_k = value for all modes"},
                                               {0}};
static const jd_type fake_damping_none = {
    .name = "none", .doc = "no damping", .def_size = 1, .params = fake_no_params};
static const jd_type fake_damping_ratio = {.name = "ratio",
                                           .doc = "modal damping",
                                           .def_size = sizeof(fake_damping_def),
                                           .params = fake_damping_params};
static const jd_type *const fake_dampings[] = {&fake_damping_none, &fake_damping_ratio, NULL};

// clang-format off
#define FAKE(name, what, ...) {JD_KEY(fake_def, name, what), .doc = "a " #what, __VA_ARGS__}
// clang-format on

static const jd_param fake_params[] = {
    FAKE(length, REAL, .unit = "m", .required = true, .above = true),
    FAKE(spare, REAL, .unit = "", .preset = (double)NAN, .low = 0, .high = 1),
    FAKE(modes, COUNT, .unit = "", .preset = 4),
    FAKE(elements, INTEGER, .unit = "", .preset = 3, .low = 1, .high = 100),
    FAKE(choice, CHOICE, .unit = "", .choices = fake_choices),
    FAKE(flag, BOOLEAN, .unit = "", .preset = 1),
    FAKE(label, TEXT, .unit = "", .preset_text = "plain"),
    FAKE(file, FILE, .unit = ""),
    FAKE(mass, REALS, .unit = "kg", .above = true),
    FAKE(words, TEXTS, .unit = ""),
    FAKE(frequency, FREQUENCY, .unit = "rad/s", .preset = 2, .above = true),
    FAKE(time, DURATION, .unit = "s", .high = HUGE_VAL),
    FAKE(supports, GROUP, .unit = "", .types = fake_support_types),
    FAKE(points, POINTS, .unit = "m"),
    FAKE(shapes, SHAPES, .unit = ""),
    FAKE(formulas, FORMULAS, .unit = ""),
    FAKE(damping, OBJECT, .unit = "", .preset_text = "none", .types = fake_dampings),
    {0}};

static const jd_type fake_type = {.name = "fake",
                                  .doc = "a definition with every kind of key",
                                  .def_size = sizeof(fake_def),
                                  .params = fake_params};

static inline fake_def fake_default(double length, int n_point, const jd_point *point) {
    fake_def d;
    jd_type_defaults(&fake_type, &d);
    d.length = length;
    d.points = (jd_points){n_point, point};
    return d;
}

#endif
